"""The words and signs of the text form, and the error that says where a text is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from monjudge.model.language.text import KEYWORDS

__all__ = ["LENGTH", "TextError", "Token", "tokens"]

LENGTH = 100_000
"""The longest text that is read, in characters."""


class TextError(ValueError):
    """A text that is not an expression of its scope; ``en`` and ``ja`` say why, ``str`` also where.

    ``line`` and ``column`` count from 1; ``source`` is the line.
    """

    def __init__(self, en: str, ja: str, text: str, position: int) -> None:
        start = text.rfind("\n", 0, position) + 1
        end = text.find("\n", position)
        self.line, self.column = text.count("\n", 0, position) + 1, position - start + 1
        self.source = text[start:] if end < 0 else text[start:end]
        self.en, self.ja = en, ja
        super().__init__(f"line {self.line}, column {self.column}: {en}")

    @property
    def marked(self) -> str:
        """The line with a caret under the place."""
        from unicodedata import east_asian_width

        before = self.source[: self.column - 1]
        pad = "".join("\t" if c == "\t" else "\u3000" if east_asian_width(c) in "WF" else " " for c in before)
        return f"{self.source}\n{pad}^"


class Token(NamedTuple):
    """A ``number``, a ``name``, the ``end``, or the keyword or sign that ``kind`` itself is."""

    kind: str
    text: str
    position: int


_NAME = r"(?:{first}|`(?:[^`]|``)*`)"
_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>[0-9]+)|(?P<name>{}(?:\.{})*)|(?P<sign>==|!=|<=|>=|\.\.|[-+*<>()\[\]{{}},:])".format(
        _NAME.format(first=r"[^\W\d]\w*"), _NAME.format(first=r"\w+")
    )
)
_SEGMENT = re.compile(r"`((?:[^`]|``)*)`")
_HINTS = {
    "=": ("; write '==' to compare", "。比べるには「==」と書く"),
    "&": ("; write 'and'", "。「and」と書く"),
    "|": ("; write 'or'", "。「or」と書く"),
    "!": ("; write 'not' or '!='", "。「not」か「!=」と書く"),
    "~": ("; write 'not'", "。「not」と書く"),
    "/": ("; a division is a table", "。割り算は表で書く"),
    "…": ("; it stands for a part that was left out", "。省略された部分である"),
    "`": ("; the closing backquote is missing", "。閉じる「`」がない"),
}


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, then ``end`` for ever. Raises TextError at a sign that has no meaning."""
    if len(text) > LENGTH:
        raise TextError(
            f"the text has {len(text)} characters; at most {LENGTH} are read",
            f"テキストが{len(text)}文字ある。読めるのは{LENGTH}文字まで。", text, LENGTH,
        )  # fmt: skip
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            sign = text[at]
            en, ja = _HINTS.get(sign, ("", ""))
            raise TextError(f"the sign {sign!r} has no meaning here{en}", f"記号「{sign}」は使えない{ja}", text, at)
        word = found.group()
        if found.lastgroup == "name":
            name = _SEGMENT.sub(lambda m: m[1].replace("``", "`"), word)
            yield Token(word if word in KEYWORDS else "name", name, at)
        elif found.lastgroup != "space":
            yield Token("number" if found.lastgroup == "number" else word, word, at)
        at = found.end()
    while True:
        yield Token("end", "", len(text))
