"""What is left open in a rule set, read off the fields of a state: the boards, the mode and the readings that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from monjudge.model.language import RuleSet, State
from monjudge.model.monjan.boards import PRINTED, SKILL, Board
from monjudge.model.monjan.match import COLUMN, MODE, Setting
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.texts import switch_texts
from monjudge.model.notation.cells import moved
from monjudge.model.readings import chosen

__all__ = ["closed"]


def closed(rules: RuleSet, state: State, table: Table) -> tuple[RuleSet, State, Table]:
    """The same state by rules in which nothing is open. Raises LookupError where what is printed on the cards is."""
    setting = table.setting
    if "CARDS" in setting.open:
        raise LookupError("what is printed on the cards is open")
    if not setting.open:
        return rules, state, table
    read = Setting(
        setting.catalogue, _boards(rules, state, table), setting.mode, chosen(rules, state, setting.readings, switch_texts()),
        slots=setting.slots, hiding=setting.hiding, draft=setting.draft,
    )  # fmt: skip
    if "MODE" in setting.open:
        read = replace(read, mode=MODE.labels[state[rules.cell("mode")]])
    shut = monjan(read)
    return shut, moved(rules, state, shut), replace(table, setting=read)


def _boards(rules: RuleSet, state: State, table: Table) -> tuple[Board, ...]:
    """The boards by name where they are known ones, else as designs; a smaller rank is a smaller priority."""
    setting = table.setting
    if "BOARDS" not in setting.open:
        return setting.boards
    ranks = [state[rules.cell("rank", p)] for p in range(setting.players)]
    designs = [_design(rules, state, p, rank) for p, rank in enumerate(ranks)]
    known = tuple({board.name: board for board in (*PRINTED.values(), *table.designs)}.values())
    alike = [[b for b in known if (b.cap, b.left, b.right) == (d.cap, d.left, d.right)] for d in designs]
    return next((boards for boards in product(*alike) if _ranks(boards) == ranks), tuple(designs))


def _design(rules: RuleSet, state: State, player: int, rank: int) -> Board:
    left, centre, right = (state[rules.cell("cap", player, column)] for column in range(COLUMN.size))
    skills: Iterator[str] = (SKILL.labels[state[rules.cell("board_skill", player, side)]] for side in range(2))
    return Board("OWN", (left, centre, right), rank + 1, *skills)


def _ranks(boards: Sequence[Board]) -> list[int]:
    order = sorted({board.priority for board in boards})
    return [order.index(board.priority) for board in boards]
