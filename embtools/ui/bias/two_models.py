"""Charts of the Bias page for one model or two on the same scale, and a sentence that compares both."""

from collections.abc import Sequence

import pandas as pd

from embtools.bias import likelihood, verdict
from embtools.charts.bias import likelihood as score_charts
from embtools.statistics import agreement
from embtools.statistics.agreement import Ranks
from embtools.ui import cached, figures, page
from embtools.ui.compare import Beside

_MEANING = (
    "The gap of a word is how much more likely it is for one group, in [[nats]]. [[ρ]] measures whether both models"
    " rank the words in the same order by their gaps. The [[p-value]] is the probability of such a relation by chance."
)


def ranges(shown: Sequence[tuple[pd.DataFrame, pd.DataFrame]], names: tuple[str, str], beside: Beside) -> None:
    """Draw the scores of occupations; `shown` holds, for each model, all scores and those in the chart."""
    reach = max(float(drawn[["lowest", "highest"]].abs().to_numpy().max()) for _, drawn in shown)
    if len(shown) > 1:
        first, second = (likelihood.scored(summary) for summary, _ in shown)
        beside.say(verdict.two_models("occupations", _ranks(first, second)))
    for number, (summary, drawn) in enumerate(shown):
        with beside.second if number else beside.first:
            figures.chart(
                cached.figure(score_charts.ranges, drawn, *names, reach if len(shown) > 1 else 0.0),
                summary,
                name="scores-by-word" + number * "-second",
                alt=beside.alt(score_charts.ranges_alt(summary, *names), second=bool(number)),
            )
            if number:
                page.seen(_MEANING)


def code(first: str, second: str, what: str) -> list[str]:
    """Python code of the sentence that compares both models; `first`, `second`: the gaps by word."""
    return [
        "try:",
        f"    print(verdict.two_models({what!r}, agreement.ranks({first}, {second})))",
        "except ValueError:",
        f"    print(verdict.two_models({what!r}, None))",
    ]


def _ranks(first: dict[str, float], second: dict[str, float]) -> Ranks | None:
    try:
        return agreement.ranks(first, second)
    except ValueError:
        return None
