"""BLAS threads: one while we solve. For matrices of some hundred rows several threads wait for each other, mostly."""

from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

Given = ParamSpec("Given")
Made = TypeVar("Made")


def with_one_blas_thread(solve: Callable[Given, Made]) -> Callable[Given, Made]:
    """The same function, during which no library of linear algebra in this process uses more than one thread."""

    @wraps(solve)
    def solve_alone(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        with _libraries().limit(limits=1, user_api="blas"):
            return solve(*args, **kwargs)

    return solve_alone


@cache
def _libraries() -> ThreadpoolController:
    """Those that are loaded; looking for them takes milliseconds."""
    return ThreadpoolController()
