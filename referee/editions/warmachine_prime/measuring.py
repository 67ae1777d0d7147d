"""Measuring: this book lets anybody measure anything at any time."""

from models.queries import MayMeasure
from models.verdict import CAPPED_MM
from referee.editions.warmachine_prime.parameters import because
from referee.ruling import Ruling
from referee.situation import Situation

_FREE = because("Measuring Distances", 12, "Any player may measure any distance at any time.")


def may_measure(table: Situation, query: MayMeasure) -> Ruling:
    """Always: nothing is hidden in this edition. Source: Measuring Distances, p. 12."""
    return Ruling(
        margin_mm=CAPPED_MM,
        value={
            "licence": "free",
            "disclosed": "figures",
            "cap_mm": None,
            "tell": [side.id for side in table.state.sides],
        },
        because=(_FREE,),
    )
