"""The comparison with a second model, which is chosen in the menu's settings and gets the same query.

A view creates its containers with `Beside(model, [3, 2])` and draws into `first` and `detail` as into two columns. If
a second model is chosen, there is also a container for its result (see `ask`) and one for a sentence about both.
"""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, jobs, models, options, shown, texts
from embtools.ui.fields import Choice, Text
from embtools.ui.share import BOTH, Code
from embtools.words.vectors import pieces, told_apart

ALONE = ""
WITH = Choice("compare", ALONE, (ALONE, *CATALOGUE))
SECOND = models.Chooser(WITH, models.wanted("compare_wanted"), "Until then there is nothing to compare.")
T = TypeVar("T")


def settle() -> None:
    """Clear the second model if it is the same as the first; call it before anything is drawn."""
    for field in (WITH, SECOND.wanted):
        if field.value == models.MODEL.value:
            field.mend(ALONE)


def picker(model: str) -> None:
    """Draw the field for the second model."""
    options.choose(
        st.selectbox,
        "Compare with",
        WITH.key,
        {ALONE: "no other model"} | {name: entry.title for name, entry in CATALOGUE.items() if name != model},
        WITH.value,
        SECOND.take,
        help="The pages then show the results of both models side by side.",
    )
    models.waiting(SECOND)
    if second := other(model):
        st.caption(f"{models.described(second)} {_reading(model, second)}".strip())


def other(model: str) -> str:
    """Return the name of the model that is compared with this one, "" if there is none."""
    return ALONE if WITH.value == model else str(WITH.value)


def titles(model: str) -> str:
    """Return the titles of the model in use and of the second model, if there is one."""
    return " | ".join(CATALOGUE[name].title for name in (model, other(model)) if name)


def takes_models(panel: Any) -> bool:
    """Return whether a panel draws a list of models."""
    return "models" in inspect.signature(panel.show).parameters


def models_of(model: str) -> shown.Models:
    """Return the models that the page shows: the one in use, and the second one if there is one."""
    return tuple(shown.Model(name) for name in (model, other(model)) if name)


def note(model: str, panel: Any, panels: Sequence[Any]) -> None:
    """If a second model is chosen, say how the two are loaded, or that this panel does not show it."""
    second = other(model)
    if second and takes_models(panel):
        if reading := _reading(model, second):
            st.caption(reading)
    elif second and not getattr(panel, "COMPARES", False):
        part = "tab" if len(panels) > 1 else "page"
        st.caption(f"This {part} shows {CATALOGUE[model].title} only.")


def _reading(model: str, second: str) -> str:
    """Say how two large models are read if only one at a time fits into memory."""
    if BUNDLED in (cached.plain(model), cached.plain(second)):
        return ""
    return "These two models are loaded one after the other, because only one at a time is kept in memory."


class Beside:
    """The containers of a view: `first` for the model's chart, `detail` for content about this model only.

    With a second model the charts are side by side (`first`, `second`) and the detail is below them. `more` names what
    is in the detail; with `detail_first` it is left of the chart; `above` is above the charts. A second view on a page
    needs a `name`. Without `widths` there is no detail. `finding` is the headline of the view; with a second model it
    is shown below the model's title, and the sentence about both models is the headline.
    """

    def __init__(
        self,
        model: str,
        code: Code,
        widths: Sequence[int] = (),
        *,
        gap: Any = "medium",
        more: str = "The rest",
        detail_first: bool = False,
        name: str = "models",
        finding: str = "",
    ) -> None:
        own = cached.plain(model)
        self.model, self.other, self._code, self._name, self._gap = model, other(own), code, name, gap
        if self.other and isinstance(model, cached.InSpace):
            self.other = cached.InSpace(self.other, model.space)
        code.drop(f"{BOTH}{name}")
        if not self.other:
            if finding:
                st.header(texts.plain(finding), anchor=False)
            places = st.columns(widths, gap=gap) if widths else [st.container()] * 2
            self.first, self.detail = places[::-1] if detail_first else places
            self.above = self.first
            return
        self.above = st.container(key=f"both-{name}", gap="small")
        self.title, self.other_title = (CATALOGUE[cached.plain(name)].title for name in (model, self.other))
        self._headline = self.above.empty()
        if name == "models":
            self._headline.header(texts.plain(f"{self.title} and {self.other_title}"), anchor=False)
            if reading := _reading(model, self.other):
                self.above.caption(reading)
        self.first, self.second = self.row()
        if finding:
            self.finding(finding)
        self.detail = st.container()
        if widths:
            self.detail.caption(f"{more}: {self.title} only.")

    def row(self, both: bool = True) -> list[Any]:
        """Return a container for each model, with its title; without a second model, one container without a title."""
        if not (self.other and both):
            return [st.container()]
        places = [column.container(gap="xsmall") for column in st.columns(2, gap=self._gap)]
        for place, title in zip(places, (self.title, self.other_title), strict=True):
            place.subheader(texts.plain(title), anchor=False)
        return places

    def finding(self, sentence: str, *, second: bool = False) -> None:
        """Show a model's finding: as the headline, or with two models as text below its title."""
        if self.other:
            (self.second if second else self.first).text(sentence)
        else:
            st.header(texts.plain(sentence), anchor=False)

    def alt(self, text: str, *, second: bool = False) -> str:
        """Return the alt text of a chart, which begins with the model's title if there are two models."""
        return f"{self.other_title if second else self.title}: {text}" if self.other else text

    def ask(
        self,
        name: str,
        function: Callable[..., T],
        asked: Callable[[str], tuple[Any, ...]],
        *,
        label: str = "Computing",
        seconds: Callable[[str], float] = lambda name: 0.0,
        words: Callable[[str], Sequence[str]] = lambda name: (),
        mends: Text | None = None,
        mend: Callable[[str], None] = lambda name: None,
        meanwhile: Callable[[], Any] | None = None,
        **named: Any,
    ) -> T | None:
        """Return the second model's result for the query `asked(its name)`; None without one, or if it fails.

        An error is shown in the container of the second model. Work of more than four `seconds` waits for a button. A
        note names those of the `words` that are one token in one model only. `mend` draws what helps against an error.
        These four are functions of a model's name. While the second model is loaded or computes, `meanwhile` draws the
        first model's chart; then the page is drawn again with both. Call this last, because a large first model is
        dropped from memory for a large second one.
        """
        if not self.other:
            return None
        cut = [cached.compute(pieces, self.model, tuple(words(self.model)))]
        first = repr((self.model, self.other, asked(self.model), named))
        alone = _Alone(f"waited-{name}", first, self.first, meanwhile)
        refused = st.session_state.setdefault(f"refused-{name}", {})
        with self.second:
            answer, error = None, refused.get(first)
            if error is None:
                try:
                    # Only one of two large models is in memory. One that was loaded before is loaded again only if a
                    # result is not cached.
                    if not cached.opened(plain := cached.plain(self.other)):
                        models.load(plain, alone.draw)
                    if not cached.at_hand(plain):
                        alone.draw()
                    question = asked(self.other)
                    ask, takes = f"Run {self.other_title} too", seconds(self.other)
                    if jobs.on_request(f"{name}-second", ask, takes, (self.other, question)):
                        told: dict[str, Any] = {"label": f"{label} ({self.other_title})", "meanwhile": alone.draw}
                        answer = jobs.run(f"{name}-second", function, self.other, *question, **told, **named)
                except ValueError as raised:
                    error = raised.with_traceback(None)  # it would keep the model in memory
                    error.__context__ = error.__cause__ = None
                    if not st.session_state.get(f"stopped-{name}-second"):
                        # A large model is not loaded again on every rerun only for the same error.
                        refused.clear()
                        refused[first] = error
            if answer is not None:  # everything for the second model comes before the first model is used again
                cut.append(cached.compute(pieces, self.other, tuple(words(self.other))))
            if alone.drawn:
                st.rerun()
            if error is not None:
                texts.problem(error, mends)
                mend(self.other)
            if answer is None:
                return None
        for line in told_apart(cut[0], cut[1], (self.title, self.other_title)):
            self.above.text(line)
        return answer

    def layer(self, number: int) -> int:
        """Return the layer of the second model at the same relative depth as this layer of the first."""
        own, others = (cached.compute(_layers, name) for name in (self.model, self.other))
        return round(number * others / own)

    def say(self, sentence: str) -> None:
        """Show a sentence about both models above the charts; in the first view of a page it is the headline."""
        with self.above:
            if self._name == "models":
                self._headline.header(texts.plain(sentence), anchor=False)
            else:
                st.text(sentence)

    def code(self, *lines: str) -> None:
        """Add the Python for the second model's numbers; the code calls that model `other`."""
        space = (
            [f"other = in_space(other, space={self.other.space.code})"]
            if isinstance(self.other, cached.InSpace)
            else []
        )
        self._code.add("other", f"other = embtools.load_model({cached.plain(self.other)!r})", *space)
        self._code.compare(cached.plain(self.other), f"{BOTH}{self._name}", *lines)


@dataclass
class _Alone:
    """The first model's chart, drawn by itself while the second model is loaded or computes: once for each query.

    key, question  the session key under which the last query is stored, and the query
    place, paint   the container of the chart, and the function that draws it (None if it is already drawn)
    drawn          whether it was drawn now, so that the page must be drawn again with both
    """

    key: str
    question: str
    place: Any
    paint: Callable[[], Any] | None
    drawn: bool = False

    def draw(self) -> None:
        if self.paint and not self.drawn and st.session_state.get(self.key) != self.question:
            st.session_state[self.key], self.drawn = self.question, True
            with self.place:
                self.paint()


def _layers(*, model: Any) -> int:
    return int(model.layers)
