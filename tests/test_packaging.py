"""The library as a package: its declared ranges, what the wheel holds, and that it works where nothing else is."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import environment

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGE_OF = {
    "sklearn": "scikit-learn",
    "re2": "google-re2",
    "huggingface_hub": "huggingface-hub",
    "prometheus_client": "prometheus-client",
}
CLUSTER = {"ray"}  # requirements-cluster.txt
OPTIONAL = {"redis": "rooms"}  # package → the extra that declares it
TRY = """
import embtools
from importlib.util import find_spec
from pathlib import Path
from embtools import wordlists
from embtools.charts.style import COLOURS

assert Path(embtools.__file__).is_relative_to({home!r}), embtools.__file__
assert find_spec("training") is None
model = embtools.load_model()
answers = embtools.fill_mask("Rome is the capital of [MASK].", model, k=3)
assert answers["token"].iloc[0] == "italy", answers
assert len(wordlists.names()) > 20
print("works", embtools.__version__)
"""

OPEN = """
import os
from pathlib import Path
from streamlit.testing.v1 import AppTest

os.environ["EMBTOOLS_PREPARED"] = "1"  # as after an installation
pages = sorted(path.stem for path in Path("pages").glob("*.py"))
for page in pages:
    test = AppTest.from_file("app.py", default_timeout=300).switch_page(f"pages/{page}.py").run()
    assert not test.exception, (page, test.exception)
print("shown", len(pages), "pages")
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
    assert imported(ROOT / "training") - {"training"} <= set(declared())


def test_the_pins_of_the_app_lie_in_the_ranges() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    pins = dict(line.split("==") for line in lines)
    ranges = declared("app")
    assert set(pins) == set(ranges)
    for name, version in pins.items():
        assert "==" not in str(ranges[name].specifier) and ranges[name].specifier.contains(version), name


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return environment.built(tmp_path_factory.mktemp("wheel"))


@pytest.mark.slow
def test_the_library_works_with_nothing_but_what_it_declares(wheel: Path, tmp_path: Path) -> None:
    own = environment.fresh(tmp_path / "environment", wheel)
    assert own.linked >= set(declared()) and not own.linked & {"streamlit", "nbformat", "redis", "pytest"}
    printed = own.run(TRY.format(home=str(own.home)), where=tmp_path)
    assert re.fullmatch(r"works \d{4}\.\d+\.\d+", printed.strip().splitlines()[-1])


@pytest.mark.slow
def test_the_app_works_with_nothing_but_what_its_extra_declares(wheel: Path, tmp_path: Path) -> None:
    own = environment.fresh(tmp_path / "environment", wheel, extras=["app"])
    assert own.linked >= set(declared("app")) and not own.linked & {"redis", "pytest"}
    subprocess.run([own.python, "-m", "pip", "check"], check=True, capture_output=True)
    clone = tmp_path / "clone"
    for name in ("pages", ".streamlit"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", clone)
    assert f"shown {len(list((ROOT / 'pages').glob('*.py')))} pages" in own.run(OPEN, where=clone)
