"""The operations of cases: one small function each, which asks the rule set of the case's cards and readings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from monjudge.model.language import NATURE, LimitReached, Move, RuleSet
from monjudge.model.rancher.cards import Card, Catalogue
from monjudge.model.rancher.cases.card_names import CaseError, read_card, read_cards
from monjudge.model.rancher.cases.scene import PLAYERS, Engine, Facts, Scene
from monjudge.model.rancher.decks import deck_defects, shipped_decks
from monjudge.model.rancher.match import Setting
from monjudge.model.rancher.rules import rancher
from monjudge.model.rancher.squares import rounds_to_force, step
from monjudge.model.rancher.texts import switch_texts

__all__ = ["OPERATIONS", "Question", "Tables", "operation"]

Operation = Callable[["Question"], Facts]

OPERATIONS: dict[str, Operation] = {}
"""Every operation by its name in a query."""

_COMMON = ("C1", "R2", "H3", "S4", "M2", "T4", "A", "E4", "B3", "H1")
"""Cards of every table, so that every action exists."""

_FIGHTER = {"power": 1, "life": 9, "name": "fighter", "techniques": [[n, 1] for n in range(1, 5)]}
"""A monster with a technique for every distance."""


def operation(answer: Operation) -> Operation:
    """Registers an operation under the name of its function."""
    OPERATIONS[answer.__name__] = answer
    return answer


class Tables:
    """Rule sets with their engines, one for each catalogue, youngest player and readings.

    ``cases`` are those that will be asked: their cards make one common catalogue, apart from abilities, which open
    windows in every turn. Switches that are left ``open`` are cells of the state.
    """

    def __init__(
        self, engine: Callable[[RuleSet], Engine], cases: Iterable[Mapping[str, Any]] = (), open: Iterable[str] = ()
    ) -> None:
        self.engine, self.open = engine, frozenset(open)
        every = [card for case in cases for card in _cards_of(case)]
        self.common = {read_card(c) for c in (*_COMMON, _FIGHTER)} | {c for c in every if not _able(c)}
        self._built: dict[Any, tuple[RuleSet, Engine, Catalogue]] = {}

    def scene(self, state: Mapping[str, Any], readings: Mapping[str, str], cards: Iterable[Card]) -> Scene:
        """The position on a table with all cards of the cases, or with its own where it has abilities."""
        own = frozenset(cards)
        kinds = frozenset(self.common) if own <= self.common else own | {read_card(c) for c in _COMMON}
        texts = switch_texts()
        chosen = {s: v for s, v in sorted(readings.items()) if v != texts[s].default and s not in self.open}
        youngest = PLAYERS.index(state.get("youngest", "A"))
        key = (kinds, youngest, tuple(chosen.items()))
        if key not in self._built:
            catalogue = Catalogue(kinds)
            rules = rancher(Setting(catalogue, youngest=youngest, readings=chosen, open=self.open))
            self._built[key] = rules, self.engine(rules), catalogue
        rules, engine, catalogue = self._built[key]
        left_open = {(s,): list(texts[s].values).index(v) for s, v in readings.items() if s in self.open}
        return Scene.of(rules, engine, catalogue, state, left_open)


def _able(card: Card) -> bool:
    return card.type == "MONSTER" and bool(card.deeds)


def _cards_of(case: Mapping[str, Any]) -> list[Card]:
    return [*read_cards([case.get("state", {}), case.get("query", {}).get("acts", [])])]


class Question:
    """One case."""

    def __init__(self, tables: Tables, case: Mapping[str, Any]) -> None:
        self.tables, self.case = tables, case
        self.query: Mapping[str, Any] = case["query"]
        self.state: Mapping[str, Any] = case.get("state", {})
        self.readings: Mapping[str, str] = case.get("readings", {})

    def __getitem__(self, parameter: str) -> Any:
        """A parameter of the query. Raises CaseError if it is missing."""
        if parameter not in self.query:
            raise CaseError(f"the query needs {parameter!r}", f"問いに{parameter!r}が無い")
        return self.query[parameter]

    def scene(self, state: Mapping[str, Any] | None = None) -> Scene:
        cards = _cards_of({**self.case, "state": self.state if state is None else state})
        return self.tables.scene(self.state if state is None else state, self.readings, cards)


@operation
def play(q: Question) -> Facts:
    """Acts one after the other, and the facts of the state that they lead to."""
    scene = q.scene()
    for act in q.query.get("acts", []):
        if not act.startswith("draw"):
            scene = scene.drawn()
        move = scene.read_move(act)
        failed = _failing(scene, move)
        if failed:
            return {"legal": _verdict(failed), "clauses": [clause for clause, _ in failed], **scene.facts()}
        try:
            scene = scene.after(move)
        except LimitReached:
            return {"legal": "unknown"}
    return {"legal": True, "clauses": [], **scene.facts()}


def _failing(scene: Scene, move: Move) -> list[tuple[str, str]]:
    """The clauses that forbid the move, with their kinds."""
    if scene.engine.legal(scene.state, move):
        return []
    return [(clause.id, clause.kind) for clause in scene.engine.failing(scene.state, move)]


def _verdict(failed: list[tuple[str, str]]) -> bool | str:
    kinds = {kind for _, kind in failed}
    return False if "rule" in kinds else "undetermined" if "open" in kinds else "unknown"


# -- the arena -------------------------------------------------------------------------------------


def _in_arena(q: Question, squares: list[int], icons: Mapping[str, str]) -> Scene:
    """A battle in which each player holds one card with the icon."""
    sides: dict[str, Any] = {
        name: {"field": [dict(_FIGHTER)], "active": 1, "square": squares[p], "hand": [icons[name] + "1"] if name in icons else []}
        for p, name in enumerate(PLAYERS)
    }
    return q.scene({"step": "MOVE", "first": q.query.get("first", "A"), "battle": "B3", **sides})


@operation
def order(q: Question) -> Facts:
    """One order: where the monster of A and that of B are afterwards."""
    scene = _in_arena(q, q["squares"], {"A": q["icon"]})
    after = scene.after(scene.read_move(f"A order {q['icon']}1"))
    squares = [after.cell("square", p) for p in range(2)]
    if squares != list(step(q["icon"], *q["squares"])):
        raise CaseError("the report of the arena says something else", "闘技場の報告が規則と異なる")
    return {"squares": squares}


@operation
def orders(q: Question) -> Facts:
    """Both orders of a round, under the readings of the case."""
    icons = q["icons"]
    scene = _in_arena(q, q["squares"], {"A": icons[0], "B": icons[1]})
    turn = PLAYERS if q.query.get("first", "A") == "A" else PLAYERS[::-1]
    for name in turn:
        scene = scene.after(scene.read_move(f"{name} order {icons[PLAYERS.index(name)]}1"))
    return {"squares": [scene.cell("square", p) for p in range(2)]}


@operation
def in_range(q: Question) -> Facts:
    """Whether a technique of this range can be used on these squares."""
    scene = _in_arena(q, q["squares"], {})
    return {"usable": not _failing(scene, scene.read_move(f"A attack {q['range']}"))}


@operation
def force(q: Question) -> Facts:
    """The positions from which A can force the distance within so many rounds, A on the lower square."""
    found = rounds_to_force(
        q["range"], first=q.query.get("first", "A"), order=q.readings.get("AMB_MOVEORD", "OPEN"),
        own=q["icons"][0], other=q["icons"][1],
    )  # fmt: skip
    most = q.query.get("rounds", 99)
    return {"forced": [list(p) for p, n in sorted(found.items()) if n is not None and n <= most and p[0] < p[1]]}


# -- training, set-up and decks --------------------------------------------------------------------


@operation
def training(q: Question) -> Facts:
    """Whether a training succeeds: the card drawn, the loyalty, and cards that correct."""
    target, loyalty = q["target"], q.query.get("loyalty", 0)
    on = [f"T{n}" for n in itertools.islice(itertools.cycle((0, 1, 2)), loyalty)]
    corrections = [*["aid"] * q.query.get("aid", 0), *["hinder"] * q.query.get("hinder", 0)]
    drawn = f"H{q['drawn']}"
    case = {
        "A": {"hand": [f"T{target}"], "library": [drawn], "field": [{"card": "M1", "training": on}]},
        "B": {"hand": ["H1", "H2", "H3"] if corrections else []},
    }
    scene = q.tables.scene(case, q.readings, [read_card(c) for c in (f"T{target}", *on, drawn, "M1", "H1", "H2", "H3")])
    acts = [f"A train T{target} 1", f"draw {drawn}", *(f"B {c} H{n}" for n, c in enumerate(corrections, 1))]
    for act in acts:
        move = scene.read_move(act)
        if _failing(scene, move):
            raise CaseError(f"{act!r} is not legal", f"{act!r}はできない")
        scene = scene.after(move)
    if corrections and scene.engine.legal(scene.state, scene.read_move("B leave")):
        scene = scene.after(scene.read_move("B leave"))
    return {"success": scene.of_player("loyalty", 0) == [loyalty + 1]}


def _choosing(q: Question, pulls: Iterable[int]) -> Scene:
    library = [f"M{n}" for n in pulls]
    return q.scene({"step": "CHOOSE", "A": {"library": library}, "B": {"library": ["M1"]}})


@operation
def setup(q: Question) -> Facts:
    """Whether monsters of these pull numbers can be picked together."""
    scene = _choosing(q, q["pulls"])
    for act in (*(f"A choose M{n}" for n in q["pulls"]), "A ready"):
        failed = _failing(scene, scene.read_move(act))
        if failed:
            return {"legal": False, "clauses": [clause for clause, _ in failed]}
        scene = scene.after(scene.read_move(act))
    return {"legal": True, "clauses": []}


@operation
def menu(q: Question) -> Facts:
    """Every multiset of pull numbers with which a player can begin, and how many there are."""
    # Two kinds of pull number 1, as a deck has at most three copies of one.
    library = [*(f"M{n}" for n in (1, 2, 3, 4, 5, 6) for _ in "123"), "ASH_HOUND"]
    scene = q.scene({"step": "CHOOSE", "A": {"library": library}, "B": {"library": ["M1"]}})
    found: set[tuple[int, ...]] = set()
    front = [scene]
    while front:
        here = front.pop()
        for move in here.moves():
            if move.action == "ready":
                found.add(tuple(sorted(read_card(name).pull for name in here.of_player("monsters", 0))))
            elif move.me != NATURE:
                front.append(here.after(move))
    return {"menu": sorted(map(list, found)), "count": len(found)}


@operation
def deck(q: Question) -> Facts:
    """Whether the deck may be played, and every clause that forbids it."""
    base = dict(shipped_decks()[q.query["base"]].cards) if "base" in q.query else {}
    changes = q.query.get("change", q.query.get("cards", {}))
    for text, count in changes.items():
        card = read_card(text)
        base[card] = base.get(card, 0) + count
    defects = deck_defects({card: count for card, count in base.items() if count})
    return {"legal": not defects, "clauses": sorted({defect.clause for defect in defects})}


@operation
def players(q: Question) -> Facts:
    """Whether the text says how so many play (R.META.4)."""
    return {"answer": "determined" if q["number"] == len(PLAYERS) else "undetermined"}
