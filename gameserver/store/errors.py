"""What can go wrong between the game and its store."""


class StoreError(Exception):
    """The store answered with something that it never should; a defect or a foreign hand in the data.

    `code` is the first word of the store's own error, where there was one.
    """

    def __init__(self, text: str, *, code: str = "") -> None:
        super().__init__(text)
        self.code = code


class BadAddress(ValueError):
    """A store address that cannot be used. The message never shows a password."""


class OtherSecret(StoreError):
    """Another secret is kept for the game: the log does not hold the beginning of it that the caller knows."""


class StoreUnavailable(StoreError):
    """The store cannot be reached, or cannot write now. Whether the command was carried out is not known."""


class Overloaded(StoreError):
    """More work is waiting than is taken on; nothing was done, trying again later may succeed."""


class HintPending(StoreError):
    """Another hint for this session is being worked out; nothing was queued."""


class TooManySessions(StoreError):
    """The player has reached the bound of unfinished sessions; nothing was written."""
