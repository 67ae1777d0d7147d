"""Watches one connection: notices at once when it falls silent, freezes, or sends what is damaged."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from api.reading import Reading
from models.errors import SourceLost, SourceStalled
from vision.decoding import Picture, Shot

_SLOWER = 3.0
_MANY = 2  # damaged of the last few: not a chance any more
_SAID_AGAIN_S = 60.0


@dataclass(frozen=True)
class Patience:
    """For how long no picture, and always the same one, is borne."""

    quiet_s: float
    lost_s: float
    frozen_s: float


LIVE = Patience(quiet_s=0.8, lost_s=5.0, frozen_s=0.7)
IN_PIECES = Patience(quiet_s=4.0, lost_s=30.0, frozen_s=0.7)


@dataclass(frozen=True)
class Remark:
    """A sentence on what is not as it should be, while pictures come."""

    text: str


class Vigil:
    """One connection from its first picture to its end."""

    def __init__(self, reading: Reading, *, name: str, patience: Patience) -> None:
        self._reading = reading
        self._name = name
        self._patience = patience
        self._few: Picture | None = None
        self._changed_s = 0.0
        self._is_told = False
        self._said_s = -_SAID_AGAIN_S

    def news(self) -> Iterator[Shot | Remark | SourceStalled]:
        """Each new picture, and what is the matter, once when it begins. Raises: SourceLost at the end."""
        while True:
            damaged = self._reading.damaged
            shot = self._reading.next(self._quiet_s())
            if shot is None:
                yield from self._told(self._silent(damaged))
                continue
            if self._is_frozen(shot):
                yield from self._told("it hangs: its picture does not change any more, not by a grey level")
                continue
            self._is_told = False
            yield shot
            yield from self._damage(shot.came_s)

    def _quiet_s(self) -> float:
        """How long to wait for a picture: a few times as long as one usually takes."""
        return min(max(self._patience.quiet_s, _SLOWER * self._reading.usual_s()), self._patience.lost_s)

    def _silent(self, damaged_before: int) -> str:
        """Why no picture came. Raises: SourceLost when nothing at all came for too long."""
        if self._reading.silent_s() > self._patience.lost_s:
            says = f"{self._name}: it is connected, and has sent nothing for {self._patience.lost_s:.0f} seconds"
            raise SourceLost(says, field="source", value=self._name)
        if self._reading.damaged > damaged_before:
            return "pictures come damaged, and none that is whole"
        return "it is connected, and sends no pictures just now"

    def _told(self, why: str) -> Iterator[SourceStalled]:
        if not self._is_told:
            yield SourceStalled(f"{self._name}: {why}", field="source", value=self._name)
        self._is_told = True

    def _is_frozen(self, shot: Shot) -> bool:
        """Whether no pixel has changed for too long: a camera's noise alone changes thousands in every picture."""
        before, self._few = self._few, shot.few()
        if before is None or not np.array_equal(before, self._few):
            self._changed_s = shot.came_s
        return shot.came_s - self._changed_s >= self._patience.frozen_s

    def _damage(self, now_s: float) -> Iterator[Remark]:
        """A word on damaged pictures, not more than once a minute."""
        damaged = sum(self._reading.lately)
        if damaged >= _MANY and now_s - self._said_s >= _SAID_AGAIN_S:
            self._said_s = now_s
            said = f"{damaged} of the last {len(self._reading.lately)} pictures came damaged and were left out"
            yield Remark(f"{said}: look at the camera's cable or Wi-Fi.")
