"""A text that was kept is the one that was read, and is read again with other weights or layers."""

import numpy as np
import pytest

from embtools.occurrences import encoding
from embtools.occurrences.corpus import Corpus
from tests import kept

TEXT = Corpus(("The king is in Paris.", "A bank works.", "She is the queen of France."))


def test_a_kept_text_has_the_same_vectors_and_another_model_or_layer_others(tiny, tiny_distil, monkeypatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(kept, "LEAST", 3)
    first, again = (encoding.encode_layers(TEXT, tiny, combinations=("layer 2", "layer 1")) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        for name in ("vectors", "means", "lengths"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
            assert not getattr(other, name).flags.writeable
    told: list[float] = []
    monkeypatch.setattr(tiny, "encode_many", None)  # the network is not asked again
    encoding.encode_layers(TEXT, tiny, combinations=("layer 2", "layer 1"), progress=told.append)
    assert told[-1] == 1 and len(told) > 5
    with pytest.raises(TypeError):
        encoding.encode_layers(TEXT, tiny, combinations=("layer 1",))
    (other,) = encoding.encode_layers(TEXT, tiny_distil, combinations=("layer 2",))
    assert not np.allclose(other.vectors, first[0].vectors)
