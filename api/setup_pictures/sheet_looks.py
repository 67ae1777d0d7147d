"""Sheet looks: the picture of two blank sheets in which somebody taps their corners; kept nowhere."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2

from api.errors import NoPicture
from api.setup_pictures.draft import Draft, DraftFolder, SetupResult
from api.setup_pictures.schemas import SheetPicture, SheetTaps
from api.setup_pictures.sentence import doubt_of_sheets
from calibration.arrays import Image
from calibration.setup.lens_solve import Known
from calibration.setup.solve_sheets import solve_sheets
from models.errors import BadInput

_QUALITY = 90


@dataclass
class SheetLooks:
    """Holds one picture at a time: taps on an older one are refused, since the camera may have moved since."""

    _image: Image | None = None
    _version: int = 0

    @property
    def image(self) -> Image | None:
        """The picture that is held."""
        return self._image

    def clear(self) -> None:
        """Hold none any more."""
        self._image = None

    def take(self, draft: Draft, grab: Callable[[str], Image]) -> SheetPicture:
        """Raises: SourceLost, BadFile, BadInput."""
        if draft.source is None:
            raise BadInput("choose a camera that stays first", field="source", value=None)
        self._image = grab(draft.source)
        self._version += 1
        height, width = self._image.shape[:2]
        return SheetPicture(version=self._version, width_px=width, height_px=height)

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
        doubt = doubt_of_sheets(setup, draft.table_mm)
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
