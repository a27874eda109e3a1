"""The answers before and after an edit, and what could refute them: drawn again at each step of the strength."""

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
from embtools.ui.arithmetic import asking, details
from embtools.ui.arithmetic.asking import Asked, Read
from embtools.ui.compare import Beside
from embtools.ui.share import Code

_SEEN = (
    "Bars are the most probable words for the [[mask]], with the original [[embedding]] of the edited word (hatched)"
    " and with the result of the formula (solid). Each [[control]] changes the word in a different way."
)
_SEEN_UNEDITED = "Bars are the most probable words for the [[mask]]. An edit changes the [[embedding]] of a word."


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
        (asking.default(model),),
        label="Asking BERT, and the controls",
        place=problems,
        mends=asking.LEAVE_OUT,
    )
    if answer is None:
        return
    (asked,), result = answer.asked, answer.value
    with jobs.results(answer, "arithmetic", asking.says(asked)):
        mask = _mask(int(result.answers["mask"].iloc[-1]))
        code.add("answers", *_code(asked, mask))
        place = _hero(model, reading, asked, result, mask, code)
        details.show(model, asked, result, mask, code)
        if asked.change.edits:
            _evidence(model, place)


@dataclass(frozen=True)
class Look:
    """What the hero shows of an experiment at one mask.

    finding   the headline
    answers   the answers at this mask, all that were counted
    bars      those that are drawn
    word      the first answer of the edit, with its `probability`
    reason    what the controls say in a sentence
    controls  a line for each control, with what it asks; empty without an edit
    """

    finding: str
    answers: pd.DataFrame
    bars: pd.DataFrame
    word: str
    probability: float
    reason: str
    controls: pd.DataFrame


def look(result: Experiment, mask: int, k: int) -> Look:
    """What the hero shows of an experiment at one mask, `k` answers of it."""
    answers = result.answers[result.answers["mask"] == mask]
    first = answers[answers["rank_after"] == 1].iloc[0]
    lines = result.summary[result.summary["mask"] == mask].drop(columns="mask")
    return Look(
        verdict.finding(result, mask),
        answers if len(result.answers["mask"].unique()) > 1 else answers.drop(columns="mask"),
        controls.leading(answers, k, 1 if result.change.edits else 0),
        str(first["token"]),
        float(first["probability"]),
        verdict.reason(result, mask),
        lines.assign(question=lines["control"].map(CONTROLS)),
    )


def _hero(model: str, reading: jobs.Answer[Read], asked: Asked, result: Experiment, mask: int, code: Code) -> Any:
    """The finding, the bars, those of a second model if there is one, and the strip of controls for one mask.

    Returns the place under the bars.
    """
    edited = bool(asked.change.edits)
    seen = cached.derive(look, result, (model, asked), mask, asked.k)
    beside = Beside(model, code, [3, 2], more="The controls, and all below", finding=seen.finding)

    def of(name: str) -> Asked:  # another model may know other words of the sentence, and spell them otherwise
        question = reading.asked if reading.stale else (*asking.typed(name), asking.SCOPE.value)
        return asked if name == model else asking.completed(cached.compute(asking.read, name, *question))

    again = beside.ask(
        "arithmetic",
        asking.experiment,
        lambda name: (of(name),),
        label="Asking BERT, and the controls",
        words=lambda name: asking.words(of(name)),
        mends=asking.EDITS,
        meanwhile=lambda: _bars(seen, None, edited, "answers", beside.alt),
    )
    other = cached.derive(look, again, (beside.other, of(beside.other)), mask, asked.k) if again else None
    with beside.first:
        _bars(seen, other, edited, "answers", beside.alt)
        below = st.container()
    if again and other:
        names = (beside.title, beside.other_title)
        beside.say(verdict.two_models(result, again, names, mask, asked.k))
        beside.finding(other.finding, second=True)
        with beside.second:
            _bars(other, seen, edited, "answers-second", partial(beside.alt, second=True))
        beside.code(
            *_run(of(beside.other), "other", "other_"),
            "print(other_result.answers)",
            f"print(two_models(result, other_result, {names!r}, mask={mask}, k={asked.k}))",
        )
    with beside.detail:
        if edited:
            _chance(seen)
        else:
            st.text("No edit yet. Press “Build an edit” above, or type one, such as amazon = amazon - river + company.")
    page.seen(_SEEN if edited else _SEEN_UNEDITED)
    return below


def _evidence(model: str, place: Any) -> None:
    """What many such edits do, for a model whose scores are stored; last, since its checksum takes a moment."""
    scores = cached.compute(stored.read, cached.plain(model))
    if said := stored.evidence(scores):
        # Why, is explained where there is room for it.
        caution = " The rate of only adding is flattering (see Explain)." if stored.copying(scores) else ""
        with place:
            page.seen(f"**One sentence proves little.** {said}{caution}")


def _bars(seen: Look, other: Look | None, edited: bool, name: str, alt: Callable[[str], str]) -> None:
    """The bars of a model's answers, with room for another's."""
    most = float(other.bars[["before", "probability"]].to_numpy().max()) if other else 0.0
    figures.chart(
        cached.figure(charts.bars, seen.bars, edited, most),
        seen.answers,
        name=name,
        alt=alt(charts.bars_alt(seen.bars, edited)),
    )


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


def _chance(seen: Look) -> None:
    """The strip of controls for the winning word, and what it says."""
    st.subheader("Could it be chance?", anchor=False)
    st.text(seen.reason)
    figures.chart(
        cached.figure(charts.chance, seen.controls, seen.word, seen.probability),
        seen.controls,
        name="controls",
        alt=charts.chance_alt(seen.controls, seen.word, seen.probability),
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
