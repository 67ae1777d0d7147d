"""Blank paper: the sizes it is cut to, and how well."""

from dataclasses import dataclass
from typing import Literal

from models.errors import BadInput

PaperSize = Literal["a4", "letter"]

CUT_MM = 0.3
"""One sigma of a sheet's width and depth, all sheets of a pack alike: within ISO 216's 2 mm, as good packs are."""
OWN_CUT_MM = 0.1
"""The same of one sheet beside another of its pack."""


@dataclass(frozen=True)
class Paper:
    """A sheet's sides in mm, the longer one first."""

    long_mm: float
    short_mm: float
    name: str


PAPERS: dict[PaperSize, Paper] = {"a4": Paper(297.0, 210.0, "A4"), "letter": Paper(279.4, 215.9, "Letter")}


def parse_paper(text: str) -> PaperSize:
    """Raises: BadInput."""
    for size in PAPERS:
        if text.lower() == size:
            return size
    raise BadInput(f"paper: {text!r} is neither a4 nor letter", field="paper", value=text)
