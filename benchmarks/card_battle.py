"""A synthetic card battle of about 200 clauses: large as a real game is, and no real game.

Two players hold sixteen kinds of cards in five elements, lay mana in stacks, summon by
paying from the tops of three columns, and use eight skills of a board. It is written as
a game would be, so that its build time and its guards are those of a real rule set.
"""

from __future__ import annotations

from typing import Any

from monjudge.model.language import (
    ActionBuilder,
    Domain,
    Expr,
    Game,
    Multiset,
    RuleSet,
    Stack,
    Table,
    add,
    as_int,
    count_of,
    either,
    gain,
    ite,
    lookup,
    member,
    minimum,
    put,
    tabulate,
)

KINDS = 16
"""Kinds 1..16; 0 is no card. A kind's element is its number modulo 5."""
SKILLS = 8
PHASES = Domain("phase", ("draw", "mana", "summon", "battle", "guard", "end"))
COLUMNS = Domain("column", ("L", "C", "R"))
ELEMENTS = Domain("element", ("F", "W", "E", "A", "N"))

ELEMENT = Table.of("element", (KINDS + 1,), [k % 5 for k in range(KINDS + 1)])
COST = Table.of("cost", (KINDS + 1,), [0, *(1 + k % 4 for k in range(KINDS))])
POWER = Table.of("power", (KINDS + 1,), [0, *(2 + 7 * k % 9 for k in range(KINDS))])
RANK = Table.of("rank", (KINDS + 1,), [0, *(k // 6 for k in range(KINDS))])

GUARD = "summon.W"
"""The action whose clauses are the guard to measure."""

DECKED: dict[str, int | list[int]] = {
    "phase": PHASES.summon,
    "hand": [0, 1, 1, 1, 1, 0, 2, 0, 1, *[0] * 8, *[1] * 17],
    "mana": [1, 6, 11, 2, 0, 0, 7, 1, 6, 0, 0, 0, 3, 8, 1, 1, 0, 0, *[1] * 18],
    "mana_height": [4, 3, 4, 6, 6, 6],
    "front": [0, 0, 5, 3, 0, 0],
}
"""A state in the middle of a game, in which some of the 3,072 moves of the guard are legal."""


def card_battle() -> RuleSet:
    """The rule set: 20 actions with 194 clauses, 13 families of 138 cells, one trigger."""
    return _Battle().game.build()


class _Battle:
    def __init__(self) -> None:
        g = self.game = Game("card-battle", players=2, en="A card battle", ja="カードの戦い")
        self.phase = g.field("phase", values=PHASES)
        self.turn = g.field("turn", values=range(2))
        self.life = g.field("life", 2, values=range(31), init=20)
        self.hand = Multiset(g, "hand", 2, kinds=KINDS + 1, most=4)
        self.mana = Stack(g, "mana", 2, COLUMNS, slots=6, values=range(KINDS + 1))
        self.front = g.field("front", 2, COLUMNS, values=range(KINDS + 1))
        self.tapped = g.field("tapped", 2, COLUMNS, values=bool)
        self.summons = g.field("summons", 2, values=range(4))
        self.charges = g.field("charges", 2, values=range(4))
        self.used = g.field("used", 2, SKILLS, values=bool)
        self.banned = g.field("banned", 2, ELEMENTS, values=bool)
        self.board = g.field("board", 2, SKILLS, values=range(6), init=[*range(1, 6), 1, 2, 3] * 2, config=True)
        for element in range(ELEMENTS.size):
            self.summon(element)
            self.attack(element)
        for skill in range(SKILLS):
            self.skill(skill)
        self.charge()
        self.proceed()
        g.trigger(
            "BATTLE.fall", lambda p, c: (self.front[p, c] != 0) & (self.life[p] == 0),
            lambda p, c: [put(self.front[p, c], 0), put(self.tapped[p, c], False)], over=(2, 3),
        )  # fmt: skip
        g.over(either(self.life[0] == 0, self.life[1] == 0))

    def common(self, a: ActionBuilder, phase: int) -> None:
        """The three conditions of every decision."""
        me = a.me
        a.clause("TURN.phase", self.phase == phase, en="In the phase for it.", ja="決められた段階で。")
        a.clause("TURN.alive", self.life[me] > 0, en="With life left.", ja="ライフが残る間に。")
        a.limit("TURN.summons", self.summons[me] + self.charges[me] < 6, en="Within the counters.", ja="数えられる間。")

    def paid(self, me: Expr, column: int, count: Any, element: int) -> Expr:
        """How many of the uppermost ``count`` mana of a column have the element."""
        height = self.mana.height(me, column)
        return count_of(
            self.mana.slots,
            lambda s: (s < height) & (s >= height - count) & (lookup(ELEMENT, self.mana.slot(me, column, s)) == element),
        )

    def summon(self, element: int) -> None:
        """Eleven clauses: a card of one element is paid from three columns and enters one."""
        name = ELEMENTS.labels[element]
        a = self.game.action(f"summon.{name}", by=self.turn)
        me, kind, to = a.me, a.param("kind", range(1, KINDS + 1)), a.param("to", COLUMNS)
        pay = [a.param(f"pay_{c}", range(4)) for c in COLUMNS.labels]
        total = add(*pay)
        self.common(a, PHASES.summon)
        a.clause("SUMMON.hand", self.hand.count(me, kind) > 0, en="From the hand.", ja="手札から。")
        a.clause(f"SUMMON.element.{name}", lookup(ELEMENT, kind) == element, en="Of its element.", ja="その属性の。")
        a.clause("SUMMON.free", self.front[me, to] == 0, en="Into a free column.", ja="空いた列に。")
        a.clause("SUMMON.once", self.summons[me] < 3, en="Three times a turn at most.", ja="一手番に三度まで。")
        a.clause(f"SUMMON.banned.{name}", ~self.banned[me, element], en="Not banned.", ja="禁じられていない。")
        a.clause("SUMMON.cost", total == lookup(COST, kind), en="For its cost exactly.", ja="ちょうどのコストで。")
        covered = [pay[c] <= self.mana.height(me, c) for c in range(3)]
        a.clause("SUMMON.covered", covered[0] & covered[1] & covered[2], en="From mana laid.", ja="置いたマナから。")
        matching = add(*(self.paid(me, c, pay[c], element) for c in range(3)))
        a.clause(f"SUMMON.match.{name}", matching >= lookup(RANK, kind), en="Enough of it.", ja="その属性が足りて。")
        a.effect(self.hand.remove(me, kind), put(self.front[me, to], kind), put(self.tapped[me, to], True))
        a.effect(gain(self.summons[me], 1), *(self.mana.pop(me, c, count=pay[c]) for c in range(3)))

    def attack(self, element: int) -> None:
        """Ten clauses: a monster of one element attacks through its column or beside it."""
        name = ELEMENTS.labels[element]
        a = self.game.action(f"attack.{name}", by=self.turn)
        me, start, to = a.me, a.param("from", COLUMNS), a.param("to", COLUMNS)
        other = 1 - me
        mine, theirs = self.front[me, start], self.front[other, to]
        power = lookup(POWER, mine) + 2 * as_int(lookup(ELEMENT, theirs) == (element + 1) % 5)
        self.common(a, PHASES.battle)
        a.clause("ATTACK.monster", mine != 0, en="With a monster.", ja="モンスターで。")
        a.clause(f"ATTACK.element.{name}", lookup(ELEMENT, mine) == element, en="Of its element.", ja="その属性の。")
        a.clause("ATTACK.ready", ~self.tapped[me, start], en="That is ready.", ja="疲れていない。")
        a.clause("ATTACK.near", member(start - to, (-1, 0, 1)), en="At most one column away.", ja="隣まで。")
        a.clause("ATTACK.ahead", (start == to) | (self.front[other, start] == 0), en="First ahead.", ja="正面から。")
        a.clause("ATTACK.strong", (theirs == 0) | (power > lookup(POWER, theirs)), en="Stronger.", ja="より強い。")
        a.clause("ATTACK.target", self.life[other] > 0, en="Against a player.", ja="相手がいる。")
        damage = minimum(self.life[other], power)
        a.effect(gain(self.life[other], -damage, theirs == 0), put(self.front[other, to], 0, theirs != 0))
        a.effect(put(self.tapped[me, start], True))

    def skill(self, skill: int) -> None:
        """Ten clauses: one of the eight skills that the board of the player may hold."""
        a = self.game.action(f"skill.{skill}", by=self.turn)
        me, target, element = a.me, a.param("target", COLUMNS), a.param("element", ELEMENTS)
        other, held = 1 - me, self.board[me, skill]
        strength = tabulate(lambda b: b // 2, held, "strength")
        self.common(a, PHASES.summon if skill % 2 else PHASES.battle)
        a.clause("SKILL.held", held > 0, en="On the board.", ja="ボードにある。")
        a.clause(f"SKILL.once.{skill}", ~self.used[me, skill], en="Once.", ja="一度だけ。")
        a.clause("SKILL.mana", self.mana.height(me, target) > strength, en="With mana there.", ja="そこのマナで。")
        laid = count_of(self.mana.slots, lambda s: lookup(ELEMENT, self.mana.slot(me, target, s)) == element)
        a.clause("SKILL.element", laid >= 1, en="Of that element.", ja="その属性の。")
        a.clause("SKILL.victim", self.front[other, target] != 0, en="Against a monster.", ja="相手のモンスターに。")
        rank = lookup(RANK, self.front[other, target])
        a.clause("SKILL.rank", rank <= strength, en="Not above its rank.", ja="格を超えない。")
        a.clause("SKILL.cards", self.hand.size(me) >= 1, en="With a card in hand.", ja="手札がある。")
        a.effect(put(self.used[me, skill], True), put(self.tapped[other, target], True))
        a.effect(put(self.banned[other, element], True, held == 5), self.mana.pop(me, target))

    def charge(self) -> None:
        """Eight clauses: a card from the hand becomes mana."""
        a = self.game.action("charge", by=self.turn)
        me, kind, to = a.me, a.param("kind", range(1, KINDS + 1)), a.param("to", COLUMNS)
        self.common(a, PHASES.mana)
        a.clause("CHARGE.hand", self.hand.count(me, kind) > 0, en="From the hand.", ja="手札から。")
        a.clause("CHARGE.once", self.charges[me] < 2, en="Twice a turn.", ja="一手番に二度。")
        a.clause("CHARGE.room", self.mana.height(me, to) < self.mana.slots, en="Where there is room.", ja="空きのある列に。")
        top = self.mana.top(me, to)
        fits = (top == 0) | (lookup(ELEMENT, top) == lookup(ELEMENT, kind)) | (lookup(RANK, kind) == 0)
        a.clause("CHARGE.fits", fits, en="On its element, or common.", ja="同じ属性か、並の札。")
        a.clause("CHARGE.spare", self.hand.size(me) > 1, en="Not the last card.", ja="最後の札でない。")
        a.effect(self.hand.remove(me, kind), self.mana.push(me, to, card=kind), gain(self.charges[me], 1))

    def proceed(self) -> None:
        """The next phase, and after the last the other player's turn."""
        a = self.game.action("proceed", by=self.turn)
        me, last = a.me, self.phase == PHASES.end
        a.clause("TURN.free", (self.phase != PHASES.guard) | (self.life[me] > 0), en="Nothing is owed.", ja="残りがない。")
        a.effect(put(self.phase, ite(last, 0, minimum(self.phase + 1, PHASES.end))), put(self.turn, 1 - me, last))
        a.effect(put(self.summons[me], 0, last), put(self.charges[me], 0, last))
