"""Monjan Colosseum as one rule set: the chapters put together for a setting."""

from __future__ import annotations

from monjudge.model.language import Expr, Game, RuleSet, all_of, as_int, lift
from monjudge.model.monjan.battle import add_battle, add_hits
from monjudge.model.monjan.battle_cards import add_battle_cards
from monjudge.model.monjan.boss import add_boss
from monjudge.model.monjan.card_skills import add_card_skills
from monjudge.model.monjan.draft import add_draft
from monjudge.model.monjan.edit import add_edit
from monjudge.model.monjan.extra import add_extra, add_survival
from monjudge.model.monjan.falls import add_falls
from monjudge.model.monjan.hiding import add_hiding
from monjudge.model.monjan.hopeless import add_hopeless
from monjudge.model.monjan.mana import add_mana
from monjudge.model.monjan.match import Match, Setting
from monjudge.model.monjan.measures import add_measures
from monjudge.model.monjan.payment import add_spending
from monjudge.model.monjan.piles import add_draw
from monjudge.model.monjan.skills import add_board_skills
from monjudge.model.monjan.speed import add_order
from monjudge.model.monjan.texts import clause_texts
from monjudge.model.monjan.toughness import add_toughness
from monjudge.model.monjan.turns import add_turns

__all__ = ["monjan"]


def monjan(setting: Setting, *, norms: bool = False) -> RuleSet:
    """The rule set of a match in this setting (boards, mode, catalogue, readings; see ``Setting``).

    ``norms`` adds the literal clauses of the document, which only an analysis of the text needs.
    """
    g = Game("monjan", players=setting.players, en="Monjan Colosseum", ja="モンジャンコロシアム")
    g.texts.update({c.id: (f"L{c.line}", c.en, c.ja) for c in clause_texts().values()})
    m = Match(g, setting)
    if setting.draft:
        add_draft(m)
    add_edit(m)
    add_mana(m)
    add_extra(m)
    add_toughness(m)
    add_boss(m)
    add_spending(m)
    add_draw(m)
    by_board = add_board_skills(m)
    by_card = add_card_skills(m)
    add_falls(m)
    add_survival(m)
    add_battle(m)
    add_battle_cards(m, [*by_board, *by_card], by_board)
    add_hits(m)
    add_order(m)
    add_turns(m)
    add_hiding(m)
    add_measures(m)
    _end(m)
    add_hopeless(m)
    if norms:
        from monjudge.model.monjan.norms import add_norms

        add_norms(m)
    return g.build()


def _end(m: Match) -> None:
    """WIN.1-2: the game is over when at most one player is left (A76 LAST_ALIVE)."""
    g = m.game
    g.over(m.last_alive(), id="WIN.1", en=g.texts["WIN.1"][1], ja=g.texts["WIN.1"][2], ref=g.texts["WIN.1"][0])
    payoffs = []
    for p in range(m.players):
        alone = m.alive[p] & all_of(m.players, lambda q, p=p: (q == p) | ~m.alive[q])  # type: ignore[misc]
        g.goal("win", p, alone, en="be the last with a middle defence", ja="最後まで中央の防御を残す")
        others: Expr = lift(0)
        for q in range(m.players):
            if q != p:
                others = others + as_int(m.alive[q] & all_of(m.players, lambda r, q=q: (r == q) | ~m.alive[r]))  # type: ignore[misc]
        payoffs.append((m.players - 1) * as_int(alone) - others)
    g.payoff(*payoffs)
    g.turn_structure(m.turn, {a.name: _segment(a.name) for a in g.actions})


def _segment(action: str) -> str:
    battle = ("strike", "stop", "extra_heal", "guard", "guard_back", "bonus", "heal", "kill", "pass", "ritual", "flame",
              "castle", "trap", "battle_skill")  # fmt: skip
    chance, draft = ("draw_card", "turn_up", "roll", "lot", "draw_equipment", "mix_in"), ("pick",)
    for segment, names in (("chance", chance), ("battle", battle), ("draft", draft)):
        if action in names:
            return segment
    return "edit"
