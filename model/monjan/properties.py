"""What is to be proved of Monjan: the properties as data, and the scene in which they are asked.

In the scene the board designs are fields: one claim speaks of all that are admitted. Play begins before the first
deal, with any piles: whatever was picked, mixed and shuffled.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from monjudge.model.language import TRUE, Expr, RuleSet, State, Table, both, either
from monjudge.model.language import field as cell
from monjudge.model.monjan.boards import PRINTED, SKILL, Board, namesakes
from monjudge.model.monjan.cards import KIND, NO_ELEMENT, Catalogue
from monjudge.model.monjan.catalogue.packs import ET, MONJAN, Entry, Pack, default_pack
from monjudge.model.monjan.match import PHASE, STEP
from monjudge.model.monjan.modes import MODES, PLAYERS
from monjudge.model.monjan.notation.cards import Names
from monjudge.model.monjan.notation.kit import KIT
from monjudge.model.monjan.notation.position import Table as Seen
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import NORMS, Examples, Scene

__all__ = ["card_tables", "scene", "scene_of"]

SLOTS = 8
"""Mana cards that a column may hold before the model says *unknown (limit)*."""

_FREE = ("deck", "et", "ba", "pool", "picks", "first_pick", "picks_by_lot", "mixing")
"""What may be anything when play begins: the piles, and what is still to be done with picks."""


def scene(
    boards: Sequence[Board] | None = tuple(PRINTED.values()), *, own: Collection[str] = (), mode: str = "EXTRA", players: int = 2,
    readings: Mapping[str, str] | None = None, open: Collection[str] = (),
) -> Scene:  # fmt: skip
    """The scene for any choice of these boards, each for one player; None for all designs there could be.

    The first player has one of the boards named in ``own``, if any are.

    Switches in ``open`` are left open; with ``CARDS`` the data of the cards are fields, too (``card_value[card]``, a
    number card 1..16), and no tables. Raises DataError as ``table`` does.
    """
    first = list(PRINTED.values() if boards is None else boards)[:players]
    if players not in PLAYERS:
        text = Sentence(f"COMP.8: {players} players, not {PLAYERS[0]} to {PLAYERS[-1]}", f"COMP.8：{players}人では遊べない。{PLAYERS[0]}～{PLAYERS[-1]}人用")
        raise DataError([Defect("players", text, "wrong-value")])
    if len(first) < players:
        text = Sentence(f"{len(first)} boards for {players} players", f"{players}人にボードが{len(first)}枚")
        raise DataError([Defect("boards", text, "wrong-value")])
    pack = _few(default_pack()) if "CARDS" in open else default_pack()
    setting = table(pack, mode, first, readings, open={"BOARDS", *open}, slots=SLOTS)
    rules = monjan(setting)
    start = first_state(rules, setting, pack)
    dealt = None if boards is None else _dealt(boards, own, players)
    given = TRUE if dealt is None else either(*(_are(rules, chosen) for chosen in dealt))
    if "CARDS" in setting.open:
        given = both(given, *_numbers(rules, setting.catalogue))
    bounds: dict[str, int | str] = {"players": players, "slots": SLOTS, "hand": f"{rules.family_named['hand'].hi} of a kind", "mode": mode,
                                    "boards": "all designs" if boards is None else ", ".join(own) + " among the printed ones" if own else len(boards)}  # fmt: skip
    if "CARDS" in setting.open:
        bounds |= {"cards": "any data", "kinds": len(setting.catalogue) - 1}
    tables = card_tables(setting.catalogue, "CARDS" in setting.open) | _components(pack)
    made = {} if "CARDS" in setting.open else dict(_made(rules, start, setting.catalogue))
    words = None if "CARDS" in setting.open else Position(KIT, rules, start, Seen(setting, Names(()), designs=tuple(boards or ())))
    return Scene(rules, start, frozenset(_FREE) & set(rules.family_named), given, _deals(rules, start, dealt or _dealt(tuple(PRINTED.values()), (), players)), made, bounds, tables, examples=_examples(), words=words)


@cache
def _examples() -> Examples:
    """The worked examples of the document, and the numbers that it states as examples."""
    from monjudge.model.monjan.cases import INFORMATION, answers, printed

    return Examples(printed(), answers, INFORMATION)


def scene_of(boards: Any, readings: Mapping[str, str] | None = None, open: Collection[str] = (), players: int = 2) -> Scene:
    """The scene for two players, or so many, of ``printed`` boards, of ``all`` designs, or of those in a
    file for the first player and for the others these or printed ones. One that is called as a printed one is that one.

    With ``NORMS`` among what is open it is the scene in which the document is taken literally. Raises DataError.
    """
    if NORMS in open:
        from monjudge.model.monjan.literal import literal

        return literal(readings, {*open} - {NORMS})
    if isinstance(boards, str):
        return scene(None if boards == "all" else tuple(PRINTED.values()), players=players, readings=readings, open=open)
    from monjudge.model.monjan.notation.documents import boards as read_boards

    own = {board.name: board for board in read_boards(boards)[1]}
    same = namesakes(own.values())
    if same:
        raise DataError([Defect(f"boards[{n}].id", Sentence(
            f"{name!r} is the id of a printed board with other data, so that no answer could tell the two apart",
            f"{name!r}は、内容の異なる印刷されたボードのid。これでは答えでどちらか区別できない"), "duplicate-id") for n, name in same])  # fmt: skip
    return scene(tuple({**own, **PRINTED, **own}.values()), own=own, players=players, readings=readings, open=open)


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


def card_tables(cards: Catalogue, open: bool = False) -> dict[str, Table]:
    """What a property may ask of a card: ``card_value`` and the like unless they are open, ``is_NUMBER`` for every kind."""
    found = {} if open else {f"card_{of}": Table.of(f"card_{of}", (len(cards),), cards.column(of), d) for of, d in (("value", 0), ("cost", 0), ("element", NO_ELEMENT))}
    kinds = cards.column("kind")
    for n, name in enumerate(KIND.labels):
        found[f"is_{name}"] = Table.of(f"is_{name}", (len(cards),), [kind == n for kind in kinds], False)
    return found


def _components(pack: Pack) -> dict[str, Table]:
    """What a pack and the modes are made of: cards in each pile of the pack, and what a mode takes and gives."""
    found = {f"mode_{of}": Table.of(f"mode_{of}", (len(MODES),), [getattr(mode, of) for mode in MODES.values()]) for of in ("picks", "mixed", "normal", "et")}
    for name, kinds in (("monjan", MONJAN), ("et", ET)):
        found[f"cards_{name}"] = Table.of(f"cards_{name}", (1,), [sum(e.count for e in pack.entries if e.card.kind in kinds)])
    return found


def _made(rules: RuleSet, start: State, cards: Catalogue) -> Iterator[tuple[str, State]]:
    """Positions of two or more players, of whom the first attacks the second and the others have a middle of 5 and nothing else.

    ``battle-0`` to ``battle-3``: attacks of 1, 2 and 3 on a middle of 5 with so many other guards, of 1 life each; no cards in hand,
    no battle skills. ``battle-extra``: two attacks of 4 on a middle of 4 beside an Extra card. ``edit-mana``: the second edit turn of a player
    with one mana on the left, before a side defence of 1 life, and one number card in hand. ``edit-empty``: the second edit
    turn with empty hands, every normal card but the middle defences in the discard piles, none in the pile. ``edit-few``: the same,
    nothing due; the first two have one mana on the left and a side defence of 1 life on the right, in hand one a number card of 3, the other a bonus.
    """
    players = rules.players
    number = {card.value: n for n, card in enumerate(cards.cards) if card.kind == "NUMBER"}
    extra = max(cards.numbers("EXTRA"), key=lambda n: cards.cards[n].value)
    middles = [n for n, card in enumerate(cards.cards) if card.kind == "NUMBER" and card.value == 5][:players]
    shared: dict[tuple[str, tuple[int, ...]], int] = _values([PRINTED[name] for name in ("ATELIER", "MANAST", "HUNTERS", "FLEHEIM")[:players]])
    for name, value in (("mixing", 0), ("turn", 2), ("phase", PHASE["BATTLE"]), ("step", STEP["DECLARE"]), ("target", 1)):
        shared[name, ()] = value
    for p in range(players):
        shared |= {("due", (p,)): 0, ("stepped", (p,)): 1, ("edit_done", (p,)): 1, ("drawn", (p,)): 1, ("place", (p,)): p}
        shared |= {("defence", (p, 1)): number[5], ("life", (p, 1)): 5}
    attacks = {("attack", (0, c)): number[c + 1] for c in range(3)}
    guards = [{("defence", (1, 0)): number[1], ("life", (1, 0)): 1}, {("defence", (1, 2)): number[1], ("life", (1, 2)): 1}, {("attack", (1, 1)): number[1]}]
    for n in range(len(guards) + 1):
        yield f"battle-{n}", _set_up(rules, start, shared | attacks | {k: v for guard in guards[:n] for k, v in guard.items()})
    hit = {("attack", (0, 0)): number[4], ("attack", (0, 2)): number[4], ("extra", (1,)): extra, ("life", (1, 1)): 4}
    yield "battle-extra", _set_up(rules, start, shared | hit)
    edit = {("phase", ()): PHASE["EDIT"], ("step", ()): STEP["NONE"], ("target", ()): -1, ("edit_done", (0,)): 0, ("defence", (0, 0)): number[5],
            ("life", (0, 0)): 1, ("mana", (0, 0, 0)): number[2], ("mana_height", (0, 0)): 1, ("hand", (0, number[3])): 1}  # fmt: skip
    yield "edit-mana", _set_up(rules, start, shared | edit)
    empty: dict[tuple[str, tuple[int, ...]], int] = {("phase", ()): PHASE["EDIT"], ("step", ()): STEP["NONE"], ("target", ()): -1}
    for p in range(players):
        empty |= {("edit_done", (p,)): 0, ("drawn", (p,)): 0, ("due", (p,)): 1, ("defence", (p, 1)): middles[p]}
    for k, copies in enumerate(start[rules.cell("deck", n)] for n in range(len(cards))):
        empty |= {("deck", (k,)): 0, ("discard", (k % players, k)): copies - (k in middles)}
    yield "edit-empty", _set_up(rules, start, shared | empty)
    few: dict[tuple[str, tuple[int, ...]], int] = {("hand", (0, number[3])): 1, ("hand", (1, cards.numbers("PLUS")[0])): 1}
    for p, (mana, side) in enumerate(((number[2], number[6]), (number[4], number[7]))):
        few |= {("mana", (p, 0, 0)): mana, ("mana_height", (p, 0)): 1, ("defence", (p, 2)): side, ("life", (p, 2)): 1}
    few |= {(of, (p,)): value for of, value in (("due", 0), ("drawn", 1)) for p in range(players)}
    taken = [k for (of, at), k in few.items() if of in ("mana", "defence")] + [at[1] for of, at in few if of == "hand"]
    few |= {("discard", (k % players, k)): empty["discard", (k % players, k)] - taken.count(k) for k in taken}
    yield "edit-few", _set_up(rules, start, shared | empty | few)


def _set_up(rules: RuleSet, start: State, values: Mapping[tuple[str, tuple[int, ...]], int]) -> State:
    cells = list(start)
    for (name, at), value in values.items():
        cells[rules.cell(name, *at)] = value
    return tuple(cells)


def _dealt(boards: Sequence[Board], own: Collection[str], players: int) -> list[tuple[Board, ...]]:
    """Which boards the players may have: different ones, and the first player one of those that are ``own`` if any are."""
    return [chosen for chosen in itertools.permutations(boards, players) if not own or chosen[0].name in own]


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


def _deals(rules: RuleSet, start: State, dealt: Iterable[Sequence[Board]]) -> dict[str, State]:
    """The beginning with each of these choices of boards."""
    return {"-".join(board.name for board in chosen): _set_up(rules, start, _values(chosen)) for chosen in dealt}
