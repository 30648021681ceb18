"""Synthesis: a four-bar whose coupler point draws a given curve, found again from a poor start.

The curve is that of a known four-bar, at 24 positions of the crank.  Writes coupler_curve.png.
"""

import math

import numpy as np

import linkwork as lw

KNOWN = {"ground": 2.0, "crank": 0.6, "coupler": 1.8, "rocker": 1.6, "x": 0.9, "y": 0.8}  # m
POOR = {"ground": 2.6, "crank": 0.4, "coupler": 2.6, "rocker": 2.4, "x": 0.4, "y": 0.2}
TIMES = np.linspace(0.0, 1.0, 24, endpoint=False)
NEAR = {"coupler.angle": "40 deg", "rocker.angle": "-70 deg"}  # the branch: the coupler above


def four_bar(numbers):
    m = lw.Mechanism("four-bar", gravity=None, parameters=numbers)
    crank = m.add("crank", lw.bar(length="crank", mass=1.0))
    coupler = m.add("coupler", lw.bar(length="coupler", mass=1.0, points={"pen": ("x", "y")}))
    rocker = m.add("rocker", lw.bar(length="rocker", mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.a))
    m.add("D", lw.Revolute(rocker.b, m.ground.at("ground", 0)))
    m.add("motor", lw.Driver("A.angle", lw.Polynomial(0.0, 2 * math.pi)))
    return m


def path(m):
    run = m.kinematics(TIMES, near=NEAR)
    return np.stack([run["coupler.pen.x"], run["coupler.pen.y"]], axis=1)


WANTED = path(four_bar(KNOWN))


def distances(run):
    """Ways from where the pen is to where it should be, at all positions."""
    return np.concatenate([run["coupler.pen.x"] - WANTED[:, 0], run["coupler.pen.y"] - WANTED[:, 1]])


if __name__ == "__main__":
    start = four_bar(POOR)
    vary = {name: (0.2, 3.5) for name in KNOWN} | {"x": (-2.0, 2.0), "y": (-2.0, 2.0)}
    found = lw.optimize(start, vary, distances, analysis="kinematics", times=TIMES, near=NEAR, tolerance=1e-12)
    print(found)
    off = np.linalg.norm(path(found.mechanism) - WANTED, axis=1).max()
    print(f"the curve is met to {off:.1e} m; the poor start misses it by up to "
          f"{np.linalg.norm(path(start) - WANTED, axis=1).max():.2f} m")  # fmt: skip

    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.6, 4.6), layout="constrained")
    fine = np.linspace(0.0, 1.0, 241)
    for mechanism, style, words in ((start, ":", "poor start"), (found.mechanism, "-", "found")):
        run = mechanism.kinematics(fine, near=NEAR)
        axes.plot(run["coupler.pen.x"], run["coupler.pen.y"], style, color="#1f5f99", label=words)
    axes.plot(WANTED[:, 0], WANTED[:, 1], "o", color="#c8501e", markersize=4, label="wanted")
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.legend(frameon=False)
    figure.savefig("coupler_curve.png", dpi=150)
    print("curves are in coupler_curve.png")
