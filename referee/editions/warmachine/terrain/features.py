"""Terrain features: what a piece counts as and what it grants, and trenches."""

from models.queries import TerrainClass, Trench
from models.terrain import Effect, Terrain
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine import parameters
from referee.editions.warmachine.miniatures.base_state import elevation_mm
from referee.editions.warmachine.miniatures.distances import ids_that_matter
from referee.editions.warmachine.parameters import SHALLOW_WATER, because
from referee.editions.warmachine.terms import Crossing, Grant, terms_of
from referee.geometry.area_crossing import Run, least_run
from referee.geometry.containment import depth_of_base, reach_into
from referee.geometry.corridor import depth_in_corridor
from referee.geometry.distance import area_gap
from referee.geometry.shapes import Area, RoundedShape
from referee.rules.candidates import answer_word
from referee.rules.conditions import all_of
from referee.rules.exact_table import ExactTable
from referee.rules.explanations import format_length, name_of, with_effect
from referee.rules.rule_result import RuleResult, Value, ask_for
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
TALL_MM = inches(1)  # Source: Obstacles, p. 80; Obstructions, p. 81
_TALL = because("Variably Sized Terrain Features", 81, "Up to 1 in tall it is an obstacle, taller an obstruction.")
FEATURES = because("Standard Terrain Features", 78, "Each kind of feature says how it is crossed and what it grants.")
WATERS = SHALLOW_WATER | {"acid-bath"}  # Source: Hazards, p. 81: an acid bath is shallow water too
_ROUGH_KINDS = frozenset({"rough", "forest", "rubble", "ruin"}) | WATERS
_IN_TRENCH = because("Trenches", 80, "Cover takes a base completely within one trench or several joined ones.")
_TOUCH = because("Trenches", 80, "An attacker touching a trench the target is in looks straight into it.")
_BLAST = because("Trenches", 80, "No blast hurts it unless the blast starts in a trench it touches.")
_NO_TRENCH = because("Trenches", 80, "It stands in no trench.")


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
    target_mm = elevation_mm(table, target)
    if top is None or here == target_mm == 0.0:
        return False
    between = depth_of_line(_base_of(table, source), run)
    height = target_mm + (here - target_mm) * (run.mm / between if between > 0 else 0.0)
    on = tuple(dict.fromkeys((target, *((source,) if isinstance(source, str) else ()), feature.id)))
    return is_more_than(height, top, "is seen over the top from", on)


def depth_of_line(source: RoundedShape, run: Run) -> float:
    """The length of the line from the source's centre to the target."""
    (x, y), (tx, ty) = source.centre, run.at_base
    return float(((x - tx) ** 2 + (y - ty) ** 2) ** 0.5)


def find_feature(table: ExactTable, id_: str) -> Terrain | None:
    """The piece of terrain of that id; None where there is none."""
    return next((t for t in table.state.terrain if t.id == id_), None)


def terrain_class(table: ExactTable, query: TerrainClass) -> RuleResult:
    """Terrain class: what a piece counts as by its kind and height. Source: Standard Terrain Features, p. 78-81."""
    feature = find_feature(table, query.feature)
    if feature is None:
        return RuleResult(status="refused", because=(FEATURES,), advice=f"{query.feature} is no terrain.")
    counts = counts_as(table, feature)
    if counts is None:
        return ask_for(f"height_mm of {feature.id}", because=(_TALL,))
    limits: Value = {} if feature.height_mm is None else {"one_inch": feature.height_mm - TALL_MM}
    return RuleResult(
        status="measured",
        value={
            "counts_as": counts,
            "ground": ground_of(feature, counts),
            "grants": granted_behind(feature) if counts in OBSTACLES | OBSTRUCTIONS else granted_inside(feature),
            "limits_mm": limits,
        },
        because=(FEATURES, _TALL) if feature.kind in OBSTACLES | OBSTRUCTIONS else (FEATURES,),
        readings=("one-inch-tall",) if feature.height_mm == TALL_MM else (),
    )


def counts_as(table: ExactTable, feature: Terrain) -> str | None:
    """What the book that is asked takes it for. Source: Variably Sized Terrain Features, p. 81."""
    return terms_of(table).counts_as(table, feature)


def counts_by_height(table: ExactTable, feature: Terrain) -> str | None:
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


def dry_value() -> Value:
    """What a verdict on water tells of who is in none."""
    return {"kind": None, "barred": [], "def_base": None, "concealed": False}


def trench(table: ExactTable, query: Trench) -> RuleResult:
    """Trench: whether the target is wholly in trenches that the attacker does not touch; asked about a blast alone,
    whether that starts outside them.

    Source: Trenches, p. 80.
    """
    inside = check_inside_trenches(table, query.target)
    covered = inside if query.attacker is None else check_sheltered(table, query.target, query.attacker)
    immune = inside if query.origin is None else _check_blast_immunity(table, query.target, query.origin)
    result = immune if query.attacker is None and query.origin is not None else covered
    sure = answer_word(inside)
    return RuleResult(
        margin_mm=result.decisive_mm,
        zero_is_met=result.zero_is_met,
        value={
            "cover": answer_word(covered) == "yes",
            "blast_immune": answer_word(immune) == "yes",
            "screens": sure != "yes",
            "trenches": list(_trenches_near(table, query.target)),
        },
        lengths_mm={"inside": inside.decisive_mm} if abs(inside.decisive_mm) < CAPPED_MM else {},
        witness=tuple(_outline(table, id_) for id_ in _trenches_near(table, query.target)),
        because=result.because,
        readings=("trench-joined", "area-touch"),
        doubtful=result.doubtful,
        depends_on_place=result.depends_on_place,
    )


# Source: Forests, Rubble and Shallow Water, p. 79; Trenches, p. 80; Hazards, p. 81: it shelters from within only.
_ONLY_INSIDE = frozenset(_INSIDE) | parameters.SHALLOW_WATER | {"trench"}


def check_sheltered(table: ExactTable, target: str, attacker: str | Point) -> RuleResult:
    """Whether the target has a trench's cover from this attacker. Source: Trenches, p. 80."""
    inside = check_inside_trenches(table, target)
    near = _trenches_near(table, target)
    if not near:
        return inside
    apart = min(area_gap(table.area(attacker), table.area(id_)).mm for id_ in near)
    outside = RuleResult(
        margin_mm=apart,
        zero_is_met=table.reading("area-touch") == "not-covered",
        because=(
            with_effect(
                table, _TOUCH, f"{name_of(table, attacker)} stands {format_length(max(0.0, apart))} from the trench."
            ),
        ),
        doubtful=("area-touch",) if abs(apart) < 1e-6 else (),
        depends_on_place=ids_that_matter(attacker, *near),
    )
    return all_of((("inside", inside), ("attacker-outside", outside)))


def check_inside_trenches(table: ExactTable, target: str) -> RuleResult:
    """Whether the base is completely within trenches. Source: Trenches, p. 80."""
    near = _trenches_near(table, target)
    if not near:
        return RuleResult(
            margin_mm=_off_mm(table, target), zero_is_met=False, because=(_NO_TRENCH,), depends_on_place=(target,)
        )
    base, every = table.base(target), tuple(table.area(id_) for id_ in _all_trenches(table))
    alone = max(depth_of_base(base, (area,)) for area in every)
    joined = depth_of_base(base, every)
    return RuleResult(
        margin_mm=alone if table.reading("trench-joined") == "one-must-hold-it" else joined,
        because=(with_effect(table, _IN_TRENCH, _describe_inside(table, target, joined)),),
        doubtful=("trench-joined",) if (alone >= 0) != (joined >= 0) else (),
        depends_on_place=(target, *near),
    )


def _describe_inside(table: ExactTable, target: str, depth_mm: float) -> str:
    name = name_of(table, target)
    if depth_mm >= 0:
        return f"{name} lies wholly inside, by {format_length(depth_mm)}."
    return f"{format_length(-depth_mm)} of {name} are outside."


def _check_blast_immunity(table: ExactTable, target: str, origin: str | Point) -> RuleResult:
    inside, near = check_inside_trenches(table, target), _trenches_near(table, target)
    if not near:
        return inside
    apart = min(area_gap(table.area(origin), table.area(id_)).mm for id_ in near)
    reason = with_effect(
        table, _BLAST, f"It starts {format_length(abs(apart))} {'outside' if apart >= 0 else 'inside'} the trench."
    )
    outside = RuleResult(
        margin_mm=apart, zero_is_met=False, because=(reason,), depends_on_place=ids_that_matter(origin, *near)
    )
    return all_of((("inside", inside), ("blast-outside", outside)))


def _trenches_near(table: ExactTable, target: str) -> tuple[str, ...]:
    """The trenches the target is in or touches."""
    base = table.base(target)
    depths = {id_: reach_into(base, table.area(id_)) for id_ in _all_trenches(table)}
    return tuple(id_ for id_, mm in depths.items() if is_at_least(mm, 0.0, "touches", (target, id_)))


def _all_trenches(table: ExactTable) -> tuple[str, ...]:
    return tuple(t.id for t in table.state.terrain if t.kind == "trench")


def _off_mm(table: ExactTable, target: str) -> float:
    """How far outside the nearest trench it stands, as a negative margin."""
    base = table.base(target)
    reaches = [reach_into(base, table.area(id_)) for id_ in _all_trenches(table)]
    return max(reaches, default=-CAPPED_MM) - (2 * base.reach_mm if reaches else 0.0)


def _outline(table: ExactTable, id_: str) -> Witness:
    area = table.area(id_)
    if area.outline:
        return Witness(type="polygon", role="limit", points_mm=area.outline, of=(id_,))
    part = area.parts[0]
    return Witness(type="circle", role="limit", centre_mm=part.centre, radius_mm=part.reach_mm, of=(id_,))
