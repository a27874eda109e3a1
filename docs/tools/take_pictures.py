"""Write docs/pictures: the pages of the tour, and Rome becoming French as a moving picture, in Chromium.

python docs/tools/take_pictures.py

The checksum of the model's weights is stored in each picture, so that a test can tell when it shows other weights.
"""

import contextlib
import io
import shutil
import socket
import struct
import subprocess
import sys
import time
import urllib.request
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TARGET = ROOT / "docs" / "pictures"
KEYWORD = b"weights"
PAGES = {
    "home": ("", "Your words on a map"),
    "arithmetic": ("arithmetic", "the whole formula"),
    "clusters": ("clusters", "the nearest word is in the same group"),
    "layers": ("layers", "BERT separates"),
    "evidence": ("evidence", "The edit makes the new word"),
}
"""The pictures of the tour: an address, and a text that is on the page when it is complete."""
STRENGTHS = [*range(0, 101, 10)]
"""Percentages of the edit in the moving picture."""
FILM = (700, 340)
"""Its width and height."""


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Start the app on a free port; its address. The server stops at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--server.headless=true", "--server.address=127.0.0.1", f"--server.port={port}"]
    process = subprocess.Popen([sys.executable, "-m", "streamlit", "run", "app.py", *options], cwd=ROOT)
    address = f"http://127.0.0.1:{port}"
    try:
        while process.poll() is None and not answers(address):
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait()


def answers(address: str) -> bool:
    """Whether the server is ready."""
    with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
        return True
    return False


@contextlib.contextmanager
def opened(**options: Any) -> Iterator[Any]:
    """A page of Chromium without motion."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser.new_page(reduced_motion="reduce", **options)
        browser.close()


def taken(page: Any, address: str, complete: str) -> bytes:
    """Return the PNG of a page at desktop size, when this text is on it."""
    from playwright.sync_api import expect

    page.goto(address)
    expect(page.get_by_text(complete).first).to_be_visible(timeout=120_000)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(3_000)  # until fonts and figures have their final size
    picture: bytes = page.screenshot()
    return picture


def moving(page: Any, address: str) -> list[bytes]:
    """Return the PNGs of the headline and the answers on Arithmetic, at each strength of the edit."""
    frames = []
    for strength in STRENGTHS:
        page.goto(f"{address}/arithmetic?arithmetic_strength={strength / 100}")
        page.wait_for_selector(".st-key-chart-answers .main-svg", timeout=120_000)
        page.wait_for_timeout(3_000)  # until its bars have grown
        above, chart = (page.locator(place).first.bounding_box() for place in ("h2", ".st-key-chart-answers"))
        top, bottom = above["y"] - 8, chart["y"] + chart["height"] + 8
        clip = {"x": chart["x"] - 8, "y": top, "width": FILM[0], "height": min(bottom - top, FILM[1])}
        frames.append(page.screenshot(clip=clip))
    return frames


def film(frames: list[bytes], checksum: str) -> bytes:
    """Return an animated GIF of PNGs, with the checksum as its comment; the first and the last frame stay longer."""
    from PIL import Image

    small = [Image.new("RGB", FILM, "white") for _ in frames]
    for picture, frame in zip(small, frames, strict=True):
        picture.paste(Image.open(io.BytesIO(frame)).convert("RGB"), (0, 0))
    small = [picture.quantize(64) for picture in small]
    out, waits = io.BytesIO(), [1_500, *[250] * (len(small) - 2), 2_500]
    small[0].save(out, "GIF", save_all=True, append_images=small[1:], duration=waits, loop=0, comment=checksum.encode())
    return out.getvalue()


def marked(picture: bytes, checksum: str) -> bytes:
    """Return a PNG with the checksum as its text `weights` (a tEXt chunk directly before its last one, IEND)."""
    content = KEYWORD + b"\0" + checksum.encode("ascii")
    body = b"tEXt" + content
    chunk = struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    return picture[:-12] + chunk + picture[-12:]


def main() -> None:
    """Take all pictures and write them."""
    sys.path.insert(0, str(ROOT))
    from embtools.models.loading import load_model

    checksum = load_model().checksum
    TARGET.mkdir(exist_ok=True)
    with served() as address, opened(viewport={"width": 1440, "height": 900}) as page:
        for name, (path, complete) in PAGES.items():
            picture = taken(page, f"{address}/{path}", complete)
            (TARGET / f"{name}.png").write_bytes(marked(picture, checksum))
        (TARGET / "rome.gif").write_bytes(film(moving(page, address), checksum))


if __name__ == "__main__":
    main()
