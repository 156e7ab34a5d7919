"""What must stay secret is in no log and no address, and nobody can tell which sessions exist."""

from __future__ import annotations

import base64
import os
import random
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Request

from gameserver.session.ids import PlayerId, SessionId
from gameserver.store import EmbeddedStore, Store
from gameserver.web.rooms import Rooms

from ..browser.conftest import NewContext
from ..browser.hands import action, open_page
from ..conftest import Site
from ..devices.visitors import Browser
from ..processes.programs import Redis, running
from ..protocol.client import Refused, Seat
from ..web.conftest import begin

KEY = "the key of the test that looks for secrets in what is logged"
PASSWORD = "the-password-of-the-store"


def spellings(secret: bytes) -> set[str]:
    """How bytes may be written in a log."""
    return {secret.hex(), secret.hex().upper(), repr(secret)[2:-1], base64.b64encode(secret).decode().rstrip("=")}


async def test_nothing_secret_is_logged_while_a_game_is_played_and_a_device_joins(tmp_path: Path) -> None:
    variables = {"DATA_DIR": str(tmp_path), "SECRET_KEY": KEY, "LOG_LEVEL": "debug"}
    with running("play", **variables) as program:
        origin = program.address()
        first, second = await Browser.arrive(origin), await Browser.arrive(origin)
        await first.set_settings(pace="instant")
        session = await first.start("beginner", position="XGID=-AAB--------------------d-:0:0:1:00:0:0:0:0:10")
        seat = await first.open(session)
        await seat.play_on(random.Random(5), quick=True)
        await second.start()
        code = await first.invite()
        await second.ask(code, "leave")
        await first.answer(code, approve=True)
        cookies = [first.cookie, second.cookie]
        await second.fetch_answer(code)
        cookies.append(second.cookie)
        fairness = seat.view["fairness"]
        assert seat.view["result"] is not None
        await seat.close()
        await first.call("DELETE", f"devices/{await second.device()}")
        # And what goes wrong is no reason to say more.
        for path in ("/api/sessions/zz/record", f"/api/sessions/{session.hex()}/record", "/api/nothing"):
            await first.request("GET", path)
            await second.request("GET", path)
        await second.request("POST", "/api/devices/join", {"code": code, "games": "bring"})
        commands = [os.urandom(5)]
        broken = await Seat.connect(first)
        await broken.socket.send(b"\xc1" + commands[0])
        await broken.receive()
        await broken.close()
        program.stop()
        logged = "".join(program.said)

    assert session.hex() in logged, "the log at this level tells of the session"
    secrets = {KEY, code, code.replace("-", "")}
    for cookie in cookies:
        for pair in cookie.split("; "):
            value = pair.split("=", 1)[1]
            secrets |= {value, value.rsplit(".", 1)[1]}
    for name in ("secret", "seed"):
        secrets |= spellings(fairness[name])
    assert {secret for secret in secrets if secret in logged} == set()


async def test_the_secret_of_a_game_in_progress_is_told_to_nobody(embedded_site: Site) -> None:
    player = await Browser.arrive(embedded_site.origin)
    session = await player.start()
    seat = await player.open(session)
    received: list[bytes] = []
    for _ in range(8):
        await seat.step(random.Random(1))
    async with Store(EmbeddedStore(Path(embedded_site.variables["DATA_DIR"])).url) as store:
        secret = await store.log.secret(session, 1)
        assert secret is not None
        received += [entry.payload for entry in await store.log.read(session)]
    received.append(await player.record(session))
    received.append(repr((seat.view, seat.frames, seat.heard)).encode())
    for written in spellings(secret):
        assert not any(written.encode() in each for each in received)
    assert not any(secret in each for each in received)
    await seat.close()


async def test_the_address_of_the_store_keeps_its_password_when_it_cannot_be_reached() -> None:
    url = f"redis://somebody:{PASSWORD}@127.0.0.1:1/0"
    with running("serve", REDIS_URL=url, SECRET_KEY=KEY, LOG_LEVEL="debug") as program:
        browser = Browser(program.address())
        await browser.request("GET", "/")
        status, _, answer = await browser.request("GET", "/readyz")
        assert status == 503
        await browser.request("GET", "/api/lobby")
        program.stop()
        said = "".join(program.said) + answer.decode()
    assert said
    assert PASSWORD not in said
    assert KEY not in said


async def test_a_code_is_not_in_the_store_but_by_its_fingerprint(tmp_path: Path) -> None:
    redis = Redis(tmp_path)
    redis.start()
    with running("serve", REDIS_URL=redis.url, SECRET_KEY=KEY) as program:
        origin = program.address()
        first, second = await Browser.arrive(origin), await Browser.arrive(origin)
        code = await first.invite()
        await second.ask(code)
        async with Store(redis.url) as store:
            keys = await store.commands.call("any", "KEYS", "*")
            assert any(b"invitation" in key for key in keys)
            contents = [await store.commands.call("any", "DUMP", key) for key in keys]
    redis.kill()
    for form in (code, code.replace("-", "")):
        assert not any(form.encode() in each for each in (*keys, *contents))


async def test_somebody_elses_session_is_answered_like_one_that_never_was(site: Site) -> None:
    owner, stranger = await Browser.arrive(site.origins[0]), await Browser.arrive(site.origins[-1])
    there = await owner.start()
    watched = await owner.open(there)
    seat = await Seat.connect(stranger)
    answers = []
    for session in (there, os.urandom(16)):
        with pytest.raises(Refused) as refused:
            await seat.hello(session)
        _, _, record = await stranger.request("GET", f"/api/sessions/{session.hex()}/record")
        answers.append((refused.value.frame, record, await seat.ping()))
    assert answers[0] == answers[1]
    assert answers[0][0]["code"] == "no-session"
    await watched.close()
    await seat.close()


async def test_the_store_is_asked_as_often_about_either(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as embedded:
        async with Store(embedded.url) as store:
            rooms = Rooms(store, lambda: 0, lambda: bytes(32))
            owner, stranger = PlayerId(os.urandom(16)), PlayerId(os.urandom(16))
            there = await begin(rooms, owner)
            assert await rooms.find(owner, there) is not None  # in this server's memory, too
            asked = []
            for session in (there, SessionId(os.urandom(16))):
                before = store.commands.pipelines
                assert await rooms.find(stranger, session) is None
                asked.append(store.commands.pipelines - before)
            assert asked == [1, 1]


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_a_code_is_in_no_address_that_is_asked_for(embedded_site: Site, new_context: NewContext) -> None:
    contexts = [await new_context(), await new_context()]
    asked: list[Request] = []
    for context in contexts:
        context.on("request", lambda request: asked.append(request))  # noqa: PLW0108 - playwright marks what it is given
    first = await open_page(contexts[0], embedded_site.origin)
    await action(first, "devices").click()
    await action(first, "invite").click()
    code = await first.locator("[data-code]").get_attribute("data-code")
    assert code is not None
    second = await contexts[1].new_page()
    await second.goto(f"{embedded_site.origin}/#join={code}")
    await action(second, "join").click()
    await second.locator("[data-check]").wait_for()
    assert {urlsplit(request.url).path for request in asked} >= {"/", "/api/devices/join", "/api/devices/asker"}
    for request in asked:
        on_the_wire = urlsplit(request.url)._replace(fragment="").geturl()
        assert code not in on_the_wire
        assert not request.headers.get("referer")
