"""A small world of regiments counted in full, and the same counts made without the referee.

Nine units of four on a 3 x 3 lattice: bases of 25 by 25, so every unit is a square of 50 whichever of four ways it
looks; 90 from middle to middle. Lengths are whole millimetres from a unit's middle.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from models.state import TableState
from tests.referee.scenarios.warhammer.field import field, unit

SIDE, STEP, HALF, FIRST = 3, 90, 25, 300
FACINGS = (0, 90, 180, 270)
PLACES = tuple((x, y) for x in range(SIDE) for y in range(SIDE))
KINDS: dict[str, dict[str, object]] = {
    "within 3 in": {"kind": "within", "a": "?", "b": "!", "range_in": 3},
    "range 6 in": {"kind": "range", "attacker": "?", "target": "!", "range_in": 6},
    "in-front-arc": {"kind": "in-front-arc", "viewer": "?", "target": "!"},
    "arc": {"kind": "arc", "viewer": "?", "target": "!"},
    "los": {"kind": "los", "viewer": "?", "target": "!"},
}
_LINES = 60


def world(facing: int) -> TableState:
    """All nine look one way."""
    ahead = {0: (HALF, 0), 90: (0, HALF), 180: (-HALF, 0), 270: (0, -HALF)}[facing]
    units = [
        unit(_id((x, y)), (FIRST + x * STEP + ahead[0], FIRST + y * STEP + ahead[1]), facing, 2, 4,
             "red" if (x + y) % 2 else "blue", base=(25, 25))
        for x, y in PLACES
    ]  # fmt: skip
    return field(*units)


def _id(place: tuple[int, int]) -> str:
    return f"{place[0]}{place[1]}"


def pairs() -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    return ((a, b) for a in PLACES for b in PLACES if a != b)


def asked(name: str) -> Iterator[dict[str, object]]:
    """Every ordered pair with its question."""
    for a, b in pairs():
        yield {k: _id(a) if v == "?" else _id(b) if v == "!" else v for k, v in KINDS[name].items()}


def told(tally: Counter[str]) -> str:
    return ", ".join(f"{word} {tally[word]}" for word in sorted(tally))


def counted(name: str) -> Counter[str]:
    """The same answers, made with nothing but the squares."""
    answer = {
        "within 3 in": _near(76.2),
        "range 6 in": _near(152.4),
        "in-front-arc": _ahead,
        "arc": _zone,
        "los": _seen,
    }
    return Counter(answer[name](*_turned(a, b, facing)) for facing in FACINGS for a, b in pairs())


Middle = tuple[int, int]


def _turned(a: Middle, b: Middle, facing: int) -> tuple[Middle, tuple[Middle, ...]]:
    """The target's middle and those of all others, as the viewer sees them: ahead, and to its left."""
    c, s = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[facing]

    def seen(p: Middle) -> Middle:
        dx, dy = (p[0] - a[0]) * STEP, (p[1] - a[1]) * STEP
        return (dx * c + dy * s, dy * c - dx * s)

    return seen(b), tuple(seen(p) for p in PLACES if p not in (a, b))


def _near(limit_mm: float):  # type: ignore[no-untyped-def]
    def answer(b: Middle, _: tuple[Middle, ...]) -> str:
        gaps = [max(0, abs(d) - 2 * HALF) for d in b]
        return "yes" if gaps[0] ** 2 + gaps[1] ** 2 <= limit_mm**2 else "no"

    return answer


def _ahead(b: Middle, _: tuple[Middle, ...]) -> str:
    """Whether a corner lies between the two lines at 45 degrees."""
    corners = [(b[0] + i * HALF, b[1] + j * HALF) for i in (-1, 1) for j in (-1, 1)]
    return "yes" if any(x >= HALF and abs(y) - HALF <= x - HALF for x, y in corners) else "no"


def _zone(b: Middle, _: tuple[Middle, ...]) -> str:
    x, y = b
    if abs(x) == abs(y):
        return "border"
    if abs(x) > abs(y):
        return "front" if x > 0 else "rear"
    return "left" if y > 0 else "right"


def _seen(b: Middle, others: tuple[Middle, ...]) -> str:
    """Whether one of many lines from the front edge, within the front of either of the two who stand there, is clear.

    To points all over the target; what a line only grazes closes it.
    """
    fine = (np.arange(_LINES) + 0.5) / _LINES
    for low, high in ((-HALF, 0), (0, HALF)):
        starts = low + (high - low) * fine
        x, y = (m + HALF * (2 * fine - 1) for m in b)
        grid = np.array([(px, py) for px in x for py in y])
        inside = (grid[:, 0] > HALF) & (grid[:, 1] - high < grid[:, 0] - HALF) & (low - grid[:, 1] < grid[:, 0] - HALF)
        ends = grid[inside]
        if len(ends) and any(_is_clear(start, ends, others) for start in starts[::6]):
            return "yes"
    return "no"


def _is_clear(
    start: float, ends: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", others: tuple[Middle, ...]
) -> bool:
    """Whether some line from a point of the front edge to these ends stays out of all squares."""
    way = ends - np.array([HALF, start])
    open_ = np.ones(len(ends), dtype=bool)
    for ox, oy in others:
        enter, leave = np.zeros(len(ends)), np.ones(len(ends))
        for axis, (at, middle) in enumerate(((HALF, ox), (start, oy))):
            step = np.where(np.abs(way[:, axis]) < 1e-12, 1e-12, way[:, axis])
            a, b = (middle - HALF - at) / step, (middle + HALF - at) / step
            enter, leave = np.maximum(enter, np.minimum(a, b)), np.minimum(leave, np.maximum(a, b))
        open_ &= enter > leave
    return bool(open_.any())
