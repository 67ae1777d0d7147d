"""Projector service: calibrates the light on a table, says what it shows, and keeps it dark where it would mislead."""

import asyncio
import logging
import queue
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from starlette.concurrency import run_in_threadpool

from api.camera.protocol import ImageReport, Job, LightMarks, LightReport
from api.errors import NoTableYet
from api.http.sse_broadcast import SseBroadcast
from api.live.hub import Hub
from api.live.publisher import FreshnessChanged, LightSeen, TableCorrected
from api.live.table_view import table_view
from api.projector.schemas import Blink, LightBoard, LightSettings, PageSize, SetLight, ShownPattern, Surface
from api.storage.files import write_whole
from calibration.arrays import Image
from calibration.image import to_gray
from calibration.projector.dot_pattern import DotPattern, read_dots
from calibration.projector.light_marks import MARK_MM, mark_places
from calibration.projector.projector_fit import Projector, solve_projector
from calibration.view import View
from models.errors import BadFile, BadInput, SourceLost
from models.layout import Layout
from vision.capture.image_decoding import decode_image

FILE = "projector.json"
MOVED_MM = 3.0
_BLINK, _LIGHT_BLINK = Blink(every_ms=600, black_ms=100), Blink(every_ms=1200, black_ms=300)
_SHOWN_S = 30.0  # for a page to show what it is sent; a busy computer is slow, not wrong
_PICTURE_S = 60.0  # a busy machine measures a whole table meanwhile
_LATENCY_S = 0.25  # of projector and camera together
_GRID = 5
_TIMES_OFF = 2  # in a row; once may be a hand
log = logging.getLogger(__name__)


class LightService:
    """The light of one table. On the server's event loop; `folder` keeps the calibration."""

    def __init__(self, hub: Hub, layout: Layout, *, blink: Blink = _BLINK, folder: Path | None = None) -> None:
        self._hub, self._layout, self._blink = hub, layout, blink
        self._path = None if folder is None else folder / FILE
        self._projector = self._load()
        self._settings, self._laid = LightSettings(), SetLight()
        self._pages, self._has_moved, self._times_off = 0, False, 0
        self._pattern: ShownPattern | None = None
        self._shown, self._calibrating = asyncio.Event(), asyncio.Lock()
        self.stream = SseBroadcast(self.board)
        self._unsubscribe = (
            hub.publisher.subscribe(TableCorrected, lambda _: self._changed()),
            hub.publisher.subscribe(FreshnessChanged, lambda _: self._changed()),
            hub.publisher.subscribe(LightSeen, lambda event: self._note_marks(event.report)),
        )

    @classmethod
    def of_job(cls, hub: Hub, job: Job, folder: Path | None) -> "LightService":
        return cls(hub, job.layout, blink=_LIGHT_BLINK if job.is_light else _BLINK, folder=folder)

    def board(self) -> LightBoard:
        projector, table_mm = self._projector, self._layout.table_mm
        return LightBoard(
            settings=self._settings,
            projector=projector,
            sigma_mm=0.0 if projector is None else worst_sigma_mm(projector, table_mm),
            dark=self._why_dark(),
            pattern=self._pattern,
            blink=self._blink,
            marks_mm=self._marks(),
            mark_mm=MARK_MM,
            table_mm=table_mm,
            surfaces=surfaces_of(self._layout),
            table=None if self._hub.state is None else table_view(self._hub.state, self._hub.rests.now()),
            laid=self._laid,
        )

    def _why_dark(self) -> Literal["uncalibrated", "moved", "hand", "key"] | None:
        if self._projector is None:
            return "uncalibrated"
        if self._has_moved:
            return "moved"
        if self._settings.is_black:
            return "key"
        return "hand" if self._settings.off_under_hands and self._hub.source.fresh.hand else None

    def _marks(self) -> tuple[tuple[float, float], ...]:
        if self._projector is None:
            return ()
        return tuple((float(x), float(y)) for x, y in mark_places(self._projector, self._layout.table_mm))

    def set_settings(self, settings: LightSettings) -> None:
        self._settings = settings
        self._tell_camera()

    def lay(self, laid: SetLight) -> None:
        """These shapes lie on the table from now on, in place of those before."""
        self._laid = laid
        self._changed()

    def note_page(self, *, came: bool) -> None:
        """A page on a projector was opened or closed: without one there is no light."""
        self._pages += 1 if came else -1
        self._tell_camera()

    def note_shown(self, number: int) -> None:
        """The page shows this picture of the calibration by now."""
        if self._pattern is not None and self._pattern.number == number:
            self._shown.set()

    async def calibrate(self, size: PageSize) -> LightBoard:
        """Show dots, look at them, and solve where light falls.

        Raises: NoCamera, SourceLost, NoTableYet; BadInput when no page shows them, or too few are seen.
        """
        async with self._calibrating:
            pattern = DotPattern((size.width_px, size.height_px))
            self._hub.camera.set_light(LightMarks((), is_hidden=True))
            try:
                looks = [await self._look(pattern, number) for number in range(pattern.pictures)]
            finally:
                self._pattern = None
                self._tell_camera()
            self._projector = await run_in_threadpool(solve_looks, pattern, looks, self._layout)
            self._has_moved, self._times_off = False, 0
            self._save()
            self._tell_camera()
        return self.board()

    async def _look(self, pattern: DotPattern, number: int) -> ImageReport:
        dots = pattern.dots_px[pattern.shown(number)]
        self._shown.clear()
        self._pattern = ShownPattern(
            number=number,
            is_white=pattern.is_white(number),
            dots_px=tuple((float(x), float(y)) for x, y in dots),
            radius_px=pattern.radius_px,
        )
        self._changed()
        try:
            await asyncio.wait_for(self._shown.wait(), _SHOWN_S)
        except TimeoutError:
            says = "no page on a projector shows what it is sent: open /projector there"
            raise BadInput(says, field="pattern", value=number) from None
        await asyncio.sleep(_LATENCY_S)
        self._hub.camera.request_image(with_room=False)
        try:
            return await asyncio.to_thread(self._hub.camera.images.get, timeout=_PICTURE_S)
        except queue.Empty:
            raise SourceLost("The camera has sent no picture.", field="source", value=self._hub.title) from None

    def _note_marks(self, report: LightReport) -> None:
        """Light that twice falls elsewhere than it should misleads, once may be a hand: it is out until calibrated."""
        is_off = report.moved_mm is None or report.moved_mm >= MOVED_MM
        self._times_off = self._times_off + 1 if is_off else 0
        if self._projector is None or self._has_moved or self._times_off < _TIMES_OFF:
            return
        self._has_moved = True
        by = "is not seen" if report.moved_mm is None else f"falls {report.moved_mm:.0f} mm beside its place"
        self._hub.notify(f"The projector's light {by} and is off: calibrate it again.")
        self._tell_camera()

    def _tell_camera(self) -> None:
        """Say by which marks lit pictures are told from black ones, or that none is lit; pages hear of it too."""
        is_lit = self._pages > 0 and self._projector is not None and not self._settings.is_black and not self._has_moved
        self._hub.camera.set_light(LightMarks(self._marks()) if is_lit else None)
        self._hub.source.note_light(is_lit=is_lit)
        self._changed()

    def _changed(self) -> None:
        self.stream.publish()

    def close(self) -> None:
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self.stream.close()

    def _load(self) -> Projector | None:
        try:
            return None if self._path is None else Projector.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as wrong:
            log.warning("the projector is to be calibrated again why=%s", wrong)
            return None

    def _save(self) -> None:
        if self._path is None or self._projector is None:
            return
        try:
            write_whole(self._path, self._projector.model_dump_json())
        except BadFile as wrong:
            log.warning("the projector's calibration is not kept why=%s", wrong)


def solve_looks(pattern: DotPattern, looks: Sequence[ImageReport], layout: Layout) -> Projector:
    """The projector by these pictures of the pattern. Raises: NoTableYet, BadInput."""
    first = looks[0]
    if first.camera is None or first.pose is None or any(look.jpeg is None for look in looks):
        raise NoTableYet("The camera has not found the table yet.")
    pictures = [_gray(look.jpeg) for look in looks if look.jpeg is not None]
    dots = read_dots(pattern, pictures)
    return solve_projector(dots, pattern.size_px, view=View(first.camera, first.pose, layout))


def _gray(jpeg: bytes) -> Image:
    return to_gray(decode_image(jpeg, field="picture", name="the camera's picture"))


def worst_sigma_mm(projector: Projector, table_mm: tuple[float, float]) -> float:
    """How far light may fall beside its place on the part of the table that it reaches."""
    x, y = (np.linspace(0, side, _GRID) for side in table_mm)
    places = np.stack(np.meshgrid(x, y, [0.0]), axis=-1).reshape(-1, 3)
    pixels = projector.project(places)
    is_lit = np.all((pixels >= 0) & (pixels < projector.lens.image_size), axis=1)
    return float(projector.sigma_mm(places[is_lit]).max(initial=0.0))


def surfaces_of(layout: Layout) -> tuple[Surface, ...]:
    """Raised ground of known height."""
    return tuple(
        Surface(outline_mm=tuple((float(x), float(y)) for x, y in piece.polygon_mm), z_mm=piece.surface_mm)
        for piece in layout.terrain
        if piece.polygon_mm is not None and piece.surface_mm
    )
