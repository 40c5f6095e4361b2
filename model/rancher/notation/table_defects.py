"""What cannot lie on a table although it can be written: each with the clause that forbids it.

A position is taken as it was written, before any rule fires by itself. What only a reading
forbids is asked under the readings of the position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from monjudge.model.language import RuleSet, State
from monjudge.model.notation.cells import NOTHING, View, said
from monjudge.model.notation.defects import Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import Card, Catalogue
from monjudge.model.rancher.decks import shipped_decks
from monjudge.model.rancher.match import MOST_UNINJURED, STEP
from monjudge.model.rancher.notation.fields import PLAYER, TABLE
from monjudge.model.rancher.notation.names import Names
from monjudge.model.rancher.notation.position import SEATS, Table, belonging

__all__ = ["table_defects"]

FAME = 3
"""R.WIN.2: so many fame counters win."""

_IN_ARENA = range(STEP.MOVE, STEP.ROUND + 1)


def table_defects(rules: RuleSet, state: State, table: Table) -> list[Defect]:
    """Every defect of a position, at the path of its canonical data."""
    view = View(rules, state, table.setting.catalogue, table.names)
    data = said(TABLE, view) | {"players": {seat: said(PLAYER, view, (p,)) for p, seat in enumerate(SEATS)}}
    found: list[Defect] = []
    for p, seat in enumerate(SEATS):
        part, path = data["players"][seat], f"players.{seat}"
        found += [*_copies(belonging(data, p, table.names), table.decks[p], path), *_monsters(part, path, view)]
    return [*found, *_types(data, table.names), *_nobody(data), *_both_won(view, table), *_arena(data, view)]


def _defect(path: str, code: str, clause: str, en: str, ja: str) -> Defect:
    return Defect(path, Sentence(f"{clause}: {en}", f"{clause}：{ja}"), code, clause=clause)


def _copies(cards: Counter[str], deck: str, path: str) -> Iterator[Defect]:
    """More cards of a name than a deck may have (R.DECK.2), or than the deck of the player has (R.COMP.1)."""
    copies = {card.name: n for card, n in shipped_decks()[deck].cards.items()} if deck else {}
    for word, n in cards.items():
        most = copies.get(word, 0) if deck else Catalogue.MOST
        if n > most:
            whose = (f"the deck {deck} has {most}", f"デッキ{deck}には{most}枚") if deck else (f"at most {most}", f"最大{most}枚")
            yield _defect(path, "too-many-copies", "R.COMP.1" if deck else "R.DECK.2",
                          f"{n} cards {word}, {whose[0]}", f"{word}が{n}枚ある。{whose[1]}")  # fmt: skip


def _monsters(part: Mapping[str, Any], path: str, view: View) -> Iterator[Defect]:
    """The field of a player: how many stand, who is active, what is attached."""
    field = [item if isinstance(item, Mapping) else {"card": item} for item in part.get("monsters", ())]
    standing = [item for item in field if item["card"] != NOTHING and "injured" not in item]
    if len(standing) > MOST_UNINJURED and "due" not in part:
        yield _defect(f"{path}.monsters", "not-on-a-table", "R.MON.3", f"{len(standing)} uninjured monsters, at most {MOST_UNINJURED}",
                      f"負傷していないモンスターが{len(standing)}体。最大{MOST_UNINJURED}体")  # fmt: skip
    if "active" in part:
        number = part["active"]
        active = field[number - 1] if number <= len(field) else {"card": NOTHING}
        if active["card"] == NOTHING:
            yield _defect(f"{path}.active", "not-on-a-table", "R.MON.4", f"there is no monster {number}", f"{number}番目のモンスターはいない")
        elif "injured" in active:
            yield _defect(f"{path}.active", "not-on-a-table", "R.INJ.1", "an injured monster cannot be active", "負傷モンスターはアクティブにできない")
    for n, item in enumerate(field):
        yield from _attached(item.get("gear", ()), "monster", f"{path}.monsters[{n}].gear", view.names)
        if item["card"] == NOTHING and len(item) > 1:
            yield _defect(f"{path}.monsters[{n}]", "not-on-a-table", "R.TRAIN.2", "something is on a monster that is not there",
                          "いないモンスターに何かが付いている")  # fmt: skip
        elif item["card"] != NOTHING and view.names.card(item["card"]).playmates:
            yield _defect(f"{path}.monsters[{n}]", "not-on-a-table", "R.PM.2", "a Playmates card cannot be used as it is",
                          "プレイメイト版のカードはそのままでは使えない")  # fmt: skip
    yield from _attached(part.get("kit", ()), "player", f"{path}.kit", view.names)


def _attached(words: Any, place: str, path: str, names: Names) -> Iterator[Defect]:
    """Attachments lie where their text says (R.ATT.3), one of each category (R.ATT.5)."""
    cards: list[Card] = [names.card(word) for word in words]
    for card in cards:
        if place not in card.place:
            en, ja = {"monster": ("a monster", "モンスター"), "player": ("a player", "プレイヤー")}[place]
            yield _defect(path, "wrong-place", "R.ATT.3", f"{card.name} is not attached to {en}", f"{card.name}は{ja}に付けるカードではない")
    for category, n in Counter(card.category for card in cards if card.category).items():
        if n > 1:
            yield _defect(path, "not-on-a-table", "R.ATT.5", f"{n} attachments of the category {category}", f"種類{category}のアタッチメントが{n}枚")


def _types(data: Mapping[str, Any], names: Names) -> Iterator[Defect]:
    """Only a Battle card is fought (R.BAT.2), and only a training is judged (R.TRAIN.7)."""
    for key, type, clause, en, ja in (
        ("battle", "BATTLE", "R.BAT.2", "is no Battle card", "はバトルカードではない"),
        ("course", "TRAINING", "R.TRAIN.7", "is no Training card", "はトレーニングカードではない"),
    ):
        if key in data and (card := names.card(data[key])).type != type:
            yield _defect(key, "wrong-place", clause, f"{card} {en}", f"{card}{ja}")


def _nobody(data: Mapping[str, Any]) -> Iterator[Defect]:
    """Everybody begins with a monster (R.SETUP.1), and an injured one stays on the field (R.INJ.1)."""
    for seat, part in data["players"].items():
        if data["step"] != "CHOOSE" and "monsters" not in part:
            yield _defect(f"players.{seat}", "not-on-a-table", "R.SETUP.1", f"Player {seat} has no monster, not even an injured one",
                          f"プレイヤー{seat}に、負傷したものも含めてモンスターがいない")  # fmt: skip


def _both_won(view: View, table: Table) -> Iterator[Defect]:
    """The game ends as soon as somebody has three fame counters, so that both have them only if both gain them at once (R.WIN.2)."""
    setting = table.setting
    at_once = setting.readings.get("AMB_WINTIE", "AT_ONCE") == "AT_ONCE" and "AMB_WINTIE" not in setting.open
    together = any(deed.do == "fame" and deed.who == "both" for card in setting.catalogue.cards for deed in card.deeds)
    won = all(view.number("fame", p) >= FAME for p in range(2))
    if won and at_once and not together and view.number("step") != STEP.CLEAR:
        yield _defect("players.2.fame", "not-on-a-table", "R.WIN.2", f"both have {FAME} fame counters or more, and play goes on",
                      f"両者の名声が{FAME}以上なのに、ゲームが続いている")  # fmt: skip


def _arena(data: Mapping[str, Any], view: View) -> Iterator[Defect]:
    """Two monsters on two squares, during a battle and only then (R.ARENA.2, R.MOVE.11, R.BAT.4)."""
    squares = [view.number("square", p) for p in range(2)]
    fights = view.number("step") in _IN_ARENA
    for p, seat in enumerate(SEATS):
        if fights and not squares[p]:
            yield _defect(f"players.{seat}", "not-on-a-table", "R.ARENA.2", "a battle is on, and the active monster is on no square",
                          "バトル中なのにアクティブモンスターがマスにいない")  # fmt: skip
        if fights and squares[p] and view.number("active", p) < 0:
            yield _defect(f"players.{seat}.square", "not-on-a-table", "R.ARENA.2", "only an active monster is in the arena",
                          "闘技場に入るのはアクティブモンスターだけ")  # fmt: skip
    if squares[0] and squares[0] == squares[1]:
        yield _defect("players.2.square", "not-on-a-table", "R.MOVE.11", "both monsters are on one square", "二体が同じマスにいる")
