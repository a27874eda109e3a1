"""Check whether a model fits into memory: a host that runs out of memory ends every visitor's session."""

from pathlib import Path

import psutil

FACTOR = 1.5
"""Memory needed, as a multiple of the file of weights: loading BERT base took 1.22 times; the rest is for computing."""
_CONTROL_GROUP = Path("/sys/fs/cgroup")  # a container may have less memory than its machine
_MEMBERSHIP = Path("/proc/self/cgroup")
_FILES = ("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")  # versions 2 and 1


def available(group: Path = _CONTROL_GROUP, *, membership: Path = _MEMBERSHIP) -> int:
    """Return the free memory in megabytes, of the machine or of the container or service if that has less."""
    free = psutil.virtual_memory().available
    for folder in _groups(group, membership):
        for names in _FILES:
            try:
                limit, used = (int((folder / name).read_text()) for name in names)
            except (OSError, ValueError):  # there is no such group, or "max", which is no limit
                continue
            free = min(free, max(0, limit - used))
    return int(free // 10**6)


def _groups(root: Path, membership: Path) -> set[Path]:
    """Return the folders of the control groups of this process: those that a container sees, and those of a service."""
    found = {root, root / "memory"}
    try:
        lines = membership.read_text().splitlines()
    except OSError:
        return found
    for _, controllers, path in (line.split(":", 2) for line in lines if line.count(":") >= 2):
        if not controllers or "memory" in controllers.split(","):  # version 2 has no controllers in this file
            found.add(root / ("memory" if controllers else "") / path.lstrip("/"))
    return found


def check(name: str, megabytes: int) -> None:
    """Raise ValueError if a model with this many megabytes of weights does not fit into the free memory."""
    needed, free = round(FACTOR * megabytes), available()
    if needed > free:
        raise ValueError(
            f"{name} needs about {needed:,} MB of memory, but only {free:,} MB are free on this server. Choose a"
            " smaller model."
        )
