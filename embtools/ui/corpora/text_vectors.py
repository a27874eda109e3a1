"""Occurrences of a word, and sentences, as sources of the field *Vectors of*: their fields, and what reads them."""

from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from embtools.clusters.occurrences import word_occurrences
from embtools.clusters.sentences import LEAST, MOST, mapped_sentences, sentence_of
from embtools.messages import shortened
from embtools.occurrences.corpus import LEAST_MAPPED, Corpus, built_in_corpus
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.spaces.space import AS_IS, BY_CLUSTER, Space
from embtools.tables.columns import repeated
from embtools.ui import captions, combinations, entry, fields, folders, glossary, running, uploads
from embtools.ui.call import Call
from embtools.ui.corpora import source, whole_corpus, words
from embtools.ui.fields import Text
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces
from embtools.ui.vectors_of import VectorsOf

OCCURRENCES, SENTENCES = "occurrences of a word", "sentences"
MORE = {"occurrences": OCCURRENCES, "sentences": SENTENCES}
"""Both by their permanent keys."""
FOUR_TOPICS = """weather | It will rain all day tomorrow.
weather | A cold wind is blowing from the north.
weather | The sun was hot and the sky was clear.
weather | Heavy snow fell during the night.
weather | There was thick fog in the morning.
weather | The storm brought thunder and rain.
food | Add the onions and fry them in butter.
food | Bake the bread until the crust is brown.
food | The soup needs more salt and pepper.
food | Boil the potatoes for twenty minutes.
food | She cut the cheese and the tomatoes.
food | Mix the flour with sugar and eggs.
football | The striker scored two goals in the final.
football | Our team lost the match on penalties.
football | The goalkeeper saved the last shot.
football | The referee showed him a red card.
football | They won the league for the third time.
football | The coach changed three players at half time.
money | The bank raised its interest rates again.
money | She paid the bill with a credit card.
money | Prices on the stock market fell sharply.
money | He borrowed money to buy a house.
money | The company reported a loss of two million.
money | Taxes on income will rise next year."""
TEXT = Text("clusters_sentences", FOUR_TOPICS, 40_000)
COMBINATION = combinations.combination("clusters_sentences_recipe")
POOLING = combinations.sentence_pooling("clusters_sentences_pooling")
FIELDS = (*source.FIELDS, words.WORD, source.COMBINATION, TEXT, COMBINATION, POOLING)
DEFAULT = Call(word_occurrences, corpus=built_in_corpus(), word="bank", combination=source.COMBINATION.default)
_GOOD = "vectors-of-texts"  # in the session, by source: the last query with a result


def are_chosen(of: VectorsOf) -> bool:
    """Whether occurrences or sentences are shown."""
    return of.source.value in MORE.values()


def refuse(of: VectorsOf) -> None:
    """Raise ValueError if occurrences or sentences are shown, about which no lesson can ask."""
    if are_chosen(of):
        raise ValueError("A lesson cannot ask about occurrences or sentences. Choose other vectors.")


def models(of: VectorsOf, models: Models, space: Spaces | None, container: Any = None) -> Models:
    """Return the models with occurrences (in `space`, fitted to all of them; None: raw) or sentences in place of static
    embeddings, () if there is nothing to show; problems go into the container."""
    return _sentences(models, container) if of.source.value == SENTENCES else _occurrences(models, space, container)


def draw_fields(of: VectorsOf, models: Models, *, height: int = 210) -> None:
    """Draw the fields of the source: the text, the word and the layers, or the sentences in a field of this height."""
    if of.source.value == OCCURRENCES:
        source.show()
        words.field()
        source.combination(corpus(), models)
        return
    entry.text_area(
        f"Sentences ({LEAST} to {MOST}, one per line)",
        height=height,
        help="You can write a group name and a vertical bar before a sentence: food | Bake the bread. The names are"
        " used only to check a result, never to compute it.",
        **TEXT.widget,
    )
    uploads.say(*repeated(fields.lines(TEXT.value), sentence_of, "sentence"))


def reading_fields(models: Models) -> None:
    """Draw the fields that say how sentences are read."""
    st.selectbox(
        "Layer combination",
        help=glossary.definition("layer combination"),
        **COMBINATION.among(combinations.shared(models)),
    )
    st.selectbox("Pooling", help=glossary.definition("pooling"), **POOLING.widget)


def caption(of: VectorsOf, space: Spaces | None) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if of.source.value == SENTENCES:
        return (TEXT, captions.Setting("layer combination", COMBINATION), captions.Setting("pooling", POOLING))
    read = corpus()
    text = "built-in corpus" if source.is_built_in() else source.SOURCE.value
    layers = source.COMBINATION.value if read.any_layers else read.combination
    return (words.WORD, f"text: {text}", f"layer combination: {layers}", f"space: {_space(read, space).says}")


def corpus() -> Corpus | CorpusFolder:
    """The text whose occurrences are shown."""
    return source.corpus_in_use() or built_in_corpus()


def _space(corpus: Corpus | CorpusFolder, space: Spaces | None) -> Space:
    return space.value if space and (corpus.any_space or space.kind.value != BY_CLUSTER) else AS_IS


def _occurrences(models: Models, space: Spaces | None, container: Any) -> Models:
    read = corpus()
    models = folders.models_of(read, models)
    queries = {
        model: Call(
            word_occurrences,
            corpus=read,
            word=words.WORD.value.strip(),
            combination=source.combination_of(read, models, model),
            space=_space(read, space),
        )
        for model in models
    }
    first = queries[models[0]]
    reads_all = whole_corpus.reads_all(read, first["space"])
    if reads_all and not (container and whole_corpus.may_search("clusters-senses-text", first, models[0])):
        queries = {model: query.but(space=AS_IS) for model, query in queries.items()}
    if not _reads(queries[models[0]], models[0], container):
        if container:
            words.suggestions(read, container, least=LEAST_MAPPED)
        last = _last(OCCURRENCES, DEFAULT)
        if last["corpus"] != read or not _reads(last, models[0]):  # no result of another text
            return ()
        if container:
            with container:
                st.text(f"Showing the occurrences of {shortened(last['word'])}.")
        return (models[0].of(last),)
    return tuple(model.of(query) for model, query in queries.items())


def _sentences(models: Models, container: Any) -> Models:
    COMBINATION.keep_among(combinations.shared(models))
    query = Call(mapped_sentences, lines=fields.lines(TEXT.value), combination=COMBINATION.value, pooling=POOLING.value)
    if not _reads(query, models[0], container):
        first = query.but(lines=fields.lines(FOUR_TOPICS), combination=COMBINATION.default, pooling=POOLING.default)
        shown = next((each for each in (_last(SENTENCES, first), first) if _reads(each, models[0])), None)
        if shown and container:
            with container:
                st.text("Showing the last sentences that could be compared.")
        return (models[0].of(shown),) if shown else ()
    return tuple(model.of(query) for model in models)


def _reads(query: Call, model: Model, container: Any = None) -> bool:
    """Whether a query has a result, which is noted for later; otherwise say why in the container, if there is one."""
    read = partial(running.run, query, model, label="Reading the sentences")
    found = None
    if container:
        found = running.attempt(read, container)
    else:
        with suppress(ValueError):
            found = read()
    if found is None:
        return False
    of = OCCURRENCES if query.function is word_occurrences else SENTENCES
    st.session_state[_GOOD] = {**st.session_state.get(_GOOD, {}), of: query}
    return True


def _last(of: str, default: Call) -> Call:
    found: Call = st.session_state.get(_GOOD, {}).get(of, default)
    return found
