"""Many visitors on all pages, each with words of their own: how long they wait, and how the server's memory grows.

A class of twenty with short pauses for five minutes, on a server that has just shown each page once. Fifty visitors
with pauses for ten minutes, once the results of earlier visitors fill the memory that is set aside for them: in turn
they open a page with words of their own, and do three cheap things whose results are stored or need no model: the same
again, the first example of some page, Home or About. Then visits per second of thirty visitors without pauses, next to
those of a ten-line Streamlit page with one chart on the same machine.

With --busy only the class, while as many processes as the machine has cores keep them busy. There is no limit for this:
how much is left for the server depends on the machine.

python -m benchmarks.mixed_load [--quick] [--busy]
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from benchmarks.measure import QUICK, few, report
from benchmarks.own_words import QUERIES, Words
from benchmarks.server import Server, free_port, fresh, go_on, started, visit
from embtools import settings
from embtools.ui.menu import PAGES

PLAIN = """
import numpy as np
import plotly.graph_objects as go
import streamlit as st

st.title("Plain")
points = np.random.default_rng().normal(size=(2, 200))
st.plotly_chart(go.Figure(go.Scatter(x=points[0], y=points[1], mode="markers")))
st.text("Two hundred points.")
st.button("Again")
"""
CORES = os.cpu_count() or 1
SPIN = "while True: sum(range(10000))"
CLASS, VISITORS, FILLING, TIRELESS = few(20, 2), few(50, 3), few(30, 2), few(30, 2)
CLASS_PAUSE = few(6, 1)
PAUSE = few(20, 1)  # seconds that a visitor reads, at most
REST, SETTLING = few(35, 0), few(5, 0)
NAMES = [page.name for page in PAGES]


class Tally:
    """Seconds that visits took, by page; seconds of cheap actions, by their kind; and what was lost."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.cheap: dict[str, list[float]] = defaultdict(list)
        self.lost: list[str] = []


def every(seconds: dict[str, list[float]]) -> list[float]:
    """All of them, sorted."""
    return sorted(second for some in seconds.values() for second in some)


def slowest(seconds: dict[str, list[float]]) -> str:
    """The four kinds with the largest 95% quantile."""
    late = {kind: within(some) for kind, some in seconds.items()}
    return ", ".join(f"{kind} {late[kind]:.2f} s" for kind in sorted(late, key=lambda kind: -late[kind])[:4])


def within(seconds: list[float]) -> float:
    """The 95% quantile."""
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else max(seconds, default=0.0)


async def one_visitor(server: Server, words: Words, until: float, pause: float, cheap: int, tally: Tally) -> None:
    """Open pages in random order, each followed by some cheap actions in the same session, until the time is over."""
    while time.monotonic() < until:
        page = words.one(NAMES)
        query = words.draw.choice(QUERIES[page])(words)
        try:
            visited = await visit(server.port, page, query, limit=60)
            tally.seconds[page].append(visited.seconds)
            for _ in range(cheap):
                await asyncio.sleep(words.draw.uniform(0, pause))
                kind, (name, again) = words.draw.choice(
                    [
                        ("same again", (page, query)),
                        ("first example", (words.one(NAMES), {})),
                        ("Home", ("", {})),
                        ("About", ("about", {})),
                    ]
                )
                tally.cheap[kind].append((await go_on(visited, name, again, limit=60)).seconds)
            await visited.connection.close()
        except (AssertionError, TimeoutError, OSError, ConnectionClosed) as error:
            tally.lost.append(f"{page} {query}: {type(error).__name__} {error}")
            continue
        await asyncio.sleep(words.draw.uniform(0, pause))


async def crowd(server: Server, visitors: int, seconds: float, pause: float, cheap: int = 0, first: int = 0) -> Tally:
    """Run this many visitors for this many seconds, each pausing up to `pause` seconds between actions."""
    all_words = [Words(first + seed) for seed in range(visitors)]  # takes seconds, which are not the visitors'
    tally, until = Tally(), time.monotonic() + seconds
    await asyncio.gather(*(one_visitor(server, words, until, pause, cheap, tally) for words in all_words))
    return tally


async def plain_crowd(server: Server, visitors: int, seconds: float) -> float:
    """Visits per second of a page that computes nothing."""
    until, count = time.monotonic() + seconds, 0

    async def come() -> None:
        nonlocal count
        while time.monotonic() < until:
            visited = await visit(server.port, "", limit=60)
            await visited.connection.close()
            count += 1

    await asyncio.gather(*(come() for _ in range(visitors)))
    return count / seconds


def _warm(server: Server) -> None:
    for page in PAGES[: few(len(PAGES), 2)]:
        asyncio.run(visit(server.port, page.name))
    time.sleep(SETTLING)


def stored(port: int) -> float:
    """Bytes of stored results, from the metrics of the server."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60).read().decode()
    (line,) = [line for line in text.splitlines() if line.startswith("embtools_cache_bytes ")]
    return float(line.split()[1])


def fill(server: Server, metrics: int, seconds: float) -> str:
    """Let visitors come without pauses until stored results take 90% of their memory; returns how much they take."""
    most, until, first = settings.current().results_mb * 1_000_000, time.monotonic() + seconds, 1_000
    while stored(metrics) < 0.9 * most and time.monotonic() < until:
        asyncio.run(crowd(server, FILLING, min(30, seconds), 0, first=first))
        first += FILLING
    return f"stored results took {stored(metrics) / 1e6:.0f} of {most / 1e6:.0f} MB before"


def class_of_twenty(seconds: float, meanwhile: AbstractContextManager[object]) -> tuple[Tally, float, float]:
    """Visitors with short pauses, each on pages of their choice, and the server's MB before and after."""
    with fresh() as server:
        _warm(server)
        before = server.resident()
        with meanwhile:
            tally = asyncio.run(crowd(server, CLASS, seconds, CLASS_PAUSE))
        return tally, before, server.resident()


def a_class(seconds: float) -> list[str]:
    """The class on a machine without other work; returns the visits that were lost."""
    tally, before, after = class_of_twenty(seconds, nullcontext())
    own = every(tally.seconds)
    detail = f"median {statistics.median(own):.2f} s of {len(own)}; {slowest(tally.seconds)}"
    report(f"{CLASS} visitors, seconds that 95% of the visits take", within(own), 2, detail)
    report("seconds of the longest visit", own[-1], 6)
    report("visits lost", len(tally.lost), 0, "; ".join(tally.lost[:3]))
    report("MB of the server afterwards", after, 1_100, f"{before:.0f} MB before")
    return tally.lost


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keep every core busy with a process of its own."""
    neighbours = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(CORES)]
    try:
        yield
    finally:
        for process in neighbours:
            process.kill()
            process.wait()


def a_class_on_a_busy_machine(seconds: float) -> list[str]:
    """The class next to processes that keep all cores busy, without a limit; returns the visits that were lost."""
    tally, before, after = class_of_twenty(seconds, busy_cores())
    own = every(tally.seconds)
    print(
        f"        {CLASS} visitors next to {CORES} processes that keep all cores busy: median"
        f" {statistics.median(own):.2f} s of {len(own)}, 95% within {within(own):.2f} s, longest {own[-1]:.1f} s,"
        f" {len(tally.lost)} lost; {slowest(tally.seconds)}; memory {before:.0f} → {after:.0f} MB"
        + "".join(f"\n        lost: {each}" for each in tally.lost[:3])
    )
    return tally.lost


def with_pauses(seconds: float) -> list[str]:
    """Fifty visitors with pauses; returns the visits that were lost."""
    metrics = int(os.environ["EMBTOOLS_METRICS_PORT"])
    with fresh() as server:
        _warm(server)
        filled = fill(server, metrics, seconds)
        time.sleep(REST)  # in which unused memory is returned
        before = server.resident()
        tally = asyncio.run(crowd(server, VISITORS, seconds, PAUSE, cheap=3))
        time.sleep(REST)
        cheap, own = every(tally.cheap), every(tally.seconds)
        detail = f"median {statistics.median(cheap):.2f} s of {len(cheap)}; {slowest(tally.cheap)}"
        report(f"{VISITORS} visitors, seconds that 95% of the cheap actions take", within(cheap), 1, detail)
        print(
            f"        words of their own: median {statistics.median(own):.2f} s of {len(own)}, 95% within"
            f" {within(own):.2f} s, longest {own[-1]:.1f} s; {slowest(tally.seconds)}"
        )
        report("visits lost", len(tally.lost), 0, "; ".join(tally.lost[:3]))
        grown = server.resident() - before
        report("MB by which the server grows", grown, 50, f"{before:.0f} MB before; {filled}")
    return tally.lost


def without_pauses(seconds: float) -> list[str]:
    """Visits per second of thirty visitors who never rest, and of a plain page, in turn; returns the lost visits."""
    lost: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "plain.py").write_text(PLAIN)
        with started("plain.py", Path(folder)) as plain, fresh() as server:
            _warm(server)
            ours, plains, waited = [], [], []
            for first in range(few(2)):
                plains.append(asyncio.run(plain_crowd(plain, TIRELESS, seconds / 2)))
                tally = asyncio.run(crowd(server, TIRELESS, seconds, 0, first=first * TIRELESS))
                own = every(tally.seconds)
                ours.append(len(own) / seconds)
                waited += own
                lost += tally.lost
            mean, plain_mean = statistics.mean(ours), statistics.mean(plains)
            detail = f"{mean:.1f} and {plain_mean:.1f} visits per second, {len(lost)} lost"
            # As a share that must be small: the plain page's visits per second divided by ours.
            report("a plain page's visits per second / ours", plain_mean / mean, 1 / 2.5, detail)
            print(
                f"        {TIRELESS} visitors who never rest: median {statistics.median(waited):.1f} s, 95% within"
                f" {within(sorted(waited)):.1f} s, longest {max(waited):.1f} s; memory {server.resident():.0f} MB"
            )
    return lost


def main() -> None:
    """All three, each with a fresh server; with --busy only the class. A lost visit is an error."""
    os.environ["EMBTOOLS_METRICS_PORT"] = str(free_port())
    class_seconds = few(20 if QUICK else 300, 2)
    if "--busy" in sys.argv:
        lost = a_class_on_a_busy_machine(class_seconds)
    else:
        lost = a_class(class_seconds)
        lost += with_pauses(few(20 if QUICK else 600, 2))
        lost += without_pauses(few(10 if QUICK else 60))
    if lost:
        raise SystemExit(f"{len(lost)} visits were lost, first: {lost[0]}")


if __name__ == "__main__":
    main()
