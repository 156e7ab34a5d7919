"""What holds for every position and every roll."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gameserver.backgammon import (
    CHECKERS,
    Dice,
    Move,
    Option,
    Position,
    apply,
    complete_plays,
    dice_left,
    format_play,
    from_gnu_position_id,
    gnu_position_id,
    is_race,
    legal_moves,
    options,
    parse_play,
    pip_counts,
    take_back,
)
from tests.backgammon import brute_force
from tests.backgammon.strategies import dice, played_positions, positions, unused_dice


def after(position: Position, moves: tuple[Move, ...]) -> Position:
    for move in moves:
        position = apply(position, move)
    return position


def everything(position: Position, unused: Dice) -> tuple[object, ...]:
    return (
        position.points,
        position.text,
        position.off,
        position.their_off,
        pip_counts(position),
        is_race(position),
        legal_moves(position, unused),
        options(position, unused),
    )


@given(positions, unused_dice)
def test_legal_moves_are_the_first_moves_of_complete_plays(position: Position, unused: Dice) -> None:
    assert {tuple(move) for move in legal_moves(position, unused)} == brute_force.first_steps(position, unused)
    assert len(set(legal_moves(position, unused))) == len(legal_moves(position, unused))


@given(positions, unused_dice)
def test_complete_plays_are_those_of_the_brute_force(position: Position, unused: Dice) -> None:
    found = complete_plays(position, unused)
    assert {result.text for result in found} == brute_force.results(position, unused)
    for result, moves in found.items():
        left = unused
        at = position
        for move in moves:
            assert move in legal_moves(at, left)
            at, left = apply(at, move), dice_left(left, move.die)
        assert at == result
        assert legal_moves(at, left) == ()


@given(positions, dice, st.data())
def test_following_legal_moves_always_ends_in_a_complete_play(
    position: Position, unused: Dice, data: st.DataObject
) -> None:
    results = complete_plays(position, unused)
    at, left = position, unused
    while moves := legal_moves(at, left):
        move = data.draw(st.sampled_from(moves))
        at, left = apply(at, move), dice_left(left, move.die)
    assert at in results or (not results and at == position)


@given(positions, dice, st.data())
def test_undo_restores_everything(position: Position, unused: Dice, data: st.DataObject) -> None:
    at, left = position, unused
    done: list[tuple[tuple[object, ...], Move]] = []
    while moves := legal_moves(at, left):
        move = data.draw(st.sampled_from(moves))
        done.append((everything(at, left), move))
        at, left = apply(at, move), dice_left(left, move.die)
    for before, move in reversed(done):
        at = take_back(at, move)
        left = tuple(sorted((*left, move.die), reverse=True))
        assert everything(at, left) == before
    assert at == position


@given(positions, unused_dice)
def test_no_checker_is_lost_or_made(position: Position, unused: Dice) -> None:
    theirs = position.their_off
    for result in complete_plays(position, unused):
        assert sum(count for count in result.points if count > 0) + result.off == CHECKERS
        assert result.their_off == theirs
        assert Position(result.points) == result
        assert pip_counts(result)[0] < pip_counts(position)[0]


def check_options(position: Position, unused: Dice, found: tuple[Option, ...]) -> None:
    """Single moves are just the legal ones, in their order; longer ways those that legal moves make, the best kept."""
    singles = [option for option in found if len(option.path) == 1]
    longer = [option for option in found if len(option.path) > 1]
    assert list(found) == singles + longer
    assert [option.path[0] for option in singles] == list(legal_moves(position, unused))
    best: dict[tuple[int, int], tuple[tuple[int, tuple[int, ...]], tuple[Move, ...]]] = {}
    for path in ways(position, unused, None):
        ends = (path[0].source, path[-1].target)
        rank = (-sum(move.hit for move in path), tuple(-move.die for move in path))
        if len(path) > 1 and (ends not in best or rank < best[ends][0]):
            best[ends] = (rank, path)
    borne_off = {option.source for option in singles if option.path[0].target == 0}
    expected = {path for (source, target), (_, path) in best.items() if target or source not in borne_off}
    assert {option.path for option in longer} == expected
    assert len(longer) == len(expected)


def ways(position: Position, unused: Dice, source: int | None) -> list[tuple[Move, ...]]:
    """Every way of one checker by legal moves."""
    found: list[tuple[Move, ...]] = []
    for move in legal_moves(position, unused):
        if source in (None, move.source):
            found.append((move,))
            if move.target:
                further = ways(apply(position, move), dice_left(unused, move.die), move.target)
                found += [(move, *more) for more in further]
    return found


@given(positions, unused_dice)
def test_options_are_what_is_legal_now_and_one_step_ahead(position: Position, unused: Dice) -> None:
    found = options(position, unused)
    check_options(position, unused, found)
    for option in found:
        assert option.source == option.path[0].source
        left = unused
        for move in option.path:
            left = dice_left(left, move.die)
        assert all(then.then == () for then in option.then)
        check_options(after(position, option.path), left, option.then)


@given(positions, dice)
def test_a_play_read_back_leads_to_the_same_position(position: Position, unused: Dice) -> None:
    for result, moves in complete_plays(position, unused).items():
        for text in (format_play(moves), format_play(moves, position)):
            assert after(position, parse_play(text, position, unused)) == result, text
            assert after(position, parse_play(text.replace("*", ""), position, unused)) == result, text


@given(positions, dice, st.data())
def test_a_partial_play_read_back_leads_to_the_same_position(
    position: Position, unused: Dice, data: st.DataObject
) -> None:
    at, left = position, unused
    done: tuple[Move, ...] = ()
    for _ in range(data.draw(st.integers(1, 4))):
        moves = legal_moves(at, left)
        if not moves:
            break
        move = data.draw(st.sampled_from(moves))
        done = (*done, move)
        at, left = apply(at, move), dice_left(left, move.die)
    if done:
        for text in (format_play(done), format_play(done, position)):
            assert after(position, parse_play(text, position, unused)) == at, text


@given(positions)
def test_a_board_turned_twice_is_the_same(position: Position) -> None:
    turned = position.flipped()
    assert turned.flipped() == position
    assert pip_counts(turned) == pip_counts(position)[::-1]
    assert (turned.off, turned.their_off) == (position.their_off, position.off)
    assert is_race(turned) == is_race(position)


@given(positions)
def test_texts_lead_back_to_the_position(position: Position) -> None:
    assert Position.parse(position.text) == position
    assert from_gnu_position_id(gnu_position_id(position)) == position
    assert hash(Position.parse(position.text)) == hash(position)


@given(played_positions, dice)
@settings(max_examples=50)
def test_a_race_stays_a_race_and_nothing_is_hit_in_it(position: Position, unused: Dice) -> None:
    if is_race(position):
        for result, moves in complete_plays(position, unused).items():
            assert is_race(result)
            assert not any(move.hit for move in moves)
