"""At most so many are kept, the last ones."""

from linkwork.analysis.kept import keep


def test_the_last_ones_are_kept():
    known = {}
    for k in range(6):
        keep(known, k, str(k), 4)
        assert list(known) == list(range(max(0, k - 3), k + 1))
    keep(known, 3, "again", 4)
    assert known == {2: "2", 4: "4", 5: "5", 3: "again"} and list(known)[-1] == 3
