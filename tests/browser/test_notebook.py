"""The HTML of a result, as nbconvert and viewers without plotly's own type show it."""

from typing import Any

import pytest
from plotly.offline import get_plotlyjs

from embtools.charts.notebook import bundle
from tests.charts.test_notebook import END, made


@pytest.mark.slow("True-True")
@pytest.mark.parametrize(("scripts", "network"), [(True, True), (True, False), (False, True)])
def test_the_figure_needs_scripts_and_the_network_and_everything_else_does_not(
    scripts: bool, network: bool, browser: Any
) -> None:
    """Two figures, one twice: each is drawn in its place, by the version of plotly.js with the right checksum."""
    one, other = (bundle(f"{word} is red. {END}", made([word, END]))["text/html"] for word in ("Rome", "Paris"))
    page = browser.new_context(java_script_enabled=scripts).new_page()
    page.set_default_timeout(120_000)  # the first text that plotly draws takes long on a busy machine
    faults: list[str] = []
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    header = {"Access-Control-Allow-Origin": "*"}
    page.route(
        "https://cdn.plot.ly/**",
        lambda route: (
            route.fulfill(body=get_plotlyjs(), content_type="text/javascript", headers=header)
            if network
            else route.abort()
        ),
    )
    page.set_content(
        f"<!doctype html><meta charset=utf-8><body>{one}{other}{one}</body>", wait_until="domcontentloaded"
    )
    drawn = page.locator(".js-plotly-plot .svg-container")
    if scripts and network:
        drawn.nth(2).wait_for()
        assert len(loaded) == 1
    assert drawn.count() == (3 if scripts and network else 0)
    for text in ("Rome is red.", "Bars of Paris."):
        assert page.get_by_text(text).first.is_visible()
    assert page.get_by_role("cell", name="Paris").is_visible() and page.locator("tbody tr").count() == 6
    assert page.locator("img").count() == 0 and not faults
    page.context.close()
