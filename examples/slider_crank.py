"""A slider-crank driven at constant speed: which torque does the motor need, and what do the bearings carry?

Writes slider_crank.png into the working folder.
"""

import math

import numpy as np

import linkwork as lw

SPEED = 1500 * 2 * math.pi / 60  # 1500 rpm in rad/s

m = lw.Mechanism("slider-crank")
crank = m.add("crank", lw.bar(length=0.05, mass=0.6))
rod = m.add("rod", lw.bar(length=0.16, mass=0.45))
piston = m.add("piston", lw.plate(width=0.06, height=0.05, mass=0.4))
A = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
m.add("B", lw.Revolute(crank.b, rod.a))
m.add("C", lw.Revolute(rod.b, piston.middle))
m.add("guide", lw.Prismatic(m.ground.at(0, 0), piston.middle))
m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.0, SPEED)))

turn = 2 * math.pi / SPEED
run = m.simulate(np.linspace(0, turn, 361), near={"rod.angle": 0.0, "piston.x": 0.21})

torque, angle = run["motor.effort"], np.degrees(run["A.angle"])
slide = run["guide.slide"]
print(f"one turn in {1e3 * turn:.1f} ms, stroke {1e3 * np.ptp(slide):.2f} mm (twice the crank: 100 mm)")
print(
    f"motor torque from {torque.min():.2f} N m at {angle[torque.argmin()]:.0f} deg"
    f" to {torque.max():.2f} N m at {angle[torque.argmax()]:.0f} deg"
)
print(f"work of the motor over the turn {run.energy.supplied[-1]:.2e} J (nothing is lost on the way)")
for joint in ("A", "B", "C", "guide"):
    force = np.linalg.norm(run.reaction(joint).force, axis=1)
    print(f"largest force in {joint:<6}{force.max():9.1f} N at {angle[force.argmax()]:4.0f} deg")

file = "slider_crank.png"
run.plot("guide.slide", "motor.effort", "B.reaction.x", "B.reaction.y", file=file)
print(f"slide, torque and crank-pin force are in {file}")
