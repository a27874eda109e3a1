"""The second tab of the Layers page: the recipes on fifty words, and what the layers do to the space."""

import pandas as pd
import streamlit as st

from embtools.charts.layers import survey as charts
from embtools.layers import published, survey
from embtools.ui import cached, figures, jobs, page

TAB = "Fifty words"
RUN = "layers_run"  # in the address by hand: a button cannot be bound


def show(model: str) -> str:
    """The tab; returns code for "copy as Python"."""
    st.markdown(
        "Which recipe keeps two senses of a word apart, and how sure is that? **50 words × 2 senses × 4 sentences** are"
        " encoded once; every recipe is scored on each word."
    )
    if st.query_params.get(RUN) != "1":
        st.button("Score the fifty words", icon=":material/play_arrow:", type="primary", on_click=_run)
        st.caption("Seconds with Pocket BERT, up to a minute with a large model.")
        return _CODE
    label = "Encoding the sentences of fifty words"
    try:
        result = jobs.long_call(survey.survey, model, label=label, stop=_stop)
    except ValueError as error:  # a model of another language, or with capitals
        page.problem(f"This model cannot read the built-in sentences. {error}")
        return ""
    _stability(result)
    _geometry(result)
    return _CODE


def _stability(result: survey.Survey) -> None:
    scores = survey.stability(result)
    scored, control = scores.iloc[:-1], scores.iloc[-1]
    best = scored.loc[scored["auc"].idxmax()]
    equal = scored[(scored["auc"] > best["auc"] - 1e-9) & (scored.index != best.name)]
    with st.container(horizontal=True):
        st.metric("Best recipe", f"{best['recipe']}, {best['pooling']}", border=True)
        st.metric(
            "Mean AUC",
            f"{best['auc']:.3f}",
            border=True,
            help="0.5 is chance. The interval is in the chart and its table.",
        )
        st.metric(
            "Not beaten in",
            f"{best['best']:.0%}",
            border=True,
            help="Share of 2,000 resamples of the fifty words (bootstrap) in which no other recipe scores higher.",
        )
        st.metric(
            "Control: shared words",
            f"{control['auc']:.3f}",
            border=True,
            help="The same score from the words that two sentences share (tf-idf), without any model.",
        )
    st.caption(
        f"95 % interval of the best, over words: {best['low']:.3f} to {best['high']:.3f}. In the chart the solid rule"
        " is chance, the dotted one the control."
        + "".join(
            f" Equal to the best: {recipe}, {p}." for recipe, p in zip(equal["recipe"], equal["pooling"], strict=True)
        )
    )
    figures.chart(
        cached.figure(charts.stability, scores),
        scores,
        name="fifty-words",
        alt=f"Mean AUC of {scored['recipe'].nunique()} recipes with intervals. Best: {best['recipe']},"
        f" {best['pooling']}, {best['auc']:.2f}. Control without a model: {control['auc']:.2f}.",
    )
    with st.expander("Every word's score", icon=":material/list:"):
        chosen = result.scores[
            (result.scores["recipe"] == best["recipe"]) & (result.scores["pooling"] == best["pooling"])
        ]
        st.caption(f"Under {best['recipe']}, {best['pooling']}, the hardest words first.")
        figures.table(chosen.sort_values("auc", ignore_index=True), name="words-under-best")
    with st.expander("Beside a published comparison", icon=":material/history_edu:"):
        _published(scored)


def _published(scored: pd.DataFrame) -> None:
    """The ranking of recipes that BERT's authors found for another task, with this model's scores beside it."""
    table = published.beside_recipes(scored)
    names = {"published": "named entities, F1 (published)", "own": "senses, AUC (here)"}
    figures.table(table.rename(columns=names), name="published")
    st.caption(
        "Devlin et al. 2019, table 7: BERT base, named entities of CoNLL-2003, development set, weighted sums."
        " Another task, another scale: only the order can be compared."
    )


def _geometry(result: survey.Survey) -> None:
    st.subheader("What the layers do to the space", anchor=False)
    st.caption(f"{result.occurrences:,} occurrences of {result.words:,} words in the same 400 sentences.")
    left, right = st.columns(2, gap="large")
    with left:
        figures.chart(
            charts.geometry(result.geometry), result.geometry, name="geometry", alt=charts.geometry_alt(result.geometry)
        )
        st.caption(
            "Self-similarity: how alike a word stays to itself in other sentences. Anisotropy: how alike any two"
            " different words are; it has to be subtracted before layers are compared."
        )
    with right:
        table = pd.DataFrame(result.likeness).round(4)
        table.insert(0, "layer", range(len(table)))
        figures.chart(
            cached.figure(charts.likeness, result.likeness),
            table.rename(columns=str),
            name="likeness",
            alt=charts.likeness_alt(result.likeness),
        )
        st.caption("Likeness of two layers (linear CKA): 1 the same arrangement of words, 0 unrelated.")


def _run() -> None:
    st.query_params[RUN] = "1"


def _stop() -> None:
    st.query_params.pop(RUN, None)


_CODE = (
    "from embtools.layers import survey\n\n"
    "result = survey.survey(model, seed=0)\n"
    "print(survey.stability(result, seed=0).to_string())\n"
    "print(result.scores, result.geometry, result.likeness, result.words, result.occurrences, sep='\\n')"
)
