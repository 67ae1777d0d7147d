"""Time stamp: an authority outside, such as a certificate authority runs, signs when a journal's head was known to it.

By RFC 3161: what is sent is the SHA-256 of the head's text and nothing of the game, what comes back is kept as it is.
No table, phone or hub can make one, so a game that is made anew later has none of then. `openssl ts` checks it too.
"""

import base64
import importlib.util
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from api.journal.entry import Entry, read_raw_line
from models.errors import BadInput

if TYPE_CHECKING:
    from rfc3161_client import TimeStampRequest, TimeStampResponse

EVERY_S = 3600.0
EXTRA = "time stamps need the extra: pip install 'tableside[timestamp]'"
_PATIENCE_S, _MOST_BYTES = 15.0, 60_000
_GRANTED = (0, 1)


class HeadStamped(Entry):
    """What an authority answered to the head of this journal."""

    MUST_LAST = False
    IS_PROOF = True
    type: Literal["head-stamped"] = "head-stamped"
    head: str
    authority: str = Field(description="the address that was asked")
    response: str = Field(description="RFC 3161 response, DER in base64")


STAMPING_ENTRIES: tuple[type[Entry], ...] = (HeadStamped,)


def can_stamp() -> bool:
    """Whether the package that reads and checks time stamps is installed."""
    return importlib.util.find_spec("rfc3161_client") is not None


def request_stamp(authority: str, head: str) -> HeadStamped:
    """The authority's stamp of this head. Raises: BadInput where none comes."""
    query = timestamp_query(head)
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    request = urllib.request.Request(authority, data=query.as_bytes(), headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE_S) as answer:
            response = answer.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as wrong:
        raise BadInput(f"no time stamp came: {wrong}", field="timestamp", value=authority) from wrong
    stamp = _read_stamp(response) if len(response) <= _MOST_BYTES else None
    if stamp is None or not _is_of(stamp, head) or stamp.tst_info.nonce != query.nonce:
        raise BadInput("what came is no time stamp of this head", field="timestamp", value=authority)
    return HeadStamped(head=head, authority=authority, response=base64.b64encode(response).decode())


def timestamp_query(head: str) -> "TimeStampRequest":
    """The RFC 3161 query for this head, which wants the authority's certificate back."""
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    return TimestampRequestBuilder().data(head.encode()).hash_algorithm(HashAlgorithm.SHA256).build()


def _read_stamp(response: bytes) -> "TimeStampResponse | None":
    """A response that grants a stamp; None for anything else."""
    from rfc3161_client import decode_timestamp_response

    try:
        stamp = decode_timestamp_response(response)
        return stamp if stamp.status in _GRANTED and stamp.tst_info is not None else None
    except ValueError:
        return None


def _is_of(stamp: "TimeStampResponse", head: str) -> bool:
    return stamp.tst_info.message_imprint.message == sha256(head.encode()).digest()


@dataclass(frozen=True)
class StampReport:
    """The newest time stamp; `is_checked`: its signature too. `line` and `why` name the first that is none.

    `at_s` is None where nothing here reads time stamps.
    """

    head: str | None = None
    authority: str | None = None
    at_s: float | None = None
    is_checked: bool = False
    line: int | None = None
    why: str | None = None


def check_stamps(journal: Path, heads: frozenset[str], authority: Path | None) -> StampReport:
    """Whether every head that was stamped is a line of this journal, and by an authority of that certificate.

    `authority`: a PEM file of the certificate that it goes back to; None: signatures are not checked.
    Raises: OSError; BadInput for a file that is no certificate, or where nothing here checks signatures.
    """
    if authority is not None and not can_stamp():
        raise BadInput(EXTRA, field="authority", value=str(authority))
    report = StampReport()
    for line in _stamped_lines(journal):
        head, by = str(line["entry"].get("head")), str(line["entry"].get("authority"))
        at_s, says = _check_response(line["entry"], authority) if can_stamp() else (None, None)
        if says is None and head not in heads:
            says = f"an authority stamped {head}, which is no line of this game: its hashes were made anew"
        if says is not None:
            return StampReport(line=line["n"], why=says)
        report = StampReport(head, by, at_s, authority is not None)
    return report


def _check_response(entry: dict[str, Any], authority: Path | None) -> tuple[float | None, str | None]:
    """When it was stamped, seconds since 1970, or why it was not. Raises: OSError, BadInput."""
    stamp, head = _read_stamp(_decode(entry.get("response"))), str(entry.get("head"))
    if stamp is None or not _is_of(stamp, head):
        return None, "its time stamp is of something else"
    if authority is not None and not _is_signed(stamp, head, authority):
        return None, f"its time stamp is not signed by the authority of {authority.name}"
    return stamp.tst_info.gen_time.timestamp(), None


def _is_signed(stamp: "TimeStampResponse", head: str, authority: Path) -> bool:
    """Whether the stamp goes back to this certificate, as it held when it was made. Raises: OSError, BadInput."""
    from cryptography.x509 import load_pem_x509_certificates
    from rfc3161_client import VerificationError, VerifierBuilder

    try:
        roots = load_pem_x509_certificates(authority.read_bytes())
    except ValueError as wrong:
        raise BadInput(f"{authority} holds no certificate as PEM", field="authority", value=str(authority)) from wrong
    try:
        return VerifierBuilder(roots=roots).build().verify_message(stamp, head.encode())
    except VerificationError:
        return False


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
