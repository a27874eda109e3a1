"""The third tab of the Attention page: which head does a job best, on sentences that did not choose it."""

import time
from typing import Any

import streamlit as st

from embtools.attention import jobs as numbers
from embtools.attention.jobs import JOBS, REFERENT, SAME, SEP, Scores
from embtools.charts.attention import jobs as charts
from embtools.charts.attention import looks as look_charts
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.attention import asking
from embtools.ui.fields import Choice
from embtools.ui.share import Code

TAB = "Which head does it best"
LOOK_TAB = "What a word looks at"
JOB = Choice("attention_job", REFERENT, JOBS)
FIELDS = (JOB,)
PRESETS: dict[str, dict[str, Any]] = {
    "The referent of it": {},
    "The same word": {JOB.key: SAME},
    "[SEP], where heads rest": {JOB.key: SEP},
}
_TEXTS = 180  # built-in sentences, for the estimate of the time
_FEW = 12  # sentences a job, where all of them take long


def show(model: str, code: Code) -> None:
    """The job; what the best head makes of it; all heads beside it. On a few sentences until all are asked for."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control("Job", required=True, help=glossary.definition("held out"), **JOB.widget)
        request = st.container(horizontal=True, vertical_alignment="center", width="content")
    try:
        seconds = 0.0 if cached.known(numbers.scores, model) else cached.compute(_seconds, model)
        with request:
            asked = jobs.on_request("attention-jobs", "Judge all heads on all sentences", seconds, model)
        some: dict[str, Any] = {} if asked else {"sentences": _FEW}
        found = jobs.run("attention-jobs", numbers.scores, model, label="Reading the sentences", **some)
    except ValueError as error:  # a model of another language, or a stop
        texts.problem(error)
        return
    code.add(
        "jobs",
        f"found = scores(model{'' if asked else f', sentences={_FEW}'})",
        "print(found.best, found.heads, found.lines, sep='\\n')",
    )
    _shown(found)


@state.fragment
def _shown(found: Scores) -> None:
    job = JOB.value
    row = found.best.set_index("job").loc[job]
    head = f"{row['layer']:.0f}.{row['head']:.0f}"
    st.header(numbers.finding(found.best, job), anchor=False)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.best, found.best, job),
            found.best,
            name="attention-jobs",
            alt=charts.best_alt(found.best),
            above=26,
            below=lambda: _reading(len(found.lines) // (2 * len(JOBS))),
        )
    with right:
        heads = found.heads[found.heads["job"] == job].reset_index(drop=True)
        figures.chart(
            cached.figure(look_charts.overview, heads, "held_out"),
            heads,
            name="attention-job-heads",
            alt=f"All heads at “{job}”, held-out sentences: the most {heads['held_out'].max():.0%}, the mean"
            f" {heads['held_out'].mean():.0%}.",
            above=26,
            below=lambda: _heads(found, job, row),
        )
        st.html(f"<style>{_marking(heads, head)}</style>")
        st.button(
            f"Look through head {head}",
            icon=":material/visibility:",
            on_click=state.put,
            args=({asking.HEADS.key: head, "attention_tab": LOOK_TAB},),
        )
    fold = state.fold("job-sentences", "The sentences, and which of them this head gets right", ":material/list:")
    if fold.open:
        with fold:
            lines = found.lines[found.lines["job"] == job].drop(columns="job").reset_index(drop=True)
            figures.table(lines, name="attention-sentences")


def _reading(half: int) -> None:
    page.seen(
        f"Each job: the head that did it best on {half} sentences, judged on {half} that were [[held out]], with 95%"
        " intervals. The"
        " hollow circle is its figure where it was chosen: a winner looks better than it is. Diamonds: a head drawn at"
        " random. Crosses: always looking equally far."
    )


def _heads(found: Scores, job: str, row: Any) -> None:
    text = (
        "Each cell is an [[attention head]]: the bluer, the more hits on the sentences held out. A hit: the right"
        " token gets"
        " most of all but the one that looks"
    )
    text += "." if job == SEP else ", [CLS] and [SEP]."
    if job == REFERENT:
        text += (
            f" In **{row['beats_other']:.0%}** of them “it” gives its referent more than the other noun; 50% would be"
            " chance."
        )
    page.seen(text)


def _marking(heads: Any, head: str) -> str:
    names = [f"{layer}.{number}" for layer, number in zip(heads["layer"], heads["head"], strict=True)]
    return look_charts.marking(".st-key-chart-attention-job-heads", names.index(head))


def _seconds(*, model: Any) -> float:
    """About how long the sentences of all jobs take here."""
    text = "The animal didn't cross the street because it was too tired."
    took = []
    for _ in range(4):  # the quickest: what is loaded once, and what others do meanwhile, is not counted
        began = time.perf_counter()
        model.hidden_states(text)
        took.append(time.perf_counter() - began)
    return _TEXTS * min(took)  # in batches it is quicker
