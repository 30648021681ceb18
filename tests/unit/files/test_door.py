"""Result files of strangers: nothing else is opened, and nothing is read that was not looked at."""

import io
import json
import os
import resource

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery
from linkwork.errors import FileError, RunLimitError
from linkwork.files import digests

h5py = pytest.importorskip("h5py")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture(scope="module")
def run():
    return gallery.four_bar().simulate(0.5, every=0.05, rtol=1e-9, coordinates="body")


@pytest.fixture
def netcdf(run, tmp_path):
    run.to_netcdf(tmp_path / "run.nc", ["A.angle"])
    return tmp_path / "run.nc"


def refused(path, *words):
    """By both doors, with the name of the file and without a word of what others hold."""
    for door in (lw.load, lw.check_result):
        with pytest.raises(FileError) as caught:
            door(path)
        for word in (str(path), *words):
            assert word in str(caught.value)
        assert "secret" not in str(caught.value) and str(caught.value).isprintable()


def replaced(path, name, make):
    """The file with another dataset under a name."""
    with h5py.File(path, "r+") as file:
        group = file["linkwork"]
        count = len(group[name])
        del group[name]
        make(group, name, count)
    return path


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_bytes(b"secret: " * 5000)
    return str(path)


@pytest.mark.parametrize("name", ["manifest", "mechanism", "states", "t"])
class TestOtherFiles:
    """A file that makes its reader open others."""

    def kind(self, name):
        return "u1" if name in ("manifest", "mechanism") else "<f8"

    def test_external_storage(self, netcdf, secret, name):
        replaced(
            netcdf,
            name,
            lambda group, name, count: group.create_dataset(
                name, (count,), self.kind(name), external=[(secret, 0, h5py.h5f.UNLIMITED)]
            ),
        )
        refused(netcdf, f"{name!r} in this file is not stored as Linkwork stores it", "in another file")

    def test_external_storage_in_a_pipe(self, netcdf, tmp_path, name):
        """It would wait for ever."""
        os.mkfifo(tmp_path / "pipe")
        replaced(
            netcdf,
            name,
            lambda group, name, count: group.create_dataset(
                name, (count,), self.kind(name), external=[(str(tmp_path / "pipe"), 0, h5py.h5f.UNLIMITED)]
            ),
        )
        refused(netcdf, "in another file")

    def test_virtual(self, netcdf, tmp_path, name):
        with h5py.File(tmp_path / "other.h5", "w") as other:
            other["x"] = np.frombuffer(b"secret: " * 9000, "u1").astype(self.kind(name))

        def virtual(group, name, count):
            layout = h5py.VirtualLayout((count,), self.kind(name))
            layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "x", (72000,))[:count]
            group.create_virtual_dataset(name, layout)

        replaced(netcdf, name, virtual)
        refused(netcdf, "virtual")

    def test_links(self, netcdf, tmp_path, name):
        with h5py.File(tmp_path / "other.h5", "w") as other:
            other["x"] = np.frombuffer(b"secret: " * 100, "u1").astype(self.kind(name))
        for link in (h5py.ExternalLink(str(tmp_path / "other.h5"), "x"), h5py.SoftLink("/time")):
            with h5py.File(netcdf, "r+") as file:
                del file["linkwork"][name]
                file["linkwork"][name] = link
            refused(netcdf, f"{name!r} in this file is a link")

    @pytest.mark.parametrize(
        "filters",
        [{"compression": "gzip"}, {"shuffle": True}, {"fletcher32": True}, {"compression": "lzf"}, {"scaleoffset": 3}],
    )
    def test_filters(self, netcdf, name, filters):
        if "scaleoffset" in filters and name in ("manifest", "mechanism"):
            pytest.skip("of whole numbers")
        replaced(
            netcdf,
            name,
            lambda group, name, count: group.create_dataset(
                name, (count,), self.kind(name), chunks=(count,), **filters
            ),
        )
        refused(netcdf, "packed, or goes through a filter")

    def test_pieces(self, netcdf, name):
        replaced(
            netcdf,
            name,
            lambda group, name, count: group.create_dataset(name, (count,), self.kind(name), chunks=(count,)),
        )
        refused(netcdf, "in pieces")

    @pytest.mark.parametrize("kind", ["<i8", ">f8", "<f4", "S8", h5py.string_dtype(), h5py.ref_dtype, "<c16"])
    def test_types(self, netcdf, name, kind):
        replaced(netcdf, name, lambda group, name, count: group.create_dataset(name, (count,), kind))
        refused(netcdf, "its type is")

    def test_no_storage(self, netcdf, name):
        """Numbers that were never written, of any count."""
        replaced(netcdf, name, lambda group, name, count: group.create_dataset(name, (10**9,), self.kind(name)))
        refused(netcdf)


def test_the_group_may_not_be_a_link(netcdf, tmp_path):
    os.link(netcdf, tmp_path / "other.nc")
    with h5py.File(tmp_path / "evil.nc", "w") as file:
        file["linkwork"] = h5py.ExternalLink(str(tmp_path / "other.nc"), "linkwork")
    refused(tmp_path / "evil.nc", "is a link")


def test_a_netcdf_of_others_is_told(tmp_path):
    with h5py.File(tmp_path / "x.nc", "w") as file:
        file["a"] = 1.0
    refused(tmp_path / "x.nc", "no group 'linkwork'")


def test_the_first_format_is_told(netcdf):
    with h5py.File(netcdf, "r+") as file:
        del file["linkwork"]["manifest"]
        file["linkwork"].attrs["manifest"] = "{}"
    refused(netcdf, "is a result in format 1, without digests", "Run the mechanism again")


# -- packed and false tables -------------------------------------------------------------------------------------------


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forged(run, path, times):
    """A manifest that declares any number of times, with the seal that belongs to it."""
    run.to_parquet(path, ["A.angle"])
    meta = dict(parquet.read_schema(path).metadata)
    manifest = json.loads(meta[b"linkwork result"])
    manifest.pop("seal")
    manifest["stored"]["t"]["shape"] = [times]
    manifest["stored"]["states"]["shape"][0] = times
    meta[b"linkwork result"] = digests.canonical(digests.sealed(manifest)).encode()
    return meta


@pytest.mark.parametrize("how", ["dictionary", "snappy", "gzip", "split", "short", "text"])
def test_a_packed_table_is_refused_before_it_is_read(run, how, tmp_path):
    """Forty million numbers in a few kilobytes; with a million times it took gigabytes."""
    times = 2_000_000
    meta = forged(run, tmp_path / "run.parquet", times)
    states = run.stored()["states"].shape[1]
    zeros = pyarrow.array(np.zeros(times))
    names = ["time", *(f"state[{k}]" for k in range(states))]
    arrays = [zeros] * len(names)
    if how == "short":
        arrays = [one.slice(0, 11) for one in arrays]
    if how == "text":
        arrays[1] = pyarrow.array(["x"] * times)
    options = {
        "dictionary": {"compression": "NONE"},
        "snappy": {"compression": "SNAPPY", "use_dictionary": False},
        "gzip": {"compression": "GZIP", "use_dictionary": False},
        "split": {"compression": "GZIP", "use_dictionary": False, "use_byte_stream_split": True},
    }.get(how, {})
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(zip(names, arrays))).replace_schema_metadata(meta), out, **options)
    (tmp_path / "run.parquet").write_bytes(out.getvalue())
    before = peak()
    refused(tmp_path / "run.parquet")
    assert peak() - before < 200


def test_states_are_counted_by_the_manifest(run, tmp_path):
    """A body that is called as a column of states: it was counted as one."""
    m = gallery.pendulum()
    m.add("state[0]", lw.Particle(mass=1.0))
    again = m.simulate(0.1, every=0.05, coordinates="body")
    again.to_parquet(tmp_path / "run.parquet")
    np.testing.assert_array_equal(lw.load(tmp_path / "run.parquet").stored()["states"], again.stored()["states"])


# -- all of a file -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["nc", "parquet", "csv", "json"])
def test_all_of_a_file_is_checked(run, form, tmp_path):
    path = tmp_path / f"run.{form}"
    run.save(path)
    found = lw.check_result(path)
    assert (found.times, found.first, found.last) == (11, 0.0, 0.5) and found.series == ("time", *run.names)
    assert found.mechanism == "four-bar" and found.version == lw.__version__
    assert "whole result" in str(found) and str(path) in str(found)


def test_the_check_says_that_a_run_was_not_finished(tmp_path):
    with pytest.raises(RunLimitError) as stopped:
        lw.gallery.four_bar().simulate(5.0, every=0.05, coordinates="body", most_steps=20)
    stopped.value.result.save(tmp_path / "run.json")
    found = str(lw.check_result(tmp_path / "run.json"))
    assert "whole" not in found and "nothing is damaged" in found and "stopped at t = " in found and "of 5 s" in found


def test_a_series_that_was_changed_is_found_by_the_check_alone(run, tmp_path):
    path = tmp_path / "run.nc"
    run.to_netcdf(path)
    with h5py.File(path, "r+") as file:
        file["D.angle"][3] += 1e-12
    np.testing.assert_array_equal(lw.load(path)["D.angle"], run["D.angle"])  # computed from the states, not read
    with pytest.raises(FileError, match=r"The series 'D\.angle' in this file was changed"):
        lw.check_result(path)


def test_a_unit_that_was_changed_is_found(run, tmp_path):
    path = tmp_path / "run.nc"
    run.to_netcdf(path)
    with h5py.File(path, "r+") as file:
        file["D.angle"].attrs["units"] = np.bytes_("deg")
    with pytest.raises(FileError, match=r"another unit.*'deg'.*'rad'"):
        lw.check_result(path)
    with h5py.File(path, "r+") as file:
        file["D.angle"].attrs["units"] = "rad"  # in a heap, where HDF5 may search for ever
    with pytest.raises(FileError, match="is no text of fixed length"):
        lw.check_result(path)


def test_what_was_added_is_found(run, tmp_path):
    run.to_netcdf(tmp_path / "run.nc")
    with h5py.File(tmp_path / "run.nc", "r+") as file:
        file["mine"] = 1.0
    run.to_json(tmp_path / "run.json")
    whole = json.loads((tmp_path / "run.json").read_text())
    whole["mine"] = 1.0
    (tmp_path / "run.json").write_text(json.dumps(whole))
    for name in ("run.nc", "run.json"):
        lw.load(tmp_path / name)
        with pytest.raises(FileError, match=r"holds more than Linkwork wrote.*'mine'"):
            lw.check_result(tmp_path / name)
