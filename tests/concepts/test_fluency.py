"""The pseudo-log-likelihood of the fixed text with a direction added, against hooks; where it breaks, by hand."""

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.special import log_softmax

from embtools.concepts import fluency as module
from embtools.concepts.fluency import (
    ADDED,
    BREAK,
    RANDOM,
    SENTENCES,
    SUBTRACTED,
    THIS,
    Fluency,
    first_break,
    fixed_text,
    fluency,
    token_likelihoods,
)
from embtools.wordlists import load
from tests.hooked import logits_after

TEXT = "The king is unable."
RANDOMS = tuple(f"{RANDOM} {number}" for number in (1, 2, 3))


def hooked_likelihoods(model, text, vector, layer):
    """The log probability of each token, masked, if a hook adds a vector to all tokens but the first and last."""
    ids, found = model.tokenize(text)["id"].tolist(), []

    def add(states):
        states[:, 1:-1] += torch.tensor(vector)
        return states

    for position in range(1, len(ids) - 1):
        masked = [*ids[:position], model.mask_id, *ids[position + 1 :]]
        logits = logits_after(model, masked, layer=layer, change=add)[position]
        found.append(log_softmax(logits.astype(float))[ids[position]])
    return np.array(found)


@pytest.mark.parametrize(("name", "layer"), [("tiny", 0), ("tiny_distil", 1), ("tiny", 2), ("bundled", 1)])
def test_each_token_has_the_log_probability_of_a_network_with_a_hook(name, layer, request):
    model = request.getfixturevalue(name)
    vector = np.random.default_rng(layer).standard_normal(model.dimensions).astype(np.float32)
    found = token_likelihoods(TEXT, model, added=np.array([0 * vector, vector, -2 * vector]), layer=layer)
    for column, times in enumerate((0, 1, -2)):
        expected = hooked_likelihoods(model, TEXT, times * vector, layer)
        np.testing.assert_allclose(found[:, column], expected, atol=2e-3)
    assert not np.allclose(found[:, 0], found[:, 1], atol=0.05)


def test_the_fixed_text_consists_of_built_in_sentences():
    rows = load("neutral_sentences")
    filled = [text.replace("[MASK]", words.split("|")[0]) for text, words in zip(*map(rows.get, rows), strict=True)]
    assert len(set(fixed_text())) == SENTENCES == 20 and set(fixed_text()) <= set(filled)
    longest = max(len(text.split()) for text in fixed_text())
    assert sum(len(text.split()) < longest for text in filled) < SENTENCES


def test_the_curve_is_the_change_per_token_of_the_whole_text(tiny):
    axes = np.random.default_rng(3).standard_normal((4, tiny.dimensions)).astype(np.float32)
    found = fluency(tiny, axes=axes, strengths=(-1.0, 0.0, 1.0), layer=1)
    added = np.concatenate([axes * s for s in (-1, 0, 1)])
    every = [token_likelihoods(text, tiny, added=added, layer=1) for text in fixed_text()]
    means = np.concatenate(every).mean(axis=0).reshape(3, 4)
    assert found.tokens == sum(map(len, every)) and (found.sentences, found.draws) == (20, 3)
    assert found.unchanged == pytest.approx(means[1, 0])
    np.testing.assert_allclose(found.curve["fluency"], means[:, 0] - means[1, 0], atol=1e-9)
    logs = np.concatenate(every)
    for number, strength in enumerate((-1, 0, 1)):  # each random direction alone
        alone = [(logs[:, 4 * number + each] - logs[:, 4 + each]).mean() for each in (1, 2, 3)]
        row = found.curve.iloc[number]
        names = ("random_fluency", "random_fluency_lowest", "random_fluency_highest")
        expected = (sum(alone) / 3, min(alone), max(alone))
        assert row["strength"] == strength and [row[name] for name in names] == pytest.approx(expected, abs=1e-9)
        assert strength == 0 or len(set(alone)) == 3
    low, high = (found.curve[f"fluency_{end}"] for end in ("low", "high"))
    assert (low <= found.curve["fluency"]).all() and (found.curve["fluency"] <= high).all()
    assert (low < high)[[0, 2]].all() and low[1] == high[1] == 0
    assert found.breaks["direction"].tolist() == [each for each in (THIS, *RANDOMS) for _ in (ADDED, SUBTRACTED)]


def test_the_interval_is_that_of_resampled_sentences(tiny):
    axes = np.random.default_rng(4).standard_normal((2, tiny.dimensions)).astype(np.float32)
    found = fluency(tiny, axes=axes, strengths=(0.0, 2.0), layer=1)
    each = [token_likelihoods(text, tiny, added=np.array([axes[0] * 0, axes[0] * 2]), layer=1) for text in fixed_text()]
    lost = [logs[:, 1] - logs[:, 0] for logs in each]
    random = np.random.default_rng(9)
    means = [np.concatenate([lost[i] for i in random.integers(0, 20, 20)]).mean() for _ in range(4_000)]
    ends = found.curve.loc[1, ["fluency_low", "fluency_high"]].astype(float)
    np.testing.assert_allclose(ends, np.quantile(means, [0.025, 0.975]), atol=0.05 * np.ptp(means))


def made(monkeypatch, model, falls):
    """The result if each of the twenty sentences falls by these numbers per unit of strength (own, random ones)."""

    def likelihoods(text, model, *, added, layer):
        own = falls[fixed_text().index(text)]
        strengths = added[:, 0].reshape(-1, len(own))
        return -np.abs(strengths * np.array(own)).reshape(1, -1)

    monkeypatch.setattr(module, "token_likelihoods", likelihoods)
    axes = np.ones((len(falls[0]), model.dimensions), np.float32)
    return fluency(model, axes=axes, strengths=(-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0), layer=1)


def test_fluency_breaks_at_the_smallest_strength_with_a_larger_fall(tiny, monkeypatch):
    found = made(monkeypatch, tiny, [(0.6, 0.1, 0.2, 0.3)] * 20)  # 0.6, 1.2, 1.8 at 1, 2, 3; at most 0.9 at 3
    rows = found.breaks.set_index(["direction", "side"])
    assert rows.loc[(THIS, ADDED)].tolist() == rows.loc[(THIS, SUBTRACTED)].tolist() == [2, 2, 2]
    assert all(rows.loc[each].isna().all(axis=None) for each in RANDOMS)
    assert "If the direction is added, fluency breaks at 2 (95% interval 2 to 2)" in found.finding
    none = "none breaks it up to strength 3 if"
    assert f" Of 3 directions between shuffled groups, {none} added, and {none} subtracted." in found.finding
    one = made(monkeypatch, tiny, [(0.6, 0.4)] * 20)
    assert " Of 1 direction between shuffled groups, 1 breaks it at 3 if added, and 1 breaks it at 3" in one.finding
    most = made(monkeypatch, tiny, [(0.6, 0.4, 0.1, 1.1)] * 20)
    assert ", 2 break it at 1 to 3 if added, and 2 break it at 1 to 3 if subtracted." in most.finding
    assert most.breaks["breaks_at"].tolist()[2:4] == [3, 3] and most.breaks["breaks_at"].tolist()[6:] == [1, 1]
    assert f"by more than {BREAK:g} nat per token" in found.finding and "(20 tokens)" in found.finding


def test_where_it_breaks_has_an_interval_over_the_sentences(tiny, monkeypatch):
    found = made(monkeypatch, tiny, [(0.1, 0.0)] * 16 + [(2.2, 0.0)] * 4)  # on average 0.52 per unit
    row = found.breaks.set_index(["direction", "side"]).loc[(THIS, ADDED)]
    assert row["breaks_at"] == 2 and row["breaks_low"] == 2 and np.isnan(row["breaks_high"])
    assert "fluency breaks at 2 (95% interval 2 to beyond 3)" in found.finding
    found = made(monkeypatch, tiny, [(0.1, 0.0)] * 14 + [(0.7, 0.0)] * 6)  # 0.28 per unit: 0.84 at 3
    row = found.breaks.set_index(["direction", "side"]).loc[(THIS, ADDED)]
    assert np.isnan(row["breaks_at"]) and row["breaks_low"] in (2, 3)
    text = f"fluency does not break up to strength 3 (but the 95% interval begins at {row['breaks_low']:g})"
    assert text in found.finding


def test_first_break_by_hand():
    curves = np.array([[-2.0, -0.5, 0.0, -0.1, -1.5], [-BREAK, -BREAK, 0, -BREAK, -BREAK]])
    strengths = (-2, -1, 0, 1, 2)
    assert first_break(curves, strengths, ADDED).tolist() == [2, np.inf]
    assert first_break(curves, strengths, SUBTRACTED).tolist() == [2, np.inf]
    assert first_break(np.array([[-3, -3, 0, -3, 0]]), strengths, ADDED).tolist() == [1]


def test_a_finding_names_every_case():
    curve = pd.DataFrame({"strength": [-1.0, 0.0, 1.0]})
    columns = ["direction", "side", "breaks_at", "breaks_low", "breaks_high"]
    rows = [
        *((THIS, ADDED, 0.5, 0.5, 1.0), (THIS, SUBTRACTED, np.nan, 1.0, np.nan)),
        *((RANDOMS[0], ADDED, np.nan, np.nan, np.nan), (RANDOMS[0], SUBTRACTED, 1.0, 0.5, np.nan)),
        *((RANDOMS[1], ADDED, np.nan, np.nan, np.nan), (RANDOMS[1], SUBTRACTED, 0.5, 0.5, 0.5)),
    ]
    found = Fluency(6, 40, 2, -2.5, curve, pd.DataFrame(rows, columns=columns)).finding
    assert "of −2.50 nats per token" in found
    text = "is added, fluency breaks at 0.5 (95% interval 0.5 to 1). If it is subtracted, fluency does not break up"
    assert text in found
    assert found.endswith(
        " Of 2 directions between shuffled groups, none breaks it up to strength 1 if added, and all break it at"
        " 0.5 to 1 if subtracted. The intervals are computed over the sentences."
    )


def test_directions_that_are_not_finite_or_alone_are_refused(tiny):
    with pytest.raises(ValueError, match="finite"):
        token_likelihoods(TEXT, tiny, added=np.full((1, 16), np.nan), layer=1)
    with pytest.raises(ValueError, match="directions"):
        fluency(tiny, axes=np.ones((1, tiny.dimensions), np.float32), strengths=(0.0, 1.0), layer=1)
