"""A four-bar with a spring, from its description to its forces: what Linkwork does, in one page.

Writes demo_output/four_bar_motion.png and demo_output/four_bar.png into the working folder.
"""

import math
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork import textbook


def four_bar():
    """A crank-rocker: crank 1.0, coupler 3.0, rocker 2.5, ground 3.2 m, and a spring on the coupler."""
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0, points={"tracer": (0.2, 0.9)}))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness=20, rest_length=1.0))
    return m


def title(text):
    print(f"\n{text}\n{'-' * len(text)}")


def main():
    m = four_bar()
    start = {"A.angle": math.radians(60)}  # held exactly
    near = {"coupler.angle": math.radians(30), "rocker.angle": math.radians(95)}  # chooses the open branch

    title("What is it?")
    print(m.check())

    title("How does it go together?")
    print(m.assemble(start=start, near=near))

    title("How does it move?")
    run = m.simulate(10, every=0.01, start=start, near=near)
    print(run)

    title("What do the joints carry?")
    print(f"  {'joint':<8}{'largest force [N]':>20}{'at t [s]':>12}{'at crank angle [deg]':>24}")
    for joint in m.joints:
        size = np.linalg.norm(run.reaction(joint).force, axis=1)
        k = int(size.argmax())
        angle = math.degrees(run["A.angle"][k]) % 360
        print(f"  {joint:<8}{size[k]:20.3f}{run.t[k]:12.2f}{angle:24.1f}")

    title("Where does the energy go?")
    energy = run.energy
    k = int(energy.kinetic.argmax())
    print(f"  {'[J]':<12}{'at the start':>16}{f'at {run.t[k]:.2f} s':>16}")
    rows = {"kinetic": energy.kinetic, "gravity": energy.gravity, **energy.by_element, "total": energy.total}
    for name, series in rows.items():
        print(f"  {name:<12}{series[0]:16.6f}{series[k]:16.6f}")
    print(f"  not accounted for after 10 s: {abs(energy.balance[-1]):.1e} J")

    title("Is it right?")
    print("  The same state through the textbook's dense equations (Nikravesh, augmented form),")
    print("  which share no code with the compiled kernels:")
    state = run.at(1.0)
    names = [f"{body}.{q}" for body in m.bodies for q in ("x", "y", "angle")]
    numbers = {name + end: state[name + end] for name in names for end in ("", ".rate")}
    book = textbook.from_mechanism(m, numbers)
    theirs, _ = textbook.augmented(book, state.t, book.c, book.cd)
    ours = np.array([state[f"{name}.acceleration"] for name in names])
    difference = np.abs(ours - theirs).max()
    print(f"  largest acceleration {np.abs(ours).max():.3f}, largest difference {difference:.1e}")
    if difference > 1e-9 * np.abs(ours).max():
        raise SystemExit("the two ways to the same accelerations disagree")

    folder = Path("demo_output")
    folder.mkdir(exist_ok=True)
    motion, drawing = folder / "four_bar_motion.png", folder / "four_bar.png"
    series = ("A.angle", "D.angle", "spring.tension", "energy.kinetic", "energy.potential", "energy.total")
    run.plot(*series, file=motion)
    run.draw(0.0, file=drawing, trace="coupler.tracer", ghosts=(0.5, 0.75, 1.0, 1.25))
    title("Pictures")
    print(f"  {motion}   angles, spring force and energies over time")
    print(f"  {drawing}          the mechanism, the path of a coupler point, other positions")


if __name__ == "__main__":
    main()
