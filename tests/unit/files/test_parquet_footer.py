"""The footer of a Parquet file is read before pyarrow sees it."""

import io

import numpy as np
import pytest

from linkwork.errors import FileError
from linkwork.files import parquet_footer as pf

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def table(rows=100, count=20, **options):
    out = io.BytesIO()
    columns = {f"name {k}.x": np.arange(rows) * 0.1 + k for k in range(count)}
    parquet.write_table(pyarrow.table(columns), out, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    "options", [{"compression": "NONE", "use_dictionary": False}, {}, {"row_group_size": 17}, {"compression": "GZIP"}]
)
def test_it_says_what_pyarrow_says(options):
    data = table(**options)
    meta = parquet.read_metadata(io.BytesIO(data))
    assert pf.footer(data)[3] == meta.num_rows
    found = iter(pf.columns(data))
    for g in range(meta.num_row_groups):
        for k in range(meta.num_columns):
            name, rows, about = next(found)
            theirs = meta.row_group(g).column(k)
            assert (name, rows) == (theirs.path_in_schema, meta.row_group(g).num_rows)
            assert (about[5], about[6], about[7]) == (
                theirs.num_values,
                theirs.total_uncompressed_size,
                theirs.total_compressed_size,
            )
            assert about[1] == pf.DOUBLE and about[4] == {"UNCOMPRESSED": 0, "SNAPPY": 1, "GZIP": 2}[theirs.compression]
    assert next(found, None) is None


def test_every_damage_is_told():
    """Each byte of a footer, changed: the footer is read or refused, and nothing else is raised."""
    data = table(rows=3, count=2)
    length = int.from_bytes(data[-8:-4], "little")
    refused = 0
    for k in range(len(data) - 8 - length, len(data)):
        for value in (0, 0x7F, 0xFF, data[k] ^ 1):
            try:
                pf.columns(data[:k] + bytes([value]) + data[k + 1 :])
            except FileError:
                refused += 1
    assert refused > 100
    for cut in range(0, len(data), 7):
        with pytest.raises(FileError):
            pf.footer(data[:cut])
