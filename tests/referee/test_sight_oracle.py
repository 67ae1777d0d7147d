"""Exact sight against a judge that shares no code with it."""

import random
from collections import Counter

import pytest

from referee.line_of_sight import widest_lane
from tests.referee.sight_oracle import Oracle, Undecided
from tests.referee.sight_tables import FAMILIES, Scene

# Tables of each of the seventeen families; benchmarks/rules/line_of_sight_oracle.py judges 20,000.
_TABLES = {"quick": 13, "many": 39}
_FILLED_ENDS = ("forests", "low_walls", "overlapping", "everything")
_FILLED_TABLES = {"quick": 4, "many": 12}  # more cells in each
_BESIDE_MM = 0.05
_UNDECIDED = 0.16  # share of claims that hang on a sliver too thin for the oracle's budget


def judged(scene: Scene) -> Counter[str]:
    """How the claims of a margin fare: clear just below it, closed just above it, and the answer itself."""
    margin = widest_lane(*scene).margin_mm
    if margin > 900:
        return Counter({"open": 1})
    claims = [(margin - _BESIDE_MM, True), (margin + _BESIDE_MM, False)]
    claims += [(0.0, margin > 0)] if abs(margin) > _BESIDE_MM else []
    return Counter(_verdict(scene, growth, sees) for growth, sees in claims)


def margin_error_mm(scene: Scene, *, around_mm: float = 5.0, to_mm: float = 0.02) -> float | None:
    """No more than this does the margin lie from where the oracle finds the flip, as blockers grow.

    None where the oracle cannot decide a tenth of a millimetre beside the margin.
    """
    margin = widest_lane(*scene).margin_mm
    if margin > 900:
        return None
    low, high = margin - around_mm, margin + 1.37 * around_mm  # never asked at the margin itself
    while high - low > to_mm:
        middle = (low + high) / 2
        try:
            low, high = (middle, high) if Oracle(*scene, middle).sees() else (low, middle)
        except Undecided:
            break
    return round(max(margin - low, high - margin), 4) if high - low <= 2 * _BESIDE_MM else None


def _verdict(scene: Scene, growth: float, sees: bool) -> str:
    try:
        return "right" if Oracle(*scene, growth).sees() is sees else "wrong"
    except Undecided:
        return "undecided"


@pytest.mark.parametrize("amount", ["quick", pytest.param("many", marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_line_exists_just_below_the_margin_and_none_just_above(family: str, amount: str) -> None:
    counted: Counter[str] = Counter()
    wrong = []
    tables = (_FILLED_TABLES if family in _FILLED_ENDS else _TABLES)[amount]
    for k in range(tables):
        found = judged(FAMILIES[family](random.Random(f"{family}{k}")))
        counted += found
        wrong += [k] if found["wrong"] else []

    assert wrong == []
    assert counted["right"] > tables
    assert counted["undecided"] <= (0.4 if family in _FILLED_ENDS else _UNDECIDED) * counted.total()
