"""Events in model files: what is watched, and actions as short maps.

    top:    {when: A.angle.rate, direction: falling}
    closed: {when: L1.angle, value: 90 deg, then: [{lock: L1}, {release: L2}, {off: spring}], most: 1}
    turn:   {when: A.angle.rate, then: {drive: knee, function: "smoothstep(t, 0, 0, 0.5, pi/6)", anew: true}}

An action is a map whose first word says what is done to which item; `stop` alone is a word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import linkwork as lw
from linkwork.errors import LinkworkError
from linkwork.files.declarations import declare
from linkwork.files.nodes import Node
from linkwork.files.references import measure_of_map, of_time, python_function
from linkwork.files.values import FAILED, PLAIN, Context, convert, got, number, text
from linkwork.units import Measured

#: word of an action -> its class, what its word is given, and further fields
WORDS: dict[str, tuple[type, str, tuple[str, ...]]] = {
    "stop": (lw.Stop, "", ()),
    "lock": (lw.Lock, "item", ()),
    "release": (lw.Release, "item", ()),
    "on": (lw.On, "item", ()),
    "off": (lw.Off, "item", ()),
    "drive": (lw.Drive, "driver", ("function", "anew")),
    "set": (lw.Set, "number", ("value",)),
}
FIELDS = ("when", "value", "direction", "then", "most", "touches")


# -- in ----------------------------------------------------------------------------------------------------------------
def event(ctx: Context, node: Node, item: str, name: str) -> Any:
    """An event from its map."""
    fields = declare(lw.Event).fields
    given: dict[str, Any] = {}
    good = True
    for key, value in node.items:
        if key.text == "when":
            given["when"] = _when(ctx, value, item)
        elif key.text == "then":
            given["then"] = _actions(ctx, value, item)
        elif key.text == "value":  # what is watched knows which unit is right
            given["value"] = number(ctx, value, item, "value", PLAIN)
        elif key.text in FIELDS:
            given[key.text] = convert(ctx, value, fields[key.text].kinds, item, key.text)
        else:
            good = False
            ctx.unknown(key, item, "has an unknown field", key.text, FIELDS)
    if "when" not in given:
        return ctx.wrong(node, item, "has no when", wanted="when: a name such as A.angle.rate")
    if not good or any(value is FAILED for value in given.values()):
        return FAILED
    try:
        return lw.Event(given.pop("when"), **given, name=name)
    except LinkworkError as error:
        return ctx.wrong(node, item, f"cannot be: {error}")


def _when(ctx: Context, node: Node, item: str) -> Any:
    """A name, a measure as a map, or a Python function by its name."""
    if node.kind == "scalar":
        return text(ctx, node, item, "when")
    if node.kind == "map" and node.get("law") is not None:
        return python_function(ctx, node, item, "when")
    if node.kind == "map":
        return measure_of_map(ctx, node, item, "when")
    return ctx.wrong(node, item, "when says nothing to watch", got(node), "a name such as A.angle.rate, or a measure")


def _actions(ctx: Context, node: Node, item: str) -> Any:
    if node.kind == "list":
        found = [_action(ctx, one, item) for one in node.items]
        return FAILED if any(one is FAILED for one in found) else tuple(found)
    return _action(ctx, node, item)


def _action(ctx: Context, node: Node, item: str) -> Any:
    wanted = "an action such as {lock: A}, {off: spring}, {drive: motor, function: 2*t} or stop"
    if node.kind == "scalar":
        return lw.Stop() if node.text == "stop" else ctx.wrong(node, item, "then is no action", got(node), wanted)
    if node.kind != "map" or not node.items:
        return ctx.wrong(node, item, "then is no action", got(node), wanted)
    if node.get("law") is not None:
        return python_function(ctx, node, item, "then")
    key, first = node.items[0]
    if key.text not in WORDS:
        return ctx.unknown(key, item, "then has an unknown action", key.text, WORDS)
    kind, what, further = WORDS[key.text]
    if kind is lw.Stop:
        return lw.Stop()
    given: dict[str, Any] = {what: text(ctx, first, item, key.text)}
    for other, value in node.items[1:]:
        if other.text not in further:
            given[other.text] = FAILED
            ctx.unknown(other, item, f"{key.text} has an unknown field", other.text, further)
        elif other.text == "function":
            given["function"] = (
                convert(ctx, value, (lw.Function,), item, "function")
                if value.kind == "map"
                else of_time(ctx, value, None, item, "function")
            )
        elif other.text == "anew":
            given["anew"] = convert(ctx, value, (bool,), item, "anew")
        else:
            given["value"] = _number(ctx, value, item)
    for one in further:
        if one != "anew" and one not in given:
            given[one] = ctx.wrong(node, item, f"{key.text} has no {one}", wanted=f"{{{key.text}: ..., {one}: ...}}")
    if any(value is FAILED for value in given.values()):
        return FAILED
    try:
        return kind(**given)
    except LinkworkError as error:
        return ctx.wrong(node, item, f"{key.text}: {error}")


def _number(ctx: Context, node: Node, item: str) -> Any:
    """A number as it is written: what it is for reads units and parameters."""
    if node.kind == "list":
        found = [_number(ctx, one, item) for one in node.items]
        return FAILED if any(one is FAILED for one in found) else tuple(found)
    read = convert(ctx, node, (float,), item, "value")
    return read if read is FAILED or isinstance(read, float) else node.text


# -- out ---------------------------------------------------------------------------------------------------------------
def written(given: Mapping[str, Any], value_of: Callable[[Any, tuple[Any, ...]], Any]) -> dict[str, Any]:
    """The map of an event, from the arguments that it was made with; `value_of` writes one value."""
    fields = declare(lw.Event).fields
    data: dict[str, Any] = {"when": value_of(given["when"], (lw.Measure,))}
    for name in FIELDS[1:]:
        value = given.get(name, fields[name].default)
        if value is fields[name].default or value == fields[name].default or (name == "touches" and not value):
            continue
        if name == "then":
            several = value if isinstance(value, list | tuple) else (value,)
            actions = [_written(one, value_of) for one in several]
            if actions:
                data[name] = actions[0] if len(actions) == 1 else actions
        elif name == "value" and isinstance(value, Measured):
            data[name] = value.written()
        elif name == "touches":
            data[name] = [value] if isinstance(value, str) else list(value)
        else:
            data[name] = value_of(value, fields[name].kinds)
    return data


def _written(action: Any, value_of: Callable[[Any, tuple[Any, ...]], Any]) -> Any:
    make: Any = action.make if isinstance(action, lw.Recipe) else type(action)
    word = next((word for word, (kind, *_) in WORDS.items() if kind is make), None)
    if word is None:
        return value_of(action, ())  # a Python function, by its name
    if word == "stop":
        return word
    given = action.given if isinstance(action, lw.Recipe) else vars(action)
    _, what, further = WORDS[word]
    data = {word: given[what]}
    for name in further:
        if name in given and not (name == "anew" and not given[name]):
            data[name] = value_of(given[name], (lw.Function,) if name == "function" else (bool,))
    return data


# -- schema ------------------------------------------------------------------------------------------------------------
def schema(ref: Callable[[str], dict], of: Callable[[tuple], dict]) -> dict[str, Any]:
    """The schema of an event."""
    name = {"type": "string", "minLength": 1}
    functions = of((lw.Function,))
    number = {"anyOf": [ref("number"), {"type": "array", "items": ref("number")}]}
    kinds = {"function": functions, "anew": {"type": "boolean"}, "value": number}
    actions: list[dict[str, Any]] = [{"const": "stop"}, ref("law")]
    for word, (kind, _, further) in WORDS.items():
        if word != "stop":
            actions.append(
                {
                    "type": "object",
                    "description": " ".join((kind.__doc__ or "").split("\n\n")[0].split()),
                    "properties": {word: name, **{one: kinds[one] for one in further}},
                    "required": [word, *(one for one in further if one != "anew")],
                    "additionalProperties": False,
                }
            )
    fields = declare(lw.Event).fields
    return {
        "type": "object",
        "description": declare(lw.Event).text,
        "properties": {
            "when": {"anyOf": [name, ref("law"), ref("measures")]},
            "value": {**of(fields["value"].kinds), "default": 0.0},
            "direction": {**of(fields["direction"].kinds), "default": "both"},
            "then": {"anyOf": [*actions, {"type": "array", "items": {"anyOf": actions}}]},
            "most": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
            "touches": {"type": "array", "items": name},
        },
        "required": ["when"],
        "additionalProperties": False,
    }
