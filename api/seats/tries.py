"""How often somebody may guess a code: seldom enough that guessing is hopeless."""

import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_WRONG, WITHIN_S = 10, 60.0
MOST_PLACES = 1000


class Tries:
    """Wrong codes of the last minute, by where they came from."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def are_used_up(self, place: str) -> bool:
        wrong = self._wrong.get(place, deque())
        while wrong and wrong[0] < self._clock() - WITHIN_S:
            wrong.popleft()
        return len(wrong) >= MOST_WRONG

    def note_wrong(self, place: str) -> None:
        self._wrong.setdefault(place, deque(maxlen=MOST_WRONG)).append(self._clock())
        self._wrong.move_to_end(place)
        while len(self._wrong) > MOST_PLACES:
            self._wrong.popitem(last=False)
