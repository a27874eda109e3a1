"""Details of Erase: all layers and methods, one of which half of the items chooses and the other half tests."""

from collections.abc import Callable

import streamlit as st

from embtools.charts import directions as charts
from embtools.directions import sweeping as numbers
from embtools.directions.sweep_result import Sweep
from embtools.directions.sweeping import sweep
from embtools.ui import figures, long_work, page, running, shown, texts
from embtools.ui.call import Call
from embtools.ui.shown import Model, Models


def show(models: Models, erased: Callable[[Model], Call]) -> None:
    """Draw the expander; when it is open, try all layers and methods for the groups of the query of the panel."""

    def query(model: Model) -> Call:
        call = erased(model)
        return Call(sweep, **{name: call[name] for name in ("first", "second", "template", "rounds", "seed")})

    def effort(call: Call) -> Call:
        return Call(numbers.effort, **{name: call[name] for name in ("first", "second", "draws", "rounds")})

    with figures.expander("directions-sweep", "Choose layer and method", ":material/search:") as opened:
        if not opened:
            return
        st.text(
            "If you try many layers and methods and report the best, it looks better than it is. Here, the"
            " choice is made on one half of your items and tested on the other half."
        )
        if not long_work.may_begin("directions-sweep", "Try all layers and methods", query, models, effort):
            return
        answers = running.ask(
            "swept",
            query,
            models,
            label="Trying layers and methods",
            prints=("headline", "rule", "choices", "reported"),
        )
        for container in running.containers(answers, part="sweep"):
            with container as answer:
                _result(answer.value)


def _result(result: Sweep) -> None:
    shown.section(texts.plain(result.headline))
    figures.show(charts.choices, result, name="directions-choices")
    page.caption(
        f"Lines: accuracy of a new classifier on the half of the {result.kind} that chooses, in every layer. The"
        " erasers are fitted on one part of this half, the classifiers on the other part. Ring: what was chosen. Star:"
        " the chosen eraser, fitted on the whole half, on the other half, with its 95% interval. Dotted: guessing."
    )
    st.text(result.rule)
    figures.table(result.reported, "What was chosen, on the other half", name=f"directions-reported{shown.suffix()}")
