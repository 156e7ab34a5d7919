"""Complete plays as lines of text and of JSON, for the command line."""


def describe_plays(xgid: str) -> list[str]:
    """Every complete play in notation, each with the position it leads to. Raises `NotAPosition` and `NotDice`."""
    raise NotImplementedError


def answer_line(line: str) -> str:
    """Answer one line of JSON `{"position", "dice"}` with `{"results": [...]}` or `{"error": "..."}`."""
    raise NotImplementedError
