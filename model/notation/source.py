"""Reading a file or a text, whatever its form: one line, JSON or YAML, told by its content.

>>> read('{"turn": 3}').form, read("mc1/t3").form
('json', 'line')
>>> read('{"turn": 3, "turn": 4}')
Traceback (most recent call last):
monjudge.model.notation.defects.DataError: turn: the key 'turn' stands twice
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NoReturn

from monjudge.model.notation import json_text
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.places import Places
from monjudge.model.notation.sentence import Sentence

__all__ = ["CONTROL", "MOST_BYTES", "Document", "Form", "content", "decoded", "read", "write"]

Form = Literal["line", "json", "yaml"]

MOST_BYTES = 1_000_000
"""A file is refused unread beyond this size."""

_LINE = re.compile(r"[a-z][a-z-]{0,30}[0-9]{1,3}(/\S*)?")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
"""Control characters, and those that make a text look other than it is."""


@dataclass(frozen=True)
class Document:
    """A text that was read: its plain data, its form, and where everything stands."""

    data: Any
    form: Form
    text: str
    file: str = ""
    found: Places | None = None

    @cached_property
    def places(self) -> Places:
        """The places of all values; a JSON text is scanned for them when they are first wanted."""
        if self.found is not None:
            return self.found
        if self.form == "json":
            return json_text.scan(self.text)[1]
        places = Places(self.text)
        start = len(self.text) - len(self.text.lstrip())
        places.value("", start, len(self.text.rstrip()))
        return places

    def located(self, error: DataError) -> DataError:
        """The same error with the file, the text, and the place of each defect, in the order of the text."""
        defects = [dataclasses.replace(d, place=self.places.of(d)) for d in error.defects]
        defects.sort(key=lambda d: (d.place.line, d.place.column) if d.place else (0, 0))
        return DataError(defects, self.file, self.text)


def read(source: bytes | str, file: str = "") -> Document:
    """The document of a text. ``file`` is what it is called; its suffix settles the form where the content does not.

    Raises DataError with places for what is not one YAML, JSON or one-line text of UTF-8, and
    ImportError for YAML without ruamel.yaml.
    """
    try:
        text = decoded(source)
        return _document(text, file)
    except DataError as error:
        shown = source if isinstance(source, str) else source[:MOST_BYTES].decode("utf-8", "replace")
        raise DataError(error.defects, file, shown.removeprefix("\ufeff")) from None


def content(file: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, - for standard input; one more than ``most`` where there are more, for it may be endless.

    Raises OSError that names the file.
    """
    if str(file) == "-":
        return sys.stdin.buffer.read(most + 1)
    try:
        with file.open("rb") as opened:
            return opened.read(most + 1)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(file)) from error


def write(data: Any, form: Form = "yaml", schema: str = "") -> str:
    """Plain data as text; ``schema``, a path or address, becomes the line by which editors of YAML find it."""
    if isinstance(data, str) and form == "line":
        return data + "\n"
    if form == "json":
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
        return CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
    from monjudge.model.notation import yaml_text

    head = f"# yaml-language-server: $schema={schema}\n" if schema else ""
    return head + yaml_text.write(data)


def _document(text: str, file: str) -> Document:
    stripped = text.strip()
    if not stripped:
        _refuse("empty", "there is nothing in it", "中身がない")
    suffix = file.rpartition(".")[2].lower()
    if _LINE.fullmatch(stripped):
        return Document(stripped, "line", text, file)
    if suffix in ("yaml", "yml"):
        return _yaml(text, file)
    if suffix == "json" or stripped[0] in '{["':
        try:
            return Document(json_text.decode(text), "json", text, file)
        except DataError as fault:
            # YAML has braces too; where it does not read either, the text is judged as the JSON it looks like.
            if suffix == "json" or '"' in stripped[:200]:
                raise
            try:
                return _yaml(text, file)
            except (DataError, ImportError):
                raise fault from None
    return _yaml(text, file)


def _yaml(text: str, file: str) -> Document:
    from monjudge.model.notation import yaml_text

    data, places = yaml_text.decode(text)
    return Document(data, "yaml", text, file, places)


def decoded(source: bytes | str) -> str:
    """The text of UTF-8 bytes. Raises DataError for other bytes, for too many, and for control characters."""
    if len(source) > MOST_BYTES:
        _refuse("too-large", f"more than {MOST_BYTES} bytes; at most so many are read", f"{MOST_BYTES}バイトを超える。読むのはそこまで")
    if isinstance(source, bytes):
        if source[:2] in (b"\xff\xfe", b"\xfe\xff"):
            _refuse("not-utf8", "the file is UTF-16; save it as UTF-8", "UTF-16のファイル。UTF-8で保存してください")
        try:
            text = source.decode("utf-8")
        except UnicodeDecodeError as fault:
            before = source[: fault.start].decode("utf-8", "replace")
            _refuse("not-utf8", f"the byte 0x{source[fault.start]:02x} is not UTF-8; save the file as UTF-8",
                    f"バイト0x{source[fault.start]:02x}はUTF-8ではない。UTF-8で保存してください", before, len(before))  # fmt: skip
    else:
        text = source
        try:
            source.encode()
        except UnicodeEncodeError as fault:
            _refuse("not-utf8", "half of a surrogate pair", "サロゲートペアの片方だけがある", text, fault.start)
    text = text.removeprefix("\ufeff")
    if found := CONTROL.search(text):
        code = f"U+{ord(found[0]):04X}"
        _refuse("control-character", f"the control character {code}", f"制御文字{code}がある", text, found.start())
    return text.replace("\r\n", "\n")


def _refuse(code: str, en: str, ja: str, text: str = "", start: int = 0) -> NoReturn:
    raise DataError([Defect("", Sentence(en, ja), code, Places(text).place(start, start + 1))])
