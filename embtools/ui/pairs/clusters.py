"""Panel for clusters of your own sentences, compared with data without clusters."""

from typing import Any

import streamlit as st

from embtools.charts.pairs import clusters as charts
from embtools.pairs import clusters
from embtools.pairs.clusters import Clusters
from embtools.progress import Progress, silent
from embtools.recipes import SECOND_TO_LAST, SENTENCE_POOLINGS, recipe_names
from embtools.ui import cached, fields, figures, glossary, jobs, page, texts
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.share import Code

TAB = "Sentence clusters"
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
RECIPE = Choice("pairs_group_recipe", SECOND_TO_LAST)
POOLING = Choice("pairs_group_pooling", "sentence: mean", SENTENCE_POOLINGS)
COUNT = Number("pairs_groups", 0, 0, clusters.MAX_CLUSTERS, 1)
FIELDS = (SENTENCES, RECIPE, POOLING, COUNT)
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


def show(model: str, code: Code) -> None:
    """Draw the sentences and their map; below, the typical sentences of each cluster, and the silhouettes."""
    left, right = st.columns([2, 3], gap="medium")
    recipes = recipe_names(cached.model(model).layers)
    with left:
        st.text_area(
            f"Sentences ({clusters.LEAST} to {clusters.MOST}, one per line)",
            height=210,
            help="You can write the name of a group and a bar before a sentence: food | Bake the bread. The names are"
            " used only to check the clusters, never to find them.",
            **SENTENCES.widget,
        )
        problems = st.container()
        _settings(recipes)
    recipe = RECIPE.value if RECIPE.value in recipes else RECIPE.default
    lines = fields.lines(SENTENCES.value)
    query = (lines, recipe, POOLING.value, int(COUNT.value))
    with left:
        if not _may_begin(model, query):
            return
    answer = jobs.ask(
        "pairs-clusters",
        cluster,
        model,
        query,
        (fields.lines(SENTENCES.default), RECIPE.default, POOLING.default, COUNT.default),
        label="Reading the sentences",
        place=problems,
    )
    if answer is None:
        return
    with right, st.container(key="hero"), jobs.results(answer, "pairs-clusters", answer.asked[0][0][:80] + " …"):
        _map(answer.value)
    with st.container(key=f"{'stale' if answer.stale else 'fresh'}-pairs-more"):
        _more(answer.value)
    lines, recipe, pooling, count = answer.asked
    code.add(
        "clusters",
        "lines = [",
        *(f"    {line!r}," for line in lines),
        "]",
        f"clustered = clusters.find(lines, model, recipe={recipe!r}, pooling={pooling!r}, count={count})",
        "print(clusters.finding(clustered), clustered.agreement, clustered.words_alone)",
        "print(clustered.table, clustered.curve, clustered.sentences, sep='\\n')",
    )


def cluster(
    lines: tuple[str, ...], recipe: str, pooling: str, count: int, *, model: Any, progress: Progress = silent
) -> Clusters:
    """Clusters of the sentences."""
    return clusters.find(lines, model, recipe=recipe, pooling=pooling, count=count, progress=progress)


def effort(lines: tuple[str, ...], *, model: Any) -> float:
    """About how many seconds the clustering takes."""
    return clusters.effort(lines, model)


def _may_begin(model: str, query: tuple[Any, ...]) -> bool:
    try:
        seconds = 0.0 if cached.known(cluster, model, *query) else cached.compute(effort, model, query[0])
    except ValueError:  # shown next to the field
        return True
    return jobs.on_request("pairs-clusters", f"Cluster {len(query[0])} sentences", seconds, (model, query))


def _settings(recipes: tuple[str, ...]) -> None:
    count, more = st.columns([1, 1], gap="small", vertical_alignment="bottom")
    with count:
        st.number_input("Clusters (0: chosen by silhouette)", help=_COUNT_HELP, **COUNT.widget)
    with more, st.popover("Layers and pooling", icon=":material/tune:"):
        st.selectbox("Layer combination", help=glossary.definition("recipe"), **RECIPE.among(recipes))
        st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)


def _map(result: Clusters) -> None:
    st.header(texts.plain(clusters.finding(result)), anchor=False)
    figures.chart(
        cached.figure(charts.sentence_map, result.sentences, result.explained),
        result.sentences,
        name="sentences",
        alt=charts.sentence_map_alt(result.sentences, result.explained),
    )
    page.seen(
        "Each point is a sentence. Points that are close together have similar vectors, as far as a flat map can show"
        " this ([[PCA]]). [[k-means]] finds the clusters in all dimensions. It always finds some, so the [[silhouette]]"
        " is compared with that of data without clusters."
    )


def _more(result: Clusters) -> None:
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header("Typical sentences of each cluster", anchor=False)
        figures.table(
            result.table,
            name="clusters",
            column_config={
                "typical": st.column_config.TextColumn("closest to the centre", width="medium"),
                "group": st.column_config.TextColumn("most frequent group", width="small"),
                "share": st.column_config.NumberColumn("its share", format="percent"),
            },
        )
        if result.agreement == result.agreement:  # not nan: the sentences have group names
            page.seen(
                f"The clusters match the group names with an [[adjusted Rand index]] of **{result.agreement:.2f}**. The"
                " same number of clusters based on [[shared words]], without a model, reaches"
                f" {result.words_alone:.2f}."
            )
    with right:
        st.header("Silhouettes of data without clusters", anchor=False)
        figures.chart(
            cached.figure(charts.silhouettes, result.curve, result.count),
            result.curve,
            name="silhouettes",
            alt=charts.silhouettes_alt(result.curve, result.count),
        )
        page.seen(
            "The mean [[silhouette]] by number of clusters. Orange: the words are shuffled among the sentences, and"
            " BERT reads the new sentences. Grey: clouds with the same covariance, but without clusters. Only a"
            " silhouette above both is a finding."
        )
