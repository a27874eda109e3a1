"""Work in parts: partial results while it runs, and what is finished after Stop, for each of two models."""

from dataclasses import dataclass

import pytest
from streamlit.testing.v1 import AppTest

from embtools.mask_filling.experiments import Blocks
from embtools.memory import remembered
from embtools.progress import Progress, silent
from embtools.ui import partial
from tests.visit import empty_caches, press, texts

STOP: dict[str, int] = {}  # at which number the work for a model ends, as after Stop


class Ended(ValueError):
    """The work was ended from outside."""


@dataclass(frozen=True)
class Numbers:
    """What is squared and added: all numbers, or the first ones."""

    numbers: tuple[int, ...]
    first: int | None = None


@remembered
def squared(numbers, model, *, progress: Progress = silent):  # type: ignore[no-untyped-def]
    (number,) = numbers
    if STOP.get(model.checksum) == number:
        raise Ended("The work was ended.")
    return number**2


def blocks(given: Numbers, model) -> Blocks:  # type: ignore[no-untyped-def]
    chosen = given.numbers[: given.first]
    return Blocks(squared, tuple({"numbers": (number,)} for number in chosen), (1,) * len(chosen))


def total(given: Numbers, model, *, progress: Progress = silent) -> int:  # type: ignore[no-untyped-def]
    """The sum of the squares."""
    return sum(blocks(given, model).run(model, progress))


def script() -> None:
    """A panel that adds squares, for one model, or also for the same model with an edited word."""
    import streamlit as st

    from embtools.mask_filling.edits import Change
    from embtools.ui import partial, running, stoppable
    from embtools.ui.call import Call
    from embtools.ui.shown import Model
    from tests.ui.test_partial import Numbers, blocks, total

    edited = Model("bundled", change=Change.of(("rome = paris",)))
    models = (Model("bundled"), edited) if st.query_params.get("two") else (Model("bundled"),)
    for model in models:
        model.facts
    query = Call(total, given=Numbers((1, 2, 3, 4)))
    work = partial.Work("adding", blocks, lambda found, model, done, key: st.text(f"part {key}: {found}"), least=2)
    for answer in partial.ask(work, "total", query, models, query, label="Adding", prints=None):
        st.text(f"{answer.model.title}: {answer.value} of {answer.query['given'].first}")
    running.finish()
    for number, model in enumerate(models):
        noted = running._stopped(query), running._identity(query, model)  # what the button does
        st.button(f"stop {number}", on_click=stoppable.note, args=noted)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def open_(**query: str) -> AppTest:
        test = AppTest.from_function(script, default_timeout=60)
        for key, value in query.items():
            test.query_params[key] = value
        return test.run()

    empty_caches()
    STOP.clear()
    monkeypatch.setattr(partial, "EVERY", 0.0)
    monkeypatch.setattr(partial, "_TIMES", 0)
    yield open_
    STOP.clear()


def checksums() -> tuple[str, str]:
    from embtools.mask_filling.edits import Change
    from embtools.ui.shown import Model

    return Model("bundled").checksum, Model("bundled", change=Change.of(("rome = paris",))).checksum


def test_partial_results_are_replaced_by_the_whole_one(opened, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    drawn: list[tuple[int, int]] = []
    real = partial.Work.__init__

    def noted(work, name, blocks, draw, least=1):  # type: ignore[no-untyped-def]
        real(work, name, blocks, lambda found, model, done, key: drawn.append((done, found)), least)

    monkeypatch.setattr(partial.Work, "__init__", noted)
    assert texts(opened())[0].endswith(": 30 of None")
    assert drawn == [(2, 5), (3, 14)]  # not from one part, and not from all


def test_stopped_work_keeps_its_parts_and_continues(opened) -> None:  # type: ignore[no-untyped-def]
    STOP[checksums()[0]] = 4
    test = opened()
    assert "The work was ended." in texts(test)[0]
    STOP.clear()
    assert texts(press(test, "stop 0"))[0].endswith(": 14 of 3")
    assert texts(press(test, "Continue"))[0].endswith(": 30 of None")
    assert "Continue" not in [button.label for button in test.button]


def test_too_few_parts_are_no_result(opened) -> None:  # type: ignore[no-untyped-def]
    STOP[checksums()[0]] = 2
    test = opened()
    STOP.clear()
    assert "Adding was stopped" in texts(press(test, "stop 0"))[0]
    assert "Continue" not in [button.label for button in test.button]
    assert texts(press(test, "Run again"))[0].endswith(": 30 of None")


def test_the_second_model_has_its_own_parts(opened) -> None:  # type: ignore[no-untyped-def]
    first, second = checksums()
    assert first != second
    STOP[second] = 4
    test = opened(two="yes")
    assert any(text.endswith(": 30 of None") for text in texts(test))
    STOP.clear()
    del test.session_state["running-refused"]  # it was ended, but not by an error
    found = texts(press(test, "stop 1"))
    assert [text.partition(": ")[2] for text in found] == ["30 of None", "14 of 3"]
    label = next(button.label for button in test.button if button.label.startswith("Continue"))
    assert label.startswith("Continue with ") and label.endswith("with the edit")
    assert [text.partition(": ")[2] for text in texts(press(test, label))] == ["30 of None", "30 of None"]
