"""Panel for the direction between two groups of words or sentences, tested on those that it was not made from."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import directions as charts
from embtools.directions import find as numbers
from embtools.directions.direction import Direction
from embtools.directions.find import find_direction
from embtools.directions.groups import SENTENCES
from embtools.statistics.reporting import LEVEL
from embtools.ui import captions, entry, figures, long_work, page, running, shown
from embtools.ui.call import Call
from embtools.ui.directions import groups
from embtools.ui.fields import Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Find"
TEXT = Text("directions_text", "The hotel was dirty, but the food was delicious.", 500)
FIELDS = (*groups.FIELDS, groups.METHOD, TEXT)
PRESETS: dict[str, dict[str, Any]] = groups.examples(
    male_female={TEXT.key: "The nurse and the engineer met the queen."},
    one_many={TEXT.key: "The sheep and the children were near the houses."},
    tenses={TEXT.key: "The queen lives in a castle, but the king lived in a village."},
)
FIRST = groups.first(find_direction, text=TEXT.default)


button_texts = groups.button_texts


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        *groups.caption(),
        TEXT,
        captions.Setting("direction", groups.METHOD),
    )


def query(model: Model, models: Models) -> Call:
    """Return the query of the current fields for one of the models."""
    return Call(
        find_direction,
        **groups.arguments(model, models),
        method=groups.METHODS[groups.METHOD.value],
        text=TEXT.value.strip(),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the accuracy by layer next to the words, and the tokens of a sentence."""
    problems = groups.bar()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control("Direction", required=True, help=groups.METHOD_HELP, **groups.METHOD.widget)
        groups.source()
        groups.layer(models)
        entry.text_input("Sentence to score", **TEXT.widget)

    def of_model(model: Model) -> Call:
        return query(model, models)

    def effort(call: Call) -> Call:
        return Call(numbers.effort, **{name: call[name] for name in ("first", "second", "method")})

    answers: Sequence[Answer[Direction]] = ()
    if long_work.may_begin("directions-find", "Find the direction", of_model, models, effort):
        answers = running.ask(
            "direction",
            of_model,
            models,
            FIRST,
            label="Shuffling the groups",
            container=problems,
            prints=("headline", "mistakes", "layers", "words", "tokens"),
        )
    results = [answer.value for answer in answers]
    for container in running.containers(answers):
        with container as answer:
            _result(answer.value, results)
    groups.settings()


def _result(result: Direction, results: Sequence[Direction]) -> None:
    shown.headline(result.headline)
    left, right = shown.split([1, 1], gap="medium")
    with left:
        figures.show(charts.layers, result, name="directions-layers")
        page.caption(
            f"Share of held-out {result.kind} on their own group's side, with 95% intervals. Thin lines: the other"
            " methods; choose one of them to see its own control. Dashed: the chosen method with shuffled groups (the"
            " mean, with a line up to the 95th percentile). The ring marks the chosen layer."
        )
    with right:
        others = (each for each in results if each is not result)
        figures.show(charts.words, result, *others, name="directions-words")
        page.caption(
            f"Each mark is a {result.item}, placed along a direction that was made without it. −1 and +1 are the means"
            " of the groups. Hollow marks are on the wrong side"
            f"{'' if result.kind == SENTENCES else '; they are labelled where there is room'}."
        )
    st.text(result.mistakes)
    if len(result.tokens):
        left, right = shown.split([1, 1], gap="medium")
        with left:
            figures.show(charts.sentence, result, beside=results, name="directions-sentence", options={"table": False})
            page.caption(
                "Your sentence, token by token. Orange: towards the first group. Blue: towards the second group."
                " Stronger colour: further towards that group. The scale is the same as in the chart of words above."
                " The direction was made from other sentences, so only differences between tokens are meaningful."
            )
        with right:
            figures.show(charts.tokens, result, beside=results, name="directions-tokens")
            page.caption("The same scores as bars. Dashed lines: the means of both groups.")


def _of_one(model: Model) -> Call:
    return query(model, (model,))


READINGS = {
    "accuracy": Reading(
        _of_one, "Held-out items on their own group's side", "number", lambda found: found.row["accuracy"], "%"
    ),
    "shuffled": Reading(_of_one, "The same with shuffled groups", "number", lambda found: found.row["shuffled"], "%"),
    "clear": Reading(_of_one, "Whether that is more than chance", "yes or no", lambda found: found.p <= LEVEL),
}
