"""A card text that the vocabulary cannot say is carried along, and no verdict is guessed where it matters."""

from __future__ import annotations

from monjudge.model.language import Move
from monjudge.model.monjan.cards import Card, CardSkill, Catalogue
from monjudge.model.monjan.match import PHASE, Setting
from monjudge.model.monjan.rules import monjan
from monjudge.solvers.legality import Legality
from monjudge.solvers.reasons import WhyNot
from monjudge.solvers.verdict import Verdict

STRANGE = Card("EXTRA", value=5, numbers=(7,), name="strange", skills=(CardSkill("edit", "opaque"), CardSkill("edit", "draw", 1)))
CARDS = Catalogue([Card.parse("f7"), STRANGE])


def _table(extra: int) -> tuple[Legality, tuple[int, ...], int]:
    rules = monjan(Setting(CARDS))
    number = CARDS[STRANGE]
    values = {"phase": PHASE["EDIT"], "turn": 2, "extra": [extra, 0], "extra_by": [2 if extra else 0, 0], "drawn": 1}
    state = rules.state(values)
    cells = list(state)
    cells[rules.cell("mana", 0, 0, 0)], cells[rules.cell("mana_height", 0, 0)] = CARDS["f7"], 1
    cells[rules.cell("witness", 0, 0)] = 1 if extra else 0
    return Legality(rules), tuple(cells), number


def test_an_opaque_skill_is_undetermined_where_nothing_else_forbids_it() -> None:
    legality, state, card = _table(CARDS[STRANGE])
    assert legality.judge(state, Move("edit_skill", 0, (card, 0, 0, 0, 0))).verdict is Verdict.UNDETERMINED
    why = WhyNot(legality.rules).ask(state, "edit_skill", 0, {"card": card, "skill": 0})
    assert why.verdict is Verdict.UNDETERMINED


def test_an_opaque_skill_is_listed_as_undecided_beside_the_legal_moves() -> None:
    legality, state, card = _table(CARDS[STRANGE])
    move = Move("edit_skill", 0, (card, 0, 0, 0, 0))
    assert move not in legality.enumerator.moves(state)
    assert [(j.move, j.verdict) for j in legality.undecided(state, {"edit_skill"})] == [(move, Verdict.UNDETERMINED)]
    legality, state, _ = _table(0)
    assert legality.undecided(state, set(legality.rules.by_name)) == []


def test_an_opaque_skill_of_a_card_that_is_not_there_is_illegal() -> None:
    legality, state, card = _table(0)
    assert legality.judge(state, Move("edit_skill", 0, (card, 0, 0, 0, 0))).verdict is Verdict.NO


def test_another_skill_of_the_same_card_is_judged_as_usual() -> None:
    legality, state, card = _table(CARDS[STRANGE])
    assert legality.judge(state, Move("edit_skill", 0, (card, 1, 0, 0, 0))).verdict is Verdict.YES
