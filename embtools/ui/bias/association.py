"""Panel for association tests on words (WEAT) and on sentences (SEAT)."""

from typing import Any

import pandas as pd
import streamlit as st

from embtools.bias import association, directions, verdict
from embtools.bias.association import Association
from embtools.bias.published_tests import GLOVE
from embtools.progress import Progress, silent
from embtools.ui import cached, fields, figures, glossary, jobs, spelling, state
from embtools.ui.bias import notes, published_tests
from embtools.ui.bias import two_models as comparison
from embtools.ui.compare import Beside
from embtools.ui.fields import Choice, Text
from embtools.ui.share import Code
from embtools.words.templates import WORD

TAB = "Association tests"
COMPARES = True
WEAT, SEAT = "words (WEAT)", "sentences (SEAT)"
TEN, OTHERS = "All ten published tests", "Other measures on the same words"
LEVEL = Choice("bias_level", WEAT, (WEAT, SEAT))
PIECES = Choice("bias_pieces", "leave out", ("leave out", "mean"))
BLEACHED = Text(
    "bias_bleached", "\n".join(f"{start} {WORD}." for start in ("This is", "That is", "There is", "Here is"))
)
POOLING = Choice("bias_pooling", "cls", ("cls", "mean", "word"))
LAYER = Choice("bias_layer", "last")
MORE = Choice("bias_tests", TEN, (TEN, OTHERS))
FIELDS = (*published_tests.SETS, LEVEL, PIECES, BLEACHED, POOLING, LAYER, MORE)
PRESETS: dict[str, dict[str, Any]] = {
    "Names with career and family": {},
    "Flowers and insects": published_tests.values(1),
    "Science and arts": published_tests.values(8),
    "Names in sentences": {LEVEL.key: SEAT},
}


def button_texts() -> list[dict[str, str]]:
    """Field values that the choice of a published test can set."""
    return [published_tests.values(number) for number in GLOVE]


def test(
    x: tuple[str, ...],
    y: tuple[str, ...],
    a: tuple[str, ...],
    b: tuple[str, ...],
    level: str,
    pieces: Any,
    templates: tuple[str, ...],
    pooling: Any,
    layer: int,
    *,
    model: Any,
    progress: Progress = silent,
) -> Association:
    """Run the test on words or on sentences."""
    if level == WEAT:
        return association.weat(x, y, a, b, model, pieces=pieces)
    return association.seat(x, y, a, b, model, templates=templates, pooling=pooling, layer=layer, progress=progress)


def show(model: str, code: Code) -> None:
    """Draw the fields, the associations of the words, and whether the difference could be chance."""
    _bar(model)
    query = _query(model)
    first = (
        *(fields.words(spelling.quietly(f.default, model)) for f in published_tests.SETS),
        WEAT,
        "leave out",
        fields.lines(BLEACHED.default),
        "cls",
        -1,
    )
    if jobs.on_request("bias-association", "Encode the sentences", cached.compute(_seconds, model, *query), query):
        answer = jobs.ask("bias-association", test, model, query, first, label="Encoding the sentences")
        if answer:
            with jobs.results(answer, "bias-association", "  ·  ".join(published_tests.names(answer.asked[:4]))):
                _results(model, answer, code)
            _more(model, answer, code)
    notes.notes(*(("WEAT",) if LEVEL.value == WEAT else ("SEAT", "WEAT")), "Other measures")


def _query(model: str) -> tuple[Any, ...]:
    """The query of the fields for a model: words in its spelling, how they are read, and the layer."""
    reading = (PIECES.value, fields.lines(BLEACHED.value), POOLING.value, _layer(model))
    return (*published_tests.typed(model), LEVEL.value, *reading)


def _of(model: str, answer: jobs.Answer[Association], beside: Beside) -> tuple[Any, ...]:
    """The same query for another model: words in its own spelling, and its layer of the same depth."""
    query = answer.asked
    if model == beside.model:
        return query
    sets = query[:4] if answer.stale else published_tests.typed(model)
    return (*sets, *query[4:8], query[8] if query[8] < 0 else beside.layer(query[8]))


def _bar(model: str) -> None:
    seat = LEVEL.value == SEAT
    published, level, more, *layer, lists = st.columns(
        [8, 6, 5, *([3] if seat else []), 3], gap="small", vertical_alignment="bottom"
    )
    with published:
        published_tests.picker(model)
    level.segmented_control("Vectors of", required=True, help=_meaning(), **LEVEL.widget)
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
        layers = tuple(map(str, range(cached.model(model).layers)))
        layer[0].select_slider("Layer", help="Layer 0 is the input embedding.", **LAYER.among((*layers, "last")))
    with lists.popover(
        "Words", icon=":material/edit_note:", key="bias-sets", width="stretch", on_change="rerun"
    ) as words:
        if words.open:
            labels = ("X: targets", "Y: other targets", "A: attributes", "B: other attributes")
            for field, label in zip(published_tests.SETS, labels, strict=True):
                st.text_area(label, height=80, **field.widget)
            if seat:
                st.text_area("Sentences (one per line)", height=120, **BLEACHED.widget)


def _meaning() -> str:
    return f"WEAT: {glossary.definition('WEAT')} SEAT: {glossary.definition('SEAT')}"


def _layer(model: str) -> int:
    """The layer index: -1 is the last layer, also for a layer that the model does not have."""
    return int(LAYER.value) if LAYER.value.isdigit() and int(LAYER.value) < cached.model(model).layers else -1


def _seconds(*query: Any, model: Any) -> float:
    try:
        return association.effort(query[6], *query[:4], model=model) if query[4] == SEAT else 0.0
    except ValueError:
        return 0.0  # input that cannot be read is refused immediately


def _results(model: str, answer: jobs.Answer[Association], code: Code) -> None:
    query, result = answer.asked, answer.value
    names, number = published_tests.names(query[:4]), published_tests.number_of(query[:4])
    finding = verdict.association(result, names)
    beside = Beside(model, code, [5, 2], gap="large", more="The tab with other measures", finding=finding)
    again = beside.ask(
        "bias-association",
        test,
        lambda name: _of(name, answer, beside),
        label="Encoding the sentences",
        seconds=lambda name: cached.compute(_seconds, name, *_of(name, answer, beside)),
        words=lambda name: tuple(word for words in _of(name, answer, beside)[:4] for word in words),
        meanwhile=lambda: comparison.words([result], names, beside),
    )
    if again:
        beside.finding(verdict.association(again, names), second=True)
    comparison.words([each for each in (result, again) if each], names, beside)
    published = number if query[4] == WEAT else None
    with beside.first if beside.other else beside.detail:
        _metrics(result, published)
        _left_out(result, number)
    _code(query, names, code)
    if again:
        with beside.second:
            _metrics(again, published)
            _left_out(again, number)
        both = (beside.title, beside.other_title)
        beside.code(
            *_test(_of(beside.other, answer, beside), "other_result", "other", "other_"),
            f"print(two_models.associations(result, other_result, {both!r}))",
        )


def _left_out(result: Association, number: int | None) -> None:
    if result.left_out:
        st.text(f"Left out because they have several tokens: {', '.join(result.left_out)}.")
        if number:
            st.caption("Without these words, this is no longer the published test.")


def _code(query: tuple[Any, ...], names: tuple[str, ...], code: Code) -> None:
    code.add("test", *_test(query, "result", "model"), f"print(verdict.association(result, {names!r}))")


def _test(query: tuple[Any, ...], result: str, model: str, more: str = "") -> list[str]:
    """Python code of a test; the names of its sets begin with `more`."""
    call, options = "weat", f"pieces={query[5]!r}"
    if query[4] == SEAT:
        call, options = "seat", f"templates={query[6]!r}, pooling={query[7]!r}, layer={query[8]}"
    sets = [f"{more}{name}" for name in "xyab"]
    return [
        *(f"{name} = {words!r}" for name, words in zip(sets, query, strict=False)),
        f"{result} = association.{call}({', '.join(sets)}, {model}, {options})",
        f"print({result}.effect, ({result}.low, {result}.high), {result}.p, {result}.partitions)",
        f"print({result}.scores, {result}.left_out)",
    ]


def _metrics(result: Association, published: int | None) -> None:
    """Draw the numbers of the test as metrics."""
    shown = [
        (
            "Effect size d",
            f"{result.effect:.2f}".replace("-", "−"),
            f"95% interval {result.low:.2f} to {result.high:.2f}".replace("-", "−"),
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
        shown.append(
            (
                "Published d",
                f"{GLOVE[published]:.2f}",
                "on GloVe vectors",
                "Caliskan et al. 2017, table 1. " + glossary.definition("GloVe"),
            )
        )
    with st.container(horizontal=True):
        for label, value, note, meaning in shown:
            st.metric(label, value, note, delta_color="off", delta_arrow="off", help=meaning, width="content")


def _more(model: str, answer: jobs.Answer[Association], code: Code) -> None:
    for name, tab in state.tabs(MORE).items():
        if tab.open:
            with tab:
                if name == TEN:
                    published_tests.all_ten(model, answer.asked[5], code)
                else:
                    _others(model, answer.asked, code)


def _others(model: str, query: tuple[Any, ...], code: Code) -> None:
    measures: pd.DataFrame = cached.compute(directions.other_measures, model, *query[:4])
    figures.table(measures.assign(value=measures["value"].round(4)), name="other-measures")
    st.caption(
        "The column “neutral” is the value without any bias. All measures use the static embeddings; a word of several"
        " tokens is represented by their mean."
    )
    code.add("others", "others = directions.other_measures(x, y, a, b, model)", "print(others)")
