"""The Layers page without a browser."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools.layers import comparisons, senses, sentences, survey, trajectories, verdict
from embtools.layers.published import BANK_LINE as ROBBER
from embtools.ui.layers import word

SENTENCES = ("money | The bank was robbed.", "money | He left the bank.", "river | The muddy bank of the river.")
UNNAMED = "\n".join(line.split(" | ")[1] for line in SENTENCES)
GRID = {"layers_more": "combinations"}
ALL = {"open": ["segments", "states"]}
FIRST = word.FIELDS[1].default


def finding(lines: tuple[str, ...], text: str, bundled, pooling: str = "mean of tokens") -> str:
    moving = trajectories.trajectories(comparisons.compare_word(lines, bundled, word=text), pooling)
    return verdict.finding(moving, text)


# One word


def test_each_sentence_shows_the_number_of_its_occurrence(page):
    at, lines = page(), enumerate(FIRST.splitlines(), 1)
    assert all(at.says(line.split(" | ")[1].replace("bank", f"{n}bank")) for n, line in lines)


def test_the_bank_robber_is_compared_with_the_published_values(page, bundled):
    at = page().press("The bank robber").unfold("states")
    table = at.table("cosine_published")
    assert table["cosine_published"].dropna().tolist() == [0.94, 0.69]
    for column, segment in (("cosine_segment_1", 1), ("cosine_segment_0", 0)):
        states = bundled.hidden_states(ROBBER.split(" | ")[1], segment=segment)[-4:].sum(0)
        expected = {pair: 1 - scipy_cosine(states[pair[0]], states[pair[1]]) for pair in ((6, 10), (6, 19), (10, 19))}
        assert sorted(table[column]) == pytest.approx(sorted(expected.values()), abs=1e-5)
    assert at.says("13 × 1 × 22 × 768", f"{bundled.layers + 1} × 1 × 22 × {bundled.dimensions}")
    # The published values are not shown for another layer combination, another word or the vectors of the sentence.
    for query in (
        {"layers_recipe": "layer 1"}, {"layers_word": "the"}, {"layers_word": "bank", "layers_pooling": "sentence-mean"},
    ):  # fmt: skip
        at = page(layers_lines=ROBBER, open="segments", **query)
        assert at.table("cosine_segment_0") is not None
        assert not any("cosine_published" in table for table in at.tables), query


def test_choosing_one_of_the_fifty_words(page):
    at = page(open="sentences")
    assert len(at.selectbox(key="layers_choice").options) == 50
    assert at.selectbox(key="layers_choice").value == "bank"
    at.put("layers_choice", "bat")
    assert at.text_input(key="layers_word").value == "bat"
    assert at.text_area(key="layers_lines").value.count("\n") == 7
    at.put("layers_lines", "the bat\na bat")
    assert at.selectbox(key="layers_choice").value is None  # these are no longer its sentences


def test_typing_one_of_the_fifty_words_brings_its_sentences(page):
    at = page(open="vectors", layers_keep=["1", "5"]).put("layers_word", "Spring")
    assert not at.problems and at.selectbox(key="layers_choice").value == "spring"
    assert "senses of spring" in at.finding and at.table("plane_auc")["occurrence"].nunique() == 8
    # The visitor's own sentences stay.
    at = page(layers_lines="\n".join(SENTENCES), open="sentences").put("layers_word", "spring")
    assert at.problems and at.text_area(key="layers_lines").value == "\n".join(SENTENCES)


def test_occurrences_are_picked_by_clicking(page, bundled):
    at = page(layers_lines="\n".join(SENTENCES), open="vectors", **GRID)
    at.put("layers_keep", [1, 3])
    assert at.table("kind", "cosine")["pair"].nunique() == 1
    assert at.table("plane_auc")["occurrence"].unique().tolist() == [1, 3]
    at.put("layers_keep", [2])
    assert at.says("A comparison needs two")
    assert at.table("plane_auc")["occurrence"].nunique() == 3
    # Without senses those of one sense are clicked together.
    at = page(layers_lines=UNNAMED, **GRID)
    assert at.metrics["Separation of senses (AUC)"] == "–" and at.says(
        "two senses", "The mean cosine between the occurrences of bank falls:"
    )
    at.put("layers_first", [1, 2])
    given = senses.separation(comparisons.compare_word(SENTENCES, bundled, word="bank")).set_index(
        ["combination", "pooling"]
    )
    assert at.metrics["Separation of senses (AUC)"] == f"{given.loc[('sum of last four', 'mean of tokens'), 'auc']:.2f}"
    assert "two senses" in at.finding


def test_selected_occurrences_that_no_longer_exist_are_removed(page):
    at = page(layers_keep=["2", "8"], open=["vectors", "sentences"])
    at.put("layers_lines", "\n".join(SENTENCES))
    assert at.session_state["layers_keep"] == [2] and at.says("A comparison needs two")


# Own sentences


def test_a_sentence_without_the_word_is_skipped_with_a_suggestion(page, bundled):
    at = page(layers_lines="\n".join((*SENTENCES, "money | All banks closed.", "river | A boat.")), open="sentences")
    assert at.finding == finding(SENTENCES, "bank", bundled) and not at.problems
    assert at.says(
        "Not compared: “money | All banks closed.”",
        "Not compared: “river | A boat.” It does not contain “bank” in this form.",
    )
    at.press("Replace “banks” with “bank”")
    assert at.text_area(key="layers_lines").value.splitlines()[3] == "money | All bank closed."
    assert at.finding == finding((*SENTENCES, "money | All bank closed."), "bank", bundled)
    many = page(layers_lines="\n".join((*SENTENCES, *["A boat."] * 6)))
    assert many.says("2 more lines are not compared.")


def test_another_word_is_compared_if_the_typed_one_does_not_occur(page, bundled):
    at = page(layers_word="spring", layers_lines="The river is cold.\nA bank of the river.\nAnother bank.")
    (problem,) = at.problems
    assert problem == "⚠ No sentence contains “spring”. “river” is shown instead."
    assert at.says("Showing the previous result, for: “river”. No sentence contains “spring”.")
    assert at.finding == finding(("The river is cold.", "A bank of the river."), "river", bundled)
    at.press("layers-compare-bank")
    assert at.text_input(key="layers_word").value == "bank" and not at.problems
    assert at.finding == finding(("A bank of the river.", "Another bank."), "bank", bundled)
    at.put("layers_word", "spring").press("Use the eight sentences with spring")
    assert at.selectbox(key="layers_choice").value == "spring" and not at.problems


def test_a_word_in_no_sentence_is_reported_at_its_field_and_sentences_are_offered(page, bundled):
    at = page(layers_word="mint")
    assert at.problems == ["⚠ No sentence contains “mint”. “bank” is shown instead."]
    # At the field: before the expander with the sentences, which is the next element of the form.
    order = [e.key if e.type == "text_input" else e.value for e in at.main if e.type in ("text_input", "text")]
    assert order.index("layers_word") < order.index(at.problems[0])
    at.press("layers-write")
    assert not at.problems and at.session_state["open"] == ("sentences",)
    lines = tuple(at.text_area(key="layers_lines").value.splitlines())
    assert lines == sentences.starter("mint", bundled) and at.finding == finding(lines, "mint", bundled)
    # The built-in sentences with a word follow the visitor's own, which stay.
    at = page(layers_word="river", layers_lines="A boat.\nA bank.\nAnother bank.")
    at.press("layers-insert")
    assert not at.problems and at.finding == finding(sentences.built_in("river", bundled), "river", bundled)
    assert at.session_state["layers_lines"].startswith("A boat.\nA bank.\nAnother bank.\n")


def test_combination_and_pooling_in_the_address(page, bundled):
    at = page(layers_recipe="layer 1", layers_pooling="sentence-max", **GRID)
    scores = at.table("same", "different").set_index(["combination", "pooling"])["auc"]
    assert at.metrics["Separation of senses (AUC)"] == f"{scores[('layer 1', 'sentence: max')]:.2f}"
    assert at.finding == finding(tuple(FIRST.splitlines()), "bank", bundled, "sentence: max")
    # A layer that this model does not have is replaced by the default.
    assert page(layers_recipe="layer 23", **GRID).selectbox(key="layers_recipe").value == "sum of last four"


def test_the_layer_of_the_points_in_the_address(page, bundled):
    import json

    def active(**query) -> int:
        return json.loads(page(**query).charts[0].spec)["layout"]["sliders"][0]["active"]

    assert active() == bundled.layers and active(layers_layer="2") == 2
    assert active(layers_layer="99") == active(layers_layer="x") == bundled.layers


def test_a_word_of_several_tokens_has_a_badge(page):
    at = page(layers_word="embeddings", layers_lines="a | I want embeddings.\nb | Sell the embeddings now.")
    assert at.says("tokens: the first token and the mean differ")


def test_a_model_without_segments_says_so(page, lend, tiny_distil):
    lend(tiny_distil)
    at = page(layers_recipe="layer 2", **GRID, **ALL)
    assert at.says("no segment embeddings", "3 × 1 ×")
    assert at.metrics["Dimensions"] == "16"


# Fifty words


@pytest.fixture
def few_words(monkeypatch):
    load = survey.wordlists.load
    few = load("senses").query("word in ['bank', 'bat', 'rock', 'spring', 'seal', 'match']")
    monkeypatch.setattr(survey.wordlists, "load", lambda name: few if name == "senses" else load(name))


@pytest.mark.slow
def test_fifty_words_show_a_few_first_then_all(page, cold, few_words, monkeypatch, bundled):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = page(layers_tab="fifty", run="layers-survey")  # no link starts the long work
    assert "the senses of 5 words" in at.finding and len(at.charts) == 2
    few = survey.stability(survey.survey(bundled, words=5))
    pd.testing.assert_frame_equal(at.table("best", "wins"), few)
    at.press("Score all fifty words").unfold("every-word", "published")
    found = at.copied(bundled)
    scores = found.surveyed.scores
    assert any(scores is value for value in found.printed) and at.finding in found.printed
    pd.testing.assert_frame_equal(at.table("best", "wins"), scores)
    best = scores.iloc[scores["auc"].iloc[:-1].argmax()]
    assert at.finding == verdict.survey_finding(scores, found.surveyed.held_out, 6)  # of the six words in this test
    assert f"“{best['combination']}, {best['pooling']}” " in at.finding
    assert not at.metrics and "cannot show which combination is best" in at.finding  # not a 100% from six words
    assert any(value is found.surveyed.held_out for value in found.printed)
    pd.testing.assert_frame_equal(at.table("adjusted"), found.surveyed.survey.geometry)
    under = at.table("word", "auc").sort_values("word", ignore_index=True)
    mine = found.surveyed.by_word.query("combination == @best.combination and pooling == @best.pooling")
    pd.testing.assert_frame_equal(under, mine.sort_values("word", ignore_index=True))
    published = at.table("f1_published")
    assert published.iloc[:, 1].tolist() == [91.0, 95.6, 94.9, 95.9, 96.1, 95.5]
    # Another visitor gets the same at once, without a second pass and without a question.
    monkeypatch.setattr(survey, "combination_names", None)
    other = page(layers_tab="fifty")
    assert other.finding == at.finding and not any("Score" in b.label for b in other.button)


@pytest.mark.slow
def test_enough_words_show_the_score_on_words_that_did_not_choose_the_combination(
    page, cold, few_words, monkeypatch, bundled
):
    monkeypatch.setattr("embtools.ui.layers.survey.ENOUGH", 6)
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 1e9)
    at = page(layers_tab="fifty")
    mean, low, high = survey.fifty_words(bundled).held_out
    assert at.metrics == {"Mean AUC on other words": f"{mean:.3f}", "95% interval": f"{low:.3f} to {high:.3f}"}


def test_fifty_words_can_be_stopped_and_begun_again(page, stop, few_words, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 1e9)
    stop("Encoding the sentences of five words")
    at = page(layers_tab="fifty")
    assert "was stopped." in at.problems[0] and not at.charts
    stop("Encoding the sentences of fifty words")
    at.press("Run again")
    assert "was stopped." in at.problems[0]
    assert "the senses of 5 words" in at.finding
    at.press("Run again")
    assert not at.problems and "the senses of 6 words" in at.finding and len(at.charts) == 2


# Similarity of layers


def test_a_words_sentences_lead_to_the_similarity_of_layers_and_so_do_those_of_fifty_words(
    page, few_words, monkeypatch
):
    at = page().press("use-layer-similarity")
    assert at.session_state["layers_tab"] == "Similarity of layers" and not at.problems
    lines = tuple(line.split(" | ")[1] for line in FIRST.splitlines())
    assert tuple(at.session_state["layers_similarity_text"].splitlines()) == lines
    assert at.finding.startswith("The first and the last layer have a CKA of ")
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = page(layers_tab="fifty").press("use-layer-similarity")
    assert at.session_state["layers_similarity_text"].count("\n") == 99


# The code


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"layers_recipe": "layer 2", "layers_pooling": "first", "layers_keep": ["1", "2", "5", "6"]},
        {"layers_lines": UNNAMED, "layers_first": ["1", "2"]},
    ],
)
def test_copied_code_of_a_word_gives_every_number_shown(page, query, bundled):
    pairs = page(**query).table("layer", "cosine", "pair")
    at = page(**query, **GRID, **ALL)
    found = at.copied(bundled)
    printed = found.frames
    # Every table on the page is printed, or is made of printed ones.
    moving, scored = found.word.moving, found.scored
    assert any(value is moving.points for value in printed) and any(value is moving.layers for value in printed)
    pd.testing.assert_frame_equal(at.table("plane_auc"), moving.points.merge(moving.layers, on="layer"))
    if scored.scores["auc"].notna().any():  # without senses there is no grid
        pd.testing.assert_frame_equal(at.table("same", "different"), scored.scores)
    assert any(value is scored.scores for value in printed)
    assert any(value.equals(pairs) for value in printed)
    for mine in (scored.pairs, found.word.comparison.tokens, found.word.comparison.shapes):
        assert any(list(t.columns) == list(mine.columns) and t.equals(mine) for t in at.tables)
        assert any(value is mine for value in printed)
    assert at.finding in found.printed
    cell = scored.scores.set_index(["combination", "pooling"]).loc[(scored.combination, scored.pooling)]
    assert at.metrics["Separation of senses (AUC)"] == ("–" if np.isnan(cell["auc"]) else f"{cell['auc']:.2f}")
    (chosen,) = (v for v in found.printed if v is None or isinstance(v, tuple))
    assert at.metrics["Splits at least as good"] == ("{} of {}".format(*chosen) if chosen else "–")
    assert at.says(verdict.sense_test_caption(moving.test)) and found.word.test_caption in found.printed
    assert at.metrics["Dimensions"] == f"{scored.size:,}"
    assert any(isinstance(value, int) and value == scored.size for value in found.printed)
    # Segment ids: both tables are printed as they are shown.
    for columns in (("cosine_segment_0",), ("segment", "1")):
        assert any(at.table(*columns).equals(value) for value in printed)
