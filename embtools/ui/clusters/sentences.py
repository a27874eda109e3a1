"""Sentences on the map: their clusters, compared with data without clusters."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import clusters as charts
from embtools.clusters import sentences as numbers
from embtools.clusters.sentences import Clusters
from embtools.statistics.decimals import decimal
from embtools.ui import entry, fields, figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.clusters.inputs import OF
from embtools.ui.corpora import text_vectors
from embtools.ui.corpora.text_vectors import COMBINATION, FOUR_TOPICS, POOLING, TEXT
from embtools.ui.fields import Number
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

REVIEWS = """good | The room was clean and quiet.
good | Breakfast was excellent and fresh.
good | The staff were friendly and helpful.
good | We loved the view from the balcony.
good | The bed was very comfortable.
good | The pool was large and warm.
bad | The room was dirty and loud.
bad | Breakfast was cold and stale.
bad | The staff were rude and slow.
bad | We hated the view from the window.
bad | The bed was hard and far too short.
bad | The pool was small and freezing."""
COUNT = Number("clusters_sentences_count", 0, 0, numbers.MAX_CLUSTERS, 1)
FIELDS = (COUNT,)
_DEFAULT = Call(
    numbers.cluster_sentences,
    lines=fields.lines(FOUR_TOPICS),
    combination=COMBINATION.default,
    pooling=POOLING.default,
    count=COUNT.default,
)
_COUNT_HELP = (
    "k-means divides the sentences into this many clusters. With 0, the number from 2 to 8 with the highest"
    " silhouette is used."
)
UNRELATED = "\n".join(
    (
        "The museum opens at ten.", "He never learnt to swim.", "A red car stood in the yard.",
        "Nobody answered the letter.", "The moon is smaller than the earth.", "She speaks four languages.",
        "Our cat sleeps all day.", "The bridge was built in 1902.", "Please close the window.",
        "They moved to Canada.", "The soup was too hot.", "My brother plays the violin.",
    )
)  # fmt: skip


def is_shown() -> bool:
    """Whether the map shows sentences."""
    return bool(OF.source.value == text_vectors.SENTENCES)


def draw_fields(models: Models) -> None:
    """Draw the field for the number of clusters, and how the sentences are read."""
    entry.number_input("Clusters (0: chosen by silhouette)", help=_COUNT_HELP, **COUNT.widget)
    text_vectors.reading_fields(models)


def clustered(models: Models, container: Any) -> tuple[Answer[Clusters], ...]:
    """Return the clusters of the sentences that each model finds; () if they wait for the button in the container."""
    query = Call(
        numbers.cluster_sentences,
        lines=fields.lines(TEXT.value),
        combination=COMBINATION.value,
        pooling=POOLING.value,
        count=int(COUNT.value),
    )
    with container:
        button, effort = (
            f"Cluster {len(query['lines'])} sentences",
            lambda each: Call(numbers.effort, lines=each["lines"]),
        )
        if not long_work.may_begin("clusters-sentences", button, query, models, effort):
            return ()
        answers: tuple[Answer[Clusters], ...] = running.ask(
            "clustered",
            query,
            models,
            _DEFAULT,
            label="Reading the sentences",
            prints=("headline", "agreement", "words_alone", "table", "curve", "sentences"),
        )
    return answers


def names(answers: Sequence[Answer[Clusters]], model: Model) -> tuple[str, ...]:
    """The found cluster of each sentence on the map of a model; () if there are none."""
    return next(
        (
            tuple(f"cluster {number}" for number in answer.value.sentences["cluster"])
            for answer in answers
            if not answer.stale and answer.model.name == model.name and answer.model.change == model.change
        ),
        (),
    )


def below(answers: Sequence[Answer[Clusters]]) -> None:
    """Draw for each model the typical sentences of each cluster, and the silhouettes of data without clusters."""
    results = [answer.value for answer in answers]
    for container in running.containers(tuple(answers), part="clustered"):
        with container as answer:
            shown.section("Clusters of sentences")
            st.text(answer.value.headline)
            page.caption(
                "[[k-means]] finds the clusters in all dimensions. It always finds some, so the [[silhouette]] is"
                " compared with that of data without clusters."
            )
            _more(answer.value, results)


def _more(result: Clusters, results: Sequence[Clusters]) -> None:
    left, right = shown.split([3, 2], gap="large")
    with left:
        shown.section("Typical sentences of each cluster")
        figures.table(
            result.table,
            "Typical sentences of each cluster",
            name=f"sentence-clusters{shown.suffix()}",
            column_config={
                "typical": st.column_config.TextColumn("closest to the centre", width="medium"),
                "group": st.column_config.TextColumn("most frequent group", width="small"),
                "share": st.column_config.NumberColumn("its share", format="percent"),
            },
        )
        if result.agreement == result.agreement:  # not nan: the sentences have group names
            page.caption(
                "The clusters match the group names with an [[adjusted Rand index]] of"
                f" **{decimal(result.agreement)}**. With the same number of clusters, a clustering based on [[shared"
                f" words]], without a model, reaches {decimal(result.words_alone)}."
            )
    with right:
        shown.section("Silhouettes of data without clusters")
        figures.show(charts.silhouettes, result, name="silhouettes", beside=results)
        page.caption(
            "The lines show the mean [[silhouette]] by number of clusters. Orange: the words are shuffled among the"
            " sentences, and BERT reads the new sentences. Grey: clouds of points with the same covariance as"
            " your sentences, but without clusters. Only a silhouette above both counts as a finding."
        )
