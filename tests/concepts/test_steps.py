"""What probes are trained on: items, features, fewer items, and a sentence to try them on."""

import numpy as np
import pandas as pd
import pytest

from embtools.concepts import Probes, accuracy
from embtools.concepts import layer_probes as layers
from embtools.concepts import probes as module
from embtools.concepts.accuracy import SHARES, learning_curve, measure, part
from embtools.concepts.items import MAX_ITEMS, TASKS, Item, built_in, check, read, read_items
from embtools.concepts.probes import poolings, predict_labels, read_features, words
from embtools.layer_combinations import COMBINED, SENTENCE_POOLINGS, WORD_POOLINGS, combination_names
from embtools.mask_filling.edited_models import edited_model
from embtools.statistics.percentages import rate_text
from embtools.statistics.probe import DIVISIONS, FOLDINGS, fit, split
from tests.odd.of_functions import LABELLED as LABELS

# Items

LINES = "\n".join(f"{label} | w{label}{n} | Here w{label}{n} stands." for label in "ab" for n in range(5))


@pytest.mark.parametrize("task", TASKS)
def test_every_task_has_two_hundred_different_items(task):
    items = check(built_in(task))
    assert len(items) >= 200 and len(set(items)) == len(items)
    assert len({item.sentence for item in items}) == len(items)  # no sentence in two folds
    counts = [sum(item.label == label for item in items) for label in {item.label for item in items}]
    assert len(set(counts)) == 1
    assert all(bool(item.word) == (task != "topic") for item in items)


def test_the_error_for_an_unknown_task_names_the_known_ones():
    with pytest.raises(ValueError, match="no task 'x'.*tense, part of speech, number, topic"):
        built_in("x")


def test_lines_of_words_and_of_sentences():
    items = read_items(LINES + "\n\n")
    assert len(items) == 10 and items[0] == Item("Here wa0 stands.", "a", "wa0")
    sentences = read_items("\n".join(f"{label} | s{label}{n}" for label in "ab" for n in range(5)))
    assert sentences[9] == Item("sb4", "b") and sentences[9].type == "sb4"


def test_a_table_is_read_in_any_order_of_columns_with_quotes_and_a_mark():
    rows = [f'{n % 2 or 2},"A, {n}",w{n},{"xy"[n % 2]}' for n in range(10)]
    text = "\ufeffOccurrence,Sentence,WORD,label\n" + "\n".join(rows)
    items = read_items(text)
    assert items[0] == Item("A, 0", "x", "w0", 2) and items[1] == Item("A, 1", "y", "w1", 1)
    assert read(text.encode()).value == items
    assert read_items("sentence,label\n" + "\n".join(f"s{n},{'ab'[n % 2]}" for n in range(10)))[1] == Item("s1", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There are no items"),
        ("a b c", "There is no item. Write label | word | sentence.*line 1"),
        ("sentence,label\n", "no rows below its first line"),
        ("sentence,label\nA,", "the label is missing: line 2 .'A'"),
        ("sentence,label,occurrence\nA,x,0", "occurrence is '0'"),
        ("sentence,label,occurrence\nA,x,two", "occurrence is 'two'"),
        (LINES.replace("b | ", "a | "), "only one label, 'a'"),
        (LINES.replace("b |", "c |", 4), "label 'b' has 1 different word, but 5 are needed.*Add 4."),
        ("\n".join(f"l{n} | s{n} {m}" for n in range(13) for m in range(5)), "13 labels, but at most 12 are allowed"),
        ("x" * 200_001, "200,001 characters"),
    ],
)
def test_errors_say_what_to_do(text, message):
    with pytest.raises(ValueError, match=message.replace("|", r"\|")):
        read_items(text)


@pytest.mark.parametrize(
    ("more", "note"),
    [
        (" | x | y", "Left out, because the label is missing: line 11 ('x')."),
        ("b | a sentence", "Left out, because it has no word, as the others have: line 11 ('a sentence')."),
        ("a | wa0 | Here wa0 stands.", "Left out, because it occurs before: line 11 ('wa0')."),
        ("c | x | x y", "Left out, because a label needs at least 5 different items: 'c' (1)."),
    ],
)
def test_what_is_left_out_is_named(more, note):
    found = read(f"{LINES}\n{more}")
    assert found.value == read_items(LINES) and found.notes == (note,)


def test_the_first_items_of_a_long_list_are_used():
    found = read("\n".join(f"{'ab'[n % 2]} | s{n}" for n in range(MAX_ITEMS + 1)))
    assert len(found.value) == MAX_ITEMS and found.notes == ("Only the first 1,000 of 1,001 items are used.",)
    with pytest.raises(ValueError, match="1,001 items, but at most 1,000 are allowed"):
        check([Item(f"s{n}", "a") for n in range(MAX_ITEMS + 1)])
    with pytest.raises(ValueError, match="Label either words or sentences, not both"):
        check([*found.value, Item("a b", "a", "b")][1:])
    with pytest.raises(ValueError, match="twice: s1"):
        check([*found.value[1:], found.value[1]])


# Features

WORDS = (
    Item("The king is the king.", "x", "king", 2),
    Item("Rome is red.", "y", "rome"),
    Item("The king is the king.", "y", "The"),
)


@pytest.mark.parametrize("model", ["tiny", "tiny_distil", "bundled"])
def test_vectors_are_those_of_the_hidden_states(model, request):
    model = request.getfixturevalue(model)
    ticks: list[float] = []
    found = read_features(WORDS, model, pooling="mean of tokens", progress=ticks.append)
    assert found.combinations == combination_names(model.layers) and ticks == [0.5, 1.0]  # each sentence once
    twice, rome = model.hidden_states("The king is the king."), model.hidden_states("Rome is red.")
    for layer in range(model.layers + 1):
        expected = [twice[layer, 5], rome[layer, 1], twice[layer, 1]]
        assert np.allclose(found.of(f"layer {layer}"), expected, atol=1e-4)
    four = found.of("concatenation of last four")
    assert np.allclose(four[0], np.concatenate(twice[1:][-4:][::-1, 5]), atol=1e-4)
    assert np.allclose(found.of("sum of all layers")[1], rome[1:, 1].sum(0), atol=1e-3)


def test_words_of_several_tokens_and_sentences_are_pooled(tiny):
    item = (Item("The unables works.", "x", "unables"),)
    states = tiny.hidden_states("The unables works.")[1]
    assert np.allclose(read_features(item, tiny, pooling="first token").of("layer 1"), states[2], atol=1e-5)
    assert np.allclose(
        read_features(item, tiny, pooling="mean of tokens").of("layer 1"), states[2:5].mean(0), atol=1e-5
    )
    sentence = (Item("The unables works.", "x"),)
    for pooling, expected in (
        ("sentence: cls", states[0]), ("sentence: mean", states.mean(0)), ("sentence: max", states.max(0)),
    ):  # fmt: skip
        assert np.allclose(read_features(sentence, tiny, pooling=pooling).of("layer 1"), expected, atol=1e-5)


def test_poolings_fit_the_items():
    assert set(poolings(WORDS)) == set(WORD_POOLINGS) and poolings(WORDS)[0] == "mean of tokens"
    assert set(poolings((Item("x", "y"),))) == set(SENTENCE_POOLINGS)


@pytest.mark.parametrize(
    ("item", "pooling", "message"),
    [
        (Item("Rome is red.", "x", "king"), "mean of tokens", "'king' does not occur in “Rome is red.”"),
        (Item("Rome is red.", "x", "rome", 2), "mean of tokens", "'rome' occurs only once in “Rome is red.”"),
        (Item("Rome is red.", "x", "rome"), "sentence: cls", "does not fit these items"),
        (Item(" ", "x"), "sentence: mean", "empty"),
    ],
)
def test_unreadable_items_are_explained(item, pooling, message, tiny):
    with pytest.raises(ValueError, match=message):
        read_features((item,), tiny, pooling=pooling)


def test_too_many_tokens_are_refused(tiny, monkeypatch):
    monkeypatch.setattr(module, "MAX_PIECES", 5)
    with pytest.raises(ValueError, match="6 tokens together, but at most 5 are allowed"):
        read_features(WORDS[1:2], tiny, pooling="first token")


def test_the_error_for_an_unknown_combination_names_the_known_ones(features):
    with pytest.raises(ValueError, match="no layer combination 'x'.*layer 0, layer 1"):
        features.of("x")


def test_a_word_that_begins_the_sentence_is_found_by_a_cased_model_and_counted(tiny_cased):
    item = Item("Paris is the capital of France in paris.", "x", "paris", 2)
    first = Item("Paris is the capital of France in paris.", "x", "paris", 1)
    states = tiny_cased.hidden_states(item.sentence)[-1]
    found = read_features((first, item), tiny_cased, pooling="mean of tokens").of(f"layer {tiny_cased.layers}")
    np.testing.assert_allclose(found, states[[1, 8]], atol=1e-4)


# The learning curve


@pytest.mark.slow("never seen", "possibly seen")
@pytest.mark.parametrize("folding", FOLDINGS)
def test_with_all_items_the_curve_ends_at_the_accuracy(items, features, folding):
    whole = measure(items, features, features.combinations, folding=folding).table.iloc[1]
    curve = learning_curve(items, features.vectors[1], folding=folding)
    assert curve["share"].tolist() == list(SHARES)
    for name in ("accuracy", "accuracy_low", "accuracy_high", "control", "control_low", "control_high"):
        assert curve[name].iloc[-1] == pytest.approx(whole[name])
    assert curve["items"].is_monotonic_increasing and curve["items"].iloc[-1] == pytest.approx(48)
    assert curve["accuracy"].iloc[-1] > curve["accuracy"].iloc[0]


@pytest.mark.slow
def test_a_point_is_the_accuracy_of_probes_on_fewer_items(items, features):
    labels, types = [i.label for i in items], [i.type for i in items]
    x, names = features.vectors[1].astype(np.float64), np.array(labels)
    right = [
        fit(x[learn], names[learn].tolist()).predict(x[rest]) == names[rest]
        for seed in range(DIVISIONS)
        for learn, rest in part(split(labels, types, seed=seed), types, 0.4)
    ]
    curve = learning_curve(items, features.vectors[1]).set_index("share")
    assert curve.loc[0.4, "accuracy"] == pytest.approx(np.concatenate(right).mean())


def test_parts_are_nested_and_keep_words_whole(items):
    labels, types = [i.label for i in items], [i.type for i in items]
    splits, names = split(labels, types), np.array(types)
    before = [set()] * 5
    for size in SHARES:
        for number, ((learn, rest), (all_of, same)) in enumerate(zip(part(splits, types, size), splits, strict=True)):
            assert set(learn) <= set(all_of) and (rest == same).all() and before[number] <= set(learn)
            assert set(learn) == {n for n in all_of if names[n] in set(names[learn])}
            before[number] = set(learn)
    assert all(len(set(names[learn])) == 2 for learn, _ in part(splits, types, 0.001))


# A sentence of the visitor

SENTENCE = "The king-man is the Queen's un-able man."  # a word that is also a part of another one
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
    assert list(table["word"].unique())[:4] == ["The", "king-man", "is", "the"]
    assert table.query("word == 'the'")["occurrence"].tolist() == [2, 2]
    probe = fit(features.of("layer 1"), [i.label for i in TRAINED], strength=0.1)
    states, tokens = tiny.hidden_states(SENTENCE)[1], tiny.tokenize(SENTENCE)["token"]
    at = np.flatnonzero(tokens.isin(["the", "man"]))[[2, 3]]
    expected = probe.predict_proba(states[at].astype(np.float64)).ravel()
    found = table.query("word in ('man', 'the')")["probability"].to_numpy()
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


# Probes by the name of a task or by items as text: the steps are those of the single functions

HOW = {"folding": "possibly seen", "strength": 0.1}
ITEMS = read_items(LABELS)
POOLING = "mean of tokens"


@pytest.fixture(scope="module")
def vectors(tiny):
    return read_features(ITEMS, tiny, pooling=POOLING)


@pytest.fixture(scope="module")
def measured(vectors, tiny):
    return accuracy.measure(ITEMS, vectors, vectors.combinations[: tiny.layers + 1], **HOW)


def test_every_layer_is_measured(tiny, measured):
    reported: list[float] = []
    found = layers.probe_layers(Probes(LABELS, POOLING, **HOW), tiny, layer=1, progress=reported.append)
    pd.testing.assert_frame_equal(found.table, measured.table)
    assert reported == sorted(reported) and reported[0] < 0.5 < reported[-1] <= 1
    assert (found.task, found.kind, found.count, found.layer) == ("", "words", 20, 1)
    row = measured.table.iloc[[1]]
    assert found.headline == layers.finding(row, measured.baseline, "", "words", folding=HOW["folding"])
    best = layers.probe_layers(Probes(LABELS, POOLING, **HOW), tiny)
    assert best.layer == measured.table["accuracy"].idxmax()
    rows = measured.table[measured.table["combination"].isin(measured.equal)]
    assert best.best_layers == rows.index.tolist()
    expected = layers.finding(rows, measured.baseline, "", "words", folding=HOW["folding"], best=True)
    assert best.headline == expected
    for layer in (-1, 3):
        with pytest.raises(ValueError, match=r"Choose 0 \(embedding output\) to 2"):
            layers.probe_layers(Probes(LABELS, POOLING), tiny, layer=layer)


@pytest.mark.slow
def test_the_combinations_follow_the_layers(tiny, vectors, measured):
    found = layers.probe_combinations(Probes(LABELS, POOLING, **HOW), tiny)
    more = accuracy.measure(ITEMS, vectors, COMBINED, **HOW)
    pd.testing.assert_frame_equal(found.table, pd.concat([measured.table, more.table], ignore_index=True))
    types = [item.type for item in ITEMS]
    assert found.equal == accuracy.not_distinguished(measured.right | more.right, types)
    best = found.table.loc[found.table["accuracy"].idxmax(), "combination"]
    alone = accuracy.Combinations(found.table, found.baseline, (best,))
    assert alone.headline.endswith(f"All {len(found.table) - 1} others are significantly lower.")


@pytest.mark.slow
def test_the_curve_and_the_mistakes_are_those_of_the_layer(tiny, vectors, measured):
    learnt = layers.probe_fewer(Probes(LABELS, POOLING, **HOW), tiny, layer=2)
    pd.testing.assert_frame_equal(learnt.table, accuracy.learning_curve(ITEMS, vectors.of("layer 2"), **HOW))
    last = learnt.table.iloc[-1]
    assert learnt.headline.endswith(f"with {last['items']:.0f} it is {rate_text(last['accuracy'])}.")
    assert learnt.baseline == measured.baseline == 0.5
    scored = layers.probe_mistakes(Probes(LABELS, POOLING, **HOW), tiny, layer=2)
    given, probabilities = [item.label for item in ITEMS], measured.probabilities["layer 2"]
    pd.testing.assert_frame_equal(scored.confusion, accuracy.confusion(given, probabilities))
    pd.testing.assert_frame_equal(scored.per_label, accuracy.per_label(given, probabilities).round(3))
    pd.testing.assert_frame_equal(scored.mistakes, accuracy.mistakes(ITEMS, probabilities))
    assert scored.headline == f"A probe on layer 2 gets {len(scored.mistakes)} of 20 items wrong."
    with pytest.raises(ValueError, match=r"Choose 0 \(embedding output\) to 2"):
        layers.probe_mistakes(Probes(LABELS, POOLING), tiny, layer=3)


def test_a_probe_is_tried_on_a_new_sentence(tiny, vectors):
    found = module.try_probe("the river is red", tiny, probes=Probes(LABELS, POOLING), layer=1)
    named = {"items": ITEMS, "features": vectors, "combination": "layer 1", "pooling": POOLING}
    pd.testing.assert_frame_equal(found, module.predict_labels("the river is red", tiny, **named))


def test_items_by_name_and_as_a_table():
    assert module.items_of("tense") == built_in("tense") and module.items_of(LABELS) == ITEMS
    table = module.items_table(LABELS)
    assert read_items(table.to_csv(index=False)) == ITEMS
    assert list(module.items_table("topic")) == ["sentence", "label"]
    one, two = (module.effort(LABELS, layers=count, dimensions=16) for count in (2, 5))
    assert two == pytest.approx(2 * one) and one > 0
    assert np.isclose(module.effort("tense", layers=2, dimensions=16) / one, len(built_in("tense")) / 20)


def test_an_edited_sentence_is_given_to_the_probe_of_the_original_model(tiny, vectors):
    edited = edited_model(["king = italy", "red = blue"], tiny)
    found = module.try_probe("the king is green", edited, probes=Probes(LABELS, POOLING), layer=1)
    expected = module.predict_labels(
        "the king is green", edited, items=ITEMS, features=vectors, combination="layer 1", pooling=POOLING
    )
    pd.testing.assert_frame_equal(found, expected)
    plain = module.try_probe("the king is green", tiny, probes=Probes(LABELS, POOLING), layer=1)
    assert np.abs(found["probability"] - plain["probability"]).max() > 0.01
    same = module.try_probe("the queen is green", edited, probes=Probes(LABELS, POOLING), layer=1)
    pd.testing.assert_frame_equal(
        same, module.try_probe("the queen is green", tiny, probes=Probes(LABELS, POOLING), layer=1)
    )
