"""When a player can no longer bring the opponent down in this battle turn: more guards stand than attacks can come.

While another guard stands, the defender need not take an attack with the middle defence (GUARD.3-4, WIN.2). So it is
enough to pass, to attack no more, and to guard with the Extra card first, then with the attack row and the ritual
cards, with the side defences last (whose fall may take the Extra card along): each attack costs one guard at most,
and so does each card that destroys. This is counted here, generously for the attacker.

An Extra card that is about to go counts no more, and a side that is about to fall counts as fallen: so what is declared
holds between triggers, too, and the proof need not know what it is that they have come to rest.
"""

from __future__ import annotations

import itertools

from monjudge.model.language import (
    Expr,
    Table,
    all_of,
    any_of,
    as_int,
    both,
    count_of,
    either,
    ite,
    lookup,
    maximum,
    member,
    substitute,
    sum_of,
    tabulate,
)
from monjudge.model.monjan.battle import source_card
from monjudge.model.monjan.boards import SKILL
from monjudge.model.monjan.budget import BATTLE, SKILL_SOURCE
from monjudge.model.monjan.card_skills import CardTexts
from monjudge.model.monjan.cards import EFFECT
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.falls import beaten
from monjudge.model.monjan.match import ABOVE, PENDING, SOURCE, Match
from monjudge.model.monjan.readings import SWITCHES
from monjudge.model.monjan.skills import unlocked

__all__ = ["add_hopeless"]

READ_AS_USUAL = (
    "A14", "A31", "A34", "A36", "A38", "A40", "A41a", "A41b", "A46", "A52", "A53", "A54", "A55", "A56", "A67", "A68", "A69",
    "A72", "A75", "A78", "A79", "A81", "A85", "A92", "A107", "A118", "A124", "A125", "A127", "A135", "A136", "A159", "A160",
)  # fmt: skip
"""The switches on which the count rests; where one is read in another way (or left open) nothing is declared."""

PROOF = "P71"
"""The property that proves it, in a part for each player, for two players, the cards of the pack, all designs of boards and the usual readings."""

PROVED = ("EXTRA", 8)
"""The mode and the mana cards that a column may hold (``Match.slots``), of which the proof speaks."""

_UNDER_WAY = ("W_DECLARED", "GUARD", "W_GUARDED", "HIT")
"""The steps of an attack that may still be guarded against or has its guard, but not yet its damage."""

_MORE_BY = ("damage", "draw", "draw_et", "opaque")
"""What a skill may do that is not counted."""

_LAST_TURN = 99
"""The turn after which the number rises no more (see ``turns``)."""

_HARMLESS = ("heal", "boost", "revive")
"""What a battle skill may do besides without costing a guard."""


def add_hopeless(m: Match) -> None:
    """Declares it for both players of a match of two, under the usual readings."""
    usual = {name: SWITCHES.texts[name].default for name in READ_AS_USUAL}
    asked = m.setting.readings
    if m.players != 2 or any(asked.get(name, read) != read or name in m.setting.open for name, read in usual.items()):
        return
    for p in range(m.players):
        m.game.hopeless(
            "win", p, _guards_suffice(m, p), after=_begins(m, p), proof=PROOF if _is_covered(m) else "", en="More guards stand than attacks can still come in this turn.",
            ja="このターンにまだ来うる攻撃よりもガードできるカードのほうが多い。",
        )  # fmt: skip


def _is_covered(m: Match) -> bool:
    """Whether the proof speaks of this match: all is read as usual, and only cards of the pack are in play.

    With fewer cards it is a match of the whole pack in which the others lie nowhere, as without a draft it is one whose
    draft is over: the proof speaks of every state, reached or not.
    """
    asked, pack = m.setting, {entry.card for entry in default_pack().entries}
    usual = all(SWITCHES.texts[name].default == read for name, read in asked.readings.items()) and asked.open <= {"BOARDS"}
    return usual and not asked.hiding and (asked.mode, asked.slots) == PROVED and pack.issuperset(m.cards.cards[1:])


def _begins(m: Match, p: int) -> Expr:
    """The next edit turn has begun and the opponent has not ended it, or the player is out."""
    q = 1 - p
    calm = m.is_phase("EDIT") & member(m.pending, [PENDING["NONE"], PENDING["DRAW"]])
    return ~m.alive[p] | both(calm, ~m.done[q], m.alive[q], m.living(q, 1))


def _guards_suffice(m: Match, p: int) -> Expr:
    """Whether the opponent's guards are as many as what can cost one, or the player is out."""
    q = 1 - p
    skill, worse = _skills(m, p)
    rows = count_of(3, lambda c: (m.attack[q, c] > 0) & ~m.permanent_boss(q, c))
    ritual = count_of(ABOVE, lambda i: m.above[q, i] > 0)
    sides = as_int(m.living(q, 0)) + as_int(m.living(q, 2))
    may_fall = _chosen(m, p) & member(m.guard, (0, 2))
    extra = as_int(both(m.extra[q] > 0, ~skill, ~may_fall, _nothing_goes(m, q)))
    losses = _attacks(m, p) + _kills(m, p) + as_int(skill) + as_int((m.target == q) & (m.flame > 0))
    enough = ~worse & (losses <= rows + ritual + sides + extra)
    cleared = m.is_phase("CLEANUP") & (m.pending == PENDING["NONE"])
    stands = both(m.alive[q], m.living(q, 1), either(cleared, both(m.is_phase("BATTLE"), _in_order(m, p), enough)))
    return both(m.turn < _LAST_TURN, stands | ~m.alive[p])


def _chosen(m: Match, p: int) -> Expr:
    """Whether a guard against the player's attack is named and not yet hit."""
    return (m.active == p) & m.is_step("W_GUARDED", "HIT")


def _in_order(m: Match, p: int) -> Expr:
    """What cannot be otherwise in play, and that the middle defence takes no attack just now."""
    q, chosen = 1 - p, _chosen(m, p)
    aimed = tabulate(lambda n: n % 3 if min(n // 3, m.players - 1) == q else -1, m.pending_place)
    effect = CardTexts(m).of("effect", m.pending_card, m.pending_skill)
    aimed_well = ite(m.pending_player == q, aimed < 0, (effect != EFFECT["destroy"]) | ~m.permanent_boss(q, aimed))
    settles = either(
        m.pending == PENDING["NONE"],
        m.pending == PENDING["CASTLE"],
        (m.pending == PENDING["TRAP"]) & (m.pending_player != m.active),
        (m.pending == PENDING["FLAME"]) & (m.target == p),
        (m.pending == PENDING["DRAW"]) & (m.pending_player == q),
        (m.pending == PENDING["CARD"]) & (effect != EFFECT["return"]) & aimed_well,
    )
    return both(
        settles, (m.pending == PENDING["NONE"]) | ~m.is_step("HIT", "STEP_OVER"), ~m.is_step("W_RESCUE", "CALL", "STRIKE"), ~m.owes(q), m.target == 1 - m.active, m.stepped[p] | (m.active == q) | m.is_step("STEP_OVER"), (m.target == p) | member(m.flame, (0, 4, 5, 6, 8, 9, 10, 11)),
        ~(chosen & (m.guard == 1)), ~(chosen & m.permanent_boss(q, m.guard - 3)),
    )  # fmt: skip


def _nothing_goes(m: Match, q: int) -> Expr:
    """Whether nothing that happens by itself is about to change the opponent's stacks or take the Extra card."""
    found = []
    for trigger in m.game.triggers:
        if trigger.id in ("FALL.1", "RELEASE.8", "EXTRA.22", "EXTRA.26"):
            names = [str(v.args[0]) for v in trigger.loops]
            for rest in itertools.product(*(range(v.lo, v.hi + 1) for v in trigger.loops[1:])):
                found.append(~substitute(trigger.when, dict(zip(names, (q, *rest), strict=True))))
    return both(*found)


def _attacks(m: Match, p: int) -> Expr:
    """How many attacks of the player are to come or under way; one more where damage is returned (BOARD.HUNTERS.R)."""
    here = m.stepped[p] & (m.active == p)
    goes_on = here & ~m.is_step("STEP_OVER")
    to_come = count_of(SOURCE.size, lambda s: ((source_card(m, p, s) > 0) | (m.under[p, s] > 0)) & (~m.stepped[p] | (goes_on & ~m.attacked[s])))
    returned = (m.active != p) & m.is_step("GUARD_BACK")
    return to_come + as_int(here & m.is_step(*_UNDER_WAY)) + as_int(returned)


def _kills(m: Match, p: int) -> Expr:
    """How many cards of the hand destroy an attack card (BCARD.5)."""
    return sum_of(len(m.cards), lambda k: ite(m.is_kind(k, "KILL"), m.hand[p, k], 0))


def _skills(m: Match, p: int) -> tuple[Expr, Expr]:
    """Whether a skill of the player may cost one more guard, and whether one may do what is not counted here."""
    unused = all_of(len(SKILL_SOURCE), lambda s: ~m.skill_used[p, BATTLE, s])
    card = m.pending == PENDING["CARD"]
    waits = m.pending_player == p
    # A side of the player may fall, and open a skill, by what the opponent does or by damage that is returned.
    strikes = ((m.active != p) & m.is_step(*_UNDER_WAY, "W_DAMAGE")) | m.is_step("GUARD_BACK") | (m.pending == PENDING["TRAP"])
    falls = either(strikes, card & ~waits, any_of(2, lambda side: beaten(m, p, 2 * side)))
    ritual, trap = ((_on_board(m, p, skill) & (unlocked(m, p, skill) | falls) & unused) for skill in ("RITUAL", "TRAP"))
    no_room = ritual & all_of(ABOVE, lambda i: m.above[p, i] > 0)
    texts = CardTexts(m)
    effect = texts.of("effect", m.pending_card, m.pending_skill)
    now = waits & card
    threat = ite(unused, _threat(m, p, texts), 0)
    one = either(ritual, trap, waits & (m.pending == PENDING["TRAP"]), now & (effect == EFFECT["destroy"]), threat == _ONE)
    twice = unused & waits & member(m.pending, [PENDING["CARD"], PENDING["TRAP"]])
    more = either(no_room, twice, now & member(effect, [EFFECT[e] for e in _MORE_BY]), threat == _MORE)
    return one, more


_ONE, _MORE = 1, 2


def _threat(m: Match, p: int, texts: CardTexts) -> Expr:
    """The most that a battle skill of a card on the player's board or hand may do: nothing, cost a guard, or more."""

    def does(magic: bool) -> list[int]:
        told = [[s for s in row if s and s.time == "battle" and s.effect not in _HARMLESS and (s.magic or not magic)] for row in texts.rows]
        return [max((_ONE if s.effect == "destroy" else _MORE for s in row), default=0) for row in told]

    on_field, in_hand = (Table.of(f"threat_{magic}", (len(texts.rows),), does(magic), 0) for magic in (False, True))
    held = [ite(m.hand[p, k] > 0, n, 0) for k, n in enumerate(in_hand.values) if n]
    return maximum(lookup(on_field, m.extra[p]), *(lookup(on_field, cells[p, c]) for cells in (m.attack, m.under) for c in range(3)), *held)


def _on_board(m: Match, p: int, skill: str) -> Expr:
    return any_of(2, lambda side: m.board_skill(p, side) == SKILL[skill])
