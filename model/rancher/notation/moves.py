"""The notation of moves: one short line each, ``1:train LIFTING 2``, and back; and moves as sentences.

```
choose ASH_HOUND | ready | name 1 | event TAILWIND | fight CUP_MATCH [of 2] | ability | wait
order SPRINTS | no-order | attack ASH_HOUND.2 | decline | add LIFTING | add-nothing | lay SPRINTS
place ASH_HOUND | train LIFTING 1 | aid SPRINTS | hinder SPRINTS | leave | attach IRON_PLATE 1 | equip WHISTLE | end
discard SPRINTS | give-up SPRINTS | trim SPRINTS | keep | heal 2 | dismiss 2        chance: draw LIFTING
```

Monsters are counted from 1 in the order of the position, techniques in the order of their card.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from monjudge.model.language import NATURE, Action, Move, RuleSet, State
from monjudge.model.notation.reading import fold
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.spoken import Counted, Grammar, OfCard, Piece, Spoken, Tagged, Verb, named
from monjudge.model.rancher.notation.position import Table

__all__ = ["GRAMMAR", "SENTENCES", "player_said", "said"]


@dataclass(frozen=True)
class OfTechnique:
    """A technique, by its card and number, or by its name where only one of the position is called so."""

    params = ("technique",)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield table.names.technique(table.setting.catalogue, args["technique"])

    def read(self, spoken: Spoken) -> None:
        table: Table = spoken.table
        techniques = table.setting.catalogue.techniques
        rest = " ".join(word for word, _ in spoken.words[spoken.here :])
        known = {fold(table.names.technique(table.setting.catalogue, n)): n for n in range(len(techniques))}
        called = [n for n in range(len(techniques)) if fold(rest) in map(fold, table.names.technique_said(table.setting.catalogue, n))]
        if len(called) == 1:
            spoken.found["technique"], spoken.here = called[0], len(spoken.words)
        elif fold(spoken.word) in known:
            spoken.found["technique"] = known[fold(spoken.take())]
        else:
            card = fold(spoken.word).rpartition(".")[0]
            same = [word for word in known if word.rpartition(".")[0] == card]
            some = ", ".join(same or [next(iter(known), "ash_hound.1")]).upper()
            spoken.fail(f"a technique of this position, such as {some},", f"この局面にある技（{some} など）")


_PIECES: Mapping[str, Piece] = {
    "card": OfCard(), "slot": Counted("slot"), "technique": OfTechnique(), "whose": Tagged("of", (Counted("whose"),), needed=True),
}  # fmt: skip

_ALSO: Mapping[str, tuple[str, ...]] = {
    "choose": ("選ぶ",), "ready": ("準備完了",), "name": ("指名",), "event": ("イベント",), "fight": ("バトル",), "order": ("指示", "移動"),
    "attack": ("攻撃",), "decline": ("攻撃しない",), "add": ("加える",), "add_nothing": ("加えない",), "place": ("登場",),
    "train": ("トレーニング", "訓練"), "aid": ("援助",), "hinder": ("妨害",), "attach": ("付ける",), "equip": ("装備",), "end": ("終了", "エンド"),
    "discard": ("捨てる",), "ability": ("能力",), "wait": ("パス", "pass"), "draw": ("引く", "ドロー"),
}  # fmt: skip


def _verb(action: Action) -> Verb:
    return Verb(action.name.replace("_", "-"), tuple(_PIECES[p.name] for p in action.params), _ALSO.get(action.name, ()))


GRAMMAR = Grammar(_verb)
"""How moves are said."""

SENTENCES: Mapping[str, tuple[str, str]] = {
    "choose": ("{who} chooses {card} to begin with.", "{who}は最初のモンスターに{card}を選ぶ。"),
    "ready": ("{who} has chosen.", "{who}は選び終える。"),
    "trim": ("{who} discards {card} before drawing.", "{who}は引く前に{card}を捨てる。"),
    "keep": ("{who} keeps the rest of the hand.", "{who}は残りの手札を持っておく。"),
    "discard": ("{who} discards {card}.", "{who}は{card}を捨てる。"),
    "name": ("{who} names {monster} as the active monster.", "{who}は{monster}をアクティブモンスターに指定する。"),
    "event": ("{card} of {who} takes effect.", "{who}の{card}が発動する。"),
    "fight": ("{who} fights the battle of {card}.", "{who}は{card}のバトルを行う。"),
    "lay": ("{who} lays {card} beside the arena.", "{who}は闘技場の脇に{card}を置く。"),
    "order": ("{who} shows {card}: {icon}.", "{who}は{card}を見せて指示する：{icon}。"),
    "no_order": ("{who} gives no order.", "{who}は指示をしない。"),
    "attack": ("{who} attacks with {technique}.", "{who}は「{technique}」で攻撃する。"),
    "decline": ("{who} does not attack.", "{who}は攻撃しない。"),
    "add": ("{who} adds {card}, pull number {pull}.", "{who}は{card}（プルナンバー{pull}）を加える。"),
    "add_nothing": ("{who} adds no card.", "{who}はカードを加えない。"),
    "place": ("{who} places {card} on the field.", "{who}は{card}を場に出す。"),
    "train": ("{who} trains {monster} with {card}.", "{who}は{monster}に{card}のトレーニングを試みる。"),
    "aid": ("{who} helps the training with {card}.", "{who}は{card}でトレーニングを援助する。"),
    "hinder": ("{who} hinders the training with {card}.", "{who}は{card}でトレーニングを妨害する。"),
    "leave": ("{who} leaves the judgement alone.", "{who}は判定に手を出さない。"),
    "attach": ("{who} attaches {card} to {monster}.", "{who}は{monster}に{card}を付ける。"),
    "equip": ("{who} attaches {card} to {owner}.", "{who}は{owner}に{card}を付ける。"),
    "end": ("{who} does nothing more.", "{who}は行動を終える。"),
    "give_up": ("{who} discards {card} as a text says.", "{who}は効果により{card}を捨てる。"),
    "heal": ("{who} brings {monster} back to the field.", "{who}は{monster}を負傷から戻す。"),
    "dismiss": ("{who} removes {monster} from the field.", "{who}は{monster}を場から外す。"),
    "ability": ("{who} uses the ability of {active}.", "{who}は{active}の固有能力を使う。"),
    "wait": ("{who} uses no ability.", "{who}は固有能力を使わない。"),
    "draw": ("{card} is drawn.", "{card}が引かれる。"),
}
"""A sentence for every action in each language."""

ICONS = {"CHARGE": Sentence("Charge", "前進"), "RETREAT": Sentence("Retreat", "後退"), "HOLD": Sentence("Hold", "待機"), "SHOVE": Sentence("Shove", "突き飛ばし")}


def said(rules: RuleSet, state: State, table: Table, move: Move) -> Sentence:
    """The move as a sentence in both languages."""
    cards, names = table.setting.catalogue, table.names
    parts: dict[str, Sentence] = {"who": player_said(move.me)}
    args = named(rules, move)
    if "card" in args:
        card = cards.cards[args["card"]]
        parts |= {"card": names.said(card), "icon": ICONS[card.icon], "pull": Sentence(str(card.pull), str(card.pull))}
    if "technique" in args:
        parts["technique"] = names.technique_said(cards, args["technique"])
    owner = 1 - move.me if "card" in args and cards.cards[args["card"]].place.startswith("foe") else move.me
    parts["owner"] = player_said(owner)
    for key, slot in (("monster", args.get("slot", -1)), ("active", state[rules.cell("active", owner)] if move.me != NATURE else -1)):
        if slot >= 0:
            kind = state[rules.cell("monster", owner, slot)]
            parts[key] = names.said(cards.cards[kind]) if kind else Sentence(f"monster {slot + 1}", f"{slot + 1}番目のモンスター")
    templates = SENTENCES[move.action]
    missing = {"active": Sentence("the active monster", "アクティブモンスター")} | parts
    en, ja = (template.format_map({key: words[n] for key, words in missing.items()}) for n, template in enumerate(templates))
    return Sentence(en[0].upper() + en[1:], ja)


def player_said(player: int) -> Sentence:
    """Players count from 1."""
    return Sentence("Chance", "偶然") if player == NATURE else Sentence(f"Player {player + 1}", f"プレイヤー{player + 1}")
