"""What the command line asks of the computer: plays and hints as text, and as lines of JSON."""

import json
from functools import cache
from typing import Any

from gameserver.backgammon import XGID, Position, dice_of, format_play
from gameserver.computer.engine import open_player
from gameserver.computer.match_equity import Away
from gameserver.computer.player import Choice
from gameserver.computer.reasons import Reason
from gameserver.session.events import Level

_MAX_LINE = 100_000

_player = cache(open_player)


def choose_text(level: Level, xgid: str) -> str:
    """The level's play for an XGID with dice: in notation, the position after it, and what the level expects.

    Raises ValueError with the reason for an XGID that is none, is before the roll, or is over.
    """
    given, dice = _with_dice(xgid)
    choice = _choice(level, given.position, dice, _away(given))
    return f"{format_play(choice.play, given.position)}  {choice.after.text}  {choice.equity:+.3f}"


def choose_line(level: Level, line: str) -> str:
    """Answer a line of JSON with another.

    In: `position` (26 characters), `dice` (two numbers), optional `away` (points that [mine, theirs] still needs).
    Out: `{"result": position, "play": text, "equity": number}`, or `{"error": text}` that names what was wrong.
    """
    try:
        position, dice, away = _read(line)
        choice = _choice(level, position, dice, away)
    except ValueError as error:
        return json.dumps({"error": str(error)})
    play = format_play(choice.play, position)
    return json.dumps({"result": choice.after.text, "play": play, "equity": round(choice.equity, 4)})


def hint_text(xgid: str) -> str:
    """The best plays for an XGID with dice, one a line: equity, loss, play, chances in per cent, reasons.

    Raises ValueError as `choose_text` does.
    """
    given, dice = _with_dice(xgid)
    _check_unfinished(given.position)
    advice = _player().advise(given.position, dice_of(*dice), (), _away(given))
    if not advice.plays:
        return format_play((), given.position)
    width = max(len(play.text) for play in advice.plays)
    return "\n".join(
        f"{play.equity:+.3f} ({-play.loss:+.3f})  {play.text:<{width}}  win {100 * play.outcome.win:.1f}"
        f" gammon {100 * play.outcome.gammon:.1f} lose gammon {100 * play.outcome.lose_gammon:.1f}"
        f"  {', '.join(map(_reason_text, play.reasons))}"
        for play in advice.plays
    )


def _choice(level: Level, position: Position, dice: tuple[int, int], away: Away | None) -> Choice:
    _check_unfinished(position)
    return _player().choose(level, position, dice, away)


def _check_unfinished(position: Position) -> None:
    if position.off == 15 or position.their_off == 15:
        raise ValueError("the game is over: a side has borne off all its checkers")


def _with_dice(xgid: str) -> tuple[XGID, tuple[int, int]]:
    given = XGID.parse(xgid)
    if given.dice is None:
        raise ValueError("the XGID's dice are 00, before the roll: there is nothing to play")
    return given, given.dice


def _away(given: XGID) -> Away | None:
    if not given.match_length:
        return None
    return Away.of(given.match_length - given.score[0], given.match_length - given.score[1])


def _reason_text(reason: Reason) -> str:
    return " ".join(map(str, reason))


def _read(line: str) -> tuple[Position, tuple[int, int], Away | None]:
    if len(line) > _MAX_LINE:
        raise ValueError(f"the line has more than {_MAX_LINE} characters")
    try:
        given: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the line is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise ValueError("the line is not a JSON object")
    position, dice, away = given.get("position"), given.get("dice"), given.get("away")
    if not isinstance(position, str):
        raise ValueError("the field 'position' must be a text of 26 characters")
    if not isinstance(dice, list) or len(dice) != 2:
        raise ValueError("the field 'dice' must be a list of two numbers")
    if away is not None and (not isinstance(away, list) or len(away) != 2):
        raise ValueError("the field 'away' must be a list of two numbers: the points that each side still needs")
    dice_of(*dice)  # raises NotDice
    return Position.parse(position), (dice[0], dice[1]), None if away is None else Away.of(*away)
