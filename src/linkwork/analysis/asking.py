"""What a file asks about many designs, or of a set of coordinates, looked at before anything is run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from linkwork.analysis.common import as_model
from linkwork.analysis.design_table import SAMPLED, design_table, distribution, values_of
from linkwork.analysis.goals import LIMIT
from linkwork.analysis.sweep_task import NUMBERS, in_all, is_series, unit_read
from linkwork.arguments import explained
from linkwork.compiled.bases import read_bases
from linkwork.errors import DescriptionError, LinkworkError, LinkworkWarning, message
from linkwork.result.quantities import vocabulary
from linkwork.units import si

READ = ("read", "minimize", "maximize", "subject_to")
LIMITED = "subject_to"


@explained
def check_asked(mechanism: Any, asked: Mapping[str, Any]) -> list[tuple[str, int | str, LinkworkError]]:
    """What is wrong with names of an analysis, as a file has it: the field, which entry of it, and the error.

    Of a mechanism that is wrong in other ways, nothing is said.
    """
    found: list[tuple[str, int | str, LinkworkError]] = []
    for body, names in (asked.get("basis") or {}).items():
        try:
            read_bases(mechanism, asked.get("coordinates") or "auto", {body: names})
        except LinkworkError as error:
            found.append(("basis", body, error))
    found += _varied(mechanism, asked)
    names = {key: asked[key] for key in READ if asked.get(key)}
    if not names:
        return found
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinkworkWarning)  # whoever runs it is told
        try:
            known = vocabulary(as_model(mechanism.copy()))
        except LinkworkError:
            return found
    for key, given in names.items():
        for k, one in enumerate([given] if isinstance(given, str) else given):
            try:
                _check_one(known, key, one, asked)
            except LinkworkError as error:
                found.append((key, k, error))
    return found


def _varied(mechanism: Any, asked: Mapping[str, Any]) -> list[tuple[str, int | str, LinkworkError]]:
    """What is wrong with values and bounds of what is varied; then with how designs are made of them."""
    kind, vary = asked.get("type"), asked.get("vary") or {}
    over = asked.get("over") or "grid"
    found: list[tuple[str, int | str, LinkworkError]] = []
    for name, given in vary.items():
        try:
            if kind != "sweep":
                from linkwork.analysis.designs import bounds_of  # which loads what runs many designs

                bounds_of(str(kind), mechanism, name, given)
            elif over in SAMPLED:
                distribution(name, given, {})
            elif (wrong := in_all(mechanism, name, values_of(name, given, {}))) is not None:
                raise wrong
        except LinkworkError as error:
            found.append(("vary", name, error))
    if kind == "sweep" and vary and not found:
        try:
            design_table(vary, over, asked.get("count"), asked.get("seed") or 0)
        except LinkworkError as error:
            found.append(("over" if "over" in asked else "count" if "count" in asked else "vary", "", error))
    return found


def _check_one(known: Any, key: str, written: str, asked: Mapping[str, Any]) -> None:
    """Raise where one entry names nothing, or not what it should."""
    item = f"analysis ({asked['type']}){'' if key == 'read' else f' {key}'}"
    name, limit = written, None
    if key == LIMITED:
        parts = LIMIT.match(written)
        if parts is None:
            wanted = "a number of the answer and its limit, such as D.angle.max <= 90 deg"
            raise DescriptionError(message(item, "has a limit that is none", repr(written)[:80], wanted))
        name, limit = parts["name"], parts["value"]
    unit = unit_read(known, name, item)
    if key != "read" and is_series(name, asked.get("analysis") or "simulate"):
        wanted = " or ".join(f"{name}.{word}" for word in NUMBERS)
        raise DescriptionError(message(item, "is a series", repr(name), f"one number of it: {wanted}"))
    if limit is not None:
        si(limit, unit, item, f"limit of {name}")
