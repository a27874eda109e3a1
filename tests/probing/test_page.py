"""The Probing page without a browser."""

import json
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

from embtools.concepts import Probes
from embtools.probing import accuracy, features, predict
from embtools.probing.description_length import describe_layers
from embtools.probing.layers import items_of
from embtools.probing.verdict import share
from embtools.statistics.percentages import rounded
from embtools.ui.probing import predict as predict_panel
from embtools.ui.probing import probe, probe_fields
from tests.figures_of import decoded

pytestmark = pytest.mark.usefixtures("as_shipped")

ROWS = "\n".join(f"{label} | {word} | The {word} is here." for label, word in (
    *(("animal", w) for w in ("dog", "cat", "horse", "bird", "fish", "mouse")),
    *(("plant", w) for w in ("tree", "rose", "grass", "oak", "flower", "bush")),
))  # fmt: skip
OWN = {"probing_task": "own", "probing_items": ROWS}
HERO = "selectivity_high"


@pytest.fixture(scope="module")
def page(visit):
    """Open the Probing page."""
    return partial(visit, "probing")


@pytest.fixture
def at_once(monkeypatch):
    """Nothing waits for its button."""
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 1e9)


def headline(at) -> str:
    return at.header[0].value.replace("\\", "")


@pytest.mark.slow
def test_page_opens_with_a_finding_every_layer_and_the_control(page, bundled):
    at = page()
    assert not at.problems and len(at.charts) == 3
    table = at.table(HERO)
    assert table["combination"].tolist() == [f"layer {n}" for n in range(bundled.layers + 1)]
    best = table.loc[table["accuracy"].idxmax()]
    items = items_of("part of speech")
    vectors = features.read_features(items, bundled, pooling="mean of tokens")
    found = accuracy.measure(items, vectors, vectors.combinations[: bundled.layers + 1])
    rows = table[table["combination"].isin(found.equal)]
    assert found.equal == tuple(f"layer {n}" for n in range(1, 6))
    low, high = rounded(rows["accuracy"].min()), rounded(rows["accuracy"].max())
    assert headline(at) == (
        f"Layers 1 to 5 all predict the part of speech of new words with {low} to {high} accuracy (95% intervals from"
        f" {rounded(rows['accuracy_low'].min())} to 100%) and cannot be distinguished. Guessing gets 25%."
    )
    assert at.says(f"resample and tested on the other words, its accuracy is {rounded(found.best_held_out[0], 1)}")
    assert best["accuracy_low"] > best["control_high"] and abs(best["control"] - 0.25) < 0.1
    assert at.charts[0].alt.startswith(f"Accuracy of a probe on {bundled.layers + 1} layers: ")
    assert at.says("204 labelled words", "Guessing (always the most frequent label) gets 25.0%.")
    assert at.says(
        "no sign that test items leak into training", f"a probe trained on random labels gets {best['control']:.1%}"
    )


@pytest.mark.slow("Description length", "Memory alone", "Number", "Part of speech", "Tense", "Topic")
@pytest.mark.parametrize("name", probe.PRESETS)
def test_every_preset(page, name, at_once):
    at = page(probing_task="tense", probing_layer="1", probing_sentence="x").press(name)
    assert not at.problems and len(at.charts) == 3
    best = r"(Layer \d is the best: a probe on it predicts|Layers \d[\d and,to]* (all|both) predict) "
    begin = "With a probe on layer " if name == "Description length" else best
    assert re.match(begin, headline(at.links_to_itself()))


@pytest.mark.slow
def test_the_description_length_is_next_to_the_accuracy(page, bundled, at_once):
    at = page(probing_measure="description-length")
    found = describe_layers(Probes("part of speech", "mean of tokens"), bundled)
    table = at.table("control_compression")
    pd.testing.assert_frame_equal(table, found.table)
    assert headline(at) == found.headline and not at.problems and len(at.charts) == 3
    assert table["accuracy"].tolist() == page().table(HERO)["accuracy"].tolist()
    assert at.charts[0].alt.startswith(f"Codelength of the labels with probes on {bundled.layers + 1} layers: ")
    assert at.says("204 labels", "The portions end after 4, 8, 15, 30, 60 and 120 different words, in 5 random orders.")
    assert at.says(f"from a probe on layer {found.layer} that was trained on all items")
    before = headline(at)
    at.put("probing_layer", "2")
    assert headline(at).startswith("With a probe on layer 2, sending the part of speech of 204 words takes ") != before
    page(probing_task="topic")  # so that only the codelengths are new, which need no button
    topics = page(probing_measure="description-length", probing_task="topic")
    assert topics.says("The portions end after 8, 15, 30, 60, 120 and 240 sentences")


@pytest.mark.slow
def test_memory_raises_the_control(page):
    never, met = page(), page().press("Memory alone")
    assert met.table(HERO)["control"].min() > never.table(HERO)["control"].max() + 0.1
    assert "they may have seen" in headline(met) and met.says("by memory alone. The selectivity is ")


@pytest.mark.slow
def test_sentences_have_no_folds_of_words(page):
    at = page(probing_task="topic")
    assert at.field("probing_folds").disabled and at.says(
        "240 labelled sentences", "no sign that test items leak into training"
    )
    assert not any(f.key == "probing_word" for f in at.get("button_group"))
    at.unfold("probing-how")
    assert at.field("probing_sentence_pooling").value == "sentence: mean"


def test_a_layer_is_chosen_in_the_address(page):
    at = page(probing_layer="5")
    assert headline(at).startswith("A probe on layer 5 predicts ") and "the best" not in headline(at)
    assert at.says("A probe on layer 5 gets", "from a probe on layer 5 that was trained on all items") and not at.says(
        "For the headline,"
    )
    (ring,) = (t for t in decoded(json.loads(at.charts[0].spec))["data"] if t["mode"] == "markers")
    assert list(ring["x"]) == [5]
    best = page()
    assert page(probing_layer="99").field("probing_layer").value == "best"
    assert headline(page(probing_layer="99")) == headline(best)


@pytest.mark.slow
def test_settings_change_what_is_computed(page):
    at = page(open="probing-how")
    before = at.table(HERO)
    at.put("probing_strength", "0.0001")
    after = at.table(HERO)
    assert not before.equals(after)
    assert page(probing_strength="7").table(HERO).equals(before)  # an address cannot set another C


# The trained probe


@pytest.mark.slow
def test_the_probe_is_tried_on_your_own_sentence(page, bundled):
    at = page(probing_task="tense", probing_layer="4")
    at.put("probing_sentence", "She sang while he cooks.")
    items = items_of("tense")
    vectors = features.read_features(items, bundled, pooling="mean of tokens")
    expected = predict.predict_labels(
        "She sang while he cooks.",
        bundled,
        items=items,
        features=vectors,
        combination="layer 4",
        pooling="mean of tokens",
    )
    found = at.table("word", "occurrence", "probability")
    pd.testing.assert_frame_equal(found, expected)
    labels = {w: g.loc[g["probability"].idxmax(), "label"] for w, g in found.groupby("word")}
    assert labels["sang"] == "past" and labels["cooks"] == "present"
    at.put("probing_word", "sang")
    shares = found[found["word"] == "sang"].set_index("label")["probability"]
    assert at.charts[1].alt == (
        f"Predicted labels for “sang”: past {share(shares['past'])}, present {share(shares['present'])}."
    )
    at.put("probing_sentence", "Snow falls.")  # without the word that was chosen
    assert at.field("probing_word").value in ("Snow", "falls") and not at.problems


@pytest.mark.parametrize(
    "sentence, message", [(" ", "empty"), ("!?", "no word"), ("a " * 70, "at most 60 are allowed")]
)
def test_a_sentence_that_cannot_be_tried_is_explained(page, sentence, message):
    at = page(probing_sentence=sentence)
    assert len(at.problems) == 1 and message in at.problems[0]
    assert " predict the part of speech " in headline(at) and len(at.charts) == 2  # all else stays


# Details


def test_mistakes_are_shown_in_their_sentences(page):
    at = page(open="mistakes")
    counts, wrong = at.table("label", "predicted", "count"), at.table("predicted", "sentence")
    off = counts[counts["label"] != counts["predicted"]]
    assert off["count"].sum() == len(wrong) and counts["count"].sum() == 204
    assert at.header[1].value.replace("\\", "").endswith(f" gets {len(wrong)} of 204 items wrong.")
    assert at.says(wrong["sentence"][0])
    each = at.table("precision", "recall").set_index("label")
    right = counts[counts["label"] == counts["predicted"]].set_index("label")["count"]
    assert each["recall"].to_numpy() == pytest.approx((right / each["items"]).to_numpy(), abs=1e-3)


@pytest.mark.slow
def test_every_combination(page, bundled):
    at = page(probing_more="combinations")
    table = next(t for t in at.tables if len(t) == bundled.layers + 5)
    assert table["combination"].tolist()[-1] == "sum of all layers"
    assert table.head(bundled.layers + 1).equals(at.table(HERO))
    # The second-to-last layer is the layer of that number.
    pair = table[table["combination"].isin(["second-to-last layer", f"layer {bundled.layers - 1}"])]
    assert pair["accuracy"].nunique() == 1
    items = items_of("part of speech")
    vectors = features.read_features(items, bundled, pooling="mean of tokens")
    found = accuracy.measure(items, vectors, vectors.combinations)
    best = table.loc[table["accuracy"].idxmax()]
    lowest = table.set_index("combination").loc[list(found.equal), "accuracy"].min()
    assert at.header[1].value.replace("\\", "") == (
        f"{len(found.equal)} of the {len(table)} layer combinations cannot be distinguished: their accuracies are"
        f" {rounded(lowest, 1)} to {rounded(best['accuracy'], 1)} (highest: {best['combination']})."
    )


@pytest.mark.slow
def test_the_learning_curve_ends_at_the_accuracy(page):
    at = page(probing_more="curve", probing_layer="3")
    curve = at.table("share")
    assert curve["accuracy"].iloc[-1] == pytest.approx(at.table(HERO)["accuracy"][3])
    assert curve["accuracy"].iloc[0] < curve["accuracy"].iloc[-1]


@pytest.mark.slow
def test_the_items_can_be_read_and_used_again(page):
    at = page(open="probing-items", probing_task="number")
    table = at.table("sentence", "word", "occurrence", "label")
    assert items_of(table.to_csv(index=False)) == items_of("number")
    topics = page(open="probing-items", probing_task="topic").table("sentence", "label")
    assert list(topics.columns) == ["sentence", "label"]


# Your own items


@pytest.mark.slow
def test_own_labels(page, bundled):
    at = page(**OWN)
    assert not at.problems and re.search(" predicts? your labels of new words with ", headline(at))
    assert at.says("12 labelled words (12 different ones)", "Guessing (always the most frequent label) gets 50.0%.")
    assert "uessing" in headline(at) and "50%" in headline(at) and "random" not in headline(at)
    items = items_of(ROWS)
    vectors = features.read_features(items, bundled, pooling="mean of tokens")
    expected = accuracy.measure(items, vectors, vectors.combinations[: bundled.layers + 1]).table
    pd.testing.assert_frame_equal(at.table(HERO), expected)
    assert page(probing_task="own").text_area(key="probing_items").value == probe_fields.ITEMS.default


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" ", "There are no items"),
        ("hello", "the sentence is missing: line 1 ('hello')"),
        (ROWS.replace("plant", "animal"), "only one label"),
        (ROWS.replace("The oak is", "An elm is"), "'oak' does not occur in"),
        ("**x** | <b> | a\n" * 3, "only one label, '**x**'"),
        ("sentence,label\nA,", "the label is missing: line 2 ('A')"),
    ],
)
def test_bad_items_are_explained_and_the_last_good_result_stays(page, text, message):
    at = page(**OWN)
    before = at.table(HERO)
    at.put("probing_items", text)
    assert any(message in problem for problem in at.problems)
    assert at.says("Showing the previous result, for: animal | dog") and at.table(HERO).equals(before)
    cold = page(probing_task="own", probing_items=text)
    assert any(message in problem for problem in cold.problems)
    assert cold.says("Showing the page's example, for: part of speech")


@pytest.mark.slow
def test_an_upload_fills_the_field_or_says_why_not(page):
    at = page(probing_task="own")
    rows = pd.DataFrame([(i.sentence, i.word, i.label) for i in items_of(ROWS)])
    table = rows.set_axis(["sentence", "word", "label"], axis=1).to_csv(index=False)
    at.file_uploader[0].upload("mine.csv", table.encode(), "text/csv")
    at.run()
    assert at.text_area(key="probing_items").value == table and not at.problems
    assert at.says("12 labelled words")
    at.file_uploader[0].upload("mine.csv", b"sentence,label\nA,", "text/csv")
    at.run()
    assert "the label is missing: line 2 ('A')" in at.problems[0] and at.says("12 labelled words")


def test_a_visitors_text_is_never_markup(page):
    nasty = "<b>x</b> ![y](http://example.org/z.png) **b** [[cosine]]"
    rows = ROWS.replace("The dog is here.", f"The dog is here. {nasty}").replace("plant |", "<i>plant</i> |")
    at = page(probing_task="own", probing_items=rows, probing_sentence=f"{nasty} dog", open="mistakes")
    assert not at.problems
    assert not any("<b>x" in element.value for element in (*at.markdown, *at.caption, *at.header))
    assert not any("<b>x" in e.proto.body or "<i>plant" in e.proto.body for e in at.get("html"))
    assert not any("<i>plant" in json.dumps(json.loads(chart.spec)["data"]) for chart in at.charts)
    assert not any("**b**" in element.value for element in at.header)


# Long work, other models


@pytest.mark.usefixtures("computing")
@pytest.mark.slow
def test_long_work_waits_for_a_click(page, cold, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    at = page()
    assert not at.charts and any(b.label == "Read the items and train the probes" for b in at.button)
    at.press("Read the items and train the probes")
    assert len(at.charts) == 3
    assert len(page().charts) == 3  # cached results need no click


@pytest.mark.slow
def test_stopped_work_waits_for_its_button(page, stop):
    at = page()
    stop("Reading the items and training the probes")
    at.put("probing_task", "number")
    assert "was stopped." in at.problems[0] and at.says("Showing the previous result, for: part of speech")
    at.press("Run again")
    assert not at.problems and "the number (singular or plural)" in headline(at)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_a_model_that_cannot_read_the_items_says_so_and_accepts_your_own(page, lend, name, request):
    lend(request.getfixturevalue(name))
    at = page()
    assert at.problems and not at.charts
    words = ("rome", "italy", "france", "paris", "bank"), ("king", "queen", "man", "woman", "she")
    rows = "\n".join(f"{'ab'[n]} | {word} | the {word} is red" for n in range(2) for word in words[n])
    own = page(probing_task="own", probing_items=rows, probing_sentence="the river")
    assert not own.problems and len(own.table(HERO)) == 3


# The code


@pytest.mark.slow("query0", "query1", "query2", "query4")
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"probing_task": "topic", "probing_more": "combinations", "probing_layer": "2"},
        {
            "probing_task": "tense",
            "probing_folds": "possibly",
            "probing_more": "curve",
            "probing_strength": "0.1",
        },
        OWN | {"probing_pooling": "first"},
        {"probing_task": "number", "probing_measure": "description-length"},
    ],
)
def test_copied_code_gives_every_number_shown(page, query, bundled, at_once):
    at = page(**query, open=["probing-items", "mistakes"])
    found = at.copied(bundled)
    printed = [value for value in found.printed if isinstance(value, pd.DataFrame)]
    plain = [value for value in found.printed if isinstance(value, (str, float))]
    assert headline(at) in plain
    if "probing_measure" in query:
        assert found.coded.uniform in plain and found.coded.frequencies in plain
    else:
        assert found.found.baseline in plain
    for table in at.tables:
        same = [p for p in printed if set(table.columns) <= set(p.columns) and len(p) == len(table)]
        assert any(_alike(table, p[table.columns]) for p in same), list(table.columns)


def _alike(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    return all(
        np.allclose(one[c].astype(float), other[c].astype(float))
        if pd.api.types.is_numeric_dtype(one[c])
        else one[c].tolist() == other[c].tolist()
        for c in one.columns
    )


@pytest.mark.slow
def test_reset_brings_the_first_example_back(page):
    at = page(probing_task="tense", probing_folds="possibly", probing_sentence="Hello.", open="probing-how")
    at.press("Reset")
    assert at.field("probing_task").value == "part of speech" and at.field("probing_folds").value == "never seen"
    assert at.field("probing_sentence").value == predict_panel.SENTENCE.default
