"""Panel for clusters of your own sentences, compared with data without clusters."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import pairs as charts
from embtools.pairs import clusters
from embtools.pairs.clusters import Clusters
from embtools.statistics.decimals import decimal
from embtools.tables.columns import repeated
from embtools.ui import (
    captions,
    combinations,
    entry,
    fields,
    figures,
    glossary,
    long_work,
    page,
    running,
    shown,
    uploads,
)
from embtools.ui.call import Call
from embtools.ui.fields import Number, Text
from embtools.ui.shown import Models

TAB = "Sentence clusters"
USES_EDIT = True
FOUR_TOPICS = """weather | It will rain all day tomorrow.
weather | A cold wind is blowing from the north.
weather | The sun was hot and the sky was clear.
weather | Heavy snow fell during the night.
weather | There was thick fog in the morning.
weather | The storm brought thunder and rain.
food | Add the onions and fry them in butter.
food | Bake the bread until the crust is brown.
food | The soup needs more salt and pepper.
food | Boil the potatoes for twenty minutes.
food | She cut the cheese and the tomatoes.
food | Mix the flour with sugar and eggs.
football | The striker scored two goals in the final.
football | Our team lost the match on penalties.
football | The goalkeeper saved the last shot.
football | The referee showed him a red card.
football | They won the league for the third time.
football | The coach changed three players at half time.
money | The bank raised its interest rates again.
money | She paid the bill with a credit card.
money | Prices on the stock market fell sharply.
money | He borrowed money to buy a house.
money | The company reported a loss of two million.
money | Taxes on income will rise next year."""
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
SENTENCES = Text("pairs_sentences", FOUR_TOPICS, 40_000)
COMBINATION = combinations.combination("pairs_group_recipe")
POOLING = combinations.sentence_pooling("pairs_group_pooling")
COUNT = Number("pairs_groups", 0, 0, clusters.MAX_CLUSTERS, 1)
FIELDS = (SENTENCES, COMBINATION, POOLING, COUNT)
_DEFAULT = Call(
    clusters.find,
    lines=fields.lines(FOUR_TOPICS),
    combination=COMBINATION.default,
    pooling=POOLING.default,
    count=COUNT.default,
)
_COUNT_HELP = (
    "k-means divides the sentences into this many clusters. With 0, the number from 2 to 8 with the highest"
    " silhouette is used."
)
PRESETS: dict[str, dict[str, Any]] = {
    "Four topics": {},
    "Praise and complaints": {SENTENCES.key: REVIEWS, COUNT.key: 2},
    "Unrelated sentences": {
        SENTENCES.key: "\n".join(
            (
                "The museum opens at ten.", "He never learnt to swim.", "A red car stood in the yard.",
                "Nobody answered the letter.", "The moon is smaller than the earth.", "She speaks four languages.",
                "Our cat sleeps all day.", "The bridge was built in 1902.", "Please close the window.",
                "They moved to Canada.", "The soup was too hot.", "My brother plays the violin.",
            )
        )
    },
}  # fmt: skip


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        SENTENCES,
        captions.Setting("layer combination", COMBINATION),
        captions.Setting("pooling", POOLING),
        captions.changed("clusters", COUNT),
    )


def show(models: Models) -> None:
    """Draw the sentences; for each model their map, and below the typical sentences of each cluster and silhouettes."""
    left, right = shown.fields_and_results(models)
    offered = combinations.shared(models)
    COMBINATION.keep_among(offered)
    with left:
        entry.text_area(
            f"Sentences ({clusters.LEAST} to {clusters.MOST}, one per line)",
            height=210,
            help="You can write a group name and a vertical bar before a sentence: food | Bake the bread. The names are"
            " used only to check the clusters, never to find them.",
            **SENTENCES.widget,
        )
        uploads.say(*repeated(fields.lines(SENTENCES.value), clusters.sentence_of, "sentence"))
        problems = st.container()
        _settings(offered)
        query = Call(
            clusters.find,
            lines=fields.lines(SENTENCES.value),
            combination=COMBINATION.value,
            pooling=POOLING.value,
            count=int(COUNT.value),
        )
        button = f"Cluster {len(query['lines'])} sentences"
        if not long_work.may_begin("pairs-clusters", button, query, models, _effort):
            return
    with right, st.container(key="hero"):
        answers = running.ask(
            "clustered",
            query,
            models,
            _DEFAULT,
            label="Reading the sentences",
            container=problems,
            prints=("headline", "agreement", "words_alone", "table", "curve", "sentences"),
        )
        if not answers:
            return
        for container in running.containers(answers):
            with container as answer:
                _map(answer.value)
    results = [answer.value for answer in answers]
    for container in running.containers(answers, part="more"):
        with container as answer:
            _more(answer.value, results)


def _effort(query: Call) -> Call:
    return Call(clusters.effort, lines=query["lines"])


def _settings(offered: tuple[str, ...]) -> None:
    count, more = st.columns([1, 1], gap="small", vertical_alignment="bottom")
    with count:
        entry.number_input("Clusters (0: chosen by silhouette)", help=_COUNT_HELP, **COUNT.widget)
    with more, st.popover("Advanced settings", icon=":material/tune:"):
        st.selectbox("Layer combination", help=glossary.definition("layer combination"), **COMBINATION.among(offered))
        st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)


def _map(result: Clusters) -> None:
    shown.headline(result.headline)
    figures.show(charts.sentence_map, result, name="sentences")
    page.caption(
        "Each point is a sentence. Points that are close together have similar vectors, as far as a flat map can show"
        " this ([[PCA]]). [[k-means]] finds the clusters in all dimensions. It always finds some, so the [[silhouette]]"
        " is compared with that of data without clusters."
    )


def _more(result: Clusters, results: Sequence[Clusters]) -> None:
    left, right = shown.split([3, 2], gap="large")
    with left:
        shown.section("Typical sentences of each cluster")
        figures.table(
            result.table,
            "Typical sentences of each cluster",
            name=f"clusters{shown.suffix()}",
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
