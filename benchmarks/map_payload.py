"""Size of the data for a map of the whole vocabulary: words, positions and row numbers as typed arrays.

python -m benchmarks.map_payload
"""

import embtools
from benchmarks.measure import interleaved, report
from embtools.charts import maps as charts
from embtools.clusters import maps
from embtools.clusters.points import Words
from embtools.clusters.view import View


def main() -> None:
    """Print megabytes for each way to colour the map, the ratio to the goal, and the time to build and write it."""
    model = embtools.load_model()
    drawn = maps.word_map(Words(None), model, view=View("PCA"))
    for colour in ("group", "frequency rank"):

        def written(colour: str = colour) -> str:
            return charts.word_map(drawn, colour=colour, label="nothing").figure.to_json()

        (time,) = interleaved(written, rounds=5)
        size = len(written().encode()) / 1e6
        report(f"MB for {len(drawn.points):,} labelled points, colour by {colour}", size, 1.0, f"{time * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
