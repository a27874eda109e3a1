"""The Arithmetic page as a visitor clicks it."""

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlparse

import numpy as np

import embtools
from embtools.arithmetic.strength import strength_curve
from embtools.mask_filling.edits import Change

SENTENCE = "Berlin is the capital of [MASK]."
EDIT = "berlin = berlin - germany + greece"
LINK = f"arithmetic?arithmetic_text={quote(SENTENCE)}&arithmetic_edits={quote(EDIT)}&arithmetic_strength=1.5"


def test_cold_deep_link_restores_everything(start: Callable[[], str], tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{start()}/{LINK}")
    tab.holds("Sentence with [MASK]", SENTENCE)
    tab.holds("Edits, one a line", EDIT)
    best = embtools.fill_mask(SENTENCE, bundled, k=1, edits=[EDIT], strength=1.5).iloc[0]
    assert f"{best['token']} {best['probability']:.1%}" in " ".join(tab.text().split())
    assert "Model" in tab.page.inner_text('[data-testid="stSidebar"]')


def test_preset_changes_sentence_and_answers(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/arithmetic").click("He, averaged with she")
    tab.holds("Sentence with [MASK]", "He works as a [MASK].")
    assert parse_qs(urlparse(tab.page.url).query)["arithmetic_edits"] == ["he = (he + she) / 2"]
    tab.click("Reset")
    tab.holds("Sentence with [MASK]", "Rome is the capital of [MASK].")


def test_analogy_preset_opens_the_other_tab(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/arithmetic").click("king - man + woman")
    tab.holds("The same as an analogy", "man is to king as woman is to ?")
    tab.fill("The same as an analogy", "france is to paris as italy is to ?")
    tab.holds("Formula", "paris - france + italy")
    tab.fill("Formula", "queen - woman + man")
    tab.holds("The same as an analogy", "woman is to queen as man is to ?")


def test_click_masks_a_word(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/arithmetic?arithmetic_text={quote('The sky is blue today.')}&arithmetic_edits=")
    tab.shows("has no [MASK]")
    tab.page.get_by_test_id("stButtonGroup").get_by_text("blue", exact=True).click()
    tab.settle()
    tab.holds("Sentence with [MASK]", "The sky is [MASK] today.")
    assert "has no [MASK]" not in tab.text()


def test_strength_zero_is_the_original(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/arithmetic")
    before = tab.text().count("+0.0 points")
    slider = tab.page.get_by_role("slider", name="Strength").first
    slider.focus()
    slider.press("Home")
    tab.settle()
    tab.shows("+0.0 points")
    assert before == 0
    assert "arithmetic_strength=0" in tab.page.url


def test_download_holds_the_numbers_shown(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/arithmetic")
    rows = tab.rows("answers-1")
    best = embtools.fill_mask(
        "Rome is the capital of [MASK].", bundled, k=1, edits=["rome = rome - italy + france"]
    ).iloc[0]
    assert rows[0]["token"] == best["token"]
    assert abs(float(rows[0]["probability"]) - best["probability"]) < 1e-5


def test_copied_link_reopens_the_same_page(server: str, tab, browser) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/{LINK}")
    again = type(tab)(browser.new_context().new_page()).open(tab.copied_link())
    again.holds("Edits, one a line", EDIT)
    assert "arithmetic_strength=1.5" in again.page.url
    again.page.context.close()


def test_hostile_text_stays_text(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    hostile = "# <img src=x onerror=alert(1)> ![x](http://127.0.0.1/x.png) **bold** [MASK]"
    tab.open(f"{server}/arithmetic?arithmetic_text={quote(hostile)}&arithmetic_edits={quote('<b>x</b> = ![a](b)')}")
    tab.shows_no_markup()


def test_phone_is_not_wider_than_its_screen(server: str, phone) -> None:  # type: ignore[no-untyped-def]
    phone.open(f"{server}/arithmetic").fits_the_screen()


def test_model_survives_a_page_switch(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/?model=distilbert/distilbert-base-uncased")
    tab.page.get_by_test_id("stSidebar").get_by_role("link", name="Arithmetic").click()
    tab.settle()
    assert parse_qs(urlparse(tab.page.url).query)["model"] == ["distilbert/distilbert-base-uncased"]
    # Without a network the model cannot be had: the page says so and goes on with the bundled one.
    tab.shows("The bundled model stays usable")
    tab.holds("Sentence with [MASK]", "Rome is the capital of [MASK].")


def test_curve_words_come_from_the_link_and_are_changed_by_hand(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/{LINK}&arithmetic_curve={quote('greece, athens')}&arithmetic_curve_as=log-odds")
    from playwright.sync_api import expect

    tab.holds("Words of the curve", "greece, athens")
    chart = tab.page.locator(".st-key-chart-strength")
    expect(chart.locator(".legendtext")).to_have_text(["greece", "athens"], timeout=15_000)
    expect(chart.locator(".ytitle")).to_have_text("log-odds against the original answer")
    curve = strength_curve(SENTENCE, Change.of((EDIT,)), ("greece", "athens"), model=bundled)
    drawn = chart.locator(".js-plotly-plot").evaluate("plot => Array.from(plot._fullData[0].y)")
    np.testing.assert_allclose(drawn, curve["log_odds"].head(21), atol=1e-4)

    tab.fill("Words of the curve", "athens")
    expect(chart.locator(".scatterlayer .trace")).to_have_count(1, timeout=15_000)
    tab.page.locator(".st-key-arithmetic_curve_as").get_by_text("probability", exact=True).click()
    tab.settle()
    expect(chart.locator(".ytitle")).to_have_text("probability", timeout=15_000)
    rows = tab.rows("strength")
    best = embtools.fill_mask(SENTENCE, bundled, k=100, edits=[EDIT], strength=1.0).set_index("token")
    (now,) = [row for row in rows if float(row["strength"]) == 1]
    assert {row["token"] for row in rows} == {"athens"}
    assert abs(float(now["probability"]) - best.loc["athens", "probability"]) < 1e-5
    assert "arithmetic_curve=athens" in tab.copied_link()  # what is changed by hand is in the link at once


def test_the_map_shows_result_nearest_word_and_arrows(server: str, tab, bundled) -> None:  # type: ignore[no-untyped-def]
    from playwright.sync_api import expect

    tab.open(f"{server}/arithmetic").click("king - man + woman")
    chart = tab.page.locator(".st-key-chart-map")
    nearest = embtools.nearest("king - man + woman", bundled, 1, inputs=False)["token"].iloc[0]
    expect(chart.locator(".annotation-arrow-g")).to_have_count(4, timeout=15_000)  # the sides of the parallelogram
    assert sorted(chart.locator(".textpoint text").all_text_contents()) == sorted(
        ["king", "man", "woman", "result", nearest]
    )
    rows = {row["label"]: row for row in tab.rows("map")}
    assert rows[nearest]["kind"] == "nearest" and rows["king - man + woman"]["kind"] == "result"
    # king - man + woman closes the parallelogram: the step from man to king, done again from woman.
    for axis in "xy":
        king, man, woman, result = (float(rows[w][axis]) for w in ("king", "man", "woman", "king - man + woman"))
        assert abs(king - man - (result - woman)) < 1e-4


def test_a_long_run_shows_a_bar_and_stays_stopped(slow_server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{slow_server}/arithmetic?arithmetic_text={quote('Rome is big. ' * 2 + '[MASK]')}&arithmetic_draws=20")
    field = tab.page.get_by_label("Sentence with [MASK]", exact=True)
    field.fill("Rome is big. " * 120 + "[MASK]")
    field.press("Enter")
    tab.page.get_by_role("progressbar").first.wait_for(timeout=30_000)
    tab.stop()
    tab.shows("It was stopped")
    tab.click("Rome in France")  # another question is answered at once
    tab.shows("turns from")
    assert "It was stopped" not in tab.text()
