"""Errors of the hall, each an RFC 9457 problem with a stable code."""

from models.errors import BadInput, WorldError


class BadEnvelope(BadInput, code="hall/bad_message", title="The hub cannot read this message"):
    """A message of a table is malformed, of a newer version, or of another event or table."""


class BadKey(BadInput, code="hall/bad_key", title="The key is not usable"):
    """A file of keys is none, or is the key of another table."""


class WrongKey(BadInput, code="hall/wrong_key", title="This key opens nothing here", status=403):
    """The hub knows no such table, or the key is not its own; or a seat in the hall may not do that."""


class HubRefused(BadInput, code="hall/refused", title="The hub refuses this table"):
    """The hub does not take what a table sends: wrong key, wrong event, or a hub too old for the message."""


class TableTwice(BadInput, code="hall/table_twice", title="This table's number is taken", status=409):
    """Another journal writes under this table's number: a second machine, or a new folder; a person must decide."""


class RestoredCopy(BadInput, code="hall/restored_copy", title="The table's folder is an old copy", status=409):
    """A table's folder is an old copy: the hub holds lines that it does not have, or that read otherwise."""


class NoSuchHallTable(BadInput, code="hall/unknown_table", title="There is no such table in the hall", status=404):
    """The event has no table of that number."""


class NoSuchCall(BadInput, code="hall/unknown_call", title="There is no such call", status=404):
    """Nobody called with that number."""


class CallConflict(BadInput, code="hall/call_taken", title="The call is not open to this", status=409):
    """Another judge has the call, or it is closed, or nobody has taken it yet."""


class BadPairings(BadInput, code="hall/bad_pairings", title="These pairings cannot be taken"):
    """A file of pairings is none, has columns that nobody has mapped, or names a player or a table twice or wrongly."""


class NoSuchRound(BadInput, code="hall/unknown_round", title="There is no such round", status=404):
    """The event has no round of that number, or nobody is paired at that table in it."""


class RoundConflict(BadInput, code="hall/round_conflict", title="The round is not where this is possible", status=409):
    """The round has begun or is over, or another one still runs."""


class NoSuchPenalty(BadInput, code="hall/unknown_penalty", title="There is no such penalty", status=404):
    """No penalty of that number was given, or the organiser's list has none of that name."""


class NoHall(BadInput, code="hall/none", title="This table belongs to no hall", status=409):
    """Something is asked of the hall at a table that belongs to none."""


class HubAway(WorldError, code="hall/away", title="The hub is away"):
    """The hub or its broker cannot be reached, or has no room; the table plays on and sends later."""


class HubDisagrees(WorldError, code="hall/disagrees", title="The hub stands elsewhere", status=409):
    """The hub's newest line is not the one that was expected; it is asked again."""


class HallStoreFailed(WorldError, code="hall/store_failed", title="The hub cannot keep this"):
    """The hub's database cannot be reached, or its disk is full; tables keep what they wrote and send it later."""


class NoJetStream(WorldError, code="hall/no_jetstream", title="The broker has no JetStream"):
    """The NATS server keeps no streams: JetStream is not enabled there."""
