"""Training (R.TRAIN.1-9, R.LOY.1): placed after a judgement, which loyalty eases and the other player may correct."""

from __future__ import annotations

from typing import Any

from monjudge.model.language import Effect, Expr, gain, le, put
from monjudge.model.rancher.drawing import draw, nothing_left
from monjudge.model.rancher.effects import opaque
from monjudge.model.rancher.match import Match, possible
from monjudge.model.rancher.play import acted, eligible, plays

__all__ = ["add_training", "succeeds"]


def add_training(m: Match) -> None:
    """The attempt, the card drawn for it, aid and hindrance, success and failure (AMB_AID, AMB_TRAINFAIL)."""
    if not m.trainings:
        return
    _train(m)
    _judge(m)
    _correct(m)
    _result(m)


def succeeds(m: Match, p: Any, s: Any, training: Any, judged: Any, correction: Any) -> Expr:
    """R.TRAIN.7-9: whether pull number, less loyalty, with correction, is at most the training's number."""
    target = m.number("target", lambda c: c.target, training)
    return le(m.pull(judged) - m.loyalty(p, s) + correction, target)


def _train(m: Match) -> None:
    a = m.game.action("train", by=m.word, en="train a monster", ja="トレーニングを付ける", tags=["training"])
    card, slot, me = a.param("card", m.trainings), a.param("slot", range(m.slots)), m.me
    plays(m, a)
    a.clause("CARD.held", m.hand[me, card] > 0)
    a.clause("R.TRAIN.2", m.monster[me, slot] > 0)
    a.clause("R.INJ.1", ~m.injured[me, slot])
    a.clause("R.TRAIN.3", ~m.trained[me, slot])
    a.clause("R.TRAIN.4", eligible(m, me, slot))
    a.clause("R.TRAIN.7", ~nothing_left(m, me))
    a.unsaid("CARD.text", ~opaque(m, card))
    before = m.reading("AMB_AID", "BEFORE")
    a.effect(
        gain(m.hand[me, card], -1), put(m.course, card), put(m.trainee, slot), put(m.correction, 0),
        draw(m, me, "JUDGE", 1, ~before),
        m.hand_over(1 - me, "AID", before),
        m.on("JUDGE", ~before),
    )  # fmt: skip


def _judge(m: Match) -> None:
    """The card is drawn and shown; then, or before, the other player may speak."""
    before = m.reading("AMB_AID", "BEFORE")
    drawn = m.now("JUDGE")
    m.trigger("R.TRAIN.7:drawn", drawn, [*m.hand_over(1 - m.word, "AID", ~before), *m.on("SUCCESS", before)])


def _correct(m: Match) -> None:
    repeated = m.reading("AMB_AID", "REPEATED")
    for name, by, en, ja in (("aid", -1, "help with a card", "援助する"), ("hinder", 1, "hinder with a card", "妨害する")):
        a = m.game.action(name, by=m.word, en=en, ja=ja, tags=["training"])
        card, me = a.param("card", range(1, len(m.cards))), m.me
        a.clause("R.TRAIN.9", m.now("AID"))
        a.clause("CARD.held", m.hand[me, card] > 0)
        a.limit("LIMIT.corrections", (m.correction > -8) & (m.correction < 8))
        a.effect(gain(m.hand[me, card], -1), gain(m.discard[me, card], 1), gain(m.correction, by))
        a.effect(m.hand_over(me, "AID", repeated), _spoken(m, me, ~repeated))
    b = m.game.action("leave", by=m.word, en="leave the judgement alone", ja="判定に手を出さない", tags=["training"])
    b.clause("R.TRAIN.9", m.now("AID"))
    b.effect(_spoken(m, m.me))
    m.trigger("R.TRAIN.9:none", m.now("AID") & (m.hand_size(m.word) == 0), _spoken(m, m.word))


def _spoken(m: Match, helper: Any, when: Any = True) -> list[Effect]:
    """Effects: the judgement is decided, or under AMB_AID BEFORE the card is drawn now."""
    before = m.reading("AMB_AID", "BEFORE") & when
    trainer = 1 - helper
    return [
        *m.hand_over(trainer, "SUCCESS", when),
        *(m.on("JUDGE", before) if possible(before) else []),
        *(draw(m, trainer, "JUDGE", 1, before) if possible(before) else []),
    ]


def _result(m: Match) -> None:
    """Success attaches the card, which counts for loyalty from now on; what failure does is AMB_TRAINFAIL."""
    p, s = m.word, m.trainee
    ok = succeeds(m, p, s, m.course, m.judged, m.correction)
    returns = m.reading("AMB_TRAINFAIL", "RETURNS_COUNTS", "RETURNS_RETRY")
    counts = m.reading("AMB_TRAINFAIL", "DISCARDED_COUNTS", "RETURNS_COUNTS")
    m.trigger("R.TRAIN.6", m.now("SUCCESS"), [
        gain(m.training[p, s, m.course - m.trainings.start], 1, ok),
        put(m.trained[p, s], True, ok | counts),
        gain(m.hand[p, m.course], 1, ~ok & returns),
        gain(m.discard[p, m.course], 1, ~ok & ~returns),
        gain(m.discard[p, m.judged], 1, m.judged > 0),
        put(m.course, 0), put(m.judged, 0), put(m.trainee, -1), put(m.correction, 0),
        *acted(m, p),
    ])  # fmt: skip
