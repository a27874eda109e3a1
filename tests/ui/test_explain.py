"""Explain: the text for all tabs first, then the open tab's, the others in an expander; every text has a tab."""

import runpy
from pathlib import Path
from unittest.mock import patch

import pytest
from streamlit.testing.v1 import AppTest

from embtools.ui import explain, menu, page, panels

PAGES = Path(__file__).parents[2] / "pages"
LONG = 400
"""Words from which on an explanation of several tabs must be divided."""
TABS = {"one": "First tab", "two": "Second tab", "three": "Third tab"}
TEXTS = {"": "\nFor all.\n", "one": "\nOf one.\n\nMore.\n", "three": "\nOf three.\n"}


def explanation(name: str) -> explain.Explanation:
    """What a page gives to Explain."""
    with patch.object(page, "show") as show:
        runpy.run_path(str(PAGES / f"{name}.py"))
    text: explain.Explanation = show.call_args.args[2]
    return text


def test_the_whole_text_has_every_part_once_in_the_order_of_the_tabs() -> None:
    reordered = {"three": TEXTS["three"], **TEXTS}
    assert explain.whole(reordered, TABS, ("a", "b")) == (
        "For all.\n\n### First tab\n\nOf one.\n\nMore.\n\n### Third tab\n\nOf three.\n\nSources: a · b"
    )
    assert explain.whole("\nOne text.\n", TABS, ("a",)) == "One text.\n\nSources: a"


def popover(opened: str, one_text: bool) -> None:
    """Only the content of the popover."""
    from embtools.ui import explain
    from tests.ui.test_explain import TABS, TEXTS

    explain.show("One text." if one_text else TEXTS, TABS, opened, ("a", "b"))


@pytest.mark.parametrize(
    ("opened", "first", "others"),
    [
        ("one", ["For all.", "### First tab\n\nOf one.\n\nMore."], ["### Third tab\n\nOf three."]),
        ("three", ["For all.", "### Third tab\n\nOf three."], ["### First tab\n\nOf one.\n\nMore."]),
        ("two", ["For all."], ["### First tab\n\nOf one.\n\nMore.", "### Third tab\n\nOf three."]),
    ],
)
def test_the_open_tab_comes_before_the_others(opened, first, others) -> None:
    test = AppTest.from_function(popover, args=(opened, False)).run()
    (rest,) = test.expander
    assert rest.label == "Other tabs" and [text.value for text in rest.markdown] == others
    assert [text.value for text in test.markdown] == [*first, *others, "Sources: a · b"]


def test_one_text_has_no_expander() -> None:
    test = AppTest.from_function(popover, args=("one", True)).run()
    assert [text.value for text in test.markdown] == ["One text.", "Sources: a · b"] and not test.expander


@pytest.mark.parametrize("name", [page.name for page in menu.IDEAS])
def test_every_text_belongs_to_a_tab_and_long_ones_are_divided(name: str) -> None:
    found, tabs = explanation(name), panels.of(name)
    if isinstance(found, str):
        assert len(tabs) == 1 or len(found.split()) < LONG
        return
    assert len(tabs) > 1 and set(found) <= {explain.ALL, *tabs} and explain.ALL in found
    assert all(text.strip() for text in found.values())
    assert len(found[explain.ALL].split()) < LONG


def test_a_page_begins_with_its_open_tab_and_leaves_nothing_out(visit) -> None:
    texts = explanation("similarity")
    shown = [text.value for text in visit("similarity", similarity_tab="odd").test.markdown]
    names = {key: panel.TAB for key, panel in panels.of("similarity").items()}
    titled = {key: f"### {names[key]}\n\n{text.strip()}" for key, text in texts.items() if key}
    start = shown.index(texts[""].strip())
    assert shown[start + 1] == titled.pop("odd") and shown[-1].startswith("Sources: ")
    assert sorted(shown[start + 2 : -1]) == sorted(titled.values())
