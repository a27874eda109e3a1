"""A run of the tests leaves no server, no browser, no worker and no file behind, however it is interrupted."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import lifeline

ROOT = Path(__file__).parents[2]


def until(found: Callable[[], bool], seconds: float) -> bool:
    """Whether this becomes true in time."""
    end = time.monotonic() + seconds
    while not found():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def processes_of(place: Path) -> list[str]:
    """The processes of the runs whose folders are here: all of them have its name in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{lifeline.FOLDER}={place}/".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text().replace("\0", " ")[:80])
        except OSError:  # it has ended meanwhile, or is another user's
            continue
    return found


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to look for what is left")
@pytest.mark.parametrize("how", ["TERM", "INT from the keyboard", "KILL"])
def test_an_interrupted_run_leaves_nothing_behind(how: str) -> None:
    place = lifeline.folder() / how[:4].strip()  # a short path: Chromium makes sockets in it
    place.mkdir()
    # In the background, a shell makes its processes ignore interrupts from the keyboard.
    hears = "import signal, pytest; signal.signal(signal.SIGINT, signal.default_int_handler); pytest.console_main()"
    command = [sys.executable, "-c", hears, "-n1", "-p", "no:cacheprovider", "tests/browser/waits.py"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    run = subprocess.Popen(
        command, cwd=ROOT, env=clean | {"TMPDIR": str(place)}, start_new_session=True, stdout=subprocess.PIPE
    )
    try:
        assert until(lambda: any(place.glob("*/waits")), 120)
        assert len(processes_of(place)) >= 4  # a worker, a server, Playwright, Chromium and its parts
        if how == "INT from the keyboard":  # reaches everybody who has not left the terminal
            os.killpg(run.pid, signal.SIGINT)
        else:
            run.send_signal(signal.SIGTERM if how == "TERM" else signal.SIGKILL)
        text = run.communicate(timeout=60)[0].decode()
        assert until(lambda: not processes_of(place), 60), processes_of(place)
        if how != "KILL":
            assert "KeyboardInterrupt" in text
            assert not list(place.iterdir())
    finally:
        run.kill()
