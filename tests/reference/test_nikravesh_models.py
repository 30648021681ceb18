"""Models of the book in every set: accelerations, force arrays, multipliers, energy, motion, rest.

Nikravesh, Planar Multibody Dynamics, 2nd ed.; each case file names its section. A state that the book lists
but that violates the joints is evaluated here only where the rows have the book's form at any state (pins,
sliders with equal angles); the other values at such states belong to the textbook formulations. Histories
start from the state corrected in the book's way.
"""

from functools import cache, cached_property

import numpy as np
import pytest

from linkwork import textbook
from linkwork.coordinates import SETS
from reference.book import COORDINATES, agrees, expected_state, label, listed_state, load, mechanism_from_case

SINGLE_STATES = [
    "nik_ex_4_2_body_force_array",
    "nik_ex_4_3_body_accel",
    "nik_ex_4_4_ptp_sda",
    "nik_pr_4_7_body",
    "nik_pr_4_8_body",
    "nik_pr_4_10_body",
    "nik_pr_4_11_body",
    "nik_ex_6_1_two_bodies_fbd",
    "nik_ex_6_2_massless_link",
    "nik_ex_7_2_massless_rod",
    "nik_pr_7_19_spring",
    "nik_pr_7_20_spring_damper",
    "nik_pr_7_23_pendulum",
]
HISTORIES = [
    "nik_ch1_double_pendulum",
    "nik_ex_7_1_two_free_bodies",
    "nik_ex_7_3_variable_length_pendulum",
    "nik_dapbc_SP_sliding_pendulum",
    "nik_dapbc_Cart_A",
    "nik_dapbc_MP_A_macpherson",
    "nik_dapbc_MP_B_macpherson",
    "nik_dapbc_AA_double_a_arm",
]
KINDS = ("q", "v", "a", "h", "lam", "Phi", "Phid", "gamma", "D", "E")


def book_model(case):
    """The case as a model of the textbook formulations, without its forces."""
    lists = ("bodies", "points", "unit_vectors", "joints", "functions")
    return textbook.BookModel.from_case({key: case["model"].get(key) for key in lists})


class Model:
    """A case with its evaluations and its run, each computed once."""

    def __init__(self, name, coordinates="body"):
        self.case, self.coordinates = load(name), coordinates
        self.evaluations = {}

    @cached_property
    def times(self):
        return sorted({e["at"]["t"] for e in self.case["expected"] if isinstance(e["at"], dict)})

    def state(self, at):
        """The state at a place that the case names, by our names; None for the listed state as it is."""
        if at == "initial":
            return None
        if at == "exercise_8_2":
            given = self.case["model"]["exercise_8_2_initial"]
            return {f"b{k[1:]}.{c}": v for k, values in given.items() for c, v in zip(("x", "y", "angle"), values)}
        return expected_state(self.case, at)

    def evaluation(self, at):
        if at not in self.evaluations:
            mechanism, info = mechanism_from_case(self.case)
            self.evaluations[at] = mechanism.evaluate(self.state(at), t=0.0, coordinates=self.coordinates), info
        return self.evaluations[at]

    @cached_property
    def start(self):
        """The state that the histories start from: the one corrected in the book's way."""
        corrected = expected_state(self.case, "corrected")
        if corrected is not None:
            return corrected
        model = book_model(self.case)
        c = textbook.planar.correct_positions(model, 0.0, model.c)
        cd = textbook.planar.correct_velocities(model, 0.0, c, model.cd)
        names = [name.removesuffix(".rate") for name in listed_state(self.case) if name.endswith(".rate")]
        return {**dict(zip(names, c)), **{f"{name}.rate": v for name, v in zip(names, cd)}}

    @cached_property
    def run(self):
        mechanism, info = mechanism_from_case(self.case, self.start)
        times = np.array(sorted({0.0, *self.times}))
        return mechanism.simulate(times, coordinates=self.coordinates, rtol=1e-10), info

    def value(self, quantity, at):
        """The quantity in the words of the cases: q.b.c, v.b.c, a.b.c, h.b.c, lam.k, Phi.k, D.row.column,
        E.tot."""
        kind, *rest = quantity.split(".")
        if isinstance(at, dict):
            run, info = self.run
            k = int(np.argmin(np.abs(run.t - at["t"])))
            if kind == "lam":
                ev, _ = self.evaluation("initial")
                return info.by_row(ev, run.multipliers[k])[int(rest[0]) - 1]
            return run[_name(kind, *rest)][k]
        ev, info = self.evaluation(at)
        if kind in ("q", "v", "a"):
            return ev[_name(kind, *rest)]
        if kind == "h":
            return ev.applied_force(f"b{rest[0]}")["xyn".index(rest[1])]
        if kind == "E":
            return ev.energy.total
        if kind == "D":
            return info.jacobian(ev)[int(rest[0]) - 1, int(rest[1]) - 1]
        by_row = {
            "lam": ev.multipliers,
            "Phi": ev.constraint_error,
            "Phid": ev.velocity_error,
            "gamma": ev.acceleration_rhs,
        }
        return info.by_row(ev, by_row[kind])[int(rest[0]) - 1]


model = cache(Model)


def _name(kind, body, coordinate):
    return f"b{body}.{COORDINATES[coordinate]}" + {"q": "", "v": ".rate", "a": ".acceleration"}[kind]


def _left_out(name, entry):
    """Entries that no evaluation at a state answers (see the tests below), or that are not for this
    product."""
    kind, at = str(entry["quantity"]).split(".")[0], entry["at"]
    if kind not in KINDS:
        return True
    if isinstance(at, dict):
        return False
    if at in ("corrected", "equilibrium", "exercise_8_2_corrected"):
        return kind in ("q", "v")  # they are the state itself
    if at == "initial" and name == "nik_ex_7_2_massless_rod":
        return True  # the listed state violates the rod, whose row has another form off the constraint
    return at not in ("initial", "exercise_8_2")


def _entries(names):
    return [
        pytest.param(name, entry, id=f"{name.removeprefix('nik_')}: {label(entry)}")
        for name in names
        for entry in load(name)["expected"]
        if not _left_out(name, entry)
    ]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("name", "entry"), _entries(SINGLE_STATES))
def test_at_a_state(name, entry, coordinates):
    agrees(model(name, coordinates).value(entry["quantity"], entry["at"]), entry)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("name", "entry"), _entries(HISTORIES))
def test_at_states_and_times(name, entry, coordinates):
    agrees(model(name, coordinates).value(entry["quantity"], entry["at"]), entry)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("name", HISTORIES)
def test_the_run_stays_on_the_constraints(name, coordinates):
    run, info = model(name, coordinates).run
    assert np.max(np.abs(run.violation), initial=0.0) < 1e-9


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(
    "name", [name for name in HISTORIES if any(e["at"] == "equilibrium" for e in load(name)["expected"])]
)
def test_nothing_moves_from_the_state_of_rest(name, coordinates):
    """The expected state of rest has 15 digits; a stiff tyre turns their rounding into some 1e-9 m/s^2."""
    ev, info = model(name, coordinates).evaluation("equilibrium")
    for column in info.columns:
        assert ev[f"{column}.acceleration"] == pytest.approx(0.0, abs=1e-7)
    assert np.max(np.abs(ev.constraint_error)) < 1e-12


@pytest.mark.parametrize("name", ["nik_dapbc_MP_A_macpherson", "nik_dapbc_MP_B_macpherson"])
def test_counts_of_coordinates_and_constraints(name):
    ev, _ = model(name).evaluation("initial")
    counts = {e["quantity"]: e["value"] for e in model(name).case["expected"]}
    assert len(ev.columns) == counts["number of coordinates"]
    assert len(ev.rows) == counts["number of constraints"]


ASSEMBLED = ["nik_ex_7_2_massless_rod"] + [
    name for name in HISTORIES if any(e["at"] == "corrected" for e in load(name)["expected"])
]


def corrected_in_metric(model, length):
    """The book's correction (Newton steps of minimum norm), with an angle counted as the angle times a
    length."""
    scale = np.tile([1.0, 1.0, 1.0 / length], len(model.bodies))
    c = model.c
    for _ in range(20):
        D, Phi = textbook.planar.jacobian(model, 0.0, c), textbook.planar.constraints(model, 0.0, c)
        c = c + scale * np.linalg.lstsq(D * scale, -Phi, rcond=None)[0]
    return c


@pytest.mark.parametrize("name", ASSEMBLED)
def test_assembly_is_the_correction_of_the_book_in_its_own_metric(name):
    """Both move the listed state onto the constraints by the smallest step; they differ in what an angle
    counts.

    The book counts a radian as a metre, ours as a length of the mechanism. With that length in the book's
    correction both agree to a small part of the violation; with a metre they differ by as much as the
    violation itself.
    """
    case = model(name).case
    mechanism, info = mechanism_from_case(case)
    book = book_model(case)
    violation = np.max(np.abs(textbook.planar.constraints(book, 0.0, book.c)))
    assembled = mechanism.assemble(coordinates="body")
    got = np.array([assembled[column] for column in info.columns])
    wanted = corrected_in_metric(book, mechanism.compile().length)
    assert np.max(np.abs(got - wanted)) <= 1e-2 * violation + 1e-12
    in_metres = np.array([expected_state(case, "corrected")[column] for column in info.columns])
    np.testing.assert_allclose(corrected_in_metric(book, 1.0), in_metres, rtol=0, atol=1e-9)


def test_assembly_from_far_away():
    """Exercise 8.2: the double A-arm from rough estimates, with pins open by up to 0.1 m."""
    arms = model("nik_dapbc_AA_double_a_arm")
    estimate = arms.state("exercise_8_2")
    mechanism, info = mechanism_from_case(arms.case, estimate)
    book = book_model(arms.case).started([estimate[column] for column in info.columns])
    assembled = mechanism.assemble(coordinates="body")
    got = np.array([assembled[column] for column in info.columns])
    np.testing.assert_allclose(got, corrected_in_metric(book, mechanism.compile().length), rtol=0, atol=1e-9)
    in_metres = expected_state(arms.case, "exercise_8_2_corrected")
    np.testing.assert_allclose(
        corrected_in_metric(book, 1.0), [in_metres[column] for column in info.columns], rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("coordinates", SETS)
def test_reactions_of_the_double_pendulum(coordinates):
    """Pin forces on the `to` body are the multipliers; both stated to two digits in section 1.3."""
    ev, _ = model("nik_ch1_double_pendulum", coordinates).evaluation("initial")
    for joint, wanted in (("j1", (-15.6819112833383, 37.1717516382574)), ("j2", (-9.19478700364021, 10.6210691836232))):
        reaction = ev.reaction(joint)
        np.testing.assert_allclose(reaction.force, wanted, rtol=0, atol=1e-10)
        assert reaction.moment == pytest.approx(0.0, abs=1e-12)
        assert np.all(reaction.unique)


@pytest.mark.parametrize("coordinates", SETS)
def test_reactions_of_the_sliding_pendulum(coordinates):
    """Guide force and torque, and the pin force on the slider (appendix B, model SP)."""
    ev, _ = model("nik_dapbc_SP_sliding_pendulum", coordinates).evaluation("corrected")
    guide, pin = ev.reaction("j1"), ev.reaction("j2")
    np.testing.assert_allclose(guide.force, (0.0, 65.3679402358711), rtol=0, atol=1e-7)
    assert guide.moment == pytest.approx(0.0, abs=1e-7)
    np.testing.assert_allclose(pin.force, (6.37092446424165, -16.3179402358711), rtol=0, atol=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_energy_of_the_double_pendulum_is_kept(coordinates):
    run, _ = model("nik_ch1_double_pendulum", coordinates).run
    np.testing.assert_allclose(run.energy.total, -60.0651025337239, rtol=0, atol=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_energy_of_the_sliding_pendulum_is_kept(coordinates):
    run, _ = model("nik_dapbc_SP_sliding_pendulum", coordinates).run
    np.testing.assert_allclose(run.energy.total, 6.83829950295856, rtol=0, atol=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_reactions_of_the_rolling_cart(coordinates):
    """Half the frame's weight on each pin, all weight on the ground, nothing from the motor at constant
    speed."""
    run, _ = model("nik_dapbc_Cart_A", coordinates).run
    entries = {e["quantity"]: e["value"] for e in model("nik_dapbc_Cart_A").case["expected"] if e["at"] == {"t": 1.0}}
    k = int(np.argmin(np.abs(run.t - 1.0)))
    np.testing.assert_allclose(run.reaction("j1").force[k], (entries["lam.1"], entries["lam.2"]), rtol=0, atol=1e-5)
    np.testing.assert_allclose(run.reaction("j2").force[k], (entries["lam.3"], entries["lam.4"]), rtol=0, atol=1e-5)
    np.testing.assert_allclose(run.reaction("j3").force[k], (entries["lam.6"], entries["lam.5"]), rtol=0, atol=1e-5)
    assert run["j4.reaction.y"][k] == pytest.approx(entries["lam.7"], abs=1e-5)
    assert run["j5.effort"][k] == pytest.approx(entries["lam.9"], abs=1e-5)
