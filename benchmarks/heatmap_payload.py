"""Size of the data for a heatmap of 150 words with its tree, compared with its cells written as lists.

python -m benchmarks.heatmap_payload    (needs no model: the size does not depend on the values)
"""

import json

import numpy as np
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from benchmarks.measure import interleaved, report
from embtools.charts import matrix as charts
from embtools.charts.matrix_cells import CLICKABLE
from embtools.similarity.matrix import Similarity, table_of


def example(n: int) -> Similarity:
    """n random vectors compared, with names of a usual length."""
    values = table_of(np.random.default_rng(0).normal(size=(n, 384)).astype(np.float32))
    merges = hierarchy.linkage(squareform(1 - values, checks=False), "average", optimal_ordering=True)
    order = tuple(int(i) for i in hierarchy.leaves_list(merges))
    return Similarity(tuple(f"word{i:04d}" for i in range(n)), values, "cosine", merges, order, 1.0, {})


def main() -> None:
    """Print megabytes, their ratio to the goal, and the time to build and write the figure, for three lengths."""
    for n in (21, CLICKABLE, 150):
        result = example(n)
        ordered = [result.words[i] for i in result.order]
        values = result.values[np.ix_(result.order, result.order)]

        def written(result: Similarity = result, ordered: list[str] = ordered, values: np.ndarray = values) -> str:
            return charts._heatmap(values, ordered, tree=result, clickable=True).to_json()

        (time,) = interleaved(written, rounds=5)
        lists = len(json.dumps(values.tolist())) / 1e6
        detail = f"{time * 1e3:.0f} ms; the cells alone as lists: {lists:.2f} MB"
        report(f"MB for a heatmap of {n} × {n} with its tree", len(written().encode()) / 1e6, 0.2, detail)


if __name__ == "__main__":
    main()
