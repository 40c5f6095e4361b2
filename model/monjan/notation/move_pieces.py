"""What only moves of this game speak of: columns, aims of skills, payments - printed and read alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from monjudge.model.monjan.match import COLUMN
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.notation.words import COLUMN_WORD
from monjudge.model.notation.reading import fold
from monjudge.model.notation.spoken import Counted, Spoken

__all__ = ["AT_ANOTHER", "AT_ONESELF", "Aim", "Counting", "OfColumn", "Paid", "effect_of", "third_part"]


def _column(spoken: Spoken) -> int:
    name = next((n for n in (*COLUMN_WORD.words, *COLUMN_WORD.aliases) if fold(n) == fold(spoken.word)), "")
    if not name:
        spoken.fail("a column, L C or R,", "列（L、C、R）")
    spoken.take()
    return COLUMN[COLUMN_WORD.aliases.get(name, name)]


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
