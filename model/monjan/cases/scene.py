"""A position on the table: its rule set, an engine, a state; what is legal there, what a move makes of it, and the facts."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from monjudge.model.language import NATURE, Clause, Move, RuleSet, State
from monjudge.model.language.expr import LIMIT
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.cases.card_names import CaseError, whole
from monjudge.model.monjan.cases.notation import COLUMNS, Position
from monjudge.model.monjan.match import ABOVE, OUTSIDE, PHASE, SOURCE, STEP

__all__ = ["Engine", "Facts", "Scene"]

Facts = dict[str, Any]
"""What an answer says, in the form of ``expect``. A ``Counter`` is a list whose order means nothing."""


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
    catalogue: Catalogue
    position: Position
    state: State

    @staticmethod
    def of(rules: RuleSet, engine: Engine, catalogue: Catalogue, position: Position) -> Scene:
        """The position as it was written, after all that happens by itself."""
        bare = Scene(rules, engine, catalogue, position, rules.start).put(position.cells)
        return bare._with_extra_cards().settled()

    # -- cells -------------------------------------------------------------------------------------

    def cell(self, name: str, *indices: int) -> int:
        return self.state[self.rules.cell(name, *indices)]

    def put(self, cells: Any = (), **whole: int) -> Scene:
        """The scene with other values: by key, or by name in all cells of a field. Nothing happens yet."""
        values = list(self.state)
        for name, value in whole.items():
            at, size = self.rules.offset[name], self.rules.family_named[name].size
            values[at : at + size] = [value] * size
        for key, value in dict(cells).items():
            try:
                place = self.rules.cell(str(key[0]), *(self._number(k) for k in key[1:]))
            except IndexError as error:
                raise CaseError(f"the model has no room for this: {error}", f"この模型では場所が足りない：{error}") from error
            values[place] = self._number(value)
            low, high = self.rules.bounds[place]
            if not low <= values[place] <= high:
                name = ", ".join(map(str, key))
                raise CaseError(f"{name} is {low} to {high}, not {value}", f"{name}は{low}から{high}まで（{value}は不可）")
        return dataclasses.replace(self, state=tuple(values))

    def _number(self, part: Any) -> int:
        return self.catalogue[part] if isinstance(part, Card) else whole("whole number", part, -LIMIT, LIMIT)

    def settled(self) -> Scene:
        """The scene after all that happens by itself."""
        return dataclasses.replace(self, state=self.engine.settle(self.state))

    def _with_extra_cards(self) -> Scene:
        """Extra cards that came without the way of their summoning are summoned, where only one way is open."""
        scene = self
        for p, by in self.position.unsettled.items():
            card = self.position.cells["extra", p]
            wanted = {} if by is None else {"by": {"PAIR": 1, "NUMBER": 2}[by]}
            hand = scene.put({("extra", p): 0, ("extra_by", p): 0, ("hand", p, card): 1}, phase=PHASE["EDIT"])
            ways = list(hand.moves("extra", p, card=self._number(card), **wanted))
            if len(ways) == 1:
                after = hand.after(ways[0])
                witnesses = {("witness", p, c): after.cell("witness", p, c) for c in range(3)}
                scene = scene.put({("extra_by", p): after.cell("extra_by", p), **witnesses})
        return scene

    # -- moves -------------------------------------------------------------------------------------

    def moves(self, action: str, me: int, **fixed: int | Iterable[int]) -> list[Move]:
        """The legal moves of one action with some of its parameters given; none if the rule set lacks the action."""
        return [m for m in self.candidates(action, me, **fixed) if self.engine.legal(self.state, m)]

    def listed(self, actions: Sequence[str]) -> list[Move]:
        """The legal moves of all players in these actions, in their order; actions that the rule set lacks have none."""
        return [m for name in actions if name in self.rules.by_name for m in self.engine.moves_of(self.state, name)]

    def candidates(self, action: str, me: int, **fixed: int | Iterable[int]) -> Iterator[Move]:
        """The same, legal or not."""
        known = self.rules.by_name.get(action)
        if known is not None:
            given = {name: (v,) if isinstance(v, int) else tuple(v) for name, v in fixed.items()}
            values = [given.get(p.name, p.values) for p in known.params]
            for args in itertools.product(*values):
                yield Move(action, me, args)

    def after(self, move: Move) -> Scene:
        return dataclasses.replace(self, state=self.engine.step(self.state, move))

    def rolled(self, face: int | None = None) -> Scene:
        """The scene when chance has done what is pending: the die shows ``face``, cards come as they lie."""
        scene = self
        while True:
            outcomes = [m for name in ("turn_up", "draw_card") for m in scene.moves(name, NATURE)]
            # Under A102 PAYER_CHOOSES the payer names the cards; any choice pays.
            outcomes += [m for p in self._seats for m in scene.moves("spend", p)]
            if face is not None:
                outcomes += scene.moves("roll", NATURE, face=face)
            if not outcomes:
                return scene
            scene = scene.after(outcomes[0])

    # -- turns -------------------------------------------------------------------------------------

    def battle(self, active: int, target: int) -> Scene:
        """The last attack step of a battle turn, in its first window: ``active`` attacks ``target``."""
        begun = self.battle_begun() if self.cell("phase") == PHASE["EDIT"] else self
        now = begun.put({("target",): target}, phase=PHASE["BATTLE"], step=STEP["W_BEFORE"], stepped=1,
                        active=active, word=active, passed=0, attacked=0, source=-1, guard=-1)  # fmt: skip
        declared = self.position.declared.get(active)
        if declared is not None:
            now = now.put({("attacked", s): int(s not in declared) for s in range(SOURCE.size)})
        return now.settled()

    def battle_begun(self) -> Scene:
        """The scene when all players have ended the edit turn; speeds that were written are those of this battle turn."""
        written = {(name, p): self.position.cells[name, p] for name in ("speed", "place") for p in self._seats
                   if (name, p) in self.position.cells}  # fmt: skip
        begun = self.put(edit_done=1, phase=PHASE["EDIT"]).settled()
        return begun.put(written, step=STEP["STEP_OVER"], stepped=0).settled() if written else begun

    def cleaned_up(self) -> Scene:
        """The scene in the next edit turn, if no more attacks are made in this turn."""
        return self.put(phase=PHASE["BATTLE"], step=STEP["STEP_OVER"], stepped=1, edit_done=1).settled()

    def quiet(self) -> Scene:
        """The scene after every player has passed in the window that is open."""
        scene = self
        while passes := [m for p in self._seats for m in scene.moves("pass", p)]:
            scene = scene.after(passes[0])
        return scene

    def passed_to(self, me: int) -> Scene:
        """The scene in which the player has the word in the window that is open."""
        scene = self
        while scene.cell("word") != me and (passes := scene.moves("pass", scene.cell("word"))):
            scene = scene.after(passes[0])
        return scene

    def passed_until(self, me: int, step: str) -> Scene:
        """The scene in which the player has the word in this window, or the first decision after it."""
        scene = self
        while (scene.cell("word"), scene.cell("step")) != (me, STEP[step]):
            passes = scene.moves("pass", scene.cell("word"))
            if not passes:
                break
            scene = scene.after(passes[0])
        return scene

    # -- names and facts ---------------------------------------------------------------------------

    @property
    def _seats(self) -> range:
        return range(len(self.position.names))

    def after_seat(self, p: int) -> int:
        """The player on the next seat."""
        return (p + 1) % len(self.position.names)

    def seat(self, name: Any) -> int:
        """The number of a player. Raises CaseError."""
        if name not in self.position.names:
            raise CaseError(f"there is no player {name!r}", f"{name!r}というプレイヤーはいない")
        return self.position.names.index(name)

    def word(self, number: int, *, stays: bool = False) -> str | None:
        """The name by which the case calls a card, None for no card; a boss that ``stays`` has a p behind it."""
        if number == 0:
            return None
        card = self.catalogue.cards[number]
        name = self.position.words.get(card, str(card))
        return name.removesuffix("p") + "p" * stays if card.kind in ("BOSS", "ASSASSIN") else name

    def stack(self, p: int, c: int) -> list[str]:
        """The mana of a column from the bottom."""
        elements = self.cell("elements", p, c)
        height = self.cell("mana_height", p, c)
        return ["*" if s < elements else str(self.word(self.cell("mana", p, c, s))) for s in range(height)]

    def stacks(self, p: int) -> dict[str, list[str]]:
        return {letter: self.stack(p, c) for c, letter in enumerate(COLUMNS)}

    def counted(self, name: str, p: int) -> Counter[str]:
        """A hand or discard pile."""
        amounts = ((self.word(k), self.cell(name, p, k)) for k in range(1, len(self.catalogue)))
        return Counter({word: n for word, n in amounts if word is not None and n})

    def source_place(self, p: int, source: int) -> str:
        """The reference of an attack's place: A.atk.L, A.ex, A.out.0, A.above.0."""
        return f"{self.position.names[p]}.{_place(source)}"

    def source_name(self, p: int, source: int) -> str:
        """What the case calls an attack: its value or card if it was declared so, else its place."""
        return self.position.declared.get(p, {}).get(source, self.source_place(p, source))

    def places(self, p: int) -> Facts:
        """What stands at each place of a player, null for nothing."""
        row = {f"{key}.{letter}": self.word(self.cell(name, p, c), stays=True)
               for key, name in (("def", "defence"), ("atk", "attack")) for c, letter in enumerate(COLUMNS)}  # fmt: skip
        beside = {f"{key}.{i}": self.word(self.cell(name, p, i))
                  for key, name, size in (("out", "outside", OUTSIDE), ("above", "above", ABOVE)) for i in range(size)}  # fmt: skip
        return {**row, "ex": self.word(self.cell("extra", p)), **beside}

    def facts(self, p: int) -> Facts:
        """What the table shows, from the side of one player; references like B.atk.L for every player."""
        lives = {letter: self.cell("life", p, c) for c, letter in enumerate(COLUMNS)}
        here = self.places(p)
        facts: Facts = {
            "life": lives,
            "def": {letter: here[f"def.{letter}"] and [here[f"def.{letter}"], lives[letter]] for letter in COLUMNS},
            "atk": {letter: here[f"atk.{letter}"] for letter in COLUMNS},
            "mana": self.stacks(p),
            "fallen": Counter(letter for c, letter in enumerate(COLUMNS) if self.cell("fallen", p, c)),
            "hand": self.counted("hand", p),
            "ex": here["ex"],
            "out": [here[f"out.{i}"] for i in range(OUTSIDE) if here[f"out.{i}"]],
            "above": [here[f"above.{i}"] for i in range(ABOVE) if here[f"above.{i}"]],
            "E_alive": here["ex"] is not None,
            "winner": self.winner(),
        }
        for q, name in enumerate(self.position.names):
            facts[f"{name}_alive"] = bool(self.cell("alive", q))
            facts |= {f"{name}.{place}": what for place, what in self.places(q).items()}
        return facts

    def winner(self) -> str | None:
        """The last player, when the match is over."""
        living = [name for p, name in enumerate(self.position.names) if self.cell("alive", p)]
        return living[0] if self.engine.over(self.state) and len(living) == 1 else None


def _place(source: int) -> str:
    if source < 3:
        return f"atk.{COLUMNS[source]}"
    return "ex" if source == 3 else f"out.{source - 4}" if source < 4 + OUTSIDE else f"above.{source - 4 - OUTSIDE}"


def guard_places(name: str) -> Sequence[str]:
    """The references of all places that may guard, in the order of the guard parameter."""
    rows = [f"{name}.{row}.{letter}" for row in ("def", "atk") for letter in COLUMNS]
    return [*rows, f"{name}.ex", *(f"{name}.above.{i}" for i in range(ABOVE))]


