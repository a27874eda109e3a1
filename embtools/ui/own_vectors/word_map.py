"""Panel for the map of the vectors, coloured by label."""

from typing import Any

import streamlit as st

from embtools.charts import own_vectors as charts
from embtools.own_vectors.word_map import MAX_POINTS, OwnMap, own_map, seconds
from embtools.ui import captions, figures, glossary, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number
from embtools.ui.own_vectors import source
from embtools.ui.shown import Models

TAB = "Map"
METHOD = Choice("own_vectors_method", "PCA", {"pca": "PCA", "tsne": "t-SNE"})
METRIC = Choice("own_vectors_metric", "cosine", ("cosine", "euclidean"))
PERPLEXITY = Number("own_vectors_perplexity", 15, 2, 100, 1)
LABEL = Choice("own_vectors_label", "")  # the name of a column of the file; "" is the first one
FIELDS = (METHOD, METRIC, PERPLEXITY, LABEL)
PRESETS: dict[str, dict[str, Any]] = {"PCA": {}, "t-SNE": {METHOD.key: "t-SNE"}}
FIRST = Call(own_map)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    perplexity = (captions.Setting("perplexity", PERPLEXITY),) if METHOD.value == "t-SNE" else ()
    return source.caption(captions.Setting("method", METHOD), captions.Setting("metric", METRIC), *perplexity)


def show(models: Models) -> None:
    """Draw the fields; the map, and how far it can be trusted."""
    label = _bar()
    source.note(models)
    options: dict[str, Any] = {"perplexity": int(PERPLEXITY.value)} if METHOD.value == "t-SNE" else {}
    query = Call(own_map, method=METHOD.value, metric=METRIC.value, label=label, **options, **source.given())
    once = source.once(models)
    if not long_work.may_begin("own-map", "Draw the map", query, once, _effort):
        return
    answers = running.ask(
        "drawn",
        query,
        once,
        FIRST,
        label="Drawing the map",
        within=source.within(),
        prints=("headline", "reading", "points"),
    )
    for container in running.containers(answers):
        with container as answer:
            result: OwnMap = answer.value
            shown.headline(result.headline)
            figures.show(charts.word_map, result, name="own-map", options={"above": 21.7})
            _read(result)


def _effort(query: Call) -> Call:
    return Call(seconds, table=query["table"], method=query["method"])


def _bar() -> str:
    """Draw the fields; returns the column of labels."""
    own = source.table()
    names = tuple(name for name, _ in own.labels) if own else ()
    method, metric, perplexity, label = st.columns([3, 3, 3, 3], gap="small", vertical_alignment="bottom")
    with method:
        st.segmented_control("Projection", required=True, help=_projections(), **METHOD.widget)
    with metric:
        st.segmented_control("Distance", required=True, help=_distances(), **METRIC.widget)
    if METHOD.value == "t-SNE":
        with perplexity:
            st.slider("Perplexity", help=glossary.definition("perplexity"), **PERPLEXITY.widget)
    if len(names) < 2:
        return ""
    with label:
        st.selectbox("Colour by", **LABEL.among(names, names[0]))
    return "" if LABEL.value == names[0] else str(LABEL.value)


def _projections() -> str:
    return f"PCA: {glossary.definition('PCA')} t-SNE: {glossary.definition('t-SNE')}"


def _distances() -> str:
    return f"cosine: {glossary.definition('cosine')} euclidean: {glossary.definition('Euclidean distance')}"


def _read(result: OwnMap) -> None:
    about = ""
    if result.test is not None:
        st.text(result.reading)
        about = " The headline compares the full vectors, not the positions on this map."
    sample = (
        f" The map shows {len(result.points):,} of the {result.words:,} words, drawn at random."
        if result.words > MAX_POINTS
        else ""
    )
    axes = (
        "The axes are the first two [[principal component|principal components]]."
        if result.axes
        else ("The axes of [[t-SNE]] have no meaning; only which words are near each other matters.")
    )
    labelled = "; colour and shape show its label" if (result.points["group"] != "").any() else ""
    page.caption(f"Each point is a word{labelled}. {axes}{sample}{about}")
