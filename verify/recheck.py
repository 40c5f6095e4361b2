"""Evidence of the prover, checked by something that shares nothing with it: CP-SAT instead of z3, the reference for lines.

A proof by induction is three implications: the invariants hold where play begins; no move and no trigger breaks
them; the claim follows from them. Each is asked anew of CP-SAT, with no more of the rules than the certificate says
were used. Which rules need no question is worked out here by the names of fields.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from monjudge.model.language import (
    ME,
    NATURE,
    TRUE,
    Action,
    Effect,
    Expr,
    LimitReached,
    Move,
    RuleSet,
    State,
    TextError,
    Trigger,
    evaluate,
    parse_expr,
    var,
    walk,
)
from monjudge.model.language.export import content_hash
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.cpsat import Opaque, Query
from monjudge.solvers.engines.cpsat.terms import SymbolicState, Truth
from monjudge.solvers.engines.reference import Reference
from monjudge.verify import constant, firing, idle, legal, limit
from monjudge.verify.bounded import reference, replay
from monjudge.verify.commute import commute_again, confluence_again, differ, orders, turned
from monjudge.verify.draws import broken, counted, draw_of
from monjudge.verify.exhausted import all_states
from monjudge.verify.footprint import reads, says_next
from monjudge.verify.forcing import family_checked, positions_of
from monjudge.verify.invariants import LIMIT
from monjudge.verify.kinds import CHECKS
from monjudge.verify.obligations import LEFT, restored
from monjudge.verify.queries import INVARIANT, SETTLED
from monjudge.verify.question import Property, ask
from monjudge.verify.replaying import Illegal
from monjudge.verify.sums import lower

__all__ = ["Rechecked", "can_be_read", "origin", "recheck", "shown"]


_ID = re.compile(r"[\w.-]+")
"""How ids of rules look; what else a certificate names has words in front."""

OPAQUE = 20.0
"""So much of CP-SAT's own time is spent without what hangs on open readings, where no bound is set."""


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
        return _fitting(Implications(evidence, scene, effort, carried).all(), evidence, scene)
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
    if engine.legal(state, move):
        try:
            engine.step(state, move)
        except LimitReached:
            return Rechecked(moves=len(evidence.witness))
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


def _firings(rules: RuleSet) -> Iterator[tuple[str, Trigger, tuple[int, ...]]]:
    """Every trigger with all values of its loops, and what the prover calls that step."""
    for trigger in rules.triggers:
        for values in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops)):
            yield f"trigger {trigger.id}{list(values) if values else ''}", trigger, values


class Implications:
    """The implications of a proof, asked one by one.

    Readings that are given are known. What hangs on those that are open is taken for any number at first: a proof that
    needs none of them needs nothing of it, and the question stays small. Only where that does not do they are looked at.
    """

    def __init__(self, evidence: Evidence, scene: Scene, effort: float | None, carried: Collection[str] = ()) -> None:
        self.scene, self.rules, self.effort, self.carried = scene, scene.rules, effort, carried
        claim, certificate = evidence.claim, evidence.certificate
        self.kind, self.on = claim["kind"], claim["on"]
        self.measure = [parse_expr(text, scene.scope()) for text in claim["measure"]]
        self.claimed = parse_expr(claim["formula"], scene.scope(self.on or None))
        self.invariants = [parse_expr(text, scene.scope()) for text in certificate["invariants"]]
        if (certificate["settled"] and self.kind not in ("invariant", "unreachable")) or (self.kind == "fact" and self.invariants):
            raise Refused("it assumes what is no part of a proof of this kind", "この種類の証明にはない前提を用いている")
        self.rests = [self.claimed] if certificate["settled"] else []
        self.left = parse_expr(claim.get("left", "true"), scene.scope())
        self.used: Mapping[str, Sequence[str]] = certificate["used"]
        self.among: Sequence[str] = claim.get("among", ())
        self.apart = {(a, b) for a, b in claim.get("apart", ())}
        self.read = {n.args[0].uid for n in walk(*self.invariants) if n.op == "field"}
        self._cells = [reads(self.rules, f) for f in self.invariants]
        self.ids = {LIMIT, SETTLED, *(id for a in self.rules.actions for id, _ in conditions_of(self.rules, a)), *(t.id for t in self.rules.triggers)}
        self.asked = 0
        hidden = [s.family.uid for s in scene.rules.switches if s.family.name not in scene.held]
        self._hiding = Opaque(hidden) if hidden else None
        self._opaque: Opaque | None = None

    def all(self) -> Rechecked:
        own = {"move": self._legal, "step": self._relation, "deadlock": self._deadlock, "termination": self._termination}
        self._ask(partial(_AGAIN[self.kind], self) if self.kind in _AGAIN else own.get(self.kind, self._follows))
        self._ask(partial(idle.again, self))
        if "start" not in self.carried:
            self._ask(self._begins)
        for action in self.rules.actions:
            if (name := f"action {action.name}") not in self.carried and (effects := self.relevant(action.effects, name, self.read)):
                self._ask(partial(self._move, action, effects))
        for name, trigger, values in _firings(self.rules):
            if name not in self.carried and (effects := self.relevant(trigger.effects, name, self.read)):
                self._ask(partial(self._firing, replace(trigger, effects=tuple(effects)), values, name))
        return Rechecked(self.asked)

    def _ask(self, question: Callable[[], None]) -> None:
        """Asks without what hangs on open readings, and with it where that does not do."""
        asked, self._opaque = self.asked, self._hiding
        if self._opaque is not None:
            try:
                return question()
            except (Refused, LimitReached):
                self.asked, self._opaque = asked, None
        return question()

    def fresh(self, rules: RuleSet | None = None) -> tuple[Query, SymbolicState]:
        """A new question with a state of which nothing is known but what is held."""
        # What is opaque may have no end, where the question itself is answered soon.
        query = Query(rules or self.rules, OPAQUE if self.effort is None and self._opaque is not None else self.effort, self._opaque)
        cells = list(query.state().terms)
        for n, family in ((self.rules.offset[name], self.rules.family_named[name]) for name in self.scene.held):
            cells[n : n + family.size] = map(query.terms.known, self.scene.start[n : n + family.size], [family.is_bool] * family.size)
        return query, SymbolicState(cells)

    def relevant(self, effects: Sequence[Effect], step: str, read: Collection[int]) -> Sequence[Effect]:
        """The effects on what is read; all of them where the proof needed that none of them passes a bound."""
        relevant = [e for e in effects if e.family.uid in read]
        return effects if relevant and LIMIT in self.used.get(step, ()) else relevant

    def wanted(self, effects: Sequence[Effect], step: str, read: Collection[int]) -> Sequence[Effect]:
        """The same of a step that is asked about even where it writes nothing which is read."""
        return effects if LIMIT in self.used.get(step, ()) else self.relevant(effects, step, read)

    def query(self) -> tuple[Query, SymbolicState]:
        query, now = self.fresh()
        query.require(query.term(self.scene.given, now))
        return query, now

    def none(self, query: Query, what: str, relaxed: bool = False) -> None:
        self.asked += 1
        if query.solve(relaxed) is not None:
            lost = ", ".join(name for name in self.used.get(what, ()) if _ID.fullmatch(name) and name not in self.ids)
            en, ja = (f"; the certificate names {lost}, which the rules do not have", f"。証明が挙げる{lost}はルールにない") if lost else ("", "")
            raise Refused(f"CP-SAT finds a counterexample: {what}{en}", f"CP-SAT が反例を見つけた：{what}{ja}")

    def hold(self, query: Query, state: SymbolicState, used: Collection[str]) -> Truth:
        """The invariants that were used."""
        return query.terms.both([query.term(f, state) for n, f in enumerate(self.invariants) if f"{INVARIANT} {n}" in used])

    def _begins(self) -> None:
        query, now = self.query()
        cells, at = list(now.terms), 0
        for family in self.rules.families:
            if not (family.config or family.name in self.scene.free):
                for n in range(at, at + family.size):
                    cells[n] = query.terms.known(self.scene.start[n], family.is_bool)
            at += family.size
        first = SymbolicState(cells)
        query.require(query.terms.negate(query.terms.both([query.term(f, first) for f in self.invariants])))
        self.none(query, "start")

    def _breaks(self, query: Query, now: SymbolicState, after: SymbolicState, what: str) -> None:
        """Every invariant that may read a cell which the step writes holds after it, where these and those that were used hold before."""
        touched = [f for f, cells in zip(self.invariants, self._cells, strict=True) if any(now.terms[n] is not after.terms[n] for n in cells)]
        query.require(self.hold(query, now, self.used.get(what, ())))
        query.require(query.terms.both([query.term(f, now) for f in touched]))
        query.require(query.terms.negate(query.terms.both([query.term(f, after) for f in touched])))
        self.none(query, what)

    def _move(self, action: Action, effects: Sequence[Effect]) -> None:
        name = f"action {action.name}"
        query, now, me, args = self.moving(action, self.used.get(name, ()), effects)
        if any(used.startswith("at rest") for used in self.used.get(name, ())):
            for formula in self.rests:
                query.require(query.term(formula, now))
        self._breaks(query, now, query.apply(action.name, now, me, args, within=True).state, name)

    def moving(
        self, action: Action, used: Collection[str], effects: Sequence[Effect]
    ) -> tuple[Query, SymbolicState, Any, Sequence[Any]]:
        """A move of the action with these effects, of whose conditions those that were used hold."""
        query, now = self.fresh(replace(self.rules, actions=(replace(action, effects=tuple(effects)),)))
        query.require(query.term(self.scene.given, now))
        me, args = query.choice(action.name)
        for id, condition in conditions_of(self.rules, action):
            if id in used:
                query.require(query.term(condition, now, variables(action, me, args)))
        self.at_rest(query, now, used)
        return query, now, me, args

    def _firing(self, trigger: Trigger, values: Sequence[int], name: str) -> None:
        query, now = self.query()
        self._breaks(query, now, query.fire(trigger, values, now, within=True)[0], name)

    def at_rest(self, query: Query, now: SymbolicState, used: Collection[str]) -> None:
        """Requires of rest what was used: that triggers are idle, or that a whole pass changes nothing."""
        for trigger in self.rules.triggers:
            for _, env in idle.bindings(trigger) if idle.IDLE + trigger.id in used else ():
                query.require(query.terms.negate(query.term(trigger.when, now, env)))
        if SETTLED in used:
            after, limit = query.one_pass(now)
            query.require(query.equal(now, after))
            query.require(query.terms.negate(limit))

    def _legal(self) -> None:
        """Wherever the move is legal, the claim holds."""
        if f"move {self.on}" in self.carried:
            return
        action = self.rules.by_name[self.on]
        speaks = says_next(self.claimed)
        query, now, me, args = self.moving(action, self.used.get(f"move {self.on}", ()), action.effects if speaks else ())
        query.require(self.hold(query, now, self.used.get(f"move {self.on}", ())))
        then = query.apply(self.on, now, me, args, within=True) if speaks else None
        query.require(query.terms.negate(query.term(self.claimed, now, variables(action, me, args), then and then.state)))
        self.none(query, f"move {self.on}")

    def _relation(self) -> None:
        """The claim holds of a state and itself, of what is related over a third, and of every step."""
        query, now = self.query()
        query.require(query.terms.negate(query.term(self.claimed, now, None, now)))
        self.none(query, "reflexive")
        query, now = self.query()
        second, third = query.state(), query.state()
        query.require(query.term(self.claimed, now, None, second))
        query.require(query.term(self.claimed, second, None, third))
        query.require(query.terms.negate(query.term(self.claimed, now, None, third)))
        self.none(query, "transitive")
        read = {n.args[0].uid for n in walk(self.claimed) if n.op == "field"}
        for action in self.rules.actions:
            name = f"action {action.name}"
            if name not in self.carried and (effects := self.relevant(action.effects, name, read)):
                query, now, me, args = self.moving(action, self.used.get(name, ()), effects)
                self._related(query, now, query.apply(action.name, now, me, args, within=True).state, name)
        for name, trigger, values in _firings(self.rules):
            if name not in self.carried and (effects := self.relevant(trigger.effects, name, read)):
                query, now = self.query()
                self._related(query, now, query.fire(replace(trigger, effects=tuple(effects)), values, now, within=True)[0], name)

    def _related(self, query: Query, now: SymbolicState, after: SymbolicState, what: str) -> None:
        query.require(self.hold(query, now, self.used.get(what, ())))
        query.require(query.terms.negate(query.term(self.claimed, now, None, after)))
        self.none(query, what)

    def _termination(self) -> None:
        """Every move lowers the measure, and no trigger raises it."""
        read = {n.args[0].uid for n in walk(self.claimed, *self.measure) if n.op == "field"}
        for action in self.rules.actions:
            if (name := f"action {action.name}") in self.carried:
                continue
            query, now, me, args = self.moving(action, self.used.get(name, ()), self.wanted(action.effects, name, read))
            after = query.apply(action.name, now, me, args, within=True).state
            self._lowers(query, now, after, lower(self.measure, action.effects, TRUE, False), variables(action, me, args), name)
        for name, trigger, values in _firings(self.rules):
            if name in self.carried:
                continue
            query, now = self.query()
            env = {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)}
            effects = tuple(self.wanted(trigger.effects, name, read))
            after = query.fire(replace(trigger, effects=effects), values, now, within=True)[0]
            self._lowers(query, now, after, lower(self.measure, trigger.effects, TRUE, True), env, name)
        self._premise_stays_lost()

    def _premise_stays_lost(self) -> None:
        """Where the premise of a termination does not hold between a move and rest, no trigger restores it."""
        said = self.claimed, self.left
        read = {n.args[0].uid for n in walk(*said) if n.op == "field"} if self.claimed is not TRUE else set[int]()
        for action in self.rules.actions:
            step = f"{LEFT}action {action.name}"
            if step not in self.carried and (effects := self.relevant(action.effects, step, read)):
                query, now, me, args = self.moving(action, self.used.get(step, ()), effects)
                after = query.apply(action.name, now, me, args, within=True).state
                query.require(query.term(self.claimed, now))
                query.require(query.terms.negate(query.term(self.claimed | self.left, after)))
                query.require(self.hold(query, now, self.used.get(step, ())))
                self.none(query, step)
        for name, trigger, values in _firings(self.rules):
            if (step := LEFT + name) not in self.carried and (effects := self.relevant(trigger.effects, step, read)):
                query, now = self.query()
                after = query.fire(replace(trigger, effects=tuple(effects)), values, now, within=True)[0]
                query.require(query.term(restored(*said), now, None, after))
                query.require(self.hold(query, now, self.used.get(step, ())))
                self.none(query, step)

    def _lowers(self, query: Query, now: SymbolicState, after: SymbolicState, lowers: Expr, env: Mapping[str, Any], what: str) -> None:
        """No such step, from and to states with the premise, leaves a measure that is not lower as it is to be."""
        query.require(query.term(self.claimed, now))
        query.require(query.term(self.claimed, after))
        query.require(self.hold(query, now, self.used.get(what, ())))
        query.require(query.terms.negate(query.term(lowers, now, env, after)))
        self.none(query, what)

    def _deadlock(self) -> None:
        """In every state where the claim asks for it, one of the moves of the certificate is legal."""
        if "deadlock" in self.carried:
            return
        used = self.used["deadlock"]
        query, now = self.query()
        query.require(self.hold(query, now, used))
        query.require(query.terms.negate(query.over(now)))
        query.require(query.term(self.claimed, now))
        self.at_rest(query, now, used)
        for written in (json.loads(text) for text in used if text.startswith("[")):
            name, me, *args = written
            query.require(query.terms.negate(query.legal(name, now, me, args)))
        self.none(query, "deadlock")

    def _follows(self) -> None:
        """The claim follows from the invariants used and rest, or is one of the invariants."""
        if "at rest 0" in self.carried:
            return
        query, now = self.query()
        used = self.used.get("at rest 0", ()) if self.rests else [f"{INVARIANT} {n}" for n, f in enumerate(self.invariants) if f is self.claimed]
        query.require(self.hold(query, now, used))
        self.at_rest(query, now, used)
        query.require(query.terms.negate(query.term(self.claimed, now)))
        self.none(query, "the claim follows")


def variables(action: Action, me: Any, args: Sequence[Any]) -> dict[str, Any]:
    return {ME: me, **{p.name: a for p, a in zip(action.params, args, strict=True)}}


def conditions_of(rules: RuleSet, action: Action) -> list[tuple[str, Expr]]:
    """What makes a move legal, each with its name in a certificate."""
    found = [] if rules.over is None else [(rules.over.id, ~rules.over.expr)]
    if action.weight is not None:
        found.append(("GAME.turn", action.weight > 0))
    elif action.by is not None:
        found.append(("GAME.turn", action.by == var(ME, 0, rules.players - 1)))
    return found + [(c.id, c.expr) for c in action.clauses]


_AGAIN: Mapping[str, Callable[[Implications], None]] = {
    "commute": commute_again, "confluence": confluence_again, "constant": constant.again, "limit": limit.again, "legal": legal.again,
    "firing": firing.again,
}  # fmt: skip
"""Kinds that have a file of their own."""
