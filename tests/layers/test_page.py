"""The Layers page without a browser."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cosine as scipy_cosine

from embtools.layers import questions as layers_questions
from embtools.layers import recipes, survey
from embtools.layers import senses as layers_senses

BANK = (
    "money, money, river | After stealing money from the bank vault, the bank robber was seen fishing on the"
    " Mississippi river bank.",
)

PAGE_PRESETS = ("bank", "The bank robber", "rock", "bat", "spring")

SENTENCES = ("money | The bank was robbed.", "money | He left the bank.", "river | The muddy bank of the river.")


@pytest.fixture(scope="module")
def page(visit):
    """Open the Layers page."""
    return partial(visit, "layers")


def test_page_opens_with_a_result(page, bundled):
    at = page()
    assert len(at.charts) == 3
    comparison = recipes.compare_word(tuple(at.text_area(key="layers_lines").value.splitlines()), "bank", bundled)
    scores = layers_senses.separation(comparison).set_index(["recipe", "pooling"])["auc"]
    found = at.metrics
    assert found["Senses apart (AUC)"] == f"{scores[('sum of last four', 'mean of pieces')]:.2f}"
    good, ways = layers_senses.splits_as_good(comparison, "sum of last four", "mean of pieces")
    assert found["Splits that do as well"] == f"{good} of {ways}" and ways == 35
    assert found["Hidden states of sentence 1"] == f"{bundled.layers + 1} × 1 × 14 × {bundled.dimensions}"


@pytest.mark.parametrize("name", PAGE_PRESETS)
def test_every_preset(page, name):
    at = page(layers_lines="the bank\nthe bank").press(name)
    assert len(at.charts) == 3
    assert at.metrics["Senses apart (AUC)"] != "–"


def test_the_bank_robber_beside_the_published_figures(page, bundled):
    at = page().press("The bank robber")
    table = at.table("published")
    assert table["published"].dropna().tolist() == [0.94, 0.69]
    for column, segment in (("id 1 (the text)", 1), ("id 0 (BERT)", 0)):
        states = bundled.hidden_states(BANK[0].split(" | ")[1], segment=segment)[-4:].sum(0)
        expected = {pair: 1 - scipy_cosine(states[pair[0]], states[pair[1]]) for pair in ((6, 10), (6, 19), (10, 19))}
        assert sorted(table[column]) == pytest.approx(sorted(expected.values()), abs=1e-5)
    assert at.says("13 × 1 × 22 × 768")
    # With another recipe the published figures do not belong beside the numbers.
    at.put("layers_recipe", "layer 1")
    assert not any("published" in table for table in at.tables)
    # Neither beside another word of the sentence, nor beside the sentence's own vectors.
    for query in ({"layers_word": "the"}, {"layers_word": "bank", "layers_pooling": "sentence: mean"}):
        at = page(layers_lines=BANK[0], **query)
        assert not any("published" in table for table in at.tables), query


def test_choosing_one_of_the_fifty_words(page):
    at = page()
    assert len(at.selectbox(key="layers_choice").options) == 50
    at.put("layers_choice", "bat")
    assert at.text_input(key="layers_word").value == "bat"
    assert at.text_area(key="layers_lines").value.count("\n") == 7


def test_occurrences_are_picked_by_clicking(page, bundled):
    at = page(layers_word="bank", layers_lines="\n".join(SENTENCES))
    pills = next(p for p in at.pills if p.key == "layers_keep")
    pills.set_value([1, 3]).run()
    assert at.table("cosine")["pair"].nunique() == 1
    pills.set_value([2]).run()
    assert at.says("takes two occurrences")
    # Without senses those of one sense are clicked together.
    at = page(layers_word="bank", layers_lines="\n".join(line.split(" | ")[1] for line in SENTENCES))
    assert at.metrics["Senses apart (AUC)"] == "–" and at.says("two senses")
    next(p for p in at.pills if p.key == "layers_first").set_value([1, 2]).run()
    given = layers_senses.separation(recipes.compare_word(SENTENCES, "bank", bundled)).set_index(["recipe", "pooling"])
    expected = given.loc[("sum of last four", "mean of pieces"), "auc"]
    assert at.metrics["Senses apart (AUC)"] == f"{expected:.2f}"


@pytest.mark.parametrize(
    "word, lines, message",
    [
        ("bank", "the bank", "occurs once"),
        ("bank", "the bank\nthe king", "does not stand in sentence 2"),
        ("bank", "\n".join(["the bank"] * 21), "There are 21 sentences"),
        ("", "the bank\nthe bank", "no word to look for"),
        ("bank", "", "There are 0 sentences"),
        ("bank", "bank " + "very " * 600 + "\nthe bank", "Sentence 1: The text has 60"),
        ("qxz" * 9, "the bank\nthe bank", "pieces long; at most 8"),
        ("bank", "a, b | the bank\nthe bank", "1 occurrences and 2 senses"),
    ],
)
def test_bad_input_is_told_and_the_last_good_result_stays(page, word, lines, message):
    at = page()
    before = at.metrics
    at.text_input(key="layers_word").set_value(word)
    at.put("layers_lines", lines)
    assert at.says(message)
    assert at.metrics == before and len(at.charts) == 3
    # The same from a cold link: the first example stands in.
    cold = page(layers_word=word or " ", layers_lines=lines or " ")
    assert cold.says(message) and cold.metrics == before


def test_recipe_and_pooling_in_the_address(page, bundled):
    at = page(layers_recipe="layer 1", layers_pooling="sentence: max")
    scores = at.table("auc").set_index(["recipe", "pooling"])["auc"]
    assert at.metrics["Senses apart (AUC)"] == f"{scores[('layer 1', 'sentence: max')]:.2f}"
    # A layer that this model does not have gives way to the default.
    assert page(layers_recipe="layer 23").selectbox(key="layers_recipe").value == "sum of last four"


def test_a_word_of_several_pieces_wears_a_badge(page):
    at = page(layers_word="embeddings", layers_lines="a | I want embeddings.\nb | Sell the embeddings now.")
    assert "pieces: first piece and mean differ" in " ".join(m.value for m in at.markdown)


def test_the_fifty_words_run_on_a_button_and_stop(page, cold, monkeypatch, bundled):
    load = survey.wordlists.load
    few = load("senses").query("word in ['bank', 'bat', 'rock']")
    monkeypatch.setattr(survey.wordlists, "load", lambda name: few if name == "senses" else load(name))
    at = page(layers_tab="Fifty words")
    assert not at.charts
    at = at.press("Score the fifty words")
    assert at.query_params["layers_run"] in ("1", ["1"])
    assert len(at.charts) == 3
    assert {"Best recipe", "Mean AUC", "Not beaten in", "Control: shared words"} <= set(at.metrics)
    found = at.copied(bundled)
    scores = survey.stability(found.result)
    assert scores.to_string() in found.printed
    assert at.metrics["Mean AUC"] == f"{scores['auc'].iloc[:-1].max():.3f}"
    assert at.metrics["Control: shared words"] == f"{scores['auc'].iloc[-1]:.3f}"
    pd.testing.assert_frame_equal(at.table("adjusted"), found.result.geometry)
    published = at.table("named entities, F1 (published)")
    assert published.iloc[:, 1].tolist() == [91.0, 95.6, 94.9, 95.9, 96.1, 95.5]
    # Another visitor gets the same at once, without a second pass.
    monkeypatch.setattr(survey, "recipe_names", None)
    assert page(layers_tab="Fifty words", layers_run="1").metrics == at.metrics


def test_a_model_without_the_examples_words_says_so(page, lend, tiny, monkeypatch):
    lend(tiny)
    at = page(layers_word="vault", layers_lines="the vault\na vault")
    assert at.says("does not know") and len(at.charts) == 3  # the first example
    monkeypatch.setattr(recipes, "compare_word", unreadable)
    monkeypatch.setattr(layers_questions, "compare_answers", unreadable)
    lend(tiny)
    for tab in ("One word", "Questions and answers"):
        at = page(layers_tab=tab)
        assert at.says("Nothing can be read.") and not at.charts


def unreadable(*_, **__):
    raise ValueError("Nothing can be read.")


def test_a_model_without_segments_says_so(page, lend, tiny_distil):
    lend(tiny_distil)
    at = page(layers_recipe="layer 2")
    assert at.says("no segment embeddings")
    assert at.metrics["Hidden states of sentence 1"].startswith("3 × 1 ×")
    assert at.metrics["Numbers in a vector"] == "16"


def test_questions_and_answers(page, bundled):
    at = page().press("A question")
    assert len(at.charts) == 2
    table = at.table("rank")
    question = at.text_input(key="layers_question").value
    vector = bundled.hidden_states(question)[-2].mean(0)
    best = table.iloc[0]
    assert best["cosine"] == pytest.approx(
        1 - scipy_cosine(vector, bundled.hidden_states(best["answer"])[-2].mean(0)), abs=1e-5
    )
    assert at.metrics["The right answer is number"].endswith(" of 20")
    at.put("layers_question_choice", "Why is the sky blue?")
    assert at.text_input(key="layers_question").value == "Why is the sky blue?"
    before = at.table("rank")
    at.put("layers_question", "")
    assert at.says("text is empty") and at.table("rank").equals(before)
    at.put("layers_question_choice", "Who wrote Hamlet?")
    assert at.metrics["By shared words alone"] == "10.5 of 20"  # it shares no word with any answer
    at.text_input(key="layers_question").set_value("Who?")
    at.put("layers_answers", "one")
    assert at.says("at least two answers")


def test_reset_brings_the_first_example_back(page):
    at = page(layers_word="rock", layers_lines="a rock\nthe rock", layers_pooling="first piece")
    at = at.press("Reset")
    assert at.text_input(key="layers_word").value == "bank"
    assert at.selectbox(key="layers_pooling").value == "mean of pieces"


UNNAMED = "\n".join(line.split(" | ")[1] for line in SENTENCES)


@pytest.mark.parametrize(
    "query",
    [
        {"layers_recipe": "layer 2", "layers_pooling": "first piece"},
        {"layers_lines": BANK[0]},
        {"layers_lines": UNNAMED, "layers_first": ["1 The bank was", "2 the bank"]},
    ],
)
def test_copied_code_of_a_word_gives_every_number_shown(page, query, bundled):
    at = page(**query)
    found = at.copied(bundled)
    same = ["recipe", "pooling", "auc"]
    assert found.scores["auc"].notna().any()
    pd.testing.assert_frame_equal(at.table("auc")[same], found.scores[same])
    cell = found.scores.set_index(["recipe", "pooling"]).loc[(found.recipe, found.pooling)]
    assert at.metrics["Senses apart (AUC)"] == f"{cell['auc']:.2f}"
    assert at.metrics["Splits that do as well"] == "{} of {}".format(
        *next(p for p in found.printed if isinstance(p, tuple))
    )
    tables = at.tables
    for mine in (found.over_layers, found.pairs, found.result.tokens, found.result.shapes):
        assert any(list(t.columns) == list(mine.columns) and np.array_equal(t, mine) for t in tables)
    # Segment ids: the loop of the code ends with 0, which it prints last.
    segments, first_values = at.table("id 0 (BERT)"), at.table("segment ids")
    assert sorted(segments["kind"]) == sorted(found.pairs["kind"])
    assert (
        found.printed[-2]
        == layers_senses.pair_cosines(found.other, found.recipe, found.pooling, found.keep).to_string()
    )
    cosines = layers_senses.pair_cosines(found.other, found.recipe, found.pooling)["cosine"]
    assert sorted(segments["id 0 (BERT)"]) == pytest.approx(sorted(cosines))
    mine = first_values[first_values["segment ids"] == "id 0 (BERT)"][list("12345")]
    assert mine.to_numpy() == pytest.approx(found.printed[-1])


def test_copied_code_of_an_answer_gives_every_number_shown(page, bundled):
    at = page(layers_tab="Questions and answers")
    found = at.copied(bundled)
    pd.testing.assert_frame_equal(at.table("mrr"), found.scores)
    assert at.table("rank").to_string() in found.printed


def test_a_model_that_cannot_read_the_fifty_words_says_so(page, cold, monkeypatch):
    monkeypatch.setattr(survey, "survey", unreadable)
    at = page(layers_tab="Fifty words", layers_run="1")
    assert at.says("cannot read the built-in sentences. Nothing can be read.")
    assert not at.charts


def test_a_stopped_comparison_waits_for_its_button(page, stop):
    at = page()
    before = at.metrics
    stop("Reading the sentences")
    at.put("layers_lines", "\n".join(SENTENCES))
    assert at.says("It was stopped")
    at.press("Begin again")
    assert not at.says("It was stopped") and at.metrics != before


def test_a_visitors_text_is_never_markup(page):
    nasty = "<b>x</b> ![y](http://example.org/z.png)"
    at = page(layers_word="bank", layers_lines=f"{nasty} | the bank {nasty}\nthe bank")
    assert not any(nasty in m.value for m in (*at.markdown, *at.caption))
    figures = [p.spec for p in at.charts]
    assert not any("<b>x</b>" in f for f in figures)
