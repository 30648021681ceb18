"""Mass and friction of a pendulum, identified from a record of its angle with noise.

A rod of known mass carries a bob of unknown mass, in a bearing of unknown friction.  Writes recorded_pendulum.png.
"""

import numpy as np

import linkwork as lw

BOB, FRICTION, NOISE = 2.0, 0.3, 0.02  # kg, N m s/rad, rad: what the record was made with


def pendulum(bob, friction):
    m = lw.Mechanism("pendulum", parameters={"bob": f"{bob} kg", "friction": friction})
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    weight = m.add("weight", lw.Body("bob", 0.001))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("screw", lw.Fixed(rod.b, weight))
    m.add("bearing", lw.TorsionSpringDamper("ground", "rod", damping="friction"))
    return m


START = {"A.angle": -0.5}


def record(seed):
    """Times and angles as a sensor would give them."""
    run = pendulum(BOB, FRICTION).simulate(6.0, every=0.05, start=START)
    return run.t, run["A.angle"] + NOISE * np.random.default_rng(seed).standard_normal(len(run.t))


def identified(t, angle):
    guess = pendulum(6.0, 1.0)
    return lw.fit(guess, {"bob": ("0.2 kg", "20 kg"), "friction": (0.0, 5.0)}, {"A.angle": (t, angle)}, start=START)


if __name__ == "__main__":
    t, angle = record(seed=1)
    found = identified(t, angle)
    print(found)
    for name, true in (("bob", BOB), ("friction", FRICTION)):
        low, high = found.limits[name]
        print(
            f"{name}: the record was made with {true}, which is {'within' if low <= true <= high else 'outside'} them"
        )

    found.plot(file="recorded_pendulum.png", size=(6.4, 4.6), dpi=150)
    print("record and fit are in recorded_pendulum.png")
