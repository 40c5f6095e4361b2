"""What ``forced.py`` measures of the large games: shipped puzzles, and endgames cut out of shipped positions.

An endgame is a shipped mid-game position with only the first cards of each hand and no pile left to draw from; each
is asked for both players. What is declared hopeless is measured with and without.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monjudge import puzzles
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.positions import midgame
from monjudge.puzzles import Puzzle
from monjudge.puzzles.facts import LIMITS, Unsolved, computed
from monjudge.puzzles.library import library
from monjudge.solvers.engines.native import Native
from monjudge.solvers.engines.reference import Reference
from monjudge.solvers.forced import Answer, Limits, Search, evidence
from monjudge.solvers.forced.search import Options
from monjudge.solvers.verdict import Verdict

__all__ = ["Row", "endgame", "endgame_rows", "row"]

LIMIT = 10**6
"""Positions expanded at most for one endgame."""

QUICK = ("a-battle-with-assassins", "elements-alone-pay", "the-last-attack-step")
"""Where the quick endgames are cut from."""

MEMORY = 1 << 29

FEW = 5
"""The figures of puzzles are of those with at most so many cards in each hand."""

MOVES = Options(hopeless=False)
"""What is hopeless is searched move by move."""

PLAIN = dataclasses.replace(MOVES, memory=False, ordering=False, replies=False)

SWITCHES = (MOVES, *(dataclasses.replace(MOVES, **{switch: False}) for switch in ("ordering", "replies")), Options(), dataclasses.replace(MOVES, memory=False), PLAIN)
"""Without what is hopeless: all that saves work, and without each part of it; what is so by default, and nothing of it."""

Row = dict[str, Any]


def endgame_rows(quick: bool) -> list[Row]:
    """Puzzles, endgames with what each switch saves, growth with the hand, certificates, and memory."""
    scenes = dict(midgame(Native))
    corpus = Corpus({name: scenes[name] for name in QUICK}, LIMIT // 10) if quick else Corpus(scenes, LIMIT)
    found = [*_shipped(), _unknown(quick)]
    for turns, cards in ((1, 3),) if quick else ((1, 3), (1, 5), (2, 3)):
        found += _switches(corpus, cards, turns)
    for turns, cards in () if quick else ((2, 5), (3, 3), (3, 5)):
        found += _medians(corpus, cards, turns)
    found += [_growth(corpus, count) for count in ((3,) if quick else range(3, 11))]
    return [*found, *_proofs(corpus), *_memory(corpus)]


@dataclass(frozen=True)
class Corpus:
    """Positions by name, and the positions that a search may expand for one endgame."""

    scenes: Mapping[str, Scene]
    limit: int


def row(name: str, ours: float, peer: float | None, goal: str | None, unit: str, note: str = "") -> Row:
    return {"name": name, "ours": ours, "peer": peer, "ratio": peer / ours if peer else None, "goal": goal, "unit": unit, "note": note}


# -- shipped puzzles -----------------------------------------------------------------------------------


def _shipped() -> list[Row]:
    """Medians over the puzzles with open cards and few in each hand, for each number of turns."""
    times = dict[tuple[int, bool], list[float]]()
    for path in library().values():
        puzzle = puzzles.read(path)
        if puzzle.turns is not None and not puzzle.hidden and puzzle.chance != "odds" and _few(puzzle):
            for hopeless in (False, True):
                answer = _solved(puzzle, Options(hopeless=hopeless))
                times.setdefault((puzzle.turns, hopeless), []).append(1000 * answer.statistics.seconds)
    found = []
    for (turns, hopeless), taken in sorted(times.items()):
        what = f"shipped puzzles of {turns} turn{'s' * (turns > 1)}" + hopeless * ", with what is hopeless"
        note = f"of {len(taken)}, at most {FEW} cards in each hand; slowest {max(taken):,.1f} ms"
        found.append(row(f"{what}: median", statistics.median(taken), None, f"< {10**turns}", "ms", note))
    return found


def _few(puzzle: Puzzle) -> bool:
    rules, state = puzzle.played.rules, puzzle.played.state
    hand = rules.family_named["hand"]
    kinds, first = hand.size // rules.players, rules.offset["hand"]
    return all(sum(state[first + p * kinds : first + (p + 1) * kinds]) <= FEW for p in range(rules.players))


def _solved(puzzle: Puzzle, options: Options) -> Answer:
    here = puzzle.played
    state, player = Reference(here.rules).settle(here.state), puzzle.player - 1
    declared = any((g.name, g.player) == (puzzle.goal, player) for g in here.rules.goals)
    search = Search(here.rules, puzzle.goal if declared else puzzle.wanted.when, player, memory=MEMORY, options=options)
    search.prover.ending(search.pack(state))  # makes the machine code
    return search.answer(state, puzzle.turns, line=False)


def _unknown(quick: bool) -> Row:
    """The puzzles without an answer at the limit that the library is made with; those of seconds are left out in ``quick``."""
    named, tried = list[str](), 0
    for name, path in library().items():
        puzzle = puzzles.read(path)
        if quick and (puzzle.hidden or puzzle.chance == "odds"):
            continue
        tried += 1
        try:
            computed(puzzle, readings=False)
        except Unsolved:
            named.append(name)
    note = f"of {tried} puzzles at {LIMITS.nodes:,} positions; unknown: {', '.join(named) or 'none'}"
    return row("shipped puzzles without an answer", 100 * len(named) / tried, None, "<= 5", "%", note)


# -- endgames ------------------------------------------------------------------------------------------


def _ask(corpus: Corpus, cards: int, turns: int, options: Options = Options()) -> list[Answer]:  # noqa: B008
    found = []
    for scene in corpus.scenes.values():
        cut = endgame(scene, cards)
        for player in range(2):
            search = Search(cut.rules, "win", player, memory=MEMORY, options=options)
            search.prover.ending(search.pack(cut.state))  # makes the machine code
            found.append(search.answer(cut.state, turns, Limits(nodes=corpus.limit), line=False))
    return found


def _median(name: str, turns: int, answers: Sequence[Answer]) -> Row:
    """The median; where it is open itself, the goal is missed whatever the limit of positions."""
    times = [1000 * a.statistics.seconds for a in answers]
    unknown, wins = (sum(a.verdict is v for a in answers) for v in (Verdict.UNKNOWN, Verdict.YES))
    median, goal, is_open = statistics.median(times), 10**turns, 2 * unknown >= len(answers)
    note = f"of {len(answers)} {wins} won, {unknown} open at the limit{' and so is the median' * is_open}; slowest {max(times):,.0f} ms"
    return row(f"{name}: median", max(median, goal) if is_open else median, None, f"< {goal}", "ms", note)


def _named(cards: int, turns: int) -> str:
    return f"endgames, at most {cards} cards a hand, {turns} turn{'s' * (turns > 1)}"


def _medians(corpus: Corpus, cards: int, turns: int) -> list[Row]:
    name = _named(cards, turns)
    return [
        _median(name + hopeless * ", with what is hopeless", turns, _ask(corpus, cards, turns, Options(hopeless=hopeless)))
        for hopeless in (False, True)
    ]


def _switches(corpus: Corpus, cards: int, turns: int) -> list[Row]:
    """The median, and the positions with each switch off."""
    name, answers = _named(cards, turns), {options: _ask(corpus, cards, turns, options) for options in SWITCHES}
    plain = answers[MOVES]
    found = [_median(name, turns, plain), _median(f"{name}, with what is hopeless", turns, answers[Options()])]
    for options, others in answers.items():
        assert all(a.verdict is b.verdict or Verdict.UNKNOWN in (a.verdict, b.verdict) for a, b in zip(plain, others, strict=True))
        off = [switch for switch, on in dataclasses.asdict(options).items() if not on and switch != "hopeless"]
        what = " and ".join(off) + " off" if off else "with what is hopeless" if options.hopeless else "by moves alone"
        open_ = sum(a.verdict is Verdict.UNKNOWN for a in others)
        found.append(row(f"{name}: positions, {what}", sum(a.statistics.nodes for a in others), None, None, "nodes", f"{open_} open"))
    goal = ">= 100 x" if turns == 1 else ">= 300 x"
    return [*found, *(_saved(name, goal, answers[o], answers[PLAIN], o.hopeless) for o in (MOVES, Options()))]


def _saved(name: str, goal: str, ours: list[Answer], bare: list[Answer], hopeless: bool) -> Row:
    """How many times as many positions a search without any memory or order takes, where both come to an end."""
    both = [(a, b) for a, b in zip(ours, bare, strict=True) if Verdict.UNKNOWN not in (a.verdict, b.verdict)]
    ratios = [b.statistics.nodes / max(1, a.statistics.nodes) for a, b in both]
    note = f"of {len(both)} that both settle; the most is {max(ratios):,.0f} times"
    what = "ours" + hopeless * " with what is hopeless"
    return row(f"{name}: plain search over {what}, median", 1, statistics.median(ratios), goal, "positions", note)


def _growth(corpus: Corpus, cards: int) -> Row:
    found = {hopeless: _ask(corpus, cards, 1, Options(hopeless=hopeless)) for hopeless in (False, True)}
    nodes, seconds = ({h: statistics.median(getattr(a.statistics, what) for a in answers) for h, answers in found.items()} for what in ("nodes", "seconds"))
    opens = {h: sum(a.verdict is Verdict.UNKNOWN for a in answers) for h, answers in found.items()}
    note = f"{nodes[False]:,.0f} positions, {opens[False]} of {len(found[False])} open; with what is hopeless {1000 * seconds[True]:.1f} ms, {nodes[True]:,.0f}, {opens[True]} open"
    return row(f"growth: {cards} cards a hand, 1 turn, median", 1000 * seconds[False], None, None, "ms", note)


# -- certificates and memory ---------------------------------------------------------------------------


def _proofs(corpus: Corpus) -> list[Row]:
    """Numbers in the certificate beside the positions that were searched."""
    found = []
    for name, player, cards in (("ten-cards-on-both-hands", 1, 5), ("a-battle-with-assassins", 1, 5), ("a-boss-for-good", 0, 5)):
        if name not in corpus.scenes:
            continue
        cut = endgame(corpus.scenes[name], cards)
        search = Search(cut.rules, "win", player, memory=1 << 29)
        answer = search.answer(cut.state, 1)
        numbers = evidence(search, answer).certificate["choices"]
        goal = "<= 0.01" if answer.verdict is Verdict.NO else "<= 0.001" if answer.statistics.nodes > 10**6 else None
        note = f"{len(numbers):,} numbers for {answer.statistics.nodes:,} positions searched"
        found.append(row(f"certificate of a {answer.verdict}: {name}", len(numbers) / answer.statistics.nodes, None, goal, "a position", note))
    return found


def _memory(corpus: Corpus) -> list[Row]:
    """What one search takes of the memory it was given, and the answer with the 128th part of it."""
    cut = endgame(corpus.scenes["elements-alone-pay"], 3)
    found, verdicts = [], set()
    for memory in (MEMORY, MEMORY // 128):
        search = Search(cut.rules, "win", 0, memory=memory)
        answer = search.answer(cut.state, 2, line=False)
        verdicts.add(answer.verdict)
        note = f"{search.prover.used / 1e6:,.0f} MB used for {answer.statistics.entries:,} positions, {answer.statistics.sweeps} sweeps, {answer.statistics.nodes:,} expanded"
        found.append(row(f"memory reserved of {memory >> 20} MB", search.prover.reserved / memory, None, "<= 1.02", "of it", note))
    assert len(verdicts) == 1 and Verdict.UNKNOWN not in verdicts
    return found


def endgame(scene: Scene, cards: int) -> Scene:
    """The position with the first kinds of cards on each hand only, and nothing to draw."""
    values = dict[Any, int]()
    for player in range(2):
        left = cards
        for kind in range(1, len(scene.catalogue)):
            kept = min(left, scene.cell("hand", player, kind))
            values["hand", player, kind], left = kept, left - kept
    empty = {name: 0 for name in ("deck", "et") if name in scene.rules.family_named}
    return scene.put(values, **empty).settled()
