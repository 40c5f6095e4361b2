"""The engine ``cpsat`` (OR-Tools): ``Cpsat`` answers for one state, ``Query`` finds the best of all of them.

``terms`` are the operations of the rule language on CP-SAT, ``rules`` the translation of
a rule set. An "infeasible" counts as a "no" only together with a second engine. Needs
the extra ``cpsat``.
"""

from monjudge.solvers.engines.cpsat.engine import Cpsat
from monjudge.solvers.engines.cpsat.rules import Answer, Opaque, Query, Successor
from monjudge.solvers.engines.cpsat.terms import SymbolicState

__all__ = ["Answer", "Cpsat", "Opaque", "Query", "Successor", "SymbolicState"]
