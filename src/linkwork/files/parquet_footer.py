"""The footer of a Parquet file, read here before pyarrow sees it: of some damage there, pyarrow ends the process.

The footer is a struct in the compact protocol of Thrift: before each field its type and the step of its number, numbers
as varints in zigzag.  `footer` gives structs as {number of field: value}, lists as lists, texts as bytes.

field       of FileMetaData (footer)    of RowGroup     of ColumnChunk      of ColumnMetaData
1                                       columns         file_path           type
2           schema                                                          encodings
3           num_rows                    num_rows        meta_data           path_in_schema
4           row_groups                                                      codec
5                                                                           num_values
6                                                                           total_uncompressed_size
7                                                                           total_compressed_size
"""

from __future__ import annotations

from typing import Any

from linkwork.errors import FileError, message

MAGIC = b"PAR1"
MOST_DEPTH = 12
DOUBLE = 5  # type
NONE, SNAPPY = 0, 1  # codecs
PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY = 0, 2, 3, 8  # encodings
TRUE, FALSE, BYTE, I16, I32, I64, FLOAT64, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


def footer(data: bytes) -> dict[int, Any]:
    """The footer of a file, or a FileError."""
    length = int.from_bytes(data[-8:-4], "little")
    if len(data) < 12 or data[-4:] != MAGIC or data[:4] != MAGIC or length > len(data) - 12:
        raise FileError(message("Parquet file", "was cut or damaged: it does not end as it should"))
    try:
        return _Compact(data[len(data) - 8 - length : -8]).struct(0)
    except (IndexError, RecursionError, ValueError) as error:
        raise FileError(message("Parquet file", "has a footer that is damaged")) from error


def columns(data: bytes) -> list[tuple[str, int, dict[int, Any]]]:
    """Every piece of every column: its name, the rows that it should have, and its metadata."""
    found = []
    try:
        for group in footer(data).get(4, []):
            for chunk in group[1]:
                if 1 in chunk:
                    raise FileError(message("A column of this file", "has its numbers in another file"))
                about = chunk[3]
                name = b".".join(about[3]).decode("utf-8")
                if not all(type(about[k]) is int for k in (1, 4, 5, 6, 7)) or type(group[3]) is not int:
                    raise TypeError
                found.append((name, group[3], {**about, 2: set(about[2])}))
    except (KeyError, TypeError, AttributeError, UnicodeDecodeError) as error:
        raise FileError(message("Parquet file", "has a footer that is damaged")) from error
    return found


class _Compact:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            one = self.byte()
            value |= (one & 0x7F) << shift
            if one < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise ValueError

    def zigzag(self) -> int:
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int) -> dict[int, Any]:
        if depth > MOST_DEPTH:
            raise ValueError
        found: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.zigzag()
            kind = head & 15
            found[number] = kind == TRUE if kind in (TRUE, FALSE) else self.value(kind, depth + 1)
        return found

    def value(self, kind: int, depth: int) -> Any:
        if kind in (I16, I32, I64):
            return self.zigzag()
        if kind == BINARY:
            length = self.varint()
            self.at += length
            if self.at > len(self.data):
                raise ValueError
            return self.data[self.at - length : self.at]
        if kind in (LIST, SET):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            if count > len(self.data) or depth > MOST_DEPTH:  # an entry has a byte at least
                raise ValueError
            return [self.value(head & 15, depth + 1) for _ in range(count)]
        if kind == STRUCT:
            return self.struct(depth)
        if kind == FLOAT64:
            self.at += 8
            return None
        if kind in (BYTE, TRUE, FALSE):
            return self.byte()
        raise ValueError  # maps: Parquet has none
