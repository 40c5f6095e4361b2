"""One file of laws over all games, by name: whatever a game is about, its words, its rules and its engines agree in these ways.

A game is played at random by the enumerator's moves and the reference's steps. What a game conserves it declares here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import pytest

from monjudge.model.games import games, kit
from monjudge.model.language import NATURE, LimitReached, Move, RuleSet, State, Symmetry
from monjudge.model.language.export import content_hash
from monjudge.model.notation.kit import Position
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference

PLIES = 120
SEEDS = range(3)

Image = Callable[[RuleSet, Symmetry], tuple[Callable[[State], State], Callable[[Move], Move]]]

EVERY = pytest.mark.parametrize("game", games())


@dataclass(frozen=True)
class Played:
    """Some games at random from one beginning: each a list of (state, moves, the move taken or None at the end)."""

    start: Position
    reference: Reference
    enumerator: Enumerator
    plays: tuple[tuple[tuple[State, tuple[Move, ...], Move | None], ...], ...]

    @property
    def visited(self) -> list[tuple[State, tuple[Move, ...], Move | None]]:
        return [entry for play in self.plays for entry in play]


@cache
def played(game: str) -> Played:
    start = kit(game).deal()
    reference, enumerator = Reference(start.rules), Enumerator(start.rules)
    return Played(start, reference, enumerator, tuple(_play(reference, enumerator, start.state, seed) for seed in SEEDS))


def _play(reference: Reference, enumerator: Enumerator, state: State, seed: int) -> tuple[tuple[State, tuple[Move, ...], Move | None], ...]:
    rng, found, here = random.Random(seed), [], reference.settle(state)
    while True:
        moves = tuple(enumerator.moves(here))
        kinds = sorted({move.action for move in moves})
        kind = rng.choice(kinds) if kinds and len(found) < PLIES else None
        move = rng.choice([m for m in moves if m.action == kind]) if kind is not None else None
        found.append((here, moves, move))
        if move is None:
            return tuple(found)
        try:
            here = reference.step(here, move)
        except LimitReached:
            return tuple(found)


@EVERY
def test_a_position_survives_its_line_and_its_data(game: str) -> None:
    words, here = kit(game), played(game)
    for state, _, _ in here.visited[::12]:
        position = here.start.at(state)
        line = words.line(position)
        again = words.position(line)
        assert words.line(again) == line
        assert words.data(again) == words.data(position)
        assert words.canonical("state", words.data(position)) == words.data(position)
        assert line.startswith(words.prefix)


@EVERY
def test_a_move_survives_its_text_and_has_a_sentence_in_both_languages(game: str) -> None:
    words, here = kit(game), played(game)
    for state, moves, _ in here.visited[::9]:
        position = here.start.at(state)
        texts = [words.move_text(position, move) for move in moves]
        assert len(set(texts)) == len(texts)
        for move, text in list(zip(moves, texts, strict=True))[:25]:
            assert words.move(position, text) == move
            said = words.said(position, move)
            assert said.en and said.ja and said.en != said.ja


@EVERY
def test_a_position_that_was_played_has_no_defect_and_can_be_drawn_for_everybody(game: str) -> None:
    words, here = kit(game), played(game)
    for state, _, _ in here.visited[::20]:
        position = here.start.at(state)
        assert [str(defect) for defect in words.defects(position)] == []
        for viewer in (None, *range(here.start.rules.players)):
            assert list(words.picture(position, viewer).zones())


@EVERY
def test_the_moves_are_those_that_the_reference_finds(game: str) -> None:
    here = played(game)
    for state, moves, _ in random.Random(7).sample(here.visited, min(4, len(here.visited))):
        assert list(moves) == here.reference.moves(state)


@EVERY
def test_a_legal_move_breaks_no_clause_and_another_one_does(game: str) -> None:
    here = played(game)
    for state, moves, _ in here.visited[::15]:
        assert all(here.reference.failing(state, move) == [] for move in moves[:20])
    state, moves, _ = here.visited[0]
    legal = set(moves)
    others = [m for m in here.reference.candidates() if m not in legal][:200]
    assert all(here.reference.failing(state, move) or not here.reference.decides(state, move) for move in others)


@EVERY
def test_every_step_keeps_the_intervals_and_comes_to_rest(game: str) -> None:
    here = played(game)
    for state, _, _ in here.visited:
        assert all(low <= value <= high for value, (low, high) in zip(state, here.start.rules.bounds, strict=True))
    for state, _, _ in here.visited[::10]:
        assert here.reference.settle(state) == state


@EVERY
def test_a_step_depends_on_the_state_and_the_move_alone(game: str) -> None:
    here, fresh = played(game), Reference(kit(game).deal().rules)
    for play in here.plays[:1]:
        for (state, _, move), (after, _, _) in list(pairwise(play))[:40]:
            assert move is not None
            assert fresh.step(state, move) == after


@EVERY
def test_who_decides_is_one_player_or_chance(game: str) -> None:
    simultaneous = {name for group in played(game).start.rules.simultaneous for name in group.actions}
    for _, moves, _ in played(game).visited:
        deciders = {move.me for move in moves if move.action not in simultaneous}
        assert NATURE not in deciders or deciders == {NATURE}


@EVERY
def test_the_end_has_opposite_payoffs_and_no_move(game: str) -> None:
    here = played(game)
    for state, moves, _ in here.visited:
        if here.reference.over(state):
            assert not moves
            assert sum(here.reference.payoff(state)) == 0


@EVERY
def test_the_rules_built_again_are_the_same(game: str) -> None:
    assert content_hash(kit(game).deal().rules) == content_hash(played(game).start.rules)


@EVERY
def test_the_same_seed_plays_the_same_game(game: str) -> None:
    here = played(game)
    assert _play(here.reference, here.enumerator, here.start.state, SEEDS[0]) == here.plays[0]


@EVERY
def test_a_declared_symmetry_carries_moves_to_moves_and_results_to_results(game: str, image: Image) -> None:
    here = played(game)
    for symmetry in here.start.rules.symmetries:
        of_state, of_move = image(here.start.rules, symmetry)
        for play in here.plays:
            for (state, moves, move), (after, _, _) in list(pairwise(play))[::5]:
                assert move is not None
                other = of_state(state)
                assert sorted(map(of_move, moves)) == sorted(here.enumerator.moves(other)), symmetry.name
                assert here.reference.step(other, of_move(move)) == of_state(after), symmetry.name


# -- what is conserved -------------------------------------------------------------------------------------

Census = Callable[[RuleSet, State], object]


def _cards(rules: RuleSet, state: State) -> object:
    from monjudge.model.rancher.cards import Catalogue
    from monjudge.model.rancher.decks import shipped_decks

    catalogue = Catalogue([card for deck in shipped_decks().values() for card in deck.cards])
    total = Counter[int]()
    for name in ("library", "hand", "discard", "removed"):
        for n in range(rules.family_named[name].size):
            total[n % len(catalogue)] += state[rules.offset[name] + n]
    for name in ("monster", "shown", "side_card", "battle", "course", "judged"):
        for n in range(rules.family_named[name].size):
            total[state[rules.offset[name] + n]] += 1
    for name, kinds in (("training", "TRAINING"), ("gear", "ATTACHMENT"), ("kit", "ATTACHMENT")):
        span = catalogue.numbers(kinds)
        for n in range(rules.family_named[name].size):
            total[span[n % len(span)]] += state[rules.offset[name] + n]
    return {kind: n for kind, n in total.items() if kind and n}


CONSERVED: Mapping[str, Census] = {"rancher": _cards}
"""What no step changes, by game: the cards of both players, in all zones together."""


@pytest.mark.parametrize("game", CONSERVED)
def test_what_a_game_conserves_no_step_changes(game: str) -> None:
    here, census = played(game), CONSERVED[game]
    first = census(here.start.rules, here.visited[0][0])
    for state, _, _ in here.visited:
        assert census(here.start.rules, state) == first
