# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.12: the four printed boards and their eight skills."""

from __future__ import annotations

from monjudge.model.language import all_of, any_of, both, count_of, eq, minimum, tabulate
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.norms.writer import Of, Said, Writer, after


def add(n: Writer) -> None:
    """Maxima as printed, and what each skill needs and does."""
    _printed(n)
    _edit_skills(n)
    _battle_skills(n)


def _printed(n: Writer) -> None:
    m = n.match
    caps = {"FLEHEIM": (4, 6, 5), "ATELIER": (6, 5, 6), "MANAST": (6, 4, 6), "HUNTERS": (4, 5, 7)}
    priorities = {"FLEHEIM": 40, "ATELIER": 25, "MANAST": 30, "HUNTERS": 20}
    for p, board in enumerate(m.setting.boards):
        if board.name in caps and board == PRINTED[board.name]:
            n.means(f"BOARD.{board.name}.cap", lambda a, p=p, b=board: both(*(m.cap(p, c) == caps[b.name][c] for c in range(3))))
            earlier = [q for q, other in enumerate(m.setting.boards) if priorities.get(other.name, 0) > priorities[board.name]]
            n.means(f"BOARD.{board.name}.0", lambda a, p=p, earlier=earlier: both(*(m.rank(p) < m.rank(q) for q in earlier)))


def _rolled(n: Writer, what: str, most: int) -> Said:
    m = n.match
    return lambda a: m.is_pending(what) & (a.face <= most)


def _edit_skills(n: Writer) -> None:
    m = n.match
    p, place = m.pending_player, m.pending_place
    for id in ("BOARD.MANAST.L", "SKILL.ex1"):
        n.does(id, "roll", lambda a: after(m.life[p, place]) == minimum(16, m.life[p, place] + 2), when=_rolled(n, "LASER", 3))
    for id in ("BOARD.MANAST.R", "SKILL.ex2"):
        n.does(id, "roll", lambda a: after(m.due[p]) == m.due[p] + 1,
               when=lambda a: m.is_pending("GRAVITY") & (a.face <= 4) & after(m.is_pending("DRAW")))  # fmt: skip
    n.must("BOARD.ATELIER.L", "tea", lambda a: (m.hand[a.me, a.give] > 0) & m.is_kind(a.take, "PLUS", "KILL", "PLAIN"))
    n.does("BOARD.ATELIER.L", "tea", lambda a: after(m.hand[a.me, a.take]) == m.hand[a.me, a.take] + 1, when=lambda a: ~eq(a.give, a.take))
    n.must("BOARD.ATELIER.L2", "tea", lambda a: m.uses["tea"][a.me] < 3)
    n.may("BOARD.ATELIER.R", "recycle", lambda a: True, claimed=m.reading("A95", "KIND_KEPT"))
    n.must("BOARD.ATELIER.R", "recycle", lambda a: m.is_kind(m.outside[a.me, a.slot], "ASSASSIN"))
    n.does("BOARD.ATELIER.R2", None, lambda a: all_of(m.players, lambda p: all_of(2, lambda i: (
        (m.reused[p, i] != 1) | (after(m.outside[p, i]) == m.outside[p, i])))),
        when=lambda a: m.is_phase("BATTLE") & after(m.is_phase("EDIT")))  # fmt: skip
    n.never("BOARD.ATELIER.R3", "recycle", lambda a: m.reused[a.me, a.slot] > 0)
    n.never("BOSS.3a", "recycle", lambda a: True, claimed=m.reading("A95", "NOTHING_BUT_NUMBER"))


def _battle_skills(n: Writer) -> None:
    m = n.match
    n.must("BOARD.FLEHEIM.L", "ritual", lambda a: m.last_fall > 0)
    for act, step in (("ritual", "W_DAMAGE"), ("trap", "W_DAMAGE"), ("flame", "W_DECLARED"), ("castle", "W_DECLARED")):
        n.must("SKILL.11", act, lambda a, step=step: m.is_phase("BATTLE") & m.is_step(step))
    count: Of = lambda p: count_of(4, lambda i: m.above[p, i] > 0)
    n.does("BOARD.FLEHEIM.L3", "ritual", lambda a: eq(after(count(a.me)), count(a.me) + 1))
    # The very card that fell: it is no longer among the Elements into which FALL.1 gathers it.
    fell: Of = lambda p, c: eq(m.last_fall, 3 * p + c + 1)
    elements: Of = lambda gone: all_of(m.players, lambda p: all_of(2, lambda s: (
        ~fell(p, 2 * s) | eq(after(m.elements[p, 2 * s]), m.elements[p, 2 * s] - gone))))
    n.does("BOARD.FLEHEIM.L", "ritual", lambda a: elements(1), claimed=m.reading("A124", "TAKES_CARD", "OWN_ONLY") & ~m.reading("A67", "MANA_ONLY"))
    n.does("FALL.1", "ritual", lambda a: elements(0), claimed=m.reading("A124", "TOKEN", "OWN_HAND_CARD"))
    n.does("BOARD.FLEHEIM.L2", "ritual", lambda a: any_of(4, lambda i: (m.above[a.me, i] == 0) & (after(m.above[a.me, i]) > 0)))
    n.does("BOARD.FLEHEIM.L2", "strike", lambda a: after(m.power) == 1, when=lambda a: a.source >= 6)
    n.must("BOARD.FLEHEIM.L4", "ritual", lambda a: m.uses["ritual"][a.me] < 4, claimed=m.reading("A125", "ABOVE_ROW_4_PER_GAME"))
    faster = m.reading("A48", "SNAPSHOT") & m.reading("A49", "STRICT")
    n.must("BOARD.FLEHEIM.R", "flame", lambda a: m.speed[m.active] > m.speed[a.me], claimed=faster)
    n.does("BOARD.FLEHEIM.R2", "roll", lambda a: after(m.flame) == m.pending_place + 1, when=_rolled(n, "FLAME", 3))
    n.must("BOARD.FLEHEIM.R2", "guard", lambda a: eq(a.by, m.flame - 1),
           when=lambda a: (m.flame > 3) & (m.flame < 7) & (m.attack[a.me, m.flame - 4] > 0))  # fmt: skip
    for id, act in (("BOARD.FLEHEIM.R", "flame"), ("BOARD.HUNTERS.L", "castle"), ("BOARD.HUNTERS.R", "trap")):
        n.must(id, act, lambda a: eq(m.target, a.me) & (m.source >= 0))
    n.must("BOARD.FLEHEIM.R2", "flame", lambda a: (a.by >= 7) | (m.attack[a.me, a.by - 3] > 0), when=lambda a: ~eq(a.by, 6))
    n.must("BOARD.HUNTERS.R2", "trap", lambda a: both(m.guard >= 0, m.guard < 3, m.power > 0, m.alive[m.active]))
    for id, act in (("BOARD.HUNTERS.L", "castle"), ("BOARD.HUNTERS.R", "trap")):
        n.must(id, act, lambda a: m.speed[m.active] < m.speed[a.me], claimed=faster)
    n.does("BOARD.HUNTERS.L2", "roll", lambda a: both(*(after(m.life[m.target, c]) == m.life[m.target, c] for c in range(3))),
           when=_rolled(n, "CASTLE", 2))  # fmt: skip
    n.must("BOARD.HUNTERS.L3", "castle", lambda a: m.uses["castle"][a.me] == 0)
    half = tabulate(lambda d: d // 2, m.power)
    for id in ("BOARD.HUNTERS.R2", "BOARD.HUNTERS.R3"):
        n.does(id, "roll", lambda a: after(m.power) == half, when=lambda a: m.is_pending("TRAP") & (a.face <= 3) & (half > 0))
    n.must("BOARD.HUNTERS.R4", "trap", lambda a: ~any_of(8, lambda s: m.skill_used[a.me, 1, s]), claimed=m.reading("A81", "GLOBAL"))


