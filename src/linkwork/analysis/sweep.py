"""What if its numbers were others?  One analysis over many designs, on one core or on several."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Literal

import numpy as np

from linkwork._version import __version__
from linkwork.analysis.catalogue import COUNTED
from linkwork.analysis.design_table import DesignTable, design_table
from linkwork.analysis.identity import identity
from linkwork.analysis.options import Folder, Processes, Shown, Varied, Workers, truth
from linkwork.analysis.progress import Progress, hand_back
from linkwork.analysis.sweep_table import SweepTable
from linkwork.analysis.sweep_task import RAISED, RESULT, Answer, Task, handed_on
from linkwork.analysis.workers import Parts, kind_of
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.kernels.library import sources
from linkwork.result.tables import maker_of_datasets

CHUNK = 64  # answers of a part on disk
SURE = 8  # designs in which `reduce` raised, and none in which it did not: then it always does


@explained
def sweep(
    mechanism: Any,
    vary: Varied,
    *,
    times: Any = None,
    read: str | Sequence[str] = (),
    reduce: Callable[[Any], Any] | None = None,
    analysis: str = "simulate",
    over: Literal["grid", "list", "latin", "sobol"] = "grid",
    count: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    processes: Processes = False,
    client: Any = None,
    store: Folder = None,
    progress: Shown = None,
    options: Any = None,
    **more: Any,
) -> Any:
    """Run `mechanism` with other numbers, again and again; returns an xarray Dataset.

    `vary` has names of `Mechanism.with_numbers` (parameters, fields as `spring.stiffness`, `gravity.y`) and start
    values as `start:A.angle`, each with its values, or {"from": 10, "to": 50, "count": 5}.  `over` says which designs
    are made of them: the "grid" of all values with each other; a "list", the first values of all, the second ones,
    and so on; or `count` samples, "latin" (Latin hypercube) or "sobol", from `seed`: then each name has a pair
    (least, greatest), or {"mean": ..., "deviation": ...} of a normal distribution.

    `analysis` is "simulate", "kinematics" or "inverse_dynamics" (with `times`), "assemble", "evaluate", "equilibrium"
    or "statics", or any other with `reduce`, as "modes" or "equilibria".  All further arguments are its own; those that
    have the name of one of `sweep` are given by `options={"over": ...}`.  `read` are names of series: over time as they
    are, or one number by `.first`, `.last`, `.min` or `.max` behind the name.  `reduce` is a function of the answer
    that returns a number, or numbers by name.

    A design that cannot be run has nan, and the reason in `failed`; what a run warns of is in `doubts`, and one warning
    counts both.  `workers` threads, or with `processes` as many
    processes, share the runs, or the workers of a Dask cluster, whose `client` is given; the numbers are the same, bit
    for bit, whatever they are.  Ctrl-C raises `KeyboardInterrupt` with what is done in `.result`.  With `store`, a
    folder, parts are written as they come, and the same call goes on with them.  `progress` shows or hides the line
    that says how many runs are done.

    >>> found = lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": [10, 20, 40]}, times=1.0, read="D.angle.max")
    >>> found["D.angle.max"].sizes["spring.stiffness"]
    3
    """
    dataset = maker_of_datasets("sweep")
    _refuse_arguments_of(analysis, over, count)
    designs = design_table(vary, over, count, seed)
    task = Task(mechanism, analysis, times, _names(read), reduce, handed_on("sweep", options, more))
    task.check(designs)
    designs.settle(mechanism)
    task.expected = len(designs)
    until = ExitStack()
    kind, workers = kind_of("sweep", workers, processes, client, until)
    progress = None if progress is None else truth(progress, "progress", "sweep")
    table = SweepTable(designs, task.names, told(task, designs))
    kept = None
    if store is not None:
        from linkwork.files.sweeps import SweepFolder

        kept = SweepFolder(store, table.manifest, len(designs))
    try:
        if kept is not None:
            for part in kept.read():
                _refuse_varied(part, designs)
                table.add(part)
        with until:
            stopped = _fill(table, task, designs, kind, workers, kept, progress)
    finally:
        if kept is not None:
            kept.close()
    data = table.made(dataset)
    for name, unit in {**task.units, **designs.units(task.mechanism)}.items():
        if name in data:
            data[name].attrs["units"] = unit
    called = getattr(task.reduce, "__name__", "")
    if RESULT in data and called.isidentifier():  # what pictures call it; a lambda has no name
        data[RESULT].attrs["long_name"] = called
    if stopped is not None:
        hand_back(stopped, data, f"{table.done} of {len(designs)} designs are done")
        raise stopped
    table.tell()
    return data


def _fill(
    table: SweepTable, task: Task, designs: DesignTable, kind: Any, workers: int, kept: Any, progress: bool | None
) -> KeyboardInterrupt | None:
    """Answer the designs that are not yet; returns what stopped it, if anything did."""
    left = table.left()
    waiting: dict[int, Answer] = {}
    raised = done = 0
    try:
        with Progress(progress, f"sweep of '{task.mechanism.name}'", 0, max(1, len(left)), unit="runs") as line:
            for part, answers in kind(task, Parts(designs, left), workers):
                some = dict(zip(part.numbers, answers))
                done, raised = done + len(some), raised + sum(one["failed"].startswith(RAISED) for one in some.values())
                if raised == done and done >= min(SURE, len(left)):
                    raise _always_raises(task, answers[-1]["failed"])
                _refuse_varied(some, designs)
                if kept is not None:
                    waiting |= some
                table.add(some)
                table.told  # noqa: B018 - made now, while other threads and processes work
                while len(waiting) >= CHUNK:  # Ctrl-C may come anywhere: what is not surely written is written again
                    first = {k: waiting[k] for k in list(waiting)[:CHUNK]}
                    kept.write(first)
                    waiting = {k: one for k, one in waiting.items() if k not in first}
                line.show(done)
    except KeyboardInterrupt as stop:
        return stop
    finally:
        if kept is not None and waiting:
            kept.write(waiting)
    return None


def _refuse_arguments_of(analysis: str, over: Any, count: Any) -> None:
    """Refuse `over` and `count` where those of the analysis are meant: say how they are given."""
    if isinstance(over, Mapping):
        wanted, remedy = '"grid", "list", "latin" or "sobol"', f'those of {analysis} are options={{"over": {{...}}}}'
        raise DescriptionError(message("sweep", "got an over= with names", repr(over)[:60], wanted, remedy))
    if count is not None and over in ("grid", "list") and analysis in COUNTED:
        remedy = f'that of {analysis} is options={{"count": {count!r}}}; with over="latin" it is that of the samples'
        raise DescriptionError(message("sweep", f"got count= and over={over!r}", remedy=remedy))


def _refuse_varied(answers: dict[int, Answer], designs: DesignTable) -> None:
    """Refuse numbers of the name of what is varied: the table would have two columns of it."""
    for answer in answers.values():
        for name in designs.values:
            if name in answer:
                raise DescriptionError(
                    message("sweep", "gets a number from reduce= whose name is varied", repr(name), "another name")
                )


def _always_raises(task: Task, reason: str) -> DescriptionError:
    error = DescriptionError(message("sweep", f"cannot reduce any design: {reason.rstrip('.')}"))
    error.__cause__ = task.raised
    return error


def _names(read: Any) -> list[str]:
    names = [read] if isinstance(read, str) else list(read)
    if not all(isinstance(one, str) for one in names):
        raise DescriptionError(message("sweep", "got read= that are no names", repr(read), 'names such as "D.angle"'))
    return names


def told(task: Task, designs: DesignTable) -> dict[str, Any]:
    """The manifest: what was asked, in words."""
    from linkwork.files.writer import digest_and_functions

    digest, functions = digest_and_functions(task.mechanism)
    return {
        "version": __version__,
        "kernels": sources(),
        "mechanism": task.mechanism.name,
        "digest": digest,
        "functions": {name: identity(one) for name, one in functions.items()},
        "analysis": task.analysis,
        "times": repr(task.times) if np.ndim(task.times) == 0 else np.asarray(task.times).tolist(),
        "read": task.names,
        "reduce": None if task.reduce is None else identity(task.reduce),
        "options": identity(task.options),
        "points": designs.told(),
    }
