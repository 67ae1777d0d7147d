"""Blockers of a line of sight: who is looked past from above, and from below."""

from models.miniature import Miniature
from models.queries import Los
from referee.editions.warmachine.line_of_sight import los as shared
from referee.editions.warmachine.line_of_sight.blockers import why_never
from referee.editions.warmachine.miniatures.base_state import size_mm
from referee.editions.warmachine.mk1.parameters import SCREEN_MM, because
from referee.editions.warmachine.mk1_and_mk2.terrain.ground_height import is_higher
from referee.geometry.distance import gap
from referee.rules.candidates import in_play, is_met
from referee.rules.exact_table import ExactTable
from referee.rules.switches import is_at_least

LEVEL = because(
    "Elevation and LOS, Prime p. 33",
    "From above the lower are looked past, but for larger bases than the viewer's that screen; so are those below a "
    "higher target.",
)


def why_ignored(table: ExactTable, viewer: str, target: str, blocker: Miniature, purpose: str | None) -> str | None:
    """Why a base does not close the line; stealth hides nobody from being in the way.

    Source: Intervening Models, Prime p. 33; Knockdown, p. 49; Q/A on engaging: only terrain shuts one off in melee.
    """
    if purpose == "melee":
        return "melee"
    why = why_never(table, viewer, target, blocker)
    if why is not None and why != "stealth":
        return why
    return "lower" if is_looked_past(table, viewer, target, blocker.id) else None


def is_looked_past(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether height lets a line pass over this base. Source: Elevation and LOS, Prime p. 33."""
    if not table.state.terrain and all(m.elevation_mm is None for m in table.state.miniatures):
        return False
    if is_higher(table, target, viewer):
        return is_higher(table, target, blocker)
    if not (is_higher(table, viewer, target) and is_higher(table, viewer, blocker)):
        return False
    larger = size_mm(table.miniature(blocker)) > size_mm(table.miniature(viewer))
    return not (larger and _is_screen_from_above(table, viewer, target, blocker))


def _is_screen_from_above(table: ExactTable, viewer: str, target: str, blocker: str) -> bool:
    """Whether that model screens when seen from level ground; it stands in the way already, and is no smaller."""
    apart_mm = gap(table.base(blocker), table.base(target)).mm
    near = is_at_least(SCREEN_MM, apart_mm, "stands within 1 in of", (blocker, target))
    if not near or table.reading("screen-from-above") == "base-and-distance":
        return near
    return not is_below(table, blocker, target) and is_shown_by_terrain(table, viewer, blocker)


def is_below(table: ExactTable, blocker: str, target: str) -> bool:
    """Whether it stands on lower ground than the target. Source: Elevation and LOS, Prime p. 33."""
    return is_higher(table, target, blocker)


def is_shown_by_terrain(table: ExactTable, viewer: str, who: str) -> bool:
    """Whether terrain leaves the viewer a line to it. Source: Screening, Prime p. 33: terrain alone hides a screen."""
    if not table.state.terrain and not table.state.effects:
        return True
    past = in_play(table, viewer, who) if table.reading("screen-hidden-by") == "terrain" else ()
    return is_met(
        shared.line_of_sight(table, Los(viewer=viewer, target=who, ignoring=past)), "is not hidden by terrain from"
    )
