"""Results in a notebook: every class with a headline and a chart shows both."""

import ast
import dataclasses
import importlib
import inspect
import json
from collections.abc import Iterator
from html import escape, unescape
from pathlib import Path
from typing import Any

import nbformat
import pandas as pd
import plotly.graph_objects as go
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from embtools import drawing, values
from embtools.charts.notebook import TYPE
from embtools.clusters.isotropy import solved
from embtools.drawing import CHARTS, Displayed
from embtools.ui import answers, figures, panels
from embtools.ui.menu import PAGES
from tests import environment
from tests.conftest import slow_after
from tests.doors import FUNCTIONS
from tests.odd.world import World, type_of

LIBRARY = Path(drawing.__file__).parent
WITHOUT = {
    "attention.neuron_uses.NeuronSentences": "sentences with marked words",
    "clusters.isotropy.your_words.OwnAnalogy": "a table",
    "corpus.analogy_results.Analogy": "sentences and tables",
    "corpus.analogy_results.FourWords": "sentences and tables",
    "corpus.sentences.Matches": "sentences",
    "arithmetic.word_finder.FoundWord": "a formula",
    "inputs.masking.Application": "a text with marked words",
    "inputs.output_matrix.SecondMatrix": "tables",
    "similarity.in_spaces.GroupMeans": "a table",
    "similarity.in_spaces.OddBySpace": "a table",
}
"""Results with a headline whose tabs draw no chart of them, and what they show."""
STORED = ("concepts.", "bias.methods", "arithmetic.bulk_analogies", "clusters.isotropy.spaces")
"""Results that take long to compute, and of which there are prepared answers."""


def name_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__name__}".removeprefix("embtools.")


def class_of(name: str) -> Any:
    module, _, own = name.rpartition(".")
    return getattr(importlib.import_module(f"embtools.{module}"), own)


def defines(node: ast.ClassDef, name: str) -> bool:
    """Whether a class has a method, a property or a field with this name."""
    fields = {
        part.target.id for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    return name in fields | {part.name for part in node.body if isinstance(part, ast.FunctionDef)}


@pytest.mark.slow
def test_every_result_with_a_headline_has_its_chart_or_a_reason() -> None:
    modules = {
        ".".join(path.relative_to(LIBRARY).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in LIBRARY.rglob("*.py")
        if path.relative_to(LIBRARY).parts[0] not in ("ui", "charts")
    }
    classes = {
        f"{m}.{node.name}": node for m, tree in modules.items() for node in tree.body if isinstance(node, ast.ClassDef)
    }
    found = {name for name, node in classes.items() if defines(node, "headline")}
    assert found == CHARTS.keys() | WITHOUT.keys() and not CHARTS.keys() & WITHOUT.keys()
    assert {name for name in found if issubclass(class_of(name), Displayed)} == CHARTS.keys()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Displayed]]:
    """A small result of every class: of a tiny model, or a prepared answer."""
    place, found = tmp_path_factory.mktemp("drawing"), dict[str, Displayed]()
    stored = (answer for _, _, answer in answers.every() if isinstance(answer, dict) and "module" in answer)
    for answer in stored:
        name = f"{answer['module']}.{answer['name']}".removeprefix("embtools.")
        if name.startswith(STORED) and name in CHARTS and name not in found:
            found[name] = values.from_json(answer)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBTOOLS_CACHE", str(place / "cache"))
        patch.setenv("EMBTOOLS_DICTIONARIES", str(place / "small.safetensors"))
        world = World(place)
        for name, function in FUNCTIONS.items():
            kind = type_of(inspect.signature(function).return_annotation)
            if kind in {"Comparison", *(own.rpartition(".")[2] for own in CHARTS.keys() - found.keys())}:
                result = function(**world.arguments(name))
                parts = [result, *(getattr(result, field.name) for field in dataclasses.fields(result))]
                found |= {name_of(type(part)): part for part in parts if isinstance(part, Displayed)}
        senses = solved.separate_senses("layer 1", world.model)
        yield found | {name_of(type(senses)): senses}


@pytest.mark.slow
def test_every_class_shows_its_headline_and_its_chart(results: dict[str, Displayed]) -> None:
    assert results.keys() == CHARTS.keys()
    for name, result in results.items():
        bundle, headline, chart = result._repr_mimebundle_(), drawing.headline(result), drawing.chart(result)
        assert escape(headline) in bundle["text/html"] and escape(chart.alt) in bundle["text/html"], name
        assert len(headline) > 20 and len(chart.alt) > 20, name
        figure = bundle[TYPE]
        go.Figure({part: figure[part] for part in ("data", "layout")})  # raises if plotly does not know a part
        assert _letters(unescape(figure["layout"]["title"]["text"][3:-4])) == _letters(headline), name
        assert len(figure["data"]) == len(chart.figure.data), name
        lines = repr(result).splitlines()
        assert lines[0].startswith(f"{type(result).__name__}: {headline[:20]}") and len(lines) < 12, name
        assert bundle["text/plain"] == repr(result) and max(map(len, lines)) <= 100, name
        assert len(json.dumps(bundle)) < 120_000, name


def _letters(text: str) -> str:
    """A text without its spaces and ends of lines."""
    return "".join(text.replace("<br>", " ").split())


def test_results_keep_their_equality_and_fields() -> None:
    one, other = (FoundClass(1, "x"), FoundClass(1, "x"))
    assert one == other and hash(one) == hash(other) and [f.name for f in dataclasses.fields(one)] == ["number", "text"]
    assert repr(one) == "FoundClass: The number is 1.\nFields: number, text"


@dataclasses.dataclass(frozen=True)
class FoundClass(Displayed):
    """A result of this test."""

    number: int
    text: str

    def headline(self, ending: str = ".") -> str:
        """It depends on a choice, as that of a few results does."""
        return f"The number is {self.number}{ending}"


def test_a_result_with_nothing_to_draw_is_shown_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CHARTS, f"{__name__}.FoundClass", "concepts.confusion(text.missing)")
    with pytest.raises(AttributeError):  # a wrong name is an error, an empty frame is not
        FoundClass(1, "x")._repr_mimebundle_()
    empty = solved.SeparatedSenses({"raw": pd.DataFrame({"word": [], "auc": []})})
    monkeypatch.setattr(solved.SeparatedSenses, "headline", "Nothing was found.")
    assert empty._repr_mimebundle_() == {"text/plain": "SeparatedSenses: Nothing was found.\nFields: spaces"}


TABS = [(page.name, tab) for page in PAGES for tab in panels.of(page.name)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "page, tab",
    slow_after(
        3, sorted(TABS, key=lambda each: each not in [("bias", "groups"), ("pairs", "next"), ("inputs", "terms")])
    ),
)
def test_a_result_shows_the_first_chart_of_its_tab(
    page: str, tab: str, visit: Any, as_shipped: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    show, first = figures.show, dict[str, tuple[Any, Any]]()

    def noted(draw: Any, result: Any, *arguments: Any, **named: Any) -> Any:
        given = {key: value for key, value in named.items() if key not in ("name", "beside", "options")}
        if isinstance(result, Displayed):
            first.setdefault(name_of(type(result)), (result, draw(result, *arguments, **given)))
        return show(draw, result, *arguments, **named)

    monkeypatch.setattr(figures, "show", noted)
    visit(page, **{f"{page}_tab": tab})
    for name, (result, shown) in first.items():
        own = drawing.chart(result)
        assert own.alt == shown.alt, name
        pd.testing.assert_frame_equal(own.frame, shown.frame)
        assert own.figure == shown.figure, name


@pytest.mark.slow
def test_an_executed_notebook_has_both_types_and_stays_small(tmp_path: Path) -> None:
    cells = (
        "import embtools\nfrom embtools.arithmetic import edited_answers\nfrom embtools.bias import group_answers\n"
        "model = embtools.load_model()",
        'edited_answers("Rome is the capital of [MASK].", ["rome = rome - italy + france"], model)',
        'group_answers("The {group} works as a [MASK].", model, groups=["he", "she"])',
        'from embtools.pairs import with_controls\nwith_controls("He is a king.", "She is a queen.", model)',
    )
    notebook = new_notebook(cells=[new_code_cell(cell) for cell in cells])
    run = nbformat.from_dict(environment.executed(notebook, environment.of_notebooks(), where=tmp_path))
    found = [cell.outputs[-1]["data"] for cell in run.cells[1:]]
    for data, word in zip(found, ("france", "she", "follows"), strict=True):
        assert data[TYPE]["data"] and data[TYPE]["layout"]["title"]["text"].startswith("<b>")
        assert word in data["text/html"] and "<table" in data["text/html"] and "Fields:" in data["text/plain"]
    assert len(nbformat.writes(run)) < 120_000
