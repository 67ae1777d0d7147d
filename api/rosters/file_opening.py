"""File opening: what came, unzipped where it is a zip, whatever it is called; too large or broken is one problem."""

import re
from collections.abc import Iterable
from typing import TypeVar

from api.errors import BadRoster
from api.storage.untrusted_files import ZipLimits, open_zip

MOST_BYTES = 16 * 1024 * 1024
MOST_ZIPPED = 64  # files in an archive: a list is one
_LIMITS = ZipLimits("a list", members=MOST_ZIPPED, total_bytes=MOST_BYTES, error=BadRoster, field="file")
MOST_UNITS = 2_000  # a table holds fewer miniatures
_NAMES = (".ros", ".json", ".xml", ".txt")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_UNPRINTED = re.compile(r"[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_SPACE = re.compile(r"[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_HALF_LETTER = re.compile(r"[\ud800-\udfff]")


Entry = TypeVar("Entry")


def limit_units(units: Iterable[Entry], name: str = "list") -> list[Entry]:
    """The units, or the models of one, counted while they are read. Raises: BadRoster."""
    kept: list[Entry] = []
    for unit in units:
        if len(kept) == MOST_UNITS:
            raise BadRoster(f"The list holds more than {MOST_UNITS:,} units.", field="file", value=name)
        kept.append(unit)
    return kept


def open_roster(raw: bytes, name: str = "list") -> bytes:
    """The bytes of the list itself. Raises: BadRoster."""
    if not raw.strip():
        raise BadRoster("The file is empty.", field="file", value=name)
    if len(raw) > MOST_BYTES:
        raise BadRoster(f"The file is larger than {MOST_BYTES // 2**20} MB: no list is.", field="file", value=name)
    return _unzip(raw, name) if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06") else raw


def _unzip(raw: bytes, name: str) -> bytes:
    """The only list in the archive; read no further than the cap, whatever the archive says of its size."""
    with open_zip(raw, name=name, limits=_LIMITS) as archive:
        lists = [member for member in archive.members if member.filename.lower().endswith(_NAMES)] or archive.members
        if len(lists) != 1:
            raise BadRoster(f"The archive holds {len(lists)} lists, not one.", field="file", value=name)
        return b"".join(archive.read_chunks(lists[0], most_bytes=MOST_BYTES))


def decode_text(raw: bytes, name: str = "list") -> str:
    """Text of whatever encoding its first bytes tell; UTF-8, else what old Windows wrote. Raises: BadRoster."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig")):
        if raw.startswith(mark):
            return _decode(raw, encoding, name)
    return _decode(raw, "utf-8", name)


def _decode(raw: bytes, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as wrong:
        if "surrogate" in wrong.reason or (
            raw[wrong.start] == 0xED and raw[wrong.start + 1 : wrong.start + 2] >= b"\xa0"
        ):
            raise _half_letter(f"byte {wrong.start}", name) from wrong
        detail = f"The text is not {encoding.upper()}: byte {wrong.start} cannot be read. Export it again."
        raise BadRoster(detail, field="file", value=name) from wrong


def clean_text(text: str, name: str = "list") -> str:
    """The text with every kind of space as a plain one, and without what prints nothing; joined emoji stay joined.

    Raises: BadRoster, naming the control character or the half of a letter that no text holds.
    """
    if (control := _CONTROL.search(text)) is not None:
        line = text.count("\n", 0, control.start()) + 1
        says = f"The file is neither a list nor text: line {line} holds the control character U+{ord(control[0]):04X}."
        raise BadRoster(says, field="file", value=name)
    check_letters(text, name)
    return _SPACE.sub(" ", _UNPRINTED.sub("", text))


def check_letters(text: str, name: str = "list") -> None:
    """Raises: BadRoster where half of a letter stands alone: it can be neither shown nor kept."""
    if (half := _HALF_LETTER.search(text)) is not None:
        raise _half_letter(f"U+{ord(half[0]):04X} in line {text.count(chr(10), 0, half.start()) + 1}", name)


def _half_letter(place: str, name: str) -> BadRoster:
    detail = f"Half a letter or emoji stands alone in the text: {place}. It was cut: export or copy it again."
    return BadRoster(detail, field="file", value=name)
