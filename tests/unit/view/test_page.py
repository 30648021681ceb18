"""The file that a page is: what it holds, how large it is, and what it refuses."""

import base64
import hashlib
import json
import re
import subprocess
import sys
import zlib

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError, UnknownNameError
from linkwork.view.page.pack import Pack
from linkwork.view.page.write import MOST_TIMES, page
from unit.view.view_models import four_bar_run, free_body_run, slider_crank_run


def unpacked(text):
    """Data and arrays of a page, read by other means than the page's own."""
    letters = re.search(r'id="data">([A-Za-z0-9+/=]*)</script>', text)[1]
    blob = zlib.decompress(base64.b64decode(letters), -15)
    size = int.from_bytes(blob[:4], "little")
    data, rest = json.loads(blob[4 : 4 + size]), blob[4 + size :]

    def read(one):
        at, count = one["at"], one["count"]
        if one["kind"] == "real":
            return np.frombuffer(rest[at : at + 8 * count], "<f8")
        low, high = np.frombuffer(rest[at : at + 2 * count], np.uint8).reshape(2, -1).astype(int)
        return one["low"] + one["step"] * (np.cumsum(low + 256 * high) % 65536)

    return data, read


def spatial_chain_run(count=10, times=1000):
    m = lw.gallery.spatial_chain(count)
    return m.simulate(2.0, every=2.0 / (times - 1), coordinates="joint")


def test_poses_and_series_are_those_of_the_run():
    run = slider_crank_run()
    data, read = unpacked(run.page().text)
    (one,) = data["runs"]
    np.testing.assert_array_equal(read(one["t"]), run.t)
    for k, body in enumerate(run.mechanism.bodies):
        for axis, ref in zip("xy", one["places"][k]):
            np.testing.assert_allclose(read(ref), run[f"{body}.{axis}"], atol=0.51 * ref["step"])
        turn = read(one["turns"][k][0]) - run[f"{body}.angle"]  # the crank makes several turns
        assert np.abs(np.angle(np.exp(1j * turn))).max() < 1e-4
    assert {"A.angle", "A.reaction.x", "motor.effort", "crank.angle.rate", "energy.total"} <= {
        series["name"] for series in one["series"]
    }
    for series in one["series"]:
        values = run[series["name"]]
        np.testing.assert_allclose(read(series["values"]), values, atol=max(np.ptp(values), 1e-12) / 65535)
    named = {item["name"]: [one["series"][k]["name"] for k in item["series"]] for item in one["items"]}
    assert "B.reaction.y" in named["B"] and "rod.x" in named["rod"]
    assert one["model"] == lw.to_text(run.mechanism) and "freedom" in one["check"]


def test_space_has_turns_without_jumps():
    run = spatial_chain_run(3, 50)
    data, read = unpacked(run.page().text)
    for k, body in enumerate(run.mechanism.bodies):
        turns = np.column_stack([read(part) for part in data["runs"][0]["turns"][k]])
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)  # as the page does
        cosine = np.abs(np.einsum("ti,ti->t", turns, run.orientation(body).quaternion))
        assert cosine.min() > 1.0 - 1e-8
        assert np.abs(np.diff(turns, axis=0)).max() < 0.5


@pytest.mark.parametrize(
    "values", [np.zeros(5), np.linspace(-3e5, 2.0, 999), np.array([1e-300, 2e-300]), np.array([7.0])]
)
def test_steps_are_fine(values):
    pack = Pack()
    ref = pack.steps(values)
    _, read = unpacked(f'id="data">{pack.text({})}</script>')
    np.testing.assert_allclose(read(ref), values, rtol=0, atol=0.51 * np.ptp(values) / 65535)


def test_a_thousand_times_of_ten_bodies_are_below_a_megabyte():
    run = spatial_chain_run()
    text = run.page().text
    data, _ = unpacked(text)
    assert len(run.t) == 1000 and len(data["runs"][0]["bodies"]) == 10 and len(data["runs"][0]["series"]) >= 20
    assert len(text.encode()) < 1_000_000


def test_nothing_is_loaded_and_only_its_own_script_runs(tmp_path):
    file = tmp_path / "page.html"
    four_bar_run().page(file)
    text = file.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    script = re.search(r"<script>(.*)</script>", text, re.S)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert not re.findall(r'(?:src|href)\s*=\s*"', text) and "@import" not in text and "url(" not in text
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


def test_names_are_only_names():
    bad = "</script><script>alert(1)</script>"
    m = lw.Mechanism(f"{bad}{{{{data}}}}")
    body = m.add(bad, lw.bar(length=1.0, mass=1.0))
    m.add("__proto__", lw.Revolute(m.ground.at(0, 0), body.a))
    text = m.simulate(0.1, every=0.05, coordinates="body").page().text
    assert "alert(1)" not in text.replace("&lt;script&gt;alert(1)&lt;/script&gt;", "")
    data, _ = unpacked(text)
    assert data["runs"][0]["bodies"] == [bad]


def test_fewer_times_are_said():
    run = slider_crank_run()
    data, read = unpacked(run.page(times=7).text)
    assert len(read(data["runs"][0]["t"])) == 7 and f"7 of {len(run.t)} stored times" in data["runs"][0]["notes"]
    assert set(read(data["runs"][0]["t"])) <= set(run.t)


def test_several_runs_and_their_titles():
    run = four_bar_run()
    data, _ = unpacked(run.page(beside=[slider_crank_run(), run]).text)
    assert [one["title"] for one in data["runs"]] == ["four-bar (1)", "slider-crank", "four-bar (2)"]
    data, _ = unpacked(lw.page([run, run], titles=["before", "after"]).text)
    assert [one["title"] for one in data["runs"]] == ["before", "after"]


def test_plots_of_runs_that_have_them():
    data, _ = unpacked(four_bar_run().page(beside=slider_crank_run(), plots=["spring.tension", "A.angle"]).text)
    assert [one["plots"][:2] for one in data["runs"]] == [["spring.tension", "A.angle"], ["A.angle"]]


def test_a_single_state_and_a_mechanism_without_joints():
    data, _ = unpacked(free_body_run().page(arrows="velocity").text)
    assert data["runs"][0]["shown"] == ["velocity"]


def test_a_notebook_shows_it():
    made = four_bar_run().page()
    shown = made._repr_html_()
    assert shown.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;') and 'sandbox="allow-scripts"' in shown
    assert shown.count('"') == 8  # nothing of the page ends an attribute
    assert "four-bar" in repr(made)


def test_it_needs_no_extra():
    code = (
        "import sys\n"
        "for name in ('matplotlib', 'PIL', 'imageio_ffmpeg', 'xarray', 'pandas'): sys.modules[name] = None\n"
        "import linkwork as lw\n"
        "print(len(lw.gallery.pendulum().simulate(0.1, every=0.05, coordinates='body').page(trace='rod.b').text))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and int(done.stdout) > 10_000, done.stderr


def test_wrong_use(tmp_path):
    run = four_bar_run()
    with pytest.raises(FileError, match=r"no kind of page.*'\.pdf'.*\.html or \.htm"):
        run.page(tmp_path / "page.pdf")
    with pytest.raises(FileError, match="folder that does not exist"):
        run.page(tmp_path / "none" / "page.html")
    with pytest.raises(FileError, match="no name of a file"):
        run.page(5)
    for wrong in (0, 1_000_000, 2.5, True, "many"):
        with pytest.raises(DescriptionError, match=f"cannot use its times.*1 to {MOST_TIMES}"):
            run.page(tmp_path / "page.html", times=wrong)
    with pytest.raises(DescriptionError, match=r"speed.*above 0"):
        run.page(tmp_path / "page.html", speed=0)
    with pytest.raises(UnknownNameError, match=r"A\.angel"):
        run.page(tmp_path / "page.html", plots=["A.angel"])
    with pytest.raises(UnknownNameError, match="velocty"):
        run.page(tmp_path / "page.html", arrows="velocty")
    with pytest.raises(UnknownNameError, match=r"coupler\.trace"):
        run.page(tmp_path / "page.html", trace="coupler.trace")
    with pytest.raises(UnknownNameError, match="frnt"):
        spatial_chain_run(1, 3).page(tmp_path / "page.html", view="frnt")
    with pytest.raises(DescriptionError, match="titles than of runs"):
        run.page(tmp_path / "page.html", titles=["one", "two"])
    with pytest.raises(DescriptionError, match=r"needs results.*Mechanism"):
        page(run.mechanism, tmp_path / "page.html")
    with pytest.raises(DescriptionError, match=r"so many runs.*0"):
        page([], tmp_path / "page.html")
    with pytest.raises(DescriptionError, match=r"page, which has no size"):
        run.animate(tmp_path / "page.html", dpi=100)
    with pytest.raises(TypeError, match="ghosts"):
        run.page(tmp_path / "page.html", ghosts=3)
    assert list(tmp_path.iterdir()) == []


def test_a_film_that_is_a_page(tmp_path):
    run = slider_crank_run()
    run.animate(tmp_path / "film.html", fps=10, speed=0.5, trace="crank.b")
    data, read = unpacked((tmp_path / "film.html").read_text(encoding="utf-8"))
    assert data["play"] and data["speed"] == 0.5
    np.testing.assert_allclose(read(data["runs"][0]["t"]), np.arange(0.0, 0.601, 0.05), atol=1e-9)
