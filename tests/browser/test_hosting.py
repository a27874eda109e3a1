"""Two replicas behind deploy/nginx.conf, run by a real nginx: what visitors see, also when replicas come and go."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests import lifeline
from tests.browser.conftest import Visitors

ROOT = Path(__file__).parents[2]
CONFIGURATION = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
HTML = {"Accept": "text/html"}
MARKER = "zanzibar"  # typed by a visitor; no log may repeat it
TRUSTING = ssl._create_unverified_context()  # the certificate of the test is its own

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not shutil.which("nginx") and not os.environ.get("REQUIRE_BROWSER"), reason="there is no nginx on this machine"
    ),
]
BLOCKED = """
window.blocked = [];
addEventListener("securitypolicyviolation", e => window.blocked.push(`${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}`));
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    begun = time.monotonic()
    while time.monotonic() - begun < 90 and process.poll() is None:
        try:
            urllib.request.urlopen(address, timeout=2, context=TRUSTING)
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"{address} does not answer: {log.read_text(errors='replace')[-2000:]}")


@dataclass
class Replica:
    """One server of the app, which can be killed and started again on its port."""

    name: str
    base: str = ""
    port: int = field(default_factory=free_port)
    process: Any = None

    @property
    def log(self) -> Path:
        return lifeline.folder() / f"{self.name}.log"

    def start(self) -> "Replica":
        options = [f"--server.port={self.port}", "--server.address=127.0.0.1", "--server.headless=true"]
        options += [f"--server.baseUrlPath={self.base}"] * bool(self.base)
        with self.log.open("ab") as log:
            self.process = lifeline.launch(str(ROOT / "tests/browser/serve.py"), *options, cwd=ROOT, log=log)
        wait_for(f"http://127.0.0.1:{self.port}{self.base and '/'}{self.base}/_stcore/health", self.process, self.log)
        return self

    def end(self, how: signal.Signals = signal.SIGKILL) -> float:
        """End the server; returns after how many seconds it had ended."""
        begun = time.monotonic()
        self.process.send_signal(how)
        self.process.wait(timeout=60)
        return time.monotonic() - begun


@dataclass
class Site:
    """nginx with two replicas, at one address."""

    replicas: list[Replica]
    address: str
    log: Path

    def get(self, path: str = "/", **headers: str) -> Any:
        request = urllib.request.Request(self.address + path, headers=headers)
        try:
            return urllib.request.urlopen(request, timeout=30, context=TRUSTING)
        except urllib.error.HTTPError as error:
            return error

    def ports(self, path: str) -> list[int]:
        """The ports of the replicas that have answered requests for a path, from nginx's log."""
        found = re.findall(rf'"GET {re.escape(path)}" .*127\.0\.0\.1:(\d+)$', self.log.read_text(), re.MULTILINE)
        return [int(port) for port in found]

    def replica(self, port: int) -> Replica:
        return next(each for each in self.replicas if each.port == port)


def host(name: str, *, base: str = "", tls: bool = False) -> tuple[Site, Any]:
    """Start two replicas and nginx with the file that is delivered, changed only where its comments say so."""
    place = lifeline.folder() / name
    place.mkdir()
    replicas = [Replica(f"{name}-{i}", base).start() for i in (1, 2)]
    port = free_port()
    text = CONFIGURATION.replace("/tmp/nginx", str(place / "nginx"))
    text = text.replace("/dev/stderr", str(place / "error.log")).replace("/dev/stdout", str(place / "access.log"))
    for i, replica in enumerate(replicas, 1):
        assert text.count(f"app-{i}:8501") == 1
        text = text.replace(f"app-{i}:8501", f"127.0.0.1:{replica.port}")
    if tls:
        subject = ["-subj", "/CN=localhost", "-keyout", f"{place}/privkey.pem", "-out", f"{place}/fullchain.pem"]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject],
            check=True, capture_output=True,
        )  # fmt: skip
        text = re.sub(r"^ +listen 8080;.*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"^( +)# (listen 8443|ssl_|add_header Strict)", r"\1\2", text, flags=re.MULTILINE)
        text = text.replace("/etc/nginx/tls", str(place)).replace("listen 8443", f"listen 127.0.0.1:{port}")
    else:
        text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    configuration = place / "nginx.conf"
    configuration.write_text(text)
    with (place / "output.log").open("wb") as log:
        nginx = lifeline.launch(str(ROOT / "tests/browser/proxy.py"), str(configuration), cwd=ROOT, log=log)
    site = Site(replicas, f"http{'s' * tls}://127.0.0.1:{port}{base and '/'}{base}", place / "access.log")
    wait_for(f"{site.address}/_stcore/health", nginx, place / "output.log")
    return site, nginx


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site, nginx = host("proxied")
    yield site
    nginx.terminate()
    for replica in site.replicas:
        replica.process.kill()


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
        assert len(set(site.ports("/arithmetic")[-5:])) == 1  # the first request too
    for _ in range(30):
        site.get("/similarity", **HTML)
    counts = [site.ports("/similarity").count(replica.port) for replica in site.replicas]
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
    request = urllib.request.Request(f"{site.address}/_stcore/upload_file/a/b", data=b"x" * 4_000_000, method="PUT")
    with pytest.raises(urllib.error.HTTPError, match="413"):
        urllib.request.urlopen(request, timeout=30)
    assert site.get("/?arithmetic_text=" + "x" * 6_000, **HTML).status == 200


def test_pages_work_and_the_content_security_policy_blocks_nothing(site: Site, visitor: Visitors) -> None:
    tab = visitor(site.address)
    refused: list[str] = []
    tab.page.on("console", lambda line: refused.append(line.text) if "Security Policy" in line.text else None)
    tab.page.add_init_script(BLOCKED)
    tab.open("arithmetic", arithmetic_text=f"{MARKER} is a [MASK].", arithmetic_edits="")
    for name in ("Clusters", "Similarity", "Attention", "Layers", "Inputs", "Corpus", "Home"):
        tab.menu(name)
    tab.menu("Arithmetic").popover("Link")
    assert tab.page.evaluate("window.blocked") == [] and refused == []


def test_a_replica_is_killed_and_its_visitor_goes_on_with_the_other_then_both_are_restarted(
    site: Site, visitor: Visitors
) -> None:
    tab = visitor(site.address).open("similarity", similarity_words="red, green, blue, zebra")
    assert tab.plots.first.is_visible()
    first = site.replica(site.ports("/similarity")[-1])
    (other,) = (each for each in site.replicas if each is not first)

    words = tab.page.get_by_label("Words", exact=False).first

    with tab.page.expect_websocket():  # the page connects again by itself, to the other replica
        first.end(signal.SIGKILL)
    tab.turn_to("Odd one out").turn_to("Heatmap and tree")  # the new session takes what it needs from the address
    assert "zebra" in words.input_value() and "zebra" in tab.query["similarity_words"][0]
    assert tab.plots.first.is_visible()

    first.start()
    with tab.page.expect_websocket():
        assert other.end(signal.SIGTERM) < 20
    tab.turn_to("Odd one out").turn_to("Heatmap and tree")
    assert "zebra" in words.input_value()
    other.start()
    assert site.get("/", **HTML).status == 200


def test_no_log_contains_what_visitors_have_typed(site: Site) -> None:
    logs = [site.log, site.log.with_name("error.log"), *(replica.log for replica in site.replicas)]
    assert '"GET /arithmetic"' in site.log.read_text()
    for log in logs:
        assert MARKER not in log.read_text(errors="replace") and "zebra" not in log.read_text(errors="replace"), log


def test_below_a_base_path_and_with_tls_at_the_proxy(visitor: Visitors) -> None:
    site, nginx = host("tls", base="bert", tls=True)
    try:
        tab = visitor(site.address, ignore_https_errors=True)
        tab.open("paper").menu("Similarity")
        assert tab.plots.first.is_visible() and tab.page.url.startswith(f"{site.address}/similarity")
        assert site.get("/", **HTML).headers["Strict-Transport-Security"] == "max-age=31536000"
        assert site.get("/_stcore/metrics").status == 404
        tab.page.goto(f"{site.address.removesuffix('/bert')}/bert")
        tab.settled(asked=1)
        assert "change an embedding" in tab.main.inner_text().lower()
    finally:
        nginx.terminate()
        for replica in site.replicas:
            replica.process.kill()
