"""Face-down cards and what each player may know (HIDE.1-3, EXTRA.29-30, FALL.5; A47, A119)."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import FALSE, TRUE, ActionBuilder, Effect, Expr, Simultaneous, both, eq, ite, lift, put
from monjudge.model.monjan.edit import edits, late
from monjudge.model.monjan.match import Match, possible
from monjudge.model.monjan.modes import MODES

__all__ = ["add_hiding", "face_down", "observe", "reveal_source", "reveal_tops", "supports_hidden"]


def face_down(m: Match, a: ActionBuilder) -> Expr:
    """The choice to set the card face down, where the setting allows hiding (HIDE.3)."""
    if not m.setting.hiding:
        return FALSE
    return a.param("down", bool)


def supports_hidden(m: Match, p: Any, c: Any, s: Any) -> Expr:
    """Whether the mana in the slot may serve a condition although it lies face down (A119)."""
    shown = ~m.down[p, c, s] | m.is_elements(p, c, s)
    return shown | m.reading("A119", "REFEREE")


def reveal_source(m: Match, p: Any, source: Any) -> list[Effect]:
    """Effects: a card that attacks or uses a skill is turned face up (EXTRA.30)."""
    if not m.setting.hiding:
        return []
    return [
        put(m.attack_down[p, source], False, when=lift(source) < 3),
        put(m.extra_down[p], False, when=eq(source, 3)),
        put(m.outside_down[p, source - 4], False, when=(lift(source) >= 4) & (lift(source) < 6)),
    ]


def reveal_tops(m: Match, p: Any) -> list[Effect]:
    """Effects: the mana that decide the order are shown when the battle turn begins (A47)."""
    if not m.setting.hiding:
        return []
    every, one = m.reading("A47", "REVEAL_AT_BATTLE"), m.reading("A47", "REVEAL_MAX_ONLY")
    number = [ite(m.is_kind(m.shown(p, c), "NUMBER"), m.value(m.shown(p, c)), 0) for c in range(3)]
    effects = []
    for c in range(3):
        largest = both(*(number[c] >= other for other in number))
        plain = m.height[p, c] > m.elements[p, c]
        effects.append(put(m.down[p, c, m.height[p, c] - 1], False, when=plain & (every | (one & largest))))
    return effects


def add_hiding(m: Match) -> None:
    """What a player sees, and under A119 SHOW_ON_CLAIM the act of showing mana."""
    observe(m)
    if not m.setting.hiding or not possible(m.reading("A119", "SHOW_ON_CLAIM")):
        return
    a = m.game.action("show", en="show a face-down mana", ja="伏せたマナを見せる", tags=["show"])
    column, slot, me = a.param("column", range(3)), a.param("slot", range(m.slots)), m.me
    edits(m, a)
    hidden = m.in_stack(me, column, slot) & m.down[me, column, slot] & ~m.is_elements(me, column, slot)
    a.clause("HIDE.3", hidden & m.reading("A119", "SHOW_ON_CLAIM"))
    a.effect(put(m.down[me, column, slot], False))


def observe(m: Match) -> None:
    """Hands and piles are closed; a face-down card is known to its owner only; all else is open."""
    g = m.game
    g.observe(m.hand, lambda viewer, p, k: viewer == p)
    for pile in (m.deck, m.et, m.ba):
        g.observe(pile, lambda viewer, k: False)
    for known in m.known.values():
        g.observe(known, lambda viewer, i: False)
    g.observe(m.mana, lambda viewer, p, c, s: (viewer == p) | ~m.down[p, c, s] | (m.mana[p, c, s] == 0))
    g.observe(m.attack, lambda viewer, p, c: (viewer == p) | ~m.attack_down[p, c])
    g.observe(m.extra, lambda viewer, p: (viewer == p) | ~m.extra_down[p])
    # How it was summoned and by which mana would tell what the card is.
    g.observe(m.extra_by, lambda viewer, p: (viewer == p) | ~m.extra_down[p])
    g.observe(m.witness, lambda viewer, p, c: (viewer == p) | ~m.extra_down[p])
    g.observe(m.outside, lambda viewer, p, i: (viewer == p) | ~m.outside_down[p, i])
    _pieces(m)
    if possible(m.reading("A15", "BLIND_COMMIT")):
        _screen(m)


def _pieces(m: Match) -> None:
    """Which cards may lie where somebody does not see them (SETUP.2-3, COMP.*): what is unseen lies in one of these places."""
    monjan, every = m.cards.numbers("PLUS", "KILL", "NUMBER", "PLAIN", "ANY"), range(1, len(m.cards))
    et, bosses = m.cards.numbers("EXTRA", "TOUGHNESS"), m.cards.numbers("BOSS", "ASSASSIN")
    mode = MODES[m.setting.mode]
    # Where they are no pile of their own, Extra and Toughness cards are mixed into the deck (MODE.*, A146).
    deck = (*monjan, *et) if mode.has_et and not mode.own_pile else monjan
    counts = {m.hand: every, m.deck: deck, m.et: et, m.ba: bosses}
    holders = {
        m.mana: monjan, m.attack: every, m.extra: every, m.outside: every,
        m.known["deck"]: deck, m.known["et"]: et, m.known["ba"]: bosses,
    }  # fmt: skip
    m.game.pieces(*({cells.family.name: kinds for cells, kinds in where.items()} for where in (counts, holders)))


def _screen(m: Match) -> None:
    """A15 BLIND_COMMIT: while edit turns go at the same time, nobody sees the board of another player."""
    g = m.game
    lifted = ~m.reading("A15", "BLIND_COMMIT") | ~m.is_phase("EDIT") | late(m)
    behind = [
        m.mana, m.height, m.elements, m.spent, m.down, m.attack, m.attack_down, m.under, m.defence, m.life,
        m.extra, m.extra_by, m.extra_down, m.witness, m.outside, m.outside_down, m.laid, m.did_column, m.skill_used,
        m.discard, *m.did.values(), *m.uses.values(),
    ]  # fmt: skip
    for cells in behind:
        seen = g.visible.get(cells.family.name, TRUE)
        g.observe(cells, lambda viewer, p, *rest, seen=seen: (viewer == p) | (lifted & seen))
    acts = [a.name for a in g.actions if a.weight is None and a.by is None]
    g.lists["simultaneous"].append(Simultaneous("edit", tuple(acts), tuple(c.family.name for c in behind), lifted))
