"""The fields that the tabs of the Similarity page share: a list of words, and the vectors to compare them by."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.layer_combinations import SUM_FOUR, combination_names
from embtools.models.vectors_as_model import Vectors
from embtools.occurrences.encoding import word_means
from embtools.similarity import matrix
from embtools.similarity.corrections import corrections, is_readable
from embtools.similarity.matrix import Similarity
from embtools.spaces.space import AS_IS, Space
from embtools.tables.columns import listed_again
from embtools.ui import (
    captions,
    combinations,
    entry,
    figures,
    glossary,
    running,
    shown,
    spelling,
    state,
    texts,
    uploads,
)
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Choice, Text
from embtools.ui.shown import Model, Models
from embtools.ui.spaces import Spaces
from embtools.ui.vectors_of import BOTH, FILE, MODEL, VectorsOf
from embtools.words import vectors as wordlist
from embtools.words.templates import WORD
from embtools.words.vectors import Pieces

STATIC, TEXTS = "static", "words in texts"
COLOURS = ", ".join(matrix.preset("Colours"))
WORDS = Text("similarity_words", COLOURS, matrix.MAX_WORDS * (wordlist.MAX_CHARACTERS + 2))
VECTORS = Choice("similarity_vectors", STATIC)
TEMPLATE = Text("similarity_template", f"This is {WORD}.", 300)
PIECES = Choice("similarity_pieces", "refuse", ("refuse", "mean", "first"))
PROCESSED = Spaces("similarity")
COMBINATION = combinations.combination("similarity_recipe", SUM_FOUR)
ODD = Text("similarity_odd", "", 8_000)
NEAREST = Text("similarity_word", "dog", wordlist.MAX_CHARACTERS)
OF_HELP = (
    "This model: words that you list. Your file: word vectors from word2vec, GloVe, fastText, another model or"
    " measurements. Words in texts: each word is the mean of its occurrences in the built-in corpus. Occurrences of a"
    " word: its vectors in the sentences of a text. Sentences: the vectors of your own sentences."
)
_RENEWED = "similarity-renewed"  # in the session: the words of a file that were put into fields
_FIRST_WORDS = 12


def _renew(file: Vectors | None) -> None:
    """Replace words that a visitor's file does not have by some that it has; later, bring the page's own words back."""
    put = st.session_state.setdefault(_RENEWED, {})
    if file is None:
        mine = {field.key: field.default for field in (WORDS, ODD, NEAREST) if put.get(field.key) == field.value}
        put.clear()
        state.put(mine)
        return
    fitting = [name for name in file.names if not set(name) & set(",;:\n")]
    for field, least, count in ((WORDS, 2, _FIRST_WORDS), (ODD, 3, 4), (NEAREST, 1, 1)):
        if len(file.known(wordlist.split(str(field.value)))[0]) < least:
            put[field.key] = ", ".join(fitting[:count])
            state.put({field.key: put[field.key]})


OF = VectorsOf("similarity", _renew, more={"texts": TEXTS, **text_vectors.MORE})
SPACE = (*OF.fields, *text_vectors.FIELDS, COMBINATION, VECTORS, TEMPLATE, PIECES, *PROCESSED.fields)
FIELDS = (WORDS, *SPACE)
LISTS = {name: {WORDS.key: ", ".join(matrix.preset(name))} for name in matrix.PRESETS}
READING = "Reading one sentence per word"  # what the progress bar says


def caption(*texts: Text) -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names: the list (or other texts), the vectors and their space."""
    several = captions.changed("words of several tokens", PIECES)
    if text_vectors.are_chosen(OF):
        return text_caption()
    if OF.source.value == TEXTS:
        return (*(texts or (WORDS,)), captions.Setting("words in texts", COMBINATION), PROCESSED.caption())
    if is_static():
        return (*(texts or (WORDS,)), *(OF.caption() or ("static embeddings",)), PROCESSED.caption(), several)
    return (*(texts or (WORDS,)), TEMPLATE, captions.Setting("vectors", VECTORS), several)


def text_caption() -> tuple[captions.Part, ...]:
    """What the caption names of occurrences or sentences."""
    space = () if fitted_here() == AS_IS else (PROCESSED.caption(),)
    return (*text_vectors.caption(OF, PROCESSED), *space)


def is_static() -> bool:
    """Whether nothing is read in a sentence: named vectors take the place of the model, or static embeddings are."""
    return OF.only_file or OF.source.value not in (MODEL, FILE, BOTH) or VECTORS.value == STATIC


def layers(name: str) -> tuple[str, ...]:
    """The options for vectors of a model: "static", and its layers."""
    return (STATIC, *(f"layer {i}" for i in range(Model(name).facts.layers + 1)))


def fitted_here() -> Space:
    """The space that is fitted to what is compared: not that of occurrences, which are read in their space."""
    return AS_IS if OF.source.value == text_vectors.OCCURRENCES else PROCESSED.value


def in_space(read: Models) -> Models:
    """Occurrences or sentences in the space that is fitted to them."""
    return tuple(model.within(fitted_here()) for model in read)


def picker(label: str, field: Text, listed: Sequence[str], default: str) -> str:
    """Draw a list for a field that can be empty, and return the chosen word; one that is not listed is replaced."""
    word = str(field.value if field.value in listed else default)
    # The field, not the list, stays empty until something is chosen. A word that is chosen in a chart gets a new list:
    # after a double click, the browser sends the old one's value again, and would choose the previous word.
    count = f"pickers-{field.key}"
    number = st.session_state.get(count, 0)
    if st.session_state.get(f"pick-{field.key}--{number}", word) != word:
        st.session_state[count] = number = number + 1
    key = f"pick-{field.key}--{number}"
    st.session_state[key] = word  # in each run, because the one before may have been interrupted before it was sent

    def choose() -> None:
        state.put({field.key: st.session_state[key]})

    st.selectbox(label, listed, key=key, on_change=choose)
    return word


def bar(name: str, *, of: bool = True) -> tuple[tuple[str, ...], Any]:
    """Show the fields for the words and, with `of`, whose vectors; return the words and the container for errors."""
    left, right = st.columns(2, gap="small") if of else (st.container(), st.container())
    with left:
        entry.text_input(
            f"Words (comma-separated, up to {matrix.MAX_WORDS})",
            help="Groups are written as name: word, word; name: word, word.",
            **WORDS.widget,
        )
        uploads.say(*listed_again(_typed(name), "word"))
        container = st.container()
    if of:
        with right:
            OF.show(help=OF_HELP)
    return words(name), container


def words(name: str) -> tuple[str, ...]:
    """The words in the field, each once, capitalised as the model needs them, that all chosen vectors have."""
    return _divided(name)[0]


def have(listed: Sequence[str], name: str) -> bool:
    """Whether the file or the texts that are shown have all of these words."""
    named = _named(name)
    return named is None or len(named.known(listed)[0]) == len(listed)


def left_out(name: str) -> None:
    """Say which words of the list the chosen file or texts do not have, or the model next to a file."""
    if missing := _divided(name)[1]:
        st.text(f"Left out because the vectors do not have them: {', '.join(missing)}.")


def _divided(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The different words of the list that all chosen vectors have, and those that they do not have; none is left out
    if fewer than two would be left."""
    listed = tuple(dict.fromkeys(_typed(name)))
    if (named := _named(name)) is None:
        return listed, ()
    known = [word for word in listed if named.known((word,))[0]]
    if OF.source.value == BOTH and PIECES.value == "refuse":  # a model has no vector of its own for several tokens
        tokens = running.run(Call(wordlist.pieces, words=tuple(known)), Model(name))
        known = [word for word in known if len(tokens[word]) == 1 and tokens[word] != ("[UNK]",)]
    if len(known) < 2:  # the error says what is wrong
        return listed, ()
    return tuple(known), tuple(word for word in listed if word not in known)


def _named(name: str) -> Vectors | None:
    """The named vectors that are shown: a file, or the words of the built-in texts as a model reads them."""
    if OF.source.value != TEXTS:
        return OF.file
    try:
        read: Vectors = running.run(_in_texts(), Model(name), label="Reading the texts")
    except ValueError:  # shown where the words are compared
        return None
    return read


def _in_texts() -> Call:
    return Call(word_means, combination=str(COMBINATION.value))


def groups(name: str) -> str:
    """The groups of the list, one per line, if it is typed in groups; else ""."""
    parts = [part.strip() for part in re.split(r"[;\n]", _text(name)) if part.strip()]
    return "\n".join(parts) if parts and all(":" in part for part in parts) else ""


def _text(name: str) -> str:
    """The list as the model reads it; the words of a file are not respelled."""
    return str(WORDS.value) if OF.only_file else spelling.text(WORDS, name)


def _typed(name: str) -> tuple[str, ...]:
    grouped = groups(name)
    return wordlist.split(re.sub(r"(?m)^[^:\n]*:", "", grouped) if grouped else _text(name))


def same_word(word: str, model: Model) -> str:
    """A word of the list in the spelling that the model needs."""
    if text_vectors.are_chosen(OF):
        return word
    listed = words(model.name)
    return word if word in listed else next((own for own in listed if own.lower() == word.lower()), word)


def of_named() -> bool:
    """Whether named vectors of words take the place of the model: those of a file, or of the words of the texts."""
    return OF.only_file or OF.source.value == TEXTS


def chosen_vectors(model_name: str, *, processed: bool = True) -> dict[str, Any]:
    """Show the expander for the vectors, with the space if they may be `processed`; return them as arguments."""
    widget = VECTORS.among(layers(model_name))
    texts_read = COMBINATION.among(combination_names(Model(model_name).facts.layers), SUM_FOUR)
    static, named = is_static(), of_named()
    name = "static embeddings" if static else f"{VECTORS.value} in a sentence"
    if named:
        name = "of your file" if OF.only_file else str(COMBINATION.value)
    with figures.expander(
        "vectors", f"Vectors{' and space' if processed else ''}: {name}", ":material/tune:"
    ) as opened:
        if opened:
            if OF.source.value == TEXTS:
                st.selectbox("Layer combination", help=glossary.definition("layer combination"), **texts_read)
            elif not named:
                st.selectbox("Vectors", help=glossary.definition("static embedding"), **widget)
                entry.text_input(
                    f"Sentence around each {WORD}",
                    disabled=static,
                    **TEMPLATE.widget,
                )
                st.segmented_control(
                    "Words of several tokens",
                    required=True,
                    help="Refuse such words, use the mean of their tokens, or use only the first token.",
                    **PIECES.widget,
                )
            if processed:
                PROCESSED.show(disabled=not static)
    return arguments()


def space(model_name: str) -> None:
    """Show the expander for the space, with the layers of words in texts, and a badge with the space."""
    in_texts, chosen = OF.source.value == TEXTS, PROCESSED.value
    layers_read = COMBINATION.among(combination_names(Model(model_name).facts.layers), SUM_FOUR)
    with figures.expander(
        "space", f"Space: {chosen.says}{f', {COMBINATION.value}' if in_texts else ''}", ":material/blur_on:"
    ) as opened:
        if opened:
            if in_texts:
                st.selectbox("Layer combination", help=glossary.definition("layer combination"), **layers_read)
            PROCESSED.show()


def arguments() -> dict[str, Any]:
    """The chosen vectors as arguments of the functions that compare words."""
    pieces = {"pieces": PIECES.value}
    return pieces if is_static() else pieces | {"layer": int(VECTORS.value.split()[1]), "template": TEMPLATE.value}


def at_depth(vectors: dict[str, Any], model: Model, first: Model) -> dict[str, Any]:
    """The arguments `vectors` of the first model for another one: a layer becomes the one at the same depth."""
    if model.vectors is not None:
        return {"pieces": "refuse"}
    if "layer" not in vectors:
        return vectors
    return vectors | {"layer": shown.same_depth(vectors["layer"], Model(first.name), Model(model.name))}


def within(models: Models, vectors: dict[str, Any]) -> Models:
    """What is shown, in the chosen space if it is not read in a sentence; also shows a badge with the space."""
    possible = "layer" not in vectors
    PROCESSED.badge(
        possible=possible, fitted="all these vectors" if OF.source.value != MODEL else "the whole vocabulary"
    )
    return PROCESSED.within(sources(models), possible=possible)


def sources(models: Models) -> Models:
    """The models, or what takes their place: a file, or the words of the built-in texts as each model reads them."""
    if text_vectors.are_chosen(OF):
        return in_space(text_vectors.models(OF, models, PROCESSED))
    if OF.source.value != TEXTS:
        return OF.models(models)
    first = Model(models[0].name)
    depths = (combinations.at_same_depth(str(COMBINATION.value), first, Model(model.name)) for model in models)
    return tuple(model.of(_in_texts().but(combination=depth)) for model, depth in zip(models, depths, strict=True))


def is_listed(query: Call, model: Model) -> bool:
    """Whether the list of a query and each word's sentence are valid; then an error belongs to another field."""
    named = {name: query[name] for name in ("words", "pieces", "layer", "template")}
    return bool(running.run(Call(is_readable, **named), model))


def failed(
    answers: Sequence[running.Answer[Any]], query: Callable[[Model], Call], models: Models, container: Any
) -> tuple[Model, Any] | None:
    """The model that could not answer, and the container for what helps; for the first model this is `container`."""
    if not answers or answers[0].stale:
        return models[0], container
    if len(models) == 2 and running.refused(query, models[1]):
        return models[1], st.container()
    return None


def suggest(
    answers: Sequence[running.Answer[Any]], query: Callable[[Model], Call], models: Models, container: Any
) -> None:
    """Show buttons that correct the list for a model that cannot read it; those for the first model in `container`."""
    if found := failed(answers, query, models, container):
        model, container = found
        if model.vectors is not None:
            return
        call = query(model)
        suggestions(model, call["words"], container)


def same_list(answers: Sequence[running.Answer[Any]]) -> tuple[running.Answer[Any], ...]:
    """The answers about the list of the first one: while the field holds an error, the other may be about another."""
    lists = [[word.lower() for word in answer.query["words"]] for answer in answers]
    return tuple(answer for answer, listed in zip(answers, lists, strict=True) if listed == lists[0])


def suggestions(model: Model, listed: tuple[str, ...], container: Any, field: Text = WORDS) -> None:
    """Show buttons below an error that correct the list in a field."""
    offered = running.run(Call(corrections, words=listed, pieces=PIECES.value), model)
    with container, st.container(horizontal=True, gap="small"):
        if offered.mean:
            st.button(
                "Use the mean of their tokens",
                on_click=state.put,
                args=({PIECES.key: "mean"},),
                key=f"mean-{field.key}-{model.name}",
            )
        for word, other in offered.similar:
            corrected = ", ".join(other if one == word else one for one in listed)
            st.button(
                texts.plain(f"Replace {word} by {other}"),
                on_click=state.put,
                args=({field.key: corrected},),
                key=f"use-{word}-{field.key}-{model.name}",
            )


def tokens_badge(result: Similarity, pieces: Pieces) -> None:
    """Show a badge for words of several tokens that says how they were read."""
    if result.pieces:
        reading = "the mean of their tokens" if pieces == "mean" else "their first token"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"{len(result.pieces)} read as {reading}", icon=":material/call_split:", color="orange")
            st.text("; ".join(f"{word}: {' '.join(parts)}" for word, parts in result.pieces.items()))
