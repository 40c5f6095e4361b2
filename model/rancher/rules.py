"""The Monster Rancher Collectible Card Game as one rule set: the chapters put together for a setting."""

from __future__ import annotations

from monjudge.model.language import Game, RuleSet
from monjudge.model.rancher.abilities import add_abilities
from monjudge.model.rancher.arena import add_arena
from monjudge.model.rancher.attachments import add_attachments
from monjudge.model.rancher.attack import add_attack
from monjudge.model.rancher.battle import add_battle
from monjudge.model.rancher.drawing import add_drawing
from monjudge.model.rancher.effects import add_discards, add_heals
from monjudge.model.rancher.events import add_events
from monjudge.model.rancher.hiding import add_hiding
from monjudge.model.rancher.match import Match, Setting, possible
from monjudge.model.rancher.norms import add_norms
from monjudge.model.rancher.play import add_play
from monjudge.model.rancher.preparation import add_preparation
from monjudge.model.rancher.speed import add_speed
from monjudge.model.rancher.texts import clause_texts
from monjudge.model.rancher.training import add_training
from monjudge.model.rancher.turns import add_turns
from monjudge.model.rancher.victory import add_victory

__all__ = ["rancher"]


def rancher(setting: Setting, *, norms: bool = False) -> RuleSet:
    """The rule set of a match of two players in this setting (catalogue, decks, readings; see ``Setting``).

    ``norms`` adds the literal clauses of the document, which only an analysis of the text needs.
    """
    g = Game("rancher", players=2, en="Monster Rancher Collectible Card Game", ja="モンスターファーム カードゲーム")
    g.texts.update({c.id: (f"L{c.line}" if c.line else "", c.en, c.ja) for c in clause_texts().values()})
    for id, (en, ja) in _BESIDE_THE_TEXT.items():
        g.rule(id, en, ja)
    m = Match(g, setting)
    add_drawing(m)
    add_preparation(m)
    add_turns(m)
    add_speed(m)
    add_events(m)
    add_battle(m)
    add_arena(m)
    add_attack(m)
    add_play(m)
    add_training(m)
    add_attachments(m)
    add_discards(m)
    add_heals(m)
    add_abilities(m)
    add_victory(m)
    add_hiding(m)
    _players_exchanged(m)
    if norms:
        add_norms(m)
    g.turn_structure(m.turn, {a.name: _segment(a.name) for a in g.actions})
    return g.build()


def _players_exchanged(m: Match) -> None:
    """Nothing in the document tells the players apart but who is first, and in one reading who is younger."""
    g, exchanged = m.game, {0: 1, 1: 0}
    if possible(m.reading("AMB_SPEED_TIE", "YOUNGEST")):
        return
    names = ("first", "word", "asked", "battle_owner", "winner", "faster", "last_winner")
    there = {family.name: family for family in g.families}
    g.symmetry(
        "players", players=(1, 0),
        values={**{name: exchanged for name in names if name in there}, **({"waiting": {1: 2, 2: 1}} if "waiting" in there else {})},
        axes={name: {0: (1, 0)} for name, f in there.items() if f.dims and not f.config and name != "waiting"},
        params={(a.name, p.name): (1, 0) for a in g.actions for p in a.params if p.name == "whose"},
    )  # fmt: skip


_BESIDE_THE_TEXT = {
    "CARD.held": ("The card is in the player's hand.", "そのカードを手札に持っている。"),
    "CARD.text": ("What the text of this card does is not in the vocabulary.", "このカードの効果は語彙にない。"),
    "LIMIT.slots": ("The model has no room for another monster on the field.", "モデルの場にこれ以上モンスターを置けない。"),
    "LIMIT.turns": ("The model ends after so many turns.", "モデルのターン数の上限に達した。"),
    "LIMIT.stack": ("The model lets so many abilities wait for their effect.", "効果を待つ固有能力の数がモデルの上限に達した。"),
    "LIMIT.corrections": ("The model counts corrections up to eight.", "モデルが数える援助・妨害は八回までである。"),
}
"""What clauses say that no sentence of the document says in so many words: cards in hand, cards that cannot be read, limits."""


def _segment(action: str) -> str:
    parts = {
        "chance": ("draw",), "set-up": ("choose", "ready"),
        "battle": ("fight", "lay", "order", "no_order", "attack", "decline", "add", "add_nothing"),
        "play": ("place", "train", "aid", "hinder", "leave", "attach", "equip", "end"),
    }  # fmt: skip
    return next((part for part, names in parts.items() if action in names), "turn")
