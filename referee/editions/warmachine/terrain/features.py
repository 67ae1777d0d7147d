"""Terrain features: what one grants to those behind it and inside it, and whether lines pass through it."""

from models.terrain import Effect, Terrain
from models.vocabulary import Point
from referee.editions.warmachine import parameters
from referee.editions.warmachine.miniatures.base_state import elevation_mm
from referee.editions.warmachine.terrain.shelter import Crossing, Grant
from referee.geometry.area_crossing import Run, least_run
from referee.geometry.corridor import depth_in_corridor
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least, is_more_than

# Source: Forests, p. 79; Rubble, p. 79; Burning Earth, p. 81: only those completely inside get it.
_INSIDE: dict[str, Grant] = {
    "forest": "concealment",
    "rubble": "cover",
    "ruin": "cover",
    "burning-earth": "concealment",
}
# Source: Concealment & Cover, p. 50; Obstructions and Terraced Obstructions, p. 81.
_BEHIND: dict[str, Grant] = {
    "wall": "cover", "fence": "concealment", "hedge": "concealment", "obstruction": "cover", "building": "cover",
    "structure": "cover", "terraced-obstruction": "cover",
}  # fmt: skip
OBSTACLES = frozenset({"obstacle", "linear-obstacle", "wall", "fence", "hedge"})
OBSTRUCTIONS = frozenset({"obstruction", "terraced-obstruction", "building", "structure"})
_WORDS: dict[str, Grant] = {
    "none": "none",
    "concealment": "concealment",
    "soft": "concealment",
    "cover": "cover",
    "hard": "cover",
}


# Source: Forests, Rubble and Shallow Water, p. 79; Trenches, p. 80; Hazards, p. 81: it shelters from within only.
_ONLY_INSIDE = frozenset(_INSIDE) | parameters.SHALLOW_WATER | {"trench"}


def granted_behind(terrain: Terrain) -> Grant:
    """What it grants to those behind it. Source: Concealment & Cover, p. 50."""
    if terrain.kind in _ONLY_INSIDE:
        return "none"
    return _BEHIND.get(terrain.kind, "none") if terrain.grants is None else _WORDS[terrain.grants]


def granted_inside(feature: Terrain | Effect) -> Grant:
    """What it grants to those inside it. Source: Forests and Rubble, p. 79; Cloud Effects, p. 60."""
    if isinstance(feature, Terrain) and feature.kind not in _ONLY_INSIDE:
        return "none"
    if feature.grants is not None:
        return _WORDS[feature.grants]
    return "concealment" if feature.kind in parameters.CLOUD_EFFECTS else _INSIDE.get(feature.kind, "none")


def crossing_of(table: ExactTable, source: str | Point, target: str, feature: Terrain) -> Crossing:
    """Whether lines from the source to the target pass through a feature on this side of the target.

    Source: Concealment & Cover, p. 50: from any part of one volume to any part of the other.
    """
    ends, area = (_base_of(table, source), table.base(target)), table.area(feature.id)
    depth = depth_in_corridor(*ends, area)
    if depth < 0 or _is_standing_on(table, target, feature, area):
        return Crossing(depth if depth < 0 else -parameters.FAR_MM, None)
    run = least_run(*ends, area)
    if run is None or _is_passed_over(table, source, target, feature, run):
        return Crossing(-parameters.FAR_MM, None)
    return Crossing(depth, run)


def _base_of(table: ExactTable, place: str | Point) -> RoundedShape:
    return table.area(place).parts[0]


def _is_standing_on(table: ExactTable, target: str, feature: Terrain, area: Area) -> bool:
    """Source: Terraced Obstructions, p. 81: those on top are not behind it."""
    if feature.kind not in parameters.ELEVATING_KINDS:
        return False
    depth_mm = -area_gap(area, Area((RoundedShape((table.centre(target),)),))).mm
    return is_at_least(depth_mm, 0.0, "has its centre on", (target, feature.id))


def _is_passed_over(table: ExactTable, source: str | Point, target: str, feature: Terrain, run: Run) -> bool:
    """Whether even the lowest line, from ground to ground, runs above the feature there."""
    top = feature.height_mm
    here = elevation_mm(table, source) if source in table.miniatures else 0.0
    there = elevation_mm(table, target)
    if top is None or here == there == 0.0:
        return False
    between = depth_of_line(_base_of(table, source), run)
    height = there + (here - there) * (run.mm / between if between > 0 else 0.0)
    on = tuple(dict.fromkeys((target, *((source,) if isinstance(source, str) else ()), feature.id)))
    return is_more_than(height, top, "is seen over the top from", on)


def depth_of_line(source: RoundedShape, run: Run) -> float:
    """The length of the line from the source's centre to the target."""
    (x, y), (tx, ty) = source.centre, run.at_base
    return float(((x - tx) ** 2 + (y - ty) ** 2) ** 0.5)


def find_feature(table: ExactTable, id_: str) -> Terrain | None:
    """The piece of terrain of that id; None where there is none."""
    return next((t for t in table.state.terrain if t.id == id_), None)
