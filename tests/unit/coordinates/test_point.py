"""Point coordinates: which points are chosen, what is left to rows, and the motion of the other sets."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery
from linkwork.analysis.entering import enter
from linkwork.coordinates import SETS
from linkwork.errors import CompileError
from linkwork.kernels import layout as at


def layout_of(m):
    return m.compile(coordinates="body").plan("point").layout


def counts(m):
    """Coordinates and rows."""
    plan = m.compile(coordinates="body").plan("point")
    return plan.n_v, len(plan.rows)


def agrees(m, start=None, sets=SETS, tolerance=1e-9):
    """Accelerations and reactions of one state in all sets."""
    state = m.assemble(start=start, coordinates="body").state
    found = [m.evaluate(state, coordinates=one) for one in sets]
    for other in found[1:]:
        scale = max(1.0, np.abs(found[0].accelerations).max(initial=0.0))
        np.testing.assert_allclose(other.accelerations, found[0].accelerations, rtol=0, atol=tolerance * scale)
        for joint in m.joints:
            one, two = found[0].reaction(joint), other.reaction(joint)
            scale = max(1.0, np.abs(one.force).max())
            np.testing.assert_allclose(two.force, one.force, rtol=0, atol=tolerance * scale)
            np.testing.assert_allclose(two.moment, one.moment, rtol=0, atol=tolerance * scale)


def plate(pins=5):
    """A plate with arms on its pins; the first two hang on the ground."""
    m = lw.Mechanism("plate")
    body = m.add("plate", lw.Body(3.0, 0.7, center=(0.1, 0.2), position=(0, 0), angle=0.1))
    for k in range(pins):
        turn = 2 * np.pi * k / pins
        at_plate = (np.cos(turn), np.sin(turn))
        arm = m.add(f"arm{k}", lw.bar(length=0.8, mass=0.5 + 0.1 * k))
        m.add(f"P{k}", lw.Revolute(body.at(*at_plate), arm.a))
        if k == 0:
            m.add("G0", lw.Revolute(m.ground.at(1.7, 0.3), arm.b))
    return m


def test_the_points_of_a_four_bar():
    layout = layout_of(gallery.four_bar())
    assert [place.joints for place in layout.choice.places] == [("B",), ("C",)]
    assert counts(gallery.four_bar()) == (4, 3)
    assert [row.name for row in layout.own_rows] == ["length of crank", "length of coupler", "length of rocker"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("slider_crank", (4, 4)), ("andrews", (8, 7)), ("double_a_arm", (4, 3)), ("six_bar_quick_return", (7, 7))],
)
def test_numbers_of_coordinates_and_rows(name, wanted):
    n_v, rows = counts(gallery.get(name))
    assert n_v - rows == wanted[0] - wanted[1] and n_v <= wanted[0]


def test_further_points_of_a_plate_are_secondary():
    m = plate()
    layout = layout_of(m)
    assert len(layout.choice.secondary) == 3 and "secondary" in str(m.check(coordinates="point"))
    agrees(m)


def two_pins():
    """A body between two stationary pins: one of them is left to its rows."""
    m = lw.Mechanism("beam")
    beam = m.add("beam", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), beam.a))
    m.add("B", lw.Revolute(m.ground.at(1, 0), beam.b))
    return m


def double_pin():
    """Two bodies by two pins move as one, and swing."""
    m = lw.Mechanism("doubled")
    one, two = (m.add(name, lw.bar(length=1.0, mass=mass)) for name, mass in (("one", 2.0), ("two", 3.0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.a, two.a))
    m.add("C", lw.Revolute(one.b, two.b))
    return m


def star():
    """Three bars at one pin, in a ring of pins there."""
    m = lw.Mechanism("star")
    bars = [m.add(f"b{k}", lw.bar(length=1.0, mass=1.0 + k)) for k in range(3)]
    for k in range(3):
        m.add(f"P{k}", lw.Revolute(bars[k].a, bars[(k + 1) % 3].a))
    m.add("A", lw.Revolute(m.ground.at(0.5, 0.5), bars[0].b))
    return m


def welded():
    """A crank of two welded bodies, on a slide at an angle, with a particle at its end."""
    m = lw.Mechanism("welded")
    slide = m.add("slide", lw.Body(2.0, 0.3, center=(0.1, -0.2)))
    one = m.add("one", lw.Body(1.0, 0.2, center=(0.3, 0.1)))
    two = m.add("two", lw.Body(0.7, 0.1, center=(-0.2, 0.4)))
    bob = m.add("bob", lw.Particle(0.4))
    m.add("S", lw.Prismatic(m.ground.at(0, 0, angle=0.4), slide.at(0.2, 0.1, angle=-0.3)))
    m.add("A", lw.Revolute(slide.at(0.3, 0.2), one.at(0, 0)))
    m.add("W", lw.Fixed(one.at(0.5, 0.2, angle=0.7), two.at(-0.3, 0.1, angle=-0.2)))
    m.add("B", lw.Revolute(two.at(0.6, 0.0), bob))
    return m


def close_pins():
    """Two pins closer together than mass is spread: an angle, and one pin left to its rows."""
    m = lw.Mechanism("close")
    wheel = m.add("wheel", lw.Body(5.0, 2.0))
    arm, rod = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in ("arm", "rod"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), arm.a))
    m.add("B", lw.Revolute(arm.b, wheel.at(0, 0)))
    m.add("C", lw.Revolute(wheel.at(0.01, 0), rod.a))
    return m


@pytest.mark.parametrize("made", [double_pin, star, welded, close_pins, lambda: plate(3)])
def test_arrangements(made):
    m = made()
    start = {"A.angle": 0.4} if "A" in m.joints else None  # axes of pins and bars are not the same
    agrees(m, start)
    found = m.verify(0.3, start=start)
    assert found and list(found.runs) == list(SETS), str(found)


def test_a_body_between_stationary_pins():
    agrees(two_pins())


def test_close_points_get_an_angle():
    layout = layout_of(close_pins())
    assert "wheel" in [layout.choice.turnings[c].name for c in layout.choice.angles]


def test_without_mass():
    m = gallery.four_bar().with_numbers({"coupler.mass": 0.0})
    agrees(m, sets=("body", "point"))
    assert m.verify(0.5)


def wound(stiffness=0.4, link=0.0):
    """Two bars on a coil spring to the ground, and one between them where `link` says how stiff."""
    m = lw.Mechanism("wound", gravity=None)
    bar_ = m.add("bar", lw.bar(length=1.0, mass=1.0))
    arm = m.add("arm", lw.bar(length=0.5, mass=0.3))
    m.add("A", lw.Revolute(m.ground, bar_.a))
    m.add("B", lw.Revolute(bar_.b, arm.a))
    m.add("coil", lw.TorsionSpringDamper(m.ground, bar_, stiffness=stiffness))
    if link:
        m.add("link", lw.TorsionSpringDamper(bar_, arm, stiffness=link))
    return m


def test_full_turns_of_a_coil():
    start = {"A.angle": 0.3, "A.angle.rate": 25.0, "B.angle": 0.2, "B.angle.rate": 0.0}
    runs = [wound().simulate(4.0, every=0.5, start=start, coordinates=one, rtol=1e-10) for one in SETS]
    assert runs[0]["bar.angle"].max() > 2 * np.pi * 4
    for other in runs[1:]:
        for name in ("bar.angle", "arm.angle", "A.angle", "energy.balance"):
            np.testing.assert_allclose(other[name], runs[0][name], atol=1e-6)


@pytest.mark.parametrize("name", ["planetary_gear", "cart"])
def test_full_turns_of_wheels(name):
    m = gallery.get(name)
    runs = [m.simulate(2.0, every=0.5, coordinates=one, rtol=1e-9) for one in SETS]
    turned = max(np.ptp(runs[0][f"{body}.angle"]) for body in m.bodies if f"{body}.angle" in runs[0].names)
    for other in runs[1:]:
        for body in m.bodies:
            if f"{body}.angle" in other.names:
                np.testing.assert_allclose(other[f"{body}.angle"], runs[0][f"{body}.angle"], atol=1e-5 * max(1, turned))


def test_states_keep_turns():
    """Bodies that turn together may be whole turns apart, as they were declared."""
    m = lw.Mechanism("apart")
    one = m.add("one", lw.bar(length=1.0, mass=1.0, angle=0.3))
    two = m.add("two", lw.Body(1.0, 0.2, angle=0.3 + 4 * np.pi))
    m.add("A", lw.Revolute(m.ground, one.a))
    m.add("S", lw.Prismatic(one.at(0, 0), two.at(0, 0)))
    runs = [m.simulate(0.2, every=0.1, coordinates=one) for one in SETS]
    for run in runs:
        assert run["two.angle"][0] == pytest.approx(runs[0]["two.angle"][0], abs=1e-9)


def test_a_free_wheel_takes_no_more_steps():
    m = lw.Mechanism("wheel")
    m.add("wheel", lw.Body(1.0, 0.1, angular_velocity=100.0))
    steps = {one: m.simulate(2.0, coordinates=one).statistics.steps for one in SETS}
    assert steps["point"] <= steps["body"]


def test_a_dead_centre_is_not_singular():
    """Crank and rod in line: pivots vanish only where rows depend on each other."""
    m = gallery.slider_crank()
    for driver in list(m.drivers):
        m.remove(driver)
    state = m.assemble(start={"A.angle": 0.0}, coordinates="body").state
    system, y, usual = enter(state.model, "point", state)
    system.derivative(state.t, y)
    assert system.w[at.PIVOT] > 1e-3


def parallelogram():
    m = lw.Mechanism("parallelogram")
    plate_ = m.add("plate", lw.Body(5.0, 2.0, position=(0.5, 1.0), angle=0.0))
    for k in range(3):
        crank = m.add(f"crank{k}", lw.bar(length=1.0, mass=1.0, position=(k / 2, 0.5), angle=np.pi / 2))
        m.add(f"A{k}", lw.Revolute(m.ground.at(k / 2, 0), crank.a))
        m.add(f"B{k}", lw.Revolute(crank.b, plate_.at(k / 2 - 0.5, 0)))
    return m


def test_a_length_that_follows_from_others():
    m = parallelogram()
    state = m.assemble(start={"A0.angle": 1.1}, coordinates="body").state
    system, _, _ = enter(state.model, "point", state)
    assert int((system.held == 0.0).sum()) == 1
    agrees(m, start={"A0.angle": 1.1}, tolerance=1e-8)
    assert m.verify(0.5, start={"A0.angle": 1.1})


def test_released_pins_share_nothing():
    m = gallery.four_bar()
    model = m.compile(coordinates="body")
    row = model.rows_of["B"][0]
    layout = model.plan("point", free=frozenset({row})).layout
    assert [place.joints for place in layout.choice.places if place.joints] == [("C",)]
    assert model.rows_of["B"][1] not in layout.absorbed


def test_other_masses_of_a_prepared_run():
    m = gallery.four_bar()
    ready = m.prepare(0.3, coordinates="point")
    for mass in (0.5, 2.5):
        got = ready(numbers={"coupler.mass": mass})
        wanted = m.with_numbers({"coupler.mass": mass}).simulate(0.3, start=ready.state, coordinates="point")
        np.testing.assert_array_equal(got["crank.angle"], wanted["crank.angle"])


def test_its_names():
    system, _, _ = enter(*(lambda s: (s.model, "point", s))(gallery.four_bar().assemble(coordinates="body").state))
    assert system.state_names[:4] == ["B.x", "B.y", "C.x", "C.y"]
    assert len(system.state_names) == system.plan.n_q + system.plan.n_v


@pytest.mark.parametrize("mass", [1e-3, 1e-7, 1e-11, 1e-15])
def test_light_bodies_are_right_or_refused(mass):
    m = gallery.four_bar().with_numbers({"coupler.mass": mass})
    state = m.assemble(coordinates="body").state
    wanted = m.simulate(0.2, every=0.1, start=state, coordinates="body", rtol=1e-10)
    try:
        got = m.simulate(0.2, every=0.1, start=state, coordinates="point", rtol=1e-10)
    except CompileError as error:
        assert "light" in str(error)
        return
    np.testing.assert_allclose(got["crank.angle"], wanted["crank.angle"], atol=1e-7)


def test_chains_without_mass_are_refined_to_the_end():
    """Rows are met before accelerations are: the bars in between weigh nothing, and those at the end are slender."""
    m = lw.Mechanism("light chain")
    on = m.ground
    rng = np.random.default_rng(5)
    for k in range(6):
        mass = 0.0 if k % 3 != 2 else 1.0
        body = m.add(f"b{k}", lw.Body(mass, 1e-4 * mass, points={"a": (0, 0), "b": tuple(rng.uniform(-1, 1, 2))}))
        m.add(f"J{k}", lw.Revolute(on, body.a))
        on = body.b
    tip = m.add("tip", lw.Particle(1.0))
    m.add("T", lw.Revolute(on, tip))
    agrees(
        m, start={f"J{k}.angle": float(angle) for k, angle in enumerate(rng.uniform(-1, 1, 6))}, sets=("body", "point")
    )


@pytest.mark.parametrize("tilt", [-2.2, -1.1, 0.3, 1.0, 2.2, 2.7])
def test_a_second_weld_holds_nothing_but_what_the_first_does(tilt):
    # rows between bodies that are one are rounding in points; a compound pendulum by hand
    along, across = np.exp(1j * tilt), 1j * np.exp(1j * tilt)
    arm, box = 0.6 * along, 1.1 * along + 0.2 * across
    m = lw.Mechanism("bracket")
    places = [{"position": (z.real, z.imag), "velocity": (-1.1 * z.imag, 1.1 * z.real)} for z in (arm, box)]
    one = m.add("arm", lw.Body(2.0, 0.3, angle=tilt, angular_velocity=1.1, **places[0]))
    other = m.add("box", lw.Body(3.0, 0.2, angle=tilt + 0.7, angular_velocity=1.1, **places[1]))
    m.add("A", lw.Revolute("ground", one.at(-0.6, 0)))
    m.add("W", lw.Fixed(one.at(0.3, 0.1), other.at(0.1, -0.2), as_declared=True))
    m.add("W2", lw.Fixed(one.at(0.37, 0.23, angle=0.4), other.at(0.05, 0.02, angle=-1.0), as_declared=True))
    inertia = 0.3 + 2.0 * abs(arm) ** 2 + 0.2 + 3.0 * abs(box) ** 2
    wanted = -9.81 * (2.0 * arm.real + 3.0 * box.real) / inertia
    force = 2.0 * (arm * (1j * wanted - 1.21) + 9.81j) + 3.0 * (box * (1j * wanted - 1.21) + 9.81j)
    for state in (None, m.assemble(coordinates="body").state):
        found = m.evaluate(state, coordinates="point")
        assert found["arm.angle.acceleration"] == pytest.approx(wanted, rel=1e-9)
        assert complex(*found.reaction("A").force) == pytest.approx(force, rel=1e-9)
        least = m.evaluate(state, coordinates="body").reaction("W").force
        assert found.reaction("W").force == pytest.approx(least, rel=1e-9)
