# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of set-up, hands, draws, the speed check and Events."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, both, either, eq, ite, primed, sum_of
from monjudge.model.norms import Of, Writer, after
from monjudge.model.rancher.cards import STAT
from monjudge.model.rancher.match import DRAW, HAND, LAID, Match

__all__ = ["add", "every_player"]


def every_player(says: Any) -> Expr:
    """Whether something holds for both players."""
    return both(says(0), says(1))


def add(m: Match, n: Writer) -> None:
    """What is said of the beginning of a game and of a turn."""
    _setup(m, n)
    _hands(m, n)
    _draws(m, n)
    _speed(m, n)
    _events(m, n)


def _setup(m: Match, n: Writer) -> None:
    pulls: Of = lambda p: sum_of(m.slots, lambda s: m.pull(m.monster[p, s]))
    n.must("R.SETUP.1", "ready", lambda a: both(pulls(a.me) <= 4, any_of(m.slots, lambda s: m.monster[a.me, s] > 0)))
    n.means("R.SETUP.1", lambda a: every_player(lambda p: pulls(p) <= 4), when=lambda a: m.is_step("CHOOSE"))
    n.does("R.SETUP.2", "choose", lambda a: both(
        after(m.standing(a.me)) == m.standing(a.me) + 1, after(m.library[a.me, a.card]) == m.library[a.me, a.card] - 1))  # fmt: skip
    n.means("R.SETUP.5", lambda a: eq(m.first, m.setting.youngest), when=lambda a: m.is_step("CHOOSE"))
    n.means("R.INIT.1", lambda a: every_player(lambda p: m.fame[p] == 0), when=lambda a: m.is_step("CHOOSE"))
    n.means("R.INIT.2", lambda a: every_player(lambda p: m.hand_size(p) == 0), when=lambda a: m.is_step("CHOOSE"))
    n.does("R.INIT.1", None, lambda a: every_player(lambda p: after(m.fame[p]) >= m.fame[p]))


def _hands(m: Match, n: Writer) -> None:
    filled: Of = lambda a: m.is_step("REFILL") & ~after(m.is_step("REFILL"))
    n.does("R.INIT.2", None, lambda a: every_player(lambda p: after(m.hand_size(p)) <= HAND), when=filled,
           claimed=~m.reading("AMB_HAND", "ONLY_UP"))  # fmt: skip
    n.does("R.INIT.2", None, lambda a: every_player(lambda p: (after(m.hand_size(p)) >= HAND) | (after(m.in_library(p)) == 0)), when=filled)
    n.does("R.META.2", ("discard", "give_up"), lambda a: after(m.hand[a.me, a.card]) == m.hand[a.me, a.card] - 1)
    n.does("R.ZONE.1", ("discard", "give_up"), lambda a: after(m.discard[a.me, a.card]) == m.discard[a.me, a.card] + 1,
           claimed=m.reading("AMB_DECKOUT_WHEN", "NEEDED", "NEXT_TIME"))  # fmt: skip
    n.must("R.ZONE.1", ("discard", "give_up", "add", "aid", "hinder"), lambda a: m.hand[a.me, a.card] > 0)
    kinds = len(m.cards)
    n.does("R.ZONE.3", None, lambda a: every_player(lambda p: all_of(kinds, lambda k: after(m.removed[p, k]) >= m.removed[p, k])))


def _draws(m: Match, n: Writer) -> None:
    drawer = ite(m.due[m.first] > 0, m.first, m.second)
    purpose: Of = lambda *names: either(*(eq(m.purpose, DRAW[name]) for name in names))
    n.does("R.PULL.5", "draw", lambda a: all_of(len(m.cards), lambda k: after(m.hand[drawer, k]) == m.hand[drawer, k]),
           when=lambda a: purpose("SPEED"))  # fmt: skip
    n.means("R.PULL.6", lambda a: every_player(lambda p: m.due[p] <= 1), when=lambda a: purpose("JUDGE"))
    n.means("R.META.3", lambda a: every_player(lambda p: any_of(2, lambda q: m.fame[q] >= 3)), when=lambda a: m.ended,
            claimed=~m.reading("AMB_NOACT", "LOSES"))  # fmt: skip
    n.does("R.META.3", None, lambda a: every_player(lambda p: (m.in_library(p) >= 0) & (after(m.in_library(p)) >= 0)))
    done: Of = lambda a: (m.judged > 0) & after(m.judged == 0)
    n.does("R.PULL.8", None, lambda a: after(m.discard[m.trainer, m.judged]) >= 1, when=done,
           claimed=m.reading("AMB_DECKOUT_WHEN", "NEEDED", "NEXT_TIME"))  # fmt: skip
    kept: Of = lambda p, i: m.is_type(m.shown[p, i], "EVENT", "BATTLE") | (m.shown[p, i] == 0)
    n.means("R.PULL.8", lambda a: every_player(lambda p: all_of(LAID, lambda i: kept(p, i))), when=lambda a: m.is_step("SELECT"))


def _speed(m: Match, n: Writer) -> None:
    named: Of = lambda a: m.is_step("ACTIVE") & after(m.is_step("RECKON"))
    for id in ("R.PULL.7", "R.MON.8"):
        n.does(id, None, lambda a: every_player(lambda p: either(
            after(m.due[p]) == primed(m.fights_with(p, STAT.speed)), (after(m.due[p]) == 0) & (after(m.in_library(p)) == 0))), when=named)  # fmt: skip
    for id in ("R.MON.4", "R.FIELD.4"):
        n.must(id, "name", lambda a: m.stands(a.me, a.slot))
        n.does(id, "name", lambda a: after(m.active[a.me]) == a.slot)
    for id in ("R.INJ.1", "R.INJ.3"):
        n.never(id, None, lambda a: any_of(2, lambda p: m.has_active(p) & m.injured[p, m.active[p]]))
    n.does("R.WIN.2", None, lambda a: (after(m.turn) == m.turn) | (after(m.turn) == m.turn + 1))
    n.means("R.WIN.1", lambda a: m.ended, when=lambda a: any_of(2, lambda p: m.fame[p] >= 3), claimed=m.reading("AMB_WINTIE", "AT_ONCE"))
    n.means("R.GAME.1", lambda a: any_of(2, lambda p: m.fame[p] >= 3), when=lambda a: m.ended, claimed=~m.reading("AMB_NOACT", "LOSES"))


def _events(m: Match, n: Writer) -> None:
    laid: Of = lambda p, card: any_of(LAID, lambda i: m.shown[p, i] == card)
    higher: Of = lambda card: any_of(2, lambda p: any_of(LAID, lambda i: (
        m.is_type(m.shown[p, i], "EVENT") & (m.pull(m.shown[p, i]) > m.pull(card)))))  # fmt: skip
    n.must("R.EVT.3", "event", lambda a: laid(a.me, a.card))
    n.never("R.EVT.3", None, lambda a: any_of(2, lambda p: any_of(LAID, lambda i: m.is_type(m.shown[p, i], "EVENT"))),
            when=lambda a: m.is_step("SELECT", "MOVE", "PLAY"), claimed=~m.reading("AMB_EVTTIME", "MERGED"))  # fmt: skip
    n.never("R.EVT.4", "event", lambda a: higher(a.card))
    for id in ("R.EVT.5", "R.ZONE.2"):
        n.does(id, "event", lambda a: after(m.removed[a.me, a.card]) == m.removed[a.me, a.card] + 1)
    for id, type in (("R.EVT.6", "EVENT"), ("R.BAT.5", "BATTLE"), ("R.PULL.2", "MONSTER"), ("R.MOVE.2", "TRAINING")):
        n.may(id, ("order", "add"), lambda a, type=type: m.is_type(a.card, type))
    n.may("R.FIELD.6", "event", lambda a: laid(a.me, a.card))
