"""Reports: one HTML file with what a page shows, in which no text of a visitor becomes anything but text."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from embtools.ui import report, share
from embtools.ui.recorded import CODE, FIGURE, TEXT, Figure, Part

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp; ![x](http://a.example/b) \u202ebad"
JSON = json.dumps({"data": [{"type": "scatter", "x": [1], "y": [2], "text": [NASTY]}], "layout": {"height": 100}})


class Read(HTMLParser):
    """The elements of a file: name, attributes, and the text up to the next element or the end of one."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts, self.inside = [""], False
        self.feed(data.decode())

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.texts.append("")
        self.inside = True

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.texts[-1] += data * self.inside

    def all(self, tag: str) -> list[str]:
        return [text for (name, _), text in zip(self.elements, self.texts[1:], strict=True) if name == tag]


def part(kind: str, text: str, figure: Figure | None = None) -> Part:
    return Part(kind, text, frozenset(), ("", 0), figure=figure)


def page(**changed) -> report.Page:
    figure = Figure(lambda: JSON, NASTY, [NASTY])
    parts = {
        "x": part(TEXT, f"### {NASTY}"), "y": part(CODE, NASTY), f"{FIGURE}-bars": part(FIGURE, NASTY, figure), "z": part(TEXT, NASTY),
    }  # fmt: skip
    frame = pd.DataFrame({NASTY: [NASTY, None], "number": [0.123456789, float("nan")]})
    tables = {"bars": (NASTY, frame), "alone": ("Another", frame)}
    given = {"title": NASTY, "note": NASTY, "parts": parts, "tables": tables, "cited": [NASTY], "address": f"http://a.example/?x={NASTY}",
             "code": NASTY, "installing": NASTY}  # fmt: skip
    return report.Page(**given | changed)


@pytest.fixture(scope="module")
def hostile() -> Read:
    return Read(report.written(page()))


def test_a_hostile_text_makes_no_element_and_no_attribute(hostile):
    allowed = {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "a", "section", "figure", "div", "figcaption", "br", "details",
        "summary", "table", "caption", "thead", "tbody", "tr", "th", "td", "pre", "script",
    }  # fmt: skip
    assert {tag for tag, _ in hostile.elements} <= allowed
    assert [tag for tag, _ in hostile.elements].count("script") == 3
    assert not [key for _, attributes in hostile.elements for key in attributes if key.startswith("on") or key == "src"]
    assert [attributes["rel"] for tag, attributes in hostile.elements if tag == "a"] == ["noreferrer"]
    written = "".join(text for tag in allowed - {"script"} for text in hostile.all(tag))
    assert "\u202e" not in written and written.count("⟨U+202E⟩bad") >= 10


def test_the_policy_allows_the_two_scripts_of_the_file_and_no_other(hostile):
    (policy,) = [
        each["content"] for tag, each in hostile.elements if each.get("http-equiv") == "Content-Security-Policy"
    ]
    data, *scripts = hostile.all("script")
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert re.search(r"script-src ([^;]*);", policy)[1].split() == [f"'sha256-{each}'" for each in hashes]
    assert policy.startswith("default-src 'none';") and "plotly.js v" in scripts[0] and "<" not in data
    (figure,) = json.loads(data)["figures"]
    assert figure == json.loads(JSON)


def test_without_scripts_the_alt_text_and_the_table_are_there(hostile):
    ((_, chart),) = [each for each in hostile.elements if each[1].get("class") == "chart"]
    assert "hidden" in chart and chart["aria-label"].startswith("</script>")
    assert [attributes for tag, attributes in hostile.elements if tag == "details"] == [{"open": None}]
    assert hostile.all("td")[:2] == [NASTY.replace("\u202e", "⟨U+202E⟩"), "0.123457"] and "Tables" in hostile.all("h2")


def test_an_address_that_is_none_of_the_web_is_no_link():
    read = Read(report.written(page(address="javascript:alert(1)")))
    assert "a" not in [tag for tag, _ in read.elements] and "javascript:alert(1)" in read.all("p")


def test_a_long_table_is_cut_and_says_so():
    frame = pd.DataFrame({"n": range(report.MOST_ROWS + 1)})
    written = report.table("Numbers", frame)
    assert written.count("<tr>") == 1_001 and "<caption>Numbers (the first 1,000 of 1,001 rows)</caption>" in written
    assert "the first" not in report.table("Numbers", frame.head(1_000))


@pytest.mark.parametrize(
    "markdown, html",
    [
        ("a **b *c* d** e", "<p>a <strong>b <em>c</em> d</strong> e</p>"),
        (r"\*\*a\*\* \<b\> \\", "<p>**a** &lt;b&gt; \\</p>"),
        ("**a *b** c", "<p><strong>a <em>b** c</em></strong></p>"),
        ("https\u2060\\://x [a](b)", "<p>https://x [a](b)</p>"),
        ("`x", "<p><code>x</code></p>"),
    ],
)
def test_a_recorded_text_has_emphasis_and_nothing_else(markdown, html):
    assert report.text(markdown) == html


def test_a_page_offers_its_report_and_makes_it_when_it_is_pressed(visit, monkeypatch):
    made: list[report.Page] = []
    monkeypatch.setattr(share.report, "written", lambda page: made.append(page) or b"")
    first = "<b>Rome</b> is old."
    at = visit("pairs", pairs_tab="similarity", pairs_first=first)
    at.test.session_state["share-code"] = True
    name, data = at._offered()["share-report"]
    assert not made and name == "pairs-similarity.html" and at.says("one HTML file of about 5 MB")
    data()
    monkeypatch.undo()
    written = report.written(made[0])
    assert written == report.written(made[0])
    read = Read(written)
    charts = [attributes for _, attributes in read.elements if attributes.get("class") == "chart"]
    assert [chart["aria-label"] for chart in charts] == [chart.alt for chart in at.charts] and charts
    assert at.finding in read.all("h2") and first in "".join(read.all("br"))
    assert read.elements.count(("table", {})) == len(at.tables)
    code, cited = read.all("pre")[-1], "".join(read.all("pre")[:-1])
    assert "embtools.load_model" in code and "SHA-256" in cited and "@software" in cited


def test_figures_are_drawn_in_light_colours(visit, monkeypatch):
    monkeypatch.setattr(type(share.st.context), "theme", type("Theme", (), {"type": "dark"}))
    at = visit("pairs", pairs_tab="similarity")
    drawn = [part.figure.draw() for part in at.session_state["page-code"].parts().values() if part.kind == FIGURE]
    assert len(drawn) == len(at.charts)
    for light, chart in zip(drawn, at.charts, strict=True):
        assert "#4A5361" in light and "#B4BDC9" not in light and "#B4BDC9" in chart.spec


def test_opening_one_table_leaves_the_others_in_the_files(visit, monkeypatch):
    code = visit("pairs", pairs_tab="similarity").session_state["page-code"]
    before = set(code.tables())
    runs = {"embtools.ui.figures._as_table": 1}  # one of them has been drawn again, alone
    monkeypatch.setattr(share.st, "session_state", {"state-fragment-runs": runs})
    assert set(code.tables()) == before and len(before) > 1
