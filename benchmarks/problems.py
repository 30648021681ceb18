"""The benchmark problems, written with the public names of Linkwork as any user would write them.

Each function gives a `Problem`: the mechanism, when it ends, what is observed there, and the answer if known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import linkwork as lw
from benchmarks import references
from benchmarks.references import Reference

GRAVITY = 9.81


@dataclass(frozen=True)
class Problem:
    """A mechanism, the time it runs, and what is compared with the reference.

    The error is the largest difference over all that is observed.  Where places are observed it is in metres,
    which is also in lengths of a bar: all bars are 1 m long.  Angles are in radians and compared modulo 2 pi.
    """

    name: str
    mechanism: lw.Mechanism
    end: float
    observed: tuple[str, ...]
    reference: Reference | None = None
    angles: bool = False

    def observe(self, run) -> np.ndarray:
        """Observed series (times, quantities)."""
        return np.column_stack([run[name] for name in self.observed])

    def difference(self, values, others) -> float:
        """Largest difference of two sets of observed values."""
        delta = np.asarray(values) - np.asarray(others)
        if self.angles:
            delta = (delta + math.pi) % (2.0 * math.pi) - math.pi
        return float(np.max(np.abs(delta)))

    def error(self, run) -> float:
        """Error of a run at its end, against the reference."""
        if self.reference is None:
            raise ValueError(f"problem '{self.name}' has no reference answer")
        return self.difference(self.observe(run)[-1], self.reference.values)


def pendulum() -> Problem:
    """IFToMM A01: a point mass of 1 kg on a massless bar of 1 m, released at rest from (-1, 0)."""
    m = lw.Mechanism("pendulum A01", gravity=(0.0, -GRAVITY))
    bob = m.add("bob", lw.Body(mass=1.0, inertia=0.0, position=(-1.0, 0.0), angle=math.pi))
    m.add("pin", lw.Revolute(m.ground.at(0.0, 0.0), bob.at(-1.0, 0.0)))
    return Problem(m.name, m, 10.0, ("bob.x", "bob.y"), references.PENDULUM)


def _planar_links(name: str, count: int) -> lw.Mechanism:
    """Links of 1 kg, boxes of 1 x 0.1 x 0.1 m, along +x at rest."""
    m = lw.Mechanism(name, gravity=(0.0, -GRAVITY))
    end = m.ground.at(0.0, 0.0)
    for i in range(1, count + 1):
        link = m.add(f"link{i}", lw.bar(length=1.0, mass=1.0, width=0.1, position=(i - 0.5, 0.0), angle=0.0))
        m.add(f"pin{i}", lw.Revolute(end, link.a))
        end = link.b
    return m


def double_pendulum() -> Problem:
    """Two equal links, released at rest, both along +x; where the tip is after 3 s."""
    m = _planar_links("double pendulum", 2)
    return Problem(m.name, m, 3.0, ("link2.b.x", "link2.b.y"), references.DOUBLE_PENDULUM)


def chain_planar(count: int) -> Problem:
    """N equal links along +x at rest, joined by pins, the first to ground."""
    m = _planar_links(f"planar chain of {count}", count)
    observed = tuple(f"link{i}.b.{axis}" for i in (2, count) for axis in "xy")
    return Problem(m.name, m, 2.0, observed, references.CHAIN_PLANAR.get(count))


def chain_spatial(count: int) -> Problem:
    """N equal links along +x at rest; odd joints turn about z, even ones about y of the links."""
    m = lw.Mechanism(f"spatial chain of {count}", dimension=3, gravity=(0.0, -0.8 * GRAVITY, -0.6 * GRAVITY))
    inertia = (0.02 / 12, 1.01 / 12, 1.01 / 12)  # box of 1 x 0.1 x 0.1 m, 1 kg
    before, reach = m.ground, 0.0
    for i in range(1, count + 1):
        link = m.add(
            f"link{i}",
            lw.Body(
                mass=1.0,
                inertia=inertia,
                position=(i - 0.5, 0.0, 0.0),
                orientation=(1.0, 0.0, 0.0, 0.0),
                points={"b": (0.5, 0.0, 0.0)},
            ),
        )
        axis = (0, 0, 1) if i % 2 else (0, 1, 0)
        m.add(f"pin{i}", lw.Revolute(before.at(reach, 0, 0, axis=axis), link.at(-0.5, 0, 0, axis=axis)))
        before, reach = link, 0.5
    observed = tuple(f"link{i}.b.{axis}" for i in (2, count) for axis in "xyz")
    return Problem(m.name, m, 2.0, observed, references.CHAIN_SPATIAL.get(count))


def fourbar(windows: int, speed: float = 1.0) -> Problem:
    """IFToMM A02: N + 1 upright bars on ground, joined at their tops by N bars.

    The tops start at `speed` along +x.  There is one freedom, and N + 1 for an instant whenever the uprights
    lie flat.
    """
    m = lw.Mechanism(f"four-bars A02, {windows} windows", gravity=(0.0, -GRAVITY))
    uprights = []
    for i in range(windows + 1):
        upright = m.add(
            f"upright{i}",
            lw.bar(
                length=1.0,
                mass=1.0,
                position=(i, 0.5),
                angle=math.pi / 2,
                velocity=(speed / 2, 0.0),
                angular_velocity=-speed,
            ),
        )
        m.add(f"base{i}", lw.Revolute(m.ground.at(i, 0.0), upright.a))
        uprights.append(upright)
    for i in range(windows):
        top = m.add(
            f"top{i}",
            lw.bar(
                length=1.0, mass=1.0, position=(i + 0.5, 1.0), angle=0.0, velocity=(speed, 0.0), angular_velocity=0.0
            ),
        )
        m.add(f"left{i}", lw.Revolute(uprights[i].b, top.a))
        m.add(f"right{i}", lw.Revolute(top.b, uprights[i + 1].b))
    reference = references.FOURBAR.get(windows) if speed == 1.0 else None
    return Problem(m.name, m, 10.0, ("upright0.b.x", "upright0.b.y"), reference)


def hanging_ladder(windows: int) -> lw.Mechanism:
    """A ladder of windows, every corner a pin, that hangs on one: all loops share the way to the ground."""
    m = lw.Mechanism("ladder")
    above = m.add("top", lw.bar(1.0, 1.0, position=(0.5, 0.0)))
    m.add("hook", lw.Revolute(m.ground, above.a))
    for k in range(windows):
        left = m.add(f"left{k}", lw.bar(1.0, 1.0, position=(0.0, -k - 0.5), angle=-math.pi / 2))
        right = m.add(f"right{k}", lw.bar(1.0, 1.0, position=(1.0, -k - 0.5), angle=-math.pi / 2))
        rung = m.add(f"rung{k}", lw.bar(1.0, 1.0, position=(0.5, -k - 1.0)))
        m.add(f"a{k}", lw.Revolute(above.a, left.a))
        m.add(f"b{k}", lw.Revolute(above.b, right.a))
        m.add(f"c{k}", lw.Revolute(left.b, rung.a))
        m.add(f"d{k}", lw.Revolute(right.b, rung.b))
        above = rung
    return m


def fourbar_stiffness(windows: int) -> float:
    """k of the exact reduction of A02, phi'' = -k cos(phi), with phi the angle of the uprights."""
    return GRAVITY * ((windows + 1) / 2 + windows) / ((windows + 1) / 3 + windows)


#: Andrews' squeezer in kg, kg m2, m, N/m, N m (Hairer and Wanner II, VI.9; xa, ya is point A, and so on)
SQUEEZER = dict(
    m1=0.04325,
    m2=0.00365,
    m3=0.02373,
    m4=0.00706,
    m5=0.07050,
    m6=0.00706,
    m7=0.05498,
    i1=2.194e-6,
    i2=4.410e-7,
    i3=5.255e-6,
    i4=5.667e-7,
    i5=1.169e-5,
    i6=5.667e-7,
    i7=1.912e-5,
    xa=-0.06934,
    ya=-0.00227,
    xb=-0.03635,
    yb=0.03273,
    xc=0.014,
    yc=0.072,
    d=0.028,
    da=0.0115,
    e=0.02,
    ea=0.01421,
    rr=0.007,
    ra=0.00092,
    ss=0.035,
    sa=0.01874,
    sb=0.01043,
    sc=0.018,
    sd=0.02,
    ta=0.02308,
    tb=0.00916,
    u=0.04,
    ua=0.01228,
    ub=0.00449,
    zf=0.02,
    zt=0.04,
    fa=0.01421,
    c0=4530.0,
    l0=0.07785,
    mom=0.033,
)

#: beta, Theta, gamma, Phi, delta, Omega, epsilon of the book at t = 0, where everything is at rest
SQUEEZER_START = (
    -0.0617138900142764496,
    0.0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.23054744454982119,
)


def andrews() -> Problem:
    """Andrews' squeezing mechanism, IFToMM A03: seven bodies, ten pins, one freedom, a spring and a motor.

    Every body's frame is at its first pin, with the angle that the book's equations use.
    """
    g = SQUEEZER
    beta, theta, gamma, phi, delta, omega, epsilon = SQUEEZER_START
    angles = (beta, beta + theta, gamma, phi + delta, delta, omega + epsilon, epsilon)
    m = lw.Mechanism("Andrews' squeezer A03", gravity=None)

    def polar(r, angle):
        return np.array([r * math.cos(angle), r * math.sin(angle)])

    point_a, point_b = np.array([g["xa"], g["ya"]]), np.array([g["xb"], g["yb"]])
    ground_a, ground_b = m.ground.at(*point_a), m.ground.at(*point_b)
    point_f = polar(g["rr"], beta)
    point_g = point_a + polar(g["zt"], delta)
    point_h = point_a + polar(g["u"], epsilon - math.pi / 2)

    origins = ((0.0, 0.0), point_f, point_b, point_g, point_a, point_h, point_a)
    centers = (
        (g["ra"], 0.0),
        (-g["da"], 0.0),
        (g["sb"], -g["sa"]),
        (0.0, g["ea"] - g["e"]),
        (g["ta"], g["tb"]),
        (g["zf"] - g["fa"], 0.0),
        (-g["ub"], -g["ua"]),
    )
    k1, k2, k3, k4, k5, k6, k7 = (
        m.add(f"K{i}", lw.Body(g[f"m{i}"], g[f"i{i}"], center, tuple(origin), angle))
        for i, (origin, center, angle) in enumerate(zip(origins, centers, angles), start=1)
    )

    m.add("O", lw.Revolute(m.ground.at(0.0, 0.0), k1.at(0.0, 0.0)))
    m.add("F", lw.Revolute(k1.at(g["rr"], 0.0), k2.at(0.0, 0.0)))
    m.add("B", lw.Revolute(ground_b, k3.at(0.0, 0.0)))
    m.add("A5", lw.Revolute(ground_a, k5.at(0.0, 0.0)))
    m.add("G", lw.Revolute(k5.at(g["zt"], 0.0), k4.at(0.0, 0.0)))
    m.add("A7", lw.Revolute(ground_a, k7.at(0.0, 0.0)))
    m.add("H", lw.Revolute(k7.at(0.0, -g["u"]), k6.at(0.0, 0.0)))
    end = k2.at(-g["d"], 0.0)
    m.add("E3", lw.Revolute(end, k3.at(0.0, -g["ss"])))
    m.add("E4", lw.Revolute(end, k4.at(0.0, -g["e"])))
    m.add("E6", lw.Revolute(end, k6.at(g["zf"], 0.0)))
    m.add(
        "spring",
        lw.SpringDamper(
            m.ground.at(g["xc"], g["yc"]), k3.at(g["sd"], -g["sc"]), stiffness=g["c0"], rest_length=g["l0"]
        ),
    )
    m.add("motor", lw.Torque(k1, g["mom"]))
    observed = tuple(f"K{i}.angle" for i in range(1, 8))
    return Problem(m.name, m, 0.03, observed, references.ANDREWS, angles=True)


def bricard() -> Problem:
    """Bricard's mechanism, IFToMM A04: five bars of 1 m along the edges of a cube, six pins, one row too many.

    Observed is the pin between bars 3 and 4 at 9 s: at the customary 10 s it is nearly at rest where it began.
    """
    m = lw.Mechanism("Bricard's mechanism A04", dimension=3, gravity=(0.0, -GRAVITY, 0.0))
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    axes = ((0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0))
    before, reach = m.ground, corners[0]
    for i in range(5):
        half = (corners[i + 1] - corners[i]) / 2
        slender = np.abs(half) > 0.1  # bars of 1 x 0.1 x 0.1 m, 1 kg
        bar = m.add(
            f"bar{i + 1}",
            lw.Body(
                mass=1.0,
                inertia=tuple(np.where(slender, 0.02 / 12, 1.01 / 12)),
                position=tuple(corners[i] + half),
                orientation=(1.0, 0.0, 0.0, 0.0),
                points={"b": tuple(half)},
            ),
        )
        m.add(f"pin{i + 1}", lw.Revolute(before.at(*reach, axis=axes[i]), bar.at(*-half, axis=axes[i])))
        before, reach = bar, half
    m.add("pin6", lw.Revolute(before.at(*reach, axis=axes[5]), m.ground.at(*corners[5], axis=axes[5])))
    return Problem(m.name, m, 9.0, ("bar3.b.x", "bar3.b.y", "bar3.b.z"), references.BRICARD)


def flyball() -> Problem:
    """Flyball governor, IFToMM A05: a shaft that turns freely, a slider on it, two rods with a mass at their ends.

    Springs and dampers of 8e5 N/m and 4e4 N s/m from the middle of the rods to the slider make it stiff.
    """
    m = lw.Mechanism("flyball governor A05", dimension=3, gravity=(0.0, 0.0, -GRAVITY))
    spin, dip, level = 2.0 * math.pi, math.radians(30.0), 0.5
    thin, rod_mass, ball_mass = 0.01, 0.3, 5.0
    still = dict(orientation=(1.0, 0.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, spin))
    across, along = 0.3 * (1.0 + thin**2) / 12, 0.3 * 2.0 * thin**2 / 12
    shaft = m.add(
        "shaft",
        lw.Body(mass=0.3, inertia=(across, across, along), position=(0.0, 0.0, 0.5), velocity=(0.0, 0.0, 0.0), **still),
    )
    slider = m.add(
        "slider",
        lw.Body(
            mass=3.0, inertia=(3.0 * 0.02 / 12,) * 3, position=(0.0, 0.0, level), velocity=(0.0, 0.0, 0.0), **still
        ),
    )
    up = dict(axis=(0, 0, 1))
    m.add("bearing", lw.Revolute(m.ground.at(0, 0, 0, **up), shaft.at(0, 0, -0.5, **up)))
    guide = dict(axis=(0, 1, 0), along=(0, 0, 1))
    m.add("guide", lw.Prismatic(shaft.at(0, 0, level - 0.5, **guide), slider.at(0, 0, 0, **guide)))
    reach = (rod_mass / 2 + ball_mass) / (rod_mass + ball_mass)  # from the hinge to the mass centre of rod and ball
    about = rod_mass * ((1.0 + thin**2) / 12 + (reach - 0.5) ** 2) + ball_mass * (1.0 - reach) ** 2
    for side, sign in (("right", 1.0), ("left", -1.0)):
        way = np.array([sign * math.cos(dip), 0.0, -math.sin(dip)])
        hinge = np.array([sign * 0.05, 0.0, 1.0])
        center = hinge + reach * way
        inertia = about * np.eye(3) + (along - about) * np.outer(way, way)
        rod = m.add(
            side,
            lw.Body(
                mass=rod_mass + ball_mass,
                inertia=tuple(map(tuple, inertia)),
                position=tuple(center),
                velocity=tuple(np.cross((0.0, 0.0, spin), center)),
                **still,
            ),
        )
        m.add(
            f"{side}_hinge",
            lw.Revolute(shaft.at(*(hinge - (0, 0, 0.5)), axis=(0, 1, 0)), rod.at(*-reach * way, axis=(0, 1, 0))),
        )
        m.add(
            f"{side}_spring",
            lw.SpringDamper(
                slider.at(sign * 0.05, 0, 0), rod.at(*(0.5 - reach) * way), stiffness=8e5, damping=4e4, rest_length=0.5
            ),
        )
    return Problem(m.name, m, 10.0, ("slider.z",), references.FLYBALL)
