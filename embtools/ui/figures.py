"""A figure or a table as pages show it: with its data below, downloads, and the settings of both."""

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

import embtools
from embtools.messages import shortened
from embtools.ui import state
from embtools.ui.citation import APP
from embtools.ui.fields import Choice, Flag, Text

TABLES, PICTURE = Flag("tables"), Choice("picture", "svg", ("svg", "png"))
_TITLES = {"rho": "ρ"}  # what frames cannot name as people do
_ABOUT = "charts-are-about"  # in the session, because a fragment draws charts without the rest of the page
_MOST_TYPED = 300  # characters of each text in the caption of a saved picture
_FORMULA = re.compile(r"\s*[=+\-@].*[(|!]", re.DOTALL)


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
    """Draw a figure with its table and CSV folded below; the selection state, or None unless `select` names modes.

    A selection runs the page (or fragment) again, `on_select` first where that is a function. `name` is the
    widget key and the name of the downloaded files; the picture's format is chosen in the settings, its `size` in
    pixels is that on the screen unless it is given. A figure without a height of its own fills the window below what
    stands `above` it, in rem. `below` writes what belongs between the figure and its table.
    """
    options: dict[str, Any] = {"on_select": on_select, "selection_mode": select} if select else {}
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


def ahead(place: Any) -> None:
    """Draw, unseen, a chart of nothing in this place, which is to be emptied again.

    While the server loads a model the browser then fetches and reads what draws charts: four megabytes that it would
    else ask for when the first chart comes.
    """
    with place.container(key="ahead"):
        st.plotly_chart(go.Figure(go.Scatter(), {"height": 10}), config={"displayModeBar": False})


def clicked(name: str) -> Any:
    """What the clicked mark of a chart carries in its customdata; None where no such mark was."""
    for point in st.session_state[f"chart-{name}"].selection.points:
        if (data := point.get("customdata")) is not None:
            return data[0] if isinstance(data, list) else data
    return None


@state.fragment
def folded(frame: pd.DataFrame, name: str, label: str = "As a table") -> None:
    """The table under a chart or a list: made when it is opened, without running the rest of the page again."""
    if TABLES.value:
        table(frame, name=name)
        return
    fold = state.fold(name, label, ":material/table:")
    if fold.open:
        with fold:
            table(frame, name=name)


def table(frame: pd.DataFrame, *, name: str, **options: Any) -> Any:
    """A data frame with its CSV download; options go to st.dataframe."""
    options["column_config"] = {**_TITLES, **options.get("column_config", {})}
    shown = st.dataframe(frame, hide_index=True, key=f"table-{name}", alt=f"Table {name}", **options)
    st.download_button(
        "CSV",
        lambda: _csv(frame),  # written when it is asked for
        f"{name}.csv",
        "text/csv",
        key=f"csv-{name}",
        on_click="ignore",
        icon=":material/download:",
    )
    return shown


def settings() -> None:
    """How charts are shown and saved: whether their tables stand open, and what the camera button above each saves."""
    st.toggle("Tables under charts", help="Opens the table of every chart.", **TABLES.widget)
    st.segmented_control(
        "Pictures as",
        required=True,
        help="The camera button above each chart saves it in this format.",
        **PICTURE.widget,
    )


def _csv(frame: pd.DataFrame) -> str:
    """The frame as CSV; a text that a spreadsheet would run as a formula gets an apostrophe in front.

    A shared link can carry such a text to somebody else's download. Words such as - or @ stay as they are: a formula
    that does harm needs a call, a sheet or a command (OWASP, CSV injection).
    """
    texts = frame.select_dtypes(exclude="number").columns
    safe = {c: [f"'{v}" if isinstance(v, str) and _FORMULA.match(v) else v for v in frame[c]] for c in texts}
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
