"""Untrusted files: zip archives, TOML and JSON from anybody, read under a limit while they are read.

What a file says about its own sizes is not believed: bytes, members, keys and values are counted.
"""

import io
import json
import re
import tomllib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from models.errors import BadInput

MOST_VALUES = 200_000  # commas and brackets of a JSON text; the longest list of a builder has eight thousand
MOST_KEYS = 100_000  # of a TOML text
MOST_KEY_PARTS = 8  # `a.b.c` has three
LONGEST_WORD = 4_000  # of a TOML text, unquoted: a number in hexadecimal has no limit of Python's own
_LONGEST_ENTRY_BYTES = 256  # of a zip's directory, on average
_SHORTEST_DIRECTORY_BYTES = 70_000  # a zip's comment has 65,535
_ENTRY_SIGNATURE = b"PK\x01\x02"
_CHUNK_BYTES = 1 << 20
_PACKINGS = {9: "deflate64", zipfile.ZIP_BZIP2: "bzip2", zipfile.ZIP_LZMA: "lzma"}
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL
)
_KEY_PART = re.compile(r"""[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+'""")
_DOTTED_KEY = re.compile(rf"(?:{_KEY_PART.pattern})(?:[ \t]*\.[ \t]*(?:{_KEY_PART.pattern}))*")
"""Plain keys and words too: a pattern that failed at a long word would try again at each of its letters."""
_KEY_LINE = re.compile(r"^[ \t]*\[", re.MULTILINE)


TomlError = tomllib.TOMLDecodeError
"""A ValueError that says the line, as `(at line 3, column 1)`."""


@dataclass(frozen=True)
class ZipLimits:
    """How much of a zip is taken, whose refusals name `kind`, as `a list`."""

    kind: str
    members: int
    total_bytes: int
    error: type[BadInput]
    field: str


class UntrustedZip:
    """An open archive of stored and deflated members; what they unpack to is counted together."""

    def __init__(self, archive: zipfile.ZipFile, name: str, limits: ZipLimits) -> None:
        self._archive, self._name, self._limits = archive, name, limits
        self._unpacked_bytes = 0
        self.members = [member for member in archive.infolist() if not member.is_dir()]
        for member in self.members:
            self._check_packing(member)

    def _check_packing(self, member: zipfile.ZipInfo) -> None:
        if member.flag_bits & 1:
            raise self._refuse(member, "is encrypted")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            method = _PACKINGS.get(member.compress_type, f"method {member.compress_type}")
            raise self._refuse(member, f"is packed by {method}; only stored and deflated members are taken")

    def read_chunks(self, member: zipfile.ZipInfo, *, most_bytes: int) -> Iterator[bytes]:
        """The member in parts. Raises: the error of the limits once it, or the archive, unpacks to more."""
        left_bytes = most_bytes
        with self._archive.open(member) as packed:
            while data := packed.read(_CHUNK_BYTES):
                left_bytes -= len(data)
                self._unpacked_bytes += len(data)
                if left_bytes < 0 or self._unpacked_bytes > self._limits.total_bytes:
                    raise self._refuse(member, f"unpacks to more than {self._limits.kind} holds")
                yield data

    def _refuse(self, member: zipfile.ZipInfo, says: str) -> BadInput:
        filename = member.filename[:120]
        return self._limits.error(f"{self._name}: {filename} {says}.", field=self._limits.field, value=filename)


@contextmanager
def open_zip(source: Path | bytes, *, name: str, limits: ZipLimits) -> Iterator[UntrustedZip]:
    """The archive, its members counted before they are listed.

    Raises: the error of the limits; OSError where a path cannot be read.
    """
    try:
        with (
            io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file,
            zipfile.ZipFile(_CountedDirectory(file, name, limits)) as archive,
        ):
            yield UntrustedZip(archive, name, limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as wrong:
        says = f"{name} cannot be unpacked: {wrong}."
        raise limits.error(says, field=limits.field, value=name) from wrong


class _CountedDirectory:
    """The file as `zipfile` reads it: a directory, read at once, is refused before it becomes objects."""

    def __init__(self, file: BinaryIO, name: str, limits: ZipLimits) -> None:
        self._file, self._name, self._limits = file, name, limits
        self.seek, self.tell, self.seekable, self.close = file.seek, file.tell, file.seekable, file.close
        self._most_bytes = max(_SHORTEST_DIRECTORY_BYTES, limits.members * _LONGEST_ENTRY_BYTES, 2 * _CHUNK_BYTES)

    def read(self, size: int = -1) -> bytes:
        if size > self._most_bytes:
            raise zipfile.BadZipFile(f"its directory is longer than that of {self._limits.kind}")
        data = self._file.read(size)
        count = data.count(_ENTRY_SIGNATURE)
        if count > self._limits.members:
            says = f"{self._name} holds {count} files; {self._limits.kind} holds fewer."
            raise self._limits.error(says, field=self._limits.field, value=count)
        return data


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises: ValueError, also for more or deeper keys than anybody writes; RecursionError.

    `tomllib` takes time and memory by the square of a key's parts, so these are counted before.
    """
    if text.count("=") + sum(1 for _ in _KEY_LINE.finditer(text)) > MOST_KEYS:
        raise TomlError(f"More than {MOST_KEYS:,} keys")
    parts = 0
    for match in _DOTTED_KEY.finditer(text):
        depth = len(_KEY_PART.findall(match[0])) if "." in match[0] else 1
        if depth == 1 and len(match[0]) > LONGEST_WORD and match[0][0] not in "\"'":
            raise TomlError(f"A word of more than {LONGEST_WORD:,} characters")
        parts += depth if depth > 2 else 0  # 1.5 is no key
        if depth > MOST_KEY_PARTS or parts > MOST_KEYS:
            line = text.count("\n", 0, match.start()) + 1
            says = f"more than {MOST_KEY_PARTS} parts" if depth > MOST_KEY_PARTS else "one too many with dots"
            raise TomlError(f"A key of {says} (at line {line}, column 1)")
    return tomllib.loads(text)


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises: ValueError, also for too many values and half a letter; RecursionError."""
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        raise ValueError(f"it holds more than {MOST_VALUES:,} values")
    if (half := find_lone_surrogate(text.encode())) is not None:
        raise ValueError(f"it holds a lone surrogate, {half}, half of a letter: it was cut")
    return json.loads(text)


def find_lone_surrogate(text: bytes) -> str | None:
    r"""The half of a letter that a JSON text writes, as `\ud800`, which no UTF-8 can pass on."""
    if _SURROGATE.search(text) is None:
        return None
    return next((f"U+{match[1][1:].decode().upper()}" for match in _ESCAPE.finditer(text) if match[1]), None)
