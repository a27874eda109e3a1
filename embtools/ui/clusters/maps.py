"""The map of the Clusters page with its headline, next to a panel for words, settings and the selection."""

from contextlib import nullcontext

import streamlit as st

from embtools.charts.clusters.maps import Look
from embtools.ui import jobs, page, state, texts
from embtools.ui.clusters import (
    details,
    inputs,
    motion,
    python,
    results,
    selected,
    settings,
    trust,
    two_models,
    words,
)
from embtools.ui.clusters import examples as cluster_examples
from embtools.ui.clusters.inputs import PANEL, PIECES
from embtools.ui.clusters.picture import draw, headline, said, says
from embtools.ui.clusters.results import Picture, Sight
from embtools.ui.compare import Beside
from embtools.ui.share import Code

TAB = "Map"
COMPARES = True
FIELDS = inputs.FIELDS
PRESETS = cluster_examples.PRESETS


def show(model: str, code: Code) -> None:
    motion.watch()
    raw, model = model, inputs.looked_at(model, code)
    seen = results.take(model)
    python.write(seen, code)
    _sight(raw, model, seen, code)
    details.show(model, seen, code)


@state.fragment
def _sight(raw: str, model: str, seen: Sight, code: Code) -> None:
    """Draw the map and the panel, in a fragment: clicks, colours and searches do not rerun the rest of the page."""
    if not seen.same(model) or inputs.looked_at(raw, code) != model:
        st.rerun()  # a new map needs the whole page, where the computation can be stopped
    look, problems = selected.look(model, seen.first) if seen.first else (Look(), [])
    beside = Beside(
        model, code, [7, 3], more="The fields apply to both models. The selected words, and everything below"
    )
    with beside.detail, st.container(key="panel", gap="small"):
        settings.method()
        for problem in seen.problems:
            texts.problem(problem)
        _tabs(model, seen, look, problems, code)
    with beside.first, st.container(key="half-map") if beside.other else nullcontext():
        if seen.first is None or seen.answer is None:
            st.text("No map could be drawn for these words.")
            return
        with jobs.results(seen.answer, "clusters", says(seen.first)):
            _hero(model, seen, seen.first, look, beside)
    if beside.other:
        two_models.show(seen, seen.first, beside)


def _tabs(model: str, seen: Sight, look: Look, problems: list[str], code: Code) -> None:
    for name, tab in state.tabs(PANEL).items():
        if tab.open:
            with tab:
                if name == "Words":
                    words.show(model)
                elif name == "Map":
                    drawn = seen.first and seen.first.drawn.map
                    settings.show(drawn or None, seen.found is not None, seen.stable is not None)
                elif seen.first:
                    selected.show(model, seen.first, look, problems, code)


def _hero(model: str, seen: Sight, picture: Picture, look: Look, beside: Beside) -> None:
    drawn = picture.drawn
    with st.container(key="finding", horizontal=True, vertical_alignment="center", gap="small"):
        headline(picture, alone=not beside.other)
    inputs.PROCESSED.badge(possible=not drawn.words.template)

    def below() -> None:
        st.html(trust.html(drawn.map.trust, seen.stable))
        if len(look.picked) == 1:
            with st.container(key="clusters-nearest"):  # shown on a phone, where the panel is further down
                st.text(selected.sentence(model, picture, look.picked[0]))
        page.seen(said(model, picture).trust)
        _badges(model, picture)

    draw(model, seen, picture, look, selected.MAP, below, beside.alt)
    st.caption(says(picture))


def _badges(model: str, picture: Picture) -> None:
    """Show badges for what the map itself does not show: shuffled groups, and words of several tokens."""
    drawn, several = picture.drawn, said(model, picture).several
    if drawn.words.shuffled is None and not drawn.left_out and not several:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if drawn.words.shuffled is not None:
            st.badge("groups shuffled", icon=":material/shuffle:", color="orange")
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
