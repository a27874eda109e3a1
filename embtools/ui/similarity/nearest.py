"""Panel for the nearest words of a word, raw and in a processed space, in a model, a file or texts."""

from typing import Any

import streamlit as st

from embtools.charts import similarity as charts
from embtools.similarity.nearest import MAX_NEIGHBOURS, NearestWords, nearest_words, shared_neighbours
from embtools.spaces.controls import AFTER, BEFORE
from embtools.spaces.space import AS_IS, TOP, Space
from embtools.ui import captions, entry, figures, glossary, page, running, shown, spelling, state, texts
from embtools.ui.call import Call
from embtools.ui.corpora import text_vectors
from embtools.ui.fields import Number, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs, named_texts
from embtools.ui.similarity.inputs import COMBINATION, OF, PROCESSED, TEXTS
from embtools.words.vectors import MAX_CHARACTERS

TAB = "Nearest words"
USES_EDIT = True
WORD, K = inputs.NEAREST, Number("similarity_nearest", 10, 3, MAX_NEIGHBOURS, 1)
CHOSEN = Text("similarity_occurrence", "", MAX_CHARACTERS)  # of occurrences or sentences
FIELDS = (WORD, CHOSEN, K, *OF.fields, *text_vectors.FIELDS, COMBINATION, *PROCESSED.fields)
PRESETS: dict[str, dict[str, Any]] = {
    "dog": {},
    "green": {WORD.key: "green"},
    "doctor": {WORD.key: "doctor"},
    "rome, all-but-the-top": {WORD.key: "rome", PROCESSED.kind.key: TOP, K.key: 8},
    "rome in texts": {WORD.key: "rome", OF.source.key: TEXTS, PROCESSED.kind.key: TOP, K.key: 8},
}
FIRST = Call(nearest_words, word=WORD.default)


def examples() -> dict[str, dict[str, Any]]:
    """The built-in examples; for a visitor's file, three of its words."""
    if (file := OF.file) is None:
        return PRESETS
    rows, source = sorted({0, len(file) // 2, len(file) - 1}), {OF.source.key: OF.source.value}
    linked = {OF.fields[1].key: OF.fields[1].value}
    return {file.names[row]: {WORD.key: file.names[row], **source, **linked} for row in rows}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    if text_vectors.are_chosen(OF):
        return (CHOSEN, captions.Setting("neighbours", K), *inputs.text_caption())
    where: tuple[captions.Part, ...] = OF.caption() or ("static embeddings",)
    if OF.source.value == TEXTS:
        where = (captions.Setting("words in texts", COMBINATION),)
    return (WORD, captions.Setting("words", K), *where, PROCESSED.caption())


def show(models: Models) -> None:
    """Draw the fields; for each source the nearest words, and how many of them two sources share."""
    if text_vectors.are_chosen(OF):
        if read := named_texts.fields(models):
            _near(read, _listed(read[0]))
        return
    word, number, of = st.columns([2, 2, 4], gap="small", vertical_alignment="top")
    with word:
        entry.text_input("Word", **WORD.widget)
    with number:
        _number()
    with of:
        OF.show(help=inputs.OF_HELP)
    inputs.space(models[0].name)
    _near(inputs.sources(models))


def _listed(model: Model) -> str:
    """Draw the fields of occurrences or sentences; return the chosen one."""
    word, number = st.columns(2, gap="small", vertical_alignment="top")
    with number:
        _number()
    with word:
        names = named_texts.names(model)
        name = inputs.picker(named_texts.read_from(model).kind.capitalize(), CHOSEN, names, names[0])
    state.put({CHOSEN.key: name})
    if sentence := named_texts.contexts(model).get(name):
        st.text(sentence)
    return name


def _number() -> None:
    st.slider("Number of neighbours", help=glossary.definition("neighbours"), **K.widget)


def _near(models: Models, word: str = "") -> None:
    """Draw the nearest words of one, by default of the one that was typed; with two sources, how many they share."""
    answers = running.ask(
        "near",
        lambda model: _query(model, word),
        models,
        FIRST,
        label="Reading the texts",
        suggest=WORD,
        prints=("headline", "note", "table"),
    )
    running.say(shared_neighbours, answers)
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer, results)
            if word:
                named_texts.sentences(answer.model, answer.value.ranked[:3])
    if answers:
        _note(answers[0].query["space"], answers[0].value.kind)


def _query(model: Model, word: str = "") -> Call:
    if not word:
        text_vectors.refuse(OF)
    typed = word or (str(WORD.value) if OF.only_file else spelling.text(WORD, model.name))
    return Call(nearest_words, word=typed.strip(), k=int(K.value), space=inputs.fitted_here())


def _result(answer: Answer[NearestWords], results: list[NearestWords]) -> None:
    result, space = answer.value, answer.query["space"]
    shown.headline(result.headline)
    if result.note:
        st.text(result.note)
    names = list(result.means)
    for name, column in zip(names, shown.split([1] * len(names), gap="medium"), strict=True):
        with column:
            if len(names) > 1:
                st.subheader("Raw" if name == BEFORE else texts.plain(f"Processed: {space.says}"), anchor=False)
            figures.show(charts.nearest, result, name, beside=results, name=f"nearest-{name}")
    if AFTER in names:
        figures.as_table(
            result.table, f"nearest-words{shown.suffix()}", f"Nearest {result.kind}s by space, with the controls"
        )


def _note(space: Space, kind: str) -> None:
    hatched = ""
    if space != AS_IS:
        hatched = (
            " Hatched bars with a dot mark [[nearest neighbour|nearest neighbours]] that occur in this space only. The"
            " table also shows the neighbours in the controls."
        )
    means = " Each word is represented by the mean of its [[occurrence|occurrences]]."
    page.caption(
        f"Each bar is one {kind}; a longer bar means a higher [[cosine]]. The dashed line is the mean over all pairs of"
        f" {kind}s.{hatched}{means if OF.source.value == TEXTS else ''}"
    )


READINGS = {"nearest": Reading(_query, "Nearest word", "word", lambda result: result.ranked[0])}
