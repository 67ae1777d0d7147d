"""Body sight of the open edition: how much of a body is seen from an eye at a height, past what stands between."""

import math
from collections.abc import Iterator

from models.queries import Los
from models.verdict import Witness
from referee.editions.open.measuring import body_mm, ground_mm, top_mm
from referee.editions.open.settings import explain_setting, number_of
from referee.editions.open.sight_obstacles import SightObstacles, find_obstacles, how_blocks
from referee.editions.warmachine.miniatures.distances import hinges
from referee.line_of_sight.visible_body import Upright, hidden_body_share, sheet_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_names, name_of, with_effect
from referee.rules.rule_result import RuleResult

_REACH_MM = 60.0  # a line to the body runs inside the corridor between the two bases
READINGS = ("open-sight", "open-sight-share", "open-eye-percent", "open-solid", "open-woods", "open-figures",
            "open-body-mm")  # fmt: skip


def check_body_seen(table: ExactTable, query: Los) -> RuleResult:
    """Whether so much of the target's body is seen; the margin is that share's surplus of the body's width."""
    eye, base = table.centre(query.viewer), table.base(query.target)
    way = find_obstacles(table, query.viewer, query.target, query.ignoring, reach_mm=_REACH_MM)
    if way.needs:
        return RuleResult(
            status="unknown",
            needs=tuple(way.needs),
            because=(explain_setting(table, "open-solid"),),
            depends_on_place=(query.viewer, query.target),
        )
    height = eye_height_mm(table, query.viewer)
    sheet = sheet_of(eye, base, ground_mm(table, query.target), top_mm(table, query.target))
    casting = {id_: tuple(_uprights(table, id_)) for id_ in _standing_between(table, way)}
    hiding = [id_ for id_, one in casting.items() if hidden_body_share(eye, height, sheet, one) > 0]
    seen = 1.0 - hidden_body_share(eye, height, sheet, [one for id_ in hiding for one in casting[id_]])
    wanted = number_of(table, "open-sight-share") / 100.0
    by = f", {format_names(table, hiding)} before it" if hiding else ""
    said = f"{100 * seen:.0f} % of {name_of(table, query.target)} is seen{by}; {100 * wanted:.0f} % is wanted."
    return RuleResult(
        margin_mm=2 * base.reach_mm * (seen - wanted),
        zero_is_met=True,
        value={"decided_by": "body", "seen_share": seen, "wanted_share": wanted, "eye_mm": height},
        witness=(
            _draw_line(table, query, height, is_seen=seen >= wanted),
            *(draw_outline(table, id_) for id_ in hiding),
        ),
        blockers=tuple(hiding) if seen < wanted else (),
        because=(
            with_effect(table, explain_setting(table, "open-sight"), said),
            explain_setting(table, "open-eye-percent"),
        ),
        readings=READINGS,
        depends_on_place=hinges(table, query.viewer, query.target, *casting),
    )


def eye_height_mm(table: ExactTable, id_: str) -> float:
    """How high its eye is above the table."""
    return ground_mm(table, id_) + body_mm(table, id_) * number_of(table, "open-eye-percent") / 100.0


def _standing_between(table: ExactTable, way: SightObstacles) -> tuple[str, ...]:
    """All that closes a line, also where it is too low for one from top to top."""
    low = (id_ for id_, why in way.seen_past.items() if why == "low")
    return tuple(dict.fromkeys((*(one.id for one in way.obstacles), *(wood.id for wood in way.woods), *low)))


def _uprights(table: ExactTable, id_: str) -> Iterator[Upright]:
    area = table.area(id_)
    top = _top_of(table, id_)
    return (Upright(part, top) for part in area.parts)


def _top_of(table: ExactTable, id_: str) -> float:
    """How high it closes lines: to its top where height counts, else without end."""
    if id_ in table.miniatures:
        return top_mm(table, id_) if table.reading("open-figures") == "by-height" else math.inf
    thing = table.state.by_id[id_]
    if how_blocks(table, thing) != "by-height":  # type: ignore[arg-type]  # what closes lines is terrain or an effect
        return math.inf
    height = getattr(thing, "height_mm", None)
    surface = getattr(thing, "surface_mm", None)
    return float(height if height is not None else surface or 0.0)


def _draw_line(table: ExactTable, query: Los, eye_mm: float, *, is_seen: bool) -> Witness:
    role = "clear" if is_seen else "blocked"
    middle = ground_mm(table, query.target) + body_mm(table, query.target) / 2
    points = (table.centre(query.viewer), table.base(query.target).centre)
    told = {"type": "segment", "role": role, "points_mm": points, "z_mm": (eye_mm, middle)}
    return Witness.model_validate(told | {"of": (query.viewer, query.target)})


def draw_outline(table: ExactTable, id_: str) -> Witness:
    """The outline of what is in the way."""
    area = table.area(id_)
    part = area.parts[0]
    if part.is_disc() and not area.outline:
        return Witness(type="circle", role="blocker", centre_mm=part.centre, radius_mm=part.radius_mm, of=(id_,))
    return Witness(type="polygon", role="blocker", points_mm=area.outline or part.points, of=(id_,))
