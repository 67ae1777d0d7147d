"""What is seen on rims, and what it says of how they are marked."""

import math
from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Floats
from vision.facing.mark_localisation import discount_bare_wall, locate_boundary, split_between_halves
from vision.facing.marking_patterns import PATTERNS, Rim, mark_evidence, pattern_features
from vision.facing.marking_posterior import marking_posterior, similarity_matrix
from vision.facing.paint_classifier import DOT, HIDDEN, NOTCH, PAINT_CLASSES, PLAIN, TICK, classify_paint
from vision.facing.unwrapped_rim import UnwrappedRim

COUNT = 240
STRIP = UnwrappedRim(np.zeros((COUNT, 5, 3)), 15.3, 1.5)


def _painted(seed: int = 3) -> Floats:
    """The colours of a plain rim with a bright spot."""
    ratios = np.random.default_rng(seed).normal(60.0, 1.0, (COUNT, 5, 3))
    ratios[40:44, :2] += (60.0, 10.0, 0.0)
    return ratios


def _rim(**marks: int) -> Rim:
    """A rim on which these sights are sure at these places, and nothing anywhere else."""
    seen = np.full((COUNT, len(PAINT_CLASSES)), 1e-6)
    seen[:, PLAIN], seen[:, HIDDEN] = 0.97, 0.03
    for name, at in marks.items():
        sight = {"tick": TICK, "other": TICK, "dot": DOT, "notch": NOTCH}[name]
        seen[at] = 0.01
        seen[at, sight] = 0.95
    return Rim(STRIP, np.full((COUNT, 5, 3), 60.0), np.log(seen / seen.sum(axis=1, keepdims=True)))


def _chances(*rims: Rim) -> list[Floats]:
    return marking_posterior([pattern_features(rim, mark_evidence(rim)) for rim in rims], similarity_matrix(rims))


def _of(marking: str, chance: Floats) -> Floats:
    return np.asarray(chance[[one.marking for one in PATTERNS].index(marking)])


def test_at_each_place_something_is_seen() -> None:
    (seen,) = classify_paint([(_painted(), 1.5)])

    assert np.exp(seen).sum(axis=1) == pytest.approx(np.ones(COUNT))


def test_a_turned_rim_is_seen_turned() -> None:
    straight, turned = classify_paint([(_painted(), 1.5), (np.roll(_painted(), 77, axis=0), 1.5)])

    assert turned == pytest.approx(np.roll(straight, 77, axis=0), abs=0.01)


def test_a_rim_is_seen_alone_as_among_others() -> None:
    alone = classify_paint([(_painted(), 1.5)])[0]
    among = classify_paint([(_painted(5), 2.0), (_painted(), 1.5), (_painted(9), 0.8)])[1]

    assert among == pytest.approx(alone, abs=0.01)


def test_ticks_at_both_ends_of_the_front_arc_and_a_dot_tell_the_front() -> None:
    (found,) = _chances(_rim(tick=60, dot=120, other=180))

    assert int(_of("ticks+dot", found).argmax()) == pytest.approx(120, abs=2)
    assert found.sum() > 0.9


def test_two_ticks_look_alike_from_behind() -> None:
    (found,) = _chances(_rim(tick=60, other=180))
    ticks = _of("ticks", found)

    assert ticks[120 - 3 : 120 + 4].sum() == pytest.approx(ticks[[*range(237, 240), *range(4)]].sum(), rel=1e-6)
    assert ticks.sum() > 0.5


def test_a_rim_without_marks_is_hardly_marked() -> None:
    (found,) = _chances(_rim())

    assert found.sum() < 0.2


def test_what_is_probable_of_a_rim_is_never_more_than_all() -> None:
    found = _chances(_rim(tick=60, dot=120, other=180), _rim(notch=7), _rim(), _rim(tick=60, other=180))

    assert all(one.min() >= 0.0 and one.sum() <= 1.0 + 1e-9 for one in found)


def test_others_marked_alike_speak_for_a_mark() -> None:
    alone = _of("notch", _chances(_rim(notch=30))[0]).sum()
    among = _of("notch", _chances(*(_rim(notch=30 * k) for k in range(1, 7)))[0]).sum()

    assert among > alone


def test_marks_of_another_look_speak_for_none() -> None:
    others = [replace(_rim(notch=30 * k), ratios=np.full((COUNT, 5, 3), 110.0)) for k in range(1, 7)]
    alone = _of("notch", _chances(_rim(notch=30))[0]).sum()
    among = _of("notch", _chances(_rim(notch=30), *others)[0]).sum()

    assert among == pytest.approx(alone, rel=0.05)


def _parted(at_mm: float, hidden: slice = slice(0, 0)) -> Rim:
    """A rim that is red before this place and grey after it."""
    edge = np.clip(at_mm / STRIP.step_mm + 0.5 - np.arange(COUNT), 0.0, 1.0)[:, None, None]
    rings = np.tile(edge * (30.0, 30.0, 200.0) + (1 - edge) * 90.0, (1, 5, 1))
    rim = _rim()
    sights = rim.class_log_probs.copy()
    sights[hidden, HIDDEN] = -0.001
    return Rim(UnwrappedRim(rings, STRIP.radius_mm, STRIP.rim_width_mm), rim.ratios, sights)


@pytest.mark.parametrize("at_mm", [47.3, 47.5, 47.9, 48.4])
def test_a_half_ends_where_its_colour_changes(at_mm: float) -> None:
    off_mm, _ = locate_boundary(_parted(at_mm), 120)

    assert 120 * STRIP.step_mm + off_mm == pytest.approx(at_mm, abs=0.1)


def test_an_end_that_is_half_hidden_is_less_sure() -> None:
    assert locate_boundary(_parted(48.0, slice(121, 140)), 120)[1] > locate_boundary(_parted(48.0), 120)[1] + 0.1


def test_a_third_of_a_turn_is_no_front_arc() -> None:
    (found,) = _chances(_rim(tick=60, other=60 + COUNT // 3))
    (right,) = _chances(_rim(tick=60, other=60 + COUNT // 2))

    assert _of("ticks", found).max() < _of("ticks", right).max() / 3


def test_an_angle_is_as_many_places_as_it_is_of_a_turn() -> None:
    assert STRIP.index(90) * STRIP.step_rad == pytest.approx(math.pi / 2)


def _half(front: tuple[int, int, int], rear: tuple[int, int, int]) -> float:
    """How probable it is that the half which its ends take for the painted one is that; BGR."""
    rim = _rim()
    rings = np.tile(np.array(rear, np.float64), (COUNT, 5, 1))
    rings[np.abs((np.arange(COUNT) - 100 + COUNT // 2) % COUNT - COUNT // 2) < COUNT // 4] = front
    half = Rim(UnwrappedRim(rings, STRIP.radius_mm, STRIP.rim_width_mm), rim.ratios, rim.class_log_probs)
    likely = np.zeros(COUNT)
    likely[100], likely[100 + COUNT // 2] = 0.99, 0.01
    found = split_between_halves(half, mark_evidence(half), likely)
    assert found.sum() == pytest.approx(1.0)
    return float(found[100])


def test_a_vivid_half_on_a_dull_rim_is_the_painted_one() -> None:
    assert _half((40, 40, 200), (40, 42, 44)) > 0.95


def test_of_two_vivid_halves_either_may_be_the_painted_one() -> None:
    assert 0.1 < _half((40, 40, 205), (60, 210, 240)) < 0.9


def _painted_towards(camera_rad: float, *, lip_mm: float, slant_deg: float) -> float:
    """How probable a half is, of which it was thought sure that its front is at 100."""
    rim = replace(_rim(), strip=UnwrappedRim(STRIP.rings, STRIP.radius_mm, lip_mm))
    likely = np.zeros(COUNT)
    likely[100] = 1.0
    return float(discount_bare_wall(rim, likely, camera_rad=camera_rad, slant_rad=math.radians(slant_deg))[100])


def test_a_thin_rim_that_is_painted_towards_the_camera_may_be_bare() -> None:
    """Its wall shows on that side only."""
    towards = 100 * STRIP.step_rad

    assert _painted_towards(towards, lip_mm=0.9, slant_deg=40.0) < 0.95
    assert _painted_towards(towards + 1.5, lip_mm=0.9, slant_deg=40.0) == 1.0
    assert _painted_towards(towards, lip_mm=2.2, slant_deg=40.0) == 1.0
    assert _painted_towards(towards, lip_mm=0.9, slant_deg=10.0) == 1.0
