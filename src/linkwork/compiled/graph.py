"""The graph of a mechanism: bodies are nodes (ground too), joints are edges."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Edge:
    """One item that connects bodies (two, or more for a coupling)."""

    name: str
    bodies: tuple[str, ...]


def spanning_tree(bodies, edges, root="ground"):
    """Breadth-first tree from the root: {body: (parent, edge name)} for every body that is reached."""
    neighbours = defaultdict(list)
    for edge in edges:
        for one in edge.bodies:
            for other in edge.bodies:
                if one != other:
                    neighbours[one].append((other, edge.name))
    reached = {root: (None, None)}
    queue = deque([root])
    while queue:
        body = queue.popleft()
        for other, name in neighbours[body]:
            if other not in reached:
                reached[other] = (body, name)
                queue.append(other)
    return reached


def components(bodies, edges, without=()):
    """Groups of bodies that are connected, not counting connections through the bodies in `without`."""
    parent = {body: body for body in bodies}

    def find(body):
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
