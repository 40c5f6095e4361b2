"""The picture of a position shows every card once, and to a player nothing that the player may not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from monjudge.model.language import NATURE, Move, RuleSet, State, evaluate
from monjudge.model.monjan.cards import NO_ELEMENT, Card, Catalogue
from monjudge.model.monjan.match import PENDING, PHASE, Setting
from monjudge.model.monjan.picture import PALETTE, picture, place_of_guard, place_of_source
from monjudge.model.monjan.rules import monjan
from monjudge.model.notation.picture import HATCHES, NOTHING, Area, Arrow, Picture, Piece, Suit, Zone
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.svg import svg
from monjudge.reports.terminal import terminal
from monjudge.solvers.engines.reference import Reference

GAMES = [("EXTRA", "FLEHEIM HUNTERS", 3), ("URA_LM", "HUNTERS ATELIER MANAST", 5), ("INIT", "MANAST FLEHEIM HUNTERS ATELIER", 8)]
BLIND = ("EXTRA", "FLEHEIM HUNTERS", 4, (("A15", "BLIND_COMMIT"),))

HANDS = ("hand", "discard")
PLACES = ("mana", "attack", "under", "defence", "extra", "outside", "above")
PILES = ("deck", "et", "ba")


def shown(card: Card) -> tuple[str, str]:
    """The suit and the face of a card, from its notation."""
    text = str(card)
    if card.element < NO_ELEMENT:
        return "FWEAN"[card.element], text[1:]
    return "", str(card.value)


def expected(rules: RuleSet, state: State, cards: tuple[Card, ...]) -> Counter[tuple[str, str]]:
    """Every card on hands, heaps and boards; Elements are of every suit, a boss for good is one card on two fields."""
    view: dict[str, Any] = rules.view(state)
    kinds, players, slots = len(cards), rules.players, len(view["mana"]) // (3 * rules.players)
    held = Counter({k: sum(view[name][p * kinds + k] for name in HANDS for p in range(players)) for k in range(1, kinds)})
    held.update(k for name in PLACES if name != "mana" for k in view[name] if k)
    held.subtract(a for a, d in zip(view["attack"], view["defence"], strict=True) if a and a == d and cards[a].kind in ("BOSS", "ASSASSIN"))
    found: Counter[tuple[str, str]] = Counter()
    for column in range(3 * players):
        for slot in range(view["mana_height"][column]):
            wild = slot < view["elements"][column]
            found[("*", "") if wild else shown(cards[view["mana"][column * slots + slot]])] += 1
    for k, n in held.items():
        found[shown(cards[k])] += n
    return +found


def drawn(whole: Picture) -> Counter[tuple[str, str]]:
    """The cards in a picture that lie in no closed pile."""
    found: Counter[tuple[str, str]] = Counter()
    for zone in whole.zones():
        for piece in zone.pieces if zone.style != "pile" and zone.key != "pool" else ():
            if "linked" not in piece.tags:
                found["*" if "wild" in piece.tags else piece.suit, piece.face] += piece.count
    return found


def some(states: list[State], count: int) -> Iterator[State]:
    yield from states[:: max(1, len(states) // count)]


@pytest.mark.parametrize("table", GAMES)
def test_every_card_on_the_table_is_in_the_picture_once(table: tuple[Any, ...], played: Callable[..., Any]) -> None:
    setting, rules, states = played(*table)
    for state in some(states, 25):
        whole = picture(rules, state, setting.catalogue, boards=setting.boards)
        assert drawn(whole) == expected(rules, state, setting.catalogue.cards)
        view = rules.view(state)
        sizes = {zone.key: zone.size for zone in whole.zones() if zone.style == "pile"}
        tops = {name: sum(k > 0 for k in view[f"{name}_top"]) for name in PILES}
        assert sizes.get("deck") == sum(view["deck"]) + tops["deck"]
        assert sizes.get("boss") == sum(view["ba"]) + tops["ba"]


def hidden_cells(rules: RuleSet, state: State, viewer: int) -> Iterator[int]:
    """The cells that the viewer may not know, from the rule set's own observation."""
    for name, seen in rules.visible.items():
        family, at = rules.family_named[name], rules.offset[name]
        for n in range(family.size):
            rest, indices = n, []
            for size in reversed(family.dims):
                rest, index = divmod(rest, size)
                indices.insert(0, index)
            env = {"viewer": viewer, **{f"x{i}": value for i, value in enumerate(indices)}}
            if not evaluate(seen, state, env, rules.offset):
                yield at + n


def twin(rules: RuleSet, state: State, viewer: int, rng: Random) -> State:
    """A state that the viewer cannot tell from this one: other cards where cards are hidden, as many of them."""
    cells = list(state)
    hidden = set(hidden_cells(rules, state, viewer))
    cards = {*PLACES, *(f"{pile}_top" for pile in PILES)}
    for name in sorted(rules.visible.keys() - {*PILES, "hand"}):
        at, family = rules.offset[name], rules.family_named[name]
        for cell in hidden & set(range(at, at + family.size)):
            # That a card lies face down is seen; of what else is hidden, everything may differ.
            if cells[cell] or name not in cards:
                cells[cell] = rng.randint(1 if name in cards else max(0, family.lo), family.hi)
    kinds = rules.family_named["deck"].size
    rows = [(rules.offset[pile], kinds) for pile in PILES]
    rows += [(rules.offset["hand"] + p * kinds, kinds) for p in range(rules.players) if p != viewer]
    for at, size in rows:
        counts = cells[at + 1 : at + size]
        rng.shuffle(counts)
        cells[at + 1 : at + size] = counts
    return tuple(cells)


@pytest.mark.parametrize("table", [*GAMES, BLIND])
def test_what_a_player_may_not_know_changes_nothing_in_the_players_picture(table: tuple[Any, ...], played: Callable[..., Any]) -> None:
    setting, rules, states = played(*table)
    rng, differing = Random(1), 0
    for state in some(states, 12):
        viewer = rng.randrange(rules.players)
        other = twin(rules, state, viewer, rng)
        one, two = (picture(rules, s, setting.catalogue, (), viewer, boards=setting.boards) for s in (state, other))
        assert one == two
        assert svg(one) == svg(two)
        assert terminal(one) == terminal(two)
        judges = [picture(rules, s, setting.catalogue, boards=setting.boards) for s in (state, other)]
        differing += judges[0] != judges[1]
    assert differing > 6  # the judge sees the difference


def test_while_edit_turns_are_blind_the_boards_of_others_are_screened(played: Callable[..., Any]) -> None:
    setting, rules, states = played(*BLIND)
    blind = [s for s in states if rules.view(s)["phase"] == 2 and rules.view(s)["edit_done"] == [1, 0]]
    assert blind
    whole = picture(rules, blind[-1], setting.catalogue, (), 1, boards=setting.boards)
    screened = {zone.key for zone in whole.zones() if "screened" in zone.tags}
    assert {f"1.{c}.{row}" for c in "LCR" for row in ("attack", "defence", "mana")} <= screened
    assert not any(key.startswith("2.") for key in screened)


def test_a_written_position_lies_where_it_was_written(written: Callable[..., Any]) -> None:
    scene = written()["ten-cards-after-a-fall"]
    whole = picture(scene.rules, scene.state, scene.catalogue, ("Akira", "Hanako"), boards=scene.position.boards)
    zones = {zone.key: zone for zone in whole.zones()}
    assert [(p.suit, p.face, p.down) for p in zones["1.L.mana"].pieces] == [("", "", True), ("", "", True), ("N", "5", False)]
    assert "fallen" in zones["1.L.defence"].tags
    assert zones["1.C.defence"].life == 7
    assert zones["1.C.attack"].note == Sentence("max 4", "最大4")
    assert zones["1.R.attack"].pieces[0].label == Sentence("Battering Ram", "破城槌")
    assert [area.title.en for area in whole.areas] == ["Akira", "Hanako", "Table"]
    assert whole.areas[0].subtitle.ja == "マナステーション"


def test_an_attack_under_way_is_an_arrow_from_the_card_to_its_guard(written: Callable[..., Any]) -> None:
    scene = written()["the-middle-of-a-battle"]
    state = scene.rules.state({"source": 1, "guard": 0, "power": 4}, scene.state)
    whole = picture(scene.rules, state, scene.catalogue, boards=scene.position.boards)
    assert whole.arrows == (Arrow("1.C.attack", "2.L.defence", "4"),)
    assert (place_of_source(0, 5), place_of_guard(1, 6)) == ("1.outside.1", "2.extra")


def test_a_boss_for_good_is_one_card_with_a_sign_on_the_other_field(written: Callable[..., Any]) -> None:
    scene = written()["a-boss-for-good"]
    whole = picture(scene.rules, scene.state, scene.catalogue, boards=scene.position.boards)
    zones = {zone.key: zone for zone in whole.zones()}
    assert zones["1.L.attack"].pieces[0].face == "14"
    assert "linked" in zones["1.L.defence"].pieces[0].tags
    assert zones["1.L.defence"].life == 14


@pytest.fixture(scope="module")
def after_a_loss() -> tuple[RuleSet, State, Catalogue]:
    """A boss card for good is to be turned up where an attack card was lost face down."""
    catalogue = Catalogue(map(Card.parse, ("f4", "f7", "B12")))
    rules = monjan(Setting(catalogue, hiding=True))
    state = list(rules.state({"phase": PHASE["EDIT"], "pending": PENDING["BOSS_STAY"], "pending_place": 1}))
    state[rules.cell("ba", catalogue["B12"])] = state[rules.cell("attack_down", 0, 1)] = 1
    return rules, tuple(state), catalogue


def test_an_empty_field_is_empty_although_a_face_down_card_was_lost_there(after_a_loss: tuple[RuleSet, State, Catalogue]) -> None:
    rules, state, catalogue = after_a_loss
    [zone] = [z for z in picture(rules, state, catalogue, (), 1).zones() if z.key == "1.C.attack"]
    assert zone.pieces == ()


def test_a_boss_card_that_was_turned_up_is_seen_by_everybody(after_a_loss: tuple[RuleSet, State, Catalogue]) -> None:
    rules, state, catalogue = after_a_loss
    after = Reference(rules).step(state, Move("turn_up", NATURE, (catalogue["B12"],)))
    [zone] = [z for z in picture(rules, after, catalogue, (), 1).zones() if z.key == "1.C.attack"]
    assert [(piece.face, piece.hidden) for piece in zone.pieces] == [("12", False)]


def test_elements_differ_in_letter_character_colour_and_hatch() -> None:
    for of in ("letter", "kanji", "colour", "hatch"):
        assert len({getattr(suit, of) for suit in PALETTE}) == len(PALETTE), of
    assert {suit.hatch for suit in PALETTE} <= set(HATCHES)


def table_of(*pieces: Piece, **more: Any) -> Picture:
    return Picture(NOTHING, (Area("1", NOTHING, (Zone("1.hand", NOTHING, 0, 0, "fan", pieces),), seat=0),), **more)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: table_of(Piece("a", NOTHING), Piece("a", NOTHING)), "stand twice.* a$"),
        (lambda: table_of(Piece("1", NOTHING)), "stand twice.* 1$"),
        (lambda: table_of(Piece("a", NOTHING, suit="F")), "no suit F"),
        (lambda: table_of(arrows=(Arrow("1", "2"),)), "no place called 2"),
        (lambda: table_of().marked(["2.hand"]), "no place called 2.hand"),
        (lambda: table_of(palette=(Suit("F", NOTHING, "F", "火", "#f00"),)), "#rrggbb"),
        (lambda: table_of(palette=(Suit("F", NOTHING, "F", "火", "#ff0000", "stars"),)), "no hatch stars"),
    ],
)
def test_a_picture_that_does_not_hold_together_is_refused(make: Callable[[], Picture], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        make()


def test_a_picture_that_holds_together_is_not_refused() -> None:
    whole = table_of(Piece("a", NOTHING, suit="F"), palette=(Suit("F", NOTHING, "F", "火", "#ff0000", "dots"),))
    assert whole.marked(["a"], [Arrow("a", "1.hand")]).highlights == {"a"}


def test_a_move_changes_the_places_that_it_touches(written: Callable[..., Any]) -> None:
    scene = written()["ten-cards-on-both-hands"]
    [move] = scene.moves("mana", 0, card=scene.catalogue["f2"], column=2)
    before, after = (picture(s.rules, s.state, s.catalogue) for s in (scene, scene.after(move)))
    assert after.changed(before) == {"1.hand", "1.R.mana"}
    assert after.marked(after.changed(before)).highlights == {"1.hand", "1.R.mana"}
