"""The decorator of the kernels."""

import gc
import operator
import os
import subprocess
import sys

import pytest
from numba import types
from numba.core.compiler import DefaultPassBuilder
from numba.core.registry import cpu_target

from linkwork import gallery
from linkwork.kernels import compiling, passing, pipeline


@pytest.mark.by_numba
def test_kernels_are_compiled_for_the_signature_they_declare():
    for build in (gallery.four_bar, gallery.spatial_chain):
        for coordinates in ("body", "joint"):
            build().simulate(0.01, coordinates=coordinates)
    for method in ("radau", "radau_soft"):  # which share kernels
        gallery.four_bar().simulate(0.01, method=method, coordinates="body")
    assert len(compiling.DECLARED) > 50
    for kernel, declared in compiling.DECLARED.items():
        assert all(found == declared.args for found in kernel.signatures), kernel.__name__


@pytest.mark.parametrize("collects", [True, False])
def test_compiling_leaves_the_collector_of_garbage_as_it_was(collects):
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        with pytest.raises(ZeroDivisionError), passing.once(None, None):
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()


def test_passes_that_are_left_out_are_numbas():
    """A name that numba no longer has would be compiled with again, and nobody would notice."""
    known = {one.name() for one, _ in DefaultPassBuilder.define_nopython_pipeline(_State).passes}
    assert pipeline._UNUSED < known


def test_what_is_ours_in_the_pipeline_takes_the_place_of_what_numba_runs():
    """A base that numba no longer runs would leave ours aside, and nobody would notice."""
    runs = {one for one, _ in DefaultPassBuilder.define_nopython_pipeline(_State).passes}
    assert set(pipeline._OURS) < runs and len(pipeline._OURS) == len(pipeline._NEEDS)


def test_the_types_of_a_call_are_asked_for_once(monkeypatch):
    monkeypatch.setattr(pipeline, "_FOUND", {})
    asked = []

    def resolve(function, args, kws):
        asked.append((function, args))
        return args[0] if args else None

    ask = pipeline.remembered(resolve)
    cpu_target.typing_context.refresh()  # it knows no operators before something is compiled
    plus = cpu_target.typing_context.resolve_value_type(operator.add)
    number, integer = types.float64, types.int64
    assert [ask(plus, (number, number), {}), ask(plus, [number, number], {})] == [number, number]
    assert [ask(plus, (integer, number), {}), ask(plus, (), {}), ask(plus, (), {})] == [integer, None, None]
    assert len(asked) == 4  # one that is not found may be found later


def _leaf() -> None: ...


def _calls(depth: int) -> None:
    if depth > 0:
        _calls(depth - 1)
    else:
        for _ in range(200):
            _leaf()


def test_frames_of_the_compiler_ask_the_system_for_no_memory():
    """A loop at an end of Python's memory for frames asks for more in each call."""
    resource = pytest.importorskip("resource")

    def faults() -> int:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for depth in range(250):
            _calls(depth)
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    assert passing.roomy(faults) < 100  # else 460


class _Flags:
    class auto_parallel:
        enabled = False

    no_rewrites, enable_ssa = False, True


class _State:
    flags, func_ir = _Flags, None


COMPILES = """
from llvmlite.binding import Linkage
from linkwork.kernels import compiling, jit
from linkwork.kernels.planar.body import factor

jit.address_of(factor)
found = list(factor.overloads[compiling.DECLARED[factor].args].library.get_defined_functions())
assert found, "compiled here, not found in a cache"
seen = [one.name for one in found if one.linkage != Linkage.internal]
print(*(name.count("factor") for name in seen))
"""


@pytest.mark.slow
def test_the_process_that_compiles_calls_optimised_code(tmp_path):
    """Definitions that other libraries see may be replaced by theirs, which nobody optimised: 5 to 10 times slower."""
    environment = {**os.environ, "LINKWORK_CACHE": str(tmp_path), "LINKWORK_PROGRESS": "off"}
    words = subprocess.run(
        [sys.executable, "-c", COMPILES], env=environment, capture_output=True, text=True, check=True
    ).stdout.split()
    assert words == ["1", "1"]  # the kernel, and the C function that calls it


ENTERS = """
from linkwork.kernels import compiling, jit
from linkwork.kernels.linear import factorise
from linkwork.kernels.planar.body import factor

jit.address_of(factor)
known = factorise.overloads.get(compiling.DECLARED[factorise].args)
print(known is not None and not known.library._there, jit.address_of(factorise) > 0)
"""


@pytest.mark.slow
def test_a_kernel_that_others_call_enters_the_engine_when_its_address_is_asked_for(tmp_path):
    environment = {**os.environ, "LINKWORK_CACHE": str(tmp_path), "LINKWORK_PROGRESS": "off"}
    for compiled in ("True", "False"):  # the second process finds it on disk
        told = subprocess.run(
            [sys.executable, "-c", ENTERS], env=environment, capture_output=True, text=True, check=False
        )
        assert told.stdout.split() == [compiled, "True"], told.stderr
