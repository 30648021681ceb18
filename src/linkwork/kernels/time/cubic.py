"""The cubic through values and rates at both ends of a piece of a step: does the function cross zero inside?

| symbol | word                                                    |
|--------|---------------------------------------------------------|
| ga gb  | values at both ends                                     |
| da db  | rates there, by theta                                   |
| x      | the part of the piece, from 0 to 1                      |
| side   | 1 or -1: the sign that the function has where it begins |
"""

from __future__ import annotations

import math

from linkwork.kernels.jit import f8, i8, kernel

#: a dip to this part of the gap is looked at, and one that rates could make within a step of so many times the length
DIP, REACH = 0.5, 2.0
#: a crossing at which g moves so much more than between the ends is looked at too
WILD = 4.0


@kernel(f8(f8, f8, f8, f8, f8, f8))
def cubic(x, width, ga, da, gb, db):
    """The cubic through values and rates at both ends of a piece, at the part x of it."""
    p, q = width * da, width * db
    return ga + x * (p + x * (3.0 * (gb - ga) - 2.0 * p - q + x * (2.0 * (ga - gb) + p + q)))


@kernel(f8(f8, f8, f8, f8, f8, f8))
def turning(which, width, ga, da, gb, db):
    """Where, as a part of a piece, the cubic is lowest (which = 1) or highest (-1); below 0 where it is nowhere so."""
    c1 = width * da
    c2 = 3.0 * (gb - ga) - 2.0 * width * da - width * db
    c3 = 2.0 * (ga - gb) + width * (da + db)
    root = c2 * c2 - 3.0 * c1 * c3  # of c1 + 2 c2 x + 3 c3 x^2 = 0; there the second derivative is 2 (c2 + 3 c3 x)
    if not root > 0.0:
        return -1.0
    root = which * math.sqrt(root)
    x = (root - c2) / (3.0 * c3) if c2 * which < 0.0 else (-c1 / (c2 + root) if c2 + root != 0.0 else -1.0)
    return x if 0.0 < x < 1.0 else -1.0


@kernel(f8(i8, f8, f8, f8, f8, f8, f8, f8, f8, f8))
def divided(side, a, ga, da, b, gb, db, band, off, looked):
    """Where to look into a piece, as a part of it; below 0 where its ends tell all.

    Values within `band` cannot be told from zero: who is there has not crossed, who stays there has nothing to tell.
    """
    width = b - a
    low = turning(float(side), width, ga, da, gb, db)
    lowest = side * cubic(low, width, ga, da, gb, db) if low > 0.0 else math.inf
    fast = width * max(abs(da), abs(db))
    if max(abs(ga), abs(gb)) <= band and fast <= band:
        return -1.0
    if side * gb < -band:  # it has crossed: did it cross thrice
        high = turning(-float(side), width, ga, da, gb, db)
        if 0.0 < low < high and lowest <= off and side * cubic(high, width, ga, da, gb, db) >= -off:
            return low
        return 0.5 if looked == 0.0 and fast > WILD * abs(gb - ga) else -1.0
    gap = min(side * ga, side * gb)
    if looked == 1.0:
        return low if low > 0.0 and lowest <= off else -1.0
    if low > 0.0 and lowest < DIP * gap:
        return low
    return 0.5 if REACH * fast >= gap else -1.0
