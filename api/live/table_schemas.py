"""Table schemas: the table as phones and overlays draw it."""

from pydantic import Field

from models.base import Base
from models.frozen import Frozen
from models.pose import FacingAlternative
from models.state import TableSize
from models.vocabulary import EditionId, Id, NotNegative, Point, Share


class DrawnMiniature(Frozen):
    """A miniature as it is drawn, or a unit as one body; `sigma_mm` is along the worst direction."""

    id: Id
    name: str
    side: str | None
    base: Base
    at_mm: Point
    facing_deg: float | None
    facing_alternatives: tuple[FacingAlternative, ...]
    sigma_mm: NotNegative
    sigma_facing_deg: NotNegative
    unit: Id | None = Field(None, description="the unit that is asked about instead of it")
    guessed_size_mm: float | None = Field(
        None, description="the size of the book that a base of no such size is taken for; nobody told it"
    )
    count: int | None = Field(None, description="of a unit: how many stand in it")
    files: int | None = Field(None, description="of a unit in ranks: how many stand side by side in its front rank")


class DrawnArea(Frozen):
    """The outline of a piece of terrain or an effect."""

    id: Id
    kind: str
    outline_mm: tuple[Point, ...]


class DrawnCandidate(Frozen):
    """What may be a base and nobody has confirmed or dismissed."""

    name: str = Field(description="what answers call it")
    base: Base
    at_mm: Point
    turn_deg: float
    probability: Share


class Rest(Frozen):
    """When the table came to the rest in which it was measured: all that is answered about it is of that moment."""

    n: int = Field(description="the journal's line of it")
    at_s: float = Field(description="seconds since 1970")
    is_pictured: bool = Field(description="whether its picture is kept, to be fetched by its number")


class DrawnTable(Frozen):
    """The table as it is drawn."""

    state_id: str
    edition: EditionId
    is_measuring_free: bool = Field(description="false: only what is licensed is measured, and no length is drawn")
    size: TableSize
    house_rules: tuple[tuple[str, str], ...] = Field(
        (), description="key and choice of all that the table has chosen where the rulebook leaves a choice"
    )
    miniatures: tuple[DrawnMiniature, ...]
    plays_units: bool = Field(False, description="whether whole units are asked about, and not each of their members")
    units: tuple[DrawnMiniature, ...] = Field((), description="units that are asked about as one body")
    areas: tuple[DrawnArea, ...]
    unconfirmed: tuple[DrawnCandidate, ...] = ()
    is_complete: bool = Field(False, description="whether both players called it complete")
    missing: int = Field(0, description="bases that are expected and stand nowhere")
    rest: Rest | None = Field(None, description="null: nobody knows, as what was measured could not be kept")
