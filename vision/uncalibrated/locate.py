"""Uncalibrated localisation: one picture of discs, without layout or fiducials -> a state.

Plane and scale are solved from the sizes of the discs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from calibration.arrays import Floats, Image
from calibration.camera_model.projection import intersect_plane
from models.base import Catalogue, RoundBase
from models.camera import Camera, CameraPose
from models.errors import BadInput, TableNotVisible
from models.miniature import Miniature
from models.pose import Sigma
from models.state import CommonMode, TableSize, TableState
from models.vocabulary import EditionId, Id, Point
from vision.uncalibrated.disc_refit import MeasuredDisc, measure_disc
from vision.uncalibrated.ellipse_detection import Disc, detect_discs
from vision.uncalibrated.plane_solver import Lens, SolvedPlane, circle_jacobian, ellipse_axes, solve_plane

_MARGIN_MM = 60.0  # around the outermost discs
_FOCAL_SHARE = 0.08  # by which a focal length that nobody told may be off
_FOCAL = 0.8  # of the longer side: what phones have, when no camera is told
_ROUNDS = 2  # of measuring and solving in turn
_LEAST_SHARE = 0.2  # probability that a disc is of one of the sizes at all
_LEAST_SUPPORT = 0.2
_LEAST_ODDS = 0.0  # of a disc whose outline, looked at once more, is not the strongest edge around
_WORTH_TELLING = 0.05  # probability below which a size is not named
_SURE = 0.9
_OWN_SIGMA_MM = 0.3


@dataclass(frozen=True)
class UncalibratedTable:
    """A state in a frame of its own, and how the picture was taken. `other_scales`: factors that fit about as well.

    `sizes` holds for each miniature the diameters that it may have and how likely each is, likeliest first.
    """

    state: TableState
    camera: Camera
    pose: CameraPose
    other_scales: tuple[float, ...]
    is_lens_told: bool
    sizes: dict[Id, tuple[tuple[float, float], ...]]

    @property
    def unsure(self) -> tuple[Id, ...]:
        """Those whose size may well be another one."""
        return tuple(id_ for id_, shares in self.sizes.items() if shares[0][1] < _SURE)


def locate_uncalibrated(
    image: Image, *, catalogue: Catalogue, edition: EditionId, camera: Camera | None = None
) -> UncalibratedTable:
    """Localises the discs of the catalogue's sizes in this picture; a camera file gives the lens, its distortion is
    left out.

    Raises: BadInput, TableNotVisible.
    """
    sizes = sorted({base.diameter_mm for base in catalogue.narrowed().bases if isinstance(base, RoundBase)})
    if not sizes:
        raise BadInput(
            "the plane is solved from round sizes, and the catalogue holds none", field="catalogue", value=[]
        )
    lens = _lens(camera, image)
    discs: Sequence[Disc] = detect_discs(image)
    plane = solve_plane(discs, sizes_mm=sizes, lens=lens)
    if plane is None:
        raise TableNotVisible("no disc is seen: nothing tells the plane and the scale")
    size_px = (image.shape[1], image.shape[0])
    for _ in range(_ROUNDS):
        free, pose, _ = camera_over_plane(plane, np.array([disc.at_px for disc in discs]), size_px)
        measured = [_measure_disc(image, disc, plane, catalogue.rim_mm, free, pose) for disc in discs]
        discs = [
            _reproject_disc(disc, measured_disc, plane, pose)
            for disc, measured_disc in zip(discs, measured, strict=True)
        ]
        plane = solve_plane(discs, sizes_mm=sizes, lens=lens) or plane
    return _assemble_table(discs, plane, sizes, size_px, edition, is_lens_told=camera is not None)


def _assemble_table(
    discs: Sequence[Disc], plane: SolvedPlane, sizes: list[float], size_px: tuple[int, int], edition: EditionId,
    *, is_lens_told: bool,
) -> UncalibratedTable:  # fmt: skip
    """The table of the discs that are of a size of the catalogue.

    Raises: TableNotVisible.
    """
    at_px = np.array([disc.at_px for disc in discs])
    free, pose, table_mm = camera_over_plane(plane, at_px, size_px)
    at_mm = intersect_plane(at_px, camera=free, pose=pose, z_mm=0.0)
    places = [
        SizedPlace((x, y), _likely_sizes(sizes, shares))
        for (x, y), disc, shares in zip(at_mm.tolist(), discs, plane.size_shares.tolist(), strict=True)
        if sum(shares) > _LEAST_SHARE and (disc.support > _LEAST_SUPPORT or disc.log_odds > _LEAST_ODDS)
    ]
    if not places:
        raise TableNotVisible("discs are seen, and under no slant and scale are they of the catalogue's sizes")
    ids = {f"m{k}": place for k, place in enumerate(sorted(places, key=_reading_order), start=1)}
    state = _state(ids, table_mm, plane, edition)
    sizes_told = {id_: place.sizes for id_, place in ids.items()}
    return UncalibratedTable(state, free, pose, plane.other_scales, is_lens_told, sizes_told)


class SizedPlace(NamedTuple):
    """A place on the plane, and the diameters of what may stand there, likeliest first."""

    at_mm: Point
    sizes: tuple[tuple[float, float], ...]


def _likely_sizes(sizes: list[float], shares: list[float]) -> tuple[tuple[float, float], ...]:
    """The sizes worth telling with their probabilities."""
    order = sorted(zip(sizes, shares, strict=True), key=lambda pair: -pair[1])
    likely = [pair for pair in order if pair[1] > _WORTH_TELLING * sum(shares)] or order[:1]
    return tuple((size, round(share / sum(shares), 3)) for size, share in likely)


def _reading_order(place: SizedPlace) -> tuple[float, float]:
    return -round(place.at_mm[1] / 60), place.at_mm[0]


def _lens(camera: Camera | None, image: Image) -> Lens:
    """What the camera file says, or what most phones have."""
    if camera is not None:
        (f, _, x), (_, _, y), _ = camera.K
        return Lens(f, (x, y))
    height, width = image.shape[:2]
    return Lens(_FOCAL * max(width, height), ((width - 1) / 2, (height - 1) / 2))


def _measure_disc(
    image: Image, disc: Disc, plane: SolvedPlane, rim_mm: float, camera: Camera, pose: CameraPose
) -> MeasuredDisc:
    (x, y) = intersect_plane(np.array([disc.at_px]), camera=camera, pose=pose, z_mm=0.0)[0].tolist()
    (diameter,) = plane.diameters_mm([disc]).tolist()
    return measure_disc(image, (x, y), diameter, rim_mm=rim_mm, camera=camera, pose=pose)


def _reproject_disc(disc: Disc, measured: MeasuredDisc, plane: SolvedPlane, pose: CameraPose) -> Disc:
    """The ellipse of the disc's foot."""
    point = np.array(pose.rotation) @ (*measured.at_mm, 0.0) + np.array(pose.translation_mm)
    x, y = (point[:2] / point[2] * plane.lens.focal_px + plane.lens.middle_px).tolist()
    (ray,) = plane.lens.rays(np.array([[x, y]]))
    shape = circle_jacobian(ray, plane.normal) * plane.lens.focal_px * measured.diameter_mm / 2 / plane.distance_mm
    long, short, turn = ellipse_axes(shape)
    trust = max(measured.support, 0.1)
    return replace(
        disc, at_px=(x, y), long_px=long, short_px=short, turn_rad=turn, support=trust, sigma_px=measured.sigma * long
    )


def _state(
    places: dict[Id, SizedPlace], table_mm: tuple[float, float], plane: SolvedPlane, edition: EditionId
) -> TableState:
    """The table of these discs; that the scale is in doubt moves all of them together."""
    middle = np.array(table_mm) / 2
    shifts = {
        id_: (
            float(place.at_mm[0] - middle[0]) * plane.scale_sigma, float(place.at_mm[1] - middle[1]) * plane.scale_sigma
        )
        for id_, place in places.items()
    }  # fmt: skip
    miniatures = tuple(_miniature(id_, place, shifts[id_]) for id_, place in places.items())
    return TableState(
        edition=edition, table=TableSize(width_mm=table_mm[0], depth_mm=table_mm[1]), miniatures=miniatures,
        common_mm=(CommonMode(name="scale", shift_mm=shifts),),
    )  # fmt: skip


def _miniature(id_: Id, place: SizedPlace, shift_mm: Point) -> Miniature:
    sigma_mm = math.sqrt(_OWN_SIGMA_MM**2 + (shift_mm[0] ** 2 + shift_mm[1] ** 2) / 2)
    at_mm = (round(place.at_mm[0], 3), round(place.at_mm[1], 3))
    return Miniature(
        id=id_, base=RoundBase(diameter_mm=place.sizes[0][0]), at_mm=at_mm, sigma=Sigma(at_mm=round(sigma_mm, 3))
    )


def camera_over_plane(
    plane: SolvedPlane, at_px: Floats, size_px: tuple[int, int]
) -> tuple[Camera, CameraPose, tuple[float, float]]:
    """Camera, pose, and the sides of a table that holds these places of the picture, its corner at the origin."""
    up = -plane.normal
    right = np.array([1.0, 0.0, 0.0]) - up * up[0]
    right /= np.linalg.norm(right)
    camera_from_table = np.column_stack([right, np.cross(up, right), up])
    points = plane.lens.rays(at_px) * plane.depths(at_px)[:, None]
    flat = points @ camera_from_table[:, :2]
    low, high = flat.min(axis=0) - _MARGIN_MM, flat.max(axis=0) + _MARGIN_MM
    origin = camera_from_table @ np.array([*low, float(plane.distance_mm * plane.normal @ up)])
    wide, deep = (high - low).tolist()
    return _camera(plane, size_px), _pose(camera_from_table, origin), (wide, deep)


def _camera(plane: SolvedPlane, size_px: tuple[int, int]) -> Camera:
    (x, y), f = plane.lens.middle_px, plane.lens.focal_px
    doubt = np.diag([(f * _FOCAL_SHARE) ** 2] * 2 + [0.0] * 7)
    return Camera(
        image_size=size_px, model="brown", K=((f, 0, x), (0, f, y), (0, 0, 1)), dist=(0.0,) * 5,
        covariance=doubt.tolist(), rms_px=0.0,
    )  # fmt: skip


def _pose(rotation: Floats, translation: Floats) -> CameraPose:
    return CameraPose(
        rotation=rotation.tolist(), translation_mm=translation.tolist(), covariance=np.zeros((6, 6)).tolist(),
        rms_px=0.0, rms_mm=0.0, markers=(), centre_mm=(-rotation.T @ translation).tolist(),
    )  # fmt: skip
