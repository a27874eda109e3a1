"""More about an edit, a tab each: only the open one is computed. They read `text`, `change`, `leave_out`, `temperature`
and `result` of the code that the answers write.
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
from embtools.ui.arithmetic import asking, layers, words
from embtools.ui.arithmetic.asking import Asked
from embtools.ui.arithmetic.word_finder import FIND, word_finder
from embtools.ui.fields import Choice
from embtools.ui.share import Code

_NAMES = (
    "In figures", "Strength curve", "Through the layers", "After each layer", "Edited vectors", "Each control",
    "Other scope", "Chosen words", "Draw an answer", "Pieces", "Settings",
)  # fmt: skip
MORE = Choice(
    "arithmetic_more",
    _NAMES[0],
    _NAMES,
    implied=(
        (words.CURVE.key, "Strength curve"),
        (words.CURVE_AS.key, "Strength curve"),
        (words.CANDIDATES.key, "Chosen words"),
        (FIND.key, "Pieces"),
        (layers.LENS.key, "Through the layers"),
        (layers.TEMPLATES.key, "After each layer"),
        (words.DRAWN.key, "Draw an answer"),
    ),
)
FIELDS = (
    MORE, words.CURVE, words.CURVE_AS, words.CANDIDATES, words.DRAWN, layers.LENS, layers.TEMPLATES, FIND,
)  # fmt: skip
_SHARES = ("before", "probability", "change", "mean", "low", "high")
PERCENT = {column: st.column_config.NumberColumn(format="percent") for column in _SHARES}


def show(model: str, asked: Asked, result: Experiment, mask: int, code: Code) -> None:
    """The tabs; the open one writes its code in place of another's."""
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                code.add("details", *_detail(name, model, asked, result, mask))


def _detail(name: str, model: str, asked: Asked, result: Experiment, mask: int) -> list[str]:
    try:
        if name == "Chosen words":
            return words.chosen(model, asked, mask)
        if name == "Pieces":
            return _pieces(model, asked)
        if name == "Settings":
            return _settings(model, asked)
        if name == "Draw an answer":
            return words.draw(model, asked, mask)
        if name == "Through the layers":
            return layers.through(model, asked, result, mask)
        if not asked.change.edits:
            st.text("Nothing is edited yet.")
            return []
        if name == "Strength curve":
            return words.curve(model, asked, result, mask)
        if name == "After each layer":
            return layers.after_each(model, asked, result, mask)
        if name == "Edited vectors":
            return _edited_vectors(model, asked)
        if name == "Each control":
            return _runs(result, mask)
        if name == "Other scope":
            return _scopes(model, asked, mask)
        return _figures(model, asked, result, mask)
    except ValueError as error:
        texts.problem(error)
        return []


def _figures(model: str, asked: Asked, result: Experiment, mask: int) -> list[str]:
    """The whole verdict with its figures."""
    for sentence in filter(None, cached.derive(verdict.verdict, result, (model, asked), mask)):
        st.text(sentence)
    return [f"print(*verdict(result, mask={mask}), sep='\\n')"]


def _runs(result: Experiment, mask: int) -> list[str]:
    runs = result.controls[result.controls["mask"] == mask].drop(columns="mask")
    text = "What each run did to the word, its top answer, and the probability of the edit's top answer."
    if runs["left_out"].any():
        text += " Left out: the word that would be the run's top answer if you had not left it out."
    else:
        runs = runs.drop(columns="left_out")
    st.caption(text)
    figures.table(runs, name="runs", column_config=PERCENT)
    for name in runs["control"].unique():
        st.text(f"{name}: {controls.CONTROLS[name]}")
    return [f"print(result.controls[result.controls['mask'] == {mask}])"]


def _scopes(model: str, asked: Asked, mask: int) -> list[str]:
    """Both scopes; an error where a model that is not tied, or a word that is not in the sentence, has one only."""
    both = cached.compute(_both_scopes, model, asked)
    both = both[both["mask"] == mask]
    st.text(scopes.sentence(both, asked.change.scope, mask))
    figures.table(both.drop(columns="mask"), name="scopes", column_config=PERCENT)
    return [
        "scopes = first_answers(text, change, model=model, leave_out=leave_out, temperature=temperature)",
        f"print(scopes[scopes['mask'] == {mask}])",
    ]


def _both_scopes(asked: Asked, *, model: Any) -> pd.DataFrame:
    leave_out = asking.left_out(asked, model=model)
    return first_answers(asked.text, asked.change, model=model, leave_out=leave_out, temperature=asked.temperature)


def _edited_vectors(model: str, asked: Asked) -> list[str]:
    lengths, near = cached.compute(edited_vectors, model, asked.change)
    for line in lengths.itertuples():
        of_word = near[near["word"] == line.word]
        for column, run, name in zip(st.columns(2), ("original", "edited"), ("before", "after"), strict=True):
            with column:
                st.text(f"{line.word}, {run} (length {getattr(line, run):.2f})")
                table = of_word.loc[of_word["run"] == run, ["rank", "token", "cosine"]]
                figures.table(table, name=f"near-{line.word}-{name}")
    return ["lengths, near = edited_vectors(change, model=model)", "print(lengths, near, sep='\\n')"]


def _pieces(model: str, asked: Asked) -> list[str]:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figures.table(cached.compute(_tokens, model, asked.text), name="pieces")
    with right:
        word_finder(model)
    return ["print(model.tokenize(text))"]


def _tokens(text: str, *, model: Any) -> pd.DataFrame:
    return model.tokenize(text)


def _settings(model: str, asked: Asked) -> list[str]:
    left, middle, right = st.columns(3, gap="medium")
    with left:
        st.text_input("Leave these words out of the ranking", placeholder="pakistan, asia", **asking.LEAVE_OUT.widget)
        st.slider("Answers", **asking.ANSWERS.widget)
    with middle:
        st.slider(
            "Temperature",
            help="Scores are divided by it: below 1 sharpens the answers, above 1 flattens them.",
            **asking.TEMPERATURE.widget,
        )
        st.slider("Random draws per control", **asking.DRAWS.widget)
    with right:
        st.toggle("Keep the vector's length", help="A sum of three vectors is longer than one.", **asking.KEEP.widget)
        st.toggle("Hide offensive words", **asking.HIDE.widget)
        if not asked.hide_offensive:
            return []
        st.caption(f"{cached.compute(_hidden, model, asked)} of the first {asked.k} answers hidden as offensive.")
    return [
        f"everything = compare(text, model, after=resolve(change, model), k={asked.k},",
        f"                     leave_out={list(asked.leave_out)!r}, temperature=temperature)",
        f"hidden = everything['token'].isin(offensive) & (everything['rank_after'] <= {asked.k})",
        "print(hidden.sum())",
    ]  # fmt: skip


def _hidden(asked: Asked, *, model: Any) -> int:
    """How many offensive words would stand among the first answers."""
    after = edits.resolve(asked.change, model)
    shown = mask_answers.compare(
        asked.text, model, after=after, k=asked.k, leave_out=asked.leave_out, temperature=asked.temperature
    )
    offensive = set(asking.left_out(asked, model=model)) - set(asked.leave_out)
    return int((shown["token"].isin(offensive) & (shown["rank_after"] <= asked.k)).sum())
