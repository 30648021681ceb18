"""Mechanisms of space that are held more often than necessary, at random places, in random axes and with random frames.

Places and axes are written as they would be drawn, and a random move of everything puts them anywhere: a redundancy
that is exact along the axes of the world is one up to rounding elsewhere.
"""

import math

import numpy as np

import linkwork as lw
from linkwork.rotation import from_matrix
from property.space_plans import SPACE, any_pose

X, Y, Z = np.eye(3)
BAR = (0.02, 0.3, 0.31)  # principal inertias of a body that is longer than thick


class Drawing:
    """A mechanism that is drawn in one set of axes and stands in another."""

    def __init__(self, name, rng, gravity=(0.0, 0.0, -9.81)):
        self.rng, self.move, self.poses = rng, any_pose(rng, 2.0), {"ground": SPACE.identity}
        self.m = lw.Mechanism(name, dimension=3, gravity=tuple(self.move[:3, :3] @ gravity))

    def body(self, name, center, mass=1.0, inertia=BAR, axes=None):
        """A body whose mass centre and principal axes are drawn, and whose own frame is any."""
        pose = any_pose(self.rng)
        axes = np.eye(3) if axes is None else axes
        tensor = pose[:3, :3].T @ axes @ np.diag(inertia) @ axes.T @ pose[:3, :3]
        self.poses[name] = pose
        place = self.move @ pose
        inertia = ((tensor + tensor.T) / 2).tolist()
        center = tuple((SPACE.inverse(pose) @ (*center, 1.0))[:3])
        self.m.add(name, lw.Body(mass, inertia, center=center, position=tuple(place[:3, 3]),
                                 orientation=tuple(from_matrix(place[:3, :3]))))  # fmt: skip

    def frame(self, body, place, axis, along=None):
        """A frame on a body; without `along` its x axis is any across its axis."""
        axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
        along = np.cross(axis, self.rng.normal(size=3)) if along is None else np.asarray(along, dtype=float)
        way = self.move if body == "ground" else SPACE.inverse(self.poses[body])
        return lw.Frame(
            body,
            tuple((way @ (*place, 1.0))[:3]),
            0.0,
            tuple(way[:3, :3] @ axis),
            tuple(way[:3, :3] @ (along / np.linalg.norm(along))),
        )

    def joint(self, name, kind, on, to, place, axis, along=None, to_axis=None):
        to_axis = axis if to_axis is None else to_axis
        self.m.add(name, getattr(lw, kind)(self.frame(on, place, axis, along), self.frame(to, place, to_axis, along)))


def turned(axis, angle):
    """A rotation matrix."""
    return lw.Orientation.from_axis_angle(tuple(axis), angle).matrix


def shaft(rng):
    """A shaft in two bearings along one line, under torque: four rows too many."""
    d = Drawing("shaft", rng)
    d.body("shaft", (0.1, 0.0, 0.4))
    d.joint("A", "Revolute", "ground", "shaft", (0, 0, 0), Z)
    d.joint("B", "Cylindrical", "ground", "shaft", (0, 0, 1), Z)
    d.m.add("motor", lw.Torque(d.frame("shaft", (0, 0, 0), Z), 3.0))
    return d.m, {"A.angle": 0.3, "A.angle.rate": 2.0}


def door(rng):
    """A driven door on two hinges: five rows too many."""
    d = Drawing("door", rng)
    d.body("door", (0.4, 0.0, 1.0), 20.0, (5.0, 6.0, 1.2))
    d.joint("A", "Revolute", "ground", "door", (0, 0, 0.3), Z)
    d.joint("B", "Revolute", "ground", "door", (0, 0, 1.8), Z)
    d.m.add("opener", lw.Driver(d.m["A"].angle, lw.Harmonic(0.6, 2.0, offset=0.2)))
    return d.m, {}


def driveline(rng):
    """Two shafts with a universal joint between them, each in its bearings: six rows too many."""
    bend = rng.uniform(0.1, 0.9)
    out = np.array([math.sin(bend), 0.0, math.cos(bend)])
    d = Drawing("driveline", rng)
    d.body("in", (0, 0, -0.5))
    d.body("out", 0.5 * out, 1.5, axes=turned(Y, bend))
    d.joint("A", "Revolute", "ground", "in", (0, 0, -1), Z)
    d.joint("A2", "Cylindrical", "ground", "in", (0, 0, -0.2), Z)
    d.joint("U", "Universal", "in", "out", (0, 0, 0), X, to_axis=np.cross(out, X))
    d.joint("B", "Cylindrical", "ground", "out", out, out)
    d.m.add("motor", lw.Torque(d.frame("in", (0, 0, -1), Z), 2.0))
    return d.m, {"A.angle.rate": 3.0}


def governor(rng):
    """Watt's governor: a spindle, two arms with balls, two links and a collar, all hinges across the spindle."""
    d = Drawing("governor", rng)
    dip = 0.7
    d.body("spindle", (0, 0, 0.2), 1.0)
    d.body("collar", (0, 0, -2 * math.cos(dip)), 2.0)
    d.joint("S", "Revolute", "ground", "spindle", (0, 0, 0), Z)
    d.joint("guide", "Prismatic", "spindle", "collar", (0, 0, -2 * math.cos(dip)), Y, Z)
    for side, sign in (("left", -1.0), ("right", 1.0)):
        top, knee = np.array([0.05 * sign, 0, 0]), np.array([sign * (0.05 + math.sin(dip)), 0, -math.cos(dip)])
        foot = np.array([0.05 * sign, 0, -2 * math.cos(dip)])
        d.body(f"arm {side}", 0.9 * knee + 0.1 * top, 5.0, axes=turned(Y, 0.5 * math.pi - sign * dip))
        d.body(f"link {side}", (knee + foot) / 2, 0.5)
        d.joint(f"A {side}", "Revolute", "spindle", f"arm {side}", top, Y)
        d.joint(f"B {side}", "Revolute", f"arm {side}", f"link {side}", knee, Y)
        d.joint(f"C {side}", "Revolute", f"link {side}", "collar", foot, Y)
    return d.m, {"S.angle.rate": 5.0}


def parallelogram(rng):
    """Three equal cranks under one beam, all hinges parallel: redundant in its own plane, too."""
    d = Drawing("parallelogram", rng, (3.0, -9.0, 2.0))
    tip = np.array([0.5, 0.8, 0.0])
    d.body("beam", (1.0, 0.9, 0.1), 2.0)
    for k in range(3):
        d.body(f"crank{k}", (k, 0, 0) + 0.5 * tip)
        d.joint(f"A{k}", "Revolute", "ground", f"crank{k}", (k, 0, 0), Z)
        d.joint(f"B{k}", "Revolute", f"crank{k}", "beam", (k, 0, 0) + tip, Z)
    return d.m, {"A0.angle.rate": 1.0}


def bricard(rng):
    """Bricard's linkage, IFToMM A04: six hinges along the edges of a cube, one row too many."""
    d = Drawing("Bricard", rng, (0.0, -9.81, 0.0))
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], dtype=float)
    before = "ground"
    for k, axis in enumerate((Y, Z, X, Y, Z)):
        way = corners[k + 1] - corners[k]
        d.body(f"bar{k}", (corners[k] + corners[k + 1]) / 2, 1.0, tuple(np.where(np.abs(way) > 0.1, 0.02, 1.01) / 12))
        d.joint(f"P{k}", "Revolute", before, f"bar{k}", corners[k], axis)
        before = f"bar{k}"
    d.joint("P5", "Revolute", before, "ground", corners[5], X)
    return d.m, {}


REDUNDANT = {"shaft": (shaft, 4), "door": (door, 5), "driveline": (driveline, 6), "governor": (governor, 6),
             "parallelogram": (parallelogram, 7), "Bricard": (bricard, 1)}  # fmt: skip
