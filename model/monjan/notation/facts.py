"""What a cell of the state, or an entry of a table of the rules, says to a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monjudge.model.monjan.cards import EFFECT, NO_ELEMENT
from monjudge.model.monjan.match import PHASE, STEP
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.notation.said import COLUMNS, ELEMENTS, card_said
from monjudge.model.notation.sentence import Sentence

__all__ = ["fact"]

At = tuple[int, ...]

_PHASES = {
    "DEAL": Sentence("the deal", "配る段階"), "DRAFT": Sentence("the picks", "選択の段階"), "EDIT": Sentence("the edit turn", "編集ターン"),
    "BATTLE": Sentence("the battle turn", "戦闘ターン"), "CLEANUP": Sentence("the clean-up", "片付け"), "OVER": Sentence("over", "終わり"),
}  # fmt: skip

_PILES = {
    "deck": Sentence("the Monjan pile", "モンジャンの山札"), "et": Sentence("the Extra and Toughness pile", "ETの山札"),
    "ba": Sentence("the boss pile", "ボスアサの山札"), "discard": Sentence("the discard pile", "捨て札"),
}  # fmt: skip

_DONE = {
    "did_mana": Sentence("mana cards laid", "置いたマナ"), "did_attack": Sentence("number cards placed on attack", "攻撃に置いた数字カード"),
    "did_defence": Sentence("number cards placed on defence", "防御に置いた数字カード"),
    "did_extra": Sentence("Extra cards summoned", "召喚したエキストラカード"),
    "did_toughness": Sentence("Toughness cards summoned", "召喚したタフネスカード"), "did_boss": Sentence("boss cards summoned", "召喚したボスアサカード"),
    "did_total": Sentence("cards placed in all", "置いたカードの合計"), "did_edit_skill": Sentence("edit skills used", "使った編集スキル"),
}  # fmt: skip
"""Counters of the edit turn."""

_FLAGS = {
    "edit_done": (Sentence("has ended the edit turn", "は編集ターンを終えている"), Sentence("has not ended the edit turn", "は編集ターンを終えていない")),
    "drawn": (Sentence("has drawn", "はドローした"), Sentence("has not drawn yet", "はまだドローしていない")),
    "alive": (Sentence("is still in the game", "はまだ負けていない"), Sentence("is out of the game", "は負けている")),
}  # fmt: skip

_WRITTEN: Mapping[str, Callable[[Table, At, int], Sentence | None]]


def fact(table: Table, name: str, at: At, value: int) -> Sentence | None:
    """The sentence of a fact; None for bookkeeping, and for places where nothing lies."""
    written = _WRITTEN.get(name)
    return None if written is None else written(table, at, value)


def _who(player: int) -> Sentence:
    return Sentence(f"Player {player + 1}", f"プレイヤー{player + 1}")


def _card(table: Table, number: int) -> Sentence:
    return card_said(table.setting.catalogue.cards[number], table.names)


def _in_hand(table: Table, at: At, value: int) -> Sentence:
    who, card = _who(at[0]), _card(table, at[1])
    if value == 0:
        return Sentence(f"{who.en} does not hold {card.en}", f"{who.ja}の手札に{card.ja}はない")
    return Sentence(f"{who.en} holds {card.en} ×{value}", f"{who.ja}の手札に{card.ja}が{value}枚")


def _in_pile(name: str) -> Callable[[Table, At, int], Sentence]:
    def said(table: Table, at: At, value: int) -> Sentence:
        card = _card(table, at[-1])
        return Sentence(f"{_PILES[name].en} has {card.en} ×{value}", f"{_PILES[name].ja}に{card.ja}が{value}枚")

    return said


def _mana(table: Table, at: At, value: int) -> Sentence | None:
    if value == 0:
        return None
    who, column, card = _who(at[0]), COLUMNS[at[1]], _card(table, value)
    return Sentence(f"mana {at[2] + 1} of {who.en}'s {column.en}: {card.en}", f"{who.ja}の{column.ja}のマナ{at[2] + 1}枚目：{card.ja}")


def _height(table: Table, at: At, value: int) -> Sentence | None:
    """Only that there is none: what lies there is said card by card."""
    if value:
        return None
    who, column = _who(at[0]), COLUMNS[at[1]]
    return Sentence(f"no mana on {who.en}'s {column.en}", f"{who.ja}の{column.ja}にマナはない")


def _lies(en: str, ja: str) -> Callable[[Table, At, int], Sentence]:
    """A place of one card in a column."""

    def said(table: Table, at: At, value: int) -> Sentence:
        who, column = _who(at[0]), COLUMNS[at[1]]
        card = _card(table, value) if value else Sentence("empty", "空き")
        return Sentence(f"{who.en}'s {column.en} {en}: {card.en}", f"{who.ja}の{column.ja}の{ja}：{card.ja}")

    return said


def _number(en: str, ja: str) -> Callable[[Table, At, int], Sentence]:
    """A number of a player's column."""

    def said(table: Table, at: At, value: int) -> Sentence:
        who, column = _who(at[0]), COLUMNS[at[1]]
        return Sentence(f"{en} of {who.en}'s {column.en}: {value}", f"{who.ja}の{column.ja}の{ja}：{value}")

    return said


def _fallen(table: Table, at: At, value: int) -> Sentence:
    who, column = _who(at[0]), COLUMNS[at[1]]
    state = Sentence("has fallen", "倒されている") if value else Sentence("stands", "倒されていない")
    return Sentence(f"{who.en}'s {column.en} {state.en}", f"{who.ja}の{column.ja}は{state.ja}")


def _extra(table: Table, at: At, value: int) -> Sentence:
    who = _who(at[0])
    if value == 0:
        return Sentence(f"{who.en} has no Extra card out", f"{who.ja}のエキストラカードは出ていない")
    card = _card(table, value)
    return Sentence(f"{who.en}'s Extra card: {card.en}", f"{who.ja}のエキストラカード：{card.ja}")


def _flag(name: str) -> Callable[[Table, At, int], Sentence]:
    def said(table: Table, at: At, value: int) -> Sentence:
        who, words = _who(at[0]), _FLAGS[name][0 if value else 1]
        return Sentence(f"{who.en} {words.en}", f"{who.ja}{words.ja}")

    return said


def _count(name: str) -> Callable[[Table, At, int], Sentence]:
    def said(table: Table, at: At, value: int) -> Sentence:
        who = _who(at[0])
        return Sentence(f"{who.en}, {_DONE[name].en} this turn: {value}", f"{who.ja}がこのターンに{_DONE[name].ja}：{value}")

    return said


def _phase(table: Table, at: At, value: int) -> Sentence:
    phase = _PHASES[PHASE.labels[value]]
    return Sentence(f"it is {phase.en}", f"今は{phase.ja}")


def _step(table: Table, at: At, value: int) -> Sentence | None:
    label = STEP.labels[value]
    return None if label == "NONE" else Sentence(f"step of the battle: {label}", f"戦闘の段階：{label}")


def _of_card(en: str, ja: str) -> Callable[[Table, At, int], Sentence | None]:
    """A number that is printed on a card."""

    def said(table: Table, at: At, value: int) -> Sentence | None:
        if at[0] == 0:
            return None
        card = _card(table, at[0])
        return Sentence(f"{en} of {card.en}: {value}", f"{card.ja}の{ja}：{value}")

    return said


def _effect(table: Table, at: At, value: int) -> Sentence | None:
    """Only that the effect of a skill is none of those that are known."""
    if value != EFFECT["opaque"]:
        return None
    card = _card(table, at[0])
    return Sentence(f"skill {at[1] + 1} of {card.en}: none of the known effects", f"{card.ja}の{at[1] + 1}番目のスキル：既知の効果ではない")


def _panel(en: str, ja: str) -> Callable[[Table, At, int], Sentence | None]:
    """An element that is printed on a card."""

    def said(table: Table, at: At, value: int) -> Sentence | None:
        if at[0] == 0 or value >= NO_ELEMENT:
            return None
        card, element = _card(table, at[0]), ELEMENTS[value]
        return Sentence(f"{en} of {card.en}: {element.en}", f"{card.ja}の{ja}：{element.ja}")

    return said


_WRITTEN = {
    "hand": _in_hand,
    **{name: _in_pile(name) for name in _PILES},
    "mana": _mana,
    "mana_height": _height,
    "attack": _lies("attack field", "攻撃欄"),
    "defence": _lies("defence field", "防御欄"),
    "life": _number("life", "ライフ"),
    "fallen": _fallen,
    "extra": _extra,
    **{name: _flag(name) for name in _FLAGS},
    **{name: _count(name) for name in _DONE},
    "did_column": _number("number cards placed this turn", "このターンに置いた数字カード"),
    "phase": _phase,
    "step": _step,
    "cap": _number("maximum", "上限"),
    "card_value": _of_card("number", "数値"),
    "card_cost": _of_card("cost", "コスト"),
    "skill_effect": _effect,
    "card_left": _panel("left panel", "左のパネル"),
    "card_right": _panel("right panel", "右のパネル"),
}
