"""How fast a sender may go."""


class TokenBucket:
    """At most ``rate`` a second in the long run, and ``burst`` at once. The caller brings the time, in seconds.

    >>> bucket = TokenBucket(rate=2, burst=1, now=0.0)
    >>> bucket.take(0.0), bucket.take(0.1), bucket.take(0.6)
    (True, False, True)
    """

    __slots__ = ("_burst", "_rate", "_since", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._since = now

    def take(self, now: float) -> bool:
        """Take one if there is one."""
        self._tokens = min(self._burst, self._tokens + (now - self._since) * self._rate)
        self._since = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
