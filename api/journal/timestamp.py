"""Time stamp: an authority outside, such as a certificate authority runs, signs when a journal's head was known to it.

By RFC 3161: what is sent is the SHA-256 of the head's text and nothing of the game, what comes back is kept as it is.
No table, phone or hub can make one, so a game that is made anew later has none of then. `openssl ts` checks it.
"""

import base64
import re
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any, Literal

from pydantic import Field

from api.journal.entry import Entry, read_raw_line
from models.errors import BadInput

EVERY_S = 3600.0
_PATIENCE_S, _MOST_BYTES = 15.0, 60_000
_SHA256 = bytes.fromhex("300d06096086480165030402010500")  # its identifier, as DER writes it
_SEQUENCE, _INTEGER, _BOOLEAN, _OCTETS = 0x30, 0x02, 0x01, 0x04
_GRANTED = (0, 1)
_TIME = re.compile(rb"\x18[\x0f-\x1b](\d{14})(?:\.\d+)?Z")


class HeadStamped(Entry):
    """What an authority answered to the head of this journal."""

    MUST_LAST = False
    IS_PROOF = True
    type: Literal["head-stamped"] = "head-stamped"
    head: str
    authority: str = Field(description="the address that was asked")
    response: str = Field(description="RFC 3161 response, DER in base64")


STAMPING_ENTRIES: tuple[type[Entry], ...] = (HeadStamped,)


def request_stamp(authority: str, head: str) -> HeadStamped:
    """The authority's stamp of this head. Raises: BadInput where none comes."""
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    request = urllib.request.Request(authority, data=timestamp_query(head), headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE_S) as answer:
            response = answer.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as wrong:
        raise BadInput(f"no time stamp came: {wrong}", field="timestamp", value=authority) from wrong
    if len(response) > _MOST_BYTES or _status(response) not in _GRANTED or not _is_of(response, head):
        raise BadInput("what came is no time stamp of this head", field="timestamp", value=authority)
    return HeadStamped(head=head, authority=authority, response=base64.b64encode(response).decode())


def timestamp_query(head: str) -> bytes:
    """The RFC 3161 query for this head, which wants the authority's certificate back."""
    imprint = _der(_SEQUENCE, _SHA256 + _der(_OCTETS, _digest(head)))
    nonce = _der(_INTEGER, b"\x01" + token_bytes(8))
    return _der(_SEQUENCE, _der(_INTEGER, b"\x01") + imprint + nonce + _der(_BOOLEAN, b"\xff"))


def _der(tag: int, content: bytes) -> bytes:
    assert len(content) < 128
    return bytes((tag, len(content))) + content


def _digest(head: str) -> bytes:
    return sha256(head.encode()).digest()


def _status(response: bytes) -> int | None:
    """PKIStatus: the first integer of the first sequence within the response."""
    status = re.match(rb"\x30(?:[\x00-\x7f]|\x81.|\x82..)\x30.\x02\x01(.)", response, re.DOTALL)
    return status[1][0] if status else None


def _is_of(response: bytes, head: str) -> bool:
    return _SHA256 + _der(_OCTETS, _digest(head)) in response


@dataclass(frozen=True)
class StampReport:
    """The newest time stamp; `is_checked`: its signature too. `line` and `why` name the first that is none."""

    head: str | None = None
    authority: str | None = None
    at_s: float | None = None
    is_checked: bool = False
    line: int | None = None
    why: str | None = None


def check_stamps(journal: Path, heads: frozenset[str], authority: Path | None) -> StampReport:
    """Whether every head that was stamped is a line of this journal, and by an authority of that certificate.

    `authority`: a PEM file of the certificate that it goes back to; None: signatures are not checked.
    Raises: OSError; BadInput where there is no `openssl`.
    """
    report = StampReport()
    for line in _stamped_lines(journal):
        n, head, response = line["n"], str(line["entry"].get("head")), _decode(line["entry"].get("response"))
        says = None
        if not _is_of(response, head):
            says = "its time stamp is of something else"
        elif head not in heads:
            says = f"an authority stamped {head}, which is no line of this game: its hashes were made anew"
        elif authority is not None and not _is_signed(response, head, authority):
            says = f"its time stamp is not signed by the authority of {authority.name}"
        if says is not None:
            return StampReport(line=n, why=says)
        report = StampReport(head, str(line["entry"].get("authority")), _time_of(response), authority is not None)
    return report


def _is_signed(response: bytes, head: str, authority: Path) -> bool:
    """Raises: BadInput."""
    with tempfile.NamedTemporaryFile(suffix=".tsr") as file:
        file.write(response)
        file.flush()
        command = [
            "openssl",
            "ts",
            "-verify",
            "-in",
            file.name,
            "-digest",
            _digest(head).hex(),
            "-CAfile",
            str(authority),
        ]
        try:
            return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0
        except (OSError, subprocess.TimeoutExpired) as wrong:
            says = f"time stamps are checked by openssl, and it cannot be run: {wrong}"
            raise BadInput(says, field="authority", value=str(authority)) from wrong


def _time_of(response: bytes) -> float | None:
    """When it was stamped, seconds since 1970: the first generalised time of the response."""
    stamped = _TIME.search(response)
    if stamped is None:
        return None
    return datetime.strptime(stamped[1].decode(), "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()


def _decode(text: object) -> bytes:
    try:
        return base64.b64decode(str(text), validate=True)
    except ValueError:
        return b""


def _stamped_lines(journal: Path) -> Iterator[dict[str, Any]]:
    with journal.open("rb") as lines:
        for text in lines:
            if b'"type":"head-stamped"' in text:
                line = read_raw_line(text)
                if line is not None and line["entry"]["type"] == "head-stamped":
                    yield line
