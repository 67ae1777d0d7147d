"""Combat result: what either side adds to it."""

from collections.abc import Iterator

from pydantic import JsonValue

from models.queries import CombatBonuses
from models.unit import Unit
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.obstacles import defended_obstacle, defended_obstacle_doubts
from referee.editions.warhammer_9.combat.ranks_and_disruption import (
    disruptors,
    is_fought_in_flank_or_rear_only,
    rank_bonus,
)
from referee.editions.warhammer_9.line_of_sight.high_ground import ground_heights_mm, high_ground_doubts
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import engaged_with, fought_side
from referee.editions.warhammer_9.units.regiment import garrisoned_building, members_of, regiment
from referee.editions.warhammer_9.units.this_turn import has_charged, this_turn_of
from referee.editions.warhammer_9.units.unit_strength import total_strength
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import with_effect
from referee.rules.rule_result import RuleResult

_RANKS = because("Extra Ranks", 46, "One point for every further rank of five, three of the monstrous, up to three.")
_DISRUPT = because("Disruption", 46, "Ten or more in the flank or rear take away ranks and steadfastness.")
_MORE = because("Calculate Combat Result", 46, "Charge, flank, rear, high ground, numbers and standards add up.")


def combat_bonuses(table: ExactTable, query: CombatBonuses) -> RuleResult:
    """Combat result: what either side adds to it. Source: Combat Result, p. 46-48; Hills, p. 92."""
    bonuses = [*_bonuses_of_side(table, "a", query.a, query.b), *_bonuses_of_side(table, "b", query.b, query.a)]
    units = (*query.a, *query.b)
    disrupted = sorted({one for unit in units for one in disruptors(table, unit)})
    total: dict[str, JsonValue] = {side: sum(n for _, s, n, _ in bonuses if s == side) for side in ("a", "b")}
    return RuleResult(
        status="measured",
        value={
            "bonuses": [{"name": name, "side": side, "bonus": n, "unit": unit} for name, side, n, unit in bonuses],
            "ranks": {unit: rank_bonus(table, unit) for unit in units},
            "disrupted_by": [*disrupted],
            "total": total,
        },
        because=(with_effect(table, _MORE, f"{total['a']} against {total['b']}."), _RANKS, _DISRUPT),
        readings=("rank-bonus-flank", "high-ground"),
        doubtful=tuple(dict.fromkeys(_doubtful_house_rules(table, query))),
    )


def _doubtful_house_rules(table: ExactTable, query: CombatBonuses) -> Iterator[str]:
    """The house rules on which it may hang: of ranks to the side, of heights, of the charge over an obstacle."""
    if any(is_fought_in_flank_or_rear_only(table, unit) for unit in (*query.a, *query.b)):
        yield "rank-bonus-flank"
    for ours, theirs in ((query.a, query.b), (query.b, query.a)):
        for unit in ours:
            yield from (key for foe in theirs for key in high_ground_doubts(table, unit, foe))
            for charged in _charged_enemies(table, unit):
                yield from defended_obstacle_doubts(table, unit, charged)


Bonus = tuple[str, str, int, str]


def _bonuses_of_side(table: ExactTable, side: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Bonus]:
    found = _rank_bonuses(table, side, ours)
    for unit in ours:
        found += [("charge", side, 1, unit)] * _has_charge_bonus(table, unit)
        found += [("standard", side, 1, unit)] * _has_standard(table, unit)
        bearers = sum("battle-standard" in table.miniature(m).role for m in members_of(table, unit))
        found += [("battle-standard", side, 1, unit)] * min(1, bearers)
    found += _flank_and_rear_bonuses(table, side, ours, theirs)
    mine, foes = (sum(total_strength(table, u) for u in units) for units in (ours, theirs))
    found += [("outnumber", side, 1, ours[0])] * bool(foes and mine >= 2 * foes)
    uphill = any(_is_higher(table, unit, foe) for unit in ours for foe in theirs if foe in engaged_with(table, unit))
    found += [("high-ground", side, 1, ours[0])] * uphill
    return found


def _rank_bonuses(table: ExactTable, side: str, ours: tuple[str, ...]) -> list[Bonus]:
    """Those of every unit; of several that fight one side of an enemy only the deepest. Source: Extra Ranks, p. 46."""
    best: dict[tuple[tuple[str, str], ...], Bonus] = {}
    for unit in ours:
        places = tuple(
            (foe, fought_side(regiment(table, foe), regiment(table, unit))) for foe in engaged_with(table, unit)
        )
        one = ("ranks", side, rank_bonus(table, unit), unit)
        best[places] = max(best.get(places, one), one, key=lambda bonus: bonus[2])
    return [one for one in best.values() if one[2]]


def _has_charge_bonus(table: ExactTable, unit: str) -> bool:
    """Whether it has the bonus of a charge: not over a defended obstacle, nor at a building. Source: p. 46, 95, 99."""
    if total_strength(table, unit) < parameters.FEW:
        return False
    return any(
        garrisoned_building(table, one) is None and defended_obstacle(table, unit, one) is None
        for one in _charged_enemies(table, unit)
    )


def _charged_enemies(table: ExactTable, unit: str) -> list[str]:
    """Whom it charged this turn: as told, else those it fights if it is told only that it charged."""
    deeds = this_turn_of(table, unit)
    if deeds.charged is not None:
        return [deeds.charged]
    return engaged_with(table, unit) if has_charged(deeds) else []


def _flank_and_rear_bonuses(
    table: ExactTable, side: str, ours: tuple[str, ...], theirs: tuple[str, ...]
) -> list[Bonus]:
    """Source: Flank Attack, Rear Attack, p. 47: by a unit of strength 5 or more."""
    found = []
    for foe in theirs:
        touched = engaged_with(table, foe)
        own = regiment(table, foe)
        strong = [u for u in ours if u in touched and total_strength(table, u) >= parameters.FEW]
        sides = {fought_side(own, regiment(table, u)): u for u in strong}
        flanks = [sides[one] for one in ("left", "right") if one in sides]
        found += [("flank", side, len(flanks), flanks[0])] if flanks else []
        found += [("rear", side, 2, sides["rear"])] if "rear" in sides else []
    return found


def _has_standard(table: ExactTable, id_: str) -> bool:
    unit = table.state.by_id[id_]
    told = isinstance(unit, Unit) and bool(unit.standard)
    return told or any("standard" in table.miniature(m).role for m in members_of(table, id_))


def _is_higher(table: ExactTable, unit: str, foe: str) -> bool:
    """Whether it stands higher than the enemy, by more than the table is uneven. Source: Hills, p. 92."""
    own, theirs = ground_heights_mm(table, unit, foe)
    return own > theirs + 1.0
