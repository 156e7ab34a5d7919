"""The dice: the words of docs/protocol.md worked out again, fairness, and that nothing else has a say."""

from collections import Counter
from hashlib import sha256
from itertools import count
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gameserver.session import dice
from gameserver.session.decide import computers_dice
from tests.session.fair_dice import dice_bytes, fair_roll
from tests.session.table import Table

SECRET, SEED = bytes(range(32)), bytes(range(32, 64))
SESSION = bytes(range(64, 80))

THIRTY_TWO = st.binary(min_size=32, max_size=32)


@given(
    THIRTY_TWO, st.binary(min_size=16, max_size=16), st.integers(1, 2**32 - 1), st.integers(1, 2**64 - 1), THIRTY_TWO
)
def test_a_roll_is_what_the_protocol_says(secret: bytes, session: bytes, game: int, number: int, seed: bytes) -> None:
    assert dice.roll(secret, session, game, number, seed) == fair_roll(secret, session, game, number, seed)


def test_the_first_rolls_of_a_known_game_never_change() -> None:
    """Worked out once with nothing but an HMAC; a change of these makes every old record false."""
    rolls = [dice.roll(SECRET, SESSION, 1, number, SEED) for number in range(1, 13)]
    assert rolls == KNOWN_ROLLS


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    assert dice.commitment(SECRET) == sha256(SECRET).digest()
    assert dice.commitment(SECRET).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_bytes_of_252_and_more_are_skipped() -> None:
    first_skipped = second_skipped = 0
    for number in count(1):
        stream = dice_bytes(SECRET, SESSION, 1, number, SEED)
        drawn = [next(stream) for _ in range(4)]
        if drawn[0] >= 252 and max(drawn[1:3]) < 252:
            first_skipped += 1
            assert dice.roll(SECRET, SESSION, 1, number, SEED) == (1 + drawn[1] % 6, 1 + drawn[2] % 6)
        elif drawn[1] >= 252 and max(drawn[0], drawn[2]) < 252:
            second_skipped += 1
            assert dice.roll(SECRET, SESSION, 1, number, SEED) == (1 + drawn[0] % 6, 1 + drawn[2] % 6)
        if min(first_skipped, second_skipped) >= 3:
            break


def test_a_block_with_too_few_fair_bytes_is_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """No secret is known that gives such a block (one in 2^180 does), so here the blocks are given instead."""
    blocks = [bytes([252] * 32), bytes([255] * 31 + [251]), bytes([253, 6, 7] + [0] * 29)]
    asked: list[int] = []

    def digest(_key: bytes, message: bytes, _name: str) -> bytes:
        asked.append(int.from_bytes(message[44:48], "big"))
        return blocks[asked[-1]]

    monkeypatch.setattr(dice, "hmac", SimpleNamespace(digest=digest))
    assert dice.roll(SECRET, SESSION, 1, 1, SEED) == (1 + 251 % 6, 1 + 6 % 6)
    assert asked == [0, 1, 2]


@pytest.mark.parametrize("game", [1, 2])
def test_every_roll_is_equally_likely(game: int) -> None:
    """Chi-square over the 36 ordered rolls of a fixed game: 35 degrees of freedom, 66.6 is exceeded once in 1,000."""
    rolls = 36_000
    seen = Counter(dice.roll(SECRET, SESSION, game, number, SEED) for number in range(1, rolls + 1))
    expected = rolls / 36
    assert len(seen) == 36
    assert sum((times - expected) ** 2 / expected for times in seen.values()) < 66.6


def test_each_of_secret_session_game_number_and_seed_matters() -> None:
    def rolls(
        secret: bytes = SECRET, session: bytes = SESSION, game: int = 1, first: int = 1, seed: bytes = SEED
    ) -> list[tuple[int, int]]:
        return [dice.roll(secret, session, game, number, seed) for number in range(first, first + 20)]

    others = [rolls(secret=SEED), rolls(session=bytes(16)), rolls(game=2), rolls(first=2), rolls(seed=SECRET)]
    assert rolls() not in others
    assert len({tuple(other) for other in others}) == len(others)


def test_what_is_done_in_a_turn_does_not_change_the_next_roll() -> None:
    """Two players with the same secret and seed: one plays straight on, one moves, undoes, leaves and sets options."""
    plain, fussy = Table("the same table"), Table("the same table")
    for table in (plain, fussy):
        table.accepted(table.a_seed())
        while table.state.computer_is_due:
            table.accepted(table.a_turn())
    for _ in range(6):
        _play_the_first_option(plain)
        plain.accepted(plain.a_turn())
        fussy.accepted(fussy.a_leave())
        fussy.accepted(fussy.options(pace="instant"))
        if fussy.view.phase == "to-roll":
            fussy.accepted(fussy.a_roll())
        if fussy.view.options:
            fussy.accepted(fussy.options(auto_end=False))
            source, path, _ = fussy.view.options[-1]
            fussy.accepted(fussy.a_move(source, *path[::2]))
            fussy.accepted(fussy.a_leave())
            fussy.accepted(fussy.options(auto_end=True))
        _play_the_first_option(fussy)
        fussy.accepted(fussy.a_turn())
        assert fussy.state.rolls == plain.state.rolls
        assert fussy.view.record == plain.view.record
    assert plain.state.rolls > 10


def test_the_computers_dice_are_the_next_roll_and_the_turn_uses_them() -> None:
    table = Table("the computer's dice")
    table.accepted(table.a_seed())
    if table.state.computer_is_due:
        table.accepted(table.a_turn())
    _play_the_first_option(table)
    number, secret = table.state.rolls + 1, table.secret(1)
    assert table.state.seed is not None
    rolled = fair_roll(secret, table.session, 1, number, table.state.seed)
    assert computers_dice(table.state, secret) == (max(rolled), min(rolled))
    table.accepted(table.a_turn())
    assert table.view.record[-1][:3] == (1, max(rolled), min(rolled))


def _play_the_first_option(table: Table) -> None:
    """The player's whole turn."""
    if table.view.phase == "to-roll":
        table.accepted(table.a_roll())
    while table.view.options:
        source, path, _ = table.view.options[0]
        table.accepted(table.a_move(source, path[0]))
    if table.view.phase == "confirm":
        table.accepted(table.an_end())


KNOWN_ROLLS = [(3, 1), (5, 4), (2, 6), (2, 1), (1, 6), (4, 1), (6, 4), (2, 4), (2, 5), (1, 2), (2, 1), (1, 3)]
