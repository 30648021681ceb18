"""The graph of bodies and joints."""

import random

import pytest

from linkwork.compiled.graph import Edge, blocks, components, count_loops, forest, in_loops

FOUR_BAR = [Edge("A", ("ground", "crank")), Edge("B", ("crank", "coupler")), Edge("C", ("coupler", "rocker")),
            Edge("D", ("ground", "rocker"))]  # fmt: skip
BODIES = ["crank", "coupler", "rocker"]


def beside(costs):
    """Ways on from a body of the four-bar, with a cost for some of its joints."""

    def ways(body):
        for edge in FOUR_BAR:
            for one, other in (edge.bodies, edge.bodies[::-1]):
                if one == body:
                    yield costs.get(edge.name, 1.0), other, edge.name

    return ways


def test_a_forest_grows_from_the_nearest():
    found = list(forest(["ground"], BODIES, beside({})))
    assert found == [("ground", None, None), ("crank", "ground", "A"), ("rocker", "ground", "D"),
                     ("coupler", "crank", "B")]  # fmt: skip


def test_the_whole_way_counts_or_the_last_joint_alone():
    costs = {"A": 2.5}
    assert ("crank", "ground", "A") in forest(["ground"], BODIES, beside(costs))
    assert ("crank", "coupler", "B") in forest(["ground"], BODIES, beside(costs), total=False)


def test_what_nothing_leads_to_is_a_root():
    found = list(forest(["ground", "rocker"], ["coupler", "loose", "far"], beside({})))
    assert [one for one in found if one[1] is None] == [
        (name, None, None) for name in ("ground", "rocker", "loose", "far")
    ]
    assert len(found) == len({node for node, _, _ in found}) == 6


def test_loops_are_counted():
    assert count_loops(BODIES, FOUR_BAR) == 1
    assert count_loops(BODIES, FOUR_BAR[:3]) == 0
    assert count_loops(BODIES, [*FOUR_BAR, Edge("E", ("ground", "coupler"))]) == 2
    assert count_loops([*BODIES, "loose"], FOUR_BAR) == 1


def test_two_joints_between_one_pair_are_a_loop():
    assert count_loops(["b"], [Edge("A", ("ground", "b")), Edge("B", ("ground", "b"))]) == 1


def test_leaves_are_peeled_off():
    tail = [Edge("T", ("coupler", "tail")), Edge("U", ("tail", "tip"))]
    assert in_loops([*BODIES, "tail", "tip"], [*FOUR_BAR, *tail]) == {"A", "B", "C", "D"}
    assert in_loops(["a", "b"], [Edge("A", ("ground", "a")), Edge("B", ("a", "b"))]) == set()


def test_a_coupling_closes_a_loop():
    gears = [Edge("A", ("ground", "a")), Edge("B", ("ground", "b")), Edge("G", ("a", "b"))]
    assert in_loops(["a", "b"], gears) == {"A", "B", "G"}


def test_components_without_ground():
    edges = [Edge("A", ("ground", "a")), Edge("B", ("ground", "b")), Edge("C", ("b", "c"))]
    assert sorted(map(sorted, components(["a", "b", "c"], edges, without=("ground",)))) == [["a"], ["b", "c"]]


def parted(edges, one, other):
    """Whether there is a body without which nothing leads from one edge to the other."""
    bodies = sorted({body for edge in edges for body in edge.bodies})
    for without in (None, *bodies):
        left = [body for body in bodies if body != without]
        groups = components(left, [Edge(edge.name, tuple(set(edge.bodies) - {without})) for edge in edges])
        of = [next(k for k, group in enumerate(groups) if set(edge.bodies) & set(group)) for edge in (one, other)]
        if of[0] != of[1]:
            return True
    return False


@pytest.mark.parametrize("seed", range(20))
def test_blocks_have_no_body_without_which_they_fall_apart(seed):
    rng = random.Random(seed)
    bodies = ["ground", *(f"b{k}" for k in range(rng.randint(2, 8)))]
    edges = [Edge(f"j{k}", tuple(rng.sample(bodies, 2))) for k in range(rng.randint(1, 12))]
    found = {name: k for k, group in enumerate(blocks(edges)) for name in group}
    assert sorted(found) == sorted(edge.name for edge in edges)
    for one in edges:
        for other in edges:
            assert (found[one.name] == found[other.name]) == (one is other or not parted(edges, one, other))


def test_an_edge_of_three_bodies_ties_them():
    pins = [Edge("A", ("ground", "sun")), Edge("B", ("ground", "arm")), Edge("C", ("arm", "planet"))]
    gear = Edge("gear", ("arm", "sun", "planet"))
    assert len(blocks(pins)) == 3
    assert blocks([*pins, gear]) == [{"A", "B", "C", "gear"}]
