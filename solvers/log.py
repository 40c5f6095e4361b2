"""Logs of play that can be replayed: JSON lines, first the rule set and the start, then one line for each move.

Chance outcomes and simultaneous decisions are moves like others, in the order in which they
were made. A log names its rule set by content hash, so that it is never replayed under other
rules; ``about`` is what the caller needs to build that rule set again, and is passed through.

>>> from monjudge.model.small.nim import nim
>>> from monjudge.solvers.play import Play
>>> play = Play(nim((2, 1)))
>>> text = write(play.rules, play.random(seed=1), about={"piles": [2, 1]})
>>> play.replay(*read(text, play.rules)) == play.random(seed=1)
True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from monjudge.model.language import NATURE, Move, Param, RuleSet, State
from monjudge.model.language.export import content_hash
from monjudge.solvers.play import Record
from monjudge.solvers.verdict import Sentence

__all__ = ["FORMAT", "MOST_MOVES", "Log", "LogError", "about", "read", "write"]

FORMAT = "monjudge-log/1"
MOST_MOVES = 1_000_000
MOST_CHARACTERS = 1_000_000
"""In one line; a longer one is refused unread."""


class Log(NamedTuple):
    """The moves and the settled state before the first of them, as ``Play.replay`` takes them."""

    moves: tuple[Move, ...]
    start: State


class LogError(ValueError):
    """A text that is no log of this rule set, with the line (from 1) where it goes wrong."""

    def __init__(self, line: int, en: str, ja: str) -> None:
        self.line = line
        self.text = Sentence(f"line {line}: {en}", f"{line}行目：{ja}")
        super().__init__(self.text.en)


def write(rules: RuleSet, record: Record, about: Mapping[str, Any] | None = None) -> str:
    """The log of a line of play. ``about`` must be plain JSON data."""
    first, plain = rules.view(record.start), rules.view(rules.start)
    start = {name: value for name, value in first.items() if value != plain[name]}
    head = {"format": FORMAT, "game": rules.name, "rules": content_hash(rules), "about": about or {}, "start": start}
    return "".join(f"{_line(item)}\n" for item in (head, *(_written(rules, m) for m in record.moves)))


def about(text: str) -> dict[str, Any]:
    """What the log says about its rule set. Raises LogError if the first line is not that of a log."""
    found: dict[str, Any] = _head(text.split("\n", 1)[0])["about"]
    return found


def read(text: str, rules: RuleSet) -> Log:
    """The log, its form checked; whether its moves are legal is for ``Play.replay`` to say.

    Raises LogError for another rule set, a start or a move that this one cannot have, or a broken line.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) > MOST_MOVES + 1:
        raise LogError(MOST_MOVES + 2, f"at most {MOST_MOVES} moves are read", f"最大{MOST_MOVES}手")
    head = _head(lines[0] if lines else "")
    if head["rules"] != content_hash(rules):
        raise LogError(1, f"the log is of another rule set ({head['game']})", f"別のルールの記録（{head['game']}）")
    try:
        start = rules.state(head["start"])
    except (TypeError, ValueError) as error:
        raise LogError(1, f"the start is no state: {error}", f"初期局面ではない：{error}") from error
    return Log(tuple(_move(rules, line, number) for number, line in enumerate(lines[1:], 2)), start)


def _line(item: Any) -> str:
    return json.dumps(item, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _written(rules: RuleSet, move: Move) -> dict[str, Any]:
    params = rules.by_name[move.action].params
    args = {p.name: p.labels.labels[n] if p.labels else n for p, n in zip(params, move.args, strict=True)}
    return {"move": move.action, "me": move.me, "args": args}


def _head(line: str) -> dict[str, Any]:
    head = _object(line, 1)
    if head.get("format") != FORMAT:
        raise LogError(1, f"no {FORMAT!r}", f"{FORMAT!r} ではない")
    for key, kind in (("game", str), ("rules", str), ("about", dict), ("start", dict)):
        if not isinstance(head.get(key), kind):
            raise LogError(1, f"{key} is missing or of another kind", f"{key} がないか、種類が違う")
    return head


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line) if len(line) <= MOST_CHARACTERS else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise LogError(number, "this is not one JSON object", "一つのJSONオブジェクトではない")
    return found


def _move(rules: RuleSet, line: str, number: int) -> Move:
    row = _object(line, number)
    action = rules.by_name.get(row["move"]) if isinstance(row.get("move"), str) else None
    me, args = row.get("me"), row.get("args")
    if action is None or type(me) is not int or not isinstance(args, dict):
        raise LogError(number, "a move has the name of an action, me and args", "手には行動の名前とmeとargsが要る")
    players = (NATURE,) if action.is_chance else range(rules.players)
    if me not in players:
        span = f"{players[0]}..{players[-1]}"
        raise LogError(number, f"me of {action.name} is {span}, not {me}", f"{action.name} の me は {span}。{me} は不可")
    names = [p.name for p in action.params]
    if sorted(args) != sorted(names):
        raise LogError(number, f"{action.name} takes {', '.join(names) or 'nothing'}", f"{action.name} の引数は {', '.join(names) or 'なし'}")
    return Move(action.name, me, tuple(_value(p, args[p.name], number) for p in action.params))


def _value(param: Param, value: Any, number: int) -> int:
    if param.labels is not None and value in param.labels.labels:
        return param.labels[value]
    if type(value) is int and value in param.values:
        return value
    known = ", ".join(param.labels.labels) if param.labels else f"{param.values[0]}..{param.values[-1]}"
    raise LogError(number, f"{param.name} is one of {known}, not {value!r}", f"{param.name} は {known} のどれか。{value!r} は不可")
