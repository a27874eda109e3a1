"""The library as a package: its declared ranges, what the wheel holds, and that it works where nothing else is."""

import ast
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGE_OF = {
    "sklearn": "scikit-learn",
    "huggingface_hub": "huggingface-hub",
    "prometheus_client": "prometheus-client",
}
CLUSTER = {"ray"}  # requirements-cluster.txt
OPTIONAL = {"redis": "rooms"}  # package → the extra that declares it
TRY = """
import embtools
from pathlib import Path
from embtools import wordlists
from embtools.charts.style import COLOURS

assert Path(embtools.__file__).is_relative_to({home!r}), embtools.__file__
model = embtools.load_model()
answers = embtools.fill_mask("Rome is the capital of [MASK].", model, k=3)
assert answers["token"].iloc[0] == "italy", answers
assert len(wordlists.names()) > 20
print("works", embtools.__version__)
"""


def declared(extra: str = "") -> dict[str, Requirement]:
    lines = PROJECT["dependencies"] + (PROJECT["optional-dependencies"][extra] if extra else [])
    return {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}


def imported(folder: Path) -> set[str]:
    """The packages that the files of a folder import, wherever in the file."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            found |= {name.partition(".")[0] for name in names}
    return {PACKAGE_OF.get(name, name) for name in found - set(sys.stdlib_module_names) - {"embtools"} - CLUSTER}


def test_what_the_library_imports_is_declared() -> None:
    library = set().union(*(imported(folder) for folder in (ROOT / "embtools").iterdir() if folder.name != "ui"))
    assert library <= set(declared()) | set(OPTIONAL)
    assert all(package in declared(extra) for package, extra in OPTIONAL.items())
    assert imported(ROOT / "embtools" / "ui") <= set(declared("app"))


def test_the_pins_of_the_app_lie_in_the_ranges() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    pins = dict(line.split("==") for line in lines)
    ranges = declared("app")
    assert set(pins) == set(ranges)
    for name, version in pins.items():
        assert "==" not in str(ranges[name].specifier) and ranges[name].specifier.contains(version), name


@pytest.mark.slow
def test_the_wheel_works_in_a_fresh_environment(tmp_path: Path) -> None:
    """The environment sees the packages of this one, but not the repository."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    source = tmp_path / "source"
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        if name.startswith("embtools/") or "/" not in name:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run([*pip, "wheel", "--no-deps", "-q", "-w", str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("embtools-*.whl")
    home = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
    python = home / "bin" / "python"
    (site,) = home.glob("lib/python*/site-packages")
    (site / "packages.pth").write_text(sysconfig.get_path("purelib"))
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    script = TRY.format(home=str(home))
    run = subprocess.run([python, "-c", script], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert re.fullmatch(r"works \d{4}\.\d+\.\d+", run.stdout.strip().splitlines()[-1])
