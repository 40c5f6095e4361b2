"""The written form of a position in a case: players by name, stacks from the bottom, cards by their short names.

What a position does not mention is empty or irrelevant. A card whose conditions are not in
question is named by a stand-in (``any E alive``, ``X(v7)``, ``E with release 1``, an attack
that is only a number), and gets the properties that its name says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

from monjudge.model.monjan.boards import PRINTED, SKILL, Board
from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.cases.card_names import CaseError, attack_of, is_elements, read_card, unknown, whole
from monjudge.model.monjan.match import ABOVE, MODE, OUTSIDE, PHASE, SOURCE

__all__ = ["COLUMNS", "SEATS", "Key", "Position", "check_kinds", "column", "read_position"]

COLUMNS = ("L", "M", "R")
SEATS = ("A", "B", "C", "D")

Key = tuple["str | int | Card", ...]
"""A cell: the name of a field and its indices; a card stands for its number in the catalogue."""

TALLEST = 40
"""Mana cards that a column may hold in a case: the rule set grows with it."""

_NO_BOARD = Board("", (16, 16, 16), 0)
_DID = {"mana": "mana", "att": "attack", "atk": "attack", "dfn": "defence", "def": "defence", "E": "extra",
        "T": "toughness", "BA": "boss", "total": "total"}  # fmt: skip
_BY = {"PAIR": 1, "NUMBER": 2}
_PILES = {
    "deck": ("number or battle card", "NUMBER", "PLUS", "KILL", "PLAIN", "ANY"),
    "et": ("Extra or Toughness card", "EXTRA", "TOUGHNESS"),
    "ba": ("boss or assassin", "BOSS", "ASSASSIN"),
}
_KINDS: Mapping[str, tuple[tuple[type, ...], str]] = {
    **dict.fromkeys(("mana", "def", "atk", "commit", "did", "uses"), ((dict,), '{"L": ...}')),
    **dict.fromkeys(("fallen", "falls_last_battle", "prevOrder", "cols", "witness"), ((list, str), '["L"]')),
    "supplied": ((list, str, dict), '["L"]'), "draws": ((int, dict), '{"normal": 1, "et": 2}'), "alive": ((bool,), "false"),
    **dict.fromkeys(("hand", "out", "above", "attacks", "discard", "deck", "et", "ba"), ((list,), '["f7"]')),
    **dict.fromkeys(("speed", "prio", "turn"), ((int,), "3")), **dict.fromkeys(SEATS, ((dict,), '{"mana": {"L": ["f2"]}}')),
    "ex": ((str, dict, NoneType), '"any E alive"'), "cap": ((dict, NoneType), '{"L": 9}'),
}  # fmt: skip
"""What the parts of a state are in JSON, with an example; a list of single letters may be one text."""


def check_kinds(parts: Mapping[str, Any]) -> None:
    """Raises CaseError for a part of a state that is something else in JSON than it should be."""
    for name, value in parts.items():
        kinds, example = _KINDS.get(name, ((object,), ""))
        if not isinstance(value, kinds) or (isinstance(value, bool) and name in _KINDS and bool not in kinds):
            raise unknown(f"value of {name!r}", value, example)
        if isinstance(value, Mapping) and (name in (*SEATS, *PRINTED) or name == "ex"):
            check_kinds(value)


def column(text: Any) -> int:
    """The number of a column from its letter. Raises CaseError."""
    if text not in COLUMNS:
        raise unknown("column", text, "L, M or R")
    return COLUMNS.index(text)


# -- positions -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """A position as it was written: players, boards, readings, and the cells that it mentions.

    ``words`` are the names by which the case calls its cards; ``declared`` the sources of the
    attacks that a player has declared, in their order, with their names; ``unsettled`` the
    players whose Extra card came without the way in which it was summoned.
    """

    names: tuple[str, ...]
    boards: tuple[Board, ...]
    readings: Mapping[str, str]
    cells: Mapping[Key, int | Card]
    words: Mapping[Card, str]
    declared: Mapping[int, Mapping[int, str]]
    unsettled: Mapping[int, str | None]
    slots: int

    @property
    def cards(self) -> set[Card]:
        """Every card that stands in a cell."""
        return {part for key, value in self.cells.items() for part in (*key, value) if isinstance(part, Card)}


def read_position(state: Mapping[str, Any], readings: Mapping[str, str]) -> Position:
    """The position of a case. Raises CaseError naming what cannot be read."""
    return _Reader(state, readings).position()


@dataclass
class _Reader:
    state: Mapping[str, Any]
    readings: Mapping[str, str]
    cells: dict[Key, int | Card] = field(default_factory=dict)
    words: dict[Card, str] = field(default_factory=dict)
    declared: dict[int, dict[int, str]] = field(default_factory=dict)
    unsettled: dict[int, str | None] = field(default_factory=dict)
    highest: int = 0

    def position(self) -> Position:
        by_board = [name for name in self.state if name in PRINTED]
        count = self.state.get("players", 2)
        if not isinstance(count, int) or not 2 <= count <= len(SEATS):
            raise unknown("number of players", count, "2, 3 or 4")
        named = [*self.state, *self.state.get("prevOrder", ()), self.state.get("rps_winner")]
        last = max((k for k, name in enumerate(SEATS) if name in named), default=0)
        seats = by_board or list(SEATS[: max(count, last + 1)])
        if "players" in self.state and len(seats) > count:
            raise unknown(f"number of players with {', '.join(seats)}", count, str(len(seats)))
        parts = [self._written(name) for name in seats]
        boards = tuple(self._board(part) for part in parts)
        self._boards(boards)
        self.cells["phase",], self.cells["turn",] = PHASE["EDIT"], 2
        for p, part in enumerate(parts):
            self.cells["drawn", p] = 1
            self._player(p, part)
        readings = dict(self.readings)
        for name, value in self.state.items():
            if name not in seats and name not in SEATS:
                self._common(name, value, seats, readings)
        self._places(boards)
        # A column may get one more mana, and with its fall the defence and the attack card.
        slots = max(8, self.highest + 3)
        return Position(tuple(seats), boards, readings, self.cells, self.words, self.declared, self.unsettled, slots)

    def _written(self, name: str) -> Mapping[str, Any]:
        part = self.state.get(name, {})
        if name in PRINTED and isinstance(part, int):
            part = {"mana": {"L": [f"n{part}"]}} if part else {}
        if not isinstance(part, Mapping):
            raise unknown("player", part, '{"mana": {"L": ["f2"]}}')
        return {"board": name, **part} if name in PRINTED else part

    def _board(self, part: Mapping[str, Any]) -> Board:
        name = part.get("board")
        if name is not None and name not in PRINTED:
            raise unknown("board", name, ", ".join(PRINTED))
        board = PRINTED[name] if name is not None else _NO_BOARD
        cap = list(board.cap)
        for letter, most in (part.get("cap") or {}).items():
            cap[column(letter)] = whole("highest attack", most, 1, 16)
        return Board(board.name, tuple(cap), part.get("prio", board.priority), board.left, board.right)  # type: ignore[arg-type]

    def _boards(self, boards: Sequence[Board]) -> None:
        order = sorted({b.priority for b in boards})
        for p, board in enumerate(boards):
            self.cells["rank", p] = order.index(board.priority)
            for c, most in enumerate(board.cap):
                self.cells["cap", p, c] = most
            for side, skill in enumerate((board.left, board.right)):
                self.cells["board_skill", p, side] = SKILL[skill]

    def _places(self, boards: Sequence[Board]) -> None:
        """Where speeds are given, who comes before whom."""
        speeds = [self.cells.get(("speed", p)) for p in range(len(boards))]
        if any(s is not None for s in speeds):
            order = sorted(range(len(boards)), key=lambda p: (-(speeds[p] or 0), boards[p].priority))  # type: ignore[operator]
            for place, p in enumerate(order):
                self.cells["place", p] = place

    def card(self, given: Any) -> Card:
        card = read_card(given)
        self.words.setdefault(card, given if isinstance(given, str) else str(card))
        return card

    def _of_kind(self, given: Any, what: str, *kinds: str) -> Card:
        card = self.card(given)
        if card.kind not in kinds:
            raise unknown(what, given, "any E alive" if "EXTRA" in kinds else "B22")
        return card

    def add(self, name: str, p: int | None, given: Any) -> None:
        """One more of a card in the hand or pile of a player, or in a pile that is nobody's."""
        key = (name, self.card(given)) if p is None else (name, p, self.card(given))
        self.cells[key] = int(self.cells.get(key, 0)) + 1  # type: ignore[arg-type]

    # -- what stands beside the players ------------------------------------------------------------

    def _common(self, name: str, value: Any, seats: Sequence[str], readings: dict[str, str]) -> None:
        match name:
            case "players" | "pool":
                pass
            case "phase":
                if value not in (*PHASE.labels, "SETUP"):
                    raise unknown("phase", value, "EDIT or BATTLE")
            case "turn":
                self.cells["turn",] = value
            case "mode":
                if value not in MODE.labels:
                    raise unknown("mode", value, ", ".join(MODE.labels))
                self.cells["mode",] = MODE[value]
            case "seq":
                readings["SEQ"] = "ON" if value else "OFF"
            case "prevOrder":
                if sorted(value) != sorted(seats):
                    raise unknown("order of all players", value, ", ".join(seats))
                for place, player in enumerate(value):
                    self.cells["place_before", seats.index(player)] = place
            case "ba_top" | "deck_top" | "et_top":
                for depth, given in enumerate(value if isinstance(value, list) else [value]):
                    self.cells[name, depth] = self._of_kind(given, *_PILES[name.removesuffix("_top")])
            case "ba" | "deck" | "et":
                for given in value:
                    self._of_kind(given, *_PILES[name])
                    self.add(name, None, given)
            case "discard":
                for given in value:
                    self.add("discard", 0, given)
            case "rps_winner":
                if value not in seats:
                    raise unknown("player", value, ", ".join(seats))
            case _:
                raise unknown("part of a state", name, "A, B, turn, mode, deck, deck_top, et, et_top, ba, ba_top, discard")

    # -- what a player has -------------------------------------------------------------------------

    def _player(self, p: int, part: Mapping[str, Any]) -> None:
        readers: dict[str, Callable[[int, Any], None]] = {
            "mana": self._mana, "def": self._defences, "atk": self._attacks, "fallen": self._fallen, "hand": self._hand,
            "ex": self._extra, "out": self._outside, "above": self._above, "commit": self._committed, "did": self._did,
            "uses": self._uses, "supplied": self._supplied, "speed": self._speed, "falls_last_battle": self._felled,
            "draws": self._draws, "discard": self._discard, "alive": self._alive,
        }  # fmt: skip
        passed_over = {"board", "cap", "prio", "attacks"}
        if strange := [name for name in part if name not in readers and name not in passed_over]:
            raise unknown("part of a player", strange[0], ", ".join((*readers, "board", "cap", "prio", "attacks")))
        # Stacks come first: the witnesses of an Extra card lie in them.
        for name in readers:
            if name in part:
                readers[name](p, part[name])
        # Declared attacks take the places that the other cards leave.
        if "attacks" in part:
            self._declare(p, part["attacks"])

    def _mana(self, p: int, value: Mapping[str, Any]) -> None:
        for letter, stack in value.items():
            c = column(letter)
            if not isinstance(stack, list) or len(stack) > TALLEST:
                raise unknown(f"stack of at most {TALLEST} cards", stack, '["f2", "w3"]')
            self.highest = max(self.highest, len(stack))
            elements = next((n for n, card in enumerate(stack) if not is_elements(card)), len(stack))
            if any(map(is_elements, stack[elements:])):
                raise CaseError(f"Elements lie at the bottom of a stack, not above plain mana: {stack}",
                                f"エレメンツは列の一番下にある。ふつうのマナの上には置かれない：{stack}")  # fmt: skip
            self.cells["mana_height", p, c], self.cells["elements", p, c] = len(stack), elements
            for s, given in enumerate(stack):
                self.cells["mana", p, c, s] = self.card(given[1:] if s < elements and given != "*" else given)
                self.cells["mana_down", p, c, s] = int(s < elements)

    def _defences(self, p: int, value: Mapping[str, Any]) -> None:
        for letter, standing in value.items():
            if standing is not None:
                if isinstance(standing, list) and len(standing) != 2:
                    raise unknown("defence", standing, '["f8", 5]')
                given, life = standing if isinstance(standing, list) else (standing, None)
                card = self.card(given)
                self.cells["defence", p, column(letter)] = card
                self.cells["life", p, column(letter)] = min(16, card.value) if life is None else life

    def _attacks(self, p: int, value: Mapping[str, Any]) -> None:
        for letter, given in value.items():
            if given is not None:
                self.cells["attack", p, column(letter)] = self.card(given)

    def _fallen(self, p: int, value: Sequence[str]) -> None:
        for letter in value:
            self.cells["fallen", p, column(letter)] = 1

    def _felled(self, p: int, value: Sequence[str]) -> None:
        self._fallen(p, value)
        for letter in value:
            self.cells["fell", p, column(letter)] = 1

    def _draws(self, p: int, value: int | Mapping[str, Any]) -> None:
        """The edit turn still begins with a draw of so many cards, from the normal and the ET pile."""
        due = value if isinstance(value, Mapping) else {"normal": value}
        if strange := due.keys() - {"normal", "et"}:
            raise unknown("pile of a draw", sorted(strange)[0], "normal or et")
        self.cells["due", p] = whole("number of draws", due.get("normal", 0), 0, 12)
        self.cells["due_et", p] = whole("number of draws", due.get("et", 0), 0, 12)
        self.cells["drawn", p] = 0

    def _supplied(self, p: int, value: Sequence[str] | Mapping[str, Any]) -> None:
        for letter in value:
            done = value[letter] if isinstance(value, Mapping) else True
            self.cells["supplied", p, column(letter)] = whole("truth value", int(done), 0, 1)

    def _alive(self, p: int, value: bool) -> None:
        self.cells["alive", p] = int(value)

    def _discard(self, p: int, value: Sequence[Any]) -> None:
        for given in value:
            self.add("discard", p, given)

    def _hand(self, p: int, value: Sequence[Any]) -> None:
        for given in value:
            self.add("hand", p, given)

    def _extra(self, p: int, value: Any) -> None:
        if value is None:
            return
        given, by = value, None
        if isinstance(value, Mapping) and "card" in value:
            given, by = value["card"], value.get("by")
            if by is not None and by not in _BY:
                raise unknown("way of summoning", by, "PAIR or NUMBER")
        card = self.cells["extra", p] = self._of_kind(given, "Extra card", "EXTRA")
        self.cells["extra_by", p] = _BY[by] if by else 0
        witness = value.get("witness") if isinstance(value, Mapping) and "card" in value else None
        if by and witness is not None:
            for text in [witness] if isinstance(witness, str) else witness:
                self._witness(p, text)
        elif by == "PAIR" and value.get("cols"):
            for letter in value["cols"]:
                self.cells["witness", p, column(letter)] = int(self.cells.get(("mana_height", p, column(letter)), 0))  # type: ignore[arg-type]
        elif (by and not card.name) or (given is value and isinstance(value, Mapping)):
            self.unsettled[p] = by

    def _witness(self, p: int, text: str) -> None:
        letter, _, given = text.partition(" ")
        c, card = column(letter), read_card(given)
        places = [s for s in range(self.highest) if self.cells.get(("mana", p, c, s)) == card]
        if not places:
            raise CaseError(f"the witness {text!r} does not lie in its column", f"召喚の根拠{text!r}がその列に無い")
        self.cells["witness", p, c] = places[-1] + 1

    def _outside(self, p: int, value: Sequence[Any]) -> None:
        for i, given in enumerate(value):
            if i >= OUTSIDE:
                raise CaseError(f"the model has room for {OUTSIDE} cards outside the board", f"この模型では場外に{OUTSIDE}枚まで置ける")
            self.cells["outside", p, i] = self.card(given)

    def _above(self, p: int, value: Sequence[Any]) -> None:
        for i, given in enumerate(value):
            if i >= ABOVE:
                raise CaseError(f"the model has room for {ABOVE} cards above the attack row", f"この模型では攻撃欄の上に{ABOVE}枚まで置ける")
            self.cells["above", p, i] = self.card(given)

    def _committed(self, p: int, value: Mapping[str, Sequence[int]]) -> None:
        for letter, slots in value.items():
            height = int(self.cells.get(("mana_height", p, column(letter)), 0))  # type: ignore[arg-type]
            if not isinstance(slots, list) or not all(type(s) is int and 0 <= s < height for s in slots):
                raise unknown(f"list of mana of a stack of {height}", slots, "[0]")
            for s in slots:
                self.cells["spent", p, column(letter), s] = 1

    def _did(self, p: int, value: Mapping[str, int]) -> None:
        for name, number in value.items():
            whole("count of an edit turn", number, 0, 99)
            if name in _DID:
                self.cells[f"did_{_DID[name]}", p] = number
            elif name in ("editSkill", "battleSkill"):
                self.cells["skill_used", p, int(name == "battleSkill"), 0] = int(number > 0)
                if name == "editSkill":
                    self.cells["did_edit_skill", p] = number
            else:
                raise unknown("count of an edit turn", name, ", ".join((*_DID, "editSkill", "battleSkill")))
        if "total" not in value:
            self.cells["did_total", p] = sum(n for k, n in value.items() if k in _DID and k != "BA")

    def _uses(self, p: int, value: Mapping[str, int]) -> None:
        for name, number in value.items():
            if name == "recycle":
                self.cells["reused", p, 0] = 2 if number else 0
            elif name in ("ritual", "tea", "castle", "trap"):
                self.cells[f"uses_{name}", p] = number
            else:
                raise unknown("skill with a limit", name, "ritual, tea, castle, trap or recycle")

    def _speed(self, p: int, value: int) -> None:
        self.cells["speed", p] = value

    def _declare(self, p: int, value: Sequence[Any]) -> None:
        """Each declared attack gets the source where its card stands, or a free one."""
        sources: dict[int, str] = {}
        for given in value:
            if isinstance(given, int) or (isinstance(given, str) and re.fullmatch("[0-9]+", given)):
                card, stands = attack_of(int(given) if isinstance(given, str) else given), False
                self.words.setdefault(card, str(given))
            else:
                card, stands = self.card(given), True
            source = self._source(p, card, sources, stands)
            sources[source] = str(given) if not isinstance(given, Mapping) else str(card)
        self.declared[p] = sources

    def _killers(self) -> bool:
        return any(card.kind == "KILL" for part in self.state.values() if isinstance(part, Mapping)
                   for card in map(read_card, part.get("hand") or ()))  # fmt: skip

    def _source(self, p: int, card: Card, taken: Mapping[int, str], stands: bool) -> int:
        places: list[Key] = [*(("attack", p, c) for c in range(3)), ("extra", p), *(("outside", p, i) for i in range(OUTSIDE))]
        free = [n for n in range(len(places)) if n not in taken]
        if stands:
            for n in free:
                if self.cells.get(places[n]) == card:
                    return n
        order = [3] if card.kind == "EXTRA" else [4, 5] if card.kind in ("BOSS", "ASSASSIN") else [0, 1, 2, 4, 5]
        if not stands and not self._killers():
            # Where nobody can play Kill, the place of the Extra card is like any other.
            order.append(3)
        for n in order:
            if n in free and places[n] not in self.cells:
                self.cells[places[n]] = card
                return n
        raise CaseError(f"the model has no room for so many attacks of one player ({SOURCE.size} sources)",
                        f"この模型では一人の攻撃をこれだけ置けない（{SOURCE.size}か所）")  # fmt: skip
