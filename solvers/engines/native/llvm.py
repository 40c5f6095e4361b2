"""From LLVM text to functions of this process, with the object code kept on disk.

An object file is found again by the hash of all that made it: the text, the versions of
LLVM and llvmlite, the processor and the level of optimisation. A file that is damaged
or belongs to something else is ignored and written anew.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

try:
    import llvmlite
    import llvmlite.binding as llvm
except ImportError as error:
    raise ImportError(
        'the native engine needs llvmlite: pip install "monjudge[native]" / '
        'native エンジンには llvmlite が必要です: pip install "monjudge[native]"'
    ) from error

from monjudge.solvers.engines.native.patience import made

__all__ = ["Code", "cache_directory"]

KEPT = 500
"""Object files that stay on disk, those used last."""

_MAGIC = b"monjudge object 1\n"


def cache_directory() -> Path:
    """Where object code is kept: ``MONJUDGE_CACHE``, or the user's directory for caches."""
    chosen = os.environ.get("MONJUDGE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "monjudge"


class Code:
    """The functions of one module, compiled or found on disk.

    ``level`` is LLVM's optimisation level 0..3; ``columns`` asks for loops over many
    elements at once.
    ``found`` says whether the object code came from the disk. Raises Late where it takes longer than is allowed (``patience``).
    """

    def __init__(self, text: str, *, level: int = 1, columns: bool = False) -> None:
        self.text, self.level, self.columns = text, level, columns
        data = self._read()
        self.found = data is not None
        if data is None:
            data = made(self._compile)
            self._keep(data)
        self._engine = _load(data)

    def address(self, name: str) -> int:
        """Where a function begins in memory."""
        return int(self._engine.get_function_address(name))

    @property
    def _path(self) -> Path:
        made_by = (self.text, _processor(), llvmlite.__version__, llvm.llvm_version_info, self.level, self.columns)
        return cache_directory() / f"{hashlib.sha256(repr(made_by).encode()).hexdigest()}.o"

    def _read(self) -> bytes | None:
        try:
            whole = self._path.read_bytes()
        except OSError:
            return None
        head, data = whole[: len(_MAGIC) + 32], whole[len(_MAGIC) + 32 :]
        if head != _MAGIC + hashlib.sha256(data).digest():
            return None
        with suppress(OSError):
            os.utime(self._path)  # used last
        return data

    def _keep(self, data: bytes) -> None:
        """Writes the object file at once or not at all; a full or read-only disk is no error."""
        path = self._path
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                try:
                    file.write(_MAGIC + hashlib.sha256(data).digest() + data)
                    file.close()
                    os.replace(file.name, path)
                except BaseException:  # Ctrl-C as well must leave nothing behind
                    with suppress(OSError):
                        os.unlink(file.name)
                    raise
            for old in sorted(path.parent.glob("*.o"), key=lambda p: p.stat().st_mtime)[:-KEPT]:
                old.unlink(missing_ok=True)

    def _compile(self) -> bytes:
        machine = _machine(self.level)
        module = llvm.parse_assembly(self.text)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        options = llvm.create_pipeline_tuning_options(self.level)
        options.loop_vectorization, options.slp_vectorization = self.columns, True
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        return bytes(machine.emit_object(module))


@cache
def _processor() -> tuple[str, str, str]:
    _start()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def _start() -> None:
    with suppress(RuntimeError):  # deprecated where LLVM starts by itself
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _machine(level: int) -> Any:
    triple, cpu, features = _processor()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu=cpu, features=features, opt=level, jit=True)


def _load(data: bytes) -> Any:
    """An execution engine that holds one object file."""
    empty = llvm.parse_assembly("")
    engine = llvm.create_mcjit_compiler(empty, _machine(0))
    engine.add_object_file(llvm.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return engine
