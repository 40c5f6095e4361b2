"""Evidence that anyone can check: what is claimed, of which rules, found by what, and a certificate.

A certificate of a forced win is a strategy, one of a "no" a refutation. Both are walks over positions that are made
anew from the rules: depth first, the moves of a position in canonical order, each position once. Only the decisions
are written down: ``choices``, one number for each position that needs one, or ``runs``, where those that repeat
others are only counted (``decisions``). ``check`` follows them by the reference; it uses nothing of the solver that
found them.

>>> from monjudge.model.small.nim import nim
>>> from monjudge.solvers.forced import Search, evidence
>>> rules = nim((1, 2))
>>> search = Search(rules)
>>> found = evidence(search, search.answer())
>>> check(Evidence.from_json(found.to_json()), rules)
Checked(positions=4, decisions=1)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from monjudge.model.language import Expr, LimitReached, Move, RuleSet, State, evaluate
from monjudge.model.language.export import content_hash
from monjudge.solvers.decisions import Reader
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.verdict import Sentence

__all__ = ["FORMAT", "WAIT", "Checked", "Evidence", "Refused", "check", "compiled"]

FORMAT = "monjudge evidence 1"

_PARTS = ("claim", "rules", "engine", "bounds", "witness", "certificate", "seal")

WAIT = -1
"""In a refutation: the others let the player move."""

Step = tuple[Move, State | None]
"""A legal move and where it leads; None where it passes a bound of the model."""

Successors = Callable[[State], list[Step]]
"""All legal moves of a state in canonical order, chance included."""


class Refused(ValueError):
    """The evidence does not show what it claims; ``text`` says why, in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        self.text = Sentence(en, ja)
        super().__init__(en)


@dataclass(frozen=True)
class Evidence:
    """The envelope of every verdict.

    ``claim``: the question and the answer; ``rules``: the hash of the rule set; ``engine``: what found it;
    ``bounds``: within what it was sought; ``witness``: a line of play to look at; ``certificate``: what proves it.
    """

    claim: Mapping[str, Any]
    rules: str
    engine: str
    bounds: Mapping[str, Any] = field(default_factory=dict)
    witness: tuple[Move, ...] = ()
    certificate: Mapping[str, Any] = field(default_factory=dict)

    def _data(self) -> dict[str, Any]:
        return {
            "format": FORMAT, "claim": dict(self.claim), "rules": self.rules, "engine": self.engine,
            "bounds": dict(self.bounds), "witness": [[m.action, m.me, *m.args] for m in self.witness],
            "certificate": dict(self.certificate),
        }  # fmt: skip

    def to_json(self) -> str:
        """Canonical JSON, sealed with a hash of itself."""
        data = self._data()
        return _canonical({**data, "seal": _seal(data)})

    @staticmethod
    def from_json(text: str) -> Evidence:
        """The evidence in a JSON text. Raises Refused where it is damaged or of another form."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Refused("this is no evidence: it is not JSON", "証拠として読めない：JSON ではない") from error
        if not isinstance(data, dict):
            raise Refused("this is no evidence: it is not an object", "証拠として読めない：オブジェクトではない")
        missing = [part for part in _PARTS if part not in data]
        if missing:
            raise Refused(f"this is no evidence: it has no {', '.join(missing)}", f"証拠として読めない：{'、'.join(missing)}がない")
        if not all(isinstance(data[part], dict) for part in ("claim", "bounds", "certificate")):
            raise Refused("this is no evidence: claim, bounds and certificate are objects", "証拠として読めない：claim、bounds、certificate はオブジェクト")
        seal = data.pop("seal")
        try:
            witness = tuple(Move(action, me, tuple(args)) for action, me, *args in data["witness"])
        except (ValueError, TypeError) as error:
            raise Refused("this is no evidence: its witness is no line of moves", "証拠として読めない：witness が手の列ではない") from error
        found = Evidence(data["claim"], data["rules"], data["engine"], data["bounds"], witness, data["certificate"])
        if data.get("format") != FORMAT:
            raise Refused(f"the form is {data.get('format')!r}, not {FORMAT!r}", f"形式が{FORMAT!r}でない")
        if seal != _seal(found._data()):
            raise Refused("the evidence was changed after it was sealed", "封をした後に書き換えられている")
        return found


def _canonical(data: Any) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _seal(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical(data).encode("ascii")).hexdigest()


@dataclass(frozen=True)
class Checked:
    """What a check saw: how many positions, and of these how many needed a decision of the certificate."""

    positions: int
    decisions: int


def compiled(rules: RuleSet) -> Successors:
    """The moves of the strict rule set by the native engine, for large certificates. Raises ImportError without it."""
    from monjudge.solvers.engines.native import Native

    return Native(strict(rules)).steps


def check(evidence: Evidence, rules: RuleSet, goal: Expr | None = None, successors: Successors | None = None) -> Checked:
    """Whether the evidence proves its claim about this rule set, by the reference alone.

    ``goal`` is the condition of a goal that the rule set does not name; ``successors`` another engine of the strict
    rule set to make moves by (see ``compiled``). Raises Refused with the reason.
    """
    if evidence.rules != content_hash(rules):
        raise Refused("the evidence is about other rules", "別のルールについての証拠である")
    claim = _Claim.read(evidence.claim, rules, goal)
    if claim.question != "forced":
        return _other(evidence, rules, claim, successors)
    walk = _Walk(rules, claim, evidence.certificate, successors)
    walk.replay(evidence.witness)
    return walk.strategy() if claim.answer == "yes" else walk.refutation()


@dataclass(frozen=True)
class _Claim:
    player: int
    goal: Expr
    state: State
    turns: int | None
    answer: str
    question: str = "forced"

    @staticmethod
    def read(claim: Mapping[str, Any], rules: RuleSet, goal: Expr | None) -> _Claim:
        keys = {"question", "goal", "player", "state", "turns", "answer"}
        question, answer = claim.get("question"), claim.get("answer")
        keys |= {"shown", "states"} if question == "hidden" else set()
        said = answer in ("yes", "no") if question in ("forced", "hidden") else isinstance(answer, str)
        if set(claim) != keys or question not in ("forced", "hidden", "odds", "mixed") or not said:
            raise Refused("the claim is none that can be checked", "検査できる主張ではない")
        player, turns, state = claim["player"], claim["turns"], claim["state"]
        found = [g.when for g in rules.goals if g.name == claim["goal"] and g.player == player]
        if goal is not None and claim["goal"] == repr(goal):
            found = [goal]
        if not found:
            raise Refused(f"there is no goal {claim['goal']!r} of player {player!r}", f"目的{claim['goal']!r}がない")
        if turns is not None and (type(turns) is not int or turns < 1 or rules.turns is None):
            raise Refused(f"{turns!r} is no number of turns", f"{turns!r}はターン数でない")
        whole = isinstance(state, list) and len(state) == rules.size and all(type(n) is int for n in state)
        if not whole or any(not lo <= n <= hi for n, (lo, hi) in zip(state, rules.bounds, strict=True)):
            raise Refused("the state is none of these rules", "このルールの状態ではない")
        return _Claim(player, found[0], tuple(state), turns, claim["answer"], claim["question"])


def _other(evidence: Evidence, rules: RuleSet, claim: _Claim, successors: Successors | None) -> Checked:
    """Evidence about hidden cards and exact values (see ``certified``)."""
    from monjudge.solvers.certified import Failure, HiddenWalk, ValueWalk

    base = _Walk(rules, claim, {"choices": []}, successors)
    known: dict[State, list[Step]] = {}

    def steps(state: State) -> list[Step]:
        if state not in known:
            known[state] = base.successors(state)
        return known[state]

    game = base.rules, claim.goal, claim.player, base.late, steps
    try:
        if claim.question == "hidden":
            shown, states = evidence.claim["shown"], evidence.claim["states"]
            choices = evidence.certificate.get("choices")
            if set(evidence.certificate) != {"choices"} or not isinstance(choices, list) or any(type(n) is not int for n in choices):
                raise Refused("the certificate is no list of decisions", "証明書が決定の列でない")
            if not isinstance(shown, list) or not all(isinstance(n, str) for n in shown) or not set(shown) <= set(rules.family_named) or type(states) is not int:
                raise Refused("the claim is none that can be checked", "検査できる主張ではない")
            return Checked(*HiddenWalk(*game).run(rules, claim.state, shown, states, choices, claim.answer == "yes"))
        if claim.question == "odds" and rules.simultaneous:
            raise Refused("decisions are hidden in this game", "互いに見ずに決める手がある")
        return Checked(*ValueWalk(*game).run(base.start, _answer(claim.answer), evidence.certificate))
    except Failure as failure:
        raise Refused(*failure.args) from failure


def _answer(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise Refused("the claim is none that can be checked", "検査できる主張ではない") from error


class _Walk:
    """Follows a certificate through positions made by the rules."""

    def __init__(
        self, rules: RuleSet, claim: _Claim, certificate: Mapping[str, Any], successors: Successors | None
    ) -> None:
        self.rules, self.claim = strict(rules), claim
        self.engine = Reference(self.rules)
        self.successors = successors or self._successors
        self.start = strict_state(rules, claim.state)
        if self.engine.settle(self.start) != self.start:
            raise Refused("the state is not settled", "自動処理が済んでいない状態である")
        if rules.simultaneous and claim.question == "forced":
            raise Refused("decisions are hidden in this game", "互いに見ずに決める手がある")
        self.number = rules.turns.number if rules.turns is not None and claim.turns is not None else None
        self.late = None if self.number is None else self._read(self.number, self.start) + (claim.turns or 0)
        form = next((name for name in ("choices", "runs") if name in certificate), "")
        choices = certificate.get(form)
        if set(certificate) != {form} or not isinstance(choices, list) or any(type(n) is not int for n in choices):
            raise Refused("the certificate is no list of decisions", "証明書が決定の列でない")
        self.choices: Iterator[int] = iter(choices if form == "choices" else ())
        self.runs = Reader(choices) if form == "runs" else None
        self.decisions = 0

    def _read(self, expr: Expr, state: State) -> int:
        return evaluate(expr, state, None, self.rules.offset)

    def _successors(self, state: State) -> list[Step]:
        return [(move, self._step(state, move)) for move in self.engine.moves(state)]

    def _step(self, state: State, move: Move) -> State | None:
        try:
            return self.engine.step(state, move)
        except LimitReached:
            return None

    def _after(self, state: State) -> tuple[list[Step], list[Step]]:
        """The moves of the player and those of all others, with where they lead."""
        found = self.successors(state)
        mine = [pair for pair in found if pair[0].me == self.claim.player]
        return mine, [pair for pair in found if pair[0].me != self.claim.player]

    def _reached(self, state: State) -> bool:
        return bool(self._read(self.claim.goal, state))

    def _ended(self, state: State) -> bool:
        late = self.number is not None and self.late is not None and self._read(self.number, state) >= self.late
        return late or self.engine.over(state)

    def _choose(self, least: int, steps: list[Step]) -> int:
        self.decisions += 1
        chosen = next(self.choices, None) if self.runs is None else self.runs.read([move for move, _ in steps], least)
        if chosen is None or not least <= chosen < len(steps):
            raise Refused("a decision is missing or does not exist", "決定が足りないか、存在しない手を指している")
        return chosen

    def _done(self, positions: int) -> Checked:
        if next(self.choices, None) is not None or (self.runs is not None and not self.runs.is_done):
            raise Refused("there are decisions for no position", "どの局面のものでもない決定がある")
        return Checked(positions, self.decisions)

    def replay(self, witness: tuple[Move, ...]) -> None:
        """The witness is a line of legal moves that ends where the claim says."""
        state = self.start
        for number, move in enumerate(witness, 1):
            try:
                legal = not self._reached(state) and not self._ended(state) and self.engine.legal(state, move)
            except (ValueError, TypeError):
                legal = False
            if not legal:
                raise Refused(f"move {number} of the witness is not legal", f"例の{number}手目はできない")
            state = self.engine.step(state, move)
        if witness and self._reached(state) is not (self.claim.answer == "yes"):
            raise Refused("the witness does not end as is claimed", "例の手順の結果が主張と違う")

    def strategy(self) -> Checked:
        """Every play against the strategy reaches the goal, and none goes round in circles."""
        done: dict[State, bool] = {}  # False while it is on the path
        front = [self.start]
        while front:
            state = front[-1]
            if state in done or self._reached(state):
                if state in done:
                    done[state] = True
                front.pop()
                continue
            if self._ended(state):
                raise Refused("the strategy lets play end without the goal", "戦略どおりでも目的を果たさずに終わる")
            mine, others = self._after(state)
            if not mine and not others:
                raise Refused("the strategy leads to where nobody can move", "誰も動けない局面に至る")
            kept = [*others, mine[self._choose(0, mine) if len(mine) > 1 else 0]] if mine else others
            below = _known(kept)
            if any(done.get(after) is False or after == state for after in below):
                raise Refused("the strategy goes round in circles", "戦略が同じ局面を巡る")
            done[state] = False
            front.extend(after for after in reversed(below) if after not in done)
        return self._done(len(done))

    def refutation(self) -> Checked:
        """Whatever the player tries, the goal is not reached."""
        seen: set[State] = set()
        front = [self.start]
        while front:
            state = front.pop()
            if state in seen:
                continue
            if self._reached(state):
                raise Refused("the player reaches the goal", "目的が果たされてしまう")
            if self._ended(state):
                continue
            seen.add(state)
            mine, others = self._after(state)
            if others and (mine or len(others) > 1):
                chosen = self._choose(WAIT if mine else 0, others)
                below = mine if chosen == WAIT else [others[chosen]]
            else:
                below = others or mine
            front.extend(reversed(_known(below)))
        return self._done(len(seen))


def _known(steps: list[Step]) -> list[State]:
    """Where the moves lead. Raises Refused where one passes a bound of the model."""
    found = []
    for move, after in steps:
        if after is None:
            raise Refused(f"{move} passes a bound of the model", f"{move}はモデルの上限を超える")
        found.append(after)
    return found


