"""Searches: optima that have a closed form, limits, designs that cannot be run, and wrong use."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.optimize import Search
from linkwork.analysis.progress import Line
from linkwork.errors import AnalysisError, DescriptionError, UnitError, UnknownNameError


def hanging():
    """A mass on a spring: at rest it hangs m g / k lower."""
    m = lw.Mechanism("hanging mass")
    block = m.add("block", lw.Body(2.0, 1.0, position=(0, -1)))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0, angle="-90 deg"), block.at(0, 0, angle="-90 deg")))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0), block, stiffness=100.0, rest_length=1.0, damping=1.0))
    return m


def thrown(speed=10.0):
    m = lw.Mechanism("thrown ball", parameters={"up": "30 deg", "v": f"{speed} m/s"})
    m.add("ball", lw.Particle(1.0, velocity=("v*cos(up)", "v*sin(up)")))
    return m


def triangle():
    """Two bars over a base of 1.5 m, the second 1 m long: the first must have 0.5 to 2.5 m."""
    m = lw.Mechanism("triangle")
    a = m.add("a", lw.bar(length=1.0, mass=1.0, angle="40 deg"))
    b = m.add("b", lw.bar(length=1.0, mass=1.0, angle="-40 deg"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, m.ground.at(1.5, 0)))
    return m


def height(rest):
    return (rest.state["block.y"] + 1.3) ** 2


def test_a_spring_that_hangs_as_low_as_wanted():
    m, stiffness = hanging(), 2.0 * 9.81 / 0.3
    one = m.optimize({"spring.stiffness": ("10 N/m", 500)}, height, analysis="equilibrium")
    assert one.converged and one.values["spring.stiffness"] == pytest.approx(stiffness, rel=2e-3)
    assert one.method == "slsqp" and one.first == pytest.approx((1.3 - 1 - 2 * 9.81 / 100) ** 2)

    def lower(rest):
        return [rest.state["block.y"] + 1.3]

    other = lw.optimize(m, {"spring.stiffness": (10, 500)}, lower, analysis="equilibrium")
    assert other.method == "least squares" and other.converged
    assert other.values["spring.stiffness"] == pytest.approx(stiffness, rel=1e-6)
    assert other.mechanism.number("spring.stiffness") == other.values["spring.stiffness"]
    assert m.number("spring.stiffness") == 100.0  # stays as it was
    again = lw.optimize(m, {"spring.stiffness": (10, 500)}, lower, analysis="equilibrium", workers=2)
    assert again.values == other.values and again.history == other.history


def test_limits_are_kept():
    """As far as possible in 1 s, 1 m high there: sin(up) = (1 + g/2) / v."""
    m = thrown()
    found = lw.optimize(
        m, {"up": ("5 deg", "85 deg")}, maximize="ball.x.last", subject_to="ball.y.last >= 100 cm", times=1.0, every=0.1
    )
    assert found.converged and found.met
    angle = math.asin((1.0 + 9.81 / 2) / 10.0)
    assert found.values["up"] == pytest.approx(angle, rel=1e-6)
    assert found.value == pytest.approx(10.0 * math.cos(angle), rel=1e-6)
    ((said, (value, met)),) = found.limits.items()
    assert said == "ball.y.last >= 1" and value == pytest.approx(1.0, abs=1e-5) and met
    both = lw.optimize(
        m,
        {"up": ("5 deg", "85 deg"), "v": ("2 m/s", "20 m/s")},
        lambda run: run["ball.momentum.x"][0] ** 2 + run["ball.momentum.y"][0] ** 2,
        subject_to=[("ball.x.last", "==", "3 m"), (lambda run: run["ball.y"][-1], ">=", 1.0)],
        times=1.0,
        every=0.1,
    )
    assert both.met and both.converged
    assert both.value == pytest.approx(3.0**2 + (1.0 + 9.81 / 2) ** 2, rel=1e-5)


def test_limits_that_cannot_be_met_are_told():
    found = lw.optimize(
        thrown(), {"up": (0.1, 1.4)}, maximize="ball.x.last", subject_to="ball.y.last >= 50", times=1.0, every=0.5
    )
    assert not found.converged and not found.met and "NOT MET" in str(found) and "not converged" in str(found)
    assert "no design within the bounds was found that meets ball.y.last >= 50; this is the nearest" in str(found)
    assert found.values["up"] == pytest.approx(1.4, abs=0.02)  # as high as it goes


def valleys(assembly):
    """Two valleys; the lower one at x = -1.0 or so, the present design in the other."""
    x = assembly.state["block.x"]
    return (x * x - 1.0) ** 2 + 0.3 * x


def test_evolution_finds_the_lower_valley():
    m = lw.Mechanism("block", gravity=None, parameters={"x": 0.9})
    m.add("block", lw.Body(1.0, 1.0, position=("x", 0)))
    near = lw.optimize(m, {"x": (-2, 2)}, valleys, analysis="assemble")
    far = lw.optimize(m, {"x": (-2, 2)}, valleys, analysis="assemble", method="evolution", seed=1)
    roots = np.roots([4.0, 0.0, -4.0, 0.3])
    assert near.values["x"] == pytest.approx(max(roots), abs=1e-3) and near.converged
    assert far.values["x"] == pytest.approx(min(roots), abs=1e-3) and far.converged and far.value < near.value
    again = lw.optimize(m, {"x": (-2, 2)}, valleys, analysis="assemble", method="evolution", seed=1)
    assert again.values == far.values and "evolution" in far.method


@pytest.mark.parametrize("method", ["slsqp", "evolution"])
@pytest.mark.filterwarnings("ignore")
def test_designs_that_cannot_be_assembled_are_stepped_back_from(method):
    """The end of the first bar is at x = (a^2 + 1.25) / 3, least where the triangle is flat, a = 0.5."""
    found = lw.optimize(
        triangle(), {"a.length": (0.1, 2.2)}, "a.b.x", analysis="assemble", method=method, most_runs=400
    )
    assert found.failed > 0 and "cannot be assembled" in str(found) and "stepped back" in str(found)
    assert any("cannot be assembled" in one.failed for one in found.history)
    assert 0.5 <= found.values["a.length"] < 0.53
    assert found.value == pytest.approx((found.values["a.length"] ** 2 + 1.25) / 3)


@pytest.mark.filterwarnings("ignore")
def test_a_search_that_begins_where_nothing_goes_says_so():
    with pytest.raises(AnalysisError, match=r"begins with a design that cannot be run.*begin="):
        lw.optimize(triangle(), {"a.length": (0.1, 2.2)}, "a.b.x", analysis="assemble", begin={"a.length": 0.2})
    options = {"analysis": "assemble", "begin": {"a.length": 0.2}, "method": "evolution", "most_runs": 400}
    found = lw.optimize(triangle(), {"a.length": (0.1, 2.2)}, "a.b.x", **options)
    assert 0.5 <= found.values["a.length"] < 0.53
    with pytest.raises(AnalysisError, match=r"none of 33 designs"):
        lw.optimize(triangle(), {"a.length": (0.1, 0.4)}, "a.b.x", **options)


def test_a_bound_may_be_what_no_design_can_have():
    """A length of 0, and below: such designs are stepped back from, and the search does not begin with one."""
    m, options = lw.gallery.four_bar(), {"analysis": "assemble", "start": {"A.angle": "60 deg"}}
    for least in (0.0, -1.0):
        found = m.optimize({"crank.length": (least, 1.2)}, lambda a: (a.state["D.angle"] - 1.6) ** 2, **options)
        assert 0.0 < found.values["crank.length"] <= 1.2
    with pytest.raises(AnalysisError, match=r"begins with a design that cannot be run.*too small"):
        m.optimize({"crank.length": (-1.0, 0.5)}, "D.angle", **options)
    with pytest.raises(DescriptionError, match="length is too small"):
        m.optimize({"crank.length": (-2.0, -1.0)}, "D.angle", **options)
    with pytest.raises(DescriptionError, match="bound is not finite"):
        m.optimize({"crank.length": (float("nan"), 1.0)}, "D.angle", **options)


def test_so_many_runs_and_not_more():
    m = hanging()
    found = lw.optimize(m, {"spring.stiffness": (10, 500)}, height, analysis="equilibrium", most_runs=12)
    assert found.runs <= 12 and not found.converged and "12 runs" in found.why
    assert found.value <= found.first


def test_ctrl_c_keeps_the_best():
    count = []

    def stopping(rest):
        count.append(1)
        if len(count) > 14:
            raise KeyboardInterrupt
        return height(rest)

    with pytest.raises(KeyboardInterrupt) as stop:
        lw.optimize(hanging(), {"spring.stiffness": (10, 500)}, stopping, analysis="equilibrium")
    assert stop.value.result.why == "it was interrupted" and stop.value.result.value <= stop.value.result.first
    assert "is the best of" in stop.value.__notes__[0] and ".result" in stop.value.__notes__[0]


@pytest.mark.parametrize("method", ["slsqp", "evolution"])
def test_a_line_says_how_far_it_is(monkeypatch, capsys, method):
    monkeypatch.setattr(Line, "AFTER", 0.0)
    monkeypatch.setattr(Line, "EVERY", 0.0)
    options = {"analysis": "equilibrium", "method": method, "most_runs": 40}
    m, vary = hanging(), {"spring.stiffness": (10, 500)}
    found = lw.optimize(m, vary, height, progress=True, **options)
    lines = capsys.readouterr().err.split("\r")
    assert lines[1].startswith(f"optimize of '{m.name}': 1 run ")
    assert any(f"runs, best height = {found.first:.6g}" in one for one in lines) and not lines[-1].strip()
    lw.optimize(m, vary, height, progress=False, **options)
    assert capsys.readouterr().err == ""
    with pytest.raises(DescriptionError, match="progress"):
        lw.optimize(m, vary, height, progress="no", **options)


def test_what_is_told():
    with pytest.warns(lw.errors.BoundsWarning):
        found = lw.optimize(hanging(), {"spring.stiffness": (10, 50)}, "block.y", analysis="equilibrium")
    assert found.on_bounds == {"spring.stiffness": "at its least"} and "at its least" in str(found)
    assert found.value == pytest.approx(-1.0 - 2 * 9.81 / 10)
    assert "spring.stiffness" in found._repr_html_()
    frame = found.to_pandas()
    assert len(frame) == len(found.history) and frame["value"].min() == found.value
    started = lw.optimize(thrown(), {"start:ball.y": ("0 m", "2 m")}, maximize="ball.y.max", times=0.1, every=0.01)
    assert started.start == {"ball.y": pytest.approx(2.0)} and started.values == {"start:ball.y": pytest.approx(2.0)}


SPAN = {"spring.stiffness": (10, 500)}


@pytest.mark.parametrize(
    ("vary", "options", "error", "words"),
    [
        ({"sprng.stiffness": (1, 2)}, {}, UnknownNameError, "spring.stiffness"),
        ({"start:guide.slid": (0, 1)}, {}, UnknownNameError, "guide.slide"),
        ({"block.y": (0, 1)}, {}, UnknownNameError, "the start value is written 'start:block.y'"),
        ({"spring.stiffness": ("1 kg", 5)}, {}, UnitError, "another kind"),
        ({"spring.stiffness": 5}, {}, DescriptionError, "no bounds"),
        ({"spring.stiffness": (5, 5)}, {}, DescriptionError, "wrong order"),
        ({"spring.stiffness": (5, math.inf)}, {}, DescriptionError, "finite"),
        ({"spring.stiffness": (5, "k")}, {}, DescriptionError, "no number"),
        ({}, {}, DescriptionError, "nothing to vary"),
        (SPAN, {"minimize": None}, DescriptionError, "minimize= or maximize="),
        (SPAN, {"maximize": "block.y"}, DescriptionError, "two things"),
        (SPAN, {"minimize": "block.z"}, UnknownNameError, "block.y"),
        (SPAN, {"minimize": 3}, DescriptionError, "no name and no function"),
        (SPAN, {"minimize": []}, DescriptionError, "empty"),
        (SPAN, {"minimize": "block.y", "analysis": "simulate", "times": 1.0}, DescriptionError, "block.y.max"),
        (SPAN, {"minimize": lambda rest: math.nan}, DescriptionError, "no finite number"),
        (SPAN, {"minimize": lambda rest: 1 / 0}, AnalysisError, "ZeroDivisionError"),
        (SPAN, {"subject_to": "block.y < 3 kg"}, UnitError, "block.y"),
        (SPAN, {"subject_to": ["block.y"]}, DescriptionError, "limit that is none"),
        (SPAN, {"method": "slsq"}, UnknownNameError, "slsqp"),
        (SPAN, {"method": "least squares"}, DescriptionError, "least squares"),
        (SPAN, {"begin": {"spring.stiffness": 1000}}, DescriptionError, "outside of its bounds"),
        (SPAN, {"begin": {"stiffness": 1}}, UnknownNameError, "spring.stiffness"),
        (SPAN, {"tolerance": 0}, DescriptionError, "tolerance"),
        (SPAN, {"analysis": "equilibrum"}, UnknownNameError, "equilibrium"),
    ],
)
def test_wrong_use(vary, options, error, words):
    with pytest.raises(error, match=words):
        lw.optimize(hanging(), vary, **{"minimize": height, "analysis": "equilibrium", **options})


def two_numbers():
    m = lw.Mechanism("block", gravity=None, parameters={"x": 0.9, "y": 0.3})
    m.add("block", lw.Body(1.0, 1.0, position=("x", "y")))
    return m


def gorge(assembly):
    """A kink along y = x^2, along which it falls to 5 at (1, 1)."""
    x, y = assembly.state["block.x"], assembly.state["block.y"]
    return 10.0 * abs(y - x * x) + (1.0 - x) ** 2 + 5.0


def bowl(assembly):
    x, y = assembly.state["block.x"], assembly.state["block.y"]
    return (x - 0.4) ** 2 + 3.0 * (y - 0.6) ** 2 + 0.5 * x * y


@pytest.mark.parametrize("start", [(0.9, 0.3), (0.5, 0.5), (0.2, 0.7)])
def test_a_search_that_stops_at_a_kink_does_not_say_that_it_converged(start):
    vary, begin = {"x": (0.0, 1.0), "y": (0.0, 1.0)}, dict(zip("xy", start))
    found = lw.optimize(two_numbers(), vary, gorge, analysis="assemble", begin=begin)
    assert found.value < 5.001 or not found.converged
    smooth = lw.optimize(two_numbers(), vary, bowl, analysis="assemble", begin=begin)
    again = lw.optimize(two_numbers(), vary, bowl, analysis="assemble", begin=smooth.values)
    x, y = np.linalg.solve([[2.0, 0.5], [0.5, 6.0]], [0.8, 3.6])
    assert smooth.converged and again.converged, str(smooth)
    assert list(smooth.values.values()) == pytest.approx([x, y], abs=1e-3)


def test_a_kink_is_told_where_the_search_ends_by_its_tolerance(monkeypatch):
    vary = {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    found = lw.optimize(two_numbers(), vary, gorge, analysis="assemble", begin={"x": 0.5, "y": 0.25}, tolerance=0.5)
    assert not found.converged and "kink" in found.why and "evolution" in found.why
    monkeypatch.setattr(Search, "evolution", lambda self: (self.designs.begin, True))  # it ends where it began
    far = lw.optimize(
        two_numbers(), vary, gorge, analysis="assemble", begin={"x": 0.5, "y": 0.25}, tolerance=0.5, method="evolution"
    )
    assert "kink" in far.why and "evolution" not in far.why and "seed=" in far.why


def test_a_search_that_cannot_begin_at_the_present_number_says_so():
    with pytest.warns(lw.errors.BoundsWarning, match=r"x = 3, the middle: it is 0\.9, outside of the bounds.*begin="):
        found = lw.optimize(two_numbers(), {"x": (2.0, 4.0)}, bowl, analysis="assemble")
    assert found.first == pytest.approx(bowl_at(3.0, 0.3)) and "the middle" in str(found)


def bowl_at(x, y):
    return (x - 0.4) ** 2 + 3.0 * (y - 0.6) ** 2 + 0.5 * x * y


def test_the_tolerance_is_of_the_value_at_the_end_not_of_the_first_one():
    """1 + Rosenbrock's function, whose first value is half a million times its least."""
    m = lw.Mechanism("s", parameters={"a": 8.0, "b": -8.0}, gravity=None)
    m.add("p", lw.Particle(1.0, position=("a", "b")))

    def goal(assembly):
        x, y = assembly.state["p.x"], assembly.state["p.y"]
        return 1.0 + (1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2

    found = m.optimize({"a": (-10, 10), "b": (-10, 10)}, goal, analysis="assemble")
    assert found.value == pytest.approx(1.0, abs=1e-3)


def test_squares_that_begin_at_a_bound_leave_it():
    m = lw.Mechanism("s", parameters={"a": 0.0}, gravity=None)
    m.add("p", lw.Particle(1.0, position=("a", 0.0)))
    found = m.optimize({"a": (0, 10)}, lambda one: [one.state["p.x"] - 1.2, 0.1], analysis="assemble")
    assert found.values["a"] == pytest.approx(1.2, rel=1e-6)


def test_folders_and_states_are_refused():
    m = lw.gallery.four_bar()
    with pytest.raises(DescriptionError, match="keeps no runs in folders"):
        m.optimize({"spring.stiffness": (5, 50)}, "D.angle.max", times=0.1, store="folder")
    with pytest.raises(DescriptionError, match=r"varies start values, and got a state"):
        lw.sweep(m, {"start:A.angle": [1.1]}, times=0.1, read="D.angle.max", start=m.assemble(coordinates="body").state)


def algebra(x, y="0"):
    """A point at any place that two numbers say."""
    m = lw.Mechanism("algebra", gravity=None, parameters={"a": 0.0, "b": 0.0})
    m.add("p", lw.Particle(1.0, position=(x, y)))
    return m


BOTH = {"a": (-1, 1), "b": (-1, 1)}


@pytest.mark.parametrize(
    ("x", "vary", "begin", "least"),
    [
        ("1 - a^2 + 0.1*a^3", {"a": (-1, 1)}, {"a": 0.0}, -0.1),  # a maximum
        ("1 - a^2", {"a": (-1, 1)}, {"a": 1e-5}, 0.0),  # nearly there
        ("1 + a*b", BOTH, {"a": 0.0, "b": 0.0}, 0.0),  # a saddle that no number shows alone
        ("1 + a^2 - b^2", BOTH, {"a": 0.5, "b": 0.0}, 0.0),  # a saddle that it comes to
        ("1 - a^2", {"a": (0, 1)}, {"a": 0.0}, 0.0),  # a maximum at a bound
        ("1 + a^2", {"a": (-1, 1)}, {"a": 0.0}, 1.0),  # a minimum
        ("1 + a^2 + b^2 - a*b", BOTH, {"a": 0.0, "b": 0.0}, 1.0),
    ],
)
@pytest.mark.parametrize("listed", [False, True])
def test_a_search_leaves_maxima_and_saddles_where_slopes_vanish(x, vary, begin, least, listed):
    goal = (lambda state: [1.0 + state["p.x"]]) if listed else "p.x"
    found = algebra(x).optimize(vary, goal, analysis="assemble", begin=begin)
    assert found.converged
    assert found.value == pytest.approx((1.0 + least) ** 2 if listed else least, abs=1e-5)
    assert least < 1.0 or not found.notes


@pytest.mark.parametrize("listed", [False, True])
def test_a_search_that_begins_on_a_plateau_says_so(listed):
    def step(state):
        return [max(1.0, state["p.x"])] if listed else max(1.0, state["p.x"])

    found = algebra("a").optimize({"a": (-4, 4)}, step, analysis="assemble", begin={"a": 0.0})
    assert not found.converged and "nothing near where it began changes the value" in found.why


def test_a_limit_holds_a_search_that_begins_at_a_maximum():
    found = algebra("1 - a^2", "a").optimize(
        {"a": (-1, 1)}, "p.x", subject_to=["p.y >= -0.2", "p.y <= 0.5"], analysis="assemble", begin={"a": 0.0}
    )
    assert found.met and found.value in (pytest.approx(0.96, abs=1e-5), pytest.approx(0.75, abs=1e-5))
    still = algebra("1 - a^2", "a").optimize(
        {"a": (-1, 1)}, "p.x", subject_to="p.y == 0", analysis="assemble", begin={"a": 0.0}
    )
    assert still.converged and still.value == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("first", "later", "got"),
    [
        (lambda x: [x - 0.5], lambda x: [x - 0.5, 10 * (x - 3)], "a list of 2; wanted a list of 1"),
        (lambda x: [x - 0.5, x], lambda x: [x - 0.5], "a list of 1; wanted a list of 2"),
        (lambda x: x**2, lambda x: [x**2], "a list of 1; wanted one number"),
        (lambda x: [x], lambda x: x, "one number; wanted a list of 1"),
    ],
)
def test_another_count_of_numbers_than_at_first_is_refused(first, later, got):
    def gap(state):
        return first(state["p.x"]) if state["p.x"] >= 0.8 else later(state["p.x"])

    with pytest.raises(DescriptionError, match=f"gap returns another count of numbers.*{got}"):
        algebra("a").optimize({"a": (0, 2)}, gap, analysis="assemble", begin={"a": 1.0})


def test_a_limit_of_a_number_that_is_varied_says_where_it_belongs():
    m, asked = lw.gallery.four_bar(), {"times": 0.1, "most_runs": 20}
    for limit in ("spring.stiffness >= 15", "spring.stiffness.max >= 15"):
        with pytest.raises(DescriptionError, match=r"limit 1 is a number that is varied.*Give its bounds, vary="):
            lw.optimize(m, {"spring.stiffness": (10, 40)}, "D.angle.max", subject_to=[limit], **asked)
    with pytest.raises(DescriptionError, match=r"minimize is a number that is varied.*Give a function"):
        lw.optimize(m, {"spring.stiffness": (10, 40)}, "spring.stiffness", **asked)

    def stiffness(run):
        return run.mechanism.number("spring.stiffness")

    found = lw.optimize(m, {"spring.stiffness": (10, 40)}, "D.angle.max", subject_to=[(stiffness, ">=", 15)], **asked)
    assert found.values["spring.stiffness"] == pytest.approx(15.0, rel=1e-5)


def test_another_count_of_a_limit_is_refused():
    def limit(state):
        return 1.0 if state["p.x"] >= 0.8 else [1.0, 2.0]

    with pytest.raises(DescriptionError, match="limit returns another count of numbers"):
        algebra("a").optimize(
            {"a": (0, 2)}, "p.x", subject_to=[(limit, ">=", 0.0)], analysis="assemble", begin={"a": 1.0}
        )
