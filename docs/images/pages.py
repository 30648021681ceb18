"""Makes the pictures of docs/pages.md in headless Chromium: `python docs/images/pages.py [folder]`."""

import sys
import tempfile
from pathlib import Path

import linkwork as lw

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tests")]

from make import robot_arm  # noqa: E402 - its folder is named above

from browser.chromium import Chromium  # noqa: E402 - likewise

ACT = "(() => {{ const one = document.getElementById('{}'); {}; one.dispatchEvent(new Event('{}')); }})()"
SCRUB = ACT.format("scrub", "one.value = {}", "input")
CHOOSE = ACT.format("pick", "one.value = [...one.options].find(item => item.textContent === '{}').value", "change")


def pictures(folder: Path) -> None:
    """Write all pictures into a folder."""
    four_bar = lw.gallery.four_bar().simulate(4, every=0.01)
    arm = robot_arm().simulate(2, every=0.01)
    with tempfile.TemporaryDirectory() as place, Chromium() as browser:
        four_bar.page(f"{place}/plane.html", trace="coupler.tracer", arrows="velocity")
        arm.page(f"{place}/space.html", trace="hand.tool", plots=["M1.effort", "M2.effort", "M3.effort"])
        tab = browser.tab(1200, 840).open(f"{place}/plane.html")
        tab(SCRUB.replace("{}", "70"))
        tab.pictures(3)
        tab.screenshot(folder / "page.png")
        tab = browser.tab(1200, 840, dark=True).open(f"{place}/space.html")
        tab(SCRUB.replace("{}", "60"))
        tab(CHOOSE.replace("{}", "fore"))
        tab.pictures(3)
        tab.screenshot(folder / "page_space.png")


if __name__ == "__main__":
    pictures(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
