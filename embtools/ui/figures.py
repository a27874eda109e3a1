"""Charts and tables on pages, with their data, their downloads and their settings."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from plotly.basedatatypes import BaseFigure

import embtools
from embtools import memory
from embtools.charts.adapted import large
from embtools.charts.axes import LINE
from embtools.charts.chart import Chart
from embtools.charts.plot import Plot
from embtools.charts.style import with_tools
from embtools.files import about as described
from embtools.files import encoded
from embtools.files import settings as files_settings
from embtools.messages import shortened
from embtools.ui import browser, captions, presenter, recorded, shown, state
from embtools.ui.call import Call
from embtools.ui.citation import APP
from embtools.ui.fields import Choice, Flag
from embtools.ui.shown import Model

TABLES, PICTURE = Flag("tables"), Choice("picture", "svg", ("svg", "png"))
_TITLES = {"rho": "ρ"}  # column names that are shown with another title
_ABOUT = "charts-are-about"  # in the session, because a fragment draws charts without the rest of the page
_ROWS = "Selecting a row has the same effect as clicking its mark."
_ROW = 11.5  # pixels of a row with a name of one line
_USUAL_HEIGHT = 450  # pixels of a figure without a height, as in plotly.js
_MOST_TITLE = 160  # characters of a chart's alt text that its table has too


def _custom(point: Mapping[str, Any]) -> Any:
    data = point.get("customdata")
    return data[0] if isinstance(data, list) else data


def _title(alt: str) -> str:
    """Return the first sentence of a chart's alt text; only its part before a colon if it is long."""
    first = alt.split(". ")[0].rstrip(".")
    return shortened(first.split(": ")[0] if len(first) > _MOST_TITLE else first, _MOST_TITLE)


@dataclass(frozen=True)
class Pick:
    """What a click on a mark of a chart chooses. A row of the table under the chart chooses the same, by keyboard too.

    take      receives what was chosen
    of_row    returns it for a row of the chart's frame, whose name is its number from 0; None for a row without a mark
    of_point  returns it for a point that was clicked, None for one that chooses nothing; by default its customdata
    by_row    receives what a row chooses, where a click also leads to another page; None if both do the same
    """

    take: Callable[[Any], None]
    of_row: Callable[[pd.Series], Any]
    of_point: Callable[[Mapping[str, Any]], Any] = _custom
    by_row: Callable[[Any], None] | None = None

    @property
    def rows(self) -> str:
        """What selecting a row does, as a sentence."""
        if self.by_row:
            return "Selecting a row has the same effect as clicking its mark, except that you stay on this page."
        return _ROWS

    def clicked(self, name: str) -> None:
        """Take what the clicked mark of the chart with this name chooses."""
        chosen = map(self.of_point, st.session_state[f"chart-{name}"].selection.points)
        self._take(next((data for data in chosen if data is not None), None), self.take)

    def row(self, row: pd.Series) -> None:
        """Take what a row of the table chooses."""
        self._take(self.of_row(row), self.by_row or self.take)

    @staticmethod
    def _take(data: Any, take: Callable[[Any], None]) -> None:
        if data is not None:
            take(data)


class Sent(BaseFigure):
    """A figure as the browser gets it, which plotly does not check again: that takes longer than everything else.

    Without the parts of other figures, which take 50 kB even if the figure is empty.
    """

    def __init__(self, dictionary: dict[str, Any]) -> None:
        self._dictionary = dictionary

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary itself."""
        return self._dictionary


def chart(
    sent: dict[str, Any],  # the figure, as `style.sent` returns it
    frame: pd.DataFrame,
    *,
    name: str,  # the widget key, and the name of downloaded files
    alt: str,
    light: Callable[[], str],  # returns the figure in light colours, as JSON
    select: tuple[Literal["points", "box", "lasso"], ...] = (),
    on_select: Literal["rerun"] | Callable[[], None] = "rerun",  # a function is called before the run
    scroll_zoom: bool = False,
    above: float = 0,  # rem above a figure without a height, which fills the rest of the window
    below: Callable[[], None] | None = None,  # draws content between the figure and its table
    size: tuple[int, int] | None = None,  # of downloaded pictures in pixels; by default that on the screen
    about: Sequence[captions.Part] | None = None,  # named in downloaded pictures; by default the panel's `caption()`
    table: bool = True,  # False if the page itself has the table
    pick: Pick | None = None,  # what a click on a mark and a row choose, instead of `select`, `on_select` and `on_row`
    on_row: Callable[[pd.Series], None] | None = None,
) -> Any:
    """Draw a figure, with its table and CSV in an expander below; returns the selection if `select` names modes."""
    if pick:
        select, on_select, on_row = ("points",), partial(pick.clicked, name), pick.row
    options: dict[str, Any] = {"on_select": on_select, "selection_mode": select} if select else {}
    sent = large(sent) if presenter.PRESENT.value else with_tools(sent)  # a presentation hides the tools
    tall = above > 0 and _height(sent) is None
    if tall:
        st.html(f"<style>.st-key-tall-{name} {{ --above: {above}rem; --least: {_least(sent)}px; }}</style>")
    with st.container(key=f"tall-{name}") if tall else nullcontext():
        drawn = st.plotly_chart(
            Sent(sent),
            width="stretch",
            height="stretch" if tall else _height(sent) or _USUAL_HEIGHT,
            key=f"chart-{name}",
            alt=alt,
            config=_config(name, scroll_zoom, size, about),
            **options,
        )
    if below is not None:
        below()
    recorded.current().figure(name, alt, recorded.Figure(light, *source(about)))
    titled = f"Table: {_title(alt)}"
    recorded.current().table(name, frame, titled)
    if table:
        _as_table(frame, name, "As a table", titled, on_row, pick.rows if pick else _ROWS)
    return drawn if select else None


def show(
    draw: Callable[..., Chart | Plot],
    *arguments: Any,
    name: str,
    beside: Sequence[Any] = (),  # the results of all models, for the first argument: their charts get the same axes
    options: Mapping[str, Any] | None = None,  # of `chart`
    **named: Any,
) -> Any:
    """Draw the chart `draw(*arguments, **named)` with its table and CSV, in the colours of the visitor's theme; returns
    the selection if the options select something."""
    dark = st.context.theme.type == "dark"
    others = tuple((each, *arguments[1:]) for each in beside if each is not arguments[0])
    call = {
        **{"draw": draw, "arguments": arguments, "others": others},
        **{"named": tuple(sorted(named.items())), "dark": dark},
    }
    # Cached by content: building and validating a figure costs more than anything else in a rerun.
    drawn = memory.call(_drawn, call | {"without_webgl": False})
    if flat := drawn.uses_webgl and browser.has_no_webgl(f"{name}{shown.suffix()}"):
        drawn = memory.call(_drawn, call | {"without_webgl": True})
        st.caption("This browser cannot draw WebGL, so the chart is drawn without it and cannot be turned.")
    recorded.current().chart(f"{name}{shown.suffix()}", draw, arguments, named, others)
    sent, key = json.loads(drawn.sent), f"{name}{shown.suffix()}"

    def light() -> str:
        return str(memory.call(_drawn, call | {"dark": False, "without_webgl": flat}).sent)

    return chart(sent, drawn.frame, name=key, alt=shown.described(drawn.alt), light=light, **(options or {}))


def sketch(draw: Callable[..., Chart | Plot], *arguments: Any, key: str, **named: Any) -> None:
    """Draw a chart alone, for a partial result: it is replaced soon, so it is neither cached nor part of the Python."""
    dark = st.context.theme.type == "dark"
    drawn = _drawn(draw, arguments, tuple(named.items()), dark, False)
    sent = json.loads(drawn.sent)
    st.plotly_chart(
        Sent(sent),
        width="stretch",
        height=_height(sent) or _USUAL_HEIGHT,
        key=key,
        alt=drawn.alt,
        config={"displayModeBar": False},
    )


def _height(sent: dict[str, Any]) -> int | None:
    """The height of a figure in pixels, if it has one."""
    height = sent["layout"].get("height")
    return None if height is None else round(height)


def _least(sent: dict[str, Any]) -> int:
    """The height in pixels from which on the names of the rows of a figure do not overlap; 0 without names."""
    layout = sent["layout"]
    names = layout.get("yaxis", {}).get("ticktext") or ()
    row = _ROW + LINE * max((name.count("<br>") for name in names), default=0)
    return round(len(names) * row + sum(layout["margin"].get(side, 0) for side in "tb")) if names else 0


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A chart in the colours of a page; `sent` is what a browser gets, as JSON: a figure takes ten times as much."""

    sent: str
    frame: pd.DataFrame
    alt: str
    uses_webgl: bool


def _drawn(
    draw: Callable[..., Chart | Plot],
    arguments: tuple[Any, ...],
    named: tuple[tuple[str, Any], ...],
    dark: bool,
    without_webgl: bool,
    others: tuple[tuple[Any, ...], ...] = (),
) -> _Drawn:
    from plotly.io.json import to_json_plotly

    from embtools.charts.adapted import flat, uses_webgl
    from embtools.charts.style import sent

    made = draw(*arguments, **dict(named))
    if others and isinstance(made, Plot):
        made = made.beside(*(draw(*each, **dict(named)) for each in others))  # type: ignore[arg-type]
    dictionary = sent(made.figure, dark)
    if without_webgl:
        dictionary = flat(dictionary)
    return _Drawn(to_json_plotly(dictionary), made.frame, made.alt, uses_webgl(dictionary))


@contextmanager
def expander(name: str, label: str, icon: str | None = None) -> Iterator[bool]:
    """Open an expander as a `with` block and yield whether it is open; fill it only then."""
    opened = state.expander(f"{name}{shown.suffix()}", label, icon)
    with opened:
        yield bool(opened.open)


def ahead(slot: Any) -> None:
    """Draw an invisible, empty chart here, to be emptied again, so that the browser loads the chart library while the
    server loads a model, not later."""
    with slot.container(key="ahead"):
        st.plotly_chart(go.Figure(go.Scatter(), {"height": 10}), config={"displayModeBar": False})


def as_table(frame: pd.DataFrame, name: str, label: str = "As a table", *, title: str = "") -> None:
    """Draw an expander with a table, whose alt text is the title or the label."""
    titled = shown.described(title or label)
    recorded.current().table(name, frame, titled)
    _as_table(frame, name, label, titled)


def rows(frame: pd.DataFrame, alt: str, on_row: Callable[[pd.Series], None], *, name: str, **options: Any) -> None:
    """Draw a table with its CSV; `on_row` receives the row that a visitor selects. Then the whole page runs again."""
    recorded.current().table(name, frame, alt)
    _rows(frame, alt, on_row, name=name, **options)


def _rows(frame: pd.DataFrame, alt: str, on_row: Callable[[pd.Series], None], *, name: str, **options: Any) -> None:

    def chosen() -> None:
        for number in st.session_state[f"table-{name}"].selection.rows:
            if number < len(frame):
                on_row(frame.reset_index(drop=True).iloc[number])

    with state.of_the_page():
        _table(frame, alt, name=name, on_select=chosen, selection_mode="single-row", **options)


def table(frame: pd.DataFrame, title: str = "", *, name: str, **options: Any) -> Any:
    """Draw a data frame with its CSV download and the title (by default the columns) as alt text; options are passed to
    st.dataframe."""
    named = shown.described(title or f"Table with the columns {', '.join(map(str, frame.columns))}")
    recorded.current().table(name, frame, named)
    return _table(frame, named, name=name, **options)


@state.fragment
def _as_table(
    frame: pd.DataFrame,
    name: str,
    label: str,
    alt: str,
    on_row: Callable[[pd.Series], None] | None = None,
    about_rows: str = _ROWS,
) -> None:
    """Draw an expander with a table, which is filled when it is opened, without a rerun of the page."""
    opened = None if TABLES.value else state.expander(name, label, ":material/table:")
    if opened is None or opened.open:
        with opened or nullcontext():
            if on_row is None:
                _table(frame, alt, name=name)
            else:
                st.caption(
                    f"{about_rows} By keyboard: move with the arrow keys, then press Shift and the space bar together."
                )
                _rows(frame, alt, on_row, name=name)


def _table(frame: pd.DataFrame, alt: str, *, name: str, download: bool = True, **options: Any) -> Any:
    options["column_config"] = {**_TITLES, **options.get("column_config", {})}
    drawn = st.dataframe(frame, hide_index=True, key=f"table-{name}", alt=alt, **options)
    if download:
        st.download_button(
            "CSV",
            lambda: csv(frame),  # written when somebody downloads it
            f"{name}.csv",
            "text/csv",
            key=f"csv-{name}",
            on_click="ignore",
            icon=":material/download:",
        )
    return drawn


def files(frames: Mapping[str, pd.DataFrame], query: Call, model: Model, *, name: str) -> None:
    """Draw buttons that save the frames of a result as Parquet and as CSV, and all with their settings as a zip."""

    def about() -> dict[str, str]:
        return described(model.open(), query={"function": query.name, **query.complete})

    def file(frame: pd.DataFrame, kind: str) -> Callable[[], bytes]:  # written when somebody downloads it
        return lambda: encoded(frame, kind, described=about())

    def button(label: str, data: Callable[[], bytes], file_name: str, mime: str, icon: str, key: str) -> None:
        key = f"file-{name}-{key}{shown.suffix()}"
        st.download_button(label, data, file_name, mime, key=key, on_click="ignore", icon=f":material/{icon}:")

    st.caption(
        "A CSV file is one plain table. The zip file has all tables as CSV, and next to them the settings, the checksum"
        " of the model and the version of this app in settings.json. A Parquet file has these in its metadata."
    )
    names = {part: f"{name}-{part.replace(' ', '-')}" for part in frames}
    for part, frame in frames.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(part.capitalize(), width=150)
            for kind, label, mime in (
                (".parquet", "Parquet", "application/vnd.apache.parquet"),
                (".csv", "CSV", "text/csv"),
            ):
                button(label, file(frame, kind), f"{names[part]}{kind}", mime, "download", f"{part}-{label}")
    tables = {f"{names[part]}.csv": file(frame, ".csv") for part, frame in frames.items()}
    button(
        "CSV and settings",
        lambda: _zip({each: data() for each, data in tables.items()} | {"settings.json": files_settings(about())}),
        f"{name}.zip",
        "application/zip",
        "folder_zip",
        "zip",
    )


def settings() -> None:
    """Draw the settings of charts: whether their tables are open, and the format in which pictures are saved."""
    st.toggle("Tables under charts", help="Opens the table of every chart.", **TABLES.widget)
    st.segmented_control(
        "Picture format",
        required=True,
        help="The camera button above each chart saves it in this format.",
        **PICTURE.widget,
    )


def zipped(frames: Mapping[str, pd.DataFrame], about: str) -> bytes:
    """Return a zip file with each frame as CSV, named after it, and a text that says what they are."""
    return _zip({f"{name}.csv": csv(frame) for name, frame in frames.items()} | {"README.txt": f"{about}\n"})


def _zip(contents: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            archive.writestr(name, data)
    return file.getvalue()


def csv(frame: pd.DataFrame) -> str:
    """Return the frame as CSV without formulas: a shared link could put one into somebody else's download."""
    return encoded(frame, ".csv", described={}).decode()


def _config(
    name: str, scroll_zoom: bool, size: tuple[int, int] | None, about: Sequence[captions.Part] | None
) -> dict[str, Any]:
    kind = PICTURE.value
    title, caption = source(about)
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


def describe(title: str, panel: Any, models: str) -> None:
    """Say which panel, and models with which titles, draw charts from now on: saved pictures carry its caption (see
    page.js)."""
    st.session_state[_ABOUT] = title, panel, models
    recorded.current().title = title


def source(about: Sequence[captions.Part] | None = None) -> tuple[str, list[str]]:
    """The title and the caption of a saved picture, line by line: what the chart depends on, the model, this app."""
    title, panel, models = st.session_state.get(_ABOUT, ("", None, ""))
    lines = captions.now(panel.caption if about is None and hasattr(panel, "caption") else lambda: about or ())
    return title, [*lines, f"Model: {shown.title() or models}. {APP} {embtools.__version__}"]
