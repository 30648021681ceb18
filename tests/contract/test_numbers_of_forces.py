"""Numbers of forces can be followed to their laws: other values are written straight to their places, the same bits."""

from dataclasses import fields

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled import rewriting as own
from linkwork.compiled.numbering import model_of, numbered
from linkwork.compiled.rewriting import flat, rewriting, shaped
from linkwork.mechanism import elements  # noqa: F401  # further kinds of forces
from linkwork.mechanism.forces import Force
from linkwork.mechanism.renewal import _numbers
from linkwork.mechanism.user_forces import UserForce, UserWrench

FACTORS = 2.0 ** np.random.default_rng(7).uniform(-5.0, 5.0, 8)


def law(value, rate, t, stiffness, gap):
    return stiffness * (gap - value)


def drag(pose, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * rates[0]


def made(name, m):
    """An example of a class of forces, with all of its numbers other than zero."""
    one, two = m.ground.at(0.1, 0.2), m["bar"].at(0.3, 0.1)
    kind = Force.kinds[name]
    if kind is UserForce:
        return UserForce(lw.Distance(one, two), law, stiffness=3.0, gap=0.2)
    if kind is UserWrench:
        return UserWrench(two, drag, numbers=[3.0], energy="dissipates")
    known = {field.name for field in fields(kind)}
    places = {"on": one, "to": two, "at": two, "measure": lw.Distance(one, two)}
    more = (
        {"lower": 0.1, "upper": 0.4, "damping": 0.3}
        if name == "Limit"
        else {"x": 2.0, "y": 3.0, "value": 5.0} | ({"z": 4.0} if m.dimension == 3 else {})
    )
    given = {key: value for key, value in {**places, **more}.items() if key in known}
    return kind(**{**given, **getattr(kind, "sample", {})})


KINDS = [
    (name, dimension)
    for name, kind in sorted(Force.kinds.items())
    if kind.__module__.startswith("linkwork.")  # not one of another test
    for dimension in getattr(kind, "dimensions", (2, 3))
]


@pytest.mark.parametrize(("name", "dimension"), KINDS)
def test_other_values_go_to_their_places(name, dimension):
    m = lw.Mechanism(dimension=dimension)
    m.add("bar", lw.bar(length=1.0, mass=1.0, **({"depth": 0.1, "width": 0.1} if dimension == 3 else {})))
    m.add("force", made(name, m))
    model = model_of(m)
    recipe = m.recipe("force")
    asked = list(recipe.given) if name == "UserForce" else _numbers(recipe)
    found = {}
    for field in asked:
        value = recipe.given.get(field)
        if isinstance(value, bool) or not isinstance(value, float | int) or not value:
            continue
        numbers = {f"force.{field}": float(value)}
        way = rewriting(model, ("body", "joint"), numbers)
        assert way is not None, field
        found[field] = way
        for factor in FACTORS:
            given = [factor * one for one in flat(numbers.values())]
            results = way.program(given)
            if results is None:
                continue
            other = numbered(m.with_numbers(shaped(numbers, given)))
            for one, tables in own._written(other, ("body", "joint")).items():
                p = model.plan(one).parameters.copy()
                p[way.places[one]] = way.of_plan(one, results)
                assert np.array_equal(p, tables.writer.p), (field, factor)
    if name in ("SpringDamper", "TorsionSpringDamper", "UserForce"):
        assert len(found) >= 2 and all(way.of_laws and not way.moves for way in found.values())
