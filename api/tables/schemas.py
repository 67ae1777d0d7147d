"""Table schemas: the list of tables, and a look at one from afar."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from api.journal.entry import Entry
from api.live.messages import Freshness, Problem
from api.seats.permissions import Seat
from models.frozen import Frozen
from models.turn import Turn
from models.vocabulary import EditionId


def _address(url: str) -> str:
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https") or not rest.strip("/"):
        raise ValueError("an address begins with http:// and names a machine")
    return f"{scheme}://{rest.split('/')[0]}"


Address = Annotated[str, Field(max_length=200), AfterValidator(_address)]


class OtherTable(Frozen):
    """A table of the hall, and where its server answers."""

    name: str = Field(min_length=1, max_length=80)
    url: Address


class Tables(
    Frozen, json_schema_extra={"examples": [{"tables": [{"name": "Table 4", "url": "http://192.168.1.24:8000"}]}]}
):
    """The tables a judge looks after."""

    tables: tuple[OtherTable, ...] = Field(max_length=200)


class TableSummary(Frozen):
    """A table from afar."""

    title: str
    edition: EditionId | None = Field(description="null: nothing has been seen yet")
    scenario: str | None
    turn: Turn | None
    miniatures: int
    fresh: Freshness
    problem: Problem | None
    devices: dict[Seat, int] = Field(description="how many devices hold each seat")


class TablesListed(Entry):
    """The list from now on."""

    type: Literal["tables-listed"] = "tables-listed"
    by: Seat
    tables: tuple[OtherTable, ...]
