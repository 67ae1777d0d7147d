"""Precomputation: while a table rests, answers for the pairs most likely asked about are worked out ahead.

What a tap asks for goes before: nothing is begun while workers are busy or somebody asked a short while ago.
"""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from itertools import combinations

from api.answers.pair_sheet import Pair, long_questions
from api.evaluation.cache import VerdictCache
from api.live.entities import plays_units
from api.live.hub import Hub
from models.miniature import Miniature
from models.queries import BaseQuery
from models.state import TableState

MOST_PAIRS = 24  # with what is asked about each a fifth of what is remembered
AT_REST_S = 1.5  # a table that settles again at once is not worth it
SILENT_S = 3.0
_LOOK_S, _WORK_S = 0.5, 0.02

LikelyQuestions = Iterator[tuple[TableState, BaseQuery]]


class Precompute:
    """Speculative answers about the hub's table as it is now; a pool of workers does the work."""

    def __init__(self, hub: Hub, ask: VerdictCache, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._hub = hub
        self._ask = ask
        self._clock = clock
        self._of: str | None = None
        self._since_s = 0.0
        self._left: LikelyQuestions = iter(())

    async def run(self) -> None:
        """Look ahead until somebody stops it."""
        while True:
            await asyncio.sleep(_WORK_S if await asyncio.to_thread(self.step) else _LOOK_S)

    def step(self) -> bool:
        """Begin one question, if it is time for that; whether there may be more."""
        state, now_s = self._hub.state, self._clock()
        if state is None or self._hub.source.halt is not None:
            return False
        if state.state_id != self._of:
            self._of, self._since_s, self._left = state.state_id, now_s, likely_questions(state)
        if now_s - self._since_s < AT_REST_S or now_s - self._ask.asked_s < SILENT_S:
            return False
        if not self._ask.is_idle:
            return True
        question = next(self._left, None)
        if question is not None:
            self._ask.begin(question[0], [question[1]])
        return question is not None


def likely_questions(state: TableState) -> LikelyQuestions:
    """The long questions about the pairs that stand nearest to each other, none of one side; nearest first."""
    seen = set[tuple[str, str]]()
    for a, b in nearest_pairs(state):
        for pair in (Pair(a=a, b=b), Pair(a=b, b=a)):
            for supposed, query in long_questions(state, pair):
                key = (supposed.state_id, query.model_dump_json())
                if key not in seen:
                    seen.add(key)
                    yield supposed, query


def nearest_pairs(state: TableState) -> Iterator[tuple[str, str]]:
    """Ids of pairs; none where units are played, whose sheets ask otherwise."""
    if plays_units(state):
        return
    standing = [m for m in state.miniatures if "removed" not in m.status]
    pairs = [(a, b) for a, b in combinations(standing, 2) if a.side is None or a.side != b.side]
    for a, b in sorted(pairs, key=_distance_mm)[:MOST_PAIRS]:
        yield a.id, b.id


def _distance_mm(pair: tuple[Miniature, Miniature]) -> float:
    return math.dist(pair[0].at_mm, pair[1].at_mm)
