"""The black sheep: the probabilities of two colours for a sheep and for other subjects."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.similarity import answers as charts
from embtools.mask_filling.typed_input import normalise_masks
from embtools.similarity import answers, colours, verdict
from embtools.ui import cached, figures, jobs, page, texts
from embtools.ui.fields import Text
from embtools.ui.share import Code
from embtools.words.vectors import split

TWO = Text("similarity_two", "black, white", 60)
TEMPLATE = Text("similarity_sheep", answers.SHEEP, 300)
SUBJECTS = Text("similarity_subjects", ", ".join(answers.SUBJECTS), 1_000)
FIELDS = (TEMPLATE, SUBJECTS, TWO)


def show(model: str, code: Code) -> None:
    """Show the fields in a row, then the probabilities with an explanation."""
    for column, label, field in zip(
        st.columns([3, 5, 2], gap="small"),
        ("Sentence about each {word}", "Subjects (the first is compared with the others)", "Two colours"),
        (TEMPLATE, SUBJECTS, TWO),
        strict=True,
    ):
        with column:
            st.text_input(label, max_chars=field.most, **field.widget)
    answer = jobs.ask(
        "similarity-sheep",
        colour_probabilities,
        model,
        (normalise_masks(TEMPLATE.value), split(SUBJECTS.value), split(TWO.value)),
        (TEMPLATE.default, answers.SUBJECTS, split(TWO.default)),
        label="Running one sentence per subject",
    )
    if answer is None:
        return
    template, subjects, (first, second) = answer.asked
    with jobs.results(answer, "sheep", f"{template}  ·  {first}, {second}"):
        _sheep(answer.value, first, second)
    code.add(
        "sheep",
        f"table = black_sheep({list(subjects)}, model, template={template!r}, first={first!r}, second={second!r})",
        f"print(verdict.sheep(table, {first!r}, {second!r}), table, sep='\\n')",
    )


def colour_probabilities(template: str, subjects: tuple[str, ...], two: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The probabilities of two colours for each subject; ValueError unless there are exactly two colours."""
    if len(two) != 2:
        raise ValueError("Write exactly two colours, such as black, white.")
    return answers.black_sheep(subjects, model, template=template, first=two[0], second=two[1])


def _sheep(table: pd.DataFrame, first: str, second: str) -> None:
    st.header(texts.plain(verdict.sheep(table, first, second)), anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.sheep, table, first, second, colours.hexes((first, second))),
            table.rename(columns={"first": f"probability of {first}", "second": f"probability of {second}"}),
            name="sheep",
            alt=f"Probabilities of {first} and {second}: "
            + ", ".join(f"{r['subject']} {r['first']:.1%} and {r['second']:.1%}" for _, r in table.head(4).iterrows())
            + " …",
        )
    with right:
        page.seen(
            "People write “black sheep” because white sheep go without saying ([[reporting bias]]), so a model may"
            " learn that sheep are black. The other subjects show whether the model simply prefers the word “black”."
            " Each line joins the two [[probability|probabilities]] of one subject. The longer the line, the larger the"
            " ratio of the two."
        )
