"""That what a rule set declares hopeless is so: the others can keep the player from the goal until the turn is over.

What holds ``between`` the triggers is kept by every move of the player, every outcome of chance and every firing of a
trigger, until the number of the turn rises; from then on ``after`` is, until the triggers have come to rest. Neither
lets the goal hold. Where the others can make a move at all, one of a few known ones keeps it, too; z3 is asked for a
state in which none of these does, and one that does is added. Nothing is taken from how play begins: this is so in every
state. Whether play within the turn ends does not matter: a line that never ends is no win. No move of the player or of
chance that the rules allow is one about which the model or the text is silent (a clause that is no ``rule``), so that
nothing is called hopeless where it is unknown; that an effect leads out of the intervals leads nowhere. CP-SAT proves every implication again.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from monjudge.model.language import (
    ME,
    NATURE,
    TRUE,
    Action,
    Expr,
    Hopeless,
    Move,
    RuleSet,
    State,
    children,
    evaluate,
    walk,
)
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.engines.smt.terms import same, z3
from monjudge.solvers.verdict import Verdict
from monjudge.verify.bounded import Walk, replay
from monjudge.verify.invariants import LIMIT, Breach, conditions, firings
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import SETTLED, Clock, Condition, Queries, Refuted
from monjudge.verify.question import Question
from monjudge.verify.sums import summands

__all__ = ["Kept", "answer", "check", "digest"]

LINES = 60
"""So many random lines are played to see that it is met, or a state in which it fails."""


def called(declared: Hopeless) -> str:
    """What steps about a declaration are called in a certificate."""
    return f"{declared.goal} {declared.player}"


def about(rules: RuleSet, player: int) -> list[Hopeless]:
    """What is declared of a player."""
    return [d for d in rules.hopeless if d.player == player]


def digest(declared: Iterable[Hopeless]) -> list[str]:
    """Declarations, each by its name and the SHA-256 of its formulas; they are no part of the hash of a rule set."""
    texts = {called(d): "\n".join(map(repr, (d.when, d.between, d.after))) for d in declared}
    return [f"{name} {hashlib.sha256(text.encode()).hexdigest()}" for name, text in texts.items()]


def goal_of(rules: RuleSet, declared: Hopeless) -> Expr:
    return next(g.when for g in rules.goals if (g.name, g.player) == (declared.goal, declared.player))


def number_of(rules: RuleSet) -> Expr:
    """The number of the turn. Raises ValueError where the rule set does not say what a turn is."""
    if rules.turns is None:
        raise ValueError(f"the game {rules.name!r} does not declare what a turn is")
    return rules.turns.number


def silent(action: Action) -> frozenset[str]:
    """The clauses that forbid nothing, but say where the model or the text ends (see ``solvers.strict``)."""
    return frozenset(c.id for c in action.clauses if c.kind != "rule")


def general(rules: RuleSet, action: Action) -> dict[Expr, str]:
    """The rules for a move that do not hang on its parameters, with their names: they say the same of other actions."""
    from monjudge.verify.implications import conditions_of

    every = conditions_of(rules, action)
    special = silent(action) | {id for id, c in every if c.free - {ME}}
    return {c: id for id, c in every if id not in special}


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether all that is declared of the player is so. Raises LimitReached where z3 gives up."""
    rules, player = scene.rules, question.prop.player
    asked = about(rules, player)
    if not asked or rules.turns is None:
        return Outcome(Verdict.UNKNOWN, Sentence("nothing is declared hopeless", "望みがないと宣言された状態はない"))
    queries, used = Queries(scene, clock), dict[str, list[str]]()
    for declared in asked:
        for step, ask in Kept(queries, declared, question.prop.among).steps():
            outcome = ask()
            if isinstance(outcome, Breach):
                return _fault(scene, player, clock, step, most)
            used[f"{called(declared)}: {step}"] = list(outcome.used)
    if not all(_reached(scene, clock, lambda s, d=d: bool(evaluate(d.when, s, None, rules.offset)), most) for d in asked):  # type: ignore[misc]
        return Outcome(Verdict.UNKNOWN, Sentence("it is proved, but no line of play was found on which it is met",
                                                 "証明はできたが、宣言の成り立つ手順が見つからない"))  # fmt: skip
    why = Sentence(f"proved in {len(used)} steps (z3); CP-SAT proves them again", f"{len(used)}段階で証明（z3）。CP-SATもそれぞれ証明")
    claim = {"question": "hopeless", "player": player, "declared": digest(asked)}
    return Outcome(Verdict.YES, why, claim, certificate={"used": used}, engines=("z3-solver", "ortools"))


# -- by z3 ------------------------------------------------------------------------------------------------


@dataclass
class Kept:
    """One declaration as questions to z3; the replies are made by the named actions."""

    queries: Queries
    declared: Hopeless
    among: Sequence[str]
    kept: dict[Move, Any] = field(default_factory=dict)
    shown: list[tuple[Set[Expr], tuple[str, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules, self.game, self.now = self.queries.scene.rules, self.queries.game, self.queries.now
        self.before = self._said(self.now)
        comparisons = (n for n in walk(self.declared.between) if n.op in ("le", "lt") and not n.free and any(a.op in ("add", "sum") for a in n.args))
        self.compared = [(n, tuple(summands(n.args[0] - n.args[1]))) for n in comparisons]

    def steps(self) -> Iterator[tuple[str, Callable[[], Refuted | Breach]]]:
        """What is to be shown, step by step; a step asks, and tells what z3 needed or gives a state in which it fails."""
        game, now, declared = self.game, self.now, self.declared
        (holds, begun, _), goal = self.before, game.expr(goal_of(self.rules, declared), now)
        yield "goal", partial(self._none, [z3.Or(holds, begun), goal], [])
        for action in self.rules.actions:
            ask = self._action(action)
            if ask is not None:
                yield f"action {action.name}", ask
            if silent(action):
                yield f"silence {action.name}", partial(self._silence, action)
        for name, trigger, values in firings(self.rules.triggers):
            # Where it does not fire nothing changes.
            fires = game.expr(trigger.when, now, {str(v.args[0]): n for v, n in zip(trigger.loops, values, strict=True)})
            after, limit = game.fire(replace(trigger, when=TRUE), values, now)
            for part, wrong in self._still(after):
                within: Condition = (LIMIT, lambda limit=limit: z3.Not(game.terms.ref(limit)))  # type: ignore[misc]
                yield f"{name}{part}", partial(self._none, [fires, *wrong], [within])
        for action in self.rules.actions:
            if not action.is_chance:
                yield f"reply {action.name}", partial(self._replies, action)
        # Rest is a large term, and asked for last.
        at_rest, rest = game.expr(declared.when, now), [(SETTLED, self.queries.settled)]
        yield "back", partial(self._none, [holds, z3.Not(game.over(now)), z3.Not(at_rest)], rest)
        yield "declared", partial(self._none, [at_rest, z3.Not(holds)], rest)

    def _said(self, state: Any) -> tuple[Any, Any, Any]:
        """What holds between triggers, what holds after the number has risen, and the number of a state."""
        said = (self.declared.between, self.declared.after, number_of(self.rules))
        self._carry_over(said, state)
        between, after, number = (self.game.expr(f, state) for f in said)
        return between, after, number

    def _none(self, goal: Sequence[Any], may: Sequence[Condition]) -> Refuted | Breach:
        model = self.queries.refute(list(goal), list(may))
        return model if isinstance(model, Refuted) else Breach(self.game.model_state(model, self.now), "", ())

    def _anew(self, goal: Sequence[Any], may: Sequence[Condition]) -> Refuted | Breach:
        """The same for many conditions: each question is asked anew with what was found, for z3 holds on to too much of the one before."""
        said, used = list(goal), list[str]()
        while not isinstance(model := self.queries.refute(said), Refuted):
            broken = next(((id, term()) for id, term in may if not z3.is_true(model.eval(term(), model_completion=True))), None)
            if broken is None:
                return Breach(self.game.model_state(model, self.now), "", ())
            used.append(broken[0])
            said.append(broken[1])
        return Refuted(tuple(used))

    def _stays(self, after: Any) -> Any:
        """That a state after ``now`` is one where it holds in the same turn, or a later turn has begun."""
        (_, _, number), (holds, begun, risen) = self.before, self._said(after)
        return z3.Or(z3.And(holds, risen == number), z3.And(begun, risen > number), z3.Not(self._tells(after)))

    def _tells(self, after: Any) -> Any:
        """Where a comparison of sums holds in ``now`` and not after, the summands that change tell it: that is always so, and z3 finds it late."""
        game, terms, told = self.game, self.game.terms, list[Any]()
        for node, parts in self.compared:
            (held, *each), (holds, *later) = ([game.term(part, state) for part in (node, *parts)] for state in (self.now, after))
            changes = [terms.add([b, terms.scale(-1, a)]) for a, b in zip(each, later, strict=True) if same(a) != same(b)]
            told.append(terms.either([terms.negate(held), holds, terms.lt(terms.known(0), terms.add(changes))]))
        return terms.ref(terms.both(told))

    def _carry_over(self, said: Sequence[Expr], after: Any) -> None:
        """What reads only fields that a step leaves as they are is one term before and after."""
        changed = set[int]()
        for f in self.rules.families:
            cells = slice(self.rules.offset[f.name], self.rules.offset[f.name] + f.size)
            if any(a is not b for a, b in zip(self.now.terms[cells], after.terms[cells], strict=True)):
                changed.add(f.uid)
        touched = set[int]()
        for node in walk(*said):
            if (node.op == "field" and node.args[0].uid in changed) or any(child.uid in touched for child in children(node)):
                touched.add(node.uid)
            elif node.uid in self.now.memo:
                after.memo[node.uid] = self.now.memo[node.uid]

    def _still(self, after: Any) -> Iterator[tuple[str, list[Any]]]:
        """What would break it in a firing; nothing where it writes nothing that is read."""
        (holds, begun, number), (kept, later, risen) = self.before, self._said(after)
        if not (holds.eq(kept) and number.eq(risen)):
            yield "", [holds, z3.Not(self._stays(after))]
        if not (begun.eq(later) and number.eq(risen)):
            yield " after", [begun, z3.Not(z3.And(later, risen >= number))]

    def _action(self, action: Action) -> Callable[[], Refuted | Breach] | None:
        """Every move of the player, or outcome of chance; None where it writes nothing that is read."""
        game, now = self.game, self.now
        me, args = self._moved(action)
        then = game.apply(action.name, now, me, args)
        if all(a.eq(b) for a, b in zip(self.before, self._said(then.state), strict=True)):
            return None
        within: Condition = (LIMIT, lambda: z3.Not(then.limit))
        goal = [game.domain(action.name, me, args), self.before[0], z3.Not(self._stays(then.state))]
        return partial(self._none, goal, [*self._ruled(action, me, args), within])

    def _moved(self, action: Action) -> tuple[Any, Any]:
        """Who moves and the parameters, of the player or of chance."""
        me, args = self.game.choice(action.name, "now")
        return me if action.is_chance else self.declared.player, args

    def _ruled(self, action: Action, me: Any, args: Sequence[Any]) -> list[Condition]:
        """That no rule forbids the move."""
        return [(id, term) for id, term in conditions(self.queries, action, me, args) if id not in silent(action)]

    def _silence(self, action: Action) -> Refuted | Breach:
        """A move that no rule forbids is one that the model holds and of which the text speaks."""
        me, args = self._moved(action)
        held = [term() for id, term in conditions(self.queries, action, me, args) if id in silent(action)]
        goal = [self.game.domain(action.name, me, args), self.before[0], z3.Not(z3.And(held))]
        return self._none(goal, self._ruled(action, me, args))

    def _replies(self, action: Action) -> Refuted | Breach:
        """Where the others can make a move of the action, one of some replies keeps it, as was shown of another action under the same conditions."""
        game = self.game
        me, args = game.choice(action.name, "reply")
        other = game.terms.negate(game.terms.eq(me, game.terms.known(self.declared.player)))
        goal = [game.domain(action.name, me, args), game.terms.ref(other), self.before[0]]
        names = general(self.rules, action)
        for needed, replies in self.shown:
            if needed <= names.keys():
                return Refuted((*replies, *sorted(names[c] for c in needed)))
        answers: list[Condition] = [(_written(m), lambda m=m: z3.Not(self._keeps(m))) for m in self.replies]  # type: ignore[misc]
        found = self._anew(goal, [*answers, *self._ruled(action, me, args)])
        if isinstance(found, Refuted):
            replies = tuple(id for id, _ in answers if id in found.used)
            ruled = set(found.used).difference(replies)
            if ruled <= set(names.values()):
                self.shown.append(({c for c, id in names.items() if id in ruled}, replies))
        return found

    @cached_property
    def replies(self) -> tuple[Move, ...]:
        """All moves of the others by the actions that are named for it (all decisions, if none is)."""
        found = []
        for action in self.rules.actions:
            if not action.is_chance and (not self.among or action.name in self.among):
                others = [q for q in range(self.rules.players) if q != self.declared.player]
                for me, *args in itertools.product(others, *(p.values for p in action.params)):
                    found.append(Move(action.name, me, tuple(args)))
        return tuple(found)

    def _keeps(self, reply: Move) -> Any:
        """That the reply can be made and keeps it."""
        if reply not in self.kept:
            after = self.game.apply(reply.action, self.now, reply.me, reply.args).state
            self.kept[reply] = z3.And(self.game.legal(reply.action, self.now, reply.me, reply.args), self._stays(after))
        return self.kept[reply]


def _written(reply: Move) -> str:
    """A reply as a condition is named in a certificate."""
    return json.dumps([reply.action, reply.me, *reply.args])


# -- by CP-SAT --------------------------------------------------------------------------------------------


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether CP-SAT proves every step again, or a line leads to a fault; how many implications and moves these are.

    Raises Refused with the reason, LimitReached where CP-SAT gives up.
    """
    claim, declarations = evidence.claim, about(scene.rules, evidence.claim["player"])
    if claim["declared"] != digest(declarations) or not declarations:
        raise Refused("the evidence is about other declarations", "別の宣言についての証拠である")
    if claim["question"] == "not hopeless":
        return _check_fault(evidence, scene)
    from monjudge.verify.hopeless_again import Again

    asked = 0
    for declared in declarations:
        again = Again(scene, declared, evidence.certificate["used"], effort)
        again.all()
        asked += again.asked
    return asked, 0


# -- on lines of play -------------------------------------------------------------------------------------


def _reached(scene: Scene, clock: Clock, test: Callable[[State], bool], most: int) -> Any:
    """A line to such a state: from where play begins, the nearest, or one that random play meets."""
    walking = Walk(scene.rules, clock)
    found = walking.breadth_first(scene.start, test, min(most, 200))
    for seed in range(LINES):
        for start in (scene.start, *scene.positions.values()):
            if found.line is None:
                found = walking.at_random(start, test, [seed])
    return found.line


def _broken(rules: RuleSet, declared: Hopeless, walking: Walk, state: State) -> list[Any] | None:
    """What shows, in one move, that a state is not hopeless as is declared: the goal, a move, or that no reply keeps it."""
    number, goal, engine = number_of(rules), goal_of(rules, declared), walking.moves

    def stays(after: State | None) -> bool:
        if after is None or engine.over(after):
            return after is None or not engine.value(goal, after)
        later = engine.value(number, after) > engine.value(number, state)
        return not engine.value(goal, after) and bool(later or engine.value(declared.when, after))

    if not engine.value(declared.when, state):
        return None
    if engine.value(goal, state):
        return ["goal"]
    if engine.over(state):
        return None
    steps = [(move, walking.step(state, move)) for move in engine.moves(state)]
    lost = next((m for m, after in steps if m.me in (declared.player, NATURE) and not stays(after)), None)
    if lost is not None:
        return ["move", lost.action, lost.me, *lost.args]
    others = [after for move, after in steps if move.me not in (declared.player, NATURE)]
    return ["no reply"] if others and not any(map(stays, others)) else None


def _fault(scene: Scene, player: int, clock: Clock, step: str, most: int) -> Outcome:
    """A line to a state that is not hopeless as is declared; else it is undecided where the proof failed."""
    rules, walking = scene.rules, Walk(scene.rules, clock)
    declarations = about(rules, player)
    for declared in declarations:
        line = _reached(scene, clock, lambda s, d=declared: _broken(rules, d, walking, s) is not None, most)  # type: ignore[misc]
        if line is not None:
            claim = {"question": "not hopeless", "player": player, "declared": digest(declarations), "of": called(declared), "from": list(line.start),
                     "fault": _broken(rules, declared, walking, line.state)}  # fmt: skip
            why = Sentence(f"a line of {len(line.moves)} moves leads to a state where it is not so", f"{len(line.moves)}手で、宣言どおりでない状態に至る")
            return Outcome(Verdict.NO, why, claim, line.moves, {"confirmed": True})
    return Outcome(Verdict.UNKNOWN, Sentence(f"neither proved nor refuted: {step}", f"証明も反証もできない：{step}"))


def _check_fault(evidence: Evidence, scene: Scene) -> tuple[int, int]:
    from monjudge.verify.recheck import origin

    claim, rules = evidence.claim, scene.rules
    if origin(scene, tuple(claim["from"])) is None:
        raise Refused("the line begins elsewhere", "手順の始まりが違う")
    declared = next(d for d in about(rules, claim["player"]) if called(d) == claim["of"])
    state = replay(rules, tuple(claim["from"]), evidence.witness)
    if _broken(rules, declared, Walk(rules, Clock()), state) != claim["fault"] or claim["fault"] is None:
        raise Refused("the state is as is declared", "その状態は宣言どおりである")
    return 0, len(evidence.witness)
