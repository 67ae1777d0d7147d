"""Where the colours change along a rim: bumps, as of ticks and dots, and steps, as at the ends of painted halves.

Colours are compared as ratios, so that a mark in the shade is the same as one in the light; brightness, which light
changes too, counts for less than tint.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rims.strip import RimStrip

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

_DARK, _SCALE = 15.0, 60.0  # grey level below which differences count alike; what doubles a colour counts about 40
_BRIGHTNESS, _TINT = 0.6, 1.5
_AXES = np.array([[1, 1, 1], [1, -1, 0], [0.5, 0.5, -1]]) / np.sqrt([[3.0], [2.0], [1.5]])
_TICK_MM, _GAP_MM, _FLANK_MM = 1.5, 0.6, 1.6  # what a bump is told from: its flanks, a gap away on both sides
_STEP_GAP_MM, _STEP_MM = 0.8, 3.0
_RIMLIKE, _BRIGHTNESS_SHARE = 10.0, 0.5  # how near to the rim's colour a flank is plain rim
_ONE_SIDED = 0.7  # what a bump counts whose other flank something hides
_SLACK_MM = 0.8  # how far a mark may be from its place
_LEAST_NOISE = 3.0
_MAD = 1.4826
_WIDE_MM = 4.0


@dataclass(frozen=True)
class Changes:
    """At every place of a strip: `shift` (N, 3), by which a bump or a step changes the colour, `size` its length.

    `beyond`: the share of the same change that basing or ground shows there: an arm goes on, paint does not. `near`:
    the place of the strongest change within reach.
    """

    shift: Floats
    size: Floats
    beyond: Floats
    near: Places
    noise: float


@dataclass(frozen=True)
class Rim:
    """A rim's colours (N, 3): brightness and two tints, its bumps and steps, and how unlike itself it is where."""

    strip: RimStrip
    colours: Floats
    bumps: Changes
    steps: Changes
    unlike: Floats

    @property
    def count(self) -> int:
        return len(self.colours)

    def index(self, deg: float) -> int:
        """How many places an angle is."""
        return round(deg / 360 * self.count)


def rim_of(strip: RimStrip) -> Rim:
    colours, inside, outside = (as_ratios(part) for part in (strip.colours, strip.inside, strip.outside))
    usual = np.median(colours, axis=0)
    step_mm = strip.step_mm
    bumps = _changes(
        _hidden_too(colours, _bumps(colours, step_mm), usual, step_mm),
        _bumps(inside, step_mm), _bumps(outside, step_mm),
        noise=_noise(_flanked(colours, step_mm)[0]), step_mm=step_mm, favours_own=True,
    )  # fmt: skip
    risen = _steps(colours, step_mm)
    steps = _changes(
        risen, _steps(inside, step_mm), _steps(outside, step_mm), noise=_noise(risen), step_mm=step_mm,
        favours_own=False,
    )  # fmt: skip
    weight = np.array([_BRIGHTNESS_SHARE, 1.0, 1.0])
    unlike = np.linalg.norm((ring_mean(colours, _WIDE_MM / step_mm) - usual) * weight, axis=1)
    return Rim(strip, colours, bumps, steps, unlike)


def as_ratios(colours: Floats) -> Floats:
    """(N, 3): brightness, and two tints that light does not change."""
    levels = _SCALE * np.log((colours + _DARK) / _DARK)
    return np.asarray(levels @ _AXES.T * (_BRIGHTNESS, _TINT, _TINT), np.float64)


def ring_mean(values: Floats, width: float) -> Floats:
    """The mean over so many neighbours, the ends joined."""
    wide = max(1, int(width) | 1)
    closed = np.concatenate([values[-wide:], values, values[:wide]]).astype(np.float32)
    return np.asarray(cv2.blur(closed, (1, wide))[wide:-wide], np.float64)


def apart(a: Places, b: Places, count: int) -> Places:
    """How many places a lies after b, the shorter way round."""
    return np.asarray((a - b + count // 2) % count - count // 2)


def _flanked(colours: Floats, step_mm: float) -> tuple[Floats, Floats, Floats, Floats]:
    """A tick's mean colour less that of either flank, and the flanks."""
    middle = ring_mean(colours, round(_TICK_MM / step_mm))
    flank = ring_mean(colours, round(_FLANK_MM / step_mm))
    away = round((_TICK_MM / 2 + _GAP_MM + _FLANK_MM / 2) / step_mm)
    before, after = np.roll(flank, away, axis=0), np.roll(flank, -away, axis=0)
    return middle - before, middle - after, before, after


def _bumps(colours: Floats, step_mm: float) -> Floats:
    """By how much each place differs from both its flanks in the same way."""
    off_before, off_after, _, _ = _flanked(colours, step_mm)
    size = np.sqrt(np.maximum((off_before * off_after).sum(axis=1), 0.0))
    mean = (off_before + off_after) / 2
    return np.asarray(mean * np.minimum(size / np.maximum(np.linalg.norm(mean, axis=1), 1e-9), 1.0)[:, None])


def _hidden_too(colours: Floats, bumps: Floats, usual: Floats, step_mm: float) -> Floats:
    """The bumps, and those of which one flank is plain rim and the other hidden."""
    off_before, off_after, before, after = _flanked(colours, step_mm)
    for off, own, other in ((off_before, before, after), (off_after, after, before)):
        aside = off * (_ONE_SIDED * _is_rim(own, usual) * (1 - _is_rim(other, usual)))[:, None]
        is_more = np.linalg.norm(aside, axis=1) > np.linalg.norm(bumps, axis=1)
        bumps = np.where(is_more[:, None], aside, bumps)
    return bumps


def _is_rim(colours: Floats, usual: Floats) -> Floats:
    off = (colours - usual) * (_BRIGHTNESS_SHARE, 1.0, 1.0)
    return np.asarray(np.exp(-(off**2).sum(axis=1) / 2 / _RIMLIKE**2))


def _steps(colours: Floats, step_mm: float) -> Floats:
    """What comes after each place less what comes before."""
    mean, away = ring_mean(colours, round(_STEP_MM / step_mm)), round((_STEP_GAP_MM + _STEP_MM / 2) / step_mm)
    return np.roll(mean, -away, axis=0) - np.roll(mean, away, axis=0)


def _noise(off: Floats) -> float:
    return max(_LEAST_NOISE, _MAD * float(np.median(np.abs(off))))


def _changes(
    own: Floats, inside: Floats, outside: Floats, *, noise: float, step_mm: float, favours_own: bool
) -> Changes:
    size = np.linalg.norm(own, axis=1)
    along = own / np.maximum(size, 1e-9)[:, None]
    more = np.maximum((inside * along).sum(axis=1), (outside * along).sum(axis=1))
    beyond = np.clip(more / np.maximum(size, 1e-9), 0.0, 1.5)
    wanted = size * (1 - 0.5 * np.minimum(beyond, 1.0)) if favours_own else size
    return Changes(own, size, beyond, _strongest_near(wanted, round(_SLACK_MM / step_mm)), noise)


def _strongest_near(size: Floats, slack: int) -> Places:
    slack = max(1, slack)
    shifted = np.stack([np.roll(size, -shift) for shift in range(-slack, slack + 1)])
    return np.asarray((np.arange(len(size)) + shifted.argmax(axis=0) - slack) % len(size))
