"""Kernels compiled by numba when they are first wanted, and what they call each other with.

numba's own disk cache looks at the file of a function only, so an edit in a *called* function of another file would
silently give the old answer; compiled code is kept by `cache` instead.
"""

from __future__ import annotations

import math
from functools import cache, partial
from types import FunctionType

import numba
from numba import jit, njit, types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from linkwork.kernels import kinds
from linkwork.kernels.cache import KernelCache
from linkwork.kernels.passing import enter, once, passing, roomy
from linkwork.kernels.pipeline import Pipeline

#: the signature that every kernel is written for; one that is compiled for another costs time at every first start
DECLARED: dict = {}
#: the same in our words
_said: dict = {}
#: kernels that Python calls, and signatures of those that kernels call at addresses
ENTRIES: list = []
ADDRESSED: set = set()

#: numbers that a pointer points to, as an array
array_at = numba.carray


@cache
def of_numba(kind: kinds.Kind):
    """What numba calls a kind of value."""
    if kind.name == "pointer":
        return types.CPointer(of_numba(kind.parts[0]))
    if kind.name == "tuple":
        return types.UniTuple(of_numba(kind.parts[0]), len(kind.parts))
    return getattr(types, kind.name)


@cache
def signature_of(declared: kinds.Signature):
    """What numba calls a signature."""
    return of_numba(declared.return_type)(*map(of_numba, declared.args))


def kernel(signature, inline=False, entry=False):
    """A kernel for one signature; `inline` writes it into every kernel that calls it, `entry` is for Python.

    It is compiled, or found in the cache, when its address is asked for.  All others are when one that calls them is
    compiled: a later start, which finds that in the cache, does not load them.
    """
    if not isinstance(signature, kinds.Signature):
        raise TypeError("signatures are in words of our own: from linkwork.kernels.jit import types")
    # kernels are called by kernels, and at their addresses: they need no way in for Python
    ways = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

    def decorate(function):
        made = njit(error_model="numpy", nogil=True, forceinline=inline, pipeline_class=Pipeline, **ways)(function)
        made._cache = KernelCache(function)
        made.get_call_template = partial(_without_literals, made.get_call_template)
        DECLARED[made], _said[made] = signature_of(signature), signature
        if entry:
            ENTRIES.append(made)
        return made

    return decorate


def declared(kernel_function):
    """The signature of a kernel."""
    return _said[kernel_function]


def slot(key: str) -> int:
    """No law is compiled before."""
    return 0


def _without_literals(get_call_template, args, kws):
    """A call with a constant is a call with its type: numba would compile the kernel again for every constant."""
    return get_call_template(tuple(map(types.unliteral, args)), kws)


def _compile(made) -> None:
    """Compile a kernel for its signature, or find it in the cache."""
    with once(made.py_func, DECLARED[made]):
        if DECLARED[made].args not in made.overloads:  # else another thread was quicker
            roomy(made.compile, DECLARED[made])
    made.disable_compile()


def compiled(kernel_function):
    """What numba keeps of a kernel that is compiled."""
    signature = DECLARED[kernel_function].args
    if signature not in kernel_function.overloads:
        _compile(kernel_function)
    return kernel_function.overloads[signature]


def exported() -> list:
    """Kernels that Python calls, or that have a signature by which kernels are called at addresses."""
    return [one for one in DECLARED if one in ENTRIES or _said[one] in ADDRESSED]


def as_part(kernel_function):
    """What numba keeps of a kernel that is compiled, but not made to machine code: a part of a library."""
    signature = DECLARED[kernel_function]
    with once(None, signature):
        roomy(kernel_function.compile, signature)
    return kernel_function.overloads[signature.args]


def slot_kernel(signature, function):
    """A law or a function of time as a part of a library."""
    made = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    DECLARED[made], _said[made] = signature_of(signature), signature
    return made


def address_of(kernel_function) -> int:
    """Where a kernel is, as a C function."""
    return enter(compiled(kernel_function), DECLARED[kernel_function])


def compile_slot(signature, function, key: str | None = None, told: bool = True):
    """Compile a law or a time function to a C function; returns the object that keeps its address alive.

    With a `key` that tells what it was made from, it is kept on disk; without one it is code that comes and goes.
    `told` announces that it is compiled, as kernels are.
    """
    declared = signature_of(signature)
    made = CFunc(function, (declared.args, declared.return_type), locals={}, options={"error_model": "numpy"})
    if key is not None:
        made._cache = KernelCache(function, key, told)
        roomy(made.compile)
    else:
        with passing(function.__name__):
            roomy(made.compile)
    return made


def compile_inner(function):
    """Compile a function of an element of ours for being called from a slot; its indices are checked.

    Arrays that it asks for by a function with the attribute `on_stack`, their shape, are a part of its frame.
    """
    around = function.__globals__
    shapes = {name: getattr(around.get(name), "on_stack", None) for name in function.__code__.co_names}
    rooms = {name: _room(*shape) for name, shape in shapes.items() if shape}
    if rooms:
        function = FunctionType(function.__code__, {**around, **rooms}, function.__name__)
    return njit(error_model="numpy", boundscheck=True)(function)


def _room(*shape: int):
    """What gives an array of a shape in the frame of the function that calls it."""
    kind = types.Array(types.float64, len(shape), "C")

    @intrinsic
    def room(typingctx):
        def generate(context, builder, signature, arguments):
            array = context.make_array(kind)(context, builder)
            number = context.get_value_type(types.float64)
            place = cgutils.alloca_once(builder, number, size=math.prod(shape))
            word = context.get_constant(types.intp, 8)
            sizes = [context.get_constant(types.intp, one) for one in shape]
            steps = [context.get_constant(types.intp, 8 * math.prod(shape[k + 1 :])) for k in range(len(shape))]
            populate_array(array, data=place, shape=sizes, strides=steps, itemsize=word, meminfo=None)
            return array._getvalue()

        return kind(), generate

    return room


def compile_again(function, options: dict, inline: bool):
    """Compile a user's function as it was compiled before, but with its indices checked."""
    return jit(**{**options, "nopython": True, "boundscheck": True, "forceinline": inline})(function)


def kernels_with(signature):
    """What gives the kernel, the law or the function of time with a signature at an address, which is a C function."""
    kind = types.ExternalFunctionPointer(signature_of(signature), _nowhere)
    ADDRESSED.add(signature)

    @intrinsic
    def at_address(typingctx, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.int64), generate

    return at_address


def _nowhere(_) -> int:
    """numba would ask for the address of a constant; none is."""
    return 0


def _pointer_to(kind):
    pointer = types.CPointer(kind)

    @intrinsic
    def pointer_at(typingctx, address):
        def generate(context, builder, signature, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(pointer))

        return pointer(types.int64), generate

    return pointer_at


#: the pointer to numbers whose place a table holds
floats_at, integers_at = _pointer_to(types.float64), _pointer_to(types.int64)


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
