"""The last tab of details: tokens, settings and further questions about an edit, each computed when it is opened."""

from typing import Any

import streamlit as st

from embtools.arithmetic import candidate_words, scopes
from embtools.arithmetic.edit import hidden_answers
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.arithmetic.vector_changes import edited_vectors
from embtools.arithmetic.word_finder import token_table
from embtools.mask_filling import sampling
from embtools.ui import entry, fields, figures, page, running, shown, state
from embtools.ui.arithmetic import edit_query
from embtools.ui.arithmetic.edit_query import Answers, ask, at_mask, left_out
from embtools.ui.arithmetic.word_finder import FIND, word_finder
from embtools.ui.call import Call
from embtools.ui.fields import Number, Text
from embtools.ui.running import Answer

CANDIDATES = Text("arithmetic_candidates")
DRAWN = Number("arithmetic_drawn", 1, 1, 999_999, 1)
FIELDS = (CANDIDATES, DRAWN, FIND)
_DRAWS = 100
_LEAVE_OUT = "These words cannot be answers. The probabilities of the other words do not change."
_KEEP_LENGTH = (
    "The sum of several vectors is usually longer than one vector. This scales the result of the formula to the length"
    " of the original vector."
)
_TEMPERATURE = (
    "The scores are divided by the temperature. Values below 1 make probable words more probable; values above 1 make"
    " the probabilities more equal."
)
_SHARES = ["probability_before", "probability_after", "probability", "change", "mean", "lowest", "highest", "share"]
PERCENT = {column: st.column_config.NumberColumn(format="percent") for column in _SHARES}


def show(answers: Answers) -> None:
    """Draw the folds; those that need an edit only with one."""
    folds = [
        ("tokens", "Tokens", ":material/view_week:", _tokens),
        ("edit-settings", "Settings", ":material/tune:", _settings),
        ("words", "Chosen words", ":material/format_list_bulleted:", _chosen_words),
        ("random", "Random answers", ":material/casino:", _random_answers),
    ]
    if answers[0].value.edited:
        folds[2:2] = [("scopes", "Other scope", ":material/compare_arrows:", _scopes)]
        folds.append(("edited-vectors", "Edited vectors", ":material/straight:", _edited_vectors))
    for name, label, icon, draw in folds:
        with figures.expander(name, label, icon) as opened:
            if opened:
                draw(answers)


def _tokens(answers: Answers) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        for container in running.containers(answers, part="tokens"):
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
            help=_TEMPERATURE,
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


def _scopes(answers: Answers) -> None:
    """Compare the two scopes, where the model is tied and the edited words are in the sentence."""
    for container in running.containers(answers, part="scopes"):
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


def _chosen_words(answers: Answers) -> None:
    """Show the probabilities of the words that the visitor enters, also of words of several tokens."""
    entry.text_input(
        "Words to score (comma-separated)",
        placeholder="france, italy, new york",
        help="Words of several tokens are allowed: their probability is the product of the tokens' probabilities, each"
        " given the tokens before it.",
        **CANDIDATES.widget,
    )
    selected = fields.words(CANDIDATES.value)
    if not selected:
        return
    scored = ask(
        "scored",
        answers,
        lambda answer: at_mask(candidate_words.candidates, answer, words=selected),
        label="Scoring words",
    )
    for container in running.containers(scored):
        with container as answer:
            figures.table(
                answer.value,
                "Probabilities of the chosen words",
                name=f"candidates{shown.suffix()}",
                column_config=PERCENT,
            )


def _random_answers(answers: Answers) -> None:
    """Show a random answer at the temperature of the fold above, and the shares of 100 random answers."""
    next_seed = DRAWN.value % DRAWN.high + 1
    st.button("Draw another answer", icon=":material/casino:", on_click=state.put, args=({DRAWN.key: next_seed},))

    def query(answer: Answer[EditedAnswers]) -> Call:
        seed = int(DRAWN.value)
        return at_mask(sampling.draw_answers, answer, draws=_DRAWS, leave_out=left_out(answer), seed=seed)

    for container in running.containers(ask("draws", answers, query, prints=("first", "counts"))):
        with container as answer:
            st.text(f"Random answer: {answer.value.first}")
            page.caption(
                "BERT can also answer at random: the higher the [[probability]] of a word, the more often it is drawn."
                f" Below are the results of {_DRAWS} random draws. The shares differ a little from the"
                " probabilities, as with dice. The temperature is one of the settings above."
            )
            figures.table(
                answer.value.counts, "Results of random draws", name=f"drawn{shown.suffix()}", column_config=PERCENT
            )


def _edited_vectors(answers: Answers) -> None:
    for container in running.containers(answers, part="vectors"):
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
