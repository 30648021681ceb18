"""What a result consists of, as arrays and words, and the result that they give; what cannot be right is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from linkwork.compiled.modes import DROPPED, FREE, HELD, of_bodies
from linkwork.compiled.names import all_measures, measure_of
from linkwork.coordinates import SETS
from linkwork.coordinates.turns import shift, told_by_position
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.result import switching
from linkwork.result.segments import SOURCES, Segment
from linkwork.result.turns import RUN_OPTIONS, Turned

MOST_STEPS = 10**12  # of a segment: no run takes more


def sizes_of(model) -> dict[str, tuple[int | None, ...]]:
    """The shapes of what a result of this model consists of; None is any number.

    | name          | shape                   | holds                                                              |
    |---------------|-------------------------|--------------------------------------------------------------------|
    | t             | times                   | times that the result shows                                        |
    | states        | times, numbers          | states of the bodies there, with work and memory                   |
    | first         | segments                | the first of these times that is the segment's own                 |
    | borders       | 2 for each, 1 + numbers | time and state before and after every border between segments      |
    | modes         | segments, rows          | 1 held, 0 dropped, 2 free                                          |
    | values        | segments, rows          | at which rows are held                                             |
    | pivot         | segments                | smallest pivot, where nothing is singular                          |
    | dependencies  | any, 1 + rows           | number of the segment, and a combination of its rows that vanishes |
    | accelerations | any, speeds             | of segments that were made with them, at all their times           |
    | multipliers   | any, rows               | the same                                                           |
    """
    rows, wide = len(model.rows), model.n_y + model.n_memory
    return {
        "t": (None,),
        "states": (None, wide),
        "first": (None,),
        "borders": (None, 1 + wide),
        "modes": (None, rows),
        "values": (None, rows),
        "pivot": (None,),
        "dependencies": (None, 1 + rows),
        "accelerations": (None, model.n_v),
        "multipliers": (None, rows),
    }


# -- out -----------------------------------------------------------------------------------------------------------
def arrays_of(segments: Sequence[Segment]) -> dict[str, np.ndarray]:
    """The arrays of `sizes_of`."""
    model = segments[0].model
    shown = [len(one.t[one.outputs]) for one in segments]
    borders = [
        np.concatenate([[one.t[k]], one.bodies.row(k)])
        for before, after in pairwise(segments)
        for one, k in ((before, -1), (after, 0))
    ]

    def stacked(key: str, parts) -> np.ndarray:
        """Rows of numbers, or blocks of rows, on each other; there may be none."""
        return np.concatenate([np.zeros((0, sizes_of(model)[key][-1] or 0)), *map(np.atleast_2d, parts)])

    return {
        "t": np.concatenate([one.t[one.outputs] for one in segments]),
        "states": np.concatenate([one.bodies.all[one.outputs] for one in segments]),
        "first": np.cumsum([0, *shown[:-1]]).astype(float),
        "borders": stacked("borders", borders),
        "modes": stacked("modes", [of_bodies(one.modes) for one in segments]),
        "values": stacked("values", [one.values for one in segments]),
        "pivot": np.array([float(one.pivot) for one in segments]),
        "dependencies": stacked(
            "dependencies",
            [np.insert(one.dependencies, 0, k, axis=1) for k, one in enumerate(segments) if len(one.dependencies)],
        ),
        "accelerations": stacked("accelerations", [one.known_accelerations for one in segments if _has(one, 0)]),
        "multipliers": stacked("multipliers", [one.known_multipliers for one in segments if _has(one, 1)]),
    }


def _has(segment: Segment, which: int) -> bool:
    return (segment.known_accelerations, segment.known_multipliers)[which] is not None


def words_of(segments: Sequence[Segment]) -> dict[str, Any]:
    """What of segments is no array: how each was run and where its numbers come from, and turns at the first time."""
    told = [
        {
            "coordinates": one.coordinates,
            "source": one.source,
            "steps": one.steps,
            "accelerations": _has(one, 0),
            "multipliers": _has(one, 1),
            **{key: one.options[key] for key in ("analysis", *RUN_OPTIONS) if one.options.get(key) is not None},
            **switching.words_of(one),
        }
        for one in segments
    ]
    turns = first_turns(segments[0]) if segments[0].began is not None else {}
    return {"segments": told, **({"turns": turns} if turns else {})}


# -- in ------------------------------------------------------------------------------------------------------------
def segments_of(model, stored: Mapping[str, Any], told, turns) -> list[Segment]:
    """Segments from the arrays of `sizes_of` and the words of `words_of`."""
    item = f"Result of '{model.mechanism.name}'"
    arrays = {key: _array(item, key, stored[key], shape) for key, shape in sizes_of(model).items()}
    t, first = arrays["t"], arrays["first"]
    if not t.size or np.any(np.diff(t) <= 0.0):
        raise DescriptionError(message(item, "has times that do not increase", wanted="increasing finite numbers"))
    count = _check_counts(item, arrays, told)
    modes = arrays["modes"]
    if not np.isin(modes, (HELD, DROPPED, FREE)).all():
        raise DescriptionError(
            message(
                item,
                "has rows in a mode that is none",
                f"{modes.tolist()}"[:80],
                f"{HELD} (held), {DROPPED} (dropped) or {FREE} (free) for each",
            )
        )
    edges = [*first.astype(int).tolist(), t.size]
    base = model
    left = {key: 0 for key in ("accelerations", "multipliers")}
    found: list[Segment] = []
    for k in range(count):
        words = _words(item, told[k])
        model, began_by = switching.read(item, base, words)
        own_t, states, outputs = _times(item, arrays, edges, k, count)
        known = {}
        for key in left:
            if words[key]:
                known[key] = arrays[key][left[key] : left[key] + len(own_t)]
                left[key] += len(own_t)
        found.append(
            Segment(
                model,
                words["coordinates"],
                own_t,
                modes[k].astype(np.int64),
                arrays["values"][k],
                float(arrays["pivot"][k]),
                arrays["dependencies"][arrays["dependencies"][:, 0] == k][:, 1:],
                given=states,
                began=Turned(found[-1], -1) if found else turns_by_measure(model.mechanism, turns),
                source=words["source"],
                known_accelerations=known.get("accelerations"),
                known_multipliers=known.get("multipliers"),
                outputs=outputs,
                options={key: words[key] for key in ("analysis", *RUN_OPTIONS) if key in words},
                steps=words["steps"],
                began_by=began_by,
            )
        )
    for key, used in left.items():
        if used != len(arrays[key]):
            raise DescriptionError(message(item, f"has {key} of more or fewer times than its segments have"))
    return found


def _array(item: str, key: str, given, shape) -> np.ndarray:
    """Numbers of a shape, finite."""
    array = np.ascontiguousarray(given, dtype=float)  # of a file, large, and nobody else's
    array = array.reshape(np.shape(given))
    got = array.shape
    if len(got) != len(shape) or any(b is not None and a != b for a, b in zip(got, shape)):
        raise DescriptionError(
            message(
                item,
                f"has '{key}' of a size that does not fit its mechanism",
                str(got),
                str(shape).replace("None", "any"),
            )
        )
    if not np.isfinite(array.sum()) and not np.all(np.isfinite(array)):  # a finite sum has finite terms
        raise DescriptionError(message(item, f"has '{key}' that is not finite", wanted="finite numbers"))
    return array


def _check_counts(item: str, arrays, told) -> int:
    """The number of segments, if all that is counted by it agrees."""
    first, count = arrays["first"], len(arrays["first"])
    wanted = {
        "states": (len(arrays["states"]), len(arrays["t"])),
        "modes": (len(arrays["modes"]), count),
        "values": (len(arrays["values"]), count),
        "pivot": (len(arrays["pivot"]), count),
        "borders": (len(arrays["borders"]), 2 * (count - 1)),
        "segments": (len(told) if isinstance(told, list) else 0, count),
    }
    for key, (got, right) in wanted.items():
        if got != right or not count:
            raise DescriptionError(message(item, f"has '{key}' of a size that does not fit the others", got, right))
    of_segment = arrays["dependencies"][:, 0]
    for key, numbers, most in (("first", first, len(arrays["t"])), ("dependencies", of_segment, count - 1)):
        if (
            np.any(numbers != np.floor(numbers))
            or np.any((numbers < 0) | (numbers > most))
            or np.any(np.diff(numbers) < 0)
        ):
            raise DescriptionError(message(item, f"has '{key}' that count nothing it has", f"{numbers.tolist()}"[:80]))
    if first[0] != 0.0:
        raise DescriptionError(message(item, "has times before its first segment"))
    return count


def _words(item: str, told: Any) -> dict[str, Any]:
    """The words of a segment, each of its kind."""
    kinds = {"coordinates": str, "source": str, "steps": int, "accelerations": bool, "multipliers": bool}
    if not isinstance(told, Mapping) or any(type(told.get(key)) is not kind for key, kind in kinds.items()):
        raise DescriptionError(message(item, "says of a segment what cannot be right", repr(told)[:80]))
    for key, known in (("coordinates", SETS), ("source", SOURCES)):
        if told[key] not in known:
            raise UnknownNameError(key, told[key][:60], known, "of a segment")
    if not 0 <= told["steps"] <= MOST_STEPS or (
        told["source"] == "dynamics" and (told["accelerations"] or told["multipliers"])
    ):
        raise DescriptionError(message(item, "says of a segment what cannot be right", repr(dict(told))[:80]))
    return dict(told)


def _times(item: str, arrays, edges, k: int, count: int) -> tuple[np.ndarray, np.ndarray, slice]:
    """Times and states of a segment with those at its borders, and which of them the result shows."""
    part = slice(edges[k], edges[k + 1])
    t, states = arrays["t"][part], arrays["states"][part]
    begin = end = np.zeros((0, arrays["borders"].shape[1]))
    if k > 0:
        begin = arrays["borders"][2 * k - 1 : 2 * k]
        if t.size and begin[0, 0] == t[0]:  # the border is one of the times
            begin = begin[:0]
    if k < count - 1:
        end = arrays["borders"][2 * k : 2 * k + 1]
        if end[0, 0] != arrays["borders"][2 * k + 1, 0]:
            raise DescriptionError(message(item, "has a border whose two states are at different times"))
    times = np.concatenate([begin[:, 0], t, end[:, 0]])
    if np.any(np.diff(times) <= 0.0) and not (times.size == 2 and not t.size and times[0] == times[1]):
        raise DescriptionError(message(item, "has a border that does not lie between the times of its segments"))
    return (
        times,
        np.concatenate([begin[:, 1:], states, end[:, 1:]]) if len(begin) + len(end) else states,
        slice(None) if count == 1 else slice(len(begin), len(begin) + t.size),
    )


def known_motion(model, t, states, accelerations=None, multipliers=None, source: str = "kinematics") -> Segment:
    """The segment of a motion that is known: `states` of the bodies (times, n_y + n_memory) as the model has them.

    `accelerations` (times, n_v) and `multipliers` (times, rows) may be left out; asked for them, the result says that
    it has none.  No mass is needed.  All rows count as held, at the values that they have in the description.
    """
    if source not in SOURCES[1:]:
        raise UnknownNameError("source", str(source), SOURCES[1:], "of a motion that is known")
    rows = len(model.rows)
    arrays = {
        "t": np.array(t),  # copies: the numbers of the caller may change
        "states": np.array(states),
        "first": [0.0],
        "borders": np.zeros((0, 1 + model.n_y + model.n_memory)),
        "modes": np.full((1, rows), HELD),
        "values": np.nan_to_num(model.row_values())[None, :],
        "pivot": [1.0],
        "dependencies": np.zeros((0, 1 + rows)),
        "accelerations": np.zeros((0, model.n_v)) if accelerations is None else np.array(accelerations),
        "multipliers": np.zeros((0, rows)) if multipliers is None else np.array(multipliers),
    }
    words = {
        "coordinates": "body",
        "source": source,
        "steps": 0,
        "accelerations": accelerations is not None,
        "multipliers": multipliers is not None,
    }
    return segments_of(model, arrays, [words], None)[0]


def first_turns(segment: Segment) -> dict[str, float]:
    """Angles that begin in another turn than the first position alone would tell, by name."""
    state = segment.state(0)
    known, usual = state.known_turns(), told_by_position(segment.model, state.y)
    names = {measure: name for name, measure in all_measures(segment.model.mechanism).items()}
    return {names[measure]: value for measure, value in known.items() if shift(value, usual.get(measure) or 0.0)}


def turns_by_measure(mechanism, said) -> dict | None:
    """The same by measure, from what a file says."""
    if not said:
        return None
    turns = {measure_of(mechanism, str(name))[0]: float(value) for name, value in dict(said).items()}
    if not all(map(math.isfinite, turns.values())):
        raise DescriptionError(message(f"Result of '{mechanism.name}'", "has turns that are not finite"))
    return turns
