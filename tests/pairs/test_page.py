"""The Pairs page without a browser."""

import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools import next_sentence
from embtools.models import sentence_order as models_next_sentence
from embtools.pairs import batch, text_similarity
from embtools.pairs import next_sentence as pairs_next_sentence
from embtools.pairs.next_sentence import with_controls
from embtools.ui import fields
from embtools.ui.pairs import next_sentence as next_sentence_panel

pytestmark = pytest.mark.usefixtures("as_shipped")

STORE = "I went to the store.", "They were closed."
SIMILARITY, ASKED = ({"pairs_tab": tab} for tab in ("similarity", "questions"))
MANY = {"pairs_number": "many"}


# Next sentence


@pytest.mark.slow
def test_a_pair_is_shown_with_its_controls_which_can_be_drawn_again_and_its_sentences_swapped(page, bundled):
    at = page(open="asked")
    result = with_controls(*STORE, bundled)
    assert at.finding == result.headline and not at.problems
    assert at.says(result.repetition) and len(at.charts) == 1
    own = f"{next_sentence(*STORE, bundled):.0%}"
    assert f"BERT gives a probability of {own} that" in at.finding and own in at.charts[0].alt
    pd.testing.assert_frame_equal(at.table("at_least_as_likely"), result.summary)
    before = at.table("control", "second")
    at.press("Draw other sentences")
    assert at.session_state["pairs_seed"] == 1 and not at.table("control", "second").equals(before)
    at.press("Swap")
    assert at.text_input(key="pairs_first").value == STORE[1]
    assert at.finding == with_controls(*reversed(STORE), bundled, seed=1).headline


def test_segment_ids_by_name_and_other_segment_ids(page, bundled):
    at = page(open="segments")
    assert at.table("sentence")["sentence"].tolist() == ["A, the first sentence"] * 8 + ["B, the second sentence"] * 5
    alone = at.table("segment_in_article")
    assert alone["segment"].unique().tolist() == [0] and alone["segment_in_article"].unique().tolist() == [1]
    others = at.table("segments", "probability")
    assert others["probability"][0] == pytest.approx(next_sentence(*STORE, bundled), abs=1e-6)
    assert others["probability"].nunique() == 4


# Many pairs


@pytest.mark.slow
def test_many_pairs_are_built_in_typed_or_uploaded_and_have_a_share_right(page, bundled):
    at = page(**MANY)
    found = batch.follow(batch.built_in("random"), bundled)
    assert at.finding == found.headline
    assert at.metrics["Correct"] == f"{found.correct} of 40"
    assert at.metrics["Beats the shuffled pair"] == f"{found.above} of 20"
    assert at.metrics["95% interval"] == f"{found.low:.0%} to {found.high:.0%}"
    pd.testing.assert_frame_equal(at.table("shuffled"), found.frame)
    printed = at.prints_what_it_shows(bundled).printed
    assert at.metrics["Correct"] == "{} of {}".format(*printed[1:3])
    assert at.metrics["Beats the shuffled pair"] == "{} of {}".format(*printed[6:8])
    at.put("pairs_rows", "It rained. | We got wet.\nHe slept. | The price rose.")
    assert "There are no labels" in at.finding and "Correct" not in at.metrics
    at.put("pairs-file", ("pairs.csv", b"first,second,label\nIt rained.,We got wet.,1\n", "text/csv"))
    assert at.session_state["pairs_rows"] == "It rained. | We got wet. | yes" and not at.problems
    assert at.metrics["Correct"] == "1 of 1"
    before = at.finding
    at.put("pairs-file", ("pairs.csv", b"one,two\n", "text/csv"))
    assert "There is no pair. Write one per line: first sentence | second sentence" in at.problems[0]
    assert at.finding == before


def test_a_class_is_asked_about_one_pair_only():
    with fields.given({"pairs_number": "Many pairs"}), pytest.raises(ValueError, match="Choose “One pair”"):
        next_sentence_panel.question(())


# Similarity


def test_similarity_of_two_sentences(page, bundled):
    at = page(**SIMILARITY, pairs_recipe="layer 3", pairs_pooling="max")
    first, second = (bundled.hidden_states(text)[3].max(0) for text in STORE)
    frame = at.table("above").set_index(["combination", "pooling"])
    row = frame.loc[("layer 3", "sentence: max")]
    assert row["cosine"] == pytest.approx(1 - scipy_cosine(first, second), abs=1e-5)
    assert at.finding == text_similarity.finding(frame.reset_index(), "layer 3", "sentence: max")
    assert frame.loc[("layer 0", "sentence: cls"), "above"] == 0.5  # all pairs are equally similar
    assert at.says("Equally similar pairs count half.")
    assert any(chart.alt.endswith("Equally similar pairs count half.") for chart in at.charts)
    at.put("pairs_pooling", "sentence: mean")
    assert at.finding == text_similarity.finding(frame.reset_index(), "layer 3", "sentence: mean")
    # A layer that this model does not have gives way to the default.
    assert page(**SIMILARITY, pairs_recipe="layer 23").selectbox(key="pairs_recipe").value == "second-to-last layer"


# Questions and answers


@pytest.mark.slow
def test_questions_and_answers(page, bundled):
    at = page(**ASKED, open="answers-typed")
    assert len(at.charts) == 2
    table = at.table("rank")
    question = at.text_input(key="pairs_question").value
    vector = bundled.hidden_states(question)[-2].mean(0)
    best = table.iloc[0]
    assert best["cosine"] == pytest.approx(
        1 - scipy_cosine(vector, bundled.hidden_states(best["answer"])[-2].mean(0)), abs=1e-5
    )
    assert " of 20. Based on shared words alone, its rank is " in at.finding
    at.put("pairs_question_choice", "Why is the sky blue?")
    assert at.text_input(key="pairs_question").value == "Why is the sky blue?"
    before = at.table("rank")
    at.put("pairs_question", "")
    assert at.says("text is empty") and at.table("rank").equals(before)
    at.press("Hamlet")
    assert at.finding.endswith("Based on shared words alone, its rank is 10.5.")  # it shares no word with any answer
    at.text_input(key="pairs_question").set_value("Who?")
    at.put("pairs_answers", "Juliet\nHamlet")
    assert at.finding.startswith("The most similar answer is “") and not at.problems
    at.put("pairs_answers", "one")
    assert "at least two answers" in at.problems[0]


# The code


@pytest.mark.slow("query0")
@pytest.mark.parametrize(
    "query",
    [
        {"open": ["segments", "asked"], "pairs_topic": "sea", "pairs_seed": "3"},
        {**SIMILARITY, "pairs_recipe": "layer 2"},
        {**ASKED, "pairs_answer_recipe": "layer 1"},
    ],
)
def test_copied_code_gives_every_number_shown(page, bundled, query):
    page(**query).prints_what_it_shows(bundled)


@pytest.mark.slow
@pytest.mark.usefixtures("computing")
def test_one_batch_answers_a_pair_and_all_its_controls(page, cold, monkeypatch, bundled):
    calls: list[int] = []
    asked = models_next_sentence.next_sentences

    def counting(pairs, model, **named):
        calls.append(len(pairs))
        return asked(pairs, model, **named)

    monkeypatch.setattr(pairs_next_sentence, "next_sentences", counting)
    page().run()
    assert calls == [3 + pairs_next_sentence.COUNT + 44]  # all sentences on the topic of the pair
