"""JSON text to plain data, strictly, with the place of every value.

The decoder of the standard library is fast and says little; where it fails, or where places
are wanted, the text is scanned again by this module, which says what stands where.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NoReturn

from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.places import DEEPEST, Places, at
from monjudge.model.notation.sentence import Sentence

__all__ = ["decode", "scan"]

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[\w.+-]*")
_LONGEST = 20
"""Digits of a whole number."""


def decode(text: str) -> Any:
    """The value of a JSON text. Raises DataError with the place for syntax, depth, a repeated key or half a character."""
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_number, parse_int=_whole)
        if _shallow(value, DEEPEST):
            json.dumps(value, ensure_ascii=False).encode()
            return value
    except (ValueError, RecursionError):
        pass
    return scan(text)[0]


def scan(text: str) -> tuple[Any, Places]:
    """The same with the places of all values and keys."""
    scanner = _Scanner(text)
    return scanner.whole(), scanner.places


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError


def _whole(digits: str) -> int:
    if len(digits) > _LONGEST:
        raise ValueError
    return int(digits)


def _shallow(value: Any, depth: int) -> bool:
    if isinstance(value, dict | list):
        return depth > 0 and all(_shallow(v, depth - 1) for v in (value.values() if isinstance(value, dict) else value))
    return True


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.here = text, 0
        self.places = Places(text)

    def whole(self) -> Any:
        value = self._value("", 0)
        if self.here < len(self.text):
            self._fail("the end of the file", "ファイルの終わり")
        return value

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.here)
        assert found is not None
        self.here = found.end()

    def _fail(self, en: str, ja: str) -> NoReturn:
        word = _WORD.match(self.text, self.here)
        found = (word[0] if word else "") or self.text[self.here : self.here + 1]
        read_en, read_ja = (f"{found[:40]!r}",) * 2 if found else ("the end of the file", "ファイルの終わり")
        self._refuse("not-json", f"this is not JSON: {read_en} stands where {en} should stand",
                     f"JSONとして読めない：{read_ja}がある。ここに必要なのは{ja}")  # fmt: skip

    def _refuse(self, code: str, en: str, ja: str, start: int | None = None, path: str = "") -> NoReturn:
        place = self.places.place(self.here if start is None else start, self.here + 1)
        raise DataError([Defect(path, Sentence(en, ja), code, place)])

    def _value(self, path: str, depth: int) -> Any:
        self._skip()
        if depth > DEEPEST:
            self._refuse("too-deep", f"nested deeper than {DEEPEST}", f"入れ子が{DEEPEST}段より深い")
        start, first = self.here, self.text[self.here : self.here + 1]
        if first == "{":
            value: Any = self._object(path, depth)
        elif first == "[":
            value = self._array(path, depth)
        elif first == '"':
            value = self._string()
        else:
            value = self._atom()
        self.places.value(path, start, self.here)
        self._skip()
        return value

    def _string(self) -> str:
        start = self.here
        try:
            value, self.here = scanstring(self.text, start + 1, True)
            value.encode()
        except UnicodeEncodeError:
            self._refuse("not-utf8", "a text has half of a surrogate pair", "サロゲートペアの片方だけの文字列がある", start)
        except ValueError as fault:
            self.here = min(getattr(fault, "pos", start), len(self.text))
            self._refuse("not-json", "this is not JSON: a text does not end, or holds what a text may not hold",
                         "JSONとして読めない：文字列が終わっていないか、使えない文字がある")  # fmt: skip
        return str(value)

    def _atom(self) -> Any:
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.here):
                self.here += len(word)
                return value
        found = _NUMBER.match(self.text, self.here)
        if not found:
            self._fail("a value (a text is written in double quotes)", "値（文字列は二重引用符で囲む）")
        if len(found[0]) > _LONGEST:
            self._refuse("out-of-range", f"a number of {len(found[0])} digits", f"{len(found[0])}桁の数")
        self.here = found.end()
        return float(found[0]) if found[1] or found[2] else int(found[0])

    def _array(self, path: str, depth: int) -> list[Any]:
        found: list[Any] = []
        self.here += 1
        self._skip()
        while self.text[self.here : self.here + 1] != "]" or found:
            found.append(self._value(f"{path}[{len(found)}]", depth + 1))
            if self.text[self.here : self.here + 1] == "]":
                break
            self._demand(",", "a comma or ]", "コンマか ]")
        self.here += 1
        return found

    def _object(self, path: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.here += 1
        self._skip()
        while self.text[self.here : self.here + 1] != "}" or found:
            self._skip()
            start = self.here
            if self.text[start : start + 1] != '"':
                self._fail("a key in double quotes", "二重引用符で囲んだキー")
            key = self._string()
            if key in found:
                self._refuse("duplicate-key", f"the key {key[:40]!r} stands twice", f"キー{key[:40]!r}が二度ある", start, at(path, key))
            self.places.key(at(path, key), start, self.here)
            self._skip()
            self._demand(":", "a colon", "コロン")
            found[key] = self._value(at(path, key), depth + 1)
            if self.text[self.here : self.here + 1] == "}":
                break
            self._demand(",", "a comma or }", "コンマか }")
        self.here += 1
        return found

    def _demand(self, sign: str, en: str, ja: str) -> None:
        if self.text[self.here : self.here + 1] != sign:
            self._fail(en, ja)
        self.here += 1
