"""Panel for the black sheep: the probabilities of two colours for a sheep and for other subjects."""

from collections.abc import Sequence

import streamlit as st

from embtools.charts import similarity as charts
from embtools.mask_filling.typed_input import normalise_masks
from embtools.similarity import sheep as numbers
from embtools.similarity.sheep import BlackSheep
from embtools.ui import entry, figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Text
from embtools.ui.shown import Models
from embtools.words.vectors import split

TWO = Text("similarity_two", ", ".join(numbers.COLOURS), 60)
TEMPLATE = Text("similarity_sheep", numbers.TEMPLATE, 300)
SUBJECTS = Text("similarity_subjects", ", ".join(numbers.SUBJECTS), 1_000)
FIELDS = (TEMPLATE, SUBJECTS, TWO)
FIRST = Call(numbers.black_sheep, subjects=numbers.SUBJECTS)


def show(models: Models) -> None:
    """Draw the fields in a row; for each model the probabilities with an explanation."""
    for column, label, field in zip(
        st.columns([3, 5, 2], gap="small"),
        ("Sentence about each {word}", "Subjects (the first is compared with the others)", "Two colours"),
        (TEMPLATE, SUBJECTS, TWO),
        strict=True,
    ):
        with column:
            entry.text_input(label, **field.widget)
    query = Call(
        numbers.black_sheep,
        subjects=split(SUBJECTS.value),
        template=normalise_masks(TEMPLATE.value),
        colours=split(TWO.value),
    )
    answers = running.ask(
        "sheep", query, models, FIRST, label="Running one sentence per subject", prints=("headline", "table")
    )
    results = [answer.value for answer in answers]
    for container in running.containers(answers) if answers else ():
        with container as answer:
            _result(answer.value, results)


def _result(result: BlackSheep, results: Sequence[BlackSheep]) -> None:
    shown.headline(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        figures.show(charts.colour_probabilities, result, name="sheep", beside=results)
    with right:
        page.caption(
            "People write “black sheep” but rarely “white sheep”, because most sheep are white ([[reporting bias]])."
            " So a model may learn that sheep are black. The other subjects show whether the model simply prefers the"
            f" word “{result.colours[0]}”. Each line joins the two"
            " [[probability|probabilities]] of one subject. The longer the line, the larger the ratio of the two."
        )
