"""Threads that help each other: who has nothing left to do takes a share in the time loops of another one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Helpers:
    """Work that is offered to other threads, and whether all of them are to stop, which a call tells."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._stop, self._closed = threading.Event(), False
        self._changed = threading.Condition()
        self._offers: list[Callable[[], None]] = []
        self._at_work: list[Callable[[], None]] = []  # an offer stands here once for everybody who took it

    def __call__(self) -> bool:
        """Whether to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Have everybody stop, who then tells how far it came."""
        self._stop.set()

    def close(self) -> None:
        """Let those go who wait for offers."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def offered(self, work: Callable[[], None]) -> Iterator[None]:
        """Offer work that any number of threads may do at once; at the end all who took it have left it."""
        with self._changed:
            self._offers.append(work)
            self._changed.notify_all()  # one alone might be somebody who waits for helpers to leave
        try:
            yield
        finally:
            with self._changed:
                self._withdraw(work)
                self._changed.wait_for(lambda: work not in self._at_work)

    def help(self) -> None:
        """Take one offer after the other, until it is closed."""
        while (work := self._next()) is not None:
            try:
                work()
            finally:
                with self._changed:
                    self._at_work.remove(work)
                    self._withdraw(work)  # nothing of it is left
                    self._changed.notify_all()

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._offers)
            if not self._offers:
                return None
            self._at_work.append(self._offers[0])
            return self._offers[0]

    def _withdraw(self, work: Callable[[], None]) -> None:
        if work in self._offers:
            self._offers.remove(work)
