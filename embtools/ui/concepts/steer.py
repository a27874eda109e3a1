"""Panel for a direction that is added to a layer: the answers over its strength, next to shuffled groups."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from embtools.charts import concepts as charts
from embtools.concepts.effects import EVERYWHERE, MASK, ONE_WORD
from embtools.concepts.fluency import BREAK
from embtools.concepts.groups import group_name
from embtools.concepts.steering import Steered, answer_lists, effort, steer
from embtools.mask_filling.typed_input import mask_last_word, mask_note, normalise_masks
from embtools.messages import counted
from embtools.statistics.percentages import rounded
from embtools.ui import captions, entry, fields, figures, page, running, shown, spelling, texts
from embtools.ui.call import Call
from embtools.ui.concepts import groups
from embtools.ui.fields import Choice, Number, Text
from embtools.ui.running import Answer
from embtools.ui.shown import Model, Models

TAB = "Steer"
TEXT = Text(
    "concepts_sentences",
    "The film was [MASK].\nThe food at the hotel is [MASK].\nI think that your idea is [MASK].\n"
    "My new teacher is [MASK].\nThe weather was [MASK] today.",
    3_000,
)
ONE = Text("concepts_one", "bad, terrible, poor, awful, wrong", 300)
OTHER = Text("concepts_other", "good, great, excellent, nice, wonderful", 300)
PLACES = {"All tokens": EVERYWHERE, "Mask": MASK, "Word": ONE_WORD}
WHERE = Choice("concepts_where", "All tokens", dict(zip(("all", "mask", "word"), PLACES, strict=True)))
WORDS = Text("concepts_words", "film, food, idea, teacher, weather", 500)
DRAWS = Number("concepts_random", 20, 5, 100, 5)
FIELDS = (*groups.FIELDS, groups.METHOD, TEXT, ONE, OTHER, WHERE, WORDS, DRAWS)
PRESETS: dict[str, dict[str, Any]] = groups.examples(
    male_female={
        TEXT.key: "The doctor said that [MASK] was tired.\nThe nurse said that [MASK] was tired.\n"
        "My friend told me that [MASK] would come.\n[MASK] works as a teacher.",
        ONE.key: "he",
        OTHER.key: "she",
        WORDS.key: "doctor, nurse, friend, works",
    },
    one_many={
        TEXT.key: "The sheep [MASK] very old.\nThe fish [MASK] in the river.\nThe deer [MASK] in the forest.",
        ONE.key: "is, was, has",
        OTHER.key: "are, were, have",
        WORDS.key: "sheep, fish, deer",
    },
    tenses={
        TEXT.key: "The shop [MASK] closed.\nMy brother [MASK] tired.\nThe streets [MASK] empty.\n"
        "The house [MASK] a garden.",
        ONE.key: "is, are, has, have",
        OTHER.key: "was, were, had",
        WORDS.key: "shop, brother, streets, house",
    },
)
_INTERVAL = "Blue band: 95% interval over your sentences (Student's t for fewer than 20, else the [[bootstrap]])."
_SHOWN = {-2.0: "minus_2", -1.0: "minus_1", 0.0: "unchanged", 1.0: "plus_1", 2.0: "plus_2"}
"""The strengths whose top answers are listed, and the columns of the answers."""


def _typed(text: str) -> tuple[str, ...]:
    """Return the sentences, each once."""
    return tuple(dict.fromkeys(normalise_masks(line) for line in text.splitlines() if line.strip()))


def _lines(text: str) -> tuple[str, ...]:
    """Return the sentences with their masks."""
    return tuple(dict.fromkeys(mask_last_word(line)[0] for line in _typed(text)))


FIRST = groups.first(
    steer,
    sentences=_lines(TEXT.default),
    first_answers=fields.words(ONE.default),
    second_answers=fields.words(OTHER.default),
)
button_texts = groups.button_texts


def caption() -> tuple[captions.Part, ...]:
    """Return what the caption of a saved chart names."""
    return (
        *groups.caption(),
        TEXT,
        ONE,
        OTHER,
        captions.Setting("direction", groups.METHOD),
        captions.Setting("added to", WHERE),
        *((WORDS,) if PLACES[WHERE.value] == ONE_WORD else ()),
        captions.Setting("shuffled groups", DRAWS),
    )


def show(models: Models) -> None:
    """Draw the fields; for each model the odds over the strength, and below it the costs and the top answers."""
    left, right = shown.fields_and_results(models)
    with left:
        problems = groups.draw(models)
        entry.text_area("Sentences with [MASK], one per line", height=84, **TEXT.widget)
        if note := mask_note(_typed(TEXT.value)):
            st.text(note)
        st.segmented_control("Add to", required=True, **WHERE.widget)
        if PLACES[WHERE.value] == ONE_WORD:
            entry.text_input(
                "Words, one for each sentence",
                help="Comma-separated. In each sentence, the direction is added to the first of these words. You can"
                " also write a single token, such as ##ing or [CLS].",
                **WORDS.widget,
            )
        with st.container(horizontal=True, gap="small"):
            entry.text_input("First answers", **ONE.widget)
            entry.text_input("Second answers", **OTHER.widget)
        below_answers = st.container()
        if request := _fitting():
            below_answers.text(request)
        groups.settings(("Shuffled groups", DRAWS))

    def lists(model: Model) -> dict[str, Any]:
        first, second = (fields.words(spelling.text(each, model.name)) for each in (ONE, OTHER))
        return {"first_answers": first, "second_answers": second}

    def query(model: Model) -> Call:
        return Call(
            steer,
            **groups.arguments(model, models),
            sentences=_lines(spelling.text(TEXT, model.name)),
            **lists(model),
            method=groups.METHODS[groups.METHOD.value],
            where=PLACES[WHERE.value],
            draws=int(DRAWS.value),
            **({"words": fields.words(spelling.text(WORDS, model.name))} if PLACES[WHERE.value] == ONE_WORD else {}),
        )

    def report(error: Exception) -> None:
        """Show an error about the answers below their fields, and any other below the groups."""
        container = problems
        try:
            running.run(Call(answer_lists, **lists(models[0])), models[0])
        except ValueError as of_lists:
            container = below_answers if str(of_lists) == str(error) else problems
        with container:
            texts.problem(error)

    with right, st.container(key="hero"):
        answers: Sequence[Answer[Steered]] = groups.ask(
            "steered",
            ("concepts-steer", "Add the direction"),
            query,
            models,
            (effort, "sentences draws layer"),
            first=FIRST,
            label="Adding directions",
            container=problems,
            report=report,
            prints=(
                *("headline", "comparison", "strengths", "sentences"),
                *("fluency.finding", "fluency.curve", "fluency.breaks"),
            ),
        )
        results = [answer.value for answer in answers]
        for container in running.containers(answers):
            with container as answer:
                _odds(answer.value, results)
    for container in running.containers(answers, part="costs"):
        with container as answer:
            _costs(answer.value, results)


def _fitting() -> str:
    """Return a request for answers that fit, if those in the fields were made for other groups than these; ""
    otherwise, and if at least half of the items of each group are the same."""
    answers = tuple(field.value for field in (ONE, OTHER))
    for values in PRESETS.values():
        of_example = {field.key: values.get(field.key, field.default) for field in FIELDS}
        if answers != tuple(of_example[field.key] for field in (ONE, OTHER)):
            continue
        same = groups.SOURCE.value == of_example[groups.SOURCE.key]
        if same and all(_mostly(field.value, of_example[field.key]) for field in groups.group_fields()):
            return ""
        return (
            f"The answers “{group_name(fields.words(ONE.value))[1:-1]}” and"
            f" “{group_name(fields.words(OTHER.value))[1:-1]}” were made for other groups. Write answers that fit your"
            " groups, and sentences in which both are possible."
        )
    return ""


def _mostly(group: str, of_example: str) -> bool:
    """Return whether at least half of the items of a group are in the group of an example."""
    now, then = groups.items(group), set(groups.items(of_example))
    return 2 * sum(item in then for item in now) >= len(now)


def _odds(result: Steered, results: Sequence[Steered]) -> None:
    if request := _fitting():
        shown.section(texts.plain(request))
    else:
        shown.headline(result.headline)
    figures.show(charts.odds, result, beside=results, name="concepts-odds")
    spread = "Thin lines: your sentences." if result.strengths["low"].isna().any() else _INTERVAL
    page.caption(
        "At each point, the direction is added with a different strength; 1 is the distance between the means of"
        f" the groups. Further up: the answers of the second list are more probable. {spread}"
        " Orange band: all directions between shuffled groups of the same length ([[control]])."
    )
    shown.finding(result.comparison)


def _costs(result: Steered, results: Sequence[Steered]) -> None:
    left, right = shown.split([1, 1], gap="medium")
    with left:
        st.subheader("What steering costs", anchor=False)
        figures.show(charts.cost, result, beside=results, name="concepts-steering-cost")
        page.caption(
            "The change in the [[log probability]] of acceptable answers in built-in sentences about other things."
            " There, the direction is always added to all tokens."
        )
    with right:
        st.subheader("Where fluency breaks", anchor=False)
        figures.show(charts.fluency, result, beside=results, name="concepts-fluency")
        page.caption(
            "The change in the [[pseudo-log-likelihood]] of a fixed text when the direction is added to all its tokens;"
            " the strength rises in steps of 0.5. Blue band: 95% interval over its sentences. Orange band:"
            f" {counted(result.fluency.draws, 'direction')} between shuffled groups ([[control]]). Below the dashed"
            f" line, the pseudo-log-likelihood has fallen by more than {BREAK:g} nat per token: a token is on average"
            f" (geometric mean) less than {rounded(np.exp(-BREAK))} as probable as without steering."
        )
    shown.finding(result.fluency.finding)
    figures.as_table(
        result.fluency.breaks,
        f"concepts-breaks{shown.suffix()}",
        "Where it breaks, as a table",
        title="The smallest strength at which fluency breaks",
    )
    title = "The top answer of each sentence by strength"
    figures.table(_top(result), title, name=f"concepts-top{shown.suffix()}")
    page.caption(
        "The top answer of each sentence, with the direction subtracted twice or once, without it, and with it added"
        " once or twice."
    )


def _top(result: Steered) -> pd.DataFrame:
    """Return the top answers: a row per sentence, a column per strength."""
    rows = result.sentences[result.sentences["strength"].isin(list(_SHOWN))]
    wide = rows.pivot(index="sentence", columns="strength", values="top_answer")
    wide = wide.loc[rows["sentence"].unique()].rename(columns=_SHOWN)
    return wide.rename_axis(columns=None).reset_index()
