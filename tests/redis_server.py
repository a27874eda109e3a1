"""A Redis server from Debian's package, with a password and without files, that can be stopped and started again."""

import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests import lifeline

ROOT = Path(__file__).parents[1]
PASSWORD = "for-the-tests"
SETTINGS = ("requirepass " + PASSWORD, 'save ""', "appendonly no")


class RedisServer:
    """A Redis server on a port of its own; `lines` are those of its configuration file, with a password."""

    def __init__(self, lines: Sequence[str] = SETTINGS) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.lines = [*lines, f"port {self.port}", "bind 127.0.0.1"]
        (password,) = (line.split()[1] for line in lines if line.startswith("requirepass"))
        self.url = f"redis://:{password}@127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        name = lifeline.folder() / f"redis-{self.port}"
        name.with_suffix(".conf").write_text("\n".join(self.lines) + "\n")
        command = (str(ROOT / "tests/program.py"), "redis-server", str(name.with_suffix(".conf")))
        with name.with_suffix(".log").open("ab") as log:
            self.process: subprocess.Popen[bytes] = lifeline.launch(*command, cwd=lifeline.folder(), log=log)
        self._wait(True)

    def stop(self) -> None:
        """End it; all that it holds is lost."""
        self.process.kill()
        self.process.wait()
        self._wait(False)

    def answers(self) -> bool:
        """Whether it can be reached."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
            return True
        return False

    def _wait(self, answers: bool) -> None:
        until = time.monotonic() + 20
        while self.answers() != answers:
            if time.monotonic() > until:
                raise RuntimeError(f"redis-server did not {'start' if answers else 'end'}")
            time.sleep(0.02)
