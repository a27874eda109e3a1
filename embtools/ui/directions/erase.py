"""Panel for a concept that is erased from a layer: what a new classifier still finds, and what BERT still answers."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import directions as charts
from embtools.directions import erasing as numbers
from embtools.directions.erased import Erased
from embtools.directions.erasing import erase
from embtools.directions.groups import SENTENCES
from embtools.directions.other_property import PROPERTIES
from embtools.mask_filling.typed_input import mask_last_word, mask_note, normalise_masks
from embtools.spaces.erasers import INLP, LEACE, MAX_ROUNDS, PROJECTION
from embtools.ui import captions, entry, figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.directions import groups, sweep
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Erase"
TEXT = Text("directions_masked", "I think that your idea is [MASK].", 500)
METHODS = {"Projection": PROJECTION, "INLP": INLP, "LEACE": LEACE}
METHOD = Choice("directions_erasure", "LEACE", dict(zip(("projection", "inlp", "leace"), METHODS, strict=True)))
ROUNDS = Number("directions_rounds", 10, 1, MAX_ROUNDS, 1)
OTHER = Choice("directions_other_property", "part of speech", {name.replace(" ", "-"): name for name in PROPERTIES})
FIELDS = (*groups.FIELDS, TEXT, METHOD, ROUNDS, OTHER)
PRESETS: dict[str, dict[str, Any]] = groups.examples(
    male_female={TEXT.key: "The queen said that [MASK] was tired."},
    one_many={TEXT.key: "The dogs [MASK] in the house."},
    tenses={TEXT.key: "The bridge [MASK] closed for a week."},
)
_OF_SENTENCES = " The eraser is fitted on means over the tokens of sentences, and changes every token."
FIRST = groups.first(erase, text=TEXT.default)


button_texts = groups.button_texts


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        *groups.caption(),
        TEXT,
        captions.Setting("answers after", METHOD),
        captions.Setting("directions that INLP removes", ROUNDS),
        captions.Setting("other probe", OTHER),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model what is left by method, next to the cost, and the answers."""
    problems = groups.bar()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("Answers after", required=True, **METHOD.widget)
        groups.source()
        groups.layer(models)
        entry.text_input("Sentence with [MASK] or ___", **TEXT.widget)
    if note := mask_note([normalise_masks(TEXT.value)]):
        st.text(note)

    def query(model: Model) -> Call:
        return Call(
            erase,
            **groups.arguments(model, models),
            text=mask_last_word(normalise_masks(TEXT.value))[0],
            method=METHODS[METHOD.value],
            other=OTHER.value,
            rounds=int(ROUNDS.value),
        )

    def effort(call: Call) -> Call:
        return Call(numbers.effort, **{name: call[name] for name in ("first", "second", "draws", "rounds")})

    answers: Sequence[Answer[Erased]] = ()
    if long_work.may_begin("directions-erase", "Erase the concept", query, models, effort):
        answers = running.ask(
            "erased",
            query,
            models,
            FIRST,
            label="Erasing",
            container=problems,
            prints=("headline", "guarantee", "costs", "answer", "methods", "answers"),
        )
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer.value, results)
    sweep.show(models, query)
    groups.settings("Directions that INLP removes", ROUNDS, own=_other)


def _result(result: Erased, results: Sequence[Erased]) -> None:
    shown.headline(result.headline)
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(charts.left, result, name="directions-left")
        page.caption(
            f"Circles: a new classifier on {result.kind} that neither it nor the eraser has seen, with 95% intervals."
            f" Diamonds: on the {result.kind} that the eraser was fitted on. Dotted: guessing. Grey: the [[control]],"
            " which removes as many random directions as the methods above it ([[LEACE]] and projection remove one,"
            " [[INLP]] several)."
        )
    with right:
        figures.show(charts.erasure_cost, result, beside=results, name="directions-cost")
        page.caption(
            f"What erasing costs: the change in the [[log probability]] of masked words in"
            f" {result.text}, with 95% intervals. As in BERT's training, 15% of the tokens"
            f" are masked ({result.masks} in all)." + (_OF_SENTENCES if result.kind == SENTENCES else "")
        )
    st.text(result.guarantee)
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(charts.other, result, name="directions-other")
        page.caption(
            f"What else is lost: the accuracy of a new [[probe]] for the {result.other} of words that it has not seen,"
            " with 95% intervals. Dotted: guessing. The words are those of the Probing page."
        )
    with right:
        st.text(result.costs)
        shown.finding(result.answer)
        figures.table(
            result.answers, "Answers before and after the erasure", name=f"directions-answers{shown.suffix()}"
        )
        page.caption(
            f"The most probable words before and after {result.method}, and after removing {result.control} instead"
            f" ([[control]]: the mean over {result.draws} draws)."
        )


def _other() -> None:
    """Draw the choice of the property for which other probes are trained."""
    help_ = (
        "Erasing one concept should leave other properties unchanged. A new probe is trained for the property"
        " chosen here,"
        " before and after the erasure."
    )
    st.selectbox("Other probe", help=help_, **OTHER.widget)
