"""Set-up: where a side deploys, how far zones lie apart, and where a base may be put or replaced."""

from dataclasses import replace

from models.base import RoundBase
from models.errors import BadQuery
from models.pose import Pose
from models.queries import Deployment, Placement, Replacement, ZoneSeparation
from models.turn import UnitPose
from models.unit_conversion import inches, radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.vocabulary import Point
from referee.editions.warmachine.melee.attack_eligibility import check_formation
from referee.editions.warmachine.miniatures.base_state import is_colossus, is_huge
from referee.editions.warmachine.movement.least_disturbance import (
    ROOM,
    clearance_of_bases,
    clearance_of_edge,
    clearance_of_flags,
    clearance_of_terrain,
    settle_clearance,
)
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.setup.scenarios import (
    PrintedScenario,
    deployment_outlines,
    frame_of,
    printed_scenario,
    zone_depth_mm,
)
from referee.editions.warmachine.terms import terms_of
from referee.geometry.containment import depth_of_base
from referee.geometry.distance import area_gap, gap
from referee.geometry.shapes import RoundedShape, disc, polygon_area
from referee.rules.candidates import in_play, is_met
from referee.rules.conditions import Clauses, all_of, any_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, ask_for, plain_condition
from referee.rules.switches import is_at_least

ADVANCE_MM = inches(6)  # Source: Setup, Deployment & Victory Conditions, p. 26
CORNER_MM = inches(10)  # Source: Free-for-All Games, p. 27
_ZONE = because(
    "Setup, Deployment & Victory Conditions", 26, "Completely within 7 in of the edge for the first player, 10 in else."
)
_ADVANCE = because("Setup, Deployment & Victory Conditions", 26, "Advance Deployment: up to 6 in beyond the zone.")
_ABILITY = because("Setup, Deployment & Victory Conditions", 26, "Only who has Advance Deployment may go beyond.")
_FORMED = because("Setup, Deployment & Victory Conditions", 26, "A unit starts with all its troopers in formation.")
_CORNER = because("Free-for-All Games", 27, "With three or four players: completely within 10 in of a corner.")
_OUTFLANK = because("Outflank", 86, "A zone at the rear edge, and one at the edge to the player's right.")
_SECOND = because("Outflank", 86, "One model or unit in the secondary zone, neither warcaster nor on a huge base.")
_FREE = because("Base Size", 21, "Two bases cannot stand in one place.")
_GROUND = because("Obstructions", 81, "Nothing stands inside an obstruction or impassable ground.")
_NO_EDGE = because("Setup, Deployment & Victory Conditions", 26, "The zone lies along the player's own edge.")
SEPARATION_MM = inches(28)  # Source: Scenarios, p. 26
_APART = because("Scenarios", 26, "In a home-made scenario rival zones are at least 28 in apart.")
_RANGE = because("Placed", 36, "It is placed where the rule that places it says.")
_PLACED_FORMED = because("Placed", 36, "A trooper in formation is placed in formation, the commander aside.")
_NEVER = because("Colossal Movement", 67, "A colossal or gargantuan can never be placed.")
_REPLACE = because("Replacing Models", 36, "The smaller of the two bases lies completely within the larger.")
_SAME = because("Replacing Models", 36, "A base of the same size takes exactly the old one's place.")


def deployment(table: ExactTable, query: Deployment) -> RuleResult:
    """Deployment: whether it may start there: wholly in its zone, and nothing else forbids it. Source: p. 26-27, 86."""
    table = place(table, query.who, query.to)
    manner = query.manner or _usual_manner(table, query.who)
    ways = {
        "normal": _normal_clauses,
        "advance": _advance_clauses,
        "corner": _corner_clauses,
        "outflank": _outflank_clauses,
    }
    if manner not in ways:
        return RuleResult(status="refused", because=(_ZONE,), advice=f"The book knows no {manner} deployment.")
    clauses = (*ways[manner](table, query.who), *clearance_clauses(table, query.who))
    result = all_of(clauses)
    zone = next((r for name, r in clauses if name == "zone"), None)
    value = {**result.value, "zone": manner}
    return replace(result, value=value, witness=() if zone is None else zone.witness)


def place(table: ExactTable, miniature: str, to: Pose | UnitPose | None) -> ExactTable:
    """The table with it standing where it is meant to: a place that was told is as sure as that."""
    if to is None:
        return table
    if isinstance(to, UnitPose):
        raise BadQuery("to: front_mm is a ranked unit's; a miniature's place is at_mm", field="to", value="front_mm")
    table = table if table.is_own_place(miniature, to.at_mm) else table.with_end(miniature, to.at_mm)
    return table if to.facing_deg is None else table.with_facing(miniature, radians(to.facing_deg))


def _side_of(table: ExactTable, miniature: str) -> str:
    return table.miniature(miniature).side or ""


def _usual_manner(table: ExactTable, miniature: str) -> str:
    """How it deploys when nobody says."""
    side = next((s for s in table.state.sides if s.id == _side_of(table, miniature)), None)
    if side is not None and side.edge is not None and side.edge.startswith("corner"):
        return "corner"
    scenario = played_scenario(table)
    if scenario is not None and scenario.outflanks:
        return "outflank"
    return "advance" if table.miniature(miniature).has("advance-deployment") else "normal"


def played_scenario(table: ExactTable) -> PrintedScenario | None:
    """The printed scenario that is played."""
    return printed_scenario(table.state.scenario.name if table.state.scenario is not None else None)


def _normal_clauses(table: ExactTable, miniature: str) -> Clauses:
    """Source: Setup, Deployment & Victory Conditions, p. 26."""
    outlines = _drawn_zones(table, miniature, "deployment") or _strip_along_edge(table, miniature)
    return (("zone", _check_wholly_in(table, miniature, outlines, (_ZONE,))),)


def _strip_along_edge(table: ExactTable, miniature: str) -> tuple[tuple[Point, ...], ...]:
    """The strip along its side's own edge. Source: Setup, Deployment & Victory Conditions, p. 26."""
    frame, side = frame_of(table.state, _side_of(table, miniature)), _side_of(table, miniature)
    return (
        ()
        if frame is None
        else (frame.box(0.0, 0.0, frame.width_mm, terms_of(table).deployment_depth_mm(table, side)),)
    )


def deployment_depth_mm(table: ExactTable, side: str) -> float:
    """How deep the zone of this side is. Source: Setup, Deployment & Victory Conditions, p. 26."""
    return zone_depth_mm(table.state, side)


def _drawn_zones(table: ExactTable, miniature: str, kind: str) -> tuple[tuple[Point, ...], ...]:
    """The zones of its side that the players have drawn themselves."""
    zones = (z.id for z in table.state.zones if z.kind == kind and z.side == _side_of(table, miniature))
    return tuple(outline for id_ in zones if (outline := table.area(id_).outline))


def _advance_clauses(table: ExactTable, miniature: str) -> Clauses:
    """Source: Setup, Deployment & Victory Conditions, p. 26; Outflank and Reinforcements, p. 86."""
    has = table.miniature(miniature).has("advance-deployment")
    ability = plain_condition(miniature, has, _ABILITY)
    drawn = _drawn_zones(table, miniature, "advance")
    if drawn:
        return (("zone", _check_wholly_in(table, miniature, drawn, (_ADVANCE,))), ("ability", ability))
    frame = frame_of(table.state, _side_of(table, miniature))
    if frame is None:
        return (("zone", _ask_for_edge(table, miniature)), ("ability", ability))
    limit = terms_of(table).deployment_depth_mm(table, _side_of(table, miniature)) + ADVANCE_MM
    outline = frame.box(0.0, 0.0, frame.width_mm, limit)
    zone = _check_wholly_in(table, miniature, (outline,), (_ZONE, _ADVANCE))
    if table.reading("deploy-advance") == "front-edge":  # the 6 in run to the edge of the base that is nearest
        zone = replace(zone, margin_mm=(zone.margin_mm or 0.0) + 2 * table.base(miniature).reach_mm)
    return (("zone", replace(zone, readings=("deploy-advance",))), ("ability", ability))


def _corner_clauses(table: ExactTable, miniature: str) -> Clauses:
    """Source: Free-for-All Games, p. 27."""
    side = next((s for s in table.state.sides if s.id == _side_of(table, miniature)), None)
    if side is None or side.edge is None or not side.edge.startswith("corner"):
        return (("zone", _ask_for_edge(table, miniature)),)
    _, y_word, x_word = side.edge.split("-")
    size = table.state.table
    corner = (0.0 if x_word == "left" else size.width_mm, 0.0 if y_word == "near" else size.depth_mm)
    base = table.base(miniature)
    disc = CORNER_MM - max(gap(RoundedShape((corner,)), RoundedShape((p,))).mm for p in base.points) - base.radius_mm
    across = max(abs(p[k] - corner[k]) for p in base.points for k in (0, 1))
    square = CORNER_MM - across - base.radius_mm
    chosen = disc if table.reading("deploy-corner") == "quarter-disc" else square
    margin = min(chosen, clearance_of_edge(table, miniature).margin_mm or 0.0)
    return (
        (
            "zone",
            RuleResult(
                margin_mm=margin,
                witness=(Witness(type="circle", role="limit", centre_mm=corner, radius_mm=CORNER_MM),),
                because=(_CORNER,),
                readings=("deploy-corner",),
                doubtful=("deploy-corner",) if (disc >= 0) != (square >= 0) else (),
                depends_on_place=(miniature,),
            ),
        ),
    )


def _outflank_clauses(table: ExactTable, miniature: str) -> Clauses:
    """Source: Outflank, p. 86."""
    outlines = deployment_outlines(table.state, _side_of(table, miniature), printed_scenario("outflank"))
    if not outlines:
        return (("zone", _ask_for_edge(table, miniature)),)
    primary = _check_wholly_in(table, miniature, outlines[:1], (_OUTFLANK,))
    second = all_of(
        (
            ("zone", _check_wholly_in(table, miniature, outlines[1:], (_OUTFLANK,))),
            ("one", _check_alone(table, miniature, outlines)),
        )
    )
    return (("zone", any_of((primary, second))),)


def _check_alone(table: ExactTable, miniature: str, outlines: tuple[tuple[Point, ...], ...]) -> RuleResult:
    """Whether it may be the one in the secondary zone. Source: Outflank, p. 86."""
    me = table.miniature(miniature)
    others = (m for m in table.state.miniatures if m.id != miniature and m.side == me.side)
    rivals = (m.id for m in others if me.unit is None or m.unit != me.unit)
    second = polygon_area(outlines[1])
    depths = {id_: depth_of_base(table.base(id_), (second,)) for id_ in rivals}
    inside = [id_ for id_, mm in depths.items() if is_at_least(mm, 0.0, "stands in the secondary zone", (id_,))]
    barred = bool(inside) or me.type == "warcaster" or is_huge(me)
    return plain_condition(miniature, not barred, _SECOND)


def _check_wholly_in(
    table: ExactTable, miniature: str, outlines: tuple[tuple[Point, ...], ...], reasons: tuple[Reason, ...]
) -> RuleResult:
    if not outlines:
        return _ask_for_edge(table, miniature)
    areas = tuple(polygon_area(outline) for outline in outlines)
    return RuleResult(
        margin_mm=depth_of_base(table.base(miniature), areas),
        witness=tuple(Witness(type="polygon", role="limit", points_mm=outline) for outline in outlines),
        because=reasons,
        depends_on_place=(miniature,),
    )


def _ask_for_edge(table: ExactTable, miniature: str) -> RuleResult:
    need = f"sides: the edge of {_side_of(table, miniature)}" if _side_of(table, miniature) else f"side of {miniature}"
    return ask_for(need, because=(_NO_EDGE,), on=(miniature,))


def clearance_clauses(table: ExactTable, miniature: str) -> Clauses:
    """What holds wherever something is put down. Source: Base Size, p. 21; Obstructions, p. 81; p. 26."""
    clauses = [
        ("free", replace(settle_clearance(table, clearance_of_bases(table, miniature)), because=(_FREE,))),
        ("ground", replace(settle_clearance(table, clearance_of_terrain(table, miniature)), because=(_GROUND,))),
    ]
    return (*clauses, ("formation", replace(check_formation(table, miniature), because=(_FORMED,))))


def zone_separation(table: ExactTable, query: ZoneSeparation) -> RuleResult:
    """Zone separation: whether two deployment zones lie far enough apart; exactly 28 in will do.

    Source: Scenarios, p. 26.
    """
    between = area_gap(table.area(query.a), table.area(query.b))
    apart = max(0.0, between.mm)
    return RuleResult(
        margin_mm=apart - SEPARATION_MM,
        value={"distance_mm": apart},
        lengths_mm={"distance": apart},
        witness=(Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.a, query.b)),),
        because=(_APART,),
        depends_on_place=(query.a, query.b),
    )


def placement(table: ExactTable, query: Placement) -> RuleResult:
    """Placement: whether it may stand, or be placed, there. Source: Placed, p. 36; Colossal Movement, p. 67."""
    placed = place(table, query.mover, query.to)
    clauses: list[tuple[str, RuleResult]] = [
        ("bases", clearance_of_bases(placed, query.mover)),
        ("terrain", clearance_of_terrain(placed, query.mover)),
        ("table", clearance_of_edge(placed, query.mover)),
    ]
    if query.manner == "moved":
        clauses.append(("flags", clearance_of_flags(placed, query.mover)))
    if query.manner == "placed":
        clauses.append(("kind", _check_placeable(placed, query.mover)))
        clauses.append(("formation", _check_still_formed(table, placed, query.mover)))
    if query.range_in is not None and query.of is not None:
        clauses.append(("range", _check_range(placed, query, inches(query.range_in))))
    result = all_of(tuple(clauses))
    base = placed.base(query.mover)
    spot = Witness(type="circle", role="hit", centre_mm=base.centre, radius_mm=base.reach_mm, of=(query.mover,))
    return replace(result, witness=(spot,), because=result.because or (ROOM,))


def _check_placeable(table: ExactTable, mover: str) -> RuleResult:
    """Source: Colossal Movement, p. 67; Gargantuan Movement, p. 99."""
    never = is_colossus(table.miniature(mover))
    return plain_condition(mover, not never, *((_NEVER,) if never else ()))


def _check_still_formed(before: ExactTable, after: ExactTable, mover: str) -> RuleResult:
    """Source: Placed, p. 36: who is in formation stays in it, the commander aside."""
    was = check_formation(before, mover)
    if was.status == "unknown" or not is_met(was, "was in formation with"):
        return RuleResult(margin_mm=CAPPED_MM, depends_on_place=(mover,))
    now = check_formation(after, mover)
    alone = now.margin_mm is None or now.margin_mm >= CAPPED_MM
    return replace(now, because=() if alone else (_PLACED_FORMED,))


def _check_range(table: ExactTable, query: Placement, limit: float) -> RuleResult:
    """Source: Placed, p. 36; Measuring Distances, p. 12."""
    of = str(query.of)
    apart = max(0.0, area_gap(table.area(of), table.area(query.mover)).mm)
    return RuleResult(margin_mm=limit - apart, because=(_RANGE,), depends_on_place=(query.mover, of))


def replacement(table: ExactTable, query: Replacement) -> RuleResult:
    """Replacement: whether a base of another size may stand there in the old one's place.

    Source: Replacing Models, p. 36.
    """
    if not isinstance(query.base, RoundBase):
        return RuleResult(status="refused", because=(_REPLACE,), advice="Prime's bases are round; tell a diameter.")
    old, new = table.base(query.mover), disc(query.to.at_mm, query.base.radius_mm)
    shift = gap(RoundedShape((old.centre,)), RoundedShape((new.centre,))).mm
    same = abs(old.radius_mm - new.radius_mm) < 1e-9
    tolerance = table.state.still_tolerance_mm if same else 0.0
    fits = RuleResult(
        margin_mm=abs(old.radius_mm - new.radius_mm) - shift + tolerance,
        because=(_SAME if same else _REPLACE,),
        depends_on_place=(query.mover,),
    )
    result = all_of((("within", fits), ("room", _check_room(table, query.mover, new))))
    return replace(result, witness=tuple(_draw_rim(rim) for rim in (old, new)), readings=())


def _check_room(table: ExactTable, mover: str, new: RoundedShape) -> RuleResult:
    """Source: Replacing Models, p. 36: there has to be room for the new base."""
    apart = [(gap(new, table.base(id_)).mm, id_) for id_ in in_play(table, mover)]
    least, nearest = min(apart, default=(CAPPED_MM, mover))
    has_room = is_at_least(least, -table.state.contact_tolerance_mm, "leaves room for", (nearest, mover))
    margin = CAPPED_MM if has_room else least
    return RuleResult(margin_mm=margin, because=(ROOM,), depends_on_place=(mover, nearest))


def _draw_rim(base: RoundedShape) -> Witness:
    return Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm)
