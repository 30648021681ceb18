"""The public list: every name resolves, is documented, and importing it loads nothing heavy."""

import ast
import inspect
import json
import os
import subprocess
import sys
from dataclasses import is_dataclass

import pytest

from architecture.rooms import PACKAGE

HEAVY = ["scipy.integrate", "scipy.sparse", "scipy.optimize", "numba", "llvmlite", "xarray", "matplotlib", "pandas"]


def public_names():
    import linkwork

    return list(linkwork.__all__)


def loaded_after(code):
    """Return which heavy packages a fresh process has loaded after running the code."""
    script = f"import sys, json\n{code}\nprint(json.dumps([m for m in {HEAVY!r} if m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, env=environment(), check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def environment():
    return {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "LINKWORK_PROGRESS": "off", "MPLBACKEND": "Agg"}


def test_list_has_no_doubles():
    names = public_names()
    assert names and len(names) == len(set(names))


@pytest.mark.parametrize("name", public_names())
def test_name_resolves_and_is_documented(name):
    import linkwork

    value = getattr(linkwork, name)
    if not (inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value)):
        return  # a number or a string, such as __version__
    text = inspect.getdoc(value)
    assert text, f"linkwork.{name} has no docstring"
    if inspect.isclass(value):
        assert value.__doc__, f"linkwork.{name} has no docstring of its own"
    if is_dataclass(value):  # dataclasses write their signature there when there is none
        assert not text.startswith(f"{value.__name__}("), f"linkwork.{name} has no docstring"


@pytest.mark.parametrize("name", [name for name in public_names() if name != "__version__"])
def test_name_has_an_example(name):
    import linkwork

    # a doctest: tests/docs/test_docstrings.py runs it
    assert ">>> " in (inspect.getdoc(getattr(linkwork, name)) or ""), f"linkwork.{name} has no example"


def test_dir_is_the_list():
    import linkwork

    assert dir(linkwork) == sorted(linkwork.__all__)


def test_the_list_is_what_type_checkers_read():
    import linkwork

    listed, parts = [], ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8")).body
    for statement in parts[1:]:
        if isinstance(statement, ast.AnnAssign):
            public, listed = listed, []
            continue
        assert isinstance(statement, ast.ImportFrom)
        [named] = statement.names  # one name a line, exported by `as`
        assert named.asname == named.name
        listed.append(named.name)
    assert sorted(public) == linkwork.__all__
    assert listed and not set(listed) & set(dir(linkwork))
    for helper in listed:
        assert callable(getattr(linkwork, helper)), helper


def test_version():
    import linkwork
    from linkwork import _version

    assert linkwork.__version__ == _version.__version__


def test_unknown_name_is_an_attribute_error():
    import linkwork

    with pytest.raises(AttributeError, match="Mechanismm"):
        linkwork.Mechanismm


def test_importing_loads_nothing_heavy():
    assert loaded_after("import linkwork") == []


def test_version_does_not_read_the_metadata():
    code = "import linkwork; linkwork.__version__\nassert 'importlib.metadata' not in sys.modules"
    assert loaded_after(code) == []


def test_describing_a_mechanism_loads_nothing_heavy():
    code = (
        "import linkwork as lw\n"
        "m = lw.Mechanism('pendulum', dimension=2)\n"
        "bar = m.add('bar', lw.bar(length=1.0, mass=1.0))\n"
        "m.add('A', lw.Revolute(m.ground.at(0, 0), bar.a))\n"
    )
    assert loaded_after(code) == []


@pytest.mark.slow
def test_a_simulation_loads_neither_scipy_nor_pictures_nor_tables():
    code = (
        "import linkwork as lw\n"
        "m = lw.Mechanism('pendulum', dimension=2)\n"
        "bar = m.add('bar', lw.bar(length=1.0, mass=1.0))\n"
        "m.add('A', lw.Revolute(m.ground.at(0, 0), bar.a))\n"
        "run = m.simulate(0.1, every=0.05, start={'A.angle': 0.3}, coordinates='body')\n"
        "run['A.angle']\n"
    )
    # numba itself opens scipy.linalg, for its BLAS; nothing else of scipy is opened
    assert set(loaded_after(code)) <= {"numba", "llvmlite"}


#: constructors whose arguments are read by rules of their own, of many kinds each
OF_MANY_KINDS = ("Mechanism", "Particle", "Sum", "UserForce")


def called():
    """What users call: public names, and methods of what they work with."""
    import linkwork as lw

    for name in public_names():
        value = getattr(lw, name)
        if (inspect.isclass(value) or inspect.isroutine(value)) and name not in OF_MANY_KINDS:
            yield name, value
    for kind in (lw.Mechanism, lw.Result, lw.State, lw.Prepared):
        for name, value in inspect.getmembers(kind, callable):
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", value


def test_what_users_call_has_types():
    faults = []
    for name, value in called():
        signature = inspect.signature(value)
        bare = [
            one.name
            for one in signature.parameters.values()
            if one.annotation is one.empty and one.name not in ("self", "cls")
        ]
        returns = inspect.isclass(value) or signature.return_annotation is not signature.empty
        if bare or not returns:
            faults.append(f"{name}: {', '.join(bare) or 'what it returns'}")
    assert not faults, "\n".join(faults)
