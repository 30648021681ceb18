"""Two results compared: exact on the same times, by interpolation on others, with what only one of them has."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError


def oscillator(frequency=3.0, amplitude=0.2, name="oscillator"):
    """A driven slide, whose motion is known: amplitude * sin(frequency * t)."""
    m = lw.Mechanism(name)
    m.add("block", lw.plate(width=0.2, height=0.1, mass=2.0))
    m.add("S", lw.Prismatic("ground", "block"))
    m.add("motor", lw.Driver("S.slide", lw.Harmonic(amplitude, frequency)))
    return m


def run_of(every=0.05, duration=2.0, **options):
    return oscillator(**options).simulate(duration, every=every, coordinates="body")


def test_a_run_and_itself():
    run = run_of()
    found = run.compare(run)
    assert found.same_times and all(row.largest == 0.0 and row.relative == 0.0 for row in found.rows)
    assert set(found.names) == set(run.names) and found.only_here == found.only_there == ()


def test_differences_on_the_same_times_are_exact():
    one, other = run_of(), run_of(amplitude=0.25)
    found = one.compare(other, "S.slide")
    wanted = 0.05 * np.sin(3.0 * one.t)
    np.testing.assert_allclose(found["S.slide"], wanted, atol=1e-9)
    (row,) = found.rows
    assert row.largest == pytest.approx(np.abs(wanted).max(), abs=1e-9)
    assert row.time == one.t[np.argmax(np.abs(wanted))] and row.reading == 0.0
    assert row.relative == pytest.approx(np.abs(wanted).max() / np.abs(other["S.slide"]).max(), rel=1e-6)


def test_other_times_are_read_between_and_that_is_said():
    one, other = run_of(every=0.05), run_of(every=0.037, duration=1.49)
    found = one.compare(other, "S.slide", "S.slide.rate")
    assert not found.same_times and found.t[-1] <= 1.49 and len(found.t) == 30
    for row in found.rows:  # the same motion: apart by no more than reading between times may be off
        assert 0.0 < row.largest <= row.reading + 1e-8 and row.reading < 1e-3
    text = str(found)
    assert "read between them by cubics" in text and "compared at 30 times, 0 to 1.45 s" in text


def test_names_that_only_one_has_are_told():
    more = oscillator()
    more.add("extra", lw.Reading("block.x"))
    found = run_of().compare(more.simulate(2.0, every=0.05, coordinates="body"))
    assert found.only_there == ("extra.value",) and found.only_here == ()
    assert "only the other has extra.value" in str(found)
    back = more.simulate(2.0, every=0.05, coordinates="body").compare(run_of())
    assert back.only_here == ("extra.value",) and "only this run has extra.value" in str(back)


def test_other_units_under_one_name_are_not_compared():
    plain, other = oscillator(), oscillator()
    plain.add("it", lw.Reading("block.x"))
    other.add("it", lw.Reading("block.angle"))
    found = plain.simulate(0.5, coordinates="body").compare(other.simulate(0.5, coordinates="body"))
    assert "it.value" in found.only_here and "it.value" in found.only_there


def test_moments_that_are_rounding_do_not_come_first():
    one = lw.gallery.four_bar().simulate(1.0, every=0.05, coordinates="body")
    other = lw.gallery.four_bar().simulate(1.0, every=0.05, coordinates="joint", rtol=1e-6)
    found = {row.name: row.relative for row in one.compare(other).rows}
    assert all(found[f"{joint}.moment"] < 1e-10 for joint in "ABCD")


def test_the_picture_has_a_row_a_series(tmp_path):
    one, other = run_of(), run_of(amplitude=0.25, every=0.04)
    figure = one.compare(other).plot("S.slide", "motor.effort", file=tmp_path / "apart.png")
    assert len(figure.axes) == 4 and (tmp_path / "apart.png").stat().st_size > 1000
    left, right = figure.axes[:2]
    assert [line.get_label() for line in left.get_lines()] == ["run 1", "run 2"]
    np.testing.assert_array_equal(left.get_lines()[1].get_xdata(), other.t)
    np.testing.assert_allclose(right.get_lines()[0].get_ydata(), one.compare(other)["S.slide"])


@pytest.mark.parametrize(
    ("ask", "kind", "words"),
    [
        (lambda run: run.compare(run.mechanism), DescriptionError, "needs two results. Got Mechanism"),
        (lambda run: run.compare(run, "S.slid"), UnknownNameError, "Nearest: 'S.slide'"),
        (lambda run: run.compare(run)["S.slid"], UnknownNameError, "Nearest: 'S.slide'"),
        (lambda run: run.compare(run).plot("S.slid"), UnknownNameError, "Nearest: 'S.slide'"),
        (
            lambda run: run.compare(oscillator().simulate(1.0, t=5.0, coordinates="body")),
            DescriptionError,
            "no times that both runs cover. Got 0 to 2 s and 5 to 6 s",
        ),
    ],
)
def test_wrong_use(ask, kind, words):
    with pytest.raises(kind) as told:
        ask(run_of())
    assert words in str(told.value)
