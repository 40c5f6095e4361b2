"""Between the cells of a state and the keys of a written position, each pair said once for both directions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monjudge.model.notation.cells import NOTHING, Cells, Field, Heap, Is, Number, OneCard, Sparse, View, Word
from monjudge.model.notation.forms import ABSENT
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.match import DRAW, STACK, STEP, WINDOW
from monjudge.model.rancher.notation.form import WINNERS
from monjudge.model.rancher.notation.names import Names

__all__ = ["KNOWN", "OF_TYPE", "PLAYER", "TABLE"]

OF_TYPE = {"training": "TRAINING", "gear": "ATTACHMENT", "kit": "ATTACHMENT"}
"""The fields that have a place for each kind of one type only."""

_FLAGS = ("injured", "fought", "trained", "equipped")


def _on(view: View, family: str, *at: int) -> list[str]:
    """The cards on a monster or a player."""
    kinds = view.catalogue.numbers(OF_TYPE[family])
    return [view.names.word(view.catalogue.cards[kind]) for n, kind in enumerate(kinds) for _ in range(view.number(family, *at, n))]


@dataclass(frozen=True)
class Monsters:
    """The monsters in their places, with what is on them."""

    families = ("monster", "present", "training", "gear", *_FLAGS)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        found = [self._monster(view, at[0], s) for s in range(view.rules.family_named["monster"].dims[1])]
        while found and found[-1] == NOTHING:
            found.pop()
        return found or ABSENT

    def _monster(self, view: View, p: int, s: int) -> Any:
        there = view.number("monster", p, s) > 0
        flags = {"arrived": there and not view.number("present", p, s), **{name: view.number(name, p, s) > 0 for name in _FLAGS}}
        more = {name: _on(view, name, p, s) for name in ("training", "gear")} | flags
        said = {key: item for key, item in more.items() if item}
        card = view.word("monster", p, s)
        return {"card": card, **said} if said else card

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for s, item in enumerate(data):
            record = item if isinstance(item, Mapping) else {"card": item}
            if record["card"] != NOTHING:
                found["monster", *at, s] = names.card(record["card"])
                found["present", *at, s] = int("arrived" not in record)
            for name in ("training", "gear"):
                on: Counter[str] = Counter(record.get(name, ()))
                found |= {(name, *at, s, names.card(word)): copies for word, copies in on.items()}
            found |= {(flag, *at, s): 1 for flag in _FLAGS if flag in record}
        return found


@dataclass(frozen=True)
class Kit:
    """The attachments on a player."""

    families = ("kit",)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return _on(view, "kit", *at) or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {("kit", *at, names.card(word)): copies for word, copies in Counter(data).items()}


@dataclass(frozen=True)
class Row:
    """Cards at numbered places, ``-`` where there is none; ``laid`` is the field that counts the places in use."""

    family: str
    laid: str = ""

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family, self.laid) if self.laid else (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        length = view.rules.family_named[self.family].dims[-1]
        words: list[str] = [view.word(self.family, *at, n) for n in range(length)]
        least = view.number(self.laid, *at) if self.laid else 0
        while len(words) > least and words[-1] == NOTHING:
            words.pop()
        return words or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {(self.family, *at, n): names.card(word) for n, word in enumerate(data) if word != NOTHING}
        return found | ({(self.laid, *at): len(data)} if self.laid else {})


@dataclass(frozen=True)
class Points:
    """Damage, which is counted in halves."""

    family: str

    @property
    def families(self) -> tuple[str, ...]:
        return (self.family,)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        halves = view.number(self.family, *at)
        return (halves / 2 if halves % 2 else halves // 2) or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {(self.family, *at): int(2 * data)}


@dataclass(frozen=True)
class Technique:
    """The technique with which is attacked, by its card and its number there."""

    families = ("technique",)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        number = view.number("technique")
        return ABSENT if number < 0 else view.names.technique(view.catalogue, number)

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        id, _, number = data.rpartition(".")
        return {("technique",): (names.card(id), int(number))}


@dataclass(frozen=True)
class Waiting:
    """Whose abilities wait for their effect, the last one last."""

    families = ("waiting",)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return [n for i in range(STACK) if (n := view.number("waiting", i))] or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {("waiting", i): n for i, n in enumerate(data)}


PLAYER: Mapping[str, Field] = {
    **{name: Heap(name) for name in ("hand", "library", "discard", "removed")}, "monsters": Monsters(), "kit": Kit(), "kitted": Is("kitted"),
    "fame": Number("fame"), "active": Number("active", -1, -1), "square": Number("square"), "damage": Points("damage"), "side": Number("side"),
    "side_cards": Row("side_card"), "shown": Row("shown", "laid"), "due": Number("due"), "owes": Number("owes"), "heals": Number("heals"),
    "boost": Sparse("boost", STAT.labels), "added": Number("added"), "unable": Is("unable"), "attacked": Is("attacked"), "used": Number("used"),
    "used_here": Is("used_here"), "ordered": OneCard("ordered"), "away": Heap("away"), "covered": Heap("covered"), "pending": Points("pending"),
    "lost": Is("lost"), "drawing": Is("drawing"),
}  # fmt: skip
"""What a player has."""

TABLE: Mapping[str, Field] = {
    "step": Word("step", STEP.labels, -1), "turn": Number("turn", -1), "first": Number("first", -1, -1), "word": Number("word", -1, -1),
    "passed": Is("passed"), "purpose": Word("purpose", DRAW.labels), "battle": OneCard("battle"), "owner": Number("battle_owner", 0, -1),
    "winner": Word("winner", WINNERS, -1), "battled": Is("battled"), "stirred": Is("stirred"), "technique": Technique(),
    "rounds": Number("rounds"), "trainee": Number("trainee", -1, -1), "course": OneCard("course"), "judged": OneCard("judged"),
    "correction": Number("correction"), "window": Word("window", WINDOW.labels), "asked": Number("asked", 0, -1), "waited": Is("waited"),
    "waiting": Waiting(), "resolves": Is("resolves"), "early": Is("early"), "faster": Number("faster", -1, -1),
    "last_winner": Number("last_winner", -1, -1),
}  # fmt: skip
"""What belongs to nobody."""

KNOWN = frozenset(name for fields in (PLAYER, TABLE) for field in fields.values() for name in field.families)
"""The fields of a state that have a key."""
