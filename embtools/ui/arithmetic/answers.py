"""The answers before and after an edit, and what could refute them: drawn again at each step of the strength."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import controls, verdict
from embtools.arithmetic.controls import CONTROLS, Experiment
from embtools.charts.arithmetic import controls as charts
from embtools.mask_filling.edits import Change
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.arithmetic import asking, details
from embtools.ui.arithmetic.asking import Asked, Read
from embtools.ui.compare import Beside
from embtools.ui.share import Code

_SEEN = (
    "You see what BERT puts for the [[mask]]: the likeliest words with the [[embedding]] of the edited word as it was"
    " (hatched) and as the formula makes it (filled). Each [[control]] changes the word in another way."
)
_SEEN_UNEDITED = "You see the words that BERT finds likeliest for the [[mask]]. An edit changes an [[embedding]]."


@state.fragment
def show(model: str, reading: jobs.Answer[Read], bar: Any, code: Code) -> None:
    """The results for the sentence and edits that were read; the strength stands in the bar."""
    read = reading.value
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
        (_first(model),),
        label="Asking BERT, and the controls",
        place=problems,
        mends=asking.LEAVE_OUT,
    )
    if answer is None:
        return
    (asked,), result = answer.asked, answer.value
    with jobs.results(answer, "arithmetic", asking.says(asked)):
        mask = _hero(model, reading, asked, result, code)
        details.show(model, asked, result, mask, code)


def _hero(model: str, reading: jobs.Answer[Read], asked: Asked, result: Experiment, code: Code) -> int:
    """The finding, the bars and the strip of controls for one mask; returns which."""
    edited = bool(asked.change.edits)
    mask = _mask(int(result.answers["mask"].max()))
    code.add("answers", *_code(asked, mask))
    st.header(texts.plain(verdict.finding(result, mask)), anchor=False)
    beside = Beside(model, code, [3, 2], more="The controls, and all below")
    own = {model: asked}  # the other model may know other words of the sentence, and spell them otherwise

    def of(name: str) -> Asked:
        question = reading.asked if reading.stale else (*asking.typed(name), asking.SCOPE.value)
        return own.get(name) or asking.completed(cached.compute(asking.read, name, *question))

    again = beside.ask(
        "arithmetic",
        asking.experiment,
        lambda name: (of(name),),
        label="Asking BERT, and the controls",
        words=lambda name: asking.words(of(name)),
        mends=asking.EDITS,
    )
    shown = [_leading(answered, mask, asked.k, edited) for answered in (result, again) if answered]
    most = max(float(rows[["before", "probability"]].to_numpy().max()) for rows in shown) if again else 0.0
    with beside.first:
        _bars(result, shown[0], edited, most, "answers", beside.alt(charts.bars_alt(shown[0], edited)))
    if again:
        names = (beside.title, beside.other_title)
        beside.say(verdict.two_models(result, again, names, mask, asked.k))
        with beside.second:
            alt = beside.alt(charts.bars_alt(shown[1], edited), second=True)
            _bars(again, shown[1], edited, most, "answers-second", alt)
        beside.code(
            *_run(of(beside.other), "other", "other_"),
            "print(other_result.answers)",
            f"print(two_models(result, other_result, {names!r}, mask={mask}, k={asked.k}))",
        )
    with beside.detail:
        if edited:
            _chance(result, mask)
        else:
            st.text("Nothing is edited. Write an edit such as word = word - old + new.")
    page.seen(_SEEN if edited else _SEEN_UNEDITED)
    return mask


def _first(model: str) -> Asked:
    text, edits = asking.first(model)
    return Asked(text, Change.of(edits))


def _leading(result: Experiment, mask: int, k: int, edited: bool) -> pd.DataFrame:
    return controls.leading(result.answers[result.answers["mask"] == mask], k, 1 if edited else 0)


def _bars(result: Experiment, rows: pd.DataFrame, edited: bool, most: float, name: str, alt: str) -> None:
    """The bars of some answers, the whole list below them."""
    table = result.answers[result.answers["mask"] == rows["mask"].iloc[0]]
    if (result.answers["mask"] == 1).all():
        table = table.drop(columns="mask")
    figures.chart(cached.figure(charts.bars, rows, edited, most), table, name=name, alt=alt)


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
    return [
        *_run(asked),
        "print(result.answers, result.summary, sep='\\n')",
        f"print(finding(result, mask={mask}), reason(result, mask={mask}), sep='\\n')",
    ]


def _run(asked: Asked, model: str = "model", prefix: str = "") -> list[str]:
    """The Python of a run by a model of that name, its own names with a prefix."""
    leave_out = repr(list(asked.leave_out))
    lines = []
    if asked.hide_offensive:
        lines = [f"{prefix}offensive = [w for w in wordlists.load('offensive')['word'] if w in {model}.ids]"]
        leave_out = f"{leave_out} + {prefix}offensive"
    return [
        *lines,
        f"{prefix}text = {asked.text!r}",
        f"{prefix}change = {asked.change!r}",
        f"{prefix}leave_out = {leave_out}",
        f"{prefix}temperature = {asked.temperature!r}",
        f"{prefix}result = experiment({prefix}text, {prefix}change, {asked.k}, model={model},",
        f"                    leave_out={prefix}leave_out, temperature={prefix}temperature, draws={asked.draws},",
        "                    seed=0)",
    ]
