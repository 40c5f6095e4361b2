"""Logs replay to the same states, and one that was changed is told by line, move and reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.language import Move, RuleSet
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.duel import duel
from monjudge.model.small.nim import nim
from monjudge.model.small.pig import pig
from monjudge.model.small.rock_paper_scissors import rock_paper_scissors
from monjudge.solvers.log import MOST_MOVES, LogError, about, read, write
from monjudge.solvers.play import IllegalMove, Play

GAMES = (nim(), pig(), duel(), rock_paper_scissors(), breakthrough(4, 3, 1))
NIM = nim((3, 4, 5))


@pytest.mark.parametrize("rules", GAMES, ids=lambda r: r.name)
@pytest.mark.parametrize("seed", range(3))
def test_a_log_replays_to_the_same_states(rules: RuleSet, seed: int) -> None:
    play = Play(rules)
    record = play.random(seed, most=200)
    again = play.replay(*read(write(rules, record), rules))
    assert (again.start, again.moves, again.states) == (record.start, record.moves, record.states)


def test_a_log_may_begin_anywhere_and_carries_what_is_said_about_it() -> None:
    play = Play(NIM)
    begin = play.apply(play.start, Move("take", 0, (2, 5))).state
    record = play.random(1, begin)
    text = write(NIM, record, {"heaps": [3, 4, 5]})
    assert about(text) == {"heaps": [3, 4, 5]}
    assert play.replay(*read(text, NIM)).final == record.final


def text_of_nim() -> str:
    return write(NIM, Play(NIM).script([Move("take", 0, (0, 3)), Move("take", 1, (1, 4)), Move("take", 0, (2, 5))]))


def test_the_form_is_one_object_a_line() -> None:
    head, *moves = text_of_nim().splitlines()
    assert json.loads(head)["format"] == "monjudge-log/1"
    assert json.loads(moves[1]) == {"move": "take", "me": 1, "args": {"heap": 1, "count": 4}}


def test_a_changed_log_names_the_first_illegal_move_and_why() -> None:
    lines = text_of_nim().splitlines()
    lines[2] = lines[2].replace('"heap":1', '"heap":0')
    with pytest.raises(IllegalMove) as caught:
        Play(NIM).replay(*read("\n".join(lines), NIM))
    assert caught.value.number == 2
    assert caught.value.clauses


def changed(line: int, **keys: Any) -> Callable[[list[str]], None]:
    def change(lines: list[str]) -> None:
        lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | keys)

    return change


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (changed(1, format="monjudge-log/2"), 1, "no 'monjudge-log/1'"),
        (changed(1, rules="0" * 64), 1, "another rule set (nim)"),
        (changed(1, about=None), 1, "about is missing"),
        (changed(1, start={"moon": 1}), 1, "the start is no state"),
        (changed(1, start={"turn": "x"}), 1, "the start is no state"),
        (changed(2, move="eat"), 2, "a move has the name of an action"),
        (changed(2, me="0"), 2, "a move has the name of an action"),
        (changed(2, me=True), 2, "a move has the name of an action"),
        (changed(2, me=2), 2, "me of take is 0..1, not 2"),
        (changed(2, me=-1), 2, "me of take is 0..1, not -1"),
        (changed(1, start={"heap": [1.5, 1, 1]}), 1, "a value of heap is a whole number, not 1.5"),
        (changed(3, args={"heap": 0}), 3, "take takes heap, count"),
        (changed(3, args={"heap": 9, "count": 1}), 3, "heap is one of 0..2, not 9"),
        (changed(3, args={"heap": [], "count": 1}), 3, "heap is one of 0..2, not []"),
        (lambda lines: lines.insert(2, ""), 3, "not one JSON object"),
        (lambda lines: lines.insert(2, "[" * 10_000), 3, "not one JSON object"),
        (lambda lines: lines.insert(2, '{"a": "' + "x" * 2_000_000 + '"}'), 3, "not one JSON object"),
        (lambda lines: lines.clear(), 1, "not one JSON object"),
        (lambda lines: lines.extend(["{}"] * MOST_MOVES), MOST_MOVES + 2, "at most"),
    ],
)
def test_a_broken_log_is_told_with_its_line(change: Callable[[list[str]], Any], line: int, says: str) -> None:
    lines = text_of_nim().splitlines()
    change(lines)
    with pytest.raises(LogError) as caught:
        read("\n".join(lines), NIM)
    assert caught.value.line == line
    assert says in caught.value.text.en
    assert caught.value.text.ja.startswith(f"{line}行目：")
