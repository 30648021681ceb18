"""Result files and how they are spoilt: bits, bytes, cuts, pieces moved, and manifests forged with their seal."""

import copy
import csv
import json
import random
import tempfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

import linkwork as lw
from linkwork import gallery
from linkwork.analysis.switching import switch
from linkwork.errors import FileError
from linkwork.files import result_binary, result_text
from linkwork.files.result_content import content_of

CODECS = {
    "nc": result_binary.NetCDF,
    "parquet": result_binary.Parquet,
    "csv": result_text.CSV,
    "json": result_text.JSON,
}
SERIES = ["A.angle", "C.reaction.x", "energy.total"]
NASTY = [
    None,
    True,
    -1,
    0,
    1,
    2,
    7,
    10**9,
    10**18,
    10**30,
    1e308,
    0.5,
    "",
    "x",
    "\x1b[2J",
    "\ud800",
    "../../etc/passwd",
    "nan",
    [],
    [1],
    [[1]],
    [10**9, 10**9],
    {},
    {"a": 1},
    "body",
    "joint",
    "0" * 64,
    "x" * 5000,
]


def example():
    """A four-bar whose pin C lets go on the way: a result of two segments."""
    m = gallery.four_bar()
    run = m.simulate(0.14, every=0.02, rtol=1e-9, coordinates="body")
    loose = switch(run.final, release="C").state
    return run + m.simulate(0.16, every=0.02, start=loose, rtol=1e-9, coordinates="body")


def spoilt_bytes(data, rng):
    """A file with something wrong in its bytes."""
    bad, way = bytearray(data), rng.randrange(10)
    k = rng.randrange(len(bad))
    if way < 5:
        bad[k] ^= 1 << rng.randrange(8)
    elif way == 5:
        for _ in range(rng.randrange(2, 30)):
            bad[rng.randrange(len(bad))] = rng.choice([0, 255, rng.randrange(256)])
    elif way == 6:
        del bad[k:]
    elif way == 7:
        del bad[k : k + rng.choice([1, 2, 8, 512, 4096])]
    elif way == 8:
        bad[k:k] = rng.choice([b"0", b"\0" * 8, b"\xff" * 8, bytes(bad[:200]), rng.randbytes(16)])
    else:
        j, n = rng.randrange(len(bad)), rng.choice([4, 8, 64, 512])
        bad[k : k + n] = bad[j : j + n]
    return bytes(bad)


def places(tree, way=()):
    """Ways to all values in a tree of JSON."""
    yield way
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree[:5]) if isinstance(tree, list) else ()
    for key, value in inside:
        yield from places(value, (*way, key))


def forged(content, codec, rng):
    """Files of an author who knows how seals are made, and declares anything."""
    whole = json.loads(json.dumps(content.manifest))
    for _ in range(rng.randint(1, 2)):
        *way, last = rng.choice([way for way in places(whole) if way])
        tree = whole
        try:
            for key in way:
                tree = tree[key]
            tree[last] = copy.deepcopy(rng.choice(NASTY))  # the second change may go into it
        except (KeyError, IndexError, TypeError):
            continue  # the first change took it away
    try:
        return codec.encode(type(content)(whole, content.mechanism, content.stored, content.columns))
    except (TypeError, KeyError, AttributeError, ValueError):  # what cannot be written at all
        return codec.encode(content)


def same(one, other, all_of_it):
    for key, value in one.stored().items():
        if not np.array_equal(np.asarray(value), np.asarray(other.stored()[key])):
            return False
    same_words = not all_of_it or (
        dict(one.manifest) == dict(other.manifest)
        and one.title == other.title
        and asdict(one.statistics) == asdict(other.statistics)
        and one.coordinates == other.coordinates  # a word too: who seals it may name another set, with the same states
    )
    same_mechanism = lw.digest(one.mechanism) == lw.digest(other.mechanism)
    return same_words and same_mechanism


def series_for_others(path, form):
    """What another program reads: names, units and numbers, without a line of ours."""
    if form == "nc":
        import h5py

        with h5py.File(path, "r") as file:
            return {name: (bytes(file[name].attrs["units"]), file[name][...].tolist()) for name in ("time", *SERIES)}
    if form == "parquet":
        from pyarrow import parquet

        table = parquet.read_table(path)
        return {
            name: (table.schema.field(name).metadata[b"unit"].decode(), table.column(name).to_pylist())
            for name in ("time", *SERIES)
        }
    if form == "csv":
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        units = json.loads(Path(f"{path}.json").read_text())["units"]
        return {name: (units[name], [float(row[k]) for row in rows[1:]]) for k, name in enumerate(rows[0])}
    found = json.loads(Path(path).read_text())["series"]
    return {name: (found[name]["unit"], found[name]["values"]) for name in ("time", *SERIES)}


def told_well(error, path, form):
    """Every refusal begins with the file, and where that is text that cannot be parsed, has the line."""
    text = str(error)
    assert text.startswith(str(path)), text
    assert text.replace("\n", "").isprintable(), text
    if "is not JSON" in text or "is not UTF-8" in text:
        place = text.removeprefix(str(path)).removeprefix(".json" if form == "csv" else "")
        assert form in ("nc", "parquet") or (place[:1] == ":" and place[1:].split(":")[0].isdigit()), text


def try_results(form, seed, count):
    """Spoil, load and check, for `watch`; counts what was loaded, what passed the check, and what was forged."""
    run, rng, codec = example(), random.Random(f"{form} {seed}"), CODECS[form]
    content = content_of(run, SERIES)
    files = codec.encode(content)
    loaded = passed = forgeries = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"run.{form}"
        run.save(path, SERIES)
        wanted = series_for_others(path, form)
        for k in range(count):
            forge = k % 4 == 3
            if forge:
                bad = forged(content, codec, rng)
                forgeries += 1
            else:
                which = rng.randrange(len(files))
                bad = tuple(spoilt_bytes(one, rng) if j == which else one for j, one in enumerate(files))
            for ending, data in zip(codec.endings, bad, strict=True):
                Path(f"{path}{ending}").write_bytes(data)
            try:
                back = lw.load(path)
                assert same(run, back, not forge), f"changed unseen: {form} {seed} {k}"
                loaded += 1
            except FileError as error:
                told_well(error, path, form)
            try:
                lw.check_result(path)
                assert series_for_others(path, form) == wanted, f"a series changed unseen: {form} {seed} {k}"
                passed += 1
            except FileError as error:
                told_well(error, path, form)
            yield f"{form} {seed} {k}"
    return {"loaded": loaded, "passed": passed, "forged": forgeries}


def read_again(count):
    """Load results in all formats, again and again, for `watch`; returns by how many megabytes the process grew."""
    run = example()
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"run.{form}" for form in CODECS]
        for path in paths:
            run.save(path, SERIES)
        first = 0.0
        for k in range(count):
            lw.load(paths[k % len(paths)])["A.angle"]
            if k == count // 4:
                first = resident()
            yield str(k)
        return resident() - first


def resident():
    """Megabytes that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6
