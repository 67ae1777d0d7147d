"""Paper sizes and margins: what of a page is left for drawings."""

from dataclasses import dataclass
from enum import StrEnum

EDGE_MM = 8.0  # printers leave this much white
RULER_MM = 14.0  # the upright ruler's strip at the left
FOOT_MM = 32.0  # the level ruler's strip at the bottom, with what the sheet says of itself


class PaperName(StrEnum):
    A4 = "a4"
    A3 = "a3"
    LETTER = "letter"


@dataclass(frozen=True)
class Paper:
    """A page as it is held while reading."""

    name: PaperName
    width_mm: float
    height_mm: float

    @property
    def field_mm(self) -> tuple[float, float]:
        """Width and height left for drawings."""
        return self.width_mm - 2 * EDGE_MM - RULER_MM, self.height_mm - 2 * EDGE_MM - FOOT_MM

    @property
    def corner_mm(self) -> tuple[float, float]:
        return EDGE_MM + RULER_MM, EDGE_MM + FOOT_MM

    def has_room_for(self, width_mm: float, height_mm: float) -> bool:
        return width_mm <= self.field_mm[0] and height_mm <= self.field_mm[1]


_UPRIGHT_MM = {PaperName.A4: (210.0, 297.0), PaperName.A3: (297.0, 420.0), PaperName.LETTER: (215.9, 279.4)}


def orientations(name: PaperName) -> tuple[Paper, Paper]:
    short, long = _UPRIGHT_MM[name]
    return Paper(name, short, long), Paper(name, long, short)
