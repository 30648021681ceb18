"""Who runs the parts of a sweep or a search: this thread, threads, processes; `kind_of` chooses.

A kind gets a task, `Parts` to take from, and how many workers there are.  It yields each part with its answers as they
come, in any order.  Of a part that Ctrl-C cut, this thread and threads yield the answers that there are; parts of
processes are lost.  Parts begin with one design, where nothing tells how long it takes, and grow until one takes about
half a second, so that little is lost to whoever stops it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing
from itertools import islice
from math import ceil
from typing import Any, NamedTuple

from linkwork.analysis.design_table import DesignTable
from linkwork.analysis.options import truth
from linkwork.analysis.sweep_task import Answer, Design, Task
from linkwork.coordinates.helpers import Helpers
from linkwork.errors import AnalysisError, DescriptionError, message
from linkwork.units import whole

PART_SECONDS, LEAST_SECONDS = 0.5, 0.01
SHARED_SECONDS = 0.05  # at least, where the time loops of the last parts are shared
MOST_DESIGNS, GROWTH = 512, 16  # of a part, and against the one before
SHARE = 1.3  # several workers end together: the rest makes so many parts for each of them, none very short
AT_ONCE = 2  # parts for each worker: one that runs, one that waits
DEATHS = 3  # of processes, before any has answered
UNGUARDED = 113  # with which a process ends that would start others while it still reads the script that started it


class Part(NamedTuple):
    """Some designs, with their numbers in the sweep."""

    numbers: list[int]
    designs: list[Design]


class Parts:
    """Designs that are left to do, dealt out in parts."""

    def __init__(self, designs: Any, left: Sequence[int]):
        self.designs, self.left = designs, left
        self.size, self._next = 1, 0
        self._least, self._least_seconds = 1, LEAST_SECONDS  # of what several workers take at once: designs, seconds
        self._share = SHARE

    def known(self, task: Task) -> bool:
        """Whether it is told how long a design takes, by an earlier sweep, or by what the first one made ready: then
        the next part is large already.
        """
        pace = task.pace(self.designs[self.left[self._next]]) if self._next < len(self.left) else None
        if pace is None:
            return False
        self._least_seconds, self._share = SHARED_SECONDS, 1.0  # time loops are shared: all end together anyway
        self._after(pace, MOST_DESIGNS)
        return True

    def take(self, workers: int = 1) -> Part | None:
        """The next part for one of so many workers, or None."""
        size = self.size
        if workers > 1:
            size = min(size, max(self._least, ceil((len(self.left) - self._next) / (self._share * workers))))
        numbers = list(self.left[self._next : self._next + size])
        self._next += len(numbers)
        if not numbers:
            return None
        if isinstance(self.designs, DesignTable):
            return Part(numbers, self.designs.some(numbers))
        return Part(numbers, [self.designs[k] for k in numbers])

    def took(self, part: Part, seconds: float) -> None:
        """What a part took: the next ones are made larger or smaller after it."""
        self._after(seconds / max(1, len(part.numbers)), GROWTH * self.size)

    def _after(self, each: float, most: int) -> None:
        """Sizes of parts whose designs take so many seconds."""
        each = max(each, 1e-6)
        self.size = int(max(1, min(MOST_DESIGNS, most, PART_SECONDS / each)))
        self._least = int(max(1, self._least_seconds / each))


Found = Iterator[tuple[Part, list[Answer]]]
Kind = Callable[[Task, Parts, int], Found]


def in_this_thread(task: Task, parts: Parts, workers: int) -> Found:
    """One after the other."""
    known = parts.known(task)
    while (part := parts.take()) is not None:
        answers: list[Answer] = []
        began = time.perf_counter()
        try:
            task.run_part(part.designs, answers)
        except KeyboardInterrupt:
            yield part, answers
            raise
        parts.took(part, time.perf_counter() - began)
        known = known or parts.known(task)
        yield part, answers


def in_threads(task: Task, parts: Parts, workers: int) -> Found:
    """Threads of this process: kernels run side by side.  The first design runs alone, and has them compiled, if no
    earlier sweep has.
    """
    if not parts.known(task):
        yield from islice(in_this_thread(task, parts, 1), 1)
    helpers = Helpers(workers)
    pool = ThreadPoolExecutor(workers)
    asked: dict[Future, Part] = {}

    def work(part: Part) -> tuple[list[Answer], float]:
        began = time.perf_counter()
        return task.run_part(part.designs, stopped=helpers), time.perf_counter() - began

    def ask() -> bool:
        """Whether there was a part that is left to do."""
        if (part := parts.take(workers)) is not None:
            asked[pool.submit(work, part)] = part
        return part is not None

    left = True
    try:
        while True:
            while left and len(asked) < AT_ONCE * workers:
                left = ask()
                if not left:  # who ends first helps the others
                    for _ in range(workers - 1):
                        pool.submit(helpers.help)
            if not asked:
                return
            for one in wait(asked, return_when=FIRST_COMPLETED).done:
                part, (answers, seconds) = asked.pop(one), one.result()
                parts.took(part, seconds)
                yield part, answers
    except KeyboardInterrupt:
        helpers.stop()
        for one, part in asked.items():
            if not one.cancel():
                yield part, one.result()[0]
        raise
    finally:
        helpers.stop()
        helpers.close()
        pool.shutdown(cancel_futures=True)


# -- processes ---------------------------------------------------------------------------------------------------------
_TASK: Task | None = None  # of a process that works for another


def _begin(task: Task) -> None:
    global _TASK
    _TASK = task


def _work(designs: list[Design]) -> tuple[list[Answer], float]:
    assert _TASK is not None
    began = time.perf_counter()
    return _TASK.run_part(designs), time.perf_counter() - began


class Processes:
    """Processes of this machine, started anew.  A part whose process dies runs again, alone.

    They wait for the next parts of the same task until `close`: a search asks again and again, and to start them takes
    seconds.
    """

    def __init__(self) -> None:
        self._task: Task | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._children: dict[int, Any] = {}  # processes of the last pool

    def close(self) -> None:
        """End them."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = None

    def _ready(self, task: Task, workers: int) -> ProcessPoolExecutor:
        if self._task is not task:
            self.close()
            refuse_what_cannot_be_sent(task)
            self._task = task
        if self._pool is None:
            self._pool = _pool(task, workers)
            self._children = getattr(self._pool, "_processes", {})
        return self._pool

    def __call__(self, task: Task, parts: Parts, workers: int) -> Found:
        again: deque[Part] = deque()
        deaths, answered = 0, False
        while True:
            alone = bool(again)  # so that it is known who ends its process
            pool = self._ready(task, 1 if alone else workers)
            asked: dict[Future, Part] = {}
            lost: list[Part] = []
            whole_pool = False
            try:
                while not lost:
                    room = 1 if alone else AT_ONCE * workers
                    while len(asked) < room and (part := _next(again, parts, alone, workers)) is not None:
                        try:
                            asked[pool.submit(_work, part.designs)] = part
                        except BrokenProcessPool:
                            lost.append(part)
                            break
                    if not asked:
                        break
                    for one in wait(asked, return_when=FIRST_COMPLETED).done:
                        part = asked.pop(one)
                        try:
                            answers, seconds = one.result()
                        except BrokenProcessPool:
                            lost.append(part)
                            continue
                        answered = True
                        parts.took(part, seconds)
                        yield part, answers
                lost += asked.values()
                whole_pool = not lost and not alone
            finally:
                if not whole_pool:
                    self.close()
            if lost:
                deaths += 1
                if not answered and any(one.exitcode == UNGUARDED for one in self._children.values()):
                    raise _unguarded(task.item)
                if deaths >= DEATHS and not answered:
                    raise _no_process_lives(task.item)
                for part in lost:
                    if alone and len(part.numbers) == 1 and answered:
                        yield part, [{"failed": "its process was ended from outside, or by itself, twice"}]
                    else:
                        split = [Part([k], [one]) for k, one in zip(*part)] if alone else [part]
                        again.extend(split)
            elif not alone:
                return


def _next(again: deque[Part], parts: Parts, alone: bool, workers: int) -> Part | None:
    if alone:
        return again.popleft() if again else None
    return parts.take(workers)


def _pool(task: Task, workers: int) -> ProcessPoolExecutor:
    import multiprocessing

    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (task,))


def refuse_what_cannot_be_sent(task: Task) -> None:
    """Raise where a task cannot go to another process."""
    import pickle

    try:
        pickle.dumps(task)
    except Exception as error:
        raise DescriptionError(
            message(
                task.item,
                f"cannot be sent to other processes ({type(error).__name__}: {str(error)[:120]})",
                remedy="use functions of a module, made by def, as laws and as reduce=; or threads",
            )
        ) from error


def _no_process_lives(item: str) -> AnalysisError:
    return AnalysisError(
        message(
            item,
            f"started processes {DEATHS} times, and all ended before they answered",
            remedy="a script that starts processes needs `if __name__ == '__main__':` around what it does; "
            "look at what they wrote, and for memory; workers= alone takes threads",
        )
    )


def _unguarded(item: str) -> AnalysisError:
    remedy = "put `if __name__ == '__main__':` around what the script does; workers= alone takes threads"
    return AnalysisError(
        message(item, "starts processes, which read the script and start processes again", None, None, remedy)
    )


def _end_if_unguarded() -> None:
    """End a process of another one that reads the script anew, and comes here again: it cannot start any."""
    import multiprocessing

    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(UNGUARDED)  # which whoever started it knows


def kind_of(item: str, workers: Any, processes: Any, client: Any, until: ExitStack) -> tuple[Kind, int]:
    """The kind of workers that was asked for, and how many; what they keep from call to call goes with `until`."""
    if isinstance(processes, int) and not isinstance(processes, bool) and processes > 0:
        wanted, remedy = "True or False", f"write workers={processes}, processes=True"
        raise DescriptionError(message(item, "processes is neither true nor false", processes, wanted, remedy))
    many, apart = whole(workers, item, "workers", 1), truth(processes, "processes", item)
    if client is None and apart:
        _end_if_unguarded()
        return until.enter_context(closing(Processes())), many
    if client is None:
        return in_threads if many > 1 else in_this_thread, many
    if many > 1 or apart:
        raise DescriptionError(
            message(
                item, "got a client= and workers= or processes= beside it", remedy="a cluster has workers of its own"
            )
        )
    from linkwork.analysis.cluster import on_cluster

    return on_cluster(client, item), 1
