"""The server at its limit against two of its own parts, interleaved: the same server without the store, and the bare
websocket under it (an echo of 60 bytes on the same uvicorn), each for each second of the server's processor time.

    python -m loadtests.limit [--rounds 3] [--seconds 8] [--sessions 400]

The echo tells machines apart: divide by it before comparing with figures from another one.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import socket
import statistics
import sys
import time
from collections.abc import Iterator

import uvicorn
import uvloop
from starlette.types import Receive, Scope, Send

from loadtests.generator import Wire
from loadtests.saturation import measure
from loadtests.site import Site, house
from tests.processes.programs import Program, kept

ECHOED = b"e" * 60
CONNECTIONS = 200


class Echo(Program):
    """This file, serving its echo."""

    module = "loadtests.limit"


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application that sends back what it gets."""
    if scope["type"] != "websocket":
        return
    while True:
        message = await receive()
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        elif message["type"] == "websocket.receive":
            await send({"type": "websocket.send", "bytes": message["bytes"]})
        else:
            return


def serve_echo() -> None:
    """Serve the echo, and print its address."""
    config = uvicorn.Config(
        echo, ws="websockets-sansio", ws_per_message_deflate=False, lifespan="off", log_level="error"
    )
    listening = socket.create_server(("127.0.0.1", 0), backlog=CONNECTIONS)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
    uvicorn.Server(config).run([listening])


@contextlib.contextmanager
def echo_site() -> Iterator[Site]:
    """The echo as a site."""
    with kept(Echo("echo")) as program:
        yield Site((program.address(),), {"server": program.pid}, "")


async def count_echoes(running: Site, seconds: float) -> float:
    """Echoes for each second of the server's processor time; each connection sends when it has heard."""
    heard = 0
    wires: list[Wire] = []

    async def connect() -> None:
        def on_frame(_: bytes) -> None:
            nonlocal heard
            heard += 1
            wire.send(ECHOED)

        wire = await Wire.connect(running.origin, "", on_frame, lambda: None)
        wires.append(wire)
        wire.send(ECHOED)

    await asyncio.gather(*(connect() for _ in range(CONNECTIONS)))
    await asyncio.sleep(0.5)
    before, already = running.cpu_seconds()["server"], heard
    await asyncio.sleep(seconds)
    count, spent = heard - already, running.cpu_seconds()["server"] - before
    for wire in wires:
        wire.close()
    return count / spent


def main() -> None:
    if sys.argv[1:] == ["echo"]:
        serve_echo()
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--sessions", type=int, default=400)
    parsed = parser.parse_args()
    found: dict[str, list[float]] = {"echoes": [], "without the store": [], "with the store": []}
    for _ in range(parsed.rounds):
        with echo_site() as running:
            found["echoes"].append(uvloop.run(count_echoes(running, parsed.seconds / 2)))
        for name, with_store in (("without the store", False), ("with the store", True)):
            with house(with_store=with_store) as running:
                print(f"-- {name}", flush=True)
                began = time.perf_counter()
                result = uvloop.run(measure(running, parsed.sessions, parsed.seconds, 0.0, 2))
                found[name].append(result)
                print(f"   ({time.perf_counter() - began:.0f} s)", flush=True)
    for name, values in found.items():
        spread = ", ".join(f"{value:,.0f}" for value in values)
        print(f"{name}: {statistics.median(values):,.0f} per CPU-second of the server ({spread})")
    durable, bare = statistics.median(found["with the store"]), statistics.median(found["without the store"])
    print(f"with the store / without: {durable / bare:.2f}")
    print(f"with the store / echoes: {durable / statistics.median(found['echoes']):.3f}")
    print(f"processors: {os.cpu_count()}, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
