"""What every panel keeps, whatever it is about: the parts of one contract, each a function that fails if it is broken.

Every panel is held to it in test_panels.py; that each part finds its fault is proven in test_panel_contract.py.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any, NamedTuple

import pytest

from embtools import memory
from embtools.models.embedding_model import EmbeddingModel
from embtools.ui import panels
from embtools.ui.call import Call
from embtools.ui.fields import Choice, Field, Flag, Number, Numbers, Text
from embtools.ui.shown import Model
from tests.markup import MARKUP, read_as_markup
from tests.visit import Visit


class Tab(NamedTuple):
    """A panel with the page and the key by which an address opens it."""

    page: str
    key: str
    panel: Any

    def open(self, **query: Any) -> Visit:
        """A new visit of this tab."""
        return Visit(self.page, **{f"{self.page}_tab": self.key, **query})

    @property
    def texts(self) -> list[Text]:
        """The fields for any text."""
        return [field for field in self.panel.FIELDS if isinstance(field, Text)]


def findings(at: Visit) -> list[str]:
    """The headlines of the page."""
    return [each.value for each in at.header]


def view(at: Visit) -> tuple[Any, ...]:
    """All that a visitor sees: texts, charts and problems."""
    return at.texts, [chart.spec for chart in at.charts], at.problems


def has_result(at: Visit) -> bool:
    """Whether the page has a finding, and what it is about."""
    return bool(findings(at)) and bool(at.charts or at.tables)


def shows_its_example(tab: Tab, name: str, at: Visit) -> None:
    """An example fills its fields, empties those of others, and shows a result; its address shows the same."""
    at.press(f"example-{tab.panel.TAB}-{name}")
    own, others = tab.panel.PRESETS[name], set().union(*tab.panel.PRESETS.values())
    for field in tab.panel.FIELDS:
        if field.key in own or field.key in others:
            assert at.session_state[field.key] == own.get(field.key, field.default), field.key
    assert not at.problems and has_result(at) and not at.says("Showing the p")
    at.links_to_itself()


BAD = " ", MARKUP, "red, {0} | red = {0}".format("a" * 7_000)


def takes_any_text(tab: Tab, field: Text, *, read: bool = True, stays: bool = True, **query: Any) -> None:
    """No text is markup; one that cannot be used is a problem, and the last good result stays, or the page's example.

    `query` is what lets the page read the field. It is not `read` if it holds what is chosen somewhere else. If nothing
    `stays`, the problem is all that is shown.
    """
    at = tab.open(**query)
    views, good, unusable = [view(at)], findings(at), []
    for text in BAD:
        at.test.session_state[field.key] = text  # past the field's own limit, as a browser that does not check it would
        at.run()
        assert not (wrong := read_as_markup(at)), wrong
        assert all(len(problem) < 500 for problem in at.problems)
        if at.problems:
            unusable.append(text)
            assert not stays or findings(at) == good or at.says("Showing the p"), "the last good result has gone"
        views, good = [*views, view(at)], findings(at) or good
    assert any(each != views[0] for each in views) == read, "does the page read this field?"
    for text in unusable[:1]:
        again = tab.open(**query, **{field.key: text})
        assert again.problems and (has_result(again) or not stays)


NONSENSE: dict[type[Field], str] = {Choice: "<b>", Number: "1e400", Flag: "perhaps", Numbers: "x"}
INSTEAD = {"concepts_layer": "6", "concepts_word": "She", "tracing_off_layer": "6"}
"""What stands in for nonsense, where it is not the default."""
NOT_USED = "The page cannot use this part of the link"


def replaces_nonsense(tab: Tab, first: Visit) -> Visit:
    """A link whose choices, numbers and switches are nonsense shows the first view, and says that it is not used."""
    instead = {each.key: INSTEAD[each.key] for each in tab.panel.FIELDS if each.key in INSTEAD}
    wrong = {each: NONSENSE[type(each)] for each in tab.panel.FIELDS if type(each) in NONSENSE}
    at = tab.open(**{each.key: text for each, text in wrong.items()})
    (texts, *rest), (wanted, *same) = view(at), view(tab.open(**instead) if instead else first)
    others, wanted = ([text for text in each if not text.startswith(NOT_USED)] for each in (texts, wanted))
    assert (others, rest) == (wanted, same)
    assert len(others) < len(texts) or not any(each.refuses([text]) for each, text in wrong.items())
    return at


def resets(tab: Tab, at: Visit, first: Visit) -> None:
    """Reset leads from an example back to the first view."""
    if names := list(tab.panel.PRESETS):
        at.press(f"example-{tab.panel.TAB}-{names[-1]}")
    if names or len(panels.of(tab.page)) > 1:
        assert view(at.press("reset")) == view(first)


@contextmanager
def model_unused() -> Iterator[None]:
    """Whoever asks a model meanwhile fails."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_arguments", "transform", "logits"):
            patch.setattr(EmbeddingModel, name, None)
        yield


def computes_once(at: Visit) -> None:
    """What is drawn again is not computed again, in the cache or outside it."""
    before = memory.counts().computed
    with model_unused():
        at.run()
    assert memory.counts().computed == before


class Asked(NamedTuple):
    """A query with the model that it was asked about."""

    model: Model
    query: Call


@contextmanager
def noted() -> Iterator[list[Asked]]:
    """The queries that are asked meanwhile."""
    asked: list[Asked] = []
    compute = Model.compute

    def noting(model: Model, query: Call, *more: Any) -> Any:
        asked.append(Asked(model, query))
        return compute(model, query, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Model, "compute", noting)
        yield asked


def asks_what_was_prepared(tab: Tab, asked: list[Asked]) -> None:
    """What is computed before anybody comes is what the first view asks."""
    if query := getattr(tab.panel, "FIRST", None):
        assert (query if isinstance(query, Call) else query(Model("bundled"))) in [each.query for each in asked]


def continues_after_a_stop(at: Visit, asked: list[Asked]) -> None:
    """Long work that was stopped says so, and runs again at its button."""
    first = view(at)
    for model, query in [each for each in asked if "progress" in signature(each.query.function).parameters][:1]:
        at.test.session_state[f"stopped-{query.name}"] = (repr((model, query.arguments)),)
        assert any("was stopped." in problem for problem in at.run().problems)
        assert view(at.press("Run again")) == first


def shows_or_says_why_not(tab: Tab) -> None:
    """With another model, the tab has a result, a problem, or a button for what takes long."""
    at = tab.open()
    assert at.problems or has_result(at) or any(str(b.key).startswith("requested-") for b in at.button)
    if at.problems:
        assert all(len(problem) < 500 for problem in at.problems)
