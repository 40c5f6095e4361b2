"""What is chosen in a decision, besides who acts: nothing but parameters that are named.

Whether a move is legal, and what it does, is a function of the state, of who acts and of the parameters of its action: no
expression has other variables, and chance decides for itself. So whatever is not fixed by what is laid, and where, is a parameter.
The rules are read twice: as expressions, and in the text that they are exported as.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from monjudge.model.language import ME, Expr, RuleSet
from monjudge.model.language.export import to_json
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.solvers.certificate import Evidence, Refused
from monjudge.solvers.verdict import Verdict
from monjudge.verify.outcome import Outcome
from monjudge.verify.queries import Clock
from monjudge.verify.question import Question

__all__ = ["answer", "check", "named"]


def named(rules: RuleSet) -> Iterator[str]:
    """The parameters of all decisions: ``action.parameter``. Raises AssertionError where an action has other variables."""
    for action in rules.actions:
        if action.is_chance:
            continue
        names = [p.name for p in action.params]
        clauses: list[Expr] = [*(c.expr for c in action.clauses), *([] if action.by is None else [action.by])]
        effects = [(part, {str(v.args[0]) for v in e.loops}) for e in action.effects for part in (*e.indices, e.value, e.when)]
        for part, loops in [*((c, set[str]()) for c in clauses), *effects]:
            assert part.free <= {ME, *names, *loops}, f"{action.name} has variables besides its parameters"
        yield from (f"{action.name}.{name}" for name in names)


def told(parameters: Collection[str], among: Collection[str]) -> list[str]:
    """Those that are not named, neither of this action nor by their name alone."""
    return [whole for whole in parameters if whole not in among and whole.partition(".")[2] not in among]


def answer(question: Question, scene: Scene, clock: Clock, most: int) -> Outcome:
    """Whether ``among`` names all that is chosen."""
    among, every = question.prop.among, [*named(scene.rules)]
    more = told(every, among)
    claim = {"question": "more choices" if more else "choices", "formula": " ".join(among), "among": list(among), "more": more}
    if more:
        why = Sentence(f"{', '.join(more)} is chosen, too", f"{'、'.join(more)}も選ぶ")
        return Outcome(Verdict.NO, why, claim)
    why = Sentence(f"all {len(every)} parameters of decisions are named; legality and effect depend on nothing else but the state and who acts",
                   f"決定のパラメータ{len(every)}個はすべて挙げられている。合法かどうかも効果も、ほかには状態と手番だけで決まる")  # fmt: skip
    return Outcome(Verdict.YES, why, claim)


def check(evidence: Evidence, scene: Scene, effort: float | None = None) -> tuple[int, int]:
    """The same by the text that the rules are exported as. Raises Refused."""
    text = json.loads(to_json(scene.rules))
    every = [f"{a['name']}.{text['nodes'][p['var']][3]}" for a in text["actions"] if a["weight"] is None for p in a["params"]]
    more = told(every, evidence.claim["among"])
    if more != evidence.claim["more"] or (evidence.claim["question"] == "more choices") != bool(more):
        raise Refused("other parameters are chosen", "選ぶパラメータが違う")
    return 0, 0
