"""Where answers go, and in which form: UTF-8 wherever that is, a file as a whole or not at all, a closed pipe in silence."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TextIO

from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import Answer, Exit, Language, Voice, document, joined, lines, lines_of

__all__ = ["CLOSED", "FORMS", "Reply", "Talk", "Unread", "columns", "is_colourful", "prepared", "visible", "write_file"]

FORMS = ("text", "concise", "json", "jsonl")
Form = Literal["text", "concise", "json", "jsonl"]

CLOSED = 141
"""The exit code when nobody reads any more, as a shell shows it for the signal of a closed pipe."""


@dataclass(frozen=True)
class Reply:
    """What a command answers, with what it was asked about; ``exit`` where the verdicts do not say it.

    Answers may come one after the other; each is given when it is there.
    """

    answers: Iterable[Answer]
    readings: Mapping[str, str] = field(default_factory=dict)
    inputs: Sequence[Mapping[str, Any]] = ()
    exit: Exit | None = None


@dataclass(frozen=True)
class Talk:
    """How a run speaks: form, language, signs, and the file to write to (None: standard output)."""

    form: Form = "text"
    lang: Language = "en"
    ascii: bool = False
    output: Path | None = None

    @property
    def voice(self) -> Voice:
        return Voice(self.lang, self.ascii, self.output is None and is_colourful(sys.stdout))

    def say(self, sentence: Sentence) -> None:
        """Something beside the answer, for whoever watches."""
        print(self.voice(sentence), file=sys.stderr)

    def give(self, reply: Reply) -> int:
        """Gives the reply in this form; its exit code, that of the answer which is farthest from a yes."""
        codes = [Exit.HOLDS]

        def told() -> Iterator[Answer]:
            for answer in reply.answers:
                codes.append(Exit.of(answer.verdict))
                yield answer

        self.put(f"{line}\n" for line in self._lines(told(), reply))
        return max(codes) if reply.exit is None else reply.exit

    def put(self, parts: Iterable[str]) -> None:
        """Text as it is."""
        if self.output is None:
            for part in parts:
                _print(part)
        else:
            write_file(self.output, visible("".join(parts)).encode("utf-8", "backslashreplace"))

    def _lines(self, answers: Iterable[Answer], reply: Reply) -> Iterable[str]:
        if self.form == "json":
            import json

            whole = document(answers, readings=reply.readings, inputs=reply.inputs)
            return [json.dumps(whole, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=1)]
        if self.form == "jsonl":
            return lines(answers, readings=reply.readings, inputs=reply.inputs)
        voice = self.voice
        if self.form == "concise":
            return (line for answer in answers for line in answer.brief(voice))
        return itertools.chain(_under(reply.readings, voice), (line for answer in answers for line in lines_of(answer, voice)))


def columns() -> int:
    """In how many columns pictures are drawn where nobody says."""
    return max(40, min(shutil.get_terminal_size().columns, 200))


class Unread(Exception):
    """Nobody reads what is printed."""


_READINGS = Sentence("Readings", "読み")


def _under(readings: Mapping[str, str], voice: Voice) -> Iterable[str]:
    """The readings that are not the default."""
    if readings:
        yield voice.faint(f"{voice(_READINGS)}{joined(voice)}{', '.join(f'{switch}={value}' for switch, value in readings.items())}")


def _print(part: str) -> None:
    try:
        sys.stdout.write(part)
        sys.stdout.flush()
    except OSError as error:
        if error.errno in (errno.EPIPE, errno.EINVAL):  # the second is what Windows says of a closed pipe
            raise Unread from error
        raise


@contextlib.contextmanager
def prepared() -> Iterator[None]:
    """Standard output and error take every character, whatever the locale or the code page says, and let none steer the terminal."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    out, err = _Visible(sys.stdout), _Visible(sys.stderr)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield


_STEERING = "[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]"
_ESCAPE = "\x1b"
_BUT_COLOURS = re.compile(rf"{_STEERING}|{_ESCAPE}(?!\[[0-9;]*m)")
_ALL = re.compile(f"{_STEERING}|{_ESCAPE}")


def visible(text: str, *, colour: bool = False) -> str:
    """The text with control characters written out, as in JSON; with ``colour`` but for the codes of colours.

    >>> print(visible(chr(27) + "]0;title" + chr(7)))
    \\u001b]0;title\\u0007
    """
    return (_BUT_COLOURS if colour else _ALL).sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


class _Visible:
    """A stream to which names and texts from outside are written without their control characters."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._colour = is_colourful(stream)

    def write(self, text: str) -> int:
        return self._stream.write(visible(text, colour=self._colour))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def is_colourful(stream: TextIO) -> bool:
    """Whether colours are wanted there: on a terminal, and not where NO_COLOR says otherwise."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def write_file(path: Path, content: bytes) -> None:
    """The whole content under this name, or nothing; what is no file, as a device or a pipe, is written to. Raises OSError that names the path."""
    try:
        place = path.resolve()  # a link stays a link
        if place.exists() and not place.is_file():
            place.write_bytes(content)
        else:
            _exchange(place, content)
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from error


def _exchange(path: Path, content: bytes) -> None:
    """Writes a new file beside, with the rights of the old one, and gives it the name at the end."""
    import tempfile

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".monjudge-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
