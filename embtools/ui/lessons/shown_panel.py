"""The panel that a step of a lesson shows: found by its address, with the values that the address sets."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qs, urlencode

from embtools.lessons.guesses import right_choice
from embtools.lessons.lesson import NO, YES, Lesson, LessonProblem, Step
from embtools.ui import menu, panels, state
from embtools.ui.fields import Field, given
from embtools.ui.lesson_answers import Reading
from embtools.ui.shown import Model

_MOST_PARAMETERS = 60


@dataclass(frozen=True)
class ShownPanel:
    """A panel with the values of a step.

    page      the page to which it belongs
    tab       its permanent key on that page
    module    the panel itself
    values    the values of all its fields, by key: those of the address, and defaults
    expanded  the names of the expanders that are open
    """

    page: menu.Page
    tab: str
    module: Any
    values: Mapping[str, Any] = field(default_factory=dict)
    expanded: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        """Its fields, with the values of the step as defaults, so that the lesson's address need not contain them."""
        return tuple(replace(each, default=self.values[each.key]) for each in self.module.FIELDS)

    @property
    def readings(self) -> dict[str, Reading]:
        """What a lesson can ask about it."""
        readings: dict[str, Reading] = getattr(self.module, "READINGS", {})
        return readings

    @property
    def parameters(self) -> dict[str, list[str]]:
        """The parameters of the address: its tab if there are several, and the values that are not defaults."""
        fields = [each for each in self.module.FIELDS if not each.is_default(self.values[each.key])]
        several = len(panels.of(self.page.name)) > 1
        return {
            **({f"{self.page.name}_tab": [self.tab]} if several else {}),
            **{each.key: each.write(self.values[each.key]) for each in fields},
            **({state.OPEN.key: list(self.expanded)} if self.expanded else {}),
        }

    @property
    def address(self) -> str:
        """The address: the page, and the parameters."""
        query = urlencode(self.parameters, doseq=True)
        return f"{self.page.name}?{query}" if query else self.page.name


@dataclass(frozen=True)
class Solution:
    """The computed answer to the question of a step.

    right    the index of the right choice; None if no choice fits
    written  the answer as text
    """

    right: int | None
    written: str


def of(shows: str, line: int = 0, *, lenient: bool = False) -> ShownPanel:
    """Return the panel of an address such as "pairs?pairs_tab=next&pairs_seed=3" with only values that its fields
    allow; raises LessonProblem for anything else."""
    # A lenient address may be a whole link; parameters of the page or of its other tabs are ignored.
    path, _, query = shows.strip().partition("?")
    name = path.rstrip("/").rpartition("/")[2] if lenient else path
    page = next((each for each in menu.PAGES if each.name == name), None)
    offered = panels.of(name) if page else {}
    if page is None or not offered:
        raise LessonProblem(
            f"There is no page “{name[:60]}” with a panel. Copy the address from the page's Link.", line
        )
    try:
        parameters = parse_qs(query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS, errors="replace")
    except ValueError:
        raise LessonProblem(f"This address has more than {_MOST_PARAMETERS} parameters.", line) from None
    tab = parameters.pop(f"{name}_tab", [next(iter(offered))])[-1]
    if tab not in offered:
        raise LessonProblem(f"The page “{name}” has no tab “{tab[:60]}”. It has: {', '.join(offered)}.", line)
    fields = {each.key: each for each in offered[tab].FIELDS}
    expanded = state.OPEN.read(parameters.pop(state.OPEN.key, []))
    if not lenient and (unknown := [key for key in parameters if key not in fields]):
        raise LessonProblem(f"The tab “{tab}” of the page “{name}” has no field “{unknown[0][:60]}”.", line)
    if wrong := next((key for key, parts in parameters.items() if key in fields and fields[key].refuses(parts)), ""):
        raise LessonProblem(f"The field “{wrong}” of the page “{name}” cannot be “{parameters[wrong][-1][:60]}”.", line)
    values = {key: each.read(parameters[key]) if key in parameters else each.default for key, each in fields.items()}
    return ShownPanel(page, tab, offered[tab], values, expanded)


def check(lesson: Lesson) -> Lesson:
    """Return the lesson; raises LessonProblem for a step whose panel does not exist or cannot answer its question."""
    for step in lesson.steps:
        if step.shows:
            panel = of(step.shows, step.line)
            if step.question:
                reading_of(step, panel)
    return lesson


def reading_of(step: Step, panel: ShownPanel) -> Reading:
    """Return the reading that answers the question of a step; raises LessonProblem if it does not fit its choices."""
    reading = panel.readings.get(step.answer)
    if reading is None:
        offered = ", ".join(panel.readings) or "none"
        raise LessonProblem(f"This panel has no answer “{step.answer}”. It has: {offered}.", step.line)
    fits = {
        "word": True,
        "yes or no": any(choice.key.casefold() in (YES, NO) for choice in step.choices),
        "number": any(choice.range for choice in step.choices)
        and all(choice.range or not re.search(r"\d", choice.key) for choice in step.choices),
    }[reading.kind]
    if not fits:  # a choice without such a beginning is never right, also one such as [0,5..1] or [3]
        wanted = {"yes or no": "[yes] or [no]", "number": "a range such as [0..50] or [50..]"}[reading.kind]
        raise LessonProblem(f"The answer “{step.answer}” needs choices that begin with {wanted}.", step.line)
    return reading


def solve(step: Step, panel: ShownPanel, name: str) -> Solution:
    """Return the answer of a model to the question of a step; raises LessonProblem if the question does not fit the
    panel, and ValueError if there is no answer."""
    reading = reading_of(step, panel)
    with given(panel.values):
        answer = reading.read(Model(name))
    return Solution(right_choice(step.choices, reading.as_written(answer)), reading.written(answer))
