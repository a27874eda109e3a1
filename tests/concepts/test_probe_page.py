"""The tab Probe without a browser."""

import json
import re

import pandas as pd
import pytest

from embtools.concepts import Probes, accuracy
from embtools.concepts.description_length import describe_layers
from embtools.concepts.probes import items_of, predict_labels, read_features
from embtools.statistics.percentages import rate_text
from embtools.ui.concepts import probe
from tests.figures_of import decoded

pytestmark = pytest.mark.usefixtures("as_shipped")

ROWS = "\n".join(f"{label} | {word} | The {word} is here." for label, word in (
    *(("animal", w) for w in ("dog", "cat", "horse", "bird", "fish", "mouse")),
    *(("plant", w) for w in ("tree", "rose", "grass", "oak", "flower", "bush")),
))  # fmt: skip
OWN = {"concepts_task": "own", "concepts_items": ROWS}
HERO = "selectivity_high"


@pytest.fixture
def at_once(monkeypatch):
    """Nothing waits for its button."""
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 1e9)


@pytest.mark.thorough
def test_the_description_length_is_next_to_the_accuracy(page, bundled, at_once):
    at = page(concepts_measure="description-length")
    found = describe_layers(Probes("part of speech", "mean of tokens"), bundled)
    table = at.table("control_compression")
    pd.testing.assert_frame_equal(table, found.table)
    assert at.finding == found.headline and not at.problems and len(at.charts) == 3
    assert table["accuracy"].tolist() == page().table(HERO)["accuracy"].tolist()
    assert at.charts[0].alt.startswith(f"Codelength of the labels with probes on {bundled.layers + 1} layers: ")
    assert at.says("204 labels", "The portions end after 4, 8, 15, 30, 60 and 120 different words, in 5 random orders.")
    assert at.says(f"from a probe on layer {found.layer} that was trained on all items")
    before = at.finding
    at.put("concepts_probe_layer", "2")
    assert at.finding.startswith("With a probe on layer 2, sending the part of speech of 204 words takes ") != before
    page(concepts_task="topic")  # so that only the codelengths are new, which need no button
    topics = page(concepts_measure="description-length", concepts_task="topic")
    assert topics.says("The portions end after 8, 15, 30, 60, 120 and 240 sentences")


@pytest.mark.slow
def test_memory_raises_the_control(page):
    never, met = page(), page().press("Memory alone")
    assert met.table(HERO)["control"].min() > never.table(HERO)["control"].max() + 0.1
    assert "they may have seen" in met.finding and met.says("by memory alone. The selectivity is ")


@pytest.mark.slow
def test_a_layer_is_chosen_in_the_address(page):
    at = page(concepts_probe_layer="5")
    assert at.finding.startswith("A probe on layer 5 predicts ") and "the best" not in at.finding
    assert at.says("A probe on layer 5 gets", "from a probe on layer 5 that was trained on all items") and not at.says(
        "If the best layer is chosen"
    )
    (ring,) = (t for t in decoded(json.loads(at.charts[0].spec))["data"] if t["mode"] == "markers")
    assert list(ring["x"]) == [5]
    best = page()
    assert page(concepts_probe_layer="99").field("concepts_probe_layer").value == "best"
    assert page(concepts_probe_layer="99").finding == best.finding


@pytest.mark.slow
def test_settings_change_what_is_computed(page):
    at = page(open="concepts-how")
    before = at.table(HERO)
    at.put("concepts_strength", "0.0001")
    after = at.table(HERO)
    assert not before.equals(after)
    assert page(concepts_strength="7").table(HERO).equals(before)  # an address cannot set another C


# The trained probe


@pytest.mark.slow
def test_the_probe_is_tried_on_your_own_sentence(page, bundled):
    at = page(concepts_task="tense", concepts_probe_layer="4")
    at.put("concepts_sentence", "She sang while he cooks.")
    items = items_of("tense")
    vectors = read_features(items, bundled, pooling="mean of tokens")
    expected = predict_labels(
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
    at.put("concepts_word", "sang")
    shares = found[found["word"] == "sang"].set_index("label")["probability"]
    assert at.charts[1].alt == (
        f"Predicted labels for “sang”: past {rate_text(shares['past'])}, present {rate_text(shares['present'])}."
    )
    at.put("concepts_sentence", "Snow falls.")  # without the word that was chosen
    assert at.field("concepts_word").value in ("Snow", "falls") and not at.problems


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
def test_the_items_can_be_read_and_used_again(page):
    at = page(open="concepts-items", concepts_task="number")
    table = at.table("sentence", "word", "occurrence", "label")
    assert items_of(table.to_csv(index=False)) == items_of("number")


@pytest.mark.slow
def test_sentences_have_no_words_and_no_folds_of_words(page):
    at = page(open=["concepts-items", "concepts-how"], concepts_task="topic")
    assert list(at.table("sentence", "label").columns) == ["sentence", "label"]
    assert at.field("concepts_folds").disabled and at.says(
        "240 labelled sentences", "no sign that test items leak into training"
    )
    assert not any(f.key == "concepts_word" for f in at.get("button_group"))
    assert at.field("concepts_sentence_pooling").value == "sentence: mean"


# Your own items


@pytest.mark.slow
def test_own_labels(page, bundled):
    at = page(**OWN)
    assert not at.problems and re.search(" predicts? your labels of new words with ", at.finding)
    assert at.says("12 labelled words (12 different ones)", "Guessing (always the most frequent label) gets 50.0%.")
    assert "uessing" in at.finding and "50%" in at.finding and "random" not in at.finding
    items = items_of(ROWS)
    vectors = read_features(items, bundled, pooling="mean of tokens")
    expected = accuracy.measure(items, vectors, vectors.combinations[: bundled.layers + 1]).table
    pd.testing.assert_frame_equal(at.table(HERO), expected)
    assert page(concepts_task="own").text_area(key="concepts_items").value == probe.ITEMS.default


def test_an_upload_fills_the_field():
    rows = pd.DataFrame([(i.sentence, i.word, i.label) for i in items_of(ROWS)])
    table = rows.set_axis(["sentence", "word", "label"], axis=1).to_csv(index=False)
    read = probe._read(table.encode())
    assert read == {"concepts_items": table} and read.says[0] == "Read: 12 labelled words."


# Long work, other models


def test_probes_that_are_known_need_no_button(page, monkeypatch):
    monkeypatch.setattr("embtools.ui.long_work.AT_ONCE", 0.0)
    monkeypatch.setattr(probe.running, "known", lambda query, model: True)
    assert len(page().charts) == 3


def test_another_model_reads_your_own_items(page, lend, tiny):
    lend(tiny)
    words = ("rome", "italy", "france", "paris", "bank"), ("king", "queen", "man", "woman", "she")
    rows = "\n".join(f"{'ab'[n]} | {word} | the {word} is red" for n in range(2) for word in words[n])
    own = page(concepts_task="own", concepts_items=rows, concepts_sentence="the river")
    assert not own.problems and len(own.table(HERO)) == 3


# The code


@pytest.mark.thorough("query1", "query2")
@pytest.mark.slow("query0", "query3")
@pytest.mark.parametrize(
    "query",
    [
        {},
        {"concepts_task": "topic", "concepts_more": "combinations", "concepts_probe_layer": "2"},
        {
            "concepts_task": "tense",
            "concepts_folds": "possibly",
            "concepts_more": "curve",
            "concepts_strength": "0.1",
        },
        {"concepts_task": "number", "concepts_measure": "description-length"},
    ],
)
def test_copied_code_gives_every_number_shown(page, query, bundled, at_once):
    at = page(**query, open=["concepts-items", "mistakes"])
    found = at.prints_what_it_shows(bundled)
    plain = [value for value in found.printed if isinstance(value, (str, float))]
    if "concepts_measure" in query:
        assert found.coded.uniform in plain and found.coded.frequencies in plain
    else:
        assert found.found.baseline in plain
