"""The black sheep: which of two colours does BERT give to a sheep, and to what else?"""

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
    """The sentence, its subjects and two colours in a row; then the probabilities beside what they mean."""
    for column, label, field in zip(
        st.columns([3, 5, 2], gap="small"),
        ("Sentence, {word} is each subject", "Subjects: the first, and others to compare", "Two colours"),
        (TEMPLATE, SUBJECTS, TWO),
        strict=True,
    ):
        with column:
            st.text_input(label, max_chars=field.most, **field.widget)
    answer = jobs.ask(
        "similarity-sheep",
        asked,
        model,
        (normalise_masks(TEMPLATE.value), split(SUBJECTS.value), split(TWO.value)),
        (TEMPLATE.default, answers.SUBJECTS, split(TWO.default)),
        label="Asking about each subject",
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


def asked(template: str, subjects: tuple[str, ...], two: tuple[str, ...], *, model: Any) -> pd.DataFrame:
    """The probabilities of two colours for each subject; ValueError for other than two."""
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
            alt=f"Probability of {first} and {second}: "
            + ", ".join(f"{r['subject']} {r['first']:.1%} and {r['second']:.1%}" for _, r in table.head(4).iterrows())
            + " …",
        )
    with right:
        page.seen(
            "People write “black sheep” because that a sheep is white goes without saying ([[reporting bias]]), so a"
            " model may believe that sheep are black. If it says so of everything, that is the word's popularity: the"
            " other subjects tell. A line joins the two [[probability|probabilities]] of one subject; its length shows"
            " how many times the one is as likely as the other."
        )
