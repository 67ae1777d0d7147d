"""A disc measured once more, now that the plane is known: its outline is the hull of its foot and of its upper rim."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.words import Point
from vision.outline import RimProfile, outline_of_base
from vision.profile import OFFSETS_MM, column_of, edges_across

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

_POINTS = 120
_REACH = 0.09  # of the radius, by which place and size may be off
_STEPS = 15  # tried over that reach, each way
_HALF_FELT = 25.0  # grey levels per pixel at which a step is half believed
_OUTERMOST = 0.75  # of the best score: inside the edge of a disc there may be rings that are stronger
_NEAR = 0.02  # of the radius: a step so near speaks for the outline


@dataclass(frozen=True)
class Sized:
    """A disc on the table. `support` is the share of its outline whose strongest step lies there."""

    at_mm: Point
    diameter_mm: float
    edge: float
    support: float


def sized(
    image: Picture, at_mm: Point, diameter_mm: float, *, rim_mm: float, camera: Camera, pose: CameraPose
) -> Sized:
    """The disc near this place and of about this size, where most of its outline lies on colour steps."""
    now = Sized(at_mm, diameter_mm, 0.0, 0.0)
    for share in (1.0, 0.25):
        now = _nearer(image, now, share, RimProfile("disc", rim_mm, 0.0, ()), camera, pose)
    return now


def _nearer(image: Picture, disc: Sized, share: float, profile: RimProfile, camera: Camera, pose: CameraPose) -> Sized:
    outline = outline_of_base(
        RoundBase(diameter_mm=disc.diameter_mm), disc.at_mm, turn_rad=0.0, profile=profile, ground_mm=0.0,
        camera_mm=np.array(pose.centre_mm), count=_POINTS,
    )  # fmt: skip
    edges = edges_across(image, outline, ground_mm=0.0, camera=camera, pose=pose)
    felt = edges.strength / (edges.strength + _HALF_FELT)
    reach_mm = min(share * _REACH * disc.diameter_mm / 2, -float(OFFSETS_MM[0]) / 2.5)
    steps = np.linspace(-reach_mm, reach_mm, _STEPS)
    shift, grown_mm, score = _best(felt, outline.normals, steps)
    off = np.abs(OFFSETS_MM[felt.argmax(axis=1)] - outline.normals @ shift - grown_mm)
    return Sized(
        at_mm=(disc.at_mm[0] + float(shift[0]), disc.at_mm[1] + float(shift[1])),
        diameter_mm=disc.diameter_mm + 2 * grown_mm,
        edge=score,
        support=float((off < max(0.15, _NEAR * disc.diameter_mm / 2)).mean()),
    )


def _best(felt: Floats, normals: Floats, steps_mm: Floats) -> tuple[Floats, float, float]:
    """Shift and growth of the outermost outline that nearly as many steps run along as along any."""
    places = np.stack(np.meshgrid(steps_mm, steps_mm), axis=-1).reshape(-1, 2)
    off = places @ normals.T
    rows = np.arange(len(normals))
    tops, scores = [], []
    for grown in steps_mm:
        score = felt[rows, column_of(off + grown)].mean(axis=1)
        tops.append(int(score.argmax()))
        scores.append(float(score.max()))
    peaks = [
        k
        for k, score in enumerate(scores)
        if score >= max(scores[max(0, k - 1) : k + 2]) and score > _OUTERMOST * max(scores)
    ]
    best = max(peaks)
    return places[tops[best]], float(steps_mm[best]), scores[best]
