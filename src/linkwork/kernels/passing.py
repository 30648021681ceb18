"""How code is optimised, and code that comes and goes.

numba optimises every function as a whole several times: alone, and again in each that calls it.  Here a kernel is once,
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
    """A function with all that it calls; only the one that is wanted is optimised as a whole.

    Functions in the library of another one are weak symbols: the engine takes whichever definition it has met first,
    and that is one that was not optimised.  So all but the own functions of the wanted library are made internal before
    it is optimised; what is called once is then written into its caller.
    """

    def __init__(self, codegen, name: str):
        super().__init__(codegen, name)
        self._own: set[str] = set()

    def _optimize_functions(self, ll_module) -> None:
        ll_module.data_layout = self._codegen._data_layout
        self._own |= {one.name for one in ll_module.functions if not one.is_declaration}

    def _optimize_final_module(self) -> None:
        if self._codegen.is_wanted(self.name):
            for one in self._final_module.functions:
                if not one.is_declaration and one.name not in self._own:
                    one.linkage = "internal"
            self._optimise_whole()

    def _optimise_whole(self) -> None:
        """Once is enough for a law, and leaves the least in LLVM's memory."""
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _Kernel(_Library):
    """A kernel, with all passes of numba: for each function when it comes in, and twice for the whole."""

    def _optimize_functions(self, ll_module) -> None:
        super()._optimize_functions(ll_module)
        JITCodeLibrary._optimize_functions(self, ll_module)

    def _optimise_whole(self) -> None:
        JITCodeLibrary._optimize_final_module(self)


class _Engine(JITCPUCodegen):
    _library_class = _Library


@contextmanager
def once(name: str) -> Iterator[None]:
    """What is compiled inside is optimised only as a part of the function of this name."""
    with global_compiler_lock:
        codegen = cpu_target.target_context.codegen()
        before = codegen._library_class, getattr(codegen, "is_wanted", None)
        codegen._library_class, codegen.is_wanted = _Kernel, lambda found: found == name
        try:
            yield
        finally:
            codegen._library_class, codegen.is_wanted = before


@contextmanager
def passing(name: str) -> Iterator[None]:
    """What is compiled inside has an engine of its own; the function of this name is the one that is called."""
    context = cpu_target.target_context
    with global_compiler_lock:
        usual = context._internal_codegen
        context._internal_codegen = own = _Engine("passing")
        own.is_wanted = lambda found: name in found
        try:
            yield
        finally:
            context._internal_codegen = usual
