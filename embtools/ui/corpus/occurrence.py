"""The first tab of the Corpus page: an occurrence of a word, and the occurrences nearest to it."""

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
    "Cold, other words": {words.WORD.key: "cold", words.NUMBER.key: 1, OTHERS.key: True},
    "A letter of the alphabet": {words.WORD.key: "letter", words.NUMBER.key: 1},
    "The match": {words.WORD.key: "match", words.NUMBER.key: 1},
    "A sentence of one's own": {words.NUMBER.key: 1, SENTENCE.key: TYPED, state.OPEN.key: ("mine",)},
}
FIRST = built_in_corpus(), Query("bank", 5), source.RECIPE.default, K.default, True


@dataclass(frozen=True)
class Sight:
    """What is near, and what that says."""

    found: Nearest
    finding: str
    alt: str


def examples() -> dict[str, dict[str, Any]]:
    """The examples, or words of the visitor's own text or folder."""
    return PRESETS if source.is_built_in() else words.examples(source.asked())


def sight(
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
) -> Sight:
    """What the page shows: near the query in the whole text, or in the sentences of its word alone."""
    found = search.nearest(text, query, recipe, model, k=k, same_word=same, whole=whole, space=space, progress=progress)
    hits, base = search.sense_hits(found), None
    if hits is not None:
        base = search.sense_hits(search.nearest(text, query, "layer 0", model, k=1, whole=False))
    finding = verdict.of_nearest(found, hits, base) if whole or hits or found.others["sense"].any() else ""
    return Sight(found, finding, charts.strip_alt(found.others, found.near, found.word))


def show(model: str, code: Code) -> None:
    """Word and sentence on the left with what is near, the finding and the picture on the right."""
    if source.is_folder():
        if folder := source.folder():
            stored.show(model, code, folder, (SENTENCE, OTHERS, K))
        return
    text = source.chosen()
    left, right = st.columns([5, 6], gap="medium")
    with left:
        asked, place = _fields(model, text)
    first = (*FIRST, False)
    answer = jobs.ask("corpus-word", sight, model, (*asked, False), first, label="Reading its sentences", place=place)
    if answer is None or answer.stale:
        words.suggestions(text, place)
    if answer is None:
        return
    *asked_now, _ = answer.asked
    whole = encoding.encoded(asked_now[0], asked_now[2], cached.model(model))
    with right, st.container(key="hero"), jobs.results(answer, "corpus-near", _says(answer.asked[1])):
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
        full = _whole(model, tuple(asked_now))
    if full is not None:
        with hero.container():
            source.badge("Static neighbours and layer 0, for comparison, stay")
            _picture(full, "corpus-strip", clicks=not asked_now[1].sentence)
        with near.container():
            _near(full, "corpus-nearest")
    code.add("nearest", *_code(asked_now, whole=full is not None))


def _whole(model: str, asked: tuple[Any, ...]) -> Sight | None:
    """The answer from the whole text; None while that waits for a press, or was stopped."""
    try:
        if source.may_read("corpus-whole", model, asked[0], asked[2]):
            space = source.PROCESSED.value
            return jobs.run("corpus-whole", sight, model, *asked, True, space, label="Reading the whole text")
    except ValueError as error:
        texts.problem(error)
    return None


def _fields(model: str, text: Corpus) -> tuple[tuple[Any, ...], Any]:
    """The fields; returns what they ask, and the place for what is wrong with it."""
    recipe = source.recipe(model)
    word, sentence = st.columns([1, 3], gap="small")
    with word:
        words.field()
    with sentence:
        _sentence(model, text, recipe)
    place = st.container()
    mine = SENTENCE.value.strip()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.toggle("Other words only", help="Leaves out the occurrences of the word itself.", **OTHERS.widget)
        if mine:
            st.button("Back to the text", on_click=state.put, args=({SENTENCE.key: "", words.NUMBER.key: 1},))
    fold = state.fold("mine", "A sentence of your own; layers and space", ":material/edit:")
    if fold.open:
        with fold:
            st.text_input(
                "A sentence of your own, with the word",
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
                st.slider("How many", **K.widget)
    query = Query(words.WORD.value.strip(), words.NUMBER.value, mine)
    return (text, query, recipe, K.value, not OTHERS.value), place


def _sentence(model: str, text: Corpus, recipe: str) -> None:
    """Which occurrence: its sentence, out of those that have the word."""
    there = Corpus((SENTENCE.value.strip(),)) if SENTENCE.value.strip() else text
    try:
        contexts = cached.compute(search.contexts, model, there, words.WORD.value.strip(), recipe)
    except ValueError:
        st.selectbox("In which sentence", (), disabled=True, placeholder="–", key="corpus-no-sentence")
        return
    named = {
        n: f"{n} · {'' if not s else f'{s} · '}{_around(t, start)}"
        for n, s, t, start in zip(contexts["rank"], contexts["sense"], contexts["text"], contexts["start"], strict=True)
    }
    if words.NUMBER.value not in named:
        state.put({words.NUMBER.key: 1})
    options.choose(st.selectbox, f"In which sentence ({len(named):,})", words.NUMBER.key, named, words.NUMBER.value)


def _around(text: str, start: int) -> str:
    return text if start < 60 else f"… {text[start - 50 :]}"


def _picture(sight: Sight, name: str, *, clicks: bool = False) -> None:
    found = sight.found
    if sight.finding:
        st.header(texts.plain(sight.finding), anchor=False)
    else:
        st.header("Reading the rest of the text …", anchor=False)
    query = found.query.iloc[0]
    asked = lists.marked(query["text"], query["start"], query["end"], "currentColor")
    st.html(f'<ol class="occurrences"><li>{asked}</li></ol>')
    drawn = cached.figure(charts.strip, found.others, found.near, found.word)
    options: dict[str, Any] = {}
    if clicks:
        options = {"select": ("points",), "on_select": lambda: words.clicked(name)}

    def below() -> None:
        page.seen(
            "A mark is an [[occurrence]]; the further right, the higher its [[cosine]] with the chosen one."
            + (" Click one of the word's own to ask about it." if clicks else "")
        )
        _static(found)

    figures.chart(drawn, found.others, name=name, alt=sight.alt, below=below, **options)


def _static(found: Nearest) -> None:
    """What stands near the word without any sentence."""
    rest = found.static[found.static["word"] != found.word]
    page.seen("By its [[static embedding]], the same in every sentence, the text's nearest words are:")
    near = ", ".join(f"{escape(word)} {value:.2f}" for word, value in zip(rest["word"], rest["cosine"], strict=True))
    st.html(f'<p class="seen">{near or "none"}</p>')


def _near(sight: Sight, name: str) -> None:
    found = sight.found
    if len(found.near):
        lists.show(found.near, senses=found.others["sense"])
    else:
        st.text("There is no other word in the text.")
    read = f"{found.searched:,} occurrences were compared" if found.whole else "So far: the sentences with the word"
    st.caption(f"{read}. The number is the cosine.")
    figures.folded(found.near, f"{name}-list")
    figures.folded(found.static, f"{name}-static", "Static neighbours as a table")


def _says(query: Query) -> str:
    return f"{query.word}: {query.sentence[:80]}" if query.sentence else f"{query.word}, occurrence {query.number}"


def _code(asked: list[Any], whole: bool) -> list[str]:
    text, query, recipe, k, same = asked
    space = source.PROCESSED.value
    more = f"k={k}" + ("" if same else ", same_word=False") + ("" if whole else ", whole=False")
    more += spaces.option(space) if whole else ""
    return [
        source.code(text),
        f"query = {query!r}",
        f"found = nearest(corpus, query, {recipe!r}, model, {more})",
        "hits = sense_hits(found)",
        "base = sense_hits(nearest(corpus, query, 'layer 0', model, k=1, whole=False)) if hits else None",
        "print(verdict.of_nearest(found, hits, base), found.others, found.near, found.static, sep='\\n')",
    ]
