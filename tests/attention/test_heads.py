"""The names of heads, and heads combined, compared with the network; and the overview of all heads."""

from dataclasses import replace

import numpy as np
import pytest

from embtools.attention import heads
from embtools.attention.attended import attend
from embtools.attention.reading import read, read_all, shares
from embtools.charts.attention import heads as charts

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


def test_two_results_are_drawn_with_the_same_colours(tiny) -> None:
    found = attend(read_all(TEXT, tiny), tiny, source=["king"], target=["bank"], heads=heads.STRONGEST)
    weak = replace(found, cells=found.cells.assign(share=found.cells["share"] / 4))
    most = charts.strongest([weak, found])
    assert most == pytest.approx(found.cells["share"].max())
    heats = [charts.heads(result, most=most).figure.data[0] for result in (weak, found)]
    assert heats[0].zmax == heats[1].zmax == pytest.approx(most)
    np.testing.assert_allclose(heats[0].z * 4, heats[1].z, atol=1e-6)
