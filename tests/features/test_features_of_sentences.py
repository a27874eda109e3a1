"""The features of a sentence and clamping one of them, computed by hand and against a forward hook on a separate network; the charts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.special import rel_entr, softmax

from embtools.charts import features as charts
from embtools.features.clamping import FACTORS, FEATURE, RANDOM, SUMS, clamp, effort
from embtools.features.learned import names_of, open_dictionary
from embtools.features.sentences import compared_answers, sentence_features, sentence_words
from embtools.statistics.permutations import holm
from tests.hooked import Hooked
from tests.small_dictionary import SENTENCE, written

NAME = "layer 1, small"


def test_active_features_are_the_highest_scores(tiny, small):
    result = sentence_features(SENTENCE, tiny, dictionary=NAME)
    found, states = open_dictionary(NAME, tiny), tiny.hidden_states(SENTENCE)[1]
    sums = []
    for number, vector in enumerate(states[1:6], 1):
        scores = found.directions @ (vector - found.centre) + found.offsets
        order = np.argsort(-scores)[: found.k]
        own = result.active[result.active["number"] == number]
        expected = [feature for feature in order if scores[feature] > 0]
        assert list(own["feature"] - 1) == expected
        np.testing.assert_allclose(own["activation"], scores[expected], atol=1e-5)
        sums.append(found.centre + scores[expected] @ found.directions[expected])
    errors = ((states[1:6] - sums) ** 2).sum() / ((states[1:6] - found.centre) ** 2).sum()
    assert result.explained == pytest.approx(1 - errors, abs=1e-5)
    top = result.active.loc[result.active["activation"].idxmax()]
    assert result.feature == top["feature"] == result.strongest["feature"].iloc[0]
    assert f"feature {result.feature}" in result.headline and result.words == ("rome", "is", "the", "capital", "of")
    assert result.quality["dictionary"].tolist() == ["learned", "random directions"]


def test_the_heatmap_shows_the_strongest_features(tiny, small):
    result = sentence_features(SENTENCE, tiny, dictionary=NAME)
    chart = charts.features(result)
    heatmap, cells = chart.figure.data
    assert heatmap.z.shape == (len(result.strongest), 5)
    assert chart.figure.layout.coloraxis.cmax == pytest.approx(result.active["activation"].max())
    assert np.count_nonzero(heatmap.z) == len(cells.x) == len(result.active)
    for x, y, feature in zip(cells.x, cells.y, cells.customdata, strict=True):
        row = result.active[(result.active["feature"] == feature) & (result.active["number"] == x + 1)]
        assert heatmap.z[int(y), int(x)] == pytest.approx(row["activation"].iloc[0])
    assert f"{result.strongest['activation'].iloc[0]:.1f}" in chart.alt and chart.frame is result.active
    assert "at 1 word. The" in charts.features(sentence_features("rome", tiny, dictionary=NAME)).alt


def test_words_are_means_of_their_tokens_without_marks(tiny):
    read = sentence_words("rome is unable, [MASK]!", tiny, layer=1)
    states = tiny.hidden_states("rome is unable, [MASK]!")[1]
    assert read.words == ("rome", "is", "unable")
    np.testing.assert_allclose(read.vectors[2], states[3:5].mean(0), atol=1e-6)
    moved = read.moved(np.eye(3, tiny.dimensions))
    np.testing.assert_allclose(moved[3:5] - states[3:5], np.tile(np.eye(3, tiny.dimensions)[2], (2, 1)), atol=1e-6)
    np.testing.assert_array_equal(moved[[0, 5, 6, 7, 8]], states[[0, 5, 6, 7, 8]])


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_answers_are_those_of_a_network_with_a_hook(request, name):
    model = request.getfixturevalue(name)
    read = sentence_words(SENTENCE, model, layer=1)
    moved = read.moved(np.random.default_rng(0).normal(size=read.vectors.shape))
    position = int(np.flatnonzero(read.ids == model.mask_id)[0])
    found, answers = compared_answers(np.array([read.states, moved]), model, layer=1, position=position, most=4)
    hooked = Hooked(model)
    both = hooked.logits(SENTENCE), hooked.logits(SENTENCE, replace={1: list(enumerate(moved))})
    before, after = (softmax(each[position].astype(float)) for each in both)
    assert list(found["answer"]) == [model.vocabulary[each.argmax()] for each in (before, after)]
    np.testing.assert_allclose(found["probability"], [before.max(), after[before.argmax()]], atol=1e-6)
    np.testing.assert_allclose(found["kl_bits"], [0, rel_entr(before, after).sum() / np.log(2)], atol=1e-5)
    np.testing.assert_allclose(answers[1]["probability"], np.sort(after)[::-1][:4], atol=1e-6)
    assert found["same_answer"].iloc[0]


def test_what_cannot_be_read_is_refused(tiny):
    for text, message in (("[MASK] !", "no word"), ("", "empty")):
        with pytest.raises(ValueError, match=message):
            sentence_words(text, tiny, layer=1)
    with pytest.raises(ValueError, match="Choose 1 to 2"):
        sentence_words(SENTENCE, tiny, layer=0)
    with pytest.raises(ValueError, match="no position 9"):
        compared_answers(np.zeros((1, 4, 16)), tiny, layer=1, position=9)


def test_every_run_is_that_of_a_network_with_a_hook(tiny, small):
    feature = sentence_features(SENTENCE, tiny, dictionary=NAME).feature
    result = clamp(SENTENCE, tiny, dictionary=NAME, feature=feature, draws=3, seed=4)
    found, states, hooked = open_dictionary(NAME, tiny), tiny.hidden_states(SENTENCE)[1], Hooked(tiny)
    scores = (states - found.centre) @ found.directions.T + found.offsets
    kept = np.sort(scores, axis=1)[:, -found.k][:, None]
    active = np.where(scores >= kept, np.maximum(scores, 0), 0)
    active[[0, 6, 7]] = 0  # [CLS], [MASK] and [SEP] are not words
    before = softmax(hooked.logits(SENTENCE)[6].astype(float))
    at = (active[:, [feature - 1]] > 0) & np.isin(np.arange(8), range(1, 6))[:, None]
    for row in result.runs.to_dict("records"):
        if row["run"] in (FEATURE, RANDOM):
            own = row["feature"] if row["factor"] == 0 else feature  # a feature that is removed must be there
            moved = (row["factor"] - 1) * at * active[:, [own - 1]] * found.directions[row["feature"] - 1]
            changes = [(position, state) for position, state in enumerate(states + moved)]
        elif row["run"] == SUMS:
            changes = [(p, found.centre + active[p] @ found.directions) for p in range(1, 6)]
        else:
            changes = []
        after = softmax(hooked.logits(SENTENCE, replace={1: changes})[6].astype(float))
        assert row["answer"] == tiny.vocabulary[after.argmax()]
        assert row["probability"] == pytest.approx(after[before.argmax()], abs=1e-6)
        assert row["kl_bits"] == pytest.approx(rel_entr(before, after).sum() / np.log(2), abs=1e-5)
    assert result.runs["kl_bits"].max() > 1e-3


def test_random_features_are_others_and_for_factor_0_those_that_are_active(tiny, small):
    feature = sentence_features(SENTENCE, tiny, dictionary=NAME).feature
    result = clamp(SENTENCE, tiny, dictionary=NAME, feature=feature, draws=23)
    drawn = result.runs[result.runs["run"] == RANDOM]
    active = sentence_features(SENTENCE, tiny, dictionary=NAME).active
    words = active.loc[active["feature"] == feature, "word"]
    there = set(active.loc[active["word"].isin(words), "feature"]) - {feature}
    p = []
    for row, (factor, own) in zip(result.summary.to_dict("records"), drawn.groupby("factor"), strict=True):
        assert sorted(own["feature"]) == sorted(there if factor == 0 else set(range(1, 25)) - {feature})
        bits = own["kl_bits"]
        assert row["random"] == pytest.approx(bits.mean()) and row["random_highest"] == bits.max()
        p.append((1 + (bits >= row["kl_bits"]).sum()) / (1 + len(bits)))
    assert result.summary["p_value"].tolist() == pytest.approx(holm(p).tolist())
    assert f"{result.runs['probability'].iloc[0]:.0%}" in result.headline and "bits" in result.comparison


VERDICTS = MORE, NOT, FEW = "; more than with random features)", "not clearly more than", "too few for a clear result"


def said(result):
    """Which verdict each factor gets."""
    parts = result.comparison.split("With factor ")[1:]
    return [next(verdict for verdict in VERDICTS if verdict in part) for part in parts]


def with_random(result, bits):
    """The same result with random features that change the answers by these bits at every factor."""
    kept = result.runs[result.runs["run"] != RANDOM]
    drawn = pd.DataFrame([(*each, RANDOM) for each in product(FACTORS, bits)], columns=["factor", "kl_bits", "run"])
    drawn = drawn.assign(draw=[*range(1, len(bits) + 1)] * len(FACTORS))
    return replace(result, runs=pd.concat([kept, drawn], ignore_index=True))


def test_the_verdict_follows_the_random_features(tiny, small):
    feature = sentence_features(SENTENCE, tiny, dictionary=NAME).feature
    result = clamp(SENTENCE, tiny, dictionary=NAME, feature=feature, draws=19)
    least, most = result.summary["kl_bits"].min(), result.summary["kl_bits"].max()
    assert least > 0
    assert said(with_random(result, [least / 2] * 59)) == [MORE] * 3
    assert said(with_random(result, [least / 2] * 58)) == [NOT] * 3  # 1/59 is above 0.05 after the correction
    assert said(with_random(result, [least / 2] * 58 + [most])) == [NOT] * 3  # one that changes them as much
    assert said(with_random(result, [least / 2] * 18)) == [FEW] * 3
    alone = with_random(result, [])
    assert "no other feature is active at these words" in alone.comparison
    one = with_random(result, [9.0]).comparison  # one random feature for each factor
    assert "1 other feature of these words:" in one and "1 random feature, none can be below 1.000" in one


@pytest.mark.slow
def test_a_feature_of_a_learned_dictionary_and_one_that_does_nothing(bundled):
    """Removing a strong feature changes more than removing any of the 15 others here, which are too few for a claim."""
    text = "The capital of France is [MASK]."
    (name, *_) = names_of(bundled.checksum)
    active = sentence_features(text, bundled, dictionary=name).active
    strongest = active.sort_values("activation")["feature"].unique()
    weak, strong = (clamp(text, bundled, dictionary=name, feature=int(f)) for f in strongest[[0, -1]])
    assert said(weak) == said(strong) == [FEW, NOT, NOT]
    removed, other = strong.summary.iloc[0], weak.summary.iloc[0]
    assert removed["kl_bits"] > removed["random_highest"] and other["kl_bits"] < other["random_highest"]
    assert "with 200 random features, none can be below 0.015." in strong.comparison


def test_the_chart_shows_every_run(tiny, small):
    feature = sentence_features(SENTENCE, tiny, dictionary=NAME).feature
    result = clamp(SENTENCE, tiny, dictionary=NAME, feature=feature)
    chart = charts.clamped(result)
    random, own = chart.figure.data
    assert len(random.x) == (result.runs["run"] == RANDOM).sum() and len(own.x) == 3 and tuple(own.y) == (0, 1, 2)
    np.testing.assert_allclose(own.x, result.summary["kl_bits"], rtol=1e-5)
    assert f"{result.summary['kl_bits'].iloc[0]:.3f}" in chart.alt


def test_what_cannot_be_clamped_is_refused(tiny, small, tmp_path, monkeypatch):
    active = set(sentence_features(SENTENCE, tiny, dictionary=NAME).active["feature"])
    other = next(n for n in range(1, 25) if n not in active)
    for asked, message in (
        ({"feature": other}, "not active in this sentence"),
        ({"feature": 99}, "Choose 1 to 24"),
        ({"feature": 1, "draws": 201}, "choose 1 to 200"),
        ({"feature": 1, "mask": 2}, "mask"),
    ):
        with pytest.raises(ValueError, match=message):
            clamp(SENTENCE, tiny, dictionary=NAME, **asked)
    with pytest.raises(ValueError, match="Choose 1 to 24"):
        sentence_features(SENTENCE, tiny, dictionary=NAME, feature=25)
    with pytest.raises(ValueError, match=r"no \[MASK\]"):
        clamp("rome is a king", tiny, dictionary=NAME, feature=1)
    monkeypatch.setenv("EMBTOOLS_DICTIONARIES", str(written(tiny, tmp_path, layer=2)))
    with pytest.raises(ValueError, match="After the last layer"):
        clamp(SENTENCE, tiny, dictionary="layer 2, small", feature=1)
    assert 0 < effort(SENTENCE, tiny) < effort(SENTENCE, tiny, draws=300)
