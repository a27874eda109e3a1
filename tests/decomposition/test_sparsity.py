"""The way from few parts to many, against each penalty alone; and its lines."""

import numpy as np
import pytest

from embtools.charts import decomposition as charts
from embtools.decomposition import targets
from embtools.decomposition.parts import decompose
from embtools.decomposition.sparsity import SHARES, sparsity_path


def test_every_step_is_what_its_penalty_alone_gives(found, atoms, tiny):
    target = targets.occurrence(found, tiny, word="king")
    reported: list[float] = []
    path = sparsity_path(target, atoms, progress=reported.append)
    assert set(path["penalty"]) == set(SHARES) and reported[-1] == 1
    for penalty, rows in path.groupby("penalty"):
        alone = decompose(target, atoms, share=penalty)
        assert rows["word"].tolist() == alone.words["word"].tolist()
        np.testing.assert_allclose(rows["share"], alone.words["share"], atol=1e-6)
        assert set(rows["parts"]) == {len(alone.table)}
        figures = alone.figures.set_index("measure")["value"]
        assert rows["explained"].iloc[0] == pytest.approx(figures["share explained, with LASSO weights"], abs=1e-9)
    steps = path.drop_duplicates("penalty")
    assert steps["penalty"].is_monotonic_decreasing and steps["explained"].is_monotonic_increasing


def test_lines_show_the_heaviest_words_and_the_current_penalty(found, atoms, tiny):
    path = sparsity_path(targets.occurrence(found, tiny, word="king"), atoms)
    figure = charts.path(path, 0.3).figure
    assert len(figure.data) == 1 + min(charts.MOST_LINES, path["word"].nunique())
    assert len(figure.data[0].x) == path["penalty"].nunique() and figure.layout.shapes[0].x0 == 0.3
    for trace in figure.data[1:]:
        rows = path[path["word"] == trace.name].set_index("penalty")["share"]
        np.testing.assert_allclose(trace.y, [rows.get(penalty, 0) for penalty in path["penalty"].unique()], atol=1e-6)
