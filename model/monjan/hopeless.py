"""When a player can no longer bring the opponent down in this battle turn: more guards stand than attacks can come.

While another guard stands, the defender need not take an attack with the middle defence (GUARD.3-4, WIN.2). So it is
enough to pass, to attack no more, and to guard with the Extra card first, then with the attack row and the ritual
cards, with the side defences last (whose fall may take the Extra card along): each attack costs one guard at most,
and so does each card that destroys. This is counted here, generously for the attacker.
"""

from __future__ import annotations

from monjudge.model.language import Expr, all_of, any_of, as_int, both, count_of, either, eq, ite, member, sum_of
from monjudge.model.monjan.battle import source_card
from monjudge.model.monjan.boards import SKILL
from monjudge.model.monjan.budget import BATTLE, SKILL_SOURCE
from monjudge.model.monjan.card_skills import CardTexts
from monjudge.model.monjan.cards import EFFECT
from monjudge.model.monjan.match import ABOVE, PENDING, SOURCE, Match
from monjudge.model.monjan.readings import SWITCHES
from monjudge.model.monjan.skills import unlocked

__all__ = ["add_hopeless"]

READ_AS_USUAL = (
    "A14", "A31", "A34", "A36", "A38", "A40", "A41a", "A41b", "A46", "A52", "A53", "A54", "A55", "A56", "A67", "A68", "A69",
    "A72", "A75", "A78", "A79", "A81", "A85", "A92", "A107", "A118", "A124", "A125", "A127", "A135", "A136", "A159", "A160",
)  # fmt: skip
"""The switches on which the count rests; where one is read in another way (or left open) nothing is declared."""

_UNDER_WAY = ("W_DECLARED", "GUARD", "W_GUARDED", "HIT")
"""The steps of an attack that may still be guarded against or has its guard, but not yet its damage."""


def add_hopeless(m: Match) -> None:
    """Declares it for both players of a match of two, under the usual readings."""
    usual = {name: SWITCHES.texts[name].default for name in READ_AS_USUAL}
    asked = m.setting.readings
    if m.players != 2 or any(asked.get(name, read) != read or name in m.setting.open for name, read in usual.items()):
        return
    for p in range(m.players):
        m.game.hopeless(
            "win", p, _guards_suffice(m, p),
            en="More guards stand than attacks can still come in this turn.",
            ja="このターンにまだ来うる攻撃よりもガードできるカードのほうが多い。",
        )  # fmt: skip


def _guards_suffice(m: Match, p: int) -> Expr:
    q = 1 - p
    skill, worse = _skills(m, p)
    chosen = (m.active == p) & m.is_step("W_GUARDED", "HIT")
    may_fall = chosen & member(m.guard, (0, 2))
    rows = count_of(3, lambda c: (m.attack[q, c] > 0) & ~m.permanent_boss(q, c))
    ritual = count_of(ABOVE, lambda i: m.above[q, i] > 0)
    sides = as_int(m.living(q, 0)) + as_int(m.living(q, 2))
    extra = as_int((m.extra[q] > 0) & ~skill & ~may_fall)
    kills = sum_of(len(m.cards), lambda k: ite(m.is_kind(k, "KILL"), m.hand[p, k], 0))
    losses = _attacks(m, p) + kills + as_int(skill)
    safe = m.is_phase("BATTLE") & m.alive[q] & m.living(q, 1) & ~(chosen & (m.guard == 1))
    return both(safe, ~worse, losses <= rows + ritual + sides + extra)


def _attacks(m: Match, p: int) -> Expr:
    """How many attacks of the player are to come or under way; one more where damage is returned (BOARD.HUNTERS.R)."""
    here = m.stepped[p] & (m.active == p)
    ready = count_of(SOURCE.size, lambda s: (source_card(m, p, s) > 0) & (~m.stepped[p] | ~m.attacked[s]))
    to_come = ite(~m.stepped[p] | (here & ~m.is_step("STEP_OVER")), ready, 0)
    returned = (m.active != p) & m.is_step("GUARD_BACK")
    return to_come + as_int(here & m.is_step(*_UNDER_WAY)) + as_int(returned)


def _skills(m: Match, p: int) -> tuple[Expr, Expr]:
    """Whether a skill of the player may cost one more guard, and whether one may do what is not counted here."""
    unused = all_of(len(SKILL_SOURCE), lambda s: ~m.skill_used[p, BATTLE, s])
    waits = m.pending_player == p
    # A side of the player may fall, and open a skill, by the opponent's attack or by damage that is returned.
    attacked = ((m.active != p) & m.is_step(*_UNDER_WAY, "W_DAMAGE")) | m.is_step("GUARD_BACK") | (m.pending == PENDING["TRAP"])
    boards = [_on_board(m, p, skill) & (unlocked(m, p, skill) | attacked) & unused for skill in ("RITUAL", "TRAP")]
    no_room = boards[0] & all_of(ABOVE, lambda i: m.above[p, i] > 0)
    texts = CardTexts(m)
    effect = texts.of("effect", m.pending_card, m.pending_skill)
    destroys, others = [EFFECT["destroy"]], [EFFECT[e] for e in ("damage", "draw", "draw_et", "opaque")]
    card = waits & (m.pending == PENDING["CARD"])
    one = [*boards, waits & (m.pending == PENDING["TRAP"]), card & member(effect, destroys)]
    more = [no_room, card & member(effect, others)]
    for number, row in enumerate(texts.rows):
        for s in row:
            if s is not None and s.time == "battle" and s.effect not in ("heal", "boost", "revive", "return"):
                usable = unused & _may_be_used(m, p, number, s.magic)
                (one if s.effect == "destroy" else more).append(usable)
    return either(*one), either(*more)


def _on_board(m: Match, p: int, skill: str) -> Expr:
    return any_of(2, lambda side: m.board_skill(p, side) == SKILL[skill])


def _may_be_used(m: Match, p: int, card: int, magic: bool) -> Expr:
    """Whether the card lies where its skill is used from, or may come there."""
    lies = eq(m.extra[p], card) | any_of(3, lambda c: eq(m.attack[p, c], card) | eq(m.under[p, c], card))
    return lies | (m.hand[p, card] > 0) if magic else lies
