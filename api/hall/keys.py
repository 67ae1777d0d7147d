"""Keys of an event: each table publishes under its own number only; judges and organiser have seats by code."""

import hashlib
import secrets
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from api.hall.errors import BadKey
from api.hall.transport import inbox_of, stream_of, subject_of
from api.journal.chain import Head, read_head
from api.journal.countersignature import HeadWitness, witness_head
from api.journal.signature import can_sign, new_secret
from api.seats.schemas import new_code
from api.storage.files import load, save, write_whole
from models.errors import BadInput
from models.frozen import Frozen

HallSeat = Literal["organiser", "judge", "stream", "spectator"]
EventName = Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]{0,39}$", description="small letters, digits, dashes")]
EVENT_FILE, NATS_FILE, CARDS_FILE = "event.json", "nats.conf", "cards.pdf"


class TableKey(Frozen):
    """What a table holds: the file behind `--key`."""

    event: EventName
    table: int = Field(ge=1, le=10_000)
    token: str = Field(min_length=20)
    nkey_seed: str | None = Field(None, description="for NATS")
    call_stops_clock: bool = Field(False, description="whether a call for a judge stops the table's clocks")


class TableEntry(Frozen):
    """What the hub holds of a table's key."""

    table: int
    token_sha256: str
    nkey: str | None = None
    card: str | None = Field(None, description="the secret on the table's card, which opens a player's seat there")


class SeatEntry(Frozen):
    """A seat in the hall: who has it, and the code that opens it."""

    seat: HallSeat
    name: str = Field(min_length=1, max_length=60)
    code: str
    token: str
    is_head: bool = Field(False, description="whether this judge hears appeals")


class EventKeys(Frozen):
    """All keys of an event, as the hub reads them."""

    event: EventName
    tables: tuple[TableEntry, ...]
    seats: tuple[SeatEntry, ...]
    hub_seed: str | None = None
    signing_key: str | None = Field(
        None, description="countersigns what tables have written; null: made by an older version"
    )

    def countersign(self, table: int, newest: tuple[str, float] | None) -> HeadWitness | None:
        """The hub's signature of a table's newest line, and when it came; None where there is nothing to sign."""
        head = None if newest is None else read_head(newest[0].encode())
        if newest is None or head is None or head.hash is None or self.signing_key is None:
            return None
        newest_head = str(Head(head.n, head.hash))
        return witness_head(self.signing_key, event=self.event, table=table, head=newest_head, seen_s=newest[1])

    def entry_of_table(self, table: int, token: str | None) -> TableEntry | None:
        """The table, when this is its token."""
        entry = next((entry for entry in self.tables if entry.table == table), None)
        fits = entry is not None and secrets.compare_digest(entry.token_sha256, hash_token(token or ""))
        return entry if fits else None

    def hears_appeals(self, seat: SeatEntry) -> bool:
        """Whether this seat may take an appealed call: a head judge or the organiser, where there is a head judge."""
        return seat.is_head or seat.seat == "organiser" or not any(entry.is_head for entry in self.seats)

    def is_table_token(self, token: str | None) -> bool:
        hashed = hash_token(token or "")
        return any(secrets.compare_digest(entry.token_sha256, hashed) for entry in self.tables)

    def is_card_of(self, table: int, secret: str) -> bool:
        entry = next((entry for entry in self.tables if entry.table == table), None)
        return entry is not None and entry.card is not None and _is_same(entry.card, secret)

    def seat_of_code(self, code: str) -> SeatEntry | None:
        return next((seat for seat in self.seats if _is_same(seat.code, code)), None)

    def seat_of_token(self, token: str | None) -> SeatEntry | None:
        return next((seat for seat in self.seats if _is_same(seat.token, token or "")), None)


def _is_same(secret: str, said: str) -> bool:
    """Compared in constant time, whatever letters there are: `compare_digest` takes no text but ASCII."""
    return secrets.compare_digest(secret.encode(), said.encode(errors="replace"))


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def make_keys(
    event: str,
    *,
    tables: int,
    judges: tuple[str, ...],
    head_judge: str | None = None,
    call_stops_clock: bool = False,
) -> tuple[EventKeys, tuple[TableKey, ...]]:
    """New keys of an event with tables 1 to `tables`. Raises: BadInput when a judge is named twice."""
    judges = (*((head_judge,) if head_judge else ()), *judges)
    if len(set(judges)) < len(judges):
        twice = next(name for name in judges if judges.count(name) > 1)
        raise BadInput(f"the judge {twice!r} is named twice", field="judge", value=twice)
    seeds = [_nkey() for _ in range(tables)]
    made = tuple(
        TableKey(
            event=event, table=n, token=secrets.token_urlsafe(32), nkey_seed=seed, call_stops_clock=call_stops_clock
        )
        for n, (seed, _) in enumerate(seeds, start=1)
    )
    entries = tuple(
        TableEntry(table=key.table, token_sha256=hash_token(key.token), nkey=public, card=secrets.token_urlsafe(9))
        for key, (_, public) in zip(made, seeds, strict=True)
    )
    named: list[tuple[HallSeat, str]] = [("organiser", "Organiser"), ("stream", "Stream")]
    named += [("judge", name) for name in judges]
    seats = tuple(
        SeatEntry(seat=s, name=n, code=new_code(), token=secrets.token_urlsafe(24), is_head=n == head_judge)
        for s, n in named
    )
    signing_key = new_secret() if can_sign() else None
    return EventKeys(event=event, tables=entries, seats=seats, hub_seed=_nkey()[0], signing_key=signing_key), made


def write_keys(folder: Path, keys: EventKeys, tables: tuple[TableKey, ...]) -> None:
    """The hub's file and one for each table. Raises: BadFile; BadInput when keys lie there already."""
    if (folder / EVENT_FILE).exists():
        raise BadInput(
            f"{folder}: keys lie here already; new ones would shut every table out", field="out", value=str(folder)
        )
    folder.mkdir(parents=True, exist_ok=True)
    for key in tables:
        _save_secret(key, folder / f"table-{key.table}.json")
    if keys.hub_seed is not None:
        _write_broker_configuration(folder / NATS_FILE, keys)
    _save_secret(keys, folder / EVENT_FILE)


def read_event_keys(folder: Path) -> EventKeys:
    """Raises: BadFile, BadKey."""
    return load(EventKeys, folder / EVENT_FILE, error=BadKey)


def read_table_key(path: Path, *, table: int | None) -> TableKey:
    """The key of this table. Raises: BadFile; BadKey when it is none, or another table's."""
    try:
        key = load(TableKey, path, error=BadKey)
    except BadKey as wrong:
        raise BadKey(f"{path} is no key of a table: {wrong.detail}", field=wrong.field, value=str(path)) from wrong
    if table is not None and key.table != table:
        raise BadKey(f"{path} is the key of table {key.table}, not of {table}", field="table", value=table)
    return key


def _save_secret(value: Frozen, path: Path) -> None:
    save(value, path)
    path.chmod(0o600)


def _write_broker_configuration(path: Path, keys: EventKeys) -> None:
    import nkeys

    assert keys.hub_seed is not None
    public = nkeys.from_seed(keys.hub_seed.encode()).public_key.decode()
    write_whole(path, nats_configuration(keys, public))


def nats_configuration(keys: EventKeys, hub_nkey: str) -> str:
    """A configuration for nats-server: JetStream, and each key with the subjects that are its own."""
    users = [f'    {{ nkey: "{hub_nkey}" }}  # the hub']
    for entry in keys.tables:
        subjects = [
            *(subject_of(keys.event, entry.table, what) for what in ("journal", "glance", "orders", "witness")),
            f"$JS.API.DIRECT.GET.{stream_of(keys.event)}.{subject_of(keys.event, entry.table, 'journal')}",
        ]
        publish = ", ".join(f'"{subject}"' for subject in subjects)
        subscribe = f'"{inbox_of(keys.event, entry.table)}.>"'
        rights = f"{{ publish: [{publish}], subscribe: [{subscribe}] }}"
        users.append(f'    {{ nkey: "{entry.nkey}", permissions: {rights} }}  # table {entry.table}')
    listed = "\n".join(users)
    return f"port: 4222\njetstream {{ store_dir: nats-data }}\nauthorization {{\n  users: [\n{listed}\n  ]\n}}\n"


def _nkey() -> tuple[str | None, str | None]:
    """Seed and public key for NATS; none where its client is not installed."""
    try:
        import nkeys
    except ImportError:
        return None, None
    seed = nkeys.encode_seed(secrets.token_bytes(32), nkeys.PREFIX_BYTE_USER)
    return seed.decode(), nkeys.from_seed(seed).public_key.decode()
