"""The answers before and after an edit next to its controls; redrawn at each step of the strength slider."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import controls, verdict
from embtools.arithmetic.controls import CONTROLS, Experiment
from embtools.charts.arithmetic import controls as charts
from embtools.scoring import stored
from embtools.ui import cached, figures, jobs, page, state
from embtools.ui.arithmetic import details, edit_query
from embtools.ui.arithmetic.edit_query import ParsedInput, Query
from embtools.ui.compare import Beside
from embtools.ui.share import Code

_CAPTION = (
    "Each word has two bars, which show its probability at the [[mask]] with the original [[embedding]] of the edited"
    " word (hatched) and with the result of the formula (solid). A [[control]] makes a different change. Its diamond"
    " shows the mean of its runs, and the line through the diamond shows their range."
)
_CAPTION_WITHOUT_EDIT = (
    "Each bar is the probability of a word at the [[mask]]. An edit changes the [[embedding]] of a word."
)


@state.fragment
def show(model: str, reading: jobs.Answer[ParsedInput], bar: Any, code: Code) -> None:
    """Show the results for the sentence and edits that were read; the strength slider is drawn in `bar`."""
    read = reading.value
    edited = bool(read.query.change.edits)
    with bar:
        st.slider(
            "Strength of the edit",
            disabled=not edited,
            help="0 is the original vector and 1 the result of the formula; 2 goes twice as far in the same direction.",
            **edit_query.STRENGTH.widget,
        )
    problems = st.container()
    answer = jobs.ask(
        "arithmetic",
        edit_query.experiment,
        model,
        (edit_query.with_settings(read),),
        (edit_query.first_query(model),),
        label="Running BERT with the edit and its controls",
        place=problems,
        mends=edit_query.LEAVE_OUT,
    )
    if answer is None:
        return
    (query,), result = answer.asked, answer.value
    with jobs.results(answer, "arithmetic", edit_query.description(query)):
        mask = _mask(int(result.answers["mask"].iloc[-1]))
        code.add("answers", *_code(query, mask))
        below = _results(model, reading, query, result, mask, code)
        details.show(model, query, result, mask, code)
        if query.change.edits:
            _evidence(model, below)


@dataclass(frozen=True)
class View:
    """What the page shows of an experiment at one mask.

    finding   the headline
    answers   all ranked answers at this mask
    bars      the answers that are drawn
    word      the top answer after the edit, with its `probability`
    reason    the comparison with the controls in a sentence
    controls  one row per control, with its description; empty without an edit
    """

    finding: str
    answers: pd.DataFrame
    bars: pd.DataFrame
    word: str
    probability: float
    reason: str
    controls: pd.DataFrame


def select(result: Experiment, mask: int, k: int) -> View:
    """Select what the page shows of an experiment at one mask, with `k` answers."""
    answers = result.answers[result.answers["mask"] == mask]
    first = answers[answers["rank_after"] == 1].iloc[0]
    lines = result.summary[result.summary["mask"] == mask].drop(columns="mask")
    return View(
        verdict.finding(result, mask),
        answers if len(result.answers["mask"].unique()) > 1 else answers.drop(columns="mask"),
        controls.leading(answers, k, 1 if result.change.edits else 0),
        str(first["token"]),
        float(first["probability_after"]),
        verdict.reason(result, mask),
        lines.assign(description=lines["control"].map(CONTROLS)),
    )


def _results(
    model: str, reading: jobs.Answer[ParsedInput], query: Query, result: Experiment, mask: int, code: Code
) -> Any:
    """Draw headline, bars and controls for one mask, next to those of a second model if there is one.

    Returns the container below the bars.
    """
    edited = bool(query.change.edits)
    view = cached.derive(select, result, (model, query), mask, query.k)
    beside = Beside(model, code, [3, 2], more="Controls and details", finding=view.finding)

    def query_for(name: str) -> Query:  # another model may have other tokens and spellings
        typed = reading.asked if reading.stale else (*edit_query.typed(name), edit_query.SCOPE.value)
        return query if name == model else edit_query.with_settings(cached.compute(edit_query.read, name, *typed))

    second_result = beside.ask(
        "arithmetic",
        edit_query.experiment,
        lambda name: (query_for(name),),
        label="Running BERT with the edit and its controls",
        words=lambda name: edit_query.edited_words(query_for(name)),
        mends=edit_query.EDITS,
        meanwhile=lambda: _bars(view, None, edited, "answers", beside.alt),
    )
    other = (
        cached.derive(select, second_result, (beside.other, query_for(beside.other)), mask, query.k)
        if second_result
        else None
    )
    with beside.first:
        _bars(view, other, edited, "answers", beside.alt)
        below = st.container()
    if second_result and other:
        names = (beside.title, beside.other_title)
        beside.say(verdict.two_models(result, second_result, names, mask, query.k))
        beside.finding(other.finding, second=True)
        with beside.second:
            _bars(other, view, edited, "answers-second", partial(beside.alt, second=True))
        beside.code(
            *_run(query_for(beside.other), "other", "other_"),
            "print(other_result.answers)",
            f"print(two_models(result, other_result, {names!r}, mask={mask}, k={query.k}))",
        )
    with beside.detail:
        if edited:
            _comparison(view)
        else:
            st.text(
                "There is no edit yet. Press “Build an edit” above, or type one: amazon = amazon - river + company."
            )
    page.seen(_CAPTION if edited else _CAPTION_WITHOUT_EDIT)
    return below


def _evidence(model: str, below: Any) -> None:
    """Show the rates over many edits for a model with stored scores."""
    scores = cached.compute(stored.read, cached.plain(model))
    if evidence := stored.evidence(scores):
        # The reason is given in the explanation of the page, where there is room for it.
        caution = " The rate for “added only” is too flattering (see Explain)." if stored.copying(scores) else ""
        with below:
            page.seen(f"**One sentence is little evidence.** {evidence}{caution}")


def _bars(view: View, other: View | None, edited: bool, name: str, alt: Callable[[str], str]) -> None:
    """Draw the answers of a model as bars, on an axis that also fits those of the `other` model."""
    most = float(other.bars[["probability_before", "probability_after"]].to_numpy().max()) if other else 0.0
    figures.chart(
        cached.figure(charts.bars, view.bars, edited, most),
        view.answers,
        name=name,
        alt=alt(charts.bars_alt(view.bars, edited)),
    )


def _mask(count: int) -> int:
    """Return the number of the mask to show, with a choice where the sentence has several masks."""
    if count == 1:
        return 1
    st.segmented_control(
        "Mask",
        range(1, count + 1),
        required=True,
        key=edit_query.MASK.key,
        persist_state="session",
        format_func=lambda mask: f"Mask {mask}",
    )
    return min(int(edit_query.MASK.value), count)


def _comparison(view: View) -> None:
    """Draw the chart that compares the edit with its controls, below its result in a sentence."""
    st.subheader("Comparison with the controls", anchor=False)
    st.text(view.reason)
    figures.chart(
        cached.figure(charts.comparison, view.controls, view.word, view.probability),
        view.controls,
        name="controls",
        alt=charts.comparison_alt(view.controls, view.word, view.probability),
    )


def _code(query: Query, mask: int) -> list[str]:
    return [
        *_run(query),
        "print(result.answers, result.summary, sep='\\n')",
        f"print(finding(result, mask={mask}), reason(result, mask={mask}), sep='\\n')",
    ]


def _run(query: Query, model: str = "model", prefix: str = "") -> list[str]:
    """Return the Python code of a run with the variable `model`; the names that it defines get the prefix."""
    leave_out = repr(list(query.leave_out))
    lines = []
    if query.hide_offensive:
        lines = [f"{prefix}offensive = [w for w in wordlists.load('offensive')['word'] if w in {model}.ids]"]
        leave_out = f"{leave_out} + {prefix}offensive"
    return [
        *lines,
        f"{prefix}text = {query.text!r}",
        f"{prefix}change = {query.change!r}",
        f"{prefix}leave_out = {leave_out}",
        f"{prefix}temperature = {query.temperature!r}",
        f"{prefix}result = experiment({prefix}text, model={model}, change={prefix}change, k={query.k},",
        f"                    leave_out={prefix}leave_out, temperature={prefix}temperature, draws={query.draws},",
        "                    seed=0)",
    ]
