"""Ranks: rows of two and more that touch side by side, each straight behind the one ahead; and the shield wall."""

import math
from dataclasses import dataclass

from pydantic import JsonValue

from models.queries import DamageArc, RankedFormation, ShieldWall
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.editions.warmachine.mk1_and_mk2.mk1.command import members_in_play
from referee.geometry.distance import gap
from referee.rules.candidates import traced
from referee.rules.conditions import all_of, list_margins
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, with_effect
from referee.rules.rule_result import Candidate, RuleResult
from referee.rules.switches import first_of, is_at_least, is_more_than

_RANKS = because("Unit Formation, Prime p. 36", "Rows of two or more that touch and look one way, square to the row.")
_LEAST = 2
_WALL = because("Shield Wall; Deviation, Prime p. 47", "Ordered, standing in a rank, and hit from the front: +4 ARM.")
_WALL_BONUS = 4


def ranked_formation(table: ExactTable, query: RankedFormation) -> RuleResult:
    """Ranked formation: whether they stand in ranks. Source: Unit Formation, Prime p. 36."""
    ids = members_in_play(table, query.unit)
    slacks = {id_: rank_slack(table, id_, ids) for id_ in ids}
    worst = min(slacks, key=lambda id_: slacks[id_].mm)
    proper = {
        id_: is_at_least(slack.mm, 0.0, "stands in rank", tuple(dict.fromkeys((id_, *slack.near))), turning=(id_,))
        for id_, slack in slacks.items()
    }
    defects: list[JsonValue] = [*sorted({slack.defect for id_, slack in slacks.items() if not proper[id_]})]
    ranks = [rank for rank in ranks_of(table, ids) if all(proper[id_] for id_ in rank)]
    members = tuple(_candidate_of(table, id_, ids) for id_ in ids)
    joined = all_of(tuple((member.id, member.result) for member in members if member.result is not None))
    return RuleResult(
        margin_mm=slacks[worst].mm,
        value={"defects": defects, "grids": [[*rank] for rank in ranks]},
        members=members,
        because=(with_effect(table, _RANKS, f"{worst} is nearest to the limit."),),
        readings=("rank-contact-in", "rank-facing-deg", "rank-misfit"),
        depends_on_place=joined.depends_on_place,
        depends_on_facing=joined.depends_on_facing,
        conditions=joined.conditions,
    )


def _candidate_of(table: ExactTable, id_: str, ids: list[str]) -> Candidate:
    def rule(asked: ExactTable) -> RuleResult:
        slack = rank_slack(asked, id_, ids)
        return RuleResult(
            margin_mm=slack.mm, depends_on_place=tuple(dict.fromkeys((id_, *slack.near))), depends_on_facing=(id_,)
        )

    alone = traced(rule)
    return Candidate(id_, alone(table), alone)


@dataclass(frozen=True)
class Rank:
    """By how much one stands in a rank, what is wrong where it does not, and whom that hangs on."""

    mm: float
    defect: str
    near: tuple[str, ...]


def rank_slack(table: ExactTable, id_: str, ids: list[str]) -> Rank:
    """By how much it stands in a legal rank: beside one that touches it, behind a rank that one of them touches.

    Source: Unit Formation, Prime p. 36.
    """
    nearest = _find_nearest(table, id_, [o for o in ids if o != id_ and _is_beside(table, id_, o)])
    if nearest is None:
        turned = any(o != id_ and _is_touching(table, id_, o) for o in ids)
        return Rank(-_touch_mm(table), "facing" if turned else "alone", ())
    slack, neighbour = nearest
    rank = next((r for r in ranks_of(table, ids) if id_ in r), (id_, neighbour))
    ahead = _find_link_ahead(table, rank, ids)
    if ahead is None or ahead[0] >= slack:
        return Rank(slack, "gap", (neighbour,))
    return Rank(ahead[0], "behind", (neighbour, *ahead[1]))


def neighbours_by_slack(table: ExactTable, id_: str, ids: list[str]) -> list[tuple[float, str]]:
    """All others of these with how far within touch they stand, the nearest first, whichever way anybody looks."""
    return sorted(((_touch_mm(table) - _gap_mm(table, id_, o), o) for o in ids if o != id_), reverse=True)


def ranks_of(table: ExactTable, ids: list[str]) -> list[tuple[str, ...]]:
    """The rows of two and more that touch side by side, those ahead first."""
    left, rows = list(ids), []
    while left:
        row = [left.pop(0)]
        for member in row:
            near = [o for o in left if _is_beside(table, member, o) and _is_touching(table, member, o)]
            row += near
            left = [o for o in left if o not in near]
        rows.append(tuple(row))
    return sorted((r for r in rows if len(r) >= _LEAST), key=lambda r: -_front_mm(table, r[0]))


def _find_link_ahead(table: ExactTable, rank: tuple[str, ...], ids: list[str]) -> tuple[float, tuple[str, str]] | None:
    """The best link of a rank to the one ahead, straight behind whom it stands; None for the front-most."""
    others = [r for r in ranks_of(table, ids) if rank[0] not in r]
    front = {r[0]: r for r in others if _is_ahead(table, rank[0], r[0])}
    first = first_of({id_: _depth_mm(table, rank[0], id_) for id_ in front}, also=(rank[0],))
    if first is None:
        return None
    ahead = front[first]
    pairs = [(a, b) for a in rank for b in ahead]
    straight = [(a, b) for a, b in pairs if _is_straight(table, a, b)]
    askew = [p for p in pairs if p not in straight and _is_pressed(table, *p)]
    if not straight or askew:
        return -_touch_mm(table), (askew or pairs)[0]
    best = min(straight, key=lambda p: _gap_mm(table, *p))
    return _touch_mm(table) - _gap_mm(table, *best), best


def _find_nearest(table: ExactTable, id_: str, others: list[str]) -> tuple[float, str] | None:
    nearest = min(others, key=lambda o: _gap_mm(table, id_, o), default=None)
    return None if nearest is None else (_touch_mm(table) - _gap_mm(table, id_, nearest), nearest)


def _is_touching(table: ExactTable, a: str, b: str) -> bool:
    """Whether the two are as near as the sculpts allow."""
    return is_at_least(_touch_mm(table), gap(table.base(a), table.base(b)).mm, "touches", _pair(a, b), is_noted=True)


def _is_pressed(table: ExactTable, a: str, b: str) -> bool:
    """Whether the very bases touch."""
    return is_at_least(0.0, gap(table.base(a), table.base(b)).mm, "touches the base of", _pair(a, b))


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a <= b else (b, a)


def _is_ahead(table: ExactTable, viewer: str, other: str) -> bool:
    depth, clear, lever = _depth_mm(table, viewer, other), table.base(viewer).reach_mm, _apart_mm(table, viewer, other)
    return is_more_than(depth, clear, "stands in a rank ahead of", (other, viewer), turning=(viewer,), lever_mm=lever)


def _apart_mm(table: ExactTable, a: str, b: str) -> float:
    return math.dist(table.centre(a), table.centre(b))


def _gap_mm(table: ExactTable, a: str, b: str) -> float:
    return max(0.0, gap(table.base(a), table.base(b)).mm)


def _depth_mm(table: ExactTable, viewer: str, other: str) -> float:
    """How far the other stands ahead, as this one looks."""
    (x, y), (ox, oy), facing = table.centre(other), table.centre(viewer), table.facing_rad(viewer)
    return (x - ox) * math.cos(facing) + (y - oy) * math.sin(facing)


def _front_mm(table: ExactTable, id_: str) -> float:
    """How far ahead on the table it stands, as it looks itself."""
    (x, y), facing = table.centre(id_), table.facing_rad(id_)
    return x * math.cos(facing) + y * math.sin(facing)


def _lateral_mm(table: ExactTable, viewer: str, other: str) -> float:
    (x, y), (ox, oy), facing = table.centre(other), table.centre(viewer), table.facing_rad(viewer)
    return abs((y - oy) * math.cos(facing) - (x - ox) * math.sin(facing))


def _is_beside(table: ExactTable, id_: str, other: str) -> bool:
    """Whether the other looks the same way, and stands square to that."""
    turn = math.degrees(abs(math.remainder(table.facing_rad(other) - table.facing_rad(id_), math.tau)))
    rim, both = table.base(id_).reach_mm, _pair(id_, other)
    spare_mm = math.radians(_turn_deg(table) - turn) * rim
    if not is_at_least(spare_mm, 0.0, "looks the same way as", (), turning=both, lever_mm=rim):
        return False
    allowed = math.tan(math.radians(_turn_deg(table))) * _lateral_mm(table, id_, other)
    depth, lever = abs(_depth_mm(table, id_, other)), _apart_mm(table, id_, other)
    return is_at_least(allowed, depth, "stands beside", (other, id_), turning=(id_,), lever_mm=lever)


def _is_straight(table: ExactTable, id_: str, other: str) -> bool:
    """Whether it is lined up behind the other."""
    ahead = _depth_mm(table, id_, other)
    allowed = math.tan(math.radians(_turn_deg(table))) * max(0.0, ahead)
    lateral, lever = _lateral_mm(table, id_, other), _apart_mm(table, id_, other)
    lined_up = is_at_least(allowed, lateral, "stands straight behind", (id_, other), turning=(id_,), lever_mm=lever)
    return ahead > 0 and lined_up


def _touch_mm(table: ExactTable) -> float:
    """How far apart still touches: as near as the sculpts allow. Source: Unit Formation, Prime p. 36."""
    return inches(float(table.reading("rank-contact-in")))


def _turn_deg(table: ExactTable) -> float:
    return float(table.reading("rank-facing-deg"))


def shield_wall(table: ExactTable, query: ShieldWall) -> RuleResult:
    """Shield wall: whether the wall protects it from that.

    Source: Shield Wall; Deviation, Prime p. 47; Q/A on slams.
    """
    me = table.miniature(query.target)
    unit = next((u for u in table.state.units if u.id == me.unit), None)
    ids = [m.id for m in table.state.miniatures if m.unit is not None and m.unit == me.unit]
    ordered = "shield-wall" in me.status or (unit is not None and "shield-wall" in unit.orders)
    place = _find_place(table, me.id, ids)
    arc = table.evaluate_query(DamageArc(target=query.target, attacker=query.attacker, origin=query.origin))
    clauses = {
        "ordered": CAPPED_MM if ordered else -CAPPED_MM,
        "in-rank": place.mm,
        "from-the-front": arc.decisive_mm if arc.margin_mm is not None else CAPPED_MM,
    }
    margin = min(clauses.values())
    on = tuple(dict.fromkeys((query.target, *place.near, *arc.depends_on_place)))
    rank = RuleResult(margin_mm=place.mm, depends_on_place=(me.id, *place.near), depends_on_facing=(me.id, *place.near))
    parts = (RuleResult(margin_mm=clauses["ordered"]), rank, *((arc,) if arc.margin_mm is not None else ()))
    holds = is_at_least(margin, 0.0, "is behind a shield wall against", on)
    return RuleResult(
        margin_mm=margin,
        value={
            "neighbours": [*place.near],
            "bonus": _WALL_BONUS if holds else 0,
            "bonus_to": "armour",
            "clauses": list_margins(clauses),
        },
        witness=arc.witness,
        because=(with_effect(table, _WALL, _describe_worst(clauses)),),
        readings=("shield-wall-needs", "rank-contact-in"),
        depends_on_place=on,
        depends_on_facing=(query.target, *place.near),
        conditions=parts,
    )


def _find_place(table: ExactTable, id_: str, ids: list[str]) -> Rank:
    """By how much it stands in a legal rank; beside one or two of its unit, where players read the order so."""
    reading = table.reading("shield-wall-needs")
    if len(ids) > 1 and reading == "legal-rank":
        return rank_slack(table, id_, ids)
    wanted = 2 if reading == "neighbours-both" else 1
    nearest = neighbours_by_slack(table, id_, ids)[:wanted]
    if len(nearest) < wanted:
        return Rank(-CAPPED_MM, "alone", ())
    return Rank(nearest[-1][0], "gap", tuple(other for _, other in nearest))


def _describe_worst(clauses: dict[str, float]) -> str:
    """What comes nearest to failing, and by how much it holds or fails."""
    name = min(clauses, key=lambda n: clauses[n])
    margin = clauses[name]
    how = f"holds by {format_length(margin)}" if margin >= 0 else f"fails by {format_length(-margin)}"
    return f"It stands and is {name.replace('-', ' ')}: that {how}."
