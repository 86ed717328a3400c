"""Reads the examples of the page ArchiveFormat.md."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Iterator

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "Sources", "MirrorArchive", "MirrorArchive.docc", "ArchiveFormat.md")

NUMBERS = ("bytes", "varint", "zigzag")
ENTRIES = ("example", "type table", "entries")
COLUMN = ("example", "type table", "type", "rows", "bytes", "values")
REFUSED_ENTRIES = ("example", "type table", "refused")
REFUSED_COLUMN = ("example", "type table", "type", "rows", "bytes", "refused")
ARCHIVE = ("bytes", "meaning")


@dataclass
class Example:
    """A line of a table of examples, or a whole archive."""

    form: tuple[str, ...]
    cells: list[str]
    line: int

    def __getitem__(self, column: str) -> str:
        return self.cells[self.form.index(column)]

    def content(self, column: str) -> bytes:
        return bytes.fromhex(self[column])


@dataclass
class ArchiveExample:
    """A table whose first bytes are the magic is a whole archive; the next block of JSON is what is in it."""

    content: bytes
    json_text: str
    line: int


def tables(lines: list[str]) -> Iterator[tuple[int, tuple[str, ...], list[list[str]]]]:
    """The tables of the page: line, header and rows. Back quotes around a cell say nothing."""
    at = 0
    while at < len(lines):
        start, rows = at, []
        while at < len(lines) and lines[at].startswith("|"):
            rows.append([cell.strip().strip("`") for cell in lines[at].strip("|").split("|")])
            at += 1
        if rows:
            yield start + 1, tuple(rows[0]), rows[2:]
        at += 1


def page_examples(path: str = PAGE) -> tuple[list[Example], list[ArchiveExample]]:
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    examples, archives = [], []
    for line, header, rows in tables(lines):
        if header in (NUMBERS, ENTRIES, COLUMN, REFUSED_ENTRIES, REFUSED_COLUMN):
            examples += [Example(header, cells, line + 2 + index) for index, cells in enumerate(rows)]
        elif header == ARCHIVE and rows and rows[0][0] == "4D 41 9E":
            content = b"".join(bytes.fromhex(cells[0]) for cells in rows)
            archives.append(ArchiveExample(content, json_behind(lines, line + len(rows)), line))
    return examples, archives


def json_behind(lines: list[str], line: int) -> str:
    start = lines.index("```json", line) + 1
    return "\n".join(lines[start : lines.index("```", start)])


def entries_of(archive: dict[str, Any]) -> list[Any]:
    """Of an archive around a type table, what a line of the page says of each entry: the object of an entry with a name,
    the text of another type."""
    named = {dict(type_)["number"]: type_ for type_ in archive["types"]}
    properties = dict(archive["types"][-1])["properties"]
    return [named.get(64 + index, text) for index, (_, text) in enumerate(properties)]
