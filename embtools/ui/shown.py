"""The models that a page shows: the chosen one and, next to it, a second one (another model or the same one edited).

A `Model` is a light reference. The weights are opened only when something must be computed, so that of two large models
only one is in memory at a time. What a page needs to know about a model is kept from its first opening.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from embtools import memory
from embtools.mask_filling.edited_models import with_change
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.messages import shortened
from embtools.models.catalogue import CATALOGUE
from embtools.progress import Progress
from embtools.spaces.of_model import in_space
from embtools.spaces.space import AS_IS, Space
from embtools.ui import answers, cached, recorded, state, texts
from embtools.ui.call import Call
from embtools.ui.fields import Text

if TYPE_CHECKING:
    from embtools.models.embedding_model import EmbeddingModel
    from embtools.models.vectors_as_model import Vectors


@dataclass(frozen=True)
class Facts:
    """What pages need to know about a model while its weights are not in memory."""

    checksum: str
    revision: str | None
    layers: int
    heads: int
    dimensions: int
    parameters: int
    max_tokens: int
    cased: bool
    has_segments: bool
    has_next_sentence: bool


@dataclass(frozen=True)
class Model:
    """A model of the catalogue by name, with its static embeddings in a space and words edited by a change.

    `vectors` take the place of its static embeddings: those of a file, or what a query computes from the model. `named`
    is the title of a column in which it is shown in one space, next to the same model in another one.
    """

    name: str
    space: Space = AS_IS
    change: Change = NO_CHANGE
    vectors: "Vectors | Call | None" = None
    named: str = field(default="", compare=False)

    def open(self) -> "EmbeddingModel":
        """Return the model itself, shared and read-only. Raises ValueError if it cannot be loaded."""
        if isinstance(self.vectors, Call):
            read: Vectors = Model(self.name, change=self.change).compute(self.vectors)
            return in_space(read, space=self.space)
        if self.vectors is not None:
            return in_space(self.vectors, space=self.space)
        opened = cached.model(self.name)
        if self.name not in _FACTS:
            _FACTS[self.name] = Facts(**{each.name: getattr(opened, each.name) for each in fields(Facts)})
        return in_space(with_change(opened, change=self.change), space=self.space)

    @property
    def facts(self) -> Facts:
        """What is known about the model; opens it the first time."""
        if self.name not in _FACTS:
            Model(self.name).open()
        return _FACTS[self.name]

    @property
    def was_opened(self) -> bool:
        """Whether the model has been in memory, so that its facts are known without loading it."""
        return self.name in _FACTS or cached.at_hand(self.name)

    @property
    def checksum(self) -> str:
        """Of the weights or the vectors, the edits and the space: results are cached under it."""
        own = self.facts.checksum if self.vectors is None else self._of_vectors
        edited = memory.checksum_of_view(own, self.change.code) if self.change.edits else own
        if self.space == AS_IS:
            return edited
        seen = memory.checksum_of_view(own, repr(self.space))
        return memory.checksum_of_view(seen, edited) if self.change.edits else seen

    @property
    def _of_vectors(self) -> str:
        """The checksum of what takes the place of the static embeddings."""
        if isinstance(self.vectors, Call):
            read = Model(self.name, change=self.change).checksum
            return memory.checksum_of_view(read, repr((self.vectors.name, self.vectors.complete)))
        return "" if self.vectors is None else self.vectors.checksum

    def compute(self, query: Call, progress: Progress | None = None) -> Any:
        """Return the result of a query about this model from the cache, or compute and store it."""
        return memory.call(
            query.function,
            query.arguments,
            checksum=self._key(query),
            model=self.open,
            progress=progress,
            prepared=lambda: answers.find(query, self._key(query)),
        )

    def has_computed(self, query: Call) -> bool:
        """Return whether the result of a query about this model is in the cache or among the prepared answers."""
        key = self._key(query)
        return memory.known(query.function, query.arguments, checksum=key) or answers.has(query, key)

    @property
    def title(self) -> str:
        """The name of the model, or of the vectors in its place, for people."""
        if self.named:
            return self.named
        if self.vectors is not None and not isinstance(self.vectors, Call):
            return shortened(self.vectors.title, 60)
        return f"{CATALOGUE[self.name].title}{' with the edit' if self.change.edits else ''}"

    @property
    def is_beside_raw(self) -> bool:
        """Whether it is shown in its space next to the same vectors in the raw one."""
        return bool(self.named) and self.space != AS_IS

    def beside_raw(self) -> "Models":
        """Return the same model with raw vectors, and in its space next to them."""
        raw = replace(self, space=AS_IS, named="raw vectors")
        return raw, replace(self, named=f"processed vectors ({self.space.says})")

    def within(self, space: Space) -> "Model":
        """Return the same model in another space."""
        return replace(self, space=space)

    def of(self, vectors: "Vectors | Call") -> "Model":
        """Return what is shown if these vectors, or those that a query computes, take the place of static embeddings;
        vectors of a file know no edits."""
        return replace(self, vectors=vectors, change=self.change if isinstance(vectors, Call) else NO_CHANGE)

    def variable(self, first: str) -> str:
        """Return its name in the copied Python of a page whose model in use is `first`: model, edited or other."""
        if self.is_beside_raw:
            return "processed"
        if self.vectors is not None:
            whose = Model(self.name, change=self.change).variable(first)
            return "vectors" if whose == "model" else f"{whose}_vectors"
        return "edited" if self.change.edits else "model" if self.name == first else "other"

    def _key(self, query: Call) -> str:
        return self.checksum if query.takes_model else ""


Models = tuple[Model, ...]
"""One model, or two to compare."""
Width = Literal["stretch", "content"]

_FACTS: dict[str, Facts] = {}
_FIRST, _SECOND = "first", "second"
_column: ContextVar[str] = ContextVar("column", default="")
_title: ContextVar[str] = ContextVar("title", default="")


def forget() -> None:
    """Forget what is known about models, for tests."""
    _FACTS.clear()


def settle_weights(chosen: Mapping[Text, str]) -> str:
    """Write the checksums of these models ("": none) into their fields, once they are known; returns a note if a link
    was made with other weights."""
    other = []
    for weights, name in chosen.items():
        model = Model(name)
        if state.settle_weights(weights, "" if not name else model.checksum if model.was_opened else None):
            other.append(model.title)
    if not other:
        return ""
    return f"The link that you opened was made with other weights of {' and '.join(other)}. Numbers may differ."


def suffix() -> str:
    """Return what distinguishes widget keys in the second model's column from those in the first."""
    return "-second" if _column.get() == _SECOND else ""


def title() -> str:
    """Return the title of the model in whose column is drawn; "" if only one model is shown."""
    return _title.get()


def alone() -> bool:
    """Return whether what is drawn now has the full width, without a second model next to it."""
    return not _column.get()


def described(text: str) -> str:
    """Return the description of a chart; it begins with the model's title if two models are shown."""
    return f"{_title.get()}: {text}" if _title.get() else text


def headline(sentence: str, width: Width = "stretch") -> None:
    """Draw the finding of a result: as a headline, or with two models as text under the model's title."""
    if alone():
        st.header(texts.plain(sentence), anchor=False, width=width)
    else:
        finding(sentence, width=width)
    recorded.current().headline(sentence, _title.get())


def finding(sentence: str, width: Width = "stretch") -> None:
    """Draw a finding as text that is read aloud when it is new, after the model's title if two models are shown."""
    texts.finding(sentence, of=_title.get(), width=width)


def section(title: str) -> None:
    """Draw the heading of a section; its text is constant."""
    st.header(title, anchor=False)
    recorded.current().write(f"### {title}")


def split(widths: Sequence[int], **options: Any) -> list[Any]:
    """Return containers next to each other; with two models they are below each other in the model's column."""
    return st.columns(widths, **options) if alone() else [st.container() for _ in widths]


def fields_and_results(models: Sequence[Model], widths: Sequence[int] = (2, 3)) -> list[Any]:
    """Return a container for the fields and one for the results: next to each other for one model; for two, the results
    below at full width."""
    return st.columns(widths, gap="medium") if len(models) == 1 else [st.container(), st.container()]


def columns(models: Sequence[Model], *, gap: Any = "medium") -> list[AbstractContextManager[None]]:
    """Return one container per model to draw in: the full width for one, two columns with titles for two."""
    if len(models) == 1:
        return [nullcontext()]
    return [
        _titled(container, name, model)
        for container, name, model in zip(st.columns(2, gap=gap), (_FIRST, _SECOND), models, strict=True)
    ]


def same_depth(layer: int, model: Model, other: Model) -> int:
    """Return the layer of another model at the same relative depth as this layer of a model."""
    return layer if model == other else round(layer * other.facts.layers / model.facts.layers)


@contextmanager
def _titled(container: Any, name: str, model: Model) -> Iterator[None]:
    column, title = _column.set(name), _title.set(model.title)
    try:
        with container, st.container(gap="xsmall"):
            st.subheader(texts.plain(model.title), anchor=False)
            yield
    finally:
        _column.reset(column)
        _title.reset(title)
