"""What a page shows, recorded while it is drawn: its Python, the calls of its charts, and its texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import streamlit as st

from embtools.doors import import_line
from embtools.mask_filling.edits import NO_CHANGE, Change
from embtools.spaces.space import AS_IS, Space
from embtools.ui import cached, state
from embtools.ui.call import Call, source
from embtools.ui.expressions import Expressions, is_text
from embtools.ui.texts import plain

if TYPE_CHECKING:
    import pandas as pd

_CODE = "page-code"  # session key of the code of the page
_SPACES = {"from embtools.spaces import Space, in_space"}
CODE, CHART, TEXT, FIGURE = "code", "chart", "text", "figure"
BOTH = "both-"
"""Prefix of the names of parts about two models."""


class RecordedModel(Protocol):
    """What the code says about a model, see `shown.Model`."""

    @property
    def name(self) -> str: ...

    @property
    def space(self) -> Space: ...

    @property
    def change(self) -> Change: ...

    @property
    def vectors(self) -> Any: ...

    @property
    def is_beside_raw(self) -> bool: ...

    def variable(self, first: str) -> str: ...


@dataclass(frozen=True)
class Figure:
    """A figure on the screen.

    draw     returns it as JSON, in light colours; it can be called when the page is gone
    title    of a saved picture
    caption  of a saved picture, line by line
    """

    draw: Callable[[], str]
    title: str
    caption: Sequence[str]


@dataclass(frozen=True)
class Part:
    """A part of a page: code, the code of a chart, a text, or a figure.

    kind     CODE, CHART, TEXT or FIGURE
    text     Python source, Markdown, or the alt text of a figure
    imports  the lines that the source needs
    run      the fragment that wrote it, and how often it had run alone
    shows    the names of the results that the source prints, and whether each is a text
    figure   of a part of the kind FIGURE
    """

    kind: str
    text: str
    imports: frozenset[str]
    run: tuple[str, int]
    shows: tuple[tuple[str, bool], ...] = ()
    figure: Figure | None = None


class Code:
    """What a page shows, in named parts that are written where they are drawn: Python, charts and texts.

    If a fragment draws its numbers again, it overwrites its parts.
    """

    def __init__(self, name: str, title: str = "") -> None:
        self.model = name
        self.title, self.explanation = title, ""
        self._parts: dict[str, Part] = {}
        self._values = Expressions()
        self._texts: dict[tuple[str, int], int] = {}  # how many texts each run of a fragment has written
        self._second: RecordedModel | None = None
        self._tables: dict[str, tuple[tuple[str, int], str, pd.DataFrame]] = {}

    def drop(self, part: str) -> None:
        """Remove a part that is no longer shown."""
        self._parts.pop(part, None)

    def record(self, name: str, results: Sequence[tuple[Call, RecordedModel, Any]], prints: Sequence[str]) -> None:
        """Write a query for each of its models, `name = function(…)`, and lines that print parts of the result; see
        `prints` of `running.ask`."""
        lines, needed, shows = [], set[str](), []
        for query, model, value in results:
            variable = model.variable(self.model)
            own = self._is_first(model, results)
            result = name if own else f"{variable}_{name}"
            if not own:
                self._second = model
            if query.takes_model and model.vectors is not None and not model.is_beside_raw:
                of_model = variable.removesuffix("vectors").removesuffix("_") or "model"
                made = model.vectors.python(of_model) if isinstance(model.vectors, Call) else model.vectors.code
                lines.append(f"{variable} = {made}")
                needed |= set(model.vectors.imports)
            if query.takes_model and model.space != AS_IS:
                raw, variable = variable, f"{variable}_in_space"
                if model.is_beside_raw:
                    raw, variable = "model" if model.vectors is None else "vectors", raw
                lines.append(f"{variable} = in_space({raw}, space={model.space.code})")
                needed |= _SPACES
            lines.append(f"{result} = {query.python(variable)}")
            needed |= query.imports
            shows += [(_printed(result, part), is_text(value, part)) for part in prints]
            lines += [f"print({_printed(result, part)})" for part in prints]
            self._values.add(result, value)
        part = name if any(self._is_first(model, results) for _, model, _ in results) else f"{BOTH}{name}"
        self._put(part, CODE, "\n".join(lines), needed, shows)

    def _is_first(self, model: RecordedModel, results: Sequence[tuple[Call, RecordedModel, Any]]) -> bool:
        """Whether results belong to the model in use, or to the vectors that are shown in its place."""
        beside = self._second == model or any(each.variable(self.model) == "model" for _, each, _ in results)
        return model.variable(self.model) == "model" or (model.variable(self.model) == "vectors" and not beside)

    def say(self, function: Callable[..., str], name: str, arguments: Sequence[Any], titles: Any, parts: str) -> None:
        """Write the line that prints a sentence about the results of both models."""
        results = [f"{result}.{parts}" if parts else result for result in (name, f"{self._prefix}{name}")]
        call = f"{function.__name__}({', '.join([*results, *map(source, arguments), repr(titles)])})"
        needed = {import_line(function)}
        self._put(f"{BOTH}{name}-{function.__name__}", CODE, f"print({call})", needed)

    def chart(
        self,
        name: str,
        draw: Callable[..., Any],
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        others: Sequence[Sequence[Any]] = (),
    ) -> None:
        """Write the call that draws a chart, beside those with other arguments whose axes it shares."""
        try:
            call, *more = (self._values.call(draw, each, named) for each in (arguments, *others))
        except LookupError:
            self.drop(f"{CHART}-{name}")
            return
        text = f"{call.text}.beside({', '.join(each.text for each in more)})" if more else call.text
        self._put(f"{CHART}-{name}", CHART, text, set(call.imports).union(*(each.imports for each in more)))

    def figure(self, name: str, alt: str, figure: Figure) -> None:
        """Keep a figure with its alt text; its numbers have the same name."""
        self._add(f"{FIGURE}-{name}", Part(FIGURE, alt, frozenset(), state.drawn_by(), figure=figure))

    def table(self, name: str, frame: "pd.DataFrame", title: str) -> None:
        """Keep the numbers of a chart or a table, which is named as its CSV file is."""
        self._tables[name] = state.drawn_by(), title, frame

    def tables(self) -> dict[str, tuple[str, "pd.DataFrame"]]:
        """The titles and numbers of all charts and tables still shown, by name, also of tables that are not open."""
        return {name: (title, frame) for name, (run, title, frame) in self._tables.items() if state.is_latest(run)}

    def write(self, text: str) -> None:
        """Write a text in Markdown: a headline or a caption."""
        run = state.drawn_by()
        number = self._texts[run] = self._texts.get(run, 0) + 1
        self._put(f"{TEXT}-{run[0]}-{number}", TEXT, text, set())

    def headline(self, sentence: str, title: str = "") -> None:
        """Write the finding of a result; with two models, after the title of its model."""
        self.write(f"**{plain(title)}:** {plain(sentence)}" if title else f"### {plain(sentence)}")

    def _put(self, name: str, kind: str, text: str, needed: set[str], shows: Sequence[tuple[str, bool]] = ()) -> None:
        self._add(name, Part(kind, text, frozenset(needed), state.drawn_by(), tuple(shows)))

    def _add(self, name: str, part: Part) -> None:
        names, home = list(self._parts), part.run[0]
        same = [number for number, each in enumerate(self._parts.values()) if home and each.run[0] == home]
        self._parts[name] = part
        if name not in names and same:  # a fragment that writes more than before
            order = [*names[: same[-1] + 1], name, *names[same[-1] + 1 :]]
            self._parts = {each: self._parts[each] for each in order}

    def parts(self) -> dict[str, Part]:
        """The parts that are still shown: a fragment that ran again has replaced all parts of its run before."""
        return {name: part for name, part in self._parts.items() if state.is_latest(part.run)}

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models whose numbers are shown: the model in use, and the second model if there is one."""
        second = self._compared
        other = second and not second.change.edits and second.vectors is None and not second.is_beside_raw
        return (self.model, second.name) if second and other else (self.model,)

    @property
    def change(self) -> Change:
        """The edit with which the model in use is shown as well; NO_CHANGE if there is none."""
        return self._compared.change if self._compared else NO_CHANGE

    @property
    def _prefix(self) -> str:
        """Begins the variables of the second model's results."""
        return f"{self._second.variable(self.model)}_" if self._second else ""

    @property
    def _compared(self) -> RecordedModel | None:
        """The second model, if its numbers are still shown."""
        parts = [(name, part.text) for name, part in self.parts().items() if part.kind == CODE]
        shown = any(name.startswith(BOTH) or f"\n{self._prefix}" in text for name, text in parts)
        return self._second if shown else None

    def text(self) -> str:
        """Return the whole code: imports, the model, and the parts in the order in which they were first written."""
        parts = [part for part in self.parts().values() if part.kind == CODE]
        needed = {"import embtools", "import pandas as pd"}.union(*(part.imports for part in parts))
        return "\n".join(
            [
                *sorted(needed, key=order),
                "",
                'pd.set_option("display.width", None, "display.max_columns", None, "display.max_rows", None)',
                'pd.set_option("display.max_colwidth", None)',
                *self.loading(),
                "",
                "\n\n".join(part.text for part in parts),
                "",
            ]
        )

    def loading(self) -> list[str]:
        """Return the lines that load the models."""
        revision = cached.model(self.model).revision
        lines = [f"model = embtools.load_model({self.model!r}){f'  # revision {revision}' if revision else ''}"]
        second = self._compared
        if second and not second.is_beside_raw and (second.vectors is None or isinstance(second.vectors, Call)):
            edits = second.change.edits
            lines.append(edited(second.change) if edits else f"other = embtools.load_model({second.name!r})")
        return lines


def begin(name: str, title: str) -> Code:
    """Begin the record of a page; its panels and fragments find it as `current`."""
    code = st.session_state[_CODE] = Code(name, title)
    return code


def current() -> Code:
    """Return the record of the page that is being drawn."""
    code: Code = st.session_state.setdefault(_CODE, Code(""))
    return code


def edited(change: Change) -> str:
    """Return the line of Python that makes the edited model."""
    names = ("scope", "strength", "keep_length")
    given = {name: getattr(change, name) for name in names if getattr(change, name) != getattr(NO_CHANGE, name)}
    named = "".join(f", {name}={value!r}" for name, value in given.items())
    return f"edited = embtools.edited_model({[str(edit) for edit in change.edits]}, model{named})"


def _printed(result: str, part: str) -> str:
    """Return the expression of a part of a result; see `prints` of `running.ask`."""
    return f"{result}.{part}" if part and not part.startswith("[") else f"{result}{part}"


def order(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line
