"""The notation of moves: one short line each, ``1:summon SLINGER L pay L2``, and back.

A move is who moves (left out for chance, and on input wherever only one player can be meant),
a verb, and what the verb needs, in order. Case, full width and the aliases of cards do not matter.

```
draw | mulligan | middle W11 | end | mana F3 L [down] | attack W4 C [down] | defence F8 L
summon TIDE_CALLER pair|number [in L] [down]        summon SLINGER L pay L2 [counting L] [down]
boss pay L3          boss-stay L pay L5             spend L 2            show L 2
skill TIDE_CALLER 1 [L [of 2]] [pay L1C1]             skill-summon WYRMLING L from L 2
laser C | gravity | recycle 1 | tea F3 for W4 | ritual [with F3] [on L] | flame AL | castle | trap | guard-back DL
strike AL [on 2] | take-on AL | stop | extra-heal C | guard DC | bonus F+6 | heal W+3 C | kill FK AL | pass | pick LAMPLIGHTER
chance: drawn F3 | turn-up B22 | roll 4 | lot 2 | equipment TINKER | mix CHOIR
```

Columns are L C R, payments name the number of mana from each; mana of a column are counted from
the bottom, skills of a card and places outside the board from 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn, Protocol

from monjudge.model.language import NATURE, Action, Move, Param, RuleSet, State, evaluate
from monjudge.model.monjan.battle import GUARD
from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.match import COLUMN, PHASE, SOURCE
from monjudge.model.monjan.notation.position import Table
from monjudge.model.monjan.notation.words import COLUMN_WORD
from monjudge.model.notation.defects import DataError, Defect, Place
from monjudge.model.notation.reading import fold, meant
from monjudge.model.notation.sentence import Sentence

__all__ = ["AT_ANOTHER", "AT_ONESELF", "SPELLED", "Spoken", "effect_of", "named", "print_move", "read_move", "third_part"]


@dataclass
class Spoken:
    """A text being read as a move: its words with where they stand, and the arguments found so far."""

    text: str
    table: Table
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

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]: ...

    def read(self, spoken: Spoken) -> None: ...


def _column(spoken: Spoken) -> int:
    name = next((n for n in (*COLUMN_WORD.words, *COLUMN_WORD.aliases) if fold(n) == fold(spoken.word)), "")
    if not name:
        spoken.fail("a column, L C or R,", "列（L、C、R）")
    spoken.take()
    return COLUMN[COLUMN_WORD.aliases.get(name, name)]


def _whole(spoken: Spoken, en: str, ja: str) -> int:
    if not re.fullmatch("-?[0-9]{1,4}", spoken.word):
        spoken.fail(en, ja)
    return int(spoken.take())


@dataclass(frozen=True)
class OfCard:
    """A card of the catalogue."""

    param: str = "card"

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield table.names.word(table.setting.catalogue.cards[args[self.param]])

    def read(self, spoken: Spoken) -> None:
        spoken.found[self.param] = _number(spoken, _card(spoken))


def _card(spoken: Spoken) -> Card:
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


def _number(spoken: Spoken, card: Card) -> int:
    catalogue = spoken.table.setting.catalogue
    if card not in set(catalogue.cards):
        spoken.here -= 1
        word = spoken.table.names.word(card)
        spoken.fail(f"a card of this position; {word} lies nowhere in it,", f"この局面にあるカード（{word}はどこにもない）", "card-not-there")
    return catalogue[card]


@dataclass(frozen=True)
class OfColumn:
    """A column; ``less`` is what its number is smaller by than the parameter."""

    param: str = "column"
    less: int = 0

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield COLUMN.labels[args[self.param] - self.less]

    def read(self, spoken: Spoken) -> None:
        spoken.found[self.param] = _column(spoken) + self.less


@dataclass(frozen=True)
class Counted:
    """A number; people count from 1 where ``less`` is -1."""

    param: str
    less: int = -1

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield str(args[self.param] - self.less)

    def read(self, spoken: Spoken) -> None:
        spoken.at[self.param], spoken.less[self.param] = spoken.here, self.less
        spoken.found[self.param] = _whole(spoken, "a number", "数") + self.less


@dataclass(frozen=True)
class OneOf:
    """A word for a value; ``first`` is the value of the first word."""

    param: str
    labels: Sequence[str]
    first: int = 0

    @property
    def params(self) -> tuple[str, ...]:
        return (self.param,)

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        yield self.labels[args[self.param] - self.first]

    def read(self, spoken: Spoken) -> None:
        for n, label in enumerate(self.labels):
            if fold(label) == fold(spoken.word):
                spoken.found[self.param] = n + self.first
                spoken.take()
                return
        spoken.fail(" or ".join(self.labels), "、".join(self.labels))


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

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
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


AT_ONESELF, AT_ANOTHER = ("heal", "return", "revive"), ("damage", "destroy")
"""The effects of skills that have a column as their object, one's own or another player's."""


def effect_of(args: Mapping[str, int], table: Table) -> str:
    """What the skill of a move does; none where the card has no such skill."""
    skills = table.setting.catalogue.cards[args["card"]].skills
    return skills[args["skill"]].effect if args["skill"] < len(skills) else "none"


@dataclass(frozen=True)
class Aim:
    """The column at which a skill is aimed, and of whom where several could be meant; nothing where it has no object."""

    params = ("target", "at")

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        effect = effect_of(args, table)
        if args["target"] or effect in (*AT_ONESELF, *AT_ANOTHER):
            yield COLUMN.labels[args["target"]]
        if "at" in args and (args["at"] or effect in AT_ANOTHER):
            yield "of"
            yield str(args["at"] + 1)

    def read(self, spoken: Spoken) -> None:
        aimed = effect_of(spoken.found, spoken.table) in (*AT_ONESELF, *AT_ANOTHER)
        there = any(fold(name) == fold(spoken.word) for name in (*COLUMN_WORD.words, *COLUMN_WORD.aliases))
        spoken.found["target"] = _column(spoken) if there or aimed else 0
        spoken.found["at"] = 0
        if fold(spoken.word) == "of":
            spoken.take()
            Counted("at").read(spoken)


@dataclass(frozen=True)
class Paid:
    """``pay L2C1``: how many mana come from each column; the cost is fixed, or printed on the card."""

    cost: int = 0

    params = ("left", "centre")

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        amounts = (args["left"], args["centre"], third_part(self.cost, args, table))
        text = "".join(f"{name}{n}" for name, n in zip(COLUMN.labels, amounts, strict=True) if n)
        if text:
            yield "pay"
            yield text

    def read(self, spoken: Spoken) -> None:
        amounts = dict.fromkeys(COLUMN.labels, 0)
        if fold(spoken.word) in ("pay", "払う"):
            spoken.take()
            text = spoken.word.upper().replace("M", "C").replace(",", "")
            parts = re.findall(r"([LCR左中右])(-?[0-9]{1,2})", text)
            if "".join(map("".join, parts)) != text or not parts or len({column for column, _ in parts}) < len(parts):
                spoken.fail("a payment such as L2C1", "L2C1 のような支払い")
            amounts |= {COLUMN_WORD.aliases.get(column, column): int(n) for column, n in parts}
        cost, paid = _cost(self.cost, spoken.found, spoken.table), sum(amounts.values())
        if cost != paid:
            spoken.fail(f"a payment of {cost} mana, such as {'pay L' + str(cost) if cost else 'none'}, and not of {paid},",
                        f"{cost}マナの支払い（{'pay L' + str(cost) if cost else 'なし'}）。{paid}マナではない", "wrong-payment")  # fmt: skip
        if amounts["L"] or amounts["C"] or amounts["R"]:
            spoken.take()
        spoken.found |= {"left": amounts["L"], "centre": amounts["C"]}


def _cost(fixed: int, args: Mapping[str, int], table: Table) -> int:
    if fixed or "card" not in args:
        return fixed
    card = table.setting.catalogue.cards[args["card"]]
    if "skill" in args:
        return card.skills[args["skill"]].release if args["skill"] < len(card.skills) else 0
    return card.cost


def third_part(fixed: int, args: Mapping[str, int], table: Table) -> int:
    """What a payment takes from the right, which is what the left and the centre leave of the cost."""
    return _cost(fixed, args, table) - args["left"] - args["centre"]


@dataclass(frozen=True)
class Counting:
    """``counting LC``: the columns whose bottom Elements are counted although they need not be (A101)."""

    params = ("count_left", "count_centre", "count_right")

    def words(self, args: Mapping[str, int], table: Table) -> Iterator[str]:
        text = "".join(name for name, param in zip(COLUMN.labels, self.params, strict=True) if args.get(param))
        if text:
            yield "counting"
            yield text

    def read(self, spoken: Spoken) -> None:
        text = ""
        if fold(spoken.word) == "counting":
            spoken.take()
            text = spoken.word.upper().replace("M", "C")
            if not re.fullmatch("[LCR]{1,3}", text):
                spoken.fail("columns such as LC", "LC のような列")
            spoken.take()
        spoken.found |= {param: int(name in text) for name, param in zip(COLUMN.labels, self.params, strict=True)}


@dataclass(frozen=True)
class Verb:
    """How an action is said: its verb, other verbs that are read for it, and its pieces in order."""

    word: str
    pieces: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()


_DOWN = Tagged("down", param="down")
_CARD, _COL = OfCard(), OfColumn()
_FIELDS = OneOf("by", GUARD.labels)
SKILL_PIECES: tuple[Piece, ...] = (_CARD, Counted("skill"), Aim(), Paid(), Counting())

SPELLED: Mapping[str, Verb] = {
    "pick": Verb("pick", (_CARD,), ("選ぶ",)),
    "draw_equipment": Verb("equipment", (_CARD,)),
    "mix_in": Verb("mix", (_CARD,)),
    "draw": Verb("draw", (), ("ドロー", "引く")),
    "middle": Verb("middle", (_CARD,), ("中央",)),
    "end": Verb("end", (), ("エンド", "終了")),
    "mana": Verb("mana", (_CARD, _COL, _DOWN), ("マナ",)),
    "attack": Verb("attack", (_CARD, _COL, _DOWN), ("攻撃", "atk")),
    "defence": Verb("defence", (_CARD, _COL), ("防御", "defense", "def")),
    "extra": Verb("summon", (_CARD, OneOf("by", ("pair", "number"), 1), Tagged("in", (OfColumn("at", 1),)), _DOWN), ("召喚",)),
    "toughness": Verb("summon", (_CARD, _COL, Paid(), Counting(), _DOWN), ("召喚",)),
    "boss": Verb("boss", (Paid(3), Counting()), ("ボス",)),
    "boss_stay": Verb("boss-stay", (_COL, Paid(5), Counting()), ("永続ボス",)),
    "turn_up": Verb("turn-up", (_CARD,)),
    "spend": Verb("spend", (_COL, Counted("slot"))),
    "show": Verb("show", (_COL, Counted("slot"))),
    "draw_card": Verb("drawn", (_CARD,)),
    "laser": Verb("laser", (_COL,), ("レーザー",)),
    "gravity": Verb("gravity", (), ("グラビティ",)),
    "recycle": Verb("recycle", (Counted("slot"),), ("リサイクル",)),
    "tea": Verb("tea", (OfCard("give"), Tagged("for", (OfCard("take"),), needed=True)), ("茶会",)),
    "ritual": Verb("ritual", (Tagged("with", (_CARD,)), Tagged("on", (OfColumn("field"),), needed=True)), ("儀式",)),
    "flame": Verb("flame", (_FIELDS,), ("炎",)),
    "castle": Verb("castle", (), ("一夜城",)),
    "trap": Verb("trap", (), ("トラップ",)),
    "guard_back": Verb("guard-back", (_FIELDS,)),
    "roll": Verb("roll", (Counted("face", 0),)),
    "lot": Verb("lot", (Counted("player"),)),
    "summon_by_skill": Verb("skill-summon", (_CARD, _COL, Tagged("from", (OfColumn("from"), Counted("slot")), needed=True))),
    "edit_skill": Verb("skill", SKILL_PIECES, ("スキル",)),
    "battle_skill": Verb("skill", SKILL_PIECES, ("スキル",)),
    "strike": Verb("strike", (OneOf("source", SOURCE.labels), Tagged("on", (Counted("target"),), needed=True))),
    "take_on": Verb("take-on", (OneOf("source", SOURCE.labels),)),
    "mulligan": Verb("mulligan", (), ("引き直し",)),
    "stop": Verb("stop"),
    "extra_heal": Verb("extra-heal", (_COL,)),
    "guard": Verb("guard", (_FIELDS,), ("ガード",)),
    "bonus": Verb("bonus", (_CARD,), ("プラス",)),
    "heal": Verb("heal", (_CARD, _COL), ("回復",)),
    "kill": Verb("kill", (_CARD, OneOf("at", SOURCE.labels)), ("キル",)),
    "pass": Verb("pass", (), ("パス",)),
}
"""How every action is said; what an action has beyond that is said as ``name=value``."""


def named(rules: RuleSet, move: Move) -> dict[str, int]:
    """The arguments of a move by parameter."""
    return {p.name: n for p, n in zip(rules.by_name[move.action].params, move.args, strict=True)}


def _verb(action: str) -> Verb:
    return SPELLED.get(action, Verb(action.replace("_", "-")))


def _rest(action: Action, verb: Verb) -> list[Param]:
    """The parameters for which the verb has no piece."""
    said = {param for piece in verb.pieces for param in piece.params}
    return [p for p in action.params if p.name not in said]


def print_move(rules: RuleSet, table: Table, move: Move) -> str:
    """The canonical text of a move."""
    action, args = rules.by_name[move.action], named(rules, move)
    verb = _verb(move.action)
    words = [verb.word, *(word for piece in verb.pieces if _there(action, piece) for word in piece.words(args, table))]
    words += [f"{p.name}={args[p.name]}" for p in _rest(action, verb)]
    return " ".join(words) if move.me == NATURE else f"{move.me + 1}:{' '.join(words)}"


def _there(action: Action, piece: Piece) -> bool:
    """Whether the action has the parameters of a piece under the readings of this position."""
    return {p.name for p in action.params}.issuperset(piece.params[:1])


def read_move(rules: RuleSet, state: State, table: Table, text: str) -> Move:
    """The move of a text. Raises DataError: at which character what would do."""
    plain = unicodedata.normalize("NFKC", text)[:400]
    head = re.match(r"\s*(?:([^\s:]{1,12})\s*:)?\s*", plain)
    assert head is not None
    words = [(found[0], found.start()) for found in re.finditer(r"\S+", plain[head.end() :])]
    spoken = Spoken(plain, table, [(word, at + head.end()) for word, at in words])
    player = _player(head[1], table, spoken)
    action = _action(rules, state, spoken)
    verb = _verb(action.name)
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
    return Move(action.name, _mover(rules, state, action, player, spoken), tuple(spoken.found[p.name] for p in action.params))


def _player(word: str | None, table: Table, spoken: Spoken) -> int | None:
    if word is None:
        return None
    seats = {str(p + 1): p for p in range(table.players)} | {"先手": 0, "後手": 1, "先攻": 0, "後攻": 1}
    if fold(word) not in seats:
        spoken.words, spoken.here = [(word, 0)], 0
        spoken.fail(f"a player, 1..{table.players},", f"プレイヤー（1～{table.players}）")
    return seats[fold(word)]


def _action(rules: RuleSet, state: State, spoken: Spoken) -> Action:
    word = fold(spoken.word)
    fitting = [a for a in rules.actions if word in map(fold, (_verb(a.name).word, *_verb(a.name).also))]
    if not fitting:
        verbs = dict.fromkeys(_verb(a.name).word for a in rules.actions)
        en, ja = meant(word, verbs, "one of", "次のどれか")
        spoken.fail(f"a verb{en.replace('; ', ', ')}", f"動詞{ja}")
    spoken.take()
    if len(fitting) > 1:
        names = {a.name for a in fitting}
        if names == {"edit_skill", "battle_skill"}:
            in_battle = state[rules.cell("phase")] == PHASE["BATTLE"]
            return rules.by_name["battle_skill" if in_battle else "edit_skill"]
        here = spoken.here
        kind = _card(spoken).kind
        spoken.here = here
        return rules.by_name["extra" if kind == "EXTRA" else "toughness"]
    return fitting[0]


def _named(spoken: Spoken, param: Param) -> None:
    """``name=value`` for what has no words of its own."""
    found = re.fullmatch(rf"{param.name}=(-?[0-9]{{1,4}})", spoken.word)
    if not found:
        spoken.fail(f"{param.name}={param.values[0]}..{param.values[-1]}", f"{param.name}={param.values[0]}～{param.values[-1]}")
    spoken.take()
    spoken.found[param.name] = int(found[1])


def _mover(rules: RuleSet, state: State, action: Action, player: int | None, spoken: Spoken) -> int:
    if action.is_chance:
        return NATURE
    if player is not None:
        return player
    if action.by is not None:
        return evaluate(action.by, state, offset=rules.offset)
    waiting = [p for p in range(rules.players) if state[rules.cell("alive", p)] and not state[rules.cell("edit_done", p)]]
    if len(waiting) != 1:
        spoken.here, spoken.words = 0, spoken.words[:1]
        spoken.fail(f"the player in front: 1:{spoken.text.strip()}", f"先頭に誰の手か（1:{spoken.text.strip()}）", "whose-move")
    return waiting[0]


