"""Whatever is sent: a clear answer, and neither the session nor anybody else's is harmed."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import random
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ..conftest import Site
from ..web.frames import MALFORMED, random_frames
from .client import Refused, Seat, Visitor


@pytest.fixture
async def visitor(embedded_site: Site) -> Visitor:
    visitor = await Visitor.arrive(embedded_site.origin)
    await visitor.set_settings(pace="instant")
    return visitor


@pytest.fixture
async def seat(visitor: Visitor) -> AsyncIterator[Seat]:
    """A session in the middle of a turn; afterwards it must be as it was, and play on to its end."""
    seat = await visitor.open(await visitor.start("beginner"))
    await seat.play_on(random.Random(3), 4)
    await seat.until_mine()
    before = seat.version, seat.last, seat.view
    yield seat
    after = await Seat.connect(visitor)
    while not after.view:
        try:
            await after.hello(seat.session)
        except Refused as refused:
            # All pages of a player have one allowance, and a flood has just used it up; it fills 60 times a second.
            if refused.code != "too-fast":
                raise
        except ConnectionClosed:  # sent away for asking too often
            after = await Seat.connect(visitor)
    assert (after.version, after.last, after.view) == before
    await after.play_on(random.Random(4), 12, quick=True)
    assert after.version > before[0]
    await after.close()
    await seat.close()


async def raw(visitor: Visitor, session: bytes) -> Seat:
    """Another connection to the same session, to send nonsense on."""
    return await visitor.open(session)


async def test_each_malformed_frame_is_answered_and_the_connection_stays(visitor: Visitor, seat: Seat) -> None:
    names = iter(MALFORMED.items())
    while chunk := [pair for pair, _ in zip(names, range(15), strict=False)]:  # below the limit of a second
        other = await raw(visitor, seat.session)
        for name, frame in chunk:
            await other.socket.send(frame)
            answer = await other.receive()
            assert (answer["t"], answer["code"]) == ("error", "malformed"), (name, answer)
            assert answer["text"], name
        await other.socket.send('{"t": "ping", "n": 1}')
        assert (await other.receive())["code"] == "malformed"
        assert await other.ping() == seat.version
        await other.close()


async def test_random_bytes_by_the_wire_are_answered_each(visitor: Visitor, seat: Seat) -> None:
    frames = list(random_frames(600, seed=4))
    # All say hello first: what they then send is more than all pages of a player together may.
    others = [await raw(visitor, seat.session) for _ in range(4)]
    for number, other in enumerate(others):
        for frame in frames[150 * number : 150 * (number + 1)]:
            await other.socket.send(frame)
        answers = [await other.receive() for _ in range(150)]
        codes = {answer.get("code") for answer in answers}
        assert codes <= {None, "malformed", "too-fast", "stale", "no-session", "protocol", "not-open"}, codes
        assert "malformed" in codes
        await other.close()


async def test_who_sends_nothing_but_nonsense_is_sent_away(visitor: Visitor, seat: Seat) -> None:
    other = await raw(visitor, seat.session)
    for _ in range(400):
        await other.socket.send(b"\xc1")
    with pytest.raises(ConnectionClosed) as closed:
        await other.until(lambda _: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008


async def test_a_frame_over_the_limit_closes_the_connection_with_1009(visitor: Visitor, seat: Seat) -> None:
    for frame in (b"\x00" * 4097, b"\xff" * 1_000_000):
        other = await raw(visitor, seat.session)
        await other.socket.send(frame)
        with pytest.raises(ConnectionClosed) as closed:
            await other.until(lambda _: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
    fragments = await raw(visitor, seat.session)
    await fragments.socket.send(iter([b"\x00" * 1500] * 3))
    with pytest.raises(ConnectionClosed):
        await fragments.until(lambda _: False)
    whole = await raw(visitor, seat.session)
    await whole.socket.send(b"\x00" * 4096)
    assert (await whole.receive())["code"] == "malformed"
    await whole.close()


async def test_endless_empty_fragments_are_cut_off(visitor: Visitor, seat: Seat) -> None:
    def fragments() -> Iterator[bytes]:
        for _ in range(10_000):
            yield b""

    other = await raw(visitor, seat.session)
    with contextlib.suppress(ConnectionClosed):
        await other.socket.send(fragments())
    with pytest.raises(ConnectionClosed):
        await other.until(lambda _: False)


async def test_more_than_twenty_frames_a_second_are_too_fast_and_not_carried_out(visitor: Visitor, seat: Seat) -> None:
    other = await raw(visitor, seat.session)
    for _ in range(30):
        await other.send({"t": "ping", "n": 1})
    answers = [await other.receive() for _ in range(30)]
    kinds = [answer["t"] for answer in answers]
    assert 18 <= kinds.count("pong") <= 25
    assert all(answer["t"] == "pong" or answer["code"] == "too-fast" for answer in answers)
    move = other.command("leave")
    await other.send(move)
    with pytest.raises(Refused) as refused:
        await other.answer_to(move["id"])
    assert refused.value.code == "too-fast"
    assert "snapshot" not in refused.value.frame
    await other.close()


async def test_anothers_commands_do_not_reach_the_session(embedded_site: Site, seat: Seat) -> None:
    stranger = await Visitor.arrive(embedded_site.origin)
    other = await Seat.connect(stranger)
    with pytest.raises(Refused) as refused:
        await other.hello(seat.session, seat.version, seat.last)
    assert refused.value.code == "no-session"
    for kind in ("leave", "restart", "roll", "undo", "end", "next", "hint"):
        with pytest.raises(Refused) as refused:
            await other.acknowledged({"t": kind, "id": os.urandom(16), "base": [seat.version, seat.last]})
        assert refused.value.code == "not-open"
    await other.close()


# --- The handshake


def refusal(error: InvalidStatus) -> tuple[int, str]:
    body: Any = json.loads(error.response.body or b"{}")
    return error.response.status_code, body["error"]["code"]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://[", "http://[::1", "", "localhost", "\x80", "file://"]
)
async def test_a_foreign_origin_is_refused(visitor: Visitor, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await Seat.connect(visitor, Origin=origin.encode().decode("latin-1"))
    assert refusal(refused.value) == (403, "origin")
    for method, path in (("POST", "/api/sessions"), ("PUT", "/api/settings")):
        status, _, body = await visitor.request(method, path, {}, {"Origin": origin.encode().decode("latin-1")})
        assert (status, json.loads(body)["error"]["code"]) == (403, "origin")


def exchange(origin: str, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> tuple[int, bytes]:
    """A request as it is given, with nothing added or tidied."""
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=20)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def test_an_absent_origin_is_refused(embedded_site: Site) -> None:
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    status, body = exchange(embedded_site.origin, "GET", "/ws", upgrade)
    assert (status, json.loads(body)["error"]["code"]) == (403, "origin")
    status, body = exchange(embedded_site.origin, "POST", "/api/sessions", {"Content-Length": "2"}, b"{}")
    assert (status, json.loads(body)["error"]["code"]) == (403, "origin")


def forgeries(cookie: str) -> list[str]:
    name, _, value = cookie.partition("=")
    player, _, signature = value.partition(".")
    other = format(int(player, 16) ^ 1, "032x")
    values = (
        "",
        player,
        value[:-1],
        value + "A",
        f"{other}.{signature}",
        f"{player}.",
        f".{signature}",
        f"{player[:-2]}.{signature}",
        f"{player}.{'A' * len(signature)}",
        "k5Jx0b7vIY1m0Y3Yy9E4gmZr5iA.x",
        "é" * 40,
        '"' + player,
        "a" * 5000,
    )
    return [f"{name}={each}" for each in values] + ["", "other=1", f"Shuanglu={value}", f"{name}"]


async def test_a_forged_cookie_is_nobody(visitor: Visitor) -> None:
    for cookie in forgeries(visitor.cookie):
        forger = Visitor(visitor.origin, cookie.encode().decode("latin-1"))
        with pytest.raises(InvalidStatus) as refused:
            await Seat.connect(forger)
        assert refusal(refused.value) == (401, "no-player"), cookie
        status, headers, body = await forger.request("GET", "/api/lobby")
        assert (status, json.loads(body)["error"]["code"]) == (401, "no-player"), cookie
        assert "set-cookie" not in headers
        _, headers, _ = await forger.request("GET", "/")
        assert headers["set-cookie"].split(";")[0] != visitor.cookie


async def test_a_cookie_of_another_servers_key_is_nobody(visitor: Visitor, redis_site: Site) -> None:
    foreign = await Visitor.arrive(redis_site.origin)
    status, _, _ = await Visitor(visitor.origin, foreign.cookie).request("GET", "/api/lobby")
    assert status == 401


# --- HTTP


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"", 400),
        (b"[" * 4000, 400),
        (b'{"id":' + b"[" * 4000, 400),
        (b"\xff\xfe", 400),
        (b"x" * 5000, 413),
    ],
)
async def test_a_body_that_is_none_is_refused(visitor: Visitor, body: bytes, status: int) -> None:
    headers = {"Origin": visitor.origin, "Cookie": visitor.cookie, "Content-Length": str(len(body))}
    for method, path in (("POST", "/api/sessions"), ("PUT", "/api/settings")):
        found, answer = await asyncio.to_thread(exchange, visitor.origin, method, path, headers, body)
        assert found == status
        assert json.loads(answer)["error"]["text"]


async def test_an_endless_body_is_not_read(visitor: Visitor) -> None:
    host, _, port = visitor.origin.removeprefix("http://").partition(":")
    head = (
        f"POST /api/sessions HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {visitor.origin}\r\n"
        f"Cookie: {visitor.cookie}\r\nContent-Length: 100000000000\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(head.encode() + b"x" * 100_000)
    async with asyncio.timeout(20):
        assert b" 413 " in await reader.readline()
        await reader.read()  # and the connection is closed
    writer.transport.abort()


@pytest.mark.parametrize("method", ["DELETE", "PATCH", "POST", "PUT", "TRACE", "BREW"])
@pytest.mark.parametrize("path", ["/", "/api/lobby", "/healthz", "/api/sessions/" + "0" * 32 + "/record"])
async def test_a_method_that_is_not_for_the_path_is_refused(visitor: Visitor, method: str, path: str) -> None:
    status, _, _ = await visitor.request(method, path)
    assert status == 405


@pytest.mark.parametrize(
    "path",
    [
        "/../settings.py",
        "/..%2fsettings.py",
        "/%2e%2e/%2e%2e/settings.py",
        "/assets/../../app.py",
        "//etc/passwd",
        "/index.html",
        "/.stamp",
        "/%00",
        "/assets/",
        "/api/nothing",
        "/api/sessions/" + "0" * 32,
        "/" + "a" * 4000,
    ],
)
def test_what_is_not_a_file_of_the_page_is_not_found(embedded_site: Site, path: str) -> None:
    status, body = exchange(embedded_site.origin, "GET", path, {})
    assert status == 404
    assert b"import" not in body
    assert b"root:" not in body


@pytest.mark.parametrize("session", ["0" * 31, "0" * 33, "g" * 32, "0" * 30 + "%20%20"])
async def test_a_session_id_that_is_none_is_malformed(visitor: Visitor, session: str) -> None:
    status, _, body = await visitor.request("GET", f"/api/sessions/{session}/record")
    assert (status, json.loads(body)["error"]["code"]) == (400, "malformed")


async def test_a_connection_that_ends_within_its_body_is_no_error_of_ours(embedded_site: Site) -> None:
    visitor = await Visitor.arrive(embedded_site.origin)
    host, _, port = embedded_site.origin.removeprefix("http://").partition(":")
    head = (
        f"PUT /api/settings HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: {embedded_site.origin}\r\n"
        f"Cookie: {visitor.cookie}\r\nContent-Length: 500\r\n\r\n"
    )
    for _ in range(5):
        with socket.create_connection((host, int(port)), 5) as connection:
            connection.sendall(head.encode() + b'{"pace": ')
    assert (await visitor.lobby())["unfinished"] == []
    assert not any("Traceback" in line for line in embedded_site.server.said), "".join(embedded_site.server.said)


def test_noise_on_the_port_harms_nothing(embedded_site: Site) -> None:
    choose = random.Random(6)
    host, _, port = embedded_site.origin.removeprefix("http://").partition(":")
    for _ in range(30):
        with socket.create_connection((host, int(port)), 5) as connection:
            connection.sendall(choose.randbytes(200))
    assert exchange(embedded_site.origin, "GET", "/healthz", {})[0] == 200
    assert not any("Traceback" in line for line in embedded_site.server.said), "".join(embedded_site.server.said)
