"""Evidence of the prover, checked by something that shares nothing with it: CP-SAT instead of z3, the reference for lines.

What was proved by induction is asked anew in ``implications``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monjudge.model.language import (
    ME,
    NATURE,
    LimitReached,
    Move,
    RuleSet,
    State,
    TextError,
    evaluate,
    parse_expr,
)
from monjudge.model.language.export import content_hash
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.reference import Reference
from monjudge.verify import legal, limit
from monjudge.verify.bounded import reference, replay
from monjudge.verify.commute import differ, orders, turned
from monjudge.verify.draws import broken, counted, draw_of
from monjudge.verify.exhausted import all_states
from monjudge.verify.footprint import says_next
from monjudge.verify.forcing import family_checked, positions_of
from monjudge.verify.implications import Implications
from monjudge.verify.kinds import CHECKS
from monjudge.verify.question import Property, ask
from monjudge.verify.replaying import Illegal

__all__ = ["Rechecked", "can_be_read", "origin", "recheck", "shown"]



@dataclass(frozen=True)
class Rechecked:
    """How many implications were proved again, and how many moves replayed."""

    implications: int = 0
    moves: int = 0


def recheck(evidence: Evidence, scene: Scene, effort: float | None = None, carried: Collection[str] = ()) -> Rechecked:
    """Whether the evidence shows its claim about the scene. ``effort`` bounds one question to CP-SAT; ``carried`` are steps
    of a proof that are not asked, for they were proved before.

    Raises Refused with the reason, and LimitReached where CP-SAT gives up.
    """
    if evidence.rules != content_hash(scene.rules):
        raise Refused("the evidence is about other rules", "別のルールについての証拠である")
    try:
        claim = evidence.claim
        if claim.get("given") != repr(scene.given) or claim.get("free") != sorted(scene.free):
            raise Refused("the evidence takes other things for granted", "前提とするものが違う")
        if claim.get("question") in _SHOWN or claim.get("question") in CHECKS:
            return _fitting(shown(evidence, scene, effort), evidence, scene)
        if claim.get("question") != "holds" or list(scene.start) != claim.get("start"):
            raise Refused("the claim is none that can be checked", "検査できる主張ではない")
        return _fitting(Rechecked(Implications(evidence, scene, effort, carried).all()), evidence, scene)
    except Refused:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise _unreadable(error) from error


def _fitting(done: Rechecked, evidence: Evidence, scene: Scene) -> Rechecked:
    """What was done, if the bounds are those of the scene, and of the line."""
    told, moves = evidence.bounds, len(evidence.witness)
    claim, start = evidence.claim, list(scene.start)
    ends = {"horizon": moves if moves else told.get("horizon"), "shortest": moves, "stem": claim.get("stem")}
    ends["circle"] = moves - (claim.get("stem") or 0)
    ends["fewest cells"] = sum(a != b for a, b in zip(claim.get("state", ()), start, strict=False))
    if claim.get("question") in ("holds", "exhausted"):
        ends["horizon"] = UNLIMITED
    for name, value in ({"players": scene.rules.players, **scene.bounds} | {n: v for n, v in ends.items() if n in told}).items():
        if told.get(name) != value:
            raise Refused(f"the bound {name} is {value}, not {told.get(name)}", f"範囲の{name}は{told.get(name)}でなく{value}である")
    strange = sorted({*told} - _BOUNDS - {*scene.bounds})
    if strange:
        raise Refused(f"it has a bound that nothing has: {strange[0]}", f"ない範囲が書かれている：{strange[0]}")
    return done


UNLIMITED = "unlimited"
"""The horizon of what holds however long play lasts."""

_BOUNDS = {"players", "horizon", "shortest", "seed", "states", "plies", "passes", "fields", "fewest cells", "from", "turns", "positions", "lines",
           "examples", "stem", "circle", "kinds"}  # fmt: skip
"""What evidence may say of how far was looked, and how."""


def shown(evidence: Evidence, scene: Scene, effort: float | None = None) -> Rechecked:
    """Whether a line or a state shows the claim, whatever rules it was found for. Raises Refused with the reason."""
    try:
        check = CHECKS.get(evidence.claim["question"])
        return _SHOWN[evidence.claim["question"]](evidence, scene) if check is None else Rechecked(*check(evidence, scene, effort))
    except Refused:
        raise
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> Refused:
    if isinstance(error, TextError):
        return Refused(f"a formula of the evidence cannot be read: {error}", f"証拠の式が読めない：{error.line}行{error.column}字目：{error.ja}")
    if isinstance(error, KeyError):
        name = error.args[0] if error.args else ""
        return Refused(f"the evidence cannot be read: there is no {name!r}", f"証拠として読めない：{name!r}がない")
    return Refused(f"the evidence cannot be read: {error}", f"証拠として読めない：{error}")


def _replayed(evidence: Evidence, scene: Scene, moves: Sequence[Move]) -> State:
    """The state after these moves of the witness, by the reference."""
    state = tuple(evidence.claim["from"])
    if origin(scene, state) is None and not _is_made(scene, evidence.claim.get("made"), state):
        raise Refused("the line begins elsewhere", "手順の始まりが違う")
    if evidence.certificate.get("confirmed", True) is not True:
        raise Refused("the line is not said to be confirmed", "手順は確認済みとされていない")
    try:
        return replay(scene.rules, state, moves)
    except Illegal as error:
        raise Refused(*error.text) from error
    except LimitReached as error:
        raise Refused(f"the line passes a bound of the model: {error}", f"手順が模型の限界を超える：{error}") from error


def _is_made(scene: Scene, name: Any, state: State) -> bool:
    """Whether the evidence says itself that its line begins in a position that was set up, and that is this one."""
    return name in scene.made and reference(scene.rules).settle(scene.made[name]) == state


def origin(scene: Scene, settled: State) -> State | None:
    """The state that play begins with where it comes to rest as this one: as is named, or with other boards or readings
    that are open and as is given. None where play does not begin so."""
    engine, rules = reference(scene.rules), scene.rules
    for begin in (scene.start, *scene.positions.values()):
        if engine.settle(begin) == settled:
            return begin
    if len(settled) != rules.size or any(not lo <= n <= hi for n, (lo, hi) in zip(settled, rules.bounds, strict=True)):
        return None
    cells = list(scene.start)
    for family in rules.families:
        if scene.is_open(family.name):
            at = rules.offset[family.name]
            cells[at : at + family.size] = settled[at : at + family.size]
    begin = tuple(cells)
    try:
        fits = can_be_read(rules, begin) and evaluate(scene.given, begin, None, rules.offset) and engine.settle(begin) == settled
    except LimitReached:
        return None
    return begin if fits else None


def can_be_read(rules: RuleSet, state: State) -> bool:
    """Whether no switch stands at a reading under which the text says nothing."""
    return all(s.values[state[rules.offset[s.family.name]] - s.family.lo] not in s.undetermined for s in rules.switches)


def _line(evidence: Evidence, scene: Scene) -> Rechecked:
    formula = parse_expr(evidence.claim["formula"], scene.scope())
    state = _replayed(evidence, scene, evidence.witness)
    if not evaluate(formula, state, None, scene.rules.offset):
        raise Refused("the line does not end as is claimed", "手順の結果が主張と違う")
    return Rechecked(moves=len(evidence.witness))


def _bad_move(evidence: Evidence, scene: Scene) -> Rechecked:
    """The last move of the witness is legal, and the formula does not hold of it."""
    rules, move = scene.rules, evidence.witness[-1]
    before = _replayed(evidence, scene, evidence.witness[:-1])
    _replayed(evidence, scene, evidence.witness)
    formula = parse_expr(evidence.claim["formula"], scene.scope(evidence.claim["on"]))
    env = {ME: move.me, **{p.name: n for p, n in zip(rules.by_name[move.action].params, move.args, strict=True)}}
    after = legal.just_after(rules, before, move) if says_next(formula) else before
    if move.action != evidence.claim["on"] or evaluate(formula, before, env, rules.offset, after):
        raise Refused("the formula holds of the last move: it breaks nothing", "最後の手では式が成り立ち、何も破っていない")
    return Rechecked(moves=len(evidence.witness))


def _barred(evidence: Evidence, scene: Scene) -> Rechecked:
    """After the witness the premise holds of a move that is not legal."""
    state, engine = _replayed(evidence, scene, evidence.witness), reference(scene.rules)
    name, me, *args = evidence.claim["barred"]
    action, move = scene.rules.by_name[evidence.claim["on"]], Move(name, me, tuple(args))
    premise = parse_expr(evidence.claim["formula"], scene.scope(action.name))
    if engine.over(state) or move not in legal.barred(scene.rules, action, premise, state, set(engine.moves(state))):
        raise Refused("the move is legal, or nothing is claimed of it", "その手は認められるか、何も主張していない")
    return Rechecked(moves=len(evidence.witness))


def _bad_step(evidence: Evidence, scene: Scene) -> Rechecked:
    """The states before the last move of the witness (or after so many of its moves) and after it are not related."""
    since = evidence.claim.get("since", len(evidence.witness) - 1)
    if not 0 <= since < len(evidence.witness):
        raise Refused("there are no such moves", "そのような手はない")
    before = _replayed(evidence, scene, evidence.witness[:since])
    after = _replayed(evidence, scene, evidence.witness)
    if evaluate(parse_expr(evidence.claim["formula"], scene.scope()), before, None, scene.rules.offset, after):
        raise Refused("the formula holds of the last step: it breaks nothing", "最後の一歩では式が成り立ち、何も破っていない")
    return Rechecked(moves=len(evidence.witness))


def _stuck(evidence: Evidence, scene: Scene) -> Rechecked:
    """After the witness nobody can move, and the game is not over."""
    state, engine = _replayed(evidence, scene, evidence.witness), reference(scene.rules)
    asked = evaluate(parse_expr(evidence.claim["formula"], scene.scope()), state, None, scene.rules.offset)
    if not asked or engine.over(state) or engine.moves(state):
        raise Refused("the game is over, or goes on", "対戦は終わっているか、続けられる")
    return Rechecked(moves=len(evidence.witness))


def _hit(evidence: Evidence, scene: Scene) -> Rechecked:
    """The last move of the witness is one that the rules allow, and the model cannot make it."""
    state, move = _replayed(evidence, scene, evidence.witness[:-1]), evidence.witness[-1]
    engine, among = reference(scene.rules), evidence.claim["among"]
    if engine.over(state) or not Reference(limit.unbounded(scene.rules)).legal(state, move) or (among and move.action not in among):
        raise Refused("the last move is not legal", "最後の手は認められない")
    if not limit.hits(scene.rules, among, state, move):
        raise Refused("the last move can be made", "最後の手は指せる")
    return Rechecked(moves=len(evidence.witness))


def _in_order(evidence: Evidence, scene: Scene) -> Rechecked:
    """After the witness two moves of different players are legal, and the order in which they are made shows."""
    claim, state = evidence.claim, _replayed(evidence, scene, evidence.witness)
    one, two = (Move(name, me, tuple(args)) for name, me, *args in claim["pair"])
    names, apart = {one.action, two.action}, {frozenset(pair) for pair in claim["apart"]}
    if one.me == two.me or NATURE in (one.me, two.me) or (claim["among"] and not names <= set(claim["among"])) or names in apart:
        raise Refused("nothing is claimed of these moves", "これらの手については何も主張していない")
    if not evaluate(parse_expr(claim["formula"], scene.scope()), state, None, scene.rules.offset):
        raise Refused("the premise does not hold", "前件が成り立たない")
    ends = orders(reference(scene.rules), state, one, two)
    if ends is None or not differ(ends) or [e and list(e) for e in ends] != claim["ends"]:
        raise Refused("the order does not matter", "順番は結果に影響しない")
    return Rechecked(moves=len(evidence.witness) + 4)


def _in_turn(evidence: Evidence, scene: Scene) -> Rechecked:
    """The last move of the witness has another result where the triggers stand in the other order."""
    before, after = _replayed(evidence, scene, evidence.witness[:-1]), _replayed(evidence, scene, evidence.witness)
    if Reference(turned(scene.rules, evidence.claim["among"])).step(before, evidence.witness[-1]) == after:
        raise Refused("the order does not matter", "順番は結果に影響しない")
    return Rechecked(moves=len(evidence.witness))


def _counterexample(evidence: Evidence, scene: Scene) -> Rechecked:
    claim, bounds = evidence.claim, scene.rules.bounds
    state = tuple(claim["state"])
    if len(state) != len(bounds) or any(not lo <= n <= hi for n, (lo, hi) in zip(state, bounds, strict=True)):
        raise Refused("the state is none of these rules", "このルールの状態ではない")
    if not evaluate(scene.given, state, None, scene.rules.offset):
        raise Refused("the state is not as is given", "前提に合わない状態である")
    if evaluate(parse_expr(claim["formula"], scene.scope()), state, None, scene.rules.offset):
        raise Refused("the formula holds there", "その状態で式は成り立つ")
    return Rechecked()


def _forcing(evidence: Evidence, scene: Scene) -> Rechecked:
    """Every position of the family, made anew, with the certificate for what can be forced in it."""
    claim = evidence.claim
    prop = Property("", "forced", claim["formula"], claim["premise"], goal=claim["goal"], player=claim["player"], turns=claim["turns"],
                    vary=tuple(map(tuple, claim["vary"])), change=tuple(map(tuple, claim["change"])), starts=tuple(claim["starts"]))  # fmt: skip
    known = {"start": scene.start, **scene.positions, **scene.made}
    asked = positions_of(scene, {name: known[name] for name in prop.starts} or known, prop)
    question = ask(prop, scene)
    return Rechecked(family_checked(scene, evidence, question.premise, question.formula, asked))


def _draw(evidence: Evidence, scene: Scene) -> Rechecked:
    """The draws counted kind by kind, and the probabilities that are told."""
    claim, known = evidence.claim, {"start": scene.start, **scene.positions}
    question = ask(Property("", "draw", claim["formula"], pile=claim["pile"], of=claim["of"], cards=claim["cards"]), scene)
    told: dict[str, dict[str, str]] = {}
    for name in claim["starts"]:
        bad = broken(counted(draw_of(scene, known[name], claim["pile"], question.of, claim["cards"])), question.formula, known[name], scene)
        told |= {name: {str(hits): str(p) for hits, p in bad.items()}} if bad else {}
    if told != claim["broken"] or not claim["starts"]:
        raise Refused("counting gives other probabilities", "数えると確率が違う")
    return Rechecked()


def _exhausted(evidence: Evidence, scene: Scene) -> Rechecked:
    """All states by native code, each looked at."""
    all_states(evidence, scene)
    return Rechecked()


_SHOWN: Mapping[str, Callable[[Evidence, Scene], Rechecked]] = {
    "line": _line, "counterexample": _counterexample, "exhausted": _exhausted, "forcing": _forcing, "draw": _draw,
    "fault of a move": _bad_move, "fault of a legal": _barred, "fault of a step": _bad_step, "fault of a deadlock": _stuck,
    "fault of a limit": _hit, "fault of a commute": _in_order, "fault of a confluence": _in_turn, "fault of a constant": _bad_step,
}  # fmt: skip
