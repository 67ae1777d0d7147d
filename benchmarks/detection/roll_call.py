"""Roll call: a simulated player completes tables whose truth is known: taps, and what stands in the state at the end.

    python -m benchmarks.detection.roll_call --tables FOLDER ...                # as `python -m vision.training` reads
    python -m benchmarks.detection.roll_call --photographs FOLDER --drawn 12    # drawn tables, photographic mats

The player has the lists, and tells what `tableside locate --hints --expected` takes, a finger's error off (4 mm, one
sigma per axis, and 4 % of the size). He counts his taps: 4 for the corners of a unit of which four and more are wrong;
1 for a base where none stands, for a proposal that is right, for a place where one is missing, for the chip of the
right size where another is shown, for an outline that is dragged in the loupe, 1.5 mm off. Twice what he told is
searched for again before he points at half of what is missing; then he points at the rest, chooses sizes, and drags.

RMS is per axis, of those that were measured: of all, and of those that stand on the table itself with two fifths of the
rim in sight. Error over sigma is of all. Bases partly off the table or of a size that nobody sells are not asked for.
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from benchmarks.detection.photographic_scenes import DrawnBase, DrawnTable, drawn_tables
from benchmarks.detection.photographic_tables import SIDE_MM
from benchmarks.detection.synthetic_tables import sides_of
from calibration.arrays import Floats, Image
from calibration.view import View
from models.base import Base, RectBase, catalogue_of
from models.hint import FINGER_MM, LOUPE_MM, Hint, RegimentHint
from models.miniature import Miniature
from models.state import TableState
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import EditionId, Point
from vision.detection.network.finder import NetworkFinder
from vision.locate import describe, sight
from vision.training.annotated_tables import tables_in
from vision.training.scenes.assets import pictures_in

_FOUND_MM, _SHARE = 5.0, 0.2
_SIZE_SIGMA = 0.04
_SEEN_WELL = 0.4  # of the rim
_ROUNDS = 2
_WORTH_A_UNIT, _CORNERS = 4, 4  # wrong members from which a unit is told as a whole, and its taps
_NEIGHBOURS, _SAME_TURN = 1.3, math.radians(8.0)  # sides apart, and how far askew, are members of one unit
_CATALOGUE = catalogue_of()
_EDITION: EditionId = "warmachine-prime"
_ON_SALE = {(base.shape, *sides_of(base)) for base in _CATALOGUE.bases}


@dataclass(frozen=True)
class KnownScene:
    """A picture, how it was taken, and what stands there; sizes that nobody sells are not asked for."""

    image: Image
    view: View
    bases: tuple[DrawnBase, ...]

    def expected(self) -> Counter[Base]:
        """How many of each size the lists name."""
        sold = {(base.shape, *sides_of(base)): base for base in _CATALOGUE.bases}
        sizes = ((one.base.shape, *sides_of(one.base)) for one in self.bases)
        return Counter(sold[size] for size in sizes if size in sold)


@dataclass
class Tally:
    """What became of the bases of some tables."""

    asked: int = 0
    in_state: int = 0
    found: int = 0
    right_size: int = 0
    by_hand: int = 0
    taps: list[float] = field(default_factory=list)  # for each base of a table
    kinds: Counter[str] = field(default_factory=Counter)  # of taps
    off_mm: list[float] = field(default_factory=list)  # per axis, of the measured
    clear_off_mm: list[float] = field(default_factory=list)  # of those that are seen well, on the table itself
    normed: list[float] = field(default_factory=list)  # in sigmas
    seconds: list[float] = field(default_factory=list)

    def add(self, scene: KnownScene, told: Sequence[Miniature]) -> None:
        pairs, extra = match(scene, told)
        self.asked += sum(one.is_asked for one in scene.bases)
        self.in_state += len(extra)
        for truth, miniature in pairs:
            if truth.is_asked:
                self._note(truth, miniature)

    def _note(self, truth: DrawnBase, miniature: Miniature) -> None:
        off = np.subtract(miniature.at_mm, truth.at_mm)
        self.found += 1
        self.in_state += 1
        self.right_size += is_size(miniature.base, truth.base)
        self.by_hand += miniature.placement == "by-hand"
        if miniature.placement != "by-hand":
            self.off_mm += off.tolist()
            self.clear_off_mm += off.tolist() if truth.rim_share >= _SEEN_WELL and truth.ground_mm == 0 else []
        self.normed.append(float(off @ np.linalg.solve(np.array(miniature.covariance()), off)) / 2)

    def row(self) -> str:
        return (
            f"{self.asked:6d}{self.found / max(self.asked, 1):8.3f}{self.found / max(self.in_state, 1):11.3f}"
            f"{self.right_size / max(self.found, 1):7.3f}{self.by_hand:9d}{_rms(self.off_mm):8.2f}"
            f"{_rms(self.clear_off_mm):11.2f}{math.sqrt(float(np.mean(self.normed or [math.nan]))):12.2f}"
            f"{float(np.median(self.taps or [0.0])):13.2f}{float(np.median(self.seconds)):9.2f}"
        )


def _rms(off_mm: Sequence[float]) -> float:
    return math.sqrt(float(np.mean(np.square(off_mm)))) if off_mm else math.nan


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection.roll_call")
    parser.add_argument("--tables", type=Path, nargs="*", default=[], metavar="FOLDER")
    parser.add_argument("--photographs", type=Path)
    parser.add_argument("--drawn", type=int, default=12)
    parser.add_argument("--seed", type=int, default=700)
    said = parser.parse_args()
    scenes = read_scenes(said.tables) if said.tables else draw_scenes(said.photographs, said.drawn, said.seed)
    before, after, random = Tally(), Tally(), np.random.default_rng(said.seed)
    for scene in scenes:
        Player(scene, random).complete(before, after)
    print("        bases  recall  precision   size  by hand  RMS mm  seen well  error/sigma  taps a base        s")
    print(f"before{before.row()}\nafter {after.row()}\ntaps: {dict(after.kinds)}")


class Player:
    """One player completes one table: what the camera sees, and his words about it."""

    def __init__(self, scene: KnownScene, random: np.random.Generator) -> None:
        self._scene, self._random = scene, random
        self._hints: list[Hint] = []
        self._pointed: dict[int, Hint] = {}  # by the numbers of bases
        self._taps: Counter[str] = Counter()
        began_s = time.perf_counter()
        finder = NetworkFinder(_CATALOGUE, scene.view.layout)
        self._seen = sight(scene.image, finder, catalogue=_CATALOGUE, view=scene.view)
        self._state = self._look()
        self._seconds = time.perf_counter() - began_s

    def _look(self) -> TableState:
        return describe(
            self._scene.image, self._seen, self._hints, catalogue=_CATALOGUE, view=self._scene.view, edition=_EDITION,
            expected=self._scene.expected(),
        )  # fmt: skip

    def complete(self, before: Tally, after: Tally) -> None:
        before.seconds.append(self._seconds)
        before.add(self._scene, self._state.miniatures)
        began_s = time.perf_counter()
        self._deny()
        self._tell_units()
        for _ in range(_ROUNDS):
            self._state = self._look()
            self._agree()
            missing = self._untold()
            self._point("pointed at", missing[: math.ceil(len(missing) / 2)], FINGER_MM)
        self._state = self._look()
        self._point("pointed at", self._untold(), FINGER_MM)
        for kind, sigma_mm in (("size", FINGER_MM), ("dragged", LOUPE_MM)):
            self._state = self._look()
            self._point(kind, self._wrong(), sigma_mm)
        self._state = self._look()
        after.seconds.append(time.perf_counter() - began_s)
        after.add(self._scene, self._state.miniatures)
        after.taps.append(self._taps.total() / max(1, len(self._scene.bases)))
        after.kinds += self._taps

    def _wrong(self) -> list[int]:
        return wrong_bases(self._scene, self._state.miniatures)

    def _untold(self) -> list[int]:
        return [number for number in self._wrong() if number not in self._pointed]

    def _deny(self) -> None:
        extra = match(self._scene, self._state.miniatures)[1]
        self._taps["denied"] += len(extra)
        self._hints += (Hint(at_mm=one.at_mm, is_base=False) for one in extra)

    def _tell_units(self) -> None:
        wrong = set(self._wrong())
        for numbers in units_of(self._scene.bases):
            members = [self._scene.bases[number] for number in numbers]
            corners = corners_of_unit(members)
            if corners is None or len(wrong & set(numbers)) < _WORTH_A_UNIT:
                continue
            table_mm = np.array(self._scene.view.table_mm)
            if np.any((corners < 0) | (corners > table_mm)):
                continue
            tapped = np.clip(corners + self._random.normal(0.0, FINGER_MM, corners.shape), 0, table_mm)
            places = tuple((float(x), float(y)) for x, y in tapped)
            self._taps["unit"] += _CORNERS
            self._hints.append(Hint(regiment=RegimentHint(corners_mm=places, base=members[0].base, count=len(members))))

    def _agree(self) -> None:
        """Yes to each proposal that is right."""
        for proposal in self._state.unconfirmed:
            for number in self._untold():
                truth = self._scene.bases[number]
                if is_found(truth, proposal) and is_size(truth.base, proposal.base):
                    self._taps["agreed"] += 1
                    self._pointed[number] = Hint(at_mm=proposal.at_mm, base=proposal.base)
                    self._hints.append(self._pointed[number])

    def _point(self, kind: str, numbers: Sequence[int], sigma_mm: float) -> None:
        """At these bases, without a word of their sizes until one is wrong."""
        self._taps[kind] += len(numbers)
        for number in numbers:
            self._hints = [hint for hint in self._hints if hint is not self._pointed.get(number)]
            base = None if kind == "pointed at" else self._scene.bases[number].base
            known = self._pointed.get(number) if kind == "size" else None
            at_mm = known.at_mm if known is not None else self._tap(number, sigma_mm)
            self._pointed[number] = Hint(at_mm=at_mm, base=base, sigma_mm=sigma_mm)
            self._hints.append(self._pointed[number])

    def _tap(self, number: int, sigma_mm: float) -> Point:
        truth = self._scene.bases[number]
        spread_mm = math.hypot(sigma_mm, _SIZE_SIGMA * sides_of(truth.base)[1] * sigma_mm / FINGER_MM)
        at_mm = np.asarray(truth.at_mm) + self._random.normal(0.0, spread_mm, 2)
        x, y = np.clip(at_mm, 0.0, self._scene.view.table_mm).tolist()
        return x, y


def units_of(bases: Sequence[DrawnBase]) -> Iterator[list[int]]:
    """The numbers of rectangles of one size that stand side by side, turned alike, in reach of one another."""
    left = [number for number, one in enumerate(bases) if isinstance(one.base, RectBase)]
    while left:
        unit = [left.pop(0)]
        for member in unit:
            near = [other for other in left if _are_neighbours(bases[member], bases[other])]
            unit += near
            left = [other for other in left if other not in near]
        yield unit


def _are_neighbours(a: DrawnBase, b: DrawnBase) -> bool:
    off_rad = (a.turn_rad - b.turn_rad + math.pi) % (2 * math.pi) - math.pi
    reach_mm = _NEIGHBOURS * max(sides_of(a.base))
    return a.base == b.base and abs(off_rad) < _SAME_TURN and math.dist(a.at_mm, b.at_mm) < reach_mm


def corners_of_unit(members: Sequence[DrawnBase]) -> Floats | None:
    """Its corners, the front edge first; None where it is no full block but for its last rank."""
    base, turn_rad = members[0].base, float(np.median([member.turn_rad for member in members]))
    assert isinstance(base, RectBase)
    axes = np.array([[math.cos(turn_rad), math.sin(turn_rad)], [-math.sin(turn_rad), math.cos(turn_rad)]])
    ahead, left = (np.array([member.at_mm for member in members]) @ axes.T).T
    ranks = np.rint((ahead.max() - ahead) / base.depth_mm * 0.97).astype(int)
    files = int(np.bincount(ranks)[0])
    if any(np.bincount(ranks)[:-1] != files):
        return None
    half = np.array([base.depth_mm, base.width_mm]) / 2
    (back, right), (front, far) = (f(np.column_stack([ahead, left]), axis=0) for f in (np.min, np.max))
    local = [(front + half[0], far + half[1]), (front + half[0], right - half[1])]
    local += [(back - half[0], right - half[1]), (back - half[0], far + half[1])]
    return np.asarray(np.array(local) @ axes)


def wrong_bases(scene: KnownScene, told: Sequence[Miniature]) -> list[int]:
    """The numbers of the bases that are asked for and missing, misplaced or of another size."""
    right = [truth for truth, one in match(scene, told)[0] if is_size(one.base, truth.base)]
    return [number for number, truth in enumerate(scene.bases) if truth.is_asked and truth not in right]


def match(scene: KnownScene, told: Sequence[Miniature]) -> tuple[list[tuple[DrawnBase, Miniature]], list[Miniature]]:
    """Pairs of a true base and what is told of it, nearest first, and what is told of none."""
    near = sorted(
        (math.dist(truth.at_mm, one.at_mm), k, number)
        for k, truth in enumerate(scene.bases)
        for number, one in enumerate(told)
        if is_found(truth, one)
    )
    pairs: dict[int, int] = {}
    for _, k, number in near:
        if k not in pairs and number not in pairs.values():
            pairs[k] = number
    extra = [one for number, one in enumerate(told) if number not in pairs.values()]
    return [(scene.bases[k], told[number]) for k, number in pairs.items()], extra


def is_found(truth: DrawnBase, told: Miniature | UnconfirmedBase) -> bool:
    """Whether this is the base, but for its size perhaps."""
    return math.dist(truth.at_mm, told.at_mm) < max(_FOUND_MM, _SHARE * sides_of(truth.base)[1])


def is_size(a: Base, b: Base) -> bool:
    return a.shape == b.shape and bool(np.allclose(sides_of(a), sides_of(b), atol=1.0))


def read_scenes(folders: Sequence[Path]) -> Iterator[KnownScene]:
    for table in (table for folder in folders for table in tables_in(folder)):
        bases = tuple(
            DrawnBase(one.base, one.at_mm, True, math.radians(one.facing_deg or 0.0)) for one in table.state.miniatures
        )
        yield KnownScene(table.image, View(table.camera, table.pose, table.layout), bases)


def draw_scenes(photographs: Path, count: int, seed: int) -> Iterator[KnownScene]:
    return map(known_scene, drawn_tables(seed, count, pictures_in(photographs), side_mm=SIDE_MM))


def known_scene(table: DrawnTable) -> KnownScene:
    """A drawn table; sizes that nobody sells are not asked for."""
    bases = tuple(
        replace(one, is_asked=one.is_asked and (one.base.shape, *sides_of(one.base)) in _ON_SALE) for one in table.bases
    )
    return KnownScene(table.picture, View(table.camera, table.pose, table.layout), bases)


if __name__ == "__main__":
    main()
