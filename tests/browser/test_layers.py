"""The Layers page as a visitor clicks it."""

import pytest
from playwright.sync_api import expect

from embtools.layers import recipes, senses

LINES = ("stone | I found a rock.", "music | I only listen to rock.", "music | Loud rock shook the hall.")
ASKED = {
    "layers_word": "rock",
    "layers_lines": "\n".join(LINES),
    "layers_recipe": "layer 2",
    "layers_pooling": "first piece",
    "layers_keep": ["1 a rock", "2 to rock"],
}


def test_a_link_restores_everything(tab, bundled):
    tab.open("layers", **ASKED).holds("Word", "rock").holds("Sentences, one a line", "\n".join(LINES))
    found = recipes.compare_word(LINES, "rock", bundled)
    shape = found.shapes.iloc[0]
    tab.shows(f"{shape['layers']} × 1 × {shape['tokens']} × {shape['dimensions']}")
    cosines = senses.pair_lines(found, "first piece", (1, 2))["cosine"]
    assert [float(r["cosine"]) for r in tab.rows("pairs-over-layers")] == pytest.approx(cosines.tolist(), abs=1e-5)


def test_presets_and_reset(tab):
    tab.open("layers").press("The bank robber").shows("Published: BERT base")
    assert "Mississippi" in tab.query["layers_lines"][0]
    tab.press("Reset").lacks("Published: BERT base")
    assert "layers_lines" not in tab.query


def test_occurrences_are_picked_by_clicking(tab):
    tab.open("layers").press("The bank robber").shows("1 of 3")
    for name in ("1 the bank vault", "3 river bank"):
        tab.choose("layers_keep", name)
    assert tab.query["layers_keep"] == ["1 the bank vault", "3 river bank"]
    tab.lacks("1 of 3")


def test_typed_sentences_survive_a_change_of_tab(tab):
    tab.open("layers").fill("Sentences, one a line", "the bank\na bank")
    tab.turn_to("Questions and answers").turn_to("One word").holds("Sentences, one a line", "the bank\na bank")


def test_fifty_words_run_with_progress_stop_and_a_link(slow):
    slow.open("layers", layers_tab="Fifty words").charts(0)
    slow.main.get_by_role("button", name="Score the fifty words").click()
    expect(slow.page.get_by_test_id("stProgress")).to_be_visible()
    slow.stop().charts(0)
    assert "layers_run" not in slow.query
    slow.press("Score the fifty words").shows("Control: shared words").charts(3)
    assert slow.query["layers_run"] == ["1"]


def test_hostile_text_stays_text(tab):
    hostile = "**bold** <img src=x onerror=alert(1)> bank ![x](http://127.0.0.1/x.png)"
    tab.open("layers", layers_lines=f"{hostile}\nthe bank").shows_no_markup()


def test_phone_is_not_wider_than_its_screen(phone):
    phone.open("layers").fits_the_screen()
