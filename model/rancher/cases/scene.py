"""A position as a case writes it, on a table: its rule set, an engine, a state; acts, and the facts of a state.

Of a player: ``hand``, ``library``, ``discard``, ``removed`` (lists of cards), ``field`` (monsters: a card, or a record with
``card`` and ``training``, ``gear``, ``injured``, ``present``, ``fought``, ``trained``, ``equipped``), ``kit``, ``kitted``, ``fame``,
``active`` (a number of the list), ``square``, ``damage``, ``side`` (a number or cards), ``shown``, ``unable``, ``attacked``. Of the table:
``step``, ``turn``, ``first``, ``word``, ``youngest``, ``battle``, ``owner``, ``winner``, ``battled``, ``stirred``, ``purpose``, ``due``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from monjudge.model.language import NATURE, Clause, Move, RuleSet, State
from monjudge.model.rancher.arena import distance
from monjudge.model.rancher.cards import STAT, Catalogue
from monjudge.model.rancher.cases.card_names import CaseError, read_card
from monjudge.model.rancher.match import DRAW, STEP

__all__ = ["PLAYERS", "Engine", "Facts", "Scene"]

PLAYERS = ("A", "B")

Facts = dict[str, Any]
"""What an answer says, in the form of ``expect``. A ``Counter`` is a list whose order means nothing."""

_PILES = ("hand", "library", "discard", "removed")
_FLAGS = ("injured", "present", "fought", "trained", "equipped")
_OWN = (*_PILES, "field", "kit", "kitted", "fame", "active", "square", "damage", "side", "shown", "unable", "attacked", "due", "boost")
_TABLE = ("step", "turn", "first", "word", "youngest", "battle", "owner", "winner", "battled", "stirred", "purpose", "players", *PLAYERS)


class Engine(Protocol):
    """What is asked of an engine over one rule set (see ``solvers.engines``)."""

    def legal(self, state: State, move: Move) -> bool: ...
    def moves_of(self, state: State, action: str) -> list[Move]: ...
    def failing(self, state: State, move: Move) -> list[Clause]: ...
    def step(self, state: State, move: Move) -> State: ...
    def settle(self, state: State) -> State: ...
    def over(self, state: State) -> bool: ...


@dataclass(frozen=True)
class Scene:
    """One state of one position. Every answer comes from the engine; nothing here knows a rule."""

    rules: RuleSet
    engine: Engine
    cards: Catalogue
    state: State

    @staticmethod
    def of(
        rules: RuleSet, engine: Engine, cards: Catalogue, given: Mapping[str, Any], readings: Mapping[tuple[Any, ...], int],
    ) -> Scene:  # fmt: skip
        """The position as it was written, after all that happens by itself under the readings of open switches.

        Raises CaseError for what cannot be read.
        """
        for key in given:
            if key not in _TABLE:
                raise CaseError(f"a state has no {key!r}", f"状態に{key!r}という項目はない")
        scene = Scene(rules, engine, cards, rules.start)
        first = PLAYERS.index(given.get("first", "A"))
        cells: dict[tuple[Any, ...], int] = {
            **readings, ("step",): STEP[given.get("step", "PLAY")], ("turn",): given.get("turn", 1), ("first",): first,
            ("word",): PLAYERS.index(given["word"]) if "word" in given else first,
        }  # fmt: skip
        if "battle" in given:
            cells["battle",] = cards[read_card(given["battle"])]
        for name, key in (("owner", "battle_owner"), ("winner", "winner")):
            if name in given:
                cells[key,] = PLAYERS.index(given[name])
        for name in ("battled", "stirred"):
            cells[name,] = int(given.get(name, False))
        if "purpose" in given:
            cells["purpose",] = DRAW[given["purpose"]]
        for p, name in enumerate(PLAYERS):
            cells |= scene._player(p, given.get(name, {}))
        return scene.put(cells).settled()

    def _player(self, p: int, given: Mapping[str, Any]) -> dict[tuple[Any, ...], int]:
        for key in given:
            if key not in _OWN:
                raise CaseError(f"a player has no {key!r}", f"プレイヤーに{key!r}という項目はない")
        cells: dict[tuple[Any, ...], int] = {("fame", p): given.get("fame", 0), ("square", p): given.get("square", 0)}
        for pile in _PILES:
            for card, count in Counter(self.cards[read_card(c)] for c in given.get(pile, [])).items():
                cells[pile, p, card] = count
        for s, written in enumerate(given.get("field", [])):
            record = written if isinstance(written, Mapping) and "card" in written else {"card": written}
            cells["monster", p, s] = self.cards[read_card(record["card"])]
            for flag in _FLAGS:
                cells[flag, p, s] = int(record.get(flag, flag == "present"))
            for name, kinds in (("training", "TRAINING"), ("gear", "ATTACHMENT")):
                for card, count in Counter(self.cards[read_card(c)] for c in record.get(name, [])).items():
                    cells[name, p, s, card - self.cards.numbers(kinds).start] = count
        for card, count in Counter(self.cards[read_card(c)] for c in given.get("kit", [])).items():
            cells["kit", p, card - self.cards.numbers("ATTACHMENT").start] = count
        side = given.get("side", 0)
        cells["side", p] = side if isinstance(side, int) else len(side)
        for i, card in enumerate([] if isinstance(side, int) else side):
            cells["side_card", p, i] = self.cards[read_card(card)]
        shown = given.get("shown", [])
        cells["laid", p] = len(shown)
        for i, card in enumerate(shown):
            cells["shown", p, i] = self.cards[read_card(card)]
        for stat, change in given.get("boost", {}).items():
            cells["boost", p, STAT[stat]] = change
        return cells | {
            ("active", p): given.get("active", 0) - 1, ("damage", p): int(2 * given.get("damage", 0)), ("due", p): given.get("due", 0),
            **{(flag, p): int(given.get(flag, False)) for flag in ("unable", "attacked", "kitted")},
        }  # fmt: skip

    # -- cells -------------------------------------------------------------------------------------

    def cell(self, name: str, *indices: int) -> int:
        return self.state[self.rules.cell(name, *indices)]

    def put(self, cells: Mapping[tuple[Any, ...], int]) -> Scene:
        """The scene with other values. Nothing happens yet. Raises CaseError where the model has no room."""
        values = list(self.state)
        for (name, *indices), value in cells.items():
            if name not in self.rules.offset:
                continue
            place = self.rules.cell(name, *indices)
            low, high = self.rules.bounds[place]
            if not low <= value <= high:
                where = f"{name}{indices}"
                raise CaseError(f"{where} is {low} to {high}, not {value}", f"{where}は{low}から{high}まで（{value}は不可）")
            values[place] = value
        return replace(self, state=tuple(values))

    def settled(self) -> Scene:
        """The scene after all that happens by itself."""
        return replace(self, state=self.engine.settle(self.state))

    # -- acts --------------------------------------------------------------------------------------

    def moves(self) -> Iterator[Move]:
        """All legal moves of decisions and chance."""
        for action in self.rules.actions:
            yield from self.engine.moves_of(self.state, action.name)

    def after(self, move: Move) -> Scene:
        return replace(self, state=self.engine.step(self.state, move))

    def drawn(self) -> Scene:
        """The scene when chance has done what is due, cards as they come."""
        scene = self
        while True:
            draws = scene.engine.moves_of(scene.state, "draw")
            if not draws:
                return scene
            scene = scene.after(draws[0])

    def read_move(self, act: str) -> Move:
        """The move of an act such as ``A order C4``, ``B train T4 2``, ``draw H1``. Raises CaseError."""
        words = act.split()
        me = NATURE if words[0] == "draw" else PLAYERS.index(words[0]) if words[0] in PLAYERS else None
        name, given = ("draw", words[1:]) if me == NATURE else (words[1] if len(words) > 1 else "", words[2:])
        action = self.rules.by_name.get(name)
        if action is not None and len(given) == len(action.params) - 1 and action.params[-1].name == "whose":
            given = [*given, words[0]]  # one's own, where nothing else is said
        if me is None or action is None or len(given) != len(action.params):
            raise CaseError(f"{act!r} is no act here", f"{act!r}という行動はここにない")
        args = []
        for param, word in zip(action.params, given, strict=True):
            if param.name in ("slot",):
                args.append(int(word) - 1)
            elif param.name == "technique":
                args.append(self._technique(me, int(word)))
            elif param.name == "whose":
                args.append(PLAYERS.index(word))
            else:
                args.append(self.cards[read_card(word)])
        return Move(name, me, tuple(args))

    def _technique(self, p: int, number: int) -> int:
        """The technique of a number in the order of the active monster's, printed ones first."""
        kind = self.cell("monster", p, self.cell("active", p)) if self.cell("active", p) >= 0 else 0
        own = [t for t, (owner, _) in enumerate(self.cards.techniques) if owner == kind]
        taught = [t for t, (owner, _) in enumerate(self.cards.techniques) if self.cards.cards[owner].type == "TRAINING"]
        return ([*own, *taught] or [0])[min(number, len(own) + len(taught)) - 1]

    def act_text(self, move: Move) -> str:
        """The act of a move."""
        words = [] if move.me == NATURE else [PLAYERS[move.me]]
        for param, value in zip(self.rules.by_name[move.action].params, move.args, strict=True):
            if param.name == "technique":
                owner, technique = self.cards.techniques[value]
                words.append(f"{[t for o, t in self.cards.techniques if o == owner].index(technique) + 1}")
            elif param.name == "slot":
                words.append(str(value + 1))
            elif param.name != "whose":
                words.append(self.cards.cards[value].name)
            elif value != move.me:
                words.append(PLAYERS[value])
        return " ".join([*words[:1], move.action, *words[1:]] if move.me != NATURE else [move.action, *words])

    # -- facts -------------------------------------------------------------------------------------

    def facts(self) -> Facts:
        """What can be said of the state: see ``docs`` of the cases for each name."""
        both = dict(enumerate(PLAYERS))
        moves = list(self.moves())
        who = None if not moves else "chance" if moves[0].me == NATURE else PLAYERS[moves[0].me]
        over = self.engine.over(self.state)
        fame = [self.cell("fame", p) for p in both]
        lost = [self.cell("lost", p) for p in both] if "lost" in self.rules.offset else [0, 0]
        lead = (fame[0] > fame[1]) - (fame[0] < fame[1]) if not any(lost) else lost[1] - lost[0]
        squares = [self.cell("square", p) for p in both]
        return {
            "who": who, "step": STEP.labels[self.cell("step")], "turn": self.cell("turn"), "over": over,
            "first": PLAYERS[self.cell("first")], "squares": squares, "options": Counter(self.act_text(m) for m in moves),
            "winner": ("B", "draw", "A")[lead + 1] if over else None, "distance": distance(*squares).value,
            "battle": self.cards.cards[self.cell("battle")].name,
            **{key: {name: of(p) for p, name in both.items()} for key, of in self._of_players().items()},
        }  # fmt: skip

    def of_player(self, fact: str, p: int) -> Any:
        """One fact about one player, without looking for moves."""
        return self._of_players()[fact](p)

    def _of_players(self) -> dict[str, Any]:
        def pile(name: str) -> Any:
            return lambda p: Counter(
                {self.cards.cards[k].name: n for k in range(1, len(self.cards)) if (n := self.cell(name, p, k))}
            )

        def flags(name: str) -> Any:
            return lambda p: [s + 1 for s in range(self._slots) if self.cell("monster", p, s) and self.cell(name, p, s)]

        kinds = {"training": self.cards.numbers("TRAINING"), "gear": self.cards.numbers("ATTACHMENT")}

        def on(name: str) -> Any:
            return lambda p: [
                Counter({self.cards.cards[k].name: n for j, k in enumerate(kinds[name]) if (n := self.cell(name, p, s, j))})
                for s in range(self._slots) if self.cell("monster", p, s)
            ]  # fmt: skip

        return {
            "fame": lambda p: self.cell("fame", p), "damage": lambda p: self._points(self.cell("damage", p)),
            "active": lambda p: self.cell("active", p) + 1 or None, "side": lambda p: self.cell("side", p),
            "due": lambda p: self.cell("due", p), "hand_size": lambda p: sum(pile("hand")(p).values()),
            "library_size": lambda p: sum(pile("library")(p).values()),
            **{name: pile(name) for name in _PILES}, **{flag: flags(flag) for flag in _FLAGS},
            "monsters": lambda p: [self.cards.cards[k].name for s in range(self._slots) if (k := self.cell("monster", p, s))],
            "loyalty": lambda p: [sum(c.values()) for c in on("training")(p)],
            "training": on("training"), "gear": on("gear"),
            "kit": lambda p: Counter({self.cards.cards[k].name: n for j, k in enumerate(kinds["gear"]) if (n := self.cell("kit", p, j))}),
            "shown": lambda p: Counter(self.cards.cards[k].name for i in range(12) if (k := self.cell("shown", p, i))),
        }  # fmt: skip

    @property
    def _slots(self) -> int:
        return self.rules.family_named["monster"].dims[1]

    @staticmethod
    def _points(halves: int) -> int | float:
        return halves / 2 if halves % 2 else halves // 2


