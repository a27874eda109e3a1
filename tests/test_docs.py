"""README, menu and pages in step, and no word in the repository that does not belong there."""

import ast
import importlib.util
import inspect
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import embtools
from embtools.attention.attended_words import attended_words
from embtools.ui import menu

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCRIPTS = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def test_every_page_has_a_menu_line_and_every_line_a_page() -> None:
    assert sorted([*(page.name for page in menu.PAGES), menu.ABOUT]) == SCRIPTS


@pytest.mark.parametrize("page", menu.PAGES, ids=lambda page: page.name)
def test_every_page_has_a_package_in_each_wing_and_a_row_in_the_readme(page: menu.Page) -> None:
    for wing in ("", *(["charts"] if page in menu.IDEAS else []), "ui"):  # Lessons shows the figures of other pages
        package = ROOT / "embtools" / wing / page.name
        assert (package / "__init__.py").exists() or (wing == "charts" and package.with_suffix(".py").exists())
    assert (TESTS / page.name / "test_page.py").exists()
    assert (TESTS / "browser" / f"test_{page.name}.py").exists()
    assert re.search(rf"^\| {re.escape(page.title)} +\|", README, re.MULTILINE)


def modules() -> Iterator[tuple[Path, Path]]:
    """Every module that says more than a docstring, and the file of its tests.

    The number module and the chart module of one name share it; `__init__` goes by its package, `__main__` by main.
    """
    for path in sorted((ROOT / "embtools").rglob("*.py")):
        if len(ast.parse(path.read_text(encoding="utf-8")).body) > 1:
            *folders, name = path.relative_to(ROOT).with_suffix("").parts
            if name == "__init__":
                *folders, name = folders
            folders = [folder for folder in folders[1:] if folder != "charts" or len(folders) == 2]
            yield path.relative_to(ROOT), Path(*folders, f"test_{name.strip('_')}.py")


def test_every_module_has_a_test_file_named_after_it() -> None:
    """But for the panels of a page, which are tested as one."""
    missing = [str(path) for path, test in modules() if path.parts[1] != "ui" and not (TESTS / test).exists()]
    assert not missing


def test_every_test_file_is_named_after_a_module() -> None:
    names = {test for _, test in modules()} | {Path(page.name, "test_page.py") for page in menu.PAGES}
    found = {path.relative_to(TESTS) for path in TESTS.rglob("test_*.py") if path.parent.name != "browser"}
    assert found - names == {
        Path(f"test_{name}.py")
        for name in (
            "app",
            "attacks",
            "bad_input",
            "benchmarks",
            "debian_root",
            "deployment",
            "derived",
            "docs",
            "failures",
            "hooks",
            "links",
            "odd_input",
            "packaging",
            "promised",
            "slow",
            "style",
            "uploads",
            "walls",
        )
    }


def test_the_readme_draws_the_floors_that_the_linter_checks() -> None:
    (drawn,) = re.findall(r"Imports point downwards:\n\n```\npages, app.py\n(.*?)```", README, re.DOTALL)
    floors = [re.split(r" {2,}", line)[0].split(", ") for line in drawn.splitlines()]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = next(contract["layers"] for contract in settings["contracts"] if contract["type"] == "layers")
    assert [sorted(floor) for floor in floors] == [sorted(layer.split(" | ")) for layer in layers]


def test_readme_names_the_two_commands() -> None:
    assert "pip install -r requirements.txt && streamlit run app.py" in README
    assert "pip install -r requirements-dev.txt && pytest" in README


VIEWS_WITHOUT_CONTROLS = {
    "the neighbours of a formula": ("arithmetic/formula", "neighbours"),
    "the logit lens": ("arithmetic/logit_lens", "charts/arithmetic/logit_lens"),
    "the strength curve": ("arithmetic/strength", "charts/arithmetic/strength"),
    "your own sentence on the Attention page": (),
}


def test_the_readme_lists_the_views_without_controls() -> None:
    (listed,) = re.findall(r"Some views have no controls yet:\s(.*?)\.", README, re.DOTALL)
    assert re.split(r", and |, ", " ".join(listed.split())) == list(VIEWS_WITHOUT_CONTROLS)
    for view, names in VIEWS_WITHOUT_CONTROLS.items():
        for name in names:
            text = (ROOT / "embtools" / f"{name}.py").read_text(encoding="utf-8")
            assert not re.search(r"(?i)\bcontrols?\b|random", text), (
                f"{view} has a control; README says that it has not"
            )
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


def test_hosts_without_a_gpu_have_a_list_of_their_own() -> None:
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
    }
    folders = {"embtools", "pages", "tests", "benchmarks", "docs", "deploy", ".streamlit", ".ci"}
    assert {f.parts[0] for f in files} <= allowed | folders


@pytest.mark.parametrize("page", menu.PAGES, ids=lambda page: page.name)
def test_every_source_of_a_page_is_a_link(page: menu.Page) -> None:
    tree = ast.parse((ROOT / page.script).read_text(encoding="utf-8"))
    (sources,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == "SOURCES"  # type: ignore[attr-defined]
    )
    assert all(re.match(r"\[[^]]+\]\(https://[^)\s]+\)", source) for source in sources), sources


@cache
def writer() -> ModuleType:
    """docs/write_library.py as a module."""
    spec = importlib.util.spec_from_file_location("write_library", ROOT / "docs" / "write_library.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_of_the_library_is_current() -> None:
    """After a change of a public function: python docs/write_library.py."""
    assert (ROOT / "docs" / "library.md").read_text(encoding="utf-8") == writer().text()


def parameters(node: ast.FunctionDef) -> list[str]:
    return [each.arg for each in (*node.args.args, *node.args.kwonlyargs) if each.arg != "self"]


def library() -> Iterator[tuple[str, ast.FunctionDef]]:
    """The public functions of the library by name: "bias.association.weat"."""
    for path in sorted((ROOT / "embtools").rglob("*.py")):
        *folders, name = path.relative_to(ROOT / "embtools").with_suffix("").parts
        parts = [*folders, *([name] if name != "__init__" else [])]
        if parts and parts[0] not in ("ui", "charts", "pretrain", "scoring"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                    yield ".".join((*parts, node.name)), node


PAIR, SETS = ["first", "second"], ["x", "y", "a", "b"]
SEVERAL_SUBJECTS = {
    "bias.association.seat": SETS,
    "bias.association.weat": SETS,
    "arithmetic.edit.edited_answers": ["text", "edits"],
    "arithmetic.edit.read_edit": ["text", "edits"],
    "bias.directions.direction": PAIR,
    "directions.groups.group_states": PAIR,
    "directions.find.find_direction": PAIR,
    "directions.find.effort": PAIR,
    "directions.erase.erase": PAIR,
    "directions.erase.effort": PAIR,
    "directions.sweep.sweep": PAIR,
    "directions.sweep.effort": PAIR,
    "own_vectors.association.associate": SETS,
    "pairs.guess.pair_question": ["first", "second"],
    "words.frequency.random_pairs": ["first", "second"],
    "bias.directions.explained": PAIR,
    "bias.directions.other_measures": SETS,
    "evidence.minimal_pairs.minimal_pair": PAIR,
    "evidence.minimal_pairs.pair_effort": PAIR,
    "evidence.pair_tokens.prepare": PAIR,
    "bias.likelihood.swapped_answers": PAIR,
    "bias.likelihood.swapped_words": PAIR,
    "bias.methods.compare_methods": PAIR,
    "bias.mitigated.mitigate": PAIR,
    "bias.mitigated.pair_ids": PAIR,
    "bias.residual.residual_bias": PAIR,
    "bias.residual.residual_map": PAIR,
    "mask_filling.answers.ranking": ["before", "after"],
    "models.next_sentence.next_sentence": PAIR,
    "pairs.next_sentence.topic_of": PAIR,
    "pairs.next_sentence.with_controls": PAIR,
    "pairs.questions.compare_answers": ["questions", "answers"],
    "pairs.segments.other_segments": PAIR,
    "pairs.segments.segments": PAIR,
    "pairs.segments.tokens": PAIR,
    "pairs.similarity.compare": PAIR,
    "pairs.random_pairs.lengths": PAIR,
    "pairs.similarity.similarity": PAIR,
    "similarity.pair.pair": PAIR,
    "similarity.pair.path": PAIR,
}

OPTIONAL_BY_POSITION = {
    "bias.two_models.group_gaps": "names",  # as in all sentences about the results of two models
    "bias.two_models.occupation_gaps": "names",
    "bias.two_models.swaps": "names",
    "messages.first_of": "most",  # a text and its longest length, as in `textwrap.shorten`
    "messages.quoted": "most",
    "messages.shortened": "most",
    "arithmetic.rows.read_table": "columns",  # a file or text and its columns, in all readers of tables
    "evidence.pair_files.read": "columns",
    "mask_filling.pairs.read": "columns",
    "pairs.batch.read": "columns",
    "probing.items.read": "columns",
    "words.groups.read_table": "columns",
    "tables.columns.assigned": "chosen",
    "tables.columns.is_index": "name",  # a column and its name
    "lessons.guesses.marked": "digits",
    "statistics.decimals.half_up": "digits",
    "statistics.percentages.rounded": "digits",
    "statistics.intervals.mean_interval": "key",
    "statistics.reporting.p_value": "draws",  # a p-value and the number of draws that it comes from
    "paper.measured.number": "digits",  # a number and its digits, as in `round`
    "statistics.decimals.decimal": "digits",
    "statistics.percentages.percent": "digits",
}
"""The optional parameter of a function that may be given without its name."""


def test_functions_take_their_subject_then_the_model_and_the_rest_by_name() -> None:
    found = {name: node for name, node in library() if "model" in parameters(node)}
    assert len(found) > 200 and found.keys() >= SEVERAL_SUBJECTS.keys()
    for name, node in found.items():
        if node.args.vararg or name == "memory.call":  # several lists of words; a model that may not be loaded yet
            continue
        *subjects, model = [each.arg for each in node.args.args]
        expected = SEVERAL_SUBJECTS.get(name, subjects[:1])
        assert (subjects, model) == (expected, "model"), name
    for name, node in library():
        optional = [each.arg for each in node.args.args[-len(node.args.defaults) :] if node.args.defaults]
        subject = [each.arg for each in node.args.args[:1]]
        assert set(optional) <= {*subject, "model", OPTIONAL_BY_POSITION.get(name)}, name


def test_a_parameter_called_model_is_a_model_and_not_its_name() -> None:
    """A model's name is called `name` or `model_name`; the argument of `Call.python` is a variable's name in code."""
    found = {
        f"{path.relative_to(ROOT)} {node.name}"
        for path in sorted((ROOT / "embtools").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        if each.arg == "model" and each.annotation is not None and ast.unparse(each.annotation) == "str"
    }
    assert found == {"embtools/ui/call.py python"}


def test_no_class_is_a_string() -> None:
    """What is more than a text has fields, so it is a dataclass."""
    bases = {
        (node.name, ast.unparse(base).partition("[")[0].rpartition(".")[2])
        for path in sorted((ROOT / "embtools").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    }
    assert len(bases) > 20
    assert not {name for name, base in bases if base in ("str", "StrEnum", "UserString")}


def queries() -> Iterator[str]:
    """The functions that panels ask as a `Call`, by their full name without `embtools`."""
    for path in sorted((ROOT / "embtools" / "ui").rglob("*.py")):
        tree = ast.parse(path.read_text())
        imported = {
            each.asname or each.name: f"{node.module}.{each.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for each in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Call" and node.args:
                first, *rest = ast.unparse(node.args[0]).split(".")
                if first in imported:
                    yield ".".join([imported[first], *rest]).removeprefix("embtools.")


def test_what_copied_code_calls_describes_its_parameters_and_its_result() -> None:
    """A sentence about a result is described by its first line, and so is a function of a result alone."""
    found = dict(library())
    top_level = {f"{home}.{name}" for name, home in embtools._HOME.items()} & found.keys()
    described = 0
    for name in sorted((found.keys() & set(queries())) | top_level):
        node = found[name]
        sentence = ".verdict." in name or ast.unparse(node.returns or ast.Constant("")) in ("str", "list[str]")
        if not sentence and ("model" in parameters(node) or len(parameters(node)) > 1 or name in top_level):
            sections = writer().sections(node)
            names = [each for line in sections.get("Parameters", {}) for each in line.split(", ")]
            assert names == parameters(node), name
            assert sections.get("Returns"), name
            described += 1
    assert described > 100


def test_the_described_methods_of_the_model_name_their_parameters() -> None:
    path = ROOT / "embtools" / "models" / "embedding_model.py"
    (model,) = (node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef))
    methods = {node.name: node for node in model.body if isinstance(node, ast.FunctionDef)}
    for name in ("tokenize", "pieces", "token_id", "vector", "hidden_states"):
        sections = writer().sections(methods[name])
        assert list(sections["Parameters"]) == parameters(methods[name]) and sections["Returns"]
    assert writer().sections(model)["Attributes"]
