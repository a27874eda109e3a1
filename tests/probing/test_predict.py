import numpy as np
import pytest

from embtools.probing.features import read_features
from embtools.probing.items import Item, built_in
from embtools.probing.predict import predict_labels, words
from embtools.statistics.probe import fit

SENTENCE = "The king is the Queen's un-able man."
TRAINED = tuple(Item(s, label, word) for s, label, word in (
    ("the king is red.", "x", "king"), ("the queen is red.", "x", "queen"), ("the man is red.", "x", "man"),
    ("the river is red.", "y", "river"), ("the bank is red.", "y", "bank"), ("the capital is red.", "y", "capital"),
))  # fmt: skip


def test_every_word_gets_the_probabilities_of_the_probe(tiny):
    features = read_features(TRAINED, tiny, pooling="mean of tokens")
    table = predict_labels(
        SENTENCE, tiny, items=TRAINED, features=features, combination="layer 1", pooling="mean of tokens", strength=0.1
    )
    assert table.groupby(["word", "occurrence"])["probability"].sum().to_numpy() == pytest.approx(1)
    assert list(table["word"].unique())[:4] == ["The", "king", "is", "the"]
    assert table.query("word == 'the'")["occurrence"].tolist() == [2, 2]
    probe = fit(features.of("layer 1"), [i.label for i in TRAINED], strength=0.1)
    states = tiny.hidden_states(SENTENCE)[1]
    expected = probe.predict_proba(states[[2, 4]].astype(np.float64)).ravel()
    found = table.query("word in ('king', 'the')")["probability"].to_numpy()
    assert found == pytest.approx(expected, abs=1e-4)


def test_a_labelled_sentence_gets_one_answer(bundled):
    items = built_in("topic")[::6]
    features = read_features(items, bundled, pooling="sentence: mean")
    table = predict_labels(
        "Snow and rain fell.", bundled, items=items, features=features, combination="layer 6", pooling="sentence: mean"
    )
    assert set(table["word"]) == {""} and table["probability"].sum() == pytest.approx(1)
    assert table["label"].tolist() == sorted({item.label for item in items})
    assert table.loc[table["probability"].idxmax(), "label"] == "weather"


@pytest.mark.parametrize(
    ("sentence", "message"),
    [("…?", "no word that this model knows"), ("king " * 61, "61 words, but at most 60 are allowed"), ("", "empty")],
)
def test_a_sentence_that_cannot_be_tried_says_why(sentence, message, tiny):
    features = read_features(TRAINED, tiny, pooling="mean of tokens")
    with pytest.raises(ValueError, match=message):
        predict_labels(
            sentence, tiny, items=TRAINED, features=features, combination="layer 1", pooling="mean of tokens"
        )


def test_words_are_counted_without_regard_to_case():
    assert words("A don't, a well-read dog's a.") == [
        ("A", 1), ("don't", 1), ("a", 2), ("well-read", 1), ("dog's", 1), ("a", 3),
    ]  # fmt: skip
