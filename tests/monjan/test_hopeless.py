"""What is declared hopeless in a battle turn: the others have a move that keeps it so, until the turn is over."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from monjudge.model.language import FALSE, TRUE, Expr, Hopeless, RuleSet, State, evaluate, lift
from monjudge.model.monjan import hopeless
from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.catalogue.packs import default_pack
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.positions import midgame
from monjudge.model.monjan.properties import scene as all_boards
from monjudge.model.monjan.rules import monjan
from monjudge.model.properties import Setting as Asked
from monjudge.solvers.certificate import Refused, check
from monjudge.solvers.engines.native import Native
from monjudge.solvers.forced import Limits, Search, evidence
from monjudge.solvers.forced.search import Options
from monjudge.solvers.verdict import Verdict
from monjudge.verify.hopeless import Kept, called, digest
from monjudge.verify.hopeless_again import Again
from monjudge.verify.implications import conditions_of
from monjudge.verify.prove import prove
from monjudge.verify.queries import Clock, Queries, Refuted
from monjudge.verify.question import Property, read_properties


def _read(rules: RuleSet, expr: Expr, state: State) -> int:
    return evaluate(expr, state, None, rules.offset)


def _drawn(scene: Scene, r: Random) -> Scene:
    """A battle begun with other cards on the attack rows, above them and on the hands; one player has few guards."""
    cells: dict[tuple[str, int, int], int] = {}
    laid, played = (list(map(scene.catalogue.numbers, kinds)) for kinds in (("NUMBER", "TOUGHNESS"), ("PLUS", "KILL")))
    kinds = [k for numbers in laid for k in numbers]
    weak, much = r.randrange(2), r.choice((0.2, 0.4, 0.8))
    for p in range(2):
        for c in range(3):
            if scene.catalogue.cards[scene.cell("attack", p, c)].kind not in ("BOSS", "ASSASSIN"):
                cells["attack", p, c] = r.choice(kinds) if r.random() < (0.3 if p == weak else much) else 0
            if scene.cell("life", p, c):
                cells["life", p, c] = r.choice((1, 2, 3, 6, 12))
        for slot in range(2):
            if r.random() < 0.1:
                cells["above", p, slot] = r.choice(kinds)
        for k in (k for numbers in played for k in numbers):
            cells["hand", p, k] = int(r.random() < 0.2)
    drawn = scene.put(cells)
    for c in (0, 2):
        if r.random() < 0.75:  # this side has fallen before
            drawn = drawn.put({("life", weak, c): 0, ("defence", weak, c): 0, ("fallen", weak, c): 1})
    active = r.randrange(2)
    drawn = drawn.put({("extra", weak): 0, ("extra_by", weak): 0}) if r.random() < 0.7 else drawn
    return drawn.battle(active, 1 - active) if r.random() < 0.7 else drawn.settled()


def _played(scene: Scene, r: Random) -> Iterator[State]:
    """The states of a random game in which all attack, to the end of the next turn."""
    rules, state = scene.rules, scene.state
    assert rules.turns is not None
    engine, first = _engine(scene), _read(rules, rules.turns.number, state)
    for _ in range(120):
        if engine.over(state) or _read(rules, rules.turns.number, state) > first + 1:
            return
        yield state
        steps = [(move, after) for move, after in engine.steps(state) if after is not None]
        if not steps:
            return
        action = r.choice(sorted({move.action for move, _ in steps} - {"stop"}) or ["stop"])
        state = r.choice([after for move, after in steps if move.action == action])


def _engine(scene: Scene) -> Native:
    assert isinstance(scene.engine, Native)
    return scene.engine


def _fault(scene: Scene, declared: Hopeless, state: State) -> str | None:
    """What contradicts that a state is hopeless, as far as one move shows it."""
    rules, engine, player = scene.rules, _engine(scene), declared.player
    assert rules.turns is not None
    number = rules.turns.number
    goal = next(g.when for g in rules.goals if g.name == declared.goal and g.player == player)

    def stays(after: State | None) -> bool:
        if after is None or _read(rules, goal, after):
            return False
        over = engine.over(after) or _read(rules, number, after) > _read(rules, number, state)
        return over or bool(_read(rules, declared.when, after))

    steps = engine.steps(state)
    others = [after for move, after in steps if move.me == 1 - player]
    lost = [move.action for move, after in steps if move.me != 1 - player and not stays(after)]
    if _read(rules, goal, state):
        return "the goal"
    return lost[0] if lost else "no reply" if others and not any(map(stays, others)) else None


def _walk(rounds: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """The faults found, and in how many states of each step of an attack something was hopeless."""
    r, faults, seen = Random(seed), Counter[str](), Counter[str]()
    scenes = [scene for _, scene in midgame(Native)]
    for n in range(rounds):
        scene = scenes[n % len(scenes)]
        for state in _played(_drawn(scene, r) if n % 3 else scene, r):
            for declared in scene.rules.hopeless:
                if _read(scene.rules, declared.when, state):
                    seen[f"step {state[scene.rules.cell('step')]}"] += 1
                    fault = _fault(scene, declared, state)
                    faults.update([fault] if fault else [])
    return faults, seen


def test_whatever_is_done_where_it_is_hopeless_the_others_can_keep_it_so_until_the_turn_is_over() -> None:
    faults, seen = _walk(120, 1)
    assert not faults
    assert sum(seen.values()) > 2000 and len(seen) >= 6


@pytest.mark.parametrize(
    "part, planted",
    [
        ("_attacks", lambda real: lambda m, p: real(m, p) - 1),
        ("_attacks", lambda real: lambda m, p: lift(0)),
        ("_skills", lambda real: lambda m, p: (FALSE, FALSE)),
        ("_skills", lambda real: lambda m, p: (real(m, p)[0], FALSE)),
        ("_UNDER_WAY", lambda real: ("W_DECLARED", "GUARD")),
    ],
    ids=["one attack too few", "no attacks", "no skills", "no damage by skills", "an attack with its guard forgotten"],
)
def test_a_fault_planted_in_the_count_is_noticed(part: str, planted: Callable[[object], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hopeless, part, planted(getattr(hopeless, part)))
    faults, _ = _walk(60, 2)
    assert faults


PROPERTIES = [prop for prop in read_properties(Asked("monjan").properties) if prop.kind == "hopeless"]


@pytest.mark.slow
@pytest.mark.parametrize("prop", PROPERTIES, ids=lambda prop: prop.id)
def test_what_is_declared_is_proved_by_both_engines_for_all_boards(prop: Property) -> None:
    scene = prop.within(Asked("monjan", boards="all")).scene
    found = prove(prop, scene)
    assert found.verdict is Verdict.YES and found.evidence is not None
    assert found.evidence.claim["declared"] == digest([h for h in scene.rules.proved if h.player == prop.player])


def test_what_the_search_rests_on_is_what_the_properties_ask_of_both_players() -> None:
    assert {prop.player for prop in PROPERTIES} == {0, 1}
    for prop in PROPERTIES:
        rules = prop.within(Asked("monjan", boards="all")).scene.rules
        assert {h.proof for h in rules.proved} == {prop.id.split(".")[0]} and rules.proved == rules.hopeless


BY = ("pass", "stop", "guard", "guard_back")
"""The actions by which the others reply."""


def _is_shown(step: str) -> bool:
    """Whether z3 proves one step for one player."""
    asked = all_boards(None)
    kept = Kept(Queries(asked, Clock()), asked.rules.hopeless[0], BY)
    return isinstance(next(ask for name, ask in kept.steps() if name == step)(), Refuted)


def _is_shown_again(step: str) -> bool:
    """Whether CP-SAT proves one step for one player, if it may use every rule and every reply."""
    asked = all_boards(None)
    declared, rules = asked.rules.hopeless[0], asked.rules
    every = {id for action in rules.actions for id, _ in conditions_of(rules, action)}
    replies = {json.dumps([name, 1, *args]) for name in BY for args in product(*(p.values for p in rules.by_name[name].params))}
    steps = {step, *(f"reply {action.name}" for action in rules.actions)}

    class One(Again):
        def _keeps(self, name: str, *args: Any) -> None:
            if name == step:
                super()._keeps(name, *args)

        def _none(self, name: str, *args: Any) -> None:
            if name == step:
                super()._none(name, *args)

    try:
        One(asked, declared, {f"{called(declared)}: {name}": sorted(every | replies) for name in steps}, 60).all()
    except Refused:
        return False
    return True


@pytest.mark.parametrize("step", ["reply guard", "action kill", "trigger ATK.3"])
def test_without_a_fault_the_second_proof_stands_alone(step: str) -> None:
    assert _is_shown_again(step)


@pytest.mark.slow
@pytest.mark.parametrize("shown", [_is_shown, _is_shown_again], ids=["first proof", "second proof"])
@pytest.mark.parametrize(
    "part, planted, step",
    [
        ("_attacks", lambda real: lambda m, p: real(m, p) - 1, "reply guard"),
        ("_attacks", lambda real: lambda m, p: lift(0), "reply guard"),
        ("_skills", lambda real: lambda m, p: (FALSE, FALSE), "trigger EXTRA.12:effect"),
        ("_skills", lambda real: lambda m, p: (real(m, p)[0], FALSE), "trigger EXTRA.12:effect"),
        ("_skills", lambda real: lambda m, p: (real(m, p)[0], FALSE), "silence ritual"),
        ("beaten", lambda real: lambda m, p, c: FALSE, "trigger FALL.1[0, 0]"),
        ("_UNDER_WAY", lambda real: ("W_DECLARED", "GUARD"), "action kill"),
        ("_kills", lambda real: lambda m, p: lift(0), "action kill"),
        ("_in_order", lambda real: lambda m, p: TRUE, "trigger ATK.3"),
        ("_nothing_goes", lambda real: lambda m, q: TRUE, "trigger EXTRA.22[1]"),
        ("_LAST_TURN", lambda real: 100, "trigger TURN.4"),
        ("_begins", lambda real: lambda m, p: TRUE, "goal"),
    ],
    ids=[
        "one attack too few", "no attacks", "no skills", "no damage by skills", "no room for a ritual card forgotten", "a side that is about to fall forgotten", "an attack with its guard forgotten",
        "no card that destroys", "nothing excluded", "an Extra card that is about to go", "the last turn", "nothing known of the next turn",
    ],
)  # fmt: skip
def test_a_fault_planted_in_the_count_breaks_both_proofs(
    part: str, planted: Callable[[object], object], step: str, shown: Callable[[str], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hopeless, part, planted(getattr(hopeless, part)))
    assert not shown(step)


def _endgame(scene: Scene, cards: int) -> Scene:
    cells: dict[tuple[str, int, int], int] = {}
    for player in range(2):
        left = cards
        for kind in range(1, len(scene.catalogue)):
            kept = min(left, scene.cell("hand", player, kind))
            cells["hand", player, kind], left = kept, left - kept
    return scene.put(cells, deck=0, et=0).settled()


def test_every_verdict_is_the_same_without_what_is_hopeless_and_less_is_searched() -> None:
    verdicts, with_it, without = Counter[Verdict](), 0, 0
    r = Random(3)
    for _, scene in list(midgame(Native))[4:]:
        searches = [[Search(scene.rules, "win", p, memory=1 << 24, options=Options(hopeless=on)) for on in (True, False)] for p in range(2)]
        for both_ways in searches * 4:
            state = _endgame(_drawn(scene, r), 2).state
            answers = [search.answer(state, 1, Limits(nodes=50_000)) for search in both_ways]
            here, there = (a.verdict for a in answers)
            assert here is there or there is Verdict.UNKNOWN
            verdicts[here] += 1
            with_it, without = with_it + answers[0].statistics.nodes, without + answers[1].statistics.nodes
    assert verdicts[Verdict.YES] >= 5 and verdicts[Verdict.NO] >= 10
    assert with_it < without


def test_the_certificate_of_a_no_is_accepted_by_the_reference_that_knows_nothing_of_it() -> None:
    _, scene = next(pair for pair in midgame(Native) if pair[0] == "a-boss-for-good")
    cut = _endgame(scene, 1)
    search = Search(cut.rules, "win", 1, memory=1 << 26)
    answer = search.answer(cut.state, 1)
    assert answer.verdict is Verdict.NO
    alone = Search(cut.rules, "win", 1, memory=1 << 26, options=Options(hopeless=False)).answer(cut.state, 1)
    checked = check(evidence(search, answer), cut.rules)
    assert alone.verdict is Verdict.NO and checked.positions > 0


@pytest.mark.parametrize("readings", [{"A56": "ONCE_EACH"}, {"A55": "TO_MIDDLE"}, {"A75": "END_OF_BATTLE"}])
def test_where_the_battle_is_read_in_another_way_nothing_is_declared(readings: dict[str, str]) -> None:
    catalogue = next(midgame(Native))[1].catalogue
    assert monjan(Setting(catalogue)).hopeless
    assert not monjan(Setting(catalogue, readings=readings)).hopeless
    assert not monjan(Setting(catalogue, open=frozenset(readings))).hopeless


PACK = [entry.card for entry in default_pack().entries]


@pytest.mark.parametrize(
    "setting",
    [
        Setting(Catalogue(PACK), slots=16),
        Setting(Catalogue(PACK), mode="LM"),
        Setting(Catalogue(PACK), readings={"A15": "BLIND_COMMIT"}),
        Setting(Catalogue(PACK), open=frozenset({"A15"})),
        Setting(Catalogue(PACK), open=frozenset({"MODE"})),
        Setting(Catalogue(PACK), hiding=True),
        Setting(Catalogue([*PACK, Card.parse("gB")])),
        Setting(Catalogue([replace(card, value=card.value + 1) for card in PACK])),
    ],
    ids=["more mana", "another mode", "another reading", "a reading left open", "the mode left open", "hidden cards", "one card that the pack has not", "other numbers"],
)  # fmt: skip
def test_what_the_proof_does_not_speak_of_is_declared_and_not_called_proved(setting: Setting) -> None:
    rules = monjan(setting)
    assert len(rules.hopeless) == 2 and not rules.proved


@pytest.mark.parametrize("setting", [Setting(Catalogue(PACK)), Setting(Catalogue(PACK[::3])), Setting(Catalogue(PACK), open=frozenset({"BOARDS"}), draft=True)])
def test_what_the_proof_speaks_of_is_called_proved(setting: Setting) -> None:
    assert len(monjan(setting).proved) == 2
