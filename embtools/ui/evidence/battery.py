"""The panel of a battery: an edit for many words, its rates next to those of the controls, and each case."""

from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.charts import evidence as charts
from embtools.evidence import batteries, result
from embtools.evidence.rates import EDIT, EFFICACY, LOG_ODDS, PARAPHRASE, PREFERRED, RATE, SPECIFICITY
from embtools.evidence.result import Battery
from embtools.models.catalogue import BUNDLED
from embtools.rooms.question import Ask
from embtools.ui import captions, figures, long_work, page, partial, running, shown
from embtools.ui.call import Call
from embtools.ui.evidence import case, inputs
from embtools.ui.evidence.inputs import CASE, COUNT
from embtools.ui.fields import Choice, Number
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model, Models

TAB = "Battery"
OTHERS = Number("evidence_others", 5, 1, 200, 1)
SCOPE = Choice("evidence_scope", "input", ("input", "tied"))
STRENGTH = Number("evidence_strength", 1.0, -1.0, 2.0, 0.05)
_LOWEST = f"{charts.WORST} with lowest rates"
ROWS = Choice("evidence_rows", _LOWEST, {"worst": _LOWEST, "all": "all words"})
_FORMS = {"c is the top answer": RATE, "c beats b": PREFERRED, "Log odds of c": LOG_ODDS}
FORM = Choice("evidence_form", next(iter(_FORMS)), dict(zip(("top", "beats", "odds"), _FORMS, strict=True)))
OF = Choice("evidence_of", "all pairs", {"all": "all pairs", "correct": "answered correctly before the edit"})
FIELDS = (*inputs.FIELDS, COUNT, OTHERS, SCOPE, STRENGTH, FORM, OF, ROWS, CASE)
ASKED_ABOUT = (*inputs.FIELDS, COUNT, SCOPE, STRENGTH)
QUESTION_TAKES_TIME = True
MOST_RUNS = 100_000
"""Forward passes that the page makes for one battery; the command line makes more."""
PRESETS: dict[str, dict[str, Any]] = {
    "Capitals": {},
    "Capitals: only add the new country": {inputs.EDIT.key: "{a} = {a} + {c}"},
    "Languages": inputs.example("language"),
    "Colours of things": inputs.example("colour"),
    "Opposites": inputs.example("opposite"),
    "Pronouns": inputs.example("pronoun"),
}
FIRST = Call(batteries.battery, cases=inputs.first(COUNT, OTHERS))
_MEANINGS = {
    RATE: "[[efficacy|Efficacy]]: the answer to the first sentence becomes c. [[paraphrase|Paraphrase]]: the same for"
    " the other sentences. [[specificity|Specificity]]: answers that should not change stay the same.",
    PREFERRED: "[[efficacy|Efficacy]]: c becomes more probable than b in the first sentence."
    " [[paraphrase|Paraphrase]]: the same for the other sentences. [[specificity|Specificity]]: answers that should not"
    " change stay more probable than c.",
    LOG_ODDS: "Each mark is the mean change in the log odds of c: in the first sentence ([[efficacy]]), in the other"
    " sentences ([[paraphrase]]), and in sentences whose answer should not change ([[specificity]]), where a change"
    " near zero is best.",
}
_METHODS = {
    RATE: "(Korn and Graubard's)",
    PREFERRED: "(Korn and Graubard's)",
    LOG_ODDS: "([[bootstrap]]; with fewer than 20 words a or c, Student's t)",
}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        *inputs.caption(),
        captions.Setting("scope", SCOPE),
        captions.Setting("strength", STRENGTH),
        captions.Setting("pairs", COUNT),
        captions.Setting("other words for each", OTHERS),
        captions.Setting("counted", OF),
    )


def show(models: Models) -> None:
    """Draw the fields, and for each model the headline, all cases, the rates and the case that was clicked."""
    problems = inputs.bar(COUNT, OTHERS)
    inputs.sentences(lambda: inputs.scope_and_strength(SCOPE, STRENGTH))
    query = running.attempt(_query, problems)
    if query is None:
        return
    if not _may_begin(query, models, problems):
        if not _known(query, models[0]):
            return
        models = models[:1]  # its results need no work, so they do not wait for the second model
    answers = partial.ask(
        partial.Work("evidence", batteries.blocks, _partial),
        "measured",
        query,
        models,
        FIRST,
        label="Running the battery",
        container=problems,
        prints=(*_printed(), "rates", "rates_of_correct", "by_word", "by_new_word", "cases"),
    )
    if not answers:
        return
    running.say(result.two_batteries, answers, _form(), parts="of_correct" if _only_correct() else "")
    for container in running.containers(answers):
        with container as answer:
            shown.headline(_counted(answer.value).sentence(_form()))
    for container in running.containers(answers, part="charts"):
        with container as answer:
            _charts(answer)
    _choices(max(len(answer.value.by_word) for answer in answers))
    inputs.trained_on(models)
    for container in running.containers(answers, part="more"):
        with container as answer:
            _more(answer)


def question(models: Models) -> Ask:
    """Ask a class for how many words the edit works in the first sentence, with one new word each."""
    query = _query()
    one = replace(inputs.first_sentence(query["cases"]), others=1)
    result: Battery = running.run(query.but(cases=one, controls=False), models[0])
    return result.question


def _query() -> Call:
    """Return the query of the fields; raises ValueError for pairs that cannot be read."""
    cases = inputs.given(COUNT, OTHERS)
    return Call(batteries.battery, cases=cases, scope=SCOPE.value, strength=float(STRENGTH.value))


def _known(query: Call, model: Model) -> bool:
    """Return whether an answer needs no work: it is in the cache, or it is the first one of the bundled model."""
    return (query == FIRST and model.name == BUNDLED) or (model.was_opened and running.known(query, model))


def _may_begin(query: Call, models: Models, problems: Any) -> bool:
    waiting = [model for model in models if not _known(query, model) and not running.refused(query, model)]
    if not waiting:
        return True
    model = models[0]
    if not inputs.usable(query, model):  # asked at once, which shows the reason
        return True
    effort = running.attempt(lambda: _effort(query, model), problems)
    if effort is None:
        return False
    runs, seconds = effort
    seconds = long_work.of_all(seconds, models) - (0 if model in waiting else seconds)
    runs *= len(waiting)
    return long_work.requested("evidence-battery", f"Run {runs:,} forward passes", seconds, (models, query))


def _effort(query: Call, model: Model) -> tuple[int, float]:
    """Return the forward passes of a battery for one model, and about how many seconds they take; raises ValueError for
    more than this page makes, and as the battery does."""
    seconds = running.run(Call(batteries.effort, cases=query["cases"]), model)
    runs = running.run(Call(batteries.runs, cases=query["cases"]), model)
    if runs > MOST_RUNS:
        raise ValueError(
            f"This battery has {runs:,} forward passes; this page makes at most {MOST_RUNS:,}. Use fewer pairs, new"
            " words or sentences, or the command line: python -m embtools.evidence"
        )
    return runs, seconds


def _partial(result: Battery, _: Model, done: int, key: str) -> None:
    """Draw the rates of the finished pairs while the others are computed."""
    edit = result.rates[result.rates["condition"] == EDIT][["measure", "rate", "low", "high", "n"]]
    st.text(f"After {done} of {min(int(COUNT.value), result.pairs)} pairs: {result.headline}")
    st.dataframe(edit, hide_index=True, key=key)


def _choices(words: int) -> None:
    """Draw the choices of what the charts show."""
    with st.container(key="evidence-choices", horizontal=True, vertical_alignment="bottom", gap="medium"):
        if words > charts.WORST:
            st.segmented_control("Words in the grid", required=True, **ROWS.widget)
        st.segmented_control(
            "Measure",
            required=True,
            help="“c is the top answer” is the strictest measure. “c beats b” compares only these two words. For"
            " specificity, c should not win: the old answer should stay the top answer, or stay more probable than c.",
            **FORM.widget,
        )
        st.segmented_control("Pairs counted", required=True, **OF.widget)


def _charts(answer: running.Answer[Battery]) -> None:
    result = answer.value
    if _counted(result).cases.empty:
        return
    left, right = shown.split([11, 9], gap="medium")
    with left:
        case.heading(answer)
        most = charts.WORST if ROWS.value == ROWS.default else None
        options = {"pick": case.pick()}
        figures.show(charts.cases, result, most=most, correct=_only_correct(), name="cases", options=options)
        case.details(answer)
        page.caption(
            f"{case.hint(answer)} Each row is a word a, and each cell a new word c that should become the answer. ✓ the"
            " edit changes the top answer to c; ✗ it does not, and the answer was right without the edit; ○ it does"
            " not, and the answer was wrong without the edit; = the answer was already c. The words for which the edit"
            " works least often come first. If there are too many cells, there is one bar per word."
        )
    with right:
        _draw_rates(result)


def _more(answer: running.Answer[Battery]) -> None:
    if _counted(answer.value).cases.empty:
        return
    for sentence in _findings(answer.value):
        st.text(sentence)
    _export(answer, _counted(answer.value))


def _form() -> str:
    """Return the column of the rates that is shown."""
    return _FORMS[FORM.value]


def _only_correct() -> bool:
    """Return whether only the pairs are counted that were answered correctly before the edit."""
    return bool(OF.value != OF.default)


def _counted(result: Battery) -> Battery:
    """Return the battery with the pairs that are counted."""
    return result.of_correct if _only_correct() else result


def _printed() -> tuple[str, ...]:
    """Return the expressions of the headline and the findings, for the copied Python."""
    pairs = "of_correct." if _only_correct() else ""
    headline = pairs + ("headline" if _form() == RATE else f"sentence({_form()!r})")
    return headline, *(("counted_pairs",) if _only_correct() else ()), f"{pairs}findings"


def _draw_rates(result: Battery) -> None:
    """Draw the chart of the rates."""
    figures.show(charts.rates, result, form=_form(), correct=_only_correct(), name="rates")
    page.caption(
        f"{_MEANINGS[_form()]} Lines: 95% intervals {_METHODS[_form()]}, because other words a and c would give other"
        " results. In a [[battery]], an edit is only convincing if it does better than every [[control]]."
    )


def _findings(result: Battery) -> tuple[str, ...]:
    """Return the sentences about the pairs that are counted, and which pairs these are."""
    if not _only_correct():
        return result.findings
    return result.counted_pairs, *_counted(result).findings


def _export(answer: running.Answer[Battery], result: Battery) -> None:
    """Draw an expander with all cases and the new words that are counted, and the files."""
    with figures.expander("all-cases", "All cases and files", ":material/download:") as opened:
        if not opened:
            return
        frame = answer.value.cases
        figures.table(frame, "All cases", name=f"all-cases{shown.suffix()}", download=False)
        st.subheader("New words", anchor=False)
        figures.table(result.by_new_word, "New words", name=f"new-words{shown.suffix()}", download=False)
        page.caption(
            "Each row is a new word c. The new words for which the edit works least often come first. “expected”:"
            " the rate for the same words a if the edit worked equally well for all new words."
        )
        frames = {
            "cases": frame,
            "rates": answer.value.rates,
            "rates for pairs correct before the edit": answer.value.rates_of_correct,
            "new words": answer.value.by_new_word,
        }
        figures.files(frames, answer.query, answer.model, name="battery")


def _of_fields(_: Model) -> Call:
    return _query()


def _rate(result: Battery, measure: str, column: str = "rate") -> float:
    if measure not in set(result.rates["measure"]):
        raise ValueError(f"There is no sentence that measures {measure}.")
    return float(result.rate(measure, EDIT)[column])


def _control(result: Battery) -> float:
    if result.strongest is None:
        raise ValueError("There is no control to compare with.")
    return float(result.strongest["rate"])


READINGS = {
    "rate": Reading(
        _of_fields, "Efficacy: cases whose answer becomes the new word", "number", lambda it: _rate(it, EFFICACY), "%"
    ),
    "low": Reading(
        _of_fields, "Lower end of the interval of efficacy", "number", lambda it: _rate(it, EFFICACY, "low"), "%"
    ),
    "paraphrase": Reading(
        _of_fields, "Paraphrase: the same in the other sentences", "number", lambda it: _rate(it, PARAPHRASE), "%"
    ),
    "specificity": Reading(
        _of_fields, "Specificity: answers that stay as they should", "number", lambda it: _rate(it, SPECIFICITY), "%"
    ),
    "control": Reading(_of_fields, "Efficacy of the strongest control", "number", _control, "%"),
    "correct": Reading(
        _of_fields,
        "Pairs answered correctly before the edit",
        "number",
        lambda it: it.by_word["correct"].mean(),
        "%",
    ),
    "reached": Reading(
        _of_fields,
        "Whether a control reaches the efficacy of the edit",
        "yes or no",
        lambda it: _control(it) >= _rate(it, EFFICACY),
    ),
}
