"""Table schemas: the list of tables, and a look at one from afar."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from api.clocks.schemas import ClocksView
from api.journal.entry import Entry
from api.live.messages import Freshness, Problem
from api.seats.permissions import Player, Seat
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


MOST_ASKED = 400


class OpenDispute(Frozen):
    """What the players of a table dispute, in words with the names of the two."""

    asked: str = Field(max_length=MOST_ASKED)
    at_s: float = Field(description="since when, by the table's clock, seconds since 1970")
    is_judge_called: bool


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
    players: dict[Player, str] = Field({}, description="what each is called")
    clocks: ClocksView | None = Field(None, description="as they stood when this was asked")
    question: OpenDispute | None = Field(None, description="what the players dispute; null: nothing")


class TablesListed(Entry):
    """The list from now on."""

    type: Literal["tables-listed"] = "tables-listed"
    by: Seat
    tables: tuple[OtherTable, ...]
