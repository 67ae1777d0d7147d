"""Playback pacing: a recording shown at the pace at which it was made."""

import time
from collections.abc import Callable, Iterable, Iterator

from vision.capture.sources import Frame

LATEST_S = 0.15  # a frame later than this is left out, as a live camera would have dropped it


def always() -> bool:
    """The recording's time runs from its first frame on."""
    return True


def pace_frames(
    frames: Iterable[Frame],
    *,
    has_begun: Callable[[], bool] = always,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[tuple[Frame, float]]:
    """Frames with how late each comes, in seconds; one that nobody had time for is left out, the first never.

    Until it `has_begun` the recording waits for who looks at it, and nothing is left out.
    """
    start: float | None = None
    for frame in frames:
        start = clock() - frame.t_s if start is None else start
        late_s = clock() - start - frame.t_s
        if late_s > 0 and not has_begun():
            start, late_s = start + late_s, 0.0
        if late_s < 0:
            sleep(-late_s)
            late_s = 0.0
        if late_s <= LATEST_S or frame.index == 0:
            yield frame, late_s
