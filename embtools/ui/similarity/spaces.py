"""Panel for one word list in two spaces (models or layers): two heatmaps side by side, or their difference."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from embtools.charts import matrix as charts
from embtools.doors import import_line
from embtools.models.catalogue import CATALOGUE
from embtools.similarity.matrix import preset
from embtools.similarity.spaces import NamedModel, TwoSpaces, two_spaces
from embtools.spaces.space import AS_IS
from embtools.ui import captions, entry, figures, page, running, shown, state
from embtools.ui import models as choosers
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Text
from embtools.ui.options import choose
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs
from embtools.words.templates import WORD

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

TAB = "Two spaces"
SAME, LAST = "same", "last layer"
OTHER = Choice("similarity_other", SAME, (SAME, *CATALOGUE))
CHOOSER = choosers.Chooser(
    OTHER,
    choosers.wanted("similarity_other_wanted"),
    state.weights("similarity_other_"),
    "Until then, the same model is compared.",
)
VECTORS = Choice("similarity_other_vectors", LAST, keys={"last": LAST})
TEMPLATE = Text("similarity_other_template", f"This is {WORD}.", 300)
STANDARDISE = Flag("similarity_standardise", True)
BESIDE, DIFFERENCE = "Side by side", "Difference"
VIEW = Choice("similarity_view", BESIDE, {"both": BESIDE, "difference": DIFFERENCE})
FIELDS = (*inputs.FIELDS, OTHER, CHOOSER.wanted, CHOOSER.weights, VECTORS, TEMPLATE, STANDARDISE, VIEW)
PRESETS = inputs.LISTS


@dataclass(frozen=True)
class _Shared(NamedModel):
    """A model that is opened from those which all visitors share."""

    def open(self) -> "EmbeddingModel":
        return Model(self.name).open()

    @property
    def code(self) -> str:
        """The same model as Python."""
        return f"NamedModel({self.name!r})"

    @property
    def imports(self) -> set[str]:
        """The line that the Python needs."""
        return {import_line(NamedModel)}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    second: tuple[captions.Part, ...] = (f"other model: {CATALOGUE[OTHER.value].title}",) if OTHER.value != SAME else ()
    if VECTORS.value != inputs.STATIC:
        second = (TEMPLATE, *second)
    return (
        *inputs.caption(),
        *second,
        captions.Setting("compared with", VECTORS),
        *(("standardised",) if STANDARDISE.value and VIEW.value == DIFFERENCE else ()),
    )


def show(models: Models) -> None:
    """Draw the fields for the list and both spaces; for each model the two heatmaps or their difference."""
    _, container = inputs.bar(models[0].name)
    left, right = st.columns(2)
    with left:
        vectors = inputs.chosen_vectors(models[0].name)
    with right:
        others, second_container = _second(models[0])
    models = inputs.within(models, vectors)

    def query(model: Model) -> Call:
        name, more = _other(model), dict(others)
        if "other_layer" in more and name == model.name:
            more["other_layer"] = shown.same_depth(more["other_layer"], Model(models[0].name), Model(model.name))
        return Call(
            two_spaces,
            words=inputs.words(model.name),
            other=_Shared(name),
            **inputs.at_depth(vectors, model, models[0]),
            **more,
        )

    fine = inputs.is_listed(query(models[0]), models[0])
    answers = running.ask(
        "spaces",
        query,
        models,
        lambda model: Call(two_spaces, words=preset("Colours"), other=_Shared(_other(model))),
        label=inputs.READING,
        container=second_container if fine else container,
        prints=(
            *("headline", "test", "first.pairs", "second.pairs", f"differences({STANDARDISE.value})"),
            *("first.random", "second.random"),
        ),
    )
    if not fine or (answers and not answers[0].stale):
        inputs.suggest(answers, query, models, container)
    if answers:
        _compared(inputs.same_list(answers))


def _other(model: Model) -> str:
    return model.name if OTHER.value == SAME else str(OTHER.value)


def _second(model: Model) -> tuple[dict[str, Any], Any]:
    """Show the expander for the second space; return its vectors as arguments and the container for errors."""
    CHOOSER.settle()
    CHOOSER.offer()
    other = _other(model)
    choosers.load(other)
    if note := shown.settle_weights({CHOOSER.weights: "" if OTHER.value == SAME else other}):
        st.caption(note)
    options = inputs.layers(other)
    widget = VECTORS.among((LAST, *options))
    chosen = options[-1] if VECTORS.value == LAST else VECTORS.value
    static = chosen == inputs.STATIC
    with figures.expander(
        "second", f"Second space: {_model_title(OTHER.value)}, {VECTORS.value}", ":material/compare:"
    ) as opened:
        if opened:
            names = {SAME: _model_title(SAME)} | choosers.titles(OTHER.value)
            choose(st.selectbox, "Second model", OTHER.key, names, OTHER.value, CHOOSER.take)
            choosers.waiting(CHOOSER)
            st.selectbox("Vectors of the second space", **widget)
            entry.text_input(
                f"Sentence around each {WORD}",
                disabled=static,
                **TEMPLATE.widget,
            )
            st.toggle(
                "Standardise",
                help="Before the difference is computed, the mean of each table is subtracted and the result is divided"
                " by its standard deviation. This is needed because the cosines of one space may be higher overall"
                " than those of the other, which says nothing about individual pairs.",
                **STANDARDISE.widget,
            )
    if static:
        return {}, st.container()
    return {"other_layer": int(chosen.split()[1]), "other_template": TEMPLATE.value}, st.container()


def _compared(answers: Sequence[Answer[TwoSpaces]]) -> None:
    for container in running.containers(answers):
        with container as answer:
            shown.headline(answer.value.headline)
            if answer.value.no_test:
                st.text(answer.value.no_test)
    opened = state.tabs(VIEW)
    for view, draw in ((BESIDE, _beside), (DIFFERENCE, _difference)):
        if opened[view].open:
            with opened[view]:
                for container in running.containers(answers, part="heatmaps"):
                    with container as answer:
                        draw(answer, next((each.value for each in answers if each is not answer), None))
    tests = [answer.value.test for answer in answers if answer.value.test]
    if tests:
        scales = "Each heatmap has its own colour scale."
        if len(answers) == 2:
            scales = "The heatmaps of one space have the same colour scale in both models."
        page.caption(
            f"[[ρ]] is computed over all pairs, and the [[p-value]] comes from a [[Mantel test]]"
            f" ({tests[0].permutations:,} shuffles). Both heatmaps show the words in the order given by the tree of the"
            f" first heatmap. {scales}"
        )


def _beside(answer: Answer[TwoSpaces], other: TwoSpaces | None) -> None:
    for number, (column, title, name) in enumerate(
        zip(shown.split([1, 1]), _titles(answer), ("similarity-first", "similarity-second"), strict=True)
    ):
        with column:
            figures.show(charts.space, answer.value, number, title, other, name=name, options={"above": 25})


def _difference(answer: Answer[TwoSpaces], other: TwoSpaces | None) -> None:
    titles = _titles(answer)
    title = f"{titles[1]} minus {titles[0]}"
    standardise = bool(STANDARDISE.value)
    figures.show(
        charts.space_difference,
        answer.value,
        standardise,
        title,
        other,
        name="difference",
        options={"above": 25},
    )
    page.caption(
        "Blue pairs are more similar in the second space; orange pairs are less similar."
        + (" Each table was divided by its own standard deviation first." if standardise else "")
    )


def _titles(answer: Answer[TwoSpaces]) -> tuple[str, str]:
    """The names of the two spaces; if the first one is processed, the second one is raw, which its name says."""
    query, space = answer.query, answer.model.space
    first = _title(answer.model.name, query["layer"])
    second = _title(query["other"].name, query["other_layer"])
    return (first, second) if space == AS_IS else (f"{first}, {space.says}", f"{second}, raw")


def _model_title(name: str) -> str:
    return "the same model" if name == SAME else CATALOGUE[name].title


def _title(name: str, layer: int | None) -> str:
    space = "static embeddings" if layer is None else f"layer {layer}"
    return f"{CATALOGUE[name].title}, {space}"
