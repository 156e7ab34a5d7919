"""Plays in words, as players write them: `24/18*/13`, `bar/22`, `6/off`, `8/4(2)`.

Reading is in `typed.py`.
"""

from collections.abc import Iterable

from gameserver.backgammon.moves import Move
from gameserver.backgammon.position import OFF, Position
from gameserver.backgammon.reasons import place_name

NO_PLAY = "(no play)"


def format_play(moves: Iterable[Move], position: Position | None = None) -> str:
    """Write the moves of one turn as players do.

    The moves of one checker become one (`24/18*/13`: a stop is named where it hits), the furthest checker comes first,
    equal ones are counted (`8/4(2)`), a hit is marked where its point is first mentioned. No moves give `(no play)`.

    `position`: where the play starts. With it a stop without a hit is named only where leaving it out would mean
    another play (`10/8/4` when 10/6 would hit); without it, wherever two different dice move one checker. So
    `parse_play` always reads back a play that leads to the same position.

    >>> format_play([Move(6, 2, 4, True), Move(6, 2, 4, False), Move(24, 2, 22, False), Move(22, 2, 20, True)])
    '24/20* 6/4*(2)'
    >>> format_play([Move(24, 6, 18, False), Move(18, 5, 13, False)], Position.start())
    '24/13'
    """
    chains = _chains(moves)
    if not chains:
        return NO_PLAY
    stars = _marks(chains)
    counts: dict[tuple[int, ...], int] = {}
    starred: dict[tuple[int, ...], set[int]] = {}
    for chain, marked in zip(chains, stars, strict=True):
        stops = [move.target for move in chain[:-1] if move.target in marked or _stop_matters(chain, position)]
        places = (chain[0].source, *stops, chain[-1].target)
        counts[places] = counts.get(places, 0) + 1
        starred.setdefault(places, set()).update(marked)
    return " ".join(
        "/".join(place_name(place) + "*" * (place in starred[places]) for place in places)
        + (f"({count})" if count > 1 else "")
        for places, count in counts.items()
    )


def _chains(moves: Iterable[Move]) -> list[list[Move]]:
    """The moves put together by checker, as if made in falling order of the points, which every play allows."""
    chains: list[list[Move]] = []
    for move in sorted(moves, key=lambda move: (-move.source, move.target)):
        for chain in chains:
            if chain[-1].target == move.source:
                chain.append(move)
                break
        else:
            chains.append([move])
    return sorted(chains, key=lambda chain: (-chain[0].source, chain[-1].target))


def _marks(chains: list[list[Move]]) -> list[set[int]]:
    """For each chain the points whose hit is marked there: the first that ends on it, else the one that passes."""
    marks: list[set[int]] = [set() for _ in chains]
    for hit in [move.target for chain in chains for move in chain if move.hit]:
        ending = [index for index, chain in enumerate(chains) if chain[-1].target == hit]
        passing = [index for index, chain in enumerate(chains) if any(move.target == hit for move in chain)]
        marks[(ending or passing)[0]].add(hit)
    return marks


def _stop_matters(chain: list[Move], position: Position | None) -> bool:
    """Whether the two ends alone might be read as another way of the same checker."""
    if len(chain) != 2 or chain[0].die == chain[1].die:
        return False
    first, second = chain
    if second.target == OFF and first.source <= max(first.die, second.die):
        return True
    other_stop = first.source - second.die
    return position is None or (other_stop > OFF and position.points[other_stop] == -1)
