"""Results of a decomposition: the parts and their sentences, the controls, and the effect of the penalty."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import pandas as pd
import streamlit as st

from embtools.charts.decomposition import controls as control_charts
from embtools.charts.decomposition import parts as charts
from embtools.charts.decomposition import sparsity as path_charts
from embtools.charts.style import BLUE, shade
from embtools.decomposition import controls, verdict
from embtools.ui import cached, figures, glossary, jobs, page, state, texts
from embtools.ui.decomposition import queries
from embtools.ui.decomposition.queries import Query, Result
from embtools.ui.share import Code

_SENTENCES = 8  # sentences under the bars; the table has all


def show(name: str, model: str, query: Query, result: Result, code: Code) -> None:
    """Draw the headline and the bars, then the controls and the path, which take longer to compute."""
    code.add("parts", *queries.code(query))
    st.header(texts.plain(cached.derive(_headline, result, (model, query))), anchor=False)
    if result.drawn:
        st.caption(texts.plain(result.drawn))
    if not len(result.parts.rows):
        st.text(
            f"The mix is empty for every alpha from {_measure(result, 'alpha at which the mix is empty'):.3g} upwards."
        )
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _parts(name, result)
    with right, _stoppable():
        _controls(name, model, query)
    with right if result.target.sentence else left, _stoppable():
        _path(name, model, query, result)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Show the error message in place of the content if computing it fails or is stopped."""
    try:
        yield
    except ValueError as error:
        texts.problem(error)


def _headline(result: Result) -> str:
    return verdict.finding(result.target.name, result.parts, result.near)


def _parts(name: str, result: Result) -> None:
    """Draw the bars, the sentences that contain the parts, and the table of measures."""
    parts = result.parts
    figures.chart(
        cached.figure(charts.bars, parts.table),
        parts.table.drop(columns=["start", "end"]),
        name=name,
        alt="Shares of the words in the mix: "
        + ", ".join(f"{r.word} {r.share:.0%}" for r in parts.words.itertuples())
        + ".",
    )
    what = (
        "The result is a [[sparse mix]]. Each bar is a word; each segment of a bar is one of its occurrences."
        if parts.table["sentence"].any()
        else "The result is a [[sparse mix]] of [[static embedding|static embeddings]]. Each bar is a word."
    )
    total = _measure(result, "sum of the weights")
    page.seen(f"{what} The shares add up to 100% and the weights to {total:.2f}. {verdict.optimum(parts)}")
    if result.target.sentence:
        st.subheader("Sentences that contain the parts", anchor=False)
        st.html(_sentences(result, dark=st.context.theme.type == "dark"))
    fold = state.fold(f"{name}-figures", "As numbers: explained share, cosine, alpha, duality gap", ":material/list:")
    if fold.open:
        with fold:
            figures.table(parts.figures, name=f"{name}-figures")
            figures.table(parts.words, name=f"{name}-words")
            st.caption(glossary.definition("LASSO"))


def _controls(name: str, model: str, query: Query) -> None:
    """Draw how much the controls explain, with the tests against chance."""
    compared = jobs.run(f"{name}-controls", queries.compared, model, query, label="Comparing with controls")
    summary, trust = cached.derive(_summary, compared, (model, query))
    figures.chart(
        cached.figure(control_charts.strip, compared),
        summary,
        name=f"{name}-controls",
        alt="Mean share explained: " + "; ".join(f"{r.kind} {r.mean:.0%}" for r in summary.itertuples()) + ".",
    )
    st.text(trust)
    page.seen(
        "Each ring is a control run. Some rings show how well the same number of parts [[explained|explains]]"
        " [[random vector|random vectors]], shuffled vectors or the vectors of other words. The others show how well"
        " the nearest words, the nearest occurrences or random parts explain this vector."
    )


def _summary(compared: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    return controls.summary(compared), verdict.trust(compared)


def _path(name: str, model: str, query: Query, result: Result) -> None:
    """Draw how the mix changes with the penalty."""
    path = jobs.run(f"{name}-path", queries.path, model, query.at_default_penalty, label="Trying other penalties")
    st.subheader("Effect of the penalty", anchor=False)
    figures.chart(
        cached.figure(path_charts.lines, path, result.parts.share), path, name=f"{name}-path", alt=_path_alt(path)
    )
    page.seen(
        "From left to right the [[penalty]] decreases and more words join the mix. The grey line shows how much of the"
        " vector the mix explains; the other lines are the words’ shares of the mix. The dotted line marks the chosen"
        " penalty."
    )


def _measure(result: Result, name: str) -> float:
    return float(result.parts.figures.set_index("measure")["value"][name])


def _path_alt(path: pd.DataFrame) -> str:
    first, last = path.iloc[0], path.iloc[-1]
    few = "1 part explains" if first["parts"] == 1 else f"{first['parts']} parts explain"
    return (
        f"{few} {first['explained']:.0%} of the vector (the strongest is {first['word']}); {last['parts']} parts"
        f" explain {last['explained']:.0%}."
    )


def _sentences(result: Result, dark: bool) -> str:
    """Escaped HTML list of the word's own sentence and those of the heaviest parts, with the words marked."""
    colour = shade(BLUE, dark)
    target = result.target
    rows = [(target.name, "", target.sentence, target.start, target.end)]
    rows += [
        (row.word, f"{row.share:.0%}", row.sentence, row.start, row.end)
        for row in result.parts.table.head(_SENTENCES).itertuples()
        if row.sentence
    ]
    items = []
    for _, share, text, start, end in rows:
        badge = f'<b style="border-color:{colour}">{share}</b>' if share else ""
        mark = f'<mark style="border-color:{colour}">{escape(text[start:end])}</mark>'
        items.append(f"<li>{badge}{escape(text[:start])}{mark}{escape(text[end:])}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'
