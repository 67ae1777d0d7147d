"""Bases that touch, and bases that do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base import RoundBase
from vision.measurement.contacts import contacts_of, resolve_overlaps

SMALL = RoundBase(diameter_mm=30)
SIGMA_MM = 0.3


def _probability(gap_mm: float, *, sigma_mm: float = SIGMA_MM) -> float:
    at = np.array([[100.0, 100.0], [130.0 + gap_mm, 100.0]])
    covariances = np.array([np.eye(2) * sigma_mm**2 / 2] * 2)
    found = contacts_of(("a", "b"), at, (SMALL, SMALL), covariances)
    return found[0].probability if found else 0.0


@pytest.mark.parametrize("gap_mm", [-0.2, 0.0, 0.2])
def test_bases_measured_to_touch_probably_do(gap_mm: float) -> None:
    assert _probability(gap_mm) > 0.8


@pytest.mark.parametrize("gap_mm", [1.5, 2.9, 40.0])
def test_bases_measured_far_apart_do_not_touch(gap_mm: float) -> None:
    assert _probability(gap_mm) == 0.0


@given(near=st.floats(0, 3), farther=st.floats(0, 3))
def test_a_wider_gap_never_makes_a_touch_likelier(near: float, farther: float) -> None:
    assert _probability(near) >= _probability(near + farther)


def test_the_surer_the_measurement_the_surer_the_touch() -> None:
    assert _probability(0.0, sigma_mm=0.1) > _probability(0.0, sigma_mm=0.5) > _probability(0.0, sigma_mm=1.5)


def test_a_contact_names_both_bases() -> None:
    at = np.array([[100.0, 100.0], [300.0, 100.0], [300.0, 130.0]])
    (contact,) = contacts_of(("a", "b", "c"), at, (SMALL,) * 3, np.array([np.eye(2) * 0.04] * 3))

    assert (contact.a, contact.b) == ("b", "c")


def test_one_base_alone_touches_nothing() -> None:
    assert contacts_of(("a",), np.array([[100.0, 100.0]]), (SMALL,), np.array([np.eye(2)])) == ()


def test_the_surer_base_of_an_overlapping_pair_stays() -> None:
    at = np.array([[100.0, 100.0], [129.0, 100.0]])
    free = resolve_overlaps(at, np.array([15.0, 15.0]), np.array([np.eye(2) * 1e-6, np.eye(2)]))

    assert free[0] == pytest.approx([100.0, 100.0], abs=1e-3)
    assert free[1] == pytest.approx([130.0, 100.0], abs=1e-3)


def test_bases_that_do_not_overlap_stay() -> None:
    at = np.array([[100.0, 100.0], [130.1, 100.0], [500.0, 30.0]])

    assert resolve_overlaps(at, np.full(3, 15.0), np.array([np.eye(2)] * 3)).tolist() == at.tolist()


@given(
    turn=st.floats(0, 6.28),
    overlap=st.floats(0, 2.5),
    sizes=st.tuples(st.sampled_from([15.0, 20.0, 25.0]), st.sampled_from([15.0, 20.0, 25.0])),
    variances=st.tuples(st.floats(0.01, 1), st.floats(0.01, 1)),
)
def test_pushed_apart_a_pair_touches_and_does_not_overlap(
    turn: float, overlap: float, sizes: tuple[float, float], variances: tuple[float, float]
) -> None:
    far = sum(sizes) - overlap
    at = np.array([[100.0, 100.0], [100.0 + far * np.cos(turn), 100.0 + far * np.sin(turn)]])
    free = resolve_overlaps(at, np.array(sizes), np.array([np.eye(2) * v for v in variances]))

    assert np.linalg.norm(free[1] - free[0]) == pytest.approx(sum(sizes), abs=2e-4)


@given(overlaps=st.lists(st.floats(0, 0.8), min_size=1, max_size=9), bend=st.floats(-0.3, 0.3))
def test_pushed_apart_a_chain_of_bases_has_no_overlap_left(overlaps: list[float], bend: float) -> None:
    """Overlaps of the size that fits leave, in a rank of up to ten."""
    at = [np.array([100.0, 100.0])]
    for k, overlap in enumerate(overlaps):
        at.append(at[-1] + (30.0 - overlap) * np.array([np.cos(k * bend), np.sin(k * bend)]))
    free = resolve_overlaps(np.array(at), np.full(len(at), 15.0), np.array([np.eye(2) * 0.05] * len(at)))
    gaps = [np.linalg.norm(a - b) - 30 for i, a in enumerate(free) for b in free[:i]]

    assert min(gaps) > -0.001
