"""What can be wrong with a position, a roll, a move or a text. All are `ValueError`s whose words name the fault."""


class NotAPosition(ValueError):
    """No position that a game can hold, or no text that describes one."""


class NotDice(ValueError):
    """These are no dice that a turn can have left."""


class IllegalMove(ValueError):
    """The rules do not allow this move now; the words say why."""


class UnreadablePlay(ValueError):
    """No play at all: the text does not name checkers and where they go."""


class AmbiguousPlay(ValueError):
    """The text can be read as more than one play; the words name them."""
