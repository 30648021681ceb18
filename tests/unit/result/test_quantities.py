"""The registry: vectors, momenta, world axes, what reading needs, wrong use, and the table in the documents."""

from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery
from linkwork.errors import DescriptionError, UnitError, UnknownNameError
from linkwork.result import bodies, quantities, series
from linkwork.result.quantities import long_name, vocabulary

ROOT = Path(__file__).parents[3]


def tumbling():
    """Two bodies in space, one with a mass centre beside its frame and tilted principal axes, tied by a spring."""
    m = lw.Mechanism("tumbling", dimension=3)
    inertia = np.array([[0.3, 0.02, -0.01], [0.02, 0.2, 0.03], [-0.01, 0.03, 0.4]])
    turned = lw.Orientation.from_angles("XYZ", [0.3, -0.4, 0.9]).quaternion
    odd = m.add("odd", lw.Body(2.0, inertia, center=(0.1, -0.2, 0.05), position=(0.3, 0.2, 0.1), orientation=turned,
                               velocity=(0.5, -0.2, 0.3), angular_velocity=(3.0, -1.0, 0.5)))  # fmt: skip
    box = m.add("box", lw.box(0.2, 0.3, 0.4, mass=1.5, points={"corner": (0.1, 0.15, 0.2)}))
    m.add("ball", lw.Spherical(m.ground.at(0, 0, 0), box.at(0, 0, 0.3)))
    m.add("spring", lw.SpringDamper(odd.at(), box.corner, stiffness=8.0, rest_length=0.4))
    return m


@pytest.fixture(scope="module", params=["body", "joint"])
def run(request):
    return tumbling().simulate(0.6, every=0.02, rtol=1e-10, coordinates=request.param)


def test_a_name_without_its_axis_is_the_vector(run):
    for name, unit in (("box.corner", "m"), ("odd", "m"), ("ball.reaction", "N"), ("system.center", "m"),
                       ("odd.momentum", "kg m/s"), ("odd.angular_velocity.world", "rad/s")):  # fmt: skip
        assert run[name].shape == (len(run.t), 3) and run.unit(name) == unit
        assert np.array_equal(run[name], np.column_stack([run[f"{name}.{axis}"] for axis in "xyz"]))
        assert name in run and name not in run.names
    assert np.array_equal(run["box.corner.rate"][:, 1], run["box.corner.y.rate"])
    assert run.unit("box.corner.acceleration") == "m/s^2"
    plane = gallery.four_bar().evaluate({"crank.angle": 1.0}, coordinates="body")
    assert plane["crank"].shape == (2,) and plane["crank"][1] == plane["crank.y"]
    for name in ("ball", "spring", "odd.nothing", "ball.reaction.rate", "energy"):
        with pytest.raises(UnknownNameError):
            run[name]


def test_momenta_of_bodies(run):
    total, turning = np.zeros((len(run.t), 3)), np.zeros((len(run.t), 3))
    for name in ("odd", "box"):
        body = run.mechanism[name]
        A, w = run.orientation(name).matrix, run.angular_velocity(name, axes="world")
        arm = A @ np.pad(np.asarray(body.center, dtype=float), (0, 3 - len(body.center)))
        velocity = run[f"{name}.rate"] + np.cross(w, arm)
        J = np.asarray(body.inertia, dtype=float)
        J = A @ (np.diag(J) if J.ndim == 1 else J) @ A.transpose(0, 2, 1)
        spin = np.einsum("tij,tj->ti", J, w)
        assert run[f"{name}.momentum"] == pytest.approx(body.mass * velocity, abs=1e-12)
        wanted = body.mass * np.cross(run[name] + arm, velocity) + spin
        assert run[f"{name}.angular_momentum"] == pytest.approx(wanted, abs=1e-12)
        total, turning = total + run[f"{name}.momentum"], turning + run[f"{name}.angular_momentum"]
    assert run["system.momentum"] == pytest.approx(total, abs=1e-12)
    assert run["system.angular_momentum"] == pytest.approx(turning, abs=1e-12)


def test_momenta_in_the_plane():
    run = gallery.four_bar().simulate(0.4, every=0.1, coordinates="joint")
    names = list(run.mechanism.bodies)
    for what in ("momentum.x", "momentum.y", "angular_momentum"):
        assert run[f"system.{what}"] == pytest.approx(sum(run[f"{name}.{what}"] for name in names), abs=1e-12)
    crank = run.mechanism["crank"]
    x, y, u, v = (run[f"crank.{key}"] for key in ("x", "y", "x.rate", "y.rate"))
    wanted = crank.mass * (x * v - y * u) + crank.inertia * run["crank.angle.rate"]
    assert run["crank.angular_momentum"] == pytest.approx(wanted)


def test_angular_velocity_and_acceleration_along_world_axes(run):
    for name in ("odd", "box"):
        assert run[f"{name}.angular_velocity.world"] == pytest.approx(run.angular_velocity(name, "world"), abs=1e-12)
        assert run[f"{name}.angular_velocity"] == pytest.approx(run.angular_velocity(name), abs=1e-12)
        for ending, axes in (("", "body"), (".world", "world")):
            rate = run[f"{name}.angular_velocity{ending}.rate"]
            assert rate == pytest.approx(run.angular_acceleration(name, axes), abs=1e-10)
            w, h = run[f"{name}.angular_velocity{ending}"], run.t[1] - run.t[0]
            slope = (w[:-4] - 8.0 * w[1:-3] + 8.0 * w[3:-1] - w[4:]) / (12.0 * h)
            assert rate[2:-2] == pytest.approx(slope, abs=2e-3)
            assert run.unit(f"{name}.angular_velocity{ending}.x.rate") == "rad/s^2"


@pytest.mark.parametrize("axes", ["", ".world"])
def test_angular_velocity_as_a_start_value(axes):
    m = tumbling()
    start = {f"odd.angular_velocity{axes}.{axis}": value for axis, value in zip("xyz", (1.0, "-20 rpm", 0.7))}
    state = m.assemble(start=start, coordinates="body").state
    run = m.simulate(0.1, start=start, coordinates="joint")
    for axis, value in zip("xyz", (1.0, -20 * np.pi / 30, 0.7)):
        assert state[f"odd.angular_velocity{axes}.{axis}"] == pytest.approx(value, abs=1e-12)
        assert run[f"odd.angular_velocity{axes}.{axis}"][0] == pytest.approx(value, abs=1e-9)
    with pytest.raises(DescriptionError, match="acceleration"):
        m.assemble(start={f"odd.angular_velocity{axes}.x.rate": 1.0}, coordinates="body")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "spatial_chain", "cart"])
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_reading_needs_what_the_registry_says(name, coordinates, monkeypatch):
    run = gallery.get(name).simulate(0.05, every=0.025, coordinates=coordinates)
    asked = []
    true = series.motion

    def motion(*arguments, rows, **options):
        asked.append("multipliers" if rows else "accelerations")
        return true(*arguments, rows=rows, **options)

    monkeypatch.setattr(series, "motion", motion)
    known = vocabulary(run.model)
    for one in run.names:
        found, _ = known.find(one)
        for order, ending in enumerate(("", ".rate", ".acceleration")[: len(found.units)]):
            asked.clear()
            fresh = lw.Result.restored(run.mechanism, run.stored(), run.options(), {})
            fresh[one + ending]
            first = quantities.NEEDS.index(found.needs)
            needs = quantities.NEEDS[first + order] if found.needs in ("states", "rates") else found.needs
            wanted = {"accelerations": {"accelerations"}, "multipliers": {"multipliers"}}.get(needs, set())
            assert set(asked) == wanted, (one + ending, needs)


def test_blocks_of_times_and_single_bodies_change_nothing(monkeypatch):
    for mechanism in (tumbling(), gallery.four_bar()):
        whole = mechanism.simulate(0.6, every=0.02, coordinates="joint")
        parts = mechanism.simulate(0.6, every=0.02, coordinates="joint")
        names = [*whole.names, *(f"{body}.acceleration" for body in mechanism.bodies)]
        wanted = {name: whole[name] for name in names}
        with monkeypatch.context() as small:
            small.setattr("linkwork.coordinates.system.BLOCK", 400)
            small.setattr(bodies, "SMALL", {2: 0, 3: 0})
            for few in (1, 100):
                small.setattr(bodies, "FEW", few)
                parts = mechanism.simulate(0.6, every=0.02, coordinates="joint")
                for name in reversed(names):
                    near = 1e-13 * np.abs(wanted[name]).max(initial=10.0)  # sums over bodies round elsewhere
                    assert parts[name] == pytest.approx(wanted[name], rel=0, abs=near), name
                assert np.array_equal(parts.final.y, whole.final.y)
                assert np.array_equal(parts.violation, whole.violation)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crank.x", "x of body crank"),
        ("coupler.tracer.y", "y of point tracer of body coupler"),
        ("crank.angle.rate", "rate of angle of body crank"),
        ("A.angle.acceleration", "acceleration of angle of joint A"),
        ("B.reaction.x", "reaction x of joint B"),
        ("B.moment", "moment of joint B"),
        ("spring.tension", "tension of force spring"),
        ("energy.kinetic", "kinetic energy"),
        ("energy.supplied", "energy supplied"),
        ("system.center.x", "center x of the system"),
        ("crank", "position of body crank"),
        ("coupler.tracer.rate", "rate of position of point tracer of body coupler"),
        ("B.reaction", "reaction of joint B"),
    ],
)
def test_long_names(name, words):
    assert long_name(gallery.four_bar().compile(), name) == words


def test_wrong_use_of_quantity():
    def make(name="good", **changes):
        return lw.quantity(name, **{"of": "body", "unit": "m", "words": "w", "needs": "states", **changes})

    for changes, words in (({"of": "wheel"}, "of"), ({"needs": "luck"}, "needs"), ({"parts": "xyz"}, "parts"),
                           ({"name": "a b"}, "word"), ({"name": "my.rate"}, "rate"), ({"name": "momentum"}, "already"),
                           ({"name": "reaction", "of": "joint"}, "already")):  # fmt: skip
        with pytest.raises(DescriptionError, match=words):
            make(**changes)
    for unit in ("smoots", "mm", "deg", 3):
        with pytest.raises((UnitError, DescriptionError)):
            make(unit=unit)
    assert "good" not in {one.example for one in quantities.REGISTRY}


def test_a_point_keeps_its_name():
    m = lw.Mechanism("named")
    rod = m.add("rod", lw.bar(length=1.0, mass=2.0, points={"momentum": (0.25, 0.0), "rate": (0.1, 0.0)}))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    run = m.simulate(0.1, coordinates="joint")
    assert run["rod.momentum.x"] == pytest.approx(0.75 * np.cos(run["rod.angle"]))
    assert run["rod.rate.x"] == pytest.approx(0.6 * np.cos(run["rod.angle"]))


def test_the_table_in_the_documents_is_the_registry():
    assert quantities.table() in (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")


ANGLES = {"odd.cardan.x": 2.6, "odd.cardan.y": "-50 deg", "odd.cardan.z": -1.9}
TRIPLE = (2.6, np.radians(-50.0), -1.9)


def test_cardan_angles_are_those_of_the_orientation(run):
    for name in ("odd", "box"):
        assert run[f"{name}.cardan"] == pytest.approx(run.orientation(name).angles("XYZ"), abs=0)
        back = [lw.Orientation.from_angles("XYZ", angles).matrix for angles in run[f"{name}.cardan"]]
        assert np.array(back) == pytest.approx(run.orientation(name).matrix, abs=1e-12)
        assert run.unit(f"{name}.cardan.y") == "rad"
    plane = gallery.four_bar().simulate(0.1, coordinates="body")
    assert "crank.cardan.x" not in plane


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_cardan_angles_as_start_values(coordinates):
    m = tumbling()
    state = m.assemble(start=ANGLES, coordinates=coordinates).state
    wanted = lw.Orientation.from_angles("XYZ", TRIPLE).matrix
    found = m.evaluate(state, coordinates=coordinates)
    assert found.orientation("odd").matrix == pytest.approx(wanted, abs=1e-10)
    for (name, _), value in zip(ANGLES.items(), TRIPLE):
        assert state[name] == pytest.approx(value, abs=1e-10)
    # one alone holds that one
    for name, value in zip(ANGLES, TRIPLE):
        state = m.assemble(start={name: value}, coordinates=coordinates).state
        assert state[name] == pytest.approx(value, abs=1e-10)
    # rates of the first and the third
    state = m.assemble(start={**ANGLES, "odd.cardan.x.rate": 1.5, "odd.cardan.z.rate": -0.5}, coordinates="body").state
    w = np.array([state[f"odd.angular_velocity.{axis}"] for axis in "xyz"])
    (_, b, c), (x, y, z) = TRIPLE, w  # a' = (x cos c - y sin c) / cos b,  c' = z - a' sin b
    first = (x * np.cos(c) - y * np.sin(c)) / np.cos(b)
    assert first == pytest.approx(1.5, abs=1e-10) and z - first * np.sin(b) == pytest.approx(-0.5, abs=1e-10)


def test_rates_of_cardan_angles_are_those_of_differences():
    run = tumbling().simulate(np.linspace(0.0, 0.02, 41), start=ANGLES, coordinates="body", rtol=1e-12)
    for axis in "xyz":
        name = f"odd.cardan.{axis}"
        for one, other, unit in ((name, f"{name}.rate", "rad/s"), (f"{name}.rate", f"{name}.acceleration", "rad/s^2")):
            slope = np.gradient(run[one], run.t, edge_order=2)[2:-2]
            assert run[other][2:-2] == pytest.approx(slope, rel=2e-4, abs=2e-4 * np.abs(slope).max())
            assert run.unit(other) == unit


def test_a_torque_in_space_reads_the_speed_that_it_acts_along():
    """Its axis may stand anywhere against the other frame: there is no angle about it."""
    m = lw.Mechanism("tumbling", dimension=3, gravity=None)
    body = m.add("body", lw.Body(1.0, (0.1, 0.2, 0.3), angular_velocity=(3.0, 2.0, 1.0)))
    m.add("load", lw.Torque(body, 0.5))
    m.add("world", lw.Torque(body, 0.5, axes="world"))
    run = m.simulate(3.0, every=0.1, coordinates="body")
    assert not [name for name in run.names if name in ("load.angle", "world.angle")]
    assert run["load.speed"] == pytest.approx(run["body.angular_velocity.z"], abs=1e-12)
    assert run["world.speed"] == pytest.approx(run["body.angular_velocity.world.z"], abs=1e-12)
    assert run["load.power"] == pytest.approx(0.5 * run["load.speed"], abs=1e-12)
    assert run.unit("load.speed") == "rad/s"
    assert m.assemble(start={"load.speed": 4.0}, coordinates="body")["load.speed"] == pytest.approx(4.0)
    flat = lw.gallery.pendulum()
    flat.add("load", lw.Torque(flat["A"].to, 0.5))
    assert "load.angle" in flat.simulate(0.1, coordinates="body").names


def test_cardan_angles_that_cannot_be_held():
    m = tumbling()
    for start, words in (
        ({"odd.cardan.y": 2.0}, "quarter turn"),
        ({"odd.cardan.y": float("inf")}, "finite"),
        ({"odd.cardan.y.rate": 1.0}, "angular_velocity"),
        ({"odd.cardan.y": "3 m"}, "unit"),
    ):
        with pytest.raises(DescriptionError, match=words):
            m.assemble(start=start, coordinates="body")
    with pytest.raises(UnknownNameError):
        gallery.four_bar().assemble(start={"crank.cardan.x": 1.0}, coordinates="body")


def test_time_is_a_quantity_as_others_are():
    run = lw.gallery.pendulum().simulate(0.2, every=0.1, coordinates="body")
    for name in ("t", "time"):
        assert np.array_equal(run[name], run.t) and name in run and run.unit(name) == "s"
        assert run.describe(name) == f"{name} [s]: time (time of the motion)" and run.long_name(name) == "time"
        assert run.final[name] == 0.2 and run.read(name, to="ms")[-1] == pytest.approx(200.0)
        assert run.scalars([name]) == [name]
    assert not {"t", "time"} & set(run.names)  # it is the axis of every table, and no column beside it
    for wrong in ("t.rate", "t.x", "time."):
        with pytest.raises(lw.errors.UnknownNameError):
            run[wrong]


def test_a_quantity_of_an_item_that_does_not_exist_names_the_items():
    run = gallery.four_bar().simulate(0.01, coordinates="body")
    with pytest.raises(UnknownNameError, match=r"no item 'motor' in .*, wanted by 'motor.effort'.*'A'"):
        run["motor.effort"]
    with pytest.raises(UnknownNameError, match=r"no quantity 'AA.angle'.*Nearest: 'A.angle'"):
        run["AA.angle"]


@pytest.mark.parametrize(
    ("mechanism", "name", "meant"),
    [
        ("four_bar", "crank.angular_acceleration", "crank.angle.acceleration"),
        ("spatial_chain", "link1.angular_acceleration.z", "link1.angular_velocity.z.rate"),
        ("spatial_chain", "link1.angular_acceleration", "link1.angular_velocity"),
    ],
)
def test_an_angular_acceleration_is_known_by_another_name(mechanism, name, meant):
    run = gallery.get(mechanism).simulate(0.01, coordinates="body")
    with pytest.raises(UnknownNameError, match="Nearest: ") as raised:
        run[name]
    assert meant in raised.value.nearest
    assert run[meant] is not None


def test_names_of_springs_do_not_depend_on_their_numbers():
    m = lw.Mechanism("sprung")
    m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "rod.a"))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 2), "rod.b", stiffness=10.0))
    m.add("coil", lw.TorsionSpringDamper("ground", "rod", stiffness=1.0))
    none = m.with_numbers({"spring.stiffness": 0.0, "coil.stiffness": 0.0})
    run = none.simulate(0.2, every=0.1, coordinates="body")
    assert run.names == m.simulate(0.2, every=0.1, coordinates="body").names
    for name in ("spring.tension", "spring.force", "spring.power", "coil.torque", "coil.power"):
        assert run[name].tolist() == [0.0, 0.0, 0.0], name
    table = m.sweep(
        {"spring.stiffness": [0.0, 10.0]}, read="spring.tension.max", times=0.2, workers=1, coordinates="body"
    )
    assert table["spring.tension.max"].values[0] == 0.0 and table["spring.tension.max"].values[1] > 0.0
    assert not any(one.name in ("spring", "coil") for one in run.free_body("rod", 0.0).loads)
    with pytest.warns(lw.errors.MisfitWarning, match="makes no force: all its numbers are 0"):
        assert "springdamper spring makes no force" in str(none.check(coordinates="body"))
    with pytest.warns(lw.errors.MisfitWarning, match="stiffness below 0, -1"):
        m.with_numbers({"spring.stiffness": -1.0}).check(coordinates="body")
