"""More about a probe, under tabs: its mistakes, the combined recipes, the learning curve; and the items in a fold."""

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

MISTAKES, RECIPES, CURVE = "What it takes for what", "Every layer and recipe", "With fewer items"
MORE = Choice("probing_more", MISTAKES, (MISTAKES, RECIPES, CURVE))
FIELDS = (MORE,)
_SHOWN = 8  # mistakes that are shown as sentences


def show(model: str, found: Accuracy, question: tuple[Any, ...], layer: int, code: Code) -> None:
    """The tabs, then the fold."""
    for part in ("mistakes", "recipes", "curve", "items"):
        code.drop(part)
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == MISTAKES:
                    _mistakes(found, question, layer, code)
                elif name == RECIPES:
                    _recipes(model, found, question, code)
                else:
                    _curve(model, found, question, layer, code)
    fold = state.fold("probing-items", "The labelled items", ":material/list:")
    if fold.open:
        with fold:
            _items(question, code)


def _mistakes(found: Accuracy, question: tuple[Any, ...], layer: int, code: Code) -> None:
    items = asking.items_of(question[0], question[1])
    scored = cached.derive(_scored, (found, items), question, f"layer {layer}")
    matrix, wrong = scored.matrix, scored.wrong
    left, right = st.columns(2, gap="large")
    with left:
        st.header(f"A probe on layer {layer} gets {len(wrong)} of {len(items)} items wrong", anchor=False)
        figures.chart(cached.figure(pictures.confusion, matrix), matrix, name="confusion", alt=scored.alt)
        page.seen("The [[confusion matrix]]: a row for each label, a column for what the [[probe]] said.")
    with right:
        figures.table(scored.each, name="per-label")
        page.seen("[[precision|Precision]], [[recall]] and [[F1]] of each label.")
        if len(wrong):
            st.html(scored.sentences)
            fold = state.fold("mistakes", f"All {len(wrong)} mistakes", ":material/table:")
            if fold.open:
                with fold:
                    figures.table(wrong, name="mistakes")
        else:
            st.text("It makes no mistake on these items.")
    code.add(
        "mistakes",
        f"probabilities = found.probabilities['layer {layer}']",
        "print(scores.confusion(labels, probabilities))",
        "print(scores.per_label(labels, probabilities).round(3))",
        "print(scores.mistakes(items, probabilities))",
    )


@dataclass(frozen=True)
class _Scored:
    """The confusion matrix of a probe and its reading, the figures of each label, all mistakes and the surest."""

    matrix: pd.DataFrame
    alt: str
    each: pd.DataFrame
    wrong: pd.DataFrame
    sentences: str


def _scored(given: tuple[Accuracy, Items], recipe: str) -> _Scored:
    found, items = given
    probabilities, labels = found.probabilities[recipe], [item.label for item in items]
    matrix, wrong = scores.confusion(labels, probabilities), scores.mistakes(items, probabilities)
    each = scores.per_label(labels, probabilities).round(3)
    return _Scored(matrix, pictures.confusion_alt(matrix), each, wrong, _sentences(wrong))


def _sentences(wrong: pd.DataFrame) -> str:
    """The surest mistakes as an escaped list: the label, what was said instead, the sentence with its word marked."""
    rows = []
    for row in wrong.head(_SHOWN).itertuples():
        before, word, after = _marked(row.sentence, row.word, row.occurrence)
        said = f"{escape(row.label)} → {escape(row.said)} {row.probability:.0%}"
        rows.append(f"<li><span>{said}</span> {escape(before)}<mark>{escape(word)}</mark>{escape(after)}</li>")
    return f'<ol class="occurrences">{"".join(rows)}</ol>'


def _marked(sentence: str, word: str, occurrence: int) -> tuple[str, str, str]:
    """A sentence parted at an occurrence of its word; the word empty where there is none, or it is spelt otherwise."""
    import re

    found = list(re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", sentence, re.IGNORECASE)) if word else []
    if occurrence > len(found):
        return sentence, "", ""
    begin, end = found[occurrence - 1].span()
    return sentence[:begin], sentence[begin:end], sentence[end:]


def _recipes(model: str, found: Accuracy, question: tuple[Any, ...], code: Code) -> None:
    try:
        more = jobs.run("probing-recipes", asking.combined, model, *question, label="Training the probes")
    except ValueError as error:  # it was stopped
        texts.problem(error)
        return
    table = pd.concat([found.table, more.table], ignore_index=True)
    rivals = cached.derive(_as_good, (found, more, asking.items_of(question[0], question[1])), question)
    st.header(_highest(table, rivals), anchor=False)
    figures.chart(
        cached.figure(charts.recipes, table, found.baseline), table, name="recipes", alt=charts.recipes_alt(table)
    )
    page.seen(
        "Each row is a [[recipe|combination of layers]], with its 95% interval by [[bootstrap]]. The dotted line is"
        " guessing: always the most frequent label. A combination may be as good as the highest if the interval of"
        " their difference on the same items includes zero."
    )
    code.add(
        "recipes",
        "more = accuracy.measure(items, vectors, vectors.recipes[model.layers + 1 :], **how)",
        "print(pd.concat([found.table, more.table], ignore_index=True))",
        "print(accuracy.as_good(items, found.probabilities | more.probabilities))",
    )


def _as_good(given: tuple[Accuracy, Accuracy, Items]) -> tuple[str, ...]:
    found, more, items = given
    return accuracy.as_good(items, found.probabilities | more.probabilities)


def _highest(table: pd.DataFrame, rivals: tuple[str, ...]) -> str:
    """Name the combination of the highest accuracy, and how many others may be as good."""
    best = table.loc[table["accuracy"].idxmax()]
    text = f"Highest: {best['recipe']}, {best['accuracy']:.1%}"
    if not rivals:
        return f"{text}; all others are lower beyond chance"
    return f"{text}, but {len(rivals)} of the {len(table) - 1} others may be as good"


def _curve(model: str, found: Accuracy, question: tuple[Any, ...], layer: int, code: Code) -> None:
    recipe = f"layer {layer}"
    try:
        table = jobs.run("probing-curve", asking.learnt, model, *question, recipe, label="Training on fewer items")
    except ValueError as error:  # it was stopped
        texts.problem(error)
        return
    few, most = table.iloc[0], table.iloc[-1]
    st.header(
        f"{few['accuracy']:.0%} from {few['items']:.0f} items, {most['accuracy']:.0%} from {most['items']:.0f}",
        anchor=False,
    )
    figures.chart(
        cached.figure(charts.over_items, table, found.baseline), table, name="curve", alt=charts.over_items_alt(table)
    )
    page.seen(
        f"The [[learning curve]] of a probe on layer {layer}: accuracy over the number of items that it learns from."
        " If the line still rises at the end, more items would help."
    )
    code.add("curve", f"print(curve.learning_curve(items, vectors.of({recipe!r}), **how))")


def _items(question: tuple[Any, ...], code: Code) -> None:
    items = asking.items_of(question[0], question[1])
    table = pd.DataFrame([(i.sentence, i.word, i.occurrence, i.label) for i in items])
    table.columns = pd.Index(["sentence", "word", "occurrence", "label"])
    figures.table(table if items[0].word else table[["sentence", "label"]], name="items")
    st.caption("The CSV of this table can be changed and uploaded again under “your own”.")
    code.add("items", "print(pd.DataFrame(items))")
