"""Two replicas of the app behind deploy/nginx.conf, run by a real nginx, for tests of hosting."""

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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from tests import lifeline
from tests.browser.conftest import SHIPPED

ROOT = Path(__file__).parents[2]
CONFIGURATION = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
TRUSTING = ssl._create_unverified_context()  # the certificate of the tests is their own


def needs(*programs: str) -> list[Any]:
    """Marks for slow tests that need these programs; where browsers are required, so are they."""
    missing = [program for program in programs if not shutil.which(program)]
    skipped = bool(missing) and not os.environ.get("REQUIRE_BROWSER")
    return [pytest.mark.slow, pytest.mark.skipif(skipped, reason=f"not on this machine: {', '.join(missing)}")]


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
    environment: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()  # of serve.py
    port: int = field(default_factory=free_port)
    process: Any = None

    @property
    def log(self) -> Path:
        return lifeline.folder() / f"{self.name}-{os.getpid()}.log"

    def start(self) -> "Replica":
        options = [f"--server.port={self.port}", "--server.address=127.0.0.1", "--server.headless=true"]
        options += [f"--server.baseUrlPath={self.base}"] * bool(self.base)
        command = (str(ROOT / "tests/browser/serve.py"), *self.options, *options)
        with self.log.open("ab") as log:
            self.process = lifeline.launch(*command, cwd=ROOT, log=log, environment=self.environment)
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
        """The answer to a GET request, also that of an error."""
        return self.ask(urllib.request.Request(self.address + path, headers=headers))

    def ask(self, request: urllib.request.Request) -> Any:
        """The answer to a request, also that of an error."""
        try:
            return urllib.request.urlopen(request, timeout=30, context=TRUSTING)
        except urllib.error.HTTPError as error:
            return error

    def ports(self, path: str, method: str = "GET") -> list[int]:
        """The ports of the replicas that have answered requests for a path, from nginx's log."""
        wanted = rf'"{method} {re.escape(path)}" .*127\.0\.0\.1:(\d+)$'
        return [int(port) for port in re.findall(wanted, self.log.read_text(), re.MULTILINE)]

    def replica(self, port: int) -> Replica:
        return next(each for each in self.replicas if each.port == port)

    def logs(self) -> list[Path]:
        """Every file into which nginx, the replicas and redis have written."""
        return [
            *self.log.parent.glob("*.log"),
            *(each.log for each in self.replicas),
            *lifeline.folder().glob("redis*.log"),
        ]


def configured(place: Path, ports: Sequence[int]) -> str:
    """deploy/nginx.conf with these ports of replicas on this machine, and all files in one folder."""
    text = CONFIGURATION.replace("/tmp/nginx", str(place / "nginx"))
    text = text.replace("/dev/stderr", str(place / "error.log")).replace("/dev/stdout", str(place / "access.log"))
    for i, port in enumerate(ports, 1):
        assert text.count(f"app-{i}:8501") == 1
        text = text.replace(f"app-{i}:8501", f"127.0.0.1:{port}")
    return text


def launch_nginx(configuration: Path) -> "subprocess.Popen[bytes]":
    """nginx with this configuration; it ends with the run of the tests."""
    user = "user root; " if os.geteuid() == 0 else ""  # another user could not write to the folder of the tests
    place = configuration.parent
    command = ["nginx", "-c", str(configuration), "-p", str(place), "-g", f"{user}daemon off;"]
    with (place / "output.log").open("wb") as log:
        return lifeline.launch(str(ROOT / "tests/program.py"), *command, cwd=ROOT, log=log)


@contextmanager
def host(
    name: str,
    *,
    base: str = "",
    tls: bool = False,
    environment: Mapping[str, str] | None = None,
    options: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
) -> Iterator[Site]:
    """Two replicas and nginx with the file that is delivered, changed only where its comments say so."""
    place = Path(mkdtemp(prefix=f"{name}-", dir=lifeline.folder()))  # tests of one file need not follow each other
    given = {**SHIPPED, **(environment or {})}
    replicas = [Replica(f"{name}-{i}", base, given, each) for i, each in enumerate(options, 1)]
    port = free_port()
    text = configured(place, [replica.port for replica in replicas])
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
    site = Site(replicas, f"http{'s' * tls}://127.0.0.1:{port}{base and '/'}{base}", place / "access.log")
    nginx = None
    try:
        for replica in replicas:
            replica.start()
        nginx = launch_nginx(configuration)
        wait_for(f"{site.address}/_stcore/health", nginx, place / "output.log")
        yield site
    finally:
        if nginx is not None:
            nginx.terminate()
        for replica in replicas:
            if replica.process is not None:
                replica.process.kill()
