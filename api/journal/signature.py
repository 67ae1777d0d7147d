"""Journal signature: an Ed25519 key of the table's own signs where the chain ends, so that nobody else can rewrite it.

Whoever has a journal can change a line and make every hash after it anew; without the key nobody can sign the result.
The key is announced in the journal and kept apart from it; a key that takes its place is signed by the one before. What
is signed is the text `tableside head KEY N:HASH`, and of an exported game its list of files.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from api.journal.chain import Head
from api.journal.entry import Entry, read_raw_line
from api.journal.interface import Journal
from api.journal.secret_store import NAME as SECRETS
from models.errors import BadFile

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

log = logging.getLogger(__name__)

KEY, SIGNED_HEAD = "signing-key", "signed-head"  # names of secrets
EVERY_S = 60.0
KEY_LASTS_S = 180 * 86_400.0
MOST_SIGNATURE_LETTERS = 128
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_SIGNATURE_NAMES = (b'"type":"key-made"', b'"type":"head-signed"')


class KeyMade(Entry):
    """The public key that signs from now on, and the signature of it by the key before, where there was one."""

    type: Literal["key-made"] = "key-made"
    key: str
    signature: str | None = None


class HeadSigned(Entry):
    """Where the chain ended, signed."""

    IS_PROOF = True
    type: Literal["head-signed"] = "head-signed"
    head: str
    key: str
    signature: str


SIGNING_ENTRIES: tuple[type[Entry], ...] = (KeyMade, HeadSigned)


def key_words(key: str) -> str:
    """A public key as four words that can be read out: the first 64 bits, as proquints write them."""
    bits = bytes.fromhex(key)[:8]
    return "-".join(_proquint(int.from_bytes(bits[k : k + 2])) for k in range(0, 8, 2))


def _proquint(number: int) -> str:
    parts = ((12, _CONSONANTS), (10, _VOWELS), (6, _CONSONANTS), (4, _VOWELS), (0, _CONSONANTS))
    return "".join(letters[number >> shift & (len(letters) - 1)] for shift, letters in parts)


def can_sign() -> bool:
    """Whether the package that signs is installed."""
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401
    except ImportError:
        return False
    return True


def sign_text(secret: str, text: str) -> str:
    """The signature of this text by this private key."""
    return _private_key(secret).sign(text.encode()).hex()


def is_signed(key: str, text: str, signature: str) -> bool:
    """Whether this key signed this text."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def public_key(secret: str) -> str:
    return _private_key(secret).public_key().public_bytes_raw().hex()


def new_secret() -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate().private_bytes_raw().hex()


def _private_key(secret: str) -> "Ed25519PrivateKey":
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret))


def head_text(key: str, head: str) -> str:
    return f"tableside head {key} {head}"


def successor_text(key: str) -> str:
    return f"tableside key {key}"


def newest_key(journal: Journal) -> str | None:
    """The words of the key that signs this journal; None where nobody does."""
    made = journal.newest(KeyMade)
    return key_words(made.entry.key) if made is not None and isinstance(made.entry, KeyMade) else None


class ChainSigner:
    """Signs the newest line each minute in which something was written, and each ruling at once.

    Raises: JournalFailed, BadFile.
    """

    def __init__(
        self,
        journal: Journal,
        *,
        at_once: tuple[type[Entry], ...] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`at_once`: what is signed as soon as it is written."""
        self._journal, self._at_once, self._clock = journal, at_once, clock
        self._signed_n, self._signed_s = 0, 0.0
        made, kept = journal.newest(KeyMade), journal.secrets.get(KEY)
        entry = None if made is None else made.entry
        if kept is None or made is None or not isinstance(entry, KeyMade) or entry.key != public_key(kept):
            self._make_key(None)
        elif clock() - made.at_s > KEY_LASTS_S:
            self._make_key(kept)

    @property
    def key(self) -> str:
        """The public key."""
        return public_key(self._journal.secrets.get(KEY))

    def rotate(self) -> None:
        """A new key signs from now on; the old one signs it."""
        self._make_key(self._journal.secrets.get(KEY))

    def _make_key(self, before: str | None) -> None:
        secret = new_secret()
        key = public_key(secret)
        signature = None if before is None else sign_text(before, successor_text(key))
        self._journal.secrets.put(KEY, secret)
        self._journal.write(KeyMade(key=key, signature=signature))

    def beat(self) -> None:
        """Sign what is due."""
        head = self._journal.head()
        if head is None or head.n <= self._signed_n:
            return
        is_due = self._clock() - self._signed_s >= EVERY_S
        if self._at_once and any(True for _ in self._journal.lines(*self._at_once, after=self._signed_n)):
            self.sign()
        elif is_due:
            if has_news(self._journal, after=self._signed_n):
                self.sign()
            else:
                self._signed_n = head.n

    def sign(self) -> None:
        """Sign the newest line, unless it is a signature."""
        head = self._journal.head()
        if head is None or head.n <= self._signed_n:
            return
        secret = self._journal.secrets.get(KEY)
        key = public_key(secret)
        signature = sign_text(secret, head_text(key, str(head)))
        self._signed_n = self._journal.write(HeadSigned(head=str(head), key=key, signature=signature)).n
        self._signed_s = self._clock()
        self._journal.secrets.put(SIGNED_HEAD, str(head))


def has_news(journal: Journal, *, after: int) -> bool:
    """Whether more was written after this line than proofs of what stood before: those alone are not signed again."""
    return any(not line.entry.IS_PROOF for line in journal.lines(after=after))


def rotate_key(journal: Journal) -> tuple[str | None, str]:
    """The public key that signed until now, and the new one, which it has signed; None: nobody signed before.

    Raises: BadFile when the old private key is not beside the journal; JournalFailed.
    """
    made, kept = journal.newest(KeyMade), journal.secrets.get(KEY)
    before = made.entry.key if made is not None and isinstance(made.entry, KeyMade) else None
    if before is not None and (kept is None or public_key(kept) != before):
        says = f"{key_words(before)} signed this journal, and is not beside it: no other key can sign its successor"
        raise BadFile(says, field="data", value=SECRETS)
    signer = ChainSigner(journal)
    if journal.newest(KeyMade) == made:  # it had one that was not too old
        signer.rotate()
    signer.sign()
    return before, signer.key


@dataclass(frozen=True)
class SignatureReport:
    """Who signed a journal, and up to which line. `line` and `why` name the first signature that is none."""

    key: str | None = None
    head: Head | None = None
    at_s: float | None = None
    line: int | None = None
    why: str | None = None


def check_signatures(journal: Path, heads: frozenset[str]) -> SignatureReport:
    """Whether each signature in this journal is of a line of it, by the key that was announced. Raises: OSError.

    `heads`: number and hash of every line, as the chain has them.
    """
    report = SignatureReport()
    for n, at_s, entry in _signing_lines(journal):
        report, why = _take_signature(report, at_s, entry, heads)
        if why is not None:
            return SignatureReport(report.key, report.head, report.at_s, n, why)
    return report


def _take_signature(
    report: SignatureReport, at_s: float, entry: dict[str, Any], heads: frozenset[str]
) -> tuple[SignatureReport, str | None]:
    key, signature = str(entry.get("key")), str(entry.get("signature") or "")
    if not can_sign():
        return report, None
    if entry["type"] == "key-made":
        if report.key is not None and not is_signed(report.key, successor_text(key), signature):
            return report, "another key signs from here on, and the one before did not sign it"
        return SignatureReport(key, report.head, report.at_s), None
    head = str(entry.get("head"))
    if key != report.key:
        return report, "it is signed by a key that this table did not have then"
    if not is_signed(key, head_text(key, head), signature):
        return report, "its signature is none of the table's key"
    if head not in heads:
        return report, "what was signed is no line of this game: its hashes were made anew"
    n, _, digest = head.partition(":")
    return SignatureReport(key, Head(int(n), digest), at_s), None


def _signing_lines(journal: Path) -> Iterator[tuple[int, float, dict[str, Any]]]:
    with journal.open("rb") as lines:
        for text in lines:
            if any(name in text for name in _SIGNATURE_NAMES):
                line = read_raw_line(text)
                if line is not None and line["entry"]["type"] in ("key-made", "head-signed"):
                    yield line["n"], float(line["at_s"]), line["entry"]
