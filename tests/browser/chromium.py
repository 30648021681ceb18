"""A small client of Chromium's DevTools protocol, over the pipe of `--remote-debugging-pipe`: no port, no package.

    with Chromium() as browser:
        tab = browser.tab(width=1280, height=900)
        tab.open(path)
        assert tab("1 + 1") == 2

Messages are JSON texts, each ended by a zero byte; the browser reads file 3 and writes file 4.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--remote-debugging-pipe",
)
WITH_GL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WITHOUT_GL = ("--disable-3d-apis",)
BEGIN = """import fcntl, os, sys
files = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]]
for place, file in enumerate(files, start=3):
    os.dup2(file, place)
os.execv(sys.argv[3], sys.argv[3:])
"""
STALL = "GPU stall due to ReadPixels"  # said by the software that stands in for a graphics card here
PATIENCE = 60.0  # seconds for one answer; only a browser that hangs needs them


def found():
    """The browser's program, or None."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """A browser with a profile of its own, gone when it is closed."""

    def __init__(self, gl=True):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command, self._to = os.pipe()
        self._from, answer = os.pipe()
        flags = [*FLAGS, *(WITH_GL if gl else WITHOUT_GL), f"--user-data-dir={self._folder.name}"]
        words = [sys.executable, "-c", BEGIN, str(command), str(answer), found(), *flags, "about:blank"]
        self._process = subprocess.Popen(
            words, pass_fds=(command, answer), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(command)
        os.close(answer)
        self._rest, self._number, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except (OSError, RuntimeError):
            self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._folder.cleanup()

    def send(self, method, session=None, **params):
        """Ask, and wait for the answer; what else is reported meanwhile is kept in `events`."""
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            got = self._read()
            if got.get("id") == number:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error'].get('message')}")
                return got["result"]

    def _read(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._from, 1 << 16) if ready else b""
            if not data:
                raise RuntimeError("the browser does not answer")
            self._rest += data
        text, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(text)
        if "method" in message:
            self.events.append(message)
        return message

    def tab(self, width=1280, height=900, **options):
        """A new tab of a size."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, session, width, height, **options)


class Tab:
    """One page."""

    def __init__(self, browser, session, width, height, *, scale=1.0, dark=False, still=False, touch=False):
        self.browser, self.session, self.size = browser, session, (width, height)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch
        )
        wanted = {"color-scheme": "dark" if dark else "light", "reduced-motion": "reduce" if still else "no-preference"}
        features = [{"name": f"prefers-{name}", "value": value} for name, value in wanted.items()]
        self.send("Emulation.setEmulatedMedia", features=features)

    def send(self, method, **params):
        """Ask the tab."""
        return self.browser.send(method, self.session, **params)

    def open(self, path):
        """Open a file and wait until the page has said that it is ready."""
        self.send("Page.navigate", url=Path(path).resolve().as_uri())
        self.until(
            "document.documentElement?.dataset.ready === 'yes' || !(document.getElementById('fault')?.hidden ?? true)"
        )
        return self

    def __call__(self, code):
        """The value of an expression of the page."""
        got = self.send("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"].get("exception", {}).get("description", code))
        return got["result"].get("value")

    def until(self, code):
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self(code):
            if time.monotonic() > end:
                raise RuntimeError(f"never true: {code}")
            time.sleep(0.03)

    def pictures(self, count=1):
        """Wait until the page has drawn so many more pictures."""
        wait = "const f = () => --n ? requestAnimationFrame(f) : go(1); f();"
        self(f"new Promise(go => {{ let n = {count + 1}; {wait} }})")

    def screenshot(self, file=None, whole=False):
        """The page as PNG bytes."""
        shot = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        data = base64.b64decode(shot["data"])
        if file is not None:
            Path(file).write_bytes(data)
        return data

    def press(self, key, text="", modifiers=0):
        """Press and release a key; modifiers: 1 alt, 2 ctrl, 8 shift."""
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, "Tab": 9}
        codes |= {" ": 32, "Enter": 13}
        number = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        more = {"key": key, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        words = {"text": text or key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **more, **words)
        self.send("Input.dispatchKeyEvent", type="keyUp", **more)

    def mouse(self, kind, x, y, **more):
        """An event of the mouse."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        """A click."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def drag(self, start, end, steps=6):
        """Press, move, release."""
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for k in range(1, steps + 1):
            at = [a + (b - a) * k / steps for a, b in zip(start, end)]
            self.mouse("mouseMoved", *at, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def faults(self):
        """What the console has said, and exceptions."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                details = event["params"]["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Log.entryAdded":
                text = event["params"]["entry"]["text"]
                if STALL not in text:
                    found.append(text)
            elif event["method"] == "Runtime.consoleAPICalled":
                found.append(str(event["params"]["args"]))
        return found

    def requests(self):
        """Addresses that were asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.browser.events
            if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"
        ]
