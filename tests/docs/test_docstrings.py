"""Docstrings of public names: their examples run, they say the arguments with their units, and of a joint what it
holds, leaves free and reads, as the joint itself declares it."""

import doctest
import importlib
import inspect
import warnings

import numpy as np
import pytest

import linkwork as lw
from architecture.rooms import PACKAGE, source_files
from linkwork.mechanism.checks import meanings
from linkwork.result import quantities

NAMES = [name for name in lw.__all__ if name != "__version__"]
CALLED = [name for name in NAMES if not inspect.ismodule(getattr(lw, name))]
JOINTS = [name for name in CALLED if isinstance(getattr(lw, name), type) and issubclass(getattr(lw, name), lw.Joint)]
#: made by the product, not by those who use it
FOUND = ("Result", "State", "Prepared")


def modules_with_examples():
    found = []
    for file in source_files():
        if ">>> " in file.read_text(encoding="utf-8") and "kernels" not in file.parts:
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


@pytest.mark.parametrize("module", modules_with_examples())
def test_examples_run(module, tmp_path, monkeypatch):
    """`lw` is linkwork and `np` numpy, as everywhere in the documents; files are written to an empty folder."""
    monkeypatch.chdir(tmp_path)
    quantities.load()
    registered, fixed = list(quantities.REGISTRY), set(quantities._FIXED)
    home = importlib.import_module(module)
    finder, runner = doctest.DocTestFinder(exclude_empty=True), doctest.DocTestRunner(verbose=False)
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("error", lw.errors.LinkworkWarning)
        for test in finder.find(home, module, globs={**vars(home), "__name__": "__main__", "lw": lw, "np": np}):
            runner.run(test, out=told.append)
    quantities.REGISTRY[:], _ = registered, quantities._FIXED.intersection_update(fixed)
    assert runner.tries and not runner.failures, "".join(told)


@pytest.mark.parametrize("name", [name for name in CALLED if name not in FOUND])
def test_arguments_are_named_with_their_units(name):
    value = getattr(lw, name)
    owners = value.__mro__ if isinstance(value, type) else (value,)
    texts = "\n".join(inspect.getdoc(one) or "" for one in owners if one.__module__.startswith("linkwork"))
    own = " ".join(inspect.getdoc(value).split())
    for key, argument in inspect.signature(value).parameters.items():
        if argument.kind is argument.VAR_KEYWORD:
            continue
        assert f"`{key}" in texts or f"{key} [" in texts or f"({key}" in texts, f"{name} does not say what {key} is"
        meaning = meanings(value).get(key)
        if meaning is not None and meaning.unit:
            assert f"{key} [{meaning.unit}]" in own, f"{name} does not say the unit of {key}, [{meaning.unit}]"


def declared(kind):
    """What a joint says of itself: held rows and freedom in the plane and in space, and its readings."""
    joint = kind(lw.Frame("ground"), lw.Frame("body"), **kind.sample)
    said = []
    for dimension, (word, all_of_it) in {2: ("Plane", 3), 3: ("Space", 6)}.items():
        if dimension in kind.dimensions:
            labels = [row.label for row in joint.rows(dimension)]
            said.append(f"{word}: holds {', '.join(labels) or 'nothing'}; freedom {all_of_it - len(labels)}.")
    readings = ", ".join(joint.readings())
    return "  ".join([*said, f"Reads {readings}." if readings else "Reads nothing."])


@pytest.mark.parametrize("name", [name for name in JOINTS if name not in ("Joint", "Hold")])
def test_joints_say_what_they_hold_leave_and_read(name):
    kind = getattr(lw, name)
    words = " ".join(inspect.getdoc(kind).split())
    assert " ".join(declared(kind).split()) in words, f"the docstring of {name} should say:\n{declared(kind)}"
