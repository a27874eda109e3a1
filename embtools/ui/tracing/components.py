"""Panel for the parts that carry an effect to one position: heads, layer parts, and blocked attention."""

from functools import partial
from typing import Any

import streamlit as st

from embtools.charts import tracing as charts
from embtools.rooms.question import Ask
from embtools.tracing.components import KNOCKOUT, Components, trace_components
from embtools.tracing.positions import SUFFICIENCY
from embtools.tracing.runs import two_runs
from embtools.ui import captions, compare, figures, page, running, shown, state
from embtools.ui import models as chosen_models
from embtools.ui.fields import Choice
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.tracing import sentences

TAB = "Components"
MEASURES = {"Output copied": SUFFICIENCY, "Attention blocked": KNOCKOUT}
MEASURE = Choice(
    "tracing_heads_measure", "Output copied", dict(zip(("sufficiency", "knockout"), MEASURES, strict=True))
)
_HEADLINES = {SUFFICIENCY: "headline", KNOCKOUT: "blocked_headline"}
FIELDS = (*sentences.FIELDS, MEASURE)
ASKED_ABOUT = sentences.ASKED_ABOUT
PRESETS: dict[str, dict[str, Any]] = sentences.EXAMPLES
FIRST = sentences.first(trace_components)
_NAME, _CLICKED = "tracing-heads", "tracing-head-clicked"
_ABOVE = 30  # rem taken by what is above the charts and by the captions below them


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return *sentences.caption(), captions.Setting("measure of the heads", MEASURE)


def show(models: Models) -> None:
    """Draw the fields; for each model the heads next to the parts of each layer and to blocked attention."""
    problems = sentences.bar()

    def query(model: Model) -> Any:
        call = sentences.query(trace_components)(model)
        runs = running.run(sentences.query(two_runs)(model), model)
        index = sentences.chosen(runs)
        return call if index == runs.mask_index else call.but(position=runs.groups[index][0])

    measure = MEASURES[MEASURE.value]
    answers = running.ask(
        "components",
        query,
        models,
        FIRST,
        label="Copying the outputs of all heads",
        container=problems,
        suggest=sentences.suggest(),
        prints=(_HEADLINES[measure], "knockout_sentence", "single_knockouts", "heads", "layers", "knockouts"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            shown.headline(getattr(answer.value, _HEADLINES[measure]))
            left, right = shown.split([1, 1], gap="medium")
            with left:
                _heads(answer, measure, results)
            with right:
                _layers(answer.value, results)
            _files(answer)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        with st.container(width=220):
            sentences.choose_position(results[0].runs)
        st.segmented_control(
            "Heads",
            required=True,
            help="Output copied: how much of the effect a head brings to the position. Attention blocked: how much is"
            " lost if the position cannot attend to the changed words in this head.",
            **MEASURE.widget,
        )
    sentences.settings()


def question(models: Models) -> Ask:
    """Ask a class about the strongest head."""
    query = sentences.query(trace_components)(models[0])
    result: Components = running.run(query, models[0])
    return lambda choices: result.question(choices, edits=query["edits"])


def _heads(answer: Answer[Components], measure: str, results: list[Components]) -> None:
    result = answer.value
    alike = [each for each in results if each.runs.defined] if result.runs.defined else []

    def below() -> None:
        if measure == SUFFICIENCY:
            page.caption(
                "For each cell, the output of one [[attention head]] at this position is copied from the second run"
                " into the first. The number is the share of the effect that appears; shares need not sum to 100%."
                " Click a head to open it on Attention."
            )
        else:
            page.caption(
                "Each cell blocks the attention of this position to the changed words in one [[attention head]], in"
                " both runs ([[knockout]]). The number is the share of the effect that is lost. Crosses: without this"
                " head, the answer no longer changes. Click a head to open it on Attention."
            )

    options: dict[str, Any] = {
        "above": _ABOVE,
        "below": below,
        "pick": figures.Pick(partial(_choose, shown.suffix()), lambda row: f"{row['layer']:.0f}.{row['head']:.0f}"),
    }
    figures.show(charts.heads, result, measure, name=_NAME, beside=alike, options=options)
    head = _head(result)
    link = f"{_NAME}-link{shown.suffix()}"
    with st.container(key=link):
        st.page_link(
            "pages/attention.py",
            label=f"Open head {head} on Attention",
            icon=":material/visibility:",
            query_params=_attention(answer, head),
        )
    if st.session_state.pop(f"{_CLICKED}{shown.suffix()}", False):
        page.follow(link)


def _layers(result: Components, results: list[Components]) -> None:
    figures.show(charts.layer_parts, result, name="tracing-parts", beside=results)
    page.caption(
        "For each bar, the output of one part of a layer at this position is copied from the second run into the first."
    )
    figures.show(charts.knockouts, result, name="tracing-knockout", beside=results)
    st.text(" ".join(filter(None, (result.knockout_sentence, result.single_knockouts))))
    page.caption(
        "Each bar is the share of the effect that is lost if this position cannot attend to the changed words in one"
        " layer, or in all of them ([[knockout]]). Below zero: the effect becomes larger. Hatched: the answer no longer"
        " changes."
    )


def _choose(suffix: str, head: Any) -> None:
    """Select a head; the run that follows opens it on Attention."""
    state.put({sentences.HEAD.key: str(head), f"{_CLICKED}{suffix}": True})


def _files(answer: Answer[Components]) -> None:
    result = answer.value
    with figures.expander("components-files", "Files", ":material/download:") as opened:
        if opened:
            frames = {"heads": result.heads, "parts": result.layers, "knockouts": result.knockouts}
            figures.files(frames, answer.query, answer.model, name="components")


def _head(result: Components) -> str:
    """Return the selected head, or the one that carries most."""
    names = {f"{layer}.{head}" for layer, head in zip(result.heads["layer"], result.heads["head"], strict=True)}
    best = result.strongest.iloc[0]
    value = str(sentences.HEAD.value)
    return value if value in names else f"{int(best['layer'])}.{int(best['head'])}"


def _attention(answer: Answer[Components], head: str) -> dict[str, list[str]]:
    """Return the parameters that show a head on Attention: same sentence, from this position to the changed word."""
    common = page.common()
    if shown.suffix():  # a head of the second model
        common = {key: parts for key, parts in common.items() if key != compare.WITH.key}
        common[chosen_models.MODEL.key] = [answer.model.name]
    runs, query = answer.value.runs, answer.query
    words = runs.other_words  # of the sentence that is shown there, where repeated words are numbered
    counts = [words[: number + 1].count(word) for number, word in enumerate(words)]
    named = [word if count == 1 else f"{word} ({count})" for word, count in zip(words, counts, strict=True)]
    given = {
        "attention_text": [query["second_text"] or query["text"]],
        "attention_control": [query["text"] if query["second_text"] else ""],
        "attention_edits": ["\n".join(query["edits"])],
        "attention_heads": [head],
        "attention_from": [named[answer.value.position]],
        "attention_to": [named[number] for number in runs.changed[:1]],
    }
    return common | given


def _defined(result: Components) -> Components:
    if not result.runs.defined:
        raise ValueError("The effect is too small to be divided among heads.")
    return result


def _changes(result: Components) -> bool:
    """Return whether the answer still changes if attention to the changed words is blocked in all layers."""
    everywhere = _defined(result).knockouts.iloc[-1]
    return bool(everywhere["first_answer"] != everywhere["second_answer"])


_PARTS = sentences.query(trace_components)
READINGS = {
    "head": Reading(
        _PARTS, "Share of the strongest head", "number", lambda it: _defined(it).strongest[SUFFICIENCY].iloc[0], "%"
    ),
    "without-heads": Reading(
        _PARTS,
        "Whether the answer still changes without any one head",
        "yes or no",
        lambda it: _defined(it).unchanged_heads.empty,
    ),
    "without-attention": Reading(
        _PARTS,
        "Whether the answer still changes without attention to the word in any layer",
        "yes or no",
        _changes,
    ),
    "lost": Reading(
        _PARTS,
        "Share of the effect that is lost without attention to the word in any layer",
        "number",
        lambda it: _defined(it).knockouts[KNOCKOUT].iloc[-1],
        "%",
    ),
}
