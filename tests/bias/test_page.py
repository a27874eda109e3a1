"""The Bias page without a browser."""

import inspect
import json

import numpy as np
import pandas as pd
import pytest

from embtools import wordlists
from embtools.bias import association
from embtools.bias import groups as bias_groups
from embtools.bias.mitigated import METHODS
from embtools.ui.bias.panels import PANELS
from embtools.words import word_sets
from tests.figures_of import decoded

pytestmark = pytest.mark.usefixtures("as_shipped")

SWAP, OCCUPATIONS, TESTS, MITIGATION = "sentence", "occupations", "association", "mitigation"
FEW = {
    "bias_tab": OCCUPATIONS,
    "bias_words": "nurse, judge, poet, baker, dancer",
    "bias_templates": "{group} is the {occupation}.\nThe {occupation} met {group}.",
}


# The first view


def test_the_page_has_a_content_note_and_hiding_offensive_words_is_no_part_of_an_example_and_is_reset(page):
    at = page(bias_hide=True)
    assert at.says("not facts about people")
    assert not at.press("Reset").session_state.bias_hide
    name = next(iter(PANELS[SWAP].PRESETS))
    assert page(bias_tab=SWAP, bias_hide=True).press(name).session_state.bias_hide


# Groups in a sentence


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("She works as a nurse.", "{group} works as a [MASK]."),
        ("{group} works as a ___.", "{group} works as a [MASK]."),
    ],
)
def test_a_visitors_own_sentence_is_answered_at_once(page, text, meant, bundled):
    at = page(bias_template=text)
    assert not at.problems
    assert at.finding == bias_groups.group_answers(meant, bundled, groups=("He", "She")).headline
    assert at.says("Each group replaces the word") == ("{group}" not in text)
    assert at.session_state.bias_template == text


def test_the_groups_can_replace_another_word(page):
    at = page(bias_template="The old doctor works as a [MASK].")
    assert at.says("Each group replaces the word “old”.")
    at.press("replace-doctor")
    assert at.session_state.bias_template == "The old {group} works as a [MASK]."
    assert not at.says("Each group replaces the word")


def test_groups_of_nine_tokens_are_not_averaged(page):
    at = page().put("bias_groups", "he, supercalifragilisticexpialidocious")
    assert "supercalifragilisticexpialidocious" in at.table("rank").columns
    assert at.says("Not part of the average, because they have several tokens: supercalifragilisticexpialidocious.")
    assert page(bias_groups="he, the nurse", bias_more="weight").says("There is no average")


def test_the_address_restores_the_table(page, bundled):
    at = page(
        bias_template="The {group} is [MASK].",
        bias_groups="king, queen",
        bias_lean="-0.5",
        bias_scope="input",
        bias_k="3",
    )
    found = bias_groups.group_answers(
        "The {group} is [MASK].", bundled, groups=("king", "queen"), k=3, lean=-0.5, scope="input"
    )
    assert len(at.table("king", "queen", "average", "rank")) == 3
    union = at.table("token", "king")
    np.testing.assert_allclose(union["average"], found.union["average"], rtol=1e-6)
    assert at.says("average = 0.75 king + 0.25 queen")


def test_offensive_words_can_be_hidden(page, monkeypatch):
    load = wordlists.load
    groups = page(bias_template="The {group} is a [MASK].", bias_groups="man, woman", bias_k=20)
    sentences = page(bias_tab=SWAP, bias_text="The man is a [MASK].")
    some = set()
    for at, column in ((groups, "man"), (sentences, "second")):
        some |= set(at.table("token", column)["token"].iloc[[0, 3]])
    # Replaces the list, no word of which may be among the answers.
    monkeypatch.setattr(
        wordlists, "load", lambda name: pd.DataFrame({"word": [*some]}) if name == "offensive" else load(name)
    )
    for at, column in ((groups, "man"), (sentences, "second")):
        before = set(at.table("token", column)["token"])
        after = set(at.put("bias_hide", True).table("token", column)["token"])
        assert before & some and not after & some


def test_words_come_from_a_list(page):
    at = page()
    at.session_state["bias-list"] = True
    at.run().press("Use the first word of each group")
    assert at.session_state.bias_groups == "he, she, they"


# Whole sentence


def test_swap_tab_shows_both_sentences_and_its_errors(page):
    at = page(bias_tab=SWAP, bias_text="He loves his [MASK].")
    assert at.says("She loves her [MASK].")
    assert {"token", "first", "second", "change"} <= set(at.table("token", "change").columns)
    assert "contains no word of the pairs" in at.put("bias_text", "The sky is blue.").problems[0]
    at.put("bias_text", "He is here.")
    assert at.put("bias_other", "She is over here.").says("4 and 5 words and punctuation marks")


# Occupations


def test_the_chart_shows_the_ends_and_on_request_all_words(page):
    at = page(bias_tab=OCCUPATIONS)

    def rows():
        return at.charts[0].spec.count("mathematician"), at.charts[0].spec.count("banker")

    assert rows()[0] and not rows()[1]
    assert len(at.table("occupation", "lowest")) == 60  # the table has all
    at.put("bias_all", True)
    assert all(rows())
    assert not any(t.key == "bias_all" for t in page(**FEW).toggle)  # five words need no such switch
    # One word alone has no correlation.
    at = page(bias_tab=OCCUPATIONS, bias_words="nurse", bias_templates="{group} is the {occupation}.")
    assert not at.says("ρ = ") and len(at.charts) == 1


def test_own_words_are_scored_without_the_ten_pairs(page, lend, tiny):
    lend(tiny)
    at = page(
        bias_tab=OCCUPATIONS,
        bias_words="king, queen, bank, river",
        bias_templates="{group} is the {occupation}.",
        open="one-direction",
    )
    assert at.charts and at.says("is not in the vocabulary")
    assert len(at.table("beta")) == 3  # added to one of the four words, replacing the dancer


# Association tests


@pytest.mark.slow
def test_association_tab_shows_the_published_tests(page, bundled):
    at = page(bias_tab=TESTS)
    for number in word_sets.GLOVE:
        at.put("bias-published", number)
        found = association.weat(*word_sets.word_sets(number), bundled)
        assert at.metrics["Effect size d"] == f"{found.effect:.2f}".replace("-", "−")
        assert at.metrics["p, two-sided"] == f"{found.p:.4f}"
        assert at.metrics["Published d"] == f"{word_sets.GLOVE[number]:.2f}"
        assert at.says("no longer the published test") == bool(found.left_out)
    at = page(bias_tab=TESTS, bias_x="he, she, amy")
    assert "'amy' is in both X and Y" in at.problems[0] and at.selectbox(key="bias-published").value is None


def test_own_words_are_typed_below_their_button(page):
    at = page(bias_tab=TESTS)
    assert not at.text_area
    at.session_state["bias-sets"] = True
    at.run().put("bias_x", "king, queen")
    assert at.says("the first words are more strongly associated with “")
    assert "Published d" not in at.metrics and not at.says("Both a target and an attribute")
    assert at.put("bias_a", "King, red, blue").says("Both a target and an attribute: king.")


@pytest.mark.parametrize("layer", ["3", "12"])
def test_an_unknown_layer_becomes_the_last_one(page, layer, bundled):
    at = page(bias_tab=TESTS, bias_of="seat", bias_pooling="word", bias_layer=layer)
    number = 3 if layer == "3" else -1
    found = association.seat(*word_sets.word_sets(6), bundled, pooling="word", layer=number)
    assert at.metrics["Effect size d"] == f"{found.effect:.2f}".replace("-", "−")


def test_corrected_tests_are_counted(page, lend, tiny):
    lend(tiny)
    at = page(bias_tab=TESTS, bias_x="he, she", bias_y="king, queen", bias_a="red, green", bias_b="a, is")
    assert at.says("No test has enough")


# Mitigation


@pytest.mark.slow
def test_mitigation_tab_and_its_errors(page):
    at = page(bias_tab=MITIGATION, bias_axis_pairs="he=she, man=woman", bias_side="50")
    assert tuple(at.table("method", "gap")["method"]) == METHODS
    assert at.table("method", "gap").set_index("method").loc["average", "gap"] < 1e-6
    left = at.table("accuracy", "shuffled").set_index("method")
    assert left.loc["LEACE", "loss_fitted"] == pytest.approx(1, abs=1e-4)
    assert at.says(
        "constant answer: the best one has a loss of 1.00 bits",
        f"{left.loc['LEACE', 'accuracy']:.0%} of the biased words",
    )


@pytest.mark.slow
def test_the_legend_explains_the_marks(page):
    at = page(bias_tab=MITIGATION, bias_side="50", tables=False)
    for chart, more in zip(at.charts[:3], ((), (), ("chance",)), strict=True):
        names = {"method", "control", *more}
        figure = json.loads(chart.spec)
        shown = {trace["name"]: trace["marker"]["symbol"] for trace in figure["data"]}
        assert set(shown) == names
        assert len(set(shown.values())) == len(names)
        control = next(trace for trace in figure["data"] if trace["name"] == "control")
        rows = [figure["layout"]["yaxis"]["ticktext"][int(row)] for row in decoded(control["y"])]
        assert rows == ["random direction", "random directions"]


# Another model


def test_the_last_good_query_belongs_to_its_model(page, lend, tiny, bundled):
    """The last good query of one model is not used for another."""
    lend(tiny)
    at = page(bias_tab=TESTS)
    assert not at.charts
    lend(bundled)
    assert at.run().charts


# Long work


@pytest.mark.usefixtures("computing")
def test_a_link_to_long_work_says_how_long_it_takes_and_waits(page, cold, monkeypatch):
    def effort(*_, **__):
        return 30.0

    effort.__signature__ = inspect.signature(association.effort)
    monkeypatch.setattr(association, "effort", effort)
    at = page(bias_tab=TESTS, bias_of="seat", run="bias-association")
    assert not at.charts and at.says("About 30 seconds on this server. The link")
    at.press("Encode the sentences")
    assert at.charts and not at.says("seconds on this server")


# The copied code

GROUPS = {"bias_hide": "true", "bias_groups": "he, she, the nurse", "bias_lean": "-0.5"}
SWAPPED = {"bias_tab": SWAP, "bias_text": "He loves his [MASK]."}
PAIRS = {"bias_tab": MITIGATION, "bias_axis_pairs": "he=she, man=woman", "bias_side": "50"}


def prints(at, bundled):
    """The copied code prints every table, and the sentences of the page that it makes."""
    found = at.prints_what_it_shows(bundled)
    assert at.says(*(value for value in found.sentences if value.endswith(".")))
    return found


@pytest.mark.thorough("query1")
@pytest.mark.slow("query2")
@pytest.mark.parametrize(
    "query",
    [
        SWAPPED | {"bias_hide": "true"},
        PAIRS | {"bias_left": "map", "bias_method": "leace"},
        PAIRS | {"bias_left": "sentences", "bias_method": "equalise"},
    ],
)
def test_the_copied_code_gives_the_numbers_shown(page, query, bundled):
    found = prints(page(**query), bundled)
    assert ("leave_out=WordList(name='offensive'" in found.code) == ("bias_hide" in query)


@pytest.mark.parametrize("query", [{}, GROUPS])
def test_the_copied_code_of_groups_gives_the_numbers_shown(page, query, bundled):
    at = page(**query)
    found = at.copied(bundled)
    rows = found.result.answers
    answer = [f"{t} {p:.1%}" for t, p in zip(rows["token"], rows["probability"], strict=True)]
    best = rows.assign(answer=answer).pivot(index="rank", columns="column", values="answer")
    expected = found.result.union, best[list(rows["column"].unique())].reset_index(), found.result.distances
    for shown, frame in zip(at.tables, expected, strict=True):
        pd.testing.assert_frame_equal(shown, frame, check_dtype=False, check_names=False, rtol=1e-4, atol=1e-5)
    assert at.finding in found.sentences and at.says(f"average = {found.result.formula}")


def test_the_copied_code_of_the_curve_gives_the_numbers_shown(page, bundled):
    at = page(bias_more="weight")
    found = at.copied(bundled)
    pd.testing.assert_frame_equal(at.table("weight"), found.curve, check_dtype=False, rtol=1e-4, atol=1e-6)
    assert "distances" not in found.code and len(at.charts) == 2


def test_the_copied_code_of_a_swapped_sentence_gives_the_numbers_shown(page, bundled):
    at = page(**SWAPPED)
    found = prints(at, bundled)
    assert found.printed[:2] == ["He loves his [MASK].", "She loves her [MASK]."]
    assert at.says(f"The distance between the answers is {found.printed[-1]:.3f} bits.")
    assert "distance" not in page(bias_tab=SWAP).copied(bundled).code  # no mask, no answers


def test_the_copied_code_of_occupations_gives_the_numbers_shown(page, bundled):
    at = page(**FEW, bias_axis="ten-pairs", open=["by-sentence", "one-direction"])
    found = prints(at, bundled)
    result = found.occupations
    assert len(found.indirect) == 4  # the dancer is not compared with itself
    rho, low, high, _ = result.fit
    assert at.says(f"ρ = {rho:.2f}, 95% interval {low:.2f} to {high:.2f}".replace("-", "−"))
    assert at.says(result.one_sided, f"The mean absolute score here is {result.both['score'].abs().mean():.2f}")


@pytest.mark.parametrize(("level", "more"), [("seat", "ten"), ("weat", "others")])
def test_the_copied_code_of_association_tests_gives_the_numbers_shown(page, level, more, bundled):
    at = page(bias_tab=TESTS, bias_of={"weat": "model"}.get(level, level), bias_pieces="mean", bias_tests=more)
    found = at.prints_what_it_shows(bundled) if more == "ten" else at.copied(bundled)
    if more == "others":  # the page shows four decimal places
        shown = at.table("measure", "value")
        pd.testing.assert_frame_equal(shown, found.others.assign(value=found.others["value"].round(4))[list(shown)])
        assert at.finding in found.sentences and any(value is found.test.scores for value in found.printed)
    test = found.test
    effect = next(m for m in at.metric if m.label == "Effect size d")
    interval = f"95% interval {test.low:.2f} to {test.high:.2f}"
    assert effect.value == f"{test.effect:.2f}".replace("-", "−")
    assert effect.delta == interval.replace("-", "−")
    p = next(m for m in at.metric if m.label == "p, two-sided")
    assert p.value == f"{test.p:.4f}" and "one-sided" not in "".join(m.label + m.delta for m in at.metric)
    assert at.metrics["Shuffles"] == f"{test.partitions:,}"
    assert [test.effect, test.low, test.high, test.p, test.partitions] == found.printed[1:6]
