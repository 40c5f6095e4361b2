"""What a game offers to those who speak with people: its words for positions, moves, logs and data files.

The command line, the reports and the pictures know a game only through its ``Kit``
(``monjudge.model.games.kit``). A game without words of its own gets them from its rule set
(``plain``). Nothing here needs an engine: a position is as it was written, and whoever asks
about it settles it first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from monjudge.model.language import Move, RuleSet, State
from monjudge.model.notation.defects import Defect
from monjudge.model.notation.sentence import Sentence

if TYPE_CHECKING:
    from monjudge.model.notation.goals import Goal
    from monjudge.model.notation.picture import Picture

__all__ = ["KINDS", "Kit", "Log", "Position", "Readings", "SwitchWords", "Ways", "Worded"]

KINDS = ("state", "move", "log", "board", "deck", "pack", "readings")
"""The kinds of documents that a game may have."""

Readings = Mapping[str, str]
"""Readings by switch; a switch that is not named is read at its default."""


@dataclass(frozen=True)
class Position:
    """What a judge is asked about: a state under a rule set, in the words of a game.

    The state is as it was written; an engine settles it. ``about`` is what the game itself
    remembers (its catalogue, its boards).
    """

    kit: Kit
    rules: RuleSet
    state: State
    about: Any = None

    def at(self, state: State) -> Position:
        """The same table in another state, e.g. after a move."""
        return replace(self, state=state)


class Log(NamedTuple):
    """A line of play as it is written: where it begins, and the moves in notation."""

    position: Position
    moves: tuple[str, ...]


class Ways(NamedTuple):
    """How a card comes into play: its name in notation and in a sentence, and the actions with what it settles of them."""

    name: str
    said: Sentence
    actions: tuple[tuple[str, Mapping[str, int]], ...]


class Worded(Protocol):
    """A rule in both languages, with the place of the text where it stands."""

    @property
    def id(self) -> str: ...
    @property
    def ref(self) -> str: ...
    @property
    def en(self) -> str: ...
    @property
    def ja(self) -> str: ...


class SwitchWords(Protocol):
    """An ambiguity of the text: its readings by name with what each means, and why one is the default."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def default(self) -> str: ...
    @property
    def clauses(self) -> tuple[str, ...]: ...
    @property
    def title(self) -> Sentence: ...
    @property
    def why(self) -> Sentence: ...
    @property
    def reason(self) -> Sentence: ...
    @property
    def values(self) -> Mapping[str, Sentence]: ...
    @property
    def undetermined(self) -> frozenset[str]: ...
    @property
    def severity(self) -> str: ...


class Kit(Protocol):
    """The words of one game. Whatever reads raises DataError with every defect at its path."""

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> Sentence: ...

    @property
    def prefix(self) -> str:
        """With what the one-line notation of a position begins, version included: ``mc1``."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of documents that this game has (see ``KINDS``)."""

    def kind(self, document: Any) -> str:
        """Of which kind plain data are. Raises DataError where that cannot be told."""

    def schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema (2020-12) of a kind of documents, from the declaration that reads it."""

    def canonical(self, kind: str, document: Any) -> Any:
        """The one written form of a document: equal content, equal data."""

    def remarks(self, kind: str, document: Any) -> Sequence[Defect]:
        """What is odd about a document that will do: it is read, but perhaps not as its writer meant it."""

    # -- positions --------------------------------------------------------------------------------

    def position(self, document: Any, *, readings: Readings | None = None, open: Collection[str] = ()) -> Position:
        """The position of plain data, or of the one-line notation where the data are a text.

        ``readings`` come before those that the document names; switches in ``open`` stay fields.
        """

    def knowing(self, position: Position, text: str) -> Position:
        """The same position where its rules also know the cards that a text names, e.g. that of a move."""

    def whole(self, position: Position) -> Position:
        """The same position where its rules know every card of the game: what they leave out would give hidden cards away."""

    def closed(self, position: Position) -> Position:
        """The same position by rules in which nothing is left open: boards and readings are those that its fields say.

        Raises LookupError where there are no such rules, e.g. because what is printed on the cards is open.
        """

    def boards(self, position: Position) -> Sequence[Any]:
        """The boards of the players in order of seats, each by its name or as a designer writes it; none in a game without."""

    def data(self, position: Position) -> dict[str, Any]:
        """The canonical plain data of a position."""

    def line(self, position: Position) -> str:
        """The canonical one-line notation of a position."""

    def defects(self, position: Position) -> list[Defect]:
        """What the position has that cannot lie on a table."""

    def deal(
        self, *, mode: str | None = None, players: int | None = None, boards: Sequence[Any] = (), pack: Any = None,
        readings: Readings | None = None, open: Collection[str] = (),
    ) -> Position:  # fmt: skip
        """The beginning of a match, before its first pick, deal or move.

        ``boards`` are what the players bring, in order of seats, by name or as documents; ``pack`` is the document of
        cards besides the default ones. Defects stand below ``boards[0]`` and ``pack``.
        """

    def picture(self, position: Position, viewer: int | None = None) -> Picture:
        """What lies where; with a viewer (a seat from 0) only what that player may know."""

    # -- moves ------------------------------------------------------------------------------------

    def move_text(self, position: Position, move: Move) -> str:
        """The canonical notation of a move."""

    def move(self, position: Position, text: str) -> Move:
        """The move of a notation; whether it is legal is for an engine to say."""

    def said(self, position: Position, move: Move) -> Sentence:
        """The move as a sentence."""

    def goals(self, position: Position, player: int) -> Mapping[str, Sentence]:
        """The goals that a player (from 0) may have, as they are written, with what each means."""

    def goal(self, position: Position, text: str, player: int, turns: int | None = None) -> Goal:
        """The goal of a text for a player (from 0) within so many turns. Raises DataError naming those that there are."""

    def ways(self, position: Position, card: str) -> Ways:
        """A card's own name, and every action that puts it into play with the parameter that names it."""

    def fact(self, position: Position, name: str, at: tuple[int, ...], value: int) -> Sentence | None:
        """What a cell of a field, or an entry of a table of the rule set, says to a player; None for mere bookkeeping."""

    def player(self, position: Position, player: int) -> Sentence:
        """What a player is called; -1 is chance."""

    def log(self, document: Any) -> Log:
        """The line of play of plain data."""

    def log_data(self, log: Log) -> dict[str, Any]:
        """The canonical plain data of a line of play."""

    # -- texts ------------------------------------------------------------------------------------

    def clauses(self) -> Mapping[str, Worded]:
        """The rules of the game by id, in the order of its text."""

    def switches(self) -> Mapping[str, SwitchWords]:
        """The ambiguities of the text by id, in its order."""

    def fixed(self) -> Collection[str]:
        """The switches that cannot be chosen in this version."""
