"""Panel for association tests on words (WEAT) and on sentences (SEAT)."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from embtools.bias import association, directions, two_models
from embtools.charts import bias as charts
from embtools.messages import shortened
from embtools.statistics import reporting
from embtools.statistics.association import Association
from embtools.statistics.decimals import decimal
from embtools.ui import captions, entry, fields, figures, glossary, long_work, page, running, shown, spelling, state
from embtools.ui.bias import notes, published_tests
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.vectors_of import VectorsOf
from embtools.words import word_sets
from embtools.words.templates import WORD

TAB = "Association tests"
SEAT = "sentences (SEAT)"
_EXAMPLES = 8  # words of a file that a message names
TEN, OTHERS = "All ten published tests", "Other measures on the same words"
OF = VectorsOf("bias", more={"seat": SEAT})
PIECES = Choice("bias_pieces", "leave out", {"leave-out": "leave out", "mean": "mean"})
BLEACHED = Text(
    "bias_bleached", "\n".join(f"{start} {WORD}." for start in ("This is", "That is", "There is", "Here is"))
)
POOLING = Choice("bias_pooling", "cls", ("cls", "mean", "word"))
LAYER = Choice("bias_layer", "last")
MORE = Choice("bias_tests", TEN, {"ten": TEN, "others": OTHERS})
FIELDS = (*published_tests.SETS, *OF.fields, PIECES, BLEACHED, POOLING, LAYER, MORE)
PRESETS: dict[str, dict[str, Any]] = {
    "Names with career and family": {},
    "Flowers and insects": published_tests.values(1),
    "Science and arts": published_tests.values(8),
    "Names in sentences": {OF.source.key: SEAT},
}


def button_texts() -> list[dict[str, str]]:
    """Field values that the choice of a published test can set."""
    return [published_tests.values(number) for number in word_sets.GLOVE]


def _first(model: Model) -> Call:
    """Return the query of the defaults, in the spelling of a model."""
    x, y, a, b = (fields.words(spelling.quietly(field.default, model.name)) for field in published_tests.SETS)
    return Call(association.weat, x=x, y=y, a=a, b=b)


FIRST = _first


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    words = published_tests.SETS
    if OF.source.value != SEAT:
        return (*words, *(OF.caption() or ("static embeddings",)), captions.changed("words of several tokens", PIECES))
    return (*words, BLEACHED, captions.Setting("pooling", POOLING), captions.Setting("layer", LAYER))


def show(models: Models) -> None:
    """Draw the fields; for each model the associations of the words, and whether the difference could be chance."""
    _bar(models[0])
    models = OF.models(models)
    if OF.only_file and _foreign(models[0]):
        return

    def query(model: Model) -> Call:
        return _query(model, models[0])

    if OF.source.value != SEAT or long_work.may_begin(
        "bias-association", "Encode the sentences", query, models, _effort
    ):
        answers = running.ask(
            "test",
            query,
            models,
            FIRST,
            label="Encoding the sentences",
            prints=("headline", "effect", "low", "high", "p", "partitions", "scores", "left_out"),
        )
        if answers:
            _results(answers)
            if OF.file is None:  # of the published words, few files have enough
                _more(models, answers)
    notes.notes(*(("SEAT",) if OF.source.value == SEAT else ()), "WEAT", "Other measures")


def _query(model: Model, own: Model) -> Call:
    """Return the query of the fields for a model; a layer of the page's `own` model is read at the same depth."""
    x, y, a, b = published_tests.typed(model)
    if OF.source.value != SEAT:
        return Call(association.weat, x=x, y=y, a=a, b=b, pieces=PIECES.value)
    layer = int(LAYER.value) if LAYER.value.isdigit() and int(LAYER.value) < own.facts.layers else -1
    return Call(
        association.seat,
        x=x,
        y=y,
        a=a,
        b=b,
        templates=fields.lines(BLEACHED.value),
        pooling=POOLING.value,
        layer=layer if layer < 0 else shown.same_depth(layer, own, model),
    )


def _effort(query: Call) -> Call:
    return Call(association.effort, templates=query["templates"], sets=tuple(query[name] for name in "xyab"))


def _bar(model: Model) -> None:
    seat = OF.source.value == SEAT
    OF.show(help=_meaning())
    published, more, *layer, lists = st.columns(
        [8, 5, *([3] if seat else []), 3], gap="small", vertical_alignment="bottom"
    )
    with published:
        published_tests.picker(OF.models((model,))[0])
    if not seat:
        more.segmented_control(
            "Words of several tokens",
            required=True,
            help=f"{glossary.definition('word piece')} “leave out” excludes words of several tokens; “mean” uses the"
            " mean of their tokens.",
            **PIECES.widget,
        )
    else:
        more.segmented_control(
            "Sentence vector",
            required=True,
            help="cls: the vector of [CLS], as published. mean: the mean of all tokens. word: the mean of the word's"
            " own tokens.",
            **POOLING.widget,
        )
        layers = tuple(map(str, range(model.facts.layers)))
        layer[0].select_slider("Layer", help="Layer 0 is the input embedding.", **LAYER.among((*layers, "last")))
    with lists.popover(
        "Words", icon=":material/edit_note:", key="bias-sets", width="stretch", on_change="rerun"
    ) as words:
        if words.open:
            labels = ("X: targets", "Y: other targets", "A: attributes", "B: other attributes")
            for field, label in zip(published_tests.SETS, labels, strict=True):
                entry.text_area(label, height=80, once="word", **field.widget)
            if seat:
                entry.text_area("Sentences (one per line)", height=120, once="sentence", **BLEACHED.widget)


def _meaning() -> str:
    return (
        f"Words of this model or of your file (WEAT): {glossary.definition('WEAT')} SEAT: {glossary.definition('SEAT')}"
    )


def _foreign(file: Model) -> bool:
    """Ask for words of the file if it does not have those of a published test, which no visitor has typed."""
    sets, read = published_tests.typed(file), OF.file
    if read is None or not word_sets.number_of(*sets) or all(len(read.known(words)[0]) >= 2 for words in sets):
        return False
    examples = ", ".join(shortened(word, 30) for word in read.names[:_EXAMPLES])
    st.text(
        "Your file does not have the words of this test. Open “Words” and write at least two words of your file into"
        f" each of the four fields, for example some of these: {examples}."
    )
    return True


def _results(answers: Sequence[Answer[Association]]) -> None:
    running.say(two_models.associations, answers)
    results = [answer.value for answer in answers]
    if answers[-1].model.vectors is None:
        running.token_differences(answers, [word for name in "xyab" for word in answers[0].query[name]])
    for container in running.containers(answers, gap="large"):
        with container as answer:
            _result(answer, results)
    if len(results) > 1:
        page.caption(
            "Both are tested with the same words, but their [[cosine|cosines]] have different scales. Compare"
            " the [[effect size]] and the order of the words."
        )


def _result(answer: Answer[Association], results: Sequence[Association]) -> None:
    result, query = answer.value, answer.query
    number = word_sets.number_of(*(query[name] for name in "xyab"))
    shown.headline(result.headline)
    left, right = shown.split([5, 2], gap="large")
    with left:
        others = (each for each in results if each is not result)
        figures.show(charts.association, result, *others, name="associations")
        page.caption(
            "Each point is a [[target]] word, X above and Y below. Right of the dotted line, it is more similar to the"
            " [[attribute|attributes]] A than to B. The [[permutation test]] checks whether the two means (dashed"
            " lines) are further apart than they are after shuffling the words between X and Y. Where there is no room,"
            " a word has no label."
        )
    with right:
        _metrics(result, number if query.function is association.weat else None)
        words = [set(map(str.lower, (*query[one], *query[other]))) for one, other in ("xy", "ab")]
        if both := sorted(words[0] & words[1] - set(map(str.lower, result.left_out))):
            st.text(f"Both a target and an attribute: {', '.join(both)}. A word's similarity to itself is part of d.")
        if result.left_out:
            why = "they have several tokens" if answer.model.vectors is None else "the vectors do not have them"
            st.text(f"Left out because {why}: {', '.join(result.left_out)}.")
            if number:
                st.caption("Without these words, this is no longer the published test.")


def _metrics(result: Association, published: int | None) -> None:
    """Draw the numbers of the test as metrics."""
    metrics = [
        (
            "Effect size d",
            decimal(result.effect),
            result.interval,
            glossary.definition("effect size"),
        ),
        ("p, two-sided", f"{result.p:.4f}", "permutation test", glossary.definition("p-value")),
        (
            "Shuffles",
            f"{result.partitions:,}",
            "all possible ones" if result.exact else "random, including the observed order",
            glossary.definition("permutation test"),
        ),
    ]
    if published:
        metrics.append(
            (
                "Published d",
                f"{word_sets.GLOVE[published]:.2f}",
                "on GloVe vectors",
                "Caliskan et al. 2017, table 1. " + glossary.definition("GloVe"),
            )
        )
    with st.container(horizontal=True):
        for label, value, note, meaning in metrics:
            st.metric(label, value, note, delta_color="off", delta_arrow="off", help=meaning, width="content")


def _more(models: Models, answers: Sequence[Answer[Association]]) -> None:
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == TEN:
                    published_tests.all_ten(models, PIECES.value)
                    return
                for container in running.containers(answers, part="others"):
                    with container as answer:
                        _others(answer)


def _others(answer: Answer[Association]) -> None:
    sets = {name: answer.query[name] for name in "xyab"}
    measures: pd.DataFrame | None = running.detail("others", Call(directions.other_measures, **sets), answer.model)
    if measures is None:
        return
    figures.table(
        measures.assign(value=measures["value"].round(4)),
        "Other measures of the same association",
        name=f"other-measures{shown.suffix()}",
    )
    st.caption(
        "The column “neutral” shows the value without any bias. All measures use the static embeddings; a word of"
        " several tokens is represented by their mean."
    )


def _of_one(model: Model) -> Call:
    return _query(model, model)


READINGS = {
    "clear": Reading(
        _of_one, "Whether the association is more than chance", "yes or no", lambda test: test.p < reporting.LEVEL
    ),
    "effect": Reading(_of_one, "Effect size d", "number", "effect"),
}
