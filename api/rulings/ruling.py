"""A ruling: what a judge decided about a verdict."""

from typing import Literal

from pydantic import Field, model_validator

from api.line import Line
from api.pair import Pair
from api.rulings.tape import Compared, TapeReading
from api.seats.seat import Seat
from models.frozen import Frozen
from models.words import Id

Decision = Literal["accepted", "overruled", "rolled"]
SAID: dict[Decision, str] = {"accepted": "Accepted", "overruled": "Overruled", "rolled": "Let them roll"}


class About(Frozen):
    """The verdict a ruling is about: a line of a pair's sheet, now or at an earlier moment, by camera or by tape."""

    at: int | None = Field(None, ge=1, description="the moment of the table; null: now")
    pair: Pair
    slot: str = Field(max_length=40)
    tape: TapeReading | None = None


class NewRuling(Frozen):
    """What the judge decides. `stands` is what holds instead of the verdict, in a few words."""

    about: About
    decision: Decision
    stands: str | None = Field(None, max_length=80)
    reason: str = Field("", max_length=400)
    on_air: bool = Field(False, description="show it on the stream")
    key: str | None = Field(
        None, min_length=8, max_length=64, description="the same key again is the same ruling: it is not written twice"
    )

    @model_validator(mode="after")
    def _overruling_says_what_stands_and_why(self) -> "NewRuling":
        if self.decision == "overruled" and not (self.stands and self.reason.strip()):
            raise ValueError("who overrules says what stands instead, and why")
        return self


class Ruling(Frozen):
    """A ruling as it is kept; `n` is its line of the journal."""

    n: int
    at_s: float
    by: Seat
    decision: Decision
    stands: str | None
    reason: str
    about: About
    a: str = Field(description="name of A then")
    b: str = Field(description="name of B then")
    line: Line
    compared: Compared | None = Field(description="camera and tape, where a tape replaced the camera")
    withdrawn: str | None = Field(None, description="why it does not hold any more")

    @property
    def said(self) -> str:
        """The ruling in a few words."""
        return f"{SAID[self.decision]}: {self.stands}" if self.stands else SAID[self.decision]


class Brief(Frozen):
    """A ruling on a list."""

    n: int
    at_s: float
    said: str
    title: str
    headline: str | None
    a: str
    b: str
    ids: tuple[Id, Id]
    withdrawn: str | None


def brief_of(ruling: Ruling) -> Brief:
    """The ruling as it stands on a list."""
    line, pair = ruling.line, ruling.about.pair
    told = {name: getattr(ruling, name) for name in ("n", "at_s", "said", "a", "b", "withdrawn")}
    return Brief(**told, title=line.title, headline=line.headline, ids=(pair.a, pair.b))
