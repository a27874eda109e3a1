"""A page as a visitor sees it, without a browser: its texts, its results, and the buttons that can be pressed."""

import ast
import json
import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from numbers import Real
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pandas as pd
import pytest
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

import embtools
from embtools.ui import cached, models, shown
from tests.address import check, in_address
from tests.drawn import untitled

ROOT = Path(__file__).parents[1]
FIELDS = (
    "text_input", "text_area", "selectbox", "multiselect", "slider", "select_slider", "number_input", "toggle", "checkbox", "radio",
    "pills", "segmented_control", "button_group", "file_uploader",
)  # fmt: skip
OPTIONS = ("selectbox", "multiselect", "radio", "select_slider", "button_group")


def overwritten(code: str) -> set[str]:
    """The names that a program imports and then assigns to: it cannot be run twice, as the cells of a notebook are."""
    nodes = list(ast.walk(ast.parse(code)))
    imported = {
        (name.asname or name.name).partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    return imported & {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def forget_models() -> None:
    """Forget every loaded model, and what could not be loaded. Results stay: their keys contain the model's checksum."""
    cached.clear(results=False)
    models.forget()
    shown.forget()


def texts(test: AppTest) -> list[str]:
    """The texts of a script without a page."""
    assert not test.exception
    return [text.value for text in test.text]


def press(test: AppTest, label: str) -> AppTest:
    """Press a button of a script without a page."""
    next(button for button in test.button if button.label == label).click()
    return test.run()


def empty_caches() -> None:
    """Forget every model and result, and what could not be loaded: the one way to do so."""
    forget_models()
    cached.clear()


class Visit:
    """A page, opened by its address. After each action the page has run and shows no exception.

    What is not named here is Streamlit's own AppTest: `visit.button`, `visit.session_state`, `visit.get("plotly_chart")`.
    """

    def __init__(self, page: str = "", **query: Any) -> None:
        """Open `pages/<page>.py` (Home: "") with these parameters in its address, and with its tables unfolded."""
        self.page = page
        self._labels: dict[tuple[str, str], str] = {}
        self._titled: set[int] = set()
        self.test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        for key, value in {"tables": True, **query}.items():
            self.test.query_params[key] = in_address(value)
        if page:
            self.test.switch_page(f"pages/{page}.py")
        self.run()
        check(page, query, self.test.session_state["state-fields"])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.test, name)

    def run(self) -> "Visit":
        """Run the page once more."""
        self.test.run()
        assert not self.test.exception, [f"{e.message}\n{e.stack_trace}" for e in self.test.exception]
        self._labels_stay()
        self._axes_have_titles()
        return self

    # What can be done

    def press(self, button: str) -> "Visit":
        """Press the button with this key or label."""
        next(b for b in self.test.button if button in (b.key, b.label)).click()
        return self.run()

    def field(self, key: str) -> Any:
        """The field with this key, whatever its kind; `options.choose` adds its labels to the key."""
        fields = (field for kind in FIELDS for field in self.test.get(kind))
        return next(f for f in fields if f.key == key or (f.key or "").startswith(f"{key}--"))

    def put(self, key: str, value: Any) -> "Visit":
        """Put a value into the field with this key."""
        self.field(key).set_value(value)
        return self.run()

    def unfold(self, *names: str) -> "Visit":
        """Open the expanders with these names."""
        self.test.session_state["open"] = (*self.test.session_state["open"], *names)
        return self.run()

    # What is visible

    @property
    def texts(self) -> list[str]:
        """Every text on the page, one per element, without the backslashes that keep Markdown from reading it."""
        return [text.replace("\\", "") for text in self._said()]

    def says(self, *sentences: str) -> bool:
        """Whether each of these is somewhere on the page."""
        texts = self.texts
        return all(any(sentence in text for text in texts) for sentence in sentences)

    @property
    def finding(self) -> str:
        """The headline of the result."""
        return str(self.test.header[0].value.replace("\\", ""))

    @property
    def problems(self) -> list[str]:
        """Every error message, expected by the test or not: what `texts.problem` shows."""
        return [text.value for text in self.test.text if text.value.startswith("⚠")]

    @property
    def metrics(self) -> dict[str, str]:
        """The figures in large print: label → value."""
        return {m.label: m.value for m in self.test.metric}

    @property
    def charts(self) -> list[Any]:
        """What is known of each chart: `.alt`, `.id`, `.spec`."""
        return [chart.proto for chart in self.test.get("plotly_chart")]

    @property
    def tables(self) -> list[pd.DataFrame]:
        """All tables, in the order of the page."""
        return [d.value for d in self.test.dataframe]

    @property
    def named_tables(self) -> dict[str, pd.DataFrame]:
        """The tables by the name of their CSV file."""
        names = [b.proto.id.partition("-csv-")[2] for b in self.test.get("download_button") if "-csv-" in b.proto.id]
        return dict(zip(names, self.tables, strict=True))

    def table(self, *columns: str) -> pd.DataFrame:
        """The first table that has these columns."""
        return next(t for t in self.tables if set(columns) <= set(t.columns))

    def links_to_itself(self) -> "Visit":
        """Another visitor, who opens the address of this page, sees the same: words, charts and tables."""
        again = Visit(self.page, **self.test.query_params)
        assert again.test.query_params == self.test.query_params
        assert again.texts == self.texts, set(again.texts) ^ set(self.texts)
        assert [chart.spec for chart in again.charts] == [chart.spec for chart in self.charts]
        for other, table in zip(again.tables, self.tables, strict=True):
            pd.testing.assert_frame_equal(other, table)
        return self

    def copied(self, model: Any, other: Any = None) -> SimpleNamespace:
        """The names that the code of "Copy as Python" defines, run unchanged, with this model for every load_model
        (or, with another one, for the bundled).

        Also `code`, its text, `printed`, the values that it prints, and of these the `frames` and the `sentences`.
        """
        self.test.session_state["share-code"] = True
        (code,) = [block.value for block in self.run().test.code if "load_model" in block.value]
        assert not overwritten(code), "the copied code cannot be run twice: it overwrites what it imports"
        printed: list[Any] = []
        names: dict[str, Any] = {"print": lambda *values, sep="": printed.extend(values)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                embtools, "load_model", lambda name="bundled": model if other is None or name == "bundled" else other
            )
            patch.setattr(pd, "set_option", lambda *_: None)  # how widely a frame is printed is no affair of the tests
            exec(compile(code, "copied.py", "exec"), names)
        frames = [value for value in printed if isinstance(value, pd.DataFrame)]
        sentences = [value for value in printed if isinstance(value, str)]
        return SimpleNamespace(**names | {"printed": printed, "frames": frames, "sentences": sentences, "code": code})

    def prints_what_it_shows(self, model: Any, other: Any = None) -> SimpleNamespace:
        """The copied code prints the finding and every table of this page; returns what `copied` returns."""
        found = self.copied(model, other)
        assert self.tables and (not self.test.header or self.finding in found.sentences)
        for table in self.tables:
            assert any(_same(table, frame) for frame in found.frames), list(table.columns)
        return found

    def notebook(self) -> Any:
        """The notebook that "Python" offers to save."""
        self.test.session_state["share-code"] = True
        return nbformat.reads(self._offered()["share-notebook"][1](), as_version=4)

    def downloads(self) -> dict[str, bytes]:
        """The files of results that can be saved, by name."""
        return {name: data() for key, (name, data) in self._offered().items() if key.startswith("file-")}

    def _offered(self) -> dict[str, tuple[str, Any]]:
        """Run the page once more; return the name and the content of each file that it offers, by the button's key."""
        files: dict[str, tuple[str, Any]] = {}
        draw = DeltaGenerator.download_button

        def kept(place: Any, label: str, data: Any, file_name: str, *arguments: Any, **named: Any) -> bool:
            files[named.get("key", label)] = file_name, data
            return bool(draw(place, label, data, file_name, *arguments, **named))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DeltaGenerator, "download_button", kept)
            patch.setattr(st, "download_button", partial(kept, st._main))
            self.run()
        return files

    def _labels_stay(self) -> None:
        """A chosen option has the label of earlier runs: a browser sends the label, and an old one finds no option.

        Labels that depend on a result belong into `options.choose`.
        """
        for widget in (widget for kind in OPTIONS for widget in self.test.get(kind)):
            chosen = widget.value if isinstance(widget.value, (list, tuple)) else [widget.value]
            for option in chosen:
                if option is not None:
                    label = str(widget.format_func(option))
                    before = self._labels.setdefault((widget.id, repr(option)), label)
                    assert before == label, (widget.key, option, before, label)

    def _axes_have_titles(self) -> None:
        """Every axis of every chart has a title in a saved picture: on the screen, or by `style.saved`."""
        for chart in self.charts:
            known = hash(chart.spec)
            if known not in self._titled and not chart.id.endswith("-None"):  # no key: the empty one of figures.ahead
                self._titled.add(known)
                assert not untitled(json.loads(chart.spec)), (chart.id, untitled(json.loads(chart.spec)))

    def _said(self) -> Iterator[str]:
        test = self.test
        for kind in (test.text, test.caption, test.markdown, test.info, test.title, test.header, test.subheader):
            yield from (element.value for element in kind)
        for element in test.get("html"):
            yield unescape(re.sub(r"<style>.*?</style>|<[^>]+>", "", element.proto.body, flags=re.DOTALL))
        yield from (f"{m.label}: {m.value} ({m.delta})" for m in test.metric)


def _same(table: pd.DataFrame, frame: pd.DataFrame) -> bool:
    """Whether a table shows the rows of a frame, in any order, in columns of the same names or of as many others."""
    if set(table.columns) <= set(frame.columns):
        frame = frame[list(table.columns)]
    if table.shape != frame.shape:
        return False
    try:
        one, other = table.reset_index(drop=True), frame.reset_index(drop=True)
        pd.testing.assert_frame_equal(one, other, check_dtype=False, rtol=1e-4, atol=1e-5)
    except AssertionError:
        return _rows(table) == _rows(frame)
    return True


def _rows(frame: pd.DataFrame) -> list[tuple[str, ...]]:
    """The rows of a table in one order, numbers to five places."""
    rows = frame.astype(object).where(frame.notna(), "").itertuples(index=False, name=None)
    return sorted(tuple(f"{v:.5f}" if isinstance(v, Real) else str(v) for v in row) for row in rows)
