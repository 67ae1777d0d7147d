"""One picture of discs, without layout or fiducials -> a state; plane and scale are solved from their sizes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.lens import on_plane
from models.base import Catalogue, RoundBase
from models.camera import Camera, CameraPose
from models.errors import BadInput, TableNotVisible
from models.miniature import Miniature
from models.pose import Sigma
from models.state import CommonMode, TableSize, TableState
from models.words import EditionId, Point
from vision.freely.discs import Disc, discs_in
from vision.freely.hanging import hung
from vision.freely.plane import FreePlane, Lens, axes_of, seen_circle, solved
from vision.freely.sizing import Sized, sized

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]

_FOCAL = 0.8  # of the longer side: what phones have, when no camera is told
_ROUNDS = 2  # of measuring and solving in turn
_STRANGE = 0.06  # a disc whose size is further off, as a share, is none of the catalogue's
_LEAST_SUPPORT = 0.1
_OWN_SIGMA_MM = 0.3


@dataclass(frozen=True)
class FreeTable:
    """A state in a frame of its own, and how the picture was taken. `other_scales`: factors that fit about as well."""

    state: TableState
    camera: Camera
    pose: CameraPose
    other_scales: tuple[float, ...]
    is_lens_told: bool


def seen_freely(image: Picture, *, catalogue: Catalogue, edition: EditionId, camera: Camera | None = None) -> FreeTable:
    """The discs of the catalogue's sizes in this picture; a camera file tells the lens, its distortion is left out.

    Raises: BadInput, TableNotVisible.
    """
    sizes = sorted({base.diameter_mm for base in catalogue.bases if isinstance(base, RoundBase)})
    if not sizes:
        raise BadInput(
            "the plane is solved from round sizes, and the catalogue holds none", field="catalogue", value=[]
        )
    lens = _lens(camera, image)
    discs: Sequence[Disc] = discs_in(image)
    plane = solved(discs, sizes_mm=sizes, lens=lens)
    if plane is None:
        raise TableNotVisible("no disc is seen: nothing tells the plane and the scale")
    size_px = (image.shape[1], image.shape[0])
    for _ in range(_ROUNDS):
        free, pose, _ = hung(plane, np.array([disc.at_px for disc in discs]), size_px)
        found = [_measured(image, disc, plane, catalogue.rim_mm, free, pose) for disc in discs]
        discs = [_as_seen(disc, one, plane, pose) for disc, one in zip(discs, found, strict=True)]
        plane = solved(discs, sizes_mm=sizes, lens=lens) or plane
    free, pose, table_mm = hung(plane, np.array([disc.at_px for disc in discs]), size_px)
    found = [_measured(image, disc, plane, catalogue.rim_mm, free, pose) for disc in discs]
    state = _state(_of_size(found, sizes), table_mm, plane, edition)
    return FreeTable(state, free, pose, plane.other_scales, is_lens_told=camera is not None)


def _lens(camera: Camera | None, image: Picture) -> Lens:
    """What the camera file says, or what most phones have."""
    if camera is not None:
        (f, _, x), (_, _, y), _ = camera.K
        return Lens(f, (x, y))
    height, width = image.shape[:2]
    return Lens(_FOCAL * max(width, height), ((width - 1) / 2, (height - 1) / 2))


def _measured(image: Picture, disc: Disc, plane: FreePlane, rim_mm: float, camera: Camera, pose: CameraPose) -> Sized:
    (x, y) = on_plane(np.array([disc.at_px]), camera=camera, pose=pose, z_mm=0.0)[0].tolist()
    (diameter,) = plane.diameters_mm([disc]).tolist()
    return sized(image, (x, y), diameter, rim_mm=rim_mm, camera=camera, pose=pose)


def _as_seen(disc: Disc, one: Sized, plane: FreePlane, pose: CameraPose) -> Disc:
    """The ellipse of the disc's foot."""
    point = np.array(pose.rotation) @ (*one.at_mm, 0.0) + np.array(pose.translation_mm)
    x, y = (point[:2] / point[2] * plane.lens.focal_px + plane.lens.middle_px).tolist()
    (ray,) = plane.lens.rays(np.array([[x, y]]))
    shape = seen_circle(ray, plane.normal) * plane.lens.focal_px * one.diameter_mm / 2 / plane.distance_mm
    long, short, turn = axes_of(shape)
    trust = max(one.support, 0.1)
    return replace(disc, at_px=(x, y), long_px=long, short_px=short, turn_rad=turn, support=trust)


def _of_size(found: list[Sized], sizes: list[float]) -> list[tuple[Sized, float]]:
    """Those that are of a size of the catalogue, each with it, in reading order."""
    kept = []
    for one in found:
        size = min(sizes, key=lambda mm: abs(np.log(mm / one.diameter_mm)))
        if abs(np.log(size / one.diameter_mm)) < _STRANGE and one.support > _LEAST_SUPPORT:
            kept.append((one, size))
    return sorted(kept, key=lambda pair: (-round(pair[0].at_mm[1] / 60), pair[0].at_mm[0]))


def _state(
    found: list[tuple[Sized, float]], table_mm: tuple[float, float], plane: FreePlane, edition: EditionId
) -> TableState:
    """The table of these discs; that the scale is in doubt moves all of them together."""
    middle = np.array(table_mm) / 2
    shifts = {
        f"m{k}": (
            float(one.at_mm[0] - middle[0]) * plane.scale_sigma, float(one.at_mm[1] - middle[1]) * plane.scale_sigma
        )
        for k, (one, _) in enumerate(found, start=1)
    }  # fmt: skip
    miniatures = tuple(_miniature(id_, *pair, shifts[id_]) for id_, pair in zip(shifts, found, strict=True))
    return TableState(
        edition=edition, table=TableSize(width_mm=table_mm[0], depth_mm=table_mm[1]), miniatures=miniatures,
        common_mm=(CommonMode(name="scale", shift_mm=shifts),),
    )  # fmt: skip


def _miniature(id_: str, one: Sized, size_mm: float, shift_mm: Point) -> Miniature:
    sigma_mm = math.sqrt(_OWN_SIGMA_MM**2 + (shift_mm[0] ** 2 + shift_mm[1] ** 2) / 2)
    at_mm = (round(one.at_mm[0], 3), round(one.at_mm[1], 3))
    return Miniature(id=id_, base=RoundBase(diameter_mm=size_mm), at_mm=at_mm, sigma=Sigma(at_mm=round(sigma_mm, 3)))
