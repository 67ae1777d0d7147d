"""Fits between: whether a unit passes through a gap."""

from pydantic import JsonValue

from models.queries import FitsBetween
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import closest_bases
from referee.editions.warhammer_9.units.regiment import regiment
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_FITS = because('1" Apart', 15, "It passes where an inch is left on either side; a charge needs its own width only.")
_DUST_MM = 1e-6


def fits_between(table: ExactTable, query: FitsBetween) -> RuleResult:
    """Gap: whether a unit passes between two things. Source: 1" Apart, p. 15; Charge moves, p. 19."""
    own, charging = regiment(table, query.mover), query.manner == "charge"
    between = closest_bases(table, query.a, query.b)
    spare = 0.0 if charging else 2 * parameters.SPACING_MM
    wide = own.base_mm[0]
    files = int((between.mm - spare + _DUST_MM) // wide)
    count = len(own.members)
    fits = (
        {"files": min(files, count), "ranks": -(-count // min(files, count))} if files > 0 else {"files": 0, "ranks": 0}
    )
    return RuleResult(
        margin_mm=between.mm - spare - own.width_mm,
        zero_is_met=charging or table.reading("one-inch-exact") == "legal",
        value={"width_mm": between.mm, "widest": dict[str, JsonValue](fits)},
        lengths_mm={"width": between.mm},
        because=(
            with_effect(
                table, _FITS, f"The gap is {format_length(between.mm)}, the unit {format_length(own.width_mm)} wide."
            ),
        ),
        readings=("one-inch-exact",),
        doubtful=("one-inch-exact",) if not charging and abs(between.mm - spare - own.width_mm) < _DUST_MM else (),
        depends_on_place=between.depends_on,
    )
