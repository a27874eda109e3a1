"""The tab that finds the best head for a task and measures it on held-out sentences."""

from typing import Any

import streamlit as st

from embtools.attention import tasks as numbers
from embtools.attention.tasks import REFERENT, SAME, SEP, TASKS, Scores
from embtools.charts.attention import attended_words as word_charts
from embtools.charts.attention import tasks as charts
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.attention import asking
from embtools.ui.fields import Choice
from embtools.ui.share import Code

TAB = "Best head per task"
WORD_TAB = "What a word attends to"
TASK = Choice("attention_job", REFERENT, TASKS)
FIELDS = (TASK,)
PRESETS: dict[str, dict[str, Any]] = {
    "The referent of it": {},
    "The same word": {TASK.key: SAME},
    "Attention to [SEP]": {TASK.key: SEP},
}
_HELP = "What the head should do. The head is chosen on one half of the sentences and measured on the other half."


def show(model: str, code: Code) -> None:
    """Show the task, the result of the best head, and all heads.

    All sentences are always used, even on a slow machine: with fewer of them, another head would be best.
    """
    st.segmented_control("Task", required=True, help=_HELP, **TASK.widget)
    try:
        found = jobs.run("attention-tasks", numbers.scores, model, label="Reading the sentences")
    except ValueError as error:  # a model of another language, or a stop
        texts.problem(error)
        return
    code.add("tasks", "found = scores(model)", "print(found.best, found.heads, found.lines, sep='\\n')")
    code.add("finding", f"print(tasks.finding(found.best, {TASK.value!r}))")
    _shown(found)


@state.fragment
def _shown(found: Scores) -> None:
    task = TASK.value
    row = found.best.set_index("task").loc[task]
    head = f"{row['layer']:.0f}.{row['head']:.0f}"
    st.header(texts.plain(numbers.finding(found.best, task)), anchor=False)
    left, right = st.columns([1, 1], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.best, found.best, task),
            found.best,
            name="attention-tasks",
            alt=charts.best_alt(found.best),
            above=26,
            below=lambda: page.seen(_tasks_caption(len(found.lines) // (2 * len(TASKS)))),
        )
    with right:
        heads = found.heads[found.heads["task"] == task].reset_index(drop=True)
        figures.chart(
            cached.figure(word_charts.overview, heads, "held_out"),
            heads,
            name="attention-task-heads",
            alt=f"Heatmap of all heads on the task “{task}”. Share of hits on the held-out sentences: the highest is"
            f" {heads['held_out'].max():.0%}, the mean {heads['held_out'].mean():.0%}.",
            above=26,
            below=lambda: page.seen(_heads_caption(task)),
        )
        st.html(f"<style>{_marking(heads, head)}</style>")
        st.button(
            f"Use head {head} on your sentence",
            icon=":material/visibility:",
            on_click=state.put,
            args=({asking.HEADS.key: head, "attention_tab": WORD_TAB},),
        )
    fold = state.fold("job-sentences", f"The sentences of this task, with the hits of head {head}", ":material/list:")
    if fold.open:
        with fold:
            lines = found.lines[found.lines["task"] == task].drop(columns="task").reset_index(drop=True)
            figures.table(lines, name="attention-sentences")


def _tasks_caption(half: int) -> str:
    return (
        f"Each row is a task. The filled circle shows the head that was best on {half} sentences: its share of hits on"
        f" {half} other sentences ([[held out]]), with the 95% interval. The hollow circle shows its share on the"
        " sentences used to choose it, which is too flattering. Diamonds show a random head, crosses show a rule that"
        " always picks the token at one fixed distance, and the vertical bar shows guessing between two words."
    )


def _heads_caption(task: str) -> str:
    text = "Each cell is an [[attention head]]. Stronger blue means more hits on the held-out sentences. In a hit, "
    if task == REFERENT:
        return text + "“it” gives its referent more attention than the other noun. Guessing would hit half of the time."
    most = "the right token gets more attention than any other, not counting the attending token itself"
    return text + most + ("." if task == SEP else ", [CLS] and [SEP].")


def _marking(heads: Any, head: str) -> str:
    names = [f"{layer}.{number}" for layer, number in zip(heads["layer"], heads["head"], strict=True)]
    return word_charts.marking(".st-key-chart-attention-task-heads", names.index(head))
