"""A puzzle as it was read: the position, what is asked, and a solution that is replayed by the reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from monjudge.model.games import games, kit
from monjudge.model.language import LimitReached, Move, State, evaluate
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.goals import Goal
from monjudge.model.notation.kit import Kit, Position
from monjudge.model.notation.places import at
from monjudge.model.notation.reading import Reading, meant, quoted
from monjudge.model.notation.sentence import Sentence
from monjudge.model.notation.source import Document, content
from monjudge.model.notation.source import read as read_source
from monjudge.puzzles.form import FORMAT, LETTERS, line_form, merged, puzzle_form
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.given import Rolls, given, given_state

__all__ = ["Puzzle", "game_of", "is_puzzle", "read", "read_document"]

_LINE = re.compile(rf"\s*{LETTERS}[0-9]+(/|\s|$)")
_GAME = re.compile(r"/g=([a-z-]+)")


def is_puzzle(data: Any) -> bool:
    """Whether plain data, or a text in one line, say that they are a puzzle."""
    if isinstance(data, str):
        return _LINE.match(data) is not None
    return isinstance(data, Mapping) and str(data.get("format", "")).startswith(FORMAT.partition("/")[0] + "/")


@dataclass(frozen=True)
class Puzzle:
    """What is asked about a position; ``data`` are canonical, ``path`` is where they stand in the file (that of a twin)."""

    kit: Kit
    data: Mapping[str, Any]
    path: str = field(default="", compare=False)

    @cached_property
    def position(self) -> Position:
        """The position as it is written. Raises DataError with its defects at ``start``."""
        return self.kit.position(self.data["start"])

    @cached_property
    def played(self) -> Position:
        """The position under the rules in which chance comes out as it is told; as it is written where nothing is told.

        Raises DataError for what is no outcome of chance.
        """
        return self.with_rolls(self.position)

    def with_rolls(self, here: Position) -> Position:
        """This position of the same game with the outcomes told. Raises DataError for what is none."""
        found = self.outcomes(here)
        return replace(here, rules=given(here.rules, found), state=given_state(here.rules, here.state, found))

    def outcomes(self, here: Position) -> Rolls:
        """The outcomes told, each an action of chance with its parameters; none where nothing is told. Raises DataError for what is none."""
        found, defects = list[tuple[str, tuple[int, ...]]](), list[Defect]()
        for n, text in enumerate(self.data.get("rolls", ())):
            try:
                move = self.kit.move(here, text)
                given(here.rules, [(move.action, move.args)])
                found.append((move.action, move.args))
            except DataError as error:
                defects += [Defect(self._at(f"rolls[{n}]"), d.text, d.code) for d in error.defects]
            except ValueError:
                defects.append(Defect(self._at(f"rolls[{n}]"), Sentence(f"{text!r} is no outcome of chance", f"{text!r}は偶然の結果ではない")))
        if defects:
            raise DataError(defects)
        return tuple(found)

    @property
    def title(self) -> Sentence:
        return Sentence(**self.data["title"])

    @property
    def goal(self) -> str:
        return str(self.data.get("goal", "win"))

    @property
    def player(self) -> int:
        """Who is to reach the goal, from 1."""
        return int(self.data.get("player", 1))

    @property
    def turns(self) -> int | None:
        """Within so many turns; None: ever."""
        return self.data.get("turns")

    @property
    def chance(self) -> str:
        """``worst``: against every outcome; ``odds``: with what probability; ``given``: as ``rolls`` tells them."""
        return str(self.data.get("chance", "worst"))

    @property
    def hidden(self) -> bool:
        """Whether the player does not see the others' hands and what lies face down."""
        return bool(self.data.get("hidden"))

    @property
    def solution(self) -> tuple[str, ...]:
        """Every move of the main line in notation; none where the puzzle has no solution written."""
        return tuple(self.data.get("solution", {}).get("moves", ()))

    @property
    def line_of_play(self) -> tuple[Move, ...]:
        """The moves of the solution, if it can be played and reaches the goal; else none. Raises DataError as ``played``."""
        done = self.replay()
        return done.moves if done.fault is None and self.reached(done.states[-1]) else ()

    @property
    def explanation(self) -> Sentence | None:
        said = self.data.get("explanation")
        return None if said is None else Sentence(**said)

    @property
    def computed(self) -> Mapping[str, Any]:
        """What the solver found when the puzzle was written."""
        found: Mapping[str, Any] = self.data.get("computed", {})
        return found

    @property
    def line(self) -> str:
        """The puzzle in one line."""
        return line_form(self.kit.name).write({key: part for key, part in self.data.items() if key != "format"})

    @cached_property
    def wanted(self) -> Goal:
        """The goal of the player. Raises DataError where the game has none of that name."""
        return self.kit.goal(self.position, self.goal, self.player - 1, self.turns)

    @cached_property
    def twins(self) -> Mapping[str, Puzzle]:
        """The twins by name, each a puzzle of its own. Raises DataError where what is changed will not do."""
        found = {}
        for n, twin in enumerate(self.data.get("twins", ())):
            place = at(self.path, f"twins[{n}]")
            own = {key: part for key, part in twin.items() if key not in ("name", "text", "change")}
            shared = {key: part for key, part in self.data.items() if key not in ("twins", "solution", "explanation", "computed")}
            try:
                start = self.kit.canonical("state", merged(self.data["start"], twin.get("change", {})))
            except DataError as error:
                raise DataError([Defect(at(place, "change"), d.text, d.code) for d in error.defects]) from None
            found[twin["name"]] = Puzzle(self.kit, {**shared, **own, "start": start}, place)
        return found

    # -- what may be wrong with it ---------------------------------------------------------------------

    def defects(self) -> Iterator[Defect]:
        """What the puzzle says that is not so: its position, its goal, the readings told, every line that cannot be played.

        Whether the verdict is right is for ``puzzles.facts`` to say.
        """
        try:
            yield from (Defect(self._at("start", d.path), d.text, d.code, d.place, d.clause) for d in self.kit.defects(self.position))
            yield from self._question()
            yield from self._lines()
            yield from (d for twin in self.twins.values() for d in twin.defects())
        except DataError as error:
            yield from error.defects

    def _at(self, *keys: str) -> str:
        path = self.path
        for key in keys:
            path = at(path, key) if key else path
        return path

    def _question(self) -> Iterator[Defect]:
        players, rules = self.position.rules.players, self.position.rules
        if self.player > players:
            yield Defect(self._at("player"), Sentence(f"there are {players} players", f"プレイヤーは{players}人"), "out-of-range")
            return
        try:
            _ = self.wanted
        except DataError as error:
            yield from (Defect(self._at("goal"), d.text, d.code) for d in error.defects)
        if self.turns is not None and rules.turns is None:
            yield Defect(self._at("turns"), Sentence("this game does not declare what a turn is", "このゲームにはターンの定義がない"))
        if (self.chance == "given") != bool(self.data.get("rolls")):
            yield Defect(self._at("chance"), Sentence("rolls go with chance: given, and it with them", "rolls は chance: given のときに、そのときだけ書く"))
        for n, id in enumerate(self.data.get("told", ())):
            if id not in self.kit.switches():
                en, ja = meant(id, self.kit.switches(), "there are", "あるのは", most=8)
                yield Defect(self._at(f"told[{n}]"), Sentence(f"{quoted(id)} is no reading switch{en}", f"{quoted(id)}という読みの切り替えはない{ja}"), "unknown-word")

    def _lines(self) -> Iterator[Defect]:
        solution = self.data.get("solution")
        if solution is None:
            return
        main = list(solution.get("moves", ()))
        yield from self._line(main, 0, self._at("solution", "moves"), solution.get("ends", "reached"))
        for n, variation in enumerate(solution.get("variations", ())):
            path, first = self._at("solution", f"variations[{n}]"), variation["at"] - 1
            if first > len(main):
                yield Defect(at(path, "at"), Sentence(f"the solution has {len(main)} moves", f"作意は{len(main)}手"), "out-of-range")
            else:
                yield from self._line([*main[:first], *variation.get("moves", ())], first, at(path, "moves"), variation["ends"])

    def _line(self, moves: Sequence[str], first: int, path: str, ends: str) -> Iterator[Defect]:
        """What is wrong with a line from its move ``first`` (from 0) on, and with how it is said to end."""
        played = self.replay(moves)
        state = played.states[-1]
        if played.fault is not None:
            yield Defect(f"{path}[{max(0, len(played.moves) - first)}]", played.fault, "illegal-move")
        elif self.reached(state) != (ends == "reached"):
            there = Sentence("the goal is reached at its end", "最後に目標が達成されている")
            missing = Sentence("the goal is not reached at its end", "最後に目標が達成されていない")
            yield Defect(path, there if ends == "missed" else missing)

    @cached_property
    def _reference(self) -> Reference:
        return Reference(self.played.rules)

    def reached(self, state: State) -> bool:
        """Whether the goal holds in a state."""
        return bool(evaluate(self.wanted.when, state, None, self.played.rules.offset))

    def replay(self, moves: Sequence[str] | None = None) -> Replayed:
        """The moves of the solution, or these, made by the reference, up to the first that cannot be made."""
        reference, here = self._reference, self.played
        here = here.at(reference.settle(here.state))
        played: list[Move] = []
        states = [here.state]
        for text in self.solution if moves is None else moves:
            try:
                move = self.kit.move(here, text)
                if not reference.legal(here.state, move):
                    return Replayed(tuple(played), tuple(states), Sentence(f"{text!r} is not legal there", f"{text!r}はそこではできない"))
                here = here.at(reference.step(here.state, move))
            except DataError as error:
                return Replayed(tuple(played), tuple(states), error.defects[0].text)
            except LimitReached as reached:
                return Replayed(tuple(played), tuple(states), Sentence(f"{text!r} passes a bound of the model: {reached}", f"{text!r}はモデルの上限を超える"))
            played.append(move)
            states.append(here.state)
        return Replayed(tuple(played), tuple(states))


@dataclass(frozen=True)
class Replayed:
    """The moves made, the states before, between and after them, and what is wrong with the next move."""

    moves: tuple[Move, ...]
    states: tuple[State, ...]
    fault: Sentence | None = None


def read(source: str | bytes | Path | Mapping[str, Any]) -> Puzzle:
    """The puzzle of a file (``Path``), of the text or the bytes of one, of its line, or of plain data.

    Raises DataError with every defect of the writing, at its line and column where it was a text; OSError for a
    file that cannot be opened. What it claims is another question: see ``Puzzle.defects``.
    """
    if isinstance(source, Mapping):
        return _read(source)
    name = str(source) if isinstance(source, Path) else ""
    return read_document(read_source(content(source) if isinstance(source, Path) else source, name))


def read_document(document: Document) -> Puzzle:
    """The puzzle of a document. Raises DataError as ``read``."""
    try:
        return _read(document.data)
    except DataError as error:
        raise document.located(error) from None


def _read(data: Any) -> Puzzle:
    game = game_of(data)
    if isinstance(data, str):
        data = {"format": FORMAT, **line_form(game).read(data)}
    reading = Reading()
    found = puzzle_form(game).read(data, "", reading)
    reading.finish()
    puzzle = Puzzle(kit(game), found)
    _ = puzzle.twins
    try:
        _ = puzzle.position
    except DataError as error:
        raise DataError([Defect(at("start", d.path) if d.path else "start", d.text, d.code) for d in error.defects]) from None
    return puzzle


def game_of(data: Any) -> str:
    """The game that a puzzle is of; the first one where it does not say so, or wrongly: its form then tells."""
    if isinstance(data, str):
        found = _GAME.search(data)
        named = found[1] if found else ""
    else:
        named = str(data.get("game", data.get("ゲーム", ""))) if isinstance(data, Mapping) else ""
    return named if named in games() else games()[0]
