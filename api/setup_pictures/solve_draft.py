"""Draft solved: held pictures, where their sheets lie, and the poses and layout of all of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from api.errors import NoPicture
from api.setup_pictures.draft import Draft, DraftFolder, KeptPicture, SetupResult, TakenBy
from api.setup_pictures.schemas import SheetTaps, TapPicture
from api.setup_pictures.sweep import doubt_of_view
from calibration.arrays import Image
from calibration.camera_model.rescale import rescale_camera
from calibration.setup.lens_solve import FocalPrior, Known
from calibration.setup.picture_intake import Intake
from calibration.setup.print_scale import solve_intake_to_scale
from calibration.setup.solve_setup import Setup
from calibration.setup.solve_sheets import solve_sheets
from calibration.view import View
from models.errors import BadInput
from vision.terrain.several_views import TableView

FEWEST = 2  # pictures from which a lens can be tried
_QUALITY = 90
WIDTH_PX = 1600  # of a picture as it is held: finer than the maps by which terrain is told from the mat


def eye_pictures(draft: Draft) -> tuple[KeptPicture, ...]:
    """The pictures of the eye that plays: the phone's own, or the camera's."""
    return _taken_by(draft, "phone" if draft.eye == "phone" else "camera")


def solve_draft(draft: Draft) -> Setup:
    """The eye's camera on the table: with the phone's sweep as layout where a camera plays, and its lens where known.

    Raises: BadInput naming picture, page or size at fault.
    """
    return solve_all_pictures(draft)[0]


def solve_all_pictures(draft: Draft) -> tuple[Setup, ...]:
    """The eye's set-up, and that of the phone's sweep where a camera plays: both on one table. Raises: BadInput."""
    eye = eye_pictures(draft)
    if draft.eye == "phone":
        return (_solve(eye, draft, Known(focal=_focal(eye), camera=draft.lens)),)
    sweep = _taken_by(draft, "phone")
    if not sweep:
        return (_solve(eye, draft, Known(camera=draft.lens)),)
    walked = _solve(sweep, draft, Known(focal=_focal(sweep)))
    return _solve(eye, draft, Known(camera=draft.lens, layout=walked.layout)), walked


def _solve(pictures: Iterable[KeptPicture], draft: Draft, known: Known) -> Setup:
    return solve_intake_to_scale(_intake(pictures), table_mm=draft.table_mm, ruler_mm=draft.ruler_mm, known=known)


def _intake(pictures: Iterable[KeptPicture]) -> Intake:
    intake = Intake()
    for picture in pictures:
        intake.size = picture.size
        if picture.pages:
            intake.views += picture.views(len(intake.names))
            intake.names.append(picture.name)
    return intake


def _taken_by(draft: Draft, by: TakenBy) -> tuple[KeptPicture, ...]:
    return tuple(picture for picture in draft.pictures if picture.by == by)


def _focal(pictures: Iterable[KeptPicture]) -> FocalPrior | None:
    focal = next((picture.focal for picture in pictures if picture.focal is not None), None)
    return None if focal is None else FocalPrior(*focal)


@dataclass
class SheetLooks:
    """Holds one picture at a time: taps on an older one are refused, since the camera may have moved since."""

    _image: Image | None = None
    _version: int = 0

    @property
    def image(self) -> Image | None:
        return self._image

    def clear(self) -> None:
        self._image = None

    def take(self, draft: Draft, grab: Callable[[str], Image]) -> TapPicture:
        """Raises: SourceLost, BadFile, BadInput."""
        if draft.source is None:
            raise BadInput("choose a camera that stays first", field="source", value=None)
        self._image = grab(draft.source)
        self._version += 1
        height, width = self._image.shape[:2]
        return TapPicture(version=self._version, width_px=width, height_px=height)

    def jpeg(self, version: int) -> bytes:
        """Raises: NoPicture."""
        _, encoded = cv2.imencode(".jpg", self._held(version, NoPicture), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return bytes(encoded.tobytes())

    def solve(self, taps: SheetTaps, draft: Draft, folder: DraftFolder) -> SetupResult:
        """Lens, pose and map go into the folder. Raises: BadInput, BadFile."""
        if draft.paper is None or draft.table_mm is None:
            raise BadInput("choose the size of the table and of the paper first", field="paper", value=None)
        image = self._held(taps.version, BadInput)
        known = Known(camera=draft.lens)
        setup = solve_sheets(image, taps.taps_px, paper=draft.paper, table_mm=draft.table_mm, known=known)
        doubt = doubt_of_view(View.of_bare_table(setup.camera, setup.pose, draft.table_mm))
        folder.keep_sheets(setup.camera, setup.pose, doubt.svg)
        return SetupResult(
            says=doubt.sentence,
            middle_mm=doubt.middle_mm,
            corners_mm=doubt.corners_mm,
            table_mm=draft.table_mm,
            remarks=setup.remarks,
            by="sheets",
        )

    def _held(self, version: int, error: type[NoPicture | BadInput]) -> Image:
        if self._image is None or version != self._version:
            raise error(
                "a newer picture was taken, or none yet: let the camera look again", field="version", value=version
            )
        return self._image


_HELD_QUALITY = 92


@dataclass
class HeldPictures:
    """JPEG by the picture's name: a sweep of twenty takes ten megabytes so. They show the room, and never leave."""

    _held: dict[str, bytes] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, name: str, image: Image) -> None:
        height, width = image.shape[:2]
        if width > WIDTH_PX:
            size = WIDTH_PX, round(height * WIDTH_PX / width)
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        self._held[name] = bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _HELD_QUALITY])[1].tobytes())

    def drop(self, name: str) -> None:
        self._held.pop(name, None)

    def clear(self) -> None:
        self._held.clear()

    def views(self, setup: Setup) -> Iterator[TableView]:
        """Those of this set-up, with the lens as it is for them and where they were taken."""
        for name, pose in zip(setup.pictures, setup.poses, strict=True):
            if name in self._held:
                picture = cv2.imdecode(np.frombuffer(self._held[name], np.uint8), cv2.IMREAD_COLOR)
                assert picture is not None
                image = np.asarray(picture, np.uint8)
                yield TableView(image, rescale_camera(setup.camera, (image.shape[1], image.shape[0])), pose)
