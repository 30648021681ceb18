"""Names show what they are: what cannot be shown, or not written and read again, is refused."""

import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, FileError
from linkwork.mechanism.checks import MOST_NAME

BAD = {
    "NUL": "a\0b",
    "escape": "a\x1b[2Jb",
    "end of line": "a\nb",
    "return": "a\rb",
    "tab": "a\tb",
    "C1": "a\x9bb",
    "delete": "a\x7fb",
    "half": "a\ud800b",
    "right to left": "a\u202eb",
    "isolate": "a\u2066b",
    "line": "a\u2028b",
    "mark of order": "a\ufeffb",
    "no character": "a\uffffb",
    "long": "a" * (MOST_NAME + 1),
}


@pytest.mark.parametrize("name", BAD.values(), ids=BAD)
def test_names_that_cannot_be_shown_are_refused(name):
    m = lw.Mechanism("m")
    for refuse in (
        lambda: m.add(name, lw.Particle(1.0)),
        lambda: lw.Mechanism(name),
        lambda: lw.Body(1.0, 1.0, points={name: (0, 0)}),
    ):
        with pytest.raises(DescriptionError) as caught:
            refuse()
        assert str(caught.value).isprintable()
    assert not m.bodies


GOOD = ["é" * MOST_NAME, "\ue000" * MOST_NAME, "a\u00a0b", "车轮", "👩\u200d🔧", "=1+1", "'", '"']


@pytest.mark.parametrize("name", GOOD)
def test_names_that_can_be_shown_come_back(name):
    m = lw.Mechanism(name)
    m.add(name, lw.Particle(1.0))
    for form in ("yaml", "json"):
        assert lw.read(lw.to_text(m, form)) == m


@pytest.mark.parametrize("written", [r'"a\x1b[2Jb"', r'"a\0b"', r'"a\rb"', r'"a\u202eb"', "a" * (MOST_NAME + 1)])
def test_files_are_refused_with_the_line(written):
    for text in (f"linkwork: 1\nbodies:\n  {written}: {{mass: 1}}\n", f"linkwork: 1\n\nname: {written}\n"):
        with pytest.raises(FileError) as caught:
            lw.read(text)
        assert [problem.line for problem in caught.value.problems] == [3]
        assert str(caught.value).replace("\n", "").isprintable()
