"""Fitting a tuned lens, also from the command line."""

from shutil import copytree

import numpy as np
import pytest
from scipy.special import log_softmax
from scipy.stats import entropy
from sklearn.linear_model import Ridge

from embtools import load_model
from embtools.chance import generator
from embtools.lens.__main__ import main
from embtools.lens.fit import Settings, fit, least_squares, masked_states, quality
from embtools.models.tuned_lens import FILE, TunedLens, lens_of, read
from embtools.occurrences.folder.reading import CorpusFolder
from tests.lens.conftest import TEXTS

SMALL = Settings(masks=60, steps=20, batch=16, rate=1e-2)


def test_a_seventh_of_the_tokens_is_masked_and_every_state_is_that_of_the_model(tiny):
    """By hand for one text: the masks are tokens of words, and the states are those of the masked text."""
    texts = TEXTS[:8]
    states = masked_states(texts, tiny, most=1_000, seed=3)
    lengths = [len(tiny.tokenize(text)) - 2 for text in texts]
    assert states.shape == (3, sum(max(1, round(0.15 * n)) for n in lengths), 16)
    (one,) = masked_states(texts[:1], tiny, most=1, seed=3).transpose(1, 0, 2)
    words = tiny.tokenize(texts[0])["token"].tolist()[1:-1]
    masked = [" ".join([*words[:at], "[MASK]", *words[at + 1 :]]) for at in range(len(words))]
    every = [tiny.hidden_states(text)[:, at + 1] for at, text in enumerate(masked)]
    assert any(np.allclose(one, each, atol=1e-5) for each in every)
    assert masked_states(texts, tiny, most=5).shape[1] == 5


def test_least_squares_are_the_ridge_regression_of_scikit_learn():
    rng = np.random.default_rng(0)
    states = rng.normal(size=(3, 50, 4))
    weights, biases = least_squares(states)
    for layer in range(2):
        centred = states[layer] - states[layer].mean(0)
        ridge = Ridge(alpha=1e-3 * np.trace(centred.T @ centred) / 4).fit(states[layer], states[2])
        assert weights[layer] == pytest.approx(ridge.coef_, abs=1e-5)
        assert biases[layer] == pytest.approx(ridge.intercept_, abs=1e-5)
    few, _ = least_squares(rng.normal(size=(2, 3, 10)))  # fewer masks than dimensions
    assert np.isfinite(few).all()


def test_the_quality_is_the_divergence_of_scipy(tiny):
    states = masked_states(TEXTS, tiny, most=150)
    rng = np.random.default_rng(1)
    lens = TunedLens(rng.normal(size=(2, 16, 16)).astype(np.float32), np.zeros((2, 16), np.float32), {})
    rows, mean = quality(states, tiny, lens=lens)
    final = np.exp(log_softmax(tiny.logits(tiny.transform(states[-1])).astype(float), axis=1))
    for layer, row in enumerate(rows):
        translated = states[layer] @ lens.weights[layer].T
        for name, vectors in (("logit_lens", states[layer]), ("tuned_lens", translated)):
            found = np.exp(log_softmax(tiny.logits(tiny.transform(vectors)).astype(float), axis=1))
            assert row[name] == pytest.approx(entropy(final, found, base=2, axis=1).mean(), abs=1e-3)
            assert row[f"{name}_same_top"] == pytest.approx((found.argmax(1) == final.argmax(1)).mean(), abs=1e-4)
        assert row["layer"] == layer
    assert mean == pytest.approx(entropy(final, final.mean(0), base=2, axis=1).mean(), abs=1e-3)


def test_a_fitted_lens_is_better_on_sentences_that_were_held_out(folder, tiny, tmp_path):
    out = tmp_path / "new" / "lens.safetensors"
    lens = fit(CorpusFolder.open(str(folder)), tiny, out=out, settings=SMALL)
    assert (lens.quality["tuned_lens"] < lens.quality["logit_lens"]).all()
    assert lens.about["weights"] == tiny.checksum and lens.about["masks"] + lens.about["held_out"] <= 60
    found = read(out)
    assert np.array_equal(found.weights, lens.weights) and found.about == lens.about | {"schema": "1"}
    again = tmp_path / "again.safetensors"
    fit(CorpusFolder.open(str(folder)), tiny, out=again, settings=SMALL)
    assert again.read_bytes() == out.read_bytes()


def test_without_gradient_steps_the_file_holds_least_squares(folder, tiny, tmp_path):
    """By hand: the sentences that are not held out, in their random order, and the numbers of a float16 file."""
    opened, settings = CorpusFolder.open(str(folder)), Settings(masks=60, steps=0, batch=16, seed=5)
    lens = fit(opened, tiny, out=tmp_path / "a", settings=settings)
    order = generator(5, 1).permutation(opened.about["sentences"])
    texts = opened.sentences([int(number) for number in order if number % 10])
    weights, biases = least_squares(masked_states(texts, tiny, most=54, seed=5))
    assert np.array_equal(lens.weights, weights.astype(np.float16).astype(np.float32))
    assert np.array_equal(lens.biases, biases.astype(np.float16).astype(np.float32))
    with pytest.raises(ValueError, match="0 masks were asked for"):
        fit(opened, tiny, out=tmp_path / "a", settings=Settings(masks=0))


# The command line: fitting, and wrong input


def test_a_fitted_lens_is_found_in_the_folder_of_its_model(folder, tiny_folder, tmp_path, capsys):
    model = copytree(tiny_folder, tmp_path / "model")
    small = ["--masks", "60", "--steps", "2", "--batch", "8"]
    assert main([str(folder), "--model", str(model), "--out", str(model / FILE), *small]) == 0
    printed = capsys.readouterr()
    assert (
        "tuned_lens" in printed.out and "Mean answer of all masks:" in printed.out and "fitting … 100%" in printed.err
    )
    assert lens_of(load_model(str(model))) is not None


@pytest.mark.parametrize(
    ("given", "message"),
    [(["missing"], "no corpus.json"), (["FOLDER", "--masks", "0"], "0 masks were asked for")],
)
def test_wrong_input_is_reported(given, message, folder, tiny_folder, tmp_path, capsys):
    given = [str(folder) if part == "FOLDER" else part for part in given]
    assert main([*given, "--model", str(tiny_folder), "--out", str(tmp_path / "x")]) == 1
    assert message in capsys.readouterr().err
