"""Evidence of the prover put into the words of the game: its line played by the reference, and the position that matters.

The prover leaves boards and readings open; a line is shown by rules in which they are as the line has them, so that it is an ordinary
line of the game. That these rules play it alike is checked move by move; where they do not, or a game has no words
for its rules, fields and parameters speak for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from monjudge.model.language import ME, LimitReached, Move, RuleSet, State, parse_expr, walk
from monjudge.model.notation.cells import moved
from monjudge.model.notation.kit import Position
from monjudge.model.notation.plain import Plain
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.reports.answers.answer import Asked
from monjudge.reports.answers.witness import Looked, Witness
from monjudge.reports.wording import move_words, told
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.legality import Explanation, Finding
from monjudge.verify.bounded import reference
from monjudge.verify.consistent import Situation
from monjudge.verify.footprint import says_next
from monjudge.verify.legal import just_after

__all__ = ["witness"]

DRAWN = 100
"""Cells up to which a state is drawn field by field where the game has no words for its rules."""

_NOTHING = Sentence("", "")


@dataclass(frozen=True)
class _Line:
    """A line by the rules of the scene, and where it begins in the words of the game, with the states by the rules of these."""

    scene: Scene
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    table: Position
    shown: tuple[State, ...]

    def at(self, n: int) -> Position:
        """The position after so many moves."""
        return self.table.at(self.shown[n])

    def looked(self, n: int, title: Sentence) -> tuple[Looked, ...]:
        here = self.at(n)
        drawn = self.in_words or self.table.rules.size <= DRAWN
        return (Looked(title, here.kit.line(here), here.kit.picture(here) if drawn else None),)

    @property
    def in_words(self) -> bool:
        """Whether it is told in the words of the game."""
        return self.scene.words is not None and self.table.kit is self.scene.words.kit

    @property
    def before(self) -> tuple[Looked, ...]:
        """The position before the last move."""
        return self.looked(len(self.moves) - 1, _before(len(self.moves)))

    @property
    def end(self) -> tuple[Looked, ...]:
        """The position after the last move."""
        return self.looked(len(self.moves), _END if self.moves else _POSITION)


@dataclass(frozen=True)
class _Part:
    """What a kind of evidence shows: a line, positions that matter, and what is said besides; ``plain``: its findings read one state alone."""

    line: _Line
    looked: tuple[Looked, ...]
    findings: Sequence[Finding] = ()
    met: bool = False
    said: Sentence = _NOTHING
    then: Sequence[Move] = ()
    stem: int | None = None
    plain: bool = False


def witness(evidence: Evidence, scene: Scene, columns: int = 80) -> Witness | None:
    """What the evidence shows of the scene, in pictures of so many columns; None for a proof, which shows no position.

    Raises ValueError for a line that the reference does not play, and as a formula or the words of the game do.
    """
    tell = _TOLD.get(str(evidence.claim.get("question")))
    part = None if tell is None else tell(evidence, scene)
    if part is None:
        return None
    line = part.line
    kit, table = line.table.kit, line.table
    start = kit.line(table)
    moves = tuple(move_words(line.at(n), m) for n, m in enumerate(_moves(line)))
    last = line.at(len(line.shown) - 1)
    asked = Asked(("check", start, *(move.text for move in moves))) if line.in_words else None
    return Witness(
        start, moves, part.looked, tuple(kit.boards(table)), kit.data(table).get("readings", {}), part.stem,
        part.said, tuple(move_words(last, _same(line.scene.rules, m, table.rules)) for m in part.then), tuple(part.findings),
        tuple(told(table, dict.fromkeys(fact for finding in part.findings for fact in finding.facts))) if part.plain else (), part.met, asked, columns,
        evidence.claim["question"] not in ("counterexample", "forcing", "contradiction"),
    )  # fmt: skip


# -- a line in the words of the game -----------------------------------------------------------------------


def _played(scene: Scene, begin: State, moves: Sequence[Move]) -> _Line:
    """The line from a state at rest. Raises ValueError for a move that is not legal."""
    engine = reference(scene.rules)
    states = [engine.settle(begin)]
    for number, move in enumerate(moves, 1):
        if engine.over(states[-1]) or not engine.legal(states[-1], move):
            raise ValueError(f"move {number} is not legal")
        states.append(engine.step(states[-1], move))
    try:
        return _in_words(scene, states, moves)
    except (LookupError, LimitReached):
        plain = Position(Plain(scene.rules.name, scene.rules), scene.rules, states[0])
        return _Line(scene, tuple(states), tuple(moves), plain, tuple(states))


def _in_words(scene: Scene, states: Sequence[State], moves: Sequence[Move]) -> _Line:
    """The line by rules in which nothing is open. Raises LookupError where there are none, they play it otherwise, or it cannot be written."""
    if scene.words is None:
        raise LookupError("the game has no words for these rules")
    table = scene.words.kit.closed(scene.words.at(states[0]))
    shown = [moved(scene.rules, state, table.rules) for state in states]
    engine = reference(table.rules)
    for n, move in enumerate(_same(scene.rules, m, table.rules) for m in moves):
        if engine.over(shown[n]) or not engine.legal(shown[n], move) or engine.step(shown[n], move) != shown[n + 1]:
            raise LookupError("closed rules play the line otherwise")
    for state in shown:
        table.kit.line(table.at(state))
    return _Line(scene, tuple(states), tuple(moves), table, tuple(shown))


def _same(rules: RuleSet, move: Move, other: RuleSet) -> Move:
    """The move by other rules, in which an action may have fewer parameters. Raises LookupError where it has others."""
    args = dict(zip((p.name for p in rules.by_name[move.action].params), move.args, strict=True))
    return Move(move.action, move.me, tuple(args[p.name] for p in other.by_name[move.action].params))


def _moves(line: _Line) -> list[Move]:
    return [_same(line.scene.rules, move, line.table.rules) for move in line.moves]


# -- what evidence shows, by its question ------------------------------------------------------------------


def _from(evidence: Evidence) -> State:
    return tuple(evidence.claim["from"])


def _holds(scene: Scene, text: str, line: _Line) -> tuple[Sequence[Finding], bool]:
    """Why a formula holds after the line: the parts to blame where it denies another, else all its parts; and whether it is what was sought."""
    explain, denied = Explanation(scene.rules, scene.scope(), line.states[-1], filled=True), text.startswith("not (")
    formula = parse_expr(text.removeprefix("not "), scene.scope())
    if denied:
        return list(explain.findings(formula, True, {})), False
    return [explain.finding(part, {}) for part in (formula.args if formula.op == "and" else (formula,)) if not part.is_const], True


def _line(evidence: Evidence, scene: Scene) -> _Part:
    line = _played(scene, _from(evidence), evidence.witness)
    return _Part(line, line.end, *_holds(scene, evidence.claim["formula"], line), plain=True)


def _of_move(evidence: Evidence, scene: Scene) -> _Part:
    line, last = _played(scene, _from(evidence), evidence.witness), evidence.witness[-1]
    rules, before, scope = scene.rules, line.states[-2], scene.scope(last.action)
    formula = parse_expr(evidence.claim["formula"], scope)
    after = just_after(rules, before, last) if says_next(formula) else ()
    env = {ME: last.me, **{p.name: n for p, n in zip(rules.by_name[last.action].params, last.args, strict=True)}}
    findings = list(Explanation(rules, scope, before, after, filled=True).findings(formula, True, env))
    return _Part(line, line.before, findings, plain=not after)


def _of_step(evidence: Evidence, scene: Scene) -> _Part:
    """The two states that are not related: the last one and that before it, or an earlier one."""
    line = _played(scene, _from(evidence), evidence.witness)
    since = evidence.claim.get("since", len(line.moves) - 1)
    earlier = line.looked(since, Sentence(f"position after move {since}", f"{since}手目のあとの局面")) if since < len(line.moves) - 1 else ()
    explain = Explanation(scene.rules, scene.scope(), line.states[since], line.states[-1], filled=True)
    return _Part(line, (*earlier, *line.end), list(explain.findings(parse_expr(evidence.claim["formula"], scene.scope()), True, {})))


def _last_fails(evidence: Evidence, scene: Scene) -> _Part:
    *made, last = evidence.witness
    line = _played(scene, _from(evidence), made)
    return _Part(line, line.looked(len(made), _before(len(made) + 1)), said=_BEYOND, then=(last,))


def _barred(evidence: Evidence, scene: Scene) -> _Part:
    line = _played(scene, _from(evidence), evidence.witness)
    name, me, *args = evidence.claim["barred"]
    return _Part(line, line.end, said=_NOT_LEGAL, then=(Move(name, me, tuple(args)),))


def _pair(evidence: Evidence, scene: Scene) -> _Part:
    line = _played(scene, _from(evidence), evidence.witness)
    pair = [Move(name, me, tuple(args)) for name, me, *args in evidence.claim["pair"]]
    here, ends = line.table, evidence.claim["ends"]
    after = [Looked(title, here.kit.line(here.at(moved(scene.rules, tuple(end), here.rules)))) for end, title in zip(ends, _ORDERS, strict=True) if end is not None]
    said = _EITHER if len(after) == 2 else _NEITHER if not after else _SECOND if ends[0] is None else _FIRST
    return _Part(line, (*line.end, *after), said=said, then=pair)


def _stuck(evidence: Evidence, scene: Scene) -> _Part:
    line = _played(scene, _from(evidence), evidence.witness)
    return _Part(line, line.end, said=_NO_MOVE)


def _ends(evidence: Evidence, scene: Scene) -> _Part:
    line = _played(scene, _from(evidence), evidence.witness)
    return _Part(line, line.end)


def _orders(evidence: Evidence, scene: Scene) -> _Part:
    """The triggers after the last move, in two orders where these are told."""
    line = _played(scene, _from(evidence), evidence.witness)
    orders = evidence.certificate.get("orders", ())
    return _Part(line, line.before, said=_two(orders) if orders else _IN_TURN)


def _two(orders: Sequence[Sequence[str]]) -> Sentence:
    fired = " | ".join(", ".join(name.removeprefix("trigger ") for name in order) for order in orders)
    return Sentence(f"after it fire: {fired}", f"その後の誘発：{fired}")


def _loop(evidence: Evidence, scene: Scene) -> _Part:
    line, stem = _played(scene, _from(evidence), evidence.witness), int(evidence.claim["stem"])
    title = Sentence(f"position after move {stem}, to which the rest leads back", f"{stem}手目のあとの局面（残りの手でここに戻る）")
    title = title if stem else Sentence("position to which the moves lead back", "手順が戻ってくる局面")
    return _Part(line, line.looked(stem, title), stem=stem)


def _read_otherwise(evidence: Evidence, scene: Scene) -> _Part:
    """Of the readings that forbid a move the one that is shown soonest."""
    switch, value, number, made, name, me, *args = min(evidence.certificate["barred"], key=lambda told: (told[3], told))
    begin, *moves = evidence.certificate["lines"][str(number)]
    line = _played(scene, tuple(begin), [Move(n, who, tuple(rest)) for n, who, *rest in moves[:made]])
    said = Sentence(f"not legal under {switch}={value}:", f"{switch}={value}では認められない手：")
    return _Part(line, line.end, said=said, then=(Move(name, me, tuple(args)),))


def _state(evidence: Evidence, scene: Scene) -> _Part:
    """A state, which need not be at rest, in which a formula does not hold."""
    state = tuple(evidence.claim["state"])
    try:
        line = _in_words(scene, [state], ())
    except LookupError:
        line = _Line(scene, (state,), (), Position(Plain(scene.rules.name, scene.rules), scene.rules, state), (state,))
    formula = parse_expr(evidence.claim["formula"], scene.scope())
    explain = Explanation(scene.rules, scene.scope(), state, filled=True)
    aside = all(node.args[0].config for node in walk(formula) if node.op == "field")  # then nothing else of the state matters
    return _Part(line, () if aside else line.looked(0, _POSITION), list(explain.findings(formula, True, {})), plain=True)


def _forcing(evidence: Evidence, scene: Scene) -> _Part | None:
    """The position of the family in which the claim fails, and what was made of it."""
    claim = evidence.claim
    if not claim["fault"]:
        return None
    first, *rest = (_played(scene, tuple(state), ()) for state in evidence.claim["fault"])
    done = ", ".join(f"{cell} = {to}" for cell, to in claim["change"])
    title = Sentence(f"changed ({done})", f"変えた局面（{done}）")
    changed = [looked for other in rest if other.states != first.states for looked in other.looked(0, title)]
    who, turns = first.table.kit.player(first.table, claim["player"]), claim["turns"]
    within = Sentence("", "") if turns is None else Sentence(f" within {turns} turns", f"（{turns}ターン以内）")
    said = Sentence(f"{who.en} is to force{within.en}: {claim['goal']}; claimed: {claim['formula']}",
                    f"{who.ja}が強制すること{within.ja}：{claim['goal']}。主張：{claim['formula']}")  # fmt: skip
    return _Part(first, (*first.looked(0, _POSITION), *changed), said=said)


def _clash(evidence: Evidence, scene: Scene) -> _Part:
    """Sentences that cannot be followed together, each with what it reads in a situation: one for all, or one in which it is followed."""
    told, rules, on = evidence.certificate, scene.rules, evidence.claim["on"] or None
    norms, shown = [rules.norms[n] for n in told["norms"]], [*map(Situation.of, told["shown"])]
    findings = []
    for norm, situation in zip(norms, shown if len(shown) == len(norms) else shown * len(norms), strict=True):
        names = [] if on is None else [p.name for p in rules.by_name[on].params]
        explain = Explanation(rules, scene.scope(on), situation.state, situation.next, filled=True)
        findings.append(explain.finding(norm.formula, {ME: situation.me, **dict(zip(names, situation.args, strict=True))}))
    state = shown[0].state
    line = _Line(scene, (state,), (), Position(Plain(rules.name, rules), rules, state), (state,))
    said = Sentence(" ".join(f"{norm.id}: {norm.en}" for norm in norms), "".join(f"{norm.id}：{norm.ja}" for norm in norms))
    return _Part(line, (), findings, said=said)


def _before(number: int) -> Sentence:
    return Sentence(f"position before move {number}", f"{number}手目の前の局面")


_END, _POSITION = Sentence("position at the end", "最後の局面"), Sentence("position", "局面")
_NO_MOVE = Sentence("no move is left, and the game is not over", "手がないのに、対戦は終わっていない")
_NOT_LEGAL = Sentence("not legal there:", "そこで認められない手：")
_EITHER, _NEITHER = Sentence("in two orders two results:", "順番で結果が違う二手："), Sentence("neither is legal after the other:", "どちらも、もう一方の後では認められない：")
_FIRST = Sentence("the first is not legal after the second:", "二つ目の後では、一つ目が認められない：")
_SECOND = Sentence("the second is not legal after the first:", "一つ目の後では、二つ目が認められない：")
_ORDERS = Sentence("position after them in this order", "この順で指した局面"), Sentence("in the other order", "逆の順で指した局面")
_BEYOND = Sentence("a move that the rules allow and that passes a bound of the model:", "規則は認めるが、模型の限界を超える手：")
_IN_TURN = Sentence("after it triggers have another result in another order", "その後の誘発は、順番によって結果が違う")

_TOLD: Mapping[str, Callable[[Evidence, Scene], _Part | None]] = {
    "line": _line, "fault of a move": _of_move, "fault of a legal": _barred, "fault of a step": _of_step, "fault of a constant": _of_step,
    "fault of a deadlock": _stuck, "fault of a limit": _last_fails, "fault of a commute": _pair, "fault of a confluence": _orders,
    "two rests": _orders, "loop": _loop, "barred": _read_otherwise, "not hopeless": _ends, "counterexample": _state, "forcing": _forcing,
    "contradiction": _clash,
}  # fmt: skip
