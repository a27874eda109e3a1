"""The selected pair of words: its cosine among random pairs, the neighbours of both words, and a path between them."""

from collections.abc import Callable, Sequence

import streamlit as st

from embtools.charts import similarity as charts
from embtools.similarity import word_pairs as numbers
from embtools.similarity.matrix import Similarity
from embtools.similarity.random_words import ComparedList
from embtools.similarity.word_pairs import Pair
from embtools.statistics.decimals import decimal
from embtools.ui import figures, glossary, page, running, shown, state, texts
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs, named_texts
from embtools.words.frequency import called
from embtools.words.vectors import MAX_CHARACTERS

FIRST, SECOND = (Text(f"similarity_{name}", "", MAX_CHARACTERS) for name in ("first", "second"))
K = Number("similarity_k", 20, 5, 50, 1)
RANDOM, NEIGHBOURS, PATH = "Random pairs", "Neighbours", "Path"
BEHIND = Choice("similarity_behind", RANDOM, {"random": RANDOM, "neighbours": NEIGHBOURS, "path": PATH})
FIELDS = (FIRST, SECOND, K, BEHIND)
_PRINTED = {RANDOM: ("histogram",), NEIGHBOURS: ("shared", "neighbours"), PATH: ()}


def show(answers: Sequence[Answer[ComparedList]], models: Models) -> tuple[str, str]:
    """Show and return the selected pair of the first model's list, by default its most similar one."""
    listed = answers[0].value
    a, b = _pickers(listed)
    if a == b:
        texts.problem(f"These are the same {listed.kind}. Choose two different ones.")
        return a, b

    def words(model: Model) -> dict[str, str]:
        return {"first": inputs.same_word(a, model), "second": inputs.same_word(b, model)}

    pairs = running.ask(
        "found",
        lambda model: Call(numbers.pair, **words(model), k=int(K.value), pieces=answers[0].query["pieces"]),
        models,
        prints=("cosine", "sentence", *_PRINTED[BEHIND.value]),
    )
    if not pairs:
        return a, b
    heatmaps = {answer.model: answer.value.similarity for answer in answers}
    for container in running.containers(pairs):
        with container as answer:
            _pair(answer.value, heatmaps.get(answer.model), answer.model)
    for name, tab in state.tabs(BEHIND).items():
        if tab.open:
            with tab:
                if name == RANDOM:
                    _random(pairs)
                else:
                    st.slider("Number of neighbours", help=glossary.definition("neighbours"), **K.widget)
                    if name == NEIGHBOURS:
                        _neighbours(pairs)
                    else:
                        _path(words, models)
    return a, b


def selected(model: Model) -> Call:
    """Return the query about the pair in the fields. Raises ValueError if none was selected."""
    text_vectors.refuse(inputs.OF)
    if not (FIRST.value and SECOND.value):
        raise ValueError("No pair of words is selected.")
    first, second = (inputs.same_word(field.value, model) for field in (FIRST, SECOND))
    return Call(numbers.pair, first=first, second=second, pieces=inputs.PIECES.value)


def _pickers(listed: ComparedList) -> tuple[str, str]:
    """Show the fields for the two words; a word that is not in the list is replaced by one of the most similar pair."""
    words, pairs = listed.similarity.words, listed.pairs
    first, second = st.columns(2)
    with first:
        a = inputs.picker(f"First {listed.kind}", FIRST, words, pairs["first"].iat[0])
    with second:
        b = inputs.picker(f"Second {listed.kind}", SECOND, words, pairs["second"].iat[0])
    return a, b


def _pair(pair: Pair, heatmap: Similarity | None, model: Model) -> None:
    first, second = called(pair.first, pair.kind), called(pair.second, pair.kind)
    st.subheader(texts.plain(f"{first} and {second}: cosine {decimal(pair.cosine, 3)}"), anchor=False)
    if heatmap is not None and {pair.first, pair.second} <= set(heatmap.words):
        value = heatmap.value(pair.first, pair.second)
        if heatmap.metric == "euclidean" or abs(value - pair.cosine) > 1e-4:
            what = "cosine of this layer" if heatmap.metric == "cosine" else "Euclidean distance"
            below = " Below: static embeddings only." if pair.kind == "word" else ""
            st.text(f"The heatmap shows {decimal(value, 3)} ({what}).{below}")
    st.text(pair.sentence)
    if pair.kind != "word":
        read = named_texts.contexts(model)
        st.text("\n".join(f"{name}: {read[name]}" for name in (pair.first, pair.second) if name in read))


def _random(pairs: Sequence[Answer[Pair]]) -> None:
    results = [answer.value for answer in pairs]
    for container in running.containers(pairs, part="random"):
        with container as answer:
            figures.show(charts.background, answer.value, name="random-pairs", beside=results)
            if (kind := answer.value.kind) != "word":
                page.caption(f"The chart compares the [[cosine]] with those of random pairs of these {kind}s.")
                continue
            which = f". {answer.value.note}" if answer.value.note else " that are about as common as these two."
            page.caption(
                "A [[cosine]] alone says little, because even the vectors of unrelated words point partly in the same"
                " direction, those of rare words most of all. So the chart compares it with"
                f" {len(answer.value.random):,} random pairs of words{which}"
            )


def _neighbours(pairs: Sequence[Answer[Pair]]) -> None:
    for container in running.containers(pairs, part="neighbours"):
        with container as answer:
            pair = answer.value
            count = min(answer.query["k"], pair.candidates)
            st.text(f"The two {pair.kind}s share {pair.shared} of their {count} nearest neighbours.")
            titles = {
                f"{what}_{side}": f"{what} {by} {word}"
                for side, word in (("a", pair.first), ("b", pair.second))
                for what, by in (("rank", "for"), ("cosine", "with"))
            }
            figures.table(
                pair.neighbours,
                "Nearest neighbours of both words",
                name=f"pair-neighbours{shown.suffix()}",
                height=260,
                column_config=titles,
            )


def _path(words: Callable[[Model], dict[str, str]], models: Models) -> None:
    paths = running.ask("steps", lambda model: Call(numbers.path, **words(model), k=int(K.value)), models)
    found = [answer.value for answer in paths]
    for container in running.containers(paths) if paths else ():
        with container as answer:
            figures.show(charts.chain, answer.value, name="path", beside=found)
            page.caption(
                "To find the path, one search starts from each word and moves to near neighbours until the two searches"
                " meet. A low cosine in the middle means that the two have little to do with each other."
            )
