"""What a cell of the state, or an entry of a table of the rules, says to a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.match import STEP
from monjudge.model.rancher.notation.fields import OF_TYPE
from monjudge.model.rancher.notation.moves import player_said
from monjudge.model.rancher.notation.position import Table

__all__ = ["PILES", "STATS", "STEPS", "empty_pile", "fact"]

At = tuple[int, ...]

STEPS: Mapping[str, Sentence] = {
    "CHOOSE": Sentence("choosing the first monsters", "最初のモンスターを選ぶ"), "START": Sentence("start of the turn", "ターンの初め"),
    "TRIM": Sentence("discarding before drawing", "引く前に捨てる"), "REFILL": Sentence("filling the hands up", "手札の補充"),
    "ACTIVE": Sentence("naming the active monsters", "アクティブモンスターの指定"), "SPEED": Sentence("speed check", "スピード判定"),
    "RECKON": Sentence("speed check", "スピード判定"), "EVENT": Sentence("Events", "イベント"), "SELECT": Sentence("choosing the battle", "バトルの選択"),
    "SIDE": Sentence("cards beside the arena", "闘技場の脇のカード"), "STAND": Sentence("entering the arena", "闘技場への入場"),
    "MOVE": Sentence("orders", "移動の指示"), "MOVED": Sentence("orders are carried out", "移動の実行"), "ATTACK": Sentence("attack", "攻撃"),
    "ADD": Sentence("cards of the attacker", "攻撃側のカード"), "PARRY": Sentence("cards of the defender", "防御側のカード"),
    "HIT": Sentence("damage", "ダメージ"), "TAKE": Sentence("taking side cards", "脇のカードを取る"), "ROUND": Sentence("end of the round", "ラウンドの終わり"),
    "FAME": Sentence("fame", "名声"), "CLEAR": Sentence("clearing the arena", "闘技場の片付け"), "DONE": Sentence("end of the battle", "バトルの終わり"),
    "PLAY": Sentence("play step", "行動"), "JUDGE": Sentence("judgement of a training", "トレーニングの判定"),
    "AID": Sentence("help or hindrance", "援助・妨害"), "SUCCESS": Sentence("result of a training", "トレーニングの結果"),
}  # fmt: skip
"""The steps of a turn."""

STATS: Mapping[str, Sentence] = {
    "power": Sentence("power", "力"), "intelligence": Sentence("intelligence", "賢さ"), "speed": Sentence("speed", "速さ"),
    "defence": Sentence("defence", "守り"), "life": Sentence("life", "ライフ"),
}  # fmt: skip

PILES: Mapping[str, Sentence] = {
    "hand": Sentence("hand", "手札"), "library": Sentence("library", "山札"), "discard": Sentence("discard pile", "捨て札"),
    "removed": Sentence("removed cards", "除外されたカード"),
}  # fmt: skip
"""The piles of a player."""

_FLAGS = {
    "injured": (Sentence("is injured", "は負傷している"), Sentence("is not injured", "は負傷していない")),
    "present": (Sentence("has been there since the start of the turn", "はターンの初めからいる"), Sentence("arrived this turn", "はこのターンに登場した")),
    "fought": (Sentence("has fought this turn", "はこのターンに戦った"), Sentence("has not fought this turn", "はこのターンに戦っていない")),
    "trained": (Sentence("has been trained this turn", "はこのターンにトレーニング済み"), Sentence("has not been trained this turn", "はこのターンにトレーニングしていない")),
    "equipped": (Sentence("got an attachment this turn", "にはこのターンにアタッチメントが付いた"), Sentence("got no attachment this turn", "にはこのターンにアタッチメントが付いていない")),
}  # fmt: skip
_NUMBERS = {
    "fame": Sentence("fame", "名声"), "square": Sentence("square", "マス"), "side": Sentence("cards beside the arena", "脇のカード"),
    "added": Sentence("pull numbers added", "加えたプルナンバー"), "due": Sentence("cards to draw", "引く枚数"), "owes": Sentence("cards to discard", "捨てる枚数"),
}  # fmt: skip


def fact(table: Table, name: str, at: At, value: int) -> Sentence | None:
    """The sentence of a fact; None for bookkeeping, and for places where nothing lies."""
    written = _WRITTEN.get(name)
    return None if written is None else written(table, name, at, value)


def _card(table: Table, number: int) -> Sentence:
    return table.names.said(table.setting.catalogue.cards[number])


def empty_pile(name: str, player: int) -> Sentence:
    """That there is no card in a pile of the player."""
    who, pile = player_said(player), PILES[name]
    return Sentence(f"{who.en}'s {pile.en} is empty", f"{who.ja}の{pile.ja}は空")


def _pile(table: Table, name: str, at: At, value: int) -> Sentence | None:
    if not at[1]:
        return None
    who, card, pile = player_said(at[0]), _card(table, at[1]), PILES[name]
    return Sentence(f"{who.en}'s {pile.en}: {card.en} ×{value}", f"{who.ja}の{pile.ja}：{card.ja}{value}枚")


def _place(at: At) -> Sentence:
    who = player_said(at[0])
    return Sentence(f"monster {at[1] + 1} of {who.en}", f"{who.ja}の{at[1] + 1}番目のモンスター")


def _monster(table: Table, name: str, at: At, value: int) -> Sentence:
    place, card = _place(at), _card(table, value) if value else Sentence("nobody", "なし")
    return Sentence(f"{place.en}: {card.en}", f"{place.ja}：{card.ja}")


def _flag(table: Table, name: str, at: At, value: int) -> Sentence:
    place, word = _place(at), _FLAGS[name][not value]
    return Sentence(f"{place.en} {word.en}", f"{place.ja}{word.ja}")


def _on(table: Table, name: str, at: At, value: int) -> Sentence | None:
    if not value:
        return None
    place, card = _place(at), _card(table, table.setting.catalogue.numbers(OF_TYPE[name])[at[2]])
    return Sentence(f"on {place.en}: {card.en} ×{value}", f"{place.ja}に{card.ja}{value}枚")


def _number(table: Table, name: str, at: At, value: int) -> Sentence:
    who, what = player_said(at[0]), _NUMBERS[name]
    return Sentence(f"{what.en} of {who.en}: {value}", f"{who.ja}の{what.ja}：{value}")


def _damage(table: Table, name: str, at: At, value: int) -> Sentence:
    who = player_said(at[0])
    return Sentence(f"damage of {who.en}'s monster: {value / 2:g}", f"{who.ja}のモンスターのダメージ：{value / 2:g}")


def _active(table: Table, name: str, at: At, value: int) -> Sentence:
    who = player_said(at[0])
    if value < 0:
        return Sentence(f"{who.en} has no active monster", f"{who.ja}にアクティブモンスターはいない")
    return Sentence(f"active monster of {who.en}: number {value + 1}", f"{who.ja}のアクティブモンスター：{value + 1}番目")


def _boost(table: Table, name: str, at: At, value: int) -> Sentence | None:
    who, stat = player_said(at[0]), STATS[STAT.labels[at[1]]]
    return Sentence(f"{stat.en} of {who.en}'s active monster this turn: {value:+}", f"このターンの{who.ja}の{stat.ja}：{value:+}") if value else None


def _step(table: Table, name: str, at: At, value: int) -> Sentence:
    step = STEPS[STEP.labels[value]]
    return Sentence(f"step of the turn: {step.en}", f"ターンの段階：{step.ja}")


def _decides(table: Table, name: str, at: At, value: int) -> Sentence:
    who = player_said(value)
    return {
        "word": Sentence(f"{who.en} decides", f"{who.ja}が決める"), "first": Sentence(f"{who.en} is first", f"{who.ja}が先攻"),
        "asked": Sentence(f"{who.en} may use an ability", f"{who.ja}が固有能力を使える"),
        "battle_owner": Sentence(f"the battle is {who.en}'s", f"{who.ja}のバトル"),
    }[name]  # fmt: skip


def _shown(table: Table, name: str, at: At, value: int) -> Sentence | None:
    who, card = player_said(at[0]), _card(table, value)
    return Sentence(f"{who.en} has laid out {card.en}", f"{who.ja}は{card.ja}を公開している") if value else None


def _battle(table: Table, name: str, at: At, value: int) -> Sentence | None:
    card = _card(table, value)
    return Sentence(f"the battle is {card.en}", f"バトルは{card.ja}") if value else None


def _printed(en: str, ja: str) -> Callable[[Table, str, At, int], Sentence | None]:
    """A number that is printed on a card."""

    def said(table: Table, name: str, at: At, value: int) -> Sentence | None:
        card = _card(table, at[0])
        return Sentence(f"{en} of {card.en}: {value}", f"{card.ja}の{ja}：{value}") if at[0] else None

    return said


def _of_technique(en: str, ja: str) -> Callable[[Table, str, At, int], Sentence | None]:
    """A number that is printed with a technique."""

    def said(table: Table, name: str, at: At, value: int) -> Sentence | None:
        if at[0] >= len(table.setting.catalogue.techniques):
            return None
        technique = table.names.technique_said(table.setting.catalogue, at[0])
        return Sentence(f"{en} of {technique.en}: {value}", f"「{technique.ja}」の{ja}：{value}")

    return said


_WRITTEN: Mapping[str, Callable[[Table, str, At, int], Sentence | None]] = {
    **dict.fromkeys(PILES, _pile), "monster": _monster, **dict.fromkeys(_FLAGS, _flag), "training": _on, "gear": _on,
    **dict.fromkeys(_NUMBERS, _number), "damage": _damage, "active": _active, "boost": _boost, "step": _step, "battle": _battle,
    **dict.fromkeys(("word", "first", "asked", "battle_owner"), _decides), "shown": _shown,
    "card_pull": _printed("pull number", "プルナンバー"), "card_target": _printed("target", "目標"),
    **{f"card_{x}": _printed(stat.en, stat.ja) for x, stat in STATS.items()}, **{x: _printed(stat.en, stat.ja) for x, stat in STATS.items()},
    "technique_range": _of_technique("range", "距離"),
}  # fmt: skip
