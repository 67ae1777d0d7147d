"""While something is solved, linear algebra keeps to one thread; afterwards it has as many as before."""

from typing import Any

import numpy as np  # loads the library
from threadpoolctl import threadpool_info, threadpool_limits

from calibration.blas_threads import with_one_blas_thread


def threads() -> set[int]:
    libraries: list[dict[str, Any]] = threadpool_info()
    return {one["num_threads"] for one in libraries if one["user_api"] == "blas"}


def test_one_thread_while_something_is_solved_and_as_many_as_before_then() -> None:
    @with_one_blas_thread
    def solve(matrix: list[list[float]]) -> tuple[float, set[int]]:
        return float(np.linalg.det(np.array(matrix))), threads()

    with threadpool_limits(limits=2, user_api="blas"):
        answer, during = solve([[2.0, 0.0], [0.0, 3.0]])

        assert (round(answer, 9), during) == (6.0, {1})
        assert threads() == {2}
