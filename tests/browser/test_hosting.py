"""Two replicas behind deploy/nginx.conf, run by a real nginx: what visitors see, also when replicas come and go."""

import re
import shutil
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from safetensors.numpy import load_file, save_file

import embtools
from embtools.ui.menu import PAGES
from tests.browser import policy
from tests.browser.conftest import Visitors
from tests.browser.replicas import Site, host, needs

HTML = {"Accept": "text/html"}
MARKER = "zanzibar"  # typed by a visitor; no log may repeat it

pytestmark = needs("nginx")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with host("proxied") as site:
        yield site


def key_of(answer: Any) -> str:
    """The cookie that a new visitor gets."""
    cookies = [value for value in answer.headers.get_all("Set-Cookie") or [] if value.startswith("embtools_replica=")]
    return cookies[0].partition(";")[0] if cookies else ""


def test_a_visitor_stays_on_one_replica_and_many_are_spread(site: Site) -> None:
    for _ in range(3):
        first = site.get("/arithmetic", **HTML)
        cookie = key_of(first)
        assert re.fullmatch(r"embtools_replica=[0-9a-f]{32}", cookie)
        for _ in range(4):
            assert key_of(site.get("/arithmetic", Cookie=cookie)) == ""  # it has one already
        time.sleep(0.2)
        assert len(set(site.ports("/arithmetic")[-5:])) == 1  # the first request too
    before = len(site.ports("/similarity"))
    for _ in range(30):
        site.get("/similarity", **HTML)
    until = time.monotonic() + 10
    while len(ports := site.ports("/similarity")[before:]) < 30 and time.monotonic() < until:
        time.sleep(0.1)  # nginx writes its log after the answer
    counts = [ports.count(replica.port) for replica in site.replicas]
    assert sum(counts) == 30 and min(counts) >= 3, counts


def test_every_answer_has_the_security_headers_and_static_files_are_stored_for_long(site: Site) -> None:
    html = site.get("/", **HTML)
    (script,) = re.findall(r'src="\./(static/js/index[^"]+)"', html.read().decode())
    static = site.get(f"/{script}", **{"Accept-Encoding": "gzip"})
    for answer in (html, static, site.get("/_stcore/health"), site.get("/_stcore/metrics")):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer" and answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Server"] == "nginx"  # without its version
    assert (
        "immutable, max-age=31536000" in static.headers["Cache-Control"]
        and static.headers["Content-Encoding"] == "gzip"
    )
    assert "max-age=31536000" not in (html.headers["Cache-Control"] or "")
    assert site.get("/_stcore/metrics").status == 404 and site.get("/_stcore/agent/openapi.json").status == 404


def test_what_is_too_large_is_refused(site: Site) -> None:
    request = urllib.request.Request(f"{site.address}/_stcore/upload_file/a/b", data=b"x" * 12_000_000, method="PUT")
    with pytest.raises(urllib.error.HTTPError, match="413"):
        urllib.request.urlopen(request, timeout=30)
    assert site.get("/?arithmetic_text=" + "x" * 6_000, **HTML).status == 200


def test_pages_and_a_presentation_work_and_the_content_security_policy_blocks_nothing(
    site: Site, visitor: Visitors
) -> None:
    tab = visitor(site.address)
    blocked = policy.watched(tab.page)
    tab.open("arithmetic", arithmetic_text=f"{MARKER} is a [MASK].", arithmetic_edits="")
    for page in PAGES:
        if page.name != "arithmetic":
            tab.menu(page.title)
    tab.menu("Home")
    tab.menu("Arithmetic").popover("Link")
    assert not blocked()
    tab.open("about")
    assert not blocked()
    lesson = tab.open("lessons", lesson="rome", lesson_guesses="a")
    expect(lesson.plots.first).to_be_visible()
    assert not blocked()
    tab.open("similarity", present="1", steps=["clusters", "similarity"])
    with tab.answer():
        tab.page.keyboard.press("PageDown")
    expect(tab.chart("map").plot).to_be_visible()
    assert not blocked()


def test_the_content_security_policy_does_block_what_an_attacker_would_add(site: Site, visitor: Visitors) -> None:
    tab = visitor(site.address)
    blocked = policy.watched(tab.page)
    tab.open("about")
    tab.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            const picture = document.createElement("img");
            picture.src = "http://127.0.0.2:9/a.png";
            document.body.append(picture);
        }"""
    )
    tab.page.wait_for_function("window.blocked.length >= 2")
    assert tab.page.evaluate("window.ran") is None and len(blocked()) >= 2


def test_a_replica_is_killed_and_its_visitor_goes_on_with_the_other_then_both_are_restarted(
    site: Site, visitor: Visitors
) -> None:
    tab = visitor(site.address).open("similarity", similarity_words="red, green, blue, zebra")
    assert tab.plots.first.is_visible()
    first = site.replica(site.ports("/similarity")[-1])
    (other,) = (each for each in site.replicas if each is not first)

    words = tab.main.get_by_role("textbox", name="Words")

    with tab.reconnected():  # to the other replica, whose new session takes what it needs from the address
        first.end(signal.SIGKILL)
    assert "zebra" in words.input_value() and "zebra" in tab.query["similarity_words"][0]
    assert tab.plots.first.is_visible()

    first.start()
    with tab.reconnected():
        assert other.end(signal.SIGTERM) < 20
    assert "zebra" in words.input_value()
    assert "zebra" in tab.turn_to("Odd one out").turn_to("Heatmap and tree").query["similarity_words"][0]
    other.start()
    assert site.get("/", **HTML).status == 200


def other_weights(folder: Path) -> Path:
    """The bundled model with weights that are a little different."""
    shutil.copytree(Path(embtools.__file__).parent / "bundled", folder)
    tensors = load_file(folder / "model.safetensors")
    name = next(name for name in tensors if name.endswith("word_embeddings.weight"))
    tensors[name] = (tensors[name] * 1.01).astype(tensors[name].dtype)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_a_rolling_restart_with_other_weights_keeps_visitors_and_tells_them(visitor: Visitors, tmp_path: Path) -> None:
    new = (f"--bundled={other_weights(tmp_path / 'update' / 'bundled')}",)
    with host("weights") as site:
        tab = visitor(site.address).open("similarity", similarity_words="red, green, blue, zebra")
        before = tab.query["weights"][0]
        first = site.replica(site.ports("/similarity")[-1])
        (other,) = (each for each in site.replicas if each is not first)
        other.end(signal.SIGTERM)
        other.options = new
        other.start()  # for a moment the replicas have different weights
        assert site.get("/", **HTML).status == 200
        with tab.reconnected():
            first.end(signal.SIGTERM)
        tab.shows("was made with other weights of Pocket BERT. Numbers may differ.")
        assert tab.plots.first.is_visible() and tab.query["weights"][0] != before
        assert "zebra" in tab.main.get_by_role("textbox", name="Words").input_value()
        first.options = new
        first.start()
        # The link that this visitor copied before still opens; another visitor who follows it sees the same.
        again = visitor(site.address).open("similarity", similarity_words="red, green, zebra", weights=before)
        again.shows("was made with other weights")


def test_no_log_contains_what_visitors_have_typed_also_while_replicas_are_gone(site: Site, visitor: Visitors) -> None:
    text = f"arithmetic_text={MARKER}+is+a+[MASK]."
    tab = visitor(site.address).open("arithmetic", arithmetic_text=f"{MARKER} is a [MASK].", arithmetic_edits="")
    assert '"GET /arithmetic"' in site.log.read_text()
    first = site.replica(site.ports("/arithmetic")[-1])
    with tab.reconnected():
        first.end(signal.SIGKILL)
    # On a busy machine nginx may count a late answer of the other replica as missing too, and asks it again after 5 s.
    pages, until = ("arithmetic", "bias") * 8, time.monotonic() + 20
    while (found := {site.get(f"/{page}?{text}", **HTML).status for page in pages}) != {200}:
        assert time.monotonic() < until, found
        time.sleep(0.5)
    (other,) = (each for each in site.replicas if each is not first)
    other.end(signal.SIGKILL)
    assert {site.get(f"/arithmetic?{text}", **HTML).status for _ in range(3)} == {502}  # also "no live upstreams"
    upload = urllib.request.Request(
        f"{site.address}/_stcore/upload_file/a/b?{text}", data=b"x" * 12_000_000, method="PUT"
    )
    assert site.ask(upload).status == 413
    assert " 502, " in site.log.read_text()  # the host sees which replica has failed
    for replica in site.replicas:
        replica.start()
    assert len(site.logs()) >= 4
    for log in site.logs():
        assert MARKER not in log.read_text(errors="replace") and "zebra" not in log.read_text(errors="replace"), log


def test_below_a_base_path_and_with_tls_at_the_proxy(visitor: Visitors) -> None:
    with host("tls", base="bert", tls=True) as site:
        tab = visitor(site.address, ignore_https_errors=True)
        tab.open("paper").menu("Similarity")
        assert tab.plots.first.is_visible() and tab.page.url.startswith(f"{site.address}/similarity")
        assert site.get("/", **HTML).headers["Strict-Transport-Security"] == "max-age=31536000"
        assert site.get("/_stcore/metrics").status == 404
        tab.page.goto(f"{site.address.removesuffix('/bert')}/bert")
        tab.settled(asked=1)
        assert "change the numbers" in tab.main.inner_text().lower()
