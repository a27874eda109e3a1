"""The Pairs page without a browser."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools import next_sentence
from embtools.models import sentence_order as models_next_sentence
from embtools.pairs import batch, clusters, text_similarity
from embtools.pairs import next_sentence as pairs_next_sentence
from embtools.pairs.next_sentence import with_controls
from embtools.progress import silent
from embtools.ui import warm
from embtools.ui.pairs import clusters as cluster_panel
from embtools.ui.pairs.panels import PANELS

pytestmark = pytest.mark.usefixtures("as_shipped")

STORE = "I went to the store.", "They were closed."
MANY, SIMILARITY, ASKED, CLUSTERS = ({"pairs_tab": tab} for tab in ("many", "similarity", "questions", "clusters"))
NASTY = '<b>x</b> ![y](http://example.org/z.png) <img src=x onerror="alert(1)">'


@pytest.fixture(scope="module")
def page(visit):
    """Open the Pairs page."""
    return partial(visit, "pairs")


def headline(at) -> str:
    return at.header[0].value.replace("\\", "")


def shown(at, frame) -> bool:
    """Whether a frame of the copied code is on the page as a table."""
    return any(
        list(t.columns) == list(frame.columns) and t.reset_index(drop=True).equals(frame.reset_index(drop=True))
        for t in at.tables
    )


# Next sentence


@pytest.mark.slow
def test_page_opens_with_the_pair_and_its_controls(page, bundled):
    at = page()
    result = with_controls(*STORE, bundled)
    assert headline(at) == result.headline and not at.problems
    assert at.says(result.repetition) and len(at.charts) == 1
    own = f"{next_sentence(*STORE, bundled):.0%}"
    assert f"BERT gives a probability of {own} that" in headline(at) and own in at.charts[0].alt
    pd.testing.assert_frame_equal(at.table("at_least_as_likely"), result.summary)


@pytest.mark.slow
def test_prepared_results_are_not_computed_again(page, cold, monkeypatch):
    for query in warm.first_queries("pairs"):
        warm.ask(query, "bundled", silent)
    monkeypatch.setattr(pairs_next_sentence, "next_sentences", unreadable)
    assert not page().problems


@pytest.mark.slow(
    "clusters-Four topics", "clusters-Praise and complaints", "clusters-Unrelated sentences", "similarity-A paraphrase"
)
@pytest.mark.parametrize(
    ("key", "name"),
    [(key, name) for key, panel in PANELS.items() for name in panel.PRESETS],
)
def test_every_preset(page, key, name):
    at = page(pairs_tab=key).press(name)
    assert at.charts and not at.problems and at.header
    for field, value in PANELS[key].PRESETS[name].items():
        assert at.session_state[field] == value
    at.links_to_itself()


@pytest.mark.slow
def test_own_sentences_are_scored_and_swapped(page, bundled):
    at = page().put("pairs_first", "It began to rain.").put("pairs_second", "She opened her umbrella.")
    assert headline(at) == with_controls("It began to rain.", "She opened her umbrella.", bundled).headline
    at.press("Swap")
    assert at.text_input(key="pairs_first").value == "She opened her umbrella."
    assert headline(at) == with_controls("She opened her umbrella.", "It began to rain.", bundled).headline


@pytest.mark.slow
def test_another_topic_and_other_sentences(page, bundled):
    at = page(pairs_topic="sea", open="asked")
    expected = with_controls(*STORE, bundled, topic="sea")
    assert at.table("control", "second")["second"].tolist() == expected.runs["second"].tolist()
    at.press("Draw other sentences")
    assert at.session_state["pairs_seed"] == 1
    expected = with_controls(*STORE, bundled, topic="sea", seed=1)
    assert at.table("control", "second")["second"].tolist() == expected.runs["second"].tolist()


def test_segment_ids_by_name_and_other_segment_ids(page, bundled):
    at = page(open="segments")
    assert at.table("sentence")["sentence"].tolist() == ["A, the first sentence"] * 8 + ["B, the second sentence"] * 5
    alone = at.table("segment_in_article")
    assert alone["segment"].unique().tolist() == [0] and alone["segment_in_article"].unique().tolist() == [1]
    others = at.table("segments", "probability")
    assert others["probability"][0] == pytest.approx(next_sentence(*STORE, bundled), abs=1e-6)
    assert others["probability"].nunique() == 4


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [("", "a", "text is empty"), ("a", "very " * 600, "602"), ("a", " ", "text is empty")],
)
def test_errors_are_shown_and_the_last_good_result_stays(page, first, second, words):
    at = page()
    before = headline(at)
    at.text_input(key="pairs_first").set_value(first)
    at.put("pairs_second", second)
    assert words in at.problems[0] or "tokens" in at.problems[0]
    assert headline(at) == before and at.says(f"Showing the previous result, for: {STORE[0]}")


def unreadable(*_, **__):
    raise ValueError("Nothing can be read.")


def test_a_model_without_the_head_says_so_and_the_other_tabs_work(page, lend, tiny_distil):
    lend(tiny_distil)
    for query in ({}, MANY):
        at = page(**query)
        assert "no next-sentence head" in at.problems[0] and not at.charts
    for query in (SIMILARITY, CLUSTERS, ASKED):
        assert page(**query).charts, query


def test_a_random_model_works(page, lend, tiny):
    lend(tiny)
    at = page(pairs_first="the king", pairs_second="the queen")
    assert not at.problems and at.says("that the second sentence follows the first")


@pytest.mark.slow
def test_a_visitors_text_is_never_read_as_markup(page):
    for query in (
        {"pairs_first": NASTY, "pairs_second": NASTY + "!", "open": ["segments", "asked"]},
        {**MANY, "pairs_rows": f"{NASTY} | {NASTY}! | yes"},
        {**SIMILARITY, "pairs_first": NASTY, "pairs_second": NASTY + "!"},
        {**ASKED, "pairs_question": NASTY, "pairs_answers": f"{NASTY}\nb"},
        {**CLUSTERS, "pairs_sentences": "\n".join(f"{NASTY} {n} | {NASTY} {n}" for n in range(5))},
    ):
        at = page(**query)
        assert at.charts and not at.problems, query
        assert not any(NASTY in m.value for m in (*at.markdown, *at.caption))
        assert not any("<b>x</b>" in chart.spec for chart in at.charts)
        pages = [element.proto.body for element in at.get("html")]
        assert not any("<b>x" in body or "<img" in body for body in pages)
        assert not any("<b>" in header.value.replace("\\<", "") for header in at.header)


# Many pairs


@pytest.mark.slow
def test_many_pairs_and_the_share_right(page, bundled):
    at = page(**MANY)
    found = batch.follow(batch.built_in("random"), bundled)
    assert headline(at) == found.headline
    assert at.metrics["Correct"] == f"{found.correct} of 40"
    assert at.metrics["Beats the shuffled pair"] == f"{found.above} of 20"
    assert at.metrics["95% interval"] == f"{found.low:.0%} to {found.high:.0%}"
    pd.testing.assert_frame_equal(at.table("shuffled"), found.frame)
    at.put("pairs_rows", "It rained. | We got wet.\nHe slept. | The price rose.")
    assert "have no labels" in headline(at) and "Correct" not in at.metrics


@pytest.mark.parametrize(
    ("rows", "message"),
    [("", "There are no pairs"), ("alone", "line 1 ('alone')"), ("a | b | c | d", "too many bars")],
)
def test_lines_that_are_not_pairs_are_refused(page, rows, message):
    at = page(**MANY, pairs_rows=rows or " ")
    assert message in at.problems[0]


def test_an_uploaded_file_becomes_the_pairs(page):
    at = page(**MANY)
    at.put("pairs-file", ("pairs.csv", b"first,second,label\nIt rained.,We got wet.,1\n", "text/csv"))
    assert at.session_state["pairs_rows"] == "It rained. | We got wet. | yes" and not at.problems
    assert at.metrics["Correct"] == "1 of 1"
    at = page(**MANY)
    before = headline(at)
    at.put("pairs-file", ("pairs.csv", b"one,two\n", "text/csv"))
    assert "There is no pair. Write one per line: first sentence | second sentence" in at.problems[0]
    assert headline(at) == before


@pytest.mark.slow
def test_stopped_work_waits_for_its_button(page, stop):
    stop("Scoring the pair and its controls")
    at = page(pairs_first="A king slept.", pairs_second="He dreamt.")
    assert "was stopped." in at.problems[0] and at.says(f"Showing the page's example, for: {STORE[0]}")
    assert not at.press("Run again").problems


@pytest.mark.slow
@pytest.mark.usefixtures("computing")
def test_long_work_waits_for_its_button(page, cold, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = page(**MANY)
    assert not at.charts
    assert at.press("Score 40 pairs").charts
    at = page(**CLUSTERS)
    assert not at.charts
    assert at.press("Cluster 24 sentences").charts


# Similarity


def test_similarity_of_two_sentences(page, bundled):
    at = page(**SIMILARITY, pairs_recipe="layer 3", pairs_pooling="max")
    first, second = (bundled.hidden_states(text)[3].max(0) for text in STORE)
    frame = at.table("above").set_index(["combination", "pooling"])
    row = frame.loc[("layer 3", "sentence: max")]
    assert row["cosine"] == pytest.approx(1 - scipy_cosine(first, second), abs=1e-5)
    assert headline(at) == text_similarity.finding(frame.reset_index(), "layer 3", "sentence: max")
    assert frame.loc[("layer 0", "sentence: cls"), "above"] == 0.5  # all pairs are equally similar
    assert at.says("Equally similar pairs count half.")
    assert any(chart.alt.endswith("Equally similar pairs count half.") for chart in at.charts)
    at.put("pairs_pooling", "sentence: mean")
    assert headline(at) == text_similarity.finding(frame.reset_index(), "layer 3", "sentence: mean")
    # A layer that this model does not have gives way to the default.
    assert page(**SIMILARITY, pairs_recipe="layer 23").selectbox(key="pairs_recipe").value == "second-to-last layer"


def test_both_tabs_share_the_two_sentences(page):
    at = page(pairs_first="A king slept.", pairs_second="A queen slept.", **SIMILARITY)
    assert at.text_input(key="pairs_first").value == "A king slept."
    at.put("pairs_second", "")
    assert "text is empty" in at.problems[0] and at.charts


# Questions and answers


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
    assert " of 20. Based on shared words alone, its rank is " in headline(at)
    at.put("pairs_question_choice", "Why is the sky blue?")
    assert at.text_input(key="pairs_question").value == "Why is the sky blue?"
    before = at.table("rank")
    at.put("pairs_question", "")
    assert at.says("text is empty") and at.table("rank").equals(before)
    at.press("Hamlet")
    assert headline(at).endswith("Based on shared words alone, its rank is 10.5.")  # it shares no word with any answer
    at.text_input(key="pairs_question").set_value("Who?")
    at.put("pairs_answers", "Juliet\nHamlet")
    assert headline(at).startswith("The most similar answer is “") and not at.problems
    at.put("pairs_answers", "one")
    assert "at least two answers" in at.problems[0]


# Sentence clusters


@pytest.mark.slow
def test_clusters_of_the_default_sentences(page, bundled):
    at = page(**CLUSTERS)
    found = clusters.find(
        tuple(cluster_panel.FOUR_TOPICS.splitlines()),
        bundled,
        combination="second-to-last layer",
        pooling="sentence: mean",
    )
    assert headline(at) == found.headline and len(at.charts) == 2
    assert at.says(
        f"an adjusted Rand index of {found.agreement:.2f}", f"without a model, reaches {found.words_alone:.2f}"
    )
    pd.testing.assert_frame_equal(at.table("typical", "share"), found.table)


def test_own_sentences_and_their_number_of_clusters(page):
    own = "\n".join(["A king slept.", "A queen slept.", "It rained.", "It snowed.", "We ate bread.", "We ate soup."])
    at = page(**CLUSTERS, pairs_sentences=own)
    assert not at.problems and not at.says("The clusters match the group names")
    at.put("pairs_groups", 3)
    assert headline(at).startswith("k-means divides 6 sentences into 3 clusters with a silhouette of ")
    at.put("pairs_groups", 1)
    assert "cannot be divided into 1 clusters" in at.problems[0] and at.charts
    at.put("pairs_sentences", "one")
    assert "at least 4 sentences" in at.problems[0] and at.charts


# The code


@pytest.mark.slow
def test_copied_code_of_a_pair_gives_every_number_shown(page, bundled):
    at = page(open=["segments", "asked"], pairs_topic="sea", pairs_seed="3")
    found = at.copied(bundled)
    assert headline(at) in found.printed and any(at.says(text) for text in found.printed if isinstance(text, str))
    frames = [value for value in found.printed if isinstance(value, pd.DataFrame)]
    assert len(frames) == len(at.tables) == 5 and all(shown(at, frame) for frame in frames)


@pytest.mark.slow
@pytest.mark.usefixtures("computing")
def test_copied_code_of_many_pairs_gives_every_number_shown(page, bundled):
    at = page(**MANY)
    found = at.copied(bundled)
    assert headline(at) in found.printed and any(value is found.many.frame for value in found.printed)
    assert shown(at, found.many.frame)
    assert at.metrics["Correct"] == "{} of {}".format(*found.printed[1:3])
    assert at.metrics["Beats the shuffled pair"] == "{} of {}".format(*found.printed[6:8])


def test_copied_code_of_similarity_gives_every_number_shown(page, bundled):
    at = page(**SIMILARITY, pairs_recipe="layer 2")
    found = at.copied(bundled)
    assert headline(at) in found.printed
    assert at.says(f"{found.printed[1]:.2f}.")
    frames = [value for value in found.printed if isinstance(value, pd.DataFrame)]
    assert len(frames) == 2 and all(shown(at, frame) for frame in frames)


def test_copied_code_of_an_answer_gives_every_number_shown(page, bundled):
    at = page(**ASKED, pairs_answer_recipe="layer 1")
    found = at.copied(bundled)
    pd.testing.assert_frame_equal(at.table("mrr"), found.scores)
    assert any(at.table("rank").equals(value) for value in found.printed if isinstance(value, pd.DataFrame))


@pytest.mark.slow
def test_copied_code_of_clusters_gives_every_number_shown(page, bundled):
    at = page(**CLUSTERS, pairs_groups="3")
    found = at.copied(bundled)
    assert headline(at) in found.printed and at.says(f"an adjusted Rand index of {found.printed[1]:.2f}")
    frames = [value for value in found.printed if isinstance(value, pd.DataFrame)]
    assert len(frames) == 3 and all(shown(at, frame) for frame in frames)
    assert np.isclose(found.clustered.silhouette, found.clustered.curve["silhouette"][0])


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
