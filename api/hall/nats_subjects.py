"""NATS subjects of an event, the broker's configuration for its keys, and an envelope as a NATS message."""

from typing import Any

from api.hall.envelope import Envelope, digest
from api.hall.keys import EventKeys
from api.hall.transport import Tail

HUBS = "hub"  # what all hubs of an event call themselves to share its messages
_PREFIX = "ce-"
_NUMBERS = ("line", "after", "lineversion")


def stream_of(event: str) -> str:
    """The stream that keeps the lines of all tables."""
    return f"TABLESIDE-{event}"


def subject_of(event: str, table: int | str, what: str) -> str:
    """Where a table speaks of this: journal, glance or orders; table `*`: every table."""
    return f"tableside.{event}.table.{table}.{what}"


def inbox_of(event: str, table: int) -> str:
    """Where a table is answered, and no other table hears it."""
    return f"_INBOX_{event}_{table}"


def headers_of(envelope: Envelope) -> dict[str, str]:
    """CloudEvents in binary mode: attributes as headers, the line itself as the body."""
    told = envelope.model_dump(mode="json", exclude={"data"})
    return {f"{_PREFIX}{name}": str(value) for name, value in told.items()}


def body_of(headers: dict[str, str] | None, data: bytes) -> dict[str, Any]:
    """The same message in structured form, for `read_envelope`."""
    found: dict[str, Any] = {n[len(_PREFIX) :]: v for n, v in (headers or {}).items() if n.startswith(_PREFIX)}
    numbers = {name: int(found[name]) for name in _NUMBERS if str(found.get(name, "")).isdigit()}
    return found | numbers | {"data": data.decode(errors="replace")}


def tail_from(headers: dict[str, str] | None, data: bytes) -> Tail:
    """The newest line of a table as its stream holds it."""
    body = body_of(headers, data)
    return Tail(journal=body["journal"], line=body["line"], sha256=digest(body["data"]))


def nats_configuration(keys: EventKeys, hub_nkey: str) -> str:
    """A configuration for nats-server: JetStream, and each key with the subjects that are its own."""
    users = [f'    {{ nkey: "{hub_nkey}" }}  # the hub']
    for entry in keys.tables:
        subjects = [
            *(subject_of(keys.event, entry.table, what) for what in ("journal", "glance", "orders")),
            f"$JS.API.DIRECT.GET.{stream_of(keys.event)}.{subject_of(keys.event, entry.table, 'journal')}",
        ]
        publish = ", ".join(f'"{subject}"' for subject in subjects)
        subscribe = f'"{inbox_of(keys.event, entry.table)}.>"'
        rights = f"{{ publish: [{publish}], subscribe: [{subscribe}] }}"
        users.append(f'    {{ nkey: "{entry.nkey}", permissions: {rights} }}  # table {entry.table}')
    listed = "\n".join(users)
    return f"port: 4222\njetstream {{ store_dir: nats-data }}\nauthorization {{\n  users: [\n{listed}\n  ]\n}}\n"
