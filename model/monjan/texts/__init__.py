"""The texts of Monjan Colosseum in English and Japanese: its clauses, and the readings of its ambiguities.

``clauses.json`` restates every sentence of the document in the project's own words, with
its line there; rules and norms name their clauses by these ids. ``switches.json`` has one
entry for each ambiguity: why the text leaves it open, what each reading means, and why one
of them is the default. Anything in the project may read this folder.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from monjudge.model.notation.sentence import Sentence

__all__ = [
    "CLAUSE_KINDS",
    "ClauseKind",
    "ClauseText",
    "SwitchText",
    "Text",
    "TextRegistry",
    "clause_texts",
    "switch_texts",
]

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
    """Entries by id, in the order of the document; an id that it lacks raises ``KeyError`` with a sentence."""

    def __init__(self, noun: str, entries: Mapping[str, Entry]) -> None:
        self._noun, self._entries = noun, dict(entries)

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
    return TextRegistry("clause", {row["id"]: _clause(row) for row in _rows("clauses.json")})


@cache
def switch_texts() -> TextRegistry[SwitchText]:
    """All reading switches by id, A01 to A160, and last the mode SEQ.

    >>> switch_texts()["A25"].values["LE"].en
    'The number may be at most the maximum.'
    """
    return TextRegistry("reading switch", {row["id"]: _switch(row) for row in _rows("switches.json")})


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))
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
