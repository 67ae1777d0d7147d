"""Line evidence by the compiled kernel: the twin of `line_strength_numpy`."""

import numpy as np

from calibration.arrays import Floats32
from vision.native.library import KERNEL, address


def line_strength_native(tones: Floats32, *, is_across: bool) -> Floats32:
    """Line strength (H, W) along the columns of tones (H, W, 3), or along the rows. Raises: MemoryError."""
    assert KERNEL is not None
    seen, found = np.ascontiguousarray(tones), np.empty(tones.shape[:2], np.float32)
    if not KERNEL.line_strength(address(seen), *found.shape, int(is_across), address(found)):
        raise MemoryError
    return found
