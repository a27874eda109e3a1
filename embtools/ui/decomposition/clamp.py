"""View of BERT's answers with a learned feature at 0, 2 and 4 times its activation, next to random features."""

from collections.abc import Sequence

import streamlit as st

from embtools.charts import decomposition as charts
from embtools.decomposition import clamping as numbers
from embtools.decomposition.clamping import Clamped, clamp
from embtools.decomposition.features_of_text import SentenceFeatures
from embtools.ui import figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.running import Answer
from embtools.ui.shown import Model


def show(answers: Sequence[Answer[SentenceFeatures]], mask: int) -> None:
    """Draw BERT's answers with the feature at 0, 2 and 4 times its activation."""
    shown.section("Clamp the feature and ask again")
    if "[MASK]" not in answers[0].value.text:
        st.text("Write [MASK] in the sentence to ask BERT again.")
        return
    own = {answer.model: answer for answer in answers}

    def query(model: Model) -> Call:
        call = own[model].query
        feature = own[model].value.feature
        return Call(clamp, text=call["text"], dictionary=call["dictionary"], feature=feature, mask=mask)

    def effort(call: Call) -> Call:
        return Call(numbers.effort, text=call["text"])

    models = tuple(own)
    if not long_work.may_begin("clamp", "Clamp and ask again", query, models, effort):
        return
    result = running.ask("clamped", query, models, prints=("headline", "comparison", "summary", "answers"))
    if not result:
        return
    results = [answer.value for answer in result]
    for container in running.containers(result):
        with container as answer:
            _answers(answer.value, results)


def _answers(result: Clamped, results: Sequence[Clamped]) -> None:
    shown.finding(result.headline)
    left, right = shown.split([3, 2], gap="medium")
    with left:
        figures.show(charts.clamped, result, beside=results, name="learned-clamp")
        page.caption(
            f"The diamond is feature {result.feature}; each circle is a random feature with the same activation at"
            " the same words. Further right: the answers change more. Filled: the top answer stays the same."
        )
    with right:
        table = result.answers.pivot(index="rank", columns="factor", values="answer").reset_index()
        table.columns = ["rank", "times_0", "unchanged", "times_2", "times_4"]
        figures.table(table, "Top answers by factor", name=f"learned-answers{shown.suffix()}")
    shown.finding(result.comparison)
