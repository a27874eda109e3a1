"""The tab of studies: sentences of the articles, measured over full lists."""

from typing import Any

import streamlit as st

from embtools.charts import paper as charts
from embtools.paper import studies
from embtools.paper.study_result import TITLES, Study, two_studies
from embtools.rooms.question import Ask
from embtools.ui import captions, figures, page, running, shown, state
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.paper.claims import TAB as CLAIMS_TAB
from embtools.ui.paper.claims import TEXT
from embtools.ui.running import Answer
from embtools.ui.shown import Models

TAB = "Studies"
STUDY = Choice("paper_study", TITLES["ties"], TITLES)
FIELDS = ASKED_ABOUT = (STUDY,)
QUESTION_TAKES_TIME = True
_EXAMPLES = {
    "Rome and Italy, Pakistan and Asia": "ties",
    "The average of he and she": "averages",
    "Red and green": "colours",
}
PRESETS: dict[str, dict[str, Any]] = {name: {STUDY.key: TITLES[key]} for name, key in _EXAMPLES.items()}
FIRST = Call(studies.study, name="ties")
DETAILS = tuple(Call(studies.study, name=name) for name in TITLES)
_CAPTIONS = {
    "ties": "Each circle is a mean [[cosine]], each diamond a difference of means, with 95% intervals over the words. A"
    " cosine also depends on how common the words are. So, for the last row, the cosines with other countries and"
    " continents are subtracted first.",
    "averages": "Each circle is a mean divergence of the answers (Jensen-Shannon), each diamond a difference, with 95%"
    " intervals over pairs and sentences. The mix with an unrelated word is the [[control]].",
    "colours": "Each circle is a rank correlation ([[ρ]]) over all pairs of colours, the diamond a difference, with 95%"
    " intervals.",
}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (captions.Setting("study", STUDY),)


def show(models: Models) -> None:
    """Draw the choice of a study; for each model its finding, its values and its items."""
    st.segmented_control("Study", required=True, label_visibility="collapsed", **STUDY.widget)
    answers = running.ask(
        "studied", _query(), models, FIRST, label="Measuring the list", prints=("headline", "rows", "items")
    )
    if not answers:
        return
    result = answers[0].value
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"The article: “{result.sentence}”")
        st.button(
            f"Card of claim {result.claim}",
            icon=":material/fact_check:",
            type="tertiary",
            key="study-claim",
            on_click=state.put,
            args=({"paper_tab": CLAIMS_TAB, TEXT.key: TEXT.default},),
        )
    running.say(two_studies, answers)
    for container in running.containers(answers):
        with container as answer:
            _results(answer)


def question(models: Models) -> Ask:
    """Ask a class which value of the study is the largest."""
    result: Study = running.run(_query(), models[0])
    return result.question


def _query() -> Call:
    return Call(studies.study, name=next(key for key, title in TITLES.items() if title == STUDY.value))


def _results(answer: Answer[Study]) -> None:
    result = answer.value
    shown.headline(result.headline)
    figures.show(charts.study, result, name="study")
    page.caption(_CAPTIONS[result.key])
    for note in filter(None, result.notes):
        st.text(note)
    with figures.expander("study-items", "All items and files", ":material/list:") as opened:
        if opened:
            figures.table(result.items, name=f"study-items{shown.suffix()}")
            frames = {"values": result.rows, "items": result.items}
            figures.files(frames, answer.query, answer.model, name=f"study-{result.key}")
