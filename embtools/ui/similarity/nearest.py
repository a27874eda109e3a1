"""Panel for the nearest words of a word, raw and in a processed space, in a model, a file or texts."""

from typing import Any

import streamlit as st

from embtools.charts import similarity as charts
from embtools.similarity.nearest import MAX_NEIGHBOURS, NearestWords, nearest_words, shared_neighbours
from embtools.spaces.controls import AFTER, BEFORE
from embtools.spaces.space import AS_IS, TOP, Space
from embtools.ui import captions, entry, figures, glossary, page, running, shown, spelling, texts
from embtools.ui.call import Call
from embtools.ui.fields import Number
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs
from embtools.ui.similarity.inputs import COMBINATION, OF, PROCESSED, TEXTS

TAB = "Nearest words"
USES_EDIT = True
WORD, K = inputs.NEAREST, Number("similarity_nearest", 10, 3, MAX_NEIGHBOURS, 1)
FIELDS = (WORD, K, *OF.fields, COMBINATION, *PROCESSED.fields)
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
    where: tuple[captions.Part, ...] = OF.caption() or ("static embeddings",)
    if OF.source.value == TEXTS:
        where = (captions.Setting("words in texts", COMBINATION),)
    return (WORD, captions.Setting("words", K), *where, PROCESSED.caption())


def show(models: Models) -> None:
    """Draw the fields; for each source the nearest words, and how many of them two sources share."""
    word, number, of = st.columns([2, 2, 4], gap="small", vertical_alignment="top")
    with word:
        entry.text_input("Word", **WORD.widget)
    with number:
        st.slider("Number of words", help=glossary.definition("neighbours"), **K.widget)
    with of:
        OF.show()
    inputs.space(models[0].name)
    answers = running.ask(
        "near",
        _query,
        inputs.sources(models),
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
    if answers:
        _note(answers[0].query["space"])


def _query(model: Model) -> Call:
    typed = str(WORD.value) if OF.only_file else spelling.text(WORD, model.name)
    return Call(nearest_words, word=typed.strip(), k=int(K.value), space=PROCESSED.value)


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
        figures.as_table(result.table, f"nearest-words{shown.suffix()}", "Nearest words by space, with the controls")


def _note(space: Space) -> None:
    hatched = ""
    if space != AS_IS:
        hatched = (
            " Hatched bars with a dot mark [[nearest neighbour|nearest neighbours]] that occur in this space only. The"
            " table also shows the neighbours in the controls."
        )
    means = " Each word is represented by the mean of its [[occurrence|occurrences]]."
    page.caption(
        "Each bar is a word; a longer bar means a higher [[cosine]]. The dashed line is the mean over all pairs of"
        f" words.{hatched}{means if OF.source.value == TEXTS else ''}"
    )


READINGS = {"nearest": Reading(_query, "Nearest word", "word", lambda result: result.ranked[0])}
