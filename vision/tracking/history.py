"""History: earlier states of a table, as they were told and as they are known now."""

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from models.errors import BadInput
from models.miniature import Miniature
from models.state import TableState
from models.timeline import EventLine, StateLine

_KEPT = 2000  # states; a game of three hours has some hundreds


class History:
    """Settled states of a timeline, and what was learnt later about who is who."""

    def __init__(self, lines: Iterable[StateLine | EventLine] = (), *, most: int = _KEPT) -> None:
        self._states: deque[StateLine] = deque(maxlen=most)
        self._renamings: list[EventLine] = []
        self._bumps_s: list[float] = []
        for line in lines:
            self.append(line)

    def append(self, line: StateLine | EventLine) -> None:
        """One more line, in the order in which they are told."""
        if isinstance(line, StateLine):
            self._states.append(line)
        elif line.renamed and line.since_s is not None:
            self._renamings.append(line)
        elif line.type == "camera-moved":
            self._bumps_s.append(line.t_s)

    def at(self, t_s: float, *, as_told: bool = False) -> StateLine:
        """The newest settled state at that moment, with the names that are known to be right now.

        `as_told`: with the names of then. Raises: BadInput when nothing was known by then.
        """
        index = bisect_right([line.t_s for line in self._states], t_s)
        if index == 0:
            raise BadInput(f"no settled state is known of {t_s:g} s", field="at_s", value=t_s)
        line = self._states[index - 1]
        return line if as_told else self._with_renames(line)

    def displacement(self, id_: str, *, from_s: float, to_s: float) -> "Displacement":
        """Displacement of this miniature from the first moment to the second. Raises: BadInput."""
        before, after = self.at(from_s), self.at(to_s)
        is_same_camera = not any(before.t_s < bump_s <= after.t_s for bump_s in self._bumps_s)
        return measure_displacement(id_, before.state, after.state, is_same_camera=is_same_camera)

    def _with_renames(self, line: StateLine) -> StateLine:
        """With every renaming that concerns this moment and was told after it."""
        state = line.state
        for renaming in self._renamings:
            assert renaming.renamed is not None
            assert renaming.since_s is not None
            if renaming.since_s <= line.t_s < renaming.t_s:
                state = rename_miniatures(state, renaming.renamed)
        return StateLine(t_s=line.t_s, frame=line.frame, settled_at_s=line.settled_at_s, state=state)


@dataclass(frozen=True)
class Displacement:
    """Distance between two settled places, straight, with its standard deviation."""

    distance_mm: float
    sigma_mm: float

    def probability_beyond(self, allowed_mm: float) -> float:
        """Probability that it moved more than it was allowed to."""
        if self.sigma_mm == 0:
            return float(self.distance_mm > allowed_mm)
        return 0.5 * (1 + math.erf((self.distance_mm - allowed_mm) / self.sigma_mm / math.sqrt(2)))


def measure_displacement(
    id_: str, before: TableState, after: TableState, *, is_same_camera: bool = True
) -> Displacement:
    """Displacement between two states; what a camera that did not move does to both places alike is no part of it.

    Raises: BadInput when it does not stand in both.
    """
    first, second = _find_miniature(id_, before), _find_miniature(id_, after)
    travel = np.subtract(second.at_mm, first.at_mm)
    length_mm = float(np.hypot(*travel))
    along = travel / max(length_mm, 1e-9)
    modes = [_common_shifts(id_, state, along) for state in (before, after)]
    own = sum(
        float(along @ np.array(miniature.covariance()) @ along) - sum(shift**2 for shift in shifts.values())
        for miniature, shifts in zip((first, second), modes, strict=True)
    )
    common = sum(_common_variance(name, modes, is_same_camera) for name in {*modes[0], *modes[1]})
    return Displacement(length_mm, math.sqrt(max(own, 0.0) + common))


def rename_miniatures(state: TableState, names: dict[str, str]) -> TableState:
    """The same table with these miniatures called otherwise, wherever the state names them."""
    facts = state.model_dump(exclude={"miniatures", "contacts", "common_mm"})

    def now(id_: str) -> str:
        return names.get(id_, id_)

    return TableState.model_validate(
        facts
        | {
            "miniatures": [miniature.model_dump() | {"id": now(miniature.id)} for miniature in state.miniatures],
            "contacts": [
                contact.model_dump() | {"a": now(contact.a), "b": now(contact.b)} for contact in state.contacts
            ],
            "common_mm": [
                {"name": mode.name, "shift_mm": {now(id_): shift for id_, shift in mode.shift_mm.items()}}
                for mode in state.common_mm
            ],
        }
    )


def _find_miniature(id_: str, state: TableState) -> Miniature:
    miniature = state.by_id.get(id_)
    if not isinstance(miniature, Miniature):
        raise BadInput(f"there is no miniature {id_!r} on the table then", field="id", value=id_)
    return miniature


def _common_shifts(
    id_: str, state: TableState, along: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> dict[str, float]:
    """What one sigma of each common error moves this miniature along this direction."""
    return {mode.name: float(np.dot(along, mode.shift_mm[id_])) for mode in state.common_mm if id_ in mode.shift_mm}


def _common_variance(name: str, modes: list[dict[str, float]], is_same_camera: bool) -> float:
    """Variance of the distance by one common error: of the difference, or of both when nothing is common to them."""
    first, second = (mode.get(name, 0.0) for mode in modes)
    return (second - first) ** 2 if is_same_camera else first**2 + second**2
