"""The pieces that the notation of a move is made of: cards, columns, words, payments - printed and read alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn, Protocol

from monjudge.model.language import Param
from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.match import COLUMN
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.notation.words import COLUMN_WORD
from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.reading import fold
from monjudge.model.notation.sentence import Sentence

__all__ = [
    "AT_ANOTHER", "AT_ONESELF", "Aim", "Counted", "Counting", "OfCard", "OfColumn", "OneOf", "Paid", "Piece", "Spoken", "Tagged",
    "card_of", "effect_of", "third_part",
]  # fmt: skip


@dataclass
class Spoken:
    """A text being read as a move: its words with where they stand, and the arguments found so far."""

    text: str
    table: Table
    words: list[tuple[str, int]]
    here: int = 0
    found: dict[str, int] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    less: dict[str, int] = field(default_factory=dict)
    """By parameter: which word gave it, and by how much the word is larger."""

    @property
    def word(self) -> str:
        return self.words[self.here][0] if self.here < len(self.words) else ""

    def take(self) -> str:
        self.here += 1
        return self.words[self.here - 1][0]

    def beyond(self, param: Param) -> NoReturn:
        """Raises DataError: the word that gave this parameter is outside what the model can say."""
        less = self.less.get(param.name, 0)
        low, high = param.values[0] - less, param.values[-1] - less
        self.here = self.at.get(param.name, self.here)
        self.fail(f"{param.name} {low}..{high}", f"{param.name}（{low}～{high}）", "out-of-range")

    def fail(self, en: str, ja: str, code: str = "unreadable-move") -> NoReturn:
        """Raises DataError: what was read at which character, and what would do."""
        word, at = self.words[self.here] if self.here < len(self.words) else ("", len(self.text))
        read_en, read_ja = (repr(word), f"「{word}」") if word else ("the end", "終わり")
        text = Sentence(f"character {at + 1}: {read_en}, where {en} would do", f"{at + 1}文字目：{read_ja}。ここに書けるのは{ja}")
        raise DataError([Defect("", text, code, Place(1, at + 1, max(1, len(word))))])


class Piece(Protocol):
    """A part of a move: the parameters it speaks of, its words, and how they are read."""

    @property
    def params(self) -> tuple[str, ...]: ...

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]: ...

    def read(self, spoken: Spoken) -> None: ...


def _column(spoken: Spoken) -> int:
    name = next((n for n in (*COLUMN_WORD.words, *COLUMN_WORD.aliases) if fold(n) == fold(spoken.word)), "")
    if not name:
        spoken.fail("a column, L C or R,", "列（L、C、R）")
    spoken.take()
    return COLUMN[COLUMN_WORD.aliases.get(name, name)]


def _whole(spoken: Spoken, en: str, ja: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4}", spoken.word):
        spoken.fail(en, ja)
    return int(spoken.take())


@dataclass(frozen=True)
class OfCard:
    """A card of the catalogue."""

    param: str = "card"

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield table.names.word(table.setting.catalogue.cards[args[self.param]])

    def read(self, spoken: Spoken) -> None:
        spoken.found[self.param] = _number(spoken, card_of(spoken))


def card_of(spoken: Spoken) -> Card:
    """The card of the next words: the longest run of up to four that is a name."""
    if not spoken.word:
        spoken.fail("a card", "カード", "unreadable-card")
    for length in (4, 3, 2, 1):
        words = [word for word, _ in spoken.words[spoken.here : spoken.here + length]]
        try:
            card = spoken.table.names.card(" ".join(words))
        except DataError as error:
            if length == 1:
                word, at = spoken.words[spoken.here]
                place = Place(1, at + 1, len(word))
                raise DataError([replace(error.defects[0], place=place)]) from None
            continue
        spoken.here += length
        return card
    raise AssertionError("the last try returns or raises")


def _number(spoken: Spoken, card: Card) -> int:
    catalogue = spoken.table.setting.catalogue
    if card not in set(catalogue.cards):
        spoken.here -= 1
        word = spoken.table.names.word(card)
        spoken.fail(f"a card of this position; {word} lies nowhere in it,", f"この局面にあるカード（{word}はどこにもない）", "card-not-there")
    return catalogue[card]


@dataclass(frozen=True)
class OfColumn:
    """A column; ``less`` is what its number is smaller by than the parameter."""

    param: str = "column"
    less: int = 0

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield COLUMN.labels[args[self.param] - self.less]

    def read(self, spoken: Spoken) -> None:
        spoken.found[self.param] = _column(spoken) + self.less


@dataclass(frozen=True)
class Counted:
    """A number; people count from 1 where ``less`` is -1."""

    param: str
    less: int = -1

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield str(args[self.param] - self.less)

    def read(self, spoken: Spoken) -> None:
        spoken.at[self.param], spoken.less[self.param] = spoken.here, self.less
        spoken.found[self.param] = _whole(spoken, "a number", "数") + self.less


@dataclass(frozen=True)
class OneOf:
    """A word for a value; ``first`` is the value of the first word."""

    param: str
    labels: Sequence[str]
    first: int = 0

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield self.labels[args[self.param] - self.first]

    def read(self, spoken: Spoken) -> None:
        for n, label in enumerate(self.labels):
            if fold(label) == fold(spoken.word):
                spoken.found[self.param] = n + self.first
                spoken.take()
                return
        spoken.fail(" or ".join(self.labels), "、".join(self.labels))


@dataclass(frozen=True)
class Tagged:
    """Something that is said only where it is not ``otherwise``, after a word of its own; without pieces, the word alone."""

    tag: str
    pieces: tuple[Piece, ...] = ()
    param: str = ""
    otherwise: int = 0
    needed: bool = False

    @property
    def params(self) -> tuple[str, ...]:
        return tuple(p for piece in self.pieces for p in piece.params) or (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        if self.needed or args.get(self.params[0], self.otherwise) != self.otherwise:
            yield self.tag
            for piece in self.pieces:
                yield from piece.words(args, table)

    def read(self, spoken: Spoken) -> None:
        if fold(spoken.word) != self.tag:
            if self.needed:
                spoken.fail(self.tag, self.tag)
            for param in self.params:
                spoken.found.setdefault(param, self.otherwise)
            return
        spoken.take()
        if not self.pieces:
            spoken.found[self.param] = 1
        for piece in self.pieces:
            piece.read(spoken)


AT_ONESELF, AT_ANOTHER = ("heal", "return", "revive"), ("damage", "destroy")
"""The effects of skills that have a column as their object, one's own or another player's."""


def effect_of(args: Mapping[str, int], table: Table) -> str:
    """What the skill of a move does; none where the card has no such skill."""
    skills = table.setting.catalogue.cards[args["card"]].skills
    return skills[args["skill"]].effect if args["skill"] < len(skills) else "none"


@dataclass(frozen=True)
class Aim:
    """The column at which a skill is aimed, and of whom where several could be meant; nothing where it has no object."""

    params = ("target", "at")

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        effect = effect_of(args, table)
        if args["target"] or effect in (*AT_ONESELF, *AT_ANOTHER):
            yield COLUMN.labels[args["target"]]
        if "at" in args and (args["at"] or effect in AT_ANOTHER):
            yield "of"
            yield str(args["at"] + 1)

    def read(self, spoken: Spoken) -> None:
        aimed = effect_of(spoken.found, spoken.table) in (*AT_ONESELF, *AT_ANOTHER)
        there = any(fold(name) == fold(spoken.word) for name in (*COLUMN_WORD.words, *COLUMN_WORD.aliases))
        spoken.found["target"] = _column(spoken) if there or aimed else 0
        spoken.found["at"] = 0
        if fold(spoken.word) == "of":
            spoken.take()
            Counted("at").read(spoken)


@dataclass(frozen=True)
class Paid:
    """``pay L2C1``: how many mana come from each column; the cost is fixed, or printed on the card."""

    cost: int = 0

    params = ("left", "centre")

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        amounts = (args["left"], args["centre"], third_part(self.cost, args, table))
        text = "".join(f"{name}{n}" for name, n in zip(COLUMN.labels, amounts, strict=True) if n)
        if text:
            yield "pay"
            yield text

    def read(self, spoken: Spoken) -> None:
        amounts = dict.fromkeys(COLUMN.labels, 0)
        if fold(spoken.word) in ("pay", "払う"):
            spoken.take()
            text = spoken.word.upper().replace("M", "C").replace(",", "")
            parts = re.findall(r"([LCR左中右])(-?[0-9]{1,2})", text)
            if "".join(map("".join, parts)) != text or not parts or len({column for column, _ in parts}) < len(parts):
                spoken.fail("a payment such as L2C1", "L2C1 のような支払い")
            amounts |= {COLUMN_WORD.aliases.get(column, column): int(n) for column, n in parts}
        cost, paid = _cost(self.cost, spoken.found, spoken.table), sum(amounts.values())
        if cost != paid:
            spoken.fail(f"a payment of {cost} mana, such as {'pay L' + str(cost) if cost else 'none'}, and not of {paid},",
                        f"{cost}マナの支払い（{'pay L' + str(cost) if cost else 'なし'}）。{paid}マナではない", "wrong-payment")  # fmt: skip
        if amounts["L"] or amounts["C"] or amounts["R"]:
            spoken.take()
        spoken.found |= {"left": amounts["L"], "centre": amounts["C"]}


def _cost(fixed: int, args: Mapping[str, int], table: Table) -> int:
    if fixed or "card" not in args:
        return fixed
    card = table.setting.catalogue.cards[args["card"]]
    if "skill" in args:
        return card.skills[args["skill"]].release if args["skill"] < len(card.skills) else 0
    return card.cost


def third_part(fixed: int, args: Mapping[str, int], table: Table) -> int:
    """What a payment takes from the right, which is what the left and the centre leave of the cost."""
    return _cost(fixed, args, table) - args["left"] - args["centre"]


@dataclass(frozen=True)
class Counting:
    """``counting LC``: the columns whose bottom Elements are counted although they need not be (A101)."""

    params = ("count_left", "count_centre", "count_right")

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        text = "".join(name for name, param in zip(COLUMN.labels, self.params, strict=True) if args.get(param))
        if text:
            yield "counting"
            yield text

    def read(self, spoken: Spoken) -> None:
        text = ""
        if fold(spoken.word) == "counting":
            spoken.take()
            text = spoken.word.upper().replace("M", "C")
            if not re.fullmatch("[LCR]{1,3}", text):
                spoken.fail("columns such as LC", "LC のような列")
            spoken.take()
        spoken.found |= {param: int(name in text) for name, param in zip(COLUMN.labels, self.params, strict=True)}
