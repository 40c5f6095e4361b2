"""Positions of the Monster Rancher Collectible Card Game by lot: both decks dealt over all zones, in any step of a turn."""

from __future__ import annotations

from random import Random
from typing import Any

from monjudge.model.language import RuleSet, State
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.match import STEP, Setting

__all__ = ["scattered"]

BATTLE = ("MOVE", "ATTACK", "ADD", "PARRY")
STEPS = ("START", "ACTIVE", "SPEED", "RECKON", "EVENT", "SELECT", *BATTLE, "PLAY", "PLAY", "PLAY")


def scattered(rules: RuleSet, setting: Setting, seed: int) -> State:
    """A position, still to be settled: every card of both decks lies somewhere, monsters with cards on them and wounds."""
    rng, cards = Random(seed), setting.catalogue
    step = rng.choice(STEPS)
    values: dict[str, Any] = {f.name: list(f.init) for f in rules.families if f.dims and not f.config}

    def put(name: str, *indices: int, value: int) -> None:
        family = rules.family_named[name]
        place = family.place(indices)
        assert place is not None
        values[name][place] = value

    def add(name: str, *indices: int) -> None:
        place = rules.family_named[name].place(indices)
        assert place is not None
        values[name][place] += 1

    scalars: dict[str, int] = {"step": STEP[step], "turn": rng.randint(1, 9), "first": rng.randint(0, 1), "word": rng.randint(0, 1)}
    battle, trainings = cards.numbers("BATTLE")[0], cards.numbers("TRAINING")
    for p in range(2):
        # Decks shuffled; what is drawn from the end is put in the places that a table has.
        deck = [cards[card] for card, count in setting.decks[p].items() for _ in range(count)]
        rng.shuffle(deck)
        values["library"][p * len(cards) : (p + 1) * len(cards)] = [0] * len(cards)
        if step in BATTLE and battle in deck and "battle" not in scalars:
            deck.remove(battle)
            scalars |= {"battle": battle, "battle_owner": p, "battled": 1}
        monsters = [k for k in deck if k in cards.numbers("MONSTER")][: rng.randint(1, 6)]
        for s, kind in enumerate(monsters):
            deck.remove(kind)
            put("monster", p, s, value=kind)
            put("injured", p, s, value=int(s > 0 and rng.random() < 0.25))
            put("present", p, s, value=int(rng.random() < 0.8))
        if sum(1 for s in range(len(monsters)) if not values["injured"][p * setting.slots + s]) > 5:
            put("injured", p, 5, value=1)
        for kind in [k for k in deck if k in trainings][: rng.randint(0, 3)]:
            deck.remove(kind)
            add("training", p, rng.randrange(len(monsters)), kind - trainings.start)
        if step not in ("START", "ACTIVE"):
            put("active", p, value=0)
        if step in BATTLE:
            put("square", p, value=rng.choice((1, 2) if p == 0 else (3, 4, 5)))
            put("fought", p, 0, value=1)
            life = cards.cards[monsters[0]].stats[STAT.life]
            put("damage", p, value=2 * rng.randrange(life))
        if step in ("RECKON", "EVENT", "SELECT"):
            # When a battle is chosen, everything else that was laid out has gone.
            kinds = cards.numbers("BATTLE") if step == "SELECT" else range(len(cards))
            for i, kind in enumerate([k for k in deck if k in kinds][: rng.randint(0, 4)]):
                deck.remove(kind)
                put("shown", p, i, value=kind)
                put("laid", p, value=i + 1)
        for name, most in (("hand", 7), ("discard", 20)):
            for _ in range(rng.randint(0, most)):
                add(name, p, deck.pop())
        for kind in deck:
            add("library", p, kind)
        put("side", p, value=rng.randint(0, 5) if step in BATTLE else 0)
        put("fame", p, value=rng.randint(0, 2))
    if step in ("ADD", "PARRY"):
        scalars["technique"] = rng.randrange(len(cards.techniques))
    return rules.state({**values, **scalars})
