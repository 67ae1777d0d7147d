"""Disc refit: a disc measured once more on the known plane, by the silhouette of its foot and its upper rim."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Image, Indices
from calibration.camera_model.projection import project, project_jacobian
from models.base import RoundBase
from models.camera import Camera, CameraPose
from models.vocabulary import Point
from vision.measurement.silhouette import RimProfile, Silhouette, base_silhouette
from vision.rectification.tone_curve import tone_mapped

_POINTS = 180
_SHIFTS = np.linspace(-0.09, 0.09, 15)  # of the radius, by which the place may be off
_GROWN = np.linspace(-0.1, 0.18, 23)  # by which the size may be: more often a ring inside the edge was taken for it
_FINER = np.linspace(-0.027, 0.027, 15)  # both, once they are nearly known
_OFFSETS = np.linspace(-0.14, 0.24, 191)  # of the radius, where the picture is read across the outline
_STEP = float(_OFFSETS[1] - _OFFSETS[0])
_SOFT_PX = 0.7  # of the smoothing across it
_ALONG = 2.0  # of the smoothing along it, points
_HALF_CONFIDENCE = 25.0  # grey levels per pixel at which a step is half believed
_OUTERMOST = 0.9  # of the best score: inside the edge of a disc there may be rings that are stronger
_CLOSE = (0.02, 0.012, 0.008)  # of the radius: how near the outline a step must lie to draw it, time after time
_DARK = 12.0  # grey levels that are added before ratios are looked at
_BEYOND = 20  # of `_OFFSETS`, the outermost, tell how the table looks
_TINT, _LIGHTER, _DARKER = 0.12, 0.2, 0.9  # by which the table's colours differ, in logarithms
_BESIDE = 7  # of `_OFFSETS` on each side of a border that are looked at, half of them
_ANYHOW = 0.35  # what a step counts that parts nothing
_TOGETHER = 3.6  # so many smoothings along the outline are misled as one
_NEAR = 0.02  # of the radius: a strongest step so near speaks for the outline
_LEAST_SIGMA = 0.002  # of the radius


@dataclass(frozen=True)
class MeasuredDisc:
    """A disc on the table. `support` is the share of its outline whose strongest step lies there."""

    at_mm: Point
    diameter_mm: float
    support: float
    sigma: float  # of the diameter, as a share, from how far the steps scatter


def measure_disc(
    image: Image, at_mm: Point, diameter_mm: float, *, rim_mm: float, camera: Camera, pose: CameraPose
) -> MeasuredDisc:
    """Fits the disc near this place and of about this size to the colour steps along its outline."""
    profile = RimProfile("disc", rim_mm, 0.0, ())
    now = MeasuredDisc(at_mm, diameter_mm, 0.0, 1.0)
    for shifts, growths in ((_SHIFTS, _GROWN), (_FINER, _FINER)):
        outline = _outline(now, profile, pose)
        seen, step_px = _sample_across(image, outline, now.diameter_mm / 2, camera, pose)
        steps, parting = _edge_confidence(seen, step_px), _border_likelihood(seen)
        shift, grown = _best_shift_and_growth(steps * parting, outline.normals, shifts, growths)
        now = _fit_to_edges(now, steps, parting, outline.normals, np.array([*shift, grown]))
    return now


def _outline(disc: MeasuredDisc, profile: RimProfile, pose: CameraPose) -> Silhouette:
    return base_silhouette(
        RoundBase(diameter_mm=disc.diameter_mm), disc.at_mm, turn_rad=0.0, profile=profile, ground_mm=0.0,
        camera_mm=np.array(pose.centre_mm), count=_POINTS,
    )  # fmt: skip


def _sample_across(
    image: Image, outline: Silhouette, radius_mm: float, camera: Camera, pose: CameraPose
) -> tuple[Image, float]:
    """Colours at `_OFFSETS` of each normal (normals, offsets, 3), and the pixels from one offset to the next."""
    points = np.column_stack([outline.points_mm, np.zeros(len(outline.points_mm))])
    across_px = np.einsum("nij,nj->ni", project_jacobian(points, camera=camera, pose=pose), outline.normals) * radius_mm
    at_px = project(points, camera=camera, pose=pose)[:, None] + _OFFSETS[:, None] * across_px[:, None]
    maps = np.nan_to_num(at_px, nan=-1e4).astype(np.float32)
    seen = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8), float(np.nanmean(np.linalg.norm(across_px, axis=1))) * _STEP


def _edge_confidence(seen: Image, step_px: float) -> Floats:
    """How much each place is believed to be a colour step, 0 to 1."""
    pad = int(3 * _ALONG)
    closed = np.concatenate([seen[-pad:], seen, seen[:pad]])
    soft = cv2.GaussianBlur(tone_mapped(closed), (0, 0), sigmaX=max(0.5, _SOFT_PX / step_px), sigmaY=_ALONG)[pad:-pad]
    strength = np.linalg.norm(np.gradient(soft, axis=1), axis=2) / step_px
    return np.asarray(strength / (strength + _HALF_CONFIDENCE), np.float64)


def _border_likelihood(seen: Image) -> Floats:
    """How much each place looks like the border of the table: beyond it the table's tint, before it another one.

    A shadow dims the table and leaves its tint; the rings of a disc's face have the disc on both sides.
    """
    logs = np.log(cv2.GaussianBlur(seen, (0, 0), sigmaX=2.0, sigmaY=_ALONG).astype(np.float32) + _DARK)
    table = np.median(logs[:, -_BEYOND:].reshape(-1, 3), axis=0)
    off = logs - table
    dimmed = off.mean(axis=2, keepdims=True)
    tint = np.linalg.norm(off - dimmed, axis=2) / _TINT
    light = np.maximum(dimmed[..., 0] / _LIGHTER, np.maximum(0, -dimmed[..., 0] / _DARKER - 1))
    alike = np.exp(-(tint**2 + np.maximum(light, 0) ** 2) / 2)
    width = (2 * _BESIDE + 1, 1)
    mean = cv2.blur(alike, width, borderType=cv2.BORDER_REPLICATE)
    beyond = np.roll(mean, -_BESIDE - 4, axis=1)
    before = np.roll(mean, _BESIDE + 4, axis=1)
    beyond[:, -_BESIDE - 4 :] = beyond[:, -_BESIDE - 5, None]
    before[:, : _BESIDE + 4] = before[:, _BESIDE + 4, None]
    return np.asarray(_ANYHOW + (1 - _ANYHOW) * beyond * (1 - before), np.float64)


def _best_shift_and_growth(felt: Floats, normals: Floats, shifts: Floats, growths: Floats) -> tuple[Floats, float]:
    """Shift and growth, in radii, of the outermost outline that nearly as many steps run along as along any."""
    places = np.stack(np.meshgrid(shifts, shifts), axis=-1).reshape(-1, 2)
    off = places @ normals.T
    rows = np.arange(len(normals))
    tops, scores = [], []
    for grown in growths:
        score = felt[rows, _column_of(off + grown)].mean(axis=1)
        tops.append(int(score.argmax()))
        scores.append(float(score.max()))
    peaks = [
        k
        for k, score in enumerate(scores)
        if score >= max(scores[max(0, k - 1) : k + 2]) and score >= _OUTERMOST * max(scores)
    ]
    best = max(peaks)
    return places[tops[best]], float(growths[best])


def _column_of(offsets: Floats) -> Indices:
    return np.asarray(np.rint((offsets - _OFFSETS[0]) / _STEP).clip(0, len(_OFFSETS) - 1), np.intp)


def _fit_to_edges(disc: MeasuredDisc, steps: Floats, parting: Floats, normals: Floats, now: Floats) -> MeasuredDisc:
    """The disc through the colour steps next to that outline; `now`: shift and growth in radii.

    Where a step lies is read from the step alone: what parts table and disc is too broad to tell.
    """
    rows, every = np.column_stack([normals, np.ones(len(normals))]), np.arange(len(normals))
    peaks = np.where(steps >= cv2.dilate(steps, np.ones((1, 3))), steps, 0.0)
    for close in _CLOSE:
        near = np.exp(-(((_OFFSETS - (rows @ now)[:, None]) / close) ** 2) / 2) * peaks
        at = near.argmax(axis=1)
        off = _OFFSETS[at] + _subsample_peaks(steps, at) - rows @ now
        weight = near[every, at] * parting[every, at]
        curves = rows.T @ (rows * weight[:, None]) + 1e-9 * np.eye(3)
        now = now + np.linalg.solve(curves, rows.T @ (weight * off))
    scatter = float(weight @ off**2) / max(1e-9, float(weight.sum()))
    variance = scatter * float(np.linalg.inv(curves)[2, 2] * weight.mean()) * _ALONG * _TOGETHER
    strongest = _OFFSETS[(steps * parting).argmax(axis=1)]
    radius_mm = disc.diameter_mm / 2
    return MeasuredDisc(
        at_mm=(disc.at_mm[0] + float(now[0]) * radius_mm, disc.at_mm[1] + float(now[1]) * radius_mm),
        diameter_mm=disc.diameter_mm * (1 + float(now[2])),
        support=float((np.abs(strongest - rows @ now) < _NEAR).mean()),
        sigma=math.sqrt(variance + _LEAST_SIGMA**2),
    )


def _subsample_peaks(felt: Floats, at: Indices) -> Floats:
    """Where the peak lies between the samples, by the parabola through three of them."""
    rows, middle = np.arange(len(felt)), at.clip(1, felt.shape[1] - 2)
    left, here, right = (felt[rows, middle + k] for k in (-1, 0, 1))
    bend = left - 2 * here + right
    part = np.where(bend < -1e-6, 0.5 * (left - right) / np.minimum(bend, -1e-6), 0.0)
    return np.asarray(np.clip(part, -1, 1) * _STEP)
