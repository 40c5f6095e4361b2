"""Which language is spoken, and that click speaks it too."""

from __future__ import annotations

import gettext
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from monjudge.cli.language import language, speaking

CATALOGUE = Path(__file__).resolve().parents[2] / "cli" / "locale" / "ja" / "LC_MESSAGES" / "messages.po"


@pytest.mark.parametrize(
    ("args", "environ", "lang"),
    [
        (["moves", "--lang", "ja"], {"LANG": "en_GB.UTF-8"}, "ja"),
        (["moves", "--lang=en"], {"MONJUDGE_LANG": "ja"}, "en"),
        (["moves", "--lang=en", "--lang=ja"], {}, "ja"),
        (["moves"], {"MONJUDGE_LANG": "ja", "LC_ALL": "en_GB.UTF-8"}, "ja"),
        (["moves", "--lang=auto"], {"MONJUDGE_LANG": "ja", "LANG": "en_GB.UTF-8"}, "en"),
        (["moves"], {"LC_ALL": "ja_JP.UTF-8", "LANG": "C"}, "ja"),
        (["moves"], {"LC_ALL": "C", "LANG": "ja_JP.UTF-8"}, "en"),
        (["moves"], {"LC_ALL": "", "LC_MESSAGES": "ja", "LANG": "C"}, "ja"),
        (["moves", "--", "--lang=ja"], {}, "en"),
        (["moves", "--lang"], {}, "en"),
        ([], {}, "en"),
    ],
)
def test_the_option_comes_before_the_variable_before_the_locale(args: list[str], environ: dict[str, str], lang: str) -> None:
    assert language(args, environ) == lang


def test_the_compiled_catalogue_is_what_the_readable_one_says() -> None:
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    with CATALOGUE.open("rb") as file:
        readable = [message for message in read_po(file, locale="ja") if message.id]
    for message in readable:
        if isinstance(message.id, tuple):
            assert compiled.ngettext(*message.id, 2) == message.string[0]
        else:
            assert compiled.gettext(message.id) == message.string
    assert len(readable) + 1 == int.from_bytes(CATALOGUE.with_suffix(".mo").read_bytes()[8:12], "little")


def test_every_placeholder_of_a_message_is_in_its_translation() -> None:
    import re

    with CATALOGUE.open("rb") as file:
        messages = [m for m in read_po(file, locale="ja") if m.id]
    assert len(messages) > 30
    for message in messages:
        ids = message.id if isinstance(message.id, tuple | list) else [message.id]
        texts = message.string if isinstance(message.string, tuple | list) else [message.string]
        known = {name for id in ids for name in re.findall(r"\{(\w+)", id)}
        assert all(texts) and {name for text in texts for name in re.findall(r"\{(\w+)", text)} <= known


def test_speaking_leaves_everything_as_it_was() -> None:
    before = gettext.gettext("Options")
    with speaking("ja"):
        assert gettext.gettext("Options") == "オプション"
        with speaking("en"):
            assert gettext.gettext("Options") == "Options"
    assert gettext.gettext("Options") == before
