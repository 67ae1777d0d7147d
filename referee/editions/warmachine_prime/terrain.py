"""Terrain by itself: what a piece counts as, who is elevated or in water, and where a piece may be put."""

from pydantic import JsonValue

from models.queries import Elevation, TerrainClass, TerrainPlacement, Water
from models.terrain import Terrain
from models.units import inches
from models.verdict import CAPPED_MM, Witness
from referee.candidates import is_met
from referee.clauses import all_of
from referee.editions.warmachine_prime.features import OBSTACLES, OBSTRUCTIONS, granted_behind, granted_inside
from referee.editions.warmachine_prime.ground import depth_in, elevates, elevation_mm, level
from referee.editions.warmachine_prime.parameters import SHALLOW_WATER, because
from referee.editions.warmachine_prime.scenarios import FLAG_MM, ZONE_MM, Layout, Printed, layout, printed
from referee.editions.warmachine_prime.terms import terms_of
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area, disc
from referee.situation import Situation

TALL_MM = inches(1)  # Source: Obstacles, p. 80; Obstructions, p. 81
FLAG_CLEAR_MM = inches(5)  # Source: Close Quarters, p. 84

_TALL = because("Variably Sized Terrain Features", 81, "Up to 1 in tall it is an obstacle, taller an obstruction.")
_KIND = because("Standard Terrain Features", 78, "Each kind of feature says how it is crossed and what it grants.")
_ELEVATED = because("Does the Terrain Grant Elevation?", 78, "Who is completely inside the perimeter is elevated.")
_WATER = because("Advantages", 17, "Completely in shallow water an Amphibious model has concealment and hides nobody.")
_ROUGH = because("Shallow Water", 79, "Shallow water is rough terrain.")
_ZONES = because("Incoming", 85, "No obstruction is put inside a control zone.")
_FLAGS = because("Close Quarters", 84, "Within 5 in of a flag nothing is put that keeps a base from touching it.")
WATERS = SHALLOW_WATER | {"acid-bath"}  # Source: Hazards, p. 81: an acid bath is shallow water too
_ROUGH_KINDS = frozenset({"rough", "forest", "rubble", "ruin"}) | WATERS


def terrain_class(table: Situation, query: TerrainClass) -> Ruling:
    """What a piece counts as by its kind and height. Source: Standard Terrain Features, p. 78-81."""
    feature = _feature(table, query.feature)
    if feature is None:
        return Ruling(status="refused", because=(_KIND,), advice=f"{query.feature} is no terrain.")
    counts = counts_as(table, feature)
    if counts is None:
        return Ruling(status="unknown", needs=(f"height_mm of {feature.id}",), because=(_TALL,))
    limits: dict[str, JsonValue] = {} if feature.height_mm is None else {"one_inch": feature.height_mm - TALL_MM}
    return Ruling(
        status="measured",
        value={
            "counts_as": counts,
            "ground": ground_of(feature, counts),
            "grants": granted_behind(feature) if counts in OBSTACLES | OBSTRUCTIONS else granted_inside(feature),
            "limits_mm": limits,
        },
        because=(_KIND, _TALL) if feature.kind in OBSTACLES | OBSTRUCTIONS else (_KIND,),
        readings=("one-inch-tall",) if feature.height_mm == TALL_MM else (),
    )


def _feature(table: Situation, id_: str) -> Terrain | None:
    return next((t for t in table.state.terrain if t.id == id_), None)


def counts_as(table: Situation, feature: Terrain) -> str | None:
    """What the book that is asked takes it for. Source: Variably Sized Terrain Features, p. 81."""
    return terms_of(table).counts_as(table, feature)


def by_height(table: Situation, feature: Terrain) -> str | None:
    """Obstacle or obstruction by height, else its own kind; None when its height is not told. Source: p. 81."""
    if feature.kind not in OBSTACLES | {"obstruction"}:
        return feature.kind
    if feature.height_mm is None:
        return feature.kind if feature.kind in ("obstacle", "linear-obstacle", "obstruction") else None
    at_limit = table.reading("one-inch-tall") == "obstruction"
    tall = feature.height_mm > TALL_MM + 1e-9 or (abs(feature.height_mm - TALL_MM) <= 1e-9 and at_limit)
    return "obstruction" if tall else "obstacle"


def ground_of(feature: Terrain, counts: str | None = None) -> str:
    """What moving there costs. Source: Rough Terrain, p. 78; Obstructions, p. 81."""
    if feature.ground is not None:
        return feature.ground
    kind = counts or feature.kind
    if kind in OBSTRUCTIONS | {"impassable"}:
        return "impassable"
    return "deep-water" if kind == "deep-water" else "rough" if kind in _ROUGH_KINDS else "open"


def elevation(table: Situation, query: Elevation) -> Ruling:
    """Whether it counts as elevated, and how high it stands. Source: Does the Terrain Grant Elevation?, p. 78."""
    raising = [t for t in table.state.terrain if elevates(t)]
    depths = {t.id: depth_in(table, query.who, (t.id,)) for t in raising}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    margin = CAPPED_MM if level(table, query.who) > 0 else -CAPPED_MM
    if best is not None:
        margin = depths[best]
    on = [id_ for id_, depth in depths.items() if depth >= -1e-9]
    return Ruling(
        margin_mm=max(-CAPPED_MM, min(CAPPED_MM, margin)),
        value={
            "height_mm": elevation_mm(table, query.who),
            "level": level(table, query.who),
            "on": list[JsonValue](on),
        },
        lengths_mm={"inside": margin} if best is not None else {},
        witness=() if best is None else _perimeter(table, best),
        because=(_ELEVATED,),
        touches=(query.who,) if best is None else (query.who, best),
    )


def _perimeter(table: Situation, id_: str) -> tuple[Witness, ...]:
    area = table.area(id_)
    if area.outline:
        return (Witness(type="polygon", role="limit", points_mm=area.outline, of=(id_,)),)
    part = area.parts[0]
    return (Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,)),)


def water(table: Situation, query: Water) -> Ruling:
    """Whether it stands wholly in shallow water, and what follows. Source: Advantages, p. 17; Shallow Water, p. 79."""
    pools = [t for t in table.state.terrain if t.kind in WATERS and query.feature in (None, t.id)]
    depths = {pool.id: depth_in(table, query.who, (pool.id,)) for pool in pools}
    best = max(depths, key=lambda id_: depths[id_], default=None)
    if best is None:
        return Ruling(margin_mm=-CAPPED_MM, value=_dry(), because=(_WATER,), touches=(query.who,))
    ruling = Ruling(margin_mm=max(-CAPPED_MM, depths[best]), touches=(query.who, best))
    wet = is_met(ruling)
    concealed = wet and table.miniature(query.who).has("amphibious")
    return Ruling(
        margin_mm=ruling.margin_mm,
        value={"kind": "shallow-water" if wet else None, "barred": [], "def_base": None, "concealed": concealed},
        lengths_mm={"inside": depths[best]},
        witness=_perimeter(table, best),
        because=(_WATER, _ROUGH),
        touches=ruling.touches,
    )


def _dry() -> dict[str, JsonValue]:
    return {"kind": None, "barred": [], "def_base": None, "concealed": False}


def terrain_placement(table: Situation, query: TerrainPlacement) -> Ruling:
    """Whether a piece may lie there in this scenario; touching a limit is too near. Source: Scenarios, p. 84-87."""
    feature = _feature(table, query.feature)
    if feature is None:
        return Ruling(status="refused", because=(_KIND,), advice=f"{query.feature} is no terrain.")
    scenario = printed(table.state.scenario.name if table.state.scenario is not None else None)
    if scenario is None:
        return Ruling(status="unknown", needs=("scenario.name",), because=(_ZONES, _FLAGS))
    closed = ground_of(feature, counts_as(table, feature)) == "impassable"
    return all_of(
        (
            ("zones", _off_zones(table, feature, scenario, closed)),
            ("flags", _off_flags(table, feature, scenario, closed)),
        )
    )


def _laid(table: Situation, scenario: Printed) -> Layout:
    """Where flags and zones lie: as told, else as printed."""
    flags = tuple(o.at_mm for o in table.state.objectives if o.kind == "flag" and o.at_mm is not None)
    zones = tuple(table.area(z.id).parts[0].centre for z in table.state.zones if z.kind == "control")
    if flags or zones:
        return Layout(flags, zones)
    return layout(table.state, scenario) or Layout()


def _off_zones(table: Situation, feature: Terrain, scenario: Printed, closed: bool) -> Ruling:
    """Source: Incoming, p. 85."""
    zones = tuple(z.id for z in table.state.zones if z.kind == "control")
    areas = [table.area(z) for z in zones] or [
        Area((disc(centre, ZONE_MM / 2),)) for centre in _laid(table, scenario).zones
    ]
    if not closed or not areas:
        return Ruling(margin_mm=CAPPED_MM, because=(_ZONES,), touches=(feature.id,))
    apart = min(area_gap(table.area(feature.id), area).mm for area in areas)
    return Ruling(margin_mm=apart, zero_is_met=False, because=(_ZONES,), touches=(feature.id, *zones))


def _off_flags(table: Situation, feature: Terrain, scenario: Printed, closed: bool) -> Ruling:
    """Source: Close Quarters, p. 84."""
    flags = _laid(table, scenario).flags
    if not closed or not flags:
        return Ruling(margin_mm=CAPPED_MM, because=(_FLAGS,), touches=(feature.id,))
    apart = min(area_gap(table.area(feature.id), Area((disc(at, FLAG_MM / 2),))).mm for at in flags)
    return Ruling(margin_mm=apart - FLAG_CLEAR_MM, zero_is_met=False, because=(_FLAGS,), touches=(feature.id,))
