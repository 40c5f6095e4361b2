"""The native engine: a rule set as LLVM code for this processor, for speed and search.

Needs llvmlite (``pip install "monjudge[native]"``). Everything else of the project asks
``Native`` only. From the text of a rule set to machine code:

``layout``       where the cells lie in memory; ``writes`` how wide they must be
``ir``           LLVM text; ``expressions`` one expression, ``sets`` conditions about many cells
``facts``        what clauses say about intervals
``effects``      effects and triggers; ``moves`` all moves of a state; ``walks`` perft and search
``program``      the module of a rule set; ``llvm`` its machine code, kept on disk
``batch``        a guard over columns of many states at once
``engine``       all of it as Python sees it; ``memory`` room for states
"""

from monjudge.solvers.engines.native.engine import Native

__all__ = ["Native"]
