"""Redrawn states: exact tables drawn from what a state says of its doubt; the reference for all faster ways.

One draw moves everything as its sigmas say: camera and blocks as one piece, each base by itself, heights, facings among
their alternatives, terrain, effects, and contacts by their probability. The rule is then asked on the exact state by
the public path. Nothing here knows of margins, switches or modes that a rule hangs on.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from models.miniature import Miniature
from models.pose import Pose, Sigma
from models.queries.base import BaseQuery, QueryPart
from models.shape import OutlineFields
from models.state import Contact, TableState
from models.vocabulary import Point
from referee.arrays import Floats

Random = np.random.Generator
Outlined = TypeVar("Outlined", bound=OutlineFields)


def redraw_states(state: TableState, count: int, *, seed: int) -> Iterator[TableState]:
    """So many exact states, drawn independently."""
    generator = np.random.default_rng(seed)
    return (_redraw(state, generator) for _ in range(count))


def redraw_query(query: BaseQuery, state: TableState, drawn: TableState) -> BaseQuery:
    """The same question on a redrawn state: what begins or ends where a miniature stands does so there too."""
    changes: dict[str, object] = {}
    mover, to = getattr(query, "mover", getattr(query, "who", None)), getattr(query, "to", None)
    if isinstance(mover, str) and isinstance(to, Pose):
        changes["to"] = to.model_copy(update={"at_mm": _anchor((to.at_mm,), state, drawn, mover)[0]})
    for name in ("path_mm", *query.PARTS):
        value = getattr(query, name, None)
        if name == "path_mm" and value is not None and isinstance(mover, str):
            changes[name] = _anchor(value, state, drawn, mover)
        elif name != "path_mm":
            changes[name] = tuple(_anchor_part(part, state, drawn) for part in value or ()) or value
    return query.model_copy(update=changes) if changes else query


def _anchor_part(part: QueryPart, state: TableState, drawn: TableState) -> QueryPart:
    path, mover = getattr(part, "path_mm", None), getattr(part, "mover", None)
    anchored = None if path is None or mover is None else _anchor(path, state, drawn, mover)
    return part if anchored is None else part.model_copy(update={"path_mm": anchored})


def _anchor(path: tuple[Point, ...], state: TableState, drawn: TableState, mover: str) -> tuple[Point, ...]:
    rest, here = state.by_id.get(mover), drawn.by_id.get(mover)
    if not isinstance(rest, Miniature) or not isinstance(here, Miniature):
        return path
    return _move_ends(path, rest.at_mm, here.at_mm)


def _move_ends(path: tuple[Point, ...], rest: Point, here: Point) -> tuple[Point, ...]:
    return tuple(here if point == rest else point for point in path)


@dataclass(frozen=True)
class _Moved:
    """By how much everything of one draw moves as one piece with others."""

    shift_mm: dict[str, Floats]
    turn_deg: dict[str, float]


def _redraw(state: TableState, generator: Random) -> TableState:
    common = _draw_common(state, generator)
    fields = {name: getattr(state, name) for name in type(state).model_fields}
    changes = {
        "common_mm": (),
        "contacts": tuple(_draw_contact(contact, generator) for contact in state.contacts),
        "miniatures": tuple(_draw_miniature(miniature, state, common, generator) for miniature in state.miniatures),
        "terrain": tuple(_draw_outline(piece, generator) for piece in state.terrain),
        "effects": tuple(_draw_outline(effect, generator) for effect in state.effects),
    }
    return TableState(**(fields | changes))


def _draw_common(state: TableState, generator: Random) -> _Moved:
    shifts: dict[str, Floats] = {}
    turns: dict[str, float] = {}
    for mode in state.common_mm:
        z = float(generator.standard_normal())
        for id_, shift in mode.shift_mm.items():
            shifts[id_] = shifts.get(id_, np.zeros(2)) + z * np.array(shift)
        for id_, turn in mode.turn_deg.items():
            turns[id_] = turns.get(id_, 0.0) + z * turn
    return _Moved(shifts, turns)


def _draw_contact(contact: Contact, generator: Random) -> Contact:
    return Contact(a=contact.a, b=contact.b, probability=float(generator.random() < contact.probability))


def _draw_miniature(miniature: Miniature, state: TableState, common: _Moved, generator: Random) -> Miniature:
    own = np.array(miniature.covariance())
    for mode in state.common_mm:
        shift = np.array(mode.shift_mm.get(miniature.id, (0.0, 0.0)))
        own = own - np.outer(shift, shift)
    values, vectors = np.linalg.eigh(own)
    moved = vectors @ (np.sqrt(np.maximum(values, 0.0)) * generator.standard_normal(2))
    moved = moved + common.shift_mm.get(miniature.id, np.zeros(2))
    at = (miniature.at_mm[0] + float(moved[0]), miniature.at_mm[1] + float(moved[1]))
    path, outline = miniature.this_turn.path_mm, miniature.outline_mm
    changes = {
        "at_mm": at,
        "outline_mm": None if outline is None else tuple(_shift(point, *map(float, moved)) for point in outline),
        "this_turn": miniature.this_turn.model_copy(
            update={"path_mm": None if path is None else _move_ends(path, miniature.at_mm, at)}
        ),
        "facing_deg": _draw_facing(miniature, state, common, generator),
        "facing_alternatives": (),
        "elevation_mm": _draw_elevation(miniature, generator),
        "sigma": Sigma(),
        "covariance_mm2": None,
    }
    return type(miniature).model_validate(miniature.model_dump() | changes)


def _draw_facing(miniature: Miniature, state: TableState, common: _Moved, generator: Random) -> float | None:
    if miniature.facing_deg is None:
        return None
    spare = miniature.sigma.facing_deg**2 - sum(mode.turn_deg.get(miniature.id, 0.0) ** 2 for mode in state.common_mm)
    turn = common.turn_deg.get(miniature.id, 0.0) + math.sqrt(max(0.0, spare)) * float(generator.standard_normal())
    pick = float(generator.random())
    for other in miniature.facing_alternatives:
        if pick < other.probability:
            return other.facing_deg + turn
        pick -= other.probability
    return miniature.facing_deg + turn


def _draw_elevation(miniature: Miniature, generator: Random) -> float | None:
    if miniature.sigma.elevation_mm == 0:
        return miniature.elevation_mm
    return (miniature.elevation_mm or 0.0) + miniature.sigma.elevation_mm * float(generator.standard_normal())


def _draw_outline(outlined: Outlined, generator: Random) -> Outlined:
    """The thing shifted as a whole."""
    if outlined.sigma_mm == 0:
        return outlined
    dx, dy = outlined.sigma_mm * generator.standard_normal(2)
    changes: dict[str, object] = {"sigma_mm": 0.0}
    for name in ("polygon_mm", "line_mm"):
        if (points := getattr(outlined, name, None)) is not None:
            changes[name] = tuple(_shift(point, dx, dy) for point in points)
    if outlined.centre_mm is not None:
        changes["centre_mm"] = _shift(outlined.centre_mm, dx, dy)
    return type(outlined).model_validate(outlined.model_dump() | changes)


def _shift(point: Point, dx: float, dy: float) -> Point:
    return point[0] + float(dx), point[1] + float(dy)
