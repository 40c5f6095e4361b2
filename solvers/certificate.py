"""Evidence that anyone can check: what is claimed, of which rules, found by what, and a certificate.

A certificate of a forced win is a strategy, one of a "no" a refutation. Both are walks over positions that are made
anew from the rules: depth first, the moves of a position in canonical order, each position once. Only the decisions
are written down: ``choices``, one number for each position that needs one; where the certificate says ``tried``, only
for those that so many positions more do not settle (``walk``). ``check`` follows them by the reference, or by the
moves of another engine; it uses nothing of the solver that found them.

>>> from monjudge.model.small.nim import nim
>>> from monjudge.solvers.forced import Search, evidence
>>> rules = nim((1, 2))
>>> search = Search(rules)
>>> found = evidence(search, search.answer())
>>> check(Evidence.from_json(found.to_json()), rules)
Checked(positions=4, decisions=1, plans=None)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from monjudge.model.language import Expr, LimitReached, Move, RuleSet, State, evaluate
from monjudge.model.language.export import content_hash
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.strict import strict, strict_state
from monjudge.solvers.walk import WAIT, Checked, Claim, Refused, Step, Successors, TooLong, Walk, refuse_bound

if TYPE_CHECKING:
    from monjudge.solvers.engines.native import Native

__all__ = ["FORMAT", "WAIT", "Checked", "Evidence", "Refused", "Step", "Successors", "TooLong", "check", "compiled"]

FORMAT = "monjudge evidence 1"

MOST_TRIED = 10**9
"""So many positions may be tried in place of one decision at most."""

_PARTS = ("claim", "rules", "engine", "bounds", "witness", "certificate", "seal")


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
            if not all(isinstance(m.action, str) and all(type(n) is int for n in (m.me, *m.args)) for m in witness):
                raise TypeError
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


def compiled(rules: RuleSet) -> Native:
    """The native engine of the strict rule set, for large certificates. Raises ImportError without it."""
    from monjudge.solvers.engines.native import Native

    return Native(strict(rules))


def check(
    evidence: Evidence, rules: RuleSet, goal: Expr | None = None, successors: Successors | None = None, *,
    by: Native | None = None, most: int | None = None, counted: bool = False,
) -> Checked:  # fmt: skip
    """Whether the evidence proves its claim about this rule set, by the reference alone.

    ``goal`` is the condition of a goal that the rule set does not name. ``successors`` makes moves of the strict rule
    set in another way; ``by`` is the native engine of the strict rule set (see ``compiled``), where that is to follow
    the certificate. ``counted``: of a "no" the first plans are counted as well (``first_plans``). Raises Refused with the reason; TooLong where the reference came upon more than ``most``
    positions of a forced win, LimitReached where the native engine has no room for them.
    """
    if evidence.rules != content_hash(rules):
        raise Refused("the evidence is about other rules", "別のルールについての証拠である")
    said = _Claim.read(evidence.claim, rules, goal)
    engine = by or Reference(strict(rules))
    steps = successors or (_steps(engine) if isinstance(engine, Reference) else engine.steps)
    claim = _strict(rules, said, engine)
    if said.question != "forced":
        return _other(evidence, rules, said, claim, steps)
    if rules.simultaneous:
        raise Refused("decisions are hidden in this game", "互いに見ずに決める手がある")
    choices, tried = _decisions(evidence.certificate)
    _replay(evidence.witness, claim, engine)
    refuted = None
    if by is None:
        walk = Walk(claim, steps, engine.over, most=most)
        found, refuted = walk.run(choices, tried), walk.is_refuted
    else:
        from monjudge.solvers.engines.native.walker import follow

        found = follow(claim, by, choices, tried)
    if not counted or claim.answer:
        return found
    from monjudge.solvers.first_plans import first_plans

    return replace(found, plans=first_plans(claim, steps, refuted))


def _steps(engine: Reference) -> Successors:
    """The moves that the reference makes."""

    def steps(state: State) -> list[Step]:
        return [(move, _step(engine, state, move)) for move in engine.moves(state)]

    return steps


def _step(engine: Reference, state: State, move: Move) -> State | None:
    try:
        return engine.step(state, move)
    except LimitReached:
        return None


def _strict(rules: RuleSet, said: _Claim, engine: Reference | Native) -> Claim:
    """The claim about the strict rule set. Raises Refused where its state is not settled."""
    state = strict_state(rules, said.state)
    if engine.settle(state) != state:
        raise Refused("the state is not settled", "自動処理が済んでいない状態である")
    late = None
    if rules.turns is not None and said.turns is not None:
        late = evaluate(rules.turns.number, said.state, None, rules.offset) + said.turns
    return Claim(engine.rules, state, said.player, said.goal, late, said.answer == "yes")


def _decisions(certificate: Mapping[str, Any]) -> tuple[list[int], int]:
    """The decisions, and how many positions may be tried without one. Raises Refused."""
    if set(certificate) == {"runs"}:
        raise Refused("the decisions are written as they were before; prove it anew", "決定の書き方が以前のもの。証明を作り直すこと")
    choices, tried = certificate.get("choices"), certificate.get("tried", 0)
    if set(certificate) - {"tried"} != {"choices"} or not isinstance(choices, list) or any(type(n) is not int for n in choices):
        raise Refused("the certificate is no list of decisions", "証明書が決定の列でない")
    if type(tried) is not int or not 0 <= tried <= MOST_TRIED:
        raise Refused(f"{tried!r} positions cannot be tried", f"{tried!r}局面を試すことはできない")
    return choices, tried


def _replay(witness: tuple[Move, ...], claim: Claim, engine: Reference | Native) -> None:
    """The witness is a line of legal moves that ends where the claim says. Raises Refused."""
    state = claim.state
    for number, move in enumerate(witness, 1):
        try:
            legal = not claim.reached(state) and not claim.is_late(state) and engine.legal(state, move)
        except (ValueError, TypeError):
            legal = False
        if not legal:
            raise Refused(f"move {number} of the witness is not legal", f"例の{number}手目はできない")
        try:
            state = engine.step(state, move)
        except LimitReached:
            refuse_bound(move)
    if witness and claim.reached(state) is not claim.answer:
        raise Refused("the witness does not end as is claimed", "例の手順の結果が主張と違う")


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


def _other(evidence: Evidence, rules: RuleSet, claim: _Claim, exact: Claim, successors: Successors) -> Checked:
    """Evidence about hidden cards and exact values (see ``certified``)."""
    from monjudge.solvers.certified import Failure, HiddenWalk, ValueWalk
    from monjudge.solvers.certified_deals import DealtWalk
    from monjudge.solvers.certified_deals import deals as dealt
    from monjudge.solvers.views import View

    known: dict[State, list[Step]] = {}

    def steps(state: State) -> list[Step]:
        if state not in known:
            known[state] = successors(state)
        return known[state]

    game = exact.rules, claim.goal, claim.player, exact.late, steps
    try:
        if claim.question == "hidden":
            shown, states = evidence.claim["shown"], evidence.claim["states"]
            form = "undealt" if "undealt" in evidence.certificate else "choices"
            choices, deals = evidence.certificate.get(form), {"deals"} & set(evidence.certificate) if form == "choices" else set()
            if set(evidence.certificate) != {form, *deals} or not isinstance(choices, list) or any(type(n) is not int for n in choices):
                raise Refused("the certificate is no list of decisions", "証明書が決定の列でない")
            if not isinstance(shown, list) or not all(isinstance(n, str) for n in shown) or not set(shown) <= set(rules.family_named) or type(states) is not int:
                raise Refused("the claim is none that can be checked", "検査できる主張ではない")
            if form == "undealt":
                if states or claim.answer != "yes":
                    raise Refused("the claim is none that can be checked", "検査できる主張ではない")
                return Checked(*DealtWalk(rules, claim.state, claim.goal, claim.player, shown, exact.late).run(choices))
            walk, written = HiddenWalk(*game), evidence.certificate.get("deals")
            given = None if not deals else dealt(rules, claim.state, View(rules, claim.player, shown), written, lambda s: walk._own(strict_state(rules, s)))
            return Checked(*walk.run(rules, claim.state, shown, states, choices, claim.answer == "yes", given))
        if claim.question == "odds" and rules.simultaneous:
            raise Refused("decisions are hidden in this game", "互いに見ずに決める手がある")
        return Checked(*ValueWalk(*game).run(exact.state, _answer(claim.answer), evidence.certificate))
    except Failure as failure:
        raise Refused(*failure.args) from failure


def _answer(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise Refused("the claim is none that can be checked", "検査できる主張ではない") from error
