"""The parts of the time loop one by one, as plain Python: the file runs again in a process without compiled code."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.integrators import METHODS
from linkwork.analysis.integrators.method import Method
from linkwork.compiled.numbering import model_of
from linkwork.coordinates import system_of
from linkwork.kernels import layout as at
from linkwork.kernels import plain
from linkwork.kernels.time import acceptance, control, dense, explicit, holding, near
from linkwork.kernels.time import places as at_run

ROOT = Path(__file__).parents[4]
plainly = pytest.mark.skipif(not plain.PLAIN, reason="in a process without compiled code")


@pytest.mark.slow
@pytest.mark.skipif(plain.PLAIN, reason="this is that process")
def test_the_parts_in_a_process_without_compiled_code():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", __file__],
        cwd=ROOT, env=environment, text=True, capture_output=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "passed" in done.stdout and "failed" not in done.stdout


def made(method="dop853", build=lw.gallery.double_pendulum):
    """A run of a small mechanism just before its first step, as pointers."""
    m = build()
    state = m.assemble(coordinates="body").state
    system = system_of(model_of(m), "body", state.values, state.held, state.memory)
    drive = system.door.drive(METHODS[method])
    run, count = plain.pointer(drive._run), plain.pointer(drive._count)
    one = SimpleNamespace(
        system=system, drive=drive, run=run, count=count, y=plain.pointer(state.y.copy()), n=state.y.size,
        p=plain.pointer(system.door._p), tab=plain.pointer(system.tab), w=plain.pointer(system.door._w),
    )  # fmt: skip
    for place, value in ((at_run.END, 1.0), (at_run.TOLERANCE, 1e-6), (at_run.LENGTH, 1.0), (at_run.FIRST_PIVOT, 1.0),
                         (at_run.ZONE, 1e-2), (at_run.ENERGY, 1.0), (at_run.SMALLEST_PIVOT, 1.0)):  # fmt: skip
        run[place] = value
    count[at_run.ORDER], count[at_run.PROJECT] = METHODS[method].order, 1
    plain.at_address(count[at_run.A_RHS])(0.0, one.y, one.p, one.tab, one.w, plain.beyond(run, count[at_run.R_SLOPE]))
    control.begin(0.0, one.y, one.tab, run, count)
    return one


# -- control -----------------------------------------------------------------------------------------------------------
@plainly
def test_the_first_step_fits_the_motion_and_the_end():
    one = made()
    assert 0.0 < one.run[at_run.STEP] < 1.0
    one.run[at_run.STEP] = 5.0  # given: at most to the end
    control.begin(0.0, one.y, one.tab, one.run, one.count)
    assert one.run[at_run.STEP] == 1.0
    control.begin(1e3, one.y, one.tab, one.run, one.count)  # an angle that spins
    assert one.run[at_run.STEP] == control.MOST_TURN / 1e3


@plainly
def test_the_last_step_goes_to_the_end():
    one = made()
    for time, step, wanted, last in ((0.0, 0.3, 0.3, 0), (0.8, 0.3, 0.2, 1), (0.7, 0.3, 0.3, 1)):
        one.run[at_run.TIME], one.run[at_run.STEP] = time, step
        control.choose_length(one.run, one.count)
        assert one.run[at_run.TRIED] == pytest.approx(wanted) and one.count[at_run.FINAL] == last
    one.count[at_run.FIXED], one.count[at_run.STEP_TOTAL] = 1, 3
    for index, last in ((0, 0), (1, 0), (2, 1)):
        one.count[at_run.STEP_INDEX] = index
        control.choose_length(one.run, one.count)
        assert one.count[at_run.FINAL] == last


@plainly
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_an_error_that_is_no_number_is_never_accepted(bad, monkeypatch):
    one = made()
    one.run[at_run.TRIED] = 0.1

    def spoilt(*given):
        for i in range(one.n):
            one.run[one.count[at_run.R_ERROR] + i] = 0.0
        one.run[one.count[at_run.R_ERROR] + 2] = bad

    one.count[at_run.A_ESTIMATE] = plain.address_of(spoilt)
    one.w[at.STATUS] = at.OK
    assert not control.measure(one.y, one.p, one.tab, one.w, one.run, one.count)
    assert one.w[at.STATUS] == at.NOT_FINITE
    assert control.broken(one.w, one.run, one.count) == control.AGAIN
    assert one.run[at_run.STEP] == pytest.approx(0.025) and one.count[at_run.RETRY] == 0
    one.count[at_run.FIXED] = 1
    assert control.broken(one.w, one.run, one.count) == control.GIVE_UP


@plainly
def test_errors_choose_lengths():
    one = made()
    one.run[at_run.TRIED], one.run[at_run.TURNING] = 0.1, 0.0
    one.run[at_run.ERROR] = 2.0**8
    assert control.judge(one.w, one.run, one.count) == control.AGAIN
    assert one.run[at_run.STEP] == pytest.approx(0.1 * 0.9 / 2.0) and one.count[at_run.WAS_REJECTED] == 1
    one.run[at_run.ERROR] = 1.0
    assert control.judge(one.w, one.run, one.count) == control.TAKE
    one.run[at_run.ERROR], one.run[at_run.ERROR_BEFORE] = 0.0, 1.0
    control.next_length(one.run, one.count)
    assert one.run[at_run.STEP] == pytest.approx(0.1)  # not longer, after a rejection
    control.next_length(one.run, one.count)
    assert one.run[at_run.STEP] == pytest.approx(0.6)
    one.run[at_run.TRIED] = 1e-16
    one.run[at_run.ERROR] = 2.0
    assert control.judge(one.w, one.run, one.count) == control.GIVE_UP
    assert one.w[at.STATUS] == at.STEP_TOO_SMALL


@plainly
def test_half_a_turn_is_too_much():
    one = made()
    one.run[at_run.TRIED], one.run[at_run.TURNING] = 0.1, 29.0
    assert control.turns_lost(one.w, one.run, one.count) == control.TAKE
    one.run[at_run.TURNING] = 31.0
    assert control.turns_lost(one.w, one.run, one.count) == control.AGAIN
    assert one.run[at_run.STEP] == control.MOST_TURN / 31.0
    one.count[at_run.FIXED] = 1
    assert control.turns_lost(one.w, one.run, one.count) == control.GIVE_UP
    assert one.w[at.STATUS] == at.TURNS_LOST


# -- near --------------------------------------------------------------------------------------------------------------
@plainly
def test_near_is_found_on_the_way_once():
    one = made()
    near.look(one.run, one.count)
    assert one.count[at_run.NEAR] == 0
    one.run[at_run.LOWEST] = 5e-3
    assert near.found(one.run, one.count) and one.count[at_run.NEAR] == 1
    assert not near.found(one.run, one.count)
    near.prepare(one.w, one.run, one.count)
    assert one.w[at.PROJECT_TOLERANCE] == near.FINE
    one.count[at_run.NEAR], one.count[at_run.PROJECT] = 0, 0
    assert not near.found(one.run, one.count)


@plainly
def test_the_spot_is_stepped_over_with_other_lengths():
    one = made()
    one.count[at_run.NEAR] = 1
    one.run[at_run.END_PIVOT], one.run[at_run.LOWEST] = 1e-6, 1e-3
    lengths, first = [], 0.1
    one.run[at_run.TRIED] = first
    while near.refuses(one.run, one.count):
        lengths.append(one.run[at_run.STEP] / first)
        one.run[at_run.TRIED] = one.run[at_run.STEP]
    assert lengths == pytest.approx(near.RETRIES)
    one.count[at_run.RETRY] = 0
    one.run[at_run.SMALLEST_PIVOT] = 1e-6  # it began on the spot
    assert not near.refuses(one.run, one.count)


@plainly
def test_noise_grows_with_stalls_and_crawling_but_not_for_ever():
    one = made()
    one.run[at_run.LOWEST] = 1.0
    assert near.noise(one.w, one.run, one.count) == near.ROUNDING
    one.run[at_run.LOWEST] = 1e-4
    assert near.noise(one.w, one.run, one.count) == pytest.approx(100.0 * near.ROUNDING)
    one.count[at_run.STALLS] = 4
    assert near.noise(one.w, one.run, one.count) == pytest.approx(1600.0 * near.ROUNDING)
    one.count[at_run.STALLS], one.count[at_run.CRAWL] = 0, 60
    assert near.noise(one.w, one.run, one.count) == near.MOST_NOISE


# -- holding -----------------------------------------------------------------------------------------------------------
@plainly
def test_constants_follow_the_longest_step():
    """alpha = beta = 0.1 / H: what multiplies phi' is 2 alpha, what multiplies phi is beta^2."""
    one = made()
    one.run[at_run.TRIED] = 0.1
    one.y[0] += 1e-3
    slope = plain.beyond(one.run, one.count[at_run.R_SLOPE])
    n_q, first = one.tab[at.N_Q], slope[one.tab[at.N_Q]]

    def follow(tried):
        one.run[at_run.TRIED] = tried
        holding.follow(one.y, one.p, one.tab, one.w, one.run, one.count)

    follow(0.1)
    assert one.w[at.STABILISE_RATE] == one.w[at.STABILISE_PLACE] == 0.0  # not asked for
    assert slope[n_q] == first
    one.count[at_run.FOLLOW] = 1
    follow(0.1)
    assert one.w[at.STABILISE_RATE] == 0.0  # steps begin short
    one.count[at_run.STEPS] = holding.SETTLED
    for tried, used in ((0.1, 0.1), (0.15, 0.1), (0.4, 0.4), (0.05, 0.4), (0.79, 0.4), (0.8, 0.8), (0.1, 0.8)):
        follow(tried)
        assert one.w[at.STABILISE_RATE] == pytest.approx(0.2 / used)
        assert one.w[at.STABILISE_PLACE] == pytest.approx(0.01 / used**2)
    assert slope[n_q] != first  # the next step begins with what acts now


@plainly
def test_what_is_put_back():
    """Everything, only what has length one, or nothing."""
    one = made(build=lambda: lw.gallery.double_pendulum().in_space())
    n_q, start = one.tab[at.N_Q], [one.y[i] for i in range(one.n)]
    found = {}
    for what in (at_run.NOTHING, at_run.ROWS, at_run.TURNS):
        one.count[at_run.PROJECT] = what
        for i in range(one.n):
            one.y[i] = start[i]
        one.y[0] += 1e-3
        one.y[3] *= 1.01
        off = [one.y[i] for i in range(one.n)]
        holding.put_back(0.0, one.y, one.p, one.tab, one.w, plain.beyond(one.run, one.count[at_run.R_SCALE]), one.count)
        found[what] = np.array([one.y[i] for i in range(n_q)])
        one.system.locate(0.0, np.array([one.y[i] for i in range(one.n)]))
        met = np.abs(one.system.phi).max() < 1e-12
        length = np.linalg.norm(found[what][3:7])
        assert met == (what == at_run.ROWS)
        assert (abs(length - 1.0) < 1e-15) == (what != at_run.NOTHING)
        if what == at_run.NOTHING:
            assert [one.y[i] for i in range(one.n)] == off
    assert found[at_run.TURNS][0] == off[0]


# -- explicit and dense ------------------------------------------------------------------------------------------------
@plainly
@pytest.mark.parametrize("method", sorted(name for name, one in METHODS.items() if isinstance(one, Method)))
def test_the_polynomial_meets_both_ends_and_slopes(method):
    """y(0), y(1), and where the method says so the slopes there; and the weights that the table asks for."""
    one = made(method)
    run, count, n = one.run, one.count, one.n
    run[at_run.TRIED] = step = 1e-3
    explicit.attempt(0.0, step, one.y, one.p, one.tab, one.w, run, count)
    assert one.w[at.STATUS] == at.OK
    new = np.array([run[count[at_run.R_NEW] + i] for i in range(n)])
    slope = plain.beyond(run, count[at_run.R_SLOPE_NEW])
    plain.at_address(count[at_run.A_RHS])(step, plain.beyond(run, count[at_run.R_NEW]), one.p, one.tab, one.w, slope)
    dense.ready(one.y, one.p, one.tab, one.w, run, count)
    assert count[at_run.DENSE_READY] == 1

    def between(theta):
        dense.between(theta, one.y, run, count)
        return np.array([run[count[at_run.R_BETWEEN] + i] for i in range(n)])

    y = np.array([one.y[i] for i in range(n)])
    assert np.array_equal(between(0.0), y)
    assert between(1.0) == pytest.approx(new, abs=1e-13)
    k = np.array([[run[count[explicit.R_K] + j * n + i] for i in range(n)] for j in range(count[explicit.TOTAL])])
    d = METHODS[method].dense
    for theta in (0.3, 0.77):
        weights = d @ theta ** np.arange(1, d.shape[1] + 1)
        assert between(theta) == pytest.approx(y + step * weights @ k, abs=1e-13)
    assert (between(1e-4) - y) / (1e-4 * step) == pytest.approx(k[0], abs=2e-2)


@plainly
def test_a_stage_that_fails_is_told():
    one = made()
    one.y[one.n - 1] = np.nan
    one.y[0] = np.nan
    explicit.attempt(0.0, 1e-3, one.y, one.p, one.tab, one.w, one.run, one.count)
    new = [one.run[one.count[at_run.R_NEW] + i] for i in range(one.n)]
    assert one.w[at.STATUS] != at.OK or not control.finite(one.n, plain.pointer(np.array(new)))


# -- acceptance --------------------------------------------------------------------------------------------------------
def remembers(values, rates, t, numbers, memory, out):
    memory[0] = 7.0
    out[0] = 0.0


def counts(values, rates, t, numbers, memory):
    memory[0] += 1.0


def with_laws():
    m = lw.gallery.double_pendulum()
    x = lw.WorldOffset(m.ground, m[next(iter(m.bodies))], "x")
    m.add("one", lw.UserForce(reads=[x], along=[x], law=remembers, memory=1))
    m.add("two", lw.UserForce(reads=[x], along=[x], law=remembers, memory=1, accept=counts))
    return m


@plainly
def test_memory_changes_where_a_step_is_accepted():
    one = made(build=with_laws)
    run, count = one.run, one.count
    memory = plain.beyond(one.w, one.tab[at.W_MEMORY] + one.tab[at.N_MEMORY] - 2)
    assert (memory[0], memory[1]) == (0.0, 0.0)
    for i in range(one.n):
        run[count[at_run.R_NEW] + i] = one.y[i]
    for steps in (1, 2):
        assert acceptance.settle(0.1, one.p, one.tab, one.w, run, count)
        acceptance.take(0.1 * steps, one.y, one.p, one.tab, one.w, run, count)
        assert (memory[0], memory[1]) == (7.0, float(steps))
    assert count[at_run.STEPS] == 2 and run[at_run.TIME] == 0.2


@plainly
def test_rows_that_contradict_each_other_are_found():
    one = made()
    one.run[at_run.END_PIVOT] = 1.0
    one.w[at.ERROR_DROPPED] = 1e-3
    assert not acceptance.settle(0.1, one.p, one.tab, one.w, one.run, one.count)
    assert one.w[at.STATUS] == at.CONFLICT
