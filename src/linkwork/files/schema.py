"""The JSON schema of model files (draft 2020-12), from the declarations that the reader uses.

Editors complete and check files by it.  It says what has which fields of which kind; that names exist, that units fit
and that a mechanism can be built is for the reader.
"""

from __future__ import annotations

import collections.abc
import inspect
import sys
import typing
from collections.abc import Callable
from typing import Any

import linkwork as lw
from linkwork.arguments import explained
from linkwork.files import events
from linkwork.files.declarations import (
    FAMILIES,
    VERSION,
    Declaration,
    analyses,
    analysis_fields,
    declare,
    default_kind,
    kinds,
    longest_text,
    number_of,
    options,
    reserved,
    shapes,
    taken_parameters,
    taken_points,
)
from linkwork.files.references import frame_fields, table_fields
from linkwork.files.values import LARGEST_WHOLE, entries
from linkwork.units import Number

Schema = dict[str, Any]

_LAW: Schema = {
    "type": "object",
    "description": "A Python function by its name, given on reading: read(file, laws={name: function}).",
    "properties": {"law": {"type": "string", "minLength": 1}},
    "required": ["law"],
    "additionalProperties": False,
}
# Regular expressions that editors (ECMA 262) and Python read alike.  A \w is ASCII only to editors, so what is not
# allowed is listed instead; beyond ASCII all is left to the reader.
_STRANGE = r"!\"#$%&':;<=>?@\[\\\]`{|}~"  # in no quantity and in no expression
_WRITTEN = (
    r"^(?!\s*[-+]?0[0-9])"  # a zero before other digits
    r"(?!\s*[-+]?\.?(?:[nN][aA][nN]|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)\s*$)"
    rf"[^{_STRANGE}]*[^\s.,+\-*/^(){_STRANGE}][^{_STRANGE}]*$"  # a letter or a digit somewhere
)
_NAME = r"^[^.\s](?:[^.]*[^.\s])?$"  # of an item: no dots, no outer spaces
_WORD = r"^[^\s!-@\[-^`{-~][^\s!-/:-@\[-^`{-~]*$"  # of a point or a parameter: letters, digits and _
_LARGEST = sys.float_info.max
_TEXT: Schema = {"type": "string", "pattern": _WRITTEN, "maxLength": longest_text()}
_WHOLE: Schema = {"anyOf": [{"type": "integer", "minimum": -LARGEST_WHOLE, "maximum": LARGEST_WHOLE}, _TEXT]}
_FIXED: dict[str, Schema] = {
    "number": {
        "description": 'A number in SI units, a quantity such as "20 N/mm", or an expression such as "2*L".',
        "anyOf": [{"type": "number", "minimum": -_LARGEST, "maximum": _LARGEST}, _TEXT],
    },
    "law": _LAW,
    "reading": {
        "type": "string",
        "description": "A measure by its name, such as A.angle of a joint, or coupler.tracer.y of a point.",
        "pattern": r"^[^.]+(\.[^.]+){1,2}$",
    },
}


@explained
def schema() -> Schema:
    """The JSON schema of model files, as plain data for `json.dump`.

    >>> sorted(lw.schema())[:3]
    ['$defs', '$schema', 'additionalProperties']
    """
    defs: dict[str, Schema] = {**_FIXED, "frame": _frame(), "table file": _table_file(), "orientation": _orientation()}
    for family in ("measures", "functions", "joints", "forces", "drivers", "readings", "bodies"):
        for name, kind in kinds(family).items():
            defs[f"{family}.{name}"] = _declared(declare(kind), "type", required=kind is not default_kind(family))
        defs[family] = _family(family, list(kinds(family)), default_kind(family))
    for name, shape in shapes().items():
        defs[f"shapes.{name}"] = _declared(declare(shape), "shape", required=True)
    defs["shapes"] = _family("shapes", list(shapes()), None, "shape")
    defs["body"] = {"if": {"type": "object", "required": ["shape"]}, "then": _ref("shapes"), "else": _ref("bodies")}
    defs["events"] = events.schema(_ref, _of)
    for name, function in analyses().items():
        defs[f"analyses.{name}"] = _analysis(name, function)
    defs["analyses"] = _family("analyses", list(analyses()), None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Linkwork mechanism",
        "description": "A mechanism for Linkwork: its items by family and name, and the analysis to run.",
        "type": "object",
        "properties": _top(),
        "required": ["linkwork"],
        "additionalProperties": False,
        "$defs": defs,
    }


def _top() -> dict[str, Schema]:
    vector = {"type": "array", "items": _ref("number"), "minItems": 2, "maxItems": 3}
    named = {
        family: {
            "type": ["object", "null"],
            "description": f"{family.capitalize()} by name.",
            "propertyNames": {"pattern": _NAME, "not": {"enum": list(reserved())}},
            "additionalProperties": _ref("body" if family == "bodies" else family),
        }
        for family in FAMILIES
    }
    taken, longest = taken_parameters()
    return {
        "$schema": {"type": "string", "description": "Address of this schema, for editors."},
        "linkwork": {"const": VERSION, "description": "Version of the format."},
        "name": {"type": "string", "description": "Name of the mechanism.", "default": "mechanism"},
        "dimension": {"enum": [2, 3], "description": "2 in the plane, 3 in space.", "default": 2},
        "gravity": {
            "anyOf": [vector, {"type": "null"}],
            "description": "Acceleration of gravity, null for none; 9.81 m/s^2 down unless given.",
        },
        "parameters": {
            "type": ["object", "null"],
            "additionalProperties": _ref("number"),
            "propertyNames": {"pattern": _WORD, "maxLength": longest, "not": {"enum": taken}},
            "description": "Numbers by name, for use in expressions.",
        },
        **named,
        "analysis": {"anyOf": [_ref("analyses"), {"type": "null"}], "description": "What `linkwork run` does."},
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name.replace(' ', '%20')}"}


def _first(text: str) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join(text.split("\n\n")[0].split())


def _family(family: str, names: list[str], default: Callable[..., Any] | None, told: str = "type") -> Schema:
    """One of several things, by the field that names it: each has its own fields."""
    whole: Schema = {"type": "object", "properties": {told: {"enum": names}}}
    if default is None:
        whole["required"] = [told]
    whole["allOf"] = [
        {"if": {"properties": {told: {"const": name}}, "required": [told]}, "then": _ref(f"{family}.{name}")}
        for name in names
    ]
    if default is not None:
        whole["allOf"].append({"if": {"not": {"required": [told]}}, "then": _ref(f"{family}.{default.__name__}")})
    return whole


def _declared(declaration: Declaration, told: str, required: bool) -> Schema:
    """An object with the fields of a class or shape."""
    points = declare(lw.Body).fields["points"].kinds
    properties: dict[str, Schema] = {told: {"const": declaration.name, "description": _first(declaration.text)}}
    for field in declaration.fields.values():
        properties[field.name] = _of(field.kinds)
        if field.kinds == points:
            names = {"pattern": _WORD, "not": {"enum": taken_points()}}
            properties[field.name] = {**properties[field.name], "propertyNames": names}
        if isinstance(field.default, bool | float | str):
            properties[field.name] = {**properties[field.name], "default": field.default}
    return {
        "type": "object",
        "description": declaration.text,
        "properties": properties,
        "required": [*([told] if required else []), *(one.name for one in declaration.fields.values() if one.required)],
        "additionalProperties": _ref("number") if declaration.numbers else False,
    }


def _analysis(name: str, function: Callable[..., Any]) -> Schema:
    """Options of an analysis."""
    properties: dict[str, Schema] = {"type": {"const": name, "description": _first(inspect.getdoc(function) or "")}}
    for field in analysis_fields(function).values():
        default = {} if field.default is None else {"default": field.default}
        properties[field.name] = {**_of(field.kinds), **default}
    return {
        "type": "object",
        "description": inspect.getdoc(function) or "",
        "properties": properties,
        "required": ["type"],
        "additionalProperties": False,
    }


def _frame() -> Schema:
    place = _of(declare(lw.Body).fields["center"].kinds)
    return {
        "description": "A point of a body with axes: crank.a, crank, {ground: [0, 0]}, or "
        "{body: crank, at: [0, 0], angle: 30 deg}.",
        "anyOf": [
            {"type": "string", "pattern": r"^[^.]+(\.[^.]+)?$"},
            {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": place},
            {
                "type": "object",
                "properties": {
                    "body": {"type": "string"},
                    "at": place,
                    **{name: _of(wanted) for name, wanted in frame_fields().items()},
                },
                "required": ["body"],
                "additionalProperties": False,
            },
        ],
    }


def _orientation() -> Schema:
    forms = [declare(make) for make in lw.Orientation.forms().values()]
    return {
        "description": "An orientation as a map: {axis: [0, 0, 1], angle: 30 deg}, {order: XYZ, angles: [...]}, ...",
        "anyOf": [
            {
                "type": "object",
                "description": _first(form.text),
                "properties": {name: _of(field.kinds) for name, field in form.fields.items()},
                "required": list(form.fields),
                "additionalProperties": False,
            }
            for form in forms
        ],
    }


def _table_file() -> Schema:
    named = {"type": {"const": "Table"}, "file": {"type": "string", "minLength": 1}}
    return {
        "type": "object",
        "description": "A table of two columns in a file beside this one or below its folder.",
        "properties": {**named, **{name: _of(field.kinds) for name, field in table_fields().items()}},
        "required": ["file"],
        "additionalProperties": False,
    }


def _of(wanted: tuple[Any, ...]) -> Schema:
    """A value of one of these kinds."""
    found: list[Schema] = []
    for kind in wanted:
        for one in _one(kind, wanted):
            if one not in found:
                found.append(one)
    return found[0] if len(found) == 1 else {"anyOf": found}


def _one(kind: Any, wanted: tuple[Any, ...]) -> list[Schema]:
    simple: dict[Any, Schema] = {
        float: _ref("number"),
        int: _WHOLE,
        bool: {"type": "boolean"},
        str: {"type": "string"},
        type(None): {"type": "null"},
    }
    origin = typing.get_origin(kind)
    if isinstance(kind, Number):
        return [_number(kind)]
    if kind in simple:
        return [simple[kind]]
    if origin is typing.Literal:
        return [{"enum": list(typing.get_args(kind))}]
    if origin is collections.abc.Mapping:
        return [{"type": "object", "additionalProperties": _of(options(typing.get_args(kind)[1]))}]
    if origin in (tuple, collections.abc.Iterable, collections.abc.Sequence):
        return [_list(kind)]
    if kind is collections.abc.Callable:
        return [_ref("law")] if number_of(wanted) else [_ref("law"), {"type": "string", "minLength": 1}]
    if isinstance(kind, type):
        if issubclass(kind, lw.Frame):
            return [_ref("frame")]
        if issubclass(kind, lw.Body):
            return [_ref("body")]
        if issubclass(kind, lw.Orientation):
            return [_ref("orientation")]
        if issubclass(kind, lw.Measure):
            return [_ref("reading"), _ref("measures")]
        if issubclass(kind, lw.Function):
            typed = _ref("functions" if kind is lw.Function else f"functions.{kind.__name__}")
            files = [_ref("table file")] if issubclass(lw.Table, kind) else []
            return [*([_ref("number"), _ref("law")] if kind is lw.Function else []), *files, typed]
    return [{}]


def _number(meaning: Number) -> Schema:
    """A number with its range; of a text the reader knows it."""
    limits = {"minimum": meaning.least, "exclusiveMinimum": meaning.above}
    unit = {} if meaning.unit is None else {"description": f"A plain number is in {meaning.unit}."}
    return {**_ref("number"), **unit, **{key: limit for key, limit in limits.items() if limit is not None}}


def _list(kind: Any) -> Schema:
    arguments: Any = typing.get_args(kind)
    if entries(kind, 1) == arguments[:1] and entries(kind, 2) == (arguments[0],) * 2:  # any number of one kind
        return {"type": "array", "items": _of(options(arguments[0]))}
    return {
        "type": "array",
        "prefixItems": [_of(options(one)) for one in arguments],
        "items": False,
        "minItems": len(arguments),
    }
