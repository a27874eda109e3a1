"""Processes and files of a test run: they end and are deleted with the run, however it ends.

The main process of the run holds a lock on a file in a folder of its own. Servers wait for that lock and exit when they
get it: the system releases it when the process ends, is interrupted, or is killed. All temporary files are in the folder.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

try:
    import fcntl
except ImportError:  # Windows: no server is started there
    fcntl = None  # type: ignore[assignment]

FOLDER = "EMBTOOLS_TESTS"  # the environment of every process of a run names its folder


def begin(end: Any) -> None:
    """Hold the lifeline until the function given to `end` is called; a TERM ends the run as Ctrl-C does."""
    folder = Path(tempfile.mkdtemp(prefix="embtools-"))  # short: the names of sockets in it may have 107 characters
    line = (folder / "lifeline").open("w")
    if fcntl:
        fcntl.flock(line, fcntl.LOCK_EX)
    before = {name: os.environ.get(name) for name in (FOLDER, "TMPDIR", "PYTEST_DEBUG_TEMPROOT")}
    os.environ.update(dict.fromkeys(before, str(folder)))
    tempfile.tempdir = None  # read TMPDIR again
    handler = signal.signal(signal.SIGTERM, _interrupt)

    def let_go() -> None:
        signal.signal(signal.SIGTERM, handler)
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        tempfile.tempdir = None
        line.close()
        shutil.rmtree(folder, ignore_errors=True)

    end(let_go)


def folder() -> Path:
    """The folder of this run, the same for all its workers."""
    return Path(os.environ[FOLDER])


def leave_with_the_run() -> None:
    """End this process, whatever it is doing, as soon as the run of the tests has ended. Without a run: never."""
    if FOLDER in os.environ:
        threading.Thread(target=_wait, args=(folder() / "lifeline",), daemon=True).start()


@contextmanager
def alone(name: str) -> Iterator[None]:
    """One worker of the run at a time."""
    with (folder() / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def launch(
    *command: str, cwd: Path, log: IO[bytes], environment: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a Python program that calls `leave_with_the_run`, out of reach of the terminal's Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, *command],
        cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
        env={**os.environ, **(environment or {})},
    )  # fmt: skip


def _wait(line: Path) -> None:
    try:
        with line.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH)
    finally:
        os._exit(0)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
