"""The Layers page as a visitor clicks it."""

from collections.abc import Callable
from urllib.parse import parse_qs, quote, urlparse

import pytest

from embtools.layers import recipes, senses

LINES = ("stone | I found a rock.", "music | I only listen to rock.", "music | Loud rock shook the hall.")
LINK = (
    f"layers?layers_word=rock&layers_lines={quote(chr(10).join(LINES))}&layers_recipe=layer+2"
    "&layers_pooling=first+piece&layers_keep=1+a+rock&layers_keep=2+to+rock"
)


def query(tab) -> dict[str, list[str]]:  # type: ignore[no-untyped-def]
    return parse_qs(urlparse(tab.page.url).query)


def test_cold_deep_link_restores_everything(start: Callable[[], str], tab, bundled) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{start()}/{LINK}")
    tab.holds("Word", "rock")
    tab.holds("Sentences, one a line", "\n".join(LINES))
    found = recipes.compare_word(LINES, "rock", bundled)
    shape = found.shapes.iloc[0]
    tab.shows(f"{shape['layers']} × 1 × {shape['tokens']} × {shape['dimensions']}")
    rows = tab.rows("pairs-over-layers")
    cosines = senses.pair_lines(found, "first piece", (1, 2))["cosine"]
    assert [float(r["cosine"]) for r in rows] == pytest.approx(cosines.tolist(), abs=1e-5)


def test_presets_and_reset(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/layers").click("The bank robber")
    assert "Mississippi" in query(tab)["layers_lines"][0]
    tab.shows("Published: BERT base")
    tab.click("Reset")
    assert "layers_lines" not in query(tab)
    assert "Published: BERT base" not in tab.text()


def test_occurrences_are_picked_by_clicking(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/layers").click("The bank robber")
    tab.shows("1 of 3")
    pills = tab.page.get_by_test_id("stButtonGroup")
    for name in ("1 the bank vault", "3 river bank"):
        pills.get_by_text(name, exact=True).click()
        tab.settle()
    assert query(tab)["layers_keep"] == ["1 the bank vault", "3 river bank"]
    assert "1 of 3" not in tab.text()


def test_typed_sentences_survive_a_change_of_tab(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{server}/layers").fill("Sentences, one a line", "the bank\na bank")
    for name in ("Questions and answers", "One word"):
        tab.page.get_by_role("tab", name=name).click()
        tab.settle()
    tab.holds("Sentences, one a line", "the bank\na bank")


def test_fifty_words_run_with_progress_stop_and_a_link(slow_server: str, tab) -> None:  # type: ignore[no-untyped-def]
    tab.open(f"{slow_server}/layers?layers_tab=Fifty+words")
    assert tab.page.locator(".js-plotly-plot").count() == 0
    tab.page.get_by_role("button", name="Score the fifty words").click()
    tab.page.get_by_test_id("stProgress").wait_for(timeout=30_000)
    tab.stop()
    assert "layers_run" not in query(tab)
    assert tab.page.locator(".js-plotly-plot").count() == 0
    tab.page.get_by_role("button", name="Score the fifty words").click()
    tab.page.get_by_text("Control: shared words").wait_for(timeout=120_000)
    tab.settle()
    from playwright.sync_api import expect

    assert query(tab)["layers_run"] == ["1"]
    expect(tab.page.locator(".js-plotly-plot")).to_have_count(3, timeout=30_000)


def test_hostile_text_stays_text(server: str, tab) -> None:  # type: ignore[no-untyped-def]
    hostile = "**bold** <img src=x onerror=alert(1)> bank ![x](http://127.0.0.1/x.png)"
    tab.open(f"{server}/layers?layers_lines={quote(hostile + chr(10) + 'the bank')}")
    tab.shows_no_markup()


def test_phone_is_not_wider_than_its_screen(server: str, phone) -> None:  # type: ignore[no-untyped-def]
    phone.open(f"{server}/layers").fits_the_screen()
