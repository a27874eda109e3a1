"""How often a chain of calls goes from a lower package into a higher one, by the layers of pyproject.toml."""

import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
_PACKAGE = ROOT / "embtools"


def levels(lines: list[str]) -> dict[str, int]:
    """The level of each package; those of one line of the contract have the same one, and the last line has level 0.

    >>> levels(["ui", "bias | corpus"])
    {'bias': 0, 'corpus': 0, 'ui': 1}
    """
    return {name: level for level, line in enumerate(reversed(lines)) for name in line.split(" | ")}


def _levels() -> dict[str, int]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    return levels(next(contract["layers"] for contract in settings["contracts"] if contract["type"] == "layers"))


def longest_chain(work: Callable[[], Any]) -> list[str]:
    """The calls into a higher package of the chain that has most of them, such as "memory._invoke > corpus.nearest".

    Only the thread of the caller is watched.
    """
    known, packages = _levels(), dict[str, str]()
    most: list[str] = []

    def package(frame: FrameType) -> str:
        file = frame.f_code.co_filename
        if file not in packages:
            own = Path(file).is_relative_to(_PACKAGE)
            packages[file] = Path(file).relative_to(_PACKAGE).parts[0].removesuffix(".py") if own else ""
        return packages[file] if packages[file] in known else ""

    def called(frame: FrameType, event: str, _: Any) -> None:
        nonlocal most
        if event != "call" or not package(frame):
            return
        upward, callee, each = [], frame, frame.f_back
        while each is not None:
            if package(each):
                if known[package(callee)] > known[package(each)]:
                    names = (f"{package(one)}.{one.f_code.co_name}" for one in (each, callee))
                    upward.append(" > ".join(names))
                callee = each
            each = each.f_back
        if len(upward) > len(most):
            most = upward[::-1]

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return most
