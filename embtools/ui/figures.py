"""Charts and tables on pages, with their data, their downloads and their settings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

import embtools
from embtools import memory
from embtools.charts.chart import Chart
from embtools.charts.large import large
from embtools.messages import is_formula, shortened
from embtools.ui import presenter, shown, state
from embtools.ui.citation import APP
from embtools.ui.fields import Choice, Flag, Text

TABLES, PICTURE = Flag("tables"), Choice("picture", "svg", ("svg", "png"))
_TITLES = {"rho": "ρ"}  # column names that are shown with another title
_ABOUT = "charts-are-about"  # in the session, because a fragment draws charts without the rest of the page
_MOST_TYPED = 300  # characters of each text in the caption of a saved picture


def chart(
    figure: go.Figure,
    frame: pd.DataFrame,
    *,
    name: str,
    alt: str,
    select: tuple[Literal["points", "box", "lasso"], ...] = (),
    on_select: Literal["rerun"] | Callable[[], None] = "rerun",
    scroll_zoom: bool = False,
    above: float = 0,
    below: Callable[[], None] | None = None,
    size: tuple[int, int] | None = None,
) -> Any:
    """Draw a figure, with its table and CSV in an expander below; returns the selection if `select` names modes.

    A selection runs the page (or fragment) again; if `on_select` is a function, it is called first. `name` is the
    widget key and the name of downloaded files. The settings choose the format of downloaded pictures; their `size` in
    pixels is that on the screen unless it is given. A figure without a height fills the window below the content
    `above` it (in rem). `below` draws content between the figure and its table.
    """
    options: dict[str, Any] = {"on_select": on_select, "selection_mode": select} if select else {}
    if presenter.PRESENT.value:
        figure = go.Figure(large(figure.to_dict()), skip_invalid=True)
    tall = above > 0 and figure.layout.height is None
    if tall:
        st.html(f"<style>.st-key-tall-{name} {{ --above: {above}rem; }}</style>")
    with st.container(key=f"tall-{name}") if tall else nullcontext():
        drawn = st.plotly_chart(
            figure,
            width="stretch",
            height="stretch" if tall else "content",
            key=f"chart-{name}",
            alt=alt,
            config=_config(name, scroll_zoom, size),
            **options,
        )
    if below is not None:
        below()
    folded(frame, name)
    return drawn if select else None


def show(
    draw: Callable[..., Chart], *arguments: Any, name: str, options: Mapping[str, Any] | None = None, **named: Any
) -> Any:
    """Draw the chart `draw(*arguments, **named)` with its table and CSV below, in the colours of the visitor's theme.

    The chart is cached by the content of its arguments, because building and validating a figure costs more than
    anything else in a rerun. In the second model's column its key and its alt text name that model. `options` are those
    of `chart`. Returns the selection if the options select something.
    """
    dark = st.context.theme.type == "dark"
    asked = {"draw": draw, "arguments": arguments, "named": tuple(sorted(named.items())), "dark": dark}
    drawn = memory.call(_drawn, asked)
    return chart(
        drawn.figure, drawn.frame, name=f"{name}{shown.suffix()}", alt=shown.described(drawn.alt), **(options or {})
    )


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A chart in the colours of a page; `sent` is what a browser gets, made once and not at each rerun."""

    figure: go.Figure
    sent: dict[str, Any]
    frame: pd.DataFrame
    alt: str


def _drawn(
    draw: Callable[..., Chart], arguments: tuple[Any, ...], named: tuple[tuple[str, Any], ...], dark: bool
) -> _Drawn:
    from embtools.charts.style import sent

    made = draw(*arguments, **dict(named))
    dictionary = sent(made.figure, dark)
    made.figure.to_dict = lambda: dictionary
    return _Drawn(made.figure, dictionary, made.frame, made.alt)


@contextmanager
def expander(name: str, label: str, icon: str | None = None) -> Iterator[bool]:
    """Open an expander as a `with` block and yield whether it is open; fill it only then."""
    opened = state.fold(f"{name}{shown.suffix()}", label, icon)
    with opened:
        yield bool(opened.open)


def ahead(place: Any) -> None:
    """Draw an invisible, empty chart in this container, which must be emptied again.

    The browser then loads the chart library (four megabytes) while the server loads a model, not later with the first
    chart.
    """
    with place.container(key="ahead"):
        st.plotly_chart(go.Figure(go.Scatter(), {"height": 10}), config={"displayModeBar": False})


def clicked(name: str) -> Any:
    """Return the customdata of the clicked mark of a chart, or None if no such mark was clicked."""
    for point in st.session_state[f"chart-{name}"].selection.points:
        if (data := point.get("customdata")) is not None:
            return data[0] if isinstance(data, list) else data
    return None


@state.fragment
def folded(frame: pd.DataFrame, name: str, label: str = "As a table") -> None:
    """Draw an expander with a table, which is filled when it is opened, without a rerun of the page."""
    if TABLES.value:
        table(frame, name=name)
        return
    fold = state.fold(name, label, ":material/table:")
    if fold.open:
        with fold:
            table(frame, name=name)


def table(frame: pd.DataFrame, *, name: str, **options: Any) -> Any:
    """Draw a data frame with its CSV download; options are passed to st.dataframe."""
    options["column_config"] = {**_TITLES, **options.get("column_config", {})}
    shown = st.dataframe(frame, hide_index=True, key=f"table-{name}", alt=f"Table {name}", **options)
    st.download_button(
        "CSV",
        lambda: _csv(frame),  # written when somebody downloads it
        f"{name}.csv",
        "text/csv",
        key=f"csv-{name}",
        on_click="ignore",
        icon=":material/download:",
    )
    return shown


def settings() -> None:
    """Draw the settings of charts: whether their tables are open, and the format in which pictures are saved."""
    st.toggle("Tables under charts", help="Opens the table of every chart.", **TABLES.widget)
    st.segmented_control(
        "Picture format",
        required=True,
        help="The camera button above each chart saves it in this format.",
        **PICTURE.widget,
    )


def _csv(frame: pd.DataFrame) -> str:
    """Return the frame as CSV; an apostrophe is added before texts that a spreadsheet would run as a formula.

    A shared link could put such a text into somebody else's download.
    """
    texts = frame.select_dtypes(exclude="number").columns
    safe = {c: [f"'{v}" if isinstance(v, str) and is_formula(v) else v for v in frame[c]] for c in texts}
    return frame.assign(**safe).to_csv(index=False)


def _config(name: str, scroll_zoom: bool, size: tuple[int, int] | None) -> dict[str, Any]:
    kind = PICTURE.value
    title, caption = source()
    given = {} if size is None else dict(zip(("width", "height"), size, strict=True))
    return {
        "displaylogo": False,
        "displayModeBar": True,
        "scrollZoom": scroll_zoom,
        "toImageButtonOptions": {
            "format": kind,
            "filename": name,
            "scale": 1 if kind == "svg" else 2,
            **given,
            "title": title,
            "caption": caption,
        },
    }


def describe(title: str, texts: Sequence[Text], models: str) -> None:
    """Say what the charts drawn from now on are about: saved pictures carry it (see page.js).

    `texts` are the fields whose contents belong to the caption, `models` the titles of the models that answer.
    """
    st.session_state[_ABOUT] = title, tuple(field.key for field in texts), models


def source() -> tuple[str, list[str]]:
    """The title and the caption of a saved picture, line by line: what the visitor typed, the models, this app."""
    title, keys, models = st.session_state.get(_ABOUT, ("", (), ""))
    typed = [" / ".join(str(st.session_state.get(key) or "").split("\n")) for key in keys]
    lines = [shortened(text, _MOST_TYPED) for text in typed if text.strip()]
    return title, [*lines, f"Model: {models}. {APP} {embtools.__version__}"]
