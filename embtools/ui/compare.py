"""A second model beside the first: chosen in the menu's settings, asked the same, and drawn beside it.

A view asks for its places, `Beside(model, [3, 2])`, and draws into `first` and `detail` as into two columns. Where a
second model is chosen it has a place too, for what `ask` gives, and one for the sentence on both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, jobs, models, options, texts
from embtools.ui.fields import Choice, Text
from embtools.ui.share import BOTH, Code
from embtools.words.vectors import pieces, told_apart

ALONE = ""
WITH = Choice("compare", ALONE, (ALONE, *CATALOGUE))
SECOND = models.Chooser(WITH, models.wanted("compare_wanted"), "Until then there is nothing to compare.")
_PAGES = "Arithmetic, Similarity, Clusters, Bias and Layers"
T = TypeVar("T")


def settle() -> None:
    """Compare no model with itself; before anything is drawn."""
    for field in (WITH, SECOND.wanted):
        if field.value == models.MODEL.value:
            field.mend(ALONE)


def picker(model: str) -> None:
    """The field for the second model."""
    options.choose(
        st.selectbox,
        "Compare with",
        WITH.key,
        {ALONE: "no other model"} | {name: entry.title for name, entry in CATALOGUE.items() if name != model},
        WITH.value,
        SECOND.take,
        help=f"{_PAGES} then show answers, maps and tables of both models side by side.",
    )
    models.waiting(SECOND)
    if second := other(model):
        st.caption(f"{models.described(second)} {_reading(model, second)}".strip())


def other(model: str) -> str:
    """The name of the model that is compared with this one; "" where there is none."""
    return ALONE if WITH.value == model else str(WITH.value)


def titles(model: str) -> str:
    """The model in use and the one beside it, by their titles."""
    return " | ".join(CATALOGUE[name].title for name in (model, other(model)) if name)


def note(model: str, panel: Any, panels: Sequence[Any]) -> None:
    """Say that a panel is about the first model alone, where a second one is chosen, and what compares the two."""
    if (second := other(model)) and not getattr(panel, "COMPARES", False):
        first, beside = CATALOGUE[model].title, CATALOGUE[second].title
        tabs = [f"“{other.TAB}”" for other in panels if getattr(other, "COMPARES", False)]
        where = f"On this page {' and '.join(tabs)}" if tabs else _PAGES
        st.caption(f"All here is about {first} alone. {where} compare{'s' * (len(tabs) == 1)} it with {beside}.")


def _reading(model: str, second: str) -> str:
    """What becomes of two large models, of which one at a time fits into memory."""
    if BUNDLED in (cached.plain(model), cached.plain(second)):
        return ""
    return "The two are read one after the other: results are kept, and the weights dropped for the other model's."


class Beside:
    """The places of a view, in a row: `first` for the model's picture, `detail` for what is about this model alone.

    With a second model the pictures stand side by side, the detail below them, and `second` has a place of its own.
    `more` names what is in the detail; `detail_first`: it stands left of the picture. `above`: over the pictures. A
    second view on a page has a `name` of its own. Without `widths` there is no detail. `finding`: what the model says,
    the headline of the view; with a second model it stands under the model's title, and the sentence on both heads the
    view.
    """

    def __init__(
        self,
        model: str,
        code: Code,
        widths: Sequence[int] = (),
        *,
        gap: Any = "medium",
        more: str = "What follows",
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
            self._headline.header(texts.plain(f"{self.title} beside {self.other_title}"), anchor=False)
            if reading := _reading(model, self.other):
                self.above.caption(reading)
        self.first, self.second = self.row()
        if finding:
            self.finding(finding)
        self.detail = st.container()
        if widths:
            self.detail.caption(f"{more}: {self.title} alone.")

    def row(self, both: bool = True) -> list[Any]:
        """Places for a picture of each model, under their titles; one without a title where there is no second."""
        if not (self.other and both):
            return [st.container()]
        places = [column.container(gap="xsmall") for column in st.columns(2, gap=self._gap)]
        for place, title in zip(places, (self.title, self.other_title), strict=True):
            place.subheader(texts.plain(title), anchor=False)
        return places

    def finding(self, sentence: str, *, second: bool = False) -> None:
        """What a model says: the headline, here; of two models under its title."""
        if self.other:
            (self.second if second else self.first).text(sentence)
        else:
            st.header(texts.plain(sentence), anchor=False)

    def alt(self, text: str, *, second: bool = False) -> str:
        """The description of a picture, with its model in front where there are two."""
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
        """What the second model answers to `asked(its name)`; None without one, or where it cannot: its place says why.

        What takes more than four `seconds` waits for a press. Of the `words` those are named that are one piece to one
        model alone. `mend` offers what would help against an error. These four are functions of a model's name.
        While the second model is loaded or takes its time, `meanwhile` draws the first one's picture; then the page is
        drawn again with both. Ask last: a large first model gives way to a large second one.
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
                    # Of two large models only one is in memory: one that was loaded before is loaded again only when
                    # it is asked something that is not remembered.
                    if not cached.opened(plain := cached.plain(self.other)):
                        models.load(plain, alone.draw)
                    if not cached.at_hand(plain):
                        alone.draw()
                    question = asked(self.other)
                    ask, takes = f"Ask {self.other_title} too", seconds(self.other)
                    if jobs.on_request(f"{name}-second", ask, takes, (self.other, question)):
                        told: dict[str, Any] = {"label": f"{label} ({self.other_title})", "meanwhile": alone.draw}
                        answer = jobs.run(f"{name}-second", function, self.other, *question, **told, **named)
                except ValueError as raised:
                    error = raised.with_traceback(None)  # it would hold the model
                    error.__context__ = error.__cause__ = None
                    if not st.session_state.get(f"stopped-{name}-second"):
                        # A large model is not loaded again at every rerun only to say the same.
                        refused.clear()
                        refused[first] = error
            if answer is not None:  # all that is asked of the second model stands before the first is asked again
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
        """The layer of the second model at the same depth as this one of the first."""
        own, others = (cached.compute(_layers, name) for name in (self.model, self.other))
        return round(number * others / own)

    def say(self, sentence: str) -> None:
        """One sentence on what both say, above the pictures: the headline of a page's first view."""
        with self.above:
            if self._name == "models":
                self._headline.header(texts.plain(sentence), anchor=False)
            else:
                st.text(sentence)

    def code(self, *lines: str) -> None:
        """The Python of the second model's numbers, in which it is called `other`."""
        space = [f"other = in_space(other, {self.other.space.code})"] if isinstance(self.other, cached.InSpace) else []
        self._code.add("other", f"other = embtools.load_model({cached.plain(self.other)!r})", *space)
        self._code.compare(cached.plain(self.other), f"{BOTH}{self._name}", *lines)


@dataclass
class _Alone:
    """The first model's picture, drawn by itself while the second is loaded or computes: once for a question.

    key, question  where the session keeps which question the second model was waited for, and that question
    place, paint   where the picture stands, and what draws it; None: it stands there already
    drawn          whether it was drawn now, so that the page is to be drawn again with both
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
