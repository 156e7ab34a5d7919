"""The real processes of a run: servers and workers on a store, and an nginx before the servers where one is wanted."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from ..processes.programs import SECRET_KEY, Program, free_port
from ..store.servers import wait_until

SERVERS = 2
WORKERS = 2
DRAIN_WITHIN = 10.0


class Child(Program):
    """A program with a clock that can jump, and without a bound of commands a second."""

    module = "tests.faults.launcher"


class Site:
    """Two servers and two workers. Each can be ended and started again where it was."""

    def __init__(self, store_url: str, **variables: str) -> None:
        self._variables = {"REDIS_URL": store_url, "SECRET_KEY": SECRET_KEY, "LOG_LEVEL": "error", **variables}
        self.ports = [free_port() for _ in range(SERVERS)]
        self.servers: list[Child] = []
        self.workers: list[Child] = []
        self.origins = [f"http://127.0.0.1:{port}" for port in self.ports]

    def start(self) -> None:
        self.servers = [self._server(number) for number in range(SERVERS)]
        self.workers = [self._worker() for _ in range(WORKERS)]
        for server in self.servers:
            server.address()

    def stop(self) -> None:
        for program in (*self.servers, *self.workers):
            if program.runs:
                program.kill()

    def _server(self, number: int) -> Child:
        return Child("serve", PORT=str(self.ports[number]), **self._variables)

    def _worker(self) -> Child:
        return Child("computer", **self._variables)

    # These block until the new process serves.

    def kill_server(self, number: int) -> None:
        self.servers[number].kill()
        self._restart_server(number)

    def replace_server(self, number: int) -> float:
        """Stop a server in order and start another in its place; how long the old one took, in seconds."""
        began = time.monotonic()
        self.servers[number].stop()
        took = time.monotonic() - began
        self._restart_server(number)
        return took

    def _restart_server(self, number: int) -> None:
        self.servers[number] = self._server(number)
        self.servers[number].address()

    def kill_worker(self, number: int) -> None:
        self.workers[number].kill()
        self.workers[number] = self._worker()


@contextlib.asynccontextmanager
async def site(store_url: str, **variables: str) -> AsyncIterator[Site]:
    """A running site."""
    made = Site(store_url, **variables)
    try:
        await asyncio.to_thread(made.start)
        yield made
    finally:
        await asyncio.to_thread(made.stop)


NGINX = """
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log {directory}/error.log;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    upstream servers {{
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://servers;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection "upgrade";
            proxy_connect_timeout 1s;
            proxy_next_upstream error timeout;
        }}
    }}
}}
"""


@contextlib.contextmanager
def nginx(directory: Path, ports: list[int]) -> Iterator[str]:
    """A real nginx before these servers; its origin."""
    binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if binary is None:
        pytest.skip("nginx is not installed")
    directory.mkdir()
    port = free_port()
    servers = "\n        ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports)
    config = directory / "nginx.conf"
    config.write_text(NGINX.format(directory=directory, port=port, servers=servers))
    process = subprocess.Popen([binary, "-p", str(directory), "-c", str(config)], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _listens(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False
