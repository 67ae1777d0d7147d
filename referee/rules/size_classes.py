"""Size classes: the base sizes a book knows, and which of them a base of another size counts as."""

from collections.abc import Iterable
from dataclasses import dataclass

from models.base import Base, RoundBase
from models.miniature import Miniature
from models.verdict import Reason

HOUSE_RULE = "odd-base-size"
_SAME_MM = 0.5  # a base told with this error is of the size that it is near


@dataclass(frozen=True)
class SizeClasses:
    """The sizes of a book, ascending, and where it has them."""

    sizes_mm: tuple[float, ...]
    reason: Reason

    def find_odd(self, miniatures: Iterable[Miniature]) -> tuple[Miniature, ...]:
        """Those whose base is of none of these sizes and is not told to count as any."""
        return tuple(m for m in miniatures if m.base.counts_as_mm is None and not self._holds(_extent_mm(m.base)))

    def assign(self, miniature: Miniature, reading: str) -> Miniature:
        """The same, its odd base counting as the nearest size, or as the next smaller or larger one."""
        base = miniature.base.model_copy(update={"counts_as_mm": self.choose_mm(_extent_mm(miniature.base), reading)})
        return miniature.model_copy(update={"base": base})

    def choose_mm(self, extent_mm: float, reading: str) -> float:
        """The size under a reading: `nearest` (the smaller of two equally near), `smaller` or `larger`."""
        smaller = [size for size in self.sizes_mm if size < extent_mm] or [self.sizes_mm[0]]
        larger = [size for size in self.sizes_mm if size > extent_mm] or [self.sizes_mm[-1]]
        chosen = {"smaller": smaller[-1], "larger": larger[0]}
        return chosen.get(reading) or min((smaller[-1], larger[0]), key=lambda size: abs(size - extent_mm))

    def explain(self, miniature: Miniature, reading: str) -> Reason:
        """Which size it counts as here."""
        extent = _extent_mm(miniature.base)
        says = f"A base of {extent:g} mm is of no size of the book: {miniature.name or miniature.id} counts as "
        return self.reason.model_copy(update={"says": f"{says}{self.choose_mm(extent, reading):g} mm."})

    def _holds(self, extent_mm: float) -> bool:
        return any(abs(extent_mm - size) <= _SAME_MM for size in self.sizes_mm)


def _extent_mm(base: Base) -> float:
    return base.diameter_mm if isinstance(base, RoundBase) else max(base.width_mm, base.depth_mm)
