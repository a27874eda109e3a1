"""Notebooks: the texts, code and figures of a page, which show the same when they are run."""

import json

import nbformat
import pytest

from embtools.ui import notebook, panels
from embtools.ui.citation import Cited
from embtools.ui.menu import PAGES
from embtools.ui.recorded import CHART, CODE, TEXT, Part
from tests import environment, figures_of
from tests.conftest import slow_after

FIRST = [(page.name, next(iter(panels.of(page.name)), "")) for page in PAGES]
"""The first tab of each page. The figures of every tab are drawn from its copied code in test_recorded.py."""
ALWAYS = {"lessons", "arithmetic", "corpus"}
"""Pages of different kinds: texts, one sentence, a whole text. The others only with --thorough."""


def test_a_notebook_has_the_parts_in_their_order_and_is_the_same_each_time() -> None:
    parts = {
        "answers": Part(CODE, "x = f('print(x.frame)')\nprint(x.head)\nprint(x.frame)\nprint(x.rank('\\u200b'))", frozenset({"from m import f"}), ("", 0),
                        (("x.head", True), ("x.frame", False), ("x.rank('\\u200b')", False))),
        "text--1": Part(TEXT, "### A headline", frozenset(), ("", 0)),
        "chart-bars": Part(CHART, "c.bars(x)", frozenset({"from e import c"}), ("", 0)),
    }  # fmt: skip
    page = notebook.Page(
        "Pairs › <b>", [Cited("A model", "", "12ab")], "http://host/a b?x=(1)", ["model = 1"], parts, "How."
    )
    data = notebook.written(page)
    assert data == notebook.written(page)
    read = nbformat.reads(data.decode(), as_version=4)
    nbformat.validate(read)
    head, first, *cells, last = read.cells
    assert "\\<b\\>" in head.source and "(http://host/a%20b?x=%281%29)" in head.source and "SHA" in head.source
    assert first.source.splitlines() == [
        "import embtools", "import plotly.io", "from e import c", "from m import f", "",
        'plotly.io.templates.default = "plotly_white"', "model = 1",
    ]  # fmt: skip
    assert [cell.source for cell in cells] == [
        "x = f('print(x.frame)')\nprint(x.head)\ndisplay(x.frame)\ndisplay(x.rank('\\u200b'))",
        "### A headline",
        "c.bars(x)",
    ]
    assert (
        notebook.file_name("Ein Café für alle ›") == "ein-cafe-fur-alle"
        and notebook.file_name("Рим", "lesson") == "lesson"
    )
    assert cells[2].metadata == {"figure": "bars"} and last.source.endswith("How.")


@pytest.mark.thorough("corpus-nearest")
@pytest.mark.slow
@pytest.mark.parametrize("page, tab", slow_after(len(ALWAYS), sorted(FIRST, key=lambda each: each[0] not in ALWAYS)))
def test_a_notebook_runs_from_top_to_bottom_in_a_clean_environment(visit, tmp_path, page: str, tab: str) -> None:  # type: ignore[no-untyped-def]
    at = visit(page, **({f"{page}_tab": tab} if tab else {}))
    shown, written = figures_of.of_page(at), at.notebook()
    executed = environment.executed(written, environment.of_notebooks(), where=tmp_path)
    figures_of.assert_executed(executed, shown)
    assert json.dumps(nbformat.from_dict(executed))  # it can be saved
