"""The written form of a puzzle: one declaration for YAML, JSON, the schema and the line, around the position of any game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from monjudge.model.games import games, kit
from monjudge.model.notation.cursor import Cursor, packed, unpacked
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.documents import TITLE, Seat, format_part
from monjudge.model.notation.forms import (
    ABSENT,
    Choice,
    Flag,
    Form,
    Line,
    ListOf,
    Part,
    Record,
    Schemas,
    Text,
    Whole,
    document_schema,
)
from monjudge.model.notation.places import at
from monjudge.model.notation.reading import Reading
from monjudge.model.notation.sentence import Sentence

__all__ = ["FORMAT", "LETTERS", "SAID", "line_form", "puzzle_form", "schema"]

FORMAT = "monjudge-puzzle/1"
LETTERS = "puzzle"
"""How a puzzle in one line begins, before the version."""

MOST_MOVES = 400


@dataclass(frozen=True)
class Packed:
    """A form that stands packed in a line, whatever it holds."""

    item: Form

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        return self.item.read(value, path, reading)

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return self.item.schema(shared)

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


@dataclass(frozen=True)
class Start:
    """A position of a game, as an object or in one line."""

    game: str

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        try:
            return kit(self.game).canonical("state", value)
        except DataError as error:
            reading.defects += [replace(d, path=at(path, d.path) if d.path else path) for d in error.defects]
            return ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        whole = kit(self.game).schema("state")
        shared.update(whole.pop("$defs", {}))
        form = {key: part for key, part in whole.items() if key not in ("$schema", "$id", "title")}
        return {"anyOf": [form, {"type": "string", "pattern": f"^{kit(self.game).prefix}(/|$)"}]}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


@dataclass(frozen=True)
class Changes:
    """What is otherwise in the position of a twin: keys with their new content, null for what is not there (RFC 7396)."""

    def read(self, value: Any, path: str, reading: Reading) -> Any:
        if not isinstance(value, dict):
            reading.no_record(value, path)
            return ABSENT
        return value or ABSENT

    def schema(self, shared: Schemas) -> dict[str, Any]:
        return {"type": "object"}

    def line(self, value: Any) -> str:
        return packed(value)

    def scan(self, cursor: Cursor) -> Any:
        return unpacked(cursor)


SAID = Record("said", (Part("en", Text(3000), "e", needed=True), Part("ja", Text(3000), "j", needed=True)), ",")
"""A longer text in both languages."""

_MOVES = ListOf(Text(200), MOST_MOVES)
_ENDS = Choice(Sentence("end", "終わり方"), ("reached", "missed"), {"達成": "reached", "失敗": "missed"})

_VARIATION = Record("variation", (
    Part("at", Whole(1, MOST_MOVES), "a", ja=("手目",), needed=True, about=Sentence("the move of the solution whose place it takes, from 1", "作意の何手目に代わるか（1から）")),
    Part("moves", _MOVES, "m", ja=("手順", "手"), needed=True),
    Part("ends", _ENDS, "e", ja=("結果",), needed=True, about=Sentence("whether the goal is reached at its end", "最後に目標が達成されているか")),
    Part("text", SAID, "t", ja=("説明",)),
))  # fmt: skip

_SOLUTION = Record("solution", (
    Part("moves", _MOVES, "m", ja=("手順", "手"), needed=True, about=Sentence("every move, those of the others and of chance included", "相手と偶然の手も含む全手順")),
    Part("ends", _ENDS, "e", ja=("結果",), otherwise="reached"),
    Part("variations", ListOf(_VARIATION, 50), "v", ja=("変化",)),
))  # fmt: skip

_MIXTURE = ListOf(Record("plan", (Part("moves", _MOVES, "m", needed=True), Part("odds", Text(200), "o", needed=True)), ","), 200)
"""Plans for decisions that are taken unseen, each with its probability as a fraction."""

_COMPUTED = Record("computed", (
    Part("rules", Text(64), "r", about=Sentence("the content hash of the rule set", "ルールの内容のハッシュ")),
    Part("verdict", Choice(Sentence("verdict", "判定"), ("yes", "no")), "v", about=Sentence("whether the goal is forced", "必ず達成できるか")),
    Part("turns", Whole(1, 99), "t", about=Sentence("the fewest turns of a win", "最短のターン数")),
    Part("odds", Text(200), "o", about=Sentence("the probability under best play, as a fraction", "最善を尽くしたときの確率（分数）")),
    Part("plans", _MIXTURE, "p", about=Sentence("where decisions are taken unseen: an optimal mixture of the player", "互いに見ずに決めるとき、解く人の最善の混合戦略")),
    Part("replies", _MIXTURE, "q", about=Sentence("and one of the other side", "相手の最善の混合戦略")),
    Part("keys", _MOVES, "k", about=Sentence("the first moves that keep the win, those that no order of play distinguishes included", "勝ちを保つ初手")),
    Part("tries", Whole(0, 100_000), "n", about=Sentence("how many first moves lose it", "勝ちを逃す初手の数")),
    Part("decisions", Whole(0, 10**9), "d", about=Sentence("decisions of the certificate", "証明の中の決定の数")),
    Part("nodes", Whole(0, 10**12), "x", about=Sentence("positions that the search expanded", "探索した局面の数")),
    Part("hangs_on", ListOf(Text(20), 200), "h", about=Sentence("readings of which another, alone, would change the verdict; where this stands, all that the proof consults were tried", "一つだけ別に読むと判定が変わるもの。この欄があれば、証明が参照する読みをすべて試してある")),
))  # fmt: skip

_CHANCE = Choice(Sentence("chance policy", "偶然の扱い"), ("worst", "odds", "given"), {"最悪": "worst", "確率": "odds", "指定": "given"})
_ASKED = (
    Part("goal", Text(200), "go", ja=("目標",), otherwise="win"),
    Part("player", Seat(4), "p", ja=("解く人",), otherwise=1, about=Sentence("who is to reach the goal", "目標を達成する人")),
    Part("turns", Whole(1, 99), "n", ja=("ターン数",), about=Sentence("within so many turns", "このターン数以内")),
    Part("chance", _CHANCE, "ch", ja=("偶然",), otherwise="worst", about=Sentence("against every outcome, with the best odds, or where the outcomes are told", "どの出目にも勝つか、確率を最大にするか、出目が指定されているか")),
    Part("rolls", _MOVES, "ro", ja=("出目",), about=Sentence("the first outcomes of chance, where they are told; those of one kind come in this order", "指定された偶然の結果。同じ種類のものはこの順に出る")),
    Part("hidden", Flag(), "hi", ja=("伏せる",), about=Sentence("the hands of the others and what lies face down are not seen; the position is one of those that could be",
                                                          "相手の手札と伏せ札は見えない。局面はありうるものの一つ")),
)  # fmt: skip
_ANSWERED = (
    Part("solution", Packed(_SOLUTION), "s", ja=("作意", "解答")),
    Part("explanation", Packed(SAID), "e", ja=("解説",)),
    Part("computed", Packed(_COMPUTED), "c", about=Sentence("what the solver found; the tests compare", "ソルバーが求めたもの。テストで照合する")),
)  # fmt: skip

_TWIN = Record("twin", (
    Part("name", Text(20), "na", ja=("名前",), needed=True),
    Part("text", SAID, "x", ja=("違い",), needed=True, about=Sentence("what is otherwise", "どこが違うか")),
    Part("change", Changes(), "y", ja=("変更",)), *_ASKED, *_ANSWERED,
))  # fmt: skip


@cache
def puzzle_form(game: str) -> Record:
    """The form of a puzzle of a game."""
    return Record("puzzle", (
        format_part(FORMAT),
        Part("game", Choice(Sentence("game", "ゲーム"), games()), "g", ja=("ゲーム",), needed=True),
        Part("title", Packed(TITLE), "t", ja=("題",), needed=True),
        Part("author", Text(100), "a", ja=("作者",), needed=True),
        Part("source", Text(400), "so", ja=("出典",)),
        Part("theme", Text(60), "th", ja=("主題",), about=Sentence("what it is about, in a few words joined by hyphens", "主題を表す語（ハイフンでつなぐ）")),
        Part("tags", Packed(ListOf(Text(40), 20, ordered=False)), "tg", ja=("タグ",)),
        *_ASKED,
        Part("told", Packed(ListOf(Text(20), 40)), "r", ja=("読みの明示",),
             about=Sentence("readings that the solver is told with the puzzle, e.g. who has the last word", "問題とともに明示する読み（最後の発言権など）")),
        Part("start", Start(game), "st", ja=("局面", "初期局面"), needed=True),
        Part("twins", Packed(ListOf(_TWIN, 9)), "tw", ja=("双子",), about=Sentence("the same with a small change", "少しだけ違う問題")),
        *_ANSWERED,
    ), title=Sentence("puzzle", "問題"))  # fmt: skip


@cache
def line_form(game: str) -> Line:
    """The one-line notation of puzzles, version 1: ``puzzle1/g=...``."""
    return Line(LETTERS, 1, replace(puzzle_form(game), parts=tuple(p for p in puzzle_form(game).parts if p.key != "format")))


def schema(game: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of the puzzles of a game, from the form that reads them."""
    title = kit(game).title
    found = document_schema(puzzle_form(game), Sentence(f"{title.en}: puzzle", f"{title.ja}：問題"), f"urn:monjudge:schema:{game}-puzzle:1")
    return dict(found)


def merged(data: Any, changes: Mapping[str, Any]) -> Any:
    """Plain data with the changes of a merge patch (RFC 7396)."""
    result = dict(data) if isinstance(data, Mapping) else {}
    for key, change in changes.items():
        if change is None:
            result.pop(key, None)
        elif isinstance(change, Mapping):
            result[key] = merged(result.get(key), change)
        else:
            result[key] = change
    return result
