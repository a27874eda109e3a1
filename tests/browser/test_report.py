"""A saved report, opened from the disk without a network: its figures are drawn, and without scripts it has their numbers."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from playwright.sync_api import Page, expect

from embtools.ui import report
from embtools.ui.recorded import FIGURE, Figure, Part
from tests.browser.conftest import Visitors
from tests.browser.policy import watched
from tests.browser.tab import LONG, Tab

KINDS = ("scattergl", "scatter3d")


def opened(visitor: Visitors, file: Path, **options: Any) -> tuple[Page, list[str]]:
    """The file in a browser without a network, and what went wrong there: errors, requests, what the policy blocked."""
    page, wrong = visitor(file.as_uri(), **options).page, list[str]()
    page.context.set_offline(True)
    blocked = watched(page)
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
    page.goto(file.as_uri(), wait_until="commit")
    return page, wrong if options else [*wrong, *blocked()]


def is_drawn(visitor: Visitors, file: Path, count: int) -> None:
    """Every figure is drawn as wide as it should be, in place of its alt text, and its table is closed."""
    page, wrong = opened(visitor, file)
    expect(page.locator("figure .alt:visible")).to_have_count(0, timeout=LONG)
    charts = page.locator("figure .chart")
    expect(charts).to_have_count(count)
    for chart in charts.all():
        expect(chart.locator(".main-svg").first).to_be_visible()
        assert chart.locator(".main-svg").first.bounding_box()["width"] == report.WIDTH
        assert chart.locator(".point, canvas, path").count() and not chart.get_by_text("WebGL").count()
    expect(page.locator("figure details[open]")).to_have_count(0)
    assert wrong == []


def has_numbers_without_scripts(visitor: Visitors, file: Path, count: int) -> None:
    page, _ = opened(visitor, file, java_script_enabled=False)
    expect(page.locator("figure .alt:visible")).to_have_count(count)
    expect(page.locator("figure table:visible")).to_have_count(count)
    expect(page.locator("figure .chart:visible, .main-svg")).to_have_count(0)


@pytest.mark.slow
def test_a_report_opens_without_a_network_with_and_without_scripts(tab: Tab, visitor: Visitors, tmp_path: Path) -> None:
    tab.open("pairs", pairs_tab="similarity")
    shown = tab.page.locator("[class*='st-key-chart-'] .js-plotly-plot:visible").count()
    tab.press("Python")
    with tab.page.expect_download(timeout=LONG) as waiting:
        tab.page.get_by_role("button", name="Report").click()
    file = tmp_path / "report.html"
    waiting.value.save_as(file)
    assert 4e6 < file.stat().st_size < 8e6 and shown
    is_drawn(visitor, file, shown)
    has_numbers_without_scripts(visitor, file, shown)


@pytest.mark.slow
def test_large_maps_and_points_in_space_are_drawn_under_the_policy(visitor: Visitors, tmp_path: Path) -> None:
    parts, tables = {}, {}
    for kind in KINDS:
        trace = {
            "type": kind,
            "x": [1, 2],
            "y": [1, 2],
            "mode": "markers",
            **({"z": [1, 2]} if kind == "scatter3d" else {}),
        }
        sent = json.dumps({"data": [trace], "layout": {}})
        parts[f"{FIGURE}-{kind}"] = Part(
            FIGURE, kind, frozenset(), ("", 0), figure=Figure(lambda sent=sent: sent, "", [])
        )
        tables[kind] = kind, pd.DataFrame({"x": [1, 2]})
    file = tmp_path / "report.html"
    file.write_bytes(report.written(report.Page("Maps", "", parts, tables, [], "", "", "")))
    is_drawn(visitor, file, len(KINDS))
