"""A program that ends with the run of the tests that started it: `python tests/program.py nginx -c nginx.conf`."""

import ctypes
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests import lifeline

END_WITH_PARENT = 1  # the number of PR_SET_PDEATHSIG in prctl.h


def _follow() -> None:
    ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGTERM)


if __name__ == "__main__":
    program = subprocess.Popen(sys.argv[1:], preexec_fn=_follow)
    lifeline.leave_with_the_run()
    sys.exit(program.wait())
