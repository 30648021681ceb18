"""Laws as slots that kernels call: every form, compiled or as Python, with the same numbers."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors


def scene(*elements, gravity=None):
    """Two bodies 1.25 apart, at rest; forces on the second."""
    m = lw.Mechanism("scene", gravity=gravity)
    m.add("one", lw.Body(1.0, 1.0, position=(0.0, 0.0), angle=0.0, velocity=(0.0, 0.0)))
    m.add("two", lw.Body(1.0, 1.0, position=(0.75, 1.0), angle=0.5, velocity=(0.6, 0.8), angular_velocity=2.0))
    for k, element in enumerate(elements):
        m.add(f"E{k}", element)
    return m


ONE, TWO = lw.Frame("one"), lw.Frame("two")
LENGTH, ALONG = lw.Distance(ONE, TWO), np.array([0.6, 0.8])


def force_on_two(*elements, t=0.0):
    return scene(*elements).evaluate(t=t, coordinates="body").applied_force("two")


def short(value, rate, t, a, b=2.0):
    return a * value + b * rate + 10.0 * t


def test_short_form_gets_value_rate_time_and_numbers_with_defaults():
    got = force_on_two(lw.UserForce(LENGTH, short, a=3.0), t=0.5)
    assert got[:2] == pytest.approx((3.0 * 1.25 + 2.0 * 1.0 + 5.0) * ALONG)
    got = force_on_two(lw.UserForce(LENGTH, short, a=3.0, b=0.0))
    assert got[:2] == pytest.approx(3.75 * ALONG)


def long(values, rates, t, numbers, memory, out):
    out[0] = numbers[0] * values[1]
    out[1] = numbers[1] * rates[0] + t


def test_long_form_reads_and_acts_along_different_measures():
    element = lw.UserForce(reads=[LENGTH, lw.Angle(ONE, TWO)], along=[lw.WorldOffset(ONE, TWO, "x"),
                           lw.Angle(ONE, TWO)], law=long, numbers=[4.0, 7.0])  # fmt: skip
    assert force_on_two(element, t=0.25) == pytest.approx([4.0 * 0.5, 0.0, 7.0 * 1.0 + 0.25])


def test_tension_and_table_forms():
    tension = lw.SpringDamper(ONE, TWO, stiffness=lambda x: 8.0 * x, rest_length=0.25)
    assert force_on_two(tension)[:2] == pytest.approx(-8.0 * ALONG)
    table = lw.SpringDamper(ONE, TWO, stiffness=lw.Table((0.0, 2.0), (0.0, 16.0)), rest_length=0.25)
    assert force_on_two(table)[:2] == pytest.approx(-8.0 * ALONG)


def test_a_law_along_a_sum_acts_on_all_its_terms():
    ground = lw.Frame("ground")
    both = lw.Sum((2.0, lw.WorldOffset(ground, ONE, "x")), (3.0, lw.WorldOffset(ground, TWO, "y")))
    ev = scene(lw.UserForce(both, lambda value, rate, t: value)).evaluate(coordinates="body")
    assert ev.applied_force("one") == pytest.approx([6.0, 0.0, 0.0])  # the sum is 3 * 1.0
    assert ev.applied_force("two") == pytest.approx([0.0, 9.0, 0.0])
    assert ev["E0.power"] == pytest.approx(3.0 * 3.0 * 0.8)


def test_a_function_of_time_as_a_reading():
    def law(values, rates, t, numbers, memory, out):
        out[0] = values[0] + 100.0 * rates[0]

    element = lw.UserForce(reads=[lw.Polynomial(1.0, 2.0)], along=[lw.Angle(ONE, TWO)], law=law)
    assert force_on_two(element, t=3.0)[2] == pytest.approx(7.0 + 200.0)


SETTINGS = {"k": "5"}


def as_python(value, rate, t):
    return float(SETTINGS["k"]) * value


def test_a_law_that_cannot_be_compiled_runs_as_python_with_one_warning():
    element = lw.UserForce(LENGTH, as_python)
    with pytest.warns(RuntimeWarning, match="Law 'as_python' cannot be compiled and runs as plain Python") as seen:
        got = force_on_two(element)
        force_on_two(element)  # once is enough
    assert got[:2] == pytest.approx(6.25 * ALONG)
    assert len(seen) == 1
    assert "SETTINGS" in str(seen[0].message)  # which law and why


def many(values, rates, t, numbers, memory, out):
    for k in range(len(out)):
        out[k] = float(SETTINGS["k"]) * (k + 1)


def test_one_python_law_in_elements_of_different_width():
    ground = lw.Frame("ground")
    x, y, angle = lw.WorldOffset(ground, TWO, "x"), lw.WorldOffset(ground, TWO, "y"), lw.Angle(ground, TWO)
    elements = [lw.UserForce(reads=[x], along=along, law=many) for along in ([x], [x, y, angle])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        assert force_on_two(*elements) == pytest.approx([10.0, 10.0, 15.0])


def remembers(values, rates, t, numbers, memory, out):
    memory[0] = max(memory[0], values[0])
    out[0] = -memory[0]


def test_a_law_has_its_own_memory():
    element = lw.UserForce(reads=[LENGTH], along=[LENGTH], law=remembers, memory=1)
    assert force_on_two(element)[:2] == pytest.approx(-1.25 * ALONG)


def breaks(value, rate, t, limit):
    if value > limit:
        raise ValueError("too long")
    return 0.0


def test_a_compiled_law_that_raises():
    with pytest.raises(errors.UserFunctionError, match=r"Force 'E0' .* 'breaks' .* ValueError: too long") as caught:
        force_on_two(lw.UserForce(LENGTH, breaks, limit=1.0))
    assert isinstance(caught.value.__cause__, ValueError)
    assert force_on_two(lw.UserForce(LENGTH, breaks, limit=2.0)) == pytest.approx(np.zeros(3))


def test_a_law_that_gives_nan():
    with pytest.raises(errors.UserFunctionError, match=r"Force 'E0' .*no finite force at t = 0.*Got nan"):
        force_on_two(lw.UserForce(LENGTH, lambda value, rate, t: np.nan))


@pytest.mark.slow
def test_built_in_laws_are_found_by_the_next_process():
    code = (
        "import linkwork as lw\n"
        "m = lw.Mechanism('push', gravity=None)\n"
        "b = m.add('b', lw.Body(mass=1.0, inertia=0.2))\n"
        "m.add('f', lw.PointForce(b.at(), x=1.0, y=lw.Harmonic(1.0, 2.0)))\n"
        "m.add('s', lw.TorsionSpringDamper(m.ground, b, stiffness=1.0, damping=0.1, actuator=0.5))\n"
        "print(m.simulate(1.0, every=1.0, coordinates='body')['b.x'][-1])\n"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        assert float(done.stdout) == pytest.approx(0.5)
