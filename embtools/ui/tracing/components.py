"""Panel for the parts that carry an effect to one position: heads, layer parts, and blocked attention."""

from typing import Any

import streamlit as st

from embtools.charts.tracing import components as charts
from embtools.charts.tracing import knockout as knockout_charts
from embtools.tracing.components import Components, trace_components
from embtools.tracing.knockout import KNOCKOUT
from embtools.tracing.positions import SUFFICIENCY
from embtools.tracing.runs import two_runs
from embtools.ui import figures, page, running, shown, state
from embtools.ui.fields import Choice
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.tracing import sentences

TAB = "Components"
MEASURES = {"Output copied": SUFFICIENCY, "Attention blocked": KNOCKOUT}
MEASURE = Choice(
    "tracing_heads_measure", "Output copied", dict(zip(("sufficiency", "knockout"), MEASURES, strict=True))
)
FIELDS = (*sentences.FIELDS, MEASURE)
PRESETS: dict[str, dict[str, Any]] = sentences.EXAMPLES
FIRST = sentences.first(trace_components)
_NAME = "tracing-heads"
_ABOVE = 30  # rem taken by what is above the charts and by the captions below them


def show(models: Models) -> None:
    """Draw the fields; for each model the heads next to the parts of each layer and to blocked attention."""
    problems = sentences.bar()

    def query(model: Model) -> Any:
        asked = sentences.query(trace_components)(model)
        runs = running.run(sentences.query(two_runs)(model), model)
        index = sentences.chosen(runs)
        return asked if index == runs.mask_index else asked.but(position=runs.groups[index][0])

    answers = running.ask(
        "components",
        query,
        models,
        FIRST,
        label="Copying the outputs of all heads",
        container=problems,
        suggest=sentences.suggest(),
        prints=("headline", "knockout_sentence", "heads", "layers", "knockouts"),
    )
    if not answers:
        return
    results = [answer.value for answer in answers]
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
    measure = MEASURES[MEASURE.value]
    most = charts.largest([result for result in results if result.runs.defined] or results, measure)
    parts, knockouts = charts.ends(results), knockout_charts.ends(results)
    for place in running.places(answers):
        with place as answer:
            shown.headline(answer.value.headline)
            left, right = shown.split([1, 1], gap="medium")
            with left:
                _heads(answer, measure, most)
            with right:
                _layers(answer.value, parts, knockouts)
    sentences.settings()


def _heads(answer: Answer[Components], measure: str, most: float) -> None:
    result = answer.value
    word = result.runs.words[result.position]

    def below() -> None:
        if measure == SUFFICIENCY:
            page.seen(
                "Each cell copies the output of one [[attention head]] at this position from the second run into the"
                " first. The number is the share of the effect that appears; shares need not sum to 100%. Click a head"
                " to open it on Attention."
            )
        else:
            page.seen(
                "Each cell blocks the attention of this position to the changed words in one [[attention head]], in"
                " both runs ([[knockout]]). The number is the share of the effect that is lost. Click a head to open it"
                " on Attention."
            )

    options: dict[str, Any] = {"above": _ABOVE, "below": below}
    if not shown.suffix():
        options |= {"select": ("points",), "on_select": _click}
    figures.show(charts.heads, result, measure, most=most if result.runs.defined else 0.0, name=_NAME, options=options)
    head = _head(result)
    if not shown.suffix():
        st.page_link(
            "pages/attention.py",
            label=f"Open head {head} on Attention",
            icon=":material/visibility:",
            query_params=_attention(answer, head, word),
        )


def _layers(result: Components, parts: tuple[float, float], knockouts: tuple[float, float]) -> None:
    figures.show(charts.parts, result, parts, name="tracing-parts")
    page.seen("Each bar copies the output of one part of a layer at this position from the second run into the first.")
    figures.show(knockout_charts.layers, result, knockouts, name="tracing-knockout")
    st.text(result.knockout_sentence)
    page.seen(
        "Each bar is the share of the effect that is lost if this position cannot attend to the changed words in one"
        " layer, or in all of them ([[knockout]]). Below zero: the effect becomes larger."
    )


def _click() -> None:
    """Select a clicked head."""
    if (cell := figures.clicked(_NAME)) is not None:
        state.put({sentences.HEAD.key: str(cell)})


def _head(result: Components) -> str:
    """Return the selected head, or the one that carries most."""
    names = {f"{layer}.{head}" for layer, head in zip(result.heads["layer"], result.heads["head"], strict=True)}
    best = result.strongest.iloc[0]
    value = str(sentences.HEAD.value)
    return value if value in names else f"{int(best['layer'])}.{int(best['head'])}"


def _attention(answer: Answer[Components], head: str, word: str) -> dict[str, list[str]]:
    """Return the parameters that show a head on Attention: same sentence, from this position to the changed word."""
    shared = {field.key for field in page.COMMON}
    common = {key: parts for key, parts in state.link("", page.COMMON).items() if key in shared}
    runs, asked = answer.value.runs, answer.query
    changed = [runs.other_words[number] for number in runs.changed][:1]
    given = {
        "attention_text": [asked["second_text"] or asked["text"]],
        "attention_control": [asked["text"] if asked["second_text"] else ""],
        "attention_edits": ["\n".join(asked["edits"])],
        "attention_heads": [head],
        "attention_from": [word],
        "attention_to": changed,
    }
    return common | given
