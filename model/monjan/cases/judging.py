"""Questions about any single move: whether it is legal, the clauses that it fails, and what it makes of the position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from monjudge.model.language import NATURE, Clause, LimitReached, Move
from monjudge.model.monjan.cases.card_names import CaseError, read_card, unknown
from monjudge.model.monjan.cases.notation import column
from monjudge.model.monjan.cases.question import UNDETERMINED, Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene, guard_places
from monjudge.model.monjan.match import SOURCE

Reader = Callable[[Scene, int, Any], int]
"""The value of a parameter from how a case writes it, in a scene, for the player who moves."""


@operation
def legal(q: Question) -> Facts:
    """Whether the move is legal after the moves that lead to it; else the clauses that it fails.

    A parameter that the move does not name may have any value: the move is legal if it is so for some value, and
    fails the clauses that it fails for all of them.
    """
    scene = _begun(q)
    for earlier in q.query.get("after", []):
        scene = _made(q, scene, earlier)
    moves = _moves(q, scene, q["move"])
    allowed = _allowed(scene, moves)
    after = scene if allowed is None else scene.after(allowed)
    if "die" in q.query:
        after = after.rolled(q["die"])
    failing = [scene.engine.failing(scene.state, move) for move in moves] if allowed is None else []
    return {**after.facts(scene.seat(q.who)), "legal": _verdict(failing), "failing": Counter(_always(failing))}


def _begun(q: Question) -> Scene:
    """The edit turn, or the attack step of the player under ``attacker`` against the one under ``target``."""
    scene = q.scene()
    if "attacker" not in q.query:
        return scene
    active = scene.seat(q["attacker"])
    return scene.battle(active, scene.seat(q["target"]) if "target" in q.query else scene.after_seat(active))


def _made(q: Question, scene: Scene, written: Any) -> Scene:
    """The scene after a move that must be legal, or after everybody has passed until there is something to decide."""
    if written == "all pass":
        return scene.quiet()
    moves = _moves(q, scene, written)
    allowed = _allowed(scene, moves)
    if allowed is None:
        failed = ", ".join(_always([scene.engine.failing(scene.state, move) for move in moves]))
        raise CaseError(f"{written!r} cannot be done before the move ({failed})", f"{written!r}はその前に行えない（{failed}）")
    return scene.after(allowed)


def _allowed(scene: Scene, moves: list[Move]) -> Move | None:
    return next((move for move in moves if scene.engine.legal(scene.state, move)), None)


def _verdict(failing: list[list[Clause]]) -> Any:
    """True where no move fails anything, False where rules forbid all, undetermined where the text is silent.

    Raises LimitReached where only bounds of the model forbid one.
    """
    if not failing:
        return True
    open_ways = [failed for failed in failing if all(clause.kind != "rule" for clause in failed)]
    if not open_ways:
        return False
    if any(clause.kind == "open" for failed in open_ways for clause in failed):
        return UNDETERMINED
    raise LimitReached(", ".join(_always(open_ways)))


def _always(failing: list[list[Clause]]) -> list[str]:
    """The ids of the clauses that are in all of the lists, in the order of the first."""
    lists = [list(dict.fromkeys(clause.id for clause in failed)) for failed in failing]
    return [id for id in lists[0] if all(id in other for other in lists)] if lists else []


# -- moves in words --------------------------------------------------------------------------------------


def _moves(q: Question, scene: Scene, written: Any) -> list[Move]:
    """All moves that a written one may mean: ``{"action": "guard", "who": "B", "by": "B.def.L"}``."""
    if not isinstance(written, Mapping) or not isinstance(written.get("action"), str):
        raise unknown("move", written, '{"action": "mana", "card": "f2", "column": "L"}')
    name = written["action"]
    action = scene.rules.by_name.get(name)
    if action is None:
        raise unknown("action", name, ", ".join(scene.rules.by_name))
    me = NATURE if action.is_chance else scene.seat(written.get("who", q.who))
    given = {key: value for key, value in written.items() if key not in ("action", "who")}
    if strange := given.keys() - {p.name for p in action.params}:
        raise unknown(f"parameter of {name}", sorted(strange)[0], ", ".join(p.name for p in action.params) or "{}")
    values: dict[str, int] = {}
    for parameter in action.params:
        if parameter.name in given:
            number = values[parameter.name] = _number(scene, me, name, parameter.name, given[parameter.name])
            if number not in parameter.values:
                raise unknown(f"{parameter.name} of {name}", given[parameter.name], f"{parameter.values[0]}..{parameter.values[-1]}")
    return list(scene.candidates(name, me, **values))


def _number(scene: Scene, me: int, action: str, parameter: str, given: Any) -> int:
    if isinstance(given, int):
        return int(given)
    reader = _READERS.get(f"{action}.{parameter}") or _READERS.get(parameter)
    if reader is None:
        raise unknown(parameter, given, "1")
    return reader(scene, me, given)


def _card(scene: Scene, me: int, given: Any) -> int:
    card = read_card(given)
    if card not in scene.catalogue.cards:
        raise unknown("card of this position", given, "f7")
    return scene.catalogue[card]


def _column(scene: Scene, me: int, given: Any) -> int:
    return column(given)


def _player(scene: Scene, me: int, given: Any) -> int:
    return scene.seat(given)


def _aimed(scene: Scene, me: int, given: Any) -> int:
    """The player at whom a skill is aimed; null for nobody."""
    return 0 if given is None else scene.seat(given)


def _guard(scene: Scene, me: int, given: Any) -> int:
    """The place of a guard, like B.def.L, of the player who guards."""
    return _place(given, guard_places(scene.position.names[me]))


def _source(scene: Scene, me: int, given: Any) -> int:
    """Where an attack comes from, like A.atk.L or B.out.0; or the value or card as which it was declared."""
    declared = {name: source for source, name in scene.position.declared.get(me, {}).items()}
    if str(given) in declared:
        return declared[str(given)]
    owner = str(given).partition(".")[0]
    return _place(given, [scene.source_place(scene.seat(owner), s) for s in range(SOURCE.size)])


def _place(given: Any, places: Any) -> int:
    if given not in places:
        raise unknown("place", given, ", ".join(places))
    return int(places.index(given))


def _way(scene: Scene, me: int, given: Any) -> int:
    return 1 + _place(given, ("PAIR", "NUMBER"))


def _field(scene: Scene, me: int, given: Any) -> int:
    """A116: the attack field that an Extra card fills; null for a place of its own."""
    return 0 if given is None else 1 + column(given)


_READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("card", "give", "take"), _card),
    **dict.fromkeys(("column", "from", "field", "target"), _column),
    **dict.fromkeys(("strike.target", "lot.player"), _player),
    **dict.fromkeys(("by", "guard"), _guard), **dict.fromkeys(("source", "kill.at"), _source),
    "edit_skill.at": _aimed, "extra.by": _way, "extra.at": _field,
}  # fmt: skip
"""How the parameters are read, by action and parameter or by parameter alone; a number is taken as it is."""
