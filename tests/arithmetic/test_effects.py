"""Log odds over many sentences: mean, interval and sign test by hand and by scipy."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies
from scipy import stats

from embtools.arithmetic import effects
from embtools.arithmetic.effects import ADDED_WORD, EDIT


def table(changes: dict[str, list[float]], target: str = "she") -> pd.DataFrame:
    """Effects of one target: the change in each sentence, by run."""
    lines = [
        {"row": n, "sentence": f"sentence {n}", "edits": "a = b", "mask": 1, "target": target, "word": target,
         "run": run, "draws": 1, "probability_before": 0.2, "probability_after": 0.3, "log_odds_before": 0.0,
         "log_odds_after": change, "change": change, "lowest": change, "highest": change}
        for run, values in changes.items() for n, change in enumerate(values, 1)
    ]  # fmt: skip
    return pd.DataFrame(lines, columns=list(effects.COLUMNS))


TWELVE = [0.6, 0.9, 1.2, 1.6, 1.3, 1.3, 1.0, 1.9, -0.2, 0.7, 1.0, 1.5]


@given(
    row=strategies.lists(strategies.floats(-30, 30), min_size=2, max_size=8),
    ids=strategies.sets(strategies.integers(0, 7), min_size=1),
)
def test_log_odds_are_exact_where_the_word_is_almost_certain(row, ids) -> None:  # type: ignore[no-untyped-def]
    ids = [i for i in ids if i < len(row)] or [0]
    if len(ids) == len(row):
        ids = ids[:-1]
    logits = np.array(row)
    inside = np.isin(np.arange(len(row)), ids)
    expected = np.logaddexp.reduce(logits[inside]) - np.logaddexp.reduce(logits[~inside])
    probabilities = np.exp(logits - np.logaddexp.reduce(logits))
    assert effects.log_odds(probabilities, ids) == pytest.approx(expected, abs=1e-9)


def test_the_summary_by_hand_and_by_scipy() -> None:
    (line,) = effects.summary(table({EDIT: TWELVE})).itertuples()
    assert (line.target, line.run, line.sentences, line.rose, line.fell) == ("she", EDIT, 12, 11, 1)
    assert line.mean == pytest.approx(np.mean(TWELVE))
    assert line.p_value == pytest.approx(stats.binomtest(11, 12).pvalue) == pytest.approx(2 * (1 + 12) / 2**12)
    assert (line.low, line.high) == pytest.approx(stats.t.interval(0.95, 11, np.mean(TWELVE), stats.sem(TWELVE)))
    assert (line.smallest, line.largest) == (-0.2, 1.9)
    # Another bootstrap, of another random number generator.
    (line,) = effects.summary(table({EDIT: TWELVE * 2})).itertuples()
    values = (TWELVE * 2,)
    other = stats.bootstrap(values, np.mean, method="percentile", n_resamples=20_000, rng=1).confidence_interval
    assert (line.low, line.high) == pytest.approx(tuple(other), abs=0.03)
    assert effects.summary(table({EDIT: TWELVE}), seed=0).equals(effects.summary(table({EDIT: TWELVE})))


def test_sentences_count_not_masks_and_not_repeated_rows() -> None:
    once = table({EDIT: [1.0, 2.0, -1.0]})
    masks = pd.concat([once.assign(change=once["change"] - 0.5), once.assign(mask=2, change=once["change"] + 0.5)])
    again = pd.concat([once, once[once["row"] == 1].assign(row=4)])  # the same sentence with the same edit
    for more in (masks, again):
        pd.testing.assert_frame_equal(effects.summary(more), effects.summary(once))


def test_one_sentence_has_no_interval() -> None:
    summary = effects.summary(table({EDIT: [0.5]}))
    assert summary[["low", "high"]].isna().all(axis=None)
    assert effects.findings(summary) == [
        "The log odds of “she” rise by 0.50 on average. They rise in 1 of 1 sentence (sign test: p = 1)."
    ]
    assert effects.caution(summary) == (
        "With 1 sentence, the sign test cannot reach p = 0.05, and there are too few values for an interval."
    )


def test_every_target_and_run_has_a_row_and_every_target_a_sentence() -> None:
    runs = {EDIT: TWELVE, "added only": [x + 0.4 for x in TWELVE], "random difference": [-0.1] * 12}
    found = pd.concat([table(runs), table({run: [-x for x in values] for run, values in runs.items()}, "he")])
    summary = effects.summary(found)
    assert summary[["target", "run"]].to_numpy().tolist() == [[t, run] for t in ("she", "he") for run in runs]
    she, he = effects.findings(summary)
    assert she == (
        f"The log odds of “she” rise by 1.07 on average (95% interval {summary['low'][0]:.2f} to"
        f" {summary['high'][0]:.2f}). They rise in 11 of 12 sentences (sign test: p = 0.00635). With the strongest"
        " control, adding without subtracting, they change by +1.47."
    )
    assert he.startswith(
        f"The log odds of “he” fall by 1.07 on average (95% interval {-summary['high'][3]:.2f} to"
        f" {-summary['low'][3]:.2f}). They fall in 11 of 12 sentences"
    )
    assert he.endswith("With the strongest control, adding without subtracting, they change by −1.47.")


def test_an_interval_across_zero_keeps_its_signs() -> None:
    line = {"target": ADDED_WORD, "run": EDIT, "sentences": 4, "rose": 2, "fell": 2, "mean": -0.1, "p_value": 1.0}
    (text,) = effects.findings(pd.DataFrame([line | {"low": -0.9, "high": 0.6}]))
    assert text == (
        "The log odds of the added word fall by 0.10 on average (95% interval −0.60 to 0.90). They fall in 2 of 4 sentences (sign"
        " test: p = 1)."
    )


def test_a_mean_of_zero_neither_rises_nor_falls() -> None:
    (text,) = effects.findings(effects.summary(table({EDIT: [0.8, -0.8]})))
    assert text == (
        "The log odds of “she” stay the same on average (by −0.80 to 0.80 in single sentences). They rise in 1 of 2"
        " sentences (sign test: p = 1)."
    )


@pytest.mark.parametrize(("n", "test", "interval"), [(5, True, True), (6, False, True), (8, False, False)])
def test_few_sentences_have_a_caution(n: int, test: bool, interval: bool) -> None:
    text = effects.caution(effects.summary(table({EDIT: TWELVE[:n]})))
    assert ("cannot reach" in text) == test and ("too few values" in text) == interval
    # Six signs that agree are the fewest that the test can call significant.
    assert (stats.binomtest(n, n).pvalue > 0.05) == test


def test_a_control_of_fewer_sentences_says_so_and_leaves_the_caution_to_the_edit() -> None:
    rows = effects.summary(table({EDIT: [0.3, 0.6], "added only": [1.3]}))
    assert effects.caution(rows).startswith("With 2 sentences,") and "too few values" in effects.caution(rows)
    (found,) = effects.findings(rows)
    assert found.endswith("they change by +1.30 in 1 sentence.")
    (equal,) = effects.findings(effects.summary(table({EDIT: [0.3, 0.6], "added only": [1.3, 1.1]})))
    assert equal.endswith("they change by +1.20.")


def test_the_strongest_control_is_that_of_the_strongest_runs() -> None:
    rows = table({EDIT: [2.0, 2.0], "added only": [1.0, 1.0], "another word subtracted": [0.8, 0.8]})
    rows.loc[rows["run"] == "another word subtracted", "highest"] = [1.9, 2.1]
    (found,) = effects.findings(effects.summary(rows))
    assert found.endswith(
        "With the strongest control, subtracting a different word, they change by +0.80, and by +2.00 if its strongest"
        " run in each sentence is counted."
    )
