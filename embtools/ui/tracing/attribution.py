"""Panel for which words a masked answer depends on: by gradients, by leaving words out, and by attention."""

from typing import Any

import streamlit as st

from embtools.charts import tracing as charts
from embtools.mask_filling.typed_input import mask_note, normalise_masks
from embtools.messages import column_name
from embtools.statistics.decimals import decimal
from embtools.tracing import attribution
from embtools.tracing.attribution import Attribution
from embtools.ui import captions, entry, figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Flag, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.one_token import hide_special, masked
from embtools.ui.shown import Model, Models

TAB = "Attribution"
USES_EDIT = True
TEXT = Text("tracing_masked", "The capital of France is [MASK].", 1_000)
ANSWER = Text("tracing_answer", "", 60)
HIDE = Flag("tracing_hide")
FIELDS = (TEXT, ANSWER, HIDE)
PRESETS: dict[str, dict[str, Any]] = {
    "The capital of France": {},
    "Hot and cold": {TEXT.key: "The opposite of hot is [MASK]."},
    "Milk into a glass": {TEXT.key: "She poured the milk into a [MASK]."},
    "Too tired": {TEXT.key: "The animal didn't cross the street because [MASK] was too tired.", ANSWER.key: "it"},
}
_DEFAULT = Call(attribution.attribute, text=TEXT.default, answer=ANSWER.default)
_OVER = Call(attribution.over_sentences)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return TEXT, captions.Setting("answer", ANSWER)


def show(models: Models) -> None:
    """Draw the fields; for each model the measures for each token, and how well they agree."""
    sentence, word = st.columns([3, 1], gap="small")
    with sentence:
        entry.text_input("Sentence with [MASK] or ___", **TEXT.widget)
        problems = st.container()
    with word:
        entry.text_input("Answer", placeholder="The top answer", **ANSWER.widget)
    answers = running.ask(
        "attributed",
        _query,
        models,
        _DEFAULT,
        label="Computing the attributions",
        container=problems,
        suggest=ANSWER,
        prints=("headline", "probability", "difference", "tokens", "agreement"),
    )
    if not answers:
        return
    if (note := mask_note([normalise_masks(TEXT.value)])) and not answers[0].stale:
        with problems:
            st.text(note)
    for container in running.containers(answers):
        with container as answer:
            _measures(answer.value)
    hide_special(HIDE)
    with figures.expander(
        "over", f"Agreement over {attribution.MOST_SENTENCES} sentences", ":material/functions:"
    ) as opened:
        if opened:
            _over_sentences(models)


def _query(_: Model) -> Call:
    return Call(attribution.attribute, text=masked(TEXT), answer=ANSWER.value.strip())


def _measures(result: Attribution) -> None:
    shown.headline(result.headline)

    def below() -> None:
        page.caption(
            "Each row is a measure with its own scale. Blue supports the answer, orange counts against it."
            " [[attention|Attention]] from the mask (mean of all heads) and [[attention rollout|rollout]] cannot count"
            " against an answer, and would be the same for any other answer. [[gradient × input|Gradient × input]],"
            " [[integrated gradients]] and [[leave one out]] are computed for this answer, in [[nats]]."
        )

    figures.show(charts.measures, result, HIDE.value, name="tracing-attribution", options={"below": below})
    left, right = shown.split([1, 1], gap="medium")
    with left:
        st.subheader("How well each method agrees with leaving words out", anchor=False)
        name = f"tracing-agreement{shown.suffix()}"
        figures.table(
            result.agreement,
            "Agreement of each measure with leaving words out",
            name=name,
            column_config={"top_token": "top token"},
        )
        page.caption(
            "The table shows the token that each measure ranks 1st, and the rank correlation [[ρ]] of the measure with"
            " leave one out (1 means the same order). One short sentence shows little; you can test many below."
        )
    with right:
        st.subheader("Attention as an explanation", anchor=False)
        total, added = (
            decimal(value) for value in (result.tokens[column_name(attribution.INTEGRATED)].sum(), result.difference)
        )
        page.caption(
            "A weight shows where a head takes information from, not whether the answer needs this information:"
            " different weights can lead to the same answer (Jain & Wallace 2019). Others reply that attention can"
            " still be useful, depending on the purpose of the explanation (Wiegreffe & Pinter 2019). Gradients are no"
            " proof either, because they describe only one point or one path."
        )
        page.caption(
            "As a check, compare two numbers that must be equal: the integrated gradients add up to"
            f" {total}, and the log probability changes by {added} between a text that consists"
            " only of masks and this text."
        )


def _over_sentences(models: Models) -> None:
    """Draw the agreement over many sentences after a click on its button."""
    seconds = sum(_seconds(model) for model in models)
    if not long_work.requested("tracing-over", "Run on the built-in sentences", seconds, models):
        return
    answers = running.ask("over", _OVER, models, label="Computing the attributions", prints=("headline", "frame"))
    for container in running.containers(answers):
        with container as answer:
            st.text(answer.value.headline)
            figures.show(charts.agreement, answer.value, name="tracing-over")
            page.caption(
                "These are the built-in sentences without a person's gender, each with the model's own top answer."
                " Whiskers are 95% intervals ([[bootstrap]] over the sentences). In the table, *same_top* is the share"
                " of sentences in which the method and leave one out rank the same token 1st. *p_value* compares the"
                " method with the best one on the same sentences ([[sign test]])."
            )


def _seconds(model: Model) -> float:
    return 0.0 if model.was_opened and running.known(_OVER, model) else 20.0


def _most(result: Attribution, measure: str) -> str:
    """Return the token with the largest value of a measure."""
    counted = result.tokens[result.tokens["compared"]]
    if counted.empty:
        raise ValueError("There is no word except the mask.")
    return str(counted.loc[counted[column_name(measure)].idxmax(), "token"])


READINGS = {
    "needed": Reading(
        _query, "Word that the answer depends on most", "word", lambda it: _most(it, attribution.LEFT_OUT)
    ),
    "attended": Reading(
        _query, "Word that gets the most attention", "word", lambda it: _most(it, attribution.ATTENTION)
    ),
    "agree": Reading(
        _query,
        "Whether the word with the most attention is also needed most",
        "yes or no",
        lambda it: _most(it, attribution.LEFT_OUT) == _most(it, attribution.ATTENTION),
    ),
}
