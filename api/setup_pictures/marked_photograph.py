"""Marked photograph: lens and pose of one picture of a game, by corners, sides and discs that a person taps in it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from api.camera.frame_loop import mask_room
from api.corners.service import rim_points
from api.errors import NoPicture
from api.setup_pictures.draft import Draft, DraftFolder, SetupResult
from api.setup_pictures.schemas import LensSource, MarkedPose, PhotographMarks, ProposedMarks, TapPicture
from api.setup_pictures.sweep import doubt_of_view
from calibration.arrays import Floats, Image
from calibration.camera_model.rescale import rescale_camera
from calibration.pose.board_edges import propose_boards
from calibration.pose.covariance_propagation import sigma_mm
from calibration.pose.marked_pose import MarkedView, pinhole_camera, solve_marks
from calibration.pose.mat_sides import Side, corners_mm, measure_side
from calibration.pose.picture_fitness import check_picture
from calibration.pose.pose_fitness import check_pose
from calibration.view import View
from models.base import LARGEST_MM, RoundBase
from models.camera import Camera
from models.errors import BadInput
from models.hint import LOUPE_MM
from models.marks import CORNERS, SIDES, CornerMark, DiscMark, Mark, Marks, SideMark
from models.vocabulary import Point
from vision.capture.image_decoding import decode_image
from vision.capture.photo_exif import read_exif
from vision.prompted_fit import Prompt
from vision.rectification.ground_height import Ground
from vision.size_ruler import measure_sizes
from vision.uncalibrated.ellipse_detection import Disc, detect_discs

_USUAL_FOCAL, _USUAL_SIGMA = 0.62, 0.25  # of a phone's main lens, in diagonals of its picture
_QUALITY = 95
_CARE_PX = 5.0  # sigma of a mark that a side in the picture makes no better
_SIDE_PX = 2.0  # how straight and how sharp the edge of a board is
_MOST_REACH_PX = 60.0  # beyond it another edge is as likely
_NEAR_REACH_PX = 8.0  # of the second look
_MOST_TRIED, _INSIDE_PX, _STEPS = 4, 4.0, 97  # boards that are solved; from the picture's edge; along a side
_MOST_DISCS, _RIM_PLACES = 40, 24
_MOST_FAR_MM = 25.4  # worse than an inch, and nobody should play by it


Rim = tuple[Point, ...]
"""Places round a rim in a picture."""


@dataclass(frozen=True)
class Lens:
    """What is known of the lens before anything is marked: where from, and how exactly its focal length."""

    source: LensSource
    camera: Camera
    focal_sigma: float


def lens_of_photograph(data: bytes, size_px: tuple[int, int], kept: Camera | None) -> Lens:
    """The lens that was calibrated, else what EXIF names, else a phone's usual one. Raises: BadInput."""
    if kept is not None:
        return Lens("kept", rescale_camera(kept, size_px), 0.0)
    if (focal := read_exif(data).focal_px(size_px)) is not None:
        return Lens("exif", pinhole_camera(size_px, focal[0]), focal[1])
    return _usual_lens(size_px)


def _usual_lens(size_px: tuple[int, int]) -> Lens:
    usual_px = _USUAL_FOCAL * float(np.hypot(*size_px))
    return Lens("usual", pinhole_camera(size_px, usual_px), _USUAL_SIGMA)


@dataclass(frozen=True)
class SolvedPhotograph:
    """The view that explains the marks, and one sigma of a place at the nearest corner and at the farthest."""

    marked: MarkedView
    lens: LensSource
    near_mm: float
    far_mm: float
    exif_factor: float | None = None  # of its focal length over that of the marks, where they contradict it

    def warnings(self) -> tuple[str, ...]:
        """What the lens leaves to say."""
        if self.exif_factor is None:
            return ()
        return (
            f"EXIF names a focal length {self.exif_factor:.2f} times as long as the marks show, and is not believed: "
            "was the picture cut, or is the table of another size?",
        )


def solve_photograph(marks: Marks, lens: Lens, *, start: View | None = None) -> SolvedPhotograph:
    """Lens and pose by these marks; EXIF that they contradict is not believed. Raises: BadInput."""
    used = lens
    try:
        marked = solve_marks(marks, camera=lens.camera, focal_sigma=lens.focal_sigma, start=start)
    except BadInput:
        if lens.source != "exif":
            raise
        used = _usual_lens(lens.camera.image_size)
        marked = solve_marks(marks, camera=used.camera, focal_sigma=used.focal_sigma)
    sigmas = sigma_mm(corners_mm(marks.table_mm), view=marked.view)
    factor = None if used is lens else lens.camera.K[0][0] / marked.view.camera.K[0][0]
    return SolvedPhotograph(marked, used.source, float(sigmas.min()), float(sigmas.max()), factor)


@dataclass
class MarkedPhotographs:
    """Holds one photograph at a time; what is kept of it is the table, black beyond its edge."""

    _image: Image | None = None
    _lens: Lens | None = None
    _version: int = 0
    _jpeg: bytes = field(default=b"", repr=False)
    _discs: tuple[Rim, ...] | None = None

    def take(self, data: bytes, name: str, draft: Draft) -> TapPicture:
        """Hold this photograph, to be marked. Raises: BadFile, BadInput."""
        image = decode_image(data, field="photograph", name=name)
        height, width = image.shape[:2]
        self._lens = lens_of_photograph(data, (width, height), draft.lens)
        self._image, self._version = image, self._version + 1
        self._jpeg, self._discs = _encode(image), None
        proposed = None if draft.table_mm is None else propose_marks(image, self._lens, draft.table_mm)
        return TapPicture(version=self._version, width_px=width, height_px=height, proposed=proposed)

    def discs(self, version: int) -> tuple[Rim, ...]:
        """Places on the rim of each disc that it shows, the likeliest first. Raises: NoPicture."""
        self.jpeg(version)
        if self._discs is None and self._image is not None:
            self._discs = tuple(_rim_of(disc) for disc in detect_discs(self._image)[:_MOST_DISCS])
        return self._discs or ()

    @property
    def is_holding(self) -> bool:
        """Whether there is one that may be marked."""
        return self._image is not None

    def jpeg(self, version: int) -> bytes:
        """Raises: NoPicture."""
        if not self._jpeg or version != self._version:
            raise NoPicture("There is a newer photograph, or none yet.")
        return self._jpeg

    def solve(self, marks: PhotographMarks, draft: Draft, folder: DraftFolder) -> tuple[MarkedPose, SetupResult]:
        """Lens, pose, picture and map go into the folder. Raises: BadInput, BadFile."""
        if draft.table_mm is None:
            raise BadInput("choose the size of the table first", field="table_mm", value=None)
        if self._image is None or self._lens is None or marks.version != self._version:
            raise BadInput("there is a newer photograph, or none yet", field="version", value=marks.version)
        named = Marks(table_mm=draft.table_mm, marks=marks.marks)
        solved = solve_on_sides(self._image, named, self._lens)
        view, doubt = solved.marked.view, doubt_of_view(solved.marked.view)
        warnings = (*solved.warnings(), *doubt_photograph(self._image, named, view))
        shown = mask_room(self._image, camera=view.camera, pose=view.pose, table_mm=view.table_mm)
        folder.keep_photograph(view, _encode(shown), doubt.svg)
        result = SetupResult(
            says=doubt.sentence, middle_mm=doubt.middle_mm, corners_mm=doubt.corners_mm, table_mm=draft.table_mm,
            by="marks",
        )  # fmt: skip
        outline = _in_sight(view.project(rim_points(draft.table_mm)), max(self._image.shape))
        pose = MarkedPose(
            lens=solved.lens, near_mm=solved.near_mm, far_mm=solved.far_mm, outline_px=outline,
            misses=solved.marked.misses[: len(marks.marks)], warnings=warnings,
        )  # fmt: skip
        return pose, result

    def clear(self) -> None:
        """Hold none any more."""
        self._image, self._jpeg = None, b""


def propose_marks(image: Image, lens: Lens, table_mm: tuple[float, float]) -> ProposedMarks | None:
    """Marks on the edges of the board in the picture, which go together; None where no such board is clear."""
    high, wide = image.shape[:2]
    for board in propose_boards(image, camera=lens.camera, focal_sigma=lens.focal_sigma, table_mm=table_mm)[
        :_MOST_TRIED
    ]:
        marks = _marks_on(board.corners_px, (wide, high))
        try:
            solved = solve_photograph(Marks(table_mm=table_mm, marks=marks), lens)
        except BadInput:
            continue
        if solved.far_mm <= _MOST_FAR_MM:
            return ProposedMarks(marks=marks, outline_px=_points(board.corners_px))
    return None


def _marks_on(corners_px: Floats, size_px: tuple[int, int]) -> tuple[Mark, ...]:
    """The corners that are in sight, and two places on each side of which one is not."""
    low, high = np.full(2, _INSIDE_PX), np.array(size_px) - 1 - _INSIDE_PX
    is_seen = np.all((corners_px > low) & (corners_px < high), axis=1)
    marks: list[Mark] = [
        CornerMark(kind="corner", corner=name, at_px=at_px)
        for name, at_px, is_clear in zip(CORNERS, _points(corners_px), is_seen, strict=True)
        if is_clear
    ]
    for number, side in enumerate(SIDES):
        ends = corners_px[[number, (number + 1) % len(SIDES)]]
        along = ends[0] + np.linspace(0.02, 0.98, _STEPS)[:, None] * (ends[1] - ends[0])
        along = along[np.all((along > low) & (along < high), axis=1)]
        if not is_seen[[number, (number + 1) % len(SIDES)]].all() and len(along) > 1:
            marks.append(SideMark(kind="side", side=side, at_px=_points(along[[0, -1]])))
    return tuple(marks)


def _rim_of(disc: Disc) -> Rim:
    turns = np.arange(_RIM_PLACES) * 2 * np.pi / _RIM_PLACES
    local = np.column_stack([disc.long_px * np.cos(turns), disc.short_px * np.sin(turns)])
    cos, sin = np.cos(disc.turn_rad), np.sin(disc.turn_rad)
    return _points(disc.at_px + local @ np.array([[cos, sin], [-sin, cos]]))


def _points(rows: Floats) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in rows)


def solve_on_sides(image: Image, marks: Marks, lens: Lens) -> SolvedPhotograph:
    """Lens and pose by the marks, and by the table's sides where the picture shows them there, looked for twice: the
    second time nearer. Marks that were placed with care stay alone: beside them an edge of the table's own border or of
    its cloth does harm. Raises: BadInput."""
    tried = tuple(_solve_nearer(image, marks, lens))
    solved = min(tried[0], tried[-1], key=lambda each: each.far_mm)
    if solved.far_mm > _MOST_FAR_MM:
        raise BadInput(
            f"marks: by these, places are good to {solved.far_mm:.0f} mm at the farthest corner alone: "
            "mark another corner, two places on another side, or a marker of known size",
            field="marks",
            value=round(solved.far_mm, 1),
        )
    return solved


def _solve_nearer(image: Image, marks: Marks, lens: Lens) -> Iterator[SolvedPhotograph]:
    """By the marks alone; then, where they are blunt, by the sides near them too, as long as those go together."""
    yield (solved := solve_photograph(marks, lens))
    blunt_px = max(mark.sigma_px for mark in marks.marks)
    reach_px = min(_MOST_REACH_PX, 3 * blunt_px)
    for reach in (reach_px, min(reach_px, _NEAR_REACH_PX)) if blunt_px > _CARE_PX else ():
        refined = _refine(image, marks, lens, solved.marked.view, reach)
        if refined is None:
            return
        yield (solved := refined)


def _refine(image: Image, marks: Marks, lens: Lens, view: View, reach_px: float) -> SolvedPhotograph | None:
    """By the sides that are seen near this view, too; None where they are edges beside the table's own."""
    sides = [measure_side(image, number, view=view, reach_px=reach_px) for number in range(len(SIDES))]
    seen = tuple(_mark_of(side, view) for side in sides if side is not None)
    try:
        more = marks.model_copy(update={"marks": (*marks.marks, *seen)})  # what was measured is not counted
        return solve_photograph(more, lens, start=view)
    except BadInput:
        return None


def doubt_photograph(image: Image, marks: Marks, view: View) -> tuple[str, ...]:
    """What makes measuring in this photograph doubtful: light, blur, noise, edges beside the pose, sizes of discs.

    Raises: TooBlurred, BadInput where nothing can be trusted.
    """
    discs = [mark for mark in marks.marks if isinstance(mark, DiscMark)]
    given = [
        (
            Prompt((float(x), float(y)), Ground(disc.height_mm, 0.0), LOUPE_MM),
            RoundBase(diameter_mm=disc.diameter_mm),
        )
        for disc in discs
        for x, y in [view.intersect_plane([np.mean(disc.at_px, axis=0)], z_mm=disc.height_mm)[0, :2].tolist()]
        if 0 < disc.diameter_mm <= LARGEST_MM
    ]  # fmt: skip
    ruler = measure_sizes(image, given, view=view)
    said = () if ruler is None else (ruler.sentence(view.table_mm),)
    return *check_picture(image, view=view), *check_pose(image, view=view), *said


def _mark_of(side: Side, view: View) -> SideMark:
    """Where a side was seen, in the picture."""
    seen_px = view.project(side.points_mm) + side.outward * side.offset_px[:, None]
    return SideMark(kind="side", side=SIDES[side.number], at_px=_points(seen_px), sigma_px=_SIDE_PX)


def _in_sight(rim: Floats, side_px: int) -> tuple[Point, ...]:
    """The places of a rim that are before the camera; those far beyond the picture are drawn in to its surroundings."""
    return _points(rim[np.isfinite(rim).all(axis=1)].clip(-4.0 * side_px, 4.0 * side_px))


def _encode(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes())
