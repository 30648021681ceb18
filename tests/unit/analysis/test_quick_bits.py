"""Designs in blocks have the bits of single runs where two ways to write the same would round otherwise."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.assembly.declared import Declared
from linkwork.analysis.ensemble import Block
from linkwork.analysis.in_numbers import NotHere
from linkwork.analysis.quick import _same
from linkwork.analysis.sweep_task import Task
from unit.analysis.quick_cases import chain, designs_of, made_ready, slider_crank

CASES = {
    "four-bar": (lw.gallery.four_bar, {"crank.length": 1.0, "rocker.length": 2.5, "start:A.angle": 1.1}, "coupler.x"),
    "slider-crank": (slider_crank, {"crank.length": 0.2, "rod.length": 0.6, "start:A.angle": 0.8}, "block.x"),
    "chain": (chain, {"bar0.length": 0.5, "bar3.length": 0.5, "start:J2.angle": 1.0}, "bar4.y"),
}


def block_of(kind, values):
    """Designs on their way, as far as their lengths."""
    block = Block(kind.quick, values, None)
    block._light()
    return block


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("case", CASES)
def test_lengths_whose_square_and_power_differ(case, coordinates):
    """The metric of the search has squares of lengths; of one in a thousand, pow rounds otherwise than a product."""
    made, vary, name = CASES[case]
    task = Task(made(), "simulate", 0.1, [name], None, {"coordinates": coordinates, "every": 0.05})
    kind, _ = made_ready(task, vary)
    values = np.array(list(vary.values())) * np.random.default_rng(3).uniform(0.9, 1.1, (40_000, len(vary)))
    block = block_of(kind, values)
    length = block.rows["length"]
    odd = block.rows["number"][np.array([one**2 for one in length.tolist()]) != length * length][:25]
    assert len(odd) >= 15
    found = kind.answers(values[odd])
    assert sum(one is not None for one in found) >= 15
    for one, of in zip(found, values[odd].tolist()):
        assert one is None or _same(one, task.run_alone(dict(zip(vary, of))))


def declared_slider_crank():
    """All poses are declared, to two digits."""
    m = slider_crank()
    m.replace("crank", lw.bar(length=0.2, mass=1.0, position=(0, 0), angle=1.0))
    m.replace("rod", lw.bar(length=0.6, mass=2.0, position=(0.1, 0.17), angle=-0.29))
    m.replace("block", lw.Body(0.5, 0.01, position=(0.68, 0), angle=0))
    return m


@pytest.mark.filterwarnings("ignore")
def test_how_far_bodies_moved_has_the_bits_of_one_assembly():
    """Which of them moved furthest, and is told first, is then the same."""
    kind, _ = made_ready(Task(declared_slider_crank(), "simulate", 0.1, ["A.angle"], None, {}), {"rod.length": 0.61})
    lengths = np.random.default_rng(5).uniform(0.55, 0.65, 40)
    block = block_of(kind, lengths[:, None])
    block._assemble()
    assert block.count == 40
    for length, far in zip(lengths.tolist(), block.rows["far"]):
        state = declared_slider_crank().with_numbers({"rod.length": length}).assemble(coordinates="body").state
        moved = Declared(state.model, {}).moved(state.y)
        bodies = [body.name for body in state.model.bodies]
        assert len(moved) == 3 and all(tuple(far[bodies.index(name)]) == one for name, one in moved.items())


def placed():
    """Two bodies that have places and no angles, the centre of one beside its origin by `off`."""
    m = lw.Mechanism("placed", parameters={"off": 0.0, "x": 0.8})
    one = m.add("one", lw.Body(1.0, 0.1, position=(0.3, 0.1)))
    other = m.add("other", lw.Body(1.0, 0.1, position=("x", 0.2), center=("off", 0.0)))
    m.add("hung", lw.SpringDamper(m.ground.at(0, 1), one.at(0.1, 0), stiffness=30.0, rest_length=0.5, damping=1.0))
    m.add("between", lw.SpringDamper(one.at(0.3, 0), other.at(-0.2, 0), stiffness=30.0, rest_length=0.5))
    return m


def guided():
    """A block with a place on a guide that holds its angle."""
    m = lw.Mechanism("guided")
    block = m.add("block", lw.Body(2.0, 0.1, position=(0.3, 0)))
    m.add("guide", lw.Prismatic("ground", block))
    rod = m.add("rod", lw.bar(length=0.4, mass=1.0))
    m.add("A", lw.Revolute(block.at(0, 0), rod.a))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), block, stiffness=40.0, rest_length=1.0, damping=1.0))
    return m


PLACED = {
    "free": (placed, {"one.mass": 1.0, "x": 0.8, "start:other.angle": 1.0}, ["one.angle", "other.x", "between.length"]),
    "guided": (guided, {"rod.length": 0.4, "spring.stiffness": 40.0, "start:A.angle": 1.0}, ["block.x", "A.angle"]),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("case", PLACED)
def test_bodies_with_places_and_no_angles_run_in_blocks(case, coordinates):
    made, vary, names = PLACED[case]
    task = Task(made(), "simulate", 0.3, names, None, {"coordinates": coordinates, "every": 0.05})
    kind, _ = made_ready(task, vary)
    designs = designs_of(vary, 20, 0.2)
    found = kind.answers(np.array([list(one.values()) for one in designs]))
    assert all(one is not None and _same(one, task.run_alone(of)) for one, of in zip(found, designs))


@pytest.mark.filterwarnings("ignore")
def test_a_place_holds_a_centre_only_where_it_is_the_origin():
    task = Task(placed(), "simulate", 0.1, ["one.x"], None, {})
    kind, _ = made_ready(task, {"off": 0.0, "start:one.angle": 1.0})
    found = kind.answers(np.array([[0.0, 1.0], [0.1, 1.0], [0.0, 2.0]]))
    assert [one is None for one in found] == [False, True, False]
    with pytest.raises(NotHere, match="places are declared about which bodies may turn"):
        made_ready(task, {"off": 0.1, "start:one.angle": 1.0})


def creeping(values, rates, t, numbers, memory, out, states, state_rates):
    tension = numbers[0] * states[0]
    state_rates[0] = rates[0] - tension / numbers[1]
    out[0] = -tension


def creeps():
    """A pendulum held by a law whose state is zero at first, as is how fast it changes."""
    m = lw.Mechanism("creeps")
    arm = m.add("arm", lw.Body(1.0, 0.05, center=(0.3, 0.02)))
    m.add("J", lw.Revolute("ground", arm))
    angle = m["J"].angle
    given = dict(reads=[angle], along=[angle], numbers=[1e6, 30.0], states={"u": 0.0})
    m.add("creeps", lw.UserForce(law=creeping, **given))
    return m


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_a_design_reads_nothing_of_the_one_before_it(coordinates):
    options = {"coordinates": coordinates, "method": "radau", "rtol": 1e-3, "every": 0.05}
    task = Task(creeps(), "simulate", 0.4, ["J.angle"], None, options)
    vary = {"gravity.y": -9.0, "start:J.angle": 0.3}
    kind, _ = made_ready(task, vary)
    designs = designs_of(vary, 20, 0.4)
    found = kind.answers(np.array([list(one.values()) for one in designs]))
    assert all(one is not None and _same(one, task.run_alone(of)) for one, of in zip(found, designs))
