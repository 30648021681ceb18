"""The quantities of the product: measures of all items, momenta, reactions, efforts, forces, energies."""

from __future__ import annotations

from functools import partial

import numpy as np

from linkwork.compiled.events import in_play
from linkwork.compiled.names import cardan, further, readings
from linkwork.kernels import layout as at
from linkwork.result import totals
from linkwork.result.forces import element_quantities, element_series
from linkwork.result.quantities import Named, Quantity, add, quantity
from linkwork.units import MEASURE_UNITS

ENERGIES = {
    "kinetic": "of all bodies, translation and rotation",
    "potential": "of gravity, springs and other elements that store energy",
    "total": "kinetic and potential energy together",
    "dissipated": "taken out by dampers and other dissipating elements since the start",
    "supplied": "work done by drivers, actuators and other driving elements since the start",
    "lost": "taken out by events in which velocities jump, since the start",
    "balance": "what the ledger does not explain: zero for exact motion",
}


add(
    Quantity(
        "time",
        "`t`",
        "s",
        "time of the motion",
        "states",
        lambda model, item: {"": Named(("s",), "time of the motion", "states", lambda run, order: run.t)},
    )
)


# -- measures ------------------------------------------------------------------------------------------------------


def _measured(words: str, model, item: str) -> dict[str, Named]:
    """The measures that an item gives names to, with their rates."""
    return {key: _named(measure, 0, words) for key, measure in readings(model.mechanism, item).items()}


def _named(measure, first: int, words: str) -> Named:
    """A measure, or from its rate (`first` = 1) on."""

    def read(run, order):
        return run._series.measure(measure, first + order)

    return Named(MEASURE_UNITS[measure.quantity][first:], words, ("states", "rates")[first], read)


def _rates(words: str, model, item: str) -> dict[str, Named]:
    """What an item gives names to that has only rates."""
    return {key: _named(measure, first, words) for key, (measure, first) in further(model.mechanism, item).items()}


for _of, _example, _unit, _words in (
    (
        "body",
        "`crank.x`, `crank.angle`, `coupler.tracer.x`",
        "m, rad",
        "origin of a body's frame, or a named point of it, world axes; in the plane its angle, over full turns",
    ),
    (
        "joint",
        "`A.angle`, `B.slide`, `rod.length`",
        "rad, m",
        "turn or travel of `to` against `on`; distance between the two ends",
    ),
    ("driver", "`motor.value`", "rad, m", "the measure that a driver holds"),
    ("force", "`spring.length`, `coil.angle`", "m, rad", "distance or turn between the two ends of an element"),
    ("reading", "`clearance.value`", "m, rad", "the measure of a `Reading`"),
):
    add(Quantity(_of, _example, _unit, _words, "states", partial(_measured, _words)))
add(
    Quantity(
        "body",
        "`top.angular_velocity.x`, `top.angular_velocity.world.x`",
        "rad/s",
        "in space: angular velocity of a body along its own axes, and along those of the world; only `.rate` may "
        "follow",
        "rates",
        partial(_rates, "angular velocity"),
    )
)
for _of, _example, _unit, _words in (
    ("force", "`load.speed`", "rad/s", "in space: how fast `to` of a `Torque` turns against `on`, about its axis"),
    ("reading", "`blade.speed`", "m/s, rad/s", "the measure of a `Reading` that has only a rate"),
):
    add(Quantity(_of, _example, _unit, _words, "rates", partial(_rates, _words)))


# -- bodies --------------------------------------------------------------------------------------------------------


def _turns_in_space(mechanism, body) -> bool:
    return mechanism.dimension == 3 and mechanism.bodies[body].has_angle


def _cardan(model, body: str) -> dict[str, Named]:
    """Cardan angles; their rates come from the measures that hold them, of the middle one from its sine."""

    def read(k, measure, run, order):
        angle = run.whole("cardan", body, lambda run, body: run.orientation(body).angles("XYZ"))[:, k]
        if order == 0:
            return angle
        rate = run._series.measure(measure, 1)
        if k != 1:  # sin b = s:  cos b b' = s',  cos b b'' - sin b b' b' = s"
            return rate if order == 1 else run._series.measure(measure, 2)
        rate = rate / np.cos(angle)
        return rate if order == 1 else run._series.measure(measure, 2) / np.cos(angle) + np.tan(angle) * rate**2

    return {
        key: Named(MEASURE_UNITS["angle"], CARDAN, "states", partial(read, k, measure), local=False)
        for k, (key, measure) in enumerate(cardan(model.mechanism, body).items())
    }


CARDAN = "in space: angles of turns about x, then y, then z, each about axes that the turns before have moved"
add(Quantity("body", "`top.cardan.x`", "rad", CARDAN, "states", _cardan))


@quantity(
    "momentum",
    of="body",
    unit="kg m/s",
    words="mass times velocity of the mass centre, world axes",
    needs="rates",
    parts="vector",
)
def _momentum(run, body):
    return totals.momentum_of(run._series, run.model.body_index[body])


@quantity(
    "angular_momentum",
    of="body",
    unit="kg m^2/s",
    words="of a body about the world's origin, world axes; those of all bodies add up to that of the system",
    needs="rates",
    parts="turning",
)
def _angular_momentum(run, body):
    return totals.angular_momentum_of(run._series, run.model.body_index[body])


# -- joints and drivers --------------------------------------------------------------------------------------------


def _active_joint(mechanism, name) -> bool:
    return in_play(mechanism, mechanism.joints[name])


def _active_driver(mechanism, name) -> bool:
    return mechanism.drivers[name].active


@quantity(
    "reaction",
    of="joint",
    unit="N",
    words="force of a joint on its `to` body, world axes",
    needs="multipliers",
    parts="vector",
    exists=_active_joint,
)
def _reaction(run, joint):
    return run.reaction(joint).force


@quantity(
    "reaction.magnitude", of="joint", unit="N", words="size of that force", needs="multipliers", exists=_active_joint
)
def _magnitude(run, joint):
    return run.reaction(joint).magnitude


@quantity(
    "moment",
    of="joint",
    unit="N m",
    words="moment of a joint on its `to` body, about the joint, world axes",
    needs="multipliers",
    parts="turning",
    exists=_active_joint,
)
def _moment(run, joint):
    return run.reaction(joint).moment


def _effort(run, driver: str):
    (row,) = run.model.rows_of[driver]
    return run.multipliers[:, row]


def _driver_power(run, driver: str):
    return _effort(run, driver) * run._series.measure(run.mechanism.drivers[driver].measure, 1)


def _of_driver(model, driver: str) -> dict[str, Named]:
    one = model.mechanism.drivers[driver]
    if driver not in model.rows_of:
        return {}
    unit = "N m" if one.measure.quantity == "angle" else "N"
    return {
        "effort": Named(
            (unit,),
            "force or torque with which a driver holds its measure",
            "multipliers",
            lambda run, order: _effort(run, driver),
        ),
        "power": Named(("W",), "effort times rate", "multipliers", lambda run, order: _driver_power(run, driver)),
    }


add(
    Quantity(
        "driver",
        "`motor.effort`, `motor.power`",
        "N, N m, W",
        "force or torque with which a driver holds its measure, and the power that it puts in",
        "multipliers",
        _of_driver,
    )
)


# -- force elements ------------------------------------------------------------------------------------------------


def _of_force(model, force: str) -> dict[str, Named]:
    def read(key, run, order):
        return element_series(run._series, force, key)

    return {
        key: Named((unit,), "force, torque or power of an element", "rates", partial(read, key))
        for key, unit in element_quantities(model, force).items()
    }


add(
    Quantity(
        "force",
        "`spring.tension`, `spring.force`, `coil.torque`, `spring.power`",
        "N, N m, W",
        "force of an element along its line (positive pushes apart), its tension (the opposite), torque of a "
        "turning element on `to`, power put into the mechanism",
        "rates",
        _of_force,
    )
)


def _states_of_force(model, force: str) -> dict[str, Named]:
    """States of the laws of an element, and their rates."""

    def read(k, run, order):
        return run._series.section(at.W_STATE_RATE)[:, k] if order else run._series.bodies.of_laws[:, k]

    words = "state of a law, in the unit that the law gives it"
    return {
        name: Named(("1", "1/s"), words, "states", partial(read, k))
        for k, (element, _, name) in enumerate(model.law_states)
        if element == force
    }


add(
    Quantity(
        "force",
        "`valve.state`, `valve.pressure`",
        "any",
        "state of a law that has some, by the name and in the unit that the law gives it",
        "states",
        _states_of_force,
    )
)


# -- the mechanism as a whole --------------------------------------------------------------------------------------


def _center(model, item: str) -> dict[str, Named]:
    if not any(body.mass > 0.0 for body in model.bodies):  # what has no mass has no centre
        return {}

    def read(k, run, order):
        return run.whole(f"center.{order}", "system", lambda run, _: totals.center(run._series, order))[:, k]

    return {
        f"center.{axis}": Named(
            MEASURE_UNITS["length"], f"mass centre of all bodies, along {axis}", "states", partial(read, k)
        )
        for k, axis in enumerate("xyz"[: model.dimension])
    }


add(Quantity("system", "`system.center.x`", "m", "mass centre of all bodies", "states", _center))


@quantity("momentum", of="system", unit="kg m/s", words="momentum of all bodies", needs="rates", parts="vector")
def _total_momentum(run, _):
    return totals.momentum(run._series)


@quantity(
    "angular_momentum",
    of="system",
    unit="kg m^2/s",
    words="of all bodies, about the world's origin",
    needs="rates",
    parts="turning",
)
def _total_angular_momentum(run, _):
    return totals.angular_momentum(run._series)


for _key, _words in ENERGIES.items():
    quantity(
        _key,
        of="energy",
        unit="J",
        words=_words,
        needs="work" if _key in ("potential", "total", "dissipated", "supplied", "lost", "balance") else "rates",
    )(lambda run, _, key=_key: getattr(run.energy, key))
