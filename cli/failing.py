"""What a command says when it cannot answer: a sentence for what is expected to go wrong, a bundle for the rest."""

from __future__ import annotations

import errno
import json
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from monjudge import __version__
from monjudge.model.language import LimitReached
from monjudge.model.notation.defects import DataError
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import content
from monjudge.reports.answers.answer import Exit, Language, Voice
from monjudge.reports.answers.defects import Defective

__all__ = ["Failure", "bundle", "expected", "unopened"]

MOST = 100_000
"""So many characters of a word of the command line are kept in a bundle."""


@dataclass(frozen=True)
class Failure:
    """Why there is no answer, with the exit code that says so."""

    said: Sentence | Defective
    code: Exit

    def lines(self, lang: Language) -> list[str]:
        voice = Voice(lang)
        return list(self.said.text(voice)) if isinstance(self.said, Defective) else [voice(self.said)]


def expected(error: Exception) -> Failure | None:
    """The failure that an error stands for; None for a fault of the program."""
    if isinstance(error, DataError):
        return Failure(Defective.of(error), Exit.UNREADABLE)
    if isinstance(error, LimitReached):
        return Failure(Sentence(f"unknown (limit): {error}", f"不明（上限）：{error.ja}"), Exit.UNKNOWN)
    if isinstance(error, ImportError) and "monjudge[" in str(error):
        return Failure(Sentence(str(error), str(error)), Exit.UNREADABLE)
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        return Failure(Sentence(f"{name}{error.strerror or error}", f"{name}{unopened(error)}"), Exit.UNREADABLE)
    return None


_ERRNO = {
    errno.ENOENT: "ファイルがない", errno.EACCES: "開く権限がない", errno.EISDIR: "ディレクトリである", errno.ENOTDIR: "途中の名前がディレクトリでない",
    errno.ENOSPC: "ディスクに空きがない", errno.EROFS: "書き込めないディスクである", errno.ENAMETOOLONG: "名前が長すぎる", errno.ELOOP: "リンクがたどれない",
}  # fmt: skip


def unopened(error: OSError) -> str:
    """Why a file could not be read or written, in Japanese."""
    return f"読み書きできない（{_ERRNO.get(error.errno or 0, error.strerror or str(error))}）"


def bundle(words: Sequence[str], error: Exception) -> str:
    """Writes down all that is needed to see the fault again; the name of the file."""
    content = {
        "schema": "monjudge-report/1",
        "version": __version__,
        "python": sys.version,
        "platform": platform.platform(),
        "command": [word[:MOST] for word in words],
        "files": {word: text for word in words if (text := _content(word)) is not None},
        "traceback": traceback.format_exception(error),
    }
    with tempfile.NamedTemporaryFile("w", prefix="monjudge-report-", suffix=".json", delete=False, encoding="utf-8", errors="backslashreplace") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
    return file.name


def _content(word: str) -> str | None:
    """The text of a file that is named on the command line."""
    try:
        return content(Path(word), MOST).decode("utf-8", "backslashreplace")
    except (OSError, ValueError):
        return None
