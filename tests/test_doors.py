"""The doors of the library's rooms: what people call is there, is used, and can be tried with every value it promises."""

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import embtools
from embtools.doors import door, home, import_line
from tests.doors import FUNCTIONS, ROOMS, offered, parameters, writer

ROOT = Path(__file__).parents[1]
MOST = 220
CONVENTIONS = ("model", "seed", "progress")  # the first page of the library describes them for all functions
"""Functions in all doors."""
REFERENCE = re.compile(
    r"\b(as(?: in| for)?|see|(?:frame|columns|results?) of) (`[\w.]+`(?:(?:,| and|, and| or) `[\w.]+`)*)", re.IGNORECASE
)
"""What a description leaves to other functions: "As `weat` and `EmbeddingModel.tokenize` do"."""
EVERY_MODULE_FIRST = """
import importlib, inspect, json, pkgutil, sys

sys.modules["streamlit"] = None

import embtools

for info in pkgutil.walk_packages(embtools.__path__, "embtools."):
    if not info.name.startswith(("embtools.ui", "embtools.corpus.on_ray")) and not info.name.endswith("__main__"):
        importlib.import_module(info.name)
wrong = []
for room in ["embtools", *(i.name for i in pkgutil.iter_modules(embtools.__path__, "embtools.") if i.ispkg)]:
    if room != "embtools.ui":
        module = importlib.import_module(room)
        names = getattr(module, "__all__", ())
        wrong += [f"{room}.{name}" for name in names if inspect.ismodule(getattr(module, name))]
print(json.dumps(wrong))
"""


@pytest.mark.slow
def test_no_module_takes_the_place_of_a_function() -> None:
    """A module with the name of a function would be found in its place once it has been imported."""
    done = subprocess.run([sys.executable, "-c", EVERY_MODULE_FIRST], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_everything_offered_is_a_function_or_a_class_that_says_what_it_does() -> None:
    for room, name, value in offered():
        assert inspect.isclass(value) or inspect.isfunction(inspect.unwrap(value)), f"{room}.{name}"
        assert inspect.getdoc(value), f"{room}.{name}"
        assert import_line(value) == f"from {room} import {name}"
    assert {home(getattr(embtools, name)) for name in embtools.__all__} <= set(ROOMS)


def test_the_doors_stay_small() -> None:
    assert 150 < len({inspect.unwrap(value) for value in FUNCTIONS.values()}) <= MOST
    names = Counter(name.rpartition(".")[2] for name in FUNCTIONS)
    assert max(names.values()) <= 3, names.most_common(3)


def used() -> set[str]:
    """The functions that screens, lessons or command lines mention, and those of import lines that a module writes."""
    found = set[str]()
    screens = [*(ROOT / "embtools" / "ui").rglob("*.py"), *(ROOT / "embtools" / "lessons").rglob("*.py")]
    for path in (ROOT / "embtools").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        text = path.read_text(encoding="utf-8")
        found |= {f"{module}.{name}" for name in re.findall(r"import_line\((\w+)\)", text)}
    for path in (*screens, *(ROOT / "embtools").rglob("__main__.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            each.asname or each.name: f"{node.module}.{each.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for each in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                found.add(imported.get(node.id, ""))
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                found.add(f"{imported.get(node.value.id, '')}.{node.attr}")
    return found


def test_every_function_in_a_door_is_called() -> None:
    """By a screen, so that copied code has it, by a lesson or a command line, or by the library's first page."""
    mentioned, first_page = used(), {inspect.unwrap(getattr(embtools, name)) for name in embtools.__all__}
    plain = {
        name: inspect.unwrap(value) for name, value in FUNCTIONS.items() if inspect.unwrap(value) not in first_page
    }
    assert not [name for name, each in plain.items() if f"{each.__module__}.{each.__name__}" not in mentioned]


def test_an_unknown_name_is_an_attribute_error() -> None:
    for room in (embtools, importlib.import_module("embtools.bias")):
        with pytest.raises(AttributeError, match="no attribute 'nearst'"):
            _ = room.nearst
        assert dir(room) == sorted(room.__all__)


def test_a_door_opens_its_modules_when_a_name_is_first_used() -> None:
    code = "import sys; from embtools import bias; before = 'embtools.bias.association' in sys.modules; bias.weat;"
    code += "print(before, 'embtools.bias.association' in sys.modules, 'weat' in vars(bias))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["False", "True", "True"]


def test_a_name_without_a_module_is_refused() -> None:
    names, get, _ = door("embtools.bias", {"bias.association": ["weat"], "bias.verdict": ["nothing"]})
    assert names == ["nothing", "weat"]
    with pytest.raises(AttributeError):
        get("nothing")


def is_sentence(value: Any) -> bool:
    """Whether a function says something about results: it then takes nothing but them and names."""
    return inspect.signature(value).return_annotation in (str, "str")


def test_what_a_door_offers_describes_its_parameters_and_its_result() -> None:
    for name, value in FUNCTIONS.items():
        taken = list(inspect.signature(value).parameters)
        if taken and not is_sentence(value):
            assert list(parameters(value)) == taken, name
            assert re.search(r"^Returns\n-+$", inspect.getdoc(value) or "", re.MULTILINE), name


def meant(name: str, room: str) -> Any:
    """What a docstring of a room means by a name: of the same door or the first page, or with its room; else None."""
    where, _, last = name.rpartition(".")
    if where == "EmbeddingModel":
        return getattr(embtools.EmbeddingModel, last, None)
    doors = [f"embtools.{where.removeprefix('embtools.')}"] if where else [room, "embtools"]
    found = [sys.modules[each] for each in doors if last in getattr(sys.modules.get(each), "__all__", ())]
    return getattr(found[0], last) if found else None


def says(value: Any, title: str, names: str, *, same: bool) -> bool:
    """Whether a docstring has a section and, of the same parameters, describes each itself unless it is a convention."""
    entries = writer().sections(value).get(title, {})
    texts = {name: text for line, (_, text) in entries.items() for name in line.split(", ")}
    wanted = [name for name in names.split(", ") if name not in CONVENTIONS] if title == "Parameters" and same else []
    return bool(entries) and all(re.match(r"(?!As in ).", texts.get(name, "")) for name in wanted)


def test_what_a_description_leaves_to_other_functions_is_said_there() -> None:
    """Nobody who reads "As `checked_sets` does" has to look for a function that no door offers."""
    lost, count = [], 0
    for room, name, value in offered():
        for title in ("Parameters", "Returns", "Raises"):
            for names, (_, text) in writer().sections(value).get(title, {}).items():
                for how, others in REFERENCE.findall(text):
                    for other in re.findall(r"`(.*?)`", others):
                        count += 1
                        found = meant(other, room)
                        itself = inspect.unwrap(found) is inspect.unwrap(value)
                        if found is None or itself or not says(found, title, names, same=how.lower() != "see"):
                            lost.append(f"{room}.{name}, {title}: {how} {other}")
    assert count > 80
    assert not lost, "\n".join(lost)
