"""The Pairs page as a visitor clicks it: what needs a browser; everything else is in tests/pairs/test_page.py."""

from playwright.sync_api import expect

from embtools.ui.pairs import batch, following, groups, likeness, questions

PANELS = (following, batch, likeness, questions, groups)
ASKED = {
    "pairs_tab": "Groups of sentences",
    "pairs_sentences": "A king slept.\nA queen slept.\nIt rained.\nIt snowed.\nWe ate bread.\nWe ate soup.",
    "pairs_group_recipe": "layer 3",
    "pairs_groups": "3",
}


def test_a_link_restores_everything(tab, visitor, server):
    tab.open("pairs", **ASKED)
    said = tab.main.locator("h2").first.inner_text()
    assert "3 groups" in said
    again = visitor(server).follow(tab.copied_link())
    assert again.query["pairs_sentences"] == [ASKED["pairs_sentences"]]
    expect(again.main.locator("h2").first).to_have_text(said)


def test_the_link_of_an_example_shows_the_same(tab, visitor, server):
    tab.open("pairs", pairs_tab=groups.TAB).press(list(groups.PRESETS)[1])  # all: tests/pairs/test_page.py
    again = visitor(server).follow(tab.page.url)
    assert again.query == tab.query
    expect(again.main.locator("h2").first).to_have_text(tab.main.locator("h2").first.inner_text())


def test_back_and_forward_show_what_their_address_says(tab):
    first = "He poured the milk into a glass."
    tab.open("pairs").press("A glass of milk").holds("First sentence", first)
    tab.press("Rome and penguins").holds("First sentence", "Rome is the capital of Italy.")
    tab.back()
    tab.holds("First sentence", first)
    tab.back(-1)
    tab.holds("First sentence", "Rome is the capital of Italy.")


def test_an_old_link_to_the_layers_page_opens_the_tab_here_and_back_leads_past_it(tab):
    tab.open("bias")
    before = tab.entries
    tab.page.goto(
        f"{tab.server}/layers?layers_tab=Questions+and+answers&layers_question=Why+is+the+sky+blue%3F"
        "&layers_answer_recipe=layer+1&layers_answer_pooling=sentence%3A+max"
    )
    tab.page.wait_for_url("**/pairs?**")
    tab.holds("New question", "Why is the sky blue?").shows("The right answer is number")
    assert tab.query["pairs_tab"] == ["Questions and answers"] and tab.query["pairs_answer_recipe"] == ["layer 1"]
    assert tab.query["pairs_answer_pooling"] == ["sentence: max"] and tab.entries == before + 1
    tab.page.go_back()
    tab.page.wait_for_url("**/bias**")


def test_the_answers_stand_above_the_fold(visitor, server):
    seen = visitor(server, viewport={"width": 1280, "height": 720})  # the lower of the two screens that count
    for panel in PANELS:
        seen.open("pairs", pairs_tab=panel.TAB)
        chart = seen.main.locator(".js-plotly-plot").first.bounding_box()
        finding = seen.main.locator("h2").first.bounding_box()
        assert chart and finding and finding["y"] + finding["height"] <= chart["y"] + 1
        if panel is not questions:
            assert chart["y"] + chart["height"] <= 720, panel.TAB


def test_on_a_phone_the_answer_stands_first_and_fits(phone):
    for panel in PANELS:
        phone.open("pairs", pairs_tab=panel.TAB).fits_the_screen()
        finding = phone.main.locator("h2").first.bounding_box()
        assert finding and finding["y"] + finding["height"] <= 844
