"""What is to be proved of Monjan: the properties as data, and the scene in which they are asked.

In the scene the board designs are fields: one claim speaks of all that are admitted. Play begins before the first
deal, with any piles: whatever was picked, mixed and shuffled.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from monjudge.model.language import TRUE, Expr, RuleSet, State, Table, both, either
from monjudge.model.language import field as cell
from monjudge.model.monjan.boards import PRINTED, SKILL, Board
from monjudge.model.monjan.cards import KIND, NO_ELEMENT, Catalogue
from monjudge.model.monjan.catalogue.packs import Entry, Pack, default_pack
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Scene

__all__ = ["scene", "scene_of"]

SLOTS = 8
"""Mana cards that a column may hold before the model says *unknown (limit)*."""

_FREE = ("deck", "et", "ba", "pool", "picks", "first_pick", "picks_by_lot", "mixing")
"""What may be anything when play begins: the piles, and what is still to be done with picks."""


def scene(
    boards: Sequence[Board] | None = tuple(PRINTED.values()), *, mode: str = "EXTRA", players: int = 2,
    readings: Mapping[str, str] | None = None, open: Collection[str] = (),
) -> Scene:  # fmt: skip
    """The scene for any choice of these boards, each for one player; None for all designs there could be.

    Switches in ``open`` are left open; with ``CARDS`` the data of the cards are fields, too (``card_value[card]``, a
    number card 1..16), and no tables. Raises DataError as ``table`` does.
    """
    first = list(PRINTED.values() if boards is None else boards)[:players]
    if len(first) < players:
        text = Sentence(f"{len(first)} boards for {players} players", f"{players}人にボードが{len(first)}枚")
        raise DataError([Defect("boards", text, "wrong-value")])
    pack = _few(default_pack()) if "CARDS" in open else default_pack()
    setting = table(pack, mode, first, readings, open={"BOARDS", *open}, slots=SLOTS)
    rules = monjan(setting)
    start = first_state(rules, setting, pack)
    given = TRUE if boards is None else _some(rules, boards, players)
    if "CARDS" in setting.open:
        given = both(given, *_numbers(rules, setting.catalogue))
    bounds: dict[str, int | str] = {"players": players, "slots": SLOTS, "mode": mode, "boards": "all designs" if boards is None else len(boards)}
    if "CARDS" in setting.open:
        bounds |= {"cards": "any data", "kinds": len(setting.catalogue) - 1}
    return Scene(rules, start, frozenset(_FREE) & set(rules.family_named), given, _deals(rules, start, players), bounds, _tables(setting.catalogue, "CARDS" in setting.open))


def scene_of(boards: Any, readings: Mapping[str, str] | None = None, open: Collection[str] = ()) -> Scene:
    """The scene for two players of ``printed`` boards, of ``all`` designs, or of those in a file of boards.

    Raises DataError.
    """
    if isinstance(boards, str):
        return scene(None if boards == "all" else tuple(PRINTED.values()), readings=readings, open=open)
    from monjudge.model.monjan.notation.documents import boards as read_boards

    return scene(read_boards(boards)[1], readings=readings, open=open)


FEW = 3
"""So many cards of each sort are in play where their data are open: stated with every claim as ``kinds``."""


def _few(pack: Pack) -> Pack:
    """The first cards of each sort: where all may be printed on them, more kinds only make more of the same."""
    kept: list[Entry] = []
    for entry in pack.entries:
        if sum(other.card.kind == entry.card.kind for other in kept) < FEW:
            kept.append(replace(entry, count=9))
    return replace(pack, entries=tuple(kept))


def _numbers(rules: RuleSet, cards: Catalogue) -> Iterator[Expr]:
    """What every pack keeps to: the number of a number card is 1..16 (CARD.6)."""
    value = rules.family_named["card_value"]
    for kind, card in enumerate(cards.cards):
        if card.kind == "NUMBER":
            yield (cell(value, (kind,)) >= 1) & (cell(value, (kind,)) <= 16)


def _tables(cards: Catalogue, open: bool) -> dict[str, Table]:
    """What a property may ask of a card: ``card_value`` and the like unless they are open, ``is_NUMBER`` for every kind."""
    found = {} if open else {f"card_{of}": Table.of(f"card_{of}", (len(cards),), cards.column(of), d) for of, d in (("value", 0), ("cost", 0), ("element", NO_ELEMENT))}
    kinds = cards.column("kind")
    for n, name in enumerate(KIND.labels):
        found[f"is_{name}"] = Table.of(f"is_{name}", (len(cards),), [kind == n for kind in kinds], False)
    return found


def _some(rules: RuleSet, boards: Sequence[Board], players: int) -> Expr:
    """That the players have different ones of these boards."""
    return either(*(_are(rules, chosen) for chosen in itertools.permutations(boards, players)))


def _are(rules: RuleSet, chosen: Sequence[Board]) -> Expr:
    cells = _values(chosen)
    return both(*(cell(rules.family_named[name], at) == value for (name, at), value in cells.items()))


def _values(chosen: Sequence[Board]) -> dict[tuple[str, tuple[int, ...]], int]:
    """The configuration fields of these boards, by field and indices."""
    order = sorted({b.priority for b in chosen})
    found: dict[tuple[str, tuple[int, ...]], int] = {}
    for p, board in enumerate(chosen):
        found |= {("cap", (p, c)): most for c, most in enumerate(board.cap)}
        found["rank", (p,)] = order.index(board.priority)
        found |= {("board_skill", (p, side)): SKILL[name] for side, name in enumerate((board.left, board.right))}
    return found


def _deals(rules: RuleSet, start: State, players: int) -> dict[str, State]:
    """The beginning with every choice of printed boards."""
    found = {}
    for chosen in itertools.permutations(PRINTED.values(), players):
        cells = list(start)
        for (name, at), value in _values(chosen).items():
            cells[rules.cell(name, *at)] = value
        found["-".join(board.name for board in chosen)] = tuple(cells)
    return found
