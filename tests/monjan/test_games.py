"""Whole games: dealt, drafted and played at random to the end, with every card accounted for at every step.

Moves come from the enumerator and are made by the reference. Each game favours and neglects
some kinds of moves by lot (swarm testing, Groce et al. 2012), so that rare ones are reached.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from monjudge.model.language import NATURE, LimitReached, Move, RuleSet, State
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import EFFECT, Card
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.modes import MODES
from monjudge.model.monjan.readings import LIVE
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import SLOTS, described, first_state, table, table_again
from monjudge.model.monjan.texts import switch_texts
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.log import about, read, write
from monjudge.solvers.play import IllegalMove, Play, Record

PACK = default_pack()
MOST = 4_000
"""Moves of one game; a longer one is reported as not ended."""

STEADY = {"draw": 3.0, "mana": 2.0, "strike": 3.0, "end": 0.3, "stop": 0.1, "pass": 0.5}
"""What keeps a game going; the weights of all other kinds of moves are drawn for each game."""

PILES = ("deck", "et", "ba", "pool")
HELD = ("hand", "discard")
PLACES = {"mana", "attack", "under", "defence", "extra", "outside", "above", "deck_top", "ba_top", "et_top",
          "beneath_defence", "ba_bottom"}  # fmt: skip
"""Fields whose cells hold a kind of card; the last two exist under some readings only."""


class Hall:
    """One table with its engines."""

    def __init__(self, mode: str, boards: str, readings: Mapping[str, str], hiding: bool, slots: int) -> None:
        chosen = [PRINTED[name] for name in boards.split()]
        self.setting: Setting = table(PACK, mode, chosen, readings, hiding=hiding, slots=slots)
        self.rules: RuleSet = monjan(self.setting)
        self.reference, self.moves = Reference(self.rules), Enumerator(self.rules)
        self.kinds = len(self.setting.catalogue)
        self.loses_cards = self.setting.readings.get("A77") == "REMOVED"
        self.where = {f.name: (self.rules.offset[f.name], f.size) for f in self.rules.families}

    def cells(self, state: State, name: str) -> State:
        at, size = self.where[name]
        return state[at : at + size]

    def weight(self, state: State, move: Move) -> int:
        action = self.rules.by_name[move.action]
        named = {p.name: n for p, n in zip(action.params, move.args, strict=True)}
        return self.moves.value(action.weight, state, named) if action.weight is not None else 0

    def census(self, state: State) -> list[int]:
        """How many cards of each kind there are, in all zones together; a permanent boss is one card on two fields."""
        counted = [self.cells(state, pile) for pile in PILES]
        for name in HELD:
            cells = self.cells(state, name)
            counted += [cells[at : at + self.kinds] for at in range(0, len(cells), self.kinds)]
        total = [sum(column) for column in zip(*counted, strict=True)]
        boss = self.setting.catalogue.numbers("BOSS", "ASSASSIN")
        for name in PLACES & self.where.keys():
            for kind in self.cells(state, name):
                total[kind] += 1
        for kind, other in zip(self.cells(state, "attack"), self.cells(state, "defence"), strict=True):
            total[kind] -= kind == other and kind in boss
        total[self.setting.catalogue.token] = 0  # a marker, no card (A124 TOKEN)
        return [sum(column[0] for column in counted), *total[1:]]


@cache
def hall(
    mode: str, boards: str, readings: tuple[tuple[str, str], ...] = (), hiding: bool = False, slots: int = SLOTS
) -> Hall:
    return Hall(mode, boards, dict(readings), hiding, slots)


@dataclass
class Game:
    """How a game went: its end (over, stuck, limit, long), and what happened in it."""

    hall: Hall
    states: list[State]
    moves: list[Move] = field(default_factory=list)
    end: str = ""
    effects: Counter[str] = field(default_factory=Counter)

    @property
    def used(self) -> Counter[str]:
        return Counter(m.action for m in self.moves)

    @property
    def record(self) -> Record:
        return Record(self.states[0], tuple(self.moves), tuple(self.states[1:]), "over")


def chosen(rng: Random, weights: dict[str, float], game: Game, moves: list[Move]) -> Move:
    """Chance by its weights; a decision by kind of move and player, then among those uniformly."""
    if moves[0].me == NATURE:
        return rng.choices(moves, [game.hall.weight(game.states[-1], move) for move in moves])[0]
    kinds: dict[tuple[str, int], list[Move]] = {}
    for move in moves:
        kinds.setdefault((move.action, move.me), []).append(move)
    names = list(kinds)
    odds = [weights.setdefault(action, rng.choice((0.05, 1, 4))) for action, _ in names]
    return rng.choice(kinds[rng.choices(names, odds)[0]])


def play(
    where: Hall, seed: int, most: int = MOST, *, favour: Mapping[str, float] | None = None,
    agreed: Mapping[Card, int] | None = None,
) -> Game:  # fmt: skip
    """One game. Every step is checked: the move is legal, every cell within its interval, no card gained or lost."""
    rng, rules, reference = Random(seed), where.rules, where.reference
    begin = first_state(
        rules, where.setting, PACK, rps_winner=seed % rules.players, by_lot=seed % 3 == 0, agreed=agreed
    )
    game = Game(where, [reference.settle(begin)])
    weights = STEADY | dict(favour or {})
    census = where.census(game.states[0])
    assert census[0] == 0
    while not game.end:
        state = game.states[-1]
        moves = where.moves.moves(state)
        if not moves:
            game.end = "over" if reference.over(state) else "stuck"
        elif len(game.moves) == most:
            game.end = "long"
        else:
            move = chosen(rng, weights, game, moves)
            assert reference.legal(state, move), move
            try:
                after, fired = reference.trace(state, move)
            except LimitReached:
                game.end = "limit"
                break
            census_after = where.census(after)
            assert census_after == census or where.loses_cards, move
            assert all(n <= before for n, before in zip(census_after, census, strict=True)), move
            assert all(lo <= n <= hi for n, (lo, hi) in zip(after, rules.bounds, strict=True)), move
            game.effects.update(effects(where, state, move, fired))
            game.moves.append(move)
            game.states.append(after)
    return game


def effects(where: Hall, state: State, move: Move, fired: list[str]) -> Iterator[str]:
    """The card effects that took place in this step."""
    if move.action == "summon_by_skill":
        yield "summon"
    if "EXTRA.12:effect" in fired:
        at_once = move.action.endswith("_skill")
        card, skill = move.args[:2] if at_once else (where.cells(state, f"pending_{k}")[0] for k in ("card", "skill"))
        yield where.setting.catalogue.cards[card].skills[skill].effect


# -- games to the end ------------------------------------------------------------------------------------

BOARDS = {2: "HUNTERS FLEHEIM", 3: "MANAST FLEHEIM ATELIER", 4: "HUNTERS ATELIER MANAST FLEHEIM"}


def ended(game: Game) -> Game:
    """The game, once it is certain that it ended by the rules and that no bound of the model cut a move off."""
    rules, last = game.hall.rules, game.states[-1]
    assert game.end == "over", (game.end, len(game.moves))
    assert sum(game.hall.cells(last, "alive")) == 1
    assert sorted(game.hall.reference.payoff(last)) == [-1] * (rules.players - 1) + [rules.players - 1]
    assert all(max(game.hall.cells(s, "mana_height")) < game.hall.setting.slots for s in game.states)
    return game


@pytest.mark.parametrize(("mode", "players"), [*((m, 2) for m in MODES), ("LM", 3), ("EXTRA", 3), ("URA_INIT", 4)])
@pytest.mark.parametrize("seed", range(2))
def test_a_game_ends_with_one_player_left_and_every_card_where_it_can_be(mode: str, players: int, seed: int) -> None:
    used = ended(play(hall(mode, BOARDS[players]), seed)).used
    assert used["middle"] == players
    assert used["pick"] + used["draw_equipment"] == players * MODES[mode].picks


@pytest.mark.slow
@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("mode", MODES)
def test_many_games_of_every_mode_end(mode: str, players: int) -> None:
    for seed in range(100, 108):
        ended(play(hall(mode, BOARDS[players]), seed))


def test_games_with_face_down_cards_and_edit_turns_in_order_end() -> None:
    where = hall("URA_LM", BOARDS[3], (("SEQ", "ON"),), hiding=True)
    for seed in range(3):
        ended(play(where, seed))


SET_UP = ("A46", "A138", "A141", "A142", "A143", "A146", "A147", "A148", "A149")
"""Readings about the table and its cards, which have tests of their own."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_readings_a_game_goes_on_and_no_card_is_lost(seed: int) -> None:
    rng = Random(seed)
    texts = switch_texts()
    switches = rng.sample([s for s in LIVE if s not in SET_UP], 16)
    readings = {s: rng.choice([v for v in texts[s].values if v not in texts[s].undetermined]) for s in switches}
    boards = " ".join(rng.sample(list(PRINTED), rng.choice((2, 2, 3, 4))))
    game = play(Hall(rng.choice(list(MODES)), boards, readings, rng.random() < 0.3, SLOTS), seed)
    holes = {
        "over": True,
        "long": True,  # nothing makes the game end
        "stuck": readings.get("A56") == "ONCE_EACH",  # every guard was used
        "limit": readings.get("A02") in ("ANY", "ANY_MONJAN") or readings.get("A01") == "ANY_CARD",  # a life nobody knows
    }
    assert holes[game.end], (game.end, readings)


def test_without_number_cards_the_first_turn_is_a_hole_of_the_rules() -> None:
    where = hall("BASIC", BOARDS[2])
    numbers = where.setting.catalogue.numbers("NUMBER")
    bare = where.reference.settle(first_state(where.rules, where.setting, PACK))
    at, size = where.where["deck"]
    bare = tuple(0 if at <= cell < at + size and cell - at in numbers else n for cell, n in enumerate(bare))
    game = Game(where, [bare])
    while moves := where.moves.moves(game.states[-1]):
        game.states.append(where.reference.step(game.states[-1], moves[0]))
    last = game.states[-1]
    assert not where.reference.over(last)
    reasons = [c.id for c in where.reference.failing(last, Move("end", 0))]
    assert reasons == ["SETUP.6"]


def test_a_game_that_passes_a_bound_of_the_model_says_so() -> None:
    where = hall("BASIC", BOARDS[2], slots=2)
    assert "limit" in {play(where, seed).end for seed in range(20)}


# -- what occurs in them -----------------------------------------------------------------------------------

def pile_of(*effects: str) -> dict[Card, int]:
    """Twenty-five Extra and Toughness cards: those with these effects, Jabberwocks, and what fills up."""
    copies = PACK.copies(("EXTRA", "TOUGHNESS"))
    wanted = [c for c in copies if c.name == "JABBERWOCK" or any(s.effect in effects for s in c.skills)]
    cards = [c for card in (*wanted, *(c for c in copies if c not in wanted)) for c in [card] * copies[card]]
    return dict(Counter(cards[:25]))


SCHOOLS: dict[str, tuple[str, str, dict[str, float]]] = {
    "skills of cards": ("EXTRA", BOARDS[2], {
        "extra": 9.0, "toughness": 9.0, "edit_skill": 30.0, "battle_skill": 30.0, "summon_by_skill": 99.0}),
    "battle": ("EXTRA", BOARDS[2], dict.fromkeys(("ritual", "flame", "castle", "trap", "bonus", "kill"), 99.0)),
    "edit": ("URA_INIT", "ATELIER MANAST", {
        "boss": 9.0, "recycle": 99.0, "tea": 30.0, "laser": 30.0, "gravity": 30.0}),
    "patience": ("BASIC", BOARDS[2], {
        "boss": 0.0, "attack": 0.02, "defence": 0.02, "mana": 9.0, "boss_stay": 99.0}),
}  # fmt: skip
"""Ways of playing that favour what is rare: the mode, the boards, the weights of kinds of moves."""


@cache
def seen(school: str, seed: int) -> tuple[Counter[str], Counter[str]]:
    """The kinds of moves and the effects of one game of a school, played to the end."""
    mode, boards, favour = SCHOOLS[school]
    agreed = pile_of("revive", "destroy", "draw_et", "return", "summon") if school == "skills of cards" else None
    game = ended(play(hall(mode, boards), seed, favour=favour, agreed=agreed))
    return game.used, game.effects


@pytest.mark.parametrize("effect", [e for e in EFFECT.labels if e not in ("none", "opaque")])
def test_every_kind_of_effect_takes_place_in_a_game_played_to_the_end(effect: str) -> None:
    assert any(seen("skills of cards", seed)[1][effect] for seed in range(150))


@pytest.mark.parametrize(
    ("school", "action"),
    [
        *(("battle", a) for a in ("ritual", "flame", "castle", "trap", "guard_back", "bonus", "kill")),
        *(("edit", a) for a in ("recycle", "tea", "laser", "gravity", "pick", "draw_equipment")),
        ("patience", "boss_stay"),
        ("skills of cards", "summon_by_skill"),
    ],
)
def test_every_kind_of_move_occurs_in_a_game_played_to_the_end(school: str, action: str) -> None:
    assert any(seen(school, seed)[0][action] for seed in range(150))


def test_no_kind_of_move_is_forgotten() -> None:
    met = {"mix_in", "ritual", "flame", "castle", "trap", "guard_back", "recycle", "boss_stay", "summon_by_skill"}
    for seed in range(12):
        met |= set(seen("edit", seed)[0]) | set(seen("battle", seed)[0])
    assert set(hall("URA_INIT", "ATELIER MANAST").rules.by_name) - met == set()


# -- logs ----------------------------------------------------------------------------------------------------


@cache
def logged() -> tuple[Game, str]:
    game = ended(play(hall("URA_INIT", BOARDS[3]), 1))
    return game, write(game.hall.rules, game.record, described(game.hall.setting, PACK))


def test_a_saved_game_is_set_again_from_its_log_and_replays_to_the_same_states() -> None:
    game, text = logged()
    rules = monjan(table_again(about(text), PACK))
    record = Play(rules).replay(*read(text, rules))
    assert record.states == tuple(game.states[1:])
    assert record.end == "over"


def replayed_with(number: int, change: Callable[[dict[str, Any]], None]) -> IllegalMove:
    """Why the log does not replay when its move of this number is changed."""
    game, text = logged()
    lines = text.splitlines()
    row = json.loads(lines[number])
    change(row)
    lines[number] = json.dumps(row)
    with pytest.raises(IllegalMove) as caught:
        Play(game.hall.rules).replay(*read("\n".join(lines), game.hall.rules))
    assert caught.value.number == number
    return caught.value


@pytest.mark.parametrize(
    ("action", "change", "clause"),
    [
        ("guard", lambda row: row["args"].update(by=10), "GUARD.4"),  # no ritual card stands there
        ("strike", lambda row: row["args"].update(source="U3"), "BATTLE.4"),
        ("strike", lambda row: row["args"].update(target=row["me"]), "BATTLE.5"),
        ("pick", lambda row: row.update(me=(row["me"] + 1) % 3), "GAME.turn"),
        ("end", lambda row: row.update(move="stop"), "BATTLE.1"),
    ],
)
def test_a_log_that_was_changed_names_the_first_illegal_move_and_why(
    action: str, change: Callable[[dict[str, Any]], None], clause: str
) -> None:
    moves = logged()[0].moves
    found = replayed_with(next(n for n, move in enumerate(moves, 1) if move.action == action), change)
    assert clause in {c.id for c in found.clauses}


def test_a_card_cannot_be_drawn_twice() -> None:
    draws = [(n, m.args[0]) for n, m in enumerate(logged()[0].moves, 1) if m.action == "draw_card"]
    found = replayed_with(draws[5][0], lambda row: row["args"].update(card=draws[4][1]))
    assert [c.id for c in found.clauses] == ["GAME.turn"]
