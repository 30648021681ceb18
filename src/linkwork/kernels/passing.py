"""How code is optimised, and code that comes and goes.

numba optimises every function as a whole several times, alone and again in each that calls it, and makes machine code
of each.  Here that is done only for kernels that Python calls, or that are called by address, when all that they call
has been linked into them (`once`).  What numba finds for the types of a call is asked for once, nothing is collected as
garbage meanwhile, and Python does not go to the system for each frame (`roomy`).  Each takes a part of the first start
away, as the passes do that are left out (`pipeline`).

numba also keeps all that it compiles in one engine, for ever.  Laws of users come and go: what is compiled for one has
an engine of its own, which goes with it when the last model that calls the law is gone (`passing`).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType

from llvmlite import ir
from llvmlite.binding import Linkage, parse_assembly
from numba import types
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.itanium_mangler import mangle_identifier
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from linkwork.kernels.pipeline import remembered

#: how the name of the C function begins that calls a kernel
ENTRY = "entry."


class _Library(JITCodeLibrary):
    """A function with all that it calls; only the one that is wanted is optimised as a whole.

    What a library has from others are weak symbols: the engine takes whichever definition it has met first, and that is
    one that was not optimised.  So they are made internal before the whole is optimised; what is called once is then
    written into its caller.
    """

    def _optimize_functions(self, ll_module) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        if self._codegen.is_wanted(self.name):
            self._optimise_whole()

    def _optimise_whole(self) -> None:
        _make_internal(self._final_module)
        # one pass over all is enough for a law, and leaves the least in LLVM's memory
        found = self._codegen._module_pass_manager()
        manager, *builder = found if isinstance(found, tuple) else (found,)  # numba 0.61 has no builder
        manager.run(self._final_module, *builder)


class _Engine(JITCPUCodegen):
    _library_class = _Library


class _Kernel(_Library):
    """A kernel, with all passes of numba: for each function when it comes in, and twice for the whole.

    One that only others call stays out of the engine, and on disk it is what can be linked.  It comes in when somebody
    asks for its address after all.
    """

    _there = False

    def _optimize_functions(self, ll_module) -> None:
        JITCodeLibrary._optimize_functions(self, ll_module)

    def _optimise_whole(self) -> None:
        _make_internal(self._final_module)
        JITCodeLibrary._optimize_final_module(self)

    def _optimize_final_module(self) -> None:
        """When it enters the engine."""

    def _finalize_final_module(self) -> None:
        begins, signature = self._codegen.wanted
        own = self._own(begins)
        if self._is_code() or own:
            self.enter(own, signature)
        else:
            self._finalize_dynamic_globals()
            self._finalized = True

    def _own(self, begins: str) -> str:
        """The name of the function that the library is made for, if it begins so; all others are from elsewhere."""
        for one in self._final_module.functions:
            if one.linkage == Linkage.external and not one.is_declaration and one.name.startswith(begins):
                return one.name
        return ""

    def enter(self, name: str, signature) -> None:
        """Make machine code of it."""
        if not self._there:
            if not self._is_code():
                self._final_module.link_in(entry(name, signature))
                self._optimise_whole()
            self._there = True
            super()._finalize_final_module()

    def _is_code(self) -> bool:
        """Whether it is machine code from disk."""
        return getattr(self, "_compiled_object", None) is not None

    def serialize_using_object_code(self) -> tuple:
        """What is kept on disk."""
        return super().serialize_using_object_code() if self._there else self.serialize_using_bitcode()


def _make_internal(module) -> None:
    for one in module.functions:
        if not one.is_declaration and one.linkage == Linkage.linkonce_odr:
            one.linkage = "internal"


def entry(name: str, signature, symbol: str = ""):
    """A module with a C function that calls a function of numba's: what is called by its address."""
    context = cpu_target.target_context
    module = ir.Module(name)
    inner = ir.Function(module, context.call_conv.get_function_type(signature.return_type, signature.args), name)
    given = [context.get_value_type(one) for one in signature.args]
    nothing = signature.return_type == types.void
    result = ir.VoidType() if nothing else context.get_value_type(signature.return_type)
    outer = ir.Function(module, ir.FunctionType(result, given), symbol or ENTRY + name)
    builder = ir.IRBuilder(outer.append_basic_block())
    _, found = context.call_conv.call_function(builder, inner, signature.return_type, signature.args, outer.args)
    builder.ret_void() if nothing else builder.ret(found)
    return parse_assembly(normalize_ir_text(str(module)))


def _call(work, *given):
    return work(*given)


#: words of one frame; as many are left for all others in the piece of memory that Python then takes
_FRAME = 1 << 15
#: Calls what compiles.  Python takes memory for frames in pieces of 16 kB.  A loop that is just at the end of one has
#: every call in it take a new piece from the system and give it back: a tenth of a first start, by chance more.  One
#: frame that is too large for half of a larger piece leaves the other half to all that numba calls.
roomy = FunctionType(_call.__code__.replace(co_stacksize=_FRAME), globals())


@contextmanager
def once(function, signature) -> Iterator[None]:
    """What is compiled inside is made to machine code only as a part of this function, of none not at all."""
    with global_compiler_lock:
        context = cpu_target.target_context
        rtsys.initialize(context)  # numba's own library is called from everywhere
        codegen = context.codegen()
        before = codegen._library_class
        codegen._library_class, codegen.wanted = _Kernel, (_mangled(function), signature)
        codegen.set_env = partial(_set_env, codegen)
        typing = context.typing_context
        typing.resolve_function_type = remembered(typing.resolve_function_type)
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()
            codegen._library_class = before
            del codegen.wanted, codegen.set_env, typing.resolve_function_type


def _mangled(function) -> str:
    """How the name begins that numba gives a function."""
    if function is None:
        return "none"
    return f"_Z{mangle_identifier(f'{function.__module__}.{function.__qualname__}').removesuffix('E')}B"


def optimise_library(module, names: list[str]) -> None:
    """Optimise what becomes a library of its own, of which only these functions, and constants, are seen."""
    for one in module.functions:
        if not one.is_declaration and one.name not in names:
            one.linkage = "internal"
    for one in module.global_variables:
        if one.linkage == Linkage.common:  # environments of functions, which no kernel uses
            one.linkage = "internal"
    module.verify()
    whole = _Kernel(cpu_target.target_context.codegen(), "library")
    whole._final_module = module
    whole._optimise_whole()


def enter(found, signature) -> int:
    """Make machine code of a kernel, also where it was compiled as a part of others only; where its entry is."""
    with global_compiler_lock:
        name = found.fndesc.llvm_func_name
        found.library.enter(name, signature)
        return found.library.codegen._engine.get_function_address(ENTRY + name)


def _set_env(codegen, name: str, env) -> None:
    """Kernels use nothing of their environments; those that are not in the engine have none."""
    if codegen._engine.is_symbol_defined(name):
        JITCPUCodegen.set_env(codegen, name, env)


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
