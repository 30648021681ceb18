"""The tutorial runs as a notebook does, and its cells show what they should."""

import base64
import io
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")


def run_notebook(notebook, folder):
    """Run all cells in a folder, as a notebook does: with its own figures and its own progress."""
    before = dict(os.environ)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), before.get("PYTHONPATH", "")])
    os.environ.pop("MPLBACKEND", None)
    os.environ.pop("LINKWORK_PROGRESS", None)
    try:
        nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    finally:
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """Outputs by the names of the cells, after the whole notebook has run in a folder of its own."""
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    run_notebook(notebook, tmp_path_factory.mktemp("tutorial"))
    return {cell["id"]: cell.get("outputs", []) for cell in notebook.cells if cell.cell_type == "code"}


def pictures(outputs):
    return [one["data"]["image/png"] for one in outputs if "image/png" in one.get("data", {})]


def html(outputs):
    found = [one["data"]["text/html"] for one in outputs if "text/html" in one.get("data", {})]
    assert len(found) == 1
    return found[0]


def printed(outputs):
    return "".join(one["text"] for one in outputs if one.get("name") == "stdout")


def test_the_file_is_kept_without_outputs():
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")


def test_nothing_fails_and_nothing_is_an_address(cells):
    for name, outputs in cells.items():
        for one in outputs:
            assert one["output_type"] != "error", name
            assert " object at 0x" not in str(one), name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pendulum-angle", "driven", "coupler-curve", "drop", "camber"])
def test_figures_appear_once(cells, name):
    from matplotlib.image import imread

    (only,) = pictures(cells[name])
    image = imread(io.BytesIO(base64.b64decode(only)))
    assert image.shape[1] > 600 and image[..., :3].std() > 0.01  # something is drawn on it


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pendulum", ["Mechanism pendulum", "<svg", "rod", "Revolute", "ground.at(0, 0)"]),
        ("pendulum-run", ["0 to 3 s, 301 times", "<svg", "energy not accounted for", "A.angle"]),
        ("energy", ["Energy ledger of pendulum", "<svg", "kinetic", "balance"]),
        ("four-bar", ["Check of four-bar", "freedom"]),
        ("spring", ["motor.effort", "D.reaction.magnitude", "<svg", "compared at 321 times"]),
        ("suspension", ["Mechanism double A-arm", "<svg", "SpringDamper", "lower.q"]),
        ("film", ["data:image/gif;base64,"]),
        ("page", ["<iframe", "sandbox"]),
    ],
)
def test_objects_show_themselves(cells, name, words):
    text = html(cells[name])
    for word in words:
        assert word in text or (word == "<svg" and "data:image/svg+xml;base64," in text), word


def test_what_is_printed(cells):
    assert printed(cells["pendulum-angle"]) == "(301,) rad\n"
    assert "Nearest: 'crank'" in printed(cells["mistake"])
    # the period of a bar about its end by the quarter period of an ellipse: g = 9.81, l = 0.8, 60 deg from rest below
    from scipy.special import ellipk

    period = 4.0 * ellipk(0.5**2) * (2.0 / 3.0 * 0.8 / 9.81) ** 0.5
    assert f"{period:.3f} s" in printed(cells["period"])
    force, time = printed(cells["largest"]).split(" N at ")
    assert float(force) > 0.0 and 0.0 <= float(time.split(" s")[0]) <= 1.0


def test_long_runs_say_how_far_they_are():
    """In a notebook stderr is no terminal, and yet somebody looks at it."""
    code = (
        "import linkwork as lw\n"
        "from linkwork.analysis.progress import Progress\n"
        "Progress.AFTER = Progress.EVERY = 0.0\n"
        "run = lw.gallery.four_bar().simulate(60, every=0.01, coordinates='body')\n"
    )
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    run_notebook(notebook, ROOT)
    told = "".join(one["text"] for one in notebook.cells[0].outputs if one.get("name") == "stderr")
    assert "four-bar: t = " in told and "s left" in told
