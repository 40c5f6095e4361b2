"""What was worked out before, by the content of the question: one SQLite file that any number of runs may share.

A key is the hash of all that an answer hangs on; a value is text. Nothing is ever unpickled. A file that cannot be
read, an entry that was damaged, a disk that is full: each costs the memory of what was found, never an answer. A
damaged file is laid aside, and a new one begun.

>>> with Cache(None) as cache:
...     cache.put(key("nim", 3), "yes")
...     cache.get(key("nim", 3)), cache.get(key("nim", 4))
('yes', None)
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import TracebackType
from typing import Any

from monjudge.solvers.verdict import Sentence

__all__ = ["Cache", "default_file", "key", "sources"]

WAIT = 5.0
"""Seconds to wait for another run that writes."""

_TABLE = "CREATE TABLE IF NOT EXISTS found (key TEXT PRIMARY KEY, seal TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID"


def key(*parts: Any) -> str:
    """The key of plain data. Raises TypeError for what is no JSON."""
    return _hash(json.dumps([sources(), *parts], sort_keys=True, separators=(",", ":"), ensure_ascii=True))


@cache
def sources() -> str:
    """The hash of this package's own code: what another version found is not believed."""
    found = hashlib.sha256()
    for name, code in sorted(_code(files("monjudge"), "")):
        found.update(f"{name} {len(code)}\n".encode() + code)
    return found.hexdigest()


def _code(folder: Traversable, at: str) -> list[tuple[str, bytes]]:
    found = list[tuple[str, bytes]]()
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _code(entry, f"{at}{entry.name}/")
        elif entry.name.endswith(".py"):
            found.append((f"{at}{entry.name}", entry.read_bytes()))
    return found


def default_file() -> Path:
    """Where answers are kept: in the folder ``MONJUDGE_CACHE``, else in the user's for caches."""
    if named := os.environ.get("MONJUDGE_CACHE"):
        return Path(named) / "found.sqlite"
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "monjudge" / "found.sqlite"


class Cache:
    """The answers in a file (None: in memory); ``warn`` is told why the file is of no use."""

    def __init__(self, file: Path | None, warn: Callable[[Sentence], object] = lambda said: None) -> None:
        self.file, self.warn = file, warn
        self._open: sqlite3.Connection | None = None
        self._renewed = False
        self._begin()

    def _begin(self) -> None:
        try:
            if self.file is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            self._open = sqlite3.connect(":memory:" if self.file is None else self.file, timeout=WAIT, isolation_level=None)
            self._open.execute(_TABLE)
        except (sqlite3.Error, OSError) as error:
            self._useless(error)

    def get(self, key: str) -> str | None:
        """The text under this key; None where there is none, or one that was damaged."""
        try:
            if self._open is None:
                return None
            with closing(self._open.execute("SELECT seal, value FROM found WHERE key = ?", (key,))) as rows:
                row = rows.fetchone()
        except sqlite3.Error as error:
            self._useless(error)
            return None
        if row is None or not all(isinstance(part, str) for part in row):
            return None
        seal, value = row
        return str(value) if seal == _hash(key + value) else None

    def put(self, key: str, value: str) -> None:
        """Keeps the text under this key, instead of what was there."""
        try:
            if self._open is not None:
                self._open.execute("INSERT OR REPLACE INTO found VALUES (?, ?, ?)", (key, _hash(key + value), value))
        except sqlite3.Error as error:
            self._useless(error)

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _useless(self, error: Exception) -> None:
        self.warn(Sentence(f"what was found before is not used: {self.file}: {error}", f"以前の結果は使わない：{self.file}：{error}"))
        self.close()
        # Its subclasses tell of locks, full disks and missing rights, which no new file would mend.
        if type(error) is sqlite3.DatabaseError and self.file is not None and not self._renewed:
            self._renewed = True
            self._renew(self.file)

    def _renew(self, file: Path) -> None:
        """Lays the damaged file aside, and begins a new one."""
        aside = file.with_name(f"{file.name}.damaged")
        try:
            file.replace(aside)
            # A journal of the damaged file would be played back into the new one.
            file.with_name(f"{file.name}-journal").unlink(missing_ok=True)
        except OSError as error:
            self.warn(Sentence(f"{file} could not be laid aside: {error}", f"{file} をよけられない：{error}"))
            return
        self.warn(Sentence(f"the damaged file lies in {aside}, and a new one is begun", f"壊れたファイルは {aside} によけ、新しく作り直した"))
        self._begin()


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
