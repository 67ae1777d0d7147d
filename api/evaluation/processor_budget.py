"""Processor budget: a token bucket of processor seconds for each seat, and for each address without one.

Limits of requests count how many there are; one question may take a thousand times as long as another. What a question
took, here or in a worker, is charged to whom it was for. Who has used up everything is refused until it has refilled.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from api.errors import OverBudget
from api.evaluation.asker import Allowance, Rank

_MOST_BUCKETS = 4096  # addresses remembered; the longest unheard is full again by then


@dataclass(frozen=True)
class BudgetLimits:
    """Processor seconds: of one request, of several at once, and how many come back each second."""

    request_s: float
    burst_s: float
    refill: float


LIMITS: dict[Rank, BudgetLimits] = {
    Rank.JUDGE: BudgetLimits(request_s=60.0, burst_s=180.0, refill=1.0),
    Rank.PLAYER: BudgetLimits(request_s=30.0, burst_s=90.0, refill=1.0),
    Rank.VIEWER: BudgetLimits(request_s=6.0, burst_s=12.0, refill=0.5),
}


@dataclass
class _Bucket:
    left_s: float
    as_of_s: float


class ProcessorBudget:
    """Buckets by rank and by who it is: a seat, or an address."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[Rank, str], _Bucket] = OrderedDict()

    def admit(self, rank: Rank, name: str) -> Allowance:
        """What one request may spend. Raises: OverBudget when the bucket is empty."""
        limits, bucket = LIMITS[rank], self._refilled_bucket(rank, name)
        if bucket.left_s <= 0:
            wait_s = math.ceil(1 - bucket.left_s / limits.refill)
            raise OverBudget(
                f"Your questions have used up the processor time that they may have at once. Ask again in {wait_s} s; "
                "with a seat at the table (/join) more is answered.",
                retry_after_s=wait_s,
            )
        return Allowance(limits.request_s, partial(self._charge, rank, name))

    def _charge(self, rank: Rank, name: str, spent_s: float) -> None:
        self._refilled_bucket(rank, name).left_s -= spent_s

    def _refilled_bucket(self, rank: Rank, name: str) -> _Bucket:
        limits, now_s = LIMITS[rank], self._clock()
        bucket = self._buckets.setdefault((rank, name), _Bucket(limits.burst_s, now_s))
        bucket.left_s = min(limits.burst_s, bucket.left_s + (now_s - bucket.as_of_s) * limits.refill)
        bucket.as_of_s = now_s
        self._buckets.move_to_end((rank, name))
        while len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return bucket
