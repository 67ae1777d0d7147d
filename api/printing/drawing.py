"""Drawing: one thing to be printed at its true size."""

from collections.abc import Callable
from dataclasses import dataclass

from api.printing.pen import Pen


@dataclass(frozen=True)
class Drawing:
    """`draw` draws within (0, 0) to (width, height)."""

    says: str
    width_mm: float
    height_mm: float
    draw: Callable[[Pen], None]
