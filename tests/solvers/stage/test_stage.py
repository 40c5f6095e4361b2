"""Mixed values of blind decisions: the strategies are held against the payoff tables the games were made of."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest

from monjudge.model.language import Domain, Game, Move, RuleSet, State, all_of, eq, gain, put
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.solvers.blind import DRAWN, SEEN
from monjudge.solvers.brute import Brute
from monjudge.solvers.certificate import Evidence, Refused, check
from monjudge.solvers.forced import Limits
from monjudge.solvers.matrix import solve
from monjudge.solvers.odds import odds
from monjudge.solvers.stage import Values, value
from monjudge.solvers.verdict import Verdict

SIZE, TABLES = 3, 3
RESULT = Domain("result", ("lost", "won", "second", "third"))


@cache
def tables(order: str = "any", leak: bool = False, draw: bool = False) -> RuleSet:
    """Each player chooses a row or a column in one or two acts, unseen; a table says lost, won, or which table is next.

    ``order``: who chooses first. ``leak``: the second sees the first act of the first. ``draw``: chance between.
    """
    g = Game("tables", players=2)
    at, ended = g.field("at", values=range(TABLES)), g.field("ended", values=range(3))
    what = g.field("what", TABLES, SIZE, SIZE, values=RESULT, config=True)
    part = g.field("part", 2, values=range(SIZE + 1))
    ready, tossed = g.field("ready", 2, values=bool), g.field("tossed", values=bool)
    raise_ = g.action("raise", en="go on by one")
    me = raise_.me
    first = (me == 0) | (ready[0] if order == "first" else True)
    raise_.clause("T.open", ~ready[me] & (part[me] < SIZE - 1) & first)
    raise_.effect(gain(part[me], 1))
    stop = g.action("stop")
    stop.clause("T.open", ~ready[stop.me] & ((stop.me == 0) | (ready[0] if order == "first" else True)))
    stop.effect(put(ready[stop.me], True))
    if draw:
        toss = g.action("toss", weight=1)
        toss.clause("T.toss", ready[0] & ~ready[1] & ~tossed)
        toss.effect(put(tossed, True))
    both = all_of(2, lambda p: ready[p])
    g.simultaneous("table", ["raise", "stop"], hidden=[part, ready], open=both)
    if leak:
        g.observe(part, lambda viewer, p: (viewer == p) | (part[p] == 1))
    result = what[at, part[0], part[1]]
    g.trigger("T.show", both, [
        put(ended, 1, eq(result, 0)), put(ended, 2, eq(result, 1)), put(at, 1, eq(result, 2)), put(at, 2, eq(result, 3)),
        *(put(part[p], 0) for p in range(2)), *(put(ready[p], False) for p in range(2)),
    ])  # fmt: skip
    g.over(ended > 0)
    g.goal("win", 0, eq(ended, 2))
    g.goal("win", 1, eq(ended, 1))
    return g.build()


def drawn(rules: RuleSet, seed: int) -> tuple[State, list[list[list[int]]]]:
    r = Random(seed)
    kinds = [r.choice(((0, 0, 1), (0, 1, 1), (0, 1), (0, 1, 2), (0, 1, 2, 3))), (0, 1, 3), (0, 1)]
    what = [[[r.choice(tuple(k for k in kinds[n] if k < 2 or k - 1 > n)) for _ in range(SIZE)] for _ in range(SIZE)] for n in range(TABLES)]
    return rules.state({"what": [w for table in what for row in table for w in row]}), what


def number(plan: tuple[Move, ...]) -> int:
    """Which row or column is meant."""
    assert plan[-1].action == "stop"
    return len(plan) - 1


def proved(what: list[list[list[int]]], n: int, played: Values, state: State) -> Fraction:
    """The value of a table, proved by plain arithmetic: neither side can do better against the mixture of the other."""
    root = played.rules.state({"at": n}, state)
    played.at(root)  # a table that neither side needs was perhaps not worked out
    found = played.stages[root]
    worth = {0: Fraction(0), 1: Fraction(1)}
    matrix = [[worth[w] if w < 2 else proved(what, w - 1, played, state) for w in row] for row in what[n]]
    mine, theirs = ({number(plan): p for plan, p in mix} for mix in (found.plans, found.replies))
    assert sum(mine.values()) == sum(theirs.values()) == 1 and min(*mine.values(), *theirs.values()) > 0
    assert min(sum(p * matrix[i][j] for i, p in mine.items()) for j in range(SIZE)) == found.value
    assert max(sum(p * matrix[i][j] for j, p in theirs.items()) for i in range(SIZE)) == found.value
    return found.value


@pytest.mark.parametrize("order", ["any", "first"])
def test_no_side_can_do_better_against_the_mixture_of_the_other(order: str) -> None:
    rules, seen = tables(order), Counter[str]()
    for seed in range(60):
        state, what = drawn(rules, seed)
        played = Values(rules)
        found = played.value(state)
        assert found.exact is not None, found.limit
        assert found.exact == proved(what, 0, played, state)
        assert value(rules, state, player=1).exact == 1 - found.exact
        seen[found.kind] += 1
        # The exhaustive solver knows what is certain: a plan that wins although the reply sees it.
        brute = Brute(rules).forced(0, "win", state).verdict
        assert (brute is Verdict.YES) <= (found.kind == "forced") and (found.kind == "impossible") <= (brute is not Verdict.YES)
    assert min(seen["forced"], seen["impossible"]) >= 3 and seen["mixed"] > 10


def test_a_plan_that_wins_although_it_is_seen_is_forced() -> None:
    rules = tables("first")
    won = rules.state({"what": [0, 1, 0, 1, 1, 1, 0, 0, 0] + [0] * 18})
    found = value(rules, won)
    assert (found.kind, found.plans[0][1], number(found.plans[0][0])) == ("forced", 1, 1)
    lost = rules.state({"what": [1, 0, 1, 1, 0, 1, 1, 0, 1] + [0] * 18})
    assert value(rules, lost).kind == "impossible" and number(value(rules, lost).replies[0][0]) == 1


def test_what_is_seen_or_drawn_within_a_stage_is_unknown() -> None:
    state = drawn(tables("first", leak=True), 4)[0]
    leaking = value(tables("first", leak=True), state)
    assert (leaking.kind, leaking.exact, leaking.limit) == ("unknown", None, SEEN)
    assert leaking.at_least(Fraction(0)) is Verdict.UNKNOWN
    assert value(tables("first", draw=True), drawn(tables("first", draw=True), 4)[0]).limit == DRAWN


def test_rock_paper_scissors_is_worth_what_it_is() -> None:
    for rounds, right in ((1, Fraction(1, 3)), (2, Fraction(1, 3)), (3, Fraction(10, 27))):
        found = value(rock_paper_scissors(rounds))
        assert found.exact == right == value(rock_paper_scissors(rounds), player=1).exact
        assert [p for _, p in found.plans] == [p for _, p in found.replies] == [Fraction(1, 3)] * 3
    assert found.at_least(Fraction(10, 27)) is Verdict.YES and found.at_least(Fraction(10, 27) + Fraction(1, 10**20)) is Verdict.NO


def test_where_nothing_is_hidden_values_are_odds() -> None:
    for rules in (duel(3, 9), nim((1, 2)), pig(6)):
        for player in range(2):
            found, right = value(rules, player=player), odds(rules, player=player)
            assert found.exact == right.exact
            assert found.moves == right.moves
            assert found.limit == right.limit


def test_limits_are_unknown() -> None:
    found = value(duel(), limits=Limits(nodes=50))
    assert found.exact is None and found.limit is not None and "50" in found.limit.en
    assert value(duel(), limits=Limits(seconds=0.0)).limit is not None


def test_matrices_are_solved_exactly() -> None:
    r = Random(7)
    for n in range(150):
        rows, columns = r.randint(1, 6), r.randint(1, 6)
        matrix = [[Fraction(r.randint(-3, 3), r.choice((1, 1, 2, 7))) if n % 2 else Fraction(r.randint(0, 1)) for _ in range(columns)] for _ in range(rows)]
        found, x, y = solve(matrix)
        assert sum(x) == sum(y) == 1 and min(*x, *y) >= 0
        assert min(sum(p * row[j] for p, row in zip(x, matrix, strict=True)) for j in range(columns)) == found
        assert max(sum(p * v for p, v in zip(y, row, strict=True)) for row in matrix) == found


# -- certificates ------------------------------------------------------------------------------


def proofs() -> list[tuple[RuleSet, Evidence]]:
    asked: list[tuple[RuleSet, Any]] = [(rock_paper_scissors(2), None), (duel(2, 6), None), (pig(4), None), (nim((1, 2)), None)]
    asked += [(tables(order), drawn(tables(order), seed)[0]) for seed in range(8) for order in ("any", "first")]
    found = []
    for rules, state in asked:
        played = Values(rules)
        answer = played.value(state)
        if answer.exact is not None:
            found.append((rules, played.evidence(answer)))
    return found


def test_the_reference_accepts_the_certificates_of_values() -> None:
    kinds = Counter[str]()
    for rules, found in proofs():
        again = Evidence.from_json(found.to_json())
        checked = check(again, rules)
        assert checked.positions == len(found.certificate["values"]) and checked.decisions == len(found.certificate.get("mixes", []))
        kinds[found.claim["question"]] += 1
    assert min(kinds["odds"], kinds["mixed"]) >= 2


def _resealed(found: Evidence, **changes: Any) -> Evidence:
    return Evidence.from_json(dataclasses.replace(found, **changes).to_json())


def test_a_value_that_was_changed_is_refused() -> None:
    random, tried = Random(3), 0
    for rules, found in proofs():
        values, mixes = list(found.certificate["values"]), found.certificate.get("mixes")
        rest = {} if mixes is None else {"mixes": mixes}
        exact = Fraction(found.claim["answer"])
        other = str(exact + Fraction(1, 10**9)) if exact < 1 else "0"
        tampered: list[dict[str, Any]] = [
            {"claim": {**found.claim, "answer": other}},
            {"claim": {**found.claim, "answer": other}, "certificate": {"values": [other, *values[1:]], **rest}},
            {"claim": {**found.claim, "player": 1 - found.claim["player"]}},
            {"certificate": {"values": values[:-1], **rest}}, {"certificate": {"values": [*values, "1"], **rest}},
            {"certificate": {"values": [*values[:-1], 1], **rest}}, {"certificate": {"values": [*values[:-1], "2/4"], **rest}},
        ]  # fmt: skip
        for n in random.sample(range(len(values)), min(6, len(values))):
            near = Fraction(values[n]) + (Fraction(1, 97) if Fraction(values[n]) < Fraction(1, 2) else -Fraction(1, 97))
            tampered.append({"certificate": {"values": [*values[:n], str(near), *values[n + 1 :]], **rest}})
        for changes in tampered:
            if changes.get("claim", {}).get("player") == 1 and exact == Fraction(1, 2):
                continue
            with pytest.raises(Refused):
                check(_resealed(found, **changes), rules)
            tried += 1
    assert tried > 100


def test_a_mixture_that_was_changed_is_refused() -> None:
    tried = 0
    for rules, found in proofs():
        mixes = found.certificate.get("mixes", [])
        for n, sides in enumerate(mixes):
            for side, mix in enumerate(sides):
                half = [[str(Fraction(p) / 2), plan] for p, plan in mix]
                more = [[mix[0][0], mix[0][1][:-1]], *mix[1:]]
                alone = [["1", mix[0][1]]]
                for wrong in (half, more, [], [["-1", mix[0][1]], ["2", mix[0][1]]], None, *([alone] if len(mix) > 1 else [])):
                    changed = [*mixes[:n], [wrong if k == side else m for k, m in enumerate(sides)], *mixes[n + 1 :]]
                    certificate = {"values": found.certificate["values"], "mixes": changed}
                    if wrong is alone and _still_good(rules, found, certificate):
                        continue
                    with pytest.raises(Refused):
                        check(_resealed(found, certificate=certificate), rules)
                    tried += 1
    assert tried > 50


def _still_good(rules: RuleSet, found: Evidence, certificate: dict[str, Any]) -> bool:
    """One plan alone may be as good as the mixture: then the claim still holds, and nothing else may be accepted."""
    try:
        check(_resealed(found, certificate=certificate), rules)
    except Refused:
        return False
    return Values(rules).value(tuple(found.claim["state"])).exact == Fraction(found.claim["answer"])


def test_a_value_that_is_not_known_has_no_certificate() -> None:
    played = Values(duel(), limits=Limits(nodes=5))
    with pytest.raises(ValueError, match="not known"):
        played.evidence(played.value())


@cache
def three(leak: bool = False) -> RuleSet:
    """The first chooses a row; the second and the third, who act as one, choose a bit each of the number of a column."""
    g = Game("three", players=3)
    ended = g.field("ended", values=range(3))
    what = g.field("what", 2, 2, 2, values=range(2), config=True)
    bit = g.field("bit", 3, values=range(-1, 2), init=-1)
    a = g.action("choose")
    value = a.param("value", range(2))
    a.clause("T.once", eq(bit[a.me], -1))
    a.effect(put(bit[a.me], value))
    every = all_of(3, lambda p: bit[p] >= 0)
    g.simultaneous("bits", ["choose"], hidden=[bit], open=every)
    if leak:
        g.observe(bit, lambda viewer, p: (viewer == p) | (p == 0))
    g.trigger("T.show", every, [put(ended, 1 + what[bit[0], bit[1], bit[2]]), *(put(bit[p], -1) for p in range(3))])
    g.over(ended > 0)
    for p in range(3):
        g.goal("win", p, eq(ended, 2) if p == 0 else eq(ended, 1))
    return g.build()


def test_three_players_are_one_against_those_who_plan_together() -> None:
    seen = Counter[Fraction]()
    for seed in range(12):
        r = Random(seed)
        what = [r.randrange(2) for _ in range(8)]
        state = three().state({"what": what})
        right = solve([[Fraction(what[4 * row + column]) for column in range(4)] for row in range(2)])[0]
        values = Values(three())
        found = values.value(state)
        assert found.exact == right, seed
        check(values.evidence(found), three())
        # Of the side of two each may be asked about: then the first and the other one are against it.
        rows = [[Fraction(1 - what[4 * a + 2 * b + c]) for a in range(2) for c in range(2)] for b in range(2)]
        assert value(three(), state, player=1).exact == solve(rows)[0], seed
        seen[right] += 1
    assert len(seen) > 2
    assert value(three(leak=True), state).limit is SEEN


@cache
def tossed(late: bool) -> RuleSet:
    """Each chooses a bit; a coin that falls on its first side twice as often decides with them, before the second chooses if it is not ``late``."""
    g = Game("tossed", players=2)
    ended = g.field("ended", values=range(3))
    what = g.field("what", 2, 2, 2, values=range(2), config=True)
    bit, coin = g.field("bit", 2, values=range(-1, 2), init=-1), g.field("coin", values=range(-1, 2), init=-1)
    a = g.action("choose")
    value = a.param("value", range(2))
    a.clause("T.once", eq(bit[a.me], -1) & ((a.me == 0) | late | (coin >= 0)))
    a.effect(put(bit[a.me], value))
    toss = g.action("toss", weight=1)
    side = toss.param("side", range(2))
    toss.outcome(2 - side)
    toss.clause("T.toss", eq(coin, -1) & (bit[0] >= 0) & ((bit[1] >= 0) | (not late)))
    toss.effect(put(coin, side))
    every = (bit[0] >= 0) & (bit[1] >= 0) & (coin >= 0)
    g.simultaneous("bits", ["choose"], hidden=[bit], open=every)
    g.trigger("T.show", every, [put(ended, 1 + what[bit[0], bit[1], coin]), *(put(bit[p], -1) for p in range(2)), put(coin, -1)])
    g.over(ended > 0)
    for p in range(2):
        g.goal("win", p, eq(ended, 2 - p))
    return g.build()


def test_chance_after_the_last_decision_of_a_stage_has_its_mean() -> None:
    seen = Counter[Fraction]()
    for seed in range(12):
        r = Random(seed)
        what = [r.randrange(2) for _ in range(8)]
        state = tossed(True).state({"what": what})
        right = solve([[Fraction(2 * what[4 * row + 2 * column] + what[4 * row + 2 * column + 1], 3) for column in range(2)] for row in range(2)])[0]
        values = Values(tossed(True))
        found = values.value(state)
        assert found.exact == right, seed
        check(values.evidence(found), tossed(True))
        assert value(tossed(True), state, player=1).exact == 1 - right, seed
        assert value(tossed(False), state).limit is DRAWN
        seen[right] += 1
    assert len(seen) > 3
