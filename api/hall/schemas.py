"""Hall schemas: what the hub's pages show, officials and anybody, and what a table says of itself between its lines."""

import ipaddress
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError

from api.clocks.entries import Player
from api.clocks.schemas import ClocksView
from api.hall.call_store import Call
from api.hall.cell import TableRuling
from api.hall.errors import BadEnvelope
from api.hall.inbound_line import are_numbers_bounded, is_near
from api.hall.keys import HallSeat
from api.hall.rounds import HallSettings, Pairing, Penalty, Round, RoundView
from api.hall.swiss import Standing, SwissPlayer
from api.live.alarms import Alarm
from api.tables.schemas import TableSummary
from models.frozen import Frozen

MOST_GLANCE_BYTES = 20_000  # every page of the hall gets it


DoorCode = Annotated[str, Field(min_length=1, max_length=40, pattern="^[0-9A-Za-z-]*$")]


_GLANCE = {
    "summary": {
        "title": "Table 3", "edition": "warmachine-prime", "scenario": "Outlast", "miniatures": 24,
        "turn": {"round": 2, "active": "A"}, "fresh": {"age_s": 9.5, "source": "lost"}, "devices": {"player-a": 1},
        "problem": {
            "type": "world/source_lost", "title": "The camera sends no pictures", "status": 503, "detail": "Unplugged?",
        },
    },
    "address": "http://192.0.2.3:8017/",
}  # fmt: skip


class TableGlance(Frozen, json_schema_extra={"examples": [_GLANCE]}):
    """How a table is now; `address` is where its own pages are, as other machines know it."""

    summary: TableSummary
    address: str | None = Field(None, max_length=200, pattern="^https?://[^/]+/$")
    clock_s: float | None = Field(None, description="now, by the clock that the table's clocks go by")
    codes: dict[Literal["judge", "players"], DoorCode] = Field({}, description="what opens its pages; kept by no hub")


def is_expected_address(address: str, place: str | None) -> bool:
    """Whether a table's pages may be opened there unasked: at the machine that speaks for it (`place`), or in the same
    building. Any other host somebody looks at first."""
    host = urlsplit(address).hostname or ""
    if host == place or host == "localhost" or host.endswith(".local"):
        return True
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host


def read_glance(glance: TableGlance | bytes, *, now_s: float) -> TableGlance:
    """The glance, or the one that this message is, if it is within bounds. Raises: BadEnvelope."""
    data = glance if isinstance(glance, bytes) else glance.model_dump_json().encode()
    if len(data) > MOST_GLANCE_BYTES:
        raise BadEnvelope("the table's state is too long", field="glance", value=len(data))
    try:
        glance = TableGlance.model_validate_json(data)
    except ValidationError as wrong:
        field = ".".join(map(str, wrong.errors()[0]["loc"]))
        raise BadEnvelope(f"the table's state cannot be read: {field}", field=field, value=None) from wrong
    if not are_numbers_bounded(glance.model_dump()):
        raise BadEnvelope("the table's state holds a number beyond bounds", field="glance", value=None)
    if glance.clock_s is not None and not is_near(glance.clock_s, now_s):
        detail = "the table's clock is a hundred years from the hub's"
        raise BadEnvelope(detail, field="clock_s", value=glance.clock_s)
    return glance


class HallTable(Frozen):
    """A table of the hall from afar."""

    number: int
    line: int = Field(description="the newest line of its journal that has arrived")
    at_s: float | None = Field(description="when that line was written, by the table's clock")
    heard_s: float | None = Field(description="when the table was last heard of, by the hub's clock; null: never")
    clocks: ClocksView | None
    shown_s: float = Field(description="when the clocks showed that, by the hub's clock")
    rulings: tuple[TableRuling, ...]
    round: int | None
    players: dict[Player, str]
    summary: TableSummary | None
    trouble: str | None = Field(description="why the hub takes nothing from it")
    has_door: bool = Field(description="whether its judge's page can be opened from here")


class HallAffairs(Frozen):
    """What happens in the hall besides its tables."""

    calls: tuple[Call, ...]
    rounds: tuple[RoundView, ...]
    penalties: tuple[Penalty, ...]
    settings: HallSettings
    next_penalties: dict[str, str] = Field({}, description="of each player who has one, the next step of the ladder")
    players: tuple[SwissPlayer, ...] = ()
    standings: tuple[Standing, ...] = ()


class HallView(HallAffairs):
    """All that the judges' page of the hall shows."""

    type: Literal["whole"] = "whole"
    now_s: float = Field(description="the hub's clock, seconds since 1970")
    event: str
    tables: tuple[HallTable, ...]
    alarms: tuple[Alarm, ...] = Field((), description="what is not as it should be with this hub itself")


class HallPatch(Frozen):
    """What differs from the hall before; `affairs` and `alarms` null: they stay."""

    type: Literal["patch"] = "patch"
    now_s: float
    tables: tuple[HallTable, ...] = ()
    affairs: HallAffairs | None = None
    alarms: tuple[Alarm, ...] | None = None


class HallHealth(Frozen):
    """Whether the hub lives, and what is not as it should be with it."""

    event: str
    now_s: float
    alarms: tuple[Alarm, ...]


class HallSeatStatus(Frozen):
    """Who I am in the hall; null: nobody yet."""

    seat: HallSeat | None
    name: str | None
    is_head: bool = False


class Doorway(Frozen):
    """Where a table's judge's page opens, its code included."""

    url: str
    asks_about: str | None = Field(None, description="a host that the table named and that is not its own: look first")


class PublicHall(Frozen):
    """The newest round that has begun, with its pairings; null: none has."""

    now_s: float
    event: str
    round: Round | None
    pairings: tuple[Pairing, ...]
    featured: int | None
    featured_address: str | None
    delay_s: float
    standings: tuple[Standing, ...] = Field((), description="of all who play, before the first round too")
    alarms: tuple[Alarm, ...] = ()


def show_hall(
    affairs: HallAffairs, *, event: str, now_s: float, featured_address: str | None, alarms: tuple[Alarm, ...] = ()
) -> PublicHall:
    """What anybody may see of the hall. What only one player has entered is nobody's result yet."""
    begun = [view for view in affairs.rounds if view.round.state != "ready"]
    newest = begun[-1] if begun else None
    return PublicHall(
        now_s=now_s,
        event=event,
        round=newest.round if newest else None,
        pairings=tuple(pairing.changed(told={}) for pairing in newest.pairings) if newest else (),
        featured=affairs.settings.featured,
        featured_address=featured_address,
        delay_s=affairs.settings.delay_s,
        standings=affairs.standings,
        alarms=alarms,
    )
