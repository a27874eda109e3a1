"""A saved report, opened from the disk without a network: its figures are drawn, and without scripts it has their numbers."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.policy import watched


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "query"), [("pairs", {"pairs_tab": "similarity"}), ("clusters", {"clusters_dimensions": "3"})]
)
def test_a_report_opens_without_a_network_with_and_without_scripts(
    tab, visitor, tmp_path: Path, page: str, query
) -> None:
    tab.open(page, **query)
    shown = tab.page.locator(".js-plotly-plot:visible").count()
    tab.press("Python")
    with tab.page.expect_download() as waiting:
        tab.page.get_by_role("button", name="Report").click()
    file = tmp_path / "report.html"
    waiting.value.save_as(file)
    assert 4e6 < file.stat().st_size < 8e6

    reader = visitor(file.as_uri())
    reader.page.context.set_offline(True)
    blocked, errors, asked = watched(reader.page), [], []
    reader.page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    reader.page.on("pageerror", lambda error: errors.append(str(error)))
    reader.page.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    reader.page.goto(file.as_uri())
    charts = reader.page.locator("figure .chart")
    expect(reader.page.locator("figure .main-svg:visible").first).to_be_visible()
    for number in range(charts.count()):
        expect(charts.nth(number).locator(".main-svg").first).to_be_visible()
        assert charts.nth(number).locator(".main-svg").first.bounding_box()["width"] == 800
    assert charts.count() == shown
    expect(reader.page.locator("figure .alt:visible")).to_have_count(0)
    expect(reader.page.locator("figure details[open]")).to_have_count(0)
    assert (blocked(), errors, asked) == ([], [], [])

    plain = visitor(file.as_uri(), java_script_enabled=False)
    plain.page.goto(file.as_uri())
    expect(plain.page.locator("figure .alt:visible")).to_have_count(shown)
    expect(plain.page.locator("figure table:visible")).to_have_count(shown)
    expect(plain.page.locator(".main-svg")).to_have_count(0)
