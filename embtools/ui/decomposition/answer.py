"""What both tabs of the Decomposition page show: parts beside controls, their sentences, the way to more parts."""

from html import escape

import pandas as pd
import streamlit as st

from embtools.charts.decomposition import controls as control_charts
from embtools.charts.decomposition import parts as charts
from embtools.charts.decomposition import sparsity as path_charts
from embtools.charts.style import BLUE, shade
from embtools.decomposition import verdict
from embtools.ui import cached, figures, glossary, page, state, texts
from embtools.ui.decomposition import asking
from embtools.ui.decomposition.asking import Found, Question
from embtools.ui.share import Code

_SENTENCES = 8  # sentences under the bars; the table has all


def show(name: str, model: str, question: Question, found: Found, code: Code) -> None:
    """The finding, the bars and the controls; below them, sentences and the path."""
    code.add("parts", *asking.code(question))
    finding, trust = cached.derive(_told, found, (model, question))
    st.header(texts.plain(finding), anchor=False)
    if found.drawn:
        st.caption(texts.plain(found.drawn))
    if not len(found.parts.rows):
        st.text(f"Alpha at which nothing is left: {_measure(found, 'alpha at which nothing is left'):.3g}.")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _parts(name, found)
    with right:
        _controls(name, found, trust)
    with right if found.target.sentence else left:
        _path(name, model, question, found)


def _told(found: Found) -> tuple[str, str]:
    """The finding, and how far to trust it."""
    return verdict.finding(found.target.name, found.parts, found.compared), verdict.trust(found.compared)


def _parts(name: str, found: Found) -> None:
    """The bars, and the sentences in which the parts stand."""
    parts = found.parts
    figures.chart(
        cached.figure(charts.bars, parts.table),
        parts.table.drop(columns=["start", "end"]),
        name=name,
        alt="Shares of the mix: " + ", ".join(f"{r.word} {r.share:.0%}" for r in parts.words.itertuples()) + ".",
    )
    what = (
        "A [[sparse mix]]: a bar is a word, a piece of it one of its occurrences."
        if parts.table["sentence"].any()
        else "A [[sparse mix]] of [[static embedding|static embeddings]]."
    )
    page.seen(f"{what} Shares sum to 1; the weights themselves to {_measure(found, 'sum of the weights'):.2f}.")
    if found.target.sentence:
        st.subheader("Where the parts stand", anchor=False)
        st.html(_sentences(found, dark=st.context.theme.type == "dark"))
    fold = state.fold(f"{name}-figures", "In figures: explained, cosine, alpha, duality gap", ":material/list:")
    if fold.open:
        with fold:
            figures.table(parts.figures, name=f"{name}-figures")
            figures.table(parts.words, name=f"{name}-words")
            st.caption(glossary.definition("LASSO"))


def _controls(name: str, found: Found, trust: str) -> None:
    """What as many parts explain of what should do worse."""
    figures.chart(
        cached.figure(control_charts.strip, found.compared),
        found.summary,
        name=f"{name}-controls",
        alt="Explained by as many parts: "
        + "; ".join(f"{r.kind} {r.mean:.0%}" for r in found.summary.itertuples())
        + ".",
    )
    st.text(trust)
    page.seen(
        "Does the mix mean anything? How much as many parts [[explained|explain]] of other words, of"
        " [[random vector|random vectors]] like them and of shuffled numbers."
    )


def _path(name: str, model: str, question: Question, found: Found) -> None:
    """How the mix changes with the penalty."""
    path = cached.compute(asking.path, model, question.whole)
    st.subheader("From few words to many", anchor=False)
    figures.chart(
        cached.figure(path_charts.lines, path, found.parts.share), path, name=f"{name}-path", alt=_path_alt(path)
    )
    page.seen(
        "Rightwards the [[penalty]] falls and more words join. Grey: what the mix explains. Dotted: the penalty chosen."
    )


def _measure(found: Found, name: str) -> float:
    return float(found.parts.figures.set_index("measure")["value"][name])


def _path_alt(path: pd.DataFrame) -> str:
    first, last = path.iloc[0], path.iloc[-1]
    few = "1 part explains" if first["parts"] == 1 else f"{first['parts']} parts explain"
    return (
        f"{few} {first['explained']:.0%}, mostly {first['word']}; {last['parts']} parts explain"
        f" {last['explained']:.0%}."
    )


def _sentences(found: Found, dark: bool) -> str:
    """The word's own sentence and those of the heaviest parts, the word marked; escaped."""
    colour = shade(BLUE, dark)
    target = found.target
    rows = [(target.name, "", target.sentence, target.start, target.end)]
    rows += [
        (row.word, f"{row.share:.0%}", row.sentence, row.start, row.end)
        for row in found.parts.table.head(_SENTENCES).itertuples()
        if row.sentence
    ]
    items = []
    for _, share, text, start, end in rows:
        badge = f'<b style="border-color:{colour}">{share}</b>' if share else ""
        mark = f'<mark style="border-color:{colour}">{escape(text[start:end])}</mark>'
        items.append(f"<li>{badge}{escape(text[:start])}{mark}{escape(text[end:])}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'
