"""Questions about the battle turn: guards, damage, battle cards, recovery, the clean-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

from monjudge.model.monjan.cases.card_names import CaseError, read_card
from monjudge.model.monjan.cases.notation import column
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
    attacker = q.query.get("who") or q.rival(owner)
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
    owner = by.partition(".")[0]
    places = guard_places(owner)
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
    letter = str(q["col"])
    owners = [name for name, part in q.state.items() if isinstance(part, dict) and (part.get("def") or {}).get(letter)]
    if not owners:
        raise CaseError(f"no player has a defence in {letter}", f"列{letter}に防御のあるプレイヤーがいない")
    q.query = {**q.query, "who": q.rival(owners[0])}
    after, legal = _guarding(q, q["amount"], owners[0], column(letter))
    return {**after.facts(after.seat(owners[0])), "legal": legal}


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
    battle = scene.battle(me, (me + 1) % len(scene.position.names)).quiet()
    moves = battle.moves("extra_heal", me, column=column(q["col"]))
    after = battle.after(moves[0]) if moves else battle
    return {**after.facts(me), "legal": bool(moves)}


@operation
def play_battlecard(q: Question) -> Facts:
    """Whether a battle card may be played ``on`` an attack, an own defence or an opposing card, and its effect."""
    card, on = q.hold(q["card"]), str(q.query.get("on", ""))
    words = on.split()
    if words[:1] == ["attack"]:
        return _added(q, card, words[-1])
    scene = q.scene()
    me = scene.seat(q.who)
    number = scene.catalogue[card]
    foe = scene.seat(on.partition(".")[0]) if "." in on else scene.seat(q.rival())
    battle = scene.battle(me, foe)
    moves = []
    if words[:1] == ["def"] or not on:
        moves += battle.moves("heal", me, card=number, **({"column": column(words[-1])} if on else {}))
    if "." in on or not on:
        sources = [s for s in range(SOURCE.size) if not on or scene.source_place(foe, s) == on]
        moves += battle.moves("kill", me, card=number, at=sources)
    after = battle.after(moves[0]) if moves else battle
    return {**after.facts(me), "legal": bool(moves)}


def _added(q: Question, card: Any, attack: str) -> Facts:
    """A card is added to an attack of its player, or (never legally) to an attack of the opponent."""
    attacker = next((n for n in (q.who, q.rival()) if _attacks(q, n, attack)), q.who)
    if not _attacks(q, attacker, attack):
        attacked(q, attacker, attack)
    scene = q.scene()
    me, at = scene.seat(q.who), scene.seat(attacker)
    owner = scene.seat(q.rival(attacker))
    battle = scene.battle(at, owner).quiet()
    declared = scene.position.declared.get(at, {})
    wanted = [s for s, name in declared.items() if name == attack] or _sources(scene, at, read_card(attack))
    strikes = battle.moves("strike", at, source=wanted)
    now = battle.after(strikes[0]) if strikes else battle
    if at != me:
        now = now.passed_to(me)
    moves = now.moves("bonus", me, card=scene.catalogue[card])
    after = now.after(moves[0]) if moves else now
    return {**after.facts(me), "legal": bool(moves), "attack": after.cell("power")}


def _attacks(q: Question, name: str, attack: str) -> bool:
    part = q.state.get(name) or {}
    return attack in [str(a) for a in (*part.get("attacks", ()), *(part.get("atk") or {}).values(), *part.get("out", ()))]


@operation
def cleanup(q: Question) -> Facts:
    """What is left when the battle turn is over."""
    scene = q.scene()
    return scene.cleaned_up().facts(scene.seat(q.who))
