"""The one decorator of the kernels, and what they call each other with.

numba's own disk cache looks at the file of a function only, so an edit in a *called* function of another file would
silently give the old answer; compiled code is kept by `cache` instead.
"""

from __future__ import annotations

from numba import jit, njit, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from linkwork.kernels.cache import KernelCache
from linkwork.kernels.passing import passing

f8 = types.float64
i8 = types.int64
#: among kernels a vector is a bare pointer: one word to hand on, where an array is seven and counts its references
A = types.CPointer(f8)
I = types.CPointer(i8)
#: vectors and matrices as they come from Python
ARRAY = f8[::1]
INTEGERS = i8[::1]
#: tables that no kernel may write
TABLE = types.Array(i8, 1, "C", readonly=True)
MATRIX = f8[:, ::1]

#: rhs(t, y, p, tab, w, f): time, state, parameters, integer tables, workspace, state derivative
RHS = types.void(f8, A, A, I, A, A)
RHS_POINTER = types.FunctionType(RHS)

#: law(t, values, rates, numbers, memory, out, n_values, n_numbers, n_memory, n_out)
LAW = types.void(f8, A, A, A, A, A, i8, i8, i8, i8)
#: function(t, numbers, out, n_numbers): out = f, f', f''
FUNCTION = types.void(f8, A, A, i8)

#: the signature that every kernel is written for; one that is compiled for another costs time at every first start
DECLARED: dict = {}


def kernel(signature):
    """Compile a kernel for one signature.

    What is called by address or from Python (signature RHS, or arrays) is compiled, or found in the cache, at once.
    All others are when one of those is compiled: a later start, which finds those in the cache, does not load them.
    """
    entry = signature == RHS or any(isinstance(one, types.Array) for one in signature.args)

    def decorate(function):
        made = njit(error_model="numpy", nogil=True)(function)
        made._cache = KernelCache(function)
        if entry:
            made.compile(signature)
            made.disable_compile()
        DECLARED[made] = signature
        return made

    return decorate


def compile_slot(signature, function, key: str | None = None):
    """Compile a law or a time function to a C function; returns the object that keeps its address alive.

    With a `key` that tells what it was made from, it is kept on disk; without one it is code that comes and goes.
    """
    made = CFunc(function, (signature.args, signature.return_type), locals={}, options={"error_model": "numpy"})
    if key is not None:
        made._cache = KernelCache(function, key)
        made.compile()
    else:
        with passing(function.__name__):
            made.compile()
    return made


def compile_inner(function):
    """Compile a function of an element of ours for being called from a slot; its indices are checked."""
    return njit(error_model="numpy", boundscheck=True)(function)


def compile_again(function, options: dict, inline: bool):
    """Compile a user's function as it was compiled before, but with its indices checked."""
    return jit(**{**options, "nopython": True, "boundscheck": True, "forceinline": inline})(function)


def address_of(kernel_function) -> int:
    """Where a compiled kernel is, for `at_address` of another one."""
    compiled = kernel_function.overloads[kernel_function.signatures[0]]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@intrinsic
def at_address(typingctx, address):
    """The kernel with the signature RHS at an address.

    A number crosses from Python to a kernel at once; a first-class function is unpickled at every call (20 us).
    """

    def generate(context, builder, signature, arguments):
        function = cgutils.create_struct_proxy(RHS_POINTER)(context, builder)
        function.jit_addr = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        return function._getvalue()

    return RHS_POINTER(types.int64), generate


@intrinsic
def pointer(typingctx, array):
    """Where the numbers of an array are."""

    def generate(context, builder, signature, arguments):
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic
def fused(typingctx, a, b, c):
    """a b + c with one rounding."""

    def generate(context, builder, signature, arguments):
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic
def beyond(typingctx, base, count):
    """The pointer to what is `count` numbers beyond another."""

    def generate(context, builder, signature, arguments):
        return builder.gep(arguments[0], [arguments[1]])

    return base(base, types.int64), generate
