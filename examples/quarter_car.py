"""Spring and damper of a quarter car: comfort against travel.

A car runs over a ramp.  Soft is comfortable and needs way; a grid of springs and dampers shows what is possible, its
best designs are Pareto's front, and `lw.optimize` finds the design for a given way.  Writes quarter_car.png.
"""

import numpy as np

import linkwork as lw


def quarter_car():
    m = lw.Mechanism("quarter car", gravity=None)
    road = m.add("road", lw.Body(1.0, 1.0))
    wheel = m.add("wheel", lw.Body(40.0, 1.0, position=(0, 0.3)))
    body = m.add("body", lw.Body(300.0, 1.0, position=(0, 0.8)))
    up = {"angle": "90 deg"}
    m.add("lane", lw.Prismatic(m.ground.at(0, 0, **up), road.at(0, 0, **up)))
    m.add("axle guide", lw.Prismatic(m.ground.at(0, 0, **up), wheel.at(0, 0, **up)))
    m.add("body guide", lw.Prismatic(m.ground.at(0, 0, **up), body.at(0, 0, **up)))
    m.add("profile", lw.Driver("lane.slide", lw.SmoothStep(0.1, 0.0, 0.2, 0.08)))
    m.add("tyre", lw.SpringDamper(road, wheel, stiffness="180 kN/m", rest_length=0.3))
    m.add("strut", lw.SpringDamper(wheel, body, stiffness="18 kN/m", damping="1.2 kN*s/m", rest_length=0.5))
    return m


def ride(run):
    """Comfort: root mean square of the acceleration of the body; travel: the most that the strut gives way."""
    acceleration = run["body.y.acceleration"]
    return {"comfort": np.sqrt(np.mean(acceleration**2)), "travel": np.max(np.abs(run["strut.length"] - 0.5))}


def comfort(run):
    return ride(run)["comfort"]


def travel(run):
    return ride(run)["travel"]


def front(table):
    """Designs that no other beats in both."""
    a, b = table["comfort"].values.ravel(), table["travel"].values.ravel()
    return [k for k in range(len(a)) if not np.any((a <= a[k]) & (b <= b[k]) & ((a < a[k]) | (b < b[k])))]


if __name__ == "__main__":
    m = quarter_car()
    motion = {"times": 2.0, "every": 0.005}
    springs, dampers = np.linspace(6e3, 40e3, 10), np.linspace(0.4e3, 4e3, 10)
    table = lw.sweep(m, {"strut.stiffness": springs, "strut.damping": dampers}, reduce=ride, **motion)
    best = front(table)
    print(f"{table['comfort'].size} designs, {len(best)} of them on the front")

    limit = 0.060
    found = lw.optimize(
        m,
        {"strut.stiffness": (6e3, 40e3), "strut.damping": (0.4e3, 4e3)},
        comfort,
        subject_to=[(travel, "<=", limit)],
        **motion,
    )
    print(found)

    from matplotlib import pyplot

    ink, grey = "#22303c", "#7b8791"  # as the pictures of Linkwork are
    pyplot.rcParams.update({"font.family": "STIXGeneral", "font.size": 11, "axes.linewidth": 0.7, "text.color": ink})
    pyplot.rcParams.update({"axes.edgecolor": grey, "axes.labelcolor": ink, "axes.axisbelow": True})
    for axis in ("xtick", "ytick"):
        pyplot.rcParams.update({f"{axis}.color": grey, f"{axis}.labelcolor": ink})
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
    x, y = 1e3 * table["travel"].values.ravel(), table["comfort"].values.ravel()
    colour = np.broadcast_to(springs[:, None], table["comfort"].shape).ravel() / 1e3
    points = axes.scatter(x, y, c=colour, s=18, cmap="viridis")
    order = sorted(best, key=lambda k: x[k])
    axes.plot(x[order], y[order], color="#c8501e", linewidth=1.2, label="front: nothing is better in both")
    axes.plot(1e3 * limit, found.value, "*", color=ink, markersize=13, label=f"best with {1e3 * limit:g} mm")
    axes.set(xlabel="travel of the strut [mm]", ylabel="acceleration of the body, rms [m/s²]")
    axes.grid(color="#e3e7ea", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.colorbar(points, label="stiffness [kN/m]").outline.set_visible(False)
    axes.legend(frameon=False, loc="lower left")  # no design is there
    file = "quarter_car.png"
    figure.savefig(file, dpi=150)
    print(f"comfort against travel is in {file}")
