"""Questions that need a search: all ends of an edit turn, forced wins, and invariants of payments."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from monjudge.model.language import NATURE, LimitReached, Move, State
from monjudge.model.monjan.cases.card_names import CaseError
from monjudge.model.monjan.cases.notation import column
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene
from monjudge.model.monjan.match import PHASE

_EDIT_ENDS = ("mana", "elements", "spent", "attack", "defence", "life", "extra", "extra_by", "outside", "hand")
"""The fields by which two ends of an edit turn differ (with the witness columns)."""


# -- ends of an edit turn --------------------------------------------------------------------------------


@operation
def edit_turn_count(q: Question) -> Facts:
    """The distinct ends of one edit turn without skills: the draw is done, any placements in any order."""
    scene = q.scene(small=True)
    me = scene.seat(q.who)
    ends = [s for s in _edit_turns(scene, me) if s.moves("end", me)]
    full = {_end(s, me, _EDIT_ENDS, witness=True): s for s in ends}
    plain = {_end(s, me, tuple(f for f in _EDIT_ENDS if f != "extra_by"), witness=False) for s in ends}
    held = scene.counted("hand", me).total()
    left = Counter(str(held - s.counted("hand", me).total()) for s in full.values())
    return {"count": len(full), "count_ignoring_E_by": len(plain), "by_cards_from_hand": dict(sorted(left.items()))}


def _edit_turns(scene: Scene, me: int) -> Iterator[Scene]:
    """Every scene that placements and what chance reveals for them can make, each once."""
    placements = [a.name for a in scene.rules.actions if "placement" in a.tags or a.is_chance]
    seen, open_scenes = {scene.state}, [scene]
    while open_scenes:
        now = open_scenes.pop()
        yield now
        for move in now.listed(placements):
            if move.me in (me, NATURE):
                later = now.after(move)
                if later.state not in seen:
                    seen.add(later.state)
                    open_scenes.append(later)


def _end(scene: Scene, me: int, fields: tuple[str, ...], *, witness: bool) -> tuple[int, ...]:
    """What distinguishes an end: the cells of the player in these fields, and by which columns a number was shown."""
    cells = [n for name in fields for n in _own(scene, me, name)]
    if witness and scene.cell("extra_by", me) == 2:
        cells += [int(n > 0) for n in _own(scene, me, "witness")]
    return tuple(cells)


def _own(scene: Scene, me: int, name: str) -> tuple[int, ...]:
    size = scene.rules.family_named[name].size // len(scene.position.names)
    at = scene.rules.offset[name] + me * size
    return scene.state[at : at + size]


# -- forced wins -----------------------------------------------------------------------------------------

Allowed = Callable[[Scene, Move], bool]

_BATTLE = ("kill", "bonus", "strike", "guard", "pass", "extra_heal", "heal", "stop")
"""The acts of a battle turn without skills (their dice are no force), the most forcing first."""


class _Search:
    """Whether a player wins by force, hands open: an AND/OR search with memory over the battle turn."""

    def __init__(self, start: Scene, me: int, scope: str, allowed: Allowed | None = None) -> None:
        self.me, self.scope, self.allowed = me, scope, allowed
        self.actions = [name for name in _BATTLE if name in start.rules.by_name]
        self.known: dict[State, bool] = {}

    def wins(self, scene: Scene) -> bool:
        found = self.known.get(scene.state)
        if found is None:
            found = self.known[scene.state] = self._wins(scene)
        return found

    def _wins(self, scene: Scene) -> bool:
        foes = [p for p in range(len(scene.position.names)) if p != self.me]
        if not scene.cell("alive", self.me):
            return False
        if not any(scene.cell("alive", p) for p in foes):
            return True
        if scene.cell("phase") != PHASE["BATTLE"] or (self.scope == "step" and scene.cell("active") != self.me):
            return False
        moves = scene.listed(self.actions)
        if not moves:
            raise LimitReached("nobody can move: the rules leave a hole here")
        if moves[0].me == self.me:
            return any(self.wins(scene.after(m)) for m in moves if self.allowed is None or self.allowed(scene, m))
        return all(self.wins(scene.after(m)) for m in moves)


def _start(scene: Scene, me: int, scope: str) -> Scene:
    if scope == "turn":
        return scene.battle_begun()
    if scope != "step":
        raise CaseError(f"{scope!r} is no scope: step or turn would do", f"{scope!r}という範囲は無い（stepかturn）")
    return scene.battle(me, scene.after_seat(me))


@operation
def forced_win(q: Question) -> Facts:
    """Whether the actor fells the opponent's middle by force: in the own attack step, or within the battle turn."""
    scope = str(q.query.get("scope", "step"))
    scene = q.scene(small=True)
    me = scene.seat(q.who)
    start = _start(scene, me, scope)
    forced = _Search(start, me, scope).wins(start)
    facts: Facts = {"forced": forced}
    if q.wants("winning_first"):
        first = (s for s in range(scene.rules.family_named["attacked"].size) if forced and _wins_first(start, me, scope, s))
        facts["winning_first"] = Counter({scene.source_name(me, s) for s in first})
    if q.wants("order"):
        facts["order"] = _winning_order(start, me, scope, q.case["expect"]["order"]) if forced else None
    return facts


def _struck(scene: Scene) -> list[int]:
    """The sources that have attacked in this attack step."""
    return [s for s in range(scene.rules.family_named["attacked"].size) if scene.cell("attacked", s)]


def _wins_first(start: Scene, me: int, scope: str, source: int) -> bool:
    """Whether the win is kept when this card is declared first."""
    before = _struck(start)

    def allowed(scene: Scene, move: Move) -> bool:
        unbound = scene.cell("active") != me or _struck(scene) != before
        return unbound or move.action not in ("strike", "stop") or move.args[:1] == (source,)

    return start.cell("attacked", source) == 0 and _Search(start, me, scope, allowed).wins(start)


def _winning_order(start: Scene, me: int, scope: str, claimed: Any) -> list[str] | None:
    """An order of the declared attacks that wins: the claimed one if it does, else the first that is found."""
    names = {s: start.source_name(me, s) for s in start.position.declared.get(me, {})}
    orders = list(itertools.permutations(names))
    orders.sort(key=lambda order: [names[s] for s in order] != claimed)
    return next(([names[s] for s in order] for order in orders if _wins_in_order(start, me, scope, order)), None)


def _wins_in_order(start: Scene, me: int, scope: str, order: tuple[int, ...]) -> bool:
    def allowed(scene: Scene, move: Move) -> bool:
        if move.action != "strike":
            return True
        return move.args[0] == next((s for s in order if not scene.cell("attacked", s)), None)

    return _Search(start, me, scope, allowed).wins(start)


# -- invariants ------------------------------------------------------------------------------------------


@operation
def invariant(q: Question) -> Facts:
    """Whether a condition holds "after any payment" of the edit turn, and after the clean-up that follows."""
    text = str(q["text"])
    found = re.fullmatch(r"after any payment (.*)", text)
    if found is None:
        raise CaseError(f"{text!r} is no invariant: after any payment mana[A][L][0] is Elements would do",
                        f"{text!r}という不変条件は読めない（after any payment mana[A][L][0] is Elementsなど）")  # fmt: skip
    holds = _condition(found[1])
    for name in (n for n in ("A", "B") if n in q.state):
        q.part(name).setdefault("ex", {"card": {"v": 5, "name": "E", "release": [1, 2, 3]}})
        for cost in range(1, 7):
            q.hold(f"T{cost}/1", name)
    q.state.setdefault("ba_top", ["B10", "B10"])
    scene = q.scene(small=True)
    return {"holds": all(holds(now) and holds(now.cleaned_up()) for now in _paid(scene))}


def _paid(scene: Scene) -> Iterator[Scene]:
    """Every scene after payments of the edit turn, each once."""
    paying = ("toughness", "boss", "boss_stay", "edit_skill", "summon_by_skill", "turn_up", "draw_card")
    seen, open_scenes = {scene.state}, [scene]
    while open_scenes:
        now = open_scenes.pop()
        yield now
        later = (now.after(move) for move in now.listed(paying))
        fresh = [s for s in later if s.state not in seen]
        seen.update(s.state for s in fresh)
        open_scenes += fresh


def _condition(text: str) -> Callable[[Scene], bool]:
    """A condition on mana or life: mana[A][L][0] is Elements, life[A][L] <= 16, mana[A][L] is not empty."""
    if found := re.fullmatch(r"mana\[(\w)\]\[([LMR])\]\[(\d)\] is (not )?Elements", text):
        name, c, slot, wanted = found[1], column(found[2]), int(found[3]), found[4] is None
        return lambda s: (s.stack(s.seat(name), c)[slot : slot + 1] == ["*"]) is wanted
    if found := re.fullmatch(r"mana\[(\w)\]\[([LMR])\] is (not )?empty", text):
        name, c, empty = found[1], column(found[2]), found[3] is None
        return lambda s: (not s.stack(s.seat(name), c)) is empty
    if found := re.fullmatch(r"life\[(\w)\]\[([LMR])\] <= (\d+)", text):
        name, c, most = found[1], column(found[2]), int(found[3])
        return lambda s: s.cell("life", s.seat(name), c) <= most
    raise CaseError(f"{text!r} is no condition that can be asked here", f"{text!r}という条件はここでは問えない")
