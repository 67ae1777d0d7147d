"""Formation here: a chain of models from the leader, at the spacing of the unit; and ranks, side by side."""

import math

from pydantic import JsonValue

from models.queries import Formation, RankedFormation
from models.unit import Unit
from models.units import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine_mk1.parameters import because
from referee.gaps import gap
from referee.ruling import Candidate, Ruling
from referee.situation import Situation
from referee.telling import applied, names

_CHAIN = because("Unit Formation, Prime p. 36", "The leader is in formation, and whom a chain of models links to it.")
_LEADERLESS = because("Unit Formation, Prime p. 36", "Without a leader the largest group is; of equals one is chosen.")
_RANKS = because("Tight Formation, Prime p. 36", "Rows of two or more that touch and look one way, square to the row.")
_LEAST = 2
_TOUCH_MM = 2.54  # Source: base contact, or as near as the sculpts allow; house rule rank-contact-in
_TURN_DEG = 10.0  # house rule rank-facing-deg


def formation(table: Situation, query: Formation) -> Ruling:
    """Who of a unit is in formation. Source: Unit Formation, Prime p. 36."""
    unit = next(u for u in table.state.units if u.id == query.unit)
    ids = [m.id for m in table.state.miniatures if m.unit == unit.id and "removed" not in m.status]
    if unit.spacing_in is None:
        return Ruling(status="unknown", needs=(f"spacing_in of {unit.id}",), because=(_CHAIN,))
    limit = inches(unit.spacing_in)
    groups = _groups(table, ids, limit)
    led = next((g for g in groups if unit.commander in g), None)
    largest = [g for g in groups if len(g) == max(map(len, groups))]
    inside = set(led or (largest[0] if len(largest) == 1 else ()))
    members = tuple(_member(table, id_, ids, limit, inside, unit) for id_ in ids)
    value: dict[str, JsonValue] = {
        "chains": [[*g] for g in groups],
        "options": [[*g] for g in largest] if led is None and len(largest) > 1 else [],
    }
    if query.who is not None:
        one = next((m for m in members if m.id == query.who), None)
        if one is None or one.ruling is None:
            return Ruling(status="refused", because=(_CHAIN,), advice=f"{query.who} is not of {query.unit}.")
        return Ruling(margin_mm=one.ruling.margin_mm, value=value, because=(_CHAIN,), touches=one.ruling.touches)
    return Ruling(
        status="measured",
        value=value,
        members=members,
        because=(applied(table, _CHAIN if led else _LEADERLESS, f"In formation: {names(table, sorted(inside))}."),),
        readings=("leaderless-group", "unit-spacing"),
    )


def _groups(table: Situation, ids: list[str], limit: float) -> list[list[str]]:
    """The chains of models, each no farther than this from the next, the largest first."""
    left, groups = list(ids), []
    while left:
        group = [left.pop(0)]
        for one in group:
            near = [o for o in left if gap(table.base(one), table.base(o)).mm <= limit + 1e-9]
            group += near
            left = [o for o in left if o not in near]
        groups.append(sorted(group, key=ids.index))
    return sorted(groups, key=lambda g: -len(g))


def _member(table: Situation, id_: str, ids: list[str], limit: float, inside: set[str], unit: Unit) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        if id_ == unit.commander or len(ids) == 1:
            return Ruling(margin_mm=CAPPED_MM, touches=(id_,))
        others = [o for o in ids if o != id_ and (o in inside or not inside)]
        nearest = min(others, key=lambda o: gap(asked.base(id_), asked.base(o)).mm, default=None)
        mm = CAPPED_MM if nearest is None else gap(asked.base(id_), asked.base(nearest)).mm
        touches = (id_,) if nearest is None else (id_, nearest)
        return Ruling(margin_mm=limit - max(0.0, mm), touches=touches)

    return Candidate(id_, rule(table), rule)


def tight(table: Situation, query: RankedFormation) -> Ruling:
    """Whether they stand in ranks. Source: Tight Formation, Prime p. 36."""
    ids = [m.id for m in table.state.miniatures if m.unit == query.unit and "removed" not in m.status]
    found = {id_: rank_slack(table, id_, ids) for id_ in ids}
    worst = min(found, key=lambda id_: found[id_][0])
    defects: list[JsonValue] = [*sorted({word for mm, word, _ in found.values() if mm < 0})]
    return Ruling(
        margin_mm=found[worst][0],
        value={"defects": defects, "grids": []},
        members=tuple(_trooper(table, id_, ids) for id_ in ids),
        because=(applied(table, _RANKS, f"{worst} is nearest to the limit."),),
        readings=("rank-contact-in", "rank-facing-deg", "rank-misfit"),
        touches=tuple(dict.fromkeys((worst, *found[worst][2]))),
        faces=(worst,),
    )


def _trooper(table: Situation, id_: str, ids: list[str]) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        mm, _, near = rank_slack(asked, id_, ids)
        return Ruling(margin_mm=mm, touches=tuple(dict.fromkeys((id_, *near))), faces=(id_,))

    return Candidate(id_, rule(table), rule)


def rank_slack(table: Situation, id_: str, ids: list[str]) -> tuple[float, str, tuple[str, ...]]:
    """By how much it stands in a rank: touching one beside it that looks the same way, square to the row."""
    facing = table.facing_rad(id_)
    beside = [o for o in ids if o != id_ and _is_beside(table, id_, o, facing)]
    if not beside:
        return -_TOUCH_MM, "alone", ()
    nearest = min(beside, key=lambda o: gap(table.base(id_), table.base(o)).mm)
    turn = abs(math.degrees(math.remainder(table.facing_rad(nearest) - facing, math.tau)))
    like = [o for o in ids if abs(math.degrees(math.remainder(table.facing_rad(o) - facing, math.tau))) <= _TURN_DEG]
    if turn > _TURN_DEG and len(like) < len(ids) / 2:
        return -_TOUCH_MM, "facing", (nearest,)
    touching = [o for o in beside if o in like] or [nearest]
    mm = min(gap(table.base(id_), table.base(o)).mm for o in touching)
    return _TOUCH_MM - max(0.0, mm), "gap", (nearest,)


def _is_beside(table: Situation, id_: str, other: str, facing: float) -> bool:
    """Whether the other stands to its side and not ahead or behind."""
    (x, y), (ox, oy) = table.centre(id_), table.centre(other)
    c, s = math.cos(facing), math.sin(facing)
    ahead, aside = (ox - x) * c + (oy - y) * s, (oy - y) * c - (ox - x) * s
    return abs(aside) > abs(ahead)
