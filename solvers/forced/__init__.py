"""Forced wins: can a player bring a goal about within so many turns, whatever the others do and chance brings?

Exact: yes with a strategy, no after exhaustion with a refutation, else unknown with the limit. All cards lie open,
the others act as one, and where several may move they choose who does (the meaning is that of ``solvers.brute``).
Knows no game; may import only ``model`` and the solvers beside it. The search itself is native code.
"""

from monjudge.solvers.forced.keys import Key, keys
from monjudge.solvers.forced.proof import decisions, evidence
from monjudge.solvers.forced.question import Question
from monjudge.solvers.forced.search import Answer, Limits, Search, Statistics, forced

__all__ = ["Answer", "Key", "Limits", "Question", "Search", "Statistics", "decisions", "evidence", "forced", "keys"]
