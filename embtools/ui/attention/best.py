"""Which head does a task best, measured on sentences that did not choose it."""

from typing import Any

import streamlit as st

from embtools.attention import jobs as numbers
from embtools.attention.jobs import JOBS, REFERENT, SAME, SEP, Scores
from embtools.charts.attention import jobs as charts
from embtools.charts.attention import looks as look_charts
from embtools.ui import cached, figures, jobs, page, state, texts
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
    "Attention to [SEP]": {JOB.key: SEP},
}
_HELP = "What the head should do. Heads are chosen on one half of the sentences and measured on the other half."


def show(model: str, code: Code) -> None:
    """Show the task, the result of the best head, and all heads.

    All sentences are always read, however long it takes: with fewer of them another head would win.
    """
    st.segmented_control("Task", required=True, help=_HELP, **JOB.widget)
    try:
        found = jobs.run("attention-jobs", numbers.scores, model, label="Reading the sentences")
    except ValueError as error:  # a model of another language, or a stop
        texts.problem(error)
        return
    code.add("jobs", "found = scores(model)", "print(found.best, found.heads, found.lines, sep='\\n')")
    code.add("finding", f"print(jobs.finding(found.best, {JOB.value!r}))")
    _shown(found)


@state.fragment
def _shown(found: Scores) -> None:
    job = JOB.value
    row = found.best.set_index("job").loc[job]
    head = f"{row['layer']:.0f}.{row['head']:.0f}"
    st.header(texts.plain(numbers.finding(found.best, job)), anchor=False)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.best, found.best, job),
            found.best,
            name="attention-jobs",
            alt=charts.best_alt(found.best),
            above=26,
            below=lambda: page.seen(_tasks_caption(len(found.lines) // (2 * len(JOBS)))),
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
            below=lambda: page.seen(_heads_caption(job)),
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


def _tasks_caption(half: int) -> str:
    return (
        f"Each row is a task. Filled circle: the head that did it best on {half} sentences, measured on {half}"
        " sentences that were [[held out]], with its 95% interval. Hollow circle: the same head on the sentences"
        " that chose it, which flatters it. Diamonds: a random head. Crosses: a fixed distance. Upright bar:"
        " guessing one of two words."
    )


def _heads_caption(job: str) -> str:
    text = "Each cell is an [[attention head]]. Stronger blue means more hits on the held-out sentences. A hit: "
    if job == REFERENT:
        return text + "“it” gives its referent more attention than the other noun. Guessing would hit half of the time."
    most = "the right token gets more attention than any other, not counting the attending token itself"
    return text + most + ("." if job == SEP else ", [CLS] and [SEP].")


def _marking(heads: Any, head: str) -> str:
    names = [f"{layer}.{number}" for layer, number in zip(heads["layer"], heads["head"], strict=True)]
    return look_charts.marking(".st-key-chart-attention-job-heads", names.index(head))
