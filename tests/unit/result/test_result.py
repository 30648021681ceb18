"""Results: series by name, states between outputs, tables with units, reactions, energy by element."""

import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.result.report import without_rounding


@pytest.fixture(scope="module")
def mechanism():
    m = lw.Mechanism("crank")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    rod = m.add("rod", lw.bar(length=2.0, mass=1.5, points={"tracer": (0.1, 0.4)}))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.PinInSlot(m.ground.at(0, 0.2), rod.b))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 3), rod.tracer, stiffness=20.0, rest_length=1.0, damping=0.5))
    m.add("twist", lw.TorsionSpringDamper(m.ground, crank, stiffness=2.0))
    m.add("motor", lw.Torque(crank, lw.Harmonic(2.0, 3.0)))
    return m


@pytest.fixture(scope="module")
def run(mechanism):
    return mechanism.simulate(1.0, every=0.05, start={"A.angle": 0.8}, rtol=1e-11, coordinates="body")


def _given_out(run):
    """What a result gives out that it keeps, or keeps together with what it gives."""
    energy = run.energy
    yield from (
        run["A.angle"],
        run["A.angle.rate"],
        run["rod.tracer"],
        run["A.reaction"],
        run["energy.total"],
        run["t"],
    )
    yield from (run.t, run.t[2:], run.multipliers, run.violation)
    yield from (run.reaction("A").force, run.reaction("B", on="crank", axes="joint").moment, run["A.reaction"][:, 0])
    yield from (energy.kinetic, energy.gravity, energy.potential, energy.dissipated, energy.supplied, energy.lost)
    yield from (*energy.by_element.values(), *energy.work.values(), energy.kept)
    yield from (run.orientation("rod").quaternion, run.orientation("rod").t)
    yield from (run.state(0).values, run.state(0).dependencies)


def test_arrays_of_a_result_are_only_to_be_read(mechanism, tmp_path):
    run = mechanism.simulate(1.0, every=0.1, start={"A.angle": 0.8}, coordinates="body")
    joined = run + mechanism.simulate(1.0, start=run.final, coordinates="joint")
    before = {name: run[name].copy() for name in run.names}
    others = (pickle.loads(pickle.dumps(run)), joined, mechanism.kinematics(over={"A.angle": (0.8, 1.0, 3)}))
    for kept in _given_out(run):
        with pytest.raises(ValueError, match="read-only"):
            kept *= 2.0
    for other in others:
        for array in (other.t, other["rod.tracer"], other["A.angle"]):
            with pytest.raises(ValueError, match="read-only"):
                array *= 2.0
    run.save(tmp_path / "run.nc")
    loaded = lw.load(tmp_path / "run.nc")
    for name, values in before.items():
        assert np.array_equal(run[name], values) and np.array_equal(loaded[name], values), name


def test_what_others_are_given_is_their_own(run):
    table, angle = run.to_xarray(["A.angle"]), run["A.angle"].copy()
    table["A.angle"].values[:] = 0.0
    frame = run.to_pandas(["A.angle"])
    frame["A.angle"] *= 2.0
    assert np.array_equal(run["A.angle"], angle) and angle.flags.writeable
    again = run.mechanism.simulate(run.t, start=run.state(0), rtol=1e-11, coordinates="body")
    assert np.allclose(again["A.angle"], angle, atol=1e-8)


def test_every_name_gives_a_finite_series(run):
    for name in run.names:
        assert run[name].shape == run.t.shape, name
        assert np.all(np.isfinite(run[name])), name
        assert name in run
    assert "crank.nothing" not in run


@pytest.mark.parametrize("name", ["crank.angle", "rod.x", "rod.tracer.y", "A.angle", "C.slide", "spring.length"])
def test_rates_and_accelerations_belong_to_the_values(mechanism, name):
    h = 2e-3
    times = [0.0, *(0.5 + h * np.arange(-2, 3))]
    near = mechanism.simulate(times, start={"A.angle": 0.8}, rtol=1e-12, coordinates="body")
    for end, higher in (("", ".rate"), (".rate", ".acceleration")):
        slope = near[name + end][1:] @ [1.0, -8.0, 0.0, 8.0, -1.0] / (12.0 * h)
        assert near[name + higher][3] == pytest.approx(slope, rel=1e-6, abs=1e-6)


def test_states_between_outputs(mechanism, run):
    fine = mechanism.simulate([0.0, 0.5, 0.5125, 0.525], start={"A.angle": 0.8}, rtol=1e-11, coordinates="body")
    for k, t in ((2, 0.5125), (3, 0.525)):
        state = run.at(t)
        assert state.t == t
        for name in ("crank.angle", "rod.x", "rod.y"):
            assert state[name] == pytest.approx(fine[name][k], abs=1e-6)
            assert state[f"{name}.rate"] == pytest.approx(fine[f"{name}.rate"][k], abs=1e-4)
        ev = mechanism.evaluate(state, coordinates="body")
        assert np.abs(ev.constraint_error).max() < 1e-12
        assert np.abs(ev.velocity_error).max() < 1e-10
    assert run.at(0.5)["rod.x"] == run["rod.x"][10]
    assert np.array_equal(run.final.y, run.state(-1).y)


def test_system_series(run, mechanism):
    masses = {"crank": 1.0, "rod": 1.5}
    for axis in "xy":
        wanted = sum(mass * run[f"{name}.{axis}"] for name, mass in masses.items()) / 2.5
        assert run[f"system.center.{axis}"] == pytest.approx(wanted)
        wanted = sum(mass * run[f"{name}.{axis}.rate"] for name, mass in masses.items())
        assert run[f"system.momentum.{axis}"] == pytest.approx(wanted)


def test_energy_by_element(run):
    by = run.energy.by_element
    assert by["spring"] == pytest.approx(10.0 * (run["spring.length"] - 1.0) ** 2)
    assert by["twist"] == pytest.approx(run["twist.angle"] ** 2)
    assert set(by) == {"spring", "twist"}
    gravity = 9.81 * (run["crank.y"] + 1.5 * run["rod.y"])
    assert run.energy.gravity == pytest.approx(gravity)
    assert run.energy.potential == pytest.approx(gravity + by["spring"] + by["twist"])
    assert run.energy.total == pytest.approx(run.energy.kinetic + run.energy.potential)
    assert np.abs(run.energy.balance).max() < 1e-8
    assert run.energy.dissipated[-1] > 0.01
    assert {"spring.damper", "motor.of time"} <= set(run.energy.work)


def test_forces_by_name(run):
    tension = 20.0 * (run["spring.length"] - 1.0) + 0.5 * run["spring.length.rate"]
    assert run["spring.tension"] == pytest.approx(tension)
    assert run["spring.force"] == pytest.approx(-tension)
    assert run["spring.power"] == pytest.approx(-tension * run["spring.length.rate"])
    assert run["motor.torque"] == pytest.approx(2.0 * np.sin(3.0 * run.t))


def test_reactions_by_side_and_axes(run):
    on_rod, on_crank = run.reaction("B"), run.reaction("B", on="crank")
    assert on_rod.body == "rod"
    assert on_rod.force == pytest.approx(-on_crank.force)
    assert on_rod.unique
    assert run["B.reaction.x"] == pytest.approx(on_rod.force[:, 0])
    assert on_rod.magnitude == pytest.approx(np.hypot(*on_rod.force.T))
    turned = run.reaction("B", axes="joint").force
    c, s = np.cos(run["crank.angle"]), np.sin(run["crank.angle"])
    assert turned[:, 0] == pytest.approx(c * on_rod.force[:, 0] + s * on_rod.force[:, 1])
    # a slot without friction pushes across itself only, and a pin takes no moment
    assert run["C.reaction.x"] == pytest.approx(np.zeros(len(run.t)), abs=1e-9)
    assert run["C.moment"] == pytest.approx(np.zeros(len(run.t)), abs=1e-9)
    # ground feels the opposite of what the crank feels
    assert run.reaction("A", on="ground").force == pytest.approx(-run.reaction("A").force)


def test_a_drivers_effort_and_power():
    m = lw.Mechanism("driven")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.0, 2.0)))
    run = m.simulate(1.0, every=0.1, coordinates="body")
    # at constant speed the motor carries the weight: m g L/2 cos(angle)
    assert run["motor.effort"] == pytest.approx(9.81 * 0.5 * np.cos(2.0 * run.t), abs=1e-9)
    assert run["motor.power"] == pytest.approx(2.0 * run["motor.effort"])
    assert run.energy.supplied == pytest.approx(9.81 * 0.5 * np.sin(2.0 * run.t), abs=1e-8)


def test_a_direction_counts_turns_between_far_outputs():
    m = lw.Mechanism("sling", gravity=None)
    body = m.add("body", lw.Body(1.0, 0.1))
    m.add("J", lw.Rod(m.ground.at(), body.at(), length=1.0))
    start = {"J.direction": 0.0, "J.direction.rate": 6.0}
    run = m.simulate(5.0, every=1.0, start=start, coordinates="body")
    assert run["J.direction"] == pytest.approx(6.0 * run.t, abs=1e-5)


def test_tables_with_units(run):
    pytest.importorskip("xarray")
    data = run.to_xarray()
    units = {"crank.x": "m", "A.angle": "rad", "B.reaction.x": "N", "B.moment": "N m", "spring.tension": "N",
             "spring.power": "W", "energy.kinetic": "J", "system.momentum.x": "kg m/s", "motor.torque": "N m",
             "system.angular_momentum": "kg m^2/s", "system.center.x": "m"}  # fmt: skip
    for name, unit in units.items():
        assert data[name].attrs["units"] == unit, name
        assert data[name].values == pytest.approx(run[name])
    assert data.time.attrs["units"] == "s"
    assert data.attrs["mechanism"] == "crank"
    rates = run.to_xarray(["crank.x.rate", "A.angle.acceleration"])
    assert [rates[name].attrs["units"] for name in rates] == ["m/s", "rad/s^2"]


def test_data_frames(run):
    pytest.importorskip("pandas")
    frame = run.to_pandas(["crank.x", "spring.tension"])
    assert list(frame.columns) == ["crank.x", "spring.tension"]
    assert frame.index.name == "time"
    assert frame["crank.x"].to_numpy() == pytest.approx(run["crank.x"])
    assert frame.attrs["units"] == {"time": "s", "crank.x": "m", "spring.tension": "N"}


def test_printing_sums_up(run):
    text = str(run)
    for words in ("Motion of 'crank' in body coordinates", "0 to 1 s, 21 times", "largest constraint error", "A.angle"):
        assert words in text
    assert repr(run) == "<motion of 'crank': 21 times, 0 to 1 s>"


def test_a_state_between_far_outputs_is_as_good_as_the_run():
    m = lw.Mechanism("double pendulum")
    before = m.ground.at(0, 0)
    for name in ("one", "two"):
        bar = m.add(name, lw.bar(length=1.0, mass=1.0))
        m.add(f"pin {name}", lw.Revolute(before, bar.a))
        before = bar.b
    coarse = m.simulate(3.0, every=3.0, rtol=1e-10, coordinates="body")
    fine = m.simulate([0.0, 1.5], rtol=1e-12, coordinates="body")
    assert coarse.at(1.5)["two.angle"] == pytest.approx(fine["two.angle"][-1], abs=1e-8)


def test_what_is_added_after_a_run_does_not_change_it():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, rod.a))
    run, same = (m.simulate(0.5, coordinates="body") for _ in range(2))
    m.add("motor", lw.Torque(rod, 3.0))
    m.add("other", lw.Body(1.0, 1.0))
    assert np.array_equal(run["rod.b.x"], same["rod.b.x"])
    assert abs(run.energy.balance).max() < 1e-7
    assert "other.x" not in run.names


@pytest.mark.parametrize("stiffness", [3.0, lambda elongation: 3.0 * elongation, lw.Table([-1, 0, 1], [-3, 0, 3])])
def test_energy_of_a_spring_does_not_depend_on_how_it_is_given(stiffness):
    m = lw.Mechanism("bead", gravity=None)
    bead = m.add("bead", lw.Particle(1.0, position=(1.5, 0.0)))
    m.add("spring", lw.SpringDamper(m.ground, bead, stiffness=stiffness, rest_length=1.0))
    assert m.evaluate(coordinates="body").energy.potential == pytest.approx(0.5 * 3.0 * 0.5**2, rel=1e-9)
    run = m.simulate(1.0, rtol=1e-10, coordinates="body")
    stretch = run["spring.length"] - 1.0
    assert run.energy.by_element["spring"] == pytest.approx(1.5 * stretch**2, abs=1e-8)


def test_pickled_and_back(run):
    back = pickle.loads(pickle.dumps(run))
    name = next(iter(run.names))
    assert np.array_equal(back[name], run[name])
    state = pickle.loads(pickle.dumps(run.final))
    assert np.array_equal(state.y, run.final.y)
    linked = [
        any("_linked_table" in vars(plan) for plan in model._plans.values()) for model in (run.model, state.model)
    ]
    assert linked == [True, False] and not state._made  # addresses and entries belong to one process
    again = lw.simulate(state.model, [state.t, state.t + 0.1], start=state, coordinates="body")
    same = lw.simulate(run.model, [state.t, state.t + 0.1], start=run.final, coordinates="body")
    assert np.array_equal(again[name], same[name])


def test_what_a_summary_leaves_out_is_counted():
    m = lw.Mechanism("chain")
    before = m.ground.at(0, 0)
    for k in range(7):  # each rod has two angles to show: its own and that of its joint
        rod = m.add(f"rod{k}", lw.bar(length=0.3, mass=1.0))
        m.add(f"J{k}", lw.Revolute(before, rod.a))
        before = rod.b
    run = m.simulate(0.05, coordinates="joint")
    text = str(run).splitlines()
    assert sum("[rad]" in line for line in text) == 10
    assert text[-1].strip().startswith("and 4 more of these") and "run.names" in text[-1]
    assert "more of these" not in str(lw.gallery.pendulum().simulate(0.05, coordinates="body"))


def test_other_ways_that_a_report_leaves_out_are_counted():
    assembly = lw.gallery.four_bar().assemble(start={"A.angle": 1.0}, coordinates="body")
    way = assembly.others[0]
    assembly.__dict__["others"] = [way] * 6
    assert str(assembly).splitlines()[-1].strip() == "and 2 more in assembly.others"


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_reactions_of_redundant_parts_that_do_not_touch(coordinates):
    """Two doors on two hinges each: every door carries its own weight as if the other were not there."""

    def doors(count):
        m = lw.Mechanism("doors", dimension=3)
        for k in range(count):
            door = m.add(f"door{k}", lw.box(0.8, 0.04, 2.0, mass=20.0 + k, position=(0.4, 3.0 * k, 1.0)))
            for height in (0.3, 1.7):
                on, to = m.ground.at(0, 3.0 * k, height), door.at(-0.4, 0, height - 1.0)
                m.add(f"hinge{k}{height > 1}", lw.Revolute(on, to))
        return m.simulate(0.2, every=0.05, start={f"door{k}.angular_velocity.z": 1.0 + k for k in range(count)},
                          coordinates=coordinates)  # fmt: skip

    one, two = doors(1), doors(2)
    for hinge in ("hinge0False", "hinge0True"):
        alone, beside = one.reaction(hinge), two.reaction(hinge)
        assert beside.force == pytest.approx(alone.force, abs=1e-7)
        assert beside.moment == pytest.approx(alone.moment, abs=1e-7)
        assert not beside.unique
    for k in range(2):
        carried = sum(two[f"hinge{k}{upper}.reaction.z"] for upper in (False, True))
        assert carried == pytest.approx(np.full(len(two.t), 9.81 * (20.0 + k)), abs=1e-7)


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_a_pickled_result_is_read_like_the_first(coordinates, protocol):
    import pickle

    run = lw.gallery.get("four_bar").simulate(0.2, every=0.05, coordinates=coordinates)
    again = pickle.loads(pickle.dumps(run, protocol))
    for name in ("B.reaction.x", "D.angle.acceleration", "energy.balance"):
        assert np.array_equal(again[name], run[name])
    assert str(again) == str(run)


def test_a_result_read_by_several_threads():
    from concurrent.futures import ThreadPoolExecutor

    run = lw.gallery.get("four_bar").simulate(0.2, every=0.02, coordinates="joint")
    ends = ("", ".rate", ".acceleration")
    names = [f"{name}{end}" for name in ("A.angle", "D.angle", "crank.x", "coupler.y") for end in ends]
    wanted = {name: lw.gallery.get("four_bar").simulate(0.2, every=0.02, coordinates="joint")[name] for name in names}
    for _ in range(20):
        run = lw.gallery.get("four_bar").simulate(0.2, every=0.02, coordinates="joint")
        with ThreadPoolExecutor(8) as pool:
            for name, series in zip(names * 4, pool.map(run.__getitem__, names * 4)):
                assert np.array_equal(series, wanted[name])


def test_rounding_is_shown_as_zero():
    rows = without_rounding([[1.0, -2.8e-14], [3e-15, 4e-15], [2e-14, 0.5], [np.nan, 1e-20]], ["m", "m", "rad", "N"])
    assert rows[:3].tolist() == [[1.0, 0.0], [0.0, 0.0], [0.0, 0.5]]
    assert np.isnan(rows[3, 0]) and rows[3, 1] == 1e-20  # nothing of its unit is larger


def test_what_stands_still_compares_its_energy_with_nothing():
    m = lw.Mechanism("held")
    m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "rod.a"))
    m.add("hold", lw.Driver("A.angle", "30 deg"))
    text = str(m.simulate(1.0, coordinates="body"))
    assert "energy not accounted for" in text and "in play" not in text
    assert "of the largest in play" in str(lw.gallery.pendulum().simulate(0.1, coordinates="body"))


def test_a_body_that_floats_is_shown_with_its_place():
    m = lw.Mechanism("thrown")
    m.add("ball", lw.Particle(1.0, velocity=(3.0, 4.0)))
    lines = str(m.simulate(1.0, coordinates="body")).splitlines()
    assert [line.split()[0] for line in lines[-2:]] == ["ball.x", "ball.y"] and "3" in lines[-2].split()
    assert "crank.x" not in str(lw.gallery.four_bar().simulate(0.1, coordinates="body"))


def _hanging_on(joint):
    m = lw.Mechanism("hanging", dimension=3)
    m.add("rod", lw.cylinder(radius=0.01, length=1.0, mass=1.0, axis="x"))
    m.add("J", joint("ground", "rod.a"))
    return m


def _row(run, name):
    (line,) = [line for line in str(run).splitlines() if line.split()[:1] == [name]]
    return [float(word) for word in line.split()[2:]]


def test_freedoms_are_shown_whatever_their_names():
    run = _hanging_on(lw.Universal).simulate(1.0, every=0.1, start={"J.tilt": 0.5}, coordinates="joint")
    assert run.freedoms() == ["J.angle", "J.tilt"]
    assert _row(run, "J.angle") == [0.0, 0.0, 0.0, 0.0] and _row(run, "J.tilt")[1] < -3.0


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_what_a_slide_holds_does_not_turn_by_a_ball_that_is_on_it(coordinates):
    m = lw.Mechanism("press", dimension=3)
    for name, length in (("crank", 0.1), ("rod", 0.4), ("ram", 0.1)):
        m.add(name, lw.cylinder(radius=0.01, length=length, mass=0.5, axis="x"))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 0, 1)), "crank.a"))
    m.add("B", lw.Spherical("rod.a", "crank.b"))
    m.add("C", lw.Spherical("rod.b", "ram.a"))
    m.add("P", lw.Prismatic(m.ground.at(0, 0, 0), "ram.a"))
    run = m.simulate(0.01, start={"A.angle": "60 deg"}, coordinates=coordinates)
    assert sorted(run.freedoms()) == ["A.angle", "P.slide", "rod.cardan.x", "rod.cardan.y", "rod.cardan.z"]


@pytest.mark.filterwarnings("error")
def test_what_is_on_a_ball_is_shown_by_its_turns():
    run = _hanging_on(lw.Spherical).simulate(1.0, every=0.1, coordinates="joint")
    assert run.freedoms() == ["rod.cardan.x", "rod.cardan.y", "rod.cardan.z"]
    assert _row(run, "rod.cardan.y")[3] > 3.0 and _row(run, "rod.cardan.x") == [0.0, 0.0, 0.0, 0.0]


def test_rounding_is_small_beside_the_mechanism_too():
    rows = without_rounding([[1e-16, 1e-3], [2e-15, 0.0]], ["rad", "N"], {"rad": 1.0, "m": 1.0})
    assert rows.tolist() == [[0.0, 1e-3], [2e-15, 0.0]]
