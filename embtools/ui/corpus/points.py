"""The occurrences of a word as points: the same map for a text and for a folder."""

from embtools.charts.corpus import senses as charts
from embtools.corpus.senses import Map
from embtools.corpus.stored_senses import Groups
from embtools.ui import cached, figures, page
from embtools.ui.corpus import words


def show(found: Map | Groups, name: str, says: str = "") -> None:
    """The map and what its plane keeps; a click chooses the occurrence. says: what the colours are."""
    figures.chart(
        cached.figure(charts.word_map, found.points),
        found.points,
        name=name,
        alt=charts.map_alt(found.points, found.word),
        select=("points",),
        on_select=lambda: words.clicked(name),
        above=22.5,
    )
    kept = "[[t-SNE]] keeps neighbours together; distances between groups mean little."
    if found.kept is not None:
        kept = f"The plane ([[PCA]]) keeps {found.kept:.0%} of the differences; the rest is not to be seen here."
    drawn = "" if len(found.points) == found.count else f"{len(found.points)} of {found.count:,}, drawn at random."
    near = "Each point is an [[occurrence]]; near points have similar vectors."
    page.seen(" ".join(filter(None, (near, says, kept, drawn, "Click a point for its sentence."))))
