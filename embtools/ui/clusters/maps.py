"""The map of the Clusters page with its headline, next to a panel for words, settings and the selection."""

from contextlib import nullcontext

import streamlit as st

from embtools.charts.clusters.maps import Highlight
from embtools.ui import jobs, page, state, texts
from embtools.ui.clusters import details, inputs, motion, python, selected, settings, trust, two_models, words
from embtools.ui.clusters import examples as cluster_examples
from embtools.ui.clusters.inputs import PANEL, PIECES
from embtools.ui.clusters.picture import draw, headline, map_texts, settings_line
from embtools.ui.clusters.results import Picture, Results, compute_results
from embtools.ui.compare import Beside
from embtools.ui.share import Code

TAB = "Map"
COMPARES = True
FIELDS = inputs.FIELDS
PRESETS = cluster_examples.PRESETS


def show(model: str, code: Code) -> None:
    motion.watch()
    raw, model = model, inputs.in_space(model, code)
    results = compute_results(model)
    python.write(results, code)
    _map_and_panel(raw, model, results, code)
    details.show(model, results, code)


@state.fragment
def _map_and_panel(raw: str, model: str, results: Results, code: Code) -> None:
    """Draw the map and the panel, in a fragment: clicks, colours and searches do not rerun the rest of the page."""
    if not results.is_current(model) or inputs.in_space(raw, code) != model:
        st.rerun()  # a new map needs the whole page, where the computation can be stopped
    highlight, problems = selected.highlight(model, results.first) if results.first else (Highlight(), [])
    beside = Beside(
        model, code, [7, 3], more="The fields apply to both models. The selected words, and everything below"
    )
    with beside.detail, st.container(key="panel", gap="small"):
        settings.method()
        for problem in results.problems:
            texts.problem(problem)
        _tabs(model, results, highlight, problems, code)
    with beside.first, st.container(key="half-map") if beside.other else nullcontext():
        if results.first is None or results.answer is None:
            st.text("No map could be drawn for these words.")
            return
        with jobs.results(results.answer, "clusters", settings_line(results.first)):
            _map(model, results, results.first, highlight, beside)
    if beside.other:
        two_models.show(results, results.first, beside)


def _tabs(model: str, results: Results, highlight: Highlight, problems: list[str], code: Code) -> None:
    for name, tab in state.tabs(PANEL).items():
        if tab.open:
            with tab:
                if name == "Words":
                    words.show(model)
                elif name == "Map":
                    drawn = results.first and results.first.drawn.map
                    settings.show(drawn or None, results.found is not None, results.stable is not None)
                elif results.first:
                    selected.show(model, results.first, highlight, problems, code)


def _map(model: str, results: Results, picture: Picture, highlight: Highlight, beside: Beside) -> None:
    drawn = picture.drawn
    with st.container(key="finding", horizontal=True, vertical_alignment="center", gap="small"):
        headline(picture, alone=not beside.other)
    inputs.PROCESSED.badge(possible=not drawn.words.template)

    def below() -> None:
        st.html(trust.html(drawn.map.trust, results.stable))
        if len(highlight.picked) == 1:
            with st.container(key="clusters-nearest"):  # shown on a phone, where the panel is further down
                st.text(selected.sentence(model, picture, highlight.picked[0]))
        page.seen(map_texts(model, picture).trust)
        _badges(model, picture)

    draw(model, results, picture, highlight, selected.MAP, below, beside.alt)
    st.caption(settings_line(picture))


def _badges(model: str, picture: Picture) -> None:
    """Show badges for what the map itself does not show: shuffled groups, and words of several tokens."""
    drawn, several = picture.drawn, map_texts(model, picture).several
    if drawn.words.shuffled is None and not drawn.left_out and not several:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if drawn.words.shuffled is not None:
            st.badge("Groups shuffled", icon=":material/shuffle:", color="orange")
        if drawn.left_out:
            st.badge(
                f"{len(drawn.left_out)} left out (several tokens)", icon=":material/extension_off:", color="orange"
            )
            st.text(", ".join(drawn.left_out[:20]))
            st.button("Use the mean of their tokens", on_click=state.put, args=({PIECES.key: "mean"},), type="tertiary")
        if several:
            st.badge(
                f"{len(several)} read as the mean of their tokens"
                if drawn.words.pieces == "mean"
                else f"{len(several)} read as their first token",
                icon=":material/extension:",
                color="orange",
            )
            st.text(", ".join(several[:20]))
