"""Unconfirmed bases: what may be a base in a picture and neither networks nor fit are sure of; no rule reads them."""

from pydantic import Field

from models.base import Base
from models.frozen import Frozen
from models.vocabulary import NotNegative, Point, Share


class UnconfirmedBase(Frozen):
    """A base may stand here: something looks like one, and neither networks nor fit are sure."""

    base: Base
    at_mm: Point
    turn_deg: float = Field(0.0, description="where its depth runs, anticlockwise from +x, or the other way")
    sigma_mm: NotNegative = Field(description="of the place, per axis")
    probability: Share
