"""Path of a miniature: told, tracked, or straight from where it stands."""

from models.pose import Pose
from models.unit_conversion import inches, radians
from models.vocabulary import Point
from referee.motion.travel_budget import straight_path
from referee.rules.exact_table import ExactTable

Path = tuple[Point, ...]


def path_of(
    table: ExactTable,
    mover: str,
    told: Path | None = None,
    *,
    heading_deg: float | None = None,
    distance_mm: float | None = None,
    to: Pose | None = None,
) -> Path | None:
    """The places of its base centre from where the move began; None when nobody has told any.

    Points where the state has the miniature stand for the miniature itself, and are as sure as that is.
    """
    here = table.centre(mover)
    if told is not None:
        return _anchor(table, mover, told if len(told) > 1 else (table.miniature(mover).at_mm, *told))
    if to is not None:
        return (here, to.at_mm)
    if heading_deg is not None:
        return None if distance_mm is None else straight_path(here, radians(heading_deg), distance_mm)
    return _tracked_path(table, mover)


def _anchor(table: ExactTable, mover: str, path: Path) -> Path:
    rest, here = table.miniature(mover).at_mm, table.centre(mover)
    return tuple(here if point == rest else point for point in path)


def _tracked_path(table: ExactTable, mover: str) -> Path | None:
    """The path this turn, else straight from where it stood before."""
    me = table.miniature(mover)
    if me.this_turn.path_mm is not None and len(me.this_turn.path_mm) > 1:
        return _anchor(table, mover, me.this_turn.path_mm)
    return None if me.before is None else (me.before.at_mm, table.centre(mover))


def speed_mm(table: ExactTable, mover: str) -> float | None:
    """The current speed. Source: Model Statistics, p. 15; Full Advance, p. 30."""
    profile = table.miniature(mover).profile
    if profile.spd_in is None:
        return None
    return inches(max(0.0, profile.spd_in + profile.spd_bonus_in - profile.spd_penalty_in))
