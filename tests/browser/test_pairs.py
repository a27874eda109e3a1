"""The Pairs page as a visitor clicks it: what needs a browser; everything else is in tests/pairs/test_page.py."""

from playwright.sync_api import expect

ASKED = {
    "pairs_tab": "Sentence clusters",
    "pairs_sentences": "A king slept.\nA queen slept.\nIt rained.\nIt snowed.\nWe ate bread.\nWe ate soup.",
    "pairs_group_recipe": "layer 3",
    "pairs_groups": "3",
}


def test_a_link_restores_everything(tab, visitor, server):
    tab.open("pairs", **ASKED)
    sentence = tab.finding.inner_text()
    assert "3 clusters" in sentence
    again = visitor(server).follow(tab.copied_link())
    assert again.query["pairs_sentences"] == [ASKED["pairs_sentences"]]
    expect(again.finding).to_have_text(sentence)
    assert again.text() == tab.text()


def test_an_old_link_to_the_layers_page_opens_the_tab_here_and_back_leads_past_it(fresh):
    tab = fresh.open("bias")
    before = tab.entries
    tab.page.goto(
        f"{tab.server}/layers?layers_tab=Questions+and+answers&layers_question=Why+is+the+sky+blue%3F"
        "&layers_answer_recipe=layer+1&layers_answer_pooling=sentence%3A+max"
    )
    tab.page.wait_for_url("**/pairs?**")
    tab.holds("Question", "Why is the sky blue?").shows("The right answer has rank")
    assert tab.query["pairs_tab"] == ["questions"] and tab.query["pairs_answer_recipe"] == ["layer 1"]
    assert tab.query["pairs_answer_pooling"] == ["sentence: max"] and tab.entries == before + 1
    tab.page.go_back()
    tab.page.wait_for_url("**/bias**")


def test_both_sentences_are_answered_one_after_the_other(fresh):
    """Each change chooses another topic for the controls; the field of the topic keeps its option."""
    tab = fresh.open("pairs")
    tab.fill("First sentence", "My phone battery died on the way home.").shows("Topic chosen automatically: war.")
    tab.fill("Second sentence", "I could not call my mother.").shows("Topic chosen automatically: family.")
    tab.lacks("⚠", "Showing the previous result").holds("Topic of the control sentences", "chosen automatically")
    assert "pairs_topic" not in tab.query
