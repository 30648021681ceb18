"""Mechanisms whose designs run in blocks, and what makes them ready."""

import numpy as np

import linkwork as lw
from linkwork.analysis.quick import QuickDesigns, _Kind


def chain(count=5):
    m = lw.Mechanism("chain")
    before = m.ground.at(0, 0)
    for k in range(count):
        bar = m.add(f"bar{k}", lw.bar(length=0.5, mass=1.0))
        m.add(f"J{k}", lw.Revolute(before, bar.a))
        before = bar.b
    return m


def slider_crank():
    """No pose is declared, so that several attempts are needed."""
    m = lw.Mechanism("slider-crank")
    crank = m.add("crank", lw.bar(length=0.2, mass=1.0))
    rod = m.add("rod", lw.bar(length=0.6, mass=2.0))
    block = m.add("block", lw.Body(0.5, 0.01))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, block.at(0, 0)))
    m.add("D", lw.Prismatic(m.ground.at(0, 0), block.at(0, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(1.5, 0), block.at(0, 0), stiffness=40.0, rest_length=0.7, damping=1.0))
    return m


def driven(function, made=lw.gallery.four_bar, measure="A.angle", parameters=None, **options):
    """A mechanism with a motor, and parameters that its function names."""
    bare, m = made(), lw.Mechanism("driven", parameters=parameters or {})
    for name in (*bare.bodies, *bare.joints, *bare.forces):
        m.add(name, bare[name])
    m.add("motor", lw.Driver(measure, function, **options))
    return m


def designs_of(vary, count, spread, seed=0):
    rng = np.random.default_rng(seed)
    return [{name: one * (1.0 + spread * rng.uniform(-1, 1)) for name, one in vary.items()} for _ in range(count)]


def made_ready(task, design):
    owner = QuickDesigns(task)
    return _Kind(owner, *owner._plain(design)), owner
