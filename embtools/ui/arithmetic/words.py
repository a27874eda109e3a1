"""Three panels about words at one mask: chosen words, the strength curve, and random answers."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.arithmetic import candidate_words
from embtools.arithmetic.edit_result import EditedAnswers
from embtools.arithmetic.strength import strength_curve
from embtools.charts import arithmetic as charts
from embtools.mask_filling import sampling
from embtools.ui import entry, fields, figures, page, running, shown, state
from embtools.ui.arithmetic import edit_query
from embtools.ui.arithmetic.edit_query import left_out
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer

CURVE, CANDIDATES = Text("arithmetic_curve"), Text("arithmetic_candidates")
CURVE_AS = Choice("arithmetic_curve_as", "probability", ("probability", "log-odds"))
DRAWN = Number("arithmetic_drawn", 1, 1, 999_999, 1)
_DRAWS = 100
_PROBABILITIES = ("probability_before", "probability_after", "change")
_CURVE = (
    "Each line is a word. The strength goes from the original vector (0) to the result of the formula (1) and beyond"
    " it, to twice the change (2)."
)
TEMPERATURE_HELP = (
    "The scores are divided by the temperature. Values below 1 make probable words more probable; values above 1 make"
    " the probabilities more equal."
)
_SHARES = {column: st.column_config.NumberColumn(format="percent") for column in ("share", "probability")}
Answers = Sequence[Answer[EditedAnswers]]


def ask(name: str, answers: Answers, query: Callable[[Answer[EditedAnswers]], Call], **named: Any) -> Any:
    """Ask a further query about the answers of each model, as `running.ask` does."""
    of_model = {answer.model: answer for answer in answers}
    return running.ask(name, lambda model: query(of_model[model]), tuple(of_model), **named)


def at_mask(function: Callable[..., Any], answer: Answer[EditedAnswers], **arguments: Any) -> Call:
    """Return a query about the sentence, the edit and the mask of an answer, at its temperature."""
    result, temperature = answer.value, answer.query["temperature"]
    return Call(
        function, text=result.text, change=result.change, mask=result.mask, temperature=temperature, **arguments
    )


def chosen_words(answers: Answers) -> None:
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
    percent = {c: st.column_config.NumberColumn(format="percent") for c in _PROBABILITIES}
    for container in running.containers(scored):
        with container as answer:
            figures.table(
                answer.value,
                "Probabilities of the chosen words",
                name=f"candidates{shown.suffix()}",
                column_config=percent,
            )


def curve(answers: Answers) -> None:
    """Draw how the probability or log odds of words depend on the strength of the edit."""
    with st.container(horizontal=True):
        entry.text_input(
            "Words in the chart (comma-separated)",
            placeholder=", ".join(answers[0].value.leading),
            help="If this is empty, the top answers before and after the edit are shown.",
            **CURVE.widget,
        )
        st.segmented_control("Scale", required=True, **CURVE_AS.widget)
    typed = fields.words(CURVE.value)

    def query(answer: Answer[EditedAnswers]) -> Call:
        words = typed or answer.value.leading
        return at_mask(strength_curve, answer, words=words, leave_out=left_out(answer))

    curves = ask("curve", answers, query, label="Running BERT at each strength")
    column = CURVE_AS.value.replace("-", "_")
    found = [each.value for each in curves]
    strength = answers[0].value.change.strength
    for container in running.containers(curves):
        with container as answer:
            figures.show(charts.strength_curve, answer.value, column, strength, name="strength", beside=found)
            page.caption(_CURVE)


def random_answers(answers: Answers) -> None:
    """Show a random answer at the temperature of the settings, and the shares of 100 random answers."""
    with st.container(horizontal=True, vertical_alignment="center"):
        next_seed = DRAWN.value % DRAWN.high + 1
        st.button("Draw another answer", icon=":material/casino:", on_click=state.put, args=({DRAWN.key: next_seed},))
        st.slider(
            "Temperature",
            help=TEMPERATURE_HELP,
            **edit_query.TEMPERATURE.widget,
        )

    def query(answer: Answer[EditedAnswers]) -> Call:
        seed = int(DRAWN.value)
        return at_mask(sampling.draw_answers, answer, draws=_DRAWS, leave_out=left_out(answer), seed=seed)

    for container in running.containers(ask("draws", answers, query, prints=("first", "counts"))):
        with container as answer:
            st.text(f"Random answer: {answer.value.first}")
            page.caption(
                "BERT can also answer at random: the higher the [[probability]] of a word, the more often it is drawn."
                f" Below are the results of {_DRAWS} random draws. The shares differ a little from the"
                " probabilities, as with dice."
            )
            figures.table(
                answer.value.counts, "Results of random draws", name=f"drawn{shown.suffix()}", column_config=_SHARES
            )
