"""What is to be proved of the Monster Rancher game: the properties as data, and the table at which they are asked.

One step with its triggers over the cards of whole decks is too much for z3, so the table is small: a kind of
card of each type, places for two monsters, libraries that may hold anything. The bounds of a verdict say so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from monjudge.model.language import RuleSet, State, Table
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene
from monjudge.model.rancher.cards import Card, Catalogue
from monjudge.model.rancher.catalogue.packs import default_pack
from monjudge.model.rancher.match import STEP, Setting
from monjudge.model.rancher.notation.kit import KIT
from monjudge.model.rancher.notation.names import Names
from monjudge.model.rancher.notation.position import Table as Seen
from monjudge.model.rancher.rules import rancher

__all__ = ["KINDS", "scene", "scene_of"]

KINDS = ("BRAWN_APE", "LIFTING", "READING", "LEATHER_COAT", "WINDFALL", "VILLAGE_BOUT")
"""A card or two of each type, of the default pack."""

SLOTS = 2


def scene(cards: Collection[Card], *, readings: Mapping[str, str] | None = None, open: Collection[str] = (), slots: int = SLOTS) -> Scene:
    """The scene of a table with these kinds of cards, before the monsters are chosen.

    Raises DataError for readings that do not exist.
    """
    setting = Setting(Catalogue(cards), readings=dict(readings or {}), open=frozenset(open), slots=slots)
    rules = rancher(setting)
    start = _at(rules, rules.start, {("library", p, k): 2 for p in range(2) for k in range(1, len(setting.catalogue))})
    bounds: dict[str, int | str] = {"players": 2, "cards": len(setting.catalogue) - 1, "slots": slots}
    words = Position(KIT, rules, start, Seen(setting, Names(())))
    return Scene(rules, start, frozenset({"library"}), positions=_positions(rules, start, setting.catalogue), bounds=bounds, tables=_tables(setting.catalogue), words=words)


def scene_of(boards: Any, readings: Mapping[str, str] | None = None, open: Collection[str] = (), players: int = 2) -> Scene:
    """The scene of ``printed`` cards for two: one of each type of the default pack. Raises DataError for anything else."""
    if players != 2:
        raise DataError([Defect("players", Sentence(f"this game is for two players, not {players}", f"このゲームは二人用で、{players}人ではできない"), "wrong-value")])
    if boards != "printed":
        text = Sentence("this game has no boards: its properties are asked of printed cards", "このゲームにボードはない。性質は印刷されたカードについて調べる")
        raise DataError([Defect("boards", text, "wrong-value")])
    pack = default_pack()
    return scene([pack.named(id) for id in KINDS], readings=readings, open=open)


def _positions(rules: RuleSet, start: State, cards: Catalogue) -> dict[str, State]:
    """A beginning without monsters, and a battle near its end."""
    monster, battle = (cards.numbers(type).start for type in ("MONSTER", "BATTLE"))
    every = range(1, len(cards))
    sides: dict[tuple[Any, ...], int] = {}
    for p in range(2):
        sides |= {("monster", p, 0): monster, ("present", p, 0): 1} | {("library", p, k): 1 for k in every}
    fight: dict[tuple[Any, ...], int] = {("turn",): 2, ("step",): STEP["MOVE"], ("battle",): battle, ("battled",): 1, ("square", 0): 2, ("square", 1): 3}
    for p in range(2):
        fight |= {("fought", p, 0): 1, ("active", p): 0, ("fame", p): 2, ("damage", p): 8} | {("hand", p, k): 1 for k in every}
    return {
        "no monsters": _at(rules, start, {("library", p, k): 0 for p in range(2) for k in cards.numbers("MONSTER")}),
        "battle": _at(rules, start, sides | fight),
    }


def _at(rules: RuleSet, state: State, cells: Mapping[tuple[Any, ...], int]) -> State:
    found = list(state)
    for (name, *at), value in cells.items():
        found[rules.cell(name, *at)] = value
    return tuple(found)


def _tables(cards: Catalogue) -> dict[str, Table]:
    """What a property may ask of a card: its pull number, and the number that a training must not exceed; of a technique its range."""

    def of(name: str, values: list[int]) -> Table:
        return Table.of(name, (len(values),), values, 0)

    return {"card_pull": of("card_pull", [c.pull for c in cards.cards]), "card_target": of("card_target", [c.target for c in cards.cards]),
            "reach": of("reach", [technique.range for _, technique in cards.techniques])}  # fmt: skip
