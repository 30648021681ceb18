"""Chapter 9 and the program DAP_JC: what belongs to the joint coordinates themselves, by name.

Nikravesh, Planar Multibody Dynamics, 2nd ed.; each case file names its section. B, M, h, C, their rates and the
generalized forces of reactions are asked of an evaluation seen in joint coordinates. The coordinates of a case stand in
the order of the book; rows of a cut joint have the book's sign on these cases, because each cut joint is a pin.
"""

import numpy as np
import pytest

from reference.book import COORDINATES, agrees, label, load
from reference.test_joint_coordinates import CASES, OF_THE_SET, scene


class Seen:
    """A case at its start, in joint coordinates, with columns and rows in the order of the book."""

    def __init__(self, name, which="initial"):
        self.scene = scene(name, "joint")
        self.evaluation = self.scene.evaluation(which)
        self.view = self.evaluation.joint
        self.order = [self.view.columns.index(name) for name in self.scene.angles]
        columns = [f"{body}.{key}" for body in self.scene.bodies for key in COORDINATES.values()]
        self.bodies = [self.evaluation.columns.index(name) for name in columns]
        self.cut = [r for r, row in enumerate(self.view.loop_rows) if row.split(".")[0] in self.scene.cut]

    def value(self, quantity):
        view, order, bodies = self.view, self.order, self.bodies
        if quantity in ("M", "M diagonal"):
            matrix = view.mass_matrix[np.ix_(order, order)]
            return matrix if quantity == "M" else np.diag(matrix)
        if quantity == "D cut":
            rows = [self.evaluation.rows.index(view.loop_rows[r]) for r in self.cut]
            return self.evaluation.jacobian[np.ix_(rows, bodies)]
        if quantity == "C' lambda":
            return sum(view.reaction(joint) for joint in self.scene.cut)[order]
        return {
            "B": lambda: view.transformation[np.ix_(bodies, order)],
            "Bdot thetad": lambda: view.bias[bodies],
            "h_j": lambda: view.force[order],
            "C": lambda: view.loop_jacobian[np.ix_(self.cut, order)],
            "Cdot thetad": lambda: -view.loop_rhs[self.cut],
        }[quantity]()


def entries():
    return [
        pytest.param(name, e, id=f"{name.removeprefix('nik_')}: {label(e)} {e['kind']} {e.get('start', '')}")
        for name in CASES
        for e in load(name)["expected"]
        if e["quantity"] in OF_THE_SET and e["quantity"] != "driver"
    ]


@pytest.mark.parametrize(("name", "entry"), entries())
def test_matrices(name, entry):
    which = "rounded" if entry["at"] == "rounded" else entry.get("start", "initial")
    agrees(Seen(name, which).value(entry["quantity"]), entry)


def test_every_matrix_of_example_9_5_is_asked():
    asked = {e["quantity"] for e in load("nik_9_5_inverted_slider_crank_cut_joint")["expected"]}
    assert {"B", "Bdot thetad", "C", "D cut"} <= asked & set(OF_THE_SET)


def test_rows_of_the_driver():
    """Example C.3: a row with a one, and the acceleration of the driver on the right."""
    seen = Seen("nik_C3_slider_crank_driver_SCd")
    (entry,) = [e for e in seen.scene.case["expected"] if e["quantity"] == "driver"]
    row, rate, acceleration = entry["value"]
    motor = seen.view.loop_rows.index("motor")
    assert seen.view.loop_jacobian[motor, seen.order] == pytest.approx(row, abs=1e-14)
    rates = seen.view.loop_jacobian @ seen.view.rates
    assert rates[motor] == pytest.approx(np.ravel(rate)[0], abs=entry["tolerance"])
    assert seen.view.loop_rhs[motor] == pytest.approx(np.ravel(acceleration)[0], abs=entry["tolerance"])
    # its torque is along the one coordinate that it drives
    torque = seen.view.reaction("motor")[seen.order]
    assert torque == pytest.approx(np.array(row, dtype=float).ravel() * seen.evaluation["motor.effort"], abs=1e-12)


def test_tree_and_cut_joints_of_the_cases():
    for name in CASES:
        seen = Seen(name)
        assert seen.view.cut_joints == seen.scene.cut
        assert sorted(seen.view.columns) == sorted(seen.scene.angles)
        for joint in seen.view.tree_joints:
            assert np.array_equal(seen.view.reaction(joint), np.zeros(len(seen.order)))


def test_slider_crank_with_absolute_angles():
    """Example 9.4: C = [L1 rot(u1), L2 rot(u2), -u_x] with the angles of the rods themselves as coordinates."""
    seen = Seen("nik_C2_slider_crank_SC")
    view, state = seen.view, seen.evaluation
    bodies = [name.split(".")[0] for name in seen.view.columns]
    turning = [k for k, name in enumerate(view.columns) if name.endswith(".angle")]
    absolute = view.loop_jacobian @ np.linalg.inv(view.to_absolute)
    rates = view.to_absolute @ view.rates
    links = {state.state.model.mechanism.joints[bodies[k]].to.body: k for k in turning}
    for body, k in links.items():
        assert rates[k] == pytest.approx(state[f"{body}.angle.rate"], abs=1e-12)
    # every column of an angle is as long as its rod, across it
    lengths = sorted(np.linalg.norm(absolute[seen.cut][:, k]) for k in turning)
    assert lengths == pytest.approx([0.12, 0.26], abs=1e-9)


def steps_of(name):
    return [e for e in load(name)["expected"] if "method" in e]


@pytest.mark.parametrize("entry", steps_of("nik_ex13_03_vlp_joint_rk4"), ids=label)
def test_fixed_steps(entry):
    """Example 13.3: the classical Runge-Kutta method with the step of the book, in joint coordinates."""
    pendulum = scene("nik_ex13_03_vlp_joint_rk4", "joint")
    run = pendulum.mechanism().simulate(
        [0.0, entry["at"]["t"]], coordinates="joint", method="rk4", step=entry["step"]
    )  # fmt: skip
    names = [*pendulum.angles, *(f"{name}.rate" for name in pendulum.angles)]
    found = [run[name][-1] for name in names]
    if entry["quantity"] == "state":
        agrees(found, entry)
    else:
        of = {"q": "", "v": ".rate"}
        parts = [part.split(".") for part in entry["quantity"].split()]
        values = [run[f"b{body}.{COORDINATES[key]}{of[kind]}"][-1] for kind, body, key in parts]
        agrees(values if len(values) > 1 else values[0], entry)
