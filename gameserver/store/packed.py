"""A finished session's log as one value: a fifth of what the stream takes, for nothing will be appended any more.

    format (1 byte, 1) · version (4) · id of the last commit (16) · length of the last commit (4) · the last commit
    · number of ids that are kept whole (1) · these, the latest (16 each) · the others' first bytes (4 each) · columns
    · CRC-32 of all that (4)

Integers are big-endian. What an append that is repeated must find stands in front, where the store's scripts read it.
The columns, compressed by raw LZMA, are the commits' MessagePack turned on its side: like fields beside each other.

Ids are random and can't be compressed, so only the latest are kept whole; of the others enough is kept to tell them
apart. A shortened one ends in zeros (`is_commit` compares).
"""

import functools
import lzma
import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from gameserver.session.events import UnreadableCommit

FORMAT: Final = 1
WHOLE_IDS: Final = 16
SHORT: Final = 4
HEADER: Final = 21
"""So many bytes tell format, version and last id."""
ID_BYTES: Final = 16
_CUT: Final = bytes(ID_BYTES - SHORT)
_HEADER: Final = struct.Struct(">BI16s")
_NUMBER: Final = struct.Struct(">I")
# Small contexts: a few kB of small numbers teach the coder too little for large ones.
_FILTERS: Final = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 18, "lc": 1, "lp": 0, "pb": 0, "preset": 9}]
_PACKED_AT_HAND: Final = 4

Commits = Sequence[tuple[bytes, bytes]]
"""Id and contents of each commit of a log."""


class PackedHead(NamedTuple):
    """Version and id of the last commit."""

    version: int
    id: bytes


def pack(commits: Commits) -> bytes:
    """The packed form of a whole log, which must not be empty. Contents that are no commits of ours are kept, too."""
    last_id, last = commits[-1]
    contents = [each for _, each in commits[:-1]]
    columns = _columns(contents)
    if columns is None or list(_rows(columns)) != contents:
        columns = [contents]
    whole = min(WHOLE_IDS, len(commits))
    cut = len(commits) - whole
    packed = b"".join(
        [
            _HEADER.pack(FORMAT, len(commits), last_id),
            _NUMBER.pack(len(last)),
            last,
            bytes([whole]),
            *(each for each, _ in commits[cut:]),
            *(each[:SHORT] for each, _ in commits[:cut]),
            lzma.compress(msgspec.msgpack.encode(columns), lzma.FORMAT_RAW, filters=_FILTERS),
        ]
    )
    return packed + _NUMBER.pack(zlib.crc32(packed))


def packed_head(packed: bytes) -> PackedHead:
    """Read from the first `HEADER` bytes. Raises UnreadableCommit: another release's format."""
    written, version, last = _HEADER.unpack_from(packed)
    if written != FORMAT:
        raise UnreadableCommit(f"a packed log of format {written}; this release reads {FORMAT}")
    return PackedHead(version, last)


@functools.lru_cache(_PACKED_AT_HAND)  # a long log is read in several pieces
def unpack(packed: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Id and contents of each commit; old ids are shortened. Raises UnreadableCommit."""
    if len(packed) < _HEADER.size + _NUMBER.size:
        raise UnreadableCommit("a packed log that was cut off")
    version, _ = packed_head(packed)
    packed, check = packed[: -_NUMBER.size], packed[-_NUMBER.size :]
    if _NUMBER.pack(zlib.crc32(packed)) != check:
        raise UnreadableCommit("a damaged packed log")
    at = _HEADER.size + _NUMBER.size
    (length,) = _NUMBER.unpack_from(packed, _HEADER.size)
    last, at = packed[at : at + length], at + length
    whole, at = packed[at], at + 1
    kept = [packed[first : first + ID_BYTES] for first in range(at, at + whole * ID_BYTES, ID_BYTES)]
    at += whole * ID_BYTES
    end = at + (version - whole) * SHORT
    ids = [packed[first : first + SHORT] + _CUT for first in range(at, end, SHORT)] + kept
    columns = msgspec.msgpack.decode(lzma.decompress(packed[end:], lzma.FORMAT_RAW, filters=_FILTERS))
    contents = [*(columns[0] if len(columns) == 1 else _rows(columns)), last]
    return tuple(zip(ids, contents, strict=True))


def is_commit(stored: bytes, commit_id: bytes | None) -> bool:
    """Whether a log's id, perhaps shortened, is that of this commit."""
    return stored == commit_id or (
        commit_id is not None and stored.endswith(_CUT) and stored[:SHORT] == commit_id[:SHORT]
    )


def _columns(contents: Sequence[bytes]) -> list[Any] | None:
    """The commits' fields, those of like events beside each other; None where one is not `[schema, by, at, events]`.

    Shapes are (tag, number of fields). Times are differences, for they are long and close together.
    """
    shapes: dict[tuple[Any, int], int] = {}
    fields: list[list[list[Any]]] = []
    schemas, sides, times, counts, order = [], [], [], [], []
    before = 0
    try:
        for each in contents:
            schema, by, at, events = msgspec.msgpack.decode(each)
            schemas.append(schema)
            sides.append(by)
            times.append(at - before)
            before = at
            counts.append(len(events))
            for tag, *rest in events:
                shape = shapes.setdefault((tag, len(rest)), len(shapes))
                if shape == len(fields):
                    fields.append([[] for _ in rest])
                order.append(shape)
                for column, value in zip(fields[shape], rest, strict=True):
                    column.append(value)
    except (msgspec.DecodeError, RecursionError, TypeError, ValueError):
        return None
    return [list(shapes), schemas, sides, times, counts, order, fields]


def _rows(columns: Sequence[Any]) -> Iterator[bytes]:
    """The commits that were turned into these columns."""
    shapes, schemas, sides, times, counts, order, fields = columns
    unread = [[iter(column) for column in shape] for shape in fields]
    shape_of_next = iter(order)
    at = 0
    for schema, by, passed, count in zip(schemas, sides, times, counts, strict=True):
        at += passed
        events = []
        for _ in range(count):
            shape = next(shape_of_next)
            events.append([shapes[shape][0], *(next(column) for column in unread[shape])])
        yield msgspec.msgpack.encode([schema, by, at, events])
