"""From texts to a dictionary: excerpts, gradients against torch, training that resumes, its quality, the file, and random weights."""

import lzma
import zlib
from dataclasses import replace
from hashlib import blake2b

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from embtools import load_model
from embtools.dictionary import quality
from embtools.dictionary.excerpt import LEAST_WORDS, excerpt
from embtools.dictionary.learn import HELD_OUT_EVERY, layer_of, learn
from embtools.dictionary.quality import Occurrences
from embtools.dictionary.random_model import write_random_model
from embtools.dictionary.training import Settings, gradients, train
from embtools.features.learned import LearnedDictionary, read
from embtools.features.sentences import compared_answers, sentence_words
from embtools.occurrences.folder.sampling import sample
from tests.small_dictionary import made

LINES = [f"paragraph {number} " + "word " * (8 + number % 5) for number in range(200)]


def test_paragraphs_are_those_with_the_lowest_hashes(tmp_path):
    plain, packed = tmp_path / "a.txt", tmp_path / "b.txt.xz"
    plain.write_text("\n\n".join([*LINES[:100], LINES[3], "A heading"]))
    packed.write_bytes(lzma.compress("\n".join(LINES[100:]).encode()))
    found = excerpt([plain, packed], words=400)
    for lines in (LINES[:100], LINES[100:]):
        order = sorted(map(str.strip, lines), key=lambda line: blake2b(line.encode(), digest_size=8).digest())
        own = [line for line in order if line in found]
        assert own == order[: len(own)]
        assert 200 <= sum(len(line.split()) for line in own) < 220
    assert len(set(found)) == len(found) and all(len(line.split()) >= LEAST_WORDS for line in found)
    assert excerpt([packed, plain], words=400) == found


def test_only_held_out_documents_are_used_on_request(tmp_path):
    """By hand: a document is held out if the CRC-32 of its lines is a multiple of 100; repeated lines were trained on."""
    rest = "word " * 9 + "end"
    documents = [[f"document {number} {rest}", f"line {number} {rest}"] for number in range(3_000)]
    held = [document for document in documents if zlib.crc32("\n".join(document).encode()) % 100 == 0]
    assert len(held) > 2
    path, other = tmp_path / "a.txt", tmp_path / "b.txt"
    path.write_text("\n\n".join("\n".join(document) for document in documents))
    other.write_text(f"{held[0][1]}\n{held[0][1]}")
    assert zlib.crc32(other.read_bytes()) % 100
    expected = {line for document in held for line in document}
    assert set(excerpt([path], words=10_000, held_out=True)) == expected
    assert set(excerpt([path, other], words=20_000, held_out=True)) == expected - {held[0][1]}
    assert set(excerpt([path], words=12, held_out=True)) < expected
    with pytest.raises(ValueError, match="No document of these texts is held out of training. Give larger texts."):
        excerpt([other], words=10, held_out=True)


def test_what_cannot_be_read_is_refused(tmp_path):
    for paths, words, message in (([], 10, "no texts"), ([tmp_path], 0, "1 or more")):
        with pytest.raises(ValueError, match=message):
            excerpt(paths, words=words)


SMALL = Settings(features=24, k=2, steps=60, batch=64, rate=0.01, resample_every=20, save_every=20)


def mixtures(n: int = 2_000, d: int = 12, features: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Vectors that are sums of two of some directions."""
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(features, d))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    codes = np.zeros((n, features))
    for row in codes:
        row[rng.choice(features, 2, replace=False)] = rng.uniform(1, 2, 2)
    return (codes @ directions).astype(np.float32), directions


def test_gradients_are_those_of_torch():
    rng = np.random.default_rng(0)
    vectors, directions, offsets = (rng.normal(size=size).astype(np.float32) for size in ((20, 6), (15, 6), 15))
    loss, slopes, flat, errors = gradients(vectors, directions, offsets, 4)
    weights, bias = torch.tensor(directions, requires_grad=True), torch.tensor(offsets, requires_grad=True)
    values, columns = (torch.tensor(vectors) @ weights.T + bias).topk(4, dim=1)
    codes = torch.zeros(20, 15).scatter(1, columns, values.relu())
    expected = ((codes @ weights - torch.tensor(vectors)) ** 2).sum(1).mean()
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-5)
    np.testing.assert_allclose(slopes, weights.grad, atol=1e-4)
    np.testing.assert_allclose(flat, bias.grad, atol=1e-4)
    assert (errors**2).sum(1).mean() == pytest.approx(loss, rel=1e-5)
    with pytest.raises(ValueError, match="the same d"):
        gradients(vectors, directions[:, :3], offsets, 4)


def test_known_features_are_found(tmp_path):
    vectors, directions = mixtures()
    settings = Settings(features=24, k=3, steps=600, batch=256, rate=0.01, resample_every=100, save_every=600)
    arrays = train(vectors, tmp_path, settings)
    np.testing.assert_allclose(np.linalg.norm(arrays["directions"], axis=1), 1, atol=1e-5)
    found = LearnedDictionary(1, 3, arrays["directions"], arrays["offsets"], arrays["centre"], {})
    shuffled = replace(found, directions=np.roll(found.directions, 5, axis=1))
    assert quality.fit(found, vectors)["explained"] > 0.8
    assert quality.fit(shuffled, vectors)["explained"] < 0.6
    assert np.median((arrays["directions"] @ directions.T).max(axis=0)) > 0.9


def test_a_run_that_was_stopped_reaches_the_same_weights(tmp_path):
    vectors, _ = mixtures()
    whole = train(vectors, tmp_path / "whole", SMALL)

    def stop(done: float) -> None:
        if done > 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(vectors, tmp_path / "parts", SMALL, progress=stop)
    steps = []
    resumed = train(vectors, tmp_path / "parts", SMALL, progress=steps.append)
    assert len(steps) == 20  # from the checkpoint at step 40
    for name, array in whole.items():
        np.testing.assert_array_equal(resumed[name], array)
    again = train(vectors, tmp_path / "parts", SMALL, progress=steps.append)
    assert again["offsets"].tolist() == whole["offsets"].tolist() and len(steps) == 20


def test_a_checkpoint_of_something_else_is_refused(tmp_path):
    vectors, _ = mixtures()
    train(vectors, tmp_path, SMALL)
    with pytest.raises(ValueError, match="other settings or vectors"):
        train(vectors[:-1], tmp_path, SMALL)
    (tmp_path / "checkpoint" / "about.json").write_text("nonsense")
    with pytest.raises(ValueError, match="damaged"):
        train(vectors, tmp_path, SMALL)


@pytest.mark.parametrize("wrong", [{"features": 0}, {"k": 25}, {"save_every": 0}])
def test_numbers_have_limits(tmp_path, wrong):
    with pytest.raises(ValueError, match=r"choose|Give"):
        train(mixtures()[0], tmp_path, Settings(**{**vars(SMALL), **wrong}))


AXES = LearnedDictionary(1, 1, np.eye(3, 2, dtype=np.float32), np.zeros(3, np.float32), np.zeros(2, np.float32), {})


def test_an_example_by_hand():
    vectors = np.array([[2.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
    # The sums are (2, 0), (0, 1) and (0, 0): the only error is (1, 1). The mean is (1/3, 0).
    whole = ((vectors - vectors.mean(0)) ** 2).sum()
    found = quality.fit(AXES, vectors)
    assert found == pytest.approx({"explained": 1 - 2 / whole, "dead": 1 / 3, "active": 2 / 3})


def test_the_ten_strongest_words_of_each_feature_are_compared():
    vectors = np.concatenate([np.outer(np.arange(1, 13), [1.0, 0.0]), np.outer(np.arange(1, 12), [0.0, 1.0])])
    words = np.array(["a"] * 2 + ["b"] * 5 + ["c"] * 5 + ["d"] * 11, object)
    meanings = {"a": np.ones(2), "b": np.array([1.0, 0.0]), "c": np.array([1.0, 1.0]), "d": np.ones(2)}
    found = quality.interpretability(AXES, Occurrences(vectors, words), meanings)
    # The first feature is strongest at 5 c and 5 b, the second at d alone; the third is never active.
    expected = {"judged": 2, "one_word": 0.5, "different_words": 1.5, "similarity": np.sqrt(0.5)}
    assert found == pytest.approx(expected)
    chance = quality.by_chance(Occurrences(vectors, words), meanings, draws=50)
    assert 1 < chance["different_words"] <= 4
    with pytest.raises(ValueError, match="occurrences"):
        quality.interpretability(AXES, Occurrences(vectors, words[:3]), meanings)
    with pytest.raises(ValueError, match="At least 10"):
        quality.by_chance(Occurrences(vectors[:4], words[:4]), meanings)


def test_answers_are_compared_with_those_of_the_reconstructed_vectors(tiny):
    own, text = made(tiny), "the king is a man of rome"
    found = quality.answers([text, "the", text], tiny, dictionary=own, seed=3)
    rng, kl = np.random.default_rng(3), []
    for _ in range(2):
        words = text.split()
        words[rng.integers(len(words))] = "[MASK]"
        read = sentence_words(" ".join(words), tiny, layer=1)
        moved = read.moved(own.reconstruct(own.codes(read.vectors)) - read.vectors)
        place = words.index("[MASK]") + 1
        frame, _ = compared_answers(np.array([read.states, moved]), tiny, layer=1, position=place)
        kl.append(frame["kl_bits"][1])
    assert found["asked"] == 2 and found["kl_bits"] == pytest.approx(np.mean(kl))
    with pytest.raises(ValueError, match="sentences in which a word can be masked"):
        quality.answers(["the"], tiny, dictionary=own)


def test_meanings_are_centred_static_embeddings(tiny):
    found = quality.meanings(["king", "unable", "king"], tiny)
    centre = tiny.matrix[tiny.whole_words].mean(0)
    np.testing.assert_allclose(found["king"], tiny.vector("king") - centre, atol=1e-6)
    pieces = tiny.matrix[[tiny.ids["un"], tiny.ids["##able"]]].mean(0)
    np.testing.assert_allclose(found["unable"], pieces - centre, atol=1e-6)


def test_weights_are_drawn_as_before_training(tiny, tiny_folder, tmp_path):
    write_random_model(tiny_folder, tmp_path / "random")
    own, drawn = (load_file(folder / "model.safetensors") for folder in (tiny_folder, tmp_path / "random"))
    assert {name: array.shape for name, array in own.items()} == {name: array.shape for name, array in drawn.items()}
    words = drawn["bert.embeddings.word_embeddings.weight"]
    assert words.std() == pytest.approx(0.3, rel=0.1)  # initializer_range of the configuration
    norm = "bert.encoder.layer.0.output.LayerNorm"
    assert (drawn[f"{norm}.weight"] == 1).all() and (drawn[f"{norm}.bias"] == 0).all()
    model = load_model(str(tmp_path / "random"))
    assert model.checksum != tiny.checksum and model.vocabulary == tiny.vocabulary
    assert np.isfinite(model.hidden_states("rome is the capital")).all()
    write_random_model(tiny_folder, tmp_path / "again")
    assert load_model(str(tmp_path / "again")).checksum == model.checksum


SETTINGS = Settings(features=32, k=3, steps=30, batch=64, rate=0.01, resample_every=10, save_every=10)


@pytest.fixture
def learned(folders, tmp_path):
    out = tmp_path / "out" / "dictionary-1.safetensors"
    return learn(*folders[0], out=out, run=tmp_path / "run", settings=SETTINGS, control=folders[1]), out


def test_the_file_holds_the_dictionary_and_its_figures(folders, learned):
    folder, model = folders[0]
    made, out = learned
    found = read(out)
    rows = sample(folder, 10_000)
    held = rows.table["sentence"].to_numpy() % HELD_OUT_EVERY == 0
    assert found.checksum == model.checksum and found.layer == 1 and len(found) == 32
    assert found.about["held_out"] == held.sum() > 0 and found.about["occurrences"] == (~held).sum()
    own, *others = found.about["quality"]
    expected = quality.fit(found, np.asarray(rows.vectors[held]))
    assert {name: own[name] for name in expected} == pytest.approx(expected, abs=1e-4)
    names = ["random directions", "random occurrences", "model with random weights", "random sets of words"]
    assert [row["dictionary"] for row in others] == names
    assert all(row["asked"] > 0 for row in (own, *others[:3])) and "explained" not in others[3]
    np.testing.assert_allclose(found.directions, made.directions, atol=1e-3)


def test_folders_of_other_models_or_several_layers_are_refused(folders, tmp_path, monkeypatch):
    (folder, _), (_, other) = folders
    with pytest.raises(ValueError, match="was encoded with the model"):
        learn(folder, other, out=tmp_path / "x.safetensors", run=tmp_path / "run", settings=SETTINGS)
    monkeypatch.setitem(folder.about["fingerprint"], "recipe", "sum of last four")
    with pytest.raises(ValueError, match="--layers 3"):
        layer_of(folder)
