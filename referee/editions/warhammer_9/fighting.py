"""The combat result: what each side adds to it, and who is steadfast."""

from collections.abc import Iterator

from pydantic import JsonValue

from models.queries import CombatBonuses, Steadfast
from models.unit import Unit
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import parameters
from referee.editions.warhammer_9.barring import defended, held_doubts
from referee.editions.warhammer_9.engaged import engaged_with, side_touched
from referee.editions.warhammer_9.formations import total_strength
from referee.editions.warhammer_9.heights import high_ground_doubts, stands_at_mm
from referee.editions.warhammer_9.inside import inside_doubts, inside_excess_mm, overlaps
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.regiments import (
    Regiment,
    garrisoned,
    is_skirmishing,
    kind_of,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied

_RANKS = because("Extra Ranks", 46, "One point for every further rank of five, three of the monstrous, up to three.")
_DISRUPT = because("Disruption", 46, "Ten or more in the flank or rear take away ranks and steadfastness.")
_MORE = because("Combat Result", 46, "Charge, flank, rear, high ground, numbers and standards add up.")
_STEADY = because("Steadfast", 48, "Stronger than the enemy, ten or more, with a whole rank, and not disrupted.")
_MOST_RANKS = 3


def full_rank(table: Situation, id_: str) -> int:
    """How many make a rank that counts. Source: Extra Ranks, p. 46; Monstrous Infantry, p. 69."""
    return 3 if kind_of(leading(table, id_)) in parameters.MONSTROUS else 5


def disruptors(table: Situation, id_: str) -> list[str]:
    """Who takes its ranks away. Source: Disruption, p. 46; Skirmishers, p. 65."""
    own = regiment(table, id_)
    strong = [one for one in engaged_with(table, id_) if total_strength(table, one) >= parameters.MANY]
    formed = [one for one in strong if not is_skirmishing(table, one)]
    return [one for one in formed if side_touched(own, regiment(table, one)) != "front"]


def rank_bonus(table: Situation, id_: str) -> int:
    """The points for its ranks. Source: Extra Ranks, p. 46; River, p. 93."""
    own, needed = regiment(table, id_), full_rank(table, id_)
    if is_skirmishing(table, id_) or disruptors(table, id_) or own.files < needed or _in_river(table, id_):
        return 0
    return min(_MOST_RANKS, sum(size >= needed for size in _behind(table, own)))


def _behind(table: Situation, own: Regiment) -> tuple[int, ...]:
    """How many stand in each rank that counts as behind those who fight.

    Where the table has agreed so, those of one that is not fought in front run as its enemy sees them: from the rear
    its ranks the other way round, from a flank its files. Source: Extra Ranks, p. 46.
    """
    if table.reading("rank-bonus-flank") != "behind-fighters" or not _fights_aside(table, own.id):
        return own.rank_sizes[1:]
    sides = {side_touched(own, regiment(table, foe)) for foe in engaged_with(table, own.id)}
    if "rear" in sides:
        return own.rank_sizes[:-1]
    columns = [own.column(m) for m in own.members]
    files = [columns.count(k) for k in range(own.files)]
    return tuple(files[1:] if "left" in sides else files[:-1])


def _fights_aside(table: Situation, id_: str) -> bool:
    """Whether it is fought, and by nobody in front."""
    own, foes = regiment(table, id_), engaged_with(table, id_)
    return bool(foes) and all(side_touched(own, regiment(table, foe)) != "front" for foe in foes)


def _in_river(table: Situation, id_: str) -> bool:
    rivers = [part for t in table.state.terrain if t.kind in parameters.RIVER_KINDS for part in table.area(t.id).parts]
    return any(gap(table.base(m), part).mm < 0 for m in members_of(table, id_) for part in rivers)


def combat_bonuses(table: Situation, query: CombatBonuses) -> Ruling:
    """What either side adds to the combat result. Source: Combat Result, p. 46-48; Hills, p. 92."""
    bonuses = [*_of_side(table, "a", query.a, query.b), *_of_side(table, "b", query.b, query.a)]
    units = (*query.a, *query.b)
    disrupted = sorted({one for unit in units for one in disruptors(table, unit)})
    total: dict[str, JsonValue] = {side: sum(n for _, s, n, _ in bonuses if s == side) for side in ("a", "b")}
    return Ruling(
        status="measured",
        value={
            "bonuses": [{"name": name, "side": side, "bonus": n, "unit": unit} for name, side, n, unit in bonuses],
            "ranks": {unit: rank_bonus(table, unit) for unit in units},
            "disrupted_by": [*disrupted],
            "total": total,
        },
        because=(applied(table, _MORE, f"{total['a']} against {total['b']}."), _RANKS, _DISRUPT),
        readings=("rank-bonus-flank", "high-ground"),
        doubtful=tuple(dict.fromkeys(_in_doubt(table, query))),
    )


def _in_doubt(table: Situation, query: CombatBonuses) -> Iterator[str]:
    """The house rules on which it may hang: of ranks to the side, of heights, of the charge over an obstacle."""
    if any(_fights_aside(table, unit) for unit in (*query.a, *query.b)):
        yield "rank-bonus-flank"
    for ours, theirs in ((query.a, query.b), (query.b, query.a)):
        for unit in ours:
            yield from (key for foe in theirs for key in high_ground_doubts(table, unit, foe))
            if (charged := deeds_of(table, unit).charged) is not None:
                yield from held_doubts(table, unit, charged)


Bonus = tuple[str, str, int, str]


def _of_side(table: Situation, side: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Bonus]:
    found = _ranks(table, side, ours)
    for unit in ours:
        found += [("charge", side, 1, unit)] * _charged(table, unit)
        found += [("standard", side, 1, unit)] * _has_standard(table, unit)
        bearers = sum("battle-standard" in table.miniature(m).role for m in members_of(table, unit))
        found += [("battle-standard", side, 1, unit)] * min(1, bearers)
    found += _flanks(table, side, ours, theirs)
    mine, foes = (sum(total_strength(table, u) for u in units) for units in (ours, theirs))
    found += [("outnumber", side, 1, ours[0])] * bool(foes and mine >= 2 * foes)
    uphill = any(_is_higher(table, unit, foe) for unit in ours for foe in theirs if foe in engaged_with(table, unit))
    found += [("high-ground", side, 1, ours[0])] * uphill
    return found


def _ranks(table: Situation, side: str, ours: tuple[str, ...]) -> list[Bonus]:
    """Those of every unit; of several that fight one side of an enemy only the deepest. Source: Extra Ranks, p. 46."""
    best: dict[tuple[tuple[str, str], ...], Bonus] = {}
    for unit in ours:
        places = tuple(
            (foe, side_touched(regiment(table, foe), regiment(table, unit))) for foe in engaged_with(table, unit)
        )
        one = ("ranks", side, rank_bonus(table, unit), unit)
        best[places] = max(best.get(places, one), one, key=lambda bonus: bonus[2])
    return [one for one in best.values() if one[2]]


def _charged(table: Situation, unit: str) -> bool:
    """Whether it has the bonus of a charge: not over a defended obstacle, nor at a building. Source: p. 46, 95, 99."""
    target = deeds_of(table, unit).charged
    if target is None or total_strength(table, unit) < parameters.FEW:
        return False
    return garrisoned(table, target) is None and defended(table, unit, target) is None


def _flanks(table: Situation, side: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Bonus]:
    """Source: Flank Attack, Rear Attack, p. 47: by a unit of strength 5 or more."""
    found = []
    for foe in theirs:
        touched = engaged_with(table, foe)
        own = regiment(table, foe)
        strong = [u for u in ours if u in touched and total_strength(table, u) >= parameters.FEW]
        sides = {side_touched(own, regiment(table, u)): u for u in strong}
        flanks = [sides[one] for one in ("left", "right") if one in sides]
        found += [("flank", side, len(flanks), flanks[0])] if flanks else []
        found += [("rear", side, 2, sides["rear"])] if "rear" in sides else []
    return found


def _has_standard(table: Situation, id_: str) -> bool:
    unit = table.state.by_id[id_]
    told = isinstance(unit, Unit) and bool(unit.standard)
    return told or any("standard" in table.miniature(m).role for m in members_of(table, id_))


def _is_higher(table: Situation, unit: str, foe: str) -> bool:
    """Whether it stands higher than the enemy, by more than the table is uneven. Source: Hills, p. 92."""
    own, theirs = stands_at_mm(table, unit, foe)
    return own > theirs + 1.0


def steadfast(table: Situation, query: Steadfast) -> Ruling:
    """Whether a unit is steadfast. Source: Steadfast, p. 48; Mysterious Forests, p. 92; River, p. 93."""
    foes = engaged_with(table, query.unit)
    own = regiment(table, query.unit)
    with_it = {one for foe in foes for one in engaged_with(table, foe)} | {query.unit}
    friends = [one for one in with_it if one == query.unit or not disruptors(table, one)]
    mine, theirs = (sum(total_strength(table, one) for one in units) for units in (friends, foes))
    stubborn = sum(table.miniature(m).has("stubborn") for m in own.members) > len(own.members) / 2
    clauses = {
        "engaged": bool(foes),
        "stronger": mine > theirs,
        "ten": mine >= parameters.STEADY,
        "whole-rank": own.rank_sizes[0] >= full_rank(table, query.unit),
        "not-disrupted": not disruptors(table, query.unit),
        "not-skirmishing": not is_skirmishing(table, query.unit),
        "not-in-forest": not _mostly_in_forest(table, query.unit),
        "not-in-river": not _in_river(table, query.unit),
    }
    holds = all(clauses.values()) or (stubborn and clauses["engaged"])
    strengths: dict[str, JsonValue] = {one: total_strength(table, one) for one in (query.unit, *foes)}
    failed = [name for name, held in clauses.items() if not held]
    return Ruling(
        margin_mm=CAPPED_MM if holds else -CAPPED_MM,
        value={
            "clauses": [{"clause": name, "answer": "yes" if held else "no"} for name, held in clauses.items()],
            "strengths": strengths,
            "stubborn": stubborn,
        },
        because=(applied(table, _STEADY, "All of it holds." if holds else f"Not so: {', '.join(failed)}."),),
        readings=("majority-inside",),
        retold=inside_doubts(table, query.unit, {"forest"}),
    )


def _mostly_in_forest(table: Situation, id_: str) -> bool:
    woods = [t.id for t in table.state.terrain if t.kind == "forest"]
    inside = sum(any(_is_in(table, m, wood) for wood in woods) for m in members_of(table, id_))
    return inside > len(members_of(table, id_)) / 2


def _is_in(table: Situation, id_: str, wood: str) -> bool:
    return overlaps(table, id_, wood) and inside_excess_mm(table, id_, wood) > 0
