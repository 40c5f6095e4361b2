"""Forced wins: whole small games beside OpenSpiel, the dice duel, and endgames of Monjan cut out of the shipped positions.

Times are of the processor; a search begins with an empty memory unless a row says otherwise. An endgame is a shipped
mid-game position with only the first cards of each hand and no pile left to draw from; each is asked for both
players. OpenSpiel's alpha-beta over C++ states is called from Python (its C++ one cannot be).
"""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from monjudge.model.language import RuleSet
from monjudge.model.monjan.cases.scene import Scene
from monjudge.model.monjan.positions import midgame
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.duel import duel
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.engines.native import Native
from monjudge.solvers.forced import Answer, Limits, Search, evidence
from monjudge.solvers.forced.search import Options
from monjudge.solvers.odds import odds
from monjudge.solvers.verdict import Verdict

PRISM_GAMES = 2.0
"""Seconds that PRISM-games took to check the dice duel in floats (recorded; it is no part of this run)."""

LIMIT = 10**6
"""Positions expanded at most for one endgame."""

PLAIN = Options(memory=False, ordering=False, replies=False)

SWITCHES = (Options(), Options(ordering=False), Options(replies=False), Options(hopeless=True), Options(memory=False), PLAIN)
"""What saves work by default, without each part of it, with what is declared hopeless besides, and nothing of it."""

Row = dict[str, Any]


def rows(quick: bool) -> list[Row]:
    """Small games, the duel, and medians over the endgames with what each switch saves."""
    cards = (3,) if quick else (3, 5)
    found = [_tic_tac_toe(), *_breakthrough(quick), _duel(), _warm()]
    scenes = list(midgame(Native))
    for turns in (1,) if quick else (1, 2):
        for count in cards if turns == 1 else (3,):
            found += _endgames(scenes, count, turns)
    found += [_growth(scenes, count) for count in ((3, 4) if quick else range(3, 11))]
    return [*found, *_proofs(scenes)]


def row(name: str, ours: float, peer: float | None, goal: str | None, unit: str, note: str = "") -> Row:
    return {"name": name, "ours": ours, "peer": peer, "ratio": peer / ours if peer else None, "goal": goal, "unit": unit, "note": note}


def _best(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def _solve(rules: RuleSet, player: int = 0) -> Answer:
    return Search(rules, "win", player, memory=1 << 30).answer()


def _search(rules: RuleSet, rounds: int) -> tuple[float, int]:
    """Seconds and positions of a search with an empty memory, without making the engine."""
    times, nodes = [], 0
    for _ in range(rounds):
        search = Search(rules, "win", 0, memory=1 << 30)
        begin = time.process_time()
        nodes = search.answer().statistics.nodes
        times.append(time.process_time() - begin)
    return min(times), nodes


def _openspiel(game: str) -> Callable[[], object] | None:
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return None
    loaded = pyspiel.load_game(game)
    return partial(minimax.alpha_beta_search, loaded, value_function=lambda state: 0, maximum_depth=200)


def _tic_tac_toe() -> Row:
    rules, peer = tic_tac_toe(), _openspiel("tic_tac_toe")
    assert _solve(rules).verdict is _solve(rules, 1).verdict is Verdict.NO
    seconds, nodes = _search(rules, 20)
    return row("tic-tac-toe: no win for the first player", 1000 * seconds, 1000 * _best(peer, 5) if peer else None, None, "ms", f"{nodes:,} positions")


def _breakthrough(quick: bool) -> list[Row]:
    """The boards that OpenSpiel solves in a minute (not 6 x 3, not 5 x 4), and larger ones."""
    found = []
    boards = (((5, 3), True), ((4, 4), True), ((6, 3), False), ((5, 4), False), ((5, 5), False))
    for size, with_peer in boards[:2] if quick else boards:
        rules = breakthrough(*size, 1)
        assert _solve(rules).verdict is Verdict.YES
        seconds, nodes = _search(rules, 3)
        peer = _openspiel(f"breakthrough(rows={size[0]},columns={size[1]})") if with_peer else None
        theirs = _best(peer, 1) if peer else None
        name, note = f"breakthrough {size[0]} x {size[1]} solved", f"{nodes:,} positions, {nodes / seconds / 1e6:.1f} M/s"
        found.append(row(name, seconds, theirs, ">= 10 x" if with_peer else None, "s", note))
    return found


def _duel() -> Row:
    rules = duel()
    assert str(odds(rules).exact) == "27851/110592"
    seconds = _best(lambda: odds(rules), 5)
    return row("dice duel, exactly 27851/110592", seconds, PRISM_GAMES, ">= 60 x", "s", "the peer is recorded: PRISM-games in floats; with making the engine's memory")


def _warm() -> Row:
    search = Search(tic_tac_toe(), memory=1 << 22)
    search.answer()
    seconds = _best(lambda: [search.prover.prove(search.pack(search.rules.start)) for _ in range(100)], 20) / 100
    return row("a warm question to the search", 1e6 * seconds, None, "< 50", "µs", "the answer is in its memory")


def _endgames(scenes: list[tuple[str, Scene]], cards: int, turns: int) -> list[Row]:
    """The median time, how many are open at the limit, and the nodes with each switch off."""
    answers: dict[Options, list[Answer]] = {options: [] for options in SWITCHES}
    for _, scene in scenes:
        cut = endgame(scene, cards)
        for player in range(2):
            for options, found in answers.items():
                search = Search(cut.rules, "win", player, memory=1 << 29, options=options)
                search.prover.ending(search.pack(cut.state))  # makes the machine code
                found.append(search.answer(cut.state, turns, Limits(nodes=LIMIT)))
    plain = answers[Options()]
    name = f"endgames, at most {cards} cards a hand, {turns} turn{'s' * (turns > 1)}"
    unknown, wins = (sum(a.verdict is v for a in plain) for v in (Verdict.UNKNOWN, Verdict.YES))
    times = [1000 * a.statistics.seconds for a in plain]
    note = f"of {len(plain)} {wins} won, {unknown} open after {LIMIT:,} positions; slowest {max(times):,.0f} ms"
    found = [row(f"{name}: median", statistics.median(times), None, f"< {10**turns}", "ms", note)]
    for options, others in answers.items():
        assert all(a.verdict in (b.verdict, Verdict.UNKNOWN) or b.verdict is Verdict.UNKNOWN for a, b in zip(plain, others, strict=True))
        nodes = sum(a.statistics.nodes for a in others)
        off = [switch for switch, on in dataclasses.asdict(options).items() if not on]
        what = " and ".join(off) + " off" if off else "all on"
        open_ = sum(a.verdict is Verdict.UNKNOWN for a in others)
        found.append(row(f"{name}: positions, {what}", nodes, None, None, "nodes", f"{open_} open"))
    found.append(_saved(name, plain, answers[PLAIN]))
    return found


def _saved(name: str, ours: list[Answer], bare: list[Answer]) -> Row:
    """How many times as many positions a search without any memory or order takes, where both come to an end."""
    both = [(a, b) for a, b in zip(ours, bare, strict=True) if Verdict.UNKNOWN not in (a.verdict, b.verdict)]
    ratios = [b.statistics.nodes / a.statistics.nodes for a, b in both]
    note = f"of {len(both)}; the most is {max(ratios):.0f} times"
    return row(f"{name}: plain search over ours, median", 1, statistics.median(ratios), ">= 100 x, 300 x for two turns", "positions", note)


def _growth(scenes: list[tuple[str, Scene]], cards: int) -> Row:
    found = []
    for _, scene in scenes:
        cut = endgame(scene, cards)
        for player in range(2):
            search = Search(cut.rules, "win", player, memory=1 << 29)
            search.prover.ending(search.pack(cut.state))  # makes the machine code
            found.append(search.answer(cut.state, 1, Limits(nodes=LIMIT)))
    open_ = sum(a.verdict is Verdict.UNKNOWN for a in found)
    nodes = statistics.median(a.statistics.nodes for a in found)
    seconds = statistics.median(a.statistics.seconds for a in found)
    return row(f"growth: {cards} cards a hand, 1 turn, median", 1000 * seconds, None, None, "ms", f"median {nodes:,.0f} positions, {open_} of {len(found)} open")


def _proofs(scenes: list[tuple[str, Scene]]) -> list[Row]:
    """Numbers in the certificate beside the positions that were searched."""
    found = []
    for name, player, cards in (("ten-cards-on-both-hands", 1, 5), ("a-battle-with-assassins", 1, 5), ("a-boss-for-good", 0, 5)):
        cut = endgame(dict(scenes)[name], cards)
        search = Search(cut.rules, "win", player, memory=1 << 29)
        answer = search.answer(cut.state, 1)
        numbers = evidence(search, answer).certificate["choices"]
        goal = "< 1/100" if answer.verdict is Verdict.NO else "< 1/1000 of more than a million"
        note = f"{len(numbers):,} numbers for {answer.statistics.nodes:,} positions searched"
        found.append(row(f"certificate of a {answer.verdict}: {name}", len(numbers) / answer.statistics.nodes, None, goal, "a position", note))
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
