"""Questions about force in one battle: hands open, best play of both, chance against who asks."""

from __future__ import annotations

from monjudge.model.language import NATURE, State
from monjudge.model.rancher.cases.card_names import CaseError
from monjudge.model.rancher.cases.questions import Question, operation
from monjudge.model.rancher.cases.scene import PLAYERS, Facts, Scene

MOST_STATES = 50_000


@operation
def injure(q: Question) -> Facts:
    """Whether the player can injure the other's active monster in this battle, and the first acts that do."""
    me = PLAYERS.index(q.query.get("who", "A"))
    scene = q.scene()
    search = _Search(me, len(scene.of_player("injured", 1 - me)))
    forced = search.forced(scene)
    moves = [m for m in scene.moves() if m.me == me]
    return {"forced": forced, "first": [scene.act_text(m) for m in moves if search.forced(scene.after(m))] if forced else []}


class _Search:
    """Win or not of every state of a battle, remembered. Raises CaseError for a battle that can go round in a circle."""

    def __init__(self, me: int, injured: int) -> None:
        self.me, self.injured = me, injured
        self.known: dict[State, bool | None] = {}

    def forced(self, scene: Scene) -> bool:
        known = self.known.get(scene.state)
        if known is not None:
            return known
        if scene.state in self.known or len(self.known) > MOST_STATES:
            raise CaseError("the battle has no end, or too many states", "バトルに終わりがないか、状態が多すぎる")
        self.known[scene.state] = None
        self.known[scene.state] = value = self._value(scene)
        return value

    def _value(self, scene: Scene) -> bool:
        if len(scene.of_player("injured", 1 - self.me)) > self.injured:
            return True
        if not scene.cell("square", 0):
            return False
        moves = list(scene.moves())
        mine = bool(moves) and moves[0].me not in (NATURE, 1 - self.me)
        results = (self.forced(scene.after(move)) for move in moves)
        return any(results) if mine else bool(moves) and all(results)
