"""Details of an edit in tabs, of which only the open one is computed.

Their Python code uses `text`, `change`, `leave_out`, `temperature` and `result`, which the code of the answers defines.
"""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.arithmetic import controls, scopes, verdict
from embtools.arithmetic.controls import Experiment
from embtools.arithmetic.edited_vectors import edited_vectors
from embtools.arithmetic.scopes import first_answers
from embtools.mask_filling import answers as mask_answers
from embtools.mask_filling import edits
from embtools.ui import cached, figures, state, texts
from embtools.ui.arithmetic import edit_query, layers, words
from embtools.ui.arithmetic.edit_query import Query
from embtools.ui.arithmetic.word_finder import FIND, word_finder
from embtools.ui.fields import Choice
from embtools.ui.share import Code
from embtools.ui.shown import Model

_NAMES = (
    "As numbers", "Strength curve", "Logit lens", "Edit in later layers", "Edited vectors", "Each control",
    "Other scope", "Chosen words", "Random answers", "Tokens", "Settings",
)  # fmt: skip
MORE = Choice(
    "arithmetic_more",
    _NAMES[0],
    _NAMES,
    implied=(
        (words.CURVE.key, "Strength curve"),
        (words.CURVE_AS.key, "Strength curve"),
        (words.CANDIDATES.key, "Chosen words"),
        (FIND.key, "Tokens"),
        (layers.LENS.key, "Logit lens"),
        (layers.TEMPLATES.key, "Edit in later layers"),
        (words.DRAWN.key, "Random answers"),
    ),
)
FIELDS = (
    MORE, words.CURVE, words.CURVE_AS, words.CANDIDATES, words.DRAWN, layers.LENS, layers.TEMPLATES, FIND,
)  # fmt: skip
_LEAVE_OUT = "These words cannot be answers. The probabilities of the other words do not change."
_KEEP_LENGTH = (
    "The sum of several vectors is usually longer than one vector. This scales the result of the formula to the length"
    " of the original vector."
)
_SHARES = ("probability_before", "probability_after", "probability", "change", "mean", "lowest", "highest")
PERCENT = {column: st.column_config.NumberColumn(format="percent") for column in _SHARES}


def show(model: str, query: Query, result: Experiment, mask: int, code: Code) -> None:
    """Draw the tabs; the code of the open one replaces that of the tab that was open before."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                code.add("details", *_detail(name, model, query, result, mask))


def _detail(name: str, model: str, query: Query, result: Experiment, mask: int) -> list[str]:
    try:
        if name == "Chosen words":
            return words.chosen_words(model, query, mask)
        if name == "Tokens":
            return _token_table(model, query)
        if name == "Settings":
            return _settings(model, query)
        if name == "Random answers":
            return words.random_answers(model, query, mask)
        if name == "Logit lens":
            return layers.logit_lens(model, query, result, mask)
        if not query.change.edits:
            st.text("This tab needs an edit. Type one above.")
            return []
        if name == "Strength curve":
            return words.curve(model, query, result, mask)
        if name == "Edit in later layers":
            return layers.edits_by_layer(model, query, result, mask)
        if name == "Edited vectors":
            return _edited_vectors(model, query)
        if name == "Each control":
            return _runs(result, mask)
        if name == "Other scope":
            return _scopes(model, query, mask)
        return _figures(model, query, result, mask)
    except ValueError as error:
        texts.problem(error)
        return []


def _figures(model: str, query: Query, result: Experiment, mask: int) -> list[str]:
    """Show the comparison of the edit with all controls in sentences."""
    for sentence in filter(None, cached.derive(verdict.verdict, result, (model, query), mask)):
        st.text(sentence)
    return [f"print(*verdict(result, mask={mask}), sep='\\n')"]


def _runs(result: Experiment, mask: int) -> list[str]:
    runs = result.controls[result.controls["mask"] == mask].drop(columns="mask")
    text = "Each row is one run of a control: the change it makes, its top answer, and the probability that it"
    text += " gives to the edit's top answer (in the column token)."
    if runs["left_out"].any():
        text += (
            " The column left_out names the word that would be the top answer of the run if you had not left it out."
        )
    else:
        runs = runs.drop(columns="left_out")
    st.caption(text)
    figures.table(runs, name="runs", column_config=PERCENT)
    for name in runs["control"].unique():
        st.text(f"{name.capitalize()}: {controls.CONTROLS[name]}")
    return [f"print(result.controls[result.controls['mask'] == {mask}])"]


def _scopes(model: str, query: Query, mask: int) -> list[str]:
    """Compare the two scopes; ValueError if the model is not tied or an edited word is not in the sentence."""
    both = cached.compute(_both_scopes, model, query)
    both = both[both["mask"] == mask]
    st.text(scopes.sentence(both, query.change.scope, mask))
    figures.table(both.drop(columns="mask"), name="scopes", column_config=PERCENT)
    return [
        "scopes = first_answers(text, model, change=change, leave_out=leave_out, temperature=temperature)",
        f"print(scopes[scopes['mask'] == {mask}])",
    ]


def _both_scopes(query: Query, *, model: Any) -> pd.DataFrame:
    leave_out = edit_query.left_out(query, model=model)
    return first_answers(query.text, model, change=query.change, leave_out=leave_out, temperature=query.temperature)


def _edited_vectors(model: str, query: Query) -> list[str]:
    lengths, nearest = cached.compute(edited_vectors, model, query.change)
    for line in lengths.itertuples():
        of_word = nearest[nearest["word"] == line.word]
        for column, run, name in zip(st.columns(2), ("original", "edited"), ("before", "after"), strict=True):
            with column:
                st.text(f"Nearest to the {run} vector of “{line.word}” (length {getattr(line, run):.2f})")
                table = of_word.loc[of_word["run"] == run, ["rank", "token", "cosine"]]
                figures.table(table, name=f"near-{line.word}-{name}")
    return ["lengths, nearest = edited_vectors(change, model)", "print(lengths, nearest, sep='\\n')"]


def _token_table(model: str, query: Query) -> list[str]:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.table(cached.compute(_tokens, model, query.text), name="tokens")
    with right:
        word_finder((Model(model),))
    return ["print(model.tokenize(text))"]


def _tokens(text: str, *, model: Any) -> pd.DataFrame:
    return model.tokenize(text)


def _settings(model: str, query: Query) -> list[str]:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        st.text_input(
            "Words to leave out (comma-separated)",
            placeholder="pakistan, asia",
            help=_LEAVE_OUT,
            **edit_query.LEAVE_OUT.widget,
        )
        st.slider("Number of answers", **edit_query.ANSWERS.widget)
    with middle:
        st.slider(
            "Temperature",
            help=words.TEMPERATURE_HELP,
            **edit_query.TEMPERATURE.widget,
        )
        st.slider("Random draws per control", **edit_query.DRAWS.widget)
    with right:
        st.toggle("Keep the original length", help=_KEEP_LENGTH, **edit_query.KEEP.widget)
        st.toggle("Hide offensive words", **edit_query.HIDE.widget)
        if not query.hide_offensive:
            return []
        st.caption(f"{cached.compute(_hidden, model, query)} of the top {query.k} answers are hidden as offensive.")
    return [
        f"everything = compare(text, model, after=resolve(change, model), k={query.k},",
        f"                     leave_out={list(query.leave_out)!r}, temperature=temperature)",
        f"hidden = everything['token'].isin(offensive) & (everything['rank_after'] <= {query.k})",
        "print(hidden.sum())",
    ]  # fmt: skip


def _hidden(query: Query, *, model: Any) -> int:
    """Return the number of offensive words among the top answers without the filter."""
    after = edits.resolve(query.change, model)
    answers = mask_answers.compare(
        query.text, model, after=after, k=query.k, leave_out=query.leave_out, temperature=query.temperature
    )
    offensive = set(edit_query.left_out(query, model=model)) - set(query.leave_out)
    return int((answers["token"].isin(offensive) & (answers["rank_after"] <= query.k)).sum())
