"""The About page: every part is there, the glossary is found by its words, and nothing typed is read as HTML."""

import re

from embtools.ui import about, glossary


def test_the_page_says_what_this_is_and_where_to_start(visit) -> None:
    at = visit("about")
    headings = [header.value for header in at.header]
    assert headings == ["What this is", "Where to start", "Good to know", "The bundled model", "Glossary"]
    assert at.says("Apache License 2.0", "SECURITY.md", "What you type becomes part of this page's address")


def test_every_term_is_listed_and_some_are_found_by_their_words(visit) -> None:
    (listed,) = [e.proto.body for e in visit("about").test.get("html") if '<dl class="glossary">' in e.proto.body]
    assert listed.count("<dt>") == len(glossary.definitions()) > 100
    at = visit("about", about_find="COSINE similarity")
    (found,) = [e.proto.body for e in at.test.get("html") if '<dl class="glossary">' in e.proto.body]
    assert 1 <= found.count("<dt>") < 20 and "COSINE similarity" in at.test.query_params["about_find"]
    nothing = visit("about", about_find="<img src=x>")
    assert nothing.says("No term and no definition contains these words.")
    assert not [e for e in nothing.test.get("html") if "<img" in e.proto.body]


def test_terms_by_name_come_before_those_by_definition() -> None:
    assert list(about.terms("")) == list(glossary.definitions())
    found = list(about.terms("attention"))
    named = [term for term in found if "attention" in term.casefold()]
    assert found[: len(named)] == named and len(found) > len(named) > 0


def test_an_installed_package_without_the_files_of_the_repository_leaves_them_out(visit, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(about, "_PACKAGE", tmp_path / "embtools")
    assert not visit("about").says("Sources of the model and the word lists")


def test_it_leads_to_code_licence_and_model_card(visit, monkeypatch) -> None:
    card = about.model_card()
    assert card.startswith("## Pocket BERT") and "license: apache-2.0" not in card
    assert not re.search(r"\]\((?!https://)", card) and "docs/pocket-model.md" in card
    assert not re.search(r"^# ", card, re.MULTILINE)
    at = visit("about", open=["card", "notice"])
    assert at.says("It is made for exploring BERT's embeddings.", "The bundled model (embtools/bundled/) is derived")
    assert at.says("**Model card.**", "](https://www.apache.org/licenses/LICENSE-2.0)")
    assert at.says("Ask whoever runs this server for the source code.")
    monkeypatch.setenv("EMBTOOLS_CODE_LINK", "https://example.org/code")
    assert visit("about").says("[The source code of this server](https://example.org/code)")
