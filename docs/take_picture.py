"""Write docs/arithmetic.png, the picture in the README: the first example of Arithmetic in Chromium.

python docs/take_picture.py

The checksum of the model's weights is stored in the picture, so that a test can tell when it shows other weights.
"""

import contextlib
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

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "arithmetic.png"
KEYWORD = b"weights"


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


def taken(address: str) -> bytes:
    """Return the PNG of Arithmetic's first example at desktop size, when its controls are drawn too."""
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(f"{address}/arithmetic")
        expect(page.get_by_text("the whole formula").first).to_be_visible(timeout=120_000)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(3_000)  # until fonts and figures have their final size
        picture = page.screenshot()
        browser.close()
    return picture


def marked(picture: bytes, checksum: str) -> bytes:
    """Return a PNG with the checksum as its text `weights` (a tEXt chunk directly before its last one, IEND)."""
    content = KEYWORD + b"\0" + checksum.encode("ascii")
    body = b"tEXt" + content
    chunk = struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))
    return picture[:-12] + chunk + picture[-12:]


def checksum_in(picture: bytes) -> str:
    """Return the checksum that `marked` stored in a PNG, or an empty text."""
    _, found, rest = picture.partition(b"tEXt" + KEYWORD + b"\0")
    return rest[:64].decode("ascii") if found else ""


def main() -> None:
    """Take the picture and write it."""
    sys.path.insert(0, str(ROOT))
    from embtools.models.loading import load_model

    with served() as address:
        TARGET.write_bytes(marked(taken(address), load_model().checksum))
    print(f"Wrote {TARGET.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
