"""Cards dealt as they are played: held against beliefs, which take every deal one by one, on small random games."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import pytest
from card_games import cards, dealt
from hidden_games import cave, caves, deals, tricks

from monjudge.model.language import Expr, Game, Multiset, RuleSet, State, eq, gain, put
from monjudge.model.language.export import content_hash
from monjudge.solvers.certificate import Evidence, Refused, check
from monjudge.solvers.concealed import Concealed, evidence
from monjudge.solvers.dealing import Dealing
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Limits, Search
from monjudge.solvers.unseen import Hidden
from monjudge.solvers.verdict import Verdict


def questions(seeds: Iterable[int], count: int) -> Iterator[tuple[RuleSet, Expr, int, State, int | None]]:
    for seed in seeds:
        rules = cards(seed)
        for goal in rules.goals:
            for n in range(count):
                state = dealt(n, rules)
                if Reference(rules).settle(state) == state:
                    yield rules, goal.when, goal.player, state, (None, 1, 2)[n % 3]


def test_what_is_settled_is_what_beliefs_say() -> None:
    seen = Counter[object]()
    for n, (rules, goal, player, state, turns) in enumerate(questions((0, 5), 6)):
        right = Hidden(rules, goal, player).answer(state, turns)
        answer = Concealed(rules, goal, player).answer(state, turns, most=(20_000, 0)[n % 2])
        assert answer.verdict is right.verdict or (answer.verdict is Verdict.UNKNOWN and n % 2), n
        assert answer.verdict is Verdict.UNKNOWN or answer.turns == right.turns
        if answer.verdict is Verdict.YES:
            assert set(answer.moves) <= set(right.moves)
        if answer.loses is not None:
            assert Search(rules, goal, player).answer(answer.loses, turns).verdict is Verdict.NO
        seen[answer.verdict, answer.how] += 1
    assert seen[Verdict.YES, "undealt"] > 5 and seen[Verdict.NO, "open"] > 5, seen


def test_hidden_cells_that_are_no_declared_pieces_may_have_any_value() -> None:
    seen = Counter[object]()
    for seed in (0, 2):
        rules = cards(seed, declared=False)
        for goal in rules.goals:
            for n in range(4):
                state = dealt(n, rules)
                if Reference(rules).settle(state) != state:
                    continue
                right = Hidden(rules, goal.when, goal.player, limits=Limits(nodes=2_000)).answer(state, 1).verdict
                found = Dealing(rules, state, goal.when, goal.player).prove(state[rules.offset["turn"]] + 1, None, None)[0]
                assert found is not Verdict.YES or right is Verdict.YES, (seed, n)
                seen[found, right] += 1
    assert seen[Verdict.YES, Verdict.YES] > 3 and seen[Verdict.NO, Verdict.NO] > 3, seen


class Traps:
    """Player 0 wins with the cards open; whether he does without seeing them hangs on one thing in each of the games."""

    def __init__(self, name: str) -> None:
        g = self.game = Game(name, players=2)
        self.hand, self.pile = Multiset(g, "hand", 2, kinds=3, most=2), Multiset(g, "pile", kinds=3, most=2)
        self.whose, self.phase = g.field("whose", values=range(3)), g.field("phase", values=range(4))
        self.won, self.lost = g.field("won", values=bool), g.field("lost", values=bool)
        self.goal = self.won & ~self.lost

    def act(self, name: str, player: int, when: object = True, *effects: object) -> None:
        a = self.game.action(name, by=player)
        a.clause("T.1", eq(self.whose, player) & when)
        a.effect(*effects)

    def card(self, name: str, player: int, when: object, *effects: object) -> None:
        """A move with a card; what it may do and does is told of the kind."""
        a = self.game.action(name, by=player)
        kind = a.param("kind", range(1, 3))
        a.clause("T.1", eq(self.whose, player) & when(kind))  # type: ignore[operator]
        a.effect(*(e(kind) for e in effects))  # type: ignore[operator]

    def built(self) -> RuleSet:
        g = self.game
        g.over(self.won | self.lost)
        g.observe(self.hand.cells, lambda viewer, p, k: viewer == p)
        g.observe(self.pile.cells, lambda viewer, k: False)
        g.goal("win", 0, self.goal)
        g.pieces({"hand": range(1, 3), "pile": range(1, 3)})
        return g.build()


def stuck() -> Traps:
    """Who holds only a card of the second kind cannot move, and nothing happens any more."""
    t = Traps("stuck")
    t.card("lay", 1, lambda k: (k == 1) & (t.hand.cells[1, k] > 0), lambda k: t.hand.remove(1, k), lambda k: put(t.won, True))
    return t


def gone() -> Traps:
    """A card is gone for ever, and nobody else sees which."""
    t = Traps("gone")
    t.card("burn", 1, lambda k: t.hand.cells[1, k] > 0, lambda k: t.hand.remove(1, k), lambda k: put(t.whose, 0))
    t.card("guess", 0, lambda k: t.hand.cells[0, 1] == 0, lambda k: put(t.won, t.hand.cells[1, k] == 0), lambda k: put(t.lost, t.hand.cells[1, k] > 0))
    return t


def swapped() -> Traps:
    """What the player may do hangs on a card that the other has put away since."""
    t = Traps("swapped")
    t.card("swap", 1, lambda k: t.hand.cells[1, k] > 0, lambda k: t.hand.remove(1, k), lambda k: t.pile.add(k), lambda k: put(t.whose, 0))
    t.act("ask", 0, t.hand.cells[1, 1] > 0, put(t.won, True))
    t.act("end", 0, True, put(t.lost, True))
    return t


def counted() -> Traps:
    """What is written down hangs on a card."""
    t = Traps("counted")
    t.act("count", 1, True, gain(t.phase, t.hand.cells[1, 2]), put(t.won, True))
    t.goal = t.won & eq(t.phase, 0)
    return t


def punished() -> Traps:
    """A rule fires by itself where the other holds no card of the first kind."""
    t = Traps("punished")
    t.act("go", 1, True, put(t.whose, 0), put(t.phase, 1))
    t.act("claim", 0, True, put(t.won, True), put(t.phase, 0))
    t.game.trigger("T.2", eq(t.phase, 1) & (t.hand.cells[1, 1] == 0), [put(t.lost, True), put(t.phase, 2)])
    return t


def undone() -> Traps:
    """The same rule takes the goal back."""
    t = Traps("undone")
    t.act("go", 1, True, put(t.whose, 2), put(t.phase, 1))
    t.game.trigger("T.2", eq(t.phase, 1) & (t.hand.cells[1, 1] == 0), [put(t.phase, 2)])
    t.goal = eq(t.phase, 1)
    return t


def in_order() -> Traps:
    """Another rule fires after it, and then it is too late for the first."""
    t = Traps("in_order")
    t.act("go", 1, True, put(t.whose, 0), put(t.phase, 1))
    t.act("claim", 0, True, put(t.won, True))
    t.game.trigger("T.2", eq(t.phase, 1) & (t.hand.cells[1, 1] == 0), [put(t.lost, True)])
    t.game.trigger("T.3", eq(t.phase, 1), [put(t.phase, 2)])
    return t


def covered() -> Traps:
    """A mark is made that lies in sight only later."""
    t = Traps("covered")
    mark, down = t.game.field("mark", values=range(3)), t.game.field("down", values=bool)
    t.game.observe(mark, lambda viewer: (viewer == 1) | ~down)
    t.card("cover", 1, lambda k: True, lambda k: put(mark, k), lambda k: put(down, True), lambda k: put(t.whose, 0))
    t.card("guess", 0, lambda k: True, lambda k: put(t.won, mark == k), lambda k: put(t.lost, mark != k))
    return t


TRAPS = (stuck, gone, swapped, counted, punished, undone, in_order, covered)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.__name__)
def test_a_strategy_that_would_need_to_see_is_none(trap: Callable[[], Traps]) -> None:
    rules, two = trap().built(), trap in (gone, swapped)
    state = rules.state({"hand": [0, 0, 0, 0, 1, two], "pile": [0, 0, not two], "whose": 1})
    right = Hidden(rules).answer(state)
    assert right.verdict is Verdict.NO
    assert Dealing(rules, state, rules.goals[0].when, 0).prove(None, None, None)[0] is not Verdict.YES
    assert Concealed(rules).answer(state).verdict is Verdict.NO
    seen = Hidden(rules, shown=("hand", "pile", *(["mark"] if trap is covered else []))).answer(state)
    assert seen.verdict is (Verdict.NO if trap is swapped else Verdict.YES)


def test_what_is_settled_is_proved_and_a_changed_proof_is_refused() -> None:
    seen = Counter[object]()
    for rules, goal, player, state, turns in questions((0, 5), 6):
        asked = Concealed(rules, goal, player)
        answer = asked.answer(state, turns, most=0)
        if answer.verdict is Verdict.UNKNOWN:
            continue
        found = Evidence.from_json(evidence(asked, answer).to_json())
        check(found, rules, goal)
        seen[answer.how] += 1
        other = {**found.claim, "answer": "no" if answer.verdict is Verdict.YES else "yes"}
        changed = [dataclasses.replace(found, claim=other), dataclasses.replace(found, claim={**found.claim, "states": 2})]
        for name, choices in found.certificate.items():
            if name != "deals":
                changed += [dataclasses.replace(found, certificate={**found.certificate, name: wrong}) for wrong in ([*choices, 0], [*choices[:-1], 99], None)]
        if "deals" in found.certificate:
            pile = rules.offset["pile"]
            for deal in ([*state[:-1], 1 - state[-1]], [*state[: pile + 1], 3, *state[pile + 2 :]], [], state):
                changed.append(dataclasses.replace(found, certificate={**found.certificate, "deals": [list(deal)]}))
            assert answer.loses is not None
            changed = changed[:-1] if list(state) == list(answer.loses) else changed
            wins = Search(rules, goal, player).answer(state, turns).verdict is Verdict.YES
            changed = changed if wins else changed[:-1]
        for wrong in changed:
            with pytest.raises(Refused):
                check(wrong, rules, goal)
    assert min(seen["undealt"], seen["open"]) > 4, seen


@pytest.mark.parametrize("trap", (stuck, gone), ids=lambda trap: trap.__name__)
def test_a_proof_that_only_who_sees_could_follow_is_refused(trap: Callable[[], Traps]) -> None:
    """The strategy is found by a search that does not look at what it needs."""
    rules, two = trap().built(), trap is gone
    state = rules.state({"hand": [0, 0, 0, 0, 1, two], "pile": [0, 0, not two], "whose": 1})
    dealing = Dealing(rules, state, rules.goals[0].when, 0)
    assert dealing.search.prover.prove(dealing.root, None) == 1
    claim = {"question": "hidden", "goal": "win", "player": 0, "state": list(state), "turns": None, "answer": "yes", "shown": [], "states": 0}
    forged = Evidence(claim, content_hash(rules), "", {}, (), {"undealt": dealing.choices(None)})
    with pytest.raises(Refused, match="nobody could move" if trap is stuck else "could not tell"):
        check(forged, rules)


def test_a_move_of_the_player_that_hangs_on_the_deal_may_stand_beside_the_one_that_wins() -> None:
    t = Traps("beside")
    t.act("count", 0, True, gain(t.phase, t.hand.cells[1, 2]), put(t.lost, True))
    t.act("claim", 0, True, put(t.won, True))
    rules = t.built()
    state = rules.state({"hand": [0, 0, 0, 0, 1, 0], "pile": [0, 0, 1], "whose": 0})
    asked = Concealed(rules)
    answer = asked.answer(state, most=0)
    assert (answer.verdict, answer.how) == (Verdict.YES, "undealt")
    found = evidence(asked, answer)
    assert check(found, rules).decisions == 1
    (chosen,) = found.certificate["undealt"]
    with pytest.raises(Refused, match="a bound of the model"):
        check(dataclasses.replace(found, certificate={"undealt": [1 - chosen]}), rules)


def test_what_the_cards_cannot_be_dealt_for_is_left_to_beliefs() -> None:
    for rules, state in ((caves(), cave(3)), (tricks(), next(deals(1)))):
        asked = Concealed(rules)
        assert asked.answer(state, 2).verdict is Hidden(rules).answer(state, 2).verdict
    asked = Concealed(caves())
    asked.answer(cave(3), 2)
    assert asked.dealing is None and asked.fixed is not None


def test_a_limit_of_positions_or_deals_is_never_a_no() -> None:
    seen = Counter[object]()
    for rules, goal, player, state, turns in questions((5,), 12):
        right = Hidden(rules, goal, player).answer(state, turns).verdict
        few = Concealed(rules, goal, player, limits=Limits(nodes=1)).answer(state, turns, most=0)
        assert few.verdict in (right, Verdict.UNKNOWN) and (few.limit is not None) is (few.verdict is Verdict.UNKNOWN)
        seen[few.verdict] += 1
    assert seen[Verdict.UNKNOWN] > 2, seen


def test_all_ways_together_keep_within_the_memory() -> None:
    rules, goal, player, state, turns = next(questions((5,), 12))
    asked = Concealed(rules, goal, player, limits=Limits(memory=96 << 20))
    asked.answer(state, turns)
    assert asked.dealing is not None
    assert asked.hidden.search.prover.reserved + asked.dealing.search.prover.reserved + asked.hidden.limits.memory <= 98 << 20
