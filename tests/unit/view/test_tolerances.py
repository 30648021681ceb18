"""Pictures of sweeps: what is drawn is what the table has."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError

pytest.importorskip("xarray")
pytest.importorskip("matplotlib")


def block():
    m = lw.Mechanism("block", gravity=None, parameters={"p": 0.0, "q": 0.0})
    m.add("block", lw.Body(1.0, 1.0, position=("p + 2*q", "q")))
    return m


def sweep(vary, **options):
    return lw.sweep(block(), vary, analysis="assemble", read="block.x", **options)


def half(assembly):
    if assembly.state["block.x"] > 3:
        raise ValueError("too far")
    return assembly.state["block.x"]


def test_a_line_and_a_map(tmp_path):
    figure = lw.plot_sweep(sweep({"p": [0.0, 1.0, 3.0]}))
    (line,) = figure.axes[0].lines
    assert line.get_xdata().tolist() == [0.0, 1.0, 3.0] and line.get_ydata().tolist() == [0.0, 1.0, 3.0]
    assert figure.axes[0].get_ylabel() == "block.x [m]" and figure.axes[0].get_xlabel() == "p"
    table = sweep({"p": [0.0, 1.0, 3.0], "q": [2.0, 0.0, 1.0]})
    figure = lw.plot_sweep(table, "block.x", file=tmp_path / "map.png")
    mesh = next(one for one in figure.axes[0].collections if one.get_array() is not None)
    assert np.asarray(mesh.get_array()).reshape(3, 3).tolist() == [[0, 1, 3], [2, 3, 5], [4, 5, 7]]  # q rises upwards
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.filterwarnings("ignore")
def test_designs_that_failed_are_crossed_out():
    table = lw.sweep(block(), {"p": [0.0, 1.0, 2.0], "q": [0.0, 1.0, 2.0]}, analysis="assemble", reduce=half)
    panel = lw.plot_sweep(table).axes[0]
    (crosses,) = panel.lines
    assert sorted(zip(crosses.get_xdata(), crosses.get_ydata())) == [(0, 2), (1, 2), (2, 1), (2, 2)]
    line = lw.plot_sweep(lw.sweep(block(), {"p": [0.0, 5.0]}, analysis="assemble", reduce=half)).axes[0]
    assert line.lines[1].get_xdata().tolist() == [5.0]


def test_samples_and_their_spread(tmp_path):
    table = sweep({"p": (0.0, 1.0), "q": (0.0, 1.0)}, over="sobol", count=64)
    figure = lw.plot_sweep(table)
    assert [one.get_xlabel() for one in figure.axes] == ["p", "q"]
    assert np.array_equal(figure.axes[1].lines[0].get_xdata(), table["q"].values)
    figure = lw.spread(table).plot(file=tmp_path / "spread.svg")
    names = [one.get_text() for one in figure.axes[1].get_yticklabels()]
    assert names == ["several together", "p", "q"]
    assert [round(one.get_width()) for one in figure.axes[1].patches] == [0, 20, 80]
    assert sum(one.get_height() for one in figure.axes[0].patches) == 64


def test_texts_with_units_are_numbers_and_names_stand_in_their_order():
    panel = lw.plot_sweep(sweep({"p": ["10 mm", "20 mm", "0.3 m", "1 m"]})).axes[0]
    assert panel.lines[0].get_xdata().tolist() == [10.0, 20.0, 300.0, 1000.0] and panel.get_xlabel() == "p [mm]"
    plain = lw.plot_sweep(sweep({"p": ["1", "20", "3"]})).axes[0]
    assert plain.lines[0].get_xdata().tolist() == [1.0, 20.0, 3.0]
    named = sweep({"p": [1.0, 2.0, 3.0], "q": [0.0, 1.0, 2.0]}).assign_coords(p=["soft", "hard", "stiff"])
    panel = lw.plot_sweep(named).axes[0]
    assert [one.get_text() for one in panel.get_xticklabels()] == ["soft", "hard", "stiff"]
    assert len(panel.collections) == 1  # the mesh: no lines of equal height between names


def test_several_numbers_have_a_panel_each(tmp_path):
    options = {"analysis": "assemble", "read": ["block.x", "block.y"]}
    table = lw.sweep(block(), {"p": [0.0, 1.0], "q": [0.0, 1.0]}, **options)
    panels = lw.plot_sweep(table, ["block.x", "block.y"], file=tmp_path / "two.png").axes
    assert [one.get_ylabel() for one in panels] == ["q", "q", "block.x [m]", "block.y [m]"]
    with pytest.raises(DescriptionError, match="several numbers"):
        lw.plot_sweep(table)
    samples = lw.sweep(block(), {"p": (0.0, 1.0), "q": (0.0, 1.0)}, over="latin", count=8, **options)
    assert len(lw.plot_sweep(samples, ["block.x", "block.y"]).axes) == 4
    with pytest.raises(DescriptionError, match="empty list"):
        lw.plot_sweep(table, [])


def test_a_series_has_a_line_for_each_design():
    """A ball thrown up at v: y = v t - g t^2 / 2."""
    m = lw.Mechanism("ball", gravity=(0.0, -10.0), parameters={"v": 0.0, "w": 0.0})
    m.add("ball", lw.Particle(1.0, velocity=("w", "v")))
    v, w = np.array([1.0, 2.0]), np.array([3.0, 5.0])
    table = lw.sweep(m, {"v": v, "w": w}, times=[0.0, 0.1, 0.2], read="ball.y")
    figure = lw.plot_sweep(table)
    assert [one.get_ylabel() for one in figure.axes] == ["ball.y [m]", "ball.y [m]", "v", "w"]
    for panel, same in zip(figure.axes[:2], ([(0, 1), (2, 3)], [(0, 2), (1, 3)])):
        (lines,) = panel.collections
        t = np.array([0.0, 0.1, 0.2])
        for k, segment in enumerate(lines.get_segments()):
            assert np.allclose(segment, np.stack([t, v[k // 2] * t - 5.0 * t**2], axis=1), atol=1e-9)
        colours = lines.get_edgecolor()
        assert all(np.array_equal(colours[a], colours[b]) for a, b in same)
        assert not np.array_equal(colours[same[0][0]], colours[same[1][0]])
        assert panel.get_xlabel() == "time [s]" and panel.get_xlim()[1] > 0.2


def test_a_number_of_a_function_has_its_name():
    table = lw.sweep(block(), {"p": [0.0, 1.0]}, analysis="assemble", reduce=half)
    assert lw.plot_sweep(table).axes[0].get_ylabel() == "half" and "result" in table
    table = lw.sweep(block(), {"p": [0.0, 1.0]}, analysis="assemble", reduce=lambda one: one.state["block.x"])
    assert lw.plot_sweep(table).axes[0].get_ylabel() == "result"


def test_wrong_use():
    with pytest.raises(DescriptionError, match="no table"):
        lw.plot_sweep(3)
    with pytest.raises(UnknownNameError, match=r"block\.x"):
        lw.plot_sweep(sweep({"p": [0.0, 1.0]}), "block.y")
    cube = lw.sweep(block(), {"p": [0.0], "q": [0.0], "block.mass": [1.0]}, analysis="assemble", read="block.x")
    with pytest.raises(DescriptionError, match=r"so many dimensions.*\.sel"):
        lw.plot_sweep(cube)
    with pytest.raises(DescriptionError, match="one value along an axis"):
        lw.plot_sweep(sweep({"p": [0.0], "q": [0.0, 1.0]}))


def test_ink_can_be_read_on_every_colour_of_a_map():
    """Contrast of ink with the colours of the least and the greatest value, as WCAG counts it: 4.5 for texts."""
    from matplotlib.colors import to_rgb

    from linkwork.view.canvas import INK

    def light(colour):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    panel = lw.plot_sweep(sweep({"p": [0.0, 1.0, 3.0], "q": [2.0, 0.0, 1.0]})).axes[0]
    mesh = next(one for one in panel.collections if one.get_array() is not None)
    lines = next(one for one in panel.collections if one is not mesh)
    assert to_rgb(lines.get_edgecolor()[0]) == to_rgb(INK)
    for value in (0.0, 0.5, 1.0):
        assert (light(mesh.cmap(value)[:3]) + 0.05) / (light(INK) + 0.05) > 4.5


def test_numbers_of_percentiles_do_not_stand_on_each_other():
    table = sweep({"p": (0.0, 1.0), "q": (0.0, 1.0)}, over="sobol", count=64)
    figure = lw.spread(table, percentiles=(1, 3, 5, 50, 95)).plot()
    figure.draw_without_rendering()
    boxes = [one.get_window_extent() for one in figure.axes[0].texts]
    assert len(boxes) == 5 and not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_axes_have_the_units_of_what_is_varied():
    table = lw.sweep(block(), {"block.mass": [1.0, 2.0]}, analysis="assemble", read="block.x")
    assert lw.plot_sweep(table).axes[0].get_xlabel() == "block.mass [kg]"
