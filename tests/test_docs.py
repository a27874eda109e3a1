"""README, menu and pages in step, and no word in the repository that does not belong there."""

import ast
import inspect
import re
import runpy
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import embtools
from embtools import neighbours, wordlists
from embtools.arithmetic import formula, logit_lens, strength
from embtools.attention.attended import attended_words
from embtools.charts import arithmetic
from embtools.ui import menu, panels
from tests.doors import FUNCTIONS, writer

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = [path for folder in ("embtools", "training") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_every_page_has_a_menu_line_a_package_in_each_wing_and_a_row_with_its_tabs_in_the_readme() -> None:
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} == {menu.ABOUT, *(page.name for page in menu.PAGES)}
    for page in menu.PAGES:
        for wing in ("", *(["charts"] if page in menu.IDEAS else []), "ui"):  # Lessons shows figures of other pages
            package = ROOT / "embtools" / wing / page.name
            assert (package / "__init__.py").exists() or (wing == "charts" and package.with_suffix(".py").exists())
        assert (TESTS / page.name / "test_page.py").exists(), page
        assert (TESTS / "browser" / f"test_{page.name}.py").exists(), page
        row = re.search(rf"^\| {re.escape(page.title)} +\|(.*?)\|", README, re.MULTILINE)
        tabs = [panel.TAB for panel in panels.of(page.name).values()]
        assert row and row[1].strip() in (", ".join(tabs), "; ".join(tabs)), page


def test_the_readme_draws_the_floors_that_the_linter_checks() -> None:
    (drawn,) = re.findall(r"Imports point downwards:\n\n```\npages, app.py\n(.*?)```", README, re.DOTALL)
    floors = [re.split(r" {2,}", line)[0].split(", ") for line in drawn.splitlines()]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(contract["layers"] for contract in settings["contracts"] if contract["type"] == "layers")
    assert [sorted(floor) for floor in floors] == [sorted(layer.split(" | ")) for layer in layers]


VIEWS_WITHOUT_CONTROLS = {
    "the neighbours of a formula": (formula, neighbours, arithmetic.neighbours),
    "the logit lens": (logit_lens, arithmetic.lenses),
    "the strength curve": (strength, arithmetic.strength_curve),
    "your own sentence on the Attention page": (),
}


def test_the_readme_lists_the_views_without_controls() -> None:
    (listed,) = re.findall(r"Some views have no controls yet:\s(.*?)\.", README, re.DOTALL)
    assert re.split(r", and |, ", " ".join(listed.split())) == list(VIEWS_WITHOUT_CONTROLS)
    for view, parts in VIEWS_WITHOUT_CONTROLS.items():
        for part in parts:
            found = re.search(r"(?i)\bcontrols?\b|random", inspect.getsource(part))
            assert not found, f"{view} has a control; README says that it has not"
    # The control sentence of an example is cleared when another sentence is typed, and none is proposed.
    assert inspect.signature(attended_words).parameters["control"].default == ""


def test_every_requirement_is_pinned_and_earns_its_place_in_the_readme() -> None:
    """And only the package index is used: another host would be queried for every package."""
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        name, _, version = line.partition("==")
        assert version, f"{line} is not pinned"
        assert re.search(rf"^\| {re.escape(name)} +\|", README, re.MULTILINE), f"README does not say what {name} is for"


def test_the_version_is_the_day_of_the_newest_entry_of_the_changelog() -> None:
    """What is cited and what runs are then the same."""
    newest = re.search(r"^## (\d{4}-\d{2}-\d{2})$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert newest and newest[1].replace("-", ".") == embtools.__version__
    assert f'date-released: "{newest[1]}"' in citation and f'version: "{embtools.__version__}"' in citation


def test_the_readme_names_its_two_commands_and_the_list_for_hosts_without_a_gpu() -> None:
    assert "pip install -r requirements.txt && streamlit run app.py" in README
    assert "pip install -r requirements-dev.txt && pytest" in README
    lines = (ROOT / "requirements-cpu.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split(" ")[0] for line in lines] == ["#", "--find-links", "-r"]
    assert lines[2] == "-r requirements.txt" and "requirements-cpu.txt" in README


def test_pictures_and_files_that_the_readme_names_exist() -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_library_lines_of_the_readme_run(bundled) -> None:  # type: ignore[no-untyped-def]
    (code,) = re.findall(r"```python\n(import embtools\n.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})


def test_only_bundled_files_are_stored_as_safetensors_and_no_pickle() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout")
    files = [Path(name) for name in listed.stdout.splitlines()]
    assert {f.parent for f in files if f.suffix == ".safetensors"} == {Path("embtools/bundled")}
    assert not [f for f in files if f.suffix in {".bin", ".pt", ".pkl", ".pickle", ".npy"}]
    allowed = {
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "NOTICE",
        "app.py",
        "pyproject.toml",
        "setup.py",
        "requirements.txt",
        "requirements-cpu.txt",
        "requirements-cluster.txt",
        "requirements-dev.txt",
        "Dockerfile",
        ".dockerignore",
        "compose.yaml",
        ".gitignore",
        "SECURITY.md",
        "CITATION.cff",
        "mkdocs.yml",
    }
    folders = {"embtools", "training", "pages", "tests", "benchmarks", "docs", "deploy", ".streamlit", ".ci"}
    assert {f.parts[0] for f in files} <= allowed | folders


def test_every_source_of_a_page_is_a_link() -> None:
    for page in menu.PAGES:
        (sources,) = (
            ast.literal_eval(node.value)
            for node in ast.parse((ROOT / page.script).read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and node.targets[0].id == "SOURCES"  # type: ignore[attr-defined]
        )
        assert all(re.match(r"\[[^]]+\]\(https://[^)\s]+\)", source) for source in sources), sources


def test_the_reference_of_the_library_is_current() -> None:
    """After a change of a public function: python docs/tools/write_library.py."""
    written = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "library").iterdir()}
    assert written == writer().pages()


def test_the_site_explains_what_the_app_explains() -> None:
    """After a change of a page's explanation: python docs/tools/write_pages.py."""
    pages = runpy.run_path(str(ROOT / "docs" / "tools" / "write_pages.py"))["pages"]()
    assert len(pages) == len(menu.IDEAS) + 1
    sentences = wordlists.load("corpus")["topic"].value_counts()
    assert f"are {sentences.min()} to {sentences.max()}." in pages["pages/pairs.md"]
    assert {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in pages} == pages


@pytest.mark.slow("clusters", "pairs")
@pytest.mark.parametrize("page", [page.name for page in menu.IDEAS])
def test_the_python_of_the_site_runs(page: str, bundled: Any, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr(embtools, "load_model", lambda: bundled)
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/pages" / f"{page}.md").read_text("utf-8"), re.DOTALL)
    exec(compile(code, page, "exec"), {})
    assert len(capsys.readouterr().out) > 20


def test_every_page_of_the_site_is_in_its_menu() -> None:
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))) == pages


def test_functions_take_their_subject_then_the_model_and_the_rest_by_name() -> None:
    """What is about two or four subjects takes these before the model."""
    several = (["first", "second"], ["x", "y", "a", "b"], ["text", "edits"], ["questions", "answers"])
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    count = 0
    for name, function in FUNCTIONS.items():
        given = inspect.signature(function).parameters.values()
        by_position = [each.name for each in given if each.kind in plain]
        if "model" in by_position:
            subjects = by_position[: by_position.index("model")]
            assert by_position[-1] == "model" and (len(subjects) <= 1 or subjects in several), name
            count += 1
        else:  # a name, a file, or two results with the names of their models
            assert len(by_position) <= 2 or by_position[-1] in ("names", "titles"), name
    assert count > 130


@pytest.mark.slow
def test_a_parameter_called_model_is_a_model_and_not_its_name() -> None:
    """A model's name is called `name` or `model_name`; the argument of `Call.python` is a variable's name in code."""
    found = {
        f"{path.relative_to(ROOT)} {node.name}"
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if each.arg == "model" and each.annotation is not None and ast.unparse(each.annotation) == "str"
    }
    assert found == {"embtools/ui/call.py python"}


@pytest.mark.slow
def test_no_class_is_a_string() -> None:
    """What is more than a text has fields, so it is a dataclass."""
    bases = {
        (node.name, ast.unparse(base).partition("[")[0].rpartition(".")[2])
        for path in CODE
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    }
    assert len(bases) > 20
    assert not {name for name, base in bases if base in ("str", "StrEnum", "UserString")}


def test_the_model_describes_the_methods_that_a_notebook_needs() -> None:
    for name in writer().METHODS:
        method = getattr(embtools.EmbeddingModel, name)
        sections = writer().sections(method)
        taken = [each for each in inspect.signature(method).parameters if each != "self"]
        assert list(sections["Parameters"]) == taken and sections["Returns"]
    assert writer().sections(embtools.EmbeddingModel)["Attributes"]
