"""The Arithmetic page as a visitor clicks it."""

import numpy as np
import pytest
from playwright.sync_api import expect

import embtools
from embtools.arithmetic.strength import strength_curve
from embtools.mask_filling.edits import Change

SENTENCE = "Berlin is the capital of [MASK]."
EDIT = "berlin = berlin - germany + greece"
ASKED = {"arithmetic_text": SENTENCE, "arithmetic_edits": EDIT, "arithmetic_strength": 1.5}


def test_a_deep_link_restores_everything_on_a_server_that_nobody_has_visited(start, visitor, bundled):
    tab = visitor(start()).open("arithmetic", **ASKED)
    tab.holds("Sentence with [MASK]", SENTENCE).holds("Edits, one a line", EDIT)
    best = embtools.fill_mask(SENTENCE, bundled, k=1, edits=[EDIT], strength=1.5).iloc[0]
    tab.shows(best["token"])
    assert f"{best['token']} {best['probability']:.1%}" in tab.text()
    expect(tab.page.get_by_test_id("stSidebar")).to_contain_text("Model")


def test_an_example_is_in_the_address_and_reset_takes_it_back(tab):
    tab.open("arithmetic").press("He, averaged with she")
    tab.holds("Sentence with [MASK]", "He works as a [MASK].")
    assert tab.query["arithmetic_edits"] == ["he = (he + she) / 2"]
    tab.press("Reset").holds("Sentence with [MASK]", "Rome is the capital of [MASK].")


def test_strength_zero_is_the_original(tab):
    tab.open("arithmetic").lacks("+0.0 points")
    tab.slide("Strength", "Home").shows("+0.0 points")
    assert tab.query["arithmetic_strength"] == ["0"]


def test_download_holds_the_numbers_shown(tab, bundled):
    row = tab.open("arithmetic").rows("answers-1")[0]
    edits = ["rome = rome - italy + france"]
    best = embtools.fill_mask("Rome is the capital of [MASK].", bundled, k=1, edits=edits).iloc[0]
    assert row["token"] == best["token"]
    assert float(row["probability"]) == pytest.approx(best["probability"], abs=1e-5)


def test_copied_link_reopens_the_same_page(tab, visitor, server):
    link = tab.open("arithmetic", **ASKED).copied_link()
    again = visitor(server).follow(link).holds("Edits, one a line", EDIT)
    assert again.query["arithmetic_strength"] == ["1.5"]


def test_hostile_text_stays_text(tab):
    hostile = "# <img src=x onerror=alert(1)> ![x](http://127.0.0.1/x.png) **bold** [MASK]"
    tab.open("arithmetic", arithmetic_text=hostile, arithmetic_edits="<b>x</b> = ![a](b)").shows_no_markup()


def test_phone_is_not_wider_than_its_screen(phone):
    phone.open("arithmetic").fits_the_screen()


def test_model_survives_a_page_switch(tab):
    tab.open(model="distilbert/distilbert-base-uncased")
    with tab.answer():
        tab.page.get_by_test_id("stSidebar").get_by_role("link", name="Arithmetic").click()
    # Without a network the model cannot be had: the page says so and goes on with the bundled one.
    tab.shows("The bundled model stays usable").holds("Sentence with [MASK]", "Rome is the capital of [MASK].")
    assert tab.query["model"] == ["distilbert/distilbert-base-uncased"]


def test_curve_words_come_from_the_link_and_are_changed_by_hand(tab, bundled):
    tab.open("arithmetic", **ASKED, arithmetic_curve="greece, athens", arithmetic_curve_as="log-odds")
    tab.holds("Words of the curve", "greece, athens")
    chart = tab.chart("strength").names("greece", "athens")
    expect(chart.place.locator(".ytitle")).to_have_text("log-odds against the original answer")
    curve = strength_curve(SENTENCE, Change.of((EDIT,)), ("greece", "athens"), model=bundled)
    np.testing.assert_allclose(chart.trace("greece")["y"], curve["log_odds"].head(21), atol=1e-4)

    tab.fill("Words of the curve", "athens")
    expect(chart.place.locator(".scatterlayer .trace")).to_have_count(1)
    tab.choose("arithmetic_curve_as", "probability")
    expect(chart.place.locator(".ytitle")).to_have_text("probability")
    rows = tab.rows("strength")
    best = embtools.fill_mask(SENTENCE, bundled, k=100, edits=[EDIT], strength=1.0).set_index("token")
    (now,) = [row for row in rows if float(row["strength"]) == 1]
    assert {row["token"] for row in rows} == {"athens"}
    assert float(now["probability"]) == pytest.approx(best.loc["athens", "probability"], abs=1e-5)
    assert "arithmetic_curve=athens" in tab.copied_link()  # what is changed by hand is in the link at once


def test_the_map_shows_result_nearest_word_and_arrows(tab, bundled):
    tab.open("arithmetic").press("king - man + woman")
    chart = tab.chart("map")
    nearest = embtools.nearest("king - man + woman", bundled, 1, inputs=False)["token"].iloc[0]
    expect(chart.place.locator(".annotation-arrow-g")).to_have_count(4)  # the sides of the parallelogram
    named = [text for trace in chart.traces() for text in trace["text"]]
    assert sorted(named) == sorted(["king", "man", "woman", "result", nearest])
    rows = {row["label"]: row for row in tab.rows("map")}
    assert rows[nearest]["kind"] == "nearest" and rows["king - man + woman"]["kind"] == "result"


def test_a_long_run_shows_a_bar_and_stays_stopped(slow):
    slow.open("arithmetic", arithmetic_text="Rome is big. " * 2 + "[MASK]", arithmetic_draws=20)
    field = slow.page.get_by_label("Sentence with [MASK]", exact=True)
    field.fill("Rome is big. " * 120 + "[MASK]")
    field.press("Enter")
    expect(slow.page.get_by_role("progressbar").first).to_be_visible()
    slow.stop().shows("It was stopped")
    slow.press("Rome in France").shows("turns from").lacks("It was stopped")  # another question is answered at once
