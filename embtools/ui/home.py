"""The parts of Home."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached
from embtools.ui import page as ui_page
from embtools.ui.arithmetic import examples, inputs, results

_BUNDLED = Path(__file__).parent.parent / "bundled"


def welcome(model: str) -> DeltaGenerator:
    """What this is and what to try first; returns the place where the first result will stand."""
    st.title(ui_page.TITLE, anchor=False)
    st.markdown(
        "Change an embedding inside BERT, run the model again, and see what happens. Make **Rome** a French city,"
        " average **he** and **she**, take a word's gender away. Beside every result"
        " stand the **controls that could refute it**."
    )
    place = st.container(border=True)
    with place:
        st.text(f"{examples.FIRST_TEXT}   with   {examples.FIRST_EDIT}")
    return place


def cards(model: str) -> None:
    """One card per page, in the menu's order."""
    for start in range(0, len(ui_page.PAGES), 3):
        for column, page in zip(st.columns(3), ui_page.PAGES[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.page_link(
                    page.script, label=f"**{page.title}**", icon=page.icon, query_params=ui_page.model_query(model)
                )
                st.caption(page.card)


def model_in_use(place: DeltaGenerator, name: str) -> None:
    """Size, licence and scores of the model in use, its sizes read from the loaded network (D7 of the paper)."""
    chosen = CATALOGUE[name]
    with place:
        st.subheader("The model in use", anchor=False)
        st.markdown(f"**{chosen.title}** · {chosen.licence} · {chosen.megabytes:,} MB. {chosen.note}")
        try:
            loaded = cached.model(name)
        except ValueError:  # said already where the first result should stand
            return
        figures: dict[str, int | str] = {
            "Layers": loaded.layers,
            "Dimensions": loaded.dimensions,
            "Attention heads": loaded.heads,
            "Word pieces": f"{len(loaded.vocabulary):,}",
            "Parameters": f"{loaded.parameters / 1e6:.1f} M",
        }
        with st.container(horizontal=True):
            for label, value in figures.items():
                st.metric(label, value, border=True, width="content")
        scores = _BUNDLED / "scores.json"
        if name == BUNDLED and scores.exists():
            _scores(json.loads(scores.read_text(encoding="utf-8")))
        st.caption(
            "For comparison: BERT base has 12 layers × 768, 12 heads and 110 million parameters; BERT large 24 × 1024,"
            " 16 heads and 340 million (Devlin et al. 2018, section 3; other texts count 345). Choose another model in"
            " the sidebar."
        )


def privacy() -> None:
    """What happens to what visitors type."""
    st.caption(
        "What you type stays in your browser's address bar and in this server's memory; nothing is written to disk or"
        " sent elsewhere, and no usage statistics are gathered. The model's answers are habits learnt from text, not"
        " facts, and repeat its prejudices."
    )


def first_result(place: DeltaGenerator, model: str) -> None:
    """Load the model once the page is painted, and put the answer of the first example into its place."""
    with place:
        try:
            answers = results.answers(model, inputs.DEFAULT).answers
        except ValueError as error:
            ui_page.problem(error)
            return
        results.answer_metrics(answers)
        st.page_link(
            "pages/arithmetic.py",
            label="**Try it yourself**",
            icon=":material/play_circle:",
            query_params=ui_page.model_query(model),
        )


def warm_examples(model: str) -> None:
    """Answer the examples of the Arithmetic page while the visitor reads, so that each is instant when clicked."""
    if model != BUNDLED:  # a large model would be busy for a minute
        return
    for group in examples.EXAMPLES.values():
        for state in group.values():
            if "arithmetic_text" in state:
                with suppress(ValueError):
                    results.answers(model, inputs.asked_by(state))


def _scores(scores: list[dict[str, Any]]) -> None:
    percent = {c: st.column_config.NumberColumn(format="percent") for c in ("value", "low", "high")}
    st.dataframe(scores, hide_index=True, column_config=percent, alt="Scores of the bundled model")
    st.caption("low … high: 95 % interval by bootstrap; n: items. The model card says how each was measured.")
