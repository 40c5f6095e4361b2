"""The command ``monjudge``: one subcommand for each question. A command is imported when it is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import Any

from monjudge import __version__
from monjudge.cli.language import LANGUAGES, language, speaking
from monjudge.cli.output import CLOSED, Unread, prepared
from monjudge.cli.toolkit import Option, click, option, rich_help, say_options, spoken
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Exit, Language

__all__ = ["COMMANDS", "main"]

COMMANDS: Mapping[str, tuple[str, Sentence]] = MappingProxyType({
    "moves": ("moves", Sentence("List the legal moves.", "合法手を並べる。")),
    "check": ("judging", Sentence("Is a move, or a whole game, legal?", "一手または一局が合法かを調べる。")),
    "why": ("judging", Sentence("Why is a move legal or not? Why can a card not be played?", "なぜできるか、できないか。カードを出せない理由。")),
    "plans": ("planning", Sentence("Count, list or rate the whole turns of a player.", "手番全体を数え、並べ、評価する。")),
    "solve": ("solving", Sentence("Can a player force a goal?", "目標を必ず達成できるか。")),
    "puzzles": ("puzzling", Sentence("List or show the endgames that are shipped.", "収録した詰め問題を並べ、示す。")),
    "certify": ("solving", Sentence("Check proofs of what was solved.", "解いた結果の証明を検査する。")),
    "verify": ("verify", Sentence("Prove properties of a game in every state, for every board.", "ゲームの性質を、あらゆる状態とボードについて証明する。")),
    "names": ("naming", Sentence("List the names that the formulas of properties may use.", "性質の式に書ける名前を並べる。")),
    "apply": ("playing", Sentence("Make moves and show what happens.", "手を進め、起きたことを示す。")),
    "deal": ("playing", Sentence("Deal a new game.", "新しい対戦を配る。")),
    "play": ("playing", Sentence("Play step by step, scripted or at random.", "一手ずつ、台本どおり、または無作為に進める。")),
    "show": ("showing", Sentence("Draw the position in the terminal.", "局面を端末に描く。")),
    "render": ("showing", Sentence("Draw the position as a picture.", "局面を画像に描く。")),
    "validate": ("files", Sentence("Check files for every defect.", "ファイルの誤りをすべて挙げる。")),
    "fmt": ("files", Sentence("Write a file in its canonical form.", "ファイルを正規の形に書き直す。")),
    "convert": ("files", Sentence("Turn YAML, JSON and one line into each other.", "YAML・JSON・一行記法を変換する。")),
    "schema": ("files", Sentence("Print the JSON Schema of a kind of file.", "ファイルの種類ごとの JSON Schema を出力する。")),
    "rules": ("texts", Sentence("Read the rules by clause.", "規則を条項で読む。")),
    "readings": ("texts", Sentence("Read the ambiguous places of the text.", "文面のあいまいな箇所とその読みを調べる。")),
    "report": ("report", Sentence("What a game can say of itself for good.", "ゲームについていつでも言えること。")),
    "explain": ("texts", Sentence("Explain a code or a clause.", "エラーコードや条項を説明する。")),
    "cases": ("cases", Sentence("Run files of cases.", "ケースを実行する。")),
    "completion": ("completion", Sentence("Print the completion script of a shell.", "シェルの補完スクリプトを出力する。")),
})  # fmt: skip
"""Every command with its module and what it does."""

_ABOUT = Sentence("A rules judge for tabletop card games.", "カードゲームのルール判定。")
_CODES = Sentence(
    "Exit status: 0 the asked thing holds, 1 it does not, 2 usage or unreadable input, 3 internal error, 4 unknown (a limit was reached), "
    "5 it depends on a reading left open, 6 the text does not determine it, 130 interrupted.",
    "終了コード：0 成り立つ、1 成り立たない、2 使い方の誤りか読めない入力、3 内部エラー、4 不明（上限に達した）、"
    "5 開いておいた読みによる、6 文面からは決まらない、130 中断。",
)
_LANG = Sentence("Language; auto takes MONJUDGE_LANG or the locale.", "表示言語。auto は MONJUDGE_LANG かロケールに従う。")
_VERSION = Sentence("Show the version and exit.", "バージョンを表示して終わる。")
_INTERRUPTED = Sentence("interrupted", "中断しました")
_INTERNAL = Sentence(
    "internal error: {}\nPlease report it with the bundle {}",
    "内部エラー：{}\n次のファイルを添えて報告してください：{}",
)


class Main(click.Group):
    """The command with its questions; it decides the language, and turns whatever happens into an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"monjudge.cli.{COMMANDS[name][0]}"), name)
        command.short_help = self.short_help_of(name, spoken(ctx))
        return command

    def short_help_of(self, name: str, lang: Language) -> str:
        """What a command does, in the language."""
        said: str = getattr(COMMANDS[name][1], lang)
        return said

    def get_help(self, ctx: click.Context) -> str:
        lang = spoken(ctx)
        self.help = f"{getattr(_ABOUT, lang)}\n\n{getattr(_CODES, lang)}"
        say_options(self, ctx)
        return rich_help(self, ctx, lang) or super().get_help(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Without importing a single command."""
        lang = spoken(ctx)
        with formatter.section("コマンド" if lang == "ja" else "Commands"):
            formatter.write_dl([(name, self.short_help_of(name, lang)) for name in COMMANDS])

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> Any:
        """Runs a command line and leaves with its exit code."""
        words = list(sys.argv[1:] if args is None else args)
        lang = language(words, os.environ)
        gc.set_threshold(100_000)  # a rule set is many small objects that stay: looking through them for rubbish takes a tenth of the time
        settings = {"prog_name": "monjudge", **settings, "standalone_mode": False, "obj": lang}
        with speaking(lang), prepared():
            sys.exit(self._outcome(lang, words, lambda: super(Main, self).main(words, *rest, **settings)))

    def _outcome(self, lang: Language, words: Sequence[str], run: Any) -> int:
        try:
            return int(run() or 0)
        except click.ClickException as error:
            error.show()
            return error.exit_code
        except (click.Abort, KeyboardInterrupt):
            click.echo(getattr(_INTERRUPTED, lang), err=True)
            return Exit.INTERRUPTED
        except Unread:
            _no_more_output()
            return CLOSED
        except Exception as error:
            return self._failed(lang, words, error)

    def _failed(self, lang: Language, words: Sequence[str], error: Exception) -> int:
        """What went wrong in a sentence: an input that cannot be used, a limit, or a fault of the program."""
        from monjudge.cli.failing import bundle, expected

        known = expected(error)
        if known is not None:
            click.echo("\n".join(known.lines(lang)), err=True)
            return known.code
        path = bundle(words, error)
        click.echo(getattr(_INTERNAL, lang).format(f"{type(error).__name__}: {error}", path), err=True)
        return Exit.INTERNAL


def _no_more_output() -> None:
    """Nobody reads: what is still in the buffer must not raise again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group("monjudge", cls=Main, context_settings={"help_option_names": ["-h", "--help"]})
@option("--lang", type=click.Choice(LANGUAGES), default="auto", expose_value=False, said=_LANG)
@click.version_option(__version__, prog_name="monjudge", cls=Option, said=_VERSION)
def main() -> None:
    """Every question is a command of its own."""
