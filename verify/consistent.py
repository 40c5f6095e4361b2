"""Sentences of a text taken literally: can they be followed together? The contradiction, as few of them as show it.

The sentences are the norms of the rule set, each what its sentence says and no more; the premise is the situation in
which they meet. Demands (obligations, prohibitions, definitions, effects) contradict one another where no state, move
and next state satisfies them all, though each can be followed alone. A permission contradicts demands where a move that
it permits is none that they allow. States are any within the bounds of the model: the rules that are played are not asked.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from monjudge.model.language import ME, NATURE, TRUE, Expr, Norm, State, both, evaluate, parse_expr
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.footprint import says_next
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock, has_model
from monjudge.verify.question import Question

__all__ = ["Again", "Literal", "Situation", "answer", "check"]


@dataclass(frozen=True)
class Situation:
    """Two states, who moves and with what, as numbers; the next state is the same where nothing speaks of it."""

    state: State
    me: int
    args: tuple[int, ...]
    next: State

    def data(self) -> list[Any]:
        return [list(self.state), self.me, list(self.args), list(self.next)]

    @staticmethod
    def of(data: Sequence[Any]) -> Situation:
        state, me, args, next = data
        return Situation(tuple(state), me, tuple(args), tuple(next))


def follows(norm: Norm) -> Expr:
    """What is the case where a demand is followed."""
    return ~norm.formula if norm.kind == "prohibition" else norm.formula


@dataclass(frozen=True)
class Meeting:
    """Sentences that meet: what is given (the situation and the scopes), what is permitted there, what is demanded."""

    norms: tuple[int, ...]
    given: Expr
    permitted: tuple[tuple[int, Expr], ...]
    demanded: tuple[tuple[int, Expr], ...]

    @property
    def allowed(self) -> Expr:
        return both(*(formula for _, formula in self.permitted))


def meetings(scene: Scene, among: Sequence[str], on: str | None, situation: Expr) -> Iterator[Meeting]:
    """One norm for each sentence, in every way: a sentence may say several things. Those with a demand only."""
    norms = scene.rules.norms
    groups = [[n for n, norm in enumerate(norms) if norm.id == id and norm.on in (on, None)] for id in among]
    for chosen in itertools.product(*groups):
        permitted = tuple((n, norms[n].formula) for n in chosen if norms[n].kind == "permission")
        demanded = tuple((n, follows(norms[n])) for n in chosen if norms[n].kind != "permission")
        if demanded:
            yield Meeting(chosen, both(situation, *(norms[n].scope for n in chosen)), permitted, demanded)


class Literal:
    """Formulas over any two states and a move, asked of z3."""

    def __init__(self, scene: Scene, on: str | None, clock: Clock, nexts: bool) -> None:
        from monjudge.solvers.engines.smt import Symbolic
        from monjudge.solvers.engines.smt.terms import z3

        self.z3, self.clock, self.on, self.game = z3, clock, on, Symbolic(scene.rules)
        self.now = self.game.state("now")
        self.then = self.game.state("then") if nexts else self.now
        self.solver = z3.SolverFor("QF_BV")
        self.solver.add(self.game.inside(self.now), self.game.inside(self.then), self.game.expr(scene.given, self.now))
        self.move: Any = None
        self.env: dict[str, Any] = {}
        if on is not None:
            self.move = me, args = self.game.choice(on, "now")
            params = scene.rules.by_name[on].params
            self.env = {ME: me, **{p.name: a for p, a in zip(params, args, strict=True)}}
            self.solver.add(self.game.domain(on, me, args))

    def possible(self, given: Expr, wanted: Sequence[tuple[int, Expr]] = ()) -> Situation | tuple[int, ...]:
        """Where all this holds, or the numbers of those formulas among the wanted that cannot hold together; none is superfluous.

        Raises LimitReached where z3 gives up.
        """
        signs = {number: self.z3.Bool(f"wanted {number}") for number, _ in wanted}
        self.solver.push()
        try:
            self.solver.add(self._term(given), *(self.z3.Implies(signs[n], self._term(formula)) for n, formula in wanted))
            if has_model(self.solver, self.clock, [*signs.values()]):
                return self._situation(self.solver.model())
            kept, core = [*signs], self.solver.unsat_core()
            for number, sign in signs.items():  # one after the other, so that what is left does not hang on the core that z3 happens to find
                if sign in core:
                    if has_model(self.solver, self.clock, [signs[n] for n in kept if n != number]):
                        continue
                    core = self.solver.unsat_core()
                kept.remove(number)
            return tuple(kept)
        finally:
            self.solver.pop()

    def _term(self, formula: Expr) -> Any:
        return self.game.expr(formula, self.now, self.env, self.then)

    def _situation(self, model: Any) -> Situation:
        move = self.game.model_move(model, self.on, *self.move) if self.on is not None else None
        me, args = (0, ()) if move is None else (move.me, move.args)
        return Situation(self.game.model_state(model, self.now), me, args, self.game.model_state(model, self.then))


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether the sentences ``among`` can be followed together wherever the premise holds."""
    prop, norms = question.prop, scene.rules.norms
    found = list(meetings(scene, prop.among, prop.on or None, question.premise))
    spoken = [question.premise, *(e for m in found for n in m.norms for e in (norms[n].formula, norms[n].scope))]
    literal = Literal(scene, prop.on or None, clock, any(map(says_next, spoken)))
    claim = {"question": "consistent", "formula": prop.premise, "on": prop.on, "among": list(prop.among)}
    shown: list[Any] = []
    broken: list[Outcome] = []
    for meeting in found:
        kept = _kept(literal, meeting)
        if isinstance(kept, Outcome):
            broken.append(replace(kept, claim={**claim, "question": "contradiction"}, engines=("z3-solver", "ortools")))
            if len(kept.certificate["norms"]) > 1:
                break
        elif kept is not None:
            shown.append([list(meeting.norms), kept.data()])
    if broken:
        return broken[-1] if len(broken[-1].certificate["norms"]) > 1 else broken[0]
    if not shown:
        text = Sentence("the sentences never meet in such a situation", "そのような状況でこれらの文は出会わない")
        return Outcome(Verdict.UNKNOWN, text)
    certificate = {"meetings": shown}
    why = Sentence("they can be followed together, in a situation that is shown" if not any(m.permitted for m in found)
                   else "what is permitted is allowed by the others (z3, CP-SAT)",
                   "すべてに従える（状況を示した）" if not any(m.permitted for m in found) else "許されることは、ほかの文も認める（z3、CP-SAT）")  # fmt: skip
    return Outcome(Verdict.YES, why, claim, certificate=certificate, engines=("z3-solver", "ortools"))


def _kept(literal: Literal, meeting: Meeting) -> Situation | Outcome | None:
    """A situation in which all is followed, the contradiction, or None where these sentences never meet."""
    clauses = literal.game.rules.norms
    met = literal.possible(both(meeting.given, meeting.allowed))
    if not isinstance(met, Situation):
        return None
    if meeting.permitted:
        clash = literal.possible(both(meeting.given, meeting.allowed, ~both(*(f for _, f in meeting.demanded))))
        if not isinstance(clash, Situation):
            return met
        one, other = (", ".join(dict.fromkeys(clauses[n].id for n, _ in part)) for part in (meeting.permitted, meeting.demanded))
        why = Sentence(f"{one} permits what {other} rules out, in a situation that is shown", f"{one}が許すことを、{other}が認めない（状況を示した）")
        return Outcome(Verdict.NO, why, certificate={"norms": list(meeting.norms), "met": list(meeting.norms), "shown": [clash.data()]})
    together = literal.possible(meeting.given, meeting.demanded)
    if isinstance(together, Situation):
        return together
    alone = [met]
    if len(together) > 1:  # as none is superfluous each can be followed alone
        alone = [s for n, f in meeting.demanded if n in together and isinstance(s := literal.possible(meeting.given, [(n, f)]), Situation)]
    named = ", ".join(dict.fromkeys(clauses[n].id for n in together))
    why = Sentence(f"each of {named} can be followed, but not all together; none is superfluous (z3, CP-SAT)",
                   f"{named}はそれぞれ守れるが、同時には守れない。どれも省けない（z3、CP-SAT）")  # fmt: skip
    if len(together) == 1:
        why = Sentence(f"{named} cannot be followed at all in such a situation (z3, CP-SAT)", f"そのような状況で{named}は守れない（z3、CP-SAT）")
    certificate = {"norms": list(together), "met": list(meeting.norms), "shown": [s.data() for s in alone]}
    return Outcome(Verdict.NO, why, certificate=certificate)


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """Whether the contradiction, or that there is none, is as claimed: situations are looked at, the rest asked of CP-SAT."""
    claim, on = evidence.claim, evidence.claim["on"] or None
    situation = parse_expr(claim["formula"], scene.scope(on))
    found = {m.norms: m for m in meetings(scene, claim["among"], on, situation)}
    again = Again(scene, on, effort)
    if claim["question"] == "contradiction":
        told = evidence.certificate
        meeting = found.get(tuple(told["met"]))
        if meeting is None or not {*told["norms"]} <= {*meeting.norms} or not told["norms"]:
            raise Refused("the sentences are others", "別の文である")
        again.clash(meeting, told["norms"], told["shown"])
        return again.asked, 0
    kept = {tuple(chosen): data for chosen, data in evidence.certificate["meetings"]}
    for chosen, meeting in found.items():
        demanded = both(*(f for _, f in meeting.demanded))
        if chosen not in kept:
            again.never(both(meeting.given, meeting.allowed))
            continue
        again.holds(kept[chosen], both(meeting.given, meeting.allowed, TRUE if meeting.permitted else demanded))
        if meeting.permitted:
            again.never(both(meeting.given, meeting.allowed, ~demanded))
    if not kept:
        raise Refused("the sentences never meet", "これらの文は出会わない")
    return again.asked, 0


class Again:
    """The same without z3: situations by evaluation, and that there is none by CP-SAT."""

    def __init__(self, scene: Scene, on: str | None, effort: float | None) -> None:
        self.scene, self.rules, self.on, self.effort, self.asked = scene, scene.rules, on, effort, 0

    def clash(self, meeting: Meeting, chosen: Sequence[int], shown: Sequence[Any]) -> None:
        """Raises Refused unless the situations that are shown, and CP-SAT, bear the contradiction out."""
        demanded = dict(meeting.demanded)
        if meeting.permitted:
            (data,) = shown
            self.holds(data, both(meeting.given, meeting.allowed, ~both(*demanded.values())))
            return
        for number, data in zip(chosen, shown, strict=True):
            self.holds(data, both(meeting.given, demanded[number] if len(chosen) > 1 else TRUE))
        self.never(both(meeting.given, *(demanded[n] for n in chosen)))

    def holds(self, data: Sequence[Any], formula: Expr) -> None:
        """Raises Refused unless the situation is one within the bounds in which the formula holds."""
        shown = Situation.of(data)
        params = () if self.on is None else self.rules.by_name[self.on].params
        inside = all(len(s) == self.rules.size and all(lo <= n <= hi for n, (lo, hi) in zip(s, self.rules.bounds, strict=True)) for s in (shown.state, shown.next))
        players = [NATURE] if self.on is not None and self.rules.by_name[self.on].is_chance else range(self.rules.players)
        fits = len(shown.args) == len(params) and shown.me in players and all(a in p.values for a, p in zip(shown.args, params, strict=True))
        env = {ME: shown.me, **{p.name: a for p, a in zip(params, shown.args, strict=False)}}
        given = both(self.scene.given, formula)
        if not inside or not fits or not evaluate(given, shown.state, env, self.rules.offset, shown.next):
            raise Refused("the situation that is shown is none such", "示された状況がそうなっていない")

    def never(self, formula: Expr) -> None:
        """Raises Refused where CP-SAT finds a situation with the formula."""
        from monjudge.solvers.engines.cpsat import Query

        query, env = Query(self.rules, self.effort), dict[str, Any]()
        now = query.state()
        then = query.state() if says_next(formula) else now
        if self.on is not None:
            me, args = query.choice(self.on)
            env = {ME: me, **{p.name: a for p, a in zip(self.rules.by_name[self.on].params, args, strict=True)}}
        query.require(query.term(both(self.scene.given, formula), now, env, then))
        self.asked += 1
        if query.solve() is not None:
            raise Refused("CP-SAT finds a way to follow them", "CP-SAT が従える状況を見つけた")
