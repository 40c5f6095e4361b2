"""Goals by name, with what they are about: ``win``, ``deal:5``, or a condition of the rule language.

A game declares goals in its rule set, and kinds of goals that take a word (``destroy:CARD``) for its kit.
A goal is a condition on states: it is reached in the first state in which it holds.

>>> from monjudge.model.games import kit
>>> here = kit("nim").deal()
>>> read_goal(here, "win", 0).said.en
'take the last counter'
>>> read_goal(here, "heap[0] == 0", 0).text
'heap[0] == 0'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from monjudge.model.language import Expr, Scope, parse_expr
from monjudge.model.language.tokens import TextError
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence

__all__ = ["Goal", "GoalKind", "condition", "number_of", "read_goal", "unfit", "words_of"]


@dataclass(frozen=True)
class Goal:
    """What a player wants: how it is written, when it holds, what it is called.

    ``at_end``: it can hold only when the turns asked about are over, so that fewer need not be tried.
    """

    text: str
    when: Expr
    said: Sentence
    at_end: bool = False


@dataclass(frozen=True)
class GoalKind:
    """A kind of goals: ``word`` is what stands behind the colon (empty: nothing does), ``make`` reads it.

    ``make(position, word, player, turns)`` raises DataError for a word that will not do.
    """

    name: str
    word: str
    said: Sentence
    make: Callable[[Position, str, int, int | None], Goal]

    @property
    def written(self) -> str:
        return f"{self.name}:{self.word}" if self.word else self.name


def words_of(position: Position, player: int, kinds: Sequence[GoalKind] = ()) -> Mapping[str, Sentence]:
    """The goals that a player (from 0) may have, as they are written, with what each means."""
    declared = {g.name: Sentence(g.en or g.name, g.ja or g.name) for g in position.rules.goals if g.player == player}
    return declared | {kind.written: kind.said for kind in kinds}


def read_goal(
    position: Position, text: str, player: int, turns: int | None = None, kinds: Sequence[GoalKind] = ()
) -> Goal:
    """The goal of a text: one that the rules declare, one of the kinds, or a condition. Raises DataError."""
    text = text.strip()
    for goal in position.rules.goals:
        if (goal.name, goal.player) == (text, player):
            return Goal(text, goal.when, Sentence(goal.en or text, goal.ja or text))
    name, _, word = text.partition(":")
    kind = next((k for k in kinds if k.name == name.strip()), None)
    if kind is not None:
        if bool(word.strip()) != bool(kind.word):
            raise unfit(f"this goal is written {kind.written}", f"この目標は {kind.written} と書く")
        return kind.make(position, word.strip(), player, turns)
    return _condition(position, text, words_of(position, player, kinds), is_name=name.strip().replace("-", "_").isidentifier())


def _condition(position: Position, text: str, known: Mapping[str, Sentence], *, is_name: bool) -> Goal:
    names = ", ".join(known)
    try:
        when = condition(position, text)
    except TextError as error:
        if is_name:
            raise unfit(f"there is no goal {text!r}; goals: {names}, or a condition of the rule language",
                        f"「{text}」という目標はない。目標：{names}、またはルール言語の条件") from error  # fmt: skip
        raise unfit(f"the condition cannot be read: {error}; goals by name: {names}",
                    f"条件が読めない（{error.line}行{error.column}字目：{error.ja}）。名前のある目標：{names}") from error  # fmt: skip
    if not when.is_bool or when.free:
        raise unfit(f"{text!r} is no condition on states; goals: {names}", f"「{text}」は局面についての条件でない。目標：{names}")
    return Goal(text, when, Sentence(text, text))


def condition(position: Position, text: str) -> Expr:
    """The expression that a text means in the rules of a position; players count from 0 there. Raises TextError."""
    return parse_expr(text, Scope.of(position.rules))


def number_of(word: str, lowest: int = 1) -> int:
    """A whole number that stands behind the colon. Raises DataError."""
    if not word.isdecimal() or len(word) > 6 or int(word) < lowest:
        raise unfit(f"a whole number from {lowest} on stands there, not {word!r}", f"{lowest}以上の整数を書く。{word!r}は不可")
    return int(word)


def unfit(en: str, ja: str) -> DataError:
    """A goal that will not do, and why."""
    return DataError([Defect("--goal", Sentence(en, ja), "unknown-word")])
