"""The tables of an average, against components of single cases, which are tested against hooks."""

import numpy as np
import pytest

from embtools.mask_filling.relations import relation
from embtools.tracing.averages import SENTENCE, average
from embtools.tracing.cases import EDIT, OTHER, RANDOM
from embtools.tracing.components import trace_components
from tests import kept


@pytest.fixture(scope="module")
def result(bundled):
    return kept.once(average, relation("capital").pairs, bundled, count=4, others=1)


@pytest.fixture(scope="module")
def components(bundled, result):
    """The parts and knockouts of the same cases, one by one: of the edit, and of the edit of another word."""
    found = {EDIT: [], OTHER: []}
    for row in result.cases.itertuples():
        text = SENTENCE.replace("{a}", row.a)
        for condition, word in ((EDIT, row.a), (OTHER, "capital")):
            edit = f"{word} = {word} - {row.b} + {row.c}"
            found[condition].append(trace_components(text, bundled, edits=(edit,), answers=(row.b, row.c)))
    return found


@pytest.mark.parametrize("condition", [EDIT, OTHER])
def test_parts_and_blocked_attention_are_ratios_of_sums_of_single_traces(result, components, condition):
    effect = result.cases[EDIT].sum()
    singles = components[condition]
    rows = result.parts[result.parts["condition"] == condition]
    expected = sum(each.layers["sufficiency_difference"].to_numpy() for each in singles) / effect
    assert rows["component"].tolist() == singles[0].layers["component"].tolist()
    assert rows["layer"].tolist() == singles[0].layers["layer"].astype(str).tolist()
    np.testing.assert_allclose(rows["sufficiency"], expected, atol=1e-4)
    rows = result.knockouts[result.knockouts["condition"] == condition]
    expected = sum(each.knockouts["knockout_difference"].to_numpy() for each in singles) / effect
    assert rows["layer"].tolist() == singles[0].knockouts["layer"].tolist()
    np.testing.assert_allclose(rows["knockout"], expected, atol=1e-4)
    for frame, name in ((result.parts, "sufficiency"), (result.knockouts, "knockout")):
        assert frame["low"].le(frame[name] + 1e-9).all() and frame["high"].ge(frame[name] - 1e-9).all()


def test_selected_heads_have_their_controls_and_knockouts_on_the_other_half(result, components):
    second = result.cases["half"].to_numpy() == 2
    effect = result.cases[EDIT][second].sum()
    chosen = (12 * (result.heads["layer"] - 1) + result.heads["head"] - 1).to_numpy()

    def shares(condition, column):
        table = np.stack([each.heads[column].to_numpy() for each in components[condition]])
        return table[second].sum(axis=0)[chosen] / effect

    np.testing.assert_allclose(result.heads["knockout"], shares(EDIT, "knockout_difference"), atol=1e-4)
    other = result.head_controls[result.head_controls["condition"] == OTHER]
    np.testing.assert_allclose(other["sufficiency"], shares(OTHER, "sufficiency_difference"), atol=1e-4)
    assert result.head_controls.groupby("condition").size().to_dict() == {RANDOM: 5, OTHER: 5}
    assert other["head"].tolist() == result.heads["head"].tolist()


def test_the_layer_that_moves_most_has_its_parts_over_all_cases(result, components):
    effect, layer = result.cases[EDIT].sum(), int(result.layers["layer"].iloc[0])
    own = components[EDIT]
    parts = sum(each.layers["sufficiency_difference"].to_numpy().reshape(-1, 2)[layer - 1] for each in own) / effect
    lost = sum(each.knockouts["knockout_difference"].to_numpy()[[layer - 1, -1]] for each in own) / effect
    np.testing.assert_allclose(result.of_layer["share"], [*parts, *lost], atol=1e-4)
    assert result.of_layer["layer"].tolist() == [str(layer)] * 3 + ["all"]
    for share in result.of_layer["share"]:
        assert f"{share:.0%}" in result.components
