# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of A.2, A.6 and A.13: the edit turn, its limits, and who edits when."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Expr, all_of, any_of, as_int, both, either, eq
from monjudge.model.language import add as total
from monjudge.model.monjan.norms.table import PLACING
from monjudge.model.monjan.norms.writer import Of, Writer, after

EDIT_ACTS = (*PLACING, "draw", "middle", "end", "laser", "gravity", "recycle", "tea", "edit_skill", "summon_by_skill")
EDIT_SKILLS = ("laser", "gravity", "recycle", "tea", "edit_skill", "summon_by_skill")
BATTLE_ACTS = ("strike", "stop", "extra_heal", "guard", "guard_back", "bonus", "heal", "kill", "pass", "ritual", "flame", "castle", "trap", "battle_skill")
BATTLE_SKILLS = ("ritual", "flame", "castle", "trap", "battle_skill")


def add(n: Writer) -> None:
    """What may be done in an edit turn, how often, and in which order the players edit."""
    _limits(n)
    _skills(n)
    _turns(n)


def _placed(n: Writer, p: Any, *kinds: str) -> Expr:
    return total(*(n.match.did[k][p] for k in kinds))


def _limits(n: Writer) -> None:
    m = n.match
    each = m.reading("A08", "CONJ3", "EACH")
    one_row = m.reading("A09", "SHARED") & m.reading("A10", "CAPACITY", "BOTH")
    n.must("EDIT.1", "mana", lambda a: m.did["mana"][a.me] == 0, claimed=each | m.reading("A08", "BASE2"))
    n.must("EDIT.1", ("attack", "defence"), lambda a: eq(_placed(n, a.me, "attack", "defence"), 0), claimed=each & one_row)
    n.must("EDIT.7", "mana", lambda a: m.did["mana"][a.me] == 0, claimed=each | m.reading("A08", "BASE2"))
    for row in ("attack", "defence"):
        # Literally one card for each of the two fields in one turn.
        other = "defence" if row == "attack" else "attack"
        n.may("EDIT.8", row, lambda a, other=other: m.did[other][a.me] > 0, claimed=m.reading("A09", "EACH_ROW", "EACH_SLOT"))
    n.must("EDIT.9", "extra", lambda a: m.did["extra"][a.me] == 0, claimed=~m.reading("A08", "TOTAL3_ONLY"))
    n.must("EDIT.9", "toughness", lambda a: m.did["toughness"][a.me] == 0, claimed=~m.reading("A08", "TOTAL3_ONLY"))
    # All of them in one turn: the fourth placement comes after three others.
    n.may("EDIT.10", PLACING[1:5], lambda a: _kinds(n, a.me) >= 3, claimed=m.reading("A08", "EACH"))
    n.must("EDIT.11", ("boss", "boss_stay"), lambda a: m.did["boss"][a.me] == 0, claimed=~m.reading("A08", "TOTAL3_ONLY"))
    n.must("EDIT.12", PLACING[:5], lambda a: m.did["total"][a.me] < 3, claimed=m.reading("A08", "CONJ3", "TOTAL3_ONLY"))
    n.must("EDIT.12", "boss_stay", lambda a: m.did["total"][a.me] < 3,
           claimed=m.reading("A08", "CONJ3", "TOTAL3_ONLY") & ~m.reading("A11", "NEVER"))  # fmt: skip
    n.must("EDIT.6", "draw", lambda a: eq(_placed(n, a.me, *_KINDS), 0))
    n.may("EDIT.6", "draw", lambda a: True)
    n.must("EDIT.6", "draw_card", lambda a: m.is_pending("DRAW") & (m.due[m.pending_player] + m.due_et[m.pending_player] > 0))
    n.may("EDIT.15", "end", lambda a: True)
    n.does("EDIT.15", "end", lambda a: after(m.done[a.me]), when=lambda a: after(m.is_phase("EDIT")) & (after(m.turn) == m.turn))
    n.must("EDIT.4", EDIT_ACTS, lambda a: both(m.is_phase("EDIT"), m.alive[a.me], ~m.done[a.me], m.nothing_pending()))
    n.must("EDIT.3", ("boss", "boss_stay"), lambda a: m.is_phase("EDIT"))


_KINDS = ("mana", "attack", "defence", "extra", "toughness", "boss")


def _kinds(n: Writer, p: Any) -> Expr:
    did = n.match.did
    row = as_int(did["attack"][p] + did["defence"][p] > 0)
    return total(row, *(as_int(did[k][p] > 0) for k in ("mana", "extra", "toughness")))


def _skills(n: Writer) -> None:
    m = n.match
    skills = EDIT_SKILLS
    for id in ("EDIT.2", "SKILL.1", "SKILL.12", "SKILL.13", "TOUGH.11", "TOUGH.15", "EXTRA.31", "EXTRA.31b"):
        plain = m.reading("A81", "GLOBAL") & m.reading("A107", "SKILL") & m.reading("A118", "COUNTS_AS_SKILL")
        n.must(id, skills, lambda a: ~any_of(8, lambda s: m.skill_used[a.me, 0, s]), claimed=plain)
        if id != "EDIT.2":
            n.must(id, BATTLE_SKILLS, lambda a: ~any_of(8, lambda s: m.skill_used[a.me, 1, s]), claimed=plain)
    fallen: Of = lambda a: either(*(m.fallen[a.me, c] for c in (0, 2)))
    n.must(("SKILL.5", "SKILL.6"), (*skills[:4], "ritual", "flame", "castle", "trap"), fallen, claimed=m.reading("A79", "NEEDS_FALL"))
    n.must("EDIT.13", skills[:4], lambda a: m.is_phase("EDIT"))
    n.must("SKILL.10", skills, lambda a: m.is_phase("EDIT"))
    for id in ("SKILL.11", "BATTLE.2"):
        n.must(id, BATTLE_SKILLS, lambda a: m.is_phase("BATTLE"))
    n.must("BATTLE.1", BATTLE_ACTS, lambda a: m.is_phase("BATTLE"))


def _turns(n: Writer) -> None:
    m = n.match
    first = m.turn == 1
    simultaneous = m.reading("SEQ", "OFF") & m.reading("A15", "ANY_INTERLEAVING")
    for id in ("EDIT.4", "ORDER.0a", "ORDER.0b"):
        n.may(id, "end", lambda a: any_of(m.players, lambda q: ~eq(q, a.me) & ~m.done[q] & m.alive[q]), claimed=simultaneous)
    n.may(("ORDER.1", "ORDER.ex1"), "end", lambda a: first & any_of(m.players, lambda q: ~eq(q, a.me) & ~m.done[q] & m.alive[q]),
          claimed=m.reading("A15", "ANY_INTERLEAVING"))  # fmt: skip
    sequential = m.reading("SEQ", "ON") & m.reading("A139", "BATTLE_ORDER") & m.reading("A140", "PREV_BATTLE_ORDER")
    earlier_done: Of = lambda a: all_of(m.players, lambda q: (m.before[q] >= m.before[a.me]) | m.done[q] | ~m.alive[q])
    for id in ("ORDER.2", "ORDER.2b", "ORDER.3", "ORDER.ex3", "ORDER.ex3b", "ORDER.ex5", "ORDER.ex5b"):
        n.must(id, [act for act in EDIT_ACTS if act != "middle"], earlier_done, when=lambda a: m.turn > 1, claimed=sequential)
