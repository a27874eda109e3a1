"""Panel for the isotropy of the vectors, compared with random vectors and with the model."""

from typing import Any

from embtools.charts import own_vectors as charts
from embtools.own_vectors.isotropy import effort, measure_isotropy
from embtools.ui import captions, figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Field
from embtools.ui.own_vectors import source
from embtools.ui.shown import Models

TAB = "Isotropy"
FIELDS: tuple[Field, ...] = ()
PRESETS: dict[str, dict[str, Any]] = {}
FIRST = Call(measure_isotropy)


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption()


def show(models: Models) -> None:
    """Draw the cosines of random pairs, and the measures."""
    query = Call(measure_isotropy, **source.given())
    if not long_work.may_begin("own-isotropy", "Measure the isotropy", query, models, _effort):
        return
    answers = running.ask(
        "even",
        query,
        models,
        FIRST,
        label="Measuring the isotropy",
        within=source.within(),
        prints=("headline", "table"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            result = answer.value
            shown.headline(result.headline)
            figures.show(charts.cosines, result, name="own-isotropy", beside=results)
            figures.table(result.table, "Measures of isotropy by space", name=f"own-isotropy-measures{shown.suffix()}")
    page.caption(
        "The lines show how often each [[cosine]] occurs among random pairs of the words on this page."
        " *Random vectors* are a control:"
        " the same number of vectors, with the same number of dimensions and no preferred direction. They are drawn"
        " once; with few words, the measures of another draw can differ by 0.1. [[IsoScore]] and"
        " the [[partition-function measure]] are 1 in a perfectly even space; *participation* is the number of"
        " directions over which the variance is spread."
    )


def _effort(query: Call) -> Call:
    return Call(effort, table=query["table"])
