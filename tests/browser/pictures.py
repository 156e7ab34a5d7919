"""Pictures of the page: kept small, and compared in a way that other fonts pass and a missing mark does not.

A picture is compared by the mean colour of its cells of 16 pixels. On the board, where no text stands, a cell may hardly
differ; where text stands it may differ by what another font does to it. The controls are compared by their places.
"""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from playwright.async_api import Page

CELL: Final = 16
ON_BOARD: Final = 9.0
"""Largest difference of a cell's mean colour, 0-255, where no text stands."""
ELSEWHERE: Final = 70.0
"""The same where text stands, or may stand in another font."""
SLIGHT: Final = 8.0
FEW: Final = 0.25
"""The part of those that hold anything which may differ by more than a slight amount."""
EMPTY: Final = 4.0
"""A cell this near to the picture's commonest colour holds nothing."""
FONTS: Final = 24
"""So many pixels another font may move or stretch a control."""
COLOURS: Final = 96

Cells = NDArray[np.float64]

DECODE: Final = """async png => {
    const bytes = Uint8Array.from(atob(png), sign => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }), { colorSpaceConversion: "none" });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return { width: bitmap.width, height: bitmap.height, data: context.getImageData(0, 0, bitmap.width, bitmap.height).data };
}"""

MEANS: Final = f"""async png => {{
    const {{ width, height, data }} = await ({DECODE})(png);
    const rows = Math.ceil(height / {CELL}), columns = Math.ceil(width / {CELL});
    const sums = new Float64Array(rows * columns * 4);
    for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {{
        const from = 4 * (y * width + x), to = 4 * (Math.floor(y / {CELL}) * columns + Math.floor(x / {CELL}));
        for (let i = 0; i < 3; i++) sums[to + i] += data[from + i];
        sums[to + 3]++;
    }}
    const means = [];
    for (let at = 0; at < sums.length; at += 4) for (let i = 0; i < 3; i++) means.push(Math.round(sums[at + i] / sums[at + 3]));
    return {{ rows, columns, means }};
}}"""

RAW: Final = f"""async png => {{
    const {{ width, height, data }} = await ({DECODE})(png);
    let text = "";
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768));
    return {{ width, height, data: btoa(text) }};
}}"""

AREAS: Final = """() => {
    const box = ({ x, y, width, height }) => [x, y, width, height];
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const each of range.getClientRects()) texts.push(box(each));
    }
    // What lies over the board or beside it in words moves with them.
    for (const each of document.querySelectorAll(".over, dialog, .record-sheet")) texts.push(box(each.getBoundingClientRect()));
    const controls = {};
    for (const each of document.querySelectorAll("button, input, main .board, .over, .prompt, .scores")) {
        const [kind, value] = Object.entries(each.dataset)[0] ?? ["class", each.getAttribute("class")];
        if (each.checkVisibility()) controls[`${kind} ${value}`] ??= box(each.getBoundingClientRect()).map(Math.round);
    }
    return { controls, boards: [...document.querySelectorAll("svg.board")].map(each => box(each.getBoundingClientRect())), texts };
}"""


@dataclass(frozen=True)
class Areas:
    """Boxes (x, y, width, height) in CSS pixels: boards, text, and controls by name."""

    boards: list[list[float]]
    texts: list[list[float]]
    controls: dict[str, list[int]]


async def areas_of(page: Page) -> Areas:
    return Areas(**await page.evaluate(AREAS))


async def cells(viewer: Page, png: bytes) -> Cells:
    """Mean colours of a picture's cells; `viewer` is any page whose scripts may be evaluated."""
    found: dict[str, Any] = await viewer.evaluate(MEANS, base64.b64encode(png).decode())
    return np.array(found["means"], float).reshape(found["rows"], found["columns"], 3)


def differences(kept: Cells, seen: Cells, areas: Areas) -> list[str]:
    """What tells the two pictures apart; empty where they are taken for the same."""
    if kept.shape != seen.shape:
        return [f"the kept picture has {kept.shape} cells, this one {seen.shape}"]
    strict = _mask(areas.boards, kept.shape, pad=0) & ~_mask(areas.texts, kept.shape, pad=4)
    apart = np.abs(kept - seen).max(axis=2)
    found = [
        f"board, cell at {column * CELL}, {row * CELL}: {apart[row, column]:.0f} apart"
        for row, column in np.argwhere(strict & (apart > ON_BOARD))
    ]
    loose = apart[~strict]
    if loose.max() > ELSEWHERE:
        found.append(f"beside the board a cell is {loose.max():.0f} apart")
    holding = max(1, int(_holds_something(kept)[~strict].sum()))
    if (part := float((loose > SLIGHT).sum() / holding)) > FEW:
        found.append(f"beside the board {part:.0%} of the cells are apart")
    return found


def _holds_something(picture: Cells) -> NDArray[np.bool_]:
    colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    holds: NDArray[np.bool_] = np.abs(picture - colours[counts.argmax()]).max(axis=2) > EMPTY
    return holds


def displaced(kept: dict[str, list[int]], seen: dict[str, list[int]]) -> list[str]:
    """Controls that are there in one of two pictures only, or stand elsewhere than another font would put them."""
    found = [f"{name} is there only once" for name in sorted(kept.keys() ^ seen.keys())]
    return found + [
        f"{name} stood at {kept[name]}, and now at {seen[name]}"
        for name in sorted(kept.keys() & seen.keys())
        if max(abs(a - b) for a, b in zip(kept[name], seen[name], strict=True)) > FONTS
    ]


def _mask(boxes: list[list[float]], shape: tuple[int, ...], pad: int) -> NDArray[np.bool_]:
    mask = np.zeros(shape[:2], bool)
    for x, y, width, height in boxes:
        top, left = max(0, int((y - pad) // CELL)), max(0, int((x - pad) // CELL))
        mask[top : int((y + height + pad) // CELL) + 1, left : int((x + width + pad) // CELL) + 1] = True
    return mask


async def smaller(viewer: Page, png: bytes) -> bytes:
    """The same picture with at most `COLOURS` colours, as a PNG with a palette."""
    found: dict[str, Any] = await viewer.evaluate(RAW, base64.b64encode(png).decode())
    pixels = np.frombuffer(base64.b64decode(found["data"]), np.uint8).reshape(-1, 4)[:, :3].astype(np.int64)
    packed = pixels[:, 0] << 16 | pixels[:, 1] << 8 | pixels[:, 2]
    colours, inverse, counts = np.unique(packed, return_inverse=True, return_counts=True)
    rgb = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    palette = rgb[_spread(rgb, counts)]
    nearest = np.abs(rgb[:, None, :] - palette[None, :, :]).sum(axis=2).argmin(axis=1).astype(np.uint8)
    return _png(found["width"], found["height"], palette, nearest[inverse])


def _spread(rgb: NDArray[np.int64], counts: NDArray[np.int64]) -> list[int]:
    """Indices of a palette: each next colour is the one that is worst served so far, by distance and frequency."""
    chosen = [int(counts.argmax())]
    distance = np.abs(rgb - rgb[chosen[0]]).sum(axis=1)
    while len(chosen) < COLOURS:
        worst = int((distance * np.sqrt(counts)).argmax())
        if distance[worst] == 0:
            break
        chosen.append(worst)
        distance = np.minimum(distance, np.abs(rgb - rgb[worst]).sum(axis=1))
    return chosen


def _png(width: int, height: int, palette: NDArray[np.int64], indices: NDArray[np.uint8]) -> bytes:
    rows = np.zeros((height, width + 1), np.uint8)  # each row begins with its filter: none
    rows[:, 1:] = indices.reshape(height, width)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in (
            (b"IHDR", header),
            (b"PLTE", palette.astype(np.uint8).tobytes()),
            (b"IDAT", zlib.compress(rows.tobytes(), 9)),
            (b"IEND", b""),
        )
    )
