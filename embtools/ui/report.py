"""The page as one HTML file, which opens without network and without Python.

Whoever opens the file trusts neither the visitor's texts nor the address in it. Every text is escaped, and the content
security policy allows two scripts by their hashes: plotly.js and the one that draws the figures. Where scripts are
blocked, the alt text and the table stand in place of a figure.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pandas as pd

from embtools.messages import visible
from embtools.ui import citation
from embtools.ui.recorded import FIGURE, TEXT, Figure, Part

MOST_ROWS = 1_000
"""Rows of a table in a report; longer ones are cut, and the report says so."""
WIDTH = 800  # pixels of a figure

_HERE = Path(__file__).parent
_MARKS = re.compile(r"\\(.)|(\*\*|\*|`)")
_TAGS = {"**": "strong", "*": "em", "`": "code"}
_IN_JSON = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}  # only texts can contain them


@dataclass(frozen=True)
class Page:
    """What a report is made of.

    title       of the page, in plain text
    note        of the visitor who makes the report, "" for none
    parts       the parts of the page by name, in their order
    tables      title and numbers of each table by name; that of a figure has the figure's name
    cited       the citation as a line and as BibTeX
    address     a link to the page
    code        the Python that reproduces its numbers
    installing  how to install the library, as `citation.installing` says it
    """

    title: str
    note: str
    parts: Mapping[str, Part]
    tables: Mapping[str, tuple[str, pd.DataFrame]]
    cited: Sequence[str]
    address: str
    code: str
    installing: str


def written(page: Page) -> bytes:
    """Return the HTML file. The same page gives the same file."""
    body, figures, tables = [], list[str](), dict(page.tables)
    for name, part in page.parts.items():
        if part.kind == TEXT:
            body.append(text(part.text))
        elif part.kind == FIGURE and part.figure:
            title, frame = tables.pop(name.removeprefix(f"{FIGURE}-"), ("", None))
            body.append(_figure(len(figures), part.text, part.figure, "" if frame is None else table(title, frame)))
            figures.append(part.figure.draw())
    others = "".join(f"<section>{table(title, frame)}</section>" for title, frame in tables.values())
    link = _shown(page.address)
    if urlsplit(page.address).scheme in ("http", "https"):
        link = f'<a href="{escape(page.address)}" rel="noreferrer">{link}</a>'
    note = f'<section class="note"><h2>Note</h2><p>{_shown(page.note)}</p></section>' if page.note else ""
    scripts = _plotly(), (_HERE / "report.js").read_text(encoding="utf-8")
    data = f'{{"template": {_template()}, "width": {WIDTH}, "figures": [{", ".join(figures)}]}}'.translate(_IN_JSON)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_policy(*scripts)}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>{_shown(page.title)} · {citation.APP}</title>
<style>{(_HERE / "report.css").read_text(encoding="utf-8")}</style>
</head>
<body>
<h1>{_shown(page.title)}</h1>
{note}
{"".join(body)}
{"<h2>Tables</h2>" if others else ""}{others}
<h2>Link</h2>
<p>{link}</p>
<h2>Citation</h2>
{"".join(f"<pre>{_shown(cited, but=chr(10))}</pre>" for cited in page.cited)}
<h2>Python</h2>
<p>This code reproduces the numbers. {_shown(page.installing.replace("`", ""))}</p>
<pre>{_shown(page.code, but=chr(10))}</pre>
<script type="application/json" id="data">{data}</script>
<script>{scripts[0]}</script>
<script>{scripts[1]}</script>
</body>
</html>
""".encode(errors="replace")


def text(markdown: str) -> str:
    """Return a text that a page has recorded as HTML: with **strong**, *emphasis* and `code`, nothing else."""
    # `texts.plain` puts the joiner into addresses, so that Streamlit makes no links of them.
    rest, opened = markdown.removeprefix("### ").replace("\u2060", ""), list[str]()
    parts, at = [], 0
    for match in _MARKS.finditer(rest):
        parts.append(_shown(rest[at : match.start()]))
        at = match.end()
        if match[1] is not None:
            parts.append(_shown(match[1]))
        elif match[2] in opened[-1:]:
            parts.append(f"</{_TAGS[opened.pop()]}>")
        elif match[2] in opened:  # crossed
            parts.append(match[2])
        else:
            opened.append(match[2])
            parts.append(f"<{_TAGS[match[2]]}>")
    closed = "".join(f"</{_TAGS[mark]}>" for mark in reversed(opened))
    tag = "h2" if markdown.startswith("### ") else "p"
    return f"<{tag}>{''.join(parts)}{_shown(rest[at:])}{closed}</{tag}>"


def table(title: str, frame: pd.DataFrame) -> str:
    """Return a frame as an HTML table, at most its first `MOST_ROWS` rows."""
    head = "".join(f'<th scope="col">{_shown(str(name))}</th>' for name in frame.columns)
    rows = frame.head(MOST_ROWS).itertuples(index=False, name=None)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>\n" for row in rows)
    cut = f" (the first {MOST_ROWS:,} of {len(frame):,} rows)" if len(frame) > MOST_ROWS else ""
    return (
        f'<div class="table"><table><caption>{_shown(title)}{cut}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def _cell(value: Any) -> str:
    missing = pd.api.types.is_scalar(value) and pd.isna(value)
    shown = "" if missing else f"{value:.6g}" if isinstance(value, float) else str(value)
    return f"<td>{_shown(shown, but=chr(10))}</td>"


def _figure(number: int, alt: str, figure: Figure, numbers: str) -> str:
    """Return what stands for a figure until a script draws it: alt text and table, which is then closed."""
    caption = "<br>".join(map(_shown, (figure.title, *figure.caption)))
    details = f"<details open><summary>As a table</summary>{numbers}</details>" if numbers else ""
    return (
        f'<figure id="figure-{number}"><div class="chart" role="img" aria-label="{_shown(alt)}" hidden></div>'
        f'<p class="alt">{_shown(alt)}</p><figcaption>{caption}</figcaption>{details}</figure>'
    )


def _shown(text: str, but: str = "") -> str:
    """Return a text escaped, with codes for what would be obeyed instead of shown."""
    return escape(visible(text, but=but))


def _policy(*scripts: str) -> str:
    """Return the content security policy. Plotly sets styles of single elements, and saves pictures as data."""
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data: blob:;"
        " base-uri 'none'; form-action 'none'"
    )


@cache
def _plotly() -> str:
    from plotly.offline import get_plotlyjs

    source = str(get_plotlyjs())
    if re.search(r"</script|<script|<!--", source, re.IGNORECASE):  # would end the script, or hide its end
        raise RuntimeError("This version of plotly.js cannot stand inside an HTML file.")
    return source.replace("\r\n", "\n").replace("\r", "\n")  # as the browser reads it for the hash


@cache
def _template() -> str:
    import plotly.io
    from plotly.io.json import to_json_plotly

    return str(to_json_plotly(plotly.io.templates["plotly_white"]))
