"""NumPy array types: what the numbers in an array are."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Booleans = NDArray[np.bool_]
Indices = NDArray[np.intp]
