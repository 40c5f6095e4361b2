"""Lemmas of other properties, for proofs that break without them, as Houdini does (Flanagan and Leino, FME 2001).

A proof that breaks in a state in which such a lemma does not hold is tried with it, and with those that it was proved with; each is
proved like any lemma. What does not stand is dropped: no list of lemmas is tried twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from monjudge.model.language import Expr, TextError, evaluate, parse_expr, walk
from monjudge.model.properties import Scene
from monjudge.verify.invariants import Breach, Inductive
from monjudge.verify.question import Property, ask

__all__ = ["aided"]

Aid = dict[str, Expr]
"""Lemmas that were proved together."""


def aided(prop: Property, scene: Scene, breach: Breach, prove: Callable[[Property], Inductive | Breach]) -> tuple[Property, Inductive] | None:
    """The property with more lemmas, and its proof; None where no aid of the scene helps. Raises as ``prove`` does."""
    aids, taken, own = [*_read(scene)], list[Aid](), dict.fromkeys(prop.lemmas)
    near = _broken(prop, scene, breach)
    while True:
        lemmas = own.keys() | {text for aid in taken for text in aid}
        helping = [aid for aid in aids if not aid.keys() <= lemmas and near & _fields(aid.values()) and _fails(aid, scene, breach)]
        if not helping:
            return None
        best = min(helping, key=lambda aid: (len(aid.keys() - lemmas), len(_fields(aid.values()) - near)))
        aids.remove(best)
        taken.append(best)
        found = replace(prop, lemmas=(*own | dict.fromkeys(text for aid in taken for text in aid),))
        outcome = prove(found)
        if not isinstance(outcome, Breach):
            return found, outcome
        bad = {found.lemmas[n] for n in outcome.broken if len(own) <= n < len(found.lemmas)}
        if bad:
            taken = [aid for aid in taken if not bad & aid.keys()]
        else:
            breach, near = outcome, _broken(found, scene, outcome)


def _read(scene: Scene) -> Iterator[Aid]:
    """The aids that speak of what there is."""
    for lemmas in scene.aids:
        with suppress(TextError):
            yield {text: parse_expr(text, scene.scope()) for text in lemmas}


def _fails(aid: Aid, scene: Scene, breach: Breach) -> bool:
    return not all(evaluate(lemma, breach.state, None, scene.rules.offset) for lemma in aid.values())


def _broken(prop: Property, scene: Scene, breach: Breach) -> set[int]:
    """The fields of which the formulas speak that a step breaks."""
    asked = ask(prop, scene)
    broken = [asked.lemmas[n] for n in breach.broken if n < len(asked.lemmas)]
    return _fields(broken or [asked.claim, *asked.measure])


def _fields(formulas: Iterable[Expr]) -> set[int]:
    return {n.args[0].uid for n in walk(*formulas) if n.op == "field"}
