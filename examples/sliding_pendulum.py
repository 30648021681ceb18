"""A pendulum on a sliding block that a spring holds: two coupled oscillations and a balance of momentum.

Writes sliding_pendulum.png into the working folder.
"""

import math

import numpy as np

import linkwork as lw

m = lw.Mechanism("sliding pendulum")
block = m.add("block", lw.plate(width=0.4, height=0.2, mass=5.0))
rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
rail = m.add("rail", lw.Prismatic(m.ground.at(0, 0), block.middle))
m.add("pin", lw.Revolute(block.middle, rod.a))
spring = lw.SpringDamper(m.ground.at(-1.2, 0), block.at(-0.2, 0), stiffness=80, rest_length=1.0, damping=1.5)
m.add("spring", spring)

run = m.simulate(10, every=0.01, start={"rail.slide": 0.3, "pin.angle": math.radians(-60)})
print(run)

# What the spring and the damper push, over time, is what the momentum along the rail gains.
gained = run["system.momentum.x"][-1] - run["system.momentum.x"][0]
pulled = -np.sum(0.5 * (run["spring.tension"][1:] + run["spring.tension"][:-1]) * np.diff(run.t))
print(f"\nmomentum along the rail gained {gained:.4f} N s, the spring's push over time is {pulled:.4f} N s")
print(
    f"dissipated {run.energy.dissipated[-1]:.4f} J, mechanical energy lost "
    f"{run.energy.total[0] - run.energy.total[-1]:.4f} J"
)
side = run.reaction("rail")
print(f"the rail carries {side.force[:, 1].min():.1f} to {side.force[:, 1].max():.1f} N")

file = "sliding_pendulum.png"
run.draw(0.3, file=file, trace="rod.b", ghosts=(0.6, 0.9, 1.2))
print(f"drawing in {file}")
