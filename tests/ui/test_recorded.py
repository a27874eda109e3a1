"""What a page records: copied Python with the imports that it needs, charts and texts, in their order."""

import ast
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from embtools.arithmetic.nearest_tokens import nearest
from embtools.mask_filling.answers import fill_mask
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.spaces.space import CENTRED, Space
from embtools.ui import cached, panels, state
from embtools.ui.call import Call
from embtools.ui.menu import PAGES
from embtools.ui.recorded import CHART, TEXT, Code
from embtools.ui.shown import Model
from tests import figures_of
from tests.conftest import slow_after
from tests.visit import overwritten

OTHER = "distilbert/distilbert-base-uncased"


def test_parts_are_in_order_with_their_imports_and_are_replaced_by_later_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loaded:
        revision = "abc"

    monkeypatch.setattr(cached, "model", lambda name: Loaded)
    code, model = Code("bundled"), Model("bundled")
    code.record("first", [(Call(fill_mask, text="A [MASK]."), model, None)], ("", "[0]"))
    code.record("second", [(Call(nearest, expression="king"), model.within(Space(CENTRED)), None)], ("head()",))
    code.record("first", [(Call(fill_mask, text="The [MASK]."), model, None)], ("",))
    code.record("third", [(Call(nearest, expression="queen"), model, None)], ("",))
    code.drop("third")
    text = code.text()
    assert text.index("The [MASK].") < text.index("in_space(model") < text.index("print(second.head())")
    assert "A [MASK]." not in text and "queen" not in text and "other" not in text
    assert "model = embtools.load_model('bundled')  # revision abc" in text
    assert "from embtools.arithmetic import nearest" in text and code.models == ("bundled",)
    compile(text, "copied", "exec")
    code.record("first", [(Call(fill_mask, text="The [MASK]."), each, None) for each in (model, Model(OTHER))], ("",))
    assert f"other = embtools.load_model({OTHER!r})" in code.text() and code.models == ("bundled", OTHER)
    assert "other_first = fill_mask('The [MASK].', other)" in code.text()


def test_an_edited_model_is_made_once_and_named_in_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loaded:
        revision = None

    monkeypatch.setattr(cached, "model", lambda name: Loaded)
    change = Change.of(["rome = rome - italy", "king = queen"], "tied", 0.5, keep_length=True)
    code, model = Code("bundled"), Model("bundled")
    edited = Model("bundled", change=change)
    assert code.change == NO_CHANGE and "edited" not in code.text()
    code.record(
        "near",
        [(Call(nearest, expression="king"), each.within(Space(CENTRED)), None) for each in (model, edited)],
        ("",),
    )
    code.say(fill_mask, "near", (), ("A", "B"), "headline")
    lines = code.text().splitlines()
    assert lines[lines.index("model = embtools.load_model('bundled')") + 1] == (
        "edited = embtools.edited_model(['rome = rome - italy', 'king = queen'], model, scope='tied', strength=0.5,"
        " keep_length=True)"
    )
    assert "edited_in_space = in_space(edited, space=Space('centred'))" in lines
    assert "edited_near = nearest('king', edited_in_space)" in lines
    assert "print(fill_mask(near.headline, edited_near.headline, ('A', 'B')))" in lines
    assert code.models == ("bundled",) and code.change == change
    compile(code.text(), "copied", "exec")
    code.drop("near")
    code.drop(next(iter(code.parts())))
    assert code.change == NO_CHANGE and "edited" not in code.text()


TABS = [case for page in PAGES for case in slow_after(1, [(page.name, tab) for tab in panels.of(page.name)])]


@pytest.mark.thorough("concepts-probe", "features-learned", "evidence-battery")
@pytest.mark.slow("clusters-isotropy", "corpus-nearest", "features-word", "pairs-next")
@pytest.mark.parametrize("page, tab", TABS)
def test_the_copied_code_prints_the_headline_of_every_tab_and_draws_its_figures(visit, page: str, tab: str) -> None:  # type: ignore[no-untyped-def]
    at = visit(page, **{f"{page}_tab": tab})
    if not at.charts or tab == "claims":  # it waits for its button; the figures of claims are stored
        pytest.skip("nothing has been computed")
    headline = at.header[0].value.replace("\\", "")
    shown, copied = figures_of.of_page(at), at.copied(cached.model())
    printed = copied.sentences
    assert any(headline in text or text in headline for text in printed if len(text) > 20), (headline, printed)
    notebook = at.notebook()
    assert figures_of.drawn(notebook, copied) == shown
    texts = [cell.source.replace("\\", "") for cell in notebook.cells if cell.cell_type == "markdown"]
    assert any(headline in text for text in texts) and at.title[0].value in texts[0] and "How to read" in texts[-1]


def test_no_result_has_the_name_of_a_function_that_its_page_asks() -> None:
    """In a notebook, `name = name(…)` could be run once only. `Visit.copied` checks the code itself."""
    assert overwritten("from m import f\nimport a.b\nf = f(1)\na = 2\nc = 3") == {"f", "a"}
    for idea in filter(Path.is_dir, Path(panels.__file__).parent.iterdir()):
        results, functions = set[str](), set[str]()
        for path in idea.glob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text())))
            imported = {
                name.asname or name.name for node in nodes if isinstance(node, ast.ImportFrom) for name in node.names
            }
            for node in nodes:
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                called, first = ast.unparse(node.func).rpartition(".")[2], node.args[0]
                if called in ("ask", "detail"):
                    results |= {each.value for each in ast.walk(first) if isinstance(each, ast.Constant)}
                elif called in ("Call", "query") and (
                    isinstance(first, ast.Attribute) or ast.unparse(first) in imported
                ):
                    functions.add(ast.unparse(first).rpartition(".")[2])
        assert not results & functions, idea.name


@dataclass(frozen=True, eq=False)
class Found:
    frame: pd.DataFrame
    sentence: str = "A sentence."


def fresh(monkeypatch: pytest.MonkeyPatch, name: str = "", count: int = 0) -> None:
    """Let this fragment draw, which has run so often alone."""
    monkeypatch.setattr(state, "drawn_by", lambda: (name, count))
    monkeypatch.setattr(state, "is_latest", lambda run: not run[0] or run[0] != name or run[1] == count)


def draw(frame: pd.DataFrame, word: str = "") -> None:
    """Stands for a function of a chart."""


def test_charts_and_texts_are_recorded_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    code, model, found = Code("bundled"), Model("bundled"), Found(pd.DataFrame())
    fresh(monkeypatch)
    code.record("answers", [(Call(fill_mask, text="A [MASK]."), model, found)], ("sentence", "frame"))
    code.headline("1 of 2")
    code.chart("bars", draw, (found.frame,), {"word": "a"})
    code.chart("other", draw, (pd.DataFrame(),), {})  # a frame that is part of no result
    code.chart("alone", draw, (found.frame,), {}, [(pd.DataFrame(),)])  # beside such a frame
    code.write("A caption.")
    shown = [(part.kind, part.text) for part in code.parts().values()]
    assert shown[1:] == [
        (TEXT, "### 1 of 2"), (CHART, "draw(answers.frame, word='a')"), (TEXT, "A caption."),
    ]  # fmt: skip
    assert code.parts()["answers"].shows == (("answers.sentence", True), ("answers.frame", False))
    monkeypatch.setattr(cached, "model", lambda name: SimpleNamespace(revision=None))
    assert "draw" not in code.text() and "caption" not in code.text()


def test_a_chart_is_recorded_beside_those_whose_axes_it_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    code, one, other = Code("bundled"), Found(pd.DataFrame()), Found(pd.DataFrame())
    fresh(monkeypatch)
    models = Model("bundled"), Model("google-bert/bert-base-uncased")
    results = [(Call(fill_mask, text="A [MASK]."), *each) for each in zip(models, (one, other), strict=True)]
    code.record("answers", results, ("frame",))
    code.chart("bars", draw, (one.frame, "a"), {}, [(other.frame, "a")])
    assert code.parts()[f"{CHART}-bars"].text == "draw(answers.frame, 'a').beside(draw(other_answers.frame, 'a'))"


def test_a_fragment_replaces_its_texts_where_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    code = Code("bundled")
    fresh(monkeypatch)
    code.write("before")
    fresh(monkeypatch, "part")
    code.write("one")
    code.write("two")
    fresh(monkeypatch)
    code.write("after")
    fresh(monkeypatch, "part", 1)  # alone, and longer
    for text in ("three", "four", "five"):
        code.write(text)
    assert [part.text for part in code.parts().values()] == ["before", "three", "four", "five", "after"]
    fresh(monkeypatch, "part", 2)  # alone, and shorter
    code.write("six")
    assert [part.text for part in code.parts().values()] == ["before", "six", "after"]
