"""Random mechanisms whose numbers come from parameters: other numbers are the mechanism described anew with them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.compiled.numbering import model_of
from property.draws import examples

UNITS = {"L": "m", "H": "m", "M": "kg", "k": "N/m", "w": "rad/s", "a": "rad"}
#: what may stand for a length, a mass ...; every one is positive for positive parameters
LENGTHS = ("L", "2*L", "L + H/3", "sqrt(L*H)", "0.7", "40 cm", "max(L, H)", "R")
MASSES = ("M", "M*L/H", "1.5", "M + 0.2 kg")
STIFFNESSES = ("k", "k*H/L", "12", "3 N/m")
ANGLES = ("a", "a/2 + 0.1", "0.3", "20 deg", "atan2(H, L)", "-a")


def number(text):
    """A plain number stands as a number, not as the text of one."""
    return float(text) if text.replace(".", "").isdigit() else text


@st.composite
def texts(draw, kinds):
    return number(draw(st.sampled_from(kinds)))


@st.composite
def plans(draw):
    """A tree of bodies with joints, forces and drivers, each number by its text; as a list of calls."""
    plan = []
    for k in range(draw(st.integers(1, 4))):
        plan.append(
            dict(
                shape=draw(st.sampled_from(["bar", "disc", "body", "join"])),
                size=draw(texts(LENGTHS)),
                mass=draw(texts(MASSES)),
                point=(draw(texts(LENGTHS)), draw(texts(LENGTHS))),
                on=draw(st.integers(0, k)),
                at=(draw(texts(LENGTHS)), draw(texts(LENGTHS)), draw(texts(ANGLES))),
                by_name=draw(st.booleans()),
                joint=draw(st.sampled_from(["Revolute", "Prismatic", "Rod", "PinInSlot"])),
                length=draw(texts(LENGTHS)),
                stiffness=draw(texts(STIFFNESSES)),
                rest=draw(texts(LENGTHS)),
                force=draw(st.sampled_from(["spring", "torque", "push", "limit", "reading", ""])),
                drive=draw(st.sampled_from(["", "", "w*t", "a*sin(w*t)", "harmonic"])),
                angle=draw(texts(ANGLES)),
            )
        )
    return plan


def described(plan, parameters):
    m = lw.Mechanism("random", parameters={**parameters, "R": "L + H"}, gravity=(0, "-H/L*9.81 m/s^2"))
    bodies = [m.ground]
    for k, one in enumerate(plan):
        body = m.add(f"b{k}", shape(one))
        on = bodies[one["on"]]
        x, y, angle = one["at"]
        frame = on.p if one["by_name"] and on is not m.ground else on.at(x, y, angle=angle)
        more = {"Rod": {"length": one["length"]}, "PinInSlot": {"offset": one["length"]}}.get(one["joint"], {})
        joint = m.add(f"j{k}", getattr(lw, one["joint"])(frame, body.p, **more))
        reading = joint.readings().get("angle") or joint.slide
        if one["force"]:
            m.add(f"f{k}", force(one, m.ground.at("-7*R", "-5*H"), body, reading))
        if one["drive"] and reading.quantity == "angle":
            function = lw.Harmonic("a", "w") if one["drive"] == "harmonic" else one["drive"]
            m.add(f"d{k}", lw.Driver(reading, function, from_assembled=True, active=k == 0))
        bodies.append(body)
    return m


def shape(one):
    size, mass, points = one["size"], one["mass"], {"p": one["point"]}
    if one["shape"] == "join":
        return lw.join((lw.bar(size, mass), size, 0), (lw.disc(0.1, mass), 0, size, one["angle"]), points=points)
    if one["shape"] == "body":
        return lw.Body(mass, 0.3, points=points)
    return getattr(lw, one["shape"])(size, mass, points=points)


def force(one, far, body, reading):
    if one["force"] == "spring":
        return lw.SpringDamper(far, body.p, one["stiffness"], rest_length=one["rest"], damping=0.1)
    if one["force"] == "torque":
        return lw.Torque(body, "k*H^2*0.01*sin(w*t)")
    if one["force"] == "push":
        return lw.PointForce(body.p, x="k*L*0.1", y=2)
    if one["force"] == "limit":
        return lw.Limit(reading, upper=f"9 {'rad' if reading.quantity == 'angle' else 'm'}", stiffness="k*1 m/N")
    return lw.Reading(lw.Sum(("R", lw.Distance(far, body.p)), (1, reading)))


values = st.fixed_dictionaries({name: st.floats(0.3, 1.7).map(lambda x: round(x, 3)) for name in UNITS})


def with_units(numbers):
    return {name: f"{numbers[name]!r} {unit}" for name, unit in UNITS.items()}


@examples(40)
@given(plans(), values, values)
def test_other_parameters_are_the_mechanism_described_anew(plan, first, second):
    m = described(plan, with_units(first))
    other, anew = m.with_numbers(second), described(plan, with_units(second))
    assert other == anew
    assert lw.to_text(other) == lw.to_text(anew)
    assert m == described(plan, with_units(first))
    read = lw.read(lw.to_text(m))
    assert read == m and read.with_numbers(second) == anew
    one_by_one = m
    for name, value in second.items():
        one_by_one = one_by_one.with_numbers({name: value})
    assert one_by_one == anew


@examples(15)
@given(plans(), values, values)
def test_it_moves_alike_bit_for_bit(plan, first, second):
    m = described(plan, with_units(first))
    shared, own = model_of(m).plan().tab, model_of(m)
    other, anew = m.with_numbers(second), described(plan, with_units(second))
    assert model_of(other) is not own
    assert model_of(other).plan().tab is shared and model_of(anew).plan().tab is not shared
    runs = []
    for one in (other, anew):
        try:
            runs.append(one.simulate(0.1, every=0.05, coordinates="body").stored()["states"])
        except lw.errors.LinkworkError as error:  # what cannot be assembled or moved is told alike
            runs.append(str(error))
    assert type(runs[0]) is type(runs[1])
    assert runs[0] == runs[1] if isinstance(runs[0], str) else np.array_equal(runs[0], runs[1])


@pytest.mark.parametrize("field, value", [("size", "0.55 m"), ("mass", "2*M"), ("length", 0.6), ("stiffness", "7 N/m")])
@examples(15)
@given(plans(), values)
def test_other_fields_are_the_mechanism_described_anew(field, value, plan, numbers):
    m = described(plan, with_units(numbers))
    names = {
        "size": {"bar": "b0.length", "disc": "b0.radius"}.get(plan[0]["shape"]),
        "mass": None if plan[0]["shape"] == "join" else "b0.mass",
        "length": {"Rod": "j0.length", "PinInSlot": "j0.offset"}.get(plan[0]["joint"]),
        "stiffness": "f0.stiffness" if plan[0]["force"] == "spring" else None,
    }
    if names[field] is None:
        return
    anew = described([{**plan[0], field: value}, *plan[1:]], with_units(numbers))
    assert m.with_numbers({names[field]: value}) == anew
