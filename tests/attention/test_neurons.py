"""The neurons of a token, against the network's own activations; and the charts."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.attention.mean_outputs import effort as of_means
from embtools.attention.mean_outputs import mean_outputs
from embtools.attention.neuron_words import output_rows, random_extremes
from embtools.attention.strongest_neurons import ACTIVATION, DIFFERENCE, effort, neuron_strengths, neurons
from embtools.charts import attention as charts
from embtools.statistics.decimals import decimal
from tests.hooked import Hooked

TEXT = "The capital of France is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return neurons(TEXT, bundled, layer=5)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil", "bundled"])
@pytest.mark.parametrize("by", [DIFFERENCE, ACTIVATION])
def test_the_strongest_neurons_are_those_of_the_network(name, by, request):
    model = request.getfixturevalue(name)
    place = int(np.flatnonzero(model.tokenize(TEXT)["id"] == model.mask_id)[0])
    right = Hooked(model).steps(TEXT, 2)["neurons"]
    result = neurons(TEXT, model, layer=2, by=by, k=6)
    means = mean_outputs(model)[1].neurons
    baseline = means if by == DIFFERENCE else 0 * means
    strengths = (right[place] - baseline) * np.linalg.norm(output_rows(model, layer=2), axis=1)
    order = np.argsort(-strengths, kind="stable")
    rows = result.strongest
    assert rows["neuron"].tolist() == (order[:6] + 1).tolist() and rows["rank"].tolist() == [1, 2, 3, 4, 5, 6]
    np.testing.assert_allclose(rows["activation"], right[place, order[:6]], atol=1e-5)
    np.testing.assert_allclose(rows["mean"], means[order[:6]], atol=1e-6)
    np.testing.assert_allclose(rows["strength"], strengths[order[:6]], atol=1e-4)
    assert (result.neuron, result.rank, result.count) == (order[0] + 1, 1, right.shape[1])
    assert result.above_zero == (right[place] > 0).sum() and result.mean == pytest.approx(means[order[0]])
    np.testing.assert_allclose(result.by_token["activation"], right[:, order[0]], atol=1e-5)
    assert result.activation == pytest.approx(right[place, order[0]], abs=1e-5)


def test_another_neuron_has_its_own_rank_and_words(found, bundled):
    number = int(found.strongest["neuron"][4])
    other = neurons(TEXT, bundled, layer=5, neuron=number)
    assert (other.neuron, other.rank) == (number, 5) and "ranks 5th of 1,536" in other.headline
    assert other.words["word"].tolist() != found.words["word"].tolist()
    assert ", ".join(other.words["word"][:3]) == found.strongest["promotes"][4]


def test_a_neuron_that_is_always_on_is_not_strong_above_its_mean(bundled):
    """Neuron 1,298 of layer 6 is at 2.9 on average, so it would be among the strongest of almost every token."""
    by_activation = neurons(TEXT, bundled, layer=6, by=ACTIVATION)
    mean = by_activation.strongest["mean"]
    assert mean.iloc[0] > 2 and by_activation.neuron != neurons(TEXT, bundled, layer=6).neuron


def test_headline_and_limits_compare_with_random_directions(found):
    largest = found.words["along"].max()  # of the side that the headline speaks of
    reached = int((found.random >= largest).sum())
    assert found.random_share == reached / 200
    assert f"{reached} of 200 random directions" in found.limits
    words = [f"“{word}”" for word in found.words["word"][:3]]
    assert f"It promotes {words[0]}, {words[1]} and {words[2]}, no more clearly than" in found.headline
    asleep = found.by_token.assign(activation=0.0)
    assert f"It would promote {words[0]}, " in replace(found, by_token=asleep).headline
    other_side = found.words.assign(along=found.words["along"].where(found.words["side"] == "promoted", -99.0))
    assert replace(found, words=other_side).random_share == found.random_share  # only the side of the sentence counts
    clear = replace(found, random=found.random - 3)
    assert "more clearly than" in clear.headline and "no more" not in clear.headline


def test_random_directions_are_those_of_the_model(found, bundled):
    np.testing.assert_array_equal(found.random, random_extremes(bundled))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"layer": 3}, "no layer 3"),
        ({"neuron": 33}, "no neuron 33. Choose 1 to 32"),
        ({"neuron": -1}, "no neuron -1"),
        ({"position": 40}, "no token 40"),
        ({"k": 0}, "neurons were asked for"),
        ({"words": 0}, "words on each side"),
        ({"by": "colour"}, "cannot be ranked by 'colour'"),
    ],
)
def test_what_does_not_exist_is_refused(tiny, changed, words):
    with pytest.raises(ValueError, match=words):
        neurons(TEXT, tiny, **{"layer": 1} | changed)


def test_strengths_grow_with_the_activation(tiny):
    own = np.linspace(-1, 1, 32).astype(np.float32)
    one, two = (neuron_strengths(own * n, tiny, layer=1, by=ACTIVATION) for n in (1, 2))
    np.testing.assert_allclose(two, 2 * one)


# Charts


def test_the_bars_show_activations_and_means_and_can_be_clicked(found):
    chart = charts.strongest_neurons(found)
    bar, mean = chart.figure.data
    np.testing.assert_allclose(bar.x, found.strongest["activation"], rtol=1e-5)
    np.testing.assert_allclose(mean.x, found.strongest["mean"], rtol=1e-5)
    assert chart.figure.layout.yaxis.ticktext[0] == f"<b>{found.neuron}</b>"
    assert f"neuron {found.neuron}" in chart.alt and chart.frame is found.strongest


def test_the_words_are_drawn_next_to_what_random_directions_reach(found):
    chart = charts.neuron_words(found)
    (bar,) = chart.figure.data
    np.testing.assert_allclose(bar.x, found.words["along"], rtol=1e-5)
    lines = sorted(shape.x0 for shape in chart.figure.layout.shapes)
    assert lines == pytest.approx([-found.random.mean(), found.random.mean()])
    assert f"reach {found.random.mean():.1f} on average" in chart.alt


def test_tokens_have_a_bar_and_special_ones_only_if_they_are_shown(found):
    whole, hidden = charts.neuron_tokens(found), charts.neuron_tokens(found, True)
    assert len(whole.figure.data[0].x) == 9 and len(hidden.figure.data[0].x) == 7
    assert "[CLS] and [SEP], which are not shown" in hidden.alt and "not shown" not in whole.alt
    assert "[CLS]" not in hidden.figure.layout.yaxis.ticktext and "<b>[MASK]</b>" in hidden.figure.layout.yaxis.ticktext
    assert hidden.frame is found.by_token and "at 7 tokens" in hidden.alt  # the table stays complete
    top = found.by_token.loc[found.by_token["activation"].idxmax()]
    ending = f"highest at {top['token']} ({decimal(top['activation'])}){{}}."
    if top["position"] != found.position:
        assert whole.alt.endswith(ending.format(f" and {decimal(found.activation)} at {found.token}"))
    chosen = replace(found, position=int(top["position"]))
    assert charts.neuron_tokens(chosen).alt.endswith(ending.format(", the chosen token"))


def test_a_long_text_has_bars_for_its_strongest_tokens(bundled):
    text = " ".join(["The king of France lives in Paris."] * 12) + " He is [MASK]."
    long = neurons(text, bundled, layer=4)
    rows = charts.shown_tokens(long)
    assert len(rows) in (charts.MOST_BARS, charts.MOST_BARS + 1) and rows["position"].is_monotonic_increasing
    assert long.position in set(rows["position"])
    left = long.by_token.drop(rows.index)["activation"].abs()
    assert left.max() <= rows.loc[rows["position"] != long.position, "activation"].abs().min()


def test_the_effort_is_mostly_that_of_the_means(tiny, bundled, cold):
    assert of_means(bundled) < effort(TEXT, bundled) < of_means(bundled) + 0.2
    neurons(TEXT, tiny, layer=1)
    assert 0 < effort(TEXT, tiny) < effort(" ".join([TEXT] * 2), tiny)
