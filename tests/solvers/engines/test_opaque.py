"""What hangs on an open reading is any number for CP-SAT: it never proves too much, and the same number is the same wherever it stands."""

from __future__ import annotations

from monjudge.model.language import Expr, Game, ite, maximum, put, sum_of
from monjudge.solvers.engines.cpsat import Opaque, Query


def build() -> tuple[Game, Expr, list[Expr], list[Expr]]:
    g = Game("scales", players=2)
    how = g.field("how", values=range(3), config=True)
    left, right = g.field("left", 2, values=range(9)), g.field("right", 2, values=range(9))

    def weight(p: int | Expr) -> Expr:
        return ite(how == 0, maximum(left[p], right[p]), ite(how == 1, left[p], right[p]))

    heavier = [sum_of(2, lambda q, p=p: ite(weight(q) > weight(p), 1, 0)) for p in range(2)]  # type: ignore[misc]
    go = g.action("go", by=0)
    go.effect(put(left[0], 0))
    return g, how, [weight(p) for p in range(2)], heavier


def none(claim: Expr, opaque: bool) -> bool:
    """Whether CP-SAT finds no state in which the claim does not hold."""
    rules = _RULES
    query = Query(rules, None, Opaque([rules.family_named["how"].uid]) if opaque else None)
    query.require(query.terms.negate(query.term(claim, query.state())))
    return query.solve() is None


_GAME, _HOW, _WEIGHTS, _HEAVIER = build()
_RULES = _GAME.build()


def test_what_holds_whatever_the_reading_is_proved_without_it() -> None:
    for p in range(2):
        claim = (_HEAVIER[p] == 1) == (_WEIGHTS[1 - p] > _WEIGHTS[p])
        assert none(claim, opaque=False) and none(claim, opaque=True)


def test_what_needs_the_reading_is_not_proved_without_it() -> None:
    cell = _WEIGHTS[0].args[2].args[1]
    assert none((_HOW != 1) | (_WEIGHTS[0] == cell), opaque=False)
    assert not none((_HOW != 1) | (_WEIGHTS[0] == cell), opaque=True)


def test_only_a_number_that_is_chosen_by_the_reading_is_open() -> None:
    opaque = Opaque([_RULES.family_named["how"].uid])
    assert opaque.hides(_WEIGHTS[0]) and not opaque.hides(_HEAVIER[0]) and not opaque.hides(_HOW)
