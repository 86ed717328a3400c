"""Tests of archive_reader.py: python3 -m unittest test_archive_reader (in this directory; some seconds)."""

from __future__ import annotations

import glob
import json
import math
import os
import struct
import subprocess
import sys
import unittest
import unittest.mock
from typing import Any, Optional

import archive_reader
import make_vectors
import page_examples
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
from archive_reader import FILLED, POOLS, SEGMENTED, SIMPLE, XXH3, ArchiveError, xxh3_64, xxhash64
from page_examples import COLUMN, ENTRIES, NUMBERS, REFUSED_COLUMN, REFUSED_ENTRIES, page_examples as examples_of_page

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.join(HERE, "..", "MirrorArchiveTests", "Fixtures", "Golden")
GOLDEN_JSON = os.path.join(HERE, "Golden")
VECTORS = os.path.join(HERE, "..", "ArchivistTests", "Fixtures", "Vectors", "vectors.json")

BASKET = bytes.fromhex(
    "4D419E 11 08 8001 05 83064261736B6574 356F776E6572 F5416974656D73 D467696674 0204 83044974656D F443636F6465"
    "257072696365 F5446C6162656C 11B000 22054C6162656C 097465787403 086E6F6E65 02 40010E 420217 0104726F6F740401"
    "00 03416461 06 801082108010 018210 01000E 0000000000000440 000000000000F03F 0002 0142 738265B1243D6FA1"
)
NOTE = bytes.fromhex(
    "4D419E 11 09 20 02 81044E6F7465 F51E246B657973 12 3474657874 1470616765 8201 04 024869 0E 3B67B7564DCB3C91"
)
NOTE_IN_SEGMENTS = NOTE[:4] + b"\x0d" + NOTE[5:-8] + bytes.fromhex("1E88FF9C8D046509 6A9F562BB80F79EE")


# Reading and comparing --------------------------------------------------------------------------------------------


def read(data: bytes) -> dict[str, Any]:
    """The JSON of the archive, written and read again."""
    return json.loads(archive_reader.json_text(data))


class Pairs(list[tuple[str, Any]]):
    """A JSON object with the order of its members."""


def json_value(text: str) -> Any:
    return json.loads(text, object_pairs_hook=Pairs)


def difference(one: Any, other: Any, path: str = "") -> Optional[str]:
    """Where two JSON values differ: members by order too, numbers by value, a zero with its sign."""
    is_list = isinstance(one, list)
    if is_list and isinstance(other, type(one)) and len(one) == len(other):
        for index, (a, b) in enumerate(zip(one, other)):
            if isinstance(one, Pairs):
                if a[0] != b[0]:
                    return f"{path}: the member {a[0]!r}, not {b[0]!r}"
                found = difference(a[1], b[1], f"{path}.{a[0]}")
            else:
                found = difference(a, b, f"{path}[{index}]")
            if found:
                return found
        return None
    number = (int, float)
    if isinstance(one, number) and isinstance(other, number) and not isinstance(one, bool) and not isinstance(other, bool):
        same = one == other and (one != 0 or math.copysign(1, one) == math.copysign(1, other))
    else:
        same = not is_list and type(one) is type(other) and one == other
    return None if same else f"{path}: {str(one)[:100]}, not {str(other)[:100]}"


def root_value(data: bytes) -> Any:
    return read(data)["roots"][0]["value"]


class ArchiveTests(unittest.TestCase):
    def refused(self, data: bytes, reason: str = "", deep: bool = False) -> None:
        with self.assertRaises(ArchiveError) as caught:
            if deep:
                archive_reader.with_deep_stack(lambda: archive_reader.read_archive(data))
            else:
                archive_reader.read_archive(data)
        self.assertIn(reason, caught.exception.message)
        self.assertTrue(0 <= caught.exception.offset <= len(data), caught.exception)


# Tests ----------------------------------------------------------------------------------------------------------


class HashTests(unittest.TestCase):
    """The vectors of the xxHash sources (cli/xsum_sanity_check.c), seed 0."""

    @classmethod
    def setUpClass(cls) -> None:
        state, content = 2654435761, bytearray()
        for _ in range(2367):
            content.append(state >> 56)
            state = state * 11400714785074694797 & (1 << 64) - 1
        cls.buffer = bytes(content)

    def test_xxhash64(self) -> None:
        vectors = {0: 0xEF46DB3751D8E999, 1: 0xE934A84ADB052768, 4: 0x9136A0DCA57457EE, 14: 0x8282DCC4994E35C8,
                   222: 0xB641AE8CB691C174}  # fmt: skip
        for size, expected in vectors.items():
            self.assertEqual(xxhash64(self.buffer[:size]), expected, size)

    def test_xxh3(self) -> None:
        vectors = {
            0: 0x2D06800538D394C2, 1: 0xC44BDFF4074EECDB, 6: 0x27B56A84CD2D7325, 12: 0xA713DAF0DFBB77E7,
            24: 0xA3FE70BF9D3510EB, 48: 0x397DA259ECBA1F11, 80: 0xBCDEFBBB2C47C90A, 195: 0xCD94217EE362EC3A,
            403: 0xCDEB804D65C6DEA4, 512: 0x617E49599013CB6B, 2048: 0xDD59E2C3A5F038E0, 2240: 0x6E73A90539CF2948,
            2367: 0xCB37AEB9E5D361ED,
        }  # fmt: skip
        for size, expected in vectors.items():
            self.assertEqual(xxh3_64(self.buffer[:size]), expected, size)
        self.assertEqual(xxh3_64(b"A" * 129), 0x4D8C5B2FDB05729C)


class PageTests(ArchiveTests):
    """The worked examples of the page."""

    def test_basket(self) -> None:
        self.assertEqual(
            read(BASKET),
            {
                "format": {"version": 1, "oldestReader": 1, "flags": ["xxh3"]},
                "byteCount": len(BASKET),
                "types": [
                    {"number": 64, "kind": "class", "name": "Basket",
                     "properties": [["owner", "String"], ["items", "[reference]"], ["gift", "reference?"]]},
                    {"number": 66, "kind": "class", "name": "Item",
                     "properties": [["code", "(Int?)"], ["price", "Double"], ["label", "Label"]]},
                    {"number": 68, "kind": "enumeration", "name": "Label", "cases": [["text", "String"], ["none"]]},
                ],
                "roots": [{"key": "root", "type": "reference", "value": {"$object": 0}}],
                "objects": [
                    {"number": 0, "class": "Basket", "levels": [{"class": "Basket", "properties": [
                        ["owner", "Ada"],
                        ["items", [{"$object": 1024}, {"$object": 1025}, {"$object": 1024}]],
                        ["gift", {"$object": 1025}]]}]},
                    {"number": 1024, "class": "Item", "levels": [{"class": "Item", "properties": [
                        ["code", {"$tuple": [["", 7]]}], ["price", 2.5],
                        ["label", {"$case": "text", "of": "Label", "index": 0, "payload": "B"}]]}]},
                    {"number": 1025, "class": "Item", "levels": [{"class": "Item", "properties": [
                        ["code", {"$tuple": [["", None]]}], ["price", 1.0],
                        ["label", {"$case": "none", "of": "Label", "index": 1}]]}]},
                ],
            },
        )  # fmt: skip

    def test_note(self) -> None:
        expected = {
            "format": {"version": 1, "oldestReader": 1, "flags": ["simple", "xxh3"]},
            "byteCount": 46,
            "types": [{"number": 64, "kind": "class", "name": "Note", "properties": [["$keys", "record"]]}],
            "roots": [{"key": "root", "type": "reference", "value": {"$object": 0}}],
            "objects": [{"number": 0, "class": "Note", "levels": [{"class": "Note", "properties": [
                ["$keys", {"$record": [["text", "String", "Hi"], ["page", "Int", 7]]}]]}]}],
        }  # fmt: skip
        self.assertEqual(read(NOTE), expected)
        expected["format"]["flags"] = ["simple", "segmented", "xxh3"]
        expected["byteCount"] = 54
        self.assertEqual(read(NOTE_IN_SEGMENTS), expected)

    def test_numbered_strings(self) -> None:
        column = bytes.fromhex("02 01 61 01 2E 00 06 0E 02 00")
        self.assertEqual(root_value(array_archive(3, 10, column)), [f"a{n}." for n in range(7, 17)])
        padded = bytes.fromhex("02 00 00 03 06 0E 02 00")
        self.assertEqual(root_value(array_archive(3, 10, padded)), [f"{n:03}" for n in range(7, 17)])
        self.refused(array_archive(3, 10, bytes.fromhex("02 00 00 01 06 0E 02 00")), "too many digits")
        self.refused(array_archive(3, 10, bytes.fromhex("02 00 00 00 00 01")), "negative")
        self.refused(array_archive(3, 10, bytes.fromhex("02 00 00 13 00 00")), "19 digits")
        self.refused(array_archive(6, 10, column), "unknown encoding 2 of Data")

    def test_segment_count(self) -> None:
        """300,000 bytes of head and body have a seal of 48 bytes."""
        content = b"\0" * (300_000 - 8)
        filled = archive(b"\0\0\0" + content[3:], XXH3 | SEGMENTED | FILLED)
        self.assertEqual(len(filled), 300_048)
        self.assertEqual(read(filled)["format"]["flags"], ["segmented", "xxh3", "filled"])
        for at in (100, 65_536, 299_999, 300_000, 300_039, 300_047):
            self.refused(filled[:at] + bytes([filled[at] ^ 1]) + filled[at + 1 :], "hash")


class ExampleTests(ArchiveTests):
    """The tables of the page."""

    def test_tables(self) -> None:
        examples, _ = examples_of_page()
        for form, count in ((NUMBERS, 8), (ENTRIES, 26), (COLUMN, 97), (REFUSED_COLUMN, 51), (REFUSED_ENTRIES, 14)):
            found = [example for example in examples if example.form == form]
            self.assertGreaterEqual(len(found), count, form)
            for example in found:
                with self.subTest(line=example.line, example=example.cells):
                    self.check(example)

    def check(self, example: page_examples.Example) -> None:
        if example.form == NUMBERS:
            content, number, signed = example.content("bytes"), int(example["varint"]), int(example["zigzag"])
            self.assertEqual((varint(number), zigzag(signed)), (content, content))
            cursors = [archive_reader.Cursor(content, 0, len(content)) for _ in range(2)]
            self.assertEqual((cursors[0].varint(), cursors[1].zigzag()), (number, signed))
        elif example.form == ENTRIES:
            shown = dict(json_value(archive_reader.json_text(entries_archive(example.content("type table")))))
            self.assertIsNone(difference(page_examples.entries_of(shown), json_value(example["entries"])))
        elif example.form == REFUSED_ENTRIES:
            self.refused(entries_archive(example.content("type table")))
        elif example.form == REFUSED_COLUMN:
            self.refused(self.around(example))
        else:
            self.assertEqual(len(json.loads(example["values"])), int(example["rows"]))
            shown = dict(json_value(archive_reader.json_text(self.around(example))))
            value = dict(shown["roots"][0])["value"]
            self.assertIsNone(difference(value, json_value(example["values"])))

    def around(self, example: page_examples.Example) -> bytes:
        table, column = example.content("type table"), example.content("bytes")
        return column_archive(table, int(example["type"]), int(example["rows"]), column)

    def test_archives(self) -> None:
        _, archives = examples_of_page()
        self.assertGreaterEqual(len(archives), 7)
        for example in archives:
            with self.subTest(line=example.line):
                text = archive_reader.json_text(example.content)
                self.assertIsNone(difference(json_value(text), json_value(example.json_text)))

    def test_every_type_and_encoding(self) -> None:
        columns = [example for example in examples_of_page()[0] if example.form == COLUMN]
        self.assertEqual({int(example["type"]) for example in columns} & set(range(32)), set(range(31)))  # 31 is in an archive
        for type_, encodings in ((0, 3), (1, 8), (2, 3), (8, 2), (20, 2)):
            found = {example.content("bytes")[0] for example in columns if example["type"] == str(type_) and int(example["rows"]) > 7}
            self.assertEqual(found, set(range(encodings)), type_)
        contents = [example.content("type table") for example in examples_of_page()[0] if example.form == ENTRIES]
        tables = [archive_reader.TypeTable(archive_reader.Cursor(content, 0, len(content))) for content in contents]
        kinds = {entry.kind for table in tables for entry in table.entries}
        self.assertEqual(kinds, set(archive_reader.ENTRY_COLUMNS))
        self.assertLessEqual({6, 7, 8, 9, 10}, {content[1] for content in contents})

    def test_refused_for_their_columns(self) -> None:
        """Archives around columns that are refused have nothing else wrong with them: with the right column they are read."""
        self.assertEqual(root_value(column_archive(b"\0", 1, 2, b"\2\4")), [1, 2])


class SampleTests(ArchiveTests):
    def test_samples(self) -> None:
        """Each golden archive is what its JSON says."""
        names = sorted(path[len(SAMPLES) + 1 : -len(".bin")] for path in glob.glob(os.path.join(SAMPLES, "*.bin")))
        self.assertGreaterEqual(len(names), 11)
        self.assertEqual(names, sorted(file[: -len(".json")] for file in os.listdir(GOLDEN_JSON)))
        for name in names:
            with open(os.path.join(SAMPLES, name + ".bin"), "rb") as file:
                text = archive_reader.json_text(file.read())
            with open(os.path.join(GOLDEN_JSON, name + ".json"), encoding="utf-8") as file:
                self.assertEqual(difference(json_value(text), json_value(file.read())), None, name)

    def test_command(self) -> None:
        reader = os.path.join(HERE, "archive_reader.py")
        sample = os.path.join(SAMPLES, "small.bin")
        done = subprocess.run([sys.executable, reader, sample], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout)["objects"][0]["class"], "golden.Constant")
        done = subprocess.run([sys.executable, reader, reader], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr, "error: byte 0: not an archive: another magic\n")


class VectorTests(ArchiveTests):
    def test_vectors(self) -> None:
        """The committed vectors are those that make_vectors.py makes, and the reader agrees with each."""
        with open(VECTORS, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(text, make_vectors.vectors_text())
        vectors = [dict(vector) for vector in json_value(text)]
        self.assertEqual(len({vector["name"] for vector in vectors}), len(vectors))
        self.assertGreaterEqual(len(vectors), 360)
        for vector in vectors:
            with self.subTest(name=vector["name"]):
                data = bytes.fromhex(vector["hex"])
                if "refused" in vector:
                    self.refused(data)
                else:
                    self.assertIsNone(difference(json_value(archive_reader.json_text(data)), vector["json"]))


class DamageTests(ArchiveTests):
    def sample(self) -> bytes:
        with open(os.path.join(SAMPLES, "small.bin"), "rb") as file:
            return file.read()

    def test_prefixes_and_suffixes(self) -> None:
        for data in (self.sample(), NOTE, NOTE_IN_SEGMENTS, BASKET):
            for size in range(len(data)):
                self.refused(data[:size])
            self.refused(data + b"\0")

    def test_bit_flips(self) -> None:
        for data in (self.sample(), NOTE, NOTE_IN_SEGMENTS, BASKET):
            for bit in range(8 * len(data)):
                damaged = bytearray(data)
                damaged[bit >> 3] ^= 1 << (bit & 7)
                self.refused(bytes(damaged))

    def test_resealed_damage(self) -> None:
        """Behind a valid seal every change is read or refused, never anything else."""
        for data, head, flags in ((BASKET, 7, XXH3), (NOTE, 6, XXH3 | SIMPLE), (self.sample(), 6, SIMPLE)):
            content = data[:-8]
            for at in range(head, len(content)):
                for value in range(0, 256, 5):
                    damaged = sealed(content[:at] + bytes([value]) + content[at + 1 :], flags)
                    try:
                        archive_reader.read_archive(damaged)
                    except ArchiveError as error:
                        self.assertTrue(0 <= error.offset <= len(damaged))

    def test_frame(self) -> None:
        self.assertEqual(read(archive(b"\0\0\0", versions=0x21))["format"]["version"], 2)
        self.refused(archive(b"\0\0\0", versions=0x22), "version 2")
        self.refused(archive(b"\0\0\0", versions=0x10), "version")
        self.refused(archive(b"\0\0\0", XXH3 | 32), "unknown flags")
        self.refused(archive(b"\0\0\0\0"), "body: 1 bytes too many")
        self.assertEqual(read(archive(b"\0\0\0\0", XXH3 | FILLED))["objects"], [])
        self.refused(archive(b"\0\0\0\1", XXH3 | FILLED), "zero")
        self.refused(sealed(NOTE[:4] + b"\x19" + NOTE[5:-8], SIMPLE | XXH3), "together")

    def test_type_table(self) -> None:
        self.refused(archive(varint(65_537) + b"\x10" * 65_537 + b"\0\0"), "entries in the type table")
        self.refused(archive(b"\1\1\x41\0\0"), "type 65")
        self.refused(archive(b"\1\0\0\0"), "unknown kind")
        self.refused(archive(b"\1\x11" + member(64, "") + b"\0\0"), "contains itself")
        self.refused(archive(b"\2\5\x41\2\x41" + name("S") + member(64, "a") + b"\0\0"), "contains itself")
        self.refused(archive(b"\1\xa0" + name("C") + varint(64) + b"\0\0"), "inherits")
        self.refused(archive(b"\1\xa0" + name("C") + b"\1\0\0"), "no class")
        self.refused(archive(b"\1\x41" + name("S") + member(1, "") + b"\0\0"), "empty key")
        self.refused(archive(b"\1\6\x21" + name("E") + b"\3a\1\0\0"), "payload")
        self.refused(archive(b"\0\0\2" + (b"\1r\1\1") * 2 + b"\2\2"), "twice")
        self.refused(archive(b"\0\0\1\1r\1\2\2\2"), "1 bytes too many")
        self.refused(archive(b"\1\1\1" + b"\1\x40\1\1\0\0"), "no class")
        self.refused(archive(b"\1\x80" + name("C") + b"\1\x40\0\1\0\0"), "a block of 0")
        many = b"".join(b"\xa0" + name("C") + varint(65 + n) for n in range(256)) + b"\x80" + name("C")
        self.refused(archive(varint(257) + many + b"\0\0"), "256 levels")

    def test_blocks(self) -> None:
        empty = b"\1\x80" + name("C")
        self.assertEqual(len(read(block_archive(empty, 9, b"\0"))["objects"]), 9)
        self.refused(block_archive(empty, 9, b"\1"), "zero byte")
        self.refused(block_archive(empty, 9, b""), "a block of 0 bytes")
        one = b"\1\x81" + name("C") + member(1, "x")
        self.assertEqual(read(block_archive(one, 8, b"\2\0\2"))["objects"][7]["levels"][0]["properties"], [["x", 1]])
        self.refused(block_archive(one, 8, b"\3\0\2\0"), "column: 1 bytes too many")
        self.refused(block_archive(one, 8, b"\2\0\2\0"), "block: 1 bytes too many")
        itself = b"\1\x81" + name("C") + member(64, "x")
        self.assertEqual(read(block_archive(itself, 1, b"\0"))["objects"][0]["levels"][0]["properties"], [["x", {"$object": 0}]])
        for number in (-1, 1, 1024, 1 << 60):
            self.refused(block_archive(itself, 1, zigzag(number)), "there is no object")


class ColumnTests(ArchiveTests):
    def check(self, type_: int, rows: int, column: str, expected: Any, entries: tuple[bytes, ...] = ()) -> None:
        self.assertEqual(root_value(array_archive(type_, rows, bytes.fromhex(column), entries)), expected)

    def check_refused(self, type_: int, rows: int, column: str, reason: str, entries: tuple[bytes, ...] = ()) -> None:
        self.refused(array_archive(type_, rows, bytes.fromhex(column), entries), reason)

    def test_integers(self) -> None:
        self.check(1, 8, "00 01", [-1] * 8)
        self.check(1, 8, "01 01 0001020304050607", list(range(-1, 7)))
        self.check(1, 8, "02 00" + "0001" * 8, [256] * 8)
        self.check(1, 8, "03 00" + "00000080" * 8, [1 << 31] * 8)
        self.check(1, 8, "04" + "FFFFFFFFFFFFFFFF" * 8, [-1] * 8)
        self.check(1, 8, "05 02 03 88C6FA", [1, 2, 3, 4, 5, 6, 7, 8])
        self.check(1, 9, "05 00 01 5501", [1, 0, 1, 0, 1, 0, 1, 0, 1])
        self.check(1, 8, "06 00 05 00", [0, -3, -6, -9, -12, -15, -18, -21])
        self.check(1, 8, "06 00 00 01 7F", [0, 1, 2, 3, 4, 5, 6, 7])
        self.check(1, 8, "07 02 05 02 03 01", [1] * 5 + [-1] * 3)
        most = zigzag((1 << 63) - 1).hex()
        self.check(1, 8, f"06 {most} 02 00", [(1 << 63) - 1, *range(-(1 << 63), -(1 << 63) + 7)])
        for column, reason in (
            ("08 00", "unknown encoding 8"), ("05 00 00", "0 bits"), ("05 00 3A", "58 bits"), ("06 00 00 01 FF", "behind"),
            ("07 02 05 02 02 01", "7 rows"), ("07 02 05 02 04 01", "a run of 4"), ("07 01 00 02", "a run of 0"),
            ("00 FFFFFFFFFFFFFFFFFF02", "64 bits"), ("04 00", "needed"),
        ):  # fmt: skip
            self.check_refused(1, 8, column, reason)
        self.check(14, 1, "01", [(1 << 64) - 1])
        self.check(18, 1, "01 00", [-1 << 64])
        self.check(19, 1, "01 01", [(1 << 128) - 1])
        self.check(28, 1, "00 01", [{"$attoseconds": (1 << 64) - 1}])
        ranges = {9: (-(1 << 31), (1 << 31) - 1), 10: (0, 255), 11: (-128, 127), 12: (-32768, 32767), 15: (0, 65535)}
        ranges[16] = (0, (1 << 32) - 1)
        for type_, (least, most) in ranges.items():
            self.check(type_, 2, (zigzag(least) + zigzag(most)).hex(), [least, most])
            self.check_refused(type_, 1, zigzag(least - 1).hex(), "cannot hold")
            self.check_refused(type_, 1, zigzag(most + 1).hex(), "cannot hold")
        self.check(26, 2, (zigzag(0x1F34E) + zigzag(65)).hex(), [{"$scalar": "U+1F34E"}, {"$scalar": "U+0041"}])
        self.check_refused(26, 1, zigzag(0xD800).hex(), "no Unicode.Scalar")
        self.check(29, 2, "04 8001", [{"$class": "Double"}, {"$class": "[class]"}])

    def test_truths(self) -> None:
        self.check(0, 2, "00 01", [False, True])
        self.check_refused(0, 2, "00 02", "neither")
        self.check(0, 8, "00", [False] * 8)
        self.check(0, 8, "01", [True] * 8)
        self.check(0, 9, "02 01 01", [True] + [False] * 7 + [True])
        self.check_refused(0, 9, "02 01 02", "behind")
        self.check_refused(0, 9, "03", "unknown encoding 3")

    def test_floating(self) -> None:
        self.check(2, 8, "02 02 00 FB01", [-1.26] * 8)
        self.check_refused(2, 8, "02 0A 00 00", "scale")
        self.check_refused(2, 8, "03", "unknown encoding 3")
        self.check(2, 2, "000000000000F07F 000000000000F0FF", [{"$float": "inf"}, {"$float": "-inf"}])
        self.check(2, 1, "010000000000F87F", [{"$float": "nan:7ff8000000000001"}])
        self.check(8, 2, struct.pack("<ff", 0.1, 1e20).hex(), [0.1, 1e20])
        self.check(8, 1, "0000C07F", [{"$float": "nan:7fc00000"}])
        self.check(20, 4, struct.pack("<4e", 0.1, 65504, 6e-8, 1.5).hex(), [0.1, 65504.0, 6e-8, 1.5])
        self.check(20, 8, "00 007E", [{"$float": "nan:7e00"}] * 8)
        self.check(5, 1, "000000000000F03F", [{"$date": 1.0}])
        value = root_value(root_archive(2, struct.pack("<d", -0.0)))
        self.assertEqual((value, math.copysign(1, value)), (0.0, -1.0))

    def test_decimals(self) -> None:
        def decimal(exponent: int, head: int, *digits: int) -> str:
            return struct.pack("<bBH8H", exponent, head, 0, *digits, *[0] * (8 - len(digits))).hex()

        for exponent, head, digits, text in (
            (0, 1, (7,), "7"), (2, 1, (7,), "700"), (-1, 1, (7,), "0.7"), (-3, 0x11, (1200,), "-1.2"), (-2, 1, (700,), "7"),
            (0, 0, (), "0"), (0, 0x10, (), "nan"), (0, 2, (0, 1), "65536"), (127, 1, (1,), "1" + "0" * 127),
            (-128, 1, (1,), "0." + "0" * 127 + "1"), (0, 0x28, (1,), "1"),
        ):  # fmt: skip
            self.check(21, 1, decimal(exponent, head, *digits), [{"$decimal": text}])
        self.check_refused(21, 1, decimal(0, 9), "invalid Decimal")

    def test_strings(self) -> None:
        self.check(3, 2, "01 02 61 C3A9", ["a", "é"])
        self.check_refused(3, 2, "02 01 61 C3A9", "not UTF-8")
        self.check(3, 8, "00 00 02" + "61" * 8, ["a"] * 8)
        self.check_refused(3, 8, "00 00 01", "lengths")
        self.check_refused(3, 8, "03", "unknown encoding 3")
        self.check_refused(3, 8, "01 00 00", "no string pool")
        self.check_refused(22, 1, "00", "empty Character")
        self.check(6, 1, "02 0001", [{"$data": "AAE="}])
        pool = bytes.fromhex("01 00 02 01 01 61 62")  # pool 0: a, b
        data = array_archive(3, 8, bytes.fromhex("01 01 02" + "FF00" * 4), flags=XXH3 | POOLS, pools=pool)
        self.refused(data, "beyond the string pool")
        data = array_archive(3, 8, bytes.fromhex("01 01 00" + "0100" * 4), flags=XXH3 | POOLS, pools=pool)
        self.assertEqual(root_value(data), ["b", "a"] * 4)
        data = root_archive(31, b"\2", flags=XXH3 | POOLS, pools=pool)
        self.assertEqual(read(data)["roots"], [{"key": "r", "type": "String", "value": "b"}])
        self.refused(root_archive(1, b"\2", flags=XXH3 | POOLS, pools=bytes.fromhex("02 00 00 00 00")), "twice")
        self.refused(root_archive(1, b"\2", flags=XXH3 | POOLS, pools=b"\0\0"), "too many")

    def test_optionals(self) -> None:
        double = (b"\1" + varint(33),)
        self.check(65, 4, "00 01 01 01 00 01 01 02 04", [None, {"$some": None}, 1, 2], double)
        self.check(33, 8, "02 81 02 04", [1] + [None] * 6 + [2])
        self.check(66, 3, "01 01 00 01 00 00", [{"$some": {"$some": None}}, {"$some": None}, None], (double[0], b"\1\x41"))

    def test_collections(self) -> None:
        void = "00" * 3
        self.check(27, 2050, void, [{"$void": True}] * 2050)
        self.check_refused(27, 4097, void, "bytes that are left")
        self.check(65, 2, "00", [[], []], (b"\5\1\0",))
        self.check(65, 2, "02 04 06 08", [[1, 2], [3, 4]], (b"\5\1\2",))
        self.check_refused(65, 2, "02 04 06 08", "bytes that are left", (b"\5\1" + varint(1 << 40),))
        self.check(65, 9, "00", [{"$tuple": []}] * 9, (b"\x10",))
        self.check(65, 2, "00", [{"$structure": "S", "properties": []}] * 2, (b"\x40" + name("S"),))
        dictionary = b"\4\1\0"
        self.check(65, 2, "02 02 02 04 00 01", [{"$dictionary": [[1, False]]}, {"$dictionary": [[2, True]]}], (dictionary,))
        cases = (b"\x22" + name("E") + b"\3a\1\2b",)
        values = [{"$case": "b", "of": "E", "index": 1}, {"$case": "a", "of": "E", "index": 0, "payload": 7}]
        self.check(65, 2, "02 00 0E", values, cases)
        self.check_refused(65, 1, "04", "index of a case", cases)

    def test_any(self) -> None:
        self.check(23, 2, "02 01 00 02 00 06 01", [{"$any": "Bool", "value": True}, {"$any": "Int", "value": 3}])
        self.check_refused(23, 2, "00", "0 types")
        self.check_refused(23, 1, "02 01 00 00 06", "2 types")
        self.check_refused(23, 1, "01 01 02 06", "index of a type")
        self.check(23, 2, "02 01 01 00 02 06 08", [{"$any": "Int", "value": 3}, {"$any": "Int", "value": 4}])

    def test_records(self) -> None:
        shape = lambda *keys: b"".join([bytes([0x10 | len(keys)]), *(member(1, key) for key in keys)])  # noqa: E731
        record = "82 01 {:02X} {}"  # type 65
        self.check(30, 1, record.format(2, "02 04"), [{"$record": [["a", "Int", 1], ["", "Int", 2]]}], (shape("a", ""),))
        keys = shape("\0", "\0", "\0\0a")
        expected = [[None, "Int", 1], [None, "Int", 2], ["\0a", "Int", 3]]
        self.check(30, 1, record.format(3, "02 04 06"), [{"$record": expected}], (keys,))
        self.check(30, 1, record.format(0, ""), [{"$record": []}], (b"\x10",))
        self.check_refused(30, 1, record.format(1, "00"), "record: 1 bytes too many", (b"\x10",))
        self.check_refused(30, 1, record.format(1, "02"), "the bytes end", (shape("a", "b"),))
        self.check(30, 1, record.format(2, "02 04"), [{"$record": [["a", "Int", 1], ["a", "Int", 2]]}], (shape("a", "a"),))
        self.check(30, 1, record.format(1, "02"), [{"$record": [["a", "Int", 1]]}], (shape("\0a"),))
        self.check_refused(30, 1, "02 00", "no tuple")

    def test_level_with_two_equal_keys(self) -> None:
        """A property `$keys` besides the record of the level."""
        entries = b"\2\x82" + name("C") + member(1, "$keys") + member(30, "$keys") + b"\x10"
        objects = archive_reader.read_archive(block_archive(entries, 1, b"\2\x82\1\0")).pairs[-1][1]
        level = dict(objects[0].pairs)["levels"][0]
        properties = dict(level.pairs)["properties"]
        self.assertEqual([key for key, _ in properties], ["$keys", "$keys"])


class DepthTests(ArchiveTests):
    CHAIN = b"\x22" + name("E") + b"\3a\x40" + b"\2b"  # indirect enum E { case a(E), b }

    def test_deep_values(self) -> None:
        chain = root_archive(64, b"\0" * 3_000 + b"\2", (self.CHAIN,))
        self.assertEqual(archive_reader.json_text(chain).count('"payload"'), 3_000)
        self.refused(root_archive(64, b"\0" * 20_000 + b"\2", (self.CHAIN,)), "too deep", deep=True)

    def test_deep_arrays(self) -> None:
        self.refused(root_archive(64, b"\2" * 20_000 + b"\0", (b"\2\x40",)), "too deep", deep=True)
        self.refused(root_archive(64, b"\0", (b"\2\x40",)), "nested too deep or in itself", deep=True)

    def test_long_type_text(self) -> None:
        doubling = tuple(b"\x12" + member(65 + n, "") * 2 for n in range(40)) + (b"\x10",)
        self.refused(root_archive(64 + 41, b"\0", (*doubling, b"\2\x40")), "too long")

    def test_too_many_values(self) -> None:
        nothing = array_archive(27, 20_000, b"\0" * 20)
        self.assertEqual(len(root_value(nothing)), 20_000)
        with unittest.mock.patch.object(archive_reader, "MEMORY_FREE", 0):
            self.refused(nothing, "too many values")


if __name__ == "__main__":
    unittest.main()
