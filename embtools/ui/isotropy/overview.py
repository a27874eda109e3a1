"""Main panel of the Isotropy page: the choice of vectors and space, the measures, the task scores and the tabs."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.charts import isotropy as charts
from embtools.isotropy.population import STATIC, measured_on
from embtools.isotropy.spaces import MeasuredSpaces, ScoredSpaces, Source, measure_spaces, score_spaces, shrinkage
from embtools.layer_combinations import SUM_FOUR, combination_names
from embtools.models.catalogue import BUNDLED
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.controls import AFTER, BEFORE
from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, WHITENED, ZSCORED, Space
from embtools.statistics.decimals import decimal
from embtools.ui import captions, figures, folders, glossary, menu, models, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.isotropy import effects, source
from embtools.ui.isotropy.source import COMBINATION, INSIDE, SOURCE, SPACE
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces

TAB = "Before and after"
FIELDS = (*source.FIELDS, *effects.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "All-but-the-top": {},
    "Centring": {SPACE.kind.key: CENTRED},
    "Whitening": {SPACE.kind.key: WHITENED},
    "Conceptor negation": {SPACE.kind.key: CONCEPTOR},
    "By cluster": {SPACE.kind.key: BY_CLUSTER},
    "z-scores": {SPACE.kind.key: ZSCORED, effects.EFFECT.key: effects.DIRECTIONS},
    "Words in sentences": {SOURCE.key: INSIDE, effects.EFFECT.key: effects.SENSES},
    "Whitened, in sentences": {
        SOURCE.key: INSIDE, SPACE.kind.key: WHITENED, SPACE.shrinkage.key: 0.1, effects.EFFECT.key: effects.MAP,
    },
}  # fmt: skip


_USE = (
    "The scores show how useful the vectors are in each task, and compare them with controls: [[centre|centring]]"
    " alone, and the same processing along [[random directions]]. Lines are 95% intervals. Grey marks show the score"
    " expected by chance. For analogies, the grey mark is the score of a simple rule: always answer with the word"
    " nearest to the third word. This score differs between spaces; the mark shows the score for the raw vectors."
    " “Clearly” means significant at the 5% level. For word lists and the odd one out, the test resamples the words of"
    " the lists."
)


FIRST = Call(measure_spaces, source=STATIC)
DETAILS = (Call(score_spaces, source=STATIC),)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption()


def show(models: Models) -> None:
    """Draw the settings; for each model the histogram next to the task scores; and the tabs."""
    container, used = _bar(models[0])
    models = folders.models_of(used, models)
    answers = running.ask(
        "measured",
        lambda model: Call(measure_spaces, source=source.of_model(used, models[0], model), space=SPACE.value),
        models,
        FIRST,
        label="Measuring the space",
        container=container,
        prints=("headline", "table", "directions", "dimensions"),
    )
    if not answers:
        return
    compared = [answer.value for answer in answers] if len(answers) > 1 else ()
    for container in running.containers(answers):
        with container as answer:
            _main_charts(answer, compared)
    used, space = (answers[0].query[name] for name in ("source", "space"))
    if isinstance(used, CorpusFolder):
        st.caption(texts.plain(measured_on(used)))
    effects.show(models, used, space, answers)
    _elsewhere(models[0].name, used, space)


def _bar(model: Model) -> tuple[Any, Source]:
    """Draw the fields in a row; returns the container for error messages, and the source of the vectors."""
    with st.container(key="isotropy-bar"):
        inside = SOURCE.value == INSIDE
        wide = 5 + 2 * max(0, len(folders.names()) - 1)  # the name of each additional folder needs room
        columns = st.columns([wide, 3, 4, 4] if inside else [wide, 4, 6], gap="small")
        container = st.container()
        with columns[0]:
            st.segmented_control(
                "Vectors",
                required=True,
                help=f"Static embeddings: {glossary.definition('static embedding')} Words in sentences: the sentences"
                " are those of the built-in corpus. You can search your own text on the Corpus page, but you cannot"
                " measure it here.",
                **SOURCE.among((STATIC, INSIDE, *folders.names())),
            )
        used = running.attempt(source.chosen, container) or STATIC
        widget = COMBINATION.among(combination_names(model.facts.layers), SUM_FOUR)
        if inside:
            with columns[1]:
                st.selectbox("Layer combination", help=glossary.definition("layer combination"), **widget)
        with columns[-2]:
            SPACE.choose()
        with columns[-1]:
            SPACE.numbers()
            if SPACE.kind.value == WHITENED:
                _ledoit_wolf(model, used)
        return container, used


def _elsewhere(model_name: str, used: Source, space: Space) -> None:
    """Draw links to the pages that can show the visitor's own words in this space."""
    # What each link sets in addition to the space; None means the default of the field, which shows processed vectors.
    if used == STATIC:
        pages: dict[str, dict[str, str | None]] = {
            "similarity": {"similarity_tab": None, "similarity_vectors": None, "similarity_of": None},
            "clusters": {"clusters_source": None},
            "arithmetic": {"arithmetic_tab": "analogies"},
        }
    elif isinstance(used, CorpusFolder):
        if space.kind == BY_CLUSTER:
            return  # the moments of a folder contain no clusters, so it can only be searched raw
        pages = {"corpus": {"corpus_source": folders.name_of(used)}}
    else:
        pages = {"corpus": {"corpus_recipe": COMBINATION.write(used)[0]}}
        if _last_state("corpus").get("corpus_source", [""])[-1] in folders.names():
            pages["corpus"]["corpus_source"] = None  # a folder has its own layers
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Use this space for your own words on another page:", width="content")
        for name, changed in pages.items():
            title = next(one.title for one in menu.PAGES if one.name == name)
            query = _last_state(name) | Spaces(name).link(space) | changed | {models.MODEL.key: model_name}
            parameters = {key: value for key, value in query.items() if value is not None}
            st.page_link(f"pages/{name}.py", label=title, icon=":material/blur_on:", query_params=parameters)


def _last_state(name: str) -> dict[str, Any]:
    """The parameters of another page as the visitor left it, so that its words are not lost."""
    return dict(state.link(name, page.COMMON))


def _ledoit_wolf(model: Model, used: Source) -> None:
    try:
        value = running.run(Call(shrinkage, source=used), model)
    except ValueError:  # shown where the space is measured
        return
    st.button(
        f"Use Ledoit–Wolf shrinkage ({decimal(value)})",
        key="use-shrinkage",
        type="tertiary",
        on_click=state.put,
        args=({SPACE.shrinkage.key: round(value, 2)},),
    )


def _main_charts(answer: Answer[MeasuredSpaces], compared: Sequence[MeasuredSpaces]) -> None:
    """Draw the cosines, and next to them the task scores, which are computed after the cosines are shown."""
    shown.headline(answer.value.headline)
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(
            charts.histogram,
            answer.value,
            compared,
            name="isotropy-cosines",
            options={"below": lambda: page.caption(_measured(answer.value))},
        )
        if answer.model.name == BUNDLED:
            st.caption(
                "This model is derived from a sentence encoder that was trained to spread out the vectors of sentences,"
                " so its isotropy is not that of bert-base."
            )
    with right:
        query = Call(score_spaces, **answer.query.arguments)
        label = "Testing the vectors in tasks"
        scored: ScoredSpaces | None = running.detail(
            "scored", query, answer.model, label=label, prints=("headline", "table")
        )
        if scored is None:
            return
        headline = scored.headline
        figures.show(charts.scores, scored, name="isotropy-scores", options={"below": lambda: _use(headline)})


def _measured(result: MeasuredSpaces) -> str:
    overviews = result.spaces
    before = overviews[BEFORE].measures
    after = overviews[AFTER].measures if AFTER in overviews else None
    isoscore = _changes(before.isoscore, after.isoscore if after else None)
    partition = _changes(before.partition, after.partition if after else None)
    return (
        "The chart shows the cosines of 10,000 random pairs (see [[anisotropy]]); vertical lines mark the means,"
        " counted over all vectors of the space, not over equally common words as on the Similarity page. The"
        f" [[IsoScore]] {isoscore}, and the [[partition-function measure]] {partition}; both are 1 if all directions"
        " are equally strong."
    )


def _changes(before: float, after: float | None) -> str:
    """Return what a measure is, or how it changes, as the end of a sentence."""
    first, second = f"**{before:.2f}**", None if after is None else f"**{after:.2f}**"
    if second is None:
        return f"is {first}"
    return f"stays at {first}" if first == second else f"changes from {first} to {second}"


def _use(headline: str) -> None:
    st.text(headline)
    page.caption(_USE)


def _of_one(_: Model) -> Call:
    return Call(measure_spaces, source=source.chosen(), space=SPACE.value)


def _mean_cosine(space: str) -> Callable[[MeasuredSpaces], float]:
    return lambda measured: float(measured.spaces[space].measures.mean_cosine)


READINGS = {
    "before": Reading(_of_one, "Mean cosine of random pairs before", "number", _mean_cosine(BEFORE)),
    "after": Reading(_of_one, "Mean cosine of random pairs after", "number", _mean_cosine(AFTER)),
}
