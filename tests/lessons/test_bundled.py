"""The lessons of the app: complete, answered by the bundled model, and within the time that a class has."""

import re

import numpy as np
import pytest

from embtools.concepts.groups import group_states
from embtools.lessons.bundled import lessons
from embtools.ui import fields, running
from embtools.ui.bias import association
from embtools.ui.concepts import direction
from embtools.ui.lessons import shown_panel
from embtools.ui.shown import Model
from tests.test_style import replaced

pytestmark = pytest.mark.usefixtures("as_shipped", "patient")

NAMES = list(lessons())


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_complete(name: str) -> None:
    lesson = lessons()[name]
    shown_panel.check(lesson)
    assert 10 <= lesson.minutes <= 15 and lesson.summary and "**Goal.**" in lesson.notes
    assert 5 <= lesson.questions == len(lesson.steps) <= 8
    for step in lesson.steps:
        assert step.before and step.after and step.point, step.title
        assert not replaced(" ".join((step.title, step.before, step.question, step.point, step.after)))
        assert not re.search(r"[<>]|!\[|\]\(", step.before + step.after), "no HTML, pictures or links"


@pytest.mark.thorough("chance", "how-often")
@pytest.mark.slow("probe", "where")
@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_a_right_choice_with_the_bundled_model(name: str, bundled) -> None:  # type: ignore[no-untyped-def]
    right = []
    for step in lessons()[name].steps:
        solved = shown_panel.solve(step, shown_panel.of(step.shows), "bundled")
        right.append(solved.right)
        assert right[-1] is not None, (step.title, solved.written)
    assert len(set(right)) > 1, "always the same choice would be no question"


def panel_of(name: str, step: int) -> shown_panel.ShownPanel:
    """The panel that a step of a lesson shows, counted from 1."""
    return shown_panel.of(lessons()[name].steps[step - 1].shows)


def test_the_few_words_of_chance_are_compared_without_a_clear_result(bundled) -> None:  # type: ignore[no-untyped-def]
    """The effect is large, no word is left out, and the longer lists of the next step have a clear result."""
    found = []
    for step in (5, 6):
        with fields.given(panel_of("chance", step).values):
            found.append(running.run(association._query(Model("bundled"), Model("bundled")), Model("bundled")))
    few, many = found
    assert few.effect > 0.8 and few.p > 0.05 and not few.left_out and few.partitions == 70
    assert many.p < 0.05 and np.isnan(few.low) and many.low > 0, "four words are too few for an interval"


def test_without_attention_to_rome_the_effect_is_lost(bundled) -> None:  # type: ignore[no-untyped-def]
    step = lessons()["where"].steps[5]
    solved = shown_panel.solve(step, panel_of("where", 6), "bundled")
    assert step.answer == "lost" and solved.written == "101%" and step.choices[solved.right or 0].key == "90.."


def test_random_groups_are_separate_only_on_a_line_that_was_drawn_with_them(bundled) -> None:  # type: ignore[no-untyped-def]
    """What step 6 of the lesson about probes says about a chart without held-out words."""
    with fields.given(panel_of("probe", 6).values):
        query = direction.query(Model("bundled"), (Model("bundled"),))
    states = group_states(query["first"], query["second"], bundled)
    vectors, second = states.states[query["layer"]], states.second
    means = vectors[~second].mean(0), vectors[second].mean(0)
    on_line = (vectors - (means[0] + means[1]) / 2) @ (means[1] - means[0])
    assert ((on_line > 0) == second).mean() > 0.9
    held_out = running.run(query, Model("bundled"))
    assert not held_out.words["correct"].mean() > 0.5
