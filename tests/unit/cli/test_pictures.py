"""Commands that show something: draw, plot, animate, page, and pages of run, gallery and demo."""

import pytest

import linkwork as lw
from unit.view.test_page import unpacked


@pytest.fixture
def saved(tmp_path):
    """A result file."""
    path = tmp_path / "swing.json"
    lw.gallery.pendulum().simulate(0.2, every=0.05, start={"A.angle": 0.3}, coordinates="body").save(path)
    return path


def runs_of(path):
    data, read = unpacked(path.read_text(encoding="utf-8"))
    return data, [read(run["t"]) for run in data["runs"]]


def test_draw_a_model_a_motion_and_a_result(cli, tmp_path, saved):
    status, out, err = cli("draw", "gallery:four_bar")
    assert (status, err) == (0, "") and "written to four_bar.png" in out
    assert (tmp_path / "four_bar.png").read_bytes()[:4] == b"\x89PNG"
    moving = ("--duration", "0.2", "--t", "0.1", "--trace", "coupler.tracer", "--ghosts", "2", "--arrows", "velocity")
    assert cli("draw", "gallery:four_bar", "-o", "moving.svg", *moving)[0] == 0
    text = (tmp_path / "moving.svg").read_text()
    assert "trace coupler.tracer" in text and "ghost crank" in text and "velocity crank" in text
    assert cli("draw", saved, "-o", "swing.svg", "--t", "0.1")[0] == 0
    assert "body rod" in (tmp_path / "swing.svg").read_text()
    assert cli("draw", "gallery:spatial_chain", "-o", "chain.svg", "--view=-40,20", "--frames")[0] == 0


def test_draw_takes_start_values_and_shows_what_does_not_go_together(cli, tmp_path):
    assert cli("draw", "gallery:pendulum", "-o", "low.svg", "--start", "A.angle=-90 deg")[0] == 0
    assert cli("draw", "gallery:pendulum", "-o", "flat.svg", "--start", "A.angle=0")[0] == 0
    assert (tmp_path / "low.svg").read_bytes() != (tmp_path / "flat.svg").read_bytes()


def test_plot(cli, tmp_path, saved):
    status, out, _ = cli("plot", saved, "--show", "A.reaction", "--show", "A.angle")
    assert status == 0 and "written to swing_plot.png" in out and (tmp_path / "swing_plot.png").is_file()
    assert cli("plot", "gallery:pendulum", "--duration", "0.1", "-o", "plot.svg")[0] == 0


def test_animate(cli, tmp_path, saved):
    assert cli("animate", saved, "--fps", "10", "--speed", "0.5")[0] == 0
    assert (tmp_path / "swing.gif").read_bytes()[:3] == b"GIF"
    assert cli("animate", saved, "-o", "swing.html", "--fps", "20", "--trace", "rod.b")[0] == 0
    data, (t,) = runs_of(tmp_path / "swing.html")
    assert data["play"] and len(t) == 5 and data["runs"][0]["traces"][0]["name"] == "rod.b"


def test_page(cli, tmp_path, saved):
    status, out, err = cli("page", saved, "gallery:four_bar", "-o", "both.html", "--speed", "0.5", "--play")
    assert (status, err) == (0, "") and "written to both.html; open it in a browser" in out
    data, times = runs_of(tmp_path / "both.html")
    assert [run["title"] for run in data["runs"]] == ["pendulum", "four-bar"] and data["speed"] == 0.5 and data["play"]
    assert len(times[0]) == 5 and times[1][-1] == 10.0
    more = ("--duration", "0.5", "--show", "spring.tension", "--arrows", "force")
    assert cli("page", "gallery:four_bar", *more)[0] == 0
    data, (t,) = runs_of(tmp_path / "four_bar.html")
    assert data["runs"][0]["plots"] == ["spring.tension"] and data["runs"][0]["shown"] == ["force"]
    assert t[-1] == 0.5


def test_a_motion_without_outputs_gets_enough_of_them(cli, tmp_path):
    file = tmp_path / "swing.yaml"
    text = lw.gallery.path("pendulum").read_text(encoding="utf-8")
    file.write_text(text[: text.index("analysis:")], encoding="utf-8")
    assert cli("page", file, "--duration", "1")[0] == 0
    _, (t,) = runs_of(tmp_path / "swing.html")
    assert len(t) == 501
    status, _, err = cli("page", file, "-o", "other.html")
    assert status == 2 and "says nothing about how long to run" in err and "--duration" in err


def test_run_writes_a_page(cli, tmp_path):
    status, out, _ = cli("run", "gallery:pendulum", "--duration", "0.1", "--page", "p.html", "--show", "A.angle")
    assert status == 0 and "written to p.html" in out
    data, _ = runs_of(tmp_path / "p.html")
    assert data["runs"][0]["plots"] == ["A.angle"]


def test_gallery_in_one_page(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(lw.gallery, "names", lambda: ["pendulum", "cart", "spatial_chain"])
    status, out, _ = cli("gallery", "--page", "all.html")
    assert status == 0 and "written to all.html" in out
    data, times = runs_of(tmp_path / "all.html")
    assert [run["title"] for run in data["runs"]] == ["pendulum", "cart", "spatial_chain"] and data["stretch"]
    assert [round(t[-1], 9) for t in times] == [5.0, 3.0, 2.0] and all(len(t) <= 600 for t in times)
    assert cli("gallery", "cart", "--page", "cart.html")[0] == 0
    assert len(runs_of(tmp_path / "cart.html")[1]) == 1


def test_demo_ends_with_a_page(cli, tmp_path):
    status, out, _ = cli("demo")
    page = tmp_path / "demo_output" / "four_bar.html"
    assert status == 0 and out.rstrip().endswith(f"Open {page.as_uri()} in a browser.")
    data, _ = runs_of(page)
    assert data["runs"][0]["plots"][0] == "A.angle"


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            ("page", "gallery:four_bar", "-o", "x.pdf"),
            "x.pdf: has an ending that does not fit. Got '.pdf'; wanted .html",
        ),
        (("animate", "gallery:four_bar", "-o", "x.avi"), "Got '.avi'; wanted .gif, .mp4, .html"),
        (("draw", "gallery:four_bar", "-o", "x.doc"), "no kind of picture that can be written. Got '.doc'"),
        (("run", "gallery:four_bar", "--page", "x.txt"), "Got '.txt'; wanted .html"),
        (("gallery", "--page", "x.txt"), "Got '.txt'; wanted .html"),
        (("page", "gallery:four_bar", "-o", "none/x.html"), "cannot be written"),
        (("draw", "gallery:for_bar"), "Nearest: 'four_bar'"),
        (("plot", "gallery:pendulum", "--duration", "0.1", "--show", "A.angel"), "A.angel"),
        (("page", "gallery:pendulum", "--duration", "0.1", "--trace", "rod.tip"), "rod.tip"),
        (("draw", "gallery:pendulum", "--arrows", "speed"), "There is no kind of arrows 'speed'"),
        (("draw", "gallery:spatial_chain", "--view", "frnt"), "There is no view 'frnt'"),
        (("draw", "gallery:pendulum", "--view", "1,x"), "'1,x' is no view"),
        (("draw", "gallery:pendulum", "--duration", "0.1", "--t", "9"), "Known: '0 to 0.1 s'"),
        (("animate", "gallery:pendulum", "--speed", "1e-7"), "too many pictures"),
        (("animate", "gallery:pendulum", "--fps", "0"), "cannot use its fps"),
        (("page", "no_file.yaml"), "no_file.yaml"),
        (("page", "swing.json", "--duration", "3"), "is a result, which --duration cannot change"),
        (("draw", "swing.json", "--start", "A.angle=1"), "is a result, which --start cannot change"),
        (("page",), "FILE"),
    ],
)
def test_wrong_use(cli, tmp_path, saved, arguments, words):
    status, _, err = cli(*arguments)
    assert status == 2 and words in err and "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["swing.json"]


def test_a_name_that_was_not_asked_for_replaces_nothing(cli, tmp_path, saved):
    kept = tmp_path / "swing.html"
    kept.write_text("mine", encoding="utf-8")
    status, _, err = cli("page", saved)
    assert (
        status == 2 and "is already there" in err and "--output" in err and kept.read_text(encoding="utf-8") == "mine"
    )
    assert cli("page", saved, "--output", kept)[0] == 0 and kept.stat().st_size > 10_000
