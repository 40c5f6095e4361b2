# ruff: noqa: E731  (a part of a sentence is a named lambda)
"""Norms of monsters, training and attachments."""

from __future__ import annotations

from monjudge.model.language import add as add_up
from monjudge.model.language import all_of, any_of, both, ite
from monjudge.model.norms import Of, Writer, after
from monjudge.model.rancher.match import Match
from monjudge.model.rancher.norms.turn import every_player

__all__ = ["add"]


def add(m: Match, n: Writer) -> None:
    """What is said of cards that are placed on the field."""
    _monsters(m, n)
    _training(m, n)
    _attachments(m, n)


def _monsters(m: Match, n: Writer) -> None:
    for id in ("R.MON.3", "R.FIELD.3"):
        n.means(id, lambda a: every_player(lambda p: m.standing(p) <= 5), claimed=m.reading("AMB_HEAL", "STAY", "DISCARDED"))
        n.must(id, "place", lambda a: m.standing(a.me) < 5)
    n.must("R.MON.2", "place", lambda a: m.hand[a.me, a.card] > 0)
    for id in ("R.MON.2", "R.FIELD.1"):
        n.does(id, "place", lambda a: both(
            after(m.hand[a.me, a.card]) == m.hand[a.me, a.card] - 1, after(m.standing(a.me)) == m.standing(a.me) + 1))  # fmt: skip
    n.may("R.META.8", "place", lambda a: any_of(m.slots, lambda s: m.monster[a.me, s] == a.card))
    n.must("R.MON.10", "ability", lambda a: m.has_active(a.me))


def _training(m: Match, n: Writer) -> None:
    there: Of = lambda a: m.present[a.me, a.slot]
    for id in ("R.META.5", "R.TRAIN.4"):
        n.must(id, "train", there)
    n.never("R.TRAIN.4", "train", lambda a: m.fought[a.me, a.slot])
    n.must("R.TRAIN.2", "train", lambda a: m.monster[a.me, a.slot] > 0)
    n.never("R.TRAIN.3", "train", lambda a: m.trained[a.me, a.slot])
    for id in ("R.INJ.1", "R.INJ.3"):
        n.never(id, "train", lambda a: m.injured[a.me, a.slot])
    for id in ("R.TRAIN.1", "R.TRAIN.7"):
        n.does(id, "train", lambda a: after(m.course) == a.card)
    decided: Of = lambda a: (m.course > 0) & after(m.course == 0)
    p = m.trainer
    gained = after(m.loyalty(p, m.trainee)) - m.loyalty(p, m.trainee)
    target = m.number("target", lambda c: c.target, m.course)
    passes = m.pull(m.judged) - m.loyalty(p, m.trainee) + m.correction <= target
    once = m.reading("AMB_AID", "AFTER", "REPEATED")
    for id in ("R.TRAIN.7", "R.TRAIN.8"):
        n.does(id, "leave", lambda a: (gained == 1) == passes, when=lambda a: m.judged > 0, claimed=once)
    for id in ("R.TRAIN.6", "R.LOY.1"):
        n.does(id, None, lambda a: (gained == 0) | (gained == 1), when=decided)
    n.does("R.TRAIN.3", None, lambda a: (gained == 0) | after(m.trained[p, m.trainee]), when=decided)
    for act in ("aid", "hinder"):
        n.must("R.TRAIN.9", act, lambda a: m.hand[a.me, a.card] > 0)
        n.does("R.TRAIN.9", act, lambda a: after(m.hand[a.me, a.card]) == m.hand[a.me, a.card] - 1)
        n.never("R.TRAIN.9", act, lambda a: a.me == p)


def _attachments(m: Match, n: Writer) -> None:
    foe: Of = lambda card: m.which("literally_for_foe", lambda c: c.place.startswith("foe"), card)
    owner: Of = lambda a: ite(foe(a.card), 1 - a.me, a.me)
    on_monster: Of = lambda card: m.which("literally_for_monster", lambda c: "monster" in c.place, card)
    for id in ("R.META.5", "R.ATT.6"):
        n.must(id, "attach", lambda a: m.present[owner(a), a.slot])
    n.never("R.ATT.6", "attach", lambda a: m.fought[owner(a), a.slot])
    n.never("R.INJ.3", "attach", lambda a: m.injured[owner(a), a.slot])
    n.never("R.ATT.4", "attach", lambda a: m.equipped[owner(a), a.slot])
    n.never("R.ATT.4", "equip", lambda a: m.kitted[owner(a)], claimed=m.reading("AMB_ATTLIM", "ALL"))
    n.must("R.ATT.3", "attach", lambda a: on_monster(a.card))
    n.never("R.ATT.3", "equip", lambda a: on_monster(a.card))
    for id in ("R.ATT.2", "R.FIELD.1"):
        n.does(id, "attach", lambda a: after(m.gear[owner(a), a.slot, a.card - m.attachments.start]) >= 1)
        n.does(id, "equip", lambda a: after(m.kit[owner(a), a.card - m.attachments.start]) >= 1)
    for category in sorted({c.category for c in m.cards.cards if c.category}):
        kinds = [j for j, k in enumerate(m.attachments) if m.cards.cards[k].category == category]
        n.means("R.ATT.5", lambda a, kinds=kinds: every_player(lambda p: both(
            add_up(*(m.kit[p, j] for j in kinds)) <= 1,
            all_of(m.slots, lambda s: add_up(*(m.gear[p, s, j] for j in kinds)) <= 1))))  # fmt: skip
