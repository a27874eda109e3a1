"""What works after docs/hosting.md was followed: run inside the Debian root, with the app's own Python.

Prints the text of a page, the results of a class, and the status codes during an update.
"""

import asyncio
import json
import re
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

from benchmarks.server import visit
from tests import phones

SITE = "http://127.0.0.1"
REPLICAS = ("8501", "8502")


def wait(*ports: str) -> None:
    """Wait until the servers at these ports answer, as the guide says."""
    for port in ports:
        until = time.monotonic() + 120
        while subprocess.run(
            ["curl", "-fs", f"http://127.0.0.1:{port}/_stcore/health"], capture_output=True
        ).returncode:
            assert time.monotonic() < until, [
                log.read_text()[-2_000:] for log in Path("/var/log").glob(f"*-{port}.log")
            ]
            time.sleep(0.2)


async def page(port: int) -> list[str]:
    """The texts of Arithmetic."""
    one = await visit(port, "arithmetic")
    await one.connection.close()
    return one.texts


def updated() -> list[int]:
    """Restart one replica after the other; return the status codes that visitors got meanwhile."""
    codes: list[int] = []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            codes.append(urllib.request.urlopen(f"{SITE}/room/", timeout=20).status)
            time.sleep(0.05)

    asking = threading.Thread(target=ask)
    asking.start()
    for port in REPLICAS:
        subprocess.run(["systemctl", "restart", f"embtools@{port}"], check=True)
        wait(port)
    done.set()
    asking.join()
    return codes


if __name__ == "__main__":
    wait(*REPLICAS)
    variables = dict(line.split("=", 1) for line in Path("/etc/embtools.env").read_text().splitlines())
    counts = phones.class_of(12, SITE, variables["EMBTOOLS_ROOMS"])
    served = {
        line.rsplit(":", 1)[1]
        for line in Path("/var/log/nginx/access.log").read_text().splitlines()
        if re.search(r'"POST /room/api/join"', line)
    }
    users = {
        subprocess.run(["stat", "-c", "%U", f"/proc/{pid.read_text()}"], capture_output=True, text=True).stdout.strip()
        for pid in Path("/run").glob("embtools-*.pid")
    }
    print(
        json.dumps(
            {
                "page": asyncio.run(page(80)),  # through nginx
                "counts": counts,
                "served": sorted(served),
                "users": sorted(users),
                "codes": updated(),
            }
        )
    )
