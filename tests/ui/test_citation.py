"""The citation of a page, in a line and for BibTeX."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

import embtools
from embtools import settings
from embtools.ui import citation
from embtools.ui.citation import Cited

DAY, ADDRESS = date(2026, 11, 22), "https://host/bias?bias_layer=3&bias_template=a_%7Bb%7D"
BASE = Cited("BERT base", "86b5e0934494bd15", "0123456789abcdef")


def fields(entry: str) -> dict[str, str]:
    """The fields of an entry: each on a line of its own, in braces."""
    return dict(re.findall(r"^  (\w+) *= \{(.*)\},?$", entry, re.MULTILINE))


def test_a_model_is_cited_by_its_checksum(tiny) -> None:
    assert citation.cited("bundled", model=tiny) == Cited("Pocket BERT", "", tiny.checksum[:16])
    assert str(BASE) == "BERT base, revision 86b5e0934494bd15, SHA-256 0123456789abcdef"


def test_the_line_names_version_model_state_and_day(tiny) -> None:
    line = citation.line([citation.cited("bundled", model=tiny)], ADDRESS, DAY)
    said = (embtools.__version__, "Model: Pocket BERT", tiny.checksum[:16], ADDRESS, "2026-11-22")
    assert all(part in line for part in said)


def test_the_entry_names_the_same(tiny) -> None:
    pocket = citation.cited("bundled", model=tiny)
    entry = citation.bibtex([pocket, BASE], ADDRESS, DAY)
    assert entry.startswith("@software{bert-embedding-explorer-") and entry.endswith("\n}")
    found = fields(entry)
    assert found["version"] == embtools.__version__ and found["url"] == ADDRESS and found["urldate"] == "2026-11-22"
    assert found["note"] == f"Models: {pocket}; {BASE}"


def test_the_code_is_cited_if_the_host_names_its_address() -> None:
    code = "https://example.org/a_b/code"
    assert f"; code: {code})." in citation.line([BASE], ADDRESS, DAY, code)
    assert "code:" not in citation.line([BASE], ADDRESS, DAY)
    found = fields(citation.bibtex([BASE], ADDRESS, DAY, code))
    assert found["repository"] == code and found["url"] == ADDRESS
    assert "repository" not in fields(citation.bibtex([BASE], ADDRESS, DAY))


@pytest.mark.slow
def test_python_and_citation_say_where_the_code_is(visit, monkeypatch) -> None:
    code = "https://example.org/code"

    def said() -> list[str]:
        at = visit("pairs", **{"pairs_tab": "next"})
        at.test.session_state["share-code"] = at.test.session_state["share-link"] = True
        at.run()
        head = at.notebook().cells[0]["source"]
        assert citation.installing(settings.current().code_link) in head
        return [*at.texts, *(block.value for block in at.test.code)]

    assert not any(code in text for text in said())
    monkeypatch.setenv("EMBTOOLS_CODE_LINK", code)
    texts = said()
    assert "Get the source code from https://example.org/code and then run pip install . in its folder." in texts
    assert sum(f"code: {code})" in text for text in texts) == 1
    assert sum(f"repository = {{{code}}}" in text for text in texts) == 1


def test_the_entry_agrees_with_the_citation_file() -> None:
    file = (Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8")
    found = fields(citation.bibtex([BASE], ADDRESS, DAY))
    assert f'date-released: "{found["date"]}"' in file and found["year"] == found["date"][:4]
    assert f'name: "{citation.AUTHORS}"' in file and f'title: "{citation.APP}"' in file


def test_no_title_or_address_breaks_out_of_its_field() -> None:
    odd = Cited(r"my_model} \\input{x} 50% & #1 $", "", "0")
    entry = citation.bibtex([odd], "https://host/?a={}\\}\n", DAY)
    found = fields(entry)
    assert found["url"] == "https://host/?a=%7B%7D%5C%7D%0A"
    bare = re.sub(r"\\([&%$#_]|text[a-z]+\{\})", "", found["note"])
    assert not re.search(r"[\\{}&%$#_]", bare) and r"\textbackslash{}input\textbraceleft{}x" in found["note"]
    assert entry.count("{") == entry.count("}")  # as BibTeX counts them, which knows no escapes


def test_an_edit_is_cited_after_its_model() -> None:
    edited = replace(BASE, edits="rome = rome - italy_x")
    text = f"{BASE}, without and with the edit rome = rome - italy_x"
    assert str(edited) == text and text in citation.line([edited], ADDRESS, DAY)
    assert fields(citation.bibtex([edited], ADDRESS, DAY))["note"] == f"Model: {text}".replace("_", r"\_")
