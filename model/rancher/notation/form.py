"""The form of a written position: what the keys are called in both languages, and their letters in a line.

Whatever a state holds has a key here (a test compares them). What a document does not mention is empty,
nobody has done anything yet, and it is the play step of the first turn; the first player has the word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from monjudge.model.language import Domain
from monjudge.model.notation.cursor import Cursor
from monjudge.model.notation.documents import Own, Pile, Readings, Seat
from monjudge.model.notation.forms import Choice, Flag, Keyed, Line, ListOf, Part, Record, Schemas, Whole
from monjudge.model.notation.reading import Reading
from monjudge.model.notation.sentence import Sentence
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.catalogue.packs import LISTS
from monjudge.model.rancher.decks import SIZE, shipped_decks
from monjudge.model.rancher.match import DRAW, LAID, MOST_TURNS, ROW, SQUARES, STACK, STEP, WINDOW
from monjudge.model.rancher.notation.names import Apart, CardWord, Names, pile_of
from monjudge.model.rancher.readings import LIVE
from monjudge.model.rancher.texts import switch_texts

__all__ = ["DECK", "READINGS", "SEAT", "WINNERS", "line_form", "state_form"]

SEAT = Seat(2)
READINGS = Readings(switch_texts, LIVE)
WINNERS = ("1", "2", "BOTH")
MOST_SLOTS = 40

DECK = Choice(
    Sentence("shipped deck", "付属のデッキ"), tuple(shipped_decks()),
    {text: deck.id for deck in shipped_decks().values() for text in deck.name},
)  # fmt: skip


@dataclass(frozen=True)
class Points:
    """Damage in points; a half is ``0.5``."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        number = float(value) if isinstance(value, str) and re.fullmatch(r"[0-9]{1,2}(\.[05])?", value) else value
        if isinstance(number, float) and (2 * number).is_integer() and 0 <= number < 100:
            return int(number) if number.is_integer() else number
        return reading.whole(number, path, range(100))

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [{"type": "number", "minimum": 0, "maximum": 99.5, "multipleOf": 0.5}, {"type": "string"}]}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match(r"[0-9]{1,2}(\.5)?")
        return float(found[0]) if found else cursor.fail("points such as 2 or 2.5", "2や2.5のような点数")


@dataclass(frozen=True)
class TechniqueWord:
    """A technique by its card and its number there: ``ASH_HOUND.2``."""

    names: Names

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        id, _, number = value.rpartition(".") if isinstance(value, str) else ("", "", "")
        name = CardWord(self.names, ("MONSTER", "TRAINING")).read(id or value, path, reading)
        if name != "?" and number not in map(str, range(1, len(self.names.card(name).techniques) + 1)):
            reading.wrong(value, path, "a technique by its number, ASH_HOUND.1", "技の番号（ASH_HOUND.1）")
        return f"{name}.{number}"

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "string", "pattern": r"\.[1-4]$"}

    def line(self, value: Any) -> str:
        return str(value)

    def scan(self, cursor: Cursor) -> Any:
        found = cursor.match(r"[A-Z0-9_]+\.[0-9]")
        return found[0] if found else cursor.fail("a technique, ASH_HOUND.1", "技（ASH_HOUND.1）")


@dataclass(frozen=True)
class Monster:
    """A monster on the field: its card, or a record with what is on it; ``-`` where a place is empty."""

    names: Names

    @property
    def _record(self) -> Record:
        flags = (("injured", "i", "負傷"), ("arrived", "n", "このターンに登場"), ("fought", "f", "バトル済み"), ("trained", "t", "トレーニング済み"),
                 ("equipped", "e", "装備済み"))  # fmt: skip
        training, gear = Sentence("training card", "トレーニングカード"), Sentence("attachment", "アタッチメント")
        return Record("monster", (
            Part("card", CardWord(self.names, ("MONSTER",), Sentence("monster", "モンスター"), True), "c", ja=("カード",), needed=True),
            Part("training", pile_of(self.names, ("TRAINING",), training), "r", ja=("トレーニング",)),
            Part("gear", pile_of(self.names, ("ATTACHMENT",), gear), "g", ja=("アタッチメント",)),
            *(Part(key, Flag(), code, ja=(ja,)) for key, code, ja in flags),
        ), "*")  # fmt: skip

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            return self._record.parts[0].form.read(value, path, reading)
        found = self._record.read(value, path, reading)
        return found["card"] if found.keys() == {"card"} else found

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"anyOf": [self._record.parts[0].form.schema(shared), self._record.schema(shared)]}

    def line(self, value: Any) -> str:
        record = value if isinstance(value, dict) else {"card": value}
        rest = self._record.line({key: item for key, item in record.items() if key != "card"})
        return f"{record['card']}*{rest}" if rest else str(record["card"])

    def scan(self, cursor: Cursor) -> Any:
        card = cursor.inside("card", self._record.parts[0].form)
        return {"card": card, **self._record.scan(cursor)} if cursor.takes("*") else card


def _choice(domain: Domain, ja: dict[str, str] | None = None) -> Choice:
    return Choice(Sentence(domain.name, domain.name), domain.labels, ja or {})


def _about(en: str, ja: str) -> Sentence:
    return Sentence(en, ja)


def _player(names: Names) -> Record:
    """What belongs to one player."""
    pile, few, slot = pile_of(names), Whole(0, 15), Whole(1, MOST_SLOTS)
    card = CardWord(names)
    stats = Keyed(_choice(STAT), Whole(-12, 12))
    field = Apart(Monster(names), MOST_SLOTS, separator=":")

    def heap(key: str, code: str, ja: str) -> Part:
        return Part(key, Pile(pile, SIZE), code, ja=(ja,))

    return Record("player", (
        Part("deck", DECK, "d", ja=("デッキ",), about=_about("the library is what is left of it", "残りが山札になる")),
        heap("hand", "h", "手札"), heap("library", "l", "山札"), heap("discard", "c", "捨て札"), heap("removed", "x", "除外"),
        Part("monsters", field, "m", ja=("モンスター",), also=("field",)),
        Part("kit", pile_of(names, ("ATTACHMENT",)), "k", ja=("プレイヤーの装備",), about=_about("attachments on the player", "プレイヤーへのアタッチメント")),
        Part("kitted", Flag(), "kd", ja=("装備済み",), about=_about("got an attachment this turn", "このターンにアタッチメントが付いた")),
        Part("fame", few, "f", ja=("名声",), otherwise=0),
        Part("active", slot, "a", ja=("アクティブ",), about=_about("which of the monsters, from 1", "何番目のモンスターか")),
        Part("square", Whole(0, SQUARES), "s", ja=("マス",), otherwise=0), Part("damage", Points(), "w", ja=("ダメージ",), otherwise=0),
        Part("side", Whole(0, ROW), "n", ja=("脇",), otherwise=0, about=_about("cards beside the arena", "闘技場の脇のカードの枚数")),
        Part("side_cards", Apart(CardWord(names, gap=True), ROW), "nc", ja=("脇のカード",), about=_about("those that are known", "分かっているもの")),
        Part("shown", Apart(CardWord(names, gap=True), LAID), "o", ja=("公開",), about=_about("cards of the speed check", "スピード判定で並べたカード")),
        Part("due", Whole(0, LAID), "u", ja=("引く枚数",), otherwise=0), Part("owes", few, "ow", ja=("捨てる枚数",), otherwise=0),
        Part("heals", few, "he", ja=("戻す数",), otherwise=0), Part("boost", stats, "b", ja=("増減",)),
        Part("added", Whole(0, 63), "ad", ja=("加算",), otherwise=0, about=_about("pull numbers added to an attack", "攻防に加えたプルナンバー")),
        Part("unable", Flag(), "ua", ja=("攻撃不能",)), Part("attacked", Flag(), "at", ja=("攻撃済み",)),
        Part("used", Whole(0, 7), "us", ja=("能力の回数",), otherwise=0), Part("used_here", Flag(), "uh", ja=("能力使用中",)),
        Part("ordered", card, "or", ja=("指示",)), heap("away", "aw", "指示に出したカード"), heap("covered", "cv", "伏せたカード"),
        Part("pending", Points(), "pe", ja=("未処理のダメージ",), otherwise=0),
        Part("lost", Flag(), "lo", ja=("敗北",)), Part("drawing", Flag(), "dr", ja=("引いている",)),
    ), ";")  # fmt: skip


@cache
def state_form(names: Names) -> Record:
    """A position of two players."""
    card = CardWord(names)
    winner = Choice(Sentence("winner", "勝者"), WINNERS, {"both": "BOTH"})
    steps = {"準備": "CHOOSE", "行動": "PLAY", "移動": "MOVE", "攻撃": "ATTACK", "アクティブ": "ACTIVE", "スピード": "SPEED", "イベント": "EVENT"}
    return Record("state", (
        Part("game", Choice(Sentence("game", "ゲーム"), ("rancher",)), "game", ja=("ゲーム",)),
        Part("format", Choice(Sentence("format", "形式"), ("monjudge-state/1",)), "format", otherwise="monjudge-state/1"),
        Part("step", _choice(STEP, steps), "p", ja=("段階",), otherwise="PLAY"), Part("turn", Whole(0, MOST_TURNS), "t", ja=("ターン",), otherwise=1),
        Part("first", SEAT, "f", ja=("先攻",), otherwise=1), Part("word", SEAT, "w", ja=("手番",), about=_about("who decides; else the first player", "なければ先攻")),
        Part("youngest", SEAT, "y", ja=("年少",), otherwise=1), Part("passed", Flag(), "pa", ja=("パス",)),
        Part("purpose", _choice(DRAW), "q", ja=("引く目的",), otherwise="HAND"),
        Part("battle", card, "b", ja=("バトル",), about=_about("the Battle card that is fought", "行われているバトルのカード")),
        Part("owner", SEAT, "o", ja=("バトルの持ち主",), otherwise=1), Part("winner", winner, "wi", ja=("勝者",)),
        Part("battled", Flag(), "bd", ja=("バトル済み",)), Part("stirred", Flag(), "s", ja=("動きあり",)),
        Part("technique", TechniqueWord(names), "k", ja=("技",)), Part("rounds", Whole(0, ROW), "ro", ja=("ラウンド",), otherwise=0),
        Part("trainee", Whole(1, MOST_SLOTS), "tr", ja=("訓練中",)), Part("course", card, "co", ja=("試すトレーニング",)),
        Part("judged", card, "j", ja=("判定のカード",)), Part("correction", Whole(-8, 8), "cr", ja=("補正",), otherwise=0),
        Part("window", _choice(WINDOW), "v", ja=("能力の機会",), otherwise="NONE"), Part("asked", SEAT, "vq", ja=("能力を問われる",), otherwise=1),
        Part("waited", Flag(), "vw", ja=("能力パス",)), Part("waiting", ListOf(SEAT, STACK), "vs", ja=("待つ能力",)),
        Part("resolves", Flag(), "vr", ja=("能力発動",)), Part("early", Flag(), "e", ja=("早い行動",)),
        Part("faster", SEAT, "fa", ja=("速い",)), Part("last_winner", SEAT, "lw", ja=("前の勝者",)),
        Part("slots", Whole(1, MOST_SLOTS), "sl", ja=("枠",), about=_about("places for monsters of a player", "モンスターを置ける数")),
        Part("readings", READINGS, "R", ja=("読み", "読み方")),
        Part("cards", Own(LISTS), "C", ja=("カード",), about=_about("cards of one's own", "自作のカード")),
        Part("players", Keyed(SEAT.word, _player(names)), "players", ja=("プレイヤー",)),
    ), spread="players")  # fmt: skip


@cache
def line_form(names: Names) -> Line:
    """The one-line notation of positions, version 1: ``mr1/p=MOVE/1=m=IRON_RAM;a=1;s=1;h=2LIFTING/2=...``."""
    return Line("mr", 1, state_form(names))
