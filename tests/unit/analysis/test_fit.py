"""Identification: series of closed forms, errors that hold, and numbers that nothing determines."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.designs import Designs
from linkwork.analysis.progress import Line
from linkwork.errors import AnalysisError, DescriptionError, UndeterminedWarning, UnitError, UnknownNameError

MASS, STIFFNESS, DAMPING, FIRST = 2.0, 50.0, 1.2, 0.3


def oscillator():
    m = lw.Mechanism("oscillator", gravity=None)
    block = m.add("block", lw.Body(MASS, 1.0))
    m.add("guide", lw.Prismatic("ground", "block"))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), block, stiffness=STIFFNESS, rest_length=1.0, damping=DAMPING))
    return m


def closed_form(t, stiffness=STIFFNESS, damping=DAMPING):
    """x(t) of m x'' + c x' + k x = 0 from x = 0.3 at rest."""
    decay = damping / (2.0 * MASS)
    omega = math.sqrt(stiffness / MASS - decay**2)
    return FIRST * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))


T = np.linspace(0.0, 2.0, 41)
VARY = {"spring.stiffness": ("10 N/m", "200 N/m"), "spring.damping": (0.0, 10.0)}
OPTIONS = {"start": {"block.x": FIRST}, "rtol": 1e-7, "coordinates": "joint"}
FAR = {"spring.stiffness": 70.0, "spring.damping": 4.0}


def slopes_of_the_closed_form():
    """Derivatives by stiffness and damping, by differences of the formula with long steps of the fourth order."""
    found = []
    for key, h in (("stiffness", 0.1), ("damping", 0.01)):
        at = {"stiffness": STIFFNESS, "damping": DAMPING}
        shifted = [closed_form(T, **{**at, key: at[key] + k * h}) for k in (-2, -1, 1, 2)]
        found.append((shifted[0] - 8 * shifted[1] + 8 * shifted[2] - shifted[3]) / (12 * h))
    return np.array(found).T


def test_a_series_without_noise():
    found = oscillator().fit(VARY, {"block.x": (T, closed_form(T))}, begin=FAR, **OPTIONS)
    assert found.converged and not found.undetermined
    assert found.values["spring.stiffness"] == pytest.approx(STIFFNESS, rel=1e-5)
    assert found.values["spring.damping"] == pytest.approx(DAMPING, rel=1e-4)
    assert found.mechanism.number("spring.damping") == found.values["spring.damping"]
    assert np.abs(found.residuals["block.x"]).max() < 1e-5


def test_errors_are_those_of_linear_theory():
    """Beside (J'J)^-1 of the closed form; with noise as given, and as found with Student's distribution."""
    noise = 0.01
    values = closed_form(T) + noise * np.random.default_rng(5).standard_normal(len(T))
    covariance = noise**2 * np.linalg.inv(slopes_of_the_closed_form().T @ slopes_of_the_closed_form())
    given = lw.fit(oscillator(), VARY, {"block.x": (T, values)}, noise="10 mm", begin=FAR, **OPTIONS)
    errors = np.array(list(given.errors.values()))
    assert errors == pytest.approx(np.sqrt(np.diag(covariance)), rel=0.1)  # slopes at other values than the true ones
    assert given.correlations[0, 1] == pytest.approx(
        covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]), abs=0.1
    )
    low, high = given.limits["spring.stiffness"]
    assert (high - low) / 2 == pytest.approx(1.959964 * given.errors["spring.stiffness"], rel=1e-5)
    assert low < STIFFNESS < high and given.misfit == pytest.approx(1.0, abs=0.5)
    own = lw.fit(oscillator(), VARY, {"block.x": (T, values)}, begin=FAR, confidence=0.9, **OPTIONS)
    left = own.residuals["block.x"]
    assert own.noise["block.x"] == pytest.approx(math.sqrt(left @ left / (len(T) - 2)))
    assert own.errors["spring.damping"] == pytest.approx(
        given.errors["spring.damping"] * own.noise["block.x"] / noise, rel=1e-3
    )
    low, high = own.limits["spring.stiffness"]
    assert (high - low) / 2 == pytest.approx(1.684875 * own.errors["spring.stiffness"], rel=1e-5)  # t(0.95, 39)


def test_limits_hold_as_often_as_they_say():
    """40 records with other noise: scores have the size one, and about 95 % of the limits hold."""
    m, scores, held = oscillator(), [], 0
    for seed in range(40):
        values = closed_form(T) + 0.02 * np.random.default_rng(seed).standard_normal(len(T))
        found = lw.fit(m, VARY, {"block.x": (T, values)}, tolerance=1e-6, **OPTIONS)
        for name, true in (("spring.stiffness", STIFFNESS), ("spring.damping", DAMPING)):
            scores.append((found.values[name] - true) / found.errors[name])
            held += found.limits[name][0] <= true <= found.limits[name][1]
    assert 71 <= held <= 80  # of 80; 76 are expected, and fewer than 71 in one of 80 such tests
    assert 0.8 < np.std(scores) < 1.2 and abs(np.mean(scores)) < 0.35


def test_several_series_at_other_times_find_their_own_noise():
    random = np.random.default_rng(1)
    late = np.linspace(0.5, 1.9, 60)
    m = oscillator()
    run = m.simulate(np.concatenate([[0.0], late]), **OPTIONS)
    force = run["spring.tension"][1:]
    measured = {
        "block.x": (T, 1e3 * (closed_form(T) + 1e-3 * random.standard_normal(len(T))), "mm"),
        "spring.tension": (late, force + 2.0 * random.standard_normal(len(late))),
    }
    found = lw.fit(m, VARY, measured, begin=FAR, **OPTIONS)
    assert found.noise["block.x"] == pytest.approx(1e-3, rel=0.35)
    assert found.noise["spring.tension"] == pytest.approx(2.0, rel=0.35)
    for name, true in (("spring.stiffness", STIFFNESS), ("spring.damping", DAMPING)):
        assert abs(found.values[name] - true) < 4.0 * found.errors[name]


def test_numbers_that_nothing_determines_are_named():
    """The motion depends on k/m and c/m only, and on the inertia not at all."""
    measured = {"block.x": (T, closed_form(T) + 1e-3 * np.random.default_rng(2).standard_normal(len(T)))}
    vary = {**VARY, "block.mass": (0.5, 8.0)}
    with pytest.warns(UndeterminedWarning, match=r"cannot tell .*block.mass"):
        found = lw.fit(oscillator(), vary, measured, begin=FAR, **OPTIONS)
    assert set(found.undetermined) == set(vary) and all(one == math.inf for one in found.errors.values())
    assert "only together with" in found.undetermined["block.mass"] and "NOT DETERMINED" in str(found)
    ratio = found.values["spring.stiffness"] / found.values["block.mass"]
    assert ratio == pytest.approx(STIFFNESS / MASS, rel=0.01)  # what is determined
    with pytest.warns(UndeterminedWarning, match=r"block.inertia"):
        found = lw.fit(oscillator(), {**VARY, "block.inertia": (0.5, 2.0)}, measured, **OPTIONS)
    assert list(found.undetermined) == ["block.inertia"] and found.limits["block.inertia"] == (-math.inf, math.inf)
    assert "does not depend" in found.undetermined["block.inertia"]
    assert found.errors["spring.stiffness"] < 1.0 and "block.inertia" in found._repr_html_()


@pytest.mark.parametrize("noise", [0.0, 1e-12, 1e-9, 1e-6])
@pytest.mark.parametrize("start", ["10 deg", "30 deg", "80 deg"])
@pytest.mark.parametrize("duration", [2.0, 5.0])
def test_slopes_that_are_rounding_determine_nothing(duration, start, noise):
    """A pendulum does not depend on its mass; its runs differ by rounding, which records with little noise seem to see.

    What is determined has the same error, whether the mass is varied beside it or not.
    """
    m = lw.gallery.pendulum()
    options = {"start": {"A.angle": start}, "coordinates": "auto"}
    run = m.with_numbers({"rod.mass": 3.0}).simulate(duration, every=0.05, **options)
    values = run["A.angle"] + noise * np.random.default_rng(1).standard_normal(len(run.t))
    record = {"A.angle": (run.t, values)}
    for begin in (1.0, 4.0):
        with pytest.warns(UndeterminedWarning, match="rod.mass"):
            found = m.fit({"rod.mass": (0.1, 9.0)}, record, begin={"rod.mass": begin}, **options)
        assert list(found.undetermined) == ["rod.mass"] and found.errors["rod.mass"] >= 8.9
        if noise < 1e-8:
            assert found.errors["rod.mass"] == math.inf
    size = noise or 1e-13
    alone = m.fit({"rod.length": (0.5, 1.5)}, record, noise=size, **options)
    with pytest.warns(UndeterminedWarning, match="cannot tell rod.mass from"):
        both = m.fit({"rod.mass": (0.1, 9.0), "rod.length": (0.5, 1.5)}, record, noise=size, **options)
    assert not alone.undetermined and list(both.undetermined) == ["rod.mass"]
    assert 0.0 < alone.errors["rod.length"] < size and both.errors["rod.length"] == pytest.approx(
        alone.errors["rod.length"], rel=1e-3
    )


def two_oscillators():
    """Without any connection but the steps of their runs."""
    m = lw.Mechanism("two", gravity=None)
    for k in "12":
        block = m.add(f"b{k}", lw.Body(MASS, 1.0))
        m.add(f"g{k}", lw.Prismatic("ground", block))
        spring = lw.SpringDamper(m.ground.at(-1, 0), block, stiffness=STIFFNESS, rest_length=1.0, damping=DAMPING)
        m.add(f"s{k}", spring)
    return m


BOTH = {"s1.stiffness": (10.0, 200.0), "s2.stiffness": (10.0, 200.0)}
NEAR = {"s1.stiffness": 50.0, "s2.stiffness": 50.0}
OFF = {"s1.stiffness": 80.0, "s2.stiffness": 80.0}


@pytest.mark.parametrize("rtol", [1e-6, 1e-8])
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("begin", [NEAR, OFF])
@pytest.mark.parametrize(("fine", "rough"), [(1e-9, 0.01), (1e-10, 0.01), (1e-8, 0.1), (0.0, 0.1)])
def test_a_record_finer_than_the_runs_takes_no_part_in_what_it_does_not_show(fine, rough, begin, given, rtol):
    """The second stiffness is known as well as by the second record alone."""
    random, options = np.random.default_rng(0), {"start": {"b1.x": FIRST, "b2.x": FIRST}, "coordinates": "joint"}
    one, two = (closed_form(T) + noise * random.standard_normal(len(T)) for noise in (fine, rough))
    noise = {"b1.x": fine or 1e-9, "b2.x": rough} if given else None
    records = {"b1.x": (T, one), "b2.x": (T, two)}
    found = two_oscillators().fit(BOTH, records, noise=noise, begin=begin, rtol=rtol, **options)
    assert not found.undetermined and found.converged
    expected = rough / np.linalg.norm(slopes_of_the_closed_form()[:, 0])
    error = found.errors["s2.stiffness"]
    assert expected / 1.5 < error < 1.5 * expected
    assert abs(found.values["s2.stiffness"] - STIFFNESS) < 4.0 * error
    assert found.values["s1.stiffness"] == pytest.approx(STIFFNESS, rel=1e-7)
    if given:  # not of the runs, then, but of the record
        assert abs(found.values["s1.stiffness"] - STIFFNESS) < 4.0 * found.errors["s1.stiffness"]


@pytest.mark.parametrize("rtol", [1e-5, 1e-6, 1e-8])
@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-7])
@pytest.mark.parametrize("given", [True, False])
def test_the_steps_of_runs_determine_no_number(given, noise, rtol):
    values = closed_form(T) + noise * np.random.default_rng(0).standard_normal(len(T))
    options = {"start": {"b1.x": FIRST, "b2.x": FIRST}, "coordinates": "joint", "rtol": rtol, "begin": OFF}
    with pytest.warns(UndeterminedWarning, match="cannot tell s2.stiffness from"):
        found = two_oscillators().fit(BOTH, {"b1.x": (T, values)}, noise=noise or 1e-9 if given else None, **options)
    assert list(found.undetermined) == ["s2.stiffness"]


@pytest.mark.parametrize(("fine", "rough"), [(1e-4, 1e-2), (1e-5, 1e-3), (1e-5, 1e-2), (1e-6, 1e-3)])
@pytest.mark.parametrize("given", [True, False])
def test_a_large_record_that_is_exact_hides_no_other(given, fine, rough):
    """A flywheel that spins by some hundred rad beside an oscillator of 30 mm."""
    m = oscillator()
    m.add("wheel", lw.Body(1.0, 0.5))
    m.add("A", lw.Revolute("ground", "wheel"))
    m.add("T", lw.Torque("wheel", 4.0))
    t, random = np.linspace(0.0, 10.0, 101), np.random.default_rng(0)
    options = {"start": {"A.angle.rate": 20.0, "block.x": 0.03}, "coordinates": "joint"}
    run = m.simulate(t, rtol=1e-12, **options)
    noise = {"A.angle": fine, "block.x": rough}
    records = {name: (t, run[name] + size * random.standard_normal(len(t))) for name, size in noise.items()}
    vary = {"T.value": (1.0, 10.0), "spring.stiffness": (10.0, 200.0)}
    both = m.fit(vary, records, noise=noise if given else None, **options)
    del vary["T.value"], records["A.angle"]
    alone = m.fit(vary, records, noise=rough if given else None, **options)
    assert not both.undetermined and not alone.undetermined
    assert both.errors["spring.stiffness"] == pytest.approx(alone.errors["spring.stiffness"], rel=0.05)
    assert both.values["spring.stiffness"] == pytest.approx(alone.values["spring.stiffness"], rel=1e-3)


def test_noise_below_the_error_of_runs_that_cannot_be_finer_is_told():
    """Here the search ends before, or finer runs take too many steps."""
    vary = {"spring.stiffness": (10.0, 200.0)}
    found = oscillator().fit(vary, X, noise=1e-12, most_runs=2, **OPTIONS)
    assert not found.converged and any("give a smaller rtol, 1e-11" in one for one in found.notes)
    steps = oscillator().simulate(2.0, **OPTIONS).statistics.steps
    found = oscillator().fit(vary, X, noise=1e-6, most_steps=steps + 2, **OPTIONS)
    assert any("finer ones fail" in one and "most_steps" in one for one in found.notes)


@pytest.mark.parametrize("share", [1e-2, 1e-4, 1e-6])
def test_a_number_that_is_seen_little_is_seen(share):
    """A weak spring beside a stiff one, of which an exact record still tells a small error."""
    m, t = oscillator(), np.linspace(0.0, 2.0, 41)
    m.add("weak", lw.SpringDamper(m.ground.at(-1, 0), m["block"], stiffness=STIFFNESS * share, rest_length=1.0))
    record = {"block.x": (t, m.simulate(t, **OPTIONS)["block.x"])}
    found = m.fit({"weak.stiffness": (0.0, 2.0 * STIFFNESS * share)}, record, noise=1e-9, **OPTIONS)
    assert not found.undetermined
    assert found.errors["weak.stiffness"] == pytest.approx(
        1e-9 / np.linalg.norm(slopes_of_the_closed_form()[:, 0]), rel=0.1
    )


def test_a_number_known_worse_than_its_bounds_is_named():
    measured = {"block.x": (T, closed_form(T) + 0.02 * np.random.default_rng(3).standard_normal(len(T)))}
    with pytest.warns(UndeterminedWarning, match="larger than the way between its bounds"):
        found = lw.fit(oscillator(), {"spring.damping": (1.19, 1.21)}, measured, **OPTIONS)
    assert found.undetermined


def test_what_is_wrong_with_the_model_is_told():
    """A record with a slow drift that the mechanism does not have."""
    measured = {"block.x": (T, closed_form(T) + 0.05 * T)}
    found = lw.fit(oscillator(), VARY, measured, **OPTIONS)
    assert any("correlated" in one for one in found.notes) and "misses something" in str(found)


def test_evolution_finds_what_is_far():
    m = oscillator()
    t = np.linspace(0.0, 6.0, 61)
    measured = {"block.x": (t, closed_form(t))}
    vary, far = {"spring.stiffness": (10.0, 1000.0)}, {"spring.stiffness": 600.0}
    near = lw.fit(m, vary, measured, begin=far, **OPTIONS)
    assert abs(near.values["spring.stiffness"] - STIFFNESS) > 10.0  # another valley, and the residuals say so
    assert any('method="evolution"' in one for one in near.notes)
    found = lw.fit(m, vary, measured, begin=far, method="evolution", **OPTIONS)
    assert found.values["spring.stiffness"] == pytest.approx(STIFFNESS, rel=1e-4)


X = {"block.x": (T, closed_form(T))}


@pytest.mark.parametrize(
    ("measured", "options", "error", "words"),
    [
        ({}, {}, DescriptionError, "nothing that was measured"),
        ({"block.z": X["block.x"]}, {}, UnknownNameError, "block.y"),
        ({"block.x": T}, {}, DescriptionError, "no record"),
        ({"block.x": (T, T[1:])}, {}, DescriptionError, "not as many values as times"),
        ({"block.x": (T[::-1], T)}, {}, DescriptionError, "do not rise"),
        ({"block.x": (T, np.where(T > 1, np.nan, T))}, {}, DescriptionError, "not finite, number 21"),
        ({"block.x": (T, T, "kg")}, {}, UnitError, "block.x"),
        ({"block.x": (T, T, 3)}, {}, DescriptionError, "unit that is none"),
        ({"block.x": (T[:2], T[:2])}, {}, DescriptionError, "not more recorded values"),
        (X, {"noise": 0.0}, DescriptionError, "more than 0"),
        (X, {"noise": ["1 deg"]}, UnitError, "noise of 'block.x'"),
        (X, {"noise": object()}, DescriptionError, "noise of 'block.x'.*not a number"),
        (X, {"noise": [[1.0], [2.0, 3.0]]}, DescriptionError, "not a number"),
        ({"block.x.max": X["block.x"]}, {}, DescriptionError, "no series.*'block.x'"),
        (X, {"noise": "3 kg"}, UnitError, "noise"),
        (X, {"noise": {"block.y": 1}}, UnknownNameError, "block.x"),
        (X, {"noise": [1.0, 2.0]}, DescriptionError, "one for each of the 41 values"),
        (X, {"confidence": 95}, DescriptionError, "between 0 and 1"),
        (X, {"tolerance": 2}, DescriptionError, "tolerance that is none"),
        (X, {"times": 2.0}, DescriptionError, "takes its times"),
        (X, {"every": 0.1}, DescriptionError, r"takes its times.*Leave out every="),
        (X, {"analysis": "equilibrium"}, UnknownNameError, "simulate"),
        (X, {"method": "slsqp"}, UnknownNameError, "least squares"),
        (X, {"until": {"block.x": 0.0}}, DescriptionError, "ends before the last record"),
        (X, {"most_steps": 2}, AnalysisError, "most_steps"),
    ],
)
def test_wrong_use(measured, options, error, words):
    with pytest.raises(error, match=words):
        lw.fit(oscillator(), VARY, measured, **{**OPTIONS, **options})


def test_a_number_that_begins_at_its_least_is_found():
    m = oscillator().with_numbers({"spring.damping": 0.0})
    found = m.fit({"spring.damping": (0.0, 10.0)}, {"block.x": (T, closed_form(T))}, **OPTIONS)
    assert found.values["spring.damping"] == pytest.approx(DAMPING, rel=1e-4)


def test_a_short_record_beside_another_needs_its_noise():
    """Its own noise would be found as nothing, and its values be met exactly."""
    rate = np.gradient(closed_form(T), T)
    records = {"block.x": (T, closed_form(T)), "block.x.rate": (T[1:3], rate[1:3])}
    with pytest.raises(DescriptionError, match=r"block\.x\.rate.*too short.*2 values.*noise="):
        oscillator().fit(VARY, records, begin=FAR, **OPTIONS)
    found = oscillator().fit(VARY, records, begin=FAR, noise={"block.x": 0.01, "block.x.rate": 0.1}, **OPTIONS)
    assert found.values["spring.stiffness"] == pytest.approx(STIFFNESS, rel=1e-2)


def test_the_value_where_an_event_stops_is_not_that_of_the_next_record():
    m = lw.Mechanism("thrown", parameters={"v": 1.0})
    m.add("ball", lw.Particle(1.0, position=(0, 1.0), velocity=("v", 0.0)))
    m.add("hit", lw.Event("ball.y", 0.0, direction="falling", then=lw.Stop()))  # at 0.4515 s
    t = np.linspace(0.0, 0.5, 6)
    with pytest.raises(DescriptionError, match="ends before the last record"):
        m.fit({"v": (0.0, 10.0)}, {"ball.x": (t, 2.0 * t)}, coordinates="body")


def test_noise_is_given_with_units_and_one_for_each_value():
    m, vary = oscillator(), {"spring.stiffness": (10.0, 200.0)}
    one = m.fit(vary, X, noise="2 mm", **OPTIONS)
    assert one.noise["block.x"] == pytest.approx(0.002) and one == m.fit(vary, X, noise=["2 mm"], **OPTIONS)
    assert m.fit(vary, X, noise=["2 mm"] * len(T), **OPTIONS).errors == pytest.approx(one.errors)


def test_fits_are_compared_by_their_numbers():
    m = oscillator()
    one, same, other = (m.fit({"spring.stiffness": (10.0, high)}, X, **OPTIONS) for high in (200.0, 200.0, 199.0))
    assert one == same and one != other and one != 3


@pytest.mark.parametrize("method", ["least squares", "evolution"])
def test_ctrl_c_keeps_the_best(method, monkeypatch):
    m, count, run = oscillator(), [], Designs.run

    def stopping(self, designs):
        count.append(1)
        if len(count) > 6:
            raise KeyboardInterrupt
        return run(self, designs)

    monkeypatch.setattr(Designs, "run", stopping)
    with pytest.raises(KeyboardInterrupt) as stop:
        m.fit(VARY, X, begin=FAR, method=method, **OPTIONS)
    found = stop.value.result
    assert not found.converged and found.why == "it was interrupted" and "the best of" in stop.value.__notes__[0]
    assert all(math.isnan(one) for one in found.errors.values()) and "errors are not known" in str(found)
    far = closed_form(T) - closed_form(T, FAR["spring.stiffness"], FAR["spring.damping"])
    assert np.sum(found.residuals["block.x"] ** 2) < 0.9 * np.sum(far**2)
    values = found.values["spring.stiffness"], found.values["spring.damping"]
    assert found.computed("block.x") == pytest.approx(closed_form(T, *values), abs=1e-5)


def test_a_line_says_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr(Line, "AFTER", 0.0)
    monkeypatch.setattr(Line, "EVERY", 0.0)
    oscillator().fit(VARY, X, begin=FAR, progress=True, **OPTIONS)
    lines = capsys.readouterr().err.split("\r")
    assert "fit of 'oscillator': " in lines[1] and "runs, residuals of" in lines[5] and not lines[-1].strip()


def test_what_was_measured_and_computed():
    found = oscillator().fit(VARY, {"block.x": (T, 1000 * closed_form(T), "mm")}, begin=FAR, **OPTIONS)
    t, values = found.measured["block.x"]
    assert np.array_equal(t, T) and values == pytest.approx(closed_form(T)) and found.units == {"block.x": "m"}
    assert found.computed("block.x") == pytest.approx(closed_form(T), abs=1e-6)
    with pytest.raises(UnknownNameError, match=r"block\.x"):
        found.computed("block.y")


def test_a_picture_of_a_fit(tmp_path):
    pytest.importorskip("matplotlib")
    noisy = closed_form(T) + 0.01 * np.random.default_rng(0).standard_normal(len(T))
    found = oscillator().fit(VARY, {"block.x": (T, noisy)}, **OPTIONS)
    figure = found.plot()
    upper, lower = figure.axes
    points, line = upper.lines
    assert np.array_equal(points.get_ydata(), noisy) and np.array_equal(line.get_ydata(), found.computed("block.x"))
    assert np.array_equal(lower.lines[-1].get_ydata(), found.residuals["block.x"])
    band = lower.patches[0]  # a rectangle, or a polygon where matplotlib is older
    top = max(band.get_patch_transform().transform(band.get_path().vertices)[:, 1])
    assert top == pytest.approx(2 * found.noise["block.x"]) and upper.get_ylabel() == "block.x [m]"
    assert lower.get_xlabel() == "time [s]"
    found.plot("block.x", file=tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 5000 and "<img" in found._repr_html_()
    with pytest.raises(UnknownNameError, match=r"block\.x"):
        found.plot("block.y")


def tables(xarray, pandas):
    """What the oscillator does as tables of other packages, in other units and other kinds of times."""
    x, late = closed_form(T), np.asarray(T * 1e9).astype("timedelta64[ns]")
    mm, ms = {"units": "mm"}, {"units": "ms"}
    frame = pandas.DataFrame({"block.x": 1e3 * x}, index=pandas.Index(1e3 * T, name="time"))
    frame.attrs["units"] = {"block.x": "mm", "time": "ms"}
    return {
        "units of xarray": xarray.Dataset({"block.x": ("time", 1e3 * x, mm)}, {"time": ("time", 1e3 * T, ms)}),
        "times of xarray": xarray.Dataset({"block.x": ("time", x)}, {"time": late}),
        "units of pandas": frame,
        "times of pandas": pandas.DataFrame({"block.x": x}, index=late),
        "named index": pandas.DataFrame({"block.x [mm]": 1e3 * x}, index=pandas.Index(1e3 * T, name="t [ms]")),
        "pair": {"block.x": (late, xarray.DataArray(1e3 * x, attrs=mm))},
        "mapping": {"t": xarray.DataArray(1e3 * T, attrs=ms), "block.x": x},
    }


@pytest.mark.parametrize(
    "kind",
    ["units of xarray", "times of xarray", "units of pandas", "times of pandas", "named index", "pair", "mapping"],
)
def test_units_and_times_of_tables_of_other_packages(kind):
    table = tables(pytest.importorskip("xarray"), pytest.importorskip("pandas"))[kind]
    found = lw.fit(oscillator(), VARY, table, **OPTIONS)
    assert found.values["spring.stiffness"] == pytest.approx(STIFFNESS, rel=1e-6)
    assert found.measured["block.x"][0][-1] == pytest.approx(T[-1])


def test_tables_of_other_packages_that_are_refused():
    xarray, x = pytest.importorskip("xarray"), closed_form(T)

    def refused(error, words, values, times, **units):
        table = xarray.Dataset({"block.x": ("time", values, units)}, {"time": times})
        with pytest.raises(error, match=words):
            lw.fit(oscillator(), VARY, table, **OPTIONS)

    dates = np.datetime64("2026-01-01") + np.asarray(T * 1e9).astype("timedelta64[ns]")
    refused(DescriptionError, "'time' has dates.*Subtract the date", x, dates)
    refused(UnitError, "furlong", x, T, units="furlong")
    refused(UnitError, "block.x.*another kind", x, T, units="deg")
    refused(UnitError, "time.*fortnight", x, ("time", T, {"units": "fortnight"}))
    with pytest.raises(DescriptionError, match=r"'block.x' has two units.*'mm'.*'m'"):
        lw.fit(oscillator(), VARY, {"block.x": (T, xarray.DataArray(x, attrs={"units": "m"}), "mm")}, **OPTIONS)


def test_an_empty_column_is_named(tmp_path):
    lines = [f"{t},{x}," for t, x in zip(T, closed_form(T))]
    (tmp_path / "record.csv").write_text("\n".join(["t,block.x,block.y", *lines]))
    with pytest.raises(DescriptionError, match=r"column 'block.y' is empty"):
        lw.fit(oscillator(), VARY, tmp_path / "record.csv", **OPTIONS)


def test_a_start_value_without_its_prefix_is_told_how_it_is_written():
    with pytest.raises(UnknownNameError, match=r"the start value is written 'start:block\.x'"):
        oscillator().fit({"block.x": (0.1, 0.5)}, X, **OPTIONS)
