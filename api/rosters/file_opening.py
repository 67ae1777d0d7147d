"""File opening: what came, unzipped where it is a zip, whatever it is called; too large or broken is one problem."""

import io
import zipfile
import zlib

from api.errors import BadRoster

MOST_BYTES = 16 * 1024 * 1024
MOST_ZIPPED = 64  # files in an archive: a list is one
_NAMES = (".ros", ".json", ".xml", ".txt")


def open_roster(raw: bytes, name: str = "list") -> bytes:
    """The bytes of the list itself. Raises: BadRoster."""
    if not raw.strip():
        raise BadRoster("The file is empty.", field="file", value=name)
    if len(raw) > MOST_BYTES:
        raise BadRoster(f"The file is larger than {MOST_BYTES // 2**20} MB: no list is.", field="file", value=name)
    return _unzip(raw, name) if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06") else raw


def _unzip(raw: bytes, name: str) -> bytes:
    """The one list in the archive; read no further than the cap, whatever the archive says of its size."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            inside = [member for member in archive.infolist() if not member.is_dir()]
            if len(inside) > MOST_ZIPPED:
                raise BadRoster(f"The archive holds {len(inside)} files: a list is one.", field="file", value=name)
            lists = [member for member in inside if member.filename.lower().endswith(_NAMES)] or inside
            if len(lists) != 1:
                raise BadRoster(f"The archive holds {len(lists)} lists, not one.", field="file", value=name)
            with archive.open(lists[0]) as member:
                unpacked = member.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError, ValueError) as wrong:
        raise BadRoster(f"The archive cannot be unpacked: {wrong}.", field="file", value=name) from wrong
    if len(unpacked) > MOST_BYTES:
        raise BadRoster(
            f"The archive unpacks to more than {MOST_BYTES // 2**20} MB: no list does.", field="file", value=name
        )
    return unpacked


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
        detail = f"The text is not {encoding.upper()}: byte {wrong.start} cannot be read. Export it again."
        raise BadRoster(detail, field="file", value=name) from wrong
