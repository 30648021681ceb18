"""Files stay short enough to be read in one sitting."""

from architecture.rooms import PACKAGE, source_files

LIMIT = 450

# Longer files, each with its own limit and its reason. A file that is short again must leave the list.
LONGER: dict[str, tuple[int, str]] = {
    "errors.py": (480, "one family: errors and warnings, and how they are told"),
    "mechanism/functions.py": (475, "one family: the functions of time"),
    "mechanism/recipes.py": (485, "one thing: recipes, and where they take numbers and names"),
    "mechanism/mechanism.py": (510, "the methods of Mechanism, each a few lines that reach another room"),
    "result/result.py": (495, "the methods of Result, each a few lines that reach another file"),
    "view/space_symbols.py": (460, "one family: the symbols of joints in space"),
    "view/stage.py": (470, "one family: the marks and their places on the page"),
}


def lines(file):
    return len(file.read_text(encoding="utf-8").splitlines())


def test_files_are_below_the_limit():
    faults = []
    for file in source_files():
        name = file.relative_to(PACKAGE).as_posix()
        limit, _ = LONGER.get(name, (LIMIT, ""))
        if lines(file) > limit:
            faults.append(f"{name}: {lines(file)} lines, limit {limit}")
    assert not faults, "split them, or give the reason in LONGER:\n" + "\n".join(faults)


def test_the_list_of_longer_files_is_true():
    for name, (limit, reason) in LONGER.items():
        assert reason, f"{name}: a longer file needs a reason"
        assert limit > LIMIT, f"{name}: its limit is not above {LIMIT}"
        assert (PACKAGE / name).exists(), f"{name} does not exist any more"
        assert lines(PACKAGE / name) > LIMIT, f"{name} is short again: take it off the list"
