"""Combat result: what either side adds to it, by ranks, disruption and high ground, and who holds steadfast."""

from collections.abc import Iterator

from pydantic import JsonValue

from models.queries import CombatBonuses, ElevationBonus, MoraleCheck, Steadfast
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.charges.obstacles import defended_obstacle, defended_obstacle_doubts
from referee.editions.warhammer_9.line_of_sight.scene import ground_height_mm
from referee.editions.warhammer_9.movement import path_legs
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.units.engagement import engaged_with, fought_side
from referee.editions.warhammer_9.units.in_area import inside_doubts, is_mostly_inside
from referee.editions.warhammer_9.units.regiment import (
    Regiment,
    garrisoned_building,
    is_skirmishing,
    kind_of,
    leading_miniature,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.units.unit_strength import has_charged, has_office, this_turn_of, total_strength
from referee.geometry.containment import depth_of_base
from referee.geometry.distance import gap
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import RuleResult
from referee.rules.switches import is_at_least, is_more_than

_RANKS = because("Extra Ranks", 46, "One point for every further rank of five, three of the monstrous, up to three.")
_DISRUPT = because("Disruption", 46, "Ten or more in the flank or rear take away ranks and steadfastness.")
_MORE = because("Calculate Combat Result", 46, "Charge, flank, rear, high ground, numbers and standards add up.")
_STORM = because("Combat Resolution", 100, "Of an assault on a building only wounds count.")
_WINNER = because("Who Is the Winner?", 47, "The higher score wins; of a draw the only musician, by one.")
_EACH = because(
    "Multiple Combats and Break Tests", 52, "Each loser tests on its own loss to those it touches, at most its side's."
)
Bonus = tuple[str, str, int, str]
_MOST_RANKS = 3
_STEADY = because("Steadfast", 48, "Stronger than the enemy, ten or more, with a whole rank, and not disrupted.")
_HIGH = because("Hills", 92, "One point to those of whom most began uphill of the enemy they fight.")
_KEY = "high-ground"
_WHOLLY_MM = -1e-6


def combat_bonuses(table: ExactTable, query: CombatBonuses) -> RuleResult:
    """Combat result: what either side adds to it. Source: Combat Result, p. 46-48; Hills, p. 92."""
    bonuses = [*_bonuses_of_side(table, "a", query.a, query.b), *_bonuses_of_side(table, "b", query.b, query.a)]
    units = (*query.a, *query.b)
    storming = any(garrisoned_building(table, unit) is not None for unit in units)
    bonuses = [] if storming else bonuses
    disrupted = sorted({disruptor for unit in units for disruptor in disruptors(table, unit)})
    total: dict[str, JsonValue] = {side: sum(n for _, s, n, _ in bonuses if s == side) for side in ("a", "b")}
    decided = _result_of_combat(table, query, bonuses) if query.wounds_a else {}
    rules = (*((_STORM,) * storming), *((_WINNER, _EACH) if decided else ()))
    return RuleResult(
        status="measured",
        value={
            "bonuses": [{"name": name, "side": side, "bonus": n, "unit": unit} for name, side, n, unit in bonuses],
            "ranks": {unit: rank_bonus(table, unit) for unit in units},
            "disrupted_by": [*disrupted],
            "total": total,
            **decided,
        },
        because=(with_effect(table, _MORE, f"{total['a']} against {total['b']}."), _RANKS, _DISRUPT, *rules),
        readings=("rank-bonus-flank", "high-ground"),
        doubtful=tuple(dict.fromkeys(_doubtful_house_rules(table, query))),
    )


def _result_of_combat(table: ExactTable, query: CombatBonuses, bonuses: list[Bonus]) -> dict[str, JsonValue]:
    """Who won a combat by how much, and which of the losers test on what.

    Source: Who Is the Winner?, p. 47; Multiple Combats and Break Tests, p. 52; Musicians, p. 80.
    """
    scores = dict(zip((*query.a, *query.b), (*query.wounds_a, *query.wounds_b), strict=True))
    for _, _, points, unit in bonuses:
        scores[unit] += points
    result = {side: sum(scores[unit] for unit in units) for side, units in (("a", query.a), ("b", query.b))}
    played = {
        side: any(has_office(table, unit, "musician") for unit in units)
        for side, units in (("a", query.a), ("b", query.b))
    }
    ahead = result["a"] - result["b"] or played["a"] - played["b"]  # the only musician wins what was drawn
    if ahead == 0:
        return {"result": {**result}, "winner": None, "by": 0, "break_tests": {}}
    losers, winners = (query.b, query.a) if ahead > 0 else (query.a, query.b)
    tests: dict[str, JsonValue] = {}
    for unit in losers:
        against = sum(scores[foe] for foe in engaged_with(table, unit) if foe in winners)
        behind = min(
            abs(ahead), max(against - scores[unit], int(against == scores[unit] and result["a"] == result["b"]))
        )
        if behind > 0:
            check = table.evaluate_query(MoraleCheck(cause="break", unit=unit, lost_by=behind))
            chances = check.value.get("chances")
            chance = chances.get(unit) if isinstance(chances, dict) else None
            tests[unit] = {"lost_by": behind, "steadfast": check.value.get("steadfast"), "chance": chance}
    return {"result": {**result}, "winner": "a" if ahead > 0 else "b", "by": abs(ahead), "break_tests": tests}


def _doubtful_house_rules(table: ExactTable, query: CombatBonuses) -> Iterator[str]:
    """The house rules on which it may hang: of ranks to the side, of heights, of the charge over an obstacle."""
    if any(is_fought_in_flank_or_rear_only(table, unit) for unit in (*query.a, *query.b)):
        yield "rank-bonus-flank"
    for ours, theirs in ((query.a, query.b), (query.b, query.a)):
        for unit in ours:
            yield from (key for foe in theirs for key in high_ground_doubts(table, unit, foe))
            for charged in _charged_enemies(table, unit):
                yield from defended_obstacle_doubts(table, unit, charged)


def _bonuses_of_side(table: ExactTable, side: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Bonus]:
    ours, theirs = _those_in_contact(table, ours, theirs), _those_in_contact(table, theirs, ours)
    bonuses = _rank_bonuses(table, side, ours)
    for unit in ours:
        bonuses += [("charge", side, 1, unit)] * _has_charge_bonus(table, unit)
        bonuses += [("standard", side, 1, unit)] * has_office(table, unit, "standard")
        bearers = sum("battle-standard" in table.miniature(m).role for m in members_of(table, unit))
        bonuses += [("battle-standard", side, 1, unit)] * min(1, bearers)
    bonuses += _flank_and_rear_bonuses(table, side, ours, theirs)
    mine, foes = (sum(total_strength(table, u) for u in units) for units in (ours, theirs))
    bonuses += [("outnumber", side, 1, ours[0])] * bool(foes and mine >= 2 * foes)
    uphill = any(_is_higher(table, unit, foe) for unit in ours for foe in theirs if foe in engaged_with(table, unit))
    bonuses += [("high-ground", side, 1, ours[0])] * uphill
    return bonuses


def _those_in_contact(table: ExactTable, ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[str, ...]:
    """Those who fight any of the others; all where nobody does, as before they meet. Source: No More Foes, p. 53."""
    return tuple(unit for unit in ours if not set(theirs).isdisjoint(engaged_with(table, unit))) or ours


def _rank_bonuses(table: ExactTable, side: str, ours: tuple[str, ...]) -> list[Bonus]:
    """Those of every unit; of several that fight one side of an enemy only the deepest. Source: Extra Ranks, p. 46."""
    bonuses, taken = list[Bonus](), set[tuple[str, str]]()
    for points, unit in sorted(((rank_bonus(table, unit), unit) for unit in ours), key=lambda bonus: -bonus[0]):
        places = {(foe, fought_side(regiment(table, foe), regiment(table, unit))) for foe in engaged_with(table, unit)}
        bonuses += [("ranks", side, points, unit)] * (points > 0 and taken.isdisjoint(places))
        taken |= places
    return bonuses


def _has_charge_bonus(table: ExactTable, unit: str) -> bool:
    """Whether it has the bonus of a charge: not over a defended obstacle, nor at a building. Source: p. 46, 95, 99."""
    if total_strength(table, unit) < parameters.FEW:
        return False
    return any(
        garrisoned_building(table, enemy) is None and defended_obstacle(table, unit, enemy) is None
        for enemy in _charged_enemies(table, unit)
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
    """Each once, whomever of the enemy it is earned of, by a unit of strength 5 or more.

    Source: Calculate Combat Result, p. 46; Flank Attack, Rear Attack, p. 47.
    """
    best: dict[str, Bonus] = {}
    for foe in theirs:
        if kind_of(leading_miniature(table, foe)) == "war-machine":  # Source: p. 87: it has neither flank nor rear
            continue
        touched = engaged_with(table, foe)
        own = regiment(table, foe)
        strong = [u for u in ours if u in touched and total_strength(table, u) >= parameters.FEW]
        sides = {fought_side(own, regiment(table, u)): u for u in strong}
        flanks = [sides[flank] for flank in ("left", "right") if flank in sides]
        if len(flanks) > best.get("flank", ("", "", 0, ""))[2]:
            best["flank"] = ("flank", side, len(flanks), flanks[0])
        if "rear" in sides:
            best.setdefault("rear", ("rear", side, 2, sides["rear"]))
    return [*best.values()]


def _is_higher(table: ExactTable, unit: str, foe: str) -> bool:
    """Whether it stands higher than the enemy, by more than the table is uneven. Source: Hills, p. 92."""
    own, theirs = ground_heights_mm(table, unit, foe)
    return own > theirs + 1.0


def full_rank(table: ExactTable, id_: str) -> int:
    """The width of a rank that counts. Source: Extra Ranks, p. 46; Monstrous Infantry, p. 69."""
    return 3 if kind_of(leading_miniature(table, id_)) in parameters.MONSTROUS else 5


def disruptors(table: ExactTable, id_: str) -> list[str]:
    """Disruption: the enemies that take a unit's ranks away. Source: Disruption, p. 46; Skirmishers, p. 65."""
    own = regiment(table, id_)
    if kind_of(leading_miniature(table, id_)) == "war-machine":  # Source: p. 87: it has neither flank nor rear
        return []
    strong = [enemy for enemy in engaged_with(table, id_) if total_strength(table, enemy) >= parameters.MANY]
    formed = [enemy for enemy in strong if not is_skirmishing(table, enemy)]
    return [enemy for enemy in formed if fought_side(own, regiment(table, enemy)) != "front"]


def rank_bonus(table: ExactTable, id_: str) -> int:
    """Rank bonus: the points for a unit's ranks. Source: Extra Ranks, p. 46; River, p. 93."""
    own, needed = regiment(table, id_), full_rank(table, id_)
    if is_skirmishing(table, id_) or disruptors(table, id_) or own.files < needed or is_in_river(table, id_):
        return 0
    return min(_MOST_RANKS, sum(size >= needed for size in _ranks_behind_fighters(table, own)))


def _ranks_behind_fighters(table: ExactTable, own: Regiment) -> tuple[int, ...]:
    """How many stand in each rank that counts as behind those who fight.

    Where the table has agreed so, those of one that is not fought in front run as its enemy sees them: from the rear
    its ranks the other way round, from a flank its files. Source: Extra Ranks, p. 46.
    """
    if table.reading("rank-bonus-flank") != "behind-fighters" or not is_fought_in_flank_or_rear_only(table, own.id):
        return own.rank_sizes[1:]
    sides = {fought_side(own, regiment(table, foe)) for foe in engaged_with(table, own.id)}
    if "rear" in sides:
        return own.rank_sizes[:-1]
    columns = [own.file_of(m) for m in own.members]
    files = [columns.count(k) for k in range(own.files)]
    return tuple(files[1:] if "left" in sides else files[:-1])


def is_fought_in_flank_or_rear_only(table: ExactTable, id_: str) -> bool:
    """Whether a unit fights, and no enemy is in its front."""
    own, foes = regiment(table, id_), engaged_with(table, id_)
    return bool(foes) and all(fought_side(own, regiment(table, foe)) != "front" for foe in foes)


def is_in_river(table: ExactTable, id_: str) -> bool:
    """Whether any base of a unit is in a river."""
    if all(table.miniature(m).has("aquatic") for m in members_of(table, id_)):  # Source: Aquatic, p. 57
        return False
    rivers = [part for t in table.state.terrain if t.kind in parameters.RIVER_KINDS for part in table.area(t.id).parts]
    depths = ((m, -gap(table.base(m), part).mm) for m in members_of(table, id_) for part in rivers)
    return any(is_more_than(mm, 0.0, "stands in the river", (m,)) for m, mm in depths)


def steadfast(table: ExactTable, query: Steadfast) -> RuleResult:
    """Steadfast: whether a unit keeps its Leadership after a defeat.

    Source: Steadfast, p. 48; Forests, p. 92; River, p. 93.
    """
    foes = engaged_with(table, query.unit)
    own = regiment(table, query.unit)
    with_it = {enemy for foe in foes for enemy in engaged_with(table, foe)} | {query.unit}
    friends = [enemy for enemy in with_it if enemy == query.unit or not disruptors(table, enemy)]
    mine, theirs = (sum(total_strength(table, unit) for unit in units) for units in (friends, foes))
    stubborn = sum(table.miniature(m).has("stubborn") for m in own.members) > len(own.members) / 2
    clauses = {
        "engaged": bool(foes),
        "stronger": mine > theirs,
        "ten": mine >= parameters.STEADY,
        "whole-rank": own.rank_sizes[0] >= full_rank(table, query.unit),
        "not-disrupted": not disruptors(table, query.unit),
        "not-skirmishing": not is_skirmishing(table, query.unit),
        "not-in-forest": not _mostly_in_forest(table, query.unit),
        "not-in-river": not is_in_river(table, query.unit),
    }
    garrison = garrisoned_building(table, query.unit) is not None  # Source: Defender Loses, p. 100
    holds = garrison or all(clauses.values()) or (stubborn and clauses["engaged"])
    strengths: dict[str, JsonValue] = {id_: total_strength(table, id_) for id_ in (query.unit, *foes)}
    failed = [name for name, held in clauses.items() if not held]
    return RuleResult(
        margin_mm=CAPPED_MM if holds else -CAPPED_MM,
        value={
            "clauses": [{"clause": name, "answer": "yes" if held else "no"} for name, held in clauses.items()],
            "strengths": strengths,
            "stubborn": stubborn,
        },
        because=(with_effect(table, _STEADY, "It holds." if holds else f"Not so: {', '.join(failed)}."),),
        readings=("majority-inside",),
        outcome_house_rules=inside_doubts(table, query.unit, {"forest"}),
    )


def _mostly_in_forest(table: ExactTable, id_: str) -> bool:
    woods = [t.id for t in table.state.terrain if t.kind == "forest"]
    inside = sum(any(is_mostly_inside(table, m, wood) for wood in woods) for m in members_of(table, id_))
    return inside > len(members_of(table, id_)) / 2


def elevation_bonus(table: ExactTable, query: ElevationBonus) -> RuleResult:
    """Elevation bonus: whether the attackers began uphill. Source: Hills, p. 92."""
    own, foe = ground_heights_mm(table, query.attacker, query.target)
    return RuleResult(
        margin_mm=own - foe,
        zero_is_met=False,
        value={
            "bonus": 1 if own > foe else 0,
            "bonus_to": "combat",
            "heights": {query.attacker: own, query.target: foe},
        },
        because=(with_effect(table, _HIGH, f"{format_length(own)} against {format_length(foe)}."),),
        readings=("high-ground",),
        doubtful=high_ground_doubts(table, query.attacker, query.target),
        depends_on_place=(members_of(table, query.attacker)[0], members_of(table, query.target)[0]),
    )


def ground_heights_mm(table: ExactTable, unit: str, foe: str) -> tuple[float, float]:
    """Ground heights of a unit and its enemy, for the bonus of high ground. Source: High Ground, p. 47; Hills, p. 92.

    Most of the unit must stand higher than most of the enemy, now or where its charge began; or any of it; or, of the
    crest, most of it with the whole base, since who straddles the rim stands on the slope.
    """
    how, deeds = table.reading(_KEY), this_turn_of(table, unit)
    stands = [table]
    if has_charged(deeds) and deeds.start is not None:
        stands.append(path_legs.place_unit(table, unit, deeds.start))
    heights = [[_height_mm(then, m, whole=how == "crest") for m in members_of(table, unit)] for then in stands]
    own = max(max(own) if how == "any" else _majority_height_mm(own) for own in heights)
    return own, _majority_height_mm([-ground_height_mm(table, m) for m in members_of(table, foe)], sign=-1.0)


def _majority_height_mm(heights_mm: list[float], sign: float = 1.0) -> float:
    """The height that more than half of them reach; of negative heights, that more than half do not exceed."""
    return sign * sorted(heights_mm)[(len(heights_mm) - 1) // 2]


def _height_mm(table: ExactTable, id_: str, *, whole: bool) -> float:
    stated_mm = table.miniature(id_).elevation_mm
    under = table.terrain_under(id_) if whole and stated_mm is None else []
    depths = ((t.id, depth_of_base(table.base(id_), (table.area(t.id),))) for t in under)
    if any(not is_at_least(mm, _WHOLLY_MM, "stands wholly on", (id_, feature)) for feature, mm in depths):
        return 0.0
    return ground_height_mm(table, id_)


def high_ground_doubts(table: ExactTable, unit: str, foe: str) -> tuple[str, ...]:
    """House rules of high ground, where their readings find other heights."""
    heights = {ground_heights_mm(reading, unit, foe) for reading in (table, *table.other_readings(_KEY))}
    return (_KEY,) if len(heights) > 1 else ()
