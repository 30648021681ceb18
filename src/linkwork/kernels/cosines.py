"""Cosines and sines of many angles at once, four to sixteen of them in a few instructions.

A call of the system's `cos` and `sin` takes a third of an evaluation of a chain.  The loop below has no branch, so that
it is compiled to instructions on several numbers; every number is computed alike whichever of them it is in, so the
bits are the same on every processor.  An angle x is n quarter turns and y, at most an eighth of a turn:

        y + y_low = x - n pi/2        sin y, cos y by polynomials of y^2 (those of fdlibm, Sun 1993, good to 2^-58)

pi/2 is taken in two parts, the first of 33 bits, so that n times it is exact for all that is not far.  Both are right
to a unit in the last place of a double; beside zeros, where a double has more places, to 1e-21.
"""

from __future__ import annotations

import math

from linkwork.kernels.jit import A, f8, i8, kernel, types

QUARTERS = 2.0 / math.pi
HIGH, LOW = 1.5707963267341256, 6.077100506506192e-11  # pi/2: 33 bits, and what is left
ROUND = 1.5 * 2.0**52  # a number plus this, less this, is the nearest whole one
FAR = 1e6  # n HIGH is exact up to 2^20 quarters
BLOCK = 8  # so many take hardly longer than one; what is left of the last block is computed with it
SPARE = BLOCK - 1
FEW = 3  # fewer are done one by one


@kernel(types.UniTuple(f8, 2)(f8), inline=True)
def _cosine_and_sine(x):
    n = (x * QUARTERS + ROUND) - ROUND
    first, second = x - n * HIGH, n * LOW
    y = first - second
    low = (first - y) - second
    z = y * y
    s = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    s = 8.33333333332248946124e-03 + z * (-1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * s))
    s = y + (y * z * (-1.66666666666666324348e-01 + z * s) + low)
    c = 2.08757232129817482790e-09 + z * -1.13596475577881948265e-11
    c = -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * c))
    half = 1.0 - 0.5 * z
    c = half + (((1.0 - half) - 0.5 * z) + (z * z * (4.16666666666666019037e-02 + z * c) - y * low))
    m = n - 4.0 * ((n * 0.25 + ROUND) - ROUND)  # quarters: -2 to 2
    odd, back = m * m == 1.0, m * m == 4.0
    cosine = s if odd else c
    sine = c if odd else s
    cosine = -cosine if (m == 1.0) | back else cosine
    sine = -sine if (m == -1.0) | back else sine
    return cosine, sine


@kernel(types.void(i8, i8, A))
def find_cosines(first, count, w):
    """Of `count` angles from w[first] on: cosines, count + SPARE numbers behind, and sines as far behind those."""
    behind = count + SPARE
    whole = (count + SPARE) // BLOCK * BLOCK if count >= FEW else count
    for i in range(first, first + whole):
        cosine, sine = _cosine_and_sine(w[i])
        w[i + behind] = cosine
        w[i + 2 * behind] = sine
    for i in range(first, first + count):
        if abs(w[i]) > FAR:
            w[i + behind], w[i + 2 * behind] = math.cos(w[i]), math.sin(w[i])
