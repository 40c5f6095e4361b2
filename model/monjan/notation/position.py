"""Positions between their written form and the rules: the catalogue of the named cards, the setting, the state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from monjudge.model.language import RuleSet, State
from monjudge.model.monjan.boards import PRINTED, Board, board_data
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.catalogue.packs import BOSS, ET, MONJAN, default_pack, own_cards, own_data
from monjudge.model.monjan.match import PHASE, Setting
from monjudge.model.monjan.notation.cards import TOKEN, UNKNOWN, Names
from monjudge.model.monjan.notation.cells import Cells
from monjudge.model.monjan.notation.fields import BATTLE, KNOWN, PENDING_PARTS, PLAYER, TABLE
from monjudge.model.monjan.notation.form import REST, line_form, state_form
from monjudge.model.monjan.notation.summoned import as_summoned
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import SLOTS, cards_in_play
from monjudge.model.monjan.texts import switch_texts
from monjudge.model.notation.cells import View, check_all_said, check_fitting, filled, said
from monjudge.model.notation.cursor import Cursor, unpacked
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.documents import Origin
from monjudge.model.notation.places import Places, at
from monjudge.model.notation.reading import Reading

__all__ = ["NO_BOARD", "Table", "board_of", "board_words", "canonical", "line", "read_line", "read_state", "with_cards", "written"]

NO_BOARD = Board("", (16, 16, 16), 0)
"""The board of a player whose board is not said: it forbids nothing and has no skills."""

_PILES = {"deck": ("deck", MONJAN), "boss": ("ba", BOSS), "et": ("et", ET), "pool": ("pool", ET)}
"""The piles that may be the rest of the pack: their field, and the kinds of cards that ``rest`` means."""


@dataclass(frozen=True)
class Table:
    """What a position remembers: the setting of its rules, the names of its cards, and other boards that may lie on the table.

    The last are known by their names where boards are fields.
    """

    setting: Setting
    names: Names
    origin: Origin | None = field(default=None, compare=False)
    designs: tuple[Board, ...] = ()

    @property
    def players(self) -> int:
        return self.setting.players


def canonical(document: Any, reading: Reading | None = None) -> dict[str, Any]:
    """A written position in its one form; ``reading`` then knows what was called how. Raises DataError with every defect of the writing."""
    reading = reading or Reading()
    names = _names(document, reading)
    data: dict[str, Any] = state_form(names).read(document, "", reading)
    reading.finish()
    if names.own:
        data["cards"] = own_data(names.own)
    _mark_the_pack(data)
    return state_form(names).read({**data, "hidden": True}, "", Reading()) if _lies_face_down(data) else data


def _names(document: Any, reading: Reading) -> Names:
    given = next((document[key] for key in ("cards", "カード") if key in document), None) if isinstance(document, Mapping) else None
    return Names(own_cards(given, "cards", reading) if isinstance(given, dict) else ())


def _lies_face_down(data: Mapping[str, Any]) -> bool:
    """Whether a card lies face down, which is only where cards may be hidden."""
    for part in data.get("players", {}).values():
        extra = part.get("extra", "")
        words = [*part.get("attack", {}).values(), *part.get("outside", ()), extra["card"] if isinstance(extra, Mapping) else extra]
        words += [word for stack in part.get("mana", {}).values() for word in stack if word[0] != "*"]
        if any(len(word) > 1 and word.rstrip("_").endswith("-") for word in words):
            return True
    return False


def _mark_the_pack(data: dict[str, Any]) -> None:
    """The mark of the pack is written exactly where a pile is the rest of it."""
    if any(_is_rest(data, pile) for pile in _PILES):
        data["pack"] = default_pack().hash[:8]
    else:
        data.pop("pack", None)


def read_line(text: str) -> tuple[dict[str, Any], Places]:
    """The canonical data of a line, with the places of what was read. Raises DataError at the character that will not do."""
    reading = Reading()
    if "\uff1a" in text:
        reading.no_record(text, "")
    packed = _OWN_CARDS.search(text)
    names = _names({"cards": unpacked(Cursor(text, packed.start(1)))}, reading) if packed else Names(())
    reading.finish()
    cursor = Cursor(text.strip())
    data = line_form(names).scan(cursor)
    try:
        return canonical(data), cursor.places
    except DataError as error:
        raise DataError([replace(d, place=cursor.places.of(d)) for d in error.defects]) from None


_OWN_CARDS = re.compile("/C=([A-Za-z0-9_-]+)")


def line(data: dict[str, Any]) -> str:
    """The line of canonical data."""
    return line_form(_names(data, Reading())).write(data)


# -- from data to a state ----------------------------------------------------------------------------------


def read_state(
    data: Mapping[str, Any], readings: Mapping[str, str], open: Collection[str], cards: Iterable[Card] = ()
) -> tuple[RuleSet, State, Table]:
    """The rules and the state of canonical data; ``cards`` are in the catalogue besides those that are named.

    Raises DataError for readings that do not exist or are fixed in this version, and for what plays no part under these.
    """
    names = _names(data, Reading())
    parts = list(_parts(data, names))
    cells = _together(parts)
    named = {part for key, value in cells.items() for part in (*key, value) if isinstance(part, Card)}
    table = _setting(data, {**data.get("readings", {}), **readings}, open, {*named, *cards})
    _rest(data, cells, table)
    rules = monjan(table)

    def number(family: str, part: Any) -> int:
        return table.catalogue[part] if isinstance(part, Card) else int(part)

    check_fitting(rules, parts, number)
    check_fitting(rules, [("", cells)], number)  # with the rest of the pack
    return rules, as_summoned(rules, filled(rules, cells, number), data.get("players", {})), Table(table, names)


def _parts(data: Mapping[str, Any], names: Names) -> Iterator[tuple[str, Cells]]:
    """The cells of each key of a position, by its path; those of a later part take the place of earlier ones."""
    yield "", {("phase",): PHASE["EDIT"], ("turn",): 2}
    players = data.get("players", {})
    for p in range(_count(data)):
        yield "", {("drawn", p): int(data.get("phase", "EDIT") == "EDIT")}
        seat = str(p + 1)
        part = players.get(seat, {})
        yield from ((f"players.{seat}.{key}", held.cells(part[key], (p,), names)) for key, held in PLAYER.items() if key in part)
    for above, fields, part in (("", TABLE, data), ("battle", BATTLE, data.get("battle", {})), ("pending", PENDING_PARTS, data.get("pending", {}))):
        yield from ((at(above, key), held.cells(part[key], (), names)) for key, held in fields.items() if key in part)


def _together(parts: Iterable[tuple[str, Cells]]) -> Cells:
    return {key: value for _, cells in parts for key, value in cells.items()}


def _count(data: Mapping[str, Any]) -> int:
    return max((2, *map(int, data.get("players", {}))))


def _setting(data: Mapping[str, Any], readings: Mapping[str, str], open: Collection[str], cards: set[Card]) -> Setting:
    mode = data.get("mode", "EXTRA")
    if any(_is_rest(data, pile) for pile in _PILES):
        cards |= set(cards_in_play(default_pack(), mode))
    if readings.get("A124") == "TOKEN" or "A124" in open:
        cards.add(TOKEN)
    boards = tuple(board_of(data["players"][seat].get("board") if seat in data.get("players", {}) else None)
                   for seat in map(str, range(1, _count(data) + 1)))  # fmt: skip
    defaults = {id: text.default for id, text in switch_texts().items()}
    chosen = {id: word for id, word in readings.items() if word != defaults.get(id)}
    return Setting(  # rules speak of cards, so that a table on which none is named has an unknown one
        Catalogue(cards or {UNKNOWN}), boards, mode, chosen, frozenset(open), slots=data.get("slots", _slots(data)),
        hiding="hidden" in data, draft=any(key in data for key in ("pool", "mixing", "picks_by_lot")) or data.get("phase") == "DRAFT",
    )  # fmt: skip


def _slots(data: Mapping[str, Any]) -> int:
    """Room for one more mana in each column, and for its defence and attack card when it falls; more in a whole match."""
    if any(_is_rest(data, pile) for pile in _PILES):
        return SLOTS
    stacks = (stack for part in data.get("players", {}).values() for stack in part.get("mana", {}).values())
    return max(8, 3 + max(map(len, stacks), default=0))


def board_of(data: Any) -> Board:
    """The board of its canonical data; None where it is not said."""
    if data is None:
        return NO_BOARD
    if isinstance(data, str):
        return PRINTED[data]
    left, centre, right = data["cap"]
    title = data.get("name", {})
    return Board(data.get("id", "OWN"), (left, centre, right), data["priority"], data.get("left", "NONE"), data.get("right", "NONE"),
                 title.get("en", ""), title.get("ja", ""))  # fmt: skip


def _is_rest(data: Mapping[str, Any], pile: str) -> bool:
    return REST in data.get(pile, ())


def _rest(data: Mapping[str, Any], cells: Cells, setting: Setting) -> None:
    """The cards of the pack that lie nowhere else go to the piles that are the rest of it."""
    lying = cards_lying(cells)
    for pile, (family, kinds) in _PILES.items():
        if _is_rest(data, pile):
            for card, copies in _stock(setting, kinds).items():
                if copies > lying[card]:
                    cells[family, card] = int(cells.get((family, card), 0)) + copies - lying[card]  # type: ignore[arg-type]


def _stock(setting: Setting, kinds: Collection[str]) -> Counter[Card]:
    """All copies of the pack of cards of these kinds that are in play."""
    in_play = set(setting.catalogue.cards)
    return Counter({card: n for card, n in default_pack().copies(kinds).items() if card in in_play})


def cards_lying(cells: Cells) -> Counter[Card]:
    """How many copies of each card lie somewhere, a card that is attack and defence at once counted once."""
    found: Counter[Card] = Counter()
    for key, value in cells.items():
        family = key[0]
        if isinstance(key[-1], Card) and isinstance(value, int):
            found[key[-1]] += value
        elif isinstance(value, Card) and family not in ("deck_top", "et_top", "ba_top", "last_card", "pending_card"):
            standing = family == "defence" and value.kind in BOSS and cells.get(("attack", *key[1:])) == value
            found[value] += not standing
    return found


def with_cards(data: Mapping[str, Any], table: Table, cards: Iterable[Card]) -> tuple[RuleSet, State, Table]:
    """The same position with more cards in its catalogue."""
    setting = table.setting
    return read_state(data, setting.readings, setting.open, {*setting.catalogue.cards[1:], *cards})


# -- from a state to data ----------------------------------------------------------------------------------


def written(rules: RuleSet, state: State, table: Table) -> dict[str, Any]:
    """The canonical data of a state. Raises LookupError for a field that has no key and is not as it begins."""
    setting = table.setting
    check_all_said(rules, state, KNOWN)
    view = View(rules, state, setting.catalogue, table.names)
    data = said(TABLE, view)
    data["mode"], data["readings"] = setting.mode, dict(setting.readings)
    data["players"] = {str(p + 1): _player(view, p, setting.boards[p]) for p in range(setting.players)}
    for part, fields in (("battle", BATTLE), ("pending", PENDING_PARTS)):
        data[part] = said(fields, view)
    if setting.hiding:
        data["hidden"] = True
    data["cards"] = own_data(table.names.own)
    _as_rest(data, table)
    reading = Reading()
    kept = {key: found for key, found in data.items() if found not in ({}, [])}
    if setting.slots != _slots(kept):
        kept["slots"] = setting.slots
    result: dict[str, Any] = state_form(table.names).read(kept, "", reading)
    reading.finish()
    _mark_the_pack(result)
    return result


def _player(view: View, p: int, board: Board) -> dict[str, Any]:
    found: dict[str, Any] = {} if board == NO_BOARD else {"board": board_words(board)}
    return found | said(PLAYER, view, (p,))


def board_words(board: Board) -> Any:
    """A printed board by its name, any other as its data."""
    if PRINTED.get(board.name) == board:
        return board.name
    data = board_data(board)
    if not (board.en or board.ja):
        del data["name"]
    if board.name == "OWN":
        del data["id"]
    return data


def _as_rest(data: dict[str, Any], table: Table) -> None:
    """A pile that holds the rest of the pack is said so."""
    setting, names = table.setting, table.names
    if not set(cards_in_play(default_pack(), setting.mode)) <= set(setting.catalogue.cards):
        return
    lying = cards_lying(_together(_parts(data, names)))
    for pile, (_, kinds) in _PILES.items():
        if pile == "pool" and _is_rest(data, "et"):
            continue
        words = data.get(pile, [])
        held = Counter(names.card(word) for word in words)
        stock = _stock(setting, kinds)
        rest = {card: copies - lying[card] + held[card] for card, copies in stock.items()}
        if held and all(held[card] == max(0, copies) for card, copies in rest.items()):
            named = [word for word in words if names.card(word) not in stock]
            data[pile] = [REST, *named] if named else REST
