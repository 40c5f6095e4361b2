"""What a game offers to whoever proves things about it: a scene, and properties as data.

A scene is a rule set whose board designs and readings are fields wherever a claim is to
speak of all of them, with what is taken for granted about them and how play begins.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from monjudge.model.language import TRUE, Domain, Expr, RuleSet, Scope, State, Table, both
from monjudge.model.language import field as cell
from monjudge.model.notation.defects import DataError, Defect
from monjudge.model.notation.kit import Position
from monjudge.model.notation.sentence import Sentence

__all__ = ["CARDS", "NORMS", "Examples", "Scene", "Setting"]

CARDS = "CARDS"
"""Stands among what is left open where the data of the cards are; it is no switch."""

NORMS = "NORMS"
"""Stands among what is left open where the sentences of the text are taken literally, as norms; it is no switch."""


@dataclass(frozen=True)
class Examples:
    """The examples that a text prints, as cases with right values (see ``solvers.cases``).

    ``answers`` makes of an engine and the cases to come a function that answers them; ``information`` names, by operation,
    what a case may say without asserting it.
    """

    cases: tuple[Mapping[str, Any], ...]
    answers: Callable[[Callable[[RuleSet], Any], Iterable[Mapping[str, Any]]], Callable[[Mapping[str, Any]], Mapping[str, Any]]]
    information: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """A rule set with where play begins.

    ``start`` is one beginning; in all of them the fields named in ``free`` (piles, for example) and the
    configuration may hold anything that ``given`` admits. ``positions`` are states to look for witnesses from.
    ``made`` are positions that were set up for claims about families and cones; nothing says that they are reached.
    ``held`` are configuration fields that stand as in ``start`` whatever else is chosen, as ``given`` says, too.
    ``bounds`` says of what a claim about this scene speaks, e.g. how many players; ``tables`` are named in properties;
    ``examples`` are what the text itself gives, where it does. ``aids`` are what was proved together for
    the shipped properties, as texts: it mostly holds in other settings, too, and whoever uses it proves it.
    ``words`` is the start as a position of the game, where it has words for these rules.
    """

    rules: RuleSet
    start: State
    free: frozenset[str] = frozenset()
    given: Expr = TRUE
    positions: Mapping[str, State] = field(default_factory=dict)
    made: Mapping[str, State] = field(default_factory=dict)
    bounds: Mapping[str, int | str] = field(default_factory=dict)
    tables: Mapping[str, Table] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    examples: Examples | None = None
    aids: tuple[tuple[str, ...], ...] = ()
    words: Position | None = None

    def is_open(self, name: str) -> bool:
        """Whether the field may hold anything when play begins."""
        return name in self.free or (self.rules.family_named[name].config and name not in self.held)

    def scope(self, on: str | None = None) -> Scope:
        """What the names in a property mean; ``player`` names all players, ``on`` an action with its parameters.

        Raises ValueError for an action that the rule set does not have.
        """
        scope = Scope.of(self.rules, on)
        players = Domain("player", tuple(f"player {n + 1}" for n in range(self.rules.players)))
        return dataclasses.replace(scope, domains={**scope.domains, "player": players}, tables={**scope.tables, **self.tables})


@dataclass(frozen=True)
class Setting:
    """Of what is asked, as plain data that evidence, a cache and another process can name; the scene is made from it.

    ``boards``: ``printed``, ``all``, or the data of a file; ``open``: the switches that are left open, ``CARDS`` and ``NORMS``.
    ``players``: so many instead of the usual number (None).
    A switch that is open and has a reading is held at it: the rules are those in which it is open, and the reading is given.

    ``plugin`` is a Python file that makes the scene instead of the game: it has a function
    ``scene(boards, readings, open)``, and may have a text ``PROPERTIES`` and the names of its ``SWITCHES``.
    """

    game: str
    boards: Any = "printed"
    readings: Mapping[str, str] = field(default_factory=dict)
    open: tuple[str, ...] = ()
    plugin: str = ""
    players: int | None = None

    @property
    def scene(self) -> Scene:
        """Raises DataError for a game, boards or readings that do not exist."""
        return _scene(json.dumps(self.data()))

    def made(self) -> Scene:
        """The scene, made anew. Raises DataError as ``scene`` does, also where the cards are to be open and are not."""
        held = {switch: self.readings[switch] for switch in self.open if switch in self.readings}
        if held:
            free = {switch: value for switch, value in self.readings.items() if switch not in held}
            return _holding(dataclasses.replace(self, readings=free).scene, held)
        scene = self._made()
        if CARDS in self.open and "cards" not in scene.bounds:
            raise _defect("the cards of this game cannot be left open", "このゲームのカードは開いておけない")
        if NORMS in self.open and not scene.rules.norms:
            raise _defect("this game has no norms", "このゲームに規範はない")
        return scene

    def _made(self) -> Scene:
        if not self.plugin:
            from monjudge.model.games import scene_of

            made = scene_of(self.game, self.boards, self.readings, self.open, self.players)
            return dataclasses.replace(made, aids=_aids(self.game))
        found = self._of_plugin("scene")
        scene = found(self.boards, self.readings, self.open) if callable(found) else None
        if not isinstance(scene, Scene):
            raise _defect(f"{self.plugin} has no function scene that gives a Scene", f"{self.plugin}に、Scene を返す関数 scene がない")
        return scene

    @property
    def properties(self) -> str | bytes:
        """The text of the properties that are shipped with it."""
        if not self.plugin:
            from monjudge.model.games import properties_of

            return properties_of(self.game)
        shipped: str = self._of_plugin("PROPERTIES") or '{"format": "monjudge-properties/1", "properties": []}'
        return shipped

    @property
    def switches(self) -> tuple[str, ...]:
        """The readings that can be left open."""
        if self.plugin:
            return tuple(self._of_plugin("SWITCHES") or ())
        from monjudge.model.games import kit

        words = kit(self.game)
        return tuple(switch for switch in words.switches() if switch not in words.fixed())

    @property
    def left(self) -> tuple[str, ...]:
        """The switches that are left open, and not held."""
        return tuple(name for name in self.open if name not in (CARDS, NORMS, *self.readings))

    def read(self, **readings: str) -> Setting:
        """The same with these readings, closed."""
        left = tuple(switch for switch in self.open if switch not in readings)
        return dataclasses.replace(self, readings={**self.readings, **readings}, open=left)

    def held(self, readings: Mapping[str, str]) -> Setting:
        """The same with these switches, which are open, held at these readings: what is worked out about the rules is shared."""
        return dataclasses.replace(self, readings={**self.readings, **readings})

    def opened(self, switches: Iterable[str]) -> Setting:
        """The same with just these switches open (and the cards, if they are); what was chosen for them is forgotten."""
        open = (*dict.fromkeys([*switches, *(name for name in self.open if name in (CARDS, NORMS))]),)
        return dataclasses.replace(self, readings={s: v for s, v in self.readings.items() if s not in open}, open=open)

    def data(self) -> dict[str, Any]:
        """As JSON values."""
        return {"game": self.game, "boards": self.boards, "readings": dict(self.readings), "open": list(self.open), "plugin": self.plugin,
                "players": self.players}  # fmt: skip

    @staticmethod
    def of(data: Mapping[str, Any]) -> Setting:
        """From JSON values. Raises ValueError where they are none of a setting."""
        try:
            right = set(data) == {"game", "boards", "readings", "open", "plugin", "players"}
            found = Setting(data["game"], data["boards"], dict(data["readings"]), tuple(data["open"]), data["plugin"], data["players"])
            right &= found.players is None or (type(found.players) is int and found.players >= 1)
            right &= all(isinstance(word, str) for word in (found.game, found.plugin, *found.open, *found.readings, *found.readings.values()))
        except (KeyError, TypeError, ValueError):
            right = False
        if not right:
            raise ValueError("these are no data of a setting")
        return found

    def _of_plugin(self, name: str) -> Any:
        import runpy

        return runpy.run_path(self.plugin).get(name)


def _holding(scene: Scene, held: Mapping[str, str]) -> Scene:
    """The scene in which these open switches stand at these readings from the beginning. Raises DataError."""
    cells, given, fields = dict[int, int](), [scene.given], set[str]()
    for switch in scene.rules.switches:
        if switch.id in held:
            if held[switch.id] not in switch.values:
                raise _defect(f"{switch.id} has no reading {held[switch.id]}", f"{switch.id}に{held[switch.id]}という読みはない")
            value = switch.family.lo + switch.values.index(held[switch.id])
            cells[scene.rules.offset[switch.family.name]] = value
            given.append(cell(switch.family, ()) == value)
            fields.add(switch.family.name)

    def at(state: State) -> State:
        return tuple(cells.get(n, value) for n, value in enumerate(state))

    return dataclasses.replace(
        scene, start=at(scene.start), given=both(*given), held=scene.held | fields, positions={name: at(s) for name, s in scene.positions.items()},
        made={name: at(s) for name, s in scene.made.items()},
    )  # fmt: skip


@lru_cache(maxsize=512)
def _scene(setting: str) -> Scene:
    return Setting.of(json.loads(setting)).made()


@lru_cache(maxsize=16)
def _aids(game: str) -> tuple[tuple[str, ...], ...]:
    from monjudge.model.games import properties_of

    shipped = json.loads(properties_of(game))["properties"]
    lemmas = [tuple(entry.get("lemmas", ())) for entry in shipped]
    proved = [(*own, entry["formula"]) for own, entry in zip(lemmas, shipped, strict=True)
              if entry["kind"] == "invariant" and not entry.get("settled") and "premise" not in entry]  # fmt: skip
    return (*dict.fromkeys(aid for aid in (*lemmas, *proved) if aid),)


def _defect(en: str, ja: str) -> DataError:
    return DataError([Defect("", Sentence(en, ja), "wrong-value")])
