"""What effects do to a sum, worked out without the single cells: the same as the difference that the reference makes."""

from __future__ import annotations

import dataclasses
import random

import pytest

from monjudge.model.games import WITH_SCENES, scene_of
from monjudge.model.language import FALSE, ME, Game, Move, RuleSet, State, each, evaluate, gain, parse_expr, put
from monjudge.model.properties import Scene
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify.sums import change_of, summands


def boxes() -> RuleSet:
    """Stones are moved between boxes of two shelves, also to no box at all; a shelf can be swept."""
    g = Game("boxes", players=2)
    box, mark = g.field("box", 2, 3, values=range(40), init=9), g.field("mark", 3, values=range(40))
    move = g.action("move")
    source, to, many = move.param("source", range(3)), move.param("to", range(-1, 5)), move.param("many", range(1, 3))
    move.clause("BOX.1", box[move.me, source] >= many)
    move.effect(gain(box[move.me, source], -many), gain(box[1 - move.me, to], many, when=many > 1), gain(mark[source], 1))
    sweep = g.action("sweep")
    sweep.clause("BOX.2", box[sweep.me, 0] > 7)
    sweep.effect(put(box[sweep.me, 1], 0), each(3, lambda k: gain(mark[k], box[sweep.me, k], when=box[sweep.me, k] > 2)))
    sort = g.action("sort")
    at = sort.param("at", range(-1, 4))
    sort.clause("BOX.3", box[sort.me, 2] > 0)
    sort.effect(each(2, lambda k: [put(mark[k + 1], box[sort.me, k], when=mark[k] < 30), gain(mark[k], 1)]), put(box[sort.me, at], mark[0], when=mark[0] > 1))
    g.over(mark[0] > 20)
    return g.build()


def checked(scene: Scene, start: State, text: str, seed: int, plies: int, assigns: bool = False) -> tuple[int, int]:
    """In how many steps of a random line the change was worked out, and in how many an assignment was in the way."""
    rules = dataclasses.replace(scene.rules, triggers=())
    engine, moves, rng = Reference(rules), Enumerator(rules), random.Random(seed)
    number = parse_expr(text, scene.scope())
    parts, state, right, barred = tuple(summands(number)), start, 0, 0
    changes = {a.name: change_of(parts, a.effects, assigns=assigns) for a in rules.actions}
    for _ in range(plies):
        legal: list[Move] = [] if engine.over(state) else moves.moves(state)
        if not legal:
            break
        move = rng.choice(legal)
        after = engine.step(state, move)
        change, env = changes[move.action], {ME: move.me, **dict(zip((p.name for p in rules.by_name[move.action].params), move.args, strict=True))}
        if evaluate(change.never, state, env, rules.offset):
            barred += 1
        else:
            before, then = ([evaluate(n, s, None, rules.offset) for n in (number, *change.rest)] for s in (state, after))
            added = evaluate(change.added, state, env, rules.offset)
            assert then[0] - before[0] == added + sum(then[1:]) - sum(before[1:]), move
            right += 1
        state = after
    return right, barred


@pytest.mark.parametrize("text", [
    "sum s in 0..1: sum k in 0..2: box[s, k]", "(sum s in 0..1: sum k in 0..2: 3 * box[s, k]) + sum k in 0..2: mark[k]",
    "(sum k in 0..2: box[0, k]) + mark[1]", "(sum s in 0..1: sum k in 0..2: box[s, k]) + 2 * box[0, 1]",
])  # fmt: skip
def test_the_change_of_a_sum_is_that_of_the_reference(text: str) -> None:
    scene = Scene(boxes(), boxes().start)
    told = [checked(scene, scene.start, text, seed, 12) for seed in range(8)]
    assert sum(right for right, _ in told) > 30
    with_assignments = [checked(scene, scene.start, text, seed, 12, assigns=True) for seed in range(8)]
    assert sum(right for right, _ in with_assignments) > 60 and not any(barred for _, barred in with_assignments)


def test_an_increment_of_a_field_that_is_not_summed_whole_is_left_to_be_compared() -> None:
    rules = boxes()
    scope = Scene(rules, rules.start).scope()
    whole, part = (tuple(summands(parse_expr(text, scope))) for text in ("sum s in 0..1: sum k in 0..2: box[s, k]", "sum k in 0..2: box[0, k]"))
    assert change_of(whole, rules.by_name["move"].effects).rest == ()
    assert change_of(part, rules.by_name["move"].effects).rest == part
    assert change_of(whole, rules.by_name["sweep"].effects).never is not FALSE


def test_the_cards_of_a_whole_game_change_as_the_increments_tell() -> None:
    scene = scene_of(WITH_SCENES[0])
    kinds = scene.rules.family_named["hand"].dims[1]
    text = f"(sum k in 0..{kinds - 1}: deck[k]) + sum p in player: sum k in 0..{kinds - 1}: hand[p, k] + discard[p, k]"
    start = Reference(scene.rules).settle(next(iter(scene.positions.values())))
    right, _ = checked(scene, start, text, 1, 12)
    assert right > 8
