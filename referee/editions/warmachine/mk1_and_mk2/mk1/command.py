"""Command: formation as a chain of models from the leader, rallying, and all of a base in the control area."""

import math
from dataclasses import replace

from models.queries import ControlArea, Formation, Rally
from models.unit import Unit
from models.unit_conversion import inches
from models.verdict import CAPPED_MM
from referee.editions.warmachine.command import control_area as shared_control_area
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.mk1_and_mk2 import command
from referee.editions.warmachine.mk1_and_mk2.mk1.citations import because
from referee.geometry.circle_intersection import bearing
from referee.geometry.distance import farthest, gap
from referee.rules.candidates import in_play, traced
from referee.rules.conditions import RIVAL_MM
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, name_of, with_effect
from referee.rules.rule_result import Candidate, NobodyLeft, RuleResult, Value, ask_for
from referee.rules.sides import are_enemies
from referee.rules.switches import first_of, is_at_least

_CHAIN = because("Unit Formation, Prime p. 36", "The leader is in formation, and whom a chain of models links to it.")
_LEADERLESS = because("Unit Formation, Prime p. 36", "Without a leader the largest group is; of equals one is chosen.")
_TURNS = because("Rallying, Prime p. 58", "Who rallies turns to its nearest enemy.")


def formation(table: ExactTable, query: Formation) -> RuleResult:
    """Formation: who of a unit is in formation. Source: Unit Formation, Prime p. 36."""
    unit = next(u for u in table.state.units if u.id == query.unit)
    ids = members_in_play(table, unit.id)
    if unit.spacing_in is None:
        return ask_for(f"spacing_in of {unit.id}", because=(_CHAIN,))
    limit = inches(unit.spacing_in)
    groups = _chains_of(table, ids, limit)
    led = next((g for g in groups if unit.commander in g), None)
    largest = [g for g in groups if len(g) == max(map(len, groups))]
    inside = _members_inside(groups, unit.commander)
    members = tuple(_candidate_of(table, id_, ids, limit, unit) for id_ in ids)
    value: Value = {
        "chains": [[*g] for g in groups],
        "options": [[*g] for g in largest] if led is None and len(largest) > 1 else [],
    }
    if query.who is not None:
        asked = next((m for m in members if m.id == query.who), None)
        if asked is None or asked.result is None:
            return RuleResult(status="refused", because=(_CHAIN,), advice=f"{query.who} is not of {query.unit}.")
        return RuleResult(
            margin_mm=asked.result.margin_mm,
            value=value,
            because=(_CHAIN,),
            depends_on_place=asked.result.depends_on_place,
        )
    return RuleResult(
        status="measured",
        value=value,
        members=members,
        because=(
            with_effect(table, _CHAIN if led else _LEADERLESS, f"In formation: {format_names(table, sorted(inside))}."),
        ),
        readings=("leaderless-group", "unit-spacing"),
    )


def check_formation(table: ExactTable, id_: str) -> RuleResult:
    """Whether it is in formation, for rules that take that; in a unit without spacing all are.

    Source: Unit Formation, Prime p. 36; house rule unit-spacing.
    """
    unit = next((u for u in table.state.units if u.id == table.miniature(id_).unit), None)
    if unit is None or unit.spacing_in is None:
        return RuleResult(margin_mm=CAPPED_MM, because=(_CHAIN,), depends_on_place=(id_,))
    return formation(table, Formation(unit=unit.id, who=id_))


def _chains_of(table: ExactTable, ids: list[str], limit: float) -> list[list[str]]:
    """The chains of models, each no farther than this from the next, the largest first."""
    left, groups = list(ids), []
    while left:
        group = [left.pop(0)]
        for link in group:
            near = [o for o in left if _is_linked(table, link, o, limit)]
            group += near
            left = [o for o in left if o not in near]
        groups.append(sorted(group, key=ids.index))
    return sorted(groups, key=lambda g: -len(g))


def _is_linked(table: ExactTable, a: str, b: str, limit: float) -> bool:
    apart_mm, on = gap(table.base(a), table.base(b)).mm, (a, b) if a <= b else (b, a)
    return is_at_least(limit, apart_mm, "is close enough to", on)


def _members_inside(groups: list[list[str]], commander: str | None) -> set[str]:
    """Who is in formation: the chain of the leader; without one the largest, where one is."""
    led = next((g for g in groups if commander in g), None)
    largest = [g for g in groups if len(g) == max(map(len, groups))]
    return set(led or (largest[0] if len(largest) == 1 else ()))


def _candidate_of(table: ExactTable, id_: str, ids: list[str], limit: float, unit: Unit) -> Candidate:
    @traced
    def rule(asked: ExactTable) -> RuleResult:
        if id_ == unit.commander or len(ids) == 1:
            return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(id_,))
        if unit.commander in ids:
            weakest, link = _weakest_link(asked, id_, unit.commander, ids)
            return RuleResult(margin_mm=limit - weakest, depends_on_place=tuple(dict.fromkeys((id_, *link))))
        inside = _members_inside(_chains_of(asked, ids, limit), unit.commander)
        others = [o for o in ids if o != id_ and (o in inside or not inside)]
        nearest = first_of({o: gap(asked.base(id_), asked.base(o)).mm for o in others}, also=(id_,))
        mm = CAPPED_MM if nearest is None else gap(asked.base(id_), asked.base(nearest)).mm
        touches = (id_,) if nearest is None else (id_, nearest)
        return RuleResult(margin_mm=limit - max(0.0, mm), depends_on_place=touches)

    return Candidate(id_, rule(table), rule)


def _weakest_link(table: ExactTable, id_: str, leader: str, ids: list[str]) -> tuple[float, tuple[str, ...]]:
    """The widest gap on the best chain from the leader, and between whom it is, or might as well be."""
    linked, links = {leader}, list[tuple[float, str, str]]()
    while id_ not in linked:
        apart, a, b = min(
            (max(0.0, gap(table.base(a), table.base(b)).mm), a, b) for a in linked for b in ids if b not in linked
        )
        links.append((apart, a, b))
        linked.add(b)
    worst = max((apart for apart, _, _ in links), default=0.0)
    return worst, tuple(end for apart, a, b in links if apart > worst - RIVAL_MM for end in (a, b))


def members_in_play(table: ExactTable, unit: str) -> list[str]:
    """Who of the unit is in play. Raises: NobodyLeft."""
    ids = [m.id for m in table.state.miniatures if m.unit == unit and "removed" not in m.status]
    if not ids:
        raise NobodyLeft(unit)
    return ids


def rally(table: ExactTable, query: Rally) -> RuleResult:
    """Rally: whether it may rally, and where it looks then. Source: Rallying, Prime p. 58; Remix p. 76."""
    me, result = table.miniature(query.who), command.rally(table, query)
    if "fleeing" not in me.status:
        return replace(result, value={"facing_deg": None})
    foes = [o for o in in_play(table, me.id) if are_enemies(table.state, me, table.miniature(o))]
    nearest = first_of({o: gap(table.base(me.id), table.base(o)).mm for o in foes}, also=(me.id,))
    effect = "Nobody is there to turn to." if nearest is None else f"It turns to {name_of(table, nearest)}."
    on = tuple(dict.fromkeys((*result.depends_on_place, *([nearest] if nearest else []))))
    turn_rad = None if nearest is None else bearing(table.centre(me.id), table.centre(nearest))
    return replace(
        result,
        value={"facing_deg": None if turn_rad is None else math.degrees(turn_rad) % 360.0},
        because=(*result.because, with_effect(table, _TURNS, effect)),
        depends_on_place=on,
    )


def control_area(table: ExactTable, query: ControlArea) -> RuleResult:
    """Control area: whether it is in the control area. Source: Control Area, Remix p. 51."""
    result = shared_control_area.control_area(table, query)
    radius = result.value.get("radius_mm")
    if not isinstance(radius, float) or query.target is None:
        return result
    far, _, _ = farthest(table.area(query.caster), table.area(query.target))
    on = ids_that_matter(query.target, query.caster)
    holds = is_at_least(radius, far, "is completely within the control area of", on)
    whole: Value = {"answer": "yes" if holds else "no", "margin_mm": radius - far}
    return replace(result, value={**result.value, "completely": whole})
