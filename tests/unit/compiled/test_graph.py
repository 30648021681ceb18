"""The graph of bodies and joints."""

from linkwork.compiled.graph import Edge, components, count_loops, forest, in_loops

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
