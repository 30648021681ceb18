"""The graph of a mechanism: bodies are nodes (ground too), joints are edges."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable
from heapq import heappop, heappush
from itertools import count, pairwise

from linkwork.records import dataclass


@dataclass(frozen=True)
class Edge:
    """One item that connects bodies (two, or more for a coupling)."""

    name: str
    bodies: tuple[str, ...]


def forest(roots, left, beside, total: bool = True):
    """Walk from roots along the cheapest ways: (node, the one before, edge), each node once, the one before first.

    `beside(node)` gives (cost, other, edge) of the ways on.  With `total` the whole way from the root counts, else the
    last edge alone; of equal ones the first found.  Where nothing leads on, the next of `left` is a root.
    """
    done: set = set()
    queue: list = []
    tie = count()

    def reach(node, way):
        done.add(node)
        for cost, other, edge in beside(node):
            if other not in done:
                heappush(queue, (way + cost if total else cost, next(tie), other, node, edge))

    for root in roots:
        yield root, None, None
        reach(root, 0.0)
    rest = iter(left)
    while True:
        while queue:
            way, _, node, before, edge = heappop(queue)
            if node not in done:
                yield node, before, edge
                reach(node, way)
        root = next((node for node in rest if node not in done), None)
        if root is None:
            return
        yield root, None, None
        reach(root, 0.0)


def components(bodies: Collection[str], edges: Iterable[Edge], without: Collection[str] = ()) -> list[list[str]]:
    """Groups of bodies that are connected, not counting connections through the bodies in `without`."""
    parent = {body: body for body in bodies}

    def find(body: str) -> str:
        while parent[body] != body:
            parent[body] = parent[parent[body]]
            body = parent[body]
        return body

    for edge in edges:
        inside = [body for body in edge.bodies if body in parent and body not in without]
        for one, other in pairwise(inside):
            parent[find(one)] = find(other)
    groups = defaultdict(list)
    for body in bodies:
        groups[find(body)].append(body)
    return list(groups.values())


def count_loops(bodies, edges) -> int:
    """Independent loops: edges - nodes + connected parts, ground being a node."""
    nodes = [*bodies, "ground"]
    links = sum(max(0, len(set(edge.bodies)) - 1) for edge in edges)
    return links - len(nodes) + len(components(nodes, edges))


def in_loops(bodies, edges) -> set[str]:
    """Names of edges that are left after leaves are peeled off: only they can be redundant with each other."""
    alive = {edge.name: set(edge.bodies) - {"ground"} for edge in edges}
    at_body = defaultdict(set)
    for name, members in alive.items():
        for body in members:
            at_body[body].add(name)
    queue = deque(body for body in bodies if len(at_body[body]) == 1)
    while queue:
        body = queue.popleft()
        if len(at_body[body]) != 1:
            continue
        (name,) = at_body[body]
        for other in alive.pop(name):
            at_body[other].discard(name)
            if len(at_body[other]) == 1:
                queue.append(other)
    return set(alive)


def blocks(edges) -> list[set[str]]:
    """Names of edges in groups of which two share one body at most, ground too: their rows cannot depend on each other.

    The forces of a combination that vanishes would have to balance in each group alone.  These are the biconnected
    parts of the graph (Hopcroft and Tarjan 1973, without recursion); an edge of more than two bodies ties all of them.
    """
    beside = defaultdict(list)
    for edge in edges:
        for k, one in enumerate(edge.bodies):
            for other in edge.bodies[k + 1 :]:
                beside[one].append((other, edge.name))
                beside[other].append((one, edge.name))
    found: dict[str, str] = {edge.name: edge.name for edge in edges}  # union-find over names

    def head(name):
        while found[name] != name:
            found[name] = found[found[name]]
            name = found[name]
        return name

    depth: dict[str, int] = {}
    low: dict[str, int] = {}
    for root in list(beside):
        if root in depth:
            continue
        depth[root] = low[root] = 0
        way = [(root, None, iter(beside[root]))]
        gone: list = []  # edges of blocks that are not closed yet
        while way:
            body, came, rest = way[-1]
            for other, name in rest:
                if other not in depth:
                    depth[other] = low[other] = depth[body] + 1
                    gone.append((body, other, name))
                    way.append((other, name, iter(beside[other])))
                    break
                if name != came and depth[other] < depth[body]:
                    gone.append((body, other, name))
                    low[body] = min(low[body], depth[other])
            else:
                way.pop()
                if not way:
                    break
                before = way[-1][0]
                low[before] = min(low[before], low[body])
                if low[body] >= depth[before]:  # nothing leads past `before`: a block ends here
                    while True:
                        one, other, name = gone.pop()
                        found[head(name)] = head(came)
                        if (one, other, name) == (before, body, came):
                            break
    groups = defaultdict(set)
    for edge in edges:
        groups[head(edge.name)].add(edge.name)
    return list(groups.values())
