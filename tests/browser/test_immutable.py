"""Scripts reach the second browser compressed, and work there."""

import time
import urllib.request

import pytest
from playwright.sync_api import expect


@pytest.mark.slow
def test_the_second_browser_loads_compressed_scripts_and_draws_the_chart(server, visitor) -> None:
    coded: dict[str, str] = {}
    for _ in range(2):
        tab = visitor(server)
        tab.page.on("response", lambda answer: coded.update({answer.url: answer.headers.get("content-encoding", "")}))
        tab.open("similarity")
        expect(tab.page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
        scripts = [url for url in coded if url.startswith(f"{server}/static/js/")]
        for url in scripts:
            wait_for_the_compressed(url)
    assert len(scripts) > 20 and {coded[url] for url in scripts} == {"gzip"}


def wait_for_the_compressed(url: str) -> None:
    """Files are compressed one after another, in a thread."""
    request, until = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"}), time.monotonic() + 30
    while urllib.request.urlopen(request).headers["Content-Encoding"] != "gzip":
        assert time.monotonic() < until
        time.sleep(0.2)
