"""What is promised about sessions: how long they are kept, and when a commit counts as written."""

from dataclasses import dataclass
from typing import Final

DAY_MS: Final = 24 * 3600 * 1000


@dataclass(frozen=True, slots=True)
class Policy:
    """Must be the same in every process on a store.

    Args:
        finished_ms: how long a finished session is kept after its last commit.
        abandoned_ms: how long any other is.
        archive: nothing expires by itself; what would, is entered for the archiver, who alone deletes (`archive`).
        replicas: so many replicas must hold a commit before it counts as written and anybody is told of it.
    """

    finished_ms: int = 90 * DAY_MS
    abandoned_ms: int = 365 * DAY_MS
    archive: bool = False
    replicas: int = 0

    def keep_ms(self, *, finished: bool) -> int:
        """How long a session is kept after a commit."""
        return self.finished_ms if finished else self.abandoned_ms


DEFAULT_POLICY: Final = Policy()
