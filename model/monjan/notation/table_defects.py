"""What cannot lie on a table although it can be written: each with the clause that forbids it.

A position is taken as it was written, before any rule fires by itself. What only a reading
forbids is asked under the readings of the position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from monjudge.model.language import RuleSet, State, evaluate
from monjudge.model.monjan.boards import Board
from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.modes import read_as
from monjudge.model.monjan.modes import table_defects as board_defects
from monjudge.model.monjan.notation.cards import ELEMENTS, TOKEN, UNKNOWN, Names
from monjudge.model.monjan.notation.form import REST
from monjudge.model.monjan.notation.position import NO_BOARD, Table
from monjudge.model.monjan.notation.summoned import ways_of
from monjudge.model.monjan.notation.words import NOTHING
from monjudge.model.notation.defects import Defect
from monjudge.model.notation.sentence import Sentence

__all__ = ["table_defects"]

_BOSSES = ("BOSS", "ASSASSIN")
_PILES = ("deck", "et", "boss", "pool", "boss_bottom")


def table_defects(rules: RuleSet, state: State, data: Mapping[str, Any], table: Table) -> list[Defect]:
    """Every defect of a position, at the path of its canonical data."""
    players = data.get("players", {})
    found = [*_boards(table), *_copies(data, table.names), *_step(data)]
    for p, board in enumerate(table.setting.boards):
        seat = str(p + 1)
        found += _Player(f"players.{seat}", players.get(seat, {}), board, table, data.get("phase", "EDIT")).defects()
        found += _extra(rules, state, p, f"players.{seat}.extra")
    return found


def _defect(path: str, code: str, clause: str, en: str, ja: str) -> Defect:
    return Defect(path, Sentence(f"{clause}: {en}" if clause else en, f"{clause}：{ja}" if clause else ja), code, clause=clause)


def _boards(table: Table) -> Iterator[Defect]:
    """Boards that may not play one another (A46, A138, A149)."""
    boards = table.setting.boards
    if NO_BOARD not in boards:
        for defect in board_defects(boards, table.setting.readings):
            seat = int(defect.path.removeprefix("boards[").rstrip("]")) + 1 if "[" in defect.path else 1
            yield Defect(f"players.{seat}.board", defect.text, "boards-clash", clause=defect.text.en.partition(":")[0])


def _step(data: Mapping[str, Any]) -> Iterator[Defect]:
    """A battle turn that stands nowhere: no rule goes on from there, so that nobody could ever move."""
    if data.get("phase") == "BATTLE" and "step" not in data.get("battle", {}) and "pending" not in data:
        yield _defect("phase", "no-step", "",
                      "a battle turn needs a step, such as battle: {step: DECLARE, attacker: 1, target: 2}; for its beginning, "
                      "write phase: EDIT and done: true for every player",
                      "バトルターンには段階が要る（例：battle: {step: DECLARE, attacker: 1, target: 2}）。"
                      "始まりからなら phase: EDIT とし、全員に done: true を書く")  # fmt: skip


# -- copies ------------------------------------------------------------------------------------------------


def _copies(data: Mapping[str, Any], names: Names) -> Iterator[Defect]:
    """More copies of a card than there are (COMP.1, COMP.2, COMP.6, COMP.7); the path is that of the first one too many."""
    there = dict(default_pack().copies((*_KINDS, *_BOSSES))) | {e.card: e.count for e in names.own}
    places: dict[Card, list[str]] = {}
    for word, path in _lying(data):
        card = names.card(word)
        if card not in (ELEMENTS, UNKNOWN, TOKEN):
            places.setdefault(card, []).append(path)
    for card, paths in places.items():
        most = there.get(card, 0)
        if len(paths) > most:
            word = names.word(card)
            clause = "COMP.2" if card.kind in _BOSSES else {"EXTRA": "COMP.6", "TOUGHNESS": "COMP.7"}.get(card.kind, "COMP.1")
            yield _defect(paths[most], "too-many-copies", clause,
                          f"{len(paths)} copies of {word}, the pack has {most}: {', '.join(dict.fromkeys(paths))}",
                          f"{word}が{len(paths)}枚ある。パックには{most}枚：{'、'.join(dict.fromkeys(paths))}")  # fmt: skip


_KINDS = ("NUMBER", "PLUS", "KILL", "PLAIN", "EXTRA", "TOUGHNESS")


def _lying(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every card that lies somewhere, with its path; a permanent boss is one card on two fields."""
    for pile in _PILES:
        for word in data.get(pile, ()) if data.get(pile) != REST else ():
            if word != REST:
                yield word, pile
    for seat, part in data.get("players", {}).items():
        for word, path in _of_player(part):
            yield word, f"players.{seat}.{path}"


def _of_player(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for zone in ("hand", "discard", "outside", "above"):
        yield from ((_plain(word), zone) for word in part.get(zone, ()) if word != NOTHING)
    for column, stack in part.get("mana", {}).items():
        yield from ((_plain(word), f"mana.{column}[{n}]") for n, word in enumerate(stack))
    for zone in ("attack", "under", "beneath"):
        yield from ((_plain(word), f"{zone}.{column}") for column, word in part.get(zone, {}).items())
    attack = part.get("attack", {})
    for column, (word, _) in part.get("defence", {}).items():
        if word != NOTHING and not (_is_boss(word) and _plain(attack.get(column, NOTHING)) == word):
            yield word, f"defence.{column}"
    extra = part.get("extra")
    if extra is not None:
        yield _plain(extra["card"] if isinstance(extra, Mapping) else extra), "extra"


def _plain(word: str) -> str:
    """A card without the marks of how it lies."""
    return (word.lstrip("*") or "*").rstrip("_").removesuffix("-") or word


def _is_boss(word: str) -> bool:
    return re.fullmatch("(AS|B)[0-9]+", word) is not None


# -- one player --------------------------------------------------------------------------------------------


class _Player:
    """What is wrong with what one player has."""

    def __init__(self, path: str, part: Mapping[str, Any], board: Board, table: Table, phase: str) -> None:
        self.path, self.part, self.board, self.phase = path, part, board, phase
        self.names, self.readings = table.names, table.setting.readings

    def defects(self) -> list[Defect]:
        return [*self._fields(), *self._standing(), *self._bosses(), *self._witness(), *self._middle()]

    def _kind(self, word: str) -> str:
        return self.names.card(_plain(word)).kind

    def _fields(self) -> Iterator[Defect]:
        """A card of the wrong kind on a field (ATK.1, DEF.4, TOUGH.12), or above the maximum (ATK.4)."""
        odd = read_as(self.readings, "A01", "ANY_CARD") or read_as(self.readings, "A02", "ANY_MONJAN", "ANY")
        for column, word in self.part.get("attack", {}).items():
            kind, path = self._kind(word), f"{self.path}.attack.{column}"
            if kind not in ("NUMBER", "TOUGHNESS", "ANY", *_BOSSES) and not (kind == "EXTRA" and read_as(self.readings, "A116", "ATTACK_SLOT")):
                yield _defect(path, "wrong-place", "ATK.1", f"{word} cannot lie on an attack field", f"{word}は攻撃欄に置けない")
            elif kind == "NUMBER":
                yield from self._maximum(column, word, path)
        for column, (word, _) in self.part.get("defence", {}).items():
            if word != NOTHING and self._kind(word) not in ("NUMBER", "ANY", *_BOSSES) and not (odd and column == "C"):
                yield _defect(f"{self.path}.defence.{column}", "wrong-place", "DEF.4", f"{word} cannot be a defence", f"{word}は防御に置けない")

    def _maximum(self, column: str, word: str, path: str) -> Iterator[Defect]:
        number, most = self.names.card(_plain(word)).value, self.board.cap["LCR".index(column)]
        below = read_as(self.readings, "A25", "LT")
        if number > most - below and not read_as(self.readings, "A07", "STACK"):
            yield _defect(path, "above-maximum", "ATK.4", f"{word} is above the maximum {most} of this field", f"{word}はこの欄の最大攻撃{most}を超える")

    def _standing(self) -> Iterator[Defect]:
        """A fallen column with a defence (FALL.8), a defence without life, life without a defence, more life than there is (BOSS.16, DEF.8)."""
        fallen = self.part.get("fallen", ())
        if "out" in self.part:
            return
        for column, (word, life) in self.part.get("defence", {}).items():
            path = f"{self.path}.defence.{column}"
            if column in fallen and word != NOTHING and (life or column != "C"):
                yield _defect(path, "fallen-stands", "FALL.8", f"{word} stands in a column that has fallen", f"倒れた列に{word}が立っている")
            elif column not in fallen and word != NOTHING and life == 0 and self.phase in ("EDIT", "DRAFT", "DEAL"):
                yield _defect(path, "no-life", "FALL.4", f"{word} has no life, but the column has not fallen", f"{word}のライフは0だが、列は倒れていない")
            elif column not in fallen and word == NOTHING and life:
                yield _defect(path, "life-of-nothing", "DEF.7", f"{life} life without a defence card", f"防御カードがないのにライフが{life}ある")
            elif word != NOTHING and read_as(self.readings, "A37", "PRINTED_EXCEPT_E") and not self.part.get("extra"):
                printed = self.names.card(_plain(word)).value
                if 0 < printed < life and column not in self.part.get("beneath", {}):
                    yield _defect(path, "too-much-life", "DEF.8", f"{life} life on {word}", f"{word}にライフ{life}")

    def _bosses(self) -> Iterator[Defect]:
        """BOSS.11, BOSS.14: a permanent boss is attack and defence of its column at once."""
        attack, defence = self.part.get("attack", {}), self.part.get("defence", {})
        for column in ("L", "C", "R"):
            above, below = _plain(attack.get(column, NOTHING)), defence.get(column, [NOTHING, 0])[0]
            halves = read_as(self.readings, "A92", "TWO_HALVES") or read_as(self.readings, "A91", "ATTACK_ONLY")
            boss = above if above != NOTHING and self._kind(above) in _BOSSES else below if below != NOTHING and self._kind(below) in _BOSSES else ""
            if boss and above != below and not halves and column not in self.part.get("fallen", ()):
                yield _defect(f"{self.path}.{'attack' if boss == above else 'defence'}.{column}", "half-a-boss", "BOSS.14",
                              f"{boss} is attack and defence of its column at once, not beside another card or alone on one field",
                              f"{boss}は列の攻撃と防御を兼ねる。片方だけ、またはほかの札と並んではいない")  # fmt: skip

    def _witness(self) -> Iterator[Defect]:
        """The mana by which an Extra card was summoned must lie there (EXTRA.26)."""
        extra = self.part.get("extra")
        for column, slot in (extra.get("witness", {}) if isinstance(extra, Mapping) else {}).items():
            height = len(self.part.get("mana", {}).get(column, ()))
            if slot > height:
                yield _defect(f"{self.path}.extra.witness.{column}", "no-witness", "EXTRA.26",
                              f"the column has {height} mana, and not a {slot}th", f"この列のマナは{height}枚で、{slot}枚目はない")  # fmt: skip

    def _middle(self) -> Iterator[Defect]:
        """SETUP.6, WIN.2: whoever is in the match has a living middle when a battle turn is on."""
        defence = self.part.get("defence", {}).get("C", [NOTHING, 0])
        later = read_as(self.readings, "A01", "DEFER") or read_as(self.readings, "A75", "END_OF_BATTLE")
        if self.phase == "BATTLE" and "out" not in self.part and defence[0] == NOTHING and not later:
            yield _defect(self.path, "no-middle", "SETUP.6", "a battle turn without a middle defence, and the player is not out",
                          "中央の防御がないままバトルターンになっている（脱落でもない）")  # fmt: skip


def _extra(rules: RuleSet, state: State, p: int, path: str) -> Iterator[Defect]:
    """EXTRA.22: the condition by which the Extra card was summoned does not hold, so it would not lie there."""
    card = state[rules.cell("extra", p)]
    unsaid = card and not state[rules.cell("extra_by", p)] and "extra" in rules.by_name and not any(ways_of(rules, state, p))
    for trigger in rules.triggers:
        if trigger.id == "EXTRA.22" and (unsaid or evaluate(trigger.when, state, {str(trigger.loops[0].args[0]): p}, rules.offset)):
            yield _defect(path, "extra-dies", "EXTRA.22", "the mana do not bear the Extra card: its condition does not hold",
                          "マナが召喚条件を満たしていないので、エキストラカードは残らない")  # fmt: skip
