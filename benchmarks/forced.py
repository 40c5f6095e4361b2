"""Forced wins: whole small games beside OpenSpiel, the dice duel, shipped puzzles, and endgames cut out of shipped positions.

Times are of the processor; a search begins with an empty memory unless a row says otherwise, and its machine code is
made before. OpenSpiel's alpha-beta over C++ states is called from Python; what its C++ one takes is recorded (it
cannot be called from Python). ``endgames.py`` has the rows of puzzles and endgames.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from endgames import Row, endgame_rows, row

from monjudge.model.language import RuleSet
from monjudge.model.small.breakthrough import breakthrough
from monjudge.model.small.duel import duel
from monjudge.model.small.tic_tac_toe import tic_tac_toe
from monjudge.solvers.forced import Answer, Search
from monjudge.solvers.odds import odds
from monjudge.solvers.verdict import Verdict

PRISM_GAMES = 2.0
"""Seconds that PRISM-games took to check the dice duel in floats (recorded; it is no part of this run)."""

OPENSPIEL_CPP = 0.90
"""Milliseconds that OpenSpiel's alpha-beta in C++ took for tic-tac-toe (recorded; 0.90 to 0.95 were seen)."""

BOARDS = ((4, 4), (3, 7), (4, 5))
"""Rows and columns of breakthrough that OpenSpiel's alpha-beta solves in a minute: the last is the largest of four rows
and takes it 55 seconds, the one before has most squares. Found by trial with 100 seconds for each board (one rank a
player, two from six rows on): 5 x 3, 6 x 2, 4 x 4 and 3 x 5 to 3 x 7 take seconds, 3 x 8 takes 76; 5 x 4, 6 x 3, 7 x 2
and 8 x 2 are not solved.
"""

LARGER = ((5, 4), (6, 3), (5, 5))


def rows(quick: bool) -> list[Row]:
    """Small games, the duel, what a question costs, and everything in ``endgames.py``."""
    return [*_tic_tac_toe(), *_breakthrough(quick), _duel(), *_warm(), *endgame_rows(quick)]


def _best(work: Callable[[], object], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def _solve(rules: RuleSet, player: int = 0) -> Answer:
    return Search(rules, "win", player, memory=1 << 30).answer(line=False)


def _openspiel(game: str) -> Callable[[], object] | None:
    try:
        import pyspiel
        from open_spiel.python.algorithms import minimax
    except ImportError:
        return None
    loaded = pyspiel.load_game(game)
    return partial(minimax.alpha_beta_search, loaded, value_function=lambda state: 0, maximum_depth=200)


def _tic_tac_toe() -> list[Row]:
    """That neither player can force a win, which is the value of the game: from nothing, with the line, and the proof alone."""
    rules, peer = tic_tac_toe(), _openspiel("tic_tac_toe")
    answers = [_solve(rules, player) for player in range(2)]
    assert {a.verdict for a in answers} == {Verdict.NO}
    nodes = sum(a.statistics.nodes for a in answers)
    whole = 1000 * _best(lambda: [_solve(rules, player) for player in range(2)], 50)
    lines = 1000 * _best(lambda: [Search(rules, "win", player, memory=1 << 30).answer() for player in range(2)], 50)
    alone = 1000 * min(sum(_proof(rules, player) for player in range(2)) for _ in range(50))
    theirs = 1000 * _best(peer, 5) if peer else None
    name, note = "tic-tac-toe: no win for either player", f"{nodes:,} positions for both"
    recorded = "the peer is recorded: OpenSpiel's alpha-beta in C++"
    return [
        row(f"{name}, both answers", whole, OPENSPIEL_CPP, ">= 5 x", "ms", f"{recorded}; {note}"),
        row(f"{name}, both proofs in a search that is there", alone, OPENSPIEL_CPP, ">= 5 x", "ms", recorded),
        row(f"{name}, both answers", whole, theirs, None, "ms", "the peer is OpenSpiel's alpha-beta called from Python"),
        row(f"{name}, both answers with a line of play", lines, OPENSPIEL_CPP, None, "ms", recorded),
    ]


def _proof(rules: RuleSet, player: int) -> float:
    """Seconds of a proof with an empty memory, in a search that was made before."""
    search = Search(rules, "win", player, memory=1 << 30)
    packed = search.pack(rules.start)
    begin = time.process_time()
    search.prover.prove(packed)
    return time.process_time() - begin


def _breakthrough(quick: bool) -> list[Row]:
    """The boards that OpenSpiel solves in a minute, and larger ones."""
    found = []
    boards = [(size, True) for size in BOARDS] + [(size, False) for size in LARGER]
    for size, with_peer in boards[:1] if quick else boards:
        rules = breakthrough(*size, 1 + (size[0] > 5))
        answer = _solve(rules)
        assert answer.verdict is not Verdict.UNKNOWN
        seconds, nodes = _best(lambda rules=rules: _solve(rules), 3), answer.statistics.nodes  # type: ignore[misc]
        peer = _openspiel(f"breakthrough(rows={size[0]},columns={size[1]})") if with_peer else None
        theirs = _best(peer, 1) if peer else None
        name, note = f"breakthrough, {size[0]} rows, {size[1]} columns, solved", f"{answer.verdict}; {nodes:,} positions, {nodes / seconds / 1e6:.1f} M/s"
        found.append(row(name, seconds, theirs, ">= 10 x" if with_peer else None, "s", note))
    return found


def _duel() -> Row:
    rules = duel()
    assert str(odds(rules).exact) == "27851/110592"
    seconds = _best(lambda: odds(rules), 5)
    return row("dice duel, exactly 27851/110592", seconds, PRISM_GAMES, ">= 60 x", "s", "the peer is recorded: PRISM-games in floats")


def _warm() -> list[Row]:
    """A question whose answer is remembered, and a new search for a position of the same rules."""
    rules = tic_tac_toe()
    search = Search(rules, memory=1 << 22)
    search.answer()
    asked = _best(lambda: [search.answer(rules.start, line=False) for _ in range(100)], 20) / 100
    begun = _best(lambda: [Search(rules, memory=1 << 22) for _ in range(100)], 20) / 100
    return [
        row("a question whose answer is remembered", 1e6 * asked, None, "< 50", "µs", "the whole call: question, verdict, statistics"),
        row("a new search of the same rules", 1e6 * begun, None, "< 50", "µs"),
    ]
