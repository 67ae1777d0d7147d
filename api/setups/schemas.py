"""Setup schemas: what a table is played with, who is expected on it, and sides as they look."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from api.journal.entry import Entry
from api.seats.permissions import Seat
from models.base import Base
from models.frozen import Frozen
from models.profile import Profile
from models.state import Scenario, Side
from models.terrain import Objective, Terrain, Zone
from models.vocabulary import EditionId, Id, MiniatureType, NotNegative, Role

Part = Literal["terrain", "rules", "expected"]
SetupName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 _-]{0,59}$", description="letters, digits, blanks")]
MOST = 300
MOST_ALIKE = 500
MOST_EXPECTED = 1000
MOST_LISTS = 8


class ExpectedMiniature(Frozen):
    """A miniature that will stand on the table, or several alike."""

    name: str = Field(min_length=1, max_length=80)
    side: str | None = Field(None, max_length=80)
    unit: Id | None = None
    type: MiniatureType | None = None
    role: tuple[Role, ...] = ()
    base: Base | None = Field(None, description="null: the list does not tell, so it may be any")
    front_arc_deg: Literal[180, 360] | None = None
    profile: Profile = Profile()
    count: int = Field(1, ge=1, le=MOST_ALIKE)
    entry: Id | None = Field(None, description="of an army list: which of its entries")
    unit_name: str | None = Field(None, max_length=80)
    command_in: NotNegative | None = Field(None, description="command range of the unit")
    card: str | None = Field(None, max_length=200, description="where its numbers were read")
    points: int | None = Field(None, ge=0, description="of the whole unit, as its list says")


class ListQuestion(Frozen):
    """What a list leaves open and nobody guesses: which card, how many, which base."""

    entry: Id
    asks: Literal["card", "count", "base"]
    says: str
    choices: tuple[str, ...] = ()


class ArmyList(Frozen):
    """An army list that was laid out: whose, of which game, and what of it is open or was not understood."""

    side: str = Field(min_length=1, max_length=80)
    name: str | None = None
    game: str | None = None
    edition: EditionId | None = None
    miniatures: int
    questions: tuple[ListQuestion, ...] = ()
    remarks: tuple[str, ...] = ()


def check_numbers(expected: tuple[ExpectedMiniature, ...]) -> tuple[ExpectedMiniature, ...]:
    """The same. Raises: ValueError when no table holds as many."""
    count = sum(miniature.count for miniature in expected)
    if count > MOST_EXPECTED:
        raise ValueError(f"{count} miniatures are expected; at most {MOST_EXPECTED}")
    return expected


Expected = Annotated[tuple[ExpectedMiniature, ...], Field(max_length=MOST), AfterValidator(check_numbers)]


class Roster(
    Frozen,
    json_schema_extra={
        "examples": [{"expected": [{"name": "Lancer", "count": 1, "base": {"shape": "round", "diameter_mm": 40}}]}]
    },
):
    """Who is expected, and the lists that told so."""

    expected: Expected
    lists: tuple[ArmyList, ...] = Field((), max_length=MOST_LISTS)


class ExpectedMatch(Frozen):
    """An expected miniature, those on the table that bear its name, and those of its base that bear none."""

    expected: ExpectedMiniature
    named: tuple[Id, ...]
    may_be: tuple[Id, ...]


class Rules(Frozen):
    """What a table is played by."""

    edition: EditionId
    house_rules: dict[str, str] = {}
    scenario: Scenario | None = None
    sides: tuple[Side, ...] = ()


class Setup(Frozen, json_schema_extra={"examples": [{"name": "Table 4", "width_mm": 1219, "depth_mm": 1219}]}):
    """What a table is played with; a part that is null is none of it."""

    name: SetupName
    width_mm: float | None = Field(None, gt=0, description="of the table it was made for")
    depth_mm: float | None = Field(None, gt=0)
    terrain: tuple[Terrain, ...] | None = Field(None, max_length=MOST)
    objectives: tuple[Objective, ...] = Field((), max_length=MOST)
    zones: tuple[Zone, ...] = Field((), max_length=MOST)
    rules: Rules | None = None
    expected: Expected | None = None


class SetupParts(Frozen, json_schema_extra={"examples": [{"parts": ["terrain", "rules"]}]}):
    """Which parts of the table as it is now to keep."""

    parts: frozenset[Part] = Field(frozenset({"terrain", "rules", "expected"}), min_length=1)


class SetupSummary(Frozen):
    """A setup in a few words."""

    name: SetupName
    parts: tuple[Part, ...]
    pieces: int


class CountMismatch(Frozen):
    """A size of which another number is seen than is expected; `left` have stood here and left the table since."""

    base: Base
    expected: int
    seen: int
    left: int = 0


class ProposedSide(Frozen):
    """A side, and who looks as if on it."""

    name: str
    ids: tuple[Id, ...]


class ProposedSides(Frozen):
    """Two sides as they look, or none; `unsure` look like either."""

    sides: tuple[ProposedSide, ...]
    unsure: tuple[Id, ...]
    says: str


class RosterSet(Entry):
    """Who is expected from now on."""

    type: Literal["roster"] = "roster"
    by: Seat
    expected: tuple[ExpectedMiniature, ...]
    lists: tuple[ArmyList, ...] = ()
