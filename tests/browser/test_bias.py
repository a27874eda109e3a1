"""The Bias page as a visitor clicks it."""

import re

import pytest

from embtools.bias import association, published_tests
from embtools.bias import groups as bias_groups

TEMPLATE = "The {group} is a [MASK]."
ASKED = {"bias_template": TEMPLATE, "bias_groups": "king, queen", "bias_lean": -0.5, "bias_scope": "input"}


def test_a_link_restores_the_table(tab, bundled):
    tab.open("bias", **ASKED).holds("Groups", "king, queen")
    found = bias_groups.group_answers(TEMPLATE, ("king", "queen"), bundled, lean=-0.5, scope="input")
    farthest = found.distances.set_index("of").loc["king", "queen"]
    tab.shows(found.formula, f"{farthest:.3f} bits")
    for name in ("king", "queen"):
        assert tab.chart("answers-by-group").trace(name)["x"][::-1] == pytest.approx(found.union[name], abs=1e-5)


def test_presets_and_reset(tab):
    tab.open("bias").press("Religions").holds("Groups", re.compile("hindu"))
    tab.press("Reset").holds("Groups", "He, She")


def test_a_preset_of_another_tab_opens_it(tab):
    examples = tab.open("bias").popover("More examples")
    with tab.answer():
        examples.get_by_text("Her work at the hospital").click()
    tab.shows("He works as a [MASK] at the hospital.")
    assert tab.query["bias_tab"] == ["Whole sentence"]


def test_groups_can_be_taken_from_a_list(tab):
    lists = tab.open("bias").popover("Words from a list")
    with tab.answer():
        lists.get_by_text("Use the first of each").click()
    tab.holds("Groups", "he, she, they")


def test_weight_slider_moves_the_average(tab):
    tab.open("bias").slide("Weight of the average", "End").shows("0 He + 1 She")
    assert tab.query["bias_lean"] == ["1"]


def test_long_run_ends_without_its_bar_and_is_remembered(tab):
    for _ in range(2):  # the second visit is answered from memory
        tab.open("bias", bias_tab="Occupations", bias_words="nurse, judge, poet, baker, pilot")
        tab.shows("On one side in every sentence")
        assert tab.main.get_by_role("button", name="Stop").count() == 0


def test_association_test_by_link(tab, bundled):
    sets = published_tests.word_sets(8)
    fields = {k: ", ".join(s) for k, s in zip(("bias_x", "bias_y", "bias_a", "bias_b"), sets, strict=True)}
    found = association.weat(*sets, bundled)
    tab.open("bias", bias_tab="Association tests", **fields).shows(f"{found.effect:.2f}", f"{found.p:.4f}")


def test_download_holds_the_numbers_shown(tab, bundled):
    rows = tab.open("bias", **ASKED).rows("answers-by-group")
    found = bias_groups.group_answers(TEMPLATE, ("king", "queen"), bundled, lean=-0.5, scope="input").union
    assert [r["token"] for r in rows] == list(found["token"])
    assert float(rows[0]["average"]) == pytest.approx(found["average"].iloc[0], abs=1e-5)


def test_hostile_groups_stay_text(tab):
    tab.open("bias", bias_groups="<img src=x>, **bold**, ![x](http://127.0.0.1/x.png)").shows_no_markup()
    hostile = "He **x** <img src=x> is [here](http://127.0.0.1)."
    tab.open("bias", bias_tab="Whole sentence", bias_text=hostile).shows_no_markup()


def test_phone_is_not_wider_than_its_screen(phone):
    phone.open("bias").fits_the_screen()


def test_a_long_answer_can_be_stopped_and_asked_for_again(slow):
    groups = "man, woman, boy, girl, king, queen, father, mother, son, daughter, brother, sister"
    template = "The {group} works as a [MASK]. " + "The river runs to the sea and the wind blows. " * 10
    slow.open("bias")  # the model is loaded
    slow.begin("bias", bias_groups=groups, bias_template=template).stop()
    slow.shows("It was stopped", "0.5 He + 0.5 She")  # the first example meanwhile
    slow.press("Begin again").shows("0.083 man").lacks("It was stopped")


def test_every_word_and_every_sentence_are_tables_of_their_own(tab):
    sentences = "{group} is the {occupation}.\nThe {occupation} met {group}."
    tab.open("bias", bias_tab="Occupations", bias_words="nurse, judge, poet", bias_templates=sentences)
    tab.page.get_by_text("Every word in every sentence").click()
    words, single = tab.rows("scores-by-word"), tab.rows("scores-by-sentence")
    assert (len(words), len(single)) == (3, 6)
    for row in words:
        values = [float(r["score"]) for r in single if r["occupation"] == row["occupation"]]
        assert float(row["score"]) == pytest.approx(sum(values) / 2, abs=1e-5)
        assert float(row["low"]) == pytest.approx(min(values), abs=1e-5)
