"""The game of backgammon: board, legal moves, scoring, match, notation. Pure, and knows nothing of sessions."""

from gameserver.backgammon.dice import Dice, dice_left, dice_of
from gameserver.backgammon.errors import AmbiguousPlay, IllegalMove, NotAPosition, NotDice, UnreadablePlay
from gameserver.backgammon.gnuid import from_gnu_position_id, gnu_position_id
from gameserver.backgammon.listing import answer_line, describe_plays
from gameserver.backgammon.match import MATCH_LENGTHS, Score, match_winner, points_away, with_game
from gameserver.backgammon.moves import Move, apply, legal_moves, move_of, take_back
from gameserver.backgammon.notation import format_play
from gameserver.backgammon.options import Option, options
from gameserver.backgammon.plays import complete_plays
from gameserver.backgammon.position import BAR, CHECKERS, OFF, Position
from gameserver.backgammon.reasons import checked_move
from gameserver.backgammon.scoring import game_points, is_race, pip_counts
from gameserver.backgammon.typed import parse_play
from gameserver.backgammon.xgid import XGID

__all__ = [
    "BAR",
    "CHECKERS",
    "MATCH_LENGTHS",
    "OFF",
    "XGID",
    "AmbiguousPlay",
    "Dice",
    "IllegalMove",
    "Move",
    "NotAPosition",
    "NotDice",
    "Option",
    "Position",
    "Score",
    "UnreadablePlay",
    "answer_line",
    "apply",
    "checked_move",
    "complete_plays",
    "describe_plays",
    "dice_left",
    "dice_of",
    "format_play",
    "from_gnu_position_id",
    "game_points",
    "gnu_position_id",
    "is_race",
    "legal_moves",
    "match_winner",
    "move_of",
    "options",
    "parse_play",
    "pip_counts",
    "points_away",
    "take_back",
    "with_game",
]
