"""The occurrences nearest to an occurrence of a word."""

from dataclasses import dataclass
from html import escape
from typing import Any

import streamlit as st

from embtools.charts.corpus import search as charts
from embtools.corpus import search, verdict
from embtools.corpus.search import Nearest, Query
from embtools.occurrences import encoding
from embtools.occurrences.corpus import Corpus, built_in_corpus
from embtools.progress import Progress, silent
from embtools.spaces.space import AS_IS, Space
from embtools.ui import cached, figures, jobs, options, page, spaces, state, texts
from embtools.ui.corpus import lists, source, stored, words
from embtools.ui.fields import Flag, Number, Text
from embtools.ui.share import Code

TAB = "Nearest occurrences"
SENTENCE = Text("corpus_sentence", "", search.MAX_SENTENCE)
OTHERS = Flag("corpus_others")
K = Number("corpus_k", 10, 3, search.MAX_NEIGHBOURS, 1)
FIELDS = (words.WORD, words.NUMBER, SENTENCE, OTHERS, K, source.RECIPE, *source.PROCESSED.fields)
TYPED = "They sat on the grassy bank and watched the boats go by."
PRESETS: dict[str, dict[str, Any]] = {
    "A river bank": {},
    "A savings bank": {words.NUMBER.key: 1},
    "Words near cold": {words.WORD.key: "cold", words.NUMBER.key: 1, OTHERS.key: True},
    "A letter of the alphabet": {words.WORD.key: "letter", words.NUMBER.key: 1},
    "The match": {words.WORD.key: "match", words.NUMBER.key: 1},
    "Your own sentence": {words.NUMBER.key: 1, SENTENCE.key: TYPED, state.OPEN.key: ("mine",)},
}
AT_FIRST = built_in_corpus(), Query("bank", 5), source.RECIPE.default, K.default, True


@dataclass(frozen=True)
class View:
    """The nearest occurrences, the headline and the alt text."""

    nearest: Nearest
    headline: str
    alt: str


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for another text or folder, some of its words."""
    return PRESETS if source.is_built_in() else words.examples(source.current())


def view(
    text: Corpus,
    query: Query,
    recipe: str,
    k: int,
    same: bool,
    whole: bool,
    space: Space = AS_IS,
    *,
    model: Any,
    progress: Progress = silent,
) -> View:
    """The view of a query: the nearest occurrences in the whole text, or only in the sentences with its word."""
    result = search.nearest(
        text, model, query=query, recipe=recipe, k=k, same_word=same, whole=whole, space=space, progress=progress
    )
    hits, base = search.sense_hits(result), None
    if hits is not None:
        base = search.sense_hits(search.nearest(text, model, query=query, recipe="layer 0", k=1, whole=False))
    headline = verdict.of_nearest(result, hits, base) if whole or hits or result.others["sense"].any() else ""
    return View(result, headline, charts.strip_alt(result.others, result.near, result.word))


def show(model: str, code: Code) -> None:
    """Show the fields and the list of the nearest occurrences, the headline and the chart."""
    if source.is_folder():
        if folder := source.folder():
            stored.show(model, code, folder, (SENTENCE, OTHERS, K))
        return
    text = source.chosen()
    left, right = st.columns([5, 6], gap="medium")
    with left:
        query, place = _fields(model, text)
    first = (*AT_FIRST, False)
    answer = jobs.ask(
        "corpus-word", view, model, (*query, False), first, label="Reading the sentences with the word", place=place
    )
    if answer is None or answer.stale:
        words.suggestions(text, place)
    if answer is None:
        return
    *shown, _ = answer.asked
    whole = encoding.encoded(shown[0], cached.model(model), recipe=shown[2])
    with right, st.container(key="hero"), jobs.results(answer, "corpus-near", _described(answer.asked[1])):
        waiting, hero = st.container(), st.empty()
        if not whole:
            with hero.container():
                _picture(answer.value, "corpus-at-first")
    with left:
        near = st.empty()
        if not whole:
            with near.container():
                _near(answer.value, "corpus-near-at-first")
    with waiting:
        full = _whole(model, tuple(shown))
    if full is not None:
        with hero.container():
            source.badge("For comparison, static neighbours and layer 0 stay")
            _picture(full, "corpus-strip", clicks=not shown[1].sentence)
        with near.container():
            _near(full, "corpus-nearest")
    code.add("nearest", *_code(shown, whole=full is not None))


def _whole(model: str, query: tuple[Any, ...]) -> View | None:
    """The view from the whole text; None if it waits for its button or was stopped."""
    try:
        if source.may_read("corpus-whole", model, query[0], query[2]):
            space = source.PROCESSED.value
            return jobs.run("corpus-whole", view, model, *query, True, space, label="Reading the whole text")
    except ValueError as error:
        texts.problem(error)
    return None


def _fields(model: str, text: Corpus) -> tuple[tuple[Any, ...], Any]:
    """The fields; returns the query and the container for error messages."""
    recipe = source.recipe(model)
    word, sentence = st.columns([1, 3], gap="small")
    with word:
        words.field()
    with sentence:
        _sentence(model, text, recipe)
    place = st.container()
    typed = SENTENCE.value.strip()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle("Other words only", help="Leaves out other occurrences of the same word.", **OTHERS.widget)
        if typed:
            st.button("Use a sentence of the text", on_click=state.put, args=({SENTENCE.key: "", words.NUMBER.key: 1},))
    fold = state.fold("mine", "Your own sentence, layers, space", ":material/edit:")
    if fold.open:
        with fold:
            st.text_input(
                "Your own sentence, containing the word",
                max_chars=SENTENCE.most,
                placeholder=TYPED,
                on_change=state.put,
                args=({words.NUMBER.key: 1},),
                **SENTENCE.widget,
            )
            layers, count = st.columns(2, gap="small")
            with layers:
                recipe = source.layers(model)
                source.space()
            with count:
                st.slider("Number of neighbours", **K.widget)
    query = Query(words.WORD.value.strip(), words.NUMBER.value, typed)
    return (text, query, recipe, K.value, not OTHERS.value), place


def _sentence(model: str, text: Corpus, recipe: str) -> None:
    """The field that selects an occurrence by its sentence."""
    there = Corpus((SENTENCE.value.strip(),)) if SENTENCE.value.strip() else text
    try:
        contexts = cached.compute(search.contexts, model, there, words.WORD.value.strip(), recipe)
    except ValueError:
        st.selectbox("Sentence", (), disabled=True, placeholder="–", key="corpus-no-sentence")
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


def _around(text: str, start: int) -> str:
    return text if start < 60 else f"… {text[start - 50 :]}"


def _picture(view: View, name: str, *, clicks: bool = False) -> None:
    result = view.nearest
    if view.headline:
        st.header(texts.plain(view.headline), anchor=False)
    else:
        st.header("Reading the rest of the text …", anchor=False)
    query = result.query.iloc[0]
    sentence = lists.marked(query["text"], query["start"], query["end"], "currentColor")
    st.html(f'<ol class="occurrences"><li>{sentence}</li></ol>')
    drawn = cached.figure(charts.strip, result.others, result.near, result.word)
    options: dict[str, Any] = {}
    if clicks:
        options = {"select": ("points",), "on_select": lambda: words.clicked(name)}

    def below() -> None:
        page.seen(
            "Each mark is an [[occurrence]]. Further right means a higher [[cosine]] with the chosen occurrence."
            + (" Click an occurrence of the same word to choose it." if clicks else "")
        )
        _static(result)

    figures.chart(drawn, result.others, name=name, alt=view.alt, below=below, **options)


def _static(result: Nearest) -> None:
    """Show the words nearest to the word by static embedding."""
    rest = result.static[result.static["word"] != result.word]
    page.seen("By [[static embedding]], which is the same in every sentence, the nearest words in the text are:")
    near = ", ".join(f"{escape(word)} {value:.2f}" for word, value in zip(rest["word"], rest["cosine"], strict=True))
    st.html(f'<p class="seen">{near or "none"}</p>')


def _near(view: View, name: str) -> None:
    result = view.nearest
    if len(result.near):
        lists.show(result.near, senses=result.others["sense"])
    else:
        st.text("The text contains no other word.")
    read = f"{result.searched:,} occurrences" if result.whole else "So far, only the sentences with this word"
    st.caption(f"{read} were compared. The numbers are cosines.")
    figures.folded(result.near, f"{name}-list")
    figures.folded(result.static, f"{name}-static", "Static neighbours, as a table")


def _described(query: Query) -> str:
    return f"{query.word}: {query.sentence[:80]}" if query.sentence else f"{query.word}, occurrence {query.number}"


def _code(shown: list[Any], whole: bool) -> list[str]:
    text, query, recipe, k, same = shown
    space = source.PROCESSED.value
    more = f"k={k}" + ("" if same else ", same_word=False") + ("" if whole else ", whole=False")
    more += spaces.option(space) if whole else ""
    return [
        source.code(text),
        f"query = {query!r}",
        f"result = nearest(corpus, model, query=query, recipe={recipe!r}, {more})",
        "hits = sense_hits(result)",
        "static = nearest(corpus, model, query=query, recipe='layer 0', k=1, whole=False) if hits else None",
        "base = sense_hits(static) if hits else None",
        "print(verdict.of_nearest(result, hits, base), result.others, result.near, result.static, sep='\\n')",
    ]
