"""A shard as a table, compared with the corpus that is encoded in memory."""

import numpy as np
import pyarrow as pa
import pytest

from embtools.occurrences.corpus import Corpus
from embtools.occurrences.encoding import encode_corpus
from embtools.occurrences.folder.encoder import ModelEncoder, encode_shard, machine, occurrence_table, vectors_of
from embtools.occurrences.folder.shards import SENTENCES, WORDS

TEXTS = ("The bank of Paris, France.", "Works unable!", "He is the king, he is.", "bank", "Xylophone ,")


def shard(texts=TEXTS, first=0):
    return pa.table([range(first, first + len(texts)), [0] * len(texts), texts], schema=SENTENCES)


@pytest.mark.parametrize("combination", ["layer 1", "sum of last four", "concatenation of last four"])
def test_the_table_is_the_corpus_in_memory_sorted_by_word(tiny, combination):
    table, known = (
        encode_shard(shard(first=7), tiny, combination=combination),
        encode_corpus(Corpus(TEXTS), tiny, combination=combination),
    )
    frame = table.drop_columns(["vector"]).to_pandas()
    assert [*zip(frame["word"], frame["occ"], strict=True)] == sorted(zip(frame["word"], frame["occ"], strict=True))
    order = frame["occ"].argsort()  # the order of the text, which is that in memory
    assert frame["word"].iloc[order].tolist() == known.table["word"].tolist()
    for column in ("position", "pieces"):
        assert frame[column].iloc[order].tolist() == known.table[column].tolist()
    assert (frame["sentence"] == frame["occ"] // WORDS).all() and frame["sentence"].min() == 7
    vectors = vectors_of(table)
    assert vectors.dtype == np.float16 and vectors[order] == pytest.approx(known.vectors, rel=1e-3, abs=1e-3)
    assert frame["norm"].to_numpy() == pytest.approx(np.linalg.norm(vectors.astype(np.float64), axis=1), rel=1e-6)
    for row in frame.to_dict("records"):
        _, places = tiny.words(TEXTS[row["sentence"] - 7])
        _, _, start, end = places[row["occ"] % WORDS]
        assert TEXTS[row["sentence"] - 7][start:end].lower() == row["word"]


def test_what_is_cut_and_left_out_is_counted(tiny):
    long = " ".join(["king queen ,"] * 40)
    table = encode_shard(shard((long, "rome xylophone .")), tiny, combination="layer 1")
    said = {key.decode(): int(value) for key, value in table.schema.metadata.items()}
    assert said["cut"] == 1 and said["left_out"] == 42 and len(table) == 81
    assert len(set(table["occ"].to_pylist())) == 81
    assert said["pieces"] == 120 + 3 + 2 * 3  # the long one in two rows


def test_the_table_depends_on_the_shard_alone(tiny):
    once = encode_shard(shard(), tiny, combination="layer 1")
    encode_shard(shard(("rome",)), tiny, combination="layer 1")
    assert encode_shard(shard(), tiny, combination="layer 1").equals(once, check_metadata=True)
    assert len(encode_shard(shard(("xylophone",)), tiny, combination="layer 1")) == 0


def test_fingerprints_differ_between_models_tokenizers_and_combinations(tiny_folder, tiny):
    encoder = ModelEncoder(str(tiny_folder), "layer 1")
    known = encoder.fingerprint()
    assert known["weights"] == tiny.checksum and known["tokenizer"] == tiny.tokenizer_checksum
    assert ModelEncoder(str(tiny_folder), "layer 2").fingerprint() != known
    assert encoder(shard()).equals(encode_shard(shard(), tiny, combination="layer 1"))
    with pytest.raises(ValueError, match="no layer combination 'layer 9'"):
        ModelEncoder(str(tiny_folder), "layer 9").fingerprint()
    assert ModelEncoder(str(tiny_folder), "layer 1", "cuda").fingerprint() != known
    assert machine().strip()


def test_a_missing_device_is_refused(tiny_folder):
    import torch

    encoder = ModelEncoder(str(tiny_folder), "layer 1", "cuda")
    if torch.cuda.is_available():
        near = vectors_of(encoder(shard())), vectors_of(ModelEncoder(str(tiny_folder), "layer 1")(shard()))
        assert near[0] == pytest.approx(near[1], abs=2e-3)
    else:
        with pytest.raises(ValueError, match="cannot compute on 'cuda'. Leave out --gpus"):
            encoder(shard())


def test_vectors_too_long_for_half_precision_are_refused(tiny, monkeypatch):
    monkeypatch.setattr("embtools.occurrences.folder.encoder.combine", lambda states, combination: states[1] * 1e6)
    with pytest.raises(ValueError, match="too large for half precision"):
        encode_shard(shard(), tiny, combination="layer 1")


def test_rows_are_sorted_with_their_vectors():
    table = occurrence_table(
        [5, 2, 9], ["b", "b", "a"], [1, 1, 1], [1, 1, 1], np.eye(3, dtype=np.float16), {"pieces": 3}
    )
    assert table["occ"].to_pylist() == [9, 2, 5] and vectors_of(table).tolist() == np.eye(3)[[2, 1, 0]].tolist()
    assert vectors_of(table.slice(1, 1)).tolist() == [[0, 1, 0]]
