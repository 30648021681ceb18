"""Series over each other, in other units, of several runs; paths of vectors; the ledger; and wrong use of all of it."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ArgumentError, DescriptionError, UnitError, UnknownNameError
from unit.view.test_plot import closed, open_figures  # noqa: F401 - closed is a fixture
from unit.view.view_models import four_bar_run


@pytest.fixture
def run():
    return four_bar_run()


@pytest.fixture
def heavy(run):
    return run.mechanism.with_numbers({"coupler.mass": 9.0}).simulate(0.5, every=0.02, coordinates="body")


def lines_of(axes):
    return [line for line in axes.get_lines() if not line.get_label().startswith("_")]


def test_over_another_series_in_other_units(run):
    (axes,) = run.plot("B.reaction.x", x="A.angle", to="deg").axes
    (line,) = lines_of(axes)
    np.testing.assert_allclose(line.get_xdata(), np.degrees(run["A.angle"]))
    np.testing.assert_array_equal(line.get_ydata(), run["B.reaction.x"])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("A.angle [deg]", "force [N]")


def test_units_go_to_all_series_of_their_kind(run):
    angle, force = run.plot(["A.angle", "D.angle"], "B.reaction.x", to=["deg", "kN"]).axes
    assert (angle.get_ylabel(), force.get_ylabel()) == ("angle [deg]", "force [kN]")
    np.testing.assert_allclose(lines_of(angle)[1].get_ydata(), np.degrees(run["D.angle"]))
    np.testing.assert_allclose(lines_of(force)[0].get_ydata(), run["B.reaction.x"] / 1000.0)
    one, two = run.plot("A.angle", "D.angle", to={"A.angle": "deg"}).axes
    assert (one.get_ylabel(), two.get_ylabel()) == ("angle [deg]", "angle [rad]")


def test_a_phase_plot(run):
    (axes,) = run.plot("A.angle.rate", x="A.angle").axes
    (line,) = lines_of(axes)
    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([run["A.angle"], run["A.angle.rate"]]))
    assert axes.get_aspect() == "auto"


def test_a_coupler_curve_has_equal_scales(run):
    (axes,) = run.plot("coupler.b.y", x="coupler.b.x").axes
    assert axes.get_aspect() == 1.0
    (path,) = run.plot_path("coupler.b").axes
    np.testing.assert_array_equal(lines_of(path)[0].get_xydata(), run["coupler.b"])
    assert path.get_aspect() == 1.0 and (path.get_xlabel(), path.get_ylabel()) == ("length x [m]", "length y [m]")


def test_vectors_are_drawn_by_their_components_and_reactions_by_their_size(run):
    (axes,) = run.plot("B.reaction", "B.reaction.magnitude").axes
    assert [line.get_label() for line in lines_of(axes)] == ["B.reaction.x", "B.reaction.y", "B.reaction.magnitude"]
    np.testing.assert_allclose(lines_of(axes)[2].get_ydata(), np.linalg.norm(run["B.reaction"], axis=1))


def test_hodographs_and_paths_stand_side_by_side(run):
    figure = run.plot_path("B.reaction", "C.reaction", "coupler.b", to="mm")
    force, length = figure.axes
    assert [line.get_label() for line in lines_of(force)] == ["B.reaction", "C.reaction"]
    np.testing.assert_array_equal(lines_of(force)[0].get_xydata(), run["B.reaction"])
    np.testing.assert_allclose(lines_of(length)[0].get_xydata(), 1000.0 * run["coupler.b"])
    starts = [line.get_xydata()[0] for line in force.get_lines() if line.get_label().startswith("_")]
    np.testing.assert_array_equal(starts, [run["B.reaction"][0], run["C.reaction"][0]])


def test_paths_in_space_are_looked_at_in_a_plane():
    run = lw.gallery.spatial_chain(2).simulate(0.2, every=0.02, coordinates="body")
    body = next(iter(run.mechanism.bodies))
    (axes,) = run.plot_path(body, plane="xz").axes
    np.testing.assert_array_equal(lines_of(axes)[0].get_xydata(), run[body][:, [0, 2]])
    assert axes.get_ylabel() == "length z [m]"


def test_the_ledger(run):
    energy, balance = run.plot("energy").axes
    labels = [line.get_label() for line in lines_of(energy)]
    assert labels[:3] == ["kinetic", "potential", "total"]
    assert ("dissipated" in labels) == bool(run.energy.dissipated.any())
    np.testing.assert_array_equal(lines_of(balance)[0].get_ydata(), run.energy.balance)
    assert balance.get_ylabel() == "balance [J]"


def test_several_runs_over_each_other(run, heavy):
    (axes,) = run.plot("A.angle", "D.angle", others=[heavy], labels=["light", "heavy"]).axes
    lines = lines_of(axes)
    assert [line.get_label() for line in lines] == [
        "A.angle, light",
        "A.angle, heavy",
        "D.angle, light",
        "D.angle, heavy",
    ]
    np.testing.assert_array_equal(lines[1].get_ydata(), heavy["A.angle"])
    np.testing.assert_array_equal(lines[1].get_xdata(), heavy.t)
    colours = [line.get_color() for line in lines]
    assert colours[0] == colours[2] != colours[1] == colours[3]  # runs by colour, names by dash
    assert lines[0].get_linestyle() != lines[2].get_linestyle()
    (axes,) = run.plot_path("coupler.b", others=heavy).axes
    assert [line.get_label() for line in lines_of(axes)] == ["coupler.b, run 1", "coupler.b, run 2"]


def test_axes_of_ones_own(run):
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2)
    assert run.plot("A.angle", ax=left) is figure
    assert run.plot_path("coupler.b", ax=right) is figure
    assert len(lines_of(left)) == 1 and len(lines_of(right)) == 1 and left.get_xlabel() == "time [s]"
    assert open_figures() == [figure.number]


@pytest.mark.parametrize(
    ("ask", "kind", "words"),
    [
        (lambda run, ax: run.plot("A.angel"), UnknownNameError, "Nearest: 'A.angle'"),
        (lambda run, ax: run.plot("A.angle", x="A.angel"), UnknownNameError, "Nearest: 'A.angle'"),
        (lambda run, ax: run.plot("A.angle", x="coupler.b"), DescriptionError, "Give coupler.b.x or coupler.b.y"),
        (lambda run, ax: run.plot("A.angle", x=3), UnknownNameError, "'3'"),
        (lambda run, ax: run.plot("A.angle", to="kg"), UnitError, "any of its series. Got 'kg'"),
        (lambda run, ax: run.plot("A.angle", to="furlongz"), UnitError, "Got 'furlongz'"),
        (lambda run, ax: run.plot("A.angle", to=3), UnitError, "Got 3"),
        (
            lambda run, ax: run.plot("A.angle", to={"D.angle": "deg"}),
            UnknownNameError,
            "no series 'D.angle' of those that are plotted, wanted by to=. Nearest: 'A.angle'. Known: 'A.angle', 't'.",
        ),
        (
            lambda run, ax: run.plot("A.angle", "D.angle", to={"A.angle": "deg", "D.angel": "deg"}),
            UnknownNameError,
            "no series 'D.angel' of those that are plotted",
        ),
        (lambda run, ax: run.plot("A.angle", to={"A.angle": "kg"}), UnitError, "cannot be read in 'kg'"),
        (
            lambda run, ax: run.plot_path("B.reaction", to={"B.reaction": "kN"}),
            UnknownNameError,
            "Known: 'B.reaction.x', 'B.reaction.y'",
        ),
        (
            lambda run, ax: run.plot("A.angle", "energy.total", ax=ax),
            DescriptionError,
            "wanted 2 axes: angle [rad], en",
        ),
        (lambda run, ax: run.plot("A.angle", others=run.mechanism), DescriptionError, "Got Mechanism"),
        (lambda run, ax: run.plot("A.angle", others=run, labels=["one"]), DescriptionError, "wanted 2 words"),
        (lambda run, ax: run.plot("A.angle", size=3), DescriptionError, "(width, height) in inches"),
        (lambda run, ax: run.plot("A.angle", titel="x"), ArgumentError, "no argument 'titel'"),
        (lambda run, ax: run.plot_path(), DescriptionError, "no vector"),
        (lambda run, ax: run.plot_path("A.angle"), UnknownNameError, "no vector 'A.angle'"),
        (lambda run, ax: run.plot_path("coupler.bb"), UnknownNameError, "Nearest: 'coupler.b"),
        (lambda run, ax: run.plot_path("coupler.b", plane="xz"), DescriptionError, "wanted two of x, y"),
    ],
)
def test_wrong_use_is_told_and_opens_nothing(run, ask, kind, words):
    from matplotlib.figure import Figure

    with pytest.raises(kind) as told:
        ask(run, Figure().subplots())
    assert words in str(told.value), str(told.value)
    assert open_figures() == []


@pytest.mark.parametrize("size", [3, (3,), (3, 0), (3, float("nan")), (3, float("inf")), ("wide", 2), "ab"])
def test_sizes_that_are_none_are_told_alike(run, size):
    for draw in (run.plot, run.draw, run.compare(run).plot):
        with pytest.raises(DescriptionError, match="cannot use its size"):
            draw(size=size)
