"""A slider-crank in space: the crank turns about a line beside that of the slider, and both lines are parallel.

A motor turns the crank at constant speed against a spring.  Writes spatial_slider_crank.png.
"""

import math

import numpy as np

import linkwork as lw

CRANK, ROD = 0.08, 0.30  # lengths [m]
PIVOT = (0.0, 0.10, 0.12)  # of the crank [m]; the slider moves along the x axis of the world
SPEED = 20.0  # rad/s

m = lw.Mechanism("spatial slider-crank", dimension=3)
crank = m.add("crank", lw.rod(length=CRANK, mass=0.12))
rod = m.add("rod", lw.cylinder(radius=0.008, length=ROD, mass=0.5, axis="x"))
slider = m.add("slider", lw.box(0.08, 0.05, 0.05, mass=2.0))
A = m.add("A", lw.Revolute(m.ground.at(*PIVOT, axis=(1, 0, 0), along=(0, 0, 1)), crank.a))
m.add("B", lw.Spherical(crank.b, rod.a))
m.add("C", lw.Universal(rod.at(ROD / 2, 0, 0), slider.at(axis=(0, 1, 0))))
m.add("guide", lw.Prismatic(m.ground, slider))
m.add("spring", lw.SpringDamper(m.ground.at(0.6, 0, 0), slider.right, stiffness=800, rest_length=0.4, damping=20))
print(m.check(near={"slider.x": 0.2}), "\n")
print(m.assemble(start={"A.angle": 0.0}, near={"slider.x": 0.2}), "\n")

m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.0, SPEED)))
run = m.simulate(np.linspace(0, 2 * math.pi / SPEED, 361), near={"slider.x": 0.2})
angle, slide = run["A.angle"], run["guide.slide"]
y, z = PIVOT[1] - CRANK * np.sin(angle), PIVOT[2] + CRANK * np.cos(angle)  # of the crank pin
formula = np.sqrt(ROD**2 - y**2 - z**2)
print(
    f"slide from {slide.min():.5f} m at {np.degrees(angle[slide.argmin()]):.0f} deg"
    f" to {slide.max():.5f} m at {np.degrees(angle[slide.argmax()]):.0f} deg"
)
print(f"largest difference from the formula {np.abs(slide - formula).max():.1e} m")
torque = run["motor.effort"]
print(
    f"motor torque from {torque.min():.3f} to {torque.max():.3f} N m; over the turn it gives"
    f" {run.energy.supplied[-1]:.4f} J, the damper takes {run.energy.dissipated[-1]:.4f} J"
)
for joint in ("A", "B", "C", "guide"):
    reaction = run.reaction(joint)
    force, moment = (np.linalg.norm(part, axis=1).max() for part in (reaction.force, reaction.moment))
    print(f"largest force in {joint:<6}{force:8.2f} N, moment {moment:7.3f} N m")

file = "spatial_slider_crank.png"
run.plot("guide.slide", "guide.slide.rate", "motor.effort", "B.reaction.x", "B.reaction.y", "B.reaction.z", file=file)
print(f"slide, speed, torque and the force at the crank pin are in {file}")
