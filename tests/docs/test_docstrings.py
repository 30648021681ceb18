"""The examples of docstrings run."""

import doctest
import importlib
import warnings

import numpy as np
import pytest

import linkwork as lw
from architecture.rooms import PACKAGE, source_files
from linkwork.result import quantities


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
