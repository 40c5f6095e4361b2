"""The engine ``smt`` (z3): ``Smt`` answers for one state, ``Symbolic`` speaks of all of them.

``terms`` are the operations of the rule language on z3, ``rules`` the translation of a
rule set, ``reasons`` the minimal sets of clauses. Needs the extra ``smt``.
"""

from monjudge.solvers.engines.smt.engine import Smt
from monjudge.solvers.engines.smt.reasons import Reason, check, reasons
from monjudge.solvers.engines.smt.rules import TURN, Successor, Symbolic
from monjudge.solvers.engines.smt.terms import SymbolicState

__all__ = ["TURN", "Reason", "Smt", "Successor", "Symbolic", "SymbolicState", "check", "reasons"]
