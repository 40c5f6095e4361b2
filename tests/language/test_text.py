"""Expressions as text: what is printed is read back as the same object, and every fault has a place."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_exprs import COLOUR, SCOPE, VARIABLES, case

from monjudge.model.language import (
    Domain,
    Expr,
    Family,
    Game,
    Scope,
    TextError,
    evaluate,
    ite,
    maximum,
    minimum,
    parse_expr,
    print_expr,
    var,
)
from monjudge.model.language.text import DEPTH
from monjudge.model.language.tokens import LENGTH

PRINTED = [
    "mana[me, C] <= 2 and all i0 in 0..2: mana[me, i0] > 0",
    "life[0] <= 16 and (open or flag[0]) and not ready",
    "open and flag[0] or ready",
    "not (open or ready)",
    "not all i0 in 0..2: flag[i0]",
    "(all i0 in 0..2: flag[i0]) and open",
    "open or all i0 in 0..2: flag[i0] or not open",
    "if open then 1 else turn + 2",
    "(if open then turn else 2) + life[0]",
    "if (any i0 in 0..2: flag[i0]) then 1 else turn",
    "turn - 2 * life[0] - 3",
    "1 - turn",
    "-2 * turn - 1",
    "3 * min(turn, life[0] - 1) + max(life[1], 7)",
    "min(life[0], -3 * turn, -1)",
    "life[0] in {6, 7, 8} or life[1] not in {0, 20}",
    "(sum i0 in 0..1: life[i0]) + 3",
    "life[0] < sum i0 in 0..1: gold[i0]",
    "count i1 in 0..2: any i0 in 0..1: mana[i0, i1] > 0",
    "next life[next turn] == life[turn] - 1",
    "open == ready",
    "(life[0] < 3) != (life[1] < 3)",
    "open != (ready and flag[1])",
    "mana[0, L] + mana[slot, slot + 1]",
    "table half[slot] + table {{5, -5, 0}, {9, 2, 2} else -7}[turn, life[0]]",
    "table can[slot] or table `of two`[turn, slot] == 1",
    "colour == red or colour[] == `dark blue` or colour in {none, `in`}",
    "colour == colour[]",
    "life[slot] == `if`",
    "true",
    "-7",
]


@pytest.mark.parametrize("text", PRINTED)
def test_a_text_with_as_few_parentheses_as_it_needs_is_printed_as_it_was_written(text: str) -> None:
    assert print_expr(parse_expr(text, SCOPE), SCOPE) == text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("((life[0])) <= 16", "life[0] <= 16"),
        ("16 >= life[0]", "life[0] <= 16"),
        ("not life[0] < 3", "life[0] >= 3"),
        ("life[0] - 3 + 5 - life[0] + turn*2", "2 * turn + 2"),
        ("all x in 0..2: any y in 0..1: mana[y, x] > 0", "all i1 in 0..2: any i0 in 0..1: mana[i0, i1] > 0"),
        ("all c in column: mana[0, c] == 0", "all i0 in 0..2: mana[0, i0] == 0"),
        ("sum x in -1..1: x * 2", "sum i0 in -1..1: 2 * i0"),
        ("mana[0, column.R] == big - 14", "mana[0, R] == 2"),
        ("colour[] != red and colour[] != colour.red", "colour[] != red"),
        ("if open then true else ready", "open or ready"),
        ("life[0] in {3, 3, 99}", "life[0] == 3"),
        ("turn[] + -3 - -4", "turn + 1"),
        ("min(turn, 5)", "turn"),
        ("life[\n  0\n]", "life[0]"),
    ],
)
def test_other_ways_to_write_an_expression_mean_the_same_object(written: str, printed: str) -> None:
    expr = parse_expr(written, SCOPE)
    assert print_expr(expr, SCOPE) == printed
    assert parse_expr(printed, SCOPE) is expr


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_printed_is_read_back_as_the_same_object(seed: int) -> None:
    expr = case(seed, next_state=True).expr
    assert parse_expr(print_expr(expr, SCOPE), SCOPE) is expr
    own = Scope(SCOPE.families, {name: VARIABLES[name] for name in expr.free})
    assert parse_expr(print_expr(expr), own) is expr


def test_a_bound_name_of_the_text_is_never_captured() -> None:
    written = parse_expr("all i0 in 0..1: any i5 in 0..2: mana[i0, i5] > i0", SCOPE)
    assert written is parse_expr("all a in 0..1: any b in 0..2: mana[a, b] > a", SCOPE)
    again = parse_expr("all i1 in 0..1: any i1 in 0..2: mana[0, i1] > 0", SCOPE)
    assert again is parse_expr("any x in 0..2: mana[0, x] > 0", SCOPE)


WRONG = [
    ("", 1, 1, "the text ended"),
    ("life[0] +", 1, 10, "the text ended"),
    ("life[0", 1, 7, "',' or ']'"),
    ("(turn", 1, 6, "')'"),
    ("turn)", 1, 5, "an operator or the end"),
    ("lief[0]", 1, 1, "did you mean 'life'?"),
    ("turm == 1", 1, 1, "did you mean 'turn'?"),
    ("colour == rad", 1, 11, "did you mean 'red'?"),
    ("zzzzz == 1", 1, 1, "there is no name 'zzzzz' (known: "),
    ("table hlaf[1]", 1, 7, "did you mean 'half'?"),
    ("table life[1]", 1, 7, "it is a field, written 'life'"),
    ("half[1] == 1", 1, 1, "it is a table, written 'table half[...]'"),
    ("colour_names == 1", 1, 1, "did you mean 'colour'"),
    ("all c in colours: open", 1, 10, "there is no domain 'colours'"),
    ("table [1]", 1, 7, "the name or the values"),
    ("1 < turn < 3", 1, 10, "do not chain"),
    ("turn = 1", 1, 6, "write '=='"),
    ("turn == 1 && open", 1, 11, "write 'and'"),
    ("turn == 1 or\n  open / 2", 2, 8, "division is a table"),
    ("open and turn", 1, 6, "needs a truth value"),
    ("open + 1", 1, 6, "needs a number"),
    ("not turn", 1, 1, "needs a truth value"),
    ("open < true", 1, 6, "needs a number"),
    ("turn * life[0]", 1, 6, "must be a constant"),
    ("mana[0]", 1, 1, "takes 2 indices, not 1"),
    ("turn[0]", 1, 1, "takes 0 indices, not 1"),
    ("mana + 1", 1, 1, "[number, column]"),
    ("me[0]", 1, 1, "there is no field 'me'"),
    ("next me", 1, 6, "there is no field 'me'"),
    ("all turn in 2..1: open", 1, 13, "no number in 2..1"),
    ("all 3 in 0..1: open", 1, 5, "a name for the variable"),
    ("all x in 0..1 open", 1, 15, "':'"),
    ("all x in 0..y: open", 1, 13, "there is no number 'y'"),
    ("sum x in 0..1: open", 1, 1, "needs a number"),
    ("(any x in 0..1: flag[x]) and flag[x]", 1, 35, "there is no name 'x'"),
    ("if open then 1", 1, 15, "'else'"),
    ("if open then 1 else ready", 1, 1, "two sorts"),
    ("turn in {}", 1, 10, "a whole number"),
    ("turn not 3", 1, 10, "'in' after 'not'"),
    ("99999999999", 1, 1, "too large"),
    ("2147483647 + turn + 1", 1, 12, "does not fit 32 bits"),
    ("table {1, true else 0}[turn]", 1, 1, "not both"),
    ("table {{1}, {1, 2} else 0}[turn, 1]", 1, 13, "different lengths"),
    ("table {1, 2}[turn]", 1, 12, "'else'"),
    ("min()", 1, 1, "of nothing"),
    ("`life[0]", 1, 1, "closing backquote"),
    ("1 + …", 1, 5, "left out"),
    ("$", 1, 1, "'$' has no meaning"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), WRONG, ids=[w[0] for w in WRONG])
def test_a_wrong_text_is_told_with_its_place_in_two_languages(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_expr(text, SCOPE)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert words in error.en
    assert str(error) == f"line {line}, column {column}: {error.en}"
    assert any("\u3040" <= c <= "\u9fff" for c in error.ja)
    assert error.source == text.split("\n")[line - 1]


def test_a_label_of_two_domains_must_be_told_apart() -> None:
    one, two = Domain("hand", ("left", "right")), Domain("road", ("right", "left", "a.b"))
    scope = Scope(domains={"hand": one, "road": two})
    with pytest.raises(TextError, match=r"hand\.left / road\.left"):
        parse_expr("left", scope)
    assert parse_expr("road.left + hand.right + road.a.b", scope).value == 4


def test_the_caret_stands_under_the_place_also_after_wide_characters() -> None:
    with pytest.raises(TextError) as caught:
        parse_expr("1 ==\n\t赤 + x", Scope(constants={"赤": 1}))
    assert caught.value.marked == "\t赤 + x\n\t\u3000   ^"


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="()[]{}<>=!+-*.,:`… \n\t019azé赤_", max_size=30) | st.text(max_size=40))
def test_junk_is_refused_by_a_sentence(text: str) -> None:
    try:
        parse_expr(text, SCOPE)
    except TextError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert 1 <= error.column <= len(error.source) + 1


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_a_damaged_text_is_read_or_refused_by_a_sentence(seed: int) -> None:
    random = Random(seed)
    pieces = print_expr(case(seed, next_state=True).expr, SCOPE).split(" ")
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(pieces))
        pieces[at : at + random.randint(0, 2)] = random.choices((*pieces, "and", "(", "}", "next", "table {", "9", "if", ","), k=random.randint(0, 2))
        if not pieces:
            break
    try:
        expr = parse_expr(" ".join(pieces), SCOPE)
    except TextError:
        return
    assert parse_expr(print_expr(expr, SCOPE), SCOPE) is expr


OPENERS = ["(", "not ", "-", "- -", "all x in 0..1: ", "if ", "if open then ", "if open then 1 else ", "min(", "life[", "life[0] + (",
           "open and (", "table half[", "turn == ", "turn * ", "count x in column: flag[x] and ", "table {", "1 - (2 * "]  # fmt: skip


@pytest.mark.parametrize("opener", OPENERS)
def test_deep_nesting_is_refused_and_never_crashes(opener: str) -> None:
    with pytest.raises(TextError):
        parse_expr(opener * (LENGTH // len(opener)), SCOPE)


def nested(levels: int) -> str:
    return "min(1, " * levels + "turn" + ")" * levels


def test_the_deepest_text_is_read_and_one_level_more_is_not() -> None:
    assert parse_expr("(" * (DEPTH - 1) + "turn" + ")" * (DEPTH - 1), SCOPE) is parse_expr("turn[]", SCOPE)
    with pytest.raises(TextError, match="nested too deeply"):
        parse_expr("(" * DEPTH + "turn" + ")" * DEPTH, SCOPE)


def test_a_stack_that_is_almost_full_is_a_text_error_too() -> None:
    def deeper() -> bool:
        try:
            return deeper()
        except RecursionError:
            try:
                parse_expr("(" * 150 + "turn" + ")" * 150, SCOPE)
            except TextError as error:
                return "nested too deeply" in error.en
        return False

    assert deeper()


def test_a_text_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(TextError, match=f"at most {LENGTH}"):
        parse_expr(" " * (LENGTH + 1), SCOPE)


def test_quantifiers_within_quantifiers_are_read_in_reasonable_time() -> None:
    levels = 20
    start = time.process_time()
    text = "".join(f"any v{n} in 0..1: " for n in range(levels)) + " and ".join(f"flag[v{n}]" for n in range(levels))
    expr = parse_expr(text, SCOPE)
    assert time.process_time() - start < 2  # a renaming of all inner names at each level would take 2**20 steps
    assert expr.depth == levels


def test_an_expression_that_is_too_large_or_too_deep_to_read_is_printed_with_an_ellipsis() -> None:
    wide: Expr = VARIABLES["slot"]
    for n in range(64):
        wide = ite(wide == n % 4, minimum(wide, 2), 3 - wide)
    assert len(print_expr(wide)) < 100
    deep: Expr = VARIABLES["slot"]
    for n in range(500):
        deep = minimum(deep + 1, 2) if n % 2 else maximum(deep - 1, 0)
    assert "…" in print_expr(deep)
    with pytest.raises(TextError):
        parse_expr(print_expr(deep), SCOPE)


def test_a_field_called_like_a_label_is_told_from_it() -> None:
    phase, turn = Family.of("phase", (), 0, 1, labels=Domain("phase", ("edit", "turn"))), Family.of("turn", (), 0, 1)
    scope = Scope({"phase": phase, "turn": turn})
    same = parse_expr("phase == turn[]", scope)
    assert same is not parse_expr("phase == turn", scope)
    assert print_expr(same) == "phase == turn[]"
    assert print_expr(parse_expr("phase == 1", scope)) == "phase == turn"
    sum_ = parse_expr("phase == turn - 1", scope)
    assert evaluate(sum_, (0, 1), {}, {"phase": 0, "turn": 1}) == 1
    assert parse_expr(print_expr(sum_), scope) is sum_


def small_game() -> Game:
    g = Game("small", players=2)
    hand = g.field("hand", 2, COLOUR, values=range(4))
    turn = g.field("turn", values=range(2))
    act = g.action("act", by=turn)
    card = act.param("card", COLOUR)
    act.clause("S.1", hand[act.me, card] > 0)
    luck = g.action("luck", weight=1)
    luck.param("turn", range(3))
    g.constants["most"] = 3
    return g


def test_the_scope_of_a_rule_set_knows_its_fields_constants_and_labels() -> None:
    rules = small_game().build()
    cell = parse_expr("hand[turn, red] == most", Scope.of(rules))
    assert evaluate(cell, rules.state({"hand": [0, 0, 0, 0, 0, 3, 0, 0], "turn": 1}), {}, rules.offset) == 1
    with pytest.raises(TextError, match="no name 'me'"):
        parse_expr("hand[me, red]", Scope.of(rules))


def test_the_scope_of_an_action_knows_its_player_and_parameters() -> None:
    rules = small_game().build()
    scope = Scope.of(rules, "act")
    clause = rules.by_name["act"].clauses[0].expr
    assert parse_expr("hand[me, card] > 0", scope) is clause
    assert print_expr(parse_expr("card == `dark blue`", scope), scope) == "card == `dark blue`"
    chance = Scope.of(rules, "luck")
    assert parse_expr("turn", chance) is var("turn", 0, 2)
    assert print_expr(parse_expr("turn == turn[]", chance), chance) == "turn == turn[]"
    assert "me" not in chance.variables
    with pytest.raises(ValueError, match="no action 'jump'"):
        Scope.of(rules, "jump")
