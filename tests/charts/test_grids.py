"""Heatmap of layer combinations and poolings."""

import numpy as np
import pandas as pd
import pytest

from embtools.charts import grids
from embtools.layer_combinations import POOLINGS, combination_names
from embtools.words.overlap import CONTROL


@pytest.fixture
def scores():
    names = [(combination, pooling) for combination in combination_names(2) for pooling in POOLINGS]
    frame = pd.DataFrame(names, columns=["combination", "pooling"])
    frame["auc"] = np.random.default_rng(0).random(len(frame))
    frame.loc[len(frame)] = (CONTROL, "control", 2.0)
    return frame


def test_the_grid_outlines_the_chosen_cell(scores):
    chart = grids.combinations(scores, "auc", ("layer 1", "sentence: mean"), 0.5, "AUC")
    figure = chart.figure
    own = scores.iloc[:-1]
    table = own.pivot(index="combination", columns="pooling", values="auc")
    (outline,) = figure.layout.shapes
    row, column = int(outline.y0 + 0.5), int(outline.x0 + 0.5)
    assert figure.data[0].z[row][column] == pytest.approx(table.loc["layer 1", "sentence: mean"])
    assert sorted(figure.data[0].z.ravel()) == pytest.approx(sorted(own["auc"]), abs=1e-6)
    best = own.loc[own["auc"].idxmax()]
    assert f"highest {best['auc']:.2f} ({best['combination']}, {best['pooling']})" in chart.alt


def test_a_grid_without_scores_says_so(scores):
    assert grids.grid_alt(scores.assign(auc=np.nan), "auc", "AUC").endswith("there is nothing to compare.")
