"""Decisions have numbers of their own, and their titles say them."""

import re
from pathlib import Path

FILES = sorted((Path(__file__).parents[2] / "docs" / "decisions").glob("*.md"))


def test_each_number_once_from_one_on():
    assert [int(file.name[:4]) for file in FILES] == list(range(1, len(FILES) + 1))


def test_titles_say_the_number():
    for file in FILES:
        assert file.read_text(encoding="utf-8").startswith(f"# {int(file.name[:4])}. "), file.name


def test_decisions_that_are_referred_to_exist():
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for number in re.findall(r"decision (\d+)", text):
            assert 1 <= int(number) <= len(FILES), (file.name, number)
        for number, link in re.findall(r"\[(\d+)\]\((\d{4}-[\w-]+\.md)\)", text):
            assert int(number) == int(link[:4]) and (file.parent / link).exists(), (file.name, link)
