"""Panel for arithmetic with words in sentences, such as king − man + woman, in a text or a folder."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.corpus import occurrence_analogies as numbers
from embtools.corpus import search
from embtools.corpus.analogy_results import Analogy
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.ui import captions, entry, figures, folders, options, running, shown, state
from embtools.ui.call import Call
from embtools.ui.corpora import lists, source, whole_corpus, words
from embtools.ui.corpus import choices
from embtools.ui.fields import Flag, Number, Text
from embtools.ui.shown import Model, Models
from embtools.ui.texts import plain

TAB = "King − man + woman"
FORMULA = Text("corpus_formula", "king - man + woman", 200)
EXPECTED = Text("corpus_expected", "queen", 100)
PICKS = tuple(Number(f"corpus_pick_{name}", 0, 0, 50_000, 1) for name in "abc")
INPUTS = Flag("corpus_inputs")
FIELDS = (FORMULA, EXPECTED, *PICKS, INPUTS, source.COMBINATION, *source.PROCESSED.fields)
PRESETS: dict[str, dict[str, Any]] = {
    "king − man + woman": {},
    "One sentence each for king, man and woman": {**{pick.key: 1 for pick in PICKS}, state.OPEN.key: ("picks",)},
    "father − man + woman": {FORMULA.key: "father - man + woman", EXPECTED.key: "mother"},
    "summer − hot + cold": {FORMULA.key: "summer - hot + cold", EXPECTED.key: "winter"},
    "In layer 0": {source.COMBINATION.key: "layer 0", INPUTS.key: True},
}
_K = 8  # nearest occurrences that are listed
_FOUR_WORDS = ("headline", "four_words.counts", "four_words.cosines")
_WHOLE = (*_FOUR_WORDS, "near", "ranks")


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text, the built-in analogies whose four words occur in it."""
    if source.is_built_in():
        return PRESETS
    return {
        f"{a} − {b} + {c}": {FORMULA.key: f"{a} - {b} + {c}", EXPECTED.key: expected}
        for a, b, c, expected in words.formulas(source.current())
    }


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    picked = (captions.changed(f"sentence of word {name}", pick) for name, pick in zip("abc", PICKS, strict=True))
    return source.caption(FORMULA, captions.Setting("expected word", EXPECTED), *picked)


def show(models: Models) -> None:
    """Draw the fields; for each model the answers, and how often the expected word ranks 1st over many choices."""
    corpus = source.corpus_in_use()
    if corpus is None:
        return
    models = folders.models_of(corpus, models)
    formula, expected = st.columns([3, 2], gap="small")
    with formula:
        entry.text_input("Formula", on_change=_reset, **FORMULA.widget)
    with expected:
        entry.text_input("Expected word", **EXPECTED.widget)
    problems = st.container()
    _picks(corpus, models)

    alone = len(models) == 1
    left, right = st.columns([6, 5], gap="medium") if alone else (st.container(), st.container())
    with left, st.container(key="hero"):
        source.badge()
        answers = _asked(corpus, models, problems)
        if answers and not alone:
            st.toggle("Include the three words in the answers", **INPUTS.widget)
        for container in running.containers(answers):
            with container as answer:
                _answers(answer.value, alone=alone)
    if not answers or answers[0].stale:
        _suggestions(corpus, problems)
    if answers:
        with right:
            choices.show(answers, models)


def _query(
    corpus: Corpus | CorpusFolder, formula: str, expected: str, picks: tuple[int, ...], combination: str
) -> Call:
    """The query for the ranks among all occurrences."""
    return Call(
        numbers.analogy,
        corpus=corpus,
        words=numbers.terms(formula),
        expected=expected,
        combination=combination,
        numbers=picks,
        k=_K,
        inputs=INPUTS.value,
        space=source.space_of(corpus),
    )


def _asked(corpus: Corpus | CorpusFolder, models: Models, problems: Any) -> tuple[running.Answer[Analogy], ...]:
    """The ranks among all occurrences, at once if this is quick. Otherwise a button, and what the four words show.

    After an error, the built-in corpus is only used as an example if it has been read.
    """

    def whole(model: Model) -> Call:
        picks = tuple(int(pick.value) for pick in PICKS)
        layers = source.combination_of(corpus, models, model)
        return _query(corpus, FORMULA.value, EXPECTED.value.strip(), picks, layers)

    def four_words(model: Model) -> Call:
        return whole(model).but(whole=False)

    def first(model: Model) -> Call:
        built_in = built_in_corpus()
        layers = source.combination_of(built_in, models, model)
        return _query(built_in, FORMULA.default, EXPECTED.default, (0, 0, 0), layers)

    may_search = True  # without a formula there is an error, which is shown next to the fields
    with suppress(ValueError):
        may_search = _may_search(whole(models[0]), models[0])
    if not may_search and whole_corpus.reads_all(corpus, source.space_of(corpus)):
        return ()
    return running.ask(
        "analogies",
        whole if may_search else four_words,
        models,
        first if whole_corpus.is_read(first(models[0]), models[0]) else None,
        label="Searching all occurrences" if corpus.is_encoded else "Reading the whole text",
        container=problems,
        within={"corpus": corpus},
        prints=_WHOLE if may_search else _FOUR_WORDS,
    )


def _may_search(query: Call, model: Model) -> bool:
    """Whether all occurrences may be ranked now: at once if this is quick, otherwise after a press on a button."""
    if query["corpus"].is_encoded:
        return whole_corpus.may_search("corpus-rank-all", query, model, button="Rank among all")
    return whole_corpus.may_search("corpus-analogy-text", query, model)


def _suggestions(corpus: Corpus | CorpusFolder, problems: Any) -> None:
    """If a word of the formula, or the expected word, is not in the text, offer words of the text in its place."""
    with suppress(ValueError):  # not a formula, which is shown next to its field
        terms = numbers.terms(FORMULA.value)
        used = (*terms, EXPECTED.value.strip())
        missing = next((word for word in used if word and not corpus.contains(word)), None)
        if missing is None:
            return

        def replaced(word: str) -> dict[str, Any]:
            if missing not in terms:
                return {EXPECTED.key: word}
            a, b, c = (word if term == missing else term for term in terms)
            return {FORMULA.key: f"{a} - {b} + {c}", **{pick.key: 0 for pick in PICKS}}

        with problems:
            st.caption(f"Frequent words of the text, to use instead of {plain(missing)}:")
        words.suggestions(corpus, problems, without=used, choosing=replaced)


def _answers(result: Analogy, *, alone: bool) -> None:
    """Draw the headline, the nearest occurrences, and what was compared."""
    shown.headline(result.headline)
    if result.searched:
        if alone:
            st.toggle("Include the three words in the answers", **INPUTS.widget)
        lists.show(result.near)
    st.caption(plain(result.compared))
    end = shown.suffix()
    if result.searched:
        figures.as_table(result.near, f"corpus-analogy-near{end}", title="Occurrences nearest to the result")
        figures.as_table(result.ranks, f"corpus-analogy-ranks{end}", "Ranks, as a table")
    table = "Cosines of the expected word, as a table"
    figures.as_table(result.four_words.cosines, f"corpus-analogy-cosines{end}", table)
    figures.as_table(result.four_words.counts, f"corpus-analogy-words{end}", "Counts of the four words, as a table")


def _picks(corpus: Corpus | CorpusFolder, models: Models) -> None:
    """The layer combination, the space, and which occurrence of each word is used (0: the mean of all)."""
    terms: tuple[str, ...] = ()
    with suppress(ValueError):  # shown next to the field
        terms = numbers.terms(FORMULA.value)
    combination, counts = source.combination_of(corpus, models, models[0]), []
    for word, pick in zip(terms, PICKS, strict=False):
        counts.append(0)
        with suppress(ValueError):  # shown by the search
            counts[-1] = running.run(Call(search.count, corpus=corpus, word=word, combination=combination), models[0])
        if pick.value > counts[-1]:
            pick.correct(0)
    named = f"Sentences for {', '.join(map(plain, terms))}" if terms else "Sentences for the three words"
    label = f"{named}, layers, space" if corpus.any_layers else f"{named}, space"
    with figures.expander("picks", label, ":material/tune:") as opened:
        if opened:
            columns = st.columns(4, gap="small")
            with columns[0]:
                source.combination(corpus, models)
                source.space()
            for column, word, pick, count in zip(columns[1:], terms, PICKS, counts, strict=False):
                with column:
                    _pick(corpus, word, pick, count, combination, models[0])


def _pick(corpus: Corpus | CorpusFolder, word: str, pick: Number, count: int, combination: str, model: Model) -> None:
    """The field for the occurrence of a word: by its sentence if all are listed, otherwise by its number."""
    if not corpus.lists_all:
        label = f"{plain(word)}: 1 to {count:,}, or 0 for the mean"
        entry.number_input(label, **pick.widget | {"max_value": min(count, int(pick.high))})
        return
    sentences = []
    if count:
        query = Call(search.contexts, corpus=corpus, word=word, combination=combination)
        sentences = running.run(query, model)["text"].tolist()
    named = {0: f"mean of all {count} sentences"} | {n: f"{n} · {text}" for n, text in enumerate(sentences, 1)}
    options.choose(st.selectbox, plain(word), pick.key, named, pick.value)


def _reset() -> None:
    """Select the mean of all occurrences again, because another formula has other sentences."""
    state.put({pick.key: 0 for pick in PICKS})
