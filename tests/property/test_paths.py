"""Paths of random linkages against closed forms on the same branch, however few positions are asked for.

Each stands tilted and displaced, with masses or without, and is driven either way: through a full turn, into its dead
centre, or back from there on the other branch.
"""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.errors import MotionEndsWarning
from property.draws import examples

seeds = st.integers(0, 2**32 - 1)
CLEAR = 1e-3  # of the lengths: what is left out beside change points and dead centres at the start


class Plane:
    """A tilted and displaced plane to build in: points of the drawing, and angles, as the mechanism has them."""

    def __init__(self, rng, name):
        self.tilt, self.shift = rng.uniform(-3.0, 3.0), rng.uniform(-50.0, 50.0, 2)
        self.mass = float(rng.choice([0.0, 1.0]))
        self.m = lw.Mechanism(name)

    def at(self, x, y):
        c, s = math.cos(self.tilt), math.sin(self.tilt)
        return self.shift + (c * x - s * y, s * x + c * y)

    def ground(self, x, y):
        return self.m.ground.at(*self.at(x, y), angle=self.tilt)

    def bar(self, name, length, begin, end, **points):
        (x, y), (u, v) = begin, end
        angle = math.atan2(v - y, u - x)
        middle = self.at(0.5 * (x + u), 0.5 * (y + v))
        placed = {"position": tuple(middle), "angle": angle + self.tilt}
        return self.m.add(name, lw.bar(length=length, mass=self.mass, points=points, **placed))


def meeting(p, q, r1, r2, side):
    """Where circles about p and q meet; `side` is 1 to the left of the way from p to q.  nan where they do not."""
    d = np.hypot(*(np.asarray(q) - p))
    along = (d**2 + r1**2 - r2**2) / (2.0 * d)
    with np.errstate(invalid="ignore"):
        across = side * np.sqrt(r1**2 - along**2)
    u = (np.asarray(q) - p) / d
    return np.asarray(p) + along * u + across * np.array([-u[1], u[0]])


def four_bar(rng):
    """A plane with a four-bar, and its coupler pin for a crank angle and a side."""
    g, a, b, c = rng.uniform(0.4, 3.0, 4)
    plane = Plane(rng, "four-bar")

    def elbow(theta, side):
        return meeting((a * math.cos(theta), a * math.sin(theta)), (g, 0.0), b, c, side)

    return plane, (g, a, b, c), elbow


def built_four_bar(rng):
    while True:
        plane, (g, a, b, c), elbow = four_bar(rng)
        first, side = rng.uniform(-math.pi, math.pi), float(rng.choice([-1.0, 1.0]))
        d = math.hypot(a * math.cos(first) - g, a * math.sin(first))
        ends = sorted([abs(g - a), g + a])
        lengths = (g, a, b, c)
        clear = CLEAR * max(lengths)
        if not abs(b - c) + clear < d < b + c - clear or g < 0.1:
            continue
        if min(abs(one - other) for one in ends for other in (abs(b - c), b + c)) < clear:
            continue  # beside a change point
        break
    pin, end = elbow(first, side), (a * math.cos(first), a * math.sin(first))
    crank = plane.bar("crank", a, (0.0, 0.0), end)
    coupler = plane.bar("coupler", b, end, pin)
    rocker = plane.bar("rocker", c, (g, 0.0), pin)
    m = plane.m
    m.add("A", lw.Revolute(plane.ground(0.0, 0.0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(plane.ground(g, 0.0), rocker.a))
    return plane, lengths, elbow, first, side


def followed(m, over, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MotionEndsWarning)
        return m.kinematics(over=over, **options)


def check_branch(run):
    """`branch` is the sign of the determinant, at every position."""
    signs = np.linalg.slogdet(run.jacobian)[0]
    assert np.array_equal(run.branch, signs.astype(int))


def places(plane, run, name):
    """Where a point is, in the drawing."""
    c, s = math.cos(plane.tilt), math.sin(plane.tilt)
    x, y = (run[name] - plane.shift).T
    return np.column_stack([c * x + s * y, -s * x + c * y])


@examples(40)
@given(seeds)
def test_four_bars(seed):
    rng = np.random.default_rng(seed)
    plane, lengths, elbow, first, side = built_four_bar(rng)
    count, span = int(rng.choice([5, 9, 37, 200])), float(rng.choice([-1.0, 1.0])) * rng.uniform(1.0, 7.0)
    run = followed(plane.m, {"A.angle": (first, first + span, count)})
    angles = first + np.linspace(0.0, span, count)[: len(run.t)]
    exact = np.array([elbow(one, side) for one in angles])
    assert np.abs(places(plane, run, "coupler.b") - exact).max() < 1e-8
    check_branch(run)
    if not run.ended:
        assert len(run.t) == count
        return
    left = first + np.linspace(0.0, span, 20_000)
    beyond = np.isnan([elbow(one, side)[0] for one in left])
    limit = left[np.argmax(beyond)]
    assert beyond.any() and float(run.ended.split("=")[1]) == pytest.approx(limit, abs=abs(span) / 1e4)
    assert run.statistics.evaluations < 2000


@examples(25)
@given(seeds)
def test_four_bars_that_turn_back(seed):
    """On the way back, and at the other end again, the coupler pin is on the other side of the line to the rocker."""
    rng = np.random.default_rng(seed)
    while True:
        plane, lengths, elbow, first, side = built_four_bar(rng)
        g, a, b, c = lengths
        if not (abs(b - c) < abs(g - a) and g + a < b + c):  # the crank does not turn fully
            break
    run = followed(plane.m, {"A.angle": (first, first + 9.0, 91)}, reverse=True)
    assert len(run.t) == 91 and not run.ended and len(run.turned) >= 1
    assert np.abs(np.diff(run["A.angle"])).max() < 0.1 + 1e-9
    signs = side * (-1.0) ** np.searchsorted([t for t, _ in run.turned], run.t, side="right")
    exact = np.array([elbow(one, sign) for one, sign in zip(run["A.angle"], signs)])
    good = ~np.isnan(exact[:, 0])  # a position in the dead centre itself is off by rounding
    assert good.sum() >= 91 - len(run.turned)
    assert np.abs(places(plane, run, "coupler.b") - exact)[good].max() < 1e-6
    check_branch(run)
    assert np.abs(np.abs(run["A.angle.rate"]) - 1.0).max() < 1e-9 and run.violation.max() < 1e-9


@examples(30)
@given(seeds)
def test_slider_cranks_with_offset(seed):
    rng = np.random.default_rng(seed)
    while True:
        a, b, e = rng.uniform(0.3, 2.0), rng.uniform(0.3, 3.0), rng.uniform(-0.8, 0.8)
        first, side = rng.uniform(-math.pi, math.pi), float(rng.choice([-1.0, 1.0]))
        clear = abs(b - abs(a * math.sin(first) - e))
        if abs(a * math.sin(first) - e) < b and clear > CLEAR and min(abs(b - abs(one - e)) for one in (a, -a)) > CLEAR:
            break

    def slider(theta):
        with np.errstate(invalid="ignore"):
            return a * np.cos(theta) + side * np.sqrt(b**2 - (a * np.sin(theta) - e) ** 2)

    plane = Plane(rng, "slider-crank")
    end = (a * math.cos(first), a * math.sin(first))
    crank, rod = plane.bar("crank", a, (0.0, 0.0), end), plane.bar("rod", b, end, (float(slider(first)), e))
    block = plane.m.add("block", lw.Body(mass=plane.mass, inertia=plane.mass))
    plane.m.add("A", lw.Revolute(plane.ground(0.0, 0.0), crank.a))
    plane.m.add("B", lw.Revolute(crank.b, rod.a))
    plane.m.add("C", lw.Revolute(rod.b, block))
    plane.m.add("S", lw.Prismatic(plane.ground(0.0, e), block))
    count, span = int(rng.choice([6, 25, 150])), float(rng.choice([-1.0, 1.0])) * rng.uniform(1.0, 7.0)
    run = followed(plane.m, {"A.angle": (first, first + span, count)}, near={"S.slide": float(slider(first))})
    angles = first + np.linspace(0.0, span, count)[: len(run.t)]
    assert np.abs(run["S.slide"] - slider(angles)).max() < 1e-8
    check_branch(run)
    assert bool(run.ended) == bool(np.isnan(slider(first + np.linspace(0.0, span, 5000))).any())
    rate = np.sin(angles) * a * -1.0 - side * (a * np.sin(angles) - e) * a * np.cos(angles) / np.abs(
        slider(angles) - a * np.cos(angles)
    )
    wanted = math.copysign(1.0, span) * rate
    assert np.abs(run["S.slide.rate"] - wanted).max() < 1e-6 * max(1.0, np.abs(wanted).max())


@examples(25)
@given(seeds)
def test_six_bars(seed):
    """A four-bar that turns fully, and a pair of bars from a point of its coupler to the ground."""
    rng = np.random.default_rng(seed)
    while True:
        plane, (g, a, b, c), elbow, first, side = built_four_bar(rng)
        if not (abs(b - c) < abs(g - a) and g + a < b + c):
            continue
        u, v = rng.uniform(-1.0, 1.0, 2)
        pivot, d, f, other = rng.uniform(-3.0, 3.0, 2), *rng.uniform(0.5, 5.0, 2), float(rng.choice([-1.0, 1.0]))

        def tracer(theta, u=u, v=v, a=a, b=b, elbow=elbow, side=side):
            end = np.array([a * math.cos(theta), a * math.sin(theta)])
            way = (elbow(theta, side) - end) / b
            return end + (0.5 * b + u) * way + v * np.array([-way[1], way[0]])

        turns = np.linspace(0.0, 2.0 * math.pi, 400)
        reach = np.array([np.hypot(*(tracer(one) - pivot)) for one in first + turns])
        if abs(d - f) + 1e-2 < reach.min() and reach.max() < d + f - 1e-2:
            break
    m, point = plane.m, tracer(first)
    knee = meeting(point, pivot, d, f, other)
    link, lever = plane.bar("link", d, point, knee), plane.bar("lever", f, tuple(pivot), knee)
    m.add("P", lw.Revolute(m["coupler"].at(u, v), link.a))
    m.add("K", lw.Revolute(link.b, lever.b))
    m.add("G", lw.Revolute(plane.ground(*pivot), lever.a))
    count = int(rng.choice([7, 40, 150]))
    run = followed(m, {"A.angle": (first, first + 2.0 * math.pi, count)})
    assert len(run.t) == count and not run.ended
    exact = [meeting(tracer(one), pivot, d, f, other) for one in first + np.linspace(0.0, 2.0 * math.pi, count)]
    assert np.abs(places(plane, run, "link.b") - np.array(exact)).max() < 1e-7
    check_branch(run)
