"""All occurrences as vectors, compared with a plain loop over the hidden states."""

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from embtools import memory
from embtools.layer_combinations import combination_names
from embtools.mask_filling.edited_models import edited_model
from embtools.occurrences import encoding
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.encoding import encode_corpus, encode_layers, encode_part, encoded

SENTENCES = ("The bank of Paris, France.", "Works unable!", "He is the king.", "bank")


@pytest.fixture(autouse=True)
def fresh():
    memory.forget()
    yield
    memory.forget()


@pytest.mark.parametrize("combination", combination_names(2))
def test_every_vector_agrees_with_a_plain_loop(tiny, combination):
    found = encode_corpus(Corpus(SENTENCES), tiny, combination=combination)
    from_hand = {
        "layer 0": lambda s: s[0], "layer 1": lambda s: s[1], "layer 2": lambda s: s[2],
        "second-to-last layer": lambda s: s[1], "sum of last four": lambda s: s[1] + s[2],
        "concatenation of last four": lambda s: np.concatenate([s[2], s[1]], -1), "sum of all layers": lambda s: s[1] + s[2],
    }[combination]  # fmt: skip
    row = 0
    for number, sentence in enumerate(SENTENCES):
        tokens = from_hand(tiny.hidden_states(sentence))
        frame = tiny.tokenize(sentence)
        assert found.means[number] == pytest.approx(tokens.mean(0), abs=1e-5)
        for _, word in frame[frame["word"] >= 0].groupby("word"):
            name = "".join(word["token"]).replace("##", "")
            if not name.isalnum() or name == "[UNK]":
                continue
            place = found.table.iloc[row]
            assert (place["word"], place["sentence"]) == (name, number)
            assert sentence[place["start"] : place["end"]].lower() == name
            assert (place["position"], place["pieces"]) == (word["position"].iloc[0], len(word))
            assert found.vectors[row] == pytest.approx(tokens[word["position"]].mean(0), abs=1e-5)
            row += 1
    assert row == len(found.table) == len(found.vectors)
    assert found.lengths == pytest.approx(np.linalg.norm(found.vectors, axis=1))


def test_the_built_in_corpus(bundled):
    part = built_in_corpus().having("bank")
    found = encode_corpus(part, bundled, combination="sum of last four")
    rows = found.of("bank")
    assert found.table["sense"][rows].tolist() == ["money"] * 4 + ["river"] * 4 + [""]
    for row in rows:
        place = found.table.loc[row]
        states = bundled.hidden_states(part.sentences[place["sentence"]])[-4:].sum(0)
        assert found.vectors[row] == pytest.approx(states[place["position"]], abs=1e-4)
    assert not found.vectors.flags.writeable and not found.means.flags.writeable
    assert found.cut == 0 and found.left_out == sum(s.count(".") + s.count(",") for s in part.sentences)


def test_a_sentence_longer_than_the_model_reads_is_cut_between_words(tiny):
    sentence = "king queen unable " * 30  # 120 tokens; 62 and two special tokens are read at once
    found = encode_corpus(Corpus((sentence.strip(),), (("king", "ruler"),)), tiny, combination="layer 1")
    assert found.cut == 1 and len(found.sentences) == 2 and len(found.table) == 90
    assert " ".join(found.sentences).split() == sentence.split()
    for row, place in found.table.iterrows():
        text = found.sentences[place["sentence"]]
        assert text[place["start"] : place["end"]] == place["word"]
        assert (place["sense"] == "ruler") == (place["word"] == "king")
        if row % 17 == 0:
            positions = [place["position"] + i for i in range(place["pieces"])]
            assert found.vectors[row] == pytest.approx(tiny.hidden_states(text)[1, positions].mean(0), abs=1e-5)


def test_a_word_longer_than_all_that_the_model_reads_is_left_out(tiny):
    found = encode_corpus(Corpus(("un" + "able" * 20 + " king", "queen")), tiny, combination="layer 0")
    assert found.table["word"].tolist()[-1] == "queen"


def test_results_are_cached_by_content_layer_and_model(tiny, tiny_cased):
    first = encode_corpus(Corpus(SENTENCES), tiny, combination="layer 1")
    assert encode_corpus(Corpus(tuple(SENTENCES)), tiny, combination="layer 1") is first
    assert encoded(Corpus(SENTENCES), tiny, combination="layer 1") and not encoded(
        Corpus(SENTENCES), tiny, combination="layer 2"
    )
    assert not encoded(Corpus(SENTENCES), tiny_cased, combination="layer 1")
    assert encode_corpus(Corpus(SENTENCES), tiny, combination="layer 2") is not first


def test_a_stopped_computation_leaves_nothing_and_progress_grows(tiny):
    class Stopped(Exception):
        pass

    def stop(done):
        if done > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        encode_corpus(Corpus(SENTENCES), tiny, combination="layer 1", progress=stop)
    assert not encoded(Corpus(SENTENCES), tiny, combination="layer 1")
    reported: list[float] = []
    encode_corpus(Corpus(SENTENCES * 50), tiny, combination="layer 1", progress=reported.append)
    assert reported == sorted(reported) and reported[0] == 0 and reported[-1] == pytest.approx(1)


def test_limits(tiny, monkeypatch):
    with pytest.raises(ValueError, match="no word in the text"):
        encode_corpus(Corpus(("?!", "☃")), tiny, combination="layer 1")
    with pytest.raises(ValueError, match="no word in the text"):
        encode_corpus(Corpus(()), tiny, combination="layer 1")
    monkeypatch.setattr(encoding, "MAX_OCCURRENCES", 5)
    with pytest.raises(ValueError, match="at most 5 are allowed"):
        encode_corpus(Corpus(SENTENCES), tiny, combination="layer 1")
    monkeypatch.setattr(encoding, "MAX_OCCURRENCES", 50)
    monkeypatch.setattr(encoding, "MOST_BYTES", 2_000)
    with pytest.raises(ValueError, match="memory"):
        encode_corpus(Corpus(SENTENCES), tiny, combination="concatenation of last four")
    assert len(encode_corpus(Corpus(SENTENCES), tiny, combination="layer 1").table) == 12


def test_several_combinations_run_the_model_once(tiny):
    names = combination_names(2)
    for found, name in zip(encode_layers(Corpus(SENTENCES), tiny, combinations=names), names, strict=True):
        alone = encode_corpus(Corpus(SENTENCES), tiny, combination=name)
        assert found.combination == name and found.table.equals(alone.table)
        np.testing.assert_array_equal(found.vectors, alone.vectors)
        np.testing.assert_array_equal(found.means, alone.means)


def test_cosines_agree_with_scipy(tiny):
    found = encode_corpus(Corpus(SENTENCES), tiny, combination="layer 2")
    expected = [1 - cosine(vector, found.vectors[3]) for vector in found.vectors]
    assert found.cosines(found.vectors[3]) == pytest.approx(expected, abs=1e-6)
    table = found.described(np.array([4, 3]), cosine=[1.0, 0.5])
    assert table["text"].tolist() == [SENTENCES[found.table["sentence"][row]] for row in (4, 3)]
    for row in table.itertuples():
        assert row.text[row.start : row.end].lower() == row.word


def test_a_part_is_taken_from_the_encoded_whole(tiny, monkeypatch):
    whole = Corpus(("He is the king.", "The bank of Paris.", "The king of France."))
    part = whole.having("king")
    fresh = encode_part(part, tiny, whole=whole, combination="layer 1")
    encode_corpus(whole, tiny, combination="layer 1")
    monkeypatch.setattr(encoding, "encode_layers", None)  # nothing is encoded from here on
    memory_of_part = encode_part(part, tiny, whole=whole, combination="layer 1")
    assert memory_of_part.sentences == fresh.sentences == part.sentences
    assert memory_of_part.table.equals(fresh.table)
    for name in ("vectors", "lengths", "means"):
        np.testing.assert_allclose(getattr(memory_of_part, name), getattr(fresh, name), atol=1e-5)
        assert not getattr(memory_of_part, name).flags.writeable


def test_sentences_that_are_not_in_the_whole_or_were_cut_are_encoded(tiny):
    whole, other = Corpus(("He is the king.",)), Corpus(("The bank of Paris.",))
    encode_corpus(whole, tiny, combination="layer 1")
    assert encode_part(other, tiny, whole=whole, combination="layer 1").sentences == other.sentences
    long = Corpus((" ".join(["king"] * 200), "He is the king."))
    cut = encode_corpus(long, tiny, combination="layer 1")
    assert cut.cut and cut.only(long.part([1])) is None
    assert encode_part(long.part([1]), tiny, whole=long, combination="layer 1").sentences == ("He is the king.",)


@pytest.mark.parametrize("combination", ["layer 0", "concatenation of last four"])
def test_an_edited_model_reads_only_the_sentences_with_an_edited_word(tiny, combination, monkeypatch):
    edited = edited_model(["king = queen", "bank = river"], tiny)
    (expected,) = encode_layers(Corpus(SENTENCES), edited, combinations=(combination,))
    before = encode_corpus(Corpus(SENTENCES), tiny, combination=combination)
    read, own = [], type(tiny).encode_many
    monkeypatch.setattr(
        type(tiny), "encode_many", lambda self, rows, *more: read.extend(rows) or own(self, rows, *more)
    )
    found = encode_corpus(Corpus(SENTENCES), edited, combination=combination)
    assert len(read) == 3 and found.sentences == before.sentences and found.combination == combination
    for name in ("vectors", "means", "lengths"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-5)
        assert not getattr(found, name).flags.writeable
    same = found.table["sentence"].to_numpy() == 1  # "Works unable!"
    np.testing.assert_array_equal(found.vectors[same], before.vectors[same])
    assert np.abs(found.vectors[~same] - before.vectors[~same]).max() > 0.01
    # Nothing is read for a corpus without the words, and its vectors take no memory of their own.
    del read[:]
    none = edited_model(["rome = italy"], tiny)
    assert encode_corpus(Corpus(SENTENCES), none, combination=combination).vectors is before.vectors and not read
