"""Panel for isotropy: the choice of vectors and space, the measures, the task scores and the tabs."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.charts import clusters as charts
from embtools.clusters.isotropy.of_file import effort, measure_isotropy
from embtools.clusters.isotropy.population import STATIC, measured_on
from embtools.clusters.isotropy.spaces import (
    MeasuredSpaces,
    ScoredSpaces,
    Source,
    measure_spaces,
    score_spaces,
    shrinkage,
)
from embtools.layer_combinations import combination_names
from embtools.models.catalogue import BUNDLED
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.controls import AFTER, BEFORE
from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, WHITENED, ZSCORED, Space
from embtools.statistics.decimals import decimal
from embtools.ui import captions, figures, folders, glossary, long_work, models, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.clusters import isotropy_parts as parts
from embtools.ui.clusters.isotropy_parts import COMBINATION, INSIDE, OF, SPACE
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Field
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces
from embtools.ui.vectors_of import BOTH

TAB = "Isotropy"
FIELDS: tuple[Field, ...] = (*OF.fields, *text_vectors.FIELDS, COMBINATION, *SPACE.fields, *parts.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "All-but-the-top": {},
    "Centring": {SPACE.kind.key: CENTRED},
    "Whitening": {SPACE.kind.key: WHITENED},
    "Conceptor negation": {SPACE.kind.key: CONCEPTOR},
    "By cluster": {SPACE.kind.key: BY_CLUSTER},
    "z-scores": {SPACE.kind.key: ZSCORED, parts.EFFECT.key: parts.DIRECTIONS},
    "Words in sentences": {OF.source.key: INSIDE, parts.EFFECT.key: parts.SENSES},
    "Whitened, in sentences": {
        OF.source.key: INSIDE,
        SPACE.kind.key: WHITENED,
        SPACE.shrinkage.key: 0.1,
        parts.EFFECT.key: parts.SENSES,
    },
}

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
    if text_vectors.are_chosen(OF):
        return text_vectors.caption(OF, None)
    return (*OF.caption(), *(() if OF.file else parts.caption()))


def show(models: Models) -> None:
    """Draw the settings; for each model the histogram next to the task scores; and the tabs."""
    container, used = _bar(models[0])
    if text_vectors.are_chosen(OF):
        left, right = st.columns([2, 1], gap="small")
        with left:
            text_vectors.draw_fields(OF, models, height=120)
        if OF.source.value == text_vectors.SENTENCES:
            with right:
                text_vectors.reading_fields(models)
        if read := text_vectors.models(OF, models, None, container):
            _even(Call(measure_isotropy), read)
        return
    if OF.file:
        _of_file(models)
        return
    models = folders.models_of(used, models)
    answers = running.ask(
        "measured",
        lambda model: Call(measure_spaces, source=parts.of_model(used, models[0], model), space=SPACE.value),
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
    _elsewhere(models[0].name, used, space)
    parts.show(models, used, space, answers)


def _bar(model: Model) -> tuple[Any, Source]:
    """Draw the fields in a row; returns the container for error messages, and the source of the vectors."""
    with st.container(key="isotropy-bar"):
        inside = OF.source.value == INSIDE
        shown_spaces = OF.file is None and not text_vectors.are_chosen(OF)
        wide = 7 + 2 * max(0, len(folders.names()) - 1)  # the name of each additional folder needs room
        columns = st.columns([wide, *([3] if inside else []), *([3, 3] if shown_spaces else [])], gap="small")
        container = st.container()
        with columns[0]:
            OF.show(
                help=f"This model: static embeddings. {glossary.definition('static embedding')} Words in sentences: the"
                " sentences are those of the built-in corpus. Occurrences of a word: its vectors in the sentences of a"
                " text. Sentences: the vectors of your own sentences. Your file: word vectors from any other source."
            )
        used = running.attempt(parts.chosen, container) or STATIC
        if not shown_spaces:
            return container, used
        if inside:
            with columns[1]:
                widget = COMBINATION.among(combination_names(model.facts.layers), COMBINATION.default)
                st.selectbox("Layer combination", help=glossary.definition("layer combination"), **widget)
        with columns[-2]:
            SPACE.choose()
        with columns[-1]:
            SPACE.numbers()
            if SPACE.kind.value == WHITENED:
                _ledoit_wolf(model, used)
        return container, used


def _of_file(models: Models) -> None:
    """Draw the measures of a file: as it is, centred, of random vectors, and of the same words in the model."""
    file = OF.file
    if OF.source.value == BOTH:
        query, asked = Call(measure_isotropy, file=file), models[:1]
    else:
        query, asked = Call(measure_isotropy), OF.models(models)
    _even(query, asked)


def _even(query: Call, asked: Models) -> None:
    """Draw how evenly named vectors fill their space, and random vectors, at once if this is quick."""
    if not long_work.may_begin("clusters-isotropy-file", "Measure the isotropy", query, asked, _effort):
        return
    answers = running.ask("even", query, asked, label="Measuring the isotropy", prints=("headline", "table"))
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            figures.show(charts.file_cosines, answer.value, name="file-isotropy")
            figures.table(answer.value.table, "Measures of isotropy by space", name="file-isotropy-measures")
    of = f"of these {OF.source.value.partition(' ')[0]}" if text_vectors.are_chosen(OF) else "of the words of the file"
    page.caption(
        f"The lines show how often each [[cosine]] occurs among random pairs {of}."
        " *Random vectors* are a control:"
        " the same number of vectors, with the same number of dimensions and no preferred direction. They are drawn"
        " once; with few vectors, the measures of another draw can differ by 0.1. [[IsoScore]] and"
        " the [[partition-function measure]] are 1 in a perfectly even space; *participation* is the number of"
        " directions over which the variance is spread. With fewer vectors than dimensions, even random vectors do not"
        " reach an IsoScore of 1, so compare the IsoScore with theirs."
    )


def _effort(query: Call) -> Call:
    return Call(effort, file=query["file"])


def _elsewhere(model_name: str, used: Source, space: Space) -> None:
    """Draw links to what shows the visitor's own words in this space."""
    # What each link sets in addition to the space; None means the default of the field, which shows processed vectors.
    linked: list[tuple[str, str, dict[str, str | None]]] = []
    if used == STATIC:
        static: dict[str, str | None] = {"similarity_vectors": None, "similarity_of": None}
        drawn = {"clusters_tab": None, "clusters_of": None, "clusters_source": None, "clusters_raw": "true"}
        linked = [
            ("Nearest words", "similarity", static | {"similarity_tab": "nearest"}),
            ("Heatmap", "similarity", static | {"similarity_tab": None}),
            ("Map", "clusters", drawn),
            ("Odd one out", "similarity", static | {"similarity_tab": "odd"}),
            ("Arithmetic", "arithmetic", {"arithmetic_tab": "analogies"}),
        ]
    elif isinstance(used, CorpusFolder):
        if space.kind == BY_CLUSTER:
            return  # the moments of a folder contain no clusters, so it can only be searched raw
        linked = [("Nearest occurrences", "corpus", {"corpus_source": folders.name_of(used)})]
    else:
        linked = [("Nearest occurrences", "corpus", {"corpus_recipe": COMBINATION.write(used)[0]})]
        if _last_state("corpus").get("corpus_source", [""])[-1] in folders.names():
            linked[0][2]["corpus_source"] = None  # a folder has its own layers
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Open in this space:", width="content")
        for label, name, changed in linked:
            query = _last_state(name) | Spaces(name).link(space) | changed | {models.MODEL.key: model_name}
            parameters = {key: value for key, value in query.items() if value is not None}
            st.page_link(f"pages/{name}.py", label=label, icon=":material/blur_on:", query_params=parameters)


def _last_state(name: str) -> dict[str, Any]:
    """The parameters of another page as the visitor left it, so that its words are not lost."""
    return dict(state.links([name], page.COMMON)[name])


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
        headline, alike = scored.headline, not shown.alone()
        below = {"below": lambda: _use(headline)}
        figures.show(charts.scores, scored, name="isotropy-scores", same_axes=alike, options=below)


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
    text_vectors.refuse(OF)
    return Call(measure_spaces, source=parts.chosen(), space=SPACE.value)


def _mean_cosine(space: str) -> Callable[[MeasuredSpaces], float]:
    return lambda measured: float(measured.spaces[space].measures.mean_cosine)


READINGS = {
    "before": Reading(_of_one, "Mean cosine of random pairs before", "number", _mean_cosine(BEFORE)),
    "after": Reading(_of_one, "Mean cosine of random pairs after", "number", _mean_cosine(AFTER)),
}
