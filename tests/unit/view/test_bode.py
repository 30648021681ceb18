"""Bode plots: what the panels hold, units, files, and what is refused."""

import numpy as np
import pytest

from linkwork.errors import DescriptionError, UnknownNameError
from unit.analysis.test_linear import CAR, quarter_car

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def response():
    return quarter_car().frequency_response("road", ["body.y", "wheel.y", "tyre.tension"], start=CAR)


def test_panels(response, tmp_path):
    figure = response.plot(file=tmp_path / "bode.png")
    size, phase, force, late = figure.axes
    assert (tmp_path / "bode.png").stat().st_size > 10_000
    assert size.get_ylabel() == "size" and force.get_ylabel() == "size [N/m]" and late.get_xlabel() == "frequency [Hz]"
    assert [one.get_xscale() for one in figure.axes] == ["log"] * 4 and size.get_yscale() == "log"
    np.testing.assert_allclose(size.lines[0].get_ydata(), np.abs(response["body.y"]))
    np.testing.assert_allclose(phase.lines[1].get_ydata(), np.degrees(response.phase("wheel.y")))
    assert [one.get_text() for one in size.get_legend().texts] == ["body.y", "wheel.y"]


def test_decibel_and_one_output(response, tmp_path):
    figure = response.plot("body.y", decibel=True, file=tmp_path / "bode.svg")
    assert len(figure.axes) == 2 and figure.axes[0].get_ylabel() == "size [dB]"
    np.testing.assert_allclose(figure.axes[0].lines[0].get_ydata(), 20.0 * np.log10(np.abs(response["body.y"])))


def test_several_inputs(tmp_path):
    found = quarter_car().frequency_response(["road", "body.y"], "body.y", start=CAR)
    figure = found.plot(file=tmp_path / "one.png")
    assert [one.get_text() for axes in figure.axes[::2] for one in axes.get_legend().texts] == [
        "body.y to road",
        "body.y to body.y",
    ]
    assert len(found.plot(source="road", file=tmp_path / "two.png").axes) == 2


def test_what_is_refused(response):
    with pytest.raises(UnknownNameError, match="boddy"):
        response.plot("boddy.y", file="never.png")
    with pytest.raises(UnknownNameError, match="rode"):
        response.plot(source="rode", file="never.png")
    with pytest.raises(DescriptionError, match="size"):
        response.plot(size=(1,), file="never.png")
    from matplotlib.figure import Figure

    with pytest.raises(DescriptionError, match="another number of panels"):
        response.plot(ax=Figure().subplots(1, 3))


def test_notebooks_show_it(response):
    shown = response._repr_html_()
    assert "<img" in shown and "tyre.tension" in shown
