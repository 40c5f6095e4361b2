"""The texts of Monjan Colosseum in English and Japanese: its clauses, and the readings of its ambiguities.

``clauses.json`` has one entry for each rule sentence of the document, in the project's own
words, with the line of the document that it restates; rules and norms name their clauses
by these ids. Anything in the project may read this folder.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Generic, Literal, TypeVar

__all__ = ["CLAUSE_KINDS", "ClauseKind", "ClauseText", "TextRegistry", "clause_texts"]

ClauseKind = Literal["def", "pre", "eff", "proc", "time", "qty", "flav", "ex"]
"""Definition, precondition, effect, procedure, time, quantity limit, flavour or heading, example."""

CLAUSE_KINDS: tuple[ClauseKind, ...] = ("def", "pre", "eff", "proc", "time", "qty", "flav", "ex")


@dataclass(frozen=True, slots=True)
class ClauseText:
    """One clause of the document: its id, its line (from 1), what it does, and one sentence in each language."""

    id: str
    line: int
    kind: tuple[ClauseKind, ...]
    en: str
    ja: str


Entry = TypeVar("Entry", bound=ClauseText)


class TextRegistry(Mapping[str, Entry], Generic[Entry]):
    """Entries by id, in the order of the document; an id that it lacks raises ``KeyError`` with a sentence."""

    def __init__(self, noun: str, entries: Iterable[Entry]) -> None:
        self._noun = noun
        self._entries = {entry.id: entry for entry in entries}

    def __getitem__(self, id: str) -> Entry:
        if id in self._entries:
            return self._entries[id]
        near = difflib.get_close_matches(id, self._entries, n=3)
        hint = f"; the closest ids are {', '.join(near)}" if near else ""
        raise KeyError(f"{id!r} is no {self._noun} of Monjan Colosseum{hint}")

    def __contains__(self, id: object) -> bool:
        return id in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


@cache
def clause_texts() -> TextRegistry[ClauseText]:
    """All clauses of the document by id, in its order.

    >>> clause_texts()["SETUP.1"].en
    'At first ten cards are dealt from the pile to each player.'
    """
    return TextRegistry("clause", (_clause(row) for row in _rows("clauses.json")))


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
    return rows


def _clause(row: dict[str, Any]) -> ClauseText:
    return ClauseText(**row | {"kind": tuple(row["kind"])})
