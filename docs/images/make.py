"""Makes the pictures of README.md, docs/pictures.md and docs/linear.md: `python docs/images/make.py [folder]`.

Those of the README are written by its own blocks, which run here in order.
"""

import contextlib
import math
import re
import shutil
import sys
import tempfile
from pathlib import Path

import linkwork as lw

NAMES = (
    "look",
    "open_loop",
    "arrows",
    "robot_arm",
    "three_views",
    "plots",
    "paths",
    "ledger",
    "compared",
    "bode",
    "events",
    "points",
)


def open_loop():
    """A linkage that cannot be put together: its ground pins are too far apart."""
    m = lw.Mechanism("open loop")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, position=(0.4, 0.3), angle="37 deg"))
    rod = m.add("rod", lw.bar(length=2.0, mass=1.0, position=(1.8, 0.7), angle="5 deg"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, m.ground.at(3.4, 0)))
    return m


def robot_arm():
    """Four turning joints, each with its motor."""
    m = lw.Mechanism("robot arm", dimension=3)
    base = m.add("base", lw.cylinder(radius=0.12, length=0.3, mass=20.0))
    upper = m.add("upper", lw.box(0.6, 0.09, 0.11, mass=8.0))
    fore = m.add("fore", lw.box(0.5, 0.06, 0.08, mass=4.0))
    hand = m.add("hand", lw.box(0.12, 0.1, 0.03, mass=1.0, points={"tool": (0.06, 0, 0)}))
    y = {"axis": (0, -1, 0)}
    joints = [
        m.add("J1", lw.Revolute(m.ground.at(0, 0, 0), base.at(0, 0, -0.15))),
        m.add("J2", lw.Revolute(base.at(0, 0, 0.2, **y), upper.at(-0.27, 0, 0, **y))),
        m.add("J3", lw.Revolute(upper.at(0.27, 0, 0, **y), fore.at(-0.23, 0, 0, **y))),
        m.add("J4", lw.Revolute(fore.at(0.25, 0, 0, axis=(1, 0, 0)), hand.at(-0.06, 0, 0, axis=(1, 0, 0)))),
    ]
    ways = "0.5 rad/s*t", "60 deg - 0.6 rad/s*t", "-80 deg + 0.4 rad/s*t", "1 rad/s*t"
    for k, (joint, way) in enumerate(zip(joints, ways), start=1):
        m.add(f"M{k}", lw.Driver(joint.angle, way))
    return m


def rssr():
    """A crank and a rocker about axes that cross, and a coupler between two balls."""
    m = lw.Mechanism("RSSR", dimension=3)
    crank = m.add("crank", lw.cylinder(radius=0.008, length=0.1, mass=0.5, axis="x"))
    rocker = m.add("rocker", lw.cylinder(radius=0.008, length=0.25, mass=1.0, axis="x"))
    coupler = m.add("coupler", lw.cylinder(radius=0.006, length=0.42, mass=0.6, axis="x"))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(1, 0, 0)), crank.a))
    m.add("B", lw.Spherical(crank.b, coupler.a))
    m.add("C", lw.Spherical(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(0.35, 0.2, 0, axis=(0, 1, 0)), rocker.a))
    m.add("motor", lw.Driver(A.angle, "60 rpm*t"))
    return m


def quarter_car():
    """Wheel and body on a road that can be moved."""
    m = lw.Mechanism("quarter car")
    up = m.ground.at(0, 0, angle="90 deg")
    for name, mass, guide in (("plate", 5.0, "zero"), ("wheel", 40.0, "one"), ("body", 350.0, "two")):
        body = m.add(name, lw.Body(mass, 1.0))
        m.add(guide, lw.Prismatic(up, body.at(0, 0, angle="90 deg")))
    m.add("tyre", lw.SpringDamper("plate", "wheel", stiffness="180 kN/m", rest_length=0.3))
    m.add("strut", lw.SpringDamper("wheel", "body", stiffness="22 kN/m", rest_length=0.5, damping=1500))
    m.add("road", lw.Driver("plate.y", 0.0))
    return m


def pictures(folder: Path) -> dict[str, Path]:
    """Write all pictures into a folder; returns their files by name."""
    run = lw.gallery.four_bar().simulate(2, every=0.02)
    arm = robot_arm().simulate(1, every=0.02)
    files = {name: folder / f"{name}.png" for name in NAMES}
    lw.gallery.macpherson_a().draw(file=files["look"], dpi=110)
    open_loop().draw(file=files["open_loop"], dpi=110)
    run.draw(
        0.5,
        file=files["arrows"],
        trace="coupler.tracer",
        arrows=["velocity", "reaction"],
        color={"crank": "tomato"},
        dpi=110,
    )
    arm.draw(0.6, file=files["robot_arm"], trace="hand.tool", dpi=110)
    below = {"rocker.z": -0.1}  # one of two ways to put it together
    rssr().simulate(0.5, every=0.02, near=below).draw(0.3, file=files["three_views"], view="three", dpi=90)
    run = lw.gallery.four_bar().simulate(2, every="5 ms")
    strong = lw.gallery.four_bar().with_numbers({"spring.stiffness": 60}).simulate(2, every="8 ms")
    run.plot("B.reaction.magnitude", "C.reaction.magnitude", x="A.angle", to="deg", file=files["plots"], dpi=100)
    run.plot_path("coupler.tracer", "B.reaction", file=files["paths"], dpi=100)
    run.plot("energy", file=files["ledger"], dpi=100)
    run.compare(strong).plot("D.angle", "B.reaction.magnitude", file=files["compared"], dpi=100)
    of_events().plot("B.angle", "B.angle.rate", file=files["events"], dpi=110)
    of_points(files["points"])
    above = {"one.slide": 0.3, "two.slide": 0.8}
    answer = quarter_car().frequency_response("road", ["body.y", "wheel.y"], start=above)
    answer.plot(file=files["bode"], dpi=100)
    return files


def of_events() -> lw.Result:
    """A double pendulum whose lower joint locks and is released."""
    m = lw.gallery.double_pendulum()
    m.add("stiff", lw.Event("B.angle", "2 rad", direction="rising", then=lw.Lock("B"), most=1))
    m.add("loose", lw.Event("t", "1.2 s", then=lw.Release("B")))
    return m.simulate(2.0, every=0.01)


def of_points(file: Path) -> None:
    """Slider-crank and double A-arm with the points that have coordinates, those of the ground, and told ones."""
    import matplotlib.pyplot as plt

    figure, both = plt.subplots(1, 2, figsize=(11, 4.6))
    sliding = lw.gallery.slider_crank()
    sliding.remove("motor")
    shown = ((sliding, {"A.angle": "50 deg"}, None), (lw.gallery.double_a_arm(), None, None))
    for ax, (m, start, basis) in zip(both, shown):
        m.draw(ax=ax, start=start, names=list(m.bodies))
        state = m.assemble(start=start, coordinates="body").state
        choice = m.compile(coordinates="point", basis=basis).plan("point").layout.choice
        primary = {name for place in choice.places for name in place.joints}
        told = {name for names in choice.secondary for name in names}
        for name, joint in m.joints.items():
            if type(joint) is not lw.Revolute:
                continue
            frame = joint.to if joint.to.body != "ground" else joint.on
            angle, at = state[f"{frame.body}.angle"], (state[f"{frame.body}.x"], state[f"{frame.body}.y"])
            turned = complex(*frame.position[:2]) * complex(math.cos(angle), math.sin(angle))
            x, y = at[0] + turned.real, at[1] + turned.imag
            fill = "tab:red" if name in primary else "white"
            mark = "s" if name in told else "o"
            ax.plot(x, y, mark, ms=13, mfc=fill, mec="tab:red", mew=2, zorder=50)
            box = dict(fc="white", ec="none", pad=0.6, alpha=0.75)
            style = dict(textcoords="offset points", color="tab:red", weight="bold", zorder=51, bbox=box)
            ax.annotate(name, (x, y), (11, 9), **style)
        ax.set_title(f"{m.name}: {len(choice.places)} points, {len(choice.directions)} lengths")
    figure.savefig(file, dpi=90, bbox_inches="tight")
    plt.close(figure)


def of_readme(folder: Path) -> dict[str, Path]:
    """Run the blocks of the README; the pictures that it shows and they wrote come into the folder."""
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\(docs/images/([\w.]+)\)", text)
    with tempfile.TemporaryDirectory() as empty, contextlib.chdir(empty):
        exec("\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)), {"__name__": "readme"})
        return {name: Path(shutil.copy(name, folder / name)) for name in shown}


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent).resolve()
    pictures(where)
    of_readme(where)
