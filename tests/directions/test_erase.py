"""What a new classifier finds after erasure, and what erasure costs."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.directions.effects import costs, masks_after, other_sentences, same
from embtools.directions.erase import NONE, RANDOM, SENTENCES, effort, erase, halves, right
from embtools.directions.groups import WHOLE, folds, group_states
from embtools.mask_filling.forward import probabilities
from embtools.spaces.erasers import ERASURES, INLP, LEACE, fit_eraser
from embtools.spaces.two_groups import classifier
from tests.directions.lists import BAD, FIRST_SENTENCES, GOOD, SECOND_SENTENCES

TEXT = "Your idea is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return erase(BAD, GOOD, bundled, layer=3, text=TEXT, rounds=3, draws=2)


def test_a_new_classifier_never_sees_its_words_and_neither_does_the_eraser(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    x, second = read.states[3].astype(float), read.second
    total = 0.0
    for fitted, rest in (pair := halves(second)), pair[::-1]:
        assert not (fitted & rest).any() and fitted[second].sum() == 5
        left = fit_eraser(x[fitted], second[fitted], method=LEACE)(x[rest])
        for learn, test in folds(second[rest]):
            centre, weights, intercept = classifier(left[learn], second[rest][learn])
            total += (((left[test] - centre) @ weights + intercept > 0) == second[rest][test]).sum()
    assert found.of(LEACE)["accuracy"] == pytest.approx(total / 20)


def test_erasure_leaves_nothing_on_its_own_words_but_random_directions_do(found):
    assert found.methods["method"].tolist() == [NONE, *ERASURES, RANDOM]
    assert found.of(LEACE)["accuracy_fitted"] == found.of("projection")["accuracy_fitted"] == found.guess == 0.5
    assert found.of(NONE)["accuracy_fitted"] == found.of(RANDOM)["accuracy_fitted"] == 1.0
    assert found.of(RANDOM)["directions"] == found.of(INLP)["directions"] == 3
    assert (
        found.of(NONE)[["moved", "cost"]].tolist() == [0, 0] and 0 < found.of(RANDOM)["moved"] < found.of(INLP)["moved"]
    )


def test_costs_and_answers_are_those_of_the_eraser_of_all_words(found, bundled):
    read = group_states(BAD, GOOD, bundled)
    eraser = fit_eraser(read.states[3], read.second, method=LEACE)
    (states,) = masks_after([TEXT], bundled, changes=[same, eraser], layer=3)
    before, after = probabilities(bundled.logits(states))
    for row in found.answers.itertuples():
        i = bundled.ids[row.token]
        assert (row.probability_before, row.probability_after) == pytest.approx((before[i], after[i]), abs=1e-6)
    lost = costs(other_sentences(bundled, most=SENTENCES), bundled, changes=[eraser], layer=3)
    assert found.of(LEACE)["cost"] == pytest.approx(lost.mean(), abs=1e-6)
    assert found.of(LEACE)["cost_ci_low"] <= lost.mean() <= found.of(LEACE)["cost_ci_high"]


def test_sentences_about_the_result_hold_its_numbers(found, bundled):
    row = found.of(LEACE)
    assert (
        f"interval {row['accuracy_ci_low']:.0%} to {row['accuracy_ci_high']:.0%}" in found.headline
        and "After LEACE in layer 3" in found.headline
    )
    assert "right for 50%. LEACE guarantees" in found.guarantee
    assert f"“{found.answers.loc[found.answers['probability_after'].idxmax(), 'token']}”" in found.answer
    other = erase(BAD, GOOD, bundled, layer=3, text=TEXT, rounds=3, draws=2, method=INLP)
    assert "After INLP" in other.headline and "LEACE" not in other.guarantee


def test_without_a_difference_there_is_nothing_to_erase(found):
    assert found.differs
    rows = found.methods.assign(
        accuracy=[0.42, *found.methods["accuracy"][1:]],
        accuracy_ci_low=[0.24, *found.methods["accuracy_ci_low"][1:]],
        accuracy_ci_high=[0.62, *found.methods["accuracy_ci_high"][1:]],
    )
    weak = replace(found, methods=rows)
    assert not weak.differs and weak.headline.startswith(
        "In layer 3, nothing shows that there is anything to erase: before, a new classifier is right for 42% of the"
        " words that it has not seen (95% interval 24% to 62%; guessing: 50%). After LEACE, it is right for "
    )


def test_sentences_are_erased_like_words(bundled):
    found = erase(FIRST_SENTENCES, SECOND_SENTENCES, bundled, layer=2, text=TEXT, template=WHOLE, rounds=2, draws=1)
    x = np.array([bundled.hidden_states(text)[2, 1:-1].mean(axis=0) for text in FIRST_SENTENCES + SECOND_SENTENCES])
    eraser = fit_eraser(x, np.arange(20) >= 10, method=LEACE)
    (states,) = masks_after([TEXT], bundled, changes=[eraser], layer=2)
    after = probabilities(bundled.logits(states))[0]
    for row in found.answers.itertuples():
        assert row.probability_after == pytest.approx(after[bundled.ids[row.token]], abs=1e-4)
    assert found.kind == "sentences" and "of the sentences that it has not seen" in found.headline
    assert "for other sentences there is no guarantee" in found.guarantee
    assert found.of(LEACE)["accuracy_fitted"] == 0.5


def test_a_score_of_zero_is_half_right():
    x = np.array([[1.0, 0.0], [-1.0, 0.0], [0.5, 1.0], [-0.5, -1.0]])
    groups = np.array([True, False, True, False])
    assert right(x, groups, fitted=x, of=groups).tolist() == [1, 1, 1, 1]
    assert right(x, ~groups, fitted=x, of=groups).tolist() == [0, 0, 0, 0]
    assert right(np.zeros((1, 2)), groups[:1], fitted=x, of=groups).tolist() == [0.5]


def test_more_draws_take_longer(bundled):
    assert effort(BAD, GOOD, bundled, draws=30) > effort(BAD, GOOD, bundled) > 0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"layer": 9}, "no layer 9"),
        ({"text": "Rome."}, "MASK"),
        ({"method": "magic"}, "no method|magic"),
        ({"draws": 0}, "draws"),
        ({"k": 0}, "answers"),
    ],
)
def test_wrong_arguments_are_refused(bundled, changed, message):
    with pytest.raises(ValueError, match=message):
        erase(BAD, GOOD, bundled, **({"layer": 1, "text": TEXT} | changed))
