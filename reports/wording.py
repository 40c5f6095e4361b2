"""What the engines find, put into the words of a game: moves, moves that are known in part, broken rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from monjudge.model.language import Action, Move
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.answers.answer import ClauseWords, MoveWords
from monjudge.reports.answers.moves import Group
from monjudge.reports.answers.why import Broken
from monjudge.solvers.legality import Fact, Failure, Judgement

if TYPE_CHECKING:
    from monjudge.solvers.observed import Seen

__all__ = ["broken", "granted", "grouped", "move_words", "seen_words", "title", "told"]

_SIGNS = re.compile("「[^」]*」|.")
"""The parts of a Japanese sentence: a quoted name stays whole."""

MASKED = 3_000
"""So many moves are put into words to find out what they share."""


def title(action: Action) -> Sentence:
    """What an action is called."""
    return Sentence(action.en or action.name, action.ja or action.name)


def move_words(here: Position, move: Move) -> MoveWords:
    """The move in notation and as a sentence, in a settled position."""
    return MoveWords(here.kit.move_text(here, move), here.kit.said(here, move), move.action, move.me)


def seen_words(here: Position, seen: Seen) -> MoveWords:
    """A move as far as it is known; what is not known of it is ``?``."""
    if seen.move is not None:
        return move_words(here, seen.move)
    # Every value that an unknown parameter can have at all: what their words share says nothing about it.
    action = here.rules.by_name[seen.action]
    spans: list[Sequence[int]] = [p.values if n is None else (n,) for p, n in zip(action.params, seen.args, strict=True)]
    if not 1 < prod(map(len, spans)) <= MASKED:
        who, what = here.kit.player(here, seen.me), title(action)
        said = Sentence(f"{who.en}: {what.en} (?)", f"{who.ja}：{what.ja}（?）")
        return MoveWords(f"{seen.me + 1}:{seen.action} ?", said, seen.action, seen.me)
    every = [move_words(here, Move(seen.action, seen.me, args)) for args in product(*spans)]
    said = Sentence(" ".join(_shared([w.said.en.split() for w in every])), "".join(_shared([_SIGNS.findall(w.said.ja) for w in every])))
    return MoveWords(" ".join(_shared([w.text.split() for w in every])), said, seen.action, seen.me)


def _shared(texts: Sequence[Sequence[str]]) -> list[str]:
    """What all the texts begin and end with, and a question mark for what lies between.

    >>> _shared(["lay F2 left".split(), "lay Tide Caller left".split()])
    ['lay', '?', 'left']
    """
    first, shortest = texts[0], min(map(len, texts))
    begin = next((n for n in range(shortest) if any(text[n] != first[n] for text in texts)), shortest)
    most = shortest - begin
    end = next((n for n in range(most) if any(text[-1 - n] != first[-1 - n] for text in texts)), most)
    return [*first[:begin], "?", *first[len(first) - end :]]


def grouped(here: Position, words: Iterable[tuple[str, bool, MoveWords]]) -> Iterator[Group]:
    """Moves by action, those that are certain apart from those that are not; each comes with its action and whether it is."""
    found: dict[tuple[str, bool], list[MoveWords]] = {}
    for action, certain, move in words:
        found.setdefault((action, certain), []).append(move)
    for (name, certain), moves in found.items():
        action_of = here.rules.by_name[name]
        yield Group(name, title(action_of), granted(action_of), tuple(moves), certain)


def granted(action: Action) -> tuple[ClauseWords, ...]:
    """The rules that a legal move of this action satisfies."""
    return tuple(ClauseWords.of(c) for c in action.clauses if c.kind == "rule")


def broken(here: Position, judged: Judgement) -> tuple[Broken, ...]:
    """The rules that a move breaks, with what there is instead, as far as the game has words for it."""
    def facts(failure: Failure) -> Iterable[Fact]:
        return dict.fromkeys(fact for finding in failure.findings for fact in finding.facts)

    return tuple(Broken(ClauseWords.of(f.clause), f.findings, tuple(told(here, facts(f)))) for f in judged.failures)


def told(here: Position, facts: Iterable[tuple[str, tuple[int, ...], int]]) -> Iterator[Sentence]:
    """Facts - the name of a field or table, the indices, the value - as far as the game has words for them, each sentence once."""
    said = (here.kit.fact(here, name, at, value) for name, at, value in facts)
    yield from dict.fromkeys(sentence for sentence in said if sentence is not None)
