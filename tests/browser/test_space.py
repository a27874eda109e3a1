"""The app in a Space: a frame of another site, with the settings of deploy/space/Dockerfile."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import serve

DOCKERFILE = (Path(__file__).parents[2] / "deploy" / "space" / "Dockerfile").read_text(encoding="utf-8")


@contextmanager
def framed(address: str) -> Iterator[str]:
    """The address of another site (localhost, not 127.0.0.1) that shows this one in a frame."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<iframe src="{address}" width="1200" height="850"></iframe>'.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.mark.thorough("settings0")
@pytest.mark.slow
@pytest.mark.parametrize("settings", [dict(re.findall(r"\b(STREAMLIT_\w+)=(\S+)", DOCKERFILE)), {}])
def test_a_file_can_be_uploaded_in_a_frame_only_with_the_settings_of_a_space(fresh, monkeypatch, settings):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    address, process = serve(f"space-{len(settings)}")
    with framed(f"{address}/pairs?pairs_number=many") as site:
        fresh.page.goto(site)
        app = fresh.page.frame_locator("iframe")
        app.get_by_text("Upload a table", exact=True).click()
        field = app.get_by_test_id("stFileUploader").locator("visible=true")
        table = {"name": "pairs.csv", "mimeType": "text/csv", "buffer": b"first,second\nIt rained.,We got wet.\n"}
        field.locator("input").set_input_files(table)
        if settings:
            expect(field).to_have_count(0)  # it closes once a file was read
        else:
            expect(field.get_by_text("403")).to_be_visible()
    process.kill()
    process.wait()
