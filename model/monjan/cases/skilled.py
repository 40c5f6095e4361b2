"""Questions about board skills: when they may be used, and what they do for each face of the die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from monjudge.model.language import Move
from monjudge.model.monjan.boards import SKILL
from monjudge.model.monjan.cases.battling import attacked, struck
from monjudge.model.monjan.cases.card_names import CaseError, read_card
from monjudge.model.monjan.cases.notation import COLUMNS, column
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


def _said(q: Question, after: Scene, me: int, legal: bool, effect: bool, **more: Any) -> Facts:
    """The facts; a skill without an effect has null, or false where the case says so."""
    nothing = False if q.case.get("expect", {}).get("effect") is False else None
    return {**after.facts(me), "legal": legal, "effect": effect or nothing, **more}


# -- in the edit turn ------------------------------------------------------------------------------------


@operation
def laser(q: Question) -> Facts:
    """Recovery of one own defence."""
    scene = q.scene()
    me = scene.seat(q.who)
    target = {"column": column(q.letter("target", "col"))} if "target" in q.query or "col" in q.query else {}
    after, legal, effect = _used(q, scene, scene.moves("laser", me, **target))
    return _said(q, after, me, legal, effect)


@operation
def gravity(q: Question) -> Facts:
    """One more draw."""
    scene = q.scene()
    me = scene.seat(q.who)
    scene = scene.put({("deck", scene.catalogue[read_card(_DRAWN)]): 100})
    after, legal, effect = _used(q, scene, scene.moves("gravity", me))
    drawn = after.counted("hand", me).total() - scene.counted("hand", me).total()
    return _said(q, after, me, legal, effect, extra_draw=drawn)


@operation
def tea(q: Question) -> Facts:
    """A battle card picked up for a card of the hand."""
    scene = q.scene()
    me = scene.seat(q.who)
    give, take = (scene.catalogue[read_card(q[key])] for key in ("give", "take"))
    after, legal, effect = _used(q, scene, scene.moves("tea", me, give=give, take=take))
    return _said(q, after, me, legal, effect)


@operation
def recycle(q: Question) -> Facts:
    """Whether a one-turn assassin stays for the next battle turn."""
    scene = q.scene()
    me = scene.seat(q.who)
    moves = scene.moves("recycle", me)
    after, legal, effect = _used(q, scene, moves)
    later = after.cleaned_up()
    stays = legal and later.cell("outside", me, moves[0].args[0]) > 0
    return _said(q, after, me, legal, effect, available_next_battle=stays)


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
    by = {"by": _guard_place(q.who, "atk", str(q["by"]))} if "by" in q.query else {}
    after, legal, effect = _used(q, scene, scene.moves("flame", me, **by))
    return _said(q, _attack_step(after, me, foe), me, legal, effect)


def _attack_step(scene: Scene, me: int, foe: int) -> Scene:
    """The rest of the attack step: every attack is made, and taken by a card that may, by the middle defence last."""
    while True:
        scene = _attack_taken(scene, me)
        moves = scene.moves("strike", foe) or scene.moves("stop", foe)
        if not moves or scene.cell("active") != foe:
            return scene
        scene = scene.after(moves[0])


def _attack_taken(scene: Scene, me: int) -> Scene:
    """The scene after an attack that was declared, if there is one: a card that may takes it, the middle defence last."""
    scene = scene.quiet()
    guards = sorted(scene.moves("guard", me), key=lambda move: move.args[0] == 1)
    return scene.after(guards[0]).quiet() if guards else scene


@operation
def castle(q: Question) -> Facts:
    """The attack of a slower opponent is nothing; if it still is one, a card takes it."""
    scene, me, _ = _under_attack(q, _first_attack(q))
    used, legal, effect = _used(q, scene, scene.moves("castle", me))
    received = used.cell("power") if used.quiet().moves("guard", me) else 0
    return _said(q, _attack_taken(used, me), me, legal, effect, damage=received)


@operation
def trap(q: Question) -> Facts:
    """Half of the damage that a defence took goes back to a slower opponent."""
    attack, place = q.query.get("damage", _first_attack(q)), _guard_place(q.who, "def", str(q.query.get("guard", "M")))
    if place < len(COLUMNS):
        q.part().setdefault("def", {}).setdefault(COLUMNS[place], ["n16", 16])
    waiting, me, _ = _under_attack(q, attack)
    guards = waiting.quiet().moves("guard", me, by=place)
    if not guards:
        raise CaseError(f"{q['guard']} cannot guard", f"{q['guard']}ではガードできない")
    hit = waiting.quiet().after(guards[0]).passed_until(me, "W_DAMAGE")
    after, legal, effect = _used(q, hit, hit.moves("trap", me))
    back = after.cell("power") if after.cell("step") == STEP["GUARD_BACK"] else 0
    return _said(q, after, me, legal, effect, returned=back)


def _guard_place(name: str, row: str, text: str) -> int:
    """The number of a guard's place: L in the row, else atk.L or A.atk.L."""
    places = guard_places(name)
    full = f"{name}.{row}.{text}" if text in COLUMNS else text if text.startswith(f"{name}.") else f"{name}.{text}"
    if full not in places:
        raise CaseError(f"{text!r} is no place for a guard", f"{text!r}はガードする場所ではない")
    return places.index(full)


@operation
def ritual(q: Question) -> Facts:
    """A card whose life has become zero comes back with an attack of 1; where the state has no such fall, one is made."""
    fall = felled(q)
    scene = q.scene()
    me, now = scene.seat(q.who), fall(scene)
    after, legal, effect = _used(q, now, now.moves("ritual", me))
    return _said(q, after, me, legal, effect)


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
