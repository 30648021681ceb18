"""The one decorator of the kernels, and what they call each other with.

numba's own disk cache looks at the file of a function only, so an edit in a *called* function of another file would
silently give the old answer; compiled code is kept by `cache` instead.  Where NUMBA_DISABLE_JIT=1 is set, nothing is
compiled, and all of this is plain Python, from `plain`.
"""

from __future__ import annotations

from functools import partial

import numba
from numba import jit, njit, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from linkwork.kernels import plain
from linkwork.kernels.cache import KernelCache
from linkwork.kernels.passing import Pipeline, enter, once, passing
from linkwork.kernels.plain import PLAIN

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
#: solve(known, right, p, tab, w): `known` is 1 for accelerations, which begin with the applied forces, and 0 for a
#: step, which begins with nothing; the right side of the rows is at w[right]
SOLVE = types.void(f8, i8, A, I, A)
#: spread(known, p, tab, w)
SPREAD = types.void(f8, A, I, A)
#: add(p, tab, w)
ADD = types.void(A, I, A)

#: stepper(t, step, y, p, tab, w, run, count): one of the kernels of `kernels.time`
STEPPER = types.void(f8, f8, A, A, I, A, A, I)

#: law(t, values, rates, numbers, memory, out, states, changes, n_values, n_numbers, n_memory, n_out, n_states); what a
#: law does when a step is accepted has the same form
LAW = types.void(f8, A, A, A, A, A, A, A, i8, i8, i8, i8, i8)
#: measure(seen, numbers, memory, given, n_numbers, n_memory): see `planar.frames`, `spatial.frames`
MEASURE = types.void(A, A, A, A, i8, i8)
#: watch(t, state, memory, out, n_state, n_memory): the Python function of an event; out = its value
WATCH = types.void(f8, A, A, A, i8, i8)
#: function(t, numbers, out, n_numbers): out = f, f', f''
FUNCTION = types.void(f8, A, A, i8)

#: the signature that every kernel is written for; one that is compiled for another costs time at every first start
DECLARED: dict = {}

#: numbers that a pointer points to, as an array
array_at = plain.array_at if PLAIN else numba.carray


def intrinsic_or(twin):
    """An intrinsic of compiled kernels, or what does the same in plain ones."""
    return lambda definition: twin if PLAIN else intrinsic(definition)


def kernel(signature, inline=False):
    """Compile a kernel for one signature; `inline` writes it into every kernel that calls it.

    What Python calls (with arrays) is compiled, or found in the cache, at once; what is called by address, when its
    address is asked for.  All others are when one of those is compiled: a later start, which finds those in the cache,
    does not load them.
    """
    if PLAIN:
        return plain.kernel(signature)
    entry = any(isinstance(one, types.Array) for one in signature.args)

    # what only kernels call needs no way in for Python, nor for C
    ways = {"no_cpython_wrapper": not entry, "no_cfunc_wrapper": True}

    def decorate(function):
        made = njit(error_model="numpy", nogil=True, forceinline=inline, pipeline_class=Pipeline, **ways)(function)
        made._cache = KernelCache(function)
        made.get_call_template = partial(_without_literals, made.get_call_template)
        DECLARED[made] = signature
        if entry:
            _compile(made)
        return made

    return decorate


def _without_literals(get_call_template, args, kws):
    """A call with a constant is a call with its type: numba would compile the kernel again for every constant."""
    return get_call_template(tuple(map(types.unliteral, args)), kws)


def _compile(made) -> None:
    """Compile a kernel for its signature, or find it in the cache."""
    with once(made.py_func.__name__):
        made.compile(DECLARED[made])
    made.disable_compile()


def compile_slot(signature, function, key: str | None = None):
    """Compile a law or a time function to a C function; returns the object that keeps its address alive.

    With a `key` that tells what it was made from, it is kept on disk; without one it is code that comes and goes.
    """
    if PLAIN:
        return plain.Slot(function)
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
    if PLAIN:
        function.py_func = function
        return function
    return jit(**{**options, "nopython": True, "boundscheck": True, "forceinline": inline})(function)


def address_of(kernel_function) -> int:
    """Where a kernel is, for `at_address` of another one."""
    if PLAIN:
        return plain.address_of(kernel_function)
    signature = DECLARED[kernel_function].args
    if signature not in kernel_function.overloads:
        _compile(kernel_function)
    compiled = kernel_function.overloads[signature]
    enter(compiled.library)
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


def kernels_with(signature):
    """What gives the kernel with a signature at an address.

    A number crosses from Python to a kernel at once; a first-class function is unpickled at every call (20 us).
    """
    kind = types.FunctionType(signature)

    @intrinsic_or(plain.at_address)
    def at_address(typingctx, address):
        def generate(context, builder, signature, arguments):
            function = cgutils.create_struct_proxy(kind)(context, builder)
            function.jit_addr = builder.inttoptr(arguments[0], cgutils.voidptr_t)
            return function._getvalue()

        return kind(types.int64), generate

    return at_address


at_address = kernels_with(RHS)
solver_at = kernels_with(SOLVE)
spreader_at = kernels_with(SPREAD)
adder_at = kernels_with(ADD)
stepper_at = kernels_with(STEPPER)


@intrinsic_or(plain.pointer)
def pointer(typingctx, array):
    """Where the numbers of an array are."""

    def generate(context, builder, signature, arguments):
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic_or(plain.fused)
def fused(typingctx, a, b, c):
    """a b + c with one rounding."""

    def generate(context, builder, signature, arguments):
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), generate


@intrinsic_or(plain.beyond)
def beyond(typingctx, base, count):
    """The pointer to what is `count` numbers beyond another."""

    def generate(context, builder, signature, arguments):
        return builder.gep(arguments[0], [arguments[1]])

    return base(base, types.int64), generate
