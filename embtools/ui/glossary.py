"""The glossary: technical terms in texts are underlined, and a hover, focus or tap shows their definition."""

import html as escaping
import re
from functools import cache, lru_cache

from embtools import wordlists

_TERM = re.compile(r"\[\[([^\W_][^\]|]*)(?:\|([^\]]+))?\]\]")  # a term may begin with a digit: 3CosAdd


@cache
def definitions() -> dict[str, str]:
    """Return the definition of each term."""
    frame = wordlists.load("glossary")
    return dict(zip(frame["term"], frame["definition"], strict=True))


def definition(term: str) -> str:
    """Return the definition of a term, for the help of a field; raises KeyError for an unknown term."""
    return definitions()[term]


def terms(text: str) -> list[str]:
    """Return the terms that a text marks, written as [[term]] or [[term|other form]]."""
    return [match[1] for match in _TERM.finditer(text)]


@lru_cache(512)  # most texts are constant; some contain numbers
def html(text: str) -> str:
    """Return one of the app's own texts as HTML, with **strong**, *emphasis* and definitions of marked terms, which
    page.js opens."""

    def marked(match: re.Match[str]) -> str:
        meaning = escaping.escape(definition(match[1]), quote=True)
        shown = match[2] or match[1]
        return f'<dfn tabindex="0" aria-description="{meaning}" data-definition="{meaning}">{shown}</dfn>'

    text = _TERM.sub(marked, escaping.escape(text, quote=False))
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)
    return f'<p class="seen">{text}</p>'
