"""Laws that tell their slopes to stiff methods: exactly, by differences where they do not, and never the answer."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.compiled.slopes import slope_slot
from linkwork.errors import UncompiledWarning

#: energies of so hard a spring are far less accurate than the motion
pytestmark = pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")

K, C, MASS = 1e6, 50.0, 2.0


def hard(value, rate, t, k, c):
    return -k * (value - 1.0) - c * rate


def hard_slopes(value, rate, t, k, c):
    return -k, -c


def no_slopes(value, rate, t, k, c):
    return 0.0, 0.0


def lost_slopes(value, rate, t, k, c):
    return float("nan"), -c


def long_law(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * (values[0] - 1.0) - numbers[1] * rates[0]


def long_slopes(values, rates, t, numbers, memory, against_values, against_rates):
    against_values[0, 0] = -numbers[0]
    against_rates[0, 0] = -numbers[1]


def block(slopes=None, form="short"):
    m = lw.Mechanism("block", gravity=None)
    one = m.add("one", lw.Particle(MASS, position=(1.01, 0.0), velocity=(0, 0)))
    m.add("rail", lw.PinInSlot(m.ground.at(0, 0), one.at(0, 0)))
    way = lw.Distance(m.ground.at(0, 0), one.at(0, 0))
    if form == "short":
        m.add("spring", lw.UserForce(way, hard, k=K, c=C, slopes=slopes))
    else:
        m.add("spring", lw.UserForce(reads=[way], along=[way], law=long_law, numbers=[K, C], slopes=slopes))
    m.add("push", lw.PointForce("one", x="3*sin(5*t)"))
    return m


def exact(t):
    """m x'' + c x' + k (x - 1) = 3 sin 5 t: the motion of the spring dies out, what is left follows the push."""
    A = np.array([[K - MASS * 25.0, -5.0 * C], [5.0 * C, K - MASS * 25.0]])
    a, b = np.linalg.solve(A, [3.0, 0.0])
    s, w = C / (2 * MASS), np.sqrt(K / MASS - (C / (2 * MASS)) ** 2)
    p, v = 0.01 - b, -5.0 * a
    own = np.exp(-s * t) * (p * np.cos(w * t) + (v + s * p) / w * np.sin(w * t))
    return 1.0 + a * np.sin(5 * t) + b * np.cos(5 * t) + own


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("method", ["radau", "radau_soft"])
@pytest.mark.parametrize("form", ["short", "long"])
def test_told_slopes_serve_as_differences_do(form, method, coordinates):
    told = hard_slopes if form == "short" else long_slopes
    runs = []
    for slopes in (told, None):
        run = block(slopes, form).simulate(2.0, every=0.1, method=method, rtol=1e-6, coordinates=coordinates)
        assert np.abs(run["one.x"] - exact(run.t)).max() < 1e-5
        runs.append(run.statistics)
    # as good slopes ask for as much, but for what rounding decides; poor ones for half as much again
    assert runs[0].evaluations == pytest.approx(runs[1].evaluations, rel=0.1)


def test_poor_slopes_cost_work_and_no_accuracy():
    right = block(hard_slopes).simulate(0.3, every=0.1, method="radau", rtol=1e-6, coordinates="joint")
    wrong = block(no_slopes).simulate(0.3, every=0.1, method="radau", rtol=1e-6, coordinates="joint")
    assert np.abs(wrong["one.x"] - exact(wrong.t)).max() < 1e-5
    assert wrong.statistics.evaluations > 1.5 * right.statistics.evaluations


def test_slopes_that_are_no_numbers_are_found_by_differences():
    lost = block(lost_slopes).simulate(0.3, every=0.1, method="radau", rtol=1e-6, coordinates="joint")
    none = block(None).simulate(0.3, every=0.1, method="radau", rtol=1e-6, coordinates="joint")
    assert lost.statistics.steps == none.statistics.steps
    assert np.array_equal(lost["one.x"], none["one.x"])


def test_slopes_that_cannot_be_compiled_are_found_by_differences():
    class Told:
        slope = -K

    def hidden(value, rate, t, k, c):
        return Told().slope, -c

    words = r"Slope 'hidden' cannot be compiled and is found by differences of its law. Got .*; wanted plain arithmetic"
    with pytest.warns(UncompiledWarning, match=words):
        run = block(hidden).simulate(0.3, every=0.1, method="radau", rtol=1e-6, coordinates="joint")
    assert np.abs(run["one.x"] - exact(run.t)).max() < 1e-5


def test_laws_of_the_product_tell_their_slopes():
    m = lw.Mechanism()
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), bar.a))
    table = lw.Table([-1.0, 0.0, 0.5, 1.0], [-3.0, 0.0, 1.0, 4.0])
    m.add("spring", lw.TorsionSpringDamper(m.ground, bar, stiffness=3.0, damping=0.1))
    m.add("table", lw.SpringDamper(m.ground.at(0, 1), bar.b, stiffness=table, rest_length=0.3))
    m.add("push", lw.PointForce("bar.b", x=1.0, y=lw.Harmonic(1.0, 2.0)))
    m.add("turn", lw.Torque("bar", lw.Harmonic(1.0, 2.0)))
    m.add("ram", lw.SpringDamper(m.ground.at(1, 1), bar.b, actuator=3.0))
    m.add("drive", lw.TorsionSpringDamper(m.ground, bar, actuator=lw.Harmonic(1.0, 2.0)))
    laws = model_of(m).laws
    assert len(laws) == 8 and all(slope_slot(law.part) is not None for law in laws)


def test_a_run_that_is_not_stiff_compiles_no_slopes(monkeypatch):
    from linkwork.compiled import slopes

    monkeypatch.setattr(slopes, "slope_slot", lambda part: pytest.fail("asked"))
    block(hard_slopes).simulate(0.001, method="dop853", coordinates="body")


def test_slopes_of_laws_with_states_are_refused():
    with pytest.raises(lw.errors.DescriptionError, match="tells slopes, which is for laws without states"):
        lw.UserForce(
            reads=[], along=[lw.Distance(lw.Frame("ground"), lw.Frame("a"))], law=long_law, states=1, slopes=long_slopes
        )
    with pytest.raises(lw.errors.DescriptionError, match="slopes is not a function"):
        lw.UserForce(lw.Distance(lw.Frame("ground"), lw.Frame("a")), hard, k=1.0, c=1.0, slopes=3.0)
