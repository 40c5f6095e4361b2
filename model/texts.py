"""Texts of a game in English and Japanese: its clauses, and the readings of its ambiguities.

A game keeps them in two JSON files. ``clauses.json`` restates every sentence of its document
in the project's own words, with its line there. ``switches.json`` has one entry for each
ambiguity: why the text leaves it open, what each reading means, and why one is the default.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from monjudge.model.notation.sentence import Sentence

__all__ = [
    "CLAUSE_KINDS", "ClauseKind", "ClauseText", "SwitchText", "Text", "TextRegistry", "read_clauses", "read_switches",
]  # fmt: skip

ClauseKind = Literal["def", "pre", "eff", "proc", "time", "qty", "flav", "ex"]
"""Definition, precondition, effect, procedure, time, quantity limit, flavour or heading, example."""

CLAUSE_KINDS: tuple[ClauseKind, ...] = ("def", "pre", "eff", "proc", "time", "qty", "flav", "ex")


Text = Sentence
"""One text in both languages."""


@dataclass(frozen=True, slots=True)
class ClauseText:
    """One clause of the document: its id, its line (from 1), what it does, and one sentence in each language."""

    id: str
    line: int
    kind: tuple[ClauseKind, ...]
    en: str
    ja: str

    @property
    def ref(self) -> str:
        """The line of the document, as rules refer to it."""
        return f"L{self.line}"


@dataclass(frozen=True, slots=True, eq=False)
class SwitchText:
    """One ambiguity of the document: the clauses that clash, and its readings by name with what each means.

    ``severity`` is S1 (changes ordinary play), S2 (arises regularly) or S3 (rare);
    ``undetermined`` names the readings without executable meaning. A ``mode`` is a choice
    that the document leaves to the players, not an ambiguity, and has no severity.
    """

    id: str
    name: str
    default: str
    clauses: tuple[str, ...]
    title: Text
    why: Text
    reason: Text
    values: Mapping[str, Text]
    undetermined: frozenset[str] = frozenset()
    severity: str = ""
    mode: bool = False


Entry = TypeVar("Entry")


class TextRegistry(Mapping[str, Entry]):
    """Entries of a game by id, in the order of the document; an id that it lacks raises ``KeyError`` with a sentence."""

    def __init__(self, noun: str, game: str, entries: Mapping[str, Entry]) -> None:
        self._noun, self._game, self._entries = noun, game, dict(entries)

    def __getitem__(self, id: str) -> Entry:
        if id in self._entries:
            return self._entries[id]
        near = difflib.get_close_matches(id, self._entries, n=3)
        hint = f"; the closest ids are {', '.join(near)}" if near else ""
        raise KeyError(f"{id!r} is no {self._noun} of {self._game}{hint}")

    def __contains__(self, id: object) -> bool:
        return id in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def read_clauses(file: Path, game: str) -> TextRegistry[ClauseText]:
    """All clauses of a game's document by id, in its order."""
    return TextRegistry("clause", game, {row["id"]: _clause(row) for row in _rows(file)})


def read_switches(file: Path, game: str) -> TextRegistry[SwitchText]:
    """All reading switches of a game by id."""
    return TextRegistry("reading switch", game, {row["id"]: _switch(row) for row in _rows(file)})


def _rows(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return rows


def _clause(row: dict[str, Any]) -> ClauseText:
    return ClauseText(**row | {"kind": tuple(row["kind"])})


def _switch(row: dict[str, Any]) -> SwitchText:
    texts = {key: Text(**row[key]) for key in ("title", "why", "reason")}
    return SwitchText(
        **row
        | texts
        | {
            "clauses": tuple(row["clauses"]),
            "undetermined": frozenset(row.get("undetermined", ())),
            "values": MappingProxyType({value: Text(**text) for value, text in row["values"].items()}),
        }
    )
