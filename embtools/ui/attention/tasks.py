"""Panel for the best head of each task, chosen on one half of the sentences and measured on the other half."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.attention import tasks
from embtools.attention.tasks import NEXT, PREVIOUS, REFERENT, SAME, SEP, TASKS, Scores
from embtools.charts import attention as charts
from embtools.charts.plot import marking
from embtools.ui import captions, figures, page, running, shown, state
from embtools.ui.attention import reading
from embtools.ui.call import Call
from embtools.ui.fields import Choice
from embtools.ui.shown import Models

TAB = "Best head per task"
WORD_TAB = "What a word attends to"
TASK = Choice(
    "attention_task",
    REFERENT,
    {"next": NEXT, "previous": PREVIOUS, "sep": SEP, "same": SAME, "referent": REFERENT},
)
FIELDS = (TASK,)
PRESETS: dict[str, dict[str, Any]] = {
    "The referent of it": {},
    "The same word": {TASK.key: SAME},
    "Attention to [SEP]": {TASK.key: SEP},
}
_HELP = "What the head should do. The head is chosen on one half of the sentences and measured on the other half."
_HEADS = "attention-task-heads"


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (captions.Setting("task", TASK),)


def show(models: Models) -> None:
    """Draw the tasks; for each model the result of its best head, all heads, and the sentences."""
    st.segmented_control("Task", required=True, help=_HELP, **TASK.widget)
    answers = running.ask(
        "hits",
        Call(tasks.scores),  # all sentences, even on a slow machine: with fewer, another head would be best
        models,
        label="Reading the sentences",
        prints=(f"headline({TASK.value!r})", "best", "heads", "lines"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _shown(answer, results, len(models) == 1)


def _shown(answer: running.Answer[Scores], results: Sequence[Scores], alone: bool) -> None:
    result, task = answer.value, TASK.value
    head = result.head(task)
    shown.headline(result.headline(task))
    left, right = shown.split([1, 1], gap="medium")
    with left:
        half = len(result.lines) // (2 * len(TASKS))
        figures.show(
            charts.best_heads,
            result,
            task,
            name="attention-tasks",
            options={"above": 26, "below": lambda: page.caption(_tasks_caption(half))},
        )
    with right:
        figures.show(
            charts.task_cells,
            result,
            task,
            name=_HEADS,
            beside=results,
            options={"above": 26, "below": lambda: page.caption(_heads_caption(task))},
        )
        st.html(f"<style>{_marking(result, head)}</style>")
        if not shown.suffix():
            st.button(
                f"Use head {head} on your sentence"
                if len(results) == 1
                else f"Use head {head} of {answer.model.title}",
                icon=":material/visibility:",
                on_click=state.put,
                args=({reading.HEADS.key: head, "attention_tab": WORD_TAB},),
            )
    label = f"The sentences of this task, with the hits of head {head}"
    with figures.expander("task-sentences", label, ":material/list:") as opened:
        if opened:
            figures.table(
                result.sentences(task),
                "Sentences of this task with the hits of the head",
                name=f"attention-sentences{shown.suffix()}",
            )


def _tasks_caption(half: int) -> str:
    return (
        f"Each row is a task. The filled circle shows the head that was best on {half} sentences: its share of hits on"
        f" {half} other sentences ([[held out]]), with the 95% interval. The hollow circle shows its share on the"
        " sentences used to choose it, which is too high on average. Diamonds show a random head, crosses show a rule"
        " that always picks the token at one fixed distance, and the vertical bar shows guessing between two words."
    )


def _heads_caption(task: str) -> str:
    text = (
        "Each cell is an [[attention head]]. Stronger blue means more hits on the held-out sentences. A hit means that "
    )
    if task == REFERENT:
        return (
            text
            + "“it” gives its referent more attention than the other noun. A guess would be right half of the time."
        )
    most = "the right token gets more attention than any other, not counting the attending token itself"
    return text + most + ("." if task == SEP else ", [CLS] and [SEP].")


def _marking(result: Scores, head: str) -> str:
    heads = result.heads_of(TASK.value)
    names = [f"{layer}.{number}" for layer, number in zip(heads["layer"], heads["head"], strict=True)]
    return marking(f".st-key-chart-{_HEADS}{shown.suffix()}", names.index(head))
