"""Deployment: who may start, or come on, where."""

from dataclasses import replace

from models.pose import Pose
from models.queries import Deployment, ZoneSeparation
from models.units import inches, radians
from models.verdict import CAPPED_MM, Reason, Witness
from models.words import Point
from referee.areas import depth_of_base
from referee.clauses import Clauses, all_of, any_of
from referee.editions.warmachine_prime.able import in_formation
from referee.editions.warmachine_prime.ground import is_huge
from referee.editions.warmachine_prime.parameters import because
from referee.editions.warmachine_prime.room import off_bases, off_terrain, on_table
from referee.editions.warmachine_prime.scenarios import Printed, deployment, depth_mm, frame_of, printed
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import area_gap, gap
from referee.ruling import Ruling
from referee.shapes import Rounded, polygon_area
from referee.situation import Situation

ADVANCE_MM = inches(6)  # Source: Setup, Deployment & Victory Conditions, p. 26
CORNER_MM = inches(10)  # Source: Free-for-All Games, p. 27
SEPARATION_MM = inches(28)  # Source: Scenarios, p. 26

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
_APART = because("Scenarios", 26, "In a home-made scenario rival zones are at least 28 in apart.")
_NO_EDGE = because("Setup, Deployment & Victory Conditions", 26, "The zone lies along the player's own edge.")


def deployment_legal(table: Situation, query: Deployment) -> Ruling:
    """Whether it may start there: wholly in its zone, and nothing else forbids it. Source: p. 26-27, 86."""
    table = placed(table, query.who, query.to)
    manner = query.manner or _usual(table, query.who)
    ways = {"normal": _normal, "advance": _advance, "corner": _corner, "outflank": _outflank}
    if manner not in ways:
        return Ruling(status="refused", because=(_ZONE,), advice=f"The book knows no {manner} deployment.")
    clauses = (*ways[manner](table, query.who), *anywhere(table, query.who))
    ruling = all_of(clauses)
    zone = next((r for name, r in clauses if name == "zone"), None)
    value = {**ruling.value, "zone": manner}
    return replace(ruling, value=value, witness=() if zone is None else zone.witness)


def placed(table: Situation, who: str, to: Pose | None) -> Situation:
    """The table with it standing where it is meant to."""
    if to is None:
        return table
    table = table.placed(who, to.at_mm)
    return table if to.facing_deg is None else table.facing(who, radians(to.facing_deg))


def _side(table: Situation, who: str) -> str:
    return table.miniature(who).side or ""


def _usual(table: Situation, who: str) -> str:
    """How it deploys when nobody says."""
    told = next((s for s in table.state.sides if s.id == _side(table, who)), None)
    if told is not None and told.edge is not None and told.edge.startswith("corner"):
        return "corner"
    scenario = played(table)
    if scenario is not None and scenario.outflanks:
        return "outflank"
    return "advance" if table.miniature(who).has("advance-deployment") else "normal"


def played(table: Situation) -> Printed | None:
    """The printed scenario that is played."""
    return printed(table.state.scenario.name if table.state.scenario is not None else None)


def _normal(table: Situation, who: str) -> Clauses:
    """Source: Setup, Deployment & Victory Conditions, p. 26."""
    outlines = _told(table, who, "deployment") or _along_edge(table, who)
    return (("zone", _wholly_in(table, who, outlines, (_ZONE,))),)


def _along_edge(table: Situation, who: str) -> tuple[tuple[Point, ...], ...]:
    """The strip along its side's own edge. Source: Setup, Deployment & Victory Conditions, p. 26."""
    frame, side = frame_of(table.state, _side(table, who)), _side(table, who)
    return () if frame is None else (frame.box(0.0, 0.0, frame.width_mm, terms_of(table).deploy_mm(table, side)),)


def zone_depth_mm(table: Situation, side: str) -> float:
    """How deep the zone of this side is. Source: Setup, Deployment & Victory Conditions, p. 26."""
    return depth_mm(table.state, side)


def _told(table: Situation, who: str, kind: str) -> tuple[tuple[Point, ...], ...]:
    """The zones of its side that the players have drawn themselves."""
    zones = (z.id for z in table.state.zones if z.kind == kind and z.side == _side(table, who))
    return tuple(outline for id_ in zones if (outline := table.area(id_).outline))


def _advance(table: Situation, who: str) -> Clauses:
    """Source: Setup, Deployment & Victory Conditions, p. 26; Outflank and Reinforcements, p. 86."""
    has = table.miniature(who).has("advance-deployment")
    ability = Ruling(margin_mm=CAPPED_MM if has else -CAPPED_MM, because=(_ABILITY,), touches=(who,))
    drawn = _told(table, who, "advance")
    if drawn:
        return (("zone", _wholly_in(table, who, drawn, (_ADVANCE,))), ("ability", ability))
    frame = frame_of(table.state, _side(table, who))
    if frame is None:
        return (("zone", _no_edge(table, who)), ("ability", ability))
    limit = terms_of(table).deploy_mm(table, _side(table, who)) + ADVANCE_MM
    outline = frame.box(0.0, 0.0, frame.width_mm, limit)
    zone = _wholly_in(table, who, (outline,), (_ZONE, _ADVANCE))
    if table.reading("deploy-advance") == "front-edge":  # the 6 in run to the edge of the base that is nearest
        zone = replace(zone, margin_mm=(zone.margin_mm or 0.0) + 2 * table.base(who).reach_mm)
    return (("zone", replace(zone, readings=("deploy-advance",))), ("ability", ability))


def _corner(table: Situation, who: str) -> Clauses:
    """Source: Free-for-All Games, p. 27."""
    told = next((s for s in table.state.sides if s.id == _side(table, who)), None)
    if told is None or told.edge is None or not told.edge.startswith("corner"):
        return (("zone", _no_edge(table, who)),)
    _, y_word, x_word = told.edge.split("-")
    size = table.state.table
    corner = (0.0 if x_word == "left" else size.width_mm, 0.0 if y_word == "near" else size.depth_mm)
    base = table.base(who)
    disc = CORNER_MM - max(gap(Rounded((corner,)), Rounded((p,))).mm for p in base.points) - base.radius_mm
    across = max(abs(p[k] - corner[k]) for p in base.points for k in (0, 1))
    square = CORNER_MM - across - base.radius_mm
    chosen = disc if table.reading("deploy-corner") == "quarter-disc" else square
    margin = min(chosen, on_table(table, who).margin_mm or 0.0)
    return (
        (
            "zone",
            Ruling(
                margin_mm=margin,
                witness=(Witness(type="circle", role="limit", centre_mm=corner, radius_mm=CORNER_MM),),
                because=(_CORNER,),
                readings=("deploy-corner",),
                doubtful=("deploy-corner",) if (disc >= 0) != (square >= 0) else (),
                touches=(who,),
            ),
        ),
    )


def _outflank(table: Situation, who: str) -> Clauses:
    """Source: Outflank, p. 86."""
    outlines = deployment(table.state, _side(table, who), printed("outflank"))
    if not outlines:
        return (("zone", _no_edge(table, who)),)
    primary = _wholly_in(table, who, outlines[:1], (_OUTFLANK,))
    second = all_of(
        (("zone", _wholly_in(table, who, outlines[1:], (_OUTFLANK,))), ("one", _alone(table, who, outlines)))
    )
    return (("zone", any_of((primary, second))),)


def _alone(table: Situation, who: str, outlines: tuple[tuple[Point, ...], ...]) -> Ruling:
    """Whether it may be the one in the secondary zone. Source: Outflank, p. 86."""
    me = table.miniature(who)
    others = (m for m in table.state.miniatures if m.id != who and m.side == me.side)
    rivals = (m.id for m in others if me.unit is None or m.unit != me.unit)
    taken = any(depth_of_base(table.base(id_), (polygon_area(outlines[1]),)) >= 0 for id_ in rivals)
    barred = taken or me.type == "warcaster" or is_huge(me)
    return Ruling(margin_mm=-CAPPED_MM if barred else CAPPED_MM, because=(_SECOND,), touches=(who,))


def _wholly_in(
    table: Situation, who: str, outlines: tuple[tuple[Point, ...], ...], reasons: tuple[Reason, ...]
) -> Ruling:
    if not outlines:
        return _no_edge(table, who)
    areas = tuple(polygon_area(outline) for outline in outlines)
    return Ruling(
        margin_mm=depth_of_base(table.base(who), areas),
        witness=tuple(Witness(type="polygon", role="limit", points_mm=outline) for outline in outlines),
        because=reasons,
        touches=(who,),
    )


def _no_edge(table: Situation, who: str) -> Ruling:
    need = f"sides: the edge of {_side(table, who)}" if _side(table, who) else f"side of {who}"
    return Ruling(status="unknown", needs=(need,), because=(_NO_EDGE,), touches=(who,))


def anywhere(table: Situation, who: str) -> Clauses:
    """What holds wherever something is put down. Source: Base Size, p. 21; Obstructions, p. 81; p. 26."""
    clauses = [
        ("free", _unless_under(table, off_bases(table, who), _FREE)),
        ("ground", _unless_under(table, off_terrain(table, who), _GROUND)),
    ]
    return (*clauses, ("formation", replace(in_formation(table, who), because=(_FORMED,))))


def _unless_under(table: Situation, clearance: Ruling, reason: Reason) -> Ruling:
    """Nothing to tell while there is room; touching is allowed."""
    if (clearance.margin_mm or 0.0) >= -table.state.contact_tolerance_mm:
        return replace(clearance, margin_mm=CAPPED_MM, because=(reason,))
    return replace(clearance, because=(reason,))


def zone_separation(table: Situation, query: ZoneSeparation) -> Ruling:
    """Whether two deployment zones lie far enough apart; exactly 28 in will do. Source: Scenarios, p. 26."""
    between = area_gap(table.area(query.a), table.area(query.b))
    apart = max(0.0, between.mm)
    return Ruling(
        margin_mm=apart - SEPARATION_MM,
        value={"distance_mm": apart},
        lengths_mm={"distance": apart},
        witness=(Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=_ids(query)),),
        because=(_APART,),
        touches=(query.a, query.b),
    )


def _ids(query: ZoneSeparation) -> tuple[str, ...]:
    return (query.a, query.b)
