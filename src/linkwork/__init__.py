"""Multibody dynamics for Python: planar and spatial mechanisms, described once, solved and checked.

    import linkwork as lw

    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    run = m.simulate(10, every=0.01, start={"A.angle": 0.0})

What there is (`help(lw.Revolute)` tells more of each):

| for | names |
|---|---|
| a description | `Mechanism`, `read` (a model file), `gallery` |
| bodies | `bar`, `disc`, `plate`, `polygon`, `box`, `cylinder`, `sphere`, `rod`, `Body`, `Particle`, `join` |
| joints | `Revolute`, `Prismatic`, `Fixed`, `Rod`, `PinInSlot`, `Gear`; in space `Spherical`, `Universal` and others |
| forces | `SpringDamper`, `TorsionSpringDamper`, `Torque`, `PointForce`, `Limit`, `Bushing`, `UserForce` |
| motion as wanted | `Driver`: a number, a text ("30 deg + 2*t") or a `Function`: `Harmonic`, `SmoothStep`, `Table` |
| questions | `m.check()`, `m.assemble()`, `m.simulate(10)`, `m.evaluate()`, `m.verify(1)`, `m.prepare(10)`, `m.ode()` |
| of a given motion | `m.kinematics()`, `m.range()`, `m.inverse_dynamics()`, `m.energy_motion()` |
| of rest | `m.statics()`, `m.equilibrium()`, `m.equilibria()`, `m.steady()`, `m.modes()`, `m.frequency_response()` |
| answers | `run["A.angle"]`, `run.names`, `run.plot()`, `run.draw()`, `run.animate()`, `run.save()`, `load` |

Names load when they are used, so that importing is quick.
"""

import os

if not os.path.isdir(__path__[0]):
    raise ImportError(
        f"linkwork lies inside of an archive, {__path__[0]}, and cannot run from there: its kernels are compiled from "
        "files, or come as a library. Install it with pip, or unpack the archive into a folder."
    )


def _read_stub():
    """Where each name comes from, as `__init__.pyi` says it: the public list, and the helpers beside it."""
    text = __spec__.loader.get_data(__path__[0] + "/__init__.pyi").decode()
    public, _, helpers = text.partition("__all__: ")
    return [
        {words[3]: words[1] for words in map(str.split, part.splitlines()) if words[:1] == ["from"]}
        for part in (public, helpers)
    ]


_PUBLIC, _HELPERS = _read_stub()
__all__ = sorted(_PUBLIC)


def __getattr__(name: str):
    import importlib

    home = _PUBLIC.get(name) or _HELPERS.get(name)
    if home == "linkwork":
        value = importlib.import_module(f"linkwork.{name}")
    elif home:
        if name != "__version__":  # which help on the command line asks for, and needs no numbers
            from linkwork.whole import load

            load("numpy")
        value = getattr(importlib.import_module(home), name)
    elif name.startswith("__"):  # Python itself asks whether there is such a thing
        raise AttributeError(f"module 'linkwork' has no attribute '{name}'")
    else:
        from linkwork.errors import UnknownNameError

        raise UnknownNameError("name", name, __all__, "in linkwork")
    globals()[name] = value
    return value


def __dir__():
    return __all__
