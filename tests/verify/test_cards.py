"""What is printed on the cards left open: one claim about all packs, by the same rules as with the cards that there are."""

from __future__ import annotations

import dataclasses
import random

from monjudge.model.monjan.boards import PRINTED
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.properties import scene
from monjudge.model.monjan.rules import monjan
from monjudge.model.monjan.set_up import first_state, table
from monjudge.model.properties import Scene, Setting
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.verdict import Verdict
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property

P62 = Property(
    "P62", "invariant", "all p in player: all c in column: not table is_NUMBER[attack[p, c]] or card_value[attack[p, c]] <= cap[p, c]",
    lemmas=("all p in player: all c in column: under[p, c] == 0",),
)  # fmt: skip
LITTLE = Limits(seconds=60, states=50, lines=4)


def forgetful(whole: Scene, clause: str) -> Scene:
    actions = (dataclasses.replace(a, clauses=tuple(c for c in a.clauses if c.id != clause)) for a in whole.rules.actions)
    return dataclasses.replace(whole, rules=dataclasses.replace(whole.rules, actions=tuple(actions)))


def test_a_number_card_keeps_to_the_maximum_whatever_boards_and_cards_are_printed_unless_the_clause_is_forgotten() -> None:
    whole = scene(None, open=("CARDS",))
    found = prove(P62, whole, LITTLE)
    assert found.verdict is Verdict.YES and found.bounds["cards"] == "any data" and found.bounds["boards"] == "all designs"
    assert prove(P62, forgetful(whole, "ATK.1"), LITTLE).verdict is not Verdict.YES


def test_with_the_printed_data_the_open_rules_are_the_closed_ones() -> None:
    pack = default_pack()
    first = list(PRINTED.values())[:2]
    settings = [table(pack, "BASIC", first, {}, open=names) for names in ((), ("CARDS",))]
    games = [monjan(setting) for setting in settings]
    engines = [Reference(rules) for rules in games]
    listers = [Enumerator(rules) for rules in games]
    states = [e.settle(first_state(rules, s, pack)) for e, rules, s in zip(engines, games, settings, strict=True)]
    chosen = random.Random(6)
    for _ in range(80):
        moves = [lister.moves(state) for lister, state in zip(listers, states, strict=True)]
        assert moves[0] == moves[1]
        if not moves[0]:
            break
        move = chosen.choice(moves[0])
        states = [engine.step(state, move) for engine, state in zip(engines, states, strict=True)]


def test_with_the_cards_open_other_readings_are_asked_with_the_cards_open_too() -> None:
    setting = Setting("monjan", "all", open=("CARDS",))
    looser = setting.opened(["A104"])
    assert (looser.left, looser.scene.bounds["cards"]) == (("A104",), "any data")
    assert looser.read(A104="REUSE").open == ("CARDS",) and Setting.of(looser.data()) == looser
    assert Setting("monjan").opened(["A104"]).open == ("A104",)
