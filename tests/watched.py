"""Watches what Python does: `with watching(bait):` raises AssertionError if anything inside writes, connects or executes.

Python's audit hooks report it, also from other threads. The bait is a file whose path attackers name: nothing may read it.
"""

import ast
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

MARK = "zqzq"  # in every text of an attacker that would be code, a path or an address
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN = (
    "socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind", "urllib.Request",
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "pty.spawn", "os.startfile",
    "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "os.chown",
    "shutil.", "tempfile.", "pickle.find_class", "webbrowser.open", "ctypes.dlopen", "glob.glob", "sqlite3.connect",
    "smtplib.", "ftplib.", "telnetlib.", "http.client.", "marshal.loads",
)  # fmt: skip
_SOURCES = (
    "compile",
    "import",
    "os.listdir",
    "os.scandir",
    "os.chdir",
    "object.__getattr__",
)  # only if they have the mark


class _Watch:
    """The one hook of this process; Python cannot take it away again."""

    def __init__(self) -> None:
        self.bait: str | None = None
        self.seen: list[str] = []
        self.hooked = False

    def hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.bait is None:
            return
        if event == "open":
            self._opened(*arguments[:3])
        elif event == "marshal.loads" or (event == "compile" and _is_literal(sys._getframe(1))):
            return  # modules that are imported late; literals
        elif event == "ctypes.dlopen" and "site-packages" in repr(arguments) and MARK not in repr(arguments):
            return  # scikit-learn asks the numerical libraries for their threads
        elif event.startswith(_FORBIDDEN) or (event in _SOURCES and MARK in repr(arguments)):
            self.seen.append(f"{event} {repr(arguments)[:200]}")

    def _opened(self, path: Any, mode: Any, flags: Any) -> None:
        writes = bool(set(str(mode or "")) & set("wax+")) or bool(int(flags or 0) & _WRITES)
        name = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        if not name or "__pycache__" in name:  # a pipe of the process, or a module that is compiled
            return
        if writes or MARK in name or name == self.bait:
            self.seen.append(f"open {name[:200]} {mode} {flags}")


def _is_literal(frame: FrameType) -> bool:
    """Return whether `ast.literal_eval` parses a text, as numpy does with the head of an array: it executes nothing."""
    caller = frame.f_back
    return caller is not None and (frame.f_code, caller.f_code) == (ast.parse.__code__, ast.literal_eval.__code__)


_watch = _Watch()


@contextmanager
def watching(bait: Path) -> Iterator[None]:
    """Raise AssertionError at the end if anything was written, fetched or executed inside, or the bait was read."""
    if not _watch.hooked:
        sys.addaudithook(_watch.hook)
        _watch.hooked = True
    _watch.bait, _watch.seen = str(bait), []
    try:
        yield
    finally:
        _watch.bait = None
    assert not _watch.seen, _watch.seen[:5]
