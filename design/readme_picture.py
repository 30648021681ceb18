"""Makes docs/images/four_bar.png: a driven four-bar with the path of a coupler point and other positions."""

import math
from pathlib import Path

import linkwork as lw

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "four_bar.png"
SPEED = 2.0  # rad/s, so that one turn takes pi seconds


def main():
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0, points={"tracer": (0.35, 0.95)}))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("spring", lw.SpringDamper(m.ground.at(6.0, 1.6), rocker.middle, stiffness=20, rest_length=2.0))
    m.add("motor", lw.Driver(A.angle, lw.Polynomial(math.radians(60), SPEED)))
    near = {"coupler.angle": 0.55, "rocker.angle": 1.65}
    run = m.simulate(2 * math.pi / SPEED, every=0.01, near=near)
    turn = 2 * math.pi / SPEED
    ghosts = [k * turn / 5 for k in (1, 2, 3, 4)]
    run.draw(0.0, file=PICTURE, trace="coupler.tracer", ghosts=ghosts, size=(8, 4.2), dpi=150)
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
