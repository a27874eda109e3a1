"""A class that opens the default battery at the same moment: how long they wait, and how often it is computed.

The first class comes to a server that has just been started, which has a stored answer. Then the same without stored
answers: a class on a server that has just been started, and one after the idle server has computed the battery. With
--short all come to one server, and those without stored answers ask for a small battery.

python -m benchmarks.a_class_on_evidence
"""

import asyncio
import os
import re
import socket
import statistics
import time
import urllib.request

from benchmarks.measure import SHORT, few, report
from benchmarks.server import Server, Visit, fresh, visit
from embtools.evidence.batteries import BLOCK
from embtools.ui.evidence.battery import FIRST

RULE = "The edit makes the new word the answer"  # how the headline begins
SMALL = {"evidence_count": "4", "evidence_others": "2"} if SHORT else {}
BLOCKS = -(-int(SMALL.get("evidence_count", FIRST["cases"].first)) // BLOCK)
LONGEST = 10.0
_COUNT = re.compile(r'embtools_computation_seconds_count\{function="evidence.batteries.block_cases"\} ([0-9.]+)')


def computed(port: int) -> int:
    """Return how many blocks of batteries the server has computed."""
    text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30).read().decode()
    found = _COUNT.search(text)
    return int(float(found[1])) if found else 0


async def together(server: Server, count: int, query: dict[str, str]) -> list[Visit]:
    """All of them at once with the same query."""
    return await asyncio.gather(*(visit(server.port, "evidence", query, limit=300) for _ in range(count)))


def report_waits(what: str, visits: list[Visit], longest: float) -> None:
    """Report the longest wait; visitors without the result, or with another one, are named."""
    headlines = {next((text for text in one.texts if text.startswith(RULE)), "") for one in visits}
    waits = sorted(one.seconds for one in visits)
    detail = f"median {statistics.median(waits):.1f} s, {len(visits)} visitors, {len(headlines)} headline"
    report(f"{what}, seconds that the slowest waits", waits[-1], longest, detail)
    if headlines == {""} or len(headlines) != 1:
        print("MISSED  not everybody has the same result")


def main() -> None:
    """Let three classes come."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    os.environ["EMBTOOLS_METRICS_PORT"] = str(port)
    count = few(30, 3)
    with fresh() as server:
        report_waits(
            "default battery on a server that was just started", asyncio.run(together(server, count, {})), LONGEST
        )
    os.environ["EMBTOOLS_PREPARED"] = "0"
    with fresh() as server:
        report_waits("the same without stored answers", asyncio.run(together(server, count, SMALL)), 2 * LONGEST)
        report("blocks computed / blocks of the battery", computed(port) / BLOCKS, 1.0)
    with fresh() as server:
        asyncio.run(visit(server.port, ""))  # the first visitor starts the preparation
        began = time.monotonic()
        while computed(port) < BLOCKS and time.monotonic() - began < few(600, 60):
            time.sleep(1)
        report("seconds until the idle server has prepared it", time.monotonic() - began, few(600, 60))
        report_waits("prepared battery", asyncio.run(together(server, count, SMALL)), 5.0)
        report("blocks computed / blocks of the battery", computed(port) / BLOCKS, 1.0)


if __name__ == "__main__":
    main()
