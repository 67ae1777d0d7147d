"""The compiled strength of lines is that of the plain path."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import compiled
from vision.ranked.lines import strength


@pytest.mark.parametrize("is_across", [True, False])
@given(rows=st.integers(1, 30), columns=st.integers(1, 30), seed=st.integers(0, 99))
def test_both_find_lines_as_strong_up_to_the_ends_of_the_picture(
    *, rows: int, columns: int, seed: int, is_across: bool
) -> None:
    tones = np.random.default_rng(seed).uniform(0, 255, (rows, columns, 3)).astype(np.float32)

    plain, quick = strength(tones, is_across=is_across), compiled.strengths(tones, is_across=is_across)

    assert np.abs(plain - quick).max() < 1e-3
