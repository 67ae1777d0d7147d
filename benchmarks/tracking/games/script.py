"""What everybody does in a drawn game: where hands and miniatures are at any time, and what that amounts to."""

import math
from dataclasses import dataclass, field

import numpy as np

from benchmarks.tracking.games.camera import Eye
from benchmarks.tracking.games.hand import Hand
from benchmarks.tracking.games.miniature import Piece
from calibration.arrays import Floats

Place = tuple[float, float]
GRIP_MM = 34.0  # fingertips over the ground when they hold a miniature
LIFT_MM = 38.0
HIGH_MM = 60.0
REACH_S, LIFT_S = 0.55, 0.2


@dataclass(frozen=True)
class Happening:
    """Something a referee must tell once. `at_s` is when the hand has left the table."""

    kind: str
    ids: tuple[str, ...]
    at_s: float
    to_mm: Place | None = None
    may_be_unsure: bool = False


@dataclass
class Track:
    """Values at times, straight in between, held before and after."""

    times: list[float] = field(default_factory=list)
    values: list[tuple[float, ...]] = field(default_factory=list)

    def add(self, t_s: float, *value: float) -> None:
        assert not self.times or t_s >= self.times[-1], "a track goes forward in time"
        self.times.append(t_s)
        self.values.append(value)

    def at(self, t_s: float) -> Floats:
        rows = np.array(self.values)
        return np.array([np.interp(t_s, self.times, column) for column in rows.T])


@dataclass
class Game:
    """One recording: who is on the table, what happens, how the light and the camera are."""

    name: str
    says: str
    seed: int
    eye: Eye
    pieces: tuple[Piece, ...]
    table_mm: Place
    fps: float = 15.0
    lasts_s: float = 0.0
    where: dict[str, Track] = field(default_factory=dict)  # x, y, facing, lift, there
    hands: list[tuple[Hand, Track, float, float, bool]] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    lifts: list[tuple[str, float, float]] = field(default_factory=list)  # who was in a hand, from when, until when
    light: Track = field(default_factory=Track)  # gains of blue, green, red, and tilt of the light across the table
    shade: Track = field(default_factory=Track)  # x of a soft shadow's middle, its width, its depth
    flicker: float = 0.01
    bump_s: float = math.inf
    bumped: Eye | None = None

    def __post_init__(self) -> None:
        for one in self.pieces:
            self.where[one.id] = Track()
            self.where[one.id].add(0.0, *one.at_mm, one.facing_deg, 0.0, float(one.is_there))
        self.light.add(0.0, 1.0, 1.0, 1.0, 0.0)

    def eye_at(self, t_s: float) -> Eye:
        return self.bumped if self.bumped is not None and t_s >= self.bump_s else self.eye

    def reach(self, hand: Hand, steps: list[tuple[float, float, float, float]], *, flat: bool = False) -> float:
        """A hand that goes through these places (seconds, x, y, up) in their order; when it has left the table."""
        track, start = Track(), steps[0]
        out = self._outside(hand, start[1:3])
        track.add(start[0] - REACH_S, *out, HIGH_MM)
        for step in steps:
            track.add(*step)
        end = steps[-1]
        gone_s = end[0] + REACH_S
        track.add(gone_s, *self._outside(hand, end[1:3]), HIGH_MM)
        self.hands.append((hand, track, start[0] - REACH_S, gone_s, flat))
        self.lasts_s = max(self.lasts_s, gone_s)
        return self._left_s(track, end[0], gone_s)

    def _outside(self, hand: Hand, near: Place) -> Place:
        """Where the fingertips are when nothing of the hand is over the table or the strip around it."""
        elbow, at = np.array(hand.elbow_mm), np.array(near)
        away = (elbow - at) / np.linalg.norm(elbow - at)
        for far in range(0, 2500, 10):
            x, y = (at + away * far).tolist()
            if not (-110 < x < self.table_mm[0] + 110 and -110 < y < self.table_mm[1] + 110):
                return x, y
        return float(elbow[0]), float(elbow[1])

    def _left_s(self, track: Track, from_s: float, to_s: float) -> float:
        """When the fingertips cross the table's edge."""
        for t_s in np.arange(from_s, to_s, 0.01):
            x, y, _ = track.at(float(t_s))
            if not (0 < x < self.table_mm[0] and 0 < y < self.table_mm[1]):
                return float(t_s)
        return to_s

    def carry(
        self, id_: str, t_s: float, to: Place, *, turn_deg: float = 0.0, takes_s: float = 0.8, up: float = LIFT_MM
    ) -> tuple[list[tuple[float, float, float, float]], float]:
        """The miniature's way from where it stands to there; the fingertips' way with it, and when it is done."""
        track = self.where[id_]
        x, y, facing, _, _ = track.values[-1]
        t1, t2 = t_s + (LIFT_S if up else 0), t_s + (LIFT_S if up else 0) + takes_s
        t3 = t2 + (LIFT_S if up else 0)
        track.add(t_s, x, y, facing, 0, 1)
        track.add(t1, x, y, facing, up, 1)
        track.add(t2, *to, facing + turn_deg, up, 1)
        track.add(t3, *to, facing + turn_deg, 0, 1)
        self.lifts.append((id_, t_s, t3))
        way = [(t_s, x, y, GRIP_MM), (t1, x, y, GRIP_MM + up), (t2, *to, GRIP_MM + up), (t3, *to, GRIP_MM)]
        return way, t3

    def take_off(self, id_: str, t_s: float, hand: Hand) -> tuple[list[tuple[float, float, float, float]], float]:
        """The miniature carried off the table."""
        x, y = self.where[id_].values[-1][:2]
        out = self._outside(hand, (x, y))
        way, end = self.carry(id_, t_s, out, takes_s=REACH_S)
        self.where[id_].add(end + 0.01, *out, 0.0, 0.0, 0.0)
        return way[:2], end

    def record_happening(
        self, kind: str, *ids: str, at_s: float, to_mm: Place | None = None, may_be_unsure: bool = False
    ) -> None:
        self.happenings.append(Happening(kind, ids, at_s, to_mm, may_be_unsure))
