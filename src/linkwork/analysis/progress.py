"""A line that says how far a long run has come, and Ctrl-C that is heard where Python functions run in a kernel."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections import deque
from typing import Any, Literal, Self

from linkwork.errors import printable


def _looked_at() -> bool:
    """Whether somebody sees what is written to stderr: at a terminal, or in a cell of a notebook."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")


class Line:
    """One line on stderr, printed again and again, once something takes longer than a second or two.

    `wanted` None means: only where somebody looks (a terminal, a notebook), unless LINKWORK_PROGRESS says on or off.
    """

    AFTER = 1.5
    EVERY = 0.3

    def __init__(self, wanted: bool | None) -> None:
        self.wanted, self.printed = wanted, 0
        self.begin = self.shown = time.perf_counter()

    def __enter__(self) -> Self:
        self.begin = self.shown = time.perf_counter()
        self.printed = 0
        return self

    def due(self) -> bool:
        """Whether it is time to say something, and somebody looks."""
        now = time.perf_counter()
        if now - self.begin < self.AFTER or now - self.shown < self.EVERY:
            return False
        self.shown = now
        if self.wanted is None:  # asked only now: short runs do not pay for it
            said = os.environ.get("LINKWORK_PROGRESS")
            self.wanted = said == "on" if said in ("on", "off") else _looked_at()
        return self.wanted

    def say(self, text: str) -> None:
        """The line, in place of what it said before."""
        print(f"\r{printable(text):<{self.printed}}", end="", file=sys.stderr, flush=True)
        self.printed = len(text)

    def __exit__(self, *unused: object) -> Literal[False]:
        if self.printed:
            print("\r" + " " * self.printed + "\r", end="", file=sys.stderr, flush=True)
        return False


class Progress(Line):
    """How far a run has come, and how long it will take; nothing for short runs."""

    def __init__(self, wanted, name: str, first: float, last: float, unit: str = "s", now: float | None = None):
        super().__init__(wanted)
        self.unit = unit
        self.now = first if now is None else now  # where this call begins: the share is that of the whole run
        self.name, self.first, self.last = name, first, last
        self._past: deque[tuple[float, float]] = deque(maxlen=self.LATELY)  # when it was where

    LATELY = 12  # lines: the pace is that since so many

    def show(self, t: float, step: float | None = None) -> None:
        """Say how far it is, if it is time to."""
        if not self.due():
            return
        share = (t - self.first) / (self.last - self.first)
        began, then = self._past[0] if len(self._past) == self.LATELY else (self.begin, self.now)
        self._past.append((self.shown, t))
        left = (self.shown - began) * (self.last - t) / (t - then) if t > then else float("inf")
        steps = "" if step is None else f", steps of {step:.1e} s"
        so_far = f"t = {plainly(t, self.last)} s" if self.unit == "s" else f"{t:.0f}"
        self.say(
            f"{self.name}: {so_far} of {plainly(self.last, self.last)} {self.unit} ({100 * share:.0f} %){steps}, "
            f"about {time_to_go(left)} left "
        )


class _Silent(Progress):
    """That of runs that are not shown: one for all of them."""

    def show(self, t: float, step: float | None = None) -> None:
        """Say nothing."""


SILENT = _Silent(False, "", 0.0, 1.0)


def hand_back(stop: KeyboardInterrupt, result: Any, reached: str) -> None:
    """Have Python's own error carry what was reached, and say so; where a result says how, a notebook shows that."""
    told = f"{reached}; what was reached is in .result of this error, sys.last_value.result"
    # attributes of ours on an error of Python's: mypy knows only its own
    stop.result = result  # type: ignore[attr-defined]
    shown = getattr(result, "_in_place_of_traceback", None)
    if shown is not None:
        stop._render_traceback_ = lambda: shown(told)  # type: ignore[attr-defined]  # as above: notebooks ask for it
    stop.add_note(told)


def plainly(number: float, largest: float) -> str:
    """A number without powers of ten, to four digits of the largest: 42280 of 200000, 0.25 of 1."""
    digits = max(0, 3 - math.floor(math.log10(abs(largest) or 1.0)))
    text = f"{number:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def time_to_go(seconds: float) -> str:
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


#: where nothing is wanted of them
LEFT_ALONE = Interrupts(False)


def heeded(wanted: bool) -> Interrupts:
    """`Interrupts`; where nothing is wanted of them, the same for all."""
    return Interrupts(True) if wanted else LEFT_ALONE
