"""Lines made again by the reference alone, and a line made again under other readings of the text.

Where nothing that a line calls comes out otherwise under another reading, the line goes as it went: of a line that was
recorded only the calls are made again that read what is changed, and the rest of the line from where one of them differs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from monjudge.model.language import LimitReached, Move, RuleSet, State
from monjudge.model.notation.sentence import Sentence
from monjudge.solvers.engines.reference import Reference

__all__ = ["Illegal", "Recording", "follow"]


class Illegal(ValueError):
    """A move of a line that is not legal, by its number; ``text`` says so."""

    def __init__(self, rules: RuleSet, number: int, move: Move) -> None:
        params = rules.by_name[move.action].params
        said = " ".join([move.action, *(f"{p.name}={n}" for p, n in zip(params, move.args, strict=False))])
        self.text = Sentence(f"move {number} of the line is not legal: {said}", f"手順の{number}手目はできない：{said}")
        super().__init__(self.text.en)


def follow(engine: Reference, state: State, moves: Sequence[Move], first: int = 1) -> State:
    """The state after these moves, each legal. Raises Illegal for a move that is not; ``first`` is the number of the first."""
    for number, move in enumerate(moves, first):
        if engine.over(state) or not engine.legal(state, move):
            raise Illegal(engine.rules, number, move)
        state = engine.step(state, move)
    return state


class _Watched(tuple[int, ...]):
    """A state that notes which of its cells are read."""

    read: set[int]

    def __getitem__(self, n: Any) -> Any:
        self.read.add(n)
        return tuple.__getitem__(self, n)


class _Call:
    """A call of a function of the reference, and what came of it."""

    __slots__ = ("args", "function", "result", "state")

    def __init__(self, function: Callable[..., Any], state: State, args: Sequence[int], result: Any) -> None:
        self.function, self.state, self.args, self.result = function, state, args, result

    def alike(self, changed: Mapping[int, int]) -> bool:
        """Whether the same comes of it where these cells, which are never written, hold something else."""
        state = _with(self.state, changed)
        try:
            result = self.function(state, *self.args)
        except LimitReached:
            return False
        if self.result is self.state:
            return result is state or bool(result == state)
        return bool(result == (_with(self.result, changed) if isinstance(self.result, tuple) else self.result))


class _Listening(dict[str, Callable[..., Any]]):
    """The functions of a reference; each call of one that reads one of the ``cells`` is noted under these."""

    def __init__(self, functions: dict[str, Callable[..., Any]], cells: frozenset[int]) -> None:
        super().__init__()
        self.functions, self.cells = functions, cells
        self.heard: dict[int, list[_Call]] = {}

    def __missing__(self, name: str) -> Callable[..., Any]:
        function = self.functions[name]

        def heard(state: State, *args: int) -> Any:
            watched = _Watched(state)
            watched.read = set()
            result = function(watched, *args)
            if result is watched:
                result = state
            if read := watched.read & self.cells:
                call = _Call(function, state, args, result)
                for cell in read:
                    self.heard.setdefault(cell, []).append(call)
            return result

        self[name] = heard
        return heard


class _Listener(Reference):
    """A reference whose calls are noted."""

    def __init__(self, engine: Reference) -> None:
        super().__init__(engine.rules)
        at = self.rules.offset
        cells = frozenset(n for f in self.rules.families if f.config for n in range(at[f.name], at[f.name] + f.size))
        self._space = self.listening = _Listening(engine._space, cells)

    def take(self) -> Mapping[int, Sequence[_Call]]:
        """The calls since this was last asked, by the cells of the configuration that they read."""
        heard, self.listening.heard = self.listening.heard, {}
        return heard


class Recording:
    """A line of play from a state at rest, to be replayed with other configurations. Raises ValueError as ``follow`` does."""

    def __init__(self, engine: Reference, start: State, moves: Sequence[Move]) -> None:
        self.engine, self.moves = engine, tuple(moves)
        listener = _Listener(engine)
        self.cells = listener.listening.cells
        self.states, self.calls = [listener.settle(start)], [listener.take()]
        for number, move in enumerate(moves, 1):
            self.states.append(follow(listener, self.states[-1], [move], number))
            self.calls.append(listener.take())

    def replay(self, start: State, moves: Sequence[Move]) -> State | None:
        """The state after these moves; None where they are none of this line, or from a start that differs in more than its configuration.

        Raises ValueError as ``follow`` does.
        """
        if tuple(moves) != self.moves[: len(moves)] or len(start) != len(self.states[0]):
            return None
        changed = {n: new for n, (old, new) in enumerate(zip(self.states[0], start, strict=True)) if old != new}
        if not changed.keys() <= self.cells:
            return None
        for number, calls in enumerate(self.calls[: len(moves) + 1]):
            if not all(call.alike(changed) for cell in changed for call in calls.get(cell, ())):
                before = max(0, number - 1)
                return follow(self.engine, self.engine.settle(_with(self.states[before], changed)), moves[before:], before + 1)
        return _with(self.states[len(moves)], changed)


def _with(state: State, changed: Mapping[int, int]) -> State:
    cells = list(state)
    for n, value in changed.items():
        cells[n] = value
    return tuple(cells)
