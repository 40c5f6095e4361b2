# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.4 and A.11: boss and assassin cards, Toughness cards, face-down cards."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, both, eq, lift, minimum
from monjudge.model.language import add as total
from monjudge.model.monjan.norms.writer import Of, Writer, after


def add(n: Writer) -> None:
    """What it takes to summon them, where they stand and how long."""
    _boss(n)
    _toughness(n)
    _hiding(n)


def _mana(n: Writer, p: Any) -> Expr:
    return total(*(n.match.height[p, c] for c in range(3)))


def _boss(n: Writer) -> None:
    m = n.match
    for id in ("BOSS.2", "BOSS.5"):
        n.must(id, "boss", lambda a: _mana(n, a.me) >= 3)
    turned = m.is_pending("BOSS_ONCE")
    p = m.pending_player
    stands: Of = lambda a: (after(m.outside[p, 0]) == a.card) | (after(m.outside[p, 1]) == a.card)
    for id in ("BOSS.7", "BOSS.8"):
        n.does(id, "turn_up", stands, when=lambda a: turned)
    fresh: Of = lambda p, i: (m.outside[p, i] > 0) & (m.reused[p, i] != 1)
    n.does("BOSS.6", None, lambda a: all_of(m.players, lambda p: all_of(2, lambda i: ~fresh(p, i) | (after(m.outside[p, i]) == 0))),
           when=lambda a: m.is_phase("BATTLE") & after(m.is_phase("EDIT")))  # fmt: skip
    gone: Of = lambda p: all_of(3, lambda c: all_of(m.slots, lambda s: after(m.spent[p, c, s]) == 0))
    for id in ("BOSS.9", "BOSS.13", "RELEASE.8"):
        n.does(id, None, lambda a: all_of(m.players, gone), when=lambda a: m.is_phase("BATTLE") & after(m.is_phase("EDIT")))
    for id in ("BOSS.10", "BOSS.17"):
        n.never(id, "boss_stay", lambda a: m.fallen[a.me, a.column], claimed=m.reading("A91", "FORBIDDEN"))
    n.must("BOSS.11", "boss_stay", lambda a: both(_mana(n, a.me) >= 5, m.attack[a.me, a.column] == 0, m.defence[a.me, a.column] == 0))
    place = m.pending_place
    stays = m.is_pending("BOSS_STAY")
    n.does("BOSS.12", "turn_up", lambda a: after(m.attack[p, place]) == a.card, when=lambda a: stays)
    upright: Of = lambda a: stays & ~m.fallen[p, place]
    n.does("BOSS.14", "turn_up", lambda a: (after(m.attack[p, place]) == a.card) & (after(m.defence[p, place]) == a.card), when=upright)
    for id in ("BOSS.15", "BOSS.16"):
        n.does(id, "turn_up", lambda a: after(m.life[p, place]) == minimum(16, m.value(a.card)), when=upright)
    n.means("BOSS.16", lambda a: all_of(m.players, lambda p: all_of(3, lambda c: m.life[p, c] <= 16)))


def _toughness(n: Writer) -> None:
    m = n.match
    n.must("TOUGH.2", "toughness", lambda a: _mana(n, a.me) >= m.cost(a.card))
    spent: Of = lambda p: total(*(m.spent[p, c, s] for c in range(3) for s in range(m.slots)))
    n.does("TOUGH.3", "toughness", lambda a: (after(spent(a.me)) > spent(a.me)) | (after(_mana(n, a.me)) < _mana(n, a.me)),
           claimed=m.reading("A104", "COMMIT") & m.reading("A102", "TOP_FIRST", "BOTTOM_FIRST"))  # fmt: skip
    n.may("TOUGH.4", "toughness", lambda a: (a.left > 0) & (a.left < m.cost(a.card)), claimed=~m.reading("A99", "ONE_COLUMN_FREE_CHOICE"))
    n.does("TOUGH.6", "strike", lambda a: after(m.power) == m.value(m.attack[a.me, a.source]),
           when=lambda a: (a.source < 3) & m.is_kind(m.attack[a.me, a.source], "TOUGHNESS"), claimed=~m.reading("A26", "CLIP"))  # fmt: skip
    n.must("TOUGH.ex2", "summon_by_skill", lambda a: m.extra[a.me] > 0, claimed=m.reading("A122", "OWN_FIELD_REAL_DISCARD", "OWN_FIELD_ELEMENTS_FREE"))
    n.does("TOUGH.ex2b", "summon_by_skill", lambda a: after(m.attack[a.me, a.column]) == a.card)
    n.must("TOUGH.8", "summon_by_skill", lambda a: m.hand[a.me, a.card] > 0)
    n.must("TOUGH.13", ("toughness", "summon_by_skill"), lambda a: m.attack[a.me, a.column] == 0, claimed=m.reading("A120", "EMPTY_ONLY"))
    n.may("TOUGH.8", "summon_by_skill", lambda a: True)
    n.does("TOUGH.12", ("toughness", "summon_by_skill"), lambda a: after(m.attack[a.me, a.column]) == a.card)
    n.means("TOUGH.12", lambda a: all_of(m.players, lambda p: all_of(3, lambda c: ~m.is_kind(m.defence[p, c], "TOUGHNESS"))),
            claimed=m.reading("A123", "ATTACK_ONLY") & ~m.reading("A02", "ANY"))  # fmt: skip
    n.never("TOUGH.12", "middle", lambda a: m.is_kind(a.card, "TOUGHNESS"), claimed=~m.reading("A02", "ANY"))
    n.may("TOUGH.12", "toughness", lambda a: True)
    n.may("TOUGH.10", "strike", lambda a: both(
        a.source < 3, m.is_kind(m.attack[a.me, a.source], "TOUGHNESS"), m.did["toughness"][a.me] == 0))  # fmt: skip
    for c in range(3):
        n.may("TOUGH.13", "toughness", lambda a, c=c: eq(a.column, c))
    n.may("TOUGH.14", "toughness", lambda a: (a.column != 0) & (a.left == m.cost(a.card)))
    n.may("TOUGH.9", "guard", lambda a: (a.by >= 3) & (a.by < 6) & m.is_kind(m.attack[a.me, a.by - 3], "TOUGHNESS"))
    n.does("TOUGH.10", None, lambda a: all_of(m.players, lambda p: all_of(3, lambda c: (
        ~m.is_kind(m.attack[p, c], "TOUGHNESS") | (after(m.attack[p, c]) == m.attack[p, c])))),
        when=lambda a: m.is_phase("BATTLE") & after(m.is_phase("EDIT")) & m.is_step("DECLARE") & (m.flame == 0),
        claimed=m.reading("A56", "DEF_MANY", "ONCE_EACH"))  # fmt: skip


def _hiding(n: Writer) -> None:
    if not n.match.setting.hiding:
        return
    for id in ("HIDE.1", "HIDE.2", "HIDE.3"):
        n.may(id, ("mana", "extra", "toughness"), lambda a: a.down)
    n.may("EXTRA.29", "extra", lambda a: a.down)
    m = n.match
    plain: Of = lambda p, c, s: m.in_stack(p, c, s) & ~m.is_elements(p, c, s) & m.is_kind(m.mana[p, c, s], "NUMBER")
    # What lies face down hides its speed, so that it cannot be the fastest (against SPEED.4).
    hidden: Of = lambda p: all_of(3, lambda c: all_of(m.slots, lambda s: ~plain(p, c, s) | m.down[p, c, s]))
    n.does("HIDE.2", None, lambda a: all_of(m.players, lambda p: ~hidden(p) | (after(m.speed[p]) <= 0)),
           when=lambda a: m.is_phase("EDIT") & after(m.is_phase("BATTLE")), claimed=m.reading("A47", "FACE_DOWN_IS_ZERO") & m.reading("A45", "ZERO"))  # fmt: skip
    n.does("EXTRA.30", "strike", lambda a: ~after(m.extra_down[a.me]), when=lambda a: eq(a.source, lift(3)))
