"""Numbers for the host: they follow what visitors ask, and contain nothing that visitors typed."""

import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from embtools import memory
from embtools.ui import metrics
from tests.browser.replicas import free_port

ROOT = Path(__file__).parents[2]


def slowly(word: str, *, begun: threading.Event, go: threading.Event) -> str:
    begun.set()
    go.wait(30)
    return word.upper()


def test_the_numbers_follow_what_is_asked_and_quote_nothing(monkeypatch: pytest.MonkeyPatch, visit) -> None:
    port = free_port()
    monkeypatch.setenv("EMBTOOLS_METRICS_PORT", str(port))
    metrics.begin()

    def numbers() -> dict[str, float]:
        answer = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10).read().decode()
        assert "zanzibar" not in answer
        families = text_string_to_metric_families(answer)
        return {sample.name: sample.value for family in families for sample in family.samples if not sample.labels}

    before = numbers()
    begun, go = threading.Event(), threading.Event()
    arguments = {"word": "zanzibar", "begun": begun, "go": go}
    threads = [threading.Thread(target=memory.call, args=(slowly, arguments)) for _ in range(3)]
    for thread in threads:
        thread.start()
    begun.wait(30)
    while memory.counts().asking < 3:
        time.sleep(0.01)
    during = numbers()
    assert during["embtools_queries_waiting"] == 3 and during["embtools_queries_running"] == 1
    go.set()
    for thread in threads:
        thread.join()
    after = numbers()
    assert after["embtools_queries_total"] - before["embtools_queries_total"] == 3
    assert after["embtools_cache_hits_total"] - before["embtools_cache_hits_total"] == 2
    assert after["embtools_queries_waiting"] == after["embtools_queries_running"] == 0
    assert after["embtools_pages_waiting"] == 0
    assert after["embtools_resident_memory_bytes"] > 10**8 and after["embtools_visitors"] == 0
    visit("arithmetic", arithmetic_text="zanzibar is a [MASK].", arithmetic_edits="")
    assert numbers()["embtools_queries_total"] > after["embtools_queries_total"]


def test_nothing_is_served_without_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "start_http_server", lambda *_: pytest.fail("a port was opened"))
    metrics.begin()


@pytest.mark.slow
def test_a_port_that_is_taken_stops_the_start_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("EMBTOOLS_METRICS_PORT", str(taken.getsockname()[1]))
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true", "--server.port=0"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "The app cannot start. EMBTOOLS_METRICS_PORT" in done.stderr and "cannot be used" in done.stderr
