"""List schemas: what a phone is told of the lists and sends of them."""

from typing import Literal

from pydantic import Field

from api.corrections.army_states import UnitState
from api.rosters.file_opening import MOST_UNITS
from api.rosters.line_mends import LineMend
from api.rosters.read import MOST_TEXT
from api.setups.schemas import ArmyList, ExpectedMiniature
from models.frozen import Frozen
from models.vocabulary import Id


class NamingEntry(Frozen):
    """An entry of a list: who bears its name, who left the table with it, and who is proposed to be it."""

    expected: ExpectedMiniature
    named: tuple[Id, ...]
    fallen: tuple[Id, ...] = Field((), description="bore the name and are on the table no more")
    proposed: tuple[Id, ...] = ()
    casualties: int = Field(0, description="who left the table, or was told to be lost")
    casualty_step: int | None = Field(None, description="the newest step that told a casualty, to take it back")
    is_sure: bool = Field(False, description="whether no other entry may be those, and they are as many as are missing")


class ArmyUnit(Frozen):
    """A unit of a list and how it fares; a single miniature is a unit of one."""

    unit: Id = Field(description="its key in corrections `army`")
    side: str | None
    name: str
    count: int
    casualties: int
    is_destroyed: bool = Field(description="nobody of it is left")
    points: int | None = Field(description="as its list says; null: it says nothing")
    state: UnitState


class ArmyPoints(Frozen):
    """What a list costs, and what of it is destroyed: units of which nobody is left."""

    side: str
    total: int
    destroyed: int


class Casualty(Frozen, json_schema_extra={"examples": [{"entry": "red-reeve-0-0", "id": "m7"}]}):
    """One of this entry is lost: this base, or one that nobody has named."""

    entry: Id
    id: Id | None = None


class NewTurn(Frozen, json_schema_extra={"examples": [{"side": "red"}]}):
    """A turn of this side begins."""

    side: str = Field(min_length=1, max_length=80)


class ListNaming(Frozen):
    """The lists, their entries and units, and what does not go together."""

    lists: tuple[ArmyList, ...]
    entries: tuple[NamingEntry, ...]
    units: tuple[ArmyUnit, ...] = ()
    points: tuple[ArmyPoints, ...] = Field((), description="of each side whose list tells of points")
    notes: tuple[str, ...] = ()


class NamingChoice(Frozen):
    """These are that entry."""

    entry: Id
    ids: tuple[Id, ...] = Field(min_length=1, max_length=200)


class NamingChoices(
    Frozen, json_schema_extra={"examples": [{"choices": [{"entry": "long-gunners", "ids": ["m3", "m7"]}]}]}
):
    """Several entries as one step."""

    choices: tuple[NamingChoice, ...] = Field(min_length=1, max_length=60)


class ListText(Frozen, json_schema_extra={"examples": [{"text": "10: Trenchers\nKell", "mends": []}]}):
    """The text of a list, and what a player says of its lines."""

    text: str = Field(min_length=1, max_length=MOST_TEXT)
    mends: tuple[LineMend, ...] = Field((), max_length=MOST_UNITS)


_CONFIRMED = {"side": "red", "text": "10: Trenchers", "mends": [{"line": 1, "name": "Trencher", "count": 10}]}


class ConfirmedList(ListText, json_schema_extra={"examples": [_CONFIRMED]}):
    """The text of a list that a player has looked through: lines neither understood nor mended are left out."""

    side: str = Field(min_length=1, max_length=80, description="whose list it is")
    name: str = Field("list", max_length=200, description="as the file is called")


class LineDoubt(Frozen):
    """A line that was not understood, or was read as a unit by no known layout; and what it would be as a unit."""

    line: int
    text: str
    is_unit: bool = Field(description="whether it is laid as a unit when nobody says otherwise")
    name: str = Field(description="as the unit would be called; empty: the line has no words for it")
    count: int


class ListReading(Frozen):
    """How a text was read, before anything is laid."""

    says: str | None = Field(description="what is asked about its lines; null: nothing")
    understood: float = Field(description="share of its lines", ge=0, le=1)
    miniatures: int = Field(description="in the lines that are beyond doubt")
    doubts: tuple[LineDoubt, ...]


class ListAnswer(Frozen, json_schema_extra={"examples": [{"entry": "lancer", "asks": "base", "choice": "40 mm"}]}):
    """What a player says to a question of a list."""

    entry: Id
    asks: Literal["card", "count", "base"]
    choice: str = Field(min_length=1, max_length=200)
