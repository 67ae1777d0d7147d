"""The compiled loops of the fit, which must have been built here, say what the plain ones say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import fit
from vision.outline import Outline
from vision.profile import OFFSETS_MM, Edges


def _edges(seed: int) -> Edges:
    random = np.random.default_rng(seed)
    rows = int(random.integers(3, 60))
    angle = np.arange(rows) * 2 * np.pi / rows
    normals = np.column_stack([np.cos(angle), np.sin(angle)])
    outline = Outline(15 * normals, normals, np.zeros(rows), 1.0)
    strength = random.exponential(random.choice([2.0, 30.0]), (rows, len(OFFSETS_MM))).astype(np.float32)
    strength[random.random(rows) < 0.2] = 0.0  # a normal on which nothing is seen
    return Edges(strength, outline, 0.4, np.zeros((*strength.shape, 3), np.float32))


@given(st.integers(0, 10_000))
def test_both_find_the_same_place(seed: int) -> None:
    edges, random = _edges(seed), np.random.default_rng([seed, 1])
    places = np.column_stack([random.uniform(-4, 4, (40, 2)), random.uniform(-0.1, 0.1, 40)])
    moves = np.column_stack([edges.outline.normals, random.uniform(-20, 20, len(edges.strength))])
    inward_mm = -random.uniform(0.5, 3.0, (4, 1)) * np.ones(len(edges.strength))
    *which, score = fit._best_place(edges, places, moves, inward_mm)
    *compiled, its_score = fit._best_place_compiled(edges, places, moves, inward_mm)

    assert its_score == pytest.approx(score, abs=1e-6)
    assert compiled == which


@given(st.integers(0, 10_000), st.sampled_from([0.4, 0.7]))
def test_both_find_the_same_steps(seed: int, window_mm: float) -> None:
    edges = _edges(seed)
    expected_mm = np.random.default_rng([seed, 2]).uniform(-9, 7, len(edges.strength))
    offset_mm, counts = fit._nearest_plainly(edges, expected_mm, window_mm=window_mm)
    its_offset_mm, its_counts = fit._nearest_steps(edges, expected_mm, window_mm=window_mm)

    assert np.allclose(its_counts, counts, atol=1e-6)
    assert np.allclose(its_offset_mm[counts > 0], offset_mm[counts > 0], atol=1e-5)
