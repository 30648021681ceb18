"""`linkwork run --store` and `linkwork resume`."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.cli import main


def test_a_run_is_stopped_and_taken_up(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = ["run", "gallery:four_bar", "--duration", "3", "--every", "0.01", "--coordinates", "joint"]
    assert main([*run, "--store", "night", "--checkpoint", "5 s", "--most-steps", "20"]) == 1
    told, error = capsys.readouterr()
    assert "s of 3 s; `linkwork resume night` goes on\n" in told and "not finished" in told
    assert "lw." not in told and "allows. Allow more" in error and ".result" not in error
    assert main(["check-result", "night"]) == 0
    told = capsys.readouterr().out
    assert "; `linkwork resume night` goes on\n" in told and "lw." not in told
    assert main([*run, "--store", "night"]) == 2
    error = capsys.readouterr().err
    assert "go on with the run in it by linkwork resume FOLDER" in error.lower().replace("folder", "FOLDER")
    assert "lw." not in error
    assert main(["resume", "night", "--output", "all.csv"]) == 0
    told = capsys.readouterr().out
    assert "written to all.csv" in told and "finished already" not in told
    assert main(["resume", "night"]) == 0
    assert "This run was finished already." in capsys.readouterr().out
    assert main([*run, "--output", "once.csv"]) == 0
    assert np.array_equal(lw.load("all.csv")["A.angle"], lw.load("once.csv")["A.angle"])
    assert main(["check-result", "night"]) == 0
    assert main(["plot", "night", "--output", "angles.png"]) == 0
    assert (tmp_path / "angles.png").stat().st_size > 1000


def test_a_run_without_a_folder_does_not_speak_of_python(capsys):
    run = ["run", "gallery:four_bar", "--duration", "3", "--every", "0.01", "--coordinates", "joint"]
    assert main([*run, "--most-steps", "20"]) == 1
    assert "run.final" not in capsys.readouterr().out


def test_a_stopped_run_names_its_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(lw.errors.RunLimitError) as told:
        lw.gallery.four_bar().simulate(3.0, store="it's a night", most_steps=20, coordinates="joint")
    assert """; lw.resume("it's a night") goes on""" in told.value.result.ended
    (tmp_path / "it's a night").rename("moved")
    assert "; lw.resume('moved') goes on" in lw.load("moved").ended


def test_what_is_no_folder_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["resume", "nowhere"]) == 2
    assert "nowhere: is not there. Wanted the folder of a long run." in capsys.readouterr().err
    assert main(["resume", str(tmp_path)]) == 2
    assert "is no folder of a long run" in capsys.readouterr().err


def test_a_model_file_cannot_name_a_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = lw.gallery.path("pendulum").read_text()
    (tmp_path / "bad.yaml").write_text(
        text.partition("analysis:")[0] + "analysis: {type: simulate, duration: 1, store: x}\n"
    )
    assert main(["run", "bad.yaml"]) == 2
    assert "store" in capsys.readouterr().err and not (tmp_path / "x").exists()
