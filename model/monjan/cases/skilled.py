"""Questions about board skills: when they may be used, and what they do for each face of the die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from monjudge.model.language import Move
from monjudge.model.monjan.boards import SKILL
from monjudge.model.monjan.cases.battling import attacked, struck
from monjudge.model.monjan.cases.card_names import CaseError, read_card
from monjudge.model.monjan.cases.notation import column
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene, guard_places
from monjudge.model.monjan.match import STEP

__all__ = ["felled"]

_DRAWN = "m"
"""What lies in the pile where the state mentions none."""


@operation
def usable_board_skills(q: Question) -> Facts:
    """The skills of the board that are unlocked: no rule about unlocking forbids them."""
    scene = q.scene()
    me = scene.seat(q.who)
    board = scene.position.boards[me].name or q.who
    found: Counter[str] = Counter()
    for side, letter in enumerate(("L", "R")):
        skill = SKILL.labels[scene.cell("board_skill", me, side)].lower()
        move = next(scene.candidates(skill, me), None)
        if move is not None and all(clause.id != "SKILL.5" for clause in scene.engine.failing(scene.state, move)):
            found[f"{board}.{letter}"] += 1
    return {"skills": found}


def _used(q: Question, now: Scene, moves: list[Move]) -> tuple[Scene, bool, bool]:
    """The scene after the skill and its die, whether it was legal, and whether it had an effect."""
    if not moves:
        return now, False, False
    tried = now.after(moves[0])
    rolled = tried.rolled(int(q.query["die"]) if "die" in q.query else None)
    if rolled.cell("pending"):
        raise CaseError("the query needs 'die'", "問いに'die'（サイコロの目）が無い")
    nothing = tried.put(pending=0, pending_done=0).settled()
    return rolled, True, rolled.state != nothing.state


def _said(after: Scene, me: int, legal: bool, effect: bool, **more: Any) -> Facts:
    return {**after.facts(me), "legal": legal, "effect": True if effect else None, **more}


# -- in the edit turn ------------------------------------------------------------------------------------


@operation
def laser(q: Question) -> Facts:
    """Recovery of one own defence."""
    scene = q.scene()
    me = scene.seat(q.who)
    target = {"column": column(q["target"])} if "target" in q.query else {}
    return _said(*_with(me, _used(q, scene, scene.moves("laser", me, **target))))


def _with(me: int, used: tuple[Scene, bool, bool]) -> tuple[Scene, int, bool, bool]:
    after, legal, effect = used
    return after, me, legal, effect


@operation
def gravity(q: Question) -> Facts:
    """One more draw."""
    scene = q.scene()
    me = scene.seat(q.who)
    scene = scene.put({("deck", scene.catalogue[read_card(_DRAWN)]): 100})
    after, legal, effect = _used(q, scene, scene.moves("gravity", me))
    drawn = after.counted("hand", me).total() - scene.counted("hand", me).total()
    return _said(after, me, legal, effect, extra_draw=drawn)


@operation
def tea(q: Question) -> Facts:
    """A battle card picked up for a card of the hand."""
    scene = q.scene()
    me = scene.seat(q.who)
    give, take = (scene.catalogue[read_card(q[key])] for key in ("give", "take"))
    return _said(*_with(me, _used(q, scene, scene.moves("tea", me, give=give, take=take))))


@operation
def recycle(q: Question) -> Facts:
    """Whether a one-turn assassin stays for the next battle turn."""
    scene = q.scene()
    me = scene.seat(q.who)
    moves = scene.moves("recycle", me)
    after, legal, effect = _used(q, scene, moves)
    later = after.cleaned_up()
    stays = legal and later.cell("outside", me, moves[0].args[0]) > 0
    return _said(after, me, legal, effect, available_next_battle=stays)


# -- in the battle turn ----------------------------------------------------------------------------------


def _under_attack(q: Question, attack: Any) -> tuple[Scene, int, int]:
    """The scene in which the actor is attacked and has the word, the actor, and the attacker."""
    attacker = q.rival()
    attacked(q, attacker, attack)
    scene = q.scene()
    me, foe = scene.seat(q.who), scene.seat(attacker)
    return struck(scene, foe, me, attack).passed_to(me), me, foe


def _first_attack(q: Question) -> Any:
    """The attack that is asked about: named by ``on`` or ``attack``, else the first of the opponent."""
    if "on" in q.query:
        return str(q["on"]).removeprefix("attack ")
    return q.query.get("attack", (q.part(q.rival()).get("attacks") or ["1"])[0])


@operation
def flame(q: Question) -> Facts:
    """One own attack card takes all attacks of a faster opponent; the rest of the attack step is played."""
    scene, me, foe = _under_attack(q, _first_attack(q))
    by = {"by": guard_places(q.who).index(q["by"])} if "by" in q.query else {}
    after, legal, effect = _used(q, scene, scene.moves("flame", me, **by))
    if effect:
        after = _attack_step(after, me, foe)
    return _said(after, me, legal, effect)


def _attack_step(scene: Scene, me: int, foe: int) -> Scene:
    """The rest of the attack step: every attack is made, each is taken by the first card that may."""
    while True:
        scene = scene.quiet()
        moves = scene.moves("guard", me) or scene.moves("strike", foe) or scene.moves("stop", foe)
        if not moves or scene.cell("active") != foe:
            return scene
        scene = scene.after(moves[0])


@operation
def castle(q: Question) -> Facts:
    """The attack of a slower opponent is nothing."""
    scene, me, _ = _under_attack(q, _first_attack(q))
    before = [scene.cell("life", me, c) for c in range(3)]
    after, legal, effect = _used(q, scene, scene.moves("castle", me))
    lost = sum(before) - sum(after.cell("life", me, c) for c in range(3))
    return _said(after, me, legal, effect, damage=lost)


@operation
def trap(q: Question) -> Facts:
    """Half of the damage that a defence took goes back to a slower opponent."""
    attack = q.query.get("damage", _first_attack(q))
    waiting, me, _ = _under_attack(q, attack)
    guards = waiting.quiet().moves("guard", me, by=_guard_place(q.who, str(q["guard"])))
    if not guards:
        raise CaseError(f"{q['guard']} cannot guard", f"{q['guard']}ではガードできない")
    hit = waiting.quiet().after(guards[0]).passed_until(me, "W_DAMAGE")
    after, legal, effect = _used(q, hit, hit.moves("trap", me))
    back = after.cell("power") if after.cell("step") == STEP["GUARD_BACK"] else 0
    return _said(after, me, legal, effect, returned=back)


def _guard_place(name: str, text: str) -> int:
    """The number of a guard's place: L for the left defence, else atk.L or A.atk.L."""
    places = guard_places(name)
    full = f"{name}.def.{text}" if "." not in text else text if text.startswith(f"{name}.") else f"{name}.{text}"
    if full not in places:
        raise CaseError(f"{text!r} is no place for a guard", f"{text!r}はガードする場所ではない")
    return places.index(full)


@operation
def ritual(q: Question) -> Facts:
    """A card whose life has become zero comes back with an attack of 1; where the state has no such fall, one is made."""
    fall = felled(q)
    scene = q.scene()
    me, now = scene.seat(q.who), fall(scene)
    return _said(*_with(me, _used(q, now, now.moves("ritual", me))))


def felled(q: Question) -> Callable[[Scene], Scene]:
    """Completes the state by an attack that fells a side defence of the opponent; returns how it happens.

    The scene is then in the window after the damage, and the actor has the word.
    """
    foe = q.rival()
    letter = _falling_column(q, foe)
    q.part(foe).setdefault("def", {}).setdefault(letter, ["n1", 1])
    attacked(q, q.who, _FELLING)

    def fall(scene: Scene) -> Scene:
        me, other = scene.seat(q.who), scene.seat(foe)
        waiting = struck(scene, me, other, _FELLING).quiet()
        guards = waiting.moves("guard", other, by=column(letter))
        return waiting.after(guards[0]).passed_until(me, "W_DAMAGE") if guards else waiting

    return fall


_FELLING = 16
"""An attack that no defence survives."""


def _falling_column(q: Question, foe: str) -> str:
    """The side column of the opponent that falls: the one asked about, else one that stands or may stand."""
    if "on" in q.query:
        return str(q["on"]).split(".")[-1]
    part = q.part(foe)
    fallen = part.get("fallen", ())
    sides = [c for c in ("L", "R") if c not in fallen]
    standing = [c for c in sides if (part.get("def") or {}).get(c)]
    if not sides:
        raise CaseError("both side columns of the opponent have fallen already", "相手の左右の列はもう倒れている")
    return (standing or sides)[0]
