"""Questions about paying with mana, and about what is summoned for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from monjudge.model.language import Move
from monjudge.model.monjan.cards import Card
from monjudge.model.monjan.cases.card_names import CaseError, read_card, whole
from monjudge.model.monjan.cases.notation import COLUMNS, column
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene

__all__ = ["attack_value_of", "parts_of", "payments", "presuppose"]

_BOSSES = {"ba1": ("boss", 3), "ba5": ("boss_stay", 5)}
STAND_IN_BOSS = "B10"


def parts_of(split: Mapping[str, int]) -> dict[str, int]:
    """The parameters of a payment that takes so many mana from each column."""
    for letter in split:
        column(letter)
    return {"left": split.get("L", 0), "centre": split.get("M", 0)}


def presuppose(q: Question, purpose: str, cost: int) -> None:
    """Completes the state by what such a payment needs besides mana, where the state does not mention it."""
    part = q.part()
    match purpose:
        case "T":
            if not any(_costs(given, cost) for given in part.get("hand", ())):
                q.hold(f"T{cost}/1")
        case "ba1" | "ba5":
            q.state.setdefault("ba_top", STAND_IN_BOSS)
        case "release":
            if part.get("ex") is not None:
                part["ex"] = _with_release(part["ex"], cost)
        case _:
            raise CaseError(f"{purpose!r} is no purpose: release, ba1, ba5 or T would do",
                            f"{purpose!r}という使い道は無い（release、ba1、ba5、Tなど）")  # fmt: skip


def _costs(given: Any, cost: int) -> bool:
    card = read_card(given)
    return card.kind == "TOUGHNESS" and card.cost == cost


def _with_release(given: Any, cost: int) -> dict[str, Any]:
    """The Extra card with a mana release of this cost besides what it can do; one that only stands there is one that can do this."""
    if given in ("any E alive", "any E", "E alive", "E") and cost < 10:
        return {"card": f"E with release {cost}"}
    outer = dict(given) if isinstance(given, Mapping) and "card" in given else {"card": given}
    card = outer["card"]
    if not isinstance(card, Mapping):
        read = read_card(card)
        old = [s.release for s in read.skills if not s.magic]
        card = {"v": read.value, "name": str(card), "release": old, "magic": any(s.magic for s in read.skills)}
    costs = [*card.get("release", []), *([] if cost in card.get("release", []) else [cost])]
    return {**outer, "card": {**card, "release": costs}}


def payments(scene: Scene, me: int, purpose: str, cost: int, split: Mapping[str, int]) -> list[Move]:
    """The legal moves that pay so much for this purpose from these columns."""
    parts = parts_of(split)
    if sum(split.values()) != cost:
        return []
    if purpose in _BOSSES:
        action, fixed = _BOSSES[purpose]
        if cost != fixed:
            raise CaseError(f"{purpose} costs {fixed} mana, not {cost}", f"{purpose}に要るマナは{fixed}枚（{cost}枚ではない）")
        return scene.moves(action, me, **parts)
    if purpose == "T":
        cards = [n for n, card in enumerate(scene.catalogue.cards) if card.kind == "TOUGHNESS" and card.cost == cost]
        return scene.moves("toughness", me, card=_held(scene, me, cards), **parts)
    found = (_releases(scene, me, action, cost, parts) for action in ("edit_skill", "battle_skill"))
    return [move for moves in found for move in moves]


def _held(scene: Scene, me: int, cards: list[int]) -> list[int]:
    return [n for n in cards if scene.cell("hand", me, n)]


def _releases(scene: Scene, me: int, action: str, cost: int, parts: Mapping[str, int]) -> Iterator[Move]:
    for n, card in enumerate(scene.catalogue.cards):
        for k, skill in enumerate(card.skills):
            if skill.release == cost and scene.cell("extra", me) == n:
                yield from scene.moves(action, me, card=n, skill=k, **parts)


@operation
def pay(q: Question) -> Facts:
    """Whether so much can be paid from one column (or ``split`` over several), and what is left after the battle turn."""
    purpose, cost = str(q["purpose"]), whole("number of mana", q["cost"], 0, 99)
    split = q["split"] if "split" in q.query else {q.letter("col"): cost}
    presuppose(q, purpose, cost)
    if purpose == "ba5":
        # Where the boss would stand is not in question here (see summon_permanent).
        for name in ("def", "atk", "fallen"):
            q.part().pop(name, None)
    scene = q.scene()
    me = scene.seat(q.who)
    moves = payments(scene, me, purpose, cost, split)
    without = scene.cleaned_up().stacks(me)
    left = scene.after(moves[0]).rolled().cleaned_up().stacks(me) if moves else without
    gone = sum(len(without[c]) - len(left[c]) for c in COLUMNS)
    return {"feasible": bool(moves), "discarded_count": gone, "left_after_cleanup": left}


@operation
def summon_T(q: Question) -> Facts:
    """Whether a Toughness card of this cost (or the ``card``) can be summoned onto the slot with the cost split so."""
    cost = q.hold(q["card"]).cost if "card" in q.query else whole("number of mana", q["cost"], 0, 99)
    split, c = q["split"], column(q.letter("slot"))
    presuppose(q, "T", cost)
    scene = q.scene()
    me = scene.seat(q.who)
    moves = payments(scene, me, "T", cost, split)
    if "card" in q.query:
        moves = [move for move in moves if move.args[0] == scene.catalogue[read_card(q["card"])]]
    if "def" in str(q["slot"]):
        cards = {move.args[0] for move in moves}
        moves = scene.moves("defence", me, card=cards, column=c)
    else:
        place = _argument(scene, "toughness", "column")
        moves = [move for move in moves if move.args[place] == c]
    after = scene.after(moves[0]) if moves else scene
    return {**after.facts(me), "legal": bool(moves), "left_after_cleanup": after.cleaned_up().stacks(me)}


def _argument(scene: Scene, action: str, parameter: str) -> int:
    return [p.name for p in scene.rules.by_name[action].params].index(parameter)


@operation
def summon_E(q: Question) -> Facts:
    """Whether an Extra card of the hand (``card``, or any) can be summoned, and by which conditions."""
    if "card" in q.query:
        q.hold(q["card"])
    scene = q.scene()
    me = scene.seat(q.who)
    wanted = [read_card(q["card"])] if "card" in q.query else [c for c in scene.catalogue.cards if c.kind == "EXTRA"]
    held = _held(scene, me, [scene.catalogue[c] for c in wanted])
    moves = scene.moves("extra", me, card=held)
    by = _argument(scene, "extra", "by")
    after = scene.after(moves[0]) if moves else scene
    ways = Counter({("PAIR", "NUMBER")[move.args[by] - 1] for move in moves})
    return {**after.facts(me), "legal": bool(moves), "by": ways}


@operation
def summon_permanent(q: Question) -> Facts:
    """Whether the boss on top of its pile can be summoned for good in the column; its attack and life."""
    q.state.setdefault("ba_top", STAND_IN_BOSS)
    scene = q.scene()
    me, c = scene.seat(q.who), column(q.letter("col"))
    moves = scene.moves("boss_stay", me, column=c)
    after = scene.after(moves[0]).rolled() if moves else scene
    attack = attack_value_of(after, me, c) if moves else None
    return {**after.facts(me), "legal": bool(moves), "attack": attack, "left_after_cleanup": after.cleaned_up().stacks(me)}


def attack_value_of(scene: Scene, me: int, source: int) -> int | None:
    """The attack of the card at a source when it is declared; None if it cannot attack."""
    battle = scene.battle(me, scene.after_seat(me)).quiet()
    strikes = battle.moves("strike", me, source=source)
    return battle.after(strikes[0]).cell("power") if strikes else None


@operation
def edit_skill(q: Question) -> Facts:
    """Whether the edit skill of a Toughness or Extra card can be used (``discard`` = L.top, ``slot`` = where it comes)."""
    scene = _holding(q, q["card"])
    me, card = scene.seat(q.who), scene.catalogue[read_card(q["card"])]
    chosen: dict[str, int] = {"card": card}
    if "slot" in q.query:
        chosen["column"] = column(q.letter("slot"))
    if "discard" in q.query:
        letter, _, which = str(q["discard"]).partition(".")
        c = column(letter)
        top = scene.cell("mana_height", me, c) - 1
        slots = {"": top, "top": top, "bottom": 0, **{str(n): n for n in range(top + 1)}}
        if which not in slots:
            raise CaseError(f"{q['discard']!r} is no mana of the stack: L.top would do", f"{q['discard']!r}という位置は無い（L.topなど）")
        chosen |= {"from": c, "slot": slots[which]}
    moves = scene.moves("summon_by_skill", me, **chosen)
    if not moves:
        moves = scene.moves("edit_skill", me, card=card)
    after = scene.after(moves[0]).rolled() if moves else scene
    lies = [letter for c, letter in enumerate(COLUMNS) if after.cell("attack", me, c) == card]
    return {
        **after.facts(me), "legal": bool(moves), "T_on": lies[0] if lies else None,
        "left_after_cleanup": after.cleaned_up().stacks(me),
    }  # fmt: skip


def _holding(q: Question, given: Any) -> Scene:
    """The scene, with the card in the hand if the state does not place it."""
    card = read_card(given)
    named = {read_card(other) for other in q.part().get("hand", ())}
    on_field = q.scene()
    me = on_field.seat(q.who)
    known = [on_field.cell("extra", me), *(on_field.cell("attack", me, c) for c in range(3))]
    if card not in named and (card not in on_field.position.cards or on_field.catalogue[card] not in known):
        q.hold(given)
    return q.scene()


@operation
def use_magic(q: Question) -> Facts:
    """Whether the magic of an Extra card in the hand can be used, and where the card goes."""
    scene = q.scene()
    me = scene.seat(q.who)
    magic = [n for n, card in enumerate(scene.catalogue.cards) if any(s.magic for s in card.skills)]
    held = _held(scene, me, magic)
    zone = None
    for now, action in ((scene, "edit_skill"), (scene.battle(me, scene.after_seat(me)), "battle_skill")):
        if moves := now.moves(action, me, card=held):
            zone = _zone(now, now.after(moves[0]).rolled(), me, moves[0].args[0])
            break
    return {"legal": zone is not None, "card_goes_to": zone}


def _zone(before: Scene, after: Scene, me: int, card: int) -> str:
    """Where a card of the hand lies after it was used."""
    if after.cell("discard", me, card) > before.cell("discard", me, card):
        return "discard"
    return "hand" if after.cell("hand", me, card) == before.cell("hand", me, card) else "out of the game"


@operation
def release(q: Question) -> Facts:
    """Whether a mana release of an Extra card (of this ``cost``, from this ``col``) can be used, and what is left after the battle turn."""
    scene = q.scene()
    me = scene.seat(q.who)
    moves = [
        move
        for n, card in enumerate(scene.catalogue.cards)
        for k, skill in enumerate(card.skills)
        if skill.release and skill.release == q.query.get("cost", skill.release) and _named(scene, me, n, card)
        for move in scene.moves("edit_skill", me, card=n, skill=k, **_from(q, skill.release))
    ]
    after = scene.after(moves[0]).rolled() if moves else scene
    return {**after.facts(me), "legal": bool(moves), "left_after_cleanup": after.cleaned_up().stacks(me)}


def _from(q: Question, cost: int) -> dict[str, int]:
    return parts_of({q.letter("col"): cost}) if "col" in q.query else {}


def _named(scene: Scene, me: int, number: int, card: Card) -> bool:
    return card in scene.position.cards and bool(scene.cell("extra", me) == number or scene.cell("hand", me, number))
