"""The app for the browser tests: `python tests/browser/serve.py [--slow] --server.port=8501`.

It ends with the run of the tests that started it. With --slow long jobs rest at their first steps, for the tests that
must press Stop before a job ends, however fast the machine is.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.web import cli

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests import lifeline

PAUSES = (3.0, 2.0)  # seconds after the first reports of progress: time to find a button, even on a busy machine


def slow_down() -> None:
    """Let every job that reports its progress rest after its first reports, and show its bar at once."""
    from embtools.ui import cached, jobs

    compute = cached.compute

    def slow(
        function: Callable[..., Any], *arguments: Any, progress: Callable[[float], None] | None = None, **named: Any
    ) -> Any:
        if progress is None:
            return compute(function, *arguments, **named)
        tell, pauses = progress, iter(PAUSES)

        def report(done: float) -> None:
            tell(done)
            time.sleep(next(pauses, 0.0))

        return compute(function, *arguments, progress=report, **named)

    jobs.PATIENCE = 0.0
    cached.compute = slow


if __name__ == "__main__":
    lifeline.leave_with_the_run()
    options = sys.argv[1:]
    if "--slow" in options:
        options.remove("--slow")
        slow_down()
    sys.exit(cli.main(["run", "app.py", *options]))
