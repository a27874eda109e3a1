"""Check whether a model fits into memory: a host that runs out of memory ends every visitor's session."""

from pathlib import Path

import psutil

FACTOR = 1.5
"""Memory needed, as a multiple of the file of weights: loading BERT base took 1.22 times; the rest is for computing."""
_CONTROL_GROUP = Path("/sys/fs/cgroup")  # a container may have less memory than its machine


def available(group: Path = _CONTROL_GROUP) -> int:
    """Return the free memory in megabytes, of the machine or of the container if that has less."""
    free = psutil.virtual_memory().available
    try:
        limit, used = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):  # not in a container, or "max", which is no limit
        return free // 10**6
    return min(free, max(0, limit - used)) // 10**6


def check(name: str, megabytes: int) -> None:
    """Raise ValueError if a model with this many megabytes of weights does not fit into the free memory."""
    needed, free = round(FACTOR * megabytes), available()
    if needed > free:
        raise ValueError(
            f"{name} needs about {needed:,} MB of memory, but only {free:,} MB are free on this server. Choose a"
            " smaller model."
        )
