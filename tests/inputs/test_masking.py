"""The masking rule: counts expected from the rule, and predictions of the network called directly."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

from embtools.inputs import masking
from embtools.inputs.masking import ALONE, KEPT, MASKED, RANDOM, Rule

TEXT = "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank."


@given(st.integers(1, 60), st.floats(0.01, 1), st.integers(0, 99))
def test_each_draw_selects_the_rounded_share(n, rate, seed):
    codes = masking.treatments(n, 7, Rule(rate), seed=seed)
    assert codes.shape == (7, n) and ((codes > 0).sum(1) == max(1, round(rate * n))).all()


def test_the_shares_are_those_of_the_rule():
    codes = masking.treatments(20, 5000, Rule(), seed=3)
    counts = np.bincount(codes[codes > 0], minlength=4)[1:]
    assert chisquare(counts, np.array([0.8, 0.1, 0.1]) * 15000).pvalue > 0.001
    # No position is preferred; the counts of a draw depend on each other, so they vary less than by chance.
    assert chisquare((codes > 0).sum(0)).pvalue > 0.001
    only = masking.treatments(20, 100, Rule(masked=1, random=0))
    assert set(only.ravel()) == {0, 1}
    assert not np.array_equal(masking.treatments(20, 5, Rule(), seed=1), masking.treatments(20, 5, Rule(), seed=2))


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


def test_the_check_counts_and_gives_the_range_expected_by_chance(bundled):
    found = masking.check(TEXT, bundled, draws=2000, seed=5)
    table = found.treatments.set_index("treatment")
    codes = masking.treatments(20, 2000, Rule(), seed=5)
    assert table["count"].tolist() == np.bincount(codes.ravel(), minlength=4).tolist()
    assert table["share"].sum() == pytest.approx(1) and table["expected"].sum() == pytest.approx(1)
    assert (found.count, found.n) == (3, 20)
    for name, share in ((MASKED, 0.8), (RANDOM, 0.1), (KEPT, 0.1)):
        inside = table.loc[name, "expected_low"] <= table.loc[name, "share"] <= table.loc[name, "expected_high"]
        p = binomtest(int(table.loc[name, "count"]), 6000, share).pvalue
        assert inside == (p > 0.05) or abs(p - 0.05) < 0.02
    np.testing.assert_allclose(found.tokens["selected"], (codes > 0).mean(0))
    parts = found.tokens[["mask", "random_token", "unchanged"]].sum(axis=1)
    np.testing.assert_allclose(parts, found.tokens["selected"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: Rule(0), "Choose more than 0"),
        (lambda m: Rule(masked=0.9, random=0.2), "must together be 0% to 100%"),
        (lambda m: Rule(masked=-0.1), "must together be 0% to 100%"),
        (lambda m: masking.draw("\u200b", m), "no token"),
        (lambda m: masking.check("red", m, draws=5001), "Choose 1 to 5,000"),
    ],
)
def test_bad_input_says_what_to_do(tiny, call, message):
    with pytest.raises(ValueError, match=message):
        call(tiny)


def test_an_application_is_one_draw_and_the_counts_of_many(bundled):
    rule = Rule(0.4, 0.5, 0.2)
    found = masking.apply_rule(TEXT, bundled, rate=0.4, masked=0.5, random=0.2, draws=300, seed=2)
    pd.testing.assert_frame_equal(found.drawn, masking.draw(TEXT, bundled, rule=rule, seed=2))
    many = masking.check(TEXT, bundled, rule=rule, draws=300, seed=2)
    pd.testing.assert_frame_equal(found.check.treatments, many.treatments)
    assert found.selected["position"].tolist() == np.flatnonzero(found.drawn["treatment"] != ALONE).tolist()
    assert found.check.sentence.startswith("Each of 300 draws selects 8 of 20 tokens. Of these, ")
    odd = replace(many, treatments=many.treatments.assign(expected_low=0.0, expected_high=0.0))
    assert odd.sentence.endswith("Outside the 95% interval expected by chance: [MASK], random token, unchanged.")


def test_the_headline_counts_treatments_and_right_answers():
    drawn = pd.DataFrame({"treatment": [ALONE, MASKED, MASKED, RANDOM, KEPT, ALONE], "token": list("xabcdx")})
    drawn["top_answer"] = ["", "a", "q", "c", "q", ""]
    assert masking.Application(drawn, None).headline == (
        "In this draw, BERT must predict 4 of 4 tokens (2 masked, 1 replaced, 1 unchanged). It gets 2 right."
    )
