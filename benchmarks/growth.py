"""How the cost of an evaluation grows with the number of bodies: chains, in body and in joint coordinates.

In joint coordinates the planar chain stands beside equations derived by hand for it alone, both timed in turns.
"""

from __future__ import annotations

import math

import numpy as np

from benchmarks import problems
from benchmarks.hand_chain import HandChain
from benchmarks.timing import Row, best_times
from linkwork.analysis.entering import enter
from linkwork.kernels import layout as at
from linkwork.kernels.calls import sweep
from linkwork.kernels.jit import called, place_of

SIZES = (10, 20, 50, 100, 200)
JOINT_SIZES = (10, 50, 200)
LINKS_A_TIMING = {"body": 20_000, "joint": 100_000}  # evaluations in one timing times links: all sizes take as long
OUTSIDE = "describing, compiling, assembling; the kernel is called once for all evaluations"


def motion(problem, coordinates: str):
    """A system ready to be evaluated, and states along the first second of the motion, memory behind each."""
    run = problem.mechanism.simulate(np.linspace(0.0, 1.0, 21), coordinates=coordinates, rtol=1e-6)
    states = [run.state(k) for k in range(len(run.t))]
    system = enter(run.model, coordinates, states[0])[0]
    system.note(at.DETAIL, 0.0)  # as in a run: nothing is left for those who read results
    own = [enter(run.model, coordinates, state)[1] for state in states]
    return system, np.array([np.concatenate([y, state.memory]) for y, state in zip(own, states)])


def loop(pointer, states, count: int, system):
    """A function that evaluates `count` states in one kernel call, going round through `states`; no Python between."""
    rows = np.ascontiguousarray(np.resize(states, (count, states.shape[1])))
    width = int(states.shape[1] - system.tab[at.N_MEMORY])
    times, out, f, none = np.zeros(count), np.empty((count, width)), np.empty(width), np.empty(0)
    p, w = system.p.copy(), system.w.copy()  # those of a system cannot be written from outside

    def work():
        given = map(place_of, (times, rows, p, system.tab, w, f))
        nothing = place_of(none)
        called(sweep)(pointer, width, count, *given, 0, nothing, nothing, width, place_of(out), 0, nothing)
        return out

    return work


def evaluations(n: int, coordinates: str, quick: bool) -> int:
    """How many evaluations of a chain of n are timed together."""
    return max(20, LINKS_A_TIMING[coordinates] // (10 * n if quick else n))


def exponent(times: dict) -> float:
    """p of time = constant * size^p, from the smallest to the largest size."""
    first, last = min(times), max(times)
    return math.log(times[last] / times[first]) / math.log(last / first)


def against_hand(by_joints, by_hand) -> float:
    """Largest difference of the angular accelerations of the bars, against the largest of them.

    Linkwork's angles are those between neighbours; added up from the ground they are those of the hand's equations.
    """
    n = by_hand.shape[1] // 2
    added = np.cumsum(by_joints[:, n:], axis=1)
    return float(np.abs(added - by_hand[:, n:]).max() / np.abs(by_hand[:, n:]).max())


def hand_chain(n: int):
    """The chain of `problems.chain_planar` by hand."""
    problem = problems.chain_planar(n)
    link = problem.mechanism.bodies["link1"]
    return HandChain(n, 1.0, link.mass, link.inertia, problem.mechanism.gravity[:2])


def absolute(states) -> np.ndarray:
    """Angles against the ground, and their rates, from angles between neighbours."""
    n = states.shape[1] // 2
    return np.hstack([np.cumsum(states[:, :n], axis=1), np.cumsum(states[:, n:], axis=1)])


def in_body_coordinates(quick: bool) -> list[Row]:
    """Time of an evaluation by size, and the exponent of its growth."""
    sizes = (SIZES[0], SIZES[-1]) if quick else SIZES
    rows = []
    for space, build in (("plane", problems.chain_planar), ("space", problems.chain_spatial)):
        counts = {n: evaluations(n, "body", quick) for n in sizes}
        works = {}
        for n in sizes:
            system, states = motion(build(n), "body")
            works[n] = loop(system.pointers[0], states, counts[n], system)
        best = best_times(works, 3 if quick else 30)
        each = {n: best[n] / counts[n] for n in sizes}
        problem = build(10)
        error = problem.error(problem.mechanism.simulate([0.0, problem.end], coordinates="body", rtol=1e-8))
        for n in sizes:
            rows.append(Row("growth", f"chain of {n}, {space}", 1e6 * each[n], "us an evaluation"))
        found = exponent(each)
        rows.append(
            Row(
                "growth",
                f"exponent {sizes[0]} to {sizes[-1]}, {space}",
                found,
                "",
                "<= 1.1",
                found <= 1.1,
                baseline=f"the chain of {sizes[0]} in the same run",
                error=f"{error:.1e} m at 2 s (10 links, dop853, rtol 1e-8)",
                outside=OUTSIDE,
            )
        )
    return rows


def in_joint_coordinates(quick: bool) -> list[Row]:
    """The same in joint coordinates; in the plane beside the equations by hand, in turns."""
    sizes = (JOINT_SIZES[0], JOINT_SIZES[-1]) if quick else JOINT_SIZES
    rows = []
    for space, build in (("plane", problems.chain_planar), ("space", problems.chain_spatial)):
        counts = {n: evaluations(n, "joint", quick) for n in sizes}
        works, difference = {}, {}
        for n in sizes:
            system, states = motion(build(n), "joint")
            works["joint", n] = loop(system.pointers[0], states, counts[n], system)
            if space == "plane":
                hand = hand_chain(n)
                works["hand", n] = loop(hand.pointer, absolute(states), counts[n], hand)
                difference[n] = against_hand(works["joint", n](), works["hand", n]())
        best = best_times(works, 3 if quick else 30)
        each = {key: best[key] / counts[key[1]] for key in works}
        for n in sizes:
            rows.append(
                Row("growth", f"chain of {n} in joint coordinates, {space}", 1e6 * each["joint", n], "us an evaluation")
            )
            if space == "plane":
                ratio = each["joint", n] / each["hand", n]
                rows.append(Row("growth", f"chain of {n} by hand, {space}", 1e6 * each["hand", n], "us an evaluation"))
                rows.append(
                    Row(
                        "growth",
                        f"chain of {n} in joint coordinates against by hand",
                        ratio,
                        "times",
                        "<= 2.5",
                        ratio <= 2.5,
                        baseline="compiled equations in absolute angles, derived by hand for this chain alone, "
                        "evaluated in the same loop and at the same states",
                        error=f"accelerations differ by {difference[n]:.0e} of the largest",
                        outside=OUTSIDE,
                    )
                )
        found = exponent({n: each["joint", n] for n in sizes})
        rows.append(
            Row(
                "growth",
                f"exponent {sizes[0]} to {sizes[-1]} in joint coordinates, {space}",
                found,
                "",
                "<= 1.05",
                found <= 1.05,
                baseline=f"the chain of {sizes[0]} in the same run",
                outside=OUTSIDE,
            )
        )
    return rows


def measure(quick: bool = False) -> list[Row]:
    """Both sets of coordinates."""
    return in_body_coordinates(quick) + in_joint_coordinates(quick)
