"""A line that says how far a long run has come, and Ctrl-C that is heard where Python functions run in a kernel."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any

from linkwork.errors import printable


def _looked_at() -> bool:
    """Whether somebody sees what is written to stderr: at a terminal, or in a cell of a notebook."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")


class Progress:
    """Prints one line, again and again, once a run takes longer than a second or two; nothing for short runs.

    `wanted` None means: only where somebody looks (a terminal, a notebook), unless LINKWORK_PROGRESS says on or off.
    """

    AFTER = 1.5
    EVERY = 0.3

    def __init__(self, wanted, name: str, first: float, last: float, unit: str = "s"):
        self.wanted, self.unit = wanted, unit
        self.name, self.first, self.last = name, first, last

    def __enter__(self):
        self.begin = self.shown = time.perf_counter()
        self.printed = False
        return self

    def show(self, t: float, step: float | None = None) -> None:
        """Say how far it is, if it is time to."""
        now = time.perf_counter()
        if now - self.begin < self.AFTER or now - self.shown < self.EVERY:
            return
        self.shown = now
        if self.wanted is None:  # asked only now: short runs do not pay for it
            said = os.environ.get("LINKWORK_PROGRESS")
            self.wanted = said == "on" if said in ("on", "off") else _looked_at()
        if not self.wanted:
            return
        share = (t - self.first) / (self.last - self.first)
        left = (now - self.begin) * (1.0 / share - 1.0) if share > 0 else float("inf")
        name, steps = printable(self.name), "" if step is None else f", steps of {step:.1e} s"
        so_far = f"t = {t:.4g} s" if self.unit == "s" else f"{t:g}"
        print(
            f"\r{name}: {so_far} of {self.last:g} {self.unit} ({100 * share:.0f} %){steps}, "
            f"about {in_words(left)} left ",
            end="",
            file=sys.stderr,
            flush=True,
        )
        self.printed = True

    def __exit__(self, *unused):
        if self.printed:
            print("\r" + " " * 100 + "\r", end="", file=sys.stderr, flush=True)
        return False


def hand_back(stop: KeyboardInterrupt, result: Any) -> None:
    """Have Python's own error carry what was reached, say so, and show it where a notebook would show a traceback."""
    told = f"{result.ended}; what was reached is in .result of this error, sys.last_value.result"
    # attributes of ours on an error of Python's: mypy knows only its own
    stop.result = result  # type: ignore[attr-defined]
    stop._render_traceback_ = lambda: result._in_place_of_traceback(told)  # type: ignore[attr-defined]
    stop.add_note(told)


def in_words(seconds: float) -> str:
    """A time that is still to go: 12 s, 5 min, 3 h 20 min, 2 d 4 h."""
    if not seconds < 1e9:
        return "very long"
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 100:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"


class Interrupts:
    """Keeps Ctrl-C until a slice has ended, where kernels call Python functions: raised in one it would be lost.

    `wanted` is False where no Python function is called; Python's own handling is then left as it is.
    """

    def __init__(self, wanted: bool):
        self.wanted = wanted and threading.current_thread() is threading.main_thread()
        self.noted = False

    def __enter__(self):
        if self.wanted:
            self.before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number, frame):
        self.noted = True

    def heed(self) -> None:
        """Do now what Ctrl-C asked for."""
        if self.noted:
            self.noted = False
            if callable(self.before):
                self.before(signal.SIGINT, None)  # Python's own raises KeyboardInterrupt; a user's may do anything
            elif self.before != signal.SIG_IGN:
                raise KeyboardInterrupt

    def __exit__(self, *unused):
        if self.wanted:
            signal.signal(signal.SIGINT, self.before)
        return False
