"""The app in a Space: a frame of another site, with the settings of deploy/space/Dockerfile."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import serve

DOCKERFILE = (Path(__file__).parents[2] / "deploy" / "space" / "Dockerfile").read_text(encoding="utf-8")
SITE = "http://localhost/"  # another site than 127.0.0.1, where the app is


@pytest.mark.slow
@pytest.mark.parametrize("settings", [dict(re.findall(r"\b(STREAMLIT_\w+)=(\S+)", DOCKERFILE)), {}])
def test_a_file_can_be_uploaded_in_a_frame_only_with_the_settings_of_a_space(fresh, monkeypatch, settings):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    address, process = serve(f"space-{len(settings)}")
    try:
        frame = f'<iframe src="{address}/pairs?pairs_number=many" width="1200" height="900"></iframe>'
        fresh.page.route(SITE, lambda route: route.fulfill(body=frame, content_type="text/html"))
        fresh.page.goto(SITE)
        app = fresh.page.frame_locator("iframe")
        app.get_by_text("Upload a table", exact=True).click()
        field = app.get_by_test_id("stFileUploader").locator("visible=true")
        table = {"name": "pairs.csv", "mimeType": "text/csv", "buffer": b"first,second\nIt rained.,We got wet.\n"}
        field.locator("input").set_input_files(table)
        if settings:
            expect(field).to_have_count(0)  # it closes once a file was read
        else:
            expect(field.get_by_text("403")).to_be_visible()
    finally:
        process.kill()
        process.wait()
