"""The Arithmetic page as a visitor clicks it."""

import numpy as np
import pytest
from playwright.sync_api import expect

from embtools.arithmetic import controls, verdict
from embtools.mask_filling.edits import Change, resolve
from embtools.mask_filling.forward import mask_probabilities
from tests.browser.resting import resting
from tests.browser.tab import LONG

ROME, ROME_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
FIELD, EDITS = "Sentence with [MASK] or ___", "Edits (one per line)"


def found(model, text, *edits, **change):
    """The headline that the library gives."""
    return verdict.finding(controls.experiment(text, model, change=Change.of(edits, **change), k=5))


# What an address opens, and what it says


@pytest.mark.slow
def test_each_press_is_one_entry_and_back_and_forward_show_what_the_address_says(fresh, tab):
    fresh.open("arithmetic")
    begun, seen = fresh.entries, [(fresh.page.url, fresh.finding.inner_text())]
    for name in ("Orange grass", "Pakistan moved to Africa", "He averaged with she"):
        fresh.press(name)
        seen.append((fresh.page.url, fresh.finding.inner_text()))
        assert fresh.entries == begun + len(seen) - 1
    fresh.slide("Strength of the edit", "ArrowLeft")  # no entry of its own
    seen[-1] = (fresh.page.url, fresh.finding.inner_text())
    fresh.turn_to("Analogies")
    seen.append((fresh.page.url, fresh.finding.inner_text()))
    fresh.press("paris - france + italy")
    seen.append((fresh.page.url, fresh.finding.inner_text()))
    assert fresh.entries == begun + len(seen) - 1 and len({url for url, _ in seen}) == len(seen)
    for url, said in reversed(seen[:-1]):
        fresh.back()
        assert (fresh.page.url, fresh.finding.inner_text()) == (url, said)
    for url, said in seen[1:]:
        fresh.back(-1)
        assert (fresh.page.url, fresh.finding.inner_text()) == (url, said)
    url, said = seen[4]  # AppTest opens the link of every example
    assert tab.follow(url).finding.inner_text() == said


# What the page tells Python of Back goes out a second later than Streamlit's own question: as on a busy machine.
LATE = """
() => {
  const send = WebSocket.prototype.send, told = new Set();
  WebSocket.prototype.send = function (data) {
    const [time] = new TextDecoder("latin1").decode(data).match(/#\\d{13}/) || [];
    if (time === undefined || told.has(time)) return send.call(this, data);
    told.add(time);
    setTimeout(() => send.call(this, data), 1000);
  };
}
"""


@pytest.mark.slow
def test_a_step_back_is_awaited_however_late_the_server_receives_it(fresh):
    tab = fresh.open("arithmetic")
    texts = [tab.finding.inner_text()]
    for name in ("Orange grass", "Pakistan moved to Africa"):
        texts.append(tab.press(name).finding.inner_text())
    tab.page.evaluate(LATE)
    for expected in (texts[1], texts[0]):
        assert tab.back().finding.inner_text() == expected
    assert tab.back(-2).finding.inner_text() == texts[2]


@pytest.mark.slow
def test_new_findings_and_problems_are_read_aloud_and_what_a_guess_hides_is_gone(tab):
    tab.open("arithmetic")
    spoken = tab.page.locator('.read-aloud[role="status"]')
    expect(spoken).to_contain_text(tab.finding.inner_text())
    tab.press("Orange grass")
    expect(spoken).to_contain_text(tab.finding.inner_text())
    tab.fill(EDITS, "grass = grass - gren + orange")
    expect(spoken).to_contain_text("'gren' is not a single token")
    expect(spoken).not_to_contain_text(tab.finding.inner_text())  # it is not new
    tab.open("arithmetic")
    text = tab.finding.inner_text()
    expect(spoken).to_contain_text(text)
    tab.open("arithmetic", guess_first=True)
    expect(spoken).not_to_contain_text(text)


@pytest.mark.slow
def test_model_survives_a_page_switch(fresh):
    tab = fresh.open(model="distilbert/distilbert-base-uncased")
    tab.menu("Arithmetic")
    # It is not on this server: the page asks before it is downloaded, and goes on with the bundled one.
    tab.shows("DistilBERT is not on this server", "Until then Pocket BERT answers.").holds(FIELD, ROME)
    # The address names the model that answers, and the one that is wanted.
    named = {key: value for key, value in tab.query.items() if key != "weights"}
    assert named == {"wanted": ["distilbert/distilbert-base-uncased"]}


# The answers


@pytest.mark.slow
def test_the_bars_and_the_headline_follow_the_slider(fresh, bundled):
    tab = fresh.open("arithmetic")
    began = tab.entries
    for strength, keys in ((0.0, ["Home"]), (0.05, ["ArrowRight"]), (2.0, ["End"])):
        for key in keys:
            tab.slide("Strength of the edit", key)
        tab.shows(found(bundled, ROME, ROME_EDIT, strength=strength))
        chart = tab.chart("answers")
        words = chart.plot.evaluate("plot => plot._fullLayout.yaxis.ticktext")
        patch = resolve(Change.of([ROME_EDIT], strength=strength), bundled)
        ((probability,),) = mask_probabilities(ROME, bundled, patches=[patch])
        shares = probability[[bundled.ids[word] for word in words]]
        np.testing.assert_allclose(chart.trace("after")["x"], shares, atol=1e-5)
        tab.asks(arithmetic_strength=f"{strength:g}")
    assert tab.entries == began


@pytest.mark.slow
def test_an_edit_is_built_from_words_that_are_picked_and_typed(fresh, bundled):
    tab = fresh.open("arithmetic", arithmetic_text="Amazon is a ___.", arithmetic_edits="")
    with tab.answer():
        tab.page.get_by_role("button", name="Build an edit").click()
    expect(tab.page.get_by_label("Word to change", exact=True)).to_have_value("amazon")
    for label, word in (("Word to subtract", "river"), ("Word to add", "company")):  # neither is among the suggestions
        field = tab.page.get_by_label(label, exact=True)
        field.click()
        with tab.answer():
            field.press_sequentially(word)
            field.press("Enter")
    with tab.answer():
        tab.page.get_by_role("button", name="Use this edit").click()
    edit = "amazon = amazon - river + company"
    tab.holds(EDITS, edit).shows(found(bundled, "Amazon is a [MASK].", edit))
    tab.asks(arithmetic_edits=edit)
    expect(tab.page.get_by_role("button", name="Use this edit")).to_have_count(0)  # it has closed


@pytest.mark.slow
def test_on_a_phone_the_words_of_a_long_sentence_keep_their_width_and_can_be_scrolled(phone):
    words = "My brother bought an apple because he likes fresh"
    phone.open("arithmetic", arithmetic_text=f"{words} ___.", arithmetic_edits="").fits_the_screen()
    row = phone.main.locator('[class*="st-key-arithmetic_mask_word"]')
    buttons = row.get_by_role("radio").or_(row.get_by_role("button"))
    expect(buttons).to_have_count(10)
    cut = buttons.evaluate_all("all => all.filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.innerText)")
    assert not cut and "brother" in row.inner_text()
    tops = buttons.evaluate_all("all => all.map(e => Math.round(e.getBoundingClientRect().top))")
    assert len(set(tops)) == 1  # one line, which scrolls
    assert row.evaluate("e => [...e.querySelectorAll('*')].some(part => part.scrollWidth > part.clientWidth + 40)")


@pytest.mark.slow
def test_hostile_text_stays_text(tab):
    hostile = "# <img src=x onerror=alert(1)> ![x](http://127.0.0.1/x.png) **bold** [MASK]"
    tab.open("arithmetic", arithmetic_text=hostile, arithmetic_edits="<b>x</b> = ![a](b)").shows_no_markup()
    tab.open("arithmetic", arithmetic_text=hostile).shows("is not applied").shows_no_markup()
    tab.open("arithmetic", arithmetic_tab="many", arithmetic_rows=hostile).shows_no_markup()


# Long runs


@pytest.mark.slow
def test_a_long_run_shows_a_bar_and_stays_stopped(fresh):
    with resting("Rome is big"):
        fresh.begin("arithmetic", arithmetic_text="Rome is big and [MASK].")
        expect(fresh.page.get_by_role("progressbar").first).to_be_visible(timeout=LONG)  # the model may have to be read
        fresh.stop().shows("was stopped.", "Showing the page's example")
        fresh.press("Rome moved to France").shows("BERT now answers").lacks(
            "was stopped."
        )  # another question: answered at once


@pytest.mark.slow
def test_a_step_of_the_slider_that_takes_long_can_be_stopped_too(fresh):
    fresh.open("arithmetic", arithmetic_text="Rome is vast and [MASK].")
    slider = fresh.page.get_by_role("slider", name="Strength of the edit").first
    slider.focus()
    with resting("Rome is vast"):
        slider.press("Home")
        expect(fresh.page.get_by_role("progressbar").first).to_be_visible()
        fresh.stop().shows("was stopped.")
    fresh.press("Run again").shows("At strength 0, the edit changes nothing")
