"""Panel for the occurrences nearest to an occurrence of a word, in a text or a folder."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import streamlit as st

from embtools.charts import corpus as charts
from embtools.corpus import search
from embtools.corpus.near_occurrences import Nearest
from embtools.corpus.parts_of_speech import NeighbourParts, effort, neighbour_parts
from embtools.corpus.search import Query, nearest
from embtools.layer_combinations import SUM_FOUR
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS
from embtools.statistics.decimals import decimal
from embtools.ui import captions, entry, figures, folders, long_work, options, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.corpora import lists, source, whole_corpus, words
from embtools.ui.fields import Flag, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Nearest occurrences"
USES_EDIT = True
SENTENCE = Text("corpus_sentence", "", search.MAX_SENTENCE)
OTHERS = Flag("corpus_others")
K = Number("corpus_k", 10, 3, search.MAX_NEIGHBOURS, 1)
FIELDS = (words.WORD, words.NUMBER, SENTENCE, OTHERS, K, source.COMBINATION, *source.PROCESSED.fields)
TYPED = "They sat on the grassy bank and watched the boats go by."
PRESETS: dict[str, dict[str, Any]] = {
    "A river bank": {},
    "A savings bank": {words.NUMBER.key: 1},
    "Words near cold": {words.WORD.key: "cold", words.NUMBER.key: 1, OTHERS.key: True},
    "A letter of the alphabet": {words.WORD.key: "letter", words.NUMBER.key: 1},
    "The match": {words.WORD.key: "match", words.NUMBER.key: 1},
    "Your own sentence": {words.NUMBER.key: 1, SENTENCE.key: TYPED, state.OPEN.key: ("mine",)},
}
FIRST = Call(nearest, corpus=built_in_corpus(), query=Query("bank", 5), combination=SUM_FOUR, whole=False)
_PRINTS = ("headline", "compared", "others", "spread", "near", "static")


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text or folder, some of its words."""
    return PRESETS if source.is_built_in() else words.examples(source.corpus_in_use())


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return source.caption(
        words.WORD, SENTENCE, captions.Setting("occurrence", words.NUMBER), captions.changed("other words only", OTHERS)
    )


def show(models: Models) -> None:
    """Draw the fields and the list of the nearest occurrences; for each model the headline and the chart."""
    corpus = source.corpus_in_use()
    if corpus is None:
        return
    models = folders.models_of(corpus, models)
    alone = len(models) == 1
    left, right = st.columns([5, 6], gap="medium") if alone else (st.container(), st.container())
    with left:
        problems = _fields(corpus, models)
    space, name = source.space_of(corpus), "word" if corpus.any_model else "word-stored"
    query = Call(
        nearest,
        corpus=corpus,
        query=Query(words.WORD.value.strip(), words.NUMBER.value, SENTENCE.value.strip()),
        k=K.value,
        same_word=not OTHERS.value,
        whole=False,  # the word's own occurrences are shown until all are searched, which can take long
        space=space if corpus.is_encoded else AS_IS,
    )

    def query_of(model: Model) -> Call:
        return query.but(combination=source.combination_of(corpus, models, model))

    first = FIRST if corpus.any_model else None
    label = "Reading the sentences with the word"
    result = running.ask(
        name, query_of, models[:1], first, label=label, container=problems, within={"corpus": corpus}, prints=None
    )
    if not result or result[0].stale:
        words.suggestions(corpus, problems)
    if not result:
        return
    stale = result[0].stale
    with right, st.container(key="hero"):
        waiting, badge, hero = st.container(), st.container(), st.empty()
    with left if alone else st.container():
        near = st.empty()

    def own(model: Model) -> Call:  # after an error, the last query that could be answered
        return result[0].query if stale else query_of(model)

    def whole(model: Model) -> Call:
        return own(model).but(whole=True, space=space)

    if not running.known(whole(models[0]), models[0]):
        _results(result, hero, near, "corpus-at-first")
    answers: tuple[running.Answer[Nearest], ...] = ()
    with waiting:
        if whole_corpus.may_search("corpus-whole", whole(models[0]), models[0]):
            label = "Reading the whole text" if corpus.any_model else "Searching all occurrences"
            answers = running.ask("result", whole, models, label=label, prints=_PRINTS)
    if not answers or answers[0].stale:  # it waits for its button, or was stopped
        answers = running.ask("result", own, models, prints=_PRINTS)
    if not answers:
        return
    with badge:
        if corpus.is_encoded or answers[0].value.whole:
            both = " and layer 0" if corpus.any_layers else ""
            source.badge(f"For comparison, static neighbours{both} stay")
    _results([replace(answer, stale=stale) for answer in answers], hero, near, "corpus-nearest")


def _fields(corpus: Corpus | CorpusFolder, models: Models) -> Any:
    """The fields; returns the container for error messages."""
    typed = SENTENCE.value.strip()
    there = Corpus((typed,)) if typed else corpus
    word, number = st.columns([1, 3] if there.lists_all else [1, 1], gap="small")
    with word:
        words.field()
    with number:
        _occurrence(there, source.combination_of(corpus, models, models[0]), models[0])
    problems = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle("Other words only", help="Leaves out other occurrences of the same word.", **OTHERS.widget)
        if typed:
            unselect = {SENTENCE.key: "", words.NUMBER.key: 1}
            st.button(f"Use a sentence of {corpus.where}", on_click=state.put, args=(unselect,))
    label = "Your own sentence, layers, space" if corpus.any_layers else "Your own sentence, space"
    with figures.expander("mine", label, ":material/edit:") as opened:
        if opened:
            entry.text_input(
                "Your own sentence, containing the word",
                placeholder=TYPED,
                on_change=state.put,
                args=({words.NUMBER.key: 1},),
                **SENTENCE.widget,
            )
            layers, count = st.columns(2, gap="small")
            with layers:
                source.combination(corpus, models)
                source.space()
            with count:
                st.slider("Number of neighbours", **K.widget)
    return problems


def _occurrence(corpus: Corpus | CorpusFolder, combination: str, model: Model) -> None:
    """The field that selects an occurrence: by its sentence if all are listed, otherwise by its number."""
    word = words.WORD.value.strip()
    try:
        if not corpus.lists_all:
            _number(int(running.run(Call(search.count, corpus=corpus, word=word), model)))
            return
        contexts = running.run(Call(search.contexts, corpus=corpus, word=word, combination=combination), model)
    except ValueError:  # the error is shown by the search
        if corpus.lists_all:
            st.selectbox("Sentence", (), disabled=True, placeholder="–", key="corpus-no-sentence")
        else:
            _number(1)
        return
    named = {
        n: f"{n} · {'' if not s else f'{s} · '}{_around(t, start)}"
        for n, s, t, start in zip(contexts["rank"], contexts["sense"], contexts["text"], contexts["start"], strict=True)
    }
    if words.NUMBER.value not in named:
        state.put({words.NUMBER.key: 1})
    options.choose(
        st.selectbox, f"Sentence ({len(named):,} with this word)", words.NUMBER.key, named, words.NUMBER.value
    )


def _number(count: int) -> None:
    most = min(max(1, count), int(words.NUMBER.high))
    entry.number_input(f"Occurrence (1 to {max(1, count):,})", **words.NUMBER.widget | {"max_value": most})


def _around(text: str, start: int) -> str:
    return text if start < 60 else f"… {text[start - 50 :]}"


def _results(answers: Any, hero: Any, near: Any, name: str) -> None:
    """Draw a chart and a list per model, the charts in `hero` and the lists in `near`."""
    results = [answer.value for answer in answers]
    with hero.container():
        for container in running.containers(answers):
            with container as answer:
                _picture(answer, results, f"{name}-chart")
    with near.container():
        for container in running.containers(answers, part="more"):
            with container as answer:
                _near(answer.value, f"{name}{shown.suffix()}")
                _parts_of_speech(answer)


def _picture(answer: running.Answer[Nearest], results: Sequence[Nearest], name: str) -> None:
    result, where = answer.value, answer.query["corpus"].where
    shown.headline(result.headline or "Reading the rest of the text …")
    query = result.query.iloc[0]
    sentence = texts.marked(query["text"], query["start"], query["end"], "currentColor")
    st.html(f'<ol class="occurrences"><li>{sentence}</li></ol>')
    clicks = result.lists_all and result.whole and not answer.query["query"].sentence
    options: dict[str, Any] = {"below": lambda: _explained(result, where, clicks=clicks)}
    if clicks:
        options["pick"] = words.pick("number")
    if result.lists_all or len(result.spread):
        figures.show(charts.cosines, result, beside=results, name=name, options=options)
    else:
        _explained(result, where, clicks=False)


def _explained(result: Nearest, where: str, *, clicks: bool) -> None:
    """Explain the chart, and list the words nearest to the word by static embedding."""
    if result.lists_all:
        page.caption(
            "Each mark is an [[occurrence]]. Further right means a higher [[cosine]] with the chosen occurrence."
            + (" Click an occurrence of the same word to choose it." if clicks else "")
        )
    else:
        page.caption(
            "The bars count [[occurrence|occurrences]] of the same word by their [[cosine]] with the chosen one."
            " Further right means more similar."
        )
    if not result.whole:
        return
    rest = result.static[result.static["word"] != result.word]
    page.caption(f"By its [[static embedding]], which is the same in every sentence, the nearest words in {where} are:")
    near = ", ".join(
        f"{escape(word)} {decimal(value)}" for word, value in zip(rest["word"], rest["cosine"], strict=True)
    )
    st.html(f'<p class="seen">{near or "none"}</p>')


def _near(result: Nearest, name: str) -> None:
    """List the nearest occurrences: of all words, or until they are searched, of the word itself."""
    if result.whole and result.near.empty:
        st.text("The text contains no other word.")
    else:
        lists.show(result.near if result.whole else result.others.head(int(K.value)), senses=result.others["sense"])
    st.caption(f"{result.compared} The numbers are cosines.")
    if result.whole:
        figures.as_table(result.near, f"{name}-list", title="Nearest other occurrences")
        figures.as_table(result.static, f"{name}-static", "Static neighbours, as a table")
    if not result.lists_all:
        figures.as_table(result.others, f"{name}-others", "Occurrences of the same word, as a table")


_OF_SEARCH = ("corpus", "query", "combination", "k", "same_word", "space")


def _parts_of_speech(answer: Answer[Nearest]) -> None:
    """Draw, when it is opened, the parts of speech of the nearest occurrences of a text; a folder says why not."""
    if not answer.value.whole or answer.value.near.empty:
        return
    if answer.query["corpus"].is_encoded:
        st.caption(
            "The parts of speech of these words are not guessed, because the probe would have to read all vectors of"
            " the folder."
        )
        return
    with figures.expander("parts-of-speech", "Parts of speech of the nearest words", ":material/label:") as opened:
        if not opened:
            return
        query = Call(neighbour_parts, **{name: answer.query[name] for name in _OF_SEARCH})
        button = f"corpus-parts{shown.suffix()}"
        if not long_work.may_begin(button, "Guess the parts of speech", query, (answer.model,), _effort_of_parts):
            return
        prints = ("headline", "quality", "shares", "near")
        result: NeighbourParts | None = running.detail(
            "parts_of_speech", query, answer.model, label="Guessing parts of speech", prints=prints
        )
        if result is None:
            return
        shown.finding(result.headline)
        if len(result.near):
            figures.show(charts.parts_of_speech, result, name="corpus-parts-of-speech")
            page.caption(
                "Each part of speech has two bars: its share of the nearest words and, as a control, its share of all"
                " words of the text. Function words, such as “the”, are left out of both."
            )
            figures.as_table(
                result.near, f"corpus-parts-list{shown.suffix()}", "The probe’s guess for each of the nearest words"
            )
        st.text(result.quality)
        if answer.query["space"] != AS_IS:
            st.text("The neighbours are those of the processed space, but the probe reads raw vectors.")


def _effort_of_parts(query: Call) -> Call:
    return Call(effort, corpus=query["corpus"], combination=query["combination"])
