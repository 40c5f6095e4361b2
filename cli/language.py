"""The language of a run: ``--lang``, else MONJUDGE_LANG, else the locale; also for what click says by itself."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from monjudge.reports.answers.answer import Language

__all__ = ["LANGUAGES", "VARIABLE", "language", "speaking"]

VARIABLE = "MONJUDGE_LANG"
LANGUAGES = ("en", "ja", "auto")


def language(args: Sequence[str], environ: Mapping[str, str]) -> Language:
    """The language that the words of a command and the environment ask for.

    Known before anything else is read, so that a usage error is said in it too.

    >>> language(["moves", "--lang=ja"], {}), language([], {"LANG": "ja_JP.UTF-8"}), language([], {"LC_ALL": "C", "LANG": "ja_JP"})
    ('ja', 'ja', 'en')
    """
    for asked in (_option(args), environ.get(VARIABLE, "")):
        if asked in ("en", "ja"):
            return "ja" if asked == "ja" else "en"
        if asked == "auto":
            break
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return "ja" if locale.lower().startswith("ja") else "en"


def _option(args: Sequence[str]) -> str:
    found = ""
    for n, word in enumerate(args):
        if word == "--":
            break
        if word.startswith("--lang="):
            found = word.removeprefix("--lang=")
        elif word == "--lang" and n + 1 < len(args):
            found = args[n + 1]
    return found


@contextmanager
def speaking(lang: Language) -> Iterator[None]:
    """While this lasts, click speaks the language: it asks gettext, which looks for a catalogue by LANGUAGE."""
    before = os.environ.get("LANGUAGE")
    domain = gettext.textdomain()
    folder = gettext.bindtextdomain(domain)
    os.environ["LANGUAGE"] = lang
    gettext.bindtextdomain(domain, str(Path(__file__).with_name("locale")))
    try:
        yield
    finally:
        gettext.bindtextdomain(domain, folder)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before
