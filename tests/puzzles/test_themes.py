"""The theme of an endgame decides it: without the card, the place or the reading that it is about the answer is another."""

from __future__ import annotations

from typing import Any

import pytest

from monjudge.puzzles import read
from monjudge.puzzles.facts import computed
from monjudge.puzzles.form import merged
from monjudge.puzzles.library import library

FAST = ("column-given-up", "exact-range", "guard-exhaustion")

WITHOUT: dict[str, dict[str, Any]] = {
    "attack-then-guard": {"players": {"1": {"hand": None}}},
    "boss": {"boss": None},
    "column-given-up": {"players": {"1": {"board": "MANAST"}}},
    "dice-skill": {"players": {"1": {"hand": ["E16"]}}},
    "dice-told": {"players": {"1": {"hand": ["E16"]}}},
    "every-distance-covered": {"players": {"1": {"hand": ["DODGING", "READING"]}}},
    "exact-range": {"players": {"1": {"hand": ["DODGING", "READING"]}}},
    "extra-by-elements": {"players": {"1": {"mana": {"C": ["F16"]}}}},
    "extra-survival": {"readings": {"A21": "FALL_OFF"}},
    "extra-twice": {"players": {"1": {"mana": {"C": ["A13", "A1"], "R": None}}}},
    "guards-counted": {"players": {"2": {"attack": {"L": "A2"}}}},
    "guard-exhaustion": {"players": {"1": {"hand": ["HERALD"]}}},
    "hangs-on-a-reading": {"readings": {"A35": "ONLY_AT_DECLARATION"}},
    "heal-race": {"players": {"1": {"hand": ["SPEAR_LINE"]}}},
    "hidden-hand": {"players": {"1": {"hand": ["PIT_DRAGON"]}}},
    "kill": {"players": {"1": {"hand": ["SLINGER"]}}},
    "last-word": {"readings": {"A34": None}},
    "mana-release": {"players": {"1": {"mana": {"R": ["E1"]}}}},
    "no-win": {"players": {"2": {"defence": {"R": None}}}},
    "shield-and-siege": {"players": {"1": {"hand": ["E9"]}}},
    "shove-against-the-wall": {"players": {"2": {"square": 4}, "1": {"square": 3}}},
    "speed-check": {"players": {"1": {"monsters": ["IRON_RAM", "MOSS_TURTLE"]}}},
    "speed-check-odds": {"players": {"1": {"library": ["READING", "SPRINTS", "SPRINTS", "CUP_MATCH"]}}},
    "speed-tie": {"players": {"2": {"mana": {"L": ["E15"]}}}},
    "threat": {"players": {"1": {"hand": ["F1"]}}},
    "training": {"players": {"1": {"hand": ["LIFTING", "READING", "DODGING", "MEDITATION", "LONG_MARCH", "LONG_MARCH"]}}},
    "two-turns": {"players": {"1": {"hand": ["A1"]}}},
    "unseen-edit": {"readings": {"A15": None}},
    "waiting": {"players": {"1": {"hand": ["READING", "READING", "SPARRING"]}}},
}
"""What is otherwise in the position, by theme."""


def answer(name: str, change: dict[str, Any]) -> str:
    one = dict(read(library()[name]).data)
    left = {key: part for key, part in one.items() if key not in ("twins", "solution", "computed", "told")}
    asked = read({**left, "start": merged(one["start"], change)})
    assert list(asked.defects()) == []
    found = computed(asked)
    return str(found.get("verdict", found.get("odds")))


def test_every_theme_is_held_against_a_position_without_it() -> None:
    assert WITHOUT.keys() == {read(path).data["theme"] for path in library().values()}


NAMES = {read(path).data["theme"]: name for name, path in library().items()}


@pytest.mark.parametrize("theme", [pytest.param(theme, marks=() if theme in FAST else pytest.mark.slow) for theme in sorted(NAMES)])
def test_without_its_theme_an_endgame_has_another_answer(theme: str) -> None:
    stated = read(library()[NAMES[theme]]).computed
    assert answer(NAMES[theme], WITHOUT[theme]) != stated.get("verdict", stated.get("odds"))
