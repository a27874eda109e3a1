"""A second model beside the first: chosen in the menu's settings, asked the same, and drawn beside it.

A view asks for its places, `Beside(model, [3, 2])`, and draws into `first` and `detail` as into two columns. Where a
second model is chosen it has a place too, for what `ask` gives, and one for the sentence on both.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import streamlit as st

from embtools.models.catalogue import BUNDLED, CATALOGUE
from embtools.ui import cached, jobs, models, texts
from embtools.ui.fields import Choice, Text
from embtools.ui.share import Code
from embtools.words.vectors import pieces, told_apart

ALONE = ""
WITH = Choice("compare", ALONE, (ALONE, *CATALOGUE))
_PAGES = "Arithmetic, Similarity, Clusters, Bias and Layers"
T = TypeVar("T")


def picker(model: str) -> None:
    """The switch beside the field for the model."""
    st.selectbox(
        "Compare with",
        help=f"{_PAGES} then show answers, maps and tables of both models side by side.",
        format_func=lambda name: CATALOGUE[name].title if name else "no other model",
        **WITH.among((ALONE, *(name for name in CATALOGUE if name != model))),
    )
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
    second view on a page has a `name` of its own. Without `widths` there is no detail.
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
    ) -> None:
        own = cached.plain(model)
        self.model, self.other, self._code, self._name, self._gap = model, other(own), code, name, gap
        if self.other and isinstance(model, cached.InSpace):
            self.other = cached.InSpace(self.other, model.space)
        code.drop(f"both-{name}")
        if not self.other:
            places = st.columns(widths, gap=gap) if widths else [st.container()] * 2
            self.first, self.detail = places[::-1] if detail_first else places
            self.above = self.first
            return
        self.above = st.container(key=f"both-{name}", gap="small")
        self.title, self.other_title = (CATALOGUE[cached.plain(name)].title for name in (model, self.other))
        self.first, self.second = self.row()
        self.detail = st.container()
        if widths:
            self.detail.caption(f"{more}: {self.title} alone.")

    def row(self, both: bool = True) -> list[Any]:
        """Places for a picture of each model, under their titles; one without a title where there is no second."""
        if not (self.other and both):
            return [st.container()]
        places = st.columns(2, gap=self._gap)
        for place, title in zip(places, (self.title, self.other_title), strict=True):
            place.subheader(texts.plain(title), anchor=False)
        return list(places)

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
        **named: Any,
    ) -> T | None:
        """What the second model answers to `asked(its name)`; None without one, or where it cannot: its place says why.

        What takes more than four `seconds` waits for a press. Of the `words` those are named that are one piece to one
        model alone. `mend` offers what would help against an error. These four are functions of a model's name. Ask
        last: a large first model gives way to a large second one.
        """
        if not self.other:
            return None
        cut = [cached.compute(pieces, self.model, tuple(words(self.model)))]
        refused, first = f"refused-{name}", repr((self.model, self.other, asked(self.model), named))
        with self.second:
            if not models.ready(cached.plain(self.other), "Until then there is nothing to compare.", now=False):
                return None
            error = st.session_state.get(refused, {}).get(first)
            try:
                if error is None:
                    question, wait = asked(self.other), seconds(self.other)
                    ask = f"Ask {self.other_title} too"
                    if not jobs.on_request(f"{name}-second", ask, wait, (self.other, question)):
                        return None
                    said = f"{label} ({self.other_title})"
                    answer = jobs.run(f"{name}-second", function, self.other, *question, label=said, **named)
            except ValueError as raised:
                error = raised.with_traceback(None)  # it would hold the model
                error.__context__ = error.__cause__ = None
                if not st.session_state.get(f"stopped-{name}-second"):
                    # A large model is not loaded again at every rerun only to say the same.
                    st.session_state[refused] = {first: error}
            if error is not None:
                texts.problem(error, mends)
                mend(self.other)
                return None
            cut.append(cached.compute(pieces, self.other, tuple(words(self.other))))
        for line in told_apart(cut[0], cut[1], (self.title, self.other_title)):
            self.above.text(line)
        return answer

    def layer(self, number: int) -> int:
        """The layer of the second model at the same depth as this one of the first."""
        own, others = (cached.compute(_layers, name) for name in (self.model, self.other))
        return round(number * others / own)

    def say(self, sentence: str) -> None:
        """One sentence on what both say, above the pictures."""
        with self.above:
            st.text(sentence)
            if (reading := _reading(self.model, self.other)) and self._name == "models":
                st.caption(reading)

    def code(self, *lines: str) -> None:
        """The Python of the second model's numbers, in which it is called `other`."""
        space = [f"other = in_space(other, {self.other.space.code})"] if isinstance(self.other, cached.InSpace) else []
        self._code.add("other", f"other = embtools.load_model({cached.plain(self.other)!r})", *space)
        self._code.add(f"both-{self._name}", *lines)


def _layers(*, model: Any) -> int:
    return int(model.layers)
