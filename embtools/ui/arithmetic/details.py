"""Details of an edit in tabs, of which only the open one is computed."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.arithmetic import controls, scopes
from embtools.arithmetic.edit import hidden_answers
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.arithmetic.vector_changes import edited_vectors
from embtools.arithmetic.word_finder import token_table
from embtools.ui import entry, figures, running, shown, state
from embtools.ui.arithmetic import edit_query, layers, words
from embtools.ui.arithmetic.edit_query import left_out
from embtools.ui.arithmetic.word_finder import FIND, word_finder
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.running import Answer

_NUMBERS, _CONTROLS = "As numbers", "Each control"
MORE = Choice(
    "arithmetic_more",
    _NUMBERS,
    {
        "numbers": _NUMBERS,
        "strength": "Strength curve",
        "lens": "Logit lens",
        "layers": "Edit in later layers",
        "vectors": "Edited vectors",
        "controls": _CONTROLS,
        "scope": "Other scope",
        "words": "Chosen words",
        "random": "Random answers",
        "tokens": "Tokens",
        "settings": "Settings",
    },
)
FIELDS = (
    MORE, words.CURVE, words.CURVE_AS, words.CANDIDATES, words.DRAWN, layers.LENS, layers.TUNED, layers.TEMPLATES, FIND,
)  # fmt: skip
_LEAVE_OUT = "These words cannot be answers. The probabilities of the other words do not change."
_KEEP_LENGTH = (
    "The sum of several vectors is usually longer than one vector. This scales the result of the formula to the length"
    " of the original vector."
)
_SHARES = ("probability_before", "probability_after", "probability", "change", "mean", "lowest", "highest")
PERCENT = {column: st.column_config.NumberColumn(format="percent") for column in _SHARES}
Answers = Sequence[Answer[EditedAnswers]]


def printed(edited: bool) -> tuple[str, ...]:
    """Return the parts of the answers that the open tab shows, for the copied Python."""
    if not edited:
        return ()
    return {_NUMBERS: ("verdict",), _CONTROLS: ("runs",)}.get(MORE.value, ())


def show(answers: Answers) -> None:
    """Draw the tabs, and in the open one the details of each model."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                _detail(name, answers)


def _detail(name: str, answers: Answers) -> None:
    for_all: dict[str, Callable[[Answers], None]] = {
        "Chosen words": words.chosen_words,
        "Tokens": _tokens,
        "Settings": _settings,
        "Random answers": words.random_answers,
        "Logit lens": layers.logit_lens,
    }
    for_edits: dict[str, Callable[[Answers], None]] = {
        _NUMBERS: _numbers,
        "Strength curve": words.curve,
        "Edit in later layers": layers.edits_by_layer,
        "Edited vectors": _edited_vectors,
        _CONTROLS: _runs,
        "Other scope": _scopes,
    }
    if name in for_edits and not answers[0].value.edited:
        st.text("This tab needs an edit of a word of the sentence. Type one above.")
        return
    (for_all | for_edits)[name](answers)


def _numbers(answers: Answers) -> None:
    """Show the comparison of the edit with all controls in sentences."""
    for container in running.containers(answers, part="detail"):
        with container as answer:
            for sentence in answer.value.verdict:
                st.text(sentence)


def _runs(answers: Answers) -> None:
    for container in running.containers(answers, part="detail"):
        with container as answer:
            runs = answer.value.runs
            text = "Each row is one run of a control: the change it makes and its top answer. The columns token and"
            text += " probability show the edit's top answer and the probability that this run gives to it."
            if "left_out" in runs:
                text += (
                    " The column left_out names the word that would be the top answer of the run if you had not left"
                    " it out."
                )
            st.caption(text)
            figures.table(runs, "All runs with their answers", name=f"runs{shown.suffix()}", column_config=PERCENT)
            for name in runs["control"].unique():
                st.text(f"{name.capitalize()}: {controls.CONTROLS[name]}")


def _scopes(answers: Answers) -> None:
    """Compare the two scopes, where the model is tied and the edited words are in the sentence."""
    for container in running.containers(answers, part="detail"):
        with container as answer:
            result = answer.value
            query = Call(
                scopes.first_answers,
                text=result.text,
                change=result.change,
                leave_out=left_out(answer),
                temperature=answer.query["temperature"],
            )
            both = running.detail("scopes", query, answer.model)
            if both is not None:
                both = both[both["mask"] == result.mask]
                st.text(scopes.sentence(both, result.change.scope, mask=result.mask))
                figures.table(
                    both.drop(columns="mask"),
                    "Answers with both scopes",
                    name=f"scopes{shown.suffix()}",
                    column_config=PERCENT,
                )


def _edited_vectors(answers: Answers) -> None:
    for container in running.containers(answers, part="detail"):
        with container as answer:
            query = Call(edited_vectors, change=answer.value.change)
            result = running.detail("vectors", query, answer.model, prints=("[0]", "[1]"))
            if result is not None:
                _neighbours(*result)


def _neighbours(lengths: Any, nearest: Any) -> None:
    for line in lengths.itertuples():
        of_word = nearest[nearest["word"] == line.word]
        for column, run, name in zip(st.columns(2), ("original", "edited"), ("before", "after"), strict=True):
            with column:
                st.text(f"Nearest to the {run} vector of “{line.word}” (length {getattr(line, run):.2f})")
                table = of_word.loc[of_word["run"] == run, ["rank", "token", "cosine"]]
                figures.table(
                    table,
                    f"Nearest to the {run} vector of “{line.word}”",
                    name=f"near-{line.word}-{name}{shown.suffix()}",
                )


def _tokens(answers: Answers) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        for container in running.containers(answers, part="detail"):
            with container as answer:
                tokens = running.detail("tokens", Call(token_table, text=answer.value.text), answer.model)
                figures.table(tokens, "Tokens of the sentences", name=f"tokens{shown.suffix()}")
    with right:
        word_finder(tuple(answer.model for answer in answers))


def _settings(answers: Answers) -> None:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        entry.text_input(
            "Words to leave out (comma-separated)",
            placeholder="pakistan, asia",
            help=_LEAVE_OUT,
            **edit_query.LEAVE_OUT.widget,
        )
        st.slider("Number of answers", **edit_query.ANSWERS.widget)
    with middle:
        st.slider(
            "Temperature",
            help=words.TEMPERATURE_HELP,
            **edit_query.TEMPERATURE.widget,
        )
        st.slider("Random draws per control", **edit_query.DRAWS.widget)
    with right:
        st.toggle("Keep the original length", help=_KEEP_LENGTH, **edit_query.KEEP.widget)
        st.toggle("Hide offensive words", **edit_query.HIDE.widget)
        for answer in answers:
            if answer.query["hide_offensive"]:
                _hidden(answer, f"{answer.model.title}: " if len(answers) > 1 else "")


def _hidden(answer: Answer[EditedAnswers], whose: str) -> None:
    result = answer.value
    query = Call(
        hidden_answers,
        text=result.text,
        change=result.change,
        k=result.k,
        leave_out=answer.query["leave_out"],
        temperature=answer.query["temperature"],
    )
    hidden = running.detail("hidden", query, answer.model)
    if hidden is not None:
        st.caption(f"{whose}{hidden} of the top {result.k} answers are hidden as offensive.")
