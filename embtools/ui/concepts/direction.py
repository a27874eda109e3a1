"""Panel for the direction between two groups of words or sentences, tested on those that it was not made from."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from embtools.charts import concepts as charts
from embtools.concepts.direction import Direction, effort, find_direction
from embtools.concepts.groups import SENTENCES
from embtools.statistics.reporting import LEVEL
from embtools.ui import captions, entry, figures, page, running, shown
from embtools.ui.call import Call
from embtools.ui.concepts import groups
from embtools.ui.fields import Text
from embtools.ui.lesson_answers import Reading
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Direction"
TEXT = Text("concepts_text", "The hotel was dirty, but the food was delicious.", 500)
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
    return *groups.caption(), TEXT, captions.Setting("direction", groups.METHOD)


def query(model: Model, models: Models) -> Call:
    """Return the query of the current fields for one of the models."""
    return Call(
        find_direction,
        **groups.arguments(model, models),
        method=groups.METHODS[groups.METHOD.value],
        text=TEXT.value.strip(),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the accuracy by layer, and below it the words and the tokens of a sentence."""
    left, right = shown.fields_and_results(models)
    with left:
        problems = groups.draw(models)
        entry.text_input("Sentence to score", **TEXT.widget)
        groups.settings()
    with right, st.container(key="hero"):
        answers: Sequence[Answer[Direction]] = groups.ask(
            "direction",
            ("concepts-direction", "Find the direction"),
            lambda model: query(model, models),
            models,
            (effort, "first second method"),
            first=FIRST,
            label="Shuffling the groups",
            container=problems,
            prints=("headline", "mistakes", "layers", "words", "tokens"),
        )
        for container in running.containers(answers):
            with container as answer:
                _layers(answer.value)
    results = [answer.value for answer in answers]
    for container in running.containers(answers, part="items"):
        with container as answer:
            _items(answer.value, results)


def _layers(result: Direction) -> None:
    shown.headline(result.headline)
    figures.show(charts.direction_layers, result, name="concepts-layers")
    page.caption(
        f"Share of held-out {result.kind} on their own group's side, with 95% intervals. Thin lines: the other"
        " methods; choose one of them to see its own control. Dashed: the chosen method with shuffled groups (the"
        " mean, with a line up to the 95th percentile). The ring marks the chosen layer."
    )


def _items(result: Direction, results: Sequence[Direction]) -> None:
    left, right = shown.split([1, 1], gap="medium")
    with left:
        others = (each for each in results if each is not result)
        figures.show(charts.words, result, *others, name="concepts-words")
        page.caption(
            f"Each mark is a {result.item}, placed along a direction that was made without it. −1 and +1 are the means"
            " of the groups. Hollow marks are on the wrong side"
            f"{'' if result.kind == SENTENCES else '; they are labelled where there is room'}."
        )
        st.text(result.mistakes)
    with right:
        if len(result.tokens):
            figures.show(charts.sentence, result, beside=results, name="concepts-sentence", options={"table": False})
            page.caption(
                "Your sentence, token by token. Orange: towards the first group. Blue: towards the second group."
                " Stronger colour: further towards that group. The scale is the same as in the chart of words."
                " The direction was made from other sentences, so only differences between tokens are meaningful."
            )
            figures.show(charts.tokens, result, beside=results, name="concepts-tokens")
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
