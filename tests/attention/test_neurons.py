"""The neurons of a token, their words and their sentences, against the network's own activations and modules; and the charts."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from embtools import wordlists
from embtools.attention import neuron_uses, strongest_neurons
from embtools.attention.neuron_uses import neuron_sentences, read_neurons
from embtools.attention.strongest_neurons import (
    PROMOTED,
    SUPPRESSED,
    effort,
    extremes,
    layer_norm,
    neurons,
    words_of,
)
from embtools.charts import attention as charts
from embtools.models import neurons as means_module
from embtools.models.layer_steps import layer_steps
from embtools.models.neurons import ACTIVATION, DIFFERENCE, mean_outputs, output_rows
from embtools.models.neurons import effort as of_means
from embtools.occurrences.corpus import Corpus, built_in_corpus, read_corpus
from embtools.statistics.decimals import decimal
from tests.hooked import Hooked

TEXT = "The capital of France is [MASK]."


@pytest.fixture(scope="module")
def found(bundled):
    return neurons(TEXT, bundled, layer=5)


@pytest.mark.slow("bundled-difference")
@pytest.mark.parametrize(("name", "by"), [("tiny", DIFFERENCE), ("tiny_distil", ACTIVATION), ("bundled", DIFFERENCE)])
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
    assert f"For {reached} of 200 random directions, this value is at least as high" in found.limits
    words = [f"“{word}”" for word in found.words["word"][:3]]
    assert f"It promotes {words[0]}, {words[1]} and {words[2]}, no more clearly than" in found.headline
    asleep = found.by_token.assign(activation=0.0)
    assert f"It would promote {words[0]}, " in replace(found, by_token=asleep).headline
    other_side = found.words.assign(along=found.words["along"].where(found.words["side"] == "promoted", -99.0))
    assert replace(found, words=other_side).random_share == found.random_share  # only the side of the sentence counts
    clear = replace(found, random=found.random - 3)
    assert "more clearly than" in clear.headline and "no more" not in clear.headline


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


@pytest.mark.parametrize("name", ["tiny_distil", "bundled"])
def test_a_neurons_output_is_what_the_layer_norm_passes_on(name, request):
    """Two inputs of the norm that differ by one neuron: their outputs differ by its row, up to the common factor."""
    model = request.getfixturevalue(name)
    hooked = Hooked(model)
    block = hooked.layers[-1]
    parts = (
        (block.output.dense, block.output.LayerNorm)
        if model.has_segments
        else (block.ffn.lin2, block.output_layer_norm)
    )
    second, norm = parts
    rows = output_rows(model, layer=model.layers)
    weight, gamma = second.weight.detach().numpy(), norm.weight.detach().numpy()
    for neuron in (0, 7):
        column = weight[:, neuron].astype(np.float64)
        np.testing.assert_allclose(rows[neuron], (column - column.mean()) * gamma, atol=1e-6)
    # A small step along a neuron moves the norm's output along its row, except for the change of the common factor.
    x = torch.randn(model.dimensions, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    norm = norm.double()
    step = 1e-6 * torch.tensor(weight[:, 3], dtype=torch.float64)
    with torch.no_grad():
        moved = ((norm(x + step) - norm(x)) * x.std(correction=0) / 1e-6).numpy()
        state = (norm(x) - norm.bias).numpy()
    rest = moved - rows[3]
    share = rest @ state / (state @ state)
    np.testing.assert_allclose(rest, share * state, atol=1e-3)


@pytest.mark.parametrize("name", ["tiny_distil", "bundled"])
def test_how_far_a_neuron_raises_a_word_is_what_switching_it_off_takes(name, request):
    model = request.getfixturevalue(name)
    layer, hooked = model.layers, Hooked(model)
    position = int(np.flatnonzero(model.tokenize(TEXT)["id"] == model.mask_id)[0])
    steps = layer_steps(model.hidden_states(TEXT), model, layer=layer)
    neuron = 1 + int(np.abs(steps.neurons[position]).argmax())
    found, _ = words_of(steps, model, layer=layer, position=position, neuron=neuron, n=3)
    # After the last layer, reading off is what the network does: the scores with all neurons and without this one.
    with_it = hooked.logits(TEXT)[position]
    states = hooked.states_without(TEXT, layer, "neurons", [neuron - 1])[-1]
    without = model.logits(model.transform(states[[position]]))[0]
    raised = (with_it - without).astype(np.float64)
    raised -= raised[model.whole_words].mean()
    expected = [raised[model.ids[word]] for word in found["word"]]
    np.testing.assert_allclose(found["at_token"], expected, atol=2e-3)


def test_words_are_ranked_along_the_output_and_standardised(bundled):
    steps = layer_steps(bundled.hidden_states(TEXT), bundled, layer=4)
    found, rho = words_of(steps, bundled, layer=4, position=6, neuron=100, n=5)
    ids = np.flatnonzero(bundled.whole_words)
    projection, norm = bundled.output_transform
    with torch.no_grad():
        moved = projection.weight @ torch.tensor(output_rows(bundled, layer=4)[99]) * norm.weight
    scores = (bundled.matrix @ moved.numpy())[ids].astype(np.float64)
    z = (scores - scores.mean()) / scores.std()
    order = np.argsort(-z)
    right = [bundled.vocabulary[ids[i]] for i in (*order[:5], *order[::-1][:5])]
    assert found["word"].tolist() == right
    np.testing.assert_allclose(found["along"], [*z[order[:5]], *z[order[::-1][:5]]], atol=1e-3)
    assert found["side"].tolist() == [PROMOTED] * 5 + [SUPPRESSED] * 5 and -1 <= rho <= 1
    promoted, suppressed = extremes(output_rows(bundled, layer=4)[[99]], bundled)
    assert promoted == [", ".join(right[:3])] and suppressed == [", ".join(right[5:8])]


def test_random_directions_reach_what_normal_numbers_reach(bundled):
    """Each random direction has a word that stands out: no single one is a finding."""
    found = strongest_neurons.random_extremes(bundled)
    assert len(found) == strongest_neurons.RANDOM and (np.diff(found) >= 0).all()
    assert 4 < found.mean() < 6  # the largest of 20,000 normal numbers is 4 on average; these have heavier tails


def test_the_layer_norm_is_torchs(tiny):
    x = np.random.default_rng(0).normal(size=(3, 16)).astype(np.float32)
    norm = Hooked(tiny).layers[0].output.LayerNorm
    weights = (norm.weight.detach().numpy(), norm.bias.detach().numpy(), norm.eps)
    with torch.no_grad():
        np.testing.assert_allclose(layer_norm(x, weights), norm(torch.tensor(x)).numpy(), atol=1e-5)


SENTENCES = (
    "The king is red.", "The queen works as a king.", "He is a man!", "A river.", "The bank of Rome is blue.",
    "Paris is the capital of France.", "The woman is unable.", "She is.", "Green is a river?", "The man works.",
    "A bank is a bank.", "Italy is red.", "He works as a queen.",
)  # fmt: skip


@pytest.fixture(scope="module", params=["tiny", "tiny_distil"])
def everything(request):
    """A model, and for every sentence the activations (t, f) of layer 2 as hooks see them."""
    model = request.getfixturevalue(request.param)
    hooked = Hooked(model)
    return model, [hooked.steps(text, 2)["neurons"] for text in SENTENCES]


def test_the_best_sentences_are_found_among_all(everything):
    model, right = everything
    highest = np.stack([rows[1:-1].max(0) for rows in right])  # without [CLS] and [SEP]
    for neuron in (1, 9, 32):
        found = neuron_sentences(Corpus(SENTENCES), model, layer=2, neuron=neuron)
        order = np.argsort(-highest[:, neuron - 1])[: neuron_uses.K]
        assert found.best["text"].tolist() == [SENTENCES[i] for i in order]
        np.testing.assert_allclose(found.best["activation"], highest[order, neuron - 1], atol=1e-5)
        for row in found.best.itertuples():
            tokens = model.tokenize(row.text)
            rows = right[SENTENCES.index(row.text)]
            token = tokens["token"][1 + int(rows[1:-1, neuron - 1].argmax())]
            assert row.word == row.text[row.start : row.end]
            assert token.removeprefix("##") in row.word.lower()


def test_means_and_sample_are_those_of_all_words(everything):
    model, right = everything
    words = np.concatenate([rows[1:-1] for rows in right])
    special = np.concatenate([rows[[0, -1]] for rows in right])
    table = read_neurons(Corpus(SENTENCES), model, layer=2)
    assert table.tokens == len(words)
    np.testing.assert_allclose(table.mean, words.mean(0), atol=1e-5)
    np.testing.assert_allclose(table.special, special.mean(0), atol=1e-5)
    found = neuron_sentences(Corpus(SENTENCES), model, layer=2, neuron=5)
    np.testing.assert_allclose(found.sample, np.sort(words[:, 4]), atol=1e-5)  # fewer words than the sample can hold
    middle = float(np.median(words[:, 4]))
    assert found.share_below(middle) == pytest.approx((words[:, 4] < middle).mean(), abs=1.5 / len(words))
    assert found.share_below(-99) == 0 and found.share_below(99) == 1


def test_a_sample_of_a_longer_text_is_drawn_from_all_its_words(everything, monkeypatch):
    model, right = everything
    monkeypatch.setattr(neuron_uses, "SAMPLE", 20)
    table = read_neurons.__wrapped__(Corpus(SENTENCES), model, layer=2)
    assert len(table.sample) == 20 and len({tuple(place) for place in table.sample_at.tolist()}) == 20
    for (row, position), values in zip(table.sample_at, table.sample, strict=True):
        np.testing.assert_allclose(values, right[row][position], atol=1e-5)


def test_the_spread_goes_from_the_strongest_to_the_weakest(everything):
    model, _ = everything
    found = neuron_sentences(Corpus(SENTENCES), model, layer=2, neuron=3)
    assert found.spread["share"].tolist() == list(neuron_uses.QUANTILES)
    assert found.spread["activation"].is_monotonic_decreasing
    assert found.spread["activation"].iloc[0] == pytest.approx(found.sample[-1])


def test_fewer_sentences_than_are_kept_give_fewer(tiny):
    found = neuron_sentences(read_corpus("The king. The queen is red."), tiny, layer=1, neuron=2)
    assert len(found.best) == 2 and found.sentences == 2
    assert "In 2 sentences, neuron 2 of layer 1 is strongest at" in found.headline
    one = neuron_sentences(read_corpus("The king."), tiny, layer=1, neuron=2)
    assert one.headline.startswith("In 1 sentence, neuron 2")


def test_a_sentence_longer_than_the_model_is_read_in_parts(tiny):
    long = " ".join(["the king is red"] * 40)
    found = neuron_sentences(Corpus((long, "She is.")), tiny, layer=1, neuron=2)
    assert len(found.best) > 2 and found.sentences == 2
    for row in found.best.itertuples():
        assert row.word == row.text[row.start : row.end] != ""


def test_the_effort_grows_with_the_text_and_is_zero_afterwards(tiny):
    text = Corpus((*SENTENCES, "The river is a king."))
    assert 0 < neuron_uses.effort(text, tiny, layer=1) < neuron_uses.effort(built_in_corpus(), tiny, layer=1)
    read_neurons(text, tiny, layer=1)
    assert neuron_uses.effort(text, tiny, layer=1) == 0 < neuron_uses.effort(text, tiny, layer=2)


def test_a_neuron_or_a_word_that_does_not_exist_is_refused(tiny, monkeypatch):
    text = Corpus(SENTENCES)
    with pytest.raises(ValueError, match="no neuron 33. Choose 1 to 32"):
        neuron_sentences(text, tiny, layer=1, neuron=33)
    with pytest.raises(ValueError, match="0 neurons were asked for"):
        neurons(TEXT, tiny, layer=1, k=0)
    with pytest.raises(ValueError, match="no word in the text"):
        neuron_sentences(Corpus(("zzz qqq",)), tiny, layer=1, neuron=1)
    monkeypatch.setattr(neuron_uses, "MAX_TOKENS", 10)
    with pytest.raises(ValueError, match="more than 10 tokens"):
        read_neurons.__wrapped__(text, tiny, layer=1)


@pytest.mark.parametrize("name", ["tiny", "tiny_distil"])
def test_means_are_those_of_all_tokens(name, request, monkeypatch):
    model = request.getfixturevalue(name)
    monkeypatch.setattr(means_module, "SENTENCES", 7)
    found = mean_outputs.__wrapped__(model)
    corpus = wordlists.load("corpus")["sentence"]
    texts, hooked = corpus.iloc[:: len(corpus) // 7].head(7), Hooked(model)
    assert len(found) == model.layers
    for layer, means in enumerate(found, 1):
        seen = [hooked.steps(text, layer) for text in texts]
        for step, mean in (("heads", means.heads), ("neurons", means.neurons)):
            np.testing.assert_allclose(mean, np.concatenate([each[step] for each in seen]).mean(0), atol=1e-5)


def test_the_effort_grows_with_the_model_and_is_mostly_that_of_the_means_until_they_are_known(tiny, bundled, cold):
    assert 0 < of_means(tiny) < of_means(bundled) < 4  # the bundled model needs no button
    mean_outputs(tiny)
    assert of_means(tiny) == 0 < of_means(bundled)
    assert of_means(bundled) < effort(TEXT, bundled) < of_means(bundled) + 0.2
    neurons(TEXT, tiny, layer=1)
    assert 0 < effort(TEXT, tiny) < effort(" ".join([TEXT] * 2), tiny)
