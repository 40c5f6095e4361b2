"""Questions about the battle turn: guards, damage, battle cards, recovery, the clean-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from monjudge.model.monjan.cases.card_names import CaseError, read_card
from monjudge.model.monjan.cases.notation import SEATS, column
from monjudge.model.monjan.cases.paying import attack_value_of
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene, guard_places
from monjudge.model.monjan.match import SOURCE

__all__ = ["attacked", "struck"]


def attacked(q: Question, attacker: str, attack: Any) -> None:
    """Completes the state: the attacker has declared this attack (a value or a card) among others."""
    part = q.part(attacker)
    declared = part.get("attacks")
    if declared is None:
        part["attacks"] = [attack]
    elif str(attack) not in map(str, declared):
        part["attacks"] = [*declared, attack]


def struck(scene: Scene, attacker: int, owner: int, attack: Any) -> Scene:
    """The scene in which this declared attack of the attacker has come to the defender."""
    battle = scene.battle(attacker, owner).quiet()
    declared = scene.position.declared.get(attacker, {})
    for source, name in declared.items():
        if name == str(attack):
            strikes = battle.moves("strike", attacker, source=source)
            if strikes:
                return battle.after(strikes[0])
    raise CaseError(f"the attack {attack!r} cannot be declared", f"攻撃{attack!r}を宣言できない")


def _guarding(q: Question, attack: Any, owner: str, place: int) -> tuple[Scene, bool]:
    """The scene after the attack was taken by the card at the place, and whether it may be."""
    attacker = q.who if q.query.get("who", owner) != owner else q.rival(owner)
    attacked(q, attacker, attack)
    scene = q.scene()
    me, at = scene.seat(owner), scene.seat(attacker)
    waiting = struck(scene, at, me, attack).quiet()
    guards = waiting.moves("guard", me, by=place)
    return (waiting.after(guards[0]).quiet(), True) if guards else (waiting, False)


@operation
def guard(q: Question) -> Facts:
    """Whether the card may take the attack, and what is left then."""
    by = str(q["by"])
    owner = by.partition(".")[0] if by[:2] in {f"{name}." for name in SEATS} else str(q.query.get("owner") or q.rival(q.who))
    places = guard_places(owner)
    by = by if by.startswith(f"{owner}.") else f"{owner}.{by}"
    if by not in places:
        return {**q.scene().facts(q.scene().seat(owner)), "legal": False}
    after, legal = _guarding(q, q["attack"], owner, places.index(by))
    return {**after.facts(after.seat(owner)), "legal": legal}


@operation
def guards(q: Question) -> Facts:
    """Every card that may take the attack."""
    attacker = q.who
    owner = q.query.get("owner") or q.rival(attacker)
    attacked(q, attacker, q["attack"])
    scene = q.scene()
    me = scene.seat(owner)
    waiting = struck(scene, scene.seat(attacker), me, q["attack"]).quiet()
    names = guard_places(owner)
    return {"guards": Counter(names[move.args[0]] for move in waiting.moves("guard", me))}


@operation
def damage(q: Question) -> Facts:
    """What so much damage does to the defence of a column: an attack that it takes."""
    letter = q.letter("col")
    owners = [name for name, part in q.state.items() if isinstance(part, dict) and (part.get("def") or {}).get(letter)]
    if not owners:
        raise CaseError(f"no player has a defence in {letter}", f"列{letter}に防御のあるプレイヤーがいない")
    owner = owners[0] if len(owners) == 1 else str(q.query.get("owner") or q.rival(q.who))
    q.query = {**q.query, "who": q.rival(owner)}
    after, legal = _guarding(q, q["amount"], owner, column(letter))
    return {**after.facts(after.seat(owner)), "legal": legal}


@operation
def attack_value(q: Question) -> Facts:
    """The attack of a card that stands ready to attack."""
    card = read_card(q["card"])
    scene = q.scene()
    if card not in scene.position.cards:
        q.part()["attacks"] = [*q.part().get("attacks", []), q["card"]]
        scene = q.scene()
    me = scene.seat(q.who)
    values = [attack_value_of(scene, me, source) for source in _sources(scene, me, card)]
    return {"value": values[0] if values else None}


def _sources(scene: Scene, p: int, card: Any) -> list[int]:
    """Where the card stands ready to attack, by number of the source."""
    kinds = [scene.cell("attack", p, c) for c in range(3)] + [scene.cell("extra", p)]
    kinds += [scene.cell("outside", p, i) for i in range(2)] + [scene.cell("above", p, i) for i in range(4)]
    return [source for source, kind in enumerate(kinds) if kind and scene.catalogue.cards[kind] == card]


@operation
def E_heal(q: Question) -> Facts:
    """What the Extra card recovers in its owner's attack step."""
    scene = q.scene()
    me = scene.seat(q.who)
    battle = scene.battle(me, scene.after_seat(me)).quiet()
    moves = battle.moves("extra_heal", me, column=column(q.letter("col", "target")))
    after = battle.after(moves[0]) if moves else battle
    return {**after.facts(me), "legal": bool(moves)}


@operation
def play_battlecard(q: Question) -> Facts:
    """Whether a battle card may be played ``on`` an attack, an own defence or an opposing card (or on any), and its effect."""
    card, on = q.hold(q["card"]), str(q.query.get("on", ""))
    kind, _, which = on.partition(" ")
    if kind == "attack":
        return _added(q, card, which)
    scene = q.scene()
    me = scene.seat(q.who)
    owner, _, place = (on if "." in on else f"{q.who if kind == 'def' else q.rival()}.{kind}.{which}").partition(".")
    number, rival = scene.catalogue[card], owner if owner != q.who else q.rival()
    battle = scene.battle(me, scene.seat(rival))
    moves = []
    if not on or (owner == q.who and place.startswith("def")):
        moves += battle.moves("heal", me, card=number, **({"column": column(place[4:])} if on else {}))
    if not on or owner != q.who:
        foe = scene.seat(rival)
        sources = [s for s in range(SOURCE.size) if not on or scene.source_place(foe, s) == f"{owner}.{place}"]
        moves += battle.moves("kill", me, card=number, at=sources)
    if not moves and not on and q.part().get("attacks"):
        return _added(q, card, "")
    after = battle.after(moves[0]) if moves else battle
    return {**after.facts(me), "legal": bool(moves)}


def _added(q: Question, card: Any, attack: str) -> Facts:
    """A card played while an attack of a player is made: added to it, or destroying the card that makes it.

    The attack is named by its value, its card or its place; without a name it is the first that is declared.
    """
    by_place = "." in attack
    attacker = attack.partition(".")[0] if by_place else next((n for n in (q.who, q.rival()) if _attacks(q, n, attack)), q.who)
    if not by_place and not _attacks(q, attacker, attack):
        attacked(q, attacker, attack or "1")
    scene = q.scene()
    me, at = scene.seat(q.who), scene.seat(attacker)
    battle = scene.battle(at, scene.seat(q.rival(attacker) if at == me else q.who)).quiet()
    strikes = battle.moves("strike", at, source=_called(scene, at, attack))
    now = battle.after(strikes[0]) if strikes else battle
    if at != me:
        now = now.passed_to(me)
    number, source = scene.catalogue[card], now.cell("source")
    moves = now.moves("bonus", me, card=number) or (now.moves("kill", me, card=number, at=source) if source >= 0 else [])
    after = now.after(moves[0]) if moves else now
    return {**after.facts(me), "legal": bool(moves), "attack": after.cell("power") if after.cell("source") >= 0 else None}


def _called(scene: Scene, p: int, attack: str) -> list[int]:
    """The sources of the attacks that are called so; all if there is no name."""
    declared = scene.position.declared.get(p, {})
    found = [s for s in range(SOURCE.size) if attack in ("", declared.get(s), scene.source_place(p, s))]
    return found or _sources(scene, p, read_card(attack))


def _attacks(q: Question, name: str, attack: str) -> bool:
    part = q.state.get(name) or {}
    known = [str(a) for a in (*part.get("attacks", ()), *(part.get("atk") or {}).values(), *part.get("out", ()))]
    return attack in known if attack else bool(known)


@operation
def cleanup(q: Question) -> Facts:
    """What is left when the battle turn is over."""
    scene = q.scene()
    return scene.cleaned_up().facts(scene.seat(q.who))
