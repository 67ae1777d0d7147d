"""Array types: what the arrays of camera and table hold, declared once for `calibration` and `vision`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Floats32 = NDArray[np.float32]
Reals = NDArray[np.floating[Any]]  # of either precision
Ints32 = NDArray[np.int32]
Image = NDArray[np.uint8]  # (H, W) grey or (H, W, 3) BGR
Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]
