"""The answers to an edit: before and after, the controls, the other scope, and what the edited vectors are near to."""

from contextlib import suppress
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from embtools import wordlists
from embtools.arithmetic import controls, scopes
from embtools.arithmetic.edited_vectors import edited_vectors
from embtools.arithmetic.verdict import verdict
from embtools.charts.arithmetic import edit as charts
from embtools.mask_filling import answers as mask_filling_answers
from embtools.mask_filling import edits
from embtools.ui import cached, figures, jobs, last_good, page
from embtools.ui.arithmetic import inputs
from embtools.ui.arithmetic import words as arithmetic_words
from embtools.ui.arithmetic.inputs import Asked
from embtools.ui.arithmetic.words import PERCENT


def answers(model: str, asked: Asked) -> controls.Experiment:
    """What was asked, answered through the cache."""
    return cached.compute(controls.experiment, model, asked.text, asked.change, asked.k, **_settings(model, asked))


def results(model: str, asked: Asked) -> str:
    """The right column: answers, controls, curve, candidates, neighbours, pieces. Returns code for "copy as Python"."""
    good = last_good.last_good("arithmetic-answers", model, partial(_experiment, model), asked, inputs.DEFAULT)
    if good is None:
        return ""
    asked, result = good
    settings = _settings(model, asked)
    edited = bool(asked.change.edits)
    masks = [int(mask) for mask in sorted(result.answers["mask"].unique())]
    code = _answers_code(asked, len(masks))
    both = _both_scopes(model, asked, settings) if edited else None
    for mask in masks:
        shown = result.answers[result.answers["mask"] == mask]
        if len(masks) > 1:
            st.subheader(f"Mask {mask} of {len(masks)}", anchor=False)
        answer_metrics(shown, edited)
        if edited:
            for sentence in filter(None, verdict(result, mask)):
                st.text(sentence)
        if both is not None:
            st.caption(page.plain(scopes.sentence(both, asked.change.scope, mask)))
        figures.chart(
            cached.figure(charts.change, shown, result.marks[result.marks["mask"] == mask], edited),
            shown if len(masks) > 1 else shown.drop(columns="mask"),
            name=f"answers-{mask}",
            alt=charts.change_alt(shown, edited),
        )
        if edited:
            _controls(result, mask, f"controls-{mask}")
    if both is not None:
        code += [
            "from embtools.arithmetic.scopes import first_answers",
            "scopes = first_answers(text, change, model=model, leave_out=leave_out, temperature=temperature)",
            "print(scopes)",
        ]
    if asked.hide_offensive:
        code += _hidden(model, asked)
    mask = _mask(len(masks))
    code += arithmetic_words.scored(model, asked, mask)
    if edited:
        shown = result.answers[result.answers["mask"] == mask]
        code += arithmetic_words.curve(model, asked, shown, mask, settings["leave_out"])
        code += arithmetic_words.layers(model, asked, shown, mask)
        code += _edited_vectors(model, asked)
    else:
        st.caption("Nothing is edited. Write an edit such as word = word - old + new.")
    _pieces(model, asked)
    return "\n".join([*code, "print(model.tokenize(text))"])


def _experiment(model: str, asked: Asked) -> controls.Experiment:
    """As `answers`, with a bar and a stop."""
    label, question = "Asking BERT, and the controls", (asked.text, asked.change, asked.k)
    return jobs.stoppable("arithmetic", controls.experiment, model, *question, label=label, **_settings(model, asked))


def _settings(model: str, asked: Asked) -> dict[str, Any]:
    return {
        "leave_out": (*asked.leave_out, *(_offensive(model) if asked.hide_offensive else ())),
        "temperature": asked.temperature,
        "draws": asked.draws,
    }


def _answers_code(asked: Asked, masks: int) -> list[str]:
    leave_out = repr(list(asked.leave_out))
    lines = []
    if asked.hide_offensive:
        lines = [
            "from embtools import wordlists",
            "offensive = [w for w in wordlists.load('offensive')['word'] if w in model.ids]",
        ]
        leave_out = f"{leave_out} + offensive"
    lines += [
        "from embtools.arithmetic.controls import experiment",
        "from embtools.mask_filling.edits import Change",
        f"text = {asked.text!r}",
        f"change = {asked.change!r}",
        f"leave_out = {leave_out}",
        f"temperature = {asked.temperature!r}",
        f"result = experiment(text, change, {asked.k}, model=model, leave_out=leave_out,",
        f"                    temperature=temperature, draws={asked.draws}, seed=0)",
        "print(result.answers, result.summary, result.controls, result.marks, sep='\\n')",
    ]
    if asked.change.edits:
        lines += [
            "from embtools.arithmetic.verdict import verdict",
            *(f"print(*verdict(result, mask={mask}), sep='\\n')" for mask in range(1, masks + 1)),
        ]
    return lines


def _both_scopes(model: str, asked: Asked, settings: dict[str, Any]) -> pd.DataFrame | None:
    # A model that is not tied, or a word that is not in the sentence, has one scope only: nothing to compare.
    with suppress(ValueError):
        named = {name: settings[name] for name in ("leave_out", "temperature")}
        return cached.compute(scopes.first_answers, model, asked.text, asked.change, **named)
    return None


def answer_metrics(answers: pd.DataFrame, edited: bool = True) -> None:
    """The first answer before and after, in large type."""
    first = answers.loc[answers["rank_before"].idxmin()]
    best = answers.loc[answers["rank_after"].idxmin()]
    with st.container(horizontal=True):
        st.metric("Original", page.plain(f"{first['token']}  {first['before']:.1%}"), border=True)
        if edited:
            st.metric(
                "Edited",
                page.plain(f"{best['token']}  {best['probability']:.1%}"),
                border=True,
                delta=f"{best['change'] * 100:+.1f} points",
                delta_color="off",
            )


def _controls(result: controls.Experiment, mask: int, name: str) -> None:
    st.subheader("Is the effect real?", anchor=False)
    lines = result.summary[result.summary["mask"] == mask]
    figures.table(
        lines.assign(question=lines["control"].map(controls.CONTROLS))[
            ["control", "same_answer", "mean", "low", "high", "draws", "question"]
        ],
        name=name,
        column_config={
            "same_answer": st.column_config.NumberColumn("turns to the same answer", format="percent"),
            **{c: st.column_config.NumberColumn(format="percent") for c in ("mean", "low", "high")},
        },
    )
    with st.expander("Each control run", icon=":material/list:"):
        runs = result.controls[result.controls["mask"] == mask]
        figures.table(runs, name=f"{name}-runs", column_config=PERCENT)


def _mask(count: int) -> int:
    """Which mask the candidates, the curve and the layers below are about."""
    if count == 1:
        return 1
    return st.segmented_control(
        "Below: which mask?", range(1, count + 1), default=1, required=True, key="arithmetic_mask", bind="query-params"
    )  # fmt: skip


def _hidden(model: str, asked: Asked) -> list[str]:
    count = cached.compute(_hidden_among, model, asked, _offensive(model))
    st.caption(f"{count} of the first {asked.k} answers hidden as offensive.")
    return [
        "from embtools.mask_filling.answers import compare",
        "from embtools.mask_filling.edits import resolve",
        f"everything = compare(text, model, after=resolve(change, model), k={asked.k},",
        f"                     leave_out={list(asked.leave_out)!r}, temperature=temperature)",
        f"hidden = everything['token'].isin(offensive) & (everything['rank_after'] <= {asked.k})",
        "print(hidden.sum())",
    ]


def _hidden_among(asked: Asked, hidden: tuple[str, ...], *, model: Any) -> int:
    after = edits.resolve(asked.change, model)
    shown = mask_filling_answers.compare(
        asked.text, model, after=after, k=asked.k, leave_out=asked.leave_out, temperature=asked.temperature
    )
    return int((shown["token"].isin(hidden) & (shown["rank_after"] <= asked.k)).sum())


def _edited_vectors(model: str, asked: Asked) -> list[str]:
    st.subheader("What the edited vector is near to", anchor=False)
    lengths, near = cached.compute(edited_vectors, model, asked.change)
    for line in lengths.itertuples():
        of_word = near[near["word"] == line.word]
        for column, run, name in zip(st.columns(2), ("original", "edited"), ("before", "after"), strict=True):
            with column:
                st.text(f"{line.word}, {run} (length {getattr(line, run):.2f})")
                table = of_word.loc[of_word["run"] == run, ["rank", "token", "cosine"]]
                figures.table(table, name=f"near-{line.word}-{name}")
    return [
        "from embtools.arithmetic.edited_vectors import edited_vectors",
        "lengths, near = edited_vectors(change, model=model)",
        "print(lengths, near, sep='\\n')",
    ]


@st.fragment
def _pieces(model: str, asked: Asked) -> None:
    fold = st.expander(
        "Word pieces and ids of the sentence", icon=":material/token:", key="fold-pieces", on_change="rerun"
    )
    if fold.open:
        with fold:
            figures.table(cached.compute(_tokens, model, asked.text), name="pieces")


def _known(words: tuple[str, ...], *, model: Any) -> tuple[str, ...]:
    return tuple(w for w in words if w in model.ids)


def _tokens(text: str, *, model: Any) -> pd.DataFrame:
    return model.tokenize(text)


def _offensive(model: str) -> tuple[str, ...]:
    return cached.compute(_known, model, tuple(wordlists.load("offensive")["word"]))
