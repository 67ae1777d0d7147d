"""The compiled strength of lines is that of the plain path."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.ranked.line_evidence import line_strength_numpy
from vision.ranked.line_evidence_native import line_strength_native


@pytest.mark.parametrize("is_across", [True, False])
@given(rows=st.integers(1, 30), columns=st.integers(1, 30), seed=st.integers(0, 99))
def test_both_find_lines_as_strong_up_to_the_ends_of_the_picture(
    *, rows: int, columns: int, seed: int, is_across: bool
) -> None:
    tones = np.random.default_rng(seed).uniform(0, 255, (rows, columns, 3)).astype(np.float32)

    plain, quick = (
        line_strength_numpy(tones, is_across=is_across),
        line_strength_native(tones, is_across=is_across),
    )

    assert np.abs(plain - quick).max() < 1e-3
