"""The form of a written position: what the keys are called in both languages, and their letters in a line.

Whatever a state holds has a key here (a test compares them); what a document does not mention is
empty, nobody has done anything yet, and it is an edit turn whose draw is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from monjudge.model.language import Domain
from monjudge.model.monjan.battle import GUARD
from monjudge.model.monjan.battle_cards import LISTED_BONUS
from monjudge.model.monjan.budget import SKILL_SOURCE
from monjudge.model.monjan.cards import Catalogue
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import ABOVE, OUTSIDE, PENDING, PHASE, SOURCE, STEP, WAITING
from monjudge.model.monjan.notation.cards import Names, sort_key
from monjudge.model.monjan.notation.words import (
    BOARD,
    COLUMN_WORD,
    COLUMNS,
    MODE_WORD,
    SEAT,
    CardWord,
    Defence,
    Extra,
    Sparse,
    Stack,
    by_column,
)
from monjudge.model.monjan.readings import LIVE
from monjudge.model.monjan.texts import switch_texts
from monjudge.model.notation.cells import REST
from monjudge.model.notation.cursor import Cursor
from monjudge.model.notation.documents import Own, Pile, Readings
from monjudge.model.notation.forms import Choice, Flag, Keyed, Line, ListOf, Part, Record, Schemas, Whole
from monjudge.model.notation.reading import Reading, quoted
from monjudge.model.notation.sentence import Sentence

__all__ = ["READINGS", "REST", "line_form", "state_form"]

MOST = 400

READINGS = Readings(switch_texts, LIVE)
"""How the ambiguities of the text are read."""

_MONJAN = ("NUMBER", "PLUS", "KILL", "PLAIN", "EXTRA", "TOUGHNESS")
_BOSS = ("BOSS", "ASSASSIN")


PLAYED = Domain("sort of battle card", (*(f"+{n}" for n in LISTED_BONUS), "OTHER", "KILL"))
"""The sorts of battle cards that a reading counts (BCARD.*)."""


def _choice(domain: Domain, ja: dict[str, str]) -> Choice:
    return Choice(Sentence(domain.name, domain.name), domain.labels, ja)


PHASE_WORD = _choice(PHASE, {"配る": "DEAL", "選択": "DRAFT", "編集": "EDIT", "編集ターン": "EDIT", "バトル": "BATTLE", "バトルターン": "BATTLE",
                             "片付け": "CLEANUP", "終了": "OVER"})  # fmt: skip


def _about(en: str, ja: str) -> Sentence:
    return Sentence(en, ja)


def _player(names: Names) -> Record:
    """What belongs to one player."""
    card = CardWord(names)
    lying = CardWord(names, marks="-")
    mana = CardWord(names, Sentence("mana", "マナ"), marks="*-_")
    extra = CardWord(names, Sentence("Extra card", "エキストラカード"), ("EXTRA",), marks="-")
    few, slot = Whole(0, 7), Whole(1, 40)
    summoned = Choice(Sentence("way of summoning", "召喚のしかた"), ("PAIR", "NUMBER"), {"属性": "PAIR", "数字": "NUMBER"})
    by = Record("summoned", (
        Part("card", extra, "c", ja=("カード",), needed=True), Part("by", summoned, "b", ja=("召喚",)),
        Part("witness", Witness(), "w", ja=("根拠",)), Part("at", COLUMN_WORD, "a", ja=("場所",)),
    ), ",")  # fmt: skip
    counts = (("mana", "マナ"), ("attack", "攻撃"), ("defence", "防御"), ("extra", "エキストラ"), ("toughness", "タフネス"), ("boss", "ボス"),
              ("total", "合計"), ("edit_skill", "編集スキル"))  # fmt: skip
    did = Record("did", tuple(Part(k, few, c, ja=(ja,)) for (k, ja), c in zip(counts, "madxtbns", strict=True)), ",")
    limited = (("ritual", "儀式", "r"), ("tea", "茶会", "t"), ("castle", "一夜城", "c"), ("trap", "トラップ", "g"))
    uses = Record("uses", tuple(Part(k, few, code, ja=(ja,), otherwise=0) for k, ja, code in limited), ",")
    source = Choice(Sentence("source of a skill", "スキルの出どころ"), tuple(s.upper().replace(" ", "_") for s in SKILL_SOURCE))
    used = Record("skills_used", (Part("edit", ListOf(source, 8), "e", ja=("編集",)), Part("battle", ListOf(source, 8), "b", ja=("バトル",))), ",")
    recycling = Choice(Sentence("state of recycling", "リサイクルの状態"), ("NO", "NEXT", "USED"))
    guards = _choice(GUARD, {})
    return Record("player", (
        Part("board", BOARD, "b", ja=("盤", "ボード"), about=_about("the status board", "ステータスボード")),
        Part("hand", Pile(ListOf(card, MOST, ordered=False, key=sort_key), Catalogue.MOST), "h", ja=("手札",)),
        Part("mana", by_column(Stack(ListOf(mana, 40, single=True))), "m", ja=("マナ",), about=_about("from the bottom; Elements with *", "下から順に。エレメンツは*を付ける")),
        Part("defence", by_column(Defence(CardWord(names, gap=True))), "d", ja=("防御",), also=("def",), about=_about("card and life", "カードとライフ")),
        Part("attack", by_column(lying), "a", ja=("攻撃",), also=("atk",)),
        Part("extra", Extra(by), "x", ja=("エキストラ",)),
        Part("outside", ListOf(CardWord(names, Sentence("boss or assassin", "ボスかアサシン"), _BOSS, "-", True), OUTSIDE, single=True), "o", ja=("場外",),
             about=_about("boss cards for one turn", "一ターンだけのボスアサカード")),
        Part("above", ListOf(CardWord(names, gap=True), ABOVE, single=True), "v", ja=("攻撃欄の上",), about=_about("cards of the ritual", "儀式のカード")),
        Part("under", by_column(card), "u", ja=("攻撃の下",), about=_about("what lies beneath an attack card", "攻撃カードの下の札")),
        Part("beneath", by_column(card), "n", ja=("防御の下",), about=_about("what lies beneath a defence", "防御の下の札")),
        Part("fallen", COLUMNS, "f", ja=("倒れた列",)),
        Part("fell", COLUMNS, "g", ja=("この戦いで倒れた列",), about=_about("columns that fell since the last clean-up", "この番に倒れた列")),
        Part("supplied", COLUMNS, "s", ja=("補給済み",), about=_about("columns whose fall was paid out", "倒れた分を受け取った列")),
        Part("discard", Pile(ListOf(card, MOST, ordered=False, key=sort_key), Catalogue.MOST), "c", ja=("捨て札",)),
        Part("out", Flag(), "out", ja=("脱落",)),
        Part("done", Flag(), "z", ja=("編集終了",), about=_about("has ended the edit turn", "編集ターンを終えた")),
        Part("draws", Whole(0, 12), "w", ja=("ドロー",), about=_about("cards that are still to be drawn", "これから引く枚数")),
        Part("draws_et", Whole(0, 12), "we", ja=("ETドロー",), otherwise=0),
        Part("drawn", Flag(), "wd", ja=("ドロー済み",), about=_about("the draws are of the next turn", "ドローは次の番の分")),
        Part("did", did, "i", ja=("行動",), about=_about("what was done in this edit turn", "この編集ターンにしたこと")),
        Part("did_column", by_column(few), "j", ja=("列の行動",)),
        Part("laid", COLUMN_WORD, "l", ja=("マナを置いた列",)),
        Part("uses", uses, "y", ja=("使った回数",), about=_about("uses of board skills in this match", "ボードのスキルを使った回数")),
        Part("skills_used", used, "k", ja=("使ったスキル",)),
        Part("recycling", ListOf(recycling, OUTSIDE, single=True), "r", ja=("リサイクル",)),
        Part("speed", Whole(-1, 2000), "p", ja=("速さ",), otherwise=0),
        Part("place", Whole(0, 3), "q", ja=("順番",), otherwise=0, about=_about("how many act before", "先に動く人数")),
        Part("place_before", Whole(0, 3), "qb", ja=("前の順番",), otherwise=0),
        Part("lot", Whole(0, 4), "qt", ja=("くじ",), otherwise=0),
        Part("stepped", Flag(), "qs", ja=("攻撃済み",), about=_about("has had its attacks", "攻撃を終えた")),
        Part("guarded", ListOf(guards, GUARD.size, ordered=False), "gu", ja=("ガード済み",)),
        Part("goes", COLUMNS, "bg", ja=("底も捨てる",), about=_about("columns whose bottom Elements go too", "底のエレメンツも捨てる列")),
        Part("owed", by_column(Whole(0, 40)), "ow", ja=("払い残り",)),
        Part("owed_mark", Whole(0, 2), "om", otherwise=0),
        Part("may_go", by_column(ListOf(slot, 40)), "mg", about=_about("mana that may be named, from the bottom, from 1", "選べるマナ（下から1）")),
        Part("picks", Whole(0, 3), "pk", ja=("選ぶ枚数",), otherwise=0),
        Part("played", ListOf(_choice(PLAYED, {}), PLAYED.size, ordered=False), "pl", about=_about("sorts of battle cards played in this battle turn", "この番に使ったバトルカードの種類")),
        Part("taken", Whole(0, 9999), "tk", otherwise=0, about=_about("damage taken in this battle turn", "この番に受けたダメージ")),
    ), ";", title=Sentence("player", "プレイヤー"))  # fmt: skip


@dataclass(frozen=True)
class Witness:
    """The mana by which an Extra card was summoned: ``{L: 2}``, counted from the bottom, from 1; in a line ``2.0.1``."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        found = by_column(Whole(1, 40)).read(value, path, reading)
        return {} if value == {} else found

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return by_column(Whole(1, 40)).schema(shared)

    def line(self, value: Any) -> str:
        return ".".join(str(value.get(name, 0)) for name in COLUMN_WORD.words)

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match(r"([0-9]+)\.([0-9]+)\.([0-9]+)")
        if not found:
            cursor.fail("three numbers: 2.0.1", "三つの数：2.0.1")
        return {name: int(n) for name, n in zip(COLUMN_WORD.words, found.groups(), strict=True) if n != "0"}


def _battle(names: Names) -> Record:
    """Where a battle turn stands."""
    source, guard = _choice(SOURCE, {}), _choice(GUARD, {})
    order, power = Whole(0, SOURCE.size), Whole(0, 127)
    return Record("battle", (
        Part("step", _choice(STEP, {}), "s", ja=("段階",), otherwise="NONE"),
        Part("attacker", SEAT, "a", ja=("攻撃側",), otherwise=1),
        Part("target", SEAT, "t", ja=("相手",)),
        Part("word", SEAT, "w", ja=("発言権",), otherwise=1, about=_about("who may speak in the window", "いま割り込める人")),
        Part("passed", Flag(), "p", ja=("パス済み",)),
        Part("source", source, "o", ja=("攻撃元",)),
        Part("power", Whole(0, 127), "v", ja=("攻撃力",), otherwise=0),
        Part("guard", guard, "g", ja=("ガード",)),
        Part("attacked", ListOf(source, SOURCE.size), "d", ja=("攻撃した",), about=_about("sources that have attacked", "攻撃を済ませたもの")),
        Part("flame", guard, "f", ja=("炎",)),
        Part("last_fall", LAST_FALL, "l", ja=("最後に倒れた列",), about=_about("player and column: 2L", "プレイヤーと列：2L")),
        Part("last_card", CardWord(names), "c", ja=("最後の防御",)),
        Part("lost", Whole(0, 16), "x", otherwise=0), Part("answered", Flag(), "y"),
        Part("called", Sparse(source, order), "ca", about=_about("announced attacks, in their order", "宣言した攻撃の順")),
        Part("called_power", Sparse(source, power), "cp"), Part("called_at", Sparse(source, SEAT), "ct"),
        Part("calls", order, "cn", otherwise=0), Part("facing", Flag(), "cf"),
        Part("held", Sparse(source, order), "ha", about=_about("attacks that wait to strike", "命中を待つ攻撃の順")),
        Part("held_power", Sparse(source, power), "hp"), Part("held_at", Sparse(source, SEAT), "ht"),
        Part("held_guard", Sparse(source, guard), "hg"), Part("holds", order, "hn", otherwise=0), Part("striking", Flag(), "hs"),
        Part("waiting", Whole(0, WAITING), "qn", otherwise=0, about=_about("cards that wait for one another", "効果を待つカードの数")),
        Part("waiting_by", Sparse(_WAITS, SEAT), "qb"), Part("waiting_card", Sparse(_WAITS, CardWord(names)), "qc"),
        Part("waiting_aim", Sparse(_WAITS, Whole(0, 99)), "qa"),
    ), ",")  # fmt: skip


_WAITS = Choice(Sentence("place in the row", "待ち順"), tuple(map(str, range(1, WAITING + 1))))
LAST_FALL = Choice(Sentence("column of a player", "プレイヤーの列"), tuple(f"{p}{c}" for p in SEAT.word.words for c in COLUMN_WORD.words))


def _pending(names: Names) -> Record:
    """What chance has to settle."""
    return Record("pending", (
        Part("what", _choice(PENDING, {}), "w", otherwise="NONE"), Part("player", SEAT, "p", otherwise=1),
        Part("place", Whole(0, 15), "l", otherwise=0), Part("card", CardWord(names), "c"),
        Part("skill", Whole(0, 2), "s", otherwise=0), Part("done", Flag(), "d"),
    ), ",")  # fmt: skip


@cache
def state_form(names: Names) -> Record:
    """The form of a position, its cards called by these names."""

    def cards(kinds: Sequence[str], what: Sentence, marks: str = "") -> CardWord:
        return CardWord(names, what, kinds, marks)

    monjan = cards(_MONJAN, Sentence("card of the pile", "束のカード"))
    boss = cards(_BOSS, Sentence("boss or assassin", "ボスかアサシン"))
    et = cards(("EXTRA", "TOUGHNESS"), Sentence("Extra or Toughness card", "エキストラかタフネスカード"))
    players = Keyed(SEAT.word, _player(names))

    def pile(card: CardWord) -> Pile:
        return Pile(ListOf(card, MOST, ordered=False, key=sort_key), Catalogue.MOST, rest=True)

    return Record("state", (
        Part("game", Choice(Sentence("game", "ゲーム"), ("monjan",), {"モンジャンコロシアム": "monjan"}), "game", ja=("ゲーム",), otherwise="monjan"),
        Part("format", Choice(Sentence("format", "形式"), ("monjudge-state/1",)), "format", otherwise="monjudge-state/1"),
        Part("mode", MODE_WORD, "m", ja=("モード",), otherwise="EXTRA"),
        Part("phase", PHASE_WORD, "p", ja=("フェイズ", "段階"), otherwise="EDIT"),
        Part("turn", Whole(0, 99), "t", ja=("ターン", "手番")),
        Part("players", players, "players", ja=("プレイヤー",)),
        Part("deck", pile(monjan), "D", ja=("束", "山札"), about=_about("in any order, or rest", "順不同。残り全部なら rest")),
        Part("deck_top", ListOf(monjan, 4, single=True), "Dt", ja=("束の上",), about=_about("known uppermost cards", "わかっている上の札")),
        Part("et", pile(et), "E", ja=("ET束",)),
        Part("et_top", ListOf(et, 4, single=True), "Et", ja=("ET束の上",)),
        Part("boss", pile(boss), "B", ja=("ボスアサ束",), also=("ba",)),
        Part("boss_top", ListOf(boss, 2, single=True), "Bt", ja=("ボスアサ束の上",), also=("ba_top",)),
        Part("boss_bottom", ListOf(boss, 15), "Bb", ja=("ボスアサ束の下",)),
        Part("pool", pile(et), "L", ja=("場札",), about=_about("E and T cards still to pick or mix in", "まだ選ばれていないETカード")),
        Part("first_pick", SEAT, "Lf", ja=("最初に選ぶ",), otherwise=1),
        Part("picks_by_lot", Flag(), "Ll", ja=("くじで選ぶ",)),
        Part("mixing", Whole(0, 999), "Lm", ja=("混ぜる枚数",), otherwise=0),
        Part("battle", _battle(names), "b", ja=("バトル",)),
        Part("pending", _pending(names), "w", ja=("未決",)),
        Part("readings", READINGS, "R", ja=("読み", "読み方")),
        Part("hidden", Flag(), "H", ja=("伏せ札あり",), about=_about("cards may be laid face down", "伏せて置ける")),
        Part("slots", Whole(2, 40), "S", about=_about("mana that a column may hold in the model", "模型で一列に置けるマナの数")),
        Part("pack", PackMark(), "P", ja=("パック",), about=_about("the first digits of the pack that 'rest' speaks of", "rest の元になるパックの印")),
        Part("cards", Own(("extra", "toughness")), "C", ja=("カード",), about=_about("cards of one's own", "自作のカード")),
    ), spread="players")  # fmt: skip


@dataclass(frozen=True)
class PackMark:
    """Eight digits of the content hash of the default pack: ``rest`` means another thing under another pack."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        mark = default_pack().hash[:8]
        if str(value) != mark:
            reading.fault(path, f"{quoted(value)} is not the pack of this version ({mark})", f"{quoted(value)} はこの版のパック（{mark}）ではない", "other-pack")
        return mark

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "string", "pattern": "^[0-9a-f]{8}$"}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match("[0-9a-f]{8}")
        return found[0] if found else cursor.fail("eight digits", "八桁")


@cache
def line_form(names: Names) -> Line:
    """The one-line notation of positions, version 1: ``mc1/t=3/1=b=FLEHEIM;h=F2W6;...``."""
    return Line("mc", 1, state_form(names))
