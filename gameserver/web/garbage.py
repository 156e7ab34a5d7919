"""When this server looks for garbage that reference counting does not free: rings of objects.

What pages do leaves none behind, while Python's own full collections look through all that thousands of pages keep
alive, for a third of a second at a time. So what has lasted a second is set aside, and looked through only when
there is twice as much of everything, for rings might be among it.
"""

import gc
import sys
from typing import Final

YOUNG: Final = 5_000
"""New objects beyond those freed after which the new ones are looked through."""
GROWTH: Final = 2.0
"""So much more of everything than after the last full collection makes for another."""


class Collector:
    """Python's collector of garbage, for as long as this process serves. Used from one thread."""

    def __init__(self) -> None:
        self._blocks = 0
        """What there was after the last full collection: pieces of memory that Python gave out."""

    def begin(self) -> None:
        """What there is by now lasts as long as the process."""
        gc.set_threshold(YOUNG, 20, 100)
        self._collect()

    def every_second(self) -> None:
        """Set aside what has lasted; look through everything where it has become so much."""
        if sys.getallocatedblocks() > GROWTH * self._blocks:
            self._collect()
        else:
            gc.freeze()

    def _collect(self) -> None:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._blocks = sys.getallocatedblocks()
