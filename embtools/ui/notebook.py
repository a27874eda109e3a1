"""A Jupyter notebook of what a page shows: its texts, its Python, and its figures drawn with `embtools.charts`."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from embtools.ui import citation
from embtools.ui.citation import Cited
from embtools.ui.recorded import CHART, FIGURE, TEXT, Part, order
from embtools.ui.texts import plain

_CLICK = re.compile(r"(?:^|(?<=\.) )(?:Click|On a touch screen,) [^.]*\.")
_WHITE = 'plotly.io.templates.default = "plotly_white"'
_TERM = re.compile(r"\[\[([^\]|]*)(?:\|([^\]]+))?\]\]")


@dataclass(frozen=True)
class Page:
    """What a notebook is made of.

    title        of the page, in plain text
    models       the models whose numbers the page shows
    address      a link to the page
    loading      the lines that load the models
    parts        the parts of the page by name, in their order
    explanation  how to read the page, in Markdown
    installing   how to install the library, as `citation.installing` says it
    """

    title: str
    models: Sequence[Cited]
    address: str
    loading: Sequence[str]
    parts: Mapping[str, Part]
    explanation: str
    installing: str = citation.installing("")


def written(page: Page) -> bytes:
    """Return the file of a notebook about a page. The cell of a figure has the figure's name in its metadata."""
    import nbformat
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

    needed = {"import embtools", "import plotly.io"}.union(*(part.imports for part in page.parts.values()))
    cells = [
        new_markdown_cell(_head(page)),
        new_code_cell("\n".join([*sorted(needed, key=order), "", _WHITE, *page.loading])),
    ]
    for name, part in page.parts.items():
        if part.kind == FIGURE:  # drawn by the code of its chart
            continue
        if part.kind == TEXT:
            cells.append(new_markdown_cell(part.text))
        else:
            figure = {"figure": name.removeprefix(f"{CHART}-")} if part.kind == CHART else {}
            cells.append(new_code_cell(_source(part), metadata=figure))
    if page.explanation:
        cells.append(new_markdown_cell(f"## How to read this page\n\n{page.explanation}"))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"cell-{number}"  # not random: the same page gives the same file
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}, "title": page.title}
    return str(nbformat.writes(new_notebook(cells=cells, metadata=metadata))).encode()


def _head(page: Page) -> str:
    return "\n\n".join(
        [
            f"# {plain(page.title)}",
            f"{plain(citation.source(page.models))} [Open this page]({_link(page.address)}).",
            f"This notebook needs the library of the app. {page.installing} Then run all cells. They compute all"
            " numbers and figures again.",
        ]
    )


def caption(text: str) -> str:
    """Return one of the app's own texts as Markdown, without the marks of its terms and without what can be clicked."""
    return _CLICK.sub("", _TERM.sub(lambda term: term[2] or term[1], text)).strip()


def file_name(title: str, otherwise: str = "notebook") -> str:
    """Return the name of a page's file, without ending: "pairs-next-sentence" for "Pairs › Next sentence"."""
    letters = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()  # "Café" → "Cafe"
    return "-".join(re.findall(r"[a-z0-9]+", letters.lower())) or otherwise


def _source(part: Part) -> str:
    """Return the Python of a cell. What is no text is displayed and not printed, because tables look better so."""
    source = part.text
    for shown, is_text in part.shows:
        if not is_text:
            # A whole line: a visitor's text can contain the same.
            display = f"display({shown})".replace("\\", r"\\")
            source = re.sub(rf"^print\({re.escape(shown)}\)$", display, source, flags=re.MULTILINE)
    return source


def _link(address: str) -> str:
    return re.sub(r"[()<>\s]", lambda sign: f"%{ord(sign[0]):02X}", address)
