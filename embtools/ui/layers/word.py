"""Panel for one word in several sentences: its senses from layer to layer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from embtools.charts import trajectories as charts
from embtools.layers import published
from embtools.layers.comparisons import Comparison
from embtools.layers.verdict import two_words
from embtools.layers.word import Word, one_word
from embtools.statistics.reporting import LEVEL
from embtools.ui import captions, entry, fields, figures, glossary, options, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Number, Numbers
from embtools.ui.layers import senses, sentences
from embtools.ui.layers.sentences import KEEP, LINES, POOLING, TOGETHER, WORD
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import PREVIOUS, Answer
from embtools.ui.shown import Model, Models

TAB = "One word"
USES_EDIT = True
FIELDS = (*sentences.FIELDS, *senses.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "bank": {},
    "The bank robber": {LINES.key: published.BANK_LINE, state.OPEN.key: ("segments",)},
    **{word: {WORD.key: word, LINES.key: sentences.eight_sentences(word)} for word in ("rock", "bat", "spring")},
}
_NAME = "trajectories"
_SCRIPT = (Path(__file__).parent / "player.js").read_text(encoding="utf-8")
_STILL = "player-still"
FIRST = Call(one_word, word=WORD.default, lines=fields.lines(LINES.default))
_PRINTS = (
    "headline", "test_caption", "moving.points", "moving.layers", "pair_lines", "comparison.tokens",
    "comparison.shapes", "concatenated",
)  # fmt: skip


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        sentences.WORD,
        sentences.LINES,
        captions.Setting("pooling", sentences.POOLING),
        captions.Setting("layer combination", sentences.COMBINATION),
    )


@state.fragment
def show(models: Models) -> None:
    """Draw the sentences and the moving points; below, tabs with pairs and layer combinations, and expanders."""
    if len(models) == 1:
        left, right = st.columns([2, 3], gap="medium")
    else:
        left, right = st.container(), st.container()
    with left:
        answers = _fields(models)
    if not answers:
        return
    results = [answer.value for answer in answers]
    with right:
        running.say(two_words, answers, parts="layers")
        running.token_differences(answers, (results[0].reading.word,))
        for container in running.containers([_about(answer) for answer in answers]):
            with container as answer, st.container(key=f"hero{shown.suffix()}"):
                shown.headline(answer.value.headline)
                _moving(answer.value, results)
    with left if len(models) == 1 else st.container():
        if len(models) > 1:
            _senses(results[0])
        for container in running.containers(answers, part="sentences"):
            with container as answer:
                sentences.show(answer.value)
                if len(models) == 1:
                    _senses(answer.value)
                page.caption(_moving_caption(answer.value))
                if (pieces := answer.value.comparison.occurrences["pieces"].max()) > 1:
                    text = f"{pieces} tokens: the first token and the mean differ"
                    st.badge(text, icon=":material/token:", color="orange")
        _vectors(results[0].comparison)
    senses.show(answers, models)


def _moving(result: Word, results: Sequence[Word]) -> None:
    """Draw the moving points, on the same scale for all `results`."""
    moving = result.moving
    field = sentences.OTHER_LAYER if shown.suffix() else sentences.LAYER
    last = int(moving.layers["layer"].max())
    figures.show(
        charts.trajectories,
        moving,
        int(field.value) if 0 <= field.value <= last else last,
        animated=not _still(f"{_NAME}{shown.suffix()}", field),
        span=max(charts.span(each.moving.points) for each in results) if len(results) > 1 else 0.0,
        name=_NAME,
    )
    if shown.suffix():
        page.caption("Both have their own planes, drawn on the same scale. The values of the [[AUC]] can be compared.")


def _moving_caption(result: Word) -> str:
    """Return what the points show, and how the headline was tested."""
    moving = result.moving
    text = (
        "Each point is an occurrence of the word. Points that are close together have similar [[hidden state|vectors]]."
        " Press ▶ or move the slider to go through the [[layer|layers]]. All layers share one plane ([[PCA]]). The"
        " dotted line shows how much of the variance the plane keeps."
    )
    if moving.layers["auc"].notna().any():
        text += (
            " The solid line is the [[AUC]], which measures how well the full vectors separate the [[sense|senses]];"
            " 0.5 is chance."
        )
    return f"{text} {result.test_caption}".strip()


def _still(chart: str, layer: Number) -> bool:
    """Whether the visitor prefers reduced motion; also keeps `layer` in step with the slider of the chart."""
    _watch(chart, layer)
    return bool(st.session_state.get(_STILL))


@state.fragment
def _watch(chart: str, layer: Number) -> None:
    # A fragment, so that moving the slider only updates the address and redraws nothing.
    key = f"player-{chart}"

    def moved() -> None:
        value = st.session_state[key].layer
        if value is not None:
            state.put({layer.key: layer.read([str(value)])})

    known = bool(st.session_state.get(_STILL))
    component = st.components.v2.component("player", html="<span></span>", js=_SCRIPT)
    data = {"chart": chart, "still": known}
    reported = component(key=key, data=data, on_layer_change=moved, on_still_change=lambda: None)
    if reported.still is not None and reported.still != known:
        st.session_state[_STILL] = reported.still
        st.rerun()


def _about(answer: Answer[Word]) -> Answer[Word]:
    """Return the answer; if it is about another word than the typed one it is stale, and names that word."""
    reading = answer.value.reading
    if not reading.problem:
        return answer
    return replace(answer, stale=PREVIOUS, query=answer.query.but(word=f"“{reading.word}”. {reading.problem}"))


def _fields(models: Models) -> tuple[Answer[Word], ...]:
    """Draw the fields, error messages and skipped lines; return the answers."""
    word, chooser = st.columns([1, 2], gap="small")
    with word:
        entry.text_input("Word", on_change=_typed, **WORD.widget)
    with chooser:
        _chooser()
    problems = st.container()
    with figures.expander("sentences", "Write your own sentences", ":material/edit:") as opened:
        if opened:
            entry.text_area(
                "Sentences (one per line)",
                height=230,
                help="You can write the sense in front of a sentence: money | He robbed the bank. If a sentence"
                " contains the word several times, write one sense for each: money, river | The bank stood on the"
                " river bank.",
                **LINES.widget,
            )
    answers = running.ask(
        "word", _query, models, FIRST, label="Reading the sentences", container=problems, prints=_PRINTS
    )
    if not answers:
        return ()
    first, reading = answers[0], answers[0].value.reading
    with problems:
        if first.stale:
            sentences.offers(first.model)
        elif reading.problem:
            sentences.instead(first.model, reading)
    if not first.stale:
        sentences.skipped(reading)
    return answers


def _query(_: Model) -> Call:
    return Call(
        one_word,
        word=WORD.value,
        lines=fields.lines(LINES.value),
        pooling=POOLING.value,
        keep=tuple(KEEP.value),
        together=tuple(TOGETHER.value),
    )


def _typed() -> None:
    """Load the sentences of one of the fifty words, unless the visitor has written sentences."""
    word = WORD.value.strip().lower()
    if word in sentences.fifty() and sentences.has_built_in_lines():
        lines = sentences.eight_sentences(word)
        state.put({WORD.key: word, LINES.key: lines, KEEP.key: (), TOGETHER.key: ()})


def _chooser() -> None:
    """Show the choice of the fifty words, with the current word while its sentences are unchanged."""
    key, word = "layers_choice", WORD.value
    known = word in sentences.fifty() and LINES.value == sentences.eight_sentences(word)
    st.session_state[key] = word if known else None

    def choose() -> None:
        if chosen := st.session_state[key]:
            state.put(sentences.chosen(chosen))

    st.selectbox(
        "Fifty words with two senses",
        sentences.fifty(),
        None,
        key=key,
        placeholder="Your own sentences",
        on_change=choose,
    )


def _senses(result: Word) -> None:
    """Draw the choice of the occurrences of one sense, if no senses are written in the sentences."""
    if not result.has_senses:
        _pick("Occurrences of one sense (the others count as another sense)", result.comparison, TOGETHER)


def _vectors(comparison: Comparison) -> None:
    """Draw the fields for the pooling and for the occurrences to compare."""
    with figures.expander("vectors", "Advanced settings", ":material/tune:") as opened:
        if opened:
            st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)
            _pick("Occurrences to compare (leave empty for all)", comparison, KEEP)
            if len(KEEP.value) == 1:
                st.caption("A comparison needs two occurrences. All are shown until you select another one.")


def _pick(label: str, comparison: Comparison, field: Numbers) -> None:
    """Show a pill for each occurrence, with its number and context."""
    table = comparison.occurrences
    names = {n: f"{n} {context}" for n, context in zip(table["occurrence"], table["context"], strict=True)}
    if not set(field.value) <= set(names):  # shorter sentences can have fewer occurrences than were selected
        state.put({field.key: [n for n in field.value if n in names]})
    labels = {n: texts.plain(name) for n, name in names.items()}
    options.choose(st.pills, label, field.key, labels, field.value, selection_mode="multi", wrap=True)


def _clear(found: Word) -> bool:
    if found.moving.test is None:
        raise ValueError("There are no two senses to compare.")
    return found.moving.test.p < LEVEL


READINGS = {
    "clear": Reading(_query, "Whether the separation of the senses is clearly better than chance", "yes or no", _clear),
    "input": Reading(
        _query, "Separation of the senses (AUC) in layer 0", "number", lambda found: found.layers["auc"].iloc[0]
    ),
    "best": Reading(
        _query, "Highest separation of the senses (AUC)", "number", lambda found: found.layers["auc"].iloc[1:].max()
    ),
}
