"""Complete plays as lines of text and of JSON, for the command line."""

import json
from typing import Any

from gameserver.backgammon.dice import Dice, dice_of
from gameserver.backgammon.errors import NotAPosition, NotDice
from gameserver.backgammon.notation import format_play
from gameserver.backgammon.plays import complete_plays
from gameserver.backgammon.position import Position
from gameserver.backgammon.xgid import XGID

_MAX_LINE = 1_000_000


def describe_plays(xgid: str) -> list[str]:
    """Every complete play in notation, each with the 26 characters of its result; one `(no play)` if there is none.

    Positions are seen by the side that plays. Raises `NotAPosition`, and `NotDice` for an XGID before the roll.

    >>> describe_plays("XGID=----b-M-A-------b-cdd---A-:0:0:1:62:0:0:0:0:10")
    ['24/22 8/2  --A-b-M---------b-cdd-A---']
    """
    given = XGID.parse(xgid)
    if given.dice is None:
        raise NotDice("the XGID's dice are 00, before the roll: there is nothing to play")
    plays = complete_plays(given.position, given.unused) or {given.position: ()}
    texts = {format_play(moves, given.position): result.text for result, moves in plays.items()}
    width = max(map(len, texts))
    return [f"{text:<{width}}  {result}" for text, result in texts.items()]


def answer_line(line: str) -> str:
    """Answer a line of JSON, an object with `position` (26 characters) and `dice` (two numbers), with another.

    That is `{"results": [...]}`, the positions after every complete play, sorted, none when nothing can be played; or
    `{"error": "..."}`, which names what was wrong with the line. Other fields of the object are not looked at.

    >>> answer_line('{"position": "----b-M-A-------b-cdd---A-", "dice": [6, 2]}')
    '{"results": ["--A-b-M---------b-cdd-A---"]}'
    """
    try:
        position, dice = _read(line)
    except (NotAPosition, NotDice, _NotALine) as error:
        return json.dumps({"error": str(error)})
    return json.dumps({"results": sorted(result.text for result in complete_plays(position, dice))})


class _NotALine(ValueError):
    pass


def _read(line: str) -> tuple[Position, Dice]:
    if len(line) > _MAX_LINE:
        raise _NotALine(f"the line has more than {_MAX_LINE} characters")
    try:
        given: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _NotALine(f"the line is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise _NotALine("the line is not a JSON object")
    for field in ("position", "dice"):
        if field not in given:
            raise _NotALine(f"the field {field!r} is missing")
    position, dice = given["position"], given["dice"]
    if not isinstance(position, str):
        raise _NotALine("the field 'position' is not a text of 26 characters")
    if not isinstance(dice, list) or len(dice) != 2:
        raise _NotALine("the field 'dice' is not a list of two numbers")
    return Position.parse(position), dice_of(dice[0], dice[1])
