"""Packages imported whole: Ctrl-C waits until they are.

A package of many files that is interrupted while it is imported stays behind in pieces, and cannot be imported again in
that process.
"""

from __future__ import annotations

import importlib
import sys


def load(package: str) -> None:
    """Import a package if it is not there yet; an interrupt that comes meanwhile is told to its handler afterwards."""
    if package in sys.modules:
        return
    import signal
    import threading

    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        importlib.import_module(package)
        return
    told: list = []
    try:
        signal.signal(signal.SIGINT, lambda *given: told.append(given))
    except ValueError:  # an interpreter inside another one: its signals are not ours
        importlib.import_module(package)
        return
    try:
        importlib.import_module(package)
    finally:
        signal.signal(signal.SIGINT, handler)
    if told:
        handler(*told[0])
