"""Gap search: what players confirmed and denied on a table, asked of all that its picture leaves open."""

import math
from collections.abc import Iterable

from pydantic import Field

from api.corrections.schemas import BaseCorrection, CandidateCorrection, CorrectionGroup, CorrectionStep
from api.live.hub import Hub, table_of
from api.tap_measurement.crop_keeper import confirmed_in, singles_of
from api.tap_measurement.regiment_placement import LEAST_SIGMA_MM, unused_name
from api.tap_measurement.service import TapMeasurementService
from models.frozen import Frozen
from models.state import TableState
from models.tap import SizedOutline
from models.unconfirmed_base import UnconfirmedBase

_NAME = "base"
_SAME_MM = 5.0  # so near a denied place lay what was denied


class GapSheet(Frozen):
    """Bases that are likely by what players said of others on this table, to be confirmed together."""

    picture: str
    likely: tuple[SizedOutline, ...]
    correction: CorrectionGroup | None = Field(description="places all of them in one step; null: none is likely")


async def search_table(hub: Hub, taps: TapMeasurementService, picture: str) -> GapSheet:
    """The gaps of the table, searched by all that holds. Raises: NoPicture, NoTableYet, CameraFailed."""
    state, held = table_of(hub), taps.picture(picture)
    steps = [step for step in hub.undo_log.all() if not step.is_undone]
    placements = {m.id: m.placement for step in steps for m in confirmed_in(step, state)}
    standing = [
        m.model_copy(update={"placement": placements.get(m.id)}) for m in state.miniatures if "removed" not in m.status
    ]
    likely = await taps.search_gaps(standing, _denied(steps, hub.measured), held.name)
    return GapSheet(picture=held.name, likely=likely, correction=_placing(likely, state) if likely else None)


def _denied(steps: Iterable[CorrectionStep], measured: TableState | None) -> list[UnconfirmedBase]:
    """What players said is no base."""
    places = [
        single.at_mm
        for step in steps
        for single in singles_of(step)
        if isinstance(single, CandidateCorrection) and not single.is_base
    ]
    unconfirmed = () if measured is None else measured.unconfirmed
    return [each for each in unconfirmed if any(math.dist(each.at_mm, at_mm) < _SAME_MM for at_mm in places)]


def _placing(likely: Iterable[SizedOutline], state: TableState) -> CorrectionGroup:
    known, steps = set(state.by_id), list[BaseCorrection]()
    for each in likely:
        known.add(name := unused_name(_NAME, known))
        steps.append(
            BaseCorrection(
                do="base", id=name, at_mm=each.at_mm, base=each.base, turn_deg=each.turn_deg,
                sigma_mm=max(each.sigma_mm, LEAST_SIGMA_MM),
            )
        )  # fmt: skip
    return CorrectionGroup(do="several", corrections=tuple(steps))
