"""A question about a scene, answered: by induction, by exhaustion, by a witness, or not at all - with evidence.

No verdict rests on one engine: what z3 proves CP-SAT proves again, what a walk exhausts native code exhausts again,
and a witness is replayed by the reference. What neither is proved nor refuted is undecided.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from monjudge import __version__
from monjudge.model.language import Expr, LimitReached, State, walk
from monjudge.model.language.export import content_hash
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.verdict import Verdict
from monjudge.verify.aids import aided
from monjudge.verify.auxiliary import auxiliary
from monjudge.verify.beginnings import fewest, readings
from monjudge.verify.bounded import Line, Test, Walk, Walked
from monjudge.verify.exhausted import asked_of_moves, is_seen
from monjudge.verify.explore import counted_again, explored
from monjudge.verify.faults import Faults
from monjudge.verify.idle import grounds
from monjudge.verify.invariants import Breach, Induction, Inductive
from monjudge.verify.kinds import ANSWERS
from monjudge.verify.nearby import Wanted, nearby
from monjudge.verify.obligations import OBLIGATIONS
from monjudge.verify.outcome import Vacuous
from monjudge.verify.queries import Clock, Queries, Refuted
from monjudge.verify.question import ON, Property, Question, ask
from monjudge.verify.recheck import UNLIMITED, origin, recheck
from monjudge.verify.seeking import SMALL, SOON, Seeking
from monjudge.verify.slices import deeper, sought
from monjudge.verify.smallest import changed, described, smallest_breach, smallest_state

__all__ = ["Finding", "Limits", "Vacuous", "again", "needed", "prove"]

_NOT_SOUGHT = {
    "termination": Sentence("a move does not lower the measure", "測度を下げない手がある"),
    "firing": Sentence("a firing breaks it in a state of which it is not known whether it is reached", "破る誘発があるが、その状態に達するかは分からない"),
}
"""What is said of a proof that fails, of kinds whose faults no line of play shows."""

AIDED = 0.25
"""This share of the time is spent on a proof with aids."""

NAMED = 8
"""So many beginnings with which a fact fails are told by name."""


@dataclass(frozen=True)
class Limits:
    """How long one property may take in seconds of processor time, how many states a walk may see, and how many random lines it plays."""

    seconds: float | None = 60
    states: int = 10_000
    lines: int = 200
    effort: float | None = 20
    """Of CP-SAT for one implication, in its own deterministic time."""
    flips: float | None = 30
    """Seconds of processor time to ask under other readings, and a third of that to prove it with all left open."""
    met: bool = True
    """Whether a proof counts only if a line of play is found on which the premise is met."""


@dataclass(frozen=True)
class Finding:
    """The verdict on a property, why, within which bounds, and with what evidence (none where it is undecided).

    ``breach`` is the counterexample to induction that stood in the way of a proof: no state that is known to be reached.
    """

    prop: Property
    verdict: Verdict
    why: Sentence
    bounds: Mapping[str, Any]
    evidence: Evidence | None = None
    breach: Breach | None = None
    seconds: float = 0.0


def prove(
    prop: Property, scene: Scene, limits: Limits | None = None, proved: Inductive | Breach | None = None, carried: Mapping[str, tuple[str, ...]] | None = None
) -> Finding:  # fmt: skip
    """The verdict on a property of a scene; ``proved`` is what z3 has proved it with, or what breaks it, where it was asked before,
    ``carried`` are steps that both engines have proved before, with what they used.

    Raises DataError for a property that cannot be read, Vacuous for one that says nothing, AssertionError where two
    engines contradict each other.
    """
    began = time.process_time()
    prover = _Prover(ask(prop, scene), scene, limits or Limits())
    prover.proved, prover.carried = proved, carried or {}
    try:
        found = _stronger(prop, scene, limits or Limits()) or prover.answer()
    except LimitReached as error:
        found = prover.over(error)
    return Finding(prop, found.verdict, found.why, found.bounds, found.evidence, found.breach, time.process_time() - began)


def _stronger(prop: Property, scene: Scene, limits: Limits) -> Finding | None:
    """A proof of what is more: where a measure falls nothing comes again, and where firings commute all orders end alike."""
    kind = "termination" if prop.kind == "loop" and prop.measure else "confluence" if prop.kind == "rest" else None
    if kind is None:
        return None
    prover = _Prover(ask(replace(prop, kind=kind, premise="true", counters=()), scene), scene, limits)
    prover.engines["z3-solver"] = None
    try:
        outcome = prover.proof(Queries(scene, prover.clock))
        return None if isinstance(outcome, Breach) else prover.holds(outcome)
    except LimitReached:
        return None


def again(prop: Property, scene: Scene, start: State, line: Sequence[Wanted], limits: Limits | None = None, lines: int = 0) -> Finding | None:
    """The verdict that a line shows, of a scene in which one near this line shows the same from the start, or one of so many random ``lines``.

    None where none is found. Raises DataError as ``prove`` does, and LimitReached where the time is over.
    """
    return _Prover(ask(prop, scene), scene, limits or Limits()).again(start, line, lines)


def needed(
    prop: Property, scene: Scene, assumed: Mapping[str, Expr], limits: Limits | None = None, carried: Mapping[str, tuple[str, ...]] | None = None
) -> tuple[frozenset[str], Inductive | Breach] | None:  # fmt: skip
    """Which of these assumptions about the configuration a proof by z3 uses, and the proof, or what breaks it under all of them.

    None where z3 does not tell, or this is no kind that it is asked about.

    This is no verdict: no second engine has been asked. Raises DataError as ``prove`` does.
    """
    prover = _Prover(ask(prop, scene), scene, limits or Limits())
    if prop.kind in ("reachable", "explore", *ANSWERS):
        return None
    try:
        outcome = prover.proof(Queries(scene, prover.clock, assumed, carried))
    except LimitReached:
        return None
    if isinstance(outcome, Breach):
        return frozenset(), outcome
    without = {step: tuple(name for name in used if name not in assumed) for step, used in outcome.used.items()}
    return frozenset(assumed) & {name for used in outcome.used.values() for name in used}, Inductive(without)


@dataclass
class _Prover:
    question: Question
    scene: Scene
    limits: Limits
    bounds: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.engines: dict[str, None] = {}
        self.proved: Inductive | Breach | None = None
        self.carried: Mapping[str, tuple[str, ...]] = {}
        self.clock = Clock(self.limits.seconds)
        self.walk = Walk(self.scene.rules, self.clock)
        self.seeking = Seeking(self.question, self.scene, self.walk, self.clock, self.limits.states, self.limits.lines)
        self.prop, self.rules = self.question.prop, self.scene.rules
        self.bounds |= {"players": self.rules.players, **self.scene.bounds}
        kind = self.prop.kind
        premise, formula = self.question.premise, self.question.formula
        text, given = self.prop.formula, self.prop.premise
        if kind == "reachable":
            self.claim, self.text = premise & formula, f"({given}) and ({text})"
        elif kind == "unreachable":
            self.claim, self.text = ~(premise & formula), f"not (({given}) and ({text}))"
        elif kind in ("deadlock", "limit", "commute", "legal", "termination"):
            self.claim, self.text = premise, given
        else:
            self.claim, self.text = self.question.claim, text if given == "true" else f"not ({given}) or ({text})"
        self.faults = Faults(self.question, self.walk, self.claim)

    def answer(self) -> Finding:
        if self.prop.kind == "reachable":
            return self._reachable()
        if self.prop.kind in ANSWERS:
            return self._answered()
        if self.prop.kind == "explore":
            return self._explore()
        self.engines["z3-solver"] = None
        queries = Queries(self.scene, self.clock, carried=self.carried)
        self._not_vacuous(queries)
        outcome = self.proved or self.proof(queries)
        if isinstance(outcome, Breach):
            self.proved = outcome
            outcome = self._aided(queries, outcome) or outcome
        if not isinstance(outcome, Breach):
            return self.holds(outcome)
        if self.prop.kind == "fact":
            return self._counterexample(outcome)
        found = self._fault(outcome) if self.prop.kind in OBLIGATIONS else self._not_inductive(outcome)
        helped = self._helped(queries) if found.verdict is Verdict.UNKNOWN else None
        if helped is not None:
            return self.holds(helped)
        bounded = found.verdict is Verdict.UNKNOWN and self.prop.kind in ("invariant", "unreachable")
        return self._deeper(found, ~self.claim, Verdict.NO, f"not ({self.text})") if bounded else found

    def again(self, start: State, line: Sequence[Wanted], lines: int) -> Finding | None:
        """The verdict by a line near this one, or by a random one."""
        if self.prop.kind in OBLIGATIONS:
            test: Test = self._is_fault
        elif self.prop.kind == "reachable":
            test = self.seeking.test(self.claim)
        else:
            test = self.seeking.test(~self.claim)
        found = self.walk.at_random(start, test, range(lines)).line if lines else nearby(self.walk, start, line, test)
        if found is None:
            return None
        if self.prop.kind in OBLIGATIONS:
            return self._faulty(found)
        return self._witness(Verdict.YES, self.text, found) if self.prop.kind == "reachable" else self._witness(Verdict.NO, f"not ({self.text})", found)

    def _answered(self) -> Finding:
        """What a kind that answers for itself finds, checked again."""
        found = ANSWERS[self.prop.kind](self.question, self.scene, self.clock, self.limits.states)
        self.engines |= dict.fromkeys(found.engines)
        self.bounds |= found.bounds
        if found.claim is None:
            return self.undecided(found.why)
        evidence = self._evidence(found.claim, found.witness, found.certificate)
        recheck(evidence, self.scene, self.limits.effort)
        return self._found(found.verdict, found.why, evidence)

    def proof(self, queries: Queries) -> Inductive | Breach:
        """What z3 proves the property with, or what breaks it or a lemma. Raises LimitReached."""
        outcome = self._proof(queries)
        return outcome if isinstance(outcome, Breach) else Inductive({**outcome.used, **grounds(queries, outcome.used)})

    def _proof(self, queries: Queries) -> Inductive | Breach:
        lemmas = self.question.lemmas
        if self.prop.kind == "fact":
            outcome = queries.refute([queries.game.expr(~self.claim, queries.now)])
            if isinstance(outcome, Refuted):
                return Inductive({"fact": outcome.used})
            return Breach(queries.game.model_state(outcome, queries.now), "", ())
        if self.prop.kind in OBLIGATIONS:
            held = Induction(queries, lemmas).prove() if lemmas else Inductive({})
            outcome = held if isinstance(held, Breach) else OBLIGATIONS[self.prop.kind](queries, self.question)
            if isinstance(held, Breach) or isinstance(outcome, Breach):
                return outcome
            # The lemmas and the claim have a step of the same name for each rule: what either needed was used.
            steps = {**held.used, **outcome.used}
            return Inductive({step: tuple(dict.fromkeys((*held.used.get(step, ()), *outcome.used.get(step, ())))) for step in steps})
        resting = (self.claim,) if self.prop.settled else ()
        return Induction(queries, lemmas if self.prop.settled else (*lemmas, self.claim), resting).prove()

    def _aided(self, queries: Queries, breach: Breach) -> Inductive | None:
        """A proof with aids of the scene, where they help in a part of the time."""
        test = self._is_fault if self.prop.kind in OBLIGATIONS else self.seeking.test(~self.claim)
        if self.prop.kind == "fact" or self.prop.way or self.prop.guide or self.seeking.soon(test, breach.state):
            return None  # a line is expected, or at hand

        def proof(prop: Property) -> Inductive | Breach:
            self._with(prop, queries)
            return self.proof(queries)

        before, queries.clock = (self.prop, self.question, self.carried), self.clock.part(AIDED)
        try:
            found = aided(self.prop, self.scene, breach, proof)
        except LimitReached:
            found = None
        queries.clock = self.clock
        if found is None:
            self.prop, self.question, self.carried = before
            return None
        return found[1]

    def _with(self, prop: Property, queries: Queries) -> None:
        """The same with other lemmas: what is carried over numbers them as they were."""
        self.prop, self.question = prop, ask(prop, self.scene)
        self.carried = queries.carried = {}

    def _helped(self, queries: Queries) -> Inductive | None:
        """A proof with one more lemma, where Spacer finds one for a small game."""
        if self.prop.kind not in ("invariant", "unreachable") or self.prop.settled or self.rules.size > SMALL:
            return None
        before = self.prop, self.question
        try:
            found = auxiliary(self.scene, (*self.question.lemmas, self.claim), self.clock.part(0.25))
            if found is not None:
                self._with(replace(self.prop, lemmas=(*self.prop.lemmas, repr(found))), queries)
                outcome = self.proof(queries)
                if not isinstance(outcome, Breach):
                    return outcome
        except LimitReached:
            pass  # the answer is what it was without
        self.prop, self.question = before
        return None

    # -- vacuity ----------------------------------------------------------------------------------

    def _not_vacuous(self, queries: Queries) -> None:
        if isinstance(queries.refute([]), Refuted):
            raise Vacuous("what is given contradicts itself", "前提が互いに矛盾している")
        says = self.prop.kind not in ON and self.prop.premise != "true"
        if says and isinstance(queries.refute([queries.game.expr(self.question.premise, queries.now)]), Refuted):
            raise Vacuous("the premise is never met", "前件の成り立つ状態がない")

    def _met(self) -> bool:
        """Whether a state in which the premise holds is reached, by a line that is found soon."""
        if self.prop.premise == "true" and self.prop.kind != "commute":
            return True
        found, walked = self.seeking.any(self._where(self.question.premise), {"start": self.scene.start, **self.scene.positions})
        if not found and walked is not None and walked.complete and not self.seeking.is_open:
            raise Vacuous("the premise is never met", "前件の成り立つ状態がない")
        return found

    def _where(self, premise: Expr) -> Test:
        """States with the premise; of a property of moves, those with such moves for which it holds."""
        if self.prop.kind == "commute":
            return lambda state: any(True for _ in self.faults.together(state))
        if self.prop.kind not in ON:
            return self.seeking.test(premise)
        return lambda state: any(True for _ in self.faults.of_move(state, premise))

    # -- verdicts ---------------------------------------------------------------------------------

    def _counterexample(self, breach: Breach) -> Finding:
        smaller = smallest_state(self.scene, self.claim)
        if smaller is not None:
            breach, self.engines["ortools"] = replace(breach, state=smaller[0]), None
            if smaller[1]:  # cells that are not as where play begins
                self.bounds["fewest cells"] = sum(a != b for a, b in zip(breach.state, self.scene.start, strict=True))
        evidence = self._evidence({"question": "counterexample", "formula": self.text, "state": list(breach.state)})
        recheck(evidence, self.scene)
        given, holds = self.seeking.test(self.scene.given), self.seeking.test(self.claim)
        names = [name for name, state in self.scene.positions.items() if given(state) and not holds(state)]
        if not names:
            with_what = described(self.scene, breach.state)
            why = Sentence(f"it fails with {with_what}" if with_what else "it fails where play begins", f"{with_what or '対戦の始まり'}で成り立たない")
            return self._found(Verdict.NO, why, evidence)
        named, more = names[:NAMED], len(names) - NAMED
        why = Sentence(f"it fails with {', '.join(named)}{f' and {more} more' if more > 0 else ''}", f"{'、'.join(named)}{f'ほか{more}通り' if more > 0 else ''}で成り立たない")
        return self._found(Verdict.NO, why, evidence)

    def holds(self, proved: Inductive) -> Finding:
        prop, invariants = self.prop, [] if self.prop.kind == "fact" else [*self.prop.lemmas]
        if prop.kind in ("invariant", "unreachable") and not prop.settled:
            invariants.append(self.text)
        settled = prop.settled and prop.kind not in OBLIGATIONS
        self.engines["ortools"] = None
        if prop.kind != "fact":
            self.bounds["horizon"] = UNLIMITED
        certificate = {"invariants": invariants, "settled": settled, "used": {} if prop.kind == "fact" else proved.used}
        claim = {"question": "holds", "kind": prop.kind, "formula": self.text, "on": prop.on,
                 "measure": list(prop.measure), "start": list(self.scene.start),
                 "among": list(prop.among), "apart": [list(pair) for pair in prop.apart]} | ({"left": prop.left} if prop.left != "true" else {})  # fmt: skip
        evidence = self._evidence(claim, certificate=certificate)
        asked = recheck(evidence, self.scene, self.limits.effort, self.carried).implications
        if self.limits.met and not self._met():
            self.bounds.pop("horizon", None)
            return self.undecided(Sentence("it is proved, but no line of play was found on which the premise is met",
                                           "証明はできたが、前件の成り立つ手順が見つからない"))  # fmt: skip
        by_induction, alone = bool(certificate["invariants"]), prop.kind == "commute" and bool(self.rules.triggers)
        why = Sentence(f"proved{' by induction' * by_induction} (z3){', of the effects before any trigger' * alone}; CP-SAT proves the {asked} implications again",
                       f"{'帰納法で' * by_induction}証明（z3{'、誘発より前の効果について' * alone}）。CP-SATも{asked}個の含意を証明")  # fmt: skip
        return self._found(Verdict.YES, why, evidence)

    def _fault(self, breach: Breach) -> Finding:
        """Is a fault of moves reached? Of a move that is made, a step, or a state in which nobody can move."""
        if not self.faults.sought:
            why, way = _NOT_SOUGHT.get(self.prop.kind, _NOT_SOUGHT["termination"]), self._in_the_way(breach)
            return self.undecided(Sentence(why.en + way.en, why.ja + way.ja), breach)
        line, walked = self.seeking.line(self._is_fault, self.seeking.beginnings(), breach.state)
        if line is not None:
            return self._faulty(line)
        if is_seen(self.prop.kind, self.rules) and walked.complete and not self.seeking.is_open and self._met():
            return self._exhausted(Verdict.YES, walked.states, asked_of_moves(self.prop))
        apart = self.faults.unrelated(self.seeking.beginnings().values(), range(SOON)) if self.prop.kind == "step" else None
        if apart is None:
            return self._up_to(walked, breach)
        claim = {"question": "fault of a step", "formula": self.text, "on": "", "from": list(apart[0].start), "since": apart[1]}
        return self._replayed(Verdict.NO, self._evidence(claim, witness=apart[0].moves))

    def _is_fault(self, state: State) -> bool:
        return any(True for _ in self.faults.of(state))

    def _faulty(self, line: Line) -> Finding:
        """What the fault after this line shows."""
        moves, told = next(self.faults.of(line.state))
        claim = {"question": f"fault of a {self.prop.kind}", "formula": self.text, "on": self.prop.on, "from": list(line.start), **told}
        return self._replayed(Verdict.NO, self._evidence(claim, witness=(*line.moves, *moves)))

    def _not_inductive(self, breach: Breach) -> Finding:
        """Is the fault reached? Else it is exhausted, or undecided."""
        line, walked = self._shortest(~self.claim, *self.seeking.line(self.seeking.test(~self.claim), self.seeking.beginnings(), breach.state))
        if line is not None:
            return self._witness(Verdict.NO, f"not ({self.text})", line)
        if walked.complete and not self.seeking.is_open and self._met():
            return self._exhausted(Verdict.YES, walked.states)
        return self._up_to(walked, breach)

    def _up_to(self, walked: Walked, breach: Breach) -> Finding:
        """How far it holds where it is neither proved nor refuted."""
        self.bounds |= {"horizon": walked.plies, "states": walked.states}
        told = Sentence("", "")
        if self.prop.kind in ("invariant", "unreachable") and not self.prop.settled:
            smaller = smallest_breach(self.scene, (*self.question.lemmas, self.claim), breach)
            if smaller is not None:
                breach, told = smaller[0], self._in_the_way(smaller[0])
        if self.prop.kind == "step":
            why = Sentence(f"no single move breaks it up to {walked.plies} plies ({walked.states} states), nor do two states of {SOON} lines; not proved",
                           f"{walked.plies}手まで（{walked.states}状態）一手で破るものはなく、{SOON}本の手順の二状態にもない。証明はできていない")  # fmt: skip
            return self.undecided(why, breach)
        why = Sentence(f"holds up to {walked.plies} plies ({walked.states} states); not proved beyond{told.en}",
                       f"{walked.plies}手まで成立（{walked.states}状態）。その先は証明できていない{told.ja}")  # fmt: skip
        return self.undecided(why, breach)

    def _in_the_way(self, breach: Breach) -> Sentence:
        """What breaks a proof, and where: a state that need not be reached."""
        by = breach.by if isinstance(breach.by, str) else " ".join(map(str, (breach.by.action, *breach.by.args)))
        read = {n.args[0].name for n in walk(self.claim, *self.question.measure) if n.op == "field"}
        cells = changed(self.scene, breach.state, among=read) or changed(self.scene, breach.state)
        return Sentence(f"; in the way stands {by} where {cells} (not known to be reached)", f"。妨げるのは {by}（{cells}。到達するとは限らない）")

    def _never(self) -> Finding | None:
        """That no such state is reached, where that is proved by induction as it stands."""
        told = replace(self.prop, kind="unreachable", premise="true", formula=self.text, way=(), guide=(), starts=(), note=None)
        prover = _Prover(ask(told, self.scene), self.scene, self.limits)
        prover.engines["z3-solver"] = None
        try:
            outcome = prover.proof(Queries(self.scene, self.clock.part(0.25)))
        except LimitReached:
            return None
        return None if isinstance(outcome, Breach) else replace(prover.holds(outcome), prop=self.prop, verdict=Verdict.NO)

    def _reachable(self) -> Finding:
        never = self._never()
        if never is not None:
            return never
        line, walked = self._shortest(self.claim, *self.seeking.line(self.seeking.test(self.claim), {"start": self.scene.start, **self.scene.positions}))
        if line is not None:
            return self._witness(Verdict.YES, self.text, line)
        if walked.complete and not self.seeking.is_open:
            return self._exhausted(Verdict.NO, walked.states)
        self.bounds |= {"horizon": walked.plies, "states": walked.states}
        found = self.undecided(Sentence(f"not reached within {walked.plies} plies ({walked.states} states)",
                                        f"{walked.plies}手以内では達しない（{walked.states}状態）"))  # fmt: skip
        return self._deeper(found, self.claim, Verdict.YES, self.text)

    def _deeper(self, found: Finding, formula: Expr, verdict: Verdict, text: str) -> Finding:
        """What is undecided, with how far z3 sees no line from any beginning; or the verdict, with the line that it sees."""
        deep = deeper(self.scene, formula, self.clock, None if self.rules.size <= SMALL else 2)
        if deep.line is not None and origin(self.scene, deep.line.start) is None:
            return found  # the beginning is gone once the triggers have changed what was free in it: nothing to replay from
        if deep.line is not None:
            self.engines["z3-solver"] = None
            self.bounds |= {"shortest": len(deep.line.moves), "passes": deep.passes}
            return self._witness(verdict, text, deep.line)
        if deep.plies < 1:
            return found
        self.bounds |= {"plies": deep.plies, "passes": deep.passes, "fields": len(deep.kept)}
        return replace(found, why=Sentence(f"{found.why.en}; z3 finds no line of up to {deep.plies} plies from any beginning",
                                           f"{found.why.ja}。z3によれば、どの始め方からも{deep.plies}手以内の手順はない"))  # fmt: skip

    def _explore(self) -> Finding:
        known = {"start": self.scene.start, **self.scene.positions, **self.scene.made}
        starts, turns = self.seeking.named(known) if self.prop.starts else self.seeking.beginnings(), self.prop.turns
        cone = explored(self.rules, starts, self.claim, turns, 100 * self.limits.states)
        if cone.line is not None:
            made = [name for name, state in self.scene.made.items() if self.walk.engine.settle(state) == cone.line.start]
            self.bounds |= {"from": made[0]} if made else {}
            return self._witness(Verdict.NO, f"not ({self.text})", cone.line, *made[:1])
        if not self._met():
            return self.undecided(Sentence("no line of play was found on which the premise is met", "前件の成り立つ手順が見つからない"))
        again = cone.states <= 100 * self.limits.states and counted_again(self.rules, starts, self.claim, turns, cone.states, self.clock)
        if again and turns is None and set(starts.values()) == {self.scene.start} and not self.seeking.is_open:
            return self._exhausted(Verdict.YES, cone.states)
        self.bounds |= {"states": cone.states, "from": ", ".join(starts)} | ({} if turns is None else {"turns": turns})
        far = Sentence("", "") if turns is None else Sentence(f" {turns} turns", f"{turns}ターン")
        twice = Sentence(", by two engines", "、二つのエンジンで") if again else Sentence("", "")
        return self.undecided(Sentence(f"holds up to{far.en or ' all that follows'} from {', '.join(starts)}: all {cone.states} states were looked at{twice.en}",
                                       f"{', '.join(starts)}から{far.ja or 'その先すべて'}まで成立：{cone.states}状態をすべて{twice.ja}確認"))  # fmt: skip

    def over(self, error: LimitReached) -> Finding:
        """Undecided for want of time, or of room; with what stood in the way of a proof by then."""
        way = self._in_the_way(self.proved) if isinstance(self.proved, Breach) else Sentence("", "")
        return self.undecided(Sentence(f"{error}{way.en}", f"上限に達した：{error}{way.ja}"))

    def undecided(self, why: Sentence, breach: Breach | None = None) -> Finding:
        return Finding(self.prop, Verdict.UNKNOWN, why, self.bounds, None, breach)

    def _shortest(self, formula: Expr, line: Line | None, walked: Walked) -> tuple[Line | None, Walked]:
        """The same; with the bound that no line is shorter, by z3, where it is one that a walk found and that is answered."""
        if line is None or line is not walked.line or self.question.way or self.question.guide or self.rules.size > SMALL or not line.moves:
            return line, walked
        self.engines["z3-solver"] = None
        shorter = sought(Scene(self.rules, line.start), formula, len(line.moves) - 1, self.clock, kept=None)
        assert shorter.line is None, f"z3 finds a shorter line than the walk: {shorter.line}"
        if shorter.plies == len(line.moves) - 1:
            self.bounds["shortest"] = len(line.moves)
        return line, walked

    def _witness(self, verdict: Verdict, text: str, line: Line, made: str = "") -> Finding:
        """The verdict by a line; ``made`` names the position that it begins in, if that was set up."""
        claim = {"question": "line", "formula": text, "from": list(line.start)} | ({"made": made} if made else {})
        return self._replayed(verdict, self._evidence(claim, witness=line.moves))

    def _replayed(self, verdict: Verdict, evidence: Evidence) -> Finding:
        self.bounds["horizon"] = moves = len(evidence.witness)
        if self.seeking.seed is not None:
            self.bounds["seed"] = self.seeking.seed
        evidence = fewest(evidence, self.scene)
        recheck(evidence, self.scene)
        evidence = replace(evidence, certificate={**evidence.certificate, "confirmed": True})
        read = ", ".join(f"{switch}={value}" for switch, value in readings(self.scene, tuple(evidence.claim["from"])).items())
        why = Sentence(f"a line of {moves} move{'s' * (moves != 1)}{f' under {read}' if read else ''}, confirmed by the reference",
                       f"{f'{read}のもとでの' if read else ''}{moves}手の手順。参照エンジンで確認")  # fmt: skip
        return self._found(verdict, why, evidence)

    def _exhausted(self, verdict: Verdict, states: int, moves: Mapping[str, Any] | None = None) -> Finding:
        """That all states were looked at: for the claim, or the negation of what is reachable; or for no fault of ``moves``."""
        text = self.text if verdict is Verdict.YES else f"not ({self.text})"
        self.engines["llvmlite"], self.bounds["horizon"] = None, UNLIMITED
        claim = {"question": "exhausted", "formula": text, "start": list(self.scene.start), "states": states, **(moves or {})}
        evidence = self._evidence(claim)
        recheck(evidence, self.scene)
        why = Sentence(f"all {states} states that can be reached were looked at, by two engines",
                       f"到達しうる{states}状態をすべて、二つのエンジンで確認")  # fmt: skip
        return self._found(verdict, why, evidence)

    def _found(self, verdict: Verdict, why: Sentence, evidence: Evidence) -> Finding:
        return Finding(self.prop, verdict, why, self.bounds, evidence)

    def _evidence(self, claim: Mapping[str, Any], witness: Sequence[Any] = (), certificate: Mapping[str, Any] | None = None) -> Evidence:
        common = {"property": self.prop.id, "given": repr(self.scene.given), "free": sorted(self.scene.free)}
        made_by = ", ".join([f"prover {__version__}", *(f"{name} {version(name)}" for name in self.engines)])
        return Evidence({**common, **claim}, content_hash(self.rules), made_by, self.bounds, tuple(witness), certificate or {})
