"""Questions about the edit turn: single placements, whole turns, and sequences of acts through a battle turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from monjudge.model.language import Move
from monjudge.model.monjan.cases.notation import COLUMNS, CaseError, column, read_card
from monjudge.model.monjan.cases.paying import payments, presuppose
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene
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
    return _answer(scene, me, _placing(scene, me, q["row"], column(q["col"]), q["card"]))


@operation
def place_mana(q: Question) -> Facts:
    """Whether a card may be laid as mana in a column."""
    q.hold(q["card"])
    scene = q.scene()
    me = scene.seat(q.who)
    return _answer(scene, me, scene.moves("mana", me, card=scene.catalogue[read_card(q["card"])], column=column(q["col"])))


@operation
def set_defence(q: Question) -> Facts:
    """The life of a defence that is set; mana that the state does not mention are there."""
    card, letter = q.hold(q["card"]), str(q["col"])
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

Candidates = Callable[[Scene, int], list[Move]]


def _act(text: str, q: Question) -> Candidates:
    """The legal moves that an act in words allows; completes the state by what the act presupposes."""
    if found := re.fullmatch(r"mana ([LMR]) (\S+)", text):
        c, given = column(found[1]), found[2]
        return lambda s, me: s.moves("mana", me, card=s.catalogue[read_card(given)], column=c)
    if found := re.fullmatch(r"(atk|def) ([LMR]) (\S+)", text):
        row, c, given = found[1], column(found[2]), found[3]
        return lambda s, me: _placing(s, me, row, c, given)
    if re.fullmatch(r"summon E(?: .*)?", text):
        return _summon_extra(q)
    if found := re.fullmatch(r"(?:pay |summon )?(?:(T|release )(\d+)|(ba[15])) from ([LMR]+)(?: to ([LMR]))?", text):
        purpose = (found[1] or found[3]).strip()
        cost = int(found[2]) if found[2] else {"ba1": 3, "ba5": 5}[purpose]
        split = _split(found[4], cost)
        presuppose(q, purpose, cost)
        return lambda s, me: payments(s, me, purpose, cost, split)
    if text in ("draw", "end"):
        return lambda s, me: s.moves(text, me)
    name = text.split()[0]
    if name in _SKILLS:
        return lambda s, me: s.moves(name, me)
    raise CaseError(f"{text!r} is no act: mana L f2, atk L f4, def M f9, summon E, summon T1 from L, ba1 from L would do",
                    f"{text!r}という行動は読めない（mana L f2、atk L f4、summon E、ba1 from Lなど）")  # fmt: skip


_SKILLS = ("laser", "gravity", "tea", "recycle", "edit_skill", "summon_by_skill", "ritual", "flame", "castle", "trap")


def _split(letters: str, cost: int) -> dict[str, int]:
    """One column pays all; where several are named, each pays as often as it is named."""
    if len(letters) == 1:
        return {letters: cost}
    return dict(Counter(letters))


def _summon_extra(q: Question) -> Candidates:
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
    acts: list[str] = q["acts"]
    _hold_all(q, acts)
    candidates = [_act(text, q) for text in acts]
    scene = q.scene()
    me = scene.seat(q.who)
    ends = _through(scene, me, candidates)
    return {**(ends or scene).facts(me), "legal": ends is not None}


def _through(scene: Scene, me: int, acts: list[Candidates]) -> Scene | None:
    """A scene after all acts, whatever is left open by their words; None if there is no legal way."""
    if not acts:
        return scene
    for move in acts[0](scene, me):
        if (end := _through(scene.after(move).rolled(), me, acts[1:])) is not None:
            return end
    return None


# -- sequences through a battle turn ---------------------------------------------------------------------


@operation
def sequence(q: Question) -> Facts:
    """What the acts make of the position, one after the other: payments, skills, the battle turn, the clean-up."""
    acts: list[str] = q["acts"]
    steps = ("enter BATTLE", "CLEANUP", "speed")
    _hold_all(q, acts)
    candidates = [None if text.startswith(steps) else _act(text, q) for text in acts]
    scene = q.scene()
    me = scene.seat(q.who)
    facts: Facts = {"legal": []}
    for text, candidate in zip(acts, candidates, strict=True):
        if candidate is not None:
            moves = candidate(scene, me)
            facts["legal"].append(bool(moves))
            scene = scene.after(moves[0]).rolled(q.query.get("die", 1)) if moves else scene
        elif text == "enter BATTLE":
            scene = scene.battle_begun()
            facts["mana_in_battle"] = _like(q, "mana_in_battle", scene, me)
        elif text == "CLEANUP":
            scene = scene.cleaned_up()
            facts["after_cleanup"] = _like(q, "after_cleanup", scene, me)
        else:
            found = re.fullmatch(r"speed(?:\((\w)\))?", text)
            if found is None:
                raise CaseError(f"{text!r} is no step: speed(A) would do", f"{text!r}という段階は無い（speed(A)など）")
            player = scene.seat(found[1]) if found[1] else me
            if scene.cell("phase") == PHASE["BATTLE"]:
                facts["speed_in_battle"] = scene.cell("speed", player)
            else:
                key = "speed_after" if "after_cleanup" in facts else "speed_before"
                facts[key] = scene.battle_begun().cell("speed", player)
    return {**scene.facts(me), **facts}


def _like(q: Question, key: str, scene: Scene, me: int) -> dict[str, Any]:
    """The mana of each column, as a number where the case asserts numbers, else as stacks."""
    asserted = q.case.get("expect", {}).get(key, {})
    stacks = scene.stacks(me)
    return {c: len(stacks[c]) if isinstance(asserted.get(c), int) else stacks[c] for c in COLUMNS}
