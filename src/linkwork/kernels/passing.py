"""How code is optimised, and code that comes and goes.

numba optimises every function several times: alone, and again in each that calls it.  Here a kernel is optimised once,
when all that it calls has been linked into it (`once`), which takes a part of the first start away.

numba also keeps all that it compiles in one engine, for ever.  Laws of users come and go: what is compiled for one has
an engine of its own, which goes with it when the last model that calls the law is gone (`passing`).
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


class _Kernel(JITCodeLibrary):
    def _optimize_functions(self, ll_module) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if self.name == self._codegen.wanted:
            super()._optimize_final_module()


@contextmanager
def once(name: str) -> Iterator[None]:
    """What is compiled inside is optimised only as a part of the function of this name."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        before = codegen._library_class, getattr(codegen, "wanted", "")
        codegen._library_class, codegen.wanted = _Kernel, name
        try:
            yield
        finally:
            codegen._library_class, codegen.wanted = before


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
