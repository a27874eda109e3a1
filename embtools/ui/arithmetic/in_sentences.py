"""An analogy with words in sentences, such as king − man + woman, in a text or a folder, and over many choices."""

from contextlib import suppress
from typing import Any

import streamlit as st

from embtools.charts import corpus as charts
from embtools.corpus import choices, search
from embtools.corpus import occurrence_analogies as numbers
from embtools.corpus.analogy_results import Analogy, Choices
from embtools.corpus.choices import all_choices
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.rooms.question import Ask
from embtools.ui import captions, entry, figures, folders, long_work, options, page, running, shown, state
from embtools.ui.arithmetic import expected_word
from embtools.ui.arithmetic.expected_word import EXPECTED
from embtools.ui.arithmetic.formula import FORMULA
from embtools.ui.call import Call
from embtools.ui.corpora import lists, source, whole_corpus, words
from embtools.ui.fields import Flag, Number
from embtools.ui.shown import Model, Models
from embtools.ui.texts import plain

PICKS = tuple(Number(f"arithmetic_pick_{name}", 0, 0, 50_000, 1) for name in "abc")
KEPT = Flag("arithmetic_kept")
FIELDS = (*source.FIELDS, *PICKS, KEPT, source.COMBINATION, *source.PROCESSED.fields)
ASKED_ABOUT = (*source.FIELDS, *PICKS, source.COMBINATION)
PRESETS: dict[str, dict[str, Any]] = {
    "king − man + woman in sentences": {},
    "One sentence each for king, man and woman": {**{pick.key: 1 for pick in PICKS}, state.OPEN.key: ("picks",)},
    "father − man + woman in sentences": {FORMULA.key: "father - man + woman", EXPECTED.key: "mother"},
    "summer − hot + cold in sentences": {FORMULA.key: "summer - hot + cold", EXPECTED.key: "winter"},
    "In layer 0": {source.COMBINATION.key: "layer 0", KEPT.key: True},
}
_PACE = 250_000_000  # choices × occurrences per second
_EACH = "Each choice takes one [[occurrence]] of each of the three words."
_IN_TEXT = (
    f"{_EACH} If the three words are excluded from the answers, the expected word can be nearest even if the formula"
    " has hardly changed the vector of the first word. The **baseline** shows how often this happens: it uses the word"
    " nearest to each occurrence of the first word, without arithmetic."
)
_IN_FOLDER = (
    f"{_EACH} The answer is the nearest of all occurrences in the folder. The **baseline** takes the occurrence nearest"
    " to that of the first word, without arithmetic."
)
_K = 8  # nearest occurrences that are listed
_FOUR_WORDS = ("headline", "four_words.counts", "four_words.cosines")
_WHOLE = (*_FOUR_WORDS, "near", "ranks")


def examples() -> dict[str, dict[str, Any]]:
    """The built-in analogies whose four words occur in the visitor's text or in a folder."""
    now = {field.key: field.value for field in source.FIELDS}
    return {
        f"{a} − {b} + {c}": {**now, FORMULA.key: f"{a} - {b} + {c}", EXPECTED.key: expected}
        for a, b, c, expected in words.formulas(source.corpus_in_use())
    }


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    picked = (captions.changed(f"sentence of word {name}", pick) for name, pick in zip("abc", PICKS, strict=True))
    return source.caption(FORMULA, captions.Setting("expected word", EXPECTED), *picked)


def show(models: Models) -> None:
    """Draw the fields; for each model the answers, and how often the expected word ranks 1st over many choices."""
    source.show()
    corpus = source.corpus_in_use()
    if corpus is None:
        return
    models = folders.models_of(corpus, models)
    formula, expected = st.columns([3, 2], gap="small")
    with formula:
        entry.text_input("Formula", on_change=_reset, **FORMULA.widget)
    with expected:
        expected_word.field(FORMULA.value)
    problems = st.container()
    _picks(corpus, models)

    alone = len(models) == 1
    left, right = st.columns([6, 5], gap="medium") if alone else (st.container(), st.container())
    with left, st.container(key="hero"):
        source.badge()
        answers = _asked(corpus, models, problems)
        if answers and not alone:
            st.toggle("Include the three words in the answers", **KEPT.widget)
        for container in running.containers(answers):
            with container as answer:
                _answers(answer.value, alone=alone)
    if not answers or answers[0].stale:
        _suggestions(corpus, problems)
    if answers:
        with right:
            _choices(answers, models)


def question(models: Models) -> Ask:
    """Ask a class about the word of the nearest occurrence. Raises ValueError while only four words have been read."""
    corpus = source.corpus_in_use()
    if corpus is None:
        raise ValueError("The folder cannot be opened. Choose another text.")
    query = _whole(corpus, models, models[0])
    if not (running.known(query, models[0]) or whole_corpus.is_read(query, models[0])):
        raise ValueError("The text has not been read yet. Read it first, then ask.")
    found: Analogy = running.run(query, models[0])
    return found.question


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
        inputs=KEPT.value,
        space=source.space_of(corpus),
    )


def _whole(corpus: Corpus | CorpusFolder, models: Models, model: Model) -> Call:
    """The query of the fields. Raises ValueError for a formula of another form."""
    picks = tuple(int(pick.value) for pick in PICKS)
    layers = source.combination_of(corpus, models, model)
    return _query(corpus, FORMULA.value, expected_word.wanted(FORMULA.value), picks, layers)


def _asked(corpus: Corpus | CorpusFolder, models: Models, problems: Any) -> tuple[running.Answer[Analogy], ...]:
    """The ranks among all occurrences, at once if this is quick; otherwise a button, and what the four words show."""

    def whole(model: Model) -> Call:
        return _whole(corpus, models, model)

    def four_words(model: Model) -> Call:
        return whole(model).but(whole=False)

    def first(model: Model) -> Call:
        built_in = built_in_corpus()
        layers = source.combination_of(built_in, models, model)
        return _query(built_in, FORMULA.default, expected_word.known(FORMULA.default), (0, 0, 0), layers)

    may_search = True  # without a formula there is an error, which is shown next to the fields
    with suppress(ValueError):
        may_search = _may_search(whole(models[0]), models[0])
    if not may_search and whole_corpus.reads_all(corpus, source.space_of(corpus)):
        return ()
    return running.ask(
        "in_sentences",
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
        used = (*terms, expected_word.wanted(FORMULA.value))
        missing = next((word for word in used if word and not corpus.contains(word)), None)
        if missing is None:
            return

        def replaced(word: str) -> dict[str, Any]:
            if missing not in terms:
                return {EXPECTED.key: word}
            a, b, c = (word if term == missing else term for term in terms)
            same = {EXPECTED.key: used[-1]}  # the answer of a well-known analogy is not that of another formula
            return {FORMULA.key: f"{a} - {b} + {c}", **same, **{pick.key: 0 for pick in PICKS}}

        with problems:
            st.caption(f"Frequent words of the text, to use instead of {plain(missing)}:")
        words.suggestions(corpus, problems, without=used, choosing=replaced)


def _answers(result: Analogy, *, alone: bool) -> None:
    """Draw the headline, the nearest occurrences, and what was compared."""
    shown.headline(result.headline)
    if result.searched:
        if alone:
            st.toggle("Include the three words in the answers", **KEPT.widget)
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
    """Select the mean of all occurrences again, because another formula has other sentences and another answer."""
    state.put({EXPECTED.key: "", **{pick.key: 0 for pick in PICKS}})


def _choices(answers: tuple[running.Answer[Analogy], ...], models: Models) -> None:
    """Draw for each model how often the expected word ranks 1st, and which words do: for all choices in a text, for
    some of them in a folder."""
    first = answers[0].query
    corpus = first["corpus"]
    query = Call(all_choices, **{name: first[name] for name in ("corpus", "words", "expected", "space")})

    def query_of(model: Model) -> Call:
        return query.but(combination=source.combination_answered(answers, models, model))

    every = "other choices" if corpus.is_encoded else "every choice"
    st.subheader(f"Results for {every} of sentences", anchor=False)
    if not _may_begin(query_of(models[0]), models):
        return
    result = running.ask(
        "choices",
        query_of,
        models,
        label=f"Trying {every} of sentences",
        prints=("headline", "shares", "winners"),
    )
    _draw(result, _IN_FOLDER if corpus.is_encoded else _IN_TEXT)


def _may_begin(query: Call, models: Models) -> bool:
    """Whether the choices may be tried now: at once if this is quick, otherwise after a press on a button."""
    corpus, model = query["corpus"], models[0]
    if running.known(query, model):
        return True
    if corpus.is_encoded:
        wait = choices.seconds(corpus, space=query["space"])
        return long_work.requested("corpus-folder-choices", f"Try {choices.DRAWS} choices", wait, query)
    wait = (whole_corpus.reading(query, model) + _seconds(query, model)) * len(models)
    question = corpus, query["words"]
    return wait <= whole_corpus.PATIENT or long_work.requested("corpus-choices", "Try every choice", wait, question)


def _draw(answers: tuple[running.Answer[Choices], ...], caption: str) -> None:
    """Draw the results, except earlier ones. caption: which choices were tried."""
    for container in running.containers([answer for answer in answers if not answer.stale]):
        with container as answer:
            st.text(answer.value.headline)
            figures.show(charts.choices, answer.value, name="corpus-choices")
            page.caption(f"{caption} Many choices share a sentence, so they are not independent trials.")
            table = "Words that rank 1st, as a table"
            figures.as_table(answer.value.winners, f"corpus-winners{shown.suffix()}", table)


def _seconds(query: Call, model: Model) -> float:
    """About how long one model takes for all choices in a text."""
    corpus, combination = query["corpus"], query["combination"]
    total = sum(len(sentence.split()) for sentence in corpus.sentences)
    for word in query["words"]:
        total *= int(running.run(Call(search.count, corpus=corpus, word=word, combination=combination), model))
    return min(total, choices.MAX_SCORES) / _PACE
