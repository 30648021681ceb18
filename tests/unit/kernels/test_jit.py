"""The decorator of the kernels."""

from numba import types

from linkwork import gallery
from linkwork.kernels import jit


def test_kernels_are_compiled_for_the_signature_they_declare():
    for build in (gallery.four_bar, gallery.spatial_chain):
        for coordinates in ("body", "joint"):
            build().simulate(0.01, coordinates=coordinates)
    assert len(jit.DECLARED) > 50
    for kernel, declared in jit.DECLARED.items():
        for found in kernel.signatures:
            assert tuple(map(types.unliteral, found)) == declared.args, kernel.__name__
