"""Panel for the map of words, with the fields for words, settings and the selection, and the tests of the map below."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from embtools.charts import maps as charts
from embtools.clusters import maps
from embtools.clusters.density import Density
from embtools.clusters.kmeans import FoundClusters
from embtools.clusters.map_result import Map
from embtools.clusters.maps import word_map
from embtools.clusters.points import Words
from embtools.clusters.two_models import two_maps
from embtools.clusters.view import DEFAULT_VIEW
from embtools.spaces.space import AS_IS
from embtools.statistics import tsne
from embtools.statistics.decimals import decimal
from embtools.statistics.neighbour_test import NeighbourTest
from embtools.statistics.percentages import rounded
from embtools.statistics.reporting import LEVEL
from embtools.ui import captions, figures, guess_first, long_work, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.clusters import dimensions, inputs, occurrences, selected, sentences, settings, trust, words
from embtools.ui.clusters import examples as presets
from embtools.ui.clusters.additions import Additions, added_to, may_draw_second
from embtools.ui.clusters.inputs import OF, PANEL, PROCESSED, STABILITY
from embtools.ui.clusters.selected import Selection
from embtools.ui.corpora import source, text_vectors
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.words.groups import FIGURE_1, preset

TAB = "Map"
USES_EDIT = True
FIELDS = (*inputs.FIELDS, *occurrences.FIELDS, *text_vectors.FIELDS, *sentences.FIELDS)
PRESETS = presets.PRESETS
FIRST = Call(word_map, words=Words(preset(FIGURE_1)), view=DEFAULT_VIEW)
_PRINTS = ("headline", "points", "axes", "left_out", "trust", "measured", "neighbour_test", "reading")
_OF = (
    "This model: words of a list, or your own. Your file: word vectors from word2vec, GloVe, fastText, another model or"
    " measurements. Occurrences of a word: its vectors in the sentences of a text. Sentences: the"
    " vectors of your own sentences."
)
_FOUND: dict[str, Any] = {
    "main_group": st.column_config.TextColumn("main group"),
    "share": st.column_config.NumberColumn("share of the main group", format="percent"),
    "typical": st.column_config.TextColumn("most typical words", width="large"),
}
_SCRIPT = (Path(__file__).parent / "motion.js").read_text(encoding="utf-8")
_SIZE = (1100, 850)  # pixels of a saved picture, so that all names have room


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples, which keep the visitor's text; for the words of this text, words that occur in it."""
    kept = {field.key: field.value for field in (source.TEXT, source.COLUMN, source.AS_WRITTEN)}
    own = occurrences.examples() if occurrences.is_shown() else {}
    return own or {name: kept | values for name, values in PRESETS.items()}


def show(models: Models) -> None:
    """Draw for each model the map; the fields next to it; and for each model the tests below."""
    # An invisible script that stays on the page and animates its maps.
    st.components.v2.component("motion", html="<span></span>", js=_SCRIPT)(key="motion")
    _panel(models)


def caption(drawn: Map | None = None) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names; of a map, also its own settings."""
    if not text_vectors.are_chosen(OF):
        return inputs.caption(drawn)
    clusters = (captions.changed("clusters", sentences.COUNT),) if sentences.is_shown() else ()
    return (*text_vectors.caption(OF, PROCESSED), *clusters, *inputs.caption(drawn))


@state.fragment
def _panel(models: Models) -> None:
    """Draw the panel in a fragment, so that a click on a word does not rerun the rest of the page."""
    base, problems = models, st.container()
    models = text_vectors.models(OF, models, PROCESSED, problems) if text_vectors.are_chosen(OF) else OF.models(models)
    # Occurrences are read in their space.
    within = bool(models) and not occurrences.is_shown() and not inputs.in_sentence(models[0])
    models = PROCESSED.within(models, possible=within)
    if within and inputs.RAW.value and len(models) == 1 and models[0].space != AS_IS:
        models = models[0].beside_raw()
    at_once, with_starts = _may_draw(models[0]) if models else (True, True)
    errors: list[Exception] = []
    answers: tuple[Answer[Map], ...] = ()
    if models:
        answers = running.ask(
            "drawn",
            partial(_query, first=models[0], at_once=at_once),
            models,
            FIRST,
            label="Drawing the map",
            report=errors.append,
            prints=_PRINTS,
        )
    second = bool(answers) and may_draw_second(answers[0])
    left, right = st.columns([7, 3], gap="medium") if len(models) <= 1 else (st.container(), st.container())
    with right, st.container(key="panel", gap="small"):
        OF.show(help=_OF)
        settings.method()
        for error in errors:
            texts.problem(error)
        below, tabs = st.container(), st.container()
    drawn: list[tuple[Answer[Map], Additions, Selection]] = []
    wide = st.container()
    clustered = sentences.clustered(base[: len(models)], wide) if answers and sentences.is_shown() else ()
    with left:
        if not answers and not guess_first.waiting():
            st.text("No map could be drawn for these words.")
        elif len(answers) > 1:
            _both(answers)
        ends = charts.ends([answer.value for answer in answers])
        for container in running.containers(answers) if answers else ():
            with container as answer:
                with below if shown.alone() else nullcontext():
                    added = added_to(answer, starts=with_starts, second=second)
                    selection = selected.selection(answer)
                if sentences.is_shown() and not added.found:
                    added = replace(added, named=sentences.names(clustered, answer.model))
                drawn.append((answer, added, selection))
                with st.container(key="half-map") if not shown.alone() and not shown.suffix() else nullcontext():
                    like = answers[0].value if answer.model.is_beside_raw else None
                    _map(answer, added, selection, ends, like)
    with tabs:
        _tabs(base, drawn)
    sentences.below(clustered)
    if drawn and occurrences.is_shown():
        occurrences.below(answers, base[: len(answers)], [added.found for _, added, _ in drawn])
    containers = running.containers(answers, part="more") if answers else ()
    for container, (_, added, selection) in zip(containers, drawn, strict=True):
        with container as answer:
            _below(answer, added, selection)


def _query(model: Model, *, first: Model, at_once: bool) -> Call:
    query = Call(word_map, words=inputs.words(model, first), view=inputs.view(model))
    return query if at_once else inputs.preview(query)


def _may_draw(model: Model) -> tuple[bool, bool]:
    """Return whether the map may be drawn now, because one that takes long waits for its button, and whether with t-SNE
    from other starts."""
    try:
        query = _query(model, first=model, at_once=True)
        count, seconds = running.run(Call(maps.effort, words=query["words"], view=query["view"]), model)
    except ValueError:
        return True, True  # drawing it reports the error
    placed = query["view"].method == "t-SNE" and count <= maps.MAX_TSNE
    if STABILITY.value and placed:
        seconds += (1 + maps.STABILITY_RUNS) * tsne.seconds(count)
    what = " and ".join([*(["sentences"] if query["words"].template else []), *(["t-SNE"] if placed else [])])
    question = (model, query, STABILITY.value)
    if long_work.requested("clusters", f"Compute {what} of {count:,} points", seconds, question):
        return True, True
    whose = "static embeddings" if model.vectors is None else "these vectors"
    st.caption(f"Until then, the map shows {inputs.preview(query)['view'].method} of {whose}.")
    return False, False


def _both(answers: tuple[Answer[Map], ...]) -> None:
    """Write what the maps of two models have in common, and which words are one token in only one model."""
    running.say(two_maps, answers)
    if answers[1].model.vectors is None:
        listed = answers[0].query["words"].groups or ()
        running.token_differences(answers, [word for _, members in listed for word in members])
    _badge(answers[0])


def _badge(answer: Answer[Map]) -> None:
    fitted = "the whole vocabulary" if answer.model.vectors is None else "all of these vectors"
    fitted = "all occurrences of the text" if occurrences.is_shown() else fitted
    PROCESSED.badge(possible=not answer.value.words.template, fitted=fitted)


def _map(
    answer: Answer[Map],
    additions: Additions,
    selection: Selection,
    ends: tuple[float, float] | None,
    like: Map | None,
) -> None:
    drawn = answer.value
    with st.container(key=f"finding{shown.suffix()}", horizontal=True, vertical_alignment="center", gap="small"):
        shown.headline(drawn.headline, width="content")
        if drawn.neighbour_test is not None and drawn.words.shuffled is not None:  # otherwise the headline says it
            page.caption(
                f"{rounded(drawn.neighbour_test.share)} of [[nearest neighbour|nearest neighbours]] share the group"
                f" ({rounded(drawn.neighbour_test.shuffled)} [[shuffled groups|by chance]])"
            )
    if shown.alone():
        _badge(answer)

    def below() -> None:
        with st.container(key=f"map-trust{shown.suffix()}"):
            st.html(trust.html(drawn.trust, additions.stable))
        if len(selection.picked) == 1:
            with st.container(key=f"clusters-nearest{shown.suffix()}"):  # for phones, where the panel is further down
                st.text(selected.sentence(drawn, selection))
        page.caption(drawn.reading)
        if like is not None:
            plane = f" Before that, its axes were {' and '.join(drawn.axes)}." if drawn.axes else ""
            page.caption(f"This map is rotated to match the raw one.{plane}")
        elif shown.suffix():
            page.caption(
                "Positions and directions on the two maps cannot be compared; only the neighbours of a word can."
            )
        words.badges(drawn)

    density = None if like else additions.density  # the contours are not rotated
    _draw(drawn, additions, density, selection, ends, "map", below, like)
    st.caption(drawn.settings)


def _draw(
    drawn: Map,
    additions: Additions,
    density: Density | None,
    selection: Selection,
    ends: tuple[float, float] | None,
    name: str,
    below: Any,
    like: Map | None = None,
) -> None:
    """Draw a map on which words can be selected; `below` writes the text under it."""
    flat = "z" not in drawn.points
    options: dict[str, Any] = {"below": below, "size": _SIZE, "about": caption(drawn)}
    if flat:
        pick = partial(selected.pick, f"{name}{shown.suffix()}", tuple(drawn.points["word"]))
        options |= {"select": ("points", "box", "lasso"), "on_select": pick, "on_row": selected.pick_row}
    figures.show(
        charts.word_map,
        drawn,
        name=name,
        options=options,
        colour=charts.FOUND if occurrences.clusters_by_default() else inputs.COLOUR.value,
        label=inputs.LABEL.value,
        highlight=selection.highlight(drawn),
        clusters=additions.named,
        stability=additions.stable,
        density=density,
        ends=ends,
        like=like,
    )


def _tabs(models: Models, drawn: list[tuple[Answer[Map], Additions, Selection]]) -> None:
    for name, tab in state.tabs(PANEL).items():
        if tab.open:
            with tab:
                if name == "Words" and text_vectors.are_chosen(OF):
                    text_vectors.draw_fields(OF, models)
                    if sentences.is_shown():
                        sentences.draw_fields(models)
                    words.controls()
                elif name == "Words":
                    words.show(models[0].facts.layers)
                elif name == "Settings":
                    first = drawn[0] if drawn else None
                    named, stable = (first[1].named, first[1].stable) if first else ((), None)
                    settings.show(first[0].value if first else None, bool(named), stable is not None)
                else:
                    selected.show([(answer, selection) for answer, _, selection in drawn])


def _below(answer: Answer[Map], additions: Additions, selection: Selection) -> None:
    """Draw the optional additions to a map, then the expanders with tests."""
    if additions.found:
        _found_clusters(additions.found)
    if second := additions.second:
        st.header(f"The same words by {second.view.method}", anchor=False)

        def below() -> None:
            st.html(trust.html(second.trust))
            page.caption(f"{second.reading} What both maps show is more reliable.")

        _draw(second, additions, additions.second_density, selection, None, selected.SECOND, below)
    with figures.expander("trust", "How far can this map be trusted?") as opened:
        if opened:
            trust.show(answer.value, additions.stable)
    with figures.expander("groups", "Are the groups real, or only visible on the map?") as opened:
        if opened:
            trust.show_groups(answer)
    if len(answer.value) <= charts.SVG_POINTS:
        with figures.expander("dimensions", "Do a few dimensions separate the groups?") as opened:
            if opened:
                dimensions.show(answer)


def _of_one(model: Model) -> Call:
    return _query(model, first=model, at_once=True)


def _trust(name: str) -> Callable[[Map], float]:
    """Return what reads a measure of how far the map can be trusted."""
    return lambda drawn: float(drawn.trust.set_index("measure").at[name, "value"])


def _test(drawn: Map) -> NeighbourTest:
    if drawn.neighbour_test is None:
        raise ValueError("The words on this map have no groups to compare.")
    return drawn.neighbour_test


READINGS = {
    "kept": Reading(_of_one, "Nearest neighbours that the map keeps", "number", _trust("neighbours kept"), "%"),
    "in-order": Reading(_of_one, "Rank correlation of all distances", "number", _trust("distances in order")),
    "in-group": Reading(
        _of_one, "Words whose nearest neighbour is in their group", "number", lambda drawn: _test(drawn).share, "%"
    ),
    "groups": Reading(
        _of_one,
        "Whether the words of a group are neighbours more often than expected by chance",
        "yes or no",
        lambda drawn: _test(drawn).p < LEVEL / 2,
    ),
}


def _found_clusters(result: FoundClusters) -> None:
    """Draw the clusters of one model."""
    shown.section("Clusters found by k-means")
    sample = f", measured on {result.measured:,} of the words" if result.measured < len(result.names) else ""
    page.caption(
        "The clusters were found by [[k-means]] in the original space. Mean [[silhouette]]:"
        f" **{decimal(result.silhouette)}**{sample}. For random points from a single Gaussian with the same mean and"
        f" covariance it is {decimal(result.low)} to {decimal(result.high)}. k-means divides any set of points, so only"
        " a clearly higher value shows real clusters."
    )
    figures.table(
        result.table, "Clusters found by k-means", name=f"found-clusters{shown.suffix()}", column_config=_FOUND
    )
