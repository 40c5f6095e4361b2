"""Reading data files strictly: every defect is collected with its path inside the file.

A ``Reading`` takes values out of decoded JSON. Where a value will not do it notes a defect
and goes on with a harmless one, so that one run tells everything that is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, NoReturn, ParamSpec, TypeVar

from monjudge.model.monjan.texts import Text
from monjudge.model.notation.defects import DataError, Defect

__all__ = ["MOST_BYTES", "DataError", "Defect", "Reading", "Record", "decode"]

T = TypeVar("T")
P = ParamSpec("P")

MOST_BYTES = 1_000_000
"""A data file is refused unread beyond this size."""


@dataclass(frozen=True, slots=True)
class Record:
    """An object of the file, at its path."""

    path: str
    fields: Mapping[str, Any]

    def take(
        self, key: str, otherwise: T, read: Callable[Concatenate[Any, str, P], T], *args: P.args, **more: P.kwargs
    ) -> T:
        """What the key holds, read and checked; ``otherwise`` where there is no such key."""
        return read(self.fields[key], _at(self.path, key), *args, **more) if key in self.fields else otherwise

    def at(self, key: str) -> str:
        """The path of a key."""
        return _at(self.path, key)


class Reading:
    """One file being read: ``defects`` stop it, ``warnings`` are told and carried along."""

    def __init__(self) -> None:
        self.defects: list[Defect] = []
        self.warnings: list[Defect] = []

    def fault(self, path: str, en: str, ja: str) -> None:
        self.defects.append(Defect(path, Text(en, ja)))

    def warn(self, path: str, en: str, ja: str) -> None:
        self.warnings.append(Defect(path, Text(en, ja)))

    def finish(self) -> None:
        """Raises DataError if anything was wrong."""
        if self.defects:
            raise DataError(self.defects)

    def record(self, value: Any, path: str, needed: Collection[str], optional: Collection[str] = ()) -> Record:
        """An object with these keys and no others; what is missing is a defect at the object."""
        if not isinstance(value, dict):
            self._wrong(value, path, "an object", "オブジェクト")
            return Record(path, {})
        for key in value:
            if key not in needed and key not in optional:
                known = ", ".join((*needed, *optional))
                self.fault(_at(path, key), f"unknown key; there are {known}", f"未知のキー。使えるのは {known}")
        for key in needed:
            if key not in value:
                self.fault(path, f"{key} is missing", f"{key} がない")
        return Record(path, value)

    def items(self, value: Any, path: str, most: int) -> Iterator[tuple[Any, str]]:
        """The entries of a list with their paths, none beyond ``most``."""
        if not isinstance(value, list):
            self._wrong(value, path, "a list", "リスト")
            return
        if len(value) > most:
            self.fault(path, f"{len(value)} entries, at most {most} are read", f"{len(value)}個ある。最大{most}個")
        yield from ((item, f"{path}[{n}]") for n, item in enumerate(value[:most]))

    def whole(self, value: Any, path: str, values: range) -> int:
        """A whole number of the range; the least one instead of a wrong one."""
        if isinstance(value, bool) or not isinstance(value, int):
            self._wrong(value, path, "a whole number", "整数")
        elif value in values:
            return value
        else:
            span = f"{values[0]}..{values[-1]}"
            self.fault(path, f"{_quoted(value)} lies outside {span}", f"{_quoted(value)} は {span} の外")
        return values[0]

    def truth(self, value: Any, path: str) -> bool:
        if not isinstance(value, bool):
            self._wrong(value, path, "true or false", "true か false")
        return value is True

    def string(self, value: Any, path: str) -> str:
        """A text of 1..200 characters."""
        if not isinstance(value, str):
            self._wrong(value, path, "a text", "文字列")
            return "?"
        if not 1 <= len(value.strip()) <= len(value) <= 200:
            self.fault(path, f"a text of 1..200 characters, not {len(value)}", f"1～200文字。{len(value)}文字ある")
        return value

    def choice(self, value: Any, path: str, names: Sequence[str]) -> str:
        """One of the names; the first one instead of a wrong one."""
        if isinstance(value, str) and value in names:
            return value
        self._wrong(value, path, "one of " + ", ".join(names), "次のどれか： " + ", ".join(names))
        return names[0]

    def text(self, value: Any, path: str) -> Text:
        """A text in both languages, ``{"en": ..., "ja": ...}``."""
        record = self.record(value, path, ("en", "ja"))
        return Text(record.take("en", "?", self.string), record.take("ja", "?", self.string))

    def _wrong(self, value: Any, path: str, en: str, ja: str) -> None:
        self.fault(path, f"{_quoted(value)} is not {en}", f"{_quoted(value)} は不可。必要なのは{ja}")


def _at(path: str, key: object) -> str:
    return f"{path}.{key}" if path else str(key)


def _quoted(value: Any) -> str:
    try:
        written = json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:  # read, but from further up the stack
        written = "[" * 40 if isinstance(value, list) else "{" * 40
    return written if len(written) <= 40 else written[:37] + "..."


def decode(data: str | bytes) -> Any:
    """The value of a JSON file. Raises DataError for size, encoding, syntax, depth or a repeated key."""
    if len(data) > MOST_BYTES:
        _refuse(f"{len(data)} bytes, at most {MOST_BYTES} are read", f"{len(data)}バイトある。最大{MOST_BYTES}バイト")
    try:
        value = json.loads(data, object_pairs_hook=_object, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except DataError:
        raise
    except UnicodeEncodeError:
        _refuse("a text has half of a surrogate pair", "サロゲートペアの片方だけの文字列がある")
    except RecursionError:
        _refuse("lists or objects are nested too deep", "入れ子が深すぎる")
    except UnicodeDecodeError as error:
        _refuse(f"the file is not UTF-8 text: {error}", f"UTF-8の文字列ではない：{error}")
    except ValueError as error:
        _refuse(f"the file is not JSON: {error}", f"JSONではない：{error}")


def _refuse(en: str, ja: str) -> NoReturn:
    raise DataError([Defect("", Text(en, ja))])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            _refuse(f"the key {key!r} stands twice in one object", f"キー{key!r}が一つのオブジェクトに二度ある")
        found[key] = value
    return found


def _no_number(name: str) -> NoReturn:
    _refuse(f"{name} is no JSON number", f"{name} はJSONの数ではない")
