"""Constraints held by projection, by Baumgarte's terms, or not at all; errors against their closed forms."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import unchanged
from linkwork.errors import DescriptionError, KinkWarning, RunLimitError, RunQualityWarning
from linkwork.kernels import layout as at

T = np.linspace(0.0, 1.0, 11)


def driven():
    """A four-bar in the plane whose crank is driven, so that J v = nu is not zero."""
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "1 + 2*t + sin(3*t)"))
    return m


def light(scale):
    """A four-bar whose coupler has no mass, or so little that 16 digits are not enough."""
    m = lw.Mechanism("light")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, angle="60 deg"))
    ends = {"a": (-1.5, 0), "b": (1.5, 0)}
    coupler = m.add("coupler", lw.Body(2.0 * scale, 1.5 * scale, points=ends, angle="32.854 deg"))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5, angle="94.125 deg"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    return m


MODELS = {
    "massless": lambda: light(0.0),
    "light": lambda: light(1e-9),
    "four-bar": lw.gallery.four_bar,
    "driven": driven,
    "chain in space": lw.gallery.spatial_chain,
    "redundant in space": lambda: lw.gallery.four_bar().in_space(),
}


def violated(m, coordinates, size=1e-3, seed=5):
    """A state whose positions and velocities are off; in joint coordinates, where its loops close."""
    state = m.assemble(coordinates="body").state
    system, y = unchanged(state, coordinates)
    n = system.plan.n_q + system.plan.n_v
    y[:n] += size * np.random.default_rng(seed).standard_normal(n)
    y = system.moved(y, np.zeros(system.plan.n_v))  # orientations at length one
    return replace(state, y=y if coordinates == "body" else system.to_body(y))


def rows(run):
    """phi of all rows at all times, and its rate as the first difference says it: (times, rows)."""
    return run._series.section(at.W_PHI, located=True)


def rates(state):
    """J v - nu of all rows at a state."""
    system = state.system()
    system.locate(state.t, state.y)
    return system.row_rates(system.view(at.W_TWIST)[1:])[0] - system.nu


def error(alpha, beta, phi, rate, t):
    """The solution of  phi'' + 2 alpha phi' + beta^2 phi = 0."""
    root = np.sqrt(complex(alpha**2 - beta**2))
    t = t[:, None]
    if abs(root) < 1e-12:
        return (np.exp(-alpha * t) * (phi + (rate + alpha * phi) * t)).real
    one, two = -alpha + root, -alpha - root
    c = (rate - two * phi) / (one - two)
    return (c * np.exp(one * t) + (phi - c) * np.exp(two * t)).real


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    "options", [{"constraints": "none"}, {"alpha": 4.0}, {"alpha": 2.0, "beta": 7.0}, {"alpha": 6.0, "beta": 3.0}]
)
def test_errors_go_as_their_equation_says(name, coordinates, options):
    m = MODELS[name]()
    if name in ("chain in space", "massless", "light"):
        coordinates = "body"  # the joints of an open tree are not open; masses are needed in joint coordinates
    state = violated(m, coordinates)
    asked = {"constraints": "baumgarte", **options}
    with pytest.warns(RunQualityWarning, match="constraints are not kept"):
        run = m.simulate(T, start=state, correct=False, coordinates=coordinates, rtol=1e-11, **asked)
    phi, started = rows(run), run.state(0)
    held = run.segments[0].held != 0.0  # what was dropped as redundant is not held
    assert np.abs(phi[0]).max() > 1e-4  # it began violated, and as it was given
    assert run.state(0).y == pytest.approx(state.y, abs=1e-12)
    alpha = options.get("alpha", 0.0)
    wanted = error(alpha, options.get("beta", alpha), phi[0], rates(started), T)
    assert phi[:, held] == pytest.approx(wanted[:, held], abs=2e-9)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_rows_of_speed_die_away_too(coordinates):
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", 2.0, level="speed"))
    state = m.assemble(coordinates="body").state
    y = state.y.copy()
    n_q = state.model.n_q
    system = state.system()
    system.locate(0.0, y)
    wanted = np.zeros(system.n_rows)
    motor = next(k for k, row in enumerate(state.model.rows) if row.item == "motor")
    wanted[motor] = 0.05
    y[n_q : n_q + state.model.n_v] += system.newton_step(wanted)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunQualityWarning)
        run = m.simulate(
            T, start=replace(state, y=y), correct=False, constraints="baumgarte", alpha=3.0, coordinates=coordinates,
            rtol=1e-11,
        )  # fmt: skip
    assert run["A.angle.rate"] == pytest.approx(2.0 + 0.05 * np.exp(-6.0 * T), abs=1e-8)


@pytest.mark.parametrize(
    ("method", "coordinates"),
    [
        *((method, one) for method in ("dop853", "dopri5", "rkc", "rk4") for one in ("body", "joint")),
        *((method, "point") for method in ("dop853", "dopri5", "rk4")),  # with "rkc" it drifts to another motion
    ],
)
def test_constants_after_the_steps_hold_better_than_nothing_for_little(method, coordinates):
    m = lw.gallery.four_bar()
    options = dict(method=method, rtol=1e-5, start={"A.angle.rate": 6.0})
    if method == "rk4":
        options["step"] = 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunQualityWarning)
        none = m.simulate(20.0, constraints="none", coordinates=coordinates, **options)
        rule = m.simulate(20.0, constraints="baumgarte", coordinates=coordinates, **options)
    assert rule.violation.max() < 0.5 * none.violation.max()
    assert rule.statistics.evaluations < 1.25 * none.statistics.evaluations


@pytest.mark.parametrize("rtol", [1e-5, 1e-8, 1e-11])
@pytest.mark.parametrize("size", [1e-6, 1e-3, 3e-2])
def test_constants_after_the_steps_bear_any_start(rtol, size):
    """Large errors at the start do not drive the steps down: constants do not grow with shorter steps."""
    m = lw.gallery.four_bar()
    state = violated(m, "body", size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunQualityWarning)
        options = dict(start=state, correct=False, rtol=rtol, most_steps=20_000)
        none = m.simulate(5.0, constraints="none", coordinates="body", **options)
        run = m.simulate(5.0, constraints="baumgarte", coordinates="body", **options)
    assert run.statistics.steps < 1.3 * none.statistics.steps
    assert run.violation[-1] < 0.6 * none.violation[-1]


def test_the_first_line_says_how_constraints_were_held():
    m = lw.gallery.four_bar()
    state = violated(m, "body")

    def first(**options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RunQualityWarning)
            return str(m.simulate(0.1, **{"coordinates": "body", **options})).splitlines()[0]

    assert first().endswith("201 times")
    assert first(constraints="projection").endswith("201 times")
    assert first(constraints="none").endswith("201 times; constraints not held")
    assert first(constraints="baumgarte").endswith("; constraints by Baumgarte's terms after the steps")
    words = "; constraints by Baumgarte's terms, alpha 5 and beta 7 1/s"
    assert first(constraints="baumgarte", alpha=5.0, beta="7 1/s").endswith(words)
    uncorrected = first(constraints="baumgarte", alpha=5.0, beta=7.0, start=state, correct=False)
    assert uncorrected.endswith(words + "; from a state that was not corrected")


@pytest.mark.parametrize("constraints", ["none", "baumgarte"])
def test_an_open_tree_in_joint_coordinates_has_nothing_to_hold(constraints):
    m = lw.gallery.double_pendulum()
    run = m.simulate(1.0, constraints=constraints, coordinates="joint")
    assert "; no constraints to hold" in str(run).splitlines()[0]
    usual = m.simulate(1.0, coordinates="joint")
    name = f"{next(iter(m.bodies))}.angle"
    assert np.array_equal(run[name], usual[name])


@pytest.mark.parametrize("constraints", ["none", "baumgarte"])
def test_the_ledger_shows_what_constraints_do_that_are_not_held(constraints):
    """Work of the rows, lambda (J v - nu), is nobody's: the balance has it, and warns where it is much."""
    m = lw.gallery.four_bar()
    with pytest.warns(RunQualityWarning, match="energy balance is off"):
        run = m.simulate(
            5.0, start=violated(m, "body", 0.1), correct=False, constraints=constraints, coordinates="body", rtol=1e-9
        )
    power = []
    for k in range(len(run.t)):
        state = run.state(k)
        system = state.system()
        system.derivative(state.t, state.y)
        power.append(system.multipliers @ rates(state))
    if constraints == "none":
        work = np.concatenate([[0.0], np.cumsum(0.5 * (np.array(power[1:]) + power[:-1]) * np.diff(run.t))])
        assert run.energy.balance - run.energy.balance[0] == pytest.approx(work, abs=2e-2 * np.abs(work).max())
    exact = m.simulate(5.0, constraints="projection", coordinates="body")
    assert not exact.doubts and np.abs(exact.energy.balance).max() < 1e-4 * np.abs(run.energy.balance).max()


def test_orientations_keep_their_length():
    m = lw.gallery.spatial_chain()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunQualityWarning)
        run = m.simulate(5.0, constraints="none", coordinates="body", rtol=1e-4)
    e = run._bodies.all[:, : run.model.n_q].reshape(len(run.t), -1, 7)[:, :, 3:]
    assert np.abs(np.linalg.norm(e, axis=2) - 1.0).max() < 1e-14
    assert run.violation[-1] > 1e-5


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_a_jump_of_a_driver_does_not_correct_positions(coordinates):
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "1 + 0.5*max(t - 0.5, 0)"))
    state = violated(m, coordinates)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", KinkWarning)
        with pytest.raises(KinkWarning):
            m.simulate(0.6, coordinates=coordinates)
        warnings.simplefilter("ignore", KinkWarning)
        run = m.simulate(
            [0.0, 0.5 - 1e-9, 0.5 + 1e-9], start=state, correct=False, constraints="none", coordinates=coordinates
        )
    before, after = rows(run)[1:]
    assert np.abs(before).max() > 1e-4
    assert after == pytest.approx(before, abs=1e-8)
    off = rates(run.state(2))
    assert np.abs(off).max() < 1e-6  # velocities meet all rows behind the jump


def test_motions_that_are_read_again_go_as_they_went(tmp_path):
    m = lw.gallery.four_bar()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunQualityWarning)
        run = m.simulate(
            1.0, every=0.1, start=violated(m, "body"), correct=False, constraints="baumgarte", alpha=3.0,
            coordinates="body",
        )  # fmt: skip
    run.save(tmp_path / "run.json")
    again = lw.load(tmp_path / "run.json")
    assert str(again).splitlines()[0] == str(run).splitlines()[0]
    wanted = error(3.0, 3.0, rows(run)[0], rates(run.state(0)), np.array([0.35]))[0]
    for one in (run, again):
        system = one.at(0.35).system()
        system.locate(0.35, one.at(0.35).y)
        assert system.phi == pytest.approx(wanted, abs=1e-7)


def test_prepared_runs_hold_as_simulate_does():
    m = lw.gallery.four_bar()
    options = dict(every=0.1, constraints="baumgarte", alpha=5.0, rtol=1e-4)
    ready = m.prepare(2.0, coordinates="body", **options)
    with pytest.warns(RunQualityWarning, match="constraints are not kept"):
        wanted = m.simulate(2.0, coordinates="body", **options)["D.angle"]
        for _ in range(3):
            assert np.array_equal(ready()["D.angle"], wanted)
        assert not np.array_equal(m.simulate(2.0, coordinates="body", **{**options, "alpha": 1.0})["D.angle"], wanted)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"constraints": "baumgart"}, "are unknown.*'baumgart'.*'projection', 'baumgarte', 'none'"),
        ({"constraints": None}, "unknown"),
        ({"constraints": ["none"]}, "unknown"),
        ({"alpha": 5.0}, "alpha=, which constraints='projection' have no use for"),
        ({"beta": 5.0, "constraints": "none"}, "beta=, which constraints='none' have no use for"),
        ({"beta": 5.0, "constraints": "baumgarte"}, "beta= without alpha="),
        ({"alpha": -1.0, "constraints": "baumgarte"}, "alpha is too small"),
        ({"alpha": float("nan"), "constraints": "baumgarte"}, "alpha is not finite"),
        ({"alpha": "5 m", "constraints": "baumgarte"}, "alpha"),
        ({"alpha": "x", "constraints": "baumgarte"}, "alpha is not a number"),
        ({"correct": False}, "projection that would correct the first step.*constraints='baumgarte' or 'none' too"),
        ({"correct": False, "constraints": "none"}, "no state to start from"),
    ],
)
def test_wrong_use(options, words):
    with pytest.raises(DescriptionError, match=words):
        lw.gallery.four_bar().simulate(0.1, coordinates="body", **options)


# -- every step --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("method", ["dop853", "dopri5", "rkc", "rk4"])
def test_every_step_is_reported(method, coordinates):
    m = lw.gallery.four_bar()
    options = {"method": method, "rtol": 1e-6}
    if method == "rk4":
        options["step"] = 0.01
    run = m.simulate(3.0, every="step", coordinates=coordinates, **options)
    assert len(run.t) == run.statistics.steps + 1
    assert run.t[0] == 0.0 and run.t[-1] == 3.0 and (np.diff(run.t) > 0.0).all()
    given = m.simulate(run.t, coordinates=coordinates, **options)  # the same steps, with outputs at their ends
    assert given.statistics.steps == run.statistics.steps
    assert np.array_equal(given["D.angle"], run["D.angle"])
    if method == "rk4":
        assert np.diff(run.t) == pytest.approx(0.01)


def test_every_step_of_many_slices_and_pieces():
    """Kinks cut a run into pieces, slices into calls: each time is there once."""
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "1 + 2*t + 3*max(t - 0.50003, 0)"))
    with pytest.warns(KinkWarning):
        run = m.simulate(1.0, every="step", method="rk4", step=1e-4, coordinates="body")
    assert len(run.t) == run.statistics.steps + 1 == 10002 and (np.diff(run.t) > 0.0).all()
    assert np.abs(run.t - 0.50003).min() < 1e-14
    assert run["A.angle"] == pytest.approx(1 + 2 * run.t + 3 * np.maximum(run.t - 0.50003, 0), abs=1e-9)


def test_every_step_of_a_prepared_run_and_of_none():
    m = lw.gallery.four_bar()
    ready = m.prepare(1.0, every="step", coordinates="body", read="D.angle")
    first, again = ready(), ready()
    assert np.array_equal(first.t, again.t) and np.array_equal(first["D.angle"], again["D.angle"])
    assert "every step" in repr(ready)
    assert m.simulate(0.0, every="step", coordinates="body").t.tolist() == [0.0]
    later = m.simulate(1.0, every="step", start=first.final, coordinates="body")
    assert later.t[0] == 1.0 and later.t[-1] == 2.0
    joined = first + later
    assert (np.diff(joined.t) > 0.0).all()


def test_every_step_stops_where_memory_ends(monkeypatch):
    monkeypatch.setattr("linkwork.analysis.run.most_outputs", lambda numbers: 50)
    with pytest.raises(RunLimitError, match="50 outputs, all that memory holds of every='step'") as caught:
        lw.gallery.four_bar().simulate(1.0, every="step", method="rk4", step=1e-3, coordinates="body")
    assert len(caught.value.result.t) == 50


def test_wrong_use_of_every():
    m = lw.gallery.four_bar()
    with pytest.raises(DescriptionError, match="Give one of them"):
        m.simulate([0.0, 1.0], every="step", coordinates="body")
    with pytest.raises(DescriptionError, match="'steps'"):
        m.simulate(1.0, every="steps", coordinates="body")


# -- events ------------------------------------------------------------------------------------------------------------

LENGTHS, MASSES = (1.0, 0.7), (1.0, 0.8)


def chain():
    m = lw.Mechanism("chain")
    on = m.ground.at(0, 0)
    for k, (length, mass) in enumerate(zip(LENGTHS, MASSES)):
        bar = m.add(f"bar{k}", lw.bar(length=length, mass=mass))
        m.add("AB"[k], lw.Revolute(on, bar.a))
        on = bar.b
    return m


def dense(state, rows):
    """M and J of the chain, written down: pins A and B along x and y, and turns that are held against each other."""
    (a, b), (l, k) = (state[f"bar{i}.angle"] for i in (0, 1)), LENGTHS
    ca, sa, cb, sb = np.cos(a), np.sin(a), np.cos(b), np.sin(b)
    all_rows = {
        "A.x": [1, 0, 0.5 * l * sa, 0, 0, 0],
        "A.y": [0, 1, -0.5 * l * ca, 0, 0, 0],
        "B.x": [-1, 0, 0.5 * l * sa, 1, 0, 0.5 * k * sb],
        "B.y": [0, -1, -0.5 * l * ca, 0, 1, -0.5 * k * cb],
        "B.lock": [0, 0, -1, 0, 0, 1],
        "A.turn": [0, 0, 1, 0, 0, 0],
    }
    M = np.diag([one for m, size in zip(MASSES, LENGTHS) for one in (m, m, m * size**2 / 12)])
    return M, np.array([all_rows[row] for row in rows], dtype=float)


def speeds(state):
    return np.array([state[f"bar{i}.{one}.rate"] for i in (0, 1) for one in ("x", "y", "angle")])


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-9])
@pytest.mark.parametrize("constraints", ["projection", "baumgarte", "none"])
def test_events_strike_where_rows_are_off(constraints, rtol, coordinates):
    """M dv = J'L and J v+ = nu of all rows that are held, where the bodies are: positions are not touched."""
    m = chain()
    m.add("motor", lw.Driver("A.angle", "0.3 - 1.5*t", active=False))
    m.add("stick", lw.Event("t", 3.0, then=lw.Lock("B")))
    m.add("loose", lw.Event("t", 3.3, then=lw.Release("B")))
    m.add("drive", lw.Event("t", 3.6, then=lw.Drive("motor", "-1.5*t", anew=True)))
    m.add("hit", lw.Event("t", 3.9, then=lambda s: {"bar1.angle.rate": 2.5}))
    start = {"A.angle": 1.0, "B.angle": 0.5, "A.angle.rate": 3.0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunQualityWarning)
        run = m.simulate(4.2, every=0.1, start=start, coordinates=coordinates, rtol=rtol, constraints=constraints)
    pins = ["A.x", "A.y", "B.x", "B.y"]
    held = {"stick": [*pins, "B.lock"], "loose": pins, "drive": [*pins, "A.turn"], "hit": [*pins, "A.turn"]}
    wanted = {"stick": 0.0, "loose": 0.0, "drive": -1.5, "hit": -1.5}
    assert [one.name for one in run.events] == list(held)
    for one in run.events:
        M, J = dense(one.before, held[one.name])
        nu = np.append(np.zeros(4), wanted[one.name])[: len(J)]
        if one.name == "hit":
            J, nu = np.vstack([J, [0, 0, 0, 0, 0, 1]]), np.append(nu, 2.5)
        v = speeds(one.before)
        if one.name == "loose":  # nothing strikes: what is off stays off
            dv = np.zeros(6)
        else:
            W = np.linalg.solve(M, J.T)
            dv = W @ np.linalg.solve(J @ W, nu - J @ v)
        # lengths between points that are off make a turn of a body that is not quite one
        off = 1e-8 if constraints == "projection" or coordinates != "point" else max(1e-8, rtol)
        assert speeds(one.after) == pytest.approx(v + dv, abs=off * np.abs(v).max()), one.name
        n = run.model.n_q
        moved = np.abs(one.after.y[:n] - one.before.y[:n]).max()
        assert moved < (1e-9 if constraints == "projection" or coordinates != "point" else 1e-3), one.name
    if constraints == "none" and coordinates == "body" and rtol == 1e-4:
        assert run.violation[run.t >= 3.0].max() > 1e-5  # they were off
