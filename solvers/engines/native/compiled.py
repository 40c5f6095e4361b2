"""The machine code of the searches over one rule set, made once: functions, conditions, and how keys are written."""

from __future__ import annotations

import ctypes
from functools import cached_property
from itertools import cycle
from typing import Any
from weakref import WeakKeyDictionary

from monjudge.model.language import Expr
from monjudge.solvers.engines.native.breath import caller
from monjudge.solvers.engines.native.engine import Native
from monjudge.solvers.engines.native.ir import Module
from monjudge.solvers.engines.native.llvm import Code
from monjudge.solvers.engines.native.memo import SEEDS
from monjudge.solvers.engines.native.program import program, root
from monjudge.solvers.engines.native.prove import prove
from monjudge.solvers.engines.native.squeeze import Squeezed, squeezed, writable_bits
from monjudge.solvers.engines.native.weigh import weigh

__all__ = ["Compiled"]

_P, _I32, _I64 = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64

FEW = 256
"""So many bits of a state that may be written are all in a key."""


class Compiled:
    """What all searches of one engine share (``of``)."""

    def __init__(self, engine: Native) -> None:
        def more(module: Module) -> None:
            if engine.rules.turns is not None:
                root(module, engine.layout, "internal i32 @turn_number", engine.rules.turns.number)
            for function in (*prove(engine.layout, engine.rules), *weigh(engine.layout)):
                module.add(function)

        self.layout = engine.layout
        self.code = Code(program(engine.rules, engine.layout, more))
        self._conditions: dict[int, Code] = {}
        self._squeezed: dict[int, Squeezed] = {}
        self.writable = writable_bits(engine.rules, engine.layout)
        self.bits = self.writable if self.writable.bit_count() <= FEW else 0
        """What a key holds from the beginning: all that may be written, where that is little."""

    @staticmethod
    def of(engine: Native) -> Compiled:
        """That of an engine, made when it is first asked for."""
        if engine not in _compiled:
            _compiled[engine] = Compiled(engine)
        return _compiled[engine]

    def condition(self, condition: Expr) -> int:
        """The address of a function of a state: whether the condition holds."""
        code = self._conditions.get(condition.uid)
        if code is None:
            module = Module()
            root(module, self.layout, "zeroext i1 @condition", condition)
            code = self._conditions[condition.uid] = Code(module.text())
        return code.address("condition")

    # -- keys -----------------------------------------------------------------------------

    def squeezed(self, bits: int) -> Squeezed:
        """How keys with these bits of a state are written."""
        found = self._squeezed.get(bits)
        if found is None:
            found = self._squeezed[bits] = squeezed(bits, self.layout.size, cycle(SEEDS))
        return found

    # -- functions ------------------------------------------------------------------------

    @cached_property
    def prove(self) -> Any:
        return caller(self.code.address("prove"), _I32, _P, _P, _P, _P, _I32)

    @cached_property
    def weigh(self) -> Any:
        return caller(self.code.address("weigh"), _I32, _P, _P, _P, _P, _I32)

    @cached_property
    def playout(self) -> Any:
        return self._function("playout", _I64, _P, _P, ctypes.c_uint64, _P, _I64, _P)

    @cached_property
    def children(self) -> Any:
        return self._function("children", _P, _P, _P, _P, _P)

    @cached_property
    def best(self) -> Any:
        return self._function("best", _I32, _P, _P)

    @cached_property
    def known(self) -> Any:
        return self._function("known", _I32, _P, _P)

    @cached_property
    def ending(self) -> Any:
        return self._function("ending", _I32, _P, _P)

    @cached_property
    def off_path(self) -> Any:
        return self._function("memo_off_path", None, _P)

    @cached_property
    def rekey(self) -> Any:
        return self._function("memo_rekey", None, _P, _P, _I64, _P, _P)

    def _function(self, name: str, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, *arguments)(self.code.address(name))


_compiled: WeakKeyDictionary[Native, Compiled] = WeakKeyDictionary()
