"""Goals of Monjan Colosseum besides the win: outlive some turns, destroy or summon a card, deal damage.

Each is a condition on states, reached in the first state in which it holds after everything that happens by itself:

* ``survive``: the player is still in when the turns asked about are over, or when the match ends before.
* ``destroy:CARD``: an Extra card that lies on the board of another player now lies there no longer.
* ``destroy:COLUMN`` (L, C, R; with three or four players also ``destroy:2L``): the defence of that column has fallen.
* ``summon:CARD``: the Extra card lies on the player's own board.
* ``deal:N``: the defences of the others together have at least N life less than now. What they recover counts
  against it; a player who is out has no life left.
"""

from __future__ import annotations

import re

from monjudge.model.language import Expr, either, field, ite, lift
from monjudge.model.monjan.match import COLUMN
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.notation.said import card_said
from monjudge.model.monjan.notation.words import COLUMN_WORD
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.goals import Goal, GoalKind, number_of, unfit
from monjudge.model.notation.kit import Position
from monjudge.model.notation.reading import Reading
from monjudge.model.notation.sentence import Sentence

__all__ = ["GOALS"]


def _cell(position: Position, name: str, *indices: int) -> Expr:
    return field(position.rules.family_named[name], indices)


def _now(position: Position, name: str, *indices: int) -> int:
    family = position.rules.family_named[name]
    place = family.place(indices)
    assert place is not None
    return position.state[position.rules.offset[name] + place]


def _others(position: Position, player: int) -> list[int]:
    return [q for q in range(position.rules.players) if q != player and _now(position, "alive", q)]


def _survive(position: Position, word: str, player: int, turns: int | None) -> Goal:
    if turns is None:
        raise unfit("how many turns are to be survived? give --turns", "何ターン生き残るかを --turns で指定する")
    assert position.rules.over is not None
    late = _cell(position, "turn") >= _now(position, "turn") + turns
    when = _cell(position, "alive", player) & (late | position.rules.over.expr)
    said = Sentence(f"be in still after {turns} turn{'s' * (turns != 1)}", f"{turns}ターン後も残っている")
    return Goal("survive", when, said, at_end=True)


def _destroy(position: Position, word: str, player: int, turns: int | None) -> Goal:
    found = re.fullmatch(r"([1-4])?[ :.]*(\D+)", word)
    reading = Reading()
    column = COLUMN_WORD.read(found[2] if found else word, "", reading)
    if found is not None and not reading.defects:
        return _fell(position, int(found[1]) - 1 if found[1] else None, column, player)
    card, number, said = _extra(position, word)
    owners = [q for q in _others(position, player) if _now(position, "extra", q) == number]
    if not owners:
        raise unfit(f"{card} lies on no other player's board; a column (L, C, R) can be named as well",
                    f"{card}はほかの人の場にない。列（L、C、R）も指定できる")  # fmt: skip
    when = either(*(_cell(position, "extra", q) != number for q in owners))
    return Goal(f"destroy:{card}", when, Sentence(f"destroy {said.en}", f"{said.ja}を破壊する"))


def _fell(position: Position, owner: int | None, column: str, player: int) -> Goal:
    others, at = _others(position, player), COLUMN[column]
    if owner is None and len(others) > 1:
        raise unfit(f"say whose column: destroy:{others[0] + 1}{column}", f"誰の列かを書く：destroy:{others[0] + 1}{column}")
    of = others[0] if owner is None and others else owner
    if of is None or of not in others or not _now(position, "life", of, at) or _now(position, "fallen", of, at):
        raise unfit(f"no defence of another player stands in column {column}", f"{column}列にほかの人の防御はない")
    when = either(_cell(position, "fallen", of, at), ~_cell(position, "alive", of))
    side = {"L": ("left", "左"), "C": ("centre", "中央"), "R": ("right", "右")}[column]
    said = Sentence(f"bring down the {side[0]} defence of Player {of + 1}", f"プレイヤー{of + 1}の{side[1]}の防御を倒す")
    return Goal(f"destroy:{column}" if len(others) == 1 else f"destroy:{of + 1}{column}", when, said)


def _summon(position: Position, word: str, player: int, turns: int | None) -> Goal:
    card, number, said = _extra(position, word)
    when = _cell(position, "extra", player) == number
    return Goal(f"summon:{card}", when, Sentence(f"summon {said.en}", f"{said.ja}を召喚する"))


def _extra(position: Position, word: str) -> tuple[str, int, Sentence]:
    """The Extra card of a word: as it is written, its number in the catalogue, and as it is called. Raises DataError."""
    table: Table = position.about
    try:
        card = table.names.card(word)
    except DataError as error:
        raise unfit(f"{word!r} is no card, and no column: {error.defects[0].text.en}",
                    f"「{word}」というカードも列もない：{error.defects[0].text.ja}") from error  # fmt: skip
    written, cards = table.names.word(card), table.setting.catalogue
    if card.kind != "EXTRA":
        raise unfit(f"{written} is no Extra card", f"{written}はエキストラカードでない")
    if card not in cards.cards:
        raise unfit(f"{written} lies nowhere in this position", f"{written}はこの局面のどこにもない")
    return written, cards[card], card_said(card, table.names)


def _deal(position: Position, word: str, player: int, turns: int | None) -> Goal:
    damage, others = number_of(word), _others(position, player)
    left, whole = lift(0), 0
    for q in others:
        for c in range(len(COLUMN.labels)):
            left = left + ite(_cell(position, "alive", q), _cell(position, "life", q, c), 0)
            whole += _now(position, "life", q, c)
    if damage > whole:
        raise unfit(f"the others have {whole} life only", f"ほかの人の防御は合わせて{whole}しかない")
    when = left <= whole - damage
    return Goal(f"deal:{damage}", when, Sentence(f"deal {damage} damage", f"{damage}のダメージを与える"))


GOALS = (
    GoalKind("survive", "", Sentence("be in still when the turns asked about are over", "指定したターン数のあとも残っている"), _survive),
    GoalKind("destroy", "CARD|COLUMN", Sentence("destroy an Extra card, or the defence of a column", "エキストラカード、または列の防御を倒す"), _destroy),
    GoalKind("summon", "CARD", Sentence("have the Extra card on the board", "エキストラカードを場に出す"), _summon),
    GoalKind("deal", "N", Sentence("take N life off the others' defences", "ほかの人の防御を合わせて N 減らす"), _deal),
)
"""The kinds of goals besides those that the rules declare."""
