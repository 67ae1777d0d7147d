"""Falls: less than an inch of ground under the base, and a drop of an inch or more."""

from dataclasses import replace

from models.queries import Fall
from models.terrain import Terrain
from models.words import Point
from referee.areas import reach_into
from referee.candidates import is_met
from referee.editions.hordes_mk2.parameters import GROUND_MM, because
from referee.editions.warmachine_prime import falling
from referee.editions.warmachine_prime.ground import surface_mm
from referee.editions.warmachine_prime.paths import path_of
from referee.gaps import inside_mm
from referee.ruling import Ruling
from referee.situation import Situation
from referee.travel import at

_GROUND = because("Being Slammed", "With less than 1 in of ground under its base it falls off raised ground.")
_FALL = because("Falling", "Who is moved off a surface to another at least 1 full inch lower falls.")


def is_off(table: Situation, mover: str, feature: Terrain, centre: Point) -> bool:
    """Whether less than an inch of ground is left under the base. Source: Being Pushed; Being Slammed; Being Thrown."""
    return _ground_mm(table, mover, feature, centre) < GROUND_MM - 1e-9


def _ground_mm(table: Situation, mover: str, feature: Terrain, centre: Point) -> float:
    """How much of the base has ground under it: its greatest depth square to the edge, unless read otherwise."""
    base, area = at(table.base(mover), centre), table.area(feature.id)
    if table.reading("ground-depth") != "area" or not area.outline:
        return reach_into(base, area)
    return GROUND_MM if inside_mm(centre, area.outline) >= 0 else 0.0


def has_falls(table: Situation, raised: Terrain) -> bool:
    """Whether one falls off it: hills slope, unless their edge is declared sheer. Source: Hills; Falling."""
    how = table.reading("hill-falls")
    if raised.kind != "hill":
        return raised.sheer is not False
    return how == "always" or (how == "sheer-only" and bool(raised.sheer))


def fall(table: Situation, query: Fall) -> Ruling:
    """Whether it falls: off by less than an inch of ground, and at least an inch down. Source: Falling."""
    ruling = falling.fall(table, query)
    if query.drop_in is not None or ruling.status != "decided":
        return ruling
    path = path_of(table, query.mover, query.path_mm)
    stood = None if path is None else _stood_on(table, query, path[0])
    if path is None or stood is None or not has_falls(table, stood):
        return replace(ruling, readings=("hill-falls",), doubtful=("hill-falls",) if stood is not None else ())
    short = Ruling(
        margin_mm=GROUND_MM - _ground_mm(table, query.mover, stood, path[-1]),
        zero_is_met=False,
        because=(_GROUND,),
        touches=(query.mover, stood.id),
    )
    if not is_met(short):
        told = {**ruling.value, "ground_mm": GROUND_MM - short.decisive_mm}
        return replace(short, value=told, readings=("ground-depth", "hill-falls"), doubtful=("ground-depth",))
    least = ruling if ruling.decisive_mm < short.decisive_mm else short
    return replace(
        ruling,
        margin_mm=least.decisive_mm,
        zero_is_met=least.zero_is_met,
        because=(_FALL, _GROUND, *ruling.because[1:]),
        readings=("ground-depth", "hill-falls"),
        doubtful=("ground-depth",),
        touches=(*ruling.touches, stood.id),
    )


def _stood_on(table: Situation, query: Fall, start: Point) -> Terrain | None:
    """The highest raised piece under it when the move began."""
    base = at(table.base(query.mover), start)
    raised = [t for t in table.state.terrain if surface_mm(t) > 0 and query.feature in (None, t.id)]
    return max((t for t in raised if reach_into(base, table.area(t.id)) > 0), key=surface_mm, default=None)
