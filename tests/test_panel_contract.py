"""The contract of all panels finds what breaks it: a panel that keeps it, and for each part one with a planted fault."""

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
import pytest
import streamlit as st

from embtools.progress import Progress, silent
from embtools.ui import figures, running, shown
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Field, Text
from embtools.ui.shown import Model
from tests import panel_contract as contract
from tests.panel_contract import Asked, Tab
from tests.visit import Visit

TEXT = Text("fake_text", "Rome is old.")
KIND = Choice("fake_kind", "tokens", ("tokens", "states"))


def counted(text: str, model: Any, kind: str = "tokens", *, progress: Progress = silent) -> int:
    """The query of the panels below; it cannot be answered for an empty text."""
    progress(0.5)
    return len(model.hidden_states(text)[0]) if kind == "tokens" else len(model.hidden_states(text))


class Sound:
    """Counts the tokens of a text, and keeps the contract."""

    TAB = "Fake"
    FIELDS: tuple[Field, ...] = (TEXT, KIND)
    PRESETS: Mapping[str, dict[str, Any]] = {"Paris": {TEXT.key: "Paris is older than Rome."}}
    FIRST = Call(counted, text=TEXT.default)

    def show(self, models: shown.Models) -> None:
        """Draw the fields and the result."""
        st.text_input("Text", **TEXT.widget)
        st.selectbox("Kind", **KIND.widget)
        for container in running.containers(self.ask(models)):
            with container as answer:
                self.draw(answer.value)

    def ask(self, models: shown.Models) -> tuple[running.Answer[int], ...]:
        """Ask for the result; a problem is shown with the last good one."""
        return running.ask("counted", Call(counted, text=TEXT.value, kind=KIND.value), models, self.FIRST)

    def draw(self, count: int) -> None:
        """Draw a result."""
        shown.headline(f"There are {count}.")
        st.text(TEXT.value)
        figures.table(pd.DataFrame({"count": [count]}), name="fake")


class ReadsMarkup(Sound):
    def draw(self, count: int) -> None:
        super().draw(count)
        st.markdown(f"You wrote {TEXT.value}")


class LosesTheLastResult(Sound):
    def ask(self, models: shown.Models) -> tuple[running.Answer[int], ...]:
        if TEXT.value.strip():
            return super().ask(models)
        st.text("⚠ The text is empty.")
        return ()


class ReadsNothing(Sound):
    def draw(self, count: int) -> None:
        shown.headline("There are 0.")

    def ask(self, models: shown.Models) -> tuple[running.Answer[int], ...]:
        return running.ask("counted", self.FIRST, models)


class ForgetsAText(Sound):
    FIELDS = (KIND,)


class ShowsNonsense(Sound):
    FIELDS = (TEXT, Choice("fake_other", "a"))

    def draw(self, count: int) -> None:
        super().draw(count)
        st.text(st.session_state["fake_other"])


class StaysAfterReset(Sound):
    PRESETS: Mapping[str, dict[str, Any]] = {"Paris": {TEXT.key: "Paris", "fake_more": "Rome"}}

    def draw(self, count: int) -> None:
        super().draw(count)
        st.text(st.session_state.get("fake_more", ""))


class AsksTheModelAgain(Sound):
    def draw(self, count: int) -> None:
        super().draw(Model("bundled").open().hidden_states("Rome").shape[1])


class PreparesSomethingElse(Sound):
    FIRST = Call(counted, text="Rome")


class CannotBeStopped(Sound):
    def ask(self, models: shown.Models) -> tuple[running.Answer[int], ...]:
        query = Call(counted, text=TEXT.value)
        return (running.Answer("counted", query, models[0], models[0].compute(query)),)


class HasNoResult(Sound):
    def draw(self, count: int) -> None:
        if TEXT.value == TEXT.default:
            super().draw(count)


class NeedsAWord(Sound):
    def draw(self, count: int) -> None:
        super().draw(Model("bundled").open().ids["hotel"])


class SaysNothing(Sound):
    def draw(self, count: int) -> None:
        if Model("bundled").facts.layers > 2:
            super().draw(count)


@pytest.fixture
def tab(visit: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[type[Sound]], Tab]:
    """Put a panel on a page, instead of its own ones."""

    def put(panel: type[Sound]) -> Tab:
        monkeypatch.setattr("embtools.ui.pairs.panels.PANELS", {"fake": panel()})
        return Tab("pairs", "fake", panel())

    return put


def first_view(tab: Tab) -> tuple[Visit, list[Asked]]:
    """The first view, and what it asks."""
    with contract.noted() as asked:
        return tab.open(), asked


def test_a_sound_panel_keeps_the_contract(tab: Any, lend: Any, tiny: Any) -> None:
    sound = tab(Sound)
    first, asked = first_view(sound)
    contract.shows_its_example(sound, "Paris", sound.open())
    contract.takes_any_text(sound, TEXT)
    contract.asks_what_was_prepared(sound, asked)
    contract.computes_once(first)
    contract.continues_after_a_stop(first, asked)
    contract.resets(sound, contract.replaces_nonsense(sound, first), first)
    lend(tiny)
    contract.shows_or_says_why_not(sound)


@pytest.mark.parametrize(
    ("panel", "part"),
    [
        (HasNoResult, lambda tab: contract.shows_its_example(tab, "Paris", tab.open())),
        (ForgetsAText, lambda tab: contract.shows_its_example(tab, "Paris", tab.open())),
        (ReadsMarkup, lambda tab: contract.takes_any_text(tab, TEXT)),
        (LosesTheLastResult, lambda tab: contract.takes_any_text(tab, TEXT)),
        (ReadsNothing, lambda tab: contract.takes_any_text(tab, TEXT)),
        (ShowsNonsense, lambda tab: contract.replaces_nonsense(tab, tab.open())),
        (StaysAfterReset, lambda tab: contract.resets(tab, tab.open(), tab.open())),
        (AsksTheModelAgain, lambda tab: contract.computes_once(tab.open())),
        (PreparesSomethingElse, lambda tab: contract.asks_what_was_prepared(tab, first_view(tab)[1])),
        (CannotBeStopped, lambda tab: contract.continues_after_a_stop(*first_view(tab))),
    ],
)
def test_a_planted_fault_is_found(tab: Any, panel: type[Sound], part: Callable[[Tab], None]) -> None:
    with pytest.raises(AssertionError):
        part(tab(panel))


@pytest.mark.parametrize("panel", [NeedsAWord, SaysNothing])
def test_a_panel_that_fails_with_another_model_is_found(tab: Any, lend: Any, tiny: Any, panel: type[Sound]) -> None:
    lend(tiny)
    with pytest.raises(AssertionError):
        contract.shows_or_says_why_not(tab(panel))
