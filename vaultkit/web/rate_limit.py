"""How often somebody may try something: a few times at once, and then at a steady rate."""

import time
from collections.abc import Callable
from dataclasses import dataclass

_MAX_BUCKET_COUNT = 1_000
"""So many are remembered; of more the first is forgotten."""


@dataclass
class _TokenBucket:
    left: float
    at: float


class RateLimiter:
    """Lets everybody try `burst` times at once, and `each_second` times after that."""

    def __init__(self, burst: float, each_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._each_second = each_second
        self._clock = clock
        self._buckets: dict[str, _TokenBucket] = {}

    def refund(self, who: str) -> None:
        """Let the last try of `who` not count."""
        bucket = self._buckets.get(who)
        if bucket:
            bucket.left = min(self._burst, bucket.left + 1)

    def try_acquire(self, who: str) -> bool:
        """Whether `who` may try once more, which counts."""
        now = self._clock()
        bucket = self._buckets.pop(who, None) or _TokenBucket(self._burst, now)
        bucket.left = min(self._burst, bucket.left + max(0.0, now - bucket.at) * self._each_second)
        bucket.at = now
        self._buckets[who] = bucket
        if len(self._buckets) > _MAX_BUCKET_COUNT:
            del self._buckets[next(iter(self._buckets))]
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True
