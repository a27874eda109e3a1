"""Main panel of the Isotropy page: the choice of vectors and space, the measures, the task scores and the tabs."""

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.isotropy import overview as charts
from embtools.isotropy import overview, verdict
from embtools.isotropy.overview import AFTER, BEFORE, Overview, SpaceMeasures
from embtools.isotropy.population import STATIC, measured_on
from embtools.models.catalogue import BUNDLED
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.recipes import SUM_FOUR, recipe_names
from embtools.spaces.space import BY_CLUSTER, CENTRED, CONCEPTOR, WHITENED, ZSCORED, Space
from embtools.ui import cached, figures, folders, glossary, jobs, models, page, state, texts
from embtools.ui.isotropy import effects, queries
from embtools.ui.isotropy.queries import INSIDE, RECIPE, SOURCE, SPACE, Source
from embtools.ui.share import Code
from embtools.ui.spaces import Spaces

TAB = "Before and after"
FIELDS = queries.FIELDS
PRESETS: dict[str, dict[str, Any]] = {
    "All-but-the-top": {},
    "Centring": {SPACE.kind.key: CENTRED},
    "Whitening": {SPACE.kind.key: WHITENED},
    "Conceptor negation": {SPACE.kind.key: CONCEPTOR},
    "By cluster": {SPACE.kind.key: BY_CLUSTER},
    "z-scores": {SPACE.kind.key: ZSCORED, queries.EFFECT.key: queries.DIRECTIONS},
    "Words in sentences": {SOURCE.key: INSIDE, queries.EFFECT.key: queries.SENSES},
    "Whitened, in sentences": {
        SOURCE.key: INSIDE, SPACE.kind.key: WHITENED, SPACE.shrinkage.key: 0.1, queries.EFFECT.key: queries.HEATMAP,
    },
}  # fmt: skip


_USE = (
    "The scores show how useful the vectors are in each task, next to two controls: [[centre|centring]] alone, and"
    " the same processing along [[random directions]]. Lines are 95% intervals. Grey marks show the score expected"
    " by chance. For analogies, they show the score of always answering with the word nearest to the third word."
    " “Clearly” means significant at the 5% level. For word lists and the odd one out, the test resamples the words of"
    " the lists."
)


def show(model: str, code: Code) -> None:
    """Draw the settings, the histogram next to the task scores, and the tabs."""
    container, asked = _bar(model)
    answer: jobs.Answer[dict[str, SpaceMeasures]] | None = jobs.ask(
        "isotropy",
        queries.space_measures,
        model,
        (model, asked, SPACE.value),
        (model, *queries.FIRST),
        label="Measuring the space",
        place=container,
    )
    if answer is None:
        return
    _, source, space = answer.asked
    with jobs.results(answer, "isotropy", f"{queries.named(source)}, {space.says}"):
        code.add("folder", *([folders.code(source)] if isinstance(source, CorpusFolder) else []))
        code.add(
            "overview",
            f"space = {space.code}",
            "overviews = {}",
            "for name, one in with_controls(space).items():",
            f"    overviews[name] = overview({queries.code(source)}, model, space=one)",
            "print(verdict.finding(overviews), verdict.comparison(overviews), sep='\\n')",
            "print(measures_table(overviews), scores_table(overviews), sep='\\n')",
        )
        _main_charts(model, answer)
        if isinstance(source, CorpusFolder):
            st.caption(texts.plain(measured_on(source)))
        effects.show(model, source, space, answer.value, code)
        _elsewhere(model, source, space)


def _bar(model: str) -> tuple[Any, Source]:
    """Draw the fields in a row; returns the container for error messages, and the source of the vectors."""
    asked: Source = STATIC
    with st.container(key="isotropy-bar"):
        inside = SOURCE.value == INSIDE
        wide = 5 + 2 * max(0, len(folders.names()) - 1)  # the name of each additional folder needs room
        columns = st.columns([wide, 3, 4, 4] if inside else [wide, 4, 6], gap="small")
        with columns[0]:
            st.segmented_control(
                "Vectors",
                required=True,
                help=glossary.definition("static embedding"),
                **SOURCE.among((STATIC, INSIDE, *folders.names())),
            )
        problem = ""
        try:
            asked = queries.source()
        except ValueError as error:
            problem = str(error)
        widget = RECIPE.among(recipe_names(cached.model(model).layers), SUM_FOUR)
        if inside:
            with columns[1]:
                st.selectbox("Layer combination", help=glossary.definition("recipe"), **widget)
        with columns[-2]:
            SPACE.choose()
        with columns[-1]:
            SPACE.numbers()
            if SPACE.kind.value == WHITENED:
                _ledoit_wolf(model, asked)
        container = st.container()
        if problem:
            with container:
                texts.problem(problem)
        return container, asked


def _elsewhere(model: str, source: Source, space: Space) -> None:
    """Draw links to the pages that can show the visitor's own words in this space."""
    # What each link sets in addition to the space; None means the default of the field, which shows processed vectors.
    if source == STATIC:
        pages: dict[str, dict[str, str | None]] = {
            "similarity": {"similarity_tab": None, "similarity_vectors": None},
            "clusters": {"clusters_source": None},
            "arithmetic": {"arithmetic_tab": "formula"},
        }
    elif isinstance(source, CorpusFolder):
        if space.kind == BY_CLUSTER:
            return  # the moments of a folder contain no clusters, so it can only be searched raw
        pages = {"corpus": {"corpus_source": folders.name_of(source)}}
    else:
        pages = {"corpus": {"corpus_recipe": source}}
        if _last_state("corpus").get("corpus_source", [""])[-1] in folders.names():
            pages["corpus"]["corpus_source"] = None  # a folder has its own layers
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Use this space for your own words on another page:", width="content")
        for name, changed in pages.items():
            title = next(one.title for one in page.PAGES if one.name == name)
            query = _last_state(name) | Spaces(name).link(space) | changed | {models.MODEL.key: model}
            asked = {key: value for key, value in query.items() if value is not None}
            st.page_link(f"pages/{name}.py", label=title, icon=":material/blur_on:", query_params=asked)


def _last_state(name: str) -> dict[str, Any]:
    """The parameters of another page as the visitor left it, so that its words are not lost."""
    return dict(state.link(name, page.COMMON))


def _ledoit_wolf(model: str, source: Source) -> None:
    try:
        value = cached.compute(queries.shrinkage, model, source)
    except ValueError:  # shown where the space is measured
        return
    st.button(
        f"Use Ledoit–Wolf shrinkage ({value:.2f})",
        key="use-shrinkage",
        type="tertiary",
        on_click=state.put,
        args=({SPACE.shrinkage.key: round(value, 2)},),
    )


@dataclass(frozen=True)
class _Content:
    """Headline, data, table, caption and alternative text of a chart of several spaces."""

    headline: str
    data: Any
    table: pd.DataFrame
    caption: str
    alt: str


def _shapes(overviews: dict[str, SpaceMeasures]) -> _Content:
    cosines = {name: one.cosines for name, one in overviews.items()}
    alt = charts.histogram_alt(cosines)
    return _Content(verdict.finding(overviews), cosines, overview.measures_table(overviews), _measured(overviews), alt)


def _uses(overviews: dict[str, Overview]) -> _Content:
    table = overview.scores_table(overviews)
    return _Content(verdict.comparison(overviews), table, table, _USE, charts.scores_alt(table))


def _main_charts(model: str, answer: jobs.Answer[dict[str, SpaceMeasures]]) -> None:
    """Draw the cosines, and next to them the task scores, which are computed after the cosines are shown."""
    content = cached.derive(_shapes, answer.value, answer.asked)
    st.header(texts.plain(content.headline), anchor=False)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.histogram, content.data),
            content.table,
            name="isotropy-cosines",
            alt=content.alt,
            below=lambda: page.seen(content.caption),
        )
        if model == BUNDLED:
            st.caption(
                "This model is derived from a sentence encoder that was trained to spread out the vectors of sentences,"
                " so its isotropy is not that of bert-base."
            )
    with right:
        try:
            overviews = jobs.run(
                "isotropy-use", queries.overviews, model, *answer.asked, label="Testing the vectors in tasks"
            )
        except ValueError as error:
            texts.problem(error)
            return
        use = cached.derive(_uses, overviews, answer.asked)
        figures.chart(
            cached.figure(charts.scores, use.data), use.table, name="isotropy-scores", alt=use.alt,
            below=lambda: _use(use),
        )  # fmt: skip


def _measured(overviews: dict[str, SpaceMeasures]) -> str:
    before = overviews[BEFORE].measures
    isoscore, partition = f"is **{before.isoscore:.2f}**", f"is **{before.partition:.2f}**"
    if AFTER in overviews:
        after = overviews[AFTER].measures
        isoscore = f"changes from **{before.isoscore:.2f}** to **{after.isoscore:.2f}**"
        partition = f"from **{before.partition:.2f}** to **{after.partition:.2f}**"
    return (
        "The chart shows the cosines of 10,000 random pairs (see [[anisotropy]]); vertical lines mark the means. The"
        f" [[IsoScore]] {isoscore}, and the [[partition-function measure]] {partition}; both are 1 if all directions"
        " are equally strong."
    )


def _use(content: _Content) -> None:
    st.text(content.headline)
    page.seen(content.caption)
