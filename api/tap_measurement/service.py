"""Tap measurement service: the pictures that may be tapped on, and the process beside the server that measures in them.

The newest picture of a table at rest, or photograph, is at hand by itself; others are added with their view. They are
held in memory alone, black beyond the table's edge.
"""

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from api.camera.frame_loop import encode_whole, mask_room
from api.errors import CameraFailed, NoPicture, TooManyQuestions
from api.live.expected_bases import count_expected
from api.live.hub import Hub, table_of
from api.live.publisher import TablePictured
from api.live.roll_call import DoubtfulBase
from calibration.arrays import Image
from calibration.view import View
from models.base import Base, Catalogue, RoundBase, catalogue_of
from models.hint import RegimentHint
from models.layout import Layout
from models.miniature import Miniature
from models.state import TableState
from models.tap import Homography, PictureCrop, RegimentMeasurement, SizedOutline, Tap, TapMeasurement
from models.unconfirmed_base import UnconfirmedBase
from models.vocabulary import OPEN_EDITION, Id, Point
from models.written_book import catalogue_in_play

if TYPE_CHECKING:
    from vision.tap_measurement import TappedPicture

NEWEST = "newest"
MOST_PICTURES = 4  # that were added and are still at hand
MOST_GAPS, _GAPS_AT_ONCE = 24, 2  # unconfirmed places that are searched again, the likeliest first
MOST_WAITING = 8  # taps; who comes later is told to wait
QUALITY = 92
_LEAST_CROP_MM = 45.0
_CELLS = 13  # places along each side of the table by which its plane is mapped


@dataclass(frozen=True)
class HeldPicture:
    """A picture as the camera took it, and through which view."""

    name: str
    jpeg: bytes
    view: View


class TapMeasurementService:
    """Pictures of one table, and who measures in them. `open_pool`: the process beside the server, opened at need."""

    def __init__(
        self, hub: Hub, *, layout: Layout | None = None, open_pool: Callable[[], Executor] | None = None
    ) -> None:
        self._hub, self._layout = hub, layout
        self._open_pool = open_pool or _open_process
        self._pool: Executor | None = None
        self._run = secrets.token_hex(3)
        self._count = self._waiting = 0
        self._newest: HeldPicture | None = None
        self._opened: tuple[str, ...] = ()  # what the process holds, newest last
        self._opening: asyncio.Future[None] | None = None
        self._added: OrderedDict[str, HeldPicture] = OrderedDict()
        hub.publisher.subscribe(TablePictured, self._hold_newest)

    def _hold_newest(self, event: TablePictured) -> None:
        picture = event.picture
        view = View.of_bare_table(picture.camera, picture.pose, picture.table_mm)
        if self._layout is not None and self._layout.table_mm == picture.table_mm:
            view = View(picture.camera, picture.pose, self._layout)
        self._newest = HeldPicture(self._next_name(), picture.jpeg, view)

    def add_picture(self, image: Image, view: View) -> str:
        """The name by which this picture may be tapped on from now on; the oldest of those that were added goes."""
        shown = mask_room(image, camera=view.camera, pose=view.pose, table_mm=view.table_mm, margin_mm=0.0)
        held = HeldPicture(self._next_name(), encode_whole(shown), view)
        self._added[held.name] = held
        while len(self._added) > MOST_PICTURES:
            self._added.popitem(last=False)
        return held.name

    def picture(self, name: str = NEWEST) -> HeldPicture:
        """The picture of this name. Raises: NoPicture."""
        held = self._newest if name == NEWEST or (self._newest and self._newest.name == name) else self._added.get(name)
        if held is None:
            raise NoPicture("There is a newer picture, or none yet." if name != NEWEST else "There is no picture yet.")
        return held

    def show(self, doubtful: DoubtfulBase) -> DoubtfulBase:
        """The same, with the part of the newest picture that shows it, where there is one."""
        if self._newest is None:
            return doubtful
        crop = crop_of(self._newest, doubtful.at_mm, doubtful.base)
        return DoubtfulBase(**dict(doubtful) | {"picture": self._newest.name, "crop": crop})

    async def measure(self, tap: Tap, name: str = NEWEST) -> TapMeasurement:
        """What stands where somebody taps. Raises: NoPicture, BadInput, TooManyQuestions, CameraFailed."""
        held, state, catalogue = self.picture(name), self._hub.state, self._catalogue(tap)
        priors = self._log_priors(state, catalogue)
        measurement: TapMeasurement = await self._measure_in(held, measure_tap, tap, catalogue, priors)
        miniature = None if state is None else find_covering(state, measurement.at_mm)
        return TapMeasurement(**{**dict(measurement), "miniature": miniature})

    async def measure_regiment(self, hint: RegimentHint, name: str = NEWEST) -> RegimentMeasurement:
        """Where the members of a unit stand. Raises: NoPicture, BadInput, TooManyQuestions, CameraFailed."""
        measurement: RegimentMeasurement = await self._measure_in(self.picture(name), measure_unit, hint)
        return measurement

    async def search_gaps(
        self, standing: Sequence[Miniature], denied: Sequence[UnconfirmedBase], name: str = NEWEST
    ) -> tuple[SizedOutline, ...]:
        """Which of what is unconfirmed stand there by what players said, a few places at a time: taps come between.

        Raises: NoPicture, NoTableYet, TooManyQuestions, CameraFailed.
        """
        held, catalogue, likely = self.picture(name), self._catalogue(None), tuple[SizedOutline, ...]()
        ranked = sorted(table_of(self._hub).unconfirmed, key=lambda each: -each.probability)[:MOST_GAPS]
        for start in range(0, len(ranked), _GAPS_AT_ONCE):
            known = (*standing, *(_as_miniature(each, number) for number, each in enumerate(likely)))
            chunk = ranked[start : start + _GAPS_AT_ONCE]
            likely += await self._measure_in(held, measure_gaps, known, chunk, tuple(denied), catalogue)
        return likely

    async def keep_crops(self, folder: Path, state: TableState, denied: Sequence[Point]) -> tuple[str, ...]:
        """The names under which the newest picture's crops of this table's confirmed bases, and of denied places, are
        kept in the folder. Raises: NoPicture, CameraFailed."""
        held = self.picture()
        await self._open(held)
        names: tuple[str, ...] = await self._run_beside(cut_labelled, held.name, folder, state, tuple(denied))
        return names

    async def _measure_in(self, held: HeldPicture, job: Callable[..., Any], *arguments: object) -> Any:
        """What the process beside the server says of this picture. Raises: as `measure`."""
        if self._waiting >= MOST_WAITING:
            raise TooManyQuestions(
                "Too many taps are being measured; tap again when those are.", field="at_px", value=None
            )
        self._waiting += 1
        try:
            await self._open(held)
            return await self._run_beside(job, held.name, *arguments)
        finally:
            self._waiting -= 1

    def prepare(self, name: str = NEWEST) -> HeldPicture:
        """The picture of this name, which the process opens meanwhile. Raises: NoPicture."""
        held = self.picture(name)
        self._opening = asyncio.ensure_future(self._open(held, look_over=True))
        return held

    async def _open(self, held: HeldPicture, *, look_over: bool = False) -> None:
        """Have the process hold the picture. `look_over`: it is tapped on soon."""
        if held.name in self._opened:
            return
        self._opened = (*self._opened, held.name)[-MOST_PICTURES:]
        try:
            await self._run_beside(open_picture, held, look_over)
        except NoPicture:
            self._opened = tuple(name for name in self._opened if name != held.name)
            raise

    async def _run_beside(self, job: Callable[..., Any], *arguments: object) -> Any:
        self._pool = self._pool or self._open_pool()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, job, *arguments)
        except BrokenProcessPool as died:
            self._pool, self._opened = None, ()
            raise CameraFailed("The process that measures taps has died; tap again.") from died

    def close(self) -> None:
        """Nobody taps any more."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _catalogue(self, tap: Tap | None) -> Catalogue:
        """The sizes in play: the edition's, the lists' and the one that is asked for."""
        state = self._hub.state
        known = catalogue_in_play(OPEN_EDITION if state is None else state.edition, self._hub.book)
        asked = () if tap is None or tap.base is None else (tap.base,)
        return known.with_usual((*count_expected(self._hub.expected.counted()), *asked))

    def _log_priors(self, state: TableState | None, catalogue: Catalogue) -> Mapping[Base, float]:
        standing = Counter(m.base for m in state.miniatures if "removed" not in m.status) if state else Counter[Base]()
        return catalogue.log_priors(standing, count_expected(self._hub.expected.counted()))

    def _next_name(self) -> str:
        self._count += 1
        return f"{self._run}-{self._count}"


def crop_of(held: HeldPicture, at_mm: Point, base: Base) -> PictureCrop:
    """The part of the picture that shows a base, with some of the table around."""
    from vision.rectification.picture_crop import crop_around

    reach_mm = base.diameter_mm if isinstance(base, RoundBase) else max(base.width_mm, base.depth_mm)
    return crop_around(at_mm, max(_LEAST_CROP_MM, 1.2 * reach_mm), ground_mm=0.0, view=held.view)


def cut_crop(picture: HeldPicture, *, left_px: int, top_px: int, width_px: int, height_px: int) -> bytes:
    """A part of the picture in its own pixels, as JPEG; as much of it as the picture holds."""
    image = _decode(picture.jpeg)
    part = image[top_px : top_px + height_px, left_px : left_px + width_px]
    if not part.size:
        raise NoPicture("That part lies outside the picture.")
    return bytes(cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())


def homography_of(view: View) -> Homography:
    """The map from the table's plane to pixels that fits best where the picture shows the table."""
    width, depth = view.table_mm
    grid = np.stack(np.meshgrid(np.linspace(0, width, _CELLS), np.linspace(0, depth, _CELLS), [0.0]), -1).reshape(-1, 3)
    seen = view.project(grid)
    beyond = np.abs(seen - np.array(view.camera.image_size) / 2) > np.array(view.camera.image_size)
    is_near = np.isfinite(seen).all(axis=1) & ~np.nan_to_num(beyond, nan=True).any(axis=1)
    plane, _ = cv2.findHomography(grid[is_near, :2], seen[is_near])
    (a, b, c), (d, e, f), (g, h, i) = plane.tolist()
    return (a, b, c), (d, e, f), (g, h, i)


def find_covering(state: TableState, at_mm: Point) -> Id | None:
    """The miniature whose base covers this place, about; the nearest of several."""
    near = [
        (distance, m.id)
        for m in state.miniatures
        if (distance := float(np.hypot(*np.subtract(m.at_mm, at_mm)))) < _inradius_mm(m.base)
    ]
    return min(near, default=(0.0, None))[1]


def _inradius_mm(base: Base) -> float:
    return base.diameter_mm / 2 if isinstance(base, RoundBase) else min(base.width_mm, base.depth_mm) / 2


def _open_process() -> Executor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=cv2.setNumThreads, initargs=(1,))


_open_pictures: "OrderedDict[str, TappedPicture]" = OrderedDict()  # of the process beside the server


def open_picture(held: HeldPicture, look_over: bool) -> None:
    """Have the picture ready; the oldest one goes. `look_over`: what the networks see in it too, and one tap made, so
    that the first is as quick as the others."""
    from vision.tap_measurement import TappedPicture  # here, so that the server loads no networks

    _open_pictures[held.name] = opened = TappedPicture(_decode(held.jpeg), view=held.view)
    while len(_open_pictures) > MOST_PICTURES:
        _open_pictures.popitem(last=False)
    if look_over:
        width, depth = held.view.table_mm
        opened.measure(Tap(at_mm=(width / 2, depth / 2)), name=held.name, catalogue=catalogue_of(), log_priors={})


def measure_tap(name: str, tap: Tap, catalogue: Catalogue, log_priors: Mapping[Base, float]) -> TapMeasurement:
    """What stands there, in the process beside the server. Raises: BadInput."""
    return _open_pictures[name].measure(tap, name=name, catalogue=catalogue, log_priors=log_priors)


def measure_unit(name: str, hint: RegimentHint) -> RegimentMeasurement:
    """Where the unit's members stand, in the process beside the server. Raises: BadInput."""
    from vision.tapped_regiment import measure_regiment

    opened = _open_pictures[name]
    return measure_regiment(opened.image, hint, view=opened.view)


def measure_gaps(
    name: str, standing: Sequence[Miniature], unconfirmed: Sequence[UnconfirmedBase],
    denied: Sequence[UnconfirmedBase], catalogue: Catalogue,
) -> tuple[SizedOutline, ...]:  # fmt: skip
    """Which of these stand there, in the process beside the server."""
    return _open_pictures[name].search_gaps(standing, unconfirmed, denied, catalogue=catalogue)


def _as_miniature(outline: SizedOutline, number: int) -> Miniature:
    fields = {"id": f"likely {number}", "base": outline.base, "at_mm": outline.at_mm, "facing_deg": outline.turn_deg}
    return Miniature.model_validate(fields)


def cut_labelled(name: str, folder: Path, state: TableState, denied: Sequence[Point]) -> tuple[str, ...]:
    """Names of the crops that are kept now, in the process beside the server."""
    from vision.labelled_crops import crops_of, keep_crops, name_of

    opened = _open_pictures[name]
    crops = crops_of(opened.image, state, denied, view=opened.view)
    keep_crops(folder, crops)
    return tuple(name_of(crop) for crop in crops)


def _decode(jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise NoPicture("The picture cannot be read.")
    return np.asarray(image, np.uint8)
