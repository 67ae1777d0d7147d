"""Table view: a state as phones draw it (the snapshot), what differs between two views (the patch), and whether a
state can be drawn at all, which is tried before anything of it is written.
"""

import math
from collections.abc import Iterator
from contextlib import suppress

from api.corrections.apply import name_candidate
from api.errors import BadCorrection
from api.evaluation.measuring_policy import is_measuring_free
from api.live.entities import plays_units, unit_bodies, unit_of
from api.live.messages import TableChange
from api.live.table_schemas import DrawnArea, DrawnCandidate, DrawnMiniature, DrawnTable, Rest
from models.base import Base, RoundBase
from models.miniature import Miniature
from models.shape import FARTHEST_MM, OutlineFields
from models.state import TableState
from models.terrain import Effect, Terrain
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import Point
from referee import EDITIONS, edition_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import NobodyLeft

LARGEST_BASE_MM = 10_000.0
_CIRCLE_CORNERS = 48  # a polygon this fine is off a 5 in circle by 0.14 mm, half a pixel of the picture at most


def table_view(state: TableState, rest: Rest | None = None) -> DrawnTable:
    """The table as the phone draws it, measured at this rest. A miniature that is not there any more is not drawn."""
    odd = ExactTable(state, EDITIONS[state.edition]).sized_by_book
    guessed = {m.id: m.base.counts_as_mm for m in odd}
    standing = (m for m in state.miniatures if "removed" not in m.status)
    return DrawnTable(
        state_id=state.state_id,
        edition=state.edition,
        is_measuring_free=is_measuring_free(state),
        size=state.table,
        house_rules=tuple(sorted(state.house_rules.items())),
        miniatures=tuple(_draw_miniature(state, m, guessed.get(m.id)) for m in standing),
        plays_units=plays_units(state),
        units=tuple(unit_bodies(state)),
        areas=tuple(_draw_area(t) for t in state.terrain)
        + tuple(_draw_area(e) for e in state.effects if e.has_outline()),
        unconfirmed=tuple(_draw_candidate(base, i) for i, base in enumerate(state.unconfirmed)),
        is_complete=state.called.is_complete,
        missing=len(state.called.missing),
        rest=rest,
    )


def is_patchable(old: DrawnTable, new: DrawnTable) -> bool:
    """Whether a patch can tell the difference; where size, rulebook, choices or licence change, phones start over."""
    return _frame(old) == _frame(new)


def table_patch(old: DrawnTable, new: DrawnTable, *, seq: int) -> TableChange:
    """The miniatures that are new or not as they were, the ids that are gone, and other lists where they differ."""
    before = {m.id: m for m in old.miniatures}
    return TableChange(
        seq=seq,
        state_id=new.state_id,
        changed=tuple(m for m in new.miniatures if before.get(m.id) != m),
        gone=tuple(sorted(before.keys() - {m.id for m in new.miniatures})),
        units=None if old.units == new.units else new.units,
        areas=None if old.areas == new.areas else new.areas,
        unconfirmed=None if old.unconfirmed == new.unconfirmed else new.unconfirmed,
        is_complete=new.is_complete,
        missing=new.missing,
        rest=new.rest,
    )


def check_drawable(state: TableState) -> None:
    """Draw the table, and lay out all that a question reads of it. Raises: BadCorrection, and whatever fails."""
    drawn = table_view(state)
    for miniature in (*drawn.miniatures, *drawn.units):
        if max(map(abs, miniature.at_mm)) > FARTHEST_MM:
            raise BadCorrection(
                f"{miniature.id!r} stands farther away than any table reaches",
                field="at_mm",
                value=list(miniature.at_mm),
            )
    for m in state.miniatures:
        for size_mm in _sizes_mm(m.base):
            if size_mm > LARGEST_BASE_MM:
                raise BadCorrection(f"the base of {m.id!r} is larger than any table", field="base", value=size_mm)
    exact = ExactTable(state, edition_of(state))
    for thing in state.things():
        with suppress(NobodyLeft):  # a unit may have lost everybody, or be there before them
            exact.area(thing.id)
    assert exact.ground_discs is not None


def outline_of(shape: OutlineFields) -> tuple[Point, ...]:
    if shape.polygon_mm is not None:
        return shape.polygon_mm
    if shape.centre_mm is not None and shape.diameter_mm is not None:
        return _circle_outline(shape.centre_mm, shape.diameter_mm / 2)
    if shape.line_mm is not None and shape.thickness_mm is not None:
        return _ribbon_outline(shape.line_mm, shape.thickness_mm / 2)
    return ()


def _sizes_mm(base: Base) -> Iterator[float]:
    if isinstance(base, RoundBase):
        yield base.diameter_mm
    else:
        yield from (base.width_mm, base.depth_mm)


def _draw_miniature(state: TableState, m: Miniature, guessed_size_mm: float | None) -> DrawnMiniature:
    return DrawnMiniature(
        id=m.id,
        name=m.name or m.id,
        side=m.side,
        base=m.base,
        at_mm=m.at_mm,
        facing_deg=m.facing_deg,
        facing_alternatives=m.facing_alternatives,
        sigma_mm=_worst_sigma_mm(m),
        sigma_facing_deg=m.sigma.facing_deg,
        unit=unit_of(state, m),
        guessed_size_mm=guessed_size_mm,
    )


def _draw_candidate(seen: UnconfirmedBase, index: int) -> DrawnCandidate:
    return DrawnCandidate(
        name=name_candidate(index),
        base=seen.base,
        at_mm=seen.at_mm,
        turn_deg=seen.turn_deg,
        probability=seen.probability,
    )


def _draw_area(thing: Terrain | Effect) -> DrawnArea:
    return DrawnArea(id=thing.id, kind=thing.kind, outline_mm=outline_of(thing))


def _worst_sigma_mm(m: Miniature) -> float:
    """Square root of the larger eigenvalue of the position's covariance."""
    (a, b), (_, d) = m.covariance()
    return math.sqrt(max(0.0, (a + d) / 2 + math.hypot((a - d) / 2, b)))


def _circle_outline(centre: Point, radius_mm: float) -> tuple[Point, ...]:
    turns = (math.tau * i / _CIRCLE_CORNERS for i in range(_CIRCLE_CORNERS))
    return tuple((centre[0] + radius_mm * math.cos(t), centre[1] + radius_mm * math.sin(t)) for t in turns)


def _ribbon_outline(line: tuple[Point, ...], half_mm: float) -> tuple[Point, ...]:
    """Both sides of a line, as one closed outline: left side out, right side back."""
    left = [_offset_corner(line, i, half_mm) for i in range(len(line))]
    right = [_offset_corner(line, i, -half_mm) for i in range(len(line))]
    return (*left, *reversed(right))


def _offset_corner(line: tuple[Point, ...], i: int, by_mm: float) -> Point:
    """The corner moved sideways, square to the line through its neighbours."""
    (x0, y0), (x1, y1) = line[max(i - 1, 0)], line[min(i + 1, len(line) - 1)]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    return (line[i][0] - (y1 - y0) / length * by_mm, line[i][1] + (x1 - x0) / length * by_mm)


def _frame(table: DrawnTable) -> tuple[object, ...]:
    return table.size, table.edition, table.house_rules, table.is_measuring_free
