"""A fresh environment with this repository installed, and with nothing else than what the wheel declares.

The packages come from the environment of the tests: each declared distribution, and what it requires in turn, is linked
into the fresh one. A package that is used but not declared is missing there, and no index has to be reached.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import lifeline

ROOT = Path(__file__).parents[1]
_AS_VISITORS = {name: value for name, value in os.environ.items() if not name.startswith(("EMBTOOLS_", "STREAMLIT_"))}


@dataclass(frozen=True)
class Environment:
    """An environment: its folder, its Python, and the names of the packages that were linked into it."""

    home: Path
    python: Path
    linked: frozenset[str]

    def run(self, script: str, *, where: Path) -> str:
        """Run Python code in a folder; return what it prints."""
        command = [self.python, "-c", script]
        return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout


def sources(place: Path) -> Path:
    """Copy the files that are under version control, and that a package is made from."""
    source = place / "source"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        if name.startswith(("embtools/", "training/", "pages/", ".streamlit/")) or "/" not in name:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    return source


def sdist(place: Path) -> Path:
    """Pack the sources."""
    code = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(place)], cwd=sources(place), check=True, capture_output=True)
    (packed,) = place.glob("embtools-*.tar.gz")
    return packed


def built(place: Path, source: Path | None = None) -> Path:
    """Build the wheel, from the sources or from a packed sdist."""
    source = source or sources(place)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--no-deps", "-q", "-w", str(place), str(source)]
    subprocess.run(command, check=True)
    (wheel,) = place.glob("embtools-*.whl")
    return wheel


def shared_wheel() -> Path:
    """Return the wheel that all workers share; the first one builds it."""
    home = lifeline.folder() / "wheel"
    with lifeline.alone("wheel"):
        return next(iter(home.glob("*.whl")), None) or built(home)


def fresh(home: Path, wheel: Path, *, extras: Iterable[str] = (), more: Iterable[str] = ()) -> Environment:
    """Make an environment with the wheel (or with a folder of sources, to be edited), its requirements and `more`."""
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = home / "bin" / "python"
    what = ["-e", str(wheel)] if wheel.is_dir() else ["--no-index", str(wheel)]
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", *what], check=True)
    (site,) = home.glob("lib/python*/site-packages")
    (info,) = site.glob("embtools-*.dist-info")
    own = Distribution.at(info)
    needed = [Requirement(line) for line in own.requires or ()]
    wanted = [each for each in needed if _applies(each, extras)] + [Requirement(name) for name in more]
    found = _with_requirements(wanted)
    for each in found.values():
        _link(each, site)
    return Environment(home, python, frozenset(found))


def of_notebooks() -> Environment:
    """Return the environment in which notebooks run, the same for all workers; the first one makes it."""
    home = lifeline.folder() / "notebooks"
    with lifeline.alone("notebooks"):
        if not (done := home / "done").exists():
            linked = fresh(home / "environment", shared_wheel(), more=["ipykernel", "nbformat"]).linked
            done.write_text("\n".join(sorted(linked)))
    return Environment(home / "environment", home / "environment/bin/python", frozenset(done.read_text().split()))


@contextmanager
def started(*command: str | Path, where: Path, log: Path) -> Iterator[str]:
    """Start the app with a command, yield its address, and end it with Ctrl-C, which must leave no traceback."""
    with log.open("wb") as file:
        process = subprocess.Popen(list(map(str, command)), cwd=where, stdout=file, stderr=file, env=_AS_VISITORS)
    try:
        begun = time.monotonic()
        while not (found := re.search(r"is at (http://\S+)", log.read_text())):
            assert process.poll() is None and time.monotonic() - begun < 120, log.read_text()
            time.sleep(0.1)
        yield found[1]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130 and "Traceback" not in log.read_text(), log.read_text()
    finally:
        process.kill()
        process.wait()


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _with_requirements(wanted: list[Requirement]) -> dict[str, Distribution]:
    """Return the distributions of requirements and of what these require, by name; those that are there must fit."""
    found: dict[str, Distribution] = {}
    taken: set[tuple[str, str]] = set()  # with the extra that was asked for
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        try:
            each = distribution(name)
        except PackageNotFoundError:
            raise AssertionError(f"{name} is required, but the environment of the tests has none") from None
        assert requirement.specifier.contains(each.version, prereleases=True), (requirement, each.version)
        found[name] = each
        for extra in {"", *requirement.extras} - {extra for known, extra in taken if known == name}:
            taken.add((name, extra))
            lines = [Requirement(line) for line in each.requires or ()]
            wanted += [line for line in lines if _applies(line, [extra])]
    return found


def _link(each: Distribution, site: Path) -> None:
    """Link the modules, folders and metadata of a distribution."""
    for first in {file.parts[0] for file in each.files or ()} - {"..", "__pycache__"}:
        if not (target := site / first).exists():
            target.symlink_to(Path(str(each.locate_file(first))))


def executed(notebook: Any, own: Environment, *, where: Path) -> Any:
    """Run a notebook from top to bottom with the Python of an environment; return it with its outputs."""
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    class Manager(AsyncKernelManager):
        def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
            return [str(own.python), "-m", "ipykernel_launcher", "-f", self.connection_file]

    client = NotebookClient(
        notebook, timeout=600, kernel_manager_class=Manager, resources={"metadata": {"path": where}}
    )
    return client.execute()
