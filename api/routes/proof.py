"""Proof routes: what the table's key signed last, and the countersignatures of phones that saw it."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from api.errors import JournalFailed, NotAllowed, NothingKept
from api.http.openapi import problem_responses
from api.journal.countersignature import (
    MOST_PHONES,
    Countersignature,
    PhoneSigned,
    announced_keys,
    newest_heads,
    witnesses_of,
)
from api.journal.signature import can_sign, key_words
from api.live.alarms import PROOF
from api.routes.auth import AtTheTable
from api.routes.services import Table
from models.errors import BadInput
from models.frozen import Frozen

_HEAD = "^$|^[0-9]{1,15}:[0-9a-f]{64}$"
router = APIRouter(prefix="/api/v1/proof", tags=["proof"])


class TableKeyStep(Frozen):
    """A key of this table, and the signature of `tableside key KEY` by the key before it; null: it is the first."""

    key: str
    key_words: str
    signature: str | None


class ShownWitness(Frozen):
    """Who else signed how far this journal had come."""

    by: str
    key: str
    key_words: str
    head: str
    at_s: float


class Proof(Frozen):
    """What the table's key signed last: the text `tableside head KEY N:HASH`."""

    keys: tuple[TableKeyStep, ...] = Field(description="the oldest first, the last one signs")
    head: str | None = Field(description="number and hash of the newest line that is signed; null: none is")
    key: str | None
    signature: str | None
    witnesses: tuple[ShownWitness, ...]
    holds: bool | None = Field(description="whether the asked head is a line of this journal; null: none was asked")
    forged: str | None = Field(description="what is wrong with this journal; null: it is what the table wrote")


class SignedAs(Frozen):
    """What the phone's key is called, to be noted down."""

    key_words: str


@router.get("")
def proof(table: Table, seen: Annotated[str, Query(max_length=100, pattern=_HEAD)] = "") -> Proof:
    """How far this journal is signed, by whom, and who else saw it; and whether it holds the head `seen` by a phone."""
    journal, forged = table.hub.journal, table.hub.alarms.find(PROOF)
    newest = next(iter(newest_heads(journal)), None)
    keys = (
        TableKeyStep(key=step.key, key_words=key_words(step.key), signature=step.signature)
        for step in announced_keys(journal)
        if step.key
    )
    witnesses = (
        ShownWitness(by=seen.by, key=seen.key, key_words=seen.key_words, head=seen.head, at_s=seen.at_s)
        for seen in witnesses_of(journal)
    )
    return Proof(
        keys=tuple(keys),
        head=newest.head if newest else None,
        key=newest.key if newest else None,
        signature=newest.signature if newest else None,
        witnesses=tuple(witnesses),
        holds=str(journal.head_at(int(seen.partition(":")[0]))) == seen if seen else None,
        forged=None if forged is None else forged.says,
    )


@router.post("/countersignatures", responses=problem_responses(NothingKept, NotAllowed, BadInput, JournalFailed))
async def countersign(seen: Countersignature, seat: AtTheTable, table: Table) -> SignedAs:
    """Keep that a phone saw this head: records, slips and the exported game carry its signature from now on."""
    journal = table.hub.journal
    heads = newest_heads(journal)
    if not can_sign() or not heads or table.hub.is_replay:
        raise NothingKept("Nobody signs this table's journal.", field="head", value=seen.head)
    signed = {entry.head: entry.key for entry in heads if entry.head}
    if signed.get(seen.head) != seen.table_key:
        raise BadInput("That is not what the table's key signed last.", field="head", value=seen.head)
    if not seen.is_signed():
        raise BadInput("The signature is none of this key.", field="signature", value=seen.signature)
    since = journal.lines(PhoneSigned, after=int(seen.head.partition(":")[0]))
    entries = [line.entry for line in since if isinstance(line.entry, PhoneSigned)]
    same_head = {entry.seen.key for entry in entries if entry.seen.head == seen.head}
    if seen.key not in same_head:
        if len(same_head) >= MOST_PHONES:
            raise NotAllowed(f"{MOST_PHONES} phones have countersigned this line.", field="key", value=seen.key)
        journal.write(PhoneSigned(by=seat, seen=seen))
    return SignedAs(key_words=key_words(seen.key))
