"""Who runs the parts of a sweep on other machines: the workers of a Dask cluster.

What goes to a worker is the task (the description of the mechanism, what is asked, and functions of the user), made to
bytes by Dask's own serializer, and the numbers of the designs of a part.  A worker makes the task of the bytes once,
and keeps it for the parts that follow.  Nothing lies on one worker alone that another would need: Dask gives a part
whose worker died to another one, and only that part is run again.
"""

from __future__ import annotations

import time
from collections import deque
from hashlib import sha256
from typing import Any

from linkwork._version import __version__
from linkwork.analysis.kept import keep
from linkwork.analysis.sweep_task import Answer, Design, Task
from linkwork.analysis.workers import AT_ONCE, Found, Kind, Part, Parts
from linkwork.errors import AnalysisError, DescriptionError, LinkworkError, extra_package, message

KEPT = 4  # tasks that a worker keeps
_TASKS: dict[str, Task] = {}  # of a worker


def on_cluster(client: Any, item: str) -> Kind:
    """The kind of workers that a `dask.distributed.Client` has."""
    distributed = extra_package("distributed", f"{item}(client=...)", "cluster")
    if not isinstance(client, distributed.Client):
        raise DescriptionError(
            message(
                item, "got a client= that is none", repr(client)[:80], "a dask.distributed.Client", _how_to_make_one()
            )
        )
    if client.asynchronous:
        raise DescriptionError(message(item, "got an asynchronous client", remedy="leave out asynchronous=True"))
    if client.status != "running":
        raise DescriptionError(message(item, f"got a client that is {client.status}", remedy=_how_to_make_one()))

    def run(task: Task, parts: Parts, workers: int) -> Found:
        return _Cluster(client, distributed, task).run(parts)

    return run


def _how_to_make_one() -> str:
    return 'make one: dask.distributed.Client("tcp://scheduler:8786"), or Client() for this machine'


class _Cluster:
    """One task on a cluster: parts that run there, and designs to be run again."""

    def __init__(self, client: Any, distributed: Any, task: Task) -> None:
        self.client, self.distributed, self.item = client, distributed, task.item
        self.sent = _as_bytes(task)
        self.key = sha256(self.sent).hexdigest()
        self.alone: deque[Part] = deque()  # single designs whose worker died, each to be run with nothing beside it

    def run(self, parts: Parts) -> Found:
        """Parts with their answers, as they come."""
        asked: dict[Any, Part] = {}
        coming = self.distributed.as_completed()
        alone = False
        try:
            while True:
                while not alone and len(asked) < AT_ONCE * (threads := self._threads()):
                    part = parts.take(threads)
                    if part is None and self.alone and not asked:
                        part, alone = self.alone.popleft(), True
                    if part is None:
                        break
                    future = self.client.submit(
                        _work, self.key, self.sent, part.designs, __version__, pure=False, retries=0
                    )
                    asked[future] = part
                    coming.add(future)
                if not asked:
                    return
                future = next(coming)
                part = asked.pop(future)
                answers = self._answers(future, part, alone)
                alone = False
                if answers is not None:
                    found, seconds = answers
                    parts.took(part, seconds)
                    yield part, found
        finally:
            self.client.cancel(list(asked))

    def _threads(self) -> int:
        """How many parts can run at once now: workers come and go."""
        return max(1, sum(self.client.nthreads().values()))

    def _answers(self, future: Any, part: Part, alone: bool) -> tuple[list[Answer], float] | None:
        """Answers and seconds of a part; None where it is to be run again, design by design.

        Dask blames everything that lay on a worker when it died.  Which design it was shows only where one is alone.
        """
        try:
            return future.result()
        except self.distributed.KilledWorker:
            if alone:
                return [{"failed": "its worker died again and again"}], 0.0
            self.alone.extend(Part([k], [one]) for k, one in zip(*part))
            return None
        except (self.distributed.CancelledError, self.distributed.client.FutureCancelledError) as error:
            raise AnalysisError(
                message(self.item, f"lost its cluster ({error})", remedy="with store= the same call goes on")
            ) from error
        except LinkworkError:
            raise
        except ImportError as error:
            raise AnalysisError(
                message(
                    self.item,
                    f"cannot run on a worker: {type(error).__name__}: {error}",
                    remedy=f"install linkwork {__version__}, and what your functions import, on all workers",
                )
            ) from error


def _as_bytes(task: Task) -> bytes:
    from importlib import import_module

    try:
        return import_module("distributed.protocol.pickle").dumps(task)
    except Exception as error:
        raise DescriptionError(
            message(task.item, f"cannot be sent to a cluster ({type(error).__name__}: {str(error)[:160]})")
        ) from error


def _work(key: str, sent: bytes, designs: list[Design], version: str) -> tuple[list[Answer], float]:
    """Run a part, on a worker."""
    if version != __version__:
        raise AnalysisError(
            message(
                "A worker", "has another version of linkwork", __version__, version, "install the same on all workers"
            )
        )
    task = _TASKS.get(key)
    if task is None:
        from importlib import import_module

        task = import_module("distributed.protocol.pickle").loads(sent)
        keep(_TASKS, key, task, KEPT)
    began = time.perf_counter()
    return task.run_part(designs), time.perf_counter() - began
