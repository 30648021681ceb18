"""From a path or a text to characters."""

import os

import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files.source import MOST_BYTES, open_source

HEAD = b"linkwork: 1\n"


def told(source):
    with pytest.raises(FileError) as caught:
        open_source(source)
    assert len(caught.value.problems) == 1
    return str(caught.value)


def write(tmp_path, data):
    path = tmp_path / "m.yaml"
    path.write_bytes(data)
    return path


def test_text_and_path(tmp_path):
    path = write(tmp_path, b"a: 1\r\nb: \xc3\xa9\r")
    found = open_source(path)
    assert (found.text, found.name, found.folder) == ("a: 1\nb: é\n", str(path), tmp_path)
    assert open_source("a: 1\n").folder is None
    assert open_source('{"a": 1}').name == "<text>"


def test_byte_order_mark_is_left_out(tmp_path):
    assert open_source(write(tmp_path, b"\xef\xbb\xbf" + HEAD)).text == HEAD.decode()
    assert lw.read("\ufeff" + HEAD.decode()).name == "mechanism"


def test_latin_1(tmp_path):
    path = write(tmp_path, HEAD + "name: Käfig\n".encode("latin-1"))
    assert told(path) == (
        f"{path}:2:8: The file is not UTF-8 text (Latin-1, perhaps). Got the byte 0xe4. Save it as UTF-8."
    )


def test_utf_16(tmp_path):
    assert "The file is in UTF-16. Save it as UTF-8." in told(write(tmp_path, "linkwork: 1\n".encode("utf-16")))


def test_control_character(tmp_path):
    path = write(tmp_path, HEAD + b"name: a\x1b[2J\n")
    assert told(path) == f"{path}:2:8: The file holds a control character. Got '\\x1b'. Remove it."
    assert "Got '\\x00'" in told("a: 1\nb: \0\n")


def test_too_large_is_not_read(tmp_path):
    path = tmp_path / "m.yaml"
    with open(path, "wb") as file:
        file.truncate(10_000_000)
    assert f"{path}: The file is too large. Got 10000000 bytes; wanted at most {MOST_BYTES}." == told(path)
    assert "The text is too large. Got 10000002 characters" in told("a\n" + "b" * 10_000_000)


def test_missing_file_names_its_neighbours(tmp_path):
    write(tmp_path, HEAD)
    path = tmp_path / "m2.yaml"
    assert told(path) == f"{path}: There is no such file. Nearest: 'm.yaml'."
    far = tmp_path / "nofile.yaml"  # of which only the ending is alike
    assert told(far) == f"{far}: There is no such file."
    assert "There is no such file." in told(tmp_path / "nowhere" / "m.yaml")


def test_what_is_no_plain_file(tmp_path):
    assert "cannot be read" in told(tmp_path) or "not a plain file" in told(tmp_path)
    assert "cannot be read" in told("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have no names here")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "m.yaml")
    assert "This is not a plain file." in told(tmp_path / "m.yaml")


def test_source_of_another_kind():
    assert "wanted a path or a text" in told(12)
