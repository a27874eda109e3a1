"""A concept erased from a layer: what a new classifier still finds, and what BERT answers; layer and method chosen."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from embtools.charts import concepts as charts
from embtools.concepts.erased import Erased, Sweep
from embtools.concepts.erasing import effort, erase, sweep, sweep_effort
from embtools.concepts.groups import SENTENCES
from embtools.concepts.left_over import PROPERTIES
from embtools.mask_filling.typed_input import mask_last_word, mask_note, normalise_masks
from embtools.spaces.erasers import INLP, LEACE, MAX_ROUNDS, PROJECTION
from embtools.ui import captions, entry, figures, page, running, shown, texts
from embtools.ui.call import Call
from embtools.ui.concepts import groups
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Erase"
TEXT = Text("concepts_masked", "I think that your idea is [MASK].", 500)
METHODS = {"Projection": PROJECTION, "INLP": INLP, "LEACE": LEACE}
METHOD = Choice("concepts_erasure", "LEACE", dict(zip(("projection", "inlp", "leace"), METHODS, strict=True)))
ROUNDS = Number("concepts_rounds", 10, 1, MAX_ROUNDS, 1)
OTHER = Choice("concepts_other_property", "part of speech", {name.replace(" ", "-"): name for name in PROPERTIES})
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
    """Draw the fields; for each model what is left by method, and below it the costs, the answers and the choice."""
    left, right = shown.fields_and_results(models)
    with left:
        problems = groups.draw(models, with_method=False)
        st.segmented_control("Answers after", required=True, **METHOD.widget)
        entry.text_input("Sentence with [MASK] or ___", **TEXT.widget)
        if note := mask_note([normalise_masks(TEXT.value)]):
            st.text(note)
        groups.settings(("Directions that INLP removes", ROUNDS), own=_other)

    def query(model: Model) -> Call:
        return Call(
            erase,
            **groups.arguments(model, models),
            text=mask_last_word(normalise_masks(TEXT.value))[0],
            method=METHODS[METHOD.value],
            other=OTHER.value,
            rounds=int(ROUNDS.value),
        )

    with right, st.container(key="hero"):
        answers: Sequence[Answer[Erased]] = groups.ask(
            "erased",
            ("concepts-erase", "Erase the concept"),
            query,
            models,
            (effort, "first second draws rounds"),
            first=FIRST,
            label="Erasing",
            container=problems,
            prints=("headline", "guarantee", "costs", "answer", "methods", "answers"),
        )
        for container in running.containers(answers):
            with container as answer:
                _left_over(answer.value)
    results = [answer.value for answer in answers]
    for container in running.containers(answers, part="costs"):
        with container as answer:
            _costs(answer.value, results)
    _sweep(models, query)


def _left_over(result: Erased) -> None:
    shown.headline(result.headline)
    figures.show(charts.left_over, result, name="concepts-left-over")
    page.caption(
        f"Circles: a new classifier on {result.kind} that neither it nor the eraser has seen, with 95% intervals."
        f" Diamonds: on the {result.kind} that the eraser was fitted on. Dotted: guessing. Grey: the [[control]],"
        " which removes as many random directions as the methods above it ([[LEACE]] and projection remove one,"
        " [[INLP]] several)."
    )
    st.text(result.guarantee)


def _costs(result: Erased, results: Sequence[Erased]) -> None:
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(charts.erasure_cost, result, beside=results, name="concepts-cost")
        page.caption(
            f"What erasing costs: the change in the [[log probability]] of masked words in"
            f" {result.text}, with 95% intervals. As in BERT's training, 15% of the tokens"
            f" are masked ({result.masks} in all)." + (_OF_SENTENCES if result.kind == SENTENCES else "")
        )
    with right:
        figures.show(charts.other_property, result, name="concepts-other")
        page.caption(
            f"What else is lost: the accuracy of a new [[probe]] for the {result.other} of words that it has not seen,"
            " with 95% intervals. Dotted: guessing. The words are those of the tab Probe."
        )
    st.text(result.costs)
    shown.finding(result.answer)
    figures.table(result.answers, "Answers before and after the erasure", name=f"concepts-answers{shown.suffix()}")
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


def _sweep(models: Models, erased: Callable[[Model], Call]) -> None:
    """Draw an expander; when it is open, try all layers and methods for the groups of the query of the panel."""

    def query(model: Model) -> Call:
        call = erased(model)
        return Call(sweep, **{name: call[name] for name in ("first", "second", "template", "rounds", "seed")})

    with figures.expander("concepts-sweep", "Choose layer and method", ":material/search:") as opened:
        if not opened:
            return
        st.text(
            "If you try many layers and methods and report the best, it looks better than it is. Here, the"
            " choice is made on one half of your items and tested on the other half."
        )
        answers: Sequence[Answer[Sweep]] = groups.ask(
            "swept",
            ("concepts-sweep", "Try all layers and methods"),
            query,
            models,
            (sweep_effort, "first second draws rounds"),
            label="Trying layers and methods",
            prints=("headline", "rule", "choices", "reported"),
        )
        for container in running.containers(answers, part="sweep"):
            with container as answer:
                _chosen(answer.value)


def _chosen(result: Sweep) -> None:
    shown.section(texts.plain(result.headline))
    figures.show(charts.choices, result, name="concepts-choices")
    page.caption(
        f"Lines: accuracy of a new classifier on the half of the {result.kind} that chooses, in every layer. The"
        " erasers are fitted on one part of this half, the classifiers on the other part. Ring: what was chosen. Star:"
        " the chosen eraser, fitted on the whole half, on the other half, with its 95% interval. Dotted: guessing."
    )
    st.text(result.rule)
    figures.table(result.reported, "What was chosen, on the other half", name=f"concepts-reported{shown.suffix()}")
