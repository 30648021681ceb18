"""A planetary gear on a moving carrier: speeds by Willis' formula, and the forces at teeth and bearings.

The ring stands still, a torque turns the sun, a damper brakes the carrier.  Writes planetary_gear.png.
"""

import numpy as np

import linkwork as lw

SUN, PLANET = 0.06, 0.04  # pitch radii [m]
RING, ARM = SUN + 2 * PLANET, SUN + PLANET

m = lw.Mechanism("planetary gear", gravity=None)
sun = m.add("sun", lw.disc(radius=SUN, mass=1.5))
planet = m.add("planet", lw.disc(radius=PLANET, mass=0.7))
carrier = m.add("carrier", lw.bar(length=ARM, mass=0.5))
m.add("S", lw.Revolute(m.ground.at(0, 0), sun.middle))
m.add("O", lw.Revolute(m.ground.at(0, 0), carrier.a))
m.add("P", lw.Revolute(carrier.b, planet.middle))
m.add("sun mesh", lw.Gear(sun.middle, planet.middle, SUN, PLANET))
m.add("ring mesh", lw.Gear(m.ground.at(0, 0), planet.middle, RING, PLANET, internal=True))
m.add("drive", lw.Torque(sun, 2.0))
m.add("brake", lw.TorsionSpringDamper(m.ground.at(0, 0), carrier.a, damping=0.5))

run = m.simulate(3, every=0.01)
sun_speed, arm_speed, planet_speed = (run[f"{name}.angle.rate"] for name in ("sun", "carrier", "planet"))
ratio = 1 + RING / SUN
print(f"sun : carrier = {sun_speed[-1] / arm_speed[-1]:.9f}, Willis 1 + R/S = {ratio:.9f}")
print(f"planet : carrier = {planet_speed[-1] / arm_speed[-1]:.9f}, 1 - R/P = {1 - RING / PLANET:.9f}")
print(f"carrier at the end {arm_speed[-1]:.4f} rad/s, brake alone allows {2.0 * ratio / 0.5:.4f} rad/s")

for name in ("sun mesh", "ring mesh", "P"):
    force = np.linalg.norm(run.reaction(name).force, axis=1)
    print(f"force in {name:<10} {force[0]:8.2f} N at the start, {force[-1]:8.2f} N at the end")
print(f"tooth force by the torque alone: 2 N m / {SUN} m = {2.0 / SUN:.2f} N")
lost = np.abs(run.energy.balance).max()
print(f"energy not accounted for: {lost:.1e} J of {run.energy.supplied[-1]:.1f} J supplied")

file = "planetary_gear.png"
run.draw(0.12, file=file)
print(f"drawing in {file}")
