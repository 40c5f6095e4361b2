"""Moves as short texts: a grammar over the actions of a rule set prints them and reads them alike.

A move is who moves (``1:``, left out for chance, and on input wherever only one player can be meant),
a verb, and what the verb needs, in order. Case and full width do not matter. What an action has
beyond the pieces of its verb is said as ``name=value``.

The ``table`` of a game is what its pieces need; ``OfCard`` asks for its ``names`` and ``setting.catalogue``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, Protocol

from monjudge.model.language import NATURE, Action, Move, Param, RuleSet, State, evaluate
from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.reading import fold, meant
from monjudge.model.notation.sentence import Sentence

__all__ = ["Counted", "Grammar", "OfCard", "OneOf", "Piece", "Spoken", "Tagged", "Verb", "card_of", "named"]


@dataclass
class Spoken:
    """A text being read as a move: its words with where they stand, and the arguments found so far."""

    text: str
    table: Any
    rules: RuleSet
    state: State
    words: list[tuple[str, int]]
    here: int = 0
    found: dict[str, int] = field(default_factory=dict)
    at: dict[str, int] = field(default_factory=dict)
    less: dict[str, int] = field(default_factory=dict)
    """By parameter: which word gave it, and by how much the word is larger."""

    @property
    def word(self) -> str:
        return self.words[self.here][0] if self.here < len(self.words) else ""

    def take(self) -> str:
        self.here += 1
        return self.words[self.here - 1][0]

    def beyond(self, param: Param) -> NoReturn:
        """Raises DataError: the word that gave this parameter is outside what the model can say."""
        less = self.less.get(param.name, 0)
        low, high = param.values[0] - less, param.values[-1] - less
        self.here = self.at.get(param.name, self.here)
        self.fail(f"{param.name} {low}..{high}", f"{param.name}（{low}～{high}）", "out-of-range")

    def fail(self, en: str, ja: str, code: str = "unreadable-move") -> NoReturn:
        """Raises DataError: what was read at which character, and what would do."""
        word, at = self.words[self.here] if self.here < len(self.words) else ("", len(self.text))
        read_en, read_ja = (repr(word), f"「{word}」") if word else ("the end", "終わり")
        text = Sentence(f"character {at + 1}: {read_en}, where {en} would do", f"{at + 1}文字目：{read_ja}。ここに書けるのは{ja}")
        raise DataError([Defect("", text, code, Place(1, at + 1, max(1, len(word))))])


class Piece(Protocol):
    """A part of a move: the parameters it speaks of, its words, and how they are read."""

    @property
    def params(self) -> tuple[str, ...]: ...

    def words(self, args: Mapping[str, int], table: Any) -> Iterator[str]: ...

    def read(self, spoken: Spoken) -> None: ...


@dataclass(frozen=True)
class Verb:
    """How an action is said: its verb, other verbs that are read for it, and its pieces in order."""

    word: str
    pieces: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class OfCard:
    """A card of the catalogue."""

    param: str = "card"

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Any) -> Iterator[str]:
        yield table.names.word(table.setting.catalogue.cards[args[self.param]])

    def read(self, spoken: Spoken) -> None:
        spoken.found[self.param] = _number(spoken, card_of(spoken))


def card_of(spoken: Spoken) -> Any:
    """The card of the next words: the longest run of up to four that is a name."""
    if not spoken.word:
        spoken.fail("a card", "カード", "unreadable-card")
    for length in (4, 3, 2, 1):
        words = [word for word, _ in spoken.words[spoken.here : spoken.here + length]]
        try:
            card = spoken.table.names.card(" ".join(words))
        except DataError as error:
            if length == 1:
                word, at = spoken.words[spoken.here]
                place = Place(1, at + 1, len(word))
                raise DataError([replace(error.defects[0], place=place)]) from None
            continue
        spoken.here += length
        return card
    raise AssertionError("the last try returns or raises")


def _number(spoken: Spoken, card: Any) -> int:
    catalogue = spoken.table.setting.catalogue
    if card not in set(catalogue.cards):
        spoken.here -= 1
        word = spoken.table.names.word(card)
        spoken.fail(f"a card of this position; {word} lies nowhere in it,", f"この局面にあるカード（{word}はどこにもない）", "card-not-there")
    return int(catalogue[card])


def _whole(spoken: Spoken, en: str, ja: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4}", spoken.word):
        spoken.fail(en, ja)
    return int(spoken.take())


@dataclass(frozen=True)
class Counted:
    """A number; people count from 1 where ``less`` is -1."""

    param: str
    less: int = -1

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Any) -> Iterator[str]:
        yield str(args[self.param] - self.less)

    def read(self, spoken: Spoken) -> None:
        spoken.at[self.param], spoken.less[self.param] = spoken.here, self.less
        spoken.found[self.param] = _whole(spoken, "a number", "数") + self.less


@dataclass(frozen=True)
class OneOf:
    """A word for a value; ``first`` is the value of the first word, ``ja`` the words that are read in Japanese."""

    param: str
    labels: Sequence[str]
    first: int = 0
    ja: Sequence[str] = ()

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Any) -> Iterator[str]:
        yield self.labels[args[self.param] - self.first]

    def read(self, spoken: Spoken) -> None:
        for words in (self.labels, self.ja):
            for n, label in enumerate(words):
                if fold(label) == fold(spoken.word):
                    spoken.found[self.param] = n + self.first
                    spoken.take()
                    return
        spoken.fail(" or ".join(self.labels), "、".join(self.ja or self.labels))


@dataclass(frozen=True)
class Tagged:
    """Something that is said only where it is not ``otherwise``, after a word of its own; without pieces, the word alone."""

    tag: str
    pieces: tuple[Piece, ...] = ()
    param: str = ""
    otherwise: int = 0
    needed: bool = False

    @property
    def params(self) -> tuple[str, ...]:
        return tuple(p for piece in self.pieces for p in piece.params) or (self.param,)

    def words(self, args: Mapping[str, int], table: Any) -> Iterator[str]:
        if self.needed or args.get(self.params[0], self.otherwise) != self.otherwise:
            yield self.tag
            for piece in self.pieces:
                yield from piece.words(args, table)

    def read(self, spoken: Spoken) -> None:
        if fold(spoken.word) != self.tag:
            if self.needed:
                spoken.fail(self.tag, self.tag)
            for param in self.params:
                spoken.found.setdefault(param, self.otherwise)
            return
        spoken.take()
        if not self.pieces:
            spoken.found[self.param] = 1
        for piece in self.pieces:
            piece.read(spoken)


@dataclass(frozen=True)
class Grammar:
    """How the moves of a game are said. Raises DataError from ``read``: at which character what would do.

    Where several actions have the verb, ``chosen`` says which is meant; ``waiting`` are the players of whom
    an action can be that says of nobody whose it is. ``verbs`` are those of all positions.
    """

    verb: Callable[[Action], Verb]
    chosen: Callable[[list[Action], Spoken], Action] = lambda fitting, spoken: fitting[0]
    waiting: Callable[[RuleSet, State], Sequence[int]] = lambda rules, state: ()
    verbs: Collection[Verb] = ()

    def text(self, rules: RuleSet, table: Any, move: Move) -> str:
        """The canonical text of a move."""
        action, args = rules.by_name[move.action], named(rules, move)
        verb = self.verb(action)
        words = [verb.word, *(word for piece in verb.pieces if _there(action, piece) for word in piece.words(args, table))]
        words += [f"{p.name}={args[p.name]}" for p in _rest(action, verb)]
        return " ".join(words) if move.me == NATURE else f"{move.me + 1}:{' '.join(words)}"

    def read(self, rules: RuleSet, state: State, table: Any, text: str) -> Move:
        """The move of a text."""
        plain = unicodedata.normalize("NFKC", text)[:400]
        head = re.match(r"\s*(?:([^\s:]{1,12})\s*:)?\s*", plain)
        assert head is not None
        words = [(found[0], found.start()) for found in re.finditer(r"\S+", plain[head.end() :])]
        spoken = Spoken(plain, table, rules, state, [(word, at + head.end()) for word, at in words])
        player = _player(head[1], rules.players, spoken)
        action = self._action(spoken)
        verb = self.verb(action)
        for piece in verb.pieces:
            if _there(action, piece):
                piece.read(spoken)
        for param in _rest(action, verb):
            _named(spoken, param)
        if spoken.here < len(spoken.words):
            spoken.fail("the end", "終わり")
        for param in action.params:
            if spoken.found[param.name] not in param.values:
                spoken.beyond(param)
        return Move(action.name, self._mover(action, player, spoken), tuple(spoken.found[p.name] for p in action.params))

    def _action(self, spoken: Spoken) -> Action:
        word, actions = fold(spoken.word), spoken.rules.actions
        fitting = [a for a in actions if word in map(fold, (self.verb(a).word, *self.verb(a).also))]
        if not fitting and any(word in map(fold, (verb.word, *verb.also)) for verb in self.verbs):
            spoken.fail("a verb of this position (it lacks the cards, the mode or the reading for this one)",
                        "この局面で使える動詞（この動詞に要るカード、モード、読み方がない）", "no-part")  # fmt: skip
        if not fitting:
            en, ja = meant(word, dict.fromkeys(self.verb(a).word for a in actions), "one of", "次のどれか")
            spoken.fail(f"a verb{en.replace('; ', ', ')}", f"動詞{ja}")
        spoken.take()
        return self.chosen(fitting, spoken) if len(fitting) > 1 else fitting[0]

    def _mover(self, action: Action, player: int | None, spoken: Spoken) -> int:
        if action.is_chance:
            return NATURE
        if player is not None:
            return player
        if action.by is not None:
            return evaluate(action.by, spoken.state, offset=spoken.rules.offset)
        waiting = self.waiting(spoken.rules, spoken.state)
        if len(waiting) != 1:
            spoken.here, spoken.words = 0, spoken.words[:1]
            spoken.fail(f"the player in front: 1:{spoken.text.strip()}", f"先頭に誰の手か（1:{spoken.text.strip()}）", "whose-move")
        return waiting[0]


def named(rules: RuleSet, move: Move) -> dict[str, int]:
    """The arguments of a move by parameter."""
    return {p.name: n for p, n in zip(rules.by_name[move.action].params, move.args, strict=True)}


def _rest(action: Action, verb: Verb) -> list[Param]:
    """The parameters for which the verb has no piece."""
    said = {param for piece in verb.pieces for param in piece.params}
    return [p for p in action.params if p.name not in said]


def _there(action: Action, piece: Piece) -> bool:
    """Whether the action has the parameters of a piece under the readings of this position."""
    return {p.name for p in action.params}.issuperset(piece.params[:1])


def _player(word: str | None, players: int, spoken: Spoken) -> int | None:
    if word is None:
        return None
    seats = {str(p + 1): p for p in range(players)} | {"先手": 0, "後手": 1, "先攻": 0, "後攻": 1}
    if fold(word) not in seats:
        spoken.words, spoken.here = [(word, 0)], 0
        spoken.fail(f"a player, 1..{players},", f"プレイヤー（1～{players}）")
    return seats[fold(word)]


def _named(spoken: Spoken, param: Param) -> None:
    """``name=value`` for what has no words of its own."""
    found = re.fullmatch(rf"{param.name}=(-?[0-9]{{1,4}})", spoken.word)
    if not found:
        spoken.fail(f"{param.name}={param.values[0]}..{param.values[-1]}", f"{param.name}={param.values[0]}～{param.values[-1]}")
    spoken.take()
    spoken.found[param.name] = int(found[1])
