"""The command line as processes of its own: quick help, exit status, pipes, python -m."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCE = str(Path(__file__).parents[3] / "src")
ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCE, "LINKWORK_PROGRESS": "off", "MPLBACKEND": "Agg"}


def call(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "linkwork", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env=ENVIRONMENT,
        check=False,
        **options,
    )


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["run", "--help"]])
def test_help_loads_nothing_heavy(arguments):
    code = (
        "import sys\nfrom linkwork.cli import main\n"
        f"status = main({arguments!r})\n"
        "heavy = [m for m in ('numpy', 'numba', 'yaml', 'scipy', 'pandas') if m in sys.modules]\n"
        "sys.exit(status or len(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr


def test_help_is_quick_beside_python_itself():
    """No speed in seconds is asserted: help takes no longer than a few bare starts of Python."""

    def seconds(*command):
        best = float("inf")
        for _ in range(3):
            begin = time.perf_counter()
            subprocess.run([sys.executable, *command], capture_output=True, env=ENVIRONMENT, check=True)
            best = min(best, time.perf_counter() - begin)
        return best

    assert seconds("-m", "linkwork", "--help") < 12 * seconds("-c", "import argparse, dataclasses") + 0.1


def test_run_and_status(tmp_path):
    done = call("run", "gallery:four_bar", "--duration", "0.1", "--output", "a.csv", cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == "" and (tmp_path / "a.csv").is_file()
    done = call("run", "none.yaml", cwd=tmp_path)
    assert done.returncode == 2 and done.stdout == "" and "none.yaml" in done.stderr
    done = call("assemble", "gallery:four_bar", "--start", "A.angle=0", "--start", "rocker.angle=0", cwd=tmp_path)
    assert done.returncode == 1 and "Traceback" not in done.stderr


def test_json_can_be_piped(tmp_path):
    done = call("check", "gallery:andrews", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["freedom"] == 1
    assert "\x1b" not in call("evaluate", "gallery:pendulum", cwd=tmp_path).stdout


def test_a_pager_that_has_seen_enough(tmp_path):
    code = (
        "import subprocess, sys\n"
        "p = subprocess.Popen([sys.executable, '-m', 'linkwork', 'schema'], stdout=subprocess.PIPE)\n"
        "p.stdout.read(10); p.stdout.close(); sys.exit(p.wait())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr and "Exception" not in done.stderr
