"""click with texts in two languages: commands, options and arguments that are said in the language of the run.

Only a call for help loads rich-click, and works without it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Language

try:
    import click
except ImportError as missing:
    raise ImportError(
        'the command line needs click: pip install "monjudge[cli]" / '
        'コマンドの実行には click が必要です：pip install "monjudge[cli]"'
    ) from missing

__all__ = ["NOTHING", "Argument", "Command", "Option", "Seconds", "argument", "click", "command", "option", "rich_help", "say_options", "spoken"]


NOTHING = Sentence("", "")


def spoken(ctx: click.Context) -> Language:
    """The language of the run."""
    lang: Language = ctx.find_root().obj or "en"
    return lang


class Option(click.Option):
    """An option whose help is a sentence in both languages."""

    def __init__(self, *args: Any, said: Sentence, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.said = said


class Argument(click.Argument):
    """An argument of the command line."""


class Command(click.Command):
    """A command whose help is in both languages: a sentence, and paragraphs with more."""

    def __init__(self, *args: Any, said: Sentence, more: Sentence = NOTHING, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.said, self.more = said, more

    def get_help(self, ctx: click.Context) -> str:
        lang = spoken(ctx)
        self.help = "\n\n".join(filter(None, (getattr(self.said, lang), getattr(self.more, lang))))
        say_options(self, ctx)
        return rich_help(self, ctx, lang) or super().get_help(ctx)


def say_options(command: click.Command, ctx: click.Context) -> None:
    """Gives the options of a command their help in the language of the run."""
    for param in command.get_params(ctx):
        if isinstance(param, Option):
            param.help = getattr(param.said, spoken(ctx))


def rich_help(shown: click.Command, ctx: click.Context, lang: Language) -> str:
    """The help as rich-click lays it out; empty without rich-click."""
    try:
        from rich_click import RichCommand, RichContext, RichGroup
        from rich_click.rich_help_configuration import RichHelpConfiguration
    except ImportError:
        return ""
    view: RichCommand
    if isinstance(shown, click.Group):
        commands: dict[str, click.Command] = {}
        for name in shown.list_commands(ctx):
            commands[name] = click.Command(name, short_help=shown.short_help_of(name, lang))  # type: ignore[attr-defined]
        view = RichGroup(name=shown.name, params=shown.params, help=shown.help, commands=commands)
    else:
        view = RichCommand(name=shown.name, params=shown.params, help=shown.help)
    titles = _TITLES if lang == "ja" else {}
    settings = RichHelpConfiguration(text_markup=None, width=None, **titles)  # type: ignore[arg-type]
    context = RichContext(view, info_name=ctx.command_path, rich_help_config=settings, help_option_names=ctx.help_option_names)
    return view.get_help(context)


_TITLES = {
    "options_panel_title": "オプション", "arguments_panel_title": "引数", "commands_panel_title": "コマンド",
    "default_string": "[既定値：{}]", "required_long_string": "[必須]",
}  # fmt: skip

class Seconds(click.FloatRange):
    """Seconds to work at most: more than none, and a number; without end is no limit, and not said."""

    def __init__(self) -> None:
        super().__init__(0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not isfinite(seconds):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return seconds


Function = Callable[..., Any]


def command(name: str, said: Sentence, more: Sentence = NOTHING) -> Callable[[Function], Command]:
    """The decorator that makes a function a command."""

    def made(function: Function) -> Command:
        result = click.command(name, cls=Command, said=said, more=more)(function)
        assert isinstance(result, Command)
        return result

    return made


def option(*names: str, said: Sentence, **settings: Any) -> Callable[[Function], Function]:
    """The decorator that gives a command an option."""
    return click.option(*names, cls=Option, said=said, **settings)


def argument(name: str, **settings: Any) -> Callable[[Function], Function]:
    """The decorator that gives a command an argument."""
    return click.argument(name, cls=Argument, **settings)
