#!/usr/bin/env python3
"""An independent reader of MirrorArchive archives, written from the page ArchiveFormat.md alone.

    python3 archive_reader.py FILE

prints what is in the archive as the JSON that the page ArchiveJSON.md describes. What is invalid is refused: one line on
standard error, with the offset of the byte, and the exit code 1. Python 3.11, standard library only.

The sections follow the page: conventions, hashes, frame, types and type table, columns, records, string pools,
objects; then the JSON and the command. Nothing is printed before the whole archive is read.
"""

from __future__ import annotations

import base64
import io
import math
import struct
import sys
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Optional, TextIO

# The bounds of this reader. The page leaves the first two to the reader.
MAX_DEPTH = 16_384  # columns that are nested in one another, and types in the text of a type
MAX_TYPE_TEXT = 1 << 20  # characters in the text of one type: tuples of tuples can double it at each step
MEMORY_FREE = 16 << 20  # bytes that any archive may become ...
MEMORY_PER_BYTE = 256  # ... and how many more for each of its own ...
SCALAR_MEMORY, OTHER_MEMORY = 8, 24  # ... where a row of a column is reckoned with so many

CHUNK = 1_024  # rows of a chunk, objects of a block
MASK64 = (1 << 64) - 1


# ---------------------------------------------------------------------------------------------------------------
# Conventions
# ---------------------------------------------------------------------------------------------------------------


class ArchiveError(Exception):
    """The archive is invalid, or beyond the bounds of this reader; `offset` is the byte where that was seen."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset

    def __str__(self) -> str:
        return f"byte {self.offset}: {self.message}"


def signed64(number: int) -> int:
    """The number modulo 2^64 as a signed one: all arithmetic of integer columns wraps around."""
    number &= MASK64
    return number - (1 << 64) if number >> 63 else number


class Cursor:
    """A place in the bytes of the archive, and the end of the part that may be read."""

    __slots__ = ("data", "offset", "end")

    def __init__(self, data: bytes, offset: int, end: int) -> None:
        self.data = data
        self.offset = offset
        self.end = end

    @property
    def left(self) -> int:
        return self.end - self.offset

    def take(self, count: int, what: str = "content") -> bytes:
        """The next `count` bytes."""
        if count > self.end - self.offset:
            raise ArchiveError(f"{what}: {count} bytes needed, {self.left} left", self.offset)
        start = self.offset
        self.offset = start + count
        return self.data[start : start + count]

    def part(self, count: int, what: str) -> Cursor:
        """A cursor for the next `count` bytes, behind which this one goes on."""
        if count > self.left:
            raise ArchiveError(f"{what}: has {count} bytes, but {self.left} are left", self.offset)
        start = self.offset
        self.offset = start + count
        return Cursor(self.data, start, start + count)

    def expect_end(self, what: str) -> None:
        """Refuses bytes that are left over."""
        if self.offset != self.end:
            raise ArchiveError(f"{what}: {self.left} bytes too many", self.offset)

    def byte(self, what: str = "byte") -> int:
        if self.offset >= self.end:
            raise ArchiveError(f"{what}: the bytes end", self.offset)
        self.offset += 1
        return self.data[self.offset - 1]

    def zero_byte(self, what: str) -> None:
        """The zero byte that stands for what has no bytes of its own."""
        if self.byte(what) != 0:
            raise ArchiveError(f"{what}: a zero byte is expected", self.offset - 1)

    def varint(self, what: str = "number") -> int:
        """LEB128 of at most ten bytes and 64 bits. Longer forms than needed are accepted: only writers must not."""
        start, value = self.offset, 0
        for shift in range(0, 70, 7):
            byte = self.byte(what)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value > MASK64:
                    break
                return value
        raise ArchiveError(f"{what}: a varint of more than 64 bits", start)

    def zigzag(self, what: str = "integer") -> int:
        value = self.varint(what)
        return value >> 1 ^ -(value & 1)

    def text(self, length: int, what: str) -> str:
        start = self.offset
        return utf8(self.take(length, what), start, what)

    def name(self, what: str) -> str:
        """A text with a varint length."""
        return self.text(self.varint(what), what)


def utf8(content: bytes, offset: int, what: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ArchiveError(f"{what}: not UTF-8", offset + error.start) from None


# ---------------------------------------------------------------------------------------------------------------
# The two hashes, by the xxHash specification; the seed is always 0
# ---------------------------------------------------------------------------------------------------------------

PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2, PRIME64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
PRIME64_4, PRIME64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PRIME_MX1, PRIME_MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb"
    "170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)


def words64(content: bytes, offset: int, count: int) -> tuple[int, ...]:
    return struct.unpack_from(f"<{count}Q", content, offset)


def rotate64(value: int, bits: int) -> int:
    return (value << bits | value >> 64 - bits) & MASK64


def avalanche_xxh64(value: int) -> int:
    value = (value ^ value >> 33) * PRIME64_2 & MASK64
    value = (value ^ value >> 29) * PRIME64_3 & MASK64
    return value ^ value >> 32


def avalanche_xxh3(value: int) -> int:
    value = (value ^ value >> 37) * PRIME_MX1 & MASK64
    return value ^ value >> 32


def fold128(product: int) -> int:
    """The two halves of a product of 128 bits, one upon the other."""
    return product & MASK64 ^ product >> 64


def xxhash64(data: bytes) -> int:
    """The xxHash64 of the bytes."""

    def turn(lane: int, word: int) -> int:
        return rotate64(lane + word * PRIME64_2 & MASK64, 31) * PRIME64_1 & MASK64

    size = len(data)
    stripes = size // 32 * 32
    if stripes:
        a, b, c, d = (PRIME64_1 + PRIME64_2) & MASK64, PRIME64_2, 0, -PRIME64_1 & MASK64
        for w, x, y, z in struct.iter_unpack("<4Q", memoryview(data)[:stripes]):
            a, b, c, d = turn(a, w), turn(b, x), turn(c, y), turn(d, z)
        value = rotate64(a, 1) + rotate64(b, 7) + rotate64(c, 12) + rotate64(d, 18) & MASK64
        for lane in (a, b, c, d):
            value = ((value ^ turn(0, lane)) * PRIME64_1 + PRIME64_4) & MASK64
    else:
        value = PRIME64_5
    value = value + size & MASK64
    at = stripes
    while size - at >= 8:
        value = (rotate64(value ^ turn(0, words64(data, at, 1)[0]), 27) * PRIME64_1 + PRIME64_4) & MASK64
        at += 8
    if size - at >= 4:
        value ^= int.from_bytes(data[at : at + 4], "little") * PRIME64_1 & MASK64
        value = (rotate64(value, 23) * PRIME64_2 + PRIME64_3) & MASK64
        at += 4
    for byte in data[at:]:
        value = rotate64(value ^ byte * PRIME64_5 & MASK64, 11) * PRIME64_1 & MASK64
    return avalanche_xxh64(value)


def xxh3_64(data: bytes) -> int:
    """The 64-bit XXH3 of the bytes with the default secret."""
    size = len(data)
    if size == 0:
        first, second = words64(SECRET, 56, 2)
        return avalanche_xxh64(first ^ second)
    if size <= 3:
        combined = data[-1] | size << 8 | data[0] << 16 | data[size >> 1] << 24
        first, second = struct.unpack_from("<2I", SECRET, 0)
        return avalanche_xxh64(first ^ second ^ combined)
    if size <= 8:
        first, second = words64(SECRET, 8, 2)
        combined = int.from_bytes(data[-4:], "little") | int.from_bytes(data[:4], "little") << 32
        value = first ^ second ^ combined
        value ^= rotate64(value, 49) ^ rotate64(value, 24)
        value = value * PRIME_MX2 & MASK64
        value = (value ^ (value >> 35) + size) * PRIME_MX2 & MASK64
        return value ^ value >> 28
    if size <= 16:
        secret = words64(SECRET, 24, 4)
        low = secret[0] ^ secret[1] ^ words64(data, 0, 1)[0]
        high = secret[2] ^ secret[3] ^ words64(data, size - 8, 1)[0]
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return avalanche_xxh3(size + swapped + high + fold128(low * high) & MASK64)
    if size <= 240:
        return xxh3_medium(data)
    return xxh3_long(data)


def xxh3_medium(data: bytes) -> int:
    """XXH3 of 17...240 bytes."""

    def mix(at: int, secret_at: int) -> int:
        (low, high), (key_low, key_high) = words64(data, at, 2), words64(SECRET, secret_at, 2)
        return fold128((low ^ key_low) * (high ^ key_high))

    size = len(data)
    value = size * PRIME64_1
    if size <= 128:
        for i in range(size - 1 >> 5, -1, -1):
            value += mix(i * 16, i * 32) + mix(size - i * 16 - 16, i * 32 + 16)
    else:
        value = avalanche_xxh3(value + sum(mix(i * 16, i * 16) for i in range(8)) & MASK64)
        value += sum(mix(i * 16, (i - 8) * 16 + 3) for i in range(8, size >> 4))
        value += mix(size - 16, 119)
    return avalanche_xxh3(value & MASK64)


def xxh3_long(data: bytes) -> int:
    """XXH3 of more than 240 bytes: blocks of 16 stripes of 64 bytes."""
    lanes = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    keys = [words64(SECRET, n * 8, 8) for n in range(16)]
    last_key, scramble_key = words64(SECRET, 192 - 71, 8), words64(SECRET, 128, 8)

    def accumulate(at: int, key: tuple[int, ...]) -> None:
        for i, (word, secret) in enumerate(zip(words64(data, at, 8), key)):
            value = word ^ secret
            lanes[i ^ 1] += word
            lanes[i] += (value & 0xFFFFFFFF) * (value >> 32)

    size = len(data)
    blocks = (size - 1) // 1024
    for block in range(blocks):
        for stripe in range(16):
            accumulate(block * 1024 + stripe * 64, keys[stripe])
        for i, lane in enumerate(lanes):
            lane &= MASK64
            lanes[i] = (lane ^ lane >> 47 ^ scramble_key[i]) * PRIME32_1 & MASK64
    for stripe in range((size - blocks * 1024 - 1) // 64):
        accumulate(blocks * 1024 + stripe * 64, keys[stripe])
    accumulate(size - 64, last_key)
    merge_key = words64(SECRET, 11, 8)
    value = size * PRIME64_1
    for i in range(0, 8, 2):
        value += fold128((lanes[i] & MASK64 ^ merge_key[i]) * (lanes[i + 1] & MASK64 ^ merge_key[i + 1]))
    return avalanche_xxh3(value & MASK64)


# ---------------------------------------------------------------------------------------------------------------
# The frame
# ---------------------------------------------------------------------------------------------------------------

MAGIC = bytes.fromhex("4D419E")
READER_VERSION = 1
SEGMENT = 65_536
SIMPLE, POOLS, SEGMENTED, XXH3, FILLED = 1, 2, 4, 8, 16
FLAG_NAMES = ("simple", "pools", "segmented", "xxh3", "filled")


@dataclass
class Frame:
    """What the head says, and where the body is."""

    version: int
    oldest_reader: int
    flags: int
    body: Cursor


def read_frame(data: bytes) -> Frame:
    """Checks, in this order, the magic, the oldest reader, the length, the seal, and then the flags."""
    if data[:3] != MAGIC:
        raise ArchiveError("not an archive: another magic", 0)
    head = Cursor(data, 3, len(data))
    versions = head.byte("the version")
    version, oldest = versions >> 4, versions & 15
    if oldest > READER_VERSION:
        raise ArchiveError(f"the archive needs a reader of version {oldest}", 3)
    flags = head.byte("the flags")
    length = head.varint("the length of the body")
    start, end = head.offset, head.offset + length
    segments = -(-end // SEGMENT) if flags & SEGMENTED else 0
    total = end + 8 * segments + 8
    if total != len(data):
        raise ArchiveError(f"{len(data)} bytes, but by its head the archive has {total}", min(total, len(data)))
    verify_seal(data, end, segments, xxh3_64 if flags & XXH3 else xxhash64)
    if flags >> len(FLAG_NAMES):
        raise ArchiveError(f"unknown flags {flags:#04x}", 4)
    if flags & SIMPLE and flags & FILLED:
        raise ArchiveError("the flags simple and filled together", 4)
    if oldest == 0 or version < oldest:
        raise ArchiveError(f"version {version} for readers of version {oldest}", 3)
    return Frame(version, oldest, flags, Cursor(data, start, end))


def verify_seal(data: bytes, end: int, segments: int, hash64: Callable[[bytes], int]) -> None:
    """The hash of everything in front of the seal; of a segmented archive the hash of the hashes, then each segment."""
    seals = struct.unpack_from(f"<{segments + 1}Q", data, end)
    if segments == 0:
        if hash64(data[:end]) != seals[0]:
            raise ArchiveError("the seal is not the hash of the archive", end)
        return
    if hash64(data[end : end + 8 * segments]) != seals[-1]:
        raise ArchiveError("the seal is not the hash of the hashes", end + 8 * segments)
    for index in range(segments):
        if hash64(data[index * SEGMENT : min((index + 1) * SEGMENT, end)]) != seals[index]:
            raise ArchiveError(f"segment {index} has another hash", index * SEGMENT)


# ---------------------------------------------------------------------------------------------------------------
# Types and the type table
# ---------------------------------------------------------------------------------------------------------------

SCALAR_NAMES = (
    "Bool Int Double String reference Date Data UUID Float Int32 UInt8 Int8 Int16 Int64 UInt UInt16 UInt32 UInt64 "
    "Int128 UInt128 Float16 Decimal Character Any CGFloat Substring Unicode.Scalar Void Duration class record String"
).split()
BOOL, INT, DOUBLE, STRING, REFERENCE, DATE = range(6)
OPTIONALS, ENTRIES = 32, 64  # the first numbers of Optionals, and of entries
NAMED_KINDS = ("class", "structure", "enumeration")
SHORT_TYPES = (*range(10), 35, 33, 34, 36, 37)  # the types of the high four bits of a member, but for 15
WITHOUT_KEY = "\0"  # the key in a shape of a value that was encoded without a key


@dataclass
class Entry:
    """An entry of the type table. What it has depends on its kind."""

    kind: str  # optional, array, set, dictionary, inline, tuple, enumeration, structure, class
    offset: int
    types: list[int] = field(default_factory=list)  # elements; key and value; members; payloads of the cases, -1: none
    keys: list[str] = field(default_factory=list)  # of the members; the names of the cases
    count: int = 0  # elements of an inline array
    name: str = ""
    version: int = 0
    superclass: Optional[int] = None  # the index of its entry
    raw_values: Optional[list[Any]] = None


class TypeTable:
    """The entries, and what follows from them: the text of a type, the levels of a class."""

    def __init__(self, cursor: Cursor) -> None:
        start = cursor.offset
        count = cursor.varint("the number of types")
        if count > 65_536 or count * 2 > cursor.left:
            raise ArchiveError(f"{count} entries in the type table", start)
        self.type_count = ENTRIES + count
        self.entries = [self._entry(cursor) for _ in range(count)]
        self._texts: dict[int, str] = {}
        self._levels: dict[int, list[int]] = {}
        self._check_containment()
        for index, entry in enumerate(self.entries):
            if entry.kind == "class":
                self.levels(index)

    # Reading

    def type_number(self, cursor: Cursor) -> int:
        """A type, whose entry must be in the table."""
        start = cursor.offset
        number = cursor.varint("type")
        return self.checked_type(number, start)

    def checked_type(self, number: int, offset: int) -> int:
        if not 0 <= number < self.type_count:
            raise ArchiveError(f"type {number} is not in the type table", offset)
        return number

    def _entry(self, cursor: Cursor) -> Entry:
        start = cursor.offset
        head = cursor.byte("entry")
        entry = Entry("", start)
        if 1 <= head <= 3:
            entry.kind = ("optional", "array", "set")[head - 1]
            entry.types = [self.type_number(cursor)]
        elif head == 4:
            entry.kind = "dictionary"
            entry.types = [self.type_number(cursor), self.type_number(cursor)]
        elif head == 5:
            entry.kind = "inline"
            entry.types = [self.type_number(cursor)]
            entry.count = cursor.varint("the number of elements of an inline array")
        elif 6 <= head <= 10:
            self._raw_enumeration(cursor, entry, head)
        elif head >> 4 == 0b0001:
            entry.kind = "tuple"
            self._members(cursor, entry, self._count(cursor, head, 15))
        elif head >> 5 == 0b001:
            self._enumeration(cursor, entry, head)
        elif head >> 6 == 0b01:
            entry.kind = "structure"
            count = self._count(cursor, head, 31)
            self._name_and_version(cursor, entry, head & 0x20)
            self._members(cursor, entry, count)
        elif head >> 7:
            entry.kind = "class"
            count = self._count(cursor, head, 31)
            self._name_and_version(cursor, entry, head & 0x40)
            if head & 0x20:
                entry.superclass = self.type_number(cursor) - ENTRIES
            self._members(cursor, entry, count)
        else:
            raise ArchiveError(f"unknown kind of entry {head:#04x}", start)
        return entry

    @staticmethod
    def _count(cursor: Cursor, head: int, all_bits: int) -> int:
        """The number of members or cases: the low bits of the head, or the varint behind it if all are set."""
        start = cursor.offset
        count = head & all_bits
        if count == all_bits:
            count = cursor.varint("the number of members")
        if count > cursor.left:
            raise ArchiveError(f"{count} members, but {cursor.left} bytes are left", start)
        return count

    @staticmethod
    def _name_and_version(cursor: Cursor, entry: Entry, has_version: int) -> None:
        entry.name = cursor.name("the name of a type")
        if has_version:
            entry.version = cursor.varint("the version of a type")

    def _members(self, cursor: Cursor, entry: Entry, count: int) -> None:
        for _ in range(count):
            start = cursor.offset
            head = cursor.byte("member")
            type_ = self.type_number(cursor) if head >> 4 == 15 else SHORT_TYPES[head >> 4]
            length = head & 15 or cursor.varint("the length of a key")
            if length == 0 and entry.kind != "tuple":
                raise ArchiveError(f"an empty key in a {entry.kind}", start)
            entry.types.append(type_)
            entry.keys.append(cursor.text(length, "key"))

    def _enumeration(self, cursor: Cursor, entry: Entry, head: int) -> None:
        entry.kind = "enumeration"
        count = self._count(cursor, head, 15)
        self._name_and_version(cursor, entry, head & 0x10)
        for _ in range(count):
            length = cursor.varint("case")
            entry.keys.append(cursor.text(length >> 1, "the name of a case"))
            entry.types.append(self.type_number(cursor) if length & 1 else -1)

    def _raw_enumeration(self, cursor: Cursor, entry: Entry, kind: int) -> None:
        start = cursor.offset
        head = cursor.byte("enumeration")
        if head >> 5 != 0b001:
            raise ArchiveError("raw values of what is not an enumeration", start)
        self._enumeration(cursor, entry, head)
        if any(type_ >= 0 for type_ in entry.types):
            raise ArchiveError("an enumeration with raw values has a payload", start)
        count = len(entry.keys)
        if kind == 6:
            entry.raw_values = list(entry.keys)
        elif kind == 7:
            entry.raw_values = list(range(count))
        elif kind == 8:
            entry.raw_values = [cursor.name("raw value") for _ in range(count)]
        elif kind == 9:
            entry.raw_values = [cursor.zigzag("raw value") for _ in range(count)]
        else:
            entry.raw_values = [double_value(cursor.take(8, "raw value")) for _ in range(count)]

    # Checking

    def _check_containment(self) -> None:
        """No value may contain itself by way of tuples, structures and inline arrays."""
        direct = ("tuple", "structure", "inline")
        done = [False] * len(self.entries)
        for first, entry in enumerate(self.entries):
            if done[first] or entry.kind not in direct:
                continue
            path, on_path = [(first, iter(entry.types))], {first}
            while path:
                index, members = path[-1]
                inner = next(members, None)
                if inner is None:
                    path.pop()
                    on_path.remove(index)
                    done[index] = True
                elif inner >= ENTRIES and self.entries[inner - ENTRIES].kind in direct:
                    inner -= ENTRIES
                    if inner in on_path:
                        raise ArchiveError("a type contains itself", self.entries[inner].offset)
                    if not done[inner]:
                        path.append((inner, iter(self.entries[inner].types)))
                        on_path.add(inner)

    def levels(self, index: int) -> list[int]:
        """The entries of a class and its superclasses, the topmost first."""
        if index not in self._levels:
            chain: list[int] = []
            level: Optional[int] = index
            while level is not None:
                if level < 0 or self.entries[level].kind != "class":
                    raise ArchiveError("a superclass is no class", self.entries[chain[-1]].offset)
                if level in chain or len(chain) == 256:
                    offset = self.entries[index].offset
                    raise ArchiveError("a class inherits from itself or has more than 256 levels", offset)
                chain.append(level)
                level = self.entries[level].superclass
            self._levels[index] = chain[::-1]
        return self._levels[index]

    def is_optional(self, type_: int) -> bool:
        return OPTIONALS <= type_ < ENTRIES or type_ >= ENTRIES and self.entries[type_ - ENTRIES].kind == "optional"

    def is_class(self, type_: int) -> bool:
        return ENTRIES <= type_ < self.type_count and self.entries[type_ - ENTRIES].kind == "class"

    # Text

    def text(self, type_: int, depth: int = 0) -> str:
        """The type as it is written in the JSON."""
        if type_ < OPTIONALS:
            return SCALAR_NAMES[type_]
        if type_ < ENTRIES:
            return SCALAR_NAMES[type_ - OPTIONALS] + "?"
        entry = self.entries[type_ - ENTRIES]
        if entry.kind in NAMED_KINDS:
            return entry.name
        if type_ not in self._texts:
            if depth == MAX_DEPTH:
                raise ArchiveError("a type without a name is nested too deep or in itself", entry.offset)
            parts = []
            for inner in entry.types:
                parts.append(self.text(inner, depth + 1))
            if entry.kind == "optional":
                text = f"{parts[0]}?"
            elif entry.kind == "array":
                text = f"[{parts[0]}]"
            elif entry.kind == "set":
                text = f"Set<{parts[0]}>"
            elif entry.kind == "dictionary":
                text = f"[{parts[0]}: {parts[1]}]"
            elif entry.kind == "inline":
                text = f"[{entry.count} of {parts[0]}]"
            else:
                text = "(" + ", ".join(f"{key}: {part}" if key else part for key, part in zip(entry.keys, parts)) + ")"
            if len(text) > MAX_TYPE_TEXT:
                raise ArchiveError("the text of a type is too long", entry.offset)
            self._texts[type_] = text
        return self._texts[type_]


# ---------------------------------------------------------------------------------------------------------------
# Values as JSON
# ---------------------------------------------------------------------------------------------------------------


class Members:
    """A JSON object, whose members have an order."""

    __slots__ = ("pairs",)

    def __init__(self, *pairs: tuple[str, Any]) -> None:
        self.pairs = list(pairs)


class SomeNil(Members):
    """An Optional that is present and holds a nil."""

    __slots__ = ()


def floating_value(value: float, content: bytes) -> Any:
    """A number of the bytes `content`, which are its bits."""
    if math.isfinite(value):
        return value
    if math.isnan(value):
        bits = int.from_bytes(content, "little")
        return Members(("$float", f"nan:{bits:0{2 * len(content)}x}"))
    return Members(("$float", "inf" if value > 0 else "-inf"))


def double_value(content: bytes) -> Any:
    return floating_value(struct.unpack("<d", content)[0], content)


def narrow_value(content: bytes, code: str, precision: int, most_digits: int) -> Any:
    """A Float or Float16: what its shortest digits say that are read as the same number again; whole numbers that have
    at most `precision` bits are exact."""
    value = struct.unpack(code, content)[0]
    if math.isfinite(value) and not (value == int(value) and abs(value) < 1 << precision):
        for digits in range(1, most_digits + 1):
            shortest = float(f"{value:.{digits}g}")
            try:
                if struct.pack(code, shortest) == content:
                    return shortest
            except OverflowError:  # rounded up beyond the largest number of the type
                continue
    return floating_value(value, content)


def float_value(content: bytes) -> Any:
    return narrow_value(content, "<f", 24, 9)


def float16_value(content: bytes) -> Any:
    return narrow_value(content, "<e", 16, 5)


def decimal_text(content: bytes, offset: int) -> str:
    """The 20 bytes of a Decimal in plain digits. NaN is a number without digits that is negative."""
    exponent, head, zeros, *digits = struct.unpack("<bBH8H", content)
    length, negative = head & 15, head >> 4 & 1
    if length > 8 or head >> 6 or zeros:
        raise ArchiveError("an invalid Decimal", offset)
    if length == 0:
        return "nan" if negative else "0"
    number = sum(digit << 16 * place for place, digit in enumerate(digits[:length]))
    if number == 0:
        return "0"
    text = str(number)
    if exponent >= 0:
        text += "0" * exponent
    else:
        text = text.rjust(1 - exponent, "0")
        text = f"{text[:exponent]}.{text[exponent:]}".rstrip("0").rstrip(".")
    return "-" + text if negative else text


# ---------------------------------------------------------------------------------------------------------------
# Columns
# ---------------------------------------------------------------------------------------------------------------

PLAIN_ROWS = 7  # columns of up to so many rows have no encoding byte
INTEGER_RANGES = {9: (4, True), 10: (1, False), 11: (1, True), 12: (2, True), 15: (2, False), 16: (4, False)}
POWERS_OF_10 = [10**digits for digits in range(19)]


def unknown_encoding(cursor: Cursor, what: str, encoding: int) -> ArchiveError:
    return ArchiveError(f"unknown encoding {encoding} of {what}", cursor.offset - 1)


def read_integers(cursor: Cursor, rows: int) -> list[int]:
    """A column of integers: signed ones of 64 bits."""
    if rows <= PLAIN_ROWS:
        return [cursor.zigzag() for _ in range(rows)]
    encoding = cursor.byte("the encoding of integers")
    if encoding == 0:
        return [cursor.zigzag()] * rows
    if encoding in (1, 2, 3):
        base = cursor.zigzag()
        code = "BHI"[encoding - 1]
        numbers = struct.unpack(f"<{rows}{code}", cursor.take(rows << encoding - 1))
        return [signed64(base + number) for number in numbers]
    if encoding == 4:
        return list(struct.unpack(f"<{rows}q", cursor.take(8 * rows)))
    if encoding == 5:
        base = cursor.zigzag()
        return [signed64(base + number) for number in read_packed(cursor, rows, least_width=1)]
    if encoding == 6:
        value, smallest = cursor.zigzag(), cursor.zigzag()
        values = [value]
        for number in read_packed(cursor, rows - 1, least_width=0):
            value = signed64(value + smallest + number)
            values.append(value)
        return values
    if encoding == 7:
        return read_runs(cursor, rows)
    raise unknown_encoding(cursor, "integers", encoding)


def read_packed(cursor: Cursor, count: int, least_width: int) -> list[int]:
    """A byte, the width, and numbers of so many bits from the lowest bit of the first byte on."""
    width = cursor.byte("the width of packed numbers")
    if not least_width <= width <= 57:
        raise ArchiveError(f"packed numbers of {width} bits", cursor.offset - 1)
    bits = int.from_bytes(cursor.take(count * width + 7 >> 3), "little")
    if bits >> count * width:
        raise ArchiveError("bits behind the last packed number", cursor.offset - 1)
    mask = (1 << width) - 1
    return [bits >> place & mask for place in range(0, count * width, width)] if width else [0] * count


def read_runs(cursor: Cursor, rows: int) -> list[int]:
    start = cursor.offset
    values: list[int] = []
    for _ in range(cursor.varint("the number of runs")):
        length = cursor.varint("the length of a run")
        if length == 0 or length > rows - len(values):
            raise ArchiveError(f"a run of {length} rows", cursor.offset)
        values += [cursor.zigzag()] * length
    if len(values) != rows:
        raise ArchiveError(f"runs of {len(values)} rows in a column of {rows}", start)
    return values


def read_truths(cursor: Cursor, rows: int) -> list[bool]:
    """A column of truth values."""
    if rows <= PLAIN_ROWS:
        content = cursor.take(rows, "truth values")
        if max(content) > 1:
            raise ArchiveError("a truth value that is neither 0 nor 1", cursor.offset - rows)
        return [byte == 1 for byte in content]
    encoding = cursor.byte("the encoding of truth values")
    if encoding in (0, 1):
        return [encoding == 1] * rows
    if encoding == 2:
        bits = int.from_bytes(cursor.take(rows + 7 >> 3, "truth values"), "little")
        if bits >> rows:
            raise ArchiveError("bits behind the last truth value", cursor.offset - 1)
        return [bool(bits >> row & 1) for row in range(rows)]
    raise unknown_encoding(cursor, "truth values", encoding)


def read_fixed(cursor: Cursor, rows: int, width: int, what: str, constant: int = 0, raw: int = 1) -> list[bytes]:
    """The bytes of each row: plain, constant or raw."""
    encoding = raw if rows <= PLAIN_ROWS else cursor.byte(f"the encoding of {what}")
    if encoding == constant:
        return [cursor.take(width, what)] * rows
    if encoding == raw:
        content = cursor.take(width * rows, what)
        return [content[at : at + width] for at in range(0, len(content), width)]
    raise unknown_encoding(cursor, what, encoding)


def read_doubles(cursor: Cursor, rows: int) -> list[Any]:
    """A column of doubles, as they are written in the JSON."""
    if rows > PLAIN_ROWS and cursor.left and cursor.data[cursor.offset] == 2:
        cursor.byte()
        scale = cursor.byte("the scale of decimal doubles")
        if scale > 9:
            raise ArchiveError(f"the scale {scale} of decimal doubles", cursor.offset - 1)
        return [float(number) / 10.0**scale for number in read_integers(cursor, rows)]
    return [double_value(content) for content in read_fixed(cursor, rows, 8, "doubles")]


def read_lengths(cursor: Cursor, rows: int, what: str) -> list[int]:
    """The lengths of byte strings that are neither pooled nor numbered; their contents follow."""
    if rows <= PLAIN_ROWS:
        lengths = [cursor.varint(f"the length of {what}") for _ in range(rows)]
    else:
        encoding = cursor.byte(f"the encoding of {what}")
        if encoding != 0:
            raise unknown_encoding(cursor, what, encoding)
        lengths = read_integers(cursor, rows)
    if min(lengths) < 0 or sum(lengths) > cursor.left:
        raise ArchiveError(f"the lengths of {what} are beyond the bytes that are left", cursor.offset)
    return lengths


def read_byte_strings(cursor: Cursor, rows: int, what: str) -> list[bytes]:
    """A column of byte strings that are neither pooled nor numbered."""
    return [cursor.take(length, what) for length in read_lengths(cursor, rows, what)]


def read_unpooled_strings(cursor: Cursor, rows: int) -> list[str]:
    contents = read_byte_strings(cursor, rows, "strings")
    offset = cursor.offset - sum(map(len, contents))
    texts = []
    for content in contents:
        texts.append(utf8(content, offset, "string"))
        offset += len(content)
    return texts


def read_numbered(cursor: Cursor, rows: int) -> list[str]:
    """Strings that differ in a number between two texts that all of them have."""
    prefix = cursor.text(cursor.byte("the length of a text"), "the text in front of numbers")
    suffix = cursor.text(cursor.byte("the length of a text"), "the text behind numbers")
    digits = cursor.byte("the number of digits")
    if digits > 18:
        raise ArchiveError(f"numbers of {digits} digits", cursor.offset - 1)
    start = cursor.offset
    numbers = read_integers(cursor, rows)
    if min(numbers) < 0 or max(numbers) >= POWERS_OF_10[digits or 18]:
        raise ArchiveError("a number of numbered strings is negative or has too many digits", start)
    return [f"{prefix}{number:0{digits}d}{suffix}" for number in numbers]


class ColumnReader:
    """Reads columns of any type. What columns need to know beyond their bytes is here: the types, which objects exist,
    and the pool of the property (or of the roots) that the column is in."""

    def __init__(self, types: TypeTable, archive_size: int) -> None:
        self.types = types
        self.block_rows: list[int] = []  # how many objects each block has
        self.pools: dict[int, list[str]] = {}
        self.pool_number = 0
        self._depth = 0
        self._used_pools: set[int] = set()
        self._memory_left = MEMORY_FREE + MEMORY_PER_BYTE * archive_size

    def column(self, cursor: Cursor, type_: int, rows: int) -> list[Any]:
        """The values of a chunk, as they are written in the JSON. A column of no rows takes no bytes."""
        if rows == 0:
            return []
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ArchiveError("values are nested too deep", cursor.offset)
        is_scalar = type_ < OPTIONALS and SCALAR_NAMES[type_] not in ("Any", "record")
        self._reckon(rows * (SCALAR_MEMORY if is_scalar else OTHER_MEMORY), cursor)
        if type_ < OPTIONALS:
            values = self._scalars(cursor, type_, rows)
        elif type_ < ENTRIES:
            values = self._optionals(cursor, type_ - OPTIONALS, rows)
        else:
            entry = self.types.entries[type_ - ENTRIES]
            values = ENTRY_COLUMNS[entry.kind](self, cursor, entry, rows)
        self._depth -= 1
        return values

    def _reckon(self, memory: int, cursor: Cursor) -> None:
        self._memory_left -= memory
        if self._memory_left < 0:
            raise ArchiveError("the archive has too many values for its size", cursor.offset)

    def _elements(self, cursor: Cursor, type_: int, count: int) -> list[Any]:
        """The elements of collections, in chunks."""
        values: list[Any] = []
        while count > len(values):
            values += self.column(cursor, type_, min(CHUNK, count - len(values)))
        return values

    def _counts(self, cursor: Cursor, rows: int) -> list[int]:
        """How many elements each row has. More than 1,024 for each byte that is left cannot be."""
        start = cursor.offset
        counts = read_integers(cursor, rows)
        if min(counts) < 0 or sum(counts) // CHUNK > cursor.left:
            raise ArchiveError("a count of elements beyond the bytes that are left", start)
        return counts

    # Types with numbers below 32

    def _scalars(self, cursor: Cursor, type_: int, rows: int) -> list[Any]:
        start = cursor.offset
        name = SCALAR_NAMES[type_]
        if name == "Bool":
            return read_truths(cursor, rows)
        if name in ("Double", "CGFloat"):
            return read_doubles(cursor, rows)
        if name == "Date":
            return [Members(("$date", value)) for value in read_doubles(cursor, rows)]
        if type_ == 31:
            return self._pooled(cursor, rows)
        if name in ("String", "Substring", "Character"):
            values = self._strings(cursor, rows)
            if name == "Character" and "" in values:
                raise ArchiveError("an empty Character", start)
            return values
        if name == "Data":
            contents = read_byte_strings(cursor, rows, "Data")
            return [Members(("$data", base64.b64encode(content).decode("ascii"))) for content in contents]
        if name == "UUID":
            return [Members(("$uuid", uuid_text(content))) for content in read_fixed(cursor, rows, 16, "UUIDs")]
        if name == "Float":
            return [float_value(content) for content in read_fixed(cursor, rows, 4, "floats")]
        if name == "Float16":
            return [float16_value(content) for content in read_fixed(cursor, rows, 2, "Float16")]
        if name == "Decimal":
            contents = read_fixed(cursor, rows, 20, "Decimals")
            return [Members(("$decimal", decimal_text(content, start))) for content in contents]
        if name == "Void":
            cursor.zero_byte("Void")
            return [Members(("$void", True)) for _ in range(rows)]
        if name == "Any":
            return self._any(cursor, rows)
        if name == "record":
            return self._records(cursor, rows)
        if name in ("Int128", "UInt128", "Duration"):
            high, low = read_integers(cursor, rows), read_integers(cursor, rows)
            wide = [h << 64 | l & MASK64 for h, l in zip(high, low)]
            if name == "UInt128":
                return [value & (1 << 128) - 1 for value in wide]
            return [Members(("$attoseconds", value)) for value in wide] if name == "Duration" else wide
        numbers = read_integers(cursor, rows)
        if name in ("Int", "Int64"):
            return numbers
        if name in ("UInt", "UInt64"):
            return [number & MASK64 for number in numbers]
        if name == "reference":
            return self._references(numbers, start)
        if name == "class":
            return [Members(("$class", self.types.text(self.types.checked_type(number, start)))) for number in numbers]
        if name == "Unicode.Scalar":
            if min(numbers) < 0 or max(numbers) > 0x10FFFF or any(0xD800 <= number < 0xE000 for number in numbers):
                raise ArchiveError("a code point that is no Unicode.Scalar", start)
            return [Members(("$scalar", f"U+{number:04X}")) for number in numbers]
        size, signed = INTEGER_RANGES[type_]
        least, most = (-1 << 8 * size - 1, (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)
        if min(numbers) < least or max(numbers) > most:
            raise ArchiveError(f"a value that {name} cannot hold", start)
        return numbers

    def _references(self, numbers: list[int], offset: int) -> list[Any]:
        for number in numbers:
            if not (0 <= number >> 10 < len(self.block_rows) and number & 1023 < self.block_rows[number >> 10]):
                raise ArchiveError(f"there is no object {number}", offset)
        return [Members(("$object", number)) for number in numbers]

    def _strings(self, cursor: Cursor, rows: int) -> list[str]:
        if rows > PLAIN_ROWS and cursor.left and cursor.data[cursor.offset] in (1, 2):
            return self._pooled(cursor, rows) if cursor.byte() == 1 else read_numbered(cursor, rows)
        return read_unpooled_strings(cursor, rows)

    def _pooled(self, cursor: Cursor, rows: int) -> list[str]:
        """Strings by their places in the pool of the property."""
        start = cursor.offset
        pool = self.pools.get(self.pool_number)
        if pool is None:
            raise ArchiveError(f"there is no string pool {self.pool_number}", start)
        if self.pool_number not in self._used_pools:
            self._used_pools.add(self.pool_number)
            self._reckon(len(pool) * SCALAR_MEMORY, cursor)
        places = read_integers(cursor, rows)
        if min(places) < 0 or max(places) >= len(pool):
            raise ArchiveError("a place beyond the string pool", start)
        return [pool[place] for place in places]

    def _any(self, cursor: Cursor, rows: int) -> list[Any]:
        start = cursor.offset
        count = cursor.varint("the number of types in Any")
        if not 1 <= count <= rows:
            raise ArchiveError(f"{count} types in a column of {rows} Any", start)
        types = [self.types.type_number(cursor) for _ in range(count)]
        start = cursor.offset
        indexes = read_integers(cursor, rows)
        if min(indexes) < 0 or max(indexes) >= count:
            raise ArchiveError("the index of a type in Any", start)
        columns: list[Iterator[Any]] = []
        for index, type_ in enumerate(types):
            columns.append(iter(self.column(cursor, type_, indexes.count(index))))
        texts = [self.types.text(type_) for type_ in types]
        return [Members(("$any", texts[index]), ("value", next(columns[index]))) for index in indexes]

    # Optionals and entries

    def _optionals(self, cursor: Cursor, type_: int, rows: int) -> list[Any]:
        present = read_truths(cursor, rows)
        inner = self.column(cursor, type_, sum(present))
        if self.types.is_optional(type_):
            nil_inside = [value is None or isinstance(value, SomeNil) for value in inner]
            inner = [SomeNil(("$some", value)) if is_nil else value for value, is_nil in zip(inner, nil_inside)]
        values = iter(inner)
        return [next(values) if is_present else None for is_present in present]

    def _optional_entry(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        return self._optionals(cursor, entry.types[0], rows)

    def _arrays(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        counts = self._counts(cursor, rows)
        elements = self._elements(cursor, entry.types[0], sum(counts))
        return list(split(elements, counts))

    def _sets(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        return [Members(("$set", elements)) for elements in self._arrays(cursor, entry, rows)]

    def _dictionaries(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        counts = self._counts(cursor, rows)
        total = sum(counts)
        keys: list[Any] = []
        values: list[Any] = []
        while total > len(keys):
            chunk = min(CHUNK, total - len(keys))
            keys += self.column(cursor, entry.types[0], chunk)
            values += self.column(cursor, entry.types[1], chunk)
        pairs = [[key, value] for key, value in zip(keys, values)]
        return [Members(("$dictionary", row)) for row in split(pairs, counts)]

    def _inline_arrays(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        if entry.count == 0:
            cursor.zero_byte("an inline array without elements")
            return [[] for _ in range(rows)]
        if entry.count * rows // CHUNK > cursor.left:
            raise ArchiveError("a count of elements beyond the bytes that are left", cursor.offset)
        elements = self._elements(cursor, entry.types[0], entry.count * rows)
        return list(split(elements, [entry.count] * rows))

    def _member_columns(self, cursor: Cursor, entry: Entry, rows: int) -> list[tuple[Any, ...]]:
        """The values of the members of each row."""
        if not entry.types:
            cursor.zero_byte(f"a {entry.kind} without members")
            return [()] * rows
        columns = []
        for type_ in entry.types:
            columns.append(self.column(cursor, type_, rows))
        return list(zip(*columns))

    def _tuples(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        values = self._member_columns(cursor, entry, rows)
        return [Members(("$tuple", [[key, value] for key, value in zip(entry.keys, row)])) for row in values]

    def _structures(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        values = self._member_columns(cursor, entry, rows)
        return [Members(("$structure", entry.name), ("properties", list(zip(entry.keys, row)))) for row in values]

    def _enumerations(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        start = cursor.offset
        indexes = read_integers(cursor, rows)
        if min(indexes) < 0 or max(indexes) >= len(entry.keys):
            raise ArchiveError(f"the index of a case of {entry.name!r}", start)
        payloads: dict[int, Iterator[Any]] = {}
        for index in sorted(set(indexes)):
            if entry.types[index] >= 0:
                payloads[index] = iter(self.column(cursor, entry.types[index], indexes.count(index)))
        values = []
        for index in indexes:
            value = Members(("$case", entry.keys[index]), ("of", entry.name), ("index", index))
            if index in payloads:
                value.pairs.append(("payload", next(payloads[index])))
            values.append(value)
        return values

    def _objects(self, cursor: Cursor, entry: Entry, rows: int) -> list[Any]:
        """Where a value is expected, a class stands for a reference to an object of it."""
        start = cursor.offset
        return self._references(read_integers(cursor, rows), start)

    # Records

    def _records(self, cursor: Cursor, rows: int) -> list[Any]:
        """The shapes of the rows, then their bodies as byte strings; a body has columns of one row."""
        start = cursor.offset
        shapes = [self._shape(number, start) for number in read_integers(cursor, rows)]
        values = []
        for shape, length in zip(shapes, read_lengths(cursor, rows, "records")):
            body = cursor.part(length, "record")
            members = []
            for key, type_ in zip(shape.keys, shape.types):
                value = self.column(body, type_, 1)[0]
                shown = None if key == WITHOUT_KEY else key[1:] if key.startswith("\0") else key
                members.append([shown, self.types.text(type_), value])
            body.expect_end("record")
            values.append(Members(("$record", members)))
        return values

    def _shape(self, number: int, offset: int) -> Entry:
        """The tuple that says which keys and types a record has."""
        entry = self.types.entries[number - ENTRIES] if ENTRIES <= number < self.types.type_count else None
        if entry is None or entry.kind != "tuple":
            raise ArchiveError(f"the shape of a record is type {number}, which is no tuple", offset)
        return entry


ENTRY_COLUMNS: dict[str, Callable[[ColumnReader, Cursor, Entry, int], list[Any]]] = {
    "optional": ColumnReader._optional_entry,
    "array": ColumnReader._arrays,
    "set": ColumnReader._sets,
    "dictionary": ColumnReader._dictionaries,
    "inline": ColumnReader._inline_arrays,
    "tuple": ColumnReader._tuples,
    "structure": ColumnReader._structures,
    "enumeration": ColumnReader._enumerations,
    "class": ColumnReader._objects,
}


def split(elements: list[Any], counts: list[int]) -> Iterator[list[Any]]:
    """The elements of each row."""
    start = 0
    for count in counts:
        yield elements[start : start + count]
        start += count


def uuid_text(content: bytes) -> str:
    digits = content.hex().upper()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


# ---------------------------------------------------------------------------------------------------------------
# String pools
# ---------------------------------------------------------------------------------------------------------------


def read_pools(body: Cursor) -> dict[int, list[str]]:
    """The section with the strings of the pools, by their numbers."""
    section = body.part(body.varint("the length of the string pools"), "the string pools")
    pools: dict[int, list[str]] = {}
    for _ in range(section.varint("the number of string pools")):
        start = section.offset
        number, count = section.varint("the number of a pool"), section.varint("the size of a pool")
        if number in pools:
            raise ArchiveError(f"string pool {number} stands twice", start)
        if count // CHUNK > section.left:
            raise ArchiveError(f"{count} strings in a pool, {section.left} bytes are left", start)
        pools[number] = strings = []
        while count > len(strings):
            strings += read_unpooled_strings(section, min(CHUNK, count - len(strings)))
    section.expect_end("the string pools")
    return pools


# ---------------------------------------------------------------------------------------------------------------
# Objects and roots
# ---------------------------------------------------------------------------------------------------------------


@dataclass
class Block:
    """A line of the object table."""

    class_index: int
    count: int
    length: int


def read_object_table(body: Cursor, types: TypeTable) -> list[Block]:
    start = body.offset
    count = body.varint("the number of blocks")
    if count * 3 > body.left:
        raise ArchiveError(f"{count} blocks, but {body.left} bytes are left", start)
    blocks = []
    for _ in range(count):
        start = body.offset
        type_, rows, length = body.varint("a class"), body.varint("a number of objects"), body.varint("a length")
        if not types.is_class(type_):
            raise ArchiveError(f"objects of type {type_}, which is no class", start)
        if not 1 <= rows <= CHUNK:
            raise ArchiveError(f"a block of {rows} objects", start)
        blocks.append(Block(type_ - ENTRIES, rows, length))
    return blocks


def read_root_table(body: Cursor, types: TypeTable) -> list[tuple[str, int, int]]:
    """Key, type and length of the value of each root."""
    start = body.offset
    count = body.varint("the number of roots")
    if count > 1 << 20 or count * 3 > body.left:
        raise ArchiveError(f"{count} roots, but {body.left} bytes are left", start)
    roots = []
    for _ in range(count):
        roots.append((body.name("the key of a root"), types.type_number(body), body.varint("the length of a root")))
    if len({key for key, _, _ in roots}) != count:
        raise ArchiveError("the key of a root stands twice", start)
    return roots


def read_block(cursor: Cursor, reader: ColumnReader, block: Block, first_number: int) -> list[Members]:
    """The objects of a block, which has a column for each property; the cursor has the bytes of this block alone."""
    types = reader.types
    levels = [types.entries[level] for level in types.levels(block.class_index)]
    property_types = [type_ for level in levels for type_ in level.types]
    if cursor.left < max(1, len(property_types)):
        raise ArchiveError(f"a block of {cursor.left} bytes with {len(property_types)} columns", cursor.offset)
    columns: list[list[Any]] = []
    for ordinal, type_ in enumerate(property_types):
        reader.pool_number = 1 + (block.class_index << 24 | ordinal)
        if block.count < 8:
            columns.append(reader.column(cursor, type_, block.count))
        else:
            part = cursor.part(cursor.varint("the length of a column"), "column")
            columns.append(reader.column(part, type_, block.count))
            part.expect_end("column")
    if not property_types:
        cursor.zero_byte("a block of a class without properties")
    cursor.expect_end("block")
    objects = []
    for row in range(block.count):
        shown_levels, at = [], 0
        for level in levels:
            properties = [[key, columns[at + n][row]] for n, key in enumerate(level.keys)]
            shown_levels.append(Members(("class", level.name), ("properties", properties)))
            at += len(level.keys)
        number = ("number", first_number + row)
        objects.append(Members(number, ("class", levels[-1].name), ("levels", shown_levels)))
    return objects


def read_archive(data: bytes) -> Members:
    """The whole archive as JSON."""
    frame = read_frame(data)
    body = frame.body
    types = TypeTable(body)
    reader = ColumnReader(types, len(data))
    if frame.flags & POOLS:
        reader.pools = read_pools(body)
    roots: list[Members] = []
    if frame.flags & SIMPLE:
        if not types.is_class(ENTRIES):
            raise ArchiveError("entry 0 of a simple archive is no class", body.offset)
        blocks = [Block(0, 1, body.left)]
        reader.block_rows = [1]
        roots.append(Members(("key", "root"), ("type", "reference"), ("value", Members(("$object", 0)))))
    else:
        blocks = read_object_table(body, types)
        reader.block_rows = [block.count for block in blocks]
        for key, type_, length in read_root_table(body, types):
            part = body.part(length, f"the root {key!r}")
            value = reader.column(part, type_, 1)[0]
            part.expect_end(f"the root {key!r}")
            roots.append(Members(("key", key), ("type", types.text(type_)), ("value", value)))
    objects: list[Members] = []
    for index, block in enumerate(blocks):
        objects += read_block(body.part(block.length, "block"), reader, block, index * CHUNK)
    if frame.flags & FILLED and body.left:
        filling = body.take(body.left)
        if any(filling):
            raise ArchiveError("what fills the archive up is not zero", body.end - len(filling.lstrip(b"\0")))
    body.expect_end("body")
    flags = [name for bit, name in enumerate(FLAG_NAMES) if frame.flags >> bit & 1]
    return Members(
        ("format", Members(("version", frame.version), ("oldestReader", frame.oldest_reader), ("flags", flags))),
        ("byteCount", len(data)),
        ("types", [type_members(types, index) for index, entry in enumerate(types.entries) if entry.kind in NAMED_KINDS]),
        ("roots", roots),
        ("objects", objects),
    )


# ---------------------------------------------------------------------------------------------------------------
# The JSON
# ---------------------------------------------------------------------------------------------------------------


def type_members(types: TypeTable, index: int) -> Members:
    """An entry that has a name."""
    entry = types.entries[index]
    members = Members(("number", ENTRIES + index), ("kind", entry.kind), ("name", entry.name))
    if entry.version:
        members.pairs.append(("version", entry.version))
    if entry.superclass is not None:
        members.pairs.append(("superclass", types.entries[entry.superclass].name))
    if entry.kind == "enumeration":
        cases = [[key] if type_ < 0 else [key, types.text(type_)] for key, type_ in zip(entry.keys, entry.types)]
        members.pairs.append(("cases", cases))
        if entry.raw_values is not None:
            members.pairs.append(("rawValues", entry.raw_values))
    else:
        members.pairs.append(("properties", [[key, types.text(type_)] for key, type_ in zip(entry.keys, entry.types)]))
    return members


ESCAPES = {code: f"\\u{code:04x}" for code in range(32)} | {34: '\\"', 92: "\\\\", 10: "\\n", 13: "\\r", 9: "\\t"}


def quoted(text: str) -> str:
    return '"' + text.translate(ESCAPES) + '"'


LINES_DEPTH = 2  # types, roots and objects have a line of their own each


def write_json(value: Any, out: TextIO) -> None:
    """Writes the value, without recursion, since values may be nested deep."""
    open_containers: list[tuple[Iterator[Any], bool, str]] = []  # what is left of each; is it an object; its end

    def next_line(separator: str = "") -> str:
        depth = len(open_containers)
        return separator.rstrip() + "\n" + "  " * depth if depth <= LINES_DEPTH else separator

    while True:
        content = value if isinstance(value, (list, tuple)) else value.pairs if isinstance(value, Members) else None
        separator = ""
        if content:
            is_object = isinstance(value, Members)
            out.write("{" if is_object else "[")
            open_containers.append((iter(content), is_object, "}" if is_object else "]"))
        else:
            out.write(scalar_json(value))
            separator = ", "
        while open_containers:
            rest, is_object, end_mark = open_containers[-1]
            item = next(rest, rest)
            if item is not rest:
                out.write(next_line(separator))
                if is_object:
                    key, item = item
                    out.write(quoted(key) + ": ")
                value = item
                break
            open_containers.pop()
            out.write((next_line() if len(open_containers) < LINES_DEPTH else "") + end_mark)
            separator = ", "
        else:
            out.write("\n")
            return


def scalar_json(value: Any) -> str:
    """A value without others in it; the containers that come here are empty."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, (list, tuple, Members)):
        return "{}" if isinstance(value, Members) else "[]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)


# ---------------------------------------------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------------------------------------------


def with_deep_stack(work: Callable[[], Any]) -> Any:
    """Runs the work where recursion may go as deep as MAX_DEPTH columns."""
    result: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # given on to the caller's thread
            failure.append(error)

    old_limit, old_size = sys.getrecursionlimit(), threading.stack_size(512 << 20)
    sys.setrecursionlimit(5 * MAX_DEPTH + 1_000)
    try:
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old_size)
        sys.setrecursionlimit(old_limit)
    if failure:
        raise failure[0]
    return result[0]


def json_text(data: bytes) -> str:
    """The archive as the text that the command prints."""
    out = io.StringIO()
    write_json(with_deep_stack(lambda: read_archive(data)), out)
    return out.getvalue()


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: archive_reader.py FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[1], "rb") as file:
            data = file.read()
        text = json_text(data)
    except (ArchiveError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
