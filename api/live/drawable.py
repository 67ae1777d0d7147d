"""Drawable: whether a table can be shown and asked about, tried before anything of it is written."""

from collections.abc import Iterator
from contextlib import suppress

from api.errors import BadCorrection
from api.live.table_view import table_view
from models.base import Base, RoundBase
from models.shape import FARTHEST_MM
from models.state import TableState
from referee import edition_of
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import NobodyLeft

LARGEST_BASE_MM = 10_000.0


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


def _sizes_mm(base: Base) -> Iterator[float]:
    if isinstance(base, RoundBase):
        yield base.diameter_mm
    else:
        yield from (base.width_mm, base.depth_mm)
