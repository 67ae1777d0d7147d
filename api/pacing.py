"""A recording shown at the pace at which it was made."""

import time
from collections.abc import Callable, Iterable, Iterator

from vision.sources import Frame

LATEST_S = 0.15  # a frame later than this is left out, as a live camera would have dropped it


def paced(
    frames: Iterable[Frame],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[Frame, float]]:
    """Frames with how late each comes, in seconds; one that nobody had time for is left out, the first never."""
    start: float | None = None
    for frame in frames:
        start = clock() - frame.t_s if start is None else start
        late_s = clock() - start - frame.t_s
        if late_s < 0:
            sleep(-late_s)
            late_s = 0.0
        if late_s <= LATEST_S or frame.index == 0:
            yield frame, late_s
