"""Code that comes and goes: laws of users, whose memory is given back when the last model that calls them is gone.

numba keeps all that it compiles in one engine, for ever, and optimises every function several times by itself; each
time costs some memory that is never given back.  Here what is compiled has an engine of its own, which goes with it,
and is optimised once, when all that it calls has been linked into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target


class _Library(JITCodeLibrary):
    def _optimize_functions(self, ll_module) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if self._codegen.wanted in self.name:
            manager, builder = self._codegen._module_pass_manager()
            manager.run(self._final_module, builder)


class _Engine(JITCPUCodegen):
    _library_class = _Library
    wanted = ""


@contextmanager
def passing(name: str) -> Iterator[None]:
    """What is compiled inside has an engine of its own; the function of this name is the one that is called."""
    context = cpu_target.target_context
    with global_compiler_lock:
        usual = context._internal_codegen
        context._internal_codegen = own = _Engine("passing")
        own.wanted = name
        try:
            yield
        finally:
            context._internal_codegen = usual
