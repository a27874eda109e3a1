"""The Concepts page as a visitor clicks it: what needs a browser; everything else is in tests/concepts."""

import pytest

pytestmark = pytest.mark.slow

ROWS = "\n".join(f"{label} | {word} | The {word} is here." for label, words in (
    ("animal", "dog cat horse bird fish"), ("plant", "tree rose grass oak flower"),
) for word in words.split())  # fmt: skip


def test_a_click_on_a_layer_chooses_it(tab):
    tab.open("concepts")
    chart = tab.chart("concepts-probes")
    line = chart.trace("true labels")
    assert "true labels, layer 4" in chart.click(4, line["y"][4])
    tab.shows("A probe on layer 4 predicts", "A probe on layer 4 gets")
    tab.asks(concepts_probe_layer="4")


def test_own_sentence_and_own_items(tab):
    tab.open("concepts", concepts_task="tense", concepts_sentence="She hums while he cooks.", concepts_word="he")
    tab.fill("Sentence", "She sang while he cooks.").shows("sang · past")
    tab.choose("concepts_word", "sang · past")
    tab.chart("concepts-predicted").is_described("Predicted labels for “sang”")
    tab.open("concepts", concepts_task="own").fill("Your items (one per line)", ROWS).shows("your labels of")


def test_an_uploaded_table_is_in_the_link(tab, visitor, server):
    lines = [line.split(" | ") for line in ROWS.splitlines()]
    table = "sentence,word,label\n" + "\n".join(f"{sentence},{word},{label}" for label, word, sentence in lines)
    tab.open("concepts", concepts_task="own")
    with tab.answer():
        tab.page.locator("input[type=file]").set_input_files(
            {"name": "mine.csv", "mimeType": "text/csv", "buffer": table.encode()}
        )
    tab.holds("Your items (one per line)", table).shows("10 labelled words")
    visitor(server).follow(tab.page.url).holds("Your items (one per line)", table).shows("10 labelled words")


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)> it ![x](http://127.0.0.1/x.png) [MASK]"
    tab.open("concepts", concepts_tab="erase", concepts_masked=hostile).shows_no_markup()


def test_a_text_that_is_too_long_is_cut_and_the_field_says_so(tab):
    tab.open("concepts", concepts_tab="direction", concepts_text="A good day.")
    tab.fill("Sentence to score", "A good day. " * 50)
    tab.holds("Sentence to score", ("A good day. " * 50)[:500]).shows(
        "The text had 600 characters; the first 500 are used."
    )
