"""Divergences of averages against a plain computation with `fill_mask` and scipy."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from embtools.evidence import study_of_averages as module
from embtools.evidence.study_of_averages import ADVANTAGE, AVERAGE, BETWEEN, GAIN, MIXED, averages
from embtools.mask_filling.edits import Change, resolve
from embtools.mask_filling.forward import mask_probabilities


@pytest.fixture(scope="module")
def study(bundled):  # type: ignore[no-untyped-def]
    return averages(bundled)


@pytest.mark.slow
def test_cases_are_those_of_an_edit_that_can_be_typed(study, bundled) -> None:  # type: ignore[no-untyped-def]
    template = "{group} works as a [MASK]."
    row = study.items[(study.items["pair"] == "he/she") & (study.items["sentence"] == template)].iloc[0]
    change = Change.of(["he = (he + she) / 2"])
    rows = [next(mask_probabilities(f"{word} works as a [MASK].", bundled))[0] for word in ("he", "she")]
    mean = next(mask_probabilities("he works as a [MASK].", bundled, patches=[resolve(change, bundled)]))[0]
    assert row["between"] == pytest.approx(jensenshannon(*rows, base=2) ** 2, abs=1e-6)
    assert row["average"] == pytest.approx(max(jensenshannon(mean, other, base=2) ** 2 for other in rows), abs=1e-5)
    assert row["mixed"] > row["average"]


@pytest.mark.slow
def test_rows_are_means_of_the_items(study) -> None:  # type: ignore[no-untyped-def]
    items = study.items
    expected = {
        BETWEEN: items["between"].mean(), AVERAGE: items["average"].mean(), MIXED: items["mixed"].mean(),
        GAIN: (items["between"] - items["average"]).mean(), ADVANTAGE: (items["mixed"] - items["average"]).mean(),
    }  # fmt: skip
    for name, value in expected.items():
        row = study.row(name)
        assert row["value"] == pytest.approx(value) and row["low"] < value < row["high"] and row["n"] == len(items)
    assert study.headline.startswith("An average of two gendered words is closer to both than a mix with an unrelated")
    assert study.rows["quantity"].iloc[0] == ADVANTAGE and study.main[1] == study.row(ADVANTAGE)["value"]
    assert {"he/she", "male/female"} <= set(items["pair"]) and not {"his/her", "himself/herself"} & set(items["pair"])


@pytest.mark.slow
def test_the_seed_draws_the_unrelated_words(study, bundled) -> None:  # type: ignore[no-untyped-def]
    other = averages(bundled, seed=1)
    assert not np.allclose(other.items["mixed"], study.items["mixed"])
    np.testing.assert_allclose(other.items[["between", "average"]], study.items[["between", "average"]], atol=1e-6)


def test_a_model_without_the_words_is_refused(tiny, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(module, "_NO_SUBJECT", {"her", "his", "man"})  # the only other pair that it knows
    with pytest.raises(ValueError, match="knows fewer than two of the pairs"):
        averages(tiny)
