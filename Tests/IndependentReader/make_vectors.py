#!/usr/bin/env python3
"""Makes the test vectors for readers of archives: python3 make_vectors.py > ../ArchivistTests/Fixtures/Vectors/vectors.json

A list of objects: `name`, `hex` (the bytes of an archive), and either `json` (what is in it, as the page ArchiveJSON.md describes it) or `refused` (why a
reader must not accept it). First the examples of the page, then those that are written down here: frames, tables and values at their edges.
The values of those are written by hand in the calls of `value`, `array` and `properties`, and compared with what the Python reader says; the JSON
around them is the reader's.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import Any

import archive_reader
from archive_assembler import (
    archive,
    array_archive,
    block_archive,
    column_archive,
    entries_archive,
    member,
    name,
    root_archive,
    sealed,
    varint,
    zigzag,
)
from archive_reader import FILLED, POOLS, SEGMENTED, SIMPLE, XXH3
from page_examples import COLUMN, ENTRIES, REFUSED_COLUMN, REFUSED_ENTRIES, page_examples


class Vectors:
    """The vectors so far."""

    def __init__(self) -> None:
        self.all: list[dict[str, Any]] = []

    def add(self, title: str, data: bytes) -> Any:
        """An archive with what the reader says is in it."""
        content = json.loads(archive_reader.json_text(data))
        self.all.append({"name": title, "hex": data.hex(), "json": content})
        return content

    def value(self, title: str, data: bytes, expected: Any) -> None:
        """An archive with one root, whose value is known."""
        found = self.add(title, data)["roots"][0]["value"]
        assert found == expected and repr(found) == repr(expected), (title, found)

    def array(self, title: str, type_: int, rows: int, column: bytes, expected: list[Any], *entries: bytes) -> None:
        """An array, entry 0, of so many elements; the other entries begin with number 65."""
        self.value(title, array_archive(type_, rows, column, entries), expected)

    def properties(self, title: str, data: bytes, *expected: list[Any]) -> None:
        """An archive of objects of one level, whose properties are known."""
        found = [level["properties"] for item in self.add(title, data)["objects"] for level in item["levels"]]
        assert found == list(expected), (title, found)

    def refused(self, title: str, data: bytes, reason: str) -> None:
        try:
            archive_reader.json_text(data)
        except archive_reader.ArchiveError:
            self.all.append({"name": title, "hex": data.hex(), "refused": reason})
            return
        raise AssertionError(f"{title} is read")


def doubles(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}d", *values)


def decimal(exponent: int, head: int, *digits: int) -> bytes:
    return struct.pack("<bBH8H", exponent, head, 0, *digits, *[0] * (8 - len(digits)))


def class_entry(title: str, *members: bytes, superclass: int = 0) -> bytes:
    head = 0x80 | len(members) | (0x20 if superclass else 0)
    return bytes([head]) + name(title) + (varint(superclass) if superclass else b"") + b"".join(members)


def page(vectors: Vectors) -> None:
    examples, archives = page_examples()
    for number, example in enumerate(archives, start=1):
        vectors.add(f"page: archive {number}", example.content)
    for example in examples:
        if example.form in (COLUMN, REFUSED_COLUMN):
            table, column = example.content("type table"), example.content("bytes")
            data = column_archive(table, int(example["type"]), int(example["rows"]), column)
        elif example.form in (ENTRIES, REFUSED_ENTRIES):
            data = entries_archive(example.content("type table"))
        else:
            continue
        if "refused" in example.form:
            vectors.refused(f"page: {example['example']}", data, example["refused"])
        else:
            vectors.add(f"page: {example['example']}", data)


def frames(vectors: Vectors) -> None:
    number = b"\0\0" + b"\1\1n\1\1" + b"\x54"  # one root `n`: 42
    vectors.value("frame: the hash of older archives", archive(number, 0), 42)
    vectors.value("frame: one segment", archive(number, XXH3 | SEGMENTED), 42)
    vectors.value("frame: one segment, the hash of older archives", archive(number, SEGMENTED), 42)
    vectors.value("frame: version 2 that readers of version 1 understand", archive(number, versions=0x21), 42)
    vectors.value("frame: filled, with no filling", archive(number, XXH3 | FILLED), 42)
    filled = archive(number + bytes(65_536 - 6 - len(number)), XXH3 | FILLED | SEGMENTED)
    vectors.value("frame: two segments", filled, 42)
    vectors.value("frame: varints that are longer than needed", archive(b"\x80\0\x80\0\x81\x80\0\1n\x81\0\x82\0\xd4\0"), 42)
    empty = vectors.add("frame: neither roots nor objects", archive(b"\0\0\0"))
    assert empty["roots"] == [] and empty["objects"] == []
    vectors.value("frame: the empty key", archive(b"\0\0\1\0\1\1\x54"), 42)
    simple = b"\1" + class_entry("E") + b"\0"
    vectors.properties("frame: simple, without properties", archive(simple, XXH3 | SIMPLE), [])
    vectors.properties("frame: simple, the hash of older archives", archive(simple, SIMPLE), [])
    vectors.properties("frame: simple, one segment", archive(simple, XXH3 | SIMPLE | SEGMENTED), [])

    good = archive(number)
    vectors.refused("frame: nothing", b"", "there is no magic")
    vectors.refused("frame: another magic", b"\x4d\x41\x9f" + good[3:], "the magic is 4D 41 9E")
    vectors.refused("frame: the last byte is missing", good[:-1], "shorter than its head says")
    vectors.refused("frame: a byte too many", good + b"\0", "longer than its head says")
    vectors.refused("frame: the head alone", good[:6], "shorter than its head says")
    vectors.refused("frame: a bit of the body", good[:-9] + bytes([good[-9] ^ 1]) + good[-8:], "the seal is another one")
    vectors.refused("frame: a bit of the seal", good[:-1] + bytes([good[-1] ^ 128]), "the seal is another one")
    vectors.refused("frame: the hash that the flags do not say", good[:-8] + sealed(good[:-8], 0)[-8:], "the seal is another one")
    segmented = archive(number, XXH3 | SEGMENTED)
    for at, what in ((-17, "the segment"), (-16, "its hash"), (-1, "the hash of the hashes")):
        damaged = bytearray(segmented)
        damaged[at] ^= 1
        vectors.refused(f"frame: segmented, a bit of {what}", bytes(damaged), "another hash")
    vectors.refused("frame: a bit of the second segment", filled[:65_537] + b"\1" + filled[65_538:], "segment 1 has another hash")
    vectors.refused("frame: for readers of version 2", archive(number, versions=0x22), "needs a newer reader")
    vectors.refused("frame: version 0", archive(number, versions=0x01), "there is no version 0")
    vectors.refused("frame: oldest reader 0", archive(number, versions=0x10), "there is no version 0")
    vectors.refused("frame: an unknown flag", archive(number, XXH3 | 32), "bit 5 is unknown")
    vectors.refused("frame: simple and filled", archive(simple, XXH3 | SIMPLE | FILLED), "never together")
    vectors.refused("frame: a byte behind the last block", archive(number + b"\0"), "the body has a byte too many")
    vectors.refused("frame: filling that is not zero", archive(number + b"\0\1", XXH3 | FILLED), "filling is zeros")
    vectors.refused("frame: simple, of a structure", archive(b"\1\x40\1S\0", XXH3 | SIMPLE), "entry 0 is a class")
    vectors.refused("frame: simple, without types", archive(b"\0\0", XXH3 | SIMPLE), "entry 0 is a class")


def tables(vectors: Vectors) -> None:
    def one_root(table: bytes) -> bytes:
        return archive(table + b"\0\1\1n\1\1\x54")

    vectors.value("types: entries that nothing uses, the same twice", one_root(b"\3\2\1\2\1\x40\1S"), 42)
    vectors.value("types: empty names of a structure, an enumeration, a case and a class", one_root(b"\3\x40\0\x21\0\0\x80\0"), 42)
    vectors.value("types: a payload behind a case without", one_root(b"\1\x22\1E\2a\3b\1"), 42)
    vectors.value("types: an enumeration without cases", one_root(b"\1\x20\1E"), 42)
    vectors.value("types: two equal keys of a structure", one_root(b"\1\x42\1S\x11a\x31a"), 42)
    vectors.value("types: raw values that are equal, infinite and NaN", one_root(
        b"\1\x0a\x24\1E\2a\2b\2c\2d" + doubles(1.5, 1.5, float("-inf")) + bytes.fromhex("010000000000F87F")), 42)  # fmt: skip
    vectors.value("types: raw values that are empty texts", one_root(b"\1\x08\x22\1E\2a\2b\0\0"), 42)
    vectors.value("types: raw values at the edges", one_root(
        b"\1\x09\x22\1E\2a\2b" + zigzag(-(1 << 63)) + zigzag((1 << 63) - 1)), 42)  # fmt: skip
    vectors.value("types: a name that is not ASCII", one_root(b"\1\x40" + name("Größe🍎")), 42)

    two = b"\2" + class_entry("B", member(1, "x"), superclass=65) + class_entry("A", member(3, "x"))
    found = vectors.add("objects: a property with the key of one of the superclass", block_archive(two, 1, b"\1a\x0e"))
    assert [level["properties"] for level in found["objects"][0]["levels"]] == [[["x", "a"]], [["x", 7]]]
    three = b"\3" + class_entry("C", superclass=65) + class_entry("B", superclass=66) + class_entry("A", member(1, "x"))
    found = vectors.add("objects: three levels, two of them without properties", block_archive(three, 2, b"\2\4"))
    assert [level["class"] for level in found["objects"][1]["levels"]] == ["A", "B", "C"]
    both = b"\2" + class_entry("C", member(1, "$keys"), member(30, "$keys")) + b"\x11\x11a"
    vectors.properties("objects: a property with the key of the record", block_archive(both, 1, b"\2\x82\1\1\4"),
                       [["$keys", 1], ["$keys", {"$record": [["a", "Int", 2]]}]])  # fmt: skip
    x = b"\1" + class_entry("C", member(1, "x"))
    vectors.properties("objects: a block of 7", block_archive(x, 7, bytes(range(0, 14, 2))), *([["x", n]] for n in range(7)))
    vectors.properties("objects: a block of 8", block_archive(x, 8, b"\2\0\4"), *([["x", 2]] for _ in range(8)))
    vectors.properties("objects: a block of 9 without properties", block_archive(b"\1" + class_entry("C"), 9, b"\0"), *[[]] * 9)
    blocks = archive(x + b"\2\x40\1\1\x40\1\1" + b"\1\4root\4\2\x80\x10" + b"\2\4")
    found = vectors.add("objects: two blocks of one class that are not full", blocks)
    assert [item["number"] for item in found["objects"]] == [0, 1024]
    assert found["roots"][0]["value"] == {"$object": 1024}

    vectors.refused("types: more entries than bytes", archive(b"\x7f\0\0"), "each entry takes bytes")
    levels = b"".join(class_entry("C", superclass=65 + n) for n in range(256)) + class_entry("C")
    vectors.refused("types: 257 levels", archive(varint(257) + levels + b"\0\0"), "a class has at most 256 levels")
    vectors.refused("roots: a key twice", archive(b"\0\0\2\1n\1\1\1n\1\1\2\2"), "keys differ")
    vectors.refused("roots: a value that is too short", archive(b"\0\0\1\1n\1\0"), "a column of one row")
    vectors.refused("roots: a value that is too long", archive(b"\0\0\1\1n\1\2\2\2"), "a column of one row")
    vectors.refused("roots: a value beyond the body", archive(b"\0\0\1\1n\1\3\2"), "the body ends")
    vectors.refused("roots: more than bytes", archive(b"\0\0\x7f\1n"), "each root takes bytes")
    vectors.refused("objects: a block of a structure", archive(b"\1\x40\1S\1\x40\1\1\0\0"), "blocks are of classes")
    vectors.refused("objects: a block of none", block_archive(x, 0, b"\0"), "1 to 1,024 objects")
    vectors.refused("objects: a block of 1,025", block_archive(b"\1" + class_entry("C"), 1_025, b"\0"), "1 to 1,024 objects")
    vectors.refused("objects: more blocks than bytes", archive(x + b"\x7f\x40\1\1\0\2"), "each block takes bytes")
    vectors.refused("objects: a block without bytes", block_archive(b"\1" + class_entry("C"), 1, b""), "a zero byte")
    vectors.refused("objects: a block that is no zero byte", block_archive(b"\1" + class_entry("C"), 1, b"\1"), "a zero byte")
    vectors.refused("objects: a block that is too long", block_archive(x, 1, b"\2\2"), "one column of one row")
    vectors.refused("objects: a block that is too short", block_archive(x, 2, b"\2"), "one column of two rows")
    vectors.refused("objects: a column that is too long", block_archive(x, 8, b"\3\0\4\0"), "the column ends before")
    vectors.refused("objects: a column that is too short", block_archive(x, 8, b"\1\0\4"), "the column has two bytes")


def pools(vectors: Vectors) -> None:
    flags = XXH3 | POOLS
    ab = b"\1\0\2\1\1ab"  # pool 0: a, b
    pooled = b"\1\5\0\1\xaa"  # the places 0, 1, 0, 1 and so on
    vectors.value("pools: of the roots", array_archive(3, 8, pooled, flags=flags, pools=ab), ["a", "b"] * 4)
    vectors.value("pools: Substring", array_archive(25, 8, pooled, flags=flags, pools=ab), ["a", "b"] * 4)
    vectors.value("pools: Character", array_archive(22, 8, pooled, flags=flags, pools=ab), ["a", "b"] * 4)
    vectors.value("pools: type 31 of a root", root_archive(31, b"\2", flags=flags, pools=ab), "b")
    vectors.value("pools: Optional of type 31", root_archive(63, b"\1\0", flags=flags, pools=ab), "a")
    vectors.value("pools: no pools, with the flag", root_archive(1, b"\2", flags=flags, pools=b"\0"), 1)
    vectors.value("pools: pools that nothing uses, one of them without strings",
                  root_archive(1, b"\2", flags=flags, pools=b"\2\0\0\7\1\1a"), 1)  # fmt: skip
    many = b"\1\0" + varint(1_025) + b"\0\0\0" + b"\1b"  # 1,024 empty strings and "b"
    vectors.value("pools: two chunks", array_archive(3, 8, b"\1\0" + zigzag(1_024), flags=flags, pools=many), ["b"] * 8)
    dictionaries = b"\1" + zigzag(8) + pooled + pooled
    vectors.value("pools: keys and values share one", root_archive(64, dictionaries[1:], (b"\4\3\3",), flags, ab),
                  {"$dictionary": [["a", "a"], ["b", "b"]] * 4})  # fmt: skip
    classes = b"\2" + class_entry("B", member(1, "x"), member(3, "y"), superclass=65) + class_entry("A", member(3, "z"))
    section = b"\2" + varint(1) + b"\1\1z" + varint(3) + b"\1\1y"  # the entry is 0; ordinals 0 and 2
    column = b"\1\0\0"
    block = b"\3" + column + b"\2\0\2" + b"\3" + column
    data = archive(classes + varint(len(section)) + section + b"\1\x40\x08" + varint(len(block)) + b"\0" + block, flags)
    found = vectors.add("pools: of properties of two levels", data)["objects"][7]["levels"]
    assert [level["properties"] for level in found] == [[["z", "z"]], [["x", 1], ["y", "y"]]]
    second = b"\2" + class_entry("A") + class_entry("B", member(3, "x"))
    section = b"\1" + varint(1 + (1 << 24)) + b"\1\1x"
    data = archive(second + varint(len(section)) + section + b"\1\x41\x08\4\0" + b"\3\1\0\0", flags)
    vectors.properties("pools: of a class that is entry 1", data, *([["x", "x"]] for _ in range(8)))

    vectors.refused("pools: the same number twice", root_archive(1, b"\2", flags=flags, pools=b"\2\0\0\0\0"), "numbers differ")
    vectors.refused("pools: a byte behind the last one", root_archive(1, b"\2", flags=flags, pools=b"\0\0"), "the section ends")
    vectors.refused("pools: a section that is too short", root_archive(1, b"\2", flags=flags, pools=b"\1\0\1\2a"), "the section ends")
    vectors.refused("pools: a place behind the last one", array_archive(3, 8, b"\1\0\4", flags=flags, pools=ab), "two strings")
    vectors.refused("pools: a negative place", array_archive(3, 8, b"\1\0\1", flags=flags, pools=ab), "places are not negative")
    vectors.refused("pools: another pool", array_archive(3, 8, pooled, flags=flags, pools=b"\1\1" + ab[2:]), "roots have pool 0")
    vectors.refused("pools: more strings than bytes", root_archive(1, b"\2", flags=flags, pools=b"\1\0\x80\x10"), "too many strings")
    vectors.refused("pools: not UTF-8", array_archive(3, 8, b"\1\0\0", flags=flags, pools=b"\1\0\1\1\xff"), "not UTF-8")
    vectors.refused("pools: type 31 without a pool", root_archive(31, b"\0"), "there is no pool")


def numbers(vectors: Vectors) -> None:
    least, most = -(1 << 63), (1 << 63) - 1
    vectors.array("integers: raw", 1, 8, b"\4" + struct.pack("<8q", least, most, 0, -1, 1, 2, 3, 4), [least, most, 0, -1, 1, 2, 3, 4])
    packed = sum(((1 << 57) - 1 - n) << 57 * n for n in range(8)).to_bytes(57, "little")
    vectors.array("integers: packed, 57 bits", 1, 8, b"\5\0\x39" + packed, [(1 << 57) - 1 - n for n in range(8)])
    vectors.array("integers: packed, base that wraps around", 1, 8, b"\5" + zigzag(most) + b"\1\x01", [least, *[most] * 7])
    deltas = sum(((1 << 57) - 1) << 57 * n for n in range(7)).to_bytes(50, "little")
    vectors.array("integers: deltas, 57 bits", 1, 8, b"\6\0\0\x39" + deltas, [n * ((1 << 57) - 1) for n in range(8)])
    vectors.array("integers: 8 runs", 1, 8, b"\7\x08" + b"".join(b"\1" + zigzag(n * n) for n in range(8)), [n * n for n in range(8)])
    vectors.array("integers: 1,025 in two chunks", 1, 1_025, b"\0\2\4", [1] * 1_024 + [2])
    vectors.array("integers: 1,032 in two chunks", 1, 1_032, b"\0\2\0\4", [1] * 1_024 + [2] * 8)
    vectors.array("integers: UInt64, raw", 17, 8, b"\4" + b"\xff" * 64, [(1 << 64) - 1] * 8)
    vectors.array("integers: Int128 at the edges", 18, 2, zigzag(least) + zigzag(most) + zigzag(0) + zigzag(-1),
                  [-(1 << 127), (1 << 127) - 1])
    vectors.array("integers: UInt128, 8 rows", 19, 8, b"\0\1\0\0", [((1 << 64) - 1) << 64] * 8)
    vectors.array("integers: Duration, negative", 28, 1, b"\1\1", [{"$attoseconds": -1}])
    vectors.array("integers: types", 29, 3, zigzag(0) + zigzag(63) + zigzag(64),
                  [{"$class": "Bool"}, {"$class": "String?"}, {"$class": "[class]"}])
    vectors.array("truth values: 1,024", 0, 1_024, b"\2" + b"\x0f" * 128, ([True] * 4 + [False] * 4) * 128)

    edges = (5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 1e22, 1e23, 9007199254740993.0)
    vectors.array("doubles: edges", 2, 7, doubles(*edges), list(edges))
    vectors.array("doubles: zeros", 2, 2, doubles(0.0, -0.0), [0.0, -0.0])
    infinite = [{"$float": "inf"}, {"$float": "-inf"}, {"$float": "nan:fff8000000000000"}]
    vectors.array("doubles: not finite", 2, 3, doubles(float("inf"), float("-inf")) + bytes.fromhex("000000000000F8FF"), infinite)
    vectors.array("doubles: decimal, 9 places", 2, 8, b"\2\x09\0" + zigzag(-1), [-1e-09] * 8)
    vectors.array("doubles: decimal, beyond 2^53", 2, 8, b"\2\1\0" + zigzag((1 << 53) + 1), [(1 << 53) / 10] * 8)
    vectors.array("doubles: decimal, rounded twice", 2, 8, b"\2\2\0" + zigzag(9007199255005681), [90071992550056.8] * 8)  # not .81
    vectors.array("doubles: constant NaN", 2, 8, b"\0" + bytes.fromhex("000000000000F87F"), [{"$float": "nan:7ff8000000000000"}] * 8)
    vectors.array("doubles: Date that is not finite", 5, 1, doubles(float("inf")), [{"$date": {"$float": "inf"}}])
    floats = (1e-45, 3.4028235e38, 1.1754944e-38, 16777216.0, 16777218.0, 1e10, 0.3)
    vectors.array("floats: edges", 8, 7, struct.pack("<7f", *floats), list(floats))
    vectors.array("floats: zeros and infinities", 8, 4, struct.pack("<4f", 0.0, -0.0, float("inf"), float("-inf")),
                  [0.0, -0.0, {"$float": "inf"}, {"$float": "-inf"}])  # fmt: skip
    vectors.array("floats: NaN", 8, 1, bytes.fromhex("0100C0FF"), [{"$float": "nan:ffc00001"}])
    halves = (6e-08, 65504.0, 6.104e-05, 2048.0, 16384.0, 0.3333, 1000.5)
    vectors.array("halves: edges", 20, 7, struct.pack("<7e", *halves), list(halves))
    vectors.array("halves: NaN and infinity", 20, 2, bytes.fromhex("017E00FC"), [{"$float": "nan:7e01"}, {"$float": "-inf"}])

    full = [0xFFFF] * 8
    texts = (
        (decimal(0, 1, 7), "7"), (decimal(2, 1, 7), "700"), (decimal(-1, 1, 7), "0.7"), (decimal(-3, 0x11, 1200), "-1.2"),
        (decimal(0, 0), "0"), (decimal(0, 0x11, 0), "0"), (decimal(5, 0x10), "nan"), (decimal(0, 0x28, *full), str((1 << 128) - 1)),
        (decimal(127, 1, 1), "1" + "0" * 127), (decimal(-128, 1, 1), "0." + "0" * 127 + "1"), (decimal(0, 1, 3, 9), "3"),
    )  # fmt: skip
    for content, text in texts:
        vectors.array(f"decimals: {text[:12]}", 21, 1, content, [{"$decimal": text}])
    vectors.array("decimals: 8 rows, constant", 21, 8, b"\0" + decimal(-2, 1, 150), [{"$decimal": "1.5"}] * 8)
    vectors.array("decimals: 8 rows, raw", 21, 8, b"\1" + b"".join(decimal(0, 1, n + 1) for n in range(8)),
                  [{"$decimal": str(n + 1)} for n in range(8)])  # fmt: skip
    uuids = [bytes([n]) * 16 for n in range(8)]
    shown = [{"$uuid": "-".join(f"{n:02X}" * length for length in (4, 2, 2, 2, 6))} for n in range(8)]
    vectors.array("UUID: raw", 7, 8, b"\1" + b"".join(uuids), shown)
    vectors.array("UUID: constant", 7, 8, b"\0" + uuids[5], [shown[5]] * 8)


def texts(vectors: Vectors) -> None:
    def strings(*values: str) -> bytes:
        contents = [value.encode() for value in values]
        return b"".join(varint(len(content)) for content in contents) + b"".join(contents)

    values = ["", "\0\1\x1f\x7f", '"\\/', "\n\r\t\b\f", "\u2028\u00a0é🍎", "e\u0301", "\ufeff"]
    vectors.array("strings: characters that JSON escapes, and others", 3, 7, strings(*values), values)
    vectors.array("strings: of 200 bytes", 3, 1, strings("x" * 200), ["x" * 200])
    clusters = ["👨\u200d👩\u200d👧", "e\u0301", "🇩🇪", "\r\n"]
    vectors.array("strings: Characters of several code points", 22, 4, strings(*clusters), clusters)
    padded = b"\2\0\0\x12" + b"\0" + zigzag(10**18 - 1)
    vectors.array("strings: numbered, 18 digits", 3, 8, padded, ["9" * 18] * 8)
    vectors.array("strings: numbered, as many digits as needed", 3, 8, b"\2\0\0\0\7\2\4" + zigzag(0) + b"\4" + zigzag(10**18 - 1),
                  ["0"] * 4 + ["9" * 18] * 4)  # fmt: skip
    long = b"\2\xff" + b"a" * 255 + b"\xff" + b"z" * 255 + b"\2\0\x0e"
    vectors.array("strings: numbered, the longest texts", 3, 8, long, ["a" * 255 + "07" + "z" * 255] * 8)
    vectors.array("strings: numbered Substrings", 25, 8, b"\2\2n-\0\0\0\2", ["n-1"] * 8)
    vectors.array("strings: numbered Characters", 22, 8, b"\2\0\0\1\6\0\2\0", [str(n) for n in range(8)])
    vectors.array("strings: all empty", 3, 8, b"\0\0\0", [""] * 8)
    data = [{"$data": text} for text in ("", "AA==", "AAE=", "AAEC", "AAECAw==")]
    vectors.array("Data: of 0 to 4 bytes", 6, 5, b"\0\1\2\3\4" + b"\0" + b"\0\1" + b"\0\1\2" + b"\0\1\2\3", data)
    vectors.array("Data: 1,025 rows", 6, 1_025, b"\0\0\0" + b"\1\xff", [{"$data": ""}] * 1_024 + [{"$data": "/w=="}])
    vectors.refused("strings: 0xFF", array_archive(3, 1, b"\1\xff"), "not UTF-8")
    vectors.refused("strings: a surrogate", array_archive(3, 1, b"\3\xed\xa0\x80"), "not UTF-8")
    vectors.refused("strings: two bytes for one of ASCII", array_archive(3, 1, b"\2\xc1\x81"), "not UTF-8")
    vectors.refused("strings: above 10FFFF", array_archive(3, 1, b"\4\xf4\x90\x80\x80"), "not UTF-8")
    vectors.refused("strings: numbered, a text that is not UTF-8", array_archive(3, 8, b"\2\1\xc3\0\0\0\2"), "not UTF-8")


def composites(vectors: Vectors) -> None:
    void = {"$void": True}
    vectors.array("Void: three chunks", 27, 2_050, b"\0\0\0", [void] * 2_050)
    vectors.array("Optionals: of Void", 59, 3, b"\1\0\1\0", [void, None, void])
    vectors.array("Optionals: 1,025 rows, present in both chunks", 33, 1_025, b"\2\1" + b"\0" * 126 + b"\x80" + b"\x0e\x10" + b"\1\x12",
                  [7, *[None] * 1_022, 8, 9])  # fmt: skip
    deep = (b"\1\x42", b"\1\x43", b"\1\x21")  # Int????, Int???, Int??
    some = {"$some": {"$some": {"$some": None}}}
    vectors.array("Optionals: nested four times", 65, 5, b"\1\1\1\1\0" + b"\1\1\1\0" + b"\1\1\0" + b"\1\0" + b"\x0e",
                  [7, some, {"$some": {"$some": None}}, {"$some": None}, None], *deep)  # fmt: skip
    vectors.array("Optionals: of a reference that is nil", 36, 2, b"\0\0", [None, None])
    vectors.array("Optionals: of a type and of a record", 65, 1, b"\1\2" + b"\0", [{"$tuple": [["a", {"$class": "Int"}], ["b", None]]}],
                  b"\x12\xf1\x3da\xf1\x3eb")  # fmt: skip
    vectors.array("Optionals: as an entry", 65, 2, b"\0\1\x0e", [None, 7], b"\1\1")
    vectors.array("arrays: of arrays of nothing", 65, 8, b"\0\2" + b"\0\0", [[[]]] * 8, b"\2\x42", b"\2\1")
    vectors.array("sets: of 1,025 truth values", 65, 1, zigzag(1_025) + b"\0" + b"\1", [{"$set": [False] * 1_024 + [True]}], b"\3\0")
    entries = [[0, 7]] * 1_024 + [[1, 8]]
    vectors.array("dictionaries: two chunks", 65, 1, zigzag(1_025) + b"\0\0\0\x0e" + b"\2\x10", [{"$dictionary": entries}], b"\4\1\1")
    vectors.array("dictionaries: chunks across rows", 65, 2, zigzag(1_000) + zigzag(25) + b"\0\0\0\x0e" + b"\2\x10",
                  [{"$dictionary": entries[:1_000]}, {"$dictionary": entries[1_000:]}], b"\4\1\1")  # fmt: skip
    vectors.array("inline arrays: chunks across rows", 65, 2, b"\0\0" + b"\0\2", [[0] * 600, [0] * 424 + [1] * 176], b"\5\1" + varint(600))
    vectors.array("inline arrays: of inline arrays", 65, 2, b"\0\0", [[[0, 0], [0, 0]]] * 2, b"\5\x42\2", b"\5\1\2")
    vectors.array("inline arrays: of nothing, 9 rows", 65, 9, b"\0", [[]] * 9, b"\5\1\0")
    vectors.array("tuples: without members, in tuples", 65, 2, b"\0\2\4", [{"$tuple": [["", {"$tuple": []}], ["x", n]]} for n in (1, 2)],
                  b"\x12\xf0\x42\0\x11x", b"\x10")  # fmt: skip
    vectors.array("tuples: two equal keys", 65, 1, b"\2\4", [{"$tuple": [["a", 1], ["a", 2]]}], b"\x12\x11a\x11a")
    nested: Any = {"$case": "b", "of": "E", "index": 1}
    for _ in range(100):
        nested = {"$case": "a", "of": "E", "index": 0, "payload": nested}
    vectors.array("enumerations: nested 100 times", 65, 1, b"\0" * 100 + b"\2", [nested], b"\x22\1E\3a\x41\2b")
    vectors.array("enumerations: 8 rows, both cases", 65, 8, b"\5\0\1\x0f" + b"\2\4\6\x08",
                  [{"$case": "b", "of": "E", "index": 1}] * 4 + [{"$case": "a", "of": "E", "index": 0, "payload": n} for n in (1, 2, 3, 4)],
                  b"\x22\1E\3a\1\2b")  # fmt: skip
    vectors.array("enumerations: a payload that is nil", 65, 1, b"\0\0",
                  [{"$case": "a", "of": "E", "index": 0, "payload": None}], b"\x21\1E\3a\x21")
    vectors.array("Any: a nil", 23, 1, b"\1\x21\0\0", [{"$any": "Int?", "value": None}])
    vectors.array("Any: an Optional that is nil", 55, 2, b"\0\1" + b"\1\x20\0\1\0", [None, {"$any": "Bool?", "value": False}])
    vectors.array("Any: a type without rows", 23, 2, b"\2\1\0\0\0\2\4", [{"$any": "Int", "value": n} for n in (1, 2)])
    vectors.array("Any: a type twice", 23, 2, b"\2\1\1\0\2\2\4", [{"$any": "Int", "value": n} for n in (1, 2)])
    vectors.array("Any: of a number and of an entry, the same Optional", 23, 2, b"\2\x21\x41\0\2\1\2\1\4",
                  [{"$any": "Int?", "value": n} for n in (1, 2)], b"\1\1")  # fmt: skip
    vectors.array("Any: a record", 23, 1, b"\1\x1e\0\x82\1\1\2",
                  [{"$any": "record", "value": {"$record": [["a", "Int", 1]]}}], b"\x11\x11a")
    shape = b"\x13" + b"\x11\0" + b"\x12\0\0" + b"\x10\0"
    vectors.array("records: no key, a zero byte, the empty key", 30, 1, b"\x82\1\3\2\4\6",
                  [{"$record": [[None, "Int", 1], ["\0", "Int", 2], ["", "Int", 3]]}], shape)  # fmt: skip
    vectors.array("records: Any", 30, 1, b"\x82\1\4\1\1\0\2", [{"$record": [["a", "Any", {"$any": "Int", "value": 1}]]}], b"\x11\xf1\x17a")
    vectors.array("records: 8 rows of two shapes", 30, 8, b"\5\x82\1\1\xaa" + b"\0\5\0\1\x55" + b"\2\4\6\x08",
                  [{"$record": [["a", "Int", n // 2 + 1]]} if n % 2 == 0 else {"$record": []} for n in range(8)],
                  b"\x11\x11a", b"\x10")  # fmt: skip


def vectors_text() -> str:
    vectors = Vectors()
    for part in (page, frames, tables, pools, numbers, texts, composites):
        part(vectors)
    titles: dict[str, int] = {}
    for vector in vectors.all:  # names that the page has several times get a number
        title = vector["name"]
        titles[title] = titles.get(title, 0) + 1
        if titles[title] > 1:
            vector["name"] = f"{title} ({titles[title]})"
    lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors.all)
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(vectors_text().encode())
