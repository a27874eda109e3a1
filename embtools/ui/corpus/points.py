"""The map of a word's occurrences, for a text and for a folder."""

from embtools.charts.corpus import senses as charts
from embtools.corpus.senses import Map
from embtools.corpus.stored_senses import Groups
from embtools.ui import cached, figures, page
from embtools.ui.corpus import words


def show(result: Map | Groups, name: str, colours: str = "") -> None:
    """Show the map; a click chooses an occurrence. colours: a sentence that explains the colours."""
    figures.chart(
        cached.figure(charts.word_map, result.points),
        result.points,
        name=name,
        alt=charts.map_alt(result.points, result.word),
        select=("points",),
        on_select=lambda: words.clicked(name),
        above=22.5,
    )
    kept = "[[t-SNE]] keeps neighbours together, but distances between groups mean little."
    if result.kept is not None:
        kept = f"The plane ([[PCA]]) keeps {result.kept:.0%} of the variance."
    sample = ""
    if len(result.points) < result.count:
        sample = f"The map shows a random sample of {len(result.points)} of the {result.count:,} occurrences."
    near = "Each point is an [[occurrence]]. Points that are close together have similar vectors."
    page.seen(" ".join(filter(None, (near, colours, kept, sample, "Click a point to see its sentence."))))
