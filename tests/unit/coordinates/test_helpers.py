"""Threads that help each other: each share is taken once, whoever offered waits for all, and all are let go."""

import threading
import time
from itertools import pairwise
from types import SimpleNamespace

import numpy as np

import linkwork as lw
from linkwork.coordinates import many as module
from linkwork.coordinates.helpers import Helpers


def test_an_offer_is_taken_and_waited_for():
    helpers, taken, begun, go_on = Helpers(2), [], threading.Event(), threading.Event()

    def work():
        begun.set()
        assert go_on.wait(10.0)
        time.sleep(0.01)
        taken.append(threading.get_ident())

    thread = threading.Thread(target=helpers.help)
    thread.start()
    with helpers.offered(work):
        assert begun.wait(10.0)
        go_on.set()
    assert taken == [thread.ident]  # it was waited for, and nobody takes it again
    helpers.close()
    thread.join(10.0)
    assert not thread.is_alive() and not helpers()
    helpers.stop()
    assert helpers()


def test_all_who_wait_come_to_an_offer():
    helpers, both, met = Helpers(3), threading.Barrier(2), []

    def work():
        both.wait(10.0)  # broken, unless the other one comes too
        met.append(threading.get_ident())

    threads = [threading.Thread(target=helpers.help) for _ in range(2)]
    for one in threads:
        one.start()
    time.sleep(0.05)  # both wait by now
    with helpers.offered(work):
        deadline = time.monotonic() + 10.0
        while len(met) < 2 and not both.broken and time.monotonic() < deadline:
            time.sleep(0.001)
    helpers.close()
    for one in threads:
        one.join(10.0)
    assert set(met) == {one.ident for one in threads}


def test_an_offer_that_fails_lets_its_owner_go_on():
    helpers, tried = Helpers(2), threading.Event()

    def work():
        tried.set()
        raise ValueError

    def help_once():
        try:
            helpers.help()
        except ValueError:
            tried.raised = True

    thread = threading.Thread(target=help_once)
    thread.start()
    with helpers.offered(work):
        assert tried.wait(10.0)
    thread.join(10.0)
    assert tried.raised


def test_time_loops_that_are_shared_have_the_same_bits(monkeypatch):
    m = lw.gallery.four_bar()
    vary = {"crank.mass": np.linspace(0.5, 2.0, 40)}
    asked = {"times": 0.5, "every": 0.1, "read": ["D.angle", "coupler.x"], "coordinates": "joint", "progress": False}
    alone = lw.sweep(m, vary, **asked)
    shares, usual = [], module._Runs._follow

    def follow(runs, some, drive):
        shares.append((runs, some.start, some.stop))
        usual(runs, some, drive)

    monkeypatch.setattr(module._Runs, "_follow", follow)
    thread = threading.Thread(target=lambda: None)

    class Two(Helpers):
        """The first share is left to a thread that helps."""

        def offered(self, work):
            nonlocal thread
            thread = threading.Thread(target=work)
            thread.start()
            thread.join(10.0)
            return super().offered(work)

    monkeypatch.setattr("linkwork.analysis.workers.Helpers", Two)
    found = lw.sweep(m, vary, workers=2, **asked)
    assert found.identical(alone)
    for runs in {one for one, *_ in shares}:  # every design once
        ranges = sorted((first, last) for one, first, last in shares if one == runs)
        assert ranges[0][0] == 0 and all(one[1] == other[0] for one, other in pairwise(ranges))
    assert len(shares) > len({one for one, *_ in shares})


def test_threads_take_smaller_shares_of_what_is_left():
    runs = object.__new__(module._Runs)
    runs.many, runs.shares, runs._next, runs._lock = SimpleNamespace(count=10), 2, 0, threading.Lock()
    taken = [runs._take() for _ in range(6)]
    assert [(one.start, one.stop) for one in taken] == [(0, 5), (5, 8), (8, 9), (9, 10), (10, 10), (10, 10)]
