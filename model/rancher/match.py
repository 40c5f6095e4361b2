"""The table of one match: every field of the state, and the words that the chapters speak in.

A chapter is a function that takes a ``Match`` and adds its actions, triggers and clauses. What is
said here is only where things lie and what they are called; what is allowed is said in the chapters,
each clause under the id of the document.

Hands, libraries and piles are numbers of kinds; monsters stand in slots, with what is on them as numbers
of kinds. Squares of the arena are 1 to 5, 0 outside. Damage is counted in halves of a point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as default
from functools import cached_property
from typing import Any

from monjudge.model.language import (
    FALSE,
    Cells,
    Domain,
    Effect,
    Expr,
    Game,
    Table,
    add,
    as_int,
    both,
    count_of,
    each,
    eq,
    gain,
    ite,
    lift,
    lookup,
    max_of,
    maximum,
    member,
    put,
    sum_of,
)
from monjudge.model.rancher.cards import STAT, TYPE, Card, Catalogue
from monjudge.model.rancher.readings import SWITCHES
from monjudge.model.rancher.texts import switch_texts
from monjudge.model.readings import Ambiguities

__all__ = [
    "DRAW", "HAND", "LAID", "MOST_TURNS", "MOST_UNINJURED", "ROW", "SQUARES", "STACK", "STEP", "WINDOW", "Match", "Setting", "possible",
]  # fmt: skip

STEP = Domain(
    "step",
    ("CHOOSE", "START", "TRIM", "REFILL", "ACTIVE", "SPEED", "RECKON", "EVENT", "SELECT", "SIDE", "STAND", "MOVE",
     "MOVED", "ATTACK", "ADD", "PARRY", "HIT", "TAKE", "ROUND", "FAME", "CLEAR", "DONE", "PLAY", "JUDGE", "AID", "SUCCESS"),
)  # fmt: skip
"""What happens next, in the order of a turn; under AMB_PLAYPHASE there is a play step before ACTIVE, too."""

DRAW = Domain("draw", ("HAND", "SPEED", "JUDGE", "SIDE", "TAKE", "REST", "ADD"))
"""What cards are drawn for: the hand, a check, the side of the arena, from there to the hand or away, an attack."""

WINDOW = Domain("window", ("NONE", "OWN", "BOTH"))
"""Who may use abilities before what happens next: nobody, who decides next, both players."""

SQUARES = 5
"""R.ARENA.1."""

HAND = 5
"""R.INIT.2: the limit of the hand at the start of a turn."""

ROW = 5
"""R.ARENA.8: places for side cards, one for each square."""

LAID = 12
"""Cards that a player can lay out in one speed check before the model says *unknown (limit)*."""

STACK = 4
"""AMB_TIMING STACK: so many abilities can wait for their effect before the model says *unknown (limit)*."""

MOST_UNINJURED = 5
"""R.MON.3."""

MOST_TURNS = 250
"""Turns of a game before the model says *unknown (limit)*."""


def possible(condition: Expr) -> bool:
    """Whether the condition is not already known to be false (a reading that was not chosen)."""
    return condition is not FALSE


@dataclass(frozen=True)
class Setting:
    """What is fixed before a match: the kinds in play, both decks (kinds with copies), who is younger, the readings.

    Names of switches in ``open`` stay symbolic fields. ``slots`` bounds the monsters of a player on the field,
    injured ones included. ``begun``: the set-up is over, nothing of it is secret any more. Raises DataError for
    readings that do not exist or are fixed in this version.
    """

    catalogue: Catalogue
    decks: tuple[Mapping[Card, int], Mapping[Card, int]] = default(default_factory=lambda: ({}, {}))
    youngest: int = 0
    readings: Mapping[str, str] = default(default_factory=dict)
    open: frozenset[str] = frozenset()
    slots: int = 8
    begun: bool = False

    def __post_init__(self) -> None:
        SWITCHES.profile(self.readings)
        SWITCHES.check_open(self.open)


class Match:
    """All fields of a match on a ``Game``, and the vocabulary over them."""

    def __init__(self, game: Game, setting: Setting) -> None:
        self.game, self.setting, self.me = game, setting, game.me
        self.cards, self.slots = setting.catalogue, setting.slots
        asked = Ambiguities(game, switch_texts(), setting.readings, setting.open)
        self.reading: Callable[..., Expr] = asked.reading
        self.pick: Callable[..., Expr] = asked.pick
        self._card_data()
        self._zones()
        self._monsters()
        self._turn()
        self._battle()
        self._checks()

    # -- card data ---------------------------------------------------------------------------------

    def _card_data(self) -> None:
        cards = self.cards.cards

        def table(name: str, of: Callable[[Card], int]) -> Table:
            return Table.of(f"card_{name}", (len(cards),), [of(card) for card in cards], 0)

        self._type = table("type", lambda c: TYPE[c.type])
        self._pull = table("pull", lambda c: c.pull)
        self._stat = [table(name, lambda c, x=x: c.stats[x]) for x, name in enumerate(STAT.labels)]  # type: ignore[misc]
        self.monsters, self.trainings = self.cards.numbers("MONSTER"), self.cards.numbers("TRAINING")
        self.attachments = self.cards.numbers("ATTACHMENT")
        self.events, self.battles = self.cards.numbers("EVENT"), self.cards.numbers("BATTLE")

    def pull(self, card: Any) -> Expr:
        """The pull number, 0 of no card."""
        return lookup(self._pull, card)

    def is_type(self, card: Any, *types: str) -> Expr:
        """Whether the card is of one of these types."""
        return member(lookup(self._type, card), [TYPE[t] for t in types])

    def which(self, name: str, test: Callable[[Card], bool], card: Any) -> Expr:
        """Whether the card is one of those that pass the test."""
        cards = self.cards.cards
        return lookup(Table.of(f"is_{name}", (len(cards),), [bool(test(c)) for c in cards], False), card)

    def number(self, name: str, of: Callable[[Card], int], card: Any) -> Expr:
        """A number printed on the card."""
        cards = self.cards.cards
        return lookup(Table.of(f"card_{name}", (len(cards),), [of(c) for c in cards], 0), card)

    # -- fields ------------------------------------------------------------------------------------

    def _zones(self) -> None:
        g, n, copies = self.game, len(self.cards), range(Catalogue.MOST + 1)
        decks = [deck.get(card, 0) for deck in self.setting.decks for card in self.cards.cards]
        self.library: Cells = g.field("library", 2, n, values=copies, init=decks)
        self.hand: Cells = g.field("hand", 2, n, values=copies)
        self.discard: Cells = g.field("discard", 2, n, values=copies)
        self.removed: Cells = g.field("removed", 2, n, values=copies)

    def _monsters(self) -> None:
        g, s, copies = self.game, self.slots, range(Catalogue.MOST + 1)
        self.monster: Cells = g.field("monster", 2, s, values=range(max(self.monsters.stop, 1)))
        self.injured: Cells = g.field("injured", 2, s, values=bool)
        self.present: Cells = g.field("present", 2, s, values=bool)
        self.fought: Cells = g.field("fought", 2, s, values=bool)
        self.trained: Cells = g.field("trained", 2, s, values=bool)
        self.equipped: Cells = g.field("equipped", 2, s, values=bool)
        self.training: Cells = g.field("training", 2, s, max(len(self.trainings), 1), values=copies)
        self.gear: Cells = g.field("gear", 2, s, max(len(self.attachments), 1), values=copies)
        self.kit: Cells = g.field("kit", 2, max(len(self.attachments), 1), values=copies)
        self.kitted: Cells = g.field("kitted", 2, values=bool)

    def _turn(self) -> None:
        g = self.game
        self.fame: Cells = g.field("fame", 2, values=range(16))
        self.step: Expr = g.field("step", values=STEP)
        self.turn: Expr = g.field("turn", values=range(MOST_TURNS + 1))
        self.first: Expr = g.field("first", values=range(2), init=self.setting.youngest)
        self.word: Expr = g.field("word", values=range(2), init=self.setting.youngest)
        self.passed: Expr = g.field("passed", values=bool)
        self.active: Cells = g.field("active", 2, values=range(-1, self.slots), init=-1, default=-1)
        self.due: Cells = g.field("due", 2, values=range(LAID + 1))
        self.purpose: Expr = g.field("purpose", values=DRAW)
        self.laid: Cells = g.field("laid", 2, values=range(LAID + 1))
        self.shown: Cells = g.field("shown", 2, LAID, values=range(len(self.cards)))
        self.boost: Cells = g.field("boost", 2, STAT, values=range(-12, 13))
        self.owes: Cells = g.field("owes", 2, values=range(16))
        self.heals: Cells = g.field("heals", 2, values=range(5))
        self.battled: Expr = g.field("battled", values=bool)
        if possible(self.reading("AMB_PLAYPHASE", "TWO", "MONSTERS_EARLY")):
            self._early: Expr = g.field("early", values=bool)
        if possible(self.reading("AMB_FIRST_NEXT", "SPEED")):
            self.faster: Expr = g.field("faster", values=range(-1, 2), init=-1)
        if possible(self.reading("AMB_FIRST_NEXT", "BATTLE_WINNER", "BATTLE_LOSER")):
            self.last_winner: Expr = g.field("last_winner", values=range(-1, 2), init=-1)
        if possible(self.reading("AMB_NOACT", "LOSES")):
            self.lost: Cells = g.field("lost", 2, values=bool)
        if possible(self.reading("AMB_DECKOUT_WHEN", "NEXT_TIME")):
            self.drawing: Cells = g.field("drawing", 2, values=bool)
        if self.has_abilities:
            self.window: Expr = g.field("window", values=WINDOW)
            self.asked: Expr = g.field("asked", values=range(2))
            self.waited: Expr = g.field("waited", values=bool)
            self.used: Cells = g.field("used", 2, values=range(8))
            self.used_here: Cells = g.field("used_here", 2, values=bool)
            if possible(self.reading("AMB_TIMING", "STACK")):
                # Who used an ability that has not taken effect yet, from 1, the last one uppermost.
                self.waiting: Cells = g.field("waiting", STACK, values=range(3))
                self.resolves: Expr = g.field("resolves", values=bool)

    def _battle(self) -> None:
        g, n = self.game, len(self.cards)
        self.battle: Expr = g.field("battle", values=range(n))
        self.owner: Expr = g.field("battle_owner", values=range(2))
        self.at: Cells = g.field("square", 2, values=range(SQUARES + 1))
        self.damage: Cells = g.field("damage", 2, values=range(200))
        self.side: Cells = g.field("side", 2, values=range(ROW + 1))
        self.row: Cells = g.field("side_card", 2, ROW, values=range(n))
        self.technique: Expr = g.field("technique", values=range(-1, len(self.cards.techniques)), init=-1)
        self.added: Cells = g.field("added", 2, values=range(64))
        self.unable: Cells = g.field("unable", 2, values=bool)
        self.attacked: Cells = g.field("attacked", 2, values=bool)
        self.stirred: Expr = g.field("stirred", values=bool)
        # -1 nobody, 2 both (AMB_SIMUL).
        self.winner: Expr = g.field("winner", values=range(-1, 3), init=-1)
        if possible(self.reading("AMB_MOVEORD", "SECRET_IN_ORDER", "SECRET_AT_ONCE")):
            self.ordered: Cells = g.field("ordered", 2, values=range(n))
        if possible(self.reading("AMB_MOVECARD", "END_OF_ROUND", "END_OF_BATTLE")):
            self.away: Cells = g.field("away", 2, n, values=range(Catalogue.MOST + 1))
        if possible(self.reading("AMB_ATK_OPEN", "FACE_DOWN")):
            self.covered: Cells = g.field("covered", 2, n, values=range(Catalogue.MOST + 1))
        if possible(self.reading("AMB_ATK_WHO", "AT_ONCE")):
            self.pending: Cells = g.field("pending", 2, values=range(200))
        if possible(self.reading("AMB_BATEND", "ROUNDS")):
            self.rounds: Expr = g.field("rounds", values=range(ROW + 1))

    def _checks(self) -> None:
        g, n = self.game, len(self.cards)
        self.trainee: Expr = g.field("trainee", values=range(-1, self.slots), init=-1)
        self.course: Expr = g.field("course", values=range(n))
        self.judged: Expr = g.field("judged", values=range(n))
        self.correction: Expr = g.field("correction", values=range(-8, 9))

    # -- vocabulary --------------------------------------------------------------------------------

    @cached_property
    def has_abilities(self) -> bool:
        """Whether some monster in play has an ability of its own (R.MON.10)."""
        return any(card.deeds for card in self.cards.cards if card.type == "MONSTER")

    def trigger(self, id: str, when: Any, effects: Any) -> None:
        """A rule that fires by itself under the text of its clause; ``R.X.1:part`` is a part of ``R.X.1``."""
        ref, en, ja = self.game.texts[id.partition(":")[0]]
        self.game.trigger(id, when, effects, en=en, ja=ja, ref=ref)

    def is_step(self, *steps: str) -> Expr:
        return member(self.step, [STEP[s] for s in steps])

    def now(self, *steps: str) -> Expr:
        """Whether one of the steps is to be done: nothing is due or owed, and no window is open before it."""
        return both(self.is_step(*steps), self.quiet, self.no_window)

    @property
    def quiet(self) -> Expr:
        """Whether no card is to be drawn or discarded and no monster to be healed before anything else."""
        nothing = [both(self.due[p] == 0, self.owes[p] == 0, self.heals[p] == 0) for p in range(2)]
        if possible(self.reading("AMB_HEAL", "OVER_FIVE")):
            nothing += [self.standing(p) <= MOST_UNINJURED for p in range(2)]
        return both(*nothing)

    @property
    def no_window(self) -> Expr:
        return eq(self.window, WINDOW["NONE"]) if self.has_abilities else lift(True)

    def to(self, step: str, when: Any = True, word: Any = None) -> list[Effect]:
        """Effects: a numbered step is over and the next begins, with the first player (or ``word``); both may use abilities before."""
        return self._goes(STEP[step], self.first if word is None else word, "BOTH", when)

    def hand_over(self, player: Any, step: str, when: Any = True) -> list[Effect]:
        """Effects: it is for the player to decide, who alone may use abilities before."""
        return self._goes(STEP[step], player, "OWN", when)

    def on(self, step: str, when: Any = True) -> list[Effect]:
        """Effects: the step follows at once; who has the word keeps it."""
        return [put(self.step, STEP[step], when)]

    def _goes(self, step: int, word: Any, window: str, when: Any) -> list[Effect]:
        effects = [put(self.step, step, when), put(self.word, word, when), put(self.passed, False, when)]
        if self.has_abilities:
            alone = ~self.reading("AMB_TIMING", "PRECEDENCE") if window == "OWN" else FALSE
            effects += [put(self.window, ite(alone, WINDOW["OWN"], WINDOW["BOTH"]), when),
                        put(self.asked, ite(alone, word, self.first), when), put(self.waited, False, when)]  # fmt: skip
            effects += each(2, lambda p: put(self.used_here[p], False, when))
        return effects

    @property
    def early(self) -> Expr:
        """Whether the play step is the one before the active monsters are named (AMB_PLAYPHASE)."""
        return self._early if possible(self.reading("AMB_PLAYPHASE", "TWO", "MONSTERS_EARLY")) else FALSE

    @property
    def second(self) -> Expr:
        return 1 - self.first

    def stands(self, p: Any, s: Any) -> Expr:
        """Whether an uninjured monster is in the slot."""
        return (self.monster[p, s] > 0) & ~self.injured[p, s]

    def standing(self, p: Any) -> Expr:
        """How many uninjured monsters the player has."""
        return count_of(self.slots, lambda s: self.stands(p, s))

    @property
    def trainer(self) -> Expr:
        """Whose training is being judged: the other one may be asked to help or hinder."""
        return ite(self.is_step("AID"), 1 - self.word, self.word)

    def has_active(self, p: Any) -> Expr:
        return self.active[p] >= 0

    def loyalty(self, p: Any, s: Any) -> Expr:
        """R.LOY.1: the training cards on the monster."""
        return sum_of(max(len(self.trainings), 1), lambda j: self.training[p, s, j])

    def stat(self, p: Any, s: Any, x: int) -> Expr:
        """The effective value of a statistic: printed, trained, by attachments, and for this turn."""
        name, parts = STAT.labels[x], [lookup(self._stat[x], self.monster[p, s])]
        for kinds, cells in ((self.trainings, self.training), (self.attachments, self.gear)):
            parts += [self._given(k, name) * cells[p, s, j] for j, k in enumerate(kinds) if self._given(k, name)]
        parts += [self._given(k, name) * self.kit[p, j] for j, k in enumerate(self.attachments) if self._given(k, name)]
        parts.append(ite(eq(self.active[p], s), self.boost[p, x], 0))
        return maximum(0, add(*parts))

    def _given(self, kind: int, stat: str) -> int:
        return dict(self.cards.cards[kind].gives).get(stat, 0)

    def fights_with(self, p: Any, x: int) -> Expr:
        """The effective value of a statistic of the active monster; 0 without one."""
        return ite(self.has_active(p), self.stat(p, self.active[p], x), 0)

    def hand_size(self, p: Any) -> Expr:
        return sum_of(len(self.cards), lambda k: self.hand[p, k])

    def unseen(self, p: Any) -> Expr:
        """Side cards of which nobody knows more than that they came from the library."""
        return self.side[p] - count_of(ROW, lambda i: self.row[p, i] > 0)

    def in_library(self, p: Any) -> Expr:
        """How many cards can be drawn: side cards that nobody has seen are still counted with the library."""
        return sum_of(len(self.cards), lambda k: self.library[p, k]) - self.unseen(p)

    def best(self, p: Any, *types: str) -> Expr:
        """The highest pull number among the player's laid out cards of these types; 0 without any."""
        return max_of(LAID, lambda i: ite(self.is_type(self.shown[p, i], *types), self.pull(self.shown[p, i]), 0))

    def drop(self, p: Any, card: Any, when: Any = True) -> Effect:
        """Effect: the card (if it is one) lies in the player's discard pile."""
        return gain(self.discard[p, card], as_int(lift(card) > 0), when)

    @property
    def ended(self) -> Expr:
        """Whether the game is over (R.WIN.1-2): three fame counters, at once or at the end of a turn (AMB_WINTIE)."""
        won = (self.fame[0] >= 3) | (self.fame[1] >= 3)
        over = won & (self.reading("AMB_WINTIE", "AT_ONCE") | self.is_step("START"))
        loses = self.reading("AMB_NOACT", "LOSES")
        return over | (loses & (self.lost[0] | self.lost[1])) if possible(loses) else over
