"""The table of one match: every field of the state, and the words that the chapters speak in.

A chapter is a function that takes a ``Match`` and adds its actions, triggers and clauses.
What is said here is only where things lie and what they are called; what is allowed is
said in the chapters, each clause under the id of the rulebook.

Columns are 0 left, 1 centre, 2 right. Stacks are counted from the bottom. The Elements
of a column are always the lowest cards of its stack, so their number says which they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as default
from functools import wraps
from typing import Any, TypeVar

from monjudge.model.language import (
    FALSE,
    Cells,
    Domain,
    Expr,
    Game,
    Table,
    all_of,
    any_of,
    const,
    count_of,
    either,
    eq,
    ite,
    lift,
    lookup,
    max_of,
    member,
    sum_of,
)
from monjudge.model.monjan.boards import PRINTED, SKILL, Board
from monjudge.model.monjan.cards import KIND, NO_ELEMENT, Catalogue
from monjudge.model.monjan.readings import check_open, profile
from monjudge.model.monjan.texts import switch_texts
from monjudge.model.readings import Ambiguities

__all__ = ["COLUMN", "HAND", "MODE", "PENDING", "PHASE", "SOURCE", "STEP", "WAITING", "Match", "Setting", "once", "possible"]

COLUMN = Domain("column", ("L", "C", "R"))
PHASE = Domain("phase", ("DEAL", "DRAFT", "EDIT", "BATTLE", "CLEANUP", "OVER"))
MODE = Domain("mode", ("BASIC", "LM", "INIT", "EXTRA", "URA_LM", "URA_INIT", "URA_EXTRA"))
STEP = Domain(
    "step",
    (
        "NONE",
        "W_START",
        "W_BEFORE",
        "DECLARE",
        "W_DECLARED",
        "GUARD",
        "W_GUARDED",
        "HIT",
        "W_RESCUE",
        "W_DAMAGE",
        "GUARD_BACK",
        "STEP_OVER",
        "CALL",
        "STRIKE",
    ),
)
"""The parts of a battle turn: windows (W_...; W_RESCUE only under A36 RESCUE_AT_ZERO, CALL and STRIKE see ``volley``) and the decisions between them."""

PENDING = Domain(
    "pending",
    (
        "NONE",
        "DRAW",
        "BOSS_ONCE",
        "BOSS_STAY",
        "LASER",
        "GRAVITY",
        "RECYCLE",
        "FLAME",
        "CASTLE",
        "TRAP",
        "CARD",
        "LOT",
    ),
)
"""What chance has to settle before anything else happens."""

SOURCE = Domain("source", ("AL", "AC", "AR", "EX", "O0", "O1", "U0", "U1", "U2", "U3"))
"""Where an attack comes from: attack row, Extra card, cards outside the board, ritual cards above it."""

OUTSIDE, ABOVE = 2, 4

WAITING = 8
"""Battle cards that may wait for one another (A34 STACK) before the model says *unknown (limit)*."""

HAND = 10
"""SETUP.1, FLOW.1: the first cards of every player."""

_One = Callable[[Any], Expr]
_Two = Callable[[Any, Any], Expr]


_Phrase = TypeVar("_Phrase", bound=Callable[..., Expr])


def once(phrase: _Phrase) -> _Phrase:
    """A phrase that many rules repeat: about the same things in the same match it is said only once."""

    @wraps(phrase)
    def say(m: Match, *about: Any) -> Expr:
        key = (phrase, *(a if isinstance(a, str) else lift(a).uid for a in about))
        if key not in m.said:
            m.said[key] = phrase(m, *about)
        return m.said[key]

    return say  # type: ignore[return-value]


def possible(condition: Expr) -> bool:
    """Whether the condition is not already known to be false (a reading that was not chosen)."""
    return condition is not FALSE


@dataclass(frozen=True)
class Setting:
    """What is fixed before a match. Names in ``open`` (switch ids, BOARDS, MODE) stay symbolic fields.

    Raises DataError for readings that do not exist or are fixed in this version (see ``readings``).
    """

    catalogue: Catalogue
    boards: tuple[Board, ...] = (PRINTED["FLEHEIM"], PRINTED["HUNTERS"])
    mode: str = "EXTRA"
    readings: dict[str, str] = default(default_factory=dict)
    open: frozenset[str] = frozenset()
    slots: int = 8
    hiding: bool = False
    draft: bool = False
    """Whether the match begins with picks and mixing (see ``draft``); a position has neither."""

    def __post_init__(self) -> None:
        profile(self.readings)
        check_open(self.open - {"BOARDS", "MODE", "CARDS"})

    @property
    def players(self) -> int:
        return len(self.boards)


OPEN_CARDS = ("NUMBER", "EXTRA", "TOUGHNESS", "BOSS", "ASSASSIN")
"""The kinds of cards whose printed data are configuration where CARDS is left open: one claim about all packs."""


class Match:
    """All fields of a match on a ``Game``, and the vocabulary over them."""

    def __init__(self, game: Game, setting: Setting) -> None:
        self.game, self.setting = game, setting
        self.cards = setting.catalogue
        self.players, self.slots = setting.players, setting.slots
        self.me = game.me
        self.said: dict[tuple[Any, ...], Expr] = {}
        asked = Ambiguities(game, switch_texts(), setting.readings, setting.open)
        self.reading: Callable[..., Expr] = asked.reading
        self.pick: Callable[..., Expr] = asked.pick
        self._configuration()
        self._cards_and_piles()
        self._board_fields()
        self._turn_fields()
        self._battle_fields()
        if possible(self.reading("A124", "TOKEN")) and not self.cards.token:
            raise ValueError("A124 TOKEN needs the marker Card('ANY', name='token') in the catalogue")

    # -- readings, boards and card data: configuration -------------------------------------------

    def _configuration(self) -> None:
        g, setting = self.game, self.setting
        boards = setting.boards
        order = sorted({b.priority for b in boards})
        cap = [n for b in boards for n in b.cap]
        rank = [order.index(b.priority) for b in boards]
        skill = [SKILL[s] for b in boards for s in (b.left, b.right)]
        if "BOARDS" in setting.open:
            self._cap: Cells = g.field("cap", self.players, COLUMN, values=range(1, 17), init=cap, config=True)
            self._rank: Cells = g.field("rank", self.players, values=range(self.players), init=rank, config=True)
            self._skill: Cells = g.field("board_skill", self.players, 2, values=SKILL, init=skill, config=True)
            self.cap: _Two = lambda p, c: self._cap[p, c]
            self.rank: _One = lambda p: self._rank[p]
            self.board_skill: _Two = lambda p, side: self._skill[p, side]
        else:
            caps = Table.of("cap", (self.players, 3), cap, 1)
            ranks = Table.of("rank", (self.players,), rank, 0)
            skills = Table.of("board_skill", (self.players, 2), skill, 0)
            self.cap = lambda p, c: lookup(caps, p, c)
            self.rank = lambda p: lookup(ranks, p)
            self.board_skill = lambda p, side: lookup(skills, p, side)
        if "MODE" in setting.open:
            self.mode: Expr = g.field("mode", values=MODE, init=MODE[setting.mode], config=True)
        else:
            self.mode = const(MODE[setting.mode])
        n = len(self.cards)
        self._columns = {of: Table.of(f"card_{of}", (n,), self.cards.column(of), d)
                         for of, d in (("kind", 0), ("element", NO_ELEMENT), ("value", 0), ("cost", 0),
                                       ("left", NO_ELEMENT), ("right", NO_ELEMENT))}  # fmt: skip
        self._initial = Table.of("card_initial", (n,), [card.initial for card in self.cards.cards], False)
        self._listed = Table.of("card_listed", (n, 17), self.cards.listed(), False)
        if "CARDS" in setting.open:
            self._printed: dict[str, Cells] = {
                of: g.field(f"card_{of}", n, values=range(max(most, *column) + 1), init=column, config=True)
                for of, most in (("value", 22), ("cost", 9), ("left", NO_ELEMENT), ("right", NO_ELEMENT))
                for column in [self.cards.column(of)]
            }  # fmt: skip
            self._numbers: Cells = g.field("card_listed", n, 17, values=bool, init=self.cards.listed(), config=True)

    def _data(self, of: str, card: Any) -> Expr:
        """What is printed on the card; open, where CARDS is, for all but battle cards (CARD.1 lists what they give)."""
        printed = lookup(self._columns[of], card)
        if "CARDS" not in self.setting.open:
            return printed
        return ite(self.is_kind(card, *OPEN_CARDS), self._printed[of][card], printed)

    def in_mode(self, *modes: str) -> Expr:
        """Whether the match is played in one of these modes."""
        return member(self.mode, [MODE[m] for m in modes])

    @once
    def kind(self, card: Any) -> Expr:
        return lookup(self._columns["kind"], card)

    @once
    def element(self, card: Any) -> Expr:
        return lookup(self._columns["element"], card)

    @once
    def value(self, card: Any) -> Expr:
        """The number, bonus, attack or strength printed on the card."""
        return self._data("value", card)

    def cost(self, card: Any) -> Expr:
        return self._data("cost", card)

    def panels(self, card: Any) -> tuple[Expr, Expr]:
        """The element panels left and right of an Extra card."""
        return self._data("left", card), self._data("right", card)

    def listed(self, card: Any, number: Any) -> Expr:
        """Whether the number stands in the number list of the Extra card."""
        return self._numbers[card, number] if "CARDS" in self.setting.open else lookup(self._listed, card, number)

    def is_initial(self, card: Any) -> Expr:
        """Whether the card is initial equipment (MODE.1p)."""
        return lookup(self._initial, card)

    @once
    def is_kind(self, card: Any, *kinds: str) -> Expr:
        """Whether the card is of one of these sorts."""
        wanted = [k in kinds for k in KIND.labels]
        table = Table.of(
            "is_" + "_".join(kinds), (len(self.cards),), [wanted[n] for n in self.cards.column("kind")], False
        )
        return lookup(table, card)

    # -- fields ----------------------------------------------------------------------------------

    def _cards_and_piles(self) -> None:
        g, p, n = self.game, self.players, len(self.cards)
        copies = range(Catalogue.MOST + 1)
        self.hand: Cells = g.field("hand", p, n, values=copies)
        self.deck: Cells = g.field("deck", n, values=copies)
        self.et: Cells = g.field("et", n, values=copies)
        self.ba: Cells = g.field("ba", n, values=copies)
        self.discard: Cells = g.field("discard", p, n, values=copies)
        # Known uppermost cards of a pile, the next one first; 0 where nothing is known.
        self.known: dict[str, Cells] = {"deck": g.field("deck_top", 4, values=range(n)), "ba": g.field("ba_top", 2, values=range(n)),
                      "et": g.field("et_top", 4, values=range(n))}  # fmt: skip

        # A93 BOTTOM: used boss cards beneath the pile, the next one first (COMP.2: there are fifteen).
        self.ba_bottom: Cells | None = None
        if possible(self.reading("A93", "BOTTOM")):
            self.ba_bottom = g.field("ba_bottom", 15, values=range(n))
        if self.setting.draft:
            # The Extra and Toughness cards that are in no pile and no hand, and what is still to be done with them.
            self.pool: Cells = g.field("pool", n, values=copies)
            self.picks: Cells = g.field("picks", p, values=range(4))
            self.first_pick: Expr = g.field("first_pick", values=range(p))
            self.by_lot: Expr = g.field("picks_by_lot", values=bool)
            self.mixing: Expr = g.field("mixing", values=range(1000))

    def _board_fields(self) -> None:
        g, p, n, s = self.game, self.players, len(self.cards), self.slots
        kinds = range(n)
        self.mana: Cells = g.field("mana", p, COLUMN, s, values=kinds)
        self.height: Cells = g.field("mana_height", p, COLUMN, values=range(s + 1))
        self.elements: Cells = g.field("elements", p, COLUMN, values=range(s + 1))
        # 0 free, 1 spent and discarded in the clean-up, 2 to be discarded at once.
        self.spent: Cells = g.field("spent", p, COLUMN, s, values=range(3))
        self.down: Cells = g.field("mana_down", p, COLUMN, s, values=bool)
        self.attack_down: Cells = g.field("attack_down", p, COLUMN, values=bool)
        self.extra_down: Cells = g.field("extra_down", p, values=bool)
        self.outside_down: Cells = g.field("outside_down", p, OUTSIDE, values=bool)
        self.bottom_goes: Cells = g.field("bottom_goes", p, COLUMN, values=bool)
        self.attack: Cells = g.field("attack", p, COLUMN, values=kinds)
        self.under: Cells = g.field("under", p, COLUMN, values=kinds)
        if possible(self.reading("A07", "STACK")):
            self._beneath: Cells = g.field("beneath_defence", p, COLUMN, values=kinds)
        self.defence: Cells = g.field("defence", p, COLUMN, values=kinds)
        self.life: Cells = g.field("life", p, COLUMN, values=range(17))
        self.fallen: Cells = g.field("fallen", p, COLUMN, values=bool)
        self.extra: Cells = g.field("extra", p, values=kinds)
        self.extra_by: Cells = g.field("extra_by", p, values=Domain("summoned by", ("NONE", "PAIR", "NUMBER")))
        # The slot (counted from 1) of the mana by which the Extra card was summoned, in each column.
        self.witness: Cells = g.field("witness", p, COLUMN, values=range(s + 1))
        self.outside: Cells = g.field("outside", p, OUTSIDE, values=kinds)
        self.reused: Cells = g.field("reused", p, OUTSIDE, values=Domain("recycling", ("NO", "NEXT", "USED")))
        self.above: Cells = g.field("above", p, ABOVE, values=kinds)
        self.extra_may_fill = possible(self.reading("A116", "ATTACK_SLOT", "OWNER_CHOICE_WITH_SIDE_EFFECTS"))
        if self.extra_may_fill:
            # The attack field that the Extra card fills, from 1; 0 where it has a place of its own.
            self.extra_at: Cells = g.field("extra_at", p, values=range(4))
        if possible(self.reading("A102", "PAYER_CHOOSES")):
            # How many of the cards that may go the payer still has to name, and how they will be marked.
            self.owed: Cells = g.field("owed", p, COLUMN, values=range(s + 1))
            self.may_go: Cells = g.field("may_go", p, COLUMN, s, values=bool)
            self.owed_mark: Cells = g.field("owed_mark", p, values=range(3))

    def _turn_fields(self) -> None:
        g, p = self.game, self.players
        self.phase: Expr = g.field("phase", values=PHASE, init=PHASE["DEAL"])
        self.turn: Expr = g.field("turn", values=range(100), init=1)
        self.alive: Cells = g.field("alive", p, values=bool, init=1)
        self.done: Cells = g.field("edit_done", p, values=bool)
        self.drawn: Cells = g.field("drawn", p, values=bool)
        self.due: Cells = g.field("due", p, values=range(13))
        self.due_et: Cells = g.field("due_et", p, values=range(13))
        self.fell: Cells = g.field("fell", p, COLUMN, values=bool)
        self.supplied: Cells = g.field("supplied", p, COLUMN, values=bool)
        few = range(8)
        self.did: dict[str, Cells] = {name: g.field(f"did_{name}", p, values=few)
                    for name in ("mana", "attack", "defence", "extra", "toughness", "boss", "total", "edit_skill")}  # fmt: skip
        # The column in which mana was laid this turn, counted from 1.
        self.laid: Cells = g.field("laid", p, values=range(4))
        self.did_column: Cells = g.field("did_column", p, COLUMN, values=few)
        self.uses: dict[str, Cells] = {
            name: g.field(f"uses_{name}", p, values=few) for name in ("ritual", "tea", "castle", "trap")
        }
        # The skills used in this edit turn (0) and battle turn (1), by source (see ``skills``).
        self.skill_used: Cells = g.field("skill_used", p, 2, 8, values=bool)
        if possible(self.reading("A31", "AUX_ONCE_EACH")):
            # The sorts of battle cards that were played in this battle turn.
            self.played: Cells = g.field("played", p, 6, values=bool)
        self.pending: Expr = g.field("pending", values=PENDING)
        self.pending_player: Expr = g.field("pending_player", values=range(p))
        self.pending_place: Expr = g.field("pending_place", values=range(16))
        self.pending_card: Expr = g.field("pending_card", values=range(len(self.cards)))
        self.pending_skill: Expr = g.field("pending_skill", values=range(3))
        self.pending_done: Expr = g.field("pending_done", values=bool)

    def _battle_fields(self) -> None:
        g, p = self.game, self.players
        fastest = (
            16
            if self.setting.readings.get("A43", "TOP") in ("TOP", "ANY") and "A43" not in self.setting.open
            else 48 * self.slots
        )
        self.speed: Cells = g.field("speed", p, values=range(-1, fastest + 1))
        self.place: Cells = g.field("place", p, values=range(p))
        self.before: Cells = g.field("place_before", p, values=range(p))
        # Lots drawn among players equal in speed and priority, from 1; 0 before (A46 DIE).
        self.lot: Cells = g.field("lot", p, values=range(p + 1))
        self.stepped: Cells = g.field("stepped", p, values=bool)
        self.step: Expr = g.field("step", values=STEP)
        self.active: Expr = g.field("active", values=range(p))
        self.target: Expr = g.field("target", values=range(-1, p), init=-1)
        self.word: Expr = g.field("word", values=range(p))
        self.passed: Expr = g.field("passed", values=bool)
        self.source: Expr = g.field("source", values=range(-1, SOURCE.size), init=-1)
        self.power: Expr = g.field("power", values=range(128))
        self.guarded: Cells = g.field("guarded", p, 11, values=bool)
        self.guard: Expr = g.field("guard", values=range(-1, 11), init=-1)
        # The column that fell last in this battle turn, 3 * player + column + 1; 0 for none.
        self.last_fall: Expr = g.field("last_fall", values=range(3 * p + 1))
        self.last_card: Expr = g.field("last_card", values=range(len(self.cards)))
        # The guard (counted from 1) that takes every attack of this step by the Flame of anger; 0 for none.
        self.flame: Expr = g.field("flame", values=range(13))
        if possible(self.reading("A135", "LIFE_LOST_ONE_ATTACK")):
            self.lost: Expr = g.field("lost", values=range(17))
        if possible(self.reading("A135", "TOTAL_THIS_TURN")):
            self.taken: Cells = g.field("taken", p, values=range(1281))
        self.attacked: Cells = g.field("attacked", SOURCE, values=bool)
        order, power = range(SOURCE.size + 1), range(128)
        self.facing: Expr = FALSE
        if possible(self.reading("A54", "ATTACKER_FIXED", "DEFENDER")):
            # The announced attacks from 1 on, with their numbers and targets, and whether they come now.
            self.called: Cells = g.field("called", SOURCE, values=order)
            self.called_power: Cells = g.field("called_power", SOURCE, values=power)
            self.called_at: Cells = g.field("called_at", SOURCE, values=range(p))
            self.calls: Expr = g.field("calls", values=order)
            self.facing = g.field("facing", values=bool)
        self.striking: Expr = FALSE
        if possible(self.reading("A53", "SIMULT_WASTE", "SIMULT_REGUARD") | self.reading("A54", "NONE")):
            # The attacks that have their guards and wait, likewise.
            self.held: Cells = g.field("held", SOURCE, values=order)
            self.held_power: Cells = g.field("held_power", SOURCE, values=power)
            self.held_at: Cells = g.field("held_at", SOURCE, values=range(p))
            self.held_guard: Cells = g.field("held_guard", SOURCE, values=range(-1, 11))
            self.holds: Expr = g.field("holds", values=order)
            self.striking = g.field("striking", values=bool)
        self.answered: Expr = FALSE
        self.waiting: Expr = const(0)
        if possible(self.reading("A34", "STACK")):
            # Battle cards that wait for answers, the last one uppermost, and whether both players have passed on it.
            self.waiting = g.field("waiting", values=range(WAITING + 1))
            self.waiting_by: Cells = g.field("waiting_by", WAITING, values=range(p))
            self.waiting_card: Cells = g.field("waiting_card", WAITING, values=range(len(self.cards)))
            self.waiting_aim: Cells = g.field("waiting_aim", WAITING, values=range(4 + SOURCE.size))
            self.answered = g.field("answered", values=bool)

    # -- vocabulary --------------------------------------------------------------------------------

    def is_phase(self, *names: str) -> Expr:
        return member(self.phase, [PHASE[n] for n in names])

    def is_step(self, *names: str) -> Expr:
        return member(self.step, [STEP[n] for n in names])

    def is_pending(self, name: str) -> Expr:
        return (self.pending == PENDING[name]) & ~self.somebody_owes()

    def owes(self, p: Any) -> Expr:
        """Whether the player still has to name mana that go (A102)."""
        if not possible(self.reading("A102", "PAYER_CHOOSES")):
            return FALSE
        return any_of(3, lambda c: self.owed[p, c] > 0)

    def somebody_owes(self) -> Expr:
        return either(*(self.owes(p) for p in range(self.players)))

    def in_stack(self, p: Any, c: Any, s: Any) -> Expr:
        """Whether a card lies in this slot."""
        return lift(s) < self.height[p, c]

    def top(self, p: Any, c: Any) -> Expr:
        """The uppermost mana of a column, spent or not; no card (0) in an empty one."""
        return self.mana[p, c, self.height[p, c] - 1]

    @once
    def shown_slot(self, p: Any, c: Any, gone: Expr) -> Expr:
        """The slot of the mana that counts as the top; -1 if none. ``gone``: spent mana no longer counts (A106)."""
        if gone is FALSE:
            return self.height[p, c] - 1
        unspent = max_of(self.slots, lambda s: ite(self.in_stack(p, c, s) & (self.spent[p, c, s] == 0), s, -1))
        return ite(gone, unspent, self.height[p, c] - 1)

    @once
    def shown(self, p: Any, c: Any, gone: Expr = FALSE) -> Expr:
        """The plain mana card on top of a column, or 0 when there is none or it is Elements."""
        slot = self.shown_slot(p, c, gone)
        return ite(slot >= self.elements[p, c], self.mana[p, c, slot], 0)

    def is_elements(self, p: Any, c: Any, s: Any) -> Expr:
        return lift(s) < self.elements[p, c]

    def beneath_defence(self, p: Any, c: Any) -> Expr:
        """The card on which the defence of a column was laid (A07 STACK); 0 for none."""
        return self._beneath[p, c] if possible(self.reading("A07", "STACK")) else lift(0)

    def living(self, p: Any, c: Any) -> Expr:
        """Whether a defence with life stands in the column."""
        return self.life[p, c] > 0

    def attack_free(self, p: Any, c: Any) -> Expr:
        """Whether nothing fills the attack field (A116: an Extra card may, A125 IN_SLOTS: a ritual card does)."""
        by_extra = eq(self.extra_at[p], lift(c) + 1) if self.extra_may_fill else FALSE
        by_ritual = self.reading("A125", "IN_SLOTS") & (self.above[p, c] > 0)
        return (self.attack[p, c] == 0) & ~by_extra & ~by_ritual

    def is_boss(self, card: Any) -> Expr:
        return self.is_kind(card, "BOSS", "ASSASSIN")

    def permanent_boss(self, p: Any, c: Any) -> Expr:
        """Whether a boss card stands in the column for good, as attack and defence."""
        return self.is_boss(self.attack[p, c])

    def hand_size(self, p: Any) -> Expr:
        return sum_of(len(self.cards), lambda k: self.hand[p, k])

    def others(self, p: Any, test: Any) -> Expr:
        """Whether the test holds for every other living player."""
        return all_of(self.players, lambda q: (q == p) | ~self.alive[q] | test(q))

    def last_alive(self) -> Expr:
        return count_of(self.players, lambda q: self.alive[q]) <= 1

    def card_die(self) -> Expr:
        """Up to which face the skill of a card that waits for the die succeeds; 0 if it has none."""
        rolls = [[skill.die for skill in card.skills] + [0] * (3 - len(card.skills)) for card in self.cards.cards]
        table = Table.of("skill_die", (len(rolls), 3), [n for row in rolls for n in row], 0)
        return lookup(table, self.pending_card, self.pending_skill)

    def card_rolls(self) -> Expr:
        """Whether a card's skill waits for the die."""
        return self.is_pending("CARD") & ~self.pending_done

    def nothing_pending(self) -> Expr:
        return (self.pending == 0) & ~self.somebody_owes()
