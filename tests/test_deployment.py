"""The files for containers and proxies: what they name exists, and what they promise is written there."""

import fnmatch
import hashlib
import json
import re
import shutil
import subprocess
import threading
import time
from base64 import b64encode
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import streamlit
import yaml

from embtools import settings
from embtools.ui import command as command_line
from tests.browser import replicas

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
SPACE = (ROOT / "deploy" / "space" / "Dockerfile").read_text(encoding="utf-8")
NGINX = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
KEPT = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]


def in_image(path: str) -> bool:
    """Whether a file of the repository is copied into the image."""
    return any(path == kept or path.startswith(f"{kept}/") for kept in KEPT)


def test_the_image_has_what_the_app_needs_and_nothing_else() -> None:
    for path in ("app.py", "pages/bias.py", "embtools/bundled/model.safetensors", ".streamlit/config.toml", "LICENSE"):
        assert in_image(path) and (ROOT / path).exists(), path
    left_out = (
        "tests/conftest.py",
        "benchmarks/server.py",
        "docs/library/index.md",
        "training/text.py",
        ".git/config",
        ".env",
    )
    for path in (*left_out, "compose.yaml"):
        assert not in_image(path), path
    assert all((ROOT / kept).exists() for kept in KEPT)
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE):
        assert all(name == "." or in_image(name) for name in copied.split()), copied


def test_the_image_runs_as_nobody_with_a_health_check_and_without_the_network() -> None:
    final = DOCKERFILE.rpartition("FROM ")[2]
    assert re.search(r"^USER 10001$", final, re.MULTILINE) and "--uid 10001" in final
    assert "requirements-cpu.txt" in DOCKERFILE and "EMBTOOLS_OFFLINE=1" in final
    (redis,) = set(re.findall(r"\bredis==[\d.]+", DOCKERFILE + HOSTING))  # both store rooms there
    assert redis in (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
    (check,) = re.findall(r'^HEALTHCHECK .*CMD \["python", "(.+)"\]$', final, re.MULTILINE)
    assert (ROOT / check).exists() and in_image(check)
    named = set(re.findall(r"\bEMBTOOLS_\w+", DOCKERFILE))
    assert named <= set(settings.NAMES)
    chosen = dict(re.findall(r"\b(EMBTOOLS_\w+)=(\S+)", DOCKERFILE))
    assert settings.check(chosen) == []


@pytest.mark.parametrize("dockerfile", [DOCKERFILE, SPACE])
def test_both_images_of_a_build_have_the_python_that_is_tested(dockerfile: str) -> None:
    assert len(re.findall(r"^FROM python:3\.11-slim-bookworm", dockerfile, re.MULTILINE)) == 2


def test_a_space_runs_as_its_user_on_the_port_that_it_is_asked_on() -> None:
    _, front, _ = (ROOT / "deploy" / "space" / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    settings_of_space = yaml.safe_load(front)
    assert settings_of_space["sdk"] == "docker" and len(settings_of_space["short_description"]) <= 60
    port = str(settings_of_space["app_port"])
    (command,) = re.findall(r"^CMD (.+)$", SPACE, re.MULTILINE)
    name, *options = json.loads(command)
    parsed = vars(command_line._parser().parse_args(options))
    assert name == "embtools" and parsed["--port"] == port and f"EXPOSE {port}\n" in SPACE
    assert "--uid 1000" in SPACE and "USER 1000\n" in SPACE  # what a Space runs as
    assert settings.check(dict(re.findall(r"\b(EMBTOOLS_\w+)=(\S+)", SPACE))) == []
    assert re.findall(r"^ARG SOURCE=(\S+)$", SPACE, re.MULTILINE)[0] in HOSTING


def test_compose_starts_two_replicas_behind_nginx_and_a_redis_with_a_password() -> None:
    services = COMPOSE["services"]
    assert services.keys() == {"app-1", "app-2", "nginx", "redis"} and services["app-1"] == services["app-2"]
    for service in services.values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and service["tmpfs"]
    assert [name for name, service in services.items() if "ports" in service] == ["nginx"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert [name for name, service in services.items() if "outside" in service["networks"]] == ["nginx"]
    for name in ("app-1", "app-2"):
        assert f"server {name}:8501 " in NGINX
    environment = services["app-1"]["environment"]
    given = {name: value for name, value in environment.items() if name.startswith("EMBTOOLS_")}
    assert given.keys() <= set(settings.NAMES)
    assert "REDIS_PASSWORD:?" in given["EMBTOOLS_ROOMS"] and "requirepass" in services["redis"]["command"][-1]
    assert "maxmemory-policy noeviction" in services["redis"]["command"][-1]  # a full one keeps the rooms that are open
    filled = {name: re.sub(r"\$\{\w+(:[?-][^}]*)?\}", "", value) for name, value in given.items()}
    assert settings.check(filled) == []  # an empty link is no link


def test_the_documents_name_every_variable_of_compose() -> None:
    for name in set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text(encoding="utf-8"))):
        assert f"`{name}`" in HOSTING or f"{name}=" in HOSTING, name


def test_the_content_security_policy_knows_the_script_of_streamlits_page() -> None:
    """After an update of Streamlit: the hash to write into deploy/nginx.conf."""
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = {f"'sha256-{b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in scripts}
    assert hashes == set(re.findall(r"'sha256-[^']+'", NGINX))
    assert "unsafe-eval'" not in NGINX.replace("'wasm-unsafe-eval'", "")


def test_headers_are_set_in_one_place_of_the_configuration() -> None:
    """A location with add_header of its own would lose those of the server."""
    assert not [
        block
        for block in re.findall(r"^ +location [^{]+\{.*?\}", NGINX, re.DOTALL | re.MULTILINE)
        if "add_header" in block
    ]
    assert "$request_uri" not in NGINX and "$http_referer" not in NGINX and "$args" not in NGINX  # visitors' texts
    assert not re.findall(r"^\s*expires\b", NGINX, re.MULTILINE)  # the app's answer for an unknown file is not stored


@pytest.mark.skipif(not shutil.which("redis-server"), reason="there is no redis-server on this machine")
def test_redis_accepts_the_configuration_of_compose() -> None:
    (printed,) = re.findall(r"printf '(.+?)' ", COMPOSE["services"]["redis"]["command"][-1])
    configuration = printed.replace("\\n", "\n").replace("%s", "secret") + "port 0\n"
    begun = subprocess.Popen(
        ["redis-server", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert begun.stdin and begun.stdout
    begun.stdin.write(configuration)
    begun.stdin.close()
    lines = []
    for line in begun.stdout:
        lines.append(line)
        if "Server initialized" in line or "Ready to accept" in line or "FATAL" in line:
            break
    begun.terminate()
    begun.wait(timeout=10)
    assert "FATAL" not in "".join(lines) and lines, lines
    assert not fnmatch.filter(lines, "*ad directive*")


def test_the_documents_describe_every_metric() -> None:
    from embtools.ui import metrics

    for family in metrics.Numbers().collect():
        total = "_total" * (family.type == "counter")
        assert f"`{family.name}{total}`" in HOSTING, family.name


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx on this machine")
def test_nginx_accepts_the_configuration_as_the_guide_changes_it(tmp_path: Path) -> None:
    (guide,) = re.findall(
        r"^sed (-e .+?\\\n.+?) \\\n +/opt/embtools/deploy/nginx.conf", HOSTING, re.MULTILINE | re.DOTALL
    )
    file = ROOT / "deploy" / "nginx.conf"
    changed = subprocess.run(
        ["sh", "-c", f"sed {guide} {file}"], check=True, capture_output=True, text=True
    ).stdout  # as printed in the guide
    assert "server 127.0.0.1:8501 " in changed and "server 127.0.0.1:8502 " in changed and "listen 80;" in changed
    assert "app-1" not in changed and "/dev/std" not in changed
    plain = changed.replace("/var/log/nginx", str(tmp_path)).replace("/run/nginx.pid", f"{tmp_path}/nginx.pid")
    plain = plain.replace("/tmp/nginx", f"{tmp_path}/nginx").replace("listen 80;", "listen 127.0.0.1:48480;")
    (tmp_path / "plain.conf").write_text(plain)
    done = subprocess.run(
        ["nginx", "-t", "-c", str(tmp_path / "plain.conf"), "-p", str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0 and "syntax is ok" in done.stderr, done.stderr
    assert "[warn]" not in done.stderr or "user" in done.stderr, done.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd on this machine")
def test_systemd_accepts_the_unit_of_the_guide(tmp_path: Path) -> None:
    (unit,) = re.findall(r"```ini\n(\[Unit\].+?)```", HOSTING, re.DOTALL)
    program = re.findall(r"^ExecStart=(\S+)", unit, re.MULTILINE)[0]
    path = tmp_path / "embtools@8501.service"
    path.write_text(unit.replace(program, "/bin/true").replace("User=embtools", "User=root"))
    done = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, timeout=60)
    about = [line for line in done.stderr.splitlines() if path.name in line]
    assert not about, about
    named = set(re.findall(r"\bEMBTOOLS_[A-Z_]+", unit))
    assert named and named <= set(settings.NAMES)


class Echo(BaseHTTPRequestHandler):
    """Replaces the app: its answer is what the proxy passed on about the visitor."""

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.dumps(headers).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """No lines on the console of the tests."""


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx on this machine")
def test_nginx_tells_the_app_who_asks_and_believes_forged_headers_only_from_a_trusted_proxy(tmp_path: Path) -> None:
    forged = {
        "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example",
        "X-Real-IP": "203.0.113.9", "Forwarded": "for=203.0.113.9;proto=https", "Host": "school.example",
    }  # fmt: skip
    with ThreadingHTTPServer(("127.0.0.1", 0), Echo) as app:
        threading.Thread(target=app.serve_forever, daemon=True).start()
        port = replicas.free_port()
        text = replicas.configured(tmp_path, [app.server_port] * 2)
        (tmp_path / "nginx.conf").write_text(text.replace("listen 8080;", f"listen 127.0.0.1:{port};"))
        nginx = replicas.launch_nginx(tmp_path / "nginx.conf")
        try:
            replicas.wait_for(f"http://127.0.0.1:{port}/", nginx, tmp_path / "output.log")

            def headers_from(sender: str) -> dict[str, str]:
                asking = HTTPConnection("127.0.0.1", port, source_address=(sender, 0))
                asking.request("GET", "/", headers=forged)
                return dict(json.loads(asking.getresponse().read()))

            stranger, proxy = headers_from("127.0.0.2"), headers_from("127.0.0.1")
        finally:
            nginx.terminate()
            nginx.wait()
            app.shutdown()
    for each in (stranger, proxy):
        assert each["host"] == "school.example" and "forwarded" not in each and "x-forwarded-host" not in each
    assert (stranger["x-forwarded-for"], stranger["x-real-ip"]) == ("127.0.0.2", "127.0.0.2")
    assert stranger["x-forwarded-proto"] == "http"
    assert (proxy["x-forwarded-for"], proxy["x-forwarded-proto"]) == ("203.0.113.9", "https")


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx on this machine")
@pytest.mark.parametrize("connections", [4096, 3])
def test_nginx_writes_no_typed_text_about_requests_that_fail(tmp_path: Path, connections: int) -> None:
    """No replica answers, a body is too large, a school asks too often, or nginx has too few connections."""
    port, dead = replicas.free_port(), replicas.free_port()
    text = replicas.configured(tmp_path, [dead] * 2).replace("listen 8080;", f"listen 127.0.0.1:{port};")
    text = text.replace("rate=400r/s", "rate=1r/s").replace("burst=400", "burst=5")
    text = text.replace("worker_processes auto;", "worker_processes 1;")
    (tmp_path / "nginx.conf").write_text(text.replace("worker_connections 4096;", f"worker_connections {connections};"))
    nginx, codes = replicas.launch_nginx(tmp_path / "nginx.conf"), set()
    try:
        until = time.monotonic() + 20
        while not (tmp_path / "nginx.pid").exists() and time.monotonic() < until:
            time.sleep(0.05)
        for method, size in [("GET", 0)] * 5 + [("PUT", 12_000_000)] + [("GET", 0)] * 5:
            asking = HTTPConnection("127.0.0.1", port, timeout=10)
            headers = {"Referer": "http://x/?a=zanzibar", "Content-Length": str(size)} if size else {}
            asking.request(method, "/arithmetic?arithmetic_text=zanzibar", headers=headers)
            codes.add(asking.getresponse().status)
            asking.close()
    finally:
        nginx.terminate()
        nginx.wait()
    assert codes == ({502, 413, 429} if connections > 4 else {500, 413, 429})
    assert '"GET /arithmetic" ' in (tmp_path / "access.log").read_text()
    for log in tmp_path.glob("*.log"):
        assert "zanzibar" not in log.read_text(), log
