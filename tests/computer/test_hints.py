"""Hints: the best plays with honest numbers, and reasons that are true of the position."""

import msgspec
import pytest

from gameserver.backgammon import (
    IllegalMove,
    Position,
    apply,
    complete_plays,
    dice_of,
    format_play,
    game_points,
    parse_play,
)
from gameserver.computer.hint import encode_hint
from gameserver.computer.match_equity import Away
from gameserver.computer.outcome import equity
from gameserver.computer.player import Player
from gameserver.computer.reasons import Reason, reasons
from gameserver.computer.shots import shots

START = Position.start()


def after(position: Position, dice: tuple[int, int], play: str) -> Position:
    for move in parse_play(play, position, dice_of(*dice)):
        position = apply(position, move)
    return position


def test_the_best_play_of_the_opening_with_two_others(player: Player) -> None:
    advice = player.advise(START, (3, 1))
    assert advice.plays[0].text == "8/5 6/5"
    assert len(advice.plays) == 3
    assert advice.undo_better is None
    losses = [play.loss for play in advice.plays]
    assert losses == sorted(losses)
    assert losses[0] == 0
    for play in advice.plays:
        assert play.equity == pytest.approx(equity(play.outcome, None))
        assert play.loss == pytest.approx(advice.plays[0].equity - play.equity)
        assert 1 <= len(play.reasons) <= 3


@pytest.mark.parametrize("away", [None, Away(1, 2), Away(5, 3)])
def test_the_hint_is_what_the_expert_plays(player: Player, away: Away | None) -> None:
    position = Position.parse("---B-AD-AA--cDbb-a-c-b-bB-")
    assert (
        player.advise(position, (4, 3), away=away).plays[0].moves
        == player.choose("expert", position, (4, 3), away).play
    )


def test_in_mid_play_the_rest_of_the_best_play_is_advised(player: Player) -> None:
    first = parse_play("8/5", START, (3, 1))
    now = apply(START, first[0])
    advice = player.advise(now, (1,), first)
    assert advice.plays[0].text == "6/5"
    assert advice.undo_better is None


def test_after_a_bad_start_the_best_that_is_left_and_what_undoing_would_gain(player: Player) -> None:
    first = parse_play("24/21", START, (3, 1))
    now = apply(START, first[0])
    advice = player.advise(now, (1,), first)
    assert {play.moves for play in advice.plays} <= set(complete_plays(now, (1,)).values())
    best = player.advise(START, (3, 1)).plays[0].equity
    assert best - advice.plays[0].equity > 0.05
    assert advice.undo_better == pytest.approx(best - advice.plays[0].equity)


def test_with_all_dice_played_nothing_is_advised_but_undoing_may_be(player: Player) -> None:
    moves = parse_play("24/20", START, (3, 1))
    now = apply(apply(START, moves[0]), moves[1])
    advice = player.advise(now, (), moves)
    assert advice.plays == ()
    assert advice.undo_better is not None
    assert player.advise(after(START, (3, 1), "8/5 6/5"), (), parse_play("8/5 6/5", START, (3, 1))).undo_better is None


def test_moves_that_cannot_have_been_played_are_refused(player: Player) -> None:
    with pytest.raises(IllegalMove):
        player.advise(START, (1,), parse_play("8/5", START, (3, 1)))


def test_a_shut_out_side_gets_no_play(player: Player) -> None:
    shut_out = Position.parse("----AEEC-----------bbbbbbA")
    assert player.advise(shut_out, (6, 5)).plays == ()


def test_the_wire_form_is_that_of_the_protocol(player: Player) -> None:
    sent = msgspec.msgpack.decode(encode_hint(player.advise(START, (3, 1))))
    assert set(sent) == {"plays", "undo_better"}
    assert sent["undo_better"] is None
    best = sent["plays"][0]
    fields = {"moves", "text", "equity", "loss", "win", "gammon", "backgammon", "lose_gammon", "reasons"}
    assert set(best) == fields
    assert sorted(best["moves"]) == [[6, 1, 5, 0], [8, 3, 5, 0]]
    assert ["makes-point", 5] in best["reasons"]


def reasons_of(text: str, dice: tuple[int, int], play: str) -> tuple[Reason, ...]:
    position = Position.parse(text)
    result = after(position, dice, play)
    others = [other for other in complete_plays(position, dice_of(*dice)) if other != result]
    return reasons(position, result, others)


@pytest.mark.parametrize(
    ("text", "dice", "play", "expected"),
    [
        ("-b----E-C---eE---c-e----B-", (3, 1), "8/5 6/5", ("makes-point", 5)),
        ("-b----E-C---eE---c-e----B-", (4, 3), "24/20 24/21", ("shots", 32)),
        ("-b----E-C---eE---c-e----B-", (4, 4), "24/20(2) 13/9(2)", ("makes-anchor", 20)),
        ("-b--BBD-B---eC---c-e----B-", (6, 1), "13/7 8/7", ("prime", 4)),
        ("-b----E-C---eE---c-e----B-", (3, 1), "8/5 6/5", ("keeps-anchor", 24)),
        ("-b--a-E-C---dE---c-e----B-", (4, 2), "8/4* 6/4", ("hits", 4)),
        ("-b----E-C---eE---c-e----B-", (6, 5), "24/13", ("escapes", 1)),
        ("aa----E-C---eE---c-e----A-", (6, 5), "24/13", ("escapes", 1)),
        ("-b----E-C---eE---c-e----AA", (4, 3), "bar/22 24/20", ("enters", 1)),
        ("-CCCBBB------------bbcccb-", (6, 5), "6/off 5/off", ("bears-off", 2)),
    ],
)
def test_reasons_name_what_the_play_does(text: str, dice: tuple[int, int], play: str, expected: Reason) -> None:
    assert expected in reasons_of(text, dice, play)


def test_the_shots_of_36_are_exact_and_the_safest_play_is_called_so() -> None:
    careful, loose = (after(START, (5, 2), play) for play in ("13/8 13/11", "24/22 13/8"))
    assert reasons(START, careful, [loose])[-1] == ("safest", shots(careful))
    assert reasons(START, loose, [careful])[-1] == ("shots", shots(loose))
    assert shots(careful) < shots(loose)


def test_a_forced_play_needs_no_other_reason(player: Player) -> None:
    forced = Position.parse("----b-M-A-------b-cdd---A-")
    (play,) = player.advise(forced, (6, 2)).plays
    assert (play.text, play.reasons) == ("24/22 8/2", (("only-play",),))


def test_every_play_of_a_game_has_reasons(player: Player) -> None:
    position, dice = START, [(3, 1), (6, 4), (5, 5), (2, 1), (6, 6), (4, 1), (5, 3), (1, 1), (6, 2), (4, 4)] * 6
    for roll in dice:
        choice = player.choose("normal", position, roll)
        for play in player.advise(position, dice_of(*roll)).plays:
            assert 1 <= len(play.reasons) <= 3
            assert all(isinstance(reason[0], str) for reason in play.reasons)
            assert all(isinstance(number, int) and number > 0 for reason in play.reasons for number in reason[1:])
            assert format_play(play.moves, position) == play.text
        if game_points(choice.after):
            break
        position = choice.after.flipped()
