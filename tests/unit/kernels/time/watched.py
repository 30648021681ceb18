"""A particle that a driver leads along a known function of time, in long steps: what a search finds is known too."""

import numpy as np

import linkwork as lw
from linkwork.analysis.entering import entry
from linkwork.analysis.integrators import METHODS
from linkwork.analysis.watches import turns_at
from linkwork.coordinates.watching import Watch, Watched, Watching
from linkwork.kernels import layout as at
from linkwork.kernels.time import places as at_run
from linkwork.kernels.time import watches as of


def driven(*functions):
    """Particles on the x axis whose places are functions of time."""
    m = lw.Mechanism(gravity=None)
    for k, function in enumerate(functions):
        one = m.add(f"p{k}", lw.Particle(1.0, position=(0.0, float(k))))
        m.add(f"d{k}", lw.Driver(lw.WorldOffset(m.ground.at(0, 0), one.at(0, 0), "x"), function))
        m.add(f"y{k}", lw.Hold(m.ground.at(0, 0), one.at(0, 0), y=float(k)))
    return m


class Looped:
    """The time loop with something watched, called as a run does."""

    def __init__(self, m, watches, end=1.0, step=1.0, method="rk4", state=None, measures=(), coordinates="body"):
        model = m.compile()
        self.state = state or m.assemble(coordinates=coordinates).state
        known = entry(model, coordinates, self.state)
        self.system, self.y = known.system.fresh(), known.y.copy()
        watching = Watching(model, watches)
        self.drive = self.system.door.drive(METHODS[method], watching)
        self.watched = Watched(self.drive, watching)
        self.watched.begin(turns_at(self.state, watching.turns), self.state.memory)
        self.system.note(at.DETAIL, 1.0)
        c, n = self.drive.control, self.drive.count
        c[[at_run.END, at_run.STEP, at_run.TOLERANCE, at_run.LENGTH, at_run.ENERGY]] = end, step, 1e-8, 1.0, 1.0
        c[[at_run.FIRST_PIVOT, at_run.ZONE]] = known.pivot, 1e-2
        n[[at_run.ORDER, at_run.PROJECT, at_run.SLICE]] = METHODS[method].order, 1, 10_000
        n[[at_run.FIXED, at_run.STEP_TOTAL]] = int(METHODS[method].fixed_step), round(end / (step or end))
        self.times, self.states = np.zeros(0), np.zeros((0, self.y.size + self.system.memory_size))

    def advance(self):
        """One call of the loop: what it returned."""
        return self.system.door.advance(self.y, self.drive, self.times, self.states)

    def all(self, most=10_000):
        """All events up to the end: time, which, and the side that it came from."""
        found = []
        for _ in range(most):
            status = self.advance()
            if status == self.drive.kernel.DONE:
                return found
            assert status == self.drive.kernel.EVENT, (status, self.system.w[at.STATUS])
            t, _, _ = self.watched.event()
            found += [(t, k, int(self.watched.rows[k, of.SCAN])) for k in self.watched.fired]
        raise AssertionError("it does not end")


def place(m, k=0):
    """The measure that a particle is led along."""
    return m.drivers[f"d{k}"].measure


def watch(m, k=0, level=0.0, kind=of.OF_VALUE, size=1.0, **options):
    """What watches it."""
    return Watch(((1.0, kind, place(m, k)),), level, size=size, **options)
