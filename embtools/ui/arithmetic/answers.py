"""The answers before and after an edit, and what could refute them: drawn again at each step of the strength."""

from typing import Any

import streamlit as st

from embtools.arithmetic import controls, verdict
from embtools.arithmetic.controls import CONTROLS, Experiment
from embtools.charts.arithmetic import controls as charts
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.arithmetic import asking, details
from embtools.ui.arithmetic.asking import Asked, Read
from embtools.ui.share import Code

_SEEN = (
    "You see what BERT puts for the [[mask]]: the likeliest words with the [[embedding]] of the edited word as it was"
    " (hatched) and as the formula makes it (filled). Each [[control]] changes the word in another way."
)
_SEEN_UNEDITED = "You see the words that BERT finds likeliest for the [[mask]]. An edit changes an [[embedding]]."


@state.fragment
def show(model: str, read: Read, bar: Any, code: Code) -> None:
    """The results for the sentence and edits that were read; the strength stands in the bar."""
    edited = bool(read.asked.change.edits)
    with bar:
        st.slider(
            "Strength of the edit",
            disabled=not edited,
            help="0 is the original word, 1 the formula's value, 2 as far again.",
            **asking.STRENGTH.widget,
        )
    problems = st.container()
    answer = jobs.ask(
        "arithmetic",
        asking.experiment,
        model,
        (asking.completed(read),),
        (asking.DEFAULT,),
        label="Asking BERT, and the controls",
        place=problems,
        mends=asking.LEAVE_OUT,
    )
    if answer is None:
        return
    (asked,), result = answer.asked, answer.value
    with jobs.results(answer, "arithmetic", asking.says(asked)):
        mask = _hero(asked, result)
        code.add("answers", *_code(asked, mask))
        details.show(model, asked, result, mask, code)


def _hero(asked: Asked, result: Experiment) -> int:
    """The finding, the bars and the strip of controls for one mask; returns which."""
    edited = bool(asked.change.edits)
    masks = int(result.answers["mask"].max())
    mask = _mask(masks)
    shown = result.answers[result.answers["mask"] == mask]
    rows = controls.leading(shown, asked.k, 1 if edited else 0)
    st.header(texts.plain(verdict.finding(result, mask)), anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.chart(
            cached.figure(charts.bars, rows, edited),
            shown if masks > 1 else shown.drop(columns="mask"),
            name="answers",
            alt=charts.bars_alt(rows, edited),
        )
    with right:
        if edited:
            _chance(result, mask)
        else:
            st.text("Nothing is edited. Write an edit such as word = word - old + new.")
    page.seen(_SEEN if edited else _SEEN_UNEDITED)
    return mask


def _mask(count: int) -> int:
    """Which mask the results are about."""
    if count == 1:
        return 1
    st.segmented_control(
        "Results for the mask",
        range(1, count + 1),
        required=True,
        key=asking.MASK.key,
        persist_state="session",
        format_func=lambda mask: f"mask {mask}",
    )
    return min(int(asking.MASK.value), count)


def _chance(result: Experiment, mask: int) -> None:
    """The strip of controls for the winning word, and what it says."""
    st.subheader("Could it be chance?", anchor=False)
    lines = result.summary[result.summary["mask"] == mask]
    lines = lines.assign(question=lines["control"].map(CONTROLS))
    after = result.answers[(result.answers["mask"] == mask) & (result.answers["rank_after"] == 1)].iloc[0]
    word, probability = str(after["token"]), float(after["probability"])
    st.text(verdict.reason(result, mask))
    figures.chart(
        cached.figure(charts.chance, lines, word, probability),
        lines.drop(columns="mask"),
        name="controls",
        alt=charts.chance_alt(lines, word, probability),
    )


def _code(asked: Asked, mask: int) -> list[str]:
    leave_out = repr(list(asked.leave_out))
    lines = []
    if asked.hide_offensive:
        lines = ["offensive = [w for w in wordlists.load('offensive')['word'] if w in model.ids]"]
        leave_out = f"{leave_out} + offensive"
    lines += [
        f"text = {asked.text!r}",
        f"change = {asked.change!r}",
        f"leave_out = {leave_out}",
        f"temperature = {asked.temperature!r}",
        f"result = experiment(text, change, {asked.k}, model=model, leave_out=leave_out,",
        f"                    temperature=temperature, draws={asked.draws}, seed=0)",
        "print(result.answers, result.summary, sep='\\n')",
        f"print(finding(result, mask={mask}), reason(result, mask={mask}), sep='\\n')",
    ]
    return lines
