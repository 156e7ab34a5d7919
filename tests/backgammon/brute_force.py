"""The rules said a second time: slow, with another board, and nothing shared with what it checks.

A side is the sorted tuple of the places of its checkers; all places are numbered along the mover's way. Mine: 25 the
bar, 0 borne off. Theirs: 0 their bar, 25 borne off.
"""

from gameserver.backgammon import Position

Side = tuple[int, ...]
Step = tuple[int, int, int, bool]
Play = tuple[tuple[Step, ...], Side, Side]


def sides(position: Position) -> tuple[Side, Side]:
    mine = [place for place, count in enumerate(position.points) for _ in range(max(count, 0))]
    theirs = [place for place, count in enumerate(position.points) for _ in range(max(-count, 0))]
    return tuple([0] * (15 - len(mine)) + mine), tuple(theirs + [25] * (15 - len(theirs)))


def text(mine: Side, theirs: Side) -> str:
    cells = []
    for place in range(26):
        own = mine.count(place) if place else 0
        opposing = theirs.count(place) if place < 25 else 0
        assert not (own and opposing)
        cells.append("-ABCDEFGHIJKLMNO"[own] if own else "-abcdefghijklmno"[opposing])
    return "".join(cells)


def steps(mine: Side, theirs: Side, die: int) -> list[Step]:
    found = []
    for place in sorted(set(mine), reverse=True):
        if place == 0 or (max(mine) == 25 and place != 25):
            continue
        target = place - die
        if target > 0:
            opposing = theirs.count(target)
            if opposing < 2:
                found.append((place, die, target, opposing == 1))
        elif max(mine) <= 6 and (target == 0 or max(mine) == place):
            found.append((place, die, 0, False))
    return found


def after(mine: Side, theirs: Side, step: Step) -> tuple[Side, Side]:
    source, _, target, hit = step
    moved = list(mine)
    moved.remove(source)
    moved.append(target)
    others = list(theirs)
    if hit:
        others.remove(target)
        others.append(0)
    return tuple(sorted(moved)), tuple(sorted(others))


def sequences(mine: Side, theirs: Side, dice: tuple[int, ...]) -> list[Play]:
    """Every sequence of steps that cannot be prolonged, complete or not."""
    if max(mine) == 0 or min(theirs) == 25:
        return [((), mine, theirs)]
    found: list[Play] = []
    for die in set(dice):
        rest = list(dice)
        rest.remove(die)
        for step in steps(mine, theirs, die):
            for more, last_mine, last_theirs in sequences(*after(mine, theirs, step), tuple(rest)):
                found.append(((step, *more), last_mine, last_theirs))
    return found or [((), mine, theirs)]


def plays(position: Position, dice: tuple[int, ...]) -> list[Play]:
    """Every complete play: as many dice as possible, of two the larger if only one; and all that end the game."""
    found = sequences(*sides(position), dice)
    longest = max(len(play) for play, _, _ in found)
    complete = [play for play in found if len(play[0]) == longest]
    if longest == 1 and len(set(dice)) == 2:
        with_larger = [play for play in complete if play[0][0][1] == max(dice)]
        complete = with_larger or complete
    ending = [play for play in found if play[0] and max(play[1]) == 0]
    return [play for play in complete if play[0]] + ending


def results(position: Position, dice: tuple[int, ...]) -> set[str]:
    return {text(mine, theirs) for _, mine, theirs in plays(position, dice)}


def first_steps(position: Position, dice: tuple[int, ...]) -> set[Step]:
    return {play[0] for play, _, _ in plays(position, dice)}
