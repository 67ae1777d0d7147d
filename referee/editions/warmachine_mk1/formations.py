"""Formation here: a chain of models from the leader, at the spacing of the unit; and ranks, side by side."""

import math
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import Formation, RankedFormation
from models.unit import Unit
from models.units import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine_mk1.parameters import because
from referee.gaps import gap
from referee.ruling import Candidate, NobodyLeft, Ruling
from referee.situation import Situation
from referee.telling import applied, names

_CHAIN = because("Unit Formation, Prime p. 36", "The leader is in formation, and whom a chain of models links to it.")
_LEADERLESS = because("Unit Formation, Prime p. 36", "Without a leader the largest group is; of equals one is chosen.")
_RANKS = because("Tight Formation, Prime p. 36", "Rows of two or more that touch and look one way, square to the row.")
_LEAST = 2
_DUST = 1e-9


def formation(table: Situation, query: Formation) -> Ruling:
    """Who of a unit is in formation. Source: Unit Formation, Prime p. 36."""
    unit = next(u for u in table.state.units if u.id == query.unit)
    ids = _left(table, unit.id)
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


def formed(table: Situation, id_: str) -> Ruling:
    """Whether it is in formation, for whatever takes that; of a unit whose spacing nobody told all are.

    Source: Unit Formation, Prime p. 36; house rule unit-spacing.
    """
    unit = next((u for u in table.state.units if u.id == table.miniature(id_).unit), None)
    if unit is None or unit.spacing_in is None:
        return Ruling(margin_mm=CAPPED_MM, because=(_CHAIN,), touches=(id_,))
    return formation(table, Formation(unit=unit.id, who=id_))


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
        if unit.commander in ids:
            weakest, link = _weakest_link(asked, id_, unit.commander, ids)
            return Ruling(margin_mm=limit - weakest, touches=tuple(dict.fromkeys((id_, *link))))
        others = [o for o in ids if o != id_ and (o in inside or not inside)]
        nearest = min(others, key=lambda o: gap(asked.base(id_), asked.base(o)).mm, default=None)
        mm = CAPPED_MM if nearest is None else gap(asked.base(id_), asked.base(nearest)).mm
        touches = (id_,) if nearest is None else (id_, nearest)
        return Ruling(margin_mm=limit - max(0.0, mm), touches=touches)

    return Candidate(id_, rule(table), rule)


def _weakest_link(table: Situation, id_: str, leader: str, ids: list[str]) -> tuple[float, tuple[str, str]]:
    """The widest gap on the best chain from the leader, and between whom it is."""
    linked, worst, link = {leader}, 0.0, (leader, leader)
    while id_ not in linked:
        apart, a, b = min(
            (max(0.0, gap(table.base(a), table.base(b)).mm), a, b) for a in linked for b in ids if b not in linked
        )
        if apart > worst:
            worst, link = apart, (a, b)
        linked.add(b)
    return worst, link


def _left(table: Situation, unit: str) -> list[str]:
    """Who of the unit is in play. Raises: NobodyLeft."""
    ids = [m.id for m in table.state.miniatures if m.unit == unit and "removed" not in m.status]
    if not ids:
        raise NobodyLeft(unit)
    return ids


def tight(table: Situation, query: RankedFormation) -> Ruling:
    """Whether they stand in ranks. Source: Tight Formation, Prime p. 36."""
    ids = _left(table, query.unit)
    found = {id_: rank_slack(table, id_, ids) for id_ in ids}
    worst = min(found, key=lambda id_: found[id_].mm)
    defects: list[JsonValue] = [*sorted({one.defect for one in found.values() if one.mm < 0})]
    ranks = [rank for rank in ranks_of(table, ids) if all(found[id_].mm >= 0 for id_ in rank)]
    return Ruling(
        margin_mm=found[worst].mm,
        value={"defects": defects, "grids": [[*rank] for rank in ranks]},
        members=tuple(_trooper(table, id_, ids) for id_ in ids),
        because=(applied(table, _RANKS, f"{worst} is nearest to the limit."),),
        readings=("rank-contact-in", "rank-facing-deg", "rank-misfit"),
        touches=tuple(dict.fromkeys((worst, *found[worst].near))),
        faces=(worst,),
    )


def _trooper(table: Situation, id_: str, ids: list[str]) -> Candidate:
    def rule(asked: Situation) -> Ruling:
        one = rank_slack(asked, id_, ids)
        return Ruling(margin_mm=one.mm, touches=tuple(dict.fromkeys((id_, *one.near))), faces=(id_,))

    return Candidate(id_, rule(table), rule)


@dataclass(frozen=True)
class Rank:
    """By how much one stands in a rank, what is wrong where it does not, and whom that hangs on."""

    mm: float
    defect: str
    near: tuple[str, ...]


def rank_slack(table: Situation, id_: str, ids: list[str]) -> Rank:
    """By how much it stands in a legal rank: beside one that touches it, behind a rank that one of them touches.

    Source: Tight Formation, Prime p. 36.
    """
    beside = _best(table, id_, [o for o in ids if o != id_ and _is_beside(table, id_, o)])
    if beside is None:
        turned = any(o != id_ and _apart(table, id_, o) <= _touch_mm(table) for o in ids)
        return Rank(-_touch_mm(table), "facing" if turned else "alone", ())
    slack, neighbour = beside
    rank = next((r for r in ranks_of(table, ids) if id_ in r), (id_, neighbour))
    ahead = _link_ahead(table, rank, ids)
    if ahead is None or ahead[0] >= slack:
        return Rank(slack, "gap", (neighbour,))
    return Rank(ahead[0], "behind", (neighbour, *ahead[1]))


def ranks_of(table: Situation, ids: list[str]) -> list[tuple[str, ...]]:
    """The rows of two and more that touch side by side, those ahead first."""
    left, found = list(ids), []
    while left:
        row = [left.pop(0)]
        for one in row:
            near = [o for o in left if _is_beside(table, one, o) and _apart(table, one, o) <= _touch_mm(table)]
            row += near
            left = [o for o in left if o not in near]
        found.append(tuple(row))
    return sorted((r for r in found if len(r) >= _LEAST), key=lambda r: -_front_mm(table, r[0]))


def _link_ahead(table: Situation, rank: tuple[str, ...], ids: list[str]) -> tuple[float, tuple[str, str]] | None:
    """The best link of a rank to the one ahead, straight behind whom it stands; None for the front-most."""
    others = [r for r in ranks_of(table, ids) if rank[0] not in r]
    front = [r for r in others if _depth(table, rank[0], r[0]) > table.base(rank[0]).reach_mm]
    if not front:
        return None
    ahead = min(front, key=lambda r: _depth(table, rank[0], r[0]))
    pairs = [(a, b) for a in rank for b in ahead]
    straight = [(a, b) for a, b in pairs if _is_straight(table, a, b)]
    askew = [p for p in pairs if p not in straight and _apart(table, *p) <= 0]
    if not straight or askew:
        return -_touch_mm(table), (askew or pairs)[0]
    best = min(straight, key=lambda p: _apart(table, *p))
    return _touch_mm(table) - _apart(table, *best), best


def _best(table: Situation, id_: str, others: list[str]) -> tuple[float, str] | None:
    nearest = min(others, key=lambda o: _apart(table, id_, o), default=None)
    return None if nearest is None else (_touch_mm(table) - _apart(table, id_, nearest), nearest)


def _apart(table: Situation, a: str, b: str) -> float:
    return max(0.0, gap(table.base(a), table.base(b)).mm)


def _depth(table: Situation, who: str, other: str) -> float:
    """How far the other stands ahead, as this one looks."""
    (x, y), (ox, oy), facing = table.centre(other), table.centre(who), table.facing_rad(who)
    return (x - ox) * math.cos(facing) + (y - oy) * math.sin(facing)


def _front_mm(table: Situation, id_: str) -> float:
    """How far ahead on the table it stands, as it looks itself."""
    (x, y), facing = table.centre(id_), table.facing_rad(id_)
    return x * math.cos(facing) + y * math.sin(facing)


def _aside(table: Situation, who: str, other: str) -> float:
    (x, y), (ox, oy), facing = table.centre(other), table.centre(who), table.facing_rad(who)
    return abs((y - oy) * math.cos(facing) - (x - ox) * math.sin(facing))


def _is_beside(table: Situation, id_: str, other: str) -> bool:
    """Whether the other looks the same way, and stands square to that."""
    turn = math.degrees(abs(math.remainder(table.facing_rad(other) - table.facing_rad(id_), math.tau)))
    if turn > _turn_deg(table) + _DUST:
        return False
    return abs(_depth(table, id_, other)) <= math.tan(math.radians(_turn_deg(table))) * _aside(table, id_, other)


def _is_straight(table: Situation, id_: str, other: str) -> bool:
    """Whether it is lined up behind the other."""
    ahead = _depth(table, id_, other)
    return ahead > 0 and _aside(table, id_, other) <= math.tan(math.radians(_turn_deg(table))) * ahead


def _touch_mm(table: Situation) -> float:
    """How far apart still touches: as near as the sculpts allow. Source: Tight Formation, Prime p. 36."""
    return inches(float(table.reading("rank-contact-in")))


def _turn_deg(table: Situation) -> float:
    return float(table.reading("rank-facing-deg"))
