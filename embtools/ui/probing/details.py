"""Details of a probe under tabs (mistakes, layer combinations, learning curve), and the items in an expander."""

from dataclasses import dataclass
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts.probing import accuracy as charts
from embtools.charts.probing import scores as pictures
from embtools.probing import accuracy, scores
from embtools.probing.accuracy import Accuracy
from embtools.probing.items import Items
from embtools.ui import cached, figures, jobs, page, state, texts
from embtools.ui.fields import Choice
from embtools.ui.probing import asking
from embtools.ui.share import Code

MISTAKES, COMBINATIONS, CURVE = "Confusion matrix", "Layer combinations", "Learning curve"
MORE = Choice("probing_more", MISTAKES, (MISTAKES, COMBINATIONS, CURVE))
FIELDS = (MORE,)
_SHOWN = 8  # number of mistakes that are shown as sentences


def show(model: str, found: Accuracy, question: tuple[Any, ...], layer: int, code: Code) -> None:
    """Show the tabs, and the expander with the items."""
    for part in ("mistakes", "combinations", "curve", "items"):
        code.drop(part)
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == MISTAKES:
                    _mistakes(found, question, layer, code)
                elif name == COMBINATIONS:
                    _combinations(model, found, question, code)
                else:
                    _curve(model, found, question, layer, code)
    fold = state.fold("probing-items", "Labelled items", ":material/list:")
    if fold.open:
        with fold:
            _items(question, code)


def _mistakes(found: Accuracy, question: tuple[Any, ...], layer: int, code: Code) -> None:
    items = asking.items_of(question[0], question[1])
    scored = cached.derive(_scored, (found, items), question, f"layer {layer}")
    matrix, wrong = scored.matrix, scored.wrong
    left, right = st.columns(2, gap="large")
    with left:
        st.header(f"A probe on layer {layer} gets {len(wrong)} of {len(items)} items wrong.", anchor=False)
        figures.chart(cached.figure(pictures.confusion, matrix), matrix, name="confusion", alt=scored.alt)
        page.seen(
            "In the [[confusion matrix]], each row is a true label and each column is a label that the [[probe]]"
            " predicted. Each cell shows how many items have these two labels."
        )
    with right:
        figures.table(scored.each, name="per-label")
        page.seen("The table gives the [[precision]], [[recall]] and [[F1]] of each label.")
        if len(wrong):
            st.html(scored.sentences)
            fold = state.fold("mistakes", f"All {len(wrong)} mistakes", ":material/table:")
            if fold.open:
                with fold:
                    figures.table(wrong, name="mistakes")
        else:
            st.text("The probe makes no mistake on these items.")
    code.add(
        "mistakes",
        f"probabilities = found.probabilities['layer {layer}']",
        "print(scores.confusion(labels, probabilities))",
        "print(scores.per_label(labels, probabilities).round(3))",
        "print(scores.mistakes(items, probabilities))",
    )


@dataclass(frozen=True)
class _Scored:
    """The confusion matrix of a probe with its alt text, the scores of each label, and the mistakes."""

    matrix: pd.DataFrame
    alt: str
    each: pd.DataFrame
    wrong: pd.DataFrame
    sentences: str


def _scored(given: tuple[Accuracy, Items], combination: str) -> _Scored:
    found, items = given
    probabilities, labels = found.probabilities[combination], [item.label for item in items]
    matrix, wrong = scores.confusion(labels, probabilities), scores.mistakes(items, probabilities)
    each = scores.per_label(labels, probabilities).round(3)
    return _Scored(matrix, pictures.confusion_alt(matrix), each, wrong, _sentences(wrong))


def _sentences(wrong: pd.DataFrame) -> str:
    """Return the mistakes with the highest probability as an HTML list: true → predicted label, and the sentence."""
    rows = []
    for row in wrong.head(_SHOWN).itertuples():
        before, word, after = _marked(row.sentence, row.word, row.occurrence)
        labels = f"{escape(row.label)} → {escape(row.predicted)} {row.probability:.0%}"
        rows.append(f"<li><span>{labels}</span> {escape(before)}<mark>{escape(word)}</mark>{escape(after)}</li>")
    return f'<ol class="occurrences">{"".join(rows)}</ol>'


def _marked(sentence: str, word: str, occurrence: int) -> tuple[str, str, str]:
    """Split a sentence at an occurrence of its word: before, word, after; the word is "" if it is not found."""
    import re

    matches = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", sentence, re.IGNORECASE)) if word else []
    if occurrence > len(matches):
        return sentence, "", ""
    begin, end = matches[occurrence - 1].span()
    return sentence[:begin], sentence[begin:end], sentence[end:]


def _combinations(model: str, found: Accuracy, question: tuple[Any, ...], code: Code) -> None:
    try:
        more = jobs.run("probing-combinations", asking.combined, model, *question, label="Training the probes")
    except ValueError as error:  # the work was stopped
        texts.problem(error)
        return
    table = pd.concat([found.table, more.table], ignore_index=True)
    equal = cached.derive(_as_good, (found, more, asking.items_of(question[0], question[1])), question)
    st.header(_highest(table, equal), anchor=False)
    figures.chart(
        cached.figure(charts.combinations, table, found.baseline),
        table,
        name="combinations",
        alt=charts.combinations_alt(table),
    )
    page.seen(
        "Each row is a [[recipe|layer combination]] with its accuracy and the 95% interval ([[bootstrap]]). The dotted"
        " line is guessing, which always gives the most frequent label. A combination may be as good as the best one if"
        " the 95% interval of their difference on the same items includes zero."
    )
    code.add(
        "combinations",
        "more = accuracy.measure(items, vectors, vectors.combinations[model.layers + 1 :], **how)",
        "print(pd.concat([found.table, more.table], ignore_index=True))",
        "print(accuracy.as_good(items, found.probabilities | more.probabilities))",
    )


def _as_good(given: tuple[Accuracy, Accuracy, Items]) -> tuple[str, ...]:
    found, more, items = given
    return accuracy.as_good(items, found.probabilities | more.probabilities)


def _highest(table: pd.DataFrame, equal: tuple[str, ...]) -> str:
    """Return the headline: the combination of the highest accuracy, and how many others may be as good."""
    best = table.loc[table["accuracy"].idxmax()]
    text = f"The highest accuracy is {best['accuracy']:.1%} ({best['combination']})"
    if not equal:
        return f"{text}. All {len(table) - 1} other layer combinations are significantly lower."
    return f"{text}, but {len(equal)} of the {len(table) - 1} other layer combinations may be as good."


def _curve(model: str, found: Accuracy, question: tuple[Any, ...], layer: int, code: Code) -> None:
    combination = f"layer {layer}"
    try:
        table = jobs.run("probing-curve", asking.learnt, model, *question, combination, label="Training on fewer items")
    except ValueError as error:  # the work was stopped
        texts.problem(error)
        return
    few, most = table.iloc[0], table.iloc[-1]
    st.header(
        f"With {few['items']:.0f} training items the accuracy is {few['accuracy']:.0%}, with"
        f" {most['items']:.0f} it is {most['accuracy']:.0%}.",
        anchor=False,
    )
    figures.chart(
        cached.figure(charts.over_items, table, found.baseline), table, name="curve", alt=charts.over_items_alt(table)
    )
    page.seen(
        f"The [[learning curve]] shows the accuracy of a probe on layer {layer} by the number of training items. If the"
        " line still rises at the end, more items would help."
    )
    code.add("curve", f"print(curve.learning_curve(items, vectors.of({combination!r}), **how))")


def _items(question: tuple[Any, ...], code: Code) -> None:
    items = asking.items_of(question[0], question[1])
    table = pd.DataFrame([(i.sentence, i.word, i.occurrence, i.label) for i in items])
    table.columns = pd.Index(["sentence", "word", "occurrence", "label"])
    figures.table(table if items[0].word else table[["sentence", "label"]], name="items")
    st.caption("You can download this table as CSV, change it, and upload it under the label “your own”.")
    code.add("items", "print(pd.DataFrame(items))")
