"""Profile registration: the offset of each part of a side against the profile that sides like it show."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.ranked.block_pose import BlockSides, Face
from vision.ranked.side_layers import RELATIVE_MM, SHIFTS_MM

_LEAST_NOISE = 3.0  # grey levels
_OWN_MM = 0.2  # from its top edge all is the base's own
_ALIKE = 11.0  # colours of one part that say about the same
_HALF_CONFIDENCE = 12.0  # grey levels of what is seen, usual between ground and rim, that are half believed


@dataclass(frozen=True)
class Registration:
    """Registered parts, (N, 4, P) each: their offset outward, its standard deviation, and the confidence, 0 to 1, in
    the part and in its rim alone."""

    off_mm: Floats
    sigma_mm: Floats
    confidence: Floats
    rim_confidence: Floats


def register_profiles(look: BlockSides, faces: tuple[Face, ...], *, within_mm: float) -> Registration:
    """Registers every part of the sides, each within about so much."""
    around = look.colours_around_top.astype(np.float64)
    off, sigma, felt, rim = (np.zeros(around.shape[:3]) for _ in range(4))
    for face in faces:
        seen = around[face.parts]
        found = _register_parts(seen.reshape(len(seen), -1), face.shown.reshape(len(SHIFTS_MM), -1), within_mm)
        off[face.parts], sigma[face.parts], felt[face.parts], rim[face.parts] = found
    return Registration(off, sigma, felt, rim)


def _register_parts(seen: Floats, shown: Floats, within_mm: float) -> tuple[Floats, Floats, Floats, Floats]:
    left = (seen**2).sum(axis=1)[:, None] - 2 * seen @ shown.T + (shown**2).sum(axis=1)  # (M, shifts)
    count = seen.shape[1]
    noise = np.maximum(left.min(axis=1) / count, _LEAST_NOISE**2)[:, None]
    best = (left / (2 * noise * _ALIKE) + (SHIFTS_MM / within_mm) ** 2 / 2).argmin(axis=1).clip(1, len(SHIFTS_MM) - 2)
    before, here, after = (left[np.arange(len(seen)), best + k] for k in (-1, 0, 1))
    step = SHIFTS_MM[1] - SHIFTS_MM[0]
    curve = np.maximum(before - 2 * here + after, 1e-6)
    off = SHIFTS_MM[best] + np.clip(0.5 * (before - after) / curve, -1, 1) * step
    sigma = np.sqrt(2 * noise[:, 0] * _ALIKE * step**2 / (2 * curve))
    middle = shown[len(shown) // 2].reshape(-1, 3)
    contrast = float(np.sqrt(((middle - middle.mean(axis=0)) ** 2).mean()))
    strange = here / count / max(contrast, 1e-6) ** 2
    return off, sigma, contrast / (contrast + _HALF_CONFIDENCE) / (1 + strange), _rim_agreement(seen, shown[best])


def _rim_agreement(seen: Floats, shown: Floats) -> Floats:
    """(M,): how much of what changes from basing to rim is seen to change so."""
    inside = np.repeat(RELATIVE_MM <= _OWN_MM, 3)
    mine, usual = seen[:, inside], shown[:, inside].reshape(len(shown), -1, 3)
    changes = ((usual - usual.mean(axis=1, keepdims=True)) ** 2).sum(axis=(1, 2))
    left = ((mine - shown[:, inside]) ** 2).sum(axis=1)
    return np.asarray((1 - left / np.maximum(changes, 1e-6)).clip(0, 1))
