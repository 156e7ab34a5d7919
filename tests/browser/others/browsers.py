"""Two browsers behind one small interface: open a page, evaluate in it, click and drag at places of the window."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from websockets.sync.client import ClientConnection, connect

from ...processes.programs import free_port

PATIENCE: Final = 120.0
WIDTH, HEIGHT = 1200, 860
Place = tuple[int, int]
T = TypeVar("T")


class Browser(Protocol):
    @property
    def name(self) -> str: ...
    def open(self, address: str) -> None: ...
    def evaluate(self, expression: str) -> Any: ...
    def click(self, x: int, y: int) -> None: ...
    def drag(self, source: Place, choose_target: Callable[[], Place]) -> None: ...


def _press(x: int, y: int) -> list[dict[str, Any]]:
    return [{"type": "pointerMove", "x": x, "y": y, "duration": 0}, {"type": "pointerDown", "button": 0}]


def _move(x: int, y: int) -> dict[str, Any]:
    return {"type": "pointerMove", "x": x, "y": y, "duration": 20}


RELEASE: Final = {"type": "pointerUp", "button": 0}


class _Pointer:
    """Clicks and drags, made of W3C actions."""

    def perform(self, actions: list[dict[str, Any]]) -> None:
        raise NotImplementedError

    @staticmethod
    def mouse(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions}]

    def click(self, x: int, y: int) -> None:
        self.perform([*_press(x, y), RELEASE])

    def drag(self, source: Place, choose_target: Callable[[], Place]) -> None:
        x, y = source
        self.perform([*_press(x, y), _move(x + 8, y + 8)])
        to_x, to_y = choose_target()
        self.perform([_move((x + to_x) // 2, (y + to_y) // 2), _move(to_x, to_y), RELEASE])


# --- Firefox: WebDriver BiDi


class Firefox(_Pointer):
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        capabilities = self._call("session.new", capabilities={})["capabilities"]
        self.name = f"Firefox {capabilities['browserVersion']}"
        self._context: str = self._call("browsingContext.getTree")["contexts"][0]["context"]
        self._call("browsingContext.setViewport", context=self._context, viewport={"width": WIDTH, "height": HEIGHT})

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv(PATIENCE))
            if answer.get("id") == self._number:
                assert answer["type"] == "success", f"{method}: {answer.get('message')}"
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, address: str) -> None:
        self._call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        result = self._call(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._context},
            awaitPromise=False,
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self._call("input.performActions", context=self._context, actions=self.mouse(actions))


@contextlib.contextmanager
def firefox(directory: Path) -> Iterator[Browser]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        raise OSError("firefox is not installed")
    profile = directory / "firefox"
    profile.mkdir()
    # Nothing of the browser's own goes to the network.
    (profile / "user.js").write_text(
        "".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
            for name, value in {
                "app.update.enabled": False,
                "browser.safebrowsing.malware.enabled": False,
                "browser.safebrowsing.phishing.enabled": False,
                "datareporting.policy.dataSubmissionEnabled": False,
                "network.captive-portal-service.enabled": False,
                "network.connectivity-service.enabled": False,
                "services.settings.server": "data:,",
            }.items()
        )
    )
    port = free_port()
    command = [program, "--headless", "--no-remote", "--profile", str(profile), f"--remote-debugging-port={port}"]
    log = (directory / "firefox.log").open("w")
    environment = {**os.environ, "HOME": str(directory), "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
    process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    try:
        # An Origin header would be taken for a page's.
        socket = _patiently(lambda: connect(f"ws://127.0.0.1:{port}/session", max_size=None, origin=None), process)
        with socket:
            yield Firefox(socket)
    finally:
        _end(process)
        log.close()


# --- WebKit: W3C WebDriver


class WebKit(_Pointer):
    def __init__(self, address: str, browser: str) -> None:
        self._address = address
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": {"binary": browser, "args": ["--automation"]}}}
        session = self._call("POST", "/session", {"capabilities": wanted})
        self._session = f"/session/{session['sessionId']}"
        capabilities = session["capabilities"]
        self.name = f"WebKit ({capabilities['browserName']} {capabilities['browserVersion']})"
        self._call("POST", f"{self._session}/window/rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT})

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._address + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from None

    def open(self, address: str) -> None:
        self._call("POST", f"{self._session}/url", {"url": address})

    def evaluate(self, expression: str) -> Any:
        script = {"script": f"return JSON.stringify({expression})", "args": []}
        return json.loads(self._call("POST", f"{self._session}/execute/sync", script))

    def perform(self, actions: list[dict[str, Any]]) -> None:
        self._call("POST", f"{self._session}/actions", {"actions": self.mouse(actions)})

    def close(self) -> None:
        self._call("DELETE", self._session)


@contextlib.contextmanager
def webkit(directory: Path) -> Iterator[Browser]:
    driver, display = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
    browsers = [
        path for folder in ("/usr/lib", "/usr/libexec") for path in Path(folder).rglob("MiniBrowser") if path.is_file()
    ]
    if driver is None or display is None or not browsers:
        raise OSError("WebKitWebDriver, Xvfb and GTK's MiniBrowser are needed (webkit2gtk-driver, xvfb)")
    port = free_port()
    log = (directory / "webkit.log").open("w")
    with contextlib.ExitStack() as stack:
        stack.callback(log.close)
        read, write = os.pipe()
        screen = subprocess.Popen(
            [display, "-displayfd", str(write), "-screen", "0", "1280x960x24", "-nolisten", "tcp"],
            pass_fds=(write,),
            stdout=log,
            stderr=log,
        )
        os.close(write)
        stack.callback(_end, screen)
        with os.fdopen(read) as told:
            number = re.sub(r"\D", "", told.readline())
        environment = {
            **os.environ,
            "DISPLAY": f":{number}",
            "HOME": str(directory),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }
        command = [driver, "--host=127.0.0.1", f"--port={port}"]
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        stack.callback(_end, process)
        address = f"http://127.0.0.1:{port}"
        _patiently(lambda: urllib.request.urlopen(f"{address}/status", timeout=5).close(), process)
        browser = WebKit(address, str(browsers[0]))
        stack.callback(browser.close)
        yield browser


def _patiently(attempt: Callable[[], T], process: subprocess.Popen[bytes]) -> T:
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            return attempt()
        except OSError:
            if process.poll() is not None or time.monotonic() > ends:
                raise
            time.sleep(0.1)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
