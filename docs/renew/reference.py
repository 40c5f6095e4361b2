"""The reference pages, written from the registries: nothing in them is typed by hand but their introductions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import click
from verdicts import written

from monjudge.cli.main import COMMANDS
from monjudge.cli.toolkit import Command, Option
from monjudge.model.games import games, kit
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import EFFECT, CardSkill
from monjudge.model.monjan.catalogue.packs import Entry, default_pack
from monjudge.model.monjan.modes import MODES
from monjudge.model.monjan.notation.cards import Names
from monjudge.model.monjan.picture import PALETTE
from monjudge.model.notation.defects import codes
from monjudge.model.notation.sentence import Sentence
from monjudge.model.properties import Setting
from monjudge.reports.answers.verified import WORD
from monjudge.verify.question import Property, read_properties

__all__ = ["LANGUAGES", "reference"]

LANGUAGES = ("en", "ja")
Lines = Iterator[str]
Say = Callable[[str, str], str]

MADE = (
    "*This page is made from the program (`make docs`); changes to it are lost.*",
    "*このページはプログラムから作られています（`make docs`）。書き換えても残りません。*",
)


def reference() -> Mapping[str, str]:
    """Every reference page by its path below ``docs/reference``."""
    made = {"clauses": _clauses, "readings": _readings, "codes": _codes, "commands": _commands, "cards": _cards, "boards": _boards,
            "properties": _properties}  # fmt: skip
    return {
        f"{lang}/{name}.md": "\n".join(_page(name, lang, page)) + "\n"
        for lang, (name, page) in itertools.product(LANGUAGES, made.items())
    }


def _page(name: str, lang: str, page: Callable[[Say], Lines]) -> Lines:
    def say(en: str, ja: str) -> str:
        return en if lang == "en" else ja

    lines = page(say)
    yield next(lines)
    other = say("ja", "en")
    yield f"\n([{say('日本語', 'English')}](../{other}/{name}.md) · [{say('all guides', 'ガイド一覧')}](../../{lang}/index.md))\n"
    yield say(*MADE) + "\n"
    yield from lines


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Lines:
    yield f"| {' | '.join(head)} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(_cell(str(cell)) for cell in row)} |"
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _code(text: object) -> str:
    return f"`{text}`" if str(text) else ""


# -- texts ---------------------------------------------------------------------------------------------------


def _clauses(say: Say) -> Lines:
    yield say("# Clauses", "# 条項")
    yield say(
        "Every sentence of the rules of Monjan Colosseum, restated, with its id and its line in the rule document.\n"
        "`monjudge rules ID` shows one of them, `monjudge rules EDIT` a chapter.\n",
        "モンジャンコロシアムの規則の一文一文を言い直したものです。番号と、説明書での行を添えています。\n"
        "`monjudge rules 番号` で一つ、`monjudge rules EDIT` で一章を表示します。\n",
    )
    for chapter, clauses in itertools.groupby(
        sorted(kit(games()[0]).clauses().values(), key=lambda c: _chapter(c.id)), lambda c: _chapter(c.id)
    ):
        yield f"## {chapter}\n"
        yield from _table(
            (say("id", "番号"), say("text", "内容"), say("place", "行")),
            ((_code(c.id), say(c.en, c.ja), c.ref) for c in clauses),
        )


def _chapter(id: str) -> str:
    return id.partition(".")[0]


def _readings(say: Say) -> Lines:
    words = kit(games()[0])
    switches, fixed = words.switches(), set(words.fixed())
    yield say("# Readings", "# 読み方")
    yield say(
        f"The rule document is ambiguous in {len(switches)} places. Each is a switch with named readings, one of them the default.\n"
        f"{len(switches) - len(fixed)} switches are *live*: `--reading A43=ANY`, a reading profile or a position may choose another\n"
        f"reading. {len(fixed)} are *fixed* at their default in this version.\n",
        f"説明書には曖昧なところが{len(switches)}か所あります。それぞれに名前のついた読み方があり、一つが標準です。\n"
        f"{len(switches) - len(fixed)}か所は*選べます*。`--reading A43=ANY`、読み方のプロファイル、局面のどれでも別の読み方を選べます。\n"
        f"{len(fixed)}か所は、この版では標準の読み方に*固定*されています。\n",
    )
    for switch in switches.values():
        yield f"## {switch.id}\n"
        state = say("fixed", "固定") if switch.id in fixed else say("live", "選べる")
        yield f"**{say(*switch.title)}** ({state})\n" if say("en", "ja") == "en" else f"**{say(*switch.title)}**（{state}）\n"
        if switch.why.en:
            yield f"{say(*switch.why)}\n"
        for value, said in switch.values.items():
            default = say(" (default)", "（標準）") if value == switch.default else ""
            yield f"- `{value}`{default} {say(*said)}"
        yield ""
        if switch.reason.en:
            yield f"{say('Why the default:', '標準の理由：')}{say(' ', '')}{say(*switch.reason)}\n"
        if switch.clauses:
            yield f"{say('Clauses: ', '条項：')}{', '.join(map(_code, switch.clauses))}\n"


def _codes(say: Say) -> Lines:
    yield say("# Codes", "# コード")
    yield say(
        "What can be wrong with a file, a position or a move. MJ1xx: it cannot be read. MJ2xx: it can be read, but not lie on a table.\n"
        "MJ3xx: a move that does not fit the position. A number is never used again for something else. `monjudge explain MJ115` shows one.\n",
        "ファイル、局面、手のどこがいけないのかを表す番号です。MJ1xx は読めないもの、MJ2xx は読めるが卓上にありえないもの、MJ3xx は局面に\n"
        "合わない手です。一度使った番号を別の意味に使うことはありません。`monjudge explain MJ115` で一つを表示します。\n",
    )
    for code in codes().values():
        yield f"## {code.number} {code.name}\n"
        yield f"**{say(*code.title)}**\n"
        yield f"{say(*code.explanation)}\n"
        for title, text in ((say("bad", "悪い例"), code.bad), (say("good", "よい例"), code.good)):
            if text:
                yield f"{title}\n\n```text\n{text}\n```\n"


# -- commands ------------------------------------------------------------------------------------------------


def _commands(say: Say) -> Lines:
    yield say("# Commands", "# コマンド")
    yield say(
        "Every command with its arguments and options. `monjudge COMMAND --help` says the same.\n",
        "すべてのコマンドの引数とオプションです。`monjudge コマンド --help` でも同じ内容が見られます。\n",
    )
    commands: dict[str, Command] = {n: getattr(import_module(f"monjudge.cli.{module}"), n) for n, (module, _) in COMMANDS.items()}
    options = [{o.name: o for o in c.params if isinstance(o, Option)} for c in commands.values()]
    shared = [option for name, option in options[0].items() if all(name in some for some in options)]
    yield say("## Options of every command", "## すべてのコマンドのオプション") + "\n"
    yield from _options(shared, say)
    for name, command in commands.items():
        context = click.Context(command, info_name=name)
        yield f"## {name}\n"
        yield f"{say(*COMMANDS[name][1])}\n"
        yield f"```text\nmonjudge {name} {' '.join(command.collect_usage_pieces(context))}\n```\n"
        yield from (f"{say(*text)}\n" for text in (command.said, command.more) if text.en)
        own = [o for o in command.params if isinstance(o, Option) and o.name not in {option.name for option in shared}]
        yield from _options(own, say)


def _options(options: Sequence[Option], say: Say) -> Lines:
    if options:
        head = say("option", "オプション"), say("value", "値"), say("default", "既定値"), say("what it does", "はたらき")
        yield from _table(head, (_option(option, say) for option in options))


def _option(option: Option, say: Say) -> tuple[str, str, str, str]:
    """The names, what may stand behind them, the default, and what the option does."""
    names = ", ".join(map(_code, (*option.opts, *option.secondary_opts)))
    value = option.metavar or ("\\|".join(option.type.choices) if isinstance(option.type, click.Choice) else option.type.name.upper())
    default = option.default if option.show_default and option.default is not None else ""
    return names, "" if option.is_flag else _code(value.replace("\\|", "|")), _code(default), say(*option.said)


# -- cards and boards ----------------------------------------------------------------------------------------


def _cards(say: Say) -> Lines:
    pack = default_pack()
    yield say("# Cards of the default pack", "# 標準パックのカード")
    yield say(
        "The rule document does not list the cards. The composition is inferred from the parent game; the Extra and Toughness cards,\n"
        "the choice of battle cards and the bosses are this project's own. A pack of your own takes their place:\n"
        "[for designers](../../en/designers.md). How a card is written: [notation](../../en/notation.md).\n",
        "説明書にカードの一覧はありません。枚数の構成は元になったゲームからの推定で、エキストラカード、タフネスカード、バトルカードの選び方、\n"
        "ボスアサカードはこのプロジェクト独自のものです。自分のパックに差し替えられます（[デザイナーの方へ](../../ja/designers.md)）。\n"
        "カードの書き方は[記法](../../ja/notation.md)にあります。\n",
    )
    kinds = {
        "NUMBER": say("Number cards", "数字カード"), "PLUS": say("Plus cards", "プラスのカード"), "KILL": say("Kill cards", "キルのカード"),
        "PLAIN": say("Cards without a use in battle", "バトルで効果のないカード"),
        "BOSS": say("Bosses", "ボスカード"), "ASSASSIN": say("Assassins", "アサシンカード"),
    }  # fmt: skip
    names = Names(())
    rows = ((title, [e for e in pack.entries if e.card.kind == kind]) for kind, title in kinds.items())
    yield from _table(
        (say("kind", "種類"), say("cards", "枚数"), say("written", "書き方")),
        ((title, sum(e.count for e in found), _words([names.word(e.card) for e in found])) for title, found in rows),
    )
    yield say("## Extra cards", "## エキストラカード") + "\n"
    head = (say("word", "書き方"), say("short", "略号"), say("name", "名前"))
    yield from _table(
        (*head, say("elements", "属性"), say("numbers", "数字"), say("value", "値"), say("skills", "スキル"), say("copies", "枚数")),
        (
            (*_named(e, say), _pair(e, say), ", ".join(map(str, e.card.numbers)), e.card.value, _skills(e, say), e.count)
            for e in pack.entries if e.card.kind == "EXTRA"
        ),
    )  # fmt: skip
    yield say("## Toughness cards", "## タフネスカード") + "\n"
    yield from _table(
        (*head, say("cost", "コスト"), say("attack", "攻撃力"), say("skills", "スキル"), say("copies", "枚数")),
        ((*_named(e, say), e.card.cost, e.card.value, _skills(e, say), e.count) for e in pack.entries if e.card.kind == "TOUGHNESS"),
    )
    yield say("A star (★) marks initial equipment, the yellow cards.", "★は初期装備（黄色のカード）です。")


def _words(words: Sequence[str]) -> str:
    """The words, those that count up without a gap by the first and the last."""
    found: list[list[str]] = []
    for word in words:
        if found and _next(found[-1][-1]) == word:
            found[-1].append(word)
        else:
            found.append([word])
    return ", ".join(_code(run[0]) if len(run) == 1 else f"{_code(run[0])} … {_code(run[-1])}" for run in found)


def _next(word: str) -> str:
    letter, number = word[0], word[1:]
    return f"{letter}{int(number) + 1}" if number.isdigit() else ""


def _named(entry: Entry, say: Say) -> tuple[str, str, str]:
    assert entry.name is not None
    star = " ★" if entry.card.initial else ""
    return _code(entry.card.name), _code(entry.short), say(entry.name.en, entry.name.ja) + star


def _pair(entry: Entry, say: Say) -> str:
    pair = entry.card.pair
    return "" if pair is None else say("+", "・").join(_element(n, say) for n in pair)


def _element(element: int, say: Say) -> str:
    suit = PALETTE[element]
    return say(suit.letter, suit.kanji)


def _skills(entry: Entry, say: Say) -> str:
    return "\n".join(_skill(skill, say) for skill in entry.card.skills)


EFFECTS = {
    "damage": Sentence("an opposing defence loses {}", "相手の防御のライフを{}減らす"),
    "heal": Sentence("an own defence regains {}", "自分の防御のライフを{}回復する"),
    "draw": Sentence("draw {} from the pile", "山札から{}枚引く"),
    "draw_et": Sentence("draw {} from the ET pile", "ETカードの山札から{}枚引く"),
    "destroy": Sentence("destroy an opposing attack card", "相手の攻撃カードを1枚壊す"),
    "return": Sentence("take an own attack card back", "自分の攻撃カードを1枚手札に戻す"),
    "boost": Sentence("the attack gains {}", "攻撃に{}を足す"),
    "revive": Sentence("a fallen side stands again with {} life", "倒れた横の列をライフ{}で立て直す"),
    "summon": Sentence("summon this card for one mana", "マナ1枚でこのカードを召喚する"),
    "opaque": Sentence("a text of its own", "独自の効果"),
}
assert EFFECTS.keys() == set(EFFECT.labels[1:])


def _skill(skill: CardSkill, say: Say) -> str:
    """The skill in a few words: when, what, and for what."""
    when = {"edit": say("edit", "編集"), "battle": say("battle", "バトル")}[skill.time]
    conditions = [
        *([say(f"release {skill.release}", f"マナ解放{skill.release}")] if skill.release else []),
        *([say(f"roll 1–{skill.die}", f"サイコロ1～{skill.die}")] if skill.die else []),
        *([say("magic", "魔法")] if skill.magic else []),
        *([say(f"needs {skill.needs}", f"{skill.needs}が必要")] if skill.needs else []),
    ]
    effect = say(*EFFECTS[skill.effect]).format(skill.amount)
    more = say(f" ({', '.join(conditions)})", f"（{'、'.join(conditions)}）") if conditions else ""
    return f"{when}{say(': ', '：')}{effect}{more}"


def _boards(say: Say) -> Lines:
    yield say("# Boards and modes", "# ボードとモード")
    yield say(
        "The printed status boards. A board of your own is written in the same form: [for designers](../../en/designers.md).\n",
        "印刷されたステータスボードです。自分のボードも同じ形で書けます（[デザイナーの方へ](../../ja/designers.md)）。\n",
    )
    actions = kit("monjan").deal().rules.by_name
    skill = {name: say(actions[name.lower()].en, actions[name.lower()].ja) for b in PRINTED.values() for name in (b.left, b.right)}
    yield from _table(
        (say("word", "書き方"), say("name", "名前"), say("attack maxima L C R", "最大攻撃 左・中・右"), say("priority", "優先度"),
         say("left skill", "左のスキル"), say("right skill", "右のスキル")),
        (
            (_code(b.name), say(b.en, b.ja), ", ".join(map(str, b.cap)), b.priority,
             f"{_code(b.left)} {skill[b.left]}", f"{_code(b.right)} {skill[b.right]}")
            for b in PRINTED.values()
        ),
    )  # fmt: skip
    yield say("## Modes", "## モード") + "\n"
    yield from _table(
        (say("word", "書き方"), say("name", "名前")), ((_code(name), say(mode.en, mode.ja)) for name, mode in MODES.items())
    )


# -- verdicts ------------------------------------------------------------------------------------------------


def _properties(say: Say) -> Lines:
    yield say("# Properties and their verdicts", "# 性質とその判定")
    yield say(
        "What `monjudge verify` says of the shipped properties under the default readings, for two players: for the printed boards, and for all\n"
        "that there could be. What holds is proved by two engines, what fails has a line of play or a state that the reference has looked at;\n"
        "`monjudge verify ID --evidence FOLDER` gives it. The last column names the readings that turn the verdict on the printed boards, each taken alone\n"
        "unless several are joined; *undecided* means that the proof does not stand under it and no fault was found. *Not asked* is how many switches time did not reach.\n",
        "付属の性質についての `monjudge verify` の判定です（標準の読み、二人）。印刷されたボードについてと、ありうるすべてのボードについて。\n"
        "成立するものは二つのエンジンが証明し、成立しないものには参照エンジンが確かめた手順か状態があります。`monjudge verify ID --evidence フォルダー` で得られます。\n"
        "最後の列は、印刷ボードについての判定を変える読みです（つないだもの以外は単独）。\n"
        "「未決」は、その読みでは証明が成り立たず、反例も見つからないもの。「未調査」は時間内に調べられなかったスイッチの数。\n",
    )
    for game, found in written().items():
        yield f"## {say(*kit(game).title)}\n"
        sorts = {"printed": say("printed boards", "印刷ボード"), "all": say("all boards", "全ボード")}
        sorts = {sort: title for sort, title in sorts.items() if all(sort in told for told in found["verdicts"].values())}
        head = (say("id", "番号"), say("claim", "内容"), *(sorts.values() if len(sorts) > 1 else [say("verdict", "判定")]))
        turned = any("readings" in told for told in found["verdicts"].values())
        head = (*head, say("other readings", "ほかの読み")) if turned else head
        each = ((prop, found["verdicts"][prop.id]) for prop in read_properties(Setting(game).properties))
        yield from _table(head, ((*_verdict(prop, told, [*sorts], say), *([_turned(told.get("readings"), say)] if turned else [])) for prop, told in each))


def _verdict(prop: Property, found: Mapping[str, Any], sorts: Sequence[str], say: Say) -> tuple[str, ...]:
    claim = say(prop.en, prop.ja) + (f"\n*{say(*prop.note)}*" if prop.note is not None else "")
    return _code(prop.id), claim, *(_said(found[sort], say) for sort in sorts)


def _turned(answer: Mapping[str, Any] | None, say: Say) -> str:
    """The readings that turn a verdict, and how many switches were not asked about."""
    if answer is None:
        return ""
    flips = [f"{'+'.join(map('='.join, readings.items()))} {say(*WORDS[verdict])}" for readings, verdict in answer["turned"]]
    left = sum("=" not in name for name in answer["unasked"])
    return "\n".join([*flips, *([f"*{say('not asked', '未調査')}: {left}*"] if left else [])])


def _said(answer: Mapping[str, Any], say: Say) -> str:
    """The verdict; where there is none, how far it was looked at."""
    word = say(*WORDS[answer["verdict"]])
    return f"{word}{say(': ', '：')}{say(*(answer['why'][lang] for lang in LANGUAGES))}" if answer["verdict"] == "undecided" else f"**{word}**"


WORDS = {word.en: word for word in WORD.values()}
