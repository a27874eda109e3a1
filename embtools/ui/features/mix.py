"""What both mixes share: the penalty, the parts with their controls, and the mix put back into BERT."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from embtools.charts import features as charts
from embtools.charts.style import BLUE, shade
from embtools.features.controls import NEAREST
from embtools.features.parts import SHARE as DEFAULT
from embtools.features.parts import SMALLEST
from embtools.features.patched import Patched
from embtools.features.patching import DRAWS
from embtools.features.results import Controls, Decomposition
from embtools.messages import counted
from embtools.statistics.percentages import rounded
from embtools.ui import captions, entry, figures, glossary, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Number, Text
from embtools.ui.running import Answer

BY_SHARE, BY_ALPHA = "share", "alpha"
BY = Choice("features_by", BY_SHARE, (BY_SHARE, BY_ALPHA))
SHARE = Number("features_share", DEFAULT, SMALLEST, 1.0, 0.01)
ALPHA = Number("features_alpha", 0.9, 0.0, 1e4, 0.1)
SAME_WORD = Flag("features_same_word")
MASK = Number("features_put_mask", 1, 1, 10, 1)
LENGTH = Flag("features_put_length")
FIELDS = (SAME_WORD, BY, SHARE, ALPHA, MASK, LENGTH)
PRINTS = ("headline", "optimum", "parts.table", "parts.words", "parts.figures")
"""What the copied code prints of a decomposition."""
PUT_BACK = {state.OPEN.key: ("put-back",)}
"""What an example sets to show the mix put back into BERT."""
_SENTENCES = 8  # sentences under the bars; the table has all


def penalty() -> dict[str, Any]:
    """Return the penalty set in the fields, and whether the word itself may be a part, as keyword arguments."""
    amount = {"alpha": float(ALPHA.value)} if BY.value == BY_ALPHA else {"share": float(SHARE.value)}
    return {**amount, "same_word": SAME_WORD.value}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    amount = captions.Setting("alpha", ALPHA) if BY.value == BY_ALPHA else captions.Setting("sparsity", SHARE)
    return amount, captions.changed("the same word may be a part", SAME_WORD)


def amount() -> None:
    """Draw the field of the penalty: a share of its maximum, or alpha itself."""
    if BY.value == BY_ALPHA:
        entry.number_input("Penalty (alpha)", help=glossary.definition("penalty"), format="%.4g", **ALPHA.widget)
    else:
        st.slider("Sparsity (fewer words →)", help=glossary.definition("penalty"), **SHARE.widget)


def kind() -> None:
    """Draw the choice between a penalty as a share of its maximum and alpha itself."""
    st.segmented_control(
        "Set the penalty as",
        format_func=lambda by: "alpha, as in the article" if by == BY_ALPHA else "share of its maximum",
        required=True,
        help="The article uses scikit-learn’s alpha, set to 0.9, on vectors that are not scaled to length one.",
        **BY.widget,
    )


def show(
    name: str,
    answers: Sequence[Answer[Decomposition]],
    controls: Callable[..., Any],  # takes the arguments of the query that gave the answers
    path: Callable[..., Any],  # takes the same without the penalty
) -> None:
    """Draw for each model the headline and the bars, then the controls and the path, which take longer to compute."""
    if not answers:
        return
    tables = [answer.value.parts.table for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            result = answer.value
            shown.headline(result.headline)
            if result.coverage:
                st.caption(texts.plain(result.coverage))
            if not len(result.parts.rows):
                top = result.measure("alpha at which the mix is empty")
                st.text(f"The mix is empty for every alpha from {top:.3g} upwards.")
                continue
            left, right = shown.split([3, 2], gap="medium")
            with left:
                _parts(name, result, tables)
            with right:
                _controls(name, Call(controls, **answer.query.arguments), answer)
            with right if result.target.sentence else left:
                given = {key: value for key, value in answer.query.arguments.items() if key not in ("share", "alpha")}
                _path(name, Call(path, **given), answer)


def _parts(name: str, result: Decomposition, tables: Sequence[pd.DataFrame]) -> None:
    """Draw the bars, the sentences that contain the parts, and the table of measures."""
    parts = result.parts
    figures.show(charts.parts, parts.table, beside=tables, name=name)
    what = (
        "The result is a [[sparse mix]]. Each bar is a word; each segment of a bar is one of its occurrences."
        if parts.table["sentence"].any()
        else "The result is a [[sparse mix]] of [[static embedding|static embeddings]]. Each bar is a word."
    )
    total = result.measure("sum of the weights")
    page.caption(f"{what} The shares add up to 100% and the weights to {total:.2f}. {result.optimum}")
    if result.target.sentence:
        st.subheader("Sentences that contain the parts", anchor=False)
        st.html(_sentences(result, dark=st.context.theme.type == "dark"))
        if (more := len(parts.table) - _SENTENCES) > 0:
            st.caption(f"The table also lists the sentences of {counted(more, 'other part')} with smaller weights.")
    label = "As numbers: explained share, cosine, alpha, duality gap"
    with figures.expander(f"{name}-figures", label, ":material/list:") as opened:
        if opened:
            figures.table(parts.figures, "Measures of the mix", name=f"{name}-figures{shown.suffix()}")
            figures.table(parts.words, "Words of the mix with their weights", name=f"{name}-words{shown.suffix()}")
            st.caption(glossary.definition("LASSO"))


def _controls(name: str, query: Call, answer: Answer[Decomposition]) -> None:
    """Draw how much the controls explain, with the tests against chance."""
    controls: Controls | None = running.detail(
        "controls", query, answer.model, label="Comparing with controls", prints=("trust", "summary", "frame")
    )
    if controls is None:
        return
    figures.show(charts.controls, controls, name=f"{name}-controls")
    st.text(controls.trust)
    nearest = "the nearest words"
    if (controls.frame["kind"] == NEAREST).any():
        nearest += ", the nearest occurrences"
    page.caption(
        "Each ring is a control run. Some rings show how well the same number of parts [[explained|explains]]"
        " [[random vector|random vectors]], shuffled vectors or the vectors of other words. The others show how well"
        f" {nearest} or random parts explain this vector."
    )


def _path(name: str, query: Call, answer: Answer[Decomposition]) -> None:
    """Draw how the mix changes with the penalty."""
    path = running.detail("path", query, answer.model, label="Trying other penalties")
    if path is None:
        return
    st.subheader("Effect of the penalty", anchor=False)
    figures.show(charts.path, path, answer.value.parts.share, name=f"{name}-path")
    page.caption(
        "From left to right the [[penalty]] decreases and more words join the mix. The grey line shows how much of the"
        " vector the mix explains with its penalised weights (the headline uses refitted ones); the other lines are the"
        " words’ shares of the mix. The dotted line marks the chosen penalty."
    )


def put_back(
    answers: Sequence[Answer[Decomposition]],
    query: Callable[[Answer[Decomposition]], Call],  # about the mix of an answer
    *,
    sentence: Text | None = None,  # the field of the sentence, if the mix has none
    note: str = "",
) -> None:
    """Draw BERT's answers with the mix in place of the word, in an expander; they are computed when it is opened."""
    if not answers:
        return
    label = "Let BERT read the mix: does the answer stay the same?"
    with figures.expander("put-back", label, ":material/swap_horiz:") as opened:
        if not opened:
            return
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            if sentence is not None:
                with st.container(width=420):
                    help_ = "A sentence with a word of the formula, which gets the result of the formula."
                    widget = {"placeholder": "The king is a [MASK].", "help": help_, **sentence.widget}
                    entry.text_input("Sentence with a [MASK]", **widget)
            with st.container(width=130):
                entry.number_input("Mask number", help=glossary.definition("mask"), **MASK.widget)
            help_ = (
                "The mix is shorter than the vector because it lacks the unexplained part. Scaling corrects the length."
            )
            st.toggle("Scale the mix to the vector’s length", help=help_, **LENGTH.widget)
        if note:
            st.caption(note)
        prints = ("headline", "distance", "caption", "runs", "by_number_of_words", "summary")
        own = {answer.model: answer for answer in answers}
        label = "Running BERT with the mix"
        patched = running.ask("patched", lambda model: query(own[model]), tuple(own), label=label, prints=prints)
        results = [answer.value for answer in patched]
        for container in running.containers(patched):
            with container as answer:
                _patched(answer.value, results)


def patching(answer: Answer[Decomposition]) -> dict[str, Any]:
    """Return the arguments with which the mix of an answer is put back into BERT."""
    own = answer.query.arguments
    mix = {name: own[name] for name in ("share", "alpha", "same_word") if name in own}
    return {**mix, "mask": int(MASK.value), "keep_length": LENGTH.value}


def _patched(result: Patched, results: Sequence[Patched]) -> None:
    shown.finding(result.headline)
    where = "at the input" if result.site.layer is None else f"after layer {result.site.layer}"
    scaled = captions.changed("the mix has the word's length", LENGTH)
    options = {"about": (result.text, f"“{result.site.word}” replaced {where}", *caption(), scaled)}
    for column, measure in zip(shown.split([1, 1], gap="medium"), charts.MEASURES, strict=True):
        with column:
            figures.show(charts.patched, result, measure, beside=results, name=f"patching-{measure}", options=options)
    page.caption(
        "The word’s vector is replaced by the k strongest parts of its [[sparse mix]], with refitted weights. A filled"
        " mark means that the top answer stays the same or, for random words, that it stays the same in most draws. The"
        f" band is the range of {DRAWS} draws of k random words. The second chart shows the [[KL divergence]] from the"
        " original answers."
    )
    st.text(result.distance)
    st.text(result.caption)
    title = "Results by number of parts"
    st.subheader(title, anchor=False)
    figures.table(result.by_number_of_words, title, name=f"patching-words{shown.suffix()}")
    figures.as_table(result.runs, f"patching-runs{shown.suffix()}", "All runs, including those with random words")


def _sentences(result: Decomposition, dark: bool) -> str:
    """Return an escaped HTML list of the word's own sentence and those of the heaviest parts, with the words marked."""
    colour = shade(BLUE, dark)
    target = result.target
    rows = [(target.name, "", target.sentence, target.start, target.end)]
    rows += [
        (row.word, rounded(row.share), row.sentence, row.start, row.end)
        for row in result.parts.table.head(_SENTENCES).itertuples()
        if row.sentence
    ]
    items = []
    for _, share, text, start, end in rows:
        badge = f'<b style="border-color:{colour}">{share}</b>' if share else ""
        mark = f'<mark style="border-color:{colour}">{escape(text[start:end])}</mark>'
        items.append(f"<li>{badge}{escape(text[:start])}{mark}{escape(text[end:])}</li>")
    return f'<ol class="occurrences">{"".join(items)}</ol>'
