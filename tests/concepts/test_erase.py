"""What a new classifier finds after erasure and what erasure costs, against scikit-learn and a network with hooks."""

import re

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from embtools import wordlists
from embtools.chance import generator
from embtools.concepts.effects import SENTENCES, held_out_text, masks_after, same, text_costs
from embtools.concepts.erased import NONE, random_name
from embtools.concepts.erasing import COST_DRAWS, effort, erase
from embtools.concepts.groups import WHOLE, folds, group_states
from embtools.concepts.items import TASKS, built_in
from embtools.concepts.left_over import (
    PROPERTIES,
    accuracy,
    halves,
    labelled_states,
    left_over,
    probes_after,
    right,
    right_in_folds,
)
from embtools.concepts.probes import read_features
from embtools.mask_filling.forward import probabilities
from embtools.models.patching import with_rows
from embtools.spaces.erasers import ERASURES, INLP, LEACE, PROJECTION, fit_eraser, random_eraser
from embtools.spaces.two_groups import classifier
from embtools.statistics.intervals import wilson
from tests import kept
from tests.concepts.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES
from tests.hooked import logits_after
from tests.spaces.two_groups import cloud


def by_hand(x, second, fit):
    """Whether a new classifier is right for each word (n,), after an eraser that was fitted on the other half."""
    result = np.zeros(len(x))
    for fitted, rest in (pair := halves(second)), pair[::-1]:
        left, rows = fit(x[fitted], second[fitted])(x[rest]), np.flatnonzero(rest)
        for learn, test in folds(second[rest]):
            centre, weights, intercept = classifier(left[learn], second[rest][learn])
            result[rows[test]] = ((left[test] - centre) @ weights + intercept > 0) == second[rest][test]
    return result


def test_both_halves_have_half_of_each_group():
    _, second = cloud(60, 5, 1.5)
    first, rest = halves(second, seed=4)
    assert (first ^ rest).all() and first[second].sum() == 20 and first[~second].sum() == 10


def test_a_classifier_is_tested_on_the_fold_that_it_has_not_seen():
    x, second = cloud(60, 5, 1.5)
    found = right_in_folds(x, second, seed=2)
    for learn, test in folds(second, seed=2):
        centre, scale = x[learn].mean(0), np.sqrt(x[learn].var(0).sum())
        fitted = LogisticRegression(C=10.0, tol=1e-8, max_iter=5_000).fit((x[learn] - centre) / scale, second[learn])
        assert (found[test] == (fitted.predict((x[test] - centre) / scale) == second[test])).all()
    assert 0.6 < found.mean() < 1


def test_an_eraser_is_fitted_on_the_other_half():
    x, second = cloud(60, 5, 1.5)
    found = left_over(x, second, LEACE, rounds=10, seed=0)
    np.testing.assert_allclose(found[:, 0], by_hand(x, second, lambda a, b: fit_eraser(a, b, method=LEACE)))
    constant = second if second.mean() > 0.5 else ~second  # nothing is left on its own items: the larger group
    assert found[:, 1].tolist() == constant.tolist()
    nothing = left_over(x, second, None, rounds=10, seed=0)
    assert nothing[:, 0].mean() > found[:, 0].mean() and nothing[:, 1].mean() > 0.8


def test_a_score_of_zero_is_half_right_and_the_interval_is_that_of_the_accuracy():
    x = np.array([[1.0, 0.0], [-1.0, 0.0], [0.5, 1.0], [-0.5, -1.0]])
    groups = np.array([True, False, True, False])
    assert right(x, groups, fitted=x, of=groups).tolist() == [1, 1, 1, 1]
    assert right(x, ~groups, fitted=x, of=groups).tolist() == [0, 0, 0, 0]
    assert right(np.zeros((1, 2)), groups[:1], fitted=x, of=groups).tolist() == [0.5]
    assert accuracy(np.array([1.0, 1.0, 0.0, 1.0])) == (0.75, *wilson(3, 4))


@pytest.mark.slow
def test_words_and_states_are_those_of_the_probes(bundled):
    assert set(PROPERTIES) < set(TASKS)
    read, items = labelled_states("tense", bundled), built_in("tense")
    assert read.labels == tuple(item.label for item in items) and read.words == tuple(item.type for item in items)
    features = read_features(items, bundled, pooling="mean of tokens")
    for layer in (0, 3):
        np.testing.assert_allclose(read.states[layer], features.of(f"layer {layer}"), atol=1e-5)


@pytest.mark.slow
def test_a_probe_is_tested_on_words_that_it_has_not_seen(bundled):
    read = labelled_states("tense", bundled)
    x, labels, expected = read.states[2].astype(float), np.array(read.labels), np.zeros(len(read.words))
    for learn, test in StratifiedGroupKFold(5, shuffle=True, random_state=0).split(x, labels, read.words):
        assert not {read.words[i] for i in learn} & {read.words[i] for i in test}
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1_000)).fit(x[learn], labels[learn])
        expected[test] = probe.predict(x[test]) == labels[test]
    found = probes_after(read, changes=[lambda states: states], layer=2)
    assert found.shape == (1, len(labels)) and abs(found[0] - expected).sum() <= 1 and found.mean() > 0.8


def test_an_erased_property_is_not_found_any_more(bundled):
    read = labelled_states("tense", bundled)
    eraser = fit_eraser(read.states[2], np.array(read.labels) == "past", method=LEACE)
    before, after = probes_after(read, changes=[lambda states: states, eraser], layer=2)
    assert before.mean() > 0.8 and after.mean() < 0.6


def test_a_model_must_be_able_to_read_the_words(tiny_cased):
    with pytest.raises(ValueError, match="cannot read enough of the built-in words for the property 'number'"):
        labelled_states("number", tiny_cased)


def test_a_wrong_property_is_refused(bundled):
    with pytest.raises(ValueError, match="no property 'topic'"):
        labelled_states("topic", bundled)
    for changes, layer, message in (([], 1, "changes"), ([lambda states: states], 9, "no layer 9")):
        with pytest.raises(ValueError, match=message):
            probes_after(labelled_states("tense", bundled), changes=changes, layer=layer)


def every_sentence():
    return [text for name in ("corpus", "senses") for text in wordlists.load(name)["sentence"]]


def test_sentences_contain_no_word_of_the_groups(bundled):
    text = held_out_text(("King", "the sea", *BAD), bundled)
    assert len(text.sentences) == len(set(text.sentences)) == SENTENCES and text.seen == 0
    assert set(text.sentences) <= set(every_sentence())
    assert not any(re.search(r"\bking\b|\bthe sea\b|\bbad\b", sentence, re.IGNORECASE) for sentence in text.sentences)
    assert text.sentences != held_out_text(("King", "the sea", *BAD), bundled, seed=1).sentences
    own = every_sentence()[:5]  # sentences as items
    assert not set(own) & set(held_out_text(own, bundled, count=400).sentences)


def test_sentences_with_a_word_fill_up_what_is_missing_and_are_counted(bundled):
    common = ("the", "a", "an", "of", "to", "in", "and", "was", "is", "he", "she", "his", "her", "it", "for", "on")
    text = held_out_text(common, bundled)
    having = [bool({*re.findall("[a-z]+", sentence.lower())} & {*common}) for sentence in text.sentences]
    assert len(text.sentences) == SENTENCES and text.seen == sum(having) > 0
    assert text.known.tolist() == having and text.half(0).seen == sum(having[::2])
    assert text.half(1).seen == sum(having[1::2]) < text.seen


def test_15_percent_of_the_tokens_are_masked(bundled):
    text = held_out_text(BAD, bundled)
    for sentence, row in zip(text.sentences, text.masked, strict=True):
        ids = bundled.tokenize(sentence)["id"].to_numpy()
        masked = np.flatnonzero(row.ids != ids)
        assert masked.tolist() == row.positions and (row.ids[masked] == bundled.mask_id).all()
        assert ids[masked].tolist() == row.targets and len(masked) == max(1, round(0.15 * (len(ids) - 2)))
        assert masked.min() > 0 and masked.max() < len(ids) - 1  # neither [CLS] nor [SEP]
    assert text.of.tolist() == [number for number, row in enumerate(text.masked) for _ in row.positions]


def test_both_halves_are_the_text(bundled):
    text = held_out_text(BAD, bundled)
    first, second = text.half(0), text.half(1)
    assert {*first.sentences, *second.sentences} == {*text.sentences} and not {*first.sentences} & {*second.sentences}
    assert len(first.of) + len(second.of) == len(text.of)
    assert second.of.tolist() == [number for number, row in enumerate(second.masked) for _ in row.positions]


@pytest.mark.slow("bundled")
@pytest.mark.parametrize("name", ["tiny", "bundled"])
def test_costs_are_those_of_a_network_with_a_hook(name, request):
    model = request.getfixturevalue(name)
    vector = np.random.default_rng(3).standard_normal(model.dimensions).astype(np.float32)
    text = held_out_text(GOOD, model, count=9)
    changes = [lambda states: states, lambda states: states + vector, lambda states: 0.5 * states]
    found = text_costs(text, model, changes=changes, layer=1)
    np.testing.assert_allclose(found[:, 0], 0, atol=1e-4)
    expected, hooks = [], (changes[0], lambda x: x + torch.tensor(vector), changes[2])
    for row in text.masked:
        before, *after = (hooked(model, row.ids, change) for change in hooks)
        for place in zip(row.positions, row.targets, strict=True):
            expected.append([each[place] - before[place] for each in after])
    np.testing.assert_allclose(found[:, 1:], expected, atol=1e-3)
    assert np.abs(found[:, 1:]).max() > 0.05


def hooked(model, ids, change):
    """The log probabilities (t, v) if a hook changes the states of all but the first and last token after layer 1."""

    def inside(states):
        states[:, 1:-1] = change(states[:, 1:-1])
        return states

    return log_softmax(logits_after(model, ids, layer=1, change=inside).astype(float), axis=1)


def test_wrong_arguments_are_refused(bundled):
    with pytest.raises(ValueError, match="no method 'all'. Choose one of: "):
        erase(GOOD, BAD, bundled, layer=1, text="A [MASK].", method="all")
    with pytest.raises(ValueError, match="changes"):
        text_costs(held_out_text(GOOD, bundled, count=1), bundled, changes=[], layer=1)
    with pytest.raises(ValueError, match="sentences"):
        held_out_text(GOOD, bundled, count=0)


TEXT = "Your idea is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return kept.once(erase, BAD, GOOD, bundled, layer=3, text=TEXT, rounds=3, draws=2)


@pytest.mark.slow
def test_a_new_classifier_never_sees_its_words_and_neither_does_the_eraser(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    x, second = read.states[3].astype(float), read.second
    assert not (halves(second)[0] & halves(second)[1]).any() and halves(second)[0][second].sum() == 5
    own = by_hand(x, second, lambda a, b: fit_eraser(a, b, method=LEACE))
    assert found.of(LEACE)["accuracy"] == pytest.approx(own.mean())
    for method, count in ((LEACE, 1), (INLP, 3)):
        random = generator(0, count)
        drawn = [random_eraser(x, count=count, random=random) for _ in range(2)]
        control = np.mean([by_hand(x, second, lambda a, b, eraser=eraser: eraser) for eraser in drawn], axis=0)
        assert found.of(random_name(count))["accuracy"] == pytest.approx(control.mean())
        lowest = min(by_hand(x, second, lambda a, b, eraser=eraser: eraser).mean() for eraser in drawn)
        assert found.of(random_name(count))["accuracy_lowest"] == pytest.approx(lowest)
        other = by_hand(x, second, lambda a, b, method=method: fit_eraser(a, b, method=method, rounds=3))
        row = found.of(method)
        assert row["difference"] == pytest.approx((other - control).mean())
        assert row["difference_low"] <= row["difference"] <= row["difference_high"]


def test_erasure_leaves_nothing_on_its_own_words_but_random_directions_do(found):
    assert found.methods["method"].tolist() == [NONE, PROJECTION, LEACE, random_name(1), INLP, random_name(3)]
    assert found.methods["directions"].tolist() == [0, 1, 1, 1, 3, 3]
    assert found.of(LEACE)["accuracy_fitted"] == found.of(PROJECTION)["accuracy_fitted"] == found.guess == 0.5
    for each in (NONE, random_name(1), random_name(3)):
        assert found.of(each)["accuracy_fitted"] == 1.0 and np.isnan(found.of(each)["difference"])
    assert found.of(NONE)[["moved", "cost", "cost_low", "other_change", "other_change_high"]].tolist() == [0] * 5
    assert 0 < found.of(random_name(1))["moved"] < found.of(random_name(3))["moved"] < found.of(INLP)["moved"]


@pytest.mark.slow
def test_each_method_is_compared_with_the_same_number_of_random_directions(bundled):
    one = erase(BAD, GOOD, bundled, layer=1, text=TEXT, rounds=1, draws=1, method=INLP)
    assert one.methods["method"].tolist() == [NONE, *ERASURES, random_name(1)]
    assert one.control == "1 random direction" and "1 random direction" in one.guarantee


@pytest.mark.slow
def test_costs_and_answers_are_those_of_the_eraser_of_all_words(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    eraser = fit_eraser(read.states[3], read.second, method=LEACE)
    (states,) = masks_after([TEXT], bundled, changes=[same, eraser], layer=3)
    before, after = probabilities(bundled.logits(states))
    for row in found.answers.itertuples():
        i = bundled.ids[row.token]
        assert (row.probability_before, row.probability_after) == pytest.approx((before[i], after[i]), abs=1e-6)
    text = held_out_text(read.items, bundled)
    lost = text_costs(text, bundled, changes=[eraser], layer=3)[:, 0]
    row = found.of(LEACE)
    assert row["cost"] == pytest.approx(lost.mean(), abs=1e-5)
    assert row["cost_low"] <= lost.mean() <= row["cost_high"]
    assert (found.sentences, found.masks, found.seen) == (len(text.sentences), len(lost), text.seen)
    labelled = labelled_states("part of speech", bundled)
    first, after = probes_after(labelled, changes=[same, eraser], layer=3)
    assert found.of(NONE)["other_accuracy"] == pytest.approx(first.mean())
    assert row["other_accuracy"] == pytest.approx(after.mean(), abs=0.01)
    assert row["other_change"] == pytest.approx((after - first).mean(), abs=0.01)
    assert row["other_change_low"] <= row["other_change"] <= row["other_change_high"]
    assert (found.other, found.other_guess) == ("part of speech", 0.25)


@pytest.mark.slow
def test_answers_after_random_directions_are_those_of_a_plain_loop(bundled):
    found = erase(BAD, GOOD, bundled, layer=5, text=TEXT, method=INLP, rounds=3, draws=2, k=3)
    x, random = group_states(BAD, GOOD, bundled).states[5].astype(float), generator(0, 3)
    stays, shares = 0, []
    states = bundled.hidden_states(TEXT)
    mask = bundled.tokenize(TEXT)["token"].tolist().index("[MASK]")
    before = probabilities(bundled.logits(bundled.transform(states[-1, [mask]])))[0]
    for _ in range(2):
        eraser, own = random_eraser(x, count=3, random=random), states[5].copy()
        own[1:-1] = eraser(own[1:-1])
        last = with_rows(own[None], bundled, layer=5, positions=[mask])[:, 0]
        shares.append(probabilities(bundled.logits(bundled.transform(last)))[0])
        stays += int(shares[-1].argmax() == before.argmax())
    assert (found.stays, found.draws) == (stays, 2)
    mean = np.mean(shares, axis=0)
    for row in found.answers.itertuples():
        assert row.probability_random == pytest.approx(mean[bundled.ids[row.token]], abs=1e-6)
    best = {bundled.vocabulary[i] for i in np.argsort(-mean)[:3]}
    assert best <= set(found.answers["token"])
    top = bundled.vocabulary[int(before.argmax())]
    assert f"After removing 3 random directions instead, “{top}” stays the top answer in {stays} of 2" in found.answer


@pytest.mark.slow
def test_costs_of_random_directions_are_means_over_a_few_draws(bundled):
    assert COST_DRAWS == 3
    found = erase(BAD, GOOD, bundled, layer=5, text=TEXT, rounds=1, draws=4, other="tense")
    x, random = group_states(BAD, GOOD, bundled).states[5].astype(float), generator(0, 1)
    drawn = [random_eraser(x, count=1, random=random) for _ in range(4)][:3]
    lost = text_costs(held_out_text((*BAD, *GOOD), bundled), bundled, changes=drawn, layer=5)
    assert found.of(random_name(1))["cost"] == pytest.approx(lost.mean(), abs=1e-5)
    after = probes_after(labelled_states("tense", bundled), changes=drawn, layer=5)
    assert found.of(random_name(1))["other_accuracy"] == pytest.approx(after.mean())


@pytest.mark.slow
def test_costs_are_compared_with_those_of_the_same_number_of_random_directions(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    x, text = read.states[3].astype(float), held_out_text(read.items, bundled)
    labelled = labelled_states("part of speech", bundled)
    for method, count in ((LEACE, 1), (INLP, 3)):
        random = generator(0, count)
        every = [fit_eraser(x, read.second, method=method, rounds=3)]
        every += [random_eraser(x, count=count, random=random) for _ in range(2)]
        row = found.of(method)
        lost = text_costs(text, bundled, changes=every, layer=3)
        right = probes_after(labelled, changes=every, layer=3)
        for name, own, of in (
            ("cost_difference", lost[:, 0] - lost[:, 1:].mean(axis=1), text.of),
            ("other_difference", right[0] - right[1:].mean(axis=0), labelled.words),
        ):
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            assert row[name] == pytest.approx(own.mean(), abs=1e-5 if "cost" in name else 0.01)
            sums = pd.DataFrame({"own": own, "of": of}).groupby("of")["own"].agg(["sum", "count"])
            mean = sums["sum"].sum() / sums["count"].sum()
            error = np.sqrt((((sums["sum"] - mean * sums["count"]) / sums["count"].mean()).var(ddof=0)) / len(sums))
            assert (low, high) == pytest.approx((mean - 1.96 * error, mean + 1.96 * error), abs=0.35 * error + 0.005)
        control = found.of(random_name(count))
        assert np.isnan(control[["cost_difference", "other_difference_low"]].astype(float)).all()
        assert row["cost_difference"] == pytest.approx(row["cost"] - control["cost"], abs=1e-9)
        assert row["other_difference"] == pytest.approx(row["other_accuracy"] - control["other_accuracy"], abs=1e-9)


@pytest.mark.slow
def test_sentences_are_erased_like_words(bundled):
    found = erase(FIRST_SENTENCES, SECOND_SENTENCES, bundled, layer=2, text=TEXT, template=WHOLE, rounds=2, draws=1)
    x = np.array([bundled.hidden_states(text)[2, 1:-1].mean(axis=0) for text in FIRST_SENTENCES + SECOND_SENTENCES])
    eraser = fit_eraser(x, np.arange(20) >= 10, method=LEACE)
    (states,) = masks_after([TEXT], bundled, changes=[eraser], layer=2)
    after = probabilities(bundled.logits(states))[0]
    for row in found.answers.itertuples():
        assert row.probability_after == pytest.approx(after[bundled.ids[row.token]], abs=1e-4)
    assert found.kind == "sentences" and "of the held-out sentences" in found.headline
    assert "for other sentences there is no guarantee" in found.guarantee
    assert found.of(LEACE)["accuracy_fitted"] == 0.5


def test_more_draws_take_longer(bundled):
    assert effort(BAD, GOOD, bundled, draws=30) > effort(BAD, GOOD, bundled) > 0
