"""One word in several sentences: its senses from layer to layer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from embtools.layers import published, verdict
from embtools.layers.comparisons import Comparison
from embtools.ui import cached, fields, glossary, jobs, options, page, state, texts
from embtools.ui.compare import Beside
from embtools.ui.fields import Numbers
from embtools.ui.layers import asking, details, sentences, trajectories
from embtools.ui.layers.asking import Compared, Picked
from embtools.ui.share import Code

TAB = "One word"
COMPARES = True
FIELDS = (*asking.FIELDS, *details.FIELDS)
PRESETS: dict[str, dict[str, Any]] = {
    "bank": {},
    "The bank robber": {asking.LINES.key: published.BANK_LINE, state.OPEN.key: ("segments",)},
    **{
        word: {asking.WORD.key: word, asking.LINES.key: asking.eight_sentences(word)}
        for word in ("rock", "bat", "spring")
    },
}


@state.fragment
def show(model: str, code: Code) -> None:
    """Show the sentences and the moving points; below, tabs with pairs and layer combinations, and expanders."""
    bar = st.container()
    beside = Beside(model, code, [2, 3], more="The sentences", detail_first=True)
    with bar if beside.other else beside.detail:
        answer = _fields(model)
    if answer is None:
        return
    result, query = answer.value, (model, *answer.asked)
    # The result is also dimmed if it is about another word than the typed one.
    shown = replace(answer, stale=answer.stale or bool(result.reading.problem))
    with beside.detail, _dimmed(answer, "sentences"):
        list_container = st.container()
        if (result.comparison.occurrences["sense"] == "").all():
            _pick("Occurrences of one sense (the others count as another sense)", result.comparison, asking.TOGETHER)
        note = st.container()
        if (pieces := result.comparison.occurrences["pieces"].max()) > 1:
            st.badge(f"{pieces} tokens: the first token and the mean differ", icon=":material/token:", color="orange")
        _vectors(result.comparison)
        picked = asking.picked(result.comparison)
        with list_container:
            sentences.show(result, picked)
    view = cached.derive(trajectories.view, result.comparison, query, result.reading.word, picked)
    with note:
        page.seen(view.caption)
    described = f"{result.reading.word}: {result.reading.lines[0][:100]} …"
    if result.reading.problem:
        described = f"“{result.reading.word}”. {result.reading.problem}"
    code.add("word", *_code(result, picked))
    with beside.above:
        beside.finding(view.headline)

    def draw(again: trajectories.View | None) -> None:
        with st.container(key="hero"), jobs.results(shown, "layers-word", described):
            trajectories.show(view, asking.layer(result.comparison), beside, again)

    second = _second(answer, beside, lambda: draw(None))
    again = _compared(second, answer, view, beside) if second else None
    with beside.first:
        draw(again)
    with _dimmed(answer, "details"):
        details.show(model, result, query, picked, code, beside, second.comparison if second else None)


def _second(answer: jobs.Answer[Compared], beside: Beside, meanwhile: Callable[[], None]) -> Compared | None:
    """The same sentences in the second model."""
    return beside.ask(
        "layers-word",
        asking.compared,
        lambda name: answer.asked,
        label="Reading the sentences",
        words=lambda name: (answer.value.reading.word,),
        mends=asking.WORD,
        meanwhile=meanwhile,
    )


def _compared(
    result: Compared, answer: jobs.Answer[Compared], first: trajectories.View, beside: Beside
) -> trajectories.View:
    """Show the points of the second model, and which layer of each model is the best."""
    picked, word = asking.picked(result.comparison), result.reading.word
    key = (beside.other, *answer.asked)
    view = cached.derive(trajectories.view, result.comparison, key, word, picked)
    names = (beside.title, beside.other_title)
    beside.say(verdict.two_models(first.moving.layers, view.moving.layers, names))
    beside.finding(view.headline, second=True)
    with beside.second, st.container(key="fresh-layers-second"):
        trajectories.show_second(view, asking.layer(result.comparison, asking.OTHER_LAYER), beside, first)
    compared = asking.code(result.reading, result.comparison, lines="other_lines", model="other")
    beside.code(
        f"other_lines = {list(result.reading.lines)!r}",
        f"other_result = {compared}",
        "other_moving = trajectories.trajectories(other_result, pooling, keep)",
        f"print(verdict.finding(other_moving, {word!r}), other_moving.test)",
        "print(other_moving.points, other_moving.layers, sep='\\n')",
        f"print(verdict.two_models(moving.layers, other_moving.layers, {names!r}))",
        "other_scores = senses.separation(other_result, keep)",
        "print(senses.pair_lines(other_result, pooling, keep), other_scores, sep='\\n')",
        f"other_recipe = {details.recipe(result.comparison)!r}",
        "print(senses.pair_cosines(other_result, other_recipe, pooling, keep))",
        "print(senses.splits_as_good(other_result, other_recipe, pooling, keep))",
        f"print(verdict.two_recipes(scores, other_scores, {names!r}))",
    )
    return view


def _dimmed(answer: jobs.Answer[Compared], name: str) -> Any:
    """A container for other parts of an answer, dimmed together with it."""
    return st.container(key=f"{'stale' if answer.stale else 'fresh'}-layers-{name}")


def _fields(model: str) -> jobs.Answer[Compared] | None:
    """Show the fields, error messages and skipped lines; returns the answer."""
    word, chooser = st.columns([1, 2], gap="small")
    with word:
        st.text_input("Word", on_change=_typed, **asking.WORD.widget)
    with chooser:
        _chooser()
    problems = st.container()
    fold = state.fold("sentences", "Write your own sentences", ":material/edit:")
    if fold.open:
        with fold:
            st.text_area(
                "Sentences (one per line)",
                height=230,
                help="You can write the sense in front of a sentence: money | He robbed the bank. If a sentence"
                " contains the word several times, write one sense for each: money, river | The bank stood on the"
                " river bank.",
                **asking.LINES.widget,
            )
    answer = jobs.ask(
        "layers-word",
        asking.compared,
        model,
        (asking.WORD.value, fields.lines(asking.LINES.value)),
        asking.FIRST,
        label="Reading the sentences",
        place=problems,
    )
    if answer is None:
        return None
    with problems:
        if answer.stale:
            sentences.offers(model)
        elif answer.value.reading.problem:
            sentences.instead(model, answer.value.reading)
    if not answer.stale:
        sentences.skipped(answer.value.reading)
    return answer


def _typed() -> None:
    """Load the sentences of one of the fifty words, unless the visitor has written sentences."""
    word = asking.WORD.value.strip().lower()
    if word in asking.fifty() and asking.has_built_in_lines():
        lines = asking.eight_sentences(word)
        state.put({asking.WORD.key: word, asking.LINES.key: lines, asking.KEEP.key: (), asking.TOGETHER.key: ()})


def _chooser() -> None:
    """Show the choice of the fifty words, with the current word while its sentences are unchanged."""
    key, word = "layers_choice", asking.WORD.value
    known = word in asking.fifty() and asking.LINES.value == asking.eight_sentences(word)
    st.session_state[key] = word if known else None

    def choose() -> None:
        if chosen := st.session_state[key]:
            state.put(asking.chosen(chosen))

    st.selectbox(
        "Fifty words with two senses", asking.fifty(), None, key=key, placeholder="Your own sentences", on_change=choose
    )


def _vectors(comparison: Comparison) -> None:
    """Show the fields for the pooling and for the occurrences to compare."""
    fold = state.fold("vectors", "Pooling and occurrences", ":material/tune:")
    if not fold.open:
        return
    with fold:
        st.selectbox("Pooling", help=glossary.definition("pooling"), **asking.POOLING.widget)
        _pick("Occurrences to compare (if none is chosen, all)", comparison, asking.KEEP)
        if len(asking.KEEP.value) == 1:
            st.caption("A comparison needs two occurrences. All are shown until you select another one.")


def _pick(label: str, comparison: Comparison, field: Numbers) -> None:
    """Show a pill for each occurrence, with its number and context."""
    table = comparison.occurrences
    names = {n: f"{n} {context}" for n, context in zip(table["occurrence"], table["context"], strict=True)}
    if not set(field.value) <= set(names):  # shorter sentences can have fewer occurrences than were selected
        state.put({field.key: [n for n in field.value if n in names]})
    labels = {n: texts.plain(name) for n, name in names.items()}
    options.choose(st.pills, label, field.key, labels, field.value, selection_mode="multi", wrap=True)


def _code(result: Compared, picked: Picked) -> list[str]:
    comparison, word = result.comparison, result.reading.word
    return [
        "lines = [",
        *(f"    {line!r}," for line in result.reading.lines),
        "]",
        f"recipe, pooling = {details.recipe(comparison)!r}, {picked.pooling!r}",
        f"keep = {picked.keep!r}",
        f"result = {asking.code(result.reading, comparison)}",
        "moving = trajectories.trajectories(result, pooling, keep)",
        f"print(verdict.finding(moving, {word!r}), verdict.sense_test_caption(moving.test), sep='\\n')",
        "print(moving.points, moving.layers, sep='\\n')",
        "print(senses.pair_lines(result, pooling, keep))",
        "scores, pairs = senses.separation(result, keep), senses.pair_cosines(result, recipe, pooling, keep)",
        "print(scores, pairs, senses.splits_as_good(result, recipe, pooling, keep), sep='\\n')",
        "print(dict(zip(result.recipes, result.sizes)), result.tokens, result.shapes, sep='\\n')",
    ]
