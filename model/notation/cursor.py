"""A one-line text being scanned, and data packed into the alphabet of addresses."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any, NoReturn, Protocol

from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.json_text import decode
from monjudge.model.notation.places import Places, at
from monjudge.model.notation.sentence import Sentence

__all__ = ["Cursor", "packed", "unpacked"]


class Scans(Protocol):
    """What reads its part of a line."""

    def scan(self, cursor: Cursor) -> Any: ...


class Cursor:
    """A one-line text being scanned; ``places`` are those of what was scanned so far."""

    def __init__(self, text: str, here: int = 0) -> None:
        self.text, self.here = text, here
        self.places, self.path = Places(text), ""

    def inside(self, path: str, form: Scans) -> Any:
        """What a form scans here, its place remembered under the path below the present one."""
        above, start = self.path, self.here
        self.path = f"{above}{path}" if path[0] == "[" else at(above, path)
        value = form.scan(self)
        self.places.value(self.path, start, self.here)
        self.path = above
        return value

    def match(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """What stands here, passed over if it fits."""
        found = re.compile(pattern).match(self.text, self.here)
        if found:
            self.here = found.end()
        return found

    def takes(self, sign: str) -> bool:
        """Whether the sign stands here; it is passed over."""
        there = self.text.startswith(sign, self.here)
        self.here += len(sign) if there else 0
        return there

    def fail(self, en: str, ja: str, code: str = "bad-line", start: int | None = None) -> NoReturn:
        """Raises DataError: what was read at which character, and what would do."""
        here = self.here if start is None else start
        found = self.text[here : here + 12]
        read_en, read_ja = (repr(found), f"「{found}」") if found else ("the end", "終わり")
        text = Sentence(f"character {here + 1}: {read_en}, where {en} would do", f"{here + 1}文字目：{read_ja}。ここに書けるのは{ja}")
        raise DataError([Defect("", text, code, Place(1, here + 1))])


MOST_UNPACKED = 100_000


def packed(value: Any) -> str:
    """Plain data as compressed JSON in the alphabet of addresses, for things too rich for letters of their own."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(cursor: Cursor) -> Any:
    """The data that were packed. Raises DataError for anything else, and for what would grow beyond all measure."""
    start, found = cursor.here, cursor.match("[A-Za-z0-9_-]*")
    word = found[0] if found else ""
    try:
        stream = zlib.decompressobj()
        data = stream.decompress(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4)), MOST_UNPACKED)
        if not stream.eof:
            raise ValueError
        return decode(data.decode("utf-8"))
    except (ValueError, zlib.error):
        return cursor.fail("packed data", "圧縮されたデータ", start=start)
