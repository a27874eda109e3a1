"""Charts of the similarity of layers: within a model, and between two models."""

import pandas as pd

from embtools.charts.chart import Chart
from embtools.charts.layers.survey import similarity_heatmap
from embtools.layers.similar_layers import LayerSimilarity, between
from embtools.statistics.decimals import decimal


def layers(result: LayerSimilarity) -> Chart:
    """Heatmap of the similarity of every two layers of a model."""
    alt = f"Similarity of layers (CKA) on {len(result.keys)} words. {result.headline}"
    return similarity_heatmap(result.similarity, result.table.round(4), alt)


def of_both(first: LayerSimilarity, second: LayerSimilarity, names: tuple[str, str]) -> Chart:
    """Heatmap of the similarity of every layer of a model, by row, with every layer of another one, by column."""
    result = between(first, second)
    frame = pd.DataFrame(result.similarity.round(4))
    frame.insert(0, "layer", range(len(frame)))
    row, column = result.most_similar
    alt = (
        f"Similarity (CKA) of the layers of {names[0]} and {names[1]} on {result.words} words. Of the layers above"
        f" layer 0, layers {row} and {column} are the most similar ({decimal(result.similarity[row, column])})."
    )
    chart = similarity_heatmap(result.similarity, frame.rename(columns=str), alt)
    chart.figure.update_layout(
        xaxis={"title": f"layer of {names[1]}"}, yaxis={"title": f"layer of {names[0]}", "scaleanchor": None}
    )
    return chart
