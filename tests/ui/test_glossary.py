"""Words that are explained: every term that a page marks is in the glossary, and every entry of it is used."""

import ast
import re
from pathlib import Path

import pytest

from embtools import wordlists
from embtools.ui import glossary

UI = Path(glossary.__file__).parent


def texts() -> list[tuple[Path, str]]:
    """Every string of the screens and of the pages."""
    files = [*UI.rglob("*.py"), *(UI.parents[1] / "pages").glob("*.py")]
    return [
        (file, node.value)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and file.name != "glossary.py"
    ]


def test_everything_that_is_marked_is_a_term_of_the_glossary() -> None:
    """[[3CosAdd]] was printed with its brackets: no term could begin with a digit."""
    for file, text in texts():
        missing = set(glossary.terms(text)) - set(glossary.definitions())
        assert not missing, (file, missing)
        if re.search(r"\[\[\w", text):  # not a column of a frame in Python that is copied
            assert "[[" not in glossary.html(text), (file, text)
    assert glossary.terms("[[3CosAdd]] and [[3CosMul|its sister]]") == ["3CosAdd", "3CosMul"]


def test_the_glossary_is_sorted_and_each_definition_a_sentence() -> None:
    frame = wordlists.load("glossary")
    assert frame["term"].tolist() == sorted(frame["term"], key=str.lower)
    for line in frame.itertuples():
        assert line.definition.endswith("."), line.term
        assert 20 <= len(line.definition) <= 300, line.term


def test_a_marked_text_becomes_html_with_its_definitions() -> None:
    found = glossary.html("An [[embedding|embedding's]] **length** & *more* <b>.")
    assert "embedding's</dfn>" in found and "data-definition=" in found
    assert "<strong>length</strong> &amp; <em>more</em> &lt;b&gt;." in found


def test_a_term_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        glossary.html("[[no such term]]")
