"""Devices are listed, and signed out: everywhere, at once, for good."""

from __future__ import annotations

import asyncio

import pytest
from itsdangerous import Signer
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Close

from ..conftest import Site
from ..processes.programs import SECRET_KEY
from ..protocol.client import Seat
from .visitors import CHROME_ON_ANDROID, Browser, RequestRefused


async def closed(seat: Seat) -> tuple[int, str]:
    """How the server closes this connection."""
    closing: Close | None = None
    while closing is None:
        try:
            await seat.receive()
        except ConnectionClosed as error:
            closing = error.rcvd or Close(0, "without a word")
    return closing.code, closing.reason


async def test_a_single_device_is_listed_and_cannot_be_signed_out(site: Site) -> None:
    only = await Browser.arrive(site.origin)
    [device] = await only.devices()
    assert device["name"] == "Firefox, Windows"
    assert device["here"] is True
    with pytest.raises(RequestRefused) as error:
        await only.call("DELETE", f"devices/{device['id']}")
    assert error.value.status == 404


async def test_devices_are_listed_with_their_names_and_when_they_last_came(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    second.user_agent = CHROME_ON_ANDROID
    await second.join(first)
    for browser, here in ((first, "Firefox, Windows"), (second, "Chrome, Android")):
        devices = await browser.devices()
        assert {device["name"] for device in devices} == {"Firefox, Windows", "Chrome, Android"}
        assert [device["name"] for device in devices if device["here"]] == [here]
    before = {device["id"]: device["seen"] for device in await first.devices()}
    seat = await Seat.connect(second)
    device = await second.device()
    for _ in range(100):
        if {each["id"]: each["seen"] for each in await first.devices()}[device] > before[device]:
            break  # it is noted in the background
        await asyncio.sleep(0.02)
    else:
        raise AssertionError("that the device has come was not noted")
    await seat.close()


async def test_a_device_that_is_signed_out_is_cut_off_on_every_server_and_is_a_stranger(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    session = await first.start()
    await second.join(first)
    kept, cut = await first.open(session), await second.open(session)
    idle = await Seat.connect(second)

    await first.call("DELETE", f"devices/{await second.device()}")
    for seat in (cut, idle):
        assert await closed(seat) == (1008, "this device was signed out")
    assert await kept.ping() == kept.version, "the other device plays on"

    for origin in site.origins:
        second.origin = origin
        for method, path in (("GET", "lobby"), ("GET", f"sessions/{session.hex()}/record"), ("GET", "devices")):
            with pytest.raises(RequestRefused) as error:
                await second.call(method, path)
            assert (error.value.status, error.value.code) == (401, "no-player")
        assert await closed(await Seat.connect(second)) == (1008, "this device was signed out")
    before = second.cookies
    assert (await second.open_page())["unfinished"] == []
    assert second.cookies["shuanglu"].split(".")[0] != before["shuanglu"].split(".")[0]
    assert [device["here"] for device in await first.devices()] == [True]
    await kept.close()


async def test_a_device_can_sign_itself_out_and_the_first_device_can_be_signed_out(site: Site) -> None:
    first, second = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    session = await first.start()
    await second.join(first)
    await second.call("DELETE", f"devices/{await first.device()}")
    assert (await first.open_page())["unfinished"] == []
    assert await second.unfinished() == {session}
    await second.call("DELETE", f"devices/{await second.device()}")
    assert (await second.open_page())["unfinished"] == []


async def test_signing_out_twice_or_what_is_not_there_changes_nothing(site: Site) -> None:
    first, second, other = [await Browser.arrive(site.origin) for _ in range(3)]
    await second.join(first)
    device = await second.device()
    for wrong in ("00" * 16, "xyz", "00", await other.device()):
        with pytest.raises(RequestRefused) as error:
            await first.call("DELETE", f"devices/{wrong}")
        assert (error.value.status, error.value.code) == (404, "no-device")
    with pytest.raises(RequestRefused):
        await other.call("DELETE", f"devices/{device}")
    await first.call("DELETE", f"devices/{device}")
    await first.call("DELETE", f"devices/{device}")
    assert len(await first.devices()) == 1


async def test_a_device_that_was_signed_out_may_join_again_as_another(site: Site) -> None:
    first, second = await Browser.arrive(site.origin), await Browser.arrive(site.origin)
    session = await first.start()
    await second.join(first)
    await first.call("DELETE", f"devices/{await second.device()}")
    old = second.cookie
    await second.open_page()
    await second.join(first)
    assert await second.unfinished() == {session}
    second.cookie = old
    with pytest.raises(RequestRefused):
        await second.call("GET", "lobby")


async def test_a_cookie_from_before_there_were_devices_goes_on_as_one_device(redis_site: Site) -> None:
    first = await Browser.arrive(redis_site.origin)
    session = await first.start()
    player = first.cookies["shuanglu"].split(".")[0]
    signer = Signer(SECRET_KEY, salt="shuanglu-player", key_derivation="hmac")
    old = Browser(redis_site.origin, f"shuanglu={signer.sign(player).decode()}")
    assert await old.unfinished() == {session}
    before = old.cookie
    await old.open_page()
    assert old.cookies["shuanglu"].split(".")[0] == player
    new_form = await old.device()
    old.cookie = before
    assert await old.device() == new_form, "however often it is shown, it is the same device"

    second = await Browser.arrive(redis_site.origin)
    await second.join(old)
    await second.call("DELETE", f"devices/{new_form}")
    assert (await old.open_page())["unfinished"] == []


async def test_a_stranger_cannot_connect_at_all(site: Site) -> None:
    with pytest.raises(InvalidStatus) as error:
        await Seat.connect(Browser(site.origin, "shuanglu=" + "0" * 32 + "." + "0" * 32 + ".x"))
    assert error.value.response.status_code == 401
