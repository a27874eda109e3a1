"""The masking rule: shares expected from the rule, and predictions of the network called directly."""

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from embtools.inputs import masking
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM, Rule

TEXT = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."


@given(st.integers(1, 60), st.floats(0.01, 1), st.integers(0, 99))
def test_each_draw_selects_the_rounded_share(n, rate, seed):
    codes = masking.treatments(n, Rule(rate), seed=seed)
    assert codes.shape == (n,) and (codes > 0).sum() == max(1, round(rate * n))


def test_the_shares_are_those_of_the_rule():
    codes = np.array([masking.treatments(20, Rule(), seed=seed) for seed in range(5_000)])
    counts = np.bincount(codes[codes > 0], minlength=4)[1:]
    assert chisquare(counts, np.array([0.8, 0.1, 0.1]) * 15_000).pvalue > 0.001
    # No position is preferred; the counts of a draw depend on each other, so they vary less than by chance.
    assert chisquare((codes > 0).sum(0)).pvalue > 0.001
    only = [masking.treatments(20, Rule(masked=1, random=0), seed=seed) for seed in range(100)]
    assert set(np.ravel(only)) == {0, 1}


def test_a_draw_shows_what_its_treatments_say(bundled):
    treatments = set()
    for seed in range(12):
        drawn = masking.draw(TEXT, bundled, rule=Rule(0.5, 0.4, 0.3), seed=seed)
        assert drawn["treatment"].iloc[[0, -1]].tolist() == [ALONE, ALONE]
        assert (drawn["treatment"] != ALONE).sum() == 10
        treatments |= set(drawn["treatment"])
        same = drawn["input"] == drawn["token"]
        assert same[drawn["treatment"].isin([ALONE, KEPT])].all()
        assert (drawn["input"][drawn["treatment"] == MASKED] == "[MASK]").all()
        assert (drawn["top_answer"] == "").equals(drawn["treatment"] == ALONE)
    assert treatments == {ALONE, MASKED, RANDOM, KEPT}
    assert masking.draw(TEXT, bundled, seed=4).equals(masking.draw(TEXT, bundled, seed=4))


def test_the_predictions_are_the_networks(bundled):
    drawn = masking.draw(TEXT, bundled, rule=Rule(0.5, 0.4, 0.3), seed=1)
    shown = torch.tensor([[bundled.ids[token] for token in drawn["input"]]])
    with torch.no_grad():
        shares = bundled._network(input_ids=shown).prediction_logits[0].double().softmax(-1).numpy()
    for row in drawn[drawn["treatment"] != ALONE].itertuples():
        share = shares[row.position]
        own = share[bundled.ids[row.token]]
        assert row.top_answer == bundled.vocabulary[int(share.argmax())]
        assert row.probability == pytest.approx(share.max(), abs=1e-4)
        assert row.true_probability == pytest.approx(own, abs=1e-4)
        # Words whose probabilities differ by less than single precision may have either rank.
        assert 1 + (share > own * 1.001).sum() <= row.true_rank <= 1 + (share > own / 1.001).sum()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: Rule(0), "Choose more than 0"),
        (lambda m: Rule(masked=0.9, random=0.2), "must together be 0% to 100%"),
        (lambda m: Rule(masked=-0.1), "must together be 0% to 100%"),
        (lambda m: masking.draw("\u200b", m), "no token"),
        (lambda m: masking.draw("[MASK]", m), "no token"),
    ],
)
def test_bad_input_says_what_to_do(tiny, call, message):
    with pytest.raises(ValueError, match=message):
        call(tiny)


def test_an_application_is_one_draw(bundled):
    found = masking.apply_rule(TEXT, bundled, rate=0.4, masked=0.5, random=0.2, seed=2)
    pd.testing.assert_frame_equal(found.drawn, masking.draw(TEXT, bundled, rule=Rule(0.4, 0.5, 0.2), seed=2))
    assert found.selected["position"].tolist() == np.flatnonzero(found.drawn["treatment"] != ALONE).tolist()
    typed = masking.apply_rule("The [MASK] is bright 😀 [SEP]", bundled, rate=1.0)
    assert typed.selected["token"].tolist() == ["the", "is", "bright", "[UNK]"]
    assert "must predict 1 of 1 token (" in masking.apply_rule("Sun", bundled).headline


def test_the_headline_counts_treatments_and_right_answers():
    drawn = pd.DataFrame({"treatment": [ALONE, MASKED, MASKED, RANDOM, KEPT, ALONE], "token": list("xabcdx")})
    drawn["top_answer"] = ["", "a", "q", "c", "q", ""]
    assert masking.Application(drawn).headline == (
        "In this draw, BERT must predict 4 of 4 tokens (2 masked, 1 replaced, 1 unchanged). It gets 2 right."
    )
