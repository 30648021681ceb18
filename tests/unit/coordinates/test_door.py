"""The door to the kernels: no size, index or table that does not fit comes through."""

import ctypes
import random
from dataclasses import replace
from functools import cache, partial

import numba
import numpy as np
import pytest

import linkwork as lw
from campaign import campaign, count
from linkwork.analysis.integrators import DOP853, RK4, Method
from linkwork.compiled.bounds import check, check_readings
from linkwork.compiled.numbering import model_of
from linkwork.compiled.readings import compile_readings
from linkwork.coordinates import system_of
from linkwork.coordinates.door import Drive
from linkwork.errors import CompileError, DescriptionError, LinkworkError, UserFunctionError
from linkwork.kernels import layout as at
from linkwork.kernels.sections import TABLE
from linkwork.kernels.time import places as at_run


def remembers(values, rates, t, numbers, memory, out):
    memory[0] = max(memory[0], values[0])
    memory[-1] += 1.0
    out[0] = -numbers[0] * memory[0]


def loaded(dimension=2, light=False):
    """Bodies, loops, functions of time, laws with memory, and a light body or not: something in every table."""
    m = lw.gallery.four_bar() if dimension == 2 else lw.gallery.spatial_chain()
    first = next(iter(m.bodies))
    x = lw.WorldOffset(m.ground, m[first], "x")
    m.add("law", lw.UserForce(reads=[x, lw.Harmonic(1.0, 2.0)], along=[x], law=remembers, numbers=[0.1], memory=3))
    m.add("push", lw.PointForce(m[first].at(), x=lw.Harmonic(0.1, 2.0)))
    if light:
        m.add("speck", lw.Body(1e-9, 1e-12 if dimension == 2 else (1e-12,) * 3, position=(3.0, 0.0, 0.0)[:dimension]))
        m.add(
            "ball",
            (lw.Revolute if dimension == 2 else lw.Spherical)(
                m.ground.at(*(3.1, 0.0, 0.0)[:dimension]), m["speck"].at(*(0.1, 0.0, 0.0)[:dimension])
            ),
        )
    return m


PLANS = [
    (dimension, coordinates, light)
    for dimension in (2, 3)
    for coordinates in ("body", "joint")
    for light in (False, True)
]


@cache
def loaded_model(dimension, light=False):
    return model_of(loaded(dimension, light))


# -- tables ------------------------------------------------------------------------------------------------------------
def unused(plan):
    """Places of the header that no kernel of the set reads."""
    others = {one.key for one in TABLE if one.coordinates not in ("", plan.coordinates)}
    return others - {at.W_CHANGE}  # in body coordinates it is a part of W_ACCELERATION


@pytest.mark.slow
@pytest.mark.parametrize(("dimension", "coordinates", "light"), PLANS)
def test_every_entry_of_the_tables_is_looked_at(dimension, coordinates, light):
    """Whatever integer is out of range, it is found: header, indices, codes and addresses."""
    plan = loaded_model(dimension, light).plan(coordinates)
    check(plan)
    # of light bodies the tables are long and the same; every fifth entry of theirs is enough
    places = {*range(at.HEADER), *range(at.HEADER, plan.tab.size, 5 if light else 1)}
    for place in sorted(places - unused(plan)):
        for wrong in (10**9, -(10**9)):
            tab = plan.tab.copy()
            tab[place] = wrong
            with pytest.raises(CompileError, match="tables that do not fit together"):
                check(replace(plan, tab=tab))


def test_readings_are_looked_at_too():
    model = loaded_model(2)
    m = model.mechanism
    readings = compile_readings(model, [lw.Angle(m.ground, m[name]) for name in m.bodies])
    check_readings(readings)
    used = [
        at.DIMENSION,
        at.DOF,
        at.N_BODIES,
        at.N_Q,
        at.N_V,
        at.N_Z,
        at.N_MEMORY,
        at.N_FRAMES,
        at.N_MEASURES,
        at.N_MEASURE_NUMBERS,
        at.N_SEEN,
        at.N_LAWS,
        at.N_ROWS,
        at.T_FRAME_BODY,
        at.T_MEASURE,
        at.P_FRAME,
        at.P_MEASURE,
        at.P_LENGTH,
        at.W_POSE,
        at.W_TWIST,
        at.W_FRAME,
        at.W_PAIR,
        at.W_VALUE,
        at.W_RATE,
        at.W_BIAS,
        at.W_GRADIENT,
        at.W_MEMORY,
        at.W_TURNED,
    ]
    for place in [*used, *range(at.HEADER, readings.tab.size)]:
        tab = readings.tab.copy()
        tab[place] = 10**9
        with pytest.raises(CompileError):
            check_readings(replace(readings, tab=tab))


@pytest.mark.parametrize("name", ["tab", "parameters", "workspace"])
@pytest.mark.parametrize(
    "change",
    [
        lambda a: a[:-1].copy(),
        lambda a: a[:0].copy(),
        lambda a: a.astype(np.float32),
        lambda a: a.reshape(1, -1).copy(),
        lambda a: np.repeat(a, 2)[::2],
    ],
)
def test_vectors_of_another_size_or_kind(name, change):
    plan = loaded_model(2).plan()
    with pytest.raises(CompileError, match="tables that do not fit together"):
        check(replace(plan, **{name: change(getattr(plan, name))}))


def test_tables_parameters_and_workspace_cannot_be_written():
    system = system_of(loaded_model(2), "body")
    plan = system.plan
    for vector in (plan.tab, plan.parameters, plan.workspace, system.tab, system.p, system.w):
        with pytest.raises(ValueError, match="read-only"):
            vector[0] = 1
    with pytest.raises(IndexError):
        system.note(at.W_FIXED, 1.0)
    for values in ([1.0], np.zeros((len(plan.model.bodies), 3)), np.zeros((len(plan.model.bodies) + 2, 3))):
        with pytest.raises(DescriptionError, match="section P_MASS does not fit"):
            system.set_numbers(at.P_MASS, values)


# -- what goes through -------------------------------------------------------------------------------------------------
def wrong_arrays(right, random, axes=2):
    """Arrays that are nearly right."""
    shape = right.shape
    axis = random.randrange(min(axes, len(shape)))
    other = list(shape)
    other[axis] = random.choice([0, max(0, shape[axis] - 1), shape[axis] + 1, 2 * shape[axis] + 3])
    if tuple(other) == shape:
        other[axis] += 1
    read_only = right.copy()
    read_only.flags.writeable = False
    options = [
        np.zeros(other, right.dtype),
        np.zeros(other, right.dtype),
        right.astype(np.float32),
        right.tolist(),
        None,
        np.zeros((*shape, 2), right.dtype)[..., 0],
        right[None],
        read_only,
    ]
    if right.size < 2 or (len(shape) == 1 and shape[0] < 2):
        options.pop(5)  # in one piece, whatever its steps
    return random.choice(options)


class Tables:
    """A method whose tables may be wrong."""

    stepper = "explicit"

    def __init__(self, arrays):
        self.arrays = arrays


def run_arrays(system, method=DOP853, outputs=5):
    n, memory = system.plan.n_y, system.memory_size
    return [np.zeros(n), system.door.drive(method), np.linspace(0.0, 1.0, outputs), np.zeros((outputs, n + memory))]


def made(coordinates, model, given):
    return system_of(model, coordinates, **given)


@campaign
def test_wrong_sizes_at_the_door(capsys):
    """Nothing of another size, kind or layout reaches a kernel."""
    tried = 0
    generator = random.Random(7)
    for dimension, coordinates in ((2, "body"), (2, "joint"), (3, "body"), (3, "joint")):
        model = loaded_model(dimension)
        system = system_of(model, coordinates)
        n, memory = system.plan.n_y, system.memory_size
        picks = np.arange(3)
        for _ in range(count(100)):
            which = generator.choice(["call", "sweep", "ledger", "newton", "advance", "system"])
            if which == "call":
                arguments = [0, 0.0, wrong_arrays(np.zeros(n), generator)]
                way = system.door.call
            elif which == "newton":
                rows, slots = system.n_rows, system.memory_size
                arguments = [0.0, np.zeros(n), np.zeros(0, dtype=np.int64), np.zeros(0)]
                arguments[1:] = generator.choice(
                    [
                        [wrong_arrays(np.zeros(n), generator), *arguments[2:]],
                        [np.zeros(n), np.array([rows, 0]), np.ones(1)],
                        [np.zeros(n), np.array([0, slots]), np.ones(1)],
                        [np.zeros(n), np.array([-1, 0]), np.ones(1)],
                        [np.zeros(n), np.array([0]), np.ones(1)],
                        [np.zeros(n), np.zeros(2), np.ones(1)],
                    ]
                )
                way = system.door.newton
            elif which in ("sweep", "ledger"):
                right = [np.zeros(4), np.zeros((4, n + memory)), picks]
                place = generator.randrange(3)
                if place == 2:
                    right[2] = generator.choice(
                        [
                            np.array([-1]),
                            np.array([system.w.size]),
                            picks.astype(float),
                            picks.tolist(),
                            picks[None],
                            np.arange(6)[::2],
                        ]
                    )
                else:
                    right[place] = wrong_arrays(right[place], generator)
                arguments, way = [system.pointers[0], *right], getattr(system.door, which)
            elif which == "advance":
                arguments, way = run_arrays(system), system.door.advance
                place = generator.randrange(10)
                if place < 6:
                    tables = [one.copy() for one in DOP853.arrays]
                    tables[place] = wrong_arrays(tables[place], generator, axes=1)
                    arguments, way = [Tables(tables)], system.door.drive
                elif place < 8:
                    place = [0, 3][place - 6]
                    arguments[place] = wrong_arrays(arguments[place], generator)
                elif place == 8:
                    sizes = [n + generator.choice([0, 1, 40]) for n in arguments[1].sizes]
                    sizes[generator.randrange(3)] += 1
                    arguments[1] = Drive(at_run.Sizes(*sizes), DOP853)
                else:
                    arguments[1].count[at_run.OUTPUT] = generator.choice([-1, 6, 10**9])
            else:
                size = {"values": len(model.rows), "held": len(model.rows), "memory": memory}
                name = generator.choice(list(size))
                arguments = [model, {name: np.zeros(size[name] + generator.choice([-1, 1, 40]))}]
                way = partial(made, coordinates)
            with pytest.raises(LinkworkError, match=r"fit|outside"):
                way(*arguments)
            tried += 1
    with capsys.disabled():
        print(f"\nwrong sizes at the door: {tried} tried, {tried} refused")


# -- memory of laws ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("memory", [-5, -1, 2.5, "3", None, True, 10**12, float("nan"), [1]])
def test_a_memory_that_is_none(memory):
    m = lw.gallery.pendulum()
    rod = m[next(iter(m.bodies))]
    x = lw.Angle(m.ground, rod)
    with pytest.raises(DescriptionError, match="memory is"):
        lw.UserForce(reads=[x], along=[x], law=remembers, numbers=[1.0], memory=memory)
    with pytest.raises(DescriptionError, match="memory is"):
        lw.UserWrench(rod, remembers, (1.0,), memory=memory)


def test_memories_side_by_side_are_their_own():
    """5 entries beside 2: each law finds what it left, in every set."""

    def first(values, rates, t, numbers, memory, out):
        memory[4] = values[0]
        out[0] = 1e-3 * memory[4]

    def second(values, rates, t, numbers, memory, out):
        memory[0], memory[1] = 7.0, values[0]
        out[0] = memory[0] - 7.0

    m = lw.gallery.pendulum()
    x = lw.Angle(m.ground, m[next(iter(m.bodies))])
    m.add("one", lw.UserForce(reads=[x], along=[x], law=first, memory=5))
    m.add("two", lw.UserForce(reads=[x], along=[x], law=second, memory=2))
    for coordinates in ("body", "joint"):
        run = m.simulate(1.0, coordinates=coordinates)
        own = run.final.memory[-7:]
        assert own[5] == 7.0 and own[4] == own[6] != 0.0 and not own[:4].any()


@pytest.mark.parametrize(
    "part",
    [
        dict(form="short", reads=2),
        dict(form="short", along=2),
        dict(form="tension", numbers=()),
        dict(form="odd"),
        dict(form="long", along=0),
        dict(form="long", memory=-5),
        dict(numbers=(float("nan"),)),
    ],
)
def test_laws_of_own_elements_keep_the_sizes(part):
    from linkwork.mechanism.forces import LawPart

    x = lw.Angle(lw.Frame("ground"), lw.Frame("rod"))
    with pytest.raises(DescriptionError, match="Law 'one'"):
        LawPart(
            "one",
            part.get("form", "short"),
            remembers,
            (x,) * part.get("reads", 1),
            (x,) * part.get("along", 1),
            part.get("numbers", ()),
            memory=part.get("memory", 0),
        )


# -- guards ------------------------------------------------------------------------------------------------------------
@numba.cfunc("void(CPointer(float64), int64)")
def scribble(out, place):
    out[place] = 1e3


SCRIBBLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(scribble.address)


@pytest.mark.parametrize("place", [-1, 1])
@pytest.mark.filterwarnings("ignore:Law")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_a_law_that_writes_beyond_its_forces_unseen_is_found_out(place, coordinates):
    """What numba cannot check still meets the words before and behind."""

    def law(values, rates, t, numbers, memory, out):
        SCRIBBLE(out.ctypes.data, int(numbers[0]))
        out[0] = 0.0

    m = lw.gallery.pendulum()
    x = lw.Angle(m.ground, m[next(iter(m.bodies))])
    m.add("before", lw.UserForce(x, lambda value, rate, t: 0.0))
    m.add("law", lw.UserForce(reads=[x], along=[x], law=law, numbers=[float(place)]))
    m.add("behind", lw.UserForce(x, lambda value, rate, t: 0.0))
    with pytest.raises(UserFunctionError, match="Force 'law' has a law 'law' that writes beyond its forces"):
        m.simulate(0.1, coordinates=coordinates)


# -- methods and states ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "change",
    [
        dict(stages=np.zeros((3, 3))),
        dict(stages=np.zeros((5, 3))),
        dict(stages=np.zeros(25)),
        dict(times=(0.0, 1.0)),
        dict(dense=np.zeros((3, 3))),
        dict(dense=np.zeros((5, 0))),
        dict(weights=()),
        dict(weights=(1.0,) * 9),
        dict(weights=(0.5, 0.5, 0.5, 0.5)),
        dict(weights=("a",) * 4),
        dict(error=(0.1,) * 6),
        dict(error_low=(0.1,) * 9),
        dict(stages=np.full((5, 5), np.nan)),
        dict(stages=np.ones((5, 5))),
        dict(order=0),
        dict(order=2.5),
        dict(control=-1),
    ],
)
def test_methods_whose_tables_do_not_fit(change):
    given = dict(name="own", order=4, stages=RK4.stages, weights=RK4.weights, times=RK4.times, dense=RK4.dense)
    assert Method(**given).order == 4
    with pytest.raises(DescriptionError, match="Method 'own'"):
        Method(**{**given, **change})


def test_the_tables_of_a_method_are_its_own():
    given = RK4.stages.copy()
    method = Method("own", 4, given, RK4.weights, RK4.times, RK4.dense)
    given[:] = 7.0
    assert method.stages.max() == 1.0
    with pytest.raises(ValueError, match="read-only"):
        method.stages[0, 0] = 1.0


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("y", lambda a: a[:-1]),
        ("y", lambda a: np.append(a, 0.0)),
        ("y", lambda a: a[:0]),
        ("y", lambda a: np.full(a.shape, "x")),
        ("memory", lambda a: np.append(a, 0.0)),
        ("modes", lambda a: a[:-1]),
        ("values", lambda a: a[:1]),
        ("values", lambda a: np.append(a, 0.0)),
        ("modes", lambda a: a[None]),
    ],
)
def test_states_whose_vectors_do_not_fit(name, change):
    state = lw.gallery.four_bar().assemble(coordinates="body").state
    with pytest.raises(DescriptionError, match=f"State has `{name}` that does not fit"):
        replace(state, **{name: change(getattr(state, name))})


def test_a_state_of_any_layout_is_taken():
    m = lw.gallery.four_bar()
    state = m.assemble(coordinates="body").state
    for y in (state.y.tolist(), np.repeat(state.y, 2)[::2]):
        run = m.simulate(0.1, start=replace(state, y=y), coordinates="body")
        np.testing.assert_array_equal(
            run._series.states, m.simulate(0.1, start=state, coordinates="body")._series.states
        )
