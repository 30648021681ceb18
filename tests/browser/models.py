"""Runs that the browser looks at, and what of them a screenshot shows."""

import io
from functools import cache

import numpy as np

import linkwork as lw
from linkwork.view.build import build
from linkwork.view.camera import camera_of

BALLS = {"red": (1.0, 0.0, 0.0), "green": (0.0, 0.5, 0.0), "blue": (0.0, 0.0, 1.0)}


@cache
def four_bar():
    """The four-bar of the README."""
    return lw.gallery.four_bar().simulate(2, every=0.02, coordinates="body")


@cache
def pendulums(size=1.0, x=0.0, y=0.0):
    """Two double pendulums of some size at some place; their pins are named as those of the four-bar."""
    m = lw.Mechanism("pendulums")
    for bodies, pins, at in ((("crank", "lower"), "AB", x), (("rocker", "bob"), "DC", x + 3.2 * size)):
        upper, lower = (m.add(name, lw.bar(length=size, mass=1.0)) for name in bodies)
        m.add(pins[0], lw.Revolute(m.ground.at(at, y), upper.a))
        m.add(pins[1], lw.Revolute(upper.b, lower.a))
    return m.simulate(size**0.5, every=0.02 * size**0.5, start={"A.angle": 0.3, "D.angle": -0.4}, coordinates="joint")


@cache
def arm():
    """Two boxes on turning joints in space, and a spring."""
    m = lw.Mechanism("arm", dimension=3)
    upper = m.add("upper", lw.box(0.6, 0.2, 0.2, mass=8.0))
    fore = m.add("fore", lw.box(0.5, 0.15, 0.15, mass=4.0))
    y = {"axis": (0, -1, 0)}
    m.add("J1", lw.Revolute(m.ground.at(0, 0, 0, **y), upper.at(-0.27, 0, 0, **y)))
    m.add("J2", lw.Revolute(upper.at(0.27, 0, 0, **y), fore.at(-0.23, 0, 0, **y)))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0, 0.8), fore.at(0.2, 0, 0), stiffness=200, rest_length=0.5))
    return m.simulate(1, every=0.02, start={"J1.angle": 0.6, "J2.angle": -0.4}, coordinates="body")


@cache
def flying_balls(x=0.0):
    """Three particles of different colours that fly their ways."""
    m = lw.Mechanism("balls", dimension=3)
    m.add("red", lw.Particle(1.0, position=(x, 0, 0), velocity=(1, 2, 4)))
    m.add("green", lw.Particle(1.0, position=(2 + x, 0, 1), velocity=(-1, 1, 5)))
    m.add("blue", lw.Particle(1.0, position=(1 + x, 3, 0.5), velocity=(1, -2, 6)))
    return m.simulate(1, every=0.02, coordinates="body")


def balls_in_perspective(run, k):
    """(3, 2): where the balls are on a paper, up to its scale and origin."""
    camera = camera_of(build(run, run, np.arange(len(run.t)), gaps=False), "perspective")
    return camera.seen([[run[f"{ball}.{axis}"][k] for axis in "xyz"] for ball in BALLS])[:, :2]


def pixels(png):
    """(height, width, 3): a screenshot, from 0 to 1."""
    from matplotlib.image import imread

    return imread(io.BytesIO(png))[..., :3]


def middles(png, stage):
    """(3, 2): the middles of the balls in the part of a screenshot that is the stage."""
    first, last = (round(stage[side]) for side in ("y", "bottom"))
    image = pixels(png)[first:last, round(stage["x"]) : round(stage["right"])]
    found = []
    for color in BALLS.values():
        way = np.array(color) - np.mean(color)
        tint = image - image.mean(axis=2, keepdims=True)
        like = (tint @ way) / (np.linalg.norm(tint, axis=2) * np.linalg.norm(way) + 1e-9)
        rows, columns = np.nonzero((like > 0.97) & (np.linalg.norm(tint, axis=2) > 0.1))
        assert rows.size > 30, "a ball is not to be seen"
        found.append([0.5 * (columns.min() + columns.max() + 1), 0.5 * (rows.min() + rows.max() + 1)])
    return np.array(found)


@cache
def hostile():
    """Names that would do something if they were more than names."""
    m = lw.Mechanism("</title><script>alert('title')</script>")
    first = m.add("<script>alert('body')</script>", lw.bar(length=1.0, mass=1.0))
    second = m.add("\"><img src=x onerror=alert('image')>", lw.bar(length=1.0, mass=1.0))
    m.add("__proto__", lw.Revolute(m.ground.at(0, 0), first.a))
    m.add("constructor", lw.Revolute(first.b, second.a))
    m.add("{{data}}</script>", lw.Torque(second, 1.0))
    return m.simulate(0.5, every=0.05, coordinates="body")


def every_kind_in_space():
    """One mechanism for every joint that exists in space, at its declared place, and one with all sorts of solids."""
    found = {}
    for name, kind in lw.Joint.kinds.items():
        if 3 in kind.dimensions and kind.__module__.startswith("linkwork."):
            found[name] = m = lw.Mechanism(name, dimension=3)
            body = m.add("body", lw.box(0.4, 0.2, 0.1, mass=1.0, position=(0.6, 0.5, 0.3)))
            m.add("joint", kind(m.ground.at(0, 0, 0), body.at(0.1, 0.0, 0.0), **kind.sample))
    found["solids"] = m = lw.Mechanism("solids", dimension=3)
    m.add("ball", lw.sphere(radius=0.2, mass=1.0))
    m.add("cone", lw.cone(radius=0.2, height=0.4, mass=1.0, position=(1, 0, 0)))
    tube = m.add("tube", lw.tube(outer_radius=0.2, inner_radius=0.1, length=0.4, mass=1.0, position=(0, 1, 0)))
    m.add("push", lw.PointForce(tube.at(0, 0, 0.2), z=-3.0))
    m.add("twist", lw.Torque(tube, 2.0))
    m.add("rubber", lw.Bushing(m.ground.at(0, 1, 1), tube.at(0, 0, 0.2), **lw.Bushing.sample))
    return found
