"""The problems of the comparison by name, with the sizes they are run in."""

from __future__ import annotations

from benchmarks import problems
from benchmarks.peers.scheme import Scheme, translate

#: name -> (function, sizes or None, equal steps with which ladders begin)
PROBLEMS = {
    "pendulum_A01": (problems.pendulum, None, 25),
    "double_pendulum": (problems.double_pendulum, None, 10),
    "chain_planar": (problems.chain_planar, (2, 10, 50, 200), 5),
    "fourbar_A02": (problems.fourbar, (1, 2, 5, 10, 20, 40), 125),
    "andrews_A03": (problems.andrews, None, 18),
    "chain_spatial": (problems.chain_spatial, (2, 10, 50, 200), 5),
    "bricard_A04": (problems.bricard, None, 30),
    "flyball_A05": (problems.flyball, None, 250),
}

#: sizes of a short look
QUICK = {"chain_planar": (2, 10), "chain_spatial": (2, 10), "fourbar_A02": (1, 5)}


def keys(names=None, quick: bool = False) -> list[str]:
    """Every case of the named problems, as "name" or "name N=size"; a single case may be named too."""
    out: list[str] = []
    for wanted in names or PROBLEMS:
        name, _, size = wanted.replace(":", " N=").partition(" N=")
        if name not in PROBLEMS:
            raise KeyError(f"unknown problem '{name}'; known: {', '.join(PROBLEMS)}")
        sizes = PROBLEMS[name][1]
        if sizes is None:
            out.append(name)
        elif size:
            out.append(f"{name} N={int(size)}")
        else:
            out += [f"{name} N={n}" for n in (QUICK[name] if quick else sizes)]
    return list(dict.fromkeys(out))


def scheme(key: str, single: bool = False) -> Scheme:
    """The translated problem of a case; with `single` the tree that hangs on one joint with the ground."""
    name, _, size = key.partition(" N=")
    build, _, steps = PROBLEMS[name]
    problem = build(int(size)) if size else build()
    if problem.reference is None:
        raise KeyError(f"no reference answer for '{key}'")
    return translate(key + " single" * single, problem, steps, single)
