"""Makes the bytes of archives by hand, piece by piece, as the page ArchiveFormat.md describes them."""

from __future__ import annotations

from archive_reader import POOLS, SEGMENT, SEGMENTED, XXH3, xxh3_64, xxhash64

MAGIC = bytes.fromhex("4D419E")


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def zigzag(number: int) -> bytes:
    return varint((number << 1 ^ number >> 63) & (1 << 64) - 1)


def name(text: str) -> bytes:
    """A text with a varint length."""
    return varint(len(text.encode())) + text.encode()


def member(type_: int, key: str) -> bytes:
    """A member of a tuple, structure or class in its longest form."""
    return b"\xf0" + varint(type_) + name(key)


def sealed(content: bytes, flags: int) -> bytes:
    """Head and body with the seal that belongs to them."""
    hash64 = xxh3_64 if flags & XXH3 else xxhash64
    seal = b""
    if flags & SEGMENTED:
        parts = (content[at : at + SEGMENT] for at in range(0, len(content), SEGMENT))
        seal = b"".join(hash64(part).to_bytes(8, "little") for part in parts)
    return content + seal + hash64(seal if seal else content).to_bytes(8, "little")


def archive(body: bytes, flags: int = XXH3, versions: int = 0x11) -> bytes:
    return sealed(MAGIC + bytes([versions, flags]) + varint(len(body)) + body, flags)


def root_archive(type_: int, column: bytes, entries: tuple[bytes, ...] = (), flags: int = XXH3, pools: bytes = b"") -> bytes:
    """An archive of no objects and one root with the key `r`."""
    section = varint(len(pools)) + pools if flags & POOLS else b""
    table = varint(len(entries)) + b"".join(entries)
    return archive(table + section + b"\0" + b"\1\1r" + varint(type_) + varint(len(column)) + column, flags)


def array_archive(
    type_: int, rows: int, column: bytes, entries: tuple[bytes, ...] = (), flags: int = XXH3, pools: bytes = b""
) -> bytes:
    """An array (which is entry 0) of so many elements of a type."""
    return root_archive(64, zigzag(rows) + column, (b"\2" + varint(type_), *entries), flags, pools)


def block_archive(entries: bytes, rows: int, block: bytes, flags: int = XXH3) -> bytes:
    """One block of the class that is entry 0; no root."""
    return archive(entries + b"\1" + varint(64) + varint(rows) + varint(len(block)) + b"\0" + block, flags)


def column_archive(table: bytes, type_: int, rows: int, column: bytes) -> bytes:
    """The archive around a column of the page: the type table goes on with a class `C` without properties, of which
    there are two objects, and an array of the type; the one root is such an array of so many elements."""
    count = table[0]
    class_type, array_type = varint(64 + count), varint(65 + count)
    entries = table[1:] + b"\x80" + name("C") + b"\2" + varint(type_)
    value = zigzag(rows) + column
    roots = b"\1" + name("root") + array_type + varint(len(value)) + value
    return archive(bytes([count + 2]) + entries + b"\1" + class_type + b"\2\1" + roots + b"\0")


def entries_archive(table: bytes) -> bytes:
    """The archive around a type table of the page: it goes on with a class `C` that has a property of each entry's type,
    with the places of the entries as keys. There is no object and no root."""
    count = table[0]
    members = b"".join(member(64 + index, str(index)) for index in range(count))
    last = b"\x9f" + varint(count) + name("C") + members
    return archive(bytes([count + 1]) + table[1:] + last + b"\0\0")
