"""Does a model fit into memory? A host that runs out of it ends every visitor's session."""

from pathlib import Path

import psutil

FACTOR = 1.5
"""Memory as a multiple of the weights' file: loading BERT base took 1.22 times as much; the rest is left for work."""
_CONTROL_GROUP = Path("/sys/fs/cgroup")  # a container may have less than its machine


def available(group: Path = _CONTROL_GROUP) -> int:
    """The megabytes that can still be had: of the machine, or of the container where that has less."""
    free = psutil.virtual_memory().available
    try:
        limit, used = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
    except (OSError, ValueError):  # no container; or "max", no limit
        return free // 10**6
    return min(free, max(0, limit - used)) // 10**6


def check(name: str, megabytes: int) -> None:
    """Raise ValueError when a model with so many megabytes of weights does not fit into what is free."""
    needed, free = round(FACTOR * megabytes), available()
    if needed > free:
        raise ValueError(
            f"{name} needs about {needed:,} MB of memory to load, and {free:,} MB are free on this server. Choose a"
            " smaller model."
        )
