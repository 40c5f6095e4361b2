"""What is settled about a question so far, in a form that can be written down and taken up again.

For each number of turns: of the whole question, or of single first moves. Only "yes" and "no" are written down, never
what a limit left open; so what is missing is searched, and no "no" ever rests on a part that nobody looked at.

>>> ledger = Ledger("question")
>>> ledger.settle(1, Verdict.NO)
>>> Ledger.from_json(ledger.to_json()).whole
{1: <Verdict.NO: 'no'>}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from monjudge.model.language import Move, State, print_expr
from monjudge.model.language.export import content_hash
from monjudge.solvers.cache import key
from monjudge.solvers.forced.search import Search
from monjudge.solvers.verdict import Sentence, Verdict

__all__ = ["EVER", "FORMAT", "Damaged", "Ledger", "Tried", "question_of", "sealed", "unsealed"]

FORMAT = "monjudge-resume/1"

EVER = 0
"""Stands for any number of turns."""


class Damaged(ValueError):
    """A text that is no ledger, or was changed; ``text`` says so in both languages."""

    def __init__(self, en: str, ja: str) -> None:
        self.text = Sentence(en, ja)
        super().__init__(en)


class Tried(NamedTuple):
    """A first move that is settled, with a line of play after it: how it wins, or what refutes it."""

    verdict: Verdict
    line: tuple[Move, ...] = ()


def question_of(search: Search, state: State) -> str:
    """A hash of what is asked but for the number of turns: the rules, the position, the goal, whose it is; and of this code."""
    return key("forced", content_hash(search.rules), list(state), print_expr(search.goal), search.player)


@dataclass
class Ledger:
    """Settled parts of one question (see ``question_of``)."""

    question: str
    whole: dict[int, Verdict] = field(default_factory=dict)
    moves: dict[int, dict[Move, Tried]] = field(default_factory=dict)

    def settle(self, turns: int, verdict: Verdict) -> None:
        """Of all first moves; anything but yes and no is not settled."""
        if verdict in (Verdict.YES, Verdict.NO):
            self.whole[turns] = verdict

    def settle_move(self, turns: int, move: Move, tried: Tried) -> None:
        """Of one first move, likewise."""
        if tried.verdict in (Verdict.YES, Verdict.NO):
            self.moves.setdefault(turns, {})[move] = tried

    def add(self, others: Iterable[Ledger]) -> None:
        """What others have settled. Raises Damaged for another question, or where two say the opposite."""
        for other in others:
            if other.question != self.question:
                raise Damaged("it is about another question, other rules or another version", "別の問い、別のルール、または別の版についてのもの")
            for turns, verdict in other.whole.items():
                if self.whole.setdefault(turns, verdict) is not verdict:
                    raise Damaged("two files say the opposite", "二つのファイルの内容が矛盾している")
            for turns, moves in other.moves.items():
                for move, tried in moves.items():
                    if self.moves.setdefault(turns, {}).setdefault(move, tried).verdict is not tried.verdict:
                        raise Damaged("two files say the opposite", "二つのファイルの内容が矛盾している")

    def to_json(self) -> str:
        """One JSON document, sealed with a hash of itself."""
        data = {
            "schema": FORMAT, "question": self.question,
            "whole": [[turns, str(verdict)] for turns, verdict in sorted(self.whole.items())],
            "moves": [
                [turns, _written(move), str(tried.verdict), [_written(m) for m in tried.line]]
                for turns, moves in sorted(self.moves.items()) for move, tried in moves.items()
            ],
        }  # fmt: skip
        return sealed(data)

    @staticmethod
    def from_json(text: str | bytes) -> Ledger:
        """The ledger of a text. Raises Damaged."""
        try:
            data = unsealed(text, FORMAT)
            found = Ledger(data["question"], {int(turns): _settled(verdict) for turns, verdict in data["whole"]})
            for turns, move, verdict, line in data["moves"]:
                found.settle_move(int(turns), _read(move), Tried(_settled(verdict), tuple(map(_read, line))))
        except (ValueError, OverflowError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Damaged("it was not written to be resumed, or it is damaged", "再開用のファイルでないか、壊れている") from error
        return found


def sealed(data: Mapping[str, Any]) -> str:
    """JSON with a hash of itself, in one line."""
    return json.dumps({**data, "seal": _seal(data)}, sort_keys=True) + "\n"


def unsealed(text: str | bytes, schema: str) -> dict[str, Any]:
    """The data of such a text. Raises ValueError, KeyError, TypeError or AttributeError for what is none of the schema, or was changed."""
    data: dict[str, Any] = json.loads(text)
    seal = data.pop("seal")
    if data["schema"] != schema or seal != _seal(data):
        raise ValueError
    return data


def _seal(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode("ascii")).hexdigest()


def _written(move: Move) -> list[Any]:
    return [move.action, move.me, *move.args]


def _read(data: Any) -> Move:
    action, me, *args = data
    return Move(str(action), int(me), tuple(map(int, args)))


def _settled(text: str) -> Verdict:
    verdict = Verdict(text)
    if verdict not in (Verdict.YES, Verdict.NO):
        raise ValueError(text)
    return verdict
