"""A case as it is asked: its state, which an operation completes by what the query presupposes, and its query."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from monjudge.model.language import RuleSet
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.cases.card_names import CaseError, attack_of, read_card, read_cards, unknown
from monjudge.model.monjan.cases.notation import COLUMNS, Key, Position, check_kinds, read_position
from monjudge.model.monjan.cases.scene import Engine, Facts, Scene
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.readings import reading_defects
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import switch_texts

__all__ = ["OPERATIONS", "UNDETERMINED", "Question", "Tables", "operation"]

Operation = Callable[["Question"], Facts]

OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name in a query."""

UNDETERMINED = "undetermined"
"""The answer where the text is silent, or under a reading without executable meaning whose other values differ."""


def operation(answer: Operation) -> Operation:
    """Registers an operation under the name of its function."""
    OPERATIONS[answer.__name__] = answer
    return answer


_COMMON = (
    *(f"{e}{n}" for e in "fwgan" for n in range(1, 17)), *(f"{e}+{n}" for e in "fwgan" for n in (3, 6, 7, 8)),
    *(f"{e}{k}" for e in "fwgan" for k in "KB"), "*", "m", "B10", *(f"T{n}/1" for n in range(1, 6)),
    *(f"E with release {n}" for n in range(4)),
)  # fmt: skip


def _check(readings: Mapping[str, Any]) -> None:
    """Raises CaseError for a switch or reading that does not exist, or that this version holds at its default."""
    for defect in reading_defects(readings):
        raise CaseError(defect.text.en, defect.text.ja)


class Tables:
    """Rule sets with their engines, one for each catalogue, number of players, readings and depth of stacks.

    ``cases`` are those that will be asked: their cards make one common catalogue. Boards and
    mode are cells of the state, so that they need no rule set of their own; so are the readings
    of switches that are left ``open``.
    """

    def __init__(
        self, engine: Callable[[RuleSet], Engine], cases: Iterable[Mapping[str, Any]] = (), open: Iterable[str] = ()
    ) -> None:
        self.engine, self.open = engine, frozenset(open)
        cards = {read_card(text) for text in _COMMON} | {attack_of(n) for n in range(41)}
        for case in cases:
            cards |= set(read_cards([case.get("state"), case.get("query")]))
        # Skills name the cards that they need, so that no two cards of one catalogue share a name.
        by_name = {card.name or card: card for card in sorted(cards, key=repr)}
        self.cards = frozenset(by_name.values())
        self._built: dict[Any, tuple[RuleSet, Engine, Catalogue]] = {}

    def scene(self, position: Position, *, small: bool = False) -> Scene:
        """The position on a table. A ``small`` one has no other cards in its catalogue, so that searches are fast."""
        few = small or not position.cards <= self.cards
        cards = frozenset(position.cards) if few else self.cards
        if position.readings.get("A124") == "TOKEN" or "A124" in self.open:
            cards |= {Card("ANY", name="token")}
        players, texts = len(position.names), switch_texts()
        readings = {s: value for s, value in sorted(position.readings.items())
                    if value != texts[s].default and s not in self.open}  # fmt: skip
        key = (cards, players, tuple(readings.items()), position.slots)
        if key not in self._built:
            catalogue = Catalogue(cards)
            setting = Setting(
                catalogue, (PRINTED["FLEHEIM"],) * players, readings=readings,
                open=self.open | {"BOARDS", "MODE"}, slots=position.slots,
            )  # fmt: skip
            rules = monjan(setting)
            self._built[key] = rules, self.engine(rules), catalogue
        rules, engine, catalogue = self._built[key]
        values = {s: list(texts[s].values).index(value) for s, value in position.readings.items()}
        chosen: dict[Key, int | Card] = {(s,): n for s, n in values.items() if s in rules.offset}
        return Scene.of(rules, engine, catalogue, replace(position, cells={**position.cells, **chosen}))


class Question:
    """One case. ``state`` is a copy that an operation may complete before it asks for the ``scene``."""

    def __init__(self, tables: Tables, case: Mapping[str, Any]) -> None:
        self.tables, self.case = tables, case
        self.query: Mapping[str, Any] = case["query"]
        self.state: dict[str, Any] = copy.deepcopy(dict(case.get("state", {})))
        check_kinds(self.state)
        acts = self.query.get("acts", [])
        if not isinstance(acts, list) or not all(isinstance(act, str) for act in acts):
            raise unknown("list of acts", acts, '["mana L f7"]')

    @property
    def who(self) -> str:
        """The actor: A where the case names nobody."""
        return str(self.query.get("who", "A"))

    def rival(self, name: str | None = None) -> str:
        """The other player of two."""
        return "A" if (name or self.who) != "A" else "B"

    def wants(self, fact: str) -> bool:
        """Whether the case asserts this."""
        return fact in self.case.get("expect", {})

    def letter(self, *parameters: str) -> str:
        """The column that the query names under one of these parameters: L, or a place like A.def.L or L.def."""
        for parameter in parameters:
            if parameter in self.query:
                found = [part for part in str(self.query[parameter]).split(".") if part in COLUMNS]
                if len(found) != 1:
                    raise unknown("column", self.query[parameter], "L, M or R")
                return found[0]
        raise self._missing(parameters[0])

    def _missing(self, parameter: str) -> CaseError:
        return CaseError(f"the query needs {parameter!r}", f"問いに{parameter!r}が無い")

    def __getitem__(self, parameter: str) -> Any:
        """A parameter of the query. Raises CaseError if it is missing."""
        if parameter not in self.query:
            raise self._missing(parameter)
        return self.query[parameter]

    def part(self, name: str | None = None) -> dict[str, Any]:
        """What the state says of a player (the actor), to be completed."""
        part: dict[str, Any] = self.state.setdefault(name or self.who, {})
        return part

    def hold(self, given: Any, name: str | None = None, copies: int = 1) -> Card:
        """The card of a text; the player holds at least so many of it."""
        hand = self.part(name).setdefault("hand", [])
        card = read_card(given)
        missing = copies - sum(read_card(other) == card for other in hand)
        hand.extend([given] * max(0, missing))
        return card

    def scene(self, *, small: bool = False) -> Scene:
        readings = self.case.get("readings", {})
        _check(readings)
        return self.tables.scene(read_position(self.state, readings), small=small)
