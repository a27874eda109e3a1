"""Which tests were measured to be slow: they run with --slow, like those that are marked slow by hand.

    pytest --slow --durations=0 > durations.txt
    python -m tests.slow durations.txt

writes `slow.txt`, the list of the tests whose call took at least `SECONDS` on two cores.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

SECONDS = 3.5
LISTED = Path(__file__).with_name("slow.txt")
_CALL = re.compile(r"\s*([\d.]+)s call\s+(\S.*?)\s*$")


def listed() -> frozenset[str]:
    """The node ids of the list."""
    return frozenset(LISTED.read_text(encoding="utf-8").splitlines())


def measured(lines: Iterable[str]) -> list[str]:
    """The node ids whose call took at least `SECONDS`, from the lines that pytest prints with --durations=0.

    >>> measured(["9.12s call     tests/test_app.py::test_a[x]", "0.31s call     tests/test_app.py::test_b"])
    ['tests/test_app.py::test_a[x]']
    """
    found = (_CALL.match(line) for line in lines)
    return sorted({match[2] for match in found if match and float(match[1]) >= SECONDS})


def main(arguments: list[str]) -> int:
    """Write the list from a file of durations, and return the exit status."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    names = measured(Path(arguments[0]).read_text(encoding="utf-8").splitlines())
    LISTED.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    print(f"{len(names)} slow tests are in {LISTED.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
