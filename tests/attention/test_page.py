"""The Attention page without a browser."""

import json

import numpy as np
import pandas as pd
import pytest

from embtools.attention import attended, head_steps, heads, neuron_uses, tasks
from embtools.attention.attended import attend
from embtools.attention.layer_parts import whole_layer
from embtools.attention.reading import read_all
from embtools.attention.strongest_neurons import neurons
from embtools.charts import attention as charts
from embtools.models.neurons import ACTIVATION
from embtools.occurrences.corpus import read_corpus
from embtools.progress import silent
from embtools.ui import warm
from embtools.ui.attention import attended_words as word_tab
from embtools.ui.attention import reading as sentence
from embtools.ui.attention import whole_layer as layer_tab

ANIMAL = "The animal didn't cross the street because it was too tired."
ONE_HEAD, TASKS = ({"attention_tab": tab} for tab in ("head", "tasks"))
LAYER, NEURONS = ({"attention_tab": "layer", "attention_layer_view": view} for view in ("steps", "neurons"))
FRANCE = "The capital of France is [MASK]."


def caption_of(chart) -> list[str]:
    return json.loads(chart.config)["toImageButtonOptions"]["caption"]


def shown(at, expected: attended.AttendedWords) -> None:
    assert at.finding == expected.headline
    assert at.says(expected.limits)
    pd.testing.assert_frame_equal(at.table("word", "share"), expected.words)
    pd.testing.assert_frame_equal(at.table("layer", "head"), expected.cells)


# What a word attends to


def test_page_opens_with_what_it_attends_to_and_the_control(page, bundled):
    at = page()
    readings = read_all(ANIMAL, bundled, control=sentence.WIDE)
    shown(at, attend(readings, bundled, source=["it"], target=["animal"], heads=heads.STRONGEST))
    assert not at.problems and len(at.charts) == 2
    assert "With “wide” instead of “tired”, the share is" in at.finding
    assert "animal" in at.charts[0].alt
    assert at.charts[1].alt.startswith("Heatmap of 72 heads. Attention to “animal” is highest in layer")
    assert at.says("The bars add up to 100%")
    at.prints_what_it_shows(bundled)


def test_another_word_and_another_target_are_chosen(page, bundled):
    at = page().put("attention_word", "street").put("attention_to_one", "the")
    readings = read_all(ANIMAL, bundled, control=sentence.WIDE)
    shown(at, attend(readings, bundled, source=["street"], target=["the"], heads=heads.STRONGEST))
    at.unfold("more").put("attention_several", True).put("attention_to_several", ["the", "the (2)"])
    shown(at, attend(readings, bundled, source=["street"], target=["the", "the (2)"], heads=heads.STRONGEST))
    at.put("attention_heads", "layer 2")
    shown(at, attend(readings, bundled, source=["street"], target=["the", "the (2)"], heads="layer 2"))
    at.put("attention_words", ["street", "it"])
    shown(at, attend(readings, bundled, source=["street", "it"], target=["the", "the (2)"], heads="layer 2"))
    # The list cannot be emptied: what was chosen stays.
    at.put("attention_to_several", [])
    assert at.session_state["attention_to"] == ("the", "the (2)")


def test_caption_and_alt_text_describe_only_the_bars_that_are_shown(page):
    """[CLS] could be named as the largest bar while it was hidden, with bars that add up to 100%."""
    at = page(attention_hide=True, attention_heads="2.3")
    words = at.table("word", "share")
    framed = words.loc[words["word"].isin(["[CLS]", "[SEP]"]), "share"].sum()
    assert framed > 0.01 and not at.says("The bars add up to 100%")
    assert at.says(f"The bars add up to {1 - framed:.0%}; [CLS] and [SEP], which are hidden, get {framed:.0%}")
    most = words[~words["word"].isin(["[CLS]", "[SEP]"])].nlargest(1, "share")
    assert f"Most goes to {most['word'].iloc[0]} " in at.charts[0].alt
    assert "[CLS] and [SEP], which are not shown, get" in at.charts[0].alt
    assert page(attention_heads="2.3").says("The bars add up to 100%")


def test_caption_counts_the_words_of_a_long_text_that_have_no_bar(page):
    text = " ".join(f"{city} is a city." for city in ("Rome", "Paris", "London", "Berlin", "Madrid", "Vienna", "Oslo"))
    at = page(attention_text=text, attention_from="rome", attention_to="oslo", attention_heads="all")
    words = at.table("word", "share")
    rows = words[(words["word"] == "oslo") | words.index.isin(words["share"].nlargest(charts.MOST_BARS).index)]
    assert len(rows) < len(words)
    total = rows["share"].sum()
    assert at.says(f"The bars add up to {total:.0%}; words without a bar get {1 - total:.0%}")


# Two targets


DOG = {"attention_text": "The dog chased the cat because it was hungry.", "attention_control": ""}


def test_dog_or_cat_in_the_same_head(page, bundled):
    at = page(attention_to="dog", attention_versus="cat", **DOG)
    readings = read_all(DOG["attention_text"], bundled)
    shown(at, attend(readings, bundled, source=["it"], target=["dog"], heads=heads.STRONGEST, versus=["cat"]))
    assert "“dog” " in at.finding and " and “cat” " in at.finding and attended.VERSUS in at.table("layer", "head")
    assert at.charts[1].alt.count("Heatmap of 72 heads. Attention to") == 2
    assert at.says(
        "to the first target (left) and to the second (right)", "cross-hatched", "of all 72 heads “dog” gets"
    )
    assert at.links_to_itself().finding == at.finding
    found = at.copied(bundled)
    assert at.finding in found.printed and "versus=('cat',)" in found.code
    assert any(at.table("layer", "head").equals(mine) for mine in found.frames)


def test_a_second_target_is_chosen_and_removed_again(page, bundled):
    at = page(attention_to="dog", **DOG)
    assert at.field("attention_versus_one").value is None and "dog" not in at.field("attention_versus_one").options
    at.put("attention_versus_one", "cat")
    assert at.session_state["attention_versus"] == ("cat",) and "“cat”" in at.finding
    at.put("attention_to_one", "cat")  # the two cannot be the same
    assert at.session_state["attention_versus"] == () and not at.problems
    at.put("attention_versus_one", "dog").put("attention_versus_one", None)
    assert at.session_state["attention_versus"] == () and attended.VERSUS not in at.table("layer", "head")
    at.put("attention_versus_one", "dog").put("attention_text", "He left the room.")
    assert at.session_state["attention_versus"] == () and not at.problems


def test_an_address_cannot_set_one_word_as_both_targets(page):
    at = page(attention_to="dog", attention_versus="dog", **DOG)
    assert not at.problems and at.session_state["attention_versus"] == ()


def test_words_are_chosen_automatically_for_your_own_sentence(page, bundled):
    at = page().put("attention_text", "The dog barked because it was hungry.")
    # The control of the example belongs to its sentence.
    assert at.session_state["attention_control"] == "" and not at.problems
    target = at.session_state["attention_to"]
    assert at.session_state["attention_from"] == ("it",) and len(target) == 1
    readings = read_all("The dog barked because it was hungry.", bundled)
    shown(at, attend(readings, bundled, source=["it"], target=target, heads=heads.STRONGEST))
    # The same from a link in a new session.
    assert page(attention_text="The dog barked because it was hungry.").finding == at.finding


@pytest.mark.parametrize("text", ["!", "[CLS] [SEP] [SEP]"])
def test_odd_texts_are_read(page, text):
    at = page(attention_text=text, **ONE_HEAD)
    assert not at.problems and len(at.charts) == 2
    assert not page(attention_text=text).problems


def test_a_text_of_five_hundred_tokens_is_shown_without_all_pairs(page, bundled):
    text = " ".join(["The cat saw it."] * 100)
    at = page(attention_text=text, attention_from="it")
    assert not at.problems and len(at.session_state["attention_to"]) == 1
    at = page(attention_text=text, attention_from="it", attention_to="cat", **ONE_HEAD)
    assert len(at.charts[0].spec) < 300_000 and at.says("Each cell is the mean of 4 × 4 pairs of tokens")
    reading = read_all(text, bundled).now
    chosen = attend(read_all(text, bundled), bundled, source=["it"], target=["cat"], heads=heads.STRONGEST).heads
    row = head_steps.matrix(reading, bundled, heads=chosen)[4]
    assert at.table("position", "weight")["weight"].tolist() == pytest.approx(row.tolist(), abs=1e-6)
    assert f"“cat” {row[2]:.1%} of its attention" in at.finding


def test_a_model_without_segments_reads_two_sentences(page, lend, tiny_distil):
    lend(tiny_distil)
    query = {"attention_text": "the king is red", "attention_second": "the man is blue", "attention_control": ""}
    at = page(**query, attention_from="king", attention_to="man")
    assert not at.problems
    readings = read_all("the king is red", tiny_distil, second="the man is blue")
    shown(at, attend(readings, tiny_distil, source=["king"], target=["man"], heads=heads.STRONGEST))


# One head


def test_one_head_shows_the_steps_of_the_pair(page, bundled):
    at = page(attention_heads="5.4", open="softmax", **ONE_HEAD)
    reading = read_all(ANIMAL, bundled).now
    found = head_steps.steps(reading, bundled, heads="5.4", row=10, column=2)
    assert at.finding == f"In layer 5, head 4, “it” gives “animal” {found.weight:.1%} of its attention."
    assert head_steps.written(found, "it", "animal") in [block.value for block in at.code]
    assert len(at.table("exponential")) == 16
    copied = at.prints_what_it_shows(bundled)
    assert any(block.value in copied.sentences for block in at.code)
    # The clicked token stays selected while its word is chosen.
    at = page(attention_text="Unbelievable embeddings.", attention_from="embeddings", attention_row="4", **ONE_HEAD)
    assert "“##ding”" in at.finding
    at.put("attention_word", "unbelievable")
    assert "“unbelievable”" in at.finding


@pytest.mark.parametrize(("key", "chosen"), [("rollout", heads.ROLLOUT), ("3", "layer 3")])
def test_several_heads_have_no_steps(page, bundled, key, chosen):
    at = page(attention_heads=key, **ONE_HEAD)
    weights = head_steps.matrix(read_all(ANIMAL, bundled).now, bundled, heads=chosen)
    assert f"{weights[10, 2]:.1%}" in at.finding
    assert len(at.charts) == 1 and at.says("no query and key of their own")
    at.prints_what_it_shows(bundled)


# Best head per task


@pytest.mark.slow
def test_the_best_head_of_each_task_is_the_same_on_a_slow_server_and_the_code_gives_every_number(
    page, cold, bundled, monkeypatch
):
    """It showed the best head on twelve sentences, 5.4, until a button was pressed; on all of them 5.7 is best."""
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = page(open="task-sentences", **TASKS)
    assert not any((button.key or "").startswith("requested-") for button in at.button)
    assert at.finding.startswith(
        "Head 5.7 gives the referent of “it” more attention than the other noun in 77% of new sentences"
    )
    assert at.says("best on 30 sentences: its share of hits on 30 other sentences")
    copied = at.copied(bundled)
    assert at.finding in copied.sentences and "scores(model)" in copied.code
    best_heads, heads, lines = copied.frames
    pd.testing.assert_frame_equal(at.table("fixed_distance"), best_heads)
    mine = heads[heads["task"] == tasks.REFERENT].reset_index(drop=True)
    pd.testing.assert_frame_equal(at.table("layer", "held_out", "share"), mine)
    of_job = lines[lines["task"] == tasks.REFERENT].drop(columns="task").reset_index(drop=True)
    pd.testing.assert_frame_equal(at.table("sentence", "half"), of_job)
    assert len(mine) == 72 and len(of_job) == 60
    at.put("attention_task", tasks.SAME)
    assert at.finding == copied.hits.headline(tasks.SAME)
    row = best_heads.set_index("task").loc[tasks.SAME]
    at.press(f"Use head {row['layer']:.0f}.{row['head']:.0f} on your sentence")
    assert at.session_state["attention_heads"] == f"{row['layer']:.0f}.{row['head']:.0f}"
    assert at.session_state["attention_tab"] == word_tab.TAB


# Hidden special tokens, and sets of heads


@pytest.mark.slow
def test_special_tokens_are_hidden_in_the_charts_of_every_tab(page, bundled):
    at = page(attention_hide=True, attention_heads="5.4", **ONE_HEAD)
    found = head_steps.one_head(ANIMAL, bundled, source=["it"], target=["animal"], heads="5.4")
    assert "[CLS]" not in at.charts[0].spec and "Heatmap of the attention among 14 tokens" in at.charts[0].alt
    assert "[CLS] and [SEP] are not shown." in at.charts[0].alt
    share = found.weights[10, [0, 15]].sum()
    assert at.says(f"[CLS] and [SEP] are hidden; they get {share:.0%} of the attention of the token in the headline.")
    most = found.weights[1:-1, 1:-1].max()
    assert at.says(f"up to {most:.0%}.") and f"The highest value is {most:.0%}" in at.charts[0].alt
    assert "[CLS]" in at.table("attending")["attending"].iloc[0]  # the table stays complete
    at = page(attention_hide=True, attention_masked=f"{'dog ' * 24}[MASK]", **NEURONS)
    assert "[CLS]" not in at.charts[2].spec and "at 24 tokens" in at.charts[2].alt
    assert at.says("2 tokens have no bar: [CLS] and [SEP] are hidden. 1 weaker activation has no bar.")


@pytest.mark.slow
def test_only_charts_that_hide_special_tokens_say_so_when_they_are_saved(page):
    """Of the views of a layer, only the bars of one neuron by token hide any."""
    hides = "without [CLS] and [SEP]"
    for view, about in ((LAYER, [False] * 2), (NEURONS, [False, False, True])):
        at = page(attention_hide=True, **view)
        captions = [" ".join(caption_of(chart)) for chart in at.charts]
        assert [hides in caption for caption in captions[: len(about)]] == about, captions
        assert sum(hides in caption for caption in captions) == sum(about)
        assert all(FRANCE in caption and "layer: layer 6" in caption for caption in captions)
    at = page(**NEURONS)
    assert not any(hides in " ".join(caption_of(chart)) for chart in at.charts)


def test_the_lens_is_named_only_by_the_charts_that_use_it(page):
    for view, named in ((LAYER, True), (NEURONS, False)):
        at = page(attention_lens="tuned", **view)
        assert all(("lens: Tuned lens" in " ".join(caption_of(chart))) == named for chart in at.charts)


def test_a_hidden_token_that_attends_is_not_framed(page):
    at = page(attention_hide=True, attention_from="[CLS]", attention_heads="5.4", **ONE_HEAD)
    assert not at.problems and "“[CLS]” gives" in at.finding
    at = page(attention_hide=True, attention_text="[MASK]", attention_control="", **ONE_HEAD)
    assert not at.problems and len(at.charts) == 2


def test_any_heads_can_be_averaged(page, bundled):
    at = page(attention_heads="set", attention_head_set=["5.4", "2.3", "6.12"])
    readings = read_all(ANIMAL, bundled, control=sentence.WIDE)
    shown(at, attend(readings, bundled, source=["it"], target=["animal"], heads="2.3, 5.4, 6.12"))
    assert at.finding.startswith("Averaged over heads 2.3, 5.4 and 6.12, “it” gives “animal”")
    each = [attend(readings, bundled, source=["it"], target=["animal"], heads=head) for head in ("2.3", "5.4", "6.12")]
    mean = np.mean([found.words["share"] for found in each], axis=0)
    np.testing.assert_allclose(at.table("word", "share")["share"], mean, atol=1e-6)
    assert at.says("The framed heads are averaged. Click a head to add or remove it.")
    framed = [element.proto.body for element in at.get("html") if "heads .points path" in element.proto.body]
    assert framed and framed[0].count("nth-child") == 3
    found = at.links_to_itself().copied(bundled)
    assert at.finding in found.printed and "heads='2.3, 5.4, 6.12'" in found.code
    at.put("attention_heads_of_set", ["1.1", "1.2"])
    assert at.finding.startswith("Averaged over heads 1.1 and 1.2,")
    at.put("attention_heads_of_set", [])  # until heads are chosen, the strongest one is shown
    assert at.finding == page().finding
    at = page(attention_heads="set", attention_head_set=["5.4", "99.1", "x"])
    assert not at.problems and at.finding.startswith("In layer 5, head 4,")


def test_a_set_of_heads_is_shown_token_by_token(page, bundled):
    at = page(attention_heads="set", attention_head_set=["5.4", "2.3"], **ONE_HEAD)
    both = [head_steps.matrix(read_all(ANIMAL, bundled).now, bundled, heads=head) for head in ("2.3", "5.4")]
    np.testing.assert_allclose(at.table("attending").drop(columns="attending"), np.mean(both, axis=0), atol=1e-6)
    assert at.says("no query and key of their own") and at.finding in at.copied(bundled).printed


# The whole layer


def test_the_layer_opens_with_its_steps_and_the_code_behind_them(page, bundled):
    at, found = page(**LAYER), whole_layer(FRANCE, bundled, layer=6)
    assert at.finding == found.headline and at.says(found.movement) and not at.problems
    assert [block.value for block in at.code] == [found.arithmetic]
    pd.testing.assert_frame_equal(at.table("step", "top_answer"), found.steps)
    pd.testing.assert_frame_equal(at.table("step", "number"), found.numbers)
    assert len(at.charts) == 2 and at.charts[0].alt.startswith("Ten strips: what layer 6 computes for [MASK]")
    copied = at.copied(bundled)
    assert {found.headline, found.arithmetic} <= set(copied.sentences)
    assert any(found.steps.equals(mine) for mine in copied.frames)
    pd.testing.assert_frame_equal(copied.layer.numbers, found.numbers)


def test_the_layer_is_read_with_the_tuned_lens_of_a_model_that_has_one(page, bundled, lend, tiny):
    at = page(attention_layer="4", **LAYER)
    assert at.says("if it read this vector (the logit lens).", "The 1,536 neurons have no bar")
    at.put("attention_lens", "Tuned lens")
    found = whole_layer(FRANCE, bundled, layer=4, tuned=True)
    assert at.finding == found.headline and at.says("The vectors inside the layer have no translator")
    pd.testing.assert_frame_equal(at.table("step", "top_answer"), found.steps)
    lend(tiny)
    other = page(attention_masked="rome is [MASK]", attention_lens="tuned", **LAYER)
    assert not other.problems and other.says("no tuned lens. The head was trained on the states after")


def test_token_layer_and_dimension_are_chosen(page, bundled):
    at = page(**LAYER).put("attention_layer", "layer 2").put("attention_token", 4)
    found = whole_layer(FRANCE, bundled, layer=2, position=4)
    assert at.finding == found.headline and "Read off at “france”" in at.finding
    largest = 1 + int(abs(found.vectors.outputs[0]).argmax())
    assert at.says(f"These lines compute dimension {largest} of the token, the one with the largest value.")
    at.put("attention_dimension", 9)
    assert at.code[0].value == whole_layer(FRANCE, bundled, layer=2, position=4, dimension=9).arithmetic
    assert at.says("These lines compute dimension 9 of the token.")
    assert at.links_to_itself().finding == found.headline
    at.put("attention_masked", "The opposite of hot is [MASK].")  # other tokens: the mask is chosen again
    assert "“[MASK]”" in at.finding and at.session_state["attention_token"] == -1


@pytest.mark.slow("Rome is old.-view1")
@pytest.mark.parametrize("view", [LAYER, NEURONS])
@pytest.mark.parametrize("text", ["Rome is old.", "😀 and [MASK] and [MASK]."])
def test_your_own_sentence_is_read_in_every_view(page, view, text):
    at = page(attention_masked=text, **view)
    assert not at.problems and at.charts and not at.says("Showing the p")
    assert at.says("The sentence has no mask, so its last word, “old”, was masked.") == (text == "Rome is old.")


def test_a_token_can_be_chosen_in_a_text_without_a_mask(page):
    at = page(attention_masked="!!!", attention_token="2", **LAYER)
    assert not at.problems and "Read off at “!”" in at.finding


def test_a_long_text_has_a_list_of_its_tokens(page):
    at = page(attention_masked="The king is old. " * 20 + "He is [MASK].", **LAYER)
    assert not at.problems and "103 [MASK]" in at.field("attention_token").options
    at.put("attention_token", 2)
    assert "“king”" in at.finding


def test_a_layer_or_token_that_does_not_exist_is_replaced(page):
    at = page(attention_layer="40", attention_token="300", attention_dimension="5000", **LAYER)
    assert not at.problems and at.finding == page(**LAYER).finding


@pytest.mark.slow
def test_prepared_results_of_the_layer_are_not_computed_again(page, cold, monkeypatch):
    for query in layer_tab.FIRST, layer_tab.DETAILS[0]:
        warm.ask(query, "bundled", silent)
    monkeypatch.setattr("embtools.attention.layer_parts.checked_position", None)
    monkeypatch.setattr("embtools.attention.strongest_neurons.checked_position", None)
    for view in (LAYER, NEURONS):
        assert not page(**view).problems


@pytest.mark.slow
def test_the_neurons_of_a_token(page, bundled):
    at, found = page(attention_layer="5", **NEURONS), neurons(FRANCE, bundled, layer=5)
    assert at.finding == found.headline and at.says(found.limits) and not at.problems
    for table, columns in ((found.strongest, ("neuron", "promotes")), (found.words, ("word", "along"))):
        pd.testing.assert_frame_equal(at.table(*columns), table)
    pd.testing.assert_frame_equal(at.table("position", "activation"), found.by_token)
    copied = at.copied(bundled)
    assert found.headline in copied.sentences
    assert all(any(table.equals(mine) for mine in copied.frames) for table in (found.strongest, found.words))
    (link,) = [each.proto for each in at.get("page_link") if "Switch off" in each.proto.label]
    assert link.label == f"Switch off neuron {found.neuron:,} on Tracing"
    number, at = int(found.strongest["neuron"].iloc[3]), page(attention_layer="5", **NEURONS)
    at.put("attention_neuron", number).put("attention_neuron_by", "Above zero")
    other = neurons(FRANCE, bundled, layer=5, neuron=number, by=ACTIVATION)
    assert at.links_to_itself().finding == other.headline


@pytest.mark.slow
def test_comparing_the_neurons_waits_for_its_button_if_it_takes_long(page, cold, monkeypatch, bundled):
    monkeypatch.setattr("embtools.models.neurons.PACE", 1e6)
    at = page(attention_layer="5", **NEURONS)
    assert not at.charts and at.says("minutes") and not at.problems
    at.press("Compare the neurons with their means")
    assert at.finding == neurons(FRANCE, bundled, layer=5).headline


@pytest.mark.slow
def test_the_sentences_that_activate_a_neuron_most(page, bundled):
    text = "The capital of Spain is Madrid. I like fish. Rome lies in Italy. She sang in Paris."
    at = page(attention_neuron_source="own", attention_neuron_text=text, attention_neuron="140", **NEURONS)
    found = neuron_uses.neuron_sentences(read_corpus(text), bundled, layer=6, neuron=140)
    assert at.says(found.headline, "A sample over the whole range of activations")
    pd.testing.assert_frame_equal(at.table("rank", "text"), found.best)
    pd.testing.assert_frame_equal(at.table("share", "text"), found.spread)
    copied = at.copied(bundled)
    assert any(found.best.equals(mine) for mine in copied.frames) and found.headline in copied.sentences
    at.put("attention_neuron_text", "")
    assert at.says("Paste a text to see which of its sentences activate the neuron most.") and not at.problems
    at.put("attention_neuron_text", "!!! ???")
    assert "no sentence in the text" in at.problems[0] and len(at.charts) == 3


@pytest.mark.slow
def test_reading_the_built_in_text_waits_for_its_button(page, cold, monkeypatch):
    few = read_corpus("The bank of Rome. The river is red. He works.")
    monkeypatch.setattr("embtools.ui.attention.whole_layer.built_in_corpus", lambda: few)
    monkeypatch.setattr(neuron_uses, "_TOKEN_SECONDS", 1.0)
    at = page(**NEURONS)
    assert not at.says("A sample over the whole range of activations") and at.says("seconds on this server.")
    at.press("Read 3 sentences")
    assert at.says("A sample over the whole range of activations", "In 3 sentences, neuron")


# The code


@pytest.mark.parametrize(
    "query",
    [
        {"attention_second": "It slept.", "attention_edits": "animal = dog", "attention_heads": "rollout"},
        {"attention_text": "The dog barked.", "attention_from": ["dog", "the"], "attention_several": True},
    ],
)
def test_copied_code_of_the_first_tab_gives_every_number_shown(page, query, bundled):
    page(**query).prints_what_it_shows(bundled)
