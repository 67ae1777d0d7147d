"""Rate limit by address: guesses of join codes are so few that guessing is hopeless."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_WRONG, WITHIN_S = 10, 60.0
MOST_PLACES = 1000


class RateLimit:
    """Sliding window of what went wrong, wrong codes for one, by where it came from."""

    def __init__(
        self, *, most: int = MOST_WRONG, within_s: float = WITHIN_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._within_s = most, within_s
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def is_exceeded(self, place: str) -> bool:
        wrong = self._wrong.get(place, deque())
        while wrong and wrong[0] < self._clock() - self._within_s:
            wrong.popleft()
        return len(wrong) >= self._most

    def record_failure(self, place: str) -> None:
        self._wrong.setdefault(place, deque(maxlen=self._most)).append(self._clock())
        self._wrong.move_to_end(place)
        while len(self._wrong) > MOST_PLACES:
            self._wrong.popitem(last=False)
