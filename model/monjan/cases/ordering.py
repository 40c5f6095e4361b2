"""Questions about speed and order, set-up, modes and draws, and about figures that are lost."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from monjudge.model.language import LimitReached
from monjudge.model.monjan import modes, set_up
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cases.card_names import read_card
from monjudge.model.monjan.cases.notation import COLUMNS
from monjudge.model.monjan.cases.question import Question, operation
from monjudge.model.monjan.cases.scene import Facts, Scene
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import PHASE, STEP


@operation
def speed(q: Question) -> Facts:
    """The speed of a player when the battle turn begins."""
    scene = q.scene()
    return {"speed": scene.battle_begun().cell("speed", scene.seat(q.who))}


@operation
def order(q: Question) -> Facts:
    """Who attacks before whom, and the speeds."""
    scene = q.scene().battle_begun()
    names = scene.position.names
    speeds = {name: scene.cell("speed", p) for p, name in enumerate(names)}
    return {"order": sorted(names, key=lambda name: scene.cell("place", names.index(name))), "speed": speeds}


@operation
def edit_order(q: Question) -> Facts:
    """Who edits before whom (a list of those who edit together), and whether a player draws before editing, not after."""
    given = "m"
    q.hold(given)
    scene = q.scene().put(drawn=0)
    names = scene.position.names
    turns: list[list[int]] = []
    now = scene
    while turn := [p for p in range(len(names)) if _may_edit(now, p)]:
        turns.append(turn)
        now = now.put({("edit_done", p): 1 for p in turn})
    opener = turns[0][0] if turns else 0
    draws = scene.moves("draw", opener)
    laid = scene.moves("mana", opener, card=scene.catalogue[read_card(given)])
    late = bool(laid) and bool(scene.after(laid[0]).moves("draw", opener))
    order = [names[turn[0]] if len(turn) == 1 else Counter(names[p] for p in turn) for turn in turns]
    return {"order": order if len(turns) > 1 else "simultaneous", "draw_before_edit": bool(draws) and not late}


def _may_edit(scene: Scene, p: int) -> bool:
    """Whether it is the player's turn to edit: no rule about turns forbids it."""
    [end] = scene.candidates("end", p)
    return all(clause.id != "EDIT.4" for clause in scene.engine.failing(scene.state, end))


@operation
def start_draw(q: Question) -> Facts:
    """How many cards of each pile are drawn in the next edit turn."""
    scene = q.scene().put(phase=PHASE["CLEANUP"], step=STEP["NONE"]).settled()
    me = scene.seat(q.who)
    return {"normal": scene.cell("due", me), "et": scene.cell("due_et", me)}


@operation
def caps(q: Question) -> Facts:
    """The attack maxima of the columns."""
    scene = q.scene()
    me = scene.seat(q.who)
    return {letter: scene.cell("cap", me, c) for c, letter in enumerate(COLUMNS)}


@operation
def deal(q: Question) -> Facts:
    """The hand of a player when the first edit turn begins, what is left of the normal pile, and the cards mixed in by lot.

    The shipped pack is dealt, without the cards whose ids are ``missing``.
    """
    position = q.scene().position
    boards = [board if board.name else printed for board, printed in zip(position.boards, PRINTED.values(), strict=False)]
    whole = default_pack()
    missing = {whole.named(id) for id in q.query.get("missing", ())}
    pack = replace(whole, entries=tuple(entry for entry in whole.entries if entry.card not in missing))
    setting = set_up.table(pack, _mode(q), boards, position.readings)
    rules, state = set_up.start(setting, pack)
    scene = Scene(rules, q.tables.engine(rules), setting.catalogue, position, state).settled()
    before = [a.name for a in rules.actions if a.is_chance or "draft" in a.tags]
    mixed = 0
    while scene.cell("phase") != PHASE["EDIT"]:
        move = next(iter(scene.listed(before)), None)
        if move is None:
            raise LimitReached("the deal does not come to its end")
        mixed += move.action == "mix_in"
        scene = scene.after(move)
    left = sum(scene.cell("deck", k) for k in range(len(scene.catalogue)))
    return {"hand": scene.counted("hand", scene.seat(q.who)).total(), "deck_left": left, "mixed_by_lot": mixed}


def _mode(q: Question) -> str:
    return str(q.state.get("mode", "BASIC"))


def _players(q: Question) -> int:
    return int(q.state.get("players", 2))


@operation
def counters(q: Question) -> Facts:
    """The life counters of one player and of all."""
    of_one, of_all = modes.counters(_players(q))
    return {"per_player": of_one, "total": of_all}


@operation
def initial_picks(q: Question) -> Facts:
    """How many cards each player picks before the game."""
    return {"picks_per_player": modes.initial_picks(_mode(q))}


@operation
def normal_pile_size(q: Question) -> Facts:
    """The cards of the normal pile before the deal; ``pool`` are the E/T cards that nobody picked."""
    return {"cards": modes.normal_pile_size(_mode(q), q.state.get("pool"), q.scene().position.readings)}


@operation
def draft_order(q: Question) -> Facts:
    """Who picks when, from the winner of rock-paper-scissors on."""
    position = q.scene().position
    winner = position.names.index(q.state.get("rps_winner", position.names[0]))
    order = modes.draft_order(_mode(q), len(position.names), winner, position.readings)
    return {"order": [position.names[seat] for seat in order]}


@operation
def lost_figure(q: Question) -> Facts:
    """The figure of the document is lost: nothing can be said."""
    return {"status": "UNRECOVERABLE", "answer": "undetermined: the figure is lost"}
