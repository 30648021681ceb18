"""The command line in an empty folder."""

import pytest

from linkwork.cli import main


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    """Run a command in an empty folder; gives status, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = main([str(one) for one in arguments])
        caught = capsys.readouterr()
        return status, caught.out, caught.err

    return call
