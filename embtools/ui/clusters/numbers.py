"""The numbers of the Clusters page: trust in the map, groups against shuffled groups, dimensions that carry them."""

import pandas as pd
import streamlit as st

from embtools.charts.clusters import group_tests as curves
from embtools.charts.clusters import maps as charts
from embtools.clusters import group_tests, maps
from embtools.clusters.maps import Map
from embtools.ui import cached, figures
from embtools.ui.clusters.inputs import Asked

EXPLANATION = """
Each point is one word's vector, brought from hundreds of dimensions to two or three. Something is always lost; the
table *How far to trust this map* says how much, beside the same map with its points shuffled.

- **t-SNE** keeps neighbours together. Sizes of clusters and distances between them mean little, and with a small
  perplexity even noise falls into clumps.
- **PCA** shows the directions of largest variance; its axes say what share. Two of hundreds are a small part.
- **Axes** are what you say they are; a direction such as she − he carries more than its name.
- **Group means** is told the groups. *Shuffle the groups* shows what it makes of groups that mean nothing.

*Found clusters* come from k-means in the original space, without a look at your groups; lines of *density* hold 25,
50 and 75 % of the points of the map. A *second map* puts another method beside the first: what holds on both is safer.

Whether the groups are in the **space** is decided there, not on the picture: by the silhouette, the nearest word and
k-means, each beside shuffled labels. Frequent and rare words lie apart in BERT's space, whatever they mean: colour by
frequency rank before you believe in a cluster. A single dimension has no meaning of its own that one could rely on.
"""
SOURCES = (
    "“BERT Embedding Math” (Figure 1)",
    "van der Maaten & Hinton 2008 (t-SNE)",
    "Wattenberg, Viégas & Johnson 2016, How to use t-SNE effectively",
    "Kobak & Berens 2019 (start at principal components)",
    "Venna & Kaski 2001 (trustworthiness)",
    "Rousseeuw 1987 (silhouette)",
    "Hubert & Arabie 1985 (adjusted Rand index)",
    "Hyndman 1996 (highest-density regions)",
    "Liu et al. 2008 (single clouds as the null hypothesis)",
    "Gong et al. 2018 (frequency)",
)
_NUMBERS = {
    **{c: st.column_config.NumberColumn(format="%.2f") for c in ("value", "shuffled", "low", "high", "stable")},
    "p": st.column_config.NumberColumn(format="%.3f"),
}
_COLUMNS = {
    "f": st.column_config.NumberColumn("F", format="%.1f"),
    "p": st.column_config.NumberColumn("p, of all dimensions", format="%.3f"),
    "share": st.column_config.NumberColumn("share of the differences", format="percent"),
    "own": st.column_config.NumberColumn("of its variance between groups", format="percent"),
}


def numbers(model: str, asked: Asked) -> str:
    """How far to trust the map; whether the groups are in the space; which dimensions carry them.

    Returns Python for the numbers that `maps.compute` does not give.
    """
    drawn: Map = cached.compute(maps.compute, model, asked.words, asked.view)
    st.subheader("How far to trust this map", anchor=False)
    _metrics(drawn.trust)
    if drawn.measured < len(drawn.points):
        st.caption(f"Measured on {drawn.measured:,} of the {len(drawn.points):,} points, drawn by the seed.")
    tables, code = {"trust": drawn.trust}, ""
    if asked.stability:
        stable = cached.compute(maps.stability, model, asked.words, asked.view)
        st.markdown(
            f"When t-SNE starts elsewhere, **{stable['stable'].mean():.0%}** of a word's neighbours on this map return"
            f" (mean of {maps.STABILITY_RUNS} random starts)."
        )
        tables["stability"] = stable.sort_values("stable")
        code = (
            "stable = maps.stability(words, view, model)\n"
            "print(stable['stable'].mean(), stable.sort_values('stable'), sep='\\n')\n"
        )
    _tables(tables)
    st.subheader("Are the groups in the space?", anchor=False)
    if drawn.groups is None:
        st.text(drawn.no_groups)
        return code
    _metrics(drawn.groups)
    st.caption("Below each number: the same with shuffled groups, and how many of the shuffles do as well (p).")
    if asked.view.method == "group means":
        st.caption("This map was told the groups: its own silhouette proves nothing. Look at the numbers of the space.")
    _tables({"groups": drawn.groups})
    if len(drawn.points) <= charts.SVG_POINTS:
        code += _group_dimensions(model, asked, drawn)
    return code.strip()


def _metrics(numbers: pd.DataFrame) -> None:
    """A card a measure, with the control below its value and its meaning behind the question mark."""
    with st.container(horizontal=True):
        for row in numbers.itertuples():
            p = f", p {row.p:.3f}" if "p" in numbers else ""
            st.metric(
                str(row.measure),
                f"{row.value:.2f}",
                f"shuffled {row.shuffled:.2f}{p}",
                delta_color="off",
                delta_arrow="off",
                help=str(row.meaning),
                border=True,
                width=230,
            )


def _tables(tables: dict[str, pd.DataFrame]) -> None:
    with st.expander("As a table", icon=":material/table:"):
        for name, table in tables.items():
            figures.table(table, name=name, column_config=_NUMBERS)


def _group_dimensions(model: str, asked: Asked, drawn: Map) -> str:
    st.subheader("Do a few dimensions carry the groups?", anchor=False)
    try:
        found = cached.compute(maps.group_dimensions, model, asked.words, asked.view)
    except ValueError as error:
        st.text(str(error))
        return ""
    words = drawn.points[drawn.points["kind"] == "word"]
    if alone := int((words.groupby("group").size() == 1).sum()):
        st.caption(
            f"Without {alone} group{'s' if alone > 1 else ''} of one word: it cannot be guessed from the others."
        )
    for sentence in group_tests.concentration(found):
        st.markdown(f"- {sentence}")
    left, right = st.columns(2, gap="large")
    with left:
        figures.chart(
            curves.curves(found.curve, "share", "share of the differences"),
            found.curve,
            name="carriers",
            alt=curves.share_alt(found),
        )
    with right:
        figures.chart(
            curves.curves(found.accuracy, "accuracy", "groups guessed right"),
            found.accuracy,
            name="guessed",
            alt=curves.accuracy_alt(found),
        )
    st.caption(
        f"{found.clear} of {found.total} dimensions differ more between groups than any dimension does between shuffled"
        " groups (in 95 % of shuffles). The ten that differ most, with the share of shuffles in which any dimension"
        " reaches such an F (p):"
    )
    figures.table(found.dimensions.head(10), name="dimensions", column_config=_COLUMNS)
    return (
        "found = maps.group_dimensions(words, view, model)\n"
        "print(found.half, found.curve, found.accuracy, (found.clear, found.total), sep='\\n')\n"
        "print(found.dimensions.head(10))"
    )
