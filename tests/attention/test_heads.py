"""The names of heads, and heads combined, compared with the network."""

import numpy as np
import pytest

from embtools.attention import heads
from embtools.attention.reading import read, shares

TEXT = "The king is unable, the bank is a river."


def test_combined_heads_are_means_of_the_networks_attention(tiny, eager) -> None:
    reading = read(TEXT, tiny)
    given = shares(reading, tiny, source=["king"])
    right = reading.to_words(eager(tiny, reading.tokens)[:, :, 2])
    for chosen, row in (("2.1", right[1, 0]), ("layer 1", right[0].mean(0)), (heads.ALL, right.mean((0, 1)))):
        found = heads.combined(reading, tiny, given=given, source=["king"], heads=chosen)
        np.testing.assert_allclose(found, row, atol=1e-5)


@pytest.mark.parametrize("unknown", ["3.1", "1.3", "layer 3", ""])
def test_heads_that_the_model_does_not_have_are_refused(unknown) -> None:
    with pytest.raises(ValueError, match="Choose a layer from 1 to 2 and a head from 1 to 2"):
        heads.single_head(unknown, 2, 2)
