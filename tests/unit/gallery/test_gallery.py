"""Every mechanism of the gallery assembles, moves with its energy kept, and is the same as its file."""

import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery

NAMES = gallery.names()
FREEDOM = {
    "double_pendulum": 2,
    "sliding_pendulum": 2,
    "slider_crank": 0,
    "six_bar_quick_return": 0,
    "cart": 0,
    "spatial_chain": 10,
}


def test_a_name_that_there_is_not_has_its_nearest():
    with pytest.raises(
        lw.errors.UnknownNameError, match=r"no mechanism 'fourbar' in the gallery\. Nearest: 'four_bar'"
    ):
        gallery.fourbar()
    assert not hasattr(gallery, "__nothing__") and not hasattr(gallery, "nothing")


def test_the_list_is_complete():
    assert NAMES == [
        "pendulum",
        "double_pendulum",
        "slider_crank",
        "four_bar",
        "inverted_slider_crank",
        "six_bar_quick_return",
        "sliding_pendulum",
        "double_a_arm",
        "macpherson_a",
        "macpherson_b",
        "cart",
        "n_four_bar",
        "andrews",
        "planetary_gear",
        "spatial_chain",
    ]
    assert gallery.__all__[4:] == NAMES  # written out, for type checkers
    files = {path.stem for path in Path(gallery.__file__).parent.glob("*.yaml")}
    assert files == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_assembles_and_moves_with_its_energy_kept(name):
    m = gallery.get(name)
    assert m.check(coordinates="body").freedom == FREEDOM.get(name, 1)
    run = m.simulate(0.03 if name == "andrews" else 0.2, coordinates="body")
    energy = run.energy
    exchanged = max(np.ptp(energy.kinetic), np.ptp(energy.potential), np.abs(energy.supplied).max(), 1e-3)
    assert np.abs(energy.balance).max() < 1e-6 * exchanged
    assert run.violation.max() < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_declared_positions_are_nearly_right(name):
    m = gallery.get(name)
    length = m.compile().length
    assert max(m.assemble(coordinates="body").moved.values()) < 0.05 * length


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_the_same_mechanism(name):
    document = lw.read_document(gallery.path(name))
    m = gallery.get(name)
    assert lw.digest(document.mechanism) == lw.digest(m)
    assert document.analysis["type"] == "simulate" and document.analysis["duration"] > 0.0
    for family in ("bodies", "joints", "drivers", "forces"):
        assert dict(getattr(document.mechanism, family)) == dict(getattr(m, family))


@pytest.mark.parametrize("name", NAMES)
def test_text_and_file_move_exactly_as_the_mechanism(name):
    m = gallery.get(name)
    run = m.simulate(0.2, coordinates="body")
    axes = ("x", "y", "angle") if m.dimension == 2 else ("x", "y", "z")
    coordinates = [
        f"{body}.{axis}{order}"
        for body in m.bodies
        for axis in axes
        for order in ("", ".rate")
        if axis != "angle" or m.bodies[body].has_angle
    ]
    for other in (lw.read(lw.to_text(m)), lw.read(gallery.path(name))):
        again = other.simulate(0.2, coordinates="body")
        assert np.array_equal(again.t, run.t)
        assert np.array_equal(again.stored()["states"], run.stored()["states"])  # orientations in space too
        for coordinate in coordinates:
            assert np.array_equal(again[coordinate], run[coordinate]), coordinate


@pytest.mark.parametrize("name", NAMES)
def test_the_file_reads_well(name):
    text = gallery.path(name).read_text(encoding="utf-8")
    assert text.startswith("# ") and "\nlinkwork: 1\n" in text and text.endswith("\n")
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_one_line_about_it(name):
    line = gallery.summary(name)
    assert line.endswith(".") and len(line) < 110


def test_names_are_found_as_people_write_them():
    assert gallery.get("Four-Bar").name == "four-bar"
    assert gallery.get("n_four_bar", n=2).bodies.keys() == {"upright0", "upright1", "upright2", "top0", "top1"}
    assert len(gallery.spatial_chain(3).bodies) == 3


@pytest.mark.parametrize("ask", [gallery.get, gallery.path, gallery.summary])
def test_unknown_name(ask):
    with pytest.raises(lw.errors.UnknownNameError, match="Nearest: 'four_bar'"):
        ask("fourbar")


def test_inverted_slider_crank_has_the_accelerations_of_the_book():
    """Nikravesh, example 9.5: theta1'', theta2'', theta3'' and the force in the cut pin."""
    m = gallery.inverted_slider_crank()
    ev = m.evaluate(m.assemble(coordinates="body").state, coordinates="body")
    got = [ev["O.angle.acceleration"], ev["Q.angle.acceleration"], ev["guide.slide.acceleration"]]
    np.testing.assert_allclose(got, (-26.8578, -13.1827, -6.1188), rtol=0, atol=5e-4)
    np.testing.assert_allclose(ev.reaction("B").force, (2.6085, -0.5418), rtol=0, atol=5e-4)


def test_quick_return_has_its_stroke_and_its_torques():
    """Stroke 2 L3 L1/a = 0.6 m; torques from the power balance at crank angles of 30, 90, 180 and 270 deg."""
    run = gallery.six_bar_quick_return().simulate(np.arange(0, 601) / 600.0, rtol=1e-10, coordinates="body")
    assert np.ptp(run["slider_guide.slide"]) == pytest.approx(0.6, abs=1e-4)
    torque = run["motor.effort"][[0, 100, 250, 400]]
    np.testing.assert_allclose(torque, (0.59305346, 0.01980811, -0.72226343, -0.53481888), rtol=0, atol=1e-6)
    assert run["slider.x"][100] == pytest.approx(-0.59791304, abs=1e-6)


def test_suspension_settles_where_the_book_says():
    """Model AA: the wheel drops from 0.35 m and settles at about 0.32 m, and never rises above its radius."""
    run = gallery.double_a_arm().simulate(1.0, coordinates="body")
    assert run["wheel.y"][-1] == pytest.approx(0.320018, abs=2e-4)
    assert run["wheel.y"].max() < 0.35
    assert np.degrees(np.abs(np.arctan2(run["wheel.x"] - 0.683, run["wheel.y"]))).max() < 1.0


@pytest.mark.parametrize("name", ["macpherson_a", "macpherson_b"])
def test_tyre_only_pushes(name):
    run = gallery.get(name).simulate(0.4, coordinates="body")
    tension = run["tyre.tension"]
    assert abs(tension[0]) < 1.0
    assert tension.max() < 10.0 and tension.min() < -1000.0


def test_two_macphersons_move_nearly_alike():
    one, other = (gallery.get(name).simulate(0.05, coordinates="body") for name in ("macpherson_a", "macpherson_b"))
    assert one["wheel.y"][-1] == pytest.approx(other["wheel.y"][-1], abs=5e-4)


def test_planetary_gear_keeps_the_ratio():
    run = gallery.planetary_gear().simulate(0.5, coordinates="body")
    assert run["sun.angle.rate"][-1] / run["carrier.angle.rate"][-1] == pytest.approx(1 + 0.14 / 0.06, rel=1e-9)


def test_cart_runs_at_its_speed():
    run = gallery.cart().simulate(1.0, coordinates="body")
    assert run["frame.x"][-1] == pytest.approx(0.5 + 0.2 * math.pi, abs=1e-9)
