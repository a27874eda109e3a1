"""Panel for a map of all occurrences of a word, and how well each layer combination recovers its senses."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import corpus as charts
from embtools.corpus import occurrence_map, senses
from embtools.corpus.occurrence_map import MAX_GROUPS, PCA, TSNE, Clusters, WordMap, least
from embtools.corpus.senses import Recovery
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS
from embtools.statistics.percentages import rounded
from embtools.ui import captions, figures, folders, glossary, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.corpus import lists, source, whole_corpus, words
from embtools.ui.fields import Choice, Number
from embtools.ui.shown import Model, Models

TAB = "Senses on a map"
METHOD = Choice("corpus_map", PCA, {"pca": PCA, "tsne": TSNE})
ONE, ALL = "This word", "All words with senses"
HOW_MANY = Choice("corpus_recovered", ONE, {"word": ONE, "all": ALL})
GROUPS = Number("corpus_groups", 2, 2, MAX_GROUPS, 1)
FIELDS = (words.WORD, words.NUMBER, METHOD, HOW_MANY, GROUPS, source.COMBINATION, *source.PROCESSED.fields)
PRESETS: dict[str, dict[str, Any]] = {
    name: {words.WORD.key: name, words.NUMBER.key: 1} for name in ("bank", "letter", "table", "spring", "match")
} | {"cold (no labelled senses)": {words.WORD.key: "cold", words.NUMBER.key: 1, METHOD.key: TSNE}}
FIRST = Call(occurrence_map.word_map, corpus=built_in_corpus(), word="bank", combination=SUM_FOUR)
_PER_WORD = 0.16  # seconds for a word with eight sentences and all layer combinations


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text or folder, words that occur often enough."""
    if source.is_built_in():
        return PRESETS
    corpus = source.current()
    needed = least() if corpus is None or corpus.labels_senses else least(int(GROUPS.default))
    return words.examples(corpus, least=needed)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption(words.WORD, captions.Setting("projection", METHOD))


def show(models: Models) -> None:
    """Draw the fields; for each model the map, the sentence of the chosen point, and the measures or the clusters."""
    corpus = source.corpus_in_use()
    if corpus is None:
        return
    models = folders.models_of(corpus, models)
    _fields(corpus, models)
    problems = st.container()
    groups = 0 if corpus.labels_senses else int(GROUPS.value)
    query = Call(
        occurrence_map.word_map,
        corpus=corpus,
        word=words.WORD.value.strip(),
        groups=groups,
        method=METHOD.value,
        space=source.space_of(corpus),
    )

    def query_of(model: Model) -> Call:
        return query.but(combination=source.combination_of(corpus, models, model))

    if query["space"] != AS_IS and not corpus.is_encoded:
        with problems:
            if not whole_corpus.may_search("corpus-senses-text", query_of(models[0]), models[0]):
                query = query.but(space=AS_IS)
    answers = running.ask(
        "word_map_of_text" if corpus.labels_senses else "word_map_of_folder",
        query_of,
        models,
        FIRST if corpus.any_model else None,
        label="Reading the sentences" if corpus.any_model else "Reading the word",
        container=problems,
        within={"corpus": corpus},
        prints=("headline", "points", "kept")
        if corpus.labels_senses
        else ("headline", "points", "clusters.examples", "clusters.table"),
    )
    if not answers or answers[0].stale:
        words.suggestions(corpus, problems, least=least(groups))
    if not answers:
        return
    alone = len(models) == 1
    left, right = st.columns([5, 6], gap="medium") if alone else (st.container(), st.container())
    left, right = (left, right) if alone else (right, left)  # with two models, the findings are above the maps
    with left:  # first, because the tests take longer
        if not corpus.labels_senses:
            source.badge()
        elif answers[0].query["space"] != AS_IS:
            source.badge("The measures for all layers stay")
        for container in running.containers(answers, part="map"):
            with container as answer:
                _map(answer)
    with right, st.container(key="hero"):
        _findings(answers, models)


def _fields(corpus: Corpus | CorpusFolder, models: Models) -> None:
    word, layers, method = st.columns([2, 2, 2], gap="small")
    with word:
        words.field()
    with layers:
        source.combination(corpus, models)
        if not corpus.labels_senses:
            st.slider("Number of clusters", help=glossary.definition("k-means"), **GROUPS.widget)
    source.space_expander("Space of the map" if corpus.labels_senses else "Space")
    with method:
        st.segmented_control("Projection", required=True, help=glossary.definition(METHOD.value), **METHOD.widget)


def _map(answer: running.Answer[WordMap]) -> None:
    """Draw the map and the sentence of the chosen occurrence; a click chooses another one."""
    result, corpus = answer.value, answer.query["corpus"]
    options = {"pick": words.pick("rank"), "above": 22.5}
    figures.show(charts.word_map, result, name="corpus-map", options=options)
    colours = "" if result.clusters is None else "Colours show the clusters."
    kept = "[[t-SNE]] keeps neighbours together, but distances between groups mean little."
    if result.kept is not None:
        kept = f"The plane ([[PCA]]) keeps {rounded(result.kept)} of the variance."
    sample = ""
    if len(result.points) < result.count:
        sample = f"The map shows a random sample of {len(result.points)} of the {result.count:,} occurrences."
    near = "Each point is an [[occurrence]]. Points that are close together have similar vectors."
    page.caption(" ".join(filter(None, (near, colours, kept, sample, "Click a point to see its sentence."))))
    chosen = result.points[result.points["rank"] == words.NUMBER.value]
    if corpus.lists_all:
        lists.show(chosen if len(chosen) else result.points.head(1), senses=result.points["sense"])
    elif len(chosen):
        query = Call(
            occurrence_map.occurrence, corpus=corpus, word=answer.query["word"], number=int(words.NUMBER.value)
        )
        if (selected := running.detail("chosen", query, answer.model, prints=None)) is not None:
            lists.show(selected)


def _findings(answers: tuple[running.Answer[WordMap], ...], models: Models) -> None:
    """Draw the headline of each model, and its clusters or its measures."""
    recovered: tuple[running.Answer[Recovery], ...] = ()
    if answers[0].value.has_senses:
        recovered = _recovered(answers, models)
    labels, alone = answers[0].query["corpus"].labels_senses, len(models) == 1
    measured = _measured(answers, recovered, models) if labels and not alone else ()
    for container in running.containers(answers):
        with container as answer:
            own = _of(answer.model, recovered)
            shown.headline(answer.value.headline if own is None else own.headline)
            if labels and alone:
                measured = _measured(answers, recovered, models)
            if (result := _of(answer.model, measured)) is not None:
                _measures(result, [each.value for each in measured])
            if answer.value.clusters is not None:
                _clusters(answer.value, answer.value.clusters)


def _recovered(answers: tuple[running.Answer[WordMap], ...], models: Models) -> tuple[running.Answer[Recovery], ...]:
    """The measures of the word; none if they were stopped."""

    def query_of(model: Model) -> Call:
        return Call(
            senses.recovery,
            corpus=answers[0].query["corpus"],
            word=answers[0].query["word"],
            combination=source.combination_answered(answers, models, model),
        )

    result = running.ask("recovered", query_of, models, label="Reading every layer", prints=("headline", "frame"))
    return tuple(answer for answer in result if not answer.stale)


def _measured(
    answers: tuple[running.Answer[WordMap], ...], recovered: tuple[running.Answer[Recovery], ...], models: Models
) -> tuple[running.Answer[Recovery], ...]:
    """Draw the choice between the word and all words with senses; returns the measures of the chosen ones."""
    st.segmented_control("Words", required=True, label_visibility="collapsed", **HOW_MANY.widget)
    if HOW_MANY.value == ONE:
        if not answers[0].value.has_senses:
            st.text(senses.too_few_senses(answers[0].value.word))
        return recovered
    corpus = answers[0].query["corpus"]
    count = len(senses.labelled_words(corpus))
    seconds = _PER_WORD * count * len(models)
    if not long_work.requested("corpus-all", f"Measure {count} words", seconds, (models, corpus)):
        return ()

    def query_of(model: Model) -> Call:
        return Call(
            senses.recovery_of_all, corpus=corpus, combination=source.combination_answered(answers, models, model)
        )

    result = running.ask("every_word", query_of, models, label=f"Measuring {count} words", prints=("frame",))
    return tuple(answer for answer in result if not answer.stale)


def _of(model: Model, answers: tuple[running.Answer[Recovery], ...]) -> Recovery | None:
    return next((answer.value for answer in answers if answer.model == model), None)


def _measures(result: Recovery, results: Sequence[Recovery]) -> None:
    name = "corpus-recovery" if result.word else "corpus-recovery-all"
    figures.show(charts.recovery, result, beside=results, name=name)
    note = (
        "A single word has few occurrences, so high values can occur by chance."
        if result.word
        else f"All values are means over {result.words} words; each word counts once."
    )
    if result.is_cut and not result.word:
        note += f" Of each word, the first {senses.MAX_LABELLED} labelled occurrences are compared."
    page.caption(
        "Filled circles show the share of occurrences whose [[nearest neighbour]] has the same [[sense]]. Filled"
        " diamonds show how well [[k-means]] finds the senses without the labels ([[adjusted Rand index]]). Open marks"
        " show the mean over 1,000 shuffles of the labels; the line above each mark ends at their 95th percentile."
        f" {note}"
    )


def _clusters(result: WordMap, clusters: Clusters) -> None:
    lists.show(clusters.examples, senses=result.points["sense"])
    page.caption(
        "The folder has no labelled [[sense|senses]], so [[k-means]] divides the occurrences into clusters without"
        " names. It always finds clusters, even where there are none. The list shows the occurrences nearest to the"
        " centre of each cluster, with their [[cosine]] to it. The [[silhouette]] measures how well the clusters"
        " are separated. The headline compares it with five sets of random points that have the same mean and"
        " covariance but no clusters."
    )
    figures.as_table(clusters.examples, f"corpus-group-examples{shown.suffix()}", title="Occurrences of each cluster")
    figures.as_table(clusters.table, f"corpus-groups{shown.suffix()}", "Clusters, as a table")
