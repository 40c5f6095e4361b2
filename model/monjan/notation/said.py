"""Moves as sentences, each written for its language."""

from __future__ import annotations

from collections.abc import Mapping

from monjudge.model.language import NATURE, Move, RuleSet
from monjudge.model.monjan.battle import GUARD
from monjudge.model.monjan.cards import NO_ELEMENT, Card
from monjudge.model.monjan.match import SOURCE
from monjudge.model.monjan.notation.cards import Names
from monjudge.model.monjan.notation.move_pieces import AT_ANOTHER, AT_ONESELF, effect_of, third_part
from monjudge.model.monjan.notation.position import Table
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.spoken import named

__all__ = ["card_said", "said"]

COLUMNS = (Sentence("left", "左"), Sentence("centre", "中央"), Sentence("right", "右"))
ELEMENTS = (Sentence("fire", "火"), Sentence("water", "水"), Sentence("earth", "地"), Sentence("wind", "風"), Sentence("none", "無"))
_ORDINALS = ("first", "second", "third")

TEMPLATES: Mapping[str, tuple[str, str]] = {
    "pick": ("{who} picks {card}.", "{who}は{card}を選ぶ。"),
    "draw_equipment": ("{card} is drawn as initial equipment.", "初期装備として{card}が引かれる。"),
    "mix_in": ("{card} is mixed into the pile.", "{card}が束に混ぜられる。"),
    "draw": ("{who} draws.", "{who}はドローする。"),
    "middle": ("{who} places {card} as the middle defence.", "{who}は中央の防御に{card}を置く。"),
    "end": ("{who} ends the edit turn.", "{who}は編集ターンを終える。"),
    "mana": ("{who} lays {card} as mana {on}{down}.", "{who}は{on}のマナに{card}を{down}置く。"),
    "attack": ("{who} places {card} on attack {on}{down}.", "{who}は{on}の攻撃に{card}を{down}置く。"),
    "defence": ("{who} places {card} on defence {on}.", "{who}は{on}の防御に{card}を置く。"),
    "extra": ("{who} summons {card} by {by}{field}{down}.", "{who}は{by}で{card}を{field}{down}召喚する。"),
    "toughness": ("{who} summons {card} {on}{paying}{down}.", "{who}は{paying}{on}に{card}を{down}召喚する。"),
    "boss": ("{who} turns up a boss card for this turn{paying}.", "{who}は{paying}このターンだけのボスアサカードをめくる。"),
    "boss_stay": ("{who} summons a boss card for good {on}{paying}.", "{who}は{paying}{on}にボスアサカードを永続召喚する。"),
    "turn_up": ("{card} is turned up.", "{card}がめくられる。"),
    "spend": ("{who} spends mana {slot} of the {column}.", "{who}は{column}の下から{slot}枚目のマナを消費する。"),
    "show": ("{who} shows mana {slot} of the {column}.", "{who}は{column}の下から{slot}枚目のマナを見せる。"),
    "draw_card": ("{card} is drawn.", "{card}が引かれる。"),
    "laser": ("{who} uses the Anti-AG interception laser for the {column}.", "{who}は{column}に対AG迎撃レーザーを使う。"),
    "gravity": ("{who} uses the Gravity field.", "{who}はグラビティフィールドを使う。"),
    "recycle": ("{who} uses Recycling for card {slot} outside the board.", "{who}は場外の{slot}枚目にリサイクル活動を使う。"),
    "tea": ("{who} holds a Tea party: gives {give} and takes {take}.", "{who}はティーパーティーを開き、{give}を渡して{take}を受け取る。"),
    "ritual": ("{who} performs the Infernal resurrection ritual{with}{field}.", "{who}は{with}{field}地獄の復活儀式を行う。"),
    "flame": ("{who} uses the Flame of anger: {place} takes every attack.", "{who}は怒りの炎を使い、すべての攻撃を{place}で受ける。"),
    "castle": ("{who} uses the One-night castle.", "{who}は一夜城を使う。"),
    "trap": ("{who} uses the Dragon trap.", "{who}はドラゴントラップを使う。"),
    "guard_back": ("{who} takes the returned damage with {place}.", "{who}は返ってきたダメージを{place}で受ける。"),
    "roll": ("The die shows {face}.", "サイコロの目は{face}。"),
    "lot": ("The lot falls on {chosen}.", "くじで{chosen}に決まる。"),
    "summon_by_skill": ("{who} summons {card} {on} by its own skill, paying mana {slot} of the {from}.",
                        "{who}は{from}の下から{slot}枚目のマナを払い、{card}自身のスキルで{on}に召喚する。"),
    "edit_skill": ("{who} uses the {ordinal} skill of {card}{aim}{paying}.", "{who}は{paying}{card}の{ordinal}スキルを{aim}使う。"),
    "battle_skill": ("{who} uses the {ordinal} skill of {card}{aim}{paying}.", "{who}は{paying}{card}の{ordinal}スキルを{aim}使う。"),
    "strike": ("{who} attacks{chosen} with {place}.", "{who}は{place}で{chosen}攻撃する。"),
    "take_on": ("{who} takes on the attack of {place} next.", "{who}は次に{place}の攻撃を受ける。"),
    "mulligan": ("{who} shows the hand and draws ten new cards.", "{who}は手札を見せて十枚を引き直す。"),
    "stop": ("{who} attacks no more.", "{who}は攻撃を終える。"),
    "extra_heal": ("{who} lets the Extra card recover the {column} defence instead of attacking.", "{who}はエキストラカードで攻撃する代わりに{column}の防御を回復する。"),
    "guard": ("{who} guards with {place}.", "{who}は{place}でガードする。"),
    "bonus": ("{who} adds {card} to the attack.", "{who}は攻撃に{card}を添える。"),
    "heal": ("{who} recovers the {column} defence with {card}.", "{who}は{card}で{column}の防御を回復する。"),
    "kill": ("{who} destroys {place} with {card}.", "{who}は{card}で{place}を破壊する。"),
    "pass": ("{who} passes.", "{who}はパスする。"),
}  # fmt: skip
"""A sentence for every action in each language."""


def said(rules: RuleSet, table: Table, move: Move) -> Sentence:
    """The move as a sentence in both languages."""
    action, args = rules.by_name[move.action], named(rules, move)
    templates = TEMPLATES.get(move.action, ("{who}: " + (action.en or action.name) + ".", "{who}：" + (action.ja or action.name) + "。"))
    parts = _parts(move, args, table)
    en, ja = (template.format_map({key: words[n] for key, words in parts.items()}) for n, template in enumerate(templates))
    return Sentence(en[0].upper() + en[1:], ja)


def card_said(card: Card, names: Names) -> Sentence:
    """A card as it is called in a sentence."""
    element = ELEMENTS[card.element] if card.element < NO_ELEMENT else Sentence("", "")
    match card.kind:
        case "NUMBER":
            return Sentence(f"{element.en} {card.value}", f"{element.ja}{card.value}")
        case "PLUS":
            return Sentence(f"{element.en} +{card.value}", f"{element.ja}+{card.value}")
        case "KILL":
            return Sentence(f"{element.en} Kill", f"{element.ja}のキル")
        case "PLAIN":
            return Sentence(f"{element.en} B", f"{element.ja}のB")
        case "BOSS":
            return Sentence(f"boss {card.value}", f"ボス{card.value}")
        case "ASSASSIN":
            return Sentence(f"assassin {card.value}", f"アサシン{card.value}")
        case "ANY":
            return {"*": Sentence("an Elements card", "エレメンツ"), "token": Sentence("a marker", "目印")}.get(card.name, Sentence("a card", "カード"))
    entry = names.entries.get(card.name)
    if entry is not None and entry.name is not None:
        return Sentence(entry.name.en, f"「{entry.name.ja}」")
    return Sentence(names.word(card), names.word(card))


def _parts(move: Move, args: Mapping[str, int], table: Table) -> dict[str, Sentence]:
    """What the templates speak of."""
    parts = {"who": _player(move.me), "down": Sentence("", ""), "field": Sentence("", ""), "with": Sentence("", ""),
             "chosen": Sentence("", ""), "paying": Sentence("", "")}  # fmt: skip
    for name, n in args.items():
        if name in ("card", "give", "take"):
            parts[name] = card_said(table.setting.catalogue.cards[n], table.names)
        elif name in ("column", "target", "from") and not (name == "target" and move.action == "strike"):
            parts[name] = COLUMNS[n]
            parts |= {"on": _on(n)} if name == "column" else {}
        elif name == "slot":
            parts[name] = Sentence(str(n + 1), str(n + 1))
        elif name == "face":
            parts[name] = Sentence(str(n), str(n))
    if args.get("down"):
        parts["down"] = Sentence(", face down", "伏せて")
    if "left" in args:
        parts["paying"] = _paying(move, args, table)
    return parts | _special(move, args, parts, table)


def _special(move: Move, args: Mapping[str, int], parts: Mapping[str, Sentence], table: Table) -> dict[str, Sentence]:
    """What means something else with each action."""
    match move.action:
        case "extra":
            by = Sentence("its pair of elements", "属性") if args["by"] == 1 else Sentence("its numbers", "数字")
            return {"by": by} | ({"field": _field(args["at"] - 1)} if args.get("at") else {})
        case "ritual":
            found = {"with": Sentence(f" with {parts['card'].en}", f"{parts['card'].ja}を使って")} if args.get("card") else {}
            return found | ({"field": _field(args["field"])} if "field" in args else {})
        case "edit_skill" | "battle_skill":
            ordinal = Sentence(_ORDINALS[args["skill"]], f"{args['skill'] + 1}番目の")
            return {"ordinal": ordinal, "aim": _aim(args, table)}
        case "strike":
            found = {"place": _place(SOURCE.labels[args["source"]])}
            foe = _player(args["target"]) if "target" in args else None
            return found | ({"chosen": Sentence(f" {foe.en}", f"{foe.ja}を")} if foe else {})
        case "take_on":
            return {"place": _place(SOURCE.labels[args["source"]])}
        case "guard" | "guard_back" | "flame":
            return {"place": _place(GUARD.labels[args["by"]])}
        case "kill":
            return {"place": _place(SOURCE.labels[args["at"]])}
        case "lot":
            return {"chosen": _player(args["player"])}
    return {}


def _aim(args: Mapping[str, int], table: Table) -> Sentence:
    """At whose column a skill is aimed."""
    effect, column = effect_of(args, table), COLUMNS[args["target"]]
    if effect in AT_ONESELF:
        return Sentence(f" on their own {column.en}", f"自分の{column.ja}に")
    if effect not in AT_ANOTHER:
        return Sentence("", "")
    foe = _player(args["at"]) if "at" in args else Sentence("the opponent", "相手")
    return Sentence(f" on {foe.en}'s {column.en}", f"{foe.ja}の{column.ja}に")


def _on(column: int) -> Sentence:
    return Sentence(f"{'in' if COLUMNS[column].en == 'centre' else 'on'} the {COLUMNS[column].en}", COLUMNS[column].ja)


def _field(column: int) -> Sentence:
    return Sentence(f" {_on(column).en} attack field", f"{COLUMNS[column].ja}の攻撃欄で")


def _player(player: int) -> Sentence:
    return Sentence("chance", "偶然") if player == NATURE else Sentence(f"player {player + 1}", f"プレイヤー{player + 1}")


def _place(label: str) -> Sentence:
    """A card that attacks or guards, by where it lies."""
    row = {"A": Sentence("attack card", "攻撃カード"), "D": Sentence("defence", "防御")}
    if label == "EX":
        return Sentence("the Extra card", "エキストラカード")
    if label[0] in "OU":
        n = int(label[1]) + 1
        return Sentence(f"card {n} outside the board", f"場外の{n}枚目") if label[0] == "O" else Sentence(f"ritual card {n}", f"儀式のカード{n}枚目")
    column, what = COLUMNS["LCR".index(label[1])], row[label[0]]
    return Sentence(f"the {column.en} {what.en}", f"{column.ja}の{what.ja}")


def _paying(move: Move, args: Mapping[str, int], table: Table) -> Sentence:
    """``, paying 2 mana from the left and 1 from the centre``."""
    fixed = {"boss": 3, "boss_stay": 5}.get(move.action, 0)
    amounts = [(n, column) for n, column in zip((args["left"], args["centre"], third_part(fixed, args, table)), COLUMNS, strict=True) if n]
    if not amounts:
        return Sentence("", "")
    parts = [f"{n}{' mana' if not k else ''} from the {column.en}" for k, (n, column) in enumerate(amounts)]
    en = " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
    ja = "、".join(f"{column.ja}から{n}枚" for n, column in amounts)
    return Sentence(f", paying {en}", f"{ja}のマナを払って")
