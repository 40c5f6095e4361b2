"""Questions about the edit turn: single placements, whole turns, and sequences of acts through a battle turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from monjudge.model.language import Move
from monjudge.model.monjan.cases.card_names import CaseError, read_card
from monjudge.model.monjan.cases.notation import column
from monjudge.model.monjan.cases.paying import payments, presuppose
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene
from monjudge.model.monjan.cases.skilled import felled
from monjudge.model.monjan.match import PHASE

_ROWS = {"atk": ("attack",), "def": ("defence", "middle")}
_EVERY_EXTRA = {"pair": None, "nums": list(range(1, 17)), "v": 5}
"""An Extra card that any number on top summons, where a turn names no card."""


# -- single acts -----------------------------------------------------------------------------------------


def _placing(scene: Scene, me: int, row: Any, c: int, card: Any) -> list[Move]:
    if row not in _ROWS:
        raise CaseError(f"{row!r} is no row: atk or def would do", f"{row!r}という欄は無い（atkかdef）")
    number = scene.catalogue[read_card(card)]
    moves = [move for action in _ROWS[row][:1] for move in scene.moves(action, me, card=number, column=c)]
    # The mandatory middle defence of the first turn is an act of its own.
    return moves + (scene.moves("middle", me, card=number) if row == "def" and c == 1 else [])


def _answer(scene: Scene, me: int, moves: list[Move]) -> Facts:
    after = scene.after(moves[0]) if moves else scene
    return {**after.facts(me), "legal": bool(moves)}


@operation
def place_number(q: Question) -> Facts:
    """Whether a number card may be put on the attack or defence field of a column."""
    q.hold(q["card"])
    scene = q.scene()
    me = scene.seat(q.who)
    return _answer(scene, me, _placing(scene, me, q["row"], column(q.letter("col")), q["card"]))


@operation
def place_mana(q: Question) -> Facts:
    """Whether a card may be laid as mana in a column."""
    q.hold(q["card"])
    scene = q.scene()
    me = scene.seat(q.who)
    return _answer(scene, me, scene.moves("mana", me, card=scene.catalogue[read_card(q["card"])], column=column(q.letter("col"))))


@operation
def set_defence(q: Question) -> Facts:
    """The life of a defence that is set; mana that the state does not mention are there."""
    card, letter = q.hold(q["card"]), q.letter("col")
    if "turn" in q.query:
        q.state["turn"] = q["turn"]
    q.part().setdefault("mana", {}).setdefault(letter, [f"{'fwgan'[card.element]}B"] * 2 if card.element < 5 else [])
    scene = q.scene()
    me = scene.seat(q.who)
    answer = _answer(scene, me, _placing(scene, me, "def", column(letter), q["card"]))
    return {**answer, "life": answer["life"][letter] if answer["legal"] else None}


@operation
def legal_mana_cards(q: Question) -> Facts:
    """The cards of the hand that may be laid as mana."""
    scene = q.scene()
    me = scene.seat(q.who)
    held = [n for n in range(1, len(scene.catalogue)) if scene.cell("hand", me, n)]
    return {"cards": Counter({scene.word(move.args[0]) for move in scene.moves("mana", me, card=held)})}


@operation
def end_edit(q: Question) -> Facts:
    """Whether the player may end the edit turn."""
    scene = q.scene()
    me = scene.seat(q.who)
    return _answer(scene, me, scene.moves("end", me))


# -- acts in words ---------------------------------------------------------------------------------------

Act = Callable[[Scene, int], Iterable[Scene]]
"""The scenes that an act of a player may lead to, whatever its words leave open; none if it is illegal."""

_SKILLS = ("laser", "gravity", "tea", "recycle", "edit_skill", "summon_by_skill")


def _act(text: str, q: Question) -> Act:
    """What an act in words means; completes the state by what the act presupposes."""
    if text == "ritual":
        fall = felled(q)
        return _moving(q, lambda s, me: s.moves("ritual", me), before=fall)
    return _moving(q, _moves(text, q))


def _moving(q: Question, moves: Callable[[Scene, int], list[Move]], before: Callable[[Scene], Scene] | None = None) -> Act:
    die = q.query.get("die", 1)

    def act(scene: Scene, me: int) -> Iterator[Scene]:
        now = scene if before is None else before(scene)
        return (now.after(move).rolled(die) for move in moves(now, me))

    return act


def _moves(text: str, q: Question) -> Callable[[Scene, int], list[Move]]:
    if found := re.fullmatch(r"mana ([LMR]) (\S+)", text):
        c, given = column(found[1]), found[2]
        return lambda s, me: s.moves("mana", me, card=s.catalogue[read_card(given)], column=c)
    if found := re.fullmatch(r"(atk|def) ([LMR]) (\S+)", text):
        row, c, given = found[1], column(found[2]), found[3]
        return lambda s, me: _placing(s, me, row, c, given)
    if re.fullmatch(r"summon E(?: .*)?", text):
        return _summon_extra(q)
    if found := re.fullmatch(r"(?:pay |summon )?(?:(T|release )(\d+)(/\d+)?|(ba[15])) from ([LMR]+)", text):
        purpose = (found[1] or found[4]).strip()
        cost = int(found[2]) if found[2] else {"ba1": 3, "ba5": 5}[purpose]
        split = _split(found[5], cost)
        if found[3]:
            q.hold(f"T{cost}{found[3]}")
        presuppose(q, purpose, cost)
        return lambda s, me: payments(s, me, purpose, cost, split)
    if re.fullmatch(r"E(?: edit)? skill", text):
        presuppose(q, "release", 0)
        return lambda s, me: payments(s, me, "release", 0, {})
    if text in ("draw", "end", *_SKILLS):
        return lambda s, me: s.moves(text, me)
    raise CaseError(f"{text!r} is no act: mana L f2, atk L f4, def M f9, summon E, summon T1 from L, ba1 from L would do",
                    f"{text!r}という行動は読めない（mana L f2、atk L f4、summon E、ba1 from Lなど）")  # fmt: skip


def _split(letters: str, cost: int) -> dict[str, int]:
    """One column pays all; where several are named, each pays as often as it is named."""
    return {letters: cost} if len(letters) == 1 else dict(Counter(letters))


def _summon_extra(q: Question) -> Callable[[Scene, int], list[Move]]:
    if not any(read_card(given).kind == "EXTRA" for given in q.part().get("hand", ())):
        q.hold(_EVERY_EXTRA)
    return lambda s, me: s.moves("extra", me, card=[
        n for n, card in enumerate(s.catalogue.cards) if card.kind == "EXTRA" and s.cell("hand", me, n)])  # fmt: skip


def _hold_all(q: Question, acts: Iterable[str]) -> None:
    """The player holds the cards that the acts lay, as often as they are laid."""
    laid: Counter[str] = Counter()
    for text in acts:
        if found := re.fullmatch(r"(?:mana|atk|def) [LMR] (\S+)", text):
            laid[found[1]] += 1
    for given, copies in laid.items():
        q.hold(given, copies=copies)


@operation
def edit_turn(q: Question) -> Facts:
    """Whether the acts, in this order, are together a legal edit turn."""
    texts: list[str] = q["acts"]
    _hold_all(q, texts)
    acts = [_act(text, q) for text in texts]
    scene = q.scene()
    me = scene.seat(q.who)
    end = _through(scene, me, acts)
    return {**(end or scene).facts(me), "legal": end is not None}


def _through(scene: Scene, me: int, acts: list[Act]) -> Scene | None:
    """A scene after all acts; None if there is no legal way."""
    if not acts:
        return scene
    ends = (_through(later, me, acts[1:]) for later in acts[0](scene, me))
    return next((end for end in ends if end is not None), None)


# -- sequences through a battle turn ---------------------------------------------------------------------

_STEPS = ("enter BATTLE", "CLEANUP", "speed")


@operation
def sequence(q: Question) -> Facts:
    """What the acts make of the position, one after the other: payments, skills, the battle turn, the clean-up."""
    texts: list[str] = q["acts"]
    _hold_all(q, texts)
    acts = [(text, None if text.startswith(_STEPS) else _act(text, q)) for text in texts]
    scene = q.scene()
    me = scene.seat(q.who)
    facts: Facts = {"legal": []}
    for text, act in acts:
        if act is not None:
            later = next(iter(act(scene, me)), None)
            facts["legal"].append(later is not None)
            scene = later or scene
        elif text == "enter BATTLE":
            scene = scene.battle_begun()
            facts["mana_in_battle"] = scene.stacks(me)
        elif text == "CLEANUP":
            scene = scene.cleaned_up()
            facts["after_cleanup"] = scene.stacks(me)
        else:
            facts |= _speed(scene, me, text, after="after_cleanup" in facts)
    return {**scene.facts(me), **facts}


def _speed(scene: Scene, me: int, text: str, *, after: bool) -> Facts:
    """The speed of a player now: that of the battle turn, or that with which one would begin."""
    found = re.fullmatch(r"speed(?:\((\w)\))?", text)
    if found is None:
        raise CaseError(f"{text!r} is no step: speed(A) would do", f"{text!r}という段階は無い（speed(A)など）")
    player = scene.seat(found[1]) if found[1] else me
    if scene.cell("phase") == PHASE["BATTLE"]:
        return {"speed_in_battle": scene.cell("speed", player)}
    return {"speed_after" if after else "speed_before": scene.battle_begun().cell("speed", player)}
