"""The rules for imports: each is tested by adding what it forbids to a copy of the code."""

import ast
import graphlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grimp
import pytest

from embtools import memory
from embtools.clusters.maps import word_map
from embtools.clusters.points import Words
from embtools.clusters.view import View
from embtools.corpus.search import Query, nearest
from embtools.layer_combinations import SUM_FOUR
from embtools.models.embedding_model import EmbeddingModel
from embtools.occurrences.corpus import read_corpus, split_sentences
from embtools.ui import menu
from tests.upward import longest_chain

ROOT = Path(__file__).parents[1]
HEAVY, DRAWING = ("torch", "transformers"), ("plotly", "streamlit")
NOWHERE = ("ray", "boto3")  # except in the module that starts with them
BANNED = {
    "embtools": HEAVY + DRAWING,
    "embtools/bias": HEAVY + DRAWING,
    "embtools/statistics": HEAVY + DRAWING,
    "embtools/models": DRAWING,
    "training": DRAWING,
    "training/scoring": DRAWING,
    "embtools/charts": (*HEAVY, "streamlit"),
    "embtools/ui": HEAVY,
    "embtools/ui/bias": HEAVY,
    "pages": HEAVY,
}
# Added to a package: an import that a contract forbids. The report of this contract must contain it.
FORBIDDEN = {
    "The library does not know how its model was trained": [
        ("embtools.stored_scores", "training.scoring.measures"),
        ("embtools.dictionary", "training.text"),
    ],
    "Training does not know how it is scored": [
        ("training.loop", "training.scoring.report"),
        ("training.text", "training.sentences.reading"),
    ],
    "Imports point downwards": [
        ("embtools.words", "embtools.mask_filling.edits"),
        ("embtools.bias", "embtools.clusters.view"),
        ("embtools.vectors", "embtools.models.catalogue"),
        ("embtools.rooms", "embtools.models.catalogue"),
        ("embtools.ui", "embtools.__main__"),
    ],
    "Figures of one idea know no other idea's": [("embtools.charts.bias", "embtools.charts.clusters")],
    "Screens of one idea know no other idea's": [("embtools.ui.bias", "embtools.ui.clusters.maps")],
    "Numbers know neither figures nor screens": [
        ("embtools.formula", "embtools.charts.style"),
        ("embtools.layers", "embtools.ui.fields"),
        ("training.scoring", "embtools.charts.style"),
        ("embtools.drawing", "embtools.charts.notebook"),
    ],
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code, without weights and tests."""
    folder = tmp_path_factory.mktemp("house")
    weights = shutil.ignore_patterns("__pycache__", "*.safetensors", "tokenizer.json", "*.csv")
    for name in ("embtools", "training", "pages"):
        shutil.copytree(ROOT / name, folder / name, ignore=weights)
    for name in ("app.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def run(folder: Path, *command: str) -> str:
    """The output of one of the tools for this folder."""
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run([str(program), *command[1:]], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def complaints(copy: Path) -> set[tuple[str, str]]:
    """Folder and name of every package that ruff refuses, if every folder imports each of them."""
    planted = [copy / folder / f"planted_{name}.py" for folder in BANNED for name in HEAVY + DRAWING + NOWHERE]
    for path in planted:
        name = path.stem.removeprefix("planted_")
        path.write_text(f"import {name}.nothing\n\n\ndef late():\n    from {name} import nothing\n")
    found = json.loads(run(copy, "ruff", "check", "--select=TID251", "--no-cache", "--output-format=json", "."))
    places = [(Path(each["filename"]), each["location"]["row"]) for each in found]
    for path in planted:
        path.unlink()
    twice = {path for path, _ in places if {(path, 1), (path, 5)} <= set(places)}  # at the top and inside a function
    return {(str(p.parent.relative_to(copy)), p.stem.removeprefix("planted_")) for p in twice}


@pytest.mark.parametrize("folder", BANNED)
def test_a_folder_may_import_only_what_the_rules_allow(complaints: set[tuple[str, str]], folder: str) -> None:
    assert {name for place, name in complaints if place == folder} == {*BANNED[folder], *NOWHERE}


def test_every_exception_to_a_ban_is_tested_here() -> None:
    loosened = {str(path.parent.relative_to(ROOT)) for path in ROOT.glob("*/**/ruff.toml")}
    assert loosened <= set(BANNED)


@pytest.fixture(scope="module")
def report(copy: Path, complaints: object) -> dict[str, list[str]]:
    """The report of import-linter for each contract, if the code contains everything that they forbid."""
    for importer, imported in (pair for pairs in FORBIDDEN.values() for pair in pairs):
        place = copy / Path(*importer.split("."))
        with (place / "planted.py" if place.is_dir() else place.with_suffix(".py")).open("a") as file:
            file.write(f"\n\ndef _planted():\n    import {imported}\n")
    (copy / "embtools" / "unlisted.py").touch()
    said: dict[str, list[str]] = {}
    name = ""
    for line in run(copy, "lint-imports", "--no-cache", "--no-logo").splitlines():
        name = line if line in FORBIDDEN else name
        said.setdefault(name, []).append(line)
    return said


@pytest.mark.parametrize("contract", FORBIDDEN)
def test_an_import_that_a_contract_forbids_is_found(report: dict[str, list[str]], contract: str) -> None:
    for importer, imported in FORBIDDEN[contract]:
        assert any(line.lstrip("- ").startswith(importer) and f"-> {imported} " in line for line in report[contract])


def test_a_package_without_a_layer_is_found(report: dict[str, list[str]]) -> None:
    assert "- embtools.unlisted" in report["Imports point downwards"]


def test_every_contract_names_every_package_and_is_tested_here() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    contracts = {contract["name"]: contract for contract in settings["contracts"]}
    assert set(contracts) == set(FORBIDDEN)
    for wing, name, pages in (
        ("charts", "Figures of one idea know no other idea's", menu.IDEAS),
        ("ui", "Screens of one idea know no other idea's", menu.PAGES),
    ):
        assert {f"embtools.{wing}.{page.name}" for page in pages} <= set(contracts[name]["modules"])
    numbers = {path.stem for path in (ROOT / "embtools").iterdir() if path.suffix in ("", ".py")}
    numbers -= {"ui", "charts", "bundled", "__init__", "__main__", "__pycache__"}
    assert set(contracts["Numbers know neither figures nor screens"]["source_modules"]) == {
        "training",
        *(f"embtools.{n}" for n in numbers),
    }


BY_NAME = {"doors.py": "rooms", "values.py": "classes of results", "drawing.py": "functions in charts/"}
"""The modules of the numbers that import by name, which no contract sees, and what."""
_UPWARDS = re.compile(r"\.(charts|ui)\.|\b(charts|ui)\.\w")


def _by_name(path: Path) -> set[str]:
    """How the code of a file could lead upwards unseen: "imports" by name, or "names" a module of charts/ or ui/."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), set()
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr="import_module" | "run_module" | "resolve_name") | ast.Name(id="__import__"):
                found.add("imports")
            case ast.alias(name="import_module" | "run_module" | "resolve_name"):
                found.add("imports")
            case ast.Constant(value=str(text)) if node not in prose and _UPWARDS.search(text):
                found.add("names")
    return found


@pytest.mark.slow
def test_only_drawing_leads_from_the_numbers_to_charts_by_name() -> None:
    folders = [p for p in (ROOT / "embtools").iterdir() if p.name not in ("ui", "charts")] + [ROOT / "training"]
    files = [path for each in folders for path in ([each] if each.suffix == ".py" else each.rglob("*.py"))]
    found = {path.name: kinds for path in files if (kinds := _by_name(path))}
    assert len(files) > 300 and found == {name: {"imports"} for name in BY_NAME} | {"drawing.py": {"imports", "names"}}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('get("embtools.charts.bias")', {"names"}),
        ('f"{library}.ui.{page}"', {"names"}),
        ("importlib.import_module(name)", {"imports"}),
        ("from importlib import import_module", {"imports"}),
        ("__import__(name)", {"imports"}),
        ('"""As `charts.bias` draws it."""', set()),
        ('"The chart of gui.py, and all charts. A word"', set()),
    ],
)
def test_a_way_upwards_by_name_is_found(line: str, found: set[str], tmp_path: Path) -> None:
    (tmp_path / "planted.py").write_text(line)
    assert _by_name(tmp_path / "planted.py") == found


def cycle(package: str) -> list[str]:
    """A chain of files that import each other, [] if there is none.

    Imports inside functions and for types only count, too.
    """
    graph = grimp.build_graph(package, cache_dir=None)
    imported = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        graphlib.TopologicalSorter(imported).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_no_files_import_each_other() -> None:
    assert cycle("embtools") == cycle("training") == []


@pytest.mark.parametrize(
    ("back", "found"),
    [
        ("from planted_cycle.a import VALUE", True),
        ("def late():\n    from planted_cycle import a", True),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from planted_cycle import a", True),
        ("from typing import TYPE_CHECKING", False),
    ],
)
def test_files_that_import_each_other_are_found(
    back: str, found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "planted_cycle"
    folder.mkdir()
    for name, text in (("__init__", ""), ("a", "from planted_cycle import b"), ("b", "from . import c"), ("c", back)):
        (folder / f"{name}.py").write_text(f"{text}\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert set(cycle("planted_cycle")) == ({f"planted_cycle.{name}" for name in "abc"} if found else set())


GROUPS = (("fruit", ("apple", "pear", "orange")), ("tools", ("hammer", "knife", "axe")))
TEXT = "The bank lent money. He sat on the river bank. The bank failed."


@pytest.mark.parametrize(
    ("query", "arguments"),
    [
        (word_map, {"words": Words(GROUPS), "view": View("PCA")}),
        (nearest, {"corpus": read_corpus(TEXT), "query": Query("bank"), "combination": SUM_FOUR}),
    ],
    ids=["clusters of a word list", "search in a text"],
)
def test_the_longest_chains_of_calls_go_upwards_at_most_twice(
    query: Callable[..., Any], arguments: dict[str, Any], bundled: EmbeddingModel, cold: None
) -> None:
    """The cache calls the function of a page, and the function that reads the words or the text."""

    def ask() -> None:
        memory.call(query, arguments, checksum=bundled.checksum, model=lambda: bundled)

    ask()  # imports what it needs, which would take long while calls are counted
    memory.forget()
    chain = longest_chain(ask)
    assert chain[0] == f"memory._invoke > {query.__module__.split('.')[1]}.{query.__name__}"
    assert len(chain) <= 2, chain


def test_calls_into_a_higher_package_are_counted() -> None:
    upward = longest_chain(lambda: memory.call(split_sentences, {"line": "One. Two."}))
    assert upward == ["memory._invoke > occurrences.split_sentences"]


def _unchecked(node: ast.AST) -> bool:
    """Whether code creates its own random generator, or passes on an unchecked `random_state`."""
    match node:
        case ast.Attribute(attr="default_rng" | "RandomState" | "SeedSequence" | "manual_seed"):
            return True
        case ast.Attribute(attr="seed"):
            return ast.unparse(node.value).endswith("random")
        case ast.Import(names=names):
            return any(name.name in ("random", "numpy.random") for name in names)
        case ast.ImportFrom(module=module):
            return module in ("random", "numpy.random")
        case ast.keyword(arg="random_state", value=value):
            return not (isinstance(value, ast.Constant) or ast.unparse(value).startswith("checked_seed("))
    return False


def _unchecked_seeds(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}" for node in ast.walk(tree) if _unchecked(node)]


@pytest.mark.slow
def test_every_seed_is_checked_where_it_becomes_a_generator() -> None:
    """All random numbers come from `embtools.chance`; charts use a constant seed, and training has its own rule."""
    library = [p for p in (ROOT / "embtools").rglob("*.py") if p.relative_to(ROOT).parts[1] not in ("ui", "charts")]
    modules = [*library, *(ROOT / "training" / "scoring").rglob("*.py")]
    assert [place for path in modules if path.name != "chance.py" for place in _unchecked_seeds(path)] == []


@pytest.mark.parametrize(
    "line",
    [
        "rng = np.random.default_rng(seed)", "rng = numpy.random.RandomState(0)", "np.random.seed(1)", "import random",
        "from random import choice", "KMeans(2, random_state=seed)", "frame.sample(3, random_state=checked)",
        "torch.manual_seed(seed)",
    ],
)  # fmt: skip
def test_an_unchecked_seed_is_found(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    module = tmp_path / "module.py"
    module.write_text(f"def draw(seed):\n    {line}\n")
    assert _unchecked_seeds(module) == ["module.py:2"]
    module.write_text(
        "KMeans(2, random_state=checked_seed(view.seed))\nPCA(2, random_state=0)\nrng = generator(seed, 1)\n"
    )
    assert _unchecked_seeds(module) == []
