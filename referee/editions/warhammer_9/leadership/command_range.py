"""Command range: whose Leadership or battle standard counts for a unit."""

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import CommandRange
from referee.editions.warhammer_9.leadership.inspiring_presence import own_leadership, presence
from referee.editions.warhammer_9.leadership.leadership_test import leadership_chance
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.distances import radius_doubts, ruler
from referee.editions.warhammer_9.units.regiment import members_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult

_PRESENCE = because("Inspiring Presence", 85, "Within 12 in a unit may use the general's Leadership; 18 if it towers.")
_STANDARD = because("The Battle Standard", 85, "Units within 12 in roll failed panic and break tests again.")


def command_range(table: ExactTable, query: CommandRange) -> RuleResult:
    """Command range: whether the general's Leadership counts, or the standard's second roll.

    Source: p. 85; Towering, p. 67.
    """
    source = _office_bearer(table, query.commander, query.purpose)
    standard = query.purpose == "battle-standard"
    between, limit, reasons, margin, counts = presence(table, source, query.who)
    own = own_leadership(table, query.who) or 0.0
    used = max(own, source.profile.ld or 0.0) if counts and not standard else own
    value: dict[str, JsonValue] = {
        "stat": "ld",
        "range_mm": limit,
        "distance_mm": max(0.0, between.mm),
        "whole_unit": True,
        "ld": used,
        "reasons": [*reasons],
    }
    if used:
        value["chance"] = leadership_chance(used, again=standard and counts)
    return RuleResult(
        margin_mm=margin,
        value=value,
        lengths_mm={"distance": max(0.0, between.mm)},
        witness=() if table.margins_only else (ruler(table, between, "clear" if counts else "blocked"),),
        because=(
            with_effect(
                table, _STANDARD if standard else _PRESENCE, f"It is {format_length(max(0.0, between.mm))} away."
            ),
        ),
        readings=("unit-in-range", "garrison-edge"),
        doubtful=tuple(radius_doubts(table, source.id, query.who)),
        depends_on_place=between.depends_on,
    )


def _office_bearer(table: ExactTable, commander: str, purpose: str | None) -> Miniature:
    """Who leads or bears the standard: of a unit the one with that office, else its first."""
    minis = [table.miniature(m) for m in members_of(table, commander)]
    office = "battle-standard" if purpose == "battle-standard" else "general"
    return next((m for m in minis if office in m.role), minis[0])
