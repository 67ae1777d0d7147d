"""References: what names what on a table, and what has to go with a thing that leaves.

An effect has an outline or stands `on` a thing that has a place, an objective may be a piece of terrain. What they name
must be there, and no effect may stand on itself, be it over others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.miniature import Miniature
from models.terrain import Effect, Objective, Terrain, Zone
from models.unit import Unit
from models.vocabulary import Id


@dataclass(frozen=True)
class BrokenReference:
    """A thing of the state names another that is not there, or itself."""

    field: str
    value: Id | None
    says: str


def placed_ids(
    miniatures: Sequence[Miniature],
    *,
    units: Iterable[Unit],
    terrain: Iterable[Terrain],
    objectives: Iterable[Objective],
    zones: Iterable[Zone],
) -> Iterator[Id]:
    """Ids of all that has a place on the table, effects aside: a unit of nobody has none."""
    yield from (m.id for m in miniatures)
    manned = {m.unit for m in miniatures}
    yield from (unit.id for unit in units if unit.id in manned)
    yield from (piece.id for piece in terrain)
    yield from (
        objective.id for objective in objectives if objective.at_mm is not None or objective.terrain is not None
    )
    yield from (zone.id for zone in zones if zone.has_outline())


def find_broken_reference(
    effects: Sequence[Effect], objectives: Sequence[Objective], *, known: Iterable[Id], terrain: Iterable[Id]
) -> BrokenReference | None:
    """The first that leads nowhere or in a ring; `known` are the ids of all that has a place, effects aside."""
    placed, ground, carriers = {*known, *(effect.id for effect in effects)}, set(terrain), _carriers(effects)
    for i, effect in enumerate(effects):
        if (why := _fault(effect, carriers, placed)) is not None:
            return BrokenReference(f"effects.{i}.on", effect.on, f"effect {effect.id!r} {why}")
    for i, objective in enumerate(objectives):
        if objective.terrain is not None and objective.terrain not in ground:
            says = f"objective {objective.id!r} names terrain {objective.terrain!r}, which is not there"
            return BrokenReference(f"objectives.{i}.terrain", objective.terrain, says)
    return None


def supported_effects(effects: Iterable[Effect], *, known: Iterable[Id]) -> tuple[Effect, ...]:
    """The effects without those whose carrier has gone; one with an outline of its own stays where it lies."""
    kept = tuple(effects)
    while True:
        placed = {*known, *(effect.id for effect in kept)}
        carriers = _carriers(kept)
        faulty = {effect.id for effect in kept if _fault(effect, carriers, placed) is not None}
        if not faulty:
            return kept
        kept = tuple(_let_go(e) if e.id in faulty else e for e in kept if e.id not in faulty or e.has_outline())


def supported_objectives(objectives: Iterable[Objective], *, terrain: Iterable[Id]) -> tuple[Objective, ...]:
    """The objectives without those whose terrain has gone; one with a place of its own stays there."""
    ground = set(terrain)
    return tuple(
        objective
        if objective.terrain is None or objective.terrain in ground
        else Objective(**{**dict(objective), "terrain": None})
        for objective in objectives
        if objective.terrain is None or objective.terrain in ground or objective.at_mm is not None
    )


def _carriers(effects: Iterable[Effect]) -> Mapping[Id, Id]:
    return {effect.id: effect.on for effect in effects if effect.on is not None}


def _fault(effect: Effect, carriers: Mapping[Id, Id], placed: set[Id]) -> str | None:
    """Why it has no place; None when it has."""
    if effect.on is None:
        return None if effect.has_outline() else "lies nowhere: give an outline, or what it is on"
    if effect.on not in placed:
        return f"is on {effect.on!r}, which is not there or has no place"
    passed: set[Id] = set()
    at: Id | None = effect.id
    while at is not None:
        if at in passed:
            return f"is on {effect.on!r}, which is itself or on it"
        passed.add(at)
        at = carriers.get(at)
    return None


def _let_go(effect: Effect) -> Effect:
    return Effect(**{**dict(effect), "on": None})
