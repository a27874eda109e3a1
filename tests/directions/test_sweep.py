"""Layer and method chosen on one half of the items and reported on the other half."""

import numpy as np
import pandas as pd
import pytest

from embtools.chance import generator
from embtools.directions import new_classifier
from embtools.directions.groups import folds, group_states
from embtools.directions.held_out_text import held_out_text, text_costs
from embtools.directions.new_classifier import halves
from embtools.directions.sweeping import LEAST, choose, effort, sweep
from embtools.spaces.erasers import ERASURES, fit_eraser, random_eraser
from embtools.spaces.two_groups import classifier
from embtools.statistics.intervals import wilson
from embtools.ui import fields
from embtools.ui.directions import groups as shared
from tests.directions.test_new_classifier import by_hand

FIRST, SECOND = fields.words(shared.MALE), fields.words(shared.FEMALE)


@pytest.fixture(scope="module")
def found(bundled):
    return sweep(FIRST, SECOND, bundled, rounds=2, draws=2)


@pytest.mark.slow
def test_every_layer_and_method_is_judged_on_the_half_that_chooses(found, bundled):
    assert len(found.choices) == 3 * (bundled.layers + 1) and found.choices["chosen"].sum() == 1
    read = group_states(FIRST, SECOND, bundled)
    choosing, _ = halves(read.second)
    groups, text = read.second[choosing], held_out_text(read.items, bundled).half(0)
    for layer in (0, 4):
        x = read.states[layer].astype(float)[choosing]
        rows = found.choices[found.choices["layer"] == layer].set_index("method")
        fitted = [fit_eraser(x, groups, method=each, rounds=2) for each in ERASURES]
        lost = text_costs(text, bundled, changes=fitted, layer=layer).mean(axis=0)
        np.testing.assert_allclose(rows.loc[list(ERASURES), "cost"], lost, atol=1e-5)
        assert rows["accuracy_before"].iloc[0] == pytest.approx(by_hand(x, groups, lambda a, b: lambda v: v).mean())
        for method in ERASURES:
            own = by_hand(x, groups, lambda a, b, method=method: fit_eraser(a, b, method=method, rounds=2))
            assert rows.loc[method, "accuracy"] == pytest.approx(own.mean())


@pytest.mark.slow
def test_what_was_chosen_is_reported_on_items_and_sentences_that_did_not_choose(found, bundled):
    read = group_states(FIRST, SECOND, bundled)
    choosing, testing = halves(read.second)
    assert not (choosing & testing).any() and found.items == (choosing.sum(), testing.sum()) == (20, 20)
    x, groups = read.states[found.layer].astype(float), read.second[testing]
    eraser = fit_eraser(x[choosing], read.second[choosing], method=found.method, rounds=2)
    random = generator(0, eraser.count)
    drawn = [random_eraser(x[choosing], count=eraser.count, random=random) for _ in range(2)]

    def right(vectors):
        result = np.zeros(len(vectors))
        for learn, test in folds(groups):
            centre, weights, intercept = classifier(vectors[learn], groups[learn])
            result[test] = ((vectors[test] - centre) @ weights + intercept > 0) == groups[test]
        return result

    before, after, *control = (right(each(x[testing])) for each in (lambda v: v, eraser, *drawn))
    chance = np.mean(control, axis=0)
    assert found.reported["accuracy"].tolist() == pytest.approx([before.mean(), after.mean(), chance.mean()])
    assert found.reported.loc[2, "accuracy_lowest"] == pytest.approx(min(each.mean() for each in control))
    assert found.draws == 2 and found.reported.loc[:1, "accuracy_lowest"].isna().all()
    assert found.reported.loc[1, "difference"] == pytest.approx((after - chance).mean())
    assert found.reported.loc[[0, 2], "difference"].isna().all()
    assert tuple(found.reported.loc[1, ["accuracy_low", "accuracy_high"]]) == wilson(int(after.sum()), 20)
    text = held_out_text(read.items, bundled)
    lost = text_costs(text.half(1), bundled, changes=[eraser, *drawn], layer=found.layer)
    assert found.reported["cost"].tolist() == pytest.approx([0, lost[:, 0].mean(), lost[:, 1:].mean()], abs=1e-5)
    assert found.masks == (len(text.half(0).of), len(lost))
    assert found.sentences == (30, 30) and found.seen == (text.half(0).seen, text.half(1).seen)


@pytest.mark.slow
def test_the_reported_items_choose_nothing(bundled, monkeypatch):
    """Other states and other groups of the half that reports leave the choice as it is."""
    own = sweep(FIRST, SECOND, bundled, rounds=1, draws=1)
    states = group_states(FIRST, SECOND, bundled)
    fixed, random = halves(states.second), np.random.default_rng(0)
    testing = fixed[1]
    changed, second = states.states.copy(), states.second.copy()
    changed[:, testing] = random.standard_normal(changed[:, testing].shape)
    second[testing] = random.permutation(second[testing])
    assert (second != states.second).sum() > 5
    monkeypatch.setattr("embtools.directions.sweeping.halves", lambda *_, **__: fixed)
    for x, groups in ((changed, states.second), (states.states, second)):
        replaced = type(states)(states.items, groups, x, states.kind)
        monkeypatch.setattr("embtools.directions.sweeping.group_states", lambda *_, replaced=replaced, **__: replaced)
        other = sweep(FIRST, SECOND, bundled, rounds=1, draws=1)
        pd.testing.assert_frame_equal(other.choices, own.choices)
        assert (other.layer, other.method, other.limit) == (own.layer, own.method, own.limit)
        assert other.reported["accuracy"].tolist() != own.reported["accuracy"].tolist()


def test_of_the_settings_that_leave_least_the_cheapest_is_chosen():
    rows = pd.DataFrame(
        {
            "accuracy_before": [0.9, 0.9, 0.9, 0.58],
            "accuracy": [0.60, 0.60, 0.75, 0.5],
            "cost": [-0.5, -0.2, -0.1, 0.0],
        }
    )
    assert choose(rows, guess=0.5, count=25) == (1, 0.6)  # a standard error is 10 points, so the last row found nothing
    assert choose(rows, guess=0.5, count=1_000) == (3, 0.5)
    below = rows.assign(accuracy=[0.5, 0.1, 0.45, 0.5])  # below guessing is no better than guessing
    assert choose(below, guess=0.5, count=25) == (2, 0.5)
    nothing = rows.assign(accuracy_before=0.5)  # nothing to erase in any layer: all are possible
    assert choose(nothing, guess=0.5, count=25)[0] == 3


@pytest.mark.slow
def test_groups_that_do_not_differ_are_not_erased(bundled):
    mixed = [*FIRST, *SECOND]
    result = sweep(mixed[::2], mixed[1::2], bundled, rounds=1, draws=1)
    assert "too few to show the difference, so nothing can be said about erasing it" in result.headline


def test_halves_of_a_half_can_be_divided_into_folds():
    second = np.arange(2 * LEAST) >= LEAST
    half = second[halves(second)[0]]
    assert min(part[half == group].sum() for part in halves(half) for group in (False, True)) >= 5
    assert new_classifier.right_in_folds(np.random.default_rng(0).random((10, 3)), np.arange(10) > 4).shape == (10,)


def test_more_draws_take_longer(bundled):
    assert effort(FIRST, SECOND, bundled, draws=30) > effort(FIRST, SECOND, bundled) > 0


def test_wrong_arguments_are_refused(bundled):
    with pytest.raises(ValueError, match="One of the groups has 19 items. .* at least 20"):
        sweep(FIRST[:19], SECOND, bundled)
    with pytest.raises(ValueError, match="draws"):
        sweep(FIRST, SECOND, bundled, draws=0)
    with pytest.raises(ValueError, match="nothing to choose from"):
        choose(pd.DataFrame({"accuracy_before": [], "accuracy": [], "cost": []}), guess=0.5, count=5)
