"""Draws the icons of the page into public/: the double six from which the game has its name.

    python clients/web/icons/draw.py

Needs playwright and a Chromium (the environment variable CHROMIUM, else `chromium` on PATH, else playwright's own).
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parent.parent / "public"
WALNUT, IVORY, EDGE, INK = "#563e2f", "#f8f1e2", "#c9b897", "#2a231c"

ICONS = (("180", 180, False), ("192", 192, True), ("512", 512, True), ("maskable", 512, False))


def die(x: float, y: float, turn: float) -> str:
    pips = "".join(f'<circle cx="{column}" cy="{row}" r="10.5"/>' for column in (-27, 27) for row in (-42, 0, 42))
    return (
        f'<g transform="translate({x} {y}) rotate({turn})">'
        f'<rect x="-74" y="-74" width="148" height="148" rx="32" fill="{EDGE}"/>'
        f'<rect x="-74" y="-78" width="148" height="146" rx="32" fill="{IVORY}"/>'
        f'<g fill="{INK}" transform="translate(0 -5)">{pips}</g></g>'
    )


def icon(rounded: bool) -> str:
    """The icon on a 512 grid; not rounded where the system cuts it to a shape of its own (safe zone: 80 %)."""
    corner = 112 if rounded else 0
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><title>双陆</title>'
        f'<rect width="512" height="512" rx="{corner}" fill="{WALNUT}"/>'
        f"{die(188, 218, -9)}{die(326, 300, 8)}</svg>"
    )


def main() -> None:
    PUBLIC.mkdir(exist_ok=True)
    (PUBLIC / "icon.svg").write_text(icon(rounded=True) + "\n")
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, size, rounded in (
            ("180", 180, False),
            ("192", 192, True),
            ("512", 512, True),
            ("maskable", 512, False),
        ):
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>{icon(rounded)}")
            page.screenshot(path=PUBLIC / f"icon-{name}.png", omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
