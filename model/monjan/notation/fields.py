"""Between the cells of a state and the keys of a written position, each pair said once for both directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monjudge.model.monjan.battle import GUARD
from monjudge.model.monjan.budget import SKILL_SOURCE
from monjudge.model.monjan.match import ABOVE, COLUMN, OUTSIDE, PENDING, PHASE, SOURCE, STEP, WAITING
from monjudge.model.monjan.notation.cards import Marked, Names
from monjudge.model.monjan.notation.cells import Cells, PerColumn, Placed, Row, is_edit, lying
from monjudge.model.monjan.notation.form import LAST_FALL, PLAYED
from monjudge.model.notation.cells import NOTHING, Field, Heap, Is, Members, Number, OneCard, Sparse, View, Word
from monjudge.model.notation.forms import ABSENT

__all__ = ["BATTLE", "KNOWN", "PENDING_PARTS", "PLAYER", "TABLE"]


@dataclass(frozen=True)
class Mana:
    """The stacks, from the bottom: which card, whether as Elements, turned, spent."""

    families = ("mana", "mana_height", "elements", "mana_down", "spent")

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        stacks = {name: self._stack(view, (*at, c)) for c, name in enumerate(COLUMN.labels)}
        return {name: stack for name, stack in stacks.items() if stack} or ABSENT

    def _stack(self, view: View, at: tuple[int, ...]) -> list[str]:
        low = view.number("elements", *at)
        return [
            str(Marked(view.word("mana", *at, s), s < low, bool(view.number("mana_down", *at, s)) != (s < low), view.number("spent", *at, s)))
            for s in range(view.number("mana_height", *at))
        ]

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for name, stack in data.items():
            c, cards = COLUMN[name], [names.mark(word) for word in stack]
            found["mana_height", *at, c] = len(cards)
            found["elements", *at, c] = sum(card.elements for card in cards)
            for s, card in enumerate(cards):
                found["mana", *at, c, s] = names.card(card.word)
                found["mana_down", *at, c, s] = int(card.elements != card.turned)
                found["spent", *at, c, s] = card.spent
        return found


@dataclass(frozen=True)
class Defences:
    """Card and life for each column."""

    families = ("defence", "life")

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        pairs = {name: [view.word("defence", *at, c), view.number("life", *at, c)] for c, name in enumerate(COLUMN.labels)}
        return {name: pair for name, pair in pairs.items() if pair != [NOTHING, 0]} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for name, (word, life) in data.items():
            found["life", *at, COLUMN[name]] = life
            if word != NOTHING:
                found["defence", *at, COLUMN[name]] = names.card(word)
        return found


@dataclass(frozen=True)
class ExtraCard:
    """The Extra card with how it was summoned, by which mana, and where it lies.

    That no mana bears a card that was summoned by a number is written, for else it would be found out (see ``summoned``).
    """

    families = ("extra", "extra_down", "extra_by", "extra_at", "witness")

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        card = Marked(view.word("extra", *at), turned=bool(view.number("extra_down", *at)))
        by, place = view.number("extra_by", *at), view.number("extra_at", *at)
        witness = PerColumn("witness").data(view, at)
        if card.word == NOTHING and not by and witness is ABSENT:
            return ABSENT
        more = {
            **({"by": ("", "PAIR", "NUMBER")[by]} if by else {}),
            **({"witness": {} if witness is ABSENT else witness} if by == 2 or witness is not ABSENT else {}),
            **({"at": COLUMN.labels[place - 1]} if place else {}),
        }
        return {"card": str(card), **more} if more else str(card)

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        record = data if isinstance(data, Mapping) else {"card": data}
        found = lying(names, record["card"], ("extra", *at), ("extra_down", *at))
        if "by" in record:
            found["extra_by", *at] = 1 if record["by"] == "PAIR" else 2
        if "at" in record:
            found["extra_at", *at] = COLUMN[record["at"]] + 1
        return found | PerColumn("witness").cells(record.get("witness", {}), at, names)


@dataclass(frozen=True)
class Did:
    """What was done in the edit turn; ``total`` is written where it is not the sum of the placements."""

    of_total = ("mana", "attack", "defence", "extra", "toughness")

    families = tuple(f"did_{part}" for part in ("mana", "attack", "defence", "extra", "toughness", "boss", "total", "edit_skill"))

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        parts = (*self.of_total, "boss", "total", "edit_skill")
        found = {part: view.number(f"did_{part}", *at) for part in parts}
        regular = sum(found[part] for part in self.of_total)
        return {p: n for p, n in found.items() if (n != regular if p == "total" else n)} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        total = data.get("total", sum(data.get(part, 0) for part in self.of_total))
        return {(f"did_{part}", *at): n for part, n in {**data, "total": total}.items()}


@dataclass(frozen=True)
class Uses:
    """How often each limited board skill was used."""

    families = ("uses_ritual", "uses_tea", "uses_castle", "uses_trap")

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        found = {name: view.number(f"uses_{name}", *at) for name in ("ritual", "tea", "castle", "trap")}
        return {name: n for name, n in found.items() if n} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {(f"uses_{name}", *at): n for name, n in data.items()}


SOURCES = tuple(s.upper().replace(" ", "_") for s in SKILL_SOURCE)


@dataclass(frozen=True)
class SkillsUsed:
    """From where skills were used in this edit turn and battle turn."""

    families = ("skill_used",)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        found = {time: Members("skill_used", SOURCES).data(view, (*at, n)) for n, time in enumerate(("edit", "battle"))}
        return {time: used for time, used in found.items() if used is not ABSENT} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        found: Cells = {}
        for n, time in enumerate(("edit", "battle")):
            found |= Members("skill_used", SOURCES).cells(data.get(time, ()), (*at, n), names)
        return found


@dataclass(frozen=True)
class Draws:
    """Cards due; zero is written where an edit turn still begins with the draw."""

    families = ("due", "drawn")

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        due = view.number("due", *at)
        waits = is_edit(view) and not view.number("drawn", *at)
        return due if due or waits else ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {("due", *at): data, ("drawn", *at): 0}


@dataclass(frozen=True)
class Drawn:
    """That this turn's draw is over; in an edit turn that is so unless there are draws."""

    families = ("due", "drawn")

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        return True if view.number("drawn", *at) and (view.number("due", *at) or not is_edit(view)) else ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {("drawn", *at): 1}


@dataclass(frozen=True)
class MayGo:
    """The mana of each column that the payer may name, counted from 1."""

    families = ("may_go",)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        slots = {name: [s + 1 for s in range(view.rules.family_named["mana"].dims[2]) if view.number("may_go", *at, c, s)] for c, name in enumerate(COLUMN.labels)}
        return {name: found for name, found in slots.items() if found} or ABSENT

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {("may_go", *at, COLUMN[name], s - 1): 1 for name, slots in data.items() for s in slots}


@dataclass(frozen=True)
class Recycling:
    """Whether the card outside at each place may be used again."""

    families = ("reused",)

    def data(self, view: View, at: tuple[int, ...]) -> Any:
        words = [("NO", "NEXT", "USED")[view.number("reused", *at, n)] for n in range(OUTSIDE)]
        return ABSENT if set(words) == {"NO"} else words

    def cells(self, data: Any, at: tuple[int, ...], names: Names) -> Cells:
        return {("reused", *at, n): ("NO", "NEXT", "USED").index(word) for n, word in enumerate(data)}



PLAYER: Mapping[str, Field] = {
    "hand": Heap("hand"), "mana": Mana(), "defence": Defences(), "attack": Placed("attack", "attack_down"), "extra": ExtraCard(),
    "outside": Row("outside", OUTSIDE, "outside_down"), "above": Row("above", ABOVE), "under": Placed("under"),
    "beneath": Placed("beneath_defence"), "fallen": Members("fallen", COLUMN.labels), "fell": Members("fell", COLUMN.labels),
    "supplied": Members("supplied", COLUMN.labels), "discard": Heap("discard"), "out": Is("alive", 0), "done": Is("edit_done"),
    "draws": Draws(), "draws_et": Number("due_et"), "drawn": Drawn(), "did": Did(), "did_column": PerColumn("did_column"),
    "laid": Word("laid", COLUMN.labels, less=1), "uses": Uses(), "skills_used": SkillsUsed(), "recycling": Recycling(),
    "speed": Number("speed"), "place": Number("place"), "place_before": Number("place_before"), "lot": Number("lot"),
    "stepped": Is("stepped"), "guarded": Members("guarded", GUARD.labels), "goes": Members("bottom_goes", COLUMN.labels),
    "owed": PerColumn("owed"), "owed_mark": Number("owed_mark"), "may_go": MayGo(), "picks": Number("picks"), "played": Members("played", PLAYED.labels),
    "taken": Number("taken"),
}  # fmt: skip
"""What a player has, in an order in which a later key may correct an earlier one."""

TABLE: Mapping[str, Field] = {
    "phase": Word("phase", PHASE.labels, PHASE["EDIT"]), "turn": Number("turn", -1),
    "deck": Heap("deck"), "deck_top": Row("deck_top", 4), "et": Heap("et"), "et_top": Row("et_top", 4),
    "boss": Heap("ba"), "boss_top": Row("ba_top", 2), "boss_bottom": Row("ba_bottom", 15), "pool": Heap("pool"),
    "first_pick": Number("first_pick", less=-1), "picks_by_lot": Is("picks_by_lot"), "mixing": Number("mixing"),
}  # fmt: skip
"""What lies between the players."""

_ROW = tuple(str(n + 1) for n in range(WAITING))

BATTLE: Mapping[str, Field] = {
    "step": Word("step", STEP.labels), "attacker": Number("active", less=-1), "target": Number("target", -1, -1),
    "word": Number("word", less=-1), "passed": Is("passed"), "source": Word("source", SOURCE.labels, -1),
    "power": Number("power"), "guard": Word("guard", GUARD.labels, -1), "attacked": Members("attacked", SOURCE.labels),
    "flame": Word("flame", GUARD.labels, less=1), "last_fall": Word("last_fall", LAST_FALL.words, less=1),
    "last_card": OneCard("last_card"), "lost": Number("lost"), "answered": Is("answered"),
    "called": Sparse("called", SOURCE.labels), "called_power": Sparse("called_power", SOURCE.labels),
    "called_at": Sparse("called_at", SOURCE.labels, -1), "calls": Number("calls"), "facing": Is("facing"),
    "held": Sparse("held", SOURCE.labels), "held_power": Sparse("held_power", SOURCE.labels),
    "held_at": Sparse("held_at", SOURCE.labels, -1), "held_guard": Sparse("held_guard", SOURCE.labels, words=GUARD.labels, absent=-1),
    "holds": Number("holds"), "striking": Is("striking"), "waiting": Number("waiting"),
    "waiting_by": Sparse("waiting_by", _ROW, -1), "waiting_card": Sparse("waiting_card", _ROW, of_cards=True),
    "waiting_aim": Sparse("waiting_aim", _ROW),
}  # fmt: skip
PENDING_PARTS: Mapping[str, Field] = {
    "what": Word("pending", PENDING.labels), "player": Number("pending_player", less=-1), "place": Number("pending_place"),
    "card": OneCard("pending_card"), "skill": Number("pending_skill"), "done": Is("pending_done"),
}  # fmt: skip

KNOWN = frozenset(name for fields in (PLAYER, TABLE, BATTLE, PENDING_PARTS) for field in fields.values() for name in field.families)
"""The fields of a state that have a key."""
