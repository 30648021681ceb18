"""Long runs: begun in a folder, and taken up again where they were."""

from __future__ import annotations

import math
import os
import shutil
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from linkwork.analysis.common import model_in
from linkwork.analysis.entering import pick
from linkwork.analysis.options import SECONDS, Seconds, truth
from linkwork.analysis.outputs import Spaced, grid
from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.simulate import entered, watches
from linkwork.analysis.storing import USUAL, StoredEventful, StoredRun, Storing
from linkwork.arguments import explained
from linkwork.compiled.bases import asked_for
from linkwork.compiled.model import Model
from linkwork.compiled.variants import core_of, full_model
from linkwork.errors import AnalysisError, DescriptionError, FileError, LinkworkWarning, message, printable
from linkwork.kernels.library import sources
from linkwork.result import switching
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.result.stored import turns_by_measure

#: options of a run that its folder keeps; where it starts is in its state
KEPT = ("every", "rtol", "atol", "step", "constraints", "alpha", "beta", "correct", "until", "events")

Attached = TypeVar("Attached", bound=Storing)


def new_run(model: Model, options: RunOptions, store: Any, checkpoint: Any) -> StoredRun | StoredEventful:
    """A run into a new folder, begun."""
    from linkwork.files.folders import Folder

    if not isinstance(store, (str, os.PathLike)):
        raise DescriptionError(message("simulate store", "is no name of a folder", repr(store), "a path, 'night'"))
    seconds = USUAL if checkpoint is None else SECONDS.read(checkpoint, "simulate", "checkpoint")
    state, coordinates = entered(model, options)
    each_step = options.every == "step"
    times: Any
    if isinstance(options.times, np.ndarray):
        times = grid(options.times, options.every, state.t, 0)
    else:
        times = Spaced.over(options.times, options.every, state.t)
    _fits_the_disk(os.path.abspath(os.fspath(store)), times, state.model.n_y + state.model.n_memory, each_step)
    eventful = watches(state.model, options)
    kept = {key: getattr(options, key) for key in KEPT}
    if isinstance(options.until, Mapping):
        kept["until"] = {str(name): _plain(value) for name, value in options.until.items()}
    told = {**options.manifest(), "coordinates": coordinates, "run": kept}
    told |= asked_for(Segment.of_state(state, coordinates))
    core = core_of(state.model)
    if eventful and full_model(core) is not core:
        told[switching.FULL] = True
    folder = Folder.created(store, core.mechanism, told, _told_times(times, each_step))
    try:
        run = (StoredEventful if eventful else StoredRun)(state.model, coordinates, times, options)
        return _attached(run, folder, seconds).begin(state)
    except BaseException:
        folder.unlock()
        raise


def _plain(value: Any) -> float | str:
    return value if isinstance(value, str) else float(value)


def _attached(run: Attached, folder: Any, seconds: float) -> Attached:
    run.folder, run.seconds = folder, seconds
    return run


@explained
def resume(
    folder: str | os.PathLike[str],
    *,
    laws: Mapping[str, Callable[..., Any]] | None = None,
    most_steps: int | None = None,
    most_seconds: Seconds | None = None,
    checkpoint: Seconds | None = None,
    progress: bool | None = None,
) -> Result:
    """Go on with the run in `folder`, which `simulate(..., store=folder)` began: after Ctrl-C, a limit or a power cut.

    The run goes on from the last state that was written, as if nothing had happened: its numbers are the same, bit for
    bit, on the same machine and with the same version.  A run that is finished is loaded.  Python functions are not in
    files: a mechanism with laws of its own needs them again, `laws={"name": function}`, and a method of your own is
    registered before.  `most_steps`, `most_seconds`, `checkpoint` and `progress` are those of `simulate`, for what is
    still to do.

    Units: most_seconds [s], checkpoint [s].

    >>> try:
    ...     lw.gallery.four_bar().simulate(1.0, every=0.01, store="night", most_steps=5)
    ... except lw.errors.RunLimitError:
    ...     run = lw.resume("night")
    >>> float(run.t[-1]), bool((run["A.angle"] == lw.gallery.four_bar().simulate(1.0, every=0.01)["A.angle"]).all())
    (1.0, True)
    """
    from linkwork.files.folders import Folder

    seconds = USUAL if checkpoint is None else SECONDS.read(checkpoint, "resume", "checkpoint")
    progress = None if progress is None else truth(progress, "progress", "resume")
    found = Folder.opened(folder, laws)
    found.lock()
    try:
        reached = found.reached()
        how = reached.word("how", str)
        if how == "done":
            done = found.result(reached)
            found.unlock()
            return done
        if how != "running":
            raise AnalysisError(
                message(
                    f"{found.path}:",
                    f"holds a run that cannot go on: {reached.word('told', dict).get('ended', how)}",
                    remedy="lw.load(folder) reads what was reached",
                ),
                result=found.result(reached) if found.parts else None,
            )
        if reached.header.get("kernels") != sources():
            raise FileError(
                message(
                    f"{found.path}:",
                    f"holds a run of another Linkwork, version {printable(str(found.manifest['version']))[:40]} with "
                    "other kernels than this one has, so that it would not go on to the same numbers",
                    remedy="resume it with that version; or go on from its last state, "
                    "simulate(..., start=lw.load(folder).final)",
                )
            )
        options = _options(found, reached, most_steps, most_seconds)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", LinkworkWarning)  # told when the run began
            run = _attached(_run(found, options), found, seconds)
            run.begin(_state(found, reached, run.model)).take_up(reached)
    except BaseException:
        found.unlock()
        raise
    return run.go(progress)


def _options(folder: Any, reached: Any, most_steps: Any, most_seconds: Any) -> RunOptions:
    said = folder.manifest["options"]
    kept = said.get("run")
    if not isinstance(kept, dict) or set(kept) != set(KEPT):
        raise FileError(message(f"{folder.path}:", "does not say how it is run"))
    times = folder.manifest["times"]
    return RunOptions.read(
        **kept,
        times=folder.given_times() if "given" in times else 1.0,
        start=None,
        near=None,
        t=None,
        coordinates=said["coordinates"],
        method=reached.header.get("chosen by") or reached.word("method", str),
        most_steps=most_steps,
        most_seconds=most_seconds,
    )


def _run(folder: Any, options: RunOptions) -> StoredRun | StoredEventful:
    """The run, not begun."""
    said = folder.manifest["options"]
    model = model_in(folder.mechanism, options.coordinates, said.get("basis"))
    times = _times(folder, options)
    eventful = watches(model, options)
    if eventful:
        model = full_model(model)
    return (StoredEventful if eventful else StoredRun)(model, options.coordinates, times, options)


def _times(folder: Any, options: RunOptions) -> Any:
    if isinstance(options.times, np.ndarray):
        t = options.times
        if not t.size or not np.isfinite(t).all() or not (np.diff(t) > 0.0).all():
            raise FileError(message(f"{folder.path}:", "has output times that do not increase"))
        return t
    said = folder.manifest["times"]
    first, every, last, size = (said.get(key) for key in ("first", "every", "last", "size"))
    right = all(type(one) in (int, float) and math.isfinite(one) for one in (first, every, last))
    if not right or type(size) is not int or not (1 <= size < 1 << 60 and every > 0.0 and first <= last):
        raise FileError(message(f"{folder.path}:", "has output times that cannot be right", repr(said)[:80]))
    if size > 1 and not first + every * (size - 2) < last:
        raise FileError(message(f"{folder.path}:", "has output times that do not increase", repr(said)[:80]))
    return Spaced(float(first), float(every), float(last), size)


def _state(folder: Any, reached: Any, model: Any) -> State:
    """The state that the segment began with."""
    said, switched = reached.word("state", dict), reached.header.get("switched")
    base = model
    if switched is not None:
        model, _ = switching.read(f"{folder.path}:", base, {"switches": switched})
    rows = len(model.rows)
    numbers = reached.array("state", (model.n_y + model.n_memory,))
    try:
        found = State(
            float(said["t"]),
            numbers[: model.n_y],
            numbers[model.n_y :],
            reached.array("modes", (rows,)),
            reached.array("values", (rows,)),
            float(said["pivot"]),
            reached.array("dependencies", (None, rows)),
            model,
            turned=turns_by_measure(folder.mechanism, reached.header.get("turns")),
        )
        pick(model, folder.manifest["options"]["coordinates"], found)
    except (KeyError, TypeError, ValueError, DescriptionError) as error:
        raise reached.wrong(f"has a state that cannot be right ({error})") from None
    if not np.isfinite(numbers).all():
        raise reached.wrong("has a state that is not finite")
    return found


def _told_times(times: Any, each_step: bool) -> Any:
    """Output times in words, or one by one."""
    if isinstance(times, np.ndarray):
        return times
    return {"first": times.first, "every": times.every, "last": times.last, "size": times.size, "steps": each_step}


def _fits_the_disk(path: str, times: Any, numbers: int, each_step: bool) -> None:
    """Refuse outputs that the disk cannot hold."""
    while path and not os.path.isdir(path):
        path = os.path.dirname(path)
    free = shutil.disk_usage(path or ".").free
    wanted = 0 if each_step else 8.0 * len(times) * (1 + numbers)
    if wanted > free:
        raise DescriptionError(
            message(
                "simulate",
                "asks for more outputs than the disk holds",
                f"{len(times):.3g} outputs, {wanted / 1e9:.3g} GB",
                f"at most {free / 1e9:.3g} GB",
                "give a longer time between outputs, every=",
            )
        )
