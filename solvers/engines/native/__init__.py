"""The native engine: a rule set as LLVM code for this processor, for speed and search.

Needs llvmlite (``pip install "monjudge[native]"``). The rest of the project asks
``Native``, or ``Dense``. From the text of a rule set to machine code:

``writes``, ``layout``   how wide cells must be, and where they lie in memory
``ir``                   LLVM text
``facts``                what clauses say about intervals
``expressions``          one expression; ``sets`` and ``plans`` conditions about many cells
``effects``, ``triggers``, ``moves``   all moves of a state, with the states they lead to
``perft``, ``search``    walks around them; ``breath`` lets Ctrl-C end them
``dense``                all states that can be reached, where they can be numbered
``memo``, ``prove``, ``weigh``, ``prover``   the search for forced goals and for odds, with its memory
``program``, ``llvm``    the module of a rule set, and its machine code, kept on disk
``columns``              a guard over columns of many states at once
``engine``, ``memory``   all of it as Python sees it, and room for states
"""

from monjudge.solvers.engines.native.dense import Dense
from monjudge.solvers.engines.native.engine import Native

__all__ = ["Dense", "Native"]
