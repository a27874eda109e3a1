"""The average over cases, against traces of single cases, which are tested against hooks."""

import numpy as np
import pytest

from embtools import trace, trace_heads
from embtools.charts.tracing import average as charts
from embtools.tracing.average import SENTENCE, average
from embtools.tracing.cases import EDIT, EDITED, MASK, OTHER, RANDOM
from embtools.tracing.runs import two_runs


@pytest.fixture(scope="module")
def result(bundled):
    return average(SENTENCE, bundled, capitals=4, others=1)


@pytest.fixture(scope="module")
def singles(bundled, result):
    """The traces and heads of the same cases, one by one."""
    found = []
    for row in result.cases.itertuples():
        text = SENTENCE.replace("{capital}", row.capital)
        given = {
            "edits": (f"{row.capital} = {row.capital} - {row.country} + {row.other}",),
            "answers": (row.country, row.other),
        }
        found.append(
            (trace(text, bundled, **given), trace_heads(text, bundled, **given), two_runs(text, bundled, **given))
        )
    return found


def test_shares_are_ratios_of_sums_of_single_traces(result, singles):
    effects = np.array([runs.effect for _, _, runs in singles])
    np.testing.assert_allclose(result.cases[EDIT], effects, atol=1e-3)
    for role, position in ((EDITED, 1), (MASK, 6)):
        for column in ("sufficiency", "necessity"):
            parts = [frame.loc[frame["position"] == position, f"{column}_difference"] for frame, _, _ in singles]
            np.testing.assert_allclose(result.of(EDIT, role)[column], np.sum(parts, axis=0) / effects.sum(), atol=1e-4)


def test_heads_are_selected_on_one_half_and_reported_on_the_other(result, singles):
    halves = result.cases["half"].to_numpy()
    assert sorted(halves) == [1, 1, 2, 2]
    effects = np.array([runs.effect for _, _, runs in singles])
    table = np.stack([heads["sufficiency_difference"] for _, heads, _ in singles])
    first, second = (table[halves == half].sum(axis=0) / effects[halves == half].sum() for half in (1, 2))
    best = np.argsort(-first)[:5]
    assert (12 * (result.heads["layer"] - 1) + result.heads["head"] - 1).tolist() == best.tolist()
    np.testing.assert_allclose(result.heads["selected"], first[best], atol=1e-4)
    np.testing.assert_allclose(result.heads["sufficiency"], second[best], atol=1e-4)
    # The same heads as in an earlier measurement with 24 capitals.
    assert set(zip(result.heads["layer"], result.heads["head"], strict=True)) >= {(6, 6), (6, 8), (6, 4)}


def test_the_selected_layer_and_its_numbers_are_in_the_headline(result, singles):
    row, second = result.layers.iloc[0], result.cases["half"].to_numpy() == 2
    effects = np.array([runs.effect for _, _, runs in singles])[second]
    mask = np.stack([f.loc[f["position"] == 6, "sufficiency_difference"] for f, _, _ in singles])[second]
    word = np.stack([f.loc[f["position"] == 1, "sufficiency_difference"] for f, _, _ in singles])[second]
    assert row["layer"] == 6
    assert row["moves"] == pytest.approx((mask[:, 6] - mask[:, 5]).sum() / effects.sum(), abs=1e-4)
    assert row["stays"] == pytest.approx(word[:, 5].sum() / effects.sum(), abs=1e-4)
    assert (
        result.headline.startswith(f"In 2 cases, {row['stays']:.0%} of the effect (95% interval")
        and "layer 6 moves" in result.headline
    )


def test_controls_are_smaller_than_the_edit_and_on_its_scale(result, bundled):
    shares = result.effects.set_index("condition")["share"]
    assert shares[EDIT] == 1 and shares[OTHER] < 0.5 and shares[RANDOM] < 0.6
    row = result.cases.iloc[0]
    text, edit = SENTENCE.replace("{capital}", row["capital"]), f"capital = capital - {row['country']} + {row['other']}"
    runs = two_runs(text, bundled, edits=(edit,), answers=(row["country"], row["other"]))
    assert row[OTHER] == pytest.approx(runs.effect, abs=1e-3)
    assert result.of(OTHER, EDITED)["sufficiency"].iloc[0] == pytest.approx(shares[OTHER], abs=1e-4)
    assert f"{result.effects['effect'][0]:.1f} nats" in result.controls
    assert result.of(EDIT, EDITED)["sufficiency_low"].le(result.of(EDIT, EDITED)["sufficiency"] + 1e-9).all()


@pytest.mark.parametrize(("given", "words"), [({"capitals": 3}, "capitals"), ({"others": 6}, "other countries")])
def test_numbers_out_of_range_are_refused(given, words, bundled):
    with pytest.raises(ValueError, match=words):
        average(SENTENCE, bundled, **given)


def test_progress_can_stop_the_work(bundled):
    class Stop(Exception):
        pass

    def stop(done):
        assert 0 < done < 1
        raise Stop

    with pytest.raises(Stop):
        average(SENTENCE, bundled, capitals=4, progress=stop)


@pytest.mark.slow
def test_24_capitals_repeat_the_reference(bundled):
    """98 to 100% at the capital through layer 5; heads 6, 8 and 4 carry 39, 20 and 16%, all others under 25%."""
    result = average(SENTENCE, bundled, capitals=24, others=2)
    assert result.of(EDIT, EDITED)["sufficiency"][:-1].between(0.96, 1.03).all()
    shares = result.heads.set_index(["layer", "head"])["sufficiency"]
    for head, share in ((6, 0.39), (8, 0.20), (4, 0.16)):
        assert shares[(6, head)] == pytest.approx(share, abs=0.06)
    assert 1 - shares[[(6, 6), (6, 8), (6, 4)]].sum() < 0.25


# The charts


def test_the_lines_show_every_condition_and_role_on_one_scale(result):
    chart = charts.lines(result, "sufficiency", charts.ends([result], "sufficiency"))
    assert len(chart.figure.data) == 15 and {trace.yaxis for trace in chart.figure.data} == {"y"}
    np.testing.assert_allclose(chart.figure.data[1].y, result.of(EDIT, EDITED)["sufficiency"], atol=1e-6)
    low, high = charts.ends([result], "sufficiency")
    assert low < 0 and high > result.frame["sufficiency_high"].max() and chart.frame is result.frame
    assert "the edited word has 100% of the effect in layer 0" in chart.alt


def test_the_heads_are_shown_with_both_halves(result):
    chart = charts.heads(result)
    selected, reported = chart.figure.data
    np.testing.assert_allclose(selected.x, result.heads["selected"], atol=1e-6)
    np.testing.assert_allclose(reported.x, result.heads["sufficiency"], atol=1e-6)
    assert chart.frame is result.heads and "head 6.6" in chart.alt
    assert charts.largest([result]) >= result.heads["high"].max()
