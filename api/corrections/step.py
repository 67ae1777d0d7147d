"""A step: a correction somebody made, and whether it holds."""

from pydantic import Field

from api.corrections.correction import AboutContact, AboutMiniature, Correction, Lay, Reject, Several, TakeAway
from api.seats.seat import Seat
from models.frozen import Frozen
from models.words import Id


class StepMade(Frozen):
    """A correction with its number, when and by which seat it was made, and whether it was taken back."""

    n: int
    at_s: float
    by: Seat
    says: str
    is_undone: bool = False
    changed_n: int = Field(description="the newest line of the journal that made it, took it back or let it hold again")
    changed_by: Seat = Field(description="who wrote that line")
    correction: Correction

    def marked(self, *, is_undone: bool, n: int, by: Seat) -> "StepMade":
        """The same step, taken back or holding again since line `n`."""
        return StepMade(**{**dict(self), "is_undone": is_undone, "changed_n": n, "changed_by": by})


def said(correction: Correction) -> str:
    """The step in a few words, for both players."""
    match correction:
        case AboutMiniature():
            told = ", ".join(name.removesuffix("_deg") for name in sorted(correction.told()))
            return f"{_listed(correction.ids)}: {correction.name or told}"
        case Lay():
            return f"On the table: {_listed(tuple(thing.id for _, laid in correction.things() for thing in laid))}"
        case TakeAway():
            return f"Off the table: {_listed(correction.ids)}"
        case AboutContact():
            return f"{correction.a} and {correction.b} {'touch' if correction.is_touching else 'do not touch'}"
        case Reject():
            return "No terrain where some was proposed"
        case Several():
            return "; ".join(said(one) for one in correction.corrections[:3])
        case _:
            return f"Table: {', '.join(sorted(correction.told())).replace('_', ' ')}"


def _listed(ids: tuple[Id, ...]) -> str:
    return ", ".join(ids) if len(ids) <= 3 else f"{', '.join(ids[:2])} and {len(ids) - 2} more"
