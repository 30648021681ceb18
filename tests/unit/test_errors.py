"""The hierarchy of errors and the form of their messages."""

import copy
import os
import pickle
import subprocess
import warnings

import pytest

import linkwork as lw
from linkwork import errors
from linkwork.errors import AnalysisError, LinkworkError, UnknownNameError, message, nearest_names, plural

PARENTS = {
    errors.DescriptionError: (LinkworkError, ValueError),
    errors.UnknownAttributeError: (errors.DescriptionError, AttributeError),
    errors.UnknownNameError: (errors.DescriptionError, KeyError),
    errors.ArgumentError: (errors.DescriptionError, TypeError),
    errors.OutOfPlaneError: (errors.DescriptionError,),
    errors.UnitError: (errors.DescriptionError,),
    errors.FileError: (errors.DescriptionError,),
    errors.CompileError: (LinkworkError, ValueError),
    errors.NotConnectedError: (errors.CompileError,),
    errors.MissingPackageError: (LinkworkError, ImportError),
    errors.AnalysisError: (LinkworkError, RuntimeError),
    errors.AssemblyError: (errors.AnalysisError,),
    errors.ConvergenceError: (errors.AnalysisError,),
    errors.RunLimitError: (errors.AnalysisError,),
    errors.SingularConfigurationError: (errors.AnalysisError,),
    errors.DeadCentreError: (errors.SingularConfigurationError,),
    errors.UserFunctionError: (errors.AnalysisError,),
    errors.LinkworkWarning: (UserWarning,),
    errors.SearchWarning: (errors.LinkworkWarning,),
    errors.SingularOrientationWarning: (errors.LinkworkWarning,),
    errors.SweepWarning: (errors.LinkworkWarning,),
    errors.UncompiledWarning: (errors.LinkworkWarning, RuntimeWarning),
    errors.UndeterminedWarning: (errors.LinkworkWarning,),
    errors.BoundsWarning: (errors.LinkworkWarning,),
    errors.KinkWarning: (errors.LinkworkWarning,),
    errors.MisfitWarning: (errors.LinkworkWarning,),
    errors.RedundancyWarning: (errors.LinkworkWarning,),
    errors.RunQualityWarning: (errors.LinkworkWarning,),
    errors.MotionEndsWarning: (errors.LinkworkWarning,),
    errors.MovedWarning: (errors.LinkworkWarning,),
    errors.UnlikelyAngleWarning: (errors.LinkworkWarning,),
    errors.UnlikelyDriverWarning: (errors.LinkworkWarning,),
    errors.UnlikelyInertiaWarning: (errors.LinkworkWarning,),
    errors.UnlikelyJointWarning: (errors.LinkworkWarning,),
}


@pytest.mark.parametrize("error", PARENTS, ids=lambda error: error.__name__)
def test_parents(error):
    for parent in PARENTS[error]:
        assert issubclass(error, parent)


def test_every_error_is_listed_here_and_in_the_public_list():
    defined = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)}
    assert defined == set(PARENTS) | {LinkworkError}
    assert {error.__name__ for error in defined} <= set(errors.__all__)


def test_message_has_its_parts_in_order():
    text = message("Body 'crank'", "has a mass below zero", -1.0, "a number >= 0", "Give mass= in kg")
    assert text == ("Body 'crank' has a mass below zero. Got -1.0; wanted a number >= 0. Give mass= in kg.")


def test_message_leaves_out_what_is_not_given():
    assert message("Joint 'A'", "has no body.") == "Joint 'A' has no body."
    assert message("Joint 'A'", "is odd", got="'x'") == "Joint 'A' is odd. Got 'x'."
    assert message("Joint 'A'", "is odd", wanted="a Frame") == "Joint 'A' is odd. Wanted a Frame."
    assert message("Joint 'A'", "is odd", remedy="Mend it!") == "Joint 'A' is odd. Mend it!"


def test_message_does_not_lose_a_zero():
    assert "Got 0.0." in message("Rod 'r'", "has no length", got=0.0)


def test_unknown_name_reads_as_a_message_not_as_a_quoted_key():
    error = UnknownNameError("body", "cranck", ["crank", "rocker"], "mechanism 'x'")
    assert str(error) == ("There is no body 'cranck' in mechanism 'x'. Nearest: 'crank'. Known: 'crank', 'rocker'.")
    assert error.nearest == ("crank",)


def test_unknown_name_without_place_neighbours_or_names():
    assert str(UnknownNameError("joint", "Q", ["A"])) == "There is no joint 'Q'. Known: 'A'."
    assert str(UnknownNameError("joint", "Q")) == "There is no joint 'Q'. No joint is known there."


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("mechanism 'x'", "'Q' in mechanism 'x'."),
        ("in mechanism 'x'", "'Q' in mechanism 'x'."),
        ("on body 'b'", "'Q' on body 'b'."),
        ("of Joint 'A'", "'Q' of Joint 'A'."),
    ],
)
def test_unknown_name_takes_the_place_with_or_without_a_preposition(where, words):
    assert str(UnknownNameError("name", "Q", ["A"], where)).startswith(f"There is no name {words}")


def test_unknown_name_counts_long_lists():
    error = UnknownNameError("body", "zz", [f"link{k}" for k in range(errors.LISTED_NAMES + 5)])
    assert "and 5 more." in str(error)
    assert f"'link{errors.LISTED_NAMES}'" not in str(error)


def test_unknown_name_is_caught_as_key_value_and_own_error():
    for kind in (KeyError, ValueError, LinkworkError):
        with pytest.raises(kind, match="There is no body"):
            raise UnknownNameError("body", "x", [])


def test_unknown_name_survives_copy_and_pickle():
    error = UnknownNameError("body", "cranck", ["crank"], "mechanism 'x'")
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert str(twin) == str(error)
        assert twin.known == ("crank",)


@pytest.mark.parametrize(
    ("name", "nearest"), [("Crank", ["crank"]), ("rockr", ["rocker"]), ("crank.angel", ["crank.angle"]), ("zzz", [])]
)
def test_nearest_names(name, nearest):
    assert nearest_names(name, ["crank", "rocker", "crank.angle"])[: len(nearest) or 1] == nearest


def test_nearest_names_keep_names_that_differ_only_in_case():
    assert set(nearest_names("aa", ["AA", "Aa"])) == {"AA", "Aa"}


@pytest.mark.parametrize(
    "error", [error for error in PARENTS if issubclass(error, AnalysisError)], ids=lambda e: e.__name__
)
def test_analysis_errors_carry_what_was_reached(error):
    assert error("stopped").result is None
    reached = error("stopped at t = 0.3 s", result={"t": 0.3})
    assert reached.result == {"t": 0.3}
    assert str(reached) == "stopped at t = 0.3 s"
    assert pickle.loads(pickle.dumps(reached)).result == {"t": 0.3}


def test_a_warning_shows_the_line_of_the_caller(recwarn):
    m = lw.Mechanism("gears", gravity=None)
    one, two = (m.add(name, lw.disc(0.3, 1.0, position=(x, 0))) for name, x in (("one", 0.0), ("two", 1.0)))
    m.add("A", lw.Revolute(m.ground, one))
    m.add("B", lw.Revolute(m.ground.at(1, 0), two))
    m.add("G", lw.Gear(one, two, 0.3, 0.3))
    warnings.simplefilter("always")
    for ask in (m.assemble, m.check, lambda: m.simulate(0.1, coordinates="body"), lambda: m.verify(0.1)):
        ask()
        assert recwarn.pop(lw.errors.MisfitWarning).filename == __file__


def test_one_filter_for_all_that_is_shown():
    assert errors.printable("a\x1b[2Jb\x07\u202ec\ud800\n\td é") == "a\\x1b[2Jb\\x07\\u202ec\\ud800\n\td é"
    assert errors.printable("a\nb", lines=False) == "a\\x0ab"
    assert message("\x1b[2J", "is wrong", got="\u202e", remedy="\x07") == "\\x1b[2J is wrong. Got \\u202e. \\x07."
    with pytest.warns(errors.LinkworkWarning, match=r"^\\x1b$"):
        errors.warn("\x1b", errors.LinkworkWarning)


@pytest.mark.skipif(os.name != "posix", reason="quotes are those of a POSIX shell")
@pytest.mark.parametrize("name", ["a b.yaml", "$(rm -rf x).yaml", "it's.yaml", "`id`", "-rf", "linkwork[io]", "a;b&c"])
def test_commands_can_be_copied(name):
    told = errors.command("printf", "%s|", name, "--output", "x y.nc")
    assert told.startswith("`") and told.endswith("`")
    done = subprocess.run(["sh", "-c", told[1:-1]], capture_output=True, text=True, check=True)
    assert done.stdout == f"{name}|--output|x y.nc|"


def test_one_body_and_two_bodies():
    assert [plural(n, "body") for n in (0, 1, 2)] == ["0 bodies", "1 body", "2 bodies"]
    assert plural(2, "run") == "2 runs" and plural(3, "way") == "3 ways"
