"""Tolerances of a slider-crank: how far does the top dead centre spread, and which length makes it spread?

256 samples of crank, rod and offset of the guide, over a turn of the crank.  Writes tolerances.png.
"""

import math

import numpy as np

import linkwork as lw

CRANK, ROD, OFFSET = 0.050, 0.160, 0.010  # m

m = lw.Mechanism("slider-crank", parameters={"crank": CRANK, "rod": ROD, "offset": OFFSET})
crank = m.add("crank", lw.bar(length="crank", mass=0.6))
rod = m.add("rod", lw.bar(length="rod", mass=0.45))
piston = m.add("piston", lw.plate(width=0.06, height=0.05, mass=0.4, position=("crank + rod", "offset")))
A = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
m.add("B", lw.Revolute(crank.b, rod.a))
m.add("C", lw.Revolute(rod.b, piston.middle))
m.add("guide", lw.Prismatic(m.ground.at(0, "offset"), piston.middle))
m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.0, 2 * math.pi)))  # a turn in 1 s

tolerances = {
    "crank": {"mean": CRANK, "deviation": 0.02e-3},  # turned: normal
    "rod": {"mean": ROD, "deviation": 0.03e-3},
    "offset": (OFFSET - 0.3e-3, OFFSET + 0.3e-3),  # fitted: anything between
}
table = lw.sweep(
    m,
    tolerances,
    over="sobol",
    count=256,
    analysis="kinematics",
    times=np.linspace(-0.03, 0.05, 81),  # around the top
    read="piston.x.max",
    near={"piston.x": CRANK + ROD},
)
spread = lw.spread(table)
print(spread)

# by hand: x = sqrt((r + l)^2 - e^2), so dx = ((r + l) (dr + dl) - e de) / x
top = math.sqrt((CRANK + ROD) ** 2 - OFFSET**2)
parts = {"crank": 0.02e-3 * (CRANK + ROD) / top, "rod": 0.03e-3 * (CRANK + ROD) / top}
parts["offset"] = 0.3e-3 / math.sqrt(3) * OFFSET / top
total = math.sqrt(sum(one**2 for one in parts.values()))
print(
    f"by hand: {top:.6f} ± {total:.2e} m;", ", ".join(f"{n} {100 * (p / total) ** 2:.1f} %" for n, p in parts.items())
)
file = "tolerances.png"
spread.plot(file=file)
print(f"spread and shares are in {file}")
