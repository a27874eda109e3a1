"""Charts are drawn once for equal arguments, and CSV files leave the app without formulas for spreadsheets."""

import ast
import csv
import io
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import plotly
import plotly.graph_objects as go
import pytest

from embtools import memory
from embtools.charts.chart import Chart
from embtools.charts.style import sent
from embtools.ui import figures, long_work
from embtools.ui.arithmetic import relations
from embtools.ui.figures import Pick
from tests.figures_of import decoded

pytestmark = pytest.mark.usefixtures("as_shipped")


@pytest.mark.parametrize("text", ['=HYPERLINK("http://x")', " -2+3|x"])
def test_a_cell_or_a_name_of_a_column_that_is_a_formula_becomes_text(text: str) -> None:
    """Also in columns of equal names; and with other letters than A to Z, Excel is told that the file is UTF-8."""
    frame = pd.DataFrame([[text, "é", -1.5]], columns=[text, "word", "word"])
    mark, names, row = figures.csv(frame)[0], *csv.reader(io.StringIO(figures.csv(frame)[1:]))
    assert (mark, names, row) == ("\ufeff", [f"'{text}", "word", "word"], [f"'{text}", "é", "-1.5"])


@pytest.mark.parametrize("text", ["-", "=", "rome = rome - italy", "'s"])
def test_words_stay_as_they_are(text: str) -> None:
    read = pd.read_csv(io.StringIO(figures.csv(pd.DataFrame({"word": [text]}))))
    assert read["word"].item() == text


def test_a_chart_is_drawn_once_for_equal_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def draw(frame: pd.DataFrame, title: str) -> Chart:
        drawn.append(title)
        return Chart(go.Figure(go.Scatter(y=frame["a"])), frame, title)

    memory.forget()
    monkeypatch.setattr(figures, "chart", lambda dictionary, frame, **named: (dictionary, frame))
    dictionary, frame = figures.show(draw, pd.DataFrame({"a": [1.0, 2.0]}), "t", name="x")
    again, same_frame = figures.show(draw, pd.DataFrame({"a": [1.0, 2.0]}), "t", name="x")
    assert again == dictionary and same_frame is frame and len(drawn) == 1
    assert go.Figure(decoded(dictionary)).data[0].y.tolist() == [1.0, 2.0]
    for other in (pd.DataFrame({"a": [1.0, 2.5]}), pd.DataFrame({"b": [1.0, 2.0], "a": [1.0, 2.0]})):
        assert figures.show(draw, other, "t", name="x")[1] is not frame
    assert len(drawn) == 3


def test_a_stored_chart_takes_less_memory_than_twice_what_a_browser_gets() -> None:
    def draw(n: int) -> Chart:
        return Chart(go.Figure(go.Scatter(y=np.arange(n))), pd.DataFrame({"a": [1.0]}), "t")

    memory.forget()
    drawn = memory.call(
        figures._drawn, {"draw": draw, "arguments": (3,), "named": (), "dark": False, "without_webgl": False}
    )
    spec = plotly.io.to_json(figures.Sent(json.loads(drawn.sent)))
    assert spec == drawn.sent == plotly.io.to_json(sent(draw(3).figure), validate=False)
    assert memory.used() < 2 * len(spec) + 1_000


# Expanders with settings have one name.

SPECIFIC = {"Settings and token check", "More: second sentence, edits, several words, hide [CLS] and [SEP]"}
"""Names that say more than that there are settings."""
EXPANDERS = {"expander": 1, "fold": 1, "popover": 0}
"""The place of the name among the arguments of the functions that draw them."""


def test_expanders_with_settings_have_one_name_or_show_the_settings() -> None:
    found = []
    for path in Path(figures.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assigned = {
            node.targets[0].id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or ast.unparse(call.func).rpartition(".")[2] not in EXPANDERS:
                continue
            if ":material/tune:" not in [part.value for part in ast.walk(call) if isinstance(part, ast.Constant)]:
                continue
            label = call.args[EXPANDERS[ast.unparse(call.func).rpartition(".")[2]]]
            found.append(assigned.get(label.id, label) if isinstance(label, ast.Name) else label)
    names = {part.value for part in found if isinstance(part, ast.Constant)}
    assert len(found) > 10 and "Advanced settings" in names
    assert names <= {"Advanced settings", *SPECIFIC}


# A reason why these open an expander in another way.
OTHER_EXPANDERS = {
    "figures.py": "has the one helper, and the table under a chart, which can be without an expander",
    "presenter.py": "is imported by figures.py, which asks it for large charts",
}


def test_expanders_are_opened_in_one_way() -> None:
    """By `figures.expander`, a `with` block that tells whether it is open."""
    folder = Path(figures.__file__).parent
    found = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "state.expander"
    }
    assert found == set(OTHER_EXPANDERS)


# What can be clicked can be chosen in the table too.

PAIRS = {
    "evidence_relation": "own",
    "evidence_pairs": "Rome, Italy\nParis, France\nBerlin, Germany",
    "evidence_others": 2,
}
CLICKABLE: dict[str, tuple[str, dict[str, Any], str]] = {
    "similarity": ("similarity", {}, "similarity"),
    "attended words": ("attention", {}, "attention-words"),
    "heads": ("attention", {}, "attention-heads"),
    "one head": ("attention", {"attention_tab": "head"}, "attention-tokens"),
    "neurons": ("attention", {"attention_tab": "layer", "attention_layer_view": "neurons"}, "layer-neurons"),
    "map of words and layers": ("tracing", {}, "tracing-map"),
    "heads of a layer": ("tracing", {"tracing_tab": "components"}, "tracing-heads"),
    "occurrences": ("corpus", {}, "corpus-nearest-chart"),
    "features": ("features", {"features_tab": "learned"}, "learned-grid"),
    "layers of a probe": ("concepts", {}, "concepts-probes"),
    "claims": ("paper", {}, "claims"),
    "cases": ("evidence", PAIRS, "cases"),
    "places": ("evidence", {"evidence_tab": "dose", **PAIRS}, "dose-places"),
    "relations": (
        "arithmetic",
        {"arithmetic_tab": "analogies", "arithmetic_analogies": "many", "arithmetic_others": 2},
        "analogies",
    ),
}


def points(figure: go.Figure) -> list[dict[str, Any]]:
    """The marks of a figure as the browser reports them."""
    found = []
    for trace in figure.data:
        if trace.type in ("scatter", "bar"):
            custom = [None] * len(trace.x) if trace.customdata is None else list(trace.customdata)
            for number, (x, y, data) in enumerate(zip(trace.x, trace.y, custom, strict=True)):
                point = {"x": x, "y": y, "point_index": number}
                found.append(point if data is None else point | {"customdata": data})
    return found


@pytest.mark.slow("features", "layers of a probe", "neurons", "occurrences", "places", "relations")
@pytest.mark.parametrize("name", CLICKABLE)
def test_each_mark_that_can_be_clicked_has_a_row_that_chooses_the_same(
    visit: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, query, chart = CLICKABLE[name]
    drawn: dict[str, tuple[go.Figure, pd.DataFrame, Pick | None]] = {}
    draw = figures.chart

    def recorded(dictionary: dict[str, Any], frame: pd.DataFrame, **named: Any) -> Any:
        drawn[named["name"]] = go.Figure(decoded(dictionary)), frame, named.get("pick")
        return draw(dictionary, frame, **named)

    monkeypatch.setattr(figures, "chart", recorded)
    monkeypatch.setattr(long_work, "AT_ONCE", 60.0)
    monkeypatch.setattr(relations, "TITLES", {key: relations.TITLES[key] for key in ("pronoun", "young")})
    at = visit(page, **query)
    figure, frame, pick = drawn[chart]
    assert pick is not None and at.says(f"{pick.rows} By keyboard: ")
    # Only a click on a case also leads to another page, so that its table can be read.
    assert pick.rows.startswith("Selecting a row has the same effect as clicking its mark.") == (name != "cases")
    table = frame.reset_index(drop=True)
    said = frozenset if name == "similarity" else str  # a pair of words has two cells
    marks = {said(data) for point in points(figure) if (data := pick.of_point(point)) is not None}
    rows = {said(pick.of_row(row)) for _, row in table.iterrows()}
    assert marks and rows
    if name == "one head":  # a row is a token; the cell of its row keeps its column
        assert rows <= marks and len(rows) == len(frame)
    else:
        assert marks <= rows
    taken: list[Any] = []
    Pick(taken.append, pick.of_row, pick.of_point).row(table.iloc[0])
    assert list(map(said, taken)) == [said(pick.of_row(table.iloc[0]))]


def test_a_row_can_do_less_than_a_click(monkeypatch: pytest.MonkeyPatch) -> None:
    clicked: list[Any] = []
    selected: list[Any] = []
    pick = Pick(clicked.append, lambda row: row["a"], by_row=selected.append)
    pick.row(pd.Series({"a": 1}))
    session = {"chart-x": SimpleNamespace(selection=SimpleNamespace(points=[{"customdata": 2}]))}
    monkeypatch.setattr(figures.st, "session_state", session)
    pick.clicked("x")
    assert (clicked, selected) == ([2], [1])
    assert "except that you stay on this page" in pick.rows and "except that" not in Pick(print, print).rows


def test_a_row_without_a_mark_and_an_empty_selection_choose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[Any] = []
    pick = Pick(taken.append, lambda row: row["a"] if row["b"] else None)
    for row in pd.DataFrame({"a": [1, 2], "b": [False, True]}).iloc:
        pick.row(row)
    assert taken == [2]
    session = {"chart-x": SimpleNamespace(selection=SimpleNamespace(points=[{"x": 1}, {"customdata": ["seven", 2]}]))}
    monkeypatch.setattr(figures.st, "session_state", session)
    pick.clicked("x")
    assert taken == [2, "seven"]
    session["chart-x"].selection.points = []
    pick.clicked("x")
    assert taken == [2, "seven"]


def test_all_tables_are_one_zip(visit: Any) -> None:
    at = visit("pairs", pairs_tab="similarity")
    at.test.session_state["share-code"] = True
    name, data = at._offered()["share-tables"]
    assert name == "pairs-similarity.zip"
    archive = zipfile.ZipFile(io.BytesIO(data()))
    assert archive.testzip() is None
    assert set(archive.namelist()) == {"among-random.csv", "similarity-combinations.csv", "README.txt"}
    read = pd.read_csv(archive.open("similarity-combinations.csv"))
    pd.testing.assert_frame_equal(read, at.table("combination", "pooling", "cosine").reset_index(drop=True))
    assert "SHA-256" in archive.read("README.txt").decode()
