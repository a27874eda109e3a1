"""Arithmetic with words in sentences, such as king − man + woman."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.corpus import analogy as numbers
from embtools.corpus import search, verdict
from embtools.corpus.analogy import Analogy
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.encoding import encoded
from embtools.spaces.space import Space
from embtools.ui import cached, figures, jobs, options, running, spaces, state, texts
from embtools.ui.corpus import choices, lists, source, stored_analogy, words
from embtools.ui.fields import Flag, Number, Text
from embtools.ui.share import Code
from embtools.ui.texts import plain

TAB = "King − man + woman"
FORMULA = Text("corpus_formula", "king - man + woman", 200)
EXPECTED = Text("corpus_expected", "queen", 100)
PICKS = tuple(Number(f"corpus_pick_{name}", 0, 0, 50_000, 1) for name in "abc")
INPUTS = Flag("corpus_inputs")
FIELDS = (FORMULA, EXPECTED, *PICKS, INPUTS, source.RECIPE, *source.PROCESSED.fields)
PRESETS: dict[str, dict[str, Any]] = {
    "king − man + woman": {},
    "One sentence each for king, man and woman": {**{pick.key: 1 for pick in PICKS}, state.OPEN.key: ("picks",)},
    "father − man + woman": {FORMULA.key: "father - man + woman", EXPECTED.key: "mother"},
    "summer − hot + cold": {FORMULA.key: "summer - hot + cold", EXPECTED.key: "winter"},
    "In layer 0": {source.RECIPE.key: "layer 0", INPUTS.key: True},
}
_PACE = 250_000_000  # choices × occurrences per second


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text, the built-in analogies whose four words occur in it."""
    if source.is_built_in():
        return PRESETS
    return {
        f"{a} − {b} + {c}": {FORMULA.key: f"{a} - {b} + {c}", EXPECTED.key: expected}
        for a, b, c, expected in words.formulas(source.current())
    }


def answered(
    text: Corpus,
    formula: str,
    expected: str,
    recipe: str,
    picks: tuple[int, int, int],
    inputs: bool,
    space: Space,
    **named: Any,
) -> Analogy:
    """The answers to a formula in a text."""
    words = numbers.terms(formula)
    return numbers.analogy(
        text,
        words=words,
        expected=expected,
        recipe=recipe,
        numbers=picks,
        k=choices.K,
        inputs=inputs,
        space=space,
        **named,
    )


def show(model: str, code: Code) -> None:
    """Show the fields, the answers, and how often the expected word ranks 1st over all choices of sentences."""
    if source.is_folder():
        if folder := source.folder():
            stored_analogy.show(model, code, folder, (FORMULA, EXPECTED, PICKS, INPUTS))
        return
    text = source.chosen()
    formula, expected = st.columns([3, 2], gap="small")
    with formula:
        st.text_input("Formula", max_chars=FORMULA.most, on_change=choices.reset, args=(PICKS,), **FORMULA.widget)
    with expected:
        st.text_input("Expected word", max_chars=EXPECTED.most, **EXPECTED.widget)
    place = st.container()
    recipe, picks = _picks(model, text)
    space = source.PROCESSED.value
    query = (text, FORMULA.value, EXPECTED.value.strip(), recipe, picks, INPUTS.value, space)
    first = (built_in_corpus(), FORMULA.default, EXPECTED.default, recipe, (0, 0, 0), INPUTS.value, space)
    with place:
        if not source.may_read("corpus-analogy-text", model, text, recipe):
            return
        answer = _ask(model, query, first, place)
    if answer is None:
        return
    shown, written, target, of, chosen, inputs, space = answer.asked
    words = numbers.terms(written)
    result = answer.value
    with jobs.results(answer, "corpus-analogy", f"{written} = {target}"):
        left, right = st.columns([6, 5], gap="medium")
        with left, st.container(key="hero"):
            st.header(texts.plain(verdict.of_analogy(result, words, target)), anchor=False)
            source.badge()
            st.toggle("Include the three words in the answers", **INPUTS.widget)
            lists.show(result.near)
            figures.folded(result.near, "corpus-analogy-near")
            figures.folded(result.ranks, "corpus-analogy-ranks")
        with right:
            more = _choices(model, shown, words, target, of, space)
    named = f"numbers={chosen!r}, k={choices.K}, inputs={inputs!r}{spaces.option(space)}"
    code.add(
        "analogy",
        source.code(shown) if shown is text else "corpus = built_in_corpus()",
        f"words, expected = {words!r}, {target!r}",
        f"answers = analogy(corpus, model, words=words, expected=expected, recipe={of!r}, {named})",
        "print(verdict.of_analogy(answers, words, expected), answers.near, answers.ranks, sep='\\n')",
        *more,
    )


def _ask(model: str, query: tuple[Any, ...], first: tuple[Any, ...], place: Any) -> jobs.Answer[Analogy] | None:
    """The answer; if reading the text was stopped, the first example is not computed in its place."""
    loaded = cached.model(model)
    fallback = first if encoded(first[0], loaded, recipe=first[3]) else query
    return jobs.ask("corpus-analogy", answered, model, query, fallback, label="Reading the whole text", place=place)


def _picks(model: str, text: Corpus) -> tuple[str, tuple[int, int, int]]:
    """The layer combination, and which occurrence of each word is used (0: the mean of all)."""
    recipe = source.recipe(model)
    words: tuple[str, ...] = ()
    with suppress(ValueError):
        words = numbers.terms(FORMULA.value)
    known = [_contexts(model, text, word, recipe) for word in words]
    for pick, sentences in zip(PICKS, known, strict=False):
        if pick.value > len(sentences):
            pick.mend(0)
    fold = state.fold("picks", f"{choices.picks_label(words)}, layers, space", ":material/tune:")
    if fold.open:
        with fold:
            columns = st.columns(4, gap="small")
            with columns[0]:
                recipe = source.layers(model)
                source.space()
            for column, word, pick, sentences in zip(columns[1:], words, PICKS, known, strict=False):
                named = {0: f"mean of all {len(sentences)} sentences"} | {
                    n: f"{n} · {t}" for n, t in enumerate(sentences, 1)
                }
                with column:
                    options.choose(st.selectbox, plain(word), pick.key, named, pick.value)
    a, b, c = (int(pick.value) for pick in PICKS)
    return recipe, (a, b, c)


def _contexts(model: str, text: Corpus, word: str, recipe: str) -> list[str]:
    """The sentences that contain a word; none if it does not occur in the text."""
    try:
        return list(cached.compute(search.contexts, model, text, word, recipe)["text"])
    except ValueError:
        return []


def _choices(
    model: str, text: Corpus, words: tuple[str, str, str], expected: str, recipe: str, space: Space
) -> list[str]:
    """Show the results for all choices of occurrences; returns lines of Python."""
    st.subheader("Results for every choice of sentences", anchor=False)
    try:
        counts = [len(cached.compute(search.contexts, model, text, word, recipe)) for word in words]
        total = counts[0] * counts[1] * counts[2] * sum(len(s.split()) for s in text.sentences)
        seconds = min(total, numbers.MAX_SCORES) / _PACE
        if seconds > source.PATIENT and not running.requested(
            "corpus-choices", "Try every choice", seconds, (text, words)
        ):
            return []
        result = jobs.run(
            "corpus-choices",
            numbers.all_choices,
            model,
            text,
            words,
            expected,
            recipe,
            space=space,
            label="Trying every choice of sentences",
        )
    except ValueError as error:
        texts.problem(error)
        return []
    choices.show(
        result,
        words,
        expected,
        "corpus",
        "Each choice takes one [[occurrence]] of each of the three words. If the three words are excluded from the"
        " answers, even a vector that has hardly moved away from the first word can give the expected word. The"
        " **baseline** measures this: it takes the occurrence nearest to each occurrence of the first word, without"
        " arithmetic.",
    )
    return [
        f"choices = all_choices(corpus, model, words=words, expected=expected,"
        f" recipe={recipe!r}{spaces.option(space)})",
        "print(verdict.of_choices(choices, words, expected), choices.shares, choices.winners, sep='\\n')",
    ]
