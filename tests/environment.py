"""A fresh environment with this repository installed, and with nothing else than what the wheel declares.

The packages come from the environment of the tests: each declared distribution, and what it requires in turn, is linked
into the fresh one. A package that is used but not declared is missing there, and no index has to be reached.
"""

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import lifeline

ROOT = Path(__file__).parents[1]


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


def built(place: Path) -> Path:
    """Build the wheel of the files that are under version control."""
    source = place / "source"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        if name.startswith(("embtools/", "training/")) or "/" not in name:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    command = [*pip, "wheel", "--no-deps", "-q", "-w", str(place), str(source)]
    subprocess.run(command, check=True)
    (wheel,) = place.glob("embtools-*.whl")
    return wheel


def fresh(home: Path, wheel: Path, *, extras: Iterable[str] = (), more: Iterable[str] = ()) -> Environment:
    """Make an environment with the wheel, its requirements with these extras, and `more` packages."""
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = home / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
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
            wheel = built(home / "wheel")
            linked = fresh(home / "environment", wheel, more=["ipykernel", "nbformat"]).linked
            done.write_text("\n".join(sorted(linked)))
    return Environment(home / "environment", home / "environment/bin/python", frozenset(done.read_text().split()))


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
