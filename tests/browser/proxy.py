"""nginx for the tests of hosting: `python tests/browser/proxy.py CONFIGURATION`. It ends with the run that started it."""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests import lifeline

END_WITH_PARENT = 1  # the number of PR_SET_PDEATHSIG in prctl.h


def _follow() -> None:
    ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGTERM)


if __name__ == "__main__":
    user = "user root; " if os.geteuid() == 0 else ""  # another user could not write to the folder of the tests
    command = ["nginx", "-c", sys.argv[1], "-p", str(Path(sys.argv[1]).parent), "-g", f"{user}daemon off;"]
    nginx = subprocess.Popen(command, preexec_fn=_follow)
    lifeline.leave_with_the_run()
    sys.exit(nginx.wait())
