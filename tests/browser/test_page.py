"""Pages in headless Chromium: they open, play, scrub, answer clicks and keys, and everybody can use them."""

import importlib.util
import json
import time
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw
from browser.models import (
    arm,
    balls_in_perspective,
    every_kind_in_space,
    flying_balls,
    four_bar,
    hostile,
    middles,
    pendulums,
    pixels,
)
from linkwork.cli import main
from linkwork.result.result import Result
from unit.view.view_models import every_kind

RUNS = {
    "plane": four_bar,
    "space": arm,
    "balls": flying_balls,
    "hostile": hostile,
    "far": lambda: pendulums(x=4e5, y=5e6),  # metres, as maps have them
    "tiny": lambda: pendulums(size=1e-4),
    "far balls": lambda: flying_balls(4e5),
}
COLORS = {"red": "red", "green": "green", "blue": "blue"}
STAGE = "document.querySelector('.view').getBoundingClientRect().toJSON()"
CHOSEN = "document.querySelector('#pick').selectedOptions[0].textContent"
STEP = "Number(document.getElementById('scrub').value)"


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """Files by name."""
    folder = tmp_path_factory.mktemp("pages")
    for name, run in RUNS.items():
        trace = {"plane": "coupler.tracer", "space": "fore.right"}.get(name, ())
        balls = "balls" in name
        run().page(folder / f"{name}.html", trace=trace, names=not balls, color=COLORS if balls else None)
    four_bar().page(folder / "two.html", beside=[four_bar()], arrows=["velocity", "reaction"])
    four_bar().animate(folder / "film.html")
    return {file.stem: file for file in folder.iterdir()}


def change(tab, control, setting, event="change"):
    """Give a control another value, as a hand does."""
    act = f"one.{setting}; one.dispatchEvent(new Event('{event}'))"
    tab(f"(() => {{ const one = document.getElementById('{control}'); {act}; }})()")


def scrub(tab, step):
    """Move the slider, as a hand does."""
    change(tab, "scrub", f"value = {step}", "input")
    tab.pictures(2)


@pytest.mark.parametrize("name", ["plane", "space", "two", "hostile", "film"])
def test_opens_without_a_word_and_without_a_request(browser, pages, name):
    tab = browser.tab().open(pages[name])
    tab.pictures(3)
    assert tab("location.protocol") == "file:"
    assert tab("document.getElementById('fault').hidden")
    assert tab.faults() == []
    assert tab.requests() == [pages[name].as_uri()]


@pytest.mark.parametrize("name", ["plane", "space"])
def test_plays_and_pauses(browser, pages, name):
    tab = browser.tab().open(pages[name])
    first = tab.screenshot()
    tab("document.getElementById('play').click()")
    tab.until(f"{STEP} > 3")
    assert tab("document.getElementById('play').getAttribute('aria-label')") == "pause"
    second = tab.screenshot()
    step = tab(STEP)
    tab.until(f"{STEP} > {step + 3} || {STEP} < {step}")
    assert len({first, second, tab.screenshot()}) == 3
    tab("document.getElementById('play').click()")
    step = tab(STEP)
    time.sleep(0.2)
    assert tab(STEP) == step
    assert tab.faults() == []


@pytest.mark.parametrize("name", ["plane", "far", "tiny"])
def test_scrubbing_puts_planar_bodies_where_the_result_has_them(browser, pages, name):
    """Pixels a metre and origin from the two pins on the ground; the moving ones must then be right to a pixel."""
    run = RUNS[name]()
    tab = browser.tab().open(pages[name])
    ground = {name: np.array(run.mechanism.joints[name].on.position[:2]) for name in "AD"}
    for step in (0, 13, 37, len(run.t) - 1):
        scrub(tab, step)
        seen = {name: pin(tab, name) for name in "ABCD"}
        scale = (seen["D"][0] - seen["A"][0]) / (ground["D"] - ground["A"])[0]
        assert scale > 50.0
        for name, point in (("B", "crank.b"), ("C", "rocker.b")):
            place = np.array([run[f"{point}.x"][step], run[f"{point}.y"][step]]) - ground["A"]
            np.testing.assert_allclose(seen[name], seen["A"] + scale * place * (1, -1), atol=1.0)


def pin(tab, joint):
    """The middle of the pin of a joint, on the screen."""
    box = tab(
        f"[...document.querySelectorAll('.scene circle')].find(one => one.item === {json.dumps(joint)})"
        ".getBoundingClientRect().toJSON()"
    )
    return np.array([box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"]])


@pytest.mark.parametrize("name", ["balls", "far balls"])
@pytest.mark.parametrize("which", ["browser", "plain_browser"])
def test_scrubbing_puts_bodies_of_space_where_the_result_has_them(request, pages, which, name):
    """Scale and origin of the picture from its first time; at others the balls must be right to a pixel, with WebGL
    and without."""
    run = RUNS[name]()
    tab = request.getfixturevalue(which).tab().open(pages[name])
    assert tab("!!document.createElement('canvas').getContext('webgl')") == (which == "browser")
    scrub(tab, 0)
    paper, screen = balls_in_perspective(run, 0), middles(tab.screenshot(), tab(STAGE))
    scale = np.ptp(screen[:, 0]) / np.ptp(paper[:, 0])
    origin = (screen - scale * paper * (1, -1)).mean(axis=0)
    for step in (0, 11, 29, len(run.t) - 1):
        scrub(tab, step)
        wanted = origin + scale * balls_in_perspective(run, step) * (1, -1)
        np.testing.assert_allclose(middles(tab.screenshot(), tab(STAGE)), wanted, atol=1.0)
    assert tab.faults() == []


def test_a_click_selects_a_body_and_a_joint_of_the_plane(browser, pages):
    run = four_bar()
    tab = browser.tab().open(pages["plane"])
    scrub(tab, 20)
    tab.click(*pin(tab, "B"))
    assert tab(CHOSEN) == "B"
    assert "B.reaction.x" in tab("document.querySelector('#item .plots').textContent")
    assert "Revolute, crank to coupler" in tab("document.querySelector('#item .words').textContent")
    middle = 0.5 * (pin(tab, "C") + pin(tab, "D"))
    tab.click(*middle)
    assert tab(CHOSEN) == "rocker"
    assert tab("document.querySelectorAll('#item .traces input').length") == 1 + len(
        run.mechanism.bodies["rocker"].points
    )
    before = tab("document.querySelectorAll('.traces path').length")
    tab("document.querySelector('#item .traces input').click()")
    assert tab("document.querySelectorAll('.scene .traces path').length") == before + 1
    box = tab(STAGE)
    tab.click(box["x"] + 5, box["y"] + box["height"] - 5)  # nothing there
    assert tab("document.querySelector('#pick').value") == ""


def test_a_click_selects_in_space(browser, pages):
    tab = browser.tab().open(pages["space"])
    for name in ("upper", "fore"):
        label = tab(
            f"[...document.querySelectorAll('.names text')].find(one => one.textContent === '{name}')"
            ".getBoundingClientRect().toJSON()"
        )
        box = tab(STAGE)
        # somewhere near its name the body is seen: go around the name until it is hit
        ways = [(dx, dy) for reach in (0, 15, 30, 45) for dx, dy in ((0, reach), (0, -reach), (reach, 0), (-reach, 0))]
        hits = set()
        for dx, dy in ways:
            x, y = label["x"] + 0.5 * label["width"] + dx, label["y"] + 0.5 * label["height"] + dy
            if box["x"] < x < box["right"] and box["y"] < y < box["bottom"]:
                tab.click(x, y)
                hits.add(tab(CHOSEN))
        assert name in hits
    assert tab.faults() == []


def test_dragging_turns_space_and_moves_the_plane(browser, pages):
    tab = browser.tab().open(pages["space"])
    box = tab(STAGE)
    start = (box["x"] + 0.2 * box["width"], box["y"] + 0.8 * box["height"])
    before = tab.screenshot()
    tab.drag(start, (start[0] + 90, start[1] - 30))
    tab.pictures(2)
    assert tab.screenshot() != before
    tab = browser.tab().open(pages["plane"])
    before = pin(tab, "A")
    tab.drag(start, (start[0] + 90, start[1] - 30))
    np.testing.assert_allclose(pin(tab, "A"), before + (90, -30), atol=1.0)
    tab("[...document.querySelectorAll('.zoom button')].find(one => one.textContent === 'fit').click()")
    np.testing.assert_allclose(pin(tab, "A"), before, atol=0.01)


@pytest.mark.parametrize("name", ["plane", "space"])
def test_keys(browser, pages, name):
    tab = browser.tab().open(pages[name])
    last = tab("Number(document.getElementById('scrub').max)")
    tab.press("ArrowRight")
    tab.press("ArrowRight")
    assert tab(STEP) == 2
    tab.press("ArrowLeft")
    assert tab(STEP) == 1
    tab.press("ArrowRight", modifiers=2)
    assert tab(STEP) == 11
    tab.press("End")
    assert tab(STEP) == last
    tab.press("Home")
    assert tab(STEP) == 0
    tab.press(" ")
    tab.until(f"{STEP} > 1")
    tab.press(" ")
    assert tab("document.getElementById('play').getAttribute('aria-label')") == "play"
    for key, words in (("n", "names"), ("v", "velocities"), ("r", "reactions")):
        label = f"find(one => one.textContent.includes('{words}'))"
        box = f"[...document.querySelectorAll('#switches label')].{label}.firstChild"
        before = tab(f"{box}.checked")
        image = tab.screenshot()
        tab.press(key)
        tab.pictures(2)
        assert tab(f"{box}.checked") != before and tab.screenshot() != image
    tab.press("d")
    assert tab("document.documentElement.dataset.theme") == "dark"
    before = tab.screenshot()
    tab.press("ArrowRight", modifiers=8)
    tab.press("+")
    tab.pictures(2)
    assert tab.screenshot() != before and tab(STEP) >= 0
    tab.press("?")
    assert not tab("document.getElementById('keys').hidden")
    assert tab.faults() == []


def test_the_tab_key_reaches_every_control_and_shows_where_it_is(browser, pages):
    tab = browser.tab().open(pages["plane"])
    wanted = tab("document.querySelectorAll('button, select, input, summary, .view').length")
    reached = set()
    for _ in range(2 * wanted):
        tab.press("Tab")
        found = tab(
            "(() => { const one = document.activeElement; if (one === document.body) return null;"
            "const all = [...document.querySelectorAll('*')];"
            "const {outlineStyle, outlineWidth} = getComputedStyle(one);"
            "return [all.indexOf(one), outlineStyle, outlineWidth]; })()"
        )
        if found is None:
            break
        assert found[1] == "solid" and found[2] == "3px"
        reached.add(found[0])
    assert len(reached) >= wanted


def test_names_of_strangers_are_only_names(browser, pages):
    tab = browser.tab().open(pages["hostile"])
    tab("document.getElementById('play').click()")
    tab.pictures(5)
    names = [*hostile().mechanism.bodies, *hostile().mechanism.joints, *hostile().mechanism.forces]
    options = tab("[...document.querySelectorAll('#pick option')].map(one => one.textContent)")
    assert set(names) <= set(options)
    for k, option in enumerate(options):
        change(tab, "pick", f"selectedIndex = {k}")
        assert tab(CHOSEN) == option
    assert tab("document.querySelectorAll('script').length") == 2 and tab("document.images.length") == 0
    assert tab("document.title") == hostile().mechanism.name
    assert not [event for event in browser.events if event["method"] == "Page.javascriptDialogOpening"]
    assert tab.faults() == [] and len(tab.requests()) == 1


@pytest.mark.parametrize("name", ["plane", "space", "two"])
def test_a_narrow_screen_is_enough(browser, pages, name):
    tab = browser.tab(320, 640, scale=2.0, touch=True).open(pages[name])
    assert tab("document.documentElement.scrollWidth") <= 320
    boxes = tab(
        "[...document.querySelectorAll('button, select, input')].map(one => one.closest('label') || one)"
        ".map(one => one.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) > 10
    for box in boxes:
        assert box["x"] >= 0 and box["right"] <= 320 and box["width"] >= 24 and box["height"] >= 23
    stage = tab(STAGE)
    assert stage["width"] >= 280 and stage["height"] >= 180
    first = tab.screenshot()
    tab("document.getElementById('play').click()")
    tab.until(f"{STEP} > 5")
    assert tab.screenshot() != first
    texts = tab(
        "[...document.querySelectorAll('.names text')].filter(one => one.style.display !== 'none')"
        ".map(one => one.getBoundingClientRect().toJSON())"
    )
    assert texts
    for one in texts:
        assert one["x"] >= stage["x"] - 1 and one["right"] <= 321


def test_names_do_not_lie_on_each_other(browser, pages):
    for name in ("plane", "space"):
        tab = browser.tab().open(pages[name])
        for step in (0, 17, 40):
            scrub(tab, step)
            boxes = tab(
                "[...document.querySelectorAll('.names text')].filter(one => one.style.display !== 'none')"
                ".map(one => one.getBoundingClientRect().toJSON())"
            )
            assert len(boxes) > 3
            for k, one in enumerate(boxes):
                for other in boxes[:k]:
                    wide = min(one["right"], other["right"]) - max(one["x"], other["x"])
                    high = min(one["bottom"], other["bottom"]) - max(one["y"], other["y"])
                    assert wide <= 0 or high <= 0.35 * min(one["height"], other["height"])


def test_who_asked_for_less_motion_starts_it_himself(browser, pages):
    calm = browser.tab(still=True).open(pages["film"])
    calm.pictures(10)
    assert calm(STEP) == 0 and calm("document.getElementById('play').getAttribute('aria-label')") == "play"
    lively = browser.tab().open(pages["film"])
    lively.until(f"{STEP} > 2")


def test_several_runs_move_together(browser, pages):
    tab = browser.tab().open(pages["two"])
    assert tab("document.querySelectorAll('.stage').length") == 2
    scrub(tab, 30)
    first, second = (
        tab(
            f"[...document.querySelectorAll('.stage')[{k}].querySelectorAll('.scene circle')].map(one =>"
            "one.getAttribute('transform'))"
        )
        for k in (0, 1)
    )
    assert first == second and len(set(first)) > 2
    legend = tab("document.querySelector('#plots .keys').textContent")
    assert "four-bar (1)" in legend and "four-bar (2)" in legend
    assert "velocity" in tab("document.querySelector('.legend').textContent")


def test_plots_follow_and_lead(browser, pages):
    run = four_bar()
    tab = browser.tab().open(pages["plane"])
    scrub(tab, 40)
    shown = tab("document.querySelector('#plots .value').textContent").replace("−", "-")
    assert abs(float(shown.split()[0]) - run["A.angle"][40]) < 1e-3
    tab.press("g")
    shown = tab("document.querySelector('#plots .value').textContent").replace("−", "-")
    assert abs(float(shown.split()[0]) - np.degrees(run["A.angle"][40])) < 0.02 and shown.endswith("deg")
    box = tab("document.querySelector('#plots .panel > svg').getBoundingClientRect().toJSON()")
    tab.click(box["right"] - 9, box["y"] + 40)
    assert tab(STEP) >= len(run.t) - 3
    count = tab("document.querySelectorAll('#plots .panel').length")
    change(tab, "add", "value = 'crank.x.rate'")
    assert tab("document.querySelectorAll('#plots .panel').length") == count + 1
    tab("document.querySelector('#plots .panel:last-child .close').click()")
    assert tab("document.querySelectorAll('#plots .panel').length") == count


def test_reports_and_model_are_there(browser, pages):
    tab = browser.tab().open(pages["plane"])
    texts = tab("[...document.querySelectorAll('pre')].map(one => one.textContent)")
    assert lw.to_text(four_bar().mechanism) in texts and str(four_bar()) in texts
    assert any("freedom" in text for text in texts)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("name", ["plane", "space", "two"])
def test_an_accessibility_checker_finds_no_serious_fault(browser, pages, name, width, dark):
    tab = browser.tab(width, 900, dark=dark).open(pages[name])
    tab.press("?")
    tab("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    change(tab, "pick", "selectedIndex = 1")
    tab(axe())
    found = tab(
        "axe.run().then(all => all.violations.map(one => [one.impact, one.id, one.nodes[0].html.slice(0, 200)]))"
    )
    assert found == []
    assert tab("axe.run({runOnly: ['color-contrast']}).then(all => all.passes.length)") == 1  # it has looked


def axe():
    """The text of axe-core, which a package for Python carries."""
    folder = importlib.util.find_spec("axe_core_python").submodule_search_locations[0]
    return (Path(folder) / "axe.min.js").read_text(encoding="utf-8")


def test_the_checker_sees_a_fault(browser, pages):
    tab = browser.tab().open(pages["plane"])
    tab("document.getElementById('scrub').removeAttribute('aria-label')")
    tab(axe())
    assert "label" in tab("axe.run().then(all => all.violations.map(one => one.id))")


def test_a_notebook_plays_it_in_a_frame(browser, tmp_path):
    """The frame has no origin of its own, so only a picture tells what is in it."""
    file = tmp_path / "notebook.html"
    frame = four_bar().page(play=True, color={"crank": "red"})._repr_html_()
    ready = "<script>document.documentElement.dataset.ready = 'yes'</script>"
    file.write_text(f"<!DOCTYPE html><title>notebook</title><body>{frame}{ready}", encoding="utf-8")
    tab = browser.tab(900, 800).open(file)
    end = time.monotonic() + 60.0
    shots: list[bytes] = []
    while len(shots) < 2 and time.monotonic() < end:
        shot = tab.screenshot()
        image = pixels(shot)
        red = (image[..., 0] > 0.75) & (image[..., 1] < 0.35) & (image[..., 2] < 0.35)
        if red.sum() > 50 and shot not in shots:
            shots.append(shot)
        tab.pictures(3)
    assert len(shots) == 2
    assert tab.faults() == []


def test_the_whole_gallery_moves_in_one_page(browser, tmp_path, monkeypatch):
    file = tmp_path / "gallery.html"
    monkeypatch.setattr("linkwork.cli.gallery.TIMES", 60)
    assert main(["gallery", "--page", str(file), "--quiet"]) == 0
    tab = browser.tab().open(file)
    names = tab("[...document.querySelectorAll('.stage .name')].map(one => one.textContent)")
    assert names == lw.gallery.names()
    moving = "[...document.querySelectorAll('.stage .clock')].map(one => one.textContent)"
    first = tab(moving)
    tab.until(f"{STEP} > 2")
    assert all(one != other for one, other in zip(first, tab(moving), strict=True))
    assert tab.faults() == [] and len(tab.requests()) == 1


@pytest.mark.parametrize("dimension", [2, 3])
def test_every_joint_and_force_can_be_shown(browser, tmp_path, dimension):
    """Beyond eight drawings of space, they are painted without WebGL."""
    kinds = every_kind() if dimension == 2 else every_kind_in_space()
    runs = [Result.of_state(m.evaluate(coordinates="body").state) for m in kinds.values()]
    for first in range(0, len(runs), 24):
        file = tmp_path / "kinds.html"
        lw.page(runs[first : first + 24], file, titles=list(kinds)[first : first + 24])
        tab = browser.tab().open(file)
        tab.pictures(2)
        assert tab("document.getElementById('fault').hidden") and tab.faults() == []
        assert tab("document.querySelectorAll('.stage').length") == len(runs[first : first + 24])
