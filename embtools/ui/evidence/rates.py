"""The rates of a battery on the page: which measure is shown, which pairs are counted, and the chart with its text."""

import streamlit as st

from embtools.charts import evidence as charts
from embtools.evidence.rates import LOG_ODDS, PREFERRED, RATE
from embtools.evidence.result import Battery
from embtools.ui import figures, page
from embtools.ui.fields import Choice

_FORMS = {"c is the top answer": RATE, "c beats b": PREFERRED, "Log odds of c": LOG_ODDS}
FORM = Choice("evidence_form", next(iter(_FORMS)), dict(zip(("top", "beats", "odds"), _FORMS, strict=True)))
OF = Choice("evidence_of", "all pairs", {"all": "all pairs", "correct": "answered correctly before the edit"})
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


def choices() -> None:
    """Draw the fields for the measure and for the pairs that are counted."""
    st.segmented_control(
        "Measure",
        required=True,
        help="“c is the top answer” is the strictest measure. “c beats b” compares only these two words. For"
        " specificity, c should not win: the old answer should stay the top answer, or stay more probable than c.",
        **FORM.widget,
    )
    st.segmented_control("Pairs counted", required=True, **OF.widget)


def form() -> str:
    """Return the column of the rates that is shown."""
    return _FORMS[FORM.value]


def only_correct() -> bool:
    """Return whether only the pairs are counted that were answered correctly before the edit."""
    return bool(OF.value != OF.default)


def counted(result: Battery) -> Battery:
    """Return the battery with the pairs that are counted."""
    return result.of_correct if only_correct() else result


def printed() -> tuple[str, ...]:
    """Return the expressions of the headline and the findings, for the copied Python."""
    pairs = "of_correct." if only_correct() else ""
    headline = pairs + ("headline" if form() == RATE else f"sentence({form()!r})")
    return headline, *(("counted_pairs",) if only_correct() else ()), f"{pairs}findings"


def draw(result: Battery) -> None:
    """Draw the chart of the rates."""
    figures.show(charts.rates, result, form=form(), correct=only_correct(), name="rates")
    page.caption(
        f"{_MEANINGS[form()]} Lines: 95% intervals {_METHODS[form()]}, because other words a and c would give other"
        " results. In a [[battery]], an edit is only convincing if it does better than every [[control]]."
    )


def findings(result: Battery) -> tuple[str, ...]:
    """Return the sentences about the pairs that are counted, and which pairs these are."""
    if not only_correct():
        return result.findings
    return result.counted_pairs, *counted(result).findings
