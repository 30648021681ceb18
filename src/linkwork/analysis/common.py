"""What analyses share: models from mechanisms, start values by name, and the errors of failed kernels."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.analysis.contradiction import contradicting, leave_out
from linkwork.compiled.asked_again import measure_failure
from linkwork.compiled.bases import in_bases, read_bases
from linkwork.compiled.laws import ReturnedNothing, accept_plainly, call_plainly
from linkwork.compiled.model import Model, RowInfo
from linkwork.compiled.names import start_of, unit_in
from linkwork.compiled.numbering import model_of
from linkwork.coordinates import definite
from linkwork.errors import (
    AnalysisError,
    AssemblyError,
    CompileError,
    DeadCentreError,
    DescriptionError,
    SingularConfigurationError,
    UserFunctionError,
    message,
)
from linkwork.kernels import layout as at
from linkwork.kernels.checked import plainly
from linkwork.units import like_degrees, si, tell_degrees

NEAR_SINGULAR = 1e-3
PARTED = 1e-5  # how far rows that were dropped may be from being met
LATELY = 100  # evaluations: a run that ends fails in those of its last few attempts


def as_model(thing) -> Model:
    """A model as it is, or compiled from a mechanism."""
    if isinstance(thing, Model):
        return thing
    if hasattr(thing, "bodies") and hasattr(thing, "joints") and not isinstance(thing, type):
        return model_of(thing)
    raise DescriptionError(message("Analysis", "needs a mechanism", repr(thing), "a Mechanism or a compiled model"))


def model_in(thing, coordinates: str, basis=None) -> Model:
    """A model as it is, or compiled from a mechanism, with the bases that are asked for beside `coordinates`."""
    model = as_model(thing)
    definite(coordinates)
    if basis is None:
        return model
    return in_bases(model, read_bases(model.mechanism, coordinates, basis))


def named_values(values, what: str, mechanism=None) -> dict[str, float]:
    """A mapping of names to finite numbers; with a mechanism, also to texts such as "60 deg"."""
    if values is not None and not isinstance(values, Mapping):
        raise DescriptionError(
            message(
                f"{what} values", "are not given by name", repr(values), 'names and numbers such as {"A.angle": 1.0}'
            )
        )
    out = {}
    for name, value in (values or {}).items():
        if not isinstance(name, str):
            raise DescriptionError(
                message(f"{what} values", "have a name that is no text", repr(name), 'names such as "A.angle"')
            )
        if mechanism is not None and like_degrees(value) and unit_in(mechanism, name) == "rad":
            tell_degrees(value, f"{what} value '{name}'")
        if mechanism is not None and isinstance(value, str):
            value = si(value, unit_in(mechanism, name), f"{what} value", f"'{name}'")
        try:
            usable = not isinstance(value, bool) and isinstance(value, numbers.Real) and math.isfinite(value)
        except OverflowError:  # a whole number of more than 308 digits
            usable = False
        if not usable:
            raise DescriptionError(message(f"{what} value '{name}'", "is not a finite number", repr(value), "a number"))
        out[name] = float(value)
    return out


def without_law_states(model, values) -> tuple[Any, dict[int, float]]:
    """Values by name without those of states of laws; and these, by their places in a state of the bodies."""
    known = {f"{element}.{name}": k for k, (element, _, name) in enumerate(model.law_states)}
    if not known or not isinstance(values, Mapping):
        return values, {}
    own = named_values({name: value for name, value in values.items() if name in known}, "start")
    first = model.n_y - len(model.law_states)
    rest = {name: value for name, value in values.items() if name not in known}
    return rest, {first + known[name]: value for name, value in own.items()}


def put(y: np.ndarray, numbers: dict[int, float]) -> np.ndarray:
    """The state with other numbers at some places."""
    out = y.copy()
    out[list(numbers)] = list(numbers.values())
    return out


def start_rows(mechanism, start: dict[str, float]) -> list[RowInfo]:
    """Rows that hold start values: positions, or rates for names that end in `.rate`."""
    rows = []
    for name, value in start.items():
        measure, order, value = start_of(mechanism, name, value)
        if order == 2:
            raise DescriptionError(
                message(f"start value '{name}'", "is an acceleration", wanted="a position or a rate")
            )
        if order == 0 and measure.of_line == "length" and not value > 0.0:
            raise DescriptionError(
                message(f"value '{name}'", "is a length, between points apart", f"{value:g} m", "more than 0")
            )
        rows.append(RowInfo(name, "", measure, "start", order == 1, value))
    return rows


def velocity_error(system, y) -> np.ndarray:
    """nu - J v of every row at the state last located."""
    return system.nu - system.row_rates(y[system.plan.n_q : system.plan.n_q + system.plan.n_v])[0]


def raise_status(system, t: float, result=None, pivot_ratio: float = 1.0) -> None:
    """Turn the status that a kernel left into the error that says what happened.

    `pivot_ratio` is the smallest pivot of the rows against its first value: small near a singular position.
    """
    model, status = system.model, int(system.w[at.STATUS])
    culprit = int(system.w[at.CULPRIT])
    if status in (at.LAW_FAILED, at.FUNCTION_FAILED, at.ENDS_MEET, at.WROTE_BEYOND, at.MEMORY_FAILED):
        # later than the last good step
        t = float(system.w[at.TIME_FAILED])
    where = f"at t = {t:.6g} s"
    raise_measure(system, where, result)
    if status in (at.LAW_FAILED, at.MEMORY_FAILED) and _reads_numbers(system, culprit):
        _raise_law(system, culprit, t, result)
    if status == at.WROTE_BEYOND:
        law = model.laws[culprit]
        name = getattr(law.part.law, "__name__", str(law.part.law))
        raise UserFunctionError(
            message(
                f"Force '{law.element}'",
                f"has a law '{name}' that writes beyond its forces {where}; numbers cannot be trusted any more",
                wanted=f"{len(law.part.along)} entries of `out`",
            ),
            result=result,
        )
    if status == at.ENDS_MEET:
        raise SingularConfigurationError(_ends_that_meet(system, culprit, where), result=result)
    if status == at.FUNCTION_FAILED:
        owner = model.function_owners[culprit]
        slot = model.function_slots[culprit]
        cause = slot.errors[0] if slot.errors else None
        text = f" ({type(cause).__name__}: {cause})" if cause else ""
        raise UserFunctionError(
            message(owner, f"has a time function that gives no finite number {where}{text}"), result=result
        ) from cause
    if status == at.NO_INERTIA:
        text = message(
            system.culprit(),
            f"moves nothing that has inertia {where}, which {system.coordinates} coordinates need",
            remedy="use coordinates='body', or give the body beyond it mass and inertia",
        )
        if result is None or not len(result.t):
            raise CompileError(text)
        raise SingularConfigurationError(text, result=result)
    if status == at.TURNS_LOST:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"turns by about half a turn in one step {where}, so that turns are lost",
                remedy="give a smaller step=, or a method that chooses its steps",
            ),
            result=result,
        )
    if status == at.DEAD_CENTRE:
        raise DeadCentreError(_dead_centre(model, where), result=result, time=t)
    flat = _flat_distance(system)
    if flat:
        raise SingularConfigurationError(
            message(flat, f"has length zero {where}, so it has no direction", remedy="keep its two points apart"),
            result=result,
        )
    if status in (at.NOT_FINITE, at.LAW_FAILED):
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"has a motion that leaves all bounds {where}: numbers are no longer finite",
                remedy="give a smaller step= or rtol=; look for very stiff springs and for forces without bound",
            ),
            result=result,
        )
    if status == at.CONFLICT:
        off = system.phi if system.w[at.ERROR_DROPPED] > PARTED else system.view(at.W_RESIDUAL)
        found = contradicting(system, off, list(range(system.n_rows)))
        raise AssemblyError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"has constraints that contradict each other {where}: {_worst_rows(system)}",
                remedy=leave_out(system, found)
                if found
                else "remove a driver or a joint that asks for what another forbids",
            ),
            result=result,
            conflict=found,
        )
    if status == at.NOT_PROJECTED:
        raise SingularConfigurationError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"cannot be carried on {where}: the constraints can no longer be met",
                remedy="a driver may ask for more than the lengths allow, the motion may lock at a singular position, "
                "or a given step= may be too long",
            ),
            result=result,
        )
    if pivot_ratio < NEAR_SINGULAR:
        drivers = [row.item for row in model.rows if row.kind == "driver"]
        raise SingularConfigurationError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"runs into a singular position {where} and cannot leave it",
                remedy=f"a driver ({', '.join(drivers)}) may push it into its dead centre"
                if drivers
                else "start it elsewhere, or give it more speed to pass",
            ),
            result=result,
        )
    raise AnalysisError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"needs steps that are too small to go on {where}",
            remedy="look for very stiff springs, jumps in a law, or accelerations without bound",
        ),
        result=result,
    )


def _dead_centre(model, where: str) -> str:
    """Which drivers push a mechanism into its dead centre."""
    drivers = ", ".join(repr(row.item) for row in model.rows if row.kind == "driver") or "its motion"
    return message(
        f"Mechanism '{model.mechanism.name}'",
        f"is pushed into its dead centre {where} by {drivers}: it cannot be moved further that way",
        remedy="let the driver turn back before, or drive another joint",
    )


def _reads_numbers(system, culprit: int) -> bool:
    """Whether what a law reads is finite: only then the law itself is to blame for what it gives."""
    return all(np.isfinite(_reading(system, one)[:2]).all() for one in system.model.laws[culprit].part.reads)


def _raise_law(system, culprit: int, t: float, result):
    """Call the law, or what it does with its memory, again in plain Python for the real exception."""
    info = system.model.laws[culprit]
    part, row = info.part, system.plan.table(at.T_LAW)[culprit]
    readings = [_reading(system, one) for one in part.reads]
    values, rates = (np.array([reading[order] for reading in readings]) for order in (0, 1))
    memory = system.memory[row[at.LAW_MEMORY] :][: row[at.LAW_N_MEMORY]].copy()
    states = system.view(at.W_STATE)[row[at.LAW_STATES] :][: row[at.LAW_N_STATES]].copy()
    out, changes = np.zeros(len(part.along)), np.zeros(states.size)
    remembers = system.w[at.STATUS] == at.MEMORY_FAILED and part.accept is not None
    what, call = (part.accept, accept_plainly) if remembers else (part.law, call_plainly)
    kind = "an accept part" if remembers else "a law"
    name = f"{kind} '{getattr(what, '__name__', str(what))}'"
    seen = ", ".join(f"{v:.6g}" for v in values)
    try:
        with np.errstate(all="ignore"):
            call(part, plainly(what), t, values, rates, np.array(part.numbers), memory, out, states, changes)
    except ReturnedNothing:
        raise UserFunctionError(
            message(
                f"Force '{info.element}'",
                f"has {name} that returned nothing (None) at t = {t:.6g} s with value {seen}",
                remedy="let it return a number whatever it is called with",
            ),
            result=result,
        ) from None
    except Exception as cause:
        raise UserFunctionError(
            message(
                f"Force '{info.element}'",
                f"has {name} that raised {type(cause).__name__}: {cause}, at t = {t:.6g} s with value {seen}",
            ),
            result=result,
        ) from cause
    given, gives = (memory, "leaves a memory that is not finite")
    if system.w[at.STATUS] != at.MEMORY_FAILED:
        given, gives = (out, "gives no finite force")
        if np.isfinite(out).all() and not np.isfinite(changes).all():
            given, gives = (changes, "gives rates of its states that are not finite")
    raise UserFunctionError(
        message(
            f"Force '{info.element}'",
            f"has {name} that {gives} at t = {t:.6g} s",
            f"{', '.join(f'{v:g}' for v in given)} for value {seen}",
            "finite numbers",
        ),
        result=result,
    )


def raise_measure(system, where: str, result=None) -> None:
    """Where the function of a measure failed lately, call it again in plain Python for the exception."""
    model, plan, d = system.model, system.plan, system.model.dimension
    for measure in model.measure_slots:
        if measure not in plan.measure_index:
            continue
        first = int(plan.table(at.T_MEASURE)[plan.measure_index[measure], at.MEASURE_PAIR])
        failed, *seen = system.view(at.W_PAIR)[first:][: at.PAIR_SCRATCH[d][at.MOTION]][-1 - at.TOLD[d] :]
        if failed == 0.0 or system.w[at.EVALUATIONS] - failed > LATELY:
            continue
        slot = plan.memory_slots[measure] if measure.memory == "parameter" else slice(0)
        raise measure_failure(measure, d, seen, system.memory[slot], where, result)


def _reading(system, one) -> np.ndarray:
    """Value and rate of a measure or a time function that a law reads, where the kernel was last."""
    if hasattr(one, "terms"):
        return system.measure_values(one)
    return system.view(at.W_FUNCTION)[system.model.functions.index(one)]


def _ends_that_meet(system, culprit: int, where: str) -> str:
    """Which ends of a force meet, and what holds them together."""
    law, mechanism = system.model.laws[culprit], system.model.mechanism
    ends = next(
        one
        for measure in law.part.along
        for _, one in measure.terms()
        if one.of_line == "length" and system.measure_values(one)[0] <= at.MEET * system.model.length
    )
    joint = next((name for name, one in mechanism.joints.items() if one.active and _pins(one, ends)), None)
    held = f"; joint '{joint}' holds them together" if joint else ""
    return message(
        f"Force '{law.element}'",
        f"has ends that meet {where}, {ends.on} and {ends.to}, and pushes or pulls there without a direction{held}",
        remedy="attach it elsewhere"
        if joint
        else "keep its two points apart; a spring of rest_length 0 may pass where they meet",
    )


def _pins(joint, ends) -> bool:
    """Whether a joint keeps two points together."""
    points = {(frame.body, frame.position) for frame in (ends.on, ends.to)}
    held = {
        row.measure.axis
        for row in joint.constraints()
        if row.measure.along
        and row.value == 0.0
        and {(f.body, f.position) for f in (row.measure.on, row.measure.to)} == points
    }
    return held >= {"x", "y"}


def _flat_distance(system) -> str | None:
    """Which item has a distance (or direction) between points that coincide, if any."""
    model = system.model
    for measure, k in system.plan.measure_index.items():
        if measure.of_line:
            gradient = system.view(at.W_GRADIENT)[k, 0]
            if not np.isfinite(gradient):
                for row in system.plan.rows:
                    if any(one == measure for _, one in row.measure.terms()):
                        return f"Joint '{row.item}'"
                for law in model.laws:  # forces along a distance are asked whether they need its direction
                    if measure.of_line == "direction" and measure in (*law.part.reads, *law.part.along):
                        return f"Force '{law.element}'"
    return None


def _worst_rows(system, count: int = 3) -> str:
    """The rows that are furthest from being met: dropped ones in position, the others in acceleration."""
    rest = np.abs(system.view(at.W_RESIDUAL))
    if system.w[at.ERROR_DROPPED] > PARTED:
        rest = np.abs(system.phi) * (1.0 - system.held)
    order = np.argsort(-rest)[:count]
    return ", ".join(system.plan.rows[r].name for r in order if rest[r] > 0)
