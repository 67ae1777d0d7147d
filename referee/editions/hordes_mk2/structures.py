"""Structures: what part of one may be attacked, what it takes, whom it buries, and its doors."""

import math
from dataclasses import replace
from itertools import pairwise

from pydantic import JsonValue

from models.queries import Entryway, SprayHits, StructureCapacity, StructureCollapse, StructureTarget
from models.terrain import Opening, Terrain
from models.units import MM_PER_INCH, inches
from models.verdict import CAPPED_MM, Witness
from referee.areas import reach_into
from referee.candidates import considered, in_play, is_met
from referee.clauses import Clauses, all_of
from referee.coverage import covered_mm
from referee.editions.hordes_mk2.parameters import ARMOUR, LEAST_POWER, POINTS_PER_INCH, because
from referee.editions.warmachine_prime import sprays
from referee.editions.warmachine_prime.able import able
from referee.editions.warmachine_prime.melee import weapon_reaches
from referee.editions.warmachine_prime.shooting import shooting
from referee.gaps import area_gap
from referee.ruling import Ruling
from referee.shapes import Area, Rounded, disc, polygon_area
from referee.situation import Situation

_BOOKED = "Damaging and Destroying Structures"
_SECTION = because(_BOOKED, "An attack aims at a section; in range it hits by itself.")
_ONLY = because(_BOOKED, "Only structures can be attacked.")
_POWER = because(
    _BOOKED,
    f"A plain shot takes a POW of {LEAST_POWER}; melee, magic, AOE, fire and corrosion always count.",
)
_POINTS = because(_BOOKED, "So many points for each inch of perimeter, or length of a wall.")
_HALF = because(_BOOKED, "What stands or falls as a whole takes half of that.")
_BURIED = because(_BOOKED, "Whoever is inside is hit by ARM times the levels, and falls.")
_RUIN = because(_BOOKED, "A ruin as large is left: rough ground, cover by any part inside.")
_DOOR = because("Entryways", "Players agree beforehand which doors there are, and for which bases.")
_INSIDE = because("Entryways", "Nobody enters what has no inside one can reach.")
_SPRAYED = because(_BOOKED, "A spray hits every structure it covers some of.")
_SHAPE = {"polygon_mm", "centre_mm", "diameter_mm", "line_mm", "thickness_mm"}
KINDS = frozenset({"structure", "building"})  # Source: Structures
_LONG = frozenset({"wall", "fence", "hedge", "obstacle", "linear-obstacle"})  # Source: measured by length


def _feature(table: Situation, id_: str) -> Terrain | None:
    return next((t for t in table.state.terrain if t.id == id_), None)


def is_structure(terrain: Terrain) -> bool:
    """Whether it can be damaged: by its kind, or because its material is told. Source: Structures."""
    return terrain.kind in KINDS or terrain.material is not None


def structure_target(table: Situation, query: StructureTarget) -> Ruling:
    """Whether the attack may aim at that section, and reaches it; exactly the range does.

    Source: Damaging and Destroying Structures.
    """
    feature = _feature(table, query.target)
    if feature is None or not is_structure(feature):
        return Ruling(status="refused", because=(_ONLY,), advice=f"{query.target} is no structure.")
    section = _section(table, query, feature)
    if section is None:
        return Ruling(status="unknown", needs=("section",), because=(_SECTION,), touches=(query.attacker, feature.id))
    reach = _reach_mm(table, query)
    if reach is None:
        need = f"profile.{'melee' if query.attack == 'melee' else 'ranged'} of {query.attacker}"
        return Ruling(status="unknown", needs=(need,), because=(_SECTION,), touches=(query.attacker, feature.id))
    between = area_gap(table.area(query.attacker), section)
    apart = max(0.0, between.mm)
    near = Ruling(margin_mm=reach - apart, because=(_SECTION,), touches=(query.attacker, feature.id))
    clauses: list[tuple[str, Ruling]] = [("able", able(table, query.attacker)), ("range", near)]
    if query.attack == "ranged":
        clauses.append(("may-shoot", shooting(table, query.attacker)))
    ruling = all_of(tuple(clauses))
    segment = Witness(type="segment", role="limit", points_mm=(between.at_a, between.at_b), of=(query.attacker,))
    return replace(
        ruling,
        value={**ruling.value, "auto_hit": is_met(near), "damaging": _damaging(table, query)},
        lengths_mm={"distance": apart},
        witness=(segment,),
        because=(_SECTION, _POWER),
        readings=("structure-point",),
        doubtful=("structure-point",) if query.section is not None and apart > 0 else (),
    )


def _section(table: Situation, query: StructureTarget, feature: Terrain) -> Area | None:
    """The part that is aimed at; all of it where that is how the table reads it, or where it has no sections."""
    whole = table.area(feature.id)
    if table.reading("structure-point") == "any-part" or (query.section is None and not feature.sections):
        return whole
    if query.section is None:
        return None
    if isinstance(query.section, tuple):
        return Area((disc(query.section, 0.0),))
    if query.section >= len(feature.sections):
        return None
    line = feature.sections[query.section]
    return Area(tuple(Rounded((a, b)) for a, b in pairwise(line)) or (disc(line[0], 0.0),))


def _reach_mm(table: Situation, query: StructureTarget) -> float | None:
    profile = table.miniature(query.attacker).profile
    if query.attack == "melee":
        return max(weapon_reaches(table.miniature(query.attacker), query.weapon).values(), default=None)
    if query.attack == "magic":
        spells = [s.rng_in for s in profile.spells if query.weapon in (None, s.name)]
        return max((inches(r) for r in spells if isinstance(r, float | int)), default=None)
    guns = [w.rng_in for w in profile.ranged if query.weapon in (None, w.name) and w.rng_in is not None]
    return max((inches(g if isinstance(g, float | int) else g[1]) for g in guns), default=None)


def _damaging(table: Situation, query: StructureTarget) -> bool | str:
    """Whether it can hurt; of a plain shot that hangs on a POW that no card here tells."""
    guns = [w for w in table.miniature(query.attacker).profile.ranged if query.weapon in (None, w.name)]
    plain = query.attack == "ranged" and all(w.aoe_in is None for w in guns)
    return f"with POW {LEAST_POWER} or more" if plain else True


def structure_capacity(table: Situation, query: StructureCapacity) -> Ruling:
    """How many points of damage it takes. Source: Damaging and Destroying Structures."""
    feature = _feature(table, query.feature)
    if feature is None:
        return Ruling(status="refused", because=(_ONLY,), advice=f"{query.feature} is no terrain.")
    per_inch = POINTS_PER_INCH.get(feature.material or "")
    if per_inch is None:
        return Ruling(status="unknown", needs=(f"material of {feature.id}",), because=(_POINTS,))
    length = _length_mm(table, feature)
    points = length / MM_PER_INCH * per_inch / (2 if feature.complex else 1)
    return Ruling(
        status="measured",
        value={"points": math.ceil(points - 1e-6), "length_mm": length, "per_inch": per_inch},
        lengths_mm={"length": length},
        because=(_POINTS, _HALF) if feature.complex else (_POINTS,),
        touches=(feature.id,),
    )


def _length_mm(table: Situation, feature: Terrain) -> float:
    """The perimeter; of a wall its length."""
    if feature.line_mm is not None:
        return sum(math.dist(a, b) for a, b in pairwise(feature.line_mm))
    if feature.diameter_mm is not None:
        return math.pi * feature.diameter_mm
    outline = table.area(feature.id).outline
    sides = [math.dist(a, b) for a, b in zip(outline, (*outline[1:], outline[0]), strict=True)]
    return max(sides) if feature.kind in _LONG else sum(sides)


def structure_collapse(table: Situation, query: StructureCollapse) -> Ruling:
    """Whom the collapse buries: any part of the base inside. Source: Damaging and Destroying Structures."""
    feature = _feature(table, query.feature)
    if feature is None or not is_structure(feature):
        return Ruling(status="refused", because=(_ONLY,), advice=f"{query.feature} is no structure.")

    def about(nudged: Situation, id_: str) -> Ruling:
        depth = reach_into(nudged.base(id_), nudged.area(query.feature))
        return Ruling(margin_mm=depth, zero_is_met=False, because=(_BURIED,), touches=(id_, query.feature))

    ids = sorted(in_play(table), key=lambda id_: -about(table, id_).decisive_mm)
    levels = feature.floors or 1
    armour = ARMOUR.get(feature.material or "")
    ruin = feature.model_dump(
        mode="json", include={"polygon_mm", "centre_mm", "diameter_mm", "line_mm", "thickness_mm"}
    )
    return Ruling(
        status="measured",
        value={
            "power": None if armour is None else armour * levels,
            "levels": levels,
            "ruin": {"id": feature.id, "kind": "ruin", **{key: one for key, one in ruin.items() if one is not None}},
        },
        because=(_BURIED, _RUIN),
        needs=() if armour is not None else (f"material of {feature.id}",),
        members=considered(table, tuple(ids), about),
    )


def entryway(table: Situation, query: Entryway) -> Ruling:
    """Whether it may go in: a door agreed on for its base, and wide enough; just as wide is. Source: Entryways."""
    feature = _feature(table, query.feature)
    if feature is None:
        return Ruling(status="refused", because=(_DOOR,), advice=f"{query.feature} is no terrain.")
    doors = feature.openings if query.opening is None else feature.openings[query.opening : query.opening + 1]
    touches = (query.mover, feature.id)
    if not doors:
        return Ruling(margin_mm=-CAPPED_MM, value={"clauses": []}, because=(_DOOR, _INSIDE), touches=touches)
    wide = 2 * table.base(query.mover).reach_mm
    door = max(doors, key=lambda one: (_agreed(one, wide), math.dist(one.at_mm, one.to_mm)))
    fits = Ruling(margin_mm=math.dist(door.at_mm, door.to_mm) - wide, because=(_DOOR,), touches=touches)
    agreed = Ruling(margin_mm=CAPPED_MM if _agreed(door, wide) else -CAPPED_MM, because=(_DOOR,), touches=touches)
    clauses: Clauses = (("agreed", agreed), ("width", fits))
    ruling = all_of(clauses)
    segment = Witness(type="segment", role="limit", points_mm=(door.at_mm, door.to_mm), of=(feature.id,))
    return replace(ruling, lengths_mm={"opening": math.dist(door.at_mm, door.to_mm)}, witness=(segment,))


def _agreed(door: Opening, wide_mm: float) -> bool:
    """Whether the players let bases of this size through; with no sizes told, all that fit."""
    return not door.bases_mm or any(abs(size - wide_mm) < 1e-6 for size in door.bases_mm)


def spray_hits(table: Situation, query: SprayHits) -> Ruling:
    """Whom the template covers, and which structures. Source: Spray Attacks; Damaging and Destroying Structures."""
    ruling = sprays.spray_hits(table, query)
    if query.outline_mm is None or ruling.status != "decided":
        return ruling
    laid = polygon_area(query.outline_mm)
    hit: list[JsonValue] = [t.id for t in table.state.terrain if is_structure(t) and _covers(table, laid, t) >= 0]
    return replace(
        ruling,
        value={**ruling.value, "structures": hit},
        because=(*ruling.because[: 3 if hit else None], *((_SPRAYED,) if hit else ())),
    )


def _covers(table: Situation, laid: Area, terrain: Terrain) -> float:
    return max(covered_mm(laid, part) for part in table.area(terrain.id).parts)
