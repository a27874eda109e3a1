"""The foot of Home: the model in use, and what happens to the text that visitors type."""

import pandas as pd
import streamlit as st

from embtools import stored_scores
from embtools.models.catalogue import CATALOGUE
from embtools.ui import cached, figures, running
from embtools.ui.call import Call
from embtools.ui.shown import Model


def model_in_use(name: str) -> None:
    """Draw an expander with size, licence and scores of the model; its sizes are read from the loaded network."""
    chosen = CATALOGUE[name]
    with figures.expander("model", f"{chosen.title}, the model in use", ":material/memory:") as opened:
        if opened:
            reads = f" · reads {chosen.reads}" if chosen.reads else ""
            st.markdown(
                f"{chosen.licence} · {chosen.megabytes:,} MB{reads}. {chosen.note} You can choose"
                " another model under *settings* in the menu."
            )
            loaded = running.attempt(lambda: cached.model(name))
            if loaded is None:
                return
            sizes: dict[str, int | str] = {
                "Layers": loaded.layers,
                "Dimensions": loaded.dimensions,
                "Attention heads": loaded.heads,
                "Tokens in the vocabulary": f"{len(loaded.vocabulary):,}",
                "Parameters": f"{loaded.parameters / 1e6:.1f} M",
            }
            with st.container(horizontal=True):
                for label, value in sizes.items():
                    st.metric(label, value, border=True, width="content")
            _scores(running.run(Call(stored_scores.read), Model(name)))
            st.caption(
                "For comparison: BERT base has 12 layers with 768 dimensions, 12 heads and 110 million parameters. BERT"
                " large has 24 layers with 1,024 dimensions, 16 heads and 340 million parameters (Devlin et al. 2018,"
                " section 3; other texts give 345 million)."
            )


def privacy() -> None:
    """Say what happens to the text that visitors type."""
    st.caption(
        "What you type becomes part of this page's address and stays in this server's memory for a while. The app does"
        " not write it to disk, does not send it to another server and collects no usage statistics. But others may"
        " record the address: a proxy may log it, for example. The model's answers are not facts. They repeat what it"
        " has learnt from text, including prejudices."
    )


def _scores(scores: pd.DataFrame) -> None:
    """Draw the stored scores of a model, if there are any, and the note on the score that looks too good."""
    if scores.empty:
        return
    shares = {c: st.column_config.NumberColumn(format="percent") for c in ("value", "low", "high")}
    shown = scores.drop(columns="start")  # measured for some scores only; the note below says what matters about it
    st.dataframe(shown, hide_index=True, column_config=shares, alt="Scores of the bundled model")
    st.caption(
        "low, high: 95% confidence interval (bootstrap). n: number of test items. The model card says how each"
        " score was measured."
    )
    if note := stored_scores.copying(scores):
        st.text(note)
