"""The chart of published numbers and this model's."""

import numpy as np
import pandas as pd

from embtools.charts.paper import beside

FRAME = pd.DataFrame(
    [("A2", "rome: france", "probability", 0.929, 0.714), ("B6", "<b>", "cosine", 0.94, 0.87)],
    columns=["id", "of", "kind", "published", "here"],
)


def test_a_row_a_number_with_both_ends() -> None:
    lines, published, here = beside.dumbbells(FRAME).data
    np.testing.assert_allclose(published.x, FRAME["published"], rtol=1e-6)
    np.testing.assert_allclose(here.x, FRAME["here"], rtol=1e-6)
    assert list(published.y) == list(here.y) == [1, 0] and np.isnan(lines.x[2::3]).all()
    assert beside.dumbbells(FRAME).layout.yaxis.ticktext == ("A2 rome: france", "B6 &lt;b&gt;")


def test_the_alternative_names_the_furthest_pair() -> None:
    assert "most for “rome: france” (published 0.93, this model 0.71)." in beside.alt(FRAME)
    assert beside.alt(FRAME.head(0)) == "No number has been computed yet."
