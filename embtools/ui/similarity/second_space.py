"""A word list in a second space, next to the first one of the heatmap: another model, layer or processed space."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from embtools.charts import matrix as charts
from embtools.doors import import_line
from embtools.models.catalogue import CATALOGUE
from embtools.similarity.matrix import preset
from embtools.similarity.spaces import NamedModel, TwoSpaces, two_spaces
from embtools.spaces.space import AS_IS, Space
from embtools.ui import captions, entry, figures, page, running, shown, state
from embtools.ui import models as choosers
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Flag, Text
from embtools.ui.options import choose
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models
from embtools.ui.similarity import inputs
from embtools.ui.spaces import Spaces
from embtools.words.templates import WORD

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel

NOTHING, SAME, LAST = "nothing", "same", "last layer"
OTHER = Choice("similarity_other", NOTHING, (NOTHING, SAME, *CATALOGUE))
CHOOSER = choosers.Chooser(
    OTHER,
    choosers.wanted("similarity_other_wanted"),
    state.weights("similarity_other_"),
    "Until then, nothing is compared.",
)
VECTORS = Choice("similarity_other_vectors", LAST, keys={"last": LAST})
TEMPLATE = Text("similarity_other_template", f"This is {WORD}.", 300)
PROCESSED = Spaces("similarity_other")
STANDARDISE = Flag("similarity_standardise", True)
BESIDE, DIFFERENCE = "Side by side", "Difference"
VIEW = Choice("similarity_view", BESIDE, {"both": BESIDE, "difference": DIFFERENCE})
FIELDS = (OTHER, CHOOSER.wanted, CHOOSER.weights, VECTORS, TEMPLATE, *PROCESSED.fields, STANDARDISE, VIEW)


@dataclass(frozen=True)
class _Shared(NamedModel):
    """A model that is opened from those which all visitors share."""

    def open(self) -> "EmbeddingModel":
        return Model(self.name, self.space).open()

    @property
    def code(self) -> str:
        """The same model as Python."""
        return f"NamedModel({self.name!r}{'' if self.space == AS_IS else f', {self.space.code}'})"

    @property
    def imports(self) -> set[str]:
        """The lines that the Python needs."""
        return {import_line(NamedModel), *(() if self.space == AS_IS else (import_line(Space),))}


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart says about the second space; nothing if there is none."""
    if OTHER.value == NOTHING:
        return ()
    second: tuple[captions.Part, ...] = (f"other model: {CATALOGUE[OTHER.value].title}",) if OTHER.value != SAME else ()
    second = (*second, PROCESSED.caption()) if VECTORS.value == inputs.STATIC else (TEMPLATE, *second)
    return (
        *second,
        captions.Setting("compared with", VECTORS),
        *(("standardised",) if STANDARDISE.value and VIEW.value == DIFFERENCE else ()),
    )


def fields(model: Model) -> None:
    """Draw the expander for the second space."""
    CHOOSER.settle()
    CHOOSER.offer()
    other = str(OTHER.value)
    chosen = model.name if other in (NOTHING, SAME) else other
    choosers.load(chosen)
    if note := shown.settle_weights({CHOOSER.weights: "" if other in (NOTHING, SAME) else other}):
        st.caption(note)
    widget = VECTORS.among((LAST, *inputs.layers(chosen)))
    title = "nothing" if other == NOTHING else f"{_model_title(other)}, {_vectors()}"
    with figures.expander("second", f"Compare with: {title}", ":material/compare:") as opened:
        if not opened:
            return
        names = {NOTHING: "nothing", SAME: _model_title(SAME)} | choosers.titles(other)
        choose(st.selectbox, "Compare with", OTHER.key, names, other, CHOOSER.take)
        choosers.waiting(CHOOSER)
        if other == NOTHING:
            return
        static = VECTORS.value == inputs.STATIC
        st.selectbox("Vectors of the second space", **widget)
        if static:
            PROCESSED.show()
        else:
            entry.text_input(f"Sentence around each {WORD}", **TEMPLATE.widget)
        st.toggle(
            "Standardise",
            help="Before the difference is computed, the mean of each table is subtracted and the result is divided"
            " by its standard deviation. This is needed because the cosines of one space may be higher overall"
            " than those of the other, which says nothing about individual pairs.",
            **STANDARDISE.widget,
        )


def show(models: Models, vectors: dict[str, Any], container: Any) -> None:
    """Draw the list of the first source (`models` in their space, with the arguments `vectors`) and in the second
    space: two heatmaps or their difference."""

    def query(model: Model) -> Call:
        return Call(
            two_spaces,
            words=inputs.words(model.name),
            other=_other(model),
            **inputs.at_depth(vectors, model, models[0]),
            **_second(model),
        )

    second_container = st.container()
    if len(models) > 1:
        st.text(f"{models[1].title} is not shown: the second space takes its place.")
    models = models[:1]
    fine = inputs.is_listed(query(models[0]), models[0])
    answers = running.ask(
        "spaces",
        query,
        models,
        lambda model: Call(two_spaces, words=preset("Colours"), other=_other(model)),
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
        _compared(answers)


def _other(model: Model) -> _Shared:
    space = PROCESSED.value if VECTORS.value == inputs.STATIC else AS_IS
    return _Shared(model.name if OTHER.value == SAME else str(OTHER.value), space)


def _second(model: Model) -> dict[str, Any]:
    """The layer and the sentence of the second space as arguments."""
    options = inputs.layers(_other(model).name)
    chosen = options[-1] if VECTORS.value == LAST else VECTORS.value
    return {} if chosen == inputs.STATIC else {"other_layer": int(chosen.split()[1]), "other_template": TEMPLATE.value}


def _vectors() -> str:
    """The vectors of the second space in words."""
    if VECTORS.value != inputs.STATIC:
        return str(VECTORS.value)
    space = PROCESSED.value
    return "static embeddings" if space == AS_IS else f"static embeddings, {space.says}"


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
                        draw(answer)
    if test := answers[0].value.test:
        page.caption(
            f"[[ρ]] is computed over all pairs, and the [[p-value]] comes from a [[Mantel test]]"
            f" ({test.permutations:,} shuffles). Both heatmaps show the words in the order given by the tree of the"
            " first heatmap. Each heatmap has its own colour scale."
        )


def _beside(answer: Answer[TwoSpaces]) -> None:
    for number, (column, title, name) in enumerate(
        zip(shown.split([1, 1]), _titles(answer), ("similarity-first", "similarity-second"), strict=True)
    ):
        with column:
            figures.show(charts.space, answer.value, number, title, name=name, options={"above": 25})


def _difference(answer: Answer[TwoSpaces]) -> None:
    titles = _titles(answer)
    title = f"{titles[1]} minus {titles[0]}"
    standardise = bool(STANDARDISE.value)
    figures.show(
        charts.space_difference,
        answer.value,
        standardise,
        title,
        name="difference",
        options={"above": 25},
    )
    page.caption(
        "Blue pairs are more similar in the second space; orange pairs are less similar."
        + (" Each table was divided by its own standard deviation first." if standardise else "")
    )


def _titles(answer: Answer[TwoSpaces]) -> tuple[str, str]:
    """The names of the two spaces; the second one is raw unless it is processed itself, which its name says."""
    query, model, other = answer.query, answer.model, answer.query["other"]
    first = _title(model.title, query["layer"])
    if model.vectors is not None:
        first = inputs.TEXTS.capitalize() if inputs.OF.source.value == inputs.TEXTS else model.title
    second = _title(CATALOGUE[other.name].title, query["other_layer"])
    if model.space == other.space == AS_IS:
        return first, second
    return (f"{first}, {model.space.says}", f"{second}, {other.space.says}")


def _model_title(name: str) -> str:
    return "the same model" if name == SAME else CATALOGUE[name].title


def _title(title: str, layer: int | None) -> str:
    return f"{title}, {'static embeddings' if layer is None else f'layer {layer}'}"
