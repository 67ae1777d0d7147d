"""Self-check before play: what was measured beside what is known."""

from pydantic import Field

from models.frozen import Frozen
from models.vocabulary import NotNegative


class LengthComparison(Frozen):
    """A length that is known, from a print or the catalogue, and the same length as the camera measures it."""

    what: str
    known_mm: NotNegative
    measured_mm: NotNegative
    sigma_mm: NotNegative
    is_fine: bool

    @property
    def off_mm(self) -> float:
        """Positive: measured too large."""
        return self.measured_mm - self.known_mm


class SelfCheck(Frozen):
    """Whether the table can be judged by this camera, and what to mend when it cannot."""

    is_fit: bool
    says: str = Field(description="fit to judge, or the first thing to mend")
    mend: tuple[str, ...] = Field((), description="what to do, the worst first")
    compared: tuple[LengthComparison, ...] = ()
    table_sigma_mm: NotNegative | None = Field(description="how far places may be off, at the table's worst corner")
