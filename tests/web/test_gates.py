"""Who may come in, from where, and how fast: each alone."""

import pytest
from itsdangerous import Signer
from starlette.datastructures import Headers

from gameserver.session.ids import PlayerId
from gameserver.web.identity import COOKIE, FIRST_DEVICE, DeviceId, Identity, Visitor
from gameserver.web.limits import TokenBucket
from gameserver.web.origin import is_allowed
from gameserver.web.preferences import Preferences, read_put, read_stored, write

OLD, NEW = "o" * 32, "n" * 32
VISITOR = Visitor(PlayerId(b"p" * 16), DeviceId(b"d" * 16))


@pytest.mark.parametrize(
    ("origin", "host", "allowed", "right"),
    [
        ("http://game.example", "game.example", (), True),
        ("https://game.example:8443", "game.example:8443", (), True),
        ("HTTPS://GAME.example", "Game.Example", (), True),
        ("http://[::1]:8000", "[::1]:8000", (), True),
        ("http://game.example", "game.example:8000", (), False),
        ("http://evil.example", "game.example", (), False),
        ("http://game.example.evil.example", "game.example", (), False),
        ("http://game.example@evil.example", "game.example", (), False),
        ("null", "", (), False),
        ("null", "null", (), False),
        ("", "", (), False),
        ("http://[", "[", (), False),
        ("https://play.example", "inside:8000", ("https://play.example",), True),
        ("https://Play.example", "inside:8000", ("https://play.example",), True),
        ("http://play.example", "inside:8000", ("https://play.example",), False),
        ("http://inside:8000", "inside:8000", ("https://play.example",), False),
    ],
)
def test_origins(origin: str, host: str, allowed: tuple[str, ...], right: bool) -> None:
    assert is_allowed(Headers({"origin": origin, "host": host}), allowed) is right


def test_a_request_without_an_origin_is_not_allowed() -> None:
    assert not is_allowed(Headers({"host": "game.example"}), ())
    assert not is_allowed(Headers({}), ())


def of(identity: Identity, value: str) -> Visitor | None:
    return identity.of(Headers({"cookie": f"{COOKIE}={value}"}))


def test_a_cookie_names_its_player_and_no_other_value_does() -> None:
    identity = Identity([NEW])
    value = identity.sign(VISITOR)
    assert of(identity, value) == VISITOR
    for position in range(len(value)):
        changed = value[:position] + ("0" if value[position] != "0" else "1") + value[position + 1 :]
        if position != len(value) - 1:  # the last character of the signature holds bits that say nothing
            assert of(identity, changed) is None, position
        assert of(identity, value[:position]) is None
    assert identity.of(Headers({})) is None


def test_a_key_is_replaced_without_signing_anybody_out() -> None:
    before, between, after = Identity([OLD]), Identity([NEW, OLD]), Identity([NEW])
    assert of(between, before.sign(VISITOR)) == VISITOR
    assert of(after, between.sign(VISITOR)) == VISITOR
    assert of(after, before.sign(VISITOR)) is None
    with pytest.raises(ValueError, match="a key is needed"):
        Identity([])


def test_a_signed_value_that_names_nobody_is_nobody() -> None:
    identity = Identity([NEW])
    for wrong in (b"", b"p" * 15, b"p" * 17):
        assert of(identity, identity.sign(Visitor(PlayerId(wrong), DeviceId(b"d" * 16)))) is None
        assert of(identity, identity.sign(Visitor(PlayerId(b"p" * 16), DeviceId(wrong)))) is None


def test_a_cookie_from_before_there_were_devices_is_valid_and_names_the_first_device() -> None:
    signer = Signer(OLD, salt="shuanglu-player", key_derivation="hmac")
    value = signer.sign(VISITOR.player.hex()).decode()
    assert of(Identity([NEW, OLD]), value) == Visitor(VISITOR.player, FIRST_DEVICE)


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = TokenBucket(rate=20, burst=20, now=0.0)
    assert [bucket.take(0.0) for _ in range(21)] == [True] * 20 + [False]
    assert sum(bucket.take(1 + step / 100) for step in range(100)) in range(38, 41)
    assert sum(bucket.take(1000.0) for _ in range(50)) == 20


def test_preferences_of_another_release_are_read_with_defaults() -> None:
    stored = write(Preferences(pace="fast"))
    assert read_put(stored) == read_stored(stored) == Preferences(pace="fast")
    assert read_stored(None) == Preferences()
    assert read_stored(b'{"pace":"fast","of a later release":1}') == Preferences(pace="fast")
    assert read_stored(b'{"pace":"fast","theme":"of a later release"}') == Preferences(pace="fast")
