"""Decisions for benchmarks of the computer: taken from whole games that a level plays against itself."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from gameserver.backgammon import Position, game_points, is_race
from gameserver.computer.player import Choice, Player
from gameserver.session.events import Level

Roll = tuple[int, int]


class Decision(NamedTuple):
    """An unforced decision and what was played."""

    before: Position
    dice: Roll
    choice: Choice
    phase: str


def decisions(player: Player, level: Level, seed: int, share: float) -> Iterator[Decision]:
    """Unforced decisions of endless games of the level against itself; each is taken with the probability `share`."""
    chance = random.Random(seed)

    def choose(before: Position, dice: Roll) -> Choice:
        return player.choose(level, before, dice, salt=chance.randbytes(8))

    for before, dice, choice, turn in turns(choose, chance):
        if choice.distinct >= 2 and chance.random() < share:
            yield Decision(before, dice, choice, phase(before, turn))


def turns(
    choose: Callable[[Position, Roll], Choice], chance: random.Random
) -> Iterator[tuple[Position, Roll, Choice, int]]:
    """Every turn of endless games: position, dice, choice, number of the turn in its game."""
    while True:
        before = Position.start()
        for turn in range(10_000):
            dice = roll(chance, opening=turn == 0)
            choice = choose(before, dice)
            yield before, dice, choice, turn
            if game_points(choice.after):
                break
            before = choice.after.flipped()


def roll(chance: random.Random, *, opening: bool = False) -> Roll:
    """Two dice; never equal in the opening."""
    while True:
        dice = chance.randint(1, 6), chance.randint(1, 6)
        if not opening or dice[0] != dice[1]:
            return dice


def phase(before: Position, turn: int) -> str:
    """Where in the game a decision falls."""
    if is_race(before):
        return "bear-off" if not any(count > 0 for count in before.points[7:]) else "race"
    if before.points[25]:
        return "on the bar"
    return "opening" if turn < 8 else "contact"


@dataclass
class Mean:
    """A mean and its standard error."""

    values: Sequence[float]

    @property
    def value(self) -> float:
        return sum(self.values) / len(self.values) if self.values else float("nan")

    @property
    def error(self) -> float:
        if len(self.values) < 2:
            return float("nan")
        mean = self.value
        return sqrt(sum((value - mean) ** 2 for value in self.values) / (len(self.values) - 1) / len(self.values))

    def times(self, factor: float) -> "Mean":
        return Mean([factor * value for value in self.values])

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.error:.3f}"
