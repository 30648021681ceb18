"""Kernels from a library that was compiled before: the same bits as by numba, without numba; never a stale one."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType, ModuleType

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.own_laws import own_laws

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import build_library  # noqa: E402  # of the folder that was named just now

#: states of all mechanisms of the gallery in all sets, as bits, and what was imported for them
GALLERY = """
import hashlib, json, sys
import numpy as np
import linkwork as lw
from linkwork.coordinates import SETS_OF

found = {}
for name in lw.gallery.names():
    mechanism = lw.read(lw.gallery.path(name))
    for coordinates in SETS_OF[mechanism.dimension]:
        try:
            run = mechanism.simulate(np.linspace(0.0, 0.5, 11), coordinates=coordinates)
        except lw.errors.LinkworkError as error:
            found[f"{name} {coordinates}"] = str(error)
            continue
        states = np.array([run.state(k).y for k in range(len(run.t))])
        bits = b"".join(np.ascontiguousarray(one).tobytes() for one in (states, run["energy.total"], run.multipliers))
        found[f"{name} {coordinates}"] = hashlib.sha256(bits).hexdigest()
print(json.dumps([found, sorted({"numba", "scipy", "llvmlite"} & sys.modules.keys())]))
"""


def test_the_same_bits_over_the_gallery(ask):
    by_library, imported = json.loads(ask(GALLERY))
    by_numba, _ = json.loads(ask(GALLERY, "off"))
    assert len(by_numba) > 2 * len(lw.gallery.names()) - 1
    assert sum(len(one) == 64 for one in by_numba.values()) > len(lw.gallery.names())
    assert by_library == by_numba
    assert imported == []


#: what a short run has no need of: each takes milliseconds of every start
UNNEEDED = """
numba scipy llvmlite numpy.ma numpy.polynomial multiprocessing concurrent.futures subprocess tempfile csv html difflib
linkwork.analysis.sweep linkwork.analysis.modes linkwork.analysis.check linkwork.mechanism.spatial_joints
linkwork.mechanism.couplings linkwork.mechanism.elements linkwork.view linkwork.textbook
""".split()


def test_a_command_loads_what_it_needs(ask):
    program = "import sys; from linkwork.cli import main; main(['run', 'gallery:four_bar', '-q']); print(*sys.modules)"
    loaded = set(ask(program).split())
    assert {"numpy", "yaml", "linkwork.analysis.simulate"} <= loaded
    assert [one for one in UNNEEDED if one in loaded] == []


#: every force and function of the product in a small mechanism each
ELEMENTS = """
import json, sys
import linkwork as lw
from linkwork.compiled import own_laws
from linkwork.compiled.laws import slot_key
from linkwork.kernels import jit, library

assert library.missing() == "" and jit.way.__name__.endswith("ready")
missing = [law.__qualname__ for law, source, _ in own_laws.own_laws() if not jit.slot(slot_key(law, source))]
def model():
    m = lw.Mechanism(dimension=3)
    ball = m.add("ball", lw.Body(mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0.3, 0.2, 0.1)))
    return m, ball
kinds = []
def check(name, *things):
    m, ball = model()
    for number, thing in enumerate(things):
        m.add(f"one{number}", thing(m, ball))
    m.simulate(0.01, coordinates="joint")
    kinds.append(name)
table = lw.Table((0.0, 0.5, 1.0, 2.0), (0.0, 3.0, 5.0, 12.0))
far = lambda m: m.ground.at(1.0, 0.0, 0.0)
here = lambda b: b.at(0.0, 0.0, 0.0)
whole = dict(stiffness=20.0, rest_length=0.4, damping=1.0, actuator=3.0)
check("spring", lambda m, b: lw.SpringDamper(far(m), here(b), **whole))
check("spring by table", lambda m, b: lw.SpringDamper(far(m), here(b), stiffness=table, rest_length=0.2))
timed = lw.Harmonic(1.0, 2.0), lw.Expression("2*sin(3*t)"), lw.SmoothStep(0.0, 0.0, 1.0, 2.0)
check("actuator", lambda m, b: lw.SpringDamper(far(m), here(b), stiffness=1.0, rest_length=0.2, actuator=timed[0]))
check("force", lambda m, b: lw.PointForce(here(b), x=1.0, y=timed[1], z=timed[2]))
check("bushing", lambda m, b: lw.Bushing(far(m), here(b), stiffness=(1.0,) * 6, damping=(0.1,) * 6))
print(json.dumps([missing, kinds, "numba" in sys.modules]))
"""


def test_elements_of_the_product_need_no_numba(ask):
    missing, kinds, compiled = json.loads(ask(ELEMENTS))
    assert missing == [] and len(kinds) == 5 and not compiled


USERS = """
import sys
import linkwork as lw
m = lw.gallery.four_bar()
way = lw.Distance(m.ground.at(0.0, 0.0), m["coupler"].at(0.1, 0.0))
m.add("mine", lw.UserForce(way, lambda length, rate, t: 3.0 - 2.0 * length))
run = m.simulate(0.2, coordinates="joint")
print("numba" in sys.modules, run.final.y.tobytes().hex())
"""


def test_laws_of_users_are_compiled_beside_the_library(ask):
    by_library, by_numba = ask(USERS).split(), ask(USERS, "off").split()
    assert by_library == by_numba and by_library[0] == "True"


# -- a library that does not fit ---------------------------------------------------------------------------------------
SAYS = (
    "from linkwork.kernels import library; print(library.load() is not None, library.needs_numba(), library.missing())"
)


def installed(library: Path, folder: Path) -> Path:
    """A copy of the package with its library, as a wheel leaves it."""
    clone = folder / "linkwork"
    shutil.copytree(ROOT / "src" / "linkwork", clone, ignore=shutil.ignore_patterns("__pycache__", "_library*"))
    (clone / "kernels" / "_library.so").write_bytes(library.read_bytes())
    return clone


def test_a_library_of_other_sources_is_refused(library, ask, tmp_path):
    clone = installed(library, tmp_path)
    environment = {"PYTHONPATH": str(tmp_path), "LINKWORK_LIBRARY": ""}
    assert ask(SAYS, **environment).split() == ["True", "False"]
    kernel = clone / "kernels" / "motion.py"
    kernel.write_text(kernel.read_text() + "# edited\n")
    assert ask(SAYS, **environment).startswith("False True") and "made from other sources" in ask(SAYS, **environment)


FALL = """
import sys
import linkwork as lw
from linkwork.kernels import jit
m = lw.Mechanism()
m.add("ball", lw.Particle(1.0, position=(0.0, 0.0)))
print(jit.way.__name__, m.simulate(1.0, coordinates="body", method="dop853")["ball.y"][-1])
"""


@pytest.mark.slow
def test_an_edited_kernel_is_compiled(library, ask, tmp_path):
    clone = installed(library, tmp_path)
    environment = {"PYTHONPATH": str(tmp_path), "LINKWORK_LIBRARY": "", "LINKWORK_CACHE": str(tmp_path / "cache")}
    way, fallen = ask(FALL, **environment).split()
    assert way.endswith("ready") and float(fallen) == pytest.approx(-9.81 / 2)
    kernel = clone / "kernels" / "motion.py"
    text = kernel.read_text()
    assert text.count("w[h + i] = p[weight + i]") == 1
    kernel.write_text(text.replace("w[h + i] = p[weight + i]", "w[h + i] = 2.0 * p[weight + i]"))
    way, fallen = ask(FALL, **environment).split()
    assert way.endswith("compiling") and float(fallen) == pytest.approx(-9.81)  # twice the weight


def test_laws_call_nothing_of_other_files():
    """The name of a law in a library holds the hash of its own file alone."""

    def called(function, seen):
        for name in function.__code__.co_names:
            one = function.__globals__.get(name)
            if isinstance(one, FunctionType) and one not in seen:
                seen.add(one)
                called(one, seen)
            assert not (isinstance(one, ModuleType) and one.__name__.startswith("linkwork"))
        return seen

    laws = [law for law, _, _ in own_laws()]
    assert len(laws) > 15
    for law in laws:
        assert {one.__module__ for one in called(law, set())} <= {law.__module__}


def test_an_edited_law_is_compiled(library, ask, tmp_path):
    law = installed(library, tmp_path) / "mechanism" / "forces.py"
    text = law.read_text()
    assert text.count("return -stiffness * (value - rest)") == 1
    law.write_text(text.replace("return -stiffness * (value - rest)", "return -2.0 * stiffness * (value - rest)"))
    said = ask(
        "import linkwork as lw\n"
        "m = lw.Mechanism(gravity=None)\n"
        "b = m.add('b', lw.Particle(1.0, position=(2.0, 0.0)))\n"
        "m.add('s', lw.SpringDamper(m.ground.at(0, 0), b.at(0, 0), stiffness=3.0, rest_length=1.0))\n"
        "print(m.simulate(0.5, coordinates='body', rtol=1e-9)['b.x'][-1])",
        PYTHONPATH=str(tmp_path),
    )
    assert float(said) == pytest.approx(1.0 + np.cos(0.5 * np.sqrt(6.0)), rel=1e-7)  # twice the stiffness, 6 N/m


@pytest.mark.parametrize("content", [b"", b"no library at all" * 100])
def test_a_file_that_is_no_library_is_refused(ask, tmp_path, content):
    file = tmp_path / "broken.so"
    file.write_bytes(content)
    assert "cannot be loaded" in ask(SAYS, str(file))
    assert ask(SAYS, str(tmp_path / "none.so")).startswith("False True this installation has none")


def test_one_without_a_hash_is_refused(ask, tmp_path):
    if not shutil.which("cc"):
        pytest.skip("no C compiler")
    (tmp_path / "one.c").write_text("int one(void) { return 1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", "one.so", "one.c"], cwd=tmp_path, check=True)
    assert "made from other sources" in ask(SAYS, str(tmp_path / "one.so"))


# -- installations -----------------------------------------------------------------------------------------------------
WRITES = """
import os, sys
written = []
def look(event, given):
    if event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        written.append(str(given[0]))
    elif event in ("os.mkdir", "os.rename", "os.remove", "os.chmod", "os.symlink"):
        written.append(f"{event} {given[0]}")
sys.addaudithook(look)
import linkwork as lw
lw.read(lw.gallery.path("four_bar")).simulate(1.0, coordinates="joint")
print(written)
open(os.devnull, "w").close()
print(written)
"""


def test_a_run_writes_nothing(library, ask, tmp_path):
    """So it makes no difference to it whether the installation, or the home, can be written."""
    installed(library, tmp_path)
    environment = {"PYTHONPATH": str(tmp_path), "LINKWORK_LIBRARY": "", "LINKWORK_CACHE": str(tmp_path / "cache")}
    said = ask(WRITES, PYTHONDONTWRITEBYTECODE="1", **environment).splitlines()
    assert said == ["[]", f"['{os.devnull}']"]  # the second one was written on purpose
    assert not (tmp_path / "cache").exists()


def test_two_processes_at_once(library, ask, tmp_path):
    installed(library, tmp_path)
    environment = {"PYTHONPATH": str(tmp_path), "LINKWORK_LIBRARY": "", "LINKWORK_CACHE": str(tmp_path / "cache")}
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: ask(USERS, **environment), range(4)))
    assert len(set(told)) == 1 and len(told[0].split()) == 2


def test_an_archive_is_refused(library, ask, tmp_path):
    installed(library, tmp_path / "folder")
    archive = shutil.make_archive(str(tmp_path / "package"), "zip", tmp_path / "folder")
    said = ask(
        "try:\n    import linkwork\nexcept ImportError as error:\n    print(error)", "off", PYTHONPATH=str(archive)
    )
    assert "inside of an archive" in said and "Install it with pip" in said and str(archive) in said


def test_info_says_which_way(library, ask):
    program = "import linkwork.cli as c, sys; sys.exit(c.main(['info']))"
    by_library, by_numba = ask(program), ask(program, "off")
    assert str(library) in by_library and "from a library" in by_library
    assert [line.split(None, 1) for line in by_numba.splitlines()][2:4] == [
        ["kernels", "compiled by numba"],
        ["library", "LINKWORK_LIBRARY=off"],
    ]
    for words in (by_library, by_numba):
        assert f"linkwork {lw.__version__}" in words and f"numpy {np.__version__}" in words


# -- the builder -------------------------------------------------------------------------------------------------------
def test_names_that_a_library_asks_for_are_read_and_checked(library):
    found = build_library.undefined(library.read_bytes())
    assert {"sin", "cos"} <= found <= build_library.ALLOWED | build_library.OF_THE_LINKER
    build_library.refuse("library", found, build_library.ALLOWED | build_library.OF_THE_LINKER)
    with pytest.raises(SystemExit, match=r"asks for PyErr_Occurred, which"):
        build_library.refuse("library", found | {"PyErr_Occurred"}, build_library.ALLOWED | build_library.OF_THE_LINKER)


def test_the_newest_version_of_the_c_library_is_read(library):
    assert build_library.newest_glibc(b"\0GLIBC_2.2.5\0GLIBC_2.29\0GLIBC_2.3\0") == (2, 29)
    assert build_library.newest_glibc(library.read_bytes()) >= (2, 2) and build_library.newest_glibc(b"none") == (0, 0)


def test_every_kernel_that_is_called_at_an_address_is_in_it(library, ask):
    told = ask(
        "from importlib import import_module\n"
        "from pkgutil import walk_packages\n"
        "import linkwork.kernels\n"
        "for one in walk_packages(linkwork.kernels.__path__, 'linkwork.kernels.'):\n"
        "    if not one.name.endswith('._library'):\n"
        "        import_module(one.name)\n"
        "from linkwork.kernels import compiling, library\n"
        "print(*(library.symbol_of(one.py_func) for one in compiling.exported()))",
        "off",
    ).split()
    from linkwork.kernels.library import Library

    loaded = Library(library)
    assert len(told) > 40 and len(set(told)) == len(told)
    assert [name for name in told if not loaded.address(name)] == []
