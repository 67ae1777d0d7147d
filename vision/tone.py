"""Brightness as the eye takes it: equal ratios look alike, so a dim picture shows the same edges as a bright one."""

import numpy as np
from numpy.typing import NDArray

_DARK = 60.0  # grey level below which equal differences count alike, above it equal ratios


def perceived(colours: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Grey levels 0 to 255 on a scale that is linear in the dark and logarithmic above, 0 to 255 again."""
    top = np.log1p(255.0 / _DARK)
    return np.asarray(np.log1p(np.asarray(colours, np.float32) / _DARK) * (255.0 / top), np.float32)
