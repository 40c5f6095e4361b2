"""Sentences of the document that contradict one another are both norms, literally, and no reading claims both.

The pairs are the known contradictions of the text. z3 is asked over all states and all moves whether two norms
clash; the readings that decide between them stay open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest
import z3

from monjudge.model.games import properties_of
from monjudge.model.language import FALSE, ME, TRUE, Expr, Norm, Scope, parse_expr
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.cards import NO_ELEMENT, Card, Catalogue
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import table
from monjudge.model.properties import Setting as Prover
from monjudge.solvers.certificate import Evidence
from monjudge.solvers.engines.smt.rules import Symbolic
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import read_properties
from monjudge.verify.recheck import recheck


class Core(NamedTuple):
    """Two norms (id, act) that cannot both be followed, and the situation that shows it."""

    one: tuple[str, str | None]
    other: tuple[str, str | None]
    on: str | None
    witness: str = "true"


FALL = "not fallen[0, L] and next fallen[0, L] and mana_height[0, L] == 1 and next uses_ritual[0] == uses_ritual[0] and next uses_ritual[1] == uses_ritual[1]"
ON_BOARD = "all s in 3..5: next spent[me, L, s] == 0"

CORES = {
    "U01": Core(("EDIT.10", "toughness"), ("EDIT.12", "toughness"), "toughness"),
    "U04": Core(("SETUP.6", "middle"), ("DEF.4", "middle"), "middle"),
    "U06": Core(("FALL.1", None), ("FALL.5", None), None, FALL),
    "U07": Core(("BOSS.9", "boss"), ("RELEASE.7", "boss"), "boss", "left == 3 and mana_height[me, L] == 3"),
    "U09": Core(("RELEASE.1", "boss"), ("FALL.9", "boss"), "boss", ON_BOARD),
    "U11": Core(("FALL.8", None), ("SUPPLY.4", "edit_skill"), "edit_skill", "target == 0 and life[me, L] == 0"),
    "U12": Core(("EXTRA.22", None), ("EXTRA.23", "mana"), "mana",
                "extra[me] > 0 and witness[me, L] == 1 and mana_height[me, L] == 1 and next mana_height[me, L] == 2 "
                "and next mana[me, L, 1] != mana[me, L, 0]"),
    "U15": Core(("BCARD.5", "kill"), ("BCARD.10", "kill"), "kill"),
    "U18": Core(("MODE.2b", None), ("MODE.2e", None), None, "{et} == 30"),
    "U19": Core(("MODE.3b", "draw_card"), ("MODE.3a", "draw_card"), "draw_card"),
    "U22": Core(("TOUGH.10", "strike"), ("BATTLE.4", "strike"), "strike"),
    "U23": Core(("OVER.3", "middle"), ("TOUGH.12", "middle"), "middle"),
    "U24": Core(("BOARD.FLEHEIM.L", "ritual"), ("FALL.1", "ritual"), "ritual", "last_fall == 1"),
    "U26": Core(("BOARD.ATELIER.R", "recycle"), ("BOSS.3a", "recycle"), "recycle"),
    "U27": Core(("EXTRA.10", "edit_skill"), ("RELEASE.8", "edit_skill"), "edit_skill"),
    "U28": Core(("FALL.4", None), ("LATEST.2", None), None, FALL + " and not supplied[0, L]"),
    "U29": Core(("TOUGH.12", "toughness"), ("ATK.1", "toughness"), "toughness"),
    "U30": Core(("HIDE.2", None), ("SPEED.4", None), None, "mana_height[0, L] == 1 and elements[0, L] == 0 and mana_down[0, L, 0] and {number} and "
                "mana_height[0, C] == 0 and mana_height[0, R] == 0"),
}  # fmt: skip
"""The pairs of the document that contradict one another when they are taken literally; U10 is about the cards (below)."""

CONTESTED = ("A02", "A08", "A29", "A67", "A68", "A69", "A72", "A88", "A95", "A98", "A99", "A103", "A105", "A111", "A124", "A141", "A142", "A143",
             "A146", "A43", "A45", "A47", "A106", "A97", "A102", "A104", "A158", "A109", "A114", "A117", "A108")  # fmt: skip


def few(cards: Catalogue) -> Catalogue:
    """The cards of the shipped pack without those of three elements and the higher bosses: z3 takes time for each kind."""
    return Catalogue(c for c in cards.cards[1:] if c.element in (0, 4, NO_ELEMENT) and (c.kind != "BOSS" or c.value < 16))


class Text:
    """The norms of one rule set in which mode and contested readings are left open, asked through z3."""

    def __init__(self) -> None:
        boards = [PRINTED["FLEHEIM"], PRINTED["ATELIER"]]
        setting = table(default_pack(), "INIT", boards, open=("MODE", *CONTESTED), hiding=True, slots=6)
        self.cards = few(setting.catalogue)
        self.rules = monjan(replace(setting, catalogue=self.cards), norms=True)
        self.symbolic = Symbolic(self.rules)
        self.now, self.then = self.symbolic.state("now"), self.symbolic.state("then")

    def norms(self, id: str, on: str | None) -> list[Norm]:
        return [n for n in self.rules.norms if n.id == id and n.on == on]

    def witness(self, core: Core) -> Expr:
        """The situation of a core: its text with the sums and tables that depend on the cards put in."""
        kinds = self.cards.numbers("EXTRA", "TOUGHNESS")
        left = " + ".join(f"next {pile}[{k}]" for k in kinds for pile in ("pool", "deck"))
        number = " or ".join(f"mana[0, L, 0] == {k}" for k in self.cards.numbers("NUMBER")[:3])
        text = core.witness.format(et=left, number=f"({number})")
        return parse_expr(text, Scope.of(self.rules, core.on))

    def possible(self, on: str | None, *wanted: Expr) -> bool:
        """Whether some state (and move, and next state) is like this."""
        free: dict[str, Any] = {}
        inside = [self.symbolic.inside(self.now), self.symbolic.inside(self.then)]
        if on is not None:
            me, args = self.symbolic.choice(on, "core")
            free = {ME: me} | {p.name: t for p, t in zip(self.rules.by_name[on].params, args, strict=True)}
            inside.append(self.symbolic.domain(on, me, args))
        solver = z3.SolverFor(self.symbolic.terms.logic)
        solver.add(*inside, *[self.symbolic.expr(e, self.now, free, self.then) for e in wanted])
        answer = solver.check()
        assert answer != z3.unknown
        return bool(answer == z3.sat)


def follows(norm: Norm) -> Expr:
    return ~norm.formula if norm.kind == "prohibition" else norm.formula


def clash(text: Text, core: Core, one: Norm, other: Norm) -> bool:
    """Whether the one permits what the other rules out, or each can be followed in the situation and both cannot."""
    if other.kind == "permission":
        return False
    where = [text.witness(core), one.scope, other.scope]
    if one.kind == "permission":
        return text.possible(core.on, *where, one.formula, ~follows(other))
    each = all(text.possible(core.on, *where, follows(norm)) for norm in (one, other))
    return each and not text.possible(core.on, *where, follows(one), follows(other))


@pytest.fixture(scope="module")
def text() -> Text:
    return Text()


@pytest.mark.parametrize("core", CORES.values(), ids=CORES)
def test_both_sentences_of_a_contradiction_are_norms_and_no_reading_claims_both(core: Core, text: Text) -> None:
    pairs = [(a, b) for a in text.norms(*core.one) for b in text.norms(*core.other) if clash(text, core, a, b)]
    assert pairs
    assert [(a.id, b.id) for a, b in pairs if text.possible(None, a.claimed, b.claimed)] == []


def test_a_strength_above_sixteen_contradicts_the_range_of_strengths() -> None:
    """U10: the printed strength 22 (BOSS.3) against 1 to 16 (CARD.1)."""
    forms = []
    for cards in (["f5", "B22"], ["f5", "B12"]):
        rules = monjan(Setting(Catalogue(map(Card.parse, cards))), norms=True)
        forms.append([n.formula for n in rules.norms if n.id == "CARD.1"])
        assert [n.on for n in rules.norms if n.id == "BOSS.3"] == ["strike"]
    assert forms == [[TRUE, FALSE], [TRUE, TRUE]]


SHIPPED = {p.id: p for p in read_properties(properties_of("monjan")) if p.kind == "consistent"}


def test_every_contradiction_is_a_property_of_the_same_sentences() -> None:
    assert {id: set(p.among) for id, p in SHIPPED.items()} == {
        **{id: {core.one[0], core.other[0]} for id, core in CORES.items()}, "U10": {"CARD.1", "BOSS.3"},
    }  # fmt: skip


@pytest.mark.parametrize("id", ["U01", "U06", "U10", *(pytest.param(id, marks=pytest.mark.slow) for id in SHIPPED if id not in ("U01", "U06", "U10"))])
def test_the_prover_finds_the_contradiction_and_its_evidence_is_right(id: str) -> None:
    scene = SHIPPED[id].within(Prover("monjan")).scene
    found = prove(SHIPPED[id], scene, Limits(seconds=None))
    assert found.verdict is Verdict.NO and found.evidence is not None
    recheck(Evidence.from_json(found.evidence.to_json()), scene)
