"""Countersignature: a key that is not the table's signs where its journal ended, so that it cannot be remade.

A player's phone signs in its browser, with a key that it made and keeps; a hall's hub signs what it holds of a journal.
Both stand in the journal itself, so records, slips and an exported game carry them. What a phone signs is the text
`tableside seen KEY TABLE N:HASH`, with its own public key and the table's.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from api.journal.entry import Entry, read_raw_line
from api.journal.interface import Journal
from api.journal.signature import (
    MOST_SIGNATURE_LETTERS,
    HeadSigned,
    KeyMade,
    can_sign,
    is_signed,
    key_words,
    public_key,
    sign_text,
)
from api.storage.files import load
from models.errors import BadInput
from models.frozen import Frozen

Algorithm = Literal["ed25519", "ecdsa-p256"]
MOST_PHONES = 16  # of one head: two players, their judges, and whoever plays in a team
_HEADS_BACK = 4  # a ruling may be signed while a phone signs what stood before it
_P256_BYTES = 32
_TYPES = (b'"type":"phone-signed"', b'"type":"hub-signed"')


class HeadWitness(Frozen):
    """That a hub had a table's journal up to this line at that time: the hub's signature, which no table can make."""

    event: str
    table: int
    head: str = Field(description="number and hash of the newest line")
    seen_s: float = Field(description="by the hub's clock, seconds since 1970")
    key: str = Field(description="the hub's public key")
    signature: str

    @property
    def text(self) -> str:
        return f"tableside witness {self.key} {self.event} {self.table} {self.head} {self.seen_s!r}"

    def is_signed(self) -> bool:
        return is_signed(self.key, self.text, self.signature)


def witness_head(secret: str, *, event: str, table: int, head: str, seen_s: float) -> HeadWitness:
    """The head of a table's journal, countersigned by a hub."""
    unsigned = HeadWitness(event=event, table=table, head=head, seen_s=seen_s, key=public_key(secret), signature="")
    return HeadWitness(**dict(unsigned) | {"signature": sign_text(secret, unsigned.text)})


_EXAMPLE = {
    "head": "1:" + "0" * 64,
    "table_key": "0" * 64,
    "key": "1" * 64,
    "algorithm": "ed25519",
    "signature": "0" * 128,
}


class Countersignature(Frozen, json_schema_extra={"examples": [_EXAMPLE]}):
    """What a phone signed: that it saw this head, signed by that key of the table."""

    head: str = Field(max_length=100, description="number and hash of the newest line")
    table_key: str = Field(max_length=64, description="the table's public key")
    key: str = Field(max_length=130, description="the phone's public key: 32 bytes, of P-256 the 65 of the whole point")
    algorithm: Algorithm = "ed25519"
    signature: str = Field(max_length=MOST_SIGNATURE_LETTERS, description="64 bytes, of P-256 r and s")

    @property
    def text(self) -> str:
        return f"tableside seen {self.key} {self.table_key} {self.head}"

    def is_signed(self) -> bool:
        check = is_signed if self.algorithm == "ed25519" else _is_signed_by_p256
        return check(self.key, self.text, self.signature)


def read_witness(path: Path) -> HeadWitness | Countersignature:
    """What a hub or a phone countersigned, as somebody kept it. Raises: BadFile, BadInput."""
    try:
        return load(HeadWitness, path, error=BadInput)
    except BadInput:
        return load(Countersignature, path, error=BadInput)


class PhoneSigned(Entry):
    """A phone countersigned how far the journal had come."""

    MUST_LAST = False
    IS_PROOF = True
    type: Literal["phone-signed"] = "phone-signed"
    by: str = Field(description="the seat of the phone")
    seen: Countersignature


class HubSigned(Entry):
    """A hall's hub countersigned how far the journal had come."""

    MUST_LAST = False
    IS_PROOF = True
    type: Literal["hub-signed"] = "hub-signed"
    seen: HeadWitness


COUNTERSIGNING_ENTRIES: tuple[type[Entry], ...] = (PhoneSigned, HubSigned)


def _is_signed_by_p256(key: str, text: str, signature: str) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.hashes import SHA256

    try:
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), bytes.fromhex(key))
        r_and_s = bytes.fromhex(signature)
        r, s = (int.from_bytes(half) for half in (r_and_s[:_P256_BYTES], r_and_s[_P256_BYTES:]))
        point.verify(utils.encode_dss_signature(r, s), text.encode(), ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return len(r_and_s) == 2 * _P256_BYTES


def newest_heads(journal: Journal) -> tuple[HeadSigned, ...]:
    """What the table's key signed last, the newest first; more than one, as phones sign a little later."""
    heads, until = list[HeadSigned](), None
    while len(heads) < _HEADS_BACK and (line := journal.newest(HeadSigned, until=until)) is not None:
        assert isinstance(line.entry, HeadSigned)
        heads.append(line.entry)
        until = line.n - 1
    return tuple(heads)


@dataclass(frozen=True)
class Witness:
    """A key that countersigned a game, how far and until when by the clock beside it."""

    by: str
    key: str
    head: str
    at_s: float

    @property
    def key_words(self) -> str:
        return key_words(self.key)


@dataclass(frozen=True)
class WitnessReport:
    """Who countersigned a journal, each key once. `line` and `why` name the first countersignature that is none."""

    witnesses: tuple[Witness, ...] = ()
    line: int | None = None
    why: str | None = None


def witnesses_of(journal: Journal) -> tuple[Witness, ...]:
    """Who countersigned this journal, each key once, the newest last."""
    newest = dict[str, Witness]()
    for line in journal.lines(*COUNTERSIGNING_ENTRIES):
        assert isinstance(line.entry, PhoneSigned | HubSigned)
        witness = _witness_of(line.entry, line.at_s)
        if not witness.key:  # left out of a copy
            continue
        newest.pop(witness.key, None)
        newest[witness.key] = witness
    return tuple(newest.values())


def check_countersignatures(journal: Path, heads: frozenset[str]) -> WitnessReport:
    """Whether each head that was countersigned is a line of this journal, by the key that says so. Raises: OSError.

    `heads`: number and hash of every line, as the chain has them.
    """
    newest, table_keys = dict[str, Witness](), set[str]()
    for raw in _raw_lines(journal):
        if raw["entry"]["type"] == "key-made":
            table_keys.add(str(raw["entry"].get("key")))
            continue
        try:
            entry = (PhoneSigned if raw["entry"]["type"] == "phone-signed" else HubSigned).model_validate(raw["entry"])
        except ValidationError:
            return WitnessReport(tuple(newest.values()), raw["n"], "it is no countersignature")
        if (why := _countersignature_fault(entry, heads, table_keys)) is not None:
            return WitnessReport(tuple(newest.values()), raw["n"], why)
        witness = _witness_of(entry, float(raw["at_s"]))
        newest[witness.key] = witness
    return WitnessReport(tuple(newest.values()))


def _countersignature_fault(entry: PhoneSigned | HubSigned, heads: frozenset[str], table_keys: set[str]) -> str | None:
    by = entry.by + "'s phone" if isinstance(entry, PhoneSigned) else "the hub"
    if not can_sign():
        return None
    if not entry.seen.is_signed():
        return f"its signature is none of the key of {by}"
    if entry.seen.head not in heads:
        return f"{by} saw {entry.seen.head}, which is no line of this game: its hashes were made anew"
    if isinstance(entry.seen, Countersignature) and entry.seen.table_key not in table_keys:
        return f"{by} saw a table that signed by another key"
    return None


def _witness_of(entry: PhoneSigned | HubSigned, at_s: float) -> Witness:
    if isinstance(entry, PhoneSigned):
        return Witness(f"{entry.by}'s phone", entry.seen.key, entry.seen.head, at_s)
    return Witness(f"hub of {entry.seen.event}", entry.seen.key, entry.seen.head, entry.seen.seen_s)


def _raw_lines(journal: Path) -> Iterator[dict[str, Any]]:
    with journal.open("rb") as lines:
        for text in lines:
            if any(name in text for name in (*_TYPES, b'"type":"key-made"')):
                line = read_raw_line(text)
                if line is not None and line["entry"]["type"] in ("phone-signed", "hub-signed", "key-made"):
                    yield line


def announced_keys(journal: Journal) -> tuple[KeyMade, ...]:
    """The keys of this table, the oldest first; each but the first is signed by the one before."""
    return tuple(line.entry for line in journal.lines(KeyMade) if isinstance(line.entry, KeyMade))
