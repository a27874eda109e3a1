"""Principal components of each space, and the dimensions that dominate the mean cosine."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from embtools.charts import isotropy as charts
from embtools.isotropy.spaces import MeasuredSpaces
from embtools.statistics.percentages import rounded
from embtools.ui import figures, page, running, shown
from embtools.ui.running import Answer


def directions(answers: Sequence[Answer[MeasuredSpaces]]) -> None:
    """Draw for each model the variance by component and the strongest dimensions."""
    results = [answer.value for answer in answers]
    for container in running.containers(answers, part="directions"):
        with container as answer:
            left, right = shown.split([3, 2], gap="medium")
            with left:
                st.subheader("Variance by principal component", anchor=False)
                figures.show(charts.spectrum, answer.value, beside=results, name="isotropy-spectrum")
                page.caption(
                    "Each line shows the variance of the [[principal component|principal components]] of one space. In"
                    " an isotropic space, the line is flat."
                )
            with right:
                st.subheader("Dimensions that dominate the mean cosine", anchor=False)
                figures.show(charts.dimensions, answer.value, beside=results, name="isotropy-dimensions")
                page.caption(
                    "The chart shows the [[dominating dimensions]] of the raw vectors."
                    f" {_dominating(answer.value.dimensions)}"
                )


def _dominating(raw: pd.DataFrame) -> str:
    if raw["share"].isna().all():
        return "The mean cosine is about zero, so no dimension dominates it."
    return f"The first three make up **{rounded(raw['share'].head(3).sum())}** of the mean cosine."
