"""Quantities that a package outside of Linkwork adds by `lw.quantity`, as CONTRIBUTING describes."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery


@pytest.fixture(scope="module")
def run(package):
    return gallery.four_bar().simulate(0.5, every=0.05, coordinates="joint")


def test_names_units_and_words(run):
    assert {"crank.speed", "crank.inertia_force.x", "B.load"} <= set(run.names)
    assert run.unit("crank.speed") == "m/s" and run.unit("crank.inertia_force") == "N"
    assert run.long_name("crank.inertia_force.x") == "inertia force x of body crank"
    assert "size of the reaction" in run.describe("B.load")
    assert "crank.speed.rate" not in run


def test_values(run):
    assert run["crank.speed"] == pytest.approx(np.hypot(run["crank.x.rate"], run["crank.y.rate"]), rel=1e-15)
    assert run["crank.inertia_force"] == pytest.approx(-run.mechanism["crank"].mass * run["crank.acceleration"])
    assert run["B.load"] == pytest.approx(run.reaction("B").magnitude)
    assert run.read("crank.speed", to="km/h") == pytest.approx(3.6 * run["crank.speed"])


def test_it_goes_into_tables_and_files(run, tmp_path):
    run.to_csv(tmp_path / "run.csv", names=["crank.speed", "B.load"])
    assert (tmp_path / "run.csv").read_text().splitlines()[0].replace('"', "").startswith("time,crank.speed")
    frame = pytest.importorskip("pandas") and run.to_pandas(["crank.inertia_force"])
    assert list(frame.columns) == ["crank.inertia_force.x", "crank.inertia_force.y"]


def test_results_made_before_know_it():
    run = gallery.pendulum().simulate(0.1, coordinates="joint")
    assert "rod.late" not in run.names

    @lw.quantity("late", of="body", unit="m", words="registered after the run", needs="states")
    def late(run, body):
        return run[f"{body}.x"]

    name = f"{next(iter(run.mechanism.bodies))}.late"
    assert name in run.names and run[name] == pytest.approx(run[name.replace("late", "x")])
