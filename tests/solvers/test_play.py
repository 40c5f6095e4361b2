"""Deal, step with a trace, random and scripted play, replay, perft and reachable states."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from monjudge.model.language import NATURE, Game, LimitReached, Move, RuleSet, as_int, each, gain, put
from monjudge.model.small.duel import duel
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.play import Change, IllegalMove, Play
from monjudge.solvers.verdict import Sentence


def dealt() -> RuleSet:
    """A card is dealt to each of two players by weights 1, 2 and 3; then they discard in turn."""
    g = Game("dealt", players=2)
    card = g.field("card", 2, values=range(4))
    turn = g.field("turn", values=range(2))
    gone = g.field("gone", values=range(3))
    deal = g.action("deal")
    what, to = deal.param("what", range(1, 4)), deal.param("to", range(2))
    deal.outcome(what)
    deal.clause("D.empty", (card[to] == 0) & ((to == 0) | (card[0] > 0)), en="No card yet.", ja="まだカードがない。")
    deal.clause("D.before", gone == 0, en="Before the discards.", ja="捨てる前である。")
    deal.effect(put(card[to], what))
    drop = g.action("drop", by=turn)
    drop.clause("D.dealt", (card[1] > 0) | (gone > 0), en="The deal is done.", ja="配り終えている。")
    drop.clause("D.own", card[drop.me] > 0, en="There is a card to discard.", ja="捨てるカードがある。")
    drop.effect(put(turn, 1 - turn), put(card[drop.me], 0), gain(gone, 1))
    return g.build()


def test_a_step_says_which_cells_changed_and_which_triggers_fired() -> None:
    g = Game("chain", players=1)
    lamp = g.field("lamp", 2, 3, values=bool)
    lit = g.field("lit", values=range(7))
    on = g.action("on", by=0)
    at = on.param("at", range(3))
    on.effect(put(lamp[0, at], True))
    g.trigger("T.spread", lambda i: lamp[0, i] & ~lamp[1, i], lambda i: [put(lamp[1, i], True)], over=(3,))
    g.trigger("T.count", lit < 2 * as_int(lamp[1, 2]), [gain(lit, 1)])
    play = Play(g.build())
    step = play.apply(play.start, Move("on", 0, (2,)))
    assert step.changes == (Change("lamp", (0, 2), 0, 1), Change("lamp", (1, 2), 0, 1), Change("lit", (), 0, 2))
    assert step.triggers == ("T.spread", "T.count", "T.count")
    assert step.state == play.rules.state({"lamp": [0, 0, 1, 0, 0, 1], "lit": 2})
    assert [str(c) for c in step.changes] == ["lamp[0, 2]: 0 -> 1", "lamp[1, 2]: 0 -> 1", "lit: 0 -> 2"]


def test_a_step_beyond_a_bound_of_the_model_is_no_step() -> None:
    g = Game("cup", players=1)
    drops = g.field("drops", values=range(3))
    pour = g.action("pour", by=0)
    pour.effect(gain(drops, 2))
    play = Play(g.build())
    assert play.apply((0,), Move("pour", 0)).state == (2,)
    with pytest.raises(LimitReached, match="drops"):
        play.apply((1,), Move("pour", 0))
    count = play.reachable()
    assert count.count == 2 and count.limit is not None and "drops" in count.limit.en


def test_a_deal_runs_chance_until_somebody_decides_and_follows_its_seed() -> None:
    play = Play(dealt())
    record = play.deal(seed=3)
    assert [move.action for move in record.moves] == ["deal", "deal"]
    assert record.end == "open" and {move.me for move in play.reference.moves(record.final)} == {0}
    assert play.deal(seed=3) == record
    assert len({play.deal(seed=n).final for n in range(40)}) == 9


def test_chance_is_drawn_with_its_exact_weights() -> None:
    class Each(Random):
        """Answers every number below the bound in turn."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

        def randrange(self, bound: int) -> int:  # type: ignore[override]
            assert bound == 6
            return self.number

    play = Play(dealt())
    choices = play.reference.moves(play.start)
    drawn = Counter(play._choice(Each(n), play.start, choices).args[0] for n in range(6))
    assert drawn == {1: 1, 2: 2, 3: 3}


def test_random_play_follows_its_seed_and_replays_to_the_same_states() -> None:
    play = Play(duel(rounds=3, lives=6))
    records = [play.random(seed=n) for n in range(20)]
    assert records == [play.random(seed=n) for n in range(20)]
    assert len({record.moves for record in records}) > 10
    for record in records:
        assert record.end == "over" and play.reference.over(record.final)
        assert play.replay(record.moves) == record


def test_random_play_stops_at_a_number_of_moves_or_where_nobody_can_move() -> None:
    play = Play(dealt())
    record = play.random(seed=0, most=1)
    assert (record.end, len(record.moves)) == ("limit", 1)
    g = Game("stuck", players=1)
    g.action("never", by=0).clause("S.never", g.field("off", values=bool))
    assert Play(g.build()).random(seed=0).end == "stuck"


def test_a_script_with_a_seed_fills_in_chance_and_is_a_log_afterwards() -> None:
    play = Play(dealt())
    script = [Move("drop", 0), Move("drop", 1)]
    record = play.script(script, seed=5)
    assert [move.action for move in record.moves] == ["deal", "deal", "drop", "drop"]
    assert record.moves[:2] == play.deal(seed=5).moves
    assert play.replay(record.moves) == record
    with pytest.raises(IllegalMove, match="move 1, drop"):
        play.replay(script)


def test_the_first_illegal_move_of_a_script_is_named_with_its_clauses_in_both_languages() -> None:
    play = Play(tic_tac_toe())
    script = [Move("place", 0, (4,)), Move("place", 1, (4,)), Move("place", 1, (0,))]
    with pytest.raises(IllegalMove) as caught:
        play.script(script)
    error = caught.value
    assert (error.number, error.move, [c.id for c in error.clauses]) == (2, script[1], ["TTT.empty"])
    assert error.text == Sentence(
        "move 2, place(4) by player 1, is not legal: TTT.empty (A mark goes on an empty square.)",
        "2手目、プレイヤー1のplace(4)はできない：TTT.empty（印は空いたマスに置く。）",
    )
    with pytest.raises(IllegalMove, match=r"deal\(1, 1\) by chance, is not legal: D.empty \(No card yet.\)"):
        Play(dealt()).replay([Move("deal", NATURE, (1, 1))])


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Move("take", 0, (0,)), "move 1: .* no action 'take'"),
        (Move("place", 0, ()), "move 1: place takes 1 parameters, not 0"),
        (Move("place", 0, (9,)), "move 1: .* outside its domain"),
    ],
)
def test_a_script_with_a_move_that_does_not_exist_says_where(move: Move, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Play(tic_tac_toe()).script([move])


def test_perft_counts_the_start_interior_and_leaves() -> None:
    play = Play(tic_tac_toe())
    assert [play.perft(depth=n) for n in range(5)] == [1, 10, 82, 586, 3610]
    won = play.rules.state({"cell": [1, 1, 1, 2, 2, 0, 0, 0, 0], "turn": 1})
    assert play.perft(won) == 1
    assert Play(dealt()).perft(depth=2) == 1 + 3 + 9


def test_tic_tac_toe_has_its_known_number_of_positions() -> None:
    """549,946 nodes of the tree (as OpenSpiel counts) and 5,478 distinct states."""
    play = Play(tic_tac_toe())
    assert play.perft() == 549_946
    assert play.reachable().count == 5_478


def test_reachable_states_beyond_the_limit_are_not_counted_as_all() -> None:
    play = Play(tic_tac_toe())
    count = play.reachable(limit=100)
    assert count.count == 100 and count.limit is not None and "100" in count.limit.en and "100" in count.limit.ja
    assert play.reachable(limit=5_478).limit is None


def test_the_start_is_settled() -> None:
    g = Game("settles", players=1)
    cell = g.field("cell", 3, values=range(2))
    g.trigger("S.all", cell[0] == 0, each(3, lambda i: put(cell[i], 1)))
    play = Play(g.build())
    assert play.start == (1, 1, 1) and play.deal(seed=0).start == (1, 1, 1)
