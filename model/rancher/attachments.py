"""Attachments (R.ATT.1-7): tools on monsters and players, one each a turn, and one of each category."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, both, gain, ite, put
from monjudge.model.rancher.attack import need_value
from monjudge.model.rancher.cards import ALIGNMENT, NEED, Card
from monjudge.model.rancher.effects import opaque
from monjudge.model.rancher.match import Match
from monjudge.model.rancher.play import acted, eligible, plays

__all__ = ["add_attachments"]


def add_attachments(m: Match) -> None:
    """Attaching to a monster, and to a player; a category that is there already is replaced."""
    kinds = {card.place for card in m.cards.cards if card.type == "ATTACHMENT"}
    if kinds & {"monster", "foe_monster"}:
        _to_monster(m)
    if kinds & {"player", "foe_player"}:
        _to_player(m)


def _foe(m: Match, card: Any) -> Expr:
    return m.which("for_foe", lambda c: c.place.startswith("foe"), card)


def _to_monster(m: Match) -> None:
    a = m.game.action("attach", by=m.word, en="attach to a monster", ja="モンスターに付ける", tags=["attachment"])
    card, slot, me = a.param("card", m.attachments), a.param("slot", range(m.slots)), m.me
    p = ite(_foe(m, card), 1 - me, me)
    plays(m, a)
    a.clause("CARD.held", m.hand[me, card] > 0)
    a.clause("R.ATT.3", m.which("for_monster", lambda c: "monster" in c.place, card) & (m.monster[p, slot] > 0))
    a.clause("R.INJ.3", ~m.injured[p, slot])
    a.clause("R.ATT.4", ~m.equipped[p, slot])
    a.clause("R.ATT.6", eligible(m, p, slot))
    a.clause("R.ATT.1", _condition(m, card, p, slot))
    a.unsaid("CARD.text", ~opaque(m, card))
    gear: Any = lambda j: m.gear[p, slot, j]  # noqa: E731
    a.effect(gain(m.hand[me, card], -1), _replaces(m, card, p, gear), gain(gear(card - m.attachments.start), 1),
             put(m.equipped[p, slot], True), acted(m, me))  # fmt: skip


def _to_player(m: Match) -> None:
    a = m.game.action("equip", by=m.word, en="attach to a player", ja="プレイヤーに付ける", tags=["attachment"])
    card, me = a.param("card", m.attachments), m.me
    p = ite(_foe(m, card), 1 - me, me)
    plays(m, a)
    a.clause("CARD.held", m.hand[me, card] > 0)
    a.clause("R.ATT.3", m.which("for_player", lambda c: "player" in c.place, card))
    a.clause("R.ATT.4", ~m.kitted[p] | m.reading("AMB_ATTLIM", "MONSTERS"))
    a.clause("R.ATT.1", _condition(m, card, p, -1))
    a.unsaid("CARD.text", ~opaque(m, card))
    kit: Any = lambda j: m.kit[p, j]  # noqa: E731
    a.effect(gain(m.hand[me, card], -1), _replaces(m, card, p, kit), gain(kit(card - m.attachments.start), 1),
             put(m.kitted[p], True), acted(m, me))  # fmt: skip


def _condition(m: Match, card: Any, p: Any, slot: Any) -> Expr:
    """R.ATT.1: what the card demands of its target; fame can be asked of a player, too."""
    met: list[Expr] = []
    for x, name in enumerate(NEED.labels):
        if any(dict(c.needs).get(name) for c in _all(m)):
            need = m.number(f"condition_{name}", lambda c, name=name: dict(c.needs).get(name, 0), card)  # type: ignore[misc]
            met.append(need_value(m, p, slot, x) >= need)
    for number, alignment in enumerate(ALIGNMENT.labels):
        if any(c.only == alignment for c in _all(m)):
            only = m.which(f"only_{alignment}", lambda c, alignment=alignment: c.only == alignment, card)  # type: ignore[misc]
            met.append(~only | (m.number("alignment", lambda c: ALIGNMENT[c.alignment or "GOODY"], m.monster[p, slot]) == number))
    return both(*met)


def _all(m: Match) -> list[Card]:
    return [c for c in m.cards.cards if c.type == "ATTACHMENT"]


def _replaces(m: Match, card: Any, p: Any, on: Any) -> list[Effect]:
    """Effects: the attachment of the same category goes to the discard pile of its owner (R.ATT.5)."""
    effects: list[Effect] = []
    for j, kind in enumerate(m.attachments):
        old = m.cards.cards[kind]
        if old.category:
            same = m.which(f"category_{old.category}", lambda c, old=old: c.category == old.category, card)  # type: ignore[misc]
            owner = 1 - p if old.place.startswith("foe") else p
            effects += [gain(m.discard[owner, kind], on(j), same), put(on(j), 0, same)]
    return effects


