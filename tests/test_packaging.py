"""The library as a package: its declared ranges, what the wheel holds, and that it works where nothing else is."""

import ast
import re
import subprocess
import sys
import tomllib
import urllib.request
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


@pytest.mark.slow
def test_what_the_library_imports_is_declared() -> None:
    library = set().union(*(imported(folder) for folder in (ROOT / "embtools").iterdir() if folder.name != "ui"))
    assert library <= set(declared()) | set(OPTIONAL)
    assert all(package in declared(extra) for package, extra in OPTIONAL.items())
    assert imported(ROOT / "embtools" / "ui") <= set(declared("app"))
    assert imported(ROOT / "training") - {"training"} <= set(declared())


def test_the_pins_of_the_app_lie_in_the_ranges() -> None:
    lines = map(Requirement, (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())
    pins = {line.name: str(line.specifier).removeprefix("==") for line in lines}
    ranges = declared("app")
    assert set(pins) == set(ranges)
    assert [name for name in ranges if "==" in str(ranges[name].specifier)] == ["streamlit"]  # private parts are used
    assert all(ranges[name].specifier.contains(version) for name, version in pins.items())


@pytest.fixture(scope="module")
def wheel() -> Path:
    return environment.shared_wheel()


@pytest.mark.slow
def test_the_library_works_with_nothing_but_what_it_declares(wheel: Path, tmp_path: Path) -> None:
    own = environment.fresh(tmp_path / "environment", wheel)
    assert own.linked >= set(declared()) and not own.linked & {"streamlit", "nbformat", "redis", "pytest"}
    printed = own.run(TRY.format(home=str(own.home)), where=tmp_path)
    assert re.fullmatch(r"works \d{4}\.\d+\.\d+", printed.strip().splitlines()[-1])


@pytest.mark.thorough
def test_the_app_works_with_nothing_but_what_its_extra_declares(wheel: Path, tmp_path: Path) -> None:
    own = environment.fresh(tmp_path / "environment", wheel, extras=["app"])
    assert own.linked >= set(declared("app")) and not own.linked & {"redis", "pytest"}
    subprocess.run([own.python, "-m", "pip", "check"], check=True, capture_output=True)
    (app,) = own.home.glob("lib/*/site-packages/embtools/app")
    assert f"shown {len(list((ROOT / 'pages').glob('*.py')))} pages" in own.run(OPEN, where=app)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sdist", "editable"])
def test_an_installed_app_starts_in_an_empty_folder(kind: str, tmp_path: Path) -> None:
    """That of the wheel: tests/browser/test_command.py."""
    if kind == "sdist":
        source = environment.built(tmp_path / "from sdist", environment.sdist(tmp_path))
    else:
        source = environment.sources(tmp_path)
    own = environment.fresh(tmp_path / "environment", source, extras=["app"])
    empty = tmp_path / "empty"
    empty.mkdir()
    app = Path(own.run("from embtools.ui import command; print(command.app())", where=empty).strip())
    assert app.is_relative_to(source if kind == "editable" else own.home)
    files = [ROOT / "app.py", ROOT / ".streamlit/config.toml", *(ROOT / "pages").glob("*.py")]
    assert all((app.parent / each.relative_to(ROOT)).read_bytes() == each.read_bytes() for each in files)
    command = [own.python, "-m", "embtools"] if kind == "editable" else [own.home / "bin" / "embtools"]
    with environment.started(*command, "--no-browser", "--port", "0", where=empty, log=tmp_path / "log") as address:
        assert urllib.request.urlopen(f"{address}/_stcore/health", timeout=60).read() == b"ok"
    assert list(empty.iterdir()) == []
