"""Positions of Monjan Colosseum for tests: in the middle of a game by lot, under attack, and with every small stack to pay from.

Each is a mapping of cells for ``RuleSet.state``, still to be settled.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from random import Random
from typing import Any

from monjudge.model.monjan.catalogue.packs import ET
from monjudge.model.monjan.match import PHASE, STEP, Setting

__all__ = ["attacked", "payments", "scattered"]


def scattered(rng: Random, setting: Setting) -> dict[str, Any]:
    """Cells of a position in an edit turn: mana, Elements, defences, attack cards, hands and placements by lot."""
    cards, players = setting.catalogue, setting.players
    monjan = cards.numbers("NUMBER", "PLUS", "KILL", "PLAIN")
    extra, toughness = cards.numbers("EXTRA"), cards.numbers("TOUGHNESS")
    values: dict[str, Any] = {name: [] for name in ("hand", "extra", "extra_by", "outside", "reused", *_COLUMN, "mana", "mana_down", "witness")}
    turn = rng.choice((1, 2, 3))
    for _ in range(players):
        columns = [_column(rng, setting, c) for c in range(3)]
        stacks = [[rng.choice(monjan) for _ in range(column["mana_height"])] for column in columns]
        lies, by = rng.choice([0, *_wanted(setting)[:1], rng.choice(extra or [0])]), 0
        pair = cards.cards[lies].pair
        # Summoned by neither condition a card stays for good; by its pair, where the columns have room to show it.
        if pair and all(column["mana_height"] > column["elements"] for column in columns[:2]):
            for stack, element in zip(stacks, pair, strict=False):
                stack[-1] = rng.choice([k for k in cards.numbers("NUMBER") if cards.cards[k].element == element])
            by = 1
        shown = [cards.cards[stack[-1]].element if stack else -1 for stack in stacks]
        fits = [k for k in extra if cards.cards[k].pair in ((shown[0], shown[1]), (shown[0], shown[2]))]
        hand = rng.choices([*monjan, *extra, *toughness], k=9) + _wanted(setting)[1:] + fits[:2]
        values["hand"] += [hand.count(k) for k in range(len(cards))]
        values["extra"].append(lies)
        values["extra_by"].append(by)
        values["outside"] += [rng.choice([0, *cards.numbers("ASSASSIN")[:1]]), 0]
        values["reused"] += [rng.choice((0, 0, 2)), 0]
        for c, (column, stack) in enumerate(zip(columns, stacks, strict=True)):
            if turn == 1 and c == 1:
                column |= {"defence": 0, "life": 0}
            for name in _COLUMN:
                values[name].append(column[name])
            values["mana"] += [*stack, *[0] * (setting.slots - len(stack))]
            values["mana_down"] += [int(s < column["elements"]) for s in range(setting.slots)]
            values["witness"].append(len(stack) if by and c < 2 else 0)
    used = [[rng.choice((0, 0, 3)), rng.choice((0, 0, 0, 1))] for _ in range(players)]
    did = {f"did_{kind}": [rng.choice((0, 0, 1)) for _ in range(players)] for kind in ("mana", "attack", "defence", "extra", "toughness")}
    if rng.random() < 0.25:  # three kinds have been placed already (EDIT.10)
        did |= dict.fromkeys(("did_mana", "did_attack", "did_toughness"), [1] * players)
    total = [sum(counts) for counts in zip(*did.values(), strict=True)]
    return {
        **values, **did, "did_total": total, "uses_tea": [tea for tea, _ in used], "skill_used": [n for _, u in used for n in (u, *[0] * 15)], "phase": PHASE["EDIT"], "turn": turn, "due": [1] * players,
        "deck": [rng.randint(0, 2) if k in monjan else 0 for k in range(len(cards))],
        "et": [int(c.kind in ET and setting.mode.startswith("URA")) for c in cards.cards],
        "ba": [int(c.kind in ("BOSS", "ASSASSIN")) for c in cards.cards],
        "discard": [int(c.kind in ("PLUS", "KILL")) for c in cards.cards] * players,
    }  # fmt: skip


def _wanted(setting: Setting) -> list[int]:
    """An Extra card that a summon skill needs, and the Toughness cards that have such a skill."""
    able = {k: s.needs for k, c in enumerate(setting.catalogue.cards) for s in c.skills if s.effect == "summon"}
    return [k for k, c in enumerate(setting.catalogue.cards) if c.name in able.values()] + list(able)


_COLUMN = ("fallen", "supplied", "elements", "mana_height", "defence", "life", "attack")


def _column(rng: Random, setting: Setting, c: int) -> dict[str, int]:
    cards = setting.catalogue
    numbers, toughness = cards.numbers("NUMBER"), [0, *cards.numbers("TOUGHNESS")]
    if c != 1 and rng.random() < 0.2:  # room for a permanent boss
        return dict.fromkeys(_COLUMN, 0) | {"mana_height": 5}
    fallen = c != 1 and rng.random() < 0.45
    elements = rng.randint(1, 3) if fallen else 0
    height = elements + rng.randint(0, 3)
    defence = 0 if fallen or (c != 1 and rng.random() < 0.3) else rng.choice(numbers)
    attack = rng.choice([0, rng.choice(numbers), rng.choice(toughness)]) if height else 0
    life = rng.randint(1, min(8, cards.cards[defence].value)) if defence else 0
    return dict(zip(_COLUMN, (int(fallen), int(fallen), elements, height, defence, life, attack), strict=True))


def attacked(rng: Random, setting: Setting) -> dict[str, Any]:
    """A position in which a number card attacks a player both of whose sides have fallen, faster or slower than the attacker.

    Either the attack has just been declared, or a defence has taken it; skills may have been used before.
    """
    cards, attacker, first, hit = setting.catalogue, rng.randrange(2), rng.randrange(2), rng.randrange(2)
    number, low = cards.numbers("NUMBER")[-1], cards.numbers("NUMBER")[0]
    battle_cards = [int(c.kind in ("PLUS", "KILL")) for c in cards.cards]
    sides = [1, 0, 1] * 2
    used = [int(rng.random() < 0.04) for _ in range(32)]
    return {
        "phase": PHASE["BATTLE"], "step": STEP["W_DAMAGE" if hit else "W_DECLARED"], "active": attacker, "word": attacker,
        "target": 1 - attacker, "source": 1, "power": rng.choice((0, 1, 5)), "attacked": [0, 1, *[0] * 8], "turn": 3,
        "stepped": [1 if p == attacker or first == p else 0 for p in (0, 1)],
        "speed": [3, 9] if first else [9, 3], "place": [1, 0] if first else [0, 1], "guard": rng.choice((1, 4)) if hit else -1,
        "last_fall": rng.choice((0, 3 * (1 - attacker) + 1)) if hit else 0, "last_card": number, "skill_used": used,
        "uses_castle": [rng.randrange(2) for _ in range(2)], "uses_ritual": [rng.choice((0, 3, 4)) for _ in range(2)],
        "fallen": sides, "supplied": sides, "elements": sides, "mana_height": sides, "attack": [number] * 6,
        "mana": [n for side in sides for n in (low * side, *[0] * (setting.slots - 1))],
        "mana_down": [n for side in sides for n in (side, *[0] * (setting.slots - 1))],
        "defence": [0, number, 0] * 2, "life": [0, 16, 0] * 2, "hand": battle_cards * 2,
    }  # fmt: skip


def payments(setting: Setting) -> Iterator[dict[str, Any]]:
    """Positions in which A can pay from the left column, with every small stack and every cost of a release, and from two mana in the middle."""
    cards, slots = setting.catalogue, setting.slots
    mana, defence = cards.numbers("NUMBER")[0], cards.numbers("NUMBER")[-1]
    release = list({(s.time, s.release): k for k, c in enumerate(cards.cards) for s in c.skills if s.release}.values())
    cheap = [k for k in cards.numbers("TOUGHNESS") if cards.cards[k].cost == 4]
    for elements, height in itertools.product(range(3), range(1, 6)):
        for extra in release if height >= elements else []:
            common = {
                "mana": [*[mana] * height, *[0] * (slots - height), mana, mana, *[0] * (5 * slots - 2)], "mana_height": [height, 2, *[0] * 4], "elements": [elements, *[0] * 5],
                "mana_down": [int(s < elements) for s in range(6 * slots)], "fallen": [int(elements > 0), *[0] * 5],
                "supplied": [int(elements > 0), *[0] * 5], "extra": [extra, 0], "defence": [0, defence, 0] * 2, "life": [0, 9, 0] * 2,
                "hand": [int(k in cheap) for k in range(len(cards))] + [0] * len(cards), "turn": 3,
                "ba": [int(c.kind == "BOSS") for c in cards.cards], "deck": [int(k == mana) * 9 for k in range(len(cards))],
                "attack": [0, 0, 0, cheap[0] if cheap else 0, 0, 0],
            }  # fmt: skip
            yield common | {"phase": PHASE["EDIT"]}
            battle = {"phase": PHASE["BATTLE"], "step": STEP["W_DECLARED"], "active": 0, "word": 0, "target": 1, "source": 3, "stepped": [1, 0]}
            yield common | battle
