"""The graph of bodies and joints."""

from linkwork.compiled.graph import Edge, components, count_loops, in_loops, spanning_tree

FOUR_BAR = [Edge("A", ("ground", "crank")), Edge("B", ("crank", "coupler")), Edge("C", ("coupler", "rocker")),
            Edge("D", ("ground", "rocker"))]  # fmt: skip
BODIES = ["crank", "coupler", "rocker"]


def test_spanning_tree_is_breadth_first():
    tree = spanning_tree(BODIES, FOUR_BAR)
    assert tree == {"ground": (None, None), "crank": ("ground", "A"), "rocker": ("ground", "D"),
                    "coupler": ("crank", "B")}  # fmt: skip


def test_spanning_tree_leaves_out_what_is_not_connected():
    assert "loose" not in spanning_tree([*BODIES, "loose"], FOUR_BAR)


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
