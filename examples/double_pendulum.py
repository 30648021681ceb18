"""A double pendulum let go from above: energy is kept, neighbours part company.

Writes double_pendulum.png into the working folder.
"""

import math

import numpy as np

import linkwork as lw

m = lw.Mechanism("double pendulum")
upper = m.add("upper", lw.bar(length=1.0, mass=1.0))
lower = m.add("lower", lw.bar(length=0.8, mass=0.6))
m.add("A", lw.Revolute(m.ground.at(0, 0), upper.a))
m.add("B", lw.Revolute(upper.b, lower.a))

start = {"A.angle": math.radians(100), "B.angle": math.radians(30)}
run = m.simulate(10, every=0.01, start=start, rtol=1e-10)
print(run)

moved = {**start, "A.angle": start["A.angle"] + 1e-6}
nearby = m.simulate(10, every=0.01, start=moved, rtol=1e-10)
apart = np.hypot(run["lower.b.x"] - nearby["lower.b.x"], run["lower.b.y"] - nearby["lower.b.y"])
print("\nThe same pendulum with its first angle 1e-6 rad larger; distance of the two tips:")
for t in (1, 2, 4, 6, 8, 10):
    print(f"  t = {t:2d} s   {apart[round(t / 0.01)]:.3e} m")

file = "double_pendulum.png"
run.draw(3.0, file=file, trace="lower.b", ghosts=(2.85, 2.9, 2.95))
print(f"\nThe path of the tip is in {file}")
