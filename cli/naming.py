"""``monjudge names``: what the formulas of properties may speak of in a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from monjudge.cli.asking import question
from monjudge.cli.output import Reply, Talk
from monjudge.cli.toolkit import argument, click, option
from monjudge.model.games import games, kit
from monjudge.model.language import Domain, Family, Table
from monjudge.model.language.text import quoted
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.reading import fold, meant
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.names import Name, Names, Span

if TYPE_CHECKING:
    from monjudge.model.properties import Scene, Setting

__all__ = ["names"]

_TITLES = {
    "field": Sentence("Fields: what changes in play", "フィールド：ゲーム中に変わるもの"),
    "configuration": Sentence("Fields that no move changes", "手では変わらないフィールド"),
    "action": Sentence("Actions (for 'on'), each with its parameters; 'me' is whoever acts", "行動（on に書く）とそのパラメータ。me は行動する人"),
    "domain": Sentence("Domains: names for numbers", "領域：数の呼び名"),
    "constant": Sentence("Constants", "定数"),
    "table": Sentence("Tables, written 'table NAME[...]'", "表（「table 名前[...]」と書く）"),
    "card": Sentence("Cards, by their numbers", "カードの番号"),
    "trigger": Sentence("Triggers (for 'among')", "トリガー（among に書く）"),
    "norm": Sentence("Sentences of the text, taken literally (for 'among', with open: [NORMS])", "文字どおりに読んだ文（open: [NORMS] とともに among に書く）"),
    "position": Sentence("Positions (for 'starts')", "局面（starts に書く）"),
    "reading": Sentence("Readings: fields only where they are left open (for 'open')", "読み：開いておいたときだけフィールドになる（open に書く）"),
}  # fmt: skip
_ON_REQUEST = ("norm", "reading")
"""Sorts that are listed only where a word asks for them."""
_CELLS = 16
"""An axis of more cells is mostly that of the cards, of which the first is no card."""


@question("names", Sentence("List the names that the formulas of properties may use.", "性質の式に書ける名前を並べる。"),
          Sentence(f"With a WORD only the names in which it occurs, or whose meaning it occurs in, and these in full; of a card its number; or all of a sort: {', '.join(_TITLES)}.",
                   f"WORD を書くと、名前か意味にその語を含むものだけを、省略せずに示す。カードの名前なら番号を示す。種類（{'、'.join(_TITLES)}）を書くと、その種類のすべて。"))  # fmt: skip
@argument("words", nargs=-1, metavar="[WORD]...")
@option("--game", said=Sentence("Game; else the first that is shipped.", "ゲーム名。なければ最初のゲーム。"))
@option("--plugin", type=click.Path(exists=True, dir_okay=False),
        said=Sentence("Python file that makes the scene instead of a game; it is run.", "ゲームの代わりに場面を作る Python ファイル。実行される。"))
def names(talk: Talk, words: tuple[str, ...], game: str | None, plugin: str | None) -> Reply:
    from monjudge.model.properties import Setting

    setting = Setting(kit(game or games()[0]).name, plugin=str(Path(plugin).resolve()) if plugin else "")
    found = list(_names(setting))
    cards = {word: card for word in words if (card := _card(setting.scene, word)) is not None}
    for word in words:
        if word not in cards and not any(_speaks(sort, name, word) for sort, name in found):
            en, ja = meant(word, [name.name for _, name in found], "there are", "あるのは", most=12)
            raise DataError([Defect("", Sentence(f"there is no name {word!r}{en}", f"{word!r}という名前はない{ja}"), "unknown-name")])
    kept = [(sort, name) for sort, name in found
            if (any(_speaks(sort, name, word) for word in words) if words else sort not in _ON_REQUEST)]  # fmt: skip
    kept += (("card", card) for card in dict.fromkeys(cards.values()))
    return Reply([Names(sort, _TITLES[sort], tuple(name for _, name in each), bool(words)) for sort, each in groupby(kept, lambda one: one[0])])


def _speaks(sort: str, name: Name, word: str) -> bool:
    if word in _TITLES:
        return sort == word
    meaning = () if sort in _ON_REQUEST else name.said
    return any(fold(word) in fold(text) for text in (name.name, *meaning, *(span.name for span in name.of)))


def _card(scene: Scene, word: str) -> Name | None:
    """The card of that name with its number; None where there is none, or where no action plays it by its number."""
    if scene.words is None:
        return None
    try:
        ways = scene.words.kit.ways(scene.words, word)
    except DataError:
        return None
    numbers = {number for _, settled in ways.actions for number in settled.values()}
    return Name(ways.name, (), Span(min(numbers), min(numbers)), ways.said) if len(numbers) == 1 else None


def _names(setting: Setting) -> Iterator[tuple[str, Name]]:
    """Every name with its sort, the names of one sort together."""
    scene = setting.scene
    rules, scope, means = scene.rules, scene.scope(), _meanings(scene)
    for config in (False, True):
        for f in (f for f in rules.families if f.config is config):
            yield "configuration" if config else "field", Name(quoted(f.name), _axes(f), _values(f), means(f.name, f.dims, f.init))
    for a in rules.actions:
        params = tuple(Span(p.values[0], p.values[-1], quoted(p.name), _domain(p.labels), _labels(p.labels), p.var.is_bool) for p in a.params)
        yield "action", Name(a.name, params, None, Sentence(a.en, a.ja))
    for name, domain in scope.domains.items():
        yield "domain", Name(quoted(name), (), Span(0, domain.size - 1, labels=_labels(domain)))
    for name, value in scope.constants.items():
        yield "constant", Name(quoted(name), (), Span(value, value))
    for name, table in scope.tables.items():
        values = Span(min(table.values), max(table.values), truth=table.is_bool)
        yield "table", Name(quoted(name), tuple(Span(0, size - 1) for size in table.dims), values, means(name, table.dims, table.values), _runs(table))
    yield from (("trigger", Name(t.id, (), None, Sentence(t.en, t.ja))) for t in rules.triggers)
    yield from (("norm", Name(n.id, (), None, Sentence(n.en, n.ja))) for n in {n.id: n for n in _literal(setting, scene).rules.norms}.values())
    yield from (("position", Name(name)) for name in ("start", *scene.positions, *scene.made))
    yield from _switches(setting)


def _switches(setting: Setting) -> Iterator[tuple[str, Name]]:
    known = {} if setting.plugin else kit(setting.game).switches()
    for id in setting.switches:
        labels = tuple(known[id].values) if id in known else ()
        yield "reading", Name(quoted(id), (), Span(0, max(0, len(labels) - 1), labels=labels) if labels else None, known[id].title if id in known else Sentence("", ""))


def _literal(setting: Setting, scene: Scene) -> Scene:
    """The scene in which the text is taken literally; this one where there is none."""
    from monjudge.model.properties import NORMS

    try:
        return setting.opened([NORMS]).scene
    except DataError:
        return scene


def _axes(family: Family) -> tuple[Span, ...]:
    return tuple(Span(0, size - 1, "", _domain(axis), _labels(axis)) for size, axis in zip(family.dims, family.axes, strict=True))


def _values(family: Family) -> Span:
    return Span(family.lo, family.hi, "", _domain(family.labels), _labels(family.labels), family.is_bool)


def _runs(table: Table) -> tuple[Sentence, ...]:
    """What a table with one axis holds, but for nothing: ``1..3: 7, 5: 2``."""
    if len(table.dims) > 1:
        return ()
    runs, at = list[str](), 0
    for value, each in groupby(table.values):
        first, at = at, at + len(list(each))
        if value:
            runs.append((f"{first}..{at - 1}" if at - first > 1 else str(first)) + ("" if table.is_bool else f": {value}"))
    return (Sentence(", ".join(runs), ", ".join(runs)),) if runs else ()


def _domain(domain: Domain | None) -> str:
    return "" if domain is None else quoted(domain.name)


def _labels(domain: Domain | None) -> tuple[str, ...]:
    return () if domain is None else tuple(map(quoted, domain.labels))


def _meanings(scene: Scene) -> Callable[[str, Sequence[int], Sequence[int]], Sentence]:
    """What a cell or an entry says to a player, as an example of what its name means; nothing for mere bookkeeping."""
    position = scene.words
    if position is None:
        return lambda name, dims, values: Sentence("", "")

    def means(name: str, dims: Sequence[int], values: Sequence[int]) -> Sentence:
        indices, place = tuple(0 if size <= _CELLS else size // 2 for size in dims), 0
        for index, size in zip(indices, dims, strict=True):
            place = place * size + index
        said = position.kit.fact(position, name, indices, values[place])
        return Sentence("", "") if said is None else Sentence(f"e.g. {said.en}", f"例：{said.ja}")

    return means
