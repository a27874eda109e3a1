"""The answers before and after an edit next to its controls; redrawn at each step of the strength slider."""

from typing import Any

import streamlit as st

from embtools import stored_scores
from embtools.arithmetic import verdict
from embtools.arithmetic.edit import TypedEdit
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.charts import arithmetic as charts
from embtools.ui import figures, page, running, shown, state, trained
from embtools.ui.arithmetic import details, edit_query
from embtools.ui.call import Call
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

_CAPTION = (
    "Each word has two bars: its probability at the [[mask]] before the edit of the [[embedding]] (hatched) and after"
    " it (solid). A [[control]] makes a different change. Its diamond and the first number show the mean of its runs,"
    " the line through the diamond their range, and “max” the strongest run."
)
_CAPTION_WITHOUT_EDIT = (
    "Each bar is the probability of a word at the [[mask]]. An edit changes the [[embedding]] of a word."
)


@state.fragment
def show(models: Models, read: Answer[TypedEdit], bar: Any, carry: Any) -> None:
    """Show each model's results, with the strength slider in `bar` and the button that carries the edits to other pages
    in `carry`."""
    edited = bool(read.value.change.edits)
    with bar:
        st.slider(
            "Strength of the edit",
            disabled=not edited,
            help="0 is the original vector and 1 the result of the formula; 2 goes twice as far in the same direction.",
            **edit_query.STRENGTH.widget,
        )
    if not read.stale:
        with carry:
            edit_query.carry()
    answers = running.ask(
        "answers",
        lambda model: edit_query.answers(model, read),
        models,
        edit_query.first_answers,
        label="Running BERT with the edit and its controls",
        container=st.container(),
        suggest=edit_query.LEAVE_OUT,
        prints=("headline", "answers", *(("reason", "compared") if edited else ()), *details.printed(edited)),
    )
    if not answers:
        return
    first = answers[0].value
    _mask(first.masks)
    running.say(verdict.two_edits, answers, first.mask, first.k, parts="experiment")
    running.token_differences(answers, lambda answer: answer.value.words)
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            _full_stop(answer.value.with_full_stop)
            left, right = shown.split([3, 2], gap="medium")
            with left:
                bars, edited, all_answers = answer.value.bars, answer.value.edited, answer.value.answers
                figures.show(charts.answers, bars, edited, all_answers, name="answers")
                if answer.value.edited:
                    _evidence(answer.model)
                    trained.capital_edit(answer.model, answer.value.change)
            with right:
                _comparison(answer.value)
            page.caption(_CAPTION if answer.value.edited else _CAPTION_WITHOUT_EDIT)
    details.show(answers)


def _mask(count: int) -> None:
    """Draw the choice of the mask where the sentence has several masks."""
    if count > 1:
        if edit_query.MASK.value > count:  # the sentence had more masks before
            edit_query.MASK.correct(count)
        st.segmented_control(
            "Mask",
            range(1, count + 1),
            required=True,
            key=edit_query.MASK.key,
            persist_state="session",
            format_func=lambda mask: f"Mask {mask}",
        )


def _full_stop(text: str) -> None:
    """Offer to end the sentence if BERT answers a punctuation mark because it ends at the mask."""
    if not text:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"full-stop{shown.suffix()}"):
        st.text("BERT ends your sentence here. Add a full stop after the gap to get a word.")
        st.button(
            "Add a full stop", key=f"add-full-stop{shown.suffix()}", on_click=state.put,
            args=({edit_query.TEXT.key: text},),
        )  # fmt: skip


def _comparison(result: EditedAnswers) -> None:
    """Draw the chart that compares the edit with its controls, below its result in a sentence."""
    if not result.edited:
        st.text(
            "No edit is applied. Press “Build an edit” above, or type one that begins with a word of the sentence, in"
            " the form word = word - less + more."
        )
        return
    st.subheader("Comparison with the controls", anchor=False)
    st.text(result.reason)
    figures.show(charts.comparison, result.compared, result.word, result.probability, name="controls")


def _evidence(model: Model) -> None:
    """Show the rates over many edits for a model with stored scores."""
    scores = running.run(Call(stored_scores.read), model)
    if evidence := stored_scores.evidence(scores):
        # The reason is given in the explanation of the page, where there is room for it.
        caution = (
            " Adding the country alone works more often in other models: this one was trained against it."
            if stored_scores.copying(scores)
            else ""
        )
        page.caption(f"**One sentence is little evidence.** {evidence}{caution}")
