"""The app with long jobs that rest at their first steps: `python tests/browser/slow.py --server.port=8501`.

For the tests that must press Stop before a job ends, however fast the machine is.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.web import cli

sys.path.insert(0, str(Path(__file__).parents[2]))
from embtools.ui import cached, jobs

PAUSES = (3.0, 2.0)  # seconds after the first reports of progress: time to find a button, even on a busy machine

_call = cached.compute


def slow_call(
    function: Callable[..., Any], *arguments: Any, progress: Callable[[float], None] | None = None, **named: Any
) -> Any:
    """`cached.compute`, resting after the first reports of progress."""
    if progress is None:
        return _call(function, *arguments, **named)
    tell, pauses = progress, iter(PAUSES)

    def report(done: float) -> None:
        tell(done)
        time.sleep(next(pauses, 0.0))

    return _call(function, *arguments, progress=report, **named)


if __name__ == "__main__":
    jobs.PATIENCE = 0.0
    cached.compute = slow_call
    sys.exit(cli.main(["run", "app.py", *sys.argv[1:]]))
