"""Whose base stands between two miniatures, whether it counts, and why not."""

from models.miniature import Miniature
from referee.crossing import least_run
from referee.editions.warmachine_prime import parameters
from referee.editions.warmachine_prime.ground import (
    has_stealth,
    is_incorporeal,
    level,
    size_mm,
    stands_in,
    wholly_in,
)
from referee.editions.warmachine_prime.sight_ground import add_ground, sum_woods
from referee.editions.warmachine_prime.terms import terms_of
from referee.editions.warmachine_prime.way import Corridor, InTheWay
from referee.gaps import area_gap
from referee.shapes import Area
from referee.sight import Obstacle
from referee.situation import Situation


def in_the_way(
    table: Situation,
    viewer: str,
    target: str,
    ignoring: tuple[str, ...],
    *,
    past_models: bool = False,
    purpose: str | None = None,
) -> InTheWay:
    """What counts as blocker for a line between these two; `past_models` looks past every base.

    Source: Line of Sight & Targeting, p. 36-39.
    """
    corridor = Corridor.between(table.base(viewer), table.base(target))
    bases = table.crowd.beyond_mm(corridor.a, corridor.b) - corridor.half_mm
    away = corridor.all_beyond_mm((area for _, area in table.grounds), table.ground_discs)
    grounds = [(far, thing) for far, (thing, _) in zip(away, table.grounds, strict=True)]
    found = InTheWay(corridor, table.crowd, bases, grounds, past_models=past_models, purpose=purpose)
    look_around(table, viewer, target, ignoring, found, up_to_mm=0.0)
    sum_woods(table, viewer, target, found)
    return found


def look_around(
    table: Situation, viewer: str, target: str, ignoring: tuple[str, ...], found: InTheWay, *, up_to_mm: float
) -> bool:
    """Sort what stands up to this far from the corridor by what it does; whether a blocker was added."""
    before = len(found.obstacles) + len(found.woods)
    for beyond, ground in found.grounds:
        if found.reach_mm < beyond <= up_to_mm:
            add_ground(table, viewer, target, ground, ignoring, found, near=beyond <= 0)
    for beyond, id_ in found.bases_up_to(up_to_mm):
        if id_ not in (viewer, target):
            _add_base(table, viewer, target, table.miniature(id_), ignoring, found, near=beyond <= 0)
    found.reach_mm = max(found.reach_mm, up_to_mm)
    return len(found.obstacles) + len(found.woods) > before


def _add_base(
    table: Situation,
    viewer: str,
    target: str,
    miniature: Miniature,
    ignoring: tuple[str, ...],
    found: InTheWay,
    *,
    near: bool,
) -> None:
    terms = terms_of(table)
    asked = miniature.id in ignoring
    why = "asked" if asked else terms.why_ignored(table, viewer, target, miniature, found.purpose)
    if why is None and found.past_models:
        why = "flight"
    if why is None:
        found.obstacles.append(Obstacle(miniature.id, Area((table.base(miniature.id),))))
    elif near:
        found.ignored[miniature.id] = why
    if near and why in (None, "lower"):
        found.by_level |= {miniature.id} if why == "lower" else set()
        found.doubtful |= terms.level_doubts(table, viewer, target, miniature.id)


def why_ignored(
    table: Situation, viewer: str, target: str, blocker: Miniature, purpose: str | None = None
) -> str | None:
    """Why a base does not close the line, or None when it does. Source: Line of Sight & Targeting, p. 36."""
    if why := why_never(table, viewer, target, blocker):
        return why
    if blocker.has("amphibious") and _in_kind(table, blocker.id, parameters.SHALLOW_WATER):
        return "amphibious"
    return "lower" if _is_looked_past(table, viewer, target, blocker.id) else None


def why_never(table: Situation, viewer: str, target: str, blocker: Miniature) -> str | None:
    """Why a base closes no line, at whatever height. Source: Line of Sight & Targeting, p. 36."""
    if "removed" in blocker.status:
        return "removed"
    if "knocked-down" in blocker.status:  # Source: Knockdown, p. 61
        return "knocked-down"
    if is_incorporeal(blocker):  # Source: Advantages, p. 17
        return "incorporeal"
    if size_mm(blocker) < size_mm(table.miniature(target)):
        return "smaller"
    if _is_stealthy(table, viewer, blocker):
        return "stealth"
    in_trench = _in_kind(table, blocker.id, {"trench"}) and not _in_kind(table, target, {"trench"})
    return "trench" if in_trench else None


def _is_stealthy(table: Situation, viewer: str, blocker: Miniature) -> bool:
    """Source: Advantages, p. 17: beyond 5 in; exactly 5 in is near."""
    if not has_stealth(blocker):
        return False
    return area_gap(table.area(viewer), table.area(blocker.id)).mm > parameters.STEALTH_MM + 1e-9


def _in_kind(table: Situation, id_: str, kinds: frozenset[str] | set[str]) -> bool:
    places = tuple(t.id for t in table.state.terrain if t.kind in kinds)
    return bool(places) and table.remembered(f"in {sorted(kinds)}", id_, lambda: _wholly_in(table, id_, places))


def _wholly_in(table: Situation, id_: str, places: tuple[str, ...]) -> bool:
    if table.reading("trench-joined") == "one-must-hold-it":
        return any(wholly_in(table, id_, (place,)) for place in places)
    near = tuple(p for p in places if stands_in(table, id_, p))
    return bool(near) and wholly_in(table, id_, near)


def _is_looked_past(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether elevation lets the line pass over this base. Source: Elevation & Line of Sight, p. 78."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return False
    mine, theirs, its = (level(table, id_) for id_ in (viewer, target, blocker))
    if mine == theirs:
        return table.reading("equal-height") == "ignored" and its < mine
    if mine < theirs:
        return its < theirs
    low = its < mine if table.reading("lower-than-whom") == "viewer" else its <= theirs
    return low and not _is_near(table, viewer, target, blocker)


def _is_near(table: Situation, viewer: str, target: str, blocker: str) -> bool:
    """Whether it stands within an inch of the target; exactly an inch is. Source: Elevation & Line of Sight, p. 78."""
    beside = area_gap(table.area(blocker), table.area(target)).mm <= parameters.NEAR_TARGET_MM + 1e-9
    if not beside or table.reading("near-target") == "anywhere":  # no line between them is shorter than the gap
        return beside
    run = least_run(table.base(viewer), table.base(target), table.area(blocker))
    return run is not None and run.mm <= parameters.NEAR_TARGET_MM + 1e-9


def level_doubts(table: Situation, viewer: str, target: str, blocker: str) -> set[str]:
    """The readings under which elevation might treat this base otherwise."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return set()
    mine, theirs, its = (level(table, id_) for id_ in (viewer, target, blocker))
    if its >= mine or mine < theirs:
        return set()
    if mine == theirs:
        return {"equal-height"}
    beside = area_gap(table.area(blocker), table.area(target)).mm <= parameters.NEAR_TARGET_MM + 1e-9
    return {"near-target"} if beside else {"lower-than-whom"} if its > theirs else set()
