"""What evidence shows, in the words of the game: an ordinary line of it, and the values that the formula reads."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest

from monjudge.judge import read
from monjudge.model.games import scene_of
from monjudge.model.language import Game, LimitReached, Move, RuleSet, State, put
from monjudge.model.monjan.boards import PRINTED
from monjudge.model.notation.cells import moved
from monjudge.model.properties import Scene, Setting
from monjudge.model.small.nim import nim
from monjudge.reports.answers.answer import Voice
from monjudge.reports.answers.bounds import NAMES
from monjudge.reports.answers.witness import Witness
from monjudge.reports.witness import witness
from monjudge.solvers.engines.enumerator import Enumerator
from monjudge.solvers.engines.reference import Reference
from monjudge.verify import recheck
from monjudge.verify.prove import Limits, prove
from monjudge.verify.question import Property, read_properties

QUICK = Limits(seconds=60, states=1000, lines=20)


def shown(scene: Scene, prop: Property) -> Witness:
    """What shows the verdict on a property of a scene."""
    found = prove(prop, scene, QUICK)
    assert found.evidence is not None
    seen = witness(found.evidence, scene)
    assert seen is not None
    return seen


def told(seen: Witness, lang: str = "en", ascii: bool = False) -> list[str]:
    return list(seen.text(Voice(lang, ascii)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prop", "moves", "positions", "there"),
    [
        (Property("a", "invariant", "heap[0] <= 2"), [], ["nim1"], ["heap[0] <= 2: heap[0] = 3"]),
        (Property("a", "invariant", "all h in 0..2: heap[h] >= 1"), ["take 0 3"], ["nim1/heap=0,4,5/turn=1"], ["heap[0] >= 1: heap[0] = 0"]),
        (Property("a", "move", "`count` <= 1", on="take"), ["take 0 2"], ["nim1"], ["`count` <= 1: `count` = 2"]),
        (Property("a", "step", "next heap[1] >= heap[1]"), ["take 1 1"], ["nim1/heap=3,3,5/turn=1"], ["heap[1] <= next heap[1]: heap[1] = 4, next heap[1] = 3"]),
        (Property("a", "reachable", "heap[0] + heap[1] == 0"), ["take 0 3", "take 1 4"], ["nim1/heap=0,0,5"],
         ["heap[0] + heap[1] == 0: heap[0] = 0, heap[1] = 0, heap[0] + heap[1] = 0"]),
        (Property("a", "fact", "heap[2] > 0"), [], ["nim1/heap=3,4,0"], ["heap[2] > 0: heap[2] = 0"]),
    ],
)  # fmt: skip
def test_a_line_of_a_small_game_is_told_with_the_values_that_matter(prop: Property, moves: list[str], positions: list[str], there: list[str]) -> None:
    seen = shown(scene_of("nim"), prop)
    assert [move.text for move in seen.moves] == moves and [looked.line for looked in seen.looked] == positions
    assert [f"{f.needed}: {', '.join(map(str, f.have))}" for f in seen.findings] == there
    assert seen.met is (prop.kind == "reachable")
    if seen.moves:
        assert seen.asked is not None and read(seen.start).check(*(move.text for move in seen.moves)).verdict.value == "yes"


def test_a_line_is_told_in_both_languages_and_in_ascii() -> None:
    seen = shown(scene_of("nim"), Property("a", "step", "next heap[1] >= heap[1]"))
    assert told(seen, ascii=True) == [
        "  from: nim1",
        "    1. take 1 1  Player 1: take counters (heap 1, count 1).",
        "  position at the end: nim1/heap=3,3,5/turn=1",
        "Nim, Player 2 to move",
        "     turn 1",
        "  heap",
        "+---+---+---+",
        "| 3 | 3 | 5 |",
        "+---+---+---+",
        "  claimed: heap[1] <= next heap[1]",
        "  there is: heap[1] = 4, next heap[1] = 3",
        "  played again by: monjudge check nim1 'take 1 1'",
    ]
    japanese = told(seen, "ja")
    assert japanese[:3] == ["  始まり：nim1", "    1. take 1 1  プレイヤー1：石を取る（heap 1、count 1）。", "  最後の局面：nim1/heap=3,3,5/turn=1"]
    assert japanese[-3:] == ["  主張：heap[1] <= next heap[1]", "  実際：heap[1] = 4、next heap[1] = 3", "  再現：monjudge check nim1 'take 1 1'"]
    assert list(seen.short(Voice())) == [told(seen)[1], *told(seen)[-3:-1]]


def test_a_line_with_boards_left_open_is_one_of_the_game_with_the_boards_by_name() -> None:
    seen = shown(scene_of("monjan"), Property("a", "move", "mana_height[me, column] >= 2", on="attack"))
    here = read(seen.start)
    played = here.after(*(move.text for move in seen.moves[:-1]))
    assert played.line == seen.looked[0].line and seen.moves[-1].action == "attack"
    assert played.check(seen.moves[-1].text).verdict.value == "yes"
    assert {*seen.boards} <= {*PRINTED} and [here.data["players"][p]["board"] for p in "12"] == list(seen.boards)
    assert str(seen.findings[0].have[-1]) == "mana_height[me, column] = 1"
    assert any(line.startswith("    1.-") for line in told(seen)), "what chance does in a row is told together"


def test_boards_that_nobody_printed_are_told_as_a_designer_writes_them() -> None:
    scene = scene_of("monjan", "all")
    found = prove(Property("a", "fact", "rank[0] != rank[1]"), scene, QUICK)
    seen = witness(found.evidence, scene) if found.evidence is not None else None
    assert seen is not None and len(seen.boards) == 2 and seen.boards[0]["priority"] == seen.boards[1]["priority"]
    assert not seen.looked, "a claim about boards alone needs no position"
    assert str(seen.boards[0]["cap"]) in found.why.en and "rank" not in found.why.en + found.why.ja
    assert "board" not in prove(Property("a", "fact", "heap[2] > 0"), scene_of("nim"), QUICK).why.en


def test_a_line_under_other_readings_is_one_under_these_readings() -> None:
    scene = Setting("monjan").opened(["A25"]).held({"A25": "LT"}).scene
    seen = shown(scene, Property("a", "move", "mana_height[me, column] >= 2", on="attack"))
    assert seen.readings == {"A25": "LT"} and "  readings: A25=LT" in told(seen)
    here = read(seen.start)
    assert here.readings == {"A25": "LT"} and here.after(*(move.text for move in seen.moves[:-1])).line == seen.looked[0].line


@pytest.mark.parametrize(("game", "boards", "open", "seed"), [("monjan", "printed", 0, 1), ("monjan", "printed", 12, 2), ("monjan", "all", 0, 3), ("rancher", "printed", 12, 4)])
def test_closed_rules_play_as_open_ones_do(game: str, boards: str, open: int, seed: int) -> None:
    rng, setting = Random(seed), Setting(game, boards)
    scene = setting.opened(rng.sample(setting.switches, open)).scene
    assert scene.words is not None
    start = _read_otherwise(scene, rng) if open else rng.choice([*scene.positions.values()])
    engine, moves = Reference(scene.rules), Enumerator(scene.rules)
    table = scene.words.kit.closed(scene.words.at(engine.settle(start)))
    shut = Enumerator(table.rules)
    state = engine.settle(start)
    for _ in range(60):
        here = moved(scene.rules, state, table.rules)
        every = moves.moves(state)
        assert sorted({_bare(scene.rules, m, table.rules) for m in every}) == sorted(shut.moves(here))
        if not every:
            break
        try:
            state = engine.step(state, rng.choice(every))
        except LimitReached:
            break


def _read_otherwise(scene: Scene, rng: Random) -> State:
    """The start with another reading of some switches that are open."""
    cells = list(scene.start)
    for switch in scene.rules.switches:
        values = [n for n, value in enumerate(switch.values) if value not in switch.undetermined]
        cells[scene.rules.offset[switch.family.name]] = switch.family.lo + rng.choice(values)
    return tuple(cells)


def _bare(rules: RuleSet, move: Move, other: RuleSet) -> Move:
    args = dict(zip((p.name for p in rules.by_name[move.action].params), move.args, strict=True))
    return Move(move.action, move.me, tuple(args[p.name] for p in other.by_name[move.action].params))


def test_a_deadlock_of_the_second_game_is_told_with_the_position() -> None:
    seen = shown(scene_of("rancher"), Property("a", "deadlock"))
    assert seen.said.en.startswith("no move is left") and seen.looked[0].line.startswith("mr1/")
    assert not seen.boards and read(seen.looked[0].line).moves().count == 0


def test_words_whose_rules_play_otherwise_are_not_used() -> None:
    scene = scene_of("nim")
    assert scene.words is not None
    other = dataclasses.replace(scene.words, rules=nim((1, 1, 1)))

    class Wrong(type(scene.words.kit)):  # type: ignore[misc]
        """A kit that closes rules into others."""

        def closed(self, position: object) -> object:
            return other

    words = dataclasses.replace(scene.words, kit=Wrong("nim", scene.rules))
    seen = shown(dataclasses.replace(scene, words=words), Property("a", "invariant", "heap[0] >= 2"))
    assert seen.asked is None and [move.text for move in seen.moves] == ["take 0 2"]


def test_a_proof_shows_no_position() -> None:
    scene = scene_of("nim")
    found = prove(Property("a", "invariant", "heap[0] <= 3"), scene, QUICK)
    assert found.evidence is not None and witness(found.evidence, scene) is None


def test_every_bound_has_a_japanese_name() -> None:
    settings = [Setting("monjan"), Setting("rancher"), Setting("nim"), Setting("monjan", open=("CARDS",)), Setting("monjan", open=("NORMS",))]
    assert {name for setting in settings for name in setting.scene.bounds} <= {*NAMES}
    assert recheck._BOUNDS <= {*NAMES}


def lamp() -> Scene:
    """One player switches a lamp; two may each take the only coin that lies there."""
    g = Game("lamp", players=2)
    lit, coin, seen = g.field("lit", values=bool), g.field("coin", values=range(2), init=1), g.field("seen", values=range(3))
    switch = g.action("switch", by=0, en="switch the lamp", ja="灯を切り替える")
    switch.clause("LAMP.dark", coin == 1, en="There is a coin.", ja="硬貨がある。")
    switch.effect(put(lit, ~lit))
    take = g.action("take", en="take the coin", ja="硬貨を取る")
    take.clause("LAMP.coin", coin > 0, en="There is a coin.", ja="硬貨がある。")
    take.effect(put(coin, 0), put(seen, take.me + 1))
    rules = g.build()
    return Scene(rules, rules.start)


def test_a_circle_is_told_with_the_position_to_which_it_leads_back() -> None:
    seen = shown(lamp(), Property("a", "loop"))
    assert (seen.stem, [move.text for move in seen.moves]) == (0, ["switch", "switch"]) and seen.asked is None
    assert told(seen)[:5] == [
        "  from: lamp1", "  and round again:", "    1. switch  Player 1: switch the lamp.", "    2. switch  Player 1: switch the lamp.",
        "  position to which the moves lead back: lamp1",
    ]  # fmt: skip
    assert list(seen.short(Voice())) == []


def test_moves_that_do_not_go_in_both_orders_are_told_with_what_comes_of_them() -> None:
    seen = shown(lamp(), Property("a", "commute"))
    assert {move.text for move in seen.then} == {"switch", "2:take"} and len(seen.looked) == 2
    assert seen.said.en.startswith("the ") and seen.looked[1].line == "lamp1/lit=1/coin=0/seen=2" and seen.looked[1].picture is None
    both = shown(lamp(), Property("a", "commute", among=("take",)))
    assert both.said.en == "neither is legal after the other:" and len(both.looked) == 1


def test_a_move_that_is_barred_is_told_where_it_is() -> None:
    seen = shown(lamp(), Property("a", "legal", on="switch", premise="lit"))
    assert seen.moves[0].text == "switch" and seen.said.en == "not legal there:" and [move.action for move in seen.then] == ["switch"]


def test_what_the_values_say_is_told_in_the_words_of_the_game() -> None:
    seen = shown(scene_of("monjan"), Property("a", "move", "not drawn[me]", on="end"))
    assert any(fact.en.endswith("has drawn") for fact in seen.facts) and any(line.startswith("  in words: ") for line in told(seen))


def test_sentences_that_contradict_each_other_are_told_with_what_each_reads() -> None:
    setting = Setting("monjan")
    prop = next(p for p in read_properties(setting.properties) if p.id == "U01")
    seen = shown(prop.within(setting).scene, prop)
    assert seen.said.en.startswith("EDIT.10: ") and "EDIT.12: " in seen.said.en and not seen.looked
    permitted, limited = seen.findings
    assert limited.needed == "did_total[me] < 3" and limited.have[-1].value >= 3 and permitted.more == 0
