import os
import shutil
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError, MissingPackageError, UnknownNameError
from linkwork.view import canvas
from linkwork.view.axis import axis_label, unit_text
from linkwork.view.plot import chosen, plot
from unit.view.view_models import four_bar_run, free_body_run


@pytest.fixture
def run():
    return four_bar_run()


@pytest.fixture(autouse=True)
def closed():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")
    yield
    pyplot.close("all")


def open_figures():
    from matplotlib import pyplot

    return pyplot.get_fignums()


def test_one_panel_a_unit_with_label_and_legend(run):
    figure = plot(run, "A.angle", "spring.tension", "D.angle", "D.angle.rate", "energy.total", "A.moment")
    assert [axes.get_ylabel() for axes in figure.axes] == [
        "angle [rad]",
        "force [N]",
        "angular speed [rad/s]",
        "energy [J]",
        "moment [N·m]",
    ]
    assert [axes.get_xlabel() for axes in figure.axes] == ["", "", "", "", "time [s]"]
    legend = [[text.get_text() for text in axes.get_legend().get_texts()] for axes in figure.axes]
    assert legend == [["A.angle", "D.angle"], ["spring.tension"], ["D.angle.rate"], ["energy.total"], ["A.moment"]]


def test_lines_are_the_series(run):
    figure = plot(run, "A.angle", "D.angle", "B.reaction.x")
    lines = [line for axes in figure.axes for line in axes.get_lines()]
    assert len(lines) == 3
    for line, name in zip(lines, ("A.angle", "D.angle", "B.reaction.x"), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), run.t)
        np.testing.assert_array_equal(line.get_ydata(), run[name])
    # two lines of one panel differ in colour and in dash
    assert lines[0].get_color() != lines[1].get_color()
    assert lines[0].get_linestyle() != lines[1].get_linestyle()


def test_vectors_are_drawn_by_component(run):
    figure = plot(run, "B.reaction")
    (panel,) = figure.axes
    assert [line.get_label() for line in panel.lines] == ["B.reaction.x", "B.reaction.y"]
    assert len({line.get_color() for line in panel.lines}) == 2
    for line, axis in zip(panel.lines, "xy"):
        assert np.array_equal(line.get_ydata(), run[f"B.reaction.{axis}"])


def test_constant_energy_is_a_level_line_beside_plain_numbers():
    run = lw.gallery.pendulum().simulate(2.0, every=0.01, coordinates="body", rtol=1e-8)
    size = np.abs(run["energy.kinetic"]).max()
    for name, flat in (("energy.total", True), ("energy.balance", False)):
        figure = plot(run, name)
        figure.canvas.draw()
        (panel,) = figure.axes
        low, high = panel.get_ylim()
        assert (high - low > 0.05 * size) == flat
        assert panel.yaxis.get_offset_text().get_text() == "" or not flat
    low, high = plot(run, "energy.total", "energy.kinetic").axes[0].get_ylim()
    assert high - low == pytest.approx(1.16 * size, rel=0.2)


def test_a_name_given_twice_is_drawn_once(run):
    figure = plot(run, "A.angle", "A.angle")
    assert len(figure.axes) == 1 and len(figure.axes[0].get_lines()) == 1


def test_without_names_motion_forces_and_energies_are_chosen(run):
    assert chosen(run) == [
        *(f"{joint}.angle" for joint in "ABCD"),
        "spring.tension",
        *(f"energy.{kind}" for kind in ("kinetic", "potential", "total")),
    ]
    assert len(plot(run).axes) == 3
    assert chosen(free_body_run())[:2] == ["stone.x", "stone.y"]


def test_unknown_name_gives_the_nearest_and_opens_nothing(run):
    with pytest.raises(UnknownNameError, match=r"Nearest: .*'D\.angle'"):
        plot(run, "A.angle", "D.angel")
    assert open_figures() == []


def test_what_is_no_result_is_refused(run):
    with pytest.raises(DescriptionError, match=r"needs a result.*Got Mechanism"):
        plot(run.mechanism, "A.angle")


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_file_is_whole_and_alone(run, tmp_path, kind, start):
    file = tmp_path / f"motion.{kind}"
    plot(run, "A.angle", file=file)
    content = file.read_bytes()
    assert content.startswith(start)
    if kind == "png":
        assert content.endswith(b"IEND\xaeB`\x82")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert open_figures() == []


def test_same_picture_same_file(run, tmp_path):
    for name in ("one.svg", "two.svg"):
        plot(run, "A.angle", file=tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_a_full_or_read_only_disk_gives_our_error_and_leaves_the_old_file(run, tmp_path, monkeypatch):
    def full(handle):
        raise OSError(28, "No space left on device")

    for kind in ("png", "svg", "pdf"):
        file = tmp_path / f"motion.{kind}"
        file.write_bytes(b"old")
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            for picture in (lambda file: plot(run, "A.angle", file=file), lambda file: run.draw(0.0, file=file)):
                with pytest.raises(FileError, match=rf"motion\.{kind}: cannot be written \(No space left on device\)"):
                    picture(file)
        assert file.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["motion.pdf", "motion.png", "motion.svg"]
    with monkeypatch.context() as patched:
        patched.setattr(os, "open", lambda *given: full(given))
        with pytest.raises(FileError, match=r"new\.png: cannot be written"):
            plot(run, "A.angle", file=tmp_path / "new.png")


@pytest.mark.parametrize("kind", ["png", "svg", "pdf", "eps", "jpg", "pgf", "svgz", "tif"])
def test_every_kind_of_picture_can_be_written(run, kind, tmp_path):
    if kind == "pgf" and shutil.which("xelatex") is None:
        pytest.skip("pgf needs LaTeX")
    plot(run, "A.angle", file=tmp_path / f"motion.{kind}")
    assert (tmp_path / f"motion.{kind}").stat().st_size > 1000


def test_hostile_names_are_inert_in_pictures(tmp_path):
    """Markup, formulas and hidden labels: text is drawn as it is."""
    m = lw.Mechanism("<script>alert(1)</script> $\\frac{")
    rod = m.add("_$x^{$ </text><script>", lw.bar(length=1.0, mass=1.0))
    m.add("--><script>&$$\\input{/etc/passwd}", lw.Revolute(m.ground.at(0, 0), rod.a))
    run = m.simulate(0.1, every=0.05, coordinates="body")
    plot(run, *run.names[:4], file=tmp_path / "plot.svg")
    run.draw(0.0, file=tmp_path / "draw.svg", names=True)
    for name in ("plot.svg", "draw.svg"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "<script" not in text
        ElementTree.fromstring(text)
    legend = plot(run, "_$x^{$ </text><script>.x").axes[0].get_legend()
    assert [one.get_text().strip() for one in legend.get_texts()] == [r"_\$x^{\$ </text><script>.x"]


def test_files_that_cannot_be_written(run, tmp_path):
    with pytest.raises(FileError, match=r"no kind of picture.*\.xyz.*\.png"):
        plot(run, "A.angle", file=tmp_path / "motion.xyz")
    with pytest.raises(FileError, match="folder that does not exist"):
        plot(run, "A.angle", file=tmp_path / "nowhere" / "motion.png")
    assert list(tmp_path.iterdir()) == []


def test_missing_matplotlib_says_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackageError, match=r"`pip install 'linkwork\[plot\]'`"):
        plot(run, "A.angle")


def test_style_does_not_leak(run):
    import matplotlib

    before = dict(matplotlib.rcParams)
    plot(run, "A.angle")
    assert dict(matplotlib.rcParams) == before
    assert canvas.STYLE["font.family"] != before["font.family"]


@pytest.mark.parametrize(
    ("unit", "label"),
    [
        ("rad/s^2", "angular acceleration [rad/s²]"),
        ("kg m^2/s", "angular momentum [kg·m²/s]"),
        ("1", "value [–]"),
        ("", "value"),
        ("lb", "mass [lb]"),
        ("kN", "force [kN]"),
        ("kN m", "moment [kN·m]"),
        ("N mm", "moment [N·mm]"),
        ("kW", "power [kW]"),
        ("kJ", "energy [kJ]"),
        ("kWh", "energy [kWh]"),
        ("cm", "length [cm]"),
        ("ms", "time [ms]"),
        ("rev/s", "angular speed [rev/s]"),
        ("km/h", "speed [km/h]"),
        ("N/mm", "stiffness [N/mm]"),
        ("1/s", "value [1/s]"),
        ("kg^5", "value [kg^5]"),
        ("nothing", "value [nothing]"),
    ],
)
def test_axis_labels(unit, label):
    assert axis_label(unit) == label


def test_scaled_units_keep_the_word_of_what_is_drawn(run):
    figure = plot(run, "A.moment", "energy.total", "spring.tension", "A.angle.rate", to=["kN*m", "kN", "rpm"])
    assert [axes.get_ylabel() for axes in figure.axes] == ["moment [kN*m]", "force [kN]", "angular speed [rpm]"]
    figure = plot(run, "energy.kinetic", to="N m")
    assert figure.axes[0].get_ylabel() == "energy [N·m]"


def test_units_as_printed():
    assert unit_text("kg m^2/s") == "kg·m²/s"


def test_a_joint_that_only_rounding_moves_is_not_among_the_usual_series():
    m = lw.Mechanism("two")
    for name in ("a", "b"):
        m.add(name, lw.Body(mass=1.0, inertia=1.0))
        m.add(f"guide_{name}", lw.Prismatic(m.ground, m[name]))
    run = m.simulate(1.0, every=0.1, start={"guide_b.slide.rate": 2.0}, coordinates="body")
    assert chosen(run)[:2] == ["guide_b.slide", "energy.kinetic"]
    still = m.simulate(1.0, every=0.1, coordinates="body")  # where nothing moves, all are shown
    assert chosen(still)[:2] == ["guide_a.slide", "guide_b.slide"]


def test_what_was_moved_is_the_abscissa_of_a_path(tmp_path):
    run = lw.gallery.four_bar().kinematics(over={"A.angle": ("60 deg", "100 deg", 21)}, coordinates="body")
    run.save(tmp_path / "path.nc")
    for one in (run, lw.load(tmp_path / "path.nc")):
        axes = one.plot("D.angle").axes[0]
        assert axes.get_xlabel() == "A.angle [rad]"
        assert axes.lines[0].get_xdata()[[0, -1]] == pytest.approx(np.radians([60.0, 100.0]))
        assert one.plot("D.angle", x="t").axes[0].get_xlabel() == "time [s]"
    timed = lw.gallery.four_bar().simulate(0.1, coordinates="body")
    assert timed.plot("D.angle").axes[0].get_xlabel() == "time [s]"
