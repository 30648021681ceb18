"""Model files: nothing is lost on the way to a file and back, and no file, however made, does harm.

The fuzz is seeded, so every run tries the same files.  Each is read or refused by a `FileError` whose lines begin with
a place; nothing else may be raised.  None may take longer than two seconds of the processor's time, and the process
that reads them must never have needed more than 200 MB, all of Python included; both are looked at after every file.
"""

import random
import re
import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import linkwork as lw
from campaign import campaign, count
from linkwork.errors import FileError
from linkwork.files.fmt import format_text
from linkwork.files.plain import load_plain
from property.draws import examples
from property.fuzz import mutated, seeds, try_to_read
from property.hostile_files import HEAD, HOSTILE
from property.strategies import Rejections, plans
from property.watch import watch, watched

SECONDS = 2.0
MEGABYTES = 200


# -- round trip ------------------------------------------------------------------------------------------------------

numbers = st.floats(allow_nan=False, allow_infinity=False)
shown = {
    "exclude_categories": ("Cs", "Cc", "Zl", "Zp"),  # and marks of direction, of order, and no characters
    "exclude_characters": ".\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\ufffe\uffff",
}
words = st.text(st.characters(**shown), min_size=1, max_size=12).filter(
    lambda name: name == name.strip() and name not in ("ground", "system", "energy", "time", "t")
)


def round_trip(m, laws=None):
    for format in ("yaml", "json"):
        text = lw.to_text(m, format)
        again = lw.read(text, laws=laws)
        assert again == m and lw.digest(again) == lw.digest(m)
        written = lw.to_text(again, format)  # quantities that Python wrote with units are plain numbers now
        assert lw.to_text(lw.read(written, laws=laws), format) == written
    return again


@examples(60)
@given(plans(most=5, loops=2, damped=True))
def test_random_mechanisms_come_back(plan):
    m = plan.build()
    again = round_trip(m)
    for family in ("bodies", "joints", "forces"):
        assert dict(getattr(m, family)) == dict(getattr(again, family))


@examples(10)
@given(plans(most=3, loops=1))
def test_random_mechanisms_move_alike(plan):
    m = plan.build()
    assume(Rejections().well_conditioned(m.evaluate(coordinates="body")))
    again = round_trip(m)
    first, second = (one.simulate(0.2, every=0.05, coordinates="body") for one in (m, again))
    for name in m.bodies:
        assert np.array_equal(first[f"{name}.x"], second[f"{name}.x"])
        assert np.array_equal(first[f"{name}.angle"], second[f"{name}.angle"])


@examples(200)
@given(
    st.text(st.characters(**shown), max_size=30),
    words,
    words,
    st.tuples(numbers, numbers),
    st.tuples(numbers, numbers),
    st.floats(0.0, 1e300),
)
def test_any_names_and_numbers_come_back(title, body, joint, place, center, mass):
    assume(body != joint)
    m = lw.Mechanism(title)
    one = m.add(body, lw.Body(mass, mass, center=center, position=place, points={"a": place}))
    m.add(joint, lw.Revolute(m.ground.at(*place), one.a))
    again = round_trip(m)
    assert again.name == title and again.bodies[body].center == center and again.bodies[body].mass == mass


@examples(50)
@given(st.lists(numbers, min_size=4, max_size=4).filter(lambda q: 1e-3 < max(map(abs, q)) < 1e3))
def test_orientations_keep_every_digit(q):
    m = lw.Mechanism("m", dimension=3)
    m.add("b", lw.Body(1.0, (1.0, 1.0, 1.0), orientation=tuple(np.array(q) / np.linalg.norm(q))))
    assert round_trip(m).bodies["b"].orientation == m.bodies["b"].orientation


@pytest.mark.parametrize("name", lw.gallery.names())
def test_the_gallery_comes_back(name):
    m = lw.gallery.get(name)
    round_trip(m)
    assert lw.read(lw.gallery.path(name)) == m
    text = lw.gallery.path(name).read_text()
    assert lw.read(format_text(text)) == m


# -- fuzz ------------------------------------------------------------------------------------------------------------


@campaign
@watched
@pytest.mark.parametrize("part", range(8))
def test_fuzz(part):
    """12,800 files in eight parts, of which 10,240 are mutations of good files, the others random text and bytes.

    What is read is written and read again, as the same.
    """
    number = count(1600)
    read, worst = watch("property.fuzz:read_spoilt", part, number, seconds=SECONDS, megabytes=MEGABYTES)
    assert 0 < read < number  # some changes do no harm
    print(
        f"model files, part {part}: {number} spoilt, {number - read} refused, all with file and line; {read} read, "
        f"written and read again as the same; 0 tracebacks, 0 crashes; {worst}"
    )


@pytest.mark.parametrize("part", range(2))
def test_fuzz_of_the_formatter(part):
    """Layout is put in order without a change of meaning, once and for all."""
    rng = random.Random(2000 + part)
    good = [text for text in seeds() if len(text) < 6000]
    for _ in range(100):
        text = mutated(rng.choice(good), rng)
        try:
            before = load_plain(text + "\n")
            found = format_text(text + "\n")
        except FileError:
            continue
        assert load_plain(found) == before
        assert format_text(found) == found
        assert re.findall(r"#.*", found) == re.findall(r"#.*", text) or "\r" in text


# -- named cases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name, tmp_path):
    text, told = HOSTILE[name]
    read, seconds = try_to_read(text, tmp_path)
    assert not read and seconds < SECONDS
    with pytest.raises(FileError) as caught:
        lw.read(tmp_path / "m.yaml")
    assert told in str(caught.value)
    begin = time.process_time()
    try:
        format_text(text if isinstance(text, str) else text.decode("latin-1"))
    except FileError:
        pass  # only its syntax counts for the layout
    assert time.process_time() - begin < 2 * SECONDS  # half of it on a machine with nothing else to do
    assert str(caught.value).replace("\n", "").isprintable()


def test_names_that_only_look_bad_are_names(tmp_path):
    assert try_to_read(
        "\ufeff" + HEAD + "name: <b>\nbodies: {<script>: {mass: 1}, 'DROP TABLE': {mass: 1}}\n", tmp_path
    )[0]
    assert list(lw.read(tmp_path / "m.yaml").bodies) == ["<script>", "DROP TABLE"]


@watched
def test_memory_stays_bounded(tmp_path):
    """The hostile files and the largest that are read."""
    large = [
        HEAD + "bodies:\n" + "".join(f"  b{k}: {{mass: 1, inertia: 2}}\n" for k in range(9_999)),
        HEAD + "bodies: {b: {mass: 1, outline: [[line, [" + "[0, 1], " * 30_000 + "[1, 1]]]]}}\n",
    ]
    paths = []
    for k, text in enumerate([*(text for text, _ in HOSTILE.values()), *large]):
        paths.append(tmp_path / f"{k}.yaml")
        paths[-1].write_bytes(text if isinstance(text, bytes) else text.encode())
    read, worst = watch("property.fuzz:read_files", *map(str, paths), seconds=2 * SECONDS, megabytes=MEGABYTES)
    assert read == len(large)
    print(worst)


@watched
def test_the_watch_can_bite():
    with pytest.raises(AssertionError, match=r"needs \d+ MB, more than 3"):
        watch("property.fuzz:read_spoilt", 0, 10, seconds=SECONDS, megabytes=3)
    with pytest.raises(AssertionError, match=r"takes [\d.]+ s, more than 1e-06"):
        watch("property.fuzz:read_spoilt", 0, 10, seconds=1e-6, megabytes=MEGABYTES)
